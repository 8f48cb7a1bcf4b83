"""Minimal sets of contradictory constraints by one clingo, which is asked again and again.

Each constraint hangs on a switch (outside/clingo_switched.py). Where some are contradictory, clingo tells which of them
it needed to see that; the others are left out at once. Then each of the rest is left out by itself: if there is no
answer then, it was not needed, nor was whatever that proof did not need; if there is one, it stays. What was learned is
kept from one question to the next.

Source: deletion with cores, as in Belov and Marques-Silva, "MUSer2", JSAT 8 (2012).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from covr.engine.outside.clingo_switched import OtherAnswers, Switched, SwitchedItem, Untaken, taken
from covr.engine.problem import build
from covr.engine.sides import options_of

if TYPE_CHECKING:
    from covr.engine.proofs.conflict import Relaxing, Unit

EACH = 20_000  # conflicts that clingo may meet in one question
CONFLICT = 10  # units of work of a conflict
CONDITIONS = 10  # members of items and sides that clingo goes through in a unit of work, for each question


class Cores:
    """The constraints of a problem, each with a switch."""

    def __init__(self, relaxing: Relaxing) -> None:
        """Raises Unsuited and Stopped as `OtherAnswers` does."""
        self._budget = relaxing.budget
        problem = relaxing.problem
        always = [Switched((), taken(o)) for o in sorted(relaxing.taken)]
        always += [Switched((), Untaken(o)) for o in sorted(relaxing.left_out)]
        for i, bounds in sorted(relaxing.bounds.items()):
            always.append(Switched((), SwitchedItem(*bounds, tuple(problem.column(i)))))
        always += [Switched((), side) for side in relaxing.sides]
        first = problem.items + problem.options
        switched = [
            Switched((i + 1,), SwitchedItem(problem.low[i], problem.high[i], tuple(problem.column(i))))
            for i in range(problem.items)
            if i not in relaxing.bounds
        ]
        switched += [Switched((problem.items + o + 1,), taken(o)) for o in problem.given]
        switched += [Switched((first + k + 1,), side) for k, side in enumerate(problem.sides)]
        free = build([], [[] for _ in range(problem.options)])
        self._size = len(problem.members) + sum(len(options_of(side)) for side in problem.sides)
        self._asked = OtherAnswers(free, [*always, *switched], None, (), lambda: self._budget.spent)

    def shrink(
        self, units: Sequence[Unit], beside: Iterable[int], heard: Callable[[Sequence[Unit]], None]
    ) -> tuple[tuple[Unit, ...], bool] | None:
        """A subset of contradictory units, and whether it is proved minimal; None if it is not seen that they are.

        The first units are left out first, if they can be. heard: is called with each smaller set."""
        rest = tuple(beside)
        kept = self._core(units, rest)
        if kept is None:
            return None
        needed: set[Unit] = set()
        unsure: set[Unit] = set()
        while (one := next((unit for unit in kept if unit not in needed and unit not in unsure), None)) is not None:
            heard(kept)
            less = self._core([unit for unit in kept if unit != one], rest)
            if less is not None:
                kept = less
            else:
                (needed if self._asked.settled else unsure).add(one)
            if self._budget.spent:
                return tuple(kept), False
        return tuple(kept), unsure.isdisjoint(kept)

    def _core(self, units: Sequence[Unit], rest: Sequence[int]) -> list[Unit] | None:
        """Those of some units that a proof needs; None if there is an answer, or if that is not settled."""
        before = self._asked.nodes
        found = self._asked.has([c + 1 for unit in units for c in unit] + [c + 1 for c in rest], EACH)
        spent = self._asked.nodes - before
        self._budget.searches += 1
        self._budget.nodes += spent
        self._budget.work += CONFLICT * spent + self._size // CONDITIONS
        if found or not self._asked.settled:
            return None
        needed = set(self._asked.core)
        return [unit for unit in units if any(c + 1 in needed for c in unit)]
