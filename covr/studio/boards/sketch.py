"""The texts of layers: pictures of characters, and the lines of tables and lists."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from attrs import evolve

from covr.compiler.evaluate.table_readers import COMMENT, csv_fault
from covr.compiler.lattices import LATTICES, SQUARE, Lattice
from covr.dsl.lexer import dedent
from covr.frozen import frozen

# --- A picture of characters as rows of cells, and the same picture written again -------------------------------------
# What `grid`, `area` and `pieces` read, on squares and on the lattices of the plane. A cell is a text: a blank is `.`,
# `#` in an `area` is outside, and None is a place where nothing stands, such as a space between pieces. Whatever is
# written is read again and compared, so that a drawing is never written as something else: of hexagons, for example,
# the first column can't be empty.


Cells = tuple[tuple[str | None, ...], ...]

BLANK = "."
BLANKS = (".", "_")
OUTSIDE = "#"  # in an `area`
INDENT = "  "  # before each line of a block


class Undrawable(Exception):
    """A drawing that can't be written; its text says why, in a sentence for people."""


@frozen
class Sketch:
    """A picture. cells: its rows, all equally long.  words: whether its places are written as words, with spaces."""

    reader: str
    lattice: str
    cells: Cells
    words: bool = False

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return len(self.cells)

    @property
    def cols(self) -> int:
        """How many columns it has."""
        return len(self.cells[0]) if self.cells else 0

    @property
    def of_squares(self) -> bool:
        """Whether its cells are squares."""
        return self.lattice == SQUARE.name

    def holds(self, row: int, col: int) -> bool:
        """Whether the board has a place there, from 1, on which a cell may be."""
        if not (1 <= row <= self.rows and 1 <= col <= self.cols):
            return False
        return self.of_squares or self._on(row, col)

    def _on(self, row: int, col: int) -> bool:
        lattice = lattice_of(self.lattice)
        if not lattice.holds((row, col)):
            return False
        first = next(
            ((r, c) for r, line in enumerate(self.cells, 1) for c, cell in enumerate(line, 1) if cell is not None),
            (row, col),
        )
        return lattice.separate((row, col)) == lattice.separate(first)


def lattice_of(name: str) -> Lattice:
    """The lattice of that name."""
    return LATTICES[name]


def read_sketch(block: str, reader: str, lattice: str = "square", size: tuple[int, int] | None = None) -> Sketch:
    """The picture in a block of text. size: the rows and columns if the reader names them: one line may then hold the
    grid. Raises Undrawable."""
    lines = block.split("\n")
    if reader == "grid" and lattice == "square":
        return _grid([line for line in lines if line.strip()], size)
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1].strip():
        del lines[-1]
    if any("\t" in line for line in lines):
        raise Undrawable("a tab has no width in a picture")
    wide = max(map(len, lines), default=0)
    rows = []
    for r, line in enumerate(lines, 1):
        row: list[str | None] = []
        for c, sign in enumerate(line.ljust(wide), 1):
            held = lattice == "square" or lattice_of(lattice).holds((r, c))
            row.append(None if sign == " " or not held else BLANK if sign in BLANKS else sign)
        rows.append(tuple(row))
    return Sketch(reader, lattice, tuple(rows))


def _grid(lines: Sequence[str], size: tuple[int, int] | None) -> Sketch:
    split = [line.split() for line in lines]
    words = any(len(line) > 1 for line in split)
    rows = split if words else [list("".join(line)) for line in split]
    if size is not None:
        high, wide = size
        flat = [list("".join(line)) for line in split]
        if len(rows) == 1 and high > 1:
            one = rows[0] if len(rows[0]) == high * wide else flat[0]
            rows = [one[at : at + wide] for at in range(0, len(one), wide)]
        else:
            rows = [row if len(row) == wide or len(f) != wide else f for row, f in zip(rows, flat, strict=True)]
    if len({len(row) for row in rows}) > 1:
        raise Undrawable("its rows are of unlike lengths")
    return Sketch("grid", "square", tuple(tuple(BLANK if c in BLANKS else c for c in row) for row in rows), words)


