"""`covr watch`: solve a model again whenever it is saved.

The times and sizes of the files are checked several times a second: this needs no library, works on every file system,
and takes no noticeable time. The files are the model, its libraries, and those that `-D name=@FILE` names. If a file is
missing for a moment, as happens when an editor saves it, covr waits for it.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from covr.cli.common.help import command
from covr.cli.common.shared import define_option, model_argument, open_from, options_from, search_options
from covr.dsl.diagnostics import ModelErrors
from covr.output.exits import INTERRUPTED
from covr.output.report import report
from covr.questions.options import Options

if TYPE_CHECKING:
    from covr.compiler import Compiled

Stamp = tuple[tuple[str, int, int], ...]
CLEAR = "\033[2J\033[H"  # clears a terminal and moves the cursor to its upper left corner


@command("watch")
@model_argument
@define_option
@click.option(
    "--interval", type=click.FloatRange(min=0.05), default=0.3, metavar="SECONDS", show_default=True,
    help="How often to check whether a file has changed.",
)  # fmt: skip
@search_options
def watch_command(model: str, defines: tuple[str, ...], interval: float, **words: Any) -> int:
    """Solve MODEL, and solve it again each time it is saved, until Ctrl-C. After a fault covr waits for the next save.

    \b
    Examples:
      covr watch mine.cover
      covr watch mine.cover -D clue=@puzzle.txt --limit-time 10
    """
    if model == "-":
        raise click.UsageError("standard input can't be watched.")
    options = options_from(words).alone()
    options.settings()
    files = _files(model, defines)
    while True:
        seen = _stamp(files)
        if sys.stdout.isatty():
            click.echo(CLEAR, nl=False)
        try:
            compiled = open_from(model, defines)
            sources = [compiled.model.source, *compiled.model.libraries]
            files = list(dict.fromkeys([*files, *(Path(s.path) for s in sources if s.path)]))
            seen = (*seen, *_stamp(files)[len(seen) :])  # a file saved since it was read must be read again
            if _interrupted_showing(compiled, options):
                return INTERRUPTED
        except ModelErrors as errors:
            report(errors.diagnostics)
        sys.stdout.flush()
        while _stamp(files) == seen:
            time.sleep(interval)
        time.sleep(interval / 4)  # editors save in several steps


def _interrupted_showing(compiled: Compiled, options: Options) -> bool:
    """Show an answer; returns whether Ctrl-C came meanwhile, which ends covr although the answer is there."""
    from covr.cli.common.asking import Question
    from covr.cli.solve import solve_compiled
    from covr.questions.run import Run

    run = Run(compiled, options)
    solve_compiled(compiled, Question(1), options, run=run)
    return run.told_to_stop


def _files(model: str, defines: tuple[str, ...]) -> list[Path]:
    from covr.inputs.library import find_source

    named = [define.partition("=")[2] for define in defines]
    files = [Path(text[1:]) for text in named if text.startswith("@")]
    try:
        source = find_source(model)
    except ModelErrors:
        return [Path(model), *files]
    return [Path(source.path or model), *files]


def _stamp(files: list[Path]) -> Stamp:
    """A value that changes when any of the files is written: their times and sizes."""
    found = []
    for path in files:
        try:
            status = path.stat()
        except OSError:
            found.append((str(path), -1, -1))
        else:
            found.append((str(path), status.st_mtime_ns, status.st_size))
    return tuple(found)
