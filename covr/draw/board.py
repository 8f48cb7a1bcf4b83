"""A plane picture as SVG: cells, fills, lines and texts; lists and strips."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import ceil, sqrt
from typing import Protocol

from covr.compiler.display.prints import Picture
from covr.draw import elements, inscribed, outlines
from covr.draw.canvas import list_rows, number_columns
from covr.draw.outlines import Cell, Near, plane
from covr.draw.pieces import colours
from covr.frozen import evolve, frozen

# --- board -----------------------------------------------------------------------------------------------------------
# Thick lines run round the board, its regions and its pieces; in pictures without either, only the rim is thick. A
# board that shows only chessmen is chequered. A text that is too long makes the cells wider; several texts are stacked.


# In pixels: the side of a cell, the side of a cell with a tile, room at the rim for half a thick line, and the widths
# of lines between regions and between cells.
SIDE = 36.0
TILE = 52.0
RIM = 2.0
THICK, THIN = 3.0, 1.0
EDGE = 1.8  # the width of lines between tiles, in pixels
FIELD = 2.4  # the width of lines between the fields of an `outline`, in pixels
STEP = 1.3  # font sizes from one stacked text to the next


class Middles(Protocol):
    """Where texts stand.
    wide, high: the room for a text, in pixels."""

    @property
    def wide(self) -> float: ...
    @property
    def high(self) -> float: ...

    def middle(self, at: Cell) -> elements.Point:
        """The middle of a cell, in pixels."""


@frozen
class Frame:
    """The positions of cells, in pixels.
    left, top: the column and row at the left and top edge.  wide, high: the sides of a cell.
    x, y: where the board begins: behind and below what is printed in its margins."""

    top: int
    left: int
    wide: float
    high: float
    x: float = RIM
    y: float = RIM

    def corner(self, at: Cell) -> elements.Point:
        """The upper left corner of a cell, as (x, y)."""
        return self.x + (at[1] - self.left) * self.wide, self.y + (at[0] - self.top) * self.high

    def square(self, at: Cell) -> list[elements.Point]:
        """The corners of a cell, clockwise."""
        (x, y), (x2, y2) = self.corner(at), self.corner((at[0] + 1, at[1] + 1))
        return [(x, y), (x2, y), (x2, y2), (x, y2)]

    def middle(self, at: Cell) -> elements.Point:
        x, y = self.corner(at)
        return x + self.wide / 2, y + self.high / 2


def draw_board(picture: Picture, theme: elements.Theme) -> elements.DrawnBlock:
    """A picture of two axes."""
    return draw_cells(picture, elements.paint(picture, theme), theme)


def draw_cells(
    picture: Picture, look: elements.Paint, theme: elements.Theme, sides: elements.Point = (SIDE, SIDE)
) -> elements.DrawnBlock:
    """A picture of two axes, with its paint. Time linear in its places.
    sides: the least width and height of a cell, in pixels."""
    (top, left), (bottom, right) = picture.low, picture.high
    frame = frame_of(picture, look, sides)
    dotted = inscribed.is_dotted(picture)
    places = plane(dict.fromkeys(picture.places)).keys()
    cells = frozenset() if outlines.floats(picture) else frozenset(places)
    texts = plane(look.texts)
    edges = outlines.tiles_of(picture, theme)
    flat: list[str] = []
    if edges is not None:
        frame = evolve(frame, wide=TILE, high=TILE)
        flat.append(_cells(cells - edges.keys(), frame, theme.board))
        flat += [outlines.draw_tile(tile, *frame.corner(at), frame.wide, theme) for at, tile in edges.items()]
        flat.append(_lines(frozenset(edges), lambda one, other: True, frame, theme.line, EDGE, "edge"))
    if dotted:
        flat.append(_cells(cells, frame, theme.board, "cells"))
    else:
        flat += _ground_and_lines(picture, look, cells, texts, frame, theme, edges is not None)
    flat += inscribed.gaps(picture, frame.middle, theme)
    if edges is None:
        flat += outlines.printed_lines(picture, frame.middle, min(frame.wide, frame.high), theme)
        flat += inscribed.circles(picture, frame.middle, min(frame.wide, frame.high), theme)
        flat += inscribed.lines(picture, frame.middle, theme, texts)
        flat += [inscribed.dots(cells, frame.middle, theme)] if dotted else []
        flat += inscribed.divided(picture, frame.corner, frame.wide, frame.high, theme)
        flat += draw_texts(texts, look, frame, font_size(look.written), theme)
    flat += inscribed.corners(picture, frame.corner, theme, cells)
    flat += inscribed.between(picture, frame.middle, theme)
    flat += inscribed.beside(picture, frame.corner, theme)
    flat += elements.pointed(((at, frame.square(at)) for at in sorted(places)), theme)
    before, behind, above, below = inscribed.margins(picture)
    width = 2 * RIM + (right - left + 1) * frame.wide + before + behind
    height = 2 * RIM + (bottom - top + 1) * frame.high + above + below
    return elements.DrawnBlock(width, height, tuple(line for line in flat if line))


def _ground_and_lines(
    picture: Picture,
    look: elements.Paint,
    cells: frozenset[Cell],
    texts: Mapping[Cell, tuple[str, ...]],
    frame: Frame,
    theme: elements.Theme,
    tiled: bool,
) -> Iterator[str]:
    """The fills of cells, and the lines between them: thin, of fields, and thick. tiled: without fills and fields."""
    owner, walls, fields = plane(look.owner), plane(look.walls), plane(picture.outlines)
    outlined = bool(walls) and _same_parts(walls, fields)
    thick = partial(_differ, dict.fromkeys(cells, 0))
    if not tiled:
        yield from _ground(cells, look, {} if outlined else walls, texts, frame, theme)
        yield from _fills(owner, look.fill, frame)
        thick = partial(_differ, {at: (walls.get(at, -2), owner.get(at, -1)) for at in cells})
        yield _cells(plane(dict.fromkeys(look.dark)), frame, theme.filled, "filled")
    yield _lines(cells, lambda one, other: not thick(one, other), frame, theme.thin, THIN, "thin")
    if fields and not tiled and walls and not outlined:
        yield inscribed.dashes(picture, frame.corner, theme)
    elif fields and not tiled and not walls:
        fielded = partial(_differ, {at: fields.get(at, -1) for at in cells})
        within = lambda a, b: a in cells and b in cells and fielded(a, b)  # noqa: E731
        yield _lines(cells, within, frame, theme.line, FIELD, "field")
    yield _lines(cells, thick, frame, theme.line, THICK, "thick")


def frame_of(picture: Picture, look: elements.Paint, sides: elements.Point = (SIDE, SIDE)) -> Frame:
    """Where the cells of a board are. sides: the least width and height of a cell, in pixels."""
    top, left = picture.low
    wide, high = _cell_size(look.written, font_size(look.written))
    before, _, above, _ = inscribed.margins(picture)
    wide = max(wide, sides[0], inscribed.above_width(picture), inscribed.divided_width(picture))
    high = max(high, sides[1])
    least = inscribed.least_side(picture)
    wide, high = max(wide, least), max(high, least)
    return Frame(top, left, wide, high, RIM + before, RIM + above)


def _differ(classes: Mapping[Cell, object], one: Cell, other: Cell) -> bool:
    return classes.get(one) != classes.get(other)


# --- sizes ---


def font_size(texts: object) -> float:
    """Smaller letters for longer texts, one size for a picture."""
    longest = max((len(t) for shown in texts for t in shown), default=1)  # type: ignore[attr-defined]
    return 22.0 if longest == 1 else 18.0 if longest == 2 else 14.0 if longest == 3 else 13.0


def _cell_size(texts: object, size: float) -> elements.Point:
    """The sides of a cell: a square, unless a text is too wide for it or several are stacked."""
    widest = max((elements.text_width(t, size) for shown in texts for t in shown), default=0)  # type: ignore[attr-defined]
    deepest = max((len(shown) for shown in texts), default=1)  # type: ignore[attr-defined]
    return max(SIDE, widest + 0.6 * size), max(SIDE, (deepest - 1) * STEP * size + SIDE)


def _same_parts(one: Mapping[Cell, int], other: Mapping[Cell, int]) -> bool:
    """Whether two numberings part the same places alike."""
    pairs = {(one[at], other.get(at, -1)) for at in one}
    return one.keys() == other.keys() and len(pairs) == len(set(one.values())) == len(set(other.values()))


# --- ground and fills ---


def _ground(
    cells: frozenset[Cell],
    look: elements.Paint,
    walls: Mapping[Cell, int],
    texts: Mapping[Cell, tuple[str, ...]],
    frame: Frame,
    theme: elements.Theme,
) -> Iterator[str]:
    yield _cells(cells, frame, theme.board, "cells")
    yield _cells(outlines.holes(cells), frame, theme.hole, "hole")
    if walls and look.crooked:
        tint = colours({(*at,): region for at, region in walls.items()}, len(theme.regions))
        for region in dict.fromkeys(walls.values()):
            yield _cells({at for at, r in walls.items() if r == region}, frame, theme.regions[tint[region]], "region")
    elif is_chessboard(texts, cells, look):
        dark = {at for at in cells if (at[0] + at[1] - frame.top - frame.left) % 2}
        yield _cells(dark, frame, theme.dark_square, "dark")
    if theme.given_cell != theme.board and not look.owner and not look.crooked:
        yield _cells({(at[0], at[1]) for at in look.given - look.printed - look.dark}, frame, theme.given_cell, "given")


def is_chessboard(texts: Mapping[Cell, tuple[str, ...]], cells: frozenset[Cell], look: elements.Paint) -> bool:
    """Whether all texts are chessmen, and some square has none. Rows with names are those of a plan, and no board."""
    men = elements.are_chessmen({t for shown in texts.values() for t in shown})
    return len(texts) < len(cells) and men and not look.walls and not look.headed


def _cells(cells: object, frame: Frame, fill: str, kind: str | None = None) -> str:
    """Cells as one path; neighbours in a row are joined."""
    runs: list[list[elements.Point]] = []
    rows: dict[int, list[int]] = {}
    for r, c in sorted(cells):  # type: ignore[call-overload]
        rows.setdefault(r, []).append(c)
    for r, columns in rows.items():
        start = columns[0]
        for c, after in zip(columns, [*columns[1:], None], strict=True):
            if after != c + 1:
                (x, y), (x2, y2) = frame.corner((r, start)), frame.corner((r + 1, c + 1))
                runs.append([(x, y), (x2, y), (x2, y2), (x, y2)])
                start = after if after is not None else start
    return elements.tag("path", class_=kind, d=elements.path(runs), fill=fill) if runs else ""


def _fills(owner: Mapping[Cell, int], fill: Mapping[int, str], frame: Frame) -> Iterator[str]:
    cells: dict[int, set[Cell]] = {}
    for at in sorted(owner):
        cells.setdefault(owner[at], set()).add(at)
    for piece, members in cells.items():
        around = [[frame.corner(at) for at in loop] for loop in outlines.loops(members)]
        yield elements.tag("path", class_="piece", d=elements.path(around), fill=fill[piece])


def _lines(
    cells: frozenset[Cell], runs: Callable[[Cell, Cell], bool], frame: Frame, stroke: str, wide: float, kind: str
) -> str:
    found = [[frame.corner(a), frame.corner(b)] for a, b in outlines.segments(cells, runs)]
    if not found:
        return ""
    faint = 0.55 if kind == "thin" else None
    return elements.tag(
        "path", class_=kind, d=elements.path(found, closed=False), fill="none", stroke=stroke, stroke_width=wide,
        stroke_linecap="round" if kind == "thick" else None, stroke_opacity=faint,
    )  # fmt: skip


# --- texts in the cells ---


def draw_texts(
    texts: Mapping[Cell, tuple[str, ...]],
    look: elements.Paint,
    frame: Middles,
    size: float,
    theme: elements.Theme,
    near: Near = outlines.beside,
) -> Iterator[str]:
    """The texts in the cells. near: which cells touch a cell."""
    chess = is_chessboard(texts, frozenset({*texts, (-1, -1)}), look)
    plain_places = look.clued or bool((look.given | look.partly.keys()) - look.owner.keys())
    for at, shown in _labelled(texts, look, near).items():
        x, y = frame.middle(at)
        piece = look.owner.get(at)
        if piece is not None:
            fill, weight = theme.on(look.fill[piece]), theme.answer_weight
        elif at in look.dark:
            fill, weight = theme.on(theme.filled), theme.answer_weight
        elif at in look.given:
            fill, weight = theme.given, theme.given_weight
        elif at in look.background:
            fill, weight = theme.thin, theme.answer_weight
        else:
            fill, weight = (theme.answer if plain_places else theme.given), theme.answer_weight
        if at in look.shapes:
            kind, printed = look.shapes[at]
            stroke = theme.given if printed else fill
            yield outlines.shaped(kind, "".join(shown), (x, y), min(frame.wide, frame.high), stroke, theme)
            if "".join(shown) in elements.COLOURS:
                continue
        if len(shown) == 1 and at in look.printed and inscribed.is_arrowed(shown[0]):
            yield from inscribed.arrowed(shown[0], x, y, min(frame.wide, frame.high), fill)
            continue
        if len(shown) == 1 and (chess or shown[0] in elements.SYMBOLS):
            shape = elements.symbol(shown[0], x, y, 0.82 * min(frame.wide, frame.high), fill, class_="symbol")
            if shape is not None:
                yield shape
                continue
        y -= (len(shown) - 1) * STEP * size / 2
        for text in shown:
            if piece is None and text in look.partly.get(at, ()):
                yield elements.label(text, x, y, size, theme.given, weight=theme.given_weight)
            else:
                yield elements.label(text, x, y, size, fill, weight=weight)
            y += STEP * size


def _labelled(texts: Mapping[Cell, tuple[str, ...]], look: elements.Paint, near: Near) -> dict[Cell, tuple[str, ...]]:
    """The places where texts are written: names of pieces only in the middle of each part of a piece."""
    owner = plane(look.owner)
    named = _are_names(owner, texts)
    shown = {at: text for at, text in texts.items() if at not in owner}
    for part in outlines.parts(owner, near):
        for at in [nearest_to_middle(part)] if named else part:
            shown[at] = texts[at]
    return dict(sorted(shown.items()))


def _are_names(owner: Mapping[Cell, int], texts: Mapping[Cell, tuple[str, ...]]) -> bool:
    of_piece: dict[int, tuple[str, ...]] = {}
    return all(of_piece.setdefault(piece, texts[at]) == texts[at] for at, piece in owner.items())


def nearest_to_middle(cells: list[Cell]) -> Cell:
    """The cell nearest to the mean of all cells; the first one on ties."""
    row, column = (sum(axis) / len(cells) for axis in zip(*cells, strict=True))
    return min(cells, key=lambda at: (round((at[0] - row) ** 2 + (at[1] - column) ** 2, 6), at))


# --- lists -----------------------------------------------------------------------------------------------------------


# In pixels: the font size, the height of a line, the gap between columns, and the margin.
SIZE = 14.0
LINE = 24.0
GAP = 22.0
MARGIN = 10.0
# Lists of more lines than LONG are folded into columns, until their width is about SHAPE times their height.
LONG, SHAPE = 24, 1.2


def draw_list(picture: Picture, theme: elements.Theme) -> elements.DrawnBlock:
    """One line for each choice, or for each mark with its place, in columns; a long list is split into parts side by
    side."""
    rows = list_rows(picture) or [("(nothing)",)]
    widths = [max(elements.text_width(t, SIZE) for t in column) for column in zip(*rows, strict=True)]
    right = number_columns(rows)
    width = 2 * MARGIN + sum(widths) + GAP * (len(widths) - 1)
    parts = 1 if len(rows) <= LONG else ceil(sqrt(SHAPE * len(rows) * LINE / (width + GAP)))
    high = ceil(len(rows) / parts)
    return elements.beside(
        [_part(rows[n : n + high], widths, right, width, theme) for n in range(0, len(rows), high)], GAP
    )


def _part(
    rows: Sequence[tuple[str, ...]], widths: Sequence[float], right: Sequence[bool], width: float, theme: elements.Theme
) -> elements.DrawnBlock:
    body = []
    for n, row in enumerate(rows):
        y = n * LINE
        if n % 2 == 0:
            body.append(elements.tag("rect", class_="row", x=0, y=y, width=width, height=LINE, fill=theme.given_cell))
        x = MARGIN
        for text, wide, number in zip(row, widths, right, strict=True):
            if text:
                anchor, at = ("end", x + wide) if number else ("start", x)
                body.append(
                    elements.label(text, at, y + LINE / 2, SIZE, theme.given, anchor=anchor, family=elements.MONO)
                )
            x += wide + GAP
    return elements.DrawnBlock(width, LINE * len(rows), tuple(body))


def draw_strip(picture: Picture, theme: elements.Theme) -> elements.DrawnBlock:
    """One row of cells."""
    return draw_board(picture.as_row(), theme)
