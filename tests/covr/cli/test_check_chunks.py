"""What `covr check` says of models whose text is right and whose rules or pictures are not: see `tests/chunks.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from covr.compiler import compile_model
from covr.compiler.evaluate.limits import CompileLimits
from covr.compiler.evaluate.operators import noting
from covr.dsl import ModelErrors, Source, load_model
from covr.questions.proof_file import run_expectations
from covr.questions.run import remarks
from tests.chunks import Chunk, assert_expected, read_chunks

pytestmark = pytest.mark.long

LIMITS = CompileLimits(values=300_000, items=100_000)  # a tenth, so that what builds too much is soon told
CHUNKS = read_chunks(Path(__file__).with_name("check.chunks"))


@pytest.mark.parametrize("chunk", CHUNKS, ids=[chunk.name for chunk in CHUNKS])
def test_remarks_stand_on_their_line(chunk: Chunk) -> None:
    model = Source("m.cover", chunk.text)
    try:
        with noting() as noted:
            found = remarks(compile_model(load_model(model, lambda path, source: None), limits=LIMITS), noted)
    except ModelErrors as errors:
        found = list(errors.diagnostics)
    assert_expected(chunk, found)


def test_a_promise_about_a_value_of_another_kind_is_at_fault_itself() -> None:
    text = 'param n = 3\nchoose f(i) for i in 1..n\nexactly one f\nexpect unique with n = "1"'
    (verdict,) = run_expectations(compile_model(load_model(Source("m.cover", text), lambda path, source: None)))
    assert [(d.code, d.span and d.span.place[0]) for d in verdict.fault] == [("E322", 4)]
