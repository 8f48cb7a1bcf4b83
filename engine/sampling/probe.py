"""The size of a search before it is run, by random probes of its tree."""

from __future__ import annotations

import heapq
import math
import operator
import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from attrs import evolve, field

from covr.engine.base.limits import (
    EVERY,
    Deadline,
    LimitReached,
    Status,
    check_limits,
    limits_checked_by,
    with_limit_checks,
)
from covr.engine.kernels.loading import load
from covr.engine.prepare.bitsets import DENSE, bit_set, holder_sets, shade_sets, some_members_of
from covr.engine.prepare.masks import take_given
from covr.engine.prepare.sides import side_arrays
from covr.engine.problem import Problem, refuse_projection
from covr.frozen import frozen

# --- probe -----------------------------------------------------------------------------------------------------------
# Goes down the documented search tree of a problem at random: one probe of it (see probe.py).
#
# A probe goes down from the root to a leaf and takes a random branch at every node. A node that is reached with
# probability p stands for 1/p nodes. So the expected value of the sum of 1/p along a probe is exactly the number of
# nodes of the tree; the same holds for answers. Nothing is pruned by cost: for a minimum, the result is the size of the
# tree without any bounds, of which the engines visit only a part.
#
# The probability of a branch is proportional to the number of ways in which the item could be filled, or the free
# options taken, if there were no other items. For an item with bounds 1, 1, all branches are equally likely, as with
# Knuth. Of `n` free options, the first branch, which leaves n-1 of them, is as likely as all the others together. Any
# probabilities would give the right expected value; these keep the spread small, because later branches are smaller:
# the options before them are excluded.
#
# A probe of pentominoes in 6 by 10 takes a tenth of a millisecond: sets of options are whole numbers, so that one `&`
# and a count of bits give the number of ways of an item. Source: Knuth, Estimating the efficiency of backtrack
# programs, 1975; TAOCP 7.2.2.


LONG = 1000  # options of a node: for more than this many, the shares of its branches are approximate

Pick = Callable[[Sequence[int]], int]
Ratio = Callable[[int, int], Any]


@frozen
class Probe:
    """The result of one probe.

    nodes, answers: how many the tree would have if every way down were like this one.  depth: how many options the
    probe took.
    """

    nodes: Any
    answers: Any
    depth: int


class ProbeTree:
    """The documented search tree of a problem (see `search` in dispatch.py), without pruning by cost.

    holders: per item, the set of the options that hold it, one bit each.  shades: per item, for each colour, the set of
    the options that show it there.
    """

    def __init__(self, problem: Problem, goal: str = "all") -> None:
        """goal: 'all', or 'minimum', where options that no item needs are left out unless their cost is negative.
        Time linear in the length of the options; space a bit for every item and option."""
        self.problem, self.goal = problem, goal
        residual = take_given(problem)
        self.feasible = residual.feasible
        self.live = bit_set([o for o in with_limit_checks(range(problem.options)) if residual.live[o]])
        self.need, self.room = list(residual.need), list(residual.room)
        self.unmet = [i for i in range(problem.primary) if self.need[i] > 0]
        self.welcome = self.live  # the options that are tried once every item is met
        if goal == "minimum":
            self.welcome &= bit_set([o for o in range(problem.options) if problem.costs and problem.costs[o] < 0])
        self.options: list[Sequence[int]] = [problem.option(o) for o in with_limit_checks(range(problem.options))]
        self.holders, self.shades = holder_sets(problem), shade_sets(problem)

    def probe(self, pick: Pick, ratio: Ratio = operator.truediv) -> Probe:
        """Go down once, at random. pick: draws the number of a branch, given a list of whole numbers, the shares of all
        branches.  ratio: divides two whole numbers; the result is a float or, in tests, exact."""
        return go_down(_SetsLeft(self), self.feasible, pick, ratio)


class Left(Protocol):
    """The state of one probe: what is left of the problem on the way down."""

    def branches(self) -> tuple[Sequence[int], Sequence[int], bool]:
        """The options tried at this node, the share of each, and whether every item is met, so that there is an answer
        here."""

    def take(self, row: Sequence[int], k: int) -> None:
        """Take option k of those tried, and exclude those before it."""


