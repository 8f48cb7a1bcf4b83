"""`covr solve --each`: one question a record of a file, one line an answer.

Lines come in the order of the records and are flushed one by one, or a batch of them (see covr/quick.py) at a time.
A record without an answer has a line that says so, so that line k of the output is about record k (with -n and --all a
record has a line for every answer). A faulty record is reported with its place in the file, and the others go on.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Any, TextIO

import attrs

from covr.cli.interrupt import Interrupts, interrupts
from covr.compiler import FromText
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.source import Source, Span
from covr.engine.batch import UNKNOWN as OPEN
from covr.engine.batch import BatchResult, ordered
from covr.faults import usage_error
from covr.inputs.library import STDIN, standard_input
from covr.inputs.records import InputRecord, read_records
from covr.output.exits import FAULT, FOUND, INTERRUPTED, NONE, UNKNOWN
from covr.output.report import remark, report
from covr.output.streams import known
from covr.questions.answer import Answer
from covr.questions.puzzle_batches import Quick, find_quick
from covr.questions.run import Run

if TYPE_CHECKING:
    from covr.cli.solve import Question
    from covr.compiler import Compiled
    from covr.questions.options import Options

# A longer line is cut: no puzzle has so many characters, and a file that is no text may have no line ends at all.
LONGEST_LINE = 10_000_000

# Records of a batch at most, and the seconds that one should take: answers are seen as they come.
MOST_AT_ONCE = 1024
LONGEST_BATCH = 0.05

WORDS = {
    "found": "solved",
    "unique": "unique",
    "none": "without a solution",
    "not unique": "not unique",
    "unknown": "not decided",
    "fault": "faulty",
    "interrupted": "interrupted",
}
# The exit code is that of the worst status, in this order.
EXITS = {
    "interrupted": INTERRUPTED, "fault": FAULT, "unknown": UNKNOWN, "none": NONE, "not unique": NONE,
}  # fmt: skip


def solve_each(compiled: Compiled, each: str, question: Question, options: Options, as_json: bool) -> int:
    """Solve every record and return the exit code. Raises ModelErrors for what is wrong with the file as a whole."""
    name, path = _split(compiled, each)
    statuses: Counter[str] = Counter()
    known(UNKNOWN)
    if as_json:
        from covr.output import stream

        stream.emit_start(compiled)
    with _lines(path) as lines, interrupts() as held:
        asking = _Asking(compiled, name, path, question, options, as_json)
        quick = find_quick(compiled, name, question.limit, options)
        records = read_records(lines)
        answered = _one_by_one(asking, records, held) if quick is None else _batches(asking, quick, records, held)
        for status in answered:
            statuses[status] += 1
            known(_worst(statuses))
            if status == "interrupted":
                break
    if not statuses:
        raise usage_error("E506", f"`{path}` holds no records")
    code = known(_worst(statuses))
    if as_json:
        stream.emit("end", status=stream.STATUS[code], exit=code, records=sum(statuses.values()), **statuses)
    else:
        total = sum(statuses.values())
        kinds = ", ".join(f"{n} {WORDS[status]}" for status, n in statuses.items())
        remark(f"{total} record{'' if total == 1 else 's'}: {kinds}")
    return code


def _worst(statuses: Counter[str]) -> int:
    """The exit code of so many records of each status."""
    return next((code for status, code in EXITS.items() if statuses[status]), FOUND)


def _one_by_one(asking: _Asking, records: Iterator[InputRecord], held: Interrupts) -> Iterator[str]:
    """The status of each record, once its lines are written."""
    for record in records:
        status = asking.ask(record, held)
        sys.stdout.flush()
        held.watch(None)
        yield status


def _batches(asking: _Asking, quick: Quick, records: Iterator[InputRecord], held: Interrupts) -> Iterator[str]:
    """`_one_by_one` for records that can be solved in batches; the others are asked one by one in their places.

    From a file, batches grow as long as one takes less than LONGEST_BATCH; from standard input each record is one.
    """
    jobs = 1 if asking.path == STDIN else asking.options.jobs or os.cpu_count() or 1
    clock = _Clock(1 if asking.path == STDIN else MOST_AT_ONCE)
    stop = Event()
    # Who hears Ctrl-C while no record is asked: with threads at work they do, else it ends the waiting for input.
    idle = None if jobs == 1 else _Stopper(stop)
    held.watch(idle)
    chunks = (_Chunk(part, quick) for part in iter(lambda: list(islice(records, clock.size)), []))

    def work(chunk: _Chunk, gone: Event | None = None) -> tuple[_Chunk, BatchResult, float]:
        begin = perf_counter()
        if jobs == 1:
            held.watch(_Stopper(stop))
        return chunk, quick.solve(chunk.givens, chunk.begin, stop), perf_counter() - begin

    solved = map(work, chunks) if jobs == 1 else ordered(work, chunks, jobs)
    try:
        for chunk, result, seconds in solved:
            clock.took(seconds)
            yield from _written(asking, quick, chunk, result, held)
            sys.stdout.flush()
            held.watch(idle)
    finally:
        stop.set()


def _written(
    asking: _Asking, quick: Quick, chunk: _Chunk, result: BatchResult, held: Interrupts
) -> Iterator[str]:
    """Write what was found for the records of a chunk; the ordinary way for those that the batch leaves open."""
    counts = iter(result.counts)
    lines = [] if asking.as_json else quick.lines(result)
    at = first = 0
    for record, is_quick in zip(chunk.records, chunk.quick, strict=True):
        count = next(counts, OPEN) if is_quick else OPEN
        if count == OPEN:
            yield asking.ask(record, held)
            sys.stdout.flush()
            continue
        answers = []
        for end in result.ends[at : at + count]:
            answers.append(result.options[first:end])
            first = end
        yield asking.tell(record, answers, lines[at : at + count])
        at += count


@attrs.define
class _Clock:
    """How many records a batch has: more as long as it takes little time, fewer when it takes long."""

    most: int
    size: int = 1

    def took(self, seconds: float) -> None:
        if seconds > LONGEST_BATCH:
            self.size = max(self.size // 2, 1)
        else:
            self.size = min(self.size * 2, self.most)


@attrs.frozen
class _Stopper:
    stop: Event

    def interrupt(self) -> None:
        self.stop.set()


class _Chunk:
    """Records, which of them a batch can solve, and what these give, as `Quick.solve` wants it."""

    def __init__(self, records: list[InputRecord], quick: Quick) -> None:
        self.records = records
        self.givens, self.begin, self.quick = quick.read([record.text for record in records])


def _split(compiled: Compiled, each: str) -> tuple[str, str]:
    name, equals, path = each.partition("=")
    if not equals or not name or not path:
        raise usage_error("E504", f"`--each {each}` names no file", help="write --each NAME=FILE")
    known = [parameter[0] for parameter in compiled.parameters]
    if name not in known:
        raise usage_error("E507", f"the model has no param `{name}`", word=name, known=known)
    return name, path


@contextmanager
def _lines(path: str) -> Iterator[Iterator[str]]:
    """The lines of a file or of standard input, as they come; what can't be read is a ModelErrors."""
    try:
        if path == STDIN:
            yield _read(standard_input(), "<stdin>")
        elif Path(path).is_dir():
            raise usage_error("E502", f"`{path}` is a folder")
        else:
            with open(path, encoding="utf-8-sig") as file:
                yield _read(file, path)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise usage_error("E502", f"`{path}` can't be read: {reason.lower()}") from None


