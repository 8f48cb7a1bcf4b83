"""Begins the search that plan.py has chosen for a question, and tells the plan of a question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from covr.engine.base.limits import Counters, LimitReached, Limits, Met, Status, limits_checked_by
from covr.engine.plan import (
    CLASSES,
    EVERY,
    HIGHS,
    KERNELS,
    MINIMUM,
    TREE,
    WAYS,
    Approach,
    Query,
    begin,
    kernels_of,
    plain,
    way_of,
)
from covr.engine.problem import Problem
from covr.engine.search import DEFAULTS, NO_LIMITS, Search
from covr.engine.settings import Settings
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine.pieces.class_pieces import Permutation
    from covr.engine.symmetries import ChainGroup

# --- dispatch --------------------------------------------------------------------------------------------------------
# Begins the search that plan.py has chosen for a question: the one entry point for searching a problem.


def search(problem: Problem, *, goal: str = "all", limits: Limits = NO_LIMITS, settings: Settings = DEFAULTS) -> Search:
    """Prepare a search; the searching itself begins when the first answer is asked for. Preparation counts as time
    spent inside the search, and a limit that is reached during it ends the search.

    problem: validated.  goal: 'all' or 'minimum'.
    Without a seed, every engine finds the answers in the same order, depth first. A node branches on the unmet item
    with the fewest ways (live options - need + 1), the lowest number on ties. The options of that item are tried in
    increasing order; after its turn, each is excluded for those that follow. When no item is unmet, the live options
    are tried in the same way, and last comes the answer that takes none of them. With the goal 'minimum', an option
    that no unmet item needs is left out unless its cost is negative, and branches that can't be cheaper than the best
    answer are skipped; admissible estimates therefore only save work. The order differs with the engines `clingo` and
    `sides`. The latter answers if there are side conditions (totals, connections, loops and areas), and if only some
    options tell answers apart (`Problem.projection`), in a fixed order in which options are taken or left out as the
    search finds best. The order may also differ if `limits` ask for one or two answers, the engine is `auto` and the
    documented order takes long: see portfolio.py. It does not depend on the number of threads.
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
    The order is that of the parts that the search is cut into (pieces/class_pieces.py, pieces/class_pieces.py), and in
    each the documented one; the number of threads changes nothing.
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
        with limits_checked_by(met):
            begun = begin()
    except LimitReached as stopped:
        begun = StoppedInPreparation(problem, goal, limits, settings, stopped.status)
        begun.out_of_memory = met.out_of_memory
    if begun is not None:
        begun.clock.spend(met.clock.spent)
    return begun


class StoppedInPreparation(Search):
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


# --- planned ---------------------------------------------------------------------------------------------------------
# Tells the plan of a question: the methods that answer it, their turns, and why each other one is out.
#
# `covr show --plan` prints it. Nothing is described twice: the reasons are the conditions by which plan.py chooses, and
# the turns are read from the table by which the search that was begun gives them (turns.py).


@frozen
class PlannedTurn:
    """A row of a table. work: of its first turn, in nanoseconds (turns.py).  share: of the time, at first, from 0 to 1;
    None if it has only one turn."""

    name: str
    work: int
    share: float | None
    why: str


@frozen
class Plan:
    """How a question is answered. way, kernel: what was chosen, and why.  tree: the linear programs beside the kernel.
    turns: in the order of the first turns; none if one method has all the time.
    out: what was not chosen, each with the reason."""

    way: tuple[str, str]
    kernel: tuple[str, str]
    turns: Sequence[PlannedTurn]
    out: Sequence[tuple[str, str]]


def plan_of(
    problem: Problem, goal: str, limits: Limits = NO_LIMITS, settings: Settings | None = None, counting: bool = False
) -> Plan:
    """The plan of a question, as for `search` (dispatch.py), which is prepared but not run. counting: whether its
    answers are only counted. Raises ValueError for settings that can't be followed."""
    question = plain(Query(problem, goal, limits, settings or Settings(jobs=None)))
    way = way_of(question)
    begun = way.start(question)
    if counting:
        begun.only_count()
    table = begun.timetable
    begun.halt()
    kernel = next(kernels_of(question))
    least, whole = question.settings.pace.least, sum([row.work for row in table])
    turns = [
        PlannedTurn(row.name, max(row.opening, least), row.work / whole if row.work else None, row.why) for row in table
    ]
    return Plan(
        (way.name, way.why), (kernel.name, kernel.why), turns,
        [*_out(question, WAYS, way), *_out(question, (TREE, HIGHS), None), *_out(question, KERNELS, kernel)],
    )  # fmt: skip


def plan_of_classes(problem: Problem, begun: Search | None, settings: Settings | None = None) -> Plan:
    """The plan of a search for one answer of each class. begun: that search; None where it can't be used."""
    question = Query(problem, "all", NO_LIMITS, settings or Settings(jobs=None))
    kernel = next(kernels_of(question))
    chosen = (kernel.name, kernel.why)
    if begun is not None:
        return Plan((CLASSES.name, CLASSES.why), chosen, (), ())
    unless = CLASSES.against(question) or "the symmetries do not carry the matrix to itself, or are too many to list"
    return Plan(
        ("every answer, sorted into classes", "each is compared with its images"),
        chosen,
        (),
        [(CLASSES.name, unless)],
    )


def _out(question: Query, approaches: Sequence[Approach], chosen: Approach | None) -> Iterator[tuple[str, str]]:
    """The approaches that were not chosen, each with the reason; those for other goals left out."""
    seen = False
    for one in approaches:
        if one is chosen:
            seen = True
            continue
        against = one.against(question)
        if against is None and seen and chosen is not None:
            yield one.name, f"`{chosen.name}` comes first"
        elif against is not None and against not in (MINIMUM.unless, EVERY.unless):
            yield one.name, against
