"""Everything that writes answers: its protocol, `--json`, pictures in files, lines of csv or tsv, rows of a table.

With `--json` each line is one object with a `type`, written whole; docs/formats.md lists the objects and their fields.
"""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout, suppress
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from covr import __version__
from covr.compiler.evaluate.table_readers import guarded
from covr.compiler.evaluate.values import show_value
from covr.dsl.diagnostics import ModelErrors
from covr.faults import usage_error
from covr.output.streams import CONTROLS, FAULT, FOUND, NONE, known, remark, unbroken
from covr.questions.answer import Answer, all_digits, choice_fields
from covr.text import quantity, reason_of

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.lower.lowered import StageValue
    from covr.draw.book import Shown
    from covr.dsl.diagnostics import Diagnostic
    from covr.questions.run import Best
    from covr.questions.verify import Ending

STATUS = {0: "found", 1: "none", 2: "fault", 3: "unknown", 130: "interrupted"}
# The fields of `end` if nothing was searched.
NOTHING = {
    "status": "fault", "exit": FAULT, "answers": 0, "complete": False, "limit": None, "fraction": None, "cost": None,
    "bound": None, "nodes": 0, "updates": 0, "seconds": 0.0, "engine": None,
}  # fmt: skip


def emit(kind: str, **fields: Any) -> None:
    """Write one object."""
    sys.stdout.write(object_line(kind, fields))
    sys.stdout.flush()


def object_line(kind: str, fields: dict[str, Any]) -> str:
    """One object as a line."""
    try:
        return json_text({"type": kind, **fields}) + "\n"
    except ValueError:  # a number of answers that is too long for Python's limit
        with all_digits():
            return json_text({"type": kind, **fields}) + "\n"


def json_text(value: object) -> str:
    """A value as JSON on one line, with letters as they are; what controls a terminal is escaped."""
    return CONTROLS.sub(lambda sign: json.dumps(sign[0])[1:-1], json.dumps(value, ensure_ascii=False))


def start_fields(compiled: Compiled) -> dict[str, Any]:
    """The fields of a `start` object: the version of covr, and the model with its sizes."""
    return {
        "covr": __version__,
        "model": compiled.model.source.name,
        "title": compiled.title,
        "goal": compiled.goal,
        "items": compiled.problem.items,
        "options": compiled.problem.options,
    }


def emit_start(compiled: Compiled) -> None:
    """Write a `start` object."""
    emit("start", **start_fields(compiled))


def solution_fields(answer: Answer, number: int) -> dict[str, Any]:
    """The fields of a `solution` object. number: the number of the answer, from 1."""
    broken = [{"name": wish.name, "off": wish.off, "cost": wish.cost} for wish in answer.broken]
    return {
        "number": number,
        "choices": list(map(choice_fields, answer.choices)),
        "text": answer.line,
        "cost": answer.cost,
        "bound": answer.bound,
        "proved": answer.proved,
        **({"costs": list(answer.costs)} if answer.costs else {}),
        **({"broken": broken} if answer.has_wishes else {}),
        **({} if answer.changed is None else {"changed": dict(zip(("added", "removed"), answer.changed, strict=True))}),
    }


def emit_solution(answer: Answer, number: int, **fields: Any) -> None:
    """Write a `solution` object. number: the number of the answer, from 1.  fields: further fields, written first."""
    emit("solution", **fields, **solution_fields(answer, number))


def emit_diagnostics(diagnostics: Iterable[Diagnostic]) -> None:
    """Write an `error` or `warning` object for each diagnostic."""
    for diagnostic in diagnostics:
        emit("error" if diagnostic.is_error else "warning", **diagnostic_fields(diagnostic))


def diagnostic_fields(diagnostic: Diagnostic) -> dict[str, Any]:
    """The fields of a diagnostic. Lines and columns count from 1; the end is the position after the last character."""
    fields: dict[str, Any] = {
        "code": diagnostic.code,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "notes": list(diagnostic.notes),
    }
    if diagnostic.span is not None:
        source = diagnostic.span.source
        line, column = source.place(diagnostic.span.start)
        end_line, end_column = source.place(diagnostic.span.end)
        fields |= {
            "file": source.name, "line": line, "column": column, "end_line": end_line, "end_column": end_column,
        }  # fmt: skip
    return fields


