"""Counts exact covers item by item where the frontier is narrow, by turns with a search that has a memo.

The count item by item (kernels/frontiers/_frontier.py) takes a time that only the frontier's width and the number of
items bound, and a state takes far less than a node with a memo (kernels/sets/_bits.py). So it has most of the time
where its plan says that the frontier is narrow enough for one. The search with a memo comes first, for no longer than
it takes to make a plan, since most counts are over by then; and it goes on by turns, because equal rests may be fewer
than sets of the frontier. The method that finishes first gives the count.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from attrs import evolve

from covr.engine.kernels.header import DONE, SLICE
from covr.engine.kernels.loading import load
from covr.engine.prepare.frontier import plan_frontier
from covr.engine.prepare.masks import Residual
from covr.engine.problem import Problem
from covr.engine.settings import Pace
from covr.engine.turns import CountTurns, Entrant, Method

NODE = 400  # work of a node of the search, and of the states that have as much of a turn
SHARE = 32  # turns of the count item by item for each of the search, a node of which takes as long as 20 states


def count_by_frontier(memo: Method, problem: Problem, residual: Residual, room: int, pace: Pace) -> Method:
    """A method that only counts: `memo`, and the count item by item, by turns. The plan for the frontier is made only
    when its first turn comes.

    memo: a counting method that has not begun.  problem, residual: what it counts.  room: bytes for the frontier."""
    memo = evolve(memo, node=NODE)
    made: list[ItemCount] = []

    @cache
    def by_items() -> Method | None:
        plan = plan_frontier(problem, residual)
        if plan is None:
            return None
        made.append(ItemCount(plan, room))
        return Method("item by item", made[0], made[0].run, tuple, fraction=made[0].sweep.fraction, node=NODE)

    def fits() -> bool:
        return not any(count.sweep.is_full for count in made)

    turn = pace.counts.patience * NODE
    search = Entrant("search with a memo", lambda: memo, turn, "is quicker where the frontier is wide")
    items = Entrant("item by item", by_items, SHARE * turn, "is quicker where the frontier is narrow", may=fits)
    turns = CountTurns((search, items), pace)

    def spared() -> int:
        # Enough, while there is a frontier, that nobody thinks the memo does not pay: turns can't be divided among
        # threads.
        return max(memo.spared(), turns.nodes << 10) if made and fits() else memo.spared()

    return Method(memo.name, turns, turns.run, tuple, fraction=turns.fraction, spared=spared)


class ItemCount:
    """The count item by item as a kernel (see loading.py)."""

    def __init__(self, plan: Any, room: int) -> None:
        """plan: of prepare/frontier.py.  room: bytes that the frontier may take."""
        self.sweep: Any = load("_frontier").Sweep(plan, room)
        self.code = -1

    @property
    def nodes(self) -> int:
        """The states that were treated."""
        return int(self.sweep.nodes)

    @property
    def updates(self) -> int:
        """The changes that were made."""
        return int(self.sweep.updates)

    @property
    def answers(self) -> int:
        """How many answers there are, once that is known."""
        return int(self.sweep.value or 0)

    def run(self, nodes: int, answers: int) -> int:
        """Treat at most so many more states. Returns a code of header.py; also `SLICE` where the memory is full."""
        self.code = DONE if self.sweep.run(nodes) == DONE else SLICE
        return self.code

    def answer(self) -> list[int]:
        """No answer is kept."""
        return []
