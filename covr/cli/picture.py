"""`-o`, `--theme`, `--puzzle`: answers into a picture file, or the puzzle without its answer.

The verdict still goes to standard output; where the picture went is said on standard error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from covr.output.report import remark

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.draw.svg import Shown
    from covr.questions.answer import Answer
    from covr.questions.run import Best, Run

F = TypeVar("F", bound=Callable[..., Any])

# More answers than anyone looks at; a picture of them is some hundred megabytes.
MOST_ANSWERS = 10_000


def picture_options(command: F) -> F:
    """Add `-o`, `--theme` and `--puzzle`."""
    puzzle = click.option("--puzzle", is_flag=True, help="Show the puzzle unsolved: its givens, and nothing else.")
    return output_options(puzzle(command))


def output_options(command: F) -> F:
    """Add `-o` and `--theme`."""
    for option in (
        click.option(
            "--theme", default="light", show_default=True, metavar="NAME",
            help="Colours of the picture: light, dark, print or mono.",
        ),
        click.option(
            "-o", "--output", "--out", metavar="FILE",
            help="Draw the answers into FILE (.svg, .png, .html or .pdf) instead of as text, or write them to a table "
            "as they are found (.csv, .tsv, .jsonl, .db, .sqlite or .parquet).",
        ),
    ):
        command = option(command)
    return command


class Writer(Protocol):
    """What takes the answers of `covr solve`."""

    def improved(self, best: Best) -> None:
        """Called with each better answer of a minimum."""

    def answer(self, answer: Answer) -> None:
        """Called with each answer that is to be written."""

    def end(self, run: Run, code: int, shown: int) -> None:
        """Called once, when the search is over. code: the exit code.  shown: how many answers were written."""


class PictureWriter:
    """Collects the answers, and draws them when the search is over.

    inner: who says the rest; gets the answers too when `passes` (for --json).
    """

    def __init__(self, inner: Writer, output: str, theme: str, numbered: bool, passes: bool) -> None:
        from covr.draw.files import check_target

        check_target(output, theme)
        self._inner, self._output, self._theme = inner, output, theme
        self._numbered, self._passes = numbered, passes
        self._shown: list[Shown] = []
        self._title = ""

    def improved(self, best: Best) -> None:
        """Hand a better answer on."""
        self._inner.improved(best)

    def answer(self, answer: Answer) -> None:
        """Keep an answer for the picture."""
        from covr.draw.svg import Shown

        self._title = answer.title
        if len(self._shown) < MOST_ANSWERS:
            caption = str(len(self._shown) + 1) if self._numbered else ""
            self._shown.append(Shown(answer.pictures, caption))
        if self._passes:
            self._inner.answer(answer)

    def end(self, run: Run, code: int, shown: int) -> None:
        """Draw the picture, and let the inner writer end."""
        if self._shown:
            _save(self._output, self._shown, self._title, self._theme)
            if shown > len(self._shown):
                remark(f"the picture holds the first {len(self._shown)} of {shown} answers")
        self._inner.end(run, code, shown)


def show_puzzle(compiled: Compiled, output: str | None, theme: str) -> int:
    """Draw a model as it is before it is solved. Returns the exit code."""
    from covr.output.exits import FOUND

    if output is not None:
        from covr.draw.files import check_target
        from covr.draw.svg import Shown

        check_target(output, theme)
        _save(output, [Shown(compiled.puzzle())], compiled.title, theme)
        return FOUND
    import sys

    from covr.draw.styled import Part, clean
    from covr.draw.surface import surface_of, write
    from covr.draw.text import draw

    surface = surface_of(sys.stdout)
    lines = draw(compiled.puzzle(), surface)
    title = clean(compiled.title)
    write([(Part(title, "title"),), (), *lines] if title else lines, surface)
    return FOUND


def _save(output: str, shown: list[Shown], title: str, theme: str) -> None:
    from covr.draw.files import save

    save(output, shown, title, theme)
    many = f" ({len(shown)} answers)" if len(shown) > 1 else ""
    remark(f"wrote {output}{many}")
