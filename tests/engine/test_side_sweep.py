"""Diagrams and counts of problems with loops, connections and totals, by a sweep over the options."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from attrs import evolve

from covr.engine import Areas, Circuit, Connection, Problem, Total, build, search
from covr.engine.base.alone import Unsuited
from covr.engine.check import check
from covr.engine.counting import side_sweep
from covr.engine.counting.side_sweep import PackedSweep, TooWide, order_of, promised
from covr.engine.diagrams.diagram import TooLarge, build_diagram
from covr.engine.settings import CountPace, Pace, Settings
from tests.each import each
from tests.engine.sided import SMALL
from tests.engine.sided import sided as any_sided
from tests.shared import seeds


def sided(rng: random.Random, most: int = SMALL) -> Problem:
    """A random problem whose sides a sweep can hold."""
    problem = any_sided(rng, most)
    return evolve(problem, sides=tuple([side for side in problem.sides if not isinstance(side, Areas)]))


def test_areas_are_refused() -> None:
    side = Areas(((0, 0),), (), ())
    with pytest.raises(Unsuited, match="areas can't be decided"):
        PackedSweep(build([], [[]], sides=[side]), True, 1 << 20)


pytestmark = pytest.mark.long

ROOM = 1 << 30

# Loops of a grid of n by n squares (OEIS A140517), and paths from corner to opposite corner (A007764).
LOOPS = [1, 13, 213, 9349, 1222363, 487150371, 603841648931, 2318527339461265, 27359264067916806101]
PATHS = [2, 12, 184, 8512, 1262816, 575780564, 789360053252, 3266598486981642, 41044208702632496804]
# Of 10 to 12 squares, for the slow tests: the last take half a minute each.
MORE_LOOPS = [988808811046283595068099, 109331355810135629946698361371, 36954917962039884953387868334644457]
MORE_PATHS = [1568758030464750013214100, 182413291514248049241470885236, 64528039343270018963357185158482118]


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


def end_of(sweep: PackedSweep, states: int = 2000) -> int:
    """The count, with a pause after so many states."""
    while not sweep.run(states):
        assert sweep.wanted <= ROOM
    assert sweep.count is not None
    return sweep.count


def counted(problem: Problem) -> int:
    return end_of(PackedSweep(problem, False, ROOM))


def arcs_of(sweep: PackedSweep) -> list[list[list[int]]]:
    """Where states lead, layer by layer: for states in the order in which a search from the first one meets them, so
    that sweeps which number them in another way can be compared."""
    end_of(sweep)
    lows, highs = sweep.arcs()
    found: list[list[list[int]]] = []
    layer = [0]
    for low, high in zip(lows, highs, strict=True):
        new: dict[int, int] = {-1: -1}
        rows = [[new.setdefault(to, len(new) - 1) for to in (low[k], high[k])] for k in layer]
        found.append(rows)
        layer = [k for k in new if k >= 0]
    return found


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
        assert end_of(PackedSweep(problem, False, ROOM, seed % 2 == 0), 1) == len(expected)


@each("seed", seeds(30))
def test_any_order_gives_the_same_count(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1000 + seed)
    problem = sided(rng)
    order = rng.sample(range(problem.options), problem.options)
    expected = len(answers_of(problem))
    monkeypatch.setattr("covr.engine.counting.side_sweep.order_of", lambda _: order)
    assert counted(problem) == expected


@each("seed", seeds(30))
def test_the_kernel_has_the_same_states_compiled_and_interpreted(seed: int) -> None:
    """On problems that are too large for brute force: the same states, which lead to the same ones; and as many answers
    as a search meets."""
    rng = random.Random(3000 + seed)
    problem = sided(rng, rng.choice((10, 14, 18)))
    compiled, interpreted = (PackedSweep(problem, True, ROOM, plain) for plain in (False, True))
    assert arcs_of(compiled) == arcs_of(interpreted)
    assert compiled.states == interpreted.states
    expected = search(evolve(problem, costs=()), settings=Settings(jobs=1, engine="sides")).count()
    for plain in (False, True):
        assert end_of(PackedSweep(problem, False, ROOM, plain), 7) == expected


@each("options", [1, 2, 63, 64, 65, 127, 128, 129, 200])
def test_counts_of_any_length(options: int) -> None:
    """Options that are free but for one total, whose answers a formula counts; numbers of one word to four."""
    from math import comb

    rng = random.Random(options)
    taken = rng.randint(0, options)
    total = Total(tuple((o, 3) for o in range(options)), ((3 * taken, 3 * taken),))
    problem = build([], [[] for _ in range(options)], sides=[total])
    for interpreted in (False, True):
        assert end_of(PackedSweep(problem, False, ROOM, interpreted)) == comb(options, taken)
    free = build([], [[] for _ in range(options)], sides=[Total(((0, 1),), ((0, 1),))])
    assert counted(free) == 2**options


@each("items", [1, 63, 64, 65, 127, 128, 129, 511, 513, 1500])
def test_states_may_have_any_length(items: int) -> None:
    """An option for each item, and one for all of them, which comes last: as many cells as items are open at once. All
    but three of the first are given, so that there are few states."""
    rows = [*([i] for i in range(items)), list(range(items))]
    side = Total(((items, 1),), ((0, 1),))
    problem = build([(1, 3)] * items, rows, given=tuple(range(3, items)), sides=[side])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(side_sweep, "order_of", lambda _: list(range(items + 1)))
        assert end_of(PackedSweep(problem, False, ROOM)) == 2 ** min(items, 3) + 1


def test_slots_beyond_a_cell_are_left_to_the_search() -> None:
    """A star with 260 rays, each of which touches the middle: a vertex of each is open until the last option."""
    rays = 260
    edges = tuple((0, v) for v in range(1, rays + 1))
    places = (*((v - 1, v) for v in range(1, rays + 1)), (rays, 0))
    problem = build([], [[] for _ in range(rays + 1)], sides=[Connection(places, edges)], given=tuple(range(2, rays)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(side_sweep, "order_of", lambda _: list(range(rays + 1)))
        with pytest.raises(TooWide):
            PackedSweep(problem, False, ROOM)
        with pytest.raises(TooLarge):
            build_diagram(problem, ROOM)
        pace = Pace(counts=CountPace(sided=1))
        assert search(problem, settings=Settings(jobs=1, pace=pace)).count() == 4


def test_a_sweep_without_room_says_so() -> None:
    """And does not go on; however the room is spent, on states, on their numbers, or on what they lead to."""
    for keep, room in ((False, 60_000), (True, 60_000), (True, 30_000_000)):
        for interpreted in (False, True)[: 1 + (room < 100_000)]:
            sweep = PackedSweep(loops(grid(8)), keep, room, interpreted)
            for _ in range(10_000):
                assert not sweep.run(500)
                if sweep.wanted > room:
                    break
            else:
                pytest.fail("it goes on")
            for _ in range(100):  # a diagram is given up before the kernel's own memory is full
                assert not sweep.run(500) and sweep.wanted > room


@each("seed", seeds(30))
def test_an_order_has_every_option_once(seed: int) -> None:
    problem = sided(random.Random(seed), 30)
    assert sorted(order_of(problem)) == list(range(problem.options))
    assert promised(problem) >= 0


@each("n", range(1, 10))
def test_loops_and_paths_are_as_many_as_published(n: int) -> None:
    assert counted(loops(grid(n))) == LOOPS[n - 1]
    assert counted(paths(n)) == PATHS[n - 1]
    if n < 7:
        assert build_diagram(paths(n), ROOM).count == PATHS[n - 1]


@pytest.mark.slow
@each("n", range(10, 13))
def test_more_loops_and_paths_are_as_many_as_published(n: int) -> None:
    assert counted(loops(grid(n))) == MORE_LOOPS[n - 10]
    assert counted(paths(n)) == MORE_PATHS[n - 10]


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
def test_turns_count_what_the_search_counts(seed: int) -> None:
    rng = random.Random(seed)
    pace = Pace(counts=CountPace(sided=rng.choice((1, 5, 50))))
    problem = sided(rng, 14)
    plain = search(evolve(problem, costs=()), settings=Settings(jobs=1, engine="sides")).count()
    assert search(evolve(problem, costs=()), settings=Settings(jobs=1, pace=pace)).count() == plain


def test_a_sweep_that_is_too_wide_gives_way() -> None:
    pace = Pace(counts=CountPace(sided=20))
    for values in ({"MOST": 1}, {"MOST_OPTIONS": 3}):
        with pytest.MonkeyPatch.context() as patch:
            for name, value in values.items():
                patch.setattr(side_sweep, name, value)
            assert search(loops(grid(4)), settings=Settings(jobs=1, pace=pace)).count() == LOOPS[3]
    assert search(loops(grid(4)), settings=Settings(jobs=2, memory=1000, pace=pace)).count() == LOOPS[3]


def test_a_diagram_that_does_not_fit_says_so() -> None:
    with pytest.raises(TooLarge) as told:
        build_diagram(loops(grid(6)), 1 << 20)
    assert told.value.wanted > 1 << 20


def test_no_options_leave_one_answer_or_none() -> None:
    for sums, expected in ((((0, 0),), 1), (((1, 2),), 0)):
        problem = build([], [], sides=[Total((), sums)])
        assert counted(problem) == build_diagram(problem, ROOM).count == expected
