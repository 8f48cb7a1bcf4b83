"""Side conditions: what they promise, what an answer is, and that no engine ignores them."""

from __future__ import annotations

import random
import re
from itertools import combinations
from typing import Any

import pytest

from covr.compiler.formats import WRITABLE, Unwritable
from covr.compiler.formats.table import FORMATS
from covr.compiler.lower.symmetry import preserves
from covr.engine import (
    ENGINES,
    AreaDemand,
    Areas,
    BatchTemplate,
    Circuit,
    Connection,
    Limits,
    Mistake,
    Settings,
    Side,
    Total,
    build,
    check,
    search,
)
from covr.engine.base.alone import Unsuited
from covr.engine.check import broken
from covr.engine.prepare.frontier import shuffle
from covr.engine.prepare.masks import take_given
from covr.engine.problem import renumbered_sides
from covr.engine.reference import holds
from covr.frozen import evolve
from covr.questions.options import Options
from covr.questions.verify import Verification
from covr.runs.question import fingerprint
from tests.engine.problems import only_sides
from tests.engine.sided import areas

SQUARE = ((0, 1), (1, 2), (2, 3), (0, 3))


def every(options: int) -> list[tuple[int, ...]]:
    return [s for k in range(options + 1) for s in combinations(range(options), k)]


TOTAL = Total(((0, 1), (1, 2), (2, 3), (3, -4)), ((-1, 0), (3, 4)), "sum")
CONNECTION = Connection(tuple((v, v) for v in range(4)), SQUARE, "sea")
CIRCUIT = Circuit(((0, 0, 1), (1, 1, 2), (2, 2, 3), (3, 0, 3), (4, 0, 2), (5, 1, 1)), "loop")


@pytest.mark.parametrize(
    ("side", "options", "answers"),
    [
        (TOTAL, 4, {(), (2,), (0, 1), (0, 2), (2, 3), (0, 1, 3), (0, 2, 3)}),
        (CONNECTION, 4, set(every(4)) - {(0, 2), (1, 3)}),
        (CIRCUIT, 6, {(0, 1, 4), (2, 3, 4), (0, 1, 2, 3), (5,)}),
        (Circuit(((0, 0, 1), (1, 0, 1), (2, 0, 1))), 3, {(0, 1), (0, 2), (1, 2)}),
        (Circuit(()), 1, set()),
        (Connection(((0, 5), (0, 9), (1, 7)), ((5, 7), (7, 9))), 2, {(), (1,), (0, 1)}),
        (Total((), ((0, 0),)), 1, {(), (0,)}),
        (Total((), ((1, 2),)), 1, set()),
        (Total(((0, 1),), ()), 1, set()),
    ],
)
def test_what_a_side_asks(side: Side, options: int, answers: set[tuple[int, ...]]) -> None:
    problem = only_sides(options, side)
    assert {s for s in every(options) if check(problem, s) is None} == answers
    found = list(search(problem, settings=Settings(engine="reference")))
    assert len(found) == len(answers) and set(found) == answers


def test_a_broken_side_is_named() -> None:
    assert check(only_sides(4, TOTAL), (0,)) == "`sum`: the total is 1, which is none of those allowed"
    assert check(only_sides(4, CONNECTION), (0, 2)) == "`sea`: what is taken does not hang together"
    assert check(only_sides(6, CIRCUIT), (0, 1)) == "`loop`: the vertex 0 is met 1 times, not twice"
    assert check(only_sides(6, CIRCUIT), (0, 1, 4, 5)) == "`loop`: the vertex 1 is met 4 times, not twice"
    assert check(only_sides(6, CIRCUIT), ()) == "`loop`: nothing is taken that could be a loop"
    assert check(only_sides(2, Circuit(((0, 0, 0), (1, 1, 1)))), (0, 1)) == "there is more than one loop"


