"""Collections with one row of a grid on each line, where grids are separated by blank lines or titles, or by nothing.

Rulings and titles are skipped. In a file with `[Puzzle]` sections only these are read; other sections record how far
somebody has got with solving the puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, product

from attrs import field, mutable

from covr.compiler.grids.places import HEADER, FoundGrid, Numbered, is_ruling, longest, places_in
from covr.compiler.grids.symbols import Symbols
from covr.frozen import frozen

GAPS, TITLES, COUNT = "blank lines separate grids", "titles separate grids", "grids follow each other without a gap"
SECTION = re.compile(r"\s*\[\s*(\w[\w .-]*)\]\s*")
WORD = re.compile(r"[A-Za-z]{3}")
END = (0, "")
SAID = {TITLES: "there are blank lines inside grids", COUNT: "grids follow each other without a gap"}


@frozen
class Blocks:
    """The layout of a file with one row on each line.

    rows, columns: of the grid.  parted: what separates two grids, see above.  dashes: whether a line of dashes may be a
    row of blanks instead of a ruling.  spaces: whether a space may be a blank.  sections: whether the file has
    `[Puzzle]` sections.
    """

    rows: int
    columns: int
    parted: str
    dashes: bool = False
    spaces: bool = False
    sections: bool = False
    symbols: Symbols = field(factory=Symbols)

    @property
    def words(self) -> list[str]:
        """A description of the layout for users."""
        said = ["`[Puzzle]` sections"] if self.sections else []
        said += [SAID[self.parted]] if self.parted in SAID else []
        said += ["a space is blank"] if self.spaces else []
        return [*said, *self.symbols.words]

    def read(self, lines: Iterator[Numbered]) -> Iterator[FoundGrid]:
        """The grids in the lines, and whatever stands where a grid should be but is not one."""
        if self.sections:
            lines = _puzzle_sections(lines)
        block = _Block(self)
        gap = 0
        for number, line in chain(lines, [END]):
            end = number == 0
            blank = not line.strip() and not self._is_blank_row(line)
            if end or (blank and self.parted == GAPS) or (blank and self.parted == COUNT and gap):
                yield from block.close()
                block = _Block(self)
            gap = gap + 1 if blank else 0
            if blank or (is_ruling(line) and not (self.dashes and self.places(line))):
                continue
            title = is_title(line, self.columns)
            places = None if title else self.places(line)
            if places is None and (block.full or (block.found and (title or self.parted != GAPS))):
                yield from block.close()
                block = _Block(self)
            block.add(number, line, places is not None)
            if self.parted == COUNT and block.full:
                yield from block.close()
                block = _Block(self)

    def _is_blank_row(self, line: str) -> bool:
        """Whether a line of white space is a row: it has exactly enough spaces, or empty fields between tabs."""
        return (self.spaces and len(line) == self.columns) or 0 < line.count("\t") == self.columns - 1

    def places(self, line: str) -> list[tuple[str, int]] | None:
        """The places of a line, each with its column; None if the line is not a row of the grid."""
        return places_in(line, self.columns, self.spaces)


def is_title(line: str, columns: int) -> bool:
    """Whether a line consists of words rather than a row, even if it has the number of characters of a row."""
    if len(line) > longest(columns):
        return False
    words = columns < 10 and " " in line.strip() and WORD.search(line) is not None
    return words or SECTION.fullmatch(line) is not None or HEADER.fullmatch(line) is not None


def _puzzle_sections(lines: Iterator[Numbered]) -> Iterator[Numbered]:
    """The lines of `[Puzzle]` sections, with their titles."""
    inside = False
    for number, line in lines:
        section = SECTION.fullmatch(line)
        if section:
            inside = section[1].strip().lower() == "puzzle"
        if inside:
            yield number, line


@mutable
class _Block:
    """The lines of a grid while they are collected, and which of them are rows."""

    shape: Blocks
    lines: list[Numbered] = field(factory=list)
    is_row: list[bool] = field(factory=list)

    @property
    def found(self) -> int:
        return sum(self.is_row)

    @property
    def full(self) -> bool:
        return sum(self.is_row) == self.shape.rows

    def add(self, number: int, line: str, is_row: bool) -> None:
        self.lines.append((number, line))
        self.is_row.append(is_row)

    def close(self) -> Iterator[FoundGrid]:
        """What was found: a grid, a faulty one, or nothing if there are only words."""
        if not self.lines:
            return
        if not self.full or not self._together():
            if self.found or not all(WORD.search(line) or SECTION.fullmatch(line) for _, line in self.lines):
                yield self._faulty()
            return
        first = self.is_row.index(True)
        title = " ".join(line.strip() for _, line in self.lines[:first])
        rows = tuple(self.lines[first : first + self.shape.rows])
        shape = self.shape
        parts = [shape.places(line) or [] for _, line in rows]
        flat = shape.symbols.packed(text for row in parts for text, _ in row)

        def places() -> list[tuple[str, int, int]]:
            return [(text, n, at) for (n, line) in rows for text, at in shape.places(line) or []]

        yield FoundGrid(rows[0][0], _section_left_out(title), rows, flat, None, places)

    def _together(self) -> bool:
        """Whether the rows stand on consecutive lines."""
        first = self.is_row.index(True)
        return all(self.is_row[first : first + self.shape.rows])

    def _faulty(self) -> FoundGrid:
        """A faulty grid: the lines as they are, without a title before them."""
        lines = list(self.lines)
        title = ""
        if len(lines) > 1 and not self.is_row[0] and is_title(lines[0][1], 0 if WORD.search(lines[0][1]) else 99):
            title = lines.pop(0)[1].strip()
        return FoundGrid(lines[0][0], _section_left_out(title), tuple(lines))


def _section_left_out(title: str) -> str:
    return "" if SECTION.fullmatch(title) else title[:80]


def decide_blocks(sample: Sequence[Numbered], rows: int, columns: int, whole: bool) -> tuple[Blocks, int] | None:
    """The layout of grids with one row on each line, and how many there are in the sample; None if none is found.

    whole: whether the sample is the whole file; if not, the last grid may be cut off. Symbols are found later.
    """
    sections = any((m := SECTION.fullmatch(line)) and m[1].strip().lower() == "puzzle" for _, line in sample)
    best: tuple[int, Blocks, int] | None = None
    for spaces, dashes, parted in product((False, True), (False, True), (GAPS, TITLES, COUNT)):
        if spaces and best is not None:
            break
        shape = Blocks(rows, columns, parted, dashes, spaces, sections)
        found = list(shape.read(iter(sample)))
        if not whole and found and found[-1].places is None:
            del found[-1]
        good = sum(f.places is not None for f in found)
        score = 2 * good - len(found)
        if good and (best is None or score > best[0]):
            best = (score, shape, good)
    return None if best is None else best[1:]
