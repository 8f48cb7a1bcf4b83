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
from click.exceptions import NoArgsIsHelpError

from covr.dsl.diagnostics import ModelErrors
from covr.output.exits import FAULT, FOUND, INTERRUPTED
from covr.output.streams import UnwritableStream, leave, refuse, so_far

# The subcommands as `covr --help` lists them: heading → name → what it does.
GROUPS = {
    "To begin with": {
        "new": "Write a small model to start from.",
        "gallery": "List the models that ship with covr, by kind.",
        "solve": "Find answers of a model.",
        "count": "Count the answers of a model.",
        "check": "Look for faults in models without solving them.",
        "why": "Say why there is no answer, or why a choice must be in one.",
        "make": "Make puzzles that have one answer.",
        "help": "Show how a command is used.",
    },
    "Solve": {
        "sample": "Draw answers of a model at random.",
        "size": "Estimate how big a search is before it is run.",
        "verify": "Check a proof that there is no other answer, or no cheaper one.",
    },
    "Explain": {
        "explain": "Explain the code of a message.",
        "hint": "Show the next step that a person would make.",
        "candidates": "Say what can still go where.",
        "spare": "Say which givens and rules could be left out.",
        "trace": "Show the search step by step.",
    },
    "Write models and puzzles": {
        "test": "Run the `expect` lines of models.",
        "fmt": "Format models in one uniform layout.",
        "watch": "Solve a model again whenever it is saved.",
        "grade": "Say how hard a puzzle is for a person.",
        "params": "List the params of a model.",
        "show": "Show the matrix that a model becomes.",
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

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands come first, and those that everybody needs at their head."""
        self.format_commands(ctx, formatter)
        super(click.Group, self).format_options(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and name not in COMMANDS and name not in RENAMED:
            ctx.fail(no_command(name))
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
        words = sys.argv[1:] if args is None else list(args)
        run = super().main
        code = _guarded(lambda: run(args, prog_name, standalone_mode=False, **extra), words)
        if standalone_mode and code:
            sys.exit(code)
        return code


def _guarded(run: Any, words: Sequence[str]) -> int:
    """Call `run`; turns every exception that a user can cause into a message and an exit code. words: of the command
    line."""
    try:
        result = run()
        return result if isinstance(result, int) else FOUND
    except ModelErrors as errors:
        from covr.output.report import report

        report(errors.diagnostics)
        return FAULT
    except NoArgsIsHelpError as error:  # `covr` alone
        error.show()
        return FAULT
    except click.ClickException as error:
        from covr.cli.other_words import fault_of
        from covr.output.report import report

        report([fault_of(error, words)])
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


def _is_refusal(error: Exception) -> bool:
    """Whether an error means that an engine or estimate can't do what was asked."""
    from covr.engine.base.extras import Unsuited

    return isinstance(error, Unsuited)


def no_command(name: str) -> str:
    """What is said of a command that does not exist, with the one that may be meant."""
    from covr.dsl import suggest
    from covr.inputs.library import gallery_names

    close = suggest(name, COMMANDS)
    if name.endswith(".cover") or name in gallery_names():
        close = f"covr solve {name}"
    return f"there is no command `{name}`." + (f" Did you mean `{close}`?" if close else "")


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if not asked or ctx.resilient_parsing:
        return
    from covr import __version__
    from covr.engine import back_end, kernel

    python = ".".join(map(str, sys.version_info[:3]))
    click.echo(f"covr {__version__}, kernel {kernel()}, {back_end()}, Python {python}")
    ctx.exit()


EPILOG = """
\b
Exit codes: 0  found or proved as asked
            1  proved that there is none, or not unique
            2  a fault in the model, the data or the command line
            3  a limit was hit with no answer, or the question is open
          130  interrupted
"""


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.option(
    "-V", "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version,
    help="Show the version, which kernel runs, and on what.",
)  # fmt: skip
def cli() -> None:
    """Answers of puzzles, plans and timetables whose rules are written in a model: one, all, or the best.

    A MODEL is a path, the name of a model that ships with covr (`covr solve sudoku`), or `-` for standard input.
    `covr help solve` tells the usual options of a command, and `covr solve --help-all` every one.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
