"""Numbers and signs to be written into rooms."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from covr.links.address_parts import On
from covr.links.board import SECRET, Board, LinkFault
from covr.links.choices import numbers
from covr.links.codes import BITS, DECIMALS, NUMBERS
from covr.links.file_parts import Marked, Rooms, WallsAndNumbers, borders_as, clues, written
from covr.links.kind import Kind, OnBoard
from covr.links.kinds.numbers import ripple, unprinted
from covr.links.kinds.numbers_signs import between
from covr.links.places import borders, borders_in_one, cells, room_numbers, rooms
from covr.links.values import grid
from covr.links.values import rooms as room_grid

SIGNS = ("○", "△", "□")  # the signs by their numbers


def _sign(number: Any) -> str:
    """The sign with that number."""
    if number == SECRET:
        return SECRET
    if not 1 <= number <= len(SIGNS):
        raise LinkFault(f"it shows a sign {number}, which is none")
    return SIGNS[number - 1]


hakoiri = Kind(
    name="hakoiri",
    model="hakoiri",
    address=(On(borders, BITS, "border"), On(cells, DECIMALS, "clue")),
    file=(Rooms(), clues(), written()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board, "clue", _sign)},
    answer=lambda board: (unprinted(board, OnBoard("number", "put", lambda r, c, s: [((r, c), SIGNS.index(s) + 1)])),),
)


def _walled(board: Board) -> dict[str, Any]:
    """Lines that end inside a room are told one by one."""
    room = room_numbers(board)
    inside = [[*a, *b] for a, b in sorted(board.layer("border")) if room[a] == room[b]]
    return {"room": room_grid(board), "clue": grid(board), "inside": inside}


renban = Kind(
    name="renban",
    model="renban",
    address=(On(borders, BITS, "border"), On(cells, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), written()),
    params=_walled,
    answer=lambda board: (unprinted(board, numbers("place")),),
)

sukoro = Kind(
    name="sukoro",
    model="sukoro",
    address=(On(cells, DECIMALS, "clue"),),
    file=(clues(), written()),
    params=lambda board: {"clue": grid(board)},
    answer=lambda board: (unprinted(board, numbers("place")),),
)

sukororoom = Kind(
    name="sukororoom",
    model="sukoro_room",
    address=(On(borders, BITS, "border"), On(cells, DECIMALS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), written()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=lambda board: (unprinted(board, numbers("place")),),
)

meander = evolve(ripple, name="meander", model="meandering_numbers")

factors = Kind(
    name="factors",
    model="factors",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), written()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(numbers("place"),),
)


def _summed(board: Board) -> dict[str, Any]:
    """A wall that ends inside a room would part equal numbers."""
    room = room_numbers(board)
    if any(room[a] == room[b] for a, b in board.layer("border")):
        raise LinkFault("it has a line that ends inside a room, which the model has not")
    return {"room": room_grid(board), "sum": between(board, "sum", lambda _, value: value or SECRET)}


kazunori = Kind(
    name="kazunori",
    model="kazunori_room",
    address=(On(borders, BITS, "border"), On(borders_in_one, NUMBERS, "sum")),
    file=(WallsAndNumbers("border", "sum"), written()),
    params=_summed,
    answer=(OnBoard("number", "pair", lambda y, z, d: [(y, d), (z, d)]),),
)
