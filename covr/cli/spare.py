"""`covr spare`: which givens and labelled rules could be left out without a change to the answers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from covr.cli.common.frame import json_faults
from covr.cli.common.help import command
from covr.cli.common.interrupt import interrupts
from covr.cli.common.shared import Seconds, define_option, from_option, json_option, model_argument, open_from
from covr.output.exits import FOUND, INTERRUPTED, UNKNOWN
from covr.output.report import remark
from covr.output.streams import known
from covr.questions.options import CommandOptions

if TYPE_CHECKING:
    from covr.explain.spare import Spare, SpareInquiry


@command("spare")
@model_argument
@define_option
@from_option
@click.option(
    "--limit-time", type=Seconds(), metavar="SECONDS",
    help="Stop after this many seconds, 60 if not given, and say what is known.",
)  # fmt: skip
@click.option(
    "--limit-nodes", type=click.IntRange(min=0), metavar="N",
    help="Stop after this many search nodes, and say what is known.",
)  # fmt: skip
@click.option(
    "--only", type=click.Choice(["givens", "rules"]),
    help="Look at the givens alone, or at the rules alone; the others stay.",
)  # fmt: skip
@json_option
@json_faults
def spare_command(
    model: str,
    defines: tuple[str, ...],
    limit_time: float | None,
    limit_nodes: int | None,
    only: str | None,
    as_json: bool,
) -> int:
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
        _emit(spare, inquiry, code)
    else:
        _say(spare, inquiry)
    return code


def _say(spare: Spare, inquiry: SpareInquiry) -> None:
    from covr.draw.surface import surface_of, write
    from covr.explain.spare_text import lines

    write(lines(spare), surface_of(sys.stdout))
    if spare.stopped:
        budget = inquiry.budget
        spent = f"{inquiry.options.elapsed(budget.seconds):.1f} s, {budget.searches} searches, {budget.nodes} nodes"
        remark(f"{'interrupted' if budget.interrupted else 'stopped'} after {spent}")


def _emit(spare: Spare, inquiry: SpareInquiry, code: int) -> None:
    """Write one object for what is spare, and the `end` object."""
    from covr.explain.spare_text import as_text
    from covr.output import stream

    stream.emit_start(spare.compiled)
    stream.emit(
        "spare",
        alone=[_member(m) for m in spare.alone],
        needed=[_member(m) for m in spare.needed],
        open=[_member(m) for m in spare.open],
        together=[_member(m) for m in spare.together],
        minimal=spare.minimal,
        rules=[{**_member(r.rule), "instances": r.instances, "spare": r.spare, "whole": r.whole} for r in spare.rules],
        text=as_text(spare),
    )
    budget = inquiry.budget
    stream.emit(
        "end",
        status=stream.STATUS.get(code, "found") if code else "explained",
        exit=code,
        complete=spare.minimal,
        searches=budget.searches,
        nodes=budget.nodes,
        seconds=round(budget.seconds, 6),
    )


def _member(member: Any) -> dict[str, Any]:
    return {"kind": member.kind, "name": member.name, "file": member.span.source.name, "line": member.line}
