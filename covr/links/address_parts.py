"""The parts of an address after the size; black squares with two numbers, in addresses and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from covr.frozen import frozen
from covr.links.codes import DIGITS, Letters, RowCode, Runs, shortened
from covr.links.file_parts import FileLines, whole_number
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

# --- kakuro ----------------------------------------------------------------------------------------------------------
# How addresses and files of kakuro write black squares with two numbers, in three layers: `black`, `across`, `down`.
#
# The numbers of runs that begin at the frame stand in the margins, at (row, 0) and (0, column). A number that is not
# there is not in its layer.


# 0 to 19 in small letters, 20 to 45 in capital ones.
SUMS = DIGITS[:20] + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _sum(letters: Letters) -> int:
    """A number, 0 for none."""
    letter = letters.take()
    if letter != "-" and letter not in SUMS:
        raise letters.unknown(letters.at - 1, letter)
    return max(SUMS.find(letter), 0)


def _sum_text(number: Value) -> str:
    if not isinstance(number, int) or number >= len(SUMS):
        raise LinkFault(f"{number} is larger than any sum")
    return SUMS[number]


def _pair(letters: Letters) -> Value:
    """What a black square says: down, then across."""
    if letters.peek() == ".":
        letters.take()
        return (0, 0)
    return (_sum(letters), _sum(letters))


def _pair_text(value: Value) -> str:
    assert isinstance(value, tuple)
    return "." if not any(value) else _sum_text(value[0]) + _sum_text(value[1])


PAIRS = Runs(20, _pair, _pair_text)


@frozen
class KakuroAddress:
    """The squares, then the margins of those rows and columns that do not begin with a black square."""

    layers: tuple[str, ...] = ("black", "across", "down")

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Read the address."""
        places = cells(draft)
        for place, value in zip(places, PAIRS.read(letters, len(places)), strict=True):
            if isinstance(value, tuple):
                draft.layer("black")[place] = 1
                _enter(draft, place, value[0], value[1])
        for place in self._white(draft):
            if letters.ended():
                break
            number = _sum(letters)
            _enter(draft, place, number if place[0] == 0 else 0, number if place[0] else 0)

    def write(self, board: Board) -> str:
        """The address of a board."""
        values: list[Value | None] = [
            (_at(board, "down", place), _at(board, "across", place)) if place in board.layer("black") else None
            for place in cells(board)
        ]
        rest = [_sum_text(_at(board, "down" if place[0] == 0 else "across", place)) for place in self._white(board)]
        return PAIRS.write(values) + "".join(rest)

    def _white(self, sheet: Board | BoardDraft) -> list[Place]:
        """The places in the margins that have a white square beside them."""
        black = sheet.layer("black")
        return [(r, c) for r, c in margins(sheet) if (max(r, 1), max(c, 1)) not in black]


@frozen
class KakuroRows:
    """Rows of words with a margin above and to the left: `8,4` is across and down."""

    layers: tuple[str, ...] = ("black", "across", "down")

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        """Read the rows."""
        for places in margin_rows(draft):
            words = lines.take().split()
            if len(words) != len(places):
                raise LinkFault(
                    f"a row has {len(words)} words instead of {len(places)}: `{shortened(' '.join(words))}`"
                )
            for place, word in zip(places, words, strict=True):
                if word != ".":
                    self._enter(draft, place, word)

    def _enter(self, draft: BoardDraft, place: Place, word: str) -> None:
        numbers = [0 if part == "-1" else whole_number(part) for part in word.split(",")]
        if None in numbers or len(numbers) != (2 if place[0] and place[1] else 1):
            raise LinkFault(f"`{shortened(word)}` means nothing there")
        first, last = numbers[0] or 0, numbers[-1] or 0
        if place[0] and place[1]:
            draft.layer("black")[place] = 1
            _enter(draft, place, last, first)
        elif place[0] or place[1]:
            _enter(draft, place, 0 if place[0] else first, first if place[0] else 0)

    def write(self, board: Board) -> list[str]:
        """The rows of a board."""
        return [" ".join([self._word(board, place) for place in places]) for places in margin_rows(board)]

    def _word(self, board: Board, place: Place) -> str:
        across, down = _at(board, "across", place), _at(board, "down", place)
        if place[0] and place[1]:
            said = f"{across},{down}" if across or down else "-1,-1"
            return said if place in board.layer("black") else "."
        return str(across or down or -1) if place != (0, 0) else "0"


def _enter(draft: BoardDraft, place: Place, down: int, across: int) -> None:
    if down:
        draft.layer("down")[place] = down
    if across:
        draft.layer("across")[place] = across


def _at(board: Board, layer: str, place: Place) -> Value:
    return board.layer(layer).get(place, 0)


KAKURO_ADDRESS, KAKURO_ROWS = KakuroAddress(), KakuroRows()


# --- triplace --------------------------------------------------------------------------------------------------------
# How addresses and files of triplace write black squares with two numbers, in three layers: `black`, `across`, `down`.
#
# Numbers of runs that begin at the frame stand in the margins, at (row, 0) and (0, column). A number may be 0, unlike
# a kakuro's. One that is not there is not in its layer.


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
    """What a black square says: down, then across."""
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


TRIPLACE_PAIRS = Runs(16, _triplace_pair, _triplace_pair_text)


def _margin_text(number: int) -> str:
    if number >= 256:
        raise LinkFault(f"{number} is larger than any number of such an address")
    return "." if number == NONE else f"{number:x}" if number < 16 else f"-{number:x}"


