"""To which items of a rule each choice of a family belongs, for all choices at once.

A rule is turned into a Python function (as_python.py, loops.py) that goes through the values of the indices that the
rule uses, each combination of them once: `exactly one place per band(r), band(c), d` becomes

    def made(choices, at, …):
        return [at((k0[v0], k1[v1], v2), -1) for v0, v1, v2 in choices]

and a rule whose keys a choice reaches in several ways one with a loop for each group. This takes a tenth to a third of
a microsecond for each entry of the matrix, where closures take three. If anything in the rule might fault, or does,
it is left to the closures: the memberships are worked out one choice after another (rules.py), which tells what is
wrong, and where.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from operator import itemgetter
from typing import Any, Final

from attrs import field, frozen

from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.names import free_names
from covr.compiler.lower.as_python import SourceWriter, Unsuitable
from covr.compiler.lower.choices import ProductPositions
from covr.compiler.lower.facts import fact_of
from covr.compiler.lower.families import Family
from covr.compiler.lower.keys import KeyPlan
from covr.compiler.lower.loops import Loops, OutOfSteps, combinations_of
from covr.compiler.lower.walk import Walk

FEWEST: Final = 24
"""Choices: for fewer, writing and compiling a function takes longer than the closures do."""


@frozen
class FamilyRows:
    """For each choice of a family, in order, the items of a block that it belongs to.

    rows: items, increasing. which: for each choice the row that is its own; None if that is the row of its number.
    """

    rows: Sequence[Sequence[int]] = field(repr=False)
    which: Sequence[int] | None = field(repr=False)

    def _each(self, rows: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
        return rows if self.which is None else list(map(rows.__getitem__, self.which))

    def numbered(self, first: int) -> Iterator[tuple[int, Sequence[int]]]:
        """Each choice's number over all families with its items. first: the number of the family's first choice."""
        return enumerate(self._each(self.rows), first)

    def entries(self, left_out: Iterable[int] = ()) -> int:
        """How many items all choices reach together, without those that are left out, counted from 0 in the family."""
        sizes = list(map(len, self.rows))
        each = sizes if self.which is None else list(map(sizes.__getitem__, self.which))
        return sum(each) - sum([each[choice] for choice in left_out])

    def columns(self, numbering: Sequence[int]) -> Sequence[Sequence[int]]:
        """The items of each choice by their numbers in the matrix. numbering: for each item of the block its number, or
        -1 for one that is left out. The numbers of a choice increase if those of the block do."""
        if list(numbering) == list(range(len(numbering))):
            return self._each(self.rows)
        if -1 in numbering:
            return self._each([[n for n in map(numbering.__getitem__, row) if n >= 0] for row in self.rows])
        return self._each([list(map(numbering.__getitem__, row)) for row in self.rows])


class RuleRows:
    """A rule seen by one family.

    keys: of the rule's items, in order. walk: over the groups that a choice does not determine, under the rule's
    conditions. most: entries; beyond them the closures say that there are too many.
    """

    def __init__(
        self,
        plan: KeyPlan,
        keys: Sequence[tuple[Any, ...]],
        family: Family,
        walk: Walk,
        scope: Scope,
        most: int,
    ) -> None:
        self._plan, self._keys, self._family, self._walk = plan, keys, family, walk
        self._conditions, self._scope, self._most = walk.conditions, scope, most
        self._used = self._used_indices()
        self._writer = SourceWriter(plan.within(scope), self._combinations)

    def rows(self) -> FamilyRows:
        """The rows. Raises Unsuitable or EvalFault if the closures must do it."""
        if not self._walk.levels and not self._conditions and set(self._plan.names) <= set(self._family.indices):
            return self._by_indices()
        for name in self._used:
            self._writer.bind(name, fact_of(self._distinct((name,))[0]))
        return self._one_each() if not self._walk.levels else self._several_each()

    def _used_indices(self) -> tuple[str, ...]:
        """The indices of the family that the rule uses."""
        plan = self._plan
        used = set(plan.names).union(*(free_names(c) for c in self._conditions))
        used.update(*(g.uses for g in self._walk.groups), *map(free_names, plan.computed.values()))
        return tuple(n for n in self._family.indices if n in used)

    def _by_indices(self) -> FamilyRows:
        """All keys are indices, and there is no condition."""
        found = list(map(self._positions().get, self._projected(self._plan.names), repeat(-1)))
        return self._ones(found)

    def _ones(self, which: Sequence[int]) -> FamilyRows:
        """Each choice belongs to one item, or to none, which is -1."""
        return FamilyRows([*((at,) for at in range(len(self._keys))), ()], which)

    def _single(self, keys: Iterable[tuple[Any, ...]]) -> Iterable[Any]:
        """The keys; without the tuple around them, if each has one value."""
        return (key for (key,) in keys) if len(self._plan.names) == 1 else keys

    def _projected(self, names: Sequence[str]) -> Iterable[Any]:
        """The values of some indices of each choice: a tuple, or for one index its value."""
        indices, choices = self._family.indices, self._family.choices
        if not names:
            return repeat((), len(choices))
        if names == indices and len(names) > 1:
            return choices
        return map(itemgetter(*map(indices.index, names)), choices)

    def _distinct(self, names: Sequence[str]) -> tuple[Sequence[Any], Sequence[int] | None]:
        """The different values of some indices, in the order of the family's, and which of them each choice has; None
        for these if all are different."""
        indices, positions = self._family.indices, self._family.numbers
        if len(names) == len(indices):
            return list(self._projected(names)), None
        if isinstance(positions, ProductPositions):
            return positions.distinct([indices.index(name) for name in names])
        projected = list(self._projected(names))
        distinct = dict.fromkeys(projected)
        table = dict(zip(distinct, range(len(distinct)), strict=True))
        return list(distinct), list(map(table.__getitem__, projected))

    def _combinations(self, names: tuple[str, ...]) -> Iterable[tuple[Any, ...]] | None:
        """The combinations of indices that choices have; or the members of sets that no index has a say in."""
        if not set(names) <= set(self._family.indices):
            return combinations_of(self._walk, names)
        ordered = [name for name in self._family.indices if name in names]
        found, _ = self._distinct(ordered)
        if len(names) == 1:
            return [(value,) for value in found]
        back = [ordered.index(name) for name in names]
        return found if back == sorted(back) else list(map(itemgetter(*back), found))

    def _key(self) -> str:
        """The key of a binding, as source."""
        texts = []
        for name in self._plan.names:
            if name in self._plan.computed:
                texts.append(self._writer.value(self._plan.computed[name])[0])
            else:
                texts.append(self._writer.text(name))
        return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"

    def _pattern(self) -> str:
        texts = list(map(self._writer.text, self._used))
        return texts[0] if len(texts) == 1 else ", ".join(texts)

    def _positions(self) -> dict[Any, int]:
        return dict(zip(self._single(self._keys), range(len(self._keys)), strict=True))

    def _one_each(self) -> FamilyRows:
        """A choice belongs to at most one item, because it determines all keys."""
        tests = [self._writer.condition(c) for c in self._conditions]
        item = f"at({self._key()}, -1)"
        if tests:
            item += f" if {' and '.join(tests)} else -1"
        if not self._used:
            raise Unsuitable
        lines = ["def made(choices, at):", f" return [{item} for {self._pattern()} in choices]"]
        made = self._writer.finished(lines)
        return self._ones(made(self._projected(self._used), self._positions().get))

    def _several_each(self) -> FamilyRows:
        """A choice may belong to several items. Each combination of the indices used is looked at once."""
        if not self._used:
            raise Unsuitable
        loops = Loops(self._walk, self._writer, ordered=False, indent="  ")
        positions = self._positions()
        entry = f"(n := at({self._key()}, -1)) >= 0"
        if loops.subset and self._plan.names == (loops.subset,):
            entry = f"(n := {self._writer.constant(_Placed(loops.made, positions))}[t]) >= 0"
        once = loops.no_repeats() and set(loops.names) <= set(self._plan.names)
        lines = [
            "def made(choices, at, most_steps, most_values, most):",
            " found = []",
            " steps = values = entries = 0",
            f" for {self._pattern()} in choices:",
            *([f"  if not ({loops.test}): found.append(()); continue"] if loops.test else []),
            "  row = []",
            *loops.lines,
            f"{loops.indent}row += [n {loops.innermost} if {entry}]",
            "  if len(row) > 1: row.sort()" if once else "  if len(row) > 1: row = sorted({*row})",
            "  found.append(row)",
            "  entries += len(row)",
            "  if entries > most: raise OutOfSteps",
            " return found, steps, values",
        ]
        self._writer.space["OutOfSteps"] = OutOfSteps
        made = self._writer.finished(lines)
        distinct, which = self._distinct(self._used)
        found, steps, _ = made(distinct, positions.get, *self._scope.budget.left(), self._most)
        self._scope.budget.step(steps)
        return FamilyRows(found, which)


class _Placed(dict[tuple[Any, ...], int]):
    """The position of the item whose key is the set of some members in order, or -1."""

    def __init__(self, made: Mapping[tuple[Any, ...], Any], positions: Mapping[Any, int]) -> None:
        self._made, self._positions = made, positions

    def __missing__(self, ordered: tuple[Any, ...]) -> int:
        at = self[ordered] = self._positions.get(self._made[ordered], -1)
        return at


__all__ = ["FEWEST", "FamilyRows", "RuleRows"]
