"""`covr new`: a model to start from."""

from __future__ import annotations

from pathlib import Path

import click

from covr.cli.common.help import command
from covr.cli.common.shared import complete_models
from covr.faults import unwritable_file, usage_error
from covr.inputs.library import SUFFIX, find_source
from covr.inputs.starter import starter


@command("new")
@click.argument("file", metavar="FILE")
@click.option(
    "--like", metavar="MODEL", shell_complete=complete_models,
    help="Copy this model, of the gallery or a file, instead.",
)  # fmt: skip
def new_command(file: str, like: str | None) -> int:
    """Write a small model to FILE, or a copy of another one, to be changed into yours. An existing file is never
    touched.

    \b
    Examples:
      covr new rooks.cover
      covr new mine.cover --like sudoku
    """
    path = Path(file if file.endswith(SUFFIX) else file + SUFFIX)
    text = starter(path) if like is None else find_source(like).text
    try:
        with path.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise usage_error("E508", f"`{path}` exists already", help="choose another name") from None
    except (OSError, ValueError) as error:
        raise unwritable_file(path, error) from None
    copied = "" if like is None else f", a copy of {like}"
    click.echo(f"wrote {path}{copied}: try `covr solve {path}`")
    return 0
