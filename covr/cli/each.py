"""`--each`: one question for each record or link of a file, one line for each answer."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Any, TextIO

import attrs
import click

from covr.cli.asking import Interrupts, Question, answer_of, answers, interrupts
from covr.cli.each_faults import Beside, FaultyRecords, noted, spaced
from covr.cli.shared import compile_from, open_from
from covr.compiler import Compiled, compile_model
from covr.compiler.evaluate.files import lines_of
from covr.dsl.diagnostics import ModelErrors
from covr.engine.base.alone import threads
from covr.engine.batch import UNKNOWN as OPEN
from covr.engine.batch import BatchResult, ordered
from covr.explain.drawn_answer import answer_layers, drawn_by
from covr.faults import usage_error
from covr.inputs.collection import COMMENT, Collection, InputRecord, open_collection
from covr.inputs.library import STDIN, is_there, linked_in, open_model, standard_input, unreadable_link
from covr.links.file import Linked, write_file
from covr.links.places import Board, LinkFault
from covr.output import writers
from covr.output.streams import FAULT, FOUND, INTERRUPTED, NONE, UNKNOWN, known, remark
from covr.puzzles.puzzle_batches import Quick, find_quick
from covr.questions.answer import Answer, digits
from covr.questions.options import Options
from covr.questions.run import Run
from covr.text import quantity, reason_of

if TYPE_CHECKING:
    from covr.dsl.syntax import CheckedModel

# --- collection ------------------------------------------------------------------------------------------------------
# Lines come in the order of the records. They are flushed one by one or, if records are solved in batches (see
# puzzles/puzzle_batches.py), a batch at a time. A record without an answer has a line that says so; thus line k of
# the output is about record k, except with -n and --all, where a record has a line for every answer. A faulty record is
# reported with its place in the file and does not stop the others.


# Characters; a longer line is cut. No puzzle is that long, and a file that is not text may have no line ends at all.
LONGEST_LINE = 10_000_000

# The most records in a batch, and the seconds that a batch should take, so that answers appear soon after they are
# found.
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
# The exit code of each status, the worst first: the worst status of any record decides.
EXITS = {
    "interrupted": INTERRUPTED, "fault": FAULT, "unknown": UNKNOWN, "none": NONE, "not unique": NONE,
}  # fmt: skip


def open_for(each: str, model: str, defines: Sequence[str], asked: Callable[[bool], None]) -> Compiled:
    """Open a model for `--each`. A default that is faulty, of the param that takes the records, is left out. asked: see
    `open_any`."""
    try:
        return open_from(model, defines, asked)
    except ModelErrors as errors:
        try:
            return compile_from(model, defines, {each.partition("=")[0]: {}})
        except ModelErrors:
            raise errors from None


def solve_each(compiled: Compiled, each: str, question: Question, options: Options, as_json: bool) -> int:
    """Solve every record and return the exit code. Raises ModelErrors for faults of the file as a whole."""
    name, path, column = split_each(compiled, each)
    known(UNKNOWN)
    if as_json:
        writers.emit_start(compiled)
    with lines_in(path) as lines, interrupts() as held:
        collection = open_collection(compiled, name, path, lines, column, eager=path == STDIN)
        if collection.words:
            remark(f"{path}: {collection.words}")
        quick = find_quick(compiled, name, question.limit, options, collection.word) if name else None
        beside = Beside(compiled, collection, quick, options)
        faults = FaultyRecords(sized=collection.columns > 0)
        asking = _AskingRecords(question, options, faults, as_json, compiled, collection, beside)
        records = collection.records
        answered = one_by_one(asking, records, held) if quick is None else _batches(asking, quick, records, held)
        statuses = tally(answered)
    reading = {"reading": collection.words} if collection.words else {}
    wrong = {"wrong": beside.wrong} if beside.wrong else {}
    said = [*faults.lines(), *beside.lines()]
    return _end(path, "record", statuses, said, as_json, NONE if beside.wrong else FOUND, {**wrong, **reading})


def _end(
    path: str, what: str, statuses: Counter[str], said: Iterable[str], as_json: bool, code: int = FOUND,
    more: Mapping[str, Any] | None = None,
) -> int:  # fmt: skip
    """Write what is said at the end, and how many of each status there are; returns the exit code. what: `record` or
    `link`. code: if each has an answer."""
    code = ended(path, what, statuses, said, code)
    total = sum(statuses.values())
    if as_json:
        writers.emit("end", status=writers.STATUS[code], exit=code, records=total, **statuses, **(more or {}))
    else:
        kinds = ", ".join(f"{spaced(n)} {WORDS[status]}" for status, n in statuses.items())
        remark(f"{quantity(total, what, spaced(total))}: {kinds}")
    return code


def ended(path: str, what: str, statuses: Counter[str], said: Iterable[str], code: int = FOUND) -> int:
    """Write what is said at the end; returns the exit code (see `_end`). Raises ModelErrors if there was no record."""
    if not statuses:
        raise usage_error("E506", f"`{path}` holds no {what}s")
    for line in said:
        click.echo(line, err=True)
    return known(worst(statuses) or code)


def tally(answered: Iterable[str]) -> Counter[str]:
    """How many there are of each status, up to an interrupt. The exit code for what is known so far is noted."""
    statuses: Counter[str] = Counter()
    for status in answered:
        statuses[status] += 1
        known(worst(statuses))
        if status == "interrupted":
            break
    return statuses


def worst(statuses: Counter[str]) -> int:
    """The exit code, given the number of records of each status."""
    return next((code for status, code in EXITS.items() if statuses[status]), FOUND)


def one_by_one(asking: EachQuestion, records: Iterator[InputRecord], held: Interrupts) -> Iterator[str]:
    """Answer records or links one by one; yields the status of each, once its lines are written."""
    for record in records:
        status = asking.ask(record, held)
        sys.stdout.flush()
        held.watch(None)
        yield status


def _batches(asking: _AskingRecords, quick: Quick, records: Iterator[InputRecord], held: Interrupts) -> Iterator[str]:
    """Like `one_by_one`, but solves records in batches; those that a batch can't solve are asked one by one, in order.

    Batches from a file grow until one takes about `LONGEST_BATCH`; from standard input, each record is a batch of its
    own.
    """
    jobs = 1 if asking.collection.path == STDIN else threads(asking.options.jobs)
    clock = _Clock(1 if asking.collection.path == STDIN else MOST_AT_ONCE)
    stop = Event()
    # What Ctrl-C does while no record is being solved here: it stops the threads if there are any; otherwise it ends
    # the wait for input.
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
    asking: _AskingRecords, quick: Quick, chunk: _Chunk, result: BatchResult, held: Interrupts
) -> Iterator[str]:
    """Write the answers for the records of a chunk; records that the batch left open are solved the ordinary way."""
    counts = iter(result.counts)
    lines = [] if asking.as_json else quick.lines(result)
    at = first = 0
    for record, is_quick, entries in zip(chunk.records, chunk.quick, chunk.faulty, strict=True):
        count = next(counts, OPEN) if is_quick else OPEN
        if count == OPEN:
            yield asking.ask(record, held, entries)
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
    """Sets the number of records per batch: more while batches take little time, fewer when they take long."""

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
    """Some records, and the givens of those that a batch can solve. faulty: per record, the characters that make it
    faulty."""

    def __init__(self, records: list[InputRecord], quick: Quick) -> None:
        self.records = records
        grids = [None if record.grid is None else record.grid.flat for record in records]
        self.givens, self.begin, self.quick, self.faulty = quick.read(grids)


def split_each(compiled: Compiled, each: str) -> tuple[str, str, str | None]:
    """The param ("" for a file alone), the file and the column (or None) that the value of `--each` names."""
    if each == STDIN or is_there(Path(each)):
        return "", each, None
    name, equals, path = each.partition("=")
    if not equals or not name or not path:
        raise usage_error("E504", f"`--each {each}` names no file", help="write --each NAME=FILE or NAME=FILE:COLUMN")
    known = [parameter[0] for parameter in compiled.parameters]
    if name not in known:
        raise usage_error("E507", f"the model has no param `{name}`", word=name, known=known)
    file, colon, column = path.rpartition(":")
    if colon and column and not is_there(Path(path)) and (file == STDIN or is_there(Path(file))):
        return name, file, column
    return name, path, None


@contextmanager
def lines_in(path: str) -> Iterator[Iterator[str]]:
    """The lines of a file or of standard input, as they come. Raises ModelErrors if it can't be read."""
    try:
        if path == STDIN:
            yield _read(lines_of(standard_input().buffer), "<stdin>")
        elif Path(path).is_dir():
            raise usage_error("E502", f"`{path}` is a folder")
        else:
            with open(path, "rb") as file:
                yield _read(lines_of(file), path)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise usage_error("E502", f"`{path}` can't be read: {reason_of(error)}") from None


