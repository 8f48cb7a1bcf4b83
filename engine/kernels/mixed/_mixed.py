# distutils: extra_compile_args = -ffp-contract=off (the same sums everywhere)
"""A node of branch and bound for any problem: what follows from its decisions, its linear program and its bound.

mixed_tree.py keeps the tree and makes the decisions; this kernel works out their consequences. It consists of four
files that share one state. Each has one class, declared in its .pxd, which inherits from the class of the file before;
the same holds when they run interpreted. From the bottom:

    _mixed_state.py    options, items, which options are settled, and what follows from that
    _mixed_basis.py    the basis of the linear program and its inverse
    _mixed_simplex.py  the steps that solve the program
    _mixed.py          the bound that its prices prove

**The bound** (`bound`). The simplex method is trusted only to find good prices y, which may have either sign. They are
rounded to whole units, where a cost of 1 is `unit` units. A price that would contribute nothing, or minus infinity, to
the bound is set to 0. Then

    L(y) = sum of low[i] y[i], or high[i] y[i] where y[i] < 0,  +  sum of rc[o] of taken options, and of those rc[o] of
           free options that are negative;    rc[o] = cost[o] - sum of y[i] over the items of o, each times the
           coefficient of o in i, which is 1 but in heavy rows

is computed in 64-bit whole numbers. Whatever y is, no answer below the node costs less than L(y). A free option with rc
> 0 is dropped if L + rc reaches the cutoff; one with rc < 0 is taken if L - rc does. If the program has no solution,
the same bound ends the node, at prices far along the ray that proves this. So rounding errors can't lose an answer;
they can only keep a node open for longer.

    price, rc         the rounded prices of the rows, and the reduced costs that they leave the options, in units
    fixed             how many options were settled by their reduced costs so far

Source: reduced-cost fixing is folklore; the safe bound is that of Neumaier and Shcherbina (2004), "Safe bounds in
linear and mixed-integer linear programming", with whole numbers instead of intervals.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.mixed._mixed_simplex import MixedSimplex
    from cython.cimports.covr.engine.kernels.mixed._mixed_state import DROPPED, FREE, TAKEN, UNBOUNDED
    from cython.cimports.covr.engine.kernels.shared._kernel import HUGE
    from cython.cimports.covr.engine.kernels.shared.arrays import _zero_longs
else:
    from covr.engine.kernels.header import HUGE
    from covr.engine.kernels.header import MIXED_DROPPED as DROPPED
    from covr.engine.kernels.header import MIXED_FREE as FREE
    from covr.engine.kernels.header import MIXED_TAKEN as TAKEN
    from covr.engine.kernels.header import MIXED_UNBOUNDED as UNBOUNDED
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _zero_longs

    MixedSimplex = load("_mixed_simplex", interpreted=True).MixedSimplex

COMPILED = cython.compiled


@cython.final
@cython.cclass
class MixedKernel(MixedSimplex):
    """The state of a node; see above."""

    most: cython.longlong
    price: cython.p_longlong
    rc: cython.p_longlong
    fixed: cython.longlong

    def __init__(self, lows, highs, rows, options, shades, costs, unit, most, cutoff, heavy=()):
        """lows, highs: per item, its bounds; UNBOUNDED in `highs` for no upper bound.  rows: how many items, the first
        ones, are rows of the linear program.  options: per option, its items, increasing.  shades: per option, its
        colour at each of these items, or None for no colours.  costs: per option, a whole number.  unit: how many units
        of a price make a cost of 1.  most: the largest absolute value of a price, in units (mixed_core.py makes sure
        that nothing overflows).  cutoff: only answers whose cost times `unit` is less are looked for.  heavy: rows with
        coefficients (`HeavyRow` of mixed_core.py), which come after the first `rows` items; items with colours move up.
        """
        super().__init__(lows, highs, rows, options, shades, costs, unit, cutoff, heavy)
        self.most = most
        self.price = _zero_longs(self.rows, self.hold)
        self.rc = _zero_longs(self.n, self.hold)
        self.fixed = 0

    def fixings(self):
        """How many options were settled by their reduced costs so far."""
        return self.fixed

    def bound(self):
        """The proved lower bound of the node, in units; options that it proves too dear the other way are settled.

        Returns HUGE if no answer below the cutoff is possible.
        """
        other: cython.longlong
        if not self.far:
            self._plain()
        value: cython.longlong = self._value(self.ray)
        if value < self.cutoff:
            other = self._value(self.y)
            if not self.far and value > other:
                other = self._value(self.ray)
            value = other
        self.far = False
        if value >= self.cutoff or not self._fix(value):
            return HUGE
        return value

    def prices(self):
        """The rounded prices of the rows at the last bound, in units."""
        return [self.price[i] for i in range(self.rows)]

    def reduced(self):
        """The options' reduced costs at the last bound, in units; those of dropped options are not valid."""
        return [self.rc[o] for o in range(self.n)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _plain(self) -> cython.void:
        """Write to `ray` the prices that belong to the basis with the true costs, neither perturbed nor shifted."""
        r: cython.int = self.rows
        i: cython.int
        k: cython.int
        v: cython.int
        cost: cython.double
        at: cython.longlong
        for k in range(r):
            self.ray[k] = 0.0
        for i in range(r):
            v = self.head_of[i]
            if v < self.n and self.cost[v] != 0:
                cost = self.cost[v] / self.scale
                at = cython.cast(cython.longlong, i) * r
                for k in range(r):
                    self.ray[k] += cost * self.inverse[at + k]
                self.work += r // 4
        self.work += r

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _value(self, y: cython.p_double) -> cython.longlong:
        """L(y), in units, at the rounded prices."""
        i: cython.int
        o: cython.int
        q: cython.int
        total: cython.longlong = 0
        rc: cython.longlong
        price: cython.longlong
        factor: cython.double = self.scale * self.unit
        real: cython.double
        most: cython.double = self.most
        heavy: cython.bint = self.rows > self.plain
        for i in range(self.rows):
            real = y[i] * factor
            if i >= self.plain:
                real *= self.shrink[i]
                most = self.most * self.shrink[i]
            if not (real < most):
                real = most
            if real < -most:
                real = -most
            price = cython.cast(cython.longlong, real + 0.5 if real >= 0 else real - 0.5)
            if price > 0:
                if self.low[i] == 0 and i < self.plain:
                    price = 0
                total += price * self.low[i]
            elif price < 0:
                if self.high[i] >= UNBOUNDED:
                    price = 0
                else:
                    total += price * self.high[i]
            self.price[i] = price
        for o in range(self.n):
            if self.state[o] == DROPPED:
                continue
            rc = self.cost[o] * self.unit
            for q in range(self.start[o], self.mid[o]):
                rc -= self.price[self.inn[q]]
            if heavy:
                for q in range(self.mid[o], self.past[o]):
                    rc -= self.price[self.inn[q]] * self.coefficient[q]
            self.rc[o] = rc
            if rc < 0 or self.state[o] == TAKEN:
                total += rc
        self.work += self.start[self.n] // 4
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fix(self, value: cython.longlong) -> cython.bint:
        """Settle each free option whose reduced cost proves the opposite choice too dear; see the module."""
        o: cython.int
        gap: cython.longlong = self.cutoff - value
        before: cython.int = self.size
        for o in range(self.n):
            if self.state[o] == FREE:
                if self.rc[o] >= gap:
                    self._set(o, DROPPED)
                elif -self.rc[o] >= gap:
                    self._set(o, TAKEN)
        self.fixed += self.size - before
        return self._propagate()
