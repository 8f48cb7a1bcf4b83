"""The bound of a node of a proof's search, as whole prices of the rows.

Let y[r] >= 0 be a price of each row `sum of a[r][v] · x[v] >= d[r]`, and let the variables that were decided keep their
values. Every answer below the node costs at least

    L(y) = sum of y[r] · d[r]  +  sum of rc[v] over the variables that are 1  +  sum of min(0, rc[v]) over the open ones

where rc[v] = c[v] - sum of y[r] · a[r][v] is the reduced cost. Steps along subgradients, from the prices of the node
before, look for prices with L(y) above `most`; then the node can be closed. Otherwise an open variable whose reduced
cost is above `most - L(y)` must be 0, and one whose reduced cost is as far below 0 must be 1. The steps are taken in
floats, and prove nothing: what is told was worked out again with the rounded prices, in whole numbers, and a checker
does it once more.

The length of a step is Polyak's, towards a value just above `most`, and half as long after `PATIENCE` steps in vain.

Source: B. Polyak, Minimization of unsmooth functionals (1969); reduced costs as E. Balas and A. Ho use them, Set
covering algorithms using cutting planes, heuristics, and subgradient optimization (1980).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import (
        _ints,
        _longs,
        _reals,
        _zero_ints,
        _zero_longs,
        _zero_reals,
    )
else:
    from covr.engine.kernels.shared.arrays import _ints, _longs, _reals, _zero_ints, _zero_longs, _zero_reals

COMPILED = cython.compiled

PATIENCE = cython.declare(cython.int, 4)  # steps after which the next are half as long if they were in vain
SHORT = cython.declare(cython.double, 0.02)  # steps shorter than this share of Polyak's aren't taken
ROOM = cython.declare(cython.double, 1e18)  # what the numbers of a row add up to is below this


@cython.final
@cython.cclass
class NodePrices:
    """Prices for one node after another."""

    hold: list
    rows: cython.int
    variables: cython.int
    scale: cython.int
    starts: cython.p_int
    members: cython.p_int
    factors: cython.p_longlong
    degrees: cython.p_longlong
    sizes: cython.p_double  # per row, what its numbers add up to
    costs: cython.p_longlong
    value: cython.p_int  # per variable: 1, or -1 if it is 0, or 0 if it is open
    y: cython.p_double  # the present prices
    best: cython.p_double  # those of the best value at this node
    lack: cython.p_double
    rc: cython.p_double
    whole: cython.p_longlong  # the best prices times the scale, rounded
    reduced: cython.p_longlong
    total: cython.double
    steps: cython.longlong

    def __init__(self, costs, starts, members, factors, degrees, prices, scale):
        """costs: of the variables.  starts, members, factors: row r has the variables members[starts[r]] … and their
        factors.  degrees: of the rows, which are all `>=`.  prices: to begin with, per row.  scale: what whole prices
        are multiples of a cost's part of."""
        r: cython.int
        k: cython.int
        self.hold = []
        self.rows = len(degrees)
        self.variables = len(costs)
        self.scale = scale
        self.starts = _ints(starts, self.hold)
        self.members = _ints(members, self.hold)
        self.factors = _longs(factors, self.hold)
        self.degrees = _longs(degrees, self.hold)
        self.costs = _longs(costs, self.hold)
        self.value = _zero_ints(self.variables, self.hold)
        self.sizes = _zero_reals(self.rows, self.hold)
        for r in range(self.rows):
            self.sizes[r] = abs(self.degrees[r])
            for k in range(self.starts[r], self.starts[r + 1]):
                self.sizes[r] += abs(self.factors[k])
        self.y = _reals(prices, self.hold)
        self.best = _reals(prices, self.hold)
        self.lack = _zero_reals(self.rows, self.hold)
        self.rc = _zero_reals(self.variables, self.hold)
        self.whole = _zero_longs(self.rows, self.hold)
        self.reduced = _zero_longs(self.variables, self.hold)
        self.total = sum([float(abs(cost)) for cost in costs])
        self.steps = 0

    @property
    def work(self):
        """Steps so far; each takes time in proportion to the entries of the rows."""
        return self.steps

    def look(self, values, most, steps):
        """The best of so many steps at a node: (scale, prices, literals), or None where nothing follows. values: per
        variable.  most: the most that an answer may cost.  prices: (row, price), whole numbers of the scale.  literals:
        those that follow; None if the node can be closed. 2v: variable v is 1; 2v + 1: it is 0."""
        v: cython.int
        for v in range(self.variables):
            self.value[v] = values[v]
        return self._told(most, self._climb(most, steps))

    @cython.cfunc
    def _climb(self, most: cython.longlong, steps: cython.int) -> cython.double:
        """Take steps until the value is above `most`. The best value."""
        r: cython.int
        vain: cython.int = 0
        value: cython.double = self._value()
        found: cython.double = value
        share: cython.double = 1.0
        norm: cython.double
        length: cython.double
        for r in range(self.rows):
            self.best[r] = self.y[r]
        while steps > 0 and found <= most and share >= SHORT:
            steps -= 1
            self.steps += 1
            norm = self._lacks()
            if norm <= 0.0:
                break
            length = share * (most + 1 - value) / norm
            for r in range(self.rows):
                self.y[r] = max(0.0, self.y[r] + length * self.lack[r])
            value = self._value()
            vain += 1
            if value > found:
                vain = 0
                found = value
                for r in range(self.rows):
                    self.best[r] = self.y[r]
            elif vain >= PATIENCE:
                vain = 0
                share /= 2
                value = found
                for r in range(self.rows):
                    self.y[r] = self.best[r]
                self._value()
        for r in range(self.rows):
            self.y[r] = self.best[r]
        return found

    @cython.cfunc
    def _value(self) -> cython.double:
        """L of the present prices, and the reduced costs."""
        r: cython.int
        v: cython.int
        k: cython.int
        y: cython.double
        value: cython.double = 0.0
        for v in range(self.variables):
            self.rc[v] = self.costs[v]
        for r in range(self.rows):
            y = self.y[r]
            if y > 0.0:
                value += y * self.degrees[r]
                for k in range(self.starts[r], self.starts[r + 1]):
                    self.rc[self.members[k]] -= y * self.factors[k]
        for v in range(self.variables):
            if self.value[v] > 0 or (self.value[v] == 0 and self.rc[v] < 0.0):
                value += self.rc[v]
        return value

    @cython.cfunc
    def _lacks(self) -> cython.double:
        """What each row lacks if the open variables below 0 are taken; returns the sum of the squares."""
        r: cython.int
        v: cython.int
        k: cython.int
        lack: cython.double
        norm: cython.double = 0.0
        for r in range(self.rows):
            lack = self.degrees[r]
            for k in range(self.starts[r], self.starts[r + 1]):
                v = self.members[k]
                if self.value[v] > 0 or (self.value[v] == 0 and self.rc[v] < 0.0):
                    lack -= self.factors[k]
            if lack < 0.0 and self.y[r] <= 0.0:
                lack = 0.0
            self.lack[r] = lack
            norm += lack * lack
        return norm

    @cython.cfunc
    def _told(self, most: cython.longlong, found: cython.double):
        """What follows from the best prices, rounded."""
        r: cython.int
        v: cython.int
        k: cython.int
        room: cython.longlong
        scale: cython.longlong = self.scale
        weight: cython.double = self.total + abs(most) + 1
        for r in range(self.rows):
            weight += self.best[r] * self.sizes[r]
        if weight * scale > ROOM:
            scale = cython.cast(cython.longlong, ROOM / weight)
            if scale < 1:
                return None
        room = scale * most
        for v in range(self.variables):
            self.reduced[v] = scale * self.costs[v]
        for r in range(self.rows):
            self.whole[r] = cython.cast(cython.longlong, self.best[r] * scale + 0.5)
            if self.whole[r] > 0:
                room -= self.whole[r] * self.degrees[r]
                for k in range(self.starts[r], self.starts[r + 1]):
                    self.reduced[self.members[k]] -= self.whole[r] * self.factors[k]
        for v in range(self.variables):
            if self.value[v] > 0 or (self.value[v] == 0 and self.reduced[v] < 0):
                room -= self.reduced[v]
        literals: list = []
        if room >= 0:
            for v in range(self.variables):
                if self.value[v] == 0 and abs(self.reduced[v]) > room:
                    literals.append(2 * v + (1 if self.reduced[v] > 0 else 0))
            if not literals:
                return None
        prices: list = []
        for r in range(self.rows):
            if self.whole[r] > 0:
                prices.append((r, self.whole[r]))
        return scale, prices, None if room < 0 else literals
