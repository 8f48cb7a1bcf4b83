"""The sudokus in a file of OpenSudoku as lines that hold nothing else.

Such a file is XML, in which each `<game data="…"/>` holds a sudoku: 81 digits, or `version: 3` and for each square its
digit, its notes and whether it may be changed, with `|` between them. A digit that may be changed was written by a
solver, and is none of the puzzle. All else, such as names and times, is left out. The file is read line by line, and
need not be whole, so that records come as they are read and each fault has its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from covr.compiler.grids.places import Numbered

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
