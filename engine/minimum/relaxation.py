"""Covering bounds for problems that also have upper bounds, exact items or colours.

These only exclude answers. So the items that need options, with only their lower bounds, are a relaxation, and any
prices for them give a lower bound for every completion (estimates/relaxed.py). The best prices are looked for once, at
the root, by the same climb as in covering problems, and the general kernel keeps them: as needs are met and options are
removed, their bound is updated by additions only. The bound is exact, because prices are whole numbers in units of
2**-SCALE units of cost, and rounded prices are prices too. Prices for which a sum in the kernel could exceed 63 bits
are not used, and if costs add up to 2**30 or more, no prices are looked for.

This bound is weaker than that of new prices at every node, but takes far less time. In searches for the minimum of
mixed problems, and for all answers up to a ceiling, it prunes branches that `classic` does not, above all if options
share many items.
"""

from __future__ import annotations

from covr.engine.base.heed import heeded, look
from covr.engine.kernels.header import DUAL, LAGRANGE, PRICE, SCALE
from covr.engine.kernels.loading import load
from covr.engine.prepare.residual import Residual
from covr.engine.problem import Problem

LARGEST = 1 << 30  # units of cost: prices are used only if the costs add up to less
ROOM = 1 << 61  # units of 2**-SCALE of cost: no sum of prices in the kernel may reach this
STEPS = 300
EFFORT = 50_000_000  # members of options times steps of the climb, at most
BRIEF = 2_000_000  # the same if linear programs will soon give a better bound; about 3 ms


def root_prices(problem: Problem, residual: Residual, interpreted: bool = False, effort: int = EFFORT) -> list[int]:
    """A price per item, at least 0, in units of 2**-SCALE; empty if there is nothing to gain or if costs are too large.

    Time O(STEPS · length of the live options), limited.
    """
    total = sum(map(abs, heeded(problem.costs)))
    items = [i for i in heeded(range(problem.primary)) if residual.need[i] > 0]
    if not items or not 0 < total < LARGEST or not residual.feasible:
        return []
    place = {i: k for k, i in enumerate(heeded(items))}
    options, costs = [], []
    holders = [0] * len(items)
    for o in heeded(range(problem.options)):
        if residual.live[o] and (held := tuple([place[i] for i in problem.option(o) if i in place])):
            options.append(held)
            costs.append(problem.costs[o])
            for k in held:
                holders[k] += 1
    needs = [residual.need[i] for i in heeded(items)]
    if any(h < need for h, need in heeded(zip(holders, needs, strict=True))):
        return []
    above = sum(max(c, 0) for c in heeded(costs)) + 1
    steps = min(STEPS, effort // sum(map(len, heeded(options))))
    looks = load("_looks", interpreted).Looks(look)
    climb = load("_cover", interpreted).Cover(needs, options, costs, above, PRICE | DUAL | LAGRANGE, looks)
    found = climb.relax(steps)
    prices = [0] * problem.items
    for i, y in heeded(zip(items, found, strict=True)):
        prices[i] = int(min(y, float(above)) * (1 << SCALE))
    promise = sum([need * prices[i] for i, need in heeded(zip(items, needs, strict=True))])
    discount = (total << SCALE) + sum([prices[items[k]] for held in heeded(options) for k in held])
    return prices if promise + discount < ROOM else []
