"""The puzzles of `covr make` as lines, tables, booklets and sheets."""

from __future__ import annotations

import csv
import errno
import io
import os
import stat
from time import monotonic
from typing import TYPE_CHECKING

from covr.inputs.collection import MADE
from covr.text import ends_in, quantity

if TYPE_CHECKING:
    from covr.draw.book import Shown
    from covr.output.lines import LineFile
    from covr.puzzles.made_puzzle import MadePuzzle

# --- puzzle table ----------------------------------------------------------------------------------------------------
# Writes the puzzles of `covr make` as lines of text or of csv, each as soon as it is made.
#
# The file is created, or emptied, when there is a puzzle to put into it. Until then nothing is changed: where no puzzle
# can be made, or a limit comes first, a file of that name is left as it was.


TABLES = (".txt", ".csv")  # endings of files that hold puzzles as lines, rather than pictures of them


class PuzzleTable:
    """A file of puzzles as lines."""

    def __init__(self, file: str, graded: bool) -> None:
        """graded: whether puzzles have grades. Raises ModelErrors E605 if it is plain that no such file can be made."""
        self._file, self._graded = file, graded
        self._csv = ends_in(file, (".csv",))
        self._lines: LineFile | None = None
        try:
            _try(file)
        except (OSError, ValueError) as error:
            from covr.output.lines import cannot

            raise cannot(file, "be made", error) from None

    def add(self, puzzle: MadePuzzle, number: int) -> None:
        """Write a puzzle. number: which one it is, from 1. Raises ModelErrors E605 if that fails."""
        from covr.puzzles.made_puzzle import block

        lines = self._lines or self._open()
        lines.add(_table_row(puzzle) if self._csv else block(puzzle.record, number, puzzle.named), 1)

    def close(self) -> bool:
        """Close the file; whether there is one."""
        if self._lines is not None:
            self._lines.close()
        return self._lines is not None

    def _open(self) -> LineFile:
        from covr.output.lines import LineFile, cannot

        lines = LineFile(self._file)
        try:
            lines.open()
        except (OSError, ValueError) as error:
            raise cannot(self._file, "be made", error) from None
        self._lines = lines
        if self._csv:
            lines.add(_row(*MADE, *(["grade"] if self._graded else [])))
        return lines


def _try(file: str) -> None:
    """Raises OSError or ValueError if a file can't be written, without changing anything. What is no ordinary file, a
    pipe for instance, is not opened, because its reader would take that for the end."""
    try:
        there = os.stat(file)
    except FileNotFoundError:
        folder = os.path.dirname(file) or "."
        os.stat(folder)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), file) from None
        return
    if stat.S_ISREG(there.st_mode) or stat.S_ISDIR(there.st_mode):
        os.close(os.open(file, os.O_WRONLY))


def _table_row(puzzle: MadePuzzle) -> str:
    """A puzzle with its solution. What is read back stands there as it is, line after line within quotes."""
    grade = [] if puzzle.grade is None else [f"{puzzle.grade:.2f}"]
    return _row(puzzle.record if puzzle.readable else puzzle.line, puzzle.answer.line, len(puzzle), *grade)


def _row(*fields: object) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()


# --- papers ----------------------------------------------------------------------------------------------------------


# Width and height in pixels, 96 to an inch, as SVG and PDF count them. The first one is the default.
PAPERS = {"a4": (793.7, 1122.5), "letter": (816.0, 1056.0)}
ON_A_PAGE = 4  # puzzles on a page of a booklet, if nothing else is asked for
MOST_ON_A_PAGE = 100


# --- puzzle sheet ----------------------------------------------------------------------------------------------------
# Draws the puzzles of `covr make` into a file: a booklet of pages as PDF, or one sheet in another format.
#
# The file is written anew from time to time, and always completely, so that not even a kill loses more than the last
# few puzzles.


SHARE = 20  # between two times the file is written lie so many times as many seconds as that takes
LEAST = 5.0  # seconds between two times at least
MARGIN = 1.2  # how many times as long the next time is taken to be as it was for each puzzle the last time


def is_booklet(file: str | None) -> bool:
    """Whether a file of that name is a booklet."""
    return file is not None and ends_in(file, (".pdf",))


class Sheet:
    """A file of pictures that puzzles are added to."""

    def __init__(self, file: str, theme: str, each: int, paper: str, byline: str = "", links: bool = False) -> None:
        """each: puzzles on a page of a booklet.  paper: a name in PAPERS.  byline: under the heading of its pages.
        links: whether each puzzle of a booklet has its link as a code for cameras.

        Raises ModelErrors if such a file can't be written."""
        from covr.draw.book import check_target

        check_target(file, theme)
        if links:
            from covr.draw.booklet import check_segno

            check_segno()
        self._file, self._theme, self._each, self._paper, self._byline = file, theme, each, paper, byline
        self._puzzles: list[Shown] = []
        self._solutions: list[Shown] = []
        self._title = self._rules = ""
        self._due = monotonic() + LEAST
        self._next = 1  # how many puzzles it must hold to be written, where time is limited
        self._each_takes = 0.0  # seconds for each puzzle when it was last written

    @property
    def needs(self) -> float:
        """How many seconds it will take to write the file, with one more puzzle, as far as is known."""
        return MARGIN * self._each_takes * (len(self._puzzles) + 1)

    def add(self, puzzle: MadePuzzle, left: float | None = None, link: str = "") -> None:
        """Add a puzzle, and write the file if it is time.

        left: the seconds that are left in all, if they are limited. Then it is also written whenever it holds twice as
        many puzzles as before, so that `needs` is known; and only while there is time to write it once more.  link:
        what a booklet shows as a code for cameras, or ""."""
        from covr.draw.book import Shown
        from covr.dsl.format import rule_sheet

        number = len(self._puzzles) + 1
        self._title = puzzle.compiled.title
        self._rules = rule_sheet(puzzle.compiled.model.source)
        booklet = is_booklet(self._file)
        caption = _caption(puzzle, number) if booklet else str(number)
        self._puzzles.append(Shown(puzzle.pictures, caption, link=link))
        self._solutions.append(Shown(puzzle.answer.pictures, str(number) if booklet else f"solution {number}"))
        due = monotonic() >= self._due
        if left is not None:
            due = (due or number >= self._next) and 2 * self.needs <= left
        if due:
            begin = monotonic()
            self.save()
            took = monotonic() - begin
            self._due = monotonic() + max(LEAST, SHARE * took)
            self._next, self._each_takes = 2 * number, took / number

    def save(self) -> None:
        """Write the file. Raises ModelErrors."""
        from attrs import evolve

        from covr.draw.book import save, save_pages
        from covr.draw.booklet import booklet

        if is_booklet(self._file):
            pages = booklet(
                self._puzzles, self._solutions, self._title, self._theme, self._each, PAPERS[self._paper], self._rules,
                self._byline,
            )  # fmt: skip
            save_pages(self._file, pages)
        elif len(self._puzzles) == 1:
            one, other = self._puzzles[0], self._solutions[0]
            save(
                self._file, [evolve(one, caption="puzzle"), evolve(other, caption="solution")], self._title, self._theme
            )
        else:
            save(self._file, [*self._puzzles, *self._solutions], self._title, self._theme)


def _caption(puzzle: MadePuzzle, number: int) -> str:
    grade = "" if puzzle.grade is None else f" · grade {puzzle.grade:.2f}"
    many = len(puzzle)
    return f"{number} · {quantity(many, 'clue')}{grade}"
