"""`covr fmt`: one layout for every model."""

from __future__ import annotations

import difflib
from pathlib import Path

import click

from covr.cli.common.help import command
from covr.cli.common.shared import models_in
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.source import Source
from covr.faults import unwritable_file
from covr.inputs.library import LARGEST_MODEL, STDIN, decode, read_bytes, read_stdin
from covr.output.exits import FAULT, FOUND, NONE
from covr.output.report import remark, report
from covr.output.streams import known
from covr.whole_file import write_whole


@command("fmt")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--check", "checking", is_flag=True, help="Write nothing; name the files whose layout would change.")
@click.option("--diff", "differing", is_flag=True, help="Write nothing; show what would change.")
def fmt_command(paths: tuple[str, ...], checking: bool, differing: bool) -> int:
    """Format models: files, or folders with models in them. `-` formats standard input to standard output.

    Nothing but white space changes; comments and pictures stay as they are. A file with a syntax error is not touched.

    The exit code is 1 with --check if the layout of a file would change, 2 if a file has an error, and 0 otherwise.

    \b
    Examples:
      covr fmt mine.cover
      covr fmt --check models/
      covr fmt --diff mine.cover
    """
    code, other = FOUND, 0
    for path, _ in models_in(paths):
        try:
            other += _format(path, checking, differing)
        except ModelErrors as errors:
            report(errors.diagnostics)
            code = FAULT
    if code == FOUND and checking and other:
        return NONE
    return code


def _format(path: str, checking: bool, differing: bool) -> bool:
    """Format one file; returns whether its layout was different. Raises ModelErrors if it can't be read or parsed."""
    from covr.dsl.format import format_model

    name = "<stdin>" if path == STDIN else path
    data = read_stdin(LARGEST_MODEL) if path == STDIN else read_bytes(Path(path), path, LARGEST_MODEL)
    text = decode(data, name, LARGEST_MODEL)
    wanted = format_model(Source(name, text))
    changed = wanted.encode() != data
    if checking and changed:
        known(NONE)
    if differing and changed:
        before, after = text.splitlines(keepends=True), wanted.splitlines(keepends=True)
        for line in difflib.unified_diff(before, after, name, f"{name} (formatted)"):
            click.echo(line if line.endswith("\n") else f"{line}\n\\ no newline at the end\n", nl=False)
    if checking and changed:
        remark(f"{name}: `covr fmt` would change the layout")
    if checking or differing:
        return changed
    if path == STDIN:
        click.echo(wanted, nl=False)
    elif changed:
        try:
            write_whole(path, wanted.encode())
        except (OSError, ValueError) as error:
            raise unwritable_file(path, error) from None
        remark(f"{name}: formatted")
    return changed
