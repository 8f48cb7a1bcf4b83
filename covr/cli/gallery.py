"""`covr gallery`: the models that ship with covr."""

from __future__ import annotations

import json

import click

from covr.cli.common.help import command
from covr.cli.common.shared import json_option
from covr.output.exits import FOUND


@command("gallery")
@json_option
def gallery_command(as_json: bool) -> int:
    """List the models that ship with covr, by kind, each with a line that says what it asks. Any of them can be called
    by its name.

    \b
    Examples:
      covr gallery
      covr solve soma_shapes
      covr show soma_shapes --source
    """
    from covr.inputs.kinds import kinds

    found = kinds()
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
