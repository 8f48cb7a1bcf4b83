"""A view of a search node comes in; a lower bound on the cost of its completions goes out.

Reading order: view.py (what an estimate sees), registry.py (the hook and its contract), then one estimate each, with
its source: none.py, classic.py, price.py, dual.py, lagrange.py; auto.py (which of them is used by
default). relaxed.py has what the estimates that work with prices share.
"""

from covr.engine.minimum.estimates import auto, classic, dual, lagrange, none, price
from covr.engine.minimum.estimates.registry import (
    ESTIMATES,
    Bound,
    Estimate,
    EstimateFunction,
    find_cascade,
    find_estimate,
    hear,
    register,
)
from covr.engine.minimum.estimates.view import View

register("auto", auto.auto, "those of price, dual and lagrange that pay here", 0)
register("none", none.none, "what negative costs could still bring; nothing else", 0)
register("classic", classic.classic, "strike-out count of items that share no option", 1)
register("price", price.price, "each item pays the least share of an option's cost", 2)
register("dual", dual.dual, "prices raised one by one while no option is overpaid", 3)
register("lagrange", lagrange.lagrange, "prices that follow subgradients to convergence", 4)

__all__ = [
    "ESTIMATES",
    "Bound",
    "Estimate",
    "EstimateFunction",
    "View",
    "find_cascade",
    "find_estimate",
    "hear",
    "register",
]
