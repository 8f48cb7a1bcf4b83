"""Answers as lines of csv, tsv or JSON, and as rows of a table."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from covr.dsl.diagnostics import ModelErrors
from covr.faults import usage_error
from covr.output import stream
from covr.output.writers import Numbered
from covr.text import quantity, reason_of

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.answer import Answer
    from covr.questions.verify import Ending

# --- answer rows -----------------------------------------------------------------------------------------------------
#     answer  choice  r  c  d
#     1       place   1  1  5
#     1       place   1  2  3
#
# The columns after `choice` are the indices of the model's families; where a family has no such index, the field is
# empty. With a goal, `cost` and `proved` stand after `answer`: ever better answers with `proved` 0, and the best one
# again once it is proved. An answer without choices is one row that is empty after the number.


Row = tuple[Any, ...]
LARGEST = 2**63


class Rows:
    """The table of a model's answers. columns: the names of all columns.  indices: those after `choice`."""

    def __init__(self, compiled: Compiled) -> None:
        families = compiled.lowered.families.values()
        names = list(dict.fromkeys(name for family in families for name in family.indices))
        self._goal = compiled.goal is not None
        head = ("answer", "cost", "proved", "choice") if self._goal else ("answer", "choice")
        self.indices = tuple(f"{name}_" if name in head else name for name in names)
        self.columns = (*head, *self.indices)
        self._places = {family.name: [names.index(i) for i in family.indices] for family in families}
        self._compiled = compiled

    def of(self, answer: Answer, number: int) -> Iterator[Row]:
        """The rows of an answer: whole numbers that fit 63 bits, text, and None for empty fields."""
        head = (number, field(answer.cost), int(answer.proved)) if self._goal else (number,)
        nothing = [None] * len(self.indices)
        if not answer.options:
            yield (*head, None, *nothing)
        for choice in answer.choices:
            values: list[Any] = nothing.copy()
            for place, value in zip(self._places[choice.family], choice.args, strict=True):
                values[place] = field(value)
            yield (*head, choice.family, *values)

    def whole_numbers(self) -> tuple[bool, ...]:
        """Per index, whether all its values are whole numbers that fit 63 bits."""
        whole = [True] * len(self.indices)
        for family in self._compiled.lowered.families.values():
            for args in family.choices:
                for place, value in zip(self._places[family.name], args, strict=True):
                    whole[place] = whole[place] and type(field(value)) is int
        return tuple(whole)


def field(value: Any) -> int | str | None:
    """A value as a field: a whole number that fits 63 bits, or text."""
    from covr.compiler.evaluate.values import show_value

    if value is None or (type(value) is int and -LARGEST <= value < LARGEST):
        return value
    return str(value) if isinstance(value, str) else show_value(value)


# --- file faults -----------------------------------------------------------------------------------------------------


def cannot(file: str, what: str, error: Exception, help: str = "") -> ModelErrors:
    """The error for a file that can't be made or written to. what: such as "be made"."""
    return usage_error("E605", f"`{file}` can't {what}: {reason_of(error)}", help=help)


def holds(answers: int) -> str:
    """The line of help that says how many answers a file holds that can't be written to any more."""
    return f"it holds {quantity(answers, 'answer')}"


# --- lines -----------------------------------------------------------------------------------------------------------


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
        sys.stdout.write(text)
        sys.stdout.flush()

    def close(self) -> None:
        """Nothing to do: standard output stays open for others."""


class LineFile:
    """A file that holds only complete answers at any time: each is handed to the operating system whole, in one call.
    size: how many bytes the complete answers take; anything that a failed write leaves after them is cut off."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.answers = 0

    def open(self) -> None:
        self._handle = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o666)
        self._size = 0
        self._synced = monotonic()

    def add(self, text: str, answers: int = 0) -> None:
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
        self._sync()
        with suppress(OSError):
            os.close(self._handle)


def csv_text(rows: Iterable[Iterable[object]], separator: str = ",") -> str:
    """Rows as lines of csv. Text that a spreadsheet would run as a formula is made harmless."""
    from covr.compiler.evaluate.table_readers import guarded

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
        self._lines.open()
        self._lines.add(csv_text([self._rows.columns], self._separator))

    def put(self, answer: Answer, number: int) -> None:
        self._lines.add(csv_text(self._rows.of(answer, number), self._separator), 1)

    def end(self, run: Ending, code: int, shown: int) -> None:
        self._lines.close()


class JsonWriter(Numbered):
    """Writes the objects of `--json`, one per line: start, solutions, end.
    unique: whether the question is if there is exactly one answer."""

    def __init__(self, compiled: Compiled, lines: Lines, unique: bool = False) -> None:
        super().__init__(compiled)
        self._lines, self._unique = lines, unique

    def _object(self, kind: str, fields: dict[str, object], answers: int = 0) -> None:
        self._lines.add(stream.object_line(kind, fields), answers)

    def begin(self) -> None:
        self._lines.open()
        self._object("start", stream.start_fields(self.compiled))

    def put(self, answer: Answer, number: int) -> None:
        self._object("solution", stream.solution_fields(answer, number), 1)

    def end(self, run: Ending, code: int, shown: int) -> None:
        status = stream.status_of(code, shown, self._unique)
        self._object("end", {**stream.end_fields(run, code, shown), "status": status})
        self._lines.close()


class JsonOutput(JsonWriter):
    """`--json` on standard output; adds the warnings about a model, and the reason if it has no answer."""

    def __init__(self, compiled: Compiled, unique: bool = False) -> None:
        super().__init__(compiled, Standard(), unique)

    def begin(self) -> None:
        super().begin()
        stream.emit_diagnostics(self.compiled.warnings)

    def end(self, run: Ending, code: int, shown: int) -> None:
        if not shown and run.complete and self.compiled.impossible is not None:
            stream.emit_diagnostics([self.compiled.impossible])
        super().end(run, code, shown)
