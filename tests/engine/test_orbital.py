"""Orbital branching: minima of symmetric covers against the reference and the plain search, pauses, pinned counters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.engine import Problem, Settings, Status, cost, reference, search
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.kernels.loading import load
from covr.engine.minimum import cover, orbital
from covr.engine.minimum.core import core
from covr.engine.minimum.cover import Covering
from covr.engine.minimum.estimates import ESTIMATES
from covr.engine.minimum.orbital import OpenCover, Orbital, OrbitalStart, chosen
from covr.engine.settings import Pace
from covr.engine.symmetries import Automorphisms, orbits
from tests.constants import Constants
from tests.engine.problems import affine_lines, covering, covering_code, covering_design, steiner
from tests.engine.stops import stopped_anywhere
from tests.engine.symmetric_covers import LARGE, SMALL, Map, made
from tests.shared import examples

pytestmark = pytest.mark.long

FEW, MANY = 16, 70  # options of problems for the reference engine, and for the plain search


def run(
    rest: Any,
    cutoff: int,
    interpreted: bool = False,
    nodes: int = 5,
    maps: Sequence[Map] = (),
    group: Any = None,
    estimates: int = 14,
) -> tuple[Orbital, list[int] | None]:
    """Search a core to the end, checking every cover and bound on the way; returns the search and the best cover."""
    module = load("_cover", interpreted)
    one = Orbital(rest.needs, rest.options, rest.costs, cutoff, module, None, group, rest.numbers, maps, estimates)
    best, bound, share, work = None, 0, 0.0, 0
    bounds = []
    while not one.done:
        if one.run(nodes, 1) == FOUND:
            best = one.answer()
            held = [0] * len(rest.needs)
            for o in best:
                for i in rest.options[o]:
                    held[i] += 1
            assert len(set(best)) == len(best)
            assert all(h >= need for h, need in zip(held, rest.needs, strict=True))
            assert sum(rest.costs[o] for o in best) == one.cutoff
        assert one.share >= share and one.work >= work
        bounds.append(one.bound())
        share, work = one.share, one.work
    bound = one.bound()
    assert one.cutoff == bound and all(b <= bound for b in bounds)
    assert share == pytest.approx(1.0)
    return one, best


def least(problem: Problem) -> int | None:
    """The least cost, by the reference engine."""
    return min((cost(problem, answer) for answer in reference.answers(problem, "minimum")), default=None)


@pytest.mark.parametrize("interpreted", [True, False])
@given(seed=st.integers(0, 10**9), dearest=st.integers(1, 3))
def test_minima_are_those_of_the_reference(interpreted: bool, seed: int, dearest: int) -> None:
    """This is tried with every cutoff that matters: none, the least cost plus 1, and the least cost."""
    problem = made(Random(seed), SMALL, FEW, dearest)
    rest = core(problem)
    true = least(problem)
    assert rest.feasible == (true is not None)
    if true is None or not rest.options:
        return
    for above, estimates in product((sum(rest.costs) + 1, rest.cutoff(true), rest.cutoff(true - 1)), (0, 14)):
        one, best = run(rest, above, interpreted, estimates=estimates)
        assert (best is not None) == (rest.base + rest.unit * (above - 1) >= true)
        if best is not None:
            assert rest.base + rest.unit * one.cutoff == true


@settings(max_examples=examples(40))
@given(seed=st.integers(0, 10**9), dearest=st.integers(1, 3))
def test_minima_are_those_of_the_plain_search(seed: int, dearest: int) -> None:
    """Larger ones, among them some whose options or items fill one word of 64 bits, or just more."""
    rest = core(made(Random(seed), LARGE, MANY, dearest))
    if not rest.feasible or not rest.options:
        return
    plain = load("_cover", False).Cover(rest.needs, rest.options, rest.costs, sum(rest.costs) + 1, 14)
    while (code := plain.run(300, 1000)) == FOUND:
        pass
    if code != DONE:
        return
    for above, estimates in ((sum(rest.costs) + 1, 14), (plain.limit(), 14), (plain.limit(), 6)):
        assert run(rest, above, estimates=estimates)[0].cutoff == plain.limit()


@given(seed=st.integers(0, 10**9))
def test_declared_maps_do_where_nothing_is_found(seed: int) -> None:
    rng = Random(seed)
    problem = made(rng, SMALL, FEW, 2)
    rest = core(problem)
    if not rest.feasible or not rest.options:
        return
    numbers = range(problem.options)
    maps = [rng.sample(numbers, problem.options), [*numbers[1:], 0], [(k * 3 + 1) % problem.options for k in numbers]]
    nothing = Automorphisms(len(rest.options), (), 1, False, 0)
    one, _ = run(rest, sum(rest.costs) + 1, maps=maps, group=nothing)
    assert rest.base + rest.unit * one.cutoff == least(problem)


def test_a_declared_map_is_branched_on() -> None:
    rest = core(steiner(9))
    nothing = Automorphisms(9, (), 1, False, 0)
    turn = [3, 4, 5, 6, 7, 8, 0, 1, 2]
    assert run(rest, 6, group=nothing)[0].branched == 0
    assert run(rest, 6, group=nothing, maps=[turn])[0].branched > 0


@pytest.fixture
def forced(monkeypatch: pytest.MonkeyPatch, constants: Constants) -> list[Orbital]:
    """Lets every search for covers take turns with one by orbits from the start, and returns a list of these."""
    constants(orbital, FIRST=0, BUILT=0)
    constants(cover, OFTEN=1, SPELL=1000)
    monkeypatch.setattr(orbital, "_is_rich", lambda group: True)
    begun: list[Orbital] = []
    make: Callable[..., Orbital | None] = OrbitalStart.made

    def noted(start: OrbitalStart, *arguments: Any) -> Orbital | None:
        one = make(start, *arguments)
        if one is not None:
            begun.append(one)
        return one

    monkeypatch.setattr(OrbitalStart, "made", noted)
    return begun


@pytest.mark.parametrize("interpreted", [True, False])
def test_turns_with_the_plain_search_lose_no_cover(interpreted: bool, forced: list[Orbital]) -> None:
    """Whatever is stopped in the middle of a turn has drawn no false conclusion, and lost no cover."""
    for seed in range(60):
        problem = made(Random(seed), SMALL, FEW, 2)
        true = least(problem)
        assert stopped_anywhere(problem, Random(seed), interpreted, true, (1, 3, 1000)) == true
    for problem, best in ((steiner(9), 5), (steiner(15), 9), (covering_design(6, 3, 2), 6), (covering_code(3, 3), 5)):
        assert least(problem) == best
        assert stopped_anywhere(problem, Random(best), interpreted, best, (1, 3, 1000)) == best
    assert sum(one.branched > 0 for one in forced) > 1


@pytest.mark.parametrize(
    "problem", [steiner(15), steiner(27), covering_code(3, 3)], ids=["15 points", "27 points", "K3(3,1)"]
)
def test_pauses_change_nothing(problem: Problem, forced: list[Orbital]) -> None:
    counters = set()
    for nodes in (1, 3, 7, 1000):
        kernel = Covering(problem, None, [ESTIMATES["auto"]], pace=Pace(least=1))
        while kernel.run(nodes, 1) != DONE:
            pass
        counters.add((kernel.nodes, kernel.updates, forced[-1].nodes, forced[-1].work))
    assert len(counters) == 1 and len(forced) == 4


@pytest.mark.parametrize("ceiling", [17, 18, 19])
def test_a_ceiling_excludes_dearer_answers(ceiling: int, forced: list[Orbital]) -> None:
    one = search(steiner(27), goal="minimum", settings=Settings(ceiling=ceiling, pace=Pace(least=1)))
    assert [cost(steiner(27), answer) for answer in one][-1:] == [18][: ceiling - 17]
    assert forced and one.status is Status.EXHAUSTED


def test_a_lower_ceiling_is_heeded_between_slices(forced: list[Orbital]) -> None:
    kernel = Covering(steiner(27), None, [ESTIMATES["auto"]], pace=Pace(least=1))
    while not forced or not forced[0].branched:
        assert kernel.run(1, 1) != DONE
    kernel.lower(17)
    while kernel.run(10, 1) != DONE:
        pass
    assert forced[0].cutoff <= 18
    assert kernel.bound() == 18


# Nodes of the search by orbits with those of the plain search below them; how many were branched on; the least cost.
PINNED = [
    (steiner(15), 9, 10, 13, 6),
    (steiner(27), 18, 28, 17, 8),
    (covering_design(8, 4, 3), 14, 71, 1, 0),
    (covering_design(9, 5, 4), 30, 127, 300, 12),
    (covering_code(4, 3), 8, 65, 5, 2),
]


@pytest.mark.parametrize(("problem", "best", "cutoff", "nodes", "branched"), PINNED)
def test_work_is_pinned(problem: Problem, best: int, cutoff: int, nodes: int, branched: int) -> None:
    one, answer = run(core(problem), cutoff, nodes=64)
    assert answer is not None and len(answer) == best
    assert (one.nodes, one.branched) == (nodes, branched)


def test_orbits_of_moves() -> None:
    assert orbits([([0, 2], [2, 0]), ([2, 4], [4, 2])], 6) == [[0, 2, 4], [1], [3], [5]]
    assert orbits([], 2) == [[0], [1]]


def test_the_parts_of_a_node_are_covers_of_their_own() -> None:
    rest = OpenCover([1, 2, 1], [(0, 1), (1, 2), (1,), (2,)], [3, 1, 2, 1], [7, 8, 9, 5], (4,), 10)
    assert rest.without([3], [0]) == OpenCover([1, 1], [(0, 1), (0,)], [1, 2], [8, 9], (4, 7), 13)
    assert rest.without([], [0, 1]) == OpenCover([], [], [], [], (4, 7, 8), 14)
    assert chosen(rest, [[0], [2], [1, 3]], leaving=True) == [1, 3]
    assert chosen(rest, [[2], [0], [1, 3]], leaving=False) == [0]


def test_little_symmetry_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eleven pairs that can be swapped are too little; a group that is found whole is asked for only once."""
    start = OrbitalStart()
    swaps = core(covering(12, [[k, 11] for k in range(11) for _ in (0, 1)]))
    swaps = evolve(swaps, costs=[1 + o // 2 for o in range(22)])
    module = load("_cover", False)
    assert start.made(swaps, 99, orbital.FIRST - 1, module, None, ()) is None
    assert not start._never
    assert start.made(swaps, 99, orbital.FIRST, module, None, ()) is None
    assert start._never
    hard = core(covering_design(8, 4, 3))  # whose group isn't found in a few steps
    start = OrbitalStart()
    with monkeypatch.context() as patch:
        patch.setattr(orbital, "BUILT", 0)
        patch.setattr(orbital, "SHARE", orbital.FIRST)
        assert start.made(hard, 71, orbital.FIRST, module, None, ()) is None
    assert not start._never  # some may have been missed
    assert start.made(hard, 71, orbital.FIRST**2, module, None, ()) is not None
    assert OrbitalStart().made(core(steiner(27)), 28, orbital.FIRST, module, None, ()) is not None


# Nodes of the whole search, local search included; see test_work_is_pinned for those of the search by orbits.
WHOLE = [(affine_lines(4), 61, 7116), (covering_code(4, 4), 24, 457)]


@pytest.mark.parametrize(("problem", "best", "nodes"), WHOLE, ids=["Steiner triples on 81 points", "K4(4,1)"])
def test_proofs_that_need_symmetry(problem: Problem, best: int, nodes: int) -> None:
    """The plain search has a bound of 28 on the first after 480 000 nodes, and takes 17 000 nodes for the second."""
    one = search(problem, goal="minimum", settings=Settings(jobs=1))
    assert [len(answer) for answer in one][-1:] == [best]
    assert one.bound == best and one.status is Status.EXHAUSTED
    assert one.counters.nodes == nodes
