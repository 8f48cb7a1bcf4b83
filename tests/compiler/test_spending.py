"""What is walked is counted, however it is asked for, so that no short model takes minutes before it is refused."""

from __future__ import annotations

import pytest

from covr.compiler import compile_model
from covr.compiler.evaluate.comparisons import holds
from covr.compiler.evaluate.limits import WORD, Budget, CompileLimits
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.source import Source, Span
from covr.inputs.library import checked


@pytest.mark.parametrize("op", ["=", "!=", "<", "<=", ">", ">="])
def test_comparing_long_texts_is_counted_by_their_length(op: str) -> None:
    span = Span(Source("m", "x"), 0, 1)
    budget = Budget(CompileLimits())
    holds(op, "a" * 6400, "a" * 6401, span, budget)
    assert budget.steps == 6400 // WORD


def test_moving_a_large_area_is_counted_before_it_is_moved() -> None:
    text = "let area = box(1500, 1500)\nchoose f(i) for i in 1..size(symmetries(area))\nexactly one f\n"
    with pytest.raises(ModelErrors) as errors:
        compile_model(checked(Source("m", text)))
    assert [d.code for d in errors.value.diagnostics] == ["E211"]
