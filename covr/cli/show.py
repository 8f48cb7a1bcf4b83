"""`covr show`, `covr trace` and `covr watch`: the matrix of a model, its plans, and its search step by step."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click
from attrs import asdict

from covr.cli import shared
from covr.cli.group import command
from covr.cli.progress import solutions
from covr.draw.canvas import Line, Part, clean, surface_of, write
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.syntax import Agree, Alike, AreaRule, Connected, Divide, Loop, Needs, Prefer, Rule
from covr.engine.dispatch import Plan, PlannedTurn
from covr.engine.problem import Connection, Forest, Side, Total, options_of, word_for
from covr.explain.trace_walk import TraceWalk, step_effects, step_fields, step_words
from covr.inputs.library import find_source
from covr.output.streams import FOUND, INTERRUPTED, remark, report
from covr.questions.options import CommandOptions, Options
from covr.questions.run import Run, plans, refuse_projection
from covr.text import cut, quantity

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.engine import Problem
    from covr.engine.symmetries import Automorphisms

# --- Writes the plans of a model's questions as text or as objects, for `covr show --plan` ----------------------------


MILLISECOND = 1_000_000  # work


def plan_lines(compiled: Compiled, options: Options, questions: Sequence[str]) -> Iterator[str]:
    """Line by line: for each question the way, the kernel, the turns, and what is out."""
    for number, (_, asked, plan) in enumerate(plans(compiled, options, questions)):
        if number:
            yield ""
        yield asked
        yield from _lines_of(plan)


def plan_objects(compiled: Compiled, options: Options, questions: Sequence[str]) -> Iterator[dict[str, Any]]:
    """For each question the fields of its `plan` object (output/writers.py)."""
    for question, asked, plan in plans(compiled, options, questions):
        yield {
            "question": question, "asked": asked, "way": _reason(plan.way), "kernel": _reason(plan.kernel),
            "turns": [asdict(turn) for turn in plan.turns], "growth": plan.growth, "out": [*map(_reason, plan.out)],
        }  # fmt: skip


def _reason(said: tuple[str, str]) -> dict[str, str]:
    return {"name": said[0], "why": said[1]}


def _lines_of(plan: Plan) -> Iterator[str]:
    for name, (what, why) in (("way", plan.way), ("kernel", plan.kernel)):
        yield f"  {name:6}  {what}: {why}"
    widest = max([len(turn.name) for turn in plan.turns], default=0)
    longest = max([len(_length(turn)) for turn in plan.turns], default=0)
    rounds = False
    for turn in plan.turns:
        if turn.share is not None and not rounds:
            rounds = True
            yield f"  then {_order(plan.growth)}"
        yield f"    {_length(turn).ljust(longest)}  {turn.name.ljust(widest)}  {turn.why}"
    for name, why in plan.out:
        yield f"  not     {name}: {why}"


def _order(growth: float | None) -> str:
    """How turns follow each other. growth: as in `Timetable`."""
    if growth is None:
        return "by what each gains for its work, at first"
    return "in rounds" if growth == 1 else f"in rounds, each {growth:g} times as long as the one before"


def _length(turn: PlannedTurn) -> str:
    """How long a turn is, for example `8 × 2.5 ms`; in rounds, the share of the time instead."""
    times = "" if turn.times == 1 else f"{turn.times} × "
    length = f"{times}{turn.work / MILLISECOND:.3g} ms"
    return length if turn.share is None else f"{length}, {turn.share:.0%}"


# --- `covr show`: the matrix that a model becomes ---------------------------------------------------------------------


MOST_WORK = 400_000_000  # edges visited for `--symmetries`, at most: about twenty seconds
CYCLES, LONGEST = 6, 8  # the most cycles of a generator, and the most choices of a cycle, that are shown as text


@command("show")
@shared.model_argument
@click.option("--items", is_flag=True, help="List every item: its name, its bounds, how many options reach it.")
@click.option("--options", is_flag=True, help="List every option: its name and the items it is in.")
@click.option(
    "--symmetries", is_flag=True, help="Find the symmetries of the matrix: how many, and what generates them."
)
@click.option("--plan", is_flag=True, help="Show which methods answer the model's questions, for how long, and why.")
@click.option(
    "--for", "questions", type=click.Choice(["solve", "all", "count"]), multiple=True,
    help="With --plan: only for `covr solve`, `covr solve --all` or `covr count`.",
)  # fmt: skip
@click.option("--source", is_flag=True, help="Print the model as it is written, and nothing else.")
@shared.data_options
@shared.plan_options
@shared.json_option
def show_command(
    model: str, items: bool, options: bool, symmetries: bool, plan: bool, questions: tuple[str, ...], source: bool,
    defines: tuple[str, ...], as_json: bool, **words: Any,
) -> int:  # fmt: skip
    """Show the matrix that MODEL becomes: its figures or, with --items and --options, what is in it; with --symmetries,
    its symmetries; with --plan, how its questions are answered.

    \b
    Examples:
      covr show sudoku
      covr show soma --symmetries
      covr show rota --plan
      covr show sudoku --source
    \f
    The plan is that for the given engine, estimate, threads and limits: covr show queens --plan --for count --engine
    links. The model that --source prints may also be a library, such as std/soma.
    """
    if source:
        if items or options or symmetries or plan or defines or as_json:
            raise click.UsageError(
                "--source goes with neither --items, --options, --symmetries, --plan, --json nor -D."
            )

        text = find_source(model).text
        click.echo(text, nl=not text.endswith("\n"))
        return FOUND
    if as_json and (items or options):
        raise click.UsageError("--json goes with neither --items nor --options.")
    asked = shared.options_from(words)
    if not plan and (questions or asked.alone() != Options()):
        raise click.UsageError("--for and the options of a search go with --plan.")
    compiled = shared.open_from(model, defines, options=asked if plan else None, idle=not plan)
    if plan:
        pass
    if as_json:
        _emit(compiled, symmetries, plan_objects(compiled, asked, questions) if plan else ())
        return FOUND
    for line in [] if items or options or symmetries or plan else figures(compiled):
        click.echo(clean(line))
    if items:
        for line in item_lines(compiled.problem):
            click.echo(line)
    if options:
        for line in option_lines(compiled.problem):
            click.echo(line)
    if symmetries:
        for line in symmetry_lines(compiled, _found(compiled)):
            click.echo(clean(line))
    if plan:
        for line in plan_lines(compiled, asked, questions):
            click.echo(line)
    return FOUND


def _found(compiled: Compiled) -> Automorphisms:
    from covr.engine.symmetries import automorphisms

    return automorphisms(compiled.problem, MOST_WORK)


def _emit(compiled: Compiled, symmetries: bool, plans: Iterable[dict[str, Any]]) -> None:
    """Write the sizes of the matrix as `start`, its symmetries if they are asked for, the plans, and `end`."""
    from covr.output import writers

    found = _found(compiled) if symmetries else None
    writers.emit_start(compiled)
    if found is not None:
        names = compiled.problem.option_names
        writers.emit(
            "symmetries",
            order=found.order,
            complete=found.complete,
            declared=None if compiled.symmetry is None else compiled.symmetry.size,
            generators=[[[names[o] for o in cycle] for cycle in cycles(*move)] for move in found.moves],
        )
    for plan in plans:
        writers.emit("plan", **plan)
    writers.emit("end", status="found", exit=FOUND, complete=found is None or found.complete)


def symmetry_lines(compiled: Compiled, found: Automorphisms) -> Iterator[str]:
    """Lines: the order of the group, the declared symmetries, and each generator with some of its cycles."""
    yield f"symmetries  {found.order:,}" + ("" if found.complete else " at least; not all were found in time")
    if compiled.symmetry is not None:
        yield f"declared    a group of {compiled.symmetry.size:,}"
    names = compiled.problem.option_names
    for number, move in enumerate(found.moves, 1):
        yield ""
        yield f"generator {number} moves {len(move[0])} choices"
        shown = list(islice(cycles(*move), CYCLES + 1))
        for cycle in shown[:CYCLES]:
            yield "  " + " -> ".join(names[o] for o in cycle[:LONGEST]) + (" …" if len(cycle) > LONGEST else "")
        if len(shown) > CYCLES:
            yield "  …"


def cycles(moved: Sequence[int], images: Sequence[int]) -> Iterator[list[int]]:
    """A permutation as cycles, ordered by their smallest numbers. moved: the numbers that move, increasing.  images:
    where each goes."""
    image = dict(zip(moved, images, strict=True))
    for first in moved:
        cycle = []
        o = first
        while o in image:
            cycle.append(o)
            o = image.pop(o)
        if cycle:
            yield cycle


def figures(compiled: Compiled) -> Iterator[str]:
    """The figures of the matrix, line by line."""
    problem = compiled.problem
    if compiled.title:
        yield compiled.title
        yield ""
    secondary = problem.items - problem.primary
    yield f"items     {problem.items}  ({problem.primary} primary, {secondary} secondary)"
    yield f"options   {problem.options}" + (f"  ({len(problem.given)} given)" if problem.given else "")
    yield f"entries   {len(problem.members)}"
    if problem.colours:
        yield f"colours   {max(problem.colours)}"
    if problem.projection is not None:
        yield f"projected {len(problem.projection)}  (options that tell answers apart)"
    if problem.sides:
        kinds = Counter(word_for(side) for side in problem.sides)
        parts = [f"{count} {kind}{'s' * (count > 1)}" for kind, count in kinds.items()]
        yield f"beside    {', '.join(parts)}"
    if compiled.goal:
        yield f"goal      {compiled.goal}"
    if compiled.symmetry is not None:
        yield f"symmetry  a group of {compiled.symmetry.size:,}"
    yield from _section("params", [(f"{n} = {_short(d)}", "") for n, d, _, _ in compiled.parameters])
    families = compiled.lowered.families.values()
    yield from _section("choices", [(_head(f.name, f.indices), str(len(f.choices))) for f in families])
    yield from _section("rules", list(_rules(compiled)))


def _head(name: str, indices: tuple[str, ...]) -> str:
    return f"{name}({', '.join(indices)})" if indices else name


def _short(text: str, width: int = 60) -> str:
    """The text of an expression on one line; for a picture, only the reader's call before it."""
    text = " ".join(text.split('"""')[0].split()) + (' """…"""' if '"""' in text else "")
    return cut(text, width)