@pytest.mark.parametrize(
    ("side", "fault"),
    [
        (Total(((1, 1), (0, 1)), ((0, 1),)), "increasing options"),
        (Total(((0, 1), (0, 2)), ((0, 1),)), "increasing options"),
        (Total(((0, 1), (4, 2)), ((0, 1),)), "increasing options"),
        (Total(((-1, 1),), ((0, 1),)), "increasing options"),
        (Total(((0, 0),), ((0, 1),)), "coefficient 0"),
        (Total(((0, 1.5),), ((0, 1),)), "whole numbers"),  # type: ignore[arg-type]
        (Total(((0, True),), ((0, 1),)), "whole numbers"),
        (Total(((0, 2**61), (1, -(2**61))), ((0, 1),)), "add up to 2"),
        (Total(((0, 1),), ((1, 0),)), "increasing ranges"),
        (Total(((0, 1),), ((0, 1), (2, 3))), "increasing ranges"),
        (Total(((0, 1),), ((3, 3), (0, 1))), "increasing ranges"),
        (Connection(((4, 0),), ()), "that there is not"),
        (Connection(((0, -1),), ()), "below 0"),
        (Connection(((0, 1),), ((1, 1),)), "u < v"),
        (Connection(((0, 1),), ((2, 1),)), "u < v"),
        (Connection(((0, 1),), ((1, 2), (1, 2))), "twice"),
        (Circuit(((0, 0, -1),)), "below 0"),
        (Circuit(((0, 0, 1), (0, 1, 2))), "increasing options"),
        ("a side", "no Total"),
    ],
)
def test_what_is_no_side_is_refused(side: Side, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        only_sides(4, side)


def test_sides_make_a_problem_impure() -> None:
    pure = build([(1, 1)], [[0], [0]])
    mixed = build([(1, 1)], [[0], [0]], sides=[Total(((1, 1),), ((0, 0),))])
    assert pure.is_pure and pure.is_exact
    assert not mixed.is_pure and not mixed.is_exact and not mixed.is_cover
    assert pure != mixed


def test_shuffling_moves_the_sides() -> None:
    problem = only_sides(6, TOTAL, CONNECTION, CIRCUIT)
    for seed in range(5):
        moved, old = shuffle(problem, seed)
        for s in every(6):
            back = tuple(sorted(old[o] for o in s))
            assert (check(moved, s) is None) == (check(problem, back) is None)
    assert renumbered_sides(problem.sides, range(6)) == problem.sides


@pytest.mark.parametrize("engine", sorted(set(ENGINES) - {"auto", "sides", "reference", "highs", "cpsat", "clingo"}))
def test_engines_that_know_no_sides_say_so(engine: str) -> None:
    for goal in {"mixed": ("all",)}.get(engine, ("all", "minimum")):
        with pytest.raises(Unsuited, match="totals, connections, loops and areas"):
            search(only_sides(4, TOTAL), goal=goal, settings=Settings(engine=engine))


def test_helpers_that_know_no_sides_say_so() -> None:
    problem = only_sides(4, TOTAL)
    for ask in (lambda: take_given(problem),):
        with pytest.raises(Unsuited, match="totals, connections, loops and areas"):
            ask()
    for name in WRITABLE:
        if "Total" in FORMATS[name].says:
            assert list(FORMATS[name].writer(problem))
        else:
            with pytest.raises(Unwritable, match='no words for the total "sum"'):
                list(FORMATS[name].writer(problem))


def test_symmetries_of_sides_are_known() -> None:
    sums = ((1, 2),)
    problem = only_sides(4, Total(((0, 1), (1, 1)), sums, "a"), Total(((2, 1), (3, 1)), sums, "b"))
    assert preserves(problem, (1, 0, 2, 3)) and preserves(problem, (2, 3, 0, 1))
    assert not preserves(problem, (0, 2, 1, 3))
    assert not preserves(only_sides(4, TOTAL), (1, 0, 2, 3))
    assert preserves(only_sides(4, CONNECTION), (1, 2, 3, 0))
    assert not preserves(only_sides(4, CONNECTION), (1, 0, 2, 3))


def test_the_checksum_of_a_run_hears_of_sides() -> None:
    sums = {fingerprint(only_sides(4, *sides), None) for sides in ((), (TOTAL,), (CONNECTION,), (TOTAL, CONNECTION))}
    assert len(sums) == 4


def test_a_second_search_agrees_or_says_so() -> None:
    problem = only_sides(4, TOTAL, CONNECTION)
    first = search(problem)
    number = len(list(first))
    second = Verification(problem, Options(), lambda seconds, nodes: Limits())
    assert second.number(first, number, None, None).done
    with pytest.raises(Mistake):
        second.number(first, number + 1, None, None)
    cheap = build([], [[]] * 4, costs=[3, 1, 2, 5], sides=[TOTAL, Total(tuple((o, 1) for o in range(4)), ((2, 4),))])
    first = search(cheap, goal="minimum")
    list(first)
    assert first.best == 4 and Verification(cheap, Options(), lambda seconds, nodes: Limits()).best(first, 4).done


def test_batches_heed_sides() -> None:
    problem = build([(1, 1)], [[0], [0], [0]], sides=[Total(((1, 1),), ((0, 0),))])
    template = BatchTemplate(problem, limit=3)
    assert [len(found) for found in template.solve([[], [0], [1]])] == [2, 1, 0]


@pytest.mark.parametrize("answers", [1, 2])
def test_few_answers_and_many_threads_heed_sides(answers: int) -> None:
    problem = build([(1, 1)], [[0]] * 9, sides=[Total(tuple((o, o) for o in range(1, 9)), ((5, 6),))])
    found = list(search(problem, limits=Limits(answers=answers), settings=Settings(jobs=2)))
    assert len(found) == answers and set(found) <= {(5,), (6,)}


@pytest.mark.parametrize("seed", range(6))
def test_both_oracles_agree_about_areas(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        options = rng.randint(1, 6)
        side = areas(rng, options)
        assert build([], [[]] * options, sides=[side]).sides == (side,)
        for taken in every(options):
            assert holds(side, taken) == (broken(side, set(taken)) is None), (side, taken)


FLAT = Areas(tuple((v, v) for v in range(4)), SQUARE, (AreaDemand(tuple((v, v, 1) for v in range(4)), ((2, 2),)),))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"cuts": ((0, 0, 2),)}, "cuts what is no edge"),
        ({"cuts": ((9, 0, 1),)}, "names an option that there is not"),
        ({"always": (1, 1)}, "does not name increasing vertices"),
        ({"demands": (AreaDemand(((0, 0, 0),), ()),)}, "a weight 0"),
        ({"demands": (AreaDemand(((0, 0, 1), (0, 0, 2)), ()),)}, "are not increasing"),
        ({"demands": (AreaDemand(((0, 0, 2**62),), ()),)}, "2^62 or more"),
        ({"demands": (AreaDemand((), ((1, 2), (3, 4))),)}, "not increasing ranges"),
        ({"demands": (AreaDemand((), (), (2, 1)),)}, "does not name increasing vertices"),
        ({"edges": ((1, 0),)}, "no pair of vertices"),
    ],
)
def test_areas_that_are_wrong(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=re.escape(fault)):
        build([], [[]] * 4, sides=[evolve(FLAT, **change)])


def test_areas_of_two_and_a_wall_between_them() -> None:
    assert [t for t in every(4) if holds(FLAT, t)] == [(), (0, 1), (0, 3), (1, 2), (2, 3)]
    walled = Areas((), SQUARE, (), (0, 1, 2, 3), tuple((o, u, v) for o, (u, v) in enumerate(SQUARE)))
    assert [t for t in every(4) if not holds(walled, t)] == [(0,), (1,), (2,), (3,)]
