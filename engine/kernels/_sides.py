# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef, has-type"
"""The kernel for problems with sides: options are taken or left out one by one, and everything else follows.

It takes any problem, with bounds, colours, given options, costs, totals, connections and circuits (sides.py). At a node
what was decided is followed to its end: items first (_sides_trail.py), then totals (_sides_totals.py), and only when
these find nothing more, connections and circuits (_sides_connections.py, _sides_circuits.py), which walk a whole graph;
then the costs (_sides_prices.py). What is still open is branched on: an option is taken, and then, for what follows, it
is left out. So every answer is found once.

The option comes from the item that needs options and has the fewest ways (open options - need + 1) for its *weight*:
one more than the number of nodes that ended at it, or at a total over its options. Corners where a path of a circuit
ends count as items with so many ways as lines are open. Among options of an item the lowest comes first, for a minimum
the cheapest. Where nothing is needed, the first open option follows that a side names, then the first of all; for a
minimum such an option is left out first, unless its cost is negative.

The order of answers depends on nothing but the problem, and is none that other engines promise.

    branch      per level, the option that was decided
    way         per level, what was tried first, TAKEN or OUT, and 0 once the other is tried
    began       per level, how many options were decided before
    weight      per item, as above
    rooted      the lower bound of the root, once `root_done`
    given       the options that every answer takes, so many as `gifts`

`nodes` counts the root, and every option that was decided by branching, taken and left out alike.

Source: weights are Boussemart, Hemery, Lecoutre and Sais, Boosting systematic search by weighting constraints, 2004.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels._kernel import DONE, FOUND, SLICE  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._memory import _ints, _zero_ints, _zero_longs  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._sides_prices import SidePrices  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels._memory import _ints, _zero_ints, _zero_longs
    from covr.engine.kernels.codes import DONE, FOUND, SLICE
    from covr.engine.kernels.loading import load

    SidePrices = load("_sides_prices", interpreted=True).SidePrices

COMPILED = cython.compiled

OPEN = cython.declare(cython.int, 0)
TAKEN = cython.declare(cython.int, 1)
OUT = cython.declare(cython.int, 2)

# The states of the search, between two slices.
START = cython.declare(cython.int, 0)  # nothing was decided yet
ENTER = cython.declare(cython.int, 1)  # an option was decided
BACK = cython.declare(cython.int, 2)  # what follows from the last one is done
END = cython.declare(cython.int, 3)


@cython.final
@cython.cclass
class Sides(SidePrices):  # type: ignore[misc, unused-ignore]
    """A kernel (see loading.py) for any problem with sides, and without."""

    minimum: cython.bint
    root_done: cython.bint
    rooted: cython.longlong
    branch: cython.p_int
    way: cython.p_int
    began: cython.p_int
    weight: cython.p_longlong
    given: cython.p_int
    gifts: cython.int

    def __init__(self, problem, arrays, minimum: cython.bint, bounded: cython.bint, cutoff: cython.longlong):
        """problem: as validated.  arrays: its sides, as SideArrays of prepare/sides.py.  minimum: whether every answer
        must be cheaper than those before.  bounded, cutoff: whether answers must cost less than the cutoff.

        Time and space linear in the length of the options and the sides.
        """
        super().__init__(problem, arrays, bounded, cutoff)
        self.minimum = minimum
        self.branch = _zero_ints(self.options + 1, self.hold)
        self.way = _zero_ints(self.options + 1, self.hold)
        self.began = _zero_ints(self.options + 1, self.hold)
        self.weight = _zero_longs(self.items + 1, self.hold)
        self.given = _ints(problem.given, self.hold)
        self.gifts = len(problem.given)
        self.root_done = False
        self.rooted = 0
        self.state = START

    def answer(self):
        """The options taken, without given ones, in the order they were taken."""
        given = {self.given[k] for k in range(self.gifts)}
        taken = [self.trail[k] for k in range(self.length)]
        return [o for o in taken if self.mark[o] == TAKEN and o not in given]

    def lower(self, ceiling: cython.longlong):
        """From now on, only answers of at most this cost. Call it between slices only, for a minimum."""
        self.cutoff = min(self.cutoff, ceiling + 1)

    def root_bound(self):
        """A lower bound for the cost of every answer; None before the root was seen."""
        return self.rooted if self.root_done else None

    def fraction(self):
        """How much of the tree is done, from 0 to 1, if the two ways of every option share equally."""
        if self.state == END:
            return 1.0
        done, share = 0.0, 1.0
        for k in range(self.level):
            share /= 2
            if self.way[k] == 0:
                done += share
        return min(done + (share if self.state == BACK else 0.0), 1.0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _blame(self, t: cython.int) -> cython.void:
        """A node ended: weigh the item that was broken, or those of the total t (-1: none)."""
        g: cython.int
        if t < 0:
            if self.culprit >= 0:
                self.weight[self.culprit] += 1
            return
        for g in range(self.group_begin[t], self.group_begin[t + 1]):
            if self.group_item[g] >= 0:
                self.weight[self.group_item[g]] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _propagate(self) -> cython.bint:
        """Follow what was decided to its end. Returns False where it can be part of no answer."""
        k: cython.int
        at: cython.int
        held: cython.bint
        while True:
            if not self._react():
                self._blame(-1)
                return False
            if self.waiting > 0:
                k = self.queue[self.first]
                self.first += 1
                if self.first == self.totals:
                    self.first = 0
                self.waiting -= 1
                self.waits[k] = 1 if self.bits[k] > 0 else 0  # where sums are told apart, one look finds all
                held = self._hold_total(k)
                if self.bits[k] > 0:
                    self.waits[k] = 0
                if not held:
                    self._blame(k)
                    return False
                continue
            if self.graph_waiting == 0:
                return True
            k = self.graphs[0]
            self.graph_waiting -= 1
            for at in range(self.graph_waiting):
                self.graphs[at] = self.graphs[at + 1]
            self.waits[k] = 0
            k -= self.totals
            held = self._hold_connection(k) if k < self.connections else self._hold_circuit(k - self.connections)
            if not held:
                return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _settle(self) -> cython.bint:
        """Follow what was decided, with costs where they matter. Returns False where it can be part of no answer."""
        length: cython.int
        while True:
            if not self._propagate():
                return False
            if not self.bounded:
                return True
            length = self.length
            if not self._bound():
                return False
            if self.length == length:
                return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self) -> cython.bint:
        """Take the given options, and let every item and side look at what there is."""
        k: cython.int
        for k in range(self.sides):
            self._wake(k)
        for k in range(self.gifts):
            self._set(self.given[k], TAKEN)
        return not self.failed and self._check_items()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose(self) -> cython.int:
        """The option to branch on; -1 where none is open."""
        i: cython.int
        ways: cython.longlong
        best: cython.int = -1
        best_ways: cython.longlong = 0
        best_weight: cython.longlong = 1
        line: cython.int
        for i in range(self.items):
            if self.met[i] < self.low[i]:
                ways = self.open[i] - self.low[i] + self.met[i] + 1
                if best < 0 or ways * best_weight < best_ways * (self.weight[i] + 1):
                    best = i
                    best_ways = ways
                    best_weight = self.weight[i] + 1
        line = self._choose_line(-1 if best < 0 else best_ways)
        if line >= 0:
            return line
        if best >= 0:
            return self._choose_in(best)
        return self._choose_free()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose_line(self, ways: cython.longlong) -> cython.int:
        """A line where a path ends, if that leaves fewer than so many ways (-1: any number); else -1."""
        c: cython.int
        v: cython.int
        q: cython.int
        best: cython.int = -1
        for c in range(self.circuits):
            self._count_degrees(c)
            for v in range(self.corner_begin[c], self.corner_begin[c + 1]):
                if self.degree[v] == 1 and (ways < 0 or self.choices[v] < ways):
                    best = v
                    ways = self.choices[v]
        if best < 0:
            return -1
        for q in range(self.meet_begin[best], self.meet_begin[best + 1]):
            if self.mark[self.line[self.meet[q]]] == OPEN:
                return self.line[self.meet[q]]
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose_in(self, i: cython.int) -> cython.int:
        """The first open option of an item; for a minimum, the cheapest."""
        q: cython.int
        o: cython.int
        best: cython.int = -1
        for q in range(self.begin[i], self.begin[i + 1]):
            o = self.holders[q]
            if self.mark[o] == OPEN and (best < 0 or self.cost[o] < self.cost[best]):
                best = o
                if not self.minimum:
                    break
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose_free(self) -> cython.int:
        """The first open option that a side names, else the first; -1 where none is open."""
        o: cython.int
        best: cython.int = -1
        if self.length == self.options:
            return -1
        for o in range(self.options):
            if self.mark[o] == OPEN:
                if self.of_begin[o] < self.of_begin[o + 1]:
                    return o
                if best < 0:
                    best = o
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_needed(self, o: cython.int) -> cython.bint:
        """Whether an item of an option needs more."""
        k: cython.int
        for k in range(self.starts[o], self.starts[o + 1]):
            if self.met[self.members[k]] < self.low[self.members[k]]:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        o: cython.int
        held: cython.bint
        while self.state != END:
            if self.state == BACK:
                if self.level == 0:
                    self.state = END
                    break
                self.level -= 1
                self._undo(self.began[self.level])
                if self.way[self.level] != 0:
                    self._set(self.branch[self.level], OUT if self.way[self.level] == TAKEN else TAKEN)
                    self.way[self.level] = 0
                    self.level += 1
                    self.state = ENTER
                continue
            if self._nodes >= end:
                return SLICE
            self._nodes += 1
            held = True
            if self.state == START:
                held = self._begin()
            held = held and self._settle()
            if self.state == START and self.bounded and held:
                self.rooted = self.lower_bound
                self.root_done = True
            self.state = BACK
            if not held:
                continue
            o = self._choose()
            if o < 0:
                self._answers += 1
                if self.minimum:
                    self.cutoff = self.lower_bound
                if self._answers >= until:
                    return FOUND
                continue
            self.branch[self.level] = o
            self.way[self.level] = TAKEN
            if self.minimum and self.cost[o] >= 0 and not self._is_needed(o):
                self.way[self.level] = OUT
            self.began[self.level] = self.length
            self._set(o, self.way[self.level])
            self.level += 1
            self.state = ENTER
        return DONE
