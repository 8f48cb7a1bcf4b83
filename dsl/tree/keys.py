"""Keys: expressions `x in SET` that bind names."""

from __future__ import annotations

from covr.dsl import syntax as s


def as_key(expr: s.Expr) -> s.Expr | s.Key:
    """A key `x in SET` or `(i, j) in SET` as a Key; any other expression as it is."""
    if not (isinstance(expr, s.Compare) and len(expr.rest) == 1 and expr.rest[0][0] == "in"):
        return expr
    pattern = as_pattern(expr.first)
    return expr if pattern is None else s.Key(pattern, expr.rest[0][1], expr.span)


def as_pattern(expr: s.Expr) -> s.Pattern | None:
    """An expression such as `r` or `(r, (c, d))` as a pattern of names to bind; None for any other expression."""
    if isinstance(expr, s.Name):
        return expr
    if not isinstance(expr, s.TupleOf) or not expr.items:
        return None
    items = tuple(map(as_pattern, expr.items))
    if any(item is None for item in items):
        return None
    return s.TuplePattern(tuple(i for i in items if i is not None), expr.span)
