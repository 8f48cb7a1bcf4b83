"""What follows from a connection, a forest, a circuit or areas alone, held to every way to complete what is known."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Set
from itertools import product

import pytest

from covr.engine import AreaDemand, Areas, Circuit, Connection, Forest, build
from covr.engine.check import check
from covr.engine.proofs import area_shapes
from covr.engine.proofs.area_shapes import AreasShape, Boards
from covr.engine.proofs.shapes import RING, UNSAID, CircuitShape, ConnectionShape, ForestShape, ShapeRule
from covr.frozen import evolve
from tests.each import each
from tests.engine.sided import areas, circuit, connection, forest
from tests.shared import seeds


def drawn(rng: random.Random) -> tuple[int, Connection | Forest | Circuit, set[int], set[int]]:
    """A number of options, a side, the options that are known to be taken, and those that are open."""
    options = rng.randint(1, 9)
    side: Connection | Forest | Circuit = rng.choice((circuit, connection, forest))(rng, options)
    if isinstance(side, Connection | Forest) and rng.random() < 0.5:  # one option at each vertex, as on a board
        vertices = sorted({v for edge in side.edges for v in edge})[:options]
        side = type(side)(tuple(enumerate(vertices)), tuple(e for e in side.edges if set(e) <= set(vertices)))
    state = [rng.choice("tooo-") for _ in range(options)]
    return options, side, {o for o in range(options) if state[o] == "t"}, {o for o in range(options) if state[o] == "o"}


def completions(
    options: int, side: Connection | Forest | Circuit, taken: Set[int], still: Set[int], value: Mapping[int, bool]
) -> Iterator[set[int]]:
    """Every set of options that meets the side: those known, and of the open ones such as agree with `value`."""
    alone = build([], [[] for _ in range(options)], sides=[side])
    free = sorted(still - value.keys())
    for chosen in product((False, True), repeat=len(free)):
        every = {*taken, *(o for o, v in value.items() if v), *(o for o, v in zip(free, chosen, strict=True) if v)}
        if check(alone, tuple(sorted(every))) is None:
            yield every


def shape_of(side: Connection | Forest | Circuit, taken: Set[int], still: Set[int]) -> ShapeRule:
    if isinstance(side, Forest):
        return ForestShape(side, taken, still)
    return ConnectionShape(side, taken, still) if isinstance(side, Connection) else CircuitShape(side, taken, still)


@each("seed", seeds(30))
def test_nothing_is_found_that_does_not_follow(seed: int) -> None:
    """And where a shape says that it is complete, everything that follows from what is known is found."""
    rng = random.Random(seed)
    found_some = 0
    for _ in range(60):
        options, side, taken, still = drawn(rng)
        shape = shape_of(side, taken, still)
        assert set(shape.members) <= still
        for share in (0.0, 0.3, 0.7):
            value = {o: rng.random() < 0.5 for o in shape.members if rng.random() < share}
            every = list(completions(options, side, taken, still, value))
            found = shape.forces(value)
            if found is None:
                assert not every
                continue
            assert len(dict(found)) == len(found) and dict(found).keys() <= set(shape.members) - value.keys()
            for o, v in found:
                found_some += 1
                assert all((o in one) == v for one in every)
            if shape.complete and not value and every:
                told = {(o, v) for o in shape.members for v in (False, True) if all((o in a) == v for a in every)}
                assert set(found) == told
    assert found_some


@each("seed", seeds(60))
def test_a_shape_is_violated_exactly_where_the_side_is(seed: int) -> None:
    rng = random.Random(1000 + seed)
    for _ in range(10):
        options, side, taken, still = drawn(rng)
        shape = shape_of(side, taken, still)
        chosen = {o for o in still if rng.random() < 0.5}
        alone = build([], [[] for _ in range(options)], sides=[side])
        expected = check(alone, tuple(sorted(taken | chosen))) is not None
        assert shape.violated(chosen) == expected


@each("seed", seeds(60))
def test_it_says_what_would_go_wrong_otherwise(seed: int) -> None:
    """Whatever is found of what is known has a word for it, and taken options that show it."""
    rng = random.Random(2000 + seed)
    for _ in range(20):
        _, side, taken, still = drawn(rng)
        shape = shape_of(side, taken, still)
        found = shape.forces({})
        for o in shape.members if found is not None else ():
            for v in (False, True):
                kind, shown = shape.why(o, v)
                assert set(shown) <= taken
                assert (kind == UNSAID) == ((o, v) not in found)
                kinds = {Connection: range(2), Circuit: range(2, 6)}.get(type(side), (RING,))
                assert kind in (UNSAID, *kinds)


@each("seed", seeds(30))
def test_areas_give_the_values_whose_opposites_they_do_not_allow(seed: int) -> None:
    """Whatever other areas share their board; and each as if its option were the only one that is asked for."""
    rng = random.Random(3000 + seed)
    for _ in range(20):
        options = rng.randint(1, 12)
        side = areas(rng, options)
        state = [rng.choice("tooo-") for _ in range(options)]
        taken, still = ({o for o in range(options) if state[o] == kind} for kind in "to")
        boards: Boards = {}
        others = [AreasShape(evolve(side, demands=demands), taken, still, boards) for demands in ((), side.demands)]
        shape = AreasShape(side, taken, still)
        assert len(boards) == 1
        for share in (0.0, 0.3, 0.7, 1.0):
            value = {o: rng.random() < 0.5 for o in shape.members if rng.random() < share}
            found = shape.forces(value)
            assert others[0].forces(value) is not None or found is None
            assert others[1].forces(value) == found
            assert (found is None) == (not shape.possible(value))
            for o in shape.members if found is not None else ():
                either = [way for way in (False, True) if o not in value and not shape.possible({**value, o: way})]
                assert shape.forces(value, o) == [pair for pair in found if pair[0] == o]
                assert o not in dict(found) or (not dict(found)[o]) in either
                met = {v for p, v in side.places if p in taken}.union(side.always)
                assert o in dict(found) or not either or not any((o, v) in side.places for v in met)


def test_what_areas_force_takes_a_few_looks_at_the_whole_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one for each way of each open option: here 180 walls of 10 x 10, and a rule for each of 100 places."""
    board = {(r, c): 10 * r + c for r in range(10) for c in range(10)}
    edges = tuple(sorted((v, board[x]) for (r, c), v in board.items() for x in ((r, c + 1), (r + 1, c)) if x in board))
    cuts = tuple((k, u, v) for k, (u, v) in enumerate(edges))
    terms = tuple((len(edges) + v, v, 1) for v in range(100))
    looks: list[int] = []
    look = area_shapes._Pieces.__init__
    monkeypatch.setattr(area_shapes._Pieces, "__init__", lambda *args: (looks.append(1), look(*args))[1])
    boards: Boards = {}
    sure = {o for o, _, _ in terms}
    for v in range(100):
        side = Areas((), edges, (AreaDemand(terms, ((2, 9),), (v,)),), tuple(range(100)), cuts)
        assert AreasShape(side, sure, set(range(len(edges))), boards).forces({}) == []
    assert len(looks) <= 2
