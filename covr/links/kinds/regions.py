"""Regions that the answer makes."""

from __future__ import annotations

from covr.links.address_parts import On
from covr.links.choices import outlined
from covr.links.codes import NUMBERS
from covr.links.file_parts import Marked, borders_as, clues
from covr.links.kind import Kind
from covr.links.places import cells
from covr.links.values import grid

shikaku = Kind(
    name="shikaku",
    model="shikaku",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), borders_as(Marked("edge", "1"), Marked("no edge", "-1"))),
    params=lambda board: {"clue": grid(board)},
    answer=outlined("lay"),
)
