"""`covr new`, `gallery`, `studio`, `lsp` and `completion`: what a person begins with."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from covr.cli.common.group import command
from covr.cli.common.shared import complete_models, json_option
from covr.engine.base.alone import wanted
from covr.faults import unwritable_file, usage_error
from covr.inputs.as_link import kinds, starter
from covr.inputs.library import SUFFIX, find_source, gallery, is_there
from covr.output.streams import FOUND

# --- `covr new`: a model to start from --------------------------------------------------------------------------------


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


# --- `covr gallery`: the models that ship with covr -------------------------------------------------------------------


@command("gallery")
@click.argument("words", metavar="[WORD]...", nargs=-1)
@json_option
def gallery_command(words: tuple[str, ...], as_json: bool) -> int:
    """List the models that ship with covr, by kind, each with a line that says what it asks. Any of them can be called
    by its name. With WORDs, list only models that have all of them in their name, kind or line.

    \b
    Examples:
      covr gallery
      covr gallery cube
      covr solve soma_shapes
      covr show soma_shapes --source
    """
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


# --- `covr studio`: a page in the browser, with this machine's engine behind it ---------------------------------------


@command("studio")
@click.argument("where", metavar="[FOLDER|MODEL]", required=False)
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="Use this port, and no other; 0 for any.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def studio_command(where: str | None, port: int | None, no_browser: bool) -> int:
    """Open a page to write models in: their errors, pictures and answers while you type. Needs `covr[studio]`.

    FOLDER is the folder whose files the page may read and write, MODEL a file in it, or a model of the gallery, of
    which a copy is opened. The page is for this machine alone: its address holds a new key each time.
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
    if where is None or Path(where).is_dir():
        untitled = Path(f"untitled{SUFFIX}")
        return Path(where or "."), {"name": untitled.name, "model": None, "text": starter(untitled, "Rooks")}
    source = find_source(where)
    place = Path(source.path)
    if not is_there(place) or place.is_relative_to(gallery().resolve()):
        return Path("."), {"name": Path(source.name).name, "model": None, "text": source.text}
    return place.parent, {"name": place.name, "model": place.name, "text": source.text}


# --- `covr lsp`: what editors start -----------------------------------------------------------------------------------


@command("lsp")
def lsp_command() -> None:
    """Serve editors by the language server protocol, over standard input and output.

    Editors start it by themselves: docs/studio.md says how to set them up. Needs `covr[lsp]`.

    \b
    Examples:
      covr lsp
    """
    wanted("pygls", "lsp", "`covr lsp`")
    from covr.lsp.server import serve

    serve()


# --- `covr completion`: writes the script with which a shell completes words, using click's own mechanism -------------
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
