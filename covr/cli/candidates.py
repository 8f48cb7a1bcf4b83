"""`covr candidates`: what can still go where."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from covr.cli.common.frame import json_faults
from covr.cli.common.help import command
from covr.cli.common.interrupt import interrupts
from covr.cli.common.shared import (
    define_option,
    from_option,
    model_argument,
    open_from,
    search_options,
    telling_options,
    unverified_options_from,
)
from covr.cli.common.writing import output_options
from covr.output.exits import FOUND, INTERRUPTED, NONE, UNKNOWN
from covr.output.report import remark
from covr.output.streams import known

if TYPE_CHECKING:
    from covr.questions.candidates import CandidateRun, CandidateTable


@command("candidates")
@model_argument
@click.option(
    "--count", "cap", type=click.IntRange(min=1), metavar="K",
    help="Count the answers that hold each choice, up to K; exactly, if listing all answers takes no longer.",
)  # fmt: skip
@define_option
@from_option
@output_options
@search_options
@telling_options
@json_faults
def candidates_command(
    model: str, cap: int | None, defines: tuple[str, ...], output: str | None, theme: str, as_json: bool,
    progress: bool, **words: Any,
) -> int:  # fmt: skip
    """Say for every choice of MODEL whether it is in all answers, in some of them, or in none.

    The picture shows what is certain as an answer would, and everything else that is possible as pencil marks; a `?`
    marks the only candidate of a place if it is not certain. With --count, numbers say how many answers hold each.

    \b
    Examples:
      covr candidates sudoku
      covr candidates queens -D n=6 --count 100
    \f
    The exit code is 0 if everything is known, 1 if there is no answer, and 3 if a limit was hit first.
    """
    from covr.cli.common.progress import following
    from covr.questions.candidates import CandidateRun
    from covr.questions.own_files import spare_own_files

    options = unverified_options_from(words)
    if output is not None:
        from covr.draw.files import check_target

        check_target(output, theme)
    run = CandidateRun(open_from(model, defines, options=options), options, cap)
    if output is not None:
        spare_own_files(run.compiled, output)
    known(UNKNOWN)
    with interrupts(run), following(run, progress and as_json):
        table = run.table()
    code = known(_code(table, run))
    if output is not None:
        _draw(table, output, theme)
    if as_json:
        _emit(table, run, code)
    else:
        _say(table, run, shown=output is None)
    return code


def _code(table: CandidateTable, run: CandidateRun) -> int:
    if run.status == "interrupted":
        return INTERRUPTED
    if table.solvable is False:
        return NONE
    return FOUND if table.complete else UNKNOWN


def _draw(table: CandidateTable, output: str, theme: str) -> None:
    from covr.draw.svg import Shown
    from covr.output.pictures import save_pictures

    pictures = table.pictures()
    if pictures:
        save_pictures(output, [Shown(pictures)], table.compiled.title, theme)
    else:
        remark("there is nothing to draw: the model has no board, or no choice is possible")


def _say(table: CandidateTable, run: CandidateRun, shown: bool) -> None:
    from covr.draw.styled import Part, clean
    from covr.draw.surface import surface_of, write
    from covr.draw.text import draw
    from covr.questions.candidates import lines

    if shown and table.solvable:
        surface = surface_of(sys.stdout)
        drawn = draw(table.pictures(), surface) or [(Part(clean(line)),) for line in lines(table)]
        title = clean(table.compiled.title)
        write([(Part(title, "title"),), (), *drawn] if title else drawn, surface)
        click.echo()
    click.echo(summary(table))
    if not table.complete:
        seconds = run.options.elapsed(run.search.clock.spent)
        why = "interrupted" if run.status == "interrupted" else "stopped"
        remark(f"{why} after {seconds:.1f} s, {run.search.questions} questions: what is shown is not all")


def summary(table: CandidateTable) -> str:
    """`81 of 729 choices are in every answer, 0 in some, 648 in none`; open ones are counted if there are any."""
    if table.solvable is False:
        return "no solution"
    every, some, none, left = (len(table.of(v)) for v in ("all", "some", "none", "open"))
    text = f"{every} of {len(table)} choices {'is' if every == 1 else 'are'} in every answer, "
    text += f"{some} in some, {none} in none"
    if left:
        text += f", {left} not known"
    if table.total is not None:
        text += f" ({table.total} answer{'' if table.total == 1 else 's'})"
    elif table.cap is not None:
        text += f" (counted up to {table.cap})"
    return text


def _emit(table: CandidateTable, run: CandidateRun, code: int) -> None:
    """Write one object for each choice, and the `end` object."""
    from covr.output import stream
    from covr.questions.values import jsonable

    stream.emit_start(table.compiled)
    for candidate in table:
        choice = candidate.choice
        stream.emit(
            "candidate",
            family=choice.family,
            args=[jsonable(v) for v in choice.args],
            text=str(choice),
            verdict=candidate.verdict,
            count=candidate.count,
            given=candidate.given,
        )
    stream.emit(
        "end",
        status=stream.STATUS.get(code, "found"),
        exit=code,
        complete=table.complete,
        answers=table.total,
        cap=table.cap,
        questions=run.search.questions,
        nodes=run.search.nodes,
        seconds=round(run.search.clock.spent, 6),
    )
