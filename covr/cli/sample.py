"""`covr sample`: answers drawn at random."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from covr.cli.common.asking import Question, answer_of
from covr.cli.common.frame import json_faults, searching
from covr.cli.common.help import command
from covr.cli.common.shared import (
    define_option,
    from_option,
    model_argument,
    open_from,
    options_from,
    search_options,
    telling_options,
)
from covr.cli.common.verdicts import exit_code, solutions
from covr.cli.common.writing import Destination, answer_options, destination_from, writer_for
from covr.output.exits import FOUND, UNKNOWN
from covr.output.report import remark
from covr.output.streams import known
from covr.questions.options import Options

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.sampling import Sampling


@command("sample")
@model_argument
@click.option(
    "-n", "number", type=click.IntRange(min=1), default=1, show_default=True, metavar="K", help="Draw K answers."
)
@click.option("--distinct", is_flag=True, help="Draw no answer twice. Without it, an answer may be drawn again.")
@click.option(
    "--exact", is_flag=True,
    help="Draw nothing, and exit with code 3, if the answers would not be uniform.",
)  # fmt: skip
@define_option
@from_option
@answer_options
@search_options
@telling_options
@json_faults
def sample_command(
    model: str, number: int, distinct: bool, exact: bool, defines: tuple[str, ...], output: str | None, theme: str,
    form: str | None, as_json: bool, progress: bool, **words: Any,
) -> int:  # fmt: skip
    """Draw answers of MODEL at random, every one with the same chance.

    \b
    Examples:
      covr sample queens -n 3 --seed 1
      covr sample pentominoes --distinct -n 12 -o sheet.svg
    \f
    With `up to`, all classes have the same chance; with `minimize` or `maximize`, all best answers. The same --seed
    draws the same answers again; without it, a new seed is taken each time and printed. If the answers cannot all be
    counted within half of --limit-time (60 seconds by default), each drawn answer is the first one of a shuffled
    search: random, but not uniform, and a message says so.
    """
    where = destination_from(form, as_json, output, theme)
    options = options_from(words)
    if options.verify:
        raise click.UsageError("--verify goes with solve, count and test; what is drawn is checked in any case.")
    options.settings()
    compiled = open_from(model, defines, options.ask, options)
    return _sample(compiled, options, number, distinct, exact, where, progress)


def _sample(
    compiled: Compiled, options: Options, number: int, distinct: bool, exact: bool, where: Destination,
    progress: bool,
) -> int:  # fmt: skip
    from covr.questions.sampling import Sampling

    known(UNKNOWN)
    sampling = Sampling(compiled, options, exact)
    writer = writer_for(compiled, Question(number, listed=number > 1), where)
    writer.begin()
    shown = 0
    with searching(sampling, progress and where.as_json) as meter:
        for found in sampling.draw(number, distinct):
            began = perf_counter()
            with meter.aside():
                if not shown and where.as_json:
                    _emit(sampling, distinct)
                shown += 1
                known(FOUND)
                writer.answer(answer_of(compiled, sampling, found))
            sampling.spend(perf_counter() - began)
    if not shown and where.as_json:
        _emit(sampling, distinct)
    code = known(exit_code(sampling, shown, whole=True))
    writer.end(sampling, code, shown)
    if shown:
        remark(_how(sampling))
    return code


def _how(sampling: Sampling) -> str:
    seed = f"(seed {sampling.seed})"
    if not sampling.uniform:
        return f"not uniform: all answers could not be counted, so each is the first of a shuffled search {seed}"
    if sampling.subject.symmetry is not None:
        many = "the classes" if sampling.total is None else f"the classes of {solutions(sampling.total)}"
    else:
        many = solutions(sampling.total or 0)
    return f"drawn uniformly at random from {many} {seed}"


def _emit(sampling: Sampling, distinct: bool) -> None:
    from covr.output import stream

    stream.emit(
        "sample",
        uniform=sampling.uniform,
        method=sampling.method,
        total=sampling.total,
        distinct=distinct,
        seed=sampling.seed,
    )
