"""Rows of windows for clingo, against the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from random import Random

import pytest
from attrs import evolve

from covr.engine import Limits, Problem, Settings, Status, build, check, cost, search
from covr.engine.outside import clingo_rules
from covr.engine.outside import clingo_shares as clingo_windows
from covr.engine.outside.clingo import ClingoSearch
from covr.engine.outside.clingo_shares import WindowRow, rows
from tests.engine.clingo_problems import cars

pytestmark = pytest.mark.skipif(find_spec("clingo") is None, reason="clingo is not installed")

CLINGO, ORACLE = Settings(engine="clingo"), Settings(engine="reference")


def test_answers_are_those_of_the_oracle(monkeypatch: pytest.MonkeyPatch) -> None:
    told: Counter[bool] = Counter()

    def noting(problem: Problem) -> Iterator[WindowRow]:
        for row in rows(problem):
            told[any(a > b for a, b in zip(row.least, row.greatest, strict=True))] += 1
            yield row

    monkeypatch.setattr(clingo_rules, "rows", noting)
    monkeypatch.setattr(clingo_windows, "SHORTEST", 3)
    met = 0
    for k in range(250):
        rng = Random(k)
        problem = cars(rng, rng.randint(4, 7), rng.choice((2, 2, 3)))
        answers = sorted(search(problem, settings=ORACLE, limits=Limits(answers=2000)))
        if len(answers) == 2000:
            continue
        met += len(answers) > 1
        assert sorted(search(problem, settings=CLINGO)) == answers, k
        best = search(problem, goal="minimum", settings=CLINGO)
        list(best)
        assert best.best == min((cost(problem, a) for a in answers), default=None), k
    assert met > 40 and told[False] > 40 and told[True] > 10


def test_the_sums_of_a_row_lie_between_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clingo_windows, "SHORTEST", 3)
    seen = 0
    for k in range(60):
        rng = Random(k)
        problem = evolve(cars(rng, 6, 2), given=())
        answers = list(search(problem, settings=ORACLE, limits=Limits(answers=5000)))
        for row in rows(problem):
            for answer in answers:
                seen += 1
                taken = [len(set(place) & set(answer)) for place in row.places]
                sums = [sum(taken[:t]) for t in range(len(taken) + 1)]
                assert all(a <= s <= b for a, s, b in zip(row.least, sums, row.greatest, strict=True)), k
    assert seen > 100


def test_a_full_line_of_cars_takes_few_conflicts() -> None:
    """48 cars of four kinds; every second has a sunroof, two of three a radio, as windows of two and of three allow."""
    kinds = {(1, 1): 16, (1, 0): 8, (0, 1): 16, (0, 0): 8}
    n = sum(kinds.values())
    columns: list[tuple[int, int, list[int]]] = [(many, many, [c]) for c, many in enumerate(kinds.values())]
    held = [[[c] for _ in range(n)] for c in range(len(kinds))]
    bounds = [(low, high) for low, high, _ in columns] + [(1, 1)] * n
    for c in range(len(kinds)):
        for t in range(n):
            held[c][t].append(len(kinds) + t)
    for part, (wide, most) in enumerate(((2, 1), (3, 2))):
        for t in range(n - wide + 1):
            bounds.append((0, most))
            for c, needs in enumerate(kinds):
                for s in range(t, t + wide) if needs[part] else ():
                    held[c][s].append(len(bounds) - 1)
    problem = build(bounds, [held[c][t] for c in range(len(kinds)) for t in range(n)])
    assert [len(row.places) for row in rows(problem)] == [n, n]
    run = ClingoSearch(problem, limits=Limits(answers=1))
    (answer,) = run
    assert check(problem, answer) is None and run.status is Status.SOLVED
    assert run.counters.nodes < 3000
