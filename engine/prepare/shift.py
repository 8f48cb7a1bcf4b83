"""Costs without negative ones, where exact items allow it.

Every answer takes exactly k options of an item with bounds k, k. So adding a constant to the cost of all of
them changes the cost of every answer by k times that constant, and the cheapest answer stays the cheapest.
`maximize` makes costs negative; shifted, they can be bounded from below like any other (an assignment
problem, for one, is bounded by the sum of its rows' best entries from the start).

Lifting an item raises many options and lowers the base by far less, so shifted costs can add up to more than 63 bits
hold, although those of the problem do not. An item for which that would be so is left as it is: shifted costs keep
what `Problem` promises of costs, and whoever relies on that promise need not know of the shift.
"""

from __future__ import annotations

from attrs import evolve

from covr.engine.heed import EVERY, look
from covr.engine.problem import MAX_COST, Problem


def shift(problem: Problem) -> tuple[Problem, int]:
    """The problem with as few negative costs as exact items allow, and what to add to get its costs back.

    Items are taken in increasing number; each lifts its cheapest option to 0 if that is negative and the costs
    still add up to less than MAX_COST, signs left out. Linear time.
    """
    if not any(c < 0 for c in problem.costs):
        return problem, 0
    costs = list(problem.costs)
    base, total = 0, sum(map(abs, costs))
    seen = 0
    for i, options in enumerate(problem.holders[: problem.primary]):
        if problem.low[i] != problem.high[i]:
            continue
        seen += len(options)
        if seen >= EVERY:
            look()
            seen = 0
        least = min((costs[o] for o in options), default=0)
        if least < 0:
            lifted = total + sum([abs(costs[o] - least) - abs(costs[o]) for o in options])
            if lifted >= MAX_COST:
                continue
            base, total = base + problem.low[i] * least, lifted
            for o in options:
                costs[o] -= least
    return evolve(problem, costs=costs), base
