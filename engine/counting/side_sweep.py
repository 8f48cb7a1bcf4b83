"""Counts of problems with side conditions, by a sweep over their options."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from functools import cache, reduce
from typing import Any

from attrs import evolve

from covr.engine.counting.side_states import Demand, demands_of
from covr.engine.kernels.header import DONE, SLICE
from covr.engine.kernels.loading import load
from covr.engine.problem import Circuit, Problem, Total, only_totals, refuse_projection, with_areas
from covr.engine.settings import Pace
from covr.engine.turns import CountTurns, Entrant, Method

# --- the order of the options ----------------------------------------------------------------------------------------
# Of several orders the one is taken in which the fewest vertices and items are between their first and their last
# option: the order of the problem; and, from several starts, the order in which a wave reaches what options have in
# common.


ARC, NODE = 8, 200  # bytes, about: of a state that is done, and of a node of the diagram
STARTS = 4  # waves that are tried


def promised(problem: Problem) -> int:
    """How many states a sweep may have, as far as the frontier of its order tells: each thing on it is mostly in one of
    three states, as a vertex is that a path has not met, ends in, or passes."""
    return _frontier(things_of(problem), order_of(problem), 3)


def order_of(problem: Problem) -> list[int]:
    """The order in which options are decided. Time: a few times the length of the options and sides."""
    things = things_of(problem)
    orders = [list(range(problem.options))]
    starts = _starts(things)
    for start in starts:
        orders.append(_wave(things, start))
    return min(orders, key=lambda order: _frontier(things, order))


def things_of(problem: Problem) -> list[list[int]]:
    """Per option, what it has in common with others: items, totals, and vertices of circuits and connections. Two
    options that stand at neighbours in a connection have the edge between them in common."""
    found: list[list[int]] = [list(problem.option(o)) for o in range(problem.options)]
    number = problem.items
    for side in problem.sides:
        if isinstance(side, Total):
            for o, _ in side.terms:
                found[o].append(number)
            number += 1
        elif isinstance(side, Circuit):
            known: dict[int, int] = {}
            for o, u, v in side.ends:
                found[o] += {known.setdefault(w, number + len(known)) for w in (u, v)}
            number += len(known)
        else:
            edges: dict[int, list[int]] = {}
            for k, (u, v) in enumerate(side.edges):
                edges.setdefault(u, []).append(number + k)
                edges.setdefault(v, []).append(number + k)
            for o, v in side.places:
                found[o] += edges.get(v, ())
            number += len(side.edges)
    return found


def _starts(things: Sequence[Sequence[int]]) -> list[int]:
    """Options from which a wave may begin: the ends of waves, which lie far apart."""
    starts: list[int] = []
    start = 0
    for _ in range(STARTS if things else 0):
        if start in starts:
            break
        starts.append(start)
        start = _wave(things, start)[-1]
    return starts


def _wave(things: Sequence[Sequence[int]], start: int) -> list[int]:
    """Options in the order in which a wave from one of them has reached all that they hold, which it does thing by
    thing."""
    holders: dict[int, list[int]] = {}
    for o, held in enumerate(things):
        for thing in held:
            holders.setdefault(thing, []).append(o)
    rank: dict[int, int] = {}
    queue: deque[int] = deque()

    def reach(o: int) -> None:
        for thing in things[o]:
            if thing not in rank:
                rank[thing] = len(rank)
                queue.append(thing)

    for first in (start, *range(len(things))):
        reach(first)
        while queue:
            for o in holders[queue.popleft()]:
                reach(o)
    return sorted(
        range(len(things)),
        key=lambda o: (max((rank[t] for t in things[o]), default=0), min((rank[t] for t in things[o]), default=0), o),
    )


def _frontier(things: Sequence[Sequence[int]], order: Sequence[int], base: int = 2) -> int:
    """How wide the frontier of an order is: the sum of `base` to the power of its sizes."""
    last = {thing: level for level, o in enumerate(order) for thing in things[o]}
    levels: Counter[int] = Counter()  # per size, how often the frontier has it
    size = 0
    seen: set[int] = set()
    for level, o in enumerate(order):
        new = [thing for thing in things[o] if thing not in seen]
        seen.update(new)
        size += len(new)
        levels[size] += 1
        size -= sum(last[thing] == level for thing in set(things[o]))
    return reduce(lambda total, size: total * base + levels[size], range(max(levels, default=0), -1, -1), 0)


# --- packed sweep ----------------------------------------------------------------------------------------------------
# All answers of a problem with side conditions, layer by layer: as a decision diagram, or only their number.
#
# Options are decided in a fixed order. A *state* holds the value of each demand (side_states.py) that has begun and is
# not over; a *layer* has all states before an option. Equal states have equal futures, so a state is kept once, however
# many ways lead to it. Where answers are only counted, a state has the number of these ways, and one layer is kept at a
# time. For a diagram all layers are kept, as what each state leads to; then they are reduced from the bottom up.
#
# The kernel (kernels/frontiers/_demands.py) packs states into words. Each demand has cells of its own from its first
# option to its last; after that another with as many may have them.


MOST_WORDS = 1024  # of a state, of eight cells each: with more, each state takes over 8 kB


class PackedSweep:
    """A sweep over the options. `run` until it returns True.

    count: the number of answers; None before the end, and -1 where a diagram is made.
    is_possible: False if the demands contradict themselves.
    """

    def __init__(self, problem: Problem, keep: bool, room: int, interpreted: bool = False) -> None:
        """keep: whether a diagram is wanted.  room: bytes.  interpreted: do not use the compiled kernel.

        Raises Unsuited where only some options tell answers apart, and TooWide where a state does not fit."""
        refuse_projection(problem, "a count of all options, one after another,")
        self.order = order_of(problem)
        demands = demands_of(problem, self.order)
        self.is_possible = all(demand.possible for demand in demands)
        self.count: int | None = None if self.is_possible else 0
        self._keep, self._room = keep, room
        code, begin, words = _code(demands, len(self.order))
        given = set(problem.given)
        forced = [o in given for o in self.order]
        self._kernel: Any = load("_demands", interpreted).Demands(code, begin, forced, words, room, keep)

    @property
    def states(self) -> int:
        """How many states there were so far, which may be read from any thread."""
        return int(self._kernel.states)

    @property
    def fraction(self) -> float:
        """Which part of the options is decided."""
        return float(self._kernel.fraction()) if self.is_possible else 1.0

    @property
    def wanted(self) -> int:
        """Bytes that are in use; more than there is room for, where that was not enough."""
        if self._kernel.is_full:
            return self._room + 1
        made = self.states * (ARC + NODE) if self._keep else 0
        return int(self._kernel.wanted) + made

    def run(self, states: int) -> bool:
        """Treat at most so many more states. Returns whether the end is reached."""
        if self.count is None and self._kernel.run(states, 0) == DONE:
            self.count = -1 if self._keep else int(self._kernel.value)
        return self.count is not None

    def arcs(self) -> tuple[list[Sequence[int]], list[Sequence[int]]]:
        """Per option and state before it, the numbers of the states that leaving and taking the option lead to; -1 for
        none. Once the end is reached, and `keep` was set."""
        layers = [self._kernel.layer(level) for level in range(len(self.order) if self.is_possible else 0)]
        return [low for low, _ in layers], [high for _, high in layers]


class TooWide(Exception):
    """A state does not fit into the kernel's words."""


