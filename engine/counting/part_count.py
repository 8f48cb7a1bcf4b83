"""Counts the answers of a problem of which only some options tell answers apart, with a memo.

For problems without sides. A node (part_nodes.py) is what is left to decide: the options that may still be taken, and
what the items still ask for. Its value is how many different sets of telling options can be taken in it. Options of
which an item leaves no choice are taken at once. If the rest falls apart into components that have nothing to do with
each other, the values of the components are multiplied; where no telling option is left, the value is 1 or 0, and the
first answer settles it. Otherwise the node branches on a telling option or on the telling options of an item, never on
others. Values are kept in a memo, so that equal nodes are visited only once. All of this holds for any bounds: the sets
of telling options are divided by the first one of an item that they take, whatever else the item may have.

A node takes some ten times as long as one of the engine `sides`, which counts without a memo, and either may need far
fewer. So they take turns (`count_by_parts`), and the first to finish gives the count.

Source: counting by components with a cache is Bayardo and Pehoushek, "Counting models using connected components", AAAI
2000; for projected counting, Aziz, Chu, Muise and Stuckey, "#∃SAT: projected model counting", SAT 2015.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Generic

from covr.engine.base.pace import Pace
from covr.engine.counting.part_nodes import N, Parts
from covr.engine.kernels.header import DONE, SLICE
from covr.engine.method import Method
from covr.engine.prepare.bitsets import few_members_of
from covr.engine.turns import Contestant, CountTurns, Timetable

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
    search = Contestant("search without a memo", lambda: alone, turn, "has nodes that take a fiftieth of the time")
    count = Contestant("count with a memo", lambda: with_memo, turn, "visits equal nodes only once")
    turns = CountTurns(Timetable((search,), (count, search), 1), pace)
    return Method(name, turns, turns.run, tuple, fraction=turns.fraction)
