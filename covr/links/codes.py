"""The codes of addresses: how a row of values, most of them blank, is written in letters and digits.

They are those of pzpr's addresses (robx/pzprjs, src/variety-common/Encode.js), told in our own words and written anew.
A code reads so many values, and writes values. Letters that mean nothing, and a value that is cut off, are faults. A
text that ends between two values is filled with blanks, and blanks beyond the board are passed over, as pzpr does;
`Letters` notes both, because a link that lost its end is mostly another puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from covr.frozen import frozen
from covr.links.places import SECRET, LinkFault, Value

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
Row = Sequence[Value | None]


class Letters:
    """A text that is read from left to right.

    short, long: whether it ended early, or went beyond the board.  places_read: of the last code.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.short = self.long = False
        self.places_read = 0

    @property
    def over(self) -> bool:
        """Whether everything was read."""
        return self.at >= len(self.text)

    def ended(self) -> bool:
        """Whether everything was read, although more is asked for, which is noted."""
        self.short |= self.over
        return self.over

    def fitted(self, values: list[Value | None], count: int) -> list[Value | None]:
        """So many of the values, filled with blanks; notes whether there were more."""
        self.long |= len(values) > count
        self.places_read = min(len(values), count)
        return [*values[:count], *[None] * (count - len(values))]

    def peek(self) -> str:
        """The next letter. Raises LinkFault at the end."""
        if self.over:
            raise LinkFault("it ends too early: something was cut off")
        return self.text[self.at]

    def take(self, count: int = 1) -> str:
        """The next letters."""
        taken = self.text[self.at : self.at + count]
        if len(taken) < count:
            raise LinkFault("it ends too early: something was cut off")
        self.at += count
        return taken

    def number(self, count: int, base: int) -> int:
        """The next letters as a number."""
        start, text = self.at, self.take(count)
        if not all(letter in DIGITS[:base] for letter in text):
            raise self.unknown(start, text)
        return int(text, base)

    def until(self, end: str) -> str:
        """What stands before the next such letter, which is passed over, or before the end of the text."""
        found = self.text.find(end, self.at)
        text = self.text[self.at :] if found < 0 else self.text[self.at : found]
        self.at = len(self.text) if found < 0 else found + 1
        return text

    def unknown(self, at: int, text: str) -> LinkFault:
        """The fault that these letters mean nothing here."""
        return LinkFault(f"`{shortened(text)}` means nothing at letter {at + 1} of `{shortened(self.text)}`")


def shortened(text: str, most: int = 60) -> str:
    """A text in a message, on one line, perhaps without its end; signs that can't be printed are shown as `�`."""
    shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[:most])
    return shown if len(text) <= most else shown + "…"


class RowCode(Protocol):
    """A way to write a row of values."""

    def read(self, letters: Letters, count: int) -> list[Value | None]:
        """Take the letters of so many values; None for a blank."""

    def write(self, values: Row) -> str:
        """The letters for these values."""


@frozen
class Runs:
    """Each value by itself, and one letter for each run of blanks.

    one: the digit (base 36) that stands for one blank; the letters after it stand for two, three, ….
    symbol: reads one value.  written: writes it.
    """

    one: int
    symbol: Callable[[Letters], Value]
    written: Callable[[Value], str]

    def read(self, letters: Letters, count: int) -> list[Value | None]:
        values: list[Value | None] = []
        while len(values) < count and not letters.ended():
            blanks = DIGITS.find(letters.peek()) - self.one + 1
            if blanks > 0:
                letters.take()
                values += [None] * blanks
            else:
                values.append(self.symbol(letters))
        return letters.fitted(values, count)

    def write(self, values: Row) -> str:
        most, text, blanks = len(DIGITS) - self.one, "", 0
        for value in [*values, None]:
            blank = value is None
            if blanks and (not blank or blanks == most):
                text += DIGITS[self.one + blanks - 1]
                blanks = 0
            if blank:
                blanks += 1
            else:
                assert value is not None
                text += self.written(value)
        return text + (DIGITS[self.one + blanks - 2] if blanks > 1 else "")


