# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef"
"""Good covers by local search: give one option up, cover again what that uncovered, learn from what resists.

Every item has a weight. An option outside is worth the weights of the lacking items it holds, an option inside loses
the weights of the items that would lack without it, both per unit of cost. While nothing lacks the cover is
recorded and the least loss is given up; then one more is given up, and for a random lacking item the most worthy
option is taken that was not just given up (and whose neighbourhood has changed since), after which what still lacks
weighs one more. Every step is the same for the same problem: random numbers are our own, and the end is a count.

    weight, cover       per item: its weight; how many options inside hold it
    score, inside       per option: worth (outside) or minus the loss (inside, so <= 0)
    changed, stamp      whether a neighbour moved since it was given up; when it moved last (the oldest wins ties)
    lacking, place      the items that lack, in any order, and where each is among them (-1: it is not)
    taken, spot         the same for the options inside

Source: Gao, Weise and Li (2014/15), "An efficient local search heuristic with row weighting for the unicost set
covering problem"; for costs the worth is divided by them. We allow needs above 1.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels._memory import _ints, _longs  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels._memory import _ints, _longs

COMPILED = cython.compiled


@cython.final
@cython.cclass
class Descent:
    """A local search that stands still between calls of `run`."""

    m: cython.int
    n: cython.int
    size: cython.int  # options inside
    lacks: cython.int
    bested: cython.int
    tabu: cython.int
    random: cython.longlong
    cost: cython.longlong
    step: cython.longlong
    work: cython.longlong
    best_cost: cython.longlong
    uniform: cython.bint
    need: cython.p_int
    costs: cython.p_int
    start: cython.p_int
    held: cython.p_int
    row: cython.p_int
    by: cython.p_int
    weight: cython.p_longlong
    score: cython.p_longlong
    stamp: cython.p_longlong
    cover: cython.p_int
    inside: cython.p_int
    changed: cython.p_int
    lacking: cython.p_int
    place: cython.p_int
    taken: cython.p_int
    spot: cython.p_int
    best: cython.p_int
    hold: list

    def __init__(self, needs, options, costs, seed: cython.longlong = 1):
        """needs: per item, met by all options together.  options: their items.  costs: from 1."""
        m: cython.int = len(needs)
        n: cython.int = len(options)
        i: cython.int
        o: cython.int
        rows: list = [[] for _ in range(m)]
        start: list = [0]
        held: list = []
        row: list = [0]
        by: list = []
        for o in range(n):
            for i in options[o]:
                rows[i].append(o)
            held += options[o]
            start.append(len(held))
        for i in range(m):
            by += rows[i]
            row.append(len(by))
        self.hold = []
        self.m = m
        self.n = n
        self.need = _ints(needs, self.hold)
        self.costs = _ints(costs, self.hold)
        self.start = _ints(start, self.hold)
        self.held = _ints(held, self.hold)
        self.row = _ints(row, self.hold)
        self.by = _ints(by, self.hold)
        self.weight = _longs([1] * m, self.hold)
        self.score = _longs([len(option) for option in options], self.hold)
        self.stamp = _longs([0] * n, self.hold)
        self.cover = _ints([0] * m, self.hold)
        self.inside = _ints([0] * n, self.hold)
        self.changed = _ints([1] * n, self.hold)
        self.lacking = _ints(range(m), self.hold)
        self.place = _ints(range(m), self.hold)
        self.taken = _ints([0] * n, self.hold)
        self.spot = _ints([-1] * n, self.hold)
        self.best = _ints([0] * n, self.hold)
        self.lacks = m
        self.size = self.bested = 0
        self.cost = self.step = self.work = 0
        self.best_cost = 1 << 62
        self.tabu = -1
        self.random = (seed % 2147483646) + 1
        self.uniform = len(set(costs)) <= 1

    def greedy(self):
        """A first cover: again and again the most worthy option."""
        while self.lacks > 0:
            self._add(self._worthiest())
        self._note()

    def run(self, work: cython.longlong, goal: cython.longlong):
        """Search until that much more was counted or a cover costs no more than goal; returns whether there is a
        better one than before."""
        before = self.best_cost
        with cython.nogil:
            self._search(self.work + work, goal)
        return self.best_cost < before

    def spent(self):
        return self.work

    def value(self):
        """The cost of the best cover."""
        return self.best_cost

    def answer(self):
        """The options of the best cover."""
        return [self.best[k] for k in range(self.bested)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _search(self, end: cython.longlong, goal: cython.longlong) -> cython.void:
        o: cython.int
        i: cython.int
        tries: cython.int
        if self.n == 0:
            return
        while self.work < end:
            while self.lacks == 0:
                self._note()
                if self.best_cost <= goal or self.size == 0:
                    return
                self._remove(self._cheapest(-1))
            self.step += 1
            o = self._cheapest(self.tabu)
            if o >= 0:
                self._remove(o)
            self.tabu = -1
            tries = 0
            while self.lacks > 0 and tries < 50:
                tries += 1
                self.random = self.random * 48271 % 2147483647
                i = self.lacking[self.random % self.lacks]
                o = self._taker(i)
                if o < 0:
                    break
                self._add(o)
                self.tabu = o
                self._weigh()
                if self.uniform:
                    break
            if tries == 1 and not self.uniform and self.size > 0:
                self._weigh()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _weigh(self) -> cython.void:
        """What lacks weighs one more."""
        i: cython.int
        k: cython.int
        q: cython.int
        for k in range(self.lacks):
            i = self.lacking[k]
            self.weight[i] += 1
            for q in range(self.row[i], self.row[i + 1]):
                if self.inside[self.by[q]] != 0:
                    self.score[self.by[q]] -= 1
                else:
                    self.score[self.by[q]] += 1
            self.work += self.row[i + 1] - self.row[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _note(self) -> cython.void:
        k: cython.int
        if self.cost < self.best_cost:
            self.best_cost = self.cost
            self.bested = self.size
            for k in range(self.size):
                self.best[k] = self.taken[k]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _worthiest(self) -> cython.int:
        o: cython.int
        pick: cython.int = -1
        for o in range(self.n):
            if self.inside[o] == 0 and (
                pick < 0 or (1.0 * self.score[o]) * self.costs[pick] > (1.0 * self.score[pick]) * self.costs[o]
            ):
                pick = o
        self.work += self.n
        return pick

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _better(self, o: cython.int, pick: cython.int) -> cython.bint:
        """Whether o is worth more per unit of cost than `pick`, or as much and moved longer ago."""
        mine: cython.double = (1.0 * self.score[o]) * self.costs[pick]
        other: cython.double = (1.0 * self.score[pick]) * self.costs[o]
        return mine > other or (mine == other and self.stamp[o] < self.stamp[pick])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cheapest(self, tabu: cython.int) -> cython.int:
        """The option inside that is missed least."""
        o: cython.int
        k: cython.int
        pick: cython.int = -1
        for k in range(self.size):
            o = self.taken[k]
            if o != tabu and (pick < 0 or self._better(o, pick)):
                pick = o
        self.work += self.size
        return pick

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _taker(self, i: cython.int) -> cython.int:
        """The best option outside for a lacking item that keeps the cost below the best."""
        o: cython.int
        q: cython.int
        pick: cython.int = -1
        for q in range(self.row[i], self.row[i + 1]):
            o = self.by[q]
            if self.inside[o] != 0 or self.changed[o] == 0 or self.cost + self.costs[o] >= self.best_cost:
                continue
            if pick < 0 or self._better(o, pick):
                pick = o
        self.work += self.row[i + 1] - self.row[i]
        return pick

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(self, o: cython.int) -> cython.void:
        i: cython.int
        p: cython.int
        q: cython.int
        other: cython.int
        self.inside[o] = 1
        self.spot[o] = self.size
        self.taken[self.size] = o
        self.size += 1
        self.cost += self.costs[o]
        self.score[o] = -self.score[o]
        self.stamp[o] = self.step
        for p in range(self.start[o], self.start[o + 1]):
            i = self.held[p]
            self.cover[i] += 1
            if self.cover[i] == self.need[i]:
                self.lacks -= 1
                other = self.lacking[self.lacks]
                self.lacking[self.place[i]] = other
                self.place[other] = self.place[i]
                self.place[i] = -1
            for q in range(self.row[i], self.row[i + 1]):
                other = self.by[q]
                self.changed[other] = 1
                if other == o:
                    continue
                if self.cover[i] == self.need[i]:
                    if self.inside[other] == 0:
                        self.score[other] -= self.weight[i]
                elif self.cover[i] == self.need[i] + 1 and self.inside[other] != 0:
                    self.score[other] += self.weight[i]
            self.work += self.row[i + 1] - self.row[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _remove(self, o: cython.int) -> cython.void:
        i: cython.int
        p: cython.int
        q: cython.int
        other: cython.int
        self.inside[o] = 0
        self.size -= 1
        other = self.taken[self.size]
        self.taken[self.spot[o]] = other
        self.spot[other] = self.spot[o]
        self.spot[o] = -1
        self.cost -= self.costs[o]
        self.score[o] = -self.score[o]
        self.stamp[o] = self.step
        for p in range(self.start[o], self.start[o + 1]):
            i = self.held[p]
            self.cover[i] -= 1
            if self.cover[i] == self.need[i] - 1:
                self.place[i] = self.lacks
                self.lacking[self.lacks] = i
                self.lacks += 1
            for q in range(self.row[i], self.row[i + 1]):
                other = self.by[q]
                if other == o:
                    continue
                self.changed[other] = 1
                if self.cover[i] == self.need[i] - 1:
                    if self.inside[other] == 0:
                        self.score[other] += self.weight[i]
                elif self.cover[i] == self.need[i] and self.inside[other] != 0:
                    self.score[other] -= self.weight[i]
            self.work += self.row[i + 1] - self.row[i]
        self.changed[o] = 0
