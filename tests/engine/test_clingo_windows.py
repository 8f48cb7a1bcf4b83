"""Rows of windows for clingo, against the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from random import Random

import pytest
from attrs import evolve

from covr.engine import Limits, Problem, Settings, Status, build, check, cost, search
from covr.engine.outside import clingo_rules, clingo_windows
from covr.engine.outside.clingo import ClingoSearch
from covr.engine.outside.clingo_windows import WindowRow, rows

pytestmark = pytest.mark.skipif(find_spec("clingo") is None, reason="clingo is not installed")

CLINGO, ORACLE = Settings(engine="clingo"), Settings(engine="reference")


def cars(rng: Random, places: int, kinds: int) -> Problem:
    """Cars in a line, of kinds with other parts in them; each part in at most so many of some cars in a row. Some
    windows are left out or of another length, some kinds are not wanted, and places may stay empty."""
    parts = rng.randint(1, 2)
    needs = [[rng.random() < 0.6 for _ in range(parts)] for _ in range(kinds)]
    bounds, holds = [], [[list[int]() for _ in range(places)] for _ in range(kinds)]

    def item(low: int, high: int, options: list[tuple[int, int]]) -> None:
        bounds.append((low, high))
        for c, t in options:
            holds[c][t].append(len(bounds) - 1)

    full = rng.random() < 0.7
    windows = [rng.choice(((2, 1), (3, 1), (3, 2), (4, 2))) for _ in range(parts)]
    line: list[int] = []  # a line of cars that mostly keeps to the windows
    for t in range(places):
        kept = [
            c
            for c in range(kinds)
            if all(
                not needs[c][part] or sum(needs[d][part] for d in line[max(t - wide + 1, 0) :]) < most
                for part, (wide, most) in enumerate(windows)
            )
        ]
        line.append(rng.choice(kept or range(kinds)))
    for c in range(kinds):
        most = line.count(c) or 1
        item(rng.choice((most, max(most - 1, 1))), most, [(c, t) for t in range(places)])
    if full:
        for t in range(places):
            item(1, 1, [(c, t) for c in range(kinds)])
    single = rng.random() < 0.9
    if not full and single:
        for t in range(places):
            item(0, 1, [(c, t) for c in range(kinds)])
    for part in range(parts):
        wide, most = windows[part]
        for t in range(places - wide + 1):
            end = t + wide + (rng.random() < 0.1)
            held = [(c, s) for c in range(kinds) if needs[c][part] for s in range(t, min(end, places))]
            if held and rng.random() < 0.95:
                item(0, most, held)
    costs = [rng.randint(0, 3) for _ in range(kinds * places)]
    given = rng.sample(range(kinds * places), rng.choice((0, 0, 1)))
    order = sorted(range(len(bounds)), key=lambda i: bounds[i][0] == 0)
    new = {i: k for k, i in enumerate(order)}
    options = [sorted(new[i] for i in holds[c][t]) for c in range(kinds) for t in range(places)]
    return build([bounds[i] for i in order], options, costs=costs, given=given)


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
