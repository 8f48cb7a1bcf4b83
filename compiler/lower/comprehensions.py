"""Sets, lists and maps made by `for` at once, where they need no local names.

`let lines = {{a, b} for a in corners, b in neighbours(a) where b in corners}` takes 4 microseconds by closures for each
pair, and one in loops of Python source (loops.py). Closures do it where there are few members, and where anything may
fault.

Conditions are tested as soon as their names have values, and so not always in the order in which they are written.
What may fault is written only where that is the same, because otherwise faults were lost.
"""

from __future__ import annotations

from typing import Any

from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.rewrite import conjuncts
from covr.compiler.lower.as_python import SourceWriter, Unsuitable, attempt
from covr.compiler.lower.groups import groups_of
from covr.compiler.lower.loop_members import OutOfSteps, combinations_of
from covr.compiler.lower.loops import Loops
from covr.compiler.lower.walk import Walk
from covr.dsl.syntax import Comprehension


def items_of(expr: Comprehension, scope: Scope) -> list[Any] | None:
    """What the `for` of a comprehension comes to, binding by binding, with repeats; pairs for a map. None if the
    closures must do it."""
    return attempt(lambda: _items_of(expr, scope), scope)


def _items_of(expr: Comprehension, scope: Scope) -> list[Any]:
    groups = groups_of(expr.generators)
    names = [name for g in groups for name in g.names]
    if len(set(names)) < len(names):
        raise Unsuitable
    walk = Walk(scope, groups, conjuncts(expr.where), frozenset(), late=True)
    # A `for` looks at all members of its sets and then at the conditions, in order. Loops test conditions as soon as
    # their names have values, and look only at what some leave; then nothing may be worked out that might fault.
    sure = any(level.restricted and level.constant for level in walk.levels)
    sure = sure or any(level.conditions for level in walk.levels[:-1])
    writer = SourceWriter(walk.within, lambda names: combinations_of(walk, names), guesses=not sure)
    loops = Loops(walk, writer, ordered=expr.kind != "set", indent=" ", outermost=True)
    text = writer.value(expr.item)[0]
    lines = [
        "def made(most_steps, most_values):",
        " found = []",
        " steps = values = 0",
        *([f" if not ({loops.test}): return found, steps, values"] if loops.test else []),
        *loops.lines,
        f"{loops.indent}found += [{text} {loops.innermost}]",
        f"{loops.indent}values = len(found)",
        " return found, steps, values",
    ]
    writer.space["OutOfSteps"] = OutOfSteps
    found: list[Any]
    found, steps, values = writer.finished(lines)(*scope.budget.soon())
    scope.budget.step(steps)
    scope.budget.spend(values)
    return found


__all__ = ["items_of"]
