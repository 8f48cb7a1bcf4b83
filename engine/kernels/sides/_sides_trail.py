"""Options that are open, taken or out, and what follows for items: the base of the search with sides, _sides.py.

    mark     per option, OPEN, TAKEN or OUT
    trail    the decided options, in the order in which they were decided
    length   how many options are decided;  head: for how many of them the items have been updated
    starts, members, colours   the items of every option, and its colour at each (0: none)
    begin, holders, shades     the options of every item, and their colours there
    low, high                  the bounds of every item; `high` is capped at the number of options
    met, open                  per item, how many taken options hold it without a colour, and how many open ones hold it
    shown, showing             per item, the colour that taken options show there, and how many of them do
    of_begin, of               the sides of every option: first the totals, then the graphs (connections and circuits)
    queue                      the totals that wait to be checked again: a ring of `waiting` entries from `first` on
    graphs                     the graphs that wait, `graph_waiting` of them; they are checked when no total waits
    waits                      per side, whether it is in `queue` or `graphs`
    failed                     whether some option would have to be both taken and left out
    culprit                    the item whose bounds or colours could not be kept last; -1 if there is none

`updates` counts how often an option was taken or left out.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import KernelBase
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _zero_bytes, _zero_ints
    from cython.cimports.covr.engine.kernels.sides._sides_trail import OPEN, OUT, TAKEN
else:
    from covr.engine.kernels.header import SIDES_OPEN as OPEN
    from covr.engine.kernels.header import SIDES_OUT as OUT
    from covr.engine.kernels.header import SIDES_TAKEN as TAKEN
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _zero_bytes, _zero_ints

    KernelBase = load("_kernel", interpreted=True).KernelBase

COMPILED = cython.compiled


@cython.cclass
class Trail(KernelBase):
    """The decided options, undone in reverse order, and what follows from them for items."""

    def __init__(self, problem, arrays):
        """problem: its items and options.  arrays: its sides, as SideArrays of prepare/sides.py."""
        super().__init__()
        n: cython.int = problem.options
        m: cython.int = problem.items
        hold: list = self.hold
        i: cython.int
        begin: list = [0]
        holders: list = []
        for i in range(m):
            holders.extend(problem.holders[i])
            begin.append(len(holders))
        self.options = n
        self.items = m
        self.coloured = bool(problem.colours)
        self.totals = len(arrays.totals.bits)
        graphs = len(arrays.connections.vertex_begin) + len(arrays.circuits.vertex_begin) + len(arrays.areas.spot_begin)
        self.sides = self.totals + graphs - 3
        self.mark = _zero_bytes(n + 1, hold)
        self.starts = _ints(problem.starts, hold)
        self.members = _ints(problem.members, hold)
        self.colours = _ints(problem.colours, hold)
        self.begin = _ints(begin, hold)
        self.holders = _ints(holders, hold)
        self.shades = _ints([c for i in range(m) for c in problem.shades[i]] if problem.colours else (), hold)
        self.low = _ints([min(lo, n + 1) for lo in problem.low], hold)
        self.high = _ints([min(hi, n) for hi in problem.high], hold)
        self.met = _zero_ints(m + 1, hold)
        self.open = _ints([len(held) for held in problem.holders], hold)
        self.shown = _zero_ints(m + 1, hold)
        self.showing = _zero_ints(m + 1, hold)
        self.trail = _zero_ints(n + 1, hold)
        self.of_begin = _ints(arrays.of_begin, hold)
        self.of = _ints(arrays.of, hold)
        self.waits = _zero_bytes(self.sides + 1, hold)
        self.queue = _zero_ints(self.totals + 1, hold)
        self.graphs = _zero_ints(self.sides - self.totals + 1, hold)
        self.length = self.head = 0
        self.first = self.waiting = self.graph_waiting = 0
        self.failed = False
        self.culprit = -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _set(self, o: cython.int, way: cython.int) -> cython.void:
        """Decide an option: `way` is TAKEN or OUT. Sets `failed` if the opposite was decided before."""
        k: cython.int
        i: cython.int
        c: cython.int
        if self.mark[o] != OPEN:
            if self.mark[o] != way:
                self.failed = True
            return
        self.mark[o] = way
        self.trail[self.length] = o
        self.length += 1
        self._updates += 1
        for k in range(self.starts[o], self.starts[o + 1]):
            i = self.members[k]
            self.open[i] -= 1
            if way == TAKEN:
                c = self.colours[k] if self.coloured else 0
                if c == 0:
                    self.met[i] += 1
                else:
                    if self.showing[i] == 0:
                        self.shown[i] = c
                    self.showing[i] += 1
        for k in range(self.of_begin[o], self.of_begin[o + 1]):
            self._wake(self.of[k])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _wake(self, k: cython.int) -> cython.void:
        """Queue a side to be checked again, unless it is queued already."""
        at: cython.int
        if self.waits[k] != 0:
            return
        self.waits[k] = 1
        if k < self.totals:
            at = self.first + self.waiting
            if at >= self.totals:
                at -= self.totals
            self.queue[at] = k
            self.waiting += 1
        else:
            self.graphs[self.graph_waiting] = k
            self.graph_waiting += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _undo(self, length: cython.int) -> cython.void:
        """Reopen the options that were decided after the first `length` of them, and empty both queues."""
        o: cython.int
        k: cython.int
        i: cython.int
        taken: cython.bint
        while self.length > length:
            self.length -= 1
            o = self.trail[self.length]
            taken = self.mark[o] == TAKEN
            self.mark[o] = OPEN
            for k in range(self.starts[o], self.starts[o + 1]):
                i = self.members[k]
                self.open[i] += 1
                if taken:
                    if self.coloured and self.colours[k] != 0:
                        self.showing[i] -= 1
                    else:
                        self.met[i] -= 1
        self.head = length
        self.failed = False
        while self.waiting > 0:
            self.waits[self.queue[self.first]] = 0
            self.first += 1
            if self.first == self.totals:
                self.first = 0
            self.waiting -= 1
        while self.graph_waiting > 0:
            self.graph_waiting -= 1
            self.waits[self.graphs[self.graph_waiting]] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _react(self) -> cython.bint:
        """Work out what follows for items until nothing more does. Returns False on a contradiction."""
        while self.head < self.length:
            self.head += 1
            if not self._follow(self.trail[self.head - 1]) or self.failed:
                return False
        return not self.failed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _follow(self, o: cython.int) -> cython.bint:
        """Work out what the decision of one option means for its items. Returns False if one of them can't be met."""
        k: cython.int
        i: cython.int
        q: cython.int
        c: cython.int
        used: cython.int
        taken: cython.bint = self.mark[o] == TAKEN
        for k in range(self.starts[o], self.starts[o + 1]):
            i = self.members[k]
            self.culprit = i
            if not taken:
                if self.met[i] + self.open[i] <= self.low[i] and not self._take_rest(i):
                    return False
                continue
            c = self.colours[k] if self.coloured else 0
            used = self.met[i] + (self.showing[i] > 0)
            if used > self.high[i]:
                return False
            if c == 0:
                if used == self.high[i] and self.open[i] > 0 and not self._drop_rest(i):
                    return False
            elif c != self.shown[i]:
                return False
            elif self.showing[i] == 1 or self.open[i] > 0:
                for q in range(self.begin[i], self.begin[i + 1]):
                    if self.shades[q] != c and self.mark[self.holders[q]] != OUT:
                        self._set(self.holders[q], OUT)
        self.culprit = -1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _drop_rest(self, i: cython.int) -> cython.bint:
        """An item has as many options as it may have: leave its open ones out."""
        q: cython.int
        for q in range(self.begin[i], self.begin[i + 1]):
            if self.mark[self.holders[q]] == OPEN:
                self._set(self.holders[q], OUT)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take_rest(self, i: cython.int) -> cython.bint:
        """An item has at most as many options left as it needs: take them all. Returns False if there are too few."""
        q: cython.int
        if self.met[i] + self.open[i] < self.low[i]:
            return False
        if self.open[i] > 0:
            for q in range(self.begin[i], self.begin[i + 1]):
                if self.mark[self.holders[q]] == OPEN:
                    self._set(self.holders[q], TAKEN)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _check_items(self) -> cython.bint:
        """At the root, decide what the bounds alone force. Returns False if they can't be met."""
        i: cython.int
        for i in range(self.items):
            if self.low[i] > self.high[i]:
                return False
            if self.met[i] + self.open[i] <= self.low[i] and not self._take_rest(i):
                return False
            if self.high[i] == 0:
                self._drop_rest(i)
        return not self.failed
