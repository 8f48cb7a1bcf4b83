"""Begins the search that plan.py has chosen for a question: the one entry point for searching a problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from covr.engine.base.heed import Met, Stopped, heeding
from covr.engine.base.limits import Limits
from covr.engine.base.status import Counters, Status
from covr.engine.plan import CLASSES, Query, begin
from covr.engine.problem import Problem
from covr.engine.search import DEFAULTS, NO_LIMITS, Search
from covr.engine.settings import Settings

if TYPE_CHECKING:
    from covr.engine.pieces.class_cut import Permutation
    from covr.engine.symmetries.chain import ChainGroup


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
    connections and loops), and if only some options tell answers apart (`Problem.projection`), in a fixed order in
    which options are taken or left out as the search finds best. The order may also differ if `limits` ask for one or
    two answers, the engine is `auto` and the documented order takes long: see portfolio.py. It does not depend on the
    number of threads.
    """
    begun = _heeding(lambda: begin(Query(problem, goal, limits, settings)), problem, goal, limits, settings)
    assert begun is not None
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

    def begin_classes() -> Search | None:
        begun: Search | None = CLASSES.function(problem, images, limits, settings)
        return begun

    return _heeding(begin_classes, problem, "all", limits, settings)


def _heeding(
    begin: Callable[[], Search | None], problem: Problem, goal: str, limits: Limits, settings: Settings
) -> Search | None:
    """What `begin` makes. The limits hold meanwhile, and the time counts."""
    met = Met(limits)
    begun: Search | None
    try:
        with heeding(met):
            begun = begin()
    except Stopped as stopped:
        begun = Unbegun(problem, goal, limits, settings, stopped.status)
        begun.out_of_memory = met.out_of_memory
    if begun is not None:
        begun.clock.spend(met.clock.spent)
    return begun


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
