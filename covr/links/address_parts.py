"""The parts of an address after the size; black squares with two numbers, in addresses and files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from covr.frozen import frozen
from covr.links.codes import DIGITS, Letters, RowCode, Runs, shortened
from covr.links.file_parts import FileLines, whole_number, words_of
from covr.links.places import (
    PARTED,
    Board,
    BoardDraft,
    LinkFault,
    Place,
    Places,
    Value,
    at_home,
    cells,
    margin_rows,
    margins,
    rooms,
)

# --- Black squares with two numbers, in three layers: `black`, `across`, `down` --------------------------------------
# The numbers of runs that begin at the frame stand in the margins, at (row, 0) and (0, column). A number that is not
# there is not in its layer; links write it as 0 for kakuro, and as -1 for triplace, whose numbers may be 0.


@frozen
class SumsAddress:
    """The squares, then the margins.

    pairs: the code of what black squares say, down and across.  none: a number that is not there.
    number, text: read and write a number in the margins.
    white: whether only those rows and columns are told whose first square is white.
    """

    pairs: Runs
    none: int
    number: Callable[[Letters], int]
    text: Callable[[Value], str]
    white: bool
    layers: tuple[str, ...] = ("black", "across", "down")

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        places = cells(draft)
        for place, value in zip(places, self.pairs.read(letters, len(places)), strict=True):
            if isinstance(value, tuple):
                draft.layer("black")[place] = 1
                _enter(draft, place, value[0], value[1], self.none)
        for place in self._margins(draft):
            if letters.ended():
                break
            _enter_in_margin(draft, place, self.number(letters), self.none)

    def write(self, board: Board) -> str:
        down, across, black = board.layer("down"), board.layer("across"), board.layer("black")
        values: list[Value | None] = [
            (down.get(place, self.none), across.get(place, self.none)) if place in black else None
            for place in cells(board)
        ]
        rest = [self.text((across if r else down).get((r, c), self.none)) for r, c in self._margins(board)]
        return self.pairs.write(values) + "".join(rest)

    def _margins(self, sheet: Board | BoardDraft) -> list[Place]:
        black = sheet.layer("black") if self.white else ()
        return [(r, c) for r, c in margins(sheet) if (max(r, 1), max(c, 1)) not in black]


@frozen
class SumsRows:
    """Rows of words with a margin above and to the left: `8,4` is across and down. none: a number that is not there."""

    none: int
    layers: tuple[str, ...] = ("black", "across", "down")

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        for places in margin_rows(draft):
            for place, word in zip(places, words_of(lines, len(places)), strict=True):
                if word != "." and (place != (0, 0) or not self.none):
                    self._enter(draft, place, word)

    def _enter(self, draft: BoardDraft, place: Place, word: str) -> None:
        inside = bool(place[0] and place[1])
        numbers = [self.none if part == "-1" else whole_number(part) for part in word.split(",")]
        if len(numbers) != 1 + inside or numbers[0] is None or numbers[-1] is None:
            raise LinkFault(f"`{shortened(word)}` means nothing there")
        if inside:
            draft.layer("black")[place] = 1
            _enter(draft, place, numbers[-1], numbers[0], self.none)
        elif place != (0, 0):
            _enter_in_margin(draft, place, numbers[0], self.none)

    def write(self, board: Board) -> list[str]:
        return [" ".join([self._word(board, place) for place in places]) for places in margin_rows(board)]

    def _word(self, board: Board, place: Place) -> str:
        across, down = (board.layer(layer).get(place, self.none) for layer in ("across", "down"))
        if place[0] and place[1]:
            said = "-1,-1" if across == down == self.none else f"{across},{down}"
            return said if place in board.layer("black") else "."
        number = across if place[0] else down
        return "0" if place == (0, 0) else "-1" if number == self.none else str(number)


def _enter(draft: BoardDraft, place: Place, down: int, across: int, none: int) -> None:
    if down != none:
        draft.layer("down")[place] = down
    if across != none:
        draft.layer("across")[place] = across


def _enter_in_margin(draft: BoardDraft, place: Place, number: int, none: int) -> None:
    if number != none:
        draft.layer("across" if place[0] else "down")[place] = number


# 0 to 19 in small letters, 20 to 45 in capital ones.
SUMS = DIGITS[:20] + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _sum(letters: Letters) -> int:
    letter = letters.take()
    if letter != "-" and letter not in SUMS:
        raise letters.unknown(letters.at - 1, letter)
    return max(SUMS.find(letter), 0)


def _sum_text(number: Value) -> str:
    if not isinstance(number, int) or number >= len(SUMS):
        raise LinkFault(f"{number} is larger than any sum")
    return SUMS[number]


def _pair(letters: Letters) -> Value:
    """What a black square of kakuro says: down, then across."""
    if letters.peek() == ".":
        letters.take()
        return (0, 0)
    return (_sum(letters), _sum(letters))


def _pair_text(value: Value) -> str:
    assert isinstance(value, tuple)
    return "." if not any(value) else _sum_text(value[0]) + _sum_text(value[1])


KAKURO_ADDRESS = SumsAddress(Runs(20, _pair, _pair_text), 0, _sum, _sum_text, white=True)
KAKURO_ROWS = SumsRows(0)

NONE = -1
# How many digits of base 16 the numbers down and across have after these signs.
SIZES = {"-": (1, 2), "+": (2, 1), "=": (2, 2)}


def _number(letters: Letters, digits: int) -> int:
    """A number of so many digits; `.` is none."""
    if letters.peek() == ".":
        letters.take()
        return NONE
    return letters.number(digits, 16)


def _triplace_pair(letters: Letters) -> Value:
    """What a black square of triplace says: down, then across."""
    letter = letters.peek()
    if letter in "_%@$" or letter in SIZES:
        letters.take()
    if letter == "_":
        return (NONE, NONE)
    if letter == "$":
        return (NONE, letters.number(1, 36))
    if letter in "%@":
        return (letters.number(1, 36), NONE)
    down, across = SIZES.get(letter, (1, 1))
    return (_number(letters, down), _number(letters, across))


def _triplace_pair_text(value: Value) -> str:
    assert isinstance(value, tuple)
    down, across = value
    if down == across == NONE:
        return "_"
    if down == NONE and across < 35:
        return "$" + DIGITS[across]
    if across == NONE and down < 35:
        return "@" + DIGITS[down]
    if not (0 <= down < 256 and 0 <= across < 256):
        raise LinkFault(f"{max(down, across)} is larger than any number of such an address")
    signs = {sizes: sign for sign, sizes in SIZES.items()}
    return signs.get((1 + (down >= 16), 1 + (across >= 16)), "") + f"{down:x}{across:x}"


def _margin_number(letters: Letters) -> int:
    return letters.number(len(letters.take()) + 1, 16) if letters.peek() == "-" else _number(letters, 1)


def _margin_text(number: Value) -> str:
    if not isinstance(number, int) or number >= 256:
        raise LinkFault(f"{number} is larger than any number of such an address")
    return "." if number == NONE else f"{number:x}" if number < 16 else f"-{number:x}"


TRIPLACE_ADDRESS = SumsAddress(
    Runs(16, _triplace_pair, _triplace_pair_text), NONE, _margin_number, _margin_text, white=False
)
TRIPLACE_ROWS = SumsRows(NONE)


# --- The parts of an address after the size: each reads its letters into a draft, and writes them from a board --------
# An address is described by a row of parts: `(On(borders, BITS, "border"), On(rooms, NUMBERS, "clue"))`.


class AddressPart(Protocol):
    """A part of an address. layers: what it can read."""

    @property
    def layers(self) -> tuple[str, ...]: ...

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Take the part's letters, and enter what they say."""

    def write(self, board: Board) -> str:
        """The letters for a board."""


