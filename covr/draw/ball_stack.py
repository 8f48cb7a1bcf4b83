"""Balls as SVG: the layers side by side, and below them the whole stack, and beside it its pieces, moved apart.

In a layer, balls of one piece are joined by a band, and both have one line round them. The stack is seen from the
front and from above, layer 1 on top; balls are painted from back to front.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, hypot, radians, sin

from covr.compiler.display.picture import Picture
from covr.compiler.lattices.balls import BALLS, LAYER
from covr.draw.board import STEP, draw_texts, font_size
from covr.draw.elements import (
    DrawnBlock,
    Point,
    below_each_other,
    beside,
    group,
    label,
    path,
    side_by_side,
    stacked,
    tag,
    text_width,
)
from covr.draw.inscribed import BESIDE
from covr.draw.outlines import Cell
from covr.draw.paint import Paint, paint
from covr.draw.pieces import Place
from covr.draw.themes import Theme, mixed
from covr.frozen import frozen

BALL = 34.0  # pixels: the least diameter of a ball in a layer, and the distance of two that touch
FONT, CAPITAL = 16.0, 0.75  # the largest font size in pixels, and the height of a capital letter in font sizes
SHRUNK = 0.44  # the radius of a drawn ball in diameters, so that there is room for lines
LINK = 0.42  # the width of the band between two balls of a piece, in diameters
EDGE = 1.6  # pixels: the width of lines round pieces
GAP, CAPTION = 18.0, 20.0  # pixels: between two layers, and above each
ACROSS = 4  # layers in a row
STACK = 40.0  # pixels: the diameter of a ball in the stack
SIDEWAYS, ABOVE = radians(24), radians(24)  # from where the stack is seen: to the right of its front, and above it
APART = 40.0  # pixels: between the stack and its pieces
SPREAD = 0.7  # how far pieces are moved from the middle, in parts of their distance from it


@frozen
class LayerFrame:
    """Where the balls of a layer are. top, left: the least line and column of all layers.  ball: the distance of two
    balls that touch, in pixels.  font: the font size of their texts."""

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
        """The width that a shape in a ball may take, in pixels."""
        return 2 * self.radius

    high = wide

    def middle(self, at: Cell) -> Point:
        """The middle of a ball, in pixels."""
        return (at[1] - self.left + 1) * self.ball / 2 + 1, (at[0] - self.top + 1) * self.ball / 2 + 1


def draw_balls(picture: Picture, theme: Theme) -> DrawnBlock:
    """A picture of balls: (layer, line, column)."""
    look = paint(picture, theme)
    frame = frame_of_balls(picture, look)
    layers = [_layer(picture, look, z, frame, theme) for z in range(picture.low[0], picture.high[0] + 1)]
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
    """The radius of the circle round some texts that stand one below another, in pixels."""
    return hypot(max(text_width(t, font) for t in shown), (len(shown) - 1) * STEP * font + CAPITAL * font) / 2


def _layer(picture: Picture, look: Paint, z: int, frame: LayerFrame, theme: Theme) -> DrawnBlock:
    """One layer with its number above it; all layers have the same size."""
    _, bottom, right = (max(axis) for axis in zip(picture.high, *(p.at for p in picture.prints), strict=True))
    places = [(r, c) for layer, r, c in picture.places if layer == z]
    owner = {(at[1], at[2]): piece for at, piece in look.owner.items() if at[0] == z}
    texts = {(at[1], at[2]): shown for at, shown in look.texts.items() if at[0] == z}
    dark = {(at[1], at[2]) for at in look.dark if at[0] == z}
    flat = Paint(
        texts=texts,  # type: ignore[arg-type]
        given=frozenset(at[1:] for at in look.given if at[0] == z),
        partly={at[1:]: given for at, given in look.partly.items() if at[0] == z},
        shapes={at[1:]: kind for at, kind in look.shapes.items() if at[0] == z},
        background=frozenset(at[1:] for at in look.background if at[0] == z),
        printed=frozenset(at[1:] for at in look.printed if at[0] == z),
        dark=frozenset(dark),
        owner=owner,  # type: ignore[arg-type]
        fill=look.fill,
        walls={},
        crooked=False,
        clued=look.clued,
    )
    body = [_balls([at for at in places if at not in owner], frame, 0, theme.board, theme.thin, "cells")]
    body.append(_balls(sorted(dark), frame, 0, theme.filled, None, "filled"))
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
    """The balls of the same layer that touch a ball."""
    return ((r, c) for z, r, c in BALLS.near((at[0] % 2, *at)) if z == at[0] % 2)


def _balls(cells: Sequence[Cell], frame: LayerFrame, more: float, fill: str, stroke: str | None, kind: str) -> str:
    """Balls of one look as one element. more: pixels that are added to the radius."""
    circles = [tag("circle", cx=x, cy=y, r=frame.radius + more) for x, y in (frame.middle(at) for at in sorted(cells))]
    return tag("g", *circles, class_=kind, fill=fill, stroke=stroke) if circles else ""


def _piece(cells: Sequence[Cell], frame: LayerFrame, fill: str, theme: Theme) -> Iterator[str]:
    """The balls of a piece in a layer and the bands between them, first as a dark shape a little larger."""
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
    points = {at: _project(moved[at]) for at in order}
    left, top = min(x for x, _ in points.values()), min(y for _, y in points.values())
    right, bottom = max(x for x, _ in points.values()), max(y for _, y in points.values())
    room = STACK / 2 + 2
    body = [_ball((x - left + room, y - top + room), fill[owner[at]], theme) for at, (x, y) in points.items()]
    return DrawnBlock(right - left + 2 * room, bottom - top + 2 * room, (tag("g", *body, class_="stack"),))


def _mean(vectors: Sequence[tuple[float, ...]]) -> list[float]:
    return [sum(axis) / len(vectors) for axis in zip(*vectors, strict=True)]


def _project(v: Sequence[float]) -> Point:
    """Where the middle of a ball is seen, in pixels."""
    z, r, c = v
    across, front = c * cos(SIDEWAYS) - r * sin(SIDEWAYS), r * cos(SIDEWAYS) + c * sin(SIDEWAYS)
    return across * STACK, (front * sin(ABOVE) + z * cos(ABOVE)) * STACK


def _nearness(v: Sequence[float]) -> float:
    """How near to the reader a ball is, in diameters."""
    z, r, c = v
    return (r * cos(SIDEWAYS) + c * sin(SIDEWAYS)) * cos(ABOVE) - z * sin(ABOVE)


def _ball(at: Point, fill: str, theme: Theme) -> str:
    """A ball that is lit from the upper left."""
    x, y = at
    radius = STACK / 2
    shades = ((0.0, 1.0, mixed(fill, "#000000", 0.22)), (0.10, 0.84, fill), (0.34, 0.36, mixed(fill, "#ffffff", 0.4)))
    circles = [
        tag("circle", cx=x - off * radius, cy=y - off * radius, r=share * radius, fill=colour,
            stroke=theme.line if share == 1.0 else None, stroke_width=1.2 if share == 1.0 else None)
        for off, share, colour in shades
    ]  # fmt: skip
    return "".join(circles)
