"""`covr trace`: the search step by step, for those who want to see it dance."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING

import click

from covr.cli.common.frame import json_faults
from covr.cli.common.help import command
from covr.cli.common.shared import Seconds, define_option, from_option, json_option, model_argument, open_from
from covr.cli.common.verdicts import solutions
from covr.explain.trace_walk import TraceWalk, step_effects, step_fields, step_words
from covr.output.exits import FOUND
from covr.output.report import remark
from covr.questions.options import CommandOptions

if TYPE_CHECKING:
    from covr.draw.styled import Line

NODES = 200  # nodes that are shown by default
LINES = 100  # lines that are written at once


@command("trace")
@model_argument
@define_option
@from_option
@click.option(
    "--limit-nodes", type=click.IntRange(min=1), metavar="N", default=NODES, show_default=True,
    help="Stop after this many nodes: the root, and every option taken.",
)  # fmt: skip
@click.option(
    "--limit-time", type=Seconds(), metavar="SECONDS",
    help="Stop after this many seconds of search, and show the steps until then.",
)  # fmt: skip
@json_option
@json_faults
def trace_command(
    model: str, defines: tuple[str, ...], limit_nodes: int, limit_time: float | None, as_json: bool
) -> int:
    """Show how MODEL is searched: which item is chosen and why, which options are tried there, what each covers
    and removes, where the search turns back, and the answers.

    With totals, `connected` or `loop`, a choice at a time is taken or left out, and what follows from it is listed.
    For a model with `minimize` or `maximize`, this is the search for better and better answers. `up to` has no
    effect. A matrix in another program's format, such as Knuth's, can be traced as well.

    \b
    Examples:
      covr trace toy
      covr trace queens -D n=5 --limit-nodes 30
      covr trace toy.dlx
    """
    from covr.questions.sided import refuse_projection

    began = perf_counter()
    compiled = open_from(model, defines, options=CommandOptions(limit_time=limit_time))
    refuse_projection(compiled, "the search shown step by step")
    walk = TraceWalk(compiled, limit_nodes, limit_time, perf_counter() - began)
    if as_json:
        _emit(walk)
    else:
        _write(walk)
    return FOUND


def _write(walk: TraceWalk) -> None:
    from covr.draw.styled import Part, clean
    from covr.draw.surface import surface_of, write

    surface = surface_of(sys.stdout)
    guide = "│ " if surface.unicode else "| "
    title = clean(walk.compiled.title)
    if title:
        write([(Part(title, "title"),), ()], surface)
    pending = _lines(walk, guide)
    while some := list(islice(pending, LINES)):
        write(some, surface)
    sys.stdout.flush()
    if walk.complete:
        remark(f"{solutions(walk.answers)}, {walk.nodes} nodes")
    else:
        nodes = f"{walk.nodes} node{'' if walk.nodes == 1 else 's'}"
        ended = f"{walk.seconds:g} s and {nodes}" if walk.late else nodes
        more = "--limit-time" if walk.late else "--limit-nodes"
        remark(f"stopped after {ended}, {solutions(walk.answers)} so far; {more} shows more")


def _lines(walk: TraceWalk, guide: str) -> Iterator[Line]:
    """One line for each step, with a guide line for every option taken before it."""
    from covr.draw.styled import Part, clean
    from covr.engine.proofs.steps import ANSWER, BACK, LEAVE, TAKE

    for step in walk.steps():
        indent = guide * step.depth + ("  " if step.kind in (TAKE, LEAVE, BACK) else "")
        style = "title" if step.kind == ANSWER else ""
        yield Part(indent, "line"), Part(clean(step_words(step, walk)), style)
        for effect in step_effects(step, walk):
            yield Part(f"{indent}    ", "line"), Part(clean(effect))


def _emit(walk: TraceWalk) -> None:
    """Write one object for each step."""
    from covr.output import stream

    stream.emit_start(walk.compiled)
    for step in walk.steps():
        stream.emit("step", **step_fields(step, walk))
    stream.emit("end", status="found", exit=0, answers=walk.answers, nodes=walk.nodes, complete=walk.complete)
