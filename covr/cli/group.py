"""The `covr` command: imports a subcommand when it is called, and turns errors into messages."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from importlib import import_module
from inspect import cleandoc
from typing import Any

import click
from click.exceptions import NoArgsIsHelpError

from covr import __version__
from covr.dsl import suggest
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source, Span
from covr.output import streams
from covr.output.streams import known

# --- other words -----------------------------------------------------------------------------------------------------
# What is wrong with a command line, as a fault with its place and its cure like those of models; and what options are
# called in other tools: solvers, compilers, programs for puzzles, which cures name.


CODE = "E524"  # words of a command line that do not fit
MISSING = re.compile(r"Missing argument '(\w+)'[.;]?(.*)$")
TOO_MANY = re.compile(r"Got unexpected extra argument(s?) \((.*)\)")
NAMED = re.compile(r"--?[A-Za-z][\w-]*")  # an option in a sentence

# An option that covr does not have → those of covr that mean it, the first that a command has being the one.
MEANT: dict[str, tuple[str, ...]] = {}
_ALIKE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("--timeout --time-limit --timelimit --time --max-time --tlimit --limit --seconds -t -T", ("--limit-time",)),
    ("--threads --num-threads --workers --cores --parallel --processes --cpus -j -p", ("--jobs",)),
    ("--all-solutions --all-answers --enumerate -a", ("--all",)),
    (
        "--num-solutions --solutions --max-solutions --models --answers --number --count --num",
        ("-n", "--limit-answers"),
    ),
    ("--random-seed --random --rng", ("--seed",)),
    ("--verbose --statistics --stats --log -v -s", ("--progress",)),
    ("--silent --no-progress", ("--quiet",)),
    ("--output-file --outfile --save --svg --pdf --png", ("--output",)),
    ("--memory --memory-limit --memlimit --max-memory --mem", ("--limit-memory",)),
    ("--node-limit --nodes --max-nodes", ("--limit-nodes",)),
    ("--solver --backend --algorithm", ("--engine",)),
    ("--define --data --param --set -d", ("-D",)),
    ("--input-format --input", ("--from",)),
    ("--output-format", ("--format",)),
    ("--bound --bounds --lower-bound", ("--estimate",)),
    ("--checkpoint --resume --journal", ("--run",)),
)
for _words, _ours in _ALIKE:
    MEANT.update(dict.fromkeys(_words.split(), _ours))


def meant(word: str, known: list[str]) -> str | None:
    """The option that a word of another tool means in a command with these options; None if there is none."""
    return next((ours for ours in MEANT.get(word, ()) if ours in known), None)


def fault_of(error: click.ClickException, words: Sequence[str]) -> Diagnostic:
    """A usage error of click as an error with place and fix. words: the command line without `covr`."""
    line = _Line(words)
    context = error.ctx if isinstance(error, click.UsageError) else None
    at = "covr" if context is None else " ".join(["covr", *context.command_path.split()[1:]])
    if context is None and words and not words[0].startswith("-"):
        at = f"covr {words[0]}"
    help = f"`{at} --help` lists the usual options" if at != "covr" else "`covr help` lists the commands"
    pieces = [] if context is None else context.command.collect_usage_pieces(context)
    usage = f"write `{' '.join([at, *pieces])}`" if pieces else help
    if isinstance(error, click.NoSuchOption):
        close = [name for name in _possible(error) if name != error.option_name]
        return line.fault([error.option_name], f"`{at}` has no option `{error.option_name}`", _meant(close) or help)
    if isinstance(error, click.MissingParameter) and error.param is not None and context is not None:
        return line.fault((), f"{_name(error.param, context, ())} is missing", usage)
    if isinstance(error, click.BadParameter) and error.param is not None and context is not None:
        return _of_value(error, line, error.param, context, help)
    if isinstance(error, click.BadOptionUsage):
        takes = "wants a value" if "requires" in error.message else "takes no value"
        return line.fault([error.option_name], f"`{error.option_name}` {takes}", help)
    message = error.format_message()
    if missing := MISSING.match(message):
        return line.fault((), f"{missing[1]} is missing", missing[2].strip().removesuffix(".") or usage)
    if more := TOO_MANY.match(message):
        extra = more[2].split(" ") if more[1] else [more[2]]
        what = f"the word{more[1]} `{more[2]}`"
        return line.fault(extra[:1], f"`{at}` has no use for {what}", usage)
    said, _, cure = message.rstrip(".").partition(". Did you mean ")
    sentence = said.removesuffix("?") + ("?" if said.endswith("?") else "")
    return line.fault(NAMED.findall(said) or words[:1], sentence, f"did you mean {cure}" if cure else help)


def _of_value(
    error: click.BadParameter, line: _Line, param: click.Parameter, context: click.Context, help: str
) -> Diagnostic:
    name, kind = _name(param, context, line.words), param.type
    value = re.match(r"'?(.*?)'? is not ", error.message)
    given = None if value is None else value[1]
    wanted = _wanted(kind)
    message = error.message.rstrip(".")
    if isinstance(kind, click.Choice) and given is not None:
        close = suggest(given, kind.choices)
        every = ", ".join(f"`{choice}`" for choice in kind.choices)
        sentence, help = (
            f"`{name}` can't be `{given}`",
            f"did you mean `{close}`?" if close else f"there are {every}",
        )
    elif wanted and given is not None:
        sentence = f"`{name}` wants {wanted}, and `{given}` is none"
    else:
        sentence = f"`{name}`: {message[:1].lower()}{message[1:]}"
    if isinstance(param, click.Option):
        return line.fault(param.opts, sentence, help, value=True)
    return line.fault([] if given is None else [given], sentence, help)


def _wanted(kind: Any) -> str:
    """The numbers that an option takes, in words; empty if it takes no numbers."""
    if not isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        return ""
    what = "a whole number" if isinstance(kind, click.types.IntParamType) else "a number"
    low, high = getattr(kind, "min", None), getattr(kind, "max", None)
    if low is not None and high is not None:
        return f"{what} from {low:g} to {high:g}"
    if low is not None:
        return f"{what} above {low:g}" if getattr(kind, "min_open", False) else f"{what} of at least {low:g}"
    return what if high is None else f"{what} of at most {high:g}"


def _name(param: click.Parameter, context: click.Context, words: Sequence[str]) -> str:
    """An option as it was written, or else by the first of its names; an argument as the usage calls it."""
    if not isinstance(param, click.Option):
        return param.make_metavar(context).strip("[].")
    return next((name for name in param.opts if _Line(words).index([name]) is not None), param.opts[0])


def _possible(error: click.NoSuchOption) -> Collection[str]:
    """Options that an unknown one may mean: covr's name for it, or the most similar one; else a few others."""
    params = [] if error.ctx is None else error.ctx.command.get_params(error.ctx)
    known = [name for param in params if isinstance(param, click.Option) for name in param.opts]
    close = error.possibilities or ()
    word = error.option_name
    if word not in MEANT:
        word = suggest(word, [*known, *(other for other in MEANT if meant(other, known))]) or word
    ours = word if word in known else meant(word, known)
    if ours is not None:
        return [ours]
    return [name for name in close if name != "--help-all" or len(close) == 1]  # a slip means `--all`


