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
from itertools import repeat, zip_longest
from typing import Any, Final, TypeAlias

from attrs import field

from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.names import free_names
from covr.compiler.lower.as_python import SourceWriter, Unsuitable
from covr.compiler.lower.facts import fact_of
from covr.compiler.lower.families import Family
from covr.compiler.lower.index_values import IndexValues
from covr.compiler.lower.keys import KeyPlan
from covr.compiler.lower.loop_members import OutOfSteps
from covr.compiler.lower.loops import Loops
from covr.compiler.lower.walk import Walk
from covr.frozen import frozen

FEWEST: Final = 24
"""Choices: for fewer, writing and compiling a function takes longer than the closures do."""


Columns: TypeAlias = "list[tuple[Sequence[int], Sequence[int] | None]]"
"""For all choices an item each, or -1, and the colours of these items, None if they have none; as often as needed."""

MOST_PADDED: Final = 2
"""Times as many items as there are, if places without an item count, are written side by side."""


@frozen
class FamilyRows:
    """For each choice of a family, in order, the items of a block that it belongs to.

    rows: items, increasing. which: for each choice the row that is its own; None if that is the row of its number.
    colours: for each row the colours of its items, 0 for none; None if no item has any.
    """

    rows: Sequence[Sequence[int]] = field(repr=False)
    which: Sequence[int] | None = field(repr=False)
    colours: Sequence[Sequence[int]] | None = field(default=None, repr=False)

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

    def side_by_side(self, numbering: Sequence[int]) -> Columns | None:
        """The first item of each choice, then the second of each, and so on, with -1 where there is none, by their
        numbers in the matrix; None if choices have very different numbers of items. numbering: as in `columns`."""
        widest = max(map(len, self.rows), default=0)
        if widest * len(self.rows) > MOST_PADDED * sum(map(len, self.rows)):
            return None
        number = [*numbering, -1].__getitem__
        made: Columns = []
        shades = zip_longest(*self.colours or (), fillvalue=0)
        for items in zip_longest(*self.rows, fillvalue=-1):
            own = self._of_choices(next(shades)) if self.colours else None
            made.append((self._of_choices(list(map(number, items))), own))
        return made

    def _of_choices(self, of_rows: Sequence[int]) -> Sequence[int]:
        return of_rows if self.which is None else list(map(of_rows.__getitem__, self.which))

    def columns(self, numbering: Sequence[int]) -> Sequence[Sequence[int]]:
        """The items of each choice by their numbers in the matrix. numbering: for each item of the block its number, or
        -1 for one that is left out. The numbers of a choice increase if those of the block do."""
        if isinstance(numbering, range) and numbering.start == 0:
            return self._each(self.rows)
        if -1 in numbering:
            return self._each([[n for n in map(numbering.__getitem__, row) if n >= 0] for row in self.rows])
        return self._each([list(map(numbering.__getitem__, row)) for row in self.rows])

    def coloured(self, numbering: Sequence[int], base: int) -> Sequence[Sequence[int]]:
        """The same with colours: each entry is the item's number times `base`, plus its colour."""
        colours = self.colours or [[0] * len(row) for row in self.rows]
        return self._each([
            [numbering[at] * base + colour for at, colour in zip(row, own, strict=True) if numbering[at] >= 0]
            for row, own in zip(self.rows, colours, strict=True)
        ])  # fmt: skip


@frozen
class SingleItems:
    """The same for choices that each belong to one item at most: item: for each choice its item, or -1 for none.

    It takes a third of the time to bring these into the matrix, and most rules are like this.
    """

    item: Sequence[int] = field(repr=False)
    colours: None = field(default=None, init=False, repr=False)

    def numbered(self, first: int) -> Iterator[tuple[int, Sequence[int]]]:
        """As `FamilyRows.numbered`."""
        return ((number, (at,) if at >= 0 else ()) for number, at in enumerate(self.item, first))

    def entries(self, left_out: Iterable[int] = ()) -> int:
        """As `FamilyRows.entries`."""
        return len(self.item) - self.item.count(-1) - sum([self.item[choice] >= 0 for choice in left_out])

    def side_by_side(self, numbering: Sequence[int]) -> Columns:
        """As `FamilyRows.side_by_side`."""
        if isinstance(numbering, range) and numbering.start == 0:
            return [(self.item, None)]
        return [(list(map([*numbering, -1].__getitem__, self.item)), None)]

    def columns(self, numbering: Sequence[int]) -> Sequence[Sequence[int]]:
        """As `FamilyRows.columns`."""
        rows = [(number,) if number >= 0 else () for number in (*numbering, -1)]
        return list(map(rows.__getitem__, self.item))

    def coloured(self, numbering: Sequence[int], base: int) -> Sequence[Sequence[int]]:
        """As `FamilyRows.coloured`."""
        rows = [(number * base,) if number >= 0 else () for number in (*numbering, -1)]
        return list(map(rows.__getitem__, self.item))


WholeRows = FamilyRows | SingleItems


