"""Collections of puzzles: files with many records, each the data of one param.

Three layouts are read; the first lines show which one a file has:

- headers: the file begins with a line such as `Grid 01`, and each record ends at the next such line;
- blocks: records of several lines, separated by blank lines; a file with one square block is one record;
- lines: one record per line; blank lines are left out.

A table that `covr make` wrote holds a record in the first field of each line, in quotes if it has several lines.

Grids of known size are read in many more layouts: see collection.py.

Comments (`# …`) are left out, whether on a line of their own or after a record, and so is a leading line that only says
how many records follow. Records are yielded as they are read, because a pipe may be endless.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from attrs import define, field

from covr.compiler.grids.places import HEADER

if TYPE_CHECKING:
    from covr.compiler.grids import FoundGrid

COMMENT = re.compile(r"\s*#+\s*$|\s*#+\s+\w.*|\s*#[A-Za-z].*")
BEHIND = re.compile(r"(?<!\s)\s++#.*$")  # tried once for each run of spaces, so in linear time
# Lines. No record has more: a file with no blank line among its first LOOK_AHEAD lines is read line by line.
LOOK_AHEAD = 256
# Characters. A first line that is only a number may itself be a record if the records after it are shorter than this.
SHORT_RECORD = 8
# Lines. Fewer lines than this are separate records, even if they have as many characters: `--each n=FILE` of 10, 11.
SMALLEST_SQUARE = 4


@define  # not frozen, since there are hundreds of thousands: three times as fast to make
class InputRecord:
    """A record. number: from 1.  line: the line of the file where its text begins, from 1.  name: its header, or empty.

    grid: the grid that was found, if records are grids of known size (see collection.py).
    """

    number: int
    line: int
    text: str = field(repr=False)
    name: str = ""
    grid: FoundGrid | None = field(default=None, repr=False, eq=False)


MADE = ("puzzle", "solution", "clues")  # the columns of a table of puzzles, to which others may be added

Numbered = tuple[int, str]
Reading = Callable[[Iterator[Numbered]], Iterator[tuple[int, str, str]]]


def read_records(lines: Iterable[str]) -> Iterator[InputRecord]:
    """The records of a collection. lines: with or without their newlines; read ahead by at most LOOK_AHEAD lines."""
    wanted = without_comments(lines)
    ahead = without_count(list(islice(wanted, LOOK_AHEAD)))
    yield from records_in(ahead, chain(ahead, wanted))


def records_in(ahead: list[Numbered], lines: Iterator[Numbered]) -> Iterator[InputRecord]:
    """The records of numbered lines, of which those in `ahead` are the first."""
    for number, (line, text, name) in enumerate(_reading([line for _, line in ahead])(lines), 1):
        yield InputRecord(number, line, text, name)


def of_made_table(lines: Iterator[str], lone: bool) -> tuple[Iterator[InputRecord] | None, Iterator[str]]:
    """The records of a table that `covr make` wrote, and the lines, if they are none; None if this is no such table.
    lone: whether records of one line each are left to who reads the lines. Reads one line ahead, and in a table two."""
    first = next(lines, None)
    if first is None or tuple(first.strip().split(",")[: len(MADE)]) != MADE:
        return None, lines if first is None else chain([first], lines)
    second = next(lines, "")
    if lone and second.count('"') % 2 == 0:
        return None, chain([first, second], lines)
    return _of_rows(chain([second], lines)), iter(())


def _of_rows(lines: Iterator[str]) -> Iterator[InputRecord]:
    rows = csv.reader(line.rstrip("\r\n") + "\n" for line in lines)
    number, begins = 0, 2
    for row in rows:
        if row:
            number += 1
            yield InputRecord(number, begins, row[0])
        begins = rows.line_num + 2


def without_comments(lines: Iterable[str]) -> Iterator[Numbered]:
    """The lines with their numbers, without comment lines."""
    rest = ((n, line.rstrip("\r\n")) for n, line in enumerate(lines, 1))
    return ((n, line) for n, line in rest if "#" not in line or not COMMENT.fullmatch(line))


def without_count(ahead: list[Numbered]) -> list[Numbered]:
    """The lines without a leading one that only holds a number."""
    filled = [i for i, (_, line) in enumerate(ahead) if line.strip()][:2]
    if len(filled) < 2:
        return ahead
    first, second = (ahead[i][1].strip() for i in filled)
    apart = filled[1] - filled[0] > 1
    if first.isdecimal() and len(first) < len(second) and (apart or len(second) > SHORT_RECORD):
        return ahead[filled[0] + 1 :]
    return ahead


def _reading(ahead: list[str]) -> Reading:
    """The layout of a file, judging by its first lines."""
    blocks = [block.split("\n") for block in re.split(r"\n(?:[ \t]*\n)+", "\n".join(ahead).strip("\n"))]
    first = blocks[0]
    if HEADER.fullmatch(first[0]):
        return _by_headers
    if len(blocks) == 1:
        return _by_blocks if _is_square(first) else _by_lines
    return _by_blocks if any(len(block) > 1 for block in blocks) else _by_lines


def _is_square(block: list[str]) -> bool:
    """Whether every line has as many cells as there are lines: then the block is one grid, not one record per line."""
    cells = {len(line.split()) if " " in line.strip() else len(line.strip()) for line in block}
    return len(block) >= SMALLEST_SQUARE and cells == {len(block)}


def _by_lines(lines: Iterator[Numbered]) -> Iterator[tuple[int, str, str]]:
    for number, line in lines:
        text = BEHIND.sub("", line).strip()
        if text:
            yield number, text, ""


def _by_blocks(lines: Iterator[Numbered]) -> Iterator[tuple[int, str, str]]:
    block: list[str] = []
    start = 0
    for number, line in chain(lines, [(0, "")]):
        if line.strip():
            start = start if block else number
            block.append(line)
        elif block:
            yield start, "\n".join(block), ""
            block = []


def _by_headers(lines: Iterator[Numbered]) -> Iterator[tuple[int, str, str]]:
    block: list[str] = []
    name, start = "", 0
    for number, line in chain(lines, [(0, "grid 0")]):
        if HEADER.fullmatch(line):
            if name:
                yield start, "\n".join(block).strip("\n"), name
            block, name, start = [], line.strip(), number + 1
        else:
            block.append(line)
