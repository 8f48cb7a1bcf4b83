"""Minimum cover: what is settled before the search, local search and the tree, in the clothes of one kernel.

A covering problem (`Problem.is_cover`) is made a *core*, whose options all cost something: options of negative cost
are in every cheapest cover, options that cost nothing are taken where they help, and costs are divided by their
greatest common divisor, so that rounding bounds up rounds them up to a sum of costs. Then

    begin     the root is reduced, and a greedy cover made
    descend   local search on what is left (_descent.py), for as long as the size of the problem warrants
    tree      branch and bound (_cover.py), with another spell of local search whenever its nodes have doubled

Every better cover is an answer of its own. A spell of local search counts as a node.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import gcd
from typing import Any

from attrs import frozen

from covr.engine.cover_view import CoverView
from covr.engine.estimates import ESTIMATES, Bound, Estimate
from covr.engine.kernels import ASK, DONE, FOUND, SLICE, load
from covr.engine.problem import Problem
from covr.engine.residual import take_given
from covr.engine.symmetry import can_detect, orbit

LARGEST = 2**31 - 1  # the core's costs are at most this in sum: beyond, doubles are no bounds
FAR = 1 << 40  # beyond any bound
FIRST_SPELL, PER_MEMBER = 150_000, 100  # what a spell of local search may count: this, and for every member
STUBBORN = 2  # it goes on for so many times what its last success took,
SPELLS = 6  # but for no more spells than this after the first success
ORBIT, ORBIT_LEAST = 300, 30  # updates per member that make an orbit worth asking for, at first and at least
HOPE = 4  # a climb is tried where at most so many times its usual gain would end the node

CLASSIC, PRICE, DUAL, LAGRANGE, PYTHON = 1, 2, 4, 8, 16
NATIVE = {
    "auto": PRICE | DUAL | LAGRANGE,
    "none": 0,
    "classic": CLASSIC,
    "price": PRICE,
    "dual": PRICE | DUAL,
    "lagrange": PRICE | DUAL | LAGRANGE,
}


@frozen
class Core:
    """What is left of a covering problem once the obvious is settled.

    items, needs: numbers in the problem, and needs of at least 1.  options: the core items of each option,
    increasing.  costs: from 1, without a common divisor.  numbers: the options' numbers in the problem.
    taken: options in every cover that is looked at.
    base, unit: a cover of the core that costs c costs base + unit·c with these.
    feasible: whether there is any cover.
    """

    items: Sequence[int]
    needs: Sequence[int]
    options: Sequence[Sequence[int]]
    costs: Sequence[int]
    numbers: Sequence[int]
    taken: Sequence[int]
    base: int
    unit: int
    feasible: bool


def core(problem: Problem) -> Core:
    """Take what is given, what costs less than nothing, and what costs nothing and helps. Linear time."""
    residual = take_given(problem)
    need = list(residual.need)
    costs = problem.costs or [0] * problem.options
    taken = list(problem.given)
    free = [o for o in range(problem.options) if residual.live[o]]
    for o in [*(o for o in free if costs[o] < 0), *(o for o in free if costs[o] == 0)]:
        if costs[o] < 0 or any(need[i] > 0 for i in problem.option(o)):
            taken.append(o)
            for i in problem.option(o):
                need[i] -= 1
    lacking = [i for i in range(problem.primary) if need[i] > 0]
    number = {i: k for k, i in enumerate(lacking)}
    options, numbers, holders = [], [], [0] * len(lacking)
    for o in free:
        if costs[o] <= 0:
            continue
        held = [number[i] for i in problem.option(o) if i in number]
        if held:
            options.append(held)
            numbers.append(o)
            for i in held:
                holders[i] += 1
    needs = [need[i] for i in lacking]
    unit = gcd(*(costs[o] for o in numbers)) or 1
    return Core(
        lacking,
        needs,
        options,
        [costs[o] // unit for o in numbers],
        numbers,
        taken,
        sum(costs[o] for o in taken),
        unit,
        residual.feasible and all(h >= k for h, k in zip(holders, needs, strict=True)),
    )


def is_suited(problem: Problem) -> bool:
    """Whether this engine may be used: a covering problem where something costs, in numbers that doubles hold."""
    if not problem.is_cover or not any(c > 0 for c in problem.costs):
        return False
    return sum(c for c in problem.costs if c > 0) // (gcd(*problem.costs) or 1) <= LARGEST


class Covering:
    """A kernel (see kernels.py) made of the three stages."""

    def __init__(self, problem: Problem, ceiling: int | None, estimates: Sequence[Estimate], interpreted: bool = False):
        """problem: `is_suited`.  ceiling: the most a cover may cost.  estimates: a cascade."""
        self.answers = 0
        self.code = -1
        self._module = load("_cover", interpreted)
        self._descents = load("_descent", interpreted)
        self._core = core(problem)
        self._problem = problem
        self._ceiling = ceiling
        self._native = 0
        self._asked = []
        self._sparing = any(e.name == "auto" for e in estimates)
        for estimate in estimates:
            if estimate.name in NATIVE and estimate.bound is ESTIMATES[estimate.name].bound:
                self._native |= NATIVE[estimate.name]
            else:
                self._native |= PYTHON
                self._asked.append(estimate)
        speed = "compiled" if self._module.COMPILED else "interpreted"
        self.name = f"branch and bound for covers ({speed}), estimate " + ", ".join(e.name for e in estimates)
        self._spells = 0
        self._stage = self._begin
        self._best: list[int] = []
        self._fresh = False
        self._done = False
        self._forced: list[int] = []  # options that the first reductions force, and their cost
        self._paid = 0
        self._local: list[int] = []  # the numbers of what they leave
        self._tree: Any = None
        self._descent: Any = None
        self._rest = 0  # what local search may still count
        self._spell = 0  # what it may count before it can be interrupted
        self._began = 0  # what it had counted when this spell of the whole began
        self._next = 1000  # nodes at which it begins again
        self._orbits = ORBIT

    @property
    def nodes(self) -> int:
        """Nodes of the tree, and one for every spell of local search."""
        return self._spells + (self._tree.nodes if self._tree is not None else 0)

    @property
    def updates(self) -> int:
        return self._tree.updates if self._tree is not None else 0

    def run(self, nodes: int, answers: int) -> int:
        """Search on for at most so many nodes and answers."""
        self.code = -1
        self.code = self._run(self.nodes + nodes, self.answers + answers)
        return self.code

    def answer(self) -> list[int]:
        """The options of the best cover, without given ones."""
        return list(self._best)

    def bound(self) -> int | None:
        """The proved lower bound; None before the first node, or where there is no cover."""
        if self._tree is None or not self._core.feasible:
            return None
        return self._core.base + self._core.unit * int(self._tree.bound())

    def _run(self, end: int, until: int) -> int:
        while not self._done:
            if self.nodes >= end:
                return SLICE
            self._stage(end)
            if self._fresh:
                self._fresh = False
                self.answers += 1
                if self.answers >= until:
                    return FOUND
        return DONE

    def _begin(self, end: int) -> None:
        """Reduce, and make a first cover."""
        self._spells += 1
        rest, ceiling = self._core, self._ceiling
        cutoff = sum(rest.costs) + 1
        if ceiling is not None:
            cutoff = min(cutoff, (ceiling - rest.base) // rest.unit + 1)
        if not rest.feasible or cutoff <= 0:
            self._done = True
            return
        tree = self._tree = self._module.Cover(rest.needs, rest.options, rest.costs, cutoff, self._native)
        tree.set_symmetric(ORBIT if can_detect() else 0)
        tree.set_hope(HOPE if self._sparing else FAR)
        left = tree.reduce()
        self._forced, self._paid = tree.taken()
        if not left:
            if self._paid < cutoff:
                tree.lower(self._paid)
                self._found(self._forced)
            self._done = True
            return
        _, needs, self._local, costs, options = tree.local()
        self._descent = self._descents.Descent(needs, options, costs)
        self._descent.greedy()
        self._offer()
        self._spell = FIRST_SPELL + PER_MEMBER * sum(map(len, options))
        self._rest = self._spell
        self._stage = self._descend

    def _descend(self, end: int) -> None:
        """A spell of local search."""
        self._spells += 1
        descent = self._descent
        spell = min(self._rest, self._spell)
        self._rest -= spell
        if descent.run(spell, self._tree.bound() - self._paid):
            used = descent.spent() - self._began
            self._rest = max(self._rest, min(STUBBORN * used, SPELLS * self._spell - used))
            self._offer()
        if self._tree.bound() >= self._tree.limit():
            self._done = True
        elif self._rest <= 0:
            self._stage = self._search

    def _search(self, end: int) -> None:
        """A slice of the tree."""
        tree = self._tree
        code = tree.run(min(end - self.nodes, self._next - tree.nodes), 1)
        if code == FOUND:
            self._found(tree.answer())
        elif code == DONE:
            self._done = True
        elif code == ASK:
            self._answer()
        elif tree.nodes >= self._next:
            self._next *= 2
            self._began = self._descent.spent()
            self._rest = self._spell + tree.updates // 20
            self._stage = self._descend

    def _answer(self) -> None:
        """What the tree asks: which options are equivalent to the one that was tried, or an estimate in Python."""
        tree = self._tree
        if tree.wants_orbit():
            _, needs, _, costs, options = tree.local()
            same = orbit(needs, options, costs, tree.branched())
            if len(same) == 1:
                self._orbits = min(2 * self._orbits, 1 << 40)
            else:
                self._orbits = max(self._orbits // 4, ORBIT_LEAST)
            tree.set_symmetric(self._orbits)
            tree.exclude(same)
        else:
            self._estimate()

    def _estimate(self) -> None:
        """The Python estimates in turn; the last one to name prices, exclude or force is heard."""
        tree, rest = self._tree, self._core
        view = CoverView(self._problem, tree, rest.items, rest.numbers, rest.base, rest.unit)
        lower, prices, gone, sure = 0, None, set(), set()
        for estimate in self._asked:
            said = estimate.bound(view, view.cutoff)
            if isinstance(said, Bound):
                prices = said.prices if said.prices is not None else prices
                gone |= set(said.exclude)
                sure |= set(said.force)
                said = said.lower
            if said != said:
                raise ValueError(f"the estimate {estimate.name} is not a number")
            lower = max(lower, FAR if said >= FAR else -(-math.ceil(said) // rest.unit))
            if lower * rest.unit >= view.cutoff:
                break
        place = view.place
        tree.tell(
            lower,
            None if prices is None else [prices.get(i, 0) / rest.unit for i in view.uncovered()],
            [place[o] for o in gone if o in place],
            [place[o] for o in sure if o in place],
        )

    def _offer(self) -> None:
        """The local search's best cover, if it is the best of all."""
        cost = self._paid + self._descent.value()
        if cost < self._tree.limit():
            self._tree.lower(cost)
            self._found([*self._forced, *(self._local[o] for o in self._descent.answer())])

    def _found(self, options: list[int]) -> None:
        """A better cover, in the core's numbers."""
        given = set(self._problem.given)
        chosen = [*self._core.taken, *(self._core.numbers[o] for o in options)]
        self._best = [o for o in self._spare(chosen) if o not in given]
        self._fresh = True

    def _spare(self, chosen: list[int]) -> list[int]:
        """Without options that cost nothing and are not needed."""
        problem = self._problem
        spare = [o for o in self._core.taken if problem.costs[o] == 0 and o not in problem.given]
        if not spare:
            return chosen
        over = [-low for low in problem.low]
        for o in chosen:
            for i in problem.option(o):
                over[i] += 1
        gone = set()
        for o in reversed(spare):
            if all(over[i] > 0 or i >= problem.primary for i in problem.option(o)):
                gone.add(o)
                for i in problem.option(o):
                    over[i] -= 1
        return [o for o in chosen if o not in gone]
