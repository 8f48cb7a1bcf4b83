"""Costs up to the limit: every bound is right to the last digit, and no sum overflows. See large_costs.py."""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.engine import MAX_COST, Bound, Problem, Settings, Status, View, build, check, cost, search
from covr.engine.check_estimate import check_estimate
from covr.engine.minimum.estimates import EstimateFunction, classic, price
from covr.engine.prepare.ceiling import shift
from tests.engine import large_costs
from tests.engine.engines import by
from tests.engine.problems import brute, domination, least
from tests.engine.strategies import problems
from tests.shared import examples

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
NEAR = [2**60 - 1, 2**60 + 1]
ESTIMATES = ["auto", "none", "classic", "price", "dual", "lagrange"]
seeds = st.integers(0, 2**32)


def minimum(problem: Problem, **words: object) -> int | None:
    run = search(problem, goal="minimum", settings=by(**words))  # type: ignore[arg-type]
    for answer in run:
        assert check(problem, answer) is None
    assert run.status is Status.EXHAUSTED and run.bound == run.best
    return run.best


@settings(max_examples=examples(150))
@given(seeds)
def test_every_engine_estimate_and_ceiling_counts_in_whole_numbers(seed: int) -> None:
    draw = random.Random(seed)
    assert not list(large_costs.wrong(large_costs.large(draw), draw, every=True))


@settings(max_examples=examples(20))
@given(seeds)
def test_covering_problems_as_dear_as_their_engine_takes_them(seed: int) -> None:
    assert not list(large_costs.wider(random.Random(seed)))


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_the_least_difference_between_the_largest_costs(estimate: str) -> None:
    problem = build([(1, 1)], [[0], [0]], costs=NEAR)
    assert minimum(problem, estimate=estimate) == NEAR[0]
    best = search(problem, settings=Settings(estimate=estimate, ceiling=NEAR[0]))
    assert list(best) == [(0,)]


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("engine", ["auto", "links", "interpreted", "reference"])
def test_costs_that_shifting_would_make_too_large(engine: str, estimate: str) -> None:
    """Ten of twelve, of which one brings 2^60 in: lifted by that, the others would cost 11 times as much."""
    problem = build([(10, 10)], [[0]] * 12, costs=[-(2**60), *range(2, 13)])
    assert minimum(problem, engine=engine, estimate=estimate) == -(2**60) + sum(range(2, 11))
    best = search(problem, settings=by(engine, estimate=estimate, ceiling=-(2**60) + sum(range(2, 11))))
    assert list(best) == [tuple(range(10))]


@given(seeds)
def test_shifted_costs_keep_to_the_limit(seed: int) -> None:
    """Every answer still costs what it did before."""
    problem = large_costs.large(random.Random(seed))
    shifted, base = shift(problem)
    assert sum(map(abs, shifted.costs)) < MAX_COST
    assert all(cost(shifted, a) + base == cost(problem, a) for a in brute(problem))


@pytest.mark.parametrize("twin", [classic, price])
def test_an_estimate_of_python_speaks_of_the_problems_own_costs(twin: EstimateFunction) -> None:
    """The covering engine divides costs by their common divisor; what an estimate says may be far larger than that. In
    other units the tree is the same."""
    queens = domination(6)
    nodes = set()
    for unit in (1, 2**30, 2**45, 2**54):
        problem = evolve(queens, costs=tuple(unit * (2 + o * 7 % 5) for o in range(queens.options)))
        estimate: EstimateFunction = lambda view, cutoff: twin(view, cutoff)  # noqa: E731
        run = search(problem, goal="minimum", settings=Settings(estimate=estimate))
        while run.step(1):
            assert run.bound is None or run.bound <= 8 * unit
        assert run.best == run.bound == 8 * unit
        nodes.add(run.counters.nodes)
    assert len(nodes) == 1


@given(
    problems(costs=("zero", "one", "negative")),
    st.lists(st.sampled_from([0, -1.0, 1e-300, 0.1, 1 / 3, 2.5, 7, 1e30, 1e308, float("inf"), 10**400]), min_size=6),
    st.sampled_from(["auto", "links"]),
)
def test_wild_prices_are_weak_at_worst(problem: Problem, wild: list[float], engine: str) -> None:
    def wildly(view: View, cutoff: int | None) -> Bound:
        return Bound(view.credit, prices=dict(enumerate(wild)))

    assert minimum(problem, engine=engine, estimate=wildly) == least(problem)


def test_the_check_of_estimates_tries_large_costs() -> None:
    """An estimate that counts in floats gets large costs wrong, and the check finds it out."""

    def careless(view: View, cutoff: int | None) -> float:
        return price(view, cutoff) * 1.0000000000001

    assert check_estimate(careless) is not None


def test_there_is_no_bound_where_there_is_no_answer() -> None:
    """No number such as 2^62, which an estimate may return for "there is none", is ever reported as a bound."""
    problem = build([(1, 1), (1, 1), (1, 1)], [[0, 1], [1, 2], [0, 2]], costs=[1, 1, 1])
    for estimate in (*ESTIMATES, lambda view, cutoff: float("inf")):
        run = search(problem, goal="minimum", settings=Settings(engine="links", estimate=estimate))
        while run.step(1):
            assert run.bound is None or run.bound < 4
        assert run.status is Status.EXHAUSTED and run.best is None


def test_an_open_bound_is_told_as_one() -> None:
    problem = build([(2, MAX_COST)], [[0], [0]])
    assert check(problem, (0,)) == "item 0 is met 1 times, not at least 2"


@pytest.mark.parametrize(("engine", "package"), [("highs", "highspy"), ("cpsat", "ortools")])
def test_outside_engines_are_right_or_refuse(engine: str, package: str) -> None:
    if not importlib.util.find_spec(package):
        pytest.skip(f"{package} is not installed")
    program = [sys.executable, "-m", "tests.engine.large_costs", "200", "1", engine]
    done = subprocess.run(program, capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "tried 200, wrong 0\n", done.stdout + done.stderr


@pytest.mark.skipif(not importlib.util.find_spec("highspy"), reason="highspy is not installed")
def test_what_highs_can_not_count_is_refused_with_its_number() -> None:
    far = build([(1, 1)], [[0], [0]], costs=[15 * 10**17, 15 * 10**17 + 1])
    with pytest.raises(ValueError, match="the costs add up to 3000000000000000001"):
        search(far, goal="minimum", settings=Settings(engine="highs"))
    even = build([(1, 1)], [[0], [0]], costs=[15 * 10**17, 17 * 10**17])
    assert minimum(even, engine="highs") == 15 * 10**17
