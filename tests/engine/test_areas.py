"""Areas on small boards: both searches, reasons, symmetries and the JSON format, against the oracle."""

from __future__ import annotations

import random
import sys
from itertools import combinations

import pytest

from covr.compiler.formats.json_text import read_json, write_json
from covr.compiler.lower.symmetry import preserves
from covr.engine import AreaDemand, Areas, Problem, Settings, build, search
from covr.engine.problem import gathered, options_of
from covr.engine.proofs.area_shapes import AreasShape
from covr.engine.reference import answers, holds
from covr.engine.symmetries import automorphisms
from tests.engine import sided
from tests.shared import calls_of

BOARDS = ((1, 4), (2, 2), (2, 3), (2, 4), (3, 3))


def board(rng: random.Random) -> Problem:
    """Squares that are shaded or not, numbered with 1 or 2, or divided by walls; sums of areas, and around anchors."""
    high, wide = rng.choice(BOARDS)
    size = high * wide
    edges = [(v, v + 1) for v in range(size) if (v + 1) % wide] + [(v, v + wide) for v in range(size - wide)]
    graph = tuple(sorted(edges))
    sums = [((low, low + rng.choice((0, 0, 1, 3))),) for low in (rng.choice((0, 1, 1, 2, 2, 3, 4)) for _ in range(3))]
    some = tuple(sorted(rng.sample(range(size), rng.randint(0, 2))))
    kind = rng.choice(("shade", "shade", "numbers", "walls"))
    if kind == "numbers" and size <= 6:
        sides = []
        for digit in (0, 1):
            terms = tuple((2 * v + digit, v, 1) for v in range(size))
            sides.append(Areas(tuple((o, v) for o, v, _ in terms), graph, (AreaDemand(terms, sums[digit]),)))
        return build([(1, 1)] * size, [[v] for v in range(size) for _ in (0, 1)], sides=sides)
    first = len(graph) if kind == "walls" else 0
    terms = tuple((first + v, v, rng.choice((1, 1, 1, 2))) for v in range(size))
    demands = [AreaDemand(terms, sums[0])] if rng.random() < 0.6 else []
    demands += [AreaDemand(terms, one, some, rng.random() < 0.5) for one in sums[1 : rng.randint(1, 3)]]
    if kind == "walls" and first + size <= 16:
        cuts = tuple((o, u, v) for o, (u, v) in enumerate(graph))
        side = Areas((), graph, tuple(demands), tuple(range(size)), cuts)
        return build([], [[]] * (first + size), given=range(first, first + size), sides=[side])
    terms = tuple((v, v, weight) for v, (_, _, weight) in enumerate(terms))
    demands = [AreaDemand(terms, one.sums, one.anchors, one.waived) for one in demands]
    places = tuple((v, v) for v in range(size))
    return build([], [[]] * size, given=some[:1], sides=[Areas(places, graph, tuple(demands))])


@pytest.mark.parametrize("engine", ["sides", "clingo"])
@pytest.mark.parametrize("seed", range(3))
def test_boards_against_the_oracle(engine: str, seed: int) -> None:
    if engine == "clingo":
        pytest.importorskip("clingo")
    rng = random.Random(seed)
    for _ in range(40):
        problem = board(rng)
        found = sorted(tuple(sorted(answer)) for answer in search(problem, settings=Settings(engine=engine)))
        assert found == sorted(answers(problem))


def test_demands_of_the_same_areas_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A demand for each square of a board: its areas are found once to check an answer, and searched as one graph."""
    size = 16
    grid = tuple(sorted([(v, v + 1) for v in range(size) if (v + 1) % 4] + [(v, v + 4) for v in range(size - 4)]))
    terms = tuple((v, v, 1) for v in range(size))
    demands = [AreaDemand(terms, ((2, 16),), (v,), True) for v in range(size)]
    sides = [Areas(tuple((v, v) for v in range(size)), grid, (one,), name=f"{v}") for v, one in enumerate(demands)]
    assert [len(side.demands) for side in gathered(sides) if isinstance(side, Areas)] == [size]
    times = []
    checking = sys.modules["covr.engine.check"]
    near = checking._near
    monkeypatch.setattr(checking, "_near", lambda graph: times.append(1) or near(graph))
    problem = build([], [[]] * size, sides=sides)
    assert checking.check(problem, (0, 1, 8, 12)) is None
    assert len(times) == 1
    assert checking.check(problem, (0, 1, 8)).startswith("`8`: ")


def test_without_compiled_code() -> None:
    rng = random.Random(7)
    for _ in range(20):
        problem = board(rng)
        found = search(problem, settings=Settings(engine="sides", interpreted=True))
        assert sorted(tuple(sorted(answer)) for answer in found) == sorted(answers(problem))


@pytest.mark.parametrize("seed", range(4))
def test_reasons_say_no_more_than_follows(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        options = rng.randint(1, 6)
        side = sided.areas(rng, options)
        known = {o: rng.random() < 0.5 for o in range(options) if rng.random() < 0.5}
        taken = {o for o, on in known.items() if on}
        shape = AreasShape(side, taken, set(range(options)) - known.keys())
        left = [
            some
            for size in range(options + 1)
            for some in combinations(range(options), size)
            if all((o in some) == on for o, on in known.items()) and holds(side, some)
        ]
        forced = shape.forces({})
        if forced is None:
            assert not left
            continue
        assert all((o in some) == on for o, on in forced for some in left)
        about = {o for o in options_of(side) if o not in known}
        some = {o for o in about if rng.random() < 0.5}
        assert shape.violated(some) is not holds(side, tuple(sorted(some | taken)))


@pytest.mark.parametrize("seed", range(4))
def test_symmetries_keep_the_answers(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        problem = board(rng)
        every = set(answers(problem))
        for image in automorphisms(problem).generators:
            assert {tuple(sorted(image[o] for o in answer)) for answer in every} == every
        image = list(range(problem.options))
        rng.shuffle(image)
        if preserves(problem, tuple(image)):
            assert {tuple(sorted(image[o] for o in answer)) for answer in every} == every


def test_json_keeps_areas() -> None:
    rng = random.Random(1)
    for _ in range(40):
        problem = build([], [[]] * 5, sides=[sided.areas(rng, 5), sided.areas(rng, 5)])
        assert read_json("".join(write_json(problem))).sides == problem.sides


def test_an_option_does_not_look_at_every_area_of_a_board() -> None:
    """Areas in the middle row of a board of three rows: twice as many are about twice the work."""

    def work(wide: int) -> int:
        size = 3 * wide
        edges = [(v, v + 1) for v in range(size) if (v + 1) % wide] + [(v, v + wide) for v in range(2 * wide)]
        side = Areas(
            places=tuple((v, v) for v in range(size)),
            edges=tuple(edges),
            demands=(AreaDemand(terms=tuple((v, v, 1) for v in range(size)), sums=((2, size),)),),
        )
        taken = set(range(wide, 2 * wide, 3))
        shape = AreasShape(side, taken, set(range(size)) - taken)
        return calls_of(lambda: shape.forces({}))

    assert work(60) < 2.5 * work(30)
