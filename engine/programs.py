"""Finds a minimum with linear programs: beside the orders of restarts.py, or beside the search for covers.

The tree of linear programs begins (minimum/mixed.py); then it takes turns with a walk on sets where that is fit, and
with the orders where it is not. Whoever ends first proves the minimum. So no order of a problem matters where bounds
are tight, and no bound where an order is good. All turns are measured in work, never in seconds, so the same question
has the same answers after the same nodes on every machine.

The search for covers is quicker than both; it has the first second for itself, and most of the time after that. The
tree is there for a bound that rises while it goes on.
"""

from __future__ import annotations

from collections.abc import Sequence

from covr.engine import restarts, single
from covr.engine.check import cost
from covr.engine.heed import Stopped
from covr.engine.kernel_search import KernelSearch
from covr.engine.kernels.codes import DONE, FOUND, SLICE
from covr.engine.limits import Limits
from covr.engine.minimum import mixed
from covr.engine.minimum.core import is_suited
from covr.engine.problem import Problem
from covr.engine.restarts import Restarts
from covr.engine.search import NO_LIMITS, Answer
from covr.engine.settings import Settings
from covr.engine.setup import Setup
from covr.engine.status import Status


def suits(problem: Problem, goal: str, limits: Limits, settings: Settings) -> bool:
    """Whether a question is one for linear programs, in no order that was asked for."""
    if restarts.suits(problem, goal, limits, settings):
        return mixed.suits(problem, goal, settings)
    free = goal == "minimum" and settings.seed is None and not settings.interpreted
    return free and is_suited(problem) and mixed.suits_cover(problem, settings)


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> KernelSearch:
    """As an `Engine` (dispatch.py)."""
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
    """A kernel (see loading.py) made of a search in several orders."""

    def __init__(self, problem: Problem, settings: Settings) -> None:
        self.search = Restarts(problem, NO_LIMITS, settings, brief=True)
        self.search.leave_unchecked()
        self.code = -1
        self._best: Answer = ()

    @property
    def nodes(self) -> int:
        """Of all orders."""
        return self.search.counters.nodes

    @property
    def updates(self) -> int:
        """Of all orders."""
        return self.search.counters.updates

    @property
    def answers(self) -> int:
        """Better and better ones."""
        return self.search.counters.answers

    def run(self, nodes: int, answers: int) -> int:
        """Search on for at most so many nodes, up to the next answer. Raises Stopped where whoever heeds limits wants
        it to stop while an order is made ready."""
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
        """The same as an answer."""
        return self._best

    def fraction(self) -> float | None:
        """How much the order that has come furthest has done of its tree."""
        return self.search.measure()
