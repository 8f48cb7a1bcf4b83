"""A sudoku with all that setters add to it: the layers of its board, and the params of its model from them.

Beside `clue` and `region`, layers of cells as ever, each layer is a table: its places are the numbers (1,), (2,), … of
its records, and a record is a tuple in the order of the model's columns, in which cells are (row, column).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from typing import Any

from covr.links.board import Board, Cell, Place, Value
from covr.links.choices import numbers
from covr.links.kind import Kind
from covr.links.values import grid, room_name

LARGEST = 31  # the longest side of a sudoku that is read
NO_NUMBER = "."  # in place of the number of a record that has none

# The columns of each table: what is a cell, and what is a list of cells or digits, must be known.
TABLES: Mapping[str, tuple[str, ...]] = {
    "line": ("kind", "number", "squares"),
    "cage": ("sum", "squares"),
    "extra": ("squares",),
    "pair": ("kind", "number", "first", "second"),
    "never": ("kind", "number"),
    "mark": ("kind", "square"),
    "few": ("square", "digits"),
    "quadruple": ("square", "digits"),
    "outside": ("kind", "number", "row", "column"),
    "everywhere": ("rule",),
}
_CELLS = frozenset({"square", "first", "second"})


def records(board: Board, table: str) -> list[tuple[Any, ...]]:
    """The records of a table, in order."""
    found: Mapping[Place, Any] = board.layer(table)
    return [found[place] for place in sorted(found)]


def table_layer(found: list[tuple[Any, ...]]) -> dict[Place, Value]:
    """Records as a layer."""
    return {(number,): record for number, record in enumerate(found, 1)}


def box_size(side: int) -> tuple[int, int]:
    """Rows and columns of a box: as nearly square as they can be, and not higher than wide."""
    high = next(h for h in range(isqrt(side), 0, -1) if side % h == 0)
    return high, side // high


def usual_region(side: int, cell: Cell) -> int:
    """The number of the box in which a cell lies, from 0."""
    high, wide = box_size(side)
    return (cell[0] - 1) // high * (side // wide) + (cell[1] - 1) // wide


def _params(board: Board) -> dict[str, Any]:
    def number(cell: Cell) -> int:
        return cell[0] * (10 if board.height < 10 else 100) + cell[1]

    def field(column: str, value: Any) -> Any:
        if column == "squares":
            return [number(cell) for cell in value]
        return number(value) if column in _CELLS else list(value) if column == "digits" else value

    tables = {
        table: [
            {column: field(column, value) for column, value in zip(columns, record, strict=True)}
            for record in records(board, table)
        ]
        for table, columns in TABLES.items()
    }
    return {"clue": grid(board), "region": grid(board, "region", room_name), **tables}


SUDOKU = Kind(
    name="sudoku_variants",
    model="sudoku_variants",
    address=(),  # pzpr has no such kind, and so no files of it
    file=(),
    params=_params,
    answer=(numbers("place"),),
)


def board_of(params: Mapping[str, Any]) -> Board:
    """The board with these params of the model. What is left out, or None, is not there."""
    rows = params["clue"]
    side = len(rows)
    base = 10 if side < 10 else 100

    def value(column: str, found: Any) -> Any:
        if column == "squares":
            return tuple(divmod(cell, base) for cell in found)
        return divmod(found, base) if column in _CELLS else tuple(found) if column == "digits" else found

    layers: dict[str, Mapping[Place, Value]] = {
        table: table_layer([tuple(value(c, record[c]) for c in columns) for record in params.get(table) or ()])
        for table, columns in TABLES.items()
    }
    names = {name: k for k, name in enumerate(dict.fromkeys(name for row in params["region"] for name in row if name))}
    layers["clue"] = {(r, c): d for r, row in enumerate(rows, 1) for c, d in enumerate(row, 1) if d is not None}
    layers["region"] = {
        (r, c): names[name] for r, row in enumerate(params["region"], 1) for c, name in enumerate(row, 1) if name
    }
    return Board(SUDOKU.name, side, side, "", {name: layer for name, layer in layers.items() if layer})
