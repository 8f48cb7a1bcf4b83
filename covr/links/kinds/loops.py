"""Loops, paths and bridges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from covr.links.address_parts import On
from covr.links.board import SECRET, Board, LinkFault, Place, Value
from covr.links.choices import drawn, edges, shaded
from covr.links.codes import ARROWED, BITS, NUMBERS, SPARSE, TRIPLES
from covr.links.file_parts import Arrowed, Digits, Flag, Lettered, Marked, WordRows, clues, lines_drawn, shading
from covr.links.kind import Kind, OnBoard
from covr.links.places import cell_rows, cells, framed_border_rows
from covr.links.values import grid

SHADED_OUTSIDE = {"o": "all shaded squares are outside the loop"}

_framed_lines = WordRows(framed_border_rows, (Digits("line"), Marked("no line", "-1")), "0")
_colours = WordRows(cell_rows, (Marked("colour", "1", 1), Marked("colour", "2", 2)), "0")

slither = Kind(
    name="slither",
    aliases=("slitherlink",),
    model="slitherlink",
    address=(On(cells, SPARSE, "clue"),),
    file=(Flag("f", "f"), clues(), _colours, _framed_lines),
    older=(Flag("f", "f"), clues(), _framed_lines),
    params=lambda board: {"clue": grid(board), "full": int("f" in board.flag)},
    answer=(edges("draw"),),
    meant={"f": "the loop passes every corner"},
)

mashu = Kind(
    name="mashu",
    aliases=("masyu", "pearl"),
    model="masyu",
    address=(On(cells, TRIPLES, "pearl", ("w", "b")),),
    file=(Flag("f", "f"), WordRows(cell_rows, (Marked("pearl", "1", "w"), Marked("pearl", "2", "b"))), lines_drawn()),
    params=lambda board: {"pearl": grid(board, "pearl"), "full": int("f" in board.flag)},
    answer=(drawn("draw"),),
    meant={"f": "the loop passes every square"},
)


def _pair(value: Value) -> tuple[Any, Any]:
    assert isinstance(value, tuple)
    return value[0], value[1]


def _yajilin(board: Board) -> dict[str, Any]:
    if any(not arrow and number != SECRET for arrow, number in map(_pair, board.layer("clue").values())):
        raise LinkFault("one of its numbers has no arrow")

    return {
        "arrow": grid(board, "clue", lambda value: value[0] or SECRET),
        "clue": grid(board, "clue", lambda value: value[1]),
    }


yajilin = Kind(
    name="yajilin",
    aliases=("yajirin",),
    model="yajilin",
    address=(On(cells, ARROWED, "clue"),),
    file=(Flag("o", "o"), WordRows(cell_rows, (Arrowed("clue"),)), shading(), lines_drawn()),
    params=_yajilin,
    answer=(shaded("shade"), drawn("draw")),
    flags="b",
    refused=SHADED_OUTSIDE,
)

numlin = Kind(
    name="numlin",
    aliases=("numberlink",),
    model="numberlink",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), lines_drawn()),
    params=lambda board: {"clue": grid(board), "full": 0},
    answer=(drawn("draw"),),
)

arukone = Kind(
    name="arukone",
    model="numberlink",
    address=(On(cells, NUMBERS, "clue"),),
    file=(Flag("e", "dontpassallcell", "passallcell"), WordRows(cell_rows, (Lettered("clue"),)), lines_drawn()),
    params=lambda board: {"clue": grid(board), "full": int("e" not in board.flag)},
    answer=(drawn("draw"),),
    meant={"e": "squares may stay empty"},
)

simpleloop = Kind(
    name="simpleloop",
    model="simple_loop",
    address=(On(cells, BITS, "hole", optional=True),),
    file=(WordRows(cell_rows, (Marked("hole", "*"),)), lines_drawn()),
    params=lambda board: {"board": grid(board, "hole", lambda _: "#")},
    answer=(drawn("draw"),),
)


def _bridge(a: tuple[int, int], b: tuple[int, int], k: Value) -> Iterator[tuple[Place, Value]]:
    """The lines of a bridge between two islands, of which the first stands above or to the left."""
    (r, c), (i, j) = a, b
    down, across = int(i > r), int(j > c)
    while (r, c) != (i, j):
        after = (r + down, c + across)
        yield ((r, c), after), k
        r, c = after


hashikake = Kind(
    name="hashikake",
    aliases=("hashi", "bridges"),
    model="hashi",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), lines_drawn()),
    params=lambda board: {"clue": grid(board)},
    answer=(OnBoard("line", "bridge", _bridge),),
)
