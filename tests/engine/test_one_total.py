"""The cheapest answer under one total: that of brute force, by every way of asking, and never a bound above it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks._side_instances import knapsack
from covr.engine import Connection, Limits, Problem, Settings, Status, Total, build, check, cost, search
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.minimum import one_total
from covr.engine.minimum.one_total import SumKernel, staged
from tests.constants import Constants
from tests.each import each
from tests.engine.problems import brute
from tests.shared import seeds


def drawn(rng: random.Random, most: int = 9) -> Problem:
    """Sets of options of which one or at most one is taken, and options in no set, under one total of any range."""
    options = rng.randint(1, most)
    sets: list[list[int]] = [[] for _ in range(options)]
    bounds = []
    free = rng.sample(range(options), options)
    for exact in sorted([rng.random() < 0.5 for _ in range(rng.randint(0, 3))], reverse=True):
        members, free = free[: (size := rng.randint(0 if exact else 1, 4))], free[size:]
        for o in members:
            sets[o].append(len(bounds))
        bounds.append(rng.choice(((1, 1),) * 20 + ((3, 1),)) if exact else (0, 1))  # now and then none can be right
    heaviest = rng.choice((1, 3, 20, 10**6))
    weights = [(o, w) for o in range(options) if (w := rng.randint(rng.choice((0, -heaviest)), heaviest))]
    ends = sorted([rng.randint(-heaviest, 2 * heaviest) for _ in range(2)])
    least, largest = (sum(end(w, 0) for _, w in weights) for end in (min, max))
    low, high = rng.choice([(ends[0], ends[1]), (least, ends[1]), (ends[0], largest), (ends[0], ends[0])])
    dearest = rng.choice((1, 5, 10**4))
    times = rng.choice((1, 1, 6))
    costs = [times * rng.randint(rng.choice((0, -dearest)), dearest) for _ in sets]
    kept = rng.sample(range(options), rng.choice((0, 0, 0, 1)))
    return build(bounds, sets, costs=costs, given=kept, sides=[Total(tuple(weights), ((min(low, high), high),))])


def least_of(problem: Problem) -> int | None:
    return min((cost(problem, answer) for answer in brute(problem)), default=None)


@given(st.integers(0, 2**40), st.sampled_from([1, 3, 10**9]), st.none() | st.integers(-3, 3))
def test_the_kernel_finds_the_minimum(seed: int, step: int, above: int | None) -> None:
    problem = drawn(random.Random(seed))
    least = least_of(problem)
    total = staged(problem)
    if total is None:  # all costs are 0, two given options exclude each other, or an item can't be met
        assert not any(problem.costs) or least is None
        return
    ceiling = None if above is None else (least or 0) + above
    kernel, found = SumKernel(total, ceiling), []
    while (code := kernel.run(step, 1)) != DONE:
        assert least is None or kernel.bound is None or kernel.bound <= least
        assert not kernel.over
        if code == FOUND:
            found.append(tuple(sorted({*kernel.answer(), *problem.given})))
            assert check(problem, found[-1]) is None
    wanted = [] if least is None or (ceiling is not None and least > ceiling) else [least]
    assert [cost(problem, answer) for answer in found] == wanted
    assert not found or kernel.bound == wanted[0]


@given(st.integers(0, 2**40), st.booleans())
def test_the_search_finds_the_minimum(seed: int, interpreted: bool) -> None:
    problem = drawn(random.Random(seed), 8)
    least = least_of(problem)
    run = search(problem, goal="minimum", settings=Settings(jobs=1, interpreted=interpreted))
    paid = [cost(problem, answer) for answer in run]
    assert paid[-1:] == ([] if least is None else [least])
    assert run.status is Status.EXHAUSTED


def by_sums(weights: list[int], costs: list[int], low: int, high: int) -> int | None:
    """The minimum, by a table of all sums."""
    best = {0: 0}
    for weight, paid in zip(weights, costs, strict=True):
        for s, before in list(best.items()):
            best[s + weight] = min(best.get(s + weight, before + paid), before + paid)
    return min((paid for s, paid in best.items() if low <= s <= high), default=None)


@each("seed", seeds(60))
def test_larger_ones_have_the_minimum_of_a_table_of_sums(seed: int) -> None:
    rng = random.Random(seed)
    weights = [rng.randint(1, 60) for _ in range(rng.randint(10, 60))]
    kind = rng.choice(("any", "near", "same", "more"))
    costs = [
        -{"any": rng.randint(1, 60), "near": w + rng.randint(-4, 4), "same": w, "more": w + 6}[kind] for w in weights
    ]
    if rng.random() < 0.5:
        costs = [-c for c in costs]
    high = rng.randint(0, sum(weights))
    low = rng.choice((0, high, max(high - 9, 0), min(high, sum(weights) // 2)))
    total = Total(tuple(enumerate(weights)), ((low, high),))
    problem = build([], [[] for _ in weights], costs=costs, sides=[total])
    kernel = SumKernel(staged(problem) or pytest.fail("it is of this kind"), None)
    code = kernel.run(10**9, 1)
    least = by_sums(weights, costs, low, high)
    if least is None:
        assert code == DONE and kernel.answers == 0
    else:
        assert code == FOUND and check(problem, tuple(kernel.answer())) is None
        assert cost(problem, kernel.answer()) == least == kernel.bound


def test_knapsacks_take_pinned_work() -> None:
    """Stages, of all passes; the linear programs beside need 900 nodes for a hundred things."""
    for things, least, stages in ((40, -1145, 22), (100, -3084, 9)):
        run = search(knapsack(things, 1), goal="minimum", settings=Settings(jobs=1))
        assert [cost(run.problem, answer) for answer in run] == [least]
        assert (run.bound, run.counters.nodes, run.status) == (least, stages, Status.EXHAUSTED)
        assert one_total.NAME in run.engine


def test_what_joins_options_otherwise_is_left_to_others() -> None:
    total = Total(((0, 2), (1, 3)), ((0, 4),))
    costs = [-1, -2]
    assert staged(build([], [[], []], costs=costs, sides=[total])) is not None
    assert staged(build([(0, 1)], [[0], [0]], costs=costs, sides=[total])) is not None
    for other in (
        build([], [[], []], costs=costs, sides=[total, Total(((0, 1),), ((0, 0),))]),
        build([], [[], []], costs=costs, sides=[Connection(((0, 0), (1, 1)), ((0, 1),))]),
        build([], [[], []], costs=costs, sides=[Total(((0, 2), (1, 3)), ((0, 1), (3, 4)))]),
        build([(1, 2)], [[0], [0]], costs=costs, sides=[total]),
        build([(3, 1)], [[], []], costs=costs, sides=[total]),
        build([(1, 1), (0, 1)], [[0, 1], [1]], costs=costs, sides=[total]),
        build([(0, 1)], [[(0, 1)], [(0, 1)]], costs=costs, sides=[total]),
        build([], [[], []], costs=[0, 0], sides=[total]),
    ):
        assert staged(other) is None


def test_what_keeps_too_many_ways_is_left_to_others(constants: Constants) -> None:
    """It gives up, with the bound that it has proved, and the answer is found all the same."""
    constants(one_total, MOST=3)
    problem = knapsack(40, 1)
    kernel = SumKernel(staged(problem) or pytest.fail("it is of this kind"), None)
    while not kernel.over:
        assert kernel.run(1, 1) != DONE
    assert kernel.bound is not None and kernel.bound <= -1145
    run = search(problem, goal="minimum", settings=Settings(jobs=1), limits=Limits(nodes=100_000))
    assert [cost(problem, answer) for answer in run][-1] == -1145 and run.status is Status.EXHAUSTED
