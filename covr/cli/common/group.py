"""The `covr` command: imports a subcommand when it is called, and turns errors into messages.

No exception that a user can cause leaves `Commands.main`: a fault of the model is shown as a diagnostic, a wrong option
is explained, a closed pipe ends the command quietly, and Ctrl-C ends it with 130.

What is left of the start of `covr solve sudoku`, measured: importing click and what it imports takes a tenth of it,
Python itself another, and making 134 classes of values (frozen.py) 4 %; it was a quarter while attrs made them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from covr.dsl.diagnostics import ModelErrors
from covr.output.exits import FAULT, FOUND, INTERRUPTED
from covr.output.streams import UnwritableStream, leave, refuse, so_far

# The subcommands as `covr --help` lists them: heading → name → what it does.
GROUPS = {
    "Solve": {
        "solve": "Find answers of a model.",
        "count": "Count the answers of a model.",
        "sample": "Draw answers of a model at random.",
        "size": "Estimate how big a search is before it is run.",
        "verify": "Check a proof that there is no other answer, or no cheaper one.",
    },
    "Explain": {
        "why": "Say why there is no answer, or why a choice must be in one.",
        "spare": "Say which givens and rules could be left out.",
        "trace": "Show the search step by step.",
        "hint": "Show the next step that a person would make.",
        "candidates": "Say what can still go where.",
        "explain": "Explain the code of a message.",
    },
    "Make puzzles and models": {
        "new": "Write a small model to start from.",
        "make": "Make puzzles that have one answer.",
        "grade": "Say how hard a puzzle is for a person.",
        "check": "Look for faults in models without solving them.",
        "test": "Run the `expect` lines of models.",
        "fmt": "Format models in one uniform layout.",
        "watch": "Solve a model again whenever it is saved.",
    },
    "Look at models": {
        "gallery": "List the models that ship with covr, by kind.",
        "show": "Show the matrix that a model becomes.",
        "params": "List the params of a model.",
    },
    "Files and runs": {
        "convert": "Convert matrices from and to other programs' formats.",
        "compile": "Keep all answers of a model in a file, as one diagram.",
        "answers": "Show the answers of a run or a diagram.",
        "resume": "Continue a run that is kept in a file.",
        "status": "Say how far a run is.",
        "split": "Make a folder of pieces of a run, for many processes.",
        "piece": "Answer a piece of such a folder.",
        "merge": "Put what a folder has found into its run.",
    },
    "Tools": {
        "studio": "Write and solve models on a page in the browser.",
        "lsp": "Serve editors, which start this by themselves.",
        "completion": "Write the script that lets a shell complete commands.",
    },
}
COMMANDS = {name: said for lines in GROUPS.values() for name, said in lines.items()}

WIDEST = max(map(len, COMMANDS))  # so that all sections have the same columns

FILES = {"hint": "hint_steps"}  # subcommand → its file, where that has another name
RENAMED = {"estimate": "size"}  # old name → new name: the old one still works, and says what the command is called now


class Commands(click.Group):
    """Subcommands, each in a module that is imported on use, so that `covr` starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = RENAMED.get(cmd_name, cmd_name)
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"covr.cli.{FILES.get(name, name)}"), f"{name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, lines in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(WIDEST), said) for name, said in lines.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and name not in COMMANDS and name not in RENAMED:
            ctx.fail(f"there is no command `{name}`.{_did_you_mean(name)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand. A closed pipe ends it quietly, with the exit code for what is known by then; click would
        exit with 1."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:
            leave()
            return so_far(ctx)
        except UnwritableStream as error:
            leave()
            return so_far(ctx) if error.gone else refuse(error)

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command; returns its exit code. `standalone_mode` exits with it instead, as in click."""
        code = _guarded(lambda: super(Commands, self).main(args, prog_name, standalone_mode=False, **extra))
        if standalone_mode and code:
            sys.exit(code)
        return code


def _guarded(run: Any) -> int:
    """Call `run`; turns every exception that a user can cause into a message and an exit code."""
    try:
        result = run()
        return result if isinstance(result, int) else FOUND
    except ModelErrors as errors:
        from covr.output.report import report

        report(errors.diagnostics)
        return FAULT
    except click.ClickException as error:
        if isinstance(error, click.NoSuchOption):
            _explain(error)
        error.show()
        return FAULT
    except UnwritableStream as error:  # raised before a subcommand runs, as by --help
        leave()
        return FOUND if error.gone else refuse(error)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except RecursionError:
        click.echo("error: the model nests too deeply", err=True)
        return FAULT
    except MemoryError:
        click.echo("error: there is not enough memory for this model", err=True)
        return FAULT
    except OSError as error:
        which = f"`{os.fsdecode(error.filename)}`: " if isinstance(error.filename, str | bytes | os.PathLike) else ""
        click.echo(f"error: {which}{error.strerror or error}", err=True)
        return FAULT
    except Exception as error:
        if _is_refusal(error):
            click.echo(f"error: {error}", err=True)
            return FAULT
        if os.environ.get("COVR_TRACEBACK"):
            raise
        click.echo(f"error: a mistake in covr itself ({type(error).__name__}: {str(error)[:200]})", err=True)
        click.echo("please report it with the model; COVR_TRACEBACK=1 shows where it happens", err=True)
        return FAULT


def _explain(error: click.NoSuchOption) -> None:
    """Let an unknown option name the one of covr's that other tools call so, instead of options that look alike."""
    from covr.cli.other_words import meant

    command = error.ctx.command if error.ctx is not None else None
    if command is None:
        return
    known = [name for param in command.params if isinstance(param, click.Option) for name in param.opts]
    ours = meant(error.option_name, known)
    if ours is not None:
        error.possibilities = [ours]  # type: ignore[misc]
    elif error.possibilities and len(error.possibilities) > 1:  # a slip means `--all`, which `--help-all` looks like
        error.possibilities = [name for name in error.possibilities if name != "--help-all"]  # type: ignore[misc]


def _is_refusal(error: Exception) -> bool:
    """Whether an error means that an engine or estimate can't do what was asked."""
    from covr.engine.base.extras import Unsuited

    return isinstance(error, Unsuited)


def _did_you_mean(name: str) -> str:
    from covr.dsl import suggest

    close = suggest(name, COMMANDS)
    if close:
        return f" Did you mean `{close}`?"
    return f" Did you mean `covr solve {name}`?" if name.endswith(".cover") else ""


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if not asked or ctx.resilient_parsing:
        return
    from covr import __version__
    from covr.engine import back_end, kernel

    python = ".".join(map(str, sys.version_info[:3]))
    click.echo(f"covr {__version__}, kernel {kernel()}, {back_end()}, Python {python}")
    ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version,
    help="Show the version, which kernel runs, and on what.",
)  # fmt: skip
def cli() -> None:
    """covr finds every answer of puzzles and cover problems written as rule sheets.

    A MODEL is a path, the name of a model that ships with covr (`covr solve sudoku`), or `-` for standard input.
    `covr solve --help` tells the usual options of a command, and `covr solve --help-all` every one.

    \b
    Exit codes: 0  found or proved as asked
                1  proved that there is none, or not unique
                2  a fault in the model, the data or the command line
                3  a limit was hit with no answer, or the question is open
              130  interrupted
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
