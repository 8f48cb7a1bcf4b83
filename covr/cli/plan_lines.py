"""Writes the plans of a model's questions as text or as objects, for `covr show --plan`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import asdict

from covr.engine.planned import Plan, PlannedTurn
from covr.questions.plans import plans

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.options import Options

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