def _meant(names: Iterable[str]) -> str:
    listed = " or ".join(f"`{name}`" for name in names)
    return f"did you mean {listed}?" if listed else ""


class _Line:
    """A command line as text, to underline the words that are wrong."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._text = "covr"
        self._starts: list[int] = []
        for word in words:
            self._starts.append(len(self._text) + 1)
            self._text += " " + shlex.quote(word)

    def index(self, names: Collection[str]) -> int | None:
        """Which word is one of these, or an option of such a name with its value behind it."""
        for at, word in enumerate(self.words):
            if word in names or any(_begins(word, name) for name in names):
                return at
        return None

    def fault(self, names: Collection[str], message: str, help: str, value: bool = False) -> Diagnostic:
        """A fault at the word that is one of these names, or without a place. value: at the option's value."""
        at = self.index(names)
        if at is None:
            return Diagnostic(CODE, message, None, help)
        if value and self.words[at] in names and at + 1 < len(self.words):
            at += 1
        start = self._starts[at]
        end = start + len(shlex.quote(self.words[at]))
        return Diagnostic(CODE, message, Span(Source("the command line", self._text), start, end), help)


def _begins(word: str, name: str) -> bool:
    """Whether a word is an option of this name with its value: `--jobs=2`, `-n2`."""
    if name.startswith("--"):
        return word.startswith(name + "=")
    return name.startswith("-") and len(name) == 2 and word.startswith(name) and not word.startswith("--")


# --- help ------------------------------------------------------------------------------------------------------------
# Where the help of a subcommand is longer than a screen, `--help` leaves out the options in `FURTHER`, all but the
# first sentence about others, and what stands behind a form feed (`\f`) in the docstring; `--help-all` shows it.


SCREEN = 30  # lines that `--help` may have, on a terminal of 80 columns

