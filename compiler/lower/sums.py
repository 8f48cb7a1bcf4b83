"""The sums that a rule asks for: the ranges that its quantity names, and the part of them that its choices can reach.

A quantity is a whole number, a range or, after `exactly`, a set of whole numbers. A rule adds 1 for each choice, or
with `total` the weight of each choice; `Wanted` holds the ranges in which the sum may lie. If all choices count 1 and
there is one range, the sum is an ordinary item; any other sum is a `Total` of the problem.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any, Final, TypeAlias

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.names import free_names
from covr.compiler.evaluate.rewrite import replace
from covr.compiler.evaluate.values import Rng, Set, abbreviate, kind_of
from covr.compiler.lower.families import Family
from covr.compiler.lower.keys import KeyPlan
from covr.compiler.lower.local_scope import Within, allow_only
from covr.compiler.lower.marks import for_choice
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.source import Span
from covr.dsl.syntax import Expr, Name, Range, Rule, Then
from covr.engine.sides import MOST_TOTAL

Wanted: TypeAlias = tuple[tuple[int | None, int | None], ...]
"""Closed ranges, increasing and with gaps between them. None means no bound on that side: only the first range can lack
a lower bound, and only the last an upper bound."""

Counting: TypeAlias = Rule | Then
"""What says how many choices are taken: a rule, or a count after `then`."""


def ends_of(quantity: Expr) -> tuple[Expr, ...]:
    """The expressions of a quantity to evaluate: both ends if it is written as a range, otherwise the whole."""
    return (quantity.low, quantity.high) if isinstance(quantity, Range) else (quantity,)


def wanted(rule: Counting, ends: Sequence[Expr], values: Sequence[Any]) -> Wanted:
    """What a rule or a count wants, from the values of its `ends_of`. Raises EvalFault where it can't want these."""
    if len(values) == 2:
        low, high = (_whole(v, e, rule) for v, e in zip(values, ends, strict=True))
        return _range(rule, low, high)
    value = values[0]
    if isinstance(value, Rng) and value.high >= value.low:
        return _range(rule, _whole(value.low, ends[0], rule), value.high)
    if isinstance(value, Set):
        return _set(rule, value, ends[0])
    number = _whole(value, ends[0], rule)
    return {"exactly": ((number, number),), "at least": ((number, None),), "at most": ((None, number),)}[rule.kind]


def _range(rule: Counting, low: int, high: int) -> Wanted:
    if rule.kind != "exactly":
        message = f"a range goes with `exactly`, not with `{rule.kind}`"
        raise EvalFault(Diagnostic("E412", message, _span(rule), help=f"write `exactly {low}..{high}`"))
    if high < low:
        raise EvalFault(Diagnostic("E413", f"the range {low}..{high} is empty", _span(rule)))
    return ((low, high),)


def _set(rule: Counting, value: Set, expr: Expr) -> Wanted:
    if rule.kind != "exactly":
        message = f"a set of numbers goes with `exactly`, not with `{rule.kind}`"
        raise EvalFault(Diagnostic("E412", message, _span(rule)))
    numbers = sorted(_whole(v, expr, rule) for v in value)
    if not numbers:
        raise EvalFault(Diagnostic("E413", "the set of numbers is empty", _span(rule)))
    return tuple(merged((n, n) for n in numbers))


def merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same numbers as as few ranges as possible: adjacent ranges are joined. ranges: by increasing low end."""
    found: list[tuple[int, int]] = []
    for low, high in ranges:
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return found


def _span(rule: Counting) -> Span:
    assert rule.quantity is not None
    return rule.quantity.span


def _whole(value: Any, expr: Expr, rule: Counting) -> int:
    if type(value) is not int:
        what = "what a total is to be" if rule.weights else "how many choices a rule wants"
        raise EvalFault(Diagnostic("E410", f"{what} is a whole number, and this is {kind_of(value)}", expr.span))
    if value < 0 and not rule.weights:
        message = f"a rule cannot want {value} choices"
        raise EvalFault(Diagnostic("E411", message, expr.span, help="the smallest number is 0"))
    return value


def is_counted(rule: Rule, ranges: Iterable[Wanted]) -> bool:
    """Whether a rule counts choices and wants one range for each item, so that ordinary items express it directly."""
    return not rule.weights and all(len(w) == 1 for w in ranges)


def bounds_of(want: Wanted) -> tuple[int, int | None]:
    """The bounds of an ordinary item that wants one range; None means no upper bound."""
    ((low, high),) = want
    return low or 0, high


def weighing(rule: Rule, family: Family, plan: KeyPlan, keys: Sequence[tuple[Any, ...]], scope: Scope) -> Weighing:
    """How much each choice of a family counts in each item of a rule. keys: the items' key values, in order."""
    weights = [w for w, f in zip(rule.weights, rule.families, strict=False) if f.id == family.name]
    return Weighing(family, weights, plan, keys, scope)


class Weighing:
    """A function from a choice and the items that it reaches to what it counts in each: the sum of its weights, or 1
    if the rule has none.

    A weight may use the indices of its family and the keys of the rule. Only where it uses a key is it worked out for
    each item; otherwise once for each choice. A lone weight that is an index is read from the choice, as it is.
    """

    def __init__(
        self, family: Family, weights: Sequence[Expr], plan: KeyPlan, keys: Sequence[tuple[Any, ...]], scope: Scope
    ) -> None:
        self._family, self._plan, self._keys = family, plan, keys
        values = frozenset(family.indices).union(plan.names)
        within = frozenset(n for key in plan.computed.values() for n in free_names(key) if n in plan.local)
        inside = Within(scope, values | within)
        replaced = [replace(w, plan.replacements()) for w in weights]
        message = f"{{name}} is neither an index of `{family.name}` nor a key of this rule"
        for weight in replaced:
            allow_only(values, within, weight, message, "name it after `per`")
        self._weights = [(w, inside.compile(w)) for w in replaced]
        self._used = frozenset().union(*map(free_names, replaced)) & frozenset(plan.names)
        self._constant = not any(free_names(w) & (values | within) for w in replaced)
        self._keyed = bool(self._used.difference(family.indices))
        self._index = _index_of(replaced, family)  # of the lone weight, or None

    def of_choices(self) -> Sequence[int] | None:
        """For each choice how much it counts in all items that it reaches, if that is one of its indices, or the same
        for all choices; None for other weights."""
        if not self._weights:
            return [1] * len(self._family.choices)
        if self._constant:
            try:
                return [self._sum({})] * len(self._family.choices)
            except EvalFault:
                return None  # it is told of a choice, if any reaches an item
        if self._index is None:
            return None
        found = [args[self._index] for args in self._family.choices]
        return found if {*map(type, found)} <= {int} else None

    def __call__(self, number: int, reached: Sequence[int]) -> Iterable[int]:
        """What the choice of this number counts in each item that it reaches. Raises EvalFault where a weight is not a
        whole number."""
        if not self._weights:
            return repeat(1, len(reached))
        family = self._family
        if self._index is not None:
            counted = family.choices[number - family.first][self._index]
            if type(counted) is int:
                return [counted] * len(reached)
        env = dict(zip(family.indices, family.choices[number - family.first], strict=True))
        with for_choice(family, number):
            if not self._keyed:
                return [self._sum(env)] * len(reached)
            return [self._at(self._keys[at], env) for at in reached]

    def _at(self, key: tuple[Any, ...], env: Mapping[str, Any]) -> int:
        try:
            return self._sum({**env, **dict(zip(self._plan.names, key, strict=True))})
        except EvalFault as fault:
            raise self._plan.met(fault, self._used, key) from None

    def _sum(self, env: dict[str, Any]) -> int:
        total = 0
        for weight, value in self._weights:
            counted = value(env)
            if type(counted) is not int:
                message = f"a total adds whole numbers, and this is {kind_of(counted)}: {abbreviate(counted)}"
                raise EvalFault(Diagnostic("E418", message, weight.span))
            total += counted
        return total


