"""A sweep over the options by the kernel for demands (kernels/frontiers/_demands.py), which packs states into words.

It is some fifty times as fast as the sweep in Python (side_sweep.py), which says what a sweep is, and takes its place
where a vertex of a circuit or a connection has a slot beyond 250, or a state is too long. Each demand has cells of its
own from its first option to its last; after that another with as many may have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from covr.engine.counting.side_states import Demand, demands_of
from covr.engine.counting.side_sweep import ARC, NODE, SideSweep, order_of
from covr.engine.kernels.header import DONE
from covr.engine.kernels.loading import load
from covr.engine.problem import Problem
from covr.engine.sides import refuse_projection

MOST_WORDS = 64  # of a state, of eight cells each


class PackedSweep:
    """A sweep over the options. `run` until it returns True. The attributes are those of `SideSweep`."""

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
        """As of `SideSweep`."""
        layers = [self._kernel.layer(level) for level in range(len(self.order) if self.is_possible else 0)]
        return [low for low, _ in layers], [high for _, high in layers]


class TooWide(Exception):
    """A state does not fit into the kernel's words."""


def sweep_of(problem: Problem, keep: bool, room: int) -> PackedSweep | SideSweep:
    """A sweep by the kernel, or in Python where it can't be. The arguments are those of `PackedSweep`."""
    try:
        return PackedSweep(problem, keep, room)
    except TooWide:
        return SideSweep(problem, keep)


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
