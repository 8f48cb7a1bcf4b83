"""Tells the plan of a question: the methods that answer it, their turns, and why each other one is out.

`covr show --plan` prints it. Nothing is described twice: the reasons are the conditions by which plan.py chooses, and
the turns are read from the table by which the search that was begun gives them (turns.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from covr.engine.base.limits import Limits
from covr.engine.plan import (
    CLASSES,
    EVERY,
    KERNELS,
    MINIMUM,
    TREE,
    WAYS,
    Approach,
    Query,
    kernels_of,
    plain,
    way_of,
)
from covr.engine.problem import Problem
from covr.engine.search import Search
from covr.engine.settings import Settings
from covr.engine.turns import Contestant, Timetable
from covr.frozen import frozen

NO_LIMITS = Limits()


@frozen
class PlannedTurn:
    """A row of a table. work: of one turn, in nanoseconds (method.py).  times: how many it has in a round.
    share: of the time of a round, from 0 to 1; None for a turn before the rounds."""

    name: str
    work: int
    times: int
    share: float | None
    why: str


@frozen
class Plan:
    """How a question is answered. way, kernel: what was chosen, and why.  tree: the linear programs beside the kernel.
    turns: in their order, first those before the rounds; none where nobody takes turns.  growth: how many times as long
    the turns of a round are as those of the one before.  out: what was not chosen, each with the reason."""

    way: tuple[str, str]
    kernel: tuple[str, str]
    turns: Sequence[PlannedTurn]
    growth: float
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
    turns = [] if table is None else [*_turns(table, question.settings.pace.least)]
    return Plan(
        (way.name, way.why), (kernel.name, kernel.why), turns, 1 if table is None else table.growth,
        [*_out(question, WAYS, way), *_out(question, (TREE,), None), *_out(question, KERNELS, kernel)],
    )  # fmt: skip


def plan_of_classes(problem: Problem, begun: Search | None, settings: Settings | None = None) -> Plan:
    """The plan of a search for one answer of each class. begun: that search; None where it can't be used."""
    question = Query(problem, "all", NO_LIMITS, settings or Settings(jobs=None))
    kernel = next(kernels_of(question))
    chosen = (kernel.name, kernel.why)
    if begun is not None:
        return Plan((CLASSES.name, CLASSES.why), chosen, (), 1, ())
    unless = CLASSES.against(question) or "the symmetries do not carry the matrix to itself, or are too many to list"
    return Plan(
        ("every answer, sorted into classes", "each is compared with its images"),
        chosen,
        (),
        1,
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


def _turns(table: Timetable, least: int) -> Iterator[PlannedTurn]:
    """The rows of a table, those of the same contestant in a round together. least: the work of a turn, at least."""
    for row in table.head:
        yield PlannedTurn(row.name, _work(row, least), row.times, None, row.why)
    rows = [row for row in table.rounds if row.times]
    whole = sum(_work(row, least) * row.times for row in rows)
    together: dict[str, list[Contestant]] = {}
    for row in rows:
        together.setdefault(row.name, []).append(row)
    for name, same in together.items():
        work, times = _work(same[0], least), sum(row.times for row in same)
        yield PlannedTurn(name, work, times, work * times / whole, same[0].why)


def _work(row: Contestant, least: int) -> int:
    return max(row.turn, least)
