"""A Problem comes in, answers as option numbers come out; the language is unknown here.

Reading order: problem.py (the matrix), check.py (what an answer is), checks.py with _check.py (every answer is one),
reference.py (the oracle), limits.py, settings.py and status.py (what surrounds a search),
whole.py (what counts as a whole number), search.py with alone.py (the search as a value), single.py (which kernel,
and the numbers there and back) with residual.py, shift.py and shuffle.py,
loading.py (compiled or not), exact.py (which kernel for exact cover) with masks.py, bitsets.py, words.py, _masks.py,
_bits.py with _wide.h (sets of options), bounds.py with _multiplicity.py and _multiplicity.h (the same for other bounds),
_exact.py and _general.py (links), relaxation.py (what of the covering bounds holds anywhere), estimates/ (lower
bounds). The minimum of covering problems: core.py, cover.py with _cover.py (the tree), _descent.py (local search),
triangles.py, symmetry.py and cover_view.py; solvers.py (other people's solvers). On top of them split.py, prefix_search.py
and parallel.py (several threads), portfolio.py with sat.py (the first answers), restarts.py (minima), batch.py with
_batch.py and _spell.py (thousands of instances). Searches in pieces: piece.py, ledger.py, packing.py, workers.py,
piece_search.py, memory.py. Beside them probe.py (how big a search is), sample.py (answers at random), trace.py (the search
told step by step), conflict.py with refutation.py (minimal sets of constraints that contradict each other),
certificate.py (proofs by counting).
"""

from covr.engine.problem import MAX_COST, Problem, build, validate  # isort: skip  (first: the others need it)
from covr.engine.batch import UNKNOWN, BatchResult, Template, batch
from covr.engine.check import check, cost
from covr.engine.checks import Mistake
from covr.engine.kernels.loading import kernel
from covr.engine.limits import Limits
from covr.engine.minimum.estimates import ESTIMATES, Bound, Estimate, View, find_cascade, find_estimate, register
from covr.engine.search import Counted, Search, count, search
from covr.engine.settings import ENGINES, Settings
from covr.engine.status import Counters, Status

__all__ = [
    "ENGINES",
    "ESTIMATES",
    "MAX_COST",
    "UNKNOWN",
    "BatchResult",
    "Bound",
    "Counted",
    "Counters",
    "Estimate",
    "Limits",
    "Mistake",
    "Problem",
    "Search",
    "Settings",
    "Status",
    "Template",
    "View",
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
