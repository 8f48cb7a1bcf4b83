# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef, has-type"
"""Costs in the search with sides: a lower bound for every node, and what it leaves out.

The bound is what is paid, with every open option that costs less than nothing, and a price for every item that needs
more options: what the cheapest of its open options costs. Prices are paid by the options, item after item, so what an
option costs is never counted twice (dual ascent). An option whose reduced cost and the bound come to the cutoff is left
out, and one of negative cost without which they would is taken. All numbers are whole. Sides are not heard: a side is
never cheaper than what it lets through.

    bounded     whether costs matter
    priced      whether any option costs something
    cutoff      answers must cost less than this
    cost        per option
    reduced     per option, its cost less the prices of its items; 0 where it costs less than nothing
    lower_bound the bound of the last node

Tried: the items with fewest options first, which found the minimum of rotas no sooner.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels._memory import _longs, _zero_longs  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._sides_circuits import CircuitSides  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels._memory import _longs, _zero_longs
    from covr.engine.kernels.loading import load

    CircuitSides = load("_sides_circuits", interpreted=True).CircuitSides

COMPILED = cython.compiled

OPEN = cython.declare(cython.int, 0)
TAKEN = cython.declare(cython.int, 1)
OUT = cython.declare(cython.int, 2)


@cython.cclass
class SidePrices(CircuitSides):  # type: ignore[misc, unused-ignore]
    """Options, items and sides, and what they cost."""

    def __init__(self, problem, arrays, bounded: cython.bint, cutoff: cython.longlong):
        """problem, arrays: as of `Trail`.  bounded: whether costs matter.  cutoff: answers must cost less than this."""
        super().__init__(problem, arrays)
        self.bounded = bounded
        self.cutoff = cutoff
        self.priced = any(problem.costs)
        self.cost = _longs(problem.costs or [0] * problem.options, self.hold)
        self.reduced = _zero_longs(problem.options + 1, self.hold)
        self.lower_bound = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pay(self) -> cython.void:
        """Set `reduced` to the costs, and `lower_bound` to what is paid and whatever costs less than nothing."""
        o: cython.int
        paid: cython.longlong = 0
        for o in range(self.options):
            if self.mark[o] == TAKEN:
                paid += self.cost[o]
            elif self.mark[o] == OPEN:
                if self.cost[o] < 0:
                    paid += self.cost[o]
                    self.reduced[o] = 0
                else:
                    self.reduced[o] = self.cost[o]
        self.lower_bound = paid

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _price(self, i: cython.int, need: cython.int) -> cython.longlong:
        """Let the open options of an item pay its price. Returns what that adds to the bound."""
        q: cython.int
        o: cython.int
        price: cython.longlong = -1
        for q in range(self.begin[i], self.begin[i + 1]):
            o = self.holders[q]
            if self.mark[o] == OPEN and (price < 0 or self.reduced[o] < price):
                price = self.reduced[o]
                if price == 0:
                    return 0
        for q in range(self.begin[i], self.begin[i + 1]):
            o = self.holders[q]
            if self.mark[o] == OPEN:
                self.reduced[o] -= price
        return price * need

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bound(self) -> cython.bint:
        """Bound the node, and leave out or take what the bound decides. Returns False if nothing is cheap enough."""
        i: cython.int
        o: cython.int
        need: cython.int
        self._pay()
        if self.priced:
            for i in range(self.items):
                need = self.low[i] - self.met[i]
                if need > 0 and self.open[i] > 0:
                    self.lower_bound += self._price(i, need)
        if self.lower_bound >= self.cutoff:
            return False
        if not self.priced:
            return True
        for o in range(self.options):
            if self.mark[o] != OPEN:
                continue
            if self.cost[o] < 0:
                if self.lower_bound - self.cost[o] >= self.cutoff:
                    self._set(o, TAKEN)
            elif self.lower_bound + self.reduced[o] >= self.cutoff:
                self._set(o, OUT)
        return not self.failed