def go_down(left: Left, feasible: bool, pick: Pick, ratio: Ratio) -> Probe:
    """One probe; see `ProbeTree.probe`. feasible: False if it is known that there is no answer."""
    scale: Any = ratio(1, 1)
    nodes, answers, depth = scale, 0 * scale, 0
    while feasible:
        check_limits()  # one step may visit every free option
        row, shares, met = left.branches()
        if met:
            answers += scale
        if not row:
            break
        k = pick(shares)
        scale *= ratio(sum(shares), shares[k])
        nodes += scale
        depth += 1
        left.take(row, k)
    return Probe(nodes, answers, depth)


class _SetsLeft:
    """What is left of the problem, as sets of options. live: the options that may still be taken.  need, room: per
    item, how many more options must, and may, hold it.  unmet: the items that need more."""

    def __init__(self, tree: ProbeTree) -> None:
        self.tree, self.live = tree, tree.live
        self.need, self.room, self.unmet = tree.need.copy(), tree.room.copy(), tree.unmet.copy()

    def branches(self) -> tuple[Sequence[int], Sequence[int], bool]:
        """See `Left.branches`; there are none if an item can't be met."""
        tree, live, need = self.tree, self.live, self.need
        if not self.unmet:
            row = some_members_of(live & tree.welcome)
            return row, shares_of_free(len(row)), True
        holders = tree.holders
        ways, item = min([((live & holders[i]).bit_count() - need[i], i) for i in self.unmet])
        if ways < 0:
            return (), (), False
        row = some_members_of(live & holders[item])
        shares = shares_of(len(row), need[item], self.room[item], tree.goal)
        return row[: len(shares)], shares, False

    def take(self, row: Sequence[int], k: int) -> None:
        tree, live, need, room = self.tree, self.live, self.need, self.room
        live ^= bit_set(row[: k + 1])
        coloured = bool(tree.problem.colours)
        colours = tree.problem.option_colours(row[k]) if coloured else ()
        for at, i in enumerate(tree.options[row[k]]):
            if need[i] > 0:
                need[i] -= 1
                if not need[i] and i < tree.problem.primary:
                    self.unmet.remove(i)
            if coloured and colours[at]:
                live &= ~tree.holders[i] | tree.shades[i][colours[at]]
            else:
                room[i] -= 1
                if room[i] <= 0:
                    live &= ~tree.holders[i]
        self.live = live


def shares_of_free(size: int) -> list[int]:
    """The shares of the branches on free options: each has half of the sets that remain. After `LONG` branches almost
    nothing remains, and every other branch has the share 1."""
    return [1 << max(min(size, LONG) - 1 - k, 0) for k in with_limit_checks(range(size))]


def shares_of(held: int, need: int, room: int, goal: str) -> list[int]:
    """The shares of an item's branches, where `held` live options hold the item."""
    ways = held - need + 1
    if need == 1 and (room == 1 or goal == "minimum"):
        return [1] * held
    most = need if goal == "minimum" else room
    if held <= LONG:
        return [_fillings(held - 1 - k, need - 1, most - 1) for k in range(ways)]
    # Any shares are correct, so approximate ones will do: for sets of exactly `need` options, relative to the first.
    first, shares = _logarithm(held - 1, need - 1), []
    for k in with_limit_checks(range(ways)):
        shares.append(max(int(math.ldexp(math.exp(_logarithm(held - 1 - k, need - 1) - first), 1000)), 1))
    return shares


def _logarithm(size: int, chosen: int) -> float:
    """The natural logarithm of the binomial coefficient: how many sets of `chosen` of `size` things there are."""
    return math.lgamma(size + 1) - math.lgamma(chosen + 1) - math.lgamma(size - chosen + 1)


def _fillings(size: int, least: int, most: int) -> int:
    """How many sets of `least` to `most` of `size` things there are; at least 1."""
    if most >= size and least <= 1:
        return max((1 << size) - least, 1)
    return max(sum(math.comb(size, k) for k in range(least, min(most, size) + 1)), 1)