# How numbers above 15 are written: a sign, so many digits of base 16, and what is added to them.
LONG = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192), "@": (3, 8192), "*": (4, 12240), "$": (5, 77776)}


def long_number(letters: Letters) -> Value:
    """A number of any size, or a secret one."""
    start, letter = letters.at, letters.take()
    if letter == ".":
        return SECRET
    if letter in LONG:
        digits, more = LONG[letter]
        return letters.number(digits, 16) + more
    if letter not in DIGITS[:16]:
        raise letters.unknown(start, letter)
    return int(letter, 16)


def long_text(value: Value) -> str:
    """`long_number`, written."""
    if value == SECRET:
        return "."
    assert isinstance(value, int)
    if value < 16:
        return DIGITS[value]
    if value < 256:
        return f"-{value:02x}"
    if value < 4096:
        return f"+{value:03x}"
    for sign, top in (("=", 8192), ("@", 12240), ("*", 77776), ("$", 77776 + 16**5)):
        if value < top:
            digits, more = LONG[sign]
            return f"{sign}{value - more:0{digits}x}"
    raise LinkFault(f"{value} is larger than any number of an address")


def byte(letters: Letters) -> Value:
    """A number below 256, or a secret one."""
    if letters.peek() in LONG and letters.peek() != "-":
        raise letters.unknown(letters.at, letters.peek())
    return long_number(letters)


def byte_text(value: Value) -> str:
    """`byte`, written."""
    if isinstance(value, int) and value >= 256:
        raise LinkFault(f"{value} is larger than any number of such an address")
    return long_text(value)


def digit(letters: Letters) -> Value:
    """A digit from 0 to 9, or a secret number."""
    start, letter = letters.at, letters.take()
    if letter == ".":
        return SECRET
    if letter not in DIGITS[:10]:
        raise letters.unknown(start, letter)
    return int(letter)


def digit_text(value: Value) -> str:
    """`digit`, written."""
    if value == SECRET:
        return "."
    if not isinstance(value, int) or not 0 <= value <= 9:
        raise LinkFault(f"{value} is no digit")
    return str(value)


ARROWS = ("", "^", "v", "<", ">")  # the directions by their numbers; 0 is none


def arrow(letters: Letters) -> Value:
    """A direction and a number: `(">", 3)`."""
    start, letter = letters.at, letters.take()
    if letter in DIGITS[:5]:
        direction = int(letter)
        if letters.peek() == ".":
            letters.take()
            return (ARROWS[direction], SECRET)
        return (ARROWS[direction], letters.number(1, 16))
    if letter in DIGITS[5:10]:
        return (ARROWS[int(letter) - 5], letters.number(2, 16))
    if letter == "-":
        direction = letters.number(1, 5)
        return (ARROWS[direction], letters.number(3, 16))
    raise letters.unknown(start, letter)


def arrow_text(value: Value) -> str:
    """`arrow`, written."""
    assert isinstance(value, tuple)
    direction, number = ARROWS.index(value[0]), value[1]
    if number == SECRET:
        return f"{direction}."
    if number < 16:
        return f"{direction}{number:x}"
    return f"{direction + 5}{number:02x}" if number < 256 else f"-{direction}{number:03x}"


def compass(letters: Letters) -> Value:
    """Four numbers: up, down, left and right, secret ones where nothing is told; or a square that is none, `#`."""
    if letters.peek() == "_":
        letters.take()
        return "#"
    return tuple([long_number(letters) for _ in range(4)])


def compass_text(value: Value) -> str:
    """`compass`, written."""
    if value == "#":
        return "_"
    assert isinstance(value, tuple)
    return "".join(map(long_text, value))


