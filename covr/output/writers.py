"""Who takes the answers to a question: one protocol for text, lines, tables, JSON, databases and pictures.

A command makes a writer, calls `begin` before it searches, `improved` and `answer` while it does, and `end` when it is
over. What is written in two places, such as answers into a file and the verdict to standard output, are two writers in
`Both`.
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
    from covr.questions.run import Best


class Writer(Protocol):
    """What takes answers. Every method may raise ModelErrors E605, where a file can't be made or written on."""

    def begin(self) -> None:
        """Open what is written to, and write what comes before all answers."""

    def improved(self, best: Best) -> None:
        """A better answer than those before was found; whether it is the best is not known yet."""

    def answer(self, answer: Answer) -> None:
        """An answer to the question. When this returns it is written, or drawn in the end."""

    def end(self, run: Ending, code: int, shown: int) -> None:
        """The search is over. code: the exit code.  shown: how many answers there were, better ones on the way not
        counted."""


class Numbered(ABC):
    """A writer of all answers, better ones on the way among them, numbered from 1. number: of the last one."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.number = 0

    @abstractmethod
    def begin(self) -> None: ...

    @abstractmethod
    def put(self, answer: Answer, number: int) -> None:
        """Write an answer, whole and at once."""

    @abstractmethod
    def end(self, run: Ending, code: int, shown: int) -> None: ...

    def improved(self, best: Best) -> None:
        from covr.questions.answer import Answer

        self.answer(Answer(self.compiled, best.answer, best.bound, False))

    def answer(self, answer: Answer) -> None:
        self.number += 1
        self.put(answer, self.number)


class Both:
    """Answers to one writer first, and then, if `passes`, to another one, which says the rest in any case."""

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
    """An answer a line on standard output, flushed at once."""

    def __init__(self, compiled: Compiled) -> None:
        from covr.questions.puzzle_batches import PuzzleLines

        self._lines = PuzzleLines(compiled)

    def begin(self) -> None:
        """Lines have no header."""

    def improved(self, best: Best) -> None:
        """Better answers on the way are not shown."""

    def answer(self, answer: Answer) -> None:
        """See `Writer`: an answer to be written."""
        sys.stdout.write(self._lines.of(answer).replace("\n", " ") + "\n")
        sys.stdout.flush()

    def end(self, run: Ending, code: int, shown: int) -> None:
        """The verdict is told by others."""


class Verdicts:
    """Says on standard error what another writer would say below its answers on standard output."""

    def __init__(self, inner: Writer) -> None:
        self._inner = inner

    def begin(self) -> None:
        self._inner.begin()

    def improved(self, best: Best) -> None:
        """Better answers on the way are told by others."""

    def answer(self, answer: Answer) -> None:
        """Answers are shown by others."""

    def end(self, run: Ending, code: int, shown: int) -> None:
        """See `Writer`: the search is over."""
        with redirect_stdout(sys.stderr):
            self._inner.end(run, code, shown)
