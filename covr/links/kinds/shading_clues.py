"""Squares to be shaded in regions, or about clues."""

from __future__ import annotations

from covr.links.address_parts import On
from covr.links.board import Board
from covr.links.choices import shaded_at
from covr.links.codes import BITS, NUMBERS
from covr.links.file_parts import Digits, Marked, Rooms, WordRows, borders_as, clues, lines_drawn, shading
from covr.links.kind import Kind, OnBoard
from covr.links.places import borders, cell_rows, cells, rooms
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


kurotto = Kind(
    name="kurotto",
    model="kurotto",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)


island = Kind(
    name="island",
    model="inaba_island",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)


canal = Kind(
    name="canal",
    model="canal_view",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading(Marked("done", "c"))),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)


context = Kind(
    name="context",
    model="context",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading(), lines_drawn(optional=True)),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)


def _beside_clues(board: Board) -> tuple[OnBoard, ...]:
    """The shaded squares that are not printed."""
    printed = board.layer("clue")
    return (OnBoard("shaded", "shade", lambda x: [] if x in printed else [(x, 1)]),)


aquapelago = Kind(
    name="aquapelago",
    model="aquapelago",
    address=(On(cells, NUMBERS, "clue"),),
    file=(shading(Digits("clue")), lines_drawn(optional=True)),
    params=lambda board: {"clue": grid(board)},
    answer=_beside_clues,
)
