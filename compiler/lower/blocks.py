"""The matrix in the making: for each statement a block of items, and for each choice the items that it reaches.

Items are numbered only when every statement has been read, because the items of rules that ask for something come
first. Until then an item is known by its block and its place in the block.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from covr.compiler.evaluate import EvalFault
from covr.compiler.lower.drafts import SideDraft
from covr.compiler.lower.families import Family
from covr.compiler.lower.lowered import ItemSource, Origins
from covr.compiler.lower.memberships import FamilyRows, WholeRows
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Agree, Forbid, Given, Statement

Bounds = tuple[int, int | None]
Entry = tuple[int, int, int]
"""A block, a place in it, and a colour, 0 for none."""
NOTHING: Bounds = (0, None)  # the bounds of an item that asks for nothing, and so is left out of the matrix


class MatrixDraft:
    """All blocks, rows and side conditions.

    choices: how many there are.
    rows: for each choice that has any its entries, each as block, place in the block, and colour (0 for none), but for
    those of `whole`.
    whole: the entries of whole families, by family and block; what is said of dropped choices does not count.
    blocks: what each block's items come from, and their bounds.
    sides: the side conditions, which are numbered last.
    dropped: the choices that do not become options, each with the statement that removes it.
    most: how many entries the matrix may have.
    additions: what is added to default names (default_names.py).
    """

    def __init__(
        self, choices: int, dropped: dict[int, Forbid | Agree | Given], most: int, additions: Mapping[int, str]
    ) -> None:
        self.choices = choices
        self.rows: defaultdict[int, list[Entry]] = defaultdict(list)
        self.whole: dict[str, dict[int, WholeRows]] = {}
        self.blocks: list[tuple[ItemSource, list[Bounds]]] = []
        self.sides: list[SideDraft] = []
        self.dropped = dropped
        self.most = most
        self.additions = additions
        self.entries = 0

    def begin(self, statement: Statement) -> Block:
        """A new block; it does not count before it is added."""
        return Block(self, statement)

    def add(self, block: Block, source: ItemSource) -> None:
        """Add the block that was begun last, now that it is complete. source: what its items come from."""
        for family, rows in block.whole.items():
            self.whole.setdefault(family, {})[len(self.blocks)] = rows
        self.blocks.append((source, block.bounds))
        self.entries = block.entries

    def numbered(self, options: int) -> tuple[list[Sequence[int]], Origins, list[int], list[int]]:
        """Item numbers for each block, primary items first (-1 for an item that asks for nothing), origins and bounds.

        options: how many there are; where there is no upper bound, this is it. Fast for a block whose items all have
        the same bounds; their numbers are then a range.
        """
        numbering: list[Sequence[int]] = [[-1] * len(bounds) for _, bounds in self.blocks]
        kinds = [frozenset(bounds) for _, bounds in self.blocks]
        runs: list[tuple[ItemSource, Sequence[int]]] = []
        low: list[int] = []
        high: list[int] = []
        for primary in (True, False):
            for block, (source, bounds) in enumerate(self.blocks):
                asked = {(lo, hi) for lo, hi in kinds[block] if (lo > 0) == primary and (lo, hi) != NOTHING}
                if not asked:
                    continue
                every = range(len(bounds))
                places = every if len(kinds[block]) == 1 else [at for at in every if bounds[at] in asked]
                numbers = range(len(low), len(low) + len(places))
                if len(kinds[block]) == 1:
                    numbering[block] = numbers
                else:
                    own = dict(zip(places, numbers, strict=True))
                    numbering[block] = [own.get(at, was) for at, was in enumerate(numbering[block])]
                low += [bounds[at][0] for at in places]
                high += [max(options, lo) if hi is None else hi for lo, hi in map(bounds.__getitem__, places)]
                runs.append((source, places))
        return numbering, Origins(runs, self.additions), low, high


class Block:
    """The items of one statement.

    bounds: of each item.  entries: how many the matrix has, this block's included.
    whole: the entries of whole families.
    """

    def __init__(self, draft: MatrixDraft, statement: Statement) -> None:
        self._most = draft.most
        self._rows = draft.rows
        self._dropped = draft.dropped
        self._number = len(draft.blocks)
        self._statement = statement
        self.bounds: list[Bounds] = []
        self.entries = draft.entries
        self.whole: dict[str, WholeRows] = {}

    @property
    def room(self) -> int:
        """How many more entries the matrix may have."""
        return self._most - self.entries

    def item(self, bounds: Bounds) -> int:
        """Add an item; returns its place in the block."""
        self.bounds.append(bounds)
        return len(self.bounds) - 1

    def enter(self, choice: int, reached: Sequence[int]) -> None:
        """Let a choice reach items, and count that. Raises EvalFault E422 if the matrix has too many entries."""
        self.entries += len(reached)
        if self.entries > self._most:
            raise self._too_large()
        number, row = self._number, self._rows[choice]
        for at in reached:
            row.append((number, at, 0))

    def enter_rows(self, family: Family, rows: WholeRows) -> None:
        """Let all choices of a family reach items, and count that. Raises EvalFault E422 as `enter` does."""
        first, size = family.first, len(family.choices)
        self.count(rows.entries([c - first for c in self._dropped if 0 <= c - first < size]))
        self.whole[family.name] = rows

    def enter_lists(self, families: Iterable[Family], reached: Mapping[int, Sequence[int]]) -> None:
        """Let choices reach items, which increase, without counting that. reached: by the number of the choice; none of
        them is dropped."""
        for family in families:
            own = range(family.first, family.first + len(family.choices))
            if not reached.keys().isdisjoint(own):
                self.whole[family.name] = FamilyRows([reached.get(choice, ()) for choice in own], None)

    def place(self, choice: int, at: int, colour: int = 0) -> None:
        """Let a choice reach an item, without counting that."""
        self._rows[choice].append((self._number, at, colour))

    def count(self, entries: int) -> None:
        """Count entries. Raises EvalFault E422 if the matrix has too many."""
        self.entries += entries
        if self.entries > self._most:
            raise self._too_large()

    def _too_large(self) -> EvalFault:
        message = f"the matrix has more than {self._most:,} entries"
        return EvalFault(Diagnostic("E422", message, self._statement.span))
