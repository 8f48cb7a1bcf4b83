"""What is known of the values that a name can take: enough to see that an expression can't fault.

`r + c` needs no check of its operands if both are whole numbers of a known size, and neither does `x in s` if `s` is a
set. What is known is read off the values themselves, which have been computed before a statement goes through them.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from typing import Any, Final

from covr.compiler.evaluate.values import WORD, Piece, Rng, Set, measure
from covr.compiler.lattices.lattice import LatticeCell
from covr.frozen import frozen

SMALL: Final = 2**62
"""WholeNumbers numbers between -SMALL and SMALL need no check of their size."""

GUESSED: Final = 2**31
"""Numbers that are not yet known are taken to lie between -GUESSED and GUESSED."""

FEW_PARTS: Final = 16
"""Sets of more parts than this are not short."""

MOST_MEASURED: Final = 4096
"""Of more sets than this it is not asked whether they are short."""

LONG_RANGE: Final = 4096
"""A range with more members than this is not treated as a set whose members can be listed."""


@frozen
class WholeNumbers:
    """WholeNumbers numbers, from low to high."""

    low: int
    high: int

    @property
    def small(self) -> bool:
        """Whether they are so small that no limit concerns them."""
        return self.low > -SMALL and self.high < SMALL


@frozen
class PlainValues:
    """WholeNumbers, short texts and tuples of those: comparing two of them by `=` costs nothing worth counting.

    depth: how deep tuples nest. pure: whether values that are equal are the same in all respects, which a piece and its
    letter are not. pair: whether all are tuples of two numbers between -GUESSED and GUESSED.
    """

    depth: int = 0
    pure: bool = True
    pair: bool = False


@frozen
class Sets:
    """Sets, none of them a long range. short: whether all are so small that comparing two of them by `=` costs little:
    of at most `FEW_PARTS` parts, texts none of them long, and no ranges. depth: how deep short ones nest; else 0."""

    short: bool = False
    depth: int = 0


@frozen
class Anything:
    """Values of any kind."""


Fact = WholeNumbers | PlainValues | Sets | Anything


def fact_of(values: Collection[Any]) -> Fact:
    """What holds for all these values. Time linear in their number, at the speed of C."""
    if isinstance(values, range):
        return WholeNumbers(values[0], values[-1]) if values else PlainValues()
    kinds = set(map(type, values))
    if kinds == {int}:
        return WholeNumbers(min(values), max(values))
    if kinds and kinds <= {Set, Rng}:
        long = Rng in kinds and any(type(v) is Rng and v.size > LONG_RANGE for v in values)
        return Anything() if long else _of_sets(values, ranges=Rng in kinds)
    if kinds <= {int, str, Piece}:
        short = all(len(v) <= WORD for v in values if type(v) is not int)
        return PlainValues(0, Piece not in kinds) if short else Anything()
    if kinds == {LatticeCell}:
        return PlainValues(1)
    if kinds == {tuple}:
        inside = fact_of(list(chain.from_iterable(values)))
        if isinstance(inside, WholeNumbers):
            near = inside.low >= -GUESSED and inside.high <= GUESSED
            return PlainValues(1, pair=near and {*map(len, values)} == {2}) if inside.small else Anything()
        return PlainValues(1, inside.pure) if isinstance(inside, PlainValues) and inside.depth == 0 else Anything()
    return Anything()


def _of_sets(values: Collection[Any], ranges: bool) -> Sets:
    if ranges or len(values) > MOST_MEASURED:
        return Sets()
    weights, depths, lengths = zip(*map(measure, values), strict=True)
    return Sets(True, max(depths)) if max(weights) <= FEW_PARTS and not any(lengths) else Sets()


def hull(one: Fact, other: Fact) -> Fact:
    """What holds for the values of both."""
    if isinstance(one, WholeNumbers) and isinstance(other, WholeNumbers):
        return WholeNumbers(min(one.low, other.low), max(one.high, other.high))
    if one == other:
        return one
    if isinstance(one, Sets) and isinstance(other, Sets):
        return Sets(True, max(one.depth, other.depth)) if one.short and other.short else Sets()
    plain = [PlainValues() if isinstance(f, WholeNumbers) and f.small else f for f in (one, other)]
    a, b = plain
    if isinstance(a, PlainValues) and isinstance(b, PlainValues):
        return PlainValues(max(a.depth, b.depth), a.pure and b.pure)
    return Anything()


def widened(fact: Fact) -> Fact:
    """What may well hold for other values, if this holds for some."""
    return WholeNumbers(-GUESSED, GUESSED) if isinstance(fact, WholeNumbers) else fact


def implies(fact: Fact, other: Fact) -> bool:
    """Whether `other` holds for all values for which `fact` does."""
    if isinstance(other, WholeNumbers):
        return isinstance(fact, WholeNumbers) and other.low <= fact.low and fact.high <= other.high
    if isinstance(other, PlainValues):
        if isinstance(fact, WholeNumbers):
            return fact.small
        if not isinstance(fact, PlainValues) or (other.pair and not fact.pair):
            return False
        return fact.depth <= other.depth and (fact.pure or not other.pure)
    if isinstance(fact, Sets) and isinstance(other, Sets):
        return not other.short or (fact.short and fact.depth <= other.depth)
    return isinstance(other, Anything) or fact == other


def comparable(fact: Fact) -> bool:
    """Whether such values can be compared by `=`, and looked up, without counting steps."""
    return isinstance(fact, PlainValues) or (isinstance(fact, WholeNumbers) and fact.small)


def equated(fact: Fact) -> bool:
    """Whether such values can be compared by `=`, or put into a set, without counting more steps than `comparable` ones
    or a few."""
    return comparable(fact) or (isinstance(fact, Sets) and fact.short)


def distinguished(fact: Fact) -> bool:
    """Whether two such values that are equal are the same in all respects, so that one can stand for the other."""
    return isinstance(fact, WholeNumbers | Sets) or (isinstance(fact, PlainValues) and fact.pure)
