"""Prices for large covering problems, found on a small core of options, and such cores.

Prices y of the items, at least 0, leave an option the reduced cost rc = cost - (sum of y over its items), and

    L(y) = sum of need[i] · y[i]  +  sum of the negative reduced costs

is at most what any cover costs. `climb` follows subgradients of L as if only a core of options existed: those of least
reduced cost, and for each item the best few that hold it. From time to time all options are *priced*: their reduced
costs are worked out anew, which gives L for the whole problem and the next core. How long a core is kept depends on
how far its L was above that of the whole problem. So a step takes time in proportion to the core, however many options
there are.

`stir` changes the best prices at random and lets a few steps repair them, and `pick` lists the core for the prices it
has left: options that are likely to be in good covers, somewhat different ones each time. Nothing here is trusted: a
core is a place to look for covers, L is computed in floating point and proves nothing.

    start, held          option o holds the items held[start[o]] … held[start[o+1]-1]
    need, costs          per item and per option, as reals
    y, best_y            the present prices, and those with the highest L for the whole problem
    rc                   per option, its reduced cost when all were last priced
    core, size           the options of the core, increasing
    core_start, core_held  the same as start and held, for the core
    lack                 per item, how many more options it needs than there are of negative reduced cost
    top, slot, room      per item, the options of least reduced cost: top[slot[i]] … top[slot[i]+room-1], of which
                         count[i] are there
    marked, heap         per option, whether it is in the core; scratch
    work                 array entries read so far

Source: Caprara, Fischetti and Toth (1999), "A heuristic method for the set covering problem", for the core and how
often it is priced. Tried and not worth it: their length of steps, which grows or shrinks with how much L varies over
twenty of them (worse prices after three times the work); directions into which earlier steps enter.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import LISTED
    from cython.cimports.covr.engine.kernels.shared._looks import Looks
    from cython.cimports.covr.engine.kernels.shared.arrays import _reals, _zero_ints, _zero_reals
else:
    from covr.engine.kernels.header import LISTED
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _reals, _zero_ints, _zero_reals

    Looks = load("_looks", interpreted=True).Looks

COMPILED = cython.compiled

PACE = cython.declare(cython.double, 1.5)  # factor of the length of a step at first
LEAST = cython.declare(cython.double, 0.004)  # and the least, at which the climb ends
PATIENCE = cython.declare(cython.int, 40)  # steps without gain after which that factor is halved
REST = cython.declare(cython.int, 300)  # steps without gain after which the climb ends, once steps are short
GAIN = cython.declare(cython.double, 1e-4)  # share of L that counts as a gain, and that L of a core may exceed all
SOON = cython.declare(cython.int, 10)  # steps until all options are priced, at first; they get more and more


@cython.final
@cython.cclass
class CorePrices:
    """A problem's prices, which get better with every `climb`. The module describes its arrays."""

    m: cython.int
    n: cython.int
    size: cython.int
    per: cython.int
    random: cython.longlong
    work: cython.longlong
    best: cython.double
    pace: cython.double  # factor of the length of the last step
    flat: cython.bint  # whether the last step had nowhere to go
    start: cython.p_int
    held: cython.p_int
    need: cython.p_double
    costs: cython.p_double
    y: cython.p_double
    kept_y: cython.p_double
    best_y: cython.p_double
    rc: cython.p_double
    core: cython.p_int
    core_start: cython.p_int
    core_held: cython.p_int
    lack: cython.p_double
    top: cython.p_int
    slot: cython.p_int
    count: cython.p_int
    marked: cython.p_int
    heap: cython.p_double
    looks: Looks
    hold: list

    def __init__(self, needs, options, costs, per: cython.int = 5, seed: cython.longlong = 1, looks=None):
        """needs: per item, how many options it needs; at least that many hold it.  options: per option, its items, at
        least one.  costs: per option, at least 1.  per: a core holds at least this many options of each item, and one
        more for each that it needs beyond the first.  looks: as for `Descent`; may raise the exception that stops."""
        m: cython.int = len(needs)
        n: cython.int = len(options)
        i: cython.int
        o: cython.int
        at: cython.int = 0
        members: cython.int = sum([len(option) for option in options])
        self.hold = []
        self.looks = Looks() if looks is None else looks
        self.m, self.n, self.per = m, n, per
        self.start = _zero_ints(n + 1, self.hold)
        self.held = _zero_ints(members + 1, self.hold)
        for o in range(n):
            if self.looks.tick(LISTED * (len(options[o]) + 1)):
                self.looks.settle()
            for i in options[o]:
                self.held[at] = i
                at += 1
            self.start[o + 1] = at
        self.need = _reals([float(need) for need in needs], self.hold)
        self.costs = _reals([float(cost) for cost in costs], self.hold)
        self.y = _zero_reals(m + 1, self.hold)
        self.kept_y = _zero_reals(m + 1, self.hold)
        self.best_y = _zero_reals(m + 1, self.hold)
        self.rc = _zero_reals(n + 1, self.hold)
        self.core = _zero_ints(n + 1, self.hold)
        self.core_start = _zero_ints(n + 2, self.hold)
        self.core_held = _zero_ints(members + 1, self.hold)
        self.lack = _zero_reals(m + 1, self.hold)
        self.slot = _zero_ints(m + 1, self.hold)
        for i in range(m):
            self.slot[i + 1] = self.slot[i] + per + needs[i] - 1
        self.top = _zero_ints(self.slot[m] + 1, self.hold)
        self.count = _zero_ints(m + 1, self.hold)
        self.marked = _zero_ints(n + 1, self.hold)
        self.heap = _zero_reals(n + 1, self.hold)
        self.random = (seed % 2147483646) + 1
        self.size = 0
        self.work = 0
        self.best = -1e300
        self.pace = 0.0
        self.flat = False
        self._begin()

    def climb(self, goal: cython.double, steps: cython.int, size: cython.int):
        """Take at most `steps` steps from the best prices. goal: what the best cover known costs.  size: how many
        options of least reduced cost are in a core. Returns the best L so far. Raises what stopped `looks`."""
        with cython.nogil:
            self._return()
            self._climb(goal, steps, size)
        self.looks.settle()
        return self.best

    def stir(self, goal: cython.double, share: cython.double, steps: cython.int, size: cython.int):
        """Multiply the best prices by random factors from 1 - share to 1 + share, and take a few steps on one core."""
        with cython.nogil:
            self._return()
            self._shake(share)
            self._price()
            self._enlist(size, self.per)
            self._steps(goal, PACE / 8, steps)
        self.looks.settle()

    def pick(self, size: cython.int, per: cython.int):
        """The core for the present prices: option numbers, increasing. size: as for `climb`.  per: of each item, as
        for the class, which has the most."""
        with cython.nogil:
            self._price()
            self._enlist(size, per if per < self.per else self.per)
        self.looks.settle()
        return [self.core[k] for k in range(self.size)]

    def value(self):
        """The best L so far, as a real."""
        return self.best

    def prices(self):
        """The best prices, per item."""
        return [self.best_y[i] for i in range(self.m)]

    def spent(self):
        """How many array entries were read so far."""
        return self.work

    @cython.cfunc
    def _begin(self) -> cython.void:
        """First prices: for each item, the least of what its options cost per item they hold."""
        o: cython.int
        q: cython.int
        share: cython.double
        for q in range(self.m):
            self.best_y[q] = 1e300
        for o in range(self.n):
            share = self.costs[o] / (self.start[o + 1] - self.start[o])
            for q in range(self.start[o], self.start[o + 1]):
                if share < self.best_y[self.held[q]]:
                    self.best_y[self.held[q]] = share

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _return(self) -> cython.void:
        """Go back to the best prices."""
        i: cython.int
        for i in range(self.m):
            self.y[i] = self.best_y[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _shake(self, share: cython.double) -> cython.void:
        i: cython.int
        for i in range(self.m):
            self.random = self.random * 48271 % 2147483647
            self.y[i] *= 1.0 - share + 2.0 * share * self.random / 2147483647.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _price(self) -> cython.double:
        """Work out all reduced costs at the prices y; returns L."""
        o: cython.int
        q: cython.int
        i: cython.int
        first: cython.int
        last: cython.int = 0
        s: cython.double
        total: cython.double = 0.0
        for i in range(self.m):
            total += self.y[i] * self.need[i]
        for o in range(self.n):
            s = self.costs[o]
            first = last
            last = self.start[o + 1]
            for q in range(first, last):
                s -= self.y[self.held[q]]
            self.rc[o] = s
            if s < 0.0:
                total += s
        self.work += last
        self.looks.tick(last)
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enlist(self, size: cython.int, per: cython.int) -> cython.void:
        """Make the core for the reduced costs of all options."""
        o: cython.int
        i: cython.int
        k: cython.int
        p: cython.int
        q: cython.int
        at: cython.int = 0
        cap: cython.int
        first: cython.int
        edge: cython.double = self._edge(size)
        s: cython.double
        for i in range(self.m):
            self.count[i] = 0
        for o in range(self.n):
            s = self.rc[o]
            self.marked[o] = 1 if s < edge else 0
            for q in range(self.start[o], self.start[o + 1]):
                i = self.held[q]
                first = self.slot[i]
                cap = self.slot[i + 1] - first - self.per + per
                k = self.count[i]
                if k == cap:
                    if s >= self.rc[self.top[first + k - 1]]:
                        continue
                    k -= 1
                else:
                    self.count[i] += 1
                while k > 0 and self.rc[self.top[first + k - 1]] > s:
                    self.top[first + k] = self.top[first + k - 1]
                    k -= 1
                self.top[first + k] = o
        for i in range(self.m):
            for k in range(self.slot[i], self.slot[i] + self.count[i]):
                self.marked[self.top[k]] = 1
        p = 0
        for o in range(self.n):
            if self.marked[o] != 0:
                self.core[p] = o
                for q in range(self.start[o], self.start[o + 1]):
                    self.core_held[at] = self.held[q]
                    at += 1
                p += 1
                self.core_start[p] = at
        self.size = p
        self.work += 2 * self.start[self.n]
        self.looks.tick(2 * self.start[self.n])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _edge(self, size: cython.int) -> cython.double:
        """The reduced cost below which there are `size` options, or about as many; found by Hoare's selection."""
        o: cython.int
        low: cython.int = 0
        high: cython.int = self.n - 1
        i: cython.int
        k: cython.int
        pivot: cython.double
        other: cython.double
        if size >= self.n:
            return 1e300
        for o in range(self.n):
            self.heap[o] = self.rc[o]
        while low < high:
            pivot = self.heap[(low + high) // 2]
            i = low
            k = high
            while i <= k:
                while self.heap[i] < pivot:
                    i += 1
                while self.heap[k] > pivot:
                    k -= 1
                if i <= k:
                    other = self.heap[i]
                    self.heap[i] = self.heap[k]
                    self.heap[k] = other
                    i += 1
                    k -= 1
            if size <= k:
                high = k
            elif size >= i:
                low = i
            else:
                break
        self.work += 3 * self.n
        return self.heap[size]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _climb(self, goal: cython.double, steps: cython.int, size: cython.int) -> cython.void:
        """The loop of `climb`: some steps on a core, then the prices of all options."""
        i: cython.int
        run: cython.int = SOON
        done: cython.int = 0
        since: cython.int = 0
        stale: cython.int = 0  # steps since L for the whole problem was last raised
        whole: cython.double
        inside: cython.double
        above: cython.double
        mark: cython.double
        pace: cython.double = PACE
        whole = self._price()
        if whole > self.best:
            self.best = whole
        mark = self.best
        self._enlist(size, self.per)
        while done < steps and not self.looks.halted:
            inside = self._steps(goal, pace, run)
            pace = self.pace
            done += run
            since += run
            whole = self._price()
            if whole > self.best:
                self.best = whole
                stale = 0
                for i in range(self.m):
                    self.best_y[i] = self.y[i]
            else:
                stale += run
                if stale >= PATIENCE:
                    stale = 0
                    pace *= 0.5
                    self._return()
                    self._price()
            if since >= REST and pace < PACE / 16:
                if self.best - mark < GAIN * (mark if mark > 0.0 else -mark):
                    break
                mark = self.best
                since = 0
            above = (inside - whole) / goal
            if self.flat or pace < LEAST:
                if above <= GAIN:
                    break
                pace = PACE / 4
            if above <= 1e-6:
                run *= 10
            elif above <= 0.02:
                run *= 5
            elif above <= 0.2:
                run *= 2
            else:
                run = SOON
            if run > steps - done:
                run = steps - done
            self._enlist(size, self.per)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _steps(self, goal: cython.double, pace: cython.double, steps: cython.int) -> cython.double:
        """So many steps on the core; leaves the best prices found in y, and returns their L in the core.

        pace: the first factor of the length of a step; the last one is kept in `pace`.
        """
        m: cython.int = self.m
        _: cython.int
        i: cython.int
        j: cython.int
        q: cython.int
        first: cython.int
        last: cython.int
        bad: cython.int = 0
        top: cython.double = -1e300
        total: cython.double
        norm: cython.double
        step: cython.double
        s: cython.double
        g: cython.double
        y: cython.p_double = self.y
        lack: cython.p_double = self.lack
        self.flat = False
        for _ in range(steps):
            total = 0.0
            for i in range(m):
                lack[i] = self.need[i]
                total += y[i] * lack[i]
            last = 0
            for j in range(self.size):
                s = self.costs[self.core[j]]
                first = last
                last = self.core_start[j + 1]
                for q in range(first, last):
                    s -= y[self.core_held[q]]
                if s < 0.0:
                    total += s
                    for q in range(first, last):
                        lack[self.core_held[q]] -= 1.0
            self.work += last + 4 * m
            if total > top:
                if total > top + GAIN * (top if top > 0.0 else -top):
                    bad = 0
                else:
                    bad += 1
                top = total
                for i in range(m):
                    self.kept_y[i] = y[i]
            else:
                bad += 1
            if bad >= PATIENCE:
                bad = 0
                pace *= 0.5
                for i in range(m):
                    y[i] = self.kept_y[i]
                if pace < LEAST:
                    self.flat = True
                    break
                continue
            norm = 0.0
            for i in range(m):
                g = lack[i]
                g = g if g > 0.0 else (g if y[i] > 0.0 else 0.0)  # without a branch to mispredict
                norm += g * g
            if norm < 1e-9 or self.looks.tick(last + 4 * m):
                self.flat = norm < 1e-9
                break
            step = goal - total
            step = pace * (step if step > 0.5 else 0.5) / norm
            for i in range(m):
                s = y[i] + step * lack[i]
                y[i] = s if s > 0.0 else 0.0
        for i in range(m):
            y[i] = self.kept_y[i]
        self.pace = pace
        return top
