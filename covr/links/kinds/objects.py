"""Things to be placed: stars, tents, ships, lamps, mines."""

from __future__ import annotations

from typing import Any

from covr.links.address_parts import CountBefore, On
from covr.links.board import SECRET, Board, LinkFault
from covr.links.choices import shaded, shaded_at
from covr.links.codes import BITS, BYTES, NUMBERS, SPARSE, TREES
from covr.links.file_parts import TICKED, CountLine, Digits, Marked, Rooms, WordRows, borders_as, clues, shading
from covr.links.kind import Kind, OnBoard
from covr.links.pieces import FLEETS, Bank, BankLines, TickedLine, cells_of, pieces_of
from covr.links.places import borders, cells, margin_rows, margins
from covr.links.values import grid, margin, only
from covr.links.values import rooms as room_grid

starbattle = Kind(
    name="starbattle",
    model="star_battle",
    address=(CountBefore("stars"), On(borders, BITS, "border")),
    file=(CountLine("stars"), Rooms(), shading()),
    params=lambda board: {"k": only(board, "stars"), "region": room_grid(board)},
    answer=(shaded("star"),),
)

tents = Kind(
    name="tents",
    model="tents",
    address=(On(margins, BYTES, "margin"), On(cells, TREES, "tree")),
    file=(
        WordRows(
            margin_rows,
            (Marked("tree", "1"), Marked("tent", "A"), Marked("dot", "-")),
            outside=(TICKED,),
        ),
        borders_as(Marked("link", "1"), Marked("link", "2"), Marked("no link", "-1"), optional=True),
    ),
    params=lambda board: {
        "tree": grid(board, "tree", lambda _: "^"),
        "across": margin(board, "left"),
        "down": margin(board, "top"),
    },
    answer=(
        OnBoard("tent", "tent", lambda tree, r, c: [((r, c), 1)]),
        OnBoard("tent", "ring", lambda tents, trees: [(x, 1) for x in tents]),
    ),
)

# The parts of ships by their numbers: their ends above, below, to the left and right, their middles, whole ships.
PARTS = ("~", "◠", "◡", "◖", "◗", "■", "●")
BANK = Bank(FLEETS, "d")


def _part(number: Any) -> str:
    """The part of a ship with that number."""
    if number == SECRET:
        return SECRET
    if number >= len(PARTS):
        raise LinkFault(f"it shows a part {number} of a ship, which straight ships have not")
    return PARTS[number]


def _battleship(board: Board) -> dict[str, Any]:
    lengths = []
    for piece in pieces_of(board):
        found = cells_of(piece)
        high, wide = max(r for r, _ in found), max(c for _, c in found)
        if 1 not in (high, wide) or len(found) != high * wide:
            raise LinkFault("its fleet has ships that are not straight, which the model has not")
        lengths.append(len(found))
    longest = max(lengths, default=0)
    return {
        "fleet": [lengths.count(length) for length in range(1, longest + 1)],
        "across": margin(board, "left"),
        "down": margin(board, "top"),
        "clue": grid(board, "clue", _part),
    }


def _ships(board: Board) -> tuple[OnBoard, ...]:
    """The squares of a ship that are not printed as parts of one."""
    printed = board.layer("clue")
    return (OnBoard("shaded", "ship", lambda _, ship: [(cell, 1) for cell in ship if cell not in printed]),)


battleship = Kind(
    name="battleship",
    model="battleships",
    address=(On(margins, BYTES, "margin", lenient=True), On(cells, NUMBERS, "clue", lenient=True), BANK),
    file=(
        BankLines(BANK),
        WordRows(margin_rows, (Digits("clue"),), outside=(Digits("margin", done="c"),)),
        shading(),
        TickedLine(),
    ),
    params=_battleship,
    answer=_ships,
)

lightup = Kind(
    name="lightup",
    aliases=("akari", "bijutsukan"),
    model="akari",
    address=(On(cells, SPARSE, "clue"),),
    file=(shading(Digits("clue")),),
    params=lambda board: {"board": grid(board, "clue", lambda value: "#" if value == SECRET else value)},
    answer=(shaded_at("lamp"),),
)

mines = Kind(
    name="mines",
    model="minesweeper",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded("mine"),),
)
