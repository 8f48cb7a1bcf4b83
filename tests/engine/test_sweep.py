"""The minimum item by item: against brute force and the reference, with any prices, in slices, by turns, and at its
limits."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, build, check, cost, search
from covr.engine.kernels.header import DONE
from covr.engine.kernels.loading import is_compiled, load
from covr.engine.minimum import mixed, sweep
from covr.engine.minimum.mixed_core import COARSEST, core
from covr.engine.minimum.mixed_tree import BoundTree
from covr.engine.minimum.sweep import ITEM_BY_ITEM, MinimumSweep, order_sweep
from covr.engine.prepare.frontier import plan_sweep
from tests.constants import Constants
from tests.each import each
from tests.engine.problems import grid_domination, least, queens, trominoes
from tests.engine.schedules import mixed_pace
from tests.engine.strategies import problems
from tests.shared import examples, seeds

COSTLY = ("zero", "one", "negative", "profit")
compiled_only = pytest.mark.skipif(not is_compiled("_sweep"), reason="too slow without the compiled kernel")


BOUNDS = {
    "exact": [(1, 1)],
    "some exact": [(1, 1), (0, 1)],
    "cover": [(1, 99), (1, 99), (2, 99), (3, 99)],
    "packing": [(0, 1), (0, 2)],
    "ranges": [(1, 1), (0, 1), (1, 2), (2, 3), (1, 3), (0, 2), (1, 99), (3, 3)],
}
COSTS = {"one": (1, 1), "few": (0, 3), "many": (0, 99), "negative": (-5, 5), "profit": (-9, -1)}


def narrow(rng: random.Random) -> Problem:
    """Options of items that lie near each other in a line or on a board, in any order: forced, doubled, empty and given
    ones among them, with items that nothing holds, and bounds of all kinds."""
    bounds = BOUNDS[rng.choice(sorted(BOUNDS))]
    low, high = COSTS[rng.choice(sorted(COSTS))]
    wide = rng.randint(1, 3)
    cells = list(product(range(rng.randint(1, 8 // wide)), range(wide)))
    rows: list[set[tuple[int, int]]] = []
    for r, c in cells:
        near = [cell for cell in cells if 0 <= cell[0] - r <= 2 and abs(cell[1] - c) <= 1]
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            rows.append({(r, c), *rng.sample(near, min(len(near), rng.randint(1, 3)))})
    rows += [set() for _ in range(rng.choice((0, 0, 0, 1, 2)))]
    rows += rng.sample(rows, min(len(rows), rng.choice((0, 0, 2))))
    rng.shuffle(rows)
    rows = rows[:14]
    order = [(cell, rng.choice(bounds)) for cell in cells]
    rng.shuffle(order)
    order.sort(key=lambda pair: pair[1][0] == 0)
    number = {cell: k for k, (cell, _) in enumerate(order)}
    problem = build(
        [pair for _, pair in order],
        [[number[cell] for cell in row] for row in rows],
        costs=[rng.randint(low, high) for _ in rows],
    )
    chosen = rng.sample(range(len(rows)), min(len(rows), rng.choice((0, 0, 0, 1, 2))))
    return evolve(problem, given=tuple(sorted(chosen)))


def planted(rng: random.Random) -> Problem:
    """Larger, with an answer: items of a board, options of three to five that lie near each other, and bounds that some
    of these meet."""
    low, high = COSTS[rng.choice(sorted(COSTS))]
    cells = list(product(range(rng.randint(4, 9)), range(rng.randint(2, 4))))
    rows = []
    for r, c in cells:
        near = [cell for cell in cells if 0 <= cell[0] - r <= 2 and abs(cell[1] - c) <= 2]
        rows += [rng.sample(near, min(len(near), rng.randint(3, 5))) for _ in range(rng.randint(1, 3))]
    chosen = rng.sample(rows, len(rows) // 4)
    kind = rng.randrange(3)
    bounds = {}
    for cell in cells:
        held = sum(cell in row for row in chosen)
        bounds[cell] = ((min(held, 3), 99), (held, max(held, 1)), (max(held - 1, 0), held + 1))[kind]
    order = sorted(cells, key=lambda cell: bounds[cell][0] == 0)
    number = {cell: k for k, cell in enumerate(order)}
    return build(
        [bounds[cell] for cell in order],
        [[number[cell] for cell in row] for row in rows],
        costs=[rng.randint(low, high) for _ in rows],
    )


def swept(
    problem: Problem, *, seed: int | None = None, interpreted: bool = False, memory: int = 1 << 24, cutoff: int = 0
) -> MinimumSweep | None:
    """The sweeps over a problem, run to their end; None where there is no plan. seed: for prices that have nothing to
    do with the problem; None for those of the linear program.  cutoff: by how much the ceiling lies above the dearest
    set of options."""
    own = core(problem)
    order = order_sweep(own)
    if own.unit < COARSEST or order is None:
        return None
    if seed is None:
        tree = BoundTree(own, load("_mixed"), own.dearest)
        while tree.root is None and not tree.done:
            tree.step()
        if tree.root is None:
            return None
        prices = list(tree.root.prices)
    else:
        draw = random.Random(seed)
        prices = [draw.randint(-9 * own.unit, 9 * own.unit) for _ in range(own.rows)]
    found = MinimumSweep(own, order, prices, own.dearest + cutoff, memory, interpreted)
    while not found.done and not found.gave_up:
        found.step()
    return found


def answer_of(problem: Problem, run: MinimumSweep) -> tuple[int, ...] | None:
    """The answer that was found, in the problem's numbers, checked."""
    if run.found is None:
        return None
    numbers = core(problem).numbers
    answer = tuple(sorted([*problem.given, *(numbers[o] for o in run.found)]))
    assert check(problem, answer) is None
    return answer


