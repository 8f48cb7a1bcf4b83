"""Totals, connections and loops as clauses: against every set of options, by laws of the cuts, and in the portfolio."""

from __future__ import annotations

import random

import pytest
from attrs import evolve

from covr.engine import (
    Circuit,
    Connection,
    Limits,
    Problem,
    Settings,
    Status,
    Total,
    check,
    cost,
    portfolio,
    search,
)
from covr.engine.base.alone import Unsuited
from covr.engine.outside import sat
from covr.engine.outside import sat as sat_sides
from covr.engine.outside.sat import Clauses
from covr.engine.portfolio import FirstAnswerPortfolio
from tests.each import each
from tests.engine.problems import brute, only_sides
from tests.engine.schedules import first_pace
from tests.engine.side_puzzles import grid_edges, killer, knight, magic, nurikabe, slitherlink, tours
from tests.engine.sided import sided
from tests.shared import seeds

solver = pytest.mark.skipif(not sat.INSTALLED, reason="python-sat is not installed")
SAT = Settings(engine="sat")


@solver
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_random_problems_have_the_answers_of_brute_force(first: int) -> None:
    for k in range(first, first + 20):
        problem = sided(random.Random(f"sat/{k}"))
        for seed in (None, k):
            run = search(problem, settings=evolve(SAT, seed=seed))
            found = list(run)
            assert len(found) == len(set(found))
            assert sorted(found) == sorted(brute(problem)), (k, seed)
            assert run.status is Status.EXHAUSTED


@solver
@pytest.mark.parametrize(
    "problem",
    [magic(3), killer(6, 2, 3, 1), slitherlink(5, 1, 0.4), nurikabe(5, 2, 3), tours(grid_edges(4), 16),
     only_sides(9, Connection(tuple((k, k) for k in range(9)), grid_edges(3))),
     only_sides(24, Circuit(tuple((k, u, v) for k, (u, v) in enumerate(grid_edges(4)))))],
    ids=["magic", "killer", "slitherlink", "nurikabe", "tours", "connected", "loops"],
)  # fmt: skip
def test_puzzles_have_the_answers_of_the_kernel(problem: Problem) -> None:
    assert sorted(search(problem, settings=SAT)) == sorted(search(problem))


@solver
def test_two_tours_of_a_knight_are_found() -> None:
    run = search(knight(8), limits=Limits(answers=2), settings=SAT)
    found = list(run)
    assert len(set(found)) == 2 and run.status is Status.SOLVED
    assert all(check(knight(8), answer) is None for answer in found)


@each("seed", seeds(40))
def test_every_answer_keeps_every_cut(seed: int) -> None:
    """Whatever set of options is told to be in pieces, no answer is cut off, and the set itself is."""
    problem = sided(random.Random(f"cut/{seed}"))
    clauses = Clauses(problem)
    variables = {o: v for v, o in enumerate(clauses.numbers, 1)}
    answers = [{variables[o] for o in a if o in variables} for a in brute(problem)]
    rng = random.Random(seed)
    named = set(range(1, len(variables) + 1))
    for _ in range(10):
        taken = {v for v in named if rng.random() < 0.5}
        for cut in clauses.cuts(taken):
            own = [literal for literal in cut if abs(literal) in named]
            if len(own) < len(cut):
                continue  # it speaks of vertices at which several options meet
            assert not any(v in taken if v > 0 else -v not in taken for v in own)
            assert all(any(v in a if v > 0 else -v not in a for v in own) for a in answers)


@solver
def test_sums_at_the_ends_of_words_and_far_apart() -> None:
    rng = random.Random(5)
    weights = [rng.randint(1, 30) for _ in range(9)]
    for sums in (((0, 0), (40, 41), (63, 64)), ((-5, 20),), ((1000, 2000),), ()):
        problem = only_sides(9, Total(tuple(enumerate(weights)), sums))
        assert sorted(search(problem, settings=SAT)) == sorted(brute(problem))


@solver
def test_totals_with_too_many_partial_sums_are_refused() -> None:
    rng = random.Random(1)
    weights = [rng.randrange(1, 2**40) for _ in range(40)]
    problem = only_sides(40, Total(tuple(enumerate(weights)), ((sum(weights) // 2, sum(weights)),)))
    with pytest.raises(Unsuited, match="partial sums of a total"):
        search(problem, settings=SAT)
    assert len(list(search(problem, limits=Limits(answers=2)))) == 2  # the others answer


@solver
@each("seed", seeds(30))
def test_the_ways_together_find_what_there_is(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = Settings(pace=first_pace(patience=10, restart=1, restarts=1, turn=10))
    monkeypatch.setattr(portfolio, "_depth", lambda problem: 1)
    problem = sided(random.Random(f"turns/{seed}"))
    answers = set(brute(problem))
    for limit in (1, 2):
        run = search(problem, limits=Limits(answers=limit), settings=quick)
        assert isinstance(run._kernel, FirstAnswerPortfolio)
        found = list(run)
        assert len(found) == len(set(found)) == min(limit, len(answers))
        assert set(found) <= answers
        assert run.status is (Status.SOLVED if len(found) == limit else Status.EXHAUSTED)


@each("seed", seeds(60))
def test_under_a_ceiling_they_find_none_that_costs_more(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(f"ceiling/{seed}")
    monkeypatch.setattr(portfolio, "_depth", lambda problem: 1)
    problem = sided(rng, costs=True)
    paid = sorted(cost(problem, answer) for answer in brute(problem))
    ceiling = (paid[0] if paid else 0) + rng.choice((-1, 0, 0, 1, 3))
    right = sum(one <= ceiling for one in paid)
    pace = first_pace(patience=rng.choice((1, 10)), restart=1, restarts=1, turn=10, before=0, fewest=1)
    for limit in (1, 2):
        run = search(problem, limits=Limits(answers=limit), settings=Settings(pace=pace, ceiling=ceiling))
        assert isinstance(run._kernel, FirstAnswerPortfolio)
        found = list(run)
        assert len(found) == len(set(found)) == min(limit, right)
        assert all(check(problem, answer) is None and cost(problem, answer) <= ceiling for answer in found)
        assert run.status is (Status.SOLVED if right >= limit else Status.EXHAUSTED)


@solver
def test_a_hard_board_is_given_to_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "_depth", lambda problem: 1)
    problem = killer(9, 3, 3, 2, (3, 4, 5))
    run = search(problem, limits=Limits(answers=1), settings=Settings(pace=first_pace(10**6, patience=10, restarts=0)))
    (answer,) = run
    assert check(problem, answer) is None
    assert "SAT" in run.engine


@solver
def test_diagrams_are_small_where_little_matters() -> None:
    """For "at most 3 of 12" there is a node for each number of options so far, and none where the rest can't break
    the bound."""
    clauses = Clauses(only_sides(12, Total(tuple((k, 1) for k in range(12)), ((0, 3),))))
    assert clauses.top - 12 <= 4 * 9
    assert sat_sides.MOST_SUMS > 10_000
