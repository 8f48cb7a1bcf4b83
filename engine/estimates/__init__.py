"""A view of a search node comes in, a lower bound on what must still be paid goes out.

Reading order: view.py (what an estimate sees), registry.py (the hook and its contract), none.py and
classic.py (one estimate each, with its source).
"""

from covr.engine.estimates import classic, none
from covr.engine.estimates.registry import ESTIMATES, Estimate, EstimateFunction, find_estimate, register
from covr.engine.estimates.view import View

register("none", none.none, "what negative costs could still bring; nothing else")
register("classic", classic.classic, "strike-out count of items that share no option")

__all__ = ["ESTIMATES", "Estimate", "EstimateFunction", "View", "find_estimate", "register"]
