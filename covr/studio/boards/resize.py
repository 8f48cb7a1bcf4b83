"""New boards, and boards of other sizes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import isqrt
from typing import Any

from attrs import evolve

from covr.dsl import syntax as s
from covr.dsl.service.document import Analysis, unchecked
from covr.inputs.as_link import kinds
from covr.inputs.library import find_source, gallery_names
from covr.studio.boards.layers import (
    LETTERS,
    Layer,
    Margin,
    Paths,
    PictureLayer,
    Spots,
    Walls,
    board_size,
    layers,
    spot_of,
)
from covr.studio.boards.sketch import BLANK, Sketch, Square, Undrawable, named, square_of
from covr.studio.body import Bad

# --- A board gets rows and columns, or loses them, at any of its sides: all of its layers together --------------------


MOST = 100  # rows or columns of a board
Sides = tuple[int, int, int, int]  # what is added at the top, the bottom, the left and the right; negative for less


def sides_of(how: Mapping[str, Any]) -> Sides:
    """What a request adds at each side."""
    found = [how.get(side, 0) for side in ("top", "bottom", "left", "right")]
    if not all(isinstance(x, int) and not isinstance(x, bool) and -MOST <= x <= MOST for x in found):
        raise Bad("rows and columns are whole numbers")
    return found[0], found[1], found[2], found[3]


def resized(layer: Layer, size: tuple[int, int], by: Sides) -> Layer:
    """A layer of a board that gets another size. Raises Undrawable for a board that is too small or too large."""
    high, wide = size[0] + by[0] + by[1], size[1] + by[2] + by[3]
    if not (1 <= high <= MOST and 1 <= wide <= MOST):
        raise Undrawable(f"a board has 1 to {MOST} rows and columns")
    if isinstance(layer, PictureLayer):
        return evolve(layer, canvas=_canvas(layer, size, by))
    if isinstance(layer, Margin):
        return _margin(layer, by)
    new = (high, wide)
    if isinstance(layer, Walls):
        moved = [(_moved(a, by, new), _moved(b, by, new), fields) for a, b, fields in layer.pairs]
        return evolve(layer, pairs=tuple((a, b, f) for a, b, f in moved if a and b))
    if isinstance(layer, Spots):
        return _spots(layer, by, new)
    return _paths(layer, by, new)


def _canvas(layer: PictureLayer, size: tuple[int, int], by: Sides) -> Sketch:
    canvas = layer.canvas
    if layer.role == "pieces":
        return canvas
    if not canvas.of_squares:
        raise Undrawable("only boards of squares get rows and columns")
    times = [
        2 if layer.doubled else _times(own, board) for own, board in zip((canvas.rows, canvas.cols), size, strict=True)
    ]
    if None in times:
        return canvas  # a grid of something else
    down, across = times[0] or 1, times[1] or 1
    top, bottom, left, right = by[0] * down, by[1] * down, by[2] * across, by[3] * across
    blank = BLANK if layer.role != "regions" else None
    rows = [_stretched(list(row), left, right, blank) for row in canvas.cells]
    empty: list[str | None] = [blank] * len(rows[0])
    grown = _stretched_rows(rows, top, bottom, empty)
    if blank is None:  # regions grow with the board
        grown = _filled(grown)
    return evolve(canvas, cells=tuple(map(tuple, grown)))


def _times(own: int, board: int) -> int | None:
    """How many rows of a grid there are to one of the board."""
    return 1 if abs(own - board) <= 1 else 2 if abs(own - 2 * board) == 1 else None


def _stretched(row: list[str | None], left: int, right: int, blank: str | None) -> list[str | None]:
    row = [*[blank] * left, *row] if left >= 0 else row[-left:]
    return [*row, *[blank] * right] if right >= 0 else row[:right]


def _stretched_rows(
    rows: list[list[str | None]], top: int, bottom: int, empty: list[str | None]
) -> list[list[str | None]]:
    rows = [*([*empty] for _ in range(top)), *rows] if top >= 0 else rows[-top:]
    return [*rows, *([*empty] for _ in range(bottom))] if bottom >= 0 else rows[:bottom]


def _filled(rows: list[list[str | None]]) -> list[list[str | None]]:
    """Rows in which each place without a region has that of the nearest one beside it."""
    while any(cell is None for row in rows for cell in row):
        before = [list(row) for row in rows]
        for r, row in enumerate(before):
            for c, cell in enumerate(row):
                near = [before[i][j] for i, j in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1))
                        if 0 <= i < len(before) and 0 <= j < len(row)]  # fmt: skip
                if cell is None:
                    rows[r][c] = next((one for one in near if one is not None), None)
        if rows == before:
            return [[BLANK if cell is None else cell for cell in row] for row in rows]
    return rows


def _margin(layer: Margin, by: Sides) -> Margin:
    sides = []
    for side, depth, clues in layer.sides:
        first, last = (by[0], by[1]) if side in ("left", "right") else (by[2], by[3])
        grown = _stretched(list(clues), first, last, layer.blank)
        sides.append((side, depth, tuple(clue or layer.blank for clue in grown)))
    return evolve(layer, sides=tuple(sides))


def _moved(square: Square, by: Sides, size: tuple[int, int]) -> Square | None:
    row, col = square[0] + by[0], square[1] + by[2]
    return (row, col) if 1 <= row <= size[0] and 1 <= col <= size[1] else None


def _paths(layer: Paths, by: Sides, size: tuple[int, int]) -> Paths:
    heads = len(layer.table.columns) - 1
    records = []
    for record in layer.table.records:
        squares = [square_of(word, layer.base) for word in record[heads:]]
        moved = [_moved(square, by, size) if square else None for square in squares]
        if all(moved):
            records.append((*record[:heads], *(named(square, layer.base) for square in moved if square)))
    return evolve(layer, table=layer.table.with_records(tuple(records)))


def _spots(layer: Spots, by: Sides, size: tuple[int, int]) -> Spots:
    columns, records = layer.table.columns, []
    for record in layer.table.records:
        square = spot_of(layer, record)
        if square is None:
            continue
        if layer.look == "margin":
            row = _beside(square[0], size[0] - by[0] - by[1], by[0], size[0])
            col = _beside(square[1], size[1] - by[2] - by[3], by[2], size[1])
            fields = {columns.index("row"): str(row), columns.index("column"): str(col)}
            kept = 0 <= row <= size[0] + 1 and 0 <= col <= size[1] + 1
        else:
            moved = _moved(square, by, size)
            kept = moved is not None
            fields = {} if moved is None else {columns.index("square"): named(moved, layer.base)}
        if kept:
            records.append(tuple(fields.get(at, field) for at, field in enumerate(record)))
    return evolve(layer, table=layer.table.with_records(tuple(records)))


def _beside(at: int, old: int, first: int, new: int) -> int:
    """A row or column where the margin stays the margin."""
    return 0 if at == 0 else new + 1 if at == old + 1 else at + first


# --- New puzzles: a model of the gallery with an empty board of the size that is wanted -------------------------------
# The board is the model's own, with as many rows and columns more or less, and nothing on it; params that say a size
# say the new one. Of the model's promises only `expect unique` stays: the others are about its own board.


Size = tuple[int, int]
PAIRS = (("h", "w"), ("high", "wide"), ("high", "round"), ("side", "long"))  # params that are rows and columns
SIDE = "n"  # a param that is both
# Models that say nothing on an empty board, or whose pieces are for one size: they begin with their own board.
OWN = frozenset({"compass", "round_trip", "mejilink", "symmetry_area", "edge_matching", "macmahon", "sudoku_x"})


def _read(name: str) -> Analysis:
    return unchecked(find_source(name))


@cache
def sizes() -> list[dict[str, Any]]:
    """The kinds of the gallery, each with its models: name, line, rows, columns, and whether these are equal; rows are
    0 without sizes. Reads all models."""
    return [
        {"kind": kind, "models": [{"name": name, "line": line, **_sized(name)} for name, line in lines.items()]}
        for kind, lines in kinds().items()
    ]


def _sized(name: str) -> dict[str, Any]:
    if name in OWN:
        return {"rows": 0, "cols": 0, "square": False}
    analysis = _read(name)
    found = [x for x in layers(analysis, {}) if not isinstance(x, tuple)]
    rows, cols = board_size(found)
    numbers = _numbers(analysis)
    if any(isinstance(x, PictureLayer) and x.role == "cells" for x in found) and not any(
        isinstance(x, PictureLayer) and x.role != "cells" for x in found
    ):
        rows, cols = 0, 0  # an area is drawn, and not made anew
    if not rows or not cols:
        rows, cols = next(((numbers[a], numbers[b]) for a, b in PAIRS if a in numbers and b in numbers), (0, 0))
        if not rows and SIDE in numbers:
            rows = cols = numbers[SIDE]
    square = bool(rows) and rows == cols and bool(_sides(numbers, (rows, cols), bool(found)))
    return {"rows": rows, "cols": cols, "square": square}


def _numbers(analysis: Analysis) -> dict[str, int]:
    return {
        x.name.id: x.value.value
        for x in analysis.statements
        if isinstance(x, s.Param) and isinstance(x.value, s.Number)
    }


def _sides(numbers: dict[str, int], size: Size, drawn: bool) -> dict[str, str]:
    """The params that say the side of a board that is a square, and how: `side`, `root`, `high` or `wide`."""
    side = size[0] if size[0] == size[1] else 0
    found = {}
    if numbers.get(SIDE) == side:
        found[SIDE] = "side"
    if "box" in numbers and numbers["box"] ** 2 == side:
        found["box"] = "root"
    if drawn and "high" in numbers and "wide" in numbers and numbers["high"] * numbers["wide"] == side:
        found |= {"high": "high", "wide": "wide"}
    return found


def fresh(name: str, rows: int, cols: int) -> str:
    """The text of a new puzzle. Raises Bad for a model that is none, Undrawable for a size that it can't have."""
    if name not in gallery_names():
        raise Bad("the gallery has no such model", 404)
    analysis = _read(name)
    text = analysis.source.text
    told = _sized(name)
    if not told["rows"]:
        return text
    if not (1 <= rows <= MOST and 1 <= cols <= MOST):
        raise Undrawable(f"a board has 1 to {MOST} rows and columns")
    if told["square"] and rows != cols:
        raise Undrawable("this board has as many rows as columns")
    found = layers(analysis, {})
    size = (told["rows"], told["cols"])
    edits = []
    for layer in found:
        if isinstance(layer, tuple):
            continue
        new = _emptied(resized(layer, size, (0, rows - size[0], 0, cols - size[1])))
        edits.append((layer.home.start, layer.home.end, new.home.text(new.lines())))
    drawn = any(not isinstance(x, tuple) for x in found)
    edits += _renumbered(analysis, size, (rows, cols), drawn)
    for statement in analysis.statements:
        if isinstance(statement, s.Expect) and (statement.kind != "unique" or statement.settings):
            span = statement.span
            edits.append((span.start, span.end, ""))
    for start, end, written in sorted(edits, reverse=True):
        text = text[:start] + written + text[end:]
    return text.rstrip() + "\n"


