"""`covr completion`: writes the script with which a shell completes words, using click's own mechanism.

The script asks `covr` itself for the words. So it always offers the models, files and params that exist when Tab is
pressed; the params are those of the model on the line.
"""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from covr.cli.common.help import command
from covr.output.exits import FOUND

WHERE = {
    "bash": 'eval "$(covr completion bash)"   # in ~/.bashrc',
    "zsh": 'eval "$(covr completion zsh)"   # in ~/.zshrc',
    "fish": "covr completion fish > ~/.config/fish/completions/covr.fish",
}


@command("completion")
@click.argument("shell", metavar="SHELL", type=click.Choice(list(WHERE)))
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> int:
    """Write the script that lets SHELL complete commands, options, models and params.

    \b
    Examples:
      eval "$(covr completion bash)"                                  # in ~/.bashrc
      eval "$(covr completion zsh)"                                   # in ~/.zshrc
      covr completion fish > ~/.config/fish/completions/covr.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "covr", "_COVR_COMPLETE").source())
    return FOUND