def _section(title: str, rows: list[tuple[str, str]]) -> Iterator[str]:
    if not rows:
        return
    widest = max(len(left) for left, _ in rows)
    yield ""
    yield title
    for left, right in rows:
        yield f"  {left.ljust(widest)}  {right}".rstrip()


def _rules(compiled: Compiled) -> Iterator[tuple[str, str]]:
    """One line for each statement that makes items, in source order: how it begins, and how many items it makes."""
    lowered = compiled.lowered
    made = Counter(id(origin.statement) for origin in lowered.origins)
    beside: dict[int, Counter[str]] = {}
    # The sides of a matrix come from no statements.
    for side, origin in zip(lowered.problem.sides, lowered.side_origins, strict=not compiled.is_matrix):
        beside.setdefault(id(origin.statement), Counter())[word_for(side)] += 1
    for statement in compiled.model.statements:
        if isinstance(statement, Rule | AreaRule | Divide | Agree | Alike | Needs | Connected | Loop | Prefer):
            source = id(statement.rule if isinstance(statement, Prefer) else statement)
            kinds = [("item", made[source]), *beside.get(source, {}).items()]
            counts = [(kind, n) for kind, n in kinds if n] or kinds[:1]
            said = " and ".join(quantity(n, kind) for kind, n in counts)
            yield _short(statement.span.one_line), said


