"""Answers as a book of sheets: a sheet for each answer, with its pictures below each other, in the colours of a theme.

A place of a board is a cell. Pieces have the colours that they have in images. Where there are no pieces, as in a rota,
every text has a colour of its own, as long as the theme has so many. What stands in the margin of a board stands beside
its cells. Lists are rows. A picture that cells cannot show, of hexagons or of lines through places, is written in lines
of text, as on a terminal. Signs between two places are left out. Where answers break wishes, a sheet after them lists
these: what each is called, by how much it is broken, what that costs, and the total.

Whole numbers are numbers, so that they can be added up. All other texts are marked as texts, also those that begin with
`=`: a formula could send the cells beside it to a stranger.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any, Final

from covr.compiler.display.picture import Picture
from covr.draw.paint import Paint, paint
from covr.draw.pieces import Place
from covr.draw.styled import clean, is_number
from covr.draw.svg import Shown
from covr.draw.text import as_text, fits
from covr.draw.themes import THEMES, Theme, lightness, mixed
from covr.faults import usage_error

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
    for number, shown in enumerate(answers, 1):
        name = "answer" if len(answers) == 1 else f"answer {number}"
        sheet = _FilledSheet(book.create_sheet(name), THEMES[theme])
        for picture in shown.pictures:
            sheet.add(picture)
        sheet.fit_columns()
    if any(shown.broken for shown in answers):
        _list_broken(_FilledSheet(book.create_sheet(BROKEN), THEMES[theme]), answers)
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def _list_broken(sheet: _FilledSheet, answers: Sequence[Shown]) -> None:
    """A row for each wish that is broken, and one for the total of each answer; of several, with their numbers."""
    several = len(answers) > 1
    sheet.row([*(["answer"] if several else []), "wish", "by how much", "cost"], bold=True)
    for number, shown in enumerate(answers, 1):
        first = [str(number)] if several else []
        for name, how, cost in shown.broken:
            sheet.row([*first, clean(name), clean(how), str(cost)])
        sheet.row([*first, "total", "", str(sum(cost for _, _, cost in shown.broken))], bold=True)
    sheet.fit_columns()


class _FilledSheet:
    """A sheet that is being filled from the top. at: the next free row. widths: of the columns, in characters."""

    def __init__(self, sheet: Any, theme: Theme) -> None:
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
        lines = picture.lines if picture.axes == 0 else [(*map(str, m.at), m.text) for m in picture.marks]
        for line in lines or [("(nothing)",)]:
            for column, text in enumerate(line, 1):
                self._put(self.at, column, clean(text))
            self.at += 1

    def _grid(self, picture: Picture) -> None:
        look = paint(picture, self.theme)
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
        """Write a text, or a number, into a cell."""
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
    """What is printed in the corners of places, and outside of the board; several texts at a place are one."""
    corners: dict[Place, str] = {}
    beside: dict[Place, str] = {}
    board = set(picture.places)
    for p in picture.prints:
        if p.to is None:
            there = corners if p.at in board else beside
            there[p.at] = " ".join(filter(None, (there.get(p.at, ""), clean(p.text))))
    return corners, beside


def _colours(picture: Picture, look: Paint, theme: Theme) -> dict[Place, str]:
    """Place → fill, for the places that have one."""
    found = dict.fromkeys(look.given, theme.given_cell)
    if look.owner:
        found |= {place: look.fill[piece] for place, piece in look.owner.items()}
    else:
        chosen = {m.at for m in picture.marks if m.option >= 0 and not m.given and not m.faint}
        texts = {place: look.texts[place] for place in chosen if any(look.texts.get(place, ()))}
        names = sorted(set(texts.values()))
        if len(names) <= len(theme.pieces):
            fills = {name: mixed(theme.piece(n), theme.board, TINT) for n, name in enumerate(names)}
            found |= {place: fills[text] for place, text in texts.items()}
    return found | dict.fromkeys(look.dark, theme.filled)


def _colour(cell: Any, fill: str, bold: bool, theme: Theme) -> None:
    from openpyxl.styles import Font, PatternFill  # type: ignore[import-untyped, import-not-found, unused-ignore]

    dark = bool(fill) and lightness(fill) < 0.5
    ink = theme.text if not fill else "#ffffff" if dark else "#111418"
    cell.font = Font(bold=bold, color=ink.removeprefix("#"))
    if fill:
        cell.fill = PatternFill("solid", fgColor=fill.removeprefix("#"))


def _border(picture: Picture, place: Place, theme: Theme) -> Any:
    """Thick lines round the board and between regions, thin ones between other places."""
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


__all__ = ["draw_book"]
