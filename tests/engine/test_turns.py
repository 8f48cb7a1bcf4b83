"""The scheduler's laws, by methods that are made up: nobody starves, turns are as the table says, pauses change
nothing."""

from __future__ import annotations

import pytest
from attrs import define, field
from hypothesis import given
from hypothesis import strategies as st

from covr.engine.base.limits import LimitReached, Status
from covr.engine.kernels.header import DONE, FOUND, SLICE
from covr.engine.settings import Pace
from covr.engine.turns import CheapestTurns, CountTurns, Entrant, Method

EAGER = Pace(least=1)  # turns may be as short as they like

HARD = 10**9  # nodes; more than any search here has


@define
class Fake:
    """A search of `size` nodes, which meets an answer of each of these costs at its node, unless that is too dear.
    calls: for each call, the nodes before it and the nodes asked for.  stops: after this node, if it has one, a limit
    stops it with an answer that nobody has seen yet."""

    size: int
    finds: dict[int, int] = field(factory=dict)
    ceiling: int = HARD
    nodes: int = 0
    answers: int = 0
    code: int = -1
    cost: int = 0
    proved: int | None = None
    calls: list[tuple[int, int]] = field(factory=list)
    stops: int = HARD
    stopped: bool = False

    @property
    def updates(self) -> int:
        return 3 * self.nodes

    def run(self, nodes: int, answers: int) -> int:
        self.calls.append((self.nodes, nodes))
        self.code = self._run(self.nodes + nodes, self.answers + answers)
        return self.code

    def _run(self, end: int, until: int) -> int:
        while self.nodes < end:
            if self.nodes == self.size:
                return DONE
            self.nodes += 1
            if self.nodes == self.stops:
                self.cost, self.answers, self.stopped = min(self.ceiling, 31) - 1, self.answers + 1, True
                raise LimitReached(Status.LIMIT)
            cost = self.finds.get(self.nodes)
            if cost is not None and cost <= self.ceiling:
                self.cost = cost
                self.answers += 1
                if self.answers >= until:
                    return FOUND
        return DONE if self.nodes == self.size else SLICE

    def answer(self) -> list[int]:
        return [self.cost]

    def lower(self, ceiling: int) -> None:
        self.ceiling = min(self.ceiling, ceiling)

    def method(self, node: int, sliced: int = 0) -> Method:
        """sliced: nodes in a slice; 0 if turns may end after any node."""
        return Method(
            f"{self.size}", self, self.run, lambda: (self.cost,), lambda: self.proved, lower=self.lower, node=node,
            slice=(lambda: sliced) if sliced else None,
        )  # fmt: skip


def table(methods: list[Method], firsts: list[int | None], works: list[int]) -> list[Entrant]:
    return [
        Entrant(f"{k}", lambda method=method: method, works[k], "", firsts[k])  # type: ignore[misc]
        for k, method in enumerate(methods)
    ]


FAKES = st.lists(
    st.tuples(st.integers(1, 400), st.dictionaries(st.integers(1, 400), st.integers(0, 30), max_size=5)),
    min_size=1, max_size=4,
)  # fmt: skip
TABLES = st.tuples(
    FAKES,
    st.lists(st.none() | st.integers(0, 60), min_size=4, max_size=4),
    st.lists(st.integers(1, 60), min_size=4, max_size=4),
    st.lists(st.tuples(st.integers(1, 3), st.integers(0, 5)), min_size=4, max_size=4),  # work of a node; slices
)
Drawn = tuple[list[tuple[int, dict[int, int]]], list[int | None], list[int], list[tuple[int, int]]]


def cheapest(drawn: Drawn, pace: Pace = EAGER) -> tuple[CheapestTurns, list[Fake]]:
    sizes, firsts, works, kinds = drawn
    fakes = [Fake(size, dict(finds)) for size, finds in sizes]
    methods = [fake.method(*kind) for fake, kind in zip(fakes, kinds, strict=False)]
    return CheapestTurns(table(methods, firsts, works), lambda answer: answer[0], None, pace), fakes


def finished(run: CheapestTurns, steps: list[int]) -> list[tuple[int, int]]:
    """The answers and after how many nodes they came; pausing after so many nodes, in turn."""
    found, at = [], 0
    while True:
        before = run.nodes
        code = run.run(steps[at % len(steps)], 1)
        at += 1
        assert run.nodes - before <= steps[(at - 1) % len(steps)], "a limit of nodes is exact"
        if code == FOUND:
            found.append((run.answer()[0], run.nodes))
        elif code == DONE:
            return found


@given(TABLES, st.lists(st.integers(1, 30), min_size=1, max_size=5), st.integers(1, 40), st.integers(1, 200))
def test_pauses_change_nothing(drawn: Drawn, steps: list[int], work: int, call: int) -> None:
    whole, first = cheapest(drawn, Pace(least=work))
    found = finished(whole, [HARD])
    paused, second = cheapest(drawn, Pace(least=work, call=call))
    assert finished(paused, steps) == found
    assert (paused.nodes, paused.updates, paused.answers) == (whole.nodes, whole.updates, whole.answers)
    assert [fake.nodes for fake in second] == [fake.nodes for fake in first]
    assert [cost for cost, _ in found] == sorted({cost for cost, _ in found}, reverse=True)