# Options that are seldom needed, by the first of their names.
FURTHER = {
    "--from", "--theme", "--check-estimate", "--limit-nodes", "--limit-memory", "--limit-answers", "--seed",
    "--estimate", "--engine", "--verify", "--cluster", "--progress", "-q", "--paper", "--per-page", "--clues-at-most",
    "--exact", "--counts", "--heat", "--export", "--as", "--ignore", "--near", "--proof",
    "--limit-proof", "--author", "--date", "--minimal", "--links",
}  # fmt: skip
ALL = "covr.help-all"  # the key in click's context that says that everything is shown
BOUND = re.compile(r"  \[x[<>]=[^][]*\]$")  # how click says which numbers an option takes
LATER_SENTENCES = re.compile(r"(?<=[.?])\s+(?=[A-Z`-]).*", re.DOTALL)


class CompilingStopped(Exception):
    """Raised when a limit is reached before the model is compiled. kind: `time` or `memory`.  said: in words."""

    def __init__(self, kind: str, said: str) -> None:
        super().__init__(said)
        self.kind, self.said = kind, said


class OutOfTime(KeyboardInterrupt):
    """Raised in the middle of a command whose time limit passed long ago.

    It is a KeyboardInterrupt, so that files and processes are released, and no search mistakes it for its own end.
    """

    def __init__(self, message: str) -> None:
        """Python's codecs put other words around an exception that passes through them, unless its class has this."""
        super().__init__(message)


def command(name: str, usual: Collection[str] = ()) -> Callable[[Callable[..., Any]], click.Command]:
    """A decorator that makes a subcommand, as `click.command` does. usual: `FURTHER` options that its short help lists
    all the same."""
    settings = {"help_option_names": ["-h", "--help"]}
    return click.command(name, cls=Command, usual=usual, context_settings=settings)


def _stopped(said: str, as_json: bool, **fields: Any) -> int:
    """Say that a limit was hit in the middle of the work; returns the exit code. fields: of the `end` object."""
    known(streams.UNKNOWN)
    streams.remark(said)
    if as_json:
        from covr.output.writers import emit_nothing

        emit_nothing(streams.UNKNOWN, **fields)
    return streams.UNKNOWN


class Command(click.Command):
    """A subcommand with a short help and a long one."""

    def __init__(self, *args: Any, usual: Collection[str], **words: Any) -> None:
        super().__init__(*args, **words)
        self.further = FURTHER.difference(usual)

    def invoke(self, ctx: click.Context) -> Any:
        """Run it. With `--json`, the errors of a faulty model are written as objects, followed by the `end` object."""
        as_json = bool(ctx.params.get("as_json") or ctx.params.get("form") == "json")
        try:
            return super().invoke(ctx)
        except CompilingStopped as stopped:
            return _stopped(stopped.said, as_json, limit=stopped.kind)
        except OutOfTime as stopped:
            return _stopped(str(stopped), as_json, limit="time", answers=None)
        except ModelErrors as errors:
            if not as_json:
                raise
            from covr.output.writers import emit_fault

            emit_fault(errors.diagnostics)
            return streams.FAULT

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """All parameters, with --help-all behind those that the subcommand declares."""
        return [*super().get_params(ctx), HELP_ALL]

    def is_long(self) -> bool:
        """Whether `--help` leaves something out."""
        return "\f" in (self.help or "") or any(map(self.is_further, self.params))

    def is_further(self, param: click.Parameter) -> bool:
        """Whether an option is one that `--help` leaves out."""
        return isinstance(param, click.Option) and param.opts[0] in self.further

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The docstring, of which `--help` leaves out what stands behind the form feed."""
        usual, _, further = cleandoc(self.help or "").partition("\f\n")
        text = _joined(usual, further) if ctx.meta.get(ALL) else usual.rstrip()
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(text)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The usual options, in short; with --help-all these in full, and then the others."""
        usual = [param for param in self.get_params(ctx) if not self.is_further(param)]
        further = [param for param in self.get_params(ctx) if self.is_further(param)]
        if not self.is_long():
            usual.remove(HELP_ALL)
        if ctx.meta.get(ALL) or not self.is_long():
            _write(ctx, formatter, "Options", usual, str)
            _write(ctx, formatter, "Further options", further, str)
        else:
            _write(ctx, formatter, "Options", usual, in_short)


def _write(
    ctx: click.Context, formatter: click.HelpFormatter, title: str, params: list[click.Parameter],
    said: Callable[[str], str],
) -> None:  # fmt: skip
    """A section of options. said: what becomes of the help of each."""
    records = [
        record
        for param in params
        if isinstance(param, click.Option) and (record := param.get_help_record(ctx)) is not None
    ]
    if records:
        with formatter.section(title):
            formatter.write_dl([(names, said(text)) for names, text in records])


