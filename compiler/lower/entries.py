"""The rows of the matrix, one after another, from what is known of each choice's items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, compress, pairwise, repeat
from operator import add, not_
from typing import TypeVar

from covr.compiler.lower.blocks import Entry, MatrixDraft
from covr.compiler.lower.families import Family
from covr.compiler.lower.memberships import SingleItems

T = TypeVar("T")

Column = Sequence[Sequence[int]]
"""The items of one block that each option of a family has, increasing; for a family with colours, see `coloured` in
memberships.py."""


def entries_of(
    draft: MatrixDraft, families: Mapping[str, Family], numbering: Sequence[Sequence[int]]
) -> tuple[list[int], list[int], Sequence[int]]:
    """What a Problem needs of the options: `starts`, `members`, and `colours`, which are empty if there are none.

    numbering: for each block the numbers of its items in the matrix, -1 for one that is left out. Cost: linear; 0.1 µs
    for each entry of a family whose entries were all added at once, ten times that for other entries.
    """
    lengths: list[int] = []
    members: list[int] = []
    colours: list[int] = []
    for family in families.values():
        choices = range(family.first, family.first + len(family.choices))
        kept = list(map(not_, map(draft.dropped.__contains__, choices))) if draft.dropped else None
        options = len(choices) if kept is None else sum(kept)
        blocks, in_order = _sorted_blocks(draft.whole.get(family.name, {}), numbering)
        whole = [draft.whole[family.name][b] for b in blocks]
        scattered = [draft.rows.get(choice, ()) for choice in choices] if draft.rows else []
        single = [rows for rows in whole if isinstance(rows, SingleItems)]
        if in_order and len(single) == len(whole) > 0 and not any(scattered):
            _side_by_side(
                [_left(s.numbers(numbering[b]), kept) for b, s in zip(blocks, single, strict=True)], lengths, members
            )
            colours += repeat(0, len(members) - len(colours))
            continue
        base = 1 + max((max(map(max, filter(None, w.colours)), default=0) for w in whole if w.colours), default=0)
        coloured = base > 1
        columns: list[Column] = [
            _left(rows.coloured(numbering[b], base) if coloured else rows.columns(numbering[b]), kept)
            for b, rows in zip(blocks, whole, strict=True)
        ]
        if any(scattered):
            for run in _merged(columns, _left(scattered, kept), numbering, base):
                lengths.append(len(run))
                members += [i for i, _ in run]
                colours += [c for _, c in run]
            continue
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


def _side_by_side(columns: Sequence[Sequence[int]], lengths: list[int], members: list[int]) -> None:
    """Add options that each have one item of every column, or -1 for none there. The items of an option increase."""
    wide, options = len(columns), len(columns[0])
    entries = [0] * (wide * options)
    for at, column in enumerate(columns):
        entries[at::wide] = column
    short = [column for column in columns if -1 in column]
    if short:
        entries = [item for item in entries if item >= 0]
    sizes = [wide] * options
    for column in short:
        sizes = [size - (item < 0) for size, item in zip(sizes, column, strict=True)]
    lengths += sizes
    members += entries


def _sorted_blocks(blocks: Mapping[int, object], numbering: Sequence[Sequence[int]]) -> tuple[list[int], bool]:
    """The blocks in the order of their items, and whether items that are taken from them in this order increase."""
    used = {b: _used(numbering[b]) for b in blocks}
    order = sorted((b for b in used if used[b]), key=lambda b: used[b][0])
    steady = all(isinstance(used[b], range) or all(x < y for x, y in pairwise(used[b])) for b in order)
    return order, steady and all(used[b][-1] < used[c][0] for b, c in pairwise(order))


def _used(numbering: Sequence[int]) -> Sequence[int]:
    return numbering if isinstance(numbering, range) else [n for n in numbering if n >= 0]


def _merged(
    columns: Sequence[Column], scattered: Sequence[Sequence[Entry]], numbering: Sequence[Sequence[int]], base: int
) -> list[list[tuple[int, int]]]:
    """The items of each option with their colours, from the columns and from what was added choice by choice.
    base: as in `FamilyRows.coloured`; 1 if the columns have no colours."""
    runs = []
    for at, entries in enumerate(scattered):
        run = [(numbering[block][item], colour) for block, item, colour in entries]
        run += [divmod(entry, base) for column in columns for entry in column[at]]
        runs.append(sorted([entry for entry in run if entry[0] >= 0]))
    return runs


__all__ = ["entries_of"]
