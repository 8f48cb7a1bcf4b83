"""Squares to be shaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from covr.frozen import frozen
from covr.links.address_parts import On, Slash
from covr.links.codes import (
    ARROWED,
    BITS,
    BYTES,
    DECIMALS,
    FULL,
    MARKS_ONLY,
    NUMBERS,
    RUN_LENGTHS,
    SIGNS,
    SPARSE,
    TRIPLES,
    Letters,
)
from covr.links.file_parts import (
    IN_MARGIN,
    TICKED,
    Arrowed,
    Digits,
    Flag,
    Listed,
    Marked,
    Rooms,
    WordRows,
    borders_as,
    clues,
    lines_drawn,
    shading,
    written,
)
from covr.links.inverse import (
    corner_grid,
    deep_margin,
    deep_margin_back,
    grid,
    holes_back,
    margin,
    parted_rooms,
    walled,
    walls_back,
)
from covr.links.inverse import rooms as room_grid
from covr.links.places import (
    SECRET,
    Board,
    BoardDraft,
    LinkFault,
    Place,
    Value,
    borders,
    cell_rows,
    cells,
    corner_rows,
    corners,
    deep_margin_rows,
    deep_margins,
    margin_rows,
    margins,
    rooms,
)
from covr.links.table import Kind, OnBoard, shaded, shaded_at, stretch

# --- shading ---------------------------------------------------------------------------------------------------------
# Squares to be shaded.


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


# --- shading counts --------------------------------------------------------------------------------------------------
# Squares to be shaded, where numbers count them.


chocona = Kind(
    name="chocona",
    model="chocona",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), shading()),
    older=(Rooms(), clues(), shading()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(shaded_at("shade"),),
)

aquarium = Kind(
    name="aquarium",
    model="aquarium",
    address=(On(borders, BITS, "border"), Slash(), On(margins, BYTES, "margin")),
    file=(
        Flag("r", "r"),
        borders_as(Marked("border", "1")),
        WordRows(margin_rows, (Marked("shaded", "#"), Marked("dot", "+")), outside=(TICKED,)),
    ),
    params=lambda board: {
        "room": room_grid(board),
        "across": margin(board, "left"),
        "down": margin(board, "top"),
        "level": int("r" in board.flag),
    },
    answer=(shaded_at("water"),),
    meant={"r": "water is equally high in all of a tank"},
)


def _yajikazu(board: Board) -> dict[str, Any]:
    def arrow(value: Any) -> Any:
        return value[0] or None

    def number(value: Any) -> Any:
        return value[1]

    return {"arrow": grid(board, "clue", arrow), "clue": grid(board, "clue", number)}


yajikazu = Kind(
    name="yajikazu",
    model="yajikazu",
    address=(On(cells, ARROWED, "clue"),),
    file=(WordRows(cell_rows, (Arrowed("clue"),)), shading(), lines_drawn(optional=True)),
    params=_yajikazu,
    answer=(shaded_at("shade"),),
)

kurochute = Kind(
    name="kurochute",
    model="kurochute",
    address=(On(cells, NUMBERS, "clue"),),
    file=(
        clues(),
        WordRows(cell_rows, (Marked("shaded", "1"), Marked("dot", "+"), Marked("dot", "-", 2))),
        lines_drawn(optional=True),
    ),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)

norinuri = Kind(
    name="norinuri",
    model="norinuri",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)

_TRUTHS = ("+", "+o", "+x", "o", "x")  # what a solver notes of a number

usoone = Kind(
    name="usoone",
    model="usoone",
    address=(On(borders, BITS, "border"), On(cells, SPARSE, "clue")),
    file=(
        Rooms(),
        clues(),
        WordRows(cell_rows, (Marked("shaded", "1"), *(Marked("dot", word, k) for k, word in enumerate(_TRUTHS, 1)))),
        lines_drawn(optional=True),
    ),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(shaded_at("shade"),),
)

lookair = Kind(
    name="lookair",
    model="lookair",
    address=(On(cells, DECIMALS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)


# --- shading clues ---------------------------------------------------------------------------------------------------
# Squares to be shaded in regions, or about clues.


NOTES = WordRows(cell_rows, (), optional=True)  # small numbers that a solver wrote

shimaguni = Kind(
    name="shimaguni",
    model="shimaguni",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), shading(), NOTES),
    older=(Rooms(), clues(), shading(), NOTES),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(shaded_at("shade"),),
)

heyablock = Kind(
    name="heyablock",
    model="heyablock",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), shading()),
    older=(Rooms(), clues(), shading()),
    params=lambda board: {"room": parted_rooms(board), "clue": grid(board)},
    answer=(shaded_at("shade"),),
)


kurotto = Kind(
    name="kurotto",
    model="kurotto",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)


island = Kind(
    name="island",
    model="inaba_island",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)


canal = Kind(
    name="canal",
    model="canal_view",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading(Marked("done", "c"))),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)


context = Kind(
    name="context",
    model="context",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading(), lines_drawn(optional=True)),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)


def _beside_clues(board: Board) -> tuple[OnBoard, ...]:
    """The shaded squares that are not printed."""
    printed = board.layer("clue")
    return (OnBoard("shaded", "shade", lambda x: [] if x in printed else [(x, 1)]),)


aquapelago = Kind(
    name="aquapelago",
    model="aquapelago",
    address=(On(cells, NUMBERS, "clue"),),
    file=(shading(Digits("clue")), lines_drawn(optional=True)),
    params=lambda board: {"clue": grid(board)},
    answer=_beside_clues,
)

juosan = Kind(
    name="juosan",
    model="juosan",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(Rooms(), clues(), WordRows(cell_rows, (Digits("bar"),), "0")),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(OnBoard("bar", "bar", lambda x, d: [(x, 1 if d == "|" else 2)]),),
)

nurimaze = Kind(
    name="nurimaze",
    model="nurimaze",
    address=(On(borders, BITS, "border"), On(cells, SIGNS, "mark", ("S", "G", "o", "t"))),
    file=(
        Rooms(),
        WordRows(
            cell_rows,
            (Marked("mark", "s", "S"), Marked("mark", "g", "G"), Marked("mark", "o", "o"), Marked("mark", "t", "t")),
        ),
        shading(),
        lines_drawn(optional=True),
    ),
    params=lambda board: {"room": room_grid(board), "mark": grid(board, "mark")},
    answer=(shaded_at("shade"),),
)


def _rooms_and_holes(board: Board) -> dict[str, Any]:
    """The room of each cell, `#` for a black one, which parts rooms."""
    holes = board.layer("hole")
    room = room_grid(walled(board, "hole"))
    return {
        "room": [["#" if (r, c) in holes else room[r - 1][c - 1] for r, c in places] for places in cell_rows(board)]
    }


@frozen
class Holes(On):
    """Squares of no room, which have borders around them, and none between them, whatever the address says."""

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Read the part, and put the borders right."""
        On.read(self, letters, draft)
        holes, walls = draft.layer(self.layer), draft.layer("border")
        for a, b in borders(draft):
            if a in holes or b in holes:
                walls.pop((a, b), None)
                walls.update({} if a in holes and b in holes else {(a, b): 1})


