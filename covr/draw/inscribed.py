"""What a model prints and how choices are drawn, as SVG: divided squares, lines, dots, signs, corners, margins, dashed
lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import hypot

from covr.compiler.display.prints import Inscription, Mark, Picture
from covr.draw.canvas import clean, margin, tight
from covr.draw.elements import CIRCLES, Point, Theme, label, lightness, number, path, tag, text_width
from covr.draw.outlines import Cell, flood, plane
from covr.draw.outlines import beside as sides_of
from covr.draw.pieces import Link, are_steps, links, near, possible_links

# In pixels: font sizes in corners, margins and divided squares, and room around texts in a margin.
CORNER, BESIDE, DIVIDED, ROOM = 11.5, 15.0, 12.5, 7.0
TIP = 6.5  # the radius of a dot where a path begins or ends
BESIDES = 6.5  # from one line to the next, where several run side by side
DOT = 5.0  # the radius of a circle on a border
STAR = 7.5  # the same where others stand in squares
STROKE = 4.5  # the width of a line from place to place
INSET = 3.5  # how far dashed lines run inside their cells
ROOMY = 45.0  # the side of a cell with room for a number in its corner or a sign beside it
BAND, BAND_OPACITY = 12.0, 0.6  # of the band under a line that matters in a hint: its width in pixels, how dense it is
CROSS = 5.0  # half the width of the cross on a line that is ruled out, in pixels
THIN_LINE = 1.5  # the width of a line that is only possible
DISC = 11.0  # the radius of the disc behind a text at the end of a line
SIGN = 5.5  # half the height of a sign between two squares
GAP = 20.0  # the side of a gap in a line
LINE = 1.15  # font sizes from one word of a margin to the next
SIGNS: Mapping[str, tuple[Point, Point, Point]] = {
    "<": ((0.6, -1), (-0.6, 0), (0.6, 1)), ">": ((-0.6, -1), (0.6, 0), (-0.6, 1)),
    "^": ((-1, 0.6), (0, -0.6), (1, 0.6)), "v": ((-1, -0.6), (0, 0.6), (1, -0.6)),
}  # fmt: skip

ARITHMETIC: Mapping[str, str] = {"+": "+", "-": "−", "*": "×", "/": "÷"}
ARROW = 0.3  # the length of an arrow after a number, in sides of a cell
POINTS: Mapping[str, Point] = {"<": (-1, 0), ">": (1, 0), "^": (0, -1), "v": (0, 1)}

Middle = Callable[[Cell], Point]


def is_dotted(picture: Picture) -> bool:
    """Whether places are dots, between which something is printed in the middle of four, as in a slitherlink.
    Not where circles are stars of a board, where an `outline` or regions part places, or where a place can be filled.
    """
    if (
        picture.lattice is not None
        or picture.outlines
        or picture.regions
        or any(mark.look == "dark" for mark in picture.marks)
    ):
        return False
    middles = [p for p in picture.prints if p.to is not None and p.at[0] != p.to[0] and p.at[1] != p.to[1]]
    places = set(picture.places)
    return any(p.text not in CIRCLES for p in middles) and all(p.at in places and p.to in places for p in middles)


def has_stars(picture: Picture) -> bool:
    """Whether circles stand both in squares and between them, and so have one size: the stars of a tentaisho."""
    return any(p.to is not None and p.text in CIRCLES for p in picture.prints) and any(map(is_circle, picture.marks))


def least_side(picture: Picture) -> float:
    """The least side of a cell, in pixels: numbers in corners and signs between squares need room."""
    if picture.axes != 2 or is_dotted(picture):
        return 0.0
    places = set(picture.places)
    return ROOMY if any(p.to is not None or p.at in places for p in picture.prints) else 0.0


def kept_free(picture: Picture) -> tuple[float, Point]:
    """What small texts in a cell must keep clear of, in pixels: the height of what is printed in corners, and how far
    what is printed between two cells reaches into them, sideways and up or down."""
    if picture.axes != 2 or picture.lattice is not None or is_dotted(picture):
        return 0.0, (0.0, 0.0)
    places = set(picture.places)
    above = CORNER + 2 if any(p.to is None and p.at in places for p in picture.prints) else 0.0
    wide = high = 0.0
    for p in picture.prints:
        if p.to is None or not p.text.strip():
            continue
        half = (SIGN + 1, SIGN + 1) if p.text in SIGNS else (text_width(p.text, BESIDE) / 2 + 1, 9.0)
        if p.at[0] == p.to[0]:
            wide = max(wide, half[0])
        else:
            high = max(high, half[1])
    return above, (wide, high)


def is_circle(mark: Mark) -> bool:
    """Whether a mark is printed as a circle."""
    return mark.look == "printed" and mark.text in CIRCLES


# --- below the texts ---


def divided(picture: Picture, corner: Middle, wide: float, high: float, theme: Theme) -> Iterator[str]:
    """The diagonals and numbers of divided squares. corner: the upper left corner of a cell."""
    ink = theme.on(theme.filled)
    for m in picture.marks:
        if m.look != "divided":
            continue
        below, _, above = (clean(t).strip() for t in m.text.partition("\\"))
        x, y = corner((m.at[0], m.at[1]))
        if below or above:
            line = [[(x, y), (x + wide, y + high)]]
            yield tag("path", class_="diagonal", d=path(line, closed=False), stroke=ink, stroke_width=0.8)
        if below:
            yield label(below, x + 0.29 * wide, y + 0.74 * high, DIVIDED, ink, class_="sum")
        if above:
            yield label(above, x + 0.69 * wide, y + 0.28 * high, DIVIDED, ink, class_="sum")


def divided_width(picture: Picture) -> float:
    """How wide a cell must be for the numbers of its divided squares, in pixels."""
    parts = [t.strip() for m in picture.marks if m.look == "divided" for t in m.text.split("\\")]
    return max((2 * text_width(t, DIVIDED) for t in parts), default=0.0)


def circles(picture: Picture, middle: Middle, side: float, theme: Theme) -> Iterator[str]:
    """Printed circles: `○` is light and `●` dark, on dark paper, too."""
    radius = STAR if has_stars(picture) else 0.32 * side
    for m in picture.marks:
        if is_circle(m):
            x, y = middle((m.at[0], m.at[1]))
            fill = _circle_fill(m.text, theme)
            ink = theme.given
            yield tag("circle", class_="circle", cx=x, cy=y, r=radius, fill=fill, stroke=ink, stroke_width=1.6)


def _circle_fill(text: str, theme: Theme) -> str:
    dark, *_, light = sorted((theme.given, theme.board, theme.filled), key=lightness)
    return dark if CIRCLES[text] else light


def is_arrowed(text: str) -> bool:
    """Whether a text is one of `<`, `>`, `^` or `v` after another, such as `3 <`: it is drawn as an arrow."""
    word, _, sign = text.rpartition(" ")
    return sign in POINTS and bool(word) and len(word) <= 2


def arrowed(text: str, x: float, y: float, side: float, fill: str) -> Iterator[str]:
    """A number and an arrow beside it, with their common middle at (x, y). side: of the cell, in pixels."""
    word, _, sign = text.rpartition(" ")
    size = 0.5 * side
    wide, long = text_width(word, size), ARROW * side
    yield label(word, x - long / 2 - 1, y, size, fill, weight="700")
    u, v = POINTS[sign]
    middle, half, barb = x + wide / 2 + 1, long / 2, 0.36 * long
    tip, tail = (middle + u * half, y + v * half), (middle - u * half, y - v * half)
    head = [(tip[0] - u * barb + s * v * barb, tip[1] - v * barb + s * u * barb) for s in (-1, 1)]
    yield tag("path", class_="arrow", d=path([[tail, tip], [head[0], tip, head[1]]], closed=False), fill="none",
              stroke=fill, stroke_width=2, stroke_linecap="round", stroke_linejoin="round")  # fmt: skip


def lines(picture: Picture, middle: Middle, theme: Theme, texts: Mapping[Cell, Sequence[str]]) -> Iterator[str]:
    """The lines that choices draw from place to place, joined where they meet; each text has its colour.
    texts: what stands on the lines, each on a disc."""
    yield from possible_lines(picture, middle, theme)
    found = links(picture)
    ends = {(at[0], at[1]) for link in found for at in (link.one, link.other)}
    names = sorted({link.text for link in found})
    steps_only, single = are_steps(found, near(picture)), all(link.strokes == 1 for link in found)
    wide = STROKE if steps_only else 0.55 * STROKE
    for n, name in enumerate(names):
        steps = [((a.one[0], a.one[1]), (a.other[0], a.other[1])) for a in found if a.text == name]
        stroke = theme.piece(n) if len(names) > 1 else theme.answer
        drawn = [[middle(at) for at in p] for p in _paths(steps)] if single else [*_parallel(found, middle)]
        yield tag(
            "path", class_="line", d=path(drawn, closed=False), fill="none",
            stroke=stroke, stroke_width=wide if len(names) == 1 else 1.5 * wide, stroke_linecap="round",
            stroke_linejoin="round",
        )  # fmt: skip
    if not steps_only and single:
        yield dots(ends, middle, theme, 3.4)
        meeting = Counter((at[0], at[1]) for link in found for at in (link.one, link.other))
        if max(meeting.values(), default=0) <= 2 and min(meeting.values(), default=2) == 1:
            yield dots([at for at, count in meeting.items() if count == 1], middle, theme, TIP)
    dark = {(mark.at[0], mark.at[1]) for mark in picture.marks if mark.look == "dark" and not mark.faint}
    for at in sorted(ends & texts.keys()):
        x, y = middle(at)
        yield tag("circle", class_="disc", cx=x, cy=y, r=DISC, fill=theme.filled if at in dark else theme.board)


def possible_lines(picture: Picture, middle: Middle, theme: Theme) -> Iterator[str]:
    """The lines of pencil marks that some answers have, dashed; in a hint, those that matter on a band, and a cross on
    what is ruled out."""
    every = possible_links(picture) if picture.pencil else []
    yield from _bands(every, middle, theme)
    found = [link for link in every if link.faint]
    if found:
        drawn = [[middle((at[0], at[1])) for at in (link.one, link.other)] for link in found]
        yield tag(
            "path", class_="possible", d=path(drawn, closed=False), fill="none", stroke=theme.answer,
            stroke_width=THIN_LINE, stroke_dasharray=f"{2 * THIN_LINE:g} {3 * THIN_LINE:g}",
        )  # fmt: skip


def _bands(found: Sequence[Link], middle: Middle, theme: Theme) -> Iterator[str]:
    tints = {"reason": theme.hint_reason, "out": theme.hint_out, "taken": theme.hint_taken}
    for role, tint in tints.items():
        ends = [(middle((a.one[0], a.one[1])), middle((a.other[0], a.other[1]))) for a in found if a.role == role]
        if not ends:
            continue
        yield tag("path", class_=role, d=path([[*pair] for pair in ends], closed=False), fill="none", stroke=tint,
                  stroke_width=BAND, stroke_opacity=BAND_OPACITY, stroke_linecap="round")  # fmt: skip
        if role == "out":
            at = [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in ends]
            cross = [[(x - s * CROSS, y - CROSS), (x + s * CROSS, y + CROSS)] for x, y in at for s in (-1, 1)]
            yield tag("path", class_="crossed", d=path(cross, closed=False), fill="none", stroke=theme.only,
                      stroke_width=2)  # fmt: skip


def _parallel(found: Sequence[Link], middle: Middle) -> Iterator[list[Point]]:
    for link in found:
        (x, y), (u, v) = middle((link.one[0], link.one[1])), middle((link.other[0], link.other[1]))
        long = hypot(u - x, v - y) or 1
        across = ((y - v) / long * BESIDES, (u - x) / long * BESIDES)
        for n in range(link.strokes):
            off = n - (link.strokes - 1) / 2
            yield [(x + off * across[0], y + off * across[1]), (u + off * across[0], v + off * across[1])]


def _paths(steps: Sequence[tuple[Cell, Cell]]) -> list[list[Cell]]:
    ways: dict[Cell, list[Cell]] = {}
    for a, b in steps:
        ways.setdefault(a, []).append(b)
        ways.setdefault(b, []).append(a)
    found = []
    for start in sorted(ways, key=lambda at: (len(ways[at]) % 2 == 0, at)):
        while ways[start]:
            walk = [start]
            while ways[walk[-1]]:
                after = ways[walk[-1]].pop()
                ways[after].remove(walk[-1])
                walk.append(after)
            found.append(walk)
    return found


def dots(cells: Collection[Cell], middle: Middle, theme: Theme, size: float = 2.2) -> str:
    """A dot in the middle of each place."""
    around = [middle(at) for at in sorted(cells)]
    r, turn = number(size), number(2 * size)
    d = "".join(f"M{number(x - size)} {number(y)}a{r} {r} 0 1 0 {turn} 0a{r} {r} 0 1 0 -{turn} 0z" for x, y in around)
    return tag("path", class_="dots", d=d, fill=theme.line)


def dashes(picture: Picture, corner: Middle, theme: Theme) -> str:
    """A dashed line inside each field of the picture's outlines."""
    fields = plane(picture.outlines)
    found: list[list[Point]] = []
    seen: set[Cell] = set()
    for start in sorted(fields):
        if start in seen:
            continue
        field = flood(start, lambda at, own=fields[start]: fields.get(at) == own, sides_of)  # type: ignore[misc]
        seen |= field
        found += _inner_lines(field, corner)
    return tag("path", class_="cage", d=path(found, closed=False), fill="none", stroke=theme.line, stroke_width=1,
               stroke_dasharray="3 2.4", stroke_opacity=0.8)  # fmt: skip


