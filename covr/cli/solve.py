"""`covr solve`: find answers."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from covr.cli.common import shared
from covr.cli.common.asking import (
    Question,
    answer_of,
    answers,
    asked,
    check_proof,
    exclude,
    exclude_with,
    kept_options,
    kept_run,
    proof_options,
    prove,
    question_from,
    searching,
    try_estimates,
)
from covr.cli.common.group import command
from covr.cli.common.progress import exit_code
from covr.cli.common.writing import (
    Destination,
    destination_from,
    format_option,
    output_options,
    puzzle_option,
    show_puzzle,
    writer_for,
)
from covr.output.streams import FOUND, INTERRUPTED, NONE, UNKNOWN, known
from covr.questions.options import Options
from covr.questions.run import Best, Run

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
