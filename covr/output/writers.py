"""The protocol of everything that writes answers: text, lines, tables, JSON, databases and pictures.

A command makes a writer and calls `begin` before the search, `improved` and `answer` during it, and `end` after it. To
write in two places, such as answers into a file and the verdict to standard output, `Both` combines two writers.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.answer import Answer
    from covr.questions.ending import Ending
    from covr.questions.found import Best


class Writer(Protocol):
    """Writes the answers to a question. Every method may raise ModelErrors E605 if a file can't be made or written
    to."""

    def begin(self) -> None:
        """Open the output, and write what comes before all answers."""

    def improved(self, best: Best) -> None:
        """Called when an answer was found that is better than those before; it may not be the best."""

    def answer(self, answer: Answer) -> None:
        """Take an answer to the question. It is written before this returns, except in pictures, which are drawn at the
        end."""

    def end(self, run: Ending, code: int, shown: int) -> None:
        """Finish after the search. code: the exit code.  shown: how many answers there were, not counting those that
        were only the best so far."""


class Numbered(ABC):
    """A writer of all answers, including those that are only the best so far, numbered from 1. number: that of the last
    one."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.number = 0

    @abstractmethod
    def begin(self) -> None: ...

    @abstractmethod
    def put(self, answer: Answer, number: int) -> None:
        """Write an answer completely and at once."""

    @abstractmethod
    def end(self, run: Ending, code: int, shown: int) -> None: ...

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
        from covr.questions.puzzle_batches import PuzzleLines

        self._lines = PuzzleLines(compiled)

    def begin(self) -> None:
        """Lines have no header."""

    def improved(self, best: Best) -> None:
        """Answers that are only the best so far are not shown."""

    def answer(self, answer: Answer) -> None:
        """Write an answer; see `Writer`."""
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
        """Report the verdict; see `Writer`."""
        with redirect_stdout(sys.stderr):
            self._inner.end(run, code, shown)