def _inner_lines(field: set[Cell], corner: Middle) -> Iterator[list[Point]]:
    for r, c in sorted(field):
        (x, y), (x2, y2) = corner((r, c)), corner((r + 1, c + 1))
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if (r + dr, c + dc) in field:
                continue
            ends = []
            for s in (-1, 1):
                i, j = (r, c + s) if dr else (r + s, c)
                open_ = (i, j) in field
                further = open_ and (i + dr, j + dc) in field
                ends.append((-s * INSET) if not open_ else (s * INSET) if further else 0.0)
            if dr:
                at = y + INSET if dr < 0 else y2 - INSET
                yield [(x + ends[0], at), (x2 + ends[1], at)]
            else:
                at = x + INSET if dc < 0 else x2 - INSET
                yield [(at, y + ends[0]), (at, y2 + ends[1])]


# --- beside and between ---


def corners(picture: Picture, corner: Middle, theme: Theme, cells: Collection[Cell]) -> Iterator[str]:
    """Small texts in the upper left corners of places; where dashed lines run, on a patch that covers them."""
    dark = {(m.at[0], m.at[1]) for m in picture.marks if m.look == "dark" and not m.faint}
    for p in picture.prints:
        at = (p.at[0], p.at[1])
        if p.to is None and at in cells:
            x, y = corner(at)
            ink = theme.on(theme.filled) if at in dark else theme.given
            text = tight(p.text, ARITHMETIC)
            wide = text_width(text, CORNER)
            if picture.outlines and picture.regions and at not in dark:
                yield tag("rect", x=x + 2, y=y + 2, width=wide + 1, height=CORNER + 0.5, fill=theme.board)
            yield label(text, x + 2.5, y + 2 + CORNER / 2, CORNER, ink, anchor="start", class_="corner")


