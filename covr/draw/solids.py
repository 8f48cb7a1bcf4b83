"""Solids and stacks of balls as SVG: layers, the whole, and its pieces moved apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import cos, hypot, radians, sin

import attrs

from covr.compiler.display.prints import Picture
from covr.compiler.lattices import BALLS, LAYER
from covr.draw.board import STEP, draw_cells, draw_texts, font_size
from covr.draw.elements import (
    DrawnBlock,
    Paint,
    Point,
    Theme,
    below_each_other,
    beside,
    group,
    label,
    mixed,
    paint,
    path,
    side_by_side,
    stacked,
    tag,
    text_width,
)
from covr.draw.inscribed import BESIDE, margins
from covr.draw.outlines import Cell, plane
from covr.draw.pieces import Place
from covr.frozen import frozen

# --- isometric -------------------------------------------------------------------------------------------------------
# Every cell is a cube. Pieces are moved away from the middle of the solid, as far as no two cubes collide; if they
# can't be moved at all, only the whole solid is drawn. Cubes are painted from back to front: of two cubes on the same
# line of sight, one is behind the other along some axis.
#
# Axes: the first coordinate (layer) runs downwards; rows come towards the reader on the left, columns on the right.


# Cubes. Every pair of them is compared, so a solid with more cells is shown only in layers.
MOST_CUBES = 500
SIDE = 30.0  # pixels: the side of a cube
SPREADS = (1.4, 1.2, 1.0, 0.8, 0.65, 0.5, 0.4, 0.3, 0.2)  # how far apart pieces are drawn, in cubes, tried in turn
COS, SIN = 0.8660254, 0.5  # of 30 degrees

Vector = tuple[float, float, float]
STEPS = ((-1, 0, 0), (0, 1, 0), (0, 0, 1))  # towards the reader: up, down-left, down-right


def draw_isometric(owner: Mapping[Place, int], fill: Mapping[int, str], theme: Theme) -> list[DrawnBlock]:
    """The solid, and its pieces moved apart if they can be; nothing if it has too many cells, or none."""
    if not 0 < len(owner) <= MOST_CUBES:
        return []
    whole = {at: (float(at[0]), float(at[1]), float(at[2])) for at in owner}
    apart = _apart(owner)
    return [_seen(where, owner, fill, theme) for where in (whole, apart) if where is not None]


def _seen(
    where: Mapping[Place, Vector], owner: Mapping[Place, int], fill: Mapping[int, str], theme: Theme
) -> DrawnBlock:
    cubes = _back_to_front(where)
    faces = [face for at in cubes for face in _faces(at, where[at], owner, fill[owner[at]], theme)]
    points = [p for at in where for p in _extent(where[at])]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    right, bottom = max(x for x, _ in points), max(y for _, y in points)
    moved = tag("g", "\n", *(f"{f}\n" for f in faces), class_="solid", transform=_shift(2 - left, 2 - top))
    return DrawnBlock(right - left + 4, bottom - top + 4, (moved,))


def _shift(x: float, y: float) -> str:
    return f"translate({x:.2f} {y:.2f})"


def _project(v: Vector) -> Point:
    z, r, c = v
    return (c - r) * COS * SIDE, (c + r) * SIN * SIDE + z * SIDE


# --- moving apart ---


def _apart(owner: Mapping[Place, int]) -> dict[Place, Vector] | None:
    """Where the least corner of each cell is drawn when pieces are moved apart; None if they can't be moved."""
    cells: dict[int, list[Place]] = {}
    for at, piece in owner.items():
        cells.setdefault(piece, []).append(at)
    middle = [sum(axis) / len(owner) for axis in zip(*owner, strict=True)]
    away = {
        piece: [sum(axis) / len(members) - m for axis, m in zip(zip(*members, strict=True), middle, strict=True)]
        for piece, members in cells.items()
    }
    if not any(abs(step) > 1e-9 for steps in away.values() for step in steps):
        return None
    for spread in SPREADS:
        where = {
            at: (at[0] + spread * a[0], at[1] + spread * a[1], at[2] + spread * a[2])
            for at, piece in sorted(owner.items())
            for a in [away[piece]]
        }
        if not _collide(where, owner):
            return where
    return None


def _collide(where: Mapping[Place, Vector], owner: Mapping[Place, int]) -> bool:
    return any(
        owner[one] != owner[other] and all(abs(a - b) < 1 - 1e-9 for a, b in zip(u, v, strict=True))
        for (one, u), (other, v) in combinations(where.items(), 2)
    )


# --- painting ---


