"""One walk over syntax trees, for all code that looks for names, calls or anything else in them.

Callers differ only in what counts as lying below a node: everything (`fields`), the expressions that an expression is
made of (`operands`), or what a function of their own returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any

from covr.dsl import syntax as s
from covr.dsl.source import Span
from covr.frozen import names_of

PLACES = ("span", "block_start")  # attributes that say where a node stands, not what it is made of


_ATTRIBUTES: dict[type, tuple[str, ...]] = {}  # what `attributes` has found


def attributes(kind: type) -> tuple[str, ...]:
    """The names of the attributes that a kind of node is made of, in order; empty for anything that is not a node."""
    found = _ATTRIBUTES.get(kind)
    if found is None:
        found = tuple(name for name in names_of(kind) if name not in PLACES) if kind is not Span else ()
        _ATTRIBUTES[kind] = found
    return found


def fields(node: Any) -> Iterable[object]:
    """Everything that a node is made of, in order."""
    return [getattr(node, name) for name in attributes(type(node))]


def walk(tree: object, below: Callable[[Any], Iterable[object]] = fields) -> Iterator[Any]:
    """Every node of a tree, or of a list or tuple of trees, parents first and in source order.

    below: returns what lies below a node, in order; tuples and lists in it are walked, texts and numbers are skipped.
    Does not recurse. Time O(size of the tree).
    """
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, list | tuple):
            todo += reversed(node)
        elif attributes(type(node)):
            yield node
            todo += reversed([*below(node)])


_PARTS: dict[type, Callable[[Any], tuple[s.Expr, ...]]] = {
    s.Call: attrgetter("args"),
    s.ReaderBlock: attrgetter("args"),
    s.Index: lambda expr: (expr.of, *expr.args),
    s.Field: lambda expr: (expr.of,),
    s.Unary: lambda expr: (expr.of,),
    s.Binary: attrgetter("left", "right"),
    s.Compare: lambda expr: (expr.first, *[other for _, other in expr.rest]),
    s.IfElse: attrgetter("test", "then", "other"),
    s.TupleOf: attrgetter("items"),
    s.ListOf: attrgetter("items"),
    s.SetOf: attrgetter("items"),
    s.MapOf: attrgetter("items"),
    s.Range: attrgetter("low", "high"),
}


def parts(expr: s.Expr) -> tuple[s.Expr, ...]:
    """The expressions that an expression is made of, in order; none for a comprehension, because it binds names."""
    found = _PARTS.get(type(expr))
    return () if found is None else found(expr)


def operands(expr: s.Expr) -> tuple[s.Expr, ...]:
    """The expressions that an expression is made of, in order, including those of a comprehension."""
    if not isinstance(expr, s.Comprehension):
        return parts(expr)
    inner = (expr.item,) if expr.where is None else (expr.item, expr.where)
    return (*(g.over for g in expr.generators), *inner)
