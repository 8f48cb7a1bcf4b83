"""Places in a text as an editor counts them: lines from 0, and in a line units of UTF-16, UTF-8 or whole characters."""

from __future__ import annotations

from bisect import bisect_right

from attrs import field
from lsprotocol import types

from covr.dsl.source import Span
from covr.frozen import frozen

WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}  # codec, bytes of a unit


@frozen
class Places:
    """The places of one text, whose lines end with `\\n`. units: the encoding in which the editor counts."""

    text: str = field(repr=False)
    units: str = "utf-16"
    _starts: list[int] = field(init=False, repr=False)

    @_starts.default
    def _find_starts(self) -> list[int]:
        starts, at = [0], self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def position(self, offset: int) -> types.Position:
        """The place of a character. Time O(log lines + length of the line)."""
        line = bisect_right(self._starts, offset) - 1
        return types.Position(line, self._length(self.text[self._starts[line] : offset]))

    def offset(self, position: types.Position) -> int:
        """The character at a place; the end of its line, or of the text, if it is behind that."""
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[position.line]
        end = self._starts[position.line + 1] - 1 if position.line + 1 < len(self._starts) else len(self.text)
        line = self.text[start:end]
        if line.isascii():
            return start + min(position.character, len(line))
        low, high = 0, len(line)
        while low < high:
            middle = (low + high) // 2
            if self._length(line[: middle + 1]) <= position.character:
                low = middle + 1
            else:
                high = middle
        return start + low

    def range(self, span: Span) -> types.Range:
        """A span of this text."""
        return self.between(span.start, span.end)

    def between(self, start: int, end: int) -> types.Range:
        """The text from an offset up to another."""
        return types.Range(self.position(start), self.position(end))

    def _length(self, text: str) -> int:
        if text.isascii():
            return len(text)
        codec, size = WIDTHS[self.units]
        return len(text.encode(codec, "surrogatepass")) // size


def normal(text: str) -> str:
    """A text with the ends of lines that covr knows; each stays one, so lines keep their numbers."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
