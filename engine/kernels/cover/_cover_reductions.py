"""What branch and bound for minimum covers decides at a level without a bound.

An item that has only as many options as it needs forces them. An option is removed if another option holds all its
items at no greater cost and each of these items needs only one more option; a cover with both can do without it. An
item is removed if every option of another item that needs as many holds it too; its price is added to that item's.
Dominance is looked for only among options and items that shrank.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.cover._cover_folds import Folds
    from cython.cimports.covr.engine.kernels.shared._kernel import LISTED
    from cython.cimports.covr.engine.kernels.shared.arrays import _zero_words
else:
    from covr.engine.kernels.header import LISTED
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _zero_words

    Folds = load("_cover_folds", interpreted=True).Folds

COMPILED = cython.compiled

ONE = cython.declare(cython.ulonglong, 1)
WORDS = cython.declare(cython.int, 1 << 22)  # 64-bit words that the bit sets for dominance may take: 32 MB
EFFORT = cython.declare(cython.longlong, 1 << 25)  # comparisons of sets after which one search for dominance ends


@cython.cclass
class Reductions(Folds):
    """The levels, reduced by what is forced or dominated."""

    def __init__(self, needs, options, costs, cutoff: cython.longlong, looks=None):
        """The arguments are those of `Levels`."""
        super().__init__(needs, options, costs, cutoff, looks)
        m: cython.longlong = len(needs)
        n: cython.longlong = len(options)
        words: cython.longlong = max((n + 1) * ((m + 63) // 64), (m + 1) * ((n + 63) // 64))
        self.sets = _zero_words(min(words, WORDS), self.hold)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _reduce(self) -> cython.bint:
        """Force options, and remove what is dominated, until nothing changes.

        Returns False if there is no better cover below this level. Returns True as soon as `looks` stops it; what it
        has done by then is kept, and the level may hold items that have too few options.
        """
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        i: cython.int
        q: cython.int
        o: cython.int
        again: cython.bint
        changed: cython.bint
        while True:
            self._open()
            changed = False
            again = True
            while again:
                again = False
                for i in range(self.items[d]):
                    if self.left[i] > 0 and self.count[i] <= self.left[i]:
                        if self.count[i] < self.left[i]:
                            return False
                        for q in range(ints[self.at_row[d] + i], ints[self.at_row[d] + i + 1]):
                            o = ints[self.at_by[d] + q]
                            if self.live[o] != 0:
                                self._take(o, d)
                        if self.paid[d] >= self.cutoff:
                            return False
                        again = True
                        changed = True
                if self.looks.tick(self.items[d]):
                    break
            if changed:
                self._keep(d)
                self._open()
            if self.items[d] == 0 or self.looks.halted:
                return self.paid[d] < self.cutoff
            changed = False
            if self.fewer_items:
                self.fewer_items = False
                if self._dominated_options():
                    self._keep(d)
                    self._open()
                    changed = True
            if self.fewer_options:
                self.fewer_options = False
                if self._dominated_items():
                    self._keep(d)
                    changed = True
            if not changed or self.looks.halted:
                return self.paid[d] < self.cutoff

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _gather(
        self, begin: cython.longlong, members: cython.longlong, size: cython.int, words: cython.longlong
    ) -> cython.void:
        """Write the sets of `size` options or items into `sets`, `words` words each.

        begin, members: where in `ints` it stands where each one's members begin, and what these are.
        """
        ints: cython.p_int = self.ints
        sets: cython.p_ulonglong = self.sets
        a: cython.int
        q: cython.int
        x: cython.int
        k: cython.longlong
        for k in range(size * words):
            sets[k] = 0
        for a in range(size):
            for q in range(ints[begin + a], ints[begin + a + 1]):
                x = ints[members + q]
                sets[a * words + (x >> 6)] |= ONE << (x & 63)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_within(self, one: cython.longlong, other: cython.longlong, words: cython.longlong) -> cython.bint:
        """Whether the set at position `one` of `sets` is a subset of that at `other`."""
        sets: cython.p_ulonglong = self.sets
        k: cython.longlong = 0
        while k < words and (sets[one + k] & ~sets[other + k]) == 0:
            k += 1
        return k == words

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _dominated_options(self) -> cython.bint:
        """Remove options that are no better than another; of equal ones the first stays. Returns whether any went."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        row: cython.longlong = self.at_row[d]
        by: cython.longlong = self.at_by[d]
        cost: cython.longlong = self.at_cost[d]
        m: cython.int = self.items[d]
        n: cython.int = self.options[d]
        words: cython.longlong = (m + 63) >> 6
        i: cython.int
        o: cython.int
        p: cython.int
        q: cython.int
        size: cython.int
        other: cython.int
        rare: cython.int
        work: cython.longlong = 0
        single: cython.bint
        some: cython.bint = False
        if n * words > WORDS:
            return False
        self._gather(start, held, n, words)
        for o in range(n):
            if self.shrunk_option[o] == 0:
                continue
            self.shrunk_option[o] = 0
            size = ints[start + o + 1] - ints[start + o]
            rare = -1
            single = True
            for q in range(ints[start + o], ints[start + o + 1]):
                i = ints[held + q]
                if self.left[i] > 1:
                    single = False
                    break
                if rare < 0 or self.count[i] < self.count[rare]:
                    rare = i
            if not single or rare < 0:
                continue
            work += ints[row + rare + 1] - ints[row + rare]
            if self.looks.tick(LISTED * (ints[row + rare + 1] - ints[row + rare])):
                self.shrunk_option[o] = 1
                self.fewer_items = True
                break
            for q in range(ints[row + rare], ints[row + rare + 1]):
                p = ints[by + q]
                if p == o or self.live[p] == 0 or ints[cost + p] > ints[cost + o]:
                    continue
                other = ints[start + p + 1] - ints[start + p]
                if other < size or (other == size and p > o and ints[cost + p] == ints[cost + o]):
                    continue
                if self._is_within(o * words, p * words, words):
                    self._drop(o)
                    if self.watched:
                        self._exchange(o, p)
                    some = True
                    break
            if work > EFFORT:
                break
        self._updates += work
        return some

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _dominated_items(self) -> cython.bint:
        """Remove items that are met whenever another item is; that one gets their price. Returns whether any went."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        row: cython.longlong = self.at_row[d]
        by: cython.longlong = self.at_by[d]
        price: cython.longlong = self.at_price[d]
        m: cython.int = self.items[d]
        n: cython.int = self.options[d]
        words: cython.longlong = (n + 63) >> 6
        i: cython.int
        j: cython.int
        o: cython.int
        q: cython.int
        small: cython.int
        work: cython.longlong = 0
        some: cython.bint = False
        if m * words > WORDS:
            return False
        self._gather(row, by, m, words)
        for i in range(m):
            if self.left[i] <= 0 or self.shrunk_item[i] == 0:
                continue
            self.shrunk_item[i] = 0
            small = -1
            for q in range(ints[row + i], ints[row + i + 1]):
                o = ints[by + q]
                if small < 0 or ints[start + o + 1] - ints[start + o] < ints[start + small + 1] - ints[start + small]:
                    small = o
            work += ints[start + small + 1] - ints[start + small]
            if self.looks.tick(LISTED * (ints[start + small + 1] - ints[start + small])):
                self.shrunk_item[i] = 1
                self.fewer_options = True
                break
            for q in range(ints[start + small], ints[start + small + 1]):
                j = ints[held + q]
                if j == i or self.left[j] <= 0 or self.left[j] > self.left[i] or self.count[j] < self.count[i]:
                    continue
                if self._is_within(i * words, j * words, words):
                    self.left[j] = 0
                    self.reals[price + i] += self.reals[price + j]
                    some = True
            if work > EFFORT:
                break
        self._updates += work
        return some
