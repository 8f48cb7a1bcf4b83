# distutils: extra_compile_args = -ffp-contract=off (the same sums everywhere)
"""The dual simplex method on the linear program of a mixed problem: a part of the kernel of _mixed.py.

It can start from any basis (_mixed_basis.py), so each node continues from the basis of the node before it, wherever
that was in the tree. All variables have bounds. A step chooses a basic variable that is outside its bounds, and then
the variable to enter by a ratio test with long steps: as long as the value keeps rising, variables move to their
opposite bounds instead of entering.

    target    a value of the program at which the node is too dear, divided by the largest cost
    far, ray  whether the program has no solution; if so, prices far along the ray that proves it
    alpha     the row of the step: per variable outside the basis, its entry
    slope     how fast the value rises in the direction of the step
    flips     how many variables, the first of `later`, move to their opposite bounds
    steps     how many steps were made so far

Source: the dual simplex method with boxed variables and long steps as in Koberstein (2005), "The dual simplex method,
techniques for a fast and stable implementation"; the perturbation of costs against ties is also from there.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.mixed._mixed_basis import ENDLESS, PIVOT, REFRESH, ZERO, MixedBasis
    from cython.cimports.covr.engine.kernels.mixed._mixed_simplex import BEYOND, OPTIMAL, STUCK, WAIT
    from cython.cimports.covr.engine.kernels.mixed._mixed_state import FREE, TAKEN, UNBOUNDED
    from cython.cimports.covr.engine.kernels.shared._kernel import HUGE
    from cython.cimports.covr.engine.kernels.shared._looks import Looks
    from cython.cimports.covr.engine.kernels.shared.arrays import _zero_reals
else:
    from covr.engine.kernels.header import HUGE, real
    from covr.engine.kernels.header import MIXED_BEYOND as BEYOND
    from covr.engine.kernels.header import MIXED_FREE as FREE
    from covr.engine.kernels.header import MIXED_OPTIMAL as OPTIMAL
    from covr.engine.kernels.header import MIXED_REFRESH as REFRESH
    from covr.engine.kernels.header import MIXED_STUCK as STUCK
    from covr.engine.kernels.header import MIXED_TAKEN as TAKEN
    from covr.engine.kernels.header import MIXED_UNBOUNDED as UNBOUNDED
    from covr.engine.kernels.header import MIXED_WAIT as WAIT
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _zero_reals

    Looks = load("_looks", interpreted=True).Looks
    MixedBasis = load("_mixed_basis", interpreted=True).MixedBasis
    ENDLESS, PIVOT, ZERO = real("MIXED_ENDLESS"), real("MIXED_PIVOT"), real("MIXED_ZERO")

COMPILED = cython.compiled

FEASIBLE = cython.declare(cython.double, 1e-7)  # how far a value may be outside its bounds, in options
DUAL = cython.declare(cython.double, 1e-9)  # how far a reduced cost may be on the wrong side of 0, as a part of `scale`
DRIFT = cython.declare(cython.double, 1e-7)  # largest error of reduced costs; beyond it, recompute the inverse


@cython.cclass
class MixedSimplex(MixedBasis):
    """The settled options, and the linear program that they leave, solved step by step; see the module."""

    def __init__(
        self, lows, highs, rows, options, shades, costs, unit: cython.longlong, cutoff: cython.longlong, heavy
    ):
        """The arguments are those of `MixedKernel`."""
        super().__init__(lows, highs, rows, options, shades, costs, cutoff, heavy)
        self.looks = Looks()
        self.ray = _zero_reals(self.rows, self.hold)
        self.alpha = _zero_reals(self.n + self.rows, self.hold)
        self.unit = unit
        self.far = False
        self.target = self.slope = 0.0
        self.flips = 0
        self.steps = 0

    def heed(self, looks):
        """From now on, let `looks` say whether to stop. looks: a `Looks` of _looks.py, compiled if this kernel is."""
        self.looks = looks

    def pivots(self):
        """How many steps of the simplex method were made so far."""
        return self.steps

    def solve(self, work: cython.longlong):
        """Go on solving the program of the options settled now, until about `work` numbers have been read.

        Returns OPTIMAL; BEYOND, if the value passed the target or there is no solution; STUCK, if no step is accurate
        enough; or WAIT, if there is more to do. Raises the exception by which `looks` stopped it; the next call begins
        this program anew.
        """
        code: cython.int
        with cython.nogil:
            code = self._solve(self.work + work)
        self.looks.settle()
        return code

    def further(self):
        """Let a program that ended BEYOND, where `bound` proved no such thing, go on to its end. Returns whether it
        does: not if it did so before, or has no solution.

        Its costs are perturbed: a program that is worth exactly what an answer may cost seems to be worth more."""
        if self.value <= self.target or self.target >= ENDLESS:
            return False
        self.target = ENDLESS
        return True

    def fractions(self):
        """The free options whose values in the program are not 0, increasing, each paired with its value."""
        found = []
        i: cython.int
        j: cython.int
        for i in range(self.rows):
            j = self.head_of[i]
            if j < self.n and self.state[j] == FREE and self.xb[i] > 1e-6:
                found.append((j, min(self.xb[i], 1.0)))
        for i in range(self.frees):
            j = self.free[i]
            if self.place[j] < 0 and self.upper[j] and self.state[j] == FREE:
                found.append((j, 1.0))
        found.sort()
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _solve(self, end: cython.longlong) -> cython.int:
        code: cython.int
        if not self.begun:
            self._begin()
        while True:
            if self.work >= end or self.looks.halted:
                return WAIT
            code = self._step()
            if code != WAIT:
                return code

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self) -> cython.void:
        """Set up the program for the options settled now: free options, target, reduced costs and values."""
        o: cython.int
        v: cython.int
        self.frees = 0
        for v in range(self.n + self.rows):
            self.held[v] = self.upper[v]
        for o in range(self.n):
            if self.state[o] == FREE:
                self.free[self.frees] = o
                self.frees += 1
            else:
                self.upper[o] = self.state[o] == TAKEN
        self.target = self.cutoff / (self.scale * self.unit) if self.cutoff < HUGE else ENDLESS
        self.target += 1e-6 * (1.0 + abs(self.target))
        self.far = False
        self._reduce_costs()
        if not self._move():
            self._work_out()
        self.begun = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self) -> cython.int:
        """Make one step of the dual simplex method. Returns a code as `solve` does."""
        p: cython.int = self._leaving()
        if p < 0:
            return OPTIMAL
        if self.since >= REFRESH:
            self.since = 0
            if self._drift() > DRIFT:
                self._invert()
                return WAIT
        self.steps += 1
        side: cython.double = 1.0 if self.xb[p] > self.ub[p] else -1.0
        self.slope = self.xb[p] - self.ub[p] if side > 0 else self.lb[p] - self.xb[p]
        dense: cython.int = self._sparse_row(p)
        enters: cython.int = self._ratio_test(self._candidates(p, dense, side))
        if self.looks.halted:
            self.begun = False
            return WAIT
        if enters < 0:
            self._go_far(p, side)
            return BEYOND
        pivot: cython.double = self._column(enters, p)
        if abs(pivot) < PIVOT:
            if self.exact:
                return STUCK
            self._invert()
            return WAIT
        if self.flips > 0:
            self._flip(self.flips)
        self._exchange(p, enters, side, dense, pivot)
        self._pivot(p, dense, pivot)
        self.since += 1
        self.exact = False
        return BEYOND if self.value > self.target else WAIT

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _leaving(self) -> cython.int:
        """The place furthest outside its bounds, relative to the length of its row; -1 if none is outside."""
        i: cython.int
        p: cython.int = -1
        gap: cython.double
        score: cython.double
        best: cython.double = 0.0
        for i in range(self.rows):
            gap = self.lb[i] - self.xb[i]
            if gap < self.xb[i] - self.ub[i]:
                gap = self.xb[i] - self.ub[i]
            if gap > FEASIBLE:
                score = gap * gap / self.weight[i]
                if score > best:
                    best = score
                    p = i
        return p

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sparse_row(self, p: cython.int) -> cython.int:
        """List in `where` the non-zero entries of row p of the inverse, and return their number. Clears near-zeros."""
        k: cython.int
        dense: cython.int = 0
        at: cython.longlong = cython.cast(cython.longlong, p) * self.rows
        for k in range(self.rows):
            if self.inverse[at + k] > ZERO or self.inverse[at + k] < -ZERO:
                self.where[dense] = k
                dense += 1
            else:
                self.inverse[at + k] = 0.0
        return dense

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _candidates(self, p: cython.int, dense: cython.int, side: cython.double) -> cython.int:
        """List in `among` the variables that could enter, whose reduced costs move towards 0. Returns their number.

        Sets `alpha` to the row of the step.  dense: as `_sparse_row` returned it.
        """
        n: cython.int = self.n
        found: cython.int = 0
        work: cython.longlong = self.frees
        j: cython.int
        k: cython.int
        q: cython.int
        a: cython.double
        at: cython.longlong = cython.cast(cython.longlong, p) * self.rows
        rho: cython.p_double = self.inverse + at if cython.compiled else self.inverse[at : at + self.rows]
        free: cython.p_int = self.free  # local names: C must assume that any store changes the fields
        place: cython.p_int = self.place
        start: cython.p_int = self.start
        mid: cython.p_int = self.mid
        inn: cython.p_int = self.inn
        upper: cython.p_int = self.upper
        alpha: cython.p_double = self.alpha
        heavy: cython.bint = self.rows > self.plain
        for k in range(self.frees):
            j = free[k]
            if place[j] >= 0:
                work -= 1
                continue
            a = 0.0
            for q in range(start[j], mid[j]):
                a += rho[inn[q]]
            if heavy:
                a += self._lean(j, rho)
            alpha[j] = a
            a *= side
            if (a < -PIVOT) if upper[j] else (a > PIVOT):
                self.among[found] = j
                found += 1
            work += mid[j] - start[j]
        self.work += work
        for k in range(dense):
            j = n + self.where[k]
            if self.place[j] >= 0:
                continue
            a = rho[self.where[k]]
            self.alpha[j] = a
            if self.low[self.where[k]] == self.high[self.where[k]]:
                continue
            a *= side
            if (a < -PIVOT) if self.upper[j] else (a > PIVOT):
                self.among[found] = j
                found += 1
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ratio_test(self, found: cython.int) -> cython.int:
        """Choose the variable to enter among the first `found` of `among`; -1 if the value still rises after all have
        moved to their opposite bounds. Lists those that do move in `later`, and sets `flips` to their number."""
        n: cython.int = self.n
        j: cython.int
        k: cython.int
        q: cython.int
        rest: cython.int
        enters: cython.int = -1
        a: cython.double
        ratio: cython.double
        least: cython.double
        size: cython.double
        drop: cython.double
        before: cython.double = 0.0
        self.flips = 0
        while found > 0:
            least = ENDLESS
            for k in range(found):
                j = self.among[k]
                ratio = (abs(self.d[j]) + DUAL) / abs(self.alpha[j])
                if ratio < least:
                    least = ratio
            drop = 0.0
            rest = 0
            size = 0.0
            enters = -1
            q = self.flips
            for k in range(found):
                j = self.among[k]
                a = abs(self.alpha[j])
                if abs(self.d[j]) <= least * a:
                    if j < n:
                        drop += a
                    elif self.high[j - n] >= UNBOUNDED:
                        drop += ENDLESS
                    else:
                        drop += a * (self.slack_most[j - n] - self.slack_least[j - n])
                    self.later[q] = j
                    q += 1
                    if a > size:
                        size = a
                        enters = j
                else:
                    self.among[rest] = j
                    rest += 1
            self.work += found
            # Of 10⁵ options each may have a ratio of its own, and then this takes seconds.
            if self.looks.tick(found):
                return -1
            ratio = abs(self.d[enters]) / size
            self.value += (ratio - before) * self.slope
            before = ratio
            if self.slope - drop <= FEASIBLE:
                break
            self.slope -= drop
            self.flips = q
            found = rest
            enters = -1
        return enters

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _go_far(self, p: cython.int, side: cython.double) -> cython.void:
        """The program has no solution: write to `ray` prices so far along row p of the inverse that the value there
        exceeds the target."""
        k: cython.int
        t: cython.double = 1e6
        at: cython.longlong = cython.cast(cython.longlong, p) * self.rows
        if self.target < ENDLESS:
            t = (2.0 * abs(self.target) + abs(self.value) + 1.0) / self.slope
        for k in range(self.rows):
            self.ray[k] = self.y[k] + t * side * self.inverse[at + k]
        self.far = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _exchange(
        self, p: cython.int, enters: cython.int, side: cython.double, dense: cython.int, pivot: cython.double
    ) -> cython.void:
        """Let a variable enter the basis at place p. Updates values, prices and reduced costs, but not the inverse."""
        i: cython.int
        j: cython.int
        k: cython.int
        leaves: cython.int = self.head_of[p]
        at: cython.longlong = cython.cast(cython.longlong, p) * self.rows
        t: cython.double = self.d[enters] / (side * self.alpha[enters])
        if t < 0:
            t = 0.0
        step: cython.double = (self.xb[p] - (self.ub[p] if side > 0 else self.lb[p])) / pivot
        for i in range(self.rows):
            self.xb[i] -= step * self.column[i]
        start: cython.double = self._most(enters) if self.upper[enters] else self._least(enters)
        t *= side
        for k in range(self.frees):
            j = self.free[k]
            if self.place[j] < 0:
                _lessen(self, j, t)
        for k in range(dense):
            j = self.n + self.where[k]
            if self.place[j] < 0:
                _lessen(self, j, t)
            self.y[self.where[k]] += t * self.inverse[at + self.where[k]]
        self.d[leaves] = -t
        self.d[enters] = 0.0
        self.place[leaves] = -1
        self.upper[leaves] = side > 0
        if leaves < self.n and self.state[leaves] != FREE:
            self.upper[leaves] = self.state[leaves] == TAKEN
        self.place[enters] = p
        self.head_of[p] = enters
        self.xb[p] = start + step
        self.lb[p] = self._least(enters)
        self.ub[p] = self._most(enters)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _flip(self, flips: cython.int) -> cython.void:
        """Move the first `flips` variables of `later` to their opposite bounds, and update the basic values."""
        r: cython.int = self.rows
        i: cython.int
        k: cython.int
        q: cython.int
        v: cython.int
        x: cython.double
        at: cython.longlong = 0
        for i in range(r):
            self.sums[i] = 0.0
        for k in range(flips):
            v = self.later[k]
            x = self._most(v) - self._least(v)
            if self.upper[v]:
                x = -x
            self.upper[v] = not self.upper[v]
            if v < self.n:
                for q in range(self.start[v], self.mid[v]):
                    self.sums[self.inn[q]] += x
                if self.rows > self.plain:
                    self._press(v, x)
            else:
                self.sums[v - self.n] += x
        q = 0
        for i in range(r):
            if self.sums[i] != 0.0:
                self.later[q] = i
                q += 1
        for i in range(r):
            x = 0.0
            for k in range(q):
                x += self.inverse[at + self.later[k]] * self.sums[self.later[k]]
            self.xb[i] -= x
            at += r
        self.work += r * q


# A function rather than a method: a method declared in a .pxd can't be inlined, and this is called for every free
# option in every step.
@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _lessen(node: MixedSimplex, j: cython.int, t: cython.double) -> cython.void:
    """Lower the reduced cost of j by t times its `alpha`. If its sign becomes wrong, shift the cost to make it 0."""
    d: cython.double = node.d[j] - t * node.alpha[j]
    wrong: cython.bint = d > 0.0 if node.upper[j] else d < 0.0
    if wrong and (j < node.n or node.low[j - node.n] != node.high[j - node.n]):
        node.c[j] -= d
        d = 0.0
    node.d[j] = d
