"""Numbers to be written into squares."""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from typing import Any

from covr.links.address_parts import On
from covr.links.board import SECRET, Board, Layer, LinkFault, Value
from covr.links.choices import numbers
from covr.links.codes import BITS, BYTES, NUMBERS, TRIPLES
from covr.links.file_parts import IN_MARGIN, Digits, Marked, WordRows, borders_as, clues, written
from covr.links.kakuro import KAKURO_ADDRESS, KAKURO_ROWS
from covr.links.kind import Kind, OnBoard
from covr.links.places import borders, borders_in_one, cell_rows, cells, side_rows, sides
from covr.links.values import cells_in, grid, margin
from covr.links.values import rooms as room_grid


def _sudoku(board: Board) -> dict[str, Any]:
    box = isqrt(board.height)
    if box * box != board.height or board.height != board.width:
        raise LinkFault(f"a sudoku of {board.height} by {board.width} squares has no square boxes")
    clue = {cell: value for cell, value in board.layer("clue").items() if value != SECRET}
    wrong = [value for value in clue.values() if not 1 <= value <= board.height]  # type: ignore[operator]
    if wrong:
        raise LinkFault(f"it has a clue {wrong[0]}, and its numbers go from 1 to {board.height}")
    return {"box": box, "clue": grid(Board(board.kind, board.height, board.width, board.flag, {"clue": clue}))}


sudoku = Kind(
    name="sudoku",
    model="sudoku",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), written()),
    square=True,
    params=_sudoku,
    answer=lambda board: (unprinted(board, numbers("place")),),
)


def unprinted(board: Board, shown: OnBoard, layer: str = "clue") -> OnBoard:
    """The same, but for the cells that say it already."""
    printed = board.layer(layer)
    return OnBoard(
        shown.layer,
        shown.family,
        lambda *choice: [(place, value) for place, value in shown.places(*choice) if place not in printed],
    )


def _skyscrapers(board: Board) -> dict[str, Any]:
    sides = ("top", "left", "right", "bottom")
    return {"clue": grid(board), "sides": [{"name": side, "seen": margin(board, side)} for side in sides]}


skyscrapers = Kind(
    name="skyscrapers",
    aliases=("building", "skyscraper"),
    model="skyscrapers",
    address=(On(sides, BYTES, "margin"), On(cells, NUMBERS, "clue", optional=True)),
    file=(
        WordRows(
            side_rows,
            (Digits("clue", before="q", secret="-2"), Digits("number", secret="")),
            outside=(IN_MARGIN,),
        ),
    ),
    params=_skyscrapers,
    answer=lambda board: (unprinted(board, numbers("place")),),
)


def _kakuro(board: Board) -> dict[str, Any]:
    def rows(layer: str) -> list[list[Any]]:
        found = board.layer(layer)
        return [[found.get((r, c)) or None for c in range(board.width + 1)] for r in range(board.height + 1)]

    across = rows("across")
    black = board.layer("black")
    for r, row in enumerate(across):
        row[:] = [
            value if value is not None else "#" if r == 0 or c == 0 or (r, c) in black else None
            for c, value in enumerate(row)
        ]
    return {"across": across, "down": rows("down")}


def _kakuro_back(params: Mapping[str, Any]) -> dict[str, Layer]:
    across, down = cells_in(params["across"]), cells_in(params["down"])
    told = [{(r - 1, c - 1): x for (r, c), x in found.items() if x != "#"} for found in (across, down)]
    black = {(r - 1, c - 1): 1 for r, c in {**across, **down} if r > 1 and c > 1}
    return {"black": black, "across": told[0], "down": told[1]}


def _moved(r: int, c: int, d: Value) -> list[tuple[tuple[int, int], Value]]:
    return [((r - 1, c - 1), d)]  # the model counts the margins


kakuro = Kind(
    name="kakuro",
    model="kakuro",
    address=(KAKURO_ADDRESS,),
    file=(KAKURO_ROWS, written()),
    params=_kakuro,
    back=_kakuro_back,
    answer=(OnBoard("number", "place", _moved),),
)


def _filled(board: Board) -> dict[str, Any]:
    """Rooms to be filled with numbers. A hole would part rooms that look like one."""
    if board.layer("hole"):
        raise LinkFault("its board has holes, which the model has not")
    return {"room": room_grid(board), "clue": grid(board)}


def _rooms_filled(name: str) -> Kind:
    """Each room of n squares holds the numbers from 1 to n, and a rule keeps equal numbers apart."""
    return Kind(
        name=name,
        model=name,
        address=(On(borders, BITS, "border"), On(cells, NUMBERS, "clue"), On(cells, BITS, "hole", optional=True)),
        file=(
            borders_as(Marked("border", "1")),
            WordRows(cell_rows, (Marked("hole", "#"), Digits("clue"))),
            written(),
        ),
        params=_filled,
        answer=lambda board: (unprinted(board, numbers("place")),),
    )


ripple, suguru, cojun = map(_rooms_filled, ("ripple", "suguru", "cojun"))


def _dotted(board: Board) -> dict[str, Any]:
    """A character for each square and each border."""
    rows: list[list[Any]] = [[None] * (2 * board.width - 1) for _ in range(2 * board.height - 1)]
    for place, dot in board.layer("dot").items():
        (r, c), (i, j) = place
        rows[r + i - 2][c + j - 2] = dot
    return {"dot": rows}


kropki = Kind(
    name="kropki",
    model="kropki",
    address=(On(borders_in_one, TRIPLES, "dot", ("o", "*")),),
    file=(borders_as(Marked("dot", "1", "o"), Marked("dot", "2", "*")), written()),
    params=_dotted,
    answer=(numbers("place"),),
)
