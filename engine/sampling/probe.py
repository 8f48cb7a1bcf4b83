"""Goes down the documented search tree of a problem at random: one probe of it (see probing.py).

A probe goes down from the root to a leaf and takes a random branch at every node. A node that is reached with
probability p stands for 1/p nodes. So the expected value of the sum of 1/p along a probe is exactly the number of nodes
of the tree; the same holds for answers. Nothing is pruned by cost: for a minimum, the result is the size of the tree
without any bounds, of which the engines visit only a part.

The probability of a branch is proportional to the number of ways in which the item could be filled, or the free options
taken, if there were no other items. For an item with bounds 1, 1, all branches are equally likely, as with Knuth. Of
`n` free options, the first branch, which leaves n-1 of them, is as likely as all the others together. Any probabilities
would give the right expected value; these keep the spread small, because later branches are smaller: the options before
them are excluded.

A probe of pentominoes in 6 by 10 takes a tenth of a millisecond: sets of options are whole numbers, so that one `&` and
a count of bits give the number of ways of an item. Source: Knuth, Estimating the efficiency of backtrack programs,
1975; TAOCP 7.2.2. What did not pay: choosing the branch by how many options it leaves alive (Knuth's refinement,
importance sampling). It must look at every child of every node; more probes are a better use of that time.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from attrs import evolve

from covr.engine.base.heed import heeded, look
from covr.engine.kernels.loading import load
from covr.engine.prepare.bitsets import bit_set, some_members_of
from covr.engine.prepare.option_sets import holder_sets, shade_sets
from covr.engine.prepare.residual import take_given
from covr.engine.prepare.sides import side_arrays
from covr.engine.problem import Problem
from covr.frozen import frozen

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
        self.live = bit_set([o for o in heeded(range(problem.options)) if residual.live[o]])
        self.need, self.room = list(residual.need), list(residual.room)
        self.unmet = [i for i in range(problem.primary) if self.need[i] > 0]
        self.welcome = self.live  # the options that are tried once every item is met
        if goal == "minimum":
            self.welcome &= bit_set([o for o in range(problem.options) if problem.costs and problem.costs[o] < 0])
        self.options: list[Sequence[int]] = [problem.option(o) for o in heeded(range(problem.options))]
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
        look()  # one step may visit every free option
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
        """See `Left.take`."""
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
    return [1 << max(min(size, LONG) - 1 - k, 0) for k in heeded(range(size))]


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
    for k in heeded(range(ways)):
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
            look()
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
