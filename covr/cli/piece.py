"""`covr piece`: answers a piece of a folder that `covr split` has made."""

from __future__ import annotations

import os
from pathlib import Path

import click

from covr.cli.common.compiling import compiling
from covr.cli.common.frame import json_faults
from covr.cli.common.help import command
from covr.cli.common.interrupt import interrupts
from covr.cli.common.shared import Seconds, quiet_option
from covr.output.exits import FOUND, INTERRUPTED, UNKNOWN
from covr.output.streams import known

TASK = "SLURM_ARRAY_TASK_ID"

folder_argument = click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))


@command("piece")
@folder_argument
@click.argument("number", metavar="[N]", type=click.IntRange(min=1), required=False)
@click.option("--all", "every", is_flag=True, help="Then help with all other pieces, until everything is done.")
@click.option("--limit-time", type=Seconds(), metavar="SECONDS", help="Stop after this time.")
@quiet_option
@json_faults
def piece_command(folder: Path, number: int | None, every: bool, limit_time: float | None) -> int:
    """Answer piece N of FOLDER.

    Without N it is the one that SLURM_ARRAY_TASK_ID names, or else the next one at which nobody is at work. Any number
    of processes may do this at the same time, and may be killed at any moment.

    The exit code is 0, or 3 after a limit of time, and 130 after an interrupt or SIGTERM.

    \b
    Examples:
      covr piece queens.pieces 7
      covr piece queens.pieces --all
      srun covr piece queens.pieces
    """
    from covr.engine.base.status import Status
    from covr.runs.folder.head import read_head
    from covr.runs.folder.work import FolderWorker

    if number is None and os.environ.get(TASK):
        number = _number(os.environ[TASK])
    with compiling():
        worker = FolderWorker(read_head(folder), limit_time)
    known(UNKNOWN)
    with interrupts(worker):
        worked = worker.run(number, every)
    name = "everything" if every or worked.number is None else f"piece {worked.number}"
    parts = f"{worked.done} part{'' if worked.done == 1 else 's'} done here"
    if worked.over:
        click.echo(f"{name} is done; {parts}")
    elif worked.others:
        click.echo(f"{name} is not done, and others are at work on what is left; {parts}")
    else:
        ended = "interrupted" if worked.status == Status.INTERRUPTED else f"stopped after {limit_time:g} s"
        click.echo(f"{ended}; {parts}")
        return known(INTERRUPTED if worked.status == Status.INTERRUPTED else UNKNOWN)
    return known(FOUND)


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise click.UsageError(f"{TASK} is `{text}`, which is no number of a piece.") from None