def _back_to_front(where: Mapping[Place, Vector]) -> list[Place]:
    """The cells in an order in which no cube is painted over one in front of it."""
    cells = sorted(where, key=lambda at: (_depth(where[at]), at))
    behind: dict[Place, list[Place]] = {at: [] for at in cells}
    for one, other in combinations(cells, 2):
        first, second = _is_behind(where[one], where[other]), _is_behind(where[other], where[one])
        if first and not second:
            behind[other].append(one)
        elif second and not first:
            behind[one].append(other)
    order: dict[Place, None] = {}
    for at in cells:
        _visit(at, behind, order)
    return list(order)


def _visit(start: Place, behind: Mapping[Place, Sequence[Place]], order: dict[Place, None]) -> None:
    stack = [(start, iter(behind[start]))]
    open_ = {start}
    while stack:
        at, rest = stack[-1]
        further = next((n for n in rest if n not in order and n not in open_), None)
        if further is None:
            stack.pop()
            order[at] = None
        else:
            open_.add(further)
            stack.append((further, iter(behind[further])))


def _depth(v: Vector) -> float:
    return round(v[1] + v[2] - v[0], 6)


def _is_behind(one: Vector, other: Vector) -> bool:
    """Whether a cube lies wholly behind another along some axis."""
    tiny = 1e-9
    return one[0] >= other[0] + 1 - tiny or one[1] + 1 <= other[1] + tiny or one[2] + 1 <= other[2] + tiny


def _extent(v: Vector) -> list[Point]:
    return [_project((v[0] + a, v[1] + b, v[2] + c)) for a in (0, 1) for b in (0, 1) for c in (0, 1)]


def _faces(at: Place, v: Vector, owner: Mapping[Place, int], fill: str, theme: Theme) -> list[str]:
    """The visible faces of a cube, except where its piece continues, and lines where the piece ends or turns."""
    z, r, c = v
    corners: tuple[Callable[[float, float], Vector], ...] = (
        lambda a, b: (z, r + a, c + b),
        lambda a, b: (z + a, r + 1, c + b),
        lambda a, b: (z + a, r + b, c + 1),
    )
    plane = (((0, 1, 0), (0, 0, 1)), ((1, 0, 0), (0, 0, 1)), ((1, 0, 0), (0, 1, 0)))
    shade = (mixed(fill, "#ffffff", 0.18), mixed(fill, "#000000", 0.14), mixed(fill, "#000000", 0.32))
    mine = owner[at]

    def same(*steps: Sequence[int]) -> bool:
        there = tuple(x + sum(s[i] for s in steps) for i, x in enumerate(at))
        return owner.get(there) == mine

    drawn, lines = [], []
    for corner, (down, across), out, colour in zip(corners, plane, STEPS, shade, strict=True):
        if same(out):
            continue
        square = [_project(corner(a, b)) for a, b in ((0, 0), (0, 1), (1, 1), (1, 0))]
        drawn.append(tag("path", d=path([square]), fill=colour, stroke=colour, stroke_width=0.6))
        for (i, j), step in zip(((0, 1), (1, 2), (3, 2), (0, 3)), _around(down, across), strict=True):
            if not same(step) or same(step, out):
                lines.append([square[i], square[j]])
    if lines:
        drawn.append(
            tag("path", d=path(lines, closed=False), fill="none", stroke=theme.line, stroke_width=1.3,
                stroke_linecap="round")
        )  # fmt: skip
    return drawn


def _around(down: Sequence[int], across: Sequence[int]) -> tuple[Sequence[int], ...]:
    return tuple(-x for x in down), across, down, tuple(-x for x in across)


# --- solids ----------------------------------------------------------------------------------------------------------


# In pixels: between two layers, between the solid and its pieces, and the height of a layer's caption.
GAP = 18.0
APART = 40.0
CAPTION = 20.0
# The number of layers in a row.
ACROSS = 4


def draw_solid(picture: Picture, theme: Theme) -> DrawnBlock:
    """Draw a picture with three axes: (layer, row, column)."""
    look = paint(picture, theme)
    numbers = range(picture.low[0], picture.high[0] + 1)
    flat = captioned(picture, [_layer(picture, look, z, theme) for z in numbers], theme)
    views = draw_isometric(look.owner, look.fill, theme)
    return below_each_other([flat, side_by_side(views, APART)], GAP) if views else flat


def _layer(picture: Picture, look: Paint, z: int, theme: Theme) -> DrawnBlock:
    flat = attrs.evolve(picture.layer(z), marks=(), regions={})
    return draw_cells(flat, look.layer(z), of_layer(theme, z))


def of_layer(theme: Theme, z: int) -> Theme:
    """The theme for one layer, whose places are named with its number first."""
    return theme if theme.key is None else attrs.evolve(theme, key=f"{theme.key}{z},")


