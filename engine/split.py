"""A search cut into subproblems: prefixes of decisions, in documented order.

A `Prefix` is a small value that can be pickled, logged and run again: with the problem alone it becomes a problem of
its own (`subproblem`), whose answers are the answers of the whole below that node. The prefixes of a split, one after
another, give every answer once, in the documented order of the whole. Nodes add up as well: `Split.nodes` were seen
while splitting, and the first node of each subproblem is its root.

The heaviest prefix, the one with the most live options, is split first: sizes of subtrees vary by orders of magnitude
between branches of one depth, and live options tell more of them than depth does.

A `Splitter` keeps what it knows of the problem, so that prefix after prefix can be cut further (`cut`) and made a
problem of its own that is no larger than what is left there (`rest`): deep down, a search has short sets of options.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from attrs import evolve, field, frozen

from covr.engine.bitsets import bit_set, members_of
from covr.engine.problem import Problem
from covr.engine.residual import take_given

Path = tuple[int, ...]


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
class Rest:
    """What is left of a problem below a prefix, renumbered; its documented order is that of the problem.

    numbers: per option its number in the problem, increasing.  taken: the options that every answer has, given ones
    included, increasing.  cost: what they cost.
    """

    problem: Problem
    numbers: tuple[int, ...] = field(repr=False)
    taken: tuple[int, ...]
    cost: int

    def whole(self, answer: Sequence[int]) -> tuple[int, ...]:
        """An answer of what is left as one of the problem."""
        return tuple(sorted([*self.taken, *map(self.numbers.__getitem__, answer)]))

    def part(self, answer: Sequence[int]) -> tuple[int, ...]:
        """An answer of the problem as one of what is left."""
        taken = set(self.taken)
        return tuple(bisect_left(self.numbers, o) for o in answer if o not in taken)


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
    return Splitter(problem).cut(Prefix(), parts)


class Splitter:
    """The documented search on sets of options that are whole numbers, a node at a time. Threads may share one.

    holders: per item the options that hold it.  shades: per item the options that show each of its colours.
    """

    def __init__(self, problem: Problem) -> None:
        """Time linear in the length of the options."""
        self.problem = problem
        starts, members, shown = problem.starts, problem.members, problem.colours or (0,) * len(problem.members)
        self.options = [tuple(members[a:b]) for a, b in pairwise(starts)]
        self.colours = [tuple(shown[a:b]) for a, b in pairwise(starts)]
        rows: list[list[int]] = [[] for _ in range(problem.items)]
        shades: list[dict[int, list[int]]] = [{} for _ in range(problem.items)]
        for o, (items, colours) in enumerate(zip(self.options, self.colours, strict=True)):
            for i, c in zip(items, colours, strict=True):
                rows[i].append(o)
                if c:
                    shades[i].setdefault(c, []).append(o)
        self.holders = [bit_set(row) for row in rows]
        self.shades = [{c: bit_set(row) for c, row in shade.items()} for shade in shades]
        residual = take_given(problem)
        self.feasible = residual.feasible
        live = bit_set([o for o in range(problem.options) if residual.live[o]])
        self._shown = {i for i in range(problem.items) if residual.fixed[i]}
        self._smallest = self._fewest(residual.need, live)
        self._root = _Node(Prefix(), live, tuple(residual.need[: problem.primary]), tuple(residual.room))

    def _fewest(self, need: Sequence[int], live: int) -> int:
        """How many unmet items a live option holds at least."""
        unmet = [n > 0 for n in need]
        return min((sum(map(unmet.__getitem__, self.options[o])) for o in members_of(live)), default=0)

    def cut(self, prefix: Prefix, parts: int) -> Split:
        """Cut what is below a prefix into about so many, fewer if there are no more: the prefix itself if it is a leaf.

        Weights are shares of the prefix, `nodes` those from it on that are above the new ones.
        """
        if not self.feasible:
            return Split((), 0, 0)
        root = self._node(prefix)
        # A leaf is named by its path of child numbers, so that sorting the names gives the documented order.
        heap: list[tuple[int, Path, _Node]] = [(-root.live.bit_count(), (), root)]
        final: list[tuple[Path, _Node]] = []
        nodes = updates = 0
        while heap and len(heap) + len(final) < parts:
            _, name, node = heapq.heappop(heap)
            row = self._row(node)
            if row is None and not node.live:
                final.append((name, node))
                continue
            nodes += row is not None  # without an unmet item, a node is the root of its last child
            children, dropped = self._children(node, row)
            updates += dropped
            for k, child in enumerate(children):
                heapq.heappush(heap, (-child.live.bit_count(), (*name, k), child))
        final += [(name, node) for _, name, node in heap]
        ordered = [node for _, node in sorted(final, key=lambda f: f[0])]
        return Split(tuple(n.prefix for n in ordered), nodes, updates, tuple(n.weight for n in ordered))

    def rest(self, prefix: Prefix) -> Rest:
        """What is left below a prefix, as a problem without the options and items that play no part any more.

        Time linear in the length of the options that are left. It has the nodes and the answers that the prefix has.
        """
        node, problem = self._node(prefix), self.problem
        shown = {i for o in prefix.taken for i, c in zip(self.options[o], self.colours[o], strict=True) if c}
        shown |= self._shown
        numbers = members_of(node.live)
        unmet = [i for i, need in enumerate(node.need) if need > 0]
        loose = sorted({i for o in numbers for i in self.options[o]}.difference(shown, unmet))
        number = {i: k for k, i in enumerate((*unmet, *loose))}
        lows = (*(node.need[i] for i in unmet), *(0 for _ in loose))
        # A covering problem remains one; room that is less than the need is so because options are few.
        wide = len(numbers) if problem.is_cover else 0
        starts: list[int] = [0]
        members: list[int] = []
        colours: list[int] = []
        for o in numbers:
            pairs = sorted((number[i], c) for i, c in zip(self.options[o], self.colours[o], strict=True) if i in number)
            members += [i for i, _ in pairs]
            colours += [c for _, c in pairs]
            starts.append(len(members))
        taken = tuple(sorted({*problem.given, *prefix.taken}))
        left = Problem(
            low=lows,
            high=tuple(max(node.room[i], wide, low, 1) for i, low in zip(number, lows, strict=True)),
            primary=len(unmet),
            starts=starts,
            members=members,
            colours=colours if any(colours) else (),
            costs=[problem.costs[o] for o in numbers] if problem.costs else (),
        )
        return Rest(left, tuple(numbers), taken, sum(problem.costs[o] for o in taken) if problem.costs else 0)

    def _node(self, prefix: Prefix) -> _Node:
        """The node of a prefix, its weight being 1."""
        node = self._root
        for o in prefix.taken:
            node = self._take(node, node.live & ~(1 << o), o, ())
        live = node.live
        for o in prefix.excluded:
            live &= ~(1 << o)
        return evolve(node, prefix=prefix, live=live, weight=1.0)

    def _children(self, node: _Node, row: Sequence[int] | None) -> tuple[list[_Node], int]:
        """The nodes right below one, in order, and how many options were dropped for them.

        row: as `_row` says; where no item is unmet, live options are taken in order, and in the end none of them.
        """
        live, excluded = node.live, node.prefix.excluded
        options = members_of(live) if row is None else row
        weight = node.weight / max(len(options) + (row is None), 1)
        children = []
        for o in options:
            live &= ~(1 << o)
            child = evolve(self._take(node, live, o, excluded), weight=weight)
            excluded = (*excluded, o)
            children.append(child)
        dropped = self._dropped(node, options, children)
        if row is None:
            none = Prefix(node.prefix.taken, tuple(sorted(excluded)))
            children.append(evolve(node, prefix=none, live=0, weight=weight))
        return children, dropped

    def _dropped(self, node: _Node, ways: Sequence[int], children: Sequence[_Node]) -> int:
        """The updates of a node, as kernels on bits count them: see _bits.py."""
        unmet = sum(need > 0 for need in node.need)
        if unmet <= self._smallest:
            return 0
        hidden = sum(1 << o for o in ways) if len(ways) > 1 else 0
        dropped = hidden.bit_count()
        for child in children:
            left = [i for i, need in enumerate(child.need) if need > 0]
            if (len(left) > self._smallest or not self._smallest) and all(child.live & self.holders[i] for i in left):
                dropped += (node.live & ~hidden & ~child.live).bit_count()
        return dropped

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
