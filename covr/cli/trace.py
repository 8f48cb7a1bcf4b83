"""`covr trace` and `covr watch`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from covr.cli.common.asking import json_faults
from covr.cli.common.help import command
from covr.cli.common.shared import (
    Seconds,
    define_option,
    from_option,
    json_option,
    model_argument,
    open_from,
    options_from,
    search_options,
)
from covr.cli.common.verdicts import solutions
from covr.dsl.diagnostics import ModelErrors
from covr.explain.trace_walk import TraceWalk, step_effects, step_fields, step_words
from covr.output.streams import FOUND, INTERRUPTED, remark, report
from covr.questions.options import CommandOptions, Options
from covr.text import quantity

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.draw.canvas import Line

# --- trace -----------------------------------------------------------------------------------------------------------
# `covr trace`: the search step by step, for those who want to see it dance.


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
    from covr.questions.run import refuse_projection

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
    from covr.draw.canvas import Part, clean, surface_of, write

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
        nodes = quantity(walk.nodes, "node")
        ended = f"{walk.seconds:g} s and {nodes}" if walk.late else nodes
        more = "--limit-time" if walk.late else "--limit-nodes"
        remark(f"stopped after {ended}, {solutions(walk.answers)} so far; {more} shows more")


def _lines(walk: TraceWalk, guide: str) -> Iterator[Line]:
    """One line for each step, with a guide line for every option taken before it."""
    from covr.draw.canvas import Part, clean
    from covr.engine.proofs.trace import ANSWER, BACK, LEAVE, TAKE

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


# --- watch -----------------------------------------------------------------------------------------------------------
# `covr watch`: solve a model again whenever it is saved.
#
# The times and sizes of the files are checked several times a second: this needs no library, works on every file
# system, and takes no noticeable time. The files are the model, its libraries, and those that `-D name=@FILE` names. If
# a file is missing for a moment, as happens when an editor saves it, covr waits for it.


Stamp = tuple[tuple[str, int, int], ...]
CLEAR = "\033[2J\033[H"  # clears a terminal and moves the cursor to its upper left corner


@command("watch")
@model_argument
@define_option
@click.option(
    "--interval", type=click.FloatRange(min=0.05), default=0.3, metavar="SECONDS", show_default=True,
    help="How often to check whether a file has changed.",
)  # fmt: skip
@search_options
def watch_command(model: str, defines: tuple[str, ...], interval: float, **words: Any) -> int:
    """Solve MODEL, and solve it again each time it is saved, until Ctrl-C. After a fault covr waits for the next save.

    \b
    Examples:
      covr watch mine.cover
      covr watch mine.cover -D clue=@puzzle.txt --limit-time 10
    """
    if model == "-":
        raise click.UsageError("standard input can't be watched.")
    options = options_from(words).alone()
    options.settings()
    files = _files(model, defines)
    while True:
        seen = _stamp(files)
        if sys.stdout.isatty():
            click.echo(CLEAR, nl=False)
        try:
            compiled = open_from(model, defines)
            sources = [compiled.model.source, *compiled.model.libraries]
            files = list(dict.fromkeys([*files, *(Path(s.path) for s in sources if s.path)]))
            seen = (*seen, *_stamp(files)[len(seen) :])  # a file saved since it was read must be read again
            if _interrupted_showing(compiled, options):
                return INTERRUPTED
        except ModelErrors as errors:
            report(errors.diagnostics)
        sys.stdout.flush()
        while _stamp(files) == seen:
            time.sleep(interval)
        time.sleep(interval / 4)  # editors save in several steps


def _interrupted_showing(compiled: Compiled, options: Options) -> bool:
    """Show an answer; returns whether Ctrl-C came meanwhile, which ends covr although the answer is there."""
    from covr.cli.common.asking import Question
    from covr.cli.solve import solve_compiled
    from covr.questions.run import Run

    run = Run(compiled, options)
    solve_compiled(compiled, Question(1), options, run=run)
    return run.told_to_stop


def _files(model: str, defines: tuple[str, ...]) -> list[Path]:
    from covr.inputs.library import find_source

    named = [define.partition("=")[2] for define in defines]
    files = [Path(text[1:]) for text in named if text.startswith("@")]
    try:
        source = find_source(model)
    except ModelErrors:
        return [Path(model), *files]
    return [Path(source.path or model), *files]


def _stamp(files: list[Path]) -> Stamp:
    """A value that changes when any of the files is written: their times and sizes."""
    found = []
    for path in files:
        try:
            status = path.stat()
        except OSError:
            found.append((str(path), -1, -1))
        else:
            found.append((str(path), status.st_mtime_ns, status.st_size))
    return tuple(found)
