"""`covr answers`: the answers that a run has found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from covr.cli.common.asking import Question
from covr.cli.common.frame import json_faults
from covr.cli.common.help import command
from covr.cli.common.running import run_argument
from covr.cli.common.shared import block, json_option, quiet_option
from covr.cli.common.verdicts import solutions
from covr.cli.common.writing import Destination, answer_options, destination_from, writer_for
from covr.faults import usage_error
from covr.output.exits import FOUND, NONE, UNKNOWN
from covr.output.report import remark
from covr.output.streams import known

if TYPE_CHECKING:
    from covr.compiler import Compiled


diagram_options = block(
    click.option("--count", is_flag=True, help="Of a diagram: only say how many answers there are."),
    click.option("--counts", is_flag=True, help="Of a diagram: say for each choice how many answers hold it."),
    click.option(
        "--heat", is_flag=True, help="Of a diagram: draw how often each choice is in an answer, as text or with -o."
    ),
    click.option("--sample", type=click.IntRange(min=1), metavar="K", help="Of a diagram: K answers, at random."),
    click.option("--seed", type=click.INT, metavar="N", help="With --sample: draw the same answers for the same N."),
    click.option("--best", type=click.IntRange(min=1), metavar="K", help="Of a diagram: the K best by the goal."),
    click.option(
        "--export", type=click.Choice(["graphillion", "graphviz"]), metavar="FORMAT",
        help="Of a diagram: write it for another program, graphillion or graphviz.",
    ),
)  # fmt: skip


@command("answers")
@run_argument
@click.option("-n", "--limit", "limit", type=click.IntRange(min=1), metavar="K", help="Show K answers at most.")
@click.option(
    "--with", "wanted", multiple=True, metavar="CHOICE", help="Only answers with this choice. May be repeated."
)
@click.option(
    "--without", "unwanted", multiple=True, metavar="CHOICE", help="Only answers without this choice. May be repeated."
)
@diagram_options
@answer_options
@json_option
@quiet_option
@json_faults
def answers_command(
    file: Path, limit: int | None, wanted: tuple[str, ...], unwanted: tuple[str, ...], output: str | None, theme: str,
    form: str | None, as_json: bool, **asked: Any,
) -> int:  # fmt: skip
    """Show the answers in FILE: of a run, or of a diagram that `covr compile` has made.

    \b
    Examples:
      covr answers tilings.run --limit 3
      covr answers tilings.run --format csv -o tilings.csv
      covr answers queens.zdd --count --with "queen(1, 4)"
      covr answers queens.zdd --sample 3 --seed 1
    \f
      covr answers queens.run --with "queen(1, 4)" --without "queen(2, 2)"

    Of a run, they are shown in the order of the search, even while it is running. If the run is not finished, these are
    the answers of the finished pieces of the tree. Of a diagram, they are sorted by the numbers of their choices.
    Answers are numbered as they are shown.
    """
    from covr.runs.diagram_file import is_diagram

    named = [f"--{name}" for name, value in asked.items() if value not in (None, False)]
    if is_diagram(file):
        from covr.cli.common.diagram_answers import show_diagram

        where = destination_from(form, as_json, output, theme)
        return show_diagram(file, limit, wanted, unwanted, where, **asked)
    if not file.exists() and (named or file.suffix == ".zdd"):
        help = f"`covr compile MODEL -o {file}` makes one"
        raise usage_error("E730", f"there is no diagram `{file}`", help=help)
    if named:
        raise click.UsageError(f"{named[0]} goes with a diagram, which `covr compile` makes.")
    return _show(file, limit, wanted, unwanted, destination_from(form, as_json, output, theme))


def _show(file: Path, limit: int | None, wanted: tuple[str, ...], unwanted: tuple[str, ...], where: Destination) -> int:
    from covr.engine.checks import Checks, Mistake
    from covr.questions.answer import Answer
    from covr.questions.found import Best
    from covr.runs.listing import ListedRun, listing
    from covr.runs.question import model_of
    from covr.runs.reading import read_contents
    from covr.runs.record_faults import damaged

    known(UNKNOWN)
    contents = read_contents(file)
    found = listing(file, contents)
    compiled = model_of(file, contents)
    with_, without = _options(compiled, wanted), _options(compiled, unwanted)
    writer = writer_for(compiled, Question(limit, listed=True), where)
    writer.begin()
    told = ListedRun()
    shown, more = 0, False
    checks = Checks(compiled.problem)
    for answer in found:
        try:
            checks([answer])
        except (Mistake, IndexError) as error:
            raise damaged(file, str(error) if isinstance(error, Mistake) else "an answer names no choice") from None
        if not with_ <= set(answer) or without & set(answer):
            continue
        if shown == limit:
            more = True
            break
        shown += 1
        bound = None if found.bound is None else compiled.value_of(found.bound)
        one = Answer(compiled, answer, bound, found.proved)
        if one.cost is not None:
            spent = compiled.cost(answer)
            stages = compiled.stages(spent, spent if found.proved else found.bound)
            told.best = Best(answer, one.cost, bound, found.proved, stages)
        known(FOUND)
        writer.answer(one)
    told.whole = found.complete and not more and shown > 0
    code = known(FOUND if shown else (NONE if found.complete else UNKNOWN))
    writer.end(told, code, shown)
    if not found.complete and not more:
        remark("the run is not over: there may be more")
    elif not shown:
        remark(solutions(0))
    return code


def _options(compiled: Compiled, choices: tuple[str, ...]) -> set[int]:
    """The option numbers of these choices; -1 for a choice that the model removes. Raises ModelErrors E509 for one that
    the model does not have."""
    from covr.explain.find_choice import find_choice

    asked = [find_choice(compiled, choice) for choice in choices]
    return {-1 if one.option is None else one.option for one in asked}