def _read(file: TextIO, name: str) -> Iterator[str]:
    try:
        while line := file.readline(LONGEST_LINE):
            if "\0" in line:
                raise usage_error("E503", f"`{name}` is not a text file")
            yield line
    except UnicodeError:
        raise usage_error("E503", f"`{name}` is not UTF-8 text, nor UTF-16 with a mark") from None


@attrs.define
class EachQuestion:
    """The question that is asked about each record or link of a file; None: how many answers there are."""

    question: Question | None
    options: Options
    faults: FaultyRecords
    as_json: bool

    def ask(self, record: InputRecord, held: Interrupts) -> str:
        """Write the answers of a record, or why there are none, and return its status."""
        raise NotImplementedError

    def write(
        self, compiled: Compiled, run: Run, record: InputRecord, line: Callable[[Answer], str], kept: list[Answer]
    ) -> tuple[str, int]:
        """Write the answers as they are found; returns the status, and how many were found. If the question is about
        uniqueness, the answer is written only if it is unique.

        line: an answer as text. kept: receives the answers with which a solution in the file is to be compared.
        """
        assert self.question is not None
        held: list[Answer] = []
        shown = 0
        for found in answers(run, self.question):
            shown += 1
            answer = answer_of(compiled, run, found)
            if record.grid is not None and record.grid.solution is not None:
                kept.append(answer)
            if self.as_json:
                writers.emit_solution(answer, shown, record=record.number, line=record.line)
            elif self.question.unique:
                held.append(answer)
            else:
                print(line(answer))
        status = self._status(run, self.question, shown)
        if held and status == "unique":
            print(line(held[0]))
        return status, shown

    @staticmethod
    def _status(run: Run, question: Question, shown: int) -> str:
        if run.status == "interrupted":
            return "interrupted"
        if question.unique and shown > 1:
            return "not unique"
        if run.status == "limit" and (question.whole or not shown):
            return "unknown"
        if not shown:
            return "none"
        return "unique" if question.unique else "found"

    def fault(self, errors: ModelErrors, record: InputRecord, entries: str = "") -> str:
        """Report the faults of a record, and return its status."""
        if self.as_json:
            writers.emit_diagnostics(noted(list(errors.diagnostics), record))
            writers.emit("record", **named(record), status="fault", answers=0)
        else:
            print("error")
            self.faults.tell(record, errors, entries)
        return "fault"