def captioned(picture: Picture, layers: Sequence[DrawnBlock], theme: Theme) -> DrawnBlock:
    """The layers of a solid in rows, each with its number above it; their boards are level."""
    above = [margins(picture.layer(z))[2] for z in range(picture.low[0], picture.high[0] + 1)]
    blocks = []
    for number, (layer, own) in enumerate(zip(layers, above, strict=True), picture.low[0]):
        down = CAPTION + max(above) - own
        caption = label(f"layer {number}", layer.width / 2, CAPTION / 2 - 2, 12, theme.text)
        blocks.append(DrawnBlock(layer.width, layer.height + down, (caption, group(layer.body, 0, down))))
    return stacked([beside(blocks[i : i + ACROSS], GAP) for i in range(0, len(blocks), ACROSS)], GAP)


# --- ball stack ------------------------------------------------------------------------------------------------------
# In a layer, balls of one piece are joined by a band, with one line round both. The stack is seen from the front and
# from above, layer 1 on top; balls are painted from back to front.


BALL = 34.0  # pixels: the least diameter of a ball in a layer, and the distance of two that touch
FONT, CAPITAL = 16.0, 0.75  # the largest font size in pixels, and the height of a capital letter in font sizes
SHRUNK = 0.44  # the radius of a drawn ball in diameters, so that there is room for lines
LINK = 0.42  # the width of the band between two balls of a piece, in diameters
EDGE = 1.6  # pixels: the width of lines round pieces
STACK = 40.0  # pixels: the diameter of a ball in the stack
SIDEWAYS, ABOVE = radians(24), radians(24)  # from where the stack is seen: to the right of its front, and above it
SPREAD = 0.7  # how far pieces are moved from the middle, in parts of their distance from it


@frozen
class LayerFrame:
    """Where the balls of a layer are.
    top, left: the least line and column of all layers.  ball: the distance of two balls that touch, in pixels.
    font: the font size of their texts."""

    top: int
    left: int
    ball: float = BALL
    font: float = FONT

    @property
    def radius(self) -> float:
        """The radius of a drawn ball, in pixels."""
        return SHRUNK * self.ball

    @property
    def wide(self) -> float:
        return 2 * self.radius

    high = wide

    def middle(self, at: Cell) -> Point:
        return (at[1] - self.left + 1) * self.ball / 2 + 1, (at[0] - self.top + 1) * self.ball / 2 + 1


def draw_balls(picture: Picture, theme: Theme) -> DrawnBlock:
    """A picture of balls: (layer, line, column)."""
    look = paint(picture, theme)
    frame = frame_of_balls(picture, look)
    layers = [_ball_layer(picture, look, z, frame, theme) for z in range(picture.low[0], picture.high[0] + 1)]
    flat = stacked([beside(layers[i : i + ACROSS], GAP) for i in range(0, len(layers), ACROSS)], GAP)
    if not look.owner:
        return flat
    stacks = [_stack(look.owner, look.fill, theme, spread) for spread in (0.0, SPREAD)]
    return below_each_other([flat, side_by_side(stacks, APART)], GAP)


# --- layers -----------------------------------------------------------------------------------------------


def frame_of_balls(picture: Picture, look: Paint) -> LayerFrame:
    """Where the balls of every layer are: so large that the texts of each, one below another, stay inside it."""
    _, top, left = (min(axis) for axis in zip(picture.low, *(p.at for p in picture.prints), strict=True))
    font = min(font_size(look.written), FONT)
    room = max((_radius(shown, font) for shown in look.written), default=0.0)
    return LayerFrame(top, left, max(BALL, room / SHRUNK), font)


def _radius(shown: Sequence[str], font: float) -> float:
    return hypot(max(text_width(t, font) for t in shown), (len(shown) - 1) * STEP * font + CAPITAL * font) / 2


def _ball_layer(picture: Picture, look: Paint, z: int, frame: LayerFrame, theme: Theme) -> DrawnBlock:
    _, bottom, right = (max(axis) for axis in zip(picture.high, *(p.at for p in picture.prints), strict=True))
    places = [(r, c) for layer, r, c in picture.places if layer == z]
    flat = attrs.evolve(look.layer(z), walls={}, crooked=False, headed=False)
    owner, texts = plane(flat.owner), plane(flat.texts)
    body = [_balls([at for at in places if at not in owner], frame, 0, theme.board, theme.thin, "cells")]
    body.append(_balls([(r, c) for r, c in sorted(flat.dark)], frame, 0, theme.filled, None, "filled"))
    for piece in dict.fromkeys(owner[at] for at in sorted(owner)):
        body += _piece([at for at in places if owner.get(at) == piece], frame, look.fill[piece], theme)
    body += draw_texts(texts, flat, frame, frame.font, theme, _near)
    for p in picture.prints:
        if p.at[0] == z:
            x, y = frame.middle((p.at[1], p.at[2]))
            body.append(label(p.text, x, y, BESIDE, theme.given, weight=theme.given_weight, class_="margin"))
    width, height = (x + frame.ball / 2 + 1 for x in frame.middle((bottom, right)))
    caption = label(f"layer {z}", width / 2, CAPTION / 2 - 2, 12, theme.text)
    return DrawnBlock(width, height + CAPTION, (caption, group([line for line in body if line], 0, CAPTION)))


