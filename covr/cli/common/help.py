"""The help of a subcommand: `--help` fits on a screen, `--help-all` says everything.

Where the whole help is longer than a screen, `--help` leaves out the options in `FURTHER`, all but the first sentence
about each option that it lists, and what stands behind a form feed (`\\f`) in the docstring. `command` makes every
subcommand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from inspect import cleandoc
from typing import Any

import click

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