@given(problems(costs=COSTLY), st.sampled_from([None, 0, 1]), st.booleans())
def test_small_problems_of_all_kinds_have_their_minimum(problem: Problem, seed: int | None, interpreted: bool) -> None:
    run = swept(problem, seed=seed, interpreted=interpreted)
    if run is not None:
        answer = answer_of(problem, run)
        assert run.done and (None if answer is None else cost(problem, answer)) == least(problem)


@given(st.randoms(use_true_random=False), st.sampled_from([None, 0, 1, 2]), st.booleans())
@settings(max_examples=examples(150), deadline=None)
def test_sweeps_end_with_the_minimum(rng: random.Random, seed: int | None, interpreted: bool) -> None:
    """Whatever the prices are, the sweeps end with the minimum, and never prove too much before."""
    problem = narrow(rng)
    run = swept(problem, seed=seed, interpreted=interpreted)
    if run is None:
        return
    best = [cost(problem, a) for a in search(problem, goal="minimum", settings=Settings(engine="reference"))]
    answer = answer_of(problem, run)
    assert run.done and not run.gave_up
    if answer is None:
        assert not best
    else:
        assert cost(problem, answer) == best[-1] == core(problem).whole(run.bound or 0)
    other = swept(problem, seed=seed, interpreted=not interpreted)
    assert other is not None and (other.found, other.states, other.taken) == (run.found, run.states, run.taken)


@compiled_only
@each("seed", seeds(30))
def test_larger_problems_keep_their_minimum(seed: int) -> None:
    """Sweeps find the minimum of a search by links, with prices of the linear program and others."""
    problem = planted(random.Random(seed))
    best = [cost(problem, a) for a in search(problem, goal="minimum", settings=Settings(engine="links", jobs=1))]
    for price in (None, seed):
        run = swept(problem, seed=price)
        assert run is not None and not run.gave_up
        answer = answer_of(problem, run)
        assert answer is not None and cost(problem, answer) == best[-1]


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


# The sweep waits for nothing, and turns are long.
EAGER = Settings(jobs=1, pace=mixed_pace(10**6, wait=0, wait_per_member=0, patience=0, per_member=0, turn=1 << 30))


def hurry(patch: pytest.MonkeyPatch) -> None:
    """Make the tree stop at its root, and let the sweep go on from there to its end."""

    def no_more(tree: BoundTree, values: object) -> None:
        tree._aside += 1 << 40

    patch.setattr(BoundTree, "_branch", no_more)
    patch.setattr(mixed.integer_program, "available", lambda *asked: False)  # HiGHS, which would end it first
    patch.setattr(mixed.Mixed, "_sweep_share", lambda self: 1 << 40)


