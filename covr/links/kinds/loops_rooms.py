"""Loops and lines on boards with regions."""

from __future__ import annotations

from typing import Any

from covr.links.address_parts import On
from covr.links.board import Board
from covr.links.choices import drawn, shaded_at
from covr.links.codes import BITS, NUMBERS, TRIPLES
from covr.links.file_parts import FilePart, Flag, Marked, Rooms, WordRows, borders_as, clues, lines_drawn, shading
from covr.links.kind import Kind
from covr.links.places import borders, cell_rows, cells, rooms
from covr.links.values import grid
from covr.links.values import rooms as room_grid

_walls = borders_as(Marked("border", "1"))
_colours = WordRows(cell_rows, (Marked("colour", "1", 1), Marked("colour", "2", 2)), "0")


def _after(walls: FilePart, *printed: FilePart) -> tuple[FilePart, ...]:
    """A file: how it tells its regions, what is printed in them, and what a solver drew."""
    return (walls, *printed, lines_drawn(), _colours)


def _numbered(board: Board) -> dict[str, Any]:
    return {"room": room_grid(board), "clue": grid(board)}


yajilin_regions = Kind(
    name="yajilin-regions",
    aliases=("yajirin-regions",),
    model="regional_yajilin",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(Flag("o", "o"), Rooms(), clues(), shading(), lines_drawn()),
    params=_numbered,
    answer=(shaded_at("shade"), drawn("draw")),
    refused={"o": "all shaded squares are outside the loop"},
)

detour = Kind(
    name="detour",
    model="detour",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=_after(_walls, clues()),
    older=_after(Rooms(), clues()),
    version=2,
    params=_numbered,
    answer=(drawn("draw"),),
)

_holes = WordRows(cell_rows, (Marked("hole", "*"),))


def _holed(board: Board) -> dict[str, Any]:
    return {"room": room_grid(board), "hole": grid(board, "hole", lambda _: "#")}


doubleback = Kind(
    name="doubleback",
    model="double_back",
    address=(On(borders, BITS, "border"), On(cells, BITS, "hole", optional=True)),
    file=_after(_walls, _holes),
    older=_after(Rooms(), _holes),
    version=2,
    params=_holed,
    answer=(drawn("draw"),),
)

_marks = WordRows(cell_rows, (Marked("mark", "1", "s"), Marked("mark", "2", "m")))

moonsun = Kind(
    name="moonsun",
    model="moon_or_sun",
    address=(On(borders, BITS, "border"), On(cells, TRIPLES, "mark", ("s", "m"))),
    file=_after(_walls, _marks),
    older=_after(Rooms(), _marks),
    version=2,
    params=lambda board: {"room": room_grid(board), "mark": grid(board, "mark")},
    answer=(drawn("draw"),),
)

_circles = WordRows(cell_rows, (Marked("circle", "1", "w"), Marked("circle", "2", "b")))

dotchi2 = Kind(
    name="dotchi2",
    model="dotchi_pearls",
    address=(On(borders, BITS, "border"), On(cells, TRIPLES, "circle", ("w", "b"))),
    file=_after(_walls, _circles),
    older=_after(Rooms(), _circles),
    version=2,
    params=lambda board: {"room": room_grid(board), "circle": grid(board, "circle")},
    answer=(drawn("draw"),),
)
