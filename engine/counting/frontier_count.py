"""Counts item by item where the frontier is narrow, by turns with a search that counts.

The count item by item (kernels/frontiers/_sweep.py) takes a time that only the frontier's width and the number of items
bound. The search comes first, for no longer than it takes to make a plan, since most counts are over by then. If all
sets of the frontier together take no more time than the search by the share of its tree that is done, the count item by
item then has all of it. Else its turns are a quarter of the search's, since it mostly meets few of the sets. The method
that finishes first gives the count.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from covr.engine.base.limits import ENDLESS
from covr.engine.kernels.header import DONE, SLICE
from covr.engine.kernels.loading import load
from covr.engine.prepare.frontier import SweepPlan, plan_count
from covr.engine.prepare.masks import Residual
from covr.engine.problem import Problem
from covr.engine.settings import Pace
from covr.engine.turns import CountTurns, Entrant, Method

MEMO_NODE = 400  # work of a node of a search with a memo
RARER = 4  # times as much work has the search in its turns; a wide frontier then costs it a quarter of its time
STATE = 50  # work of a state, and of a node of a search on sets with bounds: 25 ns where a layer fits into the cache


def count_by_items(search: Method, problem: Problem, residual: Residual, room: int, pace: Pace) -> Method:
    """A method that only counts: `search`, and the count item by item, by turns. The plan is made only when its first
    turn comes.

    search: a method that has not begun and counts.  problem, residual: what it counts.  room: bytes for the sweep."""
    made: list[ItemCount] = []

    @cache
    def by_items() -> Method | None:
        plan = plan_count(problem, residual)
        if plan is None:
            return None
        made.append(ItemCount(plan, room))
        return Method("item by item", made[0], made[0].run, tuple, fraction=made[0].sweep.fraction, node=STATE)

    def fits() -> bool:
        return not any(count.sweep.is_full for count in made)

    turn = pace.counts.patience * search.node

    def turn_of_items() -> int:
        if search.work > 0 and by_items() and made[0].promised * STATE * (search.fraction() or 0) <= search.work:
            return ENDLESS
        return turn // RARER

    alone = Entrant("search", lambda: search, turn, "is quicker where the frontier is wide")
    items = Entrant(
        "item by item", by_items, turn // RARER, "is quicker where the frontier is narrow", turn_of_items, fits,
        share=lambda: made[0].nodes / max(made[0].promised, 1) if made else 0,
    )  # fmt: skip
    turns = CountTurns((alone, items), pace)

    def spared() -> int:
        # Enough, while there is a frontier, that nobody thinks the memo does not pay: turns can't be divided among
        # threads.
        return max(search.spared(), turns.nodes << 10) if made and fits() else search.spared()

    return Method(search.name, turns, turns.run, tuple, fraction=turns.fraction, spared=spared)


class ItemCount:
    """The count item by item as a kernel (see loading.py). promised: how many states there are at most."""

    def __init__(self, plan: SweepPlan, room: int) -> None:
        """room: bytes that the frontier may take."""
        self.promised = len(plan.leave) << plan.width
        self.sweep: Any = load("_sweep").SweepKernel(plan, None, room)
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
