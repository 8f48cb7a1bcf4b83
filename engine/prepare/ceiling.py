"""Costs before a search: a ceiling for all answers, and as few as possible negative."""

from __future__ import annotations

from covr.engine.base.limits import EVERY, check_limits, with_limit_checks
from covr.engine.problem import MAX_COST, Problem, Total
from covr.frozen import evolve

# --- ceiling ---------------------------------------------------------------------------------------------------------
# A ceiling for the costs of all answers that are listed or counted, as the engine `sides` keeps it best: as a total.
#
# A total drops every option that costs more than is left, before anything is decided. The kernel's own bound is seen
# only when an answer is too dear already, but it knows what the items that are still to be covered cost at least, which
# a total does not. Of 1667 best ways to cut stock, the bound alone gave 36 in a minute, the total gives all in 3
# seconds, and both together take 20: so the bound is asked only where items raise it.


def at_most_cost(problem: Problem, ceiling: int) -> Total:
    """The total that only answers keep which cost at most `ceiling`."""
    terms = tuple((o, paid) for o, paid in enumerate(with_limit_checks(problem.costs)) if paid)
    return Total(terms, ((min(-MAX_COST, ceiling), ceiling),))


def items_raise_costs(problem: Problem) -> bool:
    """Whether the items show that what is not decided yet will cost more than the sum of all negative costs: an option
    costs less than nothing, or an item must be covered whose options all cost something."""
    if not problem.costs:
        return False
    if any(paid < 0 for paid in with_limit_checks(problem.costs)):
        return True
    return any(
        low and all(problem.costs[o] for o in with_limit_checks(options))
        for low, options in zip(problem.low, problem.holders, strict=True)
    )


# --- shift -----------------------------------------------------------------------------------------------------------
# Shifts costs so that as few as possible are negative, by means of items with equal bounds.
#
# Every answer takes exactly k of the options of an item with bounds k, k. So adding a constant to the costs of all
# options of the item changes the cost of every answer by k times that constant, and the cheapest answer stays the
# cheapest. `maximize` makes costs negative; once shifted, they have good lower bounds like any other costs. For
# example, an assignment problem is bounded from the start by the sum of the best entries of its rows.
#
# To *lift* an item is to make such a shift. It raises the costs of many options but lowers the base by far less, so the
# shifted costs may add up to more than 63 bits can hold, although the problem's costs do not. Items for which that
# would happen are not lifted. So shifted costs keep the promise that `Problem` makes about costs, and code that relies
# on it need not know of the shift.


def shift(problem: Problem) -> tuple[Problem, int]:
    """The problem with fewer negative costs, and the base: what to add to an answer's new cost to get its old one.

    Primary items with equal bounds are considered in increasing order. If the cheapest option of one is negative, the
    item is lifted so that this option costs 0, provided that the absolute values of all costs still add up to less
    than MAX_COST. Takes time linear in the total length of the options.
    """
    if not any(c < 0 for c in with_limit_checks(problem.costs)):
        return problem, 0
    costs = list(problem.costs)
    base, total = 0, sum(map(abs, with_limit_checks(costs)))
    seen = 0
    for i, options in enumerate(problem.holders[: problem.primary]):
        if problem.low[i] != problem.high[i]:
            continue
        seen += len(options)
        if seen >= EVERY:
            check_limits()
            seen = 0
        least = min((costs[o] for o in with_limit_checks(options)), default=0)
        if least < 0:
            lifted = total + sum([abs(costs[o] - least) - abs(costs[o]) for o in with_limit_checks(options)])
            if lifted >= MAX_COST:
                continue
            base, total = base + problem.low[i] * least, lifted
            for o in with_limit_checks(options):
                costs[o] -= least
    return evolve(problem, costs=costs), base