def _emptied(layer: Layer) -> Layer:
    """A layer on which nothing is drawn; of regions, the whole board is one."""
    if isinstance(layer, PictureLayer):
        if layer.role in ("pieces", "cells"):
            return layer
        sign = LETTERS[0] if layer.role == "regions" else BLANK
        cells = tuple(tuple(None if cell is None else sign for cell in row) for row in layer.canvas.cells)
        return evolve(layer, canvas=evolve(layer.canvas, cells=cells, words=False))
    if isinstance(layer, Walls):
        return evolve(layer, pairs=())
    if isinstance(layer, Paths | Spots):
        return evolve(layer, table=layer.table.with_records(()))
    assert isinstance(layer, Margin)
    return evolve(layer, sides=tuple((side, depth, (layer.blank,) * len(c)) for side, depth, c in layer.sides))


def _renumbered(analysis: Analysis, old: Size, new: Size, drawn: bool) -> list[tuple[int, int, str]]:
    """Edits that say the new size in the params that said the old one. Raises Undrawable."""
    numbers = _numbers(analysis)
    values: dict[str, int] = {}
    sides = _sides(numbers, old, drawn)
    for name, how in sides.items():
        side, root = new[0], isqrt(new[0])
        if how == "root" and root * root != side:
            raise Undrawable("the side of this board is a square number: 4, 9, 16 or 25")
        low = next(k for k in range(root, 0, -1) if side % k == 0)
        values[name] = {"side": side, "root": root, "high": low, "wide": side // low}[how]
    if not drawn and not sides:
        high, wide = next((a, b) for a, b in PAIRS if a in numbers and b in numbers)
        values = {high: new[0], wide: new[1]}
    edits = []
    for statement in analysis.statements:
        if isinstance(statement, s.Param) and statement.name.id in values:
            span = statement.value.span
            edits.append((span.start, span.end, str(values[statement.name.id])))
    return edits
