"""Totals in the search with sides: which sums can still be reached, and which options can be part of an allowed one.

A total is a sum over groups of options that exclude each other (prepare/sides.py makes the groups). An option adds
its *value* to the sum; a group of which no option is taken adds `group_empty`. Each total is first checked by bounds:
given the least and the most that the other groups can add, an option is left out if its value fits no allowed sum.
Where few sums are possible, they are then represented as sets of bits. One pass over the groups finds which sums the
groups before each one can reach (`reach`). A second pass, from the last group back, finds from which of these sums an
allowed total can still be reached. A value that leads from no sum of the first kind to one of the second is in no
answer.

    group_begin     total t has the groups group_begin[t] … group_begin[t + 1] - 1
    group_item      per group, the item whose options it contains, if that item needs one of its options; else -1
    group_empty     per group, what it adds when none of its options is taken
    value_begin, value        the values of every group
    option_begin, named       the options of every value
    range_begin, range_low, range_high   per total, the allowed sums: increasing ranges, both ends included
    lowest_sum      per total, the least sum that could be reached when it was last checked; only a choice depends on it
    bits            per total, the size of its sets of sums, which hold 0 … bits - 1; 0: it is checked by bounds only
    can             per value, how many of its options may be taken: the open ones, or 1 if one is taken
    left            per group, how many options are open; -1 if one is taken
    none            per group, 1 if it may be that none of its options is taken
    least, most     per group, the least and the most that it can add; -1 if an option must be taken and none is left
    reach           scratch for one total, rows of 64-bit words: per group, the sums that those before it reach; after
                    these, two rows for the sums from which an allowed total can be reached
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _longs, _zero_ints, _zero_longs, _zero_words
    from cython.cimports.covr.engine.kernels.sides._sides_trail import OPEN, OUT, TAKEN, Trail
else:
    from covr.engine.kernels.header import SIDES_OPEN as OPEN
    from covr.engine.kernels.header import SIDES_OUT as OUT
    from covr.engine.kernels.header import SIDES_TAKEN as TAKEN
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _longs, _zero_ints, _zero_longs, _zero_words

    Trail = load("_sides_trail", interpreted=True).Trail

COMPILED = cython.compiled

FULL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)  # a word of ones


@cython.cclass
class TotalSides(Trail):
    """Options and items, with the totals over them."""

    def __init__(self, problem, arrays):
        """The arguments are those of `Trail`."""
        super().__init__(problem, arrays)
        sums = arrays.totals
        hold: list = self.hold
        groups: cython.int = len(sums.group_item)
        t: cython.int
        size: cython.longlong = 1
        for t in range(self.totals):
            words = (sums.bits[t] + 63) // 64
            size = max(size, words * (sums.group_begin[t + 1] - sums.group_begin[t] + 3))
        self.group_begin = _ints(sums.group_begin, hold)
        self.group_item = _ints(sums.group_item, hold)
        self.group_empty = _longs(sums.group_empty, hold)
        self.value_begin = _ints(sums.value_begin, hold)
        self.value = _longs(sums.value, hold)
        self.option_begin = _ints(sums.option_begin, hold)
        self.named = _ints(sums.options, hold)
        self.range_begin = _ints(sums.range_begin, hold)
        self.range_low = _longs(sums.low, hold)
        self.range_high = _longs(sums.high, hold)
        self.lowest_sum = _zero_longs(self.totals + 1, hold)
        self.bits = _ints(sums.bits, hold)
        self.can = _zero_ints(len(sums.value) + 1, hold)
        self.left = _zero_ints(groups + 1, hold)
        self.none = _zero_ints(groups + 1, hold)
        self.least = _zero_longs(groups + 1, hold)
        self.most = _zero_longs(groups + 1, hold)
        self.reach = _zero_words(size, hold)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look_at_groups(self, t: cython.int) -> cython.void:
        """Set `can`, `left`, `none`, `least` and `most` for the groups of a total."""
        g: cython.int
        v: cython.int
        q: cython.int
        o: cython.int
        i: cython.int
        taken: cython.int
        for g in range(self.group_begin[t], self.group_begin[t + 1]):
            taken = -1
            self.left[g] = 0
            for v in range(self.value_begin[g], self.value_begin[g + 1]):
                self.can[v] = 0
                for q in range(self.option_begin[v], self.option_begin[v + 1]):
                    o = self.named[q]
                    if self.mark[o] == OPEN:
                        self.can[v] += 1
                        self.left[g] += 1
                    elif self.mark[o] == TAKEN:
                        taken = v
            if taken >= 0:
                for v in range(self.value_begin[g], self.value_begin[g + 1]):
                    self.can[v] = 1 if v == taken else 0
                self.left[g] = -1
                self.none[g] = 0
                self.least[g] = self.most[g] = self.value[taken]
                continue
            i = self.group_item[g]
            self.none[g] = 1 if i < 0 or self.met[i] > 0 or self.open[i] > self.left[g] else 0
            self.least[g] = self.most[g] = self.group_empty[g] if self.none[g] != 0 else -1
            for v in range(self.value_begin[g], self.value_begin[g + 1]):
                if self.can[v] > 0:
                    if self.least[g] < 0 or self.value[v] < self.least[g]:
                        self.least[g] = self.value[v]
                    if self.value[v] > self.most[g]:
                        self.most[g] = self.value[v]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_met(self, t: cython.int, low: cython.longlong, high: cython.longlong) -> cython.bint:
        """Whether a sum is allowed somewhere from `low` to `high`."""
        r: cython.int
        for r in range(self.range_begin[t], self.range_begin[t + 1]):
            if self.range_high[r] >= low:
                return self.range_low[r] <= high
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _drop_value(self, v: cython.int) -> cython.void:
        """Leave out all options of a value."""
        q: cython.int
        for q in range(self.option_begin[v], self.option_begin[v + 1]):
            if self.mark[self.named[q]] != OUT:
                self._set(self.named[q], OUT)
        self.can[v] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _settle_group(self, g: cython.int) -> cython.bint:
        """Take the last option of a group that must have one taken, once the values of the group have been checked.

        Returns False if none is left.
        """
        v: cython.int
        q: cython.int
        ways: cython.int = 0
        last: cython.int = -1
        if self.left[g] < 0 or self.none[g] != 0:
            return True
        for v in range(self.value_begin[g], self.value_begin[g + 1]):
            if self.can[v] > 0:
                ways += self.can[v]
                last = v
        if ways == 1:
            for q in range(self.option_begin[last], self.option_begin[last + 1]):
                if self.mark[self.named[q]] == OPEN:
                    self._set(self.named[q], TAKEN)
        return ways > 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bound_total(self, t: cython.int) -> cython.bint:
        """Leave out values with which no allowed sum lies within the bounds. Returns False if none does at all."""
        g: cython.int
        v: cython.int
        low: cython.longlong = 0
        high: cython.longlong = 0
        less: cython.longlong
        more: cython.longlong
        self.lowest_sum[t] = 0
        for g in range(self.group_begin[t], self.group_begin[t + 1]):
            if self.least[g] < 0:
                return False
            low += self.least[g]
            high += self.most[g]
        self.lowest_sum[t] = low
        if not self._is_met(t, low, high):
            return False
        for g in range(self.group_begin[t], self.group_begin[t + 1]):
            if self.left[g] <= 0:
                continue
            less = low - self.least[g]
            more = high - self.most[g]
            if self.none[g] != 0 and not self._is_met(t, less + self.group_empty[g], more + self.group_empty[g]):
                self.none[g] = 0
            for v in range(self.value_begin[g], self.value_begin[g + 1]):
                if self.can[v] > 0 and not self._is_met(t, less + self.value[v], more + self.value[v]):
                    self._drop_value(v)
            if not self._settle_group(g):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _spread(
        self, source: cython.longlong, target: cython.longlong, by: cython.longlong, words: cython.longlong
    ) -> cython.void:
        """Add to the set at `target` every sum of the set at `source`, increased by `by`."""
        reach: cython.p_ulonglong = self.reach
        k: cython.longlong
        across: cython.longlong = by >> 6
        shift: cython.int = cython.cast(cython.int, by & 63)
        if across >= words:
            return
        if shift == 0:
            for k in range(across, words):
                reach[target + k] |= reach[source + k - across]
            return
        reach[target + across] |= (reach[source] << shift) & FULL
        for k in range(across + 1, words):
            reach[target + k] |= (reach[source + k - across] << shift) & FULL
            reach[target + k] |= reach[source + k - across - 1] >> (64 - shift)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _gather(
        self, source: cython.longlong, target: cython.longlong, by: cython.longlong, words: cython.longlong
    ) -> cython.void:
        """Add to the set at `target` every sum of the set at `source`, decreased by `by`."""
        reach: cython.p_ulonglong = self.reach
        k: cython.longlong
        across: cython.longlong = by >> 6
        shift: cython.int = cython.cast(cython.int, by & 63)
        last: cython.longlong = words - across - 1
        if shift == 0:
            for k in range(last + 1):
                reach[target + k] |= reach[source + k + across]
            return
        for k in range(last):
            reach[target + k] |= reach[source + k + across] >> shift
            reach[target + k] |= (reach[source + k + across + 1] << (64 - shift)) & FULL
        reach[target + last] |= reach[source + words - 1] >> shift

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _meets(
        self, before: cython.longlong, after: cython.longlong, by: cython.longlong, words: cython.longlong
    ) -> cython.bint:
        """Whether some sum of the set at `before`, increased by `by`, is in the set at `after`."""
        reach: cython.p_ulonglong = self.reach
        k: cython.longlong
        across: cython.longlong = by >> 6
        shift: cython.int = cython.cast(cython.int, by & 63)
        if across >= words:
            return False
        if (reach[before] << shift) & FULL & reach[after + across] != 0:
            return True
        for k in range(across + 1, words):
            if (reach[before + k - across] << shift) & FULL & reach[after + k] != 0:
                return True
            if shift != 0 and reach[before + k - across - 1] >> (64 - shift) & reach[after + k] != 0:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _allow(self, t: cython.int, target: cython.longlong, words: cython.longlong) -> cython.void:
        """Write the set of a total's allowed sums to the row at `target`."""
        r: cython.int
        k: cython.longlong
        low: cython.longlong
        high: cython.longlong
        for k in range(words):
            self.reach[target + k] = 0
        for r in range(self.range_begin[t], self.range_begin[t + 1]):
            low = self.range_low[r]
            high = self.range_high[r]
            for k in range(low >> 6, (high >> 6) + 1):
                word: cython.ulonglong = FULL
                if k == low >> 6:
                    word &= (FULL << (low & 63)) & FULL
                if k == high >> 6:
                    word &= FULL >> (63 - (high & 63))
                self.reach[target + k] |= word

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _reach_total(self, t: cython.int) -> cython.bint:
        """Leave out values that lead from no reachable sum to an allowed one. Returns False if no sum is allowed."""
        words: cython.longlong = (self.bits[t] + 63) >> 6
        first: cython.int = self.group_begin[t]
        groups: cython.int = self.group_begin[t + 1] - first
        after: cython.longlong = (groups + 1) * words
        now: cython.longlong = after + words
        spare: cython.longlong
        row: cython.longlong
        g: cython.int
        v: cython.int
        k: cython.longlong
        some: cython.bint = False
        for k in range(after):
            self.reach[k] = 0
        self.reach[0] = 1
        for g in range(first, first + groups):
            row = (g - first) * words
            for v in range(self.value_begin[g], self.value_begin[g + 1]):
                if self.can[v] > 0:
                    self._spread(row, row + words, self.value[v], words)
            if self.none[g] != 0:
                self._spread(row, row + words, self.group_empty[g], words)
        self._allow(t, after, words)
        for k in range(words):
            self.reach[after + k] &= self.reach[groups * words + k]
            some = some or self.reach[after + k] != 0
        if not some:
            return False
        for g in range(first + groups - 1, first - 1, -1):
            row = (g - first) * words
            for k in range(words):
                self.reach[now + k] = 0
            for v in range(self.value_begin[g], self.value_begin[g + 1]):
                if self.can[v] > 0:
                    if self._meets(row, after, self.value[v], words):
                        self._gather(after, now, self.value[v], words)
                    else:
                        self._drop_value(v)
            if self.none[g] != 0:
                if self._meets(row, after, self.group_empty[g], words):
                    self._gather(after, now, self.group_empty[g], words)
                else:
                    self.none[g] = 0
            if not self._settle_group(g):
                return False
            for k in range(words):
                self.reach[now + k] &= self.reach[row + k]
            spare = after
            after = now
            now = spare
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hold_total(self, t: cython.int) -> cython.bint:
        """Work out what a total forces. Returns False if no allowed sum can be reached."""
        self._look_at_groups(t)
        if not self._bound_total(t) or self.failed:
            return False
        return self.bits[t] == 0 or (self._reach_total(t) and not self.failed)
