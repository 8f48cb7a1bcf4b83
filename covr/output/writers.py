"""What becomes of the answers of `covr solve`, other than pictures and JSON: tables, lines, files of answers."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from covr.cli.picture import Writer
    from covr.compiler import Compiled
    from covr.questions.answer import Answer
    from covr.questions.run import Best, Run

FORMATS = {
    "text": "pictures, with the title over each",
    "line": "an answer a line",
    "csv": "a table, a row a choice",
    "tsv": "the same with tabs",
    "json": "the same as --json",
}
SEPARATORS = {"csv": ",", "tsv": "\t"}

format_option = click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), metavar="FORMAT",
    help="How answers are written: text (the usual), line, csv, tsv, or json.",
)  # fmt: skip


class LineWriter:
    """An answer a line on standard output, flushed at once; what else there is to say goes to standard error."""

    def __init__(self, inner: Writer, compiled: Compiled) -> None:
        from covr.questions.puzzle_batches import Lines

        self._inner, self._lines = inner, Lines(compiled)

    def improved(self, best: Best) -> None:
        """See `Writer`: a better answer."""
        self._inner.improved(best)

    def answer(self, answer: Answer) -> None:
        """See `Writer`: an answer to be written."""
        sys.stdout.write(self._lines.of(answer).replace("\n", " ") + "\n")
        sys.stdout.flush()

    def end(self, run: Run, code: int, shown: int) -> None:
        """See `Writer`: the search is over."""
        self._inner.end(run, code, shown)


class TableWriter:
    """A csv or tsv on standard output, as a file of answers has it; every answer is flushed at once."""

    def __init__(self, inner: Writer, compiled: Compiled, separator: str) -> None:
        from covr.output.rows import Rows

        self._inner, self._compiled, self._separator = inner, compiled, separator
        self._rows = Rows(compiled)
        self._number = 0
        self._put([self._rows.columns])

    def _put(self, rows: Iterable[Iterable[object]]) -> None:
        from covr.output.lines import csv_text

        sys.stdout.write(csv_text(rows, self._separator))
        sys.stdout.flush()

    def improved(self, best: Best) -> None:
        """See `Writer`: a better answer."""
        from covr.questions.answer import Answer

        self.answer(Answer(self._compiled, best.answer, best.bound, False))

    def answer(self, answer: Answer) -> None:
        """See `Writer`: an answer to be written."""
        self._number += 1
        self._put(self._rows.of(answer, self._number))

    def end(self, run: Run, code: int, shown: int) -> None:
        """See `Writer`: the search is over."""
        self._inner.end(run, code, shown)


class SinkWriter:
    """Answers into a file: there first, and then, if `passes`, to whoever else wants them."""

    def __init__(self, inner: Writer, file: str, compiled: Compiled, passes: bool, unique: bool = False) -> None:
        from covr.output.sinks import open_sink

        self._sink = open_sink(file, compiled, unique)
        self._inner, self._file, self._compiled, self._passes = inner, file, compiled, passes
        self._number = 0

    def improved(self, best: Best) -> None:
        """See `Writer`: a better answer."""
        from covr.questions.answer import Answer

        self._number += 1
        self._sink.write(Answer(self._compiled, best.answer, best.bound, False), self._number)
        self._inner.improved(best)

    def answer(self, answer: Answer) -> None:
        """See `Writer`: an answer to be written."""
        self._number += 1
        self._sink.write(answer, self._number)
        if self._passes:
            self._inner.answer(answer)

    def end(self, run: Run, code: int, shown: int) -> None:
        """See `Writer`: the search is over."""
        from covr.output.report import remark

        self._sink.close(run, code, self._number)
        remark(f"wrote {self._file} ({self._number} answer{'' if self._number == 1 else 's'})")
        self._inner.end(run, code, shown)


class Verdicts:
    """Says on standard error what another writer would say below its answers on standard output."""

    def __init__(self, inner: Writer) -> None:
        self._inner = inner

    def improved(self, best: Best) -> None:
        """Better answers on the way are told by others."""

    def answer(self, answer: Answer) -> None:
        """Answers are shown by others."""

    def end(self, run: Run, code: int, shown: int) -> None:
        """See `Writer`: the search is over."""
        with redirect_stdout(sys.stderr):
            self._inner.end(run, code, shown)
