"""The benchmark of compiling: what it compiles can be compiled, and is the same in both processes."""

from __future__ import annotations

import pytest

from benchmarks.compile import HOME, INSTANCES, CompiledInstance, compiled, measure
from covr.compiler import compile_model
from covr.inputs.library import checked, find_source

pytestmark = pytest.mark.long


@pytest.mark.parametrize("instance", [i for i in INSTANCES if i.name not in ("social golfers 8-4-2", "queens 200")])
def test_every_model_has_a_matrix(instance: CompiledInstance) -> None:
    assert compile_model(checked(find_source(instance.model)), instance.parameters).problem.options > 0


def test_a_process_tells_the_size_of_the_matrix() -> None:
    sudoku = next(i for i in INSTANCES if i.name == "sudoku")
    here = compiled(sudoku, HOME, 0)
    assert (here.options, here.entries) == (729, 4 * 729)
    assert here.seconds > 0
    assert [t.options for t in measure(sudoku, [HOME, HOME], 1)] == [729, 729]
