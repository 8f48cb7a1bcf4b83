"""What a person would see in a puzzle (`hint`, `candidates`, `grade`), and what answers rest on (`why`, `spare`)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs
import click

from covr.cli import shared
from covr.cli.asking import Interrupts, interrupts
from covr.cli.each import EachQuestion, ended, lines_in, named, one_by_one, open_for, split_each, tally
from covr.cli.each_faults import FaultyRecords, noted
from covr.cli.group import command
from covr.cli.progress import following
from covr.cli.shared import F, Seconds, block, data_options, json_option, model_argument, open_from
from covr.cli.writing import draw_titled, output_options, save_drawn
from covr.draw.canvas import Part, clean, surface_of, write
from covr.dsl.diagnostics import ModelErrors
from covr.inputs.collection import Collection, InputRecord, open_collection
from covr.inputs.library import STDIN
from covr.output import writers
from covr.output.streams import FOUND, INTERRUPTED, NONE, UNKNOWN, known, remark
from covr.questions.answer import spare_own_files
from covr.questions.options import CommandOptions
from covr.text import quantity

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.explain.hints import Hint, HintPath, HintRun
    from covr.explain.spare import Spare, SpareInquiry
    from covr.explain.why import Inquiry
    from covr.explain.why_text import Why
    from covr.questions.candidates import CandidateRun, CandidateTable
    from covr.questions.options import Options

# --- `covr candidates`: what can still go where -----------------------------------------------------------------------


@command("candidates")
@shared.model_argument
@click.option(
    "--count", "cap", type=click.IntRange(min=1), metavar="K",
    help="Count the answers that hold each choice, up to K; exactly, if listing all answers takes no longer.",
)  # fmt: skip
@shared.data_options
@output_options
@shared.search_options
@shared.telling_options
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
    from covr.questions.candidates import CandidateRun

    options = shared.unverified_options_from(words)
    if output is not None:
        from covr.draw.book import check_target

        check_target(output, theme)
    run = CandidateRun(shared.open_from(model, defines, options=options), options, cap)
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
    no = "the model has no board, or no choice is possible"
    save_drawn(table.compiled, output, theme, [(table.pictures(), "")], no)


def _say(table: CandidateTable, run: CandidateRun, shown: bool) -> None:
    from covr.questions.candidates import lines

    if shown and table.solvable:
        draw_titled(table.compiled.title, table.pictures(), lines(table))
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
        text += f" ({quantity(table.total, 'answer')})"
    elif table.cap is not None:
        text += f" (counted up to {table.cap})"
    return text


def _emit(table: CandidateTable, run: CandidateRun, code: int) -> None:
    writers.emit_start(table.compiled)
    for candidate in table:
        writers.emit("candidate", **candidate.as_fields())
    writers.emit_ending(
        code,
        complete=table.complete,
        answers=table.total,
        cap=table.cap,
        questions=run.search.questions,
        nodes=run.search.nodes,
        seconds=round(run.search.clock.spent, 6),
    )


# --- `covr hint`: the next step that a person would make, or all steps to the end -------------------------------------


@command("hint")
@shared.model_argument
@click.option("-n", "number", type=click.IntRange(min=1), metavar="K", help="Show the next K moves.  [default: 1]")
@click.option("--all", "whole", is_flag=True, help="Show all steps to the end, each with all that follows at once.")
@shared.data_options
@output_options
@shared.search_options
@shared.telling_options
def hint_command(
    model: str, number: int | None, whole: bool, defines: tuple[str, ...], output: str | None, theme: str,
    as_json: bool, progress: bool, **words: Any,
) -> int:  # fmt: skip
    """Show the next move in MODEL that a person would make: what follows, and from how few rules.

    In the picture `=5` is what follows, and `-5` what is ruled out.

    \b
    Examples:
      covr hint sudoku
      covr hint slitherlink -n 3
      covr hint star_battle --all -o steps.pdf
    \f
    The exit code is 0 if there is a hint (with --all, if all steps were found), 1 if there is no answer or nothing
    follows, and 3 if a limit was hit before.
    """
    from covr.explain.hints import HintRun

    options = shared.unverified_options_from(words)
    if number is not None and whole:
        raise click.UsageError("-n does not go with --all.")
    if output is not None:
        from covr.draw.book import check_target

        check_target(output, theme)
    run = HintRun(shared.open_from(model, defines, options=options), options)
    if output is not None:
        spare_own_files(run.compiled, output)
    known(UNKNOWN)
    if as_json:
        writers.emit_start(run.compiled)
    with interrupts(run), following(run, progress and as_json) as meter:
        hints: list[Hint] = []
        for hint in run.hints() if whole else run.moves():
            hints.append(hint)
            known(FOUND if not whole else UNKNOWN)
            with meter.aside():
                if as_json:
                    writers.emit("hint", **hint.as_fields())
                else:
                    _say_hint(hint, drawn=output is None)
            if not whole and len(hints) == (number or 1):
                break
    path = run.path(whole)
    code = known(_hint_code(path, run))
    if output is not None:
        _draw_hints(hints, path, output, theme)
    if as_json:
        _emit_end(path, run, code)
    else:
        for line in ending(path, whole):
            click.echo(line)
        if not path.complete and path.solvable is not False:
            why = "interrupted" if code == INTERRUPTED else "stopped"
            remark(f"{why} after {run.options.elapsed(run.clock.spent):.1f} s: there may be more")
    return code


def _hint_code(path: HintPath, run: HintRun) -> int:
    if run.interrupted:
        return INTERRUPTED
    if not path.complete and path.solvable is not False:
        return UNKNOWN
    return FOUND if path.hints else NONE


def ending(path: HintPath, whole: bool) -> list[str]:
    """What is said after the steps. whole: whether all of them were asked for."""
    if path.solvable is False:
        return ["no solution"]
    if not path.whole or (path.hints and not whole):
        return []
    count = len(path.open)
    if count:
        more = "nothing more follows" if path.hints else "nothing follows"
        return [f"{more}: {count} choice{' is' if count == 1 else 's are'} in some answers and not in others"]
    return [str(path.grade) if path.hints else "nothing is left to find"]


def _say_hint(hint: Hint, drawn: bool) -> None:
    """Write a step, and its picture if it is not drawn into a file."""
    from covr.draw.text import draw

    surface = surface_of(sys.stdout)
    lines = [(Part(clean(line), "title" if number == 0 else ""),) for number, line in enumerate(hint.lines())]
    pictures = draw(hint.pictures(), surface) if drawn else []
    write([*lines, (), *pictures, ()] if pictures else lines, surface)


def _draw_hints(hints: list[Hint], path: HintPath, output: str, theme: str) -> None:
    shown = [(hint.pictures(), f"{'step' if hint.more is None else 'move'} {hint.number}") for hint in hints]
    save_drawn(path.compiled, output, theme, shown, "there is no step, or the model has no board")


def _emit_end(path: HintPath, run: HintRun, code: int) -> None:
    writers.emit_ending(
        code,
        complete=path.complete,
        steps=len(path),
        open=len(path.open),
        seconds=round(run.clock.spent, 6),
    )


# --- `covr grade`: how hard a puzzle is, or every puzzle of a collection ----------------------------------------------


@command("grade")
@shared.model_argument
@click.option(
    "--each", metavar="[NAME=]FILE", help="Grade every record of a file, for the param NAME: a line for each."
)
@shared.data_options
@shared.search_options
@shared.json_option
def grade_command(
    model: str, each: str | None, defines: tuple[str, ...], as_json: bool, **words: Any
) -> int:  # fmt: skip
    """Say how hard MODEL is for a person who takes the steps that `covr hint --all` shows.

    The grade is that of the hardest step, which is the number of rules that have to be seen together, and a fraction
    that grows with the number and the size of all steps.

    The exit code is 0 if there is exactly one answer, 1 if there is none or several, and 3 if a limit was hit before
    everything was known; of a collection, that of its worst record. Limits hold for each record.

    \b
    Examples:
      covr grade sudoku
      covr grade sudoku --each clue=puzzles.txt
    """
    options = shared.unverified_options_from(words)
    known(UNKNOWN)
    if each is not None:
        return known(_grade_each(open_for(each, model, defines, lambda _: None), each, options.alone(), as_json))
    compiled = shared.open_from(model, defines, options=options)
    if as_json:
        writers.emit_start(compiled)
    with interrupts() as held:
        code, path = _grade(compiled, options, held)
    known(code)
    if as_json:
        writers.emit("grade", **path.grade_fields())
        writers.emit_ending(code, complete=code in (FOUND, NONE))
        return code
    click.echo(_said(code, path))
    if code == FOUND and not path.grade.proved:
        remark("for some steps, no smaller reason was proved within the limit")
    return code


def _grade(compiled: Compiled, options: Options, held: Interrupts) -> tuple[int, HintPath]:
    from covr.explain.hints import HintRun

    run = HintRun(compiled, options)
    held.watch(run)
    path = run.find()
    if run.interrupted:
        return INTERRUPTED, path
    if path.solvable is False or (path.whole and path.open):
        return NONE, path
    return (FOUND if path.whole else UNKNOWN), path


def _said(code: int, path: HintPath) -> str:
    if path.solvable is False:
        return "no solution"
    if code == NONE:
        return f"not unique, {path.grade}"
    return str(path.grade) if code == FOUND else f"unknown, at least: {path.grade}" if path.hints else "unknown"


STATUSES = {INTERRUPTED: "interrupted", UNKNOWN: "unknown", NONE: "none", FOUND: "found"}  # by exit code


@attrs.define
class _Grading(EachQuestion):
    """The question how hard each record is."""

    compiled: Compiled
    collection: Collection

    def ask(self, record: InputRecord, held: Interrupts) -> str:
        try:
            code, found = _grade(self.compiled.with_data(self.collection.values(record)), self.options, held)
        except ModelErrors as errors:
            if {d.code for d in errors.diagnostics} <= {"E505", "E510"}:
                raise
            if not self.as_json:
                return self.fault(errors, record)
            writers.emit_diagnostics(noted(list(errors.diagnostics), record))
            return "fault"
        if self.as_json:
            writers.emit("grade", **named(record), **found.grade_fields())
        else:
            print(_said(code, found))
        return STATUSES[code]


def _grade_each(compiled: Compiled, each: str, options: Options, as_json: bool) -> int:
    """Grade every record and return the exit code. Raises ModelErrors for faults of the file as a whole."""
    name, path, column = split_each(compiled, each)
    if as_json:
        writers.emit_start(compiled)
    with lines_in(path) as lines, interrupts() as held:
        collection = open_collection(compiled, name, path, lines, column, eager=path == STDIN)
        faults = FaultyRecords(sized=collection.columns > 0)
        asking = _Grading(None, options, faults, as_json, compiled, collection)
        statuses = tally(one_by_one(asking, collection.records, held))
    code = ended(path, "record", statuses, faults.lines())
    if as_json:
        writers.emit_ending(code, records=sum(statuses.values()))
    return code


# --- `covr why`: why there is no answer, or why a choice must or can't be in one --------------------------------------


def _limits(seconds: int) -> Callable[[F], F]:
    return block(
        click.option(
            "--limit-time", type=Seconds(), metavar="SECONDS",
            help=f"Stop after this many seconds, {seconds} if not given, and say what is known.",
        ),
        click.option(
            "--limit-nodes", type=click.IntRange(min=0), metavar="N",
            help="Stop after this many search nodes, and say what is known.",
        ),
    )  # fmt: skip


@command("why")
@model_argument
@click.argument("choice", metavar="[CHOICE]", required=False)
@data_options
@_limits(30)
@json_option
def why_command(
    model: str, choice: str | None, defines: tuple[str, ...], limit_time: float | None, limit_nodes: int | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Say why MODEL has no answer: show rules and givens that contradict each other, none of which can be left out.

    With CHOICE, written as `place(3, 4, 7)`, show which rules and givens force or exclude it, or an answer with it and
    one without. For a model that promises to be unique and is not, show two answers and where they differ.

    The exit code is 0 if something was explained, and 3 if a limit was hit before anything was found.

    \b
    Examples:
      covr why queens -D n=3
      covr why sudoku "place(1, 3, 4)"
    """
    from covr.explain.why import Inquiry

    options = CommandOptions(limit_time=limit_time, limit_nodes=limit_nodes)
    compiled = open_from(model, defines, options=options)
    inquiry = Inquiry(compiled, options, choice, found=_show_progress(as_json))
    with interrupts(inquiry):
        why = inquiry.explain()
    code = known(_code_of_why(why, inquiry))
    if as_json:
        _emit_why(why, inquiry, code)
    else:
        _say_why(why, inquiry)
    return code