def _code(demands: Sequence[Demand], options: int) -> tuple[list[int], list[int], int]:
    """The kernel's code, where that of each option begins, and the words of a state. Raises TooWide."""
    begins: list[list[Demand]] = [[] for _ in range(options)]
    for demand in demands:
        if demand.cells is None:
            raise TooWide
        if demand.levels:
            begins[demand.levels[0]].append(demand)
    touched: list[list[list[int]]] = [[] for _ in range(options)]
    ends: list[list[tuple[int, int]]] = [[] for _ in range(options)]
    free: dict[int, list[int]] = {}
    cells = 0
    for level in range(options):
        for demand in begins[level]:
            size = demand.cells or 0
            if free.get(size):
                cell = free[size].pop()
            else:
                cell = cells
                cells += size
            for at in demand.levels:
                touched[at].append(demand.code(at, cell))
            ends[demand.levels[-1]].append((size, cell))
        for size, cell in ends[level]:
            free.setdefault(size, []).append(cell)
    words = max((cells + 7) // 8, 1)
    if words > MOST_WORDS:
        raise TooWide
    code: list[int] = []
    begin = [0]
    for operations in touched:
        for operation in operations:
            code += operation
        begin.append(len(code))
    return code, begin, words


# --- side count ------------------------------------------------------------------------------------------------------
# Counts the answers of a problem with loops or connections by a sweep over its options, if its frontier is narrow.
#
# The engine `sides` visits every answer. The sweep (side_sweep.py) counts all that have the same future at once, in a
# time that only the frontier bounds: the 27 359 264 067 916 806 101 loops on 9 × 9 squares take 0.1 s. How wide the
# frontier is can be told in advance; how many states there are on it, and how far the search would have to go, cannot.
# So the two take turns, and the first to finish gives the count. The sweep is given up when it has more states than its
# frontier promised, or no memory.
#
# Totals are left to the search where there is nothing else: a sweep keeps a state for each sum.


SIDE_COUNT_NODE = 10_000  # work of a node of the search
SIDE_COUNT_STATE = 200  # work of a state of the sweep
MOST = 1 << 34  # states that a frontier may promise; really there are about a tenth
MOST_OPTIONS = 5000  # with more, even to put them in order takes long


def suits(problem: Problem) -> bool:
    """Whether a sweep may be quicker than a search. Linear time in the number of sides."""
    sides = problem.sides
    told = problem.projection is None and not only_totals(sides) and not with_areas(sides)
    return told and problem.options <= MOST_OPTIONS


def count_by_sweep(search: Method, problem: Problem, room: int, pace: Pace) -> Method:
    """A method that only counts: `search`, and the sweep, by turns.

    search: a method that has not begun and visits every answer.  room: bytes for the sweep."""
    search = evolve(search, node=SIDE_COUNT_NODE)
    made: list[SideCount] = []
    patience = pace.counts.sided

    @cache
    def by_sweep() -> Method | None:
        most = promised(problem)
        if most > MOST:
            return None
        try:
            count = SideCount(problem, room, max(most, patience))
        except TooWide:
            return None
        made.append(count)
        return Method(
            "option by option", count, count.run, tuple, fraction=lambda: count.sweep.fraction, node=SIDE_COUNT_STATE
        )

    def fits() -> bool:
        return not any(count.is_over for count in made)

    turn = patience * SIDE_COUNT_NODE
    alone = Entrant("search", lambda: search, turn, "is quicker where there are few answers")
    options = Entrant("option by option", by_sweep, turn, "counts equal futures once", may=fits)
    turns = CountTurns((alone, options), pace)

    def spared() -> int:
        return turns.nodes << 10 if made and fits() else 0  # as in frontier_count.py

    return Method(search.name, turns, turns.run, tuple, fraction=turns.fraction, spared=spared)


class SideCount:
    """The sweep as a kernel (see loading.py). is_over: whether it has given up."""

    def __init__(self, problem: Problem, room: int, most: int) -> None:
        """room: bytes.  most: states. Raises TooWide."""
        self.sweep = PackedSweep(problem, False, room)
        self._room, self._most = room, most
        self.is_over = False
        self.nodes = self.updates = 0
        self.code = -1

    @property
    def answers(self) -> int:
        """How many answers there are, once that is known."""
        return self.sweep.count or 0

    def run(self, nodes: int, answers: int) -> int:
        """Treat at most so many more states. Returns a code of header.py; also `SLICE` where it has given up."""
        done = self.sweep.run(nodes)
        self.nodes += nodes
        self.is_over = not done and (self.sweep.states > self._most or self.sweep.wanted > self._room)
        self.code = DONE if done else SLICE
        return self.code

    def answer(self) -> list[int]:
        """No answer is kept."""
        return []
