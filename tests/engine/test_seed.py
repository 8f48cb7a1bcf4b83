"""A seed gives a random first answer, the same for the same number, with every engine."""

from __future__ import annotations

import importlib.util

import pytest

from covr.engine import ENGINES, Limits, Problem, Settings, build, check, search
from tests.engine.problems import queens, rooks

OUTSIDE = {"highs": "highspy", "cpsat": "ortools", "clingo": "clingo"}
TOPS = build([(1, 9)] * 6, [[i, (i + 1) % 6] for i in range(6)] + [[i, (i + 3) % 6] for i in range(3)], costs=[1] * 9)


def first(problem: Problem, engine: str, seed: int, goal: str = "all") -> tuple[int, ...]:
    limits = Limits(answers=1) if goal == "all" else Limits()
    *_, found = search(problem, goal=goal, limits=limits, settings=Settings(engine=engine, seed=seed))
    assert check(problem, found) is None
    return found


@pytest.mark.parametrize("problem", [queens(8), rooks(3)], ids=["queens", "rooks"])
@pytest.mark.parametrize("engine", [e for e in ENGINES if e not in ("highs", "cpsat")])
def test_first_answers_are_random(problem: Problem, engine: str) -> None:
    if engine in OUTSIDE and not importlib.util.find_spec(OUTSIDE[engine]):
        pytest.skip(f"{OUTSIDE[engine]} is not installed")
    found = [first(problem, engine, seed) for seed in range(12)]
    assert len(set(found)) > 4
    assert [first(problem, engine, seed) for seed in range(12)] == found


@pytest.mark.parametrize("engine", ["auto", "cover", "links", "reference"])
def test_best_answers_are_random(engine: str) -> None:
    found = [first(TOPS, engine, seed, "minimum") for seed in range(12)]
    assert {len(answer) for answer in found} == {3}
    assert len(set(found)) > 1
    assert [first(TOPS, engine, seed, "minimum") for seed in range(12)] == found
