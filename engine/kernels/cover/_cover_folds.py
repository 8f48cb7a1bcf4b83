"""Levels in branch and bound for minimum covers that take a bit where others take an array.

A dive goes through as many levels as a cover has options, and each is a copy of what is left: on 200 000 options of 6
items the levels took 7 GB, 35 KB an option. So once the levels take `most` numbers, a level below which the search goes
is *folded*: of its options and items only a bit each stays, which tells who of its *base* is still there, and the next
level is written over it. The base is the nearest level above that is not folded. When everything below is done, the
level is made again from its base: those without a bit go, and what was taken since then is taken off the needs. It is
the same level as before, except that its prices are those of its base.

A level with at most one `SHRUNK`th of its base's members is not folded, and is a base itself. So all levels together
take at most `most` numbers and those of two more levels, and bits need less room the deeper the search is.

    most            numbers that levels may take in `ints` before they are folded
    shrunk          how many times fewer members than its base a level must have to be a base itself
    base            per level, the nearest level above that is not folded
    fold_at         per level, where its bits begin in `bits`; -1 if it is not folded
    bits, bits_end  per folded level, a bit for each option of its base, then one for each item; where the last ones end

Below `ROOM` nothing is folded, so that small problems have the same nodes as ever. Before this, a cover with 50 000
options took 2.1 GB after 30 s.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.cover._cover_levels import Levels
    from cython.cimports.covr.engine.kernels.shared.arrays import _zero_ints, _zero_longs, _zero_words
else:
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _zero_ints, _zero_longs, _zero_words

    Levels = load("_cover_levels", interpreted=True).Levels

COMPILED = cython.compiled

ROOM = cython.declare(cython.longlong, 12_000_000)  # numbers of 4 bytes that levels may take in any case: 48 MB,
PER_MEMBER = cython.declare(cython.longlong, 15)  # or this many per member of the first level, if that is more
SHRUNK = cython.declare(cython.longlong, 2)  # see above
ONE = cython.declare(cython.ulonglong, 1)  # a word with one bit


@cython.cclass
class Folds(Levels):
    """The levels, folded where they would take too much memory."""

    def __init__(self, needs, options, costs, cutoff: cython.longlong, looks=None):
        """The arguments are those of `Levels`."""
        super().__init__(needs, options, costs, cutoff, looks)
        d: cython.int
        self.base = _zero_ints(self.depth, self.hold)
        self.fold_at = _zero_longs(self.depth, self.hold)
        for d in range(self.depth):
            self.fold_at[d] = -1
        self.bits_end = self.bits_room = 0
        self._grow_bits(0)
        self.shrunk = SHRUNK
        self.most = max(ROOM, PER_MEMBER * self.ints[self.at_start[0] + self.options[0]])

    def set_room(self, numbers: cython.longlong, shrunk: cython.longlong = 2):
        """Let levels take so many numbers of 4 bytes before they are folded. shrunk: see above; for tests."""
        self.most, self.shrunk = numbers, shrunk

    def folded(self):
        """How many levels are folded now."""
        return sum([self.fold_at[d] >= 0 for d in range(self.level)])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _deeper(self, d: cython.int) -> cython.void:
        """Make room for the level below the top level d, which is folded if all of them take too much."""
        m: cython.longlong = self.items[d]
        n: cython.longlong = self.options[d]
        z: cython.longlong = self.ints[self.at_start[d] + n]
        c: cython.int = self.base[d]
        end: cython.longlong = self.int_end[d] + 3 * m + 3 * n + 2 + 2 * z
        if d == 0 or end <= self.most or self.shrunk * z <= self.ints[self.at_start[c] + self.options[c]]:
            self._room(d + 1, m, n, z)
            self.base[d + 1] = d
            return
        self._fold(d)
        self.base[d + 1] = c
        self.at_item[d + 1] = self.at_item[d]
        self.at_need[d + 1] = self.at_need[d]
        self.at_option[d + 1] = self.at_option[d]
        self.at_cost[d + 1] = self.at_cost[d]
        self.at_start[d + 1] = self.at_start[d]
        self.at_in[d + 1] = self.at_in[d]
        self.at_row[d + 1] = self.at_row[d]
        self.at_by[d + 1] = self.at_by[d]
        self.at_price[d + 1] = self.at_price[d]
        self.at_rc[d + 1] = self.at_rc[d]
        self.int_end[d + 1] = self.int_end[d]
        self.real_end[d + 1] = self.real_end[d]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fold(self, d: cython.int) -> cython.void:
        """Note who of its base is in the top level d."""
        c: cython.int = self.base[d]
        ints: cython.p_int = self.ints
        words: cython.longlong = (self.options[c] + self.items[c] + 63) // 64
        at: cython.longlong = self.bits_end
        k: cython.longlong
        b: cython.int
        j: cython.int
        if at + words > self.bits_room:
            with cython.gil:
                self._grow_bits(at + words)
        bits: cython.p_ulonglong = self.bits
        for k in range(at, at + words):
            bits[k] = 0
        # Both are in the order of the caller's numbers.
        b = 0
        for j in range(self.options[d]):
            while ints[self.at_option[c] + b] != ints[self.at_option[d] + j]:
                b += 1
            bits[at + b // 64] |= ONE << (b & 63)
        b = 0
        for j in range(self.items[d]):
            while ints[self.at_item[c] + b] != ints[self.at_item[d] + j]:
                b += 1
            k = self.options[c] + b
            bits[at + k // 64] |= ONE << (k & 63)
        self.fold_at[d] = at
        self.bits_end = at + words

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _unfold(self, d: cython.int) -> cython.void:
        """Make level d again, as it was when it was folded, and the top level. Nothing below it may be needed."""
        c: cython.int = self.base[d]
        at: cython.longlong = self.fold_at[d]
        ints: cython.p_int = self.ints
        held: cython.longlong = self.at_in[c]
        start: cython.longlong = self.at_start[c]
        option: cython.longlong = self.at_option[c]
        k: cython.longlong
        p: cython.int
        q: cython.int
        o: cython.int
        i: cython.int
        low: cython.int
        high: cython.int
        self.level = c
        self._open()
        for o in range(self.options[c]):
            if (self.bits[at + o // 64] >> (o & 63)) & 1 == 0:
                self.live[o] = 0
        for p in range(self.length[c], self.length[d]):
            low = 0
            high = self.options[c] - 1
            while low < high:
                o = (low + high) // 2
                if ints[option + o] < self.path[p]:
                    low = o + 1
                else:
                    high = o
            for q in range(ints[start + low], ints[start + low + 1]):
                i = ints[held + q]
                if self.left[i] > 0:
                    self.left[i] -= 1
        for i in range(self.items[c]):
            k = self.options[c] + i
            if (self.bits[at + k // 64] >> (k & 63)) & 1 == 0:
                self.left[i] = 0
        self._keep(d)
        self.level = d
        self.fold_at[d] = -1
        self.bits_end = at

    @cython.cfunc
    def _grow_bits(self, words: cython.longlong):
        """Move the bits to a larger array. words: how many it must hold."""
        k: cython.longlong
        hold: list = []
        room: cython.longlong = max(2 * words, 1024)
        new: cython.p_ulonglong = _zero_words(room, hold)
        for k in range(self.bits_end):
            new[k] = self.bits[k]
        self.bits, self.bits_room, self.bits_hold = new, room, hold
