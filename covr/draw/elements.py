"""The looks of images, and SVG elements: themes, blocks that know their size, places to point at, symbols."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from math import cos, pi, sin
from typing import Any

from attrs import field

from covr.compiler.display.prints import Mark, Picture
from covr.compiler.lattices import BALLS, STICKS
from covr.draw.canvas import PIECES, clean, width
from covr.draw.pieces import Near, Place, colours, near, pieces
from covr.frozen import evolve, frozen

# --- themes ----------------------------------------------------------------------------------------------------------
# A theme is a row, and no other file for images defines a colour. Fills of pieces are Okabe and Ito's colours and light
# ones of Tol's, which colour-blind eyes tell apart: toned down on dark paper, paler for print, and none at all in
# `mono`.
#
# A dark square is darker than the board in every theme. So on dark paper the board is a middle grey.


# Edges of tiles: a few colours that differ much in lightness, too.
EDGES = ("#e69f00", "#0072b2", "#f7f2d0", "#cc79a7", "#009e73", "#333333", "#99ddff", "#d55e00")
# The same without colours: the first ones are far apart, and the grey of the rim (`RIM`) is between all of them.
GREYS = ("#ffffff", "#404040", "#c7c7c7", "#000000", "#e3e3e3", "#606060", "#ababab", "#202020")
RIM = "#868686"

# What a circle, square or diamond is filled with that holds the name of a colour: Okabe and Ito's where they have one.
COLOURS = {
    "red": "#d55e00", "orange": "#e69f00", "yellow": "#f0e442", "green": "#009e73", "blue": "#0072b2",
    "purple": "#882255", "pink": "#cc79a7", "brown": "#8c5a2b", "white": "#ffffff", "grey": "#999999",
    "black": "#111418",
}  # fmt: skip


def mixed(colour: str, other: str, share: float) -> str:
    """A mixture of two colours. share: how much of the other colour is in it, from 0 to 1."""
    one, two = (tuple(int(c[i : i + 2], 16) for i in (1, 3, 5)) for c in (colour, other))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(one, two, strict=True))


def lightness(colour: str) -> float:
    """How bright a colour looks, from 0 to 1 (the luma of ITU-R BT.601)."""
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return (0.299 * r + 0.587 * g + 0.114 * b) / 255


@frozen
class Theme:
    """The colours of an image.
    paper: the background.  board: a cell.  dark_square: every second cell of a chessboard.
    hole: a place inside a board that does not belong to it.  filled: a dark square.
    line, thin: lines between regions and between cells.  given, answer: texts in cells; given_weight, answer_weight: of
    what font weights.  given_cell: a cell with a given.  text: titles and captions.
    only: a pencil mark for a choice that only one answer holds, or that a hint rules out.
    hint_reason, hint_out, hint_taken: tints of cells in a hint: the reason, what is ruled out, what follows.
    heat: the colour of the choice that most answers hold, where colours say how many do.
    pieces: fills, used in turn.  regions: paler fills of crooked regions.  edges: of tiles.  rim: of tiles at the rim.
    key: what the names of places begin with, where places can be pointed at (`elements.py`); None elsewhere."""

    paper: str = "#ffffff"
    board: str = "#ffffff"
    dark_square: str = "#dfe3ea"
    hole: str = "#8d949e"
    filled: str = "#2f353d"
    line: str = "#1b1f24"
    thin: str = "#b4bac2"
    given: str = "#111418"
    answer: str = "#0b5cad"
    only: str = "#b3261e"
    hint_reason: str = "#f0c419"
    hint_out: str = "#e0662d"
    hint_taken: str = "#2f9e5b"
    heat: str = "#c2410c"
    given_weight: str = "700"
    answer_weight: str = "400"
    given_cell: str = "#f0f1f4"
    text: str = "#30363d"
    pieces: tuple[str, ...] = PIECES
    regions: tuple[str, ...] = tuple(mixed(c, "#ffffff", 0.72) for c in PIECES[:7])
    edges: tuple[str, ...] = EDGES
    rim: str = "#b4bac2"
    key: str | None = None

    def piece(self, number: int) -> str:
        """The fill for a colour number. Numbers beyond the table repeat its colours, darker or, if dark, lighter."""
        turn, at = divmod(number, len(self.pieces))
        colour = self.pieces[at]
        return mixed(colour, "#000000" if lightness(colour) > 0.5 else "#ffffff", 1 - 1 / (1 + 0.3 * turn))

    def on(self, fill: str) -> str:
        """The colour of letters on a fill."""
        return "#111418" if lightness(fill) > 0.45 else "#ffffff"


PRINT = Theme(
    filled="#000000",
    dark_square="#e4e4e4",
    line="#000000",
    thin="#9a9a9a",
    given="#000000",
    answer="#4d4d4d",
    only="#000000",
    hint_reason="#d0d0d0",
    hint_out="#a0a0a0",
    hint_taken="#808080",
    heat="#606060",
    given_cell="#ffffff",
    text="#000000",
    pieces=tuple(mixed(c, "#ffffff", 0.5) for c in PIECES),
    regions=tuple(mixed(c, "#ffffff", 0.82) for c in PIECES[:7]),
)

THEMES: Mapping[str, Theme] = {
    "light": Theme(),
    "dark": Theme(
        paper="#15181d",
        board="#434b57",
        dark_square="#2b3038",
        hole="#15181d",
        filled="#000000",
        line="#e6e9ee",
        thin="#8a94a3",
        given="#ffffff",
        answer="#7cc4ff",
        only="#ff9c8f",
        heat="#f08a4b",
        given_cell="#525b69",
        text="#d5d9e0",
        pieces=tuple(mixed(c, "#15181d", 0.14) for c in PIECES),
        regions=tuple(mixed(c, "#434b57", 0.74) for c in PIECES[:7]),
        edges=tuple(mixed(c, "#15181d", 0.1) for c in EDGES),
        rim="#5f656f",
    ),
    "print": PRINT,
    "mono": evolve(
        PRINT,
        pieces=("#ffffff", "#bdbdbd", "#e3e3e3", "#a3a3a3", "#d2d2d2"),
        hole="#333333",
        regions=("#ffffff", "#ececec", "#f7f7f7", "#e0e0e0", "#f2f2f2"),
        edges=GREYS,
        rim=RIM,
    ),
}  # fmt: skip


# --- paint -----------------------------------------------------------------------------------------------------------
# If the texts tell all pieces apart, the colour of a piece depends on its text, so that it is the same in every answer;
# otherwise pieces are coloured in turn, so that no two that touch have the same colour.


CIRCLES = {"○": False, "●": True}  # printed texts that are drawn as circles → whether they are filled
SHAPES = ("circle", "square", "diamond")  # what a text may stand in
BLACK = "#"  # the text of a dark square that is not written


@frozen
class Paint:
    """The looks of a picture, computed once for all its places.
    texts: per place, one text for each mark.  given: places that show only what is given.
    partly: places that show something given and something else → the given texts.
    printed: places that show only what is printed.  dark: places that are filled.
    clued: whether numbers or signs are printed beside what is chosen, so that answers have a colour of their own.
    headed: whether rows or columns have names, as those of a plan: then an `N` is a night and no knight.
    shapes: place → the `circle`, `square` or `diamond` round what it shows, and whether that is printed.
    background: places that show the model's `else`.
    owner: place → piece.  fill: piece → colour.  walls: place → region.  crooked: whether some region is no rectangle.
    """

    texts: Mapping[Place, tuple[str, ...]]
    given: frozenset[Place]
    background: frozenset[Place]
    owner: Mapping[Place, int]
    fill: Mapping[int, str]
    walls: Mapping[Place, int]
    crooked: bool
    printed: frozenset[Place] = frozenset()
    dark: frozenset[Place] = frozenset()
    clued: bool = False
    headed: bool = False
    partly: Mapping[Place, frozenset[str]] = field(factory=dict)
    shapes: Mapping[Place, tuple[str, bool]] = field(factory=dict)

    @property
    def written(self) -> list[tuple[str, ...]]:
        """The texts of the places where they are written: what is the name of a colour fills its shape instead."""
        return [shown for at, shown in self.texts.items() if not (at in self.shapes and "".join(shown) in COLOURS)]

    def layer(self, z: int) -> Paint:
        """The looks of one layer of a solid."""

        def cut(whole: Mapping[Place, Any]) -> dict[Place, Any]:
            return {at[1:]: what for at, what in whole.items() if at[0] == z}

        maps: dict[str, Any] = {
            name: cut(getattr(self, name)) for name in ("texts", "partly", "shapes", "owner", "walls")
        }
        sets: dict[str, Any] = {
            name: frozenset(at[1:] for at in getattr(self, name) if at[0] == z)
            for name in ("given", "background", "printed", "dark")
        }
        return evolve(self, **maps, **sets)


def paint(picture: Picture, theme: Theme) -> Paint:
    """Everything about a picture's looks except the geometry."""
    marks: dict[Place, list[Mark]] = {}
    for mark in picture.marks:
        if not drawn_otherwise(picture, mark):
            marks.setdefault(mark.at, []).append(mark)
    texts = {at: _written(here) for at, here in marks.items()}
    owner = pieces(picture)
    return Paint(
        texts=texts,
        given=frozenset(at for at, here in marks.items() if all(m.given for m in here)),
        partly={
            at: frozenset(clean(m.text) for m in here if m.given)
            for at, here in marks.items()
            if len({m.given for m in here}) == 2
        },
        printed=frozenset(at for at, here in marks.items() if all(_is_printed(m) for m in here)),
        shapes={
            m.at: (m.look, _is_printed(m))
            for m in sorted(picture.marks, key=_is_printed)
            if m.look in SHAPES and not m.faint
        },
        dark=frozenset(m.at for m in picture.marks if m.look in ("dark", "divided") and not m.faint),
        background=frozenset(at for at, here in marks.items() if all(m.option < 0 and not m.given for m in here)),
        owner=owner,
        fill={
            piece: theme.piece(n) for piece, n in _piece_colours(owner, texts, len(theme.pieces), near(picture)).items()
        },
        walls=picture.regions,
        crooked=not _all_boxes(picture.regions),
        headed=any(p.look == "heading" for p in picture.prints),
        clued=any(p.text.strip() and p.look != "heading" for p in picture.prints),
    )


