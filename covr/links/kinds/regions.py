"""Regions that the answer makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from covr.links.address_parts import On
from covr.links.board import Board, Place, Value
from covr.links.codes import NUMBERS
from covr.links.file_parts import Marked, borders_as, clues
from covr.links.kind import Kind, OnBoard
from covr.links.places import cells
from covr.links.values import grid


def _outlined(board: Board) -> tuple[OnBoard, ...]:
    """The borders around a region, but for those of the board."""

    def rim(region: Iterable[tuple[int, int]], _: Value) -> Iterator[tuple[Place, Value]]:
        inside = set(region)
        for r, c in inside:
            for other in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)):
                if other not in inside and 1 <= other[0] <= board.height and 1 <= other[1] <= board.width:
                    yield tuple(sorted(((r, c), other))), 1

    return (OnBoard("edge", "lay", rim),)


shikaku = Kind(
    name="shikaku",
    model="shikaku",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), borders_as(Marked("edge", "1"), Marked("no edge", "-1"))),
    params=lambda board: {"clue": grid(board)},
    answer=_outlined,
)
