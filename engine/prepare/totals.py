"""Totals prepared for the kernel: groups of options that exclude each other, and sums as sets of bits.

A total's options are divided into *groups*. The options of a group all hold one item that may have only one of them, so
a group adds one of its coefficients to the sum, or nothing. If the item must have an option, and all its options are in
the group, the group always adds one of its coefficients. Every group is shifted so that the least number that it can
add is 0, and then all numbers are divided by their greatest common divisor; the allowed sums are shifted and divided to
match. So every sum is at least 0, and sums above the largest allowed one need not be distinguished. If few enough sums
are left, the sums that can be reached are represented as a set of bits.

If k disjoint items together hold all of a total's options, and each of them must have exactly one option and has no
others, every answer takes exactly k of these options. Then the total may be stated a second time, in groups of *other*
items (for a cage of a puzzle, its digits instead of its cells). For this, every coefficient is raised by a number so
large that a sum shows how many options were taken. The second total allows the same answers, but finds things that the
first cannot: for example, that no set of k different digits which includes a given one adds up to the sum.

Source: finding the reachable sums by dynamic programming on bits is from Trick, "A dynamic programming approach for
consistency and propagation for knapsack constraints", 2003. Adding up groups, and the second total, are ours.
"""

from __future__ import annotations

from collections.abc import Sequence

from covr.engine.kernels.loading import load
from covr.engine.problem import Problem
from covr.engine.sides import Total
from covr.frozen import frozen

MOST_BITS = 1 << 13  # the most bits of a set of sums: totals that allow larger sums are checked by bounds
MOST_WORDS = 1 << 18  # the most 64-bit words for the sums that can be reached: one row for every group
MOST_DERIVED = 1 << 11  # a second total is made only if its largest allowed sum is below this
ENDLESS = 1 << 62  # stands for infinity: more than any sum


@frozen
class TotalGroup:
    """Options of which an answer takes at most one.

    values: pairs of a number, at least 0, and the options that add it to the sum, by increasing number.  empty: what
    the group adds if none of its options is taken.  item: the item of the group if it must have an option, one of
    these or another one; -1 if there is no such item.
    """

    values: tuple[tuple[int, tuple[int, ...]], ...]
    empty: int
    item: int


@frozen
class GroupedTotal:
    """A total for the kernel.

    ranges: the sums that are allowed, as increasing pairs of least and greatest; if there are none, there is no answer.
    bits: the largest allowed sum plus 1, if sums are represented as sets of bits; 0 if only bounds are checked.
    """

    groups: tuple[TotalGroup, ...]
    ranges: tuple[tuple[int, int], ...]
    bits: int


class TotalSums:
    """Prepares the totals of a problem."""

    def __init__(self, problem: Problem) -> None:
        """Time linear in the length of the options."""
        sizes = [len(held) for held in problem.holders]
        arrays = problem.low, problem.high, problem.starts, problem.members, problem.colours, sizes
        self._grouping = load("_grouping").Grouping(*arrays)

    def of(self, total: Total) -> list[GroupedTotal]:
        """The total and, where that helps, the same in other groups. Time about linear in the length of its options."""
        grouping, terms = self._grouping, dict(total.terms)
        options = [*terms]
        alone: dict[int, list[int]] = grouping.alone(options)
        if not alone and {*terms.values()} == {1}:
            most = len(terms)
            ranges = [(max(lo, 0), min(hi, most)) for lo, hi in total.sums if lo <= most and hi >= 0]
            return [_grouped([TotalGroup(((1, (o,)),), 0, -1) for o in terms], ranges)]
        exact: list[int] = grouping.exact(alone)
        first = self._sums(terms, total.sums, grouping.groups(options, alone, exact))
        if sum([len(alone[i]) for i in exact]) < len(terms):
            return [first]
        whole = set(exact)
        others = grouping.groups(options, {i: held for i, held in alone.items() if i not in whole}, [])
        if len(others) == len(terms):
            return [first]
        count, least = len(exact), min(terms.values())
        high = count * (max(terms.values()) - least)
        step = high + 1
        ranges = []
        for lo, hi in total.sums:
            lo, hi = max(lo - count * least, 0), min(hi - count * least, high)
            if lo <= hi:
                ranges.append((lo + count * step, hi + count * step))
        raised = {o: c - least + step for o, c in terms.items()}
        if ranges and ranges[-1][1] < MOST_DERIVED:
            return [first, self._sums(raised, ranges, others)]
        return [first]

    def _sums(
        self, terms: dict[int, int], sums: Sequence[tuple[int, int]], groups: list[tuple[int, list[int]]]
    ) -> GroupedTotal:
        """The total of these terms in these groups, each with its item, or -1."""
        made, base, unit = self._grouping.values(terms, groups)
        most = sum([max(values[-1][0], empty) for values, empty, _ in made])
        ranges = []
        for lo, hi in sums:
            lo, hi = max(-(-(lo + base) // unit), 0), min((hi + base) // unit, most)
            if lo <= hi:
                ranges.append((lo, hi))
        return _grouped([TotalGroup(*one) for one in made], ranges)


def _grouped(groups: Sequence[TotalGroup], ranges: Sequence[tuple[int, int]]) -> GroupedTotal:
    bits = ranges[-1][1] + 1 if ranges else 0
    if bits > MOST_BITS or (bits + 63) // 64 * (len(groups) + 1) > MOST_WORDS:
        bits = 0
    return GroupedTotal(tuple(groups), tuple(ranges), bits)
