"""`covr split`, `piece`, `merge`, `status`: runs in folders of pieces."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from covr.cli.common.asking import interrupts, run_argument
from covr.cli.common.group import command
from covr.cli.common.progress import at_goal, compiling, duration, in_order, short
from covr.cli.common.shared import Seconds, json_option, quiet_option
from covr.dsl.diagnostics import clean
from covr.engine.base.limits import Status
from covr.output.streams import FOUND, INTERRUPTED, UNKNOWN, remark
from covr.output.streams import known as known_code
from covr.text import quantity

if TYPE_CHECKING:
    from covr.compiler.lower.lowered import StageValue
    from covr.runs.folder.claims import FolderStanding
    from covr.runs.state import Standing

# --- `covr piece`: answers a piece of a folder that `covr split` has made ---------------------------------------------


TASK = "SLURM_ARRAY_TASK_ID"

folder_argument = click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))


@command("piece")
@folder_argument
@click.argument("number", metavar="[N]", type=click.IntRange(min=1), required=False)
@click.option("--all", "every", is_flag=True, help="Then help with all other pieces, until everything is done.")
@click.option("--limit-time", type=Seconds(), metavar="SECONDS", help="Stop after this time.")
@quiet_option
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
    from covr.runs.folder.results import read_head
    from covr.runs.folder.work import FolderWorker

    if number is None and os.environ.get(TASK):
        number = _number(os.environ[TASK])
    with compiling():
        worker = FolderWorker(read_head(folder), limit_time)
    known_code(UNKNOWN)
    with interrupts(worker):
        worked = worker.run(number, every)
    name = "everything" if every or worked.number is None else f"piece {worked.number}"
    parts = f"{quantity(worked.done, 'part')} done here"
    if worked.over:
        click.echo(f"{name} is done; {parts}")
    elif worked.others:
        click.echo(f"{name} is not done, and others are at work on what is left; {parts}")
    else:
        ended = "interrupted" if worked.status == Status.INTERRUPTED else f"stopped after {limit_time:g} s"
        click.echo(f"{ended}; {parts}")
        return known_code(INTERRUPTED if worked.status == Status.INTERRUPTED else UNKNOWN)
    return known_code(FOUND)


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise click.UsageError(f"{TASK} is `{text}`, which is no number of a piece.") from None


# --- `covr split`: makes a folder of pieces of a run, which other processes answer ------------------------------------


@command("split")
@run_argument
@click.option(
    "-n", "number", type=click.IntRange(min=1, max=1_000_000), default=1000, show_default=True, metavar="N",
    help="Make N pieces, or as many as there are.",
)  # fmt: skip
@click.option(
    "-o", "--output", "--out", "folder", metavar="FOLDER", type=click.Path(path_type=Path),
    help="Make FOLDER. Without this option its name is that of FILE, with the ending `.pieces`.",
)  # fmt: skip
@click.option(
    "--cut-after", type=Seconds(), default=60.0, show_default=True, metavar="SECONDS",
    help="Cut a piece again that takes much longer than this, so that others can help with it.",
)  # fmt: skip
@quiet_option
def split_command(file: Path, number: int, folder: Path | None, cut_after: float) -> int:
    """Make a folder of pieces of the run in FILE.

    Any number of processes answer them with `covr piece FOLDER`, on any machines that see the folder. `covr merge
    FOLDER FILE` puts what they find into the run.

    \b
    Examples:
      covr count queens -D n=18 --run queens.run --limit-time 1
      covr split queens.run -n 500
    """  # fmt: skip
    from covr.runs.folder.work import ENDING, split

    folder = folder or file.with_suffix(ENDING)
    with compiling():
        made = split(file, number, folder, max(cut_after, 0.01))
    click.echo(f"{quantity(made, 'piece')}: {folder}")
    if made < number:
        remark("the search is not cut into more")
    return FOUND


# --- `covr status`: the progress of a run that is kept in a file, or of a folder of its pieces ------------------------


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
    from covr.runs.folder import claims as standing
    from covr.runs.folder.results import read_head

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
        result = _of_goals(folder.goals, folder.stages, best)
    else:
        result = f"{'at least ' if folder.missing else ''}{quantity(folder.answers, 'solution')}"
    done = "1 part is" if folder.done == 1 else f"{folder.done} parts are"
    lost = f"; {folder.lost} times a process was lost with what is open" if folder.lost else ""
    found = [
        f"{folder.question.words} of {folder.model}, in {quantity(folder.number, 'piece')}",
        f"{folder.over} of them done; {result}; {100 * folder.fraction:.1f} % of the tree",
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
    from covr.runs.folder.claims import ranges

    many = "1 piece is" if len(numbers) == 1 else f"{len(numbers)} pieces are"
    return f"{many} missing ({quantity(parts, 'part')}): {ranges(numbers)}"


def lines(run: Standing) -> list[str]:
    """The report, line by line."""
    by = f" (process {run.process})" if run.process else ""
    sessions = quantity(run.sessions, "session")
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
    return f"{least}{quantity(run.answers, 'solution')}"


def _best(run: Standing) -> str:
    if run.best is None:
        return "no answer yet" if run.bound is None else f"no answer yet, bound {run.bound}"
    if run.bound is None:
        return f"best {run.best}"
    side = "at least" if run.bound <= run.best else "at most"
    return f"best {run.best}, proved" if run.bound == run.best else f"best {run.best}, {side} {run.bound}"


# --- `covr merge`: puts what a folder of pieces has found into the run of which it was made ---------------------------


@command("merge")
@folder_argument
@run_argument
@json_option
def merge_command(folder: Path, file: Path, as_json: bool) -> int:
    """Put what FOLDER has found into the run in FILE, and say what is missing.

    It may be done while pieces are being answered, and again. The exit code is 0 if nothing is missing, and 3 if
    something is.

    \b
    Examples:
      covr merge queens.pieces queens.run
    """
    from covr.runs import state
    from covr.runs.folder.results import merge, read_head, roots_of

    head = read_head(folder)
    merged = merge(head, file)
    for name in merged.damaged:
        remark(f"`{name}` is damaged and was renamed to `{Path(name).name}.damaged`; its piece is to be answered again")
    found = state.standing(file)
    numbers = roots_of(head, merged.missing)
    if as_json:
        from covr.output.stream import emit

        fields = {"added": merged.added, "missing": numbers, "parts": len(merged.missing), "damaged": merged.damaged}
        emit("run", file=str(file), **state.as_json(found), merged=fields)
        return FOUND if merged.complete else UNKNOWN
    click.echo("\n".join(map(clean, lines(found))))
    if merged.complete:
        if found.state != "done":
            remark(
                f"the best value is found; `covr split {file} -o …` or `covr resume {file}` goes on with the answers"
            )
        elif found.question.command != "count":
            remark(f"`covr resume {file}` prints what was found")
        return FOUND
    if numbers:
        click.echo(missing_words(numbers, len(merged.missing) - merged.elsewhere))
    if merged.elsewhere:
        parts = "1 piece is" if merged.elsewhere == 1 else f"{merged.elsewhere} pieces are"
        remark(f"{parts} open in `{file}` that `{folder}` does not have; `covr resume {file}` searches them")
    return UNKNOWN
