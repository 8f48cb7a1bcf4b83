"""Collections of puzzles: one file, many records, each the data of one param.

Three habits are read, told apart by looking at the first lines:

- headers: the file begins with a line such as `Grid 01`; each record goes to the next such line;
- blocks: records of several lines, separated by blank lines; a file of one square block is one record;
- lines: one record a line, blank lines left out.

Grids of known size are read in many more ways: see covr/collection.py.

Lines that are comments (`# …`), a comment behind a record on its line, and a leading line that only says how
many records follow are left out. Records come as they are read: a pipe may be endless.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from attrs import define, field

from covr.compiler.grids.places import HEADER

if TYPE_CHECKING:
    from covr.compiler.grids import FoundGrid

COMMENT = re.compile(r"\s*#+\s*$|\s*#+\s+\w.*|\s*#[A-Za-z].*")
BEHIND = re.compile(r"\s+#.*$")
# Lines. No record has more: a file without a blank line among its first so many lines is read line by line.
LOOK_AHEAD = 256
# Characters. A number alone on a line, before records that are shorter than this, may be a record itself.
SHORT_RECORD = 8
# Lines. Fewer lines than this are separate records, even if they have as many characters: `--each n=FILE` of 10, 11.
SMALLEST_SQUARE = 4


@define  # not frozen, since there are hundreds of thousands: three times as fast to make
class InputRecord:
    """number: from 1.  line: where its text begins in the file, from 1.  name: its header, or empty.

    grid: what was found there, where records are grids of known size (see covr/collection.py).
    """

    number: int
    line: int
    text: str = field(repr=False)
    name: str = ""
    grid: FoundGrid | None = field(default=None, repr=False, eq=False)


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


def without_comments(lines: Iterable[str]) -> Iterator[Numbered]:
    """The lines with their numbers, those that are comments left out."""
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
    """Which habit a file follows."""
    blocks = [block.split("\n") for block in re.split(r"\n(?:[ \t]*\n)+", "\n".join(ahead).strip("\n"))]
    first = blocks[0]
    if HEADER.fullmatch(first[0]):
        return _by_headers
    if len(blocks) == 1:
        return _by_blocks if _is_square(first) else _by_lines
    return _by_blocks if any(len(block) > 1 for block in blocks) else _by_lines


def _is_square(block: list[str]) -> bool:
    """Whether as many cells stand in every line as there are lines: one grid, not one record a line."""
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
