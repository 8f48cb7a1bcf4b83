"""The params of a model from a board, and back, for every row of the table of kinds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from covr.frozen import frozen
from covr.links import codes
from covr.links.address_parts import CountBefore, On
from covr.links.file_parts import FileLines, whole_number
from covr.links.places import (
    MOST_CELLS,
    SECRET,
    Board,
    BoardDraft,
    Cell,
    Layer,
    LinkFault,
    Place,
    Value,
    at_home,
    borders,
    cells,
    deep,
    room_numbers,
)
from covr.links.places import rooms as rooms_of_board

if TYPE_CHECKING:
    from covr.links.table import Kind

# --- The values of a model's params from the layers of a board: parts of the table ------------------------------------


LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def grid(board: Board, layer: str = "clue", said: Callable[[Any], Any] = lambda value: value) -> list[list[Any]]:
    """A layer of cells as rows; None where nothing stands. said: what the model calls a value."""
    found = board.layer(layer)
    return [
        [None if (r, c) not in found else said(found[r, c]) for c in range(1, board.width + 1)]
        for r in range(1, board.height + 1)
    ]


def cells_in(rows: Sequence[Sequence[Any]]) -> dict[Place, Any]:
    """The way back: what stands in the cells of rows."""
    return {(r, c): x for r, row in enumerate(rows, 1) for c, x in enumerate(row, 1) if x is not None}


def between(board: Board, layer: str, said: Callable[[Any, Any], Any] = lambda place, value: value) -> list[list[Any]]:
    """A character for each cell and each border between two, as rows. said: what the model calls what stands there."""
    rows: list[list[Any]] = [[None] * (2 * board.width - 1) for _ in range(2 * board.height - 1)]
    for place, value in board.layer(layer).items():
        (r, c), (i, j) = place
        rows[r + i - 2][c + j - 2] = said(place, value)
    return rows


def by_number(names: Sequence[Any], what: str, secret: Any = SECRET, first: int = 1) -> Callable[[Any], Any]:
    """What a model calls a number: the names in turn, from `first` on. Raises LinkFault for other numbers."""

    def said(number: Any) -> Any:
        if number == SECRET:
            return secret
        if not isinstance(number, int) or not first <= number < first + len(names):
            raise LinkFault(f"it shows a {what} {number}, which is none")
        return names[number - first]

    return said


def corner_grid(board: Board, layer: str = "clue", frame: bool = True) -> list[list[Any]]:
    """A layer of corners as rows. frame: with those on the frame, one row and column more than the board has cells."""
    found = board.layer(layer)
    first, more = (1, 2) if frame else (2, 1)
    return [[found.get((r, c)) for c in range(first, board.width + more)] for r in range(first, board.height + more)]


def rooms(board: Board, walls: str = "border") -> list[list[Any]]:
    """The room of each cell as rows: a letter, or a number behind a letter where there are more rooms than letters."""
    room = room_numbers(board, walls)
    return [[room_name(room[r, c]) for c in range(1, board.width + 1)] for r in range(1, board.height + 1)]


def parted_rooms(board: Board) -> list[list[Any]]:
    """The same, for a kind whose site counts a border within one room. Raises LinkFault for such a border, which the
    model has no rule for."""
    room = room_numbers(board)
    for a, b in board.layer("border"):
        if room[a] == room[b]:
            raise LinkFault(f"the border between {a} and {b} parts no rooms, and the model has no rule for it")
    return rooms(board)


def walled(board: Board, holes: str) -> Board:
    """The board with a border round each of its holes, which part rooms. holes: their layer."""
    beside = {pair: 1 for pair in borders(board) if not board.layer(holes).keys().isdisjoint(pair)}
    layers = {**board.layers, "border": {**board.layer("border"), **beside}}
    return Board(board.kind, board.height, board.width, board.flag, layers)


def room_name(number: int) -> str:
    """The name of a room: one letter for the first ones, then a letter and a number."""
    size = len(LETTERS)
    return LETTERS[number % size] + (str(number // size) if number >= size else "")


def letter(number: Value) -> Value:
    """The letter that a site shows for a number: A to Z, then a to z; a secret number stays `?`."""
    if not isinstance(number, int):
        return number
    if not 1 <= number <= len(LETTERS):
        raise LinkFault(f"it has a letter {number}, and there are {len(LETTERS)}")
    return LETTERS[number - 1].swapcase()


def margin(board: Board, side: str, layer: str = "margin", blank: Any = ".") -> list[Any]:
    """The numbers in one margin, in order: `top`, `bottom`, `left` or `right`. A secret number is left out."""
    found = {place: value for place, value in board.layer(layer).items() if value != SECRET}
    places: Mapping[str, list[Place]] = {
        "top": [(0, c) for c in range(1, board.width + 1)],
        "bottom": [(board.height + 1, c) for c in range(1, board.width + 1)],
        "left": [(r, 0) for r in range(1, board.height + 1)],
        "right": [(r, board.width + 1) for r in range(1, board.height + 1)],
    }
    return [found.get(place, blank) for place in places[side]]


def deep_margin(board: Board, side: str, layer: str = "margin") -> list[list[Value]]:
    """The numbers of each row (`left`) or column (`top`), in reading order."""
    found = board.layer(layer)
    above, left = deep(board)
    if side == "top":
        return [[found[-k, c] for k in reversed(range(above)) if (-k, c) in found] for c in range(1, board.width + 1)]
    return [[found[r, -k] for k in reversed(range(left)) if (r, -k) in found] for r in range(1, board.height + 1)]


def deep_margin_back(params: Mapping[str, Any]) -> dict[Place, Value]:
    """The way back: such margins from `rows` and `columns`, each line's numbers as a text; `?` is a secret one."""
    return {
        (-k, at) if side == "columns" else (at, -k): SECRET if word == SECRET else int(word)
        for side in ("rows", "columns")
        for at, line in enumerate(params[side], 1)
        for k, word in enumerate(reversed(str(line).split()))
    }


