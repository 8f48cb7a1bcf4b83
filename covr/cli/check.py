"""`covr check`: faults and remarks, without solving."""

from __future__ import annotations

import click

from covr.cli.common.help import command
from covr.cli.common.shared import complete_models, define_option, from_option, json_option, models_in, open_from
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.output.exits import FAULT, FOUND, UNKNOWN
from covr.output.report import report
from covr.output.streams import known


@command("check")
@click.argument("models", metavar="MODEL...", nargs=-1, required=True, shell_complete=complete_models)
@define_option
@from_option
@json_option
def check_command(models: tuple[str, ...], defines: tuple[str, ...], as_json: bool) -> int:
    """Look for faults in each MODEL: its syntax, its names, its data, and rules that hardly say what was meant.

    A folder stands for all models in it. A matrix in another program's format is only read. A comment
    `# covr: allow W202` beside a statement, or on the line above it, silences that warning.

    The exit code is 2 if there is an error, and 0 if there are only warnings.

    \b
    Examples:
      covr check mine.cover
      covr check models/ --json
    """
    from covr.compiler.evaluate.unlike import noting
    from covr.questions.remarks import remarks

    code = FOUND
    known(UNKNOWN)
    for model, _ in models_in(models):
        try:
            with noting() as noted:
                found = list(remarks(open_from(model, defines), noted))
        except ModelErrors as errors:
            found = list(errors.diagnostics)
        if any(d.is_error for d in found):
            code = FAULT
        known(code)
        _write(model, found, as_json)
    return code


def _write(model: str, found: list[Diagnostic], as_json: bool) -> None:
    if as_json:
        from covr.output import stream

        stream.emit_diagnostics(found)
        stream.emit("end", model=model, **_figures(found))
        return
    report(found)
    errors, warnings = _figures(found).values()
    if not found:
        click.echo(f"{model}: no faults")
    else:
        parts = [f"{n} {word}{'' if n == 1 else 's'}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
        click.echo(f"{model}: {', '.join(parts)}")


def _figures(found: list[Diagnostic]) -> dict[str, int]:
    errors = sum(d.is_error for d in found)
    return {"errors": errors, "warnings": len(found) - errors}
