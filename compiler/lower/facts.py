"""What is known of the values that a name can take: enough to see that an expression can't fault.

`r + c` needs no check of its operands if both are whole numbers of a known size, and neither does `x in s` if `s` is a
set. What is known is read off the values themselves, which have been computed before a statement goes through them.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from typing import Any, Final

from attrs import field

from covr.compiler.evaluate.values import WORD, Piece, Rng, Seq, Set, measure, size_of
from covr.compiler.lattices.lattice import LatticeCell
from covr.frozen import frozen

SMALL: Final = 2**62
"""WholeNumbers numbers between -SMALL and SMALL need no check of their size."""

GUESSED: Final = 2**31
"""Numbers that are not yet known are taken to lie between -GUESSED and GUESSED."""

FEW_PARTS: Final = 16
"""Sets of more parts than this are not short."""

MOST_PARTS: Final = 200_000
"""Of more members of all sets together it is not asked what holds for them."""

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
    letter are not. parts: of tuples that all have as many parts, what holds for each part; None for other values.
    kinds: the kinds of the values (`kinds_of`); empty where they are not known. They are no part of what holds.
    """

    depth: int = 0
    pure: bool = True
    parts: tuple[Fact, ...] | None = None
    kinds: frozenset[type] = field(default=frozenset(), eq=False)

    @property
    def pair(self) -> bool:
        """Whether all are tuples of two numbers between -GUESSED and GUESSED."""
        return self.parts is not None and len(self.parts) == 2 and all(map(near, self.parts))


@frozen
class Anything:
    """Values of any kind."""


@frozen
class Nothing:
    """No value at all."""


ANYTHING: Final = Anything()
NOTHING: Final = Nothing()


@frozen
class Sets:
    """Sets, none of them a long range. short: whether all are so small that comparing two of them by `=` costs little:
    of at most `FEW_PARTS` parts, texts none of them long, and no ranges. depth: how deep short ones nest; else 0.
    of: what holds for their members, where that is known."""

    short: bool = False
    depth: int = 0
    of: Fact = ANYTHING


@frozen
class Lists:
    """Lists. of: what holds for their items. least, most: of how many items. short: as for sets."""

    of: Fact
    least: int
    most: int
    short: bool


Fact = WholeNumbers | PlainValues | Sets | Lists | Anything | Nothing


def fact_of(values: Collection[Any]) -> Fact:
    """What holds for all these values. Time linear in their number, at the speed of C."""
    if isinstance(values, range):
        return WholeNumbers(values[0], values[-1]) if values else PlainValues()
    kinds = set(map(type, values))
    if kinds == {int}:
        return WholeNumbers(min(values), max(values))
    if kinds and kinds <= {Set, Rng}:
        long = Rng in kinds and any(type(v) is Rng and v.size > LONG_RANGE for v in values)
        return ANYTHING if long else _of_sets(values, ranges=Rng in kinds)
    if kinds <= {int, str, Piece}:
        short = all(len(v) <= WORD for v in values if type(v) is not int)
        known = frozenset([int if kind is int else str for kind in kinds])
        return PlainValues(0, Piece not in kinds, kinds=known) if short else ANYTHING
    if kinds == {LatticeCell}:
        return PlainValues(1, kinds=frozenset([LatticeCell]))
    if kinds == {tuple}:
        return _of_tuples(values)
    if kinds == {Seq}:
        return _of_lists(values)
    return ANYTHING


def kinds_of(fact: Fact) -> frozenset[type]:
    """The kinds of the values for which a fact holds, as `alike` (values/kinds.py) tells them apart; none where
    they are not known."""
    if isinstance(fact, WholeNumbers):
        return frozenset([int])
    if isinstance(fact, PlainValues):
        return fact.kinds if fact.parts is None else frozenset([tuple])
    return frozenset([Set if isinstance(fact, Sets) else Seq]) if isinstance(fact, Sets | Lists) else frozenset()


def facts_of_parts(values: Collection[tuple[Any, ...]]) -> list[Fact]:
    """What holds for each part of tuples that all have as many. Time linear in them."""
    return list(map(fact_of, zip(*values, strict=True)))


def inside_too(values: Collection[Any]) -> Fact:
    """The same as `fact_of`, with what holds for the members of sets, and for theirs, as long as these are not many.
    Time linear in them."""
    fact = fact_of(values)
    if not isinstance(fact, Sets) or sum(map(size_of, values)) > MOST_PARTS:
        return fact
    members = list(chain.from_iterable([one.parts for one in values]))
    return Sets(fact.short, fact.depth, inside_too(members) if members else NOTHING)


def _of_tuples(values: Collection[tuple[Any, ...]]) -> Fact:
    if len(set(map(len, values))) > 1:
        inside = fact_of(list(chain.from_iterable(values)))
        plain = _is_part(inside)
        return PlainValues(1, not isinstance(inside, PlainValues) or inside.pure) if plain else ANYTHING
    parts = tuple(map(fact_of, zip(*values, strict=True)))
    if not all(map(_is_part, parts)):
        return ANYTHING
    return PlainValues(1, all(part.pure for part in parts if isinstance(part, PlainValues)), parts)


def _is_part(fact: Fact) -> bool:
    """Whether tuples of such values are plain."""
    return fact.small if isinstance(fact, WholeNumbers) else isinstance(fact, PlainValues) and fact.depth == 0