def walls_back(room: Sequence[Sequence[Any]], around_holes: bool = False) -> dict[Place, Value]:
    """The way back: the borders between cells of unlike rooms; those between a room and a hole, `#`, if asked for."""
    name = cells_in(room)
    steps = [((r, c), after) for r, c in name for after in ((r, c + 1), (r + 1, c)) if after in name]
    return {(a, b): 1 for a, b in steps if name[a] != name[b] and (around_holes or "#" not in (name[a], name[b]))}


def holes_back(room: Sequence[Sequence[Any]]) -> dict[Place, Value]:
    """The way back: the cells that are a hole, `#`."""
    return {cell: 1 for cell, name in cells_in(room).items() if name == "#"}


def only(board: Board, layer: str, blank: int = 0) -> Any:
    """The one value of a layer that has no places."""
    return board.layer(layer).get((), blank)


# --- The pieces that a puzzle asks for: a well-known set by its letter, or how many and which -------------------------
# In a layer of its own, at the place (), as a tuple of pieces. A piece is written as its width, its height, and its
# squares row by row, five to a letter: `23bg` is two wide, three high, and `01 01 11` or its like.


Set = tuple[str, ...]

TETROMINOES: Set = ("14u", "23bg", "22u", "23f", "23eg")
PENTOMINOES: Set = (
    "337k", "15v", "24as", "24bo", "23fg", "337i", "23rg", "334u", "335s", "33bk", "24bk", "337o",
)  # fmt: skip
FLEET = ("11g", "21o", "31s", "41u", "51v")  # a ship of one square, of two, …


def fleet(*counts: int) -> Set:
    """So many ships of one square, of two, …."""
    return tuple([ship for ship, count in zip(FLEET, counts, strict=False) for _ in range(count)])


SETS: Mapping[str, Set] = {
    "p": PENTOMINOES,
    "t": TETROMINOES,
    "d": tuple([piece for piece in TETROMINOES for _ in range(2)]),
    "z": (),
}
FLEETS: Mapping[str, Set] = {**SETS, "c": fleet(3, 2, 1), "d": fleet(4, 3, 2, 1), "e": fleet(5, 4, 3, 2, 1)}

MOST_PIECES = 1000
LONGEST_PIECE = 40  # letters


