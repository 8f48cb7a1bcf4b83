"""Tiny boards of every kind, drawn by chance, and all that a solver may draw on them.

A board is drawn layer by layer from the parts of the kind's address, with every value that its code can write. What may
be drawn on it is read off the parts of the kind's files: for each place the values that a word there can mean. So both
know what a kind looks like, and nothing of its rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Any

from covr.explain.drawn_answer import shown_by
from covr.links.address_parts import AddressPart, CountBefore, On, Together
from covr.links.codes import ARROWS, COLOURS, FULL, PARTS, Letters
from covr.links.file import kind_name, read_address, write_address
from covr.links.file_parts import Digits, Edges, Marked, WordRows
from covr.links.inverse import Bank
from covr.links.kinds.regions import CountedNumbers
from covr.links.places import (
    SECRET,
    Board,
    BoardDraft,
    LinkFault,
    Place,
    Value,
    border_rows,
    borders,
    cells,
    framed_border_rows,
    is_cell,
    margins,
    room_numbers,
)
from covr.links.table import Kind

# Sizes of tiny boards, rows and columns: single rows and columns, and the smallest that have both.
SIZES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3))
MOST_FILLINGS = 4096  # of a board; those with more are left out
DENSITIES = (0.0, 0.15, 0.3, 0.3, 0.6, 1.0)  # parts of the places of a layer where something stands
TRIES = 200  # boards that are drawn until one is such as links can hold
PIECES = ("11g", "21o", "12o", "31s", "22s", "22u")  # one square, two beside and above each other, three, four
MANY_PIECES = 2
WITH_ENDS = {
    "renban",
    "barns",
    "yajitatami",
    "tetrominous",
    "pentominous",
    "kazunori",
}  # kinds with lines that end in rooms
ONCE = {"nurimaze": ("mark", ("S", "G"))}  # what stands on each board just once: kind → layer and values

Draw = tuple[str, Place]  # a layer and a place in it
Filling = Mapping[str, Mapping[Place, Value]]  # what is drawn, by layers


def draw_board(kind: Kind, random: Random, high: int, wide: int) -> Board | None:
    """A board of that size as a link holds it; None if the kind has none. It is one that a model can be told."""
    for _ in range(TRIES):
        flag = "".join([letter for letter in sorted(kind.meant) if random.random() < 0.5])
        draft = BoardDraft(kind.name, high, wide, flag)
        for part in kind.address:
            _draw(part, draft, random)
        if kind.name in ONCE:
            layer, values = ONCE[kind.name]
            marks = draft.layer(layer)
            for place in [place for place, value in marks.items() if value in values]:
                del marks[place]
            if high * wide < len(values):
                return None
            marks.update(zip(random.sample(cells(draft), len(values)), values, strict=True))
        try:
            board = read_address(kind_name(write_address(draft.board(), kind))[1], kind)
            kind.params(board)
        except (LinkFault, IndexError):
            continue
        return board
    return None


def _draw(part: AddressPart, draft: BoardDraft, random: Random) -> None:
    """Draw what one part of an address tells."""
    if isinstance(part, Together):
        for each in part.parts:
            _draw(each, draft, random)
    elif isinstance(part, CountBefore):
        draft.layer(part.layer)[()] = random.randint(1, 3)
    elif isinstance(part, Bank):
        draft.layer(part.layer)[()] = tuple(random.choices(PIECES, k=random.randint(1, MANY_PIECES)))
    elif isinstance(part, On):
        if part.layer == "border":
            draft.layer("border").update(_walls(draft, random))
            return
        taken = draft.layers.get("hole", {})
        _scatter(
            draft,
            part.layer,
            [x for x in part.places(draft) if x not in taken],
            values_of(part, draft.height * draft.width),
            random,
        )
    elif part.layers == ("gap",):
        _scatter(draft, "gap", [pair for row in framed_border_rows(draft) for pair in row], [1], random)
    elif set(part.layers) == {"black", "across", "down"}:
        _sums(draft, random)


def _scatter(draft: BoardDraft, layer: str, places: Sequence[Place], values: Sequence[Value], random: Random) -> None:
    density = random.choice(DENSITIES) if len(values) > 1 or random.random() < 0.8 else 0.5
    for place in places:
        if values and random.random() < density:
            draft.layer(layer)[place] = random.choice(values)


def _sums(draft: BoardDraft, random: Random) -> None:
    """Black squares, and the sums beside them and in the margins."""
    _scatter(draft, "black", cells(draft), [1], random)
    places = [*draft.layer("black"), *margins(draft)]
    most = 4 * max(draft.height, draft.width)
    _scatter(draft, "down", [x for x in places if x[1]], range(most), random)
    _scatter(draft, "across", [x for x in places if x[0]], range(most), random)


def _walls(draft: BoardDraft, random: Random) -> dict[Place, Value]:
    """The borders of rooms, or, where lines may end inside of one, sometimes any."""
    pairs = borders(draft)
    if draft.kind in WITH_ENDS and random.random() < 0.3:
        return {pair: 1 for pair in pairs if random.random() < 0.5}
    open_share = random.choice((0.0, 0.3, 0.5, 0.7, 1.0))
    walls: dict[Place, Value] = {pair: 1 for pair in pairs if random.random() >= open_share}
    room = room_numbers(Board(draft.kind, draft.height, draft.width, "", {"border": walls}))
    return {pair: 1 for pair in pairs if room[pair[0]] != room[pair[1]]}


@cache
def values_of(part: On, size: int) -> list[Value]:
    """The values that the code of a part can write, of numbers those that may matter on a board of so many squares."""
    if part.words:
        return list(part.words)
    numbers = range(1 if part.code is FULL else 0, max(5, size + 2))
    few: list[Any] = [*range(4), SECRET]
    pool: list[Value] = [
        SECRET,
        *numbers,
        *("#", "o", "less", "more", *PARTS, *ARROWS[1:]),
        *product(ARROWS, few),
        *product(COLOURS, ARROWS, few),
        *[(number,) for number in (*range(9), SECRET)],  # lists, and pots
        *[(a, b) for a in (1, 2, 3, SECRET) for b in (1, 2, 3, SECRET)],
        *product((0, 1, 2, SECRET), repeat=4),
    ]
    return [value for value in pool if _written(part, value)]


def _written(part: On, value: Value) -> bool:
    """Whether a code writes a value and reads the same again."""
    try:
        return list(part.code.read(Letters(part.code.write([value])), 1)) == [value]
    except (LinkFault, AssertionError, TypeError, ValueError, IndexError, KeyError):
        return False


# --- what may be drawn ---

# The highest number that is drawn, where it is no square's: kind → number, or the layer of a count.
HIGHEST: Mapping[str, int | str] = {
    "hashikake": 2, "keywest": 4, "dosufuwa": 2, "juosan": 2, "yinyang": 2, "roma": 4, "hakoiri": 3, "news": 4,
    "toichika": 4, "yajirushi": 4, "yajirushi2": 4, "sananko": 3, "sukoro": 4, "sukororoom": 4, "kakuro": 9,
    "kakuru": 9,
    "easyasabc": "most", "japanesesums": "most",
}  # fmt: skip
FROM_ZERO = {"toichika2", "view"}  # kinds in which 0 is drawn
SIDE = {"kropki", "minarism", "factors", "skyscrapers", "doppelblock", "sudoku"}  # no number is higher than a side


def highest(kind: Kind, board: Board) -> int:
    """The highest number that is drawn in a square."""
    told = HIGHEST.get(kind.name)
    if isinstance(told, int):
        return told
    if isinstance(told, str):
        return int(board.layer(told)[()])  # type: ignore[arg-type]
    if kind.name in SIDE:
        return max(board.height, board.width)
    return board.height * board.width


def pen(kind: Kind, board: Board) -> dict[Draw, list[Value]]:
    """For each place, by layers, the values that may be drawn there, besides nothing."""
    wanted = {shown.layer for shown in shown_by(board, kind)}
    found: dict[Draw, list[Value]] = {}
    printed = set(board.layer("clue")) if callable(kind.answer) else set()
    if kind.name == "nanro":
        printed = {cell for cell in printed if board.layer("clue")[cell] != SECRET}
    for layer, place, value in _words(kind, board, wanted):
        if layer == "edge" or place not in printed:
            values = found.setdefault((layer, place), [])
            if value not in values:
                values.append(value)
    return found


def _words(kind: Kind, board: Board, wanted: set[str]) -> Iterator[tuple[str, Place, Value]]:
    """What each word of a file may mean, of the layers that an answer has."""
    for part in kind.file:
        if isinstance(part, Edges):
            draft = BoardDraft(board.kind, board.height, board.width)
            draft.layers.update({name: dict(layer) for name, layer in board.layers.items()})
            holes, lines = part.holes(draft), board.layer(part.printed)
            for pair in [pair for row in border_rows(board) for pair in row]:
                if pair not in lines and pair[0] not in holes and pair[1] not in holes:
                    yield "edge", pair, 1
        elif isinstance(part, CountedNumbers):
            yield from [("number", x, n) for x in cells(board) for n in range(1, highest(kind, board) + 1)]
        elif isinstance(part, WordRows) and wanted.intersection(part.layers):
            taken = {x for token in part.tokens if token.layer not in wanted for x in board.layer(token.layer)}
            taken |= set(board.layer("hole"))
            for place in [place for row in part.rows(board) for place in row]:
                if place in taken or (isinstance(place[0], int) and not is_cell(place, board)):
                    continue
                for token in part.tokens:
                    if token.layer in wanted:
                        yield from [(token.layer, place, value) for value in _meant(token, kind, board)]


def _meant(token: Any, kind: Kind, board: Board) -> list[Value]:
    if isinstance(token, Marked):
        return [token.value]
    assert isinstance(token, Digits)
    if token.layer == "line" and kind.name not in HIGHEST:
        return [1]
    return list(range(0 if kind.name in FROM_ZERO else 1, highest(kind, board) + 1))


def many(what: Mapping[Draw, Sequence[Value]]) -> int:
    """How many fillings there are."""
    return prod(len(values) + 1 for values in what.values())


def fillings(what: Mapping[Draw, Sequence[Value]]) -> Iterator[dict[str, dict[Place, Value]]]:
    """Every way to fill the places, by layers."""
    for row in product(*[[None, *values] for values in what.values()]):
        drawn: dict[str, dict[Place, Value]] = defaultdict(dict)
        for (layer, place), value in zip(what, row, strict=True):
            if value is not None:
                drawn[layer][place] = value
        yield drawn
