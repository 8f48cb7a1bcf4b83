"""Writes the plans of a model's questions as text, for `covr show --plan`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from covr.engine.base.limits import Limits
from covr.engine.dispatch import search_classes
from covr.engine.planned import Plan, PlannedTurn, plan_of, plan_of_classes
from covr.engine.settings import Settings

if TYPE_CHECKING:
    from covr.compiler import Compiled

FREE = Settings(jobs=None)  # what the command asks for if no option is given
MILLISECOND = 1_000_000  # work


def plan_lines(compiled: Compiled) -> Iterator[str]:
    """Line by line: for each question the way, the kernel, the turns, and what is out."""
    for number, (question, plan) in enumerate(_plans(compiled)):
        if number:
            yield ""
        yield question
        yield from _told(plan)


def _plans(compiled: Compiled) -> Iterator[tuple[str, Plan]]:
    problem = compiled.problem
    if compiled.goal is not None:
        yield "the best value", plan_of(problem, "minimum", settings=FREE)
        best = Settings(jobs=None, ceiling=0)  # any ceiling: which one does not matter to the plan
        yield "every best answer, once the best value is known", plan_of(problem, "all", settings=best)
        return
    yield "a first answer", plan_of(problem, "all", Limits(answers=1), FREE)
    if compiled.symmetry is not None:
        begun = search_classes(problem, compiled.symmetry.group(), settings=FREE)
        yield "one answer of each class", plan_of_classes(problem, begun, FREE)
        return
    yield "every answer", plan_of(problem, "all", settings=FREE)
    yield "how many there are", plan_of(problem, "all", settings=FREE, counting=True)


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
