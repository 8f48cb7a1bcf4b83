# distutils: extra_compile_args = -ffp-contract=off (the same sums everywhere)
"""The options of a mixed problem and which of them are settled: the lowest part of the kernel of _mixed.py.

Every option is *free*, *taken* or *dropped*; taken and dropped options are *settled*. Settled options are put on a
trail, and are undone from its end.

**Propagation** (`propagate`). When an item has all the options that it may have, its free options are dropped; when it
needs all its free options, they are taken; options that show a different colour from a taken one are dropped. The node
fails if an item can't be met or is met too often. In a *heavy* row options have whole coefficients, of either sign, and
what the taken ones add up to must lie between the row's bounds: an option is settled as soon as the other choice would
leave no sum within them.

**Data.** Items are numbered so that those of the linear program, the *rows*, come first: `plain` rows, which count
their options, and then the heavy ones. A problem without sides has no heavy rows, and nothing is done for them.

    start, mid, inn   option o holds the items inn[start[o]] … inn[start[o+1]-1]; up to mid[o] they are plain rows
    past              per option, the end of its heavy rows, which begin at mid[o]
    coefficient       per entry of inn that belongs to a heavy row, the option's coefficient
    weights           per entry of `by` that belongs to a heavy row, the option's coefficient
    lowest, highest   per heavy row, the least and the greatest sum that its options can still reach
    shade             per entry of inn, the option's colour at that item; 0 for none
    row, by           item i is held by the options by[row[i]] … by[row[i+1]-1], increasing
    low, high         per item, its bounds; a high of UNBOUNDED means no upper bound
    state             per option: FREE, TAKEN or DROPPED
    took, live        per item, how many of its options are taken and how many are free
    setter            per item, the taken option that gave it its colour, or -1
    trail, size, head the settled options in the order in which they were settled, and how many there are; those before
                      head are propagated
    paid              the sum of the costs of the taken options
    mark, stamp       scratch of `_part`: the options marked in its last call have mark[o] == stamp
    begun             whether the linear program is set up for the options that are settled now
    cutoff            only answers whose cost times `unit` (_mixed.py) is less are looked for
    work              roughly how many numbers were read so far
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.mixed._mixed_state import DROPPED, FREE, TAKEN, UNBOUNDED
    from cython.cimports.covr.engine.kernels.shared.arrays import _zero_ints, _zero_longs
else:
    from covr.engine.kernels.header import MIXED_DROPPED as DROPPED
    from covr.engine.kernels.header import MIXED_FREE as FREE
    from covr.engine.kernels.header import MIXED_TAKEN as TAKEN
    from covr.engine.kernels.header import MIXED_UNBOUNDED as UNBOUNDED
    from covr.engine.kernels.shared.arrays import _zero_ints, _zero_longs

COMPILED = cython.compiled


@cython.cclass
class MixedState:
    """Options and items, and which options are settled; see the module."""

    def __init__(self, lows, highs, rows, options, shades, costs, cutoff: cython.longlong, heavy):
        """The arguments are those of `MixedKernel`."""
        n: cython.int = len(options)
        h: cython.int = len(heavy)
        m: cython.int = len(lows) + h
        k: cython.int
        i: cython.int
        o: cython.int
        z: cython.longlong = sum([len(option) for option in options])
        hold: list = []
        held: list = [()] * n
        if h > 0:
            held = [[] for _ in range(n)]
            for k, row in enumerate(heavy, rows):
                for o, weight in row.terms:
                    held[o].append((k, weight))
            z += sum([len(row) for row in held])
        self.hold = hold
        self.n, self.m, self.rows, self.plain = n, m, rows + h, rows
        self.start = _zero_ints(n + 1, hold)
        self.mid = _zero_ints(n + 1, hold)
        self.past = _zero_ints(n + 1, hold)
        self.inn = _zero_ints(z, hold)
        self.coefficient = _zero_longs(z if h > 0 else 0, hold)
        self.weights = _zero_longs(z if h > 0 else 0, hold)
        self.lowest = _zero_longs(m if h > 0 else 0, hold)
        self.highest = _zero_longs(m if h > 0 else 0, hold)
        self.shade = _zero_ints(z, hold)
        self.row = _zero_ints(m + 2, hold)
        self.by = _zero_ints(z, hold)
        self.low = _zero_ints(m, hold)
        self.high = _zero_ints(m, hold)
        self.cost = _zero_longs(n, hold)
        self.state = _zero_ints(n, hold)
        self.took = _zero_ints(m, hold)
        self.live = _zero_ints(m, hold)
        self.setter = _zero_ints(m, hold)
        self.trail = _zero_ints(n, hold)
        self.mark = _zero_ints(n, hold)
        self.stamp = self.size = self.head = 0
        self.paid = self.work = 0
        self.cutoff = cutoff
        self.begun = False
        at: cython.int = 0
        for o in range(n):
            self.cost[o] = costs[o]
            self.start[o] = self.mid[o] = at
            for k, i in enumerate(options[o]):
                if i >= rows:
                    break
                self.inn[at] = i
                if shades is not None:
                    self.shade[at] = shades[o][k]
                self.live[i] += 1
                at += 1
            self.mid[o] = at
            for i, weight in held[o]:
                self.inn[at] = i
                self.coefficient[at] = weight
                self.lowest[i] += min(weight, 0)
                self.highest[i] += max(weight, 0)
                self.live[i] += 1
                at += 1
            self.past[o] = at
            for k in range(self.mid[o] - self.start[o], len(options[o])):
                i = options[o][k] + h
                self.inn[at] = i
                if shades is not None:
                    self.shade[at] = shades[o][k]
                self.live[i] += 1
                at += 1
        self.start[n] = at
        at = 0
        for i in range(m):
            if i < rows:
                self.low[i], self.high[i] = lows[i], highs[i]
            elif i < self.rows:
                self.low[i], self.high[i] = heavy[i - rows].low, heavy[i - rows].high
            else:
                self.low[i], self.high[i] = lows[i - h], highs[i - h]
            self.setter[i] = -1
            self.row[i + 1] = at
            at += self.live[i]
        for o in range(n):
            for k in range(self.start[o], self.start[o + 1]):
                i = self.inn[k]
                self.by[self.row[i + 1]] = o
                if h > 0:
                    self.weights[self.row[i + 1]] = self.coefficient[k]
                self.row[i + 1] += 1

    def standing(self):
        """How many options are settled; `undo` can return to this state."""
        return self.size

    def spent(self):
        """The work done so far: roughly how many numbers were read."""
        return self.work

    def taken(self):
        """The options that are taken, increasing."""
        return [o for o in range(self.n) if self.state[o] == TAKEN]

    def settled(self, since: cython.int):
        """The options settled after the first `since`, in order, each with whether it is taken."""
        return [(self.trail[k], self.state[self.trail[k]] == TAKEN) for k in range(since, self.size)]

    def frees_left(self):
        """The options that are free, increasing."""
        return [o for o in range(self.n) if self.state[o] == FREE]

    def lower(self, cutoff: cython.longlong):
        """From now on, look only for answers whose cost times `unit` is less than `cutoff`."""
        self.cutoff = cutoff

    def take(self, option: cython.int):
        """Take an option and propagate; returns whether an answer is still possible."""
        return self._set(option, TAKEN) and self._propagate()

    def drop(self, option: cython.int):
        """Drop an option and propagate; returns whether an answer is still possible."""
        return self._set(option, DROPPED) and self._propagate()

    def propagate(self):
        """Settle what the bounds of all items force; returns whether an answer is possible. Call it once, first."""
        i: cython.int
        for i in range(self.m):
            if not self._look(i):
                return False
        return self._propagate()

    def together(self, one: cython.int, other: cython.int):
        """Drop the options that hold just one of two items; returns whether an answer is still possible."""
        return self._part(one, other, False) and self._part(other, one, False) and self._propagate()

    def apart(self, one: cython.int, other: cython.int):
        """Drop the options that hold both items; returns whether an answer is still possible."""
        return self._part(one, other, True) and self._propagate()

    def undo(self, size: cython.int):
        """Free the options settled after the first `size`."""
        o: cython.int
        i: cython.int
        q: cython.int
        while self.size > size:
            self.size -= 1
            o = self.trail[self.size]
            for q in range(self.start[o], self.start[o + 1]):
                i = self.inn[q]
                self.live[i] += 1
                if self.state[o] == TAKEN:
                    self.took[i] -= 1
                    if self.setter[i] == o:
                        self.setter[i] = -1
            if self.rows > self.plain:
                self._count_sums(o, self.state[o], -1)
            if self.state[o] == TAKEN:
                self.paid -= self.cost[o]
            self.state[o] = FREE
        self.head = self.size
        self.begun = False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _part(self, one: cython.int, other: cython.int, both: cython.bint) -> cython.bint:
        """Drop the options of `one` that hold `other` too, or if not `both`, that don't. False if one is taken."""
        k: cython.int
        o: cython.int
        self.stamp += 1
        for k in range(self.row[other], self.row[other + 1]):
            self.mark[self.by[k]] = self.stamp
        for k in range(self.row[one], self.row[one + 1]):
            o = self.by[k]
            if (self.mark[o] == self.stamp) == both and self.state[o] != DROPPED and not self._set(o, DROPPED):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _set(self, o: cython.int, state: cython.int) -> cython.bint:
        """Settle an option; returns False if it is already settled the other way."""
        q: cython.int
        i: cython.int
        if self.state[o] != FREE:
            return self.state[o] == state
        self.begun = False
        self.state[o] = state
        self.trail[self.size] = o
        self.size += 1
        for q in range(self.start[o], self.start[o + 1]):
            i = self.inn[q]
            self.live[i] -= 1
            if state == TAKEN:
                self.took[i] += 1
        if self.rows > self.plain:
            self._count_sums(o, state, 1)
        if state == TAKEN:
            self.paid += self.cost[o]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _count_sums(self, o: cython.int, state: cython.int, times: cython.int) -> cython.void:
        """Change the sums that heavy rows can reach: option o was settled (`times` 1), or is free again (-1)."""
        q: cython.int
        a: cython.longlong
        for q in range(self.mid[o], self.past[o]):
            a = self.coefficient[q] * times
            if (self.coefficient[q] > 0) == (state == TAKEN):
                self.lowest[self.inn[q]] += a if state == TAKEN else -a
            else:
                self.highest[self.inn[q]] += a if state == TAKEN else -a

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _propagate(self) -> cython.bint:
        """Work out what follows for the items of newly settled options. Returns False if no answer is possible."""
        o: cython.int
        q: cython.int
        while self.head < self.size:
            o = self.trail[self.head]
            self.head += 1
            for q in range(self.start[o], self.start[o + 1]):
                if self.inn[q] >= self.rows:
                    if self.state[o] == TAKEN and not self._tint(o, self.inn[q], self.shade[q]):
                        return False
                elif not self._look(self.inn[q]):
                    return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look(self, i: cython.int) -> cython.bint:
        """Settle what the bounds of an item without colours force. Returns False if they can't be kept."""
        k: cython.int
        o: cython.int
        state: cython.int = FREE
        if i >= self.plain:
            return i >= self.rows or self._balance(i)
        if self.took[i] > self.high[i] or self.took[i] + self.live[i] < self.low[i]:
            return False
        if self.live[i] == 0:
            return True
        if self.took[i] == self.high[i]:
            state = DROPPED
        elif self.took[i] + self.live[i] == self.low[i]:
            state = TAKEN
        if state != FREE:
            self.work += self.row[i + 1] - self.row[i]
            for k in range(self.row[i], self.row[i + 1]):
                o = self.by[k]
                if self.state[o] == FREE:
                    self._set(o, state)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _balance(self, i: cython.int) -> cython.bint:
        """Settle what the bounds of a heavy row force. Returns False if its options can't reach a sum within them."""
        k: cython.int
        o: cython.int
        a: cython.longlong
        above: cython.longlong = self.highest[i] - self.low[i]  # how far the greatest sum may fall
        below: cython.longlong = self.high[i] - self.lowest[i]  # how far the least sum may rise
        if self.high[i] >= UNBOUNDED:
            below = 1 << 62
        if above < 0 or below < 0:
            return False
        if above >= self.highest[i] - self.lowest[i] and below >= self.highest[i] - self.lowest[i]:
            return True
        self.work += self.row[i + 1] - self.row[i]
        for k in range(self.row[i], self.row[i + 1]):
            o = self.by[k]
            if self.state[o] != FREE:
                continue
            a = self.weights[k]
            if a > above or -a > below:
                self._set(o, TAKEN)
            elif a > below or -a > above:
                self._set(o, DROPPED)
            else:
                continue
            above = self.highest[i] - self.low[i]
            if self.high[i] < UNBOUNDED:
                below = self.high[i] - self.lowest[i]
            if above < 0 or below < 0:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _tint(self, o: cython.int, i: cython.int, shade: cython.int) -> cython.bint:
        """Option o, taken, shows a colour at item i (0: holds it alone): drop all options that differ there.

        Returns False if one of them is taken.
        """
        k: cython.int
        q: cython.int
        other: cython.int
        if self.setter[i] == -1:
            self.setter[i] = o
        for k in range(self.row[i], self.row[i + 1]):
            other = self.by[k]
            if other == o or self.state[other] == DROPPED:
                continue
            q = self.start[other]
            while self.inn[q] != i:
                q += 1
            if (shade == 0 or self.shade[q] != shade) and not self._set(other, DROPPED):
                return False
        return True
