"""`covr size` and `covr sample`: how big a search is, and answers drawn at random."""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from covr.cli import shared
from covr.cli.asking import Question, answer_of, interrupts, searching
from covr.cli.group import command
from covr.cli.progress import exit_code, solutions
from covr.cli.writing import Destination, answer_options, destination_from, writer_for
from covr.output import writers
from covr.output.streams import FOUND, INTERRUPTED, UNKNOWN, known, remark
from covr.questions.options import CommandOptions, Options
from covr.questions.run import refuse_projection

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.engine.sampling.probe import Spread
    from covr.questions.sampling import Sampling
    from covr.questions.tree_size import Effort

# --- `covr size`: how big the whole search is. It was once called `covr estimate`, and that name still works ----------


OLD_NAME = "estimate"  # the earlier name of the subcommand


@command("size")
@shared.model_argument
@shared.data_options
@click.option(
    "--seed", type=click.INT, default=0, show_default=True, metavar="N", help="The seed of the random probes."
)
@click.option(
    "--limit-time", type=shared.Seconds(), metavar="SECONDS",
    help="Spend at most this long probing and measuring; without it, probe for 10 seconds.",
)  # fmt: skip
@click.option(
    "--probes", type=click.IntRange(min=1), metavar="N",
    help="Make exactly N probes, instead of as many as it takes for a standard error of 5 %.",
)  # fmt: skip
@click.option("--engine", default="auto", show_default=True, metavar="NAME", help="The engine whose rate is measured.")
@shared.json_option
@shared.quiet_option
def size_command(
    model: str, defines: tuple[str, ...], seed: int, limit_time: float | None, probes: int | None, engine: str,
    as_json: bool,
) -> int:  # fmt: skip
    """Estimate by random probes how big the search for every answer of MODEL is, and how long it would take.

    The expected value of a probe is exactly the number of nodes, but a sample of probes has a spread and may miss rare
    large branches. For a model with `minimize` or `maximize`, the tree is the one that no bound prunes.

    \b
    Examples:
      covr size pentominoes
      covr size queens -D n=20 --limit-time 2
    """
    kind = _kind()
    options = CommandOptions(limit_time=limit_time, seed=seed, engine=engine)
    options.settings()
    compiled = shared.open_from(model, defines, options=options)
    refuse_projection(compiled, "an estimate of the size of the search")
    return _size(compiled, options, probes, kind if as_json else None)


def _kind() -> str:
    """The type of the JSON object: `size`, or `estimate` for callers of the old name."""
    if click.get_current_context().info_name != OLD_NAME:
        return "size"
    remark(f"`covr {OLD_NAME}` is called `covr size` now")
    return OLD_NAME


def _size(compiled: Compiled, options: Options, probes: int | None, kind: str | None) -> int:
    """Probe and print the result. kind: the type of the JSON object; None for text."""
    from covr.questions.tree_size import Sizing

    sizing = Sizing(compiled, options)
    with interrupts(sizing) as held:
        effort = sizing.run(probes)
    code = known(INTERRUPTED if held.pressed else FOUND if effort.size.probes else UNKNOWN)
    if kind is not None:
        _emit(kind, compiled, effort, options.seed or 0, code)
    else:
        _say(effort, options.seed or 0)
        if compiled.problem.sides:
            remark(
                "this is the tree of a search that learns nothing from dead ends; the search does, and mostly sees less"
            )
    return code


def _say(effort: Effort, seed: int) -> None:
    exact, size = effort.exact, effort.size
    if not size.probes:
        click.echo("no probe was finished: nothing is known")
        return
    click.echo(f"nodes    {_sentence(size.nodes, number)}")
    if size.answers is not None:
        click.echo(f"answers  {_sentence(size.answers, number)}")
    elif effort.goal == "all":
        click.echo("answers  no probe met one")
    if effort.seconds is not None:
        click.echo(f"time     {_sentence(effort.seconds, time)}; at {number(effort.rate or 0)} nodes/s on one thread")
    if exact is not None:
        click.echo(f"exactly  {exact.nodes} nodes, {exact.answers} answers: the search was over while it was measured")
    if effort.goal == "minimum":
        remark("this is the tree without pruning by cost; the search for a best answer sees a part of it")
    wide = "" if size.settled else ", and the spread is not small yet"
    remark(f"{size.probes} probes (seed {seed}){wide}; rare large branches that none met would make it more")


