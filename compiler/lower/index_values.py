"""Index names inside a statement: their values, and what choices show at the keys of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product, repeat
from operator import itemgetter
from typing import Any

from attrs import field

from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.expressions import free_names
from covr.compiler.evaluate.values import Set
from covr.compiler.lower.as_python import SourceWriter, Unsuitable, speculating
from covr.compiler.lower.facts import distinguished, fact_of
from covr.compiler.lower.families import Args, Family, ProductPositions
from covr.compiler.lower.groups import Within
from covr.compiler.lower.joins import MOST_TABULATED, OutOfSteps, combinations_of
from covr.compiler.lower.loops import Loops
from covr.compiler.lower.walk import Walk
from covr.dsl.syntax import Expr, NamedChoice
from covr.frozen import frozen

# --- index values ----------------------------------------------------------------------------------------------------
# Which values the indices of choices have, each combination of them once, for statements that use some of them.


class IndexValues:
    """Names with the combinations of values that they have, such as the indices and choices of a family, and what a
    walk from them binds besides. numbers: of the combinations, if they are a product of sets; found: cache of
    `distinct`."""

    def __init__(
        self,
        indices: tuple[str, ...],
        choices: Sequence[Args],
        numbers: object,
        walk: Walk | None = None,
        found: dict[tuple[str, ...], tuple[Sequence[Any], Sequence[int] | None]] | None = None,
    ) -> None:
        self._indices, self._choices, self._numbers, self._walk = indices, choices, numbers, walk
        self._found = {} if found is None else found

    @classmethod
    def of(cls, family: Family, walk: Walk | None = None) -> IndexValues:
        """The indices of a family."""
        return cls(family.indices, family.choices, family.numbers, walk, family.projections)

    @property
    def is_product(self) -> bool:
        """Whether the combinations are all those of some sets."""
        return isinstance(self._numbers, ProductPositions)

    def projected(self, names: Sequence[str]) -> Iterable[Any]:
        """The values of some indices of each choice: a tuple, or for one index its value."""
        indices, choices = self._indices, self._choices
        if not names:
            return repeat((), len(choices))
        if names == indices and len(names) > 1:
            return choices
        return map(itemgetter(*map(indices.index, names)), choices)

    def distinct(self, names: Sequence[str]) -> tuple[Sequence[Any], Sequence[int] | None]:
        """The different values of some indices, in the order of the family's, and which of them each choice has; None
        if all are different. Sets count by identity, because hashing members takes longer than all else: equal sets may
        count as different."""
        key = tuple(names)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._distinct(key)
        return found

    def _distinct(self, names: tuple[str, ...]) -> tuple[Sequence[Any], Sequence[int] | None]:
        indices, positions = self._indices, self._numbers
        if len(names) == len(indices):
            return list(self.projected(names)), None
        if isinstance(positions, ProductPositions):
            return positions.distinct([indices.index(name) for name in names])
        values = list(self.projected(names))
        marks = list(map(id, values)) if set(map(type, values)) == {Set} else values
        different = dict(zip(marks, values, strict=True))  # a value that comes up again keeps its first place
        if len(different) == len(values):
            return values, None
        numbers = dict(zip(different, range(len(different)), strict=True))
        if marks is values:
            return list(different), list(map(numbers.__getitem__, marks))
        return list(different.values()), list(map(numbers.__getitem__, marks))

    def combinations(self, names: tuple[str, ...]) -> Iterable[tuple[Any, ...]] | None:
        """The combinations of indices that choices have, with all members of sets that no index has a say in."""
        ordered = [name for name in self._indices if name in names]
        walked = tuple(name for name in names if name not in ordered)
        found: Sequence[Any] = [()]
        if ordered:
            found, _ = self.distinct(ordered)
            found = list(zip(found)) if len(ordered) == 1 else found
        if walked:
            others = None if self._walk is None else combinations_of(self._walk, walked)
            if others is None or len(found) * len(others) > MOST_TABULATED:
                return None
            found = [one + other for one, other in product(found, others)]
        every = [*ordered, *walked]
        back = [every.index(name) for name in names]
        if len(names) == 1 or back == sorted(back):
            return found
        return list(map(itemgetter(*back), found))


# --- colours ---------------------------------------------------------------------------------------------------------
# What each choice of a family shows at the keys of an `agree`, for all choices at once, by a Python function over the
# values of the indices that it uses. If anything might fault, it is left to the closures (marks.py).


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

    def writing(speculates: bool) -> tuple[SourceWriter, Callable[[], ShownColours]]:
        writer = SourceWriter(inside, values.combinations, speculates)
        if speculates and family.choices:
            writer.sample.update(zip(family.indices, family.choices[0], strict=True))
        return writer, lambda: _shown(pairs, walk, family, values, writer, scope, most)

    return speculating(writing)


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


# --- needed ----------------------------------------------------------------------------------------------------------
# The choices before and after `then` of an `if … then`, for all bindings at once, by a Python function over the values
# of the names before `then`. If anything might fault, it is left to the closures (needs.py).


Begun = list[tuple[tuple[Any, ...], tuple[int, ...]]]
"""Bindings of names, with the numbers of the choices that are named there, or -1 for one that does not exist."""


def begun_by(
    named: Sequence[NamedChoice],
    names: tuple[str, ...],
    walk: Walk,
    families: Mapping[str, Family],
    inside: Within,
    scope: Scope,
) -> Begun:
    """The bindings of the names that a walk finds, each once. Raises Unsuitable or EvalFault if the closures must do
    it."""

    def writing(speculates: bool) -> tuple[SourceWriter, Callable[[], Begun]]:
        writer = SourceWriter(inside, lambda names: combinations_of(walk, names), speculates)
        return writer, lambda: _begun(named, names, walk, families, writer, scope)

    return speculating(writing)


def _begun(
    named: Sequence[NamedChoice],
    names: tuple[str, ...],
    walk: Walk,
    families: Mapping[str, Family],
    writer: SourceWriter,
    scope: Scope,
) -> Begun:
    if not walk.levels or any(len(one.args) != len(families[one.family.id].indices) for one in named):
        raise Unsuitable
    loops = Loops(walk, writer, ordered=True, indent=" ", outermost=True)
    values = "".join(f"{writer.text(name)}, " for name in names)
    numbers = ""
    for one in named:
        args = "".join(f"{writer.value(arg)[0]}, " for arg in one.args)
        numbers += f"{writer.constant(families[one.family.id].positions.get)}(({args}), -1), "
    lines = [
        "def made(most_steps, most_values):",
        " found = []",
        " steps = values = 0",
        *([f" if not ({loops.test}): return found, steps, values"] if loops.test else []),
        *loops.lines,
        f"{loops.indent}found += [(({values}), ({numbers})) {loops.innermost}]",
        " return found, steps, values",
    ]
    writer.space["OutOfSteps"] = OutOfSteps
    found, steps, _ = writer.finished(lines)(*scope.budget.soon())
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
    """For each binding of the names, the numbers of the choices that `then` names, with repeats. walk: from a binding
    to those of the other names. Raises Unsuitable or EvalFault."""
    values = IndexValues(names, bindings, None, walk)
    writer = SourceWriter(inside, values.combinations, speculates=True)
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
