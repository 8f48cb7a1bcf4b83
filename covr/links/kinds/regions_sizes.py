"""Regions that the answer makes, told by how many squares they have, or by what they hold."""

from __future__ import annotations

from typing import Any

from covr.frozen import frozen
from covr.links.address_parts import On
from covr.links.codes import BITS, COMPASSES, DECIMALS, DOUBLES, NUMBERS, Letters
from covr.links.file_parts import (
    IN_MARGIN,
    Digits,
    Edges,
    FileLines,
    Flag,
    FourNumbers,
    Marked,
    Rooms,
    WordRows,
    borders_as,
    clues,
    shading,
    written,
)
from covr.links.inverse import grid, letter, margin, rooms
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
    margin_rows,
    margins,
    room_numbers,
)
from covr.links.table import Kind, OnBoard, Params, outlined, shaded, shaded_at, walls


def _fillomino(board: Board) -> dict[str, Any]:
    if board.layer("border"):
        raise LinkFault("it has printed lines, which the model has not")
    return {"clue": grid(board), "most": 3 if "t" in board.flag else 0}


_PRINTED = (Marked("border", "X"), Marked("border", "-X"))

fillomino = Kind(
    name="fillomino",
    model="fillomino",
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

_HOLE = 7  # what addresses write for a square that is none


def _holes(sheet: Sheet) -> set[Place]:
    return {cell for cell, value in sheet.layer("clue").items() if value == _HOLE}


def _with_holes(board: Board) -> list[list[Any]]:
    return grid(board, "clue", lambda value: "#" if value == _HOLE else value)


def _sides_counted(name: str, model: str, params: dict[str, Any]) -> Kind:
    """Numbers count the lines round their squares."""
    printed = WordRows(cell_rows, (Marked("clue", "*", _HOLE), Digits("clue")))
    return Kind(
        name=name,
        model=model,
        address=(On(cells, DECIMALS, "clue"),),
        file=(printed, Edges(holes=_holes, rows=framed_border_rows)),
        older=(printed, Edges(holes=_holes)) if name == "fourcells" else (),
        params=lambda board: {"clue": _with_holes(board), **params},
        answer=outlined("lay", _holes),
    )


nawabari = _sides_counted("nawabari", "nawabari", {})
fourcells = _sides_counted("fourcells", "fourcells", {"many": 4})
fivecells = _sides_counted("fivecells", "fourcells", {"many": 5})


araf = Kind(
    name="araf",
    model="araf",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), Edges()),
    params=lambda board: {"clue": grid(board)},
    answer=walls(),
)

dominion = Kind(
    name="dominion",
    model="dominion",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), shading()),
    params=lambda board: {"clue": grid(board, "clue", letter)},
    answer=(OnBoard("shaded", "lay", lambda domino: [(cell, 1) for cell in domino]),),
)


def _compass(board: Board) -> dict[str, Any]:
    """Each compass by its number, and what it says."""
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
    """The compasses of a board from what the model is told."""
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
    model="compass",
    address=(On(cells, COMPASSES, "clue"),),
    file=(
        WordRows(cell_rows, (Marked("clue", "#", "#"), FourNumbers("clue"))),
        Edges(holes=lambda draft: {cell for cell, value in draft.layer("clue").items() if value == "#"}),
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
        """Read the rows."""
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
        """The rows."""
        return written().write(board)


def _unprinted(x: Place, d: Value, board: Board) -> list[tuple[Place, Value]]:
    return [] if board.layer("clue").get(x, SECRET) != SECRET else [(x, d)]


nanro = Kind(
    name="nanro",
    model="nanro",
    address=(On(borders, BITS, "border"), On(cells, NUMBERS, "clue")),
    file=(borders_as(Marked("border", "1")), clues(), CountedNumbers()),
    older=(Rooms(), clues(), CountedNumbers()),
    params=lambda board: {"room": rooms(board), "clue": grid(board)},
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
        """Read the borders."""
        places = borders(draft)
        inner = len(places)
        if 5 * (len(letters.text.rstrip("/")) - letters.at) >= inner + 5:  # a letter more than those need
            places = [*places, *_frame(draft)]
        values = BITS.read(letters, len(places))
        values[letters.told : inner] = [1] * (inner - letters.told)
        draft.layer("gap").update({place: 1 for place, value in zip(places, values, strict=True) if value})

    def write(self, board: Board) -> str:
        """The borders."""
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
    model="mejilink",
    address=(FramedGaps(),),
    file=(WordRows(framed_border_rows, (Marked("gap", "0"), Marked("line", "2"), Marked("no line", "-1")), "1"),),
    params=_mejilink,
    back=_mejilink_back,
    answer=(OnBoard("line", "draw", _line_at),),
)

view = Kind(
    name="view",
    model="view",
    address=(On(cells, NUMBERS, "clue"),),
    file=(clues(), written()),
    params=lambda board: {"clue": grid(board)},
    answer=lambda board: (OnBoard("number", "place", lambda x, d: [] if x in board.layer("clue") else [(x, d)]),),
)

patchwork = Kind(
    name="patchwork",
    model="patchwork",
    address=(On(cells, NUMBERS, "clue"),),
    file=(shading(Digits("clue")), Edges()),
    params=lambda board: {"clue": grid(board)},
    answer=lambda board: (*outlined("lay")(board), shaded_at("shade")),
)

symmarea = Kind(
    name="symmarea",
    aliases=("symmetryarea",),
    model="symmetry_area",
    address=fillomino.address,
    file=(Flag("t", "t"), clues(), written(), Edges(filled=True, more=_PRINTED)),
    params=_fillomino,
    answer=walls(),
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
