"""Pictures as files: SVG, HTML pages, books of sheets, in the format that a name's ending implies."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from io import BytesIO
from math import ceil, sqrt
from pathlib import Path
from typing import Any, Final

from attrs import evolve

from covr.compiler.display.prints import Picture
from covr.compiler.lattices import BALLS, HEX, STICKS, TRIANGLE
from covr.draw import elements
from covr.draw.board import draw_board, draw_list, draw_strip
from covr.draw.canvas import clean, is_number, list_rows
from covr.draw.elements import number
from covr.draw.pencil import draw_pencilled
from covr.draw.pieces import Place
from covr.draw.solids import draw_balls, draw_solid
from covr.draw.text import as_text, fits
from covr.draw.tilings import draw_sticks, draw_tiling
from covr.faults import unwritable_file, usage_error, write_whole
from covr.frozen import frozen

# --- svg -------------------------------------------------------------------------------------------------------------
# The same answers give the same text, byte by byte.


# In pixels unless another unit is named.
MARGIN = 14.0  # around everything
GAP = 22.0  # between two answers on a sheet
TITLE = 17.0  # the title's font size
HEADING = 1.35  # font sizes from one line of the title to the next
NARROWEST = 240.0  # the least width for a title, which may be wider than the answer below it
WIDER = 420.0  # the width that a title may take rather than a third line
CAPTION = 26.0  # the height of the caption below an answer
SHAPE = 1.5  # the width of a sheet of answers divided by its height
SVG_WIDEST = 1200.0  # the width at which a larger sheet is shown

_BY_AXES = {0: draw_list, 1: draw_strip, 2: draw_board, 3: draw_solid}
_ON_LATTICE = {HEX: draw_tiling, TRIANGLE: draw_tiling, STICKS: draw_sticks, BALLS: draw_balls}


@frozen
class Shown:
    """One answer to be drawn.
    caption: the text below it on a sheet.  broken: the wishes that it breaks, each with its name, by how much, and what
    that costs; for books of sheets.  link: an address, drawn as a code for cameras in booklets."""

    pictures: tuple[Picture, ...]
    caption: str = ""
    broken: tuple[tuple[str, str, int], ...] = ()
    link: str = ""


def has_board(pictures: Sequence[Picture]) -> bool:
    """Whether any of the pictures is more than a list."""
    return any(p.axes and p.low for p in pictures)


def draw_answer(pictures: Sequence[Picture], theme: elements.Theme, pointed: bool = False) -> elements.DrawnBlock:
    """The pictures of one answer, below each other. pointed: whether each place says which it is (`elements.py`)."""
    looks = [evolve(theme, key=f"{number}:") if pointed else theme for number in range(len(pictures))]
    blocks = [_drawing(p)(p, look) for p, look in zip(pictures, looks, strict=True) if p.axes == 0 or p.low]
    return elements.stacked(blocks, GAP)


def _drawing(picture: Picture) -> Callable[[Picture, elements.Theme], elements.DrawnBlock]:
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
    pointed: whether each place says which it is, for pages in which places are clicked."""
    look = elements.THEMES[theme]
    blocks = [draw_answer(answer.pictures, look, pointed) for answer in answers]
    whole = _single(blocks, answers) if len(blocks) < 2 else _sheet(blocks, [a.caption for a in answers], look)
    return _document(whole, title, look, title_shown, shrunk=len(blocks) > 1)


def _single(blocks: Sequence[elements.DrawnBlock], answers: Sequence[Shown]) -> elements.DrawnBlock:
    if not blocks:
        return elements.DrawnBlock(0, 0, ())
    one = blocks[0]
    return elements.DrawnBlock(one.width, one.height, (elements.group(one.body, class_="answer"),))


def _sheet(
    blocks: Sequence[elements.DrawnBlock], captions: Sequence[str], theme: elements.Theme
) -> elements.DrawnBlock:
    width = max(max(b.width for b in blocks), max(elements.text_width(c, TITLE) for c in captions))
    gap = max(GAP, width / 10)
    wide, high = width + gap, max(b.height for b in blocks) + GAP + (CAPTION if any(captions) else 0)
    across = min(len(blocks), max(1, ceil(sqrt(SHAPE * len(blocks) * high / wide) - 0.5)))
    body = []
    for n, (block, caption) in enumerate(zip(blocks, captions, strict=True)):
        x, y = n % across * wide + (width - block.width) / 2, n // across * high
        parts = list(block.body)
        if caption:
            parts.append(elements.label(caption, block.width / 2, block.height + CAPTION / 2 + 2, TITLE, theme.text))
        body.append(elements.group(parts, x, y, class_="answer"))
    return elements.DrawnBlock(across * wide - gap, ceil(len(blocks) / across) * high - GAP, tuple(body))


