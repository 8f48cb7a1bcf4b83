# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef, has-type"
"""A node of branch and bound for any problem: what follows from its decisions, its linear program, and its bound.

mixed_tree.py keeps the tree and says what is decided; here it is worked out what that leaves. The kernel is four files
that share one state. Each has one class, declared in its .pxd, which inherits from the class before; the same holds
when they run interpreted. From the bottom:

    _mixed_state.py    options, items, what is settled, and what follows from it
    _mixed_basis.py    the basis of the linear program and its inverse
    _mixed_simplex.py  the steps that solve the program
    _mixed.py          the bound that its prices prove

**The bound** (`bound`): the simplex method is only trusted to find good prices y, of any sign. They are rounded to
whole units of 1 / `unit` of a cost, a price that would be worth nothing or -infinity becomes 0, and then

    L(y) = sum of low[i] y[i], or high[i] y[i] where y[i] < 0,  +  sum of rc[o] of taken options, and of those rc[o] of
           free options that are negative;    rc[o] = cost[o] - sum of y[i] over the items of o

is worked out in whole numbers of 63 bits. No completion undercuts it, whatever y is. An option of rc > 0 whose L + rc
is too much is dropped, one of rc < 0 whose L - rc is too much is taken. A node whose program has no solution is ended
by the same bound, at prices far along the ray that proves it. So no error of rounding can lose an answer; it can only
leave a node open.

    price, rc         rounded prices of rows and the reduced costs they leave to options, in units
    fixed             options settled by their reduced costs so far

Source: reduced-cost fixing is folklore; the safe bound is that of Neumaier and Shcherbina (2004), "Safe bounds in
linear and mixed-integer linear programming", with whole numbers for intervals. What did not pay: prices of perturbed
costs alone, which lose some thousandths of a bound that is whole. Not tried: cuts at nodes.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels._kernel import HUGE  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._memory import _zero_longs  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._mixed_simplex import MixedSimplex  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._mixed_state import DROPPED, FREE, TAKEN, UNBOUNDED  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels._memory import _zero_longs
    from covr.engine.kernels.codes import HUGE
    from covr.engine.kernels.codes import MIXED_DROPPED as DROPPED
    from covr.engine.kernels.codes import MIXED_FREE as FREE
    from covr.engine.kernels.codes import MIXED_TAKEN as TAKEN
    from covr.engine.kernels.codes import MIXED_UNBOUNDED as UNBOUNDED
    from covr.engine.kernels.loading import load

    MixedSimplex = load("_mixed_simplex", interpreted=True).MixedSimplex

COMPILED = cython.compiled


@cython.final
@cython.cclass
class MixedKernel(MixedSimplex):  # type: ignore[misc, unused-ignore]
    """The state of a node; see above."""

    most: cython.longlong
    price: cython.p_longlong
    rc: cython.p_longlong
    fixed: cython.longlong

    def __init__(self, lows, highs, rows, options, shades, costs, unit, most, cutoff):
        """lows, highs: of items, the rows first; `highs` UNBOUNDED for none.  options: increasing items.  shades:
        colours beside, or None.  costs: whole numbers.  unit, most: prices are whole multiples of 1 / unit of a cost,
        at most `most` of these (mixed_core.py sees that nothing overflows).  cutoff: only answers of which unit times
        the cost is less are looked for.
        """
        super().__init__(lows, highs, rows, options, shades, costs, unit, cutoff)
        self.most = most
        self.price = _zero_longs(self.rows, self.hold)
        self.rc = _zero_longs(self.n, self.hold)
        self.fixed = 0

    def fixings(self):
        """Options that were settled by their reduced costs so far."""
        return self.fixed

    def bound(self):
        """The proved bound of what is settled, in units; what it proves too dear is settled.

        Returns HUGE where nothing is possible below the cutoff.
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
        """The rounded prices of the rows that the last bound was worked out with, in units."""
        return [self.price[i] for i in range(self.rows)]

    def reduced(self):
        """The options' reduced costs at the last bound, in units; of those dropped they are of no account."""
        return [self.rc[o] for o in range(self.n)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _plain(self) -> cython.void:
        """Into `ray` the prices of the basis for costs that are neither perturbed nor shifted."""
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
        self.work += r * r // 4

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _value(self, y: cython.p_double) -> cython.longlong:
        """L(y) in units, for rounded prices."""
        i: cython.int
        o: cython.int
        q: cython.int
        total: cython.longlong = 0
        rc: cython.longlong
        price: cython.longlong
        factor: cython.double = self.scale * self.unit
        real: cython.double
        most: cython.double = self.most
        for i in range(self.rows):
            real = y[i] * factor
            if not (real < most):
                real = most
            if real < -most:
                real = -most
            price = cython.cast(cython.longlong, real + 0.5 if real >= 0 else real - 0.5)
            if price > 0:
                if self.low[i] == 0:
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
            self.rc[o] = rc
            if rc < 0 or self.state[o] == TAKEN:
                total += rc
        self.work += self.start[self.n] // 4
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fix(self, value: cython.longlong) -> cython.bint:
        """Settle what reduced costs prove too dear the other way."""
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
