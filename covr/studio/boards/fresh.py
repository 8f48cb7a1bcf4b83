"""New puzzles: a model of the gallery with an empty board of the size that is wanted.

The board is the model's own, with as many rows and columns more or less, and nothing on it; params that say a size say
the new one. Of the model's promises only `expect unique` stays: the others are about its own board.
"""

from __future__ import annotations

from functools import cache
from math import isqrt
from typing import Any

from attrs import evolve

from covr.dsl import syntax as s
from covr.dsl.service.document import Analysis, unchecked
from covr.inputs.kinds import kinds
from covr.inputs.library import find_source, gallery_names
from covr.studio.boards.layer import Layer, Margin, Paths, PictureLayer, Spots, Walls
from covr.studio.boards.layers import board_size, layers
from covr.studio.boards.resize import MOST, resized
from covr.studio.boards.sketch import BLANK, Undrawable
from covr.studio.boards.strokes import LETTERS
from covr.studio.body import Bad

Size = tuple[int, int]
PAIRS = (("h", "w"), ("high", "wide"), ("high", "round"), ("side", "long"))  # params that are rows and columns
SIDE = "n"  # a param that is both
# Models that say nothing on an empty board, or whose pieces are for one size: they begin with their own board.
OWN = frozenset({"compass", "round_trip", "mejilink", "symmetry_area", "edge_matching", "macmahon", "sudoku_x"})


def _read(name: str) -> Analysis:
    return unchecked(find_source(name))


@cache
def sizes() -> list[dict[str, Any]]:
    """The kinds of the gallery in order, each with its models: name, line, rows, columns and whether these are always
    equal; rows are 0 for a model that has no board whose size can be chosen. Time: that of reading all models."""
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
    """The params that are numbers."""
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
            span = analysis.span(statement.span)
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
            span = analysis.span(statement.value.span)
            edits.append((span.start, span.end, str(values[statement.name.id])))
    return edits
