"""Sums that follow from a ceiling of the costs, against brute force."""

from __future__ import annotations

from importlib.util import find_spec
from random import Random

import pytest

from covr.api.model import loads
from covr.engine import Limits, Settings, Status, cost, search
from covr.engine.outside import clingo
from covr.engine.outside.clingo_rules import cost_sums
from tests.engine.clingo_problems import balanced
from tests.engine.problems import brute

pytestmark = [pytest.mark.skipif(find_spec("clingo") is None, reason="clingo is not installed"), pytest.mark.long]

QUEENS = """
param n = 5
choose put(r, c, k) for r in 1..n, c in 1..n, k in {"w", "b"}
agree put on ("r", r) = k, ("c", c) = k, ("d", r + c) = k, ("e", r - c) = k
at most one put per r, c
exactly 0 total (if k = "w" then 1 else -1) of put
maximize count of put
"""


def test_sums_say_what_the_cost_says() -> None:
    met = 0
    for k in range(300):
        problem = balanced(Random(k))
        answers = list(brute(problem))
        for one in cost_sums(problem):
            assert sum(map(bool, problem.costs)) > len(one.terms)
            for answer in answers:
                found = sum(c for o, c in one.terms if o in answer)
                assert found * one.divisor == cost(problem, answer) + one.shift
                assert found <= one.most(cost(problem, answer)) < found + 1
                met += 1
    assert met > 200


@pytest.mark.parametrize(("first", "seed"), [(1, None), (2000, None), (3, 7)])
def test_minima_are_those_of_brute_force(monkeypatch: pytest.MonkeyPatch, first: int, seed: int | None) -> None:
    monkeypatch.setattr(clingo, "CALLED", first)
    seen = 0
    for k in range(150):
        rng = Random(1000 + k)
        problem = balanced(rng)
        answers = list(brute(problem))
        seen += bool(answers) and bool(cost_sums(problem))
        least = min((cost(problem, a) for a in answers), default=None)
        ceiling = None if least is None or rng.random() < 0.6 else least + rng.randint(-1, 2)
        if ceiling is not None and least is not None and ceiling < least:
            least = None
        run = search(problem, goal="minimum", settings=Settings(engine="clingo", seed=seed, ceiling=ceiling))
        found = list(run)
        assert run.status is Status.EXHAUSTED and set(found) <= set(answers), k
        assert run.best == least, k
        assert least is None or run.bound == least, k
    assert seen > 60


@pytest.mark.parametrize("engine", ["auto", "clingo"])
def test_peaceable_queens_are_proved_by_both_sums(engine: str) -> None:
    problem = loads(QUEENS).compiled.problem
    assert [len(one.terms) for one in cost_sums(problem)] == [25, 25]
    run = search(problem, goal="minimum", limits=Limits(seconds=60), settings=Settings(engine=engine, jobs=1))
    list(run)
    assert (run.best, run.bound, run.status) == (-8, -8, Status.EXHAUSTED)
    assert run.counters.nodes < 20_000
