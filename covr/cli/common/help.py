"""The help of a subcommand, and words for a shell to complete."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

# --- help ------------------------------------------------------------------------------------------------------------
# The help of a subcommand: `--help` fits on a screen, `--help-all` says everything.
#
# Where the whole help is longer than a screen, `--help` leaves out the options in `FURTHER`, all but the first sentence
# about each option that it lists, and what stands behind a form feed (`\f`) in the docstring. `command` makes every
# subcommand.


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


def command(name: str, usual: Collection[str] = ()) -> Callable[[Callable[..., Any]], click.Command]:
    """A decorator that makes a subcommand of this name, as `click.command` does. usual: options that its short help
    lists although they are `FURTHER`."""
    settings = {"help_option_names": ["-h", "--help"]}
    return click.command(name, cls=Command, usual=usual, context_settings=settings)


class Command(click.Command):
    """A subcommand with a short help and a long one."""

    def __init__(self, *args: Any, usual: Collection[str], **words: Any) -> None:
        super().__init__(*args, **words)
        self.further = FURTHER.difference(usual)

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


# --- shell completion ------------------------------------------------------------------------------------------------
# Words for a shell to complete: names of models, params after `-D`, and what else has names, such as symmetries and
# engines. After a fault there are simply no words.


MOST = 200  # files that are offered


def models(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Models of the gallery, and the folders and `.cover` files whose names begin with the word."""
    from covr.inputs.library import SUFFIX, gallery_names

    found = [CompletionItem(name) for name in gallery_names() if name.startswith(begun)]
    with suppress(OSError, ValueError):
        folder, _slash, part = begun.rpartition("/")
        base = Path(folder or ("/" if begun.startswith("/") else "."))
        for path in sorted(base.iterdir())[:MOST]:
            if path.name.startswith(part) and (path.is_dir() or path.suffix == SUFFIX):
                word = begun[: len(begun) - len(part)] + path.name
                found.append(CompletionItem(word + "/" * path.is_dir()))
    return found


def params(ctx: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    """`NAME=` for each param of the model on the line that is not set yet."""
    from covr.dsl import ModelErrors
    from covr.dsl.syntax import Param
    from covr.inputs.library import open_model

    # If an option still lacks its value, click's parser stops before it assigns the arguments to their names.
    model = ctx.params.get("model") or next(iter(ctx.args), None)
    if not isinstance(model, str) or model == "-" or "=" in begun:
        return []
    with suppress(ModelErrors, OSError):
        names = [d.name.id for d in open_model(model).definitions if isinstance(d, Param)]
        taken = {define.partition("=")[0] for define in ctx.params.get("defines") or ()}
        return [CompletionItem(f"{n}=") for n in names if n.startswith(begun) and n not in taken]
    return []


def _codes() -> Iterable[str]:
    from covr.dsl.codes import CODES

    return CODES


def _symmetries() -> Iterable[str]:
    from covr.puzzles.clue_choices import SYMMETRIES

    return SYMMETRIES


def _engines() -> Iterable[str]:
    from covr.engine import ENGINES

    return ENGINES


def _estimates() -> Iterable[str]:
    from covr.engine import ESTIMATES

    return ESTIMATES


def _themes() -> Iterable[str]:
    from covr.draw.themes import THEMES

    return THEMES


def _readable() -> Iterable[str]:
    from covr.compiler.formats import READABLE

    return READABLE


def _writable() -> Iterable[str]:
    from covr.compiler.formats import WRITABLE

    return WRITABLE


# What has names → those names, each found when it is asked for.
NAMES: dict[str, Callable[[], Iterable[str]]] = {
    "code": _codes, "symmetry": _symmetries, "engine": _engines, "estimate": _estimates, "theme": _themes,
    "readable": _readable, "writable": _writable,
}  # fmt: skip


def named(what: str, begun: str) -> list[CompletionItem]:
    """The names of one kind that begin with a word, in whatever case it is typed; of several with commas, the last."""
    before, comma, last = begun.rpartition(",") if what == "estimate" else ("", "", begun)
    found = [name for name in NAMES[what]() if name.casefold().startswith(last.casefold())]
    return [CompletionItem(before + comma + name) for name in found]
