"""Squares to be shaded, most of which hang together."""

from __future__ import annotations

from covr.links.address_parts import On
from covr.links.board import SECRET, Value
from covr.links.choices import shaded_at
from covr.links.codes import BITS, NUMBERS, RUN_LENGTHS
from covr.links.file_parts import Flag, Listed, Marked, Rooms, borders_as, clues, lines_drawn, shading
from covr.links.kind import Kind
from covr.links.places import borders, cells, rooms
from covr.links.values import grid
from covr.links.values import rooms as room_grid

norinori = Kind(
    name="norinori",
    model="norinori",
    address=(On(borders, BITS, "border"),),
    file=(borders_as(Marked("border", "1")), shading(), lines_drawn(optional=True)),
    older=(Rooms(), shading(), lines_drawn(optional=True)),
    params=lambda board: {"room": room_grid(board)},
    answer=(shaded_at("shade"),),
)

lits = Kind(
    name="lits",
    model="lits",
    address=(On(borders, BITS, "border"),),
    file=(borders_as(Marked("border", "1")), shading(), lines_drawn(optional=True)),
    older=(Rooms(), shading(), lines_drawn(optional=True)),
    params=lambda board: {"room": room_grid(board)},
    answer=(shaded_at("shade"),),
)

aqre = Kind(
    name="aqre",
    model="aqre",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(Flag("b", "b"), borders_as(Marked("border", "1")), clues(), shading(), lines_drawn(optional=True)),
    older=(Rooms(), clues(), shading(), lines_drawn(optional=True)),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(shaded_at("shade"),),
    refused={"b": "no two squares on the sides of a border are alike"},
)

cave = Kind(
    name="cave",
    aliases=("bag",),
    model="cave",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading(), lines_drawn(optional=True)),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)

nurimisaki = Kind(
    name="nurimisaki",
    model="nurimisaki",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)

mochikoro = Kind(
    name="mochikoro",
    model="mochikoro",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)


def _told(value: Value) -> str:
    """The numbers of a clue, with commas between them."""
    assert isinstance(value, tuple)
    return ",".join("?" if number == SECRET else str(number) for number in value)


tapa = Kind(
    name="tapa",
    model="tapa",
    address=(On(cells, RUN_LENGTHS, "clue"),),
    file=(shading(Listed("clue")), lines_drawn(optional=True)),
    params=lambda board: {"clue": grid(board, "clue", _told)},
    answer=(shaded_at("shade"),),
)
