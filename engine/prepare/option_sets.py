"""Sets of options as whole numbers, for code that visits a search tree in Python.

`holder_sets` and `shade_sets` serve any problem and use its own numbers. `OptionSets` works beside a kernel for exact
cover and uses the numbers of the masks (prepare/masks.py). There a node consists of the set of the options that may
still be taken and the set of the items still to be covered. To take an option costs two intersections. The search
branches on the item with the fewest options, the lowest number on ties, as _bits.py does.
"""

from __future__ import annotations

from functools import cached_property

from covr.engine.base.heed import heeded
from covr.engine.prepare.bitsets import bit_set, few_members_of, from_words, to_words
from covr.engine.prepare.masks import WORD, Masks
from covr.engine.problem import Problem
from covr.frozen import frozen


def holder_sets(problem: Problem) -> list[int]:
    """Per item, the set of the options that hold it. Time and space: a bit for every item and option."""
    return [bit_set(row) for row in heeded(problem.holders, 64)]


def shade_sets(problem: Problem) -> list[dict[int, int]]:
    """Per item, for each colour, the set of the options that show that colour there."""
    if not problem.colours:
        return [{} for _ in range(problem.items)]
    found = []
    for i in heeded(range(problem.items), 64):
        shown: dict[int, list[int]] = {}
        for o, colour in problem.column(i):
            if colour:
                shown.setdefault(colour, []).append(o)
        found.append({colour: bit_set(row) for colour, row in shown.items()})
    return found


@frozen
class Node:
    """A node of the search: the set of the options that may be taken, and the set of the items still to be covered."""

    alive: int
    active: int


class OptionSets:
    """The masks of a problem as whole numbers. Each set is built on first use, in time linear in its size."""

    def __init__(self, masks: Masks) -> None:
        self._masks = masks
        self._across = max(1, -(-masks.items // WORD))
        self._compatible: list[int | None] = [None] * masks.options
        self._covers: list[int | None] = [None] * masks.options
        self.root = Node((1 << masks.options) - 1, (1 << masks.items) - 1)

    @cached_property
    def holders(self) -> list[int]:
        """Per item, the set of the options that hold it."""
        words, sets = self._masks.words, self._masks.holders
        return [from_words(sets[k : k + words]) for k in heeded(range(0, self._masks.items * words, words), 16)]

    def compatible(self, b: int) -> int:
        """The set of the options that option b does not exclude. b itself is not among them."""
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
        """The item still to be covered that has the fewest options alive; there must be such an item."""
        return min([((node.alive & self.holders[i]).bit_count(), i) for i in few_members_of(node.active)])[1]

    def take(self, node: Node, b: int) -> Node:
        """The node below, once option b is taken."""
        return Node(node.alive & self.compatible(b), node.active & ~self.covers(b))

    def leave(self, node: Node, *options: int) -> Node:
        """The node as it is once these options are excluded."""
        return Node(node.alive & ~bit_set(sorted(options)), node.active)

    def words(self, node: Node) -> tuple[list[int], list[int], int]:
        """A node in the form from which a kernel on bit sets begins: the options and the items as 64-bit words, and how
        many items are still to be covered."""
        return to_words(node.alive, self._masks.words), to_words(node.active, self._across), node.active.bit_count()