def in_turn(problem: Problem, engine: str, step: int) -> bool:
    """Tries a search with the sweep in its turns: the minimum that links alone find, bounds that never pass it,
    the same however it is paused. Returns whether the sweep ended it."""
    best = [cost(problem, a) for a in search(problem, goal="minimum", settings=Settings(engine="links", jobs=1))]
    run = search(problem, goal="minimum", settings=evolve(EAGER, engine=engine))
    whole = list(run)
    assert run.status is Status.EXHAUSTED
    assert [cost(problem, a) for a in whole][-1:] == best[-1:]
    assert all(check(problem, a) is None for a in whole)
    paused = search(problem, goal="minimum", settings=evolve(EAGER, engine=engine))
    while paused.step(step):
        assert paused.bound is None or not best or paused.bound <= best[-1]
    assert paused.waiting() == whole and paused.counters == run.counters
    assert paused.bound == run.bound
    if best:
        assert run.bound == best[-1]
    return ITEM_BY_ITEM in run.engine


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("engine", ["auto", "mixed"])
def test_sweeps_take_turns_with_other_searches(engine: str) -> None:
    ended = [in_turn(planted(random.Random(seed)), engine, 1 + seed % 5) for seed in range(60)]
    assert sum(ended) >= 10


DOMINATION = [1, 2, 3, 4, 7, 10, 12, 16, 20, 24, 29, 35]  # of square grids from 1×1 on: OEIS A104519


@each("side", range(1, 10))
def test_grids_have_the_published_minima(side: int) -> None:
    """The minima of grids are the published numbers."""
    run = swept(grid_domination(side, side), interpreted=side == 5)
    assert run is not None and run.bound == DOMINATION[side - 1]
    answer = answer_of(grid_domination(side, side), run)
    assert answer is not None and len(answer) == DOMINATION[side - 1]


def test_work_is_pinned() -> None:
    """A change that makes these grow is one for the worse. The frontier has two rows of the board and one more cell."""
    problem = grid_domination(10, 10)
    order = order_sweep(core(problem))
    assert order is not None and order.width == 21
    run = swept(problem)
    assert run is not None and run.bound == 24
    assert (run.states, run.taken) == (57795, 57795)
    board = trominoes(6, 9, 1)
    run = swept(board)
    assert run is not None
    assert (run.bound, run.states, run.taken) == (309, 1007, 431)


@each("seed", range(6))
def test_boards_with_costs(seed: int) -> None:
    """Tilings, against a search by links."""
    problem = trominoes(4, 6, seed)
    best = [cost(problem, a) for a in search(problem, goal="minimum", settings=Settings(engine="links", jobs=1))]
    for price in (None, seed):
        run = swept(problem, seed=price)
        assert run is not None
        answer = answer_of(problem, run)
        assert answer is not None and cost(problem, answer) == best[-1]


def test_sweeps_go_further_as_they_should() -> None:
    """Every sweep but the last proves a bound, which rises; a lower ceiling ends the present one."""
    problem = grid_domination(9, 9)
    own = core(problem)
    order = order_sweep(own)
    assert order is not None
    tree = BoundTree(own, load("_mixed"), own.dearest)
    while tree.root is None:
        tree.step()
    run = MinimumSweep(own, order, tree.root.prices, own.dearest, 1 << 24)
    bounds = []
    while not run.done:
        run.step()
        bounds.append(run.bound)
    known = [b for b in bounds if b is not None]
    assert known == sorted(known) and {20} <= set(known) <= {20, 19} and run.fraction() == 1
    again = MinimumSweep(own, order, tree.root.prices, own.dearest, 1 << 24)
    again.step()
    again.lower(19)
    assert again.expected() > 0
    while not again.done:
        again.step()
    assert again.found is None and again.bound == 20


def test_memory_that_is_short() -> None:
    """If memory is short, there is no result rather than a wrong one, and what was proved before stays proved."""
    run = swept(grid_domination(9, 9), memory=1 << 16)
    assert run is not None and run.gave_up and not run.done and run.found is None
    assert run.bound == 20 or run.bound == 19
    many = swept(grid_domination(9, 9), memory=1 << 20)
    assert many is not None and many.found is not None


