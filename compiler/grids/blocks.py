"""Grids of several lines: in which layout they are written, and their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice, product
from typing import Any

from attrs import evolve, field, mutable

from covr.compiler.evaluate.limits import EvalFault
from covr.compiler.evaluate.values import Map, Set, Value
from covr.compiler.grids.symbols import (
    HEADER,
    OTHER_BLANKS,
    FoundGrid,
    Inline,
    Numbered,
    Symbols,
    Takes,
    decide_inline,
    find_symbols,
    is_ruling,
    longest,
    places_in,
)
from covr.dsl.diagnostics import Source, Span
from covr.frozen import frozen

# --- games -----------------------------------------------------------------------------------------------------------
# The sudokus in a file of OpenSudoku as lines that hold nothing else.
#
# Such a file is XML, in which each `<game data="…"/>` holds a sudoku: 81 digits, or `version: 3` and for each square
# its digit, its notes and whether it may be changed, with `|` between them. A digit that may be changed was written by
# a solver, and is none of the puzzle. All else, such as names and times, is left out. The file is read line by line,
# and need not be whole, so that records come as they are read and each fault has its place.


BEGINNING = re.compile(r"\ufeff?\s*<(?:\?xml|opensudoku)\b", re.ASCII)
DATA = re.compile(r"""\sdata\s{0,9}=\s{0,9}(?:"([^"]*)"?|'([^']*)'?)""", re.ASCII)
VERSION = re.compile(r"version:\s{0,9}[1-5](?:&#(?:10|xA);|\s)", re.ASCII | re.IGNORECASE)
SQUARES = 81
PARTS = (3, 4, 5)  # what is said of a square in one version or another; whether it may be changed comes last
# Characters. In a longer line a game does not keep its column, so that a file that is one line takes linear memory.
LONGEST = 1_000


def without_xml(lines: Iterable[Numbered]) -> Iterator[Numbered]:
    """The lines of a file; of one of OpenSudoku its games, each with the number of its line, at its place in it."""
    lines = iter(lines)
    for number, line in lines:
        if line.strip():
            read = _games if BEGINNING.match(line) else iter
            yield from read(chain([(number, line)], lines))
        else:
            yield number, line


def _games(lines: Iterable[Numbered]) -> Iterator[Numbered]:
    for number, line in lines:
        for found in DATA.finditer(line):
            data = found[1] if found[2] is None else found[2]
            column = found.start(1 if found[2] is None else 2)
            yield number, " " * (column if len(line) <= LONGEST else 0) + (_digits(data) or data or "?")


def _digits(data: str) -> str:
    """The given digits of a game that says more than these; empty for any other."""
    version = VERSION.match(data)
    if version is None:
        return ""
    parts = [part for part in data[version.end() :].split("|") if part]
    each, left = divmod(len(parts), SQUARES)
    if left or each not in PARTS:
        return ""
    squares = [parts[at : at + each] for at in range(0, len(parts), each)]
    return "".join(square[0] if square[-1] == "0" else "0" for square in squares)


# --- blocks ----------------------------------------------------------------------------------------------------------
# Collections with one row of a grid on each line, where grids are separated by blank lines or titles, or by nothing.
#
# Rulings and titles are skipped. In a file with `[Puzzle]` sections only these are read; other sections record how far
# somebody has got with solving the puzzle.


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
    whole: whether the sample is the whole file; if not, the last grid may be cut off. Symbols are found later."""
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


# --- shape -----------------------------------------------------------------------------------------------------------
# In which layout the grids of a file are written, decided from its first lines.


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


# --- one -------------------------------------------------------------------------------------------------------------
# A file that holds one grid, for a param: `-D clue=@puzzle.sdk`.


# A comment, on a line of its own or after something; but not a word that is just `#`, which a grid may contain.
COMMENT = re.compile(r"\s*#+\s*|\s*#+\s+\w.*|\s*#[A-Za-z].*")


def read_one(source: Source, rows: int, columns: int, takes: Takes) -> Map | None:
    """The only grid of a file; None if the reader `grid` must read the text instead, or say what is wrong with it.
    takes: which values the param takes. Raises EvalFault E307 for several grids."""
    wanted = ((n, line) for n, line in enumerate(source.text.split("\n"), 1) if not COMMENT.fullmatch(line))
    lines = list(without_xml(wanted))
    shape = decide(lines, rows, columns, takes, whole=True)
    if shape is None:
        return None
    found = list(islice(shape.read(iter(lines)), 1000))
    good = [f for f in found if f.places is not None]
    if len(good) > 1:
        begin = starts_of(source)[good[1].line - 1]
        many = f"{len(good)} grids" if len(found) < 1000 else "many grids"
        raise EvalFault.at(
            Span(source, begin, begin + len(good[1].lines[0][1])),
            "E307",
            f"this holds {many}, and one is wanted",
            help="the second begins here; `covr solve MODEL --each NAME=FILE` solves all of them",
        )
    return map_of(good[0], shape, columns, source, 1) if good and len(found) == 1 else None


def taken_beside(default: Callable[[], Value]) -> Takes:
    """Which values a param takes, as far as its default shows: only numbers, if the default contains numbers; and sets
    of digits, unless some of its numbers have several."""

    @cache
    def values() -> list[Value]:
        try:
            grid = default()
        except EvalFault:  # a default may fail if the params that it depends on have other values
            return []
        return list(grid.entries.values()) if isinstance(grid, Map) else []

    def takes(place: tuple[int, int], value: Value) -> bool:
        if type(value) is int:
            return True
        if isinstance(value, Set):
            return all(type(v) is not int or v < 10 for v in values())
        return not all(type(v) is int for v in values()) if values() else str(value) not in OTHER_BLANKS

    return takes


def map_of(found: FoundGrid, shape: Shape, columns: int, source: Source, first: int) -> Map:
    """A grid that was found, as a value. source: a text whose first line is line `first` of the file."""
    assert found.places is not None
    placed = {(k // columns + 1, k % columns + 1): place for k, place in enumerate(found.places())}
    entries = {key: shape.symbols.value(text) for key, (text, _, _) in placed.items()}
    starts: list[int] = []

    def origin(key: Any) -> Span:
        text, line, column = placed[key]
        if not starts:
            starts.extend(starts_of(source))
        start = starts[line - first] + column
        return Span(source, start, start + max(len(text), 1))

    return Map(
        {key: value for key, value in entries.items() if value is not None}, origin, (len(placed) // columns, columns)
    )


def starts_of(source: Source) -> list[int]:
    """The offset at which each line of a text begins."""
    starts = [0]
    for line in source.text.split("\n")[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    return starts