@frozen
class Bank:
    """The pieces, in an address and in a file. sets: the well-known sets by their letters. usual: the set of an address
    that ends after the size."""

    sets: Mapping[str, Set] = SETS
    usual: str = "p"
    layer: str = "pieces"

    @property
    def layers(self) -> tuple[str, ...]:
        return (self.layer,)

    def _named(self, letter: str) -> Set:
        if letter not in self.sets:
            raise LinkFault(f"there is no set of pieces `{codes.shortened(letter)}`")
        return self.sets[letter]

    def _head(self, pieces: Set) -> str:
        """The letter of the set, or how many pieces there are."""
        known = [letter for letter, named in self.sets.items() if sorted(named) == sorted(pieces)]
        return known[0] if known else str(len(pieces))

    def read(self, letters: codes.Letters, draft: BoardDraft) -> None:
        if letters.ended():
            draft.layer(self.layer)[()] = () if letters.text else self._named(self.usual)
            return
        if letters.take() != "/":
            raise letters.unknown(letters.at - 1, letters.text[letters.at - 1 :])
        if letters.peek() == "/":
            letters.take()
            pieces = self._named(letters.take())
        else:
            pieces = tuple([letters.until("/") for _ in range(_count(letters.until("/")))])
        draft.layer(self.layer)[()] = checked(pieces)

    def write(self, board: Board) -> str:
        pieces = pieces_of(board, self.layer)
        head = self._head(pieces)
        return f"//{head}" if head in self.sets else "/" + "/".join((head, *pieces))


@frozen
class BankLines:
    """The pieces in a file. used: the line that says which of them the solver has ticked off, written as none."""

    bank: Bank

    @property
    def layers(self) -> tuple[str, ...]:
        return self.bank.layers

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        head = lines.take()
        if whole_number(head) is None:
            pieces = self.bank._named(head)
        else:
            pieces = tuple([lines.take() for _ in range(_count(head))])
        draft.layer(self.bank.layer)[()] = checked(pieces)

    def write(self, board: Board) -> list[str]:
        pieces = pieces_of(board, self.bank.layer)
        head = self.bank._head(pieces)
        return [head] if head in self.bank.sets else [head, *pieces]


@frozen
class TickedLine:
    """The line that says which pieces the solver has ticked off; it is skipped."""

    layer: str = "pieces"

    layers = ()

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        lines.take()

    def write(self, board: Board) -> list[str]:
        return [" ".join("0" for _ in pieces_of(board, self.layer))]


def _count(text: str) -> int:
    count = whole_number(text)
    if count is None or count > MOST_PIECES:
        raise LinkFault(f"`{codes.shortened(text)}` is no number of pieces")
    return count


def checked(pieces: Set) -> Set:
    """The pieces, after a check that each is connected. Raises LinkFault."""
    for piece in pieces:
        cells_of(piece)
    return pieces


def pieces_of(board: Board, layer: str = "pieces") -> Set:
    """The pieces of a board."""
    found = board.layer(layer).get((), ())
    assert isinstance(found, tuple)
    return found


def drawn_pieces(board: Board) -> str:
    """The pieces as a picture, each with a letter of its own. Raises LinkFault where there are none, or too many."""
    found = pieces_of(board)
    if not 0 < len(found) <= len(LETTERS):
        raise LinkFault(f"it has {len(found)} pieces, and the model takes 1 to {len(LETTERS)}")
    pictures = []
    for letter, piece in zip(LETTERS, found, strict=False):
        squares = cells_of(piece)
        high, wide = max(r for r, _ in squares), max(c for _, c in squares)
        rows = ["".join([letter if (r, c) in squares else "." for c in range(1, wide + 1)]) for r in range(1, high + 1)]
        pictures.append("\n".join(rows))
    return "\n".join(pictures)


