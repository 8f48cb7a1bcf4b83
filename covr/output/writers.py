"""Everything that writes answers: its protocol, pictures in files, lines of csv, tsv or JSON, and rows of a table."""

from __future__ import annotations

import csv
import io
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout, suppress
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from covr.compiler.evaluate.table_readers import guarded
from covr.compiler.evaluate.values import show_value
from covr.dsl.diagnostics import ModelErrors
from covr.faults import usage_error
from covr.output import stream
from covr.output.streams import remark, unbroken
from covr.questions.answer import Answer
from covr.text import quantity, reason_of

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.draw.book import Shown
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
    numbered: whether the caption of each is its number.  tables: endings of files that are tables instead."""

    def __init__(self, file: str, theme: str, numbered: bool, tables: Sequence[str]) -> None:
        self._file, self._theme, self._numbered, self._tables = file, theme, numbered, tables
        self._shown: list[Shown] = []
        self._title = ""

    def begin(self) -> None:
        """Check that such a picture can be drawn before the search begins."""
        from covr.draw.book import check_target

        check_target(self._file, self._theme, self._tables)

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
