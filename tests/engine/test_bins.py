"""Bins that are alike are seen whatever a model calls them, and filled as brute force fills them."""

from __future__ import annotations

import random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, Total, build, check, cost, search
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.minimum.bins import NAME, BinsKernel, like_bins
from tests.constants import Constants
from tests.engine.problems import least


def bins(sizes: list[int], room: int, count: int, most: int = 99, joined: bool = False, price: int = 2) -> Problem:
    """Things in bins, each a cell of its own, with at most so many in one. joined: whether a total alone says that a
    bin with something in it is used."""
    things = range(len(sizes))
    put = {(k, b): k * count + b for k in things for b in range(count)}
    used = {b: len(put) + b for b in range(count)}
    options = [[k, len(sizes) + b] for k, b in put] + [[] for _ in used]
    sides = [
        Total(tuple((put[k, b], sizes[k]) for k in things) + (((used[b], -room),) if joined else ()),
              ((-room, 0),) if joined else ((0, room),))
        for b in range(count)
    ]  # fmt: skip
    if not joined:
        sides += [Total(((put[k, b], 1), (used[b], -1)), ((-1, 0),)) for k, b in put]
    bounds = [(1, 1)] * len(sizes) + [(0, most)] * count
    costs = [k for k, _ in put] + [price] * count
    return build(bounds, options, costs=costs, sides=sides)


small = st.builds(
    bins,
    st.lists(st.integers(1, 6), min_size=1, max_size=4),
    st.integers(1, 9),
    st.integers(1, 3),
    st.integers(1, 3),
    st.booleans(),
)


@pytest.mark.parametrize("patterns", [0, 2000])
def test_the_kernel_finds_the_fewest(patterns: int, constants: Constants) -> None:
    """Beside brute force, with all ways to fill a bin known beforehand and without, up to each ceiling."""
    constants("covr.engine.minimum.bins", PATTERNS=patterns)
    rng = random.Random(patterns)
    for _ in range(40):
        sizes = [rng.randint(1, 6) for _ in range(rng.randint(1, 4))]
        problem = bins(sizes, rng.randint(1, 9), rng.randint(1, 2), rng.randint(1, 3), rng.random() < 0.5)
        found = like_bins(problem)
        true = least(problem)
        if found is None:  # everything fits in one bin
            continue
        for ceiling in (None, *(() if true is None else (true, true - 1))):
            kernel, best = BinsKernel(found, ceiling), None
            while kernel.run(1, 1) != DONE:
                if kernel.code == FOUND:
                    assert check(problem, kernel.answer()) is None
                    best = cost(problem, kernel.answer())
                    kernel.lower(best - 1)
                assert kernel.bound is None or true is None or kernel.bound <= true
            assert best == (None if true is None or (ceiling is not None and ceiling < true) else true)


@given(small)
def test_the_search_finds_the_fewest(problem: Problem) -> None:
    run = search(problem, goal="minimum", settings=Settings(jobs=1))
    answers = list(run)
    assert run.status is Status.EXHAUSTED
    assert (cost(problem, answers[-1]) if answers else None) == least(problem)


@pytest.mark.parametrize("patterns", [0, 20, 2000])
def test_larger_ones_have_as_few_as_a_table_of_subsets(patterns: int, constants: Constants) -> None:
    """Ten things at random, beside what every set of them takes."""
    constants("covr.engine.minimum.bins", PATTERNS=patterns)
    rng = random.Random(3)
    for _ in range(20):
        sizes, room = [rng.randint(2, 9) for _ in range(10)], rng.randint(10, 14)
        fewest = [0] + [99] * 1023
        fits = [sum(s for k, s in enumerate(sizes) if held >> k & 1) <= room for held in range(1024)]
        for held in range(1, 1024):
            part = held
            while part:
                if fits[part]:
                    fewest[held] = min(fewest[held], 1 + fewest[held ^ part])
                part = (part - 1) & held
        found = like_bins(bins(sizes, room, 10))
        assert found is not None
        kernel, best = BinsKernel(found, None), 0
        while kernel.run(100, 1) != DONE:
            best = sum(o in found.used for o in kernel.answer())
            kernel.lower(found.base + found.price * best - 1)
        assert best == fewest[-1]


def test_what_is_about_anything_else_is_left_to_others() -> None:
    plain = bins([3, 4, 5], 8, 3)
    assert like_bins(plain) is not None
    assert like_bins(evolve(plain, costs=(0,) * 9 + (2, 2, 3))) is None  # one bin is dearer
    assert like_bins(evolve(plain, low=(0, *plain.low[1:]))) is None  # a thing may be left out
    roomier = evolve(plain.sides[0], sums=((0, 9),))
    assert like_bins(evolve(plain, sides=(roomier, *plain.sides[1:]))) is None
    together = Total(((0, 1), (1, 1)), ((0, 0),))
    assert like_bins(evolve(plain, sides=(*plain.sides, together))) is None  # bins are joined
    for first, then in ((9, 10), (10, 9)):  # the second bin after the first one, or before
        order = Total(((9, 1 if first == 9 else -1), (10, 1 if first == 10 else -1)), ((0, 1),))
        found = like_bins(evolve(plain, sides=(*plain.sides, order)))
        assert found is not None and found.used.index(first) < found.used.index(then)
    odd = Total(((9, 1), (10, 1)), ((0, 0), (2, 2)))
    assert like_bins(evolve(plain, sides=(*plain.sides, odd))) is None
    alone = Total(((9, 1), (10, 1)), ((0, 1),))
    assert like_bins(evolve(plain, sides=(*plain.sides, alone))) is None
    forced = Total(((9, 1),), ((1, 1),))
    assert like_bins(evolve(plain, sides=(*plain.sides, forced))) is None  # one bin must be used
    assert like_bins(evolve(plain, sides=plain.sides[:3])) is None  # bins need not be used


def test_triplets_take_few_nodes() -> None:
    """Bins of three that are full to the brim, as Falkenauer drew them; first fit needs more."""
    rng = random.Random(1)
    sizes: list[int] = []
    for _ in range(10):
        large, small = rng.randint(380, 490), rng.randint(250, 255)
        sizes += [large, small, 1000 - large - small]
    run = search(
        bins(sizes, 1000, 12, price=1000), goal="minimum", settings=Settings(jobs=1), limits=Limits(nodes=5000)
    )
    answers = list(run)
    assert run.status is Status.EXHAUSTED and run.engine.startswith(NAME)
    assert run.best is not None and run.best // 1000 == 10 and len(answers) >= 1
