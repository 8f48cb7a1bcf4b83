"""Ceilings: lowered while a search runs, as parallel searches tell each other, and those that all answers keep."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.engine import Problem, Settings, Status, build, check, cost, count, search
from covr.engine.settings import Pace
from covr.frozen import evolve
from tests.engine.problems import domination, dominoes, least
from tests.engine.sided import sided
from tests.engine.strategies import problems
from tests.shared import examples


@pytest.mark.parametrize("engine", ["reference", "links", "auto"])
@settings(max_examples=examples(50))
@given(problems(costs=("zero", "one", "negative", "profit")), st.integers(0, 12), st.integers(-8, 9), st.booleans())
def test_no_answer_above_it_is_found_from_now_on(
    engine: str, problem: Problem, nodes: int, ceiling: int, seeded: bool
) -> None:
    true = least(problem)
    run = search(problem, goal="minimum", settings=Settings(engine=engine, seed=1 if seeded else None))
    run.step(nodes)
    early = run.waiting()
    run.lower_ceiling(ceiling + 3)
    run.lower_ceiling(ceiling)
    late = list(run)
    assert run.status is Status.EXHAUSTED
    assert all(check(problem, a) is None for a in [*early, *late])
    assert all(cost(problem, a) <= ceiling for a in late)
    if true is not None and true <= ceiling:
        assert run.best == run.bound == true == cost(problem, [*early, *late][-1])
    else:
        assert not late and run.bound == ceiling + 1


def test_a_lowered_ceiling_prunes() -> None:
    """Somebody who knows the optimum spares the other the search for it; absurd ceilings do no harm."""
    alone = search(domination(7), goal="minimum", settings=Settings(engine="links"))
    told = search(domination(7), goal="minimum", settings=Settings(engine="links"))
    told.step(1)
    told.lower_ceiling(10**30)
    told.lower_ceiling(4)
    assert list(alone) and list(told) and alone.best == told.best == 4
    assert told.counters.nodes < alone.counters.nodes
    for engine in ("auto", "links"):
        none = search(domination(4), goal="minimum", settings=Settings(engine=engine))
        none.step(3)
        none.waiting()
        none.lower_ceiling(-(10**30))
        assert not list(none) and none.bound == 1 - 10**30


def test_only_a_minimum_has_one() -> None:
    with pytest.raises(ValueError, match="minimum"):
        search(domination(3)).lower_ceiling(3)


def guests(number: int, tables: int) -> Problem:
    """Guests in a row at tables of at most four; a table costs as much as its outermost guests are apart."""
    sets = [s for k in range(1, 5) for s in combinations(range(number), k)]
    bounds = [(1, 1)] * number + [(0, tables)]
    return build(bounds, [[*s, number] for s in sets], costs=[s[-1] - s[0] for s in sets])


def test_the_best_answers_are_found_by_a_search_with_a_bound() -> None:
    """Seventeen guests: it took 44 seconds to count what a few lines of Python count in a hundredth."""
    problem = guests(17, 5)
    assert problem.options == 3213
    listed = search(problem, settings=Settings(ceiling=12))
    answers = list(listed)
    assert len(set(answers)) == 35 and all(check(problem, a) is None and cost(problem, a) == 12 for a in answers)
    counted = search(problem, settings=Settings(ceiling=12))
    assert counted.count() == 35
    assert not list(search(problem, settings=Settings(ceiling=11)))
    assert counted.counters.nodes < 4000 and listed.counters.nodes < 6000


def test_best_answers_that_differ_in_what_costs_nothing_are_not_met_one_by_one() -> None:
    """Where whatever is left costs the same, best answers are counted with a memo: 12 988 816 tilings, each best."""
    board = dominoes(8, 8)
    problem = evolve(board, costs=[1] * board.options)
    found = search(problem, settings=Settings(ceiling=32))
    assert found.count() == 12_988_816 and found.counters.nodes < 20_000


@settings(max_examples=examples(300))
@given(st.integers(0, 10**9), st.sampled_from([0, 1, 3]), st.booleans())
def test_what_is_listed_and_counted_up_to_a_ceiling_is_what_brute_force_finds(
    seed: int, patience: int, projected: bool
) -> None:
    """Ties, costs of zero and below, free options, sides, and only some options telling answers apart; the search is
    exchanged for one that knows the linear program after a few nodes, or at once."""
    rng = random.Random(seed)
    problem = sided(rng, costs=True)
    if rng.random() < 0.5:
        problem = evolve(problem, sides=())
    if projected:
        problem = evolve(problem, projection=tuple(o for o in range(problem.options) if rng.random() < 0.6))
    whole = problem.by_all()
    every = [tuple(sorted(answer)) for answer in search(whole, settings=Settings(engine="reference"))]
    paid = [cost(problem, answer) for answer in every]
    for ceiling in {
        min(paid, default=0),
        rng.choice(paid or [0]),
        min(paid, default=0) - 1,
        max(paid, default=9),
        2**62,
    }:
        right = {problem.projected(a) for a, c in zip(every, paid, strict=True) if c <= ceiling}
        how = Settings(ceiling=ceiling, pace=Pace(ceiling=patience), seed=rng.choice((None, None, 7)))
        found = list(search(problem, settings=how))
        assert len(found) == len(right) and {problem.projected(a) for a in found} == right
        assert all(check(problem, a) is None and cost(problem, a) <= ceiling for a in found)
        assert count(problem, settings=how).value == len(right)