@frozen
class TriplaceAddress:
    """The squares, then the margins above and to the left."""

    layers: tuple[str, ...] = ("black", "across", "down")

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Read the address."""
        places = cells(draft)
        for place, value in zip(places, TRIPLACE_PAIRS.read(letters, len(places)), strict=True):
            if isinstance(value, tuple):
                draft.layer("black")[place] = 1
                _triplace_enter(draft, place, *value)
        for place in margins(draft):
            if letters.ended():
                break
            long = letters.peek() == "-"
            number = letters.number(len(letters.take()) + 1, 16) if long else _number(letters, 1)
            _triplace_enter(draft, place, number if place[0] == 0 else NONE, number if place[0] else NONE)

    def write(self, board: Board) -> str:
        """The address of a board."""
        values: list[Value | None] = [
            (_triplace_at(board, "down", place), _triplace_at(board, "across", place))
            if place in board.layer("black")
            else None
            for place in cells(board)
        ]
        rest = [
            _margin_text(_triplace_at(board, "down" if place[0] == 0 else "across", place)) for place in margins(board)
        ]
        return TRIPLACE_PAIRS.write(values) + "".join(rest)


@frozen
class TriplaceRows:
    """Rows of words with a margin above and to the left: `8,4` is across and down, and -1 is none."""

    layers: tuple[str, ...] = ("black", "across", "down")

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        """Read the rows."""
        for places in margin_rows(draft):
            words = lines.take().split()
            if len(words) != len(places):
                raise LinkFault(
                    f"a row has {len(words)} words instead of {len(places)}: `{shortened(' '.join(words))}`"
                )
            for place, word in zip(places, words, strict=True):
                if word != "." and place != (0, 0):
                    _enter_word(draft, place, word)

    def write(self, board: Board) -> list[str]:
        """The rows of a board."""
        return [" ".join([_word(board, place) for place in places]) for places in margin_rows(board)]


def _enter_word(draft: BoardDraft, place: Place, word: str) -> None:
    inside = bool(place[0] and place[1])
    numbers = [NONE if part == "-1" else whole_number(part) for part in word.split(",")]
    if len(numbers) != 1 + inside or numbers[0] is None or numbers[-1] is None:
        raise LinkFault(f"`{shortened(word)}` means nothing there")
    if inside:
        draft.layer("black")[place] = 1
        _triplace_enter(draft, place, numbers[-1], numbers[0])
    else:
        _triplace_enter(draft, place, NONE if place[0] else numbers[0], numbers[0] if place[0] else NONE)


def _word(board: Board, place: Place) -> str:
    across, down = _triplace_at(board, "across", place), _triplace_at(board, "down", place)
    if place[0] and place[1]:
        return f"{across},{down}" if place in board.layer("black") else "."
    return "0" if place == (0, 0) else str(across if place[0] else down)


def _triplace_enter(draft: BoardDraft, place: Place, down: int, across: int) -> None:
    if down != NONE:
        draft.layer("down")[place] = down
    if across != NONE:
        draft.layer("across")[place] = across


def _triplace_at(board: Board, layer: str, place: Place) -> int:
    number = board.layer(layer).get(place, NONE)
    assert isinstance(number, int)
    return number


TRIPLACE_ADDRESS, TRIPLACE_ROWS = TriplaceAddress(), TriplaceRows()


# --- address parts ---------------------------------------------------------------------------------------------------
# The parts of an address after the size: each reads its letters into a draft, and writes them from a board.
#
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
        """Its layer."""
        return (self.layer,)

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Read the part into the draft."""
        if (self.optional or self.lenient) and (letters.over or letters.peek() == "/"):
            return
        layer = draft.layer(self.layer)
        for part in PARTED.get(self.places, (self.places,)):
            self._read(letters, part(draft), layer)

    def _read(self, letters: Letters, places: Sequence[Place], layer: dict[Place, Value]) -> None:
        values = self.code.read(letters, len(places))
        values[letters.told :] = [self.missing] * (len(places) - letters.told)
        for place, value in zip(places, values, strict=True):
            if value is None:
                continue
            if self.words:
                if not isinstance(value, int) or not 0 < value <= len(self.words):
                    raise LinkFault(f"{value} has no meaning there")
                value = self.words[value - 1]
            layer[place] = value

    def write(self, board: Board) -> str:
        """The part of the address of a board."""
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
        """The layers of all."""
        return tuple([layer for part in self.parts for layer in part.layers])

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Read them all, or none."""
        if not letters.over:
            for part in self.parts:
                part.read(letters, draft)

    def write(self, board: Board) -> str:
        """All of them, or none."""
        return "".join([part.write(board) for part in self.parts]) if any(map(board.layer, self.layers)) else ""


@frozen
class CountBefore:
    """What stands before the next `/`: a number, such as that of the stars, in a layer of its own, at the place ()."""

    layer: str

    @property
    def layers(self) -> tuple[str, ...]:
        """Its layer."""
        return (self.layer,)

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Read the number."""
        text = letters.until("/")
        if not text.isascii() or not text.isdigit() or len(text) > 6:
            raise LinkFault(f"`{shortened(text, 20)}` is no number" if text else "it ends before the board")
        draft.layer(self.layer)[()] = int(text)

    def write(self, board: Board) -> str:
        """The number, and the `/` after it."""
        return f"{board.layer(self.layer).get((), 0)}/"


@frozen
class Slash:
    """A `/` between two parts, which says nothing."""

    @property
    def layers(self) -> tuple[str, ...]:
        """None."""
        return ()

    def read(self, letters: Letters, draft: BoardDraft) -> None:
        """Read the `/`."""
        if letters.ended():
            return
        start, letter = letters.at, letters.take()
        if letter != "/":
            raise letters.unknown(start, letter)

    def write(self, board: Board) -> str:
        """The `/`."""
        return "/"
