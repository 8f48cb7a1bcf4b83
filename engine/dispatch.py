"""Which engine answers a question: the one way in for whoever wants answers of a problem."""

from __future__ import annotations

from typing import Protocol

from attrs import frozen

from covr.engine import portfolio, restarts, single
from covr.engine.heed import Met, Stopped, heeding
from covr.engine.limits import Limits
from covr.engine.outside import sat
from covr.engine.pieces import parallel
from covr.engine.problem import Problem
from covr.engine.search import DEFAULTS, NO_LIMITS, Search
from covr.engine.settings import Settings
from covr.engine.status import Counters, Status


class Engine(Protocol):
    """A way to answer questions about problems; each is a module with these two functions."""

    def suits(self, problem: Problem, goal: str, limits: Limits, settings: Settings) -> bool:
        """Whether it answers that question better than those after it in `IN_TURN`, and is allowed to: the settings may
        name another. At most linear time in the problem."""

    def start(self, problem: Problem, goal: str, limits: Limits, settings: Settings) -> Search:
        """The search, made ready, for a question that suits. Raises Stopped at a limit (see heed.py), and
        ValueError for settings that it can't follow."""


IN_TURN: tuple[Engine, ...] = (sat, portfolio, restarts, parallel, single)  # the first that suits; the last always does


def search(problem: Problem, *, goal: str = "all", limits: Limits = NO_LIMITS, settings: Settings = DEFAULTS) -> Search:
    """Start a search; nothing but preparation is done before its first answer is asked for. That counts as time spent
    inside the search, and a limit met by then ends it.

    problem: validated.  goal: 'all' or 'minimum'.
    Without a seed every engine gives the answers in the same order: depth first; at a node, the unmet item
    with the fewest ways (live options - need + 1), the lowest number on ties; its options in increasing
    number, each first taken and then, for what follows, excluded; when no item is unmet, the live options
    likewise, and then the answer that takes none of them. With goal 'minimum' an option that no unmet item
    asks for is left out unless its cost is negative, and what can't be cheaper than the best answer is
    skipped: admissible estimates only save work.
    The order is another with the engines `sat` and `sides`, which answers where there are totals, connections and
    loops, on one thread: a fixed order, in which options are taken or left out as the search finds best. It may be
    another where `limits` ask for one or two answers, the engine is `auto` and the documented order takes long: see
    portfolio.py. Several threads keep it.
    """
    met = Met(limits)
    try:
        with heeding(met):
            begun = _start(problem, goal, limits, settings)
    except Stopped as stopped:
        begun = Unbegun(problem, goal, limits, settings, stopped.status)
        begun.out_of_memory = met.out_of_memory
    begun.clock.spend(met.clock.spent)
    return begun


def _start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> Search:
    """The search that suits, made ready. Raises Stopped."""
    engine = next(engine for engine in IN_TURN if engine.suits(problem, goal, limits, settings))
    return engine.start(problem, goal, limits, settings)


class Unbegun(Search):
    """A search that was stopped before it was ready."""

    def __init__(self, problem: Problem, goal: str, limits: Limits, settings: Settings, status: Status) -> None:
        super().__init__(problem, goal, limits, settings)
        self.status = status

    @property
    def engine(self) -> str:
        return self.settings.engine

    @property
    def counters(self) -> Counters:
        return Counters()

    @property
    def bound(self) -> int | None:
        return None


@frozen
class Counted:
    """value: answers counted; exact when the status is `exhausted`, else a number there are at least."""

    value: int
    status: Status
    counters: Counters


def count(problem: Problem, limits: Limits = NO_LIMITS, settings: Settings = DEFAULTS) -> Counted:
    """How many answers there are, without building them. A KeyboardInterrupt goes on to the caller."""
    run = search(problem, limits=limits, settings=settings)
    return Counted(run.count(), run.status, run.counters)
