"""Pictures without a board, as SVG: lists of choices in columns, and strips, which are boards of one row."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt

from covr.compiler.display.picture import Picture
from covr.draw.board import draw_board
from covr.draw.elements import MONO, DrawnBlock, beside, label, tag, text_width
from covr.draw.styled import clean, is_number
from covr.draw.themes import Theme

# In pixels: the font size, the height of a line, the gap between columns, and the margin.
SIZE = 14.0
LINE = 24.0
GAP = 22.0
MARGIN = 10.0
# Lists of more lines than LONG are folded into columns, until their width is about SHAPE times their height.
LONG, SHAPE = 24, 1.2


def draw_list(picture: Picture, theme: Theme) -> DrawnBlock:
    """One line for each choice, in columns, with numbers aligned to the right; or one line for each mark, with its
    place.

    A long list is split into parts that stand side by side and are read downwards.
    """
    lines = picture.lines if picture.axes == 0 else tuple((*map(str, m.at), m.text) for m in picture.marks)
    rows = [tuple(map(clean, line)) for line in lines] or [("(nothing)",)]
    columns = max(map(len, rows))
    rows = [row + ("",) * (columns - len(row)) for row in rows]
    widths = [max(text_width(t, SIZE) for t in column) for column in zip(*rows, strict=True)]
    right = [all(is_number(t) or not t for t in column) for column in zip(*rows, strict=True)]
    width = 2 * MARGIN + sum(widths) + GAP * (columns - 1)
    parts = 1 if len(rows) <= LONG else ceil(sqrt(SHAPE * len(rows) * LINE / (width + GAP)))
    high = ceil(len(rows) / parts)
    return beside([_part(rows[n : n + high], widths, right, width, theme) for n in range(0, len(rows), high)], GAP)


def _part(
    rows: Sequence[tuple[str, ...]], widths: Sequence[float], right: Sequence[bool], width: float, theme: Theme
) -> DrawnBlock:
    """Lines below each other, every second one shaded."""
    body = []
    for n, row in enumerate(rows):
        y = n * LINE
        if n % 2 == 0:
            body.append(tag("rect", class_="row", x=0, y=y, width=width, height=LINE, fill=theme.given_cell))
        x = MARGIN
        for text, wide, number in zip(row, widths, right, strict=True):
            if text:
                anchor, at = ("end", x + wide) if number else ("start", x)
                body.append(label(text, at, y + LINE / 2, SIZE, theme.given, anchor=anchor, family=MONO))
            x += wide + GAP
    return DrawnBlock(width, LINE * len(rows), tuple(body))


def draw_strip(picture: Picture, theme: Theme) -> DrawnBlock:
    """One row of cells."""
    return draw_board(picture.as_row(), theme)
