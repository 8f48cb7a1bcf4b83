"""In which layout the grids of a file are written, decided from its first lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from attrs import evolve

from covr.compiler.grids.blocks import Blocks, decide_blocks
from covr.compiler.grids.columns import decide_inline
from covr.compiler.grids.inline import Inline
from covr.compiler.grids.places import FoundGrid, Numbered, longest
from covr.compiler.grids.symbols import Takes, find_symbols

Shape = Inline | Blocks
# From how many grids the meaning of their characters is worked out.
ENOUGH = 100


def decide(
    sample: Sequence[Numbered], rows: int, columns: int, takes: Takes, whole: bool, column: str | None = None
) -> Shape | None:
    """The layout of grids of that size in a file that begins with the sample; None if no grid is found.

    whole: whether the sample is the whole file.  takes: which values the model takes.  column: the field of each line
    that is wanted, by its name or its number from 1. Time linear in the sample.
    """
    sample = [(number, line) for number, line in sample if len(line) <= longest(rows * columns)]
    inline = decide_inline(sample, rows, columns, column)
    all_inline = inline is not None and inline[1] >= sum(bool(line.strip()) for _, line in sample) - 1
    blocks = decide_blocks(sample, rows, columns, whole) if column is None and rows > 1 and not all_inline else None
    if inline is None and blocks is None:
        return None
    shape: Shape
    if inline is None or (blocks is not None and blocks[1] > inline[1]):
        assert blocks is not None
        shape = blocks[0]
    else:
        shape = inline[0]
    found = islice((f for f in shape.read(iter(sample)) if f.places is not None), ENOUGH)
    grids = [words for f in found for words in (words_of(f), list(f.solution or ""))]
    return evolve(shape, symbols=find_symbols(grids, columns, max(rows, columns), takes))


def words_of(found: FoundGrid) -> list[str]:
    """The texts at the places of a grid, row by row."""
    return [] if found.places is None else [text for text, _, _ in found.places()]
