"""The protocol of everything that writes answers; pictures in files."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import redirect_stdout
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from covr.output.streams import remark, unbroken

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.draw.book import Shown
    from covr.questions.answer import Answer
    from covr.questions.run import Best
    from covr.questions.verify import Ending

# --- writers ---------------------------------------------------------------------------------------------------------
# A command makes a writer and calls `begin` before the search, `improved` and `answer` during it, and `end` after it.


class Writer(Protocol):
    """Writes the answers to a question. Every method may raise ModelErrors E605 if a file can't be written to."""

    def begin(self) -> None:
        """Open the output, and write what comes before all answers."""

    def improved(self, best: Best) -> None:
        """Called when an answer was found that is better than those before; it may not be the best."""

    def answer(self, answer: Answer) -> None:
        """Take an answer. It is written before this returns, except in pictures, which are drawn at the end."""

    def end(self, run: Ending, code: int, shown: int) -> None:
        """Finish after the search. code: the exit code.  shown: how many answers there were, without those that were
        only the best so far."""


class Numbered(ABC):
    """A writer of all answers, also those that are only the best so far, numbered from 1. number: of the last one."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.number = 0

    @abstractmethod
    def begin(self) -> None:
        """Open the output, and write what comes before all answers."""

    @abstractmethod
    def put(self, answer: Answer, number: int) -> None:
        """Write an answer completely and at once."""

    @abstractmethod
    def end(self, run: Ending, code: int, shown: int) -> None:
        """Write how the run ended, and close the output. Arguments: as of `Writer.end`."""

    def improved(self, best: Best) -> None:
        from covr.questions.answer import Answer

        self.answer(Answer(self.compiled, best.answer, best.bound, False))

    def answer(self, answer: Answer) -> None:
        self.number += 1
        self.put(answer, self.number)


class Both:
    """Two writers. The first gets all answers; the second gets them only if `passes`, but is always begun and ended."""

    def __init__(self, first: Writer, rest: Writer, passes: bool = False) -> None:
        self._first, self._rest, self._passes = first, rest, passes

    def begin(self) -> None:
        self._rest.begin()
        self._first.begin()

    def improved(self, best: Best) -> None:
        self._first.improved(best)
        self._rest.improved(best)

    def answer(self, answer: Answer) -> None:
        self._first.answer(answer)
        if self._passes:
            self._rest.answer(answer)

    def end(self, run: Ending, code: int, shown: int) -> None:
        self._first.end(run, code, shown)
        self._rest.end(run, code, shown)


class LineWriter:
    """Writes one line for each answer to standard output, flushed at once."""

    def __init__(self, compiled: Compiled) -> None:
        from covr.puzzles.puzzle_batches import PuzzleLines

        self._lines = PuzzleLines(compiled)

    def begin(self) -> None:
        """Lines have no header."""

    def improved(self, best: Best) -> None:
        """Answers that are only the best so far are not shown."""

    def answer(self, answer: Answer) -> None:
        sys.stdout.write(self._lines.of(answer).replace("\n", " ") + "\n")
        sys.stdout.flush()

    def end(self, run: Ending, code: int, shown: int) -> None:
        """Nothing to do: another writer reports the verdict."""


class Verdicts:
    """Writes to standard error the verdict that another writer would print below its answers on standard output."""

    def __init__(self, inner: Writer) -> None:
        self._inner = inner

    def begin(self) -> None:
        self._inner.begin()

    def improved(self, best: Best) -> None:
        """Nothing to do: another writer handles these answers."""

    def answer(self, answer: Answer) -> None:
        """Nothing to do: another writer shows the answers."""

    def end(self, run: Ending, code: int, shown: int) -> None:
        with redirect_stdout(sys.stderr):
            self._inner.end(run, code, shown)


# --- pictures --------------------------------------------------------------------------------------------------------


# Answers that a picture shows at most: more than anyone looks at, and enough for a file of some hundred megabytes.
MOST_ANSWERS = 10_000
OVERTIME = 0.5  # seconds for drawing, about, where a limit of time leaves less
TRIED = 4  # answers that are drawn to find out how long one takes


class PictureWriter:
    """Collects the answers, and draws them at the end; with a limit of time, as many as can be drawn in time.
    numbered: whether the caption of each is its number."""

    def __init__(self, file: str, theme: str, numbered: bool) -> None:
        self._file, self._theme, self._numbered = file, theme, numbered
        self._shown: list[Shown] = []
        self._title = ""

    def begin(self) -> None:
        """Check that such a picture can be drawn before the search begins."""
        from covr.draw.book import check_target

        check_target(self._file, self._theme)

    def improved(self, best: Best) -> None:
        """Answers that are only the best so far are not drawn."""

    def answer(self, answer: Answer) -> None:
        self._title = answer.title
        if len(self._shown) < MOST_ANSWERS:
            caption = str(len(self._shown) + 1) if self._numbered else ""
            self._shown.append(answer.shown(caption))

    @unbroken  # it keeps to a limit of its own
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
        """The first answers that are likely to be drawn in so many seconds; at least `TRIED`, if there are so many."""
        if len(self._shown) <= TRIED:
            return self._shown
        began = perf_counter()
        self._draw(self._shown[:TRIED])
        took = perf_counter() - began
        return self._shown[: max(int((seconds - took) / max(took, 1e-9) * TRIED), TRIED)]

    def _draw(self, shown: Sequence[Shown]) -> None:
        from covr.draw.book import content_of

        content_of(self._file, shown, self._title, self._theme)


@unbroken
def save_pictures(file: str, shown: list[Shown], title: str, theme: str) -> None:
    """Draw answers into a file, and print a remark about it."""
    from covr.draw.book import save

    save(file, shown, title, theme)
    many = f" ({len(shown)} answers)" if len(shown) > 1 else ""
    remark(f"wrote {file}{many}")
