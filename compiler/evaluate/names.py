"""Which names an expression uses and which it binds itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from covr.dsl import syntax as syn
from covr.dsl.syntax import Expr, Generator, Pattern


def pattern_names(pattern: Pattern) -> tuple[str, ...]:
    """The names of a pattern, from left to right."""
    if isinstance(pattern, syn.Name):
        return (pattern.id,)
    return tuple(name for item in pattern.items for name in pattern_names(item))


def free_names(expr: Expr) -> frozenset[str]:
    """The names an expression uses and does not bind: locals and globals, not the names of functions it calls."""
    return frozenset(_free(expr))


def called_names(expr: Expr) -> frozenset[str]:
    """The functions and readers an expression calls."""
    found: set[str] = set()
    for part in walk(expr):
        if isinstance(part, syn.Call):
            found.add(part.function.id)
        elif isinstance(part, syn.Reader):
            found.add(part.name.id)
    return frozenset(found)


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and every part of it."""
    todo = [expr]
    while todo:
        part = todo.pop()
        yield part
        todo.extend(children(part))
        if isinstance(part, syn.Comprehension):
            todo.extend(g.over for g in part.generators)
            todo.extend((part.item, *((part.where,) if part.where else ())))


def children(expr: Expr) -> tuple[Expr, ...]:
    """The operands of an expression, in order; those of a comprehension, which binds names, are not among them."""
    match expr:
        case syn.Call() | syn.Reader():
            return expr.args
        case syn.Index():
            return (expr.of, *expr.args)
        case syn.Field() | syn.Unary():
            return (expr.of,)
        case syn.Binary():
            return (expr.left, expr.right)
        case syn.Compare():
            return (expr.first, *(other for _, other in expr.rest))
        case syn.IfElse():
            return (expr.test, expr.then, expr.other)
        case syn.TupleOf() | syn.ListOf() | syn.SetOf():
            return expr.items
        case syn.Range():
            return (expr.low, expr.high)
    return ()


def _free(expr: Expr) -> set[str]:
    if isinstance(expr, syn.Name):
        return {expr.id}
    if isinstance(expr, syn.Comprehension):
        return _free_of_generators(expr.generators, (expr.item, expr.where))
    found: set[str] = set()
    for part in children(expr):
        found |= _free(part)
    return found


def _free_of_generators(generators: Iterable[Generator], parts: Iterable[Expr | None]) -> set[str]:
    bound: set[str] = set()
    found: set[str] = set()
    for g in generators:
        found |= _free(g.over) - bound
        for pattern in g.patterns:
            bound.update(pattern_names(pattern))
    for part in parts:
        if part is not None:
            found |= _free(part) - bound
    return found


def free_in_template(template: syn.Template) -> frozenset[str]:
    """The names the holes of a label use."""
    return frozenset(name for part in template.parts if not isinstance(part, str) for name in _free(part))