def _joined(usual: str, further: str) -> str:
    """The two parts of a docstring. The examples, which end the first, go on in the second if that begins with one."""
    between = "\n" if further.startswith("  ") or not further else "\n\n"
    return usual.rstrip() + between + further.strip("\n")


def in_short(text: str) -> str:
    """The first sentence of an option's help, without the numbers that the option takes."""
    return LATER_SENTENCES.sub("", BOUND.sub("", text))


def _show_all(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        ctx.meta[ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


HELP_ALL = click.Option(
    ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_show_all,
    help="Show all options, in full, and exit.",
)  # fmt: skip


# --- The `covr` command: imports a subcommand when it is called, and turns errors into messages -----------------------
# No exception that a user can cause leaves `Commands.main`: a fault of the model is shown as a diagnostic, a wrong
# option is explained, a closed pipe ends the command quietly, and Ctrl-C ends it with 130.


# The subcommands as `covr --help` lists them: heading → name → what it does.
GROUPS = {
    "To begin with": {
        "new": "Write a small model to start from.",
        "gallery": "List the models that ship with covr, by kind.",
        "solve": "Find answers of a model.",
        "count": "Count the answers of a model.",
        "check": "Look for errors in models without solving them.",
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
        "hint": "Show the next move that a person would make.",
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

# subcommand → its file, where that has another name
FILES = {
    "candidates": "hint",
    "compile": "answers",
    "convert": "new",
    "count": "solve",
    "completion": "new",
    "fmt": "explain",
    "gallery": "new",
    "grade": "hint",
    "help": "explain",
    "lsp": "new",
    "merge": "answers",
    "params": "check",
    "piece": "answers",
    "resume": "solve",
    "sample": "size",
    "spare": "hint",
    "split": "answers",
    "status": "answers",
    "studio": "new",
    "test": "check",
    "trace": "show",
    "verify": "explain",
    "watch": "show",
    "why": "hint",
}
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
        """Run the subcommand. A closed pipe ends it quietly, with the exit code for what is known by then."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:
            streams.leave()
            return streams.so_far(ctx)
        except streams.UnwritableStream as error:
            streams.leave()
            return streams.so_far(ctx) if error.gone else streams.refuse(error)

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
    """Call `run`, and turn every exception that a user can cause into a message and an exit code. words: of the command
    line."""
    try:
        result = run()
        return result if isinstance(result, int) else streams.FOUND
    except ModelErrors as errors:
        streams.report(errors.diagnostics)
        return streams.FAULT
    except NoArgsIsHelpError as error:  # `covr` alone
        error.show()
        return streams.FAULT
    except click.ClickException as error:
        streams.report([fault_of(error, words)])
        return streams.FAULT
    except streams.UnwritableStream as error:  # raised before a subcommand runs, as by --help
        streams.leave()
        return streams.FOUND if error.gone else streams.refuse(error)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return streams.INTERRUPTED
    except RecursionError:
        click.echo("error: the model nests too deeply", err=True)
        return streams.FAULT
    except MemoryError:
        click.echo("error: there is not enough memory for this model", err=True)
        return streams.FAULT
    except OSError as error:
        which = f"`{os.fsdecode(error.filename)}`: " if isinstance(error.filename, str | bytes | os.PathLike) else ""
        click.echo(f"error: {which}{error.strerror or error}", err=True)
        return streams.FAULT
    except Exception as error:
        if _is_refusal(error):
            click.echo(f"error: {error}", err=True)
            return streams.FAULT
        if os.environ.get("COVR_TRACEBACK"):
            raise
        click.echo(f"error: a mistake in covr itself ({type(error).__name__}: {str(error)[:200]})", err=True)
        click.echo("please report it with the model; COVR_TRACEBACK=1 shows where it happens", err=True)
        return streams.FAULT


def _is_refusal(error: Exception) -> bool:
    from covr.engine.base.alone import Unsuited

    return isinstance(error, Unsuited)


def no_command(name: str) -> str:
    """What is said of a command that does not exist, with the one that may be meant."""
    from covr.inputs.library import gallery_names

    close = suggest(name, COMMANDS)
    if name.endswith(".cover") or name in gallery_names():
        close = f"covr solve {name}"
    return f"there is no command `{name}`." + (f" Did you mean `{close}`?" if close else "")


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if not asked or ctx.resilient_parsing:
        return
    from covr.engine import back_end, kernel

    python = ".".join(map(str, sys.version_info[:3]))
    click.echo(f"covr {__version__}, kernel {kernel()}, {back_end()}, Python {python}")
    ctx.exit()


EPILOG = """
\b
Exit codes: 0  found or proved as asked
            1  proved that there is none, or not unique
            2  an error in the model, the data or the command line
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
    `covr help solve` lists the usual options of a command, and `covr solve --help-all` every one.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
