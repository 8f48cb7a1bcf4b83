"""What each choice of a family shows at the keys of an `agree`, for all choices at once.

As in memberships.py, an `agree` is turned into a Python function that goes through the values of the indices that it
uses, each combination of them once. If anything might fault, it is left to the closures (marks.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import field

from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.names import free_names
from covr.compiler.lower.as_python import SourceWriter, Unsuitable, guessing
from covr.compiler.lower.facts import distinguished, fact_of
from covr.compiler.lower.families import Family
from covr.compiler.lower.index_values import IndexValues
from covr.compiler.lower.local_scope import Within
from covr.compiler.lower.loop_members import OutOfSteps
from covr.compiler.lower.loops import Loops
from covr.compiler.lower.walk import Walk
from covr.dsl.syntax import Expr
from covr.frozen import frozen


@frozen
class ShownColours:
    """rows: key → colour; None for one that shows two colours at a key. which: as in `FamilyRows`."""

    rows: Sequence[dict[Any, Any] | None] = field(repr=False)
    which: Sequence[int] | None = field(repr=False)


def shown_by(
    pairs: Sequence[tuple[Expr, Expr]], walk: Walk, family: Family, inside: Within, scope: Scope, most: int
) -> ShownColours:
    """What the choices of a family show. pairs: keys and colours. walk: from a choice to the bindings for which they
    are shown. most: entries. Raises Unsuitable or EvalFault if the closures must do it."""
    values = IndexValues.of(family, walk)

    def writing(guesses: bool) -> tuple[SourceWriter, Callable[[], ShownColours]]:
        writer = SourceWriter(inside, values.combinations, guesses)
        if guesses and family.choices:
            writer.sample.update(zip(family.indices, family.choices[0], strict=True))
        return writer, lambda: _shown(pairs, walk, family, values, writer, scope, most)

    return guessing(writing)


def _shown(
    pairs: Sequence[tuple[Expr, Expr]],
    walk: Walk,
    family: Family,
    values: IndexValues,
    writer: SourceWriter,
    scope: Scope,
    most: int,
) -> ShownColours:
    mentioned = set().union(*(free_names(e) for pair in pairs for e in pair), *map(free_names, walk.conditions))
    mentioned.update(*(g.uses for g in walk.groups))
    used = tuple(name for name in family.indices if name in mentioned)
    if not used:
        raise Unsuitable
    for name in used:
        fact = writer.noted("members", values.distinct((name,))[0], fact_of)
        if not distinguished(fact):
            raise Unsuitable
        writer.bind(name, fact)
    pattern = ", ".join(map(writer.text, used))
    lines = [
        "def made(choices, most_steps, most_values, most):",
        " found = []",
        " steps = values = entries = 0",
        f" for {pattern} in choices:",
        "  row = {}",
        "  agrees = True",
        *_body(pairs, walk, writer),
        "  found.append(row if agrees else None)",
        "  entries += len(row)",
        "  if entries > most: raise OutOfSteps",
        " return found, steps, values",
    ]
    writer.space["OutOfSteps"] = OutOfSteps
    distinct, which = values.distinct(used)
    found, steps, _ = writer.finished(lines)(distinct, *scope.budget.soon(), most)
    scope.budget.step(steps)
    return ShownColours(found, which)


def _body(pairs: Sequence[tuple[Expr, Expr]], walk: Walk, writer: SourceWriter) -> list[str]:
    """The lines that fill `row`."""
    if not walk.levels:
        tests = [writer.condition(c) for c in walk.conditions]
        return [*([f"  if {' and '.join(tests)}:"] if tests else ["  if True:"]), *_pairs(pairs, writer, "   ")]
    loops = Loops(walk, writer, ordered=True, indent="  ")
    if loops.subset:
        raise Unsuitable
    lines = [f"  if not ({loops.test}): found.append(row); continue"] if loops.test else []
    lines += [*loops.lines, f"{loops.indent}{loops.last}:"]
    lines += [f"{loops.indent} if not ({' and '.join(loops.tests)}): continue"] if loops.tests else []
    return [*lines, *_pairs(pairs, writer, loops.indent + " ")]


def _pairs(pairs: Sequence[tuple[Expr, Expr]], writer: SourceWriter, indent: str) -> list[str]:
    lines = []
    for key, colour in pairs:
        lines.append(f"{indent}c = {writer.value(colour)[0]}")
        lines.append(f"{indent}if row.setdefault({writer.value(key)[0]}, c) != c: agrees = False")
    return lines


__all__ = ["ShownColours", "shown_by"]
