"""The nodes of a count by some options (part_count.py): what may still be taken, and what the items still ask for.

`ExactParts` is for bounds 1, 1 and 0, 1, on the masks of prepare/masks.py; `BoundedParts` for any bounds, on the sets
of prepare/multiplicity.py, for as long as no item has more than `MOST` options. Both use the numbers of their sets,
from 0. A node is a value that can be compared and kept in a memo. What a node says of items that ask for nothing more
is the same in all nodes, so that equal rests are equal nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeVar

from attrs import evolve

from covr.engine.base.heed import heeded
from covr.engine.prepare.bitsets import few_members_of, from_words
from covr.engine.prepare.masks import Masks
from covr.engine.prepare.multiplicity import BoundedSets
from covr.engine.prepare.option_sets import Node, OptionSets
from covr.frozen import frozen

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
        self._holders = [from_words(sets.holders[k : k + words]) for k in heeded(starts, 16)]
        self._compatible = [from_words(sets.compatible[k : k + words]) for k in heeded(range(0, n * words, words), 16)]
        self._items = [sets.members[sets.begin[b] : sets.begin[b + 1]] for b in heeded(range(n))]
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
