"""Loops, paths, bridges and roads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from covr.links.address_parts import CountAfter, On
from covr.links.codes import ARROWED, BITS, CASTLES, DECIMALS, DIGITS, DOTS, LINE_PARTS, NUMBERS, PARTS, SPARSE, TRIPLES
from covr.links.file_parts import (
    Arrowed,
    Castle,
    ColouredNumber,
    CountLine,
    Digits,
    FilePart,
    Flag,
    Lettered,
    LetterRows,
    Marked,
    MarkedRows,
    NamedFlags,
    Passed,
    Rooms,
    WordRows,
    WordSense,
    borders_as,
    clues,
    lines_drawn,
    shading,
)
from covr.links.inverse import by_number, cells_in, grid, only, parted_rooms
from covr.links.inverse import rooms as room_grid
from covr.links.places import (
    SECRET,
    Board,
    Cell,
    Layer,
    LinkFault,
    Place,
    Sheet,
    Value,
    border,
    border_rows,
    borders,
    cell_rows,
    cells,
    corner_rows,
    framed_border_rows,
    half_rows,
    halves,
    rooms,
    sides,
)
from covr.links.table import Kind, OnBoard, Params, drawn, edges, shaded, shaded_at

# --- Loops, paths and bridges -----------------------------------------------------------------------------------------


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
    answer=(OnBoard("line", "bridge", _bridge),),
)


# --- Loops that numbers, animals or ice tell, square by square --------------------------------------------------------


FULL_LOOP = {"f": "the loop passes every square"}
FULL_CORNERS = {"f": "the loop passes every corner"}
_corner_marks = WordRows(corner_rows, (Digits("corner mark"),), "0")

koburin = Kind(
    name="koburin",
    address=(On(cells, SPARSE, "clue"),),
    file=(Flag("o", "o"), Flag("m", "m"), Flag("b", "b"), clues(), shading(), lines_drawn()),
    params=lambda board: {"clue": grid(board), "corners": int("m" in board.flag)},
    answer=(shaded_at("shade"), drawn("draw")),
    flags="b",
    meant={"m": "a clue counts the shaded squares at its corners, too"},
    refused={"o": "all shaded squares are outside the loop"},
)

turnaround = Kind(
    name="turnaround",
    address=(On(cells, NUMBERS, "clue"),),
    file=(Flag("f", "f"), clues(), lines_drawn()),
    params=lambda board: {"clue": grid(board), "full": int("f" in board.flag)},
    answer=(drawn("draw"),),
    meant=FULL_LOOP,
)

vslither = Kind(
    name="vslither",
    model="vertex_slitherlink",
    address=(On(cells, SPARSE, "clue"),),
    file=(Flag("f", "f"), clues(), _colours, _framed_lines, _corner_marks),
    params=lambda board: {"clue": grid(board), "full": int("f" in board.flag)},
    answer=(edges("draw"),),
    meant=FULL_CORNERS,
)

tslither = vslither.named("tslither", "touch_slitherlink")


def _animal(value: Any) -> Any:
    """A sheep is 5 and a wolf is 6."""
    return {5: "s", 6: "w"}.get(value, value)


swslither = Kind(
    name="swslither",
    model="sheep_wolves",
    address=(On(cells, DECIMALS, "clue"),),
    file=(Flag("f", "f"), clues(), _colours, _framed_lines),
    older=(Flag("f", "f"), clues(), _framed_lines),
    params=lambda board: {"clue": grid(board, "clue", _animal), "full": int("f" in board.flag)},
    answer=(edges("draw"),),
    meant=FULL_CORNERS,
)


def _barns(board: Board) -> dict[str, Any]:
    return {"ice": grid(board, "ice", lambda _: "#"), "wall": [[*a, *b] for a, b in sorted(board.layer("border"))]}


def _barns_back(params: Params) -> dict[str, Layer]:
    wall: Layer = {((r, c), (i, j)): 1 for r, c, i, j in params["wall"]}
    return {"ice": dict.fromkeys(cells_in(params["ice"]), 1), "border": wall}


barns = Kind(
    name="barns",
    address=(On(cells, BITS, "ice"), On(borders, BITS, "border")),
    file=(WordRows(cell_rows, (Marked("ice", "1"),)), borders_as(Marked("border", "1")), lines_drawn()),
    params=_barns,
    back=_barns_back,
    answer=(drawn("draw"),),
)


# --- Loops that are told how long their lines are, or how many squares they pass --------------------------------------


def _full(params: Callable[[Board], dict[str, Any]]) -> Callable[[Board], dict[str, Any]]:
    """The same params, and whether the loop passes every square."""
    return lambda board: {**params(board), "full": int("f" in board.flag)}


def _dot(board: Board) -> dict[str, Any]:
    dot = board.layer("dot")
    return {"dot": [[dot.get(place) for place in row] for row in half_rows(board)]}


midloop = Kind(
    name="midloop",
    model="mid_loop",
    address=(On(halves, DOTS, "dot", ("x", "o")),),
    file=(Flag("f", "f"), LetterRows(half_rows, (Marked("dot", "1", "x"), Marked("dot", "2", "o"))), lines_drawn()),
    params=_full(_dot),
    answer=(drawn("draw"),),
    meant=FULL_LOOP,
)

geradeweg = turnaround.named(
    "geradeweg",
    params=_full(lambda board: {"clue": grid(board, "clue", lambda number: number or SECRET)}),  # 0 tells nothing
)


def _number(value: Any) -> Value | None:
    """The sum at a circle, if it is told."""
    if value == SECRET:
        raise LinkFault("one of its circles has no colour")
    return None if value // 2 == 0 else value // 2


def _circles(board: Board) -> dict[str, Any]:
    clue = grid(board, "circle", _number)
    return {"circle": grid(board, "circle", lambda value: "wb"[value % 2]), "clue": clue}


balance = Kind(
    name="balance",
    model="balance_loop",
    address=(On(cells, NUMBERS, "circle"),),
    file=(Flag("f", "f"), WordRows(cell_rows, (ColouredNumber("circle"),)), lines_drawn()),
    params=_full(_circles),
    answer=(drawn("draw"),),
    meant=FULL_LOOP,
)

_empty = NamedFlags((("e", "country_empty"),))
_length_colours = WordRows(cell_rows, (Digits("colour"),), "0")

country = Kind(
    name="country",
    model="country_road",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(_empty, borders_as(Marked("border", "1")), clues(), lines_drawn(), _length_colours),
    older=(_empty, Rooms(), clues(), lines_drawn(), _length_colours),
    version=2,
    params=lambda board: {"room": parted_rooms(board), "clue": grid(board)},
    answer=(drawn("draw"),),
    refused={"e": "regions may be left out"},
)


def _castle(board: Board) -> dict[str, Any]:
    def arrow(value: Any) -> Value | None:
        return value[1] or None

    def number(value: Any) -> Value:
        if not value[1] and value[2] != SECRET:
            raise LinkFault("one of its numbers has no arrow")
        found: Value = value[2]
        return found

    return {
        "colour": grid(board, "clue", lambda value: value[0]),
        "arrow": grid(board, "clue", arrow),
        "clue": grid(board, "clue", number),
    }


castle = Kind(
    name="castle",
    aliases=("castlewall",),
    model="castle_wall",
    address=(On(cells, CASTLES, "clue"),),
    file=(WordRows(cell_rows, (Castle("clue"),), blank="0,-1,0"), lines_drawn()),
    params=_castle,
    answer=(drawn("draw"),),
)


# --- Loops and lines on boards with regions ---------------------------------------------------------------------------


_walls = borders_as(Marked("border", "1"))


def _after(walls: FilePart, *printed: FilePart) -> tuple[FilePart, ...]:
    """A file: how it tells its regions, what is printed in them, and what a solver drew."""
    return (walls, *printed, lines_drawn(), _colours)


def _numbered(board: Board) -> dict[str, Any]:
    return {"room": room_grid(board), "clue": grid(board)}


yajilin_regions = Kind(
    name="yajilin-regions",
    aliases=("yajirin-regions",),
    model="regional_yajilin",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(Flag("o", "o"), Rooms(), clues(), shading(), lines_drawn()),
    params=_numbered,
    answer=(shaded_at("shade"), drawn("draw")),
    refused={"o": "all shaded squares are outside the loop"},
)

detour = Kind(
    name="detour",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=_after(_walls, clues()),
    older=_after(Rooms(), clues()),
    version=2,
    params=_numbered,
    answer=(drawn("draw"),),
)

_holes = WordRows(cell_rows, (Marked("hole", "*"),))


def _holed(board: Board) -> dict[str, Any]:
    return {"room": room_grid(board), "hole": grid(board, "hole", lambda _: "#")}


doubleback = Kind(
    name="doubleback",
    model="double_back",
    address=(On(borders, BITS, "border"), On(cells, BITS, "hole", optional=True)),
    file=_after(_walls, _holes),
    older=_after(Rooms(), _holes),
    version=2,
    params=_holed,
    answer=(drawn("draw"),),
)

_marks = WordRows(cell_rows, (Marked("mark", "1", "s"), Marked("mark", "2", "m")))

moonsun = Kind(
    name="moonsun",
    model="moon_or_sun",
    address=(On(borders, BITS, "border"), On(cells, TRIPLES, "mark", ("s", "m"))),
    file=_after(_walls, _marks),
    older=_after(Rooms(), _marks),
    version=2,
    params=lambda board: {"room": room_grid(board), "mark": grid(board, "mark")},
    answer=(drawn("draw"),),
)

_room_circles = WordRows(cell_rows, (Marked("circle", "1", "w"), Marked("circle", "2", "b")))

dotchi2 = Kind(
    name="dotchi2",
    model="dotchi_pearls",
    address=(On(borders, BITS, "border"), On(cells, TRIPLES, "circle", ("w", "b"))),
    file=_after(_walls, _room_circles),
    older=_after(Rooms(), _room_circles),
    version=2,
    params=lambda board: {"room": room_grid(board), "circle": grid(board, "circle")},
    answer=(drawn("draw"),),
)

_dotchi_circles = WordRows(cell_rows, (Marked("circle", "1", "o"), Marked("circle", "2", "*")))
_dotchi_marks = WordRows(cell_rows, (Marked("mark", "1", 1), Marked("mark", "2", 2)), "0", optional=True)

dotchi = Kind(
    name="dotchi",
    model="dotchi_loop",
    address=(On(borders, BITS, "border"), On(cells, TRIPLES, "circle", ("o", "*"))),
    file=(borders_as(Marked("border", "1")), _dotchi_circles, lines_drawn(), _dotchi_marks),
    older=(Rooms(), _dotchi_circles, lines_drawn(), _dotchi_marks),
    version=2,
    params=lambda board: {"room": room_grid(board), "circle": grid(board, "circle")},
    answer=(drawn("draw"),),
)


# --- Loops and roads that may cross themselves, or that are told by parts of them -------------------------------------


_parts = WordRows(
    cell_rows,
    (
        Marked("clue", "-", SECRET),
        Marked("clue", "o", "o"),
        *[Marked("clue", DIGITS[10 + at], part) for at, part in enumerate(PARTS)],
    ),
)


def _crossing(ends: frozenset[tuple[int, int, str]]) -> list[tuple[Place, Value]]:
    """The line between two squares; a bend within one square draws nothing."""
    squares = sorted({(r, c) for r, c, _ in ends})
    return [(tuple(squares), 1)] if len(squares) == 2 else []


def _pipes(name: str, model: str, drawn_as: str) -> Kind:
    """One loop through all squares, of which some parts are told."""
    return Kind(
        name=name,
        model=model,
        address=(On(cells, LINE_PARTS, "clue"),),
        file=(Passed(drawn_as), _parts, lines_drawn()),
        params=lambda board: {"clue": grid(board)},
        answer=(OnBoard("line", "draw", _crossing),),
    )


pipelink = _pipes("pipelink", "pipelink", "pipe")
pipelinkr = _pipes("pipelinkr", "pipelink_circles", "circle")


# --- Things that go along lines: bombs, blocks, planets ---------------------------------------------------------------


_went = WordRows(cell_rows, (Digits("dot"),), "0")  # a solver's notes

timebomb = Kind(
    name="timebomb",
    model="time_bomb",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), _went, lines_drawn()),
    answer=(drawn("step"),),
)

rectslider = timebomb.named("rectslider", "rectangle_slider", answer=(drawn("draw"),))

lring = Kind(
    name="lring",
    address=(On(cells, SPARSE, "clue"),),
    file=(Flag("f", "f"), clues(), lines_drawn()),
    params=_full(lambda board: {"arrow": grid(board, "clue", by_number(("^", "v", "<", ">"), "arrow"))}),
    answer=(drawn("draw"),),
    meant={"f": "the loop passes every square"},
)

orbital = Kind(
    name="orbital",
    address=(On(cells, BITS, "ice"), On(cells, NUMBERS, "clue")),
    file=(WordRows(cell_rows, (Marked("ice", "#"), Digits("clue"))), lines_drawn()),
    params=lambda board: {"dot": grid(board, "ice", lambda _: "o"), "clue": grid(board)},
    answer=(drawn("draw"),),
)

icewalk = Kind(
    name="icewalk",
    model="ice_walk",
    address=(On(cells, BITS, "ice"), On(cells, NUMBERS, "clue")),
    file=(Flag("f", "f"), WordRows(cell_rows, (Marked("ice", "#"), Digits("clue"))), _framed_lines),
    params=_full(lambda board: {"ice": grid(board, "ice", lambda _: "#"), "clue": grid(board)}),
    answer=(drawn("step"),),
    meant={"f": "the loop passes every square"},
)

onsen = Kind(
    name="onsen",
    address=(On(borders, BITS, "border"), On(cells, NUMBERS, "clue")),
    file=(Rooms(), clues(), lines_drawn()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(drawn("step"),),
)

circuitwalk = icewalk.named("circuitwalk", "circuit_walk")

# Lines between squares, or also those to squares outside, with letters by which a solver notes where they lead.
_noted = [Marked("way", letter, letter) for letter in "udlr"]
_ways: tuple[WordSense, ...] = (Digits("line", after="udlr"), Marked("no line", "-1"), *_noted)


def _onward(x: Cell, d: Cell, turn: int) -> list[tuple[Place, Value]]:
    """The line from a square in a direction; a turn within one square draws nothing."""
    return [] if turn else [(border(*x, x[0] + d[0], x[1] + d[1]), 1)]


vertigo = simpleloop.named(
    "vertigo",
    address=(On(cells, BITS, "hole", optional=True),),
    file=(WordRows(cell_rows, (Marked("hole", "*"),)), WordRows(border_rows, _ways, "0")),
    answer=(OnBoard("line", "go", _onward),),
)


def _icelom(full: int) -> Callable[[Board], dict[str, Any]]:
    """Params: where the line begins and ends, outside the board, and what it passes."""

    def params(board: Board) -> dict[str, Any]:
        outside, ends = sides(board), [only(board, layer) for layer in ("in", "out")]
        if max(ends) >= len(outside) or ends[0] == ends[1]:
            raise LinkFault(f"its line begins and ends at {ends[0]} and {ends[1]}, which are no two places outside")
        ice = grid(board, "ice", lambda _: "#")
        return {"full": full, "ends": [list(outside[at]) for at in ends], "ice": ice, "clue": grid(board)}

    return params


def _icelom_back(params: Params) -> dict[str, Layer]:
    sheet = Board("", len(params["clue"]), len(params["clue"][0]), "", {})
    ends = [sides(sheet).index(tuple(place)) for place in params["ends"]]
    ice: Layer = dict.fromkeys(cells_in(params["ice"]), 1)
    return {"ice": ice, "clue": cells_in(params["clue"]), "in": {(): ends[0]}, "out": {(): ends[1]}}


def _crossing_ice(name: str, passed: str, full: int, flags: str = "") -> Kind:
    """A line over ice from outside to outside. passed: the word of a file for what it passes."""

    def inner(sheet: Sheet) -> int:
        return len(borders(sheet))

    numbers = MarkedRows(cell_rows, (Digits("clue", secret="?"),))
    ends = (CountLine("in", inner), CountLine("out", inner))
    return Kind(
        name=name,
        model="icelom",
        address=(On(cells, BITS, "ice"), On(cells, NUMBERS, "clue"), CountAfter("in"), CountAfter("out")),
        file=(*ends, Passed(passed), numbers, WordRows(framed_border_rows, _ways, "0")),
        params=_icelom(full),
        back=_icelom_back,
        answer=(drawn("step"),),
        flags=flags,
        always=flags,
    )


icelom = _crossing_ice("icelom", "allwhite", 1, "a")
icelom2 = _crossing_ice("icelom2", "skipwhite", 0)