def item_lines(problem: Problem) -> Iterator[str]:
    """One line for each item: `name<tab>bounds<tab>options`."""
    reached = Counter(problem.members)
    for item, name in enumerate(problem.item_names):
        yield f"{clean(name)}\t{_bounds(problem, item)}\t{reached[item]}"
    for side in problem.sides:
        yield f"{clean(side.name)}\t{_asks(side)}\t{len(set(options_of(side)))}"


def _asks(side: Side) -> str:
    """What a side condition demands: `total 15`, `total 0, 2..4`, `connected`, `loop`."""
    if not isinstance(side, Total):
        return {Connection: "connected", Forest: "no ring"}.get(type(side), word_for(side))
    sums = [str(low) if low == high else f"{low}..{high}" for low, high in side.sums]
    return "total " + (", ".join(sums) or "never")


def _bounds(problem: Problem, item: int) -> str:
    low, high = problem.low[item], problem.high[item]
    if low == high:
        return f"exactly {low}"
    if low == 0:
        return f"at most {high}"
    return f"at least {low}" if high >= problem.options else f"{low}..{high}"


def option_lines(problem: Problem) -> Iterator[str]:
    """One line for each option: `name<tab>item; item:colour; …`, then totals with what it counts there, and
    connections, loops and areas."""
    names = list(map(clean, problem.item_names))
    beside: dict[int, list[str]] = {}
    for side in problem.sides:
        if isinstance(side, Total):
            for option, coefficient in side.terms:
                beside.setdefault(option, []).append(f"{coefficient} * {clean(side.name)}")
        else:
            for option in sorted(set(options_of(side))):
                beside.setdefault(option, []).append(clean(side.name))
    for option, name in enumerate(problem.option_names):
        pairs = zip(problem.option(option), problem.option_colours(option), strict=True)
        parts = [names[i] + (f":{c}" if c else "") for i, c in pairs]
        yield f"{clean(name)}\t" + "; ".join([*parts, *beside.get(option, ())])


