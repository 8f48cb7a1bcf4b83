"""Counting item by item is compared with code that shares nothing with it: in slices, with little memory, and by
turns."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.engine import Counters, Problem, Settings, Status, build, count, search
from covr.engine.counting.frontier_count import MEMO_NODE, STATE, count_by_items
from covr.engine.kernels.header import DONE, SLICE
from covr.engine.kernels.loading import is_compiled, load
from covr.engine.prepare import frontier
from covr.engine.prepare.frontier import order_options, plan_count
from covr.engine.prepare.masks import ExactCover, take_given
from covr.engine.settings import CountPace, Pace
from covr.engine.turns import Method
from tests.constants import Constants
from tests.engine.problems import dominoes_on, grid_domination, langford, queens
from tests.engine.strategies import problems
from tests.shared import examples


def board(rows: int, columns: int, *, holes: int = 0, seed: int = 0) -> Problem:
    """Dominoes on a board; holes are squares that need not be covered."""
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    random.Random(seed).shuffle(cells)
    return dominoes_on(cells, holes)


@st.composite
def narrow_problems(draw: st.DrawFn) -> tuple[Problem, list[int]]:
    """Options of neighbouring items, so that the frontier is narrow: forced, doubled, empty, given ones among them, and
    items that need not be covered or that no option holds. With the items in the order in which they are neighbours."""
    items = draw(st.sampled_from((1, 2, 5, 9, 14, 63, 64, 65)))
    required = draw(st.integers(0, items))
    rng = draw(st.randoms(use_true_random=False))
    rows = []
    for start in range(items):
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            near = range(start, min(start + 4, items))
            rows.append(sorted({start, *rng.sample(near, rng.randint(1, len(near)))}))
    rows += [[] for _ in range(rng.choice((0, 0, 1, 2)))] + rng.sample(rows, min(len(rows), rng.choice((0, 0, 2))))
    places = list(range(items))
    rng.shuffle(places)
    rng.shuffle(rows)
    problem = build([(1, 1)] * required + [(0, 1)] * (items - required), [[places[i] for i in row] for row in rows])
    chosen = rng.sample(range(len(rows)), min(len(rows), rng.choice((0, 0, 1, 2))))
    return evolve(problem, given=tuple(sorted(chosen))), places


def by_layers(problem: Problem, slice_: int = 10**9, memory: int = 1 << 24, interpreted: bool = False) -> Any:
    """The kernel, run to its end; None where there is no plan: here, where an item can't be met."""
    plan = plan_count(problem, take_given(problem))
    if plan is None:
        return None
    kernel = load("_sweep", interpreted).SweepKernel(plan, None, memory)
    while not kernel.is_full and kernel.run(slice_) != DONE:
        assert kernel.value is None
    return kernel


def right_count(problem: Problem, places: Sequence[int]) -> int:
    """Every answer listed, where these are few; else the rows are added one by one to all sets of covered items."""
    if problem.items < 10:
        return sum(1 for _ in search(problem, settings=Settings(engine="links")))
    rows = [frozenset(problem.option(o)) for o in range(problem.options)]
    given = [rows[o] for o in problem.given]
    start = frozenset().union(*given)
    if len(start) < sum(map(len, given)):
        return 0
    left = [row for o, row in enumerate(rows) if o not in problem.given]
    place = {item: k for k, item in enumerate(places)}
    left.sort(key=lambda row: min(map(place.__getitem__, row), default=-1))
    ways = {start: 1}
    for k, row in enumerate(left):
        after: dict[frozenset[int], int] = dict(ways)
        for covered, number in ways.items():
            if not covered & row:
                after[covered | row] = after.get(covered | row, 0) + number
        open_ = frozenset().union(*left[k + 1 :])
        ways = {}
        for covered, number in after.items():
            if all(i in covered or i in open_ for i in range(problem.primary)):
                kept = covered & open_
                closed = frozenset(i for i in range(problem.primary) if i not in open_)
                ways[kept | closed] = ways.get(kept | closed, 0) + number
    return sum(number for covered, number in ways.items() if all(i in covered for i in range(problem.primary)))


@given(narrow_problems(), st.sampled_from((1, 3, 1000)))
@settings(max_examples=examples(60), deadline=None)
def test_counts_what_is_listed(made: tuple[Problem, list[int]], slice_: int) -> None:
    problem, places = made
    residual = take_given(problem)
    expected = right_count(problem, places)
    kernel = by_layers(problem, slice_, interpreted=problem.items < 20)
    if kernel is None:
        assert expected == 0
        return
    assert (kernel.value if residual.feasible else 0) == expected
    again = by_layers(problem)
    assert (again.value, again.nodes, again.updates) == (kernel.value, kernel.nodes, kernel.updates)


@given(problems(), st.sampled_from((1, 5, 1000)), st.booleans())
@settings(max_examples=examples(150), deadline=None)
def test_counts_with_any_bounds(problem: Problem, slice_: int, interpreted: bool) -> None:
    """Items that are met several times, or not at all: as many answers as the reference lists."""
    kernel = by_layers(problem, slice_, interpreted=interpreted)
    if kernel is not None:
        assert kernel.value == sum(1 for _ in search(problem, settings=Settings(engine="reference")))


