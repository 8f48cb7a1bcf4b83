"""The names a pattern binds, and the definitions an expression reaches."""

from __future__ import annotations

from collections.abc import Iterator

from covr.dsl import syntax as s


def bound_by(pattern: s.Pattern) -> Iterator[s.Name]:
    """The names of a pattern, from left to right."""
    if isinstance(pattern, s.Name):
        yield pattern
    else:
        for item in pattern.items:
            yield from bound_by(item)


def bound_by_all(generators: tuple[s.Generator, ...]) -> Iterator[s.Name]:
    """The names that these generators bind, in order."""
    for generator in generators:
        for pattern in generator.patterns:
            yield from bound_by(pattern)


def parts(expr: s.Expr) -> tuple[s.Expr, ...]:
    """The expressions an expression is made of, in order; those of a comprehension, which binds names, not."""
    match expr:
        case s.Call() | s.Reader():
            return expr.args
        case s.Index():
            return (expr.of, *expr.args)
        case s.Field() | s.Unary():
            return (expr.of,)
        case s.Binary():
            return (expr.left, expr.right)
        case s.Compare():
            return (expr.first, *(other for _, other in expr.rest))
        case s.IfElse():
            return (expr.test, expr.then, expr.other)
        case s.TupleOf() | s.ListOf() | s.SetOf():
            return expr.items
        case s.Range():
            return (expr.low, expr.high)
        case _:
            return ()
