"""Collections with a grid on each line, alone or beside other words: a name, a rating, a solution.

The grid is the first run of exactly as many characters as it has places. In a line without such a run, it is that many
words, fields of a table, or characters with spaces between them. If a line has several such runs, the one with blanks
is the puzzle, and one without blanks that agrees with it everywhere is its solution.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import partial

from attrs import field

from covr.compiler.grids.places import CELLS, FoundGrid, Numbered, Place, longest, places_in
from covr.compiler.grids.symbols import Symbols
from covr.frozen import frozen

RUN, PLACES, SPACES = "a run of characters", "words or fields", "spaces are blanks"
BEHIND = re.compile(r"(?<!\s)\s++#.*$")  # a comment after a grid; tried once for each run of spaces
MOST_NAMES = 12  # how many fields of a line are named to the user


@frozen
class Inline:
    """The layout of a file with a grid on each line.

    rows, columns: of the grid.  kind: how its places are written in a line.  pick, solution: which of the runs of a
    line, counted from 0, the puzzle and its solution are.  asked: the separator and the number (from 0) of the field
    that the user asked for, which replaces `pick`.
    fields: words that tell the user what the fields of a line are.  header: the number of a first line that names them,
    or 0.  doubt: what else the file might mean.
    """

    rows: int
    columns: int
    kind: str
    symbols: Symbols = field(factory=Symbols)
    pick: int = 0
    solution: int | None = None
    asked: tuple[str, int] | None = None
    fields: tuple[str, ...] = ()
    header: int = 0
    doubt: str = ""
    _run: re.Pattern[str] = field(init=False, repr=False, eq=False)

    @_run.default
    def _runs(self) -> re.Pattern[str]:
        return run_of(self.rows * self.columns)

    @property
    def words(self) -> list[str]:
        """A description of the layout for users; empty if each line holds a grid and nothing else."""
        said = []
        if len(self.fields) > 1:
            more = ["…"] if len(self.fields) > MOST_NAMES else []
            said.append("each line: " + ", ".join([*self.fields[:MOST_NAMES], *more]))
        if self.header:
            said.append(f"line {self.header} is a header")
        if self.kind == SPACES:
            said.append("a space is blank, and lines are filled up with them")
        return [*said, *self.symbols.words, *([self.doubt] if self.doubt else [])]

    def read(self, lines: Iterator[Numbered]) -> Iterator[FoundGrid]:
        """The grid of each line that is not blank; a line without one is yielded as a grid that does not fit."""
        size, symbols = self.rows * self.columns, self.symbols
        whole = self.kind == RUN and self.asked is None and self.pick == 0
        for number, line in lines:
            bare = line.strip()
            if not bare:
                continue
            if whole and len(bare) == size and not symbols.wide and len(bare.split(None, 1)) == 1:
                places = partial(_places_of, bare, number, len(line) - len(line.lstrip()))
                yield FoundGrid(number, "", ((number, line),), symbols.flat(bare), None, places)
            elif len(line) > longest(size):
                yield FoundGrid(number, "", ((number, line),))
            elif number != self.header:
                yield self._found(number, line)

    def _found(self, number: int, line: str) -> FoundGrid:
        if "#" in line:
            line = BEHIND.sub("", line)
        whole = ((number, line),)
        if self.kind == RUN and self.asked is None:
            runs = [(m[0], m.start()) for m in self._run.finditer(line)]
            if not runs:
                return FoundGrid(number, "", whole)
            text, at = runs[min(self.pick, len(runs) - 1)]
            beside = None
            if self.solution is not None and self.solution < len(runs) and len(runs) > self.pick:
                beside = self.symbols.flat(runs[self.solution][0])
            return FoundGrid(number, "", whole, self.symbols.flat(text), beside, partial(_places_of, text, number, at))
        places = self.places(line)
        if places is None:
            return FoundGrid(number, "", whole)
        flat = self.symbols.packed(text for text, _ in places)
        numbered = [(text, number, column) for text, column in places]
        return FoundGrid(number, "", whole, flat, None, lambda: numbered)

    def places(self, line: str) -> list[Place] | None:
        """The places of the grid in a line; None if it holds no grid."""
        size, offset = self.rows * self.columns, 0
        if self.asked is not None:
            parts = fields_of(line, self.asked[0])
            if self.asked[1] >= len(parts):
                return None
            line, offset = parts[self.asked[1]]
        if self.kind == SPACES:
            line = line.rstrip("\r\n")
            if not line.strip() or len(line) > size or (self.asked is not None and len(line) != size):
                return None
            return [(char.strip(), offset + at) for at, char in enumerate(line.ljust(size))]
        found = self._run.search(line)
        if self.kind == RUN and found is not None:
            return [(char, offset + found.start() + at) for at, char in enumerate(found[0])]
        places = places_in(line, size)
        return None if places is None else [(text, offset + at) for text, at in places]


def _places_of(text: str, line: int, column: int) -> list[tuple[str, int, int]]:
    """The places of a run of characters."""
    return [(char, line, column + at) for at, char in enumerate(text)]


def run_of(size: int) -> re.Pattern[str]:
    """A pattern for a run of exactly `size` places."""
    return re.compile(f"(?<![{CELLS}])[{CELLS}]{{{size}}}(?![{CELLS}])")


def fields_of(line: str, separator: str) -> list[tuple[str, int]]:
    """The fields of a line, without quotes, each with the column where it begins. separator: a space means any number
    of spaces."""
    if separator == " ":
        return [(m[0].strip("\"'"), m.start() + (m[0][0] in "\"'")) for m in re.finditer(r"\S+", line)]
    parts = line.split(separator)
    if '"' in line:
        try:
            parts = next(csv.reader([line], delimiter=separator, skipinitialspace=True))
        except csv.Error:
            parts = line.split(separator)
    found, at = [], 0
    for part in parts:
        begin = line.find(part, at) if part else at
        begin = max(begin, 0)
        found.append((part, begin))
        at = begin + len(part) + 1
    return found
