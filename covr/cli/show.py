"""`covr show`: the matrix that a model becomes, and the plans of its questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import click
from attrs import asdict

from covr.cli.common.asking import json_faults
from covr.cli.common.help import command
from covr.cli.common.shared import (
    define_option,
    from_option,
    json_option,
    model_argument,
    open_from,
    options_from,
    plan_options,
)
from covr.draw.canvas import clean
from covr.engine.dispatch import Plan, PlannedTurn
from covr.engine.problem import Circuit, Side, Total, options_of
from covr.output.streams import FOUND
from covr.questions.plans import plans

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.engine import Problem
    from covr.engine.symmetries import Automorphisms
    from covr.questions.options import Options

# --- plan lines ------------------------------------------------------------------------------------------------------
# Writes the plans of a model's questions as text or as objects, for `covr show --plan`.


MILLISECOND = 1_000_000  # work


def plan_lines(compiled: Compiled, options: Options, questions: Sequence[str]) -> Iterator[str]:
    """Line by line: for each question the way, the kernel, the turns, and what is out."""
    for number, (_, asked, plan) in enumerate(plans(compiled, options, questions)):
        if number:
            yield ""
        yield asked
        yield from _told(plan)


def plan_objects(compiled: Compiled, options: Options, questions: Sequence[str]) -> Iterator[dict[str, Any]]:
    """For each question the fields of its `plan` object (output/stream.py)."""
    for question, asked, plan in plans(compiled, options, questions):
        yield {
            "question": question, "asked": asked, "way": _reason(plan.way), "kernel": _reason(plan.kernel),
            "turns": [asdict(turn) for turn in plan.turns], "growth": plan.growth, "out": [*map(_reason, plan.out)],
        }  # fmt: skip


def _reason(said: tuple[str, str]) -> dict[str, str]:
    return {"name": said[0], "why": said[1]}


def _told(plan: Plan) -> Iterator[str]:
    for name, (what, why) in (("way", plan.way), ("kernel", plan.kernel)):
        yield f"  {name:6}  {what}: {why}"
    widest = max([len(turn.name) for turn in plan.turns], default=0)
    longest = max([len(_length(turn)) for turn in plan.turns], default=0)
    rounds = False
    for turn in plan.turns:
        if turn.share is not None and not rounds:
            rounds = True
            longer = "" if plan.growth == 1 else f", each {plan.growth:g} times as long as the one before"
            yield f"  then in rounds{longer}"
        yield f"    {_length(turn).ljust(longest)}  {turn.name.ljust(widest)}  {turn.why}"
    for name, why in plan.out:
        yield f"  not     {name}: {why}"


def _length(turn: PlannedTurn) -> str:
    """How long a turn is, for example `8 × 2.5 ms`; in rounds, the share of the time instead."""
    times = "" if turn.times == 1 else f"{turn.times} × "
    length = f"{times}{turn.work / MILLISECOND:.3g} ms"
    return length if turn.share is None else f"{length}, {turn.share:.0%}"


# --- show ------------------------------------------------------------------------------------------------------------
# `covr show`: the matrix that a model becomes.


MOST_WORK = 400_000_000  # edges visited for `--symmetries`, at most: about twenty seconds
CYCLES, LONGEST = 6, 8  # the most cycles of a generator, and the most choices of a cycle, that are shown as text


@command("show")
@model_argument
@click.option("--items", is_flag=True, help="List every item: its name, its bounds, how many options reach it.")
@click.option("--options", is_flag=True, help="List every option: its name and the items it is in.")
@click.option(
    "--symmetries", is_flag=True, help="Find the symmetries of the matrix: how many, and what generates them."
)
@click.option("--plan", is_flag=True, help="Tell which methods answer the model's questions, for how long, and why.")
@click.option(
    "--for", "questions", type=click.Choice(["solve", "all", "count"]), multiple=True,
    help="With --plan: only for `covr solve`, `covr solve --all` or `covr count`.",
)  # fmt: skip
@click.option("--source", is_flag=True, help="Print the model as it is written, and nothing else.")
@define_option
@from_option
@plan_options
@json_option
@json_faults
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
        from covr.inputs.library import find_source

        text = find_source(model).text
        click.echo(text, nl=not text.endswith("\n"))
        return FOUND
    if as_json and (items or options):
        raise click.UsageError("--json goes with neither --items nor --options.")
    from covr.questions.options import Options

    asked = options_from(words)
    if not plan and (questions or asked.alone() != Options()):
        raise click.UsageError("--for and the options of a search go with --plan.")
    compiled = open_from(model, defines, options=asked if plan else None, idle=not plan)
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
    """The symmetries of the matrix that work up to `MOST_WORK` finds."""
    from covr.engine.symmetries import automorphisms

    return automorphisms(compiled.problem, MOST_WORK)


def _emit(compiled: Compiled, symmetries: bool, plans: Iterable[dict[str, Any]]) -> None:
    """Write the sizes of the matrix as the object `start`, its symmetries if they are asked for, the plans, and the
    `end` object."""
    from covr.output import stream

    found = _found(compiled) if symmetries else None
    stream.emit_start(compiled)
    if found is not None:
        names = compiled.problem.option_names
        stream.emit(
            "symmetries",
            order=found.order,
            complete=found.complete,
            declared=None if compiled.symmetry is None else compiled.symmetry.size,
            generators=[[[names[o] for o in cycle] for cycle in cycles(*move)] for move in found.moves],
        )
    for plan in plans:
        stream.emit("plan", **plan)
    stream.emit("end", status="found", exit=FOUND, complete=found is None or found.complete)


def symmetry_lines(compiled: Compiled, found: Automorphisms) -> Iterator[str]:
    """Line by line: the order of the group, the symmetries that the model declares, and each generator with some of its
    cycles."""
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
    """A permutation as cycles. Each begins with its smallest number, and they are ordered by it. moved: the numbers
    that are moved, increasing.  images: where each of them goes."""
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
        kinds = Counter(_KINDS[type(side).__name__] for side in problem.sides)
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


_KINDS = {"Total": "total", "Connection": "connection", "Circuit": "loop"}


def _head(name: str, indices: tuple[str, ...]) -> str:
    return f"{name}({', '.join(indices)})" if indices else name


def _short(text: str, width: int = 60) -> str:
    """The text of an expression on one line; for a picture, only the reader's call before it."""
    text = " ".join(text.split('"""')[0].split()) + (' """…"""' if '"""' in text else "")
    return text if len(text) <= width else text[: width - 1] + "…"


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
    from covr.dsl.syntax import Agree, Alike, Connected, Loop, Needs, Prefer, Rule

    lowered = compiled.lowered
    made = Counter(id(origin.statement) for origin in lowered.origins)
    beside: dict[int, Counter[str]] = {}
    # The sides of a matrix come from no statements.
    for side, origin in zip(lowered.problem.sides, lowered.side_origins, strict=not compiled.is_matrix):
        beside.setdefault(id(origin.statement), Counter())[_KINDS[type(side).__name__]] += 1
    for statement in compiled.model.statements:
        if isinstance(statement, Rule | Agree | Alike | Needs | Connected | Loop | Prefer):
            source = id(statement.rule if isinstance(statement, Prefer) else statement)
            kinds = [("item", made[source]), *beside.get(source, {}).items()]
            counts = [(kind, n) for kind, n in kinds if n] or kinds[:1]
            said = " and ".join(f"{n} {kind}{'' if n == 1 else 's'}" for kind, n in counts)
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
        return "loop" if isinstance(side, Circuit) else "connected"
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
    """One line for each option: `name<tab>item; item; …`; a colour follows its item after a colon.

    After the items come the totals, with what the option counts in each (`-2 * budget`), and the names of the
    connections and loops to which it belongs.
    """
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
