"""Estimates the size of a search before it is run, by random probes of the documented tree (probe.py, sparse.py).

The distribution of probes is skewed: most see too few nodes, a few see very many, and a sample that misses those few
has too small a mean and a small spread as well. Therefore at least `FEWEST` probes are made, and the result has,
besides the standard error, percentiles of resampled means, which lie unevenly about the mean if the distribution is
skewed. Source: Efron, Bootstrap methods, 1979.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from attrs import field, frozen

from covr.engine.base.deadline import Deadline
from covr.engine.base.heed import Stopped, heeded, heeding
from covr.engine.base.status import Status
from covr.engine.problem import Problem
from covr.engine.sampling.probe import ProbeTree, SidedTree
from covr.engine.sampling.sparse import SparseTree
from covr.engine.sides import refuse_projection

FEWEST = 1024  # probes that are made before probing may end by itself
MOST = 1 << 20  # probes after which probing ends in any case
SETTLED = 0.05  # probing ends when the standard error is at most this fraction of the mean
GROUPS = 256  # groups into which the probes are put for resampling
RESAMPLES = 400  # how often the groups are resampled
GRACE = 0.5  # seconds beyond the time limit that the first probe may take, so that there is a result at all
TAIL = 0.05  # the share of the resampled means below `low`, and of those above `high`

MOST_BITS = 400_000_000  # bits that all sets of options together may take: 50 MB
LARGE = 3_000  # primary items: from this many on, lists are faster than sets (sparse.py)


@frozen
class Spread:
    """An estimate from probes. mean: the estimate itself.  error: its standard error.
    low, high: nine tenths of the resampled means lie between these two."""

    mean: float
    error: float
    low: float
    high: float


@frozen
class TreeSize:
    """The estimated size of a search.

    nodes, answers: how many the whole search has; answers is None for a minimum, and if no probe found any.
    probes: how many were made; if none was finished, the mean of nodes is nan.
    depth: how many options the deepest probe took.  settled: whether probing ended because the standard error was
    small.
    seconds: how long it took.
    """

    nodes: Spread
    answers: Spread | None
    probes: int
    depth: int
    settled: bool
    seconds: float = field(eq=False)


def tree_of(problem: Problem, goal: str) -> ProbeTree | SparseTree | SidedTree:
    """The search tree of a problem: with sides, or on sets or lists, whichever is faster."""
    if problem.sides:
        return SidedTree(problem, goal)
    large = problem.primary > LARGE or problem.items * problem.options > MOST_BITS
    return SparseTree(problem, goal) if large else ProbeTree(problem, goal)


class Probing:
    """Probes one tree until the spread is small; `interrupt` may be called from any thread."""

    def __init__(self, problem: Problem, goal: str = "all", seed: int = 0) -> None:
        """Raises Unsuited for a problem in which only some options tell answers apart."""
        refuse_projection(problem, "an estimate of the size of the search")
        self.problem, self.goal, self.seed = problem, goal, seed
        self._tree: ProbeTree | SparseTree | SidedTree | None = None  # made when the first probe needs it
        self.interrupted = False
        self._rng = random.Random(seed)
        self._nodes: list[float] = []
        self._answers: list[float] = []
        self._depth = 0

    def interrupt(self) -> None:
        """Ask to stop; the result is then what is known so far."""
        self.interrupted = True

    def run(self, seconds: float | None = None, probes: int | None = None) -> TreeSize:
        """Make probes until the standard error is at most `SETTLED`, which is checked whenever their number has
        doubled; or for so many `seconds`; or exactly `probes` of them. The result depends only on the seed, unless time
        ran out."""
        clock = Deadline(seconds).start()
        due = probes or FEWEST

        def stop() -> Status | None:
            if self.interrupted:
                return Status.INTERRUPTED
            clock.most = seconds if self._nodes or seconds is None else seconds + GRACE
            return Status.LIMIT if clock.over else None

        settled = False
        while not settled and not self.interrupted and len(self._nodes) < (probes or MOST):
            while len(self._nodes) < due and not self.interrupted:
                try:
                    with heeding(stop):
                        if self._tree is None:
                            self._tree = tree_of(self.problem, self.goal)
                        found = self._tree.probe(self._pick)
                except Stopped:
                    self.interrupted = True
                    break
                self._nodes.append(found.nodes)
                self._answers.append(found.answers)
                self._depth = max(self._depth, found.depth)
                if stop() is not None:
                    self.interrupted = True
            if not self._nodes:
                break
            mean, error = _moments(self._nodes)
            settled = probes is None and not self.interrupted and error <= SETTLED * mean
            due *= 2
        return self._result(settled, clock.spent)

    def _pick(self, shares: Sequence[int]) -> int:
        if shares[0] == shares[-1]:
            return self._rng.randrange(len(shares))
        at = self._rng.randrange(sum(shares))
        for k, share in enumerate(heeded(shares)):
            at -= share
            if at < 0:
                return k
        raise AssertionError("more than all shares")

    def _result(self, settled: bool, seconds: float) -> TreeSize:
        counted = self.goal == "all" and any(self._answers)
        return TreeSize(
            nodes=_spread(self._nodes, self.seed),
            answers=_spread(self._answers, self.seed) if counted else None,
            probes=len(self._nodes),
            depth=self._depth,
            settled=settled,
            seconds=seconds,
        )


def _moments(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error; nan or infinite if there are too few values."""
    if not values:
        return math.nan, math.inf
    if math.inf in values:
        return math.inf, math.inf
    n = len(values)
    mean = math.fsum(values) / n
    if n < 2:
        return mean, math.inf
    # Scaled by the mean, because squares of huge numbers overflow.
    variance = math.fsum([(v / mean - 1) ** 2 for v in values]) / (n - 1) if mean else 0.0
    return mean, mean * math.sqrt(variance / n)


def _spread(values: Sequence[float], seed: int) -> Spread:
    """The mean of the probes with its spread, from resampled means. Probes are dealt into groups, and the groups are
    drawn with replacement, because resampling the probes themselves would take longer than making them."""
    mean, error = _moments(values)
    if len(values) < 2 or not math.isfinite(error):
        return Spread(mean, error, 0.0 if len(values) < 2 else mean, math.inf)
    size = min(GROUPS, len(values))
    groups = [(math.fsum(values[g::size]), len(values[g::size])) for g in range(size)]
    rng = random.Random(seed)
    means = []
    for _ in range(RESAMPLES):
        drawn = rng.choices(groups, k=size)
        means.append(math.fsum(total for total, _ in drawn) / sum(count for _, count in drawn))
    means.sort()
    cut = round(TAIL * RESAMPLES)
    return Spread(mean, error, means[cut], means[-1 - cut])


def tree_size(
    problem: Problem, goal: str = "all", *, seed: int = 0, seconds: float | None = None, probes: int | None = None
) -> TreeSize:
    """Estimate the size of the search for every answer, or for a minimum without pruning by cost. See `Probing.run`."""
    return Probing(problem, goal, seed).run(seconds, probes)
