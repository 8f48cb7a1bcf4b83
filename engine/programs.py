"""Finds a minimum with linear programs: beside the orders of restarts.py, or beside the search for covers.

The tree of linear programs goes first (minimum/mixed.py); then it takes turns with a walk on sets where that applies,
and with the orders where it does not. Whichever ends first proves the minimum. So a bad order does no harm where bounds
are tight, and a weak bound does none where an order is good. All turns are measured in work, never in seconds, so the
same question has the same answers after the same nodes on every machine.

On covering problems the search for covers is quicker than both; it has the first second to itself and most of the time
after that. The tree runs beside it to provide a lower bound that keeps rising.
"""

from __future__ import annotations

from collections.abc import Sequence

from covr.engine import restarts, single
from covr.engine.base.limits import Limits
from covr.engine.check import cost
from covr.engine.kernel_search import KernelSearch
from covr.engine.method import Method
from covr.engine.minimum import mixed
from covr.engine.minimum.core import is_suited
from covr.engine.problem import Problem
from covr.engine.search import Answer
from covr.engine.settings import Settings


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> KernelSearch:
    """Starts the search, as an `Approach` (plan.py)."""
    if is_suited(problem):
        return KernelSearch(_covering(problem, settings), problem, goal, limits, settings)

    def whole(options: Sequence[int]) -> Answer:
        return tuple(sorted([*options, *problem.given]))

    method = restarts.orders(problem, settings, brief=True)
    beside = mixed.beside(method, problem, settings, whole, lambda answer: cost(problem, answer))
    return KernelSearch(beside, problem, goal, limits, settings)


def _covering(problem: Problem, settings: Settings) -> Method:
    """The search for covers, with a tree beside it."""

    def whole(options: Sequence[int]) -> Answer:
        return tuple(sorted([*options, *problem.given]))

    method = single.prepare(problem, "minimum", settings)
    return mixed.beside(method, problem, settings, whole, lambda answer: cost(problem, answer), covering=True)
