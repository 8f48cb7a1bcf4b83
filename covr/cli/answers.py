"""Answers kept in files (`covr compile`, `answers`), and runs in folders (`split`, `piece`, `merge`, `status`)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any

import click

from covr.cli import shared
from covr.cli.asking import Question, exclude, interrupts, run_argument
from covr.cli.group import command
from covr.cli.progress import at_goal, compiling, duration, following, in_order, short, solutions
from covr.cli.shared import Seconds, json_option, quiet_option
from covr.cli.writing import Destination, answer_options, destination_from, save_drawn, writer_for
from covr.dsl.diagnostics import clean
from covr.engine.base.limits import LimitReached, Status
from covr.engine.checks import Checks, Mistake
from covr.faults import usage_error
from covr.output.streams import FOUND, INTERRUPTED, NONE, UNKNOWN, known, remark
from covr.questions.answer import Answer, digits, spare_own_files
from covr.questions.options import CommandOptions
from covr.questions.run import Best
from covr.text import quantity

if TYPE_CHECKING:
    from covr.api.answer_diagram import AnswerDiagram
    from covr.compiler import Compiled
    from covr.compiler.lower.lowered import StageValue
    from covr.runs.folder_claims import FolderStanding
    from covr.runs.recorded import Standing

# --- `covr compile`: all answers of a model in a file, as one diagram -------------------------------------------------


@command("compile")
@shared.model_argument
@click.option(
    "-o", "--output", "--out", required=True, metavar="FILE", type=click.Path(path_type=Path),
    help="Write the diagram to FILE, which `covr answers FILE` reads.",
)  # fmt: skip
@shared.data_options
@click.option("--limit-time", type=shared.Seconds(), metavar="SECONDS", help="Stop after this time.")
@click.option(
    "--limit-memory",
    type=shared.Size(),
    metavar="SIZE",
    help="Stop if covr needs more memory than this, such as 500M or 2G.",
)
@shared.quiet_option
def compile_command(
    model: str, output: Path, defines: tuple[str, ...], limit_time: float | None, limit_memory: int | None
) -> int:
    """Keep all answers of MODEL in a file, as one decision diagram.

    However many answers there are, the diagram may be small; `covr answers FILE` then counts them, draws some at
    random, finds the best ones and those with certain choices, without a search.

    The exit code is 0, or 1 if there is no answer; 2 if the diagram does not fit in memory, and 3 after a limit of
    time. Then no file is written.

    \b
    Examples:
      covr compile queens -o queens.zdd
      covr answers queens.zdd --counts
    """
    from covr.api.answer_diagram import DiagramRun

    options = CommandOptions(limit_time=limit_time, limit_memory=limit_memory)
    compiled = shared.open_from(model, defines, options=options)
    spare_own_files(compiled, output)
    run = DiagramRun(compiled, options)
    known(UNKNOWN)
    try:
        with interrupts(run), following(run, False):
            answers = run.make()
    except LimitReached as stopped:
        remark(f"nothing was written to `{output}`: {'interrupted' if stopped.status == 'interrupted' else 'stopped'}")
        return known(INTERRUPTED if stopped.status == "interrupted" else UNKNOWN)
    answers.save(output)
    count = answers.count()
    click.echo(f"{solutions(count)} in {quantity(answers.nodes, 'node')}: {output}")
    return known(FOUND if count else NONE)


# --- `covr answers` for a diagram: its answers, how many there are, and how often each choice is in one ---------------


def show_diagram(
    file: Path, limit: int | None, wanted: tuple[str, ...], unwanted: tuple[str, ...], where: Destination, *,
    count: bool, counts: bool, heat: bool, sample: int | None, seed: int | None, best: int | None, export: str | None,
) -> int:  # fmt: skip
    """Do what the options ask for; returns the exit code: 1 if there is no answer."""
    from covr.api.answer_diagram import load_answers

    figures = {"--count": count, "--counts": counts, "--heat": heat, "--export": export is not None}
    listed = {"--sample": sample is not None, "--best": best is not None, "--limit": limit is not None}
    exclude({**figures, **listed})
    if seed is not None and sample is None:
        raise click.UsageError("--seed goes with --sample.")
    if any(figures.values()) and where.form is not None:
        raise click.UsageError("--format and --json go with answers, not with figures.")
    if where.output is not None and any(figures.values()) and not heat:
        raise click.UsageError("-o goes with answers and with --heat.")
    if heat and where.output is not None:
        from covr.draw.book import check_target

        check_target(where.output, where.theme)
    known(UNKNOWN)
    answers = load_answers(file).restricted(wanted, unwanted)
    if best is not None and answers.compiled.goal is None:
        raise click.UsageError("--best needs a model with a goal; AnswerDiagram.best in Python takes any costs.")
    total = answers.count()
    code = known(FOUND if total else NONE)
    if count:
        click.echo(digits(total))
    elif counts:
        for choice, times in answers.counts().items():
            click.echo(f"{digits(times)}\t{choice}")
    elif export is not None:
        for line in answers.export(export):
            click.echo(line)
    elif heat:
        _draw(answers, where)
    elif sample is not None:
        seed = SystemRandom().randrange(1 << 32) if seed is None else seed
        _write(file, answers, answers.sample(sample, seed), sample, where, whole=False)
        if total:
            remark(f"drawn uniformly at random from {solutions(total)} (seed {seed})")
    elif best is not None:
        _write(file, answers, (answer for _, answer in answers.best(best)), best, where, whole=best >= total)
    else:
        _write(file, answers, islice(answers, limit), limit, where, whole=limit is None or limit >= total)
    return code


def _write(
    file: Path, answers: AnswerDiagram, found: Iterable[Answer], limit: int | None, where: Destination, *, whole: bool
) -> None:
    from covr.runs.recorded import ListedRun

    compiled = answers.compiled
    writer = writer_for(compiled, Question(limit, listed=True), where)
    writer.begin()
    listed = ListedRun()
    checks = Checks(compiled.problem)
    shown = 0
    for answer in found:
        try:
            checks([answer.options])
        except Mistake as mistake:  # the file may be made up, with a checksum that fits
            message = f"`{file}` is damaged, or not of the model that it names: {mistake}"
            raise usage_error("E730", message, help="make it again: `covr compile MODEL -o FILE`") from None
        shown += 1
        if answer.cost is not None and listed.best is None:
            listed.best = Best(answer.options, answer.cost, None, False)
        writer.answer(answer)
    listed.whole = whole and shown > 0
    writer.end(listed, FOUND if shown else NONE, shown)
    if not shown:
        remark(solutions(0))


def _draw(answers: AnswerDiagram, where: Destination) -> None:
    heat = answers.heat()
    if where.output is None:
        click.echo(heat.as_text() if heat.total else solutions(0))
        return
    no = "the model has no board, or there is no answer"
    save_drawn(answers.compiled, where.output, where.theme, [(heat.pictures(), "")], no)


# --- `covr answers`: the answers that a run has found -----------------------------------------------------------------


diagram_options = shared.block(
    click.option("--count", is_flag=True, help="Of a diagram: only say how many answers there are."),
    click.option("--counts", is_flag=True, help="Of a diagram: say for each choice how many answers hold it."),
    click.option(
        "--heat", is_flag=True, help="Of a diagram: draw how often each choice is in an answer, as text or with -o."
    ),
    click.option("--sample", type=click.IntRange(min=1), metavar="K", help="Of a diagram: K answers, at random."),
    click.option("--seed", type=click.INT, metavar="N", help="With --sample: draw the same answers for the same N."),
    click.option("--best", type=click.IntRange(min=1), metavar="K", help="Of a diagram: the K best by the goal."),
    click.option(
        "--export", type=click.Choice(["graphillion", "graphviz"]), metavar="FORMAT",
        help="Of a diagram: write it for another program, graphillion or graphviz.",
    ),
)  # fmt: skip


@command("answers")
@run_argument
@click.option("-n", "--limit", "limit", type=click.IntRange(min=1), metavar="K", help="Show K answers at most.")
@click.option(
    "--with", "wanted", multiple=True, metavar="CHOICE", help="Only answers with this choice. May be repeated."
)
@click.option(
    "--without", "unwanted", multiple=True, metavar="CHOICE", help="Only answers without this choice. May be repeated."
)
@diagram_options
@answer_options
@shared.json_option
@shared.quiet_option
def answers_command(
    file: Path, limit: int | None, wanted: tuple[str, ...], unwanted: tuple[str, ...], output: str | None, theme: str,
    form: str | None, as_json: bool, **asked: Any,
) -> int:  # fmt: skip
    """Show the answers in FILE: of a run, or of a diagram that `covr compile` has made.

    \b
    Examples:
      covr answers tilings.run --limit 3
      covr answers tilings.run --format csv -o tilings.csv
      covr answers queens.zdd --count --with "queen(1, 4)"
      covr answers queens.zdd --sample 3 --seed 1
    \f
      covr answers queens.run --with "queen(1, 4)" --without "queen(2, 2)"

    Of a run, they are shown in the order of the search, even while it is running. If the run is not finished, these are
    the answers of the finished pieces of the tree. Of a diagram, they are sorted by the numbers of their choices.
    Answers are numbered as they are shown.
    """
    from covr.api.answer_diagram import is_diagram

    named = [f"--{name}" for name, value in asked.items() if value not in (None, False)]
    if is_diagram(file):
        where = destination_from(form, as_json, output, theme)
        return show_diagram(file, limit, wanted, unwanted, where, **asked)
    if not file.exists() and (named or file.suffix == ".zdd"):
        help = f"`covr compile MODEL -o {file}` makes one"
        raise usage_error("E730", f"there is no diagram `{file}`", help=help)
    if named:
        raise click.UsageError(f"{named[0]} goes with a diagram, which `covr compile` makes.")
    return _show(file, limit, wanted, unwanted, destination_from(form, as_json, output, theme))


def _show(file: Path, limit: int | None, wanted: tuple[str, ...], unwanted: tuple[str, ...], where: Destination) -> int:
    from covr.runs.question import model_of
    from covr.runs.record import damaged, read_contents
    from covr.runs.recorded import ListedRun, listing

    known(UNKNOWN)
    contents = read_contents(file)
    found = listing(file, contents)
    compiled = model_of(file, contents)
    with_, without = _options(compiled, wanted), _options(compiled, unwanted)
    writer = writer_for(compiled, Question(limit, listed=True), where)
    writer.begin()
    listed = ListedRun()
    shown, more = 0, False
    checks = Checks(compiled.problem)
    for answer in found:
        try:
            checks([answer])
        except (Mistake, IndexError) as error:
            raise damaged(file, str(error) if isinstance(error, Mistake) else "an answer names no choice") from None
        if not with_ <= set(answer) or without & set(answer):
            continue
        if shown == limit:
            more = True
            break
        shown += 1
        bound = None if found.bound is None else compiled.value_of(found.bound)
        one = Answer(compiled, answer, bound, found.proved)
        if one.cost is not None:
            spent = compiled.cost(answer)
            stages = compiled.stages(spent, spent if found.proved else found.bound)
            listed.best = Best(answer, one.cost, bound, found.proved, stages)
        known(FOUND)
        writer.answer(one)
    listed.whole = found.complete and not more and shown > 0
    code = known(FOUND if shown else (NONE if found.complete else UNKNOWN))
    writer.end(listed, code, shown)
    if not found.complete and not more:
        remark("the run is not over: there may be more")
    elif not shown:
        remark(solutions(0))
    return code


def _options(compiled: Compiled, choices: tuple[str, ...]) -> set[int]:
    """The numbers of choices; -1 for one that the model removes. Raises ModelErrors E509 for an unknown one."""
    from covr.explain.choice_words import find_choice

    asked = [find_choice(compiled, choice) for choice in choices]
    return {-1 if one.option is None else one.option for one in asked}


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
    from covr.runs.folder_results import read_head
    from covr.runs.folder_work import FolderWorker

    if number is None and os.environ.get(TASK):
        number = _number(os.environ[TASK])
    with compiling():
        worker = FolderWorker(read_head(folder), limit_time)
    known(UNKNOWN)
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
        return known(INTERRUPTED if worked.status == Status.INTERRUPTED else UNKNOWN)
    return known(FOUND)


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
    from covr.runs.folder_work import ENDING, split

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
    from covr.runs import recorded as standing

    if file.is_dir():
        return _of_folder(file, as_json)

    found = standing.standing(file)
    if as_json:
        from covr.output.writers import emit

        emit("run", file=str(file), **standing.as_json(found))
    else:
        click.echo("\n".join(map(clean, lines(found))))
    return FOUND


def _of_folder(folder: Path, as_json: bool) -> int:
    from covr.runs import folder_claims as standing
    from covr.runs.folder_results import read_head

    found = standing.folder_standing(read_head(folder))
    if as_json:
        from covr.output.writers import emit

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
    from covr.runs.folder_claims import ranges

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
        f"{answer_so_far(run)}; {100 * run.fraction:.1f} % of the tree",
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


def answer_so_far(run: Standing) -> str:
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
    from covr.runs import recorded
    from covr.runs.folder_results import merge, read_head, roots_of

    head = read_head(folder)
    merged = merge(head, file)
    for name in merged.damaged:
        remark(f"`{name}` is damaged and was renamed to `{Path(name).name}.damaged`; its piece is to be answered again")
    found = recorded.standing(file)
    numbers = roots_of(head, merged.missing)
    if as_json:
        from covr.output.writers import emit

        fields = {"added": merged.added, "missing": numbers, "parts": len(merged.missing), "damaged": merged.damaged}
        emit("run", file=str(file), **recorded.as_json(found), merged=fields)
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
