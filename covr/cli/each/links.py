"""`covr solve --each links.txt`: one question for each link of a file, one line for each answer.

A link stands on a line of its own, or the file of a puzzle with `/` in place of its line ends; blank lines and comments
are left out. An answer is written as such a file, in which it is drawn. Line k of the output is about link k, as for
grids (collection.py); a faulty link is reported with its line and does not stop the others.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import click
from attrs import frozen

from covr.cli.common.asking import Question, answer_of, answers
from covr.cli.common.interrupt import Interrupts, interrupts
from covr.cli.each.collection import WORDS, lines_in, named, worst
from covr.cli.each.faulty import FaultyRecords, noted, spaced
from covr.compiler import compile_model
from covr.dsl.diagnostics import ModelErrors
from covr.faults import usage_error
from covr.inputs.library import linked_in, open_model, unreadable_link
from covr.inputs.records import COMMENT, InputRecord
from covr.links.answers import answer_layers, drawn_by
from covr.links.board import Board, LinkFault
from covr.links.file import write_file
from covr.output.exits import UNKNOWN
from covr.output.report import remark
from covr.output.streams import known
from covr.questions.answer import Answer
from covr.questions.digits import digits
from covr.questions.options import Options
from covr.questions.run import Run

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.dsl.syntax import CheckedModel
    from covr.links.opened import Linked

MODELS_KEPT = 200  # more than there are kinds


def answer_links(path: str, question: Question | None, options: Options, as_json: bool) -> int:
    """Answer a question about every link of a file and return the exit code. question: None to count.

    Raises ModelErrors for faults of the file as a whole.
    """
    known(UNKNOWN)
    statuses: Counter[str] = Counter()
    faults = FaultyRecords(sized=False)
    asking = _AskingLinks(question, options, as_json, faults)
    with lines_in(path) as lines, interrupts() as held:
        for record in _links(lines):
            status = asking.ask(record, held)
            sys.stdout.flush()
            held.watch(None)
            statuses[status] += 1
            known(worst(statuses))
            if status == "interrupted":
                break
    if not statuses:
        raise usage_error("E506", f"`{path}` holds no links")
    code = known(worst(statuses))
    for line in faults.lines():
        click.echo(line, err=True)
    total = sum(statuses.values())
    if as_json:
        from covr.output import stream

        stream.emit("end", status=stream.STATUS.get(code, "found"), exit=code, records=total, **statuses)
    else:
        kinds = ", ".join(f"{spaced(n)} {WORDS[status]}" for status, n in statuses.items())
        remark(f"{spaced(total)} link{'' if total == 1 else 's'}: {kinds}")
    return code


def _links(lines: Iterator[str]) -> Iterator[InputRecord]:
    """The links of a file, one on each line."""
    number = 0
    for at, line in enumerate(lines, 1):
        text = line.strip()
        if text and not COMMENT.match(text):
            number += 1
            yield InputRecord(number, at, text, "", None)


@frozen
class _AskingLinks:
    """The question that is asked about each link."""

    question: Question | None
    options: Options
    as_json: bool
    faults: FaultyRecords

    def ask(self, record: InputRecord, held: Interrupts) -> str:
        """Write the answers of a link, or why there are none, and return its status."""
        try:
            linked, compiled = compiled_link(record.text)
            if linked.board.remark:
                remark(f"line {record.line}: the link {linked.board.remark}")
            run = Run(compiled, self.options)
            held.watch(run)
            status, shown = self._count(run) if self.question is None else self._write(linked, compiled, run, record)
        except ModelErrors as errors:
            self._fault(errors, record)
            return "fault"
        if self.as_json:
            from covr.output import stream

            stream.emit("record", **named(record), status=status, answers=shown)
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

    def _write(self, linked: Linked, compiled: Compiled, run: Run, record: InputRecord) -> tuple[str, int]:
        assert self.question is not None
        held, shown = [], 0
        for found in answers(run, self.question):
            shown += 1
            if self.as_json:
                from covr.output import stream

                stream.emit_solution(answer_of(compiled, run, found), shown, record=record.number, line=record.line)
            elif self.question.unique:
                held.append(found)
            else:
                print(drawn_line(linked, compiled, found))
        status = self._status(run, shown)
        if held and status == "unique":
            print(drawn_line(linked, compiled, held[0]))
        return status, shown

    def _status(self, run: Run, shown: int) -> str:
        assert self.question is not None
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
        if self.as_json:
            from covr.output import stream

            stream.emit_diagnostics(noted(list(errors.diagnostics), record))
            stream.emit("record", **named(record), status="fault", answers=0)
        else:
            print("error")
            self.faults.tell(record, errors)


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
    """A model of the gallery, read once."""
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
