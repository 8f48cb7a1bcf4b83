"""Totals of different numbers, by the sets of numbers that may be the taken ones.

Where a total adds up one option of each of some items, and no two with the same coefficient, as many coefficients as
there are items are taken. Each set of so many is an atom, and so is each sum. Then a number that is in no set with the
right sum is out at once, and what two sets have in common is known, where a weight rule only looks at the least and
the greatest sum.

Source: the way in which people solve kakuros.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

from covr.engine.outside.clingo_writer import Literal, Ranges, RuleWriter
from covr.engine.problem import Problem
from covr.engine.sides import Total

MANY_SETS = 300  # sets of numbers, from which on a total is written as a weight rule

Terms = tuple[tuple[int, int], ...]


class NumberSets:
    """Writes totals of different numbers. atoms: per option of the problem, its atom."""

    def __init__(self, problem: Problem, atoms: Sequence[int]) -> None:
        self._problem, self._atoms = problem, atoms
        self._known: dict[Terms, dict[int, Literal] | None] = {}

    def sums(self, total: Total, write: RuleWriter) -> dict[int, Literal] | None:
        """For each sum that different numbers have, a literal that is true if and only if it is theirs; None if the
        numbers of this total may be alike, or if their sets are too many. To be called where nothing is written under
        conditions."""
        if total.terms not in self._known:
            self._known[total.terms] = self._written(total.terms, write)
        return self._known[total.terms]

    @staticmethod
    def within(sums: Mapping[int, Literal], ranges: Ranges, write: RuleWriter) -> None:
        """Forbid, under the conditions of `write`, the sums that lie in none of the ranges. sums: as of `sums`."""
        for whole, literal in sums.items():
            if not any(low <= whole <= high for low, high in ranges):
                write.forbid([literal])

    def _written(self, terms: Terms, write: RuleWriter) -> dict[int, Literal] | None:
        numbers: dict[int, list[int]] = {}
        for o, number in terms:
            numbers.setdefault(number, []).append(o)
        taken = self._taken([o for o, _ in terms])
        if taken is None or comb(len(numbers), taken) > MANY_SETS or not all(map(self._once, numbers.values())):
            return None
        met = {number: write.one_of([self._atoms[o] for o in options]) for number, options in numbers.items()}
        write.many(taken, taken, [*met.values()])
        holding: dict[int, list[int]] = {number: [] for number in numbers}
        making: dict[int, list[Literal]] = {}
        for chosen in combinations(sorted(numbers), taken):
            atom = write.new()
            write.implied(atom, [met[number] for number in chosen])
            making.setdefault(sum(chosen), []).append(atom)
            for number in chosen:
                holding[number].append(atom)
        for number, sets in holding.items():
            write.forbid([met[number], *(-atom for atom in sets)])
        return {whole: write.one_of(sets) for whole, sets in sorted(making.items())}

    def _taken(self, options: Sequence[int]) -> int | None:
        """How many of these are taken, if they are the options of some items met exactly once, and no two of them hold
        the same; None otherwise."""
        problem, own = self._problem, set(options)
        seen: set[int] = set()
        items = 0
        if problem.colours:
            return None
        for o in options:
            if o in seen:
                continue
            for i in problem.option(o):
                holders = problem.holders[i]
                if problem.low[i] == problem.high[i] == 1 and own.issuperset(holders) and seen.isdisjoint(holders):
                    seen.update(holders)
                    items += 1
                    break
            else:
                return None
        return items

    def _once(self, options: Sequence[int]) -> bool:
        """Whether no two of these are taken together, as an item says."""
        problem = self._problem
        shared = set(problem.option(options[0])).intersection(*map(problem.option, options[1:]))
        return len(options) == 1 or any(problem.high[i] <= 1 for i in shared)


__all__ = ["NumberSets"]