def test_nodes_that_are_dropped(monkeypatch: pytest.MonkeyPatch, constants: Constants) -> None:
    """However little room there is for nodes at first, the answer is the same."""
    problem = grid_domination(7, 7)
    expected = swept(problem, interpreted=True)
    module = load("_sweep", True)
    constants(module, FIRST_ROOM=2)
    monkeypatch.setattr(sweep, "load", lambda name, interpreted: module)
    found = swept(problem, interpreted=True)
    assert expected is not None and found is not None
    assert found.found == expected.found is not None


def test_slices_change_nothing() -> None:
    """A sweep in slices of one state comes to the same."""
    own = core(trominoes(3, 4, 2))
    order = order_sweep(own)
    assert order is not None
    plan = plan_sweep(order, [cost * own.unit for cost in own.costs], [0] * own.rows)
    results = []
    for interpreted, slice_ in ((False, 1), (False, 1 << 30), (True, 3)):
        kernel = load("_sweep", interpreted).SweepKernel(plan, own.barrier(own.dearest), 1 << 24)
        fractions = [kernel.fraction()]
        while kernel.run(slice_) != DONE:
            assert kernel.value is None
            fractions.append(kernel.fraction())
        assert fractions == sorted(fractions) and kernel.fraction() == 1
        results.append((kernel.value, kernel.answer(), kernel.nodes, kernel.updates))
    assert results[0] == results[1] == results[2]


def test_what_has_no_plan() -> None:
    """Wide frontiers, colours, and items that can't be met."""
    assert order_sweep(core(evolve(queens(30), costs=[1] * 900))) is None
    coloured = build([(1, 1), (1, 1), (0, 1)], [[0, (2, 1)], [1, (2, 2)], [1]], costs=[1, 2, 3])
    assert order_sweep(core(coloured)) is None
    assert order_sweep(core(build([(2, 3)], [[0]], costs=[1]))) is None


@pytest.mark.usefixtures("eager")
def test_the_search_says_who_it_was() -> None:
    run = search(grid_domination(8, 8), goal="minimum", settings=EAGER)
    assert len(list(run)[-1]) == 16 and run.status is Status.EXHAUSTED
    assert ITEM_BY_ITEM in run.engine


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("nodes", [1, 5, 20, 40])
def test_a_limit_of_nodes_is_heeded(nodes: int) -> None:
    run = search(grid_domination(9, 9), goal="minimum", limits=Limits(nodes=nodes), settings=EAGER)
    list(run)
    assert run.counters.nodes <= nodes and (run.bound is None or run.bound <= 20)
    assert run.status in (Status.LIMIT, Status.EXHAUSTED)


@compiled_only
@pytest.mark.usefixtures("eager")
def test_an_interrupt_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the middle of a sweep: what was found before is there."""
    run = search(grid_domination(14, 14), goal="minimum", settings=EAGER)
    calls: Iterator[int] = iter(range(10**9))
    step = MinimumSweep.step

    def interrupted(self: MinimumSweep) -> None:
        if next(calls) == 30:
            raise KeyboardInterrupt
        step(self)

    monkeypatch.setattr(MinimumSweep, "step", interrupted)
    found: list[Any] = []
    with pytest.raises(KeyboardInterrupt):
        found.extend(run)
    assert run.status is Status.INTERRUPTED
    assert run.bound is not None and 42 <= run.bound <= 47


@compiled_only
@pytest.mark.usefixtures("eager")
def test_little_memory_leaves_it_to_the_other_searches() -> None:
    """Where the states don't fit, the other searches go on without the sweep."""
    run = search(grid_domination(9, 9), goal="minimum", settings=evolve(EAGER, memory=1 << 16))
    assert len(list(run)[-1]) == 20 and run.status is Status.EXHAUSTED
    assert ITEM_BY_ITEM not in run.engine


@compiled_only
def test_the_grid_of_12_takes_35() -> None:
    run = search(grid_domination(12, 12), goal="minimum", settings=Settings(jobs=1))
    answers = list(run)
    assert len(answers[-1]) == run.bound == 35 and run.status is Status.EXHAUSTED
    assert ITEM_BY_ITEM in run.engine


@compiled_only
@pytest.mark.slow
def test_the_grid_of_14_takes_47() -> None:
    """Gonçalves, Pinlou, Rao and Thomassé, "The domination number of grids", 2011: 47."""
    run = search(grid_domination(14, 14), goal="minimum", settings=Settings(jobs=1))
    answers = list(run)
    assert len(answers[-1]) == run.bound == 47 and run.status is Status.EXHAUSTED
