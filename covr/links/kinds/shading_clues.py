"""Squares to be shaded in regions, or about clues."""

from __future__ import annotations

from covr.links.address_parts import On
from covr.links.choices import shaded_at
from covr.links.codes import BITS, NUMBERS
from covr.links.file_parts import Marked, Rooms, WordRows, borders_as, clues, shading
from covr.links.kind import Kind
from covr.links.places import borders, cell_rows, rooms
from covr.links.values import grid
from covr.links.values import rooms as room_grid

NOTES = WordRows(cell_rows, (), optional=True)  # small numbers that a solver wrote

shimaguni = Kind(
    name="shimaguni",
    model="shimaguni",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), shading(), NOTES),
    older=(Rooms(), clues(), shading(), NOTES),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(shaded_at("shade"),),
)

heyablock = Kind(
    name="heyablock",
    model="heyablock",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), shading()),
    older=(Rooms(), clues(), shading()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(shaded_at("shade"),),
)
