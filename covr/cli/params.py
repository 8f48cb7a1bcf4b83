"""`covr params`: which values of a model may be set from outside."""

from __future__ import annotations

import click

from covr.cli.common.help import command
from covr.cli.common.shared import compile_from, define_option, json_option, model_argument
from covr.draw.styled import clean
from covr.output.exits import FOUND


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
    from covr.questions.values import jsonable

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
