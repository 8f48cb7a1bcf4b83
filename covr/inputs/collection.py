"""Collections of puzzles: files with many records."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Collection as Names
from itertools import chain, islice

from attrs import define, field

from covr.compiler import Compiled, FromText
from covr.compiler.clues import grid_size
from covr.compiler.compiled import taken_by
from covr.compiler.evaluate import EvalFault
from covr.compiler.evaluate.values import Value
from covr.compiler.grids import FoundGrid, Shape, decide, without_xml
from covr.compiler.grids import Numbered as GridLine
from covr.compiler.grids.blocks import map_of

# --- Collections of puzzles: files with many records, each the data of one param --------------------------------------
from covr.compiler.grids.symbols import BEHIND, HEADER
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source, Span
from covr.faults import usage_error
from covr.frozen import frozen

# Three layouts are read; the first lines show which one a file has:
#
# - headers: the file begins with a line such as `Grid 01`, and each record ends at the next such line;
# - blocks: records of several lines, separated by blank lines; a file with one square block is one record;
# - lines: one record per line; blank lines are left out.
#
# A table that `covr make` wrote holds a record in the first field of each line, in quotes if it has several lines.
# Grids of known size are read in many more layouts (compiler/grids).
#
# Comments (`# …`) are left out, whether on a line of their own or after a record, and so is a leading line that only
# says how many records follow. Records are yielded as they are read, because a pipe may be endless.


COMMENT = re.compile(r"\s*#+\s*$|\s*#+\s+\w.*|\s*#[A-Za-z].*")
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
    """The records of a table that `covr make` wrote, or None, and the lines that are left. lone: whether records of one
    line each are left in the lines."""
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


# --- named records ---------------------------------------------------------------------------------------------------
# Collections whose records hold several params, each under its name, as `covr make` writes them:
#
#     across:
#     # # 16 .
#     down:
#     . 17 . .
#
# A record begins with `NAME:` and ends at a blank line. A value stands behind the colon, or in the lines below it, or
# in both. Within a record every line belongs to it, also one that begins with `#`; in front of a record that is a
# comment.


HEAD = re.compile(r"\s*([A-Za-z_]\w*)\s*:(.*)")


def named_records(lines: Iterable[str], path: str, names: Names[str]) -> Iterator[InputRecord]:
    """The records of a file, as they are read. names: of the model's params. Raises ModelErrors E504 if a record begins
    with another name."""
    number = start = 0
    block: list[str] = []
    for at, line in enumerate(chain((line.rstrip("\r\n") for line in lines), [""]), 1):
        if line.strip():
            if not block and COMMENT.fullmatch(line):
                continue
            if not block:
                start = at
                _check_head(line, path, names)
            block.append(line)
        elif block:
            number += 1
            yield InputRecord(number, start, "\n".join(block))
            block = []


def _check_head(line: str, path: str, names: Names[str]) -> None:
    found = HEAD.fullmatch(line)
    if found is None or found[1] not in names:
        listed = ", ".join(f"`{name}:`" for name in names)
        help = f"a record begins with a param ({listed}); or write --each NAME=FILE for records of one param"
        raise usage_error("E504", f"`{path}` holds no params under their names", help=help)


def named_values(record: InputRecord, path: str, names: Names[str]) -> dict[str, object]:
    """The params of a record, as data for the model. Raises ModelErrors E504 for a param that stands there twice."""
    found: dict[str, tuple[int, list[str]]] = {}
    last: list[str] = []
    for at, line in enumerate(record.text.split("\n"), record.line):
        head = HEAD.fullmatch(line)
        if head is None or head[1] not in names:
            last.append(line)
            continue
        if head[1] in found:
            source = Source(path, line, first=at)
            raise ModelErrors(
                [Diagnostic("E504", f"`{head[1]}` is set twice", Span(source, head.start(1), head.end(1)))]
            )
        last = [head[2].strip()]
        found[head[1]] = at, last
    return {name: _value(lines, path, at) for name, (at, lines) in found.items()}


def _value(lines: list[str], path: str, at: int) -> FromText:
    if len(lines) > 1 and not lines[0]:
        return FromText("\n".join(lines[1:]), path, plain=True, first=at + 1)
    return FromText("\n".join(lines), path, plain=True, first=at)


# --- collection ------------------------------------------------------------------------------------------------------
# The records of a file for one param: grids in all layouts that are in use, or records as above; or for several
# params, which stand there under their names.
#
# If the param is a grid of known size, the first lines of the file show how grids are laid out in it (see
# compiler/grids). Otherwise, or if no grid is found, the records are lines, blocks, or the texts under headers.


@frozen
class Collection:
    """The records of a file. name: the param's, empty where records name their params, which are `names`.  path: the
    file's, for messages.  shape: how grids are laid out in it; None for other records.  columns: the number of columns
    of the grids; 0 if records are not grids of known size."""

    name: str
    path: str
    records: Iterator[InputRecord]
    shape: Shape | None = None
    columns: int = 0
    names: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """How the file is read, in words; empty if that is not worth mentioning."""
        return "" if self.shape is None else "; ".join(self.shape.words)

    @property
    def word(self) -> Callable[[str], str]:
        """A function that maps a character of a grid to the word that it stands for."""
        return str if self.shape is None else self.shape.symbols.word

    def values(self, record: InputRecord) -> dict[str, object]:
        """A record as data for the model. Raises ModelErrors if it names a param twice."""
        if not self.name:
            return named_values(record, self.path, self.names)
        return {self.name: self.data(record)}

    def data(self, record: InputRecord) -> object:
        """A record as a value for the param."""
        found, shape = record.grid, self.shape
        if found is None or shape is None or found.places is None:
            return FromText(record.text, self.path, plain=True, first=record.line)
        source = Source(self.path, found.numbered_text, first=found.first)
        return map_of(found, shape, self.columns, source, found.first)

    def solution(self, record: InputRecord) -> dict[Value, Value] | None:
        """The solution that the file gives beside a record, as place → value; None if it gives none."""
        text = None if record.grid is None else record.grid.solution
        if text is None or self.shape is None:
            return None
        placed = ((k, self.shape.symbols.value(char)) for k, char in enumerate(text))
        return {(k // self.columns + 1, k % self.columns + 1): v for k, v in placed if v is not None}


def open_collection(
    compiled: Compiled, name: str, path: str, lines: Iterable[str], column: str | None, eager: bool
) -> Collection:
    """The records in the lines of a file. name: empty for records that name their params.  column: which field of each
    line to read, by its name or its number from 1.

    eager: do not read ahead if the first line alone shows the layout, so that typed lines are answered at once.
    Raises ModelErrors E504 if there is no such column.
    """
    if not name:
        names = tuple([name for name, *_ in compiled.parameters])
        made, lines = of_made_table(iter(lines), lone=False)
        return Collection("", path, named_records(lines, path, names) if made is None else made, names=names)
    try:
        size = grid_size(compiled, name)
    except EvalFault:
        size = None
    if column is None:
        made, lines = of_made_table(iter(lines), lone=size is not None)
        if made is not None:
            return Collection(name, path, made)
    if size is None:
        if column is not None:
            raise usage_error("E504", f"`{name}` is no grid of known size, so no column `{column}` is read for it")
        return Collection(name, path, read_records(lines))
    rows, columns = size
    wanted = without_xml(without_comments(lines))
    ahead, whole = _ahead(wanted, rows * columns, eager and column is None)
    ahead = without_count(ahead)
    shape = decide(ahead, rows, columns, taken_by(compiled, name), whole, column)
    if shape is None:
        if column is not None and ahead:
            what = f"no column `{column}` that holds grids of {rows} rows of {columns}"
            raise usage_error("E504", f"`{path}` has {what}", help="write --each NAME=FILE:COLUMN, its name or number")
        return Collection(name, path, records_in(ahead, chain(ahead, wanted)), None, columns)
    return Collection(name, path, _records(shape, chain(ahead, wanted)), shape, columns)


def _ahead(lines: Iterator[GridLine], size: int, eager: bool) -> tuple[list[GridLine], bool]:
    """The first lines, which show how a file is laid out, and whether they are all. size: places of a grid."""
    ahead: list[GridLine] = []
    for number, line in lines:
        ahead.append((number, line))
        if len(ahead) == LOOK_AHEAD:
            return ahead, False
        bare = line.strip()
        if bare:
            if eager and len(bare) == size and not bare.strip("0123456789."):
                return ahead, False
            eager = False
    return ahead, True


def _records(shape: Shape, lines: Iterator[GridLine]) -> Iterator[InputRecord]:
    for number, found in enumerate(shape.read(lines), 1):
        yield InputRecord(number, found.line, found.text, found.name, found)