@given(TABLES)
def test_the_first_to_finish_ends_it(drawn: Drawn) -> None:
    run, fakes = cheapest(drawn)
    finished(run, [HARD])
    assert run.hero is not None
    ended = [fake for fake in fakes if fake.nodes == fake.size]
    assert str(ended[0].size) == run.hero.name or len(ended) > 1
    assert run.nodes == sum(fake.nodes for fake in fakes)
    assert sum(work for _, work, _ in run.account()) == run.work
    assert sum(found for _, _, found in run.account()) == run.answers


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 90)), min_size=2, max_size=4))
def test_shares_are_those_of_the_table(rows: list[tuple[int, int]]) -> None:
    """Where nobody gains, the works are to each other as in the table, but for a turn; so nobody starves."""
    fakes = [Fake(HARD) for _ in rows]
    works = [node * nodes for node, nodes in rows]
    methods = [fake.method(node) for fake, (node, _) in zip(fakes, rows, strict=True)]
    run = CountTurns(table(methods, [None] * len(rows), works), EAGER)
    while min(fake.nodes for fake in fakes) < 20 * max(nodes for _, nodes in rows):
        run.run(1000, 1)
    shares = [fake.nodes / nodes for fake, (_, nodes) in zip(fakes, rows, strict=True)]
    assert max(shares) < 3 * min(shares)


def test_who_has_no_weight_has_its_first_turn_only() -> None:
    fakes = [Fake(HARD), Fake(HARD)]
    CountTurns(table([fake.method(1) for fake in fakes], [7, None], [0, 5]), EAGER).run(100, 1)
    assert [fake.nodes for fake in fakes] == [7, 93]


@given(TABLES, st.integers(100, 300))
def test_nobody_is_called_for_less_than_the_least_turn(drawn: Drawn, work: int) -> None:
    """But for what ends the search, and what is left of a turn after an answer."""
    sizes, firsts, works, kinds = drawn
    fakes = [Fake(size) for size, _ in sizes]
    methods = [fake.method(node) for fake, (node, _) in zip(fakes, kinds, strict=False)]
    run = CountTurns(table(methods, firsts, works), Pace(least=work))
    assert run.run(HARD, 1) == DONE
    for fake, method in zip(fakes, methods, strict=True):
        assert all(nodes * method.node > work - method.node for _, nodes in fake.calls)


def test_who_may_not_is_passed_over_and_none_is_asked_for_in_vain() -> None:
    fakes = [Fake(HARD), Fake(HARD), Fake(HARD)]
    may = [True, False, True]
    made: list[Method | None] = [fakes[0].method(1), fakes[1].method(1), None]

    def row(k: int) -> Entrant:
        return Entrant(f"{k}", lambda: made[k], 10, "", may=lambda: may[k])

    run = CountTurns([*map(row, range(3))], EAGER)
    run.run(30, 1)
    assert [fake.nodes for fake in fakes] == [30, 0, 0]
    may[1] = True
    run.run(10, 1)
    assert [fake.nodes for fake in fakes] == [30, 10, 0]
    may[0] = False
    run.run(25, 1)
    may[:2] = True, False  # in the middle of a turn
    run.run(5, 1)
    assert [fake.nodes for fake in fakes] == [35, 35, 0]
    may[0] = False
    with pytest.raises(AssertionError, match="nobody"):
        run.run(1, 1)


def test_a_turn_goes_on_while_it_is_held() -> None:
    fakes = [Fake(HARD), Fake(HARD)]
    first, second = (fake.method(1, 4) for fake in fakes)
    rows = (
        Entrant("first", lambda: first, 5, "", holds=lambda: fakes[0].nodes < 14),
        Entrant("second", lambda: second, 5, ""),
    )
    CountTurns(rows, EAGER).run(16 + 8 + 8 + 8, 1)
    assert [fake.nodes for fake in fakes] == [24, 16]


def test_best_answer_and_best_bound_are_shared() -> None:
    """A better answer lowers all ceilings; the highest bound is everybody's; where they meet is the end."""
    one, two = Fake(HARD, {3: 9, 13: 8, 14: 5}), Fake(HARD, {2: 8, 4: 7})
    run = CheapestTurns(
        table([one.method(1), two.method(1)], [None, None], [10, 10]), lambda answer: answer[0], 20, EAGER
    )
    assert finished_until(run, 2) == [(9, 3), (8, 12)]
    assert (one.ceiling, two.ceiling, run.ceiling) == (7, 7, 7)
    two.proved = 3
    assert run.run(HARD, 1) == FOUND and run.bound() == 3 and run.answer() == [7]
    one.proved = 12  # among answers below its ceiling, of which there are none
    assert run.run(HARD, 1) == DONE and run.bound() == 7
    run.lower(100)
    assert run.ceiling == 6


@given(TABLES, st.integers(1, 60), st.integers(1, 40))
def test_what_a_method_found_before_it_was_stopped_is_taken(drawn: Drawn, stop: int, work: int) -> None:
    """Each method finds a cheaper answer in the slice in which a limit stops it (limits.py)."""
    run, fakes = cheapest(drawn, Pace(least=work))
    for fake in fakes:
        fake.stops = stop
    try:
        finished(run, [HARD])
    except LimitReached:
        found = [fake for fake in fakes if fake.stopped]
        assert (run.code, run.answer()) == (FOUND, [found[0].cost])
        assert run.ceiling == found[0].cost - 1


@given(TABLES, st.integers(1, 40))
def test_answers_are_taken_one_by_one_however_many_may_come(drawn: Drawn, work: int) -> None:
    single, many = (cheapest(drawn, Pace(least=work))[0] for _ in range(2))
    found = finished(single, [HARD])
    assert many.run(HARD, HARD) == DONE
    assert (many.answers, many.nodes) == (len(found), single.nodes)


def finished_until(run: CheapestTurns, answers: int) -> list[tuple[int, int]]:
    found = []
    while len(found) < answers:
        if run.run(HARD, 1) == FOUND:
            found.append((run.answer()[0], run.nodes))
    return found
