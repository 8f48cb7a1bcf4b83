"""`covr gallery`: the models that ship with covr."""

from __future__ import annotations

import json

import click

from covr.cli.common.help import command
from covr.cli.common.shared import json_option
from covr.faults import usage_error
from covr.output.exits import FOUND


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
    from covr.inputs.kinds import kinds

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
