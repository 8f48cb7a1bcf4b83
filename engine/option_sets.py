"""The node of the exact-cover search in Python, for whoever walks the tree beside a kernel: sets as whole numbers.

A node is the set of the options that may still be taken and the set of the items still to be covered, one bit each, by
the numbers of the masks (prepare/masks.py). To take an option is two intersections; the item with the fewest options
comes next, the lowest on ties, as in _bits.py.
"""

from __future__ import annotations

from functools import cached_property

from attrs import frozen

from covr.engine.bitsets import few_members_of, from_words, to_words
from covr.engine.heed import heeded
from covr.engine.prepare.masks import WORD, Masks


@frozen
class Node:
    """A node of the search: the set of the options that may be taken, and that of the items still to be covered."""

    alive: int
    active: int


class OptionSets:
    """The masks of a problem as whole numbers. Each set is made when it is first asked for, in time linear in it."""

    def __init__(self, masks: Masks) -> None:
        self._masks = masks
        self._across = max(1, -(-masks.items // WORD))
        self._compatible: list[int | None] = [None] * masks.options
        self._covers: list[int | None] = [None] * masks.options
        self.root = Node((1 << masks.options) - 1, (1 << masks.items) - 1)

    @cached_property
    def holders(self) -> list[int]:
        """Per item the set of the options that hold it."""
        words, sets = self._masks.words, self._masks.holders
        return [from_words(sets[k : k + words]) for k in heeded(range(0, self._masks.items * words, words), 16)]

    def compatible(self, b: int) -> int:
        """The set of the options that option b does not exclude; itself it does."""
        found = self._compatible[b]
        if found is None:
            words = self._masks.words
            found = self._compatible[b] = from_words(self._masks.compatible[b * words : (b + 1) * words])
        return found

    def covers(self, b: int) -> int:
        """The set of the items that option b holds."""
        found = self._covers[b]
        if found is None:
            begin = self._masks.begin
            found = self._covers[b] = sum(1 << i for i in self._masks.members[begin[b] : begin[b + 1]])
        return found

    def choose(self, node: Node) -> int:
        """The active item with the fewest options alive; there must be an active one."""
        return min([((node.alive & self.holders[i]).bit_count(), i) for i in few_members_of(node.active)])[1]

    def take(self, node: Node, b: int) -> Node:
        """What is left of a node once option b is taken."""
        return Node(node.alive & self.compatible(b), node.active & ~self.covers(b))

    def leave(self, node: Node, b: int) -> Node:
        """What is left of a node once option b is excluded."""
        return Node(node.alive & ~(1 << b), node.active)

    def words(self, node: Node) -> tuple[list[int], list[int], int]:
        """A node as a kernel on bits begins below it: the two sets word by word, and how many items are active."""
        return to_words(node.alive, self._masks.words), to_words(node.active, self._across), node.active.bit_count()