@frozen
class On:
    """The values of one layer at some places, in one code.

    words: what the numbers 1, 2, … mean, where the layer holds words.
    optional: the part is left out where nothing is in it.  lenient: it may be left out when it is read.
    missing: what stands where an address that ends too early tells nothing.
    """

    places: Places
    code: RowCode
    layer: str
    words: tuple[str, ...] = ()
    optional: bool = False
    lenient: bool = False
    missing: Value | None = None

    @property
    def layers(self) -> tuple[str, ...]:
        return (self.layer,)

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        if (self.optional or self.lenient) and (letters.over or letters.peek() == "/"):
            return
        layer = draft.layer(self.layer)
        for part in PARTED.get(self.places, (self.places,)):
            self._read(letters, part(draft), layer)

    def _read(self, letters: Letters, places: Sequence[Place], layer: dict[Place, Value]) -> None:
        values = self.code.read(letters, len(places))
        values[letters.places_read :] = [self.missing] * (len(places) - letters.places_read)
        for place, value in zip(places, values, strict=True):
            if value is None:
                continue
            if self.words:
                if not isinstance(value, int) or not 0 < value <= len(self.words):
                    raise LinkFault(f"{value} has no meaning there")
                value = self.words[value - 1]
            layer[place] = value

    def write(self, board: Board) -> str:
        layer = board.layer(self.layer)
        if self.places is rooms:
            layer = at_home(board, layer)
        if self.optional and not layer:
            return ""
        text = ""
        for part in PARTED.get(self.places, (self.places,)):
            values = [layer.get(place) for place in part(board)]
            if self.words:
                values = [None if value is None else self.words.index(str(value)) + 1 for value in values]
            text += self.code.write(values)
        return text


@frozen
class Together:
    """Parts at the end of an address that are left out together, where nothing is in any of them."""

    parts: tuple[On, ...]

    @property
    def layers(self) -> tuple[str, ...]:
        return tuple([layer for part in self.parts for layer in part.layers])

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        if not letters.over:
            for part in self.parts:
                part.read(letters, draft)

    def write(self, board: Board) -> str:
        return "".join([part.write(board) for part in self.parts]) if any(map(board.layer, self.layers)) else ""


@frozen
class CountBefore:
    """What stands before the next `/`: a number, such as that of the stars, in a layer of its own, at the place ()."""

    layer: str

    @property
    def layers(self) -> tuple[str, ...]:
        return (self.layer,)

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        text = letters.until("/")
        if not text.isascii() or not text.isdigit() or len(text) > 6:
            raise LinkFault(f"`{shortened(text, 20)}` is no number" if text else "it ends before the board")
        draft.layer(self.layer)[()] = int(text)

    def write(self, board: Board) -> str:
        return f"{board.layer(self.layer).get((), 0)}/"


@frozen
class Slash:
    """A `/` between two parts, which says nothing."""

    layers = ()

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        if letters.ended():
            return
        start, letter = letters.at, letters.take()
        if letter != "/":
            raise letters.unknown(start, letter)

    def write(self, board: Board) -> str:
        return "/"


@frozen
class CountAfter(CountBefore):
    """The same after a `/`."""

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        Slash().read(letters, draft)
        CountBefore.read(self, letters, draft)
        letters.at -= letters.text[letters.at - 1 : letters.at] == "/"  # it begins the next part

    def write(self, board: Board) -> str:
        return f"/{board.layer(self.layer).get((), 0)}"
