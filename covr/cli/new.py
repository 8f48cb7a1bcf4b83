"""`covr new`: a model to start from."""

from __future__ import annotations

import re
from pathlib import Path

import click

from covr.cli.common.help import command
from covr.cli.common.shared import complete_models
from covr.faults import unwritable_file, usage_error
from covr.inputs.library import SUFFIX, find_source
from covr.inputs.starter import starter

TABLE = re.compile(r'\b(?:table|file)\(\s*"(\w[\w.-]*)"')  # a file beside a model, as the model names it


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
    source = None if like is None else find_source(like)
    text = starter(path) if source is None else source.text
    try:
        with path.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise usage_error("E508", f"`{path}` exists already", help="choose another name") from None
    except (OSError, ValueError) as error:
        raise unwritable_file(path, error) from None
    copied = "" if like is None else f", a copy of {like}"
    click.echo(f"wrote {path}{copied}: try `covr solve {path}`")
    if source is not None and source.path:
        for table in _copied(text, Path(source.path).parent, path.parent):
            click.echo(f"wrote {table}, a table that it reads")
    return 0


def _copied(text: str, folder: Path, other: Path) -> list[Path]:
    """The tables that a model reads, copied from the one folder to the other; what is there already stays."""
    found = []
    for name in dict.fromkeys(TABLE.findall(text)):
        try:
            if (folder / name).is_file() and not (other / name).exists():
                with (other / name).open("xb") as out:
                    out.write((folder / name).read_bytes())
                found.append(other / name)
        except OSError as error:
            raise unwritable_file(other / name, error) from None
    return found
