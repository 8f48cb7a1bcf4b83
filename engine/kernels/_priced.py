# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef, has-type"
"""Ever cheaper exact covers on sets of options, which are in the order of their reduced costs.

For prices that make a good bound of the whole problem, the reduced costs of an answer's options tell how far above that
bound it is at least (priced.py). With `gap` between the bound and what is still wanted, they may add up to less than
gap. So at a node that has spent `paid` of it all options of gap - paid and more are useless, and since options are in
the order of their reduced costs, those are the end of the set: it is cut off, and sets become shorter on the way down.
Where that leaves an item without options the node is done. Sets, counts and exclusion are those of _bits.py.

A *family* is a list of items no two of which share an option, such as the pieces of a puzzle. Those that are not
covered yet cost at least the sum of their least reduced costs, and each of their other options must fit in what that
leaves.

**Data.** Options are numbered by reduced cost, items are those that must be covered.

    begin, members   option b holds the items members[begin[b]] … members[begin[b+1]-1]
    holders          per item the set of its options, `words` words each;  compatible: per option those that go with it
    extra, cost      per option its reduced cost, at least 0 and increasing, and what it costs
    alive            per level the set of options that may still be taken, of `width` words
    counts           per level and item how many of these hold it; COVERED, less what is struck off, where it is covered
    paid, spent      per level the reduced costs and costs of what is taken
    item, at, ways   per level the item that is branched on, the first of its options that was not tried yet, and how
                     many it had;  tried: how many of them were
    path             per level the option that was taken from it

At a node the item with the fewest options is chosen, the lowest on ties; its options are taken in increasing order.

Source: Knuth, "DLX5" (minimum-cost exact covers), cuts off the dear options of an item by a tax on items; here the tax
is the linear program's, and one mask cuts them off for all items. For _bits.py see there. Counting off what is gone
only after the family has been asked saved nothing, but is simpler than cutting off twice.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels._kernel import DONE, FOUND, SLICE, KernelBase  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._memory import _ints, _longs, _words, _zero_ints, _zero_longs, _zero_words  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._words import lowest  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels._memory import _ints, _longs, _words, _zero_ints, _zero_longs, _zero_words
    from covr.engine.kernels.codes import DONE, FOUND, SLICE
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.words import lowest

    KernelBase = load("_kernel", interpreted=True).KernelBase

COMPILED = cython.compiled

CHOOSE = cython.declare(cython.int, 0)  # a node is at hand whose item is to be chosen
NEXT = cython.declare(cython.int, 1)  # the item's next option is to be taken
BACK = cython.declare(cython.int, 2)  # the level is done
END = cython.declare(cython.int, 3)

COVERED = cython.declare(cython.int, 1 << 30)
HALF = cython.declare(cython.int, 1 << 29)  # counts above are of covered items


@cython.final
@cython.cclass
class PricedKernel(KernelBase):  # type: ignore[misc, unused-ignore]
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
        """holders, compatible: sets as of masks.py.  extra: reduced costs, increasing.  family: items.  sizes: per
        item, how many options hold it.  paid: what is taken beforehand.  gap, ceiling: reduced costs must add up to
        less than the one, costs to no more than the other."""
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
        self.state = CHOOSE if gap > 0 and min(list(sizes), default=1) > 0 else END

    def lower(self, gap: cython.longlong, ceiling: cython.longlong):
        """From now on reduced costs must add up to less than this, and costs to no more."""
        self.gap = min(gap, self.gap)
        self.ceiling = min(ceiling, self.ceiling)

    def fraction(self):
        """How much of the tree is done, from 0 to 1, the ways of a node sharing alike."""
        if self.state == END:
            return 1.0
        done, share = 0.0, 1.0
        for k in range(self.level + (self.state != CHOOSE)):
            share /= max(self.ways[k], 1)
            done += share * max(self.tried[k] - (k < self.level), 0)
        return min(max(done, 0.0), 1.0)

    def answer(self):
        """The options taken, in the order they were taken."""
        return [self.path[k] for k in range(self.level)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        d: cython.int = self.level
        b: cython.int
        while self.state != END:
            if self.state == NEXT:
                if self._nodes >= end:
                    self.level = d
                    return SLICE
                b = self._following(d)
                if b < 0 or self.paid[d] + self.extra[b] >= self.gap:
                    self.state = BACK
                    continue
                self.at[d] = b + 1
                self.tried[d] += 1
                self.path[d] = b
                self._nodes += 1
                if self._take(d, b):
                    d += 1
                    self.state = CHOOSE
            elif self.state == CHOOSE:
                if self._choose(d):
                    self.state = NEXT
                    continue
                self.state = BACK
                if self.spent[d] <= self.ceiling:
                    self._answers += 1
                    self.ceiling = self.spent[d] - 1
                    if self._answers >= until:
                        self.level = d
                        return FOUND
            elif d == 0:
                self.state = END
            else:
                d -= 1
                self.state = NEXT
        self.level = d
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose(self, d: cython.int) -> cython.bint:
        """The item with the fewest options; returns whether there is one."""
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
        """The next option of the item of a level; -1 where there is none."""
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
        """How many options have less than this reduced cost."""
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
        """The level below d with option b taken; returns whether there may be an answer."""
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
        # What the family costs; what does not fit in the rest of the room is cut off, too.
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
        """Count off the options of a word that are gone; returns False where an item has none any more."""
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
        """The least reduced cost of the options of an item that are alive; -1 where there is none."""
        w: cython.int = 0
        own: cython.longlong = cython.cast(cython.longlong, i) * self.words
        word: cython.ulonglong = 0
        while w < width:
            word = self.alive[base + w] & self.holders[own + w]
            if word:
                break
            w += 1
        return self.extra[64 * w + lowest(word)] if word else -1
