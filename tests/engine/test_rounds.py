"""The rounds that raise the bound of a search for covers."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Problem, Settings, Status, build, check, cost, search
from covr.engine.base.limits import LimitReached
from covr.engine.kernels.header import DONE
from covr.engine.kernels.loading import load
from covr.engine.minimum import core as rounds
from covr.engine.minimum import cover
from covr.engine.minimum.core import Orbits, Rounds, core
from covr.engine.minimum.cover import NATIVE, Covering
from covr.engine.minimum.estimates import ESTIMATES
from tests.constants import Constants
from tests.engine.problems import covering_design, least, steiner
from tests.engine.strategies import covers

pytestmark = pytest.mark.long

MUCH = 1 << 60
compiled_only = pytest.mark.skipif(not load("_cover").COMPILED, reason="too slow without the compiled kernel")


def alone(problem: Problem, interpreted: bool = False, looks: object = None) -> Rounds:
    """The rounds for a problem's core."""
    module = load("_cover", interpreted)
    if looks is None:
        looks = load("_looks", interpreted).Looks()
    return Rounds(core(problem), module, NATIVE["auto"], 4, Orbits(), looks)


def drawn(items: int, options: int, dearest: int, seed: int) -> Problem:
    """Options of five random items, and one more for every item."""
    draw = random.Random(seed)
    held = [sorted({o % items, *draw.sample(range(items), 4)}) for o in range(options)]
    return build([(1, options)] * items, held, costs=[draw.randint(1, dearest) for _ in held])


@pytest.mark.parametrize("interpreted", [True, False])
@given(problem=covers(), above=st.integers(0, 3), nodes=st.sampled_from([1, 1000]))
def test_no_round_proves_too_much(interpreted: bool, problem: Problem, above: int, nodes: int) -> None:
    """Whatever cutoff others have, the bound rises to it, or to 1 less, and never above the minimum."""
    true = least(problem)
    rest = core(problem)
    if true is None or not rest.options:
        return
    inner = (true - rest.base) // rest.unit
    own = alone(problem, interpreted)
    cutoff = inner + above
    known = 0
    while not own.idle(cutoff):
        own.step(nodes, cutoff)
        assert known <= own.proved <= inner
        known = own.proved
        if own.found is not None:
            paid, options = own.found
            own.found = None
            taken = sorted([*rest.taken, *(rest.numbers[o] for o in options)])
            assert check(problem, taken) is None
            assert paid == sum(rest.costs[o] for o in options) < cutoff
            cutoff = paid
    assert own.proved >= cutoff - 1
    assert cutoff >= inner


@compiled_only
@pytest.mark.parametrize(
    ("items", "dearest", "seed"), [(64, 1, 0), (120, 2, 0), (150, 3, 4), (200, 9, 3), (250, 20, 2), (250, 20, 3)]
)
def test_the_search_with_rounds_from_the_start(items: int, dearest: int, seed: int, constants: Constants) -> None:
    """Rounds of any length, hasty ones among them, change neither the minimum nor what is proved."""
    problem = drawn(items, 2 * items, dearest, seed)
    other = search(problem, goal="minimum", settings=Settings(engine="cover", estimate="lagrange"))
    list(other)
    constants(cover, ROUNDS_BEGIN=0)
    for brief in (1, rounds.BRIEF):
        constants(rounds, BRIEF=brief)
        covering = Covering(problem, None, [ESTIMATES["auto"]])
        known: int | None = None
        while covering.run(3, 1) != DONE:
            bound = covering.bound()
            assert bound is None or (known or 0) <= bound <= (other.best or 0)
            known = bound
        assert covering._rounds is not None and covering._rounds.nodes > 0
        assert covering.bound() == other.best == cost(problem, covering.answer())
        run = search(problem, goal="minimum", settings=Settings(engine="cover"))
        assert all(check(problem, answer) is None for answer in run)
        assert run.status is Status.EXHAUSTED and run.best == run.bound == other.best


@compiled_only
def test_the_bound_rises_above_that_of_the_root() -> None:
    """Steiner triples, whose linear program is weak: 27 items of 27 options, at least 9 by their number, 18 in all."""
    problem = steiner(27)
    own = alone(problem)
    own.step(1, 100)
    own.step(1, 100)
    while own.proved < 16:
        own.step(1000, 18)
    assert own.nodes > 10 and own.updates > 0 and not own.idle(18)
    while not own.idle(18):
        own.step(1000, 18)
    assert own.proved == 17 and own.found is None


@pytest.mark.parametrize("interpreted", [True, False])
def test_what_is_stopped_anywhere_goes_on(interpreted: bool) -> None:
    problem = covering_design(7, 3, 2)
    draw = random.Random(3)

    def ask() -> None:
        if draw.random() < 0.2:
            raise LimitReached("time")

    looks = load("_looks", interpreted).Looks(ask)
    looks.set_pulse(500)
    own = alone(problem, interpreted, looks)
    cutoff, stops = 20, 0
    while not own.idle(cutoff):
        try:
            own.step(MUCH, cutoff)
        except LimitReached:
            stops += 1
        if own.found is not None:
            cutoff, _ = own.found
            own.found = None
    assert stops > 0 and cutoff == 7 and own.proved in (6, 7)


@compiled_only
def test_hasty_rounds_begin_again(constants: Constants) -> None:
    """A step that is far too long is shortened, and nothing is proved by the round that was given up."""
    constants(rounds, SLICE_NODES=1)
    own = alone(steiner(27))
    own.proved, own._stride, own._before = 9, 8, 1
    while own._stride == 8:
        assert own.proved == 9
        own.step(1, 100)
    assert own._stride == 2 and own.proved == 9
    while own.proved < 12:
        own.step(1000, 100)
    assert own.proved <= 18
