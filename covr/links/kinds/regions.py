"""Regions that the answer makes, told by their shapes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from covr.frozen import frozen
from covr.links.address_parts import TRIPLACE_ADDRESS, TRIPLACE_ROWS, On
from covr.links.codes import (
    ARROWED,
    BITS,
    COMPASSES,
    DECIMALS,
    DOTS,
    DOUBLES,
    NUMBERS,
    SPARSE,
    TRIPLES,
    Letters,
    shortened,
)
from covr.links.file_parts import (
    IN_MARGIN,
    Arrowed,
    Digits,
    Edges,
    FileLines,
    Flag,
    FourNumbers,
    LetterRows,
    Marked,
    Rooms,
    WordRows,
    borders_as,
    clues,
    shading,
    words_of,
    written,
)
from covr.links.inverse import Bank, BankLines, TickedLine, between, drawn_pieces, grid, letter, margin
from covr.links.places import (
    SECRET,
    Board,
    BoardDraft,
    Cell,
    LinkFault,
    Place,
    Sheet,
    Value,
    borders,
    borders_in_one,
    cell_rows,
    cells,
    framed_border_rows,
    half_rows,
    halves,
    margin_rows,
    margins,
    room_numbers,
)
from covr.links.table import Kind, OnBoard, Params, clues_in_rooms, outlined, shaded, shaded_at, walls

shikaku = Kind(
    name="shikaku",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), borders_as(Marked("edge", "1"), Marked("no edge", "-1"))),
    answer=outlined("lay"),
)


# --- Regions that the answer makes, told by their shapes --------------------------------------------------------------


def _middles(sheet: Sheet) -> list[Place]:
    """The middles of all cells, as places of `halves`."""
    return [(2 * r - 1, 2 * c - 1) for r, c in cells(sheet)]


def _holes(sheet: Sheet) -> set[Place]:
    return {((i + 1) // 2, (j + 1) // 2) for i, j in sheet.layer("hole")}


def _tentaisho(board: Board) -> dict[str, Any]:
    star, hole = board.layer("star"), board.layer("hole")
    return {"star": [["#" if place in hole else star.get(place) for place in row] for row in half_rows(board)]}


_coloured = WordRows(cell_rows, (Marked("colour", "1", 1), Marked("colour", "2", 2), Marked("colour", "3", 3)), "0")

tentaisho = Kind(
    name="tentaisho",
    aliases=("spiralgalaxies", "galaxies"),
    address=(On(halves, DOTS, "star", ("o", "*")), On(_middles, BITS, "hole", optional=True)),
    file=(
        LetterRows(half_rows, (Marked("star", "1", "o"), Marked("star", "2", "*"), Marked("hole", "X"))),
        Edges(holes=_holes),
        _coloured,
    ),
    params=_tentaisho,
    answer=walls(),
)

# The halves of a square that is halved, by the numbers that files have for them.
HALVES = {2: "◣", 3: "◢", 4: "◥", 5: "◤"}


def _halved(shape: Collection[tuple[Cell, str]]) -> list[tuple[Place, Value]]:
    return [(cell, corner) for cell, corner in shape if corner]


shakashaka = Kind(
    name="shakashaka",
    aliases=("proofofquilt",),
    address=(On(cells, SPARSE, "clue"),),
    file=(
        WordRows(cell_rows, (Marked("clue", "5", SECRET), Digits("clue"))),
        WordRows(
            cell_rows,
            (
                *[Marked("half", str(number), half) for number, half in HALVES.items()],
                Marked("dot", "+"),
                Marked("dot", "-", 2),
            ),
        ),
    ),
    params=lambda board: {"board": grid(board, "clue", lambda value: "#" if value == SECRET else value)},
    answer=(OnBoard("half", "lay", _halved),),
)


def _sign(number: Any) -> str:
    if number not in SIGNS:
        raise LinkFault(f"it has a sign {number}, which means nothing")
    return SIGNS[number]


SIGNS: Mapping[Value, str] = {1: "|", 2: "-", 3: "+", SECRET: "?"}

tatamibari = Kind(
    name="tatamibari",
    address=(On(cells, NUMBERS, "clue"),),
    file=(
        WordRows(cell_rows, (*[Marked("clue", word, value) for word, value in zip("abc-", SIGNS, strict=True)],)),
        Edges(),
    ),
    params=lambda board: {"clue": grid(board, "clue", _sign)},
    answer=outlined("lay"),
)

squarejam = shikaku.named("squarejam", "square_jam", file=(clues(), Edges()))


_LETTERS = {"tetrominous": "ILOST", "pentominous": "FILNPTUVWXYZ"}
_HOLE = 12  # what addresses write for a square that is none


def _squares_with(clue: Value) -> Callable[[Sheet], set[Place]]:
    return lambda sheet: {cell for cell, value in sheet.layer("clue").items() if value == clue}


_no_squares = _squares_with(_HOLE)


def _lettered(name: str) -> Kind:
    """Regions of one size, of which those that touch have unlike shapes. Letters tell shapes."""
    letters = _LETTERS[name]

    def said(number: Any) -> str:
        if number in (SECRET, _HOLE):
            return SECRET if number == SECRET else "#"
        if number >= len(letters):
            raise LinkFault(f"it has a letter {number}, which is no shape")
        return letters[number]

    return Kind(
        name=name,
        model=name,
        address=(On(cells, NUMBERS, "clue"), On(borders, BITS, "border", optional=True)),
        file=(
            WordRows(cell_rows, (Marked("clue", "*", _HOLE), Digits("clue"))),
            written(),
            Edges(holes=_no_squares, filled=True, more=(Marked("border", "X"), Marked("border", "-X"))),
        ),
        params=lambda board: {
            "clue": grid(board, "clue", said),
            "wall": [[*a, *b] for a, b in sorted(board.layer("border"))],
        },
        answer=outlined("lay", _no_squares),
    )


tetrominous, pentominous = _lettered("tetrominous"), _lettered("pentominous")

BANK = Bank()
ARROWS = "udlr"  # by the bits of a number


def _arrows(number: Any) -> str:
    if number in (SECRET, 0):
        return SECRET
    if number >= 1 << len(ARROWS):
        raise LinkFault(f"it has arrows {number}, which mean nothing")
    return "".join([letter for bit, letter in enumerate(ARROWS) if number >> bit & 1])


def _pentopia(board: Board) -> dict[str, Any]:
    return {"arrow": grid(board, "clue", _arrows), "pieces": drawn_pieces(board), "over": int("t" in board.flag)}


statuepark = Kind(
    name="statuepark",
    model="statue_park",
    address=(On(cells, TRIPLES, "clue", ("w", "b"), lenient=True), BANK),
    file=(
        BankLines(BANK),
        WordRows(cell_rows, (Marked("clue", "1", "w"), Marked("clue", "2", "b"))),
        shading(),
        TickedLine(),
    ),
    params=lambda board: {"clue": grid(board), "pieces": drawn_pieces(board)},
    answer=(OnBoard("shaded", "put", lambda _, squares: [(cell, 1) for cell in squares]),),
)

pentopia = Kind(
    name="pentopia",
    address=(On(cells, NUMBERS, "clue", lenient=True), BANK),
    file=(BankLines(BANK), Flag("t", "t"), clues(), shading(), TickedLine()),
    params=_pentopia,
    answer=(OnBoard("shaded", "put", lambda _, squares: [(cell, 1) for cell in squares]),),
    meant={"t": "pieces may lie on arrows"},
)

fillmat = squarejam.named("fillmat", address=(On(cells, DECIMALS, "clue"),))


def _black(value: Any) -> str:
    if value != 7:
        raise LinkFault(f"it has a number {value}, and none is meant")
    return "#"


def _black_squares(sheet: Sheet) -> Collection[Place]:
    return sheet.layer("black")


heteromino = Kind(
    name="heteromino",
    address=(On(cells, DECIMALS, "black"),),
    file=(
        WordRows(cell_rows, (Marked("black", "*", 7),)),
        Edges(holes=_black_squares, rows=framed_border_rows),
    ),
    params=lambda board: {"board": grid(board, "black", _black)},
    answer=outlined("lay", _black_squares),
)


def _walls(board: Board) -> list[list[int]]:
    """The printed lines, each as the rows and columns of the squares on its sides."""
    return [[*a, *b] for a, b in sorted(board.layer("border"))]


yajitatami = Kind(
    name="yajitatami",
    address=(On(cells, ARROWED, "clue"), On(borders, BITS, "border", optional=True)),
    file=(WordRows(cell_rows, (Arrowed("clue"),)), borders_as(Marked("border", "1")), Edges()),
    params=lambda board: {
        "clue": grid(board, "clue", lambda value: value[1]),
        "arrow": grid(board, "clue", lambda value: value[0] or None),
        "wall": _walls(board),
    },
    answer=outlined("lay"),
)

MARKS = "x*+o"  # a plain line, and black, grey and white dots, by their numbers


def _mark(_: Any, mark: Value) -> str:
    if not isinstance(mark, int) or mark >= len(MARKS):
        raise LinkFault(f"it has a mark {mark}, which means nothing")
    return MARKS[mark]


voxas = Kind(
    name="voxas",
    address=(On(borders_in_one, SPARSE, "mark"),),
    file=(
        Flag("t", "t"),
        Edges(
            more=tuple(
                [Marked("mark", sign + str(number), number - 1) for number in range(1, 5) for sign in ("", "-")]
            ),
            drawn=(Marked("edge", "5"), Marked("edge", "-5"), Marked("no edge", "-0")),
            printed="mark",
        ),
    ),
    params=lambda board: {"mark": between(board, "mark", _mark), "tatami": int("t" in board.flag)},
    answer=outlined("lay", printed="mark"),
    meant={"t": "four strips never meet at a point"},
)


@frozen
class CircledNumbers:
    """Rows of numbers from 1 on, after a `#` where a circle is; 0 is for none."""

    layers = ("circle", "clue")

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        for r in range(1, draft.height + 1):
            for c, word in enumerate(words_of(lines, draft.width), 1):
                number = Digits("clue").read(word.removeprefix("#"))
                if number is None and word not in ("#", "."):
                    raise LinkFault(f"`{shortened(word)}` means nothing there")
                if word.startswith("#"):
                    draft.layer("circle")[r, c] = 1
                if number:
                    draft.layer("clue")[r, c] = number

    def write(self, board: Board) -> list[str]:
        circle, clue = board.layer("circle"), board.layer("clue")

        def word(cell: Place) -> str:
            number = Digits("clue").write(clue[cell]) if cell in clue else ""
            return ("#" if cell in circle else "") + number or "."

        return [" ".join(map(word, row)) for row in cell_rows(board)]


familyphoto = Kind(
    name="familyphoto",
    model="family_photo",
    address=(On(cells, BITS, "circle"), On(cells, NUMBERS, "clue")),
    file=(CircledNumbers(), Edges()),
    params=lambda board: {"clue": grid(board), "circle": grid(board, "circle", lambda _: "o")},
    answer=outlined("lay"),
)


def _triplace(board: Board) -> dict[str, Any]:
    """The numbers with a margin above and to the left; a black square without any is `#`."""
    across, down, black = board.layer("across"), board.layer("down"), board.layer("black")
    places = [[(r, c) for c in range(board.width + 1)] for r in range(board.height + 1)]
    return {
        "across": [[across.get(x, "#" if x in black and x not in down else None) for x in row] for row in places],
        "down": [[down.get(x) for x in row] for row in places],
    }


def _triplace_back(params: Params) -> dict[str, dict[Place, Value]]:
    """The numbers of a board, and its black squares, from what the model is told."""
    found: dict[str, dict[Place, Value]] = {"across": {}, "down": {}, "black": {}}
    for name in ("across", "down"):
        for r, row in enumerate(params[name]):
            for c, number in enumerate(row):
                if number is not None and r and c:
                    found["black"][r, c] = 1
                if isinstance(number, int):
                    found[name][r, c] = number
    return found


triplace = Kind(
    name="triplace",
    address=(TRIPLACE_ADDRESS,),
    file=(
        TRIPLACE_ROWS,
        Edges(holes=_black_squares),
        WordRows(cell_rows, (Marked("colour", "+", 1), Marked("colour", "-", 2))),
    ),
    params=_triplace,
    back=_triplace_back,
    answer=outlined("lay", _black_squares, first=2),  # the model counts the margins
)


def _fillomino(board: Board) -> dict[str, Any]:
    if board.layer("border"):
        raise LinkFault("it has printed lines, which the model has not")
    return {"clue": grid(board), "most": 3 if "t" in board.flag else 0}


_PRINTED = (Marked("border", "X"), Marked("border", "-X"))

fillomino = Kind(
    name="fillomino",
    address=(On(cells, NUMBERS, "clue"), On(borders, BITS, "border", optional=True)),
    file=(
        Flag("t", "t"),
        clues(),
        written(),
        Edges(filled=True, more=_PRINTED),
    ),
    params=_fillomino,
    answer=walls(),
    meant={"t": "no region has more than three squares"},
)

_NO_CELL = 7  # what addresses write for a square that is none


_no_cells = _squares_with(_NO_CELL)


def _with_holes(board: Board) -> list[list[Any]]:
    return grid(board, "clue", lambda value: "#" if value == _NO_CELL else value)


def _sides_counted(name: str, model: str, params: dict[str, Any]) -> Kind:
    """Numbers count the lines round their squares."""
    printed = WordRows(cell_rows, (Marked("clue", "*", _NO_CELL), Digits("clue")))
    return Kind(
        name=name,
        model=model,
        address=(On(cells, DECIMALS, "clue"),),
        file=(printed, Edges(holes=_no_cells, rows=framed_border_rows)),
        older=(printed, Edges(holes=_no_cells)) if name == "fourcells" else (),
        params=lambda board: {"clue": _with_holes(board), **params},
        answer=outlined("lay", _no_cells),
    )


nawabari = _sides_counted("nawabari", "nawabari", {})
fourcells = _sides_counted("fourcells", "fourcells", {"many": 4})
fivecells = _sides_counted("fivecells", "fourcells", {"many": 5})


araf = Kind(
    name="araf",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), Edges()),
    answer=walls(),
)

dominion = Kind(
    name="dominion",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board, "clue", letter)},
    answer=(OnBoard("shaded", "lay", lambda domino: [(cell, 1) for cell in domino]),),
)


def _compass(board: Board) -> dict[str, Any]:
    clue = board.layer("clue")
    found = [cell for cell in sorted(clue) if clue[cell] != "#"]
    name = {cell: number for number, cell in enumerate(found, 1)}
    rows = range(1, board.height + 1)
    says: dict[Place, Any] = dict(clue)  # the four numbers of a compass
    said = [
        dict(zip(("name", "up", "down", "left", "right"), (name[cell], *says[cell]), strict=True)) for cell in found
    ]
    return {
        "clue": [[name.get((r, c), clue.get((r, c))) for c in range(1, board.width + 1)] for r in rows],
        "compass": said,
    }


def _compass_back(params: Params) -> dict[str, dict[Place, Value]]:
    said = {str(row["name"]): row for row in params["compass"]}
    clue: dict[Place, Value] = {}
    for r, row in enumerate(params["clue"], 1):
        for c, name in enumerate(row, 1):
            if name == "#":
                clue[r, c] = "#"
            elif name is not None:
                clue[r, c] = tuple([said[str(name)][side] for side in ("up", "down", "left", "right")])
    return {"clue": clue}


compass = Kind(
    name="compass",
    address=(On(cells, COMPASSES, "clue"),),
    file=(
        WordRows(cell_rows, (Marked("clue", "#", "#"), FourNumbers("clue"))),
        Edges(holes=_squares_with("#")),
    ),
    params=_compass,
    back=_compass_back,
    answer=walls(),
)


@frozen
class CountedNumbers:
    """The numbers that a solver wrote. A square of which only is said that it has one gets that of its region: what
    others in it say, or how many squares of the region have one."""

    layers = ("number", "dot")

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        written().read(lines, draft)
        number, dot, clue = draft.layer("number"), draft.layer("dot"), draft.layer("clue")
        regions: dict[int, list[Cell]] = {}
        for cell, room in room_numbers(draft).items():
            regions.setdefault(room, []).append(cell)
        for region in regions.values():
            filled = [cell for cell in region if cell in clue or cell in number or dot.get(cell) == 1]
            told = {number.get(cell, clue.get(cell, SECRET)) for cell in filled} - {SECRET}
            for cell in filled:
                if clue.get(cell, SECRET) == SECRET and cell not in number and len(told) < 2:
                    number[cell] = min(told, default=len(filled))
                    dot.pop(cell, None)

    def write(self, board: Board) -> list[str]:
        return written().write(board)


def _unprinted(x: Place, d: Value, board: Board) -> list[tuple[Place, Value]]:
    return [] if board.layer("clue").get(x, SECRET) != SECRET else [(x, d)]


nanro = Kind(
    name="nanro",
    address=(On(borders, BITS, "border"), On(cells, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), CountedNumbers()),
    older=(Rooms(), clues(), CountedNumbers()),
    params=clues_in_rooms,
    answer=lambda board: (OnBoard("number", "place", lambda x, d: _unprinted(x, d, board)),),
)


def _frame(sheet: Sheet) -> list[Place]:
    """The borders on the frame: above, below, left, right."""
    across, down = range(1, sheet.width + 1), range(1, sheet.height + 1)
    return [
        *[((0, c), (1, c)) for c in across],
        *[((sheet.height, c), (sheet.height + 1, c)) for c in across],
        *[((r, 0), (r, 1)) for r in down],
        *[((r, sheet.width), (r, sheet.width + 1)) for r in down],
    ]


@frozen
class FramedGaps:
    """The borders where no line is: those inside, and those on the frame if there is one among them."""

    layers = ("gap",)

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        places = borders(draft)
        inner = len(places)
        if 5 * (len(letters.text.rstrip("/")) - letters.at) >= inner + 5:  # a letter more than those need
            places = [*places, *_frame(draft)]
        values = BITS.read(letters, len(places))
        values[letters.places_read : inner] = [1] * (inner - letters.places_read)
        draft.layer("gap").update({place: 1 for place, value in zip(places, values, strict=True) if value})

    def write(self, board: Board) -> str:
        gap = board.layer("gap")
        framed = any(place in gap for place in _frame(board))
        return BITS.write([gap.get(place) for place in [*borders(board), *(_frame(board) if framed else ())]])


def _mejilink(board: Board) -> dict[str, Any]:
    """A character for each line, and none for each gap."""
    gap = board.layer("gap")
    rows: list[list[Any]] = [[None] * (2 * board.width + 1) for _ in range(2 * board.height + 1)]
    for row in framed_border_rows(board):
        for place in row:
            (r, c), (i, j) = place
            if place not in gap:
                rows[r + i - 1][c + j - 1] = "|" if r == i else "-"
    return {"board": rows}


def _line_at(e: tuple[int, int]) -> list[tuple[Place, Value]]:
    """The border at a place of such a picture, counted from 1."""
    i, j = e
    return [(((i // 2, j // 2), ((i + 1) // 2, (j + 1) // 2)), 1)]


def _mejilink_back(params: Params) -> dict[str, dict[Place, Value]]:
    """The gaps of a board from its picture."""
    rows = params["board"]
    places = [(i, j) for i in range(1, len(rows) + 1) for j in range(1, len(rows[0]) + 1) if (i + j) % 2]
    return {
        "gap": {pair: 1 for place in places if rows[place[0] - 1][place[1] - 1] is None for pair, _ in _line_at(place)}
    }


mejilink = Kind(
    name="mejilink",
    address=(FramedGaps(),),
    file=(WordRows(framed_border_rows, (Marked("gap", "0"), Marked("line", "2"), Marked("no line", "-1")), "1"),),
    params=_mejilink,
    back=_mejilink_back,
    answer=(OnBoard("line", "draw", _line_at),),
)

view = Kind(
    name="view",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), written()),
    answer=lambda board: (OnBoard("number", "place", lambda x, d: [] if x in board.layer("clue") else [(x, d)]),),
)

patchwork = Kind(
    name="patchwork",
    address=(On(cells, NUMBERS, "clue"),),
    file=(shading(Digits("clue")), Edges()),
    answer=lambda board: (*outlined("lay")(board), shaded_at("shade")),
)

symmarea = fillomino.named(
    "symmarea",
    "symmetry_area",
    aliases=("symmetryarea",),
    address=fillomino.address,
    meant=fillomino.meant,
)

box = Kind(
    name="box",
    aliases=("kakurasu",),
    model="kakurasu",
    address=(On(margins, DOUBLES, "margin", missing=0),),
    file=(WordRows(margin_rows, (Marked("shaded", "#"), Marked("dot", "+")), outside=(IN_MARGIN,)),),
    params=lambda board: {"across": margin(board, "left"), "down": margin(board, "top")},
    answer=(shaded("shade"),),
)


def _halves(board: Board) -> dict[str, Any]:
    if board.width % 2:
        raise LinkFault(f"it has {board.width} columns, and its two boards are of one width")
    return {"clue": grid(board)}


tachibk = Kind(
    name="tachibk",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), Edges(), WordRows(cell_rows, (), optional=True)),
    params=_halves,
    answer=walls(),
)
