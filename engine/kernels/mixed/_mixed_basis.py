# distutils: extra_compile_args = -ffp-contract=off (the same sums everywhere)
"""The basis of the linear program of a mixed problem, and its inverse: a part of the kernel of _mixed.py.

In the program, every option is a variable between 0 and 1, and every item without colours is a row with the item's
bounds; colours are left to propagation (_mixed_state.py). The variables are the options 0 … n-1 and one *slack* n+i per
row i, which equals minus the row's sum. A heavy row is divided by a power of 2, so that its coefficients are 1 at
most. The inverse of the basis is kept in full, row by row. There are rarely more
than a few hundred items; a step of the dual simplex method needs rows of the inverse; their squared lengths are the
steepest-edge weights; and an update touches only rows that change.

    head_of           the basis: the variable at each place;  place: per variable, its place in the basis, or -1
    upper             per variable outside the basis, whether it is at its upper bound;  held: the same at the end of
                      the program before
    moves             how often values were only brought up to date since they were last worked out
    inverse           the inverse of the basis, row after row;  weight: the squared length of each of its rows
    xb, lb, ub        values and bounds of the basic variables
    y, d, c           prices, reduced costs, and slightly perturbed costs, all divided by the largest cost, `scale`
    value             the value of the program, divided by `scale`
    scaled            per entry of inn that is in a heavy row, the coefficient divided by the row's power of 2
    shrink            per row, 1 divided by that power; 1 for plain rows
    slack_least, slack_most   per row, the bounds of its slack
    free, frees       the options that are free now, and how many
    exact             whether the inverse has just been recomputed;  since: steps since errors were last measured
    column, sums, where, among, later  scratch

At a node the values are those of the node before, brought up to date for what has moved to another bound.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.mixed._mixed_basis import ENDLESS, PIVOT, REFRESH, ZERO
    from cython.cimports.covr.engine.kernels.mixed._mixed_state import DROPPED, TAKEN, UNBOUNDED, MixedState
    from cython.cimports.covr.engine.kernels.shared.arrays import _zero_ints, _zero_reals
else:
    from covr.engine.kernels.header import MIXED_DROPPED as DROPPED
    from covr.engine.kernels.header import MIXED_REFRESH as REFRESH
    from covr.engine.kernels.header import MIXED_TAKEN as TAKEN
    from covr.engine.kernels.header import MIXED_UNBOUNDED as UNBOUNDED
    from covr.engine.kernels.header import real
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _zero_ints, _zero_reals

    MixedState = load("_mixed_state", interpreted=True).MixedState
    ENDLESS, PIVOT, ZERO = real("MIXED_ENDLESS"), real("MIXED_PIVOT"), real("MIXED_ZERO")

COMPILED = cython.compiled

SHORT = cython.declare(cython.double, 1e-12)  # the least weight that a row is given, against division by 0


@cython.cclass
class MixedBasis(MixedState):
    """The settled options, and a basis of the linear program that they leave; see the module."""

    def __init__(self, lows, highs, rows, options, shades, costs, cutoff: cython.longlong, heavy):
        """The arguments are those of `MixedKernel`."""
        super().__init__(lows, highs, rows, options, shades, costs, cutoff, heavy)
        r: cython.longlong = self.rows
        n: cython.longlong = self.n
        hold = self.hold
        self.head_of = _zero_ints(r, hold)
        self.place = _zero_ints(n + r, hold)
        self.upper = _zero_ints(n + r, hold)
        self.held = _zero_ints(n + r, hold)
        self.inverse = _zero_reals(r * r, hold)
        self.weight = _zero_reals(r, hold)
        self.xb = _zero_reals(r, hold)
        self.lb = _zero_reals(r, hold)
        self.ub = _zero_reals(r, hold)
        self.y = _zero_reals(r, hold)
        self.column = _zero_reals(r, hold)
        self.sums = _zero_reals(r, hold)
        self.scaled = _zero_reals(self.start[self.n] if r > self.plain else 0, hold)
        self.shrink = _zero_reals(r, hold)
        self.slack_least = _zero_reals(r, hold)
        self.slack_most = _zero_reals(r, hold)
        self.d = _zero_reals(n + r, hold)
        self.c = _zero_reals(n + r, hold)
        self.free = _zero_ints(n, hold)
        self.where = _zero_ints(r, hold)
        self.among = _zero_ints(n + r, hold)
        self.later = _zero_ints(n + r, hold)
        self.frees = self.since = 0
        self.moves = REFRESH
        self.exact = True
        self.value = 0.0
        self.scale = float(max([abs(cost) for cost in costs] + [1]))
        self._perturb(costs)
        self._scale_rows()
        i: cython.int
        for i in range(self.n):
            self.place[i] = -1
        for i in range(self.rows):
            self.head_of[i] = self.n + i
            self.place[n + i] = i
            self.inverse[i * r + i] = 1.0
            self.weight[i] = 1.0

    def adopt(self, old: MixedBasis):
        """Begin with the basis of another kernel of the same options, whose rows are the first of this one's: what it
        has solved need not be solved again. Call this while no option is settled here."""
        i: cython.int
        k: cython.int
        v: cython.int
        q: cython.int
        n: cython.int = self.n
        r: cython.int = self.rows
        r0: cython.int = old.rows
        a: cython.double
        for v in range(n + r):
            self.place[v] = -1
        for v in range(n + r0):
            self.c[v] = old.c[v]
            self.upper[v] = old.upper[v]
        for i in range(r):
            self.head_of[i] = old.head_of[i] if i < r0 else n + i
            self.place[self.head_of[i]] = i
            for k in range(r):
                self.inverse[cython.cast(cython.longlong, i) * r + k] = 0.0
            if i < r0:
                self.y[i] = old.y[i]
                for k in range(r0):
                    self.inverse[cython.cast(cython.longlong, i) * r + k] = old.inverse[
                        cython.cast(cython.longlong, i) * r0 + k
                    ]
            else:
                self.y[i] = 0.0
                self.inverse[cython.cast(cython.longlong, i) * r + i] = 1.0
        for i in range(r0):
            v = self.head_of[i]
            if v >= n:
                continue
            for q in range(self.mid[v], self.past[v]):
                if self.inn[q] >= r0:
                    a = self.scaled[q]
                    for k in range(r0):
                        self.inverse[cython.cast(cython.longlong, self.inn[q]) * r + k] -= (
                            a * old.inverse[cython.cast(cython.longlong, i) * r0 + k]
                        )
        for i in range(r):
            self._weigh(i, cython.cast(cython.longlong, i) * r)
        self.exact = False
        self.since = 0
        self.moves = REFRESH
        self.begun = False

    @cython.cfunc
    def _scale_rows(self):
        """Set `scaled`, `shrink` and the bounds of the slacks."""
        i: cython.int
        o: cython.int
        q: cython.int
        for i in range(self.rows):
            self.shrink[i] = 1.0
        for o in range(self.n):
            for q in range(self.mid[o], self.past[o]):
                while abs(self.coefficient[q]) * self.shrink[self.inn[q]] > 1.0:
                    self.shrink[self.inn[q]] /= 2
        for o in range(self.n):
            for q in range(self.mid[o], self.past[o]):
                self.scaled[q] = self.coefficient[q] * self.shrink[self.inn[q]]
        for i in range(self.rows):
            self.slack_least[i] = -ENDLESS if self.high[i] >= UNBOUNDED else -self.high[i] * self.shrink[i]
            self.slack_most[i] = -self.low[i] * self.shrink[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lean(self, o: cython.int, row: cython.p_double) -> cython.double:
        """The sum of an option's heavy entries, each times the number that `row` has for its row."""
        q: cython.int
        found: cython.double = 0.0
        for q in range(self.mid[o], self.past[o]):
            found += self.scaled[q] * row[self.inn[q]]
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _press(self, o: cython.int, x: cython.double) -> cython.void:
        """Add an option's heavy entries, each times x, to `sums`."""
        q: cython.int
        for q in range(self.mid[o], self.past[o]):
            self.sums[self.inn[q]] += x * self.scaled[q]

    @cython.cfunc
    def _perturb(self, costs):
        """Set `c`: the costs divided by the largest, each moved away from 0 by about a millionth, against ties."""
        o: cython.int
        noise: cython.longlong = 12345
        for o in range(self.n):
            noise = (noise * 1103515245 + 12345) % 2147483648
            self.c[o] = costs[o] / self.scale
            self.c[o] += (1.0 + noise / 2147483648.0) * 5e-7 * (1.0 + abs(self.c[o])) * (1 if costs[o] >= 0 else -1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _reduce_costs(self) -> cython.void:
        """Compute the reduced costs from the prices; variables outside the basis go to the bound that these favour."""
        k: cython.int
        o: cython.int
        q: cython.int
        i: cython.int
        j: cython.int
        rc: cython.double
        for k in range(self.frees):
            o = self.free[k]
            if self.place[o] >= 0:
                self.d[o] = 0.0
                continue
            rc = self.c[o]
            for q in range(self.start[o], self.mid[o]):
                rc -= self.y[self.inn[q]]
            if self.rows > self.plain:
                rc -= self._lean(o, self.y)
            self.d[o] = rc
            self.upper[o] = rc < 0.0
            self.work += self.mid[o] - self.start[o]
        for i in range(self.rows):
            j = self.n + i
            if self.place[j] >= 0:
                self.d[j] = 0.0
                continue
            rc = self.c[j] - self.y[i]
            if rc < 0:
                self.upper[j] = True
            elif self.high[i] < UNBOUNDED:
                self.upper[j] = False
            else:
                self.c[j] -= rc
                rc = 0.0
                self.upper[j] = True
            self.d[j] = rc

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _least(self, v: cython.int) -> cython.double:
        """The lower bound of a variable."""
        if v < self.n:
            return 1.0 if self.state[v] == TAKEN else 0.0
        return self.slack_least[v - self.n]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _most(self, v: cython.int) -> cython.double:
        """The upper bound of a variable."""
        if v < self.n:
            return 0.0 if self.state[v] == DROPPED else 1.0
        return self.slack_most[v - self.n]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _work_out(self) -> cython.void:
        """Compute the values of the basic variables, and what follows from them."""
        i: cython.int
        k: cython.int
        v: cython.int
        q: cython.int
        r: cython.int = self.rows
        x: cython.double
        at: cython.longlong
        for i in range(r):
            self.sums[i] = 0.0
        for v in range(self.n):
            if self.place[v] < 0 and self.upper[v]:
                for q in range(self.start[v], self.mid[v]):
                    self.sums[self.inn[q]] -= 1.0
                if self.rows > self.plain:
                    self._press(v, -1.0)
        for i in range(r):
            v = self.n + i
            if self.place[v] < 0:
                self.sums[i] -= self._most(v) if self.upper[v] else self._least(v)
        for i in range(r):
            at = cython.cast(cython.longlong, i) * r
            x = 0.0
            for k in range(r):
                x += self.inverse[at + k] * self.sums[k]
            self.xb[i] = x
        self.work += r * r
        self.moves = 0
        self._add_up()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _move(self) -> cython.bint:
        """Bring the values of the basic variables up to date after variables outside the basis have moved to their
        opposite bounds, from where `held` says that they were. Returns False if that would take as long as to work
        them out, or the errors of many moves may have added up; nothing is then changed."""
        i: cython.int
        k: cython.int
        v: cython.int
        q: cython.int
        r: cython.int = self.rows
        count: cython.int = 0
        x: cython.double
        at: cython.longlong = 0
        if self.moves >= REFRESH:
            return False
        for i in range(r):
            self.sums[i] = 0.0
        for v in range(self.n):
            if self.place[v] < 0 and self.upper[v] != self.held[v]:
                x = 1.0 if self.upper[v] else -1.0
                for q in range(self.start[v], self.mid[v]):
                    self.sums[self.inn[q]] += x
                if self.rows > self.plain:
                    self._press(v, x)
        for i in range(r):
            v = self.n + i
            if self.place[v] < 0 and self.upper[v] != self.held[v]:
                x = self._most(v) - self._least(v)
                self.sums[i] += x if self.upper[v] else -x
            if self.sums[i] != 0.0:
                if abs(self.sums[i]) >= ENDLESS:
                    return False
                self.later[count] = i
                count += 1
        if 4 * count > r:
            return False
        if count > 0:
            for i in range(r):
                x = 0.0
                for k in range(count):
                    x += self.inverse[at + self.later[k]] * self.sums[self.later[k]]
                self.xb[i] -= x
                at += r
        self.work += r * (count + 1) + self.n
        self.moves += 1
        self._add_up()
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_up(self) -> cython.void:
        """Set the bounds of the basic variables, and the value of the program, from the values of all."""
        i: cython.int
        v: cython.int
        self.value = 0.0
        for v in range(self.n):
            if self.place[v] < 0 and self.upper[v]:
                self.value += self.c[v]
        for i in range(self.rows):
            v = self.n + i
            if self.place[v] < 0 and self.c[v] != 0.0:
                self.value += self.c[v] * (self._most(v) if self.upper[v] else self._least(v))
            v = self.head_of[i]
            self.lb[i] = self._least(v)
            self.ub[i] = self._most(v)
            self.value += self.c[v] * self.xb[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _column(self, v: cython.int, p: cython.int) -> cython.double:
        """Set `column` to the inverse times the column of variable v; returns its entry at place p."""
        r: cython.int = self.rows
        i: cython.int
        q: cython.int
        first: cython.int
        last: cython.int
        x: cython.double
        at: cython.longlong = 0
        if v >= self.n:
            for i in range(r):
                self.column[i] = self.inverse[at + v - self.n]
                at += r
        else:
            first = self.start[v]
            last = self.mid[v]
            for i in range(r):
                x = 0.0
                for q in range(first, last):
                    x += self.inverse[at + self.inn[q]]
                self.column[i] = x
                at += r
            self.work += r * (last - first)
            if self.rows > self.plain:
                self._add_heavy(v)
        return self.column[p]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_heavy(self, o: cython.int) -> cython.void:
        """Add to `column` what an option's heavy entries contribute."""
        r: cython.int = self.rows
        i: cython.int
        q: cython.int
        first: cython.int = self.mid[o]
        last: cython.int = self.past[o]
        x: cython.double
        at: cython.longlong = 0
        if first == last:
            return
        for i in range(r):
            x = 0.0
            for q in range(first, last):
                x += self.inverse[at + self.inn[q]] * self.scaled[q]
            self.column[i] += x
            at += r
        self.work += r * (last - first)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pivot(self, p: cython.int, dense: cython.int, pivot: cython.double) -> cython.void:
        """Update the inverse and the weights of its rows: the variable of `column` has entered at place p.

        dense: how many numbers of row p are not 0; `where` lists their positions.  pivot: the entry of `column` at p.
        """
        r: cython.int = self.rows
        i: cython.int
        k: cython.int
        f: cython.double
        x: cython.double
        w: cython.double
        base: cython.longlong = cython.cast(cython.longlong, p) * r
        at: cython.longlong = 0
        w = 0.0
        for k in range(dense):
            x = self.inverse[base + self.where[k]] / pivot
            self.inverse[base + self.where[k]] = x
            w += x * x
        self.weight[p] = w if w > SHORT else SHORT
        for i in range(r):
            f = self.column[i]
            if i != p and (f > ZERO or f < -ZERO):
                x = 0.0
                if 2 * dense > r:
                    for k in range(r):
                        self.inverse[at + k] -= f * self.inverse[base + k]
                else:
                    for k in range(dense):
                        self.inverse[at + self.where[k]] -= f * self.inverse[base + self.where[k]]
                self._weigh(i, at)
                self.work += dense + r // 2
            at += r

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _weigh(self, i: cython.int, at: cython.longlong) -> cython.void:
        """Compute the squared length of a row of the inverse, in four independent sums for speed."""
        r: cython.int = self.rows
        k: cython.int = 0
        a: cython.double = 0.0
        b: cython.double = 0.0
        c: cython.double = 0.0
        e: cython.double = 0.0
        while k + 3 < r:
            a += self.inverse[at + k] * self.inverse[at + k]
            b += self.inverse[at + k + 1] * self.inverse[at + k + 1]
            c += self.inverse[at + k + 2] * self.inverse[at + k + 2]
            e += self.inverse[at + k + 3] * self.inverse[at + k + 3]
            k += 4
        while k < r:
            a += self.inverse[at + k] * self.inverse[at + k]
            k += 1
        a += b + c + e
        self.weight[i] = a if a > SHORT else SHORT

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _drift(self) -> cython.double:
        """The largest absolute reduced cost of a basic variable. It would be 0 without rounding errors."""
        i: cython.int
        q: cython.int
        v: cython.int
        rc: cython.double
        most: cython.double = 0.0
        for i in range(self.rows):
            v = self.head_of[i]
            rc = self.c[v]
            if v < self.n:
                for q in range(self.start[v], self.mid[v]):
                    rc -= self.y[self.inn[q]]
                if self.rows > self.plain:
                    rc -= self._lean(v, self.y)
                self.work += self.mid[v] - self.start[v]
            else:
                rc -= self.y[v - self.n]
            if rc < 0:
                rc = -rc
            if rc > most:
                most = rc
        return most

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _invert(self) -> cython.void:
        """Recompute the inverse, the prices and the values. Variables whose columns have become linearly dependent
        leave the basis, and slacks take their places."""
        r: cython.int = self.rows
        i: cython.int
        k: cython.int
        v: cython.int
        p: cython.int
        dense: cython.int
        count: cython.int = 0
        size: cython.double
        at: cython.longlong
        for i in range(r):
            v = self.head_of[i]
            if v < self.n:
                self.later[count] = v
                count += 1
            self.place[v] = -1
        for i in range(r):
            self.among[i] = 0
        for i in range(r):
            at = cython.cast(cython.longlong, i) * r
            for k in range(r):
                self.inverse[at + k] = 0.0
            self.inverse[at + i] = 1.0
            self.weight[i] = 1.0
            v = self.head_of[i]
            if v >= self.n:
                self.among[v - self.n] = 1  # the slack of this row is in the basis and stays
        for i in range(r):
            self.head_of[i] = self.n + i
        for k in range(count):
            v = self.later[k]
            self._column(v, 0)
            p = -1
            size = PIVOT
            for i in range(r):
                if self.among[i] == 0 and abs(self.column[i]) > size:
                    size = abs(self.column[i])
                    p = i
            if p < 0:
                self.upper[v] = self.state[v] == TAKEN
                continue
            self.among[p] = 1
            self.head_of[p] = v
            dense = 0
            at = cython.cast(cython.longlong, p) * r
            for i in range(r):
                if self.inverse[at + i] != 0.0:
                    self.where[dense] = i
                    dense += 1
            self._pivot(p, dense, self.column[p])
        for i in range(r):
            self.place[self.head_of[i]] = i
        for k in range(r):
            self.y[k] = 0.0
        for i in range(r):
            size = self.c[self.head_of[i]]
            if size != 0.0:
                at = cython.cast(cython.longlong, i) * r
                for k in range(r):
                    self.y[k] += size * self.inverse[at + k]
        self.since = 0
        self.exact = True
        self._reduce_costs()
        self._work_out()
