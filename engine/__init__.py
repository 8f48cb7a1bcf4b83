"""A Problem comes in, and answers come out as option numbers. The engine knows nothing of the language.

Reading order: limits.py, deadline.py (the clock for all time limits), jobs.py (how many threads), status.py, memory.py,
heed.py (limits while no kernel runs), whole.py (what counts as a whole number), alone.py (one thread at a time),
apart.py (processes that Ctrl-C does not reach), extras.py (optional packages); sides.py (conditions that no matrix
expresses), problem.py (the matrix), check.py (what an answer is), reference.py (the oracle), bitsets.py (sets as whole
numbers); kernels/ (everything that is compiled), checks.py (every answer is checked); symmetries/ (what maps a problem
to itself); minimum/ (the cheapest answer, and the lower bounds that prune the search), settings.py (how a search is
done), prepare/ (a problem is prepared for a kernel), method.py (what can be given time), turns.py (gives several
methods turns by a table), option_sets.py (a node of the search, in Python), excluded.py (options that no answer takes),
part_nodes.py and part_count.py (count answers by some of their options), frontier_count.py (counts item by item);
search.py (a search as an object), kernel_search.py (by one method), outside/ (other people's solvers), plan.py (chooses
the methods for a question), bounded.py and single.py (make a kernel), restarts.py (a minimum, searched in several
orders), programs.py (linear programs beside them), beside.py (HiGHS beside both), pieces/ (searches in parts),
portfolio.py (the first answers), dispatch.py (begins a search), planned.py (tells a plan), proofs/ (why there is no
answer).
Besides these: batch.py (thousands of instances), probe.py and sparse.py (how big a search is), candidates.py (which
options are possible), sample.py (random answers), diagrams/ (all answers as one decision diagram), clues.py,
fewer_clues.py, clue_bound.py, fewest_clues.py and random_answers.py (clues that leave one answer, for puzzles),
hint_grade.py (how hard they are), puzzle_attempts.py with puzzle_processes.py (puzzles as ordered, made in several
processes), check_estimate.py (tests whether an estimate is admissible).
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
