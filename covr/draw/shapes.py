"""Circles, squares and diamonds round texts (`as circle`), and lines that are printed through places (`as bulb`).

A shape that holds the name of a colour is filled with it, and the name is not written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import hypot
from textwrap import wrap

from covr.compiler.display.picture import Picture
from covr.draw.elements import Point, path, tag
from covr.draw.outlines import Cell, beside
from covr.draw.themes import COLOURS, Theme, mixed

ROUND, STRAIGHT = 0.37, 0.33  # half the width of a circle, and of a square, in sides of a cell
POINTED = 0.45  # half the width of a diamond
EDGE = 1.6  # the width of a shape's line, in pixels
WIDTHS = {"line": 0.06, "arrow": 0.05, "bulb": 0.24}  # of lines, in sides of a cell
BULB = 0.33  # the radius of the disc where a `bulb` begins, in sides of a cell
BELOW = 80  # characters in a line below a picture as text
BROAD = 0.17  # the width of a line that has a colour, in sides of a cell
PALE = 0.4  # how much of the board's colour is in that of a `bulb`
FAINT = 0.6  # the same of a line that has a colour
HEAD = 0.2  # the length of the head of an arrow, in sides of a cell


def shaped(kind: str, text: str, middle: Point, side: float, stroke: str, theme: Theme) -> str:
    """One shape. kind: `circle`, `square` or `diamond`.  text: what stands in it.  side: of the cell, in pixels."""
    x, y = middle
    fill = COLOURS.get(text, theme.board)
    stroke = theme.line if text in COLOURS else stroke
    if kind == "circle":
        return tag("circle", class_="shape", cx=x, cy=y, r=ROUND * side, fill=fill, stroke=stroke, stroke_width=EDGE)
    half = (STRAIGHT if kind == "square" else POINTED) * side
    turned = [(-half, 0.0), (0.0, -half), (half, 0.0), (0.0, half)]
    straight = [(-half, -half), (half, -half), (half, half), (-half, half)]
    corners = [(x + u, y + v) for u, v in (straight if kind == "square" else turned)]
    return tag("path", class_="shape", d=path([corners]), fill=fill, stroke=stroke, stroke_width=EDGE)


def floats(picture: Picture) -> bool:
    """Whether a picture of squares shows points and lines between them, as of a graph: no two of its places touch."""
    places = {(at[0], at[1]) for at in picture.places} if picture.axes == 2 and picture.lattice is None else set()
    return bool(picture.strokes) and not any(n in places for at in places for n in beside(at))


def printed_lines(picture: Picture, middle: Callable[[Cell], Point], side: float, theme: Theme) -> Iterator[str]:
    """The lines that are printed through places. side: of a cell, in pixels."""
    for stroke in picture.strokes:
        points = [middle((at[0], at[1])) for at in stroke.places]
        wide = (BROAD if stroke.colour else WIDTHS[stroke.kind]) * side
        pale = COLOURS[stroke.colour] if stroke.colour else theme.thin
        colour = mixed(pale, theme.board, FAINT if stroke.colour else PALE)
        if not stroke.colour and stroke.kind != "bulb":
            colour = theme.line
        if stroke.kind == "arrow":
            yield from _head(points, side, colour, wide)
            points = [_towards(points[0], points[1], ROUND * side), *points[1:]]
        yield tag(
            "path", class_="printed", d=path([points], closed=False), fill="none", stroke=colour, stroke_width=wide,
            stroke_linecap="round", stroke_linejoin="round",
        )  # fmt: skip
        x, y = middle((stroke.places[0][0], stroke.places[0][1]))
        if stroke.kind == "bulb":
            yield tag("circle", class_="printed", cx=x, cy=y, r=BULB * side, fill=colour)
        elif stroke.kind == "arrow":
            yield tag("circle", class_="printed", cx=x, cy=y, r=ROUND * side, fill="none", stroke=colour,
                      stroke_width=wide)  # fmt: skip


def _towards(one: Point, other: Point, far: float) -> Point:
    """The point so many pixels from one point on the way to another."""
    share = far / (hypot(other[0] - one[0], other[1] - one[1]) or 1)
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def _head(points: list[Point], side: float, colour: str, wide: float) -> Iterator[str]:
    """The head of an arrow that ends at the last point."""
    (x, y), tip = points[-2:]
    long = hypot(tip[0] - x, tip[1] - y) or 1
    u, v = (tip[0] - x) / long * HEAD * side, (tip[1] - y) / long * HEAD * side
    barbs = [(tip[0] - u + s * v * 0.7, tip[1] - v - s * u * 0.7) for s in (-1, 1)]
    yield tag("path", class_="printed", d=path([[barbs[0], tip, barbs[1]]], closed=False), fill="none", stroke=colour,
              stroke_width=wide, stroke_linecap="round", stroke_linejoin="round")  # fmt: skip


def in_words(picture: Picture) -> Iterator[str]:
    """What a picture as text says below the board: the arrows and bulbs, and lines between places that do not touch."""
    found: dict[str, list[str]] = {}
    for stroke in picture.strokes:
        steps = zip(stroke.places, stroke.places[1:], strict=False)
        if stroke.kind != "line" or any(max(abs(a - b) for a, b in zip(u, v, strict=True)) > 1 for u, v in steps):
            said = "-".join(",".join(map(str, at)) for at in stroke.places)
            found.setdefault(stroke.kind, []).append(said)
    for kind, many in found.items():
        yield from wrap(f"{kind}: {'  '.join(many)}", BELOW, subsequent_indent="  ", break_on_hyphens=False)