# --- `covr trace`: the search step by step, for those who want to see it dance ----------------------------------------


NODES = 200  # nodes that are shown by default
LINES = 100  # lines that are written at once


@command("trace")
@shared.model_argument
@shared.data_options
@click.option(
    "--limit-nodes", type=click.IntRange(min=1), metavar="N", default=NODES, show_default=True,
    help="Stop after this many nodes: the root, and every option taken.",
)  # fmt: skip
@click.option(
    "--limit-time", type=shared.Seconds(), metavar="SECONDS",
    help="Stop after this many seconds of search, and show the steps until then.",
)  # fmt: skip
@shared.json_option
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
    began = perf_counter()
    compiled = shared.open_from(model, defines, options=CommandOptions(limit_time=limit_time))
    refuse_projection(compiled, "the search shown step by step")
    walk = TraceWalk(compiled, limit_nodes, limit_time, perf_counter() - began)
    if as_json:
        _emit_steps(walk)
    else:
        _write_steps(walk)
    return FOUND


def _write_steps(walk: TraceWalk) -> None:
    surface = surface_of(sys.stdout)
    guide = "│ " if surface.unicode else "| "
    title = clean(walk.compiled.title)
    if title:
        write([(Part(title, "title"),), ()], surface)
    pending = _step_lines(walk, guide)
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


def _step_lines(walk: TraceWalk, guide: str) -> Iterator[Line]:
    """One line for each step, with a guide line for every option taken before it."""
    from covr.engine.proofs.trace import ANSWER, BACK, LEAVE, TAKE

    for step in walk.steps():
        indent = guide * step.depth + ("  " if step.kind in (TAKE, LEAVE, BACK) else "")
        style = "title" if step.kind == ANSWER else ""
        yield Part(indent, "line"), Part(clean(step_words(step, walk)), style)
        for effect in step_effects(step, walk):
            yield Part(f"{indent}    ", "line"), Part(clean(effect))


def _emit_steps(walk: TraceWalk) -> None:
    from covr.output import writers

    writers.emit_start(walk.compiled)
    for step in walk.steps():
        writers.emit("step", **step_fields(step, walk))
    writers.emit("end", status="found", exit=0, answers=walk.answers, nodes=walk.nodes, complete=walk.complete)


# --- `covr watch`: solve a model again whenever it is saved -----------------------------------------------------------
# The times and sizes of the files are checked several times a second: this needs no library, works on every file
# system, and takes no noticeable time. The files are the model, its libraries, and those that `-D name=@FILE` names. If
# a file is missing for a moment, as happens when an editor saves it, covr waits for it.


Stamp = tuple[tuple[str, int, int], ...]
CLEAR = "\033[2J\033[H"  # clears a terminal and moves the cursor to its upper left corner


@command("watch")
@shared.model_argument
@shared.define_option
@click.option(
    "--interval", type=click.FloatRange(min=0.05), default=0.3, metavar="SECONDS", show_default=True,
    help="How often to check whether a file has changed.",
)  # fmt: skip
@shared.search_options
def watch_command(model: str, defines: tuple[str, ...], interval: float, **words: Any) -> int:
    """Solve MODEL, and solve it again each time it is saved, until Ctrl-C. After an error covr waits for the next save.

    \b
    Examples:
      covr watch mine.cover
      covr watch mine.cover -D clue=@puzzle.txt --limit-time 10
    """
    if model == "-":
        raise click.UsageError("standard input can't be watched.")
    options = shared.options_from(words).alone()
    options.settings()
    files = _files(model, defines)
    while True:
        seen = _stamp(files)
        if sys.stdout.isatty():
            click.echo(CLEAR, nl=False)
        try:
            compiled = shared.open_from(model, defines)
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
    from covr.cli.asking import Question
    from covr.cli.solve import solve_compiled

    run = Run(compiled, options)
    solve_compiled(compiled, Question(1), options, run=run)
    return run.told_to_stop


def _files(model: str, defines: tuple[str, ...]) -> list[Path]:
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
