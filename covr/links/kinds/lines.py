"""Diagonals, bricks, halves and letters: what is drawn square by square and makes no loop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from covr.frozen import frozen
from covr.links.address_parts import On
from covr.links.board import Board, BoardDraft, Cell, LinkFault, Place, Value
from covr.links.choices import shaded
from covr.links.codes import BITS, SPARSE, TRIPLES
from covr.links.file_parts import Digits, FileLines, Marked, Rooms, WordRows, borders_as, clues, lines_drawn
from covr.links.kind import Kind, OnBoard
from covr.links.places import borders, cell_rows, cells, corner_rows, corners
from covr.links.values import corner_grid, grid, margin, only
from covr.links.values import rooms as room_grid

SLASHES = {"╲": 1, "╱": 2}
_slashes = WordRows(cell_rows, (Marked("slash", "1", 1), Marked("slash", "2", 2)))
gokigen = Kind(
    name="gokigen",
    aliases=("slant", "gokigennaname"),
    model="slant",
    address=(On(corners, SPARSE, "clue"),),
    file=(WordRows(corner_rows, (Digits("clue"),)), _slashes),
    params=lambda board: {"clue": corner_grid(board)},
    answer=(OnBoard("slash", "draw", lambda r, c, way: [((r, c), SLASHES[way])]),),
    flags="c",
    refused={"d": "it is written in an old way"},
)


def _letters(board: Board) -> dict[str, Any]:
    if board.height != board.width:
        raise LinkFault(f"its board of {board.height} by {board.width} squares is no square")
    return {
        "letters": only(board, "letters"),
        "clue": grid(board),
        "sides": [{"name": side, "seen": margin(board, side)} for side in ("top", "left", "right", "bottom")],
    }


_noted = (Digits("clue", before="q"), Digits("number", secret=""), Marked("dot", "+", 1))


def _unprinted(board: Board) -> OnBoard:
    """The numbers that are not printed."""
    printed = board.layer("clue")
    return OnBoard("number", "place", lambda r, c, d: [] if (r, c) in printed else [((r, c), d)])


def _doppelblock(board: Board) -> dict[str, Any]:
    if board.height != board.width:
        raise LinkFault(f"its board of {board.height} by {board.width} squares is no square")
    return {"clue": grid(board), "rows": margin(board, "left"), "columns": margin(board, "top")}


@frozen
class CircleRows(WordRows):
    """Circles, `o`, of which some are shaded or marked; an address has the squares with none, the layer `hole`."""

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        """Read the rows into the draft."""
        rows = FileLines([lines.take().replace(".", "x") for _ in range(draft.height)])
        super().read(rows, draft)

    def write(self, board: Board) -> list[str]:
        """The rows of a board."""
        return [row.replace("x", ".") for row in super().write(board)]


_circles = CircleRows(
    cell_rows,
    (
        Marked("shaded", "#"),
        Marked("dot", "%"),
        Marked("dot in hole", "+"),
        Marked("hole", "x"),
    ),
    "o",
)


def _nondango(board: Board) -> dict[str, Any]:
    holes = {**board.layer("hole"), **board.layer("dot in hole")}
    circles = {place: "○" for place in cells(board) if place not in holes}
    return {"room": room_grid(board), "board": [[circles.get(place) for place in row] for row in cell_rows(board)]}


nondango = Kind(
    name="nondango",
    model="nondango",
    address=(On(borders, BITS, "border"), On(cells, BITS, "hole", missing=1)),
    file=(Rooms(), _circles),
    params=_nondango,
    answer=(shaded("black"),),
)
_halves = WordRows(cell_rows, (Marked("shaded", "1", 1), Marked("shaded", "2", 2)), "0")
nibunnogo = Kind(
    name="nibunnogo",
    model="nibunnogo",
    address=(On(corners, SPARSE, "clue"),),
    file=(WordRows(corner_rows, (Digits("clue"),)), _halves),
    params=lambda board: {"clue": corner_grid(board)},
    answer=(
        OnBoard("shaded", "shade", lambda r, c: [((r, c), 1)]),
        OnBoard("shaded", "keep", lambda r, c: [((r, c), 2)]),
    ),
)


def _brick_lines(brick: Iterable[Cell]) -> list[tuple[Place, Value]]:
    first, middle, last = sorted(brick)
    return [((first, middle), 1), ((middle, last), 1)]


def _brick_ends(brick: Iterable[Cell]) -> list[tuple[Place, Value]]:
    first, _, last = sorted(brick)
    return [(first, 1), (last, 1)]


# The second bit of a number says that a brick ends there; the others are a solver's notes.
_ends = [Marked("end", str(bits), 1) if bits & 2 else Marked("dot", str(bits), bits) for bits in range(1, 32)]
wittgen = Kind(
    name="wittgen",
    aliases=("wittgensteinbriquet",),
    model="wittgenstein",
    address=(On(cells, SPARSE, "clue"),),
    file=(clues(), WordRows(cell_rows, (Marked("end", "2", 1), *_ends), "0"), lines_drawn()),
    params=lambda board: {"clue": grid(board)},
    answer=(OnBoard("line", "brick", _brick_lines), OnBoard("end", "brick", _brick_ends)),
)


@frozen
class OnlyCircles:
    """No line of a file; it stands for the letter `c`, by which addresses say that corners have no marks."""

    @property
    def layers(self) -> tuple[str, ...]:
        """None: a flag is no layer."""
        return ()

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        """Enter the letter."""
        draft.flag = "c"

    def write(self, board: Board) -> list[str]:
        """No lines."""
        return []


def _kramma(board: Board) -> dict[str, Any]:
    if "c" not in board.flag:
        raise LinkFault("it is written in an old way")
    return {"clue": grid(board)}


def _through(board: Board) -> tuple[OnBoard, ...]:
    """The borders of a line through the whole board; those of the rim are not drawn."""

    def shown(line: str, k: int) -> list[tuple[Place, Value]]:
        if line == "row":
            return [(((k, c), (k + 1, c)), 1) for c in range(1, board.width + 1)] if 0 < k < board.height else []
        return [(((r, k), (r, k + 1)), 1) for r in range(1, board.height + 1)] if 0 < k < board.width else []

    return (OnBoard("edge", "cut", shown),)


kramma = Kind(
    name="kramma",
    model="kramma",
    address=(On(cells, TRIPLES, "clue", ("w", "b")),),
    file=(
        OnlyCircles(),
        WordRows(cell_rows, (Marked("clue", "1", "w"), Marked("clue", "2", "b"))),
        WordRows(corner_rows, (Digits("mark"),)),
        borders_as(Marked("edge", "1"), Marked("no edge", "-1")),
    ),
    params=_kramma,
    answer=_through,
    meant={"c": "its corners have no marks"},
)
