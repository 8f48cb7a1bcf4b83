"""`covr grade`: how hard a puzzle is, or every puzzle of a collection."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from covr.cli.common.frame import json_faults
from covr.cli.common.help import command
from covr.cli.common.interrupt import Interrupts, interrupts
from covr.cli.common.shared import (
    define_option,
    from_option,
    json_option,
    model_argument,
    open_from,
    search_options,
    unverified_options_from,
)
from covr.cli.each.collection import lines_in, open_for, split_each
from covr.cli.each.faulty import FaultyRecords, noted
from covr.dsl.diagnostics import ModelErrors
from covr.faults import usage_error
from covr.inputs.collection import open_collection
from covr.inputs.library import STDIN
from covr.output.exits import FAULT, FOUND, INTERRUPTED, NONE, UNKNOWN
from covr.output.report import remark
from covr.output.streams import known

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.explain.hints import HintPath
    from covr.questions.options import Options

WORST = (INTERRUPTED, FAULT, UNKNOWN, NONE)  # exit codes; that of a collection is the first that occurs


@command("grade")
@model_argument
@click.option(
    "--each", metavar="[NAME=]FILE", help="Grade every record of a file, for the param NAME: a line for each."
)
@define_option
@from_option
@search_options
@json_option
@json_faults
def grade_command(
    model: str, each: str | None, defines: tuple[str, ...], as_json: bool, **words: Any
) -> int:  # fmt: skip
    """Say how hard MODEL is for a person who takes the steps that `covr hint --all` shows.

    The grade is that of the hardest step, which is the number of rules that have to be seen together, and a fraction
    that grows with the number and the size of all steps.

    The exit code is 0 if there is exactly one answer, 1 if there is none or several, and 3 if a limit was hit before
    everything was known; of a collection, that of its worst record. Limits hold for each record.

    \b
    Examples:
      covr grade sudoku
      covr grade sudoku --each clue=puzzles.txt
    """
    options = unverified_options_from(words)
    known(UNKNOWN)
    if each is not None:
        return known(_grade_each(open_for(each, model, defines, lambda _: None), each, options.alone(), as_json))
    compiled = open_from(model, defines, options=options)
    if as_json:
        from covr.output import stream

        stream.emit_start(compiled)
    with interrupts() as held:
        code, path = _grade(compiled, options, held)
    known(code)
    if as_json:
        stream.emit("grade", **_fields(path))
        stream.emit("end", status=stream.STATUS.get(code, "found"), exit=code, complete=code in (FOUND, NONE))
        return code
    click.echo(_said(code, path))
    if code == FOUND and not path.grade.proved:
        remark("for some steps, no smaller reason was proved within the limit")
    return code


def _grade(compiled: Compiled, options: Options, held: Interrupts) -> tuple[int, HintPath]:
    """The exit code for a puzzle, and its path."""
    from covr.explain.hints import HintRun

    run = HintRun(compiled, options)
    held.watch(run)
    path = run.find()
    if run.interrupted:
        return INTERRUPTED, path
    if path.solvable is False or (path.whole and path.open):
        return NONE, path
    return (FOUND if path.whole else UNKNOWN), path


def _said(code: int, path: HintPath) -> str:
    """A grade on one line."""
    if path.solvable is False:
        return "no solution"
    if code == NONE:
        return f"not unique, {path.grade}"
    return str(path.grade) if code == FOUND else f"unknown, at least: {path.grade}" if path.hints else "unknown"


def _fields(path: HintPath) -> dict[str, Any]:
    grade = path.grade
    return {
        "grade": grade.figure if path.solvable else None,
        "hardest": grade.hardest,
        "sizes": {str(size): count for size, count in grade.steps.items()},
        "proved": grade.proved,
        "solvable": path.solvable,
        "open": len(path.open),
        "whole": path.whole,
    }


def _grade_each(compiled: Compiled, each: str, options: Options, as_json: bool) -> int:
    """Grade every record and return the exit code. Raises ModelErrors for faults of the file as a whole."""
    from covr.output import stream

    name, path, column = split_each(compiled, each)
    codes: list[int] = []
    if as_json:
        stream.emit_start(compiled)
    with lines_in(path) as lines, interrupts() as held:
        collection = open_collection(compiled, name, path, lines, column, eager=path == STDIN)
        faults = FaultyRecords(sized=collection.columns > 0)
        for record in collection.records:
            named = {"record": record.number, "line": record.line, "name": record.name}
            try:
                code, found = _grade(compiled.with_data(collection.values(record)), options, held)
                if as_json:
                    stream.emit("grade", **named, **_fields(found))
                else:
                    print(_said(code, found))
            except ModelErrors as errors:
                if {d.code for d in errors.diagnostics} <= {"E505", "E510"}:
                    raise
                code = FAULT
                if as_json:
                    stream.emit_diagnostics(noted(list(errors.diagnostics), record))
                else:
                    print("error")
                    faults.tell(record, errors)
            sys.stdout.flush()
            held.watch(None)
            codes.append(code)
            known(next((c for c in WORST if c in codes), FOUND))
            if code == INTERRUPTED:
                break
    if not codes:
        raise usage_error("E506", f"`{path}` holds no records")
    for line in faults.lines():
        click.echo(line, err=True)
    code = next((c for c in WORST if c in codes), FOUND)
    if as_json:
        stream.emit("end", status=stream.STATUS.get(code, "found"), exit=code, records=len(codes))
    return code
