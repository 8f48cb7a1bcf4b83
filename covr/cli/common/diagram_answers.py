"""`covr answers` for a diagram: its answers, how many there are, and how often each choice is in one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING

import click

from covr.cli.common.asking import Question
from covr.cli.common.frame import exclude
from covr.cli.common.verdicts import solutions
from covr.cli.common.writing import Destination, writer_for
from covr.faults import usage_error
from covr.output.exits import FOUND, NONE, UNKNOWN
from covr.output.report import remark
from covr.output.streams import known
from covr.questions.digits import digits

if TYPE_CHECKING:
    from covr.api.answer_diagram import AnswerDiagram
    from covr.questions.answer import Answer


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
        from covr.draw.files import check_target

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
    from covr.engine.checks import Checks, Mistake
    from covr.questions.found import Best
    from covr.runs.listing import ListedRun

    compiled = answers.compiled
    writer = writer_for(compiled, Question(limit, listed=True), where)
    writer.begin()
    told = ListedRun()
    checks = Checks(compiled.problem)
    shown = 0
    for answer in found:
        try:
            checks([answer.options])
        except Mistake as mistake:  # the file may be made up, with a checksum that fits
            message = f"`{file}` is damaged, or not of the model that it names: {mistake}"
            raise usage_error("E730", message, help="make it again: `covr compile MODEL -o FILE`") from None
        shown += 1
        if answer.cost is not None and told.best is None:
            told.best = Best(answer.options, answer.cost, None, False)
        writer.answer(answer)
    told.whole = whole and shown > 0
    writer.end(told, FOUND if shown else NONE, shown)
    if not shown:
        remark(solutions(0))


def _draw(answers: AnswerDiagram, where: Destination) -> None:
    heat = answers.heat()
    if where.output is None:
        click.echo(heat.as_text() if heat.total else solutions(0))
        return
    from covr.draw.svg import Shown
    from covr.output.pictures import save_pictures

    pictures = heat.pictures()
    if pictures:
        save_pictures(where.output, [Shown(pictures)], answers.compiled.title, where.theme)
    else:
        remark("there is nothing to draw: the model has no board, or there is no answer")
