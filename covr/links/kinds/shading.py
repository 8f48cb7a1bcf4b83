"""Squares to be shaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from covr.frozen import frozen
from covr.links.address_parts import On, Slash
from covr.links.codes import (
    ARROWED,
    ARROWS,
    BITS,
    BYTES,
    DECIMALS,
    DOTS,
    FULL,
    GAPS,
    LONG,
    MARKS_ONLY,
    NUMBERS,
    PAIRED,
    RUN_LENGTHS,
    SIGNS,
    SPARSE,
    TRIPLES,
    Letters,
    Runs,
    long_number,
    long_text,
)
from covr.links.file_parts import (
    IN_MARGIN,
    TICKED,
    Arrowed,
    Digits,
    Flag,
    LetterRows,
    Listed,
    Marked,
    Rooms,
    SummedWords,
    WordRows,
    borders_as,
    clues,
    lines_drawn,
    shading,
    written,
)
from covr.links.inverse import (
    cells_in,
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
    half_rows,
    halves,
    margin_rows,
    margins,
    rooms,
)
from covr.links.table import Kind, OnBoard, clues_in_rooms, shaded, shaded_at, stretch, unprinted

heyawake = Kind(
    name="heyawake",
    aliases=("heyawacky",),
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), shading(), lines_drawn(optional=True)),
    older=(Rooms(), clues(), shading(), lines_drawn(optional=True)),
    params=clues_in_rooms,
    answer=(shaded("shade"),),
)

nurikabe = Kind(
    name="nurikabe",
    address=(On(cells, NUMBERS, "clue"),),
    file=(shading(Digits("clue")),),
    answer=(shaded("sea"),),
)

hitori = Kind(
    name="hitori",
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
    address=(On(deep_margins, BYTES, "margin"),),
    file=(WordRows(deep_margin_rows, (Marked("shaded", "#"), Marked("dot", "+"), IN_MARGIN)),),
    params=_nonogram,
    back=lambda params: {"margin": deep_margin_back(params)},
    answer=_blocks,
)

creek = Kind(
    name="creek",
    address=(On(corners, SPARSE, "clue"),),
    file=(WordRows(corner_rows, (Digits("clue"),)), shading()),
    params=lambda board: {"clue": corner_grid(board)},
    answer=(shaded("shade"),),
    flags="c",
    refused={"d": "it is written in an old way"},
)


yinyang = Kind(
    name="yinyang",
    address=(On(cells, TRIPLES, "clue", ("w", "b")),),
    file=(WordRows(cell_rows, (Marked("clue", "1", "w"), Marked("clue", "2", "b"))), written()),
    answer=unprinted(
        OnBoard("number", "white", lambda r, c: [((r, c), 1)]), OnBoard("number", "black", lambda r, c: [((r, c), 2)])
    ),
)

kurodoko = Kind(
    name="kurodoko",
    aliases=("kuromasu",),
    model="kuromasu",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    answer=(shaded_at("shade"),),
)


# --- Squares to be shaded, where numbers count them -------------------------------------------------------------------


chocona = Kind(
    name="chocona",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), shading()),
    older=(Rooms(), clues(), shading()),
    params=clues_in_rooms,
    answer=(shaded_at("shade"),),
)

aquarium = Kind(
    name="aquarium",
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
    address=(On(cells, ARROWED, "clue"),),
    file=(WordRows(cell_rows, (Arrowed("clue"),)), shading(), lines_drawn(optional=True)),
    params=_yajikazu,
    answer=(shaded_at("shade"),),
)

kurochute = Kind(
    name="kurochute",
    address=(On(cells, NUMBERS, "clue"),),
    file=(
        clues(),
        WordRows(cell_rows, (Marked("shaded", "1"), Marked("dot", "+"), Marked("dot", "-", 2))),
        lines_drawn(optional=True),
    ),
    answer=(shaded_at("shade"),),
)

norinuri = kurodoko.named("norinuri")

_TRUTHS = ("+", "+o", "+x", "o", "x")  # what a solver notes of a number

usoone = Kind(
    name="usoone",
    address=(On(borders, BITS, "border"), On(cells, SPARSE, "clue")),
    file=(
        Rooms(),
        clues(),
        WordRows(cell_rows, (Marked("shaded", "1"), *(Marked("dot", word, k) for k, word in enumerate(_TRUTHS, 1)))),
        lines_drawn(optional=True),
    ),
    params=clues_in_rooms,
    answer=(shaded_at("shade"),),
)

lookair = norinuri.named("lookair", address=(On(cells, DECIMALS, "clue"),))
bosnianroad = lookair.named("bosnianroad", "bosnian_road")


# --- Squares to be shaded in regions, or about clues ------------------------------------------------------------------


NOTES = WordRows(cell_rows, (), optional=True)  # small numbers that a solver wrote

hinge = chocona.named("hinge", answer=(OnBoard("shaded", "shade", lambda x, *_: [(x, 1)]),))
mannequin = chocona.named("mannequin", older=(), answer=(OnBoard("shaded", "pair", lambda y, z: [(y, 1), (z, 1)]),))
shimaguni = chocona.named(
    "shimaguni",
    file=(borders_as(Marked("border", "1")), clues(), shading(), NOTES),
    older=(Rooms(), clues(), shading(), NOTES),
)

heyablock = chocona.named("heyablock", params=lambda board: {"room": parted_rooms(board), "clue": grid(board)})


kurotto = norinuri.named("kurotto")


island = norinuri.named("island", "inaba_island")


canal = norinuri.named("canal", "canal_view", file=(clues(), shading(Marked("done", "c"))))


context = norinuri.named("context", file=(clues(), shading(), lines_drawn(optional=True)))


aquapelago = Kind(
    name="aquapelago",
    address=(On(cells, NUMBERS, "clue"),),
    file=(shading(Digits("clue")), lines_drawn(optional=True)),
    answer=unprinted(shaded_at()),
)

juosan = Kind(
    name="juosan",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(Rooms(), clues(), WordRows(cell_rows, (Digits("bar"),), "0")),
    params=clues_in_rooms,
    answer=(OnBoard("bar", "bar", lambda x, d: [(x, 1 if d == "|" else 2)]),),
)

nurimaze = Kind(
    name="nurimaze",
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
    address=(On(deep_margins, BYTES, "margin"),),
    file=(WordRows(deep_margin_rows, (Marked("shaded", "#"), Marked("dot", "+"), TICKED)),),
    params=_coral,
    back=lambda params: {"margin": deep_margin_back(params)},
    answer=(shaded_at("shade"),),
)


# --- Squares to be shaded, most of which hang together ----------------------------------------------------------------


norinori = Kind(
    name="norinori",
    address=(On(borders, BITS, "border"),),
    file=(borders_as(Marked("border", "1")), shading(), lines_drawn(optional=True)),
    older=(Rooms(), shading(), lines_drawn(optional=True)),
    params=lambda board: {"room": room_grid(board)},
    answer=(shaded_at("shade"),),
)

lits = norinori.named("lits")

aqre = Kind(
    name="aqre",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(Flag("b", "b"), borders_as(Marked("border", "1")), clues(), shading(), lines_drawn(optional=True)),
    older=(Rooms(), clues(), shading(), lines_drawn(optional=True)),
    params=clues_in_rooms,
    answer=(shaded_at("shade"),),
    refused={"b": "no two squares on the sides of a border are alike"},
)

cave = context.named("cave", aliases=("bag",))

nurimisaki = norinuri.named("nurimisaki")

mochikoro = norinuri.named("mochikoro")


def _numbers_text(value: Value) -> str:
    assert isinstance(value, tuple)
    return ",".join("?" if number == SECRET else str(number) for number in value)


tapa = Kind(
    name="tapa",
    address=(On(cells, RUN_LENGTHS, "clue"),),
    file=(shading(Listed("clue")), lines_drawn(optional=True)),
    params=lambda board: {"clue": grid(board, "clue", _numbers_text)},
    answer=(shaded_at("shade"),),
)


# --- Squares to be shaded, in areas of a given shape ------------------------------------------------------------------


mochinyoro = norinuri.named("mochinyoro")

nuribou = norinuri.named("nuribou", answer=(OnBoard("shaded", "bar", lambda s: [(x, 1) for x in s]),))

tasquare = nurikabe.named("tasquare", answer=(OnBoard("shaded", "put", lambda s: [(x, 1) for x in s]),))

cbanana = nurikabe.named("cbanana", "choco_banana", file=(clues(), shading()), answer=(shaded_at("shade"),))


def _tetrochain(board: Board) -> dict[str, Any]:
    """A number without an arrow tells nothing."""
    return {
        "arrow": grid(board, "clue", lambda value: value[0] or None),
        "clue": grid(board, "clue", lambda value: value[1] if value[0] else SECRET),
    }


TETROMINOES = (OnBoard("shaded", "put", lambda _, cells: [(cell, 1) for cell in cells]),)
tetrochain = Kind(
    name="tetrochain",
    address=(On(cells, ARROWED, "clue"),),
    file=(WordRows(cell_rows, (Arrowed("clue"),)), shading()),
    params=_tetrochain,
    answer=TETROMINOES,
)
CIRCLES = "bgw"  # the colours of circles by their numbers
tetrochaink = Kind(
    name="tetrochaink",
    model="tetrochain_k",
    address=(On(halves, PAIRED, "circle", tuple(CIRCLES)),),
    file=(LetterRows(half_rows, tuple(Marked("circle", str(k), c) for k, c in enumerate(CIRCLES, 1))), shading()),
    params=lambda board: {"dot": [[board.layer("circle").get(place) for place in row] for row in half_rows(board)]},
    answer=TETROMINOES,
)
nothree = Kind(
    name="nothree",
    model="no_three",
    address=(On(halves, DOTS, "circle", ("o",)),),
    file=(LetterRows(half_rows, (Marked("circle", "1", "o"),)), shading(), lines_drawn(optional=True)),
    params=lambda board: {"dot": [[board.layer("circle").get(place) for place in row] for row in half_rows(board)]},
    answer=(shaded(),),
)

_CIRCLES = (Marked("clue", "1", "w"), Marked("clue", "2", "b"))
snake = Kind(
    name="snake",
    address=(On(cells, TRIPLES, "clue", ("w", "b")), On(margins, NUMBERS, "margin")),
    file=(SummedWords(margin_rows, (*_CIRCLES, Marked("shaded", "4"), Marked("dot", "8")), outside=(TICKED,)),),
    params=lambda board: {"clue": grid(board), "across": margin(board, "left"), "down": margin(board, "top")},
    answer=(shaded_at("shade"),),
)


def _inner_corners(board: Board | BoardDraft) -> list[Place]:
    """The corners that lie on no frame, row by row."""
    return [(r, c) for r, c in corners(board) if 1 < r <= board.height and 1 < c <= board.width]


def _battenberg(board: Board) -> dict[str, Any]:
    """Each mark is on the square above and to the left of it."""
    marks = {(r - 1, c - 1): "#" for r, c in board.layer("mark")}
    rows = [[marks.get(x) for x in row] for row in cell_rows(board)]
    return {"mark": rows, "across": margin(board, "left"), "down": margin(board, "top")}


batten = Kind(
    name="batten",
    model="battenberg",
    address=(On(_inner_corners, GAPS, "mark"), On(margins, NUMBERS, "margin")),
    file=(
        WordRows(corner_rows, (Marked("mark", "1"),)),
        WordRows(margin_rows, (Marked("shaded", "#"), Marked("dot", "+")), outside=(TICKED,)),
    ),
    params=_battenberg,
    answer=(shaded_at("shade"),),
)

cocktail = chocona.named("cocktail", "cocktail_lamp")
martini = chocona.named("martini", address=(On(borders, BITS, "border"), On(cells, NUMBERS, "clue")))


def _corner(letters: Letters) -> Value:
    """A circle with or without a number, an arrow, or any end."""
    letter = letters.peek()
    if letter in ".%@":
        letters.take()
        return "o" if letter == "." else SECRET
    if letter in "ghij":
        return ARROWS[letters.number(1, 20) - 15]
    if letter in LONG and letter != "-":
        raise letters.unknown(letters.at, letter)
    return long_number(letters)


def _corner_text(value: Value) -> str:
    """`_corner`, written."""
    if value == SECRET or value == "o":
        return "@" if value == SECRET else "."
    if isinstance(value, int):
        if value > 255:
            raise LinkFault(f"{value} is larger than any number of such an address")
        return long_text(value)
    return "ghij"[ARROWS.index(value) - 1]


CORNERS = Runs(20, _corner, _corner_text)
_ENDS = tuple([Marked("clue", str(k), ARROWS[k]) for k in range(1, 5)])
sashikabe = Kind(
    name="sashikabe",
    address=(On(cells, CORNERS, "clue"),),
    file=(
        WordRows(
            cell_rows,
            (
                *_ENDS,
                Marked("clue", "o", "o"),
                Marked("clue", "-", SECRET),
                Marked("shaded", "#"),
                Marked("dot", "_"),
                Digits("clue", before="o", secret=""),
            ),
        ),
    ),
    back=lambda params: {"clue": cells_in(params["clue"])},
    answer=(shaded_at("shade"),),
)

anymino = Kind(
    name="anymino",
    address=(On(borders, BITS, "border"),),
    file=(borders_as(Marked("border", "1")), shading()),
    params=lambda board: {"room": room_grid(board)},
    answer=(OnBoard("shaded", "shade", lambda x, _: [(x, 1)]),),
)
