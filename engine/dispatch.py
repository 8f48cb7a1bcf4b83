"""Chooses the engine that answers a question: the one entry point for searching a problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from attrs import frozen

from covr.engine.heed import Met, Stopped, heeded, heeding
from covr.engine.limits import Limits
from covr.engine.problem import Problem
from covr.engine.search import DEFAULTS, NO_LIMITS, Search
from covr.engine.settings import Settings
from covr.engine.status import Counters, Status

if TYPE_CHECKING:
    from covr.engine.pieces.class_cut import Permutation
    from covr.engine.symmetries.chain import ChainGroup


class Engine(Protocol):
    """A way to answer questions about problems; each is a module with these two functions."""

    def suits(self, problem: Problem, goal: str, limits: Limits, settings: Settings) -> bool:
        """Whether this engine answers the question better than those after it in `IN_TURN`, and may be used: the
        settings may name another engine. At most linear time in the size of the problem."""

    def start(self, problem: Problem, goal: str, limits: Limits, settings: Settings) -> Search:
        """A search that is ready to run, for a question that `suits`. Raises Stopped at a limit (see heed.py), and
        ValueError for settings that the engine can't follow."""


@frozen
class LazyEngine:
    """An engine that is imported once it may suit. module: below covr.engine; may: whether it can suit a question with
    this goal and these settings at all."""

    module: str
    may: Callable[[str, Settings], bool]

    @property
    def engine(self) -> Engine:
        """The module."""
        engine: Engine = import_module(f"covr.engine.{self.module}")
        return engine


# The first that suits; the last always does.
IN_TURN = (
    LazyEngine("outside.sat", lambda goal, settings: settings.engine == "sat"),
    LazyEngine("outside.clingo", lambda goal, settings: settings.engine == "clingo"),
    LazyEngine("portfolio", lambda goal, settings: goal == "all"),
    LazyEngine("beside", lambda goal, settings: goal == "minimum"),
    LazyEngine("programs", lambda goal, settings: goal == "minimum"),
    LazyEngine("restarts", lambda goal, settings: goal == "minimum"),
    LazyEngine("pieces.parallel", lambda goal, settings: goal == "all" and settings.jobs != 1),
    LazyEngine("single", lambda goal, settings: True),
)


def search(problem: Problem, *, goal: str = "all", limits: Limits = NO_LIMITS, settings: Settings = DEFAULTS) -> Search:
    """Prepare a search; the searching itself begins when the first answer is asked for. Preparation counts as time
    spent inside the search, and a limit that is reached during it ends the search.

    problem: validated.  goal: 'all' or 'minimum'.
    Without a seed, every engine finds the answers in the same order, depth first. A node branches on the unmet item
    with the fewest ways (live options - need + 1), the lowest number on ties. The options of that item are tried in
    increasing order; after its turn, each is excluded for those that follow. When no item is unmet, the live options
    are tried in the same way, and last comes the answer that takes none of them. With the goal 'minimum', an option
    that no unmet item needs is left out unless its cost is negative, and branches that can't be cheaper than the best
    answer are skipped; admissible estimates therefore only save work.
    The order differs with the engines `sat` and `sides`. The latter answers if there are side conditions (totals,
    connections and loops), and if only some options tell answers apart (`Problem.told`), in a fixed order in which
    options are taken or left out as the search finds best. The order may also differ if `limits` ask for one or two
    answers, the engine is `auto` and the documented order takes long: see portfolio.py. It does not depend on the
    number of threads.
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


def search_classes(
    problem: Problem,
    images: Sequence[Permutation] | ChainGroup,
    *,
    limits: Limits = NO_LIMITS,
    settings: Settings = DEFAULTS,
) -> Search | None:
    """As `search` for every answer, but for one answer of each class of a group, the smallest. None where that is not
    for this problem or these settings, and whoever asks has to sort out the answers.

    images: permutations of the options that carry the problem to itself; with the identity, which is left out, a group.
    Or such a group that is too large to be listed.
    The order is that of the parts that the search is cut into (pieces/class_cut.py, pieces/chain_cut.py), and in each
    the documented one; the number of threads changes nothing.
    """
    met = Met(limits)
    try:
        with heeding(met):
            begun: Search | None
            from covr.engine.symmetries.chain import ChainGroup

            if isinstance(images, ChainGroup):
                from covr.engine.pieces.chain_search import begin_chain

                begun = begin_chain(problem, images, limits, settings)
            else:
                from covr.engine.pieces.class_search import begin_classes

                begun = begin_classes(problem, images, limits, settings)
    except Stopped as stopped:
        begun = Unbegun(problem, "all", limits, settings, stopped.status)
        begun.out_of_memory = met.out_of_memory
    if begun is not None:
        begun.clock.spend(met.clock.spent)
    return begun


def _start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> Search:
    """A search by the first engine that suits, ready to run. Raises Stopped.

    A minimum, and the first answer, are the same whichever options tell answers apart.
    """
    if goal == "minimum" or limits.answers == 1:
        problem = problem.by_all()
    for waiting in heeded(IN_TURN, 1):
        if waiting.may(goal, settings) and waiting.engine.suits(problem, goal, limits, settings):
            return waiting.engine.start(problem, goal, limits, settings)
    raise AssertionError("the last engine answers every question")


class Unbegun(Search):
    """A search that was stopped while it was being prepared."""

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
    """The result of a count. value: the number of answers, exact if the status is `exhausted`, else a lower bound."""

    value: int
    status: Status
    counters: Counters


def count(problem: Problem, limits: Limits = NO_LIMITS, settings: Settings = DEFAULTS) -> Counted:
    """Count the answers without listing them. A KeyboardInterrupt is passed on to the caller."""
    run = search(problem, limits=limits, settings=settings)
    return Counted(run.count(), run.status, run.counters)
