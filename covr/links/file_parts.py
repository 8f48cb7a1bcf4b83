"""The parts of a pzprv3 file after the size: each reads its lines into a draft, and writes them from a board.

A file holds a puzzle and what was drawn on it, in rows of words. Which word means what is a row of `WordSense`s: a word
is read by the first that knows it, and a place is written by the first whose layer has something there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from covr.frozen import frozen
from covr.links.codes import ARROWS, COLOURS, DIGITS, shortened
from covr.links.places import (
    SECRET,
    Board,
    BoardDraft,
    LinkFault,
    Place,
    Rows,
    Sheet,
    Value,
    border_rows,
    cell_rows,
    is_cell,
    room_numbers,
)


class FileLines:
    """The lines of a file, read one after another."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._at = 0

    @property
    def over(self) -> bool:
        """Whether all that is left is blank."""
        return not any(line.strip() for line in self._lines[self._at :])

    def peek(self) -> str:
        """The next line, "" after the last one."""
        return self._lines[self._at].strip() if self._at < len(self._lines) else ""

    def pass_blank(self) -> None:
        """Pass over the next line if it is blank, as a row of no places is; other programs leave that out."""
        if self._at < len(self._lines) and not self.peek():
            self._at += 1

    def take(self) -> str:
        """The next line. Raises LinkFault after the last one."""
        if self._at >= len(self._lines):
            raise LinkFault("it ends too early: something was cut off")
        self._at += 1
        return self._lines[self._at - 1].strip()


class FilePart(Protocol):
    """A part of a file. layers: what it can read."""

    @property
    def layers(self) -> tuple[str, ...]: ...

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        """Take the part's lines, and enter what they say."""

    def write(self, board: Board) -> list[str]:
        """The lines for a board."""


NOTHING = ""  # what a word says that a sense knows, and that stands for a blank


class WordSense(Protocol):
    """What one word of a file says about its place. layer: where it says it."""

    @property
    def layer(self) -> str: ...

    def read(self, word: str) -> Value | None:
        """What a word says, perhaps `NOTHING`; None for a word that it does not know."""

    def write(self, value: Value) -> str:
        """The word for a value."""