class SidedTree:
    """The search tree of a problem with sides: that of kernels/sides/_sides.py, were it to learn nothing from dead
    ends.

    A node has two branches, in which an option is taken or left out. If an item that needs the option can be met in k
    ways, the chance of the first is 1/k; if no item needs it, 1/2.
    """

    def __init__(self, problem: Problem, goal: str = "all") -> None:
        """goal: 'all', or 'minimum', whose tree is the same. Time linear in the length of the options and sides."""
        self.goal = goal
        self._kernel = load("_sides").Sides(evolve(problem, costs=()), side_arrays(problem), False, False, 0)

    def probe(self, pick: Pick, ratio: Ratio = operator.truediv) -> Probe:
        """As `ProbeTree.probe`."""
        kernel, scale = self._kernel, ratio(1, 1)
        nodes, answers, depth = scale, 0 * scale, 0
        alive = kernel.restart()
        while alive:
            check_limits()
            option, ways, _ = kernel.next_option()
            if option < 0:
                answers += scale
                break
            shares = [1, max(ways - 1, 1)]
            k = pick(shares)
            scale *= ratio(sum(shares), shares[k])
            nodes += scale
            depth += k == 0
            alive = kernel.go(option, k == 0)
        return Probe(nodes, answers, depth)


# --- sparse ----------------------------------------------------------------------------------------------------------
# Probes of large trees, as in probe.py, but on lists instead of sets of options.
#
# With sets, the number of ways of an item is found at once, but every set has one bit for each option: with 10⁴ items,
# each step looks at 10⁴ sets of 10⁴ bits, and a probe takes minutes. Here the number of ways of each item is stored,
# and updated whenever an option is dropped; a heap yields the item with the fewest ways. A probe takes time
# proportional to the total length of the options that it drops, times the logarithm of their number. For small
# problems, sets are ten times as fast.


class SparseTree:
    """Like `ProbeTree`: the same picks make the same probes.

    live: per option, 1 if it may still be taken at the root, else 0.  need, room: per item, how many more options must,
    and may, hold it.  held: per item, how many live options hold it.  rows: per item, the options that hold it.
    """

    def __init__(self, problem: Problem, goal: str = "all") -> None:
        """Time and space linear in the length of the options."""
        self.problem, self.goal = problem, goal
        residual = take_given(problem)
        self.feasible = residual.feasible
        self.need, self.room, self.live = list(residual.need), list(residual.room), residual.live
        self.options: list[Sequence[int]] = [
            tuple(problem.option(o)) for o in with_limit_checks(range(problem.options))
        ]
        self.rows: list[list[int]] = [[] for _ in range(problem.items)]
        self.held = [0] * problem.items
        for o in with_limit_checks(range(problem.options)):
            for i in self.options[o]:
                self.rows[i].append(o)
                self.held[i] += self.live[o]
        self.unmet = [
            (self.held[i] - self.need[i], i) for i in with_limit_checks(range(problem.primary)) if self.need[i] > 0
        ]
        heapq.heapify(self.unmet)

    def probe(self, pick: Pick, ratio: Ratio = operator.truediv) -> Probe:
        """See `ProbeTree.probe`."""
        return go_down(_ListsLeft(self), self.feasible, pick, ratio)


