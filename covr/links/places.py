"""A board as it was read, and its places in the orders of links and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import field

from covr.frozen import frozen

# --- A puzzle as it was read from a link: its kind, its size, and what stands on the board, layer by layer ------------
# A layer maps places to what stands there. Places are written as the models write them: a cell is (row, column), from
# 1; a corner is (row, column), from 1, up to height + 1 and width + 1; a border is the pair of the cells on its two
# sides, of which one may lie outside the board; a place in the margin is a cell outside the board, such as (0, 3). A
# value is a number, a word, `"?"` for a clue whose number is kept secret, or a tuple of these. What is blank is not in
# the layer.


Value = int | str | tuple[Any, ...]
Place = tuple[Any, ...]
Cell = tuple[int, int]
Layer = Mapping[Place, Value]

SECRET = "?"  # a clue that is there, but does not say its number
MOST_CELLS = 10_000  # no puzzle that people share is nearly as large; a sheet of 100 by 100 is read
LONGEST = 1_000_000  # characters of a link or file


class LinkFault(Exception):
    """What is wrong with a link or file, as one line that follows `the link can't be read:`. help: a line of advice."""

    help = ""

    def __init__(self, words: str) -> None:
        super().__init__("".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in words))


class Variant(LinkFault):
    """The puzzle has a rule that the model of its kind has not."""


@frozen
class Board:
    """A puzzle, perhaps with an answer. kind: its name in links. flag: the letters before the size of an address.

    layers: what stands on the board; layers without anything are left out, so that equal puzzles are equal values.
    remark: what is odd about the link that it was read from, in words that follow its name; mostly "".
    """

    kind: str
    height: int
    width: int
    flag: str
    layers: Mapping[str, Layer]
    remark: str = field(default="", eq=False)

    def layer(self, name: str) -> Layer:
        """What stands in that layer, perhaps nothing."""
        return self.layers.get(name, {})

    def only(self, names: frozenset[str]) -> Board:
        """The same board with these layers alone."""
        kept = {name: layer for name, layer in self.layers.items() if name in names}
        return Board(self.kind, self.height, self.width, self.flag, kept)


class BoardDraft:
    """A board while it is read: parts of the decoder write into its layers."""

    def __init__(self, kind: str, height: int, width: int, flag: str = "") -> None:
        """Raises LinkFault for a board that is no board, or larger than any that is read."""
        if height < 1 or width < 1:
            raise LinkFault(f"a board of {height} rows and {width} columns is none")
        if height * width > MOST_CELLS:
            raise LinkFault(f"a board of {height} rows and {width} columns is too large: {MOST_CELLS:,} cells at most")
        self.kind, self.height, self.width, self.flag = kind, height, width, flag
        self.layers: dict[str, dict[Place, Value]] = {}
        self.remark = ""

    def layer(self, name: str) -> dict[Place, Value]:
        """What stands in that layer by now, to be read and written."""
        return self.layers.setdefault(name, {})

    def board(self) -> Board:
        """The finished value."""
        filled = {name: layer for name, layer in self.layers.items() if layer}
        return Board(self.kind, self.height, self.width, self.flag, filled, self.remark)


# --- The places of a board in the orders in which links and files list them -------------------------------------------
# Each function takes a board and returns places; the room of a cell is found from the layer `border`, which is read
# before. (The order of rooms is that of their first cells, row by row; a room's number stands in the uppermost cell of
# its leftmost column.)


Sheet = Board | BoardDraft
Places = Callable[[Sheet], Sequence[Place]]
Rows = Callable[[Sheet], list[list[Place]]]


def cells(sheet: Sheet) -> list[Place]:
    """All cells, row by row."""
    return [cell for row in cell_rows(sheet) for cell in row]


def cell_rows(sheet: Sheet) -> list[list[Place]]:
    """The cells of each row."""
    return [[(r, c) for c in range(1, sheet.width + 1)] for r in range(1, sheet.height + 1)]


def is_cell(place: Place, sheet: Sheet) -> bool:
    """Whether a place is a cell of the board, and not in its margins."""
    r, c = place
    return bool(1 <= r <= sheet.height and 1 <= c <= sheet.width)


def corners(sheet: Sheet) -> list[Place]:
    """The corners of all cells, those on the frame too, row by row."""
    return [corner for row in corner_rows(sheet) for corner in row]


def corner_rows(sheet: Sheet) -> list[list[Place]]:
    """The corners of each line."""
    return [[(r, c) for c in range(1, sheet.width + 2)] for r in range(1, sheet.height + 2)]


def upright_rows(sheet: Sheet) -> list[list[Place]]:
    """For each row, the borders between cells beside each other: the upright ones."""
    return [[((r, c), (r, c + 1)) for c in range(1, sheet.width)] for r in range(1, sheet.height + 1)]


def level_rows(sheet: Sheet) -> list[list[Place]]:
    """For each row but the last, the borders between cells above each other: the level ones."""
    return [[((r, c), (r + 1, c)) for c in range(1, sheet.width + 1)] for r in range(1, sheet.height)]


def upright(sheet: Sheet) -> list[Place]:
    """All upright borders inside the board, row by row."""
    return [border for row in upright_rows(sheet) for border in row]


def level(sheet: Sheet) -> list[Place]:
    """All level borders inside the board, row by row."""
    return [border for row in level_rows(sheet) for border in row]


def borders(sheet: Sheet) -> list[Place]:
    """All borders between two cells: the upright ones, then the level ones."""
    return [*upright(sheet), *level(sheet)]


def borders_in_one(sheet: Sheet) -> list[Place]:
    """The same, where one code runs through all of them."""
    return borders(sheet)


# Places that addresses write in several codes, one after another: each begins with a letter of its own.
PARTED: Mapping[Places, tuple[Places, ...]] = {borders: (upright, level)}


def border_rows(sheet: Sheet) -> list[list[Place]]:
    """The same by rows, as files write them."""
    return [*upright_rows(sheet), *level_rows(sheet)]


def framed_border_rows(sheet: Sheet) -> list[list[Place]]:
    """The borders by rows, with those of the frame: the upright ones, then the level ones."""
    high, wide = sheet.height, sheet.width
    return [
        *[[((r, c), (r, c + 1)) for c in range(wide + 1)] for r in range(1, high + 1)],
        *[[((r, c), (r + 1, c)) for c in range(1, wide + 1)] for r in range(high + 1)],
    ]


def sides(sheet: Sheet) -> list[Place]:
    """The places in the margins on four sides: above, below, left, right."""
    high, wide = sheet.height, sheet.width
    across, down = range(1, wide + 1), range(1, high + 1)
    above, below = [(0, c) for c in across], [(high + 1, c) for c in across]
    return [*above, *below, *[(r, 0) for r in down], *[(r, wide + 1) for r in down]]


def side_rows(sheet: Sheet) -> list[list[Place]]:
    """The cells by rows, with the margins on four sides."""
    return [[(r, c) for c in range(sheet.width + 2)] for r in range(sheet.height + 2)]


def margins(sheet: Sheet) -> list[Place]:
    """The places in the margins above, from left to right, and to the left, from top to bottom."""
    return [*[(0, c) for c in range(1, sheet.width + 1)], *[(r, 0) for r in range(1, sheet.height + 1)]]


def margin_rows(sheet: Sheet) -> list[list[Place]]:
    """The cells by rows, with the margins above and to the left."""
    return [[(r, c) for c in range(sheet.width + 1)] for r in range(sheet.height + 1)]


def deep_margins(sheet: Sheet) -> list[Place]:
    """Margins of several numbers for each line, half as many as it has cells, beginning next to the board: columns,
    then rows."""
    above, left = deep(sheet)
    return [
        *[(-k, c) for c in range(1, sheet.width + 1) for k in range(above)],
        *[(r, -k) for r in range(1, sheet.height + 1) for k in range(left)],
    ]


def deep_margin_rows(sheet: Sheet) -> list[list[Place]]:
    """The cells by rows, with such margins."""
    above, left = deep(sheet)
    return [[(r, c) for c in range(1 - left, sheet.width + 1)] for r in range(1 - above, sheet.height + 1)]


def deep(sheet: Sheet) -> tuple[int, int]:
    """How many numbers a column, and a row, may have in such margins."""
    return (sheet.height + 1) // 2, (sheet.width + 1) // 2


def double_margins(sheet: Sheet) -> list[Place]:
    """Such margins with two numbers for each line."""
    return [
        *[(-k, c) for c in range(1, sheet.width + 1) for k in range(2)],
        *[(r, -k) for r in range(1, sheet.height + 1) for k in range(2)],
    ]


def double_margin_rows(sheet: Sheet) -> list[list[Place]]:
    """The cells by rows, with such margins."""
    return [[(r, c) for c in range(-1, sheet.width + 1)] for r in range(-1, sheet.height + 1)]


def rooms(sheet: Sheet) -> list[Place]:
    """For each room, in the order of their first cells, the cell where its number stands."""
    tops: dict[int, Cell] = {}
    for (r, c), room in room_numbers(sheet).items():
        if room not in tops or (c, r) < (tops[room][1], tops[room][0]):
            tops[room] = (r, c)
    return [tops[room] for room in sorted(tops)]


def at_home(sheet: Sheet, layer: Layer) -> dict[Place, Value]:
    """A layer of numbers of rooms, each moved to where links write it. Raises LinkFault for a room of two numbers."""
    number = room_numbers(sheet)
    home = {number[place[0], place[1]]: place for place in rooms(sheet)}
    moved: dict[Place, Value] = {}
    for place, value in layer.items():
        top = home[number[place[0], place[1]]]
        if moved.setdefault(top, value) != value:
            raise LinkFault("one of its rooms has two numbers, and links can write one")
    return moved


def room_numbers(sheet: Sheet, walls: str = "border") -> dict[Cell, int]:
    """The room of each cell, numbered from 0 by first cells. walls: the layer of borders. Time linear in the cells."""
    walled = sheet.layer(walls)
    found: dict[Cell, int] = {}
    number = 0
    for row in cell_rows(sheet):
        for first in row:
            if first in found:
                continue
            found[first] = number
            waiting = [first]
            while waiting:
                r, c = waiting.pop()
                for i, j in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)):
                    inside = 1 <= i <= sheet.height and 1 <= j <= sheet.width
                    if inside and (i, j) not in found and border(r, c, i, j) not in walled:
                        found[i, j] = number
                        waiting.append((i, j))
            number += 1
    return found


def border(r: int, c: int, i: int, j: int) -> Place:
    """The border between two cells that touch."""
    return ((r, c), (i, j)) if (r, c) < (i, j) else ((i, j), (r, c))


def half_rows(sheet: Sheet) -> list[list[Place]]:
    """The middles of cells, of the borders between them, and the corners inside the board, as rows."""
    return [[(i, j) for j in range(1, 2 * sheet.width)] for i in range(1, 2 * sheet.height)]


def halves(sheet: Sheet) -> list[Place]:
    """The same without rows."""
    return [place for row in half_rows(sheet) for place in row]
