"""Pencil marks as SVG: what is certain is drawn large, and all other candidates of a place small, side by side.

Each text has its own spot in a cell, the same in all cells, as people write candidates into sudokus: the picture's
texts in order, row by row. If there are more of them than `MOST_SPOTS`, each cell lists its own texts one after
another. A note (how many answers hold a choice) stands after its text, or alone if the picture has only one text; a
choice with the note `1` has a colour of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, sqrt

from attrs import evolve

from covr.compiler.display.picture import Mark, Picture
from covr.draw.board import SIDE, draw_cells, frame_of
from covr.draw.elements import DrawnBlock, label, text_width
from covr.draw.lists import draw_list
from covr.draw.paint import paint
from covr.draw.pieces import Place, one_text
from covr.draw.styled import clean
from covr.draw.themes import Theme

SIZE = 12.0  # the font size of pencil marks, in pixels
LINE = 1.25  # font sizes from one row of pencil marks to the next
GAP = 0.5  # font sizes between two pencil marks in a row
MOST_SPOTS = 25  # the most texts for which each has the same spot in every cell


def draw_pencilled(picture: Picture, theme: Theme) -> DrawnBlock:
    """A board with pencil marks. Solids and lists are drawn as a list that says what is possible where."""
    if picture.axes == 1:
        picture = picture.as_row()
    if picture.axes != 2:
        return draw_list(picture, theme)
    single = one_text(picture)
    faint: dict[Place, list[Mark]] = {}
    for mark in picture.marks:
        if mark.faint or (single and mark.note):
            faint.setdefault(mark.at, []).append(mark)
    sure = evolve(picture, marks=tuple(m for m in picture.marks if m.at not in faint))
    names = sorted({m.text for here in faint.values() for m in here}, key=_in_order)
    slots = {text: n for n, text in enumerate(names)} if len(names) <= MOST_SPOTS else {}
    most = len(slots) or max(map(len, faint.values()), default=1)
    across = ceil(sqrt(most))
    down = ceil(most / across)
    widest = max((text_width(_said(m, single), SIZE) for here in faint.values() for m in here), default=0.0)
    spot = widest + GAP * SIZE, LINE * SIZE
    sides = max(SIDE, across * spot[0] + GAP * SIZE), max(SIDE, down * spot[1] + GAP * SIZE)
    look = paint(sure, theme)
    block = draw_cells(sure, look, theme, sides)
    frame = frame_of(sure, look, sides)
    body = list(block.body)
    for at, here in sorted(faint.items()):
        body += _marks(here, frame.middle((at[0], at[1])), slots, (across, down), spot, single, theme)
    return DrawnBlock(block.width, block.height, tuple(body))


def _in_order(text: str) -> tuple[bool, int, str]:
    """Numbers by size, then texts."""
    number = text.removeprefix("-").isdecimal()
    return not number, int(text) if number else 0, text


def _said(mark: Mark, single: bool) -> str:
    """What is written for a mark. single: whether the picture shows only one text, which need not be repeated."""
    text = clean(mark.text)
    if mark.note:
        return mark.note if single else f"{text}:{mark.note}"
    return text


def _marks(
    here: Sequence[Mark],
    middle: tuple[float, float],
    slots: Mapping[str, int],
    shape: tuple[int, int],
    spot: tuple[float, float],
    single: bool,
    theme: Theme,
) -> Iterator[str]:
    """The pencil marks of one cell. shape: slots across and down.  spot: the width and height of one."""
    across, down = shape
    for n, mark in enumerate(here):
        row, column = divmod(slots.get(mark.text, n), across)
        x = middle[0] + (column - (across - 1) / 2) * spot[0]
        y = middle[1] + (row - (down - 1) / 2) * spot[1]
        sure = not mark.faint
        fill = theme.only if mark.note == "1" and mark.faint else theme.given if sure else theme.answer
        yield label(_said(mark, single), x, y, SIZE, fill, weight="700" if sure else "400", class_="pencil")
