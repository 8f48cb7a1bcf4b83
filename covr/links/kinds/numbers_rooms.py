"""Numbers and signs to be written into rooms."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from covr.links.address_parts import On, Together
from covr.links.codes import BITS, BYTES, DECIMALS, FOURS, NUMBERS, TRIPLES
from covr.links.file_parts import (
    TICKED,
    Digits,
    Flag,
    Marked,
    Rooms,
    WallsAndNumbers,
    WordRows,
    borders_as,
    clues,
    lines_drawn,
    shading,
    written,
)
from covr.links.inverse import cells_in, grid, holes_back, walled, walls_back
from covr.links.inverse import rooms as room_grid
from covr.links.kinds.numbers import between, ripple, unprinted
from covr.links.places import (
    SECRET,
    Board,
    Layer,
    LinkFault,
    Place,
    Value,
    borders,
    borders_in_one,
    cell_rows,
    cells,
    double_margin_rows,
    double_margins,
    room_numbers,
    rooms,
)
from covr.links.table import Kind, OnBoard, Params, drawn, numbers

SIGNS = ("○", "△", "□")  # the signs by their numbers


def _sign(number: Any) -> str:
    """The sign with that number."""
    if number == SECRET:
        return SECRET
    if not 1 <= number <= len(SIGNS):
        raise LinkFault(f"it shows a sign {number}, which is none")
    return SIGNS[number - 1]


hakoiri = Kind(
    name="hakoiri",
    model="hakoiri",
    address=(On(borders, BITS, "border"), On(cells, DECIMALS, "clue")),
    file=(Rooms(), clues(), written()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board, "clue", _sign)},
    answer=lambda board: (unprinted(board, OnBoard("number", "put", lambda r, c, s: [((r, c), SIGNS.index(s) + 1)])),),
)


def _walled(board: Board) -> dict[str, Any]:
    """Lines that end inside a room are told one by one."""
    room = room_numbers(board)
    inside = [[*a, *b] for a, b in sorted(board.layer("border")) if room[a] == room[b]]
    return {"room": room_grid(board), "clue": grid(board), "inside": inside}


def _walled_back(params: Params) -> dict[str, Layer]:
    inside: dict[Place, Value] = {((r, c), (i, j)): 1 for r, c, i, j in params["inside"]}
    return {"border": walls_back(params["room"]) | inside, "clue": cells_in(params["clue"])}


renban = Kind(
    name="renban",
    model="renban",
    address=(On(borders, BITS, "border"), On(cells, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), written()),
    params=_walled,
    back=_walled_back,
    answer=lambda board: (unprinted(board, numbers("place")),),
)
sukoro = Kind(
    name="sukoro",
    model="sukoro",
    address=(On(cells, DECIMALS, "clue"),),
    file=(clues(), written()),
    params=lambda board: {"clue": grid(board)},
    answer=lambda board: (unprinted(board, numbers("place")),),
)
sukororoom = Kind(
    name="sukororoom",
    model="sukoro_room",
    address=(On(borders, BITS, "border"), On(cells, DECIMALS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), written()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=lambda board: (unprinted(board, numbers("place")),),
)
meander = evolve(ripple, name="meander", model="meandering_numbers")
factors = Kind(
    name="factors",
    model="factors",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), written()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(numbers("place"),),
)


def _summed(board: Board) -> dict[str, Any]:
    """A wall that ends inside a room would part equal numbers."""
    room = room_numbers(board)
    if any(room[a] == room[b] for a, b in board.layer("border")):
        raise LinkFault("it has a line that ends inside a room, which the model has not")
    return {"room": room_grid(board), "sum": between(board, "sum", lambda _, value: value or SECRET)}


kazunori = Kind(
    name="kazunori",
    model="kazunori_room",
    address=(On(borders, BITS, "border"), On(borders_in_one, BYTES, "sum")),
    file=(WallsAndNumbers("border", "sum"), written()),
    params=_summed,
    answer=(OnBoard("number", "pair", lambda y, z, d: [(y, d), (z, d)]),),
)


def _poles(board: Board) -> dict[str, Any]:
    """The numbers of plus poles stand outside of those of minus poles."""
    margin, holes = board.layer("margin"), board.layer("hole")
    rows, columns = range(1, board.height + 1), range(1, board.width + 1)
    poles = (("+", -1), ("-", 0))
    letters = room_grid(walled(board, "hole"))
    return {
        "room": [["#" if (r, c) in holes else letters[r - 1][c - 1] for c in columns] for r in rows],
        "clue": grid(board),
        "across": [{"pole": pole, "count": [margin.get((r, at), ".") for r in rows]} for pole, at in poles],
        "down": [{"pole": pole, "count": [margin.get((at, c), ".") for c in columns]} for pole, at in poles],
        "anti": int("a" in board.flag),
    }


def _poles_back(params: Params) -> dict[str, Layer]:
    """The layers of a board from its params. Beside a hole no border is needed."""
    margin: dict[Place, Value] = {}
    for at, across, down in zip((-1, 0), params["across"], params["down"], strict=True):
        margin.update({(r, at): n for r, n in enumerate(across["count"], 1) if n != "."})
        margin.update({(at, c): n for c, n in enumerate(down["count"], 1) if n != "."})
    clue = {(r, c): pole for r, row in enumerate(params["clue"], 1) for c, pole in enumerate(row, 1) if pole}
    return {
        "margin": margin,
        "border": walls_back(params["room"]),
        "hole": holes_back(params["room"]),
        "clue": clue,
    }


magnets = Kind(
    name="magnets",
    model="magnets",
    address=(
        On(double_margins, BYTES, "margin"),
        On(borders, BITS, "border"),
        Together((On(cells, TRIPLES, "clue", ("+", "-")), On(cells, BITS, "hole"))),
    ),
    file=(
        Flag("a", "a"),
        borders_as(Marked("border", "1")),
        WordRows(
            double_margin_rows,
            (
                Marked("hole", "#"),
                *[Marked("clue", f"q{k}", pole) for k, pole in enumerate("+-", 1)],
                *[Marked("number", f"a{k}", pole) for k, pole in enumerate("+-", 1)],
                *[Marked("dot", f"s{k}", k) for k in (1, 2)],
            ),
            outside=(TICKED,),
        ),
    ),
    params=_poles,
    answer=lambda board: (unprinted(board, numbers("pole")),),
    meant={"a": "poles that touch across a border are equal"},
    back=_poles_back,
)
LETTERS = "NSWE"  # the letters by their numbers


def _letter(number: Any) -> str:
    """The letter with that number; a cross for a square that stays empty."""
    if number == SECRET:
        return "x"
    if not 1 <= number <= len(LETTERS):
        raise LinkFault(f"it shows a letter {number}, which is none")
    return LETTERS[number - 1]


news = Kind(
    name="news",
    model="news",
    address=(On(borders, BITS, "border"), On(cells, FOURS, "clue")),
    file=(Flag("n", "n"), Rooms(), clues(), written()),
    params=lambda board: {
        "room": room_grid(board),
        "clue": grid(board, "clue", _letter),
        "whole": int("n" in board.flag),
    },
    answer=lambda board: (
        unprinted(board, OnBoard("number", "place", lambda r, c, d: [((r, c), LETTERS.index(d) + 1)])),
    ),
    meant={"n": "the squares without a letter hang together"},
)
nothing = Kind(
    name="nothing",
    model="all_or_nothing",
    address=(On(borders, BITS, "border"),),
    file=(
        borders_as(Marked("border", "1")),
        clues(),
        lines_drawn(),
        WordRows(cell_rows, (Digits("colour"),), "0", optional=True),
    ),
    version=2,
    params=lambda board: {"room": room_grid(board)},
    answer=(drawn("draw"),),
)
mannequin = Kind(
    name="mannequin",
    model="mannequin",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), shading()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(OnBoard("shaded", "pair", lambda y, z: [(y, 1), (z, 1)]),),
)
