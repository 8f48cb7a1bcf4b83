"""The rows of the matrix, one after another, from what is known of each choice's items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain, compress, pairwise, repeat
from operator import add, not_
from typing import TypeVar

from covr.compiler.lower.blocks import Entry, MatrixDraft
from covr.compiler.lower.families import Family, OwnChoices
from covr.compiler.lower.memberships import Columns

T = TypeVar("T")

Column = Sequence[Sequence[int]]
"""The items of one block that each option of a family has, increasing; for a family with colours, see `coloured` in
memberships.py."""


def entries_of(
    draft: MatrixDraft, families: Iterable[Family | OwnChoices], numbering: Sequence[Sequence[int]]
) -> tuple[list[int], list[int], Sequence[int]]:
    """What a Problem needs of the options: `starts`, `members`, and `colours`, which are empty if there are none.

    numbering: for each block the numbers of its items in the matrix, -1 for one that is left out. Cost: linear; 0.1 µs
    for each entry of a family whose entries were all added at once, ten times that for other entries.
    """
    lengths: list[int] = []
    members: list[int] = []
    colours: list[int] = []
    for family in families:
        choices = range(family.first, family.first + len(family.choices))
        kept = list(map(not_, map(draft.dropped.__contains__, choices))) if draft.dropped else None
        options = len(choices) if kept is None else sum(kept)
        blocks, in_order = _sorted_blocks(draft.whole.get(family.name, {}), numbering)
        whole = [draft.whole[family.name][b] for b in blocks]
        scattered = [draft.rows.get(choice, ()) for choice in choices] if draft.rows else []
        side_by_side = (
            [rows.side_by_side(numbering[b]) for b, rows in zip(blocks, whole, strict=True)] if in_order else []
        )
        if side_by_side and all(side_by_side) and not any(scattered):
            _interleave(
                [column for columns in side_by_side for column in columns or ()], kept, lengths, members, colours
            )
            continue
        base = 1 + max((max(map(max, filter(None, w.colours)), default=0) for w in whole if w.colours), default=0)
        base = max(base, 1 + max([colour for entries in scattered for _, _, colour in entries], default=0))
        coloured = base > 1
        columns: list[Column] = [
            _left(rows.coloured(numbering[b], base) if coloured else rows.columns(numbering[b]), kept)
            for b, rows in zip(blocks, whole, strict=True)
        ]
        if any(scattered):
            columns.append(_entered(_left(scattered, kept), numbering, base))
            in_order = False
        sizes = [0] * options
        for column in columns:
            sizes = list(map(add, sizes, map(len, column)))
        lengths += sizes
        rows = zip(*columns, strict=True)
        if in_order:
            entries = list(chain.from_iterable(chain.from_iterable(rows)))
        else:
            entries = list(chain.from_iterable([sorted(chain.from_iterable(row)) for row in rows]))
        if coloured:
            colours += [entry % base for entry in entries]
            entries = [entry // base for entry in entries]
        members += entries
        colours += repeat(0, len(members) - len(colours))
    return [0, *accumulate(lengths)], members, colours if any(colours) else ()


def _left(column: Sequence[T], kept: Sequence[bool] | None) -> Sequence[T]:
    """What belongs to the choices that are kept; None for all."""
    return column if kept is None else list(compress(column, kept))


def _interleave(
    columns: Columns, kept: Sequence[bool] | None, lengths: list[int], members: list[int], colours: list[int]
) -> None:
    """Add options that each have one item of every column, or -1 for none there. The items of an option increase.
    kept: as in `_left`; lengths, members, colours: what is added to."""
    of_items = [_left(items, kept) for items, _ in columns]
    wide, options = len(columns), len(of_items[0])
    entries = [-1] * (wide * options)
    for at, items in enumerate(of_items):
        entries[at::wide] = items
    shades: list[int] = []
    if any(own is not None for _, own in columns):
        shades = [0] * (wide * options)
        for at, (_, own) in enumerate(columns):
            if own is not None:
                shades[at::wide] = _left(own, kept)
    sizes = [wide] * options
    if -1 in entries:
        for items in of_items:
            if -1 in items:
                sizes = [size - (item < 0) for size, item in zip(sizes, items, strict=True)]
        shades = [shade for shade, item in zip(shades, entries, strict=False) if item >= 0]
        entries = [item for item in entries if item >= 0]
    colours += repeat(0, len(members) - len(colours))
    colours += shades
    lengths += sizes
    members += entries
    colours += repeat(0, len(members) - len(colours))


def _sorted_blocks(blocks: Mapping[int, object], numbering: Sequence[Sequence[int]]) -> tuple[list[int], bool]:
    """The blocks in the order of their items, and whether items that are taken from them in this order increase."""
    used = {b: _used(numbering[b]) for b in blocks}
    order = sorted((b for b in used if used[b]), key=lambda b: used[b][0])
    steady = all(isinstance(used[b], range) or all(x < y for x, y in pairwise(used[b])) for b in order)
    return order, steady and all(used[b][-1] < used[c][0] for b, c in pairwise(order))


def _used(numbering: Sequence[int]) -> Sequence[int]:
    return numbering if isinstance(numbering, range) else [n for n in numbering if n >= 0]


def _entered(scattered: Sequence[Sequence[Entry]], numbering: Sequence[Sequence[int]], base: int) -> Column:
    """What was added choice by choice, as a column. base: as in `FamilyRows.coloured`; 1 if there are no colours."""
    found: list[Sequence[int]] = [()] * len(scattered)
    for at, entries in enumerate(scattered):
        if entries:
            numbered = [(numbering[block][item], colour) for block, item, colour in entries]
            found[at] = [item * base + colour for item, colour in numbered if item >= 0]
    return found


__all__ = ["entries_of"]
