"""The values of a model's params from the layers of a board: parts of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from covr.links.board import SECRET, Board, LinkFault, Place, Value
from covr.links.places import borders, deep, room_numbers

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def grid(board: Board, layer: str = "clue", said: Callable[[Any], Any] = lambda value: value) -> list[list[Any]]:
    """A layer of cells as rows; None where nothing stands. said: what the model calls a value."""
    found = board.layer(layer)
    return [
        [None if (r, c) not in found else said(found[r, c]) for c in range(1, board.width + 1)]
        for r in range(1, board.height + 1)
    ]


def cells_in(rows: Sequence[Sequence[Any]]) -> dict[Place, Any]:
    """The way back: what stands in the cells of rows."""
    return {(r, c): x for r, row in enumerate(rows, 1) for c, x in enumerate(row, 1) if x is not None}


def corner_grid(board: Board, layer: str = "clue", frame: bool = True) -> list[list[Any]]:
    """A layer of corners as rows. frame: with those on the frame, one row and column more than the board has cells."""
    found = board.layer(layer)
    first, more = (1, 2) if frame else (2, 1)
    return [[found.get((r, c)) for c in range(first, board.width + more)] for r in range(first, board.height + more)]


def rooms(board: Board, walls: str = "border") -> list[list[Any]]:
    """The room of each cell as rows: a letter, or a number behind a letter where there are more rooms than letters."""
    room = room_numbers(board, walls)
    return [[room_name(room[r, c]) for c in range(1, board.width + 1)] for r in range(1, board.height + 1)]


def parted_rooms(board: Board) -> list[list[Any]]:
    """The same, for a kind whose site has rules for borders. Raises LinkFault for a border within one room: the site
    counts it as any other, and a model that knows rooms alone would have other answers."""
    room = room_numbers(board)
    for a, b in board.layer("border"):
        if room[a] == room[b]:
            raise LinkFault(f"the border between {a} and {b} parts no rooms, and the model has no rule for it")
    return rooms(board)


def walled(board: Board, holes: str) -> Board:
    """The board with a border round each of its holes, which part rooms. holes: their layer."""
    beside = {pair: 1 for pair in borders(board) if not board.layer(holes).keys().isdisjoint(pair)}
    layers = {**board.layers, "border": {**board.layer("border"), **beside}}
    return Board(board.kind, board.height, board.width, board.flag, layers)


def room_name(number: int) -> str:
    """The name of a room: one letter for the first ones, then a letter and a number."""
    size = len(LETTERS)
    return LETTERS[number % size] + (str(number // size) if number >= size else "")


def letter(number: Value) -> Value:
    """The letter that a site shows for a number: A to Z, then a to z; a secret one stays so."""
    if not isinstance(number, int):
        return number
    if not 1 <= number <= len(LETTERS):
        raise LinkFault(f"it has a letter {number}, and there are {len(LETTERS)}")
    return LETTERS[number - 1].swapcase()


def margin(board: Board, side: str, layer: str = "margin", blank: Any = ".") -> list[Any]:
    """The numbers in one margin, in order: `top`, `bottom`, `left` or `right`. A secret one tells nothing."""
    found = {place: value for place, value in board.layer(layer).items() if value != SECRET}
    places: Mapping[str, list[Place]] = {
        "top": [(0, c) for c in range(1, board.width + 1)],
        "bottom": [(board.height + 1, c) for c in range(1, board.width + 1)],
        "left": [(r, 0) for r in range(1, board.height + 1)],
        "right": [(r, board.width + 1) for r in range(1, board.height + 1)],
    }
    return [found.get(place, blank) for place in places[side]]


def deep_margin(board: Board, side: str, layer: str = "margin") -> list[list[Value]]:
    """The numbers of each row (`left`) or column (`top`), in reading order."""
    found = board.layer(layer)
    above, left = deep(board)
    if side == "top":
        return [[found[-k, c] for k in reversed(range(above)) if (-k, c) in found] for c in range(1, board.width + 1)]
    return [[found[r, -k] for k in reversed(range(left)) if (r, -k) in found] for r in range(1, board.height + 1)]


def deep_margin_back(params: Mapping[str, Any]) -> dict[Place, Value]:
    """The way back: such margins from `rows` and `columns`, each line's numbers as a text; `?` is a secret one."""
    return {
        (-k, at) if side == "columns" else (at, -k): SECRET if word == SECRET else int(word)
        for side in ("rows", "columns")
        for at, line in enumerate(params[side], 1)
        for k, word in enumerate(reversed(str(line).split()))
    }


def walls_back(room: Sequence[Sequence[Any]], around_holes: bool = False) -> dict[Place, Value]:
    """The way back: the borders between cells of unlike rooms; those between a room and a hole, `#`, if asked for."""
    name = cells_in(room)
    steps = [((r, c), after) for r, c in name for after in ((r, c + 1), (r + 1, c)) if after in name]
    return {(a, b): 1 for a, b in steps if name[a] != name[b] and (around_holes or "#" not in (name[a], name[b]))}


def holes_back(room: Sequence[Sequence[Any]]) -> dict[Place, Value]:
    """The way back: the cells that are a hole, `#`."""
    return {cell: 1 for cell, name in cells_in(room).items() if name == "#"}


def only(board: Board, layer: str, blank: int = 0) -> Any:
    """The one value of a layer that has no places."""
    return board.layer(layer).get((), blank)
