"""Pencil marks as SVG: what is certain is drawn large, and all other candidates of a place small, side by side.

Each text has its own spot in a cell, as people write candidates into sudokus, unless there are more than `MOST_SPOTS`.
A note (how many answers hold a choice) stands after its text, or alone if the picture has only one text; a choice with
the note `1` has a colour of its own. Where shares are shown, a spot is the darker, the more answers hold its choice, as
a legend says. In a hint, cells are tinted; what follows is bold, and what is ruled out is struck through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, sqrt

from attrs import evolve

from covr.compiler.display.prints import Mark, Picture
from covr.compiler.lattices import BALLS, STICKS
from covr.draw.board import SIDE, Frame, draw_cells, frame_of
from covr.draw.canvas import clean
from covr.draw.elements import DrawnBlock, Point, Theme, label, mixed, paint, path, stacked, tag, text_width
from covr.draw.inscribed import kept_free
from covr.draw.outlines import Cell
from covr.draw.pieces import Place, is_line, one_text
from covr.draw.solids import captioned, draw_balls, of_layer
from covr.draw.text import pencilled
from covr.draw.tilings import Tiling, draw_polygons, draw_possible, draw_sticks, tiling_of

SIZE = 12.0  # the font size of pencil marks, in pixels
LINE = 1.25  # font sizes from one row of pencil marks to the next
GAP = 0.5  # font sizes between two pencil marks in a row
ROLES = ("reason", "out", "taken")  # of choices in a hint; the later ones decide the colour of a cell
TINT = 0.3  # the opacity of these colours
INSET = 1.5  # from the edge of a cell to the colour of its only spot, in pixels
BAR = 14.0  # the height of the legend, and the width of each of its steps, in pixels
STEPS = 9  # colours in the legend
MOST_SPOTS = 25  # the most texts for which each has the same spot in every cell


def draw_pencilled(picture: Picture, theme: Theme) -> DrawnBlock:
    """A board with pencil marks; a solid in layers. On sticks and balls, the candidates of a place are one text."""
    if picture.axes == 1:
        picture = picture.as_row()
    if picture.lattice is STICKS and one_text(picture):
        return draw_possible(picture, theme)
    if picture.lattice in (STICKS, BALLS):
        return (draw_sticks if picture.lattice is STICKS else draw_balls)(_as_texts(picture), theme)
    if picture.axes == 3:
        numbers = range(picture.low[0], picture.high[0] + 1)
        return captioned(picture, [_pencilled(picture.layer(z), of_layer(theme, z)) for z in numbers], theme)
    return _pencilled(picture, theme)


def _as_texts(picture: Picture) -> Picture:
    single = one_text(picture)
    marks: dict[Place, list[Mark]] = {}
    for mark in picture.marks:
        if mark.option >= 0:
            marks.setdefault(mark.at, []).append(mark)
    others = [mark for mark in picture.marks if mark.option < 0]
    sure = {at: not any(m.faint for m in here) for at, here in marks.items()}
    texts = (evolve(here[0], text=pencilled(here, single), given=sure[at], look="plain") for at, here in marks.items())
    return evolve(picture, marks=(*texts, *others))


def _pencilled(picture: Picture, theme: Theme) -> DrawnBlock:
    single = one_text(picture)
    faint: dict[Place, list[Mark]] = {}
    for mark in picture.marks:
        if not is_line(mark) and (mark.faint or (single and mark.note)):
            faint.setdefault(mark.at, []).append(mark)
    sure = evolve(picture, marks=tuple(m for m in picture.marks if is_line(m) or m.at not in faint))
    names = sorted({m.text for here in faint.values() for m in here}, key=_in_order)
    slots = {text: n for n, text in enumerate(names)} if len(names) <= MOST_SPOTS else {}
    most = len(slots) or max(map(len, faint.values()), default=1)
    across = ceil(sqrt(most))
    down = ceil(most / across)
    widest = max((text_width(_text_of(m, single), SIZE) for here in faint.values() for m in here), default=0.0)
    spot = widest + GAP * SIZE, LINE * SIZE
    above, beside = kept_free(picture)
    wide = across * spot[0] + GAP * SIZE + 2 * beside[0]
    high = down * spot[1] + GAP * SIZE + 2 * beside[1] + above
    look = paint(sure, theme)
    if picture.lattice is None:
        sides = max(SIDE, wide), max(SIDE, high)
        block, frame = draw_cells(sure, look, theme, sides), frame_of(sure, look, sides)
        body = [*block.body, *_tints(picture, frame, theme)]
        middle: Callable[[Cell], Point] = lambda at: (frame.middle(at)[0], frame.middle(at)[1] + above / 2)  # noqa: E731
        if single and most == 1:
            spot = frame.wide - 2 * (INSET + beside[0]), frame.high - 2 * (INSET + beside[1]) - above
    else:
        room = max(wide, high)
        block, tiling = draw_polygons(sure, look, theme, room), tiling_of(sure, look, room)
        body, middle = [*block.body, *_tinted(picture, tiling, theme)], tiling.middle
    hottest = max((m for here in faint.values() for m in here), key=lambda m: m.heat, default=None)
    heat = 0.0 if hottest is None else hottest.heat
    for at, here in sorted(faint.items()):
        body += _marks(here, middle((at[0], at[1])), slots, (across, down), spot, single, theme, heat)
    drawn = DrawnBlock(block.width, block.height, tuple(body))
    return drawn if hottest is None or heat <= 0 else stacked([drawn, _legend(hottest, theme)], LINE * SIZE)


def _legend(hottest: Mark, theme: Theme) -> DrawnBlock:
    least, most = "0%", hottest.note
    left = text_width(least, SIZE) + GAP * SIZE
    body = [label(least, left / 2, BAR / 2, SIZE, theme.text)]
    for n in range(STEPS):
        fill = mixed(theme.board, theme.heat, n / (STEPS - 1))
        body.append(tag("rect", class_="legend", x=left + n * BAR, y=0, width=BAR, height=BAR, fill=fill))
    body.append(tag("rect", x=left, y=0, width=STEPS * BAR, height=BAR, fill="none", stroke=theme.thin, stroke_width=1))
    said = f"{most} of the answers"
    wide = text_width(said, SIZE)
    body.append(label(said, left + STEPS * BAR + GAP * SIZE + wide / 2, BAR / 2, SIZE, theme.text))
    return DrawnBlock(left + STEPS * BAR + GAP * SIZE + wide, BAR, tuple(body))


def _roles(picture: Picture) -> dict[Place, str]:
    """Place → the strongest role of its choices in a hint. Lines have bands of their own (inscribed.py)."""
    roles: dict[Place, str] = {}
    for mark in picture.marks:
        if mark.role and not is_line(mark) and ROLES.index(mark.role) >= ROLES.index(roles.get(mark.at, ROLES[0])):
            roles[mark.at] = mark.role
    return dict(sorted(roles.items()))


def _tint(role: str, theme: Theme) -> str:
    return {"reason": theme.hint_reason, "out": theme.hint_out, "taken": theme.hint_taken}[role]


def _tinted(picture: Picture, tiling: Tiling, theme: Theme) -> Iterator[str]:
    for at, role in _roles(picture).items():
        corners = [tiling.at(*corner) for corner in tiling.corners((at[0], at[1]))]
        yield tag("path", class_=role, d=path([corners]), fill=_tint(role, theme), fill_opacity=TINT)


def _tints(picture: Picture, frame: Frame, theme: Theme) -> Iterator[str]:
    for at, role in _roles(picture).items():
        x, y = frame.corner((at[0], at[1]))
        fill = _tint(role, theme)
        yield tag("rect", class_=role, x=x, y=y, width=frame.wide, height=frame.high, fill=fill, fill_opacity=TINT)


def _in_order(text: str) -> tuple[bool, int, str]:
    number = text.removeprefix("-").isdecimal()
    return not number, int(text) if number else 0, text


def _text_of(mark: Mark, single: bool) -> str:
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
    hottest: float,
) -> Iterator[str]:
    """The pencil marks of one cell. shape: slots across and down.  spot: the size of one.
    hottest: the share of the answers that has the darkest colour; not positive if none are shown."""
    across, down = shape
    for n, mark in enumerate(here):
        row, column = divmod(slots.get(mark.text, n), across)
        x = middle[0] + (column - (across - 1) / 2) * spot[0]
        y = middle[1] + (row - (down - 1) / 2) * spot[1]
        sure = not mark.faint
        bold = sure or mark.role == "taken"
        only = (mark.note == "1" and mark.faint) or mark.role == "out"
        fill = theme.only if only else theme.given if bold else theme.answer
        said = _text_of(mark, single)
        if hottest > 0 and mark.heat >= 0:
            shade = mixed(theme.board, theme.heat, mark.heat / hottest)
            left, top = x - spot[0] / 2, y - spot[1] / 2
            yield tag("rect", class_="heat", x=left, y=top, width=spot[0], height=spot[1], fill=shade)
            fill = theme.on(shade)
        yield label(said, x, y, SIZE, fill, weight="700" if bold else "400", class_="pencil")
        if mark.role == "out":
            half = text_width(said, SIZE) / 2 + 1
            yield tag("path", class_="out", d=path([[(x - half, y), (x + half, y)]], closed=False), stroke=theme.only)
