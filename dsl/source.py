"""Texts with their names, and ranges of characters in them.

A `Source` is one text (a model, a library, a data file, a `-D` on the command line); a `Span` is a half-open range of
character offsets into it, counted from 0. Lines and columns, counted from 1, are computed only when a message is shown.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from attrs import field

from covr.frozen import frozen


@frozen
class Source:
    """A text, and the name under which the user knows it.

    name: what messages print: a path as the user gave it, `<stdin>`, `-D clue`.
    text: the whole text, with newlines normalised to `\\n`.
    path: the absolute path for resolving relative names; empty if there is none.
    first: the number of its first line, if the text is a part of a longer one.
    linked: whether it was made from a link, which its data is from.
    remark: what is odd about that link, in words that follow its name; mostly "".
    """

    name: str
    text: str = field(repr=False)
    path: str = field(default="", repr=False, eq=False)
    first: int = field(default=1, repr=False)
    linked: bool = field(default=False, repr=False, eq=False)
    remark: str = field(default="", repr=False, eq=False)

    _starts: list[int] = field(factory=list, init=False, repr=False, eq=False)  # offsets of lines, once they are needed

    @property
    def whole(self) -> object:
        """What it is a part of: the same object for all parts of one text, and itself for a text that is no part."""
        return self

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column (both from 1) of a character offset. Time O(length) once, then O(log lines)."""
        starts = self._lines()
        line = bisect_right(starts, offset)
        return line + self.first - 1, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (counted as `place` does), without its newline."""
        starts = self._lines()
        number -= self.first - 1
        if not 0 < number <= len(starts):
            return ""
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end]

    def _lines(self) -> list[int]:
        if not self._starts:
            self._starts.extend([0, *(found.end() for found in re.finditer("\n", self.text))])
        return self._starts


# A picture, a text, or what stands between two words. Neither blanks nor `#` mean anything inside texts.
_GAPS_AND_TEXTS = re.compile(r'("""(?:[^"]|"(?!""))*""")|("(?!"")(?:[^"\\\n]|\\.)*"?)|(?:\s|#[^\n]*)+')


def _smoothed(found: re.Match[str]) -> str:
    return '"""…"""' if found[1] else found[2] or " "


@frozen
class Span:
    """The characters of `source` from `start` up to, but not including, `end`."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def text(self) -> str:
        """The text of the span."""
        return self.source.text[self.start : self.end]

    @property
    def one_line(self) -> str:
        """The text of the span on one line, without comments; of a picture only its quotes."""
        return _GAPS_AND_TEXTS.sub(_smoothed, self.text).strip()

    @property
    def place(self) -> tuple[int, int]:
        """Line and column of the first character, from 1."""
        return self.source.place(self.start)

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of a later one in the same source."""
        return Span(self.source, self.start, other.end)
