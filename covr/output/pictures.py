"""Draws answers into a picture file when the search is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covr.output.report import remark

if TYPE_CHECKING:
    from covr.draw.svg import Shown
    from covr.questions.answer import Answer
    from covr.questions.ending import Ending
    from covr.questions.found import Best

# Answers that a picture shows at most: more than anyone looks at, and enough for a file of some hundred megabytes.
MOST_ANSWERS = 10_000


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
        from covr.draw.svg import Shown

        self._title = answer.title
        if len(self._shown) < MOST_ANSWERS:
            caption = str(len(self._shown) + 1) if self._numbered else ""
            self._shown.append(Shown(answer.pictures, caption))

    def end(self, run: Ending, code: int, shown: int) -> None:
        if self._shown:
            save_pictures(self._file, self._shown, self._title, self._theme)
            if shown > len(self._shown):
                remark(f"the picture holds the first {len(self._shown)} of {shown} answers")


def save_pictures(file: str, shown: list[Shown], title: str, theme: str) -> None:
    """Draw answers into a file, and print a remark about it."""
    from covr.draw.files import save

    save(file, shown, title, theme)
    many = f" ({len(shown)} answers)" if len(shown) > 1 else ""
    remark(f"wrote {file}{many}")