def _read(file: TextIO, name: str) -> Iterator[str]:
    try:
        while line := file.readline(LONGEST_LINE):
            if "\0" in line:
                raise usage_error("E503", f"`{name}` is not a text file")
            yield line
    except UnicodeDecodeError:
        raise usage_error("E503", f"`{name}` is not UTF-8 text") from None


@attrs.frozen
class _Asking:
    """The question, ready to be put to each record."""

    compiled: Compiled
    name: str
    path: str
    question: Question
    options: Options
    as_json: bool

    def ask(self, record: InputRecord, held: Interrupts) -> str:
        """Write the answers of a record, or why there is none, and return its status."""
        try:
            data = FromText(record.text, self.path, plain=True)
            run = Run(self.compiled.with_data({self.name: data}), self.options)
            held.watch(run)
            shown = self._write(run, record)
        except ModelErrors as errors:
            self._fault(errors, record)
            return "fault"
        status = self._status(run, shown)
        if self.as_json:
            from covr.output import stream

            stream.emit("record", **_named(record), status=status, answers=shown, **stream.verified_fields(run))
        elif status not in ("found", "unique") and (not shown or self.question.unique):
            print("no solution" if status == "none" else status)
        if not self.as_json and run.verified is not None and not run.verified.done:
            remark(f"record {record.number} is {run.verified.words}")
        return status

    def tell(self, record: InputRecord, answers: Sequence[Sequence[int]], lines: Sequence[str]) -> str:
        """`ask` for a record whose answers are known, with a line each: all of them, or as many as are wanted."""
        shown = len(answers)
        unique = self.question.unique
        status = "none" if not shown else "found" if not unique else "unique" if shown == 1 else "not unique"
        if self.as_json:
            from covr.output import stream

            for number, options in enumerate(answers, 1):
                answer = Answer(self.compiled, tuple(options))
                stream.emit_solution(answer, number, record=record.number, line=record.line)
            stream.emit("record", **_named(record), status=status, answers=shown)
        elif status in ("found", "unique"):
            for line in lines:
                sys.stdout.write(line + "\n")
        else:
            print("no solution" if status == "none" else status)
        return status

    def _write(self, run: Run, record: InputRecord) -> int:
        """Write the answers as they are found. Of a question for uniqueness the answer is written if it is."""
        from covr.cli.solve import answer_of, answers

        held: list[Any] = []
        shown = 0
        for found in answers(run, self.question):
            shown += 1
            answer = answer_of(run, found)
            if self.as_json:
                from covr.output import stream

                stream.emit_solution(answer, shown, record=record.number, line=record.line)
            elif self.question.unique:
                held.append(answer)
            else:
                print(answer.line)
        if len(held) == 1 and run.complete:
            print(held[0].line)
        return shown

    def _status(self, run: Run, shown: int) -> str:
        if run.status == "interrupted":
            return "interrupted"
        if self.question.unique and shown > 1:
            return "not unique"
        if run.status == "limit" and (self.question.whole or not shown):
            return "unknown"
        if not shown:
            return "none"
        return "unique" if self.question.unique else "found"

    def _fault(self, errors: ModelErrors, record: InputRecord) -> None:
        placed = [_placed(d, record) for d in errors.diagnostics]
        where = f"in record {record.number}" + (f" ({record.name})" if record.name else "")
        noted = [attrs.evolve(d, notes=(*d.notes, f"{where}, line {record.line}")) for d in placed]
        if self.as_json:
            from covr.output import stream

            stream.emit_diagnostics(noted)
            stream.emit("record", **_named(record), status="fault", answers=0)
        else:
            print("error")
            sys.stdout.flush()
            report(noted)


def _named(record: InputRecord) -> dict[str, Any]:
    return {"record": record.number, "line": record.line, "name": record.name}


def _placed(diagnostic: Diagnostic, record: InputRecord) -> Diagnostic:
    """A diagnostic about a record's text, with the record's line in its file."""
    span = diagnostic.span
    if span is None or span.source.text != record.text:
        return diagnostic
    ahead = "\n" * (record.line - 1)
    source = Source(span.source.name, ahead + record.text, span.source.path)
    return attrs.evolve(diagnostic, span=Span(source, span.start + len(ahead), span.end + len(ahead)))
