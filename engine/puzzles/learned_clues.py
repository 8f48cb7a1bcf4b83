"""Leaves out clues by clingo, which learns from one question to the next, and tells which clues a proof needed: what it
did not need goes at once. For problems that the batch kernel does not take, such as those with side conditions.

Measured, CPU, hidato of 8 × 8 squares (4096 options, 8000 side conditions): with one search for each question no puzzle
in 300 s, so in 2.3.
"""

from __future__ import annotations

from collections.abc import Sequence

from covr.engine.base.extras import Unsuited
from covr.engine.base.heed import Stopped
from covr.engine.base.status import Status
from covr.engine.outside import clingo
from covr.engine.outside.clingo_switched import OtherAnswers, Switched, taken
from covr.engine.puzzles.clues import Uniqueness, Unit, flat
from covr.engine.search import Answer


def learns(asked: Uniqueness) -> bool:
    """Whether questions about these clues are for clingo."""
    settings = asked.settings
    return clingo.INSTALLED and not asked.native and settings.engine == "auto" and not settings.interpreted


def thin_learned(asked: Uniqueness, answer: Answer, order: Sequence[Unit]) -> list[Unit] | None:
    """What is left of some units if they are left out, the last first; minimal, and sorted. None if clingo can't hold
    the problem, or where another engine finds that what is left is not enough.

    order: units that leave the answer the only one.  Raises Stopped."""
    switched = [Switched((k,), taken(o)) for k, unit in enumerate(order, 1) for o in unit]
    try:
        others = OtherAnswers(asked.problem, switched, answer, range(asked.problem.options), lambda: asked.stopping)
    except Unsuited:
        return None
    waiting, kept = list(range(len(order))), list[int]()
    while waiting:
        tried = waiting.pop()
        if _only(asked, others, [k + 1 for k in kept + waiting]):
            needed = {switch - 1 for switch in others.core}
            waiting = [k for k in waiting if k in needed]
        else:
            kept.append(tried)
    left = sorted(order[k] for k in kept)
    return left if asked.other(answer, flat(left)) is None else None


def _only(asked: Uniqueness, others: OtherAnswers, on: Sequence[int]) -> bool:
    """Whether there is no other answer with these switches on. Raises Stopped."""
    asked.heed()
    asked.questions += 1
    before = others.nodes
    found = others.ask(on, asked.nodes_left)
    asked.nodes += others.nodes - before
    if not others.settled:
        asked.heed()
        raise Stopped(Status.LIMIT)
    return found is None
