"""A text as words that know where they stand, and as the numbers most of these formats consist of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from covr.compiler.formats.fault import FormatFault

DIGITS = 18  # as many as surely fit 63 bits
NOT_SPACE = re.compile(r"\S+")


@frozen
class Word:
    """line, column: from 1."""

    text: str
    line: int
    column: int

    def fault(self, what: str) -> FormatFault:
        return FormatFault(self.line, what, self.column, len(self.text))

    def number(self, signed: bool = False) -> int:
        """The whole number it is. Raises FormatFault where it is none."""
        digits = self.text.removeprefix("-") if signed else self.text
        if not (digits.isascii() and digits.isdigit() and len(digits) <= DIGITS):
            raise self.fault(f"`{shorten(self.text)}` is not a whole number")
        return int(self.text)


def shorten(text: str, most: int = 40) -> str:
    """A text for a message."""
    return text if len(text) <= most else text[: most - 1] + "…"


def words_of(line: str, number: int, start: int = 0) -> list[Word]:
    """The words of a line. start: how many characters stand before it in its line."""
    return [Word(m.group(), number, start + m.start() + 1) for m in NOT_SPACE.finditer(line)]


def filled_lines(text: str, comments: tuple[str, ...] = ()) -> Iterator[list[Word]]:
    """The words of every line that has any and does not begin with one of `comments`."""
    for number, line in enumerate(text.split("\n"), 1):
        if not (comments and line.lstrip().startswith(comments)):
            words = words_of(line, number)
            if words:
                yield words


class Numbers:
    """The whole numbers of a text, one after another, as in files where line ends mean nothing."""

    def __init__(self, text: str) -> None:
        self._words = (word for words in filled_lines(text) for word in words)
        self._size = len(text)
        self.last = Word("", 1, 1)

    def next(self) -> int:
        """The next number; FormatFault where the file ends."""
        word = next(self._words, None)
        if word is None:
            raise self.last.fault("the file ends before all that its first numbers announce")
        self.last = word
        return word.number()

    def size(self) -> int:
        """The next number as a size: never larger than the file has room for, since a broken file must not
        exhaust memory."""
        size = self.next()
        if size > self._size:
            raise self.last.fault(f"{size} are more than the file has room for")
        return size

    def index(self, most: int, what: str) -> int:
        """The next number, from 1 to `most`, as one from 0."""
        number = self.next()
        if not 1 <= number <= most:
            raise self.last.fault(f"there is no {what} {number}: there are {most}")
        return number - 1

    def end(self) -> None:
        """FormatFault where more numbers follow."""
        word = next(self._words, None)
        if word is not None:
            raise word.fault("there are more numbers than the first ones announce")
