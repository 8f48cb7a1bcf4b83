"""SVG elements as text, and blocks of them that know their size.

Only presentation attributes are used, no style sheets: every program that reads SVG draws the same. Numbers are
written with at most two decimals, attributes in the order they are given, so equal pictures are equal text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from covr.draw.styled import clean, width
from covr.frozen import frozen

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
    """An element. `stroke_width=2` is written `stroke-width="2"`, and `class_` as `class`; None leaves an attribute
    out."""
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
