"""`covr explain`, `covr help`, `covr fmt` and `covr verify`."""

from __future__ import annotations

import difflib
from pathlib import Path

import click

from covr.cli.group import COMMANDS, command, no_command
from covr.cli.shared import complete_names, models_in
from covr.dsl import suggest
from covr.dsl.diagnostics import ModelErrors, Source
from covr.faults import unwritable_file, usage_error, write_whole
from covr.inputs.library import LARGEST_MODEL, STDIN, decode, read_bytes, read_stdin
from covr.output.streams import FAULT, FOUND, NONE, UNKNOWN, known, remark, report

# --- `covr explain`: the page about a code ----------------------------------------------------------------------------


@command("explain")
@click.argument("codes", metavar="[CODE]...", nargs=-1, shell_complete=complete_names("code"))
def explain_command(codes: tuple[str, ...]) -> int:
    """Explain what a message's CODE means, with an example and how to fix it. Without a code, list them all.

    \b
    Example:
      covr explain E401
    """
    from covr.explain.code_pages import contents, page_text, pages

    known = pages()
    if not codes:
        click.echo(contents())
    for number, code in enumerate(codes):
        page = known.get(code.upper().strip("[]:"))
        if page is None:
            raise _unknown(code)
        click.echo(("\n" + "-" * 80 + "\n\n") * (number > 0) + page_text(page))
    return FOUND


def _unknown(code: str) -> Exception:
    from covr.dsl.codes import CODES

    close = suggest(code.upper(), sorted(CODES))
    help = f"did you mean `{close}`?" if close else "`covr explain` lists them all"
    return usage_error("E511", f"there is no code `{code}`", help=help)


# --- `covr fmt`: one layout for every model ---------------------------------------------------------------------------


@command("fmt")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--check", "checking", is_flag=True, help="Write nothing; name the files whose layout would change.")
@click.option("--diff", "differing", is_flag=True, help="Write nothing; show what would change.")
def fmt_command(paths: tuple[str, ...], checking: bool, differing: bool) -> int:
    """Format models: files, or folders with models in them. `-` formats standard input to standard output.

    Nothing but white space changes; comments and pictures stay as they are. A file with a syntax error is not touched.

    The exit code is 1 with --check if the layout of a file would change, 2 if a file has an error, and 0 otherwise.

    \b
    Examples:
      covr fmt mine.cover
      covr fmt --check models/
      covr fmt --diff mine.cover
    """
    code, other = FOUND, 0
    for path, _ in models_in(paths):
        try:
            other += _format(path, checking, differing)
        except ModelErrors as errors:
            report(errors.diagnostics)
            code = FAULT
    if code == FOUND and checking and other:
        return NONE
    return code


def _format(path: str, checking: bool, differing: bool) -> bool:
    """Format one file; returns whether its layout was different. Raises ModelErrors if it can't be read or parsed."""
    from covr.dsl.format import format_model

    name = "<stdin>" if path == STDIN else path
    data = read_stdin(LARGEST_MODEL) if path == STDIN else read_bytes(Path(path), path, LARGEST_MODEL)
    text = decode(data, name, LARGEST_MODEL)
    wanted = format_model(Source(name, text))
    changed = wanted.encode() != data
    if checking and changed:
        known(NONE)
    if differing and changed:
        before, after = text.splitlines(keepends=True), wanted.splitlines(keepends=True)
        for line in difflib.unified_diff(before, after, name, f"{name} (formatted)"):
            click.echo(line if line.endswith("\n") else f"{line}\n\\ no newline at the end\n", nl=False)
    if checking and changed:
        remark(f"{name}: `covr fmt` would change the layout")
    if checking or differing:
        return changed
    if path == STDIN:
        click.echo(wanted, nl=False)
    elif changed:
        try:
            write_whole(path, wanted.encode())
        except (OSError, ValueError) as error:
            raise unwritable_file(path, error) from None
        remark(f"{name}: formatted")
    return changed


# --- `covr verify`: checks a proof, by a program that shares nothing with the one that wrote it -----------------------


@command("verify")
@click.argument("problem", metavar="FILE.opb")
@click.argument("proof", metavar="FILE.pbp")
def verify_command(problem: str, proof: str) -> int:
    """Check a proof that --proof wrote, or another solver, and say what it shows.

    The checker shares nothing with covr's searches. It reads the problem as OPB and the proof in VeriPB's format,
    versions 2.0 and 3.0, as far as they say `rup`, `pol`, `solx`, `soli` and `del`. The exit code is 1 if a line does
    not follow, and 3 if the proof is right as far as it goes and concludes nothing.

    \b
    Examples:
      covr count queens --proof queens.pbp
      covr verify queens.opb queens.pbp
    """
    from covr.questions.proof_file import RefusedProof, check_proof_file, read_problem

    try:
        about = read_problem(problem)
    except RefusedProof as fault:
        click.echo(f"error: {problem}:{fault.line}: {fault.what}", err=True)
        return FAULT
    try:
        checked = check_proof_file(about, proof)
    except RefusedProof as fault:
        place = f"{proof}:{fault.line}" if fault.line else proof
        click.echo(f"not verified: {place}: {fault.what}", err=True)
        return NONE
    click.echo(checked.in_words())
    if checked.answer is not None:
        names = ", ".join(checked.answer)
        click.echo(f"the answer: {names}" if names else "the answer has no names in the file")
    return UNKNOWN if checked.shown.kind == "nothing" else FOUND


# --- `covr help`: how a command is used -------------------------------------------------------------------------------


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