def status_of(code: int, answers: int, unique: bool) -> str:
    """The `status` of an `end` object. unique: whether the question was if there is exactly one answer."""
    if unique and answers and code in (FOUND, NONE):
        return "unique" if code == FOUND else "not unique"
    return STATUS[code]


def end_fields(run: Ending, code: int, answers: int) -> dict[str, Any]:
    """The fields of an `end` object. code: the exit code.  answers: how many were written."""
    counters = run.counters
    return {
        "status": STATUS[code],
        "exit": code,
        "answers": answers,
        "complete": run.complete,
        "limit": run.reached,
        "fraction": None if run.fraction is None else round(run.fraction, 9),
        "cost": None if run.best is None else run.best.value,
        "bound": run.bound,
        **goal_fields(() if run.best is None else run.best.stages),
        "nodes": counters.nodes,
        "updates": counters.updates,
        "seconds": round(run.seconds, 6),
        "engine": run.engine,
        **methods_fields(run),
        **verified_fields(run),
    }


def methods_fields(run: Ending) -> dict[str, Any]:
    """The field `methods` of methods that took turns: each with its share of the work, and how many answers it found.
    Nothing if there was only one."""
    whole = max(sum([work for _, work, _ in run.methods]), 1)
    rows = [{"name": name, "share": round(work / whole, 3), "answers": found} for name, work, found in run.methods]
    return {"methods": rows} if len(rows) > 1 else {}


def goal_fields(stages: Sequence[StageValue]) -> dict[str, Any]:
    """The field `goals` of several goals in order: each with its value, and its bound, null while goals before it are
    not proved. Nothing for one goal."""
    goals = [{"goal": stage.kind, "value": stage.value, "bound": stage.bound} for stage in stages]
    return {"goals": goals} if goals else {}


def verified_fields(run: Ending) -> dict[str, Any]:
    """The fields that --verify adds: whether the result was verified (null if there was nothing to verify), and by
    what."""
    if not run.options.verify:
        return {}
    verified = run.verified
    return {
        "verified": None if verified is None else verified.done,
        "verifier": None if verified is None else verified.engine,
    }


def emit_end(run: Ending, code: int, answers: int, **fields: Any) -> None:
    """Write an `end` object; `fields` replace those of the same name."""
    emit("end", **{**end_fields(run, code, answers), **fields})


def emit_ending(code: int, status: str = "found", **fields: Any) -> None:
    """Write an `end` object of a command that lists no answers. status: what it says where the exit code is 0."""
    emit("end", status=STATUS[code] if code else status, exit=code, **fields)


def emit_fault(diagnostics: Iterable[Diagnostic], **fields: Any) -> None:
    """Write the errors, and an `end` object for them with the usual fields."""
    known(FAULT)
    emit_diagnostics(diagnostics)
    emit_nothing(FAULT, **fields)


def emit_nothing(code: int, **fields: Any) -> None:
    """Write an `end` object of a command that has searched nothing. code: the exit code."""
    emit("end", **{**NOTHING, "status": STATUS[code], "exit": code, **fields})


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
        self._lines.add(object_line(kind, fields), answers)

    def begin(self) -> None:
        self._lines.open()
        self._object("start", start_fields(self.compiled))

    def put(self, answer: Answer, number: int) -> None:
        self._object("solution", solution_fields(answer, number), 1)

    def end(self, run: Ending, code: int, shown: int) -> None:
        status = status_of(code, shown, self._unique)
        self._object("end", {**end_fields(run, code, shown), "status": status})
        self._lines.close()


class JsonOutput(JsonWriter):
    """`--json` on standard output; adds the warnings about a model, and the reason if it has no answer."""

    def __init__(self, compiled: Compiled, unique: bool = False) -> None:
        super().__init__(compiled, Standard(), unique)

    def begin(self) -> None:
        super().begin()
        emit_diagnostics(self.compiled.warnings)

    def end(self, run: Ending, code: int, shown: int) -> None:
        if not shown and run.complete and self.compiled.impossible is not None:
            emit_diagnostics([self.compiled.impossible])
        super().end(run, code, shown)
