"""What the decisions so far mean for one demand on an answer: an item, a total, a circuit or a connection.

Options are decided one after another, in a fixed order (side_sweep.py). Each demand sums up those decided in a *value*:
a few *cells*, numbers from 0 to 255, equal for all decisions that leave the same futures. A value is 0 before the first
option of the demand and after its last one. The kernel (kernels/frontiers/_demands.py) changes the cells by a code of
whole numbers, which each demand writes.

Values are as small as can be cheaply known: what no longer matters is forgotten. An item keeps how many options hold
it, or its colour. A total keeps its sum, until every end is allowed. A circuit keeps its *mates*: at the ends of each
path the other end. A connection keeps which vertices are connected, by the numbers of their parts. A vertex is kept
from its first option to the last that can matter to it; these are the *frontier*.

    cells           how many cells the values take; None if they don't fit
    code            what the kernel does at a place

Source: Knuth, TAOCP 7.1.4 (Simpath); Kawahara, Inoue, Iwashita, Minato, "Frontier-based search for enumerating all
constrained subgraphs with compressed representation", IEICE Trans. Fundamentals E100-A, 2017.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from covr.engine.base.alone import Unsuited
from covr.engine.kernels.header import DEMAND_CIRCUIT, DEMAND_CONNECTION, DEMAND_ITEM, DEMAND_TOTAL
from covr.engine.problem import MOST_TOTAL, Circuit, Connection, Forest, Problem, Total, with_areas

MOST_SLOTS = 250  # of a circuit or a connection in the kernel, where a slot's number and a little more fit in a cell


class Demand(Protocol):
    """A demand on an answer. levels: the places, in the order of the options, at which its value may change.
    possible: False if no set of options meets it, as far as its numbers say.  cells: see above."""

    levels: list[int]
    possible: bool
    cells: int | None

    def code(self, level: int, cell: int) -> list[int]:
        """What the kernel does at this place. cell: the first of its cells."""


def demands_of(problem: Problem, order: Sequence[int]) -> list[Demand]:
    """The demands of a problem, for an order of its options. Linear time. Raises Unsuited for areas."""
    if with_areas(problem.sides):
        raise Unsuited("areas can't be decided option by option; the engines `sides` and `clingo` know them")
    place = {o: level for level, o in enumerate(order)}
    met: dict[int, dict[int, int]] = {}
    for o in order:
        for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True):
            met.setdefault(i, {})[place[o]] = colour
    found: list[Demand] = [ItemDemand(met.get(i, {}), problem.low[i], problem.high[i]) for i in range(problem.items)]
    for side in problem.sides:
        if isinstance(side, Total):
            found.append(TotalDemand({place[o]: c for o, c in side.terms}, side.sums))
        elif isinstance(side, Circuit):
            found.append(CircuitDemand({place[o]: (u, v) for o, u, v in side.ends}))
        elif isinstance(side, Connection | Forest):
            found.append(ConnectionDemand(side, place))
    return found


class ItemDemand:
    """An item is met `low` to `high` times. Value: how often so far, or, if some option shows a colour, that and the
    colour."""

    def __init__(self, colours: Mapping[int, int], low: int, high: int) -> None:
        """colours: per place of an option that holds the item, its colour there, 0 for none."""
        self.levels = sorted(colours)
        self._colours, self._low, self._high = colours, low, high
        self._left = {level: len(self.levels) - k - 1 for k, level in enumerate(self.levels)}
        self.possible = bool(self.levels) or low <= 0
        # Where more than `low` makes no difference, it is not counted.
        self._cap = max(low, 0) if high >= len(self.levels) else len(self.levels)
        tints = sorted({colour for colour in colours.values() if colour})
        self._tints = {0: 0, **{colour: k for k, colour in enumerate(tints, 1)}}
        self._counts, self._shades = _bytes_for(self._cap), _bytes_for(len(tints))
        self.cells: int | None = self._counts + self._shades

    def code(self, level: int, cell: int) -> list[int]:
        tint = self._tints[self._colours[level]]
        bounds = [self._cap, min(self._high, MOST_TOTAL), min(self._low, MOST_TOTAL), self._left[level]]
        return _operation(DEMAND_ITEM, cell, [self._counts, self._shades, tint, *bounds])


class TotalDemand:
    """A total is in one of some ranges. Value: 1 more than twice the sum so far; 2 if every end is allowed."""

    def __init__(self, terms: Mapping[int, int], sums: Sequence[tuple[int, int]]) -> None:
        """terms: per place, its coefficient."""
        self.levels = sorted(terms)
        self._terms, self._sums = terms, sums
        self._reach: dict[int, tuple[int, int]] = {}  # per place, the least and the most that later options add
        least = most = 0
        for level in reversed(self.levels):
            self._reach[level] = least, most
            least, most = least + min(terms[level], 0), most + max(terms[level], 0)
        self.possible = any(low <= most and least <= high for low, high in sums)
        self._down = -least  # what the sum so far is never below, without its sign
        self.cells: int | None = _bytes_for(most - least + 2)

    def code(self, level: int, cell: int) -> list[int]:
        ranges = [max(-MOST_TOTAL, min(end, MOST_TOTAL)) for pair in self._sums for end in pair]
        end = level == self.levels[-1]
        numbers = [self.cells or 0, self._terms[level], *self._reach[level], self._down, end, len(self._sums), *ranges]
        return _operation(DEMAND_TOTAL, cell, numbers)


class CircuitDemand:
    """The options taken form one closed loop. Value: per slot the state of its vertex (not met, inside a path, or the
    slot of the other end of its path); or that the loop is closed."""

    possible = True

    def __init__(self, ends: Mapping[int, tuple[int, int]]) -> None:
        """ends: per place, the two vertices that its option joins."""
        self.levels = sorted(ends)
        self.possible = bool(ends)
        last = {v: level for level in self.levels for v in ends[level]}
        self._slots, self._width = _slots([(level, ends[level]) for level in self.levels], last)
        self._ends = {level: (self._slots[ends[level][0]], self._slots[ends[level][1]]) for level in self.levels}
        self._over: dict[int, list[int]] = {level: [] for level in self.levels}  # slots that are free afterwards
        for v, level in last.items():
            self._over[level].append(self._slots[v])
        self.cells = 1 + self._width if self._width <= MOST_SLOTS else None

    def code(self, level: int, cell: int) -> list[int]:
        over = self._over[level]
        numbers = [self._width, *self._ends[level], level == self.levels[-1], len(over), *over]
        return _operation(DEMAND_CIRCUIT, cell, numbers)


class ConnectionDemand:
    """The vertices where options taken stand are connected, or form no ring. Value: per slot the number of its vertex'
    part, 0 where no option stands; or that a part of a connection has left the frontier, so that no other may stand
    anywhere."""

    possible = True

    def __init__(self, connection: Connection | Forest, place: Mapping[int, int]) -> None:
        """place: per option, its place in the order."""
        self._kind = 2 if isinstance(connection, Forest) else 0
        stands: dict[int, list[int]] = {}
        for o, v in connection.places:
            if o in place:
                stands.setdefault(place[o], []).append(v)
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        for level in sorted(stands):
            for v in stands[level]:
                first.setdefault(v, level)
                last[v] = level
        beside: dict[int, list[int]] = {v: [] for v in first}
        for u, v in connection.edges:
            if u in first and v in first:
                beside[u].append(v)
                beside[v].append(u)
        until = {v: max([last[v], *(last[w] for w in beside[v])]) for v in first}
        self.levels = sorted(stands)
        self._slots, self._width = _slots([(level, stands[level]) for level in self.levels], until)
        self._stands = {level: [(v, self._slots[v]) for v in stands[level]] for level in self.levels}
        # Per place and vertex that stands there, the slots of its neighbours that are on the frontier.
        self._beside = {
            level: {v: [self._slots[w] for w in beside[v] if first[w] <= level <= until[w]] for v in stands[level]}
            for level in self.levels
        }
        self._over: dict[int, list[int]] = {level: [] for level in self.levels}
        for v, level in until.items():
            self._over[level].append(self._slots[v])
        self.cells = 1 + self._width if self._width <= MOST_SLOTS else None

    def code(self, level: int, cell: int) -> list[int]:
        over, stands = self._over[level], self._stands[level]
        numbers = [self._width, self._kind + (level == self.levels[-1]), len(stands), len(over), *over]
        for v, slot in stands:
            near = self._beside[level][v]
            numbers += [slot, len(near), *near]
        return _operation(DEMAND_CONNECTION, cell, numbers)


def _slots(met: Sequence[tuple[int, Sequence[int]]], last: Mapping[int, int]) -> tuple[dict[int, int], int]:
    """A slot for each vertex, free again after its last place; and how many slots there are.

    met: in order, each place with the vertices that it meets.
    """
    slots: dict[int, int] = {}
    free: list[int] = []
    number = 0
    for level, vertices in met:
        for v in vertices:
            if v not in slots:
                if free:
                    slots[v] = free.pop()
                else:
                    slots[v] = number
                    number += 1
        for v, slot in slots.items():
            if last[v] == level:
                free.append(slot)
    return slots, number


def _bytes_for(most: int) -> int:
    """How many cells the numbers from 0 to `most` take."""
    return (most.bit_length() + 7) // 8


def _operation(kind: int, cell: int, numbers: Sequence[int]) -> list[int]:
    return [kind, 3 + len(numbers), cell, *map(int, numbers)]