def _show_progress(as_json: bool) -> Callable[[Why], None] | None:
    """On a terminal, print the best explanation so far while looking for a shorter one."""

    def say(why: Why) -> None:
        from covr.explain.why_text import as_text

        remark(f"{as_text(why)}\n(looking for a shorter reason)\n")

    return say if sys.stderr.isatty() and not as_json else None


def _code_of_why(why: Why, inquiry: Inquiry) -> int:
    from covr.explain.why_text import UNKNOWN as OPEN

    if inquiry.budget.interrupted:
        return INTERRUPTED
    return UNKNOWN if why.verdict == OPEN else FOUND


def _say_why(why: Why, inquiry: Inquiry) -> None:
    from covr.cli.progress import why_command
    from covr.draw.canvas import surface_of, write
    from covr.explain.why_text import ANSWERED, UNIQUE, lines

    surface = surface_of(sys.stdout)
    write(lines(why, surface), surface)
    if why.verdict in (ANSWERED, UNIQUE) and why.answers:
        choice = next(map(str, why.answers[0]), None)
        if choice is not None:
            remark(f"\nhelp: `{why_command(why.compiled, choice)}` says why a choice is in it")
    if why.stopped:
        _remark_stopped(inquiry)


def _remark_stopped(inquiry: Inquiry | SpareInquiry) -> None:
    budget = inquiry.budget
    spent = f"{inquiry.options.elapsed(budget.seconds):.1f} s, {budget.searches} searches, {budget.nodes} nodes"
    remark(f"{'interrupted' if budget.interrupted else 'stopped'} after {spent}")


