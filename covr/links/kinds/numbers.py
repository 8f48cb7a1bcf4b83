"""Numbers to be written into squares, and signs and sums beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isqrt
from typing import Any

from attrs import evolve

from covr.links.address_parts import KAKURO_ADDRESS, KAKURO_ROWS, CountBefore, On, Together
from covr.links.codes import (
    BITS,
    BYTES,
    COMPARED,
    DECIMALS,
    DIGITS,
    DOTTED_NUMBERS,
    FOURS,
    NUMBERS,
    SPARSE,
    TRIPLES,
)
from covr.links.file_parts import (
    IN_MARGIN,
    TICKED,
    CountLine,
    Digits,
    Flag,
    HolesAndNumbers,
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
from covr.links.inverse import (
    between,
    by_number,
    cells_in,
    deep_margin,
    deep_margin_back,
    grid,
    holes_back,
    margin,
    only,
    walled,
    walls_back,
)
from covr.links.inverse import rooms as room_grid
from covr.links.places import (
    SECRET,
    Board,
    Layer,
    LinkFault,
    Place,
    Value,
    border_rows,
    borders,
    borders_in_one,
    cell_rows,
    cells,
    deep_margin_rows,
    deep_margins,
    double_margin_rows,
    double_margins,
    margin_rows,
    margins,
    room_numbers,
    rooms,
    side_rows,
    sides,
)
from covr.links.table import Kind, OnBoard, Params, clues_in_rooms, drawn, numbers, shaded, shaded_at, unprinted


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
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), written()),
    square=True,
    params=_sudoku,
    answer=unprinted(numbers("place")),
)


def _skyscrapers(board: Board) -> dict[str, Any]:
    sides = ("top", "left", "right", "bottom")
    return {"clue": grid(board), "sides": [{"name": side, "seen": margin(board, side)} for side in sides]}


skyscrapers = Kind(
    name="skyscrapers",
    aliases=("building", "skyscraper"),
    address=(On(sides, BYTES, "margin"), On(cells, NUMBERS, "clue", optional=True)),
    file=(
        WordRows(
            side_rows,
            (Digits("clue", before="q", secret="-2"), Digits("number", secret="")),
            outside=(IN_MARGIN,),
        ),
    ),
    params=_skyscrapers,
    answer=unprinted(numbers("place")),
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
        answer=unprinted(numbers("place")),
    )


ripple, suguru, cojun = map(_rooms_filled, ("ripple", "suguru", "cojun"))


kropki = Kind(
    name="kropki",
    address=(On(borders_in_one, TRIPLES, "dot", ("o", "*")),),
    file=(borders_as(Marked("dot", "1", "o"), Marked("dot", "2", "*")), written()),
    params=lambda board: {"dot": between(board, "dot")},
    answer=(numbers("place"),),
)


# --- Numbers told by signs and sums beside them -----------------------------------------------------------------------


def _compared(place: Any, value: Any) -> Any:
    """The sign between two cells, or their difference. A difference of 0 is not looked at."""
    (r, _), (i, _) = place
    if value == "less":
        return "<" if r == i else "^"
    if value == "more":
        return ">" if r == i else "v"
    return value or SECRET


minarism = Kind(
    name="minarism",
    address=(On(borders_in_one, COMPARED, "sign"),),
    file=(borders_as(Marked("sign", "a", "less"), Marked("sign", "b", "more"), Digits("sign", secret="0")), written()),
    params=lambda board: {"sign": between(board, "sign", _compared)},
    answer=(numbers("place"),),
)
BESIDE = WordRows(cell_rows, (Marked("clue", "b", "#"), Digits("clue", secret="?")))  # clues, and squares without any
BELOW = evolve(written(), blank="0")  # numbers that a solver wrote, `0` for none


def _clues_back(params: Params) -> dict[str, Layer]:
    rows = enumerate(params["clue"], 1)
    return {"clue": {(r, c): value for r, row in rows for c, value in enumerate(row, 1) if value is not None}}


kakuru = Kind(
    name="kakuru",
    address=(On(cells, DOTTED_NUMBERS, "clue"),),
    file=(BESIDE, BELOW),
    answer=(numbers("place"),),
    back=_clues_back,
)
sananko = kakuru.named(
    "sananko",
    "san_anko",
    answer=(OnBoard("number", "put", lambda cells, d: [(cell, d) for cell in cells]),),
)


def _link(place: Any, _: Any) -> str:
    (r, _), (i, _) = place
    return "-" if r == i else "|"


numrope = Kind(
    name="numrope",
    model="number_rope",
    address=(On(borders, BITS, "rope"), On(cells, DOTTED_NUMBERS, "clue")),
    file=(BESIDE, borders_as(Marked("rope", "1")), BELOW),
    params=lambda board: {"clue": grid(board), "rope": between(board, "rope", _link)},
    answer=(numbers("place"),),
)
simplegako = Kind(
    name="simplegako",
    model="simple_gako",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), written()),
    answer=unprinted(numbers("place")),
)


def _summed(board: Board) -> dict[str, Any]:
    def said(side: str) -> list[str]:
        return [" ".join(map(str, line)) for line in deep_margin(board, side)]

    return {"most": only(board, "most"), "rows": said("left"), "columns": said("top"), "clue": grid(board)}


def _summed_back(params: Params) -> dict[str, Layer]:
    clue = cells_in(params["clue"])
    return {"most": {(): int(params["most"])}, "margin": deep_margin_back(params), "clue": clue}


japanesesums = Kind(
    name="japanesesums",
    model="japanese_sums",
    address=(
        CountBefore("most"),
        On(deep_margins, BYTES, "margin"),
        On(cells, NUMBERS, "clue", optional=True),
    ),
    file=(
        CountLine("most"),
        WordRows(
            deep_margin_rows,
            (
                Digits("clue", before="q", secret="-2"),
                Digits("number", secret=""),
                Marked("shaded", "-"),
                Marked("dot", "+"),
            ),
            outside=(IN_MARGIN,),
        ),
    ),
    params=_summed,
    back=_summed_back,
    answer=unprinted(OnBoard("number", "place", lambda x, d: [(x, d)]), shaded_at()),
)


def _circled(board: Board) -> dict[str, Any]:
    """The numbers, and a circle for each cell without one that is no hole."""
    clue, holes = board.layer("clue"), board.layer("hole")

    def said(place: Any) -> Any:
        value = clue.get(place, SECRET)
        return None if place in holes else "o" if value == SECRET else value

    return {"clue": [[said(place) for place in row] for row in cell_rows(board)]}


bosanowa = Kind(
    name="bosanowa",
    address=(On(cells, BITS, "hole"), On(cells, NUMBERS, "clue")),
    file=(HolesAndNumbers(), BELOW, WordRows(border_rows, (Digits("difference"),))),
    params=_circled,
    answer=unprinted(numbers("place")),
    flags="ht",
)


def _letters(board: Board) -> str:
    """The letters of a puzzle that asks for so many."""
    most = only(board, "most")
    if not 1 <= most <= 26:
        raise LinkFault(f"it asks for {most} letters")
    return DIGITS[10 : 10 + most].upper()


def _abc(board: Board) -> dict[str, Any]:
    letters = _letters(board)

    def said(number: Any) -> str:
        """A letter by its number."""
        if number in (SECRET, "."):
            return "."
        if not 1 <= number <= len(letters):
            raise LinkFault(f"it has a letter {number}, but {len(letters)} letters")
        return letters[number - 1]

    return {
        "letters": letters,
        "clue": grid(board, "clue", said),
        "sides": [
            {"name": side, "seen": [said(number) for number in margin(board, side)]}
            for side in ("top", "left", "right", "bottom")
        ],
    }


def _abc_back(params: Params) -> dict[str, Layer]:
    letters = params["letters"]
    high, wide = len(params["clue"]), len(params["clue"][0])
    places: dict[str, Callable[[int], Place]] = {
        "top": lambda c: (0, c),
        "bottom": lambda c: (high + 1, c),
        "left": lambda r: (r, 0),
        "right": lambda r: (r, wide + 1),
    }
    margin: dict[Place, Value] = {
        places[side["name"]](at): letters.index(said) + 1
        for side in params["sides"]
        for at, said in enumerate(side["seen"], 1)
        if said != "."
    }
    clue = {cell: letters.index(said) + 1 for cell, said in cells_in(params["clue"]).items() if said != "."}
    return {"most": {(): len(letters)}, "margin": margin, "clue": clue}


# A letter as its number: A is 1. Words for numbers in cells: printed, written, and notes.
PRINTED_OR_WRITTEN = (Digits("clue", before="q", secret="-2"), Digits("number", secret=""))
easyasabc = Kind(
    name="easyasabc",
    model="easy_as_abc",
    address=(CountBefore("most"), On(sides, BYTES, "margin"), On(cells, NUMBERS, "clue", optional=True)),
    file=(
        CountLine("most"),
        WordRows(
            side_rows,
            (*PRINTED_OR_WRITTEN, Marked("dot", "+"), Marked("dot", "-", 2)),
            outside=(IN_MARGIN,),
        ),
    ),
    params=_abc,
    back=_abc_back,
    answer=unprinted(OnBoard("number", "place", lambda r, c, d: [((r, c), DIGITS.find(d.lower()) - 9)])),
)


def _doppelblock(board: Board) -> dict[str, Any]:
    if board.height != board.width:
        raise LinkFault(f"its board of {board.height} by {board.width} squares is no square")
    return {"rows": margin(board, "left"), "columns": margin(board, "top"), "clue": grid(board)}


doppelblock = Kind(
    name="doppelblock",
    address=(On(margins, BYTES, "margin"), On(cells, NUMBERS, "clue", optional=True)),
    file=(
        WordRows(
            margin_rows,
            (*PRINTED_OR_WRITTEN, Marked("shaded", "-"), Marked("dot", "+")),
            outside=(IN_MARGIN,),
        ),
    ),
    params=_doppelblock,
    answer=unprinted(OnBoard("number", "place", lambda x, d: [(x, d)]), shaded_at()),
)
keywest = Kind(
    name="keywest",
    model="key_west",
    address=(On(cells, SPARSE, "clue"),),
    file=(clues(), lines_drawn(), written()),
    answer=lambda board: (*unprinted(numbers("place"))(board), drawn("draw")),
    notes=frozenset({"number"}),
)
retsurin = Kind(
    name="retsurin",
    address=(On(cells, NUMBERS, "clue"),),
    file=(Flag("o", "o"), Flag("b", "b"), clues(), shading(), lines_drawn()),
    answer=(shaded(), drawn("draw")),
    flags="ob",
)


SIGNS = ("○", "△", "□")  # the signs by their numbers


hakoiri = Kind(
    name="hakoiri",
    address=(On(borders, BITS, "border"), On(cells, DECIMALS, "clue")),
    file=(Rooms(), clues(), written()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board, "clue", by_number(SIGNS, "sign"))},
    answer=unprinted(OnBoard("number", "put", lambda r, c, s: [((r, c), SIGNS.index(s) + 1)])),
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
    address=(On(borders, BITS, "border"), On(cells, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), written()),
    params=_walled,
    back=_walled_back,
    answer=unprinted(numbers("place")),
)
sukoro = Kind(
    name="sukoro",
    address=(On(cells, DECIMALS, "clue"),),
    file=(clues(), written()),
    answer=unprinted(numbers("place")),
)
sukororoom = Kind(
    name="sukororoom",
    model="sukoro_room",
    address=(On(borders, BITS, "border"), On(cells, DECIMALS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), written()),
    params=clues_in_rooms,
    answer=unprinted(numbers("place")),
)
meander = evolve(ripple, name="meander", model="meandering_numbers")
factors = Kind(
    name="factors",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), written()),
    params=clues_in_rooms,
    answer=(numbers("place"),),
)


def _summed_rooms(board: Board) -> dict[str, Any]:
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
    params=_summed_rooms,
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
    answer=unprinted(numbers("pole")),
    meant={"a": "poles that touch across a border are equal"},
    back=_poles_back,
)
LETTERS = "NSWE"  # the letters by their numbers; a secret one is a square that stays empty


news = Kind(
    name="news",
    address=(On(borders, BITS, "border"), On(cells, FOURS, "clue")),
    file=(Flag("n", "n"), Rooms(), clues(), written()),
    params=lambda board: {
        "room": room_grid(board),
        "clue": grid(board, "clue", by_number(LETTERS, "letter", secret="x")),
        "whole": int("n" in board.flag),
    },
    answer=unprinted(OnBoard("number", "place", lambda r, c, d: [((r, c), LETTERS.index(d) + 1)])),
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
