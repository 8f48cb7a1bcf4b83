"""Prices of the rows of a 0/1 program, by steps along subgradients: a bound for programs of any size.

For prices y, one per row, an answer costs at least

    L(y) = sum of y[r] · (the low bound of r if y[r] > 0, else its high bound)  +  sum of min(0, reduced cost of v).

A step takes the variables whose reduced cost is below 0, and moves each price in the direction of what its row lacks or
has too many of, smoothed by the steps before. Its length aims at a target above the best value so far; after `PATIENCE`
steps in vain the target comes closer. All this is in floats, and proves nothing: the best prices are rounded, and their
value is worked out in whole numbers (minimum/integer_program.py).

A step takes time in proportion to the entries of the rows, and nothing but the rows is kept, whereas a simplex method
takes minutes on random packings of 5000 rows, and an interior point method 70 s.

Source: Held, Wolfe and Crowder (1974), "Validation of subgradient optimization"; the smoothed direction is that of
Camerini, Fratta and Maffioli (1975), "On improving relaxation methods by modified gradient techniques".
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _reals, _zero_reals
else:
    from covr.engine.kernels.shared.arrays import _ints, _reals, _zero_reals

COMPILED = cython.compiled

NO_LIMIT = cython.declare(cython.double, 1e30)  # a bound of a row that is at least this far from 0 is none
PATIENCE = cython.declare(cython.int, 8)  # steps after which the target comes closer if they were in vain
SMOOTH = cython.declare(cython.double, 0.7)  # the weight of the steps before in the direction
LEAST = cython.declare(cython.double, 0.01)  # the share of the way to the target that is not in vain
CLOSER = cython.declare(cython.double, 0.6)  # by what the distance to the target is multiplied then


@cython.final
@cython.cclass
class RowPrices:
    """Steps towards the best prices of a program's rows."""

    hold: list
    rows: cython.int
    variables: cython.int
    starts: cython.p_int
    members: cython.p_int
    factors: cython.p_double
    low: cython.p_double
    high: cython.p_double
    costs: cython.p_double
    y: cython.p_double  # the present prices
    best: cython.p_double  # those of the best value
    along: cython.p_double  # the direction of the last step
    rc: cython.p_double
    value: cython.double  # the best value
    ahead: cython.double  # how far the target is above it
    before: cython.double  # the best value when that was last looked at
    vain: cython.int  # steps since then
    steps: cython.longlong
    empty: cython.bint

    def __init__(self, costs, starts, members, factors, low, high):
        """costs: of the variables.  starts, members, factors: row r has the variables members[starts[r]] … and their
        factors.  low, high: of the rows; without a bound, -1e30 or 1e30."""
        self.hold = []
        self.rows = len(starts) - 1
        self.variables = len(costs)
        self.starts = _ints(starts, self.hold)
        self.members = _ints(members, self.hold)
        self.factors = _reals(factors, self.hold)
        self.low = _reals(low, self.hold)
        self.high = _reals(high, self.hold)
        self.costs = _reals(costs, self.hold)
        self.y = _zero_reals(self.rows, self.hold)
        self.best = _zero_reals(self.rows, self.hold)
        self.along = _zero_reals(self.rows, self.hold)
        self.rc = _zero_reals(self.variables, self.hold)
        self.vain = 0
        self.steps = 0
        self.empty = True
        self.value = self.before = 0.0
        self.ahead = sum([abs(cost) for cost in costs]) / 4 + 1.0

    def taken(self):
        """How many steps were taken."""
        return self.steps

    def reached(self):
        """The best value so far."""
        return self.value

    def prices(self):
        """The prices of the best value, per row."""
        return [self.best[r] for r in range(self.rows)]

    def run(self, steps: cython.int):
        """Take so many steps. Each takes time in proportion to the entries of the rows."""
        end: cython.longlong = self.steps + steps
        with cython.nogil:
            while self.steps < end:
                self._step()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self) -> cython.void:
        r: cython.int
        v: cython.int
        k: cython.int
        y: cython.double
        has: cython.double
        lack: cython.double
        length: cython.double
        value: cython.double = 0.0
        norm: cython.double = 0.0
        rose: cython.double
        close: cython.bint = False
        low: cython.p_double = self.low
        high: cython.p_double = self.high
        rc: cython.p_double = self.rc
        self.steps += 1
        for v in range(self.variables):
            rc[v] = self.costs[v]
        for r in range(self.rows):
            y = self.y[r]
            if y == 0.0:
                continue
            value += y * (low[r] if y > 0.0 else high[r])
            for k in range(self.starts[r], self.starts[r + 1]):
                rc[self.members[k]] -= y * self.factors[k]
        for v in range(self.variables):
            if rc[v] < 0.0:
                value += rc[v]
        if self.empty or value > self.value:
            self.value = value
            for r in range(self.rows):
                self.best[r] = self.y[r]
            if self.empty:
                self.before = value
            self.empty = False
        self.vain += 1
        if self.vain >= PATIENCE:
            self.vain = 0
            rose = self.value - self.before
            self.before = self.value
            if rose < LEAST * self.ahead:
                self.ahead *= CLOSER
                close = True
        if close:
            for r in range(self.rows):
                self.y[r] = self.best[r]
                self.along[r] = 0.0
            return
        for r in range(self.rows):
            has = 0.0
            for k in range(self.starts[r], self.starts[r + 1]):
                if rc[self.members[k]] < 0.0:
                    has += self.factors[k]
            y = self.y[r]
            if y > 0.0:
                lack = low[r] - has
            elif y < 0.0:
                lack = high[r] - has
            elif has < low[r]:
                lack = low[r] - has
            elif has > high[r]:
                lack = high[r] - has
            else:
                lack = 0.0
            lack = lack + SMOOTH * self.along[r]
            self.along[r] = lack
            norm += lack * lack
        if norm <= 0.0:
            return
        length = (self.value + self.ahead - value) / norm
        for r in range(self.rows):
            y = self.y[r] + length * self.along[r]
            if (y > 0.0 and low[r] <= -NO_LIMIT) or (y < 0.0 and high[r] >= NO_LIMIT):
                y = 0.0
            self.y[r] = y
