"""What is wrong with a command line, as a fault with its place and its cure like those of models; and what options are
called in other tools: solvers, compilers, programs for puzzles, which cures name."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import click

from covr.dsl.diagnostics import Diagnostic
from covr.dsl.source import Source, Span

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
    """What click refused, as a fault. words: of the command line, without the name of covr."""
    line = _Line(words)
    context = error.ctx if isinstance(error, click.UsageError) else None
    at = "covr" if context is None else " ".join(["covr", *context.command_path.split()[1:]])
    if context is None and words and not words[0].startswith("-"):
        at = f"covr {words[0]}"
    help = f"`{at} --help` tells the usual options" if at != "covr" else "`covr help` lists the commands"
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
    told = said.removesuffix("?") + ("?" if said.endswith("?") else "")
    return line.fault(NAMED.findall(said) or words[:1], told, f"did you mean {cure}" if cure else help)


def _of_value(
    error: click.BadParameter, line: _Line, param: click.Parameter, context: click.Context, help: str
) -> Diagnostic:
    """A value that an option or an argument can't have."""
    name, kind = _name(param, context, line.words), param.type
    value = re.match(r"'?(.*?)'? is not ", error.message)
    given = None if value is None else value[1]
    wanted = _wanted(kind)
    message = error.message.rstrip(".")
    if isinstance(kind, click.Choice) and given is not None:
        from covr.dsl import suggest

        close = suggest(given, kind.choices)
        every = ", ".join(f"`{choice}`" for choice in kind.choices)
        told, help = f"`{name}` can't be `{given}`", f"did you mean `{close}`?" if close else f"there are {every}"
    elif wanted and given is not None:
        told = f"`{name}` wants {wanted}, and `{given}` is none"
    else:
        told = f"`{name}`: {message[:1].lower()}{message[1:]}"
    if isinstance(param, click.Option):
        return line.fault(param.opts, told, help, value=True)
    return line.fault([] if given is None else [given], told, help)


def _wanted(kind: Any) -> str:
    """Which numbers an option takes, in words; empty if it takes something else."""
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
    """Options that an unknown one may mean: the one of covr's that other tools call so, or those that look alike."""
    command = error.ctx.command if error.ctx is not None else None
    known = [
        name for param in (command.params if command else ()) if isinstance(param, click.Option) for name in param.opts
    ]
    ours = meant(error.option_name, known)
    close = error.possibilities or ()
    if ours is not None:
        return [ours]
    return [name for name in close if name != "--help-all" or len(close) == 1]  # a slip means `--all`


def _meant(names: Iterable[str]) -> str:
    listed = " or ".join(f"`{name}`" for name in names)
    return f"did you mean {listed}?" if listed else ""


class _Line:
    """A command line as a text, in which the words of a fault are found."""

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
        """A fault at the word that is one of these names; without a place if there is none. value: at the value that
        stands behind the option."""
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