@attrs.define
class _AskingRecords(EachQuestion):
    """The same for records, with the model, and the solutions that the file gives."""

    compiled: Compiled
    collection: Collection
    beside: Beside

    def ask(self, record: InputRecord, held: Interrupts, entries: str = "") -> str:
        """Write the answers of a record, or why there are none, and return its status. entries: characters known to be
        faulty."""
        if not self.as_json and self.faults.again(record, entries):
            print("error")
            return "fault"
        try:
            compiled = self.compiled.with_data(self.collection.values(record))
            run = Run(compiled, self.options)
            held.watch(run)
            found: list[Answer] = []
            status, shown = self.write(compiled, run, record, lambda answer: answer.line, found)
        except ModelErrors as errors:
            return self.fault(errors, record, entries)
        beside = self._compare(record, [a.options for a in found], [a.line for a in found])
        if self.as_json:
            writers.emit(
                "record", **named(record), status=status, answers=shown, **beside, **writers.verified_fields(run)
            )
        elif status not in ("found", "unique") and (not shown or self._unique):
            print("no solution" if status == "none" else status)
        if not self.as_json and run.verified is not None and not run.verified.done:
            remark(f"record {record.number} is {run.verified.words}")
        return status

    def tell(self, record: InputRecord, answers: Sequence[Sequence[int]], lines: Sequence[str]) -> str:
        """Like `ask`, for a record whose answers are known, as many as are wanted. lines: these as text."""
        shown = len(answers)
        unique = self._unique
        status = "none" if not shown else "found" if not unique else "unique" if shown == 1 else "not unique"
        beside = self._compare(record, answers, lines) if record.grid is not None and record.grid.solution else {}
        if self.as_json:
            for number, options in enumerate(answers, 1):
                answer = Answer(self.compiled, tuple(options))
                writers.emit_solution(answer, number, record=record.number, line=record.line)
            writers.emit("record", **named(record), status=status, answers=shown, **beside)
        elif status in ("found", "unique"):
            for line in lines:
                sys.stdout.write(line + "\n")
        else:
            print("no solution" if status == "none" else status)
        return status

    def _compare(self, record: InputRecord, answers: Sequence[Sequence[int]], lines: Sequence[str]) -> dict[str, str]:
        """How the file's solution compares with the answers, as a field for JSON; empty if there is no solution."""
        kind = self.beside.check(record, answers, lines)
        return {} if kind is None else {"solution": kind}

    @property
    def _unique(self) -> bool:
        return self.question is not None and self.question.unique