dosufuwa = Kind(
    name="dosufuwa",
    model="dosun_fuwari",
    address=(On(borders, BITS, "border"), Holes(cells, MARKS_ONLY, "hole")),
    file=(Rooms(hole="hole"), WordRows(cell_rows, (Digits("ball"), Marked("dot", "+")))),
    params=_rooms_and_holes,
    back=lambda params: {"border": walls_back(params["room"], around_holes=True), "hole": holes_back(params["room"])},
    answer=(OnBoard("ball", "put", lambda x, d: [(x, 1 if d == "○" else 2)]),),
)


def _coral(board: Board) -> dict[str, Any]:
    def said(side: str) -> list[str]:
        lines = deep_margin(board, side)
        if any(SECRET in line for line in lines):
            raise LinkFault("it does not tell how long each block is, and the model asks for all of a line or none")
        return [" ".join(map(str, line)) for line in lines]

    return {"rows": said("left"), "columns": said("top")}


coral = Kind(
    name="coral",
    model="coral",
    address=(On(deep_margins, BYTES, "margin"),),
    file=(WordRows(deep_margin_rows, (Marked("shaded", "#"), Marked("dot", "+"), TICKED)),),
    params=_coral,
    back=lambda params: {"margin": deep_margin_back(params)},
    answer=(shaded_at("shade"),),
)


# --- shading connected -----------------------------------------------------------------------------------------------
# Squares to be shaded, most of which hang together.


norinori = Kind(
    name="norinori",
    model="norinori",
    address=(On(borders, BITS, "border"),),
    file=(borders_as(Marked("border", "1")), shading(), lines_drawn(optional=True)),
    older=(Rooms(), shading(), lines_drawn(optional=True)),
    params=lambda board: {"room": room_grid(board)},
    answer=(shaded_at("shade"),),
)

lits = Kind(
    name="lits",
    model="lits",
    address=(On(borders, BITS, "border"),),
    file=(borders_as(Marked("border", "1")), shading(), lines_drawn(optional=True)),
    older=(Rooms(), shading(), lines_drawn(optional=True)),
    params=lambda board: {"room": room_grid(board)},
    answer=(shaded_at("shade"),),
)

aqre = Kind(
    name="aqre",
    model="aqre",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(Flag("b", "b"), borders_as(Marked("border", "1")), clues(), shading(), lines_drawn(optional=True)),
    older=(Rooms(), clues(), shading(), lines_drawn(optional=True)),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(shaded_at("shade"),),
    refused={"b": "no two squares on the sides of a border are alike"},
)

cave = Kind(
    name="cave",
    aliases=("bag",),
    model="cave",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading(), lines_drawn(optional=True)),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)

nurimisaki = Kind(
    name="nurimisaki",
    model="nurimisaki",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)

mochikoro = Kind(
    name="mochikoro",
    model="mochikoro",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)


def _told(value: Value) -> str:
    """The numbers of a clue, with commas between them."""
    assert isinstance(value, tuple)
    return ",".join("?" if number == SECRET else str(number) for number in value)


tapa = Kind(
    name="tapa",
    model="tapa",
    address=(On(cells, RUN_LENGTHS, "clue"),),
    file=(shading(Listed("clue")), lines_drawn(optional=True)),
    params=lambda board: {"clue": grid(board, "clue", _told)},
    answer=(shaded_at("shade"),),
)


# --- shading islands -------------------------------------------------------------------------------------------------
# Squares to be shaded, in areas of a given shape.


mochinyoro = Kind(
    name="mochinyoro",
    model="mochinyoro",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)

nuribou = Kind(
    name="nuribou",
    model="nuribou",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(OnBoard("shaded", "bar", lambda s: [(x, 1) for x in s]),),
)

tasquare = Kind(
    name="tasquare",
    model="tasquare",
    address=(On(cells, NUMBERS, "clue"),),
    file=(shading(Digits("clue")),),
    params=lambda board: {"clue": grid(board)},
    answer=(OnBoard("shaded", "put", lambda s: [(x, 1) for x in s]),),
)

cbanana = Kind(
    name="cbanana",
    model="choco_banana",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(OnBoard("shaded", "put", lambda s: [(x, 1) for x in s]),),
)
