"""Totals made ready for the kernel: groups of options that exclude each other, and sums as sets of bits.

A total's options are parted into *groups*, each of options of one item that may have one of them only, so that a group
counts for one of its coefficients, or for nothing. Where the item must have one, and all its options are in the group,
it always counts for one. Every group is lifted so that its least number is 0, and all are divided by their greatest
common divisor; what is allowed is lifted and divided as well. Then every sum is at least 0, and those above the largest
one allowed need not be told apart: where few enough numbers are left, what can be reached is a set of bits.

Where each of k items has exactly one of a total's options, and has no other options, every answer has k of them. Then
the total is said a second time, in groups of *other* items (the digits of a cage instead of its cells): every
coefficient is raised by one number so large that a sum tells how many options were taken. This second total says
nothing new, and finds what the first can't see: that no set of k different digits with this one adds up to the sum.

Source: reach by dynamic programming on bits is Trick, A dynamic programming approach for consistency and propagation
for knapsack constraints, 2003. That groups are what is added up, and the second total, are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from attrs import frozen

from covr.engine.problem import Problem
from covr.engine.sides import Total

MOST_BITS = 1 << 13  # the largest sum that is allowed, up to which sums are bits
MOST_WORDS = 1 << 18  # words of 64 bits that what is reached may take: one row for every group
MOST_DERIVED = 1 << 11  # the same as MOST_BITS for a second total
ENDLESS = 1 << 62  # more than any sum


@frozen
class TotalGroup:
    """Options of which an answer takes at most one.

    values: per different number, which is at least 0, its options.  empty: what the group counts for where none is
    taken.  item: the item that must have one of its options, these or others; -1 where none may be taken.
    """

    values: tuple[tuple[int, tuple[int, ...]], ...]
    empty: int
    item: int


@frozen
class GroupedTotal:
    """A total for the kernel. ranges: what the groups may add up to; empty: there is no answer.
    bits: the largest of these sums and one, where sums are told apart; 0 where only their bounds are."""

    groups: tuple[TotalGroup, ...]
    ranges: tuple[tuple[int, int], ...]
    bits: int


def sums_of(problem: Problem, total: Total) -> list[GroupedTotal]:
    """The total and, where it helps, the same in other groups. Time about linear in the length of its options."""
    terms = dict(total.terms)
    alone = _alone(problem, terms)
    exact = _exact(problem, terms, alone)
    first = _sums(problem, terms, total.sums, _groups(terms, alone, sorted(exact, key=lambda i: -len(alone[i]))))
    if sum(len(alone[i]) for i in exact) < len(terms):
        return [first]
    others = _groups(terms, {i: held for i, held in alone.items() if i not in exact}, [])
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
        return [first, _sums(problem, raised, ranges, others)]
    return [first]


def _alone(problem: Problem, terms: dict[int, int]) -> dict[int, list[int]]:
    """Per item that may have one option only, those of the total."""
    found: dict[int, list[int]] = {}
    for o in terms:
        for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True):
            if problem.high[i] == 1 and not colour:
                found.setdefault(i, []).append(o)
    return found


def _exact(problem: Problem, terms: dict[int, int], alone: dict[int, list[int]]) -> set[int]:
    """Disjoint items that must have exactly one of these options, and have no others; the larger first."""
    covered: set[int] = set()
    exact: set[int] = set()
    for i in sorted(alone, key=lambda i: (-len(alone[i]), i)):
        held = alone[i]
        if problem.low[i] == 1 and len(problem.holders[i]) == len(held) and covered.isdisjoint(held):
            exact.add(i)
            covered.update(held)
    return exact


def _groups(terms: dict[int, int], alone: dict[int, list[int]], first: Sequence[int]) -> list[tuple[int, list[int]]]:
    """Disjoint groups, each with its item (-1 for an option by itself). first: items whose groups come first."""
    groups: list[tuple[int, list[int]]] = []
    left = dict.fromkeys(terms)
    for i in (*first, *sorted(alone.keys() - set(first), key=lambda i: (-len(alone[i]), i))):
        held = [o for o in alone[i] if o in left]
        if len(held) > 1 or (held and i in first):
            groups.append((i, held))
            for o in held:
                del left[o]
    groups += [(-1, [o]) for o in left]
    return groups


def _sums(
    problem: Problem, terms: dict[int, int], sums: Sequence[tuple[int, int]], groups: list[tuple[int, list[int]]]
) -> GroupedTotal:
    base, unit = 0, 0
    lifts: list[int] = []
    for i, held in groups:
        numbers = [terms[o] for o in held]
        whole = i >= 0 and problem.low[i] == 1 and len(problem.holders[i]) == len(held)
        lift = -min(numbers if whole else [0, *numbers])
        lifts.append(lift)
        base += lift
        unit = gcd(unit, *[c + lift for c in numbers], 0 if whole else lift)
    unit = unit or 1
    made = []
    for (i, held), lift in zip(groups, lifts, strict=True):
        values: dict[int, list[int]] = {}
        for o in held:
            values.setdefault((terms[o] + lift) // unit, []).append(o)
        item = i if i >= 0 and problem.low[i] == 1 else -1
        made.append(
            TotalGroup(tuple((v, tuple(held)) for v, held in sorted(values.items())), max(lift, 0) // unit, item)
        )
    most = sum(max(max(v for v, _ in g.values), g.empty) for g in made)
    ranges = []
    for lo, hi in sums:
        lo, hi = max(-(-(lo + base) // unit), 0), min((hi + base) // unit, most)
        if lo <= hi:
            ranges.append((lo, hi))
    bits = ranges[-1][1] + 1 if ranges else 0
    if bits > MOST_BITS or (bits + 63) // 64 * (len(made) + 1) > MOST_WORDS:
        bits = 0
    return GroupedTotal(tuple(made), tuple(ranges), bits)
