"""Draws the puzzles of `covr make` into a file: a booklet of pages as PDF, or one sheet in another format.

The file is written anew from time to time, and always completely, so that not even a kill loses more than the last few
puzzles.
"""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covr.draw.svg import Shown
    from covr.questions.made_puzzle import MadePuzzle

SHARE = 20  # between two times the file is written lie so many times as many seconds as that takes
LEAST = 5.0  # seconds between two times at least
MARGIN = 1.2  # how many times as long the next time is taken to be as it was for each puzzle the last time


def is_booklet(file: str | None) -> bool:
    """Whether a file of that name is a booklet."""
    return file is not None and Path(file).suffix.lower() == ".pdf"


class Sheet:
    """A file of pictures that puzzles are added to."""

    def __init__(self, file: str, theme: str, each: int, paper: str, byline: str = "", links: bool = False) -> None:
        """each: puzzles on a page of a booklet.  paper: of which it is made.  byline: under the heading of its pages.
        links: whether each puzzle of a booklet has its link as a code for cameras.

        Raises ModelErrors if such a file can't be written."""
        from covr.draw.files import check_target

        check_target(file, theme)
        if links:
            from covr.draw.camera_code import check_segno

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
        from covr.draw.svg import Shown
        from covr.dsl.comments import rule_sheet

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

        from covr.draw.booklet import booklet
        from covr.draw.files import save, save_pages

        if is_booklet(self._file):
            pages = booklet(
                self._puzzles, self._solutions, self._title, self._theme, self._each, self._paper, self._rules,
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
    return f"{number} · {many} clue{'' if many == 1 else 's'}{grade}"
