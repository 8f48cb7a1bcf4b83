"""Squares to be shaded in regions, or about clues."""

from __future__ import annotations

from typing import Any

from covr.frozen import frozen
from covr.links.address_parts import On
from covr.links.board import SECRET, Board, BoardDraft, LinkFault
from covr.links.choices import shaded_at
from covr.links.codes import BITS, BYTES, MARKS_ONLY, NUMBERS, SIGNS, Letters
from covr.links.file_parts import TICKED, Digits, Marked, Rooms, WordRows, borders_as, clues, lines_drawn, shading
from covr.links.kind import Kind, OnBoard
from covr.links.places import borders, cell_rows, cells, deep_margin_rows, deep_margins, rooms
from covr.links.values import deep_margin, deep_margin_back, grid, holes_back, parted_rooms, walled, walls_back
from covr.links.values import rooms as room_grid

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
