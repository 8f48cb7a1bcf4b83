"""Pencil marks as SVG: what is certain is drawn large, and all other candidates of a place small, side by side.

Each text has its own spot in a cell, the same in all cells, as people write candidates into sudokus: the picture's
texts in order, row by row. If there are more of them than `MOST_SPOTS`, each cell lists its own texts one after
another. A note (how many answers hold a choice) stands after its text, or alone if the picture has only one text; a
choice with the note `1` has a colour of its own.

In a hint, the cells of the reason and of the conclusions are tinted; what follows is bold, and what is ruled out is
struck through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, sqrt

from attrs import evolve

from covr.compiler.display.picture import Mark, Picture
from covr.draw.board import SIDE, Frame, draw_cells, frame_of
from covr.draw.elements import DrawnBlock, label, path, tag, text_width
from covr.draw.lists import draw_list
from covr.draw.paint import paint
from covr.draw.pieces import Place, one_text
from covr.draw.styled import clean
from covr.draw.themes import Theme

SIZE = 12.0  # the font size of pencil marks, in pixels
LINE = 1.25  # font sizes from one row of pencil marks to the next
GAP = 0.5  # font sizes between two pencil marks in a row
ROLES = ("reason", "out", "taken")  # of choices in a hint; the later ones decide the colour of a cell
TINT = 0.3  # the opacity of these colours
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
    body = [*block.body, *_tints(picture, frame, theme)]
    for at, here in sorted(faint.items()):
        body += _marks(here, frame.middle((at[0], at[1])), slots, (across, down), spot, single, theme)
    return DrawnBlock(block.width, block.height, tuple(body))


def _tints(picture: Picture, frame: Frame, theme: Theme) -> Iterator[str]:
    """The cells that matter in a hint, under a thin colour: that of the strongest role in each."""
    roles: dict[Place, str] = {}
    for mark in picture.marks:
        if mark.role and ROLES.index(mark.role) >= ROLES.index(roles.get(mark.at, ROLES[0])):
            roles[mark.at] = mark.role
    for at, role in sorted(roles.items()):
        x, y = frame.corner((at[0], at[1]))
        fill = {"reason": theme.hint_reason, "out": theme.hint_out, "taken": theme.hint_taken}[role]
        yield tag("rect", class_=role, x=x, y=y, width=frame.wide, height=frame.high, fill=fill, fill_opacity=TINT)


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
        bold = sure or mark.role == "taken"
        only = (mark.note == "1" and mark.faint) or mark.role == "out"
        fill = theme.only if only else theme.given if bold else theme.answer
        said = _said(mark, single)
        yield label(said, x, y, SIZE, fill, weight="700" if bold else "400", class_="pencil")
        if mark.role == "out":
            half = text_width(said, SIZE) / 2 + 1
            yield tag("path", class_="out", d=path([[(x - half, y), (x + half, y)]], closed=False), stroke=theme.only)
