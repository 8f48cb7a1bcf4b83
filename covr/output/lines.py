"""Answers as lines of csv, tsv or JSON, on standard output or in a file.

Each answer is handed to the operating system completely, in one call.
"""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from covr.output import stream
from covr.output.answer_rows import Rows
from covr.output.file_faults import cannot, holds
from covr.output.writers import Numbered

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.answer import Answer
    from covr.questions.ending import Ending

SYNC = 1.0  # seconds between two calls that make sure what was written is on the disk


class Lines(Protocol):
    """Anything that lines can be written to."""

    def open(self) -> None:
        """Create or empty it. Raises OSError or ValueError."""

    def add(self, text: str, answers: int = 0) -> None:
        """Write whole lines. answers: how many answers they hold. Raises ModelErrors E605 if that fails."""

    def close(self) -> None:
        """Close it; nothing may be added after that."""


class Standard:
    """Lines on standard output, flushed at once."""

    def open(self) -> None:
        """Nothing to do: standard output is always open."""

    def add(self, text: str, answers: int = 0) -> None:
        """Write whole lines."""
        sys.stdout.write(text)
        sys.stdout.flush()

    def close(self) -> None:
        """Nothing to do: standard output stays open for others."""


class LineFile:
    """A file that holds only complete answers at any time.

    size: how many bytes the complete answers take; anything that a failed write leaves after them is cut off.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self.answers = 0

    def open(self) -> None:
        """Create or empty the file."""
        self._handle = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o666)
        self._size = 0
        self._synced = monotonic()

    def add(self, text: str, answers: int = 0) -> None:
        """Write whole lines."""
        data = text.encode("utf-8", "replace")
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._handle, rest) :]
            if monotonic() - self._synced > SYNC:
                self._sync()
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._handle, self._size)
            raise cannot(self._file, "be written on", error, holds(self.answers)) from None
        self._size += len(data)
        self.answers += answers

    def _sync(self) -> None:
        with suppress(OSError):  # a pipe or a device can't be synchronised
            os.fsync(self._handle)
        self._synced = monotonic()

    def close(self) -> None:
        """Make sure that everything is on the disk, and close the file."""
        self._sync()
        with suppress(OSError):
            os.close(self._handle)


def csv_text(rows: Iterable[Iterable[object]], separator: str = ",") -> str:
    """Rows as lines of csv. Text that a spreadsheet would run as a formula is made harmless."""
    from covr.compiler.evaluate.cells import guarded

    text = io.StringIO()
    cells = ([guarded(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(cells)
    return text.getvalue()


class TableWriter(Numbered):
    """Writes csv or tsv with a header line."""

    def __init__(self, compiled: Compiled, lines: Lines, separator: str) -> None:
        super().__init__(compiled)
        self._rows, self._lines, self._separator = Rows(compiled), lines, separator

    def begin(self) -> None:
        """Write the names of the columns."""
        self._lines.open()
        self._lines.add(csv_text([self._rows.columns], self._separator))

    def put(self, answer: Answer, number: int) -> None:
        """Write the rows of an answer."""
        self._lines.add(csv_text(self._rows.of(answer, number), self._separator), 1)

    def end(self, run: Ending, code: int, shown: int) -> None:
        """Close the file."""
        self._lines.close()


class JsonWriter(Numbered):
    """Writes the objects of `--json`, one per line: start, solutions, end. unique: whether the question is if there is
    exactly one answer."""

    def __init__(self, compiled: Compiled, lines: Lines, unique: bool = False) -> None:
        super().__init__(compiled)
        self._lines, self._unique = lines, unique

    def _object(self, kind: str, fields: dict[str, object], answers: int = 0) -> None:
        self._lines.add(stream.object_line(kind, fields), answers)

    def begin(self) -> None:
        """Write the `start` object."""
        self._lines.open()
        self._object("start", stream.start_fields(self.compiled))

    def put(self, answer: Answer, number: int) -> None:
        """Write the `solution` object of an answer."""
        self._object("solution", stream.solution_fields(answer, number), 1)

    def end(self, run: Ending, code: int, shown: int) -> None:
        """Write the `end` object."""
        status = stream.status_of(code, shown, self._unique)
        self._object("end", {**stream.end_fields(run, code, shown), "status": status})
        self._lines.close()


class JsonOutput(JsonWriter):
    """`--json` on standard output; adds the warnings about a model, and the reason if it has no answer."""

    def __init__(self, compiled: Compiled, unique: bool = False) -> None:
        super().__init__(compiled, Standard(), unique)

    def begin(self) -> None:
        """See `Writer`."""
        super().begin()
        stream.emit_diagnostics(self.compiled.warnings)

    def end(self, run: Ending, code: int, shown: int) -> None:
        """See `Writer`."""
        if not shown and run.complete and self.compiled.impossible is not None:
            stream.emit_diagnostics([self.compiled.impossible])
        super().end(run, code, shown)