def cells_of(piece: str) -> frozenset[Cell]:
    """The cells of a piece, from (1, 1). Raises LinkFault if they are no piece."""
    if len(piece) < 3 or len(piece) > LONGEST_PIECE or any(letter not in codes.DIGITS for letter in piece):
        raise LinkFault(f"`{codes.shortened(piece)}` is no piece")
    wide, high = int(piece[0], 36), int(piece[1], 36)
    letters = codes.Letters(piece[2:].ljust(-(-wide * high // 5), "0"))  # blanks at the end may be left out
    row = codes.BITS.read(letters, wide * high)
    found = frozenset((at // wide + 1, at % wide + 1) for at, value in enumerate(row) if value is not None)
    if not found or not letters.over:
        raise LinkFault(f"`{piece}` is no piece")
    return found


# --- The way back: the board of a kind from the params of its model, for every row of the table alike -----------------
# A row says how a board becomes params, and nothing else. What stands on the board is found by trying: on a board of
# the right size, each place of each layer is filled with each value that its code can write, and a value is taken that
# makes just the entries of the params that are asked for. So no row needs a second function, and the two can't
# disagree. It works where each place has entries of its own, as in grids, rooms and margins; a row for which that is
# not so may say `back`. Whatever was found is made into params again and compared, so that a board is right or is
# refused.


Entries = dict[tuple[Any, ...], Any]  # a param's name and the place in it → what stands there, as text
MOST_NUMBER = 53  # numbers up to here are tried, because a row may call them by letters
PIECE_PARAMS = frozenset({"fleet", "pieces"})  # the params that say which pieces there are
NO_ROOM = frozenset({"#", ".", "*"})  # what stands in a map of rooms where there is none
FLAGS_AT_ONCE = 3  # letters before the size that mean something; no kind has more

# What a row may raise for a board that no link has, such as one without the pieces of its bank.
ODD = (KeyError, IndexError, ValueError, TypeError, AssertionError)


class NoBoard(LinkFault):
    """The params are not those of a board of this kind."""


def board_of(kind: Kind, params: Mapping[str, Any]) -> Board:
    """The board that the params of a model show. params: values as `Kind.params` makes them.

    Raises NoBoard if none is found. Time: the params are made once for each place, and for each value tried.
    """
    target = _ParamEntries.of({name: params[name] for name in params if name in _names(kind, params)})
    for flag in _flags(kind):
        for high, wide in _sizes(target):
            start = Board(kind.name, high, wide, flag, {})
            if kind.back is not None:
                found = Board(kind.name, high, wide, flag, {n: dict(x) for n, x in kind.back(params).items() if x})
            elif _fits(kind, start, target):
                found = _Search(kind, start, target).board()
            else:
                continue
            if _entries(kind, found) == target:
                return _settled(found, kind)
    raise NoBoard(f"no board of the kind `{kind.name}` has these params")


def _names(kind: Kind, params: Mapping[str, Any]) -> frozenset[str]:
    """The params that a row makes; all of them if that depends on the pieces of a bank."""
    bank = _bank(kind)
    pieces: dict[str, Layer] = {} if bank is None else {bank.layer: {(): next(iter(bank.sets.values()))}}
    for size in (9, 8, 6, 5):  # some kinds have boards of some sizes only
        try:
            return frozenset(kind.params(Board(kind.name, size, size, "", pieces)))
        except (LinkFault, *ODD):
            continue
    return frozenset(params)


def _settled(board: Board, kind: Kind) -> Board:
    """The board with the number of each room where links write it."""
    layers = dict(board.layers)
    for part in kind.address:
        if not isinstance(part, On) or part.places is not rooms_of_board:
            continue
        layers[part.layer] = at_home(board, board.layer(part.layer))
    return Board(board.kind, board.height, board.width, board.flag, layers)


# --- params as entries ---


@frozen
class _ParamEntries:
    """Params as entries by their places. shape: how large each is.  numbers, words: what stands in them."""

    entries: Mapping[tuple[Any, ...], str]
    shape: tuple[Any, ...]

    @staticmethod
    def of(params: Mapping[str, Any]) -> _ParamEntries:
        """Params as entries; rooms are numbered by their first cells, whatever letters they have."""
        entries: Entries = {}
        shape = []
        for name in sorted(params):
            found: Entries = {}
            shape.append((name, _enter(params[name], (name,), found)))
            if _are_rooms(name, found):
                named = dict.fromkeys(word for word in found.values() if word not in NO_ROOM)
                order = {word: str(at) for at, word in enumerate(named)}
                found = {place: order.get(word, word) for place, word in found.items()}
            entries.update(found)
        return _ParamEntries(entries, tuple(shape))

    @property
    def numbers(self) -> set[int]:
        """The numbers in them, in texts, too."""
        return {int(x) for text in set(self.entries.values()) for x in re.findall(r"[0-9]{1,6}", text)}


def _enter(value: Any, at: tuple[Any, ...], found: Entries) -> Any:
    """Enter a value; returns its shape."""
    if isinstance(value, Mapping):
        return tuple((name, _enter(value[name], (*at, name), found)) for name in sorted(value, key=str))
    if isinstance(value, list | tuple):
        if value and all(isinstance(row, list | tuple) for row in value) and len({len(row) for row in value}) == 1:
            for (r, row), c in product(enumerate(value, 1), range(1, len(value[0]) + 1)):
                if row[c - 1] is not None:
                    found[(*at, r, c)] = str(row[c - 1])
            return ("grid", (len(value), len(value[0])))
        return tuple(_enter(x, (*at, k), found) for k, x in enumerate(value))
    if value is not None:
        found[at] = str(value)
    return "one"


def _are_rooms(name: str, found: Entries) -> bool:
    """Whether a param is a map of rooms, each with a letter."""
    return name in ("room", "region") and all(len(place) == 3 for place in found)


def _entries(kind: Kind, board: Board) -> _ParamEntries | None:
    """What a row makes of a board; None if it refuses the board."""
    try:
        return _ParamEntries.of(kind.params(board))
    except (LinkFault, *ODD):
        return None


# --- size and letters before it ---


def _flags(kind: Kind) -> Iterator[str]:
    for many in range(FLAGS_AT_ONCE + 1):
        for letters in combinations(sorted(kind.meant), many):
            yield "".join(letters)


def _sizes(target: _ParamEntries) -> Iterator[tuple[int, int]]:
    """Sizes that a board may have, judging by the sizes of its params."""
    seen: dict[tuple[int, int], None] = {}
    for _, shape in target.shape:
        if isinstance(shape, tuple) and len(shape) == 2 and shape[0] == "grid" and shape[1] is not None:
            high, wide = shape[1]
            for found in ((high, wide), (high - 1, wide - 1), (high + 1, wide + 1), (high // 2 + 1, wide // 2 + 1)):
                seen.setdefault(found)
            seen.setdefault((high // 2, wide // 2))
    lengths = [len(shape) for _, shape in target.shape if isinstance(shape, tuple)]
    for pair in product(lengths, lengths):
        seen.setdefault(pair)
    yield from ((h, w) for h, w in seen if h > 0 and w > 0 and h * w <= MOST_CELLS)


def _fits(kind: Kind, board: Board, target: _ParamEntries) -> bool:
    """Whether a board of this size has params of the right sizes, as far as that does not depend on what is on it."""
    current = _entries(kind, board)
    if current is None:
        return _bank(kind) is not None
    grids = [(name, shape) for name, shape in current.shape if shape and shape[0] == "grid"]
    return set(grids) <= set(target.shape)


def _bank(kind: Kind) -> Bank | None:
    return next((part for part in kind.address if isinstance(part, Bank)), None)


# --- what stands on it ---


class _Search:
    """Finds what stands on a board by trying. start: an empty board of the right size. No borders are put around
    squares of no room."""

    def __init__(self, kind: Kind, start: Board, target: _ParamEntries) -> None:
        self.kind, self.target = kind, target
        self.board_now = start

    def board(self) -> Board:
        """The board as far as it was found."""
        bank = _bank(self.kind)
        if bank is not None:
            self._pieces(bank)
        for part in (one for whole in self.kind.address for one in getattr(whole, "parts", (whole,))):
            if isinstance(part, On):
                self._layer(part)
            elif isinstance(part, CountBefore):
                self._fill(part.layer, [()], sorted(self.target.numbers))
        return self.board_now

    def _with(self, name: str, layer: Layer) -> Board:
        now = self.board_now
        layers = {**now.layers, name: {**now.layer(name), **layer}}
        return Board(now.kind, now.height, now.width, now.flag, {n: x for n, x in layers.items() if x})

    def _entries(self, name: str, layer: Layer) -> _ParamEntries | None:
        return _entries(self.kind, self._with(name, layer))

    def _layer(self, part: On) -> None:
        places = cells(self.board_now) if part.places is rooms_of_board else part.places(self.board_now)
        if part.places is borders and part.code is codes.BITS and self._walls(part.layer, places):
            return
        self._fill(part.layer, places, list(self._values(part)))

    def _walls(self, layer: str, places: Sequence[Place]) -> bool:
        """Put borders between the cells of a map of rooms; False if no param is one."""
        current = self._entries(layer, dict.fromkeys(places, 1))
        params = {place[0] for place in self.target.entries}
        maps = [name for name in params if _are_rooms(name, self._of(self.target, name)) and self._of(current, name)]
        if not maps:
            return False
        room = self._of(self.target, maps[0])
        parted = {}
        for pair in places:
            names = [room.get((maps[0], *cell)) for cell in pair]
            if names[0] != names[1] and None not in names and NO_ROOM.isdisjoint(names):
                parted[pair] = 1
        self.board_now = self._with(layer, parted)
        return True

    @staticmethod
    def _of(current: _ParamEntries | None, name: str) -> Entries:
        return {} if current is None else {place: word for place, word in current.entries.items() if place[0] == name}

    def _values(self, part: On) -> Iterator[Value]:
        numbers = sorted(self.target.numbers | set(range(MOST_NUMBER)))
        if part.words:
            yield from part.words
        elif part.code in (codes.BITS, codes.GAPS, codes.MARKS_ONLY, codes.TREES):
            yield 1
        elif part.code is codes.CASTLES:
            yield from product(codes.COLOURS, codes.ARROWS, [SECRET, *sorted(self.target.numbers)])
        elif part.code is codes.LINE_PARTS:
            yield from (SECRET, "o", *codes.PARTS)
        elif part.code is codes.ARROWED:
            yield from product(codes.ARROWS, [SECRET, *sorted(self.target.numbers)])
        elif part.code in (codes.RUN_LENGTHS, codes.COMPASSES):
            found = [re.findall(r"[0-9]+|[^\s0-9,()']", text) for text in sorted(set(self.target.entries.values()))]
            yield from (tuple([int(x) if x.isdigit() else SECRET for x in words]) for words in found if words)
            if part.code is codes.COMPASSES:
                yield "#"
        else:
            yield SECRET
            yield from {codes.COMPARED: ("less", "more"), codes.DOTTED_NUMBERS: ("#",)}.get(part.code, ())
            yield from numbers

    def _fill(self, layer: str, places: Sequence[Place], values: Sequence[Value]) -> None:
        before = _entries(self.kind, self.board_now)
        by_value = {}
        for value in values:
            found = self._entries(layer, dict.fromkeys(places, value))
            if found is not None and (before is None or found.entries != before.entries):
                by_value[value] = found.entries
        if not by_value:
            return
        old: Mapping[Any, Any] = {} if before is None else before.entries
        changing = max(by_value, key=lambda value: len(by_value[value].keys() ^ old.keys()))
        taken: dict[Place, Value] = {}
        for place in places:
            mine = self._mine(layer, place, changing, old)
            if not mine or all(self.target.entries.get(at) == old.get(at) for at in mine):
                continue
            wanted = {at: self.target.entries.get(at) for at in mine}
            fitting = [v for v, entries in by_value.items() if all(entries.get(at) == x for at, x in wanted.items())]
            if fitting:
                taken[place] = fitting[0]
        self.board_now = self._with(layer, taken)

    def _mine(self, layer: str, place: Place, value: Value, old: Mapping[Any, Any]) -> set[Any]:
        """The entries that depend on what stands at a place."""
        current = self._entries(layer, {place: value})
        if current is None:
            return set()
        return {at for at in current.entries.keys() | old.keys() if current.entries.get(at) != old.get(at)}

    def _pieces(self, bank: Bank) -> None:
        """The set of pieces, one of the well-known ones or a fleet of straight ships."""
        for pieces in [*bank.sets.values(), *self._fleets()]:
            current = self._entries(bank.layer, {(): pieces})
            if current is None:
                continue
            if self._bank_of(current) == self._bank_of(self.target):
                self.board_now = self._with(bank.layer, {(): pieces})
                return

    @staticmethod
    def _bank_of(current: _ParamEntries) -> Entries:
        return {place: word for place, word in current.entries.items() if place[0] in PIECE_PARAMS}

    def _fleets(self) -> Iterator[tuple[str, ...]]:
        counts = [int(x) for at, x in sorted(self.target.entries.items()) if at[0] == "fleet" and x.isdigit()]
        if 0 < len(counts) <= 5 and sum(counts) <= MOST_NUMBER:
            yield fleet(*counts)
