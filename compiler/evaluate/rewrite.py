"""Changes to expressions before they are compiled: splitting conditions, replacing sub-expressions.

Conditions are split at their top-level `and`s, and a computed key (`per band(r)`) is replaced by a name wherever the
same expression occurs again, so that a label, a quantity or a condition can refer to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import is_
from typing import Any, TypeVar, cast

from covr.dsl.syntax import Binary, Expr
from covr.dsl.walk import attributes
from covr.frozen import evolve

T = TypeVar("T")


def conjuncts(condition: Expr | None) -> tuple[Expr, ...]:
    """The parts of a condition that are joined by `and` at its top level, in source order; none if it is None."""
    if condition is None:
        return ()
    if isinstance(condition, Binary) and condition.op == "and":
        return conjuncts(condition.left) + conjuncts(condition.right)
    return (condition,)


def disjuncts(condition: Expr) -> tuple[Expr, ...]:
    """The parts of a condition that are joined by `or` at its top level, in source order."""
    if isinstance(condition, Binary) and condition.op == "or":
        return disjuncts(condition.left) + disjuncts(condition.right)
    return (condition,)


def replace(node: T, replacements: Mapping[Expr, Expr]) -> T:
    """The tree in which every sub-expression that equals a key of `replacements` is replaced by that key's value."""
    if not replacements or node is None:
        return node
    return cast(T, _replace(node, replacements, frozenset(map(type, replacements))))


def _replace(node: Any, replacements: Mapping[Expr, Expr], kinds: frozenset[type]) -> object:
    """kinds: of what is replaced. Comparing takes most of the time, and is left out for everything else."""
    if isinstance(node, tuple):
        parts = tuple([_replace(part, replacements, kinds) for part in node])
        return node if all(map(is_, parts, node)) else parts
    kind = type(node)
    if kind in kinds and node in replacements:
        return evolve(replacements[cast(Expr, node)], span=getattr(node, "span"))  # noqa: B009
    changes = {}
    for name in attributes(kind):
        old = getattr(node, name)
        if type(old) is tuple or attributes(type(old)):
            new = _replace(old, replacements, kinds)
            if new is not old:
                changes[name] = new
    return evolve(node, **changes) if changes else node
