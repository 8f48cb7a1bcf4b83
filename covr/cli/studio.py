"""`covr studio`, `covr lsp`, `covr completion`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from covr.cli.common.help import command
from covr.engine.base.alone import wanted
from covr.faults import usage_error
from covr.output.streams import FOUND

# --- studio ----------------------------------------------------------------------------------------------------------
# `covr studio`: a page in the browser, with this machine's engine behind it.


@command("studio")
@click.argument("where", metavar="[FOLDER|MODEL]", required=False)
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="Use this port, and no other; 0 for any.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def studio_command(where: str | None, port: int | None, no_browser: bool) -> int:
    """Open a page to write models in: their faults, pictures and answers while they are typed. Needs `covr[studio]`.

    FOLDER is the folder whose files the page may read and write, MODEL a file in it, or a model of the gallery, of
    which a copy is opened. The page is for this machine alone: its address holds a key that is made anew each time.
    Ctrl-C ends it, with all that it is working on.

    \b
    Examples:
      covr studio
      covr studio sudoku
      covr studio puzzles/mine.cover
    """
    wanted("starlette", "studio", "`covr studio`")
    wanted("uvicorn", "studio", "`covr studio`")
    import asyncio

    from covr.studio.app import INDEX, PORT, NoPort, Studio, find_page, listen, not_built, open_browser, serve
    from covr.studio.asking import StudioLimits
    from covr.studio.folder import StudioFolder
    from covr.studio.guard import AccessKey

    folder, opening = _opening(where)
    try:
        taken, number = listen(PORT if port is None else port, exactly=port is not None)
    except NoPort as error:
        raise usage_error("E508", str(error), help="choose another with --port, or 0 for any") from None
    if port is None and number != PORT:
        click.echo(f"port {PORT} is in use, so this is {number}", err=True)
    if not (find_page() / INDEX).is_file():
        click.echo(not_built(), err=True, nl=False)
    key = AccessKey(number)

    def opened() -> None:
        click.echo(f"covr studio: {key.address}")
        click.echo("Ctrl-C ends it.", err=True)
        if not no_browser:
            open_browser(key.address_once())

    async def run() -> None:
        await serve(Studio(StudioFolder(folder), opening, StudioLimits()), taken, key, opened)

    with suppress(KeyboardInterrupt):  # Ctrl-C is how it ends
        asyncio.run(run())
    return FOUND


def _opening(where: str | None) -> tuple[Path, dict[str, str | None]]:
    """The folder, and what the page opens with. Raises ModelErrors for a model that can't be read."""
    from covr.inputs.as_link import starter
    from covr.inputs.library import SUFFIX, find_source, gallery, is_there

    if where is None or Path(where).is_dir():
        untitled = Path(f"untitled{SUFFIX}")
        return Path(where or "."), {"name": untitled.name, "model": None, "text": starter(untitled, "Rooks")}
    source = find_source(where)
    place = Path(source.path)
    if not is_there(place) or place.is_relative_to(gallery().resolve()):
        return Path("."), {"name": Path(source.name).name, "model": None, "text": source.text}
    return place.parent, {"name": place.name, "model": place.name, "text": source.text}


# --- lsp -------------------------------------------------------------------------------------------------------------
# `covr lsp`: what editors start.


@command("lsp")
def lsp_command() -> None:
    """Serve editors by the language server protocol, over standard input and output.

    An editor starts this by itself once it is told to: docs/editors.md says how. Needs `covr[lsp]`.

    \b
    Examples:
      covr lsp
    """
    wanted("pygls", "lsp", "`covr lsp`")
    from covr.lsp.server import serve

    serve()


# --- completion ------------------------------------------------------------------------------------------------------
# `covr completion`: writes the script with which a shell completes words, using click's own mechanism.
#
# The script asks `covr` itself for the words. So it always offers the models, files and params that exist when Tab is
# pressed; the params are those of the model on the line.


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
