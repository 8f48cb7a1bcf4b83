# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef, has-type"
"""Branch and bound for minimum covers: every item needs so many options, nothing else; costs are positive.

It is one file because a kernel's parts share its state: compiled classes and functions are shared among modules by
declarations (.pxd) that Cython ignores where the folder has another name than the package, and the interpreted
twin would need its own loader for each part. What has a state of its own is elsewhere: local search
(_descent.py), what is settled before (core.py, triangles.py), symmetries, the order of it all (cover.py).

**How it branches.** A *level* holds what is left of the problem: uncovered items, options, who holds whom. It is
reduced, bounded, and thinned by its bound until nothing changes; then the item with the fewest ways is chosen (where
costs differ, of the least that reduced costs leave), and of its options the best-priced one. That option is taken
(the next level), and when everything under that is done it is *excluded* from its level for good, which is then
reduced and bounded again, and branches again. So no set of options is met twice, and a level's bound rises while its
options go.

**Reductions** (`_reduce`): an item with as many options as it needs forces them; an option whose items another one
holds at no greater cost goes, if each of them needs only one more (a cover with both does not need it either);
an item goes if all options of another item that needs as many hold it too, and leaves its price to that one.

**Bounds**, cheapest first, as many as the caller names: see engine/estimates/. All but `classic` are values of

    L(y) = sum of need[i] y[i]  +  sum of min(0, rc[o]),    rc[o] = cost[o] - sum of y[i] over the items of o,

for prices y >= 0, which no completion undercuts (Lagrange): `_price` is a vector that is good on regular problems,
`_ascend` raises prices one by one while rc stays positive, `_climb` follows subgradients. Prices are kept by level and
go from parent to child. A completion that takes an option of rc > 0 costs L + rc, one that does without an option of
rc < 0 costs L - rc: where that is too much the option is excluded or forced. Which ones is settled for one L and
one sum paid, and only then are the forced ones paid: adding their costs to the same test gave plausible wrong optima.

**Rounding.** L and rc are sums of doubles, whose last digits are lost. `_up` takes off `eps` before it rounds up, and
`_margin` sees to it that eps is more than can have been lost. With u = 2**-53, S the sum of the level's costs (whole
numbers below 2**31, which doubles hold) and Q the sum of y[i] · (need[i] + the number of options that hold i), no sum
of t terms is off by more than t u / (1 - t u) times the sum of their sizes. That of L has at most m + n terms, whose
sizes add up to Q + S at most; those of all rc together have at most m + 1 terms each and sizes of Q + S; ascending
lowers each rc and raises L once for each item, by m terms more; and a test of L + rc adds one rc. Together that is less
than (4 m + 2 n + 8) u (Q + S), of which eps is at least twice as much, since Q is itself a sum of m terms.

**Data.** One level after another lies in two arenas, `ints` and `reals`; level d has room for as much as its
parent had left, and is always compact. Its parts begin at

    at_item, at_need   M items: their numbers in the caller's problem, how many more options each needs
    at_option, at_cost N options: numbers and costs
    at_start, at_in    option o holds the items in[start[o]] … (local numbers)
    at_row, at_by      item i is held by the options by[row[i]] … (local numbers), increasing
    at_price, at_rc    (reals) the prices of items and what they leave of the options' costs

    paid[d], length[d] the cost of all options taken up to level d, and how many of `path` these are
    live, left, count  scratch while a level changes: whether an option stays; the need of an item (0: it goes);
                       how many live options it has
    cutoff             covers must cost less than this
    best, bested       the best cover so far and its size
    least              the proved lower bound: what level 0 was last bounded by

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
    from cython.cimports.covr.engine.kernels._kernel import (  # type: ignore[import-untyped, import-not-found, unused-ignore]
        ASK,
        CLASSIC,
        DONE,
        DUAL,
        FOUND,
        LAGRANGE,
        PRICE,
        PYTHON,
        SLICE,
        Kernel,
    )
    from cython.cimports.covr.engine.kernels._memory import _zero_ints, _zero_longs, _zero_reals, _zero_words  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels._memory import _zero_ints, _zero_longs, _zero_reals, _zero_words
    from covr.engine.kernels.codes import ASK, CLASSIC, DONE, DUAL, FOUND, LAGRANGE, PRICE, PYTHON, SLICE
    from covr.engine.kernels.loading import load

    Kernel = load("_kernel", interpreted=True).Kernel

COMPILED = cython.compiled

ENTER = cython.declare(cython.int, 0)  # a level is about to be looked at
BRANCH = cython.declare(cython.int, 1)  # its next option is to be chosen and taken
BACK = cython.declare(cython.int, 2)  # the top level is done
EXCLUDE = cython.declare(cython.int, 3)  # the option below which all is done goes
END = cython.declare(cython.int, 4)

GONE = cython.declare(cython.int, 0)  # what a look at a level says: nothing better here
OPEN = cython.declare(cython.int, 1)
ASKED = cython.declare(cython.int, 2)  # a Python estimate is wanted first
AGAIN = cython.declare(cython.int, 3)  # it was thinned, and wants another look

HUGE = cython.declare(cython.longlong, 1 << 62)
FAR = cython.declare(cython.double, 1e18)
FARTHEST = cython.declare(cython.longlong, 1000000000000000000)  # the same as a whole number
ROUNDING = cython.declare(cython.double, 1.1102230246251565e-16)  # 2**-53, what one operation may be off by
ONE = cython.declare(cython.ulonglong, 1)
WORDS = cython.declare(cython.int, 1 << 22)  # the most words that bitsets for dominance may take
EFFORT = cython.declare(cython.longlong, 1 << 25)  # comparisons after which a look for dominance ends

ROOT_STEPS = cython.declare(cython.int, 600)
STEPS = cython.declare(cython.int, 40)
TRIAL = cython.declare(cython.int, 16)  # every so often a climb is tried even where there is no hope


@cython.final
@cython.cclass
class Cover(Kernel):  # type: ignore[misc, unused-ignore]
    """A kernel (see loading.py) for covering problems whose options all cost something."""

    estimates: cython.int
    asked: cython.bint  # the Python estimate has had its say on the level at hand
    steps: cython.int
    symmetric: cython.longlong  # updates below an option, per member, after which its orbit is asked for; 0: never
    wanted: cython.int  # what ASK is about: 0 an estimate, 1 an orbit
    uniform: cython.bint  # all options cost the same
    fresh: cython.bint  # a better cover waits to be told
    fewer_items: cython.bint  # since the top level was last looked through for dominated options
    fewer_options: cython.bint  # and for dominated items
    shrunk_option: cython.p_int  # which ones did, by local number: only they can have become dominated,
    shrunk_item: cython.p_int  # and only these can have become dominating
    rounds: cython.int
    eps: cython.double  # what sums of doubles may be off by; see Rounding
    mercy: cython.double  # the least eps: so much is taken for a rounding error even where it could be none
    spent: cython.double  # all costs together
    gain: cython.double  # what a climb adds to the bound it begins with, as a share of it, of late
    hope: cython.double
    gap: cython.double  # between the bound of the level at hand and the cutoff
    turn: cython.longlong  # climbs, and those not tried
    cutoff: cython.longlong
    least: cython.longlong
    cut: cython.p_longlong  # how many nodes each estimate ended
    # levels
    at_item: cython.p_longlong
    at_need: cython.p_longlong
    at_option: cython.p_longlong
    at_cost: cython.p_longlong
    at_start: cython.p_longlong
    at_in: cython.p_longlong
    at_row: cython.p_longlong
    at_by: cython.p_longlong
    at_price: cython.p_longlong
    at_rc: cython.p_longlong
    int_end: cython.p_longlong
    real_end: cython.p_longlong
    items: cython.p_int
    options: cython.p_int
    paid: cython.p_longlong
    length: cython.p_int
    branch: cython.p_int  # the local number of the option that is taken below
    began: cython.p_longlong  # the count of updates when it was taken
    path: cython.p_int
    ints: cython.p_int
    reals: cython.p_double
    int_room: cython.longlong
    real_room: cython.longlong
    # scratch
    live: cython.p_int
    left: cython.p_int
    count: cython.p_int
    order: cython.p_int
    tally: cython.p_int
    new: cython.p_int
    next: cython.p_int
    y: cython.p_double
    y_best: cython.p_double
    rc: cython.p_double
    lack: cython.p_double
    sets: cython.p_ulonglong
    best: cython.p_int
    bested: cython.int
    trial: cython.p_int
    int_array: list
    real_array: list

    def __init__(self, needs, options, costs, cutoff: cython.longlong, estimates: cython.int):
        """needs: per item, at least 1.  options: increasing items, without those that are not to be met.
        costs: from 1, in sum below 2**31.  cutoff: covers must cost less.  estimates: CLASSIC + …"""
        super().__init__()
        m: cython.int = len(needs)
        n: cython.int = len(options)
        i: cython.int
        o: cython.int
        z: cython.longlong = sum([len(option) for option in options])
        depth: cython.int = min(sum([min(need, n + 1) for need in needs]), n) + 2
        self.at_item = _zero_longs(depth, self.hold)
        self.at_need = _zero_longs(depth, self.hold)
        self.at_option = _zero_longs(depth, self.hold)
        self.at_cost = _zero_longs(depth, self.hold)
        self.at_start = _zero_longs(depth, self.hold)
        self.at_in = _zero_longs(depth, self.hold)
        self.at_row = _zero_longs(depth, self.hold)
        self.at_by = _zero_longs(depth, self.hold)
        self.at_price = _zero_longs(depth, self.hold)
        self.at_rc = _zero_longs(depth, self.hold)
        self.int_end = _zero_longs(depth, self.hold)
        self.real_end = _zero_longs(depth, self.hold)
        self.items = _zero_ints(depth, self.hold)
        self.options = _zero_ints(depth, self.hold)
        self.paid = _zero_longs(depth, self.hold)
        self.length = _zero_ints(depth, self.hold)
        self.branch = _zero_ints(depth, self.hold)
        self.began = _zero_longs(depth, self.hold)
        self.path = _zero_ints(n + 1, self.hold)
        self.live = _zero_ints(n + 1, self.hold)
        self.left = _zero_ints(m + 1, self.hold)
        self.count = _zero_ints(m + 1, self.hold)
        self.order = _zero_ints(m + n + 2, self.hold)
        self.tally = _zero_ints(m + n + 2, self.hold)
        self.new = _zero_ints(m + 1, self.hold)
        self.next = _zero_ints(m + n + 2, self.hold)
        self.shrunk_option = _zero_ints(n + 1, self.hold)
        self.shrunk_item = _zero_ints(m + 1, self.hold)
        self.y = _zero_reals(m + 1, self.hold)
        self.y_best = _zero_reals(m + 1, self.hold)
        self.rc = _zero_reals(n + 1, self.hold)
        self.lack = _zero_reals(m + 1, self.hold)
        words: cython.longlong = max((n + 1) * ((m + 63) // 64), (m + 1) * ((n + 63) // 64))
        self.sets = _zero_words(min(words, WORDS), self.hold)
        self.best = _zero_ints(n + 1, self.hold)
        self.trial = _zero_ints(n + 1, self.hold)
        self.cut = _zero_longs(8, self.hold)
        self.int_array = []
        self.real_array = []
        self.int_room = self.real_room = 0
        self._room(0, m, n, z)
        ints = self.ints
        self.items[0] = m
        self.options[0] = n
        for i in range(m):
            ints[self.at_item[0] + i] = i
            ints[self.at_need[0] + i] = needs[i]
        at: cython.longlong = 0
        for o in range(n):
            ints[self.at_option[0] + o] = o
            ints[self.at_cost[0] + o] = costs[o]
            ints[self.at_start[0] + o] = at
            for i in options[o]:
                ints[self.at_in[0] + at] = i
                at += 1
        ints[self.at_start[0] + n] = at
        self._rows(0)
        self.estimates = estimates
        self.steps = STEPS
        self.gain = 0.1
        self.gap = 1.0
        self.hope = FAR
        self.turn = 0
        self.uniform = len(set(costs)) <= 1
        self.spent = float(sum([abs(cost) for cost in costs]))
        self.mercy = self.eps = 1e-6 + 1e-12 * self.spent
        self.cutoff = cutoff
        self.least = 0
        self.rounds = 0
        self.symmetric = 0
        self.wanted = 0
        self.asked = self.fresh = False
        self.fewer_items = self.fewer_options = True
        for o in range(n):
            self.shrunk_option[o] = 1
        for i in range(m):
            self.shrunk_item[i] = 1
        self.bested = 0
        self.state = ENTER

    def answer(self):
        """The options of the best cover."""
        return [self.best[k] for k in range(self.bested)]

    def bound(self):
        """The proved lower bound of all covers, at most the cutoff."""
        return self.cutoff if self.state == END else min(self.least, self.cutoff)

    def limit(self):
        """What covers must cost less than."""
        return self.cutoff

    def least_bound(self):
        """The proved lower bound of the first level, as it is."""
        return self.least

    def ends(self):
        """How many nodes were ended by each estimate: classic, price, dual, lagrange, Python."""
        return [self.cut[k] for k in range(5)]

    def lower(self, cutoff: cython.longlong):
        """Somebody else has found a cover: from now on, covers must cost less than this."""
        self.cutoff = min(self.cutoff, cutoff)

    def set_symmetric(self, updates: cython.longlong):
        """Ask for the orbit of an option below which so many updates were made, per member of its level; 0: never."""
        self.symmetric = updates

    def set_hope(self, hope: cython.double):
        """Climb only where at most so many times the usual gain would end the node."""
        self.hope = hope

    def set_steps(self, steps: cython.int):
        """How many subgradient steps a node below the first may take."""
        self.steps = steps

    def wants_orbit(self):
        """What ASK is about: an orbit, or else an estimate."""
        return self.wanted == 1

    # What a caller sees of the top level.

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

    def relax(self, steps: cython.int):
        """The best prices for the first level that so many steps find. No item may have fewer options than it needs;
        costs may be of any sign here."""
        i: cython.int
        self._price()
        for i in range(self.items[0]):
            if self.y[i] < 0.0:
                self.y[i] = 0.0
        self._margin()
        self._climb(steps, 20, 1.5)
        return [self.y[i] for i in range(self.items[0])]

    def height(self):
        """The number of the top level."""
        return self.level

    def ended(self):
        """Whether nothing is left to look at."""
        return self.state == END

    def local(self, level: cython.int = -1):
        """A level, the top one by default: items, needs, options, costs and the items of the options, by local
        numbers."""
        d: cython.int = self.level if level < 0 else level
        m: cython.int = self.items[d]
        n: cython.int = self.options[d]
        ints = self.ints
        start = self.at_start[d]
        held = self.at_in[d]
        return (
            [ints[self.at_item[d] + i] for i in range(m)],
            [ints[self.at_need[d] + i] for i in range(m)],
            [ints[self.at_option[d] + o] for o in range(n)],
            [ints[self.at_cost[d] + o] for o in range(n)],
            [[ints[held + q] for q in range(ints[start + o], ints[start + o + 1])] for o in range(n)],
        )

    def taken(self, level: cython.int = -1):
        """The options taken up to a level, by default the top one, forced ones included, and their cost."""
        d: cython.int = self.level if level < 0 else level
        return [self.path[k] for k in range(self.length[d])], self.paid[d]

    def prices(self):
        """The prices of the items of the top level, by local numbers."""
        return [self.reals[self.at_price[self.level] + i] for i in range(self.items[self.level])]

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

    # The search.

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
            if seen == ASKED and d == 0:
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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _record(self, size: cython.int) -> cython.void:
        """The path and the first `size` options of `trial` (local numbers) are a cover that costs less than any so
        far."""
        d: cython.int = self.level
        k: cython.int
        total: cython.longlong = self.paid[d]
        for k in range(size):
            total += self.ints[self.at_cost[d] + self.trial[k]]
        if total >= self.cutoff:
            return
        self.cutoff = total
        for k in range(self.length[d]):
            self.best[k] = self.path[k]
        self.bested = self.length[d]
        for k in range(size):
            self.best[self.bested] = self.ints[self.at_option[d] + self.trial[k]]
            self.bested += 1
        self.fresh = True

    # Levels.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _room(self, d: cython.int, m: cython.longlong, n: cython.longlong, z: cython.longlong) -> cython.void:
        """Make room for level d with so many items, options and members."""
        at: cython.longlong = self.int_end[d - 1] if d > 0 else 0
        real: cython.longlong = self.real_end[d - 1] if d > 0 else 0
        self.at_item[d] = at
        self.at_need[d] = at + m
        self.at_option[d] = at + 2 * m
        self.at_cost[d] = at + 2 * m + n
        self.at_start[d] = at + 2 * m + 2 * n
        self.at_row[d] = at + 2 * m + 3 * n + 1
        self.at_in[d] = at + 3 * m + 3 * n + 2
        self.at_by[d] = at + 3 * m + 3 * n + 2 + z
        self.at_price[d] = real
        self.at_rc[d] = real + m
        self.int_end[d] = at + 3 * m + 3 * n + 2 + 2 * z
        self.real_end[d] = real + m + n
        if self.int_end[d] > self.int_room or self.real_end[d] > self.real_room:
            with cython.gil:
                self._grow(self.int_end[d], self.real_end[d])

    @cython.cfunc
    def _grow(self, ints: cython.longlong, reals: cython.longlong):
        """Move the arenas to larger ones."""
        k: cython.longlong
        hold: list = []
        self.int_room, ints = max(2 * ints, 1024), self.int_room
        self.real_room, reals = max(2 * reals, 1024), self.real_room
        new_ints: cython.p_int = _zero_ints(self.int_room, hold)
        new_reals: cython.p_double = _zero_reals(self.real_room, hold)
        for k in range(ints):
            new_ints[k] = self.ints[k]
        for k in range(reals):
            new_reals[k] = self.reals[k]
        self.ints = new_ints
        self.reals = new_reals
        self.int_array = hold

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rows(self, d: cython.int) -> cython.void:
        """Who holds whom, seen from the items."""
        ints: cython.p_int = self.ints
        m: cython.int = self.items[d]
        n: cython.int = self.options[d]
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        row: cython.longlong = self.at_row[d]
        by: cython.longlong = self.at_by[d]
        next: cython.p_int = self.next
        i: cython.int
        o: cython.int
        q: cython.int
        for i in range(m + 1):
            ints[row + i] = 0
        for q in range(ints[start + n]):
            ints[row + ints[held + q] + 1] += 1
        for i in range(m):
            next[i] = ints[row + i]
            ints[row + i + 1] += ints[row + i]
        for o in range(n):
            for q in range(ints[start + o], ints[start + o + 1]):
                i = ints[held + q]
                ints[by + next[i]] = o
                next[i] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _open(self) -> cython.void:
        """Begin to change the top level: `live`, `left` and `count`."""
        d: cython.int = self.level
        i: cython.int
        o: cython.int
        row: cython.longlong = self.at_row[d]
        for o in range(self.options[d]):
            self.live[o] = 1
        for i in range(self.items[d]):
            self.left[i] = self.ints[self.at_need[d] + i]
            self.count[i] = self.ints[row + i + 1] - self.ints[row + i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _drop(self, o: cython.int) -> cython.void:
        """Option o is excluded."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        held: cython.longlong = self.at_in[d]
        start: cython.longlong = self.at_start[d]
        q: cython.int
        self.live[o] = 0
        for q in range(ints[start + o], ints[start + o + 1]):
            self.count[ints[held + q]] -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, o: cython.int, t: cython.int) -> cython.void:
        """Live option o is taken, and paid for at level t."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        held: cython.longlong = self.at_in[d]
        start: cython.longlong = self.at_start[d]
        q: cython.int
        i: cython.int
        self.live[o] = 0
        self.paid[t] += ints[self.at_cost[d] + o]
        self.path[self.length[t]] = ints[self.at_option[d] + o]
        self.length[t] += 1
        for q in range(ints[start + o], ints[start + o + 1]):
            i = ints[held + q]
            self.count[i] -= 1
            if self.left[i] > 0:
                self.left[i] -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _settled(self) -> cython.void:
        """The top level was reduced as far as it goes: nothing is dominated there."""
        k: cython.int
        self.fewer_items = self.fewer_options = False
        for k in range(self.options[self.level]):
            self.shrunk_option[k] = 0
        for k in range(self.items[self.level]):
            self.shrunk_item[k] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _keep(self, t: cython.int) -> cython.void:
        """What `live` and `left` leave of the top level becomes level t, the same or the next one.

        Every place is read before it can be written: what is kept never moves up.
        """
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        reals: cython.p_double = self.reals
        new: cython.p_int = self.new
        m: cython.int = 0
        n: cython.int = 0
        z: cython.int = 0
        i: cython.int
        o: cython.int
        q: cython.int
        first: cython.int
        begin: cython.int
        end: cython.int
        eased: cython.bint = False  # an item needs less, but still something: all that was compared with it is open
        for i in range(self.items[d]):
            if self.left[i] != ints[self.at_need[d] + i]:
                self.fewer_items = True
                if self.left[i] > 0:
                    self.fewer_options = eased = True
            if self.left[i] > 0:
                self.shrunk_item[m] = self.shrunk_item[i]
                ints[self.at_item[t] + m] = ints[self.at_item[d] + i]
                ints[self.at_need[t] + m] = self.left[i]
                reals[self.at_price[t] + m] = reals[self.at_price[d] + i]
                new[i] = m
                m += 1
            else:
                new[i] = -1
        end = 0
        for o in range(self.options[d]):
            begin = end
            end = ints[self.at_start[d] + o + 1]
            if self.live[o] == 0:
                for q in range(begin, end):
                    i = new[ints[self.at_in[d] + q]]
                    if i >= 0:
                        self.fewer_options = True
                        self.shrunk_item[i] = 1
                continue
            first = z
            for q in range(begin, end):
                i = new[ints[self.at_in[d] + q]]
                if i >= 0:
                    ints[self.at_in[t] + z] = i
                    z += 1
            if z > first:
                ints[self.at_option[t] + n] = ints[self.at_option[d] + o]
                ints[self.at_cost[t] + n] = ints[self.at_cost[d] + o]
                reals[self.at_rc[t] + n] = reals[self.at_rc[d] + o]
                self.shrunk_option[n] = 1 if z - first < end - begin else self.shrunk_option[o]
                n += 1
                ints[self.at_start[t] + n] = z
        ints[self.at_start[t]] = 0
        self.items[t] = m
        self.options[t] = n
        if eased:
            for o in range(n):
                self.shrunk_option[o] = 1
            for i in range(m):
                self.shrunk_item[i] = 1
        self._rows(t)
        self._updates += z

    # Reductions.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _reduce(self) -> cython.bint:
        """Force, and drop what is dominated, until nothing changes. False: no better cover is left here."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        i: cython.int
        q: cython.int
        o: cython.int
        again: cython.bint
        changed: cython.bint
        while True:
            self._open()
            changed = False
            again = True
            while again:
                again = False
                for i in range(self.items[d]):
                    if self.left[i] > 0 and self.count[i] <= self.left[i]:
                        if self.count[i] < self.left[i]:
                            return False
                        for q in range(ints[self.at_row[d] + i], ints[self.at_row[d] + i + 1]):
                            o = ints[self.at_by[d] + q]
                            if self.live[o] != 0:
                                self._take(o, d)
                        if self.paid[d] >= self.cutoff:
                            return False
                        again = True
                        changed = True
            if changed:
                self._keep(d)
                self._open()
            if self.items[d] == 0:
                return self.paid[d] < self.cutoff
            changed = False
            if self.fewer_items:
                self.fewer_items = False
                if self._dominated_options():
                    self._keep(d)
                    self._open()
                    changed = True
            if self.fewer_options:
                self.fewer_options = False
                if self._dominated_items():
                    self._keep(d)
                    changed = True
            if not changed:
                return self.paid[d] < self.cutoff

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _dominated_options(self) -> cython.bint:
        """Drop options that are no better than another; of equal ones the first stays."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        sets: cython.p_ulonglong = self.sets
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        row: cython.longlong = self.at_row[d]
        by: cython.longlong = self.at_by[d]
        cost: cython.longlong = self.at_cost[d]
        m: cython.int = self.items[d]
        n: cython.int = self.options[d]
        words: cython.longlong = (m + 63) >> 6
        i: cython.int
        o: cython.int
        p: cython.int
        q: cython.int
        size: cython.int
        other: cython.int
        rare: cython.int
        k: cython.longlong
        work: cython.longlong = 0
        single: cython.bint
        some: cython.bint = False
        if n * words > WORDS:
            return False
        for k in range(n * words):
            sets[k] = 0
        for o in range(n):
            for q in range(ints[start + o], ints[start + o + 1]):
                i = ints[held + q]
                sets[o * words + (i >> 6)] |= ONE << (i & 63)
        for o in range(n):
            if self.shrunk_option[o] == 0:
                continue
            self.shrunk_option[o] = 0
            size = ints[start + o + 1] - ints[start + o]
            rare = -1
            single = True
            for q in range(ints[start + o], ints[start + o + 1]):
                i = ints[held + q]
                if self.left[i] > 1:
                    single = False
                    break
                if rare < 0 or self.count[i] < self.count[rare]:
                    rare = i
            if not single or rare < 0:
                continue
            work += ints[row + rare + 1] - ints[row + rare]
            for q in range(ints[row + rare], ints[row + rare + 1]):
                p = ints[by + q]
                if p == o or self.live[p] == 0 or ints[cost + p] > ints[cost + o]:
                    continue
                other = ints[start + p + 1] - ints[start + p]
                if other < size or (other == size and p > o and ints[cost + p] == ints[cost + o]):
                    continue
                k = 0
                while k < words and (sets[o * words + k] & ~sets[p * words + k]) == 0:
                    k += 1
                if k == words:
                    self._drop(o)
                    some = True
                    break
            if work > EFFORT:
                break
        self._updates += work
        return some

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _dominated_items(self) -> cython.bint:
        """Drop items that are met whenever another one is, which inherits their price."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        sets: cython.p_ulonglong = self.sets
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        row: cython.longlong = self.at_row[d]
        by: cython.longlong = self.at_by[d]
        price: cython.longlong = self.at_price[d]
        m: cython.int = self.items[d]
        n: cython.int = self.options[d]
        words: cython.longlong = (n + 63) >> 6
        i: cython.int
        j: cython.int
        o: cython.int
        q: cython.int
        small: cython.int
        k: cython.longlong
        work: cython.longlong = 0
        some: cython.bint = False
        if m * words > WORDS:
            return False
        for k in range(m * words):
            sets[k] = 0
        for i in range(m):
            for q in range(ints[row + i], ints[row + i + 1]):
                o = ints[by + q]
                sets[i * words + (o >> 6)] |= ONE << (o & 63)
        for i in range(m):
            if self.left[i] <= 0 or self.shrunk_item[i] == 0:
                continue
            self.shrunk_item[i] = 0
            small = -1
            for q in range(ints[row + i], ints[row + i + 1]):
                o = ints[by + q]
                if small < 0 or ints[start + o + 1] - ints[start + o] < ints[start + small + 1] - ints[start + small]:
                    small = o
            work += ints[start + small + 1] - ints[start + small]
            for q in range(ints[start + small], ints[start + small + 1]):
                j = ints[held + q]
                if j == i or self.left[j] <= 0 or self.left[j] > self.left[i] or self.count[j] < self.count[i]:
                    continue
                k = 0
                while k < words and (sets[i * words + k] & ~sets[j * words + k]) == 0:
                    k += 1
                if k == words:
                    self.left[j] = 0
                    self.reals[price + i] += self.reals[price + j]
                    some = True
            if work > EFFORT:
                break
        self._updates += work
        return some

    # Bounds. All of them are of the top level, which is compact.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _up(self, value: cython.double) -> cython.longlong:
        """A bound rounded up, less what rounding errors may have added to it."""
        value -= self.eps
        if not value > -FAR:
            return -FARTHEST
        if value > FAR:
            return FARTHEST
        whole: cython.longlong = cython.cast(cython.longlong, value)
        return whole + 1 if whole < value else whole

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _margin(self) -> cython.void:
        """`eps` for sums with the prices `y` of the top level; see Rounding. Time O(items)."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        need: cython.longlong = self.at_need[d]
        row: cython.longlong = self.at_row[d]
        m: cython.int = self.items[d]
        size: cython.double = self.spent
        terms: cython.double = 8.0 * m + 4.0 * self.options[d] + 16.0
        i: cython.int
        for i in range(m):
            size += self.y[i] * (1.0 * ints[need + i] + (ints[row + i + 1] - ints[row + i]))
        self.eps = terms * ROUNDING * size
        if self.eps < self.mercy:
            self.eps = self.mercy

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bound(self) -> cython.int:
        """The estimates in turn: GONE, OPEN, or ASKED where options went and it is worth another look."""
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
                # Begin from the better of the inherited prices and those of the ascent.
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
                return ASKED
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
        """Exclude and force by reduced costs. All tests are made with what is paid now, before anything is
        forced."""
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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _value(self) -> cython.double:
        """L(y), with rc."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        y: cython.p_double = self.y
        total: cython.double = 0.0
        s: cython.double
        i: cython.int
        o: cython.int
        q: cython.int
        for i in range(self.items[d]):
            total += y[i] * ints[self.at_need[d] + i]
        for o in range(self.options[d]):
            s = ints[self.at_cost[d] + o]
            for q in range(ints[start + o], ints[start + o + 1]):
                s -= y[ints[held + q]]
            self.rc[o] = s
            if s < 0.0:
                total += s
        self._updates += ints[start + self.options[d]]
        self._margin()
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sorted(self) -> cython.void:
        """The items into `order`, those with the fewest options first."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        row: cython.longlong = self.at_row[d]
        m: cython.int = self.items[d]
        n: cython.int = self.options[d]
        i: cython.int
        k: cython.int
        for k in range(n + 2):
            self.tally[k] = 0
        for i in range(m):
            self.tally[ints[row + i + 1] - ints[row + i] + 1] += 1
        for k in range(n + 1):
            self.tally[k + 1] += self.tally[k]
        for i in range(m):
            k = ints[row + i + 1] - ints[row + i]
            self.order[self.tally[k]] = i
            self.tally[k] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _classic(self) -> cython.longlong:
        """The strike-out count (estimates/classic.py), items with few options first."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        row: cython.longlong = self.at_row[d]
        by: cython.longlong = self.at_by[d]
        i: cython.int
        k: cython.int
        o: cython.int
        p: cython.int
        q: cython.int
        least: cython.int
        total: cython.longlong = 0
        self._sorted()
        for i in range(self.items[d]):
            self.new[i] = 0
        for k in range(self.items[d]):
            i = self.order[k]
            if self.new[i] != 0:
                continue
            least = 2147483647
            for p in range(ints[row + i], ints[row + i + 1]):
                o = ints[by + p]
                least = min(least, ints[self.at_cost[d] + o])
                for q in range(ints[start + o], ints[start + o + 1]):
                    self.new[ints[held + q]] = 1
            total += least * cython.cast(cython.longlong, ints[self.at_need[d] + i])
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _price(self) -> cython.double:
        """Every item pays the least share of an option's cost (estimates/price.py); rc >= 0 after it."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        y: cython.p_double = self.y
        share: cython.double
        total: cython.double = 0.0
        i: cython.int
        o: cython.int
        q: cython.int
        for i in range(self.items[d]):
            y[i] = FAR
        for o in range(self.options[d]):
            share = (1.0 * ints[self.at_cost[d] + o]) / (ints[start + o + 1] - ints[start + o])
            for q in range(ints[start + o], ints[start + o + 1]):
                i = ints[held + q]
                if share < y[i]:
                    y[i] = share
        for i in range(self.items[d]):
            total += y[i] * ints[self.at_need[d] + i]
        self._updates += ints[start + self.options[d]]
        self._margin()
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ascend(self) -> cython.double:
        """Raise prices from those of `_price` while rc >= 0, items with few options first (estimates/dual.py)."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        row: cython.longlong = self.at_row[d]
        by: cython.longlong = self.at_by[d]
        rise: cython.double
        total: cython.double = self._value()
        i: cython.int
        k: cython.int
        q: cython.int
        self._sorted()
        for k in range(self.items[d]):
            i = self.order[k]
            rise = FAR
            for q in range(ints[row + i], ints[row + i + 1]):
                if self.rc[ints[by + q]] < rise:
                    rise = self.rc[ints[by + q]]
                    if rise <= 1e-12:
                        break
            if rise > 1e-12:
                self.y[i] += rise
                total += rise * ints[self.at_need[d] + i]
                for q in range(ints[row + i], ints[row + i + 1]):
                    self.rc[ints[by + q]] -= rise
        self._margin()
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _climb(self, steps: cython.int, patience: cython.int, pace: cython.double) -> cython.double:
        """Follow subgradients from `y` (estimates/lagrange.py); leaves the best prices in `y`, with their `rc`."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        cost: cython.longlong = self.at_cost[d]
        need: cython.longlong = self.at_need[d]
        m: cython.int = self.items[d]
        n: cython.int = self.options[d]
        y: cython.p_double = self.y
        rc: cython.p_double = self.rc
        lack: cython.p_double = self.lack
        g: cython.double
        room: cython.longlong = self.cutoff - self.paid[d]
        best: cython.double = -FAR
        total: cython.double
        s: cython.double
        norm: cython.double
        step: cython.double
        bad: cython.int = 0
        k: cython.int
        i: cython.int
        o: cython.int
        q: cython.int
        first: cython.int
        last: cython.int
        for k in range(steps):
            total = 0.0
            for i in range(m):
                g = ints[need + i]
                total += y[i] * g
                lack[i] = g
            last = 0
            for o in range(n):
                s = ints[cost + o]
                first = last
                last = ints[start + o + 1]
                for q in range(first, last):
                    s -= y[ints[held + q]]
                rc[o] = s
                if s < 0.0:
                    total += s
                    for q in range(first, last):
                        lack[ints[held + q]] -= 1.0
            self._updates += last
            if total > best + 1e-9:
                if total > best + (best if best > 0.0 else -best) * 1e-4:
                    bad = 0
                else:
                    bad += 1
                best = total
                for i in range(m):
                    self.y_best[i] = y[i]
            else:
                bad += 1
            if best - self.eps > room - 1:  # the margin may be another by now: the caller looks again
                break
            if bad >= patience:
                pace *= 0.5
                bad = 0
                for i in range(m):
                    y[i] = self.y_best[i]
                if pace < 0.004:
                    break
            if d == 0 and k % 10 == 0:
                self._complete()
                room = self.cutoff - self.paid[d]
            norm = 0.0
            for i in range(m):
                g = lack[i]
                g = g if g > 0.0 else (g if y[i] > 0.0 else 0.0)  # without a branch to mispredict
                norm += g * g
            if norm == 0.0:
                break
            step = 1.02 * room - total
            step = pace * (step if step > 0.5 else 0.5) / norm
            for i in range(m):
                s = y[i] + step * lack[i]
                y[i] = s if s > 0.0 else 0.0
        for i in range(m):
            y[i] = self.y_best[i]
        return self._value()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _complete(self) -> cython.void:
        """A cover from reduced costs: all options of rc < 0 that help, then for each unmet item the best one, then
        whatever is not needed goes, the dearest first."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        row: cython.longlong = self.at_row[d]
        by: cython.longlong = self.at_by[d]
        cost: cython.longlong = self.at_cost[d]
        left: cython.p_int = self.left
        m: cython.int = self.items[d]
        size: cython.int = 0
        helps: cython.int
        i: cython.int
        k: cython.int
        o: cython.int
        p: cython.int
        q: cython.int
        pick: cython.int
        worth: cython.double
        most: cython.double
        for i in range(m):
            left[i] = ints[self.at_need[d] + i]
        for o in range(self.options[d]):
            self.live[o] = 1
            if self.rc[o] < 0.0:
                for q in range(ints[start + o], ints[start + o + 1]):
                    if left[ints[held + q]] > 0:
                        self.live[o] = 0
                        break
                if self.live[o] == 0:
                    self.trial[size] = o
                    size += 1
                    for q in range(ints[start + o], ints[start + o + 1]):
                        left[ints[held + q]] -= 1
        for i in range(m):
            while left[i] > 0:
                pick = -1
                most = FAR
                for p in range(ints[row + i], ints[row + i + 1]):
                    o = ints[by + p]
                    if self.live[o] == 0:
                        continue
                    helps = 0
                    for q in range(ints[start + o], ints[start + o + 1]):
                        if left[ints[held + q]] > 0:
                            helps += 1
                    worth = ((self.rc[o] if self.rc[o] > 1e-9 else 1e-9) + 1e-6 * ints[cost + o]) / helps
                    if worth < most:
                        most = worth
                        pick = o
                self.live[pick] = 0
                self.trial[size] = pick
                size += 1
                for q in range(ints[start + pick], ints[start + pick + 1]):
                    left[ints[held + q]] -= 1
        # The dearest first: by insertion, as there are few.
        for k in range(1, size):
            o = self.trial[k]
            p = k - 1
            while p >= 0 and ints[cost + self.trial[p]] < ints[cost + o]:
                self.trial[p + 1] = self.trial[p]
                p -= 1
            self.trial[p + 1] = o
        k = 0
        for p in range(size):
            o = self.trial[p]
            helps = 0
            for q in range(ints[start + o], ints[start + o + 1]):
                if left[ints[held + q]] >= 0:
                    helps = 1
                    break
            if helps == 0:
                for q in range(ints[start + o], ints[start + o + 1]):
                    left[ints[held + q]] += 1
            else:
                self.trial[k] = o
                k += 1
        self._record(k)