def _index_of(weights: Sequence[Expr], family: Family) -> int | None:
    """Which index of the family the only weight is, from 0; None if there are several, or it is another expression."""
    match weights:
        case [Name(id=name)] if name in family.indices:
            return family.indices.index(name)
    return None


def within_reach(terms: Mapping[int, int], want: Wanted) -> tuple[tuple[int, int], ...]:
    """The ranges, cut down to lie between the least and the greatest sum that these choices can have.

    terms: choice → what it counts. Numbers in between that no set of choices adds up to are not removed.
    """
    counts = terms.values()
    if {*counts} <= _UNITS:
        every, total = len(counts), sum(counts)
        return _of_units((total - every) // 2, (total + every) // 2, want)
    return _clipped(*ends_of_sum(counts), want)


_UNITS: Final = frozenset((1, -1))


@lru_cache(maxsize=1024)
def _of_units(least: int, most: int, want: Wanted) -> tuple[tuple[int, int], ...]:
    """`within_reach` for choices that count 1 or -1: large boards have few kinds of such sums."""
    return _clipped(least, most, want)


def ends_of_sum(counts: Collection[int]) -> tuple[int, int]:
    """The least and the greatest sum of some of these numbers."""
    every = sum(counts)
    if not counts or min(counts) >= 0:
        return 0, every
    most = sum([c for c in counts if c > 0])
    return every - most, most


def _clipped(least: int, most: int, want: Wanted) -> tuple[tuple[int, int], ...]:
    clipped = [
        (least if low is None else max(low, least), most if high is None else min(high, most)) for low, high in want
    ]
    return tuple([(low, high) for low, high in clipped if low <= high])


def as_item(terms: Mapping[int, int], want: Wanted) -> tuple[int, int | None] | None:
    """The bounds of an ordinary item that says the same; (0, None) if nothing is demanded; None if only a `Total` can
    say it. terms: choice → what it counts."""
    counts = terms.values()
    if {*counts} == {1}:
        return of_ones(len(counts), want)[1]
    return _bounds(counts, want)


@lru_cache(maxsize=1024)
def of_ones(count: int, want: Wanted) -> tuple[tuple[tuple[int, int], ...], tuple[int, int | None] | None]:
    """`within_reach` and `as_item` for so many choices that count 1 each: large boards have few kinds of such sums."""
    return _clipped(0, count, want), _bounds([1] * count, want)


def _bounds(counts: Collection[int], want: Wanted) -> tuple[int, int | None] | None:
    plain = not counts or min(counts) == max(counts) == 1
    if plain and len(want) == 1 and (want[0][1] is None or want[0][1] >= 0):
        return max(want[0][0] or 0, 0), want[0][1]
    least, most = ends_of_sum(counts)
    left = _clipped(least, most, want)
    if left == ((least, most),):
        return 0, None
    if plain and len(left) == 1:
        return left[0]
    return None


def check_size(terms: Mapping[int, int], span: Span) -> None:
    """Raises EvalFault E419 if the absolute values of what the choices count add up to 2^62 or more."""
    size = sum(map(abs, terms.values()))
    if size >= MOST_TOTAL:
        bits = size.bit_length()
        amount = str(size) if bits < 100 else f"a number of {bits} binary digits"
        message = f"what this total adds up is {amount}, signs left out, and must stay below 2^62 = {MOST_TOTAL}"
        raise EvalFault(Diagnostic("E419", message, span, help="count in larger units"))


__all__ = [
    "Wanted",
    "Weighing",
    "as_item",
    "bounds_of",
    "check_size",
    "ends_of",
    "ends_of_sum",
    "is_counted",
    "merged",
    "of_ones",
    "wanted",
    "weighing",
    "within_reach",
]
