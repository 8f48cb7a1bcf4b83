"""Counts exact covers: a search with a memo and, if it takes long and the frontier is narrow, a count item by item.

The search with a memo (kernels/sets/_bits.py) is the quicker one wherever the answers are few or the frontier is wide.
The count item by item (kernels/frontiers/_frontier.py) takes a time that only the frontier's width and the number of
items bound. Neither can be told in advance, so the search begins, and after PATIENCE nodes the two take turns that
double; so the whole takes at most about twice the time of the quicker one. Whoever finishes first gives the count. Most
problems have a wide frontier, or are finished within the patience: these take no longer than before.
"""

from __future__ import annotations

from typing import Any

from covr.engine.kernels.codes import DONE, SLICE
from covr.engine.kernels.loading import load
from covr.engine.prepare.frontier import plan_frontier
from covr.engine.prepare.residual import Residual
from covr.engine.problem import Problem

PATIENCE = 1 << 19  # nodes that the search with the memo has to itself: a fifth of a second or so
STATES_A_NODE = 4  # states that are treated in the time of a node of the search


class CountByFrontier:
    """A kernel that only counts: `memo`, and the count item by item, by turns."""

    def __init__(self, memo: Any, problem: Problem, residual: Residual, room: int) -> None:
        """memo: a counting kernel that has not begun.  problem, residual: what it counts.  room: bytes for the
        frontier. The plan for the frontier is made only when its first turn comes."""
        self._memo, self._problem, self._residual, self._room = memo, problem, residual, room
        self._sweep: Any = None
        self._patience = PATIENCE  # nodes of the search until the other's turn comes
        self._turn = 0  # states that are left of the turn of the count item by item
        self.code = -1

    @property
    def nodes(self) -> int:
        """The nodes of the search, and the states of the frontier."""
        return int(self._memo.nodes) + (0 if self._sweep is None else int(self._sweep.nodes))

    @property
    def updates(self) -> int:
        """The changes that both made."""
        return int(self._memo.updates) + (0 if self._sweep is None else int(self._sweep.updates))

    @property
    def answers(self) -> int:
        """How many answers there are, or how many the search has found so far."""
        value = None if self._sweep is None else self._sweep.value
        return int(self._memo.answers if value is None else value)

    @property
    def spared(self) -> int:
        """The nodes that the memo saved. While the count item by item goes on, enough that nobody thinks it does not
        pay: what is treated in turns here can't be divided among threads."""
        return int(self._memo.spared) if not self._is_sweeping() else max(int(self._memo.spared), self.nodes << 10)

    def fraction(self) -> float:
        """How much of the count is done."""
        return max(float(self._memo.fraction()), 0.0 if self._sweep is None else float(self._sweep.fraction()))

    def answer(self) -> list[int]:
        """No answer is kept, as by all kernels that only count."""
        return []

    def run(self, nodes: int, answers: int) -> int:
        """Search for at most `nodes` more nodes; when counting, answers do not stop it. Returns a code of codes.py."""
        end = self.nodes + nodes
        self.code = code = SLICE
        while code == SLICE and self.nodes < end:
            if self._turn > 0 and self._is_sweeping():
                before = self._sweep.nodes
                code = DONE if self._sweep.run(min(self._turn, end - self.nodes)) == DONE else SLICE
                self._turn -= self._sweep.nodes - before
            else:
                code = self._memo.run(min(max(self._patience - self._memo.nodes, 1), end - self.nodes), answers)
                if code == SLICE and self._memo.nodes >= self._patience and self._may_sweep():
                    self._turn = STATES_A_NODE * self._patience
                    self._patience *= 2
        self.code = code
        return code

    def _is_sweeping(self) -> bool:
        return self._sweep is not None and not self._sweep.is_full

    def _may_sweep(self) -> bool:
        """Whether the count item by item may have a turn; makes its plan at the first one."""
        if self._sweep is None and self._problem is not None:
            plan = plan_frontier(self._problem, self._residual)
            if plan is not None:
                self._sweep = load("_frontier").Sweep(plan, self._room)
            self._problem = self._residual = None  # type: ignore[assignment]
        return self._is_sweeping()
