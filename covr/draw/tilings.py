"""Hexagons, triangles and sticks as SVG."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import cast

from attrs import evolve

from covr.compiler.display.prints import Picture
from covr.compiler.lattices import STICKS, Lattice, ends
from covr.draw.board import FIELD, RIM, STEP, THICK, THIN, draw_texts, font_size
from covr.draw.canvas import tight
from covr.draw.elements import DrawnBlock, Paint, Point, Theme, label, number, paint, path, pointed, tag, text_width
from covr.draw.inscribed import ARITHMETIC, BESIDE, CORNER, between, circles, gaps, lines
from covr.draw.outlines import Cell, Near, flood, plane, printed_lines
from covr.draw.pieces import colours
from covr.frozen import frozen

# --- tilings ---------------------------------------------------------------------------------------------------------
# Every cell is the polygon that its lattice says. A side belongs to the two cells that have both of its corners.


Corner = tuple[int, int]
UNIT = 34.0  # pixels between the middles of two cells that touch
ROOM = 0.8  # the part of this distance that a text may take
ROOMY = 44.0  # the same distance where something is printed in cells or on their borders, in pixels
SPOT = 0.62  # where a small text stands in a cell: its part of the way from the middle to the tip
WIDE = 2  # lines and columns around a board in which it has no cell, wide enough to go round it
FAINT = 0.55  # how opaque thin lines are


@frozen
class Tiling:
    """Where the cells of a lattice are.
    unit: pixels between the middles of two cells that touch.  low: the corners' least y and x."""

    lattice: Lattice
    unit: float
    low: Corner

    @property
    def wide(self) -> float:
        return ROOM * self.unit

    @property
    def high(self) -> float:
        return ROOM * self.unit

    def at(self, y: float, x: float) -> Point:
        """A corner in pixels, as (x, y)."""
        down, across = self.lattice.scale
        return RIM + (x - self.low[1]) * across * self.unit, RIM + (y - self.low[0]) * down * self.unit

    def corners(self, at: Cell) -> tuple[Corner, ...]:
        """The corners of a cell, clockwise."""
        return self.lattice.polygon(at)

    def middle(self, at: Cell) -> Point:
        corners = self.corners(at)
        return self.at(sum(y for y, _ in corners) / len(corners), sum(x for _, x in corners) / len(corners))

    def spot(self, at: Cell) -> Point:
        """The middle of a small text in the upper part of a hexagon, or towards the tip of a triangle."""
        corners = self.corners(at)
        across = sum(x for _, x in corners) / len(corners)
        tip = min(corner for corner in corners if corner[1] == across)
        (x, y), (u, v) = self.middle(at), self.at(*tip)
        return x + SPOT * (u - x), y + SPOT * (v - y)


def draw_tiling(picture: Picture, theme: Theme) -> DrawnBlock:
    """A picture of hexagons or triangles. Time linear in its places."""
    return draw_polygons(picture, paint(picture, theme), theme)


def tiling_of(picture: Picture, look: Paint, room: float = 0.0) -> Tiling:
    """Where the cells of a picture are, and what is printed beside them. room: the least side of the square that must
    fit into a cell, in pixels."""
    lattice = picture.lattice
    assert lattice is not None
    size = font_size(look.written)
    widest = max((text_width(t, size) for shown in look.written for t in shown), default=0)
    deepest = max(map(len, look.written), default=1)
    unit = max(UNIT, (widest + 0.4 * size) / ROOM, deepest * 1.3 * size / ROOM, room / ROOM)
    if picture.prints and any(p.to is not None or p.at in set(picture.places) for p in picture.prints):
        unit = max(unit, ROOMY)
    corners = [corner for at in _drawn(picture) for corner in lattice.polygon(at)]
    return Tiling(lattice, unit, (min(y for y, _ in corners), min(x for _, x in corners)))


def _drawn(picture: Picture) -> list[Cell]:
    return [(at[0], at[1]) for at in (*picture.places, *(p.at for p in picture.prints))]


