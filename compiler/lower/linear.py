"""What a comparison implies for one name: `r + c = i + j` gives `j = r + c - i`, `i <= r` gives an upper bound of i.

Only sums and differences in which the name occurs once, by itself, are used in this way; everything else is left to the
plain check of the condition. The proposed values may be too many, but never too few: they include every value that
satisfies the comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from covr.compiler.evaluate import EvalFault
from covr.compiler.evaluate.names import free_names
from covr.compiler.evaluate.values import Map, Rng, Seq, Set, size_of
from covr.dsl.syntax import Binary, Compare, Expr, Name, TupleOf, Unary
from covr.frozen import frozen

Env: TypeAlias = dict[str, Any]
Compile: TypeAlias = Callable[[Expr], Callable[[Env], Any]]


@frozen
class Between:
    """Whole numbers from low to high; None is no bound."""

    low: int | None = None
    high: int | None = None

    def meet(self, other: Between) -> Between:
        """The bounds that hold where both of these do."""
        lows = [b for b in (self.low, other.low) if b is not None]
        highs = [b for b in (self.high, other.high) if b is not None]
        return Between(max(lows, default=None), min(highs, default=None))


class InOrder(list[Any]):
    """Values in documented order, each once."""


Proposal: TypeAlias = "Between | list[Any] | None"
"""Values a name may take: an interval, a list (any order, repeats allowed), or None for no restriction."""

Source: TypeAlias = Callable[[Env], Proposal]
"""Proposes values for a name, given the names known so far."""


def pairs(condition: Expr) -> Iterator[tuple[Expr, str, Expr]]:
    """The comparisons of a chain, one by one; nothing for any other expression."""
    if isinstance(condition, Compare):
        left = condition.first
        for op, right in condition.rest:
            yield left, op, right
            left = right


def sources(condition: Expr, name: str, known: frozenset[str], compile_: Compile) -> list[Source]:
    """What a true condition implies for `name` alone, when the names in `known` have values."""
    found: list[Source] = []
    for left, op, right in pairs(condition):
        if op == "in":
            if isinstance(left, Name) and left.id == name and _free(right, known):
                found.append(_members(compile_(right)))
        elif op in _MIRROR:
            source = _comparison(left, op, right, name, known, compile_)
            if source is not None:
                found.append(source)
    return found


def tuple_source(condition: Expr, names: tuple[str, ...], known: frozenset[str], compile_: Compile) -> Source | None:
    """`(i, j) in E` with exactly these names on the left: proposes whole tuples."""
    for left, op, right in pairs(condition):
        if (
            op == "in"
            and isinstance(left, TupleOf)
            and all(isinstance(part, Name) for part in left.items)
            and tuple(part.id for part in left.items if isinstance(part, Name)) == names
            and _free(right, known)
        ):
            return _members(compile_(right))
    return None


MANY = 100_000
"""A set larger than this is not listed to find out what a name may be; the condition is checked instead."""

_MIRROR = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _free(expr: Expr, known: frozenset[str]) -> bool:
    return free_names(expr) <= known


def _members(of: Callable[[Env], Any]) -> Source:
    def propose(env: Env) -> Proposal:
        try:
            value = of(env)
        except EvalFault:
            return None
        if isinstance(value, Rng):
            return Between(value.low, value.high)
        if not isinstance(value, Set | Seq | Map | tuple):
            return None  # `in` needs something with members; the check of the condition reports the fault
        if size_of(value) > MANY:
            return None
        return InOrder(value) if isinstance(value, Set) else list(value)

    return propose


def _comparison(left: Expr, op: str, right: Expr, name: str, known: frozenset[str], compile_: Compile) -> Source | None:
    if op == "=":
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Name) and one.id == name and _free(other, known):
                return _equal(compile_(other))
    terms = [*terms_of(left, 1), *terms_of(right, -1)]
    mine = [sign for sign, part in terms if isinstance(part, Name) and part.id == name]
    rest = [(sign, part) for sign, part in terms if not (isinstance(part, Name) and part.id == name)]
    if len(mine) != 1 or not all(_free(part, known) for _, part in rest):
        return None
    compiled = [(-sign * mine[0], compile_(part)) for sign, part in rest]
    return _bounded(compiled, op if mine[0] > 0 else _MIRROR[op])


def terms_of(expr: Expr, sign: int) -> Iterator[tuple[int, Expr]]:
    """The terms of a sum, each with its sign, all multiplied by `sign`."""
    if isinstance(expr, Binary) and expr.op in "+-":
        yield from terms_of(expr.left, sign)
        yield from terms_of(expr.right, sign if expr.op == "+" else -sign)
    elif isinstance(expr, Unary) and expr.op == "-":
        yield from terms_of(expr.of, -sign)
    else:
        yield sign, expr


def _equal(of: Callable[[Env], Any]) -> Source:
    def propose(env: Env) -> Proposal:
        try:
            return [of(env)]
        except EvalFault:
            return None

    return propose


def _bounded(parts: list[tuple[int, Callable[[Env], Any]]], op: str) -> Source:
    """The values v with `v op sum of parts`."""

    def propose(env: Env) -> Proposal:
        total = 0
        for sign, part in parts:
            try:
                value = part(env)
            except EvalFault:
                return None
            if type(value) is not int:
                return None
            total += sign * value
        return _RANGES[op](total)

    return propose


_RANGES: dict[str, Callable[[int], Proposal]] = {
    "=": lambda t: [t],
    "<": lambda t: Between(high=t - 1),
    "<=": lambda t: Between(high=t),
    ">": lambda t: Between(low=t + 1),
    ">=": lambda t: Between(low=t),
}
