"""Areas in the search with sides: the pieces of what is taken for certain, and of what may still be taken.

A spot is a vertex of the areas. It is *met* if it always is, or an option there is taken, and *possible* if it is met
or an open option stands there. A door is an edge: closed where an option that cuts it is taken, open where none can be.
Met spots form the *least* areas under open doors; possible ones the *greatest* under doors that are not closed. Every
area of an answer holds all of each least area that it meets, and lies within one greatest area. So a demand's sum lies
between what is sure in the least area and what is possible in the greatest; if no allowed sum does, the node fails.

Where no weight is negative, more follows. An option whose spot would join areas that are too large together is left
out, and the only wall that keeps such areas apart is taken. If what is met can't be all of an area, and only one spot
or door leads on, that is taken. An option without which the sum falls short is taken. Once all options are decided the
least areas are the greatest, so that nothing that is wrong remains.

    areas           how many `Areas` there are
    spot_begin      areas a have the spots spot_begin[a] … spot_begin[a + 1] - 1; edges and demands begin likewise
    stand_begin, stand      per spot, the options that stand there;  always: whether it is always met
    link_begin, link_to, link_edge      per spot, the spots next to it, and the edges that lead there
    edge_one, edge_other    the two spots of each edge;  cut_begin, cut: the options that cut it
    slot            per demand, where its spots begin in `term_begin`
    term_begin, term, term_weight       per demand and spot, options and what they weigh there
    sum_begin, sum_low, sum_high        per demand, the sums that are allowed
    anchor_begin, anchor    per demand, its anchors;  asks: EACH, TOGETHER or WAIVED;  adds: whether no weight is
                            negative
    spot            per spot, 0: nothing can stand there, 1: it is possible, 2: it is met
    door            per edge, 0: closed, 1: not decided, 2: open
    core, hull      per spot, the first spot of its least and of its greatest area
    base, own       per least area, what is sure there, and how much more its spots may add
    plus, minus     per greatest area, the most and the least that it may add up to
    inside          per least area, by its first spot: `stamp` if it is in the group of areas that is looked at
    around          per greatest area, by its first spot: `stamp` if the group may reach it
    noted_at        per least area, by its first spot: the `tick` at which it was counted last
    group           how many least areas are in the group;  group_sum: what is sure there;  group_high: the most that
                    it may become
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _longs, _zero_bytes, _zero_ints, _zero_longs
    from cython.cimports.covr.engine.kernels.sides._sides_circuits import CircuitSides
    from cython.cimports.covr.engine.kernels.sides._sides_trail import OPEN, OUT, TAKEN
else:
    from covr.engine.kernels.header import SIDES_OPEN as OPEN
    from covr.engine.kernels.header import SIDES_OUT as OUT
    from covr.engine.kernels.header import SIDES_TAKEN as TAKEN
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _longs, _zero_bytes, _zero_ints, _zero_longs

    CircuitSides = load("_sides_circuits", interpreted=True).CircuitSides

COMPILED = cython.compiled


# What a demand is about: each area, those of its anchors together, or these unless no anchor is met.
EACH = cython.declare(cython.int, 0)
TOGETHER = cython.declare(cython.int, 1)
WAIVED = cython.declare(cython.int, 2)


@cython.cclass
class AreaSides(CircuitSides):
    """Options, items, totals, connections and circuits, with the areas whose sums are bounded."""

    def __init__(self, problem, arrays):
        """The arguments are those of `Trail`."""
        super().__init__(problem, arrays)
        graphs = arrays.areas
        hold: list = self.hold
        spots: cython.int = len(graphs.always)
        k: cython.int
        self.areas = len(graphs.spot_begin) - 1
        self.spot_begin = _ints(graphs.spot_begin, hold)
        self.stand_begin = _ints(graphs.stand_begin, hold)
        self.stand = _ints(graphs.stand, hold)
        self.always = _zero_bytes(spots, hold)
        for k in range(spots):
            self.always[k] = graphs.always[k]
        self.link_begin = _ints(graphs.link_begin, hold)
        self.link_to = _ints(graphs.link_to, hold)
        self.link_edge = _ints(graphs.link_edge, hold)
        self.edge_begin = _ints(graphs.edge_begin, hold)
        self.edge_one = _ints(graphs.edge_one, hold)
        self.edge_other = _ints(graphs.edge_other, hold)
        self.cut_begin = _ints(graphs.cut_begin, hold)
        self.cut = _ints(graphs.cut, hold)
        self.demand_begin = _ints(graphs.demand_begin, hold)
        self.slot = _ints(graphs.slot, hold)
        self.term_begin = _ints(graphs.term_begin, hold)
        self.term = _ints(graphs.term, hold)
        self.term_weight = _longs(graphs.term_weight, hold)
        self.sum_begin = _ints(graphs.sum_begin, hold)
        self.sum_low = _longs(graphs.sum_low, hold)
        self.sum_high = _longs(graphs.sum_high, hold)
        self.anchor_begin = _ints(graphs.anchor_begin, hold)
        self.anchor = _ints(graphs.anchor, hold)
        self.asks = _zero_bytes(len(graphs.asks), hold)
        self.adds = _zero_bytes(len(graphs.asks), hold)
        for k in range(len(graphs.asks)):
            self.asks[k] = graphs.asks[k]
            self.adds[k] = graphs.adds[k]
        self.spot = _zero_bytes(spots, hold)
        self.door = _zero_bytes(len(graphs.edge_one), hold)
        self.core = _zero_ints(spots, hold)
        self.hull = _zero_ints(spots, hold)
        self.base = _zero_longs(spots, hold)
        self.own = _zero_longs(spots, hold)
        self.plus = _zero_longs(spots, hold)
        self.minus = _zero_longs(spots, hold)
        self.inside = _zero_longs(spots, hold)
        self.around = _zero_longs(spots, hold)
        self.noted_at = _zero_longs(spots, hold)
        self.stamp = self.tick = 0
        self.group = 0
        self.group_sum = self.group_high = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _root(self, up: cython.p_int, v: cython.int) -> cython.int:
        """The first spot of a piece. up: per spot, one nearer to it."""
        while up[v] != v:
            up[v] = up[up[v]]
            v = up[v]
        return v

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look_at_spots(self, a: cython.int) -> cython.void:
        """Set `spot`, `core` and `hull`, which `_look_at_doors` must have prepared the doors for."""
        v: cython.int
        q: cython.int
        e: cython.int
        one: cython.int
        other: cython.int
        for v in range(self.spot_begin[a], self.spot_begin[a + 1]):
            self.core[v] = self.hull[v] = v
            self.spot[v] = 2 if self.always[v] != 0 else 0
            for q in range(self.stand_begin[v], self.stand_begin[v + 1]):
                if self.spot[v] == 2:
                    break
                if self.mark[self.stand[q]] == TAKEN:
                    self.spot[v] = 2
                elif self.mark[self.stand[q]] == OPEN:
                    self.spot[v] = 1
        for e in range(self.edge_begin[a], self.edge_begin[a + 1]):
            one = self.edge_one[e]
            other = self.edge_other[e]
            if self.door[e] == 0 or self.spot[one] == 0 or self.spot[other] == 0:
                continue
            self.hull[self._root(self.hull, one)] = self._root(self.hull, other)
            if self.door[e] == 2 and self.spot[one] == 2 and self.spot[other] == 2:
                self.core[self._root(self.core, one)] = self._root(self.core, other)
        for v in range(self.spot_begin[a], self.spot_begin[a + 1]):
            self.core[v] = self._root(self.core, v)
            self.hull[v] = self._root(self.hull, v)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look_at_doors(self, a: cython.int) -> cython.void:
        """Set `door`."""
        e: cython.int
        q: cython.int
        for e in range(self.edge_begin[a], self.edge_begin[a + 1]):
            self.door[e] = 2
            for q in range(self.cut_begin[e], self.cut_begin[e + 1]):
                if self.mark[self.cut[q]] == TAKEN:
                    self.door[e] = 0
                    break
                if self.mark[self.cut[q]] == OPEN:
                    self.door[e] = 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _keep_walls(self, a: cython.int) -> cython.bint:
        """No wall stands within a least area. Returns False if one does."""
        e: cython.int
        q: cython.int
        one: cython.int
        other: cython.int
        for e in range(self.edge_begin[a], self.edge_begin[a + 1]):
            one = self.edge_one[e]
            other = self.edge_other[e]
            if self.door[e] == 2 or self.spot[one] != 2 or self.spot[other] != 2:
                continue
            if self.core[one] != self.core[other]:
                continue
            if self.door[e] == 0:
                return False
            for q in range(self.cut_begin[e], self.cut_begin[e + 1]):
                if self.mark[self.cut[q]] == OPEN:
                    self._set(self.cut[q], OUT)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fits(self, d: cython.int, low: cython.longlong, high: cython.longlong) -> cython.bint:
        """Whether a demand allows a sum from `low` to `high`."""
        r: cython.int
        for r in range(self.sum_begin[d], self.sum_begin[d + 1]):
            if self.sum_low[r] <= high and low <= self.sum_high[r]:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_up(self, a: cython.int, d: cython.int) -> cython.void:
        """Set `base`, `own`, `plus` and `minus` for a demand."""
        v: cython.int
        q: cython.int
        first: cython.int = self.spot_begin[a]
        at: cython.int
        w: cython.longlong
        for v in range(first, self.spot_begin[a + 1]):
            self.base[v] = self.own[v] = self.plus[v] = self.minus[v] = 0
        for v in range(first, self.spot_begin[a + 1]):
            if self.spot[v] == 0:
                continue
            at = self.slot[d] + v - first
            for q in range(self.term_begin[at], self.term_begin[at + 1]):
                w = self.term_weight[q]
                if self.mark[self.term[q]] == OUT:
                    continue
                if self.spot[v] == 2 and self.mark[self.term[q]] == TAKEN:
                    self.base[self.core[v]] += w
                elif w < 0:
                    self.minus[self.hull[v]] += w
                else:
                    self.plus[self.hull[v]] += w
                    if self.spot[v] == 2:
                        self.own[self.core[v]] += w
        for v in range(first, self.spot_begin[a + 1]):
            if self.base[v] > 0:
                self.plus[self.hull[v]] += self.base[v]
            else:
                self.minus[self.hull[v]] += self.base[v]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _need_one(self, options: cython.p_int, begin: cython.int, end: cython.int) -> cython.void:
        """One of these options must be taken: if only one is left, take it; if none is left, the node fails."""
        q: cython.int
        last: cython.int = -1
        for q in range(begin, end):
            if self.mark[options[q]] == TAKEN:
                return
            if self.mark[options[q]] == OPEN and options[q] != last:
                if last >= 0:
                    return
                last = options[q]
        if last >= 0:
            self._set(last, TAKEN)
        else:
            self.failed = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _leave(self, options: cython.p_int, begin: cython.int, end: cython.int) -> cython.void:
        """Leave these options out."""
        q: cython.int
        for q in range(begin, end):
            self._set(options[q], OUT)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hold_each(self, a: cython.int, d: cython.int) -> cython.bint:
        """Work out what a demand for each area forces. Returns False if an area can't meet it."""
        v: cython.int
        whole: cython.int
        sure: cython.longlong
        for v in range(self.spot_begin[a], self.spot_begin[a + 1]):
            whole = self.hull[v]
            if self.spot[v] == 1 and not self._fits(d, self.minus[whole], self.plus[whole]):
                self._leave(self.stand, self.stand_begin[v], self.stand_begin[v + 1])
            if self.spot[v] != 2 or self.core[v] != v:
                continue
            sure = self.base[v]
            self.group_high = sure + self.plus[whole] - max(sure, 0)
            if not self._fits(d, sure + self.minus[whole] - min(sure, 0), self.group_high):
                return False
            if self.adds[d] == 0:
                continue
            self.stamp += 1
            self.inside[v] = self.around[whole] = self.stamp
            self.group = 1
            self.group_sum = sure
            self._settle_terms(a, d)
            if not self._fits(d, sure, sure + self.own[v]) and not self._grow(a, d):
                return False
        if self.adds[d] != 0:
            self.group = 0
            self._keep_small(a, d)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hold_together(self, a: cython.int, d: cython.int) -> cython.bint:
        """The same for a demand with anchors."""
        k: cython.int
        v: cython.int
        low: cython.longlong = 0
        own: cython.longlong = 0
        self.stamp += 1
        self.group = 0
        self.group_sum = self.group_high = 0
        for k in range(self.anchor_begin[d], self.anchor_begin[d + 1]):
            v = self.anchor[k]
            if self.spot[v] == 0:
                continue
            if self.around[self.hull[v]] != self.stamp:
                self.around[self.hull[v]] = self.stamp
                low += self.minus[self.hull[v]]
                self.group_high += self.plus[self.hull[v]]
            v = self.core[v]
            if self.spot[v] == 2 and self.inside[v] != self.stamp:
                self.inside[v] = self.stamp
                self.group += 1
                self.group_sum += self.base[v]
                own += self.own[v]
                low += self.base[v] - min(self.base[v], 0)
                self.group_high += self.base[v] - max(self.base[v], 0)
        if self.asks[d] == WAIVED and self.group == 0:
            return True
        if not self._fits(d, low, self.group_high):
            return False
        if self.adds[d] == 0:
            return True
        self._settle_terms(a, d)
        if not self._fits(d, self.group_sum, self.group_sum + own) and not self._grow(a, d):
            return False
        if self.group > 0:
            self._keep_small(a, d)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _keep_small(self, a: cython.int, d: cython.int) -> cython.void:
        """Nothing joins areas that are too large together. With a group, of what is next to it only; without, every
        area counts for itself."""
        v: cython.int
        q: cython.int
        k: cython.int
        u: cython.int
        first: cython.int = self.spot_begin[a]
        at: cython.int
        e: cython.int
        most: cython.longlong = self.sum_high[self.sum_begin[d + 1] - 1]
        joined: cython.longlong
        added: cython.longlong
        touched: cython.bint
        for v in range(first, self.spot_begin[a + 1]):
            if self.spot[v] == 0:
                continue
            touched = self.group == 0 or (self.spot[v] == 2 and self.inside[self.core[v]] == self.stamp)
            joined = self.group_sum if self.group > 0 else 0
            self.tick += 1
            if self.spot[v] == 2:
                for q in range(self.link_begin[v], self.link_begin[v + 1]):
                    e = self.link_edge[q]
                    u = self.link_to[q]
                    if not touched or self.door[e] != 1 or self.spot[u] != 2 or self.core[u] == self.core[v]:
                        continue
                    if self.group == 0:
                        joined = self.base[self.core[v]]
                    elif self.inside[self.core[u]] == self.stamp:
                        continue
                    if joined + self.base[self.core[u]] > most:
                        self._need_one(self.cut, self.cut_begin[e], self.cut_begin[e + 1])
                continue
            for q in range(self.link_begin[v], self.link_begin[v + 1]):
                if self.door[self.link_edge[q]] != 2 or self.spot[self.link_to[q]] != 2:
                    continue
                u = self.core[self.link_to[q]]
                if self.group > 0 and self.inside[u] == self.stamp:
                    touched = True
                elif self.noted_at[u] != self.tick:
                    self.noted_at[u] = self.tick
                    joined += self.base[u]
            if not touched:
                continue
            at = self.slot[d] + v - first
            for k in range(self.stand_begin[v], self.stand_begin[v + 1]):
                if self.mark[self.stand[k]] != OPEN:
                    continue
                added = 0
                for q in range(self.term_begin[at], self.term_begin[at + 1]):
                    if self.term[q] == self.stand[k]:
                        added = self.term_weight[q]
                if joined + added > most:
                    self._set(self.stand[k], OUT)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _grow(self, a: cython.int, d: cython.int) -> cython.bint:
        """The group can't be all of its areas: find where it goes on. Returns False if it can't."""
        v: cython.int
        q: cython.int
        u: cython.int
        spot: cython.int = -1
        edge: cython.int = -1
        for q in range(self.anchor_begin[d], self.anchor_begin[d + 1]):
            v = self.anchor[q]
            if self.spot[v] == 1 and spot != v:
                if spot >= 0:
                    return True
                spot = v
                edge = -2
        for v in range(self.spot_begin[a], self.spot_begin[a + 1]):
            if self.spot[v] != 2 or self.inside[self.core[v]] != self.stamp:
                continue
            for q in range(self.link_begin[v], self.link_begin[v + 1]):
                u = self.link_to[q]
                if self.door[self.link_edge[q]] == 0 or self.spot[u] == 0:
                    continue
                if self.spot[u] == 2 and self.inside[self.core[u]] == self.stamp:
                    continue
                if spot >= 0 and spot != u:
                    return True
                edge = self.link_edge[q] if spot < 0 else -2
                spot = u
        if spot < 0:
            return False
        if self.spot[spot] != 2:
            self._need_one(self.stand, self.stand_begin[spot], self.stand_begin[spot + 1])
        if edge >= 0 and self.door[edge] == 1:
            self._leave(self.cut, self.cut_begin[edge], self.cut_begin[edge + 1])
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _settle_terms(self, a: cython.int, d: cython.int) -> cython.void:
        """Leave out what would make the group too large, and take that without which it falls short."""
        v: cython.int
        q: cython.int
        first: cython.int = self.spot_begin[a]
        at: cython.int
        near: cython.bint
        low: cython.longlong = self.sum_low[self.sum_begin[d]]
        most: cython.longlong = self.sum_high[self.sum_begin[d + 1] - 1]
        for v in range(first, self.spot_begin[a + 1]):
            if self.spot[v] == 0:
                continue
            at = self.slot[d] + v - first
            for q in range(self.term_begin[at], self.term_begin[at + 1]):
                if self.mark[self.term[q]] != OPEN:
                    continue
                near = self.spot[v] == 2 and self.inside[self.core[v]] == self.stamp
                if near and self.group_sum + self.term_weight[q] > most:
                    self._set(self.term[q], OUT)
                if self.around[self.hull[v]] == self.stamp and self.group_high - self.term_weight[q] < low:
                    self._set(self.term[q], TAKEN)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hold_areas(self, a: cython.int) -> cython.bint:
        """Work out what areas force. Returns False if they can't be as they should."""
        d: cython.int
        held: cython.bint
        self._look_at_doors(a)
        self._look_at_spots(a)
        if not self._keep_walls(a):
            return False
        for d in range(self.demand_begin[a], self.demand_begin[a + 1]):
            self._add_up(a, d)
            held = self._hold_each(a, d) if self.asks[d] == EACH else self._hold_together(a, d)
            if not held or self.failed:
                return False
        return not self.failed