def dominations(rows: int, columns: int) -> int:
    """The sets of squares that dominate a board, square by square: (taken, dominated) of the last `columns` squares and
    this one's way there."""
    ways = {((False, True),) * (columns + 1): 1}
    for cell in range(rows * columns):
        after: dict[tuple[tuple[bool, bool], ...], int] = {}
        for state, number in ways.items():
            for taken in (False, True):
                above, left = (cell >= columns, 1), (cell % columns > 0, columns)
                met = taken or any(there and state[k][0] for there, k in (above, left))
                new = [*state, (taken, met)]
                for there, k in (above, left):
                    if there and taken:
                        new[k] = (new[k][0], True)
                if new[1][1] or cell < columns:
                    after[tuple(new[1:])] = after.get(tuple(new[1:]), 0) + number
        ways = after
    return sum(number for state, number in ways.items() if all(met for _, met in state[1:]))


@pytest.mark.skipif(not is_compiled("_bits"), reason="by turns only where the kernels are compiled")
def test_covers_are_counted_item_by_item() -> None:
    """Sets of squares that dominate a board: a search for each of them would not end."""
    for rows, columns in ((2, 2), (3, 3), (4, 4), (6, 7)):
        run = search(evolve(grid_domination(rows, columns), costs=()), settings=Settings(jobs=1))
        assert run.count() == dominations(rows, columns)
    assert run.counters.nodes < 200_000


@pytest.mark.parametrize(("rows", "columns", "number"), [
    (0, 0, 1), (1, 2, 1), (2, 10, 89), (3, 3, 0), (4, 4, 36), (8, 8, 12988816), (8, 16, 540061286536921),
    (12, 12, 53060477521960000),
])  # fmt: skip
def test_tilings_by_dominoes_are_as_many_as_published(rows: int, columns: int, number: int) -> None:
    """Published numbers, whatever the order of the items."""
    for seed in (0, 1):
        assert by_layers(board(rows, columns, seed=seed)).value == number


def test_work_is_pinned() -> None:
    """The frontier of a square board is as wide as its side; a change that makes these grow is one for the worse."""
    problem = board(10, 10)
    residual = take_given(problem)
    order = order_options([problem.option(o) for o in range(problem.options)], residual.need, residual.room)
    assert order is not None and order.width == 11
    kernel = by_layers(problem)
    assert (kernel.value, kernel.nodes, kernel.updates) == (258584046368, 8411, 6166)


def test_numbers_may_be_longer_than_a_word() -> None:
    """Free options double the number, and sums carry from word to word."""
    chain = [[k, k + 1] for k in range(0, 400, 2)]
    problem = build([(1, 1)] * 402, [*chain, *chain, *chain, [400], [401], [], [], []])
    assert by_layers(problem).value == 3**200 * 8
    ladder = board(2, 400)
    one, two = 1, 1
    for _ in range(400):
        one, two = two, one + two
    assert by_layers(ladder).value == one


def test_memory_that_is_short() -> None:
    """If memory is short, there is no result rather than a wrong one."""
    problem = board(14, 14)
    assert by_layers(problem, memory=1 << 16).is_full
    assert by_layers(problem, memory=1 << 16).value is None
    assert by_layers(problem).value == 112202208776036178000000


@pytest.mark.parametrize("interpreted", [False, True])
def test_how_much_is_done(interpreted: bool) -> None:
    """Step by step, not only at the end."""
    plan = plan_count(board(6, 6), take_given(board(6, 6)))
    kernel = load("_sweep", interpreted).SweepKernel(plan, None, 1 << 24)
    fractions = {kernel.fraction()}
    while kernel.run(10) != DONE:
        fractions.add(kernel.fraction())
    assert len(fractions) > 5 and kernel.fraction() == 1


def test_wide_frontiers_and_colours_have_no_plan() -> None:
    assert plan_count(queens(12), take_given(queens(12))) is None
    assert plan_count(langford(16), take_given(langford(16))) is None
    coloured = build([(1, 1), (0, 1)], [[0, (1, 1)], [0, (1, 2)]])
    assert plan_count(coloured, take_given(coloured)) is None
    nothing = build([], [])
    assert by_layers(nothing).value == 1


@pytest.mark.skipif(not is_compiled("_bits"), reason="by turns only where the kernels are compiled")
@pytest.mark.parametrize("patience", [1, 7, 100])
@given(narrow_problems())
@settings(max_examples=examples(30), deadline=None)
def test_whoever_finishes_first_has_the_same_number(patience: int, made: tuple[Problem, list[int]]) -> None:
    """With little patience the frontier has many turns: whoever finishes first has the same number."""
    problem = made[0]
    expected = right_count(*made)
    pace = Pace(least=1, counts=CountPace(patience=patience))
    for jobs in (1, 2):
        found = count(problem, settings=Settings(jobs=jobs, pace=pace))
        assert (found.value, found.status) == (expected, Status.EXHAUSTED)


