"""Which names an expression uses and which it binds itself."""

from __future__ import annotations

from collections.abc import Iterable

from covr.dsl import syntax as syn
from covr.dsl.names import bound_by
from covr.dsl.syntax import Expr, Generator, Pattern
from covr.dsl.walk import operands, parts, walk


def pattern_names(pattern: Pattern) -> tuple[str, ...]:
    """The names of a pattern, from left to right."""
    return tuple(name.id for name in bound_by(pattern))


def free_names(expr: Expr) -> frozenset[str]:
    """The names an expression uses and does not bind: locals and globals, not the names of functions it calls."""
    return _free(expr)


def called_names(expr: Expr) -> frozenset[str]:
    """The functions and readers an expression calls."""
    found: set[str] = set()
    for part in walk(expr, operands):
        if isinstance(part, syn.Call):
            found.add(part.function.id)
        elif isinstance(part, syn.ReaderBlock):
            found.add(part.name.id)
    return frozenset(found)


def _free(expr: Expr) -> frozenset[str]:
    """The same; kept with the expression."""
    try:
        return expr._free  # type: ignore[no-any-return, union-attr]
    except AttributeError:
        pass
    if isinstance(expr, syn.Name):
        found = frozenset((expr.id,))
    elif isinstance(expr, syn.Comprehension):
        found = frozenset(_free_of_generators(expr.generators, (expr.item, expr.where)))
    else:
        found = frozenset().union(*map(_free, parts(expr)))
    object.__setattr__(expr, "_free", found)
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