def _document(whole: elements.DrawnBlock, title: str, theme: elements.Theme, title_shown: bool, shrunk: bool) -> str:
    title = clean(title)
    size = max(TITLE, whole.width / 48)
    room = max(whole.width, NARROWEST, min(_even_width(title, size, 2), WIDER))
    lines = _wrapped(title, size, room) if title_shown else []
    head = HEADING * size * len(lines) + (size * 0.6 if lines else 0)
    width = max(whole.width, *(elements.text_width(line, size) for line in lines), 0) + 2 * MARGIN
    height = whole.height + head + 2 * MARGIN
    scale = min(1.0, SVG_WIDEST / width) if shrunk else 1.0
    body = [elements.tag("title", escape(title, quote=False))] if title else []
    body.append(elements.tag("rect", class_="paper", width=width, height=height, fill=theme.paper))
    for n, line in enumerate(lines):
        y = MARGIN + (n + 0.5) * HEADING * size
        body.append(elements.label(line, width / 2, y, size, theme.text, weight="600", class_="heading"))
    body.append(elements.group(whole.body, (width - whole.width) / 2, MARGIN + head))
    return (
        elements.tag(
            "svg", "\n", *(f"{line}\n" for line in body), xmlns="http://www.w3.org/2000/svg",
            width=width * scale, height=height * scale, viewBox=f"0 0 {number(width)} {number(height)}",
            role="img", font_family=elements.SANS,
        )
        + "\n"
    )  # fmt: skip


def _wrapped(title: str, size: float, width: float) -> list[str]:
    wanted = len(_filled(title, size, width))
    return _filled(title, size, min(width, _even_width(title, size, wanted)))


def _even_width(title: str, size: float, lines: int) -> float:
    """The least width, in whole pixels, in which the title takes no more than so many lines."""
    pixels = range(ceil(elements.text_width(title, size)) + 1)
    return float(bisect_left(pixels, True, key=lambda wide: len(_filled(title, size, wide)) <= lines))


def _filled(title: str, size: float, width: float) -> list[str]:
    """The title in lines, each as full as it can be; a word that is too wide has a line of its own."""
    lines: list[list[str]] = []
    blank, taken = elements.text_width(" ", size), 0.0
    for word in title.split():
        wide = elements.text_width(word, size)
        taken += blank + wide
        if lines and taken <= width:
            lines[-1].append(word)
        else:
            lines.append([word])
            taken = wide
    return [" ".join(line) for line in lines]


# --- html ------------------------------------------------------------------------------------------------------------


STYLE = """\
body {{ background: {paper}; color: {text}; font-family: "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif;
  margin: 1.5rem; text-align: center; }}
h1 {{ font-size: 1.3rem; font-weight: 600; }}
main {{ display: flex; flex-wrap: wrap; justify-content: center; gap: 1rem; }}
figure {{ margin: 0; break-inside: avoid; max-width: 100%; }}
figure svg {{ display: block; margin: auto; height: auto; max-width: {widest}; }}
figcaption {{ font-size: .9rem; }}
@media print {{ body {{ margin: 0; }} }}
"""
# The width of each picture if there are several; a single one is shown at its own size.
THUMBNAIL = "min(100%, 20rem)"


def draw_html(answers: Sequence[Shown], title: str = "", theme: str = "light", note: str = "") -> str:
    """A page in the theme of that name. note: a line below the title, such as how many answers there are."""
    look = elements.THEMES[theme]
    title = escape(clean(title) or "covr")
    style = STYLE.format(paper=look.paper, text=look.text, widest="100%" if len(answers) < 2 else THUMBNAIL)
    figures = "".join(map(_figure, answers, [theme] * len(answers)))
    below = f"<p>{escape(note)}</p>\n" if note else ""
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{below}<main>\n{figures}</main>\n</body>\n</html>\n"
    )


def _figure(answer: Shown, theme: str) -> str:
    caption = f"<figcaption>{escape(clean(answer.caption))}</figcaption>\n" if answer.caption else ""
    return f"<figure>\n{draw_svg([answer], theme=theme)}{caption}</figure>\n"


