"""`covr split`: makes a folder of pieces of a run, which other processes answer."""

from __future__ import annotations

from pathlib import Path

import click

from covr.cli.common.compiling import compiling
from covr.cli.common.frame import json_faults
from covr.cli.common.help import command
from covr.cli.common.running import run_argument
from covr.cli.common.shared import Seconds, quiet_option
from covr.output.exits import FOUND
from covr.output.report import remark


@command("split")
@run_argument
@click.option(
    "-n",
    "number",
    type=click.IntRange(min=1, max=1_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="Make N pieces, or as many as there are.",
)
@click.option(
    "-o",
    "--output",
    "--out",
    "folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Make FOLDER. Without this option its name is that of FILE, with the ending `.pieces`.",
)
@click.option(
    "--cut-after",
    type=Seconds(),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Cut a piece again that takes much longer than this, so that others can help with it.",
)
@quiet_option
@json_faults
def split_command(file: Path, number: int, folder: Path | None, cut_after: float) -> int:
    """Make a folder of pieces of the run in FILE.

    Any number of processes answer them with `covr piece FOLDER`, on any machines that see the folder. `covr merge
    FOLDER FILE` puts what they find into the run.

    \b
    Examples:
      covr count queens -D n=18 --run queens.run --limit-time 1
      covr split queens.run -n 500
    """  # fmt: skip
    from covr.runs.folder.split import ENDING, split

    folder = folder or file.with_suffix(ENDING)
    with compiling():
        made = split(file, number, folder, max(cut_after, 0.01))
    click.echo(f"{made} piece{'' if made == 1 else 's'}: {folder}")
    if made < number:
        remark("the search is not cut into more")
    return FOUND