def gaps(picture: Picture, middle: Middle, theme: Theme) -> Iterator[str]:
    """Gaps in the lines between two places, where a blank is printed: doors."""
    for p in picture.prints:
        if p.to is not None and not p.text.strip():
            (x1, y1), (x2, y2) = middle((p.at[0], p.at[1])), middle((p.to[0], p.to[1]))
            x, y = (x1 + x2) / 2 - GAP / 2, (y1 + y2) / 2 - GAP / 2
            yield tag("rect", class_="gap", x=x, y=y, width=GAP, height=GAP, fill=theme.board)


def between(picture: Picture, middle: Middle, theme: Theme) -> Iterator[str]:
    """What stands between two places: signs as shapes, anything else as text."""
    dotted = is_dotted(picture)
    radius = STAR if has_stars(picture) else DOT
    for p in picture.prints:
        if p.to is None or not p.text.strip():
            continue
        (x1, y1), (x2, y2) = middle((p.at[0], p.at[1])), middle((p.to[0], p.to[1]))
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        if p.text in SIGNS:
            yield tag("rect", x=x - SIGN - 1, y=y - SIGN - 1, width=2 * SIGN + 2, height=2 * SIGN + 2, fill=theme.board)
            points = [[(x + SIGN * dx, y + SIGN * dy) for dx, dy in SIGNS[p.text]]]
            d = path(points, closed=False)
            yield tag("path", class_="sign", d=d, fill="none", stroke=theme.given, stroke_width=2)
        elif p.text in CIRCLES and not dotted:
            fill = _circle_fill(p.text, theme)
            yield tag("circle", class_="sign", cx=x, cy=y, r=radius, fill=fill, stroke=theme.given, stroke_width=1.4)
        else:
            if not dotted:
                half = text_width(p.text, BESIDE) / 2 + 1
                yield tag("rect", x=x - half, y=y - 9, width=2 * half, height=18, fill=theme.board)
            yield label(p.text, x, y, 18.0 if dotted else BESIDE, theme.given, class_="between")


