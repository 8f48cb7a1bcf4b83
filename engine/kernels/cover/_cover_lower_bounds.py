"""Which lower bounds branch and bound for minimum covers works out at a level, and what it concludes from them.

The bounds that the caller chose are worked out in turn, the fastest first. Prices are kept per level and passed from
parent to child. A completion that takes an option of rc > 0 costs at least L + rc; one without an option of rc < 0
costs at least L - rc. Where that is too much, the option is excluded or forced (`_thin`). All these tests are made with
the same L and the same sum paid, and only then are the forced options paid for: paying for each at once, and then
testing the next with the new sum, gave plausible wrong optima.

    estimates  which bounds to work out: the sum of CLASSIC, PRICE, … of header.py
    steps      the most subgradient steps at a node below the first
    gain       how much recent climbs added to the bound they began with, as a share of it
    hope       a climb is tried only if `hope` times the usual gain would end the node
    gap        the difference between the cutoff and the current level's bound
    turn       how many climbs were tried or skipped;  rounds: how many were made at the first level
    least      the proved lower bound: the last bound of level 0
    cut        how many nodes each estimate ended
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.cover._cover_climb import Climb
    from cython.cimports.covr.engine.kernels.cover._cover_lower_bounds import AGAIN, GONE, OPEN
    from cython.cimports.covr.engine.kernels.shared._kernel import CLASSIC, DUAL, FAR, LAGRANGE, PRICE
    from cython.cimports.covr.engine.kernels.shared.arrays import _zero_longs
else:
    from covr.engine.kernels.header import CLASSIC, DUAL, FAR, LAGRANGE, PRICE
    from covr.engine.kernels.header import COVER_AGAIN as AGAIN
    from covr.engine.kernels.header import COVER_GONE as GONE
    from covr.engine.kernels.header import COVER_OPEN as OPEN
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _zero_longs

    Climb = load("_cover_climb", interpreted=True).Climb

COMPILED = cython.compiled

ROOT_STEPS = cython.declare(cython.int, 600)  # subgradient steps at the first level; _cover.py compares other numbers
STEPS = cython.declare(cython.int, 40)  # subgradient steps at every other level
TRIAL = cython.declare(cython.int, 16)  # 1 in 16 climbs is tried even where it is not expected to end the node


@cython.cclass
class LowerBounds(Climb):
    """The levels, with lower bounds, thinned by the options that these exclude or force."""

    def __init__(self, needs, options, costs, cutoff: cython.longlong, estimates: cython.int, looks=None):
        """estimates: the sum of CLASSIC, PRICE, … of header.py.  The other arguments are those of `Levels`."""
        super().__init__(needs, options, costs, cutoff, looks)
        self.estimates = estimates
        self.steps = STEPS
        self.gain = 0.1
        self.gap = 1.0
        self.hope = FAR
        self.turn = 0
        self.rounds = 0
        self.least = 0
        self.cut = _zero_longs(8, self.hold)

    def least_bound(self):
        """The proved lower bound of the first level, not limited to the cutoff."""
        return self.least

    def ends(self):
        """How many nodes were ended by each estimate: classic, price, dual, lagrange, Python."""
        return [self.cut[k] for k in range(5)]

    def set_hope(self, hope: cython.double):
        """Climb only at nodes that `hope` times the usual gain would end."""
        self.hope = hope

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bound(self) -> cython.int:
        """Work out the estimates in turn. Returns GONE, OPEN, or AGAIN if options went and another pass is worth it."""
        d: cython.int = self.level
        m: cython.int = self.items[d]
        room: cython.longlong = self.cutoff - self.paid[d]
        value: cython.longlong
        low: cython.longlong = 1
        i: cython.int
        o: cython.int
        total: cython.double
        start: cython.double
        price: cython.longlong = self.at_price[d]
        if (self.estimates & CLASSIC) != 0:
            low = max(low, self._classic())
            if low >= room:
                self.cut[0] += 1
                return GONE
        if (self.estimates & (PRICE | DUAL | LAGRANGE)) == 0:
            self.gap = room
            for o in range(self.options[d]):
                self.reals[self.at_rc[d] + o] = self.ints[self.at_cost[d] + o]
        else:
            total = self._price()
            value = self._up(total)
            if value >= room:
                self.cut[1] += 1
                return GONE
            if (self.estimates & (DUAL | LAGRANGE)) != 0:
                total = self._ascend()
                value = self._up(total)
                if value >= room:
                    self.cut[2] += 1
                    return GONE
            if (self.estimates & LAGRANGE) != 0:
                # Begin with the inherited prices or with those of the ascent, whichever give the better bound.
                for i in range(m):
                    self.y_best[i] = self.y[i]
                    self.y[i] = self.reals[price + i]
                start = self._value()
                if start < total:
                    for i in range(m):
                        self.y[i] = self.y_best[i]
                    start = total
                self.turn += 1
                if d > 0 and start * (1.0 + self.hope * self.gain) + 1.0 < room and self.turn % TRIAL != 0:
                    total = self._value()
                elif d == 0:
                    total = self._climb(ROOT_STEPS, 20, 1.5 if self.rounds == 0 else 0.7)
                    self.rounds += 1
                    room = self.cutoff - self.paid[d]
                else:
                    total = self._climb(self.steps, 8, 1.0)
                    if start > 0.5:
                        self.gain += 0.02 * ((total - start) / start - self.gain)
                value = self._up(total)
                if value >= room:
                    self.cut[3] += 1
                    return GONE
            else:
                self._value()
            for i in range(m):
                self.reals[price + i] = self.y[i]
            low = max(low, value)
            if d == 0:
                self.least = max(self.least, self.paid[0] + low)
            if self._thin(total, self.rc):
                return AGAIN
            self.gap = room - total
            for o in range(self.options[d]):
                self.reals[self.at_rc[d] + o] = self.rc[o]
        if d == 0:
            self.least = max(self.least, self.paid[0] + low)
        return OPEN

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _thin(self, total: cython.double, rc: cython.p_double) -> cython.bint:
        """Exclude and force options by their reduced costs `rc`. total: L, the bound that goes with these.

        All tests use the sum paid before anything is forced. Returns whether anything changed.
        """
        d: cython.int = self.level
        room: cython.longlong = self.cutoff - self.paid[d]
        o: cython.int
        some: cython.bint = False
        for o in range(self.options[d]):
            self.order[o] = 0
            if rc[o] > 0.0:
                if self._up(total + rc[o]) >= room:
                    self.order[o] = 1
                    some = True
            elif rc[o] < 0.0 and self._up(total - rc[o]) >= room:
                self.order[o] = 2
                some = True
        if not some:
            return False
        self._open()
        for o in range(self.options[d]):
            if self.order[o] == 1:
                self._drop(o)
        for o in range(self.options[d]):
            if self.order[o] == 2:
                self._take(o, d)
        self._keep(d)
        return True