class _ListsLeft:
    """What is left of the problem, as lists; the fields are those of the tree."""

    def __init__(self, tree: SparseTree) -> None:
        self.tree, self.primary = tree, tree.problem.primary
        self.live, self.need, self.room, self.held = tree.live[:], tree.need[:], tree.room[:], tree.held[:]
        self.heap = tree.unmet[:]  # (ways - 1, item): for every unmet item its current entry, and some outdated ones
        self.unheard = EVERY
        self.first = 0  # no option before it is live

    def branches(self) -> tuple[Sequence[int], Sequence[int], bool]:
        item = self.fewest()
        if item < 0:
            row = self.free()
            return row, shares_of_free(len(row)), True
        row = self.row(item)
        ways = len(row) - self.need[item] + 1
        shares = shares_of(len(row), self.need[item], self.room[item], self.tree.goal) if ways > 0 else []
        return row[: len(shares)], shares, False

    def take(self, row: Sequence[int], k: int) -> None:
        for o in row[: k + 1]:
            self.drop(o)
        self.settle(row[k])

    def fewest(self) -> int:
        """The unmet item with the fewest ways, the lowest number on ties; -1 where none is unmet."""
        heap = self.heap
        while heap:
            ways, i = heap[0]
            if self.need[i] > 0 and self.held[i] - self.need[i] == ways:
                return i
            heapq.heappop(heap)
        return -1

    def row(self, item: int) -> list[int]:
        live = self.live
        return [o for o in with_limit_checks(self.tree.rows[item]) if live[o]]

    def free(self) -> list[int]:
        """The options that are tried once every item is met."""
        self.first = self.live.find(1, self.first)
        if self.first < 0:
            return []
        costs = self.tree.problem.costs
        if self.tree.goal == "minimum":
            return [
                o
                for o in with_limit_checks(range(self.first, len(self.live)))
                if self.live[o] and costs and costs[o] < 0
            ]
        return [o for o in with_limit_checks(range(self.first, len(self.live))) if self.live[o]]

    def drop(self, option: int) -> None:
        """Remove an option from the live ones."""
        if not self.live[option]:
            return
        self.live[option] = 0
        held, need, primary = self.held, self.need, self.primary
        for i in self.tree.options[option]:
            held[i] -= 1
            if i < primary and need[i] > 0:
                heapq.heappush(self.heap, (held[i] - need[i], i))
        self.unheard -= 1
        if not self.unheard:
            self.unheard = EVERY
            check_limits()

    def settle(self, option: int) -> None:
        """Take an option that has already been dropped, and drop the options that it excludes."""
        need, room, rows = self.need, self.room, self.tree.rows
        problem = self.tree.problem
        for i, colour in zip(self.tree.options[option], problem.option_colours(option), strict=True):
            if need[i] > 0:
                need[i] -= 1
                if i < self.primary and need[i]:
                    heapq.heappush(self.heap, (self.held[i] - need[i], i))
            if colour:
                for o in rows[i]:
                    if self.live[o] and not self._shows(o, i, colour):
                        self.drop(o)
                continue
            room[i] -= 1
            if room[i] <= 0 and self.held[i]:
                for o in rows[i]:
                    self.drop(o)

    def _shows(self, option: int, item: int, colour: int) -> bool:
        own = self.tree.options[option]
        return self.tree.problem.option_colours(option)[list(own).index(item)] == colour


# --- probing ---------------------------------------------------------------------------------------------------------
# Estimates the size of a search before it is run, by random probes of the documented tree (probe.py).
#
# The distribution of probes is skewed: most see too few nodes, a few see very many, and a sample that misses those few
# has too small a mean and a small spread as well. Therefore at least `FEWEST` probes are made, and the result has,
# besides the standard error, percentiles of resampled means, which lie unevenly about the mean if the distribution is
# skewed. Source: Efron, Bootstrap methods, 1979.


FEWEST = 1024  # probes that are made before probing may end by itself
MOST = 1 << 20  # probes after which probing ends in any case
SETTLED = 0.05  # probing ends when the standard error is at most this fraction of the mean
GROUPS = 256  # groups into which the probes are put for resampling
RESAMPLES = 400  # how often the groups are resampled
GRACE = 0.5  # seconds beyond the time limit that the first probe may take, so that there is a result at all
TAIL = 0.05  # the share of the resampled means below `low`, and of those above `high`

LARGE = 3_000  # primary items: from this many on, lists are faster than sets (probe.py)


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
    large = problem.primary > LARGE or problem.items * problem.options > DENSE
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
                    with limits_checked_by(stop):
                        if self._tree is None:
                            self._tree = tree_of(self.problem, self.goal)
                        found = self._tree.probe(self._pick)
                except LimitReached:
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
        for k, share in enumerate(with_limit_checks(shares)):
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
