"""What is known of the values of a name: enough to see that an expression can't fault."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from types import CodeType
from typing import Any, Final, TypeVar

from attrs import field

from covr.compiler.evaluate.expressions import free_names
from covr.compiler.evaluate.values import WORD, Map, Piece, Rng, Seq, Set, measure, size_of
from covr.compiler.lattices import LatticeCell
from covr.compiler.lower.groups import Within
from covr.dsl import syntax as syn
from covr.dsl.syntax import Expr
from covr.frozen import frozen

# --- facts -----------------------------------------------------------------------------------------------------------
# What is known of the values that a name can take: enough to see that an expression can't fault. `r + c` needs no check
# if both are whole numbers of a known size. It is read off the values themselves, which were computed before.


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
    """Whole numbers, short texts and tuples of those: comparing two of them by `=` costs nothing worth counting.

    - depth: how deep tuples nest
    - pure: whether equal values are the same in all respects, which a piece and its letter are not
    - parts: of tuples that all have as many parts, what holds for each part; None for other values
    - kinds: the kinds of the values (`kinds_of`), empty where they are not known; no part of what holds
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
    """Sets, none of them a long range.

    - short: whether all have at most `FEW_PARTS` parts, no long texts and no ranges, so that `=` costs little
    - depth: how deep short ones nest, else 0; of: what holds for their members, where that is known
    """

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
    """The kinds of the values for which a fact holds, as `alike` (values/members.py) tells them apart; none where
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


# --- written ---------------------------------------------------------------------------------------------------------
# The base of what writes expressions as Python (as_python.py): the names of variables and constants, and the facts
# known of them.


T = TypeVar("T")

MOST_LOOKED_AT: Final = 4096
"""Of a constant set with more members than this it is not asked what holds for its members."""

Combinations = Callable[[tuple[str, ...]], "Iterable[tuple[Any, ...]] | None"]
"""All combinations of values that these names can have, each as a tuple; None if they aren't known."""


class Unsuitable(Exception):
    """Something is better left to the closures."""


class UsedUp(Unsuitable):
    """The steps that were left do not suffice."""


class Foreseen(UsedUp):
    """The same, known before any was taken."""


@frozen
class Surroundings:
    """What a context of names consists of, to come back to it."""

    within: Within
    facts: dict[str, Fact]
    texts: dict[str, str]


class BaseWriter(ABC):
    """Writes expressions of one statement.

    - within: the scope they are seen from; facts: what is known of the local names that have a value by now
    - combinations: see there; space: what the source refers to, for `finished`
    - speculates: whether what is computed on the way may be taken to be there, and of the kinds of a sample; the source
      checks that, and raises Unsuitable
    - sample: values for some names, to find one; speculated, speculations: whether and how often that was done
    - tuples: for a tuple that was written, as source, its parts; prelude: lines that come before all others
    """

    def __init__(self, within: Within, combinations: Combinations, speculates: bool = False) -> None:
        self.within = within
        self.speculates, self.speculated, self.speculations = speculates, False, 0
        self.sample: dict[str, Any] = {}
        self.facts: dict[str, Fact] = {}
        self.space: dict[str, Any] = {}
        self.combinations = combinations
        self.tuples: dict[str, tuple[str, ...]] = {}
        self.prelude: list[str] = []
        self._texts: dict[str, str] = {}
        self._helpers: dict[Any, str] = {}  # the names of functions that the source calls
        self._inner = 0  # how many names sets made by `for` have bound

    @abstractmethod
    def value(self, expr: Expr) -> tuple[str, Fact]:
        """The source of an expression, and what is known of its values. Raises Unsuitable; EvalFault if a table of its
        values can't be made."""

    @abstractmethod
    def condition(self, expr: Expr) -> str:
        """The source of a condition; what it gives is a Python bool. Raises as `value` does."""

    @abstractmethod
    def every(self, names: tuple[str, ...]) -> Iterable[tuple[Any, ...]] | None:
        """All combinations of values that these names can have, parameters of a function that is written included."""

    @contextmanager
    def no_speculation(self, needed: bool) -> Iterator[None]:
        """A context without speculation, if that is needed: where a loop does not look at all members, a
        condition must be one that can't fault."""
        before, self.speculates = self.speculates, self.speculates and not needed
        try:
            yield
        finally:
            self.speculates = before

    @contextmanager
    def inside(self) -> Iterator[Surroundings]:
        """A context in which more names may be bound, which are forgotten after it."""
        before = Surroundings(self.within, self.facts, self._texts)
        self.facts, self._texts = dict(self.facts), dict(self._texts)
        try:
            yield before
        finally:
            self.within, self.facts, self._texts = before.within, before.facts, before.texts

    # --- names --------------------------------------------------------------------------------------------

    def bind(self, name: str, fact: Fact, text: str = "") -> str:
        """Give a local name its variable, or another text that stands for it; returns that."""
        self.facts[name] = fact
        self._texts[name] = text or f"v{len(self._texts)}"
        return self._texts[name]

    def bind_inner(self, name: str, fact: Fact) -> str:
        """The same for a name that is bound by a `for` inside the statement."""
        self._inner += 1
        return self.bind(name, fact, f"w{self._inner}")

    def text(self, name: str) -> str:
        """The variable of a local name that has a value."""
        if name not in self._texts:
            raise Unsuitable
        return self._texts[name]

    def constant(self, value: Any) -> str:
        """A name in the source for a value."""
        name = f"k{len(self.space)}"
        self.space[name] = value
        return name

    def known(self, value: Any) -> tuple[str, Fact]:
        """The source for a value that is always the same, and what holds for it."""
        if type(value) is int:
            fact = WholeNumbers(value, value)
            return (f"({value})" if fact.small else self.constant(value)), fact
        return self.constant(value), self.noted("value", value, _of_one)

    def noted(self, what: str, of: Any, find: Callable[[Any], T]) -> T:
        """What `find` tells of a value; kept, as most statements ask the same of the same few values."""
        noted = self.within.scope.noted
        found = noted.get((what, id(of)))
        if found is None:
            found = noted[what, id(of)] = of, find(of)
        return found[1]

    def deepest(self) -> int:
        """How deep tuples and sets that are written may nest."""
        return min(3, self.within.scope.limits.depth)

    def speculate(self) -> None:
        """Note that the source may ask for something that is not there, or of another kind. Raises
        Unsuitable where that is not allowed."""
        if not self.speculates:
            raise Unsuitable
        self.speculated = True
        self.speculations += 1

    # --- functions ----------------------------------------------------------------------------------------

    def finished(self, lines: Iterable[str]) -> Callable[..., Any]:
        """The function `made` that these lines of source define. It raises Unsuitable if it speculated wrongly."""
        first, *rest = lines
        space = dict(self.space)
        exec(_code("\n".join([first, *self.prelude, *rest])), space)
        made: Callable[..., Any] = space["made"]
        if not self.speculated:
            return made

        def checked(*args: Any) -> Any:
            try:
                return made(*args)
            except (KeyError, IndexError):
                raise Unsuitable from None

        return checked