def _near(at: Cell) -> Iterator[Cell]:
    return ((r, c) for z, r, c in BALLS.near((at[0] % 2, *at)) if z == at[0] % 2)


def _balls(cells: Sequence[Cell], frame: LayerFrame, more: float, fill: str, stroke: str | None, kind: str) -> str:
    """Balls of one look as one element. more: pixels that are added to the radius."""
    circles = [tag("circle", cx=x, cy=y, r=frame.radius + more) for x, y in (frame.middle(at) for at in sorted(cells))]
    return tag("g", *circles, class_=kind, fill=fill, stroke=stroke) if circles else ""


def _piece(cells: Sequence[Cell], frame: LayerFrame, fill: str, theme: Theme) -> Iterator[str]:
    links = [[frame.middle(at), frame.middle(n)] for at in cells for n in _near(at) if n in cells and at < n]
    for more, colour, kind in ((EDGE, theme.line, "outline"), (0.0, fill, "piece")):
        yield _balls(cells, frame, more, colour, None, kind)
        if links:
            wide = LINK * frame.ball + 2 * more
            drawn = path(links, closed=False)
            yield tag("path", class_=kind, d=drawn, fill="none", stroke=colour, stroke_width=wide)


# --- the stack --------------------------------------------------------------------------------------------


def _stack(owner: Mapping[Place, int], fill: Mapping[int, str], theme: Theme, spread: float) -> DrawnBlock:
    """All balls, each piece moved away from the middle by so many parts of its distance from it."""
    where = {at: (at[0] * LAYER, at[1] / 2, at[2] / 2) for at in sorted(owner)}
    middle = _mean(list(where.values()))
    members: dict[int, list[tuple[float, float, float]]] = {}
    for at, v in where.items():
        members.setdefault(owner[at], []).append(v)
    away = {p: [spread * (a - m) for a, m in zip(_mean(vs), middle, strict=True)] for p, vs in members.items()}
    moved = {at: tuple(a + b for a, b in zip(v, away[owner[at]], strict=True)) for at, v in where.items()}
    order = sorted(moved, key=lambda at: (round(_nearness(moved[at]), 6), at))
    points = {at: _project_ball(moved[at]) for at in order}
    left, top = min(x for x, _ in points.values()), min(y for _, y in points.values())
    right, bottom = max(x for x, _ in points.values()), max(y for _, y in points.values())
    room = STACK / 2 + 2
    body = [_ball((x - left + room, y - top + room), fill[owner[at]], theme) for at, (x, y) in points.items()]
    return DrawnBlock(right - left + 2 * room, bottom - top + 2 * room, (tag("g", *body, class_="stack"),))


def _mean(vectors: Sequence[tuple[float, ...]]) -> list[float]:
    return [sum(axis) / len(vectors) for axis in zip(*vectors, strict=True)]


def _project_ball(v: Sequence[float]) -> Point:
    """Where the middle of a ball is seen, in pixels."""
    z, r, c = v
    across, front = c * cos(SIDEWAYS) - r * sin(SIDEWAYS), r * cos(SIDEWAYS) + c * sin(SIDEWAYS)
    return across * STACK, (front * sin(ABOVE) + z * cos(ABOVE)) * STACK


def _nearness(v: Sequence[float]) -> float:
    z, r, c = v
    return (r * cos(SIDEWAYS) + c * sin(SIDEWAYS)) * cos(ABOVE) - z * sin(ABOVE)


def _ball(at: Point, fill: str, theme: Theme) -> str:
    x, y = at
    radius = STACK / 2
    shades = ((0.0, 1.0, mixed(fill, "#000000", 0.22)), (0.10, 0.84, fill), (0.34, 0.36, mixed(fill, "#ffffff", 0.4)))
    circles = [
        tag("circle", cx=x - off * radius, cy=y - off * radius, r=share * radius, fill=colour,
            stroke=theme.line if share == 1.0 else None, stroke_width=1.2 if share == 1.0 else None)
        for off, share, colour in shades
    ]  # fmt: skip
    return "".join(circles)
