"""Counts of problems of which only some options tell answers apart."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

from attrs import evolve

from covr.engine.base.limits import with_limit_checks
from covr.engine.kernels.header import DONE, SLICE
from covr.engine.prepare.bitsets import Node, OptionSets, few_members_of, from_words
from covr.engine.prepare.masks import BoundedSets, Masks
from covr.engine.settings import Pace
from covr.engine.turns import CountTurns, Entrant, Method
from covr.frozen import frozen

# --- part nodes ------------------------------------------------------------------------------------------------------
# The nodes of a count by some options (part_count.py): what may still be taken, and what the items still ask for.
#
# `ExactParts` is for bounds 1, 1 and 0, 1, on the masks of prepare/masks.py; `BoundedParts` for any bounds, on the sets
# of prepare/masks.py, for as long as no item has more than `MOST` options. Both use the numbers of their sets,
# from 0. A node is a value that can be compared and kept in a memo. What a node says of items that ask for nothing more
# is the same in all nodes, so that equal rests are equal nodes.


ANY = 255  # room for every option that holds the item; no item has as many options


class Alive(Protocol):
    """Any node: at least it says which options may still be taken."""

    @property
    def alive(self) -> int:
        """The set of the options that may still be taken."""


N = TypeVar("N", bound=Alive)


class Parts(Protocol[N]):
    """What a count asks of the nodes of a problem. root: where it begins.  size: bytes that a node takes, roughly."""

    root: N
    size: int

    def take(self, node: N, b: int) -> N:
        """The node below, once option b is taken."""

    def limited(self, node: N, alive: int) -> N:
        """The node in which only these of its options may be taken."""

    def wanted(self, node: N) -> Iterator[tuple[int, int]]:
        """For each item that asks for options: the options that it may have, and how many of them it needs."""

    def near(self, node: N, b: int) -> int:
        """A set that holds every option that b excludes or shares an item with that asks for options or is short of
        room."""

    def part(self, node: N, alive: int) -> N:
        """The part of a node with these options, with which no other option of the node has to do."""


class ExactParts(OptionSets):
    """Nodes of a problem with bounds 1, 1 and 0, 1."""

    def __init__(self, masks: Masks) -> None:
        super().__init__(masks)
        self.size = (masks.options + masks.items) // 4

    def limited(self, node: Node, alive: int) -> Node:
        """The node in which only these of its options may be taken."""
        return Node(alive, node.active)

    def wanted(self, node: Node) -> Iterator[tuple[int, int]]:
        """For each item that is still to be covered: its options, and 1."""
        for i in few_members_of(node.active):
            yield node.alive & self.holders[i], 1

    def near(self, node: Node, b: int) -> int:
        """The options that b excludes: these are all with which it shares an item."""
        return ~self.compatible(b)

    def part(self, node: Node, alive: int) -> Node:
        """The part of a node with these options."""
        items = 0
        for b in few_members_of(alive):
            items |= self.covers(b)
        return Node(alive, items & node.active)


@frozen
class BoundedNode:
    """alive: the options that may still be taken.  needs: per item, how many more it needs, as bytes.  rooms: per item,
    how many more it may have, as bytes; ANY where nothing is asked of it any more, or nothing can be too much."""

    alive: int
    needs: bytes
    rooms: bytes


class BoundedParts:
    """Nodes of a problem with any bounds. To take an option costs two intersections, and one more for each item whose
    room is used up. A room that no set of living options can exceed becomes ANY."""

    def __init__(self, sets: BoundedSets) -> None:
        """sets: of a problem without sides. Takes time linear in their size."""
        words, n = sets.words, len(sets.numbers)
        starts = range(0, len(sets.needs) * words, words)
        self._holders = [from_words(sets.holders[k : k + words]) for k in with_limit_checks(starts, 16)]
        self._compatible = [
            from_words(sets.compatible[k : k + words]) for k in with_limit_checks(range(0, n * words, words), 16)
        ]
        self._items = [sets.members[sets.begin[b] : sets.begin[b + 1]] for b in with_limit_checks(range(n))]
        self.size = n // 4 + 2 * len(sets.needs)
        rooms = bytes(room or ANY for room in sets.rooms)
        self.root = BoundedNode((1 << n) - 1, bytes(sets.needs), rooms)

    def take(self, node: BoundedNode, b: int) -> BoundedNode:
        """The node below, once option b is taken."""
        alive = node.alive & self._compatible[b]
        needs, rooms = bytearray(node.needs), bytearray(node.rooms)
        for i in self._items[b]:
            if needs[i]:
                needs[i] -= 1
            if rooms[i] != ANY:
                rooms[i] -= 1
                if not rooms[i]:
                    alive &= ~self._holders[i]
                    rooms[i] = ANY
        return BoundedNode(alive, bytes(needs), bytes(rooms))

    def limited(self, node: BoundedNode, alive: int) -> BoundedNode:
        """The node in which only these of its options may be taken."""
        rooms = bytearray(node.rooms)
        for i, room in enumerate(rooms):
            if room != ANY and (alive & self._holders[i]).bit_count() <= room:
                rooms[i] = ANY
        return BoundedNode(alive, node.needs, bytes(rooms))

    def wanted(self, node: BoundedNode) -> Iterator[tuple[int, int]]:
        """For each item that needs options: those that it may have, and how many of them it needs."""
        for i, need in enumerate(node.needs):
            if need:
                yield node.alive & self._holders[i], need

    def near(self, node: BoundedNode, b: int) -> int:
        """The options that b excludes, and those of its items that need options or are short of room."""
        found = ~self._compatible[b]
        for i in self._items[b]:
            if node.needs[i] or node.rooms[i] != ANY:
                found |= self._holders[i]
        return found

    def part(self, node: BoundedNode, alive: int) -> BoundedNode:
        """The part of a node with these options."""
        here = {i for b in few_members_of(alive) for i in self._items[b]}
        needs = bytes(need if i in here else 0 for i, need in enumerate(node.needs))
        rooms = bytes(room if i in here else ANY for i, room in enumerate(node.rooms))
        return evolve(node, alive=alive, needs=needs, rooms=rooms)


# --- part count ------------------------------------------------------------------------------------------------------
# Counts the answers of a problem of which only some options tell answers apart, with a memo.
#
# For problems without sides. A node (part_count.py) is what is left to decide: the options that may still be taken, and
# what the items still ask for. Its value is how many different sets of telling options can be taken in it. Options of
# which an item leaves no choice are taken at once. If the rest falls apart into components that have nothing to do with
# each other, the values of the components are multiplied; where no telling option is left, the value is 1 or 0, and the
# first answer settles it. Otherwise the node branches on a telling option or on the telling options of an item, never
# on others. Values are kept in a memo, so that equal nodes are visited only once. All of this holds for any bounds: the
# sets of telling options are divided by the first one of an item that they take, whatever else the item may have.
#
# A node takes some ten times as long as one of the engine `sides`, which counts without a memo, and either may need far
# fewer. So they take turns (`count_by_parts`), and the first to finish gives the count.
#
# Source: counting by components with a cache is Bayardo and Pehoushek, "Counting models using connected components",
# AAAI 2000; for projected counting, Aziz, Chu, Muise and Stuckey, "#∃SAT: projected model counting", SAT 2015.


ENTRY = 400  # bytes that an entry of the memo takes, besides the bits of its sets
# Work of one of its nodes, and of a node with the memo: measured on 10 to 14 queens of which some tell answers apart.
NODE, MEMO_NODE = 1000, 50_000

Counting = Generator[N, int, int]


class PartCount(Generic[N]):
    """A kernel (see loading.py) that only counts. value: the result, once it is known.  nodes: how many were visited; a
    node that the memo knows does not count."""

    def __init__(self, parts: Parts[N], numbers: Sequence[int], projection: Sequence[int], memory: int) -> None:
        """numbers: per option of the parts, its number in the problem.  projection: the telling options, in the
        problem's numbers; they need not all be live.  memory: bytes for the memo. Takes time linear in the number of
        options."""
        self._parts = parts
        telling = set(projection)
        self._projection = sum([1 << b for b, o in enumerate(numbers) if o in telling])
        self._memo: dict[N, int] = {}
        self._most = memory // (ENTRY + parts.size)
        self._stack: list[Counting[N]] = [self._count(parts.root)]
        self._said: int | None = None  # what the node at the top of the stack is told next
        self.nodes = self.updates = 0
        self.code = -1
        self.value: int | None = None

    @property
    def answers(self) -> int:
        """How many answers there are, once that is known."""
        return self.value or 0

    def answer(self) -> list[int]:
        """No answer is kept, as by all kernels that only count."""
        return []

    def run(self, nodes: int, answers: int) -> int:
        """Visit at most this many nodes; answers do not stop it. Returns a code of header.py."""
        end = self.nodes + nodes
        stack, memo = self._stack, self._memo
        while self.value is None and self.nodes < end:
            try:
                below = next(stack[-1]) if self._said is None else stack[-1].send(self._said)
            except StopIteration as stop:
                self._said = stop.value
                stack.pop()
                if not stack:
                    self.value = self._said
                continue
            self.updates += 1
            self._said = memo.get(below)
            if self._said is None:
                self.nodes += 1
                stack.append(self._count(below))
        self.code = SLICE if self.value is None else DONE
        return self.code

    def _count(self, node: N) -> Counting[N]:
        """The value of a node; yields the nodes below and is sent their values."""
        rest = self._reduced(node)
        if rest is None:
            value = 0
        elif rest != node and rest in self._memo:
            value = self._memo[rest]
        else:
            value = yield from self._branches(rest)
            self._keep(rest, value)
        self._keep(node, value)
        return value

    def _keep(self, node: N, value: int) -> None:
        if len(self._memo) < self._most:
            self._memo[node] = value

    def _reduced(self, node: N) -> N | None:
        """What is left after all options that an item leaves no choice of are taken, without the options that neither
        tell answers apart nor are asked for: to leave these out costs nothing. None if an item can't be satisfied."""
        while True:
            useful = self._projection
            forced = 0
            for held, need in self._parts.wanted(node):
                count = held.bit_count()
                if count < need:
                    return None
                if count == need:
                    forced = held
                    break
                useful |= held
            if not forced:
                return self._parts.limited(node, node.alive & useful)
            node = self._parts.take(node, forced.bit_length() - 1)

    def _branches(self, node: N) -> Counting[N]:
        """The value of a node that is reduced."""
        if not node.alive:
            return 1  # nothing is left to cover: otherwise an item would have an option
        parts = self._components(node)
        if len(parts) > 1:
            product = 1
            for part in sorted(parts, key=lambda part: (part.alive & self._projection != 0, part.alive.bit_count())):
                product *= yield part
                if not product:
                    break
            return product
        told = node.alive & self._projection
        if not told:
            return (yield from self._first(node))
        rows = [held for held, _ in self._parts.wanted(node) if held & told]
        row = min(rows, key=int.bit_count) & told if rows else told & -told
        total = 0
        for b in few_members_of(row):
            total += yield self._parts.take(node, b)
            node = self._parts.limited(node, node.alive & ~(1 << b))
        total += yield node
        return total

    def _first(self, node: N) -> Counting[N]:
        """Whether a node without telling options has an answer: 1 or 0."""
        row = min([held for held, _ in self._parts.wanted(node)], key=int.bit_count)
        for b in few_members_of(row):
            if (yield self._parts.take(node, b)):
                return 1
            node = self._parts.limited(node, node.alive & ~(1 << b))
        return 0

    def _components(self, node: N) -> list[N]:
        """The parts of a node that have nothing to do with each other; an item's options are in one part."""
        parts: list[N] = []
        left = node.alive
        while left:
            part = edge = left & -left
            while edge:
                b = edge.bit_length() - 1
                edge ^= 1 << b
                fresh = left & ~part & self._parts.near(node, b)
                part |= fresh
                edge |= fresh
            left &= ~part
            parts.append(self._parts.part(node, part))
        return parts


def count_by_parts(name: str, kernel: Any, memo: PartCount[Any], pace: Pace) -> Method:
    """A method that only counts: a kernel that counts without a memo, and a `PartCount`, by turns.

    kernel: finds every answer; it must not have begun."""
    alone = Method(name, kernel, kernel.run, tuple, fraction=kernel.fraction, node=NODE)
    with_memo = Method(name, memo, memo.run, tuple, node=MEMO_NODE)
    turn = pace.counts.parts * NODE
    search = Entrant("search without a memo", lambda: alone, turn, "has nodes that take a fiftieth of the time")
    count = Entrant("count with a memo", lambda: with_memo, turn, "visits equal nodes only once")
    turns = CountTurns((search, count), pace)
    return Method(name, turns, turns.run, tuple, fraction=turns.fraction)
