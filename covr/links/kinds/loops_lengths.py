"""Loops that are told how long their lines are, or how many squares they pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from covr.links.address_parts import On
from covr.links.board import SECRET, Board, LinkFault, Value
from covr.links.choices import drawn
from covr.links.codes import BITS, CASTLES, DOTS, NUMBERS
from covr.links.file_parts import (
    Castle,
    ColouredNumber,
    Digits,
    Flag,
    LetterRows,
    Marked,
    NamedFlags,
    Rooms,
    WordRows,
    borders_as,
    clues,
    lines_drawn,
)
from covr.links.kind import Kind
from covr.links.places import borders, cell_rows, cells, half_rows, halves, rooms
from covr.links.values import grid, parted_rooms

FULL_LOOP = {"f": "the loop passes every square"}


def _full(params: Callable[[Board], dict[str, Any]]) -> Callable[[Board], dict[str, Any]]:
    """The same params, and whether the loop passes every square."""
    return lambda board: {**params(board), "full": int("f" in board.flag)}


def _dot(board: Board) -> dict[str, Any]:
    dot = board.layer("dot")
    return {"dot": [[dot.get(place) for place in row] for row in half_rows(board)]}


midloop = Kind(
    name="midloop",
    model="mid_loop",
    address=(On(halves, DOTS, "dot", ("x", "o")),),
    file=(Flag("f", "f"), LetterRows(half_rows, (Marked("dot", "1", "x"), Marked("dot", "2", "o"))), lines_drawn()),
    params=_full(_dot),
    answer=(drawn("draw"),),
    meant=FULL_LOOP,
)

geradeweg = Kind(
    name="geradeweg",
    model="geradeweg",
    address=(On(cells, NUMBERS, "clue"),),
    file=(Flag("f", "f"), clues(), lines_drawn()),
    params=_full(lambda board: {"clue": grid(board, "clue", lambda number: number or SECRET)}),  # 0 tells nothing
    answer=(drawn("draw"),),
    meant=FULL_LOOP,
)


def _number(value: Any) -> Value | None:
    """The sum at a circle, if it is told."""
    if value == SECRET:
        raise LinkFault("one of its circles has no colour")
    return None if value // 2 == 0 else value // 2


def _circles(board: Board) -> dict[str, Any]:
    clue = grid(board, "circle", _number)
    return {"circle": grid(board, "circle", lambda value: "wb"[value % 2]), "clue": clue}


balance = Kind(
    name="balance",
    model="balance_loop",
    address=(On(cells, NUMBERS, "circle"),),
    file=(Flag("f", "f"), WordRows(cell_rows, (ColouredNumber("circle"),)), lines_drawn()),
    params=_full(_circles),
    answer=(drawn("draw"),),
    meant=FULL_LOOP,
)

_empty = NamedFlags((("e", "country_empty"),))
_colours = WordRows(cell_rows, (Digits("colour"),), "0")

country = Kind(
    name="country",
    model="country_road",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(_empty, borders_as(Marked("border", "1")), clues(), lines_drawn(), _colours),
    older=(_empty, Rooms(), clues(), lines_drawn(), _colours),
    version=2,
    params=lambda board: {"room": parted_rooms(board), "clue": grid(board)},
    answer=(drawn("draw"),),
    refused={"e": "regions may be left out"},
)


def _castle(board: Board) -> dict[str, Any]:
    def arrow(value: Any) -> Value | None:
        return value[1] or None

    def number(value: Any) -> Value:
        if not value[1] and value[2] != SECRET:
            raise LinkFault("one of its numbers has no arrow")
        found: Value = value[2]
        return found

    return {
        "colour": grid(board, "clue", lambda value: value[0]),
        "arrow": grid(board, "clue", arrow),
        "clue": grid(board, "clue", number),
    }


castle = Kind(
    name="castle",
    aliases=("castlewall",),
    model="castle_wall",
    address=(On(cells, CASTLES, "clue"),),
    file=(WordRows(cell_rows, (Castle("clue"),), blank="0,-1,0"), lines_drawn()),
    params=_castle,
    answer=(drawn("draw"),),
)
