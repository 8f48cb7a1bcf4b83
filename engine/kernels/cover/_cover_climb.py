"""The climb in branch and bound for minimum covers: subgradient steps lead to better prices, and these to covers.

`_climb` follows subgradients of L (see _cover_prices.py) from the current prices. At the first level it tries from time
to time to build a cover from the reduced costs (`_complete`).

    best, bested  the best cover so far and its size
    fresh         whether a better cover was found and not yet reported
    trial         scratch: a cover being built, by local numbers
    y_best, lack  scratch: the best prices so far; per item, how many more options it needs than there are with rc < 0
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.cover._cover_prices import Prices
    from cython.cimports.covr.engine.kernels.shared._kernel import FAR
    from cython.cimports.covr.engine.kernels.shared.arrays import _zero_ints, _zero_reals
else:
    from covr.engine.kernels.header import FAR
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _zero_ints, _zero_reals

    Prices = load("_cover_prices", interpreted=True).Prices

COMPILED = cython.compiled

RUN = cython.declare(cython.int, 32)  # options that are sorted by insertion before they are merged


@cython.cclass
class Climb(Prices):
    """The levels, with prices that are improved step by step, and the best cover found."""

    def __init__(self, needs, options, costs, cutoff: cython.longlong, looks=None):
        """The arguments are those of `Levels`."""
        super().__init__(needs, options, costs, cutoff, looks)
        m: cython.longlong = len(needs)
        n: cython.longlong = len(options)
        self.y_best = _zero_reals(m + 1, self.hold)
        self.lack = _zero_reals(m + 1, self.hold)
        self.best = _zero_ints(n + 1, self.hold)
        self.trial = _zero_ints(n + 1, self.hold)
        self.bested = 0
        self.fresh = False

    def answer(self):
        """The option numbers of the best cover found."""
        return [self.best[k] for k in range(self.bested)]

    def limit(self):
        """The cutoff: covers must cost less than this."""
        return self.cutoff

    def lower(self, cutoff: cython.longlong):
        """From now on, covers must cost less than `cutoff`, since another search has found one."""
        self.cutoff = min(self.cutoff, cutoff)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _record(self, size: cython.int) -> cython.void:
        """Record a cover that is cheaper than all before: the path, and the first `size` options of `trial`."""
        d: cython.int = self.level
        k: cython.int
        total: cython.longlong = self.paid[d]
        for k in range(size):
            total += self.ints[self.at_cost[d] + self.trial[k]]
        if total >= self.cutoff:
            return
        self.cutoff = total
        for k in range(self.length[d]):
            self.best[k] = self.path[k]
        self.bested = self.length[d]
        for k in range(size):
            self.best[self.bested] = self.ints[self.at_option[d] + self.trial[k]]
            self.bested += 1
        self.fresh = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _complete(self) -> cython.void:
        """Build a cover from the reduced costs, and record it if it is the best so far.

        Take every option of rc < 0 that helps; then the best option for each unmet item; then remove options that are
        not needed, the most expensive first. If `looks` stops it, no cover is recorded.
        """
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        row: cython.longlong = self.at_row[d]
        by: cython.longlong = self.at_by[d]
        cost: cython.longlong = self.at_cost[d]
        left: cython.p_int = self.left
        m: cython.int = self.items[d]
        size: cython.int = 0
        helps: cython.int
        i: cython.int
        k: cython.int
        o: cython.int
        p: cython.int
        q: cython.int
        pick: cython.int
        worth: cython.double
        most: cython.double
        for i in range(m):
            left[i] = ints[self.at_need[d] + i]
        for o in range(self.options[d]):
            self.live[o] = 1
            if self.rc[o] < 0.0:
                for q in range(ints[start + o], ints[start + o + 1]):
                    if left[ints[held + q]] > 0:
                        self.live[o] = 0
                        break
                if self.live[o] == 0:
                    self.trial[size] = o
                    size += 1
                    for q in range(ints[start + o], ints[start + o + 1]):
                        left[ints[held + q]] -= 1
        for i in range(m):
            while left[i] > 0:
                pick = -1
                most = FAR
                for p in range(ints[row + i], ints[row + i + 1]):
                    o = ints[by + p]
                    if self.live[o] == 0:
                        continue
                    helps = 0
                    for q in range(ints[start + o], ints[start + o + 1]):
                        if left[ints[held + q]] > 0:
                            helps += 1
                    worth = ((self.rc[o] if self.rc[o] > 1e-9 else 1e-9) + 1e-6 * ints[cost + o]) / helps
                    if worth < most:
                        most = worth
                        pick = o
                    if self.looks.tick(ints[start + o + 1] - ints[start + o]):
                        return
                self.live[pick] = 0
                self.trial[size] = pick
                size += 1
                for q in range(ints[start + pick], ints[start + pick + 1]):
                    left[ints[held + q]] -= 1
        self._sort_trial(size)
        if self.looks.tick(size):
            return
        k = 0
        for p in range(size):
            o = self.trial[p]
            helps = 0
            for q in range(ints[start + o], ints[start + o + 1]):
                if left[ints[held + q]] >= 0:
                    helps = 1
                    break
            if helps == 0:
                for q in range(ints[start + o], ints[start + o + 1]):
                    left[ints[held + q]] += 1
            else:
                self.trial[k] = o
                k += 1
        self._record(k)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sort_trial(self, size: cython.int) -> cython.void:
        """Sort the first `size` options of `trial` by cost, the most expensive first, those that cost the same as they
        were: runs of `RUN` by insertion, and then by merging. Time O(size log size). Uses `order`."""
        cost: cython.longlong = self.at_cost[self.level]
        ints: cython.p_int = self.ints
        trial: cython.p_int = self.trial
        order: cython.p_int = self.order
        wide: cython.int = RUN
        first: cython.int
        middle: cython.int
        last: cython.int
        k: cython.int
        p: cython.int
        q: cython.int
        o: cython.int
        for k in range(1, size):
            o = trial[k]
            p = k - 1
            while p >= k - k % RUN and ints[cost + trial[p]] < ints[cost + o]:
                trial[p + 1] = trial[p]
                p -= 1
            trial[p + 1] = o
        while wide < size:
            first = 0
            while first + wide < size:
                middle = first + wide
                last = middle + wide if middle + wide < size else size
                for k in range(first, middle):
                    order[k] = trial[k]
                p = first
                q = middle
                k = first
                while p < middle:
                    if q < last and ints[cost + trial[q]] > ints[cost + order[p]]:
                        trial[k] = trial[q]
                        q += 1
                    else:
                        trial[k] = order[p]
                        p += 1
                    k += 1
                first = last
            wide *= 2

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _climb(self, steps: cython.int, patience: cython.int, pace: cython.double) -> cython.double:
        """Follow subgradients from the prices `y` (see minimum/estimates.py), and return the best L found.

        Leaves the best prices in `y` and their reduced costs in `rc`. steps: the most steps.  patience: how many steps
        without progress until the pace is halved.  pace: the first factor of the length of a step.
        """
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        cost: cython.longlong = self.at_cost[d]
        need: cython.longlong = self.at_need[d]
        m: cython.int = self.items[d]
        n: cython.int = self.options[d]
        y: cython.p_double = self.y
        rc: cython.p_double = self.rc
        lack: cython.p_double = self.lack
        g: cython.double
        room: cython.longlong = self.cutoff - self.paid[d]
        best: cython.double = -FAR
        total: cython.double
        s: cython.double
        norm: cython.double
        step: cython.double
        bad: cython.int = 0
        k: cython.int
        i: cython.int
        o: cython.int
        q: cython.int
        first: cython.int
        last: cython.int
        for k in range(steps):
            total = 0.0
            for i in range(m):
                g = ints[need + i]
                total += y[i] * g
                lack[i] = g
            last = 0
            for o in range(n):
                s = ints[cost + o]
                first = last
                last = ints[start + o + 1]
                for q in range(first, last):
                    s -= y[ints[held + q]]
                rc[o] = s
                if s < 0.0:
                    total += s
                    for q in range(first, last):
                        lack[ints[held + q]] -= 1.0
            self._updates += last
            if total > best + 1e-9:
                if total > best + (best if best > 0.0 else -best) * 1e-4:
                    bad = 0
                else:
                    bad += 1
                best = total
                for i in range(m):
                    self.y_best[i] = y[i]
            else:
                bad += 1
            if best - self.eps > room - 1:  # `eps` may have changed by now: the caller checks again
                break
            if bad >= patience:
                pace *= 0.5
                bad = 0
                for i in range(m):
                    y[i] = self.y_best[i]
                if pace < 0.004:
                    break
            if d == 0 and k % 10 == 0:
                self._complete()
                room = self.cutoff - self.paid[d]
            norm = 0.0
            for i in range(m):
                g = lack[i]
                g = g if g > 0.0 else (g if y[i] > 0.0 else 0.0)  # without a branch to mispredict
                norm += g * g
            if norm == 0.0 or self.looks.tick(last + m):
                break
            step = 1.02 * room - total
            step = pace * (step if step > 0.5 else 0.5) / norm
            for i in range(m):
                s = y[i] + step * lack[i]
                y[i] = s if s > 0.0 else 0.0
        for i in range(m):
            y[i] = self.y_best[i]
        return self._value()