def write_sketch(canvas: Sketch) -> list[str]:
    """The lines of a picture. Raises Undrawable for one that would be read as something else."""
    if not any(cell not in (None, OUTSIDE) for row in canvas.cells for cell in row):
        raise Undrawable("a board has at least one cell")
    lines = _lines(canvas)
    block = dedent("\n" + "\n".join(INDENT + line for line in lines) + "\n")[0]
    size = (canvas.rows, canvas.cols) if canvas.reader == "grid" and canvas.of_squares else None
    if _settled(read_sketch(block, canvas.reader, canvas.lattice, size)).cells != _settled(canvas).cells:
        raise Undrawable("written like this, the board would lie elsewhere: leave a cell in its first row and column")
    return lines


def _settled(canvas: Sketch) -> Sketch:
    """A picture without the empty rows and columns at its ends, which are not read."""
    if canvas.of_squares and canvas.reader == "area":
        return evolve(canvas, cells=tuple(tuple(OUTSIDE if c is None else c for c in row) for row in canvas.cells))
    if canvas.of_squares and canvas.reader != "pieces":
        return canvas
    rows = list(canvas.cells)
    while rows and not any(cell is not None for cell in rows[-1]):
        rows.pop()
    wide = max((c for row in rows for c, cell in enumerate(row, 1) if cell is not None), default=0)
    return Sketch(canvas.reader, canvas.lattice, tuple(row[:wide] for row in rows))


def _lines(canvas: Sketch) -> list[str]:
    if canvas.reader == "grid" and canvas.of_squares:
        return _grid_lines(canvas)
    if canvas.of_squares and canvas.reader == "area":
        return ["".join(OUTSIDE if cell is None else cell for cell in row) for row in canvas.cells]
    settled = _settled(canvas).cells
    lines = [[" " if cell is None else cell for cell in row] for row in settled]
    if canvas.lattice == "sticks":
        lines = _with_corners(lines)
    return ["".join(line).rstrip() for line in lines]


def _with_corners(lines: list[list[str]]) -> list[list[str]]:
    """A picture of sticks with `+` at their ends."""
    sticks = {(r, c) for r, line in enumerate(lines, 1) for c, sign in enumerate(line, 1) if sign != " "}
    corners = {end for r, c in sticks for end in (((r, c - 1), (r, c + 1)) if r % 2 else ((r - 1, c), (r + 1, c)))}
    high, wide = (max(part) for part in zip(*(sticks | corners), strict=True))
    return [
        ["+" if (r, c) in corners else lines[r - 1][c - 1] if (r, c) in sticks else " " for c in range(1, wide + 1)]
        for r in range(1, high + 1)
    ]


def _grid_lines(canvas: Sketch) -> list[str]:
    texts = [[BLANK if cell is None else cell for cell in row] for row in canvas.cells]
    wide = max((len(cell) for row in texts for cell in row), default=1)
    for row in texts:
        for cell in row:
            if not cell or any(sign.isspace() for sign in cell) or '"""' in cell or "\0" in cell:
                raise Undrawable("a clue has no spaces")
    if wide == 1 and not canvas.words:
        return ["".join(row) for row in texts]
    if canvas.cols == 1:
        if wide == 1:
            return ["".join(row) for row in texts]
        raise Undrawable("in a board of one column, a clue has one character")
    return [" ".join(cell.rjust(wide) for cell in row) for row in texts]


def put(canvas: Sketch, changes: dict[tuple[int, int], str | None]) -> Sketch:
    """The picture with other cells at some places, from 1; those that it has no place for are left out."""
    cells = [list(row) for row in canvas.cells]
    for (row, col), cell in changes.items():
        if 1 <= row <= canvas.rows and 1 <= col <= canvas.cols:
            cells[row - 1][col - 1] = cell
    return Sketch(canvas.reader, canvas.lattice, tuple(map(tuple, cells)), canvas.words)


# --- The lines of a table or list, and how squares are named in them --------------------------------------------------
# A table is written a record to a line. Where its squares are numbers, 34 is row 3 and column 4, or 304 where the
# numbers have three digits.


