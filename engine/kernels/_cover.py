# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef, has-type"
"""Branch and bound for minimum covers: every item needs so many options, nothing else; costs are positive.

It is six files, a class each, that share one state: a class inherits from the one before, declared in its .pxd, and
interpreted ones do likewise. From the bottom:

    _cover_levels.py        what is left of the problem level by level, and how it is changed
    _cover_reductions.py    what is settled without a bound
    _cover_prices.py        lower bounds that take one pass
    _cover_climb.py         subgradients, and covers found on the way
    _cover_lower_bounds.py  which bounds are worked out, and what follows from them
    _cover.py               the tree

A call from one file to another goes by a table of addresses and is not inlined. Measured against one file of 1500 lines
that costs nothing: Steiner 27, random covers with and without costs and with `classic` alone took 0.96 to 1.03 times as
long, with the same counters, since whatever crosses a border looks at an option or a whole level.
What has a state of its own is elsewhere: local search (_descent.py), what is settled before (core.py, triangles.py),
symmetries, the order of it all (cover.py).

**How it branches.** A *level* holds what is left of the problem: uncovered items, options, who holds whom. It is
reduced, bounded, and thinned by its bound until nothing changes; then the item with the fewest ways is chosen (where
costs differ, of the least that reduced costs leave), and of its options the best-priced one. That option is taken
(the next level), and when everything under that is done it is *excluded* from its level for good, which is then
reduced and bounded again, and branches again. So no set of options is met twice, and a level's bound rises while its
options go.

Source: the scheme is that of Beasley (1987), "An algorithm for set covering problem", and of Caprara, Fischetti and
Toth (1999), "A heuristic method for the set covering problem", for prices and steps; excluding what was tried is
folklore. Tried and not worth it: strong branching; remembering residual problems; 12 steps at a node instead
of convergence (50 times the nodes on Steiner 27); 60 or 90 steps instead of 40 (a tenth slower); 150 steps at the first
level instead of 600 (a tenth faster on many, three times slower on knights 12); sums with two accumulators; covers from
the prices of later levels; choosing by measured work where to climb (estimates/auto.py). What paid beyond the
prototype: no climb where it can't be hoped to end the node, which is told by what climbs gained of late (1.5 to 3 times
on designs, Steiner systems and vertex covers, nothing lost elsewhere); branching by what reduced costs leave of an item
where costs differ (1.5 to 5 times); looking for dominance only at what shrank, and a climb whose steps have no branch
to mispredict (1.2 times); items that others imply (triangles.py).
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels._cover_lower_bounds import AGAIN, ASKED, GONE, OPEN, LowerBounds  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._kernel import ASK, DONE, FAR, FOUND, PYTHON, SLICE  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._memory import _zero_ints, _zero_longs  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels._memory import _zero_ints, _zero_longs
    from covr.engine.kernels.codes import ASK, DONE, FAR, FOUND, PYTHON, SLICE
    from covr.engine.kernels.codes import COVER_AGAIN as AGAIN
    from covr.engine.kernels.codes import COVER_ASKED as ASKED
    from covr.engine.kernels.codes import COVER_GONE as GONE
    from covr.engine.kernels.codes import COVER_OPEN as OPEN
    from covr.engine.kernels.loading import load

    LowerBounds = load("_cover_lower_bounds", interpreted=True).LowerBounds

COMPILED = cython.compiled

ENTER = cython.declare(cython.int, 0)  # a level is about to be looked at
BRANCH = cython.declare(cython.int, 1)  # its next option is to be chosen and taken
BACK = cython.declare(cython.int, 2)  # the top level is done
EXCLUDE = cython.declare(cython.int, 3)  # the option below which all is done goes
END = cython.declare(cython.int, 4)


@cython.final
@cython.cclass
class Cover(LowerBounds):  # type: ignore[misc, unused-ignore]
    """A kernel (see loading.py) for covering problems whose options all cost something."""

    asked: cython.bint  # the Python estimate has had its say on the level at hand
    symmetric: cython.longlong  # updates below an option, per member, after which its orbit is asked for; 0: never
    wanted: cython.int  # what ASK is about: 0 an estimate, 1 an orbit
    uniform: cython.bint  # all options cost the same
    branch: cython.p_int  # the local number of the option that is taken below
    began: cython.p_longlong  # the count of updates when it was taken

    def __init__(self, needs, options, costs, cutoff: cython.longlong, estimates: cython.int):
        """needs: per item, at least 1.  options: increasing items, without those that are not to be met.
        costs: from 1, in sum below 2**31.  cutoff: covers must cost less.  estimates: CLASSIC + …"""
        super().__init__(needs, options, costs, cutoff, estimates)
        self.branch = _zero_ints(self.depth, self.hold)
        self.began = _zero_longs(self.depth, self.hold)
        self.uniform = len(set(costs)) <= 1
        self.symmetric = 0
        self.wanted = 0
        self.asked = False
        self.state = ENTER

    def bound(self):
        """The proved lower bound of all covers, at most the cutoff."""
        return self.cutoff if self.state == END else min(self.least, self.cutoff)

    def set_symmetric(self, updates: cython.longlong):
        """Ask for the orbit of an option below which so many updates were made, per member of its level; 0: never."""
        self.symmetric = updates

    def wants_orbit(self):
        """What ASK is about: an orbit, or else an estimate."""
        return self.wanted == 1

    def reduce(self):
        """Reduce the first level, before the search begins; returns whether anything is left to cover."""
        if not self._reduce():
            self.state = END
            return False
        if self.items[0] == 0:
            return False
        self._price()
        self.least = self.paid[0] + max(self._up(self._ascend()), self._classic())
        return True

    def ended(self):
        """Whether nothing is left to look at."""
        return self.state == END

    def branched(self):
        """The local number of the option whose orbit is wanted."""
        return self.branch[self.level]

    def exclude(self, options):
        """The answer to ASK for an orbit: local numbers of options that are as good as the one that was tried."""
        o: cython.int
        self._settled()
        self._open()
        self.live[self.branch[self.level]] = 0
        for o in options:
            self.live[o] = 0
        for o in range(self.options[self.level]):
            if self.live[o] == 0:
                self._drop(o)
        self._keep(self.level)
        self.state = ENTER

    def tell(self, value: cython.longlong, prices, exclude, force):
        """The answer to ASK for an estimate: a bound for what the level still costs, prices per local item or
        None (the bound they give is worked out here), options of no better cover and options of every better one."""
        d: cython.int = self.level
        i: cython.int
        o: cython.int
        room: cython.longlong = self.cutoff - self.paid[d]  # before anything is forced
        total: cython.double = 0.0
        if prices is not None:
            for i in range(self.items[d]):
                self.y[i] = min(max(float(prices[i]), 0.0), self.spent + 1.0)
            total = self._value()
            value = max(value, self._up(total))
        self.asked = False
        if value >= room:
            self.cut[4] += 1
            self.state = BACK
            return
        if d == 0:
            self.least = max(self.least, self.paid[0] + value)
        self.state = BRANCH
        if prices is not None and self._thin(total, self.rc):
            self.state = ENTER
        numbers = {self.ints[self.at_option[d] + o]: o for o in range(self.options[d])}
        gone = [numbers[option] for option in exclude if option in numbers]
        sure = [numbers[option] for option in force if option in numbers]
        if gone or sure:
            self.state = ENTER
            self._open()
            for o in gone:
                self._drop(o)
            for o in sure:
                if self.live[o] != 0:
                    self._take(o, d)
            self._keep(d)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        seen: cython.int
        d: cython.int
        if self.fresh:
            self.fresh = False
        while self.state != END:
            if self.state == ENTER:
                if self._nodes >= end:
                    return SLICE
                if not self.asked:
                    self._nodes += 1
                seen = self._look()
                if seen == GONE:
                    self.state = BACK
                    self.asked = False
                elif seen == ASKED:
                    self.asked = True
                    self.wanted = 0
                    return ASK
                elif seen == OPEN:
                    self.state = BRANCH
                    self.asked = False
                if self.fresh:
                    self.fresh = False
                    self._answers += 1
                    if self._answers >= until:
                        return FOUND
            elif self.state == BRANCH:
                d = self.level
                self.branch[d] = self._choose()
                self.began[d] = self._updates
                self._room(d + 1, self.items[d], self.options[d], self.ints[self.at_start[d] + self.options[d]])
                self._open()
                self.paid[d + 1] = self.paid[d]
                self.length[d + 1] = self.length[d]
                self._settled()
                self._take(self.branch[d], d + 1)
                self._keep(d + 1)
                self.level = d + 1
                self.state = ENTER
            elif self.state == BACK:
                if self.level == 0:
                    self.state = END
                    break
                self.level -= 1
                self.state = EXCLUDE
                d = self.level
                if self.symmetric > 0 and self._updates - self.began[d] >= self.symmetric * self.ints[
                    self.at_start[d] + self.options[d]
                ]:
                    self.wanted = 1
                    return ASK
            else:
                self._settled()
                self._open()
                self._drop(self.branch[self.level])
                self._keep(self.level)
                self.state = ENTER
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look(self) -> cython.int:
        """Reduce and bound the top level until nothing changes: GONE, OPEN, ASKED or AGAIN."""
        d: cython.int = self.level
        while True:
            if not self._reduce():
                return GONE
            if self.items[d] == 0:
                self._record(0)
                return GONE
            seen: cython.int = self._bound()
            if seen == GONE:
                return GONE
            if seen == AGAIN and d == 0:
                return AGAIN  # the first level may be large: let limits and interrupts have their say
            if seen == OPEN:
                return ASKED if (self.estimates & PYTHON) != 0 and not self.asked else OPEN

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose(self) -> cython.int:
        """The option to branch on: the best-priced one of an item.

        Where all options cost the same it is the item with the fewest ways, the one with the best options on ties.
        Where they don't, an option counts the less the more of the gap its reduced cost takes up, since excluding the
        others soon leaves none: 3.4 times fewer nodes on random weighted problems, half on the OR-Library's.
        """
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        start: cython.longlong = self.at_start[d]
        row: cython.longlong = self.at_row[d]
        by: cython.longlong = self.at_by[d]
        cost: cython.longlong = self.at_cost[d]
        rc: cython.longlong = self.at_rc[d]
        item: cython.int = -1
        least: cython.int = 0
        ways: cython.int
        i: cython.int
        o: cython.int
        q: cython.int
        option: cython.int = -1
        worth: cython.double
        most: cython.double = 0.0
        if not self.uniform:
            item = self._scarcest()
        for i in range(self.items[d] if self.uniform else 0):
            ways = ints[row + i + 1] - ints[row + i] - ints[self.at_need[d] + i]
            if item >= 0 and ways > least:
                continue
            worth = 0.0
            for q in range(ints[row + i], ints[row + i + 1]):
                o = ints[by + q]
                worth += (1.0 * (ints[start + o + 1] - ints[start + o])) / ints[cost + o]
            if item < 0 or ways < least or worth > most:
                item = i
                least = ways
                most = worth
        most = FAR
        for q in range(ints[row + item], ints[row + item + 1]):
            o = ints[by + q]
            if self.uniform:
                worth = -1.0 * (ints[start + o + 1] - ints[start + o]) / ints[cost + o] + 1e-3 * self.reals[rc + o]
            else:
                worth = self.reals[rc + o]
            if worth < most:
                most = worth
                option = o
        return option

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _scarcest(self) -> cython.int:
        """The item with the least sum of (1 - rc / gap)² over its options, by its need."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        row: cython.longlong = self.at_row[d]
        rc: cython.p_double = self.rc
        item: cython.int = 0
        least: cython.double = FAR
        total: cython.double
        worth: cython.double
        i: cython.int
        o: cython.int
        q: cython.int
        for o in range(self.options[d]):
            worth = 1.0 - self.reals[self.at_rc[d] + o] / self.gap
            worth = 0.0 if worth < 0.0 else 1.0 if worth > 1.0 else worth
            rc[o] = worth * worth
        for i in range(self.items[d]):
            total = 0.0
            for q in range(ints[row + i], ints[row + i + 1]):
                total += rc[ints[self.at_by[d] + q]]
            total /= ints[self.at_need[d] + i]
            if total < least:
                least = total
                item = i
        return item
