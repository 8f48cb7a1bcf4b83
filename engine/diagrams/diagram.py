"""All answers of a problem as one zero-suppressed decision diagram.

A node asks about one option: its answers are those of the node `low`, without the option, and those of the node `high`,
each with the option added. Node 0 has no answer, node 1 the one that takes nothing. Options are asked about in the
order of `order`; an option that a path skips is not taken. Whatever can be said of a node from the nodes below it is
said of all answers in time linear in the number of nodes, however many answers there are.

Source: Minato, "Zero-suppressed BDDs for set manipulation in combinatorial problems", DAC 1993; Knuth, TAOCP 7.1.4.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from random import Random

from attrs import field

from covr.engine.base.heed import heeded
from covr.frozen import frozen

Numbers = Sequence[int]


@frozen(eq=False)
class Diagram:
    """A diagram. Nothing in it changes.

    options: how many options the problem has.  order: the options asked about, each once: its place is its *level*.
    level, low, high: per node; nodes 0 and 1 have the level len(order). Every other node has a greater number than the
    nodes below it and a smaller level, and its `high` is not 0.  root: the node of all answers.
    """

    options: int
    order: tuple[int, ...]
    level: Numbers = field(repr=False)
    low: Numbers = field(repr=False)
    high: Numbers = field(repr=False)
    root: int

    def __len__(self) -> int:
        """How many nodes there are, the nodes 0 and 1 not counted."""
        return len(self.level) - 2

    @cached_property
    def counts(self) -> list[int]:
        """Per node, how many answers it has. A number of any size for each node is kept."""
        found = [0, 1]
        low, high = self.low, self.high
        for k in heeded(range(2, len(self.level))):
            found.append(found[low[k]] + found[high[k]])
        return found

    @property
    def count(self) -> int:
        """How many answers there are."""
        return self.counts[self.root]

    def per_option(self) -> list[int]:
        """Per option, how many answers take it."""
        counts, low, high = self.counts, self.low, self.high
        ways = [0] * len(self.level)  # per node, how many paths lead from the root to it
        ways[self.root] = 1
        found = [0] * self.options
        for k in heeded(range(self.root, 1, -1)):
            here = ways[k]
            if here:
                ways[low[k]] += here
                ways[high[k]] += here
                found[self.order[self.level[k]]] += here * counts[high[k]]
        return found

    def __contains__(self, answer: Iterable[int]) -> bool:
        """Whether these options, and no others, are an answer."""
        wanted = set(answer)
        k = self.root
        while k > 1:
            o = self.order[self.level[k]]
            if o in wanted:
                wanted.discard(o)
                k = self.high[k]
            else:
                k = self.low[k]
        return k == 1 and not wanted

    def draw(self, rng: Random) -> tuple[int, ...]:
        """A random answer, as increasing option numbers: each with the chance 1 / count, exactly. Raises ValueError if
        there is none."""
        counts, k = self.counts, self.root
        if not counts[k]:
            raise ValueError("there is no answer to be drawn")
        taken = []
        at = rng.randrange(counts[k])
        while k > 1:
            below = counts[self.low[k]]
            if at < below:
                k = self.low[k]
            else:
                at -= below
                taken.append(self.order[self.level[k]])
                k = self.high[k]
        return tuple(sorted(taken))

    def paths(self) -> Iterator[tuple[int, ...]]:
        """Every answer, as increasing option numbers, in the order of the diagram."""
        waiting: list[tuple[int, tuple[int, ...]]] = [(self.root, ())]
        while waiting:
            k, taken = waiting.pop()
            while k > 1:
                if self.low[k]:
                    waiting.append((self.low[k], taken))
                taken = (*taken, self.order[self.level[k]])
                k = self.high[k]
            if k:
                yield tuple(sorted(taken))

    def fault(self) -> str | None:
        """What is wrong with the diagram; None if it keeps all that this class promises. For diagrams that come from
        outside: linear time."""
        n, bottom = len(self.level), len(self.order)
        if not (n == len(self.low) == len(self.high) >= 2) or not 0 <= self.root < n:
            return "its lists do not fit together"
        if len(set(self.order)) != bottom or any(not 0 <= o < self.options for o in self.order):
            return "its order names an option twice, or one that there is not"
        if self.level[0] != bottom or self.level[1] != bottom:
            return "its ends are not at the bottom"
        for k in heeded(range(2, n)):
            low, high = self.low[k], self.high[k]
            if not (0 <= low < k and 0 < high < k):
                return f"node {k} leads to a node that is not below it"
            if not 0 <= self.level[k] < min(self.level[low], self.level[high]):
                return f"node {k} is not above the nodes that it leads to"
        return None


class Nodes:
    """Nodes that are being made, from the bottom up."""

    def __init__(self, bottom: int) -> None:
        """bottom: the level of the nodes 0 and 1."""
        self.level = array("i", [bottom, bottom])
        self.low = array("i", [0, 0])
        self.high = array("i", [0, 0])
        self._known: dict[tuple[int, int, int], int] = {}

    def make(self, level: int, low: int, high: int) -> int:
        """The node with these three: an old one, if there is one."""
        if not high:
            return low
        key = (level, low, high)
        k = self._known.get(key)
        if k is None:
            k = self._known[key] = len(self.level)
            self.level.append(level)
            self.low.append(low)
            self.high.append(high)
        return k


def reachable(diagram: Diagram) -> bytearray:
    """Per node, 1 if a path leads from the root to it, else 0."""
    found = bytearray(len(diagram.level))
    found[diagram.root] = 1
    low, high = diagram.low, diagram.high
    for k in heeded(range(diagram.root, 1, -1)):
        if found[k]:
            found[low[k]] = found[high[k]] = 1
    return found
