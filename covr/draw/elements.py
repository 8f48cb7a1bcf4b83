"""SVG elements: blocks that know their size, places that can be pointed at, symbols without a font."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from math import cos, pi, sin

from covr.draw.canvas import clean, width
from covr.draw.themes import Theme
from covr.frozen import frozen

# --- elements --------------------------------------------------------------------------------------------------------
# Only presentation attributes are used, no style sheets: every program that reads SVG draws the same. Numbers have at
# most two decimals and attributes their given order, so equal pictures are equal text.


SANS = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
MONO = "DejaVu Sans Mono, Menlo, Consolas, monospace"
# The width of a letter in font sizes, estimated generously: the true width depends on the viewer's fonts.
LETTER = 0.62
# Font sizes from the middle of a text down to its baseline: not every viewer knows `dominant-baseline`.
DROP = 0.355

Point = tuple[float, float]


@frozen
class DrawnBlock:
    """A drawing. width, height: the space that it takes, from (0, 0), in pixels.  body: its elements, each as text."""

    width: float
    height: float
    body: tuple[str, ...]


def number(value: float) -> str:
    """A number, written as short as possible."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"


def tag(name: str, *content: str, **attributes: object) -> str:
    """An element. `stroke_width=2` is written `stroke-width="2"`, and `class_` as `class`; None leaves it out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(content)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def _value(value: object) -> str:
    return number(value) if isinstance(value, int | float) else escape(str(value))


def group(body: Iterable[str], x: float = 0, y: float = 0, **attributes: object) -> str:
    """A group of elements, moved by (x, y)."""
    moved = f"translate({number(x)} {number(y)})" if x or y else None
    return tag("g", "\n", *(f"{line}\n" for line in body), transform=moved, **attributes)


def label(
    text: str,
    x: float,
    y: float,
    size: float,
    fill: str,
    *,
    weight: str = "400",
    anchor: str = "middle",
    family: str | None = None,
    **more: object,
) -> str:
    """A text with its middle, start or end at x, and the middle of its letters at y."""
    return tag(
        "text", escape(clean(text), quote=False), x=x, y=y + DROP * size, font_size=size, fill=fill,
        font_weight=None if weight == "400" else weight, text_anchor=None if anchor == "start" else anchor,
        font_family=family, **more,
    )  # fmt: skip


def text_width(text: str, size: float) -> float:
    """About how wide a text is."""
    return width(clean(text)) * LETTER * size


def path(loops: Iterable[Sequence[Point]], closed: bool = True) -> str:
    """The attribute `d` of a path whose lines run through these points."""
    end = "z" if closed else ""
    return "".join("M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + end for points in loops if points)


def stacked(blocks: Sequence[DrawnBlock], gap: float) -> DrawnBlock:
    """Blocks below each other, their left sides level."""
    body, y = [], 0.0
    for block in blocks:
        body.append(group(block.body, 0, y))
        y += block.height + gap
    return DrawnBlock(max((b.width for b in blocks), default=0), max(y - gap, 0), tuple(body))


def beside(blocks: Sequence[DrawnBlock], gap: float) -> DrawnBlock:
    """Blocks next to each other, their tops level."""
    body, x = [], 0.0
    for block in blocks:
        body.append(group(block.body, x, 0))
        x += block.width + gap
    return DrawnBlock(max(x - gap, 0), max((b.height for b in blocks), default=0), tuple(body))


def side_by_side(blocks: Sequence[DrawnBlock], gap: float) -> DrawnBlock:
    """Blocks next to each other, their middles level."""
    height = max((b.height for b in blocks), default=0)
    level = [DrawnBlock(b.width, height, (group(b.body, 0, (height - b.height) / 2),)) for b in blocks]
    return beside(level, gap)


def below_each_other(blocks: Sequence[DrawnBlock], gap: float) -> DrawnBlock:
    """Blocks below each other, their middles under one another."""
    width = max((b.width for b in blocks), default=0)
    return stacked([DrawnBlock(width, b.height, (group(b.body, (width - b.width) / 2, 0),)) for b in blocks], gap)


# --- pointed ---------------------------------------------------------------------------------------------------------
# The attribute `data-at` of a transparent shape over each place is the number of the picture, a colon, and the
# coordinates, such as `0:1,3`. Sticks and balls have none.


def pointed(places: Iterable[tuple[Sequence[int], Sequence[Point]]], theme: Theme) -> Iterator[str]:
    """A shape over each place, given with its corners in pixels; none where the theme has no key for places."""
    if theme.key is None:
        return
    for at, corners in places:
        name = theme.key + ",".join(map(str, at))
        yield tag("path", class_="place", data_at=name, d=path([corners]), fill="none", pointer_events="all")


# --- symbols ---------------------------------------------------------------------------------------------------------
# Drawn for covr, so that no font is needed: lists of paths in a square from (-50, -50) to (50, 50).


_BASE = "M-30 40L-34 30H34L30 40z"

CHESSMEN: Mapping[str, tuple[str, ...]] = {
    "K": ("M-4 -46H4V-40H10V-32H4V-24H-4V-32H-10V-40H-4z",
          "M-24 24L-34 -2C-40 -22 -12 -28 0 -10C12 -28 40 -22 34 -2L24 24z", _BASE),
    "Q": ("M-24 24L-38 -18L-19 2L-20 -32L-5 -2L0 -38L5 -2L20 -32L19 2L38 -18L24 24z",
          "M-44 -22a6 6 0 1 1 12 0a6 6 0 1 1 -12 0z", "M-26 -36a6 6 0 1 1 12 0a6 6 0 1 1 -12 0z",
          "M-6 -42a6 6 0 1 1 12 0a6 6 0 1 1 -12 0z", "M14 -36a6 6 0 1 1 12 0a6 6 0 1 1 -12 0z",
          "M32 -22a6 6 0 1 1 12 0a6 6 0 1 1 -12 0z", _BASE),
    "R": ("M-28 -38H-16V-28H-6V-38H6V-28H16V-38H28V-16L20 -8V24H-20V-8L-28 -16z", _BASE),
    "B": ("M0 -44a6 6 0 1 1 0 11a6 6 0 1 1 0 -11z",
          "M-18 24C-10 16 -10 14 -12 8C-30 -2 -18 -22 0 -32C18 -22 30 -2 12 8C10 14 10 16 18 24z", _BASE),
    "N": ("M-22 24C-22 4 -2 2 -4 -10C-14 -2 -20 4 -26 8C-34 10 -38 2 -34 -4C-28 -12 -24 -24 -16 -32L-14 -44"
          "L-6 -36C22 -36 34 -10 28 24z", _BASE),
    "P": ("M0 -34a14 14 0 1 1 0 28a14 14 0 1 1 0 -28z", "M-22 24C-18 8 -10 4 -8 -8H8C10 4 18 8 22 24z", _BASE),
}  # fmt: skip

STAR = path([
    [(44 * r * sin(k * pi / 5), -44 * r * cos(k * pi / 5)) for k in range(10) for r in [1 - 0.58 * (k % 2)]]
])  # fmt: skip

# The parts of a ship: its left, right, upper and lower end, what is between them, and a ship of one part.
SHIPS: Mapping[str, str] = {
    "◖": "M48 -44H0a44 44 0 0 0 0 88H48z", "◗": "M-48 -44H0a44 44 0 0 1 0 88H-48z",
    "◠": "M-44 48V0a44 44 0 0 1 88 0V48z", "◡": "M-44 -48V0a44 44 0 0 0 88 0V-48z",
    "■": "M-44 -44H44V44H-44z", "●": "M-44 0a44 44 0 1 1 88 0a44 44 0 1 1 -88 0z",
}  # fmt: skip

# A tree, and a tent with its door open.
CAMP: Mapping[str, str] = {
    "♣": "M-5 44V24C-46 30 -50 -2 -26 -8C-34 -52 34 -52 26 -8C50 -2 46 30 5 24V44z",
    "▲": "M0 -40L46 38H14L0 8L-14 38H-46z",
}
SHAPES: Mapping[str, str] = {"*": STAR, **SHIPS, **CAMP}


def are_chessmen(texts: Collection[str]) -> bool:
    """Whether there are texts, and each is the name of a chessman."""
    return bool(texts) and all(text in CHESSMEN for text in texts)


def symbol(text: str, x: float, y: float, size: float, fill: str, **more: object) -> str | None:
    """The shape for a text, with its middle at (x, y) and `size` pixels wide; None if there is no shape for it."""
    shapes = (SHAPES[text],) if text in SHAPES else CHESSMEN.get(text)
    if shapes is None:
        return None
    place = f"translate({number(x)} {number(y)}) scale({size / 100:.3f})"
    return tag("path", d="".join(shapes), transform=place, fill=fill, **more)
