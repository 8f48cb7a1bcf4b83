"""`covr solve`, `covr count` and `covr resume`: find answers, or say how many there are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from covr.cli import shared
from covr.cli.asking import (
    Question,
    answer_of,
    answers,
    asked,
    check_proof,
    cluster_option,
    exclude,
    exclude_with,
    kept_options,
    kept_run,
    proof_options,
    prove,
    question_from,
    resumed_run,
    run_argument,
    searching,
    try_estimates,
)
from covr.cli.group import command
from covr.cli.progress import at_goal, exit_code, optimum, share, solutions, stopped
from covr.cli.writing import (
    Destination,
    answer_options,
    destination_from,
    format_option,
    output_options,
    puzzle_option,
    show_puzzle,
    writer_for,
)
from covr.output.streams import FOUND, INTERRUPTED, NONE, UNKNOWN, known, remark, report
from covr.questions.answer import digits
from covr.questions.options import Options
from covr.questions.run import Best, Count, Run, reasons

if TYPE_CHECKING:
    from covr.compiler import Compiled


@command("solve")
@shared.optional_model
@click.option("-n", "number", type=click.IntRange(min=1), metavar="K", help="Find K answers instead of one.")
@click.option("--all", "every", is_flag=True, help="Find every answer.")
@click.option(
    "--unique", is_flag=True, help="Is there exactly one answer? If there are more, show two and exit with code 1."
)
@click.option(
    "--each", metavar="[NAME=]FILE",
    help="Solve MODEL once for each record of FILE. The record is given to the param NAME, and one line is written for "
    "it. Grids are found in any usual collection: a puzzle a line, alone or among other fields, in blocks or boxes, "
    "under titles; NAME=FILE:COLUMN names the field. `-` is standard input. Limits hold for each record by itself. "
    "Without NAME, each record names its params: `NAME:` and what stands below it, and a blank line behind it. "
    "Without MODEL, --each FILE solves each of the links in FILE.",
)  # fmt: skip
@shared.data_options
@output_options
@puzzle_option
@format_option
@click.option(
    "--check-estimate", is_flag=True,
    help="Solve nothing: test what --estimate names on small residual problems of known minimum; exit code 1 if a "
    "bound is too high.",
)  # fmt: skip
@click.option(
    "--near", metavar="ANSWER",
    help="After all goals, change as little as possible from the answer in this file, which --json wrote, and say what "
    "changed.",
)  # fmt: skip
@shared.search_options
@kept_options
@proof_options
@shared.telling_options
def solve_command(
    model: str | None, number: int | None, every: bool, unique: bool, each: str | None, defines: tuple[str, ...],
    output: str | None, theme: str, puzzle: bool, form: str | None, check_estimate: bool, near: str | None,
    run_file: str | None, cluster: str | None, proof: str | None, limit_proof: int, as_json: bool, progress: bool,
    **words: Any,
) -> int:  # fmt: skip
    """Find an answer of MODEL and draw it.

    For a model with `minimize` or `maximize`, find a best answer and its value; with -n or --all, answers of that
    value. With `up to`, answers that count as one are given once.

    \b
    Examples:
      covr solve sudoku
      covr solve queens -D n=12 --all
      covr solve sudoku.cover -D clue=@puzzle.txt --unique
    \f
      covr solve sudoku --each clue=puzzles.txt --unique
      covr solve --each links.txt --unique
      covr solve scott --all -o sheet.svg
      covr solve sudoku --puzzle -o puzzle.pdf --theme print
      covr solve queens --all --format csv
      covr solve queens -D n=10 --all -o queens.sqlite
      covr solve pentominoes --all --format line --run tilings.run
      covr solve experts --estimate classic --check-estimate
    """
    where = destination_from(form, as_json, output, theme)
    if each is not None and where.form not in (None, "line", "json"):
        raise click.UsageError(f"--each goes with --format line or json, not {where.form}.")
    kept = {"--run": run_file is not None, "--cluster": cluster is not None}
    exclude_with({"--each": each is not None}, {"-o": output is not None, "--puzzle": puzzle})
    exclude_with(kept, {"--each": each is not None, "--puzzle": puzzle, "--check-estimate": check_estimate})
    exclude({"--puzzle": puzzle, "--json": where.as_json})
    exclude_with({"--near": near is not None}, {**kept, "--each": each is not None, "--puzzle": puzzle})
    check_proof(proof, {**kept, "--each": each is not None, "--puzzle": puzzle, "--check-estimate": check_estimate})
    question = question_from(number, every, unique)
    options = shared.options_from(words)
    options.settings()
    links = shared.links_of(each, model, {"-D": bool(defines), "--check-estimate": check_estimate})
    if links is not None:
        from covr.cli.each import answer_links

        return answer_links(links, question, options.alone(), where.as_json)
    assert model is not None
    if any(kept.values()):
        with kept_run(run_file, model, defines, asked(question, options), options.alone(), cluster) as run:
            return solve_compiled(run.compiled, question, options, where, progress, run)
    if each is not None:
        from covr.cli.each import open_for, solve_each

        return solve_each(open_for(each, model, defines, options.ask), each, question, options.alone(), where.as_json)
    compiled = shared.open_from(model, defines, options.ask, options)
    if near is not None:
        from covr.questions.tree_size import near_file

        compiled = near_file(compiled, near)
    if check_estimate:
        return try_estimates(compiled, options)
    if puzzle:
        return show_puzzle(compiled, output, theme)
    if proof is not None:
        return _solve_and_prove(compiled, question, options, where, progress, proof, limit_proof)
    return solve_compiled(compiled, question, options, where, progress)


def _solve_and_prove(
    compiled: Compiled, question: Question, options: Options, where: Destination, progress: bool, proof: str, size: int
) -> int:
    """Answer a question, and then prove the answer: that nothing is cheaper, that there is no other, or none."""
    from covr.questions.proof_file import ask_for_proof

    ask_for_proof(compiled, proof, counted=compiled.goal is None)
    run = Run(compiled, options)
    code = solve_compiled(compiled, question, options, where, progress, run)
    best = run.best
    if code not in (FOUND, NONE) or (best is not None and not best.proved):
        return code
    return prove(compiled, proof, size, options, None if best is None else best.answer, question.limit) or code


def solve_compiled(
    compiled: Compiled, question: Question, options: Options, where: Destination | None = None, progress: bool = False,
    run: Run | None = None,
) -> int:  # fmt: skip
    """Answer a question about a model and write the answers; returns the exit code. where: None for text. run: one kept
    in a file."""
    known(UNKNOWN)
    run = run or Run(compiled, options)
    where = where or Destination()
    writer = writer_for(compiled, question, where)
    writer.begin()
    shown = 0
    with searching(run, progress and where.as_json) as meter:

        def improved(best: Best) -> None:
            known(FOUND)
            with meter.aside():
                writer.improved(best)

        for found in answers(run, question, improved):
            shown += 1
            known(UNKNOWN if question.unique else FOUND)
            began = perf_counter()
            with meter.aside():
                writer.answer(answer_of(compiled, run, found))
            run.spend(perf_counter() - began)  # long answers take longer to write than to find
    code = exit_code(run, shown, question.whole and not (question.unique and shown == 2))
    if question.unique and shown > 1 and code != INTERRUPTED:
        code = NONE
    writer.end(run, known(code), shown)
    return code


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
        from covr.output import writers

        writers.emit_start(compiled)
    with searching(run, progress and as_json):
        counted = run.count()
    code = known(_code(run, counted))
    if as_json:
        if counted.complete and not counted.value:
            writers.emit_diagnostics(reasons(compiled))
        writers.emit_end(run, code, counted.value)
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
