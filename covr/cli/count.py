"""`covr count` and `covr resume`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from covr.cli.common import shared
from covr.cli.common.asking import (
    Question,
    check_proof,
    cluster_option,
    kept_options,
    kept_run,
    proof_options,
    prove,
    resumed_run,
    run_argument,
    searching,
)
from covr.cli.common.group import command
from covr.cli.common.progress import at_goal, exit_code, optimum, share, solutions, stopped
from covr.cli.common.writing import answer_options, destination_from
from covr.cli.solve import solve_compiled
from covr.output.streams import INTERRUPTED, UNKNOWN, known, remark, report
from covr.questions.answer import digits
from covr.questions.options import Options
from covr.questions.plans import reasons
from covr.questions.run import Count, Run

if TYPE_CHECKING:
    from covr.compiler import Compiled

# --- `covr count`: how many answers there are -------------------------------------------------------------------------


@command("count")
@shared.optional_model
@click.option(
    "--each", metavar="FILE",
    help="Without MODEL: count the answers of each of the links in FILE. Limits hold for each link by itself.",
)  # fmt: skip
@shared.data_options
@shared.search_options
@kept_options
@proof_options
@shared.telling_options
def count_command(
    model: str | None, each: str | None, defines: tuple[str, ...], run_file: str | None, cluster: str | None,
    proof: str | None, limit_proof: int, as_json: bool, progress: bool, **words: Any,
) -> int:  # fmt: skip
    """Count the answers of MODEL; with `minimize` or `maximize`, the best ones.

    With `up to`, answers that count as one are counted once. Only the number goes to standard output.

    \b
    Examples:
      covr count queens -D n=10
      covr count pentominoes -D h=5 -D w=12
      covr count pentominoes -D h=6 -D w=10 --run tilings.run
      covr count --each links.txt
      covr count queens -D n=18 --cluster tcp://scheduler:8786 --run queens.run
    """
    options = shared.options_from(words)
    options.settings()
    if each is not None and model is not None:
        raise click.UsageError("--each takes a file of links, and no MODEL.")
    used = {"-D": bool(defines), "--run": run_file is not None, "--cluster": cluster is not None}
    kept = {name: used[name] for name in ("--run", "--cluster")}
    check_proof(proof, {**kept, "--each": each is not None})
    links = shared.links_of(each, model, used)
    if links is not None:
        from covr.cli.each import answer_links

        return answer_links(links, None, options.alone(), as_json)
    assert model is not None
    if run_file is not None or cluster is not None:
        from covr.runs.question import RecordedQuestion

        asked = RecordedQuestion("count", seed=options.seed)
        with kept_run(run_file, model, defines, asked, options.alone(), cluster) as run:
            return count_compiled(run.compiled, options, as_json, progress, run)
    compiled = shared.open_from(model, defines, partial(options.ask, counting=True), options)
    if proof is None:
        return count_compiled(compiled, options, as_json, progress)
    return _count_and_prove(compiled, options, as_json, progress, proof, limit_proof)


def _count_and_prove(
    compiled: Compiled, options: Options, as_json: bool, progress: bool, proof: str, size: int
) -> int:  # fmt: skip
    """Count the answers, and then prove that these are all."""
    from covr.questions.proof_file import ask_for_proof

    if compiled.goal is not None:
        raise click.UsageError("a proof of a best value is written by `covr solve … --proof`.")
    ask_for_proof(compiled, proof)
    return count_compiled(
        compiled, options, as_json, progress, then=lambda count: prove(compiled, proof, size, options, count=count)
    )


def count_compiled(
    compiled: Compiled, options: Options, as_json: bool, progress: bool, run: Run | None = None,
    then: Callable[[int], int] | None = None,
) -> int:  # fmt: skip
    """Count the answers of a model and print their number; returns the exit code. run: one kept in a file. then: called
    with the number; its exit code goes before others."""
    known(UNKNOWN)
    run = run or Run(compiled, options)
    if as_json:
        from covr.output import stream

        stream.emit_start(compiled)
    with searching(run, progress and as_json):
        counted = run.count()
    code = known(_code(run, counted))
    if as_json:
        if counted.complete and not counted.value:
            stream.emit_diagnostics(reasons(compiled))
        stream.emit_end(run, code, counted.value)
    else:
        _say(compiled, run, counted)
    return (then(counted.value) if then is not None and counted.complete else 0) or code


def _code(run: Run, counted: Count) -> int:
    if counted.complete:
        return exit_code(run, counted.value, True)
    return INTERRUPTED if run.status == "interrupted" else UNKNOWN


def _say(compiled: Compiled, run: Run, counted: Count) -> None:
    if run.verified is not None:
        remark(run.verified.words)
    if counted.complete:
        click.echo(digits(counted.value))
        if not counted.value:
            report(reasons(compiled))
    elif run.best is not None and not run.best.proved:
        known = optimum(run.best, compiled.goal or "")
        where = f", at {at_goal(run.best.stages)}" if run.best.stages else ""
        remark(f"{stopped(run)}{where}: {known}; what is best is not known, so nothing was counted")
    else:
        remark(f"{stopped(run)}: at least {solutions(counted.value)}{share(run)}")


# --- `covr resume`: continues a run that is kept in a file ------------------------------------------------------------


@command("resume")
@run_argument
@answer_options
@shared.session_options
@cluster_option
@shared.telling_options
def resume_command(
    file: Path, output: str | None, theme: str, form: str | None, cluster: str | None, as_json: bool, progress: bool,
    **words: Any,
) -> int:  # fmt: skip
    """Continue the run in FILE, and print what its command prints.

    FILE holds the model, its data and the question. What is finished is not searched again. The limits given
    here hold for this session only.

    \b
    Examples:
      covr resume tilings.run
      covr resume tilings.run --limit-time 3600 --jobs 4
      covr resume tilings.run --format csv
    """
    where = destination_from(form, as_json, output, theme)
    with resumed_run(file, shared.options_from(words).alone(), cluster) as (run, asked):
        if asked.command == "count":
            if where.output is not None or where.form not in (None, "json"):
                raise click.UsageError(f"`{file}` counts: there are no answers to write.")
            return count_compiled(run.compiled, run.options, where.as_json, progress, run)
        question = Question(asked.limit, asked.unique, asked.listed)
        return solve_compiled(run.compiled, question, run.options, where, progress, run)
