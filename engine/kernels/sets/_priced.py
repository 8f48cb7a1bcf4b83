"""Finds ever cheaper exact covers, on sets of options that are sorted by their reduced costs.

Given prices that make a good lower bound for the whole problem, the reduced costs of an answer's options add up to a
lower bound on how far its cost is above that bound (priced.py). If answers must cost less than the bound plus `gap`,
their reduced costs must add up to less than `gap`. So at a node whose taken options have used `paid` of it, every
option with a reduced cost of gap - paid or more is useless. Because options are sorted by reduced cost, these options
are the end of the set: the set is simply shortened, more and more on the way down the tree. If that leaves an item
without options, the node fails. Sets, counts and exclusion are those of _bits.py.

A *family* is a list of items no two of which share an option, such as the pieces of a puzzle. To cover the uncovered
items of the family costs at least the sum of their least reduced costs; an option that costs one of them so much more
that this sum no longer fits in the gap is useless too.

**Data.** Options are numbered from 0 by increasing reduced cost. Items, from 0, are those that must be covered.

    begin, members   option b holds the items members[begin[b]] … members[begin[b+1]-1]
    holders          per item, the set of its options, `words` 64-bit words each
    compatible       per option, the set of the options that it can be taken with
    extra, cost      per option, its reduced cost, which is never negative, and its cost
    alive, width     per level, the set of options that may still be taken, and how many of its words are in use
    counts           per level and item, how many of these options hold it; for a covered item COVERED, less what has
                     been counted off since
    paid, spent      per level, the sums of the reduced costs and of the costs of the taken options
    item, at, ways   per level, the item that is branched on, the first of its options that may not have been tried yet,
                     and how many options it had
    tried            per level, how many of these were tried
    path             per level, the option of that item that was taken

At a node the item with the fewest options is chosen, the lowest-numbered on ties; its options are taken in increasing
order.

Source: Knuth's program DLX5 (minimum-cost exact covers) cuts off an item's dear options by a tax on items; here the
linear program's prices are the tax, and one mask cuts off the dear options of all items. _bits.py names the sources of
the rest.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import DONE, FOUND, SLICE, KernelBase
    from cython.cimports.covr.engine.kernels.shared.arrays import (
        _ints,
        _longs,
        _words,
        _zero_ints,
        _zero_longs,
        _zero_words,
    )
    from cython.cimports.covr.engine.kernels.shared.words import lowest
else:
    from covr.engine.kernels.header import DONE, FOUND, SLICE
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _longs, _words, _zero_ints, _zero_longs, _zero_words
    from covr.engine.kernels.shared.words import lowest

    KernelBase = load("_kernel", interpreted=True).KernelBase

COMPILED = cython.compiled

CHOOSE = cython.declare(cython.int, 0)  # choose the item of the current node
NEXT = cython.declare(cython.int, 1)  # take the item's next option
OVER = cython.declare(cython.int, 2)  # the level is finished
ENDED = cython.declare(cython.int, 3)  # the whole tree has been searched

COVERED = cython.declare(cython.int, 1 << 30)  # the count that an item is given when it is covered
HALF = cython.declare(cython.int, 1 << 29)  # counts of at least this belong to covered items


@cython.final
@cython.cclass
class PricedKernel(KernelBase):
    """A kernel (see loading.py) for ever cheaper exact covers."""

    options: cython.int
    items: cython.int
    words: cython.int
    families: cython.int
    gap: cython.longlong
    ceiling: cython.longlong
    begin: cython.p_int
    members: cython.p_int
    family: cython.p_int
    extra: cython.p_longlong
    cost: cython.p_longlong
    holders: cython.p_ulonglong
    compatible: cython.p_ulonglong
    alive: cython.p_ulonglong
    width: cython.p_int
    counts: cython.p_int
    paid: cython.p_longlong
    spent: cython.p_longlong
    item: cython.p_int
    at: cython.p_int
    ways: cython.p_int
    tried: cython.p_int
    path: cython.p_int

    def __init__(self, words, begin, members, holders, compatible, extra, costs, family, sizes, paid, gap, ceiling):
        """words: 64-bit words per set.  begin, members, extra, family: as in the module.  holders, compatible: sets as
        masks.py makes them.  costs: per option.  sizes: per item, how many options hold it.  paid: the cost of what was
        taken before the search.  gap: an answer's reduced costs must add up to less than this.  ceiling: its cost,
        `paid` included, must be no more than this."""
        b: cython.int
        i: cython.int
        w: cython.int
        n: cython.int = len(extra)
        m: cython.int = len(sizes)
        depth: cython.int = m + 2
        super().__init__()
        hold = self.hold
        self.options, self.items, self.words = n, m, words
        self.begin = _ints(begin, hold)
        self.members = _ints(members, hold)
        self.family = _ints(family, hold)
        self.families = len(family)
        self.extra = _longs(extra, hold)
        self.cost = _longs(costs, hold)
        self.holders = _words(holders, hold)
        self.compatible = _words(compatible, hold)
        self.alive = _zero_words(cython.cast(cython.Py_ssize_t, depth) * words + 1, hold)
        self.counts = _zero_ints(depth * m, hold)
        self.width = _zero_ints(depth, hold)
        self.paid = _zero_longs(depth, hold)
        self.spent = _zero_longs(depth, hold)
        self.item = _zero_ints(depth, hold)
        self.at = _zero_ints(depth, hold)
        self.ways = _zero_ints(depth, hold)
        self.tried = _zero_ints(depth, hold)
        self.path = _zero_ints(depth, hold)
        one: cython.ulonglong = 1
        for b in range(n):
            w = b >> 6
            self.alive[w] = self.alive[w] | one << (b & 63)
        for i in range(m):
            self.counts[i] = sizes[i]
        self.width[0] = words
        self.spent[0] = paid
        self.gap, self.ceiling = gap, ceiling
        self.state = CHOOSE if gap > 0 and min(list(sizes), default=1) > 0 else ENDED

    def lower(self, gap: cython.longlong, ceiling: cython.longlong):
        """From now on, reduced costs must add up to less than `gap`, and costs to no more than `ceiling`."""
        self.gap = min(gap, self.gap)
        self.ceiling = min(ceiling, self.ceiling)

    def fraction(self):
        """How much of the tree is done, from 0 to 1, if all options of a node count as equally large."""
        if self.state == ENDED:
            return 1.0
        done, share = 0.0, 1.0
        for k in range(self.level + (self.state != CHOOSE)):
            share /= max(self.ways[k], 1)
            done += share * max(self.tried[k] - (k < self.level), 0)
        return min(max(done, 0.0), 1.0)

    def told(self):
        """What excluded the witness: the option that is not tried."""
        return "reduced costs", self.lost - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hold(self, d: cython.int) -> cython.bint:
        """Note that level d is closed before the witness's option was tried, if it lies below it and answers as cheap
        are looked for. Returns whether that was noted."""
        b: cython.int
        k: cython.int
        if self.worth > self.ceiling:
            return False
        for k in range(d):
            if self.witness[self.path[k]] == 0:
                return False
        for b in range(self.at[d], self.options):
            if self.witness[b] != 0:
                for k in range(self.begin[b], self.begin[b + 1]):
                    if self.members[k] == self.item[d]:
                        self.lost = b + 1
                        return True
        return False

    def answer(self):
        """The options taken, in the order they were taken."""
        return [self.path[k] for k in range(self.level)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        d: cython.int = self.level
        b: cython.int
        while self.state != ENDED:
            if self.state == NEXT:
                if self._nodes >= end:
                    self.level = d
                    return SLICE
                b = self._following(d)
                if b < 0 or self.paid[d] + self.extra[b] >= self.gap:
                    self.state = OVER
                    if self.watched and self._hold(d):
                        return SLICE
                    continue
                self.at[d] = b + 1
                self.tried[d] += 1
                self.path[d] = b
                self._nodes += 1
                if self._take(d, b):
                    d += 1
                    self.state = CHOOSE
                elif self.watched and self.witness[b] != 0:
                    self.at[d] = b
                    if self._hold(d):
                        return SLICE
                    self.at[d] = b + 1
            elif self.state == CHOOSE:
                if self._choose(d):
                    self.state = NEXT
                    continue
                self.state = OVER
                if self.spent[d] <= self.ceiling:
                    self._answers += 1
                    self.ceiling = self.spent[d] - 1
                    if self._answers >= until:
                        self.level = d
                        return FOUND
            elif d == 0:
                self.state = ENDED
            else:
                d -= 1
                self.state = NEXT
        self.level = d
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose(self, d: cython.int) -> cython.bint:
        """Choose the uncovered item with the fewest options. Returns False if every item is covered."""
        i: cython.int
        item: cython.int = -1
        least: cython.int = HALF
        first: cython.longlong = cython.cast(cython.longlong, d) * self.items
        for i in range(self.items):
            if self.counts[first + i] < least:
                least = self.counts[first + i]
                item = i
        self.item[d] = item
        self.at[d] = 0
        self.ways[d] = least
        self.tried[d] = 0
        return item >= 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _following(self, d: cython.int) -> cython.int:
        """The next option of a level's item that is still alive; -1 if there is none."""
        w: cython.int = self.at[d] >> 6
        base: cython.longlong = cython.cast(cython.longlong, d) * self.words
        own: cython.longlong = cython.cast(cython.longlong, self.item[d]) * self.words
        word: cython.ulonglong
        if w >= self.width[d]:
            return -1
        word = (self.alive[base + w] & self.holders[own + w]) >> (self.at[d] & 63) << (self.at[d] & 63)
        while word == 0:
            w += 1
            if w >= self.width[d]:
                return -1
            word = self.alive[base + w] & self.holders[own + w]
        return 64 * w + lowest(word)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _below(self, extra: cython.longlong) -> cython.int:
        """How many options have a reduced cost of less than `extra`."""
        low: cython.int = 0
        high: cython.int = self.options
        middle: cython.int
        while low < high:
            middle = (low + high) >> 1
            if self.extra[middle] < extra:
                low = middle + 1
            else:
                high = middle
        return low

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, d: cython.int, b: cython.int) -> cython.bint:
        """Make the level below d, with option b taken. Returns whether an answer may be there."""
        i: cython.int
        k: cython.int
        w: cython.int
        base: cython.longlong = cython.cast(cython.longlong, d) * self.words
        next: cython.longlong = base + self.words
        own: cython.longlong = cython.cast(cython.longlong, b) * self.words
        first: cython.longlong = cython.cast(cython.longlong, d + 1) * self.items
        room: cython.longlong = self.gap - self.paid[d] - self.extra[b]
        limit: cython.int = self._below(room)
        width: cython.int = (limit + 63) >> 6
        word: cython.ulonglong
        one: cython.ulonglong = 1
        self.paid[d + 1] = self.paid[d] + self.extra[b]
        self.spent[d + 1] = self.spent[d] + self.cost[b]
        for i in range(self.items):
            self.counts[first + i] = self.counts[first - self.items + i]
        for k in range(self.begin[b], self.begin[b + 1]):
            self.counts[first + self.members[k]] = COVERED
        if width > self.width[d]:
            width = self.width[d]
            limit = 64 * width
        for w in range(width):
            self.alive[next + w] = self.alive[base + w] & self.compatible[own + w]
        if limit & 63:
            self.alive[next + width - 1] &= (one << (limit & 63)) - 1
        # What the family costs at least; options that do not fit in the rest of the room are cut off, too.
        least: cython.longlong
        total: cython.longlong = 0
        largest: cython.longlong = 0
        for k in range(self.families):
            i = self.family[k]
            if self.counts[first + i] >= HALF:
                continue
            least = self._least(next, width, i)
            total += least
            if least < 0 or total >= room:
                return False
            if least > largest:
                largest = least
        if total > 0:
            last: cython.int = self._below(room - total + largest)
            if last < limit:
                width = (last + 63) >> 6
                if last & 63:
                    self.alive[next + width - 1] &= (one << (last & 63)) - 1
        self.width[d + 1] = width
        for w in range(self.width[d]):
            word = self.alive[base + w]
            if w < width:
                word ^= self.alive[next + w]
            if not self._strike(first, w, word):
                return False
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _strike(self, first: cython.longlong, w: cython.int, gone: cython.ulonglong) -> cython.bint:
        """Count off the removed options of word w. Returns False if an item has no option left."""
        b: cython.int
        k: cython.int
        while gone:
            b = 64 * w + lowest(gone)
            gone &= gone - 1
            self._updates += 1
            for k in range(self.begin[b], self.begin[b + 1]):
                self.counts[first + self.members[k]] -= 1
                if self.counts[first + self.members[k]] == 0:
                    return False
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _least(self, base: cython.longlong, width: cython.int, i: cython.int) -> cython.longlong:
        """The least reduced cost of an item's options that are alive; -1 if none is."""
        w: cython.int = 0
        own: cython.longlong = cython.cast(cython.longlong, i) * self.words
        word: cython.ulonglong = 0
        while w < width:
            word = self.alive[base + w] & self.holders[own + w]
            if word:
                break
            w += 1
        return self.extra[64 * w + lowest(word)] if word else -1
