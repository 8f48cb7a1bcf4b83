"""A run needs no more of what it is asked about than `Subject` says, and a writer no more of a run than `Ending`."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from attrs import frozen

from covr.compiler.lower.lowered import StageValue
from covr.compiler.lower.symmetry import Symmetry
from covr.engine import Problem, build
from covr.output import writers
from covr.questions.options import Options
from covr.questions.run import Run, Subject
from covr.questions.verify import Ending
from covr.runs.recorded import ListedRun


@frozen
class Bare:
    """A subject and nothing else."""

    problem: Problem
    goal: str | None
    symmetry: Symmetry | None = None

    def objective(self, answer: Sequence[int]) -> int | None:
        return None if self.goal is None else self.value_of(sum(self.problem.costs[o] for o in answer))

    def stages(self, cost: int, bound: int | None = None) -> tuple[StageValue, ...]:
        return ()

    def value_of(self, cost: int) -> int:
        return -cost if self.goal == "maximize" else cost


PAIRS = [[0, 1], [1, 2], [2, 0], [0], [1], [2]]


@pytest.mark.parametrize("verify", [False, True])
def test_a_run_needs_no_more_than_a_subject(verify: bool) -> None:
    plain: Subject = Bare(build([(1, 1)] * 3, PAIRS), None)
    assert Run(plain, Options(verify=verify)).count().value == 4
    assert len(list(Run(plain, Options(verify=verify)).answers())) == 4
    dear: Subject = Bare(build([(1, 1)] * 3, PAIRS, costs=[-3, -3, -2, -1, -1, -1]), "maximize")
    run = Run(dear, Options(verify=verify))
    assert run.first() is not None
    assert run.best is not None
    assert (run.best.value, run.bound, run.best.proved) == (4, 4, True)
    assert Run(dear, Options(verify=verify)).count().value == 2


def test_a_run_and_a_listed_run_are_endings() -> None:
    run = Run(Bare(build([(1, 1)] * 3, PAIRS), None), Options())
    list(run.answers())
    listed = ListedRun(whole=True)
    names = [name for name in vars(Ending) if not name.startswith("_")]
    assert names
    for name in names:
        assert hasattr(run, name) and hasattr(listed, name), name
    endings: tuple[Ending, ...] = (run, listed)
    said = [writers.end_fields(ending, 0, 4) for ending in endings]
    assert said[0].keys() == said[1].keys()
    assert [fields["complete"] for fields in said] == [True, True]
