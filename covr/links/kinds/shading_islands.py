"""Squares to be shaded, in areas of a given shape."""

from __future__ import annotations

from covr.links.address_parts import On
from covr.links.choices import shaded_at
from covr.links.codes import NUMBERS
from covr.links.file_parts import Digits, clues, shading
from covr.links.kind import Kind, OnBoard
from covr.links.places import cells
from covr.links.values import grid

mochinyoro = Kind(
    name="mochinyoro",
    model="mochinyoro",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)

nuribou = Kind(
    name="nuribou",
    model="nuribou",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(OnBoard("shaded", "bar", lambda s: [(x, 1) for x in s]),),
)

tasquare = Kind(
    name="tasquare",
    model="tasquare",
    address=(On(cells, NUMBERS, "clue"),),
    file=(shading(Digits("clue")),),
    params=lambda board: {"clue": grid(board)},
    answer=(OnBoard("shaded", "put", lambda s: [(x, 1) for x in s]),),
)

cbanana = Kind(
    name="cbanana",
    model="choco_banana",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(OnBoard("shaded", "put", lambda s: [(x, 1) for x in s]),),
)