def named(record: InputRecord) -> dict[str, Any]:
    """The fields that say which record a line of JSON is about."""
    return {"record": record.number, "line": record.line, "name": record.name}


# --- links -----------------------------------------------------------------------------------------------------------
# A link stands on a line of its own, or the file of a puzzle with `/` in place of its line ends; blank lines and
# comments are left out. An answer is written as such a file, in which it is drawn. Line k of the output is about link
# k, as for records; a faulty link is reported with its line and does not stop the others.


MODELS_KEPT = 200  # more than there are kinds


def answer_links(path: str, question: Question | None, options: Options, as_json: bool) -> int:
    """Answer a question about every link of a file; returns the exit code. question: None to count. Raises ModelErrors
    for the file as a whole."""
    known(UNKNOWN)
    asking = _AskingLinks(question, options, FaultyRecords(sized=False), as_json)
    with lines_in(path) as lines, interrupts() as held:
        statuses = tally(one_by_one(asking, _links(lines), held))
    return _end(path, "link", statuses, asking.faults.lines(), as_json)


def _links(lines: Iterator[str]) -> Iterator[InputRecord]:
    number = 0
    for at, line in enumerate(lines, 1):
        text = line.strip()
        if text and not COMMENT.match(text):
            number += 1
            yield InputRecord(number, at, text, "", None)


@attrs.define
class _AskingLinks(EachQuestion):
    """The same for links."""

    def ask(self, record: InputRecord, held: Interrupts) -> str:
        try:
            linked, compiled = compiled_link(record.text)
            if linked.board.remark:
                remark(f"line {record.line}: the link {linked.board.remark}")
            run = Run(compiled, self.options)
            held.watch(run)
            if self.question is None:
                status, shown = self._count(run)
            else:
                status, shown = self.write(
                    compiled, run, record, lambda answer: drawn_line(linked, compiled, answer.options), []
                )
        except ModelErrors as errors:
            return self.fault(errors, record)
        if self.as_json:
            writers.emit("record", **named(record), status=status, answers=shown)
        elif status in ("unknown", "not unique", "interrupted"):
            print(status)
        elif status == "none" and self.question is not None:
            print("no solution")
        return status

    def _count(self, run: Run) -> tuple[str, int]:
        counted = run.count()
        if not counted.complete:
            return ("interrupted" if run.status == "interrupted" else "unknown"), counted.value
        if not self.as_json:
            print(digits(counted.value))
        return ("found" if counted.value else "none"), counted.value


def compiled_link(text: str) -> tuple[Linked, Compiled]:
    """The puzzle in a link, and its model with the board. Raises ModelErrors."""
    linked = linked_in(text)
    try:
        params = linked.kind.params(linked.board)
    except LinkFault as fault:
        raise unreadable_link(text[:60], fault) from None
    return linked, compile_model(_model(linked.kind.model), params)


@lru_cache(MODELS_KEPT)
def _model(name: str) -> CheckedModel:
    return open_model(name)


def drawn_line(linked: Linked, compiled: Compiled, answer: tuple[int, ...]) -> str:
    """A puzzle with an answer, as a file on one line; the answer alone where there is no file of the puzzle."""
    board, kind = linked.board, linked.kind
    if not kind.file:
        return Answer(compiled, answer).line
    drawn = answer_layers(drawn_by(compiled, answer, board, kind))
    layers = {**board.only(kind.question).layers}
    for name, layer in drawn.items():
        layers[name] = {**layers.get(name, {}), **layer}
    try:
        return write_file(Board(board.kind, board.height, board.width, board.flag, layers), kind).replace("\n", "/")
    except LinkFault:
        return Answer(compiled, answer).line
