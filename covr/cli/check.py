"""`covr check` and `covr params`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from covr.cli.common.help import command
from covr.cli.common.shared import (
    compile_from,
    complete_models,
    define_option,
    from_option,
    json_option,
    model_argument,
    models_in,
    open_from,
)
from covr.draw.canvas import clean
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.output.streams import FAULT, FOUND, NONE, UNKNOWN, known, report
from covr.text import quantity

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.explain.drawn_answer import Judgement
    from covr.links.file import Linked

# --- check -----------------------------------------------------------------------------------------------------------
# `covr check`: faults and remarks, without solving.


@command("check")
@click.argument("models", metavar="MODEL...", nargs=-1, required=True, shell_complete=complete_models)
@define_option
@from_option
@json_option
def check_command(models: tuple[str, ...], defines: tuple[str, ...], as_json: bool) -> int:
    """Look for faults in each MODEL: its syntax, its names, its data, and rules that hardly say what was meant.

    A folder stands for all models in it. A matrix in another program's format is only read. A comment
    `# covr: allow W202` beside a statement, or on the line above it, silences that warning.

    An answer that is drawn in a puzzle's file is held against the rules: it is right, unfinished, or wrong, and then
    what is wrong is said.

    The exit code is 2 if there is an error, and 0 if there are only warnings. For a drawn answer it is 0 if it is
    right, 1 if it is wrong, and 3 if it is unfinished.

    \b
    Examples:
      covr check mine.cover
      covr check models/ --json
      covr check board.txt
    """
    from covr.compiler.evaluate.operators import noting
    from covr.inputs.library import find_linked
    from covr.puzzles.made_puzzle import contradicted_clues
    from covr.questions.plans import remarks

    code = FOUND
    known(UNKNOWN)
    for model, _ in models_in(models):
        judgement, many = None, 0
        try:
            with noting() as noted:
                linked = find_linked(model)
                compiled = open_from(model, defines, idle=True)
                found = list(remarks(compiled, noted))
            if not any(d.is_error for d in found):
                found += contradicted_clues(compiled)
            many += bool(compiled.model.source.remark)
            if linked is not None:
                found = [remark for remark in found if remark.code not in IDLE]
                judgement = _judged(compiled, linked)
        except ModelErrors as errors:
            found = list(errors.diagnostics)
        if any(d.is_error for d in found):
            code = FAULT
        elif judgement is not None:
            code = _worse(code, _CODES[judgement.verdict])
        known(code)
        _write(model, found, many, judgement, as_json)
    return code


# Of a link, these say what the puzzle has not: a model of many constraints has rules for all of them.
IDLE = frozenset({"W204", "W205"})
_CODES = {"right": FOUND, "wrong": NONE, "unfinished": UNKNOWN, "unknown": UNKNOWN}


def _worse(code: int, other: int) -> int:
    """The code of several models: a fault, then something wrong, then something open."""
    return min((code, other), key=(FAULT, NONE, UNKNOWN, FOUND).index)


def _judged(compiled: Compiled, linked: Linked) -> Judgement | None:
    """What is known of the answer that is drawn in a puzzle's file; None if nothing is drawn there."""
    from covr.explain.drawn_answer import judge
    from covr.links.answers import drawn_on

    return judge(compiled, linked.board, linked.kind) if drawn_on(linked.board, linked.kind) else None


def _write(model: str, found: list[Diagnostic], remarks: int, judgement: Judgement | None, as_json: bool) -> None:
    """Write what was found. remarks: how many were said already about the link that the model was read from."""
    if as_json:
        from covr.output import stream

        stream.emit_diagnostics(found)
        if judgement is not None:
            stream.emit(
                "drawn",
                verdict=judgement.verdict,
                places=list(judgement.places),
                rules=list(judgement.rules),
                minimal=judgement.minimal,
            )
        stream.emit("end", model=model, **_figures(found))
        return
    report(found)
    from covr.inputs.library import is_link

    errors, warnings = _figures(found).values()
    counts = ((errors, "error"), (warnings, "warning"), (remarks, "remark"))
    parts = [quantity(n, word) for n, word in counts if n]
    if not parts and judgement is None:
        click.echo(f"{model}: no faults")
    elif parts:
        click.echo(f"{model}: {', '.join(parts)}")
    if judgement is not None:
        click.echo(judgement if is_link(model) else f"{model}: {judgement}")


def _figures(found: list[Diagnostic]) -> dict[str, int]:
    errors = sum(d.is_error for d in found)
    return {"errors": errors, "warnings": len(found) - errors}


# --- params ----------------------------------------------------------------------------------------------------------
# `covr params`: which values of a model may be set from outside.


@command("params")
@model_argument
@define_option
@json_option
def params_command(model: str, defines: tuple[str, ...], as_json: bool) -> int:
    """List the params of MODEL: each with its value, its condition, and its default as written in the model.

    \b
    Examples:
      covr params sudoku
      covr params queens -D n=12
    """
    from covr.compiler.evaluate.values import abbreviate
    from covr.output.stream import json_text
    from covr.questions.answer import jsonable

    rows = []
    for name, default, condition, value in compile_from(model, defines).parameters:
        if as_json:
            row = {"type": "param", "name": name, "value": jsonable(value), "default": default, "condition": condition}
            click.echo(json_text(row))
        else:
            lines = default.split("\n")
            written = lines[0] + (f" … ({len(lines) - 2} lines)" if len(lines) > 1 else "")
            rows.append((name, abbreviate(value, 40), f"where {condition}" if condition else "", written))
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(3)]
    for name, shown, condition, written in rows:
        cells = [f"{name:{widths[0]}} = {shown:{widths[1]}}"]
        if widths[2]:
            cells.append(f"{condition:{widths[2]}}")
        click.echo(clean("  ".join([*cells, f"default {written}"])))
    return FOUND