def _sentence(spread: Spread, shown: Callable[[float], str]) -> str:
    """An estimate in words: `about 3.6 M, standard error 4 % (90 % of resamples: 3.4 M to 3.9 M)`."""
    if not math.isfinite(spread.mean):
        return "more than 10^308"
    text = f"about {shown(spread.mean)}"
    if not spread.error:
        return text + ", as every probe says"
    if not math.isfinite(spread.error):
        return text + ", by a single probe"
    share = 100 * spread.error / spread.mean
    return f"{text}, standard error {share:.1f} % (90 % of resamples: {shown(spread.low)} to {shown(spread.high)})"


def number(value: float) -> str:
    """A number of readable length: `950`, `12300`, `3.64 million`, `1.02e+33`."""
    for size, word in ((1e15, ""), (1e12, " trillion"), (1e9, " billion"), (1e6, " million")):
        if value >= size:
            return f"{value / size:.3g}{word}" if word else f"{value:.3g}"
    return f"{value:.0f}" if value < 1000 else f"{float(f'{value:.3g}'):.0f}"


def time(seconds: float) -> str:
    """A number of seconds in a suitable unit: `0.05 s`, `2.3 h`, `3.2e+24 years`."""
    for size, word in ((365.25 * 86400, "years"), (86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.2g} {word}"
    return f"{seconds:.2g} s"


def _emit(kind: str, compiled: Compiled, effort: Effort, seed: int, code: int) -> None:
    exact = effort.exact
    writers.emit_start(compiled)
    writers.emit(
        kind,
        nodes=_fields(effort.nodes),
        answers=None if effort.answers is None else _fields(effort.answers),
        seconds=None if effort.seconds is None else _fields(effort.seconds),
        rate=None if effort.rate is None else round(effort.rate),
        engine=effort.engine,
        pruned=effort.goal == "minimum",
        probes=effort.size.probes,
        depth=effort.size.depth,
        settled=effort.size.settled,
        seed=seed,
        exact=None if exact is None else {"nodes": exact.nodes, "answers": exact.answers},
    )
    writers.emit("end", status=writers.STATUS[code], exit=code, answers=0, complete=effort.exact is not None)


def _fields(spread: Spread) -> dict[str, float | None]:
    """The fields of an estimate for JSON, where infinity and nan become null."""
    values = {"mean": spread.mean, "error": spread.error, "low": spread.low, "high": spread.high}
    return {name: float(f"{value:.6g}") if math.isfinite(value) else None for name, value in values.items()}


# --- `covr sample`: answers drawn at random ---------------------------------------------------------------------------


@command("sample")
@shared.model_argument
@click.option(
    "-n", "number", type=click.IntRange(min=1), default=1, show_default=True, metavar="K", help="Draw K answers."
)
@click.option("--distinct", is_flag=True, help="Draw no answer twice. Without it, an answer may be drawn again.")
@click.option(
    "--exact", is_flag=True,
    help="Draw nothing, and exit with code 3, if the answers would not be uniform.",
)  # fmt: skip
@shared.data_options
@answer_options
@shared.search_options
@shared.telling_options
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
    options = shared.options_from(words)
    if options.verify:
        raise click.UsageError("--verify goes with solve, count and test; what is drawn is checked in any case.")
    options.settings()
    compiled = shared.open_from(model, defines, options.ask, options)
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
                    _sample_emit(sampling, distinct)
                shown += 1
                known(FOUND)
                writer.answer(answer_of(compiled, sampling, found))
            sampling.spend(perf_counter() - began)
    if not shown and where.as_json:
        _sample_emit(sampling, distinct)
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


def _sample_emit(sampling: Sampling, distinct: bool) -> None:
    writers.emit(
        "sample",
        uniform=sampling.uniform,
        method=sampling.method,
        total=sampling.total,
        distinct=distinct,
        seed=sampling.seed,
    )
