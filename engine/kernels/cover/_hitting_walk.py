"""Sets of few units that hit every one of many cuts, by a walk in which cuts that are missed gain weight.

A *cut* is a set of units, one of which must be held. In each step the unit is put away whose cuts, those that nothing
else hits, weigh least; then, as long as the cost allows, a random cut that is missed is hit with that unit of it whose
missed cuts weigh most. Then every cut that is still missed weighs one more. So the walk does not stay where it is:
what is missed for long becomes heavy. A unit that was put away is not taken again before one of its cuts changed
between missed and hit, and a unit just taken is not put away at once. Of several units the one moved longest ago is
chosen.

    cost                per unit, what it costs to hold; at least 1
    held, moved, ready  per unit: whether it is held; the step in which it was last moved; whether it may be taken
    score               per unit: if it is held, minus the weight of the cuts that only it hits; if not, the weight of
                        the missed cuts that it is in
    members, size       cut j consists of the units members[j * n : j * n + size[j]]
    within, many        unit u is in the cuts within[u * capacity : u * capacity + many[u]]
    by, weight          per cut, how many units held hit it, and its weight
    missed, place       the cuts that are missed, the first `open` of them; and where a missed cut stands there

A step takes time linear in the sizes of the cuts that the units moved are in: a microsecond for a hundred cuts of ten
units, ten for some thousands.

Source: row weighting local search, Gao, Weise, Li, "An efficient local search heuristic with row weighting for the
unicost set covering problem", EJOR 2015; here units may have costs. _descent.py follows the same rule
among the covers of a problem, whose rows are all known at the start, while here cuts are learnt on the way.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _zero_ints, _zero_longs
    from cython.cimports.covr.engine.kernels.shared.words import next_random
else:
    from covr.engine.kernels.shared.arrays import _ints, _zero_ints, _zero_longs
    from covr.engine.kernels.shared.words import next_random

COMPILED = cython.compiled


@cython.final
@cython.cclass
class CutWalk:
    """The cuts and the walk among sets of units. At first there are no cuts, and no unit is held. The module describes
    the arrays."""

    n: cython.int
    capacity: cython.int
    cuts: cython.int
    open: cython.int
    total: cython.longlong
    steps: cython.longlong
    random: cython.ulonglong
    cost: cython.p_longlong
    held: cython.p_int
    moved: cython.p_longlong
    ready: cython.p_int
    score: cython.p_longlong
    members: cython.p_int
    size: cython.p_int
    within: cython.p_int
    many: cython.p_int
    by: cython.p_int
    weight: cython.p_longlong
    missed: cython.p_int
    place: cython.p_int
    hold: list

    def __init__(self, costs, capacity: cython.int, seed: cython.ulonglong):
        """costs: per unit, from 1 to 2**31.  capacity: the most cuts that can be learnt.  seed: of the random numbers,
        from 1; the same one makes the same walk. Memory: 8 bytes for each unit and cut."""
        hold: list = []
        n: cython.int = len(costs)
        self.n = n
        self.capacity = capacity
        self.cost = _zero_longs(n, hold)
        self.held = _zero_ints(n, hold)
        self.moved = _zero_longs(n, hold)
        self.ready = _ints([1] * n, hold)
        self.score = _zero_longs(n, hold)
        self.members = _zero_ints(capacity * n, hold)
        self.size = _zero_ints(capacity, hold)
        self.within = _zero_ints(capacity * n, hold)
        self.many = _zero_ints(n, hold)
        self.by = _zero_ints(capacity, hold)
        self.weight = _zero_longs(capacity, hold)
        self.missed = _zero_ints(capacity, hold)
        self.place = _zero_ints(capacity, hold)
        self.hold = hold
        self.cuts = self.open = 0
        self.total = self.steps = 0
        self.random = seed
        for u in range(n):
            self.cost[u] = costs[u]

    def learn(self, units):
        """Add a cut. units: at least one, all different. Returns False, and adds nothing, if there is no room."""
        j: cython.int = self.cuts
        k: cython.int = 0
        u: cython.int
        if j == self.capacity:
            return False
        self.cuts += 1
        self.weight[j] = 1
        for u in units:
            self.members[j * self.n + k] = u
            self.within[u * self.capacity + self.many[u]] = j
            self.many[u] += 1
            self.by[j] += self.held[u]
            k += 1
        self.size[j] = k
        if self.by[j] == 0:
            self._miss(j)
            for u in units:
                self.score[u] += 1
                self.ready[u] = 1
        elif self.by[j] == 1:
            for u in units:
                self.score[u] -= self.held[u]
        return True

    def known(self):
        """The cuts, each a list of units, in the order in which they were learnt."""
        return [self.members_of(j) for j in range(self.cuts)]

    def members_of(self, j: cython.int):
        """The units of a cut."""
        return [self.members[j * self.n + k] for k in range(self.size[j])]

    def hold_only(self, units):
        """Go on from this set of units."""
        u: cython.int
        wanted: set = set(units)
        for u in range(self.n):
            if (u in wanted) != (self.held[u] == 1):
                self._flip(u)

    def current(self):
        """The units held, increasing."""
        return [u for u in range(self.n) if self.held[u]]

    def run(self, most: cython.longlong, steps: cython.longlong):
        """Walk for so many steps. Returns whether the units held hit all cuts and cost at most `most`; the walk ends as
        soon as they do."""
        found: cython.bint
        with cython.nogil:
            found = self._run(most, steps)
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, most: cython.longlong, steps: cython.longlong) -> cython.bint:
        k: cython.int
        m: cython.int
        j: cython.int
        u: cython.int
        first: cython.Py_ssize_t
        last: cython.int = -1
        end: cython.longlong = self.steps + steps
        while True:
            while self.total > most:
                self._move(self._least_needed(last))
            if self.open == 0:
                return True
            if self.steps >= end:
                return False
            self.steps += 1
            u = self._least_needed(last)
            if u >= 0:
                self._move(u)
            while self.open > 0 and self.total < most:
                last = self._most_useful(self.missed[self._below(self.open)])
                self._move(last)
            for k in range(self.open):
                j = self.missed[k]
                first = cython.cast(cython.Py_ssize_t, j) * self.n
                self.weight[j] += 1
                for m in range(self.size[j]):
                    self.score[self.members[first + m]] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _below(self, end: cython.int) -> cython.int:
        """A random number from 0 to end - 1."""
        self.random = next_random(self.random)
        return cython.cast(cython.int, (self.random >> 11) % cython.cast(cython.ulonglong, end))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _before(self, u: cython.int, v: cython.int) -> cython.bint:
        """Whether unit u is to be chosen before v: it is worth more for its cost, or as much and was moved earlier."""
        a: cython.longlong = self.score[u] * self.cost[v]
        b: cython.longlong = self.score[v] * self.cost[u]
        return a > b or (a == b and self.moved[u] < self.moved[v])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _least_needed(self, last: cython.int) -> cython.int:
        """The unit held that is missed least, but `last` only if it is the only one; -1 if none is held."""
        u: cython.int
        best: cython.int = -1
        for u in range(self.n):
            if self.held[u] and u != last and (best < 0 or self._before(u, best)):
                best = u
        if best < 0 and last >= 0 and self.held[last]:
            return last
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _most_useful(self, j: cython.int) -> cython.int:
        """The unit of a missed cut that is best taken; if none is ready, any."""
        k: cython.int
        u: cython.int
        best: cython.int = -1
        first: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, j) * self.n
        for k in range(self.size[j]):
            u = self.members[first + k]
            if self.ready[u] and (best < 0 or self._before(u, best)):
                best = u
        return best if best >= 0 else self.members[first + self._below(self.size[j])]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _move(self, u: cython.int) -> cython.void:
        self._flip(u)
        self.moved[u] = self.steps

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _miss(self, j: cython.int) -> cython.void:
        """Enter a cut that is missed from now on."""
        self.place[j] = self.open
        self.missed[self.open] = j
        self.open += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _meet(self, j: cython.int) -> cython.void:
        """Strike a cut that is hit from now on."""
        last: cython.int
        self.open -= 1
        last = self.missed[self.open]
        self.missed[self.place[j]] = last
        self.place[last] = self.place[j]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _flip(self, u: cython.int) -> cython.void:
        """Take a unit, or put it away."""
        i: cython.int
        j: cython.int
        put: cython.int = 1 - self.held[u]  # 1 if it is taken, 0 if it is put away
        sign: cython.int = 2 * put - 1
        first: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, u) * self.capacity
        self.held[u] = put
        self.total += sign * self.cost[u]
        for i in range(self.many[u]):
            j = self.within[first + i]
            self.by[j] += sign
            if self.by[j] == put:
                # Only u hits it, or hit it.
                self._weigh(j, u, -sign * self.weight[j])
                if put == 1:
                    self._meet(j)
                else:
                    self._miss(j)
            elif self.by[j] == 1 + put:
                # One other unit hit it alone until now, or does from now on.
                self._weigh_held(j, u, sign * self.weight[j])
        self.score[u] = -self.score[u]
        self.ready[u] = put

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _weigh(self, j: cython.int, but: cython.int, weight: cython.longlong) -> cython.void:
        """Add to the scores of a cut's units but one, which may be taken again."""
        k: cython.int
        u: cython.int
        first: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, j) * self.n
        for k in range(self.size[j]):
            u = self.members[first + k]
            self.ready[u] = 1
            if u != but:
                self.score[u] += weight

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _weigh_held(self, j: cython.int, but: cython.int, weight: cython.longlong) -> cython.void:
        """Add to the score of the one unit held of a cut, besides another."""
        k: cython.int
        u: cython.int
        first: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, j) * self.n
        for k in range(self.size[j]):
            u = self.members[first + k]
            if self.held[u] and u != but:
                self.score[u] += weight
                return
