"""A booklet to print: puzzles under their rules, then their solutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from math import ceil
from textwrap import wrap
from typing import Any

from covr.draw.book import Shown, draw_answer
from covr.draw.canvas import clean
from covr.draw.elements import SANS, THEMES, DrawnBlock, Theme, group, label, number, tag, text_width
from covr.faults import usage_error

QUIET = 4  # white squares around the pattern, as the standard (ISO/IEC 18004) wants them


def camera_code(address: str, size: float, dark: str, light: str) -> str:
    """An address as a QR code: an SVG element with its upper left corner at (0, 0).
    size: of the whole code with the white around it, in pixels. Raises ModelErrors where segno is not installed."""
    segno = check_segno()
    # A level that reads through a stain, and no "micro" code, which many cameras don't know.
    rows = [list(row) for row in segno.make(address, error="m", micro=False).matrix]
    scale = size / (len(rows) + 2 * QUIET)
    runs = []
    for y, row in enumerate(rows):
        x = 0
        for is_dark, run in groupby(row):
            wide = len(list(run))
            if is_dark:
                runs.append(f"M{x} {y}h{wide}v1h-{wide}z")
            x += wide
    paper = tag("rect", width=number(size), height=number(size), fill=light)
    path = tag(
        "path", d="".join(runs), fill=dark, shape_rendering="crispEdges",
        transform=f"scale({scale:.4f}) translate({QUIET} {QUIET})",
    )  # fmt: skip
    return tag("g", "\n", f"{paper}\n", f"{path}\n", class_="link")


def check_segno() -> Any:
    """The package. Raises ModelErrors E521 where it is not installed."""
    try:
        import segno
    except ImportError:
        raise usage_error(
            "E521", "codes for cameras need segno, which is not installed", help="pip install 'covr[pictures]'"
        ) from None
    return segno


# --- booklet ---------------------------------------------------------------------------------------------------------
# The puzzles of a booklet are all drawn at one scale, in rows and columns that make it as large as possible; so are the
# solutions, with more of them on a page. A link is drawn as a code at the right or below, wherever puzzles are larger
# then.


MARGIN = 57.0  # around a page: 15 mm
HEAD = 52.0  # the height of the heading
TITLE = 22.0  # font sizes
CAPTION = 12.0
FOOT = 26.0  # the height of the line with the page number
BELOW = 24.0  # the height of a caption
GAP = 26.0  # between two puzzles
RULE = 17.0  # the height of a line of the rules
MOST_RULES = 12  # lines of rules on a page at most
PROSE = 0.5  # how wide a letter of a sentence is on average, in font sizes; labels have more capitals
LARGEST = 2.4  # the scale at most
CODE = 76.0  # the side of a code for cameras: 20 mm
BESIDE = 8.0  # between a puzzle and its code
BYLINE = 16.0  # the height of the line that says who made the puzzles, and when
LEAST_SOLVED, MOST_SOLVED = 4, 12  # solutions on a page: three times as many as puzzles, within these limits


def booklet(
    puzzles: Sequence[Shown],
    solutions: Sequence[Shown],
    title: str,
    theme: str,
    each: int,
    paper: tuple[float, float],
    rules: str = "",
    byline: str = "",
) -> Iterator[str]:
    """The pages: puzzles, then solutions, each an SVG document of the size of the paper.
    each: how many puzzles are on a page.  paper: its width and height, in pixels.  rules: what stands over the puzzles.
    byline: a line under the heading of each page. Raises ModelErrors where a puzzle has a link and segno is missing."""
    look = THEMES[theme]
    solved = max(each, min(max(LEAST_SOLVED, 3 * each), MOST_SOLVED))
    parts: tuple[tuple[Sequence[Shown], str, int, list[str]], ...] = (
        (puzzles, clean(title), min(each, len(puzzles)), _filled(rules, paper)),
        (solutions, "Solutions", min(solved, len(solutions)), []),
    )
    page, last = 0, sum(ceil(len(shown) / max(many, 1)) for shown, _, many, _ in parts)
    for shown, heading, many, lines in parts:
        drawn = [draw_answer(one.pictures, look) for one in shown]
        below = len(lines) * RULE + (RULE if lines else 0) + BYLINE * bool(byline)
        codes = [one.link for one in shown]
        grid = _Grid(drawn, many, paper, below, any(codes)) if drawn else None
        for at in range(0, len(shown), max(many, 1)):
            assert grid is not None
            page += 1
            captions = [one.caption for one in shown[at : at + many]]
            body = grid.body(drawn[at : at + many], captions, codes[at : at + many], look)
            yield _page(body, heading, clean(byline), lines, f"{page} / {last}", look, paper)


class _Grid:
    """Where blocks stand on a page: rows and columns, and the scale."""

    def __init__(
        self, blocks: Sequence[DrawnBlock], many: int, paper: tuple[float, float], below: float, coded: bool
    ) -> None:
        wide, high = max(b.width for b in blocks), max(b.height for b in blocks)
        width, height = paper[0] - 2 * MARGIN, paper[1] - 2 * MARGIN - HEAD - FOOT - below
        best: tuple[float, int, float, float] | None = None
        code = (CODE + BESIDE) * coded
        for beside, under in dict.fromkeys(((code, 0.0), (0.0, code))):
            for columns in range(1, many + 1):
                rows = ceil(many / columns)
                across = (width - (columns - 1) * GAP) / columns - beside
                down = (height - (rows - 1) * GAP) / rows - BELOW - under
                scale = min(LARGEST, across / max(wide, 1), down / max(high, 1))
                if scale > 0 and (best is None or scale > best[0] + 1e-9):
                    best = scale, columns, beside, under
        self.scale, self.columns, self._beside, self._under = best or (0.01, many, code, 0.0)
        rows = ceil(many / self.columns)
        self._across = (width + GAP) / self.columns
        self._down = (height + GAP) / rows

    def body(
        self, blocks: Sequence[DrawnBlock], captions: Sequence[str], codes: Sequence[str], theme: Theme
    ) -> list[str]:
        """The elements of a page, from the upper left corner of its inner part. codes: per block its link, or ""."""
        found = []
        for n, (block, caption, link) in enumerate(zip(blocks, captions, codes, strict=True)):
            x, y = n % self.columns * self._across, n // self.columns * self._down
            wide = block.width * self.scale
            left = x + (self._across - GAP - wide - self._beside) / 2
            y += max(self._down - GAP - block.height * self.scale - BELOW - self._under, 0.0) / 2
            scaled = tag(
                "g", "\n", *(f"{line}\n" for line in block.body),
                transform=f"translate({number(left)} {number(y)}) scale({self.scale:.4f})",
            )  # fmt: skip
            room, middle = self._across - GAP - self._beside, left + wide / 2
            size = min(CAPTION, CAPTION * room / max(text_width(caption, CAPTION), 1))
            foot = y + block.height * self.scale
            found += [scaled, label(caption, middle, foot + BELOW * 0.6, size, theme.text)]
            if link:
                # Dark on white in every theme: cameras don't read it the other way round.
                code = camera_code(link, CODE, "#000000", "#ffffff")
                at = (left + wide + BESIDE, y) if self._beside else (middle - CODE / 2, foot + BELOW)
                found.append(group([code], *at))
        return found


def _filled(rules: str, paper: tuple[float, float]) -> list[str]:
    """The rules in lines as wide as the page, at most `MOST_RULES` of them, without the marks around code."""
    letters = int((paper[0] - 2 * MARGIN) / (PROSE * CAPTION))
    return wrap(clean(rules.replace("`", "")), letters, max_lines=MOST_RULES, placeholder=" …")


def _page(
    body: Sequence[str],
    heading: str,
    byline: str,
    rules: Sequence[str],
    foot: str,
    theme: Theme,
    paper: tuple[float, float],
) -> str:
    width, height = paper
    size = min(TITLE, TITLE * (width - 2 * MARGIN) / max(text_width(heading, TITLE), 1))
    parts = [tag("title", escape(heading, quote=False))] if heading else []
    parts.append(tag("rect", width=width, height=height, fill=theme.paper))
    if heading:
        parts.append(label(heading, width / 2, MARGIN + TITLE / 2, size, theme.text, weight="600"))
    if byline:
        size = min(CAPTION, CAPTION * (width - 2 * MARGIN) / max(text_width(byline, CAPTION), 1))
        parts.append(label(byline, width / 2, MARGIN + TITLE + BYLINE * 0.75, size, theme.text, class_="byline"))
    head = MARGIN + HEAD + BYLINE * bool(byline)
    for n, line in enumerate(rules):
        y = head - RULE / 2 + n * RULE
        parts.append(label(line, MARGIN, y, CAPTION, theme.text, anchor="start", class_="rules"))
    parts.append(group(body, MARGIN, head + (len(rules) + 1) * RULE * bool(rules)))
    parts.append(label(foot, width / 2, height - MARGIN + FOOT / 2, CAPTION, theme.text))
    return tag(
        "svg", "\n", *(f"{line}\n" for line in parts), xmlns="http://www.w3.org/2000/svg", width=width, height=height,
        viewBox=f"0 0 {number(width)} {number(height)}", font_family=SANS,
    )  # fmt: skip