@pytest.mark.skipif(not is_compiled("_bits"), reason="by turns only where the kernels are compiled")
def test_turns_are_as_planned(constants: Constants) -> None:
    """The search alone, then a quarter of its work in states, then twice as many nodes; with no memory for the frontier
    the search goes on alone."""
    pace = Pace(least=1, counts=CountPace(patience=1000))
    exact = ExactCover(board(12, 12), Settings())
    made = exact.counter()
    assert made is not None
    memo = made[0]
    alone = Method(made[1], memo, memo.run, tuple, fraction=lambda: 1.0, spared=lambda: memo.spared, node=MEMO_NODE)
    method = count_by_items(alone, exact.problem, exact.residual, 1 << 24, pace)
    kernel = method.kernel

    def on(nodes: int) -> None:
        end = kernel.nodes + nodes
        while kernel.nodes < end:
            assert kernel.run(end - kernel.nodes, 1) != DONE

    on(1000)
    assert memo.nodes == 1000 and method.spared() == memo.spared
    on(1000 * MEMO_NODE // 4 // STATE)
    assert memo.nodes == 1000 and method.spared() > memo.spared
    on(1000)
    assert memo.nodes == 2000
    while kernel.run(10_000, 1) != DONE:
        assert method.spared() >= kernel.nodes
    assert kernel.answers == 53060477521960000
    constants(frontier, MOST_STATES=3)
    found = count(board(8, 8), settings=Settings(jobs=1))
    assert found.value == 12988816
    assert found.counters == count(board(8, 8), settings=Settings(engine="memo", jobs=1)).counters
    assert isinstance(found.counters, Counters)


@pytest.mark.skipif(not is_compiled("_bits"), reason="by turns only where the kernels are compiled")
def test_items_come_first_where_the_frontier_is_narrow() -> None:
    """Dominoes on 16 × 16: 738 657 states take 0.02 s, and two million nodes of the search with a memo a second."""
    run = search(board(16, 16), settings=Settings(jobs=1))
    assert run.count() == 2444888770250892795802079170816
    memo, items = run._kernel.methods
    assert items.name == "item by item" and items.kernel.nodes == 738_657
    assert memo.kernel.nodes == CountPace().patience


@pytest.mark.skipif(not is_compiled("_bits"), reason="by turns only where the kernels are compiled")
def test_where_there_is_no_plan_the_search_goes_on_in_long_slices() -> None:
    """It was called for one node at a time, and counts took 18 times as long."""
    pace = Pace(counts=CountPace(patience=3000))
    exact = ExactCover(queens(10), Settings())
    assert plan_count(exact.problem, exact.residual) is None
    made = exact.counter()
    assert made is not None
    memo, asked = made[0], []

    def run(nodes: int, answers: int) -> int:
        asked.append(nodes)
        return memo.run(nodes, answers)

    alone = Method(made[1], memo, run, tuple)
    method = count_by_items(alone, exact.problem, exact.residual, 1 << 24, pace)
    while method.run(1 << 40, 1) != DONE:
        pass
    assert memo.nodes > 6000 and memo.answers == 724
    assert min(asked) >= 2500 and len(asked) < 10


@pytest.mark.skipif(not is_compiled("_bits"), reason="by turns only where the kernels are compiled")
@pytest.mark.parametrize("room", [1, 4096], ids=["no memory", "little memory"])
def test_without_memory_for_a_frontier_the_search_goes_on_alone(room: int) -> None:
    """There is a plan, but what it would hold does not fit; the search then has long slices, as without a plan."""
    pace = Pace(counts=CountPace(patience=3000))
    exact = ExactCover(board(14, 14), Settings())
    assert plan_count(exact.problem, exact.residual) is not None
    asked: list[int] = []

    class Alone:
        """A counting kernel of so many nodes."""

        nodes = updates = answers = 0

        def run(self, nodes: int, answers: int) -> int:
            asked.append(nodes)
            self.nodes = min(self.nodes + nodes, 60_000)
            self.answers = 12988816
            return DONE if self.nodes == 60_000 else SLICE

    kernel = Alone()
    alone = Method("alone", kernel, kernel.run, tuple, node=MEMO_NODE)
    method = count_by_items(alone, exact.problem, exact.residual, room, pace)
    while method.run(1 << 40, 1) != DONE:
        pass
    assert method.kernel.answers == 12988816
    assert kernel.nodes == 60_000, "the frontier has not counted"
    assert min(asked[:-1]) >= 2500 and len(asked) < 16


@pytest.mark.parametrize("memory", [0, 1 << 24])
def test_a_count_without_memory_meets_every_answer(memory: int) -> None:
    """Neither a memo nor a frontier: there are as many nodes as where answers are listed, and with memory fewer."""
    pace = Pace(counts=CountPace(patience=100))
    problem = board(6, 6)
    listed = search(problem, settings=Settings(jobs=1))
    assert sum(1 for _ in listed) == 6728
    counted = count(problem, settings=Settings(jobs=1, memory=memory, pace=pace))
    assert counted.value == 6728
    assert counted.counters.nodes <= listed.counters.nodes
    if memory == 0 or load("_sweep").COMPILED:  # neither is used where Python runs the kernels
        assert (counted.counters.nodes == listed.counters.nodes) == (memory == 0)