class RuleRows:
    """A rule seen by one family.

    keys: of the rule's items, in order. walk: over the groups that a choice does not determine, under the rule's
    conditions. most: entries; beyond them the closures say that there are too many. guesses: see SourceWriter.
    """

    def __init__(
        self,
        plan: KeyPlan,
        keys: Sequence[tuple[Any, ...]],
        family: Family,
        walk: Walk,
        scope: Scope,
        most: int,
        guesses: bool = False,
    ) -> None:
        self._plan, self._keys, self._family, self._walk = plan, keys, family, walk
        self._conditions, self._scope, self._most = walk.conditions, scope, most
        self._used = self._used_indices()
        self._values = IndexValues.of(family, walk)
        self.writer = SourceWriter(plan.within(scope), self._values.combinations, guesses)
        if guesses and family.choices:
            self.writer.sample.update(zip(family.indices, family.choices[0], strict=True))

    def rows(self) -> WholeRows:
        """The rows. Raises Unsuitable or EvalFault if the closures must do it."""
        if not self._walk.levels and not self._conditions and set(self._plan.names) <= set(self._family.indices):
            return self._by_indices()
        for name in self._used:
            self.writer.bind(name, self.writer.noted("members", self._values.distinct((name,))[0], fact_of))
        return self._one_each() if not self._walk.levels else self._several_each()

    def _used_indices(self) -> tuple[str, ...]:
        """The indices of the family that the rule uses."""
        plan = self._plan
        used = set(plan.names).union(*(free_names(c) for c in self._conditions))
        used.update(*(g.uses for g in self._walk.groups), *map(free_names, plan.computed.values()))
        return tuple(n for n in self._family.indices if n in used)

    def _by_indices(self) -> SingleItems:
        """All keys are indices, and there is no condition."""
        names, positions = self._plan.names, self._positions()
        if list(names) == [n for n in self._family.indices if n in names] and self._values.is_product:
            distinct, which = self._values.distinct(names)
            items = list(map(positions.get, distinct, repeat(-1)))
            if which is None or items == list(range(len(items))):
                return SingleItems(items if which is None else which)
            return SingleItems(list(map(items.__getitem__, which)))
        return SingleItems(list(map(positions.get, self._values.projected(names), repeat(-1))))

    def _single(self, keys: Iterable[tuple[Any, ...]]) -> Iterable[Any]:
        """The keys; without the tuple around them, if each has one value."""
        return (key for (key,) in keys) if len(self._plan.names) == 1 else keys

    def _key(self) -> str:
        """The key of a binding, as source."""
        texts = []
        for name in self._plan.names:
            if name in self._plan.computed:
                texts.append(self.writer.value(self._plan.computed[name])[0])
            else:
                texts.append(self.writer.text(name))
        return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"

    def _pattern(self) -> str:
        texts = list(map(self.writer.text, self._used))
        return texts[0] if len(texts) == 1 else ", ".join(texts)

    def _positions(self) -> dict[Any, int]:
        return dict(zip(self._single(self._keys), range(len(self._keys)), strict=True))

    def _one_each(self) -> SingleItems:
        """A choice belongs to at most one item, because it determines all keys."""
        tests = [self.writer.condition(c) for c in self._conditions]
        item = f"at({self._key()}, -1)"
        if tests:
            item += f" if {' and '.join(tests)} else -1"
        if not self._used:
            raise Unsuitable
        lines = ["def made(choices, at):", f" return [{item} for {self._pattern()} in choices]"]
        made = self.writer.finished(lines)
        return SingleItems(made(self._values.projected(self._used), self._positions().get))

    def _several_each(self) -> FamilyRows:
        """A choice may belong to several items. Each combination of the indices used is looked at once."""
        if not self._used:
            raise Unsuitable
        distinct, which = self._values.distinct(self._used)
        loops = Loops(self._walk, self.writer, ordered=False, indent="  ", rounds=len(distinct))
        positions = self._positions()
        entry = f"(n := at({self._key()}, -1)) >= 0"
        if loops.subset and self._plan.names == (loops.subset,):
            entry = f"(n := {self.writer.constant(_Placed(loops.made, positions))}[t]) >= 0"
        enter = f"row += [n {loops.innermost} if {entry}]"
        if loops.through and self._plan.names == (loops.names[-1],):  # what has no item is no member of the set, too
            enter = f"row += map(at, {loops.through}, {self.writer.constant(repeat(-1))})"
        once = loops.no_repeats() and set(loops.names) <= set(self._plan.names)
        lines = [
            "def made(choices, at, most_steps, most_values, most):",
            " found = []",
            " steps = values = entries = 0",
            f" for {self._pattern()} in choices:",
            *([f"  if not ({loops.test}): found.append(()); continue"] if loops.test else []),
            "  row = []",
            *loops.lines,
            loops.indent + enter,
            *(["  if -1 in row: row = [n for n in row if n >= 0]"] if enter.startswith("row += map") else []),
            "  if len(row) > 1: row.sort()" if once else "  if len(row) > 1: row = sorted({*row})",
            "  found.append(row)",
            "  entries += len(row)",
            "  if entries > most: raise OutOfSteps",
            " return found, steps, values",
        ]
        self.writer.space["OutOfSteps"] = OutOfSteps
        made = self.writer.finished(lines)
        found, steps, _ = made(distinct, positions.get, *self._scope.budget.soon(), self._most)
        self._scope.budget.step(steps)
        return FamilyRows(found, which)


class _Placed(dict[tuple[Any, ...], int]):
    """The position of the item whose key is the set of some members in order, or -1."""

    def __init__(self, made: Mapping[tuple[Any, ...], Any], positions: Mapping[Any, int]) -> None:
        self._made, self._positions = made, positions

    def __missing__(self, ordered: tuple[Any, ...]) -> int:
        at = self[ordered] = self._positions.get(self._made[ordered], -1)
        return at


__all__ = ["FEWEST", "FamilyRows", "RuleRows", "SingleItems", "WholeRows"]
