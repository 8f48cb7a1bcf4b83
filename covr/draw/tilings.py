"""Hexagons and triangles as SVG: fills, thin and thick lines, texts, as on a board of squares.

Every cell is the polygon that its lattice says. A side belongs to the two cells that have both of its corners.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import cast

from covr.compiler.display.picture import Picture
from covr.compiler.lattices.lattice import Lattice
from covr.draw.board import FIELD, RIM, THICK, THIN, draw_texts, font_size
from covr.draw.elements import DrawnBlock, Point, label, path, tag, text_width
from covr.draw.inscribed import ARITHMETIC, BESIDE, CORNER, between, circles, gaps, lines
from covr.draw.margins import tight
from covr.draw.outlines import Cell, Near, flood
from covr.draw.paint import Paint, paint
from covr.draw.pieces import colours
from covr.draw.pointed import pointed
from covr.draw.shapes import printed_lines
from covr.draw.themes import Theme
from covr.frozen import frozen

Corner = tuple[int, int]
UNIT = 34.0  # pixels between the middles of two cells that touch
ROOM = 0.8  # the part of this distance that a text may take
ROOMY = 44.0  # the same distance where something is printed in cells or on their borders, in pixels
SPOT = 0.62  # where a small text stands in a cell: its part of the way from the middle to the tip
WIDE = 2  # lines and columns around a board in which it has no cell, wide enough to go round it
FAINT = 0.55  # how opaque thin lines are


@frozen
class Tiling:
    """Where the cells of a lattice are. unit: pixels between the middles of two cells that touch. low: the corners'
    least y and x."""

    lattice: Lattice
    unit: float
    low: Corner

    @property
    def wide(self) -> float:
        """The width that a text may take, in pixels."""
        return ROOM * self.unit

    @property
    def high(self) -> float:
        """The height that a text may take, in pixels."""
        return ROOM * self.unit

    def at(self, y: float, x: float) -> Point:
        """A corner in pixels, as (x, y)."""
        down, across = self.lattice.scale
        return RIM + (x - self.low[1]) * across * self.unit, RIM + (y - self.low[0]) * down * self.unit

    def corners(self, at: Cell) -> tuple[Corner, ...]:
        """The corners of a cell, clockwise."""
        return self.lattice.polygon(at)

    def middle(self, at: Cell) -> Point:
        """The middle of a cell, in pixels."""
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
    """The cells of a board and of its margins."""
    return [(at[0], at[1]) for at in (*picture.places, *(p.at for p in picture.prints))]


def draw_polygons(picture: Picture, look: Paint, theme: Theme, room: float = 0.0) -> DrawnBlock:
    """A picture of hexagons or triangles, with its paint. room: as for `tiling_of`."""
    tiling = tiling_of(picture, look, room)
    lattice = tiling.lattice
    size = font_size(look.written)
    cells = frozenset((r, c) for r, c in picture.places)
    owner = {(at[0], at[1]): piece for at, piece in look.owner.items()}
    walls = {(at[0], at[1]): region for at, region in look.walls.items()}
    texts = {(at[0], at[1]): shown for at, shown in look.texts.items()}
    classes = {at: (walls.get(at, -2), owner.get(at, -1)) for at in cells}
    fields = {at: picture.outlines.get(at, -1) for at in cells} if picture.outlines else {}
    flat = [
        *_grounds(cells, look, walls, tiling, theme),
        *_pieces(owner, look.fill, tiling),
        _filled([(at[0], at[1]) for at in look.dark], tiling, theme.filled, "filled"),
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
    """Small texts in cells, and the texts of the margins, each in the middle of the place beside the board."""
    for p in picture.prints:
        at = (p.at[0], p.at[1])
        if p.to is None and at in cells:
            yield label(tight(p.text, ARITHMETIC), *tiling.spot(at), CORNER, theme.given, class_="corner")
        elif p.to is None:
            yield label(p.text, *tiling.middle(at), BESIDE, theme.given, weight=theme.given_weight, class_="margin")


def _grounds(
    cells: frozenset[Cell], look: Paint, walls: Mapping[Cell, int], tiling: Tiling, theme: Theme
) -> Iterator[str]:
    """The board, its holes, and tints of regions and givens."""
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
    """The cells of the lattice that are not among these, but are enclosed by them. Time linear in the box around
    them."""
    own = lattice.separate(next(iter(cells)))
    rows, columns = [r for r, _ in cells], [c for _, c in cells]
    (top, bottom), (left, right) = ((min(axis) - WIDE, max(axis) + WIDE) for axis in (rows, columns))
    box = {(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1) if lattice.separate((r, c)) == own}
    free = box - cells
    start = next(at for at in sorted(free) if at[0] == top)
    return free - flood(start, free.__contains__, cast("Near", lattice.near))


def _filled(cells: Collection[Cell], tiling: Tiling, fill: str, kind: str) -> str:
    """Cells as one path without the sides between them."""
    if not cells:
        return ""
    around = [[tiling.at(*corner) for corner in loop] for loop in _loops(cells, tiling)]
    return tag("path", class_=kind, d=path(around), fill=fill)


def _pieces(owner: Mapping[Cell, int], fill: Mapping[int, str], tiling: Tiling) -> Iterator[str]:
    """A path for each piece, in order of first place."""
    cells: dict[int, list[Cell]] = {}
    for at in sorted(owner):
        cells.setdefault(owner[at], []).append(at)
    for piece, members in cells.items():
        yield _filled(members, tiling, fill[piece], "piece")


def _sides(at: Cell, tiling: Tiling) -> list[tuple[Corner, Corner]]:
    corners = tiling.corners(at)
    return list(zip(corners, (*corners[1:], corners[0]), strict=True))


def _loops(cells: Collection[Cell], tiling: Tiling) -> list[list[Corner]]:
    """The closed lines round a set of cells, clockwise round each."""
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
    """Thin lines between cells of one class, thick ones between those of unlike classes and round the board, and lines
    between cells of unlike fields."""
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
