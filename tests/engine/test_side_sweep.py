"""Diagrams and counts of problems with loops, connections and totals, by a sweep over the options."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from attrs import evolve

from covr.engine import Circuit, Connection, Problem, Total, build, search
from covr.engine.check import check
from covr.engine.counting import side_count
from covr.engine.counting.side_sweep import HEED, SideSweep, order_of, promised
from covr.engine.diagrams.build import TooLarge, build_diagram
from covr.engine.settings import Settings
from tests.constants import Constants
from tests.each import each
from tests.engine.sided import sided
from tests.shared import seeds

pytestmark = pytest.mark.long

ROOM = 1 << 30

LOOPS = [1, 13, 213, 9349, 1222363, 487150371, 603841648931]  # OEIS A140517: loops of a grid of n by n squares
PATHS = [2, 12, 184, 8512, 1262816, 575780564, 789360053252]  # OEIS A007764: paths from corner to opposite corner
# Later values of both, for the slow tests.
MORE_LOOPS = [2318527339461265, 27359264067916806101]
MORE_PATHS = [3266598486981642, 41044208702632496804]


def answers_of(problem: Problem) -> list[tuple[int, ...]]:
    every = range(problem.options)
    return [a for k in range(problem.options + 1) for a in combinations(every, k) if check(problem, a) is None]


def grid(n: int) -> list[tuple[int, int]]:
    """The edges of n by n squares, whose corners are numbered row by row."""
    wide = n + 1
    places = [(r, c) for r in range(wide) for c in range(wide)]
    return [(r * wide + c, to[0] * wide + to[1]) for r, c in places for to in ((r, c + 1), (r + 1, c)) if max(to) <= n]


def loops(edges: list[tuple[int, int]], given: tuple[int, ...] = ()) -> Problem:
    ends = tuple((o, u, v) for o, (u, v) in enumerate(edges))
    return build([], [[] for _ in edges], given=given, sides=[Circuit(ends)])


def paths(n: int) -> Problem:
    """A path from corner to corner is a loop through a line that joins the two."""
    edges = [*grid(n), (0, (n + 1) ** 2 - 1)]
    return loops(edges, (len(edges) - 1,))


def counted(problem: Problem) -> int:
    sweep = SideSweep(problem, keep=False)
    while not sweep.run(HEED):
        pass
    assert sweep.count is not None
    return sweep.count


@each("seed", seeds(40))
def test_a_sweep_has_exactly_the_answers(seed: int) -> None:
    """In whatever order the options are decided, and with whatever pauses."""
    rng = random.Random(seed)
    for _ in range(15):
        problem = sided(rng)
        expected = sorted(answers_of(problem))
        assert counted(problem) == len(expected)
        diagram = build_diagram(problem, ROOM)
        assert diagram.fault() is None
        assert sorted(diagram.paths()) == expected
        assert diagram.count == len(expected)
        keys = list(zip(diagram.level, diagram.low, diagram.high, strict=True))[2:]
        assert len(set(keys)) == len(keys), "the diagram is reduced"
        slow = SideSweep(problem, keep=False)
        while not slow.run(1):
            pass
        assert slow.count == len(expected)


@each("seed", seeds(30))
def test_any_order_gives_the_same_count(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1000 + seed)
    problem = sided(rng)
    order = rng.sample(range(problem.options), problem.options)
    expected = len(answers_of(problem))
    monkeypatch.setattr("covr.engine.counting.side_sweep.order_of", lambda _: order)
    assert counted(problem) == expected


@each("seed", seeds(30))
def test_an_order_has_every_option_once(seed: int) -> None:
    problem = sided(random.Random(seed), 30)
    assert sorted(order_of(problem)) == list(range(problem.options))
    assert promised(problem) >= 0


@pytest.mark.parametrize("n", range(1, 7))
def test_loops_and_paths_are_as_many_as_published(n: int) -> None:
    assert counted(loops(grid(n))) == LOOPS[n - 1]
    assert counted(paths(n)) == PATHS[n - 1]
    assert build_diagram(paths(n), ROOM).count == PATHS[n - 1]


@pytest.mark.slow
@pytest.mark.parametrize("n", [7, 8, 9])
def test_more_loops_and_paths_are_as_many_as_published(n: int) -> None:
    assert counted(loops(grid(n))) == [*LOOPS, *MORE_LOOPS][n - 1]
    assert counted(paths(n)) == [*PATHS, *MORE_PATHS][n - 1]


def test_connected_squares_are_as_many_as_brute_force_finds() -> None:
    for high, wide in ((2, 3), (3, 3), (3, 4)):
        places = [(r, c) for r in range(high) for c in range(wide)]
        number = {place: k for k, place in enumerate(places)}
        edges = tuple((number[r, c], number[to]) for r, c in places for to in ((r, c + 1), (r + 1, c)) if to in number)
        problem = build([], [[] for _ in places], sides=[Connection(tuple((k, k) for k in range(len(places))), edges)])
        assert counted(problem) == len(answers_of(problem))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_count_goes_over_to_the_sweep(jobs: int) -> None:
    """487 150 371 loops are too many to be visited one by one."""
    run = search(loops(grid(6)), settings=Settings(jobs=jobs))
    assert run.count() == LOOPS[5]
    assert run.counters.nodes < 200_000


@each("seed", seeds(12))
def test_turns_count_what_the_search_counts(seed: int, constants: Constants) -> None:
    rng = random.Random(seed)
    constants(side_count, PATIENCE=rng.choice((1, 5, 50)))
    problem = sided(rng, 14)
    plain = search(evolve(problem, costs=()), settings=Settings(jobs=1, engine="sides")).count()
    assert search(evolve(problem, costs=()), settings=Settings(jobs=1)).count() == plain


def test_a_sweep_that_is_too_wide_gives_way(constants: Constants) -> None:
    constants(side_count, PATIENCE=20)
    for values in ({"MOST": 1}, {"MOST_OPTIONS": 3}):
        with pytest.MonkeyPatch.context() as patch:
            for name, value in values.items():
                patch.setattr(side_count, name, value)
            assert search(loops(grid(4)), settings=Settings(jobs=1)).count() == LOOPS[3]
    assert search(loops(grid(4)), settings=Settings(jobs=2, memory=1000)).count() == LOOPS[3]


def test_a_diagram_that_does_not_fit_says_so() -> None:
    with pytest.raises(TooLarge) as told:
        build_diagram(loops(grid(6)), 1 << 20)
    assert told.value.wanted > 1 << 20


def test_no_options_leave_one_answer_or_none() -> None:
    for sums, expected in ((((0, 0),), 1), (((1, 2),), 0)):
        problem = build([], [], sides=[Total((), sums)])
        assert counted(problem) == build_diagram(problem, ROOM).count == expected
