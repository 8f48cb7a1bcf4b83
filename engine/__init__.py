"""A Problem comes in, and answers come out as option numbers. The engine knows nothing of the language.

Reading order: base/ (limits, the clock, what a search tells about itself), problem.py (the sparse 0/1 matrix that every
engine searches, and its side conditions), check.py (what an answer is), witness.py (an answer that no search may lose,
in tests), reference.py (the oracle), kernels/ (everything that is compiled), checks.py (every answer is checked),
symmetries.py (the permutations that carry a problem to itself, and the group that they generate), minimum/ (the
cheapest answer, and the lower bounds that prune the search), settings.py (how a search is done, and when its methods
have turns; no setting changes which answers there are), priors.py (the share of the time with which each begins),
prepare/ (a problem is prepared for a kernel), turns.py (what a method is, and the one scheduler of everything that
shares time), counting/ (counts without a visit to each answer), search.py (a search as an object: it yields answers one
at a time, counts its work, and can be stopped), outside/ (other people's solvers), plan.py (chooses the methods for a
question), single.py (makes the kernel of one search on one thread, and translates its answers back), pieces/ (searches
in parts), portfolio.py (the first answers), dispatch.py (begins the search that plan.py has chosen for a question, and
tells the plan of a question), proofs/ (why there is no answer), batch.py (thousands of instances), sampling/ (random
answers, and how big a search is), diagrams/ (all answers as one decision diagram), puzzles/ (clues that leave one
answer, and how hard they are), check_estimate.py (tests whether an estimate is admissible).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from covr.engine.problem import MAX_COST, Problem, build, validate  # isort: skip  (first: the others need it)
from covr.engine.base.limits import Counters, Limits, Status
from covr.engine.batch import UNKNOWN, BatchResult, BatchTemplate, batch
from covr.engine.check import check, cost
from covr.engine.checks import Mistake
from covr.engine.dispatch import Counted, count, search
from covr.engine.kernels.loading import back_end, kernel
from covr.engine.problem import AreaDemand, Areas, Circuit, Connection, Forest, Side, Total
from covr.engine.search import Search
from covr.engine.settings import ENGINES, Settings

if TYPE_CHECKING:
    from covr.engine.minimum.estimates import ESTIMATES, Bound, Estimate, View, find_cascade, find_estimate, register

__all__ = [
    "ENGINES",
    "ESTIMATES",
    "MAX_COST",
    "UNKNOWN",
    "AreaDemand",
    "Areas",
    "BatchResult",
    "BatchTemplate",
    "Bound",
    "Circuit",
    "Connection",
    "Counted",
    "Counters",
    "Estimate",
    "Forest",
    "Limits",
    "Mistake",
    "Problem",
    "Search",
    "Settings",
    "Side",
    "Status",
    "Total",
    "View",
    "back_end",
    "batch",
    "build",
    "check",
    "cost",
    "count",
    "find_cascade",
    "find_estimate",
    "kernel",
    "register",
    "search",
    "validate",
]

# Imported on first use, because only minima need them.
_ESTIMATES = ("ESTIMATES", "Bound", "Estimate", "View", "find_cascade", "find_estimate", "register")


def __getattr__(name: str) -> Any:
    if name not in _ESTIMATES:
        raise AttributeError(f"module 'covr.engine' has no attribute '{name}'")
    value = getattr(import_module("covr.engine.minimum.estimates"), name)
    globals()[name] = value
    return value