Square = tuple[int, int]

DECIMAL = 10  # what the row of a square is multiplied by in its number, on boards of up to nine columns
LONG = 100  # the same on larger boards


@frozen
class Table:
    """A table as it is written. columns: their names.  many: whether the last takes the rest.  header: whether the
    first line names them.  comma: between fields.  raw: the line of each record; "" if new."""

    columns: tuple[str, ...]
    many: bool
    header: bool
    comma: bool
    records: tuple[tuple[str, ...], ...]
    raw: tuple[str, ...] = ()

    def with_records(self, records: tuple[tuple[str, ...], ...]) -> Table:
        """The table with other records; those that stay keep how they are written, as long as as many stand there."""
        kept = dict(zip(self.records, self.raw, strict=False))
        raw = tuple(
            kept.get(record) or (self.raw[at] if len(records) == len(self.records) and at < len(self.raw) else "")
            for at, record in enumerate(records)
        )
        return Table(self.columns, self.many, self.header, self.comma, records, raw)

    def place(self, name: str) -> int:
        """Which column has that name."""
        return self.columns.index(name)


def read_table(block: str, columns: Sequence[str], comma: bool) -> Table:
    """The table in a block. columns: as the reader names them, or none if the first line does. Raises Undrawable."""
    raw = [] if comma else [line.strip() for line in block.split("\n") if line.strip()]
    if comma:
        if any(map(COMMENT.match, block.split("\n"))):
            raise Undrawable("lines of comment would be lost")
        try:
            lines = [list(map(str.strip, row)) for row in csv.reader(io.StringIO(block)) if any(map(str.strip, row))]
        except csv.Error as fault:
            raise Undrawable(f"this is not csv: {csv_fault(fault)}") from None
    else:
        lines = [line.split() for line in block.split("\n") if line.strip()]
    header = not columns
    if header:
        columns, lines, raw = (lines[0], lines[1:], raw[1:]) if lines else ([], [], [])
    names = tuple(name.removesuffix("…").removesuffix("...") for name in columns)
    many = bool(columns) and names[-1] != columns[-1]
    return Table(names, many, header, comma, tuple(map(tuple, lines)), tuple(raw))


def write_table(table: Table) -> list[str]:
    """Its lines, with the columns below each other. Raises Undrawable for a field that can't be written."""
    names = [*table.columns[:-1], table.columns[-1] + ("…" if table.many else "")]
    rows = [*([names] if table.header else []), *table.records]
    if any(
        '"""' in field or "\n" in field or (not table.comma and field.split() != [field]) for r in rows for field in r
    ):
        raise Undrawable("a field has no spaces")
    if table.comma:
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows(rows)
        return out.getvalue().splitlines()
    aligned = len(table.columns) - (1 if table.many else 0)
    wide = [max((len(row[at]) for row in rows if at < len(row)), default=0) for at in range(aligned)]
    raw = [*([""] if table.header else []), *table.raw]
    return [
        _respaced(raw[number] if number < len(raw) else "", row)
        or " ".join(field.ljust(wide[at]) if at < aligned else field for at, field in enumerate(row)).rstrip()
        for number, row in enumerate(rows)
    ]


def _respaced(raw: str, record: Sequence[str]) -> str:
    """A record in the layout of another line with as many fields; empty if there is none."""
    places = [found.span() for found in re.finditer(r"\S+", raw)]
    if len(places) != len(record):
        return ""
    line = ""
    for (start, _), field in zip(places, record, strict=True):
        line = line.ljust(start) + (" " if line and start <= len(line) else "") + field
    return line


def square_of(number: str, base: int) -> Square | None:
    """The square that a number names; None if it names none."""
    if not number.isascii() or not number.isdigit():
        return None
    row, col = divmod(int(number), base)
    return (row, col) if row and col else None


def named(square: Square, base: int) -> str:
    """The number of a square. Raises Undrawable if it has none."""
    row, col = square
    if not (0 < col < base and row > 0):
        raise Undrawable(f"row {row}, column {col} has no number where 34 is row 3, column 4")
    return str(row * base + col)
