"""Probes of large trees, as in probe.py, but on lists instead of sets of options.

With sets, the number of ways of an item is found at once, but every set has one bit for each option: with 10⁴ items,
each step looks at 10⁴ sets of 10⁴ bits, and a probe takes minutes. Here the number of ways of each item is stored, and
updated whenever an option is dropped; a heap yields the item with the fewest ways. A probe takes time proportional to
the total length of the options that it drops, times the logarithm of their number. For small problems, sets are ten
times as fast.
"""

from __future__ import annotations

import heapq
import operator
from collections.abc import Sequence

from covr.engine.base.heed import heeded, look
from covr.engine.prepare.residual import take_given
from covr.engine.problem import Problem
from covr.engine.sampling.probe import Pick, Probe, Ratio, go_down, shares_of, shares_of_free

UNHEARD = 1000  # options that are dropped between two checks of the limits


class SparseTree:
    """Like `ProbeTree`: the same picks make the same probes.

    live: per option, 1 if it may still be taken at the root, else 0.  need, room: per item, how many more options must,
    and may, hold it.  held: per item, how many live options hold it.  rows: per item, the options that hold it.
    """

    def __init__(self, problem: Problem, goal: str = "all") -> None:
        """Time and space linear in the length of the options."""
        self.problem, self.goal = problem, goal
        residual = take_given(problem)
        self.feasible = residual.feasible
        self.need, self.room, self.live = list(residual.need), list(residual.room), residual.live
        self.options: list[Sequence[int]] = [tuple(problem.option(o)) for o in heeded(range(problem.options))]
        self.rows: list[list[int]] = [[] for _ in range(problem.items)]
        self.held = [0] * problem.items
        for o in heeded(range(problem.options)):
            for i in self.options[o]:
                self.rows[i].append(o)
                self.held[i] += self.live[o]
        self.unmet = [(self.held[i] - self.need[i], i) for i in heeded(range(problem.primary)) if self.need[i] > 0]
        heapq.heapify(self.unmet)

    def probe(self, pick: Pick, ratio: Ratio = operator.truediv) -> Probe:
        """See `ProbeTree.probe`."""
        return go_down(_ListsLeft(self), self.feasible, pick, ratio)


class _ListsLeft:
    """What is left of the problem, as lists; the fields are those of the tree."""

    def __init__(self, tree: SparseTree) -> None:
        self.tree, self.primary = tree, tree.problem.primary
        self.live, self.need, self.room, self.held = tree.live[:], tree.need[:], tree.room[:], tree.held[:]
        self.heap = tree.unmet[:]  # (ways - 1, item): for every unmet item its current entry, and some outdated ones
        self.unheard = UNHEARD
        self.first = 0  # no option before it is live

    def branches(self) -> tuple[Sequence[int], Sequence[int], bool]:
        """See `Left.branches`."""
        item = self.fewest()
        if item < 0:
            row = self.free()
            return row, shares_of_free(len(row)), True
        row = self.row(item)
        ways = len(row) - self.need[item] + 1
        shares = shares_of(len(row), self.need[item], self.room[item], self.tree.goal) if ways > 0 else []
        return row[: len(shares)], shares, False

    def take(self, row: Sequence[int], k: int) -> None:
        """See `Left.take`."""
        for o in row[: k + 1]:
            self.drop(o)
        self.settle(row[k])

    def fewest(self) -> int:
        """The unmet item with the fewest ways, the lowest number on ties; -1 where none is unmet."""
        heap = self.heap
        while heap:
            ways, i = heap[0]
            if self.need[i] > 0 and self.held[i] - self.need[i] == ways:
                return i
            heapq.heappop(heap)
        return -1

    def row(self, item: int) -> list[int]:
        live = self.live
        return [o for o in heeded(self.tree.rows[item]) if live[o]]

    def free(self) -> list[int]:
        """The options that are tried once every item is met."""
        self.first = self.live.find(1, self.first)
        if self.first < 0:
            return []
        costs = self.tree.problem.costs
        if self.tree.goal == "minimum":
            return [o for o in heeded(range(self.first, len(self.live))) if self.live[o] and costs and costs[o] < 0]
        return [o for o in heeded(range(self.first, len(self.live))) if self.live[o]]

    def drop(self, option: int) -> None:
        """Remove an option from the live ones."""
        if not self.live[option]:
            return
        self.live[option] = 0
        held, need, primary = self.held, self.need, self.primary
        for i in self.tree.options[option]:
            held[i] -= 1
            if i < primary and need[i] > 0:
                heapq.heappush(self.heap, (held[i] - need[i], i))
        self.unheard -= 1
        if not self.unheard:
            self.unheard = UNHEARD
            look()

    def settle(self, option: int) -> None:
        """Take an option that has already been dropped, and drop the options that it excludes."""
        need, room, rows = self.need, self.room, self.tree.rows
        problem = self.tree.problem
        for i, colour in zip(self.tree.options[option], problem.option_colours(option), strict=True):
            if need[i] > 0:
                need[i] -= 1
                if i < self.primary and need[i]:
                    heapq.heappush(self.heap, (self.held[i] - need[i], i))
            if colour:
                for o in rows[i]:
                    if self.live[o] and not self._shows(o, i, colour):
                        self.drop(o)
                continue
            room[i] -= 1
            if room[i] <= 0 and self.held[i]:
                for o in rows[i]:
                    self.drop(o)

    def _shows(self, option: int, item: int, colour: int) -> bool:
        own = self.tree.options[option]
        return self.tree.problem.option_colours(option)[list(own).index(item)] == colour
