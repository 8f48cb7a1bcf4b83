"""Lines through squares or along their borders that make no loop of their own."""

from __future__ import annotations

from covr.links.address_parts import On
from covr.links.codes import SPARSE
from covr.links.file_parts import Digits, Marked, WordRows
from covr.links.kind import Kind, OnBoard
from covr.links.places import cell_rows, corner_rows, corners
from covr.links.values import corner_grid

SLASHES = {"╲": 1, "╱": 2}

_slashes = WordRows(cell_rows, (Marked("slash", "1", 1), Marked("slash", "2", 2)))

gokigen = Kind(
    name="gokigen",
    aliases=("slant", "gokigennaname"),
    model="slant",
    address=(On(corners, SPARSE, "clue"),),
    file=(WordRows(corner_rows, (Digits("clue"),)), _slashes),
    params=lambda board: {"clue": corner_grid(board)},
    answer=(OnBoard("slash", "draw", lambda r, c, way: [((r, c), SLASHES[way])]),),
    flags="c",
    refused={"d": "it is written in an old way"},
)
