"""How addresses and files of triplace write black squares with two numbers, in three layers: `black`, `across`, `down`.

Numbers of runs that begin at the frame stand in the margins, at (row, 0) and (0, column). A number may be 0, unlike
a kakuro's. One that is not there is not in its layer.
"""

from __future__ import annotations

from covr.frozen import frozen
from covr.links.board import Board, BoardDraft, LinkFault, Place, Value
from covr.links.codes import DIGITS, Letters, Runs, shortened
from covr.links.file_parts import FileLines, whole_number
from covr.links.places import cells, margin_rows, margins

NONE = -1
# How many digits of base 16 the numbers down and across have after these signs.
SIZES = {"-": (1, 2), "+": (2, 1), "=": (2, 2)}


def _number(letters: Letters, digits: int) -> int:
    """A number of so many digits; `.` is none."""
    if letters.peek() == ".":
        letters.take()
        return NONE
    return letters.number(digits, 16)


def _pair(letters: Letters) -> Value:
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


def _pair_text(value: Value) -> str:
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


PAIRS = Runs(16, _pair, _pair_text)


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
        for place, value in zip(places, PAIRS.read(letters, len(places)), strict=True):
            if isinstance(value, tuple):
                draft.layer("black")[place] = 1
                _enter(draft, place, *value)
        for place in margins(draft):
            if letters.ended():
                break
            long = letters.peek() == "-"
            number = letters.number(len(letters.take()) + 1, 16) if long else _number(letters, 1)
            _enter(draft, place, number if place[0] == 0 else NONE, number if place[0] else NONE)

    def write(self, board: Board) -> str:
        """The address of a board."""
        values: list[Value | None] = [
            (_at(board, "down", place), _at(board, "across", place)) if place in board.layer("black") else None
            for place in cells(board)
        ]
        rest = [_margin_text(_at(board, "down" if place[0] == 0 else "across", place)) for place in margins(board)]
        return PAIRS.write(values) + "".join(rest)


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
        _enter(draft, place, numbers[-1], numbers[0])
    else:
        _enter(draft, place, NONE if place[0] else numbers[0], numbers[0] if place[0] else NONE)


def _word(board: Board, place: Place) -> str:
    across, down = _at(board, "across", place), _at(board, "down", place)
    if place[0] and place[1]:
        return f"{across},{down}" if place in board.layer("black") else "."
    return "0" if place == (0, 0) else str(across if place[0] else down)


def _enter(draft: BoardDraft, place: Place, down: int, across: int) -> None:
    if down != NONE:
        draft.layer("down")[place] = down
    if across != NONE:
        draft.layer("across")[place] = across


def _at(board: Board, layer: str, place: Place) -> int:
    number = board.layer(layer).get(place, NONE)
    assert isinstance(number, int)
    return number


TRIPLACE_ADDRESS, TRIPLACE_ROWS = TriplaceAddress(), TriplaceRows()
