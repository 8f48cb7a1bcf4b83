"""Columns that are alike and are put in order: the minimum stays what brute force finds."""

from __future__ import annotations

import random
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from covr.api.model import loads
from covr.engine import Problem, Status, build, check, search
from covr.engine.check import cost
from covr.engine.minimum.alike import LARGEST, Columns, exchanges_of, falling, families, ordered
from covr.engine.problem import Total
from covr.engine.settings import Settings
from covr.engine.symmetries import graph_of, moves_of
from tests.engine.sided import sided

ROLLS = """
param rolls = 7
let length = [18, 22, 27, 32, 48]
let need = [1, 4, 2, 6, 5]
let kinds = 1..5
choose cut(r, k, n) for r in 1..rolls, k in kinds, n in 0..100 div length[k]
choose used(r) for r in 1..rolls
exactly one cut per r, k
at least need[k] total n of cut per k in kinds
at most 0 total n * length[k] of cut or 0 - 100 of used per r
minimize count of used
"""
TOURNAMENT = """
param n = 8
let teams = 1..n
let pairs = {{i, j} for i in teams, j in teams where i < j}
choose play(i, j, r) for i in teams, j in teams, r in 1..n - 1 where i != j
choose home(i, r) for i in teams, r in 1..n - 1
exactly one play per x in pairs where x = {i, j}
exactly one play per t in teams, r where t = i or t = j
if play(i, j, r) then home(i, r)
if play(i, j, r) then not home(j, r)
prefer if home(i, r) then not home(i, r + 1) cost 1
prefer if not home(i, r) then home(i, r + 1) for i in teams, r in 1..n - 2 cost 1
"""


def alike(rng: random.Random) -> Problem:
    """A problem of up to eleven options, most of them in columns that are alike, held together by totals; beside them
    options that are not. One in three is disturbed, so that some columns are not alike after all."""
    columns, height = rng.choice(((2, 4), (3, 3), (4, 2), (3, 2), (5, 2), (9, 1)))
    more = rng.randint(0, 2 if columns * height < 10 else 1)
    options = columns * height + more
    across = [[c * height + r for c in range(columns)] for r in range(height)]
    items: list[tuple[int, int, list[int]]] = []  # the least and the most, and the options
    for _ in range(rng.randint(0, 2)):
        rows = rng.sample(range(height), rng.randint(1, height))
        low = rng.randint(0, 1)
        high = rng.randint(max(1, low), len(rows))
        items += [(low, high, [across[r][c] for r in rows]) for c in range(columns)]
    items.sort(key=lambda item: item[0] == 0)
    sides: list[Total] = []

    def total(terms: dict[int, int], low: int, high: int) -> None:
        sides.append(Total(tuple((o, k) for o, k in sorted(terms.items()) if k), ((low, high), (high + 3, 99))))

    for _ in range(rng.randint(1, 3)):
        own = {o: k for row in across for k in [rng.randint(-2, 3)] for o in row}
        low = rng.randint(-3, 6)
        total(own | {options - 1 - k: rng.randint(-3, 3) for k in range(more)}, low, low + rng.randint(0, 2))
    if rng.random() < 0.6:
        weights, low = [rng.randint(-2, 3) for _ in range(height)], rng.randint(-1, 2)
        for c in range(columns):
            total({across[r][c]: weights[r] for r in range(height)}, low, low + 2)
    price = [rng.randint(-2, 4) for _ in range(height)]
    costs = [price[r] for _ in range(columns) for r in range(height)] + [rng.randint(-3, 3) for _ in range(more)]
    if rng.random() < 0.3:
        costs[rng.randrange(options)] += 1
    held = [[(i, 0) for i, (_, _, those) in enumerate(items) if o in those] for o in range(options)]
    taken = [rng.randrange(options)] if rng.random() < 0.2 else []
    return build([item[:2] for item in items], held, costs=costs, given=taken, sides=sides)


def least(problem: Problem) -> int | None:
    """What the cheapest answer costs, by trying every set of options."""
    every = (some for k in range(problem.options + 1) for some in combinations(range(problem.options), k))
    return min((cost(problem, some) for some in every if check(problem, some) is None), default=None)


def found(problem: Problem) -> list[Columns]:
    moves, _, _ = moves_of(graph_of(problem), problem.options)
    return families(exchanges_of(moves))


@given(st.integers(0, 10**9))
def test_the_minimum_stays_what_it_is(seed: int) -> None:
    rng = random.Random(seed)
    problem = alike(rng) if rng.random() < 0.8 else sided(rng)
    true = least(problem)
    assert least(ordered(problem)) == true
    for engine in ("auto", "mixed"):
        run = search(problem, goal="minimum", settings=Settings(engine=engine))
        answers = list(run)
        assert run.best == true
        assert all(check(problem, answer) is None for answer in answers)


def test_most_problems_that_are_drawn_have_columns() -> None:
    drawn = [alike(random.Random(seed)) for seed in range(60)]
    assert sum(ordered(problem) is not problem for problem in drawn) > 40


@given(st.integers(0, 10**9))
def test_columns_change_places_and_nothing_else_changes(seed: int) -> None:
    """Each exchange carries the problem to itself, and what is read off a column is told apart by its digits."""
    problem = alike(random.Random(seed))
    moves, _, _ = moves_of(graph_of(problem), problem.options)
    for exchange in exchanges_of(moves):
        for some in random.Random(seed).choices(list(combinations(range(problem.options), 4)), k=5):
            image = tuple(sorted(exchange.get(o, o) for o in some))
            assert (check(problem, some) is None) == (check(problem, image) is None)
            assert cost(problem, some) == cost(problem, image)


def test_rolls_and_teams_are_found() -> None:
    problem = loads(ROLLS).compiled.problem
    assert [(len(f.rows), len(f.rows[0])) for f in found(problem)] == [(23, 7)]
    problem = loads(TOURNAMENT).compiled.problem
    teams, *others = found(problem)
    assert (len(teams.rows[0]), others) == (8, [])
    assert {problem.option_names[row[0]] for row in teams.rows} >= {f"home(1, {r})" for r in range(1, 8)}
    for total in falling(problem, teams):
        assert sum(abs(weight) for _, weight in total.terms) < 2 * LARGEST


def test_rolls_are_proved_before_their_orders_are_tried() -> None:
    """Six rolls hold the pieces by weight, but not by shape. Without the totals: 294 088 nodes."""
    run = search(loads(ROLLS).compiled.problem, goal="minimum", settings=Settings(jobs=1))
    assert [cost(run.problem, answer) for answer in run][-1] == 7
    assert run.status is Status.EXHAUSTED
    assert run.counters.nodes < 7000
