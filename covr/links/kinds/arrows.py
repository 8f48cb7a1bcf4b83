"""Arrows to be drawn, and pairs that look at each other."""

from __future__ import annotations

from covr.links.address_parts import On
from covr.links.board import SECRET, Board, Cell, LinkFault, Place, Value
from covr.links.codes import ARROWS, BITS, DECIMALS, DIRECTIONS, NUMBERS, SPARSE
from covr.links.file_parts import Digits, Marked, Rooms, WordRows, clues, written
from covr.links.kind import Kind, OnBoard
from covr.links.places import borders, cell_rows, cells, rooms
from covr.links.values import grid
from covr.links.values import rooms as room_grid


def _arrow(number: Value) -> Value:
    """The arrow with that number."""
    if number == SECRET:
        return SECRET
    if not isinstance(number, int) or not 1 <= number < len(ARROWS):
        raise LinkFault(f"it has an arrow {number}, and there are four")
    return ARROWS[number]


def _looking(x: Cell, y: Cell) -> list[tuple[Place, Value]]:
    """The arrows of a pair, of which the first stands above or to the left."""
    first, second = (">", "<") if x[0] == y[0] else ("v", "^")
    return [(x, ARROWS.index(first)), (y, ARROWS.index(second))]


def _pairs(board: Board) -> tuple[OnBoard, ...]:
    """The arrows of pairs that are not printed."""
    printed = board.layer("clue")
    return (OnBoard("number", "pair", lambda x, y: [one for one in _looking(x, y) if one[0] not in printed]),)


toichika = Kind(
    name="toichika",
    model="toichika",
    address=(On(borders, BITS, "border"), On(cells, DIRECTIONS, "clue")),
    file=(Rooms(), clues(), written()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board, "clue", _arrow)},
    answer=_pairs,
)


def _equal(x: Cell, y: Cell) -> list[tuple[Place, Value]]:
    """The numbers of a pair: how many squares lie between them."""
    between = y[0] - x[0] + y[1] - x[1] - 1
    return [(x, between), (y, between)]


toichika2 = Kind(
    name="toichika2",
    model="toichika2",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(Rooms(), clues(), written()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(OnBoard("number", "pair", _equal),),
)

yajirushi = Kind(
    name="yajirushi",
    model="yajirushi",
    address=(On(cells, SPARSE, "clue"),),
    file=(clues(), written()),
    params=lambda board: {"board": grid(board, "clue", lambda value: "#" if value == SECRET else _arrow(value))},
    answer=_pairs,
)

yajirushi2 = Kind(
    name="yajirushi2",
    model="yajirushi2",
    address=(On(cells, SPARSE, "clue"),),
    file=(clues(), written()),
    params=lambda board: {"clue": grid(board)},
    answer=_pairs,
)

ROME = 5


def _pointing(board: Board) -> tuple[OnBoard, ...]:
    """The arrows that are not printed, and not Rome."""
    printed = board.layer("clue")

    def shown(r: int, c: int, way: str) -> list[tuple[Place, Value]]:
        return [] if (r, c) in printed else [((r, c), ARROWS.index(way))]

    return (OnBoard("number", "point", shown),)


roma = Kind(
    name="roma",
    model="roma",
    address=(On(borders, BITS, "border"), On(cells, DECIMALS, "clue")),
    file=(
        Rooms(),
        clues(),
        WordRows(cell_rows, (*[Marked("dot", f"+{note}", note) for note in range(1, 16)], Digits("number", secret=""))),
    ),
    params=lambda board: {
        "room": room_grid(board),
        "clue": grid(board, "clue", lambda value: "○" if value == ROME else _arrow(value)),
    },
    answer=_pointing,
)
