"""A picture of characters as rows of cells, and the same picture written again.

What `grid`, `area` and `pieces` read, on squares and on the lattices of the plane. A cell is a text: a blank is `.`,
`#` in an `area` is outside, and None is a place where nothing stands, such as a space between pieces. Whatever is
written is read again and compared, so that a drawing is never written as something else: of hexagons, for example, the
first column can't be empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from covr.compiler.lattices.lattice import Lattice
from covr.compiler.lattices.square import SQUARE
from covr.compiler.lattices.table import LATTICES
from covr.dsl.text import dedent
from covr.frozen import frozen

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
    """The picture in a block of text. size: the rows and columns that the reader is told, if it is: one line may then
    hold the whole grid. Raises Undrawable for rows of unlike lengths."""
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
