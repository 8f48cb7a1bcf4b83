# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef"
# ruff: noqa: RET505 (the branch that is not compiled must be an else)
"""A node of branch and bound for any problem: what follows from its decisions, and its linear program.

mixed.py keeps the tree and says what is decided; here it is worked out what that leaves. Every option is *free*,
*taken* or *dropped*. What is settled goes on a trail, and is undone from its end.

**Propagation** (`propagate`): where an item is full its free options are dropped; where it needs all its free options
they are taken; options that show another colour than a taken one are dropped. An item that can't be met, or is met too
often, is the end of the node.

**The linear program** (`solve`): options between 0 and 1, for every uncoloured item its bounds; colours are left to
propagation. The dual simplex method with bounds on all variables: it can begin at any basis, so a node goes on from
the one before, wherever that was in the tree. The inverse of the basis is kept in full, row by row: there are rarely
more than some hundred items, its rows are what a step of the dual simplex method needs, their lengths are the weights
of steepest edges, and updating it touches only what is not zero.

**The bound** (`bound`): the simplex method is only trusted to find good prices y, of any sign. They are rounded to
whole units of 1 / `unit` of a cost, a price that would be worth nothing or -infinity becomes 0, and then

    L(y) = sum of low[i] y[i], or high[i] y[i] where y[i] < 0,  +  sum of rc[o] of taken options, and of those rc[o] of
           free options that are negative;    rc[o] = cost[o] - sum of y[i] over the items of o

is worked out in whole numbers of 63 bits. No completion undercuts it, whatever y is. An option of rc > 0 whose L + rc
is too much is dropped, one of rc < 0 whose L - rc is too much is taken. A node whose program has no solution is ended
by the same bound, at prices far along the ray that proves it. So no error of rounding can lose an answer; it can only
leave a node open.

**Data.** Items are numbered so that those of the program, the *rows*, come first.

    start, mid, inn   option o holds the items inn[start[o]] … inn[start[o+1]-1]; up to mid[o] they are rows
    shade             beside inn, colours
    row, by           item i is held by the options by[row[i]] … by[row[i+1]-1], increasing
    low, high         of items; FAR where nothing bounds it from above
    state             of options: FREE, TAKEN, DROPPED
    took, live        per item, its taken and its free options;  setter: the option that gave it its colour, or -1
    trail, size, head options in the order in which they were settled; those before head are propagated

    Variables of the program are the options 0 … n-1 and a *slack* n+i per row, which is minus its sum.
    head_of           the basis: a variable per place;  place: where a variable is in it, or -1
    upper             whether a variable outside the basis is at its upper bound
    inverse           of the basis, rows by rows;  weight: the squared length of each of its rows
    xb, lb, ub        values and bounds of the basis
    y, d              prices and reduced costs, in units of the largest cost;  c: costs, a little perturbed
    free              the options that are free now

Source: the dual simplex method with boxed variables and long steps as in Koberstein (2005), "The dual simplex method,
techniques for a fast and stable implementation"; perturbed costs against ties are from there, too. Reduced-cost fixing
is folklore; the safe bound is that of Neumaier and Shcherbina (2004), "Safe bounds in linear and mixed-integer linear
programming", with whole numbers for intervals.

Measured: the root of the bus drivers' largest partition (205 rows, 14 771 options, before it is reduced) takes 1010
steps and 0.24 s, where HiGHS's dual simplex method, without its presolve, takes 1482 steps and 0.40 s. What did not
pay: prices of perturbed costs alone, which lose some thousandths of a bound that is whole; working the inverse out anew
every 400 steps rather than when it has drifted, which may take longer than a slice should. Not tried: cuts at nodes.
"""

from __future__ import annotations

from array import array

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

COMPILED = cython.compiled

FREE = cython.declare(cython.int, 0)
TAKEN = cython.declare(cython.int, 1)
DROPPED = cython.declare(cython.int, 2)

WAIT = cython.declare(cython.int, 0)  # what `solve` says: the work it may do is done
OPTIMAL = cython.declare(cython.int, 1)  # the program is solved
BEYOND = cython.declare(cython.int, 2)  # it costs too much, or has no solution: `bound` is to prove it
STUCK = cython.declare(cython.int, 3)  # no step is accurate enough

