"""`covr check`: faults and remarks, without solving."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from covr.cli.common.help import command
from covr.cli.common.shared import complete_models, define_option, from_option, json_option, models_in, open_from
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.output.exits import FAULT, FOUND, NONE, UNKNOWN
from covr.output.report import report
from covr.output.streams import known

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.explain.drawn_answer import Judgement
    from covr.links.opened import Linked


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
    from covr.compiler.evaluate.unlike import noting
    from covr.inputs.library import find_linked
    from covr.questions.clue_check import contradicted_clues
    from covr.questions.remarks import remarks

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
    parts = [f"{n} {word}{'' if n == 1 else 's'}" for n, word in counts if n]
    if not parts and judgement is None:
        click.echo(f"{model}: no faults")
    elif parts:
        click.echo(f"{model}: {', '.join(parts)}")
    if judgement is not None:
        click.echo(judgement if is_link(model) else f"{model}: {judgement}")


def _figures(found: list[Diagnostic]) -> dict[str, int]:
    errors = sum(d.is_error for d in found)
    return {"errors": errors, "warnings": len(found) - errors}
