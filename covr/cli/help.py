"""`covr help`: how a command is used."""

from __future__ import annotations

import click

from covr.cli.common.group import COMMANDS, no_command
from covr.cli.common.help import command
from covr.output.exits import FOUND


def _commands(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    return [name for name in COMMANDS if name.startswith(begun)]


@command("help")
@click.argument("name", metavar="[COMMAND]", required=False, shell_complete=_commands)
@click.pass_context
def help_command(ctx: click.Context, name: str | None) -> int:
    """Show how COMMAND is used, as `covr COMMAND --help` does. Without one, list all commands.

    \b
    Example:
      covr help solve
    """
    root = ctx.find_root()
    if name is None:
        click.echo(root.get_help(), color=ctx.color)
        return FOUND
    group = root.command
    assert isinstance(group, click.Group)
    found = group.get_command(root, name)
    if found is None:
        ctx.fail(no_command(name))
    with click.Context(found, info_name=found.name, parent=root) as context:
        click.echo(found.get_help(context), color=ctx.color)
    return FOUND