FAR = cython.declare(cython.int, 1 << 30)
HUGE = cython.declare(cython.longlong, 1 << 62)
ENDLESS = cython.declare(cython.double, 1e30)
FEASIBLE = cython.declare(cython.double, 1e-7)  # how far a value may be outside of its bounds
DUAL = cython.declare(cython.double, 1e-9)  # how far a reduced cost may be on the wrong side
PIVOT = cython.declare(cython.double, 1e-7)  # the least number to divide by
ZERO = cython.declare(cython.double, 1e-13)
DRIFT = cython.declare(cython.double, 1e-7)  # how far reduced costs of the basis may be from 0: beyond, the inverse is
AFTER = cython.declare(cython.int, 50)  # worked out anew; steps between two looks at them


@cython.cfunc
def _numbers(kind: str, size: cython.longlong, hold: list):
    """An array of that many zeros that lives as long as `hold`."""
    zeros = array(kind, bytes(array(kind).itemsize * max(size, 1))) if cython.compiled else [0] * max(size, 1)
    hold.append(zeros)
    return zeros


@cython.cfunc
def _ints(size: cython.longlong, hold: list) -> cython.p_int:
    """That many whole numbers as a C array; interpreted: a list."""
    if cython.compiled:
        view: cython.int[::1] = _numbers("i", size, hold)
        return cython.address(view[0])
    else:
        return _numbers("i", size, hold)


@cython.cfunc
def _longs(size: cython.longlong, hold: list) -> cython.p_longlong:
    if cython.compiled:
        view: cython.longlong[::1] = _numbers("q", size, hold)
        return cython.address(view[0])
    else:
        return _numbers("q", size, hold)


@cython.cfunc
def _reals(size: cython.longlong, hold: list) -> cython.p_double:
    if cython.compiled:
        view: cython.double[::1] = _numbers("d", size, hold)
        return cython.address(view[0])
    else:
        return [float(x) for x in _numbers("d", size, hold)]


