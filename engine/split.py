"""A search cut into subproblems: prefixes of decisions, in documented order.

A `Prefix` is a small value that can be pickled, logged and run again: with the problem alone it becomes a problem of
its own (`subproblem`), whose answers are the answers of the whole below that node. The prefixes of a split, one after
another, give every answer once, in the documented order of the whole. Nodes add up as well: `Split.nodes` were seen
while splitting, and the first node of each subproblem is its root.

The heaviest prefix, the one with the most live options, is split first: sizes of subtrees vary by orders of magnitude
between branches of one depth, and live options tell more of them than depth does.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from attrs import evolve, field, frozen

from covr.engine.problem import Problem
from covr.engine.residual import take_given


@frozen
class Prefix:
    """A node of the search: what was decided on the way to it.

    taken: options taken, beside the given ones, in order.  excluded: options that were tried before and are not to be
    taken any more, increasing; those that taken ones exclude anyway are left out.
    """

    taken: tuple[int, ...] = ()
    excluded: tuple[int, ...] = ()


@frozen
class Split:
    """prefixes: in documented order.  nodes: nodes of the whole search that are above them.
    updates: options dropped while splitting, a measure of its work.
    weights: per prefix its share of the tree, the ways of a node sharing alike; what fell away has the rest of 1."""

    prefixes: tuple[Prefix, ...]
    nodes: int
    updates: int
    weights: tuple[float, ...] = ()


def subproblem(problem: Problem, prefix: Prefix) -> Problem:
    """What is left of a problem below a prefix, numbered as the problem is. Linear time.

    Excluded options get an item in common that none may have.
    """
    given = tuple(sorted({*problem.given, *prefix.taken}))
    if not prefix.excluded:
        return evolve(problem, given=given)
    barred = problem.items
    excluded = set(prefix.excluded)
    starts: list[int] = [0]
    members: list[int] = []
    colours: list[int] = []
    for o in range(problem.options):
        members += problem.option(o)
        colours += problem.option_colours(o)
        if o in excluded:
            members.append(barred)
            colours.append(0)
        starts.append(len(members))
    return evolve(
        problem,
        low=(*problem.low, 0),
        high=(*problem.high, 0),
        starts=starts,
        members=members,
        colours=colours if problem.colours else (),
        given=given,
    )


@frozen
class _Node:
    """live: the options that may be taken, one bit each.  need, room: per item, see residual.py."""

    prefix: Prefix
    live: int = field(repr=False)
    need: tuple[int, ...] = field(repr=False)
    room: tuple[int, ...] = field(repr=False)
    weight: float = 1.0


def split(problem: Problem, parts: int) -> Split:
    """Cut the search for every answer into about so many prefixes, fewer if the tree has no more.

    Depends on the problem and `parts` alone. Each node split costs some words of bits per item and way.
    """
    return _Splitter(problem).split(parts)


class _Splitter:
    """The documented search on sets of options that are whole numbers, a node at a time.

    holders: per item the options that hold it.  shades: per item the options that show each of its colours.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.holders = [0] * problem.items
        self.shades: list[dict[int, int]] = [{} for _ in range(problem.items)]
        self.options = [tuple(problem.option(o)) for o in range(problem.options)]
        self.colours = [tuple(problem.option_colours(o)) for o in range(problem.options)]
        for o, (items, colours) in enumerate(zip(self.options, self.colours, strict=True)):
            for i, c in zip(items, colours, strict=True):
                self.holders[i] |= 1 << o
                if c:
                    self.shades[i][c] = self.shades[i].get(c, 0) | 1 << o

    def split(self, parts: int) -> Split:
        residual = take_given(self.problem)
        if not residual.feasible:
            return Split((), 0, 0)
        live = sum(1 << o for o in range(self.problem.options) if residual.live[o])
        primary = self.problem.primary
        root = _Node(Prefix(), live, tuple(residual.need[:primary]), tuple(residual.room))
        # A leaf is named by its path of child numbers, so that sorting the names gives the documented order.
        heap: list[tuple[int, tuple[int, ...], _Node]] = [(-live.bit_count(), (), root)]
        final: list[tuple[tuple[int, ...], _Node]] = []
        nodes = updates = 0
        while heap and len(heap) + len(final) < parts:
            _, name, node = heapq.heappop(heap)
            row = self._row(node)
            if row is None:
                final.append((name, node))
                continue
            nodes += 1
            live, excluded = node.live, node.prefix.excluded
            for k, o in enumerate(row):
                live &= ~(1 << o)
                child = evolve(self._take(node, live, o, excluded), weight=node.weight / len(row))
                excluded = (*excluded, o)
                updates += (live & ~child.live).bit_count()
                heapq.heappush(heap, (-child.live.bit_count(), (*name, k), child))
        final += [(name, node) for _, name, node in heap]
        ordered = [node for _, node in sorted(final, key=lambda f: f[0])]
        return Split(tuple(n.prefix for n in ordered), nodes, updates, tuple(n.weight for n in ordered))

    def _row(self, node: _Node) -> list[int] | None:
        """The options that are tried at a node, in order; None where no item is unmet."""
        best, item = -1, -1
        for i, need in enumerate(node.need):
            if need > 0:
                ways = (node.live & self.holders[i]).bit_count() - need + 1
                if item < 0 or ways < best:
                    best, item = ways, i
        if item < 0:
            return None
        row: list[int] = []
        live = node.live & self.holders[item]
        while live and len(row) < best:
            o = (live & -live).bit_length() - 1
            row.append(o)
            live &= live - 1
        return row

    def _take(self, node: _Node, live: int, o: int, excluded: Sequence[int]) -> _Node:
        need, room = list(node.need), list(node.room)
        for i, c in zip(self.options[o], self.colours[o], strict=True):
            if i < len(need) and need[i] > 0:
                need[i] -= 1
            if c:
                live &= ~self.holders[i] | self.shades[i][c]
            else:
                room[i] -= 1
                if room[i] <= 0:
                    live &= ~self.holders[i]
        kept = tuple(sorted(x for x in excluded if not self._excludes(o, x)))
        return _Node(Prefix((*node.prefix.taken, o), kept), live, tuple(need), tuple(room))

    def _excludes(self, o: int, other: int) -> bool:
        """Whether taking option o rules the other one out for good, in items that have room for one."""
        theirs = dict(zip(self.options[other], self.colours[other], strict=True))
        return any(
            self.problem.high[i] == 1 and i in theirs and (c == 0 or theirs[i] != c)
            for i, c in zip(self.options[o], self.colours[o], strict=True)
        )