def _of_lists(values: Collection[Seq]) -> Fact:
    sizes = list(map(len, values))
    inside = fact_of(list(chain.from_iterable(values))) if any(sizes) else NOTHING
    weight = 1 if inside is NOTHING else weight_of(inside)
    return Lists(inside, min(sizes), max(sizes), weight is not None and weight * max(sizes) < FEW_PARTS)


def near(fact: Fact) -> bool:
    """Whether these are whole numbers between -GUESSED and GUESSED."""
    return isinstance(fact, WholeNumbers) and fact.low >= -GUESSED and fact.high <= GUESSED


def depth_of(fact: Fact) -> int:
    """How deep such values nest at most; 0 where that is not known."""
    if isinstance(fact, Lists):
        return 1 + depth_of(fact.of)
    return fact.depth if isinstance(fact, PlainValues | Sets) else 0


def weight_of(fact: Fact) -> int | None:
    """How many parts each such value has at most, counted as a tree; None where that is not known."""
    if isinstance(fact, WholeNumbers):
        return 1 if fact.small else None
    if not isinstance(fact, PlainValues):
        return None
    return 1 if fact.depth == 0 else None if fact.parts is None or fact.depth > 1 else 1 + len(fact.parts)


def _of_sets(values: Collection[Any], ranges: bool) -> Sets:
    if ranges or len(values) > MOST_MEASURED:
        return Sets()
    weights, depths, lengths = zip(*map(measure, values), strict=True)
    return Sets(True, max(depths)) if max(weights) <= FEW_PARTS and not any(lengths) else Sets()


def hull(one: Fact, other: Fact) -> Fact:
    """What holds for the values of both."""
    if isinstance(one, WholeNumbers) and isinstance(other, WholeNumbers):
        return WholeNumbers(min(one.low, other.low), max(one.high, other.high))
    if one == other or isinstance(other, Nothing):
        return one
    if isinstance(one, Nothing):
        return other
    if isinstance(one, Sets) and isinstance(other, Sets):
        of = hull(one.of, other.of)
        return Sets(True, max(one.depth, other.depth), of) if one.short and other.short else Sets(of=of)
    plain = [PlainValues() if isinstance(f, WholeNumbers) and f.small else f for f in (one, other)]
    a, b = plain
    if isinstance(a, PlainValues) and isinstance(b, PlainValues):
        parts = None
        if a.parts is not None and b.parts is not None and len(a.parts) == len(b.parts):
            parts = tuple(map(hull, a.parts, b.parts))
        return PlainValues(max(a.depth, b.depth), a.pure and b.pure, parts)
    return ANYTHING


def widened(fact: Fact) -> Fact:
    """What may well hold for other values, if this holds for some."""
    if isinstance(fact, WholeNumbers):
        return WholeNumbers(-GUESSED, GUESSED)
    if isinstance(fact, PlainValues) and fact.parts is not None:
        return PlainValues(fact.depth, fact.pure, tuple(map(widened, fact.parts)))
    if isinstance(fact, PlainValues):
        return PlainValues(fact.depth, fact.pure)
    return ANYTHING if isinstance(fact, Lists) else fact


def implies(fact: Fact, other: Fact) -> bool:
    """Whether `other` holds for all values for which `fact` does."""
    if isinstance(other, WholeNumbers):
        return isinstance(fact, WholeNumbers) and other.low <= fact.low and fact.high <= other.high
    if isinstance(other, PlainValues):
        if isinstance(fact, WholeNumbers):
            return fact.small and other.parts is None
        if not isinstance(fact, PlainValues) or fact.depth > other.depth or (other.pure and not fact.pure):
            return False
        if other.parts is None:
            return True
        return (
            fact.parts is not None
            and len(fact.parts) == len(other.parts)
            and all(map(implies, fact.parts, other.parts))
        )
    if isinstance(fact, Sets) and isinstance(other, Sets):
        return (not other.short or (fact.short and fact.depth <= other.depth)) and implies(fact.of, other.of)
    return isinstance(other, Anything) or fact == other


def comparable(fact: Fact) -> bool:
    """Whether such values can be compared by `=`, and looked up, without counting steps."""
    return isinstance(fact, PlainValues) or (isinstance(fact, WholeNumbers) and fact.small)


def equated(fact: Fact) -> bool:
    """Whether such values can be compared by `=`, or put into a set, without counting more steps than `comparable` ones
    or a few."""
    return comparable(fact) or (isinstance(fact, Sets | Lists) and fact.short)


def distinguished(fact: Fact) -> bool:
    """Whether two such values that are equal are the same in all respects, so that one can stand for the other."""
    if isinstance(fact, Lists):
        return fact.of is NOTHING or (comparable(fact.of) and distinguished(fact.of))
    return isinstance(fact, WholeNumbers | Sets) or (isinstance(fact, PlainValues) and fact.pure)


def ordered_alike(one: Fact, other: Fact) -> bool:
    """Whether `<` puts such values into the order that Python does: whole numbers, or tuples of as many of them."""
    if isinstance(one, WholeNumbers) and isinstance(other, WholeNumbers):
        return True
    return (
        isinstance(one, PlainValues)
        and isinstance(other, PlainValues)
        and one.parts is not None
        and other.parts is not None
        and len(one.parts) == len(other.parts)
        and all(isinstance(part, WholeNumbers) for part in (*one.parts, *other.parts))
    )
