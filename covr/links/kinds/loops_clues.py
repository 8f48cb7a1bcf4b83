"""Loops that numbers, animals or ice tell, square by square."""

from __future__ import annotations

from typing import Any

from covr.links.address_parts import On
from covr.links.board import Board, Layer
from covr.links.choices import drawn, edges, shaded_at
from covr.links.codes import BITS, DECIMALS, NUMBERS, SPARSE
from covr.links.file_parts import Digits, Flag, Marked, WordRows, borders_as, clues, lines_drawn, shading
from covr.links.kind import Kind, Params
from covr.links.places import borders, cell_rows, cells, corner_rows, framed_border_rows
from covr.links.values import cells_in, grid

FULL_LOOP = {"f": "the loop passes every square"}
FULL_CORNERS = {"f": "the loop passes every corner"}

_framed_lines = WordRows(framed_border_rows, (Digits("line"), Marked("no line", "-1")), "0")
_colours = WordRows(cell_rows, (Marked("colour", "1", 1), Marked("colour", "2", 2)), "0")
_corner_marks = WordRows(corner_rows, (Digits("corner mark"),), "0")

koburin = Kind(
    name="koburin",
    model="koburin",
    address=(On(cells, SPARSE, "clue"),),
    file=(Flag("o", "o"), Flag("m", "m"), Flag("b", "b"), clues(), shading(), lines_drawn()),
    params=lambda board: {"clue": grid(board), "corners": int("m" in board.flag)},
    answer=(shaded_at("shade"), drawn("draw")),
    flags="b",
    meant={"m": "a clue counts the shaded squares at its corners, too"},
    refused={"o": "all shaded squares are outside the loop"},
)

turnaround = Kind(
    name="turnaround",
    model="turnaround",
    address=(On(cells, NUMBERS, "clue"),),
    file=(Flag("f", "f"), clues(), lines_drawn()),
    params=lambda board: {"clue": grid(board), "full": int("f" in board.flag)},
    answer=(drawn("draw"),),
    meant=FULL_LOOP,
)

vslither = Kind(
    name="vslither",
    model="vertex_slitherlink",
    address=(On(cells, SPARSE, "clue"),),
    file=(Flag("f", "f"), clues(), _colours, _framed_lines, _corner_marks),
    params=lambda board: {"clue": grid(board), "full": int("f" in board.flag)},
    answer=(edges("draw"),),
    meant=FULL_CORNERS,
)

tslither = Kind(
    name="tslither",
    model="touch_slitherlink",
    address=(On(cells, SPARSE, "clue"),),
    file=(Flag("f", "f"), clues(), _colours, _framed_lines, _corner_marks),
    params=lambda board: {"clue": grid(board), "full": int("f" in board.flag)},
    answer=(edges("draw"),),
    meant=FULL_CORNERS,
)


def _animal(value: Any) -> Any:
    """A sheep is 5 and a wolf is 6."""
    return {5: "s", 6: "w"}.get(value, value)


swslither = Kind(
    name="swslither",
    model="sheep_wolves",
    address=(On(cells, DECIMALS, "clue"),),
    file=(Flag("f", "f"), clues(), _colours, _framed_lines),
    older=(Flag("f", "f"), clues(), _framed_lines),
    params=lambda board: {"clue": grid(board, "clue", _animal), "full": int("f" in board.flag)},
    answer=(edges("draw"),),
    meant=FULL_CORNERS,
)


def _barns(board: Board) -> dict[str, Any]:
    return {"ice": grid(board, "ice", lambda _: "#"), "wall": [[*a, *b] for a, b in sorted(board.layer("border"))]}


def _barns_back(params: Params) -> dict[str, Layer]:
    wall: Layer = {((r, c), (i, j)): 1 for r, c, i, j in params["wall"]}
    return {"ice": dict.fromkeys(cells_in(params["ice"]), 1), "border": wall}


barns = Kind(
    name="barns",
    model="barns",
    address=(On(cells, BITS, "ice"), On(borders, BITS, "border")),
    file=(WordRows(cell_rows, (Marked("ice", "1"),)), borders_as(Marked("border", "1")), lines_drawn()),
    params=_barns,
    back=_barns_back,
    answer=(drawn("draw"),),
)
