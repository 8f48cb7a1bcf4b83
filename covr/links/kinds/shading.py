"""Squares to be shaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from covr.links.address_parts import On
from covr.links.board import Board, Place, Value
from covr.links.choices import shaded, stretch
from covr.links.codes import BITS, FULL, NUMBERS
from covr.links.file_parts import Digits, Marked, Rooms, WordRows, borders_as, clues, lines_drawn, shading
from covr.links.kind import Kind, OnBoard
from covr.links.places import borders, cells, deep_margin_rows, deep_margins, rooms
from covr.links.values import deep_margin, grid
from covr.links.values import rooms as room_grid

heyawake = Kind(
    name="heyawake",
    aliases=("heyawacky",),
    model="heyawake",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), shading(), lines_drawn(optional=True)),
    older=(Rooms(), clues(), shading(), lines_drawn(optional=True)),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(shaded("shade"),),
)

nurikabe = Kind(
    name="nurikabe",
    model="nurikabe",
    address=(On(cells, NUMBERS, "clue"),),
    file=(shading(Digits("clue")),),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded("sea"),),
)

hitori = Kind(
    name="hitori",
    model="hitori",
    address=(On(cells, FULL, "clue"),),
    file=(clues(), shading(), lines_drawn(optional=True)),
    params=lambda board: {"number": grid(board)},
    answer=(shaded("shade"),),
)


def _nonogram(board: Board) -> dict[str, Any]:
    def said(side: str) -> list[str]:
        return [" ".join(map(str, line)) for line in deep_margin(board, side)]

    return {"rows": said("left"), "columns": said("top")}


def _blocks(board: Board) -> tuple[OnBoard, ...]:
    """Each block of a row, as many squares as its number says."""
    rows = deep_margin(board, "left")

    def across(r: int, k: int, start: int) -> Iterator[tuple[Place, Value]]:
        return stretch(r, start, 0, 1, int(rows[r - 1][k - 1]))  # type: ignore[arg-type]

    return (OnBoard("shaded", "across", across),)


nonogram = Kind(
    name="nonogram",
    model="nonogram",
    address=(On(deep_margins, NUMBERS, "margin"),),
    file=(WordRows(deep_margin_rows, (Marked("shaded", "#"), Marked("dot", "+"), Digits("margin"))),),
    params=_nonogram,
    answer=_blocks,
)
