"""The kernel for problems with sides: it decides options one by one and works out what follows from each decision.

It takes any problem: bounds, colours, given options, costs, totals, connections, circuits and areas (sides.py). Every
option is open, taken or out. At each node the consequences of the decisions are worked out until nothing more follows:
first from items (_sides_trail.py), then from totals (_sides_totals.py), and only when these yield nothing more, from
connections, circuits and areas (_sides_connections.py, _sides_circuits.py, _sides_areas.py), which have to walk a whole
graph. Last come the costs (_sides_prices.py). Then the search branches on an open option: one branch takes it, the
other leaves it out, so every answer is found exactly once.

The item to branch on is one that still needs options. For each of these the search divides the number of *ways* (open
options - need + 1) by the item's *weight* and chooses the item with the smallest quotient. The weight is one more than
the number of nodes that failed at the item or at a total over its options. A corner where an unfinished path of a
circuit ends is chosen instead if fewer open lines lead on from it than the chosen item has ways. Of an item's options
the one with the least *pressure* is tried first, so that work is spread evenly: pressure is how near its items and its
totals with an upper bound are to the most that they may have. In a search for a minimum the cheapest is tried first,
and pressure comes first only while no answer is found within `EAGER` nodes. If no item needs options, the first open
option that belongs to a side comes next, and if there is none, the first open option. In a search for a minimum, an
option that no item needs is left out first, unless its cost is negative.

If only some options tell answers apart (`Problem.projection`), the search decides these first, in the same way, but
looks only at items that an open one of them holds. Once all of them are decided, it looks for one way to decide the
rest. After an answer, it goes back to the last decision of an option that tells answers apart: no two answers take the
same of these, and none is found that would have to be dropped.

The order of answers depends only on the problem, but it is not the order that other engines promise.

    branch      per level, the option that was decided
    way         per level, the decision that is tried first, TAKEN or OUT; 0 once the other one is being tried
    began       per level, how many options had been decided before it
    weight      per item, how many nodes failed at it: the weight described above, less 1
    rooted      the lower bound at the root, valid once `root_done` is true
    given       the given options, which every answer takes; `gifts` is how many there are
    heft        the work that deciding an option counts as, with its share of what a node takes
    broken      the side that could not be kept last; -1 if it was none, -2 if it was the cutoff
    tells       per option, whether it tells answers apart; only used if `some_tell`, that is, if not all of them do
    noted       how many decisions were compared with the witness, if there is one
    stray       the first option that was decided otherwise than by the witness; -1 for none
    lost        what decided it, or closed the node: 1 items, 2 costs, 3 + k the side k

`nodes` counts the root and every decision made by branching, whether it takes an option or leaves it out.

Source: weights are Boussemart, Hemery, Lecoutre and Sais, Boosting systematic search by weighting constraints, 2004.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import DONE, FOUND, SLICE
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _zero_ints, _zero_longs
    from cython.cimports.covr.engine.kernels.sides._sides_prices import SidePrices
    from cython.cimports.covr.engine.kernels.sides._sides_trail import OPEN, OUT, TAKEN
else:
    from covr.engine.kernels.header import DONE, FOUND, SLICE
    from covr.engine.kernels.header import SIDES_OPEN as OPEN
    from covr.engine.kernels.header import SIDES_OUT as OUT
    from covr.engine.kernels.header import SIDES_TAKEN as TAKEN
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _zero_ints, _zero_longs

    SidePrices = load("_sides_prices", interpreted=True).SidePrices

COMPILED = cython.compiled


EAGER = cython.declare(cython.longlong, 1000)  # nodes that a search for a minimum tries the cheapest options first
SHARE = cython.declare(cython.longlong, 1024)  # the pressure of an item or total that has the most that it may have

# The states of the search between two slices.
START = cython.declare(cython.int, 0)  # nothing has been decided yet
ENTER = cython.declare(cython.int, 1)  # an option has just been decided; what follows from it is not worked out yet
BACK = cython.declare(cython.int, 2)  # the node is finished; go back to the last decision
END = cython.declare(cython.int, 3)  # the whole tree has been searched


@cython.final
@cython.cclass
class Sides(SidePrices):
    """A kernel (see loading.py) for any problem, with or without sides."""

    minimum: cython.bint
    root_done: cython.bint
    rooted: cython.longlong
    branch: cython.p_int
    way: cython.p_int
    began: cython.p_int
    weight: cython.p_longlong
    given: cython.p_int
    gifts: cython.int
    heft: cython.longlong
    broken: cython.int
    some_tell: cython.bint
    tells: cython.p_int
    noted: cython.int
    stray: cython.int

    def __init__(self, problem, arrays, minimum: cython.bint, bounded: cython.bint, cutoff: cython.longlong):
        """problem: a validated problem.  arrays: its sides, as SideArrays of prepare/sides.py.  minimum: whether every
        answer must be cheaper than all answers before it.  bounded: whether answers must cost less than `cutoff`.

        Takes time and space linear in the total length of the options and the sides.
        """
        super().__init__(problem, arrays, bounded, cutoff)
        self.minimum = minimum
        self.branch = _zero_ints(self.options + 1, self.hold)
        self.way = _zero_ints(self.options + 1, self.hold)
        self.began = _zero_ints(self.options + 1, self.hold)
        self.weight = _zero_longs(self.items + 1, self.hold)
        self.given = _ints(problem.given, self.hold)
        self.gifts = len(problem.given)
        self.heft = 100 + 3 * (self.options + len(problem.members) + len(arrays.of)) // 10
        self.broken = -1
        self.some_tell = problem.projection is not None and not minimum
        self.tells = _zero_ints(self.options + 1, self.hold)
        if self.some_tell:
            for o in problem.projection:
                self.tells[o] = 1
        self.root_done = False
        self.rooted = 0
        self.noted = 0
        self.stray = -1
        self.state = START

    def answer(self):
        """The options taken, in the order they were taken, without the given ones."""
        given = {self.given[k] for k in range(self.gifts)}
        taken = [self.trail[k] for k in range(self.length)]
        return [o for o in taken if self.mark[o] == TAKEN and o not in given]

    def lower(self, ceiling: cython.longlong):
        """From now on, accept only answers that cost at most `ceiling`. For a minimum; call it between slices only."""
        self.cutoff = min(self.cutoff, ceiling + 1)

    def root_bound(self):
        """A lower bound on the cost of every answer; None until the root has been visited."""
        return self.rooted if self.root_done else None

    def labour(self):
        """The work done so far, in units of about 2 ns."""
        return self._updates * self.heft + self.summed

    def fraction(self):
        """How much of the tree is done, from 0 to 1, if both branches of every decision count as equally large."""
        if self.state == END:
            return 1.0
        done, share = 0.0, 1.0
        for k in range(self.level):
            share /= 2
            if self.way[k] == 0:
                done += share
        return min(done + (share if self.state == BACK else 0.0), 1.0)

    # --- one way down the tree, for who walks it step by step instead of calling `run` ---

    def restart(self):
        """Go to the root, and forget what has failed. Returns False if there is no answer."""
        i: cython.int
        self._undo(0)
        self._forget(0)
        for i in range(self.items):
            self.weight[i] = 0
        return bool(self._note_end(self._begin() and self._settle()))

    def next_option(self):
        """The option to branch on; in how many ways an item that needs it can be met: 2 if no item needs it, else the
        least number; and whether taking it is tried first. (-1, 0, False) if no option is open: then the options taken
        are an answer."""
        o: cython.int = self._choose()
        k: cython.int
        i: cython.int
        ways: cython.int = 0
        if o < 0:
            return -1, 0, False
        for k in range(self.starts[o], self.starts[o + 1]):
            i = self.members[k]
            if self.met[i] < self.low[i] and (ways == 0 or self.open[i] - self.low[i] + self.met[i] + 1 < ways):
                ways = self.open[i] - self.low[i] + self.met[i] + 1
        return o, ways or 2, self._first_way(o) == TAKEN

    def go(self, o: cython.int, taken: cython.bint):
        """Take an option or leave it out, and work out what follows. Returns False if no answer agrees with it."""
        self._set(o, TAKEN if taken else OUT)
        return bool(self._settle())

    def follow(self, decisions):
        """Make decisions, pairs of an option and whether it is taken, and work out what follows. Returns False if no
        answer agrees with them."""
        o: cython.int
        for o, taken in decisions:
            self._set(o, TAKEN if taken else OUT)
        self._forget(self.length)
        return bool(self._note_end(self._settle()))

    def standing(self):
        """How many options are decided."""
        return self.length

    def decided(self, since: cython.int):
        """The options decided after the first `since` ones, in order, each with whether it is taken."""
        return [(self.trail[k], self.mark[self.trail[k]] == TAKEN) for k in range(since, self.length)]

    def reopen(self, since: cython.int):
        """Undo all decisions after the first `since` ones."""
        self._undo(since)

    def fault(self):
        """Why `restart` or `go` returned False: the number of the item that can't be met, or -1, and that of the side
        (see SideArrays), -1 for none, or -2 if every answer left costs too much."""
        return self.culprit if self.broken == -1 else -1, self.broken

    def excluded(self):
        """What excluded the witness since the last call of `restart` or `follow`, in words; None if nothing did. Only
        if these were told nothing that excludes it."""
        return None if self.lost == 0 else self.describe(*self.told())

    def told(self):
        """What excluded the witness, or was the first to decide an option otherwise; and which option, -1 for none."""
        return ("an item" if self.lost == 1 else "the costs" if self.lost == 2 else self.lost - 3), self.stray

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _forget(self, length: cython.int) -> cython.void:
        """Compare only what is decided after the first `length` decisions with the witness."""
        self.noted = length
        self.stray = -1
        self.lost = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _note(self, what: cython.int) -> cython.void:
        """Compare new decisions with the witness. what: what made them; see `lost`."""
        o: cython.int
        while self.noted < self.length and self.lost == 0:
            o = self.trail[self.noted]
            self.noted += 1
            if (self.mark[o] == TAKEN) != (self.witness[o] != 0):
                self.stray = o
                self.lost = what

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _note_end(self, held: cython.bint) -> cython.bint:
        """Note what closed the node, if it is closed. held: whether it is open, which is returned."""
        if self.watched and not held and self.lost == 0:
            self.lost = 1 if self.broken == -1 else 2 if self.broken == -2 else 3 + self.broken
        return held

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _strays(self, held: cython.bint) -> cython.bint:
        """Whether this node excludes the witness although it lies below it and no answer as good is known. held: what
        `_settle` returned."""
        k: cython.int
        self._note_end(held)
        if self.lost == 0:
            return False
        held = self.bounded and self.worth >= self.cutoff
        for k in range(self.level):
            if (self.mark[self.branch[k]] == TAKEN) != (self.witness[self.branch[k]] != 0):
                held = True
        if held:
            self.lost = 0
        return not held

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _blame(self, t: cython.int) -> cython.void:
        """A node failed: add 1 to the weight of `culprit`, or of the items of total t unless t is -1."""
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
        """Work out all that follows from the decisions, costs aside. Returns False if no answer agrees with them."""
        k: cython.int
        at: cython.int
        held: cython.bint
        self.broken = -1
        while True:
            if not self._react():
                self._blame(-1)
                return False
            if self.watched:
                self._note(1)
            if self.waiting > 0:
                k = self.queue[self.first]
                self.first += 1
                if self.first == self.totals:
                    self.first = 0
                self.waiting -= 1
                # With sets of sums one pass finds everything, so what it decides need not queue the total again.
                self.waits[k] = 1 if self.bits[k] > 0 else 0
                held = self._hold_total(k)
                if self.bits[k] > 0:
                    self.waits[k] = 0
                if self.watched:
                    self._note(3 + k)
                if not held:
                    self.broken = k
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
            if k < self.connections:
                held = self._hold_connection(k)
            elif k < self.connections + self.circuits:
                held = self._hold_circuit(k - self.connections)
            else:
                held = self._hold_areas(k - self.connections - self.circuits)
            if self.watched:
                self._note(3 + k + self.totals)
            if not held:
                self.broken = k + self.totals
                return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _settle(self) -> cython.bint:
        """Work out all that follows, from costs too if they matter. Returns False if no answer agrees with it."""
        length: cython.int
        while True:
            if not self._propagate():
                return False
            if not self.bounded:
                return True
            length = self.length
            if not self._bound():
                self.broken = -2
                return False
            if self.watched:
                self._note(2)
            if self.length == length:
                return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self) -> cython.bint:
        """Take the given options, check the bounds of all items and queue all sides. Returns False if that fails."""
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
        """The option to branch on; -1 if no option is open."""
        o: cython.int
        i: cython.int
        ways: cython.longlong
        best: cython.int = -1
        best_ways: cython.longlong = 0
        best_weight: cython.longlong = 1
        line: cython.int
        if self.some_tell:
            o = self._choose_telling()
            if o >= 0:
                return o
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
    def _choose_telling(self) -> cython.int:
        """The option to branch on among those that tell answers apart; -1 if none of them is open."""
        o: cython.int
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
                    o = self._first_telling(i)
                    if o >= 0:
                        best = o
                        best_ways = ways
                        best_weight = self.weight[i] + 1
        line = self._choose_line(-1 if best < 0 else best_ways)
        if line >= 0 and self.tells[line] != 0:
            return line
        if best >= 0:
            return best
        for o in range(self.options):
            if self.tells[o] != 0 and self.mark[o] == OPEN:
                if self.of_begin[o] < self.of_begin[o + 1]:
                    return o
                if best < 0:
                    best = o
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _first_telling(self, i: cython.int) -> cython.int:
        """The first open option of an item that tells answers apart; -1 if there is none."""
        q: cython.int
        for q in range(self.begin[i], self.begin[i + 1]):
            if self.tells[self.holders[q]] != 0 and self.mark[self.holders[q]] == OPEN:
                return self.holders[q]
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose_line(self, ways: cython.longlong) -> cython.int:
        """The option of a line that goes on from the end of a path, if fewer than `ways` lines do so there; else -1.

        ways: -1 for any number.
        """
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
        """The open option of an item that presses least, the lowest-numbered on a tie.

        In a search for a minimum, cost comes before pressure, unless no answer has been found for `EAGER` nodes.
        """
        q: cython.int
        o: cython.int
        pressure: cython.longlong
        cost: cython.longlong
        best: cython.int = -1
        least: cython.longlong = 0
        least_cost: cython.longlong = 0
        dear: cython.bint = self.minimum and (self._answers > 0 or self._nodes < EAGER)
        for q in range(self.begin[i], self.begin[i + 1]):
            o = self.holders[q]
            if self.mark[o] != OPEN:
                continue
            cost = self.cost[o] if self.minimum else 0
            pressure = self._pressure(o)
            if best >= 0:
                if dear and cost != least_cost:
                    if cost > least_cost:
                        continue
                elif pressure > least or (pressure == least and cost >= least_cost):
                    continue
            best = o
            least = pressure
            least_cost = cost
            if pressure == 0 and not self.minimum:
                break
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pressure(self, o: cython.int) -> cython.longlong:
        """How near an option's items, and the totals that say no more than "at most", are to the most that they may
        have: the shares taken, added up, in 1/1024."""
        k: cython.int
        i: cython.int
        t: cython.int
        r: cython.int
        found: cython.longlong = 0
        for k in range(self.starts[o], self.starts[o + 1]):
            i = self.members[k]
            if self.met[i] > 0 and self.high[i] > 1:
                found += SHARE * self.met[i] // self.high[i]
        for k in range(self.of_begin[o], self.of_begin[o + 1]):
            t = self.of[k]
            if t >= self.totals or self.range_begin[t + 1] - self.range_begin[t] != 1:
                continue
            r = self.range_begin[t]
            if self.range_low[r] <= 0 and self.range_high[r] >= SHARE:
                found += self.lowest_sum[t] // (self.range_high[r] // SHARE)
            elif self.range_low[r] <= 0 and self.range_high[r] > 0:
                found += SHARE * self.lowest_sum[t] // self.range_high[r]
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose_free(self) -> cython.int:
        """The first open option that belongs to a side, else the first open option; -1 if no option is open."""
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
    def _first_way(self, o: cython.int) -> cython.int:
        """The decision about an option that is tried first, TAKEN or OUT."""
        return OUT if self.minimum and self.cost[o] >= 0 and not self._is_needed(o) else TAKEN

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_needed(self, o: cython.int) -> cython.bint:
        """Whether some item of the option needs more options."""
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
            if self.watched:
                self._forget(self.length)
            if self.state == START:
                held = self._begin()
            held = held and self._settle()
            if self.watched and self._strays(held):
                return SLICE
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
                if self.some_tell:
                    while self.level > 0 and self.tells[self.branch[self.level - 1]] == 0:
                        self.level -= 1
                if self._answers >= until:
                    return FOUND
                continue
            self.branch[self.level] = o
            self.way[self.level] = self._first_way(o)
            self.began[self.level] = self.length
            self._set(o, self.way[self.level])
            self.level += 1
            self.state = ENTER
        return DONE
