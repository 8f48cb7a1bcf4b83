"""Draws answers into a picture file when the search is over; with a limit of time, as many as can be drawn in time."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from covr.output.report import remark

if TYPE_CHECKING:
    from covr.draw.svg import Shown
    from covr.questions.answer import Answer
    from covr.questions.ending import Ending
    from covr.questions.found import Best

# Answers that a picture shows at most: more than anyone looks at, and enough for a file of some hundred megabytes.
MOST_ANSWERS = 10_000
OVERTIME = 0.5  # seconds for drawing, about, where a limit of time leaves less
TRIED = 4  # answers that are drawn to find out how long one takes


class PictureWriter:
    """Collects the answers, and draws them at the end. numbered: whether the caption of each is its number."""

    def __init__(self, file: str, theme: str, numbered: bool) -> None:
        self._file, self._theme, self._numbered = file, theme, numbered
        self._shown: list[Shown] = []
        self._title = ""

    def begin(self) -> None:
        """Check that such a picture can be drawn before the search begins."""
        from covr.draw.files import check_target

        check_target(self._file, self._theme)

    def improved(self, best: Best) -> None:
        """Answers that are only the best so far are not drawn."""

    def answer(self, answer: Answer) -> None:
        self._title = answer.title
        if len(self._shown) < MOST_ANSWERS:
            caption = str(len(self._shown) + 1) if self._numbered else ""
            self._shown.append(answer.shown(caption))

    def end(self, run: Ending, code: int, shown: int) -> None:
        if self._shown:
            limit = run.options.limit_time
            drawn = self._shown
            if limit is not None:
                drawn = self._in_time(max(limit - run.options.elapsed(run.seconds), OVERTIME))
            save_pictures(self._file, drawn, self._title, self._theme)
            if shown > len(drawn):
                remark(f"the picture holds the first {len(drawn)} of {shown} answers")

    def _in_time(self, seconds: float) -> list[Shown]:
        """As many of the answers, from the first, as are likely to be drawn in so many seconds; at least `TRIED`, if
        there are so many."""
        if len(self._shown) <= TRIED:
            return self._shown
        began = perf_counter()
        self._draw(self._shown[:TRIED])
        took = perf_counter() - began
        return self._shown[: max(int((seconds - took) / max(took, 1e-9) * TRIED), TRIED)]

    def _draw(self, shown: Sequence[Shown]) -> None:
        from covr.draw.files import content_of

        content_of(self._file, shown, self._title, self._theme)


def save_pictures(file: str, shown: list[Shown], title: str, theme: str) -> None:
    """Draw answers into a file, and print a remark about it."""
    from covr.draw.files import save

    save(file, shown, title, theme)
    many = f" ({len(shown)} answers)" if len(shown) > 1 else ""
    remark(f"wrote {file}{many}")
