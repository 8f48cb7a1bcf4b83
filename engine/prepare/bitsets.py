"""Sets of options as bits."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property

from covr.engine.base.limits import with_limit_checks
from covr.engine.kernels.shared.words import WORD
from covr.engine.prepare.masks import Masks
from covr.engine.problem import Problem
from covr.frozen import frozen

# --- bitsets ---------------------------------------------------------------------------------------------------------
# Sets of numbers, as the bits of a whole number and as the 64-bit words that kernels use.


LITTLE = sys.byteorder == "little"
DENSE = 400_000_000  # bits: the sets of options of all items are kept if they take no more than this (50 MB)
MANY = 8  # a set has many members if it holds more than one in so many numbers


def bit_set(members: Sequence[int]) -> int:
    """The set of these increasing numbers, from 0, as bits. Time linear in the largest."""
    bits = bytearray((members[-1] >> 3) + 1 if members else 0)
    for o in members:
        bits[o >> 3] |= 1 << (o & 7)
    return int.from_bytes(bits, "little")


def bits_of(members: Iterable[int]) -> int:
    """The set of these numbers, in any order, as bits; fast for few numbers that are not large."""
    found = 0
    for k in members:
        found |= 1 << k
    return found


def few_members_of(numbers: int) -> list[int]:
    """The members of a set, increasing; fast for sets with few members compared to the largest."""
    found = []
    while numbers:
        low = numbers & -numbers
        found.append(low.bit_length() - 1)
        numbers ^= low
    return found


def members_of(numbers: int) -> list[int]:
    """The members of a set, increasing; fast for sets with many members. Time linear in the largest."""
    return [at for at, bit in enumerate(with_limit_checks(reversed(f"{numbers:b}"))) if bit == "1"]


def some_members_of(numbers: int) -> list[int]:
    """The members of a set, increasing, in the way that is faster for so many."""
    return members_of(numbers) if MANY * numbers.bit_count() > numbers.bit_length() else few_members_of(numbers)


def from_words(words: Sequence[int]) -> int:
    """The set that these 64-bit words stand for; the first word holds the lowest numbers. Linear time."""
    return int.from_bytes(array("Q", words).tobytes() if LITTLE else b"".join(_bytes(w) for w in words), "little")


def _bytes(word: int) -> bytes:
    return int(word).to_bytes(WORD // 8, "little")


def to_words(numbers: int, size: int) -> list[int]:
    """The set as `size` 64-bit words, of which the first holds the lowest numbers. Linear time."""
    data = (numbers & (1 << WORD * size) - 1).to_bytes(WORD // 8 * size, "little")
    if LITTLE:
        return list(array("Q", data))
    return [int.from_bytes(data[k : k + WORD // 8], "little") for k in range(0, len(data), WORD // 8)]


# --- option sets -----------------------------------------------------------------------------------------------------
# Sets of options as whole numbers, for code that visits a search tree in Python.
#
# `holder_sets` and `shade_sets` serve any problem and use its own numbers. `OptionSets` works beside a kernel for exact
# cover and uses the numbers of the masks (prepare/masks.py). There a node consists of the set of the options that may
# still be taken and the set of the items still to be covered. To take an option costs two intersections. The search
# branches on the item with the fewest options, the lowest number on ties, as _bits.py does.


def holder_sets(problem: Problem) -> list[int]:
    """Per item, the set of the options that hold it. Time and space: a bit for every item and option."""
    return [bit_set(row) for row in with_limit_checks(problem.holders, 64)]


def shade_sets(problem: Problem) -> list[dict[int, int]]:
    """Per item, for each colour, the set of the options that show that colour there."""
    if not problem.colours:
        return [{} for _ in range(problem.items)]
    found = []
    for i in with_limit_checks(range(problem.items), 64):
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
        return [
            from_words(sets[k : k + words]) for k in with_limit_checks(range(0, self._masks.items * words, words), 16)
        ]

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