NUMBERS = Runs(16, long_number, long_text)  # numbers of any size: most kinds
BYTES = Runs(16, byte, byte_text)  # numbers in margins
DECIMALS = Runs(10, digit, digit_text)  # digits only, so that longer runs of blanks have a letter
ARROWED = Runs(10, arrow, arrow_text)  # a direction and a number
COMPASSES = Runs(16, compass, compass_text)  # four numbers


def sign(letters: Letters) -> Value:
    """One of four signs by its number."""
    return letters.number(1, 5)


SIGNS = Runs(5, sign, str)  # signs from 1 to 4, so that longer runs of blanks have a letter


COLOURS = "gwb"  # grey, white and black, by their numbers


def castle(letters: Letters) -> Value:
    """A colour, a direction and a number: `("b", ">", 3)`."""
    start, colour = letters.at, letters.number(1, 16)
    if colour >= len(COLOURS):
        raise letters.unknown(start, str(colour))
    if letters.peek() == "-":
        letters.take()
        direction, digits = letters.number(1, 16), 3
    else:
        direction, digits = letters.number(1, 10), 1
        if direction >= 5:
            direction, digits = direction - 5, 2
    if direction >= len(ARROWS):
        raise letters.unknown(start, str(direction))
    if digits == 1 and letters.peek() == ".":
        letters.take()
        return COLOURS[colour], ARROWS[direction], SECRET
    return COLOURS[colour], ARROWS[direction], letters.number(digits, 16)


def castle_text(value: Value) -> str:
    """`castle`, written."""
    assert isinstance(value, tuple)
    colour, direction, number = COLOURS.index(value[0]), ARROWS.index(value[1]), value[2]
    if number == SECRET:
        return f"{colour}{direction}."
    if not 0 <= number < 4096:
        raise LinkFault(f"{number} is larger than any number of such an address")
    if number < 16:
        return f"{colour}{direction}{number:x}"
    return f"{colour}{direction + 5}{number:02x}" if number < 256 else f"{colour}-{direction}{number:03x}"


CASTLES = Runs(10, castle, castle_text)  # a colour, a direction and a number

# Of several numbers in one place, pairs are written from 360 on, triples from 396, fours from 460: in base 36, each
# number below the base that is named here, 0 for a secret one.
LISTS = {2: (360, 6), 3: (396, 4), 4: (460, 2)}


