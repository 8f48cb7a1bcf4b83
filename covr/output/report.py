"""Diagnostics and remarks on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from covr.dsl.diagnostics import Diagnostic


def report(diagnostics: Iterable[Diagnostic]) -> None:
    """Print each diagnostic, with blank lines between them; in colour on a terminal."""
    from covr.draw.surface import surface_of
    from covr.dsl import render

    colour = surface_of(sys.stderr).colour
    for number, diagnostic in enumerate(diagnostics):
        if number:
            click.echo(err=True)
        click.echo(render(diagnostic, colour=colour), err=True, color=colour)


def is_quiet() -> bool:
    """Whether `--quiet` was given."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get("covr.quiet"))


def remark(text: str) -> None:
    """Print a sentence about the run on standard error, unless `--quiet` was given."""
    if not is_quiet():
        click.echo(text, err=True)
