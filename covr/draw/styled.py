"""A line of text whose parts have styles, independent of whether the output can show colours.

Styles are names; surface.py defines what they look like. A part without a style has the empty style.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from covr.frozen import frozen


@frozen
class Part:
    """A part of a line. text: without newlines.  style: `` (none), `given`, `line`, `title`, `piece-N` or
    `piece-N given`."""

    text: str
    style: str = ""


Line = tuple[Part, ...]


def plain(lines: Iterable[Line]) -> str:
    """The lines as text, without styles and without blanks at their ends."""
    return "\n".join("".join(part.text for part in line).rstrip() for line in lines)


def width(text: str) -> int:
    """How many columns a text takes in a terminal: two for wide East Asian characters, none for combining ones."""
    if text.isascii():
        return len(text)
    return sum(_columns(c) for c in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, columns: int, right: bool = False) -> str:
    """A text padded with blanks to so many columns; `right` aligns it to the right."""
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def clean(text: str) -> str:
    """A text from a model with nothing in it that moves a terminal's cursor or changes its colours."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "?" for c in text)


def is_number(text: str) -> bool:
    """Whether the text is a whole number in digits, perhaps with a minus sign."""
    return text.removeprefix("-").isdecimal()


def line_width(line: Line) -> int:
    """The width of a line in columns of the terminal."""
    return sum(width(part.text) for part in line)


def beside(blocks: Sequence[Sequence[Line]], gap: int = 3) -> list[Line]:
    """Blocks of lines next to each other, their first lines level, `gap` blanks apart."""
    widths = [max((line_width(line) for line in block), default=0) for block in blocks]
    lines: list[Line] = []
    for row in range(max(map(len, blocks), default=0)):
        parts: list[Part] = []
        behind = 0
        for block, columns in zip(blocks, widths, strict=True):
            line = block[row] if row < len(block) else ()
            parts += [Part(" " * behind), *line] if behind else line
            behind = columns - line_width(line) + gap
        lines.append(tuple(parts))
    return lines
