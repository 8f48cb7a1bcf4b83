"""Writes answers for `--json`: one object on each line, each with a `type`, written completely and at once.

docs/formats.md lists the objects and their fields.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from covr import __version__
from covr.output.streams import CONTROLS, FAULT, FOUND, NONE, known
from covr.questions.answer import Answer, all_digits, choice_fields

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.lower.lowered import StageValue
    from covr.dsl.diagnostics import Diagnostic
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
        **verified_fields(run),
    }


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