def _of_one(value: Any) -> Fact:
    fact = fact_of([value])
    return inside_too([value]) if isinstance(fact, Sets) and len(value) <= MOST_LOOKED_AT else fact


@lru_cache(256)
def _code(text: str) -> CodeType:
    """The same source comes up again and again in collections of puzzles, and compiling it takes some 200 µs."""
    return compile(text, "<covr: a statement as Python>", "exec")


# --- written lookups -------------------------------------------------------------------------------------------------
# `a[b]` as Python: a part of a tuple, an item of a list, what a grid or map has at a place.
#
# What is asked for may not be there. Then Python raises KeyError or IndexError, and closures do the whole statement.
# Where that is not allowed, look-ups are tabulated (as_python.py).


class LookupWriter(BaseWriter):
    """Writes look-ups."""

    def index(self, expr: syn.Index) -> tuple[str, Fact] | None:
        """`a[b]`, `a[b, c]`."""
        if not free_names(expr) & self.within.names:
            return None  # it is looked up once
        text, fact = self.value(expr.of)
        if isinstance(fact, PlainValues):
            return self._part(text, fact, expr.args)
        if isinstance(fact, Lists):
            return self._item(text, fact, expr.args)
        grid = self.space.get(text)
        return self._entry(grid, expr.args) if type(grid) is Map else None

    def _part(self, text: str, fact: PlainValues, args: Sequence[Expr]) -> tuple[str, Fact] | None:
        """A part of a tuple, at a place that is always the same."""
        if fact.parts is None or len(args) != 1:
            return None
        _, at = self.value(args[0])
        if not isinstance(at, WholeNumbers) or at.low != at.high or not 1 <= at.low <= len(fact.parts):
            return None
        k = at.low - 1
        written = self.tuples.get(text)
        return f"{text}[{k}]" if written is None else written[k], fact.parts[k]

    def _item(self, text: str, fact: Lists, args: Sequence[Expr]) -> tuple[str, Fact] | None:
        """An item of a list."""
        if len(args) != 1:
            return None
        position, at = self.value(args[0])
        if not isinstance(at, WholeNumbers) or at.low < 1 or not fact.most:
            return None
        if at.high > fact.least:
            if not self.speculates:
                return None
            self.speculate()
        listed = self.space.get(text)
        if type(listed) is not Seq:
            return f"{text}.items[{position} - 1]", fact.of
        every = at.low == 1 and at.high >= len(listed.items)
        of = fact.of if every else fact_of(listed.items[at.low - 1 : at.high])
        return f"{self.constant(self.noted('padded', listed, _padded))}[{position}]", of

    def _entry(self, grid: Map, args: Sequence[Expr]) -> tuple[str, Fact] | None:
        """What a grid has at a place."""
        if not self.speculates:
            return None
        keys = [self.value(arg) for arg in args]
        if not all(equated(fact) for _, fact in keys):
            return None
        self.speculate()
        texts = [text for text, _ in keys]
        key = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
        return f"{self.constant(grid.entries)}[{key}]", self.noted("entries", grid, _of_entries)


def _padded(of: Seq) -> tuple[Any, ...]:
    """The items of a list, to be looked up by positions that count from 1."""
    return (None, *of.items)


def _of_entries(of: Map) -> Fact:
    return fact_of(list(of.entries.values()))
