"""Shifts costs so that as few as possible are negative, by means of items with equal bounds.

Every answer takes exactly k of the options of an item with bounds k, k. So adding a constant to the costs of all
options of the item changes the cost of every answer by k times that constant, and the cheapest answer stays the
cheapest. `maximize` makes costs negative; once shifted, they have good lower bounds like any other costs. For example,
an assignment problem is bounded from the start by the sum of the best entries of its rows.

To *lift* an item is to make such a shift. It raises the costs of many options but lowers the base by far less, so the
shifted costs may add up to more than 63 bits can hold, although the problem's costs do not. Items for which that would
happen are not lifted. So shifted costs keep the promise that `Problem` makes about costs, and code that relies on it
need not know of the shift.
"""

from __future__ import annotations

from covr.engine.base.heed import EVERY, heeded, look
from covr.engine.problem import MAX_COST, Problem
from covr.frozen import evolve


def shift(problem: Problem) -> tuple[Problem, int]:
    """The problem with fewer negative costs, and the base: what to add to an answer's new cost to get its old one.

    Primary items with equal bounds are considered in increasing order. If the cheapest option of one is negative, the
    item is lifted so that this option costs 0, provided that the absolute values of all costs still add up to less
    than MAX_COST. Takes time linear in the total length of the options.
    """
    if not any(c < 0 for c in heeded(problem.costs)):
        return problem, 0
    costs = list(problem.costs)
    base, total = 0, sum(map(abs, heeded(costs)))
    seen = 0
    for i, options in enumerate(problem.holders[: problem.primary]):
        if problem.low[i] != problem.high[i]:
            continue
        seen += len(options)
        if seen >= EVERY:
            look()
            seen = 0
        least = min((costs[o] for o in heeded(options)), default=0)
        if least < 0:
            lifted = total + sum([abs(costs[o] - least) - abs(costs[o]) for o in heeded(options)])
            if lifted >= MAX_COST:
                continue
            base, total = base + problem.low[i] * least, lifted
            for o in heeded(options):
                costs[o] -= least
    return evolve(problem, costs=costs), base
