"""Levels that are folded in the search for covers: the same minima, and the same nodes, whatever room levels have."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Problem, build, check
from covr.engine.kernels.header import ASK, DONE
from covr.engine.kernels.loading import load
from covr.engine.minimum.core import Orbits, core
from tests.engine.problems import least, steiner
from tests.engine.strategies import covers

PLAIN, PRICE, DUAL, LAGRANGE = 0, 2, 6, 14
ALL = 1 << 20  # levels are never so much smaller than their base that they become one


def ended(problem: Problem, estimates: int, room: int, interpreted: bool, symmetric: int = 0) -> tuple[Any, int, int]:
    """The tree with so much room for levels, run to its end; the cost of its best cover in the core, or its cutoff; and
    how many levels were folded at once."""
    rest = core(problem)
    kernel = load("_cover", interpreted).Cover(rest.needs, rest.options, rest.costs, sum(rest.costs) + 1, estimates)
    kernel.set_room(room, ALL)
    kernel.set_symmetric(symmetric)
    orbits = Orbits()
    folded = 0
    while (code := kernel.run(1, 1)) != DONE:
        folded = max(folded, kernel.folded())
        if code == ASK:
            orbits.answer(kernel, rest.numbers, kernel.updates)
            kernel.set_symmetric(symmetric)
    if kernel.limit() <= sum(rest.costs):
        taken = {*rest.taken, *(rest.numbers[o] for o in kernel.answer())}
        assert check(problem, tuple(sorted(taken))) is None
    return kernel, kernel.limit(), folded


def drawn(items: int, options: int, seed: int, dearest: int = 4) -> Problem:
    """Options of three items each."""
    draw = Random(seed)
    held = [sorted({o % items, *draw.sample(range(items), 2)}) for o in range(options)]
    return build([(draw.choice([1, 1, 2]), options)] * items, held, costs=[draw.randint(1, dearest) for _ in held])


@pytest.mark.parametrize("interpreted", [True, False])
@given(problem=covers(), estimates=st.sampled_from([PLAIN, PRICE, LAGRANGE]), room=st.sampled_from([0, 100]))
def test_folded_levels_leave_every_minimum_as_it_is(
    interpreted: bool, problem: Problem, estimates: int, room: int
) -> None:
    rest = core(problem)
    if not rest.feasible:
        return
    true = least(problem)
    _, limit, _ = ended(problem, estimates, room, interpreted, 1)
    assert limit == (sum(rest.costs) + 1 if true is None else (true - rest.base) // rest.unit)


def test_the_minimum_is_the_same_where_bits_fill_words() -> None:
    """Options and items straddle the ends of words, and some items are needed twice."""
    for items in (31, 32, 33):
        for options in (63, 64, 65, 97):
            problem = drawn(items, options, items + options)
            wide, true, none = ended(problem, DUAL, 1 << 40, False)
            narrow, found, folded = ended(problem, DUAL, 0, False)
            assert (found, narrow.nodes, none) == (true, wide.nodes, 0)
            assert folded > 3


@pytest.mark.parametrize("interpreted", [True, False])
def test_a_level_that_is_unfolded_is_the_same(interpreted: bool) -> None:
    """Without prices nothing else is different: every node is the same."""
    for seed in range(1 if interpreted else 9):
        problem = drawn(12, 30, seed, 1)
        wide, true, _ = ended(problem, PLAIN, 1 << 40, interpreted)
        narrow, found, folded = ended(problem, PLAIN, 0, interpreted)
        assert (found, narrow.nodes) == (true, wide.nodes)
        assert folded > 0


def test_orbits_are_asked_for_levels_that_are_unfolded() -> None:
    _, limit, folded = ended(steiner(27), LAGRANGE, 0, False, 1)
    assert (limit, folded > 0) == (18, True)
