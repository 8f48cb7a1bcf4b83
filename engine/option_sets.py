"""Sets of options as whole numbers, for code that walks a search tree in Python.

`holder_sets` and `shade_sets` are for any problem, in its own numbers. `OptionSets` is for an exact cover problem, in
the numbers of its masks (prepare/masks.py), to be used beside a kernel. There a node is the set of the options that may
still be taken and the set of the items still to be covered. Taking an option takes two intersections. The item with
the fewest options comes next, the lowest on ties, as in _bits.py.
"""

from __future__ import annotations

from functools import cached_property

from attrs import frozen

from covr.engine.bitsets import bit_set, few_members_of, from_words, to_words
from covr.engine.heed import heeded
from covr.engine.prepare.masks import WORD, Masks
from covr.engine.problem import Problem


def holder_sets(problem: Problem) -> list[int]:
    """Per item the set of the options that hold it."""
    return [bit_set(row) for row in heeded(problem.holders, 64)]


def shade_sets(problem: Problem) -> list[dict[int, int]]:
    """Per item the sets of the options that show each of its colours there."""
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
