"""A Problem comes in, and answers come out as option numbers. The engine knows nothing of the language.

Reading order: base/ (limits, the clock, what a search tells about itself), sides.py (conditions that no matrix
expresses), problem.py (the matrix), check.py (what an answer is), witness.py (an answer that no search may lose, in
tests), reference.py (the oracle); kernels/ (everything that is compiled), checks.py (every answer is checked);
symmetries/ (what maps a problem to itself); minimum/ (the cheapest answer, and the lower bounds that prune the search),
settings.py (how a search is done), prepare/ (a problem is prepared for a kernel), method.py (what can be given time),
turns.py (gives several methods turns by a table), counting/ (counts without a visit to each answer); search.py (a
search as an object), kernel_search.py (by one method), outside/ (other people's solvers), plan.py (chooses the methods
for a question), bounded.py and single.py (make a kernel), restarts.py (a minimum, searched in several orders),
beside.py (HiGHS beside it), pieces/ (searches in parts), portfolio.py (the first answers), dispatch.py (begins a
search), planned.py (tells a plan), proofs/ (why there is no answer). Besides these: batch.py (thousands of instances),
sampling/ (random answers, and how big a search is), diagrams/ (all answers as one decision diagram), puzzles/ (clues
that leave one answer, and how hard they are), check_estimate.py (tests whether an estimate is admissible).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from covr.engine.problem import MAX_COST, Problem, build, validate  # isort: skip  (first: the others need it)
from covr.engine.base.limits import Limits
from covr.engine.base.status import Counters, Status
from covr.engine.batch import UNKNOWN, BatchResult, BatchTemplate, batch
from covr.engine.check import check, cost
from covr.engine.checks import Mistake
from covr.engine.dispatch import Counted, count, search
from covr.engine.kernels.loading import back_end, kernel
from covr.engine.search import Search
from covr.engine.settings import ENGINES, Settings
from covr.engine.sides import Circuit, Connection, Side, Total

if TYPE_CHECKING:
    from covr.engine.minimum.estimates import ESTIMATES, Bound, Estimate, View, find_cascade, find_estimate, register

__all__ = [
    "ENGINES",
    "ESTIMATES",
    "MAX_COST",
    "UNKNOWN",
    "BatchResult",
    "BatchTemplate",
    "Bound",
    "Circuit",
    "Connection",
    "Counted",
    "Counters",
    "Estimate",
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
