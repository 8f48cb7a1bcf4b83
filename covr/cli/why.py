"""`covr why` and `covr spare`: what answers rest on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from covr.cli.common.asking import interrupts
from covr.cli.common.group import command
from covr.cli.common.shared import F, Seconds, block, data_options, json_option, model_argument, open_from
from covr.output import stream
from covr.output.streams import FOUND, INTERRUPTED, UNKNOWN, known, remark
from covr.questions.options import CommandOptions

if TYPE_CHECKING:
    from covr.explain.spare import Spare, SpareInquiry
    from covr.explain.why import Inquiry
    from covr.explain.why_text import Why

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
    code = known(_code(why, inquiry))
    if as_json:
        _emit(why, inquiry, code)
    else:
        _say(why, inquiry)
    return code


def _show_progress(as_json: bool) -> Callable[[Why], None] | None:
    """On a terminal, print the best explanation so far while looking for a shorter one."""

    def say(why: Why) -> None:
        from covr.explain.why_text import as_text

        remark(f"{as_text(why)}\n(looking for a shorter reason)\n")

    return say if sys.stderr.isatty() and not as_json else None


def _code(why: Why, inquiry: Inquiry) -> int:
    from covr.explain.why_text import UNKNOWN as OPEN

    if inquiry.budget.interrupted:
        return INTERRUPTED
    return UNKNOWN if why.verdict == OPEN else FOUND


def _say(why: Why, inquiry: Inquiry) -> None:
    from covr.cli.common.progress import why_command
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
    stream.emit_ending(code, "explained", complete=complete, **work)


def _emit(why: Why, inquiry: Inquiry, code: int) -> None:
    stream.emit_start(why.compiled)
    if why.diagnostic is not None:
        stream.emit_diagnostics([why.diagnostic])
    stream.emit("why", **why.as_fields())
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
    stream.emit_start(spare.compiled)
    stream.emit("spare", **spare.as_fields())
    _end(inquiry, code, complete=spare.minimal)
