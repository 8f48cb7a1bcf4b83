"""A text as words that know their places, and as the numbers of which most of these formats consist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from attrs import frozen

from covr.compiler.formats.fault import FormatFault

DIGITS = 18  # the most digits that a number may have; every number of so many fits into 63 bits
# No matrix within covr's limits has more words; they are counted because each takes far more memory than in the file.
MOST_WORDS = 8_000_000
MOST_IN_A_LINE = 1_000_000
NOT_SPACE = re.compile(r"\S+")


@frozen
class Word:
    """A word of a text. line, column: where it begins, counted from 1."""

    text: str
    line: int
    column: int

    def fault(self, what: str) -> FormatFault:
        """A FormatFault at this word, to be raised."""
        return FormatFault(self.line, what, self.column, len(self.text))

    def number(self, signed: bool = False) -> int:
        """The word as a whole number. Raises FormatFault if it is not one."""
        digits = self.text.removeprefix("-") if signed else self.text
        if not (digits.isascii() and digits.isdigit() and len(digits) <= DIGITS):
            raise self.fault(f"`{shorten(self.text)}` is not a whole number")
        return int(self.text)


def shorten(text: str, most: int = 40) -> str:
    """A text, cut to `most` characters for a message."""
    return text if len(text) <= most else text[: most - 1] + "…"


def words_of(line: str, number: int) -> Iterator[Word]:
    """The words of a line. number: of the line, from 1."""
    return (Word(m.group(), number, m.start() + 1) for m in NOT_SPACE.finditer(line))


def filled_lines(text: str, comments: tuple[str, ...] = ()) -> Iterator[list[Word]]:
    """The words of every line that has any and does not begin with one of `comments`."""
    total = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not (comments and line.lstrip().startswith(comments)):
            words = list(islice(words_of(line, number), MOST_IN_A_LINE + 1))
            total += len(words)
            if len(words) > MOST_IN_A_LINE:
                raise words[-1].fault(f"there are more than {MOST_IN_A_LINE} words in a line")
            if total > MOST_WORDS:
                raise words[-1].fault(f"there are more than {MOST_WORDS} words")
            if words:
                yield words


class Numbers:
    """The whole numbers of a text, one after another, as in files where line ends mean nothing."""

    def __init__(self, text: str) -> None:
        every = enumerate(text.split("\n"), 1)
        lines = ((n, line) for n, line in every if not line.lstrip().startswith(("#", "//")))
        self._words = islice((word for number, line in lines for word in words_of(line, number)), MOST_WORDS)
        self._size = len(text)
        self.last = Word("", 1, 1)

    def next(self) -> int:
        """The next number. Raises FormatFault at the end of the file."""
        word = next(self._words, None)
        if word is None:
            raise self.last.fault("the file ends before all that its first numbers announce")
        self.last = word
        return word.number()

    def size(self) -> int:
        """The next number as a size. Raises FormatFault if it is larger than the file has room for, since a broken file
        must not exhaust memory."""
        size = self.next()
        if size > self._size:
            raise self.last.fault(f"{size} are more than the file has room for")
        return size

    def index(self, most: int, what: str) -> int:
        """The next number, which must be 1 to `most`, less 1."""
        number = self.next()
        if not 1 <= number <= most:
            raise self.last.fault(f"there is no {what} {number}: there are {most}")
        return number - 1

    def end(self) -> None:
        """Raises FormatFault if more numbers follow."""
        word = next(self._words, None)
        if word is not None:
            raise word.fault("there are more numbers than the first ones announce")
