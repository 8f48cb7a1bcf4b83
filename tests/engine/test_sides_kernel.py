"""The engine `sides` is compared with brute force and with its twin in Python, and tried by laws and on puzzles."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations

import pytest
from attrs import evolve

from covr.engine import (
    Circuit,
    Connection,
    Limits,
    Problem,
    Settings,
    Side,
    Status,
    Total,
    build,
    check,
    cost,
    count,
    portfolio,
    search,
)
from covr.engine.base.alone import Unsuited
from covr.engine.kernels.loading import load
from covr.engine.outside import clingo
from covr.engine.prepare.sides import TotalSums, side_arrays
from covr.engine.priors import SHARES
from tests.each import each
from tests.engine.problems import only_sides, queens, toy
from tests.engine.schedules import first_pace
from tests.engine.side_puzzles import (
    grid_edges,
    killer,
    knapsack,
    knight,
    magic,
    nurikabe,
    slitherlink,
    tours,
)
from tests.engine.sided import side_by_side, sided
from tests.fuzz.sided import many
from tests.shared import IN_GATE, seeds

pytestmark = pytest.mark.long

SIDES = Settings(engine="sides")


# --- random problems ---


@each("seed", range(4))
def test_random_problems_have_the_answers_of_brute_force(seed: int) -> None:
    assert many(30, 1000 + seed) == []


@each("seed", seeds(30))
def test_the_twin_visits_the_same_nodes(seed: int) -> None:
    problem = sided(random.Random(seed), 14)
    for goal in ("all", "minimum"):
        one, two = (
            search(problem, goal=goal, settings=Settings(engine="sides", interpreted=twin)) for twin in (False, True)
        )
        assert list(one) == list(two)
        assert one.counters == two.counters


@pytest.mark.parametrize(
    ("make", "values"), [(magic, (3,)), (killer, (4, 2, 2, 1)), (slitherlink, (3, 1, 0.4)), (nurikabe, (4, 2, 3))]
)
def test_the_twin_visits_the_same_nodes_of_puzzles(make: Callable[..., Problem], values: tuple[float, ...]) -> None:
    problem = make(*values)
    one, two = (search(problem, settings=Settings(engine="sides", interpreted=twin)) for twin in (False, True))
    assert list(one) == list(two)
    assert one.counters == two.counters


def test_the_twin_is_not_compiled() -> None:
    assert not load("_sides", interpreted=True).COMPILED


@each("seed", seeds(40))
def test_without_sides_it_finds_what_links_find(seed: int) -> None:
    problem = evolve(sided(random.Random(seed), 30), sides=())
    limits = Limits(nodes=20_000)
    links = search(problem, limits=limits, settings=Settings(engine="links"))
    own = search(problem, limits=Limits(nodes=60_000), settings=SIDES)
    answers = sorted(links)
    if links.status is Status.EXHAUSTED:
        assert sorted(own) == answers


@pytest.mark.parametrize(("problem", "answers"), [(toy(), 1), (queens(6), 4), (queens(8), 92)])
def test_exact_covers_are_counted_too(problem: Problem, answers: int) -> None:
    assert count(problem, settings=SIDES).value == answers


@each("seed", seeds(30))
def test_a_total_of_ones_is_an_item(seed: int) -> None:
    rng = random.Random(seed)
    problem = sided(rng, 12)
    named = sorted(rng.sample(range(problem.options), rng.randint(0, problem.options)))
    low = rng.randint(0, 3)
    high = low + rng.randint(0, 3)
    said = Total(tuple((o, 1) for o in named), ((low, high),))
    rows = [
        list(zip(problem.option(o), problem.option_colours(o), strict=True))
        for o in range(problem.options)
    ]  # fmt: skip
    first = low > 0  # where the new item goes: primary ones come first
    moved = [[((0, 0) if first else (problem.items, 0))] if o in named else [] for o in range(problem.options)]
    for o, row in enumerate(rows):
        moved[o] += [(i + first, c) for i, c in row]
    bounds = list(zip(problem.low, problem.high, strict=True))
    bounds.insert(0 if first else len(bounds), (low, high))
    as_item = build(bounds, moved, given=problem.given, sides=problem.sides)
    as_side = evolve(problem, costs=(), sides=(*problem.sides, said))
    assert sorted(search(as_item, settings=SIDES)) == sorted(search(as_side, settings=SIDES))


@each("seed", range(3 if IN_GATE or not load("_sides").COMPILED else 10))
def test_side_by_side_numbers_of_answers_multiply(seed: int) -> None:
    parts: list[Problem] = []
    expected, k = 1, 0
    while sum(p.options for p in parts) < 130:
        problem = sided(random.Random(f"{seed}/{k}"))
        number = count(problem).value
        k += 1
        if number and expected * number <= 5000:
            parts.append(problem)
            expected *= number
    whole = side_by_side(parts)
    assert whole.options >= 130
    assert count(whole).value == expected
    assert count(whole, settings=Settings(seed=seed)).value == expected


# --- totals ---


@pytest.mark.parametrize("top", [62, 63, 64, 65, 126, 127, 128, 129, 191, 192, 193, 20_000])
@pytest.mark.parametrize("sign", [1, -1])
def test_sums_at_the_ends_of_words(top: int, sign: int) -> None:
    """How many sets have a sum: by dynamic programming. Above some thousands, only bounds are kept."""
    rng = random.Random(top)
    weights = [rng.randint(1, top // 3) for _ in range(11)] + [top]
    sets = [0] * (sum(weights) + 1)
    sets[0] = 1
    for w in weights:
        for s in range(len(sets) - 1, w - 1, -1):
            sets[s] += sets[s - w]
    for wanted in (0, 1, top - 1, top, top + 1, top + 64):
        ranges = ((wanted, wanted), (wanted + 2, wanted + 5))
        sums = ranges if sign > 0 else tuple(sorted((-b, -a) for a, b in ranges))
        problem = only_sides(12, Total(tuple((o, sign * w) for o, w in enumerate(weights)), sums))
        expected = sets[wanted] + sum(sets[wanted + 2 : wanted + 6])
        assert count(problem).value == expected


def test_what_excludes_each_other_is_added_up_exactly() -> None:
    """Five cells of 0, 6, 10 and 15: no sum of 29, which lies well between the least and the most."""
    numbers = (0, 6, 10, 15)
    rows = [[cell] for cell in range(5) for _ in numbers]
    total = Total(tuple((k, n) for k in range(20) if (n := numbers[k % 4])), ((29, 29),))
    run = search(build([(1, 1)] * 5, rows, sides=[total]))
    assert list(run) == [] and run.counters.nodes == 1


def test_a_cage_knows_which_digits_are_different() -> None:
    """Three different digits that add up to 7 are 1, 2 and 4, before anything is tried."""
    rows = [[cell, 3 + d] for cell in range(3) for d in range(9)]
    problem = build(
        [(1, 1)] * 3 + [(0, 1)] * 9,
        rows,
        sides=[Total(tuple((cell * 9 + d, d + 1) for cell in range(3) for d in range(9)), ((7, 7),))],
    )
    run = search(problem)
    assert len(list(run)) == 6
    assert run.counters.nodes == 11  # the root, and both ways of two digits out of three, then of one out of two
    assert len(TotalSums(problem).of(problem.sides[0])) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [2**40, 2**57, 2**61 - 1])
def test_large_numbers_do_not_overflow(number: int) -> None:
    problem = only_sides(3, Total(((0, number), (1, -number), (2, 1)), ((1, 1), (number, number))))
    assert set(search(problem)) == {(0,), (2,), (0, 1, 2)}


# --- connections and circuits ---


@pytest.mark.parametrize(("n", "connected"), [(1, 1), (2, 13), (3, 218), (4, 11506)])
def test_connected_sets_of_cells_are_as_many_as_published(n: int, connected: int) -> None:
    """Source of the numbers: OEIS A059525; the empty set comes on top."""
    problem = only_sides(n * n, Connection(tuple((k, k) for k in range(n * n)), grid_edges(n)))
    assert count(problem).value == connected + 1


@pytest.mark.parametrize(("n", "loops"), [(1, 1), (2, 13), (3, 213), (4, 9349)])
def test_loops_on_a_grid_are_as_many_as_published(n: int, loops: int) -> None:
    """Closed loops on n by n cells. Source of the numbers: OEIS A140517."""
    corners = (n + 1) ** 2
    problem = only_sides(2 * n * (n + 1), Circuit(tuple((k, u, v) for k, (u, v) in enumerate(grid_edges(n + 1)))))
    assert corners > 0 and count(problem).value == loops


def test_many_loops_at_once_are_found_to_be_impossible() -> None:
    two = Circuit(((0, 0, 1), (1, 1, 2), (2, 0, 2), (3, 3, 4), (4, 4, 5), (5, 3, 5)))
    run = search(build([(1, 1)] * 2, [[0], [], [], [1], [], []], sides=[two]))
    assert list(run) == [] and run.counters.nodes == 1


# --- puzzles: the numbers of nodes are pinned ---


@pytest.mark.parametrize(
    ("make", "values", "answers", "nodes"),
    [
        (magic, (3,), 8, 59),
        (killer, (6, 2, 3, 0), 6, 11),
        (killer, (6, 2, 3, 1), 4, 15),
        (slitherlink, (7, 0, 0.7), 1, 3),
        (slitherlink, (7, 1, 0.7), 1, 5),
        (nurikabe, (6, 0), 2, 27),
        (nurikabe, (6, 3), 12, 39),
        pytest.param(nurikabe, (10, 1, 5), 180, 2317, marks=pytest.mark.slow),  # a millisecond a node
        (tours, (grid_edges(6), 36), 1072, 2143),
        (knight, (6,), 9862, 24589),
    ],
    ids=["magic 3", "killer 0", "killer 1", "slitherlink 0", "slitherlink 1", "nurikabe 0", "nurikabe 3",
         "nurikabe 10", "tours 6 by 6", "knight 6 by 6"],
)  # fmt: skip
def test_puzzles_take_pinned_work(
    make: Callable[..., Problem], values: tuple[float, ...], answers: int, nodes: int
) -> None:
    if nodes > 10_000 and not load("_sides").COMPILED:
        pytest.skip("takes ten seconds without the compiled kernel")
    problem = make(*values)  # here, and not where the tests are collected: every process would make all of them
    run = search(problem)
    found = list(run)
    assert len(set(found)) == len(found) == answers
    assert all(check(problem, a) is None for a in found[:50])
    assert run.counters.nodes == nodes


@pytest.mark.slow
@pytest.mark.skipif(not load("_sides").COMPILED, reason="takes a minute without the compiled kernel")
def test_magic_squares_of_side_4_are_counted() -> None:
    found = count(magic(4))
    assert (found.value, found.status, found.counters.nodes) == (7040, Status.EXHAUSTED, 107_813)


# --- costs ---


@pytest.mark.parametrize(("things", "nodes"), [(10, 43), (25, 279), (40, 1393)])
def test_knapsacks_take_pinned_work(things: int, nodes: int) -> None:
    if nodes > 1000 and not load("_sides").COMPILED:
        pytest.skip("takes ten seconds without the compiled kernel")
    rng = random.Random(things)
    weights = [rng.randint(5, 60) for _ in range(things)]
    values = [w + rng.randint(0, 10) for w in weights]
    room = sum(weights) // 2
    best = [0] * (room + 1)
    for w, v in zip(weights, values, strict=True):
        for s in range(room, w - 1, -1):
            best[s] = max(best[s], best[s - w] + v)
    problem = knapsack(weights, values, room)
    run = search(problem, goal="minimum", settings=Settings(engine="sides"))
    answers = list(run)
    assert -cost(problem, answers[-1]) == best[room] and run.bound == -best[room]
    assert run.counters.nodes == nodes


def rota(seed: int) -> Problem:
    """Five people, five days, three shifts; at most one shift a day, 16 to 30 hours each, at the least cost."""
    rng = random.Random(seed)
    hours = (8, 8, 10)
    rows = [[d * 3 + s, 15 + p * 5 + d] for p in range(5) for d in range(5) for s in range(3)]
    sides = [
        Total(tuple(((p * 5 + d) * 3 + s, hours[s]) for d in range(5) for s in range(3)), ((16, 30),))
        for p in range(5)
    ]  # fmt: skip
    return build([(1, 1)] * 15 + [(0, 1)] * 25, rows, costs=[rng.randint(0, 9) for _ in rows], sides=sides)


def depots(towns: int, places: int, seed: int) -> Problem:
    """Every town is served by a depot that is open, at the least cost of ways and of depots."""
    rng = random.Random(seed)
    ways = [rng.randint(1, 30) for _ in range(towns * places)]
    first = towns * places
    return build(
        [(1, 1)] * towns,
        [*([t] for t in range(towns) for _ in range(places)), *([] for _ in range(places))],
        costs=[*ways, *(rng.randint(10, 40) for _ in range(places))],
        sides=[
            Total(((t * places + d, -1), (first + d, 1)), ((0, 1),), f"{t} is served by an open depot {d}")
            for t in range(towns)
            for d in range(places)
        ],
    )


@pytest.mark.parametrize(("towns", "places", "nodes"), [(8, 4, 53), (20, 8, 659)])
def test_depots_pay_for_towns(towns: int, places: int, nodes: int) -> None:
    problem = depots(towns, places, 7)
    costs = problem.costs
    best = min(
        sum(costs[towns * places + d] for d in some)
        + sum(min(costs[t * places + d] for d in some) for t in range(towns))
        for k in range(1, places + 1)
        for some in combinations(range(places), k)
    )
    run = search(problem, goal="minimum")
    answers = list(run)
    assert cost(problem, answers[-1]) == best == run.bound
    assert run.counters.nodes == nodes


@pytest.mark.parametrize("engine", ["highs", "cpsat"])
def test_outside_programs_find_the_same_minima_of_totals(engine: str) -> None:
    pytest.importorskip("highspy" if engine == "highs" else "ortools")
    for seed in range(4):
        problem = rota(seed)
        try:
            outside = search(problem, goal="minimum", settings=Settings(engine=engine))
        except Unsuited as unsuited:  # the two can't be loaded by one process
            pytest.skip(str(unsuited))
        costs = [cost(problem, a) for a in outside]
        assert costs[-1] == [cost(problem, a) for a in search(problem, goal="minimum")][-1]
        apart = evolve(problem, sides=(*problem.sides, Total(((0, 2), (3, 3), (7, 4)), ((0, 0), (3, 5), (9, 9)))))
        costs = [cost(apart, a) for a in search(apart, goal="minimum", settings=Settings(engine=engine))]
        assert costs[-1] == [cost(apart, a) for a in search(apart, goal="minimum")][-1]
    for side in (Connection(((0, 0),), ()), Circuit(((0, 0, 0),))):
        with pytest.raises(Unsuited, match="no connections, loops and areas"):
            search(only_sides(1, side), goal="minimum", settings=Settings(engine=engine))


def test_numbers_too_large_for_floats_are_refused() -> None:
    pytest.importorskip("highspy")
    with pytest.raises(Unsuited, match=r"counts in floats|can't load"):
        search(only_sides(2, Total(((0, 2**40), (1, 1)), ((0, 1),))), goal="minimum", settings=Settings(engine="highs"))


# --- how it is asked ---


def test_the_engine_says_who_answers() -> None:
    problem = magic(3)
    assert search(problem).engine.startswith("totals, connections and loops (")
    assert search(problem, goal="minimum").engine == search(problem).engine
    assert not search(queens(5)).engine.startswith("totals")
    assert search(queens(5), settings=SIDES).engine.startswith("items weighed by dead ends (")


def test_seeds_change_the_order_and_nothing_else() -> None:
    problem = magic(3)
    orders = [list(search(problem, settings=Settings(seed=seed))) for seed in (None, 1, 1, 2, 3)]
    assert orders[1] == orders[2] and len({tuple(order) for order in orders}) > 1
    assert all(sorted(order) == sorted(orders[0]) for order in orders)


def test_limits_are_met_exactly() -> None:
    # Interpreted, ten thousand nodes take seconds.
    problem, many = (knight(6), 12_345) if load("_sides").COMPILED else (tours(grid_edges(6), 36), 1234)
    whole = list(search(problem))
    for nodes in (0, 1, 2, 100, many):
        run = search(problem, limits=Limits(nodes=nodes))
        found = list(run)
        assert (run.status, run.counters.nodes) == (Status.LIMIT, nodes)
        assert found == whole[: len(found)]
    assert list(search(problem, limits=Limits(answers=17))) == whole[:17]
    run = search(magic(5), limits=Limits(seconds=0.2))
    list(run)
    assert run.status is Status.LIMIT and run.seconds < 5


def test_an_interrupt_ends_it() -> None:
    run = search(magic(5))
    run.step(1000 if load("_sides").COMPILED else 20)
    run.interrupt()
    assert not run.step(1000) and run.status is Status.INTERRUPTED


def test_progress_never_goes_back() -> None:
    # Interpreted, the knight's 24 589 nodes take seconds.
    fast = load("_sides").COMPILED
    run = search(knight(6) if fast else tours(grid_edges(6), 36))
    before = 0.0
    while run.step(500 if fast else 50):
        run.waiting()
        share = run.measure()
        assert share is not None and before <= share <= 1
        before = share
    assert run.fraction == 1.0


@pytest.mark.parametrize("learns", [False, True])
@pytest.mark.parametrize("answers", [1, 2])
def test_turns_find_the_first_answers(monkeypatch: pytest.MonkeyPatch, answers: int, learns: bool) -> None:
    """learns: whether clingo is installed, which takes the turns of restarts where places are to hang together."""
    if learns:
        pytest.importorskip("clingo")
    monkeypatch.setattr(clingo, "INSTALLED", learns)
    quick = Settings(pace=first_pace(turn=30_000, restart=9))
    monkeypatch.setattr(portfolio, "_depth", lambda problem: 0)
    monkeypatch.setitem(SHARES["first answers"], portfolio.RESTARTS, 8)
    restarted = 0
    for k in range(80):
        problem = sided(random.Random(k), 12)
        known = set(search(problem, settings=SIDES))
        run = search(problem, limits=Limits(answers=answers), settings=quick)
        found = list(run)
        assert len(set(found)) == len(found) == min(answers, len(known)) and set(found) <= known
        assert run.status is (Status.SOLVED if len(known) >= answers else Status.EXHAUSTED)
        restarted += ("clingo" if learns else "restarted") in run.engine
    assert restarted > 0


@pytest.mark.parametrize("n", [6, 7, 8, 9])
def test_large_magic_squares_are_found_by_turns(n: int) -> None:
    """By most random orders, and hardly ever by the documented one, which is some of its way on from the start."""
    run = search(magic(n), limits=Limits(answers=1))
    (found,) = run
    assert check(magic(n), found) is None
    assert run.counters.nodes < 10_000


def test_jobs_change_nothing() -> None:
    problem = nurikabe(6, 3)
    assert list(search(problem, settings=Settings(jobs=2))) == list(search(problem))


def test_an_option_may_be_in_every_side_there_is() -> None:
    options = 6
    sides: list[Side] = [
        Total(tuple((o, o + 1) for o in range(options)), ((6, 6), (11, 12))),
        Connection(tuple((o, o) for o in range(options)), tuple((o, o + 1) for o in range(options - 1))),
        Circuit(((0, 0, 1), (1, 1, 2), (2, 2, 0), (3, 2, 3), (4, 3, 0), (5, 0, 0))),
    ]
    problem = only_sides(options, *sides)
    every = [s for k in range(options + 1) for s in combinations(range(options), k)]
    assert (
        sorted(search(problem)) == sorted(s for s in every if check(problem, s) is None) == [(0, 1, 2), (2, 3, 4), (5,)]
    )


def test_the_arrays_name_every_side_of_an_option() -> None:
    arrays = side_arrays(only_sides(3, Total(((0, 1), (2, 5)), ((0, 1),)), Circuit(((1, 4, 5), (2, 4, 5)))))
    named = [list(arrays.of[a:b]) for a, b in zip(arrays.of_begin, arrays.of_begin[1:], strict=False)]
    assert named == [[0], [1], [0, 1]]