def whole_number(word: str) -> int | None:
    """The number that a word is; None if it is none."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 9 else None


SECRETS = ("-", "-2")  # words for a secret number


@frozen
class Digits:
    """A number in a layer. before: a letter before it. done: a letter before it once the solver ticked it off. secret:
    the word for a secret number; "" for none. after: letters of which one may follow, and that say nothing."""

    layer: str
    before: str = ""
    secret: str = "-"
    done: str = ""
    after: str = ""

    def read(self, word: str) -> Value | None:
        if not word.startswith(self.before):
            return None
        word = word[len(self.before) :]
        word = word.removeprefix(self.done)
        if self.after and word[-1:] in self.after:
            word = word[:-1]
        return SECRET if word == self.secret or (word in SECRETS and self.secret) else whole_number(word)

    def write(self, value: Value) -> str:
        return self.before + (self.secret if value == SECRET else str(value))


# Numbers in margins, and those that a solver ticks off.
IN_MARGIN = Digits("margin", secret="-2")
TICKED = Digits("margin", secret="-2", done="c")


@frozen
class Marked:
    """One word that means one value in a layer: `#` for a shaded square."""

    layer: str
    word: str
    value: Value = 1

    def read(self, word: str) -> Value | None:
        return self.value if word == self.word else None

    def write(self, value: Value) -> str:
        return self.word if value == self.value else ""


@frozen
class Arrowed:
    """A direction and a number, `4,2`: to the right, two."""

    layer: str

    def read(self, word: str) -> Value | None:
        direction, comma, number = word.partition(",")
        found = whole_number(direction)
        if not comma or found is None or found >= len(ARROWS):
            return None
        count = SECRET if number == "-" else whole_number(number)
        return None if count is None else (ARROWS[found], count)

    def write(self, value: Value) -> str:
        assert isinstance(value, tuple)
        return f"{ARROWS.index(value[0])},{'-' if value[1] == SECRET else value[1]}"


@frozen
class FourNumbers:
    """Four numbers, right, down, left, up: `1,-1,2,2`; -1 is a secret one. Values have the order of addresses: up,
    down, left, right."""

    layer: str

    def read(self, word: str) -> Value | None:
        found = [SECRET if part == "-1" else whole_number(part) for part in word.split(",")]
        return None if len(found) != 4 or None in found else (found[3], *found[1:3], found[0])

    def write(self, value: Value) -> str:
        if not isinstance(value, tuple):
            return ""
        up, down, left, right = ["-1" if each == SECRET else str(each) for each in value]
        return f"{right},{down},{left},{up}"


@frozen
class Castle:
    """A direction, a number and a colour: `3,0,2`. 4 more means ticked off, and a number of -1 no clue."""

    layer: str

    def read(self, word: str) -> Value | None:
        parts = word.split(",")
        direction, colour = whole_number(parts[0]), whole_number(parts[-1])
        if len(parts) == 3 and parts[1] == "-1" and None not in (direction, colour):
            return NOTHING
        number = SECRET if len(parts) == 3 and parts[1] == "-" else whole_number(parts[1]) if len(parts) == 3 else None
        if direction is None or colour is None or number is None or direction >= len(ARROWS) or colour & 3 == 3:
            return None
        return COLOURS[colour & 3], ARROWS[direction], number

    def write(self, value: Value) -> str:
        assert isinstance(value, tuple)
        number = "-" if value[2] == SECRET else value[2]
        return f"{ARROWS.index(value[1])},{number},{COLOURS.index(value[0])}"


@frozen
class ColouredNumber:
    """A colour, 0 or 1, and a number, `1,4`, of which -2 is secret; the value is twice the number and the colour."""

    layer: str

    def read(self, word: str) -> Value | None:
        colour, _, number = word.partition(",")
        if number == "-2":
            number = "0"
        found = whole_number(number)
        return None if colour not in ("0", "1") or found is None else 2 * found + int(colour)

    def write(self, value: Value) -> str:
        return f"{value % 2},{value // 2 or -2}" if isinstance(value, int) else ""


@frozen
class Listed:
    """Several numbers with commas between them, `3,1`; `-` is a secret one."""

    layer: str

    def read(self, word: str) -> Value | None:
        numbers = [SECRET if one == "-" else whole_number(one) for one in word.split(",")]
        return None if None in numbers else tuple(numbers)

    def write(self, value: Value) -> str:
        assert isinstance(value, tuple)
        return ",".join("-" if one == SECRET else str(one) for one in value)


@frozen
class Lettered:
    """A number from 1 to 52, written as a letter: A to Z, then a to z."""

    layer: str

    def read(self, word: str) -> Value | None:
        if word == "-":
            return SECRET
        at = DIGITS.find(word.lower()) if len(word) == 1 else -1
        return None if at < 10 else at - 9 + (26 if word.islower() else 0)

    def write(self, value: Value) -> str:
        if value == SECRET:
            return "-"
        if not isinstance(value, int) or not 1 <= value <= 52:
            raise LinkFault(f"a file has no letter {value}: there are 52")
        return DIGITS[value + 9].upper() if value <= 26 else DIGITS[value - 17]


@frozen
class WordRows:
    """Rows of words, one for each place; a row of no places, as that of the upright borders on a board of one column,
    is a blank line. blank: the word for nothing. outside: what words mean in the margins.

    optional: the rows may be left out at the end of a file, and are where nothing stands in them.
    """

    rows: Rows
    tokens: tuple[WordSense, ...]
    blank: str = "."
    optional: bool = False
    outside: tuple[WordSense, ...] = ()

    @property
    def layers(self) -> tuple[str, ...]:
        return tuple([token.layer for token in (*self.tokens, *self.outside)])

    def _tokens(self, sheet: Sheet, place: Place) -> tuple[WordSense, ...]:
        """What words mean at a place."""
        if not self.outside or is_cell(place, sheet):
            return self.tokens
        return self.outside

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        for places in self.rows(draft):
            if not places:
                lines.pass_blank()
                continue
            words = self._split(lines.take())
            if len(words) != len(places):
                raise LinkFault(
                    f"a row has {len(words)} words instead of {len(places)}: `{shortened(' '.join(words))}`"
                )
            for place, word in zip(places, words, strict=True):
                word = word.partition("[")[0]  # what follows are small numbers, a solver's notes
                if word not in ("", ".", self.blank):
                    self._enter(draft, place, word)

    def _enter(self, draft: BoardDraft, place: Place, word: str) -> None:
        for token in self._tokens(draft, place):
            value = token.read(word)
            if value == NOTHING:
                return
            if value is not None:
                draft.layer(token.layer)[place] = value
                return
        raise LinkFault(f"`{shortened(word)}` means nothing there")

    def write(self, board: Board) -> list[str]:
        if self.optional and not any(map(board.layer, self.layers)):
            return []
        return [self._between.join([self._word(board, place) for place in places]) for places in self.rows(board)]

    def _split(self, line: str) -> list[str]:
        """The words of a line."""
        return line.split()

    @property
    def _between(self) -> str:
        """What stands between two words."""
        return " "

    def _word(self, board: Board, place: Place) -> str:
        for token in self._tokens(board, place):
            value = board.layer(token.layer).get(place)
            word = "" if value is None else token.write(value)
            if word:
                return word
        return self.blank


@frozen
class MarkedRows(WordRows):
    """Rows of words with a letter before those of marked cells, of the layer `ice`: `i`, `i3` and `.`."""

    mark: str = "i"

    @property
    def layers(self) -> tuple[str, ...]:
        """That of the marks, and those of the words."""
        return ("ice", *[token.layer for token in self.tokens])

    def _enter(self, draft: BoardDraft, place: Place, word: str) -> None:
        if word.startswith(self.mark):
            draft.layer("ice")[place] = 1
            word = word.removeprefix(self.mark)
        if word:
            WordRows._enter(self, draft, place, word)

    def _word(self, board: Board, place: Place) -> str:
        word = WordRows._word(self, board, place)
        return word if place not in board.layer("ice") else self.mark + (word if word != self.blank else "")


@frozen
class SummedWords(WordRows):
    """Rows of words, each the sum of what its tokens add: 1, 2, 4 and so on. In the margins words mean one thing."""

    def _enter(self, draft: BoardDraft, place: Place, word: str) -> None:
        left = whole_number(word)
        if not is_cell(place, draft) or left is None:
            WordRows._enter(self, draft, place, word)
            return
        for token in reversed(self.tokens):
            if isinstance(token, Marked) and int(token.word) <= left and place not in draft.layer(token.layer):
                left -= int(token.word)
                draft.layer(token.layer)[place] = token.value
        if left:
            raise LinkFault(f"`{shortened(word)}` means nothing there")

    def _word(self, board: Board, place: Place) -> str:
        if not is_cell(place, board):
            return WordRows._word(self, board, place)
        found = [(token, board.layer(token.layer).get(place)) for token in self.tokens]
        return str(sum(int(token.write(value) or 0) for token, value in found if value is not None))


def words_of(lines: FileLines, count: int) -> list[str]:
    """The words of the next line, which must be so many."""
    words = lines.take().split()
    if len(words) != count:
        raise LinkFault(f"a row has {len(words)} words instead of {count}: `{shortened(' '.join(words))}`")
    return words


@frozen
class HolesAndNumbers:
    """Numbers in cells, `0` for a cell without one, and `.` for a hole in the board."""

    holes: str = "hole"
    numbers: str = "clue"

    @property
    def layers(self) -> tuple[str, ...]:
        return (self.holes, self.numbers)

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        for places in cell_rows(draft):
            for place, word in zip(places, words_of(lines, len(places)), strict=True):
                number = whole_number(word)
                if word == ".":
                    draft.layer(self.holes)[place] = 1
                elif number is None:
                    raise LinkFault(f"`{shortened(word)}` means nothing there")
                elif number:
                    draft.layer(self.numbers)[place] = number

    def write(self, board: Board) -> list[str]:
        return [" ".join([self._word(board, place) for place in places]) for places in cell_rows(board)]

    def _word(self, board: Board, place: Place) -> str:
        number = board.layer(self.numbers).get(place, 0)
        return "." if place in board.layer(self.holes) else "0" if number == SECRET else str(number)


@frozen
class LetterRows(WordRows):
    """Rows of words of one letter, with nothing between them."""

    def _split(self, line: str) -> list[str]:
        return list(line)

    @property
    def _between(self) -> str:
        return ""


@frozen
class WallsAndNumbers:
    """The borders between cells, with a wall and a number in one word: `|` is a wall, `3` a number on a wall, `!3` a
    number on none; `-` and `!` are secret numbers."""

    walls: str = "border"
    numbers: str = "clue"

    @property
    def layers(self) -> tuple[str, ...]:
        return (self.walls, self.numbers)

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        for places in border_rows(draft):
            if not places:
                lines.pass_blank()
                continue
            for place, word in zip(places, words_of(lines, len(places)), strict=True):
                if word != ".":
                    self._enter(draft, place, word)

    def _enter(self, draft: BoardDraft, place: Place, word: str) -> None:
        if not word.startswith("!"):
            draft.layer(self.walls)[place] = 1
        number = word.removeprefix("!")
        if word == "|":
            return
        value = SECRET if number in ("", "-") else whole_number(number)
        if value is None:
            raise LinkFault(f"`{shortened(word)}` means nothing there")
        draft.layer(self.numbers)[place] = value

    def write(self, board: Board) -> list[str]:
        return [" ".join([self._word(board, place) for place in places]) for places in border_rows(board)]

    def _word(self, board: Board, place: Place) -> str:
        number, walled = board.layer(self.numbers).get(place), place in board.layer(self.walls)
        if number is None:
            return "|" if walled else "."
        if number == SECRET:
            return "-" if walled else "!"
        return str(number) if walled else f"!{number}"


@frozen
class Rooms:
    """How many rooms there are, and the room of each cell, read as borders. hole: the layer of cells without a room,
    `#`."""

    layer: str = "border"
    hole: str = ""

    @property
    def layers(self) -> tuple[str, ...]:
        return (self.layer, *([self.hole] if self.hole else []))

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        count = whole_number(lines.take())
        if count is None:
            raise LinkFault("it does not say how many rooms there are")
        room: dict[tuple[object, ...], str] = {}
        for places in cell_rows(draft):
            room.update(zip(places, words_of(lines, len(places)), strict=True))
        holes = {cell for cell, word in room.items() if self.hole and word == "#"}
        if holes:
            draft.layer(self.hole).update(dict.fromkeys(holes, 1))
        walls = draft.layer(self.layer)
        for row in border_rows(draft):
            walls.update({(a, b): 1 for a, b in row if room[a] != room[b]})

    def write(self, board: Board) -> list[str]:
        room = room_numbers(board, self.layer)
        holes = board.layer(self.hole) if self.hole else {}
        found = list(dict.fromkeys([number for cell, number in room.items() if cell not in holes]))
        names = {number: str(at) for at, number in enumerate(sorted(found))}
        rows = [["#" if cell in holes else names[room[cell]] for cell in places] for places in cell_rows(board)]
        return [str(len(found)), *map(" ".join, rows)]


@frozen
class Edges:
    """The borders that a solver drew between regions, in the layer `edge`. Those beside holes, on the frame and on
    printed borders count for nothing.

    more: what other words mean.  holes: the cells that have no region.  rows: the borders that a file tells.
    drawn: the words for borders that the solver drew.  printed: the layer of borders that are printed.
    blank: the word for nothing.
    filled: without borders, what stands in the cells tells regions, if something stands in each of them.
    """

    more: tuple[WordSense, ...] = ()
    holes: Callable[[BoardDraft], Collection[Place]] = lambda draft: draft.layer("hole")
    rows: Rows = border_rows
    filled: bool = False
    drawn: tuple[WordSense, ...] = (Marked("edge", "1"), Marked("edge", "2"), Marked("no edge", "-1"))
    printed: str = "border"
    blank: str = "0"

    @property
    def layers(self) -> tuple[str, ...]:
        return ("edge", *[token.layer for token in self.more])

    @property
    def _rows(self) -> WordRows:
        return WordRows(self.rows, (*self.more, *self.drawn), self.blank)

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        self._rows.read(lines, draft)
        edges = dict(draft.layers.pop("edge", {})) or self._told_by_numbers(draft)
        holes, printed = self.holes(draft), draft.layer(self.printed)
        for row in border_rows(draft):
            for pair in row:
                if pair in edges and pair not in printed and pair[0] not in holes and pair[1] not in holes:
                    draft.layer("edge")[pair] = 1

    def _told_by_numbers(self, draft: BoardDraft) -> dict[Place, Value]:
        """The borders between unlike numbers."""
        number = {**draft.layer("number"), **draft.layer("clue")}
        if not self.filled or any(cell not in number for row in cell_rows(draft) for cell in row):
            return {}
        return {pair: 1 for row in border_rows(draft) for pair in row if number[pair[0]] != number[pair[1]]}

    def write(self, board: Board) -> list[str]:
        return self._rows.write(board)


@frozen
class CountLine:
    """One number on a line of its own, in a layer of its own, at the place (). more: what a file adds to it."""

    layer: str
    more: Callable[[Sheet], int] = lambda sheet: 0

    @property
    def layers(self) -> tuple[str, ...]:
        return (self.layer,)

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        line = lines.take()
        number, more = whole_number(line), self.more(draft)
        if number is None or number < more:
            raise LinkFault(f"`{shortened(line)}` is no number" if number is None else f"{number} is too small")
        draft.layer(self.layer)[()] = number - more

    def write(self, board: Board) -> list[str]:
        return [str(int(str(board.layer(self.layer).get((), 0))) + self.more(board))]


@frozen
class Flag:
    """A line that says the same as a letter before the size of an address; without `no` it may be left out."""

    letter: str
    yes: str
    no: str = ""

    layers = ()

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        if lines.peek() == self.yes:
            draft.flag += self.letter
        elif not self.no:
            return
        elif lines.peek() != self.no:
            raise LinkFault(f"`{shortened(lines.peek())}` means nothing there")
        lines.take()

    def write(self, board: Board) -> list[str]:
        line = self.yes if self.letter in board.flag else self.no
        return [line] if line else []


@frozen
class NamedFlags:
    """A line of names, each the same as a letter before the size of an address; the oldest files do not have it."""

    names: tuple[tuple[str, str], ...]  # (letter, name)

    layers = ()

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        if whole_number(lines.peek()) is not None:
            return
        letters = {name: letter for letter, name in self.names}
        for name in filter(None, lines.take().split(",")):
            if name not in letters:
                raise LinkFault(f"`{shortened(name)}` means nothing there")
            draft.flag += letters[name]

    def write(self, board: Board) -> list[str]:
        return [",".join([name for letter, name in self.names if letter in board.flag])]


@frozen
class Passed:
    """A line that says only how a site draws the puzzle, or how it once did."""

    written: str

    layers = ()

    def read(self, lines: FileLines, draft: BoardDraft) -> None:
        lines.take()

    def write(self, board: Board) -> list[str]:
        return [self.written]


def borders_as(*tokens: WordSense, optional: bool = False) -> WordRows:
    """The borders between cells, `0` for nothing."""
    return WordRows(border_rows, tokens, "0", optional)


def lines_drawn(optional: bool = False) -> WordRows:
    """FileLines between cells, as loops and paths are drawn; `-1` is a cross."""
    return borders_as(Digits("line"), Marked("no line", "-1"), optional=optional)


def shading(*more: WordSense, optional: bool = False) -> WordRows:
    """Shaded cells, and dots on others."""
    return WordRows(cell_rows, (*more, Marked("shaded", "#"), Marked("dot", "+")), optional=optional)


def clues(layer: str = "clue") -> WordRows:
    """A number, or a secret one, in each cell."""
    return WordRows(cell_rows, (Digits(layer),))


def written(layer: str = "number") -> WordRows:
    """Numbers that a solver wrote, and the colours of squares without one."""
    notes = [Marked("dot", word, number) for number, word in enumerate(("+", "-", "=", "%", "c"), 1)]
    return WordRows(cell_rows, (Digits(layer, secret=""), *notes))