@cython.final
@cython.cclass
class MixedKernel:
    """The state of a node; see above."""

    n: cython.int
    m: cython.int
    rows: cython.int
    start: cython.p_int
    mid: cython.p_int
    inn: cython.p_int
    shade: cython.p_int
    row: cython.p_int
    by: cython.p_int
    low: cython.p_int
    high: cython.p_int
    cost: cython.p_longlong
    state: cython.p_int
    took: cython.p_int
    live: cython.p_int
    setter: cython.p_int
    trail: cython.p_int
    size: cython.int
    head: cython.int
    paid: cython.longlong
    mark: cython.p_int
    stamp: cython.int
    # the linear program
    head_of: cython.p_int
    place: cython.p_int
    upper: cython.p_int
    inverse: cython.p_double
    weight: cython.p_double
    xb: cython.p_double
    lb: cython.p_double
    ub: cython.p_double
    y: cython.p_double
    d: cython.p_double
    c: cython.p_double
    alpha: cython.p_double
    free: cython.p_int
    frees: cython.int
    begun: cython.bint  # the program is set up for what is settled now
    exact: cython.bint  # the inverse was just worked out
    since: cython.int
    value: cython.double
    target: cython.double
    far: cython.bint  # the prices to be judged are those of `ray`
    scale: cython.double
    unit: cython.longlong
    most: cython.longlong
    cutoff: cython.longlong
    price: cython.p_longlong
    rc: cython.p_longlong
    proved: cython.longlong
    work: cython.longlong
    steps: cython.longlong
    fixed: cython.longlong
    # scratch
    ray: cython.p_double
    column: cython.p_double
    sums: cython.p_double
    where: cython.p_int
    among: cython.p_int
    later: cython.p_int
    hold: list

    def __init__(self, lows, highs, rows, options, shades, costs, unit, most, cutoff):
        """lows, highs: of items, the rows first; `highs` FAR for none.  options: increasing items.  shades: colours
        beside, or None.  costs: whole numbers.  unit, most: prices are whole multiples of 1 / unit of a cost, at most
        `most` of these (mixed.py sees that nothing overflows).  cutoff: only answers of which unit times the cost is
        less are looked for.
        """
        n: cython.int = len(options)
        m: cython.int = len(lows)
        k: cython.int
        i: cython.int
        o: cython.int
        z: cython.int = sum([len(option) for option in options])
        hold: list = []
        self.hold = hold
        self.n, self.m, self.rows = n, m, rows
        self.start = _ints(n + 1, hold)
        self.mid = _ints(n + 1, hold)
        self.inn = _ints(z, hold)
        self.shade = _ints(z, hold)
        self.row = _ints(m + 2, hold)
        self.by = _ints(z, hold)
        self.low = _ints(m, hold)
        self.high = _ints(m, hold)
        self.cost = _longs(n, hold)
        self.state = _ints(n, hold)
        self.took = _ints(m, hold)
        self.live = _ints(m, hold)
        self.setter = _ints(m, hold)
        self.trail = _ints(n, hold)
        self.mark = _ints(n, hold)
        self.stamp = 0
        self.size = self.head = 0
        self.paid = 0
        at: cython.int = 0
        for o in range(n):
            self.cost[o] = costs[o]
            self.start[o] = self.mid[o] = at
            for k, i in enumerate(options[o]):
                self.inn[at] = i
                if shades is not None:
                    self.shade[at] = shades[o][k]
                self.live[i] += 1
                at += 1
                if i < rows:
                    self.mid[o] = at
        self.start[n] = at
        at = 0
        for i in range(m):
            self.low[i], self.high[i] = lows[i], highs[i]
            self.setter[i] = -1
            self.row[i + 1] = at
            at += self.live[i]
        for o in range(n):
            for k in range(self.start[o], self.start[o + 1]):
                i = self.inn[k]
                self.by[self.row[i + 1]] = o
                self.row[i + 1] += 1
        size: cython.int = n + rows
        self.head_of = _ints(rows, hold)
        self.place = _ints(size, hold)
        self.upper = _ints(size, hold)
        self.inverse = _reals(cython.cast(cython.longlong, rows) * rows, hold)
        self.weight = _reals(rows, hold)
        self.xb = _reals(rows, hold)
        self.lb = _reals(rows, hold)
        self.ub = _reals(rows, hold)
        self.y = _reals(rows, hold)
        self.ray = _reals(rows, hold)
        self.column = _reals(rows, hold)
        self.sums = _reals(rows, hold)
        self.d = _reals(size, hold)
        self.c = _reals(size, hold)
        self.alpha = _reals(size, hold)
        self.free = _ints(n, hold)
        self.where = _ints(rows, hold)
        self.among = _ints(size, hold)
        self.later = _ints(size, hold)
        self.price = _longs(rows, hold)
        self.rc = _longs(n, hold)
        self.frees = 0
        self.scale = float(max([abs(cost) for cost in costs] + [1]))
        self.unit, self.most = unit, most
        self.cutoff = cutoff
        noise: cython.longlong = 12345
        for o in range(n):
            noise = (noise * 1103515245 + 12345) % 2147483648
            self.c[o] = costs[o] / self.scale
            self.c[o] += (1.0 + noise / 2147483648.0) * 5e-7 * (1.0 + abs(self.c[o])) * (1 if costs[o] >= 0 else -1)
            self.place[o] = -1
        for i in range(rows):
            self.head_of[i] = n + i
            self.place[n + i] = i
            self.inverse[cython.cast(cython.longlong, i) * rows + i] = 1.0
            self.weight[i] = 1.0
        self.begun = False
        self.exact = True
        self.since = 0
        self.far = False
        self.value = self.target = 0.0
        self.proved = -HUGE
        self.work = self.steps = self.fixed = 0

    # What is settled.

    def standing(self):
        """How many options are settled: where `undo` can go back to."""
        return self.size

    def spent(self):
        """The work done so far: numbers looked at, about."""
        return self.work

    def pivots(self):
        """Steps of the simplex method so far."""
        return self.steps

    def fixings(self):
        """Options that were settled by their reduced costs so far."""
        return self.fixed

    def settled(self, option: cython.int):
        """FREE, TAKEN or DROPPED."""
        return self.state[option]

    def taken(self):
        """The options that are taken, increasing."""
        return [o for o in range(self.n) if self.state[o] == TAKEN]

    def frees_left(self):
        """The options that are free, increasing."""
        return [o for o in range(self.n) if self.state[o] == FREE]

    def lower(self, cutoff: cython.longlong):
        """From now on only answers of which unit times the cost is less."""
        self.cutoff = cutoff

    def take(self, option: cython.int):
        """Take an option, and what follows; returns whether an answer is still possible."""
        return self._set(option, TAKEN) and self._propagate()

    def drop(self, option: cython.int):
        """Drop an option, and what follows; returns whether an answer is still possible."""
        return self._set(option, DROPPED) and self._propagate()

    def propagate(self):
        """What follows from the bounds of all items; to be called once, in the beginning."""
        i: cython.int
        for i in range(self.m):
            if not self._look(i):
                return False
        return self._propagate()

    def together(self, one: cython.int, other: cython.int):
        """Drop what holds one of two items without the other; returns whether an answer is still possible."""
        return self._part(one, other, False) and self._part(other, one, False) and self._propagate()

    def apart(self, one: cython.int, other: cython.int):
        """Drop what holds both items; returns whether an answer is still possible."""
        return self._part(one, other, True) and self._propagate()

    def undo(self, size: cython.int):
        """Free again whatever was settled beyond so many."""
        o: cython.int
        i: cython.int
        q: cython.int
        while self.size > size:
            self.size -= 1
            o = self.trail[self.size]
            for q in range(self.start[o], self.start[o + 1]):
                i = self.inn[q]
                self.live[i] += 1
                if self.state[o] == TAKEN:
                    self.took[i] -= 1
                    if self.setter[i] == o:
                        self.setter[i] = -1
            if self.state[o] == TAKEN:
                self.paid -= self.cost[o]
            self.state[o] = FREE
        self.head = self.size
        self.begun = False

    def hopeless(self, option: cython.int):
        """Whether no answer takes a free option, as far as propagation tells."""
        before: cython.int = self.size
        fine: cython.bint = self._set(option, TAKEN) and self._propagate()
        self.undo(before)
        return not fine

    @cython.cfunc
    @cython.exceptval(check=False)
    def _part(self, one: cython.int, other: cython.int, both: cython.bint) -> cython.bint:
        """Drop the free options that hold one item and the other one, too, or not."""
        k: cython.int
        o: cython.int
        self.stamp += 1
        for k in range(self.row[other], self.row[other + 1]):
            self.mark[self.by[k]] = self.stamp
        for k in range(self.row[one], self.row[one + 1]):
            o = self.by[k]
            if (self.mark[o] == self.stamp) == both and self.state[o] != DROPPED and not self._set(o, DROPPED):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _set(self, o: cython.int, state: cython.int) -> cython.bint:
        """Settle an option; returns False where it is settled the other way."""
        q: cython.int
        i: cython.int
        if self.state[o] != FREE:
            return self.state[o] == state
        self.begun = False
        self.state[o] = state
        self.trail[self.size] = o
        self.size += 1
        for q in range(self.start[o], self.start[o + 1]):
            i = self.inn[q]
            self.live[i] -= 1
            if state == TAKEN:
                self.took[i] += 1
        if state == TAKEN:
            self.paid += self.cost[o]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _propagate(self) -> cython.bint:
        """Look at the items of whatever was settled."""
        o: cython.int
        q: cython.int
        while self.head < self.size:
            o = self.trail[self.head]
            self.head += 1
            for q in range(self.start[o], self.start[o + 1]):
                if self.inn[q] >= self.rows:
                    if self.state[o] == TAKEN and not self._tint(o, self.inn[q], self.shade[q]):
                        return False
                elif not self._look(self.inn[q]):
                    return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look(self, i: cython.int) -> cython.bint:
        """What the bounds of an item without colours settle."""
        k: cython.int
        o: cython.int
        state: cython.int = FREE
        if i >= self.rows:
            return True
        if self.took[i] > self.high[i] or self.took[i] + self.live[i] < self.low[i]:
            return False
        if self.live[i] == 0:
            return True
        if self.took[i] == self.high[i]:
            state = DROPPED
        elif self.took[i] + self.live[i] == self.low[i]:
            state = TAKEN
        if state != FREE:
            self.work += self.row[i + 1] - self.row[i]
            for k in range(self.row[i], self.row[i + 1]):
                o = self.by[k]
                if self.state[o] == FREE:
                    self._set(o, state)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _tint(self, o: cython.int, i: cython.int, shade: cython.int) -> cython.bint:
        """A taken option shows a colour (0: holds the item alone): what shows another one, or none, goes."""
        k: cython.int
        q: cython.int
        other: cython.int
        if self.setter[i] == -1:
            self.setter[i] = o
        for k in range(self.row[i], self.row[i + 1]):
            other = self.by[k]
            if other == o or self.state[other] == DROPPED:
                continue
            q = self.start[other]
            while self.inn[q] != i:
                q += 1
            if (shade == 0 or self.shade[q] != shade) and not self._set(other, DROPPED):
                return False
        return True

    # The bound.

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
        self.proved = value
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
                if self.high[i] >= FAR:
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

    # The linear program.

    def solve(self, work: cython.longlong):
        """Go on with the program of what is settled now, until about so much work is done."""
        code: cython.int
        with cython.nogil:
            code = self._solve(self.work + work)
        return code

    def fractions(self):
        """The free options whose value in the program is not 0, and these values."""
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

    def objective(self):
        """The program's value, in costs, not proved."""
        return self.value * self.scale

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _solve(self, end: cython.longlong) -> cython.int:
        code: cython.int
        if not self.begun:
            self._begin()
        while True:
            if self.work >= end:
                return WAIT
            code = self._step()
            if code != WAIT:
                return code

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self) -> cython.void:
        """From what is settled: free options, reduced costs, sides, and values of the basis."""
        o: cython.int
        self.frees = 0
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
        self._work_out()
        self.begun = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _reduce_costs(self) -> cython.void:
        """Reduced costs from prices; what is outside the basis goes to the side that they want."""
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
            elif self.high[i] < FAR:
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
        if self.high[v - self.n] >= FAR:
            return -ENDLESS
        return -self.high[v - self.n]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _most(self, v: cython.int) -> cython.double:
        """The upper bound of a variable."""
        if v < self.n:
            return 0.0 if self.state[v] == DROPPED else 1.0
        return -self.low[v - self.n]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _work_out(self) -> cython.void:
        """Values and bounds of the basis, and the value of the program."""
        i: cython.int
        k: cython.int
        v: cython.int
        q: cython.int
        r: cython.int = self.rows
        x: cython.double
        at: cython.longlong
        for i in range(r):
            self.sums[i] = 0.0
        self.value = 0.0
        for v in range(self.n):
            if self.place[v] < 0 and self.upper[v]:
                self.value += self.c[v]
                for q in range(self.start[v], self.mid[v]):
                    self.sums[self.inn[q]] -= 1.0
        for i in range(r):
            v = self.n + i
            if self.place[v] < 0:
                x = self._most(v) if self.upper[v] else self._least(v)
                self.sums[i] -= x
                self.value += self.c[v] * x
        for i in range(r):
            at = cython.cast(cython.longlong, i) * r
            x = 0.0
            for k in range(r):
                x += self.inverse[at + k] * self.sums[k]
            v = self.head_of[i]
            self.xb[i] = x
            self.lb[i] = self._least(v)
            self.ub[i] = self._most(v)
            self.value += self.c[v] * x
        self.work += r * r

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self) -> cython.int:
        """One step of the dual simplex method."""
        r: cython.int = self.rows
        n: cython.int = self.n
        i: cython.int
        k: cython.int
        j: cython.int
        q: cython.int
        p: cython.int = -1
        gap: cython.double
        score: cython.double
        best: cython.double = 0.0
        for i in range(r):
            gap = self.lb[i] - self.xb[i]
            if gap < self.xb[i] - self.ub[i]:
                gap = self.xb[i] - self.ub[i]
            if gap > FEASIBLE:
                score = gap * gap / self.weight[i]
                if score > best:
                    best = score
                    p = i
        if p < 0:
            return OPTIMAL
        if self.since >= AFTER:
            self.since = 0
            if self._drift() > DRIFT:
                self._invert()
                return WAIT
        self.steps += 1
        side: cython.double = 1.0 if self.xb[p] > self.ub[p] else -1.0
        slope: cython.double = self.xb[p] - self.ub[p] if side > 0 else self.lb[p] - self.xb[p]
        at: cython.longlong = cython.cast(cython.longlong, p) * r
        rho: cython.p_double = self.inverse + at if cython.compiled else self.inverse[at : at + r]
        dense: cython.int = 0
        for k in range(r):
            if rho[k] > ZERO or rho[k] < -ZERO:
                self.where[dense] = k
                dense += 1
            else:
                self.inverse[at + k] = 0.0
                if not cython.compiled:
                    rho[k] = 0.0
        # Who could enter: variables whose reduced cost goes towards 0.
        found: cython.int = 0
        a: cython.double
        for k in range(self.frees):
            j = self.free[k]
            if self.place[j] >= 0:
                continue
            a = 0.0
            for q in range(self.start[j], self.mid[j]):
                a += rho[self.inn[q]]
            self.alpha[j] = a
            a *= side
            if (a < -PIVOT) if self.upper[j] else (a > PIVOT):
                self.among[found] = j
                found += 1
            self.work += self.mid[j] - self.start[j] + 1
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
        # The ratio test with long steps: variables may go to their other bound as long as that helps.
        flips: cython.int = 0
        enters: cython.int = -1
        ratio: cython.double
        least: cython.double
        size: cython.double
        drop: cython.double
        before: cython.double = 0.0
        rest: cython.int
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
            q = flips
            for k in range(found):
                j = self.among[k]
                a = abs(self.alpha[j])
                if abs(self.d[j]) <= least * a:
                    if j < n:
                        drop += a
                    elif self.high[j - n] >= FAR:
                        drop += ENDLESS
                    else:
                        drop += a * (self.high[j - n] - self.low[j - n])
                    self.later[q] = j
                    q += 1
                    if a > size:
                        size = a
                        enters = j
                else:
                    self.among[rest] = j
                    rest += 1
            self.work += found
            ratio = abs(self.d[enters]) / size
            self.value += (ratio - before) * slope
            before = ratio
            if slope - drop <= FEASIBLE:
                break
            slope -= drop
            flips = q
            found = rest
            enters = -1
        t: cython.double
        if enters < 0:
            # No solution: far along this ray every bound is passed.
            t = (2.0 * abs(self.target) + abs(self.value) + 1.0) / slope if self.target < ENDLESS else 1e6
            for k in range(r):
                self.ray[k] = self.y[k] + t * side * rho[k]
            self.far = True
            return BEYOND
        # The column that enters.
        pivot: cython.double = self._column(enters, p)
        if abs(pivot) < PIVOT:
            if self.exact:
                return STUCK
            self._invert()
            return WAIT
        if flips > 0:
            self._flip(flips)
        t = self.d[enters] / (side * self.alpha[enters])
        if t < 0:
            t = 0.0
        step: cython.double = (self.xb[p] - (self.ub[p] if side > 0 else self.lb[p])) / pivot
        for i in range(r):
            self.xb[i] -= step * self.column[i]
        start: cython.double = self._most(enters) if self.upper[enters] else self._least(enters)
        t *= side
        leaves: cython.int = self.head_of[p]
        for k in range(self.frees):
            j = self.free[k]
            if self.place[j] < 0:
                self._lessen(j, t)
        for k in range(dense):
            j = n + self.where[k]
            if self.place[j] < 0:
                self._lessen(j, t)
            self.y[self.where[k]] += t * rho[self.where[k]]
        self.d[leaves] = -t
        self.d[enters] = 0.0
        self.place[leaves] = -1
        self.upper[leaves] = side > 0
        if leaves < n and self.state[leaves] != FREE:
            self.upper[leaves] = self.state[leaves] == TAKEN
        self.place[enters] = p
        self.head_of[p] = enters
        self.xb[p] = start + step
        self.lb[p] = self._least(enters)
        self.ub[p] = self._most(enters)
        self._pivot(p, dense, pivot)
        self.since += 1
        self.exact = False
        return BEYOND if self.value > self.target else WAIT

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _lessen(self, j: cython.int, t: cython.double) -> cython.void:
        """A reduced cost moves; where it would get to the wrong side its cost is shifted."""
        d: cython.double = self.d[j] - t * self.alpha[j]
        wrong: cython.bint = d > 0.0 if self.upper[j] else d < 0.0
        if wrong and (j < self.n or self.low[j - self.n] != self.high[j - self.n]):
            self.c[j] -= d
            d = 0.0
        self.d[j] = d

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _column(self, v: cython.int, p: cython.int) -> cython.double:
        """The inverse times the column of a variable; returns its place p."""
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
        return self.column[p]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _flip(self, flips: cython.int) -> cython.void:
        """Variables outside the basis go to their other bounds, and its values follow."""
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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pivot(self, p: cython.int, dense: cython.int, pivot: cython.double) -> cython.void:
        """The inverse, and the lengths of its rows, once `column` has entered at place p, whose row has `dense`
        numbers that are not 0, at `where`."""
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
        self.weight[p] = w if w > 1e-12 else 1e-12
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
        """The squared length of a row of the inverse, in four sums that don't wait for one another."""
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
        self.weight[i] = a if a > 1e-12 else 1e-12

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _drift(self) -> cython.double:
        """How far from 0 the reduced costs of the basis are: what errors of rounding have added up to."""
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
        """Work the inverse out anew, and prices and values with it. What has become dependent leaves the basis for
        slacks."""
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
                self.among[v - self.n] = 1  # this slack stays in the basis
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
