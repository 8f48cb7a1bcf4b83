"""The choices before and after `then` of an `if … then`, for all bindings at once.

As in memberships.py, the statement is turned into a Python function that goes through the values of the names before
`then` that those after it depend on, each combination of them once. If anything might fault, it is left to the closures
(needs.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.names import free_names
from covr.compiler.lower.as_python import SourceWriter, Unsuitable, guessing
from covr.compiler.lower.facts import distinguished, fact_of
from covr.compiler.lower.families import Family
from covr.compiler.lower.index_values import IndexValues
from covr.compiler.lower.local_scope import Within
from covr.compiler.lower.loop_members import OutOfSteps, combinations_of
from covr.compiler.lower.loops import Loops
from covr.compiler.lower.walk import Walk
from covr.dsl.syntax import NamedChoice


def begun_by(
    named: NamedChoice, names: tuple[str, ...], walk: Walk, family: Family, inside: Within, scope: Scope
) -> list[tuple[tuple[Any, ...], int]]:
    """The bindings of the names that a walk finds, each once, with the number of the choice that is named there, or -1
    for none. Raises Unsuitable or EvalFault if the closures must do it."""

    def writing(guesses: bool) -> tuple[SourceWriter, Callable[[], list[tuple[tuple[Any, ...], int]]]]:
        writer = SourceWriter(inside, lambda names: combinations_of(walk, names), guesses)
        return writer, lambda: _begun(named, names, walk, family, writer, scope)

    return guessing(writing)


def _begun(
    named: NamedChoice, names: tuple[str, ...], walk: Walk, family: Family, writer: SourceWriter, scope: Scope
) -> list[tuple[tuple[Any, ...], int]]:
    if not walk.levels or len(named.args) != len(family.indices):
        raise Unsuitable
    loops = Loops(walk, writer, ordered=True, indent=" ", outermost=True)
    values = "".join(f"{writer.text(name)}, " for name in names)
    args = "".join(f"{writer.value(arg)[0]}, " for arg in named.args)
    lines = [
        "def made(at, most_steps, most_values):",
        " found = []",
        " steps = values = 0",
        *([f" if not ({loops.test}): return found, steps, values"] if loops.test else []),
        *loops.lines,
        f"{loops.indent}found += [(({values}), at(({args}), -1)) {loops.innermost}]",
        " return found, steps, values",
    ]
    writer.space["OutOfSteps"] = OutOfSteps
    found, steps, _ = writer.finished(lines)(family.positions.get, *scope.budget.soon())
    scope.budget.step(steps)
    if not loops.in_order():
        raise Unsuitable
    return list(dict.fromkeys(found))


def named_by(
    then: Sequence[NamedChoice],
    names: tuple[str, ...],
    bindings: Sequence[tuple[Any, ...]],
    walk: Walk,
    families: Mapping[str, Family],
    inside: Within,
    scope: Scope,
) -> list[list[int]]:
    """For each binding of the names, the numbers of the choices that `then` names, with repeats.

    walk: from a binding to those of the other names. Raises Unsuitable or EvalFault if the closures must do it.
    """
    values = IndexValues(names, bindings, None, walk)
    writer = SourceWriter(inside, values.combinations, guesses=True)
    mentioned = set().union(*(free_names(a) for c in then for a in c.args), *map(free_names, walk.conditions))
    mentioned.update(*(g.uses for g in walk.groups))
    used = tuple(name for name in names if name in mentioned)
    if not used or not bindings:
        raise Unsuitable
    for name in used:
        fact = writer.noted("members", values.distinct((name,))[0], fact_of)
        if not distinguished(fact):
            raise Unsuitable
        writer.bind(name, fact)
    writer.sample.update(zip(names, bindings[0], strict=True))
    indent, visits = _visits(walk, writer)
    lines = [
        "def made(choices, most_steps, most_values):",
        " found = []",
        " steps = values = 0",
        f" for {', '.join(map(writer.text, used))} in choices:",
        "  row = []",
        "  found.append(row)",
        *visits,
    ]
    for named in then:
        family = families[named.family.id]
        if any(len(args) != len(named.args) for args in family.choices[:1]):
            raise Unsuitable
        args = "".join(f"{writer.value(arg)[0]}, " for arg in named.args)
        lines.append(f"{indent}if (n := {writer.constant(family.positions.get)}(({args}), -1)) >= 0: row.append(n)")
    writer.space["OutOfSteps"] = OutOfSteps
    distinct, which = values.distinct(used)
    found, steps, _ = writer.finished([*lines, " return found, steps, values"])(distinct, *scope.budget.soon())
    scope.budget.step(steps)
    every: list[list[int]] = found
    return every if which is None else [every[at] for at in which]


def _visits(walk: Walk, writer: SourceWriter) -> tuple[str, list[str]]:
    """The lines that go through the bindings of a walk, inside a loop, and the indent of what is done for each."""
    if not walk.levels:
        tests = [writer.condition(c) for c in walk.conditions]
        return "  ", [f"  if not ({' and '.join(tests)}): continue"] if tests else []
    loops = Loops(walk, writer, ordered=False, indent="  ")
    if loops.subset:
        raise Unsuitable
    return f"{loops.indent} ", [
        *([f"  if not ({loops.test}): continue"] if loops.test else []),
        *loops.lines,
        f"{loops.indent}{loops.last}:",
        *([f"{loops.indent} if not ({' and '.join(loops.tests)}): continue"] if loops.tests else []),
    ]


__all__ = ["begun_by", "named_by"]