def listed(letters: Letters) -> Value:
    """One to four numbers, each of which may be secret: `(3, 1)`."""
    start, letter = letters.at, letters.take()
    if letter == ".":
        return (SECRET,)
    if letter == "9":
        return (1, 1, 1, 1)
    if letter in DIGITS[:9]:
        return (int(letter),)
    if letter in DIGITS[10:16]:
        number = 36 * DIGITS.index(letter) + letters.number(1, 36)
        for many, (first, base) in LISTS.items():
            if first <= number < first + base**many:
                places = [(number - first) // base**at % base for at in reversed(range(many))]
                return tuple([place or SECRET for place in places])
    raise letters.unknown(start, letter)


def listed_text(value: Value) -> str:
    """`listed`, written."""
    assert isinstance(value, tuple)
    if len(value) == 1:
        return "." if value[0] == SECRET else digit_text(value[0])
    if value == (1, 1, 1, 1):
        return "9"
    first, base = LISTS.get(len(value), (0, 0))
    number = 0
    for one in value:
        if one != SECRET and not 0 < one < base:
            raise LinkFault(f"{one} is no number of {len(value)} in one place")
        number = number * base + (0 if one == SECRET else one)
    return DIGITS[(first + number) // 36] + DIGITS[(first + number) % 36]


RUN_LENGTHS = Runs(16, listed, listed_text)


def compared(letters: Letters) -> Value:
    """A number, or which of two cells is less: the first (`less`) or the second (`more`)."""
    if letters.peek() in "gh":
        return "less" if letters.take() == "g" else "more"
    return byte(letters)


def compared_text(value: Value) -> str:
    """`compared`, written."""
    return {"less": "g", "more": "h"}.get(value, "") if isinstance(value, str) and value != SECRET else byte_text(value)


COMPARED = Runs(18, compared, compared_text)
FOURS = Runs(5, digit, digit_text)  # numbers from 1 to 4


@frozen
class Doubles:
    """A number in each place in base 32, in one digit, or in two after `-`. Nothing is written as 0."""

    def read(self, letters: Letters, count: int) -> list[Value | None]:
        values: list[Value | None] = []
        while len(values) < count and not letters.ended():
            long = letters.peek() == "-"
            if long:
                letters.take()
            values.append(letters.number(2 if long else 1, 32))
        return letters.fitted(values, count)

    def write(self, values: Row) -> str:
        text = ""
        for value in values:
            number = value or 0
            if not isinstance(number, int) or number >= 32 * 32:
                raise LinkFault(f"{value} is larger than any number of such an address")
            text += DIGITS[number] if number < 32 else f"-{DIGITS[number // 32]}{DIGITS[number % 32]}"
        return text


DOUBLES = Doubles()


@frozen
class Paired:
    """Marks of three sorts, two in each number of a row of numbers."""

    def read(self, letters: Letters, count: int) -> list[Value | None]:
        values: list[Value | None] = []
        for number in NUMBERS.read(letters, (count + 1) // 2):
            if number is not None and not (isinstance(number, int) and number < 16):
                raise LinkFault(f"{number} is no pair of marks")
            pair = number or 0
            values += [pair >> 2 or None, pair & 3 or None]
        letters.long |= any(values[count:])
        return letters.fitted(values[:count], count)

    def write(self, values: Row) -> str:
        numbers: list[Value | None] = []
        for at in range(0, len(values), 2):
            pair = [value or 0 for value in (*values[at : at + 2], None)]
            assert isinstance(pair[0], int) and isinstance(pair[1], int)
            numbers.append(pair[0] << 2 | pair[1] or None)
        return NUMBERS.write(numbers)


PAIRED = Paired()


DOTTED: Mapping[str, Value] = {
    "_": SECRET,
    "+": "#",
    **{letter: number for number, letter in enumerate(DIGITS[:20])},
    **{letter.upper(): number + 10 for number, letter in enumerate(DIGITS) if number > 9},
}


@frozen
class Dotted:
    """Numbers up to 45 in one character each, `_` for a secret one, `+` for a black cell (`#`). A dot is one blank."""

    def read(self, letters: Letters, count: int) -> list[Value | None]:
        values: list[Value | None] = []
        while len(values) < count and not letters.ended():
            start, letter = letters.at, letters.take()
            at = DIGITS.find(letter)
            if letter == ".":
                values.append(None)
            elif at >= 20:
                values += [None] * (at - 18)  # `k` is two blanks
            elif letter in DOTTED:
                values.append(DOTTED[letter])
            else:
                raise letters.unknown(start, letter)
        return letters.fitted(values, count)

    def write(self, values: Row) -> str:
        text, at, said = "", 0, {number: letter for letter, number in DOTTED.items()}
        while at < len(values):
            start = at
            while at < len(values) and values[at] is None and at - start < 17:
                at += 1
            if at > start:
                text += "." if at - start == 1 else DIGITS[at - start + 18]
                continue
            value = values[at]
            if value not in said:
                raise LinkFault(f"{value} is larger than any number of such an address")
            text, at = text + said[value], at + 1
        return text


DOTTED_NUMBERS = Dotted()


@frozen
class Sparse:
    """Small numbers, with up to two blanks after each in the same letter; longer runs of blanks have letters."""

    def read(self, letters: Letters, count: int) -> list[Value | None]:
        values: list[Value | None] = []
        while len(values) < count and not letters.ended():
            start, letter = letters.at, letters.take()
            at = DIGITS.find(letter)
            if letter == ".":
                values.append(SECRET)
            elif 0 <= at < 15:
                values += [at % 5, *[None] * (at // 5)]
            elif at >= 16:
                values += [None] * (at - 15)
            else:
                raise letters.unknown(start, letter)
        # The blanks after the last number may reach beyond the board.
        return letters.fitted(values[: max(count, len(values) - 2)], count)

    def write(self, values: Row) -> str:
        text, at, size = "", 0, len(values)
        while at < size:
            value = values[at]
            at += 1
            if value is None:
                blanks = 1
                while at < size and values[at] is None and blanks < 20:
                    at, blanks = at + 1, blanks + 1
                text += DIGITS[15 + blanks]
            elif value == SECRET:
                text += "."
            elif isinstance(value, int) and 0 <= value <= 4:
                after = next((k for k in (0, 1) if at + k < size and values[at + k] is not None), 2)
                text += DIGITS[5 * after + value]
                at += after
            else:
                raise LinkFault(f"{value} is not one of the numbers from 0 to 4")
        return text


SPARSE = Sparse()


@frozen
class Packed:
    """Numbers below a base, 0 for a blank, several in one letter: three below 3 in base 27, five bits in base 32."""

    base: int
    each: int

    def read(self, letters: Letters, count: int) -> list[Value | None]:
        values: list[Value | None] = []
        while len(values) < count and not letters.ended():
            packed = letters.number(1, self.base**self.each)
            values += [packed // self.base**k % self.base or None for k in reversed(range(self.each))]
        letters.long |= any(values[count:])
        return letters.fitted(values[:count], count)

    def write(self, values: Row) -> str:
        text = ""
        for at in range(0, len(values), self.each):
            packed = 0
            for value in [*values[at : at + self.each], *[None] * self.each][: self.each]:
                if not (value is None or (isinstance(value, int) and 0 <= value < self.base)):
                    raise LinkFault(f"{value} is not below {self.base}")
                packed = packed * self.base + (value or 0)
            text += DIGITS[packed]
        return text


TRIPLES = Packed(3, 3)  # white is 1, black is 2
BITS = Packed(2, 5)


@frozen
class Gaps:
    """Marks of one sort, by the blanks before each; `.` is 36 blanks. tail: whether blanks at the end are written."""

    tail: bool = True

    def read(self, letters: Letters, count: int) -> list[Value | None]:
        values: list[Value | None] = []
        while len(values) < count or not count:
            if (letters.over and not self.tail) or letters.ended():
                break
            start, letter = letters.at, letters.take()
            gap = 36 if letter == "." else DIGITS.find(letter)
            if gap < 0:
                raise letters.unknown(start, letter)
            values += [None] * gap if letter == "." else [*[None] * gap, 1]
            if not count:
                break
        # The last letter counts the blanks behind the last mark.
        ends = len(values) == count + 1 and values[-1] is not None
        return letters.fitted(values[:count] if ends else values, count)

    def write(self, values: Row) -> str:
        text, gap = "", 0
        for value in values:
            if value is not None:
                text, gap = text + DIGITS[gap], 0
            else:
                gap += 1
                if gap == 36:
                    text, gap = text + ".", 0
        return text + (DIGITS[gap] if self.tail and (gap or not text) else "")


GAPS = Gaps()
MARKS_ONLY = Gaps(tail=False)


@frozen
class Trees:
    """Marks of one sort, by the number of blanks after each, and runs of blanks where there is no mark before them."""

    def read(self, letters: Letters, count: int) -> list[Value | None]:
        values: list[Value | None] = []
        while len(values) < count and not letters.ended():
            at = letters.number(1, 36)
            values += [1, *[None] * at] if at < 18 else [None] * (at - 17)
        return letters.fitted(values, count)

    def write(self, values: Row) -> str:
        text, at, size = "", 0, len(values)
        while at < size:
            marked = values[at] is not None
            start = at = at + 1 if marked else at
            while at < size and values[at] is None and at - start < (17 if marked else 18):
                at += 1
            text += DIGITS[at - start] if marked else DIGITS[at - start + 17]
        return text


TREES = Trees()


def every_number(letters: Letters) -> Value | None:
    """A number of base 36, one of two digits after `-`, a secret one, or `.` for none."""
    letter = letters.peek()
    if letter in DIGITS:
        return letters.number(1, 36)
    letters.take()
    if letter == "-":
        return letters.number(2, 36)
    if letter in "%@":
        return SECRET
    if letter == ".":
        return None
    raise letters.unknown(letters.at - 1, letter)


@frozen
class Full:
    """A number in each place, without a short form for blanks."""

    def read(self, letters: Letters, count: int) -> list[Value | None]:
        values: list[Value | None] = []
        while len(values) < count and not letters.ended():
            values.append(every_number(letters))
        return letters.fitted(values, count)

    def write(self, values: Row) -> str:
        text = ""
        for value in values:
            if value is None or value == SECRET:
                text += "." if value is None else "@"
            else:
                assert isinstance(value, int)
                if not 0 <= value < 36 * 36:
                    raise LinkFault(f"{value} is larger than any number of such an address")
                text += DIGITS[value] if value < 36 else f"-{DIGITS[value // 36]}{DIGITS[value % 36]}"
        return text


FULL = Full()


@frozen
class Dots:
    """Marks of two sorts, 1 and 2, with up to seven blanks after each in the same letter; longer runs have letters."""

    def read(self, letters: Letters, count: int) -> list[Value | None]:
        values: list[Value | None] = []
        while len(values) < count and not letters.ended():
            at = letters.number(1, 36)
            values += [at % 2 + 1, *[None] * (at // 2)] if at < 16 else [None] * (at - 15)
        # The blanks after the last mark may reach beyond the board.
        return letters.fitted(values[: max(count, len(values) - 7)], count)

    def write(self, values: Row) -> str:
        text, at, size = "", 0, len(values)
        while at < size:
            value, start = values[at], at
            most = 7 if value is not None else 20
            at = at + 1 if value is not None else at
            first = at
            while at < size and values[at] is None and at - first < most:
                at += 1
            if value is None:
                text += DIGITS[at - start + 15]
                continue
            assert isinstance(value, int)
            blanks = at - first if at < size else most
            text += DIGITS[2 * blanks + value - 1]
        return text


DOTS = Dots()
PARTS = "┼│─└┘┐┌"  # parts of lines, by the letters from a on


@frozen
class LineParts:
    """Parts of lines, `?` for a secret one, and circles, as many beside each other as a digit and one more say."""

    def read(self, letters: Letters, count: int) -> list[Value | None]:
        values: list[Value | None] = []
        while len(values) < count and not letters.ended():
            start, letter = letters.at, letters.take()
            at = DIGITS.find(letter)
            if letter == ".":
                values.append(SECRET)
            elif 0 <= at < 10:
                values += ["o"] * (at + 1)
            elif at >= 17:
                values += [None] * (at - 16)
            elif at >= 10:
                values.append(PARTS[at - 10])
            else:
                raise letters.unknown(start, letter)
        return letters.fitted(values, count)

    def write(self, values: Row) -> str:
        text, at = "", 0
        while at < len(values):
            value, many = values[at], 1
            most = 19 if value is None else 10 if value == "o" else 1
            while many < most and at + many < len(values) and values[at + many] == value:
                many += 1
            at += many
            if value is None:
                text += DIGITS[16 + many]
            elif value == "o":
                text += DIGITS[many - 1]
            else:
                text += "." if value == SECRET else DIGITS[10 + PARTS.index(str(value))]
        return text


LINE_PARTS = LineParts()


def arrow_number(letters: Letters) -> Value:
    """The number of one of the four directions, or a secret one."""
    start, letter = letters.at, letters.take()
    if letter == ".":
        return SECRET
    if letter not in DIGITS[1:5]:
        raise letters.unknown(start, letter)
    return int(letter)


DIRECTIONS = Runs(5, arrow_number, digit_text)  # numbers from 1 to 4, so that most letters are left for blanks
