"""Squares to be shaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from covr.links.address_parts import On
from covr.links.board import SECRET, Board, LinkFault, Place, Value
from covr.links.choices import shaded, shaded_at, stretch
from covr.links.codes import BITS, BYTES, FULL, NUMBERS, SPARSE, TRIPLES
from covr.links.file_parts import (
    IN_MARGIN,
    Digits,
    Marked,
    Rooms,
    WordRows,
    borders_as,
    clues,
    lines_drawn,
    shading,
    written,
)
from covr.links.kind import Kind, OnBoard
from covr.links.places import borders, cell_rows, cells, corner_rows, corners, deep_margin_rows, deep_margins, rooms
from covr.links.values import corner_grid, deep_margin, deep_margin_back, grid
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
        lines = deep_margin(board, side)
        if any(SECRET in line and len(line) > 1 for line in lines):
            raise LinkFault("one of its lines does not tell how long each block is, and the model asks for all or none")
        return [" ".join(map(str, line)) for line in lines]

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
    address=(On(deep_margins, BYTES, "margin"),),
    file=(WordRows(deep_margin_rows, (Marked("shaded", "#"), Marked("dot", "+"), IN_MARGIN)),),
    params=_nonogram,
    back=lambda params: {"margin": deep_margin_back(params)},
    answer=_blocks,
)

creek = Kind(
    name="creek",
    model="creek",
    address=(On(corners, SPARSE, "clue"),),
    file=(WordRows(corner_rows, (Digits("clue"),)), shading()),
    params=lambda board: {"clue": corner_grid(board)},
    answer=(shaded("shade"),),
    flags="c",
    refused={"d": "it is written in an old way"},
)


def _circles(board: Board) -> tuple[OnBoard, ...]:
    """The circles that are not printed."""
    printed = board.layer("clue")

    def of(family: str, number: int) -> OnBoard:
        return OnBoard("number", family, lambda r, c: [] if (r, c) in printed else [((r, c), number)])

    return of("white", 1), of("black", 2)


yinyang = Kind(
    name="yinyang",
    model="yinyang",
    address=(On(cells, TRIPLES, "clue", ("w", "b")),),
    file=(WordRows(cell_rows, (Marked("clue", "1", "w"), Marked("clue", "2", "b"))), written()),
    params=lambda board: {"clue": grid(board)},
    answer=_circles,
)

kurodoko = Kind(
    name="kurodoko",
    aliases=("kuromasu",),
    model="kuromasu",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)
