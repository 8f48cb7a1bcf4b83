"""Regions that the answer makes, told by how many squares they have, or by what they hold."""

from __future__ import annotations

from typing import Any

from covr.links.address_parts import On
from covr.links.board import Board, LinkFault
from covr.links.choices import regions
from covr.links.codes import BITS, NUMBERS
from covr.links.file_parts import Flag, Marked, Regions, clues, written
from covr.links.kind import Kind, OnBoard
from covr.links.places import borders, cells
from covr.links.values import grid


def _fillomino(board: Board) -> dict[str, Any]:
    if board.layer("border"):
        raise LinkFault("it has printed lines, which the model has not")
    return {"clue": grid(board), "most": 3 if "t" in board.flag else 0}


def _lines_or_numbers(board: Board) -> tuple[OnBoard, ...]:
    """An answer is shown by lines, or by a number in every square."""
    printed = board.layer("clue")
    if board.layer("number") and not board.layer("region"):
        return (OnBoard("number", "own", lambda x, _, d: [] if x in printed else [(x, d)]),)
    return regions("own")


fillomino = Kind(
    name="fillomino",
    model="fillomino",
    address=(On(cells, NUMBERS, "clue"), On(borders, BITS, "border", optional=True)),
    file=(Flag("t", "t"), clues(), written(), Regions(more=(Marked("border", "X"), Marked("border", "-X")))),
    params=_fillomino,
    answer=_lines_or_numbers,
    meant={"t": "no region has more than three squares"},
)
