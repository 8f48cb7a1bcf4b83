"""`covr status`: the progress of a run that is kept in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from covr.cli.common.frame import json_faults
from covr.cli.common.help import command
from covr.cli.common.progress import duration, short
from covr.cli.common.running import run_argument
from covr.cli.common.shared import json_option
from covr.output.exits import FOUND

if TYPE_CHECKING:
    from covr.runs.state import Standing

STATES = {
    "new": "not begun",
    "running": "running",
    "done": "done",
    "solved": "found what was asked for",
    "limit": "stopped at a limit",
    "interrupted": "interrupted",
    "killed": "killed",
}


@command("status")
@run_argument
@json_option
@json_faults
def status_command(file: Path, as_json: bool) -> int:
    """Say how far the run in FILE is, even while it is running.

    \b
    Examples:
      covr status tilings.run
      covr status tilings.run --json
    """
    from covr.runs import state as standing

    found = standing.standing(file)
    if as_json:
        from covr.output.stream import emit

        emit("run", file=str(file), **standing.as_json(found))
    else:
        click.echo("\n".join(lines(found)))
    return FOUND


def lines(run: Standing) -> list[str]:
    """The report, line by line."""
    by = f" (process {run.process})" if run.process else ""
    sessions = f"{run.sessions} session{'' if run.sessions == 1 else 's'}"
    pieces = "1 piece is" if run.done == 1 else f"{run.done} pieces are"
    title = f", {run.title!r}" if run.title else ""
    found = [
        f"{run.question.words} of {run.model}{title}",
        f"{STATES.get(run.state, run.state)}{by}; {duration(run.seconds)} in {sessions}",
        f"{known(run)}; {100 * run.fraction:.1f} % of the tree",
        f"{pieces} done, {run.open} open; {short(run.nodes)} nodes, {short(run.rate)} nodes/s",
    ]
    if run.left is not None and run.state != "done":
        found.append(f"about {duration(run.left)} left at this pace")
    return found


def known(run: Standing) -> str:
    """What is known about the answer so far."""
    if run.stage == "minimum":
        if run.best is None:
            return "no answer yet" if run.bound is None else f"no answer yet, bound {run.bound}"
        if run.bound is None:
            return f"best {run.best}"
        side = "at least" if run.bound <= run.best else "at most"
        return f"best {run.best}, proved" if run.bound == run.best else f"best {run.best}, {side} {run.bound}"
    least = "" if run.state == "done" else "at least "
    return f"{least}{run.answers} solution{'' if run.answers == 1 else 's'}"