def draw_polygons(picture: Picture, look: Paint, theme: Theme, room: float = 0.0) -> DrawnBlock:
    """A picture of hexagons or triangles, with its paint. room: as for `tiling_of`."""
    tiling = tiling_of(picture, look, room)
    lattice = tiling.lattice
    size = font_size(look.written)
    cells = frozenset((r, c) for r, c in picture.places)
    owner, walls, texts = plane(look.owner), plane(look.walls), plane(look.texts)
    classes = {at: (walls.get(at, -2), owner.get(at, -1)) for at in cells}
    fields = {at: picture.outlines.get(at, -1) for at in cells} if picture.outlines else {}
    flat = [
        *_grounds(cells, look, walls, tiling, theme),
        *_pieces(owner, look.fill, tiling),
        _filled(plane(dict.fromkeys(look.dark)), tiling, theme.filled, "filled"),
        *_lines(classes, fields, tiling, theme),
        *gaps(picture, tiling.middle, theme),
        *printed_lines(picture, tiling.middle, ROOM * tiling.unit, theme),
        *circles(picture, tiling.middle, ROOM * tiling.unit, theme),
        *lines(picture, tiling.middle, theme, texts),
        *draw_texts(texts, look, tiling, size, theme, cast("Near", lattice.near)),
        *_printed(picture, cells, tiling, theme),
        *between(picture, tiling.middle, theme),
        *pointed(((at, [tiling.at(*corner) for corner in tiling.corners(at)]) for at in sorted(cells)), theme),
    ]
    corners = [corner for at in _drawn(picture) for corner in lattice.polygon(at)]
    right, bottom = tiling.at(max(y for y, _ in corners), max(x for _, x in corners))
    return DrawnBlock(right + RIM, bottom + RIM, tuple(line for line in flat if line))


def _printed(picture: Picture, cells: frozenset[Cell], tiling: Tiling, theme: Theme) -> Iterator[str]:
    for p in picture.prints:
        at = (p.at[0], p.at[1])
        if p.to is None and at in cells:
            yield label(tight(p.text, ARITHMETIC), *tiling.spot(at), CORNER, theme.given, class_="corner")
        elif p.to is None:
            yield label(p.text, *tiling.middle(at), BESIDE, theme.given, weight=theme.given_weight, class_="margin")


def _grounds(
    cells: frozenset[Cell], look: Paint, walls: Mapping[Cell, int], tiling: Tiling, theme: Theme
) -> Iterator[str]:
    yield _filled(cells, tiling, theme.board, "cells")
    yield _filled(_enclosed(cells, tiling.lattice), tiling, theme.hole, "hole")
    if walls:
        tint = colours({(*at,): region for at, region in walls.items()}, len(theme.regions), tiling.lattice.near)
        for region in dict.fromkeys(walls.values()):
            yield _filled([at for at, r in walls.items() if r == region], tiling, theme.regions[tint[region]], "region")
    elif theme.given_cell != theme.board and not look.owner:
        given = [(at[0], at[1]) for at in look.given - look.printed - look.dark]
        yield _filled(given, tiling, theme.given_cell, "given")


def _enclosed(cells: frozenset[Cell], lattice: Lattice) -> set[Cell]:
    """The cells of the lattice that are not among these, but are enclosed by them."""
    own = lattice.separate(next(iter(cells)))
    rows, columns = [r for r, _ in cells], [c for _, c in cells]
    (top, bottom), (left, right) = ((min(axis) - WIDE, max(axis) + WIDE) for axis in (rows, columns))
    box = {(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1) if lattice.separate((r, c)) == own}
    free = box - cells
    start = next(at for at in sorted(free) if at[0] == top)
    return free - flood(start, free.__contains__, cast("Near", lattice.near))


def _filled(cells: Collection[Cell], tiling: Tiling, fill: str, kind: str) -> str:
    if not cells:
        return ""
    around = [[tiling.at(*corner) for corner in loop] for loop in _loops(cells, tiling)]
    return tag("path", class_=kind, d=path(around), fill=fill)


def _pieces(owner: Mapping[Cell, int], fill: Mapping[int, str], tiling: Tiling) -> Iterator[str]:
    cells: dict[int, list[Cell]] = {}
    for at in sorted(owner):
        cells.setdefault(owner[at], []).append(at)
    for piece, members in cells.items():
        yield _filled(members, tiling, fill[piece], "piece")


def _sides(at: Cell, tiling: Tiling) -> list[tuple[Corner, Corner]]:
    corners = tiling.corners(at)
    return list(zip(corners, (*corners[1:], corners[0]), strict=True))


def _loops(cells: Collection[Cell], tiling: Tiling) -> list[list[Corner]]:
    sides = dict.fromkeys(side for at in sorted(cells) for side in _sides(at, tiling))
    ways: dict[Corner, list[Corner]] = {}
    for a, b in sides:
        if (b, a) not in sides:
            ways.setdefault(a, []).append(b)
    found = []
    for start in sorted(ways):
        while ways.get(start):
            loop, here = [start], ways[start].pop()
            while here != start:
                loop.append(here)
                here = ways[here].pop()
            found.append(loop)
    return found