# --- book ------------------------------------------------------------------------------------------------------------
# A place of a board is a cell, and a list a row for each line. Pieces have the colours of images; where there are none,
# as in a rota, every text has its own, if the theme has so many. A picture that cells cannot show is written in lines
# of text. Signs between two places are left out. Where answers break wishes, a last sheet lists these.
#
# Whole numbers are numbers. All other texts are marked as texts, also those that begin with `=`: a formula could send
# the cells beside it to a stranger.


# What a sheet of Excel holds at most: rows, columns, characters of a cell, digits of a number that stays exact.
ROWS: Final = 1_048_576
COLUMNS: Final = 16_384
CHARACTERS: Final = 32_767
DIGITS: Final = 15
WIDEST: Final = 40  # characters of the widest column; longer texts are wrapped
TINT: Final = 0.35  # how much paper is in the colour of a text's cells
BROKEN: Final = "Broken wishes"  # the name of the sheet that lists them
LINES: Final = ("line", "lines")  # looks of marks that are lines between places
SIDES: Final = {"top": (-1, 0), "bottom": (1, 0), "left": (0, -1), "right": (0, 1)}


def draw_book(answers: Sequence[Shown], title: str, theme: str) -> bytes:
    """The content of an .xlsx file. Needs openpyxl. Raises ModelErrors E508 if an answer is larger than a sheet."""
    from openpyxl import Workbook  # type: ignore[import-untyped, import-not-found, unused-ignore]

    book = Workbook()
    book.remove(book.active)
    book.properties.title, book.properties.creator = clean(title), "covr"
    for index, shown in enumerate(answers, 1):
        name = "answer" if len(answers) == 1 else f"answer {index}"
        sheet = _FilledSheet(book.create_sheet(name), elements.THEMES[theme])
        for picture in shown.pictures:
            sheet.add(picture)
        sheet.fit_columns()
    if any(shown.broken for shown in answers):
        _list_broken(_FilledSheet(book.create_sheet(BROKEN), elements.THEMES[theme]), answers)
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def _list_broken(sheet: _FilledSheet, answers: Sequence[Shown]) -> None:
    several = len(answers) > 1
    sheet.row([*(["answer"] if several else []), "wish", "by how much", "cost"], bold=True)
    for index, shown in enumerate(answers, 1):
        first = [str(index)] if several else []
        for name, how, cost in shown.broken:
            sheet.row([*first, clean(name), clean(how), str(cost)])
        sheet.row([*first, "total", "", str(sum(cost for _, _, cost in shown.broken))], bold=True)
    sheet.fit_columns()


class _FilledSheet:
    """A sheet that is being filled from the top. at: the next free row. widths: of the columns, in characters."""

    def __init__(self, sheet: Any, theme: elements.Theme) -> None:
        self.sheet = sheet
        self.theme = theme
        self.at = 1
        self.widths: dict[int, int] = {}

    def add(self, picture: Picture) -> None:
        """Put a picture below those that are there, with an empty row between."""
        if picture.axes and not picture.low:
            return
        self.at += self.at > 1
        if picture.axes == 0 or not fits(picture):
            self._list(picture)
        elif picture.lattice is not None or picture.strokes or any(m.look in LINES for m in picture.marks):
            for line in as_text([picture]).splitlines():
                self._put(self.at, 1, line, mono=True)
                self.at += 1
        elif picture.axes == 3:
            for layer in range(picture.low[0], picture.high[0] + 1):
                self.at += layer > picture.low[0]
                self._grid(picture.layer(layer))
        else:
            self._grid(picture if picture.axes == 2 else picture.as_row())

    def row(self, texts: Sequence[str], *, bold: bool = False) -> None:
        """Put a row of texts and numbers below what is there."""
        from openpyxl.styles import Alignment, Font  # type: ignore[import-untyped, import-not-found, unused-ignore]

        for column, text in enumerate(texts, 1):
            cell = self._put(self.at, column, text)
            cell.font = Font(bold=bold)
            cell.alignment = Alignment(horizontal="right" if cell.data_type == "n" and text else "left", wrap_text=True)
        self.at += 1

    def fit_columns(self) -> None:
        """Make the columns as wide as what stands in them."""
        from openpyxl.utils import get_column_letter  # type: ignore[import-untyped, import-not-found, unused-ignore]

        for column, width in self.widths.items():
            self.sheet.column_dimensions[get_column_letter(column)].width = min(width, WIDEST) + 2

    def _list(self, picture: Picture) -> None:
        for row in list_rows(picture) or [("(nothing)",)]:
            for column, text in enumerate(row, 1):
                self._put(self.at, column, text)
            self.at += 1

    def _grid(self, picture: Picture) -> None:
        look = elements.paint(picture, self.theme)
        corners, beside = _printed(picture)
        places = [*picture.places, *beside]
        top, left = (min(place[axis] for place in places) for axis in (0, 1))
        colours = _colours(picture, look, self.theme)
        for place in picture.places:
            text = " ".join(look.texts.get(place, ()))
            lines = [part for part in (corners.get(place, ""), text) if part]
            cell = self._put(self.at + place[0] - top, 1 + place[1] - left, "\n".join(lines))
            _colour(cell, colours.get(place, self.theme.board), place in look.given, self.theme)
            cell.border = _border(picture, place, self.theme)
        for place, text in beside.items():
            cell = self._put(self.at + place[0] - top, 1 + place[1] - left, text)
            _colour(cell, "", True, self.theme)
        self.at += max(place[0] for place in places) - top + 1

    def _put(self, row: int, column: int, text: str, *, mono: bool = False) -> Any:
        from openpyxl.styles import Alignment, Font  # type: ignore[import-untyped, import-not-found, unused-ignore]

        if row > ROWS or column > COLUMNS:
            what = f"an answer is larger than a sheet, which has {ROWS:,} rows and {COLUMNS:,} columns"
            raise usage_error("E508", what, help="write it as .csv or .html")
        cell = self.sheet.cell(row, column)
        if is_number(text) and len(text) <= DIGITS and str(int(text)) == text:
            cell.value = int(text)
        elif text:
            cell.value = text[:CHARACTERS]
            cell.data_type = "s"
        cell.alignment = Alignment(
            horizontal=None if mono else "center",
            vertical="center",
            wrap_text=not mono and ("\n" in text or len(text) > WIDEST),
        )
        if mono:
            cell.font = Font(name="Courier New")
        else:
            longest = max(map(len, text.split("\n")))
            self.widths[column] = max(self.widths.get(column, 1), longest)
        return cell


