"""Cuts a search into subproblems: prefixes of decisions, in documented order.

A `Prefix` is a small value that can be pickled, logged and run again. Together with the problem, it defines a problem
of its own (`subproblem`), whose answers are the answers of the whole problem below that node. The prefixes of a split,
one after another, yield every answer once, in the documented order of the whole. Nodes add up, too: `Split.nodes` were
seen while splitting, and the first node of each subproblem is its root.

The heaviest prefix, the one with the most live options, is split first: the sizes of subtrees at the same depth vary by
orders of magnitude, and the number of live options predicts them better than depth does.

A `Splitter` keeps what it has computed about the problem. So it can cut one prefix after another further (`cut`), and
make each a problem that is no larger than what is left there (`rest`): deep in the tree, a search then has short sets
of options.

Splitting is meant to save time, so it must not take long. A node with very many ways is not split (`WIDEST`), because
to begin each of them would cost more than most searches take; and splitting ends after a certain amount of work
(`MOST_WORK`), with the prefixes that there are by then. Work is counted, not timed, so that a split depends only on the
problem.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import evolve, field

from covr.engine.base.limits import COMPILED_STEPS, check_limits, with_limit_checks
from covr.engine.prepare.bitsets import DENSE, bit_set, members_of
from covr.engine.prepare.masks import take_given
from covr.engine.problem import Problem
from covr.engine.witness import below, carried
from covr.frozen import frozen

Path = tuple[int, ...]

WIDEST = 10_000_000  # ways of a node times options: wider nodes are not split; each way costs a step for every option.
# Beginnings of a class that are compared with their images, times options, at most: some seconds
MOST_WORK = 2_000_000_000  # operations on 64-bit words in one cut: a second or two
STEP = 100  # words: the fixed cost of an operation on a set, in addition to its own words
FEW = 64  # members: a set with no more than this is read member by member
DIGITS = bytes(48 + (value & 1) for value in range(256))  # per byte, "0" or "1" for its last bit


@frozen
class Prefix:
    """A node of the search: the decisions on the way to it.

    taken: the options taken, besides the given ones, in order.  excluded: options that were tried before and must not
    be taken any more, increasing; those that taken options exclude anyway are left out.
    """

    taken: tuple[int, ...] = ()
    excluded: tuple[int, ...] = ()


@frozen
class Split:
    """A search cut into prefixes.

    prefixes: in documented order.  nodes: how many nodes of the whole search are above them.
    updates: how many options were dropped while splitting, a measure of its work.
    weights: per prefix, its share of the tree if all ways of a node count as equally large. What they lack to 1 is the
    share of branches that need no search.
    """

    prefixes: tuple[Prefix, ...]
    nodes: int
    updates: int
    weights: tuple[float, ...] = ()


def subproblem(problem: Problem, prefix: Prefix) -> Problem:
    """What is left of a problem below a prefix, numbered as the problem is. Linear time.

    Excluded options share an additional item that no option may hold.
    """
    given = tuple(sorted({*problem.given, *prefix.taken}))
    witness = below(problem, prefix.taken, prefix.excluded)
    if not prefix.excluded:
        return evolve(problem, given=given, witness=witness)
    barred = problem.items
    excluded = set(prefix.excluded)
    starts: list[int] = [0]
    members: list[int] = []
    colours: list[int] = []
    for o in with_limit_checks(range(problem.options)):
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
        witness=witness,
    )


@frozen
class Rest:
    """What is left of a problem below a prefix, renumbered; its documented order is that of the problem.

    numbers: per option, its number in the problem, increasing.  taken: the options that every answer takes, the given
    ones included, increasing.  cost: the sum of their costs.
    """

    problem: Problem
    numbers: tuple[int, ...] = field(repr=False)
    taken: tuple[int, ...]
    cost: int

    def whole(self, answer: Sequence[int]) -> tuple[int, ...]:
        """The answer of the problem that an answer of the rest stands for."""
        return tuple(sorted([*self.taken, *map(self.numbers.__getitem__, answer)]))

    def part(self, answer: Sequence[int]) -> tuple[int, ...]:
        """The answer of the rest that an answer of the problem contains."""
        taken = set(self.taken)
        return tuple(bisect_left(self.numbers, o) for o in answer if o not in taken)


@frozen
class _Node:
    """live: the options that may be taken, one bit each.  need, room: per item, see masks.py."""

    prefix: Prefix
    live: int = field(repr=False)
    need: tuple[int, ...] = field(repr=False)
    room: tuple[int, ...] = field(repr=False)


@frozen
class Barred:
    """The first few ways of a node, as a value that all leaves of the node can share."""

    ways: Sequence[int]
    count: int

    def bits(self) -> int:
        """The ways as a set: one bit each."""
        return bit_set(self.ways[: self.count])


@frozen
class _Leaf:
    """A node that is built only when it is split; most never are.

    size: how many options are live.  parent, way: the node above it, and what is taken there, None for nothing more.
    barred: the options that were tried at the parent before it, this one among them.
    """

    prefix: Prefix
    size: int
    weight: float
    parent: _Node = field(repr=False)
    way: int | None
    barred: Barred = field(repr=False)


class _SplitWork:
    """The work of a cut so far, in words of 64 bits. done: the total.  checked: the total at the last check of the
    limits."""

    __slots__ = ("checked", "done", "price")

    def __init__(self, price: int) -> None:
        """price: that of one operation on a set of options."""
        self.price = price
        self.done = self.checked = 0

    def spend(self, operations: int) -> None:
        self.done += operations * self.price
        if self.done - self.checked >= COMPILED_STEPS:
            self.checked = self.done
            check_limits()


def split(problem: Problem, parts: int) -> Split:
    """Cut the search for every answer into about `parts` prefixes, fewer if the tree does not have so many.

    The result depends only on the problem and `parts`. Each node that is split costs some words per item and way.
    """
    return Splitter(problem).cut(Prefix(), parts)


class Splitter:
    """The documented search, node by node, on sets of options that are whole numbers. Threads may share it.

    holders: per item, the options that hold it.  shades: per item, for each colour, the options that show it there.
    """

    def __init__(self, problem: Problem) -> None:
        """Time and space are linear in the length of the options, plus the space for sets that are kept (`DENSE`)."""
        self.problem = problem
        starts, members, shown = problem.starts, problem.members, problem.colours
        self.options = [tuple(members[a:b]) for a, b in with_limit_checks(pairwise(starts))]
        self.colours = [tuple(shown[a:b]) if shown else (0,) * (b - a) for a, b in with_limit_checks(pairwise(starts))]
        self._rows = problem.holders
        shades: list[dict[int, list[int]]] = [{} for _ in range(problem.items)]
        if shown:
            for i in with_limit_checks(range(problem.items), 64):
                for o, c in problem.column(i):
                    if c:
                        shades[i].setdefault(c, []).append(o)
        dense = problem.items * problem.options <= DENSE
        self._sets: list[int] | None = [bit_set(row) for row in with_limit_checks(self._rows, 64)] if dense else None
        self._rows_of_shades = shades
        self._shades: dict[tuple[int, int], int] = {}
        residual = take_given(problem)
        self.feasible = residual.feasible
        live = int(residual.live.translate(DIGITS)[::-1] or b"0", 2)
        self._shown = {i for i in with_limit_checks(range(problem.items)) if residual.fixed[i]}
        self._smallest = self._fewest(residual.need, live)
        self._root = _Node(Prefix(), live, tuple(residual.need[: problem.primary]), tuple(residual.room))

    def holders(self, item: int) -> int:
        """The options that hold an item."""
        return bit_set(self._rows[item]) if self._sets is None else self._sets[item]

    def shade(self, item: int, colour: int) -> int:
        """The options that show a colour in an item."""
        known = self._shades.get((item, colour))
        if known is None:
            known = bit_set(self._rows_of_shades[item][colour])
            if len(self._shades) * self.problem.options <= DENSE:
                self._shades[item, colour] = known
        return known

    def _fewest(self, need: Sequence[int], live: int) -> int:
        """The least number of unmet items that any live option holds."""
        unmet = [n > 0 for n in with_limit_checks(need)]
        return min(
            (sum(map(unmet.__getitem__, self.options[o])) for o in with_limit_checks(members_of(live))), default=0
        )

    def cut(self, prefix: Prefix, parts: int) -> Split:
        """Cut what is below a prefix into about `parts` prefixes, fewer if there are not so many; a leaf yields itself.

        Weights are shares of this prefix; `nodes` counts the nodes from this prefix down to the new ones.
        """
        if not self.feasible:
            return Split((), 0, 0)
        work = _SplitWork(STEP + (self.problem.options >> 6))
        root = self._node(prefix)
        # A leaf is named by its path of child numbers, so that sorting the names gives the documented order.
        first = _Leaf(prefix, root.live.bit_count(), 1.0, root, None, Barred((), 0))
        heap: list[tuple[int, Path, _Leaf]] = [(-first.size, (), first)]
        final: list[tuple[Path, _Leaf]] = []
        nodes = updates = 0
        while heap and len(heap) + len(final) < parts:
            _, name, leaf = heapq.heappop(heap)
            node = root if leaf is first else self._made(leaf, work)
            row = self._row(node, work)
            ways = leaf.size + 1 if row is None else len(row)
            wide = ways > parts and ways * self.problem.options > WIDEST
            if (row is None and not node.live) or wide or work.done > MOST_WORK:
                final.append((name, leaf))
                continue
            nodes += row is not None  # if no item is unmet, the node is also the root of its last child
            children, dropped = self._children(node, row, leaf.weight, work)
            updates += dropped
            for k, child in enumerate(children):
                heapq.heappush(heap, (-child.size, (*name, k), child))
        final += [(name, leaf) for _, name, leaf in heap]
        ordered = [leaf for _, leaf in sorted(final, key=lambda f: f[0])]
        return Split(tuple(n.prefix for n in ordered), nodes, updates, tuple(n.weight for n in ordered))

    def rest(self, prefix: Prefix) -> Rest:
        """What is left below a prefix, as a problem without the options and items that no longer matter.

        Its search has the same nodes and answers as the search below the prefix. Time linear in the length of the
        options that are left.
        """
        node, problem = self._node(prefix), self.problem
        shown = {i for o in prefix.taken for i, c in zip(self.options[o], self.colours[o], strict=True) if c}
        shown |= self._shown
        numbers = members_of(node.live)
        unmet = [i for i, need in enumerate(node.need) if need > 0]
        loose = sorted({i for o in with_limit_checks(numbers) for i in self.options[o]}.difference(shown, unmet))
        number = {i: k for k, i in enumerate((*unmet, *loose))}
        lows = (*(node.need[i] for i in unmet), *(0 for _ in loose))
        # A covering problem must remain one. Its room can be less than the need only because there are few options.
        wide = len(numbers) if problem.is_cover else 0
        starts: list[int] = [0]
        members: list[int] = []
        colours: list[int] = []
        for o in with_limit_checks(numbers):
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
            witness=carried(problem, numbers, taken),
        )
        return Rest(left, tuple(numbers), taken, sum(problem.costs[o] for o in taken) if problem.costs else 0)

    def _node(self, prefix: Prefix) -> _Node:
        """The node of a prefix."""
        node = self._root
        live, need, room = node.live, list(node.need), list(node.room)
        for o in with_limit_checks(prefix.taken, 16):
            live = self._take(live & ~(1 << o), need, room, o)
        if prefix.excluded:
            live &= ~bit_set(prefix.excluded)
        return _Node(prefix, live, tuple(need), tuple(room))

    def _made(self, leaf: _Leaf, work: _SplitWork) -> _Node:
        """The node of a leaf."""
        node = leaf.parent
        if leaf.way is None:
            return _Node(leaf.prefix, 0, node.need, node.room)
        need, room = list(node.need), list(node.room)
        live = self._take(node.live & ~leaf.barred.bits(), need, room, leaf.way)
        work.spend(len(self.options[leaf.way]) + 1)
        return _Node(leaf.prefix, live, tuple(need), tuple(room))

    def _children(
        self, node: _Node, row: Sequence[int] | None, weight: float, work: _SplitWork
    ) -> tuple[list[_Leaf], int]:
        """The children of a node, in order, as leaves, and how many options were dropped for them, counted as kernels
        on bit sets count updates (see _bits.py).

        row: the result of `_row`. If it is None, no item is unmet: the live options are taken in order, and the last
        child takes none of them.
        """
        live, taken = node.live, node.prefix.taken
        ways = members_of(live) if row is None else row
        weight /= max(len(ways) + (row is None), 1)
        unmet = [i for i, need in enumerate(node.need) if need > 0]
        counted = len(unmet) > self._smallest
        hidden = bit_set(ways) if len(ways) > 1 else 0
        dropped = hidden.bit_count() if counted else 0
        excluded = bit_set(node.prefix.excluded)
        children = []
        for k, o in enumerate(ways):
            live &= ~(1 << o)
            left = self._left(node, live, o)
            kept = excluded & ~self._rivals(o) if excluded else 0
            prefix = Prefix((*taken, o), tuple(members(kept)))
            children.append(_Leaf(prefix, left.bit_count(), weight, node, o, Barred(ways, k + 1)))
            if counted and self._lives(node, o, left, unmet, work):
                dropped += (node.live & ~hidden & ~left).bit_count()
            excluded |= 1 << o
            work.spend(2 * len(self.options[o]) + 4)
        if row is None:
            none = Prefix(taken, tuple(members(excluded)))
            children.append(_Leaf(none, 0, weight, node, None, Barred(ways, len(ways))))
        return children, dropped

    def _lives(self, node: _Node, o: int, left: int, unmet: Sequence[int], work: _SplitWork) -> bool:
        """Whether the node below a way has unmet items, as many as its updates need to be counted, with ways for
        each."""
        met = {i for i in self.options[o] if i < len(node.need) and node.need[i] == 1}
        if len(unmet) - len(met) <= self._smallest and self._smallest:
            return False
        if self._sets is None:
            gone = members_of(node.live & ~left)
            lost = {i for x in with_limit_checks(gone) for i in self.options[x]}
            unmet = [i for i in unmet if i in lost]
        work.spend(len(unmet))
        return all(left & self.holders(i) for i in unmet if i not in met)

    def _row(self, node: _Node, work: _SplitWork) -> list[int] | None:
        """The options that are tried at a node, in order; None if no item is unmet."""
        best, item = -1, -1
        for i, held in self._counts(node, work):
            ways = held - node.need[i] + 1
            if item < 0 or ways < best:
                best, item = ways, i
        if item < 0:
            return None
        return members(node.live & self.holders(item), max(best, 0))

    def _counts(self, node: _Node, work: _SplitWork) -> Iterator[tuple[int, int]]:
        """The unmet items in order, each with the number of live options that hold it."""
        unmet = [i for i, need in enumerate(node.need) if need > 0]
        work.spend(len(unmet))
        if self._sets is not None:
            for i in with_limit_checks(unmet, 256):
                yield i, (node.live & self._sets[i]).bit_count()
            return
        held = [0] * self.problem.items
        for o in with_limit_checks(members_of(node.live)):
            for i in self.options[o]:
                held[i] += 1
        for i in unmet:
            yield i, held[i]

    def _take(self, live: int, need: list[int], room: list[int], o: int) -> int:
        """The live options once option o is taken; updates `need` and `room`."""
        for i, c in zip(self.options[o], self.colours[o], strict=True):
            if i < len(need) and need[i] > 0:
                need[i] -= 1
            if c:
                live &= ~self.holders(i) | self.shade(i, c)
            else:
                room[i] -= 1
                if room[i] <= 0:
                    live &= ~self.holders(i)
        return live

    def _left(self, node: _Node, live: int, o: int) -> int:
        """The live options below a node once option o is taken there."""
        for i, c in zip(self.options[o], self.colours[o], strict=True):
            if c:
                live &= ~self.holders(i) | self.shade(i, c)
            elif node.room[i] <= 1:
                live &= ~self.holders(i)
        return live

    def _rivals(self, o: int) -> int:
        """The options that option o excludes for good, in items that have room for only one option."""
        rivals = 0
        for i, c in zip(self.options[o], self.colours[o], strict=True):
            if self.problem.high[i] == 1:
                rivals |= self.holders(i) & ~self.shade(i, c) if c else self.holders(i)
        return rivals


def members(numbers: int, most: int | None = None) -> list[int]:
    """The first `most` members of a set, increasing; None for all of them. Takes time linear in the size of the set for
    each member, or one step for every number that the set could have, whichever suits."""
    if most is None:
        most = numbers.bit_count()
    if most > FEW:
        return members_of(numbers)[:most]
    row: list[int] = []
    while numbers and len(row) < most:
        low = numbers & -numbers
        row.append(low.bit_length() - 1)
        numbers ^= low
    return row
