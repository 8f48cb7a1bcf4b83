"""The witness (engine/witness.py): no step of a search for a minimum excludes an answer known to be cheapest, and a
step that does is caught and named. Each kind of step is once made wrong on purpose."""

from __future__ import annotations

import random
from collections.abc import Sequence

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Problem, Settings, cost, search
from tests.engine.problems import brute
from tests.engine.schedules import mixed_pace
from tests.engine.sided import sided
from tests.engine.strategies import covers, problems

COSTLY = ("one", "negative", "profit")
EARLY = mixed_pace(
    root=1, turn=2000, first=50, patience=50, per_member=0, few=1, few_sided=1, wait=1, wait_per_member=0
)  # fmt: skip


def witnessed(problem: Problem, source: random.Random) -> tuple[Problem, int | None]:
    """The problem with one of its cheapest answers as a witness, and what that costs."""
    answers = brute(problem)
    least = min((cost(problem, a) for a in answers), default=None)
    cheapest = [a for a in answers if cost(problem, a) == least]
    return evolve(problem, witness=source.choice(cheapest) if cheapest else None), least


def hold(problem: Problem, engines: Sequence[str], source: random.Random) -> None:
    """Ask for the minimum in one of many ways, with a witness. Raises Lost if something excludes it."""
    problem, least = witnessed(problem, source)
    how = Settings(
        engine=source.choice(engines), seed=source.choice((None, None, 1)), jobs=source.choice((1, 1, 2)),
        pace=source.choice((EARLY, EARLY, Settings().pace)), interpreted=source.random() < 0.1,
    )  # fmt: skip
    run = search(problem, goal="minimum", settings=how)
    for _ in run:
        pass
    assert run.best == least if problem.costs else True


@given(problems(costs=COSTLY), st.randoms(use_true_random=False))
def test_nothing_excludes_it(problem: Problem, source: random.Random) -> None:
    hold(problem, ("auto", "mixed", "links", "auto", "sides"), source)


@given(covers(), st.randoms(use_true_random=False))
def test_nothing_excludes_it_among_covers(problem: Problem, source: random.Random) -> None:
    hold(problem, ("auto", "cover", "mixed", "links"), source)


@given(st.integers(0, 2**40))
def test_nothing_excludes_it_under_sides(seed: int) -> None:
    source = random.Random(seed)
    hold(sided(source, costs=True), ("auto", "sides", "mixed"), source)