def margins(picture: Picture) -> tuple[float, float, float, float]:
    """The room that is taken to the left, to the right, above and below, in pixels."""
    left, right, above, below = margin(picture)
    sides = [sum(_widths(found).values()) for found in (left, right)]
    return (*sides, *(_deep(found) for found in (above, below)))  # type: ignore[return-value]


def above_width(picture: Picture) -> float:
    """How wide a cell must be for what stands above and below its column."""
    _, _, above, below = margin(picture)
    words = [w for p in (*above, *below) for w in p.text.split()]
    return max((text_width(w, BESIDE) + 1.6 * ROOM for w in words), default=0.0)


def _widths(found: Sequence[Inscription]) -> dict[int, float]:
    wide: dict[int, float] = {}
    for p in found:
        at, text = p.at, p.text
        wide[at[1]] = max(wide.get(at[1], 0.0), text_width(text, BESIDE) + ROOM)
    return wide


def _deep(found: Sequence[Inscription]) -> float:
    words: dict[int, int] = {}
    for p in found:
        words[p.at[1]] = words.get(p.at[1], 0) + len(p.text.split())
    return max(words.values()) * LINE * BESIDE + ROOM if words else 0.0


def beside(picture: Picture, corner: Middle, theme: Theme) -> Iterator[str]:
    """What is printed in the margins."""
    left, right, above, below = margin(picture)
    (top, start), (bottom, end) = picture.low, picture.high
    numbers = {"weight": theme.given_weight, "class_": "margin"}
    for found, edge, sign in ((left, corner((top, start))[0], -1), (right, corner((top, end + 1))[0], 1)):
        wide = _widths(found)
        near_first = sorted(wide, reverse=sign < 0)
        offset = {c: sum(wide[k] for k in near_first[:n]) for n, c in enumerate(near_first)}
        for p in found:
            y = (corner((p.at[0], start))[1] + corner((p.at[0] + 1, start))[1]) / 2
            x = edge + sign * (offset[p.at[1]] + ROOM)
            yield label(p.text, x, y, BESIDE, theme.given, anchor="end" if sign < 0 else "start", **numbers)
    for found, row, sign in ((above, top, -1), (below, bottom + 1, 1)):
        words: dict[int, list[str]] = {}
        for p in sorted(found, key=lambda p: p.at):
            words.setdefault(p.at[1], []).extend(p.text.split())
        for column, stack in words.items():
            x = (corner((row, column))[0] + corner((row, column + 1))[0]) / 2
            order = stack[::-1] if sign < 0 else stack
            for n, word in enumerate(order):
                y = corner((row, column))[1] + sign * (ROOM + (n + 0.5) * LINE * BESIDE - ROOM / 2)
                yield label(word, x, y, BESIDE, theme.given, **numbers)
