"""Numbers told by signs and sums beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from covr.links.address_parts import On
from covr.links.board import SECRET, Board
from covr.links.choices import numbers
from covr.links.codes import COMPARED, DOTS
from covr.links.file_parts import Digits, Marked, WordRows, borders_as, written
from covr.links.kind import Kind
from covr.links.places import borders_in_one, cell_rows, cells
from covr.links.values import grid


def between(board: Board, layer: str, said: Callable[[Any, Any], Any]) -> list[list[Any]]:
    """A character for each cell and each border between two, as rows. said: what the model calls what stands there."""
    rows: list[list[Any]] = [[None] * (2 * board.width - 1) for _ in range(2 * board.height - 1)]
    for place, value in board.layer(layer).items():
        (r, c), (i, j) = place
        rows[r + i - 2][c + j - 2] = said(place, value)
    return rows


def _compared(place: Any, value: Any) -> Any:
    """The sign between two cells, or their difference. A difference of 0 is not looked at."""
    (r, _), (i, _) = place
    if value == "less":
        return "<" if r == i else "^"
    if value == "more":
        return ">" if r == i else "v"
    return value or SECRET


minarism = Kind(
    name="minarism",
    model="minarism",
    address=(On(borders_in_one, COMPARED, "sign"),),
    file=(borders_as(Marked("sign", "a", "less"), Marked("sign", "b", "more"), Digits("sign", secret="0")), written()),
    params=lambda board: {"sign": between(board, "sign", _compared)},
    answer=(numbers("place"),),
)

kakuru = Kind(
    name="kakuru",
    model="kakuru",
    address=(On(cells, DOTS, "clue"),),
    file=(WordRows(cell_rows, (Marked("clue", "b", "#"), Digits("clue", secret="?"))), written()),
    params=lambda board: {"clue": grid(board)},
    answer=(numbers("place"),),
)
