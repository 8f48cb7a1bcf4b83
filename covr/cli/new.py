"""What a person begins with: `covr new`, `gallery`, `studio`, `lsp` and `completion`, and `convert` for matrices."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import get_completion_class

from covr.cli import shared
from covr.cli.group import command
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.syntax import AnswersBy
from covr.engine.base.alone import wanted
from covr.faults import unwritable_file, usage_error
from covr.inputs.as_link import kinds, starter
from covr.inputs.library import STDIN, SUFFIX, checked, find_linked, find_source, gallery, is_there, link_source
from covr.output.streams import FOUND, remark
from covr.questions.answer import spare_own_files

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.formats import Format

# --- `covr new`: a model to start from --------------------------------------------------------------------------------


TABLE = re.compile(r'\b(?:table|file)\(\s*"(\w[\w.-]*)"')  # a file beside a model, as the model names it


@command("new")
@click.argument("file", metavar="FILE")
@click.option(
    "--like", metavar="MODEL", shell_complete=shared.complete_models,
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
@shared.json_option
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


@command("convert", usual=("--from", "--as"))
@click.argument("source", metavar="IN")
@click.argument("target", metavar="[OUT]", required=False)
@click.option(
    "--from", "from_", metavar="FORMAT", shell_complete=shared.complete_names("readable"),
    help="The format of IN, if its name does not show it.",
)  # fmt: skip
@click.option(
    "--to", metavar="FORMAT", shell_complete=shared.complete_names("writable"),
    help="The format of OUT, if its name does not show it.",
)  # fmt: skip
@click.option("--as", "as_", metavar="KIND", help="The kind of puzzle that IN is, for links that do not say it.")
@shared.ignore_option
@shared.define_option
def convert_command(
    source: str, target: str | None, from_: str | None, to: str | None, as_: str | None, ignore: str | None,
    defines: tuple[str, ...],
) -> int:  # fmt: skip
    """Write the matrix of IN, a model or a file in another program's format, to OUT in another format.

    A model of a puzzle that puzz.link has is written as a link with --to puzz.link, as a file of pzpr with --to pzprv3,
    or as a drawing with --to penpa, and a sudoku with --to f-puzzles; OUT may then be left out. A link is written as a
    model to OUT.cover, to go on from there.

    `-` is standard input or output. If a file's name does not show its format, give it with --from and --to.

    The formats are dlx, json, lp, mps, xcc, csv, npy, sets, hgr, gr, col, vc, ds, scp, rail, spp, opb, cnf, wcnf,
    minizinc, and puzzles of BurrTools; --help-all says what each is, and whether it is read or written.

    \b
    Examples:
      covr convert sudoku sudoku.dlx
      covr convert experts experts.lp
      covr convert scp41.txt - --to mzn | minizinc -
    \f
      covr convert queens -D n=20 queens.cnf
      covr convert puzzle.xmpuzzle puzzle.cover
      covr convert https://puzz.link/p?slither/5/5/cbcbcddad my.cover
      covr convert my.cover --to puzz.link

    \b
    Both ways:  dlx       Knuth's exact cover: .dlx, .mcc
                json      covr's own, complete: .json
                lp, mps   linear programs over 0 and 1: .lp, .mps
    Read:       xcc       miniexact's exact cover: .xcc, .xc
                csv       a 0/1 matrix: .csv, .tsv
                npy       a 0/1 matrix that numpy saved: .npy
                sets      lists of sets to cover with: .sets
                hgr       hypergraphs to hit (PACE, hMETIS): .hgr
                gr, col   graphs (PACE, DIMACS): .gr, .col
                vc, ds    any graph, to cover its edges; to dominate it
                scp       OR-Library set covering: .scp, scp*.txt
                rail      OR-Library railway files: .rail, rail*.txt
                spp       OR-Library set partitioning: .spp, spp*.txt
    To a model: BurrTools' puzzles of cubes: .xmpuzzle to .cover
                links and files of puzz.link and pzpr
    Links:      puzz.link an address;  pzprv3  a file of pzpr
                f-puzzles sudokus with all that covr reads of them
                penpa     a drawing of penpa-edit
    Written:    opb       pseudo-Boolean: .opb
                cnf       DIMACS: .cnf;  wcnf  MaxSAT: .wcnf
                minizinc  MiniZinc: .mzn

    Costs are minimised; for a model with `maximize` they are its values with the opposite sign. The written file has
    exactly the answers of the matrix. Totals and `if … then` can be written as lp, mps, opb and minizinc; `connected`
    and `loop` only as json. No format can express `up to`; if the model uses that, a note says so.
    """
    from covr.inputs.as_link import link_form

    if to is not None and (link := link_form(to)) is not None:
        return _to_link(source, target or STDIN, link, from_, as_, ignore is not None, defines)
    if target is None:
        raise click.UsageError("Missing argument 'OUT'.")
    if to is None and target.endswith(SUFFIX):
        return _to_model(source, target, from_, as_, ignore is not None, defines)
    if as_ is not None or ignore is not None:
        which = "--ignore" if as_ is None else "--as"
        message = f"{which} goes with --to puzz.link, pzprv3, penpa or f-puzzles, and with a model as OUT."
        raise click.UsageError(message)
    return _to_matrix(source, target, from_, to, defines)


def _to_matrix(source: str, target: str, from_: str | None, to: str | None, defines: tuple[str, ...]) -> int:
    from covr.compiler.formats import WRITABLE
    from covr.compiler.formats.draft import listening
    from covr.inputs.matrices import find_format, matrix_format, open_any, write_problem

    form = find_format(to) if to is not None else matrix_format(target)
    if form is None:
        raise click.UsageError(f"the name `{target}` does not show the format; give --to FORMAT.")
    if not form.writes:
        message = f"covr reads the format {form.name} but does not write it"
        raise usage_error("E601", message, help=f"it writes {', '.join(WRITABLE)}")
    compiled = open_any(source, shared.overrides_from(defines), from_, remark)
    _check_expressible(compiled, form)
    spare_own_files(compiled, target)
    with listening() as noted:
        write_problem(compiled.problem, target, form)
    for said in noted:
        remark(said)
    if compiled.has_symmetry:
        remark("`up to` can't be expressed in this format: the file has every answer, not one of each class")
    if form.name == "cnf" and compiled.goal is not None:
        remark(f"a CNF has no goal: the file is written without `{compiled.goal}` (wcnf can express it)")
    return FOUND


def _check_expressible(compiled: Compiled, form: Format) -> None:
    """Raise ModelErrors E603 for a statement that a format has no words for."""
    if compiled.problem.projection is not None and not form.tells:
        by = [*compiled.model.all(AnswersBy)]
        message = f"the format {form.name} has no words for `answers by`"
        help = "`--to json` can say it; without the statement, every answer counts by itself"
        raise ModelErrors([Diagnostic("E603", message, by[0].span if by else None, help)])
    unsaid = form.unsaid(compiled.problem)
    if unsaid is not None and unsaid < len(compiled.lowered.side_origins):
        span = compiled.lowered.side_origins[unsaid].statement.span
        help = "lp, mps, opb and minizinc say totals and `if … then`; json says everything"
        raise ModelErrors([Diagnostic("E603", form.cannot_say(compiled.problem, unsaid), span, help)])


def _to_model(
    source: str, target: str, from_: str | None, as_: str | None, ignore: bool, defines: tuple[str, ...]
) -> int:
    """Write a source as a model: a BurrTools puzzle is translated, a model is copied as it is."""
    from covr.inputs.as_link import linked_as
    from covr.inputs.matrices import matrix_format, write_text
    from covr.links.file import called

    if from_ is not None or matrix_format(source) is not None:
        message = "a matrix can't be written as a model, because it does not say what its rows and columns mean"
        raise usage_error("E601", message, help="solve it as it is: covr solve FILE --from FORMAT")
    if defines:
        raise click.UsageError("-D has no effect on the text of a model.")
    if as_ is None and not ignore:
        found = find_source(source)
    else:
        linked = linked_as(source, as_, ignore)
        found = link_source(linked, called(source))
        shared.tell_passed(linked, ignore)
    checked(found)
    if found.remark:
        remark(f"`{found.name}` {found.remark}")
    write_text(found.text, target)
    return FOUND


def _to_link(
    source: str, target: str, form: str, from_: str | None, as_: str | None, ignore: bool, defines: tuple[str, ...]
) -> int:
    """Write a model, or another link, as a link or as the file of a puzzle."""
    from covr.inputs.as_link import linked_from, written
    from covr.inputs.matrices import open_any, write_text
    from covr.links.file import called

    linked = None if defines or from_ is not None else find_linked(source, as_, ignore)
    if linked is None:
        linked = linked_from(open_any(source, shared.overrides_from(defines), from_, remark), form)
    else:
        shared.tell_passed(linked, ignore)
        if linked.board.remark:
            remark(f"`{called(source)}` {linked.board.remark}")
    write_text(written(linked, form), target)
    return FOUND
