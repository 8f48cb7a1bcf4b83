"""Answers as an SVG image: one answer with its title above it, or many on a contact sheet.

The same answers give the same text, byte by byte. On a contact sheet, answers are in reading order, each in a space of
the same size with its number below; the number in a row is chosen so that the sheet has about the shape of a screen.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from html import escape
from math import ceil, sqrt

from attrs import evolve

from covr.compiler.display.picture import Picture
from covr.compiler.lattices.balls import BALLS
from covr.compiler.lattices.hexagons import HEX
from covr.compiler.lattices.sticks import STICKS
from covr.compiler.lattices.triangles import TRIANGLE
from covr.draw.ball_stack import draw_balls
from covr.draw.board import draw_board
from covr.draw.elements import SANS, DrawnBlock, group, label, number, stacked, tag, text_width
from covr.draw.lists import draw_list, draw_strip
from covr.draw.pencil import draw_pencilled
from covr.draw.solids import draw_solid
from covr.draw.stick_board import draw_sticks
from covr.draw.styled import clean
from covr.draw.text import fits
from covr.draw.themes import THEMES, Theme
from covr.draw.tilings import draw_tiling
from covr.frozen import frozen

# In pixels unless another unit is named.
MARGIN = 14.0  # around everything
GAP = 22.0  # between two answers on a sheet
TITLE = 17.0  # the title's font size
HEADING = 1.35  # font sizes from one line of the title to the next
NARROWEST = 240.0  # the least width for a title, which may be wider than the answer below it
WIDER = 420.0  # the width that a title may take rather than a third line
CAPTION = 26.0  # the height of the caption below an answer
SHAPE = 1.5  # the width of a sheet of answers divided by its height
WIDEST = 1200.0  # the width at which a larger sheet is shown

_BY_AXES = {0: draw_list, 1: draw_strip, 2: draw_board, 3: draw_solid}
_ON_LATTICE = {HEX: draw_tiling, TRIANGLE: draw_tiling, STICKS: draw_sticks, BALLS: draw_balls}


@frozen
class Shown:
    """One answer to be drawn.  caption: the text below it on a sheet.  broken: the wishes that it breaks, each with its
    name, by how much, and what that costs; only a book of sheets shows them.  link: an address, which only a booklet
    shows, as a code for cameras."""

    pictures: tuple[Picture, ...]
    caption: str = ""
    broken: tuple[tuple[str, str, int], ...] = ()
    link: str = ""


def has_board(pictures: Sequence[Picture]) -> bool:
    """Whether any of the pictures is more than a list."""
    return any(p.axes and p.low for p in pictures)


def draw_answer(pictures: Sequence[Picture], theme: Theme, pointed: bool = False) -> DrawnBlock:
    """The pictures of one answer, below each other. pointed: whether each place says which it is (`pointed.py`)."""
    looks = [evolve(theme, key=f"{number}:") if pointed else theme for number in range(len(pictures))]
    blocks = [_drawing(p)(p, look) for p, look in zip(pictures, looks, strict=True) if p.axes == 0 or p.low]
    return stacked(blocks, GAP)


def _drawing(picture: Picture) -> Callable[[Picture, Theme], DrawnBlock]:
    """How a picture is drawn."""
    if not fits(picture):
        return draw_list
    if picture.pencil:
        return draw_pencilled
    return _BY_AXES[picture.axes] if picture.lattice is None else _ON_LATTICE[picture.lattice]


def draw_svg(
    answers: Sequence[Shown], title: str = "", theme: str = "light", title_shown: bool = True, pointed: bool = False
) -> str:
    """A whole SVG document, in the theme of that name.

    title: stands over the answers unless `title_shown` is false, and is the document's title for screen readers.
    pointed: whether each place says which it is, for pages in which places are clicked.
    """
    look = THEMES[theme]
    blocks = [draw_answer(answer.pictures, look, pointed) for answer in answers]
    whole = _single(blocks, answers) if len(blocks) < 2 else _sheet(blocks, [a.caption for a in answers], look)
    return _document(whole, title, look, title_shown, shrunk=len(blocks) > 1)


def _single(blocks: Sequence[DrawnBlock], answers: Sequence[Shown]) -> DrawnBlock:
    if not blocks:
        return DrawnBlock(0, 0, ())
    one = blocks[0]
    return DrawnBlock(one.width, one.height, (group(one.body, class_="answer"),))


def _sheet(blocks: Sequence[DrawnBlock], captions: Sequence[str], theme: Theme) -> DrawnBlock:
    """Answers in rows."""
    width = max(max(b.width for b in blocks), max(text_width(c, TITLE) for c in captions))
    gap = max(GAP, width / 10)
    wide, high = width + gap, max(b.height for b in blocks) + GAP + (CAPTION if any(captions) else 0)
    across = min(len(blocks), max(1, ceil(sqrt(SHAPE * len(blocks) * high / wide) - 0.5)))
    body = []
    for n, (block, caption) in enumerate(zip(blocks, captions, strict=True)):
        x, y = n % across * wide + (width - block.width) / 2, n // across * high
        parts = list(block.body)
        if caption:
            parts.append(label(caption, block.width / 2, block.height + CAPTION / 2 + 2, TITLE, theme.text))
        body.append(group(parts, x, y, class_="answer"))
    return DrawnBlock(across * wide - gap, ceil(len(blocks) / across) * high - GAP, tuple(body))


def _document(whole: DrawnBlock, title: str, theme: Theme, title_shown: bool, shrunk: bool) -> str:
    title = clean(title)
    size = max(TITLE, whole.width / 48)
    room = max(whole.width, NARROWEST, min(_even_width(title, size, 2), WIDER))
    lines = _wrapped(title, size, room) if title_shown else []
    head = HEADING * size * len(lines) + (size * 0.6 if lines else 0)
    width = max(whole.width, *(text_width(line, size) for line in lines), 0) + 2 * MARGIN
    height = whole.height + head + 2 * MARGIN
    scale = min(1.0, WIDEST / width) if shrunk else 1.0
    body = [tag("title", escape(title, quote=False))] if title else []
    body.append(tag("rect", class_="paper", width=width, height=height, fill=theme.paper))
    for n, line in enumerate(lines):
        y = MARGIN + (n + 0.5) * HEADING * size
        body.append(label(line, width / 2, y, size, theme.text, weight="600", class_="heading"))
    body.append(group(whole.body, (width - whole.width) / 2, MARGIN + head))
    return (
        tag(
            "svg", "\n", *(f"{line}\n" for line in body), xmlns="http://www.w3.org/2000/svg",
            width=width * scale, height=height * scale, viewBox=f"0 0 {number(width)} {number(height)}",
            role="img", font_family=SANS,
        )
        + "\n"
    )  # fmt: skip


def _wrapped(title: str, size: float, width: float) -> list[str]:
    """The title in lines that fit, as few as possible and all of about the same length."""
    wanted = len(_filled(title, size, width))
    return _filled(title, size, min(width, _even_width(title, size, wanted)))


def _even_width(title: str, size: float, lines: int) -> float:
    """The least width, in whole pixels, in which the title takes no more than so many lines."""
    pixels = range(ceil(text_width(title, size)) + 1)
    return float(bisect_left(pixels, True, key=lambda wide: len(_filled(title, size, wide)) <= lines))


def _filled(title: str, size: float, width: float) -> list[str]:
    """The title in lines, each as full as it can be; a word that is too wide has a line of its own."""
    lines: list[list[str]] = []
    blank, taken = text_width(" ", size), 0.0
    for word in title.split():
        wide = text_width(word, size)
        taken += blank + wide
        if lines and taken <= width:
            lines[-1].append(word)
        else:
            lines.append([word])
            taken = wide
    return [" ".join(line) for line in lines]
