"""Sets of options as bits, and the options that no answer takes."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property

from covr.engine.base.limits import check_limits, with_limit_checks
from covr.engine.prepare.masks import WORD, Masks, take_given
from covr.engine.problem import Problem
from covr.frozen import frozen

# --- bitsets ---------------------------------------------------------------------------------------------------------
# Sets of numbers, as the bits of a whole number and as the 64-bit words that kernels use.


LITTLE = sys.byteorder == "little"
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


# --- excluded --------------------------------------------------------------------------------------------------------
# Options that no answer takes, because they conflict with every way of meeting some item.
#
# If every option that could meet an item conflicts with an option o, then no answer takes o. What is dropped leaves
# other items with fewer options, so this is repeated until nothing changes. In a nonogram, a block that covers a square
# wherever it begins excludes white there, and that leaves fewer places for the blocks of the column: most nonograms are
# decided without a search.
#
# Sets of options are whole numbers, one bit for each option. Source: Knuth, TAOCP 7.2.2.1, drops options that would
# leave an item without any before a search begins; sets of conflicts instead of his lists are ours.


MOST_WORK = 4_000_000  # words of 64 options that are intersected, which takes some hundredths of a second
MOST_OPTIONS = 8_000  # of a problem for which this is tried: the sets of conflicts then take up to 8 MB


def excluded(problem: Problem) -> tuple[int, ...] | None:
    """The options, increasing, that no answer takes because of what the given options and the items leave; those that
    conflict with given options are left out. None if an item can't be met, so that there is no answer.

    problem: without sides. What takes too long is left undone, and the same problem always gives the same result.
    """
    n = problem.options
    if n > MOST_OPTIONS:
        return ()
    left = take_given(problem)
    if not left.feasible:
        return None
    begun = alive = bit_set([o for o in range(n) if left.live[o]])
    holders = holder_sets(problem)
    conflicts = _conflicts(problem, holders)
    words = n // WORD + 1
    work = 0
    todo = [i for i in range(problem.primary) if left.need[i] > 0]
    while todo:
        dead = 0
        for i in todo:
            check_limits()
            ways = some_members_of(holders[i] & alive)
            if not ways:
                return None
            every = alive
            for o in ways:
                every &= conflicts[o]
                work += words
                if not every:
                    break
            dead |= every
        if not dead or work > MOST_WORK:
            alive &= ~dead
            break
        alive &= ~dead
        touched = {i for o in some_members_of(dead) for i in problem.option(o)}
        todo = [i for i in sorted(touched) if i < problem.primary and left.need[i] > 0]
    return tuple(some_members_of(begun & ~alive))


def decides(problem: Problem, dead: tuple[int, ...]) -> bool:
    """Whether at most one answer is left without these options: every option that is left is the only one of some item.

    problem: without sides. Linear time.
    """
    left = take_given(problem)
    gone = set(dead)
    ways = [0] * problem.items
    kept = [o for o in with_limit_checks(range(problem.options)) if left.live[o] and o not in gone]
    for o in kept:
        for i in problem.option(o):
            ways[i] += 1
    return all(any(left.need[i] > 0 and ways[i] == 1 for i in problem.option(o)) for o in kept)


def _conflicts(problem: Problem, holders: list[int]) -> list[int]:
    """Per option, the set of the others that no answer takes together with it: they share an item that may have one
    option only. Options that show the same colour at an item share it."""
    shades = shade_sets(problem)
    found = []
    for o in with_limit_checks(range(problem.options), 64):
        both = 0
        for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True):
            if colour:
                both |= holders[i] & ~shades[i][colour]
            elif problem.high[i] == 1:
                both |= holders[i]
        found.append(both & ~(1 << o))
    return found
