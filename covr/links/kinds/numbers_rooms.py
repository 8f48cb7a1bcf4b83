"""Numbers and signs to be written into rooms."""

from __future__ import annotations

from typing import Any

from covr.links.address_parts import On
from covr.links.board import SECRET, Board, LinkFault
from covr.links.choices import numbers
from covr.links.codes import BITS, DECIMALS, NUMBERS
from covr.links.file_parts import Marked, Rooms, borders_as, clues, written
from covr.links.kind import Kind, OnBoard
from covr.links.kinds.numbers import unprinted
from covr.links.places import borders, cells, room_numbers
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
