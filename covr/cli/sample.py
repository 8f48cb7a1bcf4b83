"""`covr sample`: answers drawn at random."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from covr.cli.interrupt import interrupts
from covr.cli.picture import output_options
from covr.cli.progress import following
from covr.cli.shared import (
    define_option,
    json_option,
    model_argument,
    open_from,
    options_from,
    progress_option,
    quiet_option,
    search_options,
)
from covr.cli.solve import Question, answer_of, writer_for
from covr.cli.words import exit_code, solutions
from covr.dsl.diagnostics import ModelErrors
from covr.output.exits import FAULT, FOUND, UNKNOWN
from covr.output.report import remark
from covr.output.streams import known
from covr.output.writers import FORMATS
from covr.questions.options import Options

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.sampling import Sampling


@click.command("sample")
@model_argument
@click.option("-n", "number", type=click.IntRange(min=1), default=1, show_default=True, metavar="K", help="Draw K.")
@click.option("--distinct", is_flag=True, help="Draw no answer twice. Without it, each is drawn from all of them.")
@click.option(
    "--exact", is_flag=True,
    help="Draw nothing if the answers would not be uniform; exit code 3.",
)  # fmt: skip
@define_option
@output_options
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), metavar="FORMAT",
    help="How answers are written: text (the default), line, csv, tsv, or json.",
)  # fmt: skip
@search_options
@json_option
@progress_option
@quiet_option
def sample_command(
    model: str, number: int, distinct: bool, exact: bool, defines: tuple[str, ...], output: str | None, theme: str,
    form: str | None, as_json: bool, progress: bool, **words: Any,
) -> int:  # fmt: skip
    """Draw answers of MODEL at random, every one with the same chance.

    With `up to`, all classes have the same chance; with `minimize` or `maximize`, all best answers. The same --seed
    draws the same answers again; without it, a new seed is taken each time and printed. If the answers cannot all be
    counted within --limit-time (60 seconds by default), each drawn answer is the first one of a shuffled search:
    random, but not uniform, and a message says so.

    \b
    Examples:
      covr sample queens -n 3 --seed 1
      covr sample pentominoes --distinct -n 12 -o sheet.svg
    """
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --format {form} exclude each other.")
    as_json = as_json or form == "json"
    options = options_from(words)
    if options.verify:
        raise click.UsageError("--verify goes with solve, count and test; what is drawn is checked in any case.")
    try:
        options.settings()
        compiled = open_from(model, defines, options.ask)
        return _sample(compiled, options, number, distinct, exact, "json" if as_json else form, output, theme, progress)
    except ModelErrors as errors:
        if not as_json:
            raise
        from covr.output.stream import emit_fault

        emit_fault(errors.diagnostics)
        return FAULT


def _sample(
    compiled: Compiled, options: Options, number: int, distinct: bool, exact: bool, form: str | None,
    output: str | None, theme: str, progress: bool,
) -> int:  # fmt: skip
    from covr.questions.sampling import Sampling

    known(UNKNOWN)
    sampling = Sampling(compiled, options, exact)
    writer = writer_for(compiled, Question(number, listed=number > 1), form, output, theme)
    shown = 0
    with interrupts() as held, following(sampling, progress and form == "json") as meter:
        held.watch(sampling)
        for found in sampling.draw(number, distinct):
            with meter.aside():
                if not shown and form == "json":
                    _emit(sampling, distinct)
                shown += 1
                known(FOUND)
                writer.answer(answer_of(sampling, found))
    if not shown and form == "json":
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
    if sampling.compiled.symmetry is not None:
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