def _written(marks: Sequence[Mark]) -> tuple[str, ...]:
    texts = dict.fromkeys(clean(m.text) for m in marks)
    return tuple(t for t in texts if t) or tuple(texts)


def _is_printed(mark: Mark) -> bool:
    return mark.look == "printed" or (mark.look in SHAPES and mark.option < 0)


def drawn_otherwise(picture: Picture, mark: Mark) -> bool:
    """Whether a mark is drawn as a line, a circle, a divided square or a dark one, and not as a text."""
    if mark.look == "dark":
        return mark.text.strip() in ("", BLACK) and picture.lattice is not STICKS
    if picture.axes == 3 or picture.lattice in (STICKS, BALLS):
        return False
    if mark.look in ("line", "lines"):
        return mark.heat < 0
    return mark.look == "divided" or (mark.look == "printed" and mark.text in CIRCLES)


def _piece_colours(
    owner: Mapping[Place, int], texts: Mapping[Place, tuple[str, ...]], palette: int, near: Near
) -> dict[int, int]:
    """Piece → colour number. Numbers beyond the palette are used only if neighbours make that necessary."""
    of_piece: dict[int, set[tuple[str, ...]]] = {}
    for at, piece in owner.items():
        of_piece.setdefault(piece, set()).add(texts[at])
    names = sorted(min(t) for t in of_piece.values())
    if all(len(t) == 1 for t in of_piece.values()) and len(set(names)) == len(names) <= palette:
        return {piece: names.index(min(t)) for piece, t in of_piece.items()}
    touching: dict[int, set[int]] = {}
    for at, piece in owner.items():
        touching.setdefault(piece, set()).update(owner[n] for n in near(at) if owner.get(n, piece) != piece)
    return colours(owner, max(palette, 1 + max(map(len, touching.values()), default=0)), near)


def _all_boxes(regions: Mapping[Place, int]) -> bool:
    cells: dict[int, list[Place]] = {}
    for at, region in regions.items():
        cells.setdefault(region, []).append(at)
    for members in cells.values():
        size = 1
        for axis in zip(*members, strict=True):
            size *= max(axis) - min(axis) + 1
        if size != len(members):
            return False
    return True


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
SYMBOLS: Mapping[str, str] = {"*": STAR, **SHIPS, **CAMP}


def are_chessmen(texts: Collection[str]) -> bool:
    """Whether there are texts, and each is the name of a chessman."""
    return bool(texts) and all(text in CHESSMEN for text in texts)


def symbol(text: str, x: float, y: float, size: float, fill: str, **more: object) -> str | None:
    """The shape for a text, with its middle at (x, y) and `size` pixels wide; None if there is no shape for it."""
    shapes = (SYMBOLS[text],) if text in SYMBOLS else CHESSMEN.get(text)
    if shapes is None:
        return None
    place = f"translate({number(x)} {number(y)}) scale({size / 100:.3f})"
    return tag("path", d="".join(shapes), transform=place, fill=fill, **more)
