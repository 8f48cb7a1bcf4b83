"""Things to be placed, arrows, diagonals, bricks and letters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from covr.frozen import frozen
from covr.links.address_parts import CountBefore, On
from covr.links.codes import (
    ARROWS,
    BITS,
    BYTES,
    DECIMALS,
    DIRECTIONS,
    NUMBERS,
    SPARSE,
    TREES,
    TRIPLES,
    Letters,
    Runs,
    byte,
    byte_text,
)
from covr.links.file_parts import (
    TICKED,
    CountLine,
    Digits,
    FileLines,
    Marked,
    MarkedRows,
    Rooms,
    SummedWords,
    WordRows,
    WordSense,
    borders_as,
    clues,
    lines_drawn,
    shading,
    whole_number,
    written,
)
from covr.links.inverse import (
    FLEETS,
    Bank,
    BankLines,
    TickedLine,
    by_number,
    cells_in,
    cells_of,
    corner_grid,
    drawn_pieces,
    grid,
    margin,
    only,
    pieces_of,
)
from covr.links.inverse import rooms as room_grid
from covr.links.places import (
    SECRET,
    Board,
    BoardDraft,
    Cell,
    Layer,
    LinkFault,
    Place,
    Value,
    borders,
    cell_rows,
    cells,
    corner_rows,
    corners,
    margin_rows,
    margins,
    rooms,
)
from covr.links.table import Kind, OnBoard, Params, clues_in_rooms, drawn, shaded, shaded_at, unprinted

# --- Things to be placed: stars, tents, ships, lamps, mines -----------------------------------------------------------


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


_part = by_number(PARTS, "part of a ship", first=0)


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
    answer=(shaded("mine"),),
)


# --- Arrows to be drawn, and pairs that look at each other ------------------------------------------------------------


_arrow = by_number(ARROWS[1:], "direction")


def _looking(x: Cell, y: Cell) -> list[tuple[Place, Value]]:
    """The arrows of a pair, of which the first stands above or to the left."""
    first, second = (">", "<") if x[0] == y[0] else ("v", "^")
    return [(x, ARROWS.index(first)), (y, ARROWS.index(second))]


_pairs = unprinted(OnBoard("number", "pair", _looking))

toichika = Kind(
    name="toichika",
    address=(On(borders, BITS, "border"), On(cells, DIRECTIONS, "clue")),
    file=(Rooms(), clues(), written()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board, "clue", _arrow)},
    answer=_pairs,
)


def _equal(x: Cell, y: Cell) -> list[tuple[Place, Value]]:
    """The numbers of a pair: how many squares lie between them."""
    between = y[0] - x[0] + y[1] - x[1] - 1
    return [(x, between), (y, between)]


toichika2 = Kind(
    name="toichika2",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(Rooms(), clues(), written()),
    params=clues_in_rooms,
    answer=(OnBoard("number", "pair", _equal),),
)

yajirushi = Kind(
    name="yajirushi",
    address=(On(cells, SPARSE, "clue"),),
    file=(clues(), written()),
    params=lambda board: {"board": grid(board, "clue", lambda value: "#" if value == SECRET else _arrow(value))},
    answer=_pairs,
)

yajirushi2 = Kind(
    name="yajirushi2",
    address=(On(cells, SPARSE, "clue"),),
    file=(clues(), written()),
    answer=_pairs,
)

ROME = 5


roma = Kind(
    name="roma",
    address=(On(borders, BITS, "border"), On(cells, DECIMALS, "clue")),
    file=(
        Rooms(),
        clues(),
        WordRows(cell_rows, (*[Marked("dot", f"+{note}", note) for note in range(1, 16)], Digits("number", secret=""))),
    ),
    params=lambda board: {
        "room": room_grid(board),
        "clue": grid(board, "clue", lambda value: "○" if value == ROME else _arrow(value)),
    },
    answer=unprinted(
        OnBoard("number", "point", lambda r, c, way: [((r, c), ARROWS.index(way))] if way in ARROWS else [])
    ),  # Rome is printed
)


# --- Diagonals, bricks, halves and letters: what is drawn square by square and makes no loop --------------------------


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


def _doppelblock(board: Board) -> dict[str, Any]:
    if board.height != board.width:
        raise LinkFault(f"its board of {board.height} by {board.width} squares is no square")
    return {"clue": grid(board), "rows": margin(board, "left"), "columns": margin(board, "top")}


@frozen
class CircleRows(WordRows):
    """Circles, `o`, of which some are shaded or marked; an address has the squares with none, the layer `hole`."""

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        rows = FileLines([lines.take().replace(".", "x") for _ in range(draft.height)])
        super().read(rows, draft)

    def write(self, board: Board) -> list[str]:
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
    address=(On(borders, BITS, "border"), On(cells, BITS, "hole", missing=1)),
    file=(Rooms(), _circles),
    params=_nondango,
    answer=(shaded("black"),),
)
_halves = WordRows(cell_rows, (Marked("shaded", "1", 1), Marked("shaded", "2", 2)), "0")
nibunnogo = Kind(
    name="nibunnogo",
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
    answer=(OnBoard("line", "brick", _brick_lines), OnBoard("end", "brick", _brick_ends)),
)


@frozen
class OnlyCircles:
    """No line of a file; it stands for the letter `c`, by which addresses say that corners have no marks."""

    layers = ()

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        draft.flag = "c"

    def write(self, board: Board) -> list[str]:
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

LOLLIPOPS = ("o", "|", "-")

lollipops = Kind(
    name="lollipops",
    address=(On(cells, DECIMALS, "clue"),),
    file=(clues(), written()),
    params=lambda board: {"clue": grid(board, "clue", by_number(LOLLIPOPS, "symbol"))},
    answer=unprinted(OnBoard("number", "place", lambda x, d: [(x, LOLLIPOPS.index(d) + 1)])),
)

# Circles, ends of bars, and three sorts of a solver's notes.
_bar_words: tuple[WordSense, ...] = (
    Marked("circle", "1"),
    Marked("end", "2"),
    *[Marked("dot", str(bit), bit) for bit in (4, 8, 16)],
)


def _bar_lines(bar: Iterable[Cell]) -> list[tuple[Place, Value]]:
    return [(pair, 1) for pair in pairwise(sorted(bar))]


def _bar_ends(bar: Iterable[Cell]) -> list[tuple[Place, Value]]:
    return [(min(bar), 1), (max(bar), 1)]


edamame = Kind(
    name="edamame",
    address=(On(cells, SPARSE, "clue"),),
    file=(clues(), SummedWords(cell_rows, _bar_words, "0"), lines_drawn()),
    answer=(OnBoard("line", "bar", _bar_lines), OnBoard("end", "bar", _bar_ends), shaded_at("circle", "circle")),
)

# The parts of ships that are turned, too: a corner is named by the sides on which its ship goes on.
_any_part = by_number((*PARTS, "┌", "┐", "└", "┘"), "part of a ship", first=0)


def _retroships(board: Board) -> dict[str, Any]:
    return {"clue": grid(board, "clue", _any_part), "pieces": drawn_pieces(board)}


def _unprinted_ships(board: Board) -> tuple[OnBoard, ...]:
    """The squares of a ship that are not printed as some part of one."""
    printed = board.layer("clue")
    return (OnBoard("shaded", "put", lambda _, ship: [(cell, 1) for cell in ship if printed.get(cell) != SECRET]),)


retroships = Kind(
    name="retroships",
    model="retro_ships",
    address=(On(cells, NUMBERS, "clue", lenient=True), BANK),
    file=(BankLines(BANK), clues(), shading(), TickedLine()),
    params=_retroships,
    answer=_unprinted_ships,
)

# --- Circles that are moved into pots ---------------------------------------------------------------------------------


def _in_pot(letters: Letters) -> Value:
    """The number of a circle, or, as a tuple, that of a pot."""
    letter = letters.peek()
    if letter not in "ghi":
        return byte(letters)
    letters.take()
    return (SECRET if letter == "h" else letters.number(1 if letter == "i" else 2, 16),)


def _in_pot_text(value: Value) -> str:
    """`_in_pot`, written."""
    if not isinstance(value, tuple):
        return byte_text(value)
    (number,) = value
    if number != SECRET and number >= 256:
        raise LinkFault(f"{number} is larger than any number of such an address")
    return "h" if number == SECRET else f"i{number:x}" if number < 16 else f"g{number:02x}"


POTS = Runs(19, _in_pot, _in_pot_text)


@frozen
class PotNumber:
    """The number of a pot, in a file."""

    layer: str = "clue"

    def read(self, word: str) -> Value | None:
        number = whole_number(word)
        return None if number is None else (number,)

    def write(self, value: Value) -> str:
        return str(value[0]) if isinstance(value, tuple) and value[0] != SECRET else ""


def _yosenabe(board: Board) -> dict[str, Any]:
    def of(pot: bool) -> Callable[[Any], Any]:
        return lambda value: None if isinstance(value, tuple) != pot else value[0] if pot else value

    circle, number = grid(board, "clue", of(False)), grid(board, "clue", of(True))
    return {"circle": circle, "pot": grid(board, "ice", lambda _: "#"), "clue": number}


def _yosenabe_back(params: Params) -> dict[str, Layer]:
    numbers: Layer = {x: (number,) for x, number in cells_in(params["clue"]).items()}
    return {"ice": dict.fromkeys(cells_in(params["pot"]), 1), "clue": {**cells_in(params["circle"]), **numbers}}


yosenabe = Kind(
    name="yosenabe",
    address=(On(cells, BITS, "ice"), On(cells, POTS, "clue")),
    file=(
        MarkedRows(cell_rows, (PotNumber(), Marked("clue", "o", SECRET), Digits("clue", before="o", secret="o"))),
        lines_drawn(),
        WordRows(cell_rows, (Digits("dot"),), "0", optional=True),
    ),
    params=_yosenabe,
    back=_yosenabe_back,
    answer=(drawn("draw"),),
)
