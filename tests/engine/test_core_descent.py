"""Local search on cores of wide covering problems: its covers, its prices, and the search that goes through it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Problem, Settings, Status, build, check, cost, search
from covr.engine.base.limits import LimitReached, check_limits, limits_checked_by
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.kernels.loading import is_compiled, load
from covr.engine.minimum import core_descent, cover
from covr.engine.minimum.core import core
from covr.engine.minimum.core_descent import CoreDescent
from covr.engine.minimum.cover import CORES, Covering, DescentKernel
from covr.engine.minimum.estimates import ESTIMATES
from covr.engine.settings import Pace
from tests.constants import constants_of
from tests.engine.problems import least
from tests.engine.strategies import covers

QUICK = Pace(least=1)  # turns take no longer than they must
Wide = tuple[list[int], list[tuple[int, ...]], list[int]]  # needs, options, costs


@contextmanager
def forced() -> Iterator[None]:
    """Every covering problem counts as wide at once, and spells are short."""
    with (
        constants_of(core_descent, FIRST_SPELL=300, SPELL=100, TRIES=3, STEPS=100),
        constants_of(cover, WIDE=0, CORES_AFTER=0, SPELL=100, OFTEN=1),
    ):
        yield


def in_cores(kernel: Covering) -> list[CoreDescent]:
    """The local search in cores, once it has begun."""
    kernels = [method.kernel for method in kernel.methods]
    return [k.descent for k in kernels if isinstance(k, DescentKernel) and isinstance(k.descent, CoreDescent)]


def wide(items: int, options: int, seed: int, dearest: int = 9, most: int = 1, longest: int = 6) -> Wide:
    """A random problem in which every item has enough options."""
    draw = Random(seed)
    needs = [draw.randint(1, most) for _ in range(items)]
    held = [tuple(sorted(draw.sample(range(items), draw.randint(1, min(longest, items))))) for _ in range(options)]
    held += [(i,) for i in range(items) for _ in range(needs[i])]
    return needs, held, [draw.randint(1, dearest) for _ in held]


def meets(needs: list[int], options: list[tuple[int, ...]], taken: list[int]) -> bool:
    assert len(set(taken)) == len(taken)
    counts = [0] * len(needs)
    for o in taken:
        for i in options[o]:
            counts[i] += 1
    return all(k >= need for k, need in zip(counts, needs, strict=True))


@pytest.mark.parametrize("interpreted", [True, False])
@given(problem=covers())
def test_every_minimum_is_found(interpreted: bool, problem: Problem) -> None:
    with forced():
        true = least(problem)
        run = search(problem, goal="minimum", settings=Settings(engine="cover", interpreted=interpreted, pace=QUICK))
        answers = list(run)
    assert all(check(problem, a) is None for a in answers)
    paid = [cost(problem, a) for a in answers]
    assert all(b < a for a, b in pairwise(paid))
    assert run.best == run.bound == true == (paid[-1] if paid else None)
    assert run.status is Status.EXHAUSTED


@pytest.mark.parametrize("interpreted", [True, False])
@given(seed=st.integers(0, 10**6), shape=st.sampled_from([(5, 63), (8, 64), (9, 65), (12, 130), (3, 7)]))
def test_minima_of_wide_problems_are_those_of_the_mixed_engine(
    interpreted: bool, seed: int, shape: tuple[int, int]
) -> None:
    """Beside the mixed engine, which shares nothing with the search for covers."""
    needs, options, costs = wide(*shape, seed, dearest=1 + seed % 9, most=1 + seed % 2)
    problem = build([(need, len(options)) for need in needs], options, costs=costs)
    with forced():
        kernel = Covering(problem, None, [ESTIMATES["auto"]], interpreted, pace=QUICK)
        found = []
        while kernel.run(7, 1) != DONE:
            if kernel.code == FOUND:
                found.append(tuple(sorted(kernel.answer())))
    other = search(problem, goal="minimum", settings=Settings(engine="mixed"))
    assert list(other)
    assert all(check(problem, answer) is None for answer in found)
    assert cost(problem, found[-1]) == other.best >= (kernel.bound() or 0)


def test_the_search_goes_through_rounds() -> None:
    needs, options, costs = wide(40, 600, 1)
    problem = build([(need, len(options)) for need in needs], options, costs=costs)
    with forced():
        kernel = Covering(problem, None, [ESTIMATES["none"]], pace=QUICK)
        while kernel.nodes < 3000 and not any(descent.spells > 5 for descent in in_cores(kernel)):
            kernel.run(1, 1)
    assert any(descent.spells > 5 for descent in in_cores(kernel))
    assert {name: work for name, work, _ in kernel.account()}[CORES] > 0


@pytest.mark.parametrize("interpreted", [True, False])
@given(seed=st.integers(0, 10**6))
def test_what_it_finds_are_covers(interpreted: bool, seed: int) -> None:
    draw = Random(seed)
    size = draw.choice([(1, 9), (4, 31), (10, 64), (25, 200)])
    needs, options, costs = wide(*size, seed, dearest=draw.choice([1, 2, 50]), most=draw.choice([1, 3]))
    with forced():
        rounds = CoreDescent(needs, options, costs, range(len(options)), interpreted, seed=seed)
        assert rounds.value() == sum(costs)
        for _ in range(6):
            before, spent = rounds.value(), rounds.spent()
            better = rounds.run(draw.choice([1, 100, 3000]), 0)
            assert (rounds.value() < before) == better
            assert rounds.spent() > spent
            assert meets(needs, options, rounds.answer())
            assert rounds.value() == sum(costs[o] for o in rounds.answer())


def test_it_is_the_same_interpreted() -> None:
    needs, options, costs = wide(20, 300, 3, most=2)
    with forced():
        ran = []
        for interpreted in (True, False):
            rounds = CoreDescent(needs, options, costs, range(len(options)), interpreted)
            while rounds.spells < 12:
                rounds.run(500, 0)
            ran.append((rounds.answer(), rounds.spent(), rounds.spells))
    assert ran[0] == ran[1]


def test_a_goal_ends_it() -> None:
    rounds = CoreDescent([1, 1], [(0, 1), (0,), (1,)], [1, 1, 1], [1, 2])
    assert rounds.run(10_000, 1)
    assert (rounds.value(), rounds.answer()) == (1, [0])
    spent = rounds.spent()
    assert not rounds.run(10_000, 1)
    assert rounds.spent() == spent


@pytest.mark.parametrize("interpreted", [True, False])
@given(seed=st.integers(0, 10**6))
def test_what_is_stopped_goes_on(interpreted: bool, seed: int) -> None:
    draw = Random(seed)
    needs, options, costs = wide(12, 90, seed)
    looks = load("_looks", interpreted).Looks(check_limits)
    stops = 0

    def stop() -> Status | None:
        nonlocal stops
        stops += 1
        return Status.LIMIT if draw.random() < 0.1 else None

    with forced():
        rounds = CoreDescent(needs, options, costs, range(len(options)), interpreted, looks)
    looks.set_pulse(draw.choice([1, 50, 700]))
    with forced(), limits_checked_by(stop):
        for _ in range(12):
            before = rounds.value()
            with suppress(LimitReached):
                rounds.run(1000, 0)
            assert rounds.value() <= before
            assert meets(needs, options, rounds.answer())
    assert stops


@given(problem=covers())
def test_prices_are_bounds(problem: Problem) -> None:
    """At these sizes sums of doubles are exact to far more than a millionth."""
    rest, true = core(problem), least(problem)
    if true is None or not rest.feasible or not rest.options:
        return
    prices = load("_core_prices").CorePrices(rest.needs, rest.options, rest.costs)
    for goal in (1.0, 100.0):
        bound = prices.climb(goal, 400, 4)
        assert rest.base + rest.unit * (bound - 1e-6) <= true
        assert bound == prices.value() and min(prices.prices()) >= 0


@given(seed=st.integers(0, 10**6), size=st.integers(0, 80), per=st.integers(1, 5))
def test_a_core_holds_the_best_of_each_item(seed: int, size: int, per: int) -> None:
    needs, options, costs = wide(7, 60, seed, most=2)
    prices = load("_core_prices").CorePrices(needs, options, costs, 5, seed)
    prices.climb(40.0, 50, 20)
    prices.stir(40.0, 0.2, 0, 20)
    picked = prices.pick(size, per)
    assert picked == sorted(set(picked))
    assert len(picked) >= min(size, len(options)) - 1 or size < len(options)
    for i, need in enumerate(needs):
        holders = [o for o, held in enumerate(options) if i in held]
        assert len({*picked} & {*holders}) >= min(per + need - 1, len(holders))


def test_it_is_better_than_local_search_on_all_options() -> None:
    """It is better for the same work, on problems with 30 options per item."""
    if not is_compiled("_descent") or not is_compiled("_core_prices"):
        pytest.skip("too slow without the compiled kernels")
    for seed in (2, 3):
        needs, options, costs = wide(300, 9000, seed, dearest=2, longest=7)
        whole = load("_descent").Descent(needs, options, costs)
        whole.greedy()
        rounds = CoreDescent(needs, options, costs, whole.answer())
        rounds.run(60_000_000, 0)
        whole.run(rounds.spent(), 0)
        assert rounds.value() < whole.value()


@given(seed=st.integers(0, 10**6))
def test_it_goes_on_from_the_best_cover(seed: int) -> None:
    """What local search in cores begins with is a cover of what is left at the root, and no dearer than its own."""
    needs, options, costs = wide(30, 400, seed, most=1 + seed % 2)
    problem = build([(need, len(options)) for need in needs], options, costs=costs)
    with forced():
        kernel = Covering(problem, None, [ESTIMATES["auto"]], pace=QUICK)
        while kernel.run(1, 1) != DONE and not in_cores(kernel):
            pass
        first = kernel._descent
        if first is not None:
            needs, options, costs = first.ground
            begun = first.near(kernel.whole())
            assert meets(needs, options, begun)
            assert sum(costs[o] for o in begun) <= first.descent.value()
            assert all(meets(needs, options, descent.answer()) for descent in in_cores(kernel))


def test_large_problems_go_on_from_the_best_cover() -> None:
    """A round in a problem of many items never begins with a dearer cover, and its parts leave few items open."""
    needs, options, costs = wide(400, 4000, 5)
    whole = load("_descent").Descent(needs, options, costs)
    whole.greedy()
    with constants_of(core_descent, BROAD=400, OPEN=(60, 20)):
        rounds = CoreDescent(needs, options, costs, whole.answer())
        seen = []
        for _ in range(40):
            rounds.run(1, 0)
            seen.append(rounds._now)
            assert meets(needs, options, rounds._cover)
            kept = {i for o in rounds._kept for i in options[o]}
            assert not rounds._kept or len(needs) - len(kept) <= 60
    assert whole.value() >= seen[0] and seen == sorted(seen, reverse=True)
    assert rounds.value() == min(seen) < whole.value()
