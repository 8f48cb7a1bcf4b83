"""Costs in the search with sides: a lower bound at every node, and the options that it decides.

The bound starts as the cost of the taken options plus all negative costs of open options. To this each item that needs
more options adds its need times a price: the least reduced cost among its open options. That price is subtracted from
the reduced costs of these options, item after item, so that no cost is counted twice (dual ascent). If an item takes
exactly one option, an option that can't be taken without another one (a town needs the depot that serves it) may pay
part of the price from that other option's reduced cost. Several options of the item may share this payment, since only
one of them will be taken.

Then come the totals that are represented as sets of sums: dynamic programming over the groups finds the least reduced
cost at which an allowed sum can be reached. This is added to the bound, and the reduced costs of the total's options
become 0. At last, an open option is left out if the bound plus its reduced cost (and that of the option it implies)
reaches the cutoff, and one with a negative reduced cost is taken if the bound without it would reach the cutoff. All
numbers are whole. Connections, circuits and areas do not contribute to the bound; linear programs, which see the first
two, run beside this search (minimum/mixed.py).

    bounded     whether answers must cost less than `cutoff`; if not, no bound is worked out
    priced      whether any option has a cost other than 0
    cutoff      answers must cost less than this
    cost        per option, its cost
    reduced     per open option, its reduced cost: the cost less what it has paid
    implied     per option, an option that it can't be taken without, or -1
    owed        per option, what the options of the current item want it to pay; 0 between items
    lower_bound the lower bound of the last node
    dear        scratch, two rows: for every sum, the least cost at which the groups so far reach it
    weighable   whether some total can contribute to the bound
    summed      how many sums were looked at for that so far: at nodes with large totals most of the time goes there
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _longs, _zero_longs
    from cython.cimports.covr.engine.kernels.sides._sides_areas import AreaSides
    from cython.cimports.covr.engine.kernels.sides._sides_trail import OPEN, OUT, TAKEN
else:
    from covr.engine.kernels.header import SIDES_OPEN as OPEN
    from covr.engine.kernels.header import SIDES_OUT as OUT
    from covr.engine.kernels.header import SIDES_TAKEN as TAKEN
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _longs, _zero_longs

    AreaSides = load("_sides_areas", interpreted=True).AreaSides

COMPILED = cython.compiled

FAR = cython.declare(cython.longlong, 1 << 62)  # stands for an infinite cost
EFFORT = cython.declare(cython.longlong, 1 << 19)  # sums times groups that a node spends on totals at most: about 20 ms


@cython.cclass
class SidePrices(AreaSides):
    """Options, items and sides, with costs and lower bounds."""

    def __init__(self, problem, arrays, bounded: cython.bint, cutoff: cython.longlong):
        """problem, arrays: those of `Trail`.  bounded: whether answers must cost less than `cutoff`."""
        super().__init__(problem, arrays)
        self.bounded = bounded
        self.cutoff = cutoff
        self.priced = any(problem.costs)
        self.cost = _longs(problem.costs or [0] * problem.options, self.hold)
        self.reduced = _zero_longs(problem.options + 1, self.hold)
        self.lower_bound = 0
        self.implied = _ints(arrays.implied, self.hold)
        self.owed = _zero_longs(problem.options + 1, self.hold)
        bits = arrays.totals.bits
        self.summed = 0
        self.weighable = bounded and any(bits)
        self.dear = _zero_longs(2 * max(bits, default=0) if self.weighable else 1, self.hold)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pay(self) -> cython.void:
        """Set `reduced` to the costs, and `lower_bound` to the costs of taken options and all negative ones of open."""
        o: cython.int
        paid: cython.longlong = 0
        for o in range(self.options):
            if self.mark[o] == TAKEN:
                paid += self.cost[o]
            elif self.mark[o] == OPEN:
                self.reduced[o] = self.cost[o]
                if self.cost[o] < 0:
                    paid += self.cost[o]
        self.lower_bound = paid

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rest(self, o: cython.int) -> cython.longlong:
        """How much the option that option o implies can still pay."""
        p: cython.int = self.implied[o]
        return self.reduced[p] if p >= 0 and self.mark[p] == OPEN and self.reduced[p] > 0 else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _price(self, i: cython.int, need: cython.int) -> cython.longlong:
        """Let the open options of an item that needs `need` more pay its price. Returns what that adds to the bound."""
        q: cython.int
        o: cython.int
        p: cython.int
        left: cython.longlong
        price: cython.longlong = -1
        single: cython.bint = need == 1 and self.high[i] == 1
        for q in range(self.begin[i], self.begin[i + 1]):
            o = self.holders[q]
            if self.mark[o] == OPEN:
                left = max(self.reduced[o], 0) + (self._rest(o) if single else 0)
                if price < 0 or left < price:
                    price = left
                    if price == 0:
                        return 0
        for q in range(self.begin[i], self.begin[i + 1]):
            o = self.holders[q]
            if self.mark[o] != OPEN:
                continue
            left = max(self.reduced[o], 0)
            if left < price:
                p = self.implied[o]
                self.owed[p] = max(self.owed[p], price - left)
            if self.reduced[o] > 0:
                self.reduced[o] = max(left - price, 0)
        if single:
            for q in range(self.begin[i], self.begin[i + 1]):
                p = self.implied[self.holders[q]]
                if p >= 0:
                    self.reduced[p] -= self.owed[p]
                    self.owed[p] = 0
        return price * need

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _price_total(self, t: cython.int) -> cython.void:
        """Add to the bound the least that the options of a total must still cost, and let them pay it."""
        g: cython.int
        v: cython.int
        q: cython.int
        o: cython.int
        s: cython.longlong
        width: cython.longlong = self.bits[t]
        old: cython.longlong = 0
        new: cython.longlong = width
        cost: cython.longlong
        some: cython.bint = False
        self._look_at_groups(t)
        for s in range(width):
            self.dear[s] = FAR
        self.dear[0] = 0
        for g in range(self.group_begin[t], self.group_begin[t + 1]):
            for s in range(width):
                self.dear[new + s] = FAR
            for v in range(self.value_begin[g], self.value_begin[g + 1]):
                if self.can[v] > 0:
                    cost = 0 if self.left[g] < 0 else FAR
                    if cost != 0:
                        for q in range(self.option_begin[v], self.option_begin[v + 1]):
                            o = self.named[q]
                            if self.mark[o] == OPEN and self.reduced[o] < cost:
                                cost = self.reduced[o]
                        some = some or cost != 0
                    self._add_value(old, new, self.value[v], cost, width)
            if self.none[g] != 0:
                self._add_value(old, new, self.group_empty[g], 0, width)
            s = old
            old = new
            new = s
        if some:
            self._charge(t, old)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_value(
        self, old: cython.longlong, new: cython.longlong, value: cython.longlong, cost: cython.longlong,
        width: cython.longlong,
    ) -> cython.void:  # fmt: skip
        """Add a value of a group to every sum of the row at `old`, and lower the costs in the row at `new` to match.

        cost: of the cheapest option of that value.  width: sums per row.
        """
        s: cython.longlong
        dear: cython.p_longlong = self.dear
        self.summed += width - value
        for s in range(width - value):
            if dear[old + s] != FAR and dear[old + s] + cost < dear[new + s + value]:
                dear[new + s + value] = dear[old + s] + cost

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _charge(self, t: cython.int, row: cython.longlong) -> cython.void:
        """Add the cost of the cheapest allowed sum in a row to the bound. The total's options can then pay no more."""
        r: cython.int
        v: cython.int
        q: cython.int
        o: cython.int
        s: cython.longlong
        least: cython.longlong = FAR
        for r in range(self.range_begin[t], self.range_begin[t + 1]):
            for s in range(self.range_low[r], self.range_high[r] + 1):
                if self.dear[row + s] < least:
                    least = self.dear[row + s]
        if least == FAR:
            self.lower_bound = FAR
            return
        self.lower_bound += least
        for v in range(self.value_begin[self.group_begin[t]], self.value_begin[self.group_begin[t + 1]]):
            for q in range(self.option_begin[v], self.option_begin[v + 1]):
                o = self.named[q]
                if self.mark[o] == OPEN:
                    if self.reduced[o] < 0:
                        self.lower_bound -= self.reduced[o]
                    self.reduced[o] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bound(self) -> cython.bint:
        """Work out the lower bound, and decide options by it. Returns False if no answer is cheap enough."""
        i: cython.int
        o: cython.int
        need: cython.int
        left: cython.longlong
        self._pay()
        if self.priced:
            for i in range(self.items):
                need = self.low[i] - self.met[i]
                if need > 0 and self.open[i] > 0:
                    self.lower_bound += self._price(i, need)
            if self.weighable:
                left = EFFORT
                for i in range(self.totals):
                    left -= self.bits[i] * cython.cast(cython.longlong, self.group_begin[i + 1] - self.group_begin[i])
                    if self.bits[i] > 0 and left >= 0 and self.lower_bound < self.cutoff:
                        self._price_total(i)
        if self.lower_bound >= self.cutoff:
            return False
        if not self.priced:
            return True
        for o in range(self.options):
            if self.mark[o] != OPEN:
                continue
            if self.reduced[o] < 0:
                if self.lower_bound - self.reduced[o] >= self.cutoff:
                    self._set(o, TAKEN)
            elif self.lower_bound + self.reduced[o] + self._rest(o) >= self.cutoff:
                self._set(o, OUT)
        return not self.failed