def _lines(
    classes: Mapping[Cell, object], fields: Mapping[Cell, object], tiling: Tiling, theme: Theme
) -> Iterator[str]:
    """Thin lines between cells of one class, thick ones between others and round the board, and lines of fields."""
    both: dict[tuple[Corner, Corner], list[Cell]] = {}
    for at in sorted(classes):
        for a, b in _sides(at, tiling):
            both.setdefault((min(a, b), max(a, b)), []).append(at)
    found: dict[str, list[tuple[Corner, Corner]]] = {"thin": [], "field": [], "thick": []}
    for side, cells in both.items():
        one, other = cells[0], cells[-1]
        thick = one == other or classes[one] != classes[other]
        found["thick" if thick else "field" if fields.get(one) != fields.get(other) else "thin"].append(side)
    looks = {"thin": (theme.thin, THIN), "field": (theme.line, FIELD), "thick": (theme.line, THICK)}
    for kind, sides in found.items():
        if sides:
            stroke, wide = looks[kind]
            drawn = path([[tiling.at(*a), tiling.at(*b)] for a, b in sides], closed=False)
            yield tag(
                "path", class_=kind, d=drawn, fill="none", stroke=stroke, stroke_width=wide, stroke_linecap="round",
                stroke_opacity=FAINT if kind == "thin" else None,
            )  # fmt: skip


# --- stick board -----------------------------------------------------------------------------------------------------
# A band turns a corner in a curve and stops short of a corner where it ends, so that two pieces that meet there are
# seen to be two. Taken sticks that are no pieces, such as those of a loop, are drawn as thick lines.


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
    """Where sticks are, in pixels.
    top, left: the least line and column of a corner.  wide: the length of a stick.  margin: around the corners at the
    rim."""

    top: int
    left: int
    wide: float = SIDE
    margin: float = MARGIN

    @property
    def high(self) -> float:
        return self.wide / 2

    def at(self, y: float, x: float) -> Point:
        """A place in pixels, as (x, y)."""
        return self.margin + (x - self.left) * self.wide / 2, self.margin + (y - self.top) * self.wide / 2

    def middle(self, at: Cell) -> Point:
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
    texts = plane(look.texts)
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
    return [end for r, c in (*picture.places, *(p.at for p in picture.prints)) for end in ends((r, c))]


def _loose(picture: Picture, look: Paint) -> tuple[list[Cell], bool]:
    """The sticks that show something and belong to no piece, and whether they are drawn as lines, without a text."""
    loose = [(at[0], at[1]) for at in look.texts if at not in look.owner and at not in look.background]
    alike = len({look.texts[at] for at in loose}) == 1 and not picture.pencil and not look.printed
    return loose, alike


def _written(picture: Picture, look: Paint) -> list[Cell]:
    _, alike = _loose(picture, look)
    return [(at[0], at[1]) for at in look.texts if not alike or at in look.owner]


def _patch(shown: Sequence[str], middle: Point, theme: Theme) -> str:
    wide, high = max(text_width(text, FONT) for text in shown) + 2, FONT * (1.3 * len(shown) - 0.1)
    x, y = middle
    return tag("rect", class_="patch", x=x - wide / 2, y=y - high / 2, width=wide, height=high, fill=theme.paper)


def draw_possible(picture: Picture, theme: Theme) -> DrawnBlock:
    """Sticks of one text: those that are certain as lines, those that are possible dashed, with their notes."""
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
    lines = [[grid.at(*end) for end in ends(at)] for at in cells]
    return tag("path", class_="thin", d=path(lines, closed=False), fill="none", stroke=theme.thin, stroke_width=1.0)


def _dots(corners: Sequence[Cell], grid: Grid, theme: Theme) -> str:
    dots = [[grid.at(*corner)] * 2 for corner in corners]
    return tag(
        "path", class_="dots", d=path(dots, closed=False), fill="none", stroke=theme.line, stroke_width=2 * DOT,
        stroke_linecap="round",
    )  # fmt: skip


def _band(sticks: Sequence[Cell], fill: str, grid: Grid, theme: Theme) -> Iterator[str]:
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
    (r, c), (s, d) = sticks
    return r == s or c == d


def _short(at: Cell, end: Cell, grid: Grid, far: float) -> Point:
    """The place on a stick that is `far` pixels from one of its ends."""
    (x, y), (u, v) = grid.at(*end), grid.middle(at)
    share = far / (grid.wide / 2)
    return x + (u - x) * share, y + (v - y) * share
