"""`covr solve`: find answers."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from covr.cli.interrupt import interrupts
from covr.cli.picture import picture_options
from covr.cli.progress import following
from covr.cli.running import cluster_option, kept_run, run_option
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
from covr.cli.words import exit_code, optimum, share, solutions, stopped
from covr.dsl.diagnostics import ModelErrors
from covr.output.exits import FAULT, FOUND, INTERRUPTED, NONE, UNKNOWN
from covr.output.report import remark, report
from covr.output.streams import known
from covr.output.writers import SEPARATORS, format_option
from covr.questions.options import Options

if TYPE_CHECKING:
    from covr.cli.picture import Writer
    from covr.compiler import Compiled
    from covr.questions.answer import Answer
    from covr.questions.run import Best, Run
    from covr.runs.question import Question as Kept


@frozen
class Question:
    """limit: how many answers are wanted, None for all.  unique: whether there is only one is asked.
    listed: whether the answers are numbered, because there may be several.  best: the best answer is wanted."""

    limit: int | None
    unique: bool = False
    listed: bool = False

    @property
    def whole(self) -> bool:
        """Whether the question is about all answers."""
        return self.unique or self.limit is None


def question_from(number: int | None, every: bool, unique: bool) -> Question:
    """What is asked, from the options; they exclude each other."""
    if (number is not None) + every + unique > 1:
        raise click.UsageError("-n, --all and --unique exclude each other.")
    if unique:
        return Question(2, unique=True)
    if every:
        return Question(None, listed=True)
    return Question(1) if number is None else Question(number, listed=True)


def asked(question: Question, options: Options) -> Kept:
    """The question for a run file."""
    from covr.runs.question import Question as Kept

    return Kept("solve", question.limit, question.unique, question.listed, options.seed)


@click.command("solve")
@model_argument
@click.option("-n", "number", type=click.IntRange(min=1), metavar="K", help="Find K answers instead of one.")
@click.option("--all", "every", is_flag=True, help="Find every answer.")
@click.option("--unique", is_flag=True, help="Is there exactly one answer? If there are more, show two; exit code 1.")
@click.option(
    "--each", metavar="NAME=FILE",
    help="Solve the model once for each record of FILE, which becomes the value of the param NAME. Each answer "
    "is one line. FILE holds one puzzle on each line, blocks between blank lines, or `Grid 01` headers; `-` is "
    "standard input. Limits hold for each record separately.",
)  # fmt: skip
@define_option
@picture_options
@format_option
@click.option(
    "--check-estimate", is_flag=True,
    help="Solve nothing: test what --estimate names on small residual problems of known minimum; exit code 1 if a "
    "bound is too high.",
)  # fmt: skip
@search_options
@run_option
@cluster_option
@json_option
@progress_option
@quiet_option
def solve_command(
    model: str,
    number: int | None,
    every: bool,
    unique: bool,
    each: str | None,
    defines: tuple[str, ...],
    output: str | None,
    theme: str,
    puzzle: bool,
    form: str | None,
    check_estimate: bool,
    run_file: str | None,
    cluster: str | None,
    as_json: bool,
    progress: bool,
    **words: Any,
) -> int:
    """Find an answer of MODEL and draw it.

    For a model with `minimize` or `maximize`, find a best answer and its value; with -n or --all, answers of that
    value. With `up to`, answers that count as one are given once.

    \b
    Examples:
      covr solve sudoku
      covr solve queens -D n=12 --all
      covr solve sudoku.cover -D clue=@puzzle.txt --unique
      covr solve sudoku --each clue=puzzles.txt --unique
      covr solve scott --all -o sheet.svg
      covr solve sudoku --puzzle -o puzzle.pdf --theme print
      covr solve queens --all --format csv
      covr solve queens -D n=10 --all -o queens.sqlite
      covr solve pentominoes --all --format line --run tilings.run
      covr solve experts --estimate classic --check-estimate
    """
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --format {form} exclude each other.")
    as_json = as_json or form == "json"
    if each is not None and form not in (None, "line", "json"):
        raise click.UsageError(f"--each goes with --format line or json, not {form}.")
    if each is not None and (output is not None or puzzle):
        raise click.UsageError("--each goes with neither -o nor --puzzle.")
    if (run_file is not None or cluster is not None) and (each is not None or puzzle or check_estimate):
        raise click.UsageError("--run and --cluster go with neither --each, --puzzle nor --check-estimate.")
    if puzzle and as_json:
        raise click.UsageError("--puzzle and --json exclude each other.")
    question = question_from(number, every, unique)
    options = options_from(words)
    try:
        options.settings()
        shape = "json" if as_json else form
        if run_file is not None or cluster is not None:
            with kept_run(run_file, model, defines, asked(question, options), options, cluster) as run:
                return solve_compiled(run.compiled, question, options, shape, output, theme, progress, run)
        compiled = open_from(model, defines, options.ask)
        if check_estimate:
            from covr.cli.checking import try_estimates

            return try_estimates(compiled, options)
        if each is not None:
            from covr.cli.each import solve_each

            return solve_each(compiled, each, question, options, as_json)
        if puzzle:
            from covr.cli.picture import show_puzzle

            return show_puzzle(compiled, output, theme)
        return solve_compiled(compiled, question, options, shape, output, theme, progress)
    except ModelErrors as errors:
        if not as_json:
            raise
        from covr.output.stream import emit_fault

        emit_fault(errors.diagnostics)
        return FAULT


def solve_compiled(
    compiled: Compiled, question: Question, options: Options, form: str | None = None, output: str | None = None,
    theme: str = "light", progress: bool = False, run: Run | None = None,
) -> int:  # fmt: skip
    """Answer a question about a model and write what is found; returns the exit code. run: one that is kept in a
    file."""
    from covr.questions.run import Run

    known(UNKNOWN)
    run = run or Run(compiled, options)
    writer = writer_for(compiled, question, form, output, theme)
    with interrupts() as held, following(run, progress and form == "json") as meter:
        held.watch(run)
        shown = 0

        def improved(best: Best) -> None:
            known(FOUND)
            with meter.aside():
                writer.improved(best)

        for found in answers(run, question, improved):
            shown += 1
            known(UNKNOWN if question.unique else FOUND)
            began = perf_counter()
            with meter.aside():
                writer.answer(answer_of(run, found))
            run.spend(perf_counter() - began)  # long answers take longer to be written than to be found
    code = exit_code(run, shown, question.whole and not (question.unique and shown == 2))
    if question.unique and shown > 1 and code != INTERRUPTED:
        code = NONE
    writer.end(run, known(code), shown)
    return code


def writer_for(
    compiled: Compiled, question: Question, form: str | None, output: str | None, theme: str
) -> Writer:
    """Who writes the answers. form: as in FORMATS; None where nobody said, which a file takes for silence."""
    if form == "json":
        writer: Writer = _JsonWriter(compiled, question)
    else:
        writer = _TextWriter(compiled, question)
    if form == "line" or form in SEPARATORS:
        from covr.output.writers import LineWriter, TableWriter, Verdicts

        below = Verdicts(writer)
        writer = LineWriter(below, compiled) if form == "line" else TableWriter(below, compiled, SEPARATORS[form])
    if output is None:
        return writer
    from covr.output.sinks import is_table

    if is_table(output):
        from covr.output.writers import SinkWriter

        return SinkWriter(writer, output, compiled, passes=form is not None, unique=question.unique)
    from covr.cli.picture import PictureWriter

    return PictureWriter(writer, output, theme, question.listed or question.unique, passes=form is not None)


def answers(run: Run, question: Question, improved: Any = None) -> Any:
    """The answers a question is about, as they are found."""
    if question.limit == 1 and not question.listed:
        first = run.first(improved)
        return iter(() if first is None else (first,))
    return run.answers(improved, question.limit)


def answer_of(run: Run, found: tuple[int, ...]) -> Answer:
    from covr.questions.answer import Answer

    if run.best is None:
        return Answer(run.compiled, found)
    return Answer(run.compiled, found, run.best.bound, run.best.proved)


class _TextWriter:
    """Answers as pictures with the title over each; verdicts below."""

    def __init__(self, compiled: Compiled, question: Question) -> None:
        from covr.draw.surface import surface_of

        self.compiled = compiled
        self.question = question
        self.surface = surface_of(sys.stdout)
        self.shown = 0

    def improved(self, best: Best) -> None:
        """Better answers on the way are not shown."""

    def answer(self, answer: Answer) -> None:
        from covr.draw.styled import Part, clean
        from covr.draw.surface import write
        from covr.draw.text import draw

        self.shown += 1
        title = clean(self.compiled.title)
        if self.question.listed or (self.question.unique and self.shown > 1):
            title = f"{title} (answer {self.shown})" if title else f"answer {self.shown}"
        lines = draw(answer.pictures, self.surface) or [(Part("(nothing is chosen)"),)]
        if title:
            lines = [(Part(title, "title"),), (), *lines]
        if self.shown > 1:
            lines = [(), *lines]
        write(lines, self.surface)
        sys.stdout.flush()

    def end(self, run: Run, code: int, shown: int) -> None:
        goal = self.compiled.goal
        gap = "\n" if self.shown else ""
        if run.best is not None and goal is not None:
            click.echo(gap + optimum(run.best, goal))
        if self.question.unique and shown > 1:
            click.echo(f"{gap}not unique")
        elif self.question.unique and shown and run.complete:
            click.echo(f"{gap}unique")
        elif not shown and run.complete:
            click.echo("no solution")
            if self.compiled.impossible is not None:
                report([self.compiled.impossible])
            else:
                from covr.cli.hint import why_command

                remark(f"help: `{why_command(self.compiled)}` says why")
        elif self.question.listed and run.complete:
            remark(solutions(shown))
        if run.verified is not None:
            remark(run.verified.words)
        if run.status in ("limit", "interrupted") or run.reached == "answers":
            remark(f"{stopped(run)}: {self._unknown(run, shown)}{share(run)}")

    def _unknown(self, run: Run, shown: int) -> str:
        """What is not known when a search was stopped."""
        if run.best is not None and not run.best.proved:
            return "whether there is a better solution is not known"
        if not shown:
            return "whether there is a solution is not known"
        if self.question.unique:
            return "whether there is another solution is not known"
        return f"{solutions(shown)} so far; whether there are more is not known"


class _JsonWriter:
    """Answers as objects."""

    def __init__(self, compiled: Compiled, question: Question) -> None:
        from covr.output import stream

        self.compiled = compiled
        self.question = question
        self.shown = 0
        stream.emit_start(compiled)
        stream.emit_diagnostics(compiled.warnings)

    def improved(self, best: Best) -> None:
        from covr.questions.answer import Answer

        self.answer(Answer(self.compiled, best.answer, best.bound, False))

    def answer(self, answer: Answer) -> None:
        from covr.output import stream

        self.shown += 1
        stream.emit_solution(answer, self.shown)

    def end(self, run: Run, code: int, shown: int) -> None:
        from covr.output import stream

        if not shown and run.complete and self.compiled.impossible is not None:
            stream.emit_diagnostics([self.compiled.impossible])
        stream.emit_end(run, code, shown, status=stream.status_of(code, shown, self.question.unique))
