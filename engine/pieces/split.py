"""A search cut into subproblems: prefixes of decisions, in documented order.

A `Prefix` is a small value that can be pickled, logged and run again: with the problem alone it becomes a problem of
its own (`subproblem`), whose answers are the answers of the whole below that node. The prefixes of a split, one after
another, give every answer once, in the documented order of the whole. Nodes add up as well: `Split.nodes` were seen
while splitting, and the first node of each subproblem is its root.

The heaviest prefix, the one with the most live options, is split first: sizes of subtrees vary by orders of magnitude
between branches of one depth, and live options tell more of them than depth does.

A `Splitter` keeps what it knows of the problem, so that prefix after prefix can be cut further (`cut`) and made a
problem of its own that is no larger than what is left there (`rest`): deep down, a search has short sets of options.

To split is to save time, so it takes little: a node with very many ways stays whole (`WIDEST`), since to begin each of
them would cost more than most searches take; and splitting ends after so much work (`MOST_WORK`), with the prefixes it
has by then. Both are counted, not timed, so that a split depends on the problem alone.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import define, evolve, field, frozen

from covr.engine.bitsets import bit_set, members_of
from covr.engine.heed import heeded, look
from covr.engine.prepare.residual import take_given
from covr.engine.problem import Problem

Path = tuple[int, ...]

WIDEST = 10_000_000  # ways of a node times options: wider nodes stay whole, as each way costs a step for every option
MOST_WORK = 2_000_000_000  # operations on words of 64 bits in one cut: a second or two
STEP = 100  # words: an operation on a set takes as long as so many words, in addition to its own
FEW = 64  # members of a set, up to which they are read one by one
DENSE = 400_000_000  # bits that the sets of options for all items may take if they are to be kept: 50 MB
DIGITS = bytes(48 + (value & 1) for value in range(256))  # per byte, "0" or "1" for its last bit
UNHEARD = 5_000_000  # words of work between two checks of the limits: some milliseconds


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
    """A search cut into prefixes.

    prefixes: in documented order.  nodes: how many nodes of the whole search are above them.
    updates: options dropped while splitting, a measure of its work.
    weights: per prefix its share of the tree, if the ways of every node share equally; the rest of 1 is the share of
    branches that need no search.
    """

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
    for o in heeded(range(problem.options)):
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


@frozen
class Barred:
    """The first so many ways of a node, which has them in common with its other leaves."""

    ways: Sequence[int]
    count: int

    def bits(self) -> int:
        """The ways as a set: one bit each."""
        return bit_set(self.ways[: self.count])


@frozen
class _Leaf:
    """A node that is made when it is split, which most are not.

    size: how many options are live.  parent, way: the node above it, and what is taken there, None for nothing more.
    barred: the options that were tried at the parent before it, this one among them.
    """

    prefix: Prefix
    size: int
    weight: float
    parent: _Node = field(repr=False)
    way: int | None
    barred: Barred = field(repr=False)


@define
class _SplitWork:
    """What a cut has taken so far. price: words of an operation on a set of options.  done: words.
    heard: how many there were at the last look at the limits."""

    price: int
    done: int = 0
    heard: int = 0

    def spend(self, operations: int) -> None:
        self.done += operations * self.price
        if self.done - self.heard >= UNHEARD:
            self.heard = self.done
            look()


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
        """Time and space linear in the length of the options, but for sets that are `DENSE`."""
        self.problem = problem
        starts, members, shown = problem.starts, problem.members, problem.colours
        self.options = [tuple(members[a:b]) for a, b in heeded(pairwise(starts))]
        self.colours = [tuple(shown[a:b]) if shown else (0,) * (b - a) for a, b in heeded(pairwise(starts))]
        self._rows = problem.holders
        shades: list[dict[int, list[int]]] = [{} for _ in range(problem.items)]
        if shown:
            for i in heeded(range(problem.items), 64):
                for o, c in problem.column(i):
                    if c:
                        shades[i].setdefault(c, []).append(o)
        dense = problem.items * problem.options <= DENSE
        self._sets: list[int] | None = [bit_set(row) for row in heeded(self._rows, 64)] if dense else None
        self._rows_of_shades = shades
        self._shades: dict[tuple[int, int], int] = {}
        residual = take_given(problem)
        self.feasible = residual.feasible
        live = int(residual.live.translate(DIGITS)[::-1] or b"0", 2)
        self._shown = {i for i in range(problem.items) if residual.fixed[i]}
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
        """How many unmet items a live option holds at least."""
        unmet = [n > 0 for n in need]
        return min((sum(map(unmet.__getitem__, self.options[o])) for o in heeded(members_of(live))), default=0)

    def cut(self, prefix: Prefix, parts: int) -> Split:
        """Cut what is below a prefix into about so many, fewer if there are no more: the prefix itself if it is a leaf.

        Weights are shares of the prefix, `nodes` those from it on that are above the new ones.
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
            nodes += row is not None  # without an unmet item, a node is the root of its last child
            children, dropped = self._children(node, row, leaf.weight, work)
            updates += dropped
            for k, child in enumerate(children):
                heapq.heappush(heap, (-child.size, (*name, k), child))
        final += [(name, leaf) for _, name, leaf in heap]
        ordered = [leaf for _, leaf in sorted(final, key=lambda f: f[0])]
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
        loose = sorted({i for o in heeded(numbers) for i in self.options[o]}.difference(shown, unmet))
        number = {i: k for k, i in enumerate((*unmet, *loose))}
        lows = (*(node.need[i] for i in unmet), *(0 for _ in loose))
        # A covering problem remains one; room that is less than the need is so because options are few.
        wide = len(numbers) if problem.is_cover else 0
        starts: list[int] = [0]
        members: list[int] = []
        colours: list[int] = []
        for o in heeded(numbers):
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
        """The node of a prefix."""
        node = self._root
        live, need, room = node.live, list(node.need), list(node.room)
        for o in heeded(prefix.taken, 16):
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
        """The leaves right below a node, in order, and how many options were dropped for them, which kernels on bits
        count as updates: see _bits.py.

        row: as `_row` says; where no item is unmet, live options are taken in order, and in the end none of them.
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
        """Whether the node below a way has enough unmet items for its updates to be counted, and ways for each."""
        met = {i for i in self.options[o] if i < len(node.need) and node.need[i] == 1}
        if len(unmet) - len(met) <= self._smallest and self._smallest:
            return False
        if self._sets is None:
            gone = members_of(node.live & ~left)
            lost = {i for x in heeded(gone) for i in self.options[x]}
            unmet = [i for i in unmet if i in lost]
        work.spend(len(unmet))
        return all(left & self.holders(i) for i in unmet if i not in met)

    def _row(self, node: _Node, work: _SplitWork) -> list[int] | None:
        """The options that are tried at a node, in order; None where no item is unmet."""
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
            for i in heeded(unmet, 256):
                yield i, (node.live & self._sets[i]).bit_count()
            return
        held = [0] * self.problem.items
        for o in heeded(members_of(node.live)):
            for i in self.options[o]:
                held[i] += 1
        for i in unmet:
            yield i, held[i]

    def _take(self, live: int, need: list[int], room: list[int], o: int) -> int:
        """The live options once one is taken; `need` and `room` become those that are left."""
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
        """The live options below a node once one is taken there."""
        for i, c in zip(self.options[o], self.colours[o], strict=True):
            if c:
                live &= ~self.holders(i) | self.shade(i, c)
            elif node.room[i] <= 1:
                live &= ~self.holders(i)
        return live

    def _rivals(self, o: int) -> int:
        """The options that taking option o rules out for good, in items that have room for one."""
        rivals = 0
        for i, c in zip(self.options[o], self.colours[o], strict=True):
            if self.problem.high[i] == 1:
                rivals |= self.holders(i) & ~self.shade(i, c) if c else self.holders(i)
        return rivals


def members(numbers: int, most: int | None = None) -> list[int]:
    """The first so many members of a set, increasing; None for all. Each takes as long as the set is, or all together
    a step for every number there may be."""
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
