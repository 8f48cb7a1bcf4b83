"""Covers where every item is held by two options: what the kernel for them (kernels/cover/_vertex_cover.py) is given.

What is left of a covering problem at its root is a graph if every item needs one option and has two: a vertex cover,
for example. Options get new numbers for the kernel, which branches on the last ones first: the option that shares items
with the most others is the last, and so on among the rest. On PACE's vertex covers the other way round takes 20 times
as many nodes.

Measured, CPU seconds, beside the search for covers with Lagrangean bounds: 200 vertices of degree 3: 1.5 (not proved in
3.4); 120 of degree 5: 0.04 (2.9), of degree 8: 0.3 (not in 5); 200 vertices, half of all edges: 0.09 (2.9); kings on a
9 by 9 torus: 0.06 (0.3); 300 vertices in the plane: 0.3 (not in 5). Nothing was found on which it is slower.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from math import gcd
from typing import Any

from attrs import frozen

from covr.engine.base.heed import heeded
from covr.engine.minimum.core import Core

MOST = 2000  # options, at most; the kernel's arrays take 6 · options² bytes


@frozen(eq=False)
class PairGraph:
    """Options as the kernel for vertex covers numbers them.

    numbers: per option, its number in the problem that it comes from.  costs: per option.  neighbours: per option,
    those that share an item with it, increasing.
    """

    numbers: Sequence[int]
    costs: Sequence[int]
    neighbours: Sequence[Sequence[int]]


class VertexCoverSearch:
    """The kernel's search of what is left of a core, with its costs and covers in the core's problem."""

    def __init__(self, graph: PairGraph, core: Core, taken: Sequence[int], module: Any, bound: int, looks: Any) -> None:
        """core: what `graph` is left of; it has its numbers.  taken: options of the core that are taken already.
        module: the one that holds the kernel.  bound: a lower bound for covers of the core's problem.  looks: tells
        whether to stop (_looks.py)."""
        self._unit = gcd(*graph.costs) or 1
        costs = [cost // self._unit for cost in graph.costs]
        self._base = core.base + core.unit * sum(core.costs[o] for o in taken)
        self._unit *= core.unit
        self._taken = [*core.taken, *(core.numbers[o] for o in taken)]
        self._numbers = [core.numbers[o] for o in graph.numbers]
        self._kernel = module.VertexCover(costs, graph.neighbours, self._inside(bound), sum(costs) + 1, looks)

    def _inside(self, cost: int) -> int:
        """A cost in the problem as one in the kernel, rounded up."""
        return -((self._base - cost) // self._unit)

    @property
    def nodes(self) -> int:
        """How many nodes were visited so far."""
        return int(self._kernel.nodes)

    @property
    def work(self) -> int:
        """How many array entries were read so far: about as many as updates of the search for covers take as long."""
        return int(self._kernel.spent())

    def bound(self) -> int:
        """The proved lower bound for covers of the problem; at most what `lower` was last told."""
        return self._base + self._unit * int(self._kernel.bound())

    def lower(self, cutoff: int) -> None:
        """From now on, look only for covers that cost less than this in the problem."""
        self._kernel.lower(self._inside(cutoff))

    def run(self, work: int, nodes: int) -> int:
        """Go on; see the kernel's `run`."""
        return int(self._kernel.run(work, nodes))

    def answer(self) -> list[int]:
        """The options of the last cover, in the problem's numbers."""
        return [*self._taken, *(self._numbers[o] for o in self._kernel.answer())]

    def value(self) -> int:
        """What that cover costs in the problem: the cutoff after it was found."""
        return self._base + self._unit * int(self._kernel.limit())


def graph(needs: Sequence[int], options: Sequence[Sequence[int]], costs: Sequence[int]) -> PairGraph | None:
    """The graph of a covering problem in which no option holds all of another's items; None where it is none, or too
    large. Time O((length of the options) · log options)."""
    n = len(options)
    if n > MOST or sum(map(len, options)) != 2 * len(needs) or any(need != 1 for need in needs):
        return None
    holders: list[list[int]] = [[] for _ in needs]
    for o, option in enumerate(heeded(options)):
        for i in option:
            holders[i].append(o)
    if any(len(row) != 2 for row in holders):
        return None
    near: list[set[int]] = [set() for _ in options]
    for a, b in heeded(holders):
        near[a].add(b)
        near[b].add(a)
    order = ordered(near)
    place = [0] * n
    for k, o in enumerate(order):
        place[o] = k
    return PairGraph(
        order, [costs[o] for o in order], [sorted(place[other] for other in near[o]) for o in heeded(order)]
    )


def ordered(near: Sequence[set[int]]) -> list[int]:
    """The options, each with no more neighbours among those before it than the option after it has. Ties go to the
    lowest number first, which comes last."""
    degree = [len(row) for row in near]
    heap = [(-count, o) for o, count in enumerate(degree)]
    heapify(heap)
    order: list[int] = []
    done = [False] * len(near)
    for _ in heeded(range(len(near) + sum(degree) // 2)):
        count, o = heappop(heap)
        if done[o] or -count != degree[o]:
            continue
        done[o] = True
        order.append(o)
        for other in near[o]:
            if not done[other]:
                degree[other] -= 1
                heappush(heap, (-degree[other], other))
    return order[::-1]
