"""A problem with one of its conditions only: an item, or a side numbered after all items."""

from __future__ import annotations

from covr.engine import Problem, build


def alone(problem: Problem, condition: int) -> Problem:
    """The problem with one of its conditions only."""
    options = range(problem.options)
    if condition >= problem.items:
        return build([], [[] for _ in options], sides=[problem.sides[condition - problem.items]])
    colour = dict(problem.column(condition)) if problem.colours else {}
    rows = [[(0, colour.get(o, 0))] if o in problem.holders[condition] else [] for o in options]
    return build([(problem.low[condition], problem.high[condition])], rows)
