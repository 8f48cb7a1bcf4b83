"""Counts the answers of a problem of which only some options tell answers apart, with a memo.

Only for bounds 1, 1 and 0, 1, on the masks of prepare/masks.py. A node is what is left to decide: the options that may
still be taken and the items still to be covered. Its value is how many different sets of telling options can be taken
in it. Options of which an item leaves no choice are taken at once. If the rest falls apart into components that share
no conflict, the values of the components are multiplied; where no telling option is left, the value is 1 or 0, and the
first answer settles it. Otherwise the node branches on a telling option or on the telling options of an item, never on
others. Values are kept in a memo, so that equal nodes are visited only once.

A node takes some ten times as long as one of the engine `sides`, which counts without a memo, and either may need far
fewer. So they take turns (`CountInTurns`), and the first to finish gives the count.

Source: counting by components with a cache is Bayardo and Pehoushek, "Counting models using connected components", AAAI
2000; for projected counting, Aziz, Chu, Muise and Stuckey, "#∃SAT: projected model counting", SAT 2015.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from covr.engine.bitsets import few_members_of
from covr.engine.kernels.codes import DONE, FOUND, SLICE
from covr.engine.option_sets import Node, OptionSets
from covr.engine.prepare.masks import Masks

ENTRY = 400  # bytes that an entry of the memo takes, besides the bits of its sets
PATIENCE = 10_000  # nodes that the kernel without a memo searches first
TURN = 10_000  # nodes of its further turns
MEMO_TURN = 200  # nodes of the turns with the memo, which take about as long

Counting = Generator[Node, int, int]


class PartCount:
    """A count that can be interrupted. value: the result, once `run` has returned True.  nodes: how many were visited;
    a node that the memo knows does not count."""

    def __init__(self, masks: Masks, told: Sequence[int], memory: int) -> None:
        """told: the telling options, in the problem's numbers; they need not all be live.  memory: bytes for the memo.
        Takes time linear in the number of options; each set is built when it is first used."""
        self._sets = OptionSets(masks)
        telling = set(told)
        self._told = sum([1 << b for b, o in enumerate(masks.numbers) if o in telling])
        self._memo: dict[Node, int] = {}
        self._most = memory // (ENTRY + (masks.options + masks.items) // 4)
        self._stack: list[Counting] = [self._count(self._sets.root)]
        self._said: int | None = None  # what the node at the top of the stack is told next
        self.nodes = self.updates = 0
        self.value: int | None = None

    def run(self, nodes: int) -> bool:
        """Visit at most this many nodes. Returns whether the count is finished."""
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
        return self.value is not None

    def _count(self, node: Node) -> Counting:
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

    def _keep(self, node: Node, value: int) -> None:
        if len(self._memo) < self._most:
            self._memo[node] = value

    def _reduced(self, node: Node) -> Node | None:
        """What is left after all options that an item leaves no choice of are taken, without the options that neither
        tell answers apart nor cover anything: to leave these out costs nothing. None if an item can't be covered."""
        holders = self._sets.holders
        while True:
            useful = self._told
            forced = 0
            for i in few_members_of(node.active):
                held = node.alive & holders[i]
                if not held:
                    return None
                if not held & (held - 1):
                    forced = held
                    break
                useful |= held
            if not forced:
                return Node(node.alive & useful, node.active)
            node = self._sets.take(node, forced.bit_length() - 1)

    def _branches(self, node: Node) -> Counting:
        """The value of a node that is reduced."""
        if not node.alive:
            return 1  # nothing is left to cover: otherwise an item would have an option
        parts = self._components(node)
        if len(parts) > 1:
            product = 1
            for part in sorted(parts, key=lambda part: (part.alive & self._told != 0, part.alive.bit_count())):
                product *= yield part
                if not product:
                    break
            return product
        told = node.alive & self._told
        if not told:
            return (yield from self._first(node))
        rows = [node.alive & self._sets.holders[i] for i in few_members_of(node.active)]
        rows = [row for row in rows if row & told]
        row = min(rows, key=int.bit_count) & told if rows else told & -told
        total = 0
        for b in few_members_of(row):
            total += yield self._sets.take(node, b)
            node = self._sets.leave(node, b)
        total += yield node
        return total

    def _first(self, node: Node) -> Counting:
        """Whether a node without telling options has an answer: 1 or 0."""
        row = min([node.alive & self._sets.holders[i] for i in few_members_of(node.active)], key=int.bit_count)
        for b in few_members_of(row):
            if (yield self._sets.take(node, b)):
                return 1
            node = self._sets.leave(node, b)
        return 0

    def _components(self, node: Node) -> list[Node]:
        """The parts of a node between which no two options exclude each other; an item's options are in one part."""
        parts: list[Node] = []
        left = node.alive
        while left:
            part = edge = left & -left
            items = 0
            while edge:
                b = edge.bit_length() - 1
                edge ^= 1 << b
                items |= self._sets.covers(b)
                fresh = left & ~part & ~self._sets.compatible(b)
                part |= fresh
                edge |= fresh
            left &= ~part
            parts.append(Node(part, items & node.active))
        return parts


class CountInTurns:
    """A kernel that only counts: one that counts without a memo, and a `PartCount`, by turns."""

    def __init__(self, kernel: Any, memo: PartCount) -> None:
        """kernel: finds every answer; it must not have begun."""
        self._kernel, self._memo = kernel, memo
        self._left = PATIENCE  # nodes that are left of the turn
        self._with_memo = False  # whose turn it is
        self.code = -1

    @property
    def nodes(self) -> int:
        """The nodes of both."""
        return int(self._kernel.nodes) + self._memo.nodes

    @property
    def updates(self) -> int:
        """The changes that both made."""
        return int(self._kernel.updates) + self._memo.updates

    @property
    def answers(self) -> int:
        """How many answers there are, or how many are known so far."""
        return int(self._kernel.answers) if self._memo.value is None else self._memo.value

    def fraction(self) -> float | None:
        """How much of the tree is done without the memo."""
        return 1.0 if self._memo.value is not None else float(self._kernel.fraction())

    def answer(self) -> list[int]:
        """No answer is kept, as by all kernels that only count."""
        return []

    def run(self, nodes: int, answers: int) -> int:
        """Search for at most `nodes` more nodes and `answers` more answers; returns a code of codes.py."""
        end, until = self.nodes + nodes, self.answers + answers
        self.code = -1
        code = SLICE
        while code == SLICE and self.nodes < end:
            before = self.nodes
            some = min(self._left, end - before)
            if self._with_memo:
                code = DONE if self._memo.run(some) else SLICE
            else:
                code = self._kernel.run(some, until - self._kernel.answers)
            self._left -= self.nodes - before
            if self._left <= 0:
                self._with_memo = not self._with_memo
                self._left = MEMO_TURN if self._with_memo else TURN
        if code == DONE and self.answers >= until:
            code = FOUND
        self.code = code
        return code
