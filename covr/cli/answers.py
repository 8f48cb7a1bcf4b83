"""`covr compile` and `covr answers`: answers kept in files."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any

import click

from covr.cli.common import shared
from covr.cli.common.asking import Question, exclude, interrupts, run_argument
from covr.cli.common.group import command
from covr.cli.common.progress import following, solutions
from covr.cli.common.writing import Destination, answer_options, destination_from, save_drawn, writer_for
from covr.engine.base.limits import LimitReached
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
    from covr.runs.state import ListedRun

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
    from covr.runs.diagram_file import is_diagram

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
    from covr.runs.state import ListedRun, listing

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
    from covr.explain.find_choice import find_choice

    asked = [find_choice(compiled, choice) for choice in choices]
    return {-1 if one.option is None else one.option for one in asked}
