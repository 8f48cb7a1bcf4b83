# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef, has-type"
"""The options of a mixed problem and what is settled about them: the lowest part of the kernel of _mixed.py.

Every option is *free*, *taken* or *dropped*. What is settled goes on a trail, and is undone from its end.

**Propagation** (`propagate`): where an item is full its free options are dropped; where it needs all its free options
they are taken; options that show another colour than a taken one are dropped. An item that can't be met, or is met too
often, is the end of the node.

**Data.** Items are numbered so that those of the linear program, the *rows*, come first.

    start, mid, inn   option o holds the items inn[start[o]] … inn[start[o+1]-1]; up to mid[o] they are rows
    shade             beside inn, colours
    row, by           item i is held by the options by[row[i]] … by[row[i+1]-1], increasing
    low, high         of items; UNBOUNDED where nothing bounds it from above
    state             of options: FREE, TAKEN, DROPPED
    took, live        per item, its taken and its free options;  setter: the option that gave it its colour, or -1
    trail, size, head options in the order in which they were settled; those before head are propagated
    paid              the costs of taken options together
    mark, stamp       scratch of `_part`: the options marked in its last call have mark[o] == stamp
    begun             whether the linear program is set up for what is settled now
    cutoff            only answers of which unit times the cost is less are looked for
    work              numbers looked at so far, about
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels._memory import _zero_ints, _zero_longs  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._mixed_state import DROPPED, FREE, TAKEN  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels._memory import _zero_ints, _zero_longs
    from covr.engine.kernels.codes import MIXED_DROPPED as DROPPED
    from covr.engine.kernels.codes import MIXED_FREE as FREE
    from covr.engine.kernels.codes import MIXED_TAKEN as TAKEN

COMPILED = cython.compiled


@cython.cclass
class MixedState:
    """Options and items, and which options are settled; see above."""

    def __init__(self, lows, highs, rows, options, shades, costs, cutoff: cython.longlong):
        """The arguments are those of `MixedKernel`."""
        n: cython.int = len(options)
        m: cython.int = len(lows)
        k: cython.int
        i: cython.int
        o: cython.int
        z: cython.longlong = sum([len(option) for option in options])
        hold: list = []
        self.hold = hold
        self.n, self.m, self.rows = n, m, rows
        self.start = _zero_ints(n + 1, hold)
        self.mid = _zero_ints(n + 1, hold)
        self.inn = _zero_ints(z, hold)
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
                self.inn[at] = i
                if shades is not None:
                    self.shade[at] = shades[o][k]
                self.live[i] += 1
                at += 1
                if i < rows:
                    self.mid[o] = at
        self.start[n] = at
        at = 0
        for i in range(m):
            self.low[i], self.high[i] = lows[i], highs[i]
            self.setter[i] = -1
            self.row[i + 1] = at
            at += self.live[i]
        for o in range(n):
            for k in range(self.start[o], self.start[o + 1]):
                i = self.inn[k]
                self.by[self.row[i + 1]] = o
                self.row[i + 1] += 1

    def standing(self):
        """How many options are settled: where `undo` can go back to."""
        return self.size

    def spent(self):
        """The work done so far: numbers looked at, about."""
        return self.work

    def taken(self):
        """The options that are taken, increasing."""
        return [o for o in range(self.n) if self.state[o] == TAKEN]

    def frees_left(self):
        """The options that are free, increasing."""
        return [o for o in range(self.n) if self.state[o] == FREE]

    def lower(self, cutoff: cython.longlong):
        """From now on only answers of which unit times the cost is less."""
        self.cutoff = cutoff

    def take(self, option: cython.int):
        """Take an option, and what follows; returns whether an answer is still possible."""
        return self._set(option, TAKEN) and self._propagate()

    def drop(self, option: cython.int):
        """Drop an option, and what follows; returns whether an answer is still possible."""
        return self._set(option, DROPPED) and self._propagate()

    def propagate(self):
        """What follows from the bounds of all items; to be called once, in the beginning."""
        i: cython.int
        for i in range(self.m):
            if not self._look(i):
                return False
        return self._propagate()

    def together(self, one: cython.int, other: cython.int):
        """Drop what holds one of two items without the other; returns whether an answer is still possible."""
        return self._part(one, other, False) and self._part(other, one, False) and self._propagate()

    def apart(self, one: cython.int, other: cython.int):
        """Drop what holds both items; returns whether an answer is still possible."""
        return self._part(one, other, True) and self._propagate()

    def undo(self, size: cython.int):
        """Free again whatever was settled beyond so many."""
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
            if self.state[o] == TAKEN:
                self.paid -= self.cost[o]
            self.state[o] = FREE
        self.head = self.size
        self.begun = False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _part(self, one: cython.int, other: cython.int, both: cython.bint) -> cython.bint:
        """Drop the free options that hold one item and the other one, too, or not."""
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
        """Settle an option; returns False where it is settled the other way."""
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
        if state == TAKEN:
            self.paid += self.cost[o]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _propagate(self) -> cython.bint:
        """Look at the items of whatever was settled."""
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
        """What the bounds of an item without colours settle."""
        k: cython.int
        o: cython.int
        state: cython.int = FREE
        if i >= self.rows:
            return True
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
    def _tint(self, o: cython.int, i: cython.int, shade: cython.int) -> cython.bint:
        """A taken option shows a colour (0: holds the item alone): what shows another one, or none, goes."""
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
