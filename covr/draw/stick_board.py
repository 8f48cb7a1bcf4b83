"""Sticks as SVG: the grid thin, its corners as dots, and every piece a band with one line round it.

A band turns a corner in a curve and stops short of a corner where it ends, so that two pieces that meet there are seen
to be two. Taken sticks that are no pieces, such as those of a loop, are drawn as thick lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from attrs import evolve

from covr.compiler.display.picture import Picture
from covr.compiler.lattices.sticks import STICKS, ends
from covr.draw.board import STEP, draw_texts
from covr.draw.elements import DrawnBlock, Point, label, number, path, tag, text_width
from covr.draw.inscribed import BESIDE
from covr.draw.outlines import Cell, Near
from covr.draw.paint import Paint, paint
from covr.draw.themes import Theme
from covr.frozen import frozen

SIDE = 50.0  # pixels: the least length of a stick
FREE = 6.0  # pixels: between the texts of two sticks that follow each other
MARGIN = 10.0  # pixels: the least room around the corners at the rim
BAND, EDGE = 13.0, 1.6  # the width of a band, and of the line on each side of it
ENDS, TURNS = 17.0, 22.0  # how far from a corner a band ends, without its round cap, and begins to turn
DOT = 2.6  # the radius of a corner
LINE = 6.0  # the width of taken sticks that are no pieces
FONT = 11.0


@frozen
class Grid:
    """Where sticks are. top, left: the least line and column of a corner.  wide: the length of a stick, in pixels,
    which a text on it may take.  margin: around the corners at the rim, in pixels."""

    top: int
    left: int
    wide: float = SIDE
    margin: float = MARGIN

    @property
    def high(self) -> float:
        """The height that texts on a stick may take, in pixels: half its length."""
        return self.wide / 2

    def at(self, y: float, x: float) -> Point:
        """A place in pixels, as (x, y)."""
        return self.margin + (x - self.left) * self.wide / 2, self.margin + (y - self.top) * self.wide / 2

    def middle(self, at: Cell) -> Point:
        """The middle of a stick, in pixels."""
        return self.at(*at)


def draw_sticks(picture: Picture, theme: Theme) -> DrawnBlock:
    """A picture of sticks. Time linear in its places."""
    look = paint(picture, theme)
    cells = [(r, c) for r, c in picture.places]
    corners = sorted({end for at in cells for end in ends(at)})
    grid = grid_of(picture, look)
    body = [_thin(cells, grid, theme), _dots(corners, grid, theme)]
    pieces: dict[int, list[Cell]] = {}
    for at, piece in sorted(look.owner.items()):
        pieces.setdefault(piece, []).append((at[0], at[1]))
    for piece, members in pieces.items():
        body += _band(members, look.fill[piece], grid, theme)
    texts = {(at[0], at[1]): shown for at, shown in look.texts.items()}
    loose, alike = _loose(picture, look)
    if alike:
        lines = [[grid.at(*end) for end in ends(at)] for at in loose]
        body.append(
            tag("path", class_="taken", d=path(lines, closed=False), fill="none", stroke=theme.answer,
                stroke_width=LINE, stroke_linecap="round")
        )  # fmt: skip
    else:
        body += [_patch(texts[at], grid.middle(at), theme) for at in loose]
    written = {at: texts[at] for at in _written(picture, look)}
    body += draw_texts(written, look, grid, FONT, theme, cast("Near", STICKS.near))
    for p in picture.prints:
        x, y = grid.middle((p.at[0], p.at[1]))
        body.append(label(p.text, x, y, BESIDE, theme.given, weight=theme.given_weight, class_="margin"))
    reached = _reached(picture)
    right, bottom = grid.at(max(r for r, _ in reached), max(c for _, c in reached))
    return DrawnBlock(right + grid.margin, bottom + grid.margin, tuple(body))


def grid_of(picture: Picture, look: Paint) -> Grid:
    """Where the sticks of a picture are: so long that each text fits on its stick."""
    texts = [look.texts[at] for at in _written(picture, look)]
    widest = max((text_width(t, FONT) for shown in texts for t in shown), default=0.0)
    deepest = max(map(len, texts), default=0)
    corners = _reached(picture)
    side = max(SIDE, widest + FREE, 2 * deepest * STEP * FONT)
    return Grid(min(r for r, _ in corners), min(c for _, c in corners), side, max(MARGIN, (widest + FREE) / 2))


def _reached(picture: Picture) -> list[Cell]:
    """The corners of the board, and of the sticks beside it on which something is printed."""
    return [end for r, c in (*picture.places, *(p.at for p in picture.prints)) for end in ends((r, c))]


def _loose(picture: Picture, look: Paint) -> tuple[list[Cell], bool]:
    """The sticks that show something and belong to no piece, and whether they are drawn as lines, without a text."""
    loose = [(at[0], at[1]) for at in look.texts if at not in look.owner and at not in look.background]
    alike = len({look.texts[at] for at in loose}) == 1 and not picture.pencil and not look.printed
    return loose, alike


def _written(picture: Picture, look: Paint) -> list[Cell]:
    """The sticks on which texts may be written."""
    _, alike = _loose(picture, look)
    return [(at[0], at[1]) for at in look.texts if not alike or at in look.owner]


def _patch(shown: Sequence[str], middle: Point, theme: Theme) -> str:
    """Paper behind the texts on a stick."""
    wide, high = max(text_width(text, FONT) for text in shown) + 2, FONT * (1.3 * len(shown) - 0.1)
    x, y = middle
    return tag("rect", class_="patch", x=x - wide / 2, y=y - high / 2, width=wide, height=high, fill=theme.paper)


def draw_possible(picture: Picture, theme: Theme) -> DrawnBlock:
    """Sticks that all show the same text, if taken: those that are certain as lines, those that are possible dashed,
    with what is noted of each."""
    sure = evolve(picture, pencil=False, marks=tuple(m for m in picture.marks if not m.faint))
    block = draw_sticks(sure, theme)
    grid = grid_of(sure, paint(sure, theme))
    faint = {(m.at[0], m.at[1]): m.note for m in picture.marks if m.faint}
    body = []
    if faint:
        lines = [[_short(at, end, grid, ENDS / 2) for end in ends(at)] for at in faint]
        body.append(
            tag("path", class_="possible", d=path(lines, closed=False), fill="none", stroke=theme.answer,
                stroke_width=LINE / 2, stroke_dasharray="5 4")
        )  # fmt: skip
    for at, note in sorted(faint.items()):
        if note:
            body += [_patch([note], grid.middle(at), theme), label(note, *grid.middle(at), FONT, theme.answer)]
    return DrawnBlock(block.width, block.height, (*block.body, *body))


def _thin(cells: Sequence[Cell], grid: Grid, theme: Theme) -> str:
    """All sticks of the board as thin lines."""
    lines = [[grid.at(*end) for end in ends(at)] for at in cells]
    return tag("path", class_="thin", d=path(lines, closed=False), fill="none", stroke=theme.thin, stroke_width=1.0)


def _dots(corners: Sequence[Cell], grid: Grid, theme: Theme) -> str:
    """The corners of the grid: lines of no length with round ends."""
    dots = [[grid.at(*corner)] * 2 for corner in corners]
    return tag(
        "path", class_="dots", d=path(dots, closed=False), fill="none", stroke=theme.line, stroke_width=2 * DOT,
        stroke_linecap="round",
    )  # fmt: skip


def _band(sticks: Sequence[Cell], fill: str, grid: Grid, theme: Theme) -> Iterator[str]:
    """One piece: a wide dark line, and a narrower one of its colour on it."""
    drawn = "".join(_strokes(sticks, grid))
    for colour, wide, kind in ((theme.line, BAND + 2 * EDGE, "outline"), (fill, BAND, "piece")):
        yield tag(
            "path", class_=kind, d=drawn, fill="none", stroke=colour, stroke_width=wide, stroke_linecap="round",
            stroke_linejoin="round",
        )  # fmt: skip


def _strokes(sticks: Sequence[Cell], grid: Grid) -> Iterator[str]:
    """The middles of the sticks, and at each corner what joins them, or the rest of a stick that ends there."""
    meeting: dict[Cell, list[Cell]] = {}
    for at in sticks:
        for end in ends(at):
            meeting.setdefault(end, []).append(at)
        yield path([[_short(at, end, grid, TURNS) for end in ends(at)]], closed=False)
    for corner, here in sorted(meeting.items()):
        begin = [_short(at, corner, grid, TURNS) for at in here]
        if len(here) == 1:
            yield path([[begin[0], _short(here[0], corner, grid, ENDS)]], closed=False)
        elif len(here) == 2 and not _straight(here):
            (x, y), (u, v), (p, q) = begin[0], grid.at(*corner), begin[1]
            yield f"M{number(x)} {number(y)}Q{number(u)} {number(v)} {number(p)} {number(q)}"
        else:
            yield path([[point, grid.at(*corner)] for point in begin], closed=False)


def _straight(sticks: Sequence[Cell]) -> bool:
    """Whether two sticks at a corner go on in one direction."""
    (r, c), (s, d) = sticks
    return r == s or c == d


def _short(at: Cell, end: Cell, grid: Grid, far: float) -> Point:
    """The place on a stick that is `far` pixels from one of its ends."""
    (x, y), (u, v) = grid.at(*end), grid.middle(at)
    share = far / (grid.wide / 2)
    return x + (u - x) * share, y + (v - y) * share
