"""Orbits in a search for a minimum, found or from declared maps: no optimum is lost, and true symmetries save nodes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Problem, Settings, build, search
from covr.engine.kernels.header import ASK, DONE
from covr.engine.kernels.loading import load
from covr.engine.minimum import core as symmetry
from covr.engine.minimum.core import Orbits, core, declared_moves, orbit
from covr.engine.symmetries import Automorphisms, orbit_of
from tests.engine.problems import covering_design, domination, least, tripled_steiner

RING = [[k, (k + 1) % 5] for k in range(5)]
TURN = [1, 2, 3, 4, 0]
MIRROR = [0, 4, 3, 2, 1]
SWAP = [1, 0, 2, 3, 4]


def declared_orbit(
    needs: Sequence[int],
    options: Sequence[Sequence[int]],
    costs: Sequence[int],
    option: int,
    numbers: Sequence[int],
    maps: Sequence[Sequence[int]],
) -> list[int]:
    """The orbit of an option under those maps that are symmetries."""
    return orbit_of(declared_moves(needs, options, costs, numbers, maps), len(options), option)


def dihedral(n: int) -> list[list[int]]:
    """The eight symmetries of an n × n board as maps of its squares."""
    squares = [(r, c) for r in range(n) for c in range(n)]
    moves = [lambda r, c: (r, c), lambda r, c: (c, n - 1 - r)]
    found = {tuple(range(n * n))}
    moves.append(lambda r, c: (r, n - 1 - c))
    while True:
        more = {tuple(one[squares.index(m(r, c))] for r, c in squares) for one in found for m in moves} | found
        if more == found:
            return [list(one) for one in sorted(found)]
        found = more


@st.composite
def symmetric_covers(draw: st.DrawFn) -> tuple[Problem, list[list[int]]]:
    """Covers that a turn of a ring of items keeps, or nearly; and maps, some of them symmetries."""
    size, lengths = draw(st.integers(3, 6)), draw(st.lists(st.integers(1, 3), min_size=1, max_size=2))
    options = [[(k + j) % size for j in range(min(length, size))] for length in lengths for k in range(size)]
    n = len(options)
    prices = draw(st.lists(st.integers(1, 3), min_size=len(lengths), max_size=len(lengths)))
    costs = [price for price in prices for _ in range(size)]
    if draw(st.booleans()):
        costs[draw(st.integers(0, n - 1))] += 1
    turn = [block * size + (k + 1) % size for block in range(len(lengths)) for k in range(size)]
    others = draw(st.lists(st.permutations(range(n)), max_size=2))
    given = draw(st.sets(st.integers(0, n - 1), max_size=1))
    return build([(1, 99)] * size, options, costs=costs, given=sorted(given)), [turn, [-1] * n, *map(list, others)]


def test_only_true_symmetries_count() -> None:
    ones = [1] * 5
    assert declared_orbit(ones, RING, ones, 2, range(5), [TURN]) == [0, 1, 2, 3, 4]
    assert declared_orbit(ones, RING, ones, 1, range(5), [MIRROR]) == [1, 4]
    assert declared_orbit(ones, RING, ones, 1, range(5), [SWAP]) == [1]
    assert declared_orbit(ones, RING, [1, 1, 2, 1, 1], 1, range(5), [TURN]) == [1]
    assert declared_orbit([2, 1, 1, 1, 1], RING, ones, 1, range(5), [TURN]) == [1]
    assert declared_orbit(ones, RING, ones, 1, [7, 5, 3, 8, 9], [[0, 0, 0, 8, 0, 3, 0, 5, 9, 7]]) == [0, 1, 2, 3, 4]
    assert declared_orbit(ones[:4], RING[:3], ones[:3], 1, range(3), [TURN]) == [1]  # an option went: no turn any more


@given(symmetric_covers(), st.data())
def test_they_are_part_of_what_is_detected(made: tuple[Problem, list[list[int]]], data: st.DataObject) -> None:
    problem, maps = made
    options = [list(problem.option(o)) for o in range(problem.options)]
    option = data.draw(st.integers(0, problem.options - 1))
    found = declared_orbit(problem.low, options, problem.costs, option, range(problem.options), maps)
    assert set(found) <= set(orbit(problem.low, options, problem.costs, option))


@given(symmetric_covers())
def test_no_optimum_is_lost(made: tuple[Problem, list[list[int]]]) -> None:
    """The orbit is asked for after every option, whatever maps are declared."""
    problem, maps = made
    rest = core(problem)
    if not rest.feasible or not rest.options:
        return
    for estimates in (0, 6):
        kernel = load("_cover", True).Cover(rest.needs, rest.options, rest.costs, sum(rest.costs) + 1, estimates)
        kernel.set_symmetric(1)
        while (code := kernel.run(1000, 1000)) != DONE:
            if code == ASK:
                _, needs, numbers, costs, options = kernel.local()
                own = [rest.numbers[o] for o in numbers]
                kernel.exclude(declared_orbit(needs, options, costs, kernel.branched(), own, maps))
        assert rest.base + rest.unit * kernel.limit() == least(problem)


@given(symmetric_covers())
def test_no_optimum_is_lost_by_what_is_found(made: tuple[Problem, list[list[int]]]) -> None:
    """The orbit is asked for after every option, with and without work left for it."""
    problem, maps = made
    rest = core(problem)
    if not rest.feasible or not rest.options:
        return
    for free in (0, 40, 1 << 40):
        orbits = Orbits(maps)
        orbits.spent = -free
        kernel = load("_cover", True).Cover(rest.needs, rest.options, rest.costs, sum(rest.costs) + 1, 0)
        kernel.set_symmetric(1)
        while (code := kernel.run(1000, 1000)) != DONE:
            if code == ASK:
                _, needs, numbers, costs, options = kernel.local()
                own = [rest.numbers[o] for o in numbers]
                kernel.exclude(orbits.of(needs, options, costs, kernel.branched(), own, 0))
        assert rest.base + rest.unit * kernel.limit() == least(problem)


def _find_nothing(graph: object, options: int, work: int = 0, interpreted: bool = False) -> Automorphisms:
    return Automorphisms(options, (), 1, False, 0)


@pytest.mark.parametrize("seed", [None, 3])
def test_declared_symmetries_save_nodes(seed: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing else is found in time."""
    monkeypatch.setattr(symmetry, "explore", _find_nothing)
    nodes = []
    for maps in ([], dihedral(8)):
        run = search(domination(8), goal="minimum", settings=Settings(seed=seed, estimate="classic", symmetries=maps))
        assert list(run) and run.best == run.bound == 5
        nodes.append(run.counters.nodes)
    assert nodes[1] < nodes[0]


def test_a_search_keeps_to_its_share() -> None:
    """Once what is free is used up, work on symmetries waits for the tree."""
    orbits = Orbits()
    ones = [1] * 5
    assert orbits.of(ones, RING, ones, 2, range(5), 0) == [0, 1, 2, 3, 4]
    used = orbits.spent
    assert used > 0
    orbits.spent = symmetry.MOST_EDGES
    assert orbits.of(ones, RING, ones, 2, range(5), 0) == [2]
    assert orbits.of(ones, RING, ones, 2, range(5), used * symmetry.SHARE) == [0, 1, 2, 3, 4]


def test_triples_and_designs_need_no_extra() -> None:
    """Pinned counters; without symmetries these take thousands of nodes."""
    for problem, best, nodes in ((covering_design(10, 3, 2), 17, 103), (tripled_steiner(27), 18, 129)):
        run = search(problem, goal="minimum")
        assert list(run) and run.best == run.bound == best
        assert run.counters.nodes == nodes
