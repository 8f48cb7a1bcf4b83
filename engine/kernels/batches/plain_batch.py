"""The search of _batch_body.h in Python, for a kernel that runs interpreted: whole numbers as sets.

It visits the same nodes and finds the same answers. What differs is that no counts are kept: the options of each item
are counted anew in each round.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import Any

from covr.engine.kernels.header import BATCH_END as END
from covr.engine.kernels.header import BATCH_FILLED as FILLED
from covr.engine.kernels.header import BATCH_FILLED_BEFORE as FILLED_BEFORE
from covr.engine.kernels.header import BATCH_GIVE_UP as GIVE_UP
from covr.engine.kernels.header import BATCH_INSTANCE as INSTANCE
from covr.engine.kernels.header import BATCH_KEPT as KEPT
from covr.engine.kernels.header import BATCH_KEPT_BEFORE as KEPT_BEFORE
from covr.engine.kernels.header import BATCH_LEVEL as LEVEL
from covr.engine.kernels.header import BATCH_LOAD as LOAD
from covr.engine.kernels.header import BATCH_NEXT as NEXT
from covr.engine.kernels.header import BATCH_NODES as NODES
from covr.engine.kernels.header import BATCH_STATE as STATE
from covr.engine.kernels.shared.words import WORD, lowest, next_random

OUT, OWN = -1, -2  # in `renumber`: no answer takes this option; every one does


class PlainBatch:
    """The search of an interpreted `Batch`. A level is the options alive, the items to be covered, the ways not yet
    tried, the last one first, and the options taken on the way to it."""

    def __init__(self, masks: Any, renumber: Sequence[int]) -> None:
        """masks, renumber: as for `Batch`. Takes time linear in the size of the masks."""
        self.numbers, self.renumber = masks.numbers, renumber
        words = masks.words
        self.holders: list[int] = [_whole(masks.holders, i * words, words) for i in range(masks.items)]
        self.compatible: list[int] = [_whole(masks.compatible, b * words, words) for b in range(masks.options)]
        self.held = [sum(1 << i for i in masks.members[first:past]) for first, past in pairwise(masks.begin)]
        self.all = reduce(or_, (1 << i for i in range(masks.items)), 0)
        self.full: int = (1 << masks.options) - 1
        self.levels: list[tuple[int, int, list[int], list[int]]] = []

    def load(
        self,
        givens: Sequence[int],
        given_from: Sequence[int],
        found: MutableSequence[int],
        answer_end: MutableSequence[int],
        answers: MutableSequence[int],
        limit: int,
        budget: int,
        random: int,
    ) -> None:
        """Set the instances that `run` solves next; _batch.py describes the arrays."""
        self.givens, self.given_from, self.found, self.answer_end, self.answers = (
            givens, given_from, found, answer_end, answers,
        )  # fmt: skip
        self.limit, self.budget, self.random = limit, budget, random

    def run(self, end: int, where: list[int]) -> None:
        """Search until `end` nodes were visited in all, or every instance is finished."""
        while where[STATE] != END:
            if where[STATE] == LOAD:
                if where[INSTANCE] == len(self.given_from) - 1:
                    where[STATE] = END
                    break
                if where[NODES] >= end:
                    break
                where[GIVE_UP] = where[NODES] + self.budget
                where[KEPT_BEFORE], where[FILLED_BEFORE] = where[KEPT], where[FILLED]
                where[NODES] += 1
                where[STATE] = NEXT
                self.levels.clear()
                alive = self._set_up(where[INSTANCE])
                if alive is not None:
                    self._go_on(alive, self.active, [], where)
            else:
                while self.levels and not self.levels[-1][2]:
                    self.levels.pop()
                if not self.levels:
                    where[INSTANCE] += 1
                    where[STATE] = LOAD
                    continue
                if where[NODES] >= end:
                    break
                if where[NODES] >= where[GIVE_UP]:
                    self.found[where[INSTANCE]] = -1
                    where[KEPT], where[FILLED] = where[KEPT_BEFORE], where[FILLED_BEFORE]
                    where[INSTANCE] += 1
                    where[STATE] = LOAD
                    continue
                where[NODES] += 1
                alive, active, ways, path = self.levels[-1]
                b = ways.pop()
                self._go_on(alive & self.compatible[b], active & ~self.held[b], [*path, b], where)
        where[LEVEL] = len(self.levels) - 1

    def _set_up(self, instance: int) -> int | None:
        """The options alive at the root of an instance, None if its given ones exclude each other; sets `taken` and
        `active`."""
        alive, self.active, self.taken = self.full, self.all, 0
        for g in range(self.given_from[instance], self.given_from[instance + 1]):
            if self.givens[g] < 0:
                continue
            b = self.renumber[self.givens[g]]
            if b == OWN or (b >= 0 and self.taken >> b & 1):
                continue
            if b == OUT or not alive >> b & 1:
                return None
            self.taken |= 1 << b
            alive &= self.compatible[b]
            self.active &= ~self.held[b]
        return alive

    def _go_on(self, alive: int, active: int, path: list[int], where: list[int]) -> None:
        """Take what is forced, in rounds; then open a level, or keep an answer, or go back."""
        forced: list[int] = []
        while True:
            counts = {i: (alive & self.holders[i]).bit_count() for i in _bits(active)}
            if 0 in counts.values():
                return
            where[NODES] += max(len(forced) - 1, 0)
            ones = [i for i, count in counts.items() if count == 1]
            if not ones:
                break
            forced = list(dict.fromkeys(lowest(alive & self.holders[i]) for i in ones))
            path += forced
            where[NODES] += 1
            for b in forced:
                if not alive >> b & 1:
                    return
                alive &= self.compatible[b]
                active &= ~self.held[b]
        if active:
            i = min(counts, key=counts.__getitem__)
            ways = list(_bits(alive & self.holders[i]))
            if self.random:
                for k in range(len(ways) - 1, 0, -1):
                    self.random = next_random(self.random)
                    other = self.random % (k + 1)
                    ways[k], ways[other] = ways[other], ways[k]
            self.levels.append((alive, active, ways[::-1], path))
        elif self._keep_answer(path, where):
            where[INSTANCE] += 1
            where[STATE] = LOAD

    def _keep_answer(self, path: list[int], where: list[int]) -> bool:
        """Keep the answer just found. Returns whether the instance has as many as are wanted."""
        for b in _bits(self.taken | sum(1 << b for b in path)):
            self.answers[where[FILLED]] = self.numbers[b]
            where[FILLED] += 1
        self.answer_end[where[KEPT]] = where[FILLED]
        where[KEPT] += 1
        self.found[where[INSTANCE]] += 1
        return self.found[where[INSTANCE]] >= self.limit


def _bits(bits: int) -> Sequence[int]:
    """The numbers in a set, increasing."""
    found = []
    while bits:
        found.append(lowest(bits))
        bits &= bits - 1
    return found


def _whole(words: Sequence[int], first: int, count: int) -> int:
    """A set of `count` words of 64 bits, as a whole number."""
    return sum(words[first + k] << WORD * k for k in range(count))