def _end(inquiry: Inquiry | SpareInquiry, code: int, complete: bool) -> None:
    budget = inquiry.budget
    work = {"searches": budget.searches, "nodes": budget.nodes, "seconds": round(budget.seconds, 6)}
    writers.emit_ending(code, "explained", complete=complete, **work)


def _emit_why(why: Why, inquiry: Inquiry, code: int) -> None:
    writers.emit_start(why.compiled)
    if why.diagnostic is not None:
        writers.emit_diagnostics([why.diagnostic])
    writers.emit("why", **why.as_fields())
    _end(inquiry, code, complete=not why.stopped)


# --- `covr spare`: which givens and labelled rules could be left out without a change to the answers ------------------


@command("spare")
@model_argument
@data_options
@_limits(60)
@click.option(
    "--only", type=click.Choice(["givens", "rules"]),
    help="Look at the givens alone, or at the rules alone; the others stay.",
)  # fmt: skip
@json_option
def spare_command(
    model: str, defines: tuple[str, ...], limit_time: float | None, limit_nodes: int | None, only: str | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Say which givens and which labelled rules of MODEL could be left out without a change to its answers: each by
    itself, and a large set of them together, after which nothing more can be left out.

    A rule with keys is tried for each of its keys, and, where each could be left out, as a whole. Answers are those of
    the rules: goals and wishes play no part.

    The exit code is 0 if all of it is known, and 3 if a limit was hit before that, or something is not looked at.

    \b
    Examples:
      covr spare sudoku
      covr spare sudoku --only givens
    """
    from covr.explain.spare import SpareInquiry

    options = CommandOptions(limit_time=limit_time, limit_nodes=limit_nodes)
    inquiry = SpareInquiry(open_from(model, defines, options=options), options, only or "all")
    with interrupts(inquiry):
        spare = inquiry.find()
    code = known(INTERRUPTED if inquiry.budget.interrupted else FOUND if spare.minimal else UNKNOWN)
    if as_json:
        _spare_emit(spare, inquiry, code)
    else:
        _spare_say(spare, inquiry)
    return code


def _spare_say(spare: Spare, inquiry: SpareInquiry) -> None:
    from covr.draw.canvas import surface_of, write
    from covr.explain.spare import lines

    write(lines(spare), surface_of(sys.stdout))
    if spare.stopped:
        _remark_stopped(inquiry)


def _spare_emit(spare: Spare, inquiry: SpareInquiry, code: int) -> None:
    writers.emit_start(spare.compiled)
    writers.emit("spare", **spare.as_fields())
    _end(inquiry, code, complete=spare.minimal)
