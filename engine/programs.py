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
from covr.engine.base.heed import Stopped
from covr.engine.base.limits import Limits
from covr.engine.base.status import Status
from covr.engine.check import cost
from covr.engine.kernel_search import KernelSearch
from covr.engine.kernels.codes import DONE, FOUND, SLICE
from covr.engine.minimum import mixed
from covr.engine.minimum.core import is_suited
from covr.engine.problem import Problem
from covr.engine.restarts import Restarts
from covr.engine.search import NO_LIMITS, Answer
from covr.engine.settings import Settings
from covr.engine.setup import Setup


def suits(problem: Problem, goal: str, limits: Limits, settings: Settings) -> bool:
    """Whether linear programs are suited to a question: a minimum, with no seed that fixes the order."""
    if restarts.suits(problem, goal, limits, settings):
        return mixed.suits(problem, goal, settings)
    free = goal == "minimum" and settings.seed is None and not settings.interpreted
    return free and is_suited(problem) and mixed.suits_cover(problem, settings)


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> KernelSearch:
    """Starts the search, in the form that an `Engine` (dispatch.py) needs."""
    if is_suited(problem):
        return KernelSearch(_covering(problem, settings), problem, goal, limits, settings)
    orders = _Orders(problem, settings)

    def whole(options: Sequence[int]) -> Answer:
        return tuple(sorted([*options, *problem.given]))

    setup = Setup(
        orders.search.engine,
        orders,
        orders.run,
        orders.whole,
        root_bound=lambda: orders.search.bound,
        lower=orders.search.lower_ceiling,
        fraction=orders.fraction,
        told=lambda: orders.search.engine,
    )
    beside = mixed.beside(setup, problem, settings, whole, lambda answer: cost(problem, answer))
    return KernelSearch(beside, problem, goal, limits, settings)


def _covering(problem: Problem, settings: Settings) -> Setup:
    """The search for covers, with a tree beside it."""

    def whole(options: Sequence[int]) -> Answer:
        return tuple(sorted([*options, *problem.given]))

    setup = single.prepare(problem, "minimum", settings)
    return mixed.beside(setup, problem, settings, whole, lambda answer: cost(problem, answer), covering=True)


class _Orders:
    """A search in several orders (restarts.py) as a kernel (see loading.py)."""

    def __init__(self, problem: Problem, settings: Settings) -> None:
        self.search = Restarts(problem, NO_LIMITS, settings, brief=True)
        self.search.leave_unchecked()
        self.code = -1
        self._best: Answer = ()

    @property
    def nodes(self) -> int:
        """Nodes of all orders together."""
        return self.search.counters.nodes

    @property
    def updates(self) -> int:
        """Updates of all orders together."""
        return self.search.counters.updates

    @property
    def answers(self) -> int:
        """How many answers were found, each cheaper than the one before."""
        return self.search.counters.answers

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most this many nodes, up to the next answer. Raises Stopped where a limit or an interrupt ends
        the search while an order is being set up."""
        self.code = -1
        search, end = self.search, self.nodes + nodes
        while True:
            for answer in search.waiting():
                self._best = answer
                self.code = FOUND
                return FOUND
            if search.status is Status.EXHAUSTED:
                self.code = DONE
                return DONE
            if search.status is not Status.RUNNING:
                raise Stopped(search.status)
            if self.nodes >= end:
                self.code = SLICE
                return SLICE
            search.step_once(end - self.nodes)

    def answer(self) -> list[int]:
        """The best answer, given options included."""
        return list(self._best)

    def whole(self) -> Answer:
        """The best answer as a tuple; see `answer`."""
        return self._best

    def fraction(self) -> float | None:
        """How much of its search tree the order that is furthest along has done, from 0 to 1; None if unknown."""
        return self.search.measure()
