"""Which constraints of a problem could be left out without a change to its answers.

Units of constraints (conflict.py) are left out together. A unit is *spare* where others are left out if the problem
without all of them has the same answers; that is so if none of these answers breaks the unit (broken.py). Where only
some options tell answers apart, an answer that breaks it changes nothing if the whole problem has one that counts as
the same.

What is spare where some units are left out is spare where fewer are. So only units that are spare by themselves are
tried together, and one pass over them, in which each is left out if it still can be, leaves nothing more that can go.

An answer that breaks some units is kept: wherever all but one of them are left out, that one is not spare.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat

from attrs import evolve

from covr.engine.base.heed import Stopped, heeded
from covr.engine.check import broken
from covr.engine.problem import Problem
from covr.engine.proofs.broken import Breach, breaches
from covr.engine.proofs.conflict import Answer, ConflictBudget, ConflictVerdict, Relaxing, Unit
from covr.engine.sides import Total
from covr.frozen import frozen

COMPARED = 200  # answers that are compared, for one unit, with those that only some options tell apart
QUICK = 20_000  # nodes that a search may visit at first; where that is not enough, it is tried again after all others
MAX_NODES = 2**62
OPEN = ConflictVerdict(None, False)


@frozen
class SpareUnits:
    """What is spare among some units, by their numbers. alone: those that are spare by themselves.  open: those of
    which that was not decided.  together: those of a set that can be left out together.  minimal: whether it is proved
    that nothing more of what then remains can be left out."""

    alone: tuple[int, ...]
    open: tuple[int, ...]
    together: tuple[int, ...]
    minimal: bool


class Sparing:
    """A search for what is spare.

    problem: its given options and sides are constraints, too.  units: no constraint is in two of them; what is in none
    stays.  silent: constraints that change no answer, so that they need not be looked at.
    """

    def __init__(
        self, problem: Problem, units: Sequence[Unit], budget: ConflictBudget, silent: Iterable[int] = ()
    ) -> None:
        self.problem, self.units, self.budget = problem, units, budget
        left_out = frozenset(silent)
        self._everything = tuple(c for c in Relaxing(problem, budget).everything if c not in left_out)
        self._unit_of = {c: number for number, unit in enumerate(units) for c in unit}
        self._witnesses: list[frozenset[int]] = []  # for each answer that was kept, the units that it breaks

    def find(self) -> SpareUnits:
        """What is spare. If the budget runs out, what is known by then."""
        alone: list[int] = []
        asked: Sequence[int] = range(len(self.units))
        for self.budget.each in (QUICK, MAX_NODES):
            left: list[int] = []
            for number in asked:
                verdict = self.is_spare(number, frozenset())
                if verdict is None:
                    left.append(number)
                elif verdict:
                    alone.append(number)
            asked = left
        alone.sort()
        together, decided = self._together(alone)
        if len(together) < len(alone) and not self.budget.spent:
            other, other_decided = self._together(alone[::-1])
            if len(other) > len(together):
                together, decided = other, other_decided
        return SpareUnits(tuple(alone), tuple(asked), tuple(sorted(together)), decided and not asked)

    def all_spare(self, numbers: Iterable[int]) -> bool | None:
        """Whether these units can all be left out together; None if that is not known."""
        gone: frozenset[int] = frozenset()
        for number in numbers:
            verdict = self.is_spare(number, gone)
            if not verdict:
                return verdict
            gone |= {number}
        return True

    def is_spare(self, number: int, left_out: frozenset[int]) -> bool | None:
        """Whether a unit is spare where others, which are spare together, are left out; None if that is not known."""
        free = left_out | {number}
        if any(number in wrong and wrong <= free for wrong in self._witnesses):
            return False
        if self.budget.spent:
            return None
        try:
            return self._is_spare(number, free)
        except Stopped:
            return None

    def _together(self, order: Sequence[int]) -> tuple[list[int], bool]:
        """The units that are left out if each is, in this order, where it still can be; and whether all was decided."""
        gone: list[int] = []
        decided = True
        for number in order:
            verdict = self.is_spare(number, frozenset(gone))
            if verdict:
                gone.append(number)
            decided = decided and verdict is not None
        return gone, decided

    def _is_spare(self, number: int, free: frozenset[int]) -> bool | None:
        kept = [c for c in heeded(self._everything) if self._unit_of.get(c) not in free]
        known = True
        for constraint in self.units[number]:
            for breach in breaches(self.problem, constraint):
                verdict = self._breaking(breach, kept)
                if verdict.answer is not None:
                    if self.problem.projection is None:
                        self._witnesses.append(self._broken_by(verdict.answer, free))
                    return False
                known = known and verdict.none
        return True if known else None

    def _breaking(self, breach: Breach, kept: Sequence[int]) -> ConflictVerdict:
        """Whether there is an answer of what is kept in which this holds, and which the problem has not."""
        if self.problem.projection is None:
            return self._solve(breach, kept)
        seen: list[Total] = []
        for _ in range(COMPARED):
            verdict = self._solve(evolve(breach, sides=(*breach.sides, *seen)), kept)
            if verdict.answer is None:
                return verdict
            taken = self.problem.projected(verdict.answer)
            same = self._same(taken)
            if same.none:
                return verdict
            if same.open:
                return OPEN
            seen.append(_other_than(taken, self.problem.projection))
        return OPEN

    def _same(self, taken: Sequence[int]) -> ConflictVerdict:
        """Whether the whole problem has an answer that counts as one in which these options are taken."""
        left_out = frozenset(self.problem.projection or ()).difference(taken)
        return Relaxing(self.problem, self.budget, taken=taken, left_out=left_out).solve(self._everything)

    def _solve(self, breach: Breach, kept: Sequence[int]) -> ConflictVerdict:
        """Whether there is an answer of what is kept in which this holds. Its options are the problem's."""
        problem, added = self.problem, breach.added
        first_side = problem.items + problem.options
        constraints: Iterable[int] = kept
        if added:
            problem = _with_options(problem, added)
            constraints = (c + added if c >= first_side else c for c in kept)
        relaxing = Relaxing(problem, self.budget, left_out=breach.left_out, bounds=breach.bounds, sides=breach.sides)
        verdict = relaxing.solve(constraints)
        if verdict.answer is None or not added:
            return verdict
        return ConflictVerdict(tuple(o for o in verdict.answer if o < self.problem.options), False)

    def _broken_by(self, answer: Answer, free: Iterable[int]) -> frozenset[int]:
        """Which of these units an answer breaks."""
        taken = frozenset(answer)
        return frozenset(u for u in free if any(self._breaks(taken, c) for c in self.units[u]))

    def _breaks(self, taken: frozenset[int], constraint: int) -> bool:
        problem = self.problem
        first_side = problem.items + problem.options
        if problem.items <= constraint < first_side:
            return constraint - problem.items not in taken
        if constraint >= first_side:
            return broken(problem.sides[constraint - first_side], taken) is not None
        held = [colour for o, colour in problem.column(constraint) if o in taken]
        times = len([c for c in held if not c]) + len({c for c in held if c})
        return not problem.low[constraint] <= times <= problem.high[constraint]


def _with_options(problem: Problem, added: int) -> Problem:
    """The same with further options that no item knows."""
    starts = (*problem.starts, *repeat(problem.starts[problem.options], added))
    return evolve(problem, starts=starts, costs=(), option_names=())


def _other_than(taken: Iterable[int], telling: Sequence[int]) -> Total:
    """Of the options that tell answers apart, not just these are taken."""
    own = frozenset(taken)
    if not telling:
        return Total((), ())
    terms = tuple((o, 1 if o in own else -1) for o in telling)
    return Total(terms, ((len(own) - len(terms), len(own) - 1),))


__all__ = ["SpareUnits", "Sparing"]
