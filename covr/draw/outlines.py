"""Lines between cells and round sets of them, shapes round texts, and tiles with coloured edges."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from math import hypot
from textwrap import wrap
from typing import TypeVar, cast

from covr.compiler.display.prints import Picture
from covr.draw.canvas import clean
from covr.draw.elements import COLOURS, Point, Theme, group, label, mixed, number, path, tag, text_width
from covr.draw.pieces import Place
from covr.frozen import frozen

# --- outlines --------------------------------------------------------------------------------------------------------
# Corners are points (row, column) of their own grid: the cell (r, c) lies between the corners (r, c) and (r + 1, c +
# 1).


Cell = tuple[int, int]
Segment = tuple[Cell, Cell]
Near = Callable[[Cell], Iterable[Cell]]
V = TypeVar("V")


def plane(found: Mapping[Place, V]) -> Mapping[Cell, V]:
    """What is known by places of a plane picture, for type checkers by cells."""
    return cast("Mapping[Cell, V]", found)


def segments(cells: Collection[Cell], runs: Callable[[Cell, Cell], bool]) -> list[Segment]:
    """The straight lines, as long as possible, along those sides of cells where `runs(one, other)` is true for the
    cells on the two sides, of which at least one belongs to `cells`. Horizontal lines come first, from the top, then
    vertical ones."""
    across, down = set(), set()
    for r, c in cells:
        for row in (r, r + 1):
            if (row, c) not in across and runs((row - 1, c), (row, c)):
                across.add((row, c))
        for column in (c, c + 1):
            if (column, r) not in down and runs((r, column - 1), (r, column)):
                down.add((column, r))
    found = [((row, start), (row, end)) for row, start, end in _stretches(across)]
    return found + [((start, column), (end, column)) for column, start, end in _stretches(down)]


def _stretches(sides: set[Cell]) -> Iterator[tuple[int, int, int]]:
    """Sides (line, position) joined end to end: (line, start, end)."""
    start: Cell | None = None
    last: Cell | None = None
    for side in sorted(sides):
        if last is None or side != (last[0], last[1] + 1):
            if start is not None and last is not None:
                yield start[0], start[1], last[1] + 1
            start = side
        last = side
    if start is not None and last is not None:
        yield start[0], start[1], last[1] + 1


def loops(cells: Collection[Cell]) -> list[list[Cell]]:
    """The closed lines round a set of cells, which are to the right of each line, as the corners where it turns, from
    the smallest. Where cells meet only in a corner, the lines separate, so that each piece has its own."""
    ways: dict[Cell, list[Cell]] = {}
    for r, c in cells:
        for cell, start, end in (
            ((r - 1, c), (r, c), (r, c + 1)),
            ((r, c + 1), (r, c + 1), (r + 1, c + 1)),
            ((r + 1, c), (r + 1, c + 1), (r + 1, c)),
            ((r, c - 1), (r + 1, c), (r, c)),
        ):
            if cell not in cells:
                ways.setdefault(start, []).append(end)
    found = []
    for start in sorted(ways):
        while ways.get(start):
            found.append(_turns(_walk(start, ways)))
    return found


def _walk(start: Cell, ways: dict[Cell, list[Cell]]) -> list[Cell]:
    corners = [start]
    before = start
    here = ways[start].pop(0)
    while here != start:
        corners.append(here)
        onward = ways[here]
        # At a corner where two loops touch, turn right, to stay at the same cell.
        right = (here[0] + (here[1] - before[1]), here[1] - (here[0] - before[0]))
        onward.sort(key=lambda end: end != right)
        before, here = here, onward.pop(0)
    return corners


def _turns(corners: list[Cell]) -> list[Cell]:
    around = zip([corners[-1], *corners[:-1]], corners, [*corners[1:], corners[0]], strict=True)
    return [b for a, b, c in around if not (a[0] == b[0] == c[0] or a[1] == b[1] == c[1])]


def beside(at: Cell) -> tuple[Cell, ...]:
    """The four cells that share a side with a cell."""
    r, c = at
    return (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)


def parts(owner: Mapping[Cell, int], near: Near = beside) -> list[list[Cell]]:
    """The connected parts of the cells of each number, in order of first cell, each sorted."""
    found = []
    seen: set[Cell] = set()
    for start in sorted(owner):
        if start not in seen:
            part = flood(start, lambda at, number=owner[start]: owner.get(at) == number, near)  # type: ignore[misc]
            seen |= part
            found.append(sorted(part))
    return found


def holes(cells: Collection[Cell]) -> set[Cell]:
    """The places that are not among the cells but are enclosed by them. Time linear in the box around the cells."""
    if not cells:
        return set()
    rows, columns = [r for r, _ in cells], [c for _, c in cells]
    top, bottom, left, right = min(rows) - 1, max(rows) + 1, min(columns) - 1, max(columns) + 1

    def outside(at: Cell) -> bool:
        return top <= at[0] <= bottom and left <= at[1] <= right and at not in cells

    out = flood((top, left), outside, beside)
    box = ((r, c) for r in range(top, bottom + 1) for c in range(left, right + 1))
    return {at for at in box if at not in cells and at not in out}


def flood(start: Cell, inside: Callable[[Cell], bool], near: Near) -> set[Cell]:
    """The cells that are reached from one, each from one that it touches."""
    seen, stack = {start}, [start]
    while stack:
        for at in near(stack.pop()):
            if at not in seen and inside(at):
                seen.add(at)
                stack.append(at)
    return seen


# --- shapes ----------------------------------------------------------------------------------------------------------
# A shape that holds the name of a colour is filled with it, and the name is not written.


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
    share = far / (hypot(other[0] - one[0], other[1] - one[1]) or 1)
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def _head(points: list[Point], side: float, colour: str, wide: float) -> Iterator[str]:
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


# --- tiles -----------------------------------------------------------------------------------------------------------
# A picture has tiles if its family has an `agree` statement (`Picture.tiles`), all its texts are the colours of the
# north, east, south and west edges, as four letters or words, and edges that touch have the same colour. One more word
# after the colours is written in the middle. The colour `-` is grey: the rim of a puzzle.


FOUR = 4  # sides of a tile
GREY = "-"  # the colour of the rim
NAME, DISC = 12.0, 9.5  # pixels: the font size of a tile's number, and the radius of the disc behind it

Sides = tuple[str, ...]


@frozen
class Tile:
    """A tile. sides: the colours or fills of its north, east, south and west edges.  name: written in its middle."""

    sides: Sides
    name: str = ""


def tiles_of(picture: Picture, theme: Theme) -> dict[Cell, Tile] | None:
    """Cell → the tile there, with the fills of its edges; None if the picture has no tiles."""
    if not picture.tiles or not picture.marks:
        return None
    found: dict[Cell, Tile] = {}
    for mark in picture.marks:
        tile = _tile(mark.text)
        at = (mark.at[0], mark.at[1])
        if tile is None or at in found:
            return None
        found[at] = tile
    names = sorted({side for tile in found.values() for side in tile.sides} - {GREY})
    if len(names) > len(theme.edges) or not _match({at: tile.sides for at, tile in found.items()}):
        return None
    fill = {GREY: theme.rim, **dict(zip(names, theme.edges, strict=False))}
    return {at: Tile(tuple(fill[side] for side in tile.sides), tile.name) for at, tile in found.items()}


def _tile(text: str) -> Tile | None:
    """The tile that a text describes: `abca`, `abca 7`, `red blue blue red` or `red blue blue red 7`."""
    words = tuple(clean(text).split())
    if len(words) >= FOUR:
        sides, rest = words[:FOUR], words[FOUR:]
    else:
        sides, rest = tuple(words[0]) if words else (), words[1:]
    return Tile(sides, "".join(rest)) if len(sides) == FOUR and len(rest) < 2 else None


def _match(sides: Mapping[Cell, Sides]) -> bool:
    for (r, c), (_, east, south, _) in sides.items():
        right, below = sides.get((r, c + 1)), sides.get((r + 1, c))
        if (right is not None and right[3] != east) or (below is not None and below[0] != south):
            return False
    return True


def draw_tile(tile: Tile, x: float, y: float, side: float, theme: Theme) -> str:
    """Four triangles that meet in the middle, each with a thin line round it, and the tile's name on a disc."""
    half = number(side / 2)
    whole = number(side)
    corners = (f"0 0L{whole} 0", f"{whole} 0L{whole} {whole}", f"{whole} {whole}L0 {whole}", f"0 {whole}L0 0")
    body = [tag("path", d=f"M{edge}L{half} {half}z", fill=fill) for edge, fill in zip(corners, tile.sides, strict=True)]
    if tile.name:
        wide = max(DISC, text_width(tile.name, NAME) / 2 + 2)
        body += [
            tag("ellipse", class_="disc", cx=side / 2, cy=side / 2, rx=wide, ry=DISC, fill=theme.board),
            label(tile.name, side / 2, side / 2, NAME, theme.given, stroke="none"),
        ]
    return group(body, x, y, class_="tile", stroke=theme.line, stroke_width=0.6, stroke_linejoin="round")
