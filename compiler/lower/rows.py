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
from operator import itemgetter
from typing import Any, Final

from attrs import field, frozen

from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.names import free_names
from covr.compiler.lower.as_python import Unsuitable, SourceWriter
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

    ones: where each choice belongs to at most one, that item, or -1; otherwise None.
    lists: the items of each choice, increasing; empty if there are `ones`. Choices may share a list.
    """

    ones: Sequence[int] | None = field(repr=False)
    lists: Sequence[Sequence[int]] = field(repr=False)

    def numbered(self, first: int) -> Iterator[tuple[int, Sequence[int]]]:
        """Each choice's number over all families with its items. first: the number of the family's first choice."""
        lists = self.lists if self.ones is None else [(at,) if at >= 0 else () for at in self.ones]
        return enumerate(lists, first)

    def entries(self, left_out: Iterable[int] = ()) -> int:
        """How many items all choices reach together, without those that are left out, counted from 0 in the family."""
        if self.ones is None:
            return sum(map(len, self.lists)) - sum([len(self.lists[c]) for c in left_out])
        return len(self.ones) - self.ones.count(-1) - sum([self.ones[c] >= 0 for c in left_out])

    def columns(self, numbering: Sequence[int]) -> list[Sequence[int]]:
        """The items of each choice by their numbers in the matrix. numbering: for each item of the block its number, or
        -1 for one that is left out."""
        if self.ones is not None:
            one: list[Sequence[int]] = [(n,) if n >= 0 else () for n in numbering]
            one.append(())  # for the choices that have -1
            return list(map(one.__getitem__, self.ones))
        if list(numbering) == list(range(len(numbering))):
            return list(self.lists)
        made: dict[int, Sequence[int]] = {}
        for row in self.lists:
            if id(row) not in made:
                made[id(row)] = [n for n in map(numbering.__getitem__, row) if n >= 0]
        return [made[id(row)] for row in self.lists]


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
        self._columns: dict[str, tuple[Any, ...]] = {}
        self._writer = SourceWriter(plan.within(scope), self._combinations)

    def rows(self) -> FamilyRows:
        """The rows. Raises Unsuitable or EvalFault if the closures must do it."""
        if not self._walk.levels and not self._conditions and self._used == self._plan.names:
            return self._by_indices()
        for name in self._used:
            self._writer.bind(name, fact_of(self._column(name)))
        return self._one_each() if not self._walk.levels else self._several_each()

    def _used_indices(self) -> tuple[str, ...]:
        """The indices of the family that the rule uses; those that are keys in the order of the keys."""
        plan, indices = self._plan, self._family.indices
        used: set[str] = set().union(*(free_names(c) for c in self._conditions))
        used.update(*(g.uses for g in self._walk.groups), *map(free_names, plan.computed.values()))
        first = list(dict.fromkeys(n for n in plan.names if n in indices))
        return (*first, *(n for n in indices if n in used and n not in first))

    def _by_indices(self) -> FamilyRows:
        """All keys are indices, and there is no condition."""
        if not self._used:
            return FamilyRows([0 if self._keys else -1] * len(self._family.choices), ())
        at = dict(zip(self._single(self._keys), range(len(self._keys)), strict=True))
        found = list(map(at.get, self._projected(self._used)))
        return FamilyRows([-1 if n is None else n for n in found] if None in found else found, ())  # type: ignore[arg-type]

    def _single(self, keys: Iterable[tuple[Any, ...]]) -> Iterable[Any]:
        """The keys; without the tuple around them, if each has one value."""
        return (key for (key,) in keys) if len(self._plan.names) == 1 else keys

    def _projected(self, names: Sequence[str]) -> Iterable[Any]:
        """The values of some indices of each choice: a tuple, or for one index its value."""
        indices, choices = self._family.indices, self._family.choices
        return (
            choices
            if names == indices != () and len(names) > 1
            else map(itemgetter(*map(indices.index, names)), choices)
        )

    def _column(self, name: str) -> tuple[Any, ...]:
        if name not in self._columns:
            self._columns[name] = tuple(dict.fromkeys(self._projected((name,))))
        return self._columns[name]

    def _combinations(self, names: tuple[str, ...]) -> Iterable[tuple[Any, ...]] | None:
        """The combinations of indices that choices have; or the members of a set that no index has a say in."""
        if all(n in self._family.indices for n in names):
            found = dict.fromkeys(self._projected(names))
            return found if len(names) > 1 else [(value,) for value in found]
        return combinations_of(self._walk, names)

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
        return FamilyRows(made(self._projected(self._used), self._positions().get), ())

    def _several_each(self) -> FamilyRows:
        """A choice may belong to several items. Each combination of the indices used is looked at once."""
        if not self._used:
            raise Unsuitable
        loops = Loops(self._walk, self._writer, ordered=False, indent="  ")
        positions = self._positions()
        entry = f"(n := at({self._key()}, -1)) >= 0"
        if loops.subset and self._plan.names == (loops.subset,):
            entry = f"(n := {self._writer.constant(_Placed(loops.made, positions))}[t]) >= 0"
        many = "sorted({*row}) if len(row) > 1 else row"
        lines = [
            "def made(choices, at, most_steps, most_values, most):",
            " found = []",
            " steps = values = entries = 0",
            f" for {self._pattern()} in choices:",
            *([f"  if not ({loops.test}): found.append(()); continue"] if loops.test else []),
            "  row = []",
            *loops.lines,
            f"{loops.indent}row += [n {loops.innermost} if {entry}]",
            f"  found.append({many})",
            "  entries += len(row)",
            "  if entries > most: raise OutOfSteps",
            " return found, steps, values",
        ]
        self._writer.space["OutOfSteps"] = OutOfSteps
        made = self._writer.finished(lines)
        projected = list(self._projected(self._used))
        distinct = projected if len(self._used) == len(self._family.indices) else list(dict.fromkeys(projected))
        found, steps, _ = made(distinct, positions.get, *self._scope.budget.left(), self._most)
        self._scope.budget.step(steps)
        if distinct is projected:
            return FamilyRows(None, found)
        table = dict(zip(distinct, found, strict=True))
        return FamilyRows(None, list(map(table.__getitem__, projected)))


class _Placed(dict[tuple[Any, ...], int]):
    """The position of the item whose key is the set of some members in order, or -1."""

    def __init__(self, made: Mapping[tuple[Any, ...], Any], positions: Mapping[Any, int]) -> None:
        self._made, self._positions = made, positions

    def __missing__(self, ordered: tuple[Any, ...]) -> int:
        at = self[ordered] = self._positions.get(self._made[ordered], -1)
        return at


__all__ = ["FEWEST", "FamilyRows", "RuleRows"]
