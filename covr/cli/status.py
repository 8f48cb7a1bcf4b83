"""`covr status`: the progress of a run that is kept in a file, or of a folder of its pieces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from covr.cli.common.frame import json_faults
from covr.cli.common.help import command
from covr.cli.common.progress import duration, short
from covr.cli.common.running import run_argument
from covr.cli.common.shared import json_option
from covr.cli.common.verdicts import at_goal, in_order
from covr.dsl.render import clean
from covr.output.exits import FOUND

if TYPE_CHECKING:
    from covr.compiler.lower.stages import StageValue
    from covr.runs.folder.standing import FolderStanding
    from covr.runs.state import Standing

SHOWN = 10  # processes that are named

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
    """Say how far the run in FILE is, even while it is running; or a folder of pieces.

    \b
    Examples:
      covr status tilings.run
      covr status tilings.run --json
      covr status tilings.pieces
    """
    from covr.runs import state as standing

    if file.is_dir():
        return _of_folder(file, as_json)

    found = standing.standing(file)
    if as_json:
        from covr.output.stream import emit

        emit("run", file=str(file), **standing.as_json(found))
    else:
        click.echo("\n".join(map(clean, lines(found))))
    return FOUND


def _of_folder(folder: Path, as_json: bool) -> int:
    from covr.runs.folder import standing
    from covr.runs.folder.head import read_head

    found = standing.folder_standing(read_head(folder))
    if as_json:
        from covr.output.stream import emit

        emit("run", file=str(folder), **standing.as_json(found))
    else:
        click.echo("\n".join(map(clean, folder_lines(found))))
    return FOUND


def folder_lines(folder: FolderStanding) -> list[str]:
    """The report on a folder of pieces, line by line."""
    if folder.stage == "minimum":
        best = "no answer yet" if folder.best is None else f"best {folder.best}"
        told = _of_goals(folder.goals, folder.stages, best)
    else:
        told = f"{'at least ' if folder.missing else ''}{folder.answers} solution{'' if folder.answers == 1 else 's'}"
    done = "1 part is" if folder.done == 1 else f"{folder.done} parts are"
    lost = f"; {folder.lost} times a process was lost with what is open" if folder.lost else ""
    found = [
        f"{folder.question.words} of {folder.model}, in {folder.number} piece{'' if folder.number == 1 else 's'}",
        f"{folder.over} of them done; {told}; {100 * folder.fraction:.1f} % of the tree",
        f"{done} done, {len(folder.working)} taken, {folder.free} free{lost}; "
        f"{short(folder.nodes)} nodes in {duration(folder.seconds)} of CPU time",
    ]
    found += [f"at work: {who}" for who in folder.working[:SHOWN]]
    if len(folder.working) > SHOWN:
        found.append(f"… and {len(folder.working) - SHOWN} more")
    if folder.missing:
        found.append(missing_words(folder.missing, len(folder.working) + folder.free))
    return found + list(folder.damaged)


def missing_words(numbers: tuple[int, ...] | list[int], parts: int) -> str:
    """Which pieces are missing, in words."""
    from covr.runs.folder.standing import ranges

    many = "1 piece is" if len(numbers) == 1 else f"{len(numbers)} pieces are"
    return f"{many} missing ({parts} part{'' if parts == 1 else 's'}): {ranges(numbers)}"


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


def _of_goals(goals: int, stages: Sequence[StageValue], best: str) -> str:
    """Of several goals in order, which one the search is at, and what is known of each. best: for one goal."""
    if stages:
        return f"{at_goal(stages)}: {in_order(stages)}"
    return best if goals < 2 else f"goal 1 of {goals}: {best}"


def known(run: Standing) -> str:
    """What is known about the answer so far."""
    if run.stage == "minimum":
        return _of_goals(run.goals, run.stages, _best(run))
    least = "" if run.state == "done" else "at least "
    return f"{least}{run.answers} solution{'' if run.answers == 1 else 's'}"


def _best(run: Standing) -> str:
    if run.best is None:
        return "no answer yet" if run.bound is None else f"no answer yet, bound {run.bound}"
    if run.bound is None:
        return f"best {run.best}"
    side = "at least" if run.bound <= run.best else "at most"
    return f"best {run.best}, proved" if run.bound == run.best else f"best {run.best}, {side} {run.bound}"
