"""`covr new` and `covr gallery`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from covr.cli.common.help import command
from covr.cli.common.shared import complete_models, json_option
from covr.faults import unwritable_file, usage_error
from covr.inputs.as_link import starter
from covr.inputs.library import SUFFIX, find_source
from covr.output.streams import FOUND

# --- new -------------------------------------------------------------------------------------------------------------
# `covr new`: a model to start from.


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


# --- gallery ---------------------------------------------------------------------------------------------------------
# `covr gallery`: the models that ship with covr.


@command("gallery")
@click.argument("words", metavar="[WORD]...", nargs=-1)
@json_option
def gallery_command(words: tuple[str, ...], as_json: bool) -> int:
    """List the models that ship with covr, by kind, each with a line that says what it asks. Any of them can be called
    by its name. With WORDs, only the models are listed that have all of them in their name, their kind or their line.

    \b
    Examples:
      covr gallery
      covr gallery cube
      covr solve soma_shapes
      covr show soma_shapes --source
    """
    from covr.inputs.as_link import kinds

    wanted = [word.casefold() for word in words]
    found = {
        kind: {n: line for n, line in lines.items() if all(word in f"{n} {kind} {line}".casefold() for word in wanted)}
        for kind, lines in kinds().items()
    }
    found = {kind: lines for kind, lines in found.items() if lines}
    if not found:
        asked = " and ".join(f"`{word}`" for word in words)
        raise usage_error("E501", f"no model of the gallery has {asked}", help="`covr gallery` lists them all")
    width = max((len(name) for lines in found.values() for name in lines), default=0)
    for number, (kind, lines) in enumerate(found.items()):
        if not as_json:
            click.echo("\n" * (number > 0) + kind)
        for name, about in lines.items():
            if as_json:
                row = {"type": "model", "name": name, "kind": kind, "about": about}
                click.echo(json.dumps(row, ensure_ascii=False))
            else:
                click.echo(f"  {name:{width}}  {about}".rstrip())
    return FOUND
