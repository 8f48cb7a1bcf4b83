"""Branch and bound for minimum covers: each item needs at least a given number of options; all costs are positive.

The kernel is seven files that share one state. Each has one class, declared in its .pxd, which inherits from the class
before; the same holds when they run interpreted. From the bottom:

    _cover_levels.py        what is left of the problem, level by level, and how it is changed
    _cover_folds.py         levels that are kept as bits where they would take too much memory
    _cover_reductions.py    what can be decided without a bound
    _cover_prices.py        lower bounds that take one pass
    _cover_climb.py         subgradient steps, and the covers found on the way
    _cover_lower_bounds.py  which bounds are worked out, and what follows from them
    _cover.py               the tree

Each call from one file to another works on a whole option or level, so that these are few.
The parts with a state of their own are elsewhere: local search (_descent.py), the work before the search (core.py,
asked.py), symmetries, and the order in which all of these run (cover.py).

**How it branches.** A *level* holds what is left of the problem: the uncovered items, the options, and which option
holds which item. It is reduced, bounded, and thinned by its bound until nothing changes. Then the item with the fewest
ways is chosen (if costs differ, the item whose options have the least room between their reduced costs and the gap),
and the best-priced of its options. That option is taken, which makes the next level. When everything below is done, the
option is *excluded* from its level for good; the level is then reduced and bounded again, and branches again. So no set
of options is visited twice, and a level's bound rises as its options go.

Source: the scheme is that of Beasley (1987), "An algorithm for set covering problem", and of Caprara, Fischetti and
Toth (1999), "A heuristic method for the set covering problem", for prices and steps; to exclude options that were tried
is common practice.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.cover._cover_lower_bounds import AGAIN, ASKED, GONE, OPEN, LowerBounds
    from cython.cimports.covr.engine.kernels.shared._kernel import ASK, DONE, FAR, FOUND, PYTHON, SLICE
    from cython.cimports.covr.engine.kernels.shared.arrays import _zero_ints, _zero_longs
else:
    from covr.engine.kernels.header import ASK, DONE, FAR, FOUND, PYTHON, SLICE
    from covr.engine.kernels.header import COVER_AGAIN as AGAIN
    from covr.engine.kernels.header import COVER_ASKED as ASKED
    from covr.engine.kernels.header import COVER_GONE as GONE
    from covr.engine.kernels.header import COVER_OPEN as OPEN
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _zero_ints, _zero_longs

    LowerBounds = load("_cover_lower_bounds", interpreted=True).LowerBounds

COMPILED = cython.compiled

# The states of the search between two slices.
ENTER = cython.declare(cython.int, 0)  # reduce and bound the top level
BRANCH = cython.declare(cython.int, 1)  # choose the level's next option and take it
BACK = cython.declare(cython.int, 2)  # the top level is finished
EXCLUDE = cython.declare(cython.int, 3)  # everything below an option is finished: exclude the option
END = cython.declare(cython.int, 4)  # every level is finished


@cython.final
@cython.cclass
class Cover(LowerBounds):
    """A kernel (see loading.py) for covering problems in which every option costs something."""

    asked: cython.bint  # the Python estimate was asked about the current level
    symmetric: cython.longlong  # see `set_symmetric`
    wanted: cython.int  # what ASK asks for: 0 an estimate, 1 an orbit
    uniform: cython.bint  # all options cost the same
    branch: cython.p_int  # per level, the local number of the option taken from it
    began: cython.p_longlong  # per level, the value of `updates` when that option was taken

    def __init__(self, needs, options, costs, cutoff: cython.longlong, estimates: cython.int, looks=None):
        """needs: per item, how many options it needs, at least 1.  options: per option, its items, increasing, without
        items that need not be met.  costs: per option, at least 1, with a sum below 2**31.  cutoff: covers must cost
        less than this.  estimates: the sum of CLASSIC, PRICE, … of header.py.  looks: see `Levels`."""
        super().__init__(needs, options, costs, cutoff, estimates, looks)
        self.branch = _zero_ints(self.depth, self.hold)
        self.began = _zero_longs(self.depth, self.hold)
        self.uniform = len(set(costs)) <= 1
        self.symmetric = 0
        self.wanted = 0
        self.asked = False
        self.state = ENTER

    def bound(self):
        """The proved lower bound for the cost of every cover; at most the cutoff."""
        return self.cutoff if self.state == END else min(self.least, self.cutoff)

    def set_symmetric(self, updates: cython.longlong):
        """Ask for an option's orbit if the search below it took at least `updates` updates per member of its level.

        A *member* is one item of one option. 0: never ask.
        """
        self.symmetric = updates

    def wants_orbit(self):
        """Whether ASK asks for an orbit; otherwise it asks for an estimate."""
        return self.wanted == 1

    def reduce(self):
        """Reduce the first level, before the search begins; returns whether anything is left to cover."""
        open: cython.bint = self._reduce()
        self.looks.settle()
        if self.watched and self._hold(1, not open):
            self.run(0, 0)  # which raises
        if not open:
            self.state = END
            return False
        if self.items[0] == 0:
            return False
        self._price()
        self.least = self.paid[0] + max(self._up(self._ascend()), self._classic())
        return True

    def ended(self):
        """Whether the search is over."""
        return self.state == END

    def branched(self):
        """The local number of the option whose orbit is wanted."""
        return self.branch[self.level]

    def exclude(self, options):
        """Reply to ASK for an orbit. options: the local numbers of the options equivalent to the one just tried."""
        o: cython.int
        self._settled()
        self._open()
        self.live[self.branch[self.level]] = 0
        for o in options:
            self.live[o] = 0
            if self.watched and self.witness[self.ints[self.at_option[self.level] + o]] != 0:
                self._lose(4, self.ints[self.at_option[self.level] + o])
        for o in range(self.options[self.level]):
            if self.live[o] == 0:
                self._drop(o)
        self._keep(self.level)
        self.state = ENTER

    def tell(self, value: cython.longlong, prices, exclude, force):
        """Reply to ASK for an estimate.

        value: a lower bound for what the level still costs.  prices: per local item, or None; the bound they give is
        worked out here.  exclude: options that are in no better cover.  force: options that are in every better cover.
        """
        d: cython.int = self.level
        i: cython.int
        o: cython.int
        room: cython.longlong = self.cutoff - self.paid[d]  # what may be spent, taken before anything is forced
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
            if self.watched:
                for option in [*exclude, *force]:
                    if option in numbers and (self.witness[option] != 0) == (option in exclude):
                        self._lose(5, option)
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
        o: cython.int
        if self.fresh:
            self.fresh = False
        while self.state != END:
            if self.state == ENTER:
                if self._nodes >= end or self.looks.halted:
                    return SLICE
                if not self.asked:
                    self._nodes += 1
                seen = self._look()
                if self.lost != 0:
                    return SLICE
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
                if self.watched:
                    self.tracks[d + 1] = self.tracks[d]
                    if self.witness[self.ints[self.at_option[d] + self.branch[d]]] == 0:
                        self.tracks[d + 1] = 0
                self._deeper(d)
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
                d = self.level - 1
                self.level = d
                if self.fold_at[d] >= 0:
                    self._unfold(d)
                if self.watched:
                    self._swap_back(d)
                    o = self.ints[self.at_option[d] + self.branch[d]]
                    if self.witness[o] != 0 and self._lose(3, o):
                        return SLICE
                self.state = EXCLUDE
                if (
                    self.symmetric > 0
                    and self._updates - self.began[d] >= self.symmetric * self.ints[self.at_start[d] + self.options[d]]
                ):
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
        """Reduce and bound the top level until nothing changes. Returns GONE, OPEN, ASKED or AGAIN."""
        d: cython.int = self.level
        while True:
            if not self._reduce():
                if self.watched:
                    self._hold(1, True)
                return GONE
            if self.watched and not self.looks.halted and self._hold(1, False):
                return GONE
            if self.looks.halted:
                return AGAIN  # an item may have too few options left, so the level can't be bounded
            if self.items[d] == 0:
                self._record(0)
                return GONE
            seen: cython.int = self._bound()
            if self.watched and self._hold(2, seen == GONE):
                return GONE
            if seen == GONE:
                return GONE
            if seen == AGAIN and d == 0:
                return AGAIN  # the first level may be large: return, so that limits and interrupts are checked
            if seen == OPEN:
                return ASKED if (self.estimates & PYTHON) != 0 and not self.asked else OPEN

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose(self) -> cython.int:
        """The option to branch on: the best-priced option of the chosen item.

        Where all options cost the same, the item with the fewest ways is chosen; on ties, that with the best options.
        Where costs differ, an option counts for less the more of the gap its reduced cost takes up, since it is soon
        excluded: 3.4 times fewer nodes on random weighted problems, half as many on the OR-Library's.
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
        """The item with the least sum of (1 - rc / gap)² over its options, divided by its need."""
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
