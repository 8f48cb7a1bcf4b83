"""All answers of a problem with side conditions, layer by layer: as a decision diagram, or only their number.

Options are decided in a fixed order. A *state* holds the value of each demand (side_states.py) that has begun and is
not over; a *layer* has all states before an option. Equal states have equal futures, so a state is kept once, however
many ways lead to it. Where answers are only counted, a state has the number of these ways, and one layer is kept at a
time. For a diagram all layers are kept, as what each state leads to; then they are reduced from the bottom up.

The order decides how many states there are. Of several orders the one is taken in which the fewest vertices and items
are between their first and their last option: the order of the problem; and, from several starts, the order in which a
wave reaches what options have in common.

This is Python: a state takes 5 to 20 µs, and some 300 bytes while its layer lasts. Loops on 8 × 8 squares have 355 442
states, and each further row and column four times as many. The kernel (packed_sweep.py) does the same a hundred times
as fast; this is for states that it does not hold, and what it is held to.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence

from covr.engine.counting.side_states import Demand, Value, demands_of
from covr.engine.problem import Problem
from covr.engine.sides import Circuit, Total, refuse_projection

HEED = 2_000  # states between two looks at the limits: some hundredths of a second
# Bytes, about: of a state in a layer, besides each of its slots; of one that is done; and of a node of the diagram.
STATE, WORD, ARC, NODE = 300, 16, 8, 200
STARTS = 4  # waves that are tried
DEEP = 40  # what is on the frontier counts as 2 to the power of its size; beyond this many, only the size is compared

State = tuple[Value, ...]


class SideSweep:
    """A sweep over the options. `run` until it returns True.

    states: how many there were so far, which may be read from any thread.  count: the number of answers; None before
    the end, and -1 where a diagram is made.  is_possible: False if the demands contradict themselves.
    """

    def __init__(self, problem: Problem, keep: bool) -> None:
        """keep: whether a diagram is wanted. Raises Unsuited where only some options tell answers apart."""
        refuse_projection(problem, "a count of all options, one after another,")
        self._problem, self._keep = problem, keep
        self.order = order_of(problem)
        demands = demands_of(problem, self.order)
        self._given = set(problem.given)
        self._steps = _steps(demands, len(self.order))
        self.states = 1
        self.count: int | None = None
        self._level = 0
        width = _width(self._steps)
        self._size = STATE + WORD * width
        start: State = (0,) * width
        self.is_possible = possible = all(demand.possible for demand in demands)
        self._layer: dict[State, int] = {start: 1 if not keep else 0} if possible else {}
        self._next: dict[State, int] = {}
        self._waiting: list[tuple[State, int]] = list(self._layer.items())
        self._low: list[array[int]] = []
        self._high: list[array[int]] = []
        if not possible:
            self.count = 0
            self._level = len(self.order)
        elif keep and self.order:
            self._begin()

    @property
    def fraction(self) -> float:
        """Which part of the options is decided."""
        return self._level / len(self.order) if self.order else 1.0

    @property
    def wanted(self) -> int:
        """Bytes that are in use, about."""
        kept = self.states * (ARC + NODE) if self._keep else 0
        return self._size * (len(self._layer) + len(self._next)) + kept

    def run(self, states: int) -> bool:
        """Treat at most so many more states. Returns whether the end is reached."""
        while self._level < len(self.order):
            steps, forced = self._steps[self._level], self.order[self._level] in self._given
            while self._waiting:
                if states <= 0:
                    return False
                states -= 1
                state, ways = self._waiting.pop()
                above = self._moved(state, steps, True)
                below = None if forced else self._moved(state, steps, False)
                if self._keep:
                    self._high[-1][ways] = self._number(above)
                    self._low[-1][ways] = self._number(below)
                    continue
                for one in (above, below):
                    if one is not None:
                        self._next[one] = self._next.get(one, 0) + ways
            self._turn()
        if self.count is None:
            self.count = sum(self._layer.values()) if not self._keep else -1
        return True

    def arcs(self) -> tuple[list[array[int]], list[array[int]]]:
        """Per option and state before it, the numbers of the states that leaving and taking the option lead to; -1 for
        none. Once the end is reached, and `keep` was set."""
        return self._low, self._high

    def _moved(self, state: State, steps: Sequence[_Step], taken: bool) -> State | None:
        """The state after an option; None if no answer is left."""
        new = list(state)
        for slot, demand, level in steps:
            value = demand.take(level, new[slot]) if taken else demand.leave(level, new[slot])
            if value is None:
                return None
            new[slot] = value
        return tuple(new)

    def _number(self, state: State | None) -> int:
        """The number of a state in the next layer; -1 for none."""
        return -1 if state is None else self._next.setdefault(state, len(self._next))

    def _turn(self) -> None:
        """Go on to the next layer."""
        self._layer, self._next = self._next, {}
        self._level += 1
        self._waiting = list(self._layer.items())
        self.states += len(self._layer)
        if self._keep and self._level < len(self.order):
            self._begin()

    def _begin(self) -> None:
        self._low.append(array("i", [-1]) * len(self._layer))
        self._high.append(array("i", [-1]) * len(self._layer))


_Step = tuple[int, Demand, int]  # a slot of the state, the demand whose value it holds, the place of the option


def _steps(demands: Sequence[Demand], options: int) -> list[list[_Step]]:
    """Per option, the slots of the state that it changes. A slot is used again once its demand is over."""
    begins: list[list[Demand]] = [[] for _ in range(options)]
    for demand in demands:
        if demand.levels:
            begins[demand.levels[0]].append(demand)
    touched: list[list[tuple[int, Demand]]] = [[] for _ in range(options)]
    ends: list[list[int]] = [[] for _ in range(options)]
    free: list[int] = []
    number = 0
    for level in range(options):
        for demand in begins[level]:
            slot = free.pop() if free else number
            number += slot == number
            for at in demand.levels:
                touched[at].append((slot, demand))
            ends[demand.levels[-1]].append(slot)
        free += ends[level]
    return [[(slot, demand, level) for slot, demand in touched[level]] for level in range(options)]


def _width(steps: Sequence[Sequence[_Step]]) -> int:
    return max((slot + 1 for step in steps for slot, _, _ in step), default=0)


# --- the order of the options ---


def promised(problem: Problem) -> int:
    """How many states a sweep may have, as far as the frontier of its order tells: each thing on it is mostly in one of
    three states, as a vertex is that a path has not met, ends in, or passes."""
    things = things_of(problem)
    widest, total = _frontier(things, order_of(problem), 3)
    return total if widest <= DEEP else 3**widest


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


def _frontier(things: Sequence[Sequence[int]], order: Sequence[int], base: int = 2) -> tuple[int, int]:
    """How wide the frontier of an order is: its greatest size, if that is large; and the sum of `base` to the power of
    its sizes."""
    last = {thing: level for level, o in enumerate(order) for thing in things[o]}
    size = widest = total = 0
    seen: set[int] = set()
    for level, o in enumerate(order):
        new = [thing for thing in things[o] if thing not in seen]
        seen.update(new)
        size += len(new)
        widest = max(widest, size)
        total += base ** min(size, DEEP)
        size -= sum(last[thing] == level for thing in set(things[o]))
    return max(widest, DEEP), total
