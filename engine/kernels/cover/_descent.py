"""Finds good covers by local search: remove an option, repair the cover, and learn which items are hard to cover.

An item is *lacking* if fewer options of the cover hold it than it needs, and every item has a weight. The worth of an
option outside the cover is the total weight of the lacking items that it holds; the loss of an option inside is the
total weight of the items that would be lacking without it; both are divided by its cost. Whenever no item is lacking,
the cover is recorded, and the option of least loss is removed, again and again, until an item is lacking. Then each
step removes one more option, except the one added last, picks a random lacking item, and takes the option of greatest
worth that holds it, leaving out options whose neighbours have not changed since they were removed. After that the
weight of each item that is still lacking grows by 1. If costs differ, a step takes up to 50 options in this way, as
long as an item is lacking. The same problem and seed lead to the same steps everywhere: the random numbers are our own,
and work is counted, not timed.

    weight, cover       per item: its weight; how many options inside hold it
    score, inside       per option: its worth (outside) or minus its loss (inside, so <= 0), not divided by its cost;
                        whether it is inside
    changed, stamp      per option: whether an option that shares an item with it was added or removed since it was
                        removed itself; the step at which it was added or removed last (the earliest wins ties)
    lacking, place      the lacking items, in any order, and each item's index in that list (-1: not in it)
    taken, spot         the same for the options inside the cover
    tabu                the option added last, which must not be removed next; -1 for none
    fresh               whether the first cover is being made; every option counts as changed meanwhile
    looks               tells whether to stop; see _looks.py

Source: Gao, Weise and Li (2014/15), "An efficient local search heuristic with row weighting for the unicost set
covering problem". We divide the worth by the costs, and allow needs above 1.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import LISTED
    from cython.cimports.covr.engine.kernels.shared._looks import Looks
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _longs, _zero_ints, _zero_longs
else:
    from covr.engine.kernels.header import LISTED
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _longs, _zero_ints, _zero_longs

    Looks = load("_looks", interpreted=True).Looks

COMPILED = cython.compiled


@cython.final
@cython.cclass
class Descent:
    """A local search that pauses between calls of `run`. The module describes its arrays."""

    m: cython.int
    n: cython.int
    size: cython.int  # how many options are inside the cover
    lacks: cython.int
    bested: cython.int
    tabu: cython.int
    random: cython.longlong
    cost: cython.longlong
    step: cython.longlong
    work: cython.longlong
    best_cost: cython.longlong
    uniform: cython.bint
    need: cython.p_int
    costs: cython.p_int
    start: cython.p_int
    held: cython.p_int
    row: cython.p_int
    by: cython.p_int
    weight: cython.p_longlong
    score: cython.p_longlong
    stamp: cython.p_longlong
    cover: cython.p_int
    inside: cython.p_int
    changed: cython.p_int
    lacking: cython.p_int
    place: cython.p_int
    taken: cython.p_int
    spot: cython.p_int
    best: cython.p_int
    fresh: cython.bint
    looks: Looks
    hold: list

    def __init__(self, needs, options, costs, seed: cython.longlong = 1, looks=None):
        """needs: per item, how many options it needs; at least that many must hold it.  options: per option, its items.
        costs: per option, at least 1.  seed: the seed of the random numbers.  looks: as for `heed`; here they may
        raise the exception that stops."""
        m: cython.int = len(needs)
        n: cython.int = len(options)
        i: cython.int
        o: cython.int
        at: cython.int = 0
        size: cython.int = sum([len(option) for option in options])
        self.hold = []
        self.looks = Looks() if looks is None else looks
        self.start = _zero_ints(n + 1, self.hold)
        self.held = _zero_ints(size + 1, self.hold)
        self.row = _zero_ints(m + 2, self.hold)
        self.by = _zero_ints(size + 1, self.hold)
        for o in range(n):
            if self.looks.tick(LISTED * (len(options[o]) + 1)):
                self.looks.settle()
            for i in options[o]:
                self.held[at] = i
                self.row[i + 2] += 1
                at += 1
            self.start[o + 1] = at
        for i in range(m):
            self.row[i + 2] += self.row[i + 1]
        for o in range(n):
            for at in range(self.start[o], self.start[o + 1]):
                i = self.held[at]
                self.by[self.row[i + 1]] = o
                self.row[i + 1] += 1
        self.m = m
        self.n = n
        self.need = _ints(needs, self.hold)
        self.costs = _ints(costs, self.hold)
        self.weight = _longs([1] * m, self.hold)
        self.score = _longs([len(option) for option in options], self.hold)
        self.stamp = _zero_longs(n + 1, self.hold)
        self.cover = _zero_ints(m + 1, self.hold)
        self.inside = _zero_ints(n + 1, self.hold)
        self.changed = _ints([1] * n, self.hold)
        self.lacking = _ints(range(m), self.hold)
        self.place = _ints(range(m), self.hold)
        self.taken = _zero_ints(n + 1, self.hold)
        self.spot = _ints([-1] * n, self.hold)
        self.best = _zero_ints(n + 1, self.hold)
        self.lacks = m
        self.size = self.bested = 0
        self.cost = self.step = self.work = 0
        self.best_cost = 1 << 62
        self.tabu = -1
        self.random = (seed % 2147483646) + 1
        self.uniform = len(set(costs)) <= 1
        self.fresh = False

    def heed(self, looks):
        """From now on, let `looks` say whether to stop. looks: a `Looks` of _looks.py, compiled if this kernel is."""
        self.looks = looks

    def greedy(self):
        """Make a first cover: repeatedly take the option of greatest worth, on ties the one with the lowest number.

        The worth of an option can only fall meanwhile. So the heap keeps the worth that each option had when it was
        last checked, and the option at its top is the next one if its worth has not changed since. Takes time
        O((length of the options) + n log n). Raises the exception by which `looks` stopped it; there is no cover then.
        """
        heap: cython.p_int = _ints(range(self.n), self.hold)
        worth: cython.p_longlong = _zero_longs(self.n + 1, self.hold)
        with cython.nogil:
            self._gather(heap, worth)
        self.looks.settle()
        self._note()

    def run(self, work: cython.longlong, goal: cython.longlong):
        """Search until `work` more array entries have been read, or a cover costs no more than `goal`.

        Returns whether a better cover was found. Raises the exception by which `looks` stopped it; a better cover is
        kept even then.
        """
        before = self.best_cost
        with cython.nogil:
            self._search(self.work + work, goal)
        self.looks.settle()
        return self.best_cost < before

    def spent(self):
        """How many array entries were read so far."""
        return self.work

    def value(self):
        """The cost of the best cover found."""
        return self.best_cost

    def answer(self):
        """The option numbers of the best cover found."""
        return [self.best[k] for k in range(self.bested)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _search(self, end: cython.longlong, goal: cython.longlong) -> cython.void:
        o: cython.int
        i: cython.int
        tries: cython.int
        seen: cython.longlong
        if self.n == 0:
            return
        while self.work < end:
            seen = self.work
            while self.lacks == 0:
                self._note()
                if self.best_cost <= goal or self.size == 0:
                    return
                self._remove(self._cheapest(-1))
            self.step += 1
            o = self._cheapest(self.tabu)
            if o >= 0:
                self._remove(o)
            self.tabu = -1
            tries = 0
            while self.lacks > 0 and tries < 50:
                tries += 1
                self.random = self.random * 48271 % 2147483647
                i = self.lacking[self.random % self.lacks]
                o = self._taker(i)
                if o < 0:
                    break
                self._add(o)
                self.tabu = o
                self._weigh()
                if self.uniform:
                    break
                if self.looks.tick(self.work - seen):
                    return
                seen = self.work
            if tries == 1 and not self.uniform and self.size > 0:
                self._weigh()
            if self.looks.tick(self.work - seen + 1):
                return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _weigh(self) -> cython.void:
        """Add 1 to the weight of each lacking item."""
        i: cython.int
        k: cython.int
        q: cython.int
        for k in range(self.lacks):
            i = self.lacking[k]
            self.weight[i] += 1
            for q in range(self.row[i], self.row[i + 1]):
                if self.inside[self.by[q]] != 0:
                    self.score[self.by[q]] -= 1
                else:
                    self.score[self.by[q]] += 1
            self.work += self.row[i + 1] - self.row[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _note(self) -> cython.void:
        k: cython.int
        if self.cost < self.best_cost:
            self.best_cost = self.cost
            self.bested = self.size
            for k in range(self.size):
                self.best[k] = self.taken[k]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _gather(self, heap: cython.p_int, worth: cython.p_longlong) -> cython.void:
        """The loop of `greedy`. heap: every option.  worth: room for a number per option, and one more."""
        o: cython.int
        end: cython.int = self.n
        for o in range(end):
            worth[o] = self.score[o]
        for o in range(end // 2 - 1, -1, -1):
            self._sink(heap, worth, o, end)
        self.fresh = True
        while self.lacks > 0 and not self.looks.tick(LISTED):
            o = heap[0]
            if worth[o] != self.score[o]:
                worth[o] = self.score[o]
            else:
                end -= 1
                heap[0] = heap[end]
                self._add(o)
                self.work += self.n  # counted as if all options had been read: budgets are set in that unit
            self._sink(heap, worth, 0, end)
        self.fresh = False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sink(self, heap: cython.p_int, worth: cython.p_longlong, at: cython.int, end: cython.int) -> cython.void:
        """Move the option at place `at` of the heap down to where it belongs among the first `end` ones."""
        below: cython.int = 2 * at + 1
        o: cython.int = heap[at]
        while below < end:
            if below + 1 < end and self._is_worthier(worth, heap[below + 1], heap[below]):
                below += 1
            if not self._is_worthier(worth, heap[below], o):
                break
            heap[at] = heap[below]
            at = below
            below = 2 * at + 1
        heap[at] = o

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_worthier(self, worth: cython.p_longlong, o: cython.int, other: cython.int) -> cython.bint:
        """Whether option o is worth more per unit of cost than `other`, or as much and has the lower number.

        Compares products of two 31-bit numbers, which are exact.
        """
        mine: cython.longlong = worth[o] * self.costs[other]
        its: cython.longlong = worth[other] * self.costs[o]
        return mine > its or (mine == its and o < other)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _better(self, o: cython.int, pick: cython.int) -> cython.bint:
        """Whether o has a higher score per unit of cost than `pick`, or the same and was added or removed earlier."""
        mine: cython.double = (1.0 * self.score[o]) * self.costs[pick]
        other: cython.double = (1.0 * self.score[pick]) * self.costs[o]
        return mine > other or (mine == other and self.stamp[o] < self.stamp[pick])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cheapest(self, tabu: cython.int) -> cython.int:
        """The option inside the cover whose loss per unit of cost is least. tabu: an option not to be chosen."""
        o: cython.int
        k: cython.int
        pick: cython.int = -1
        for k in range(self.size):
            o = self.taken[k]
            if o != tabu and (pick < 0 or self._better(o, pick)):
                pick = o
        self.work += self.size
        return pick

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _taker(self, i: cython.int) -> cython.int:
        """The best option outside that holds lacking item i and keeps the cover cheaper than the best; -1 if none."""
        o: cython.int
        q: cython.int
        pick: cython.int = -1
        for q in range(self.row[i], self.row[i + 1]):
            o = self.by[q]
            if self.inside[o] != 0 or self.changed[o] == 0 or self.cost + self.costs[o] >= self.best_cost:
                continue
            if pick < 0 or self._better(o, pick):
                pick = o
        self.work += self.row[i + 1] - self.row[i]
        return pick

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(self, o: cython.int) -> cython.void:
        i: cython.int
        p: cython.int
        q: cython.int
        other: cython.int
        self.inside[o] = 1
        self.spot[o] = self.size
        self.taken[self.size] = o
        self.size += 1
        self.cost += self.costs[o]
        self.score[o] = -self.score[o]
        self.stamp[o] = self.step
        for p in range(self.start[o], self.start[o + 1]):
            i = self.held[p]
            self.cover[i] += 1
            if self.cover[i] == self.need[i]:
                self.lacks -= 1
                other = self.lacking[self.lacks]
                self.lacking[self.place[i]] = other
                self.place[other] = self.place[i]
                self.place[i] = -1
            if self.fresh and self.cover[i] != self.need[i] and self.cover[i] != self.need[i] + 1:
                self.work += self.row[i + 1] - self.row[i]
                continue
            for q in range(self.row[i], self.row[i + 1]):
                other = self.by[q]
                self.changed[other] = 1
                if other == o:
                    continue
                if self.cover[i] == self.need[i]:
                    if self.inside[other] == 0:
                        self.score[other] -= self.weight[i]
                elif self.cover[i] == self.need[i] + 1 and self.inside[other] != 0:
                    self.score[other] += self.weight[i]
            self.work += self.row[i + 1] - self.row[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _remove(self, o: cython.int) -> cython.void:
        i: cython.int
        p: cython.int
        q: cython.int
        other: cython.int
        self.inside[o] = 0
        self.size -= 1
        other = self.taken[self.size]
        self.taken[self.spot[o]] = other
        self.spot[other] = self.spot[o]
        self.spot[o] = -1
        self.cost -= self.costs[o]
        self.score[o] = -self.score[o]
        self.stamp[o] = self.step
        for p in range(self.start[o], self.start[o + 1]):
            i = self.held[p]
            self.cover[i] -= 1
            if self.cover[i] == self.need[i] - 1:
                self.place[i] = self.lacks
                self.lacking[self.lacks] = i
                self.lacks += 1
            for q in range(self.row[i], self.row[i + 1]):
                other = self.by[q]
                if other == o:
                    continue
                self.changed[other] = 1
                if self.cover[i] == self.need[i] - 1:
                    if self.inside[other] == 0:
                        self.score[other] += self.weight[i]
                elif self.cover[i] == self.need[i] and self.inside[other] != 0:
                    self.score[other] -= self.weight[i]
            self.work += self.row[i + 1] - self.row[i]
        self.changed[o] = 0
