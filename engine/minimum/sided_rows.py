"""Totals as rows of a linear program: lo ≤ sum of coefficients ≤ hi, where lo and hi are the outermost allowed sums.

Gaps between allowed sums are left to the search that watches the tree (sided_tree.py). Four things make rows tighter:

- In a total with gaps, the options with the largest coefficient may be a *switch*: each adds more than all others can
  differ by, so that the sum tells how many of them are taken, and with all of them, or none, the others may add less
  than they could. That is one row for each bound: `if f(x) then exactly 2 …` is such a total (lower/demands.py of the
  compiler), and without these rows the program takes f(x) whatever the others are. Measured on 30 such rules over 360
  choices: the minimum is proved in 8 s, and without these rows not in 40 s.

- Coefficients are divided by their greatest common divisor, and the bounds rounded to match.
- Where every option of a row "at most hi" needs one and the same other option (goods served by a depot need the depot),
  hi is multiplied by that option: nothing is served by a depot that is not opened. Without this, the linear program
  opens a depot by the fraction of its room that is used, or not at all.
- What an option of a row "at most hi" adds can be lowered together with hi as long as the same sets of options fit.

A row whose coefficients are too large for the kernel is divided by a power of 2 and rounded in the direction that
allows more; one with two bounds then becomes two rows.

Source: coefficients are lowered as in Savelsbergh, "Preprocessing and probing techniques for mixed integer
programming", 1994.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import gcd

from covr.engine.base.heed import heeded
from covr.engine.kernels.header import MIXED_UNBOUNDED as UNBOUNDED
from covr.engine.minimum.mixed_core import HeavyRow
from covr.engine.sides import Side, Total

LARGEST = UNBOUNDED // 4  # coefficients of a row add up to less, signs left out

Terms = list[tuple[int, int]]


def total_rows(
    sides: Sequence[Side], taken: Collection[int], out: Collection[int], implied: Sequence[int]
) -> Iterator[HeavyRow]:
    """The rows of the totals, in the problem's numbers.

    taken, out: options that all answers take, or none.  implied: per option, one without which it can't be taken, or
    -1. Time linear in the length of the totals, besides sorting.
    """
    for side in heeded(sides):
        if isinstance(side, Total) and side.sums:
            fixed = sum(c for o, c in side.terms if o in taken)
            terms = [(o, c) for o, c in side.terms if o not in taken and o not in out]
            ranges = [(low - fixed, high - fixed) for low, high in side.sums]
            yield from rows_of(terms, ranges[0][0], ranges[-1][1], implied)
            if len(ranges) > 1 and terms:
                yield from _switched(terms, ranges, implied)


def _switched(terms: Terms, ranges: Sequence[tuple[int, int]], implied: Sequence[int]) -> Iterator[HeavyRow]:
    """The rows of a total with gaps that has a switch; none if it has none."""
    step = max(abs(c) for _, c in terms)
    others = [(o, c) for o, c in terms if abs(c) < step]
    least, most = sum(c for _, c in others if c < 0), sum(c for _, c in others if c > 0)
    if step <= most - least:
        return
    switch = [(o, 1 if c > 0 else -1) for o, c in terms if abs(c) == step]
    for end, sign in ((sum(s for _, s in switch if s > 0), 1), (sum(s for _, s in switch if s < 0), -1)):
        # With the switch at this end, the others add between low and high.
        own = [(max(low - end * step, least), min(high - end * step, most)) for low, high in ranges]
        own = [(low, high) for low, high in own if low <= high]
        if not own:  # it is never at this end
            yield from rows_of([(o, s * sign) for o, s in switch], -len(switch), end * sign - 1, implied)
            continue
        for by, at_least, bound in ((least - own[0][0], True, own[0][0]), (most - own[-1][1], False, own[-1][1])):
            if by:
                row = sorted([*others, *((o, s * sign * by) for o, s in switch)])
                whole = sum(abs(c) for _, c in row)
                shifted = bound + end * sign * by
                low, high = (shifted, whole) if at_least else (-whole, shifted)
                yield from rows_of(row, low, high, implied)


def rows_of(terms: Terms, low: int, high: int, implied: Sequence[int]) -> Iterator[HeavyRow]:
    """The rows that say that a sum is between two bounds; none where it always is."""
    if not terms:
        return
    unit = gcd(*(c for _, c in terms))
    terms, low, high = [(o, c // unit) for o, c in terms], -(-low // unit), high // unit
    least, most = sum(c for _, c in terms if c < 0), sum(c for _, c in terms if c > 0)
    low, high = max(low, least), min(high, most)
    if low <= least and high >= most:
        return
    if low <= least and least == 0:
        yield from _fitted(*_at_most(terms, high, implied))
    elif high >= most or low <= least:
        yield from _fitted(terms, low, high)
    elif most - least < LARGEST:
        yield HeavyRow(low, high, terms)
    else:
        yield from _fitted(terms, low, most)
        yield from _fitted(terms, least, high)


def _at_most(terms: Terms, high: int, implied: Sequence[int]) -> tuple[Terms, int, int]:
    """A tighter form of a row with positive coefficients that add up to at most `high`, and its bounds."""
    needed = {implied[o] for o, _ in terms}
    one = needed.pop()
    if not needed and one >= 0 and high > 0 and all(o != one for o, _ in terms):
        return sorted([*terms, (one, -high)]), -high, 0
    most = sum(c for _, c in terms)
    lowered: dict[int, int] = {}
    for o, c in sorted(terms, key=lambda term: -term[1]):
        slack = high - (most - c)  # what is left of the room if all others are taken
        if 0 < slack < c <= high:
            lowered[o] = c - slack
            high, most = high - slack, most - slack
    return [(o, lowered.get(o, c)) for o, c in terms], 0, high


def _fitted(terms: Terms, low: int, high: int) -> Iterator[HeavyRow]:
    """The row, with coefficients small enough for the kernel. At most one of the bounds can be broken."""
    least, most = sum(c for _, c in terms if c < 0), sum(c for _, c in terms if c > 0)
    shift = max((most - least).bit_length() - (LARGEST - len(terms)).bit_length() + 1, 0)
    if shift and low > least:
        terms, low = [(o, -(-c >> shift)) for o, c in terms], -(-low >> shift)
        high = sum(c for _, c in terms if c > 0)
    elif shift:
        terms, high = [(o, c >> shift) for o, c in terms], high >> shift
        low = sum(c for _, c in terms if c < 0)
    terms = [(o, c) for o, c in terms if c]
    least, most = sum(c for _, c in terms if c < 0), sum(c for _, c in terms if c > 0)
    if terms and (low > least or high < most):
        yield HeavyRow(max(low, least), UNBOUNDED if high >= most else high, terms)
