"""The lower bounds in branch and bound for minimum covers that take one pass over the top level, which is compact.

All except `_classic` are values of

    L(y) = sum of need[i] y[i]  +  sum of min(0, rc[o]),    rc[o] = cost[o] - sum of y[i] over the items of o,

for prices y >= 0. No completion costs less (Lagrange). `_price` finds prices that are good on regular problems, and
`_ascend` raises prices one by one while rc stays positive. See minimum/estimates/ for the same in Python.

    y, rc         the current prices, and the reduced costs that they leave, by local numbers
    order, tally  scratch: the items sorted by how many options they have
    eps           an upper bound for the rounding error of a sum of doubles; see Rounding
    mercy         the least value of `eps`, used even where the rounding error must be smaller
    spent         the sum of all costs

**Rounding.** L and rc are sums of doubles, whose last digits are lost. `_up` subtracts `eps` before it rounds up, and
`_margin` makes `eps` larger than the rounding error can be. With u = 2**-53, S the sum of the level's costs (whole
numbers below 2**31, which doubles hold) and Q the sum of y[i] · (need[i] + the number of options that hold i), no sum
of t terms is off by more than t u / (1 - t u) times the sum of their sizes. The sum for L has at most m + n terms,
whose sizes add up to at most Q + S; the sums for all rc together have at most m + 1 terms each and sizes of Q + S;
ascending lowers each rc and raises L once for each item, which adds m terms; and a test of L + rc adds one rc. All
together that is less than (4 m + 2 n + 8) u (Q + S). `eps` is at least twice that, since Q is itself a sum of m terms.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.cover._cover_reductions import Reductions
    from cython.cimports.covr.engine.kernels.shared._kernel import FAR
    from cython.cimports.covr.engine.kernels.shared.arrays import _zero_ints, _zero_reals
else:
    from covr.engine.kernels.header import FAR
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _zero_ints, _zero_reals

    Reductions = load("_cover_reductions", interpreted=True).Reductions

COMPILED = cython.compiled

ROUNDING = cython.declare(cython.double, 1.1102230246251565e-16)  # 2**-53, the largest relative error of one operation


@cython.cclass
class Prices(Reductions):
    """The levels, with prices for the items of the top level."""

    def __init__(self, needs, options, costs, cutoff: cython.longlong, looks=None):
        """The arguments are those of `Levels`."""
        super().__init__(needs, options, costs, cutoff, looks)
        m: cython.longlong = len(needs)
        n: cython.longlong = len(options)
        self.order = _zero_ints(m + n + 2, self.hold)
        self.tally = _zero_ints(m + n + 2, self.hold)
        self.y = _zero_reals(m + 1, self.hold)
        self.rc = _zero_reals(n + 1, self.hold)
        self.spent = float(sum([abs(cost) for cost in costs]))
        self.mercy = self.eps = 1e-6 + 1e-12 * self.spent

    def prices(self):
        """The prices of the top level's items, by local numbers, in units of cost."""
        return [self.reals[self.at_price[self.level] + i] for i in range(self.items[self.level])]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _up(self, value: cython.double) -> cython.longlong:
        """A bound rounded up to a whole number, after `eps` was subtracted for rounding errors."""
        value -= self.eps
        if not value > -FAR:
            return cython.cast(cython.longlong, -FAR)
        if value > FAR:
            return cython.cast(cython.longlong, FAR)
        whole: cython.longlong = cython.cast(cython.longlong, value)
        return whole + 1 if whole < value else whole

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _margin(self) -> cython.void:
        """Set `eps` for sums with the prices `y` of the top level; see Rounding. Time O(items)."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        need: cython.longlong = self.at_need[d]
        row: cython.longlong = self.at_row[d]
        m: cython.int = self.items[d]
        size: cython.double = self.spent
        terms: cython.double = 8.0 * m + 4.0 * self.options[d] + 16.0
        i: cython.int
        for i in range(m):
            size += self.y[i] * (1.0 * ints[need + i] + (ints[row + i + 1] - ints[row + i]))
        self.eps = terms * ROUNDING * size
        if self.eps < self.mercy:
            self.eps = self.mercy

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _value(self) -> cython.double:
        """Work out L(y) and return it, and fill `rc`."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        y: cython.p_double = self.y
        total: cython.double = 0.0
        s: cython.double
        i: cython.int
        o: cython.int
        q: cython.int
        for i in range(self.items[d]):
            total += y[i] * ints[self.at_need[d] + i]
        for o in range(self.options[d]):
            s = ints[self.at_cost[d] + o]
            for q in range(ints[start + o], ints[start + o + 1]):
                s -= y[ints[held + q]]
            self.rc[o] = s
            if s < 0.0:
                total += s
        self._updates += ints[start + self.options[d]]
        self._margin()
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sorted(self) -> cython.void:
        """Write the items into `order`, those with the fewest options first."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        row: cython.longlong = self.at_row[d]
        m: cython.int = self.items[d]
        n: cython.int = self.options[d]
        i: cython.int
        k: cython.int
        for k in range(n + 2):
            self.tally[k] = 0
        for i in range(m):
            self.tally[ints[row + i + 1] - ints[row + i] + 1] += 1
        for k in range(n + 1):
            self.tally[k + 1] += self.tally[k]
        for i in range(m):
            k = ints[row + i + 1] - ints[row + i]
            self.order[self.tally[k]] = i
            self.tally[k] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _classic(self) -> cython.longlong:
        """The strike-out count (minimum/estimates.py), items with few options first. A lower bound in units of cost."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        row: cython.longlong = self.at_row[d]
        by: cython.longlong = self.at_by[d]
        i: cython.int
        k: cython.int
        o: cython.int
        p: cython.int
        q: cython.int
        least: cython.int
        total: cython.longlong = 0
        self._sorted()
        for i in range(self.items[d]):
            self.new[i] = 0
        for k in range(self.items[d]):
            i = self.order[k]
            if self.new[i] != 0:
                continue
            least = 2147483647
            for p in range(ints[row + i], ints[row + i + 1]):
                o = ints[by + p]
                least = min(least, ints[self.at_cost[d] + o])
                for q in range(ints[start + o], ints[start + o + 1]):
                    self.new[ints[held + q]] = 1
            total += least * cython.cast(cython.longlong, ints[self.at_need[d] + i])
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _price(self) -> cython.double:
        """Let every item pay the least share of an option's cost (minimum/estimates.py). Afterwards every rc >= 0."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        y: cython.p_double = self.y
        share: cython.double
        total: cython.double = 0.0
        i: cython.int
        o: cython.int
        q: cython.int
        for i in range(self.items[d]):
            y[i] = FAR
        for o in range(self.options[d]):
            share = (1.0 * ints[self.at_cost[d] + o]) / (ints[start + o + 1] - ints[start + o])
            for q in range(ints[start + o], ints[start + o + 1]):
                i = ints[held + q]
                if share < y[i]:
                    y[i] = share
        for i in range(self.items[d]):
            total += y[i] * ints[self.at_need[d] + i]
        self._updates += ints[start + self.options[d]]
        self._margin()
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ascend(self) -> cython.double:
        """Raise prices from those of `_price` while rc >= 0, items with few options first (minimum/estimates.py)."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        row: cython.longlong = self.at_row[d]
        by: cython.longlong = self.at_by[d]
        rise: cython.double
        total: cython.double = self._value()
        i: cython.int
        k: cython.int
        q: cython.int
        self._sorted()
        for k in range(self.items[d]):
            i = self.order[k]
            rise = FAR
            for q in range(ints[row + i], ints[row + i + 1]):
                if self.rc[ints[by + q]] < rise:
                    rise = self.rc[ints[by + q]]
                    if rise <= 1e-12:
                        break
            if rise > 1e-12:
                self.y[i] += rise
                total += rise * ints[self.at_need[d] + i]
                for q in range(ints[row + i], ints[row + i + 1]):
                    self.rc[ints[by + q]] -= rise
        self._margin()
        return total
