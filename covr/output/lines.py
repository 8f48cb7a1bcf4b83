"""Files of lines: csv, tsv and JSON lines. An answer is handed to the kernel whole, in one call."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from covr.output.rows import Rows
from covr.output.sinks import cannot, holds

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.answer import Answer
    from covr.questions.run import Run

SYNC = 1.0  # seconds after which the disk is asked to have it, too


class LineFile:
    """A file that only ever holds whole answers.

    size: how many bytes of it are whole answers; what a failed write leaves behind that is cut off.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o666)
        self._size = 0
        self._synced = monotonic()
        self.answers = 0

    def add(self, text: str, answers: int = 0) -> None:
        """Write a text. Raises ModelErrors E605."""
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
        with suppress(OSError):  # a pipe or a device has no disk
            os.fsync(self._handle)
        self._synced = monotonic()

    def close(self) -> None:
        """Write what is left to the disk, and close the file."""
        self._sync()
        with suppress(OSError):
            os.close(self._handle)


def csv_text(rows: Iterable[Iterable[object]], separator: str = ",") -> str:
    """Rows as lines of csv, of which no spreadsheet runs a cell."""
    from covr.compiler.evaluate.cells import guarded

    text = io.StringIO()
    cells = ([guarded(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(cells)
    return text.getvalue()


class TableSink:
    """A csv or tsv file with a header."""

    def __init__(self, file: str, compiled: Compiled, separator: str) -> None:
        self._rows, self._separator = Rows(compiled), separator
        self._lines = LineFile(file)
        self._lines.add(csv_text([self._rows.columns], separator))

    def write(self, answer: Answer, number: int) -> None:
        self._lines.add(csv_text(self._rows.of(answer, number), self._separator), 1)

    def close(self, run: Run, code: int, answers: int) -> None:
        self._lines.close()


class JsonSink:
    """The objects of `--json`, a line each: start, solutions, end."""

    def __init__(self, file: str, compiled: Compiled, unique: bool = False) -> None:
        from covr.output import stream

        self._unique = unique
        self._lines = LineFile(file)
        self._object("start", stream.start_fields(compiled))

    def _object(self, kind: str, fields: dict[str, object], answers: int = 0) -> None:
        self._lines.add(json.dumps({"type": kind, **fields}, ensure_ascii=False) + "\n", answers)

    def write(self, answer: Answer, number: int) -> None:
        from covr.output import stream

        self._object("solution", stream.solution_fields(answer, number), 1)

    def close(self, run: Run, code: int, answers: int) -> None:
        from covr.output import stream

        status = stream.status_of(code, answers, self._unique)
        self._object("end", {**stream.end_fields(run, code, answers), "status": status})
        self._lines.close()
