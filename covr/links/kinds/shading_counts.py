"""Squares to be shaded, where numbers count them."""

from __future__ import annotations

from typing import Any

from covr.links.address_parts import On, Slash
from covr.links.board import Board
from covr.links.choices import shaded_at
from covr.links.codes import ARROWED, BITS, BYTES, DECIMALS, NUMBERS, SPARSE
from covr.links.file_parts import (
    TICKED,
    Arrowed,
    Flag,
    Marked,
    Rooms,
    WordRows,
    borders_as,
    clues,
    lines_drawn,
    shading,
)
from covr.links.kind import Kind
from covr.links.places import borders, cell_rows, cells, margin_rows, margins, rooms
from covr.links.values import grid, margin
from covr.links.values import rooms as room_grid

chocona = Kind(
    name="chocona",
    model="chocona",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), shading()),
    older=(Rooms(), clues(), shading()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(shaded_at("shade"),),
)

aquarium = Kind(
    name="aquarium",
    model="aquarium",
    address=(On(borders, BITS, "border"), Slash(), On(margins, BYTES, "margin")),
    file=(
        Flag("r", "r"),
        borders_as(Marked("border", "1")),
        WordRows(margin_rows, (Marked("shaded", "#"), Marked("dot", "+")), outside=(TICKED,)),
    ),
    params=lambda board: {
        "room": room_grid(board),
        "across": margin(board, "left"),
        "down": margin(board, "top"),
        "level": int("r" in board.flag),
    },
    answer=(shaded_at("water"),),
    meant={"r": "water is equally high in all of a tank"},
)


def _yajikazu(board: Board) -> dict[str, Any]:
    def arrow(value: Any) -> Any:
        return value[0] or None

    def number(value: Any) -> Any:
        return value[1]

    return {"arrow": grid(board, "clue", arrow), "clue": grid(board, "clue", number)}


yajikazu = Kind(
    name="yajikazu",
    model="yajikazu",
    address=(On(cells, ARROWED, "clue"),),
    file=(WordRows(cell_rows, (Arrowed("clue"),)), shading(), lines_drawn(optional=True)),
    params=_yajikazu,
    answer=(shaded_at("shade"),),
)

kurochute = Kind(
    name="kurochute",
    model="kurochute",
    address=(On(cells, NUMBERS, "clue"),),
    file=(
        clues(),
        WordRows(cell_rows, (Marked("shaded", "1"), Marked("dot", "+"), Marked("dot", "-", 2))),
        lines_drawn(optional=True),
    ),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)

norinuri = Kind(
    name="norinuri",
    model="norinuri",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)

_TRUTHS = ("+", "+o", "+x", "o", "x")  # what a solver notes of a number

usoone = Kind(
    name="usoone",
    model="usoone",
    address=(On(borders, BITS, "border"), On(cells, SPARSE, "clue")),
    file=(
        Rooms(),
        clues(),
        WordRows(cell_rows, (Marked("shaded", "1"), *(Marked("dot", word, k) for k, word in enumerate(_TRUTHS, 1)))),
        lines_drawn(optional=True),
    ),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(shaded_at("shade"),),
)

lookair = Kind(
    name="lookair",
    model="lookair",
    address=(On(cells, DECIMALS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)
