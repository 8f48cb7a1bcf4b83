"""Choices that can never be taken: what follows from the matrix by propagation alone, without any search.

Two conclusions are drawn until nothing changes: a taken choice that fills an item excludes the other choices of that
item (except those that show the same colour), and an item with exactly as many options left as it needs takes all of
them. An option that is excluded in this way is in no answer. This is unit propagation: it finds what follows step by
step, but not everything that is true.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from attrs import field

from covr.engine import Problem
from covr.frozen import frozen

BUDGET = 3_000_000  # how many entries of the matrix are visited at most; this takes some seconds


@frozen
class Propagated:
    """What propagation has proved. taken, dead: for each option, whether it is in every answer, or in none.

    broken: an item that cannot be met, or None. whole: whether the budget was enough to follow every consequence; what
    was found is certain in either case.
    """

    taken: bytearray = field(repr=False)
    dead: bytearray = field(repr=False)
    broken: int | None
    whole: bool


def settle(problem: Problem, given: Iterable[int] = (), *, forced: bool = True, budget: int = BUDGET) -> Propagated:
    """Take the given options and follow the consequences.

    forced: whether an item with exactly as many options left as it needs takes them. If not, options are excluded only
    by items that are full, among them those with an upper bound of 0.
    Time and memory O(entries of the matrix), at most `budget` entries.
    """
    return Settler(problem, forced, budget).run(given)


class Settler:
    """The state of the propagation.

    left: for each item, how many of its options are not excluded. held: how many are taken, counting those of one
    colour once. shown: the colour that the item shows.
    """

    def __init__(self, problem: Problem, forced: bool, budget: int) -> None:
        self.problem, self.forced, self.budget = problem, forced, budget
        self.left = list(map(len, problem.holders))
        self.held = [0] * problem.items
        self.shown = [0] * problem.items
        self.taken = bytearray(problem.options)
        self.dead = bytearray(problem.options)
        self.broken: int | None = None
        self.todo: deque[tuple[int, bool]] = deque()

    def run(self, given: Iterable[int]) -> Propagated:
        """Take the given options, and follow what that forces and excludes until nothing changes."""
        self.todo += ((o, True) for o in given)
        for i in range(self.problem.items):
            self.look(i)
        while self.todo and self.broken is None and self.budget > 0:
            o, take = self.todo.popleft()
            if take:
                self.take(o)
            else:
                self.exclude(o)
        return Propagated(self.taken, self.dead, self.broken, self.budget > 0)

    def look(self, i: int) -> None:
        """Draw the conclusions for item i: it is full, or has just as many options left as it needs."""
        low, high = self.problem.low[i], self.problem.high[i]
        if self.left[i] < low or self.held[i] > high:
            self.broken = i if self.broken is None else self.broken
        elif self.held[i] >= high:
            self.budget -= len(self.problem.holders[i])
            for o, colour in self.problem.column(i):
                if not self.taken[o] and not self.dead[o] and not (colour and colour == self.shown[i]):
                    self.todo.append((o, False))
        elif self.forced and self.left[i] == low:
            self.budget -= len(self.problem.holders[i])
            self.todo += ((o, True) for o in self.problem.holders[i] if not self.dead[o] and not self.taken[o])

    def take(self, o: int) -> None:
        """Take option o, unless it is taken already, and exclude what it excludes."""
        if self.taken[o]:
            return
        items = self.problem.option(o)
        if self.dead[o]:
            self.broken = items[0] if len(items) else None
            return
        self.taken[o] = 1
        self.budget -= len(items)
        for i, colour in zip(items, self.problem.option_colours(o), strict=True):
            if not (colour and self.shown[i] == colour):
                self.held[i] += 1
            if colour:
                self.shown[i] = colour
            self.look(i)

    def exclude(self, o: int) -> None:
        """Exclude option o, unless it is excluded already."""
        if self.dead[o]:
            return
        self.dead[o] = 1
        items = self.problem.option(o)
        self.budget -= len(items)
        if self.taken[o]:
            self.broken = items[0]
            return
        for i in items:
            self.left[i] -= 1
            if self.left[i] < self.problem.low[i] or (self.forced and self.left[i] == self.problem.low[i]):
                self.look(i)


__all__ = ["Propagated", "settle"]
