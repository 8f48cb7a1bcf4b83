"""How addresses and files of kakuro write black squares with two numbers, in three layers: `black`, `across`, `down`.

The numbers of runs that begin at the frame stand in the margins, at (row, 0) and (0, column). A number that is not
there is not in its layer.
"""

from __future__ import annotations

from covr.frozen import frozen
from covr.links.board import Board, BoardDraft, LinkFault, Place, Value
from covr.links.codes import DIGITS, Letters, Runs, shortened
from covr.links.file_parts import FileLines, whole_number
from covr.links.places import cells, margin_rows, margins

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