def _printed(picture: Picture) -> tuple[dict[Place, str], dict[Place, str]]:
    corners: dict[Place, str] = {}
    beside: dict[Place, str] = {}
    board = set(picture.places)
    for p in picture.prints:
        if p.to is None:
            there = corners if p.at in board else beside
            there[p.at] = " ".join(filter(None, (there.get(p.at, ""), clean(p.text))))
    return corners, beside


def _colours(picture: Picture, look: elements.Paint, theme: elements.Theme) -> dict[Place, str]:
    found = dict.fromkeys(look.given, theme.given_cell)
    if look.owner:
        found |= {place: look.fill[piece] for place, piece in look.owner.items()}
    else:
        chosen = {m.at for m in picture.marks if m.option >= 0 and not m.given and not m.faint}
        texts = {place: look.texts[place] for place in chosen if any(look.texts.get(place, ()))}
        names = sorted(set(texts.values()))
        if len(names) <= len(theme.pieces):
            fills = {name: elements.mixed(theme.piece(n), theme.board, TINT) for n, name in enumerate(names)}
            found |= {place: fills[text] for place, text in texts.items()}
    return found | dict.fromkeys(look.dark, theme.filled)


def _colour(cell: Any, fill: str, bold: bool, theme: elements.Theme) -> None:
    from openpyxl.styles import Font, PatternFill  # type: ignore[import-untyped, import-not-found, unused-ignore]

    dark = bool(fill) and elements.lightness(fill) < 0.5
    ink = theme.text if not fill else "#ffffff" if dark else "#111418"
    cell.font = Font(bold=bold, color=ink.removeprefix("#"))
    if fill:
        cell.fill = PatternFill("solid", fgColor=fill.removeprefix("#"))


def _border(picture: Picture, place: Place, theme: elements.Theme) -> Any:
    from openpyxl.styles import Border, Side  # type: ignore[import-untyped, import-not-found, unused-ignore]

    walls: Mapping[Place, int] = picture.regions
    sides = {}
    for side, other in _beside(place):
        thick = walls.get(place) != walls.get(other)
        colour = (theme.line if thick else theme.thin).removeprefix("#")
        sides[side] = Side("medium" if thick else "thin", color=colour)
    return Border(**sides)


def _beside(place: Place) -> Iterator[tuple[str, Place]]:
    for side, (down, right) in SIDES.items():
        yield side, (place[0] + down, place[1] + right)


# --- files -----------------------------------------------------------------------------------------------------------


# Pixels of a PNG per pixel of the SVG: enough to be sharp on paper and on screens of high resolution.
SCALE = 2.0


