"""Regions that the answer makes, told by their shapes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from covr.frozen import frozen
from covr.links.address_parts import TRIPLACE_ADDRESS, TRIPLACE_ROWS, On
from covr.links.codes import ARROWED, BITS, DECIMALS, DOTS, NUMBERS, SPARSE, TRIPLES, shortened
from covr.links.file_parts import (
    Arrowed,
    Digits,
    Edges,
    FileLines,
    Flag,
    LetterRows,
    Marked,
    Rooms,
    WordRows,
    borders_as,
    clues,
    lines_drawn,
    shading,
    written,
)
from covr.links.inverse import Bank, BankLines, TickedLine, drawn_pieces, grid
from covr.links.inverse import rooms as room_grid
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
    cell_rows,
    cells,
    framed_border_rows,
    half_rows,
    halves,
    rooms,
)
from covr.links.table import Kind, OnBoard, Params, drawn, outlined, shaded_at, walls

# --- regions ---------------------------------------------------------------------------------------------------------
# Regions that the answer makes.


shikaku = Kind(
    name="shikaku",
    model="shikaku",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), borders_as(Marked("edge", "1"), Marked("no edge", "-1"))),
    params=lambda board: {"clue": grid(board)},
    answer=outlined("lay"),
)


# --- regions shapes --------------------------------------------------------------------------------------------------
# Regions that the answer makes, told by their shapes.


def _middles(sheet: Sheet) -> list[Place]:
    """The middles of all cells, as places of `halves`."""
    return [(2 * r - 1, 2 * c - 1) for r, c in cells(sheet)]


def _holes(sheet: Sheet) -> set[Place]:
    return {((i + 1) // 2, (j + 1) // 2) for i, j in sheet.layer("hole")}


def _tentaisho(board: Board) -> dict[str, Any]:
    """A character for each place of `halves`."""
    star, hole = board.layer("star"), board.layer("hole")
    return {"star": [["#" if place in hole else star.get(place) for place in row] for row in half_rows(board)]}


_coloured = WordRows(cell_rows, (Marked("colour", "1", 1), Marked("colour", "2", 2), Marked("colour", "3", 3)), "0")

tentaisho = Kind(
    name="tentaisho",
    aliases=("spiralgalaxies", "galaxies"),
    model="tentaisho",
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
    """The halved squares of a rectangle."""
    return [(cell, corner) for cell, corner in shape if corner]


shakashaka = Kind(
    name="shakashaka",
    aliases=("proofofquilt",),
    model="shakashaka",
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
    """A sign by its number."""
    if number not in SIGNS:
        raise LinkFault(f"it has a sign {number}, which means nothing")
    return SIGNS[number]


SIGNS: Mapping[Value, str] = {1: "|", 2: "-", 3: "+", SECRET: "?"}

tatamibari = Kind(
    name="tatamibari",
    model="tatamibari",
    address=(On(cells, NUMBERS, "clue"),),
    file=(
        WordRows(cell_rows, (*[Marked("clue", word, value) for word, value in zip("abc-", SIGNS, strict=True)],)),
        Edges(),
    ),
    params=lambda board: {"clue": grid(board, "clue", _sign)},
    answer=outlined("lay"),
)

squarejam = Kind(
    name="squarejam",
    model="square_jam",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), Edges()),
    params=lambda board: {"clue": grid(board)},
    answer=outlined("lay"),
)


_LETTERS = {"tetrominous": "ILOST", "pentominous": "FILNPTUVWXYZ"}
_HOLE = 12  # what addresses write for a square that is none


def _no_squares(sheet: Sheet) -> set[Place]:
    return {cell for cell, value in sheet.layer("clue").items() if value == _HOLE}


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
    """The arrows of a clue."""
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
    model="pentopia",
    address=(On(cells, NUMBERS, "clue", lenient=True), BANK),
    file=(BankLines(BANK), Flag("t", "t"), clues(), shading(), TickedLine()),
    params=_pentopia,
    answer=(OnBoard("shaded", "put", lambda _, squares: [(cell, 1) for cell in squares]),),
    meant={"t": "pieces may lie on arrows"},
)

fillmat = Kind(
    name="fillmat",
    model="fillmat",
    address=(On(cells, DECIMALS, "clue"),),
    file=(clues(), Edges()),
    params=lambda board: {"clue": grid(board)},
    answer=outlined("lay"),
)


def _black(value: Any) -> str:
    if value != 7:
        raise LinkFault(f"it has a number {value}, and none is meant")
    return "#"


def _black_squares(sheet: Sheet) -> Collection[Place]:
    return sheet.layer("black")


heteromino = Kind(
    name="heteromino",
    model="heteromino",
    address=(On(cells, DECIMALS, "black"),),
    file=(
        WordRows(cell_rows, (Marked("black", "*", 7),)),
        Edges(holes=_black_squares, rows=framed_border_rows),
    ),
    params=lambda board: {"board": grid(board, "black", _black)},
    answer=outlined("lay", _black_squares),
)

bosnianroad = Kind(
    name="bosnianroad",
    model="bosnian_road",
    address=(On(cells, DECIMALS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board)},
    answer=(shaded_at("shade"),),
)

hinge = Kind(
    name="hinge",
    model="hinge",
    address=(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), shading()),
    older=(Rooms(), clues(), shading()),
    params=lambda board: {"room": room_grid(board), "clue": grid(board)},
    answer=(OnBoard("shaded", "shade", lambda x, *_: [(x, 1)]),),
)


def _walls(board: Board) -> list[list[int]]:
    """The printed lines, each as the rows and columns of the squares on its sides."""
    return [[*a, *b] for a, b in sorted(board.layer("border"))]


yajitatami = Kind(
    name="yajitatami",
    model="yajitatami",
    address=(On(cells, ARROWED, "clue"), On(borders, BITS, "border", optional=True)),
    file=(WordRows(cell_rows, (Arrowed("clue"),)), borders_as(Marked("border", "1")), Edges()),
    params=lambda board: {
        "clue": grid(board, "clue", lambda value: value[1]),
        "arrow": grid(board, "clue", lambda value: value[0] or None),
        "wall": _walls(board),
    },
    answer=outlined("lay"),
)

_circles = WordRows(cell_rows, (Marked("circle", "1", "o"), Marked("circle", "2", "*")))
_marks = WordRows(cell_rows, (Marked("mark", "1", 1), Marked("mark", "2", 2)), "0", optional=True)

dotchi = Kind(
    name="dotchi",
    model="dotchi_loop",
    address=(On(borders, BITS, "border"), On(cells, TRIPLES, "circle", ("o", "*"))),
    file=(borders_as(Marked("border", "1")), _circles, lines_drawn(), _marks),
    older=(Rooms(), _circles, lines_drawn(), _marks),
    version=2,
    params=lambda board: {"room": room_grid(board), "circle": grid(board, "circle")},
    answer=(drawn("draw"),),
)

MARKS = "x*+o"  # a plain line, and black, grey and white dots, by their numbers


def _all_borders(sheet: Sheet) -> list[Place]:
    """All borders as one row of places."""
    return list(borders(sheet))


def _voxas(board: Board) -> dict[str, Any]:
    """A character for each square and each border."""
    rows: list[list[Any]] = [[None] * (2 * board.width - 1) for _ in range(2 * board.height - 1)]
    for place, mark in board.layer("mark").items():
        (r, c), (i, j) = place
        if not isinstance(mark, int) or mark >= len(MARKS):
            raise LinkFault(f"it has a mark {mark}, which means nothing")
        rows[r + i - 2][c + j - 2] = MARKS[mark]
    return {"mark": rows, "tatami": int("t" in board.flag)}


voxas = Kind(
    name="voxas",
    model="voxas",
    address=(On(_all_borders, SPARSE, "mark"),),
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
    params=_voxas,
    answer=outlined("lay", printed="mark"),
    meant={"t": "four strips never meet at a point"},
)


@frozen
class CircledNumbers:
    """Rows of numbers from 1 on, after a `#` where a circle is; 0 is for none."""

    layers = ("circle", "clue")

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        """Read the rows."""
        for r in range(1, draft.height + 1):
            words = lines.take().split()
            if len(words) != draft.width:
                raise LinkFault(f"a row has {len(words)} words instead of {draft.width}")
            for c, word in enumerate(words, 1):
                number = Digits("clue").read(word.removeprefix("#"))
                if number is None and word not in ("#", "."):
                    raise LinkFault(f"`{shortened(word)}` means nothing there")
                if word.startswith("#"):
                    draft.layer("circle")[r, c] = 1
                if number:
                    draft.layer("clue")[r, c] = number

    def write(self, board: Board) -> list[str]:
        """The rows."""
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
    model="triplace",
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