def converted(svg: bytes, form: str) -> bytes:
    """An SVG that covr has drawn as `png` or `pdf`. Raises ModelErrors E521 if what does that is missing."""
    cairo = _cairo(form)
    made: bytes = cairo.svg2pdf(bytestring=svg) if form == "pdf" else cairo.svg2png(bytestring=svg, scale=SCALE)
    return made


def _html(answers: Sequence[Shown], title: str, theme: str) -> bytes:
    note = f"{len(answers)} solutions" if len(answers) > 1 else ""
    return draw_html(answers, title, theme, note).encode()


FORMATS: Mapping[str, Callable[[Sequence[Shown], str, str], bytes]] = {
    ".svg": lambda *what: draw_svg(*what).encode(),
    ".png": lambda *what: converted(draw_svg(*what).encode(), "png"),
    ".html": _html,
    ".pdf": lambda *what: converted(draw_svg(*what).encode(), "pdf"),
    ".xlsx": draw_book,
}
NEEDS_CAIRO = frozenset({".png", ".pdf"})


def check_target(path: str | os.PathLike[str], theme: str, tables: Sequence[str] = ()) -> None:
    """Check, before a long search, that a picture can be written. tables: endings of other files that would do.

    Raises ModelErrors E520 for an unknown ending, E521 for a missing package, E505 for an unknown theme, E508 for a
    folder that can't be written to."""
    if theme not in elements.THEMES:
        raise usage_error("E505", f"there is no theme `{theme}`", word=theme, known=list(elements.THEMES))
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        what = f"a picture ends in {', '.join(FORMATS)}" + (f"; a table in {', '.join(tables)}" if tables else "")
        raise usage_error("E520", f"`{os.fspath(path)}` does not say which format is meant", help=what)
    folder = Path(path).parent
    if not os.access(folder, os.W_OK):
        why = "its folder can't be written to" if folder.is_dir() else "there is no such folder"
        raise usage_error("E508", f"`{os.fspath(path)}` can't be written: {why}")
    if ending in NEEDS_CAIRO:
        _cairo(ending.removeprefix("."))
    if ending == ".xlsx":
        _check_openpyxl()


def content_of(path: str | os.PathLike[str], answers: Sequence[Shown], title: str, theme: str) -> bytes:
    """What `save` writes into a file of such a name."""
    return FORMATS[Path(path).suffix.lower()](answers, title, theme)


def save(path: str | os.PathLike[str], answers: Sequence[Shown], title: str = "", theme: str = "light") -> None:
    """Draw answers into a file. Raises ModelErrors like `check_target`, and E508 if the file can't be written."""
    check_target(path, theme)
    _write(path, content_of(path, answers, title, theme))


def save_pages(path: str | os.PathLike[str], pages: Iterable[str]) -> None:
    """Write SVG documents as the pages of a PDF. Raises ModelErrors E521 if the package for it is not installed, E508
    if the file can't be written."""
    _write(path, _paged(pages))


def _write(path: str | os.PathLike[str], content: bytes) -> None:
    try:
        write_whole(path, content)
    except (OSError, ValueError) as error:
        raise unwritable_file(path, error) from None


def _paged(pages: Iterable[str]) -> bytes:
    """All documents on one surface that goes on to the next page, where CairoSVG would make a file for each."""
    _cairo("pdf")
    from cairosvg.parser import Tree
    from cairosvg.surface import PDFSurface, cairo

    file = BytesIO()
    whole = cairo.PDFSurface(file, 1, 1)

    class PageSurface(PDFSurface):  # type: ignore[misc]
        def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
            whole.set_size(width, height)
            return whole, width, height

    for page in pages:
        PageSurface(Tree(bytestring=page.encode()), None, 96)
        whole.show_page()
    whole.finish()
    return file.getvalue()


def _cairo(format: str) -> Any:
    try:
        import cairosvg
    except ImportError:
        raise usage_error(
            "E521", f"a .{format} needs CairoSVG, which is not installed", help="pip install 'covr[pictures]'"
        ) from None
    except OSError:
        raise usage_error(
            "E521",
            f"a .{format} needs the cairo library, which is not installed",
            help="install it (Debian: apt install libcairo2; macOS: brew install cairo), or write .svg or .html",
        ) from None
    return cairosvg


def _check_openpyxl() -> None:
    try:
        import openpyxl  # type: ignore[import-untyped, import-not-found, unused-ignore]  # noqa: F401
    except ImportError:
        what = "a .xlsx needs openpyxl, which is not installed"
        raise usage_error("E521", what, help="pip install 'covr[sheets]'") from None
