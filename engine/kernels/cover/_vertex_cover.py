"""Covers where every item is held by two options: branch and bound on what a cover leaves out.

Such a problem is a graph: options are its vertices, items its edges. A cover leaves out options of which no two share
an item. So a cover costs at most t if the options that it leaves out cost at least `goal`, which is the cost of all
options minus t.

**A node** has options that may be left out, and some that are left out already. Its bound is a set of *claims*: pairs
of a set of literals and a weight. Literals are options at first, and a claim holds if one of its literals is left out.
Options of a claim share items, each with each, so only one of them can be. If every option is in claims whose weights
add up to its cost, what is left out costs no more than the weights of all claims that can hold at once.

- Claims are made of the options in order, as long as the sum of their weights is less than what the node needs. So no
  good answer is among the options that fit into them. The other options are *open*.
- Each open option is tried in turn. Suppose that it is left out and that all claims hold: then the options that share
  an item with it are not left out, which may leave some claim just one literal, and so on. If some claim has no literal
  left in the end, the claims that had a part in this can't hold all together. The option then joins the claims without
  raising the bound: of the claims involved, one is given up, whichever it is; that is what the *spare* literal says
  that each of them gets. Of the spares of one such group, one is true at most. Claims that are heavier than the
  lightest of the group are split first.
- Options that remain open are branched on: a good answer leaves out one of them. For each one, in order, the node below
  has those options that are not open, and the open ones before it, unless they share an item with it.

An option is left out at once if the options that it shares items with cost no more than it does, all together.

**Rounds.** To refute a small t takes little time, and every further unit takes about twice as long. So t begins at the
bound that is known and rises until a cover is found; the bound rises with it. After a round that took less than `QUICK`
times the work of the one before, steps become longer; one that takes `HASTY` times as much is begun again with a
shorter step. A round also proves what its nodes had to spare (`slack`).

    cost, near, by     per option, its cost; the options that share an item with it are by[near[o]] … by[near[o+1]-1]
    first, size        per depth, where its options begin in `pool`, and how many there are; those are in order
    rank               beside `pool`: 0, or the place of an open option among the open ones of its node, from 1
    opened, turn       per depth, how many open options there are, and which one is next
    open_at, opens     per depth, where its open options begin in `opens`
    got, lefts, left   per depth, what the options left out so far cost, how many they are; these options
    here, inside       per option: equal to `now` if it is at this node; if it is in claims of this node
    rest               per option, how much of its cost no claim covers
    weight, count      per claim, its weight and the number of its literals
    head, of, after    per claim its first entry; per entry its literal, and the next entry of the claim
    tail, held, past   per literal its first entry; per entry its claim, and the next entry of the literal
    low, high          per literal that is a spare, the range of the spares of its group
    gone, why          per literal, the number of the trial in which it was last found false; the claim that said so
    live, tried        per claim, how many literals it has left in trial number `tried`
    queue, seen, part  claims with one literal left; per claim, whether it is known to be involved; those involved
    mark               scratch for making claims

Source: Li and Quan (2010), "An efficient branch-and-bound algorithm based on MaxSAT for the maximum clique problem";
Li, Fang and Xu (2013), "Combining MaxSAT reasoning and incremental upper bound for the maximum clique problem". There
the options left out are a clique in the graph of options that share no item, and claims are colours.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import DONE, FOUND, SLICE
    from cython.cimports.covr.engine.kernels.shared._looks import Looks
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _zero_ints, _zero_longs
else:
    from covr.engine.kernels.header import DONE, FOUND, SLICE
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _zero_ints, _zero_longs

    Looks = load("_looks", interpreted=True).Looks

COMPILED = cython.compiled

QUICK = cython.declare(cython.int, 2)  # see Rounds; both are ratios of work
HASTY = cython.declare(cython.int, 8)  # see Rounds
BRIEF = cython.declare(
    cython.longlong, 50_000
)  # array entries; rounds that took fewer count as if they had taken these
NEVER = cython.declare(cython.longlong, 1 << 62)  # more than any cost


@cython.final
@cython.cclass
class VertexCover:
    """A search that pauses between calls of `run`. The module describes its arrays."""

    n: cython.int
    depth: cython.int
    entering: cython.bint
    claims: cython.int
    entries: cython.int
    literals: cython.int
    most_entries: cython.int
    most_claims: cython.int
    most_literals: cython.int
    parts: cython.int
    steps: cython.int
    solved: cython.bint
    total: cython.longlong
    target: cython.longlong
    proved: cython.longlong
    cutoff: cython.longlong
    step: cython.longlong
    slack: cython.longlong
    work: cython.longlong
    began: cython.longlong
    before: cython.longlong
    visited: cython.longlong
    trial: cython.longlong
    now: cython.longlong
    stamp: cython.longlong
    best: list
    cost: cython.p_int
    near: cython.p_int
    by: cython.p_int
    first: cython.p_int
    size: cython.p_int
    pool: cython.p_int
    rank: cython.p_int
    opened: cython.p_int
    turn: cython.p_int
    open_at: cython.p_int
    opens: cython.p_int
    got: cython.p_longlong
    lefts: cython.p_int
    left: cython.p_int
    here: cython.p_longlong
    inside: cython.p_longlong
    rest: cython.p_longlong
    mark: cython.p_longlong
    weight: cython.p_longlong
    count: cython.p_int
    head: cython.p_int
    of: cython.p_int
    after: cython.p_int
    tail: cython.p_int
    held: cython.p_int
    past: cython.p_int
    low: cython.p_int
    high: cython.p_int
    gone: cython.p_longlong
    why: cython.p_int
    live: cython.p_int
    tried: cython.p_longlong
    queue: cython.p_int
    seen: cython.p_longlong
    part: cython.p_int
    looks: Looks
    hold: list

    def __init__(
        self, costs, neighbours, bound: cython.longlong, cutoff: cython.longlong, looks=None, entries: cython.int = 32
    ):
        """costs: per option, at least 1; their sum is below 2**31. Options that should be branched on come last.
        neighbours: per option, those that share an item with it, increasing.  bound: no cover costs less.  cutoff: only
        covers that cost less than this are looked for.  looks: tells whether to stop; see _looks.py.  entries: how many
        entries the claims of a node may have, per option; when they are used up, the other options stay open."""
        n: cython.longlong = len(costs)
        z: cython.longlong = sum([len(row) for row in neighbours])
        o: cython.int
        other: cython.int
        at: cython.int = 0
        hold: list = []
        self.hold = hold
        self.looks = Looks() if looks is None else looks
        self.n = n
        self.cost = _ints(costs, hold)
        self.total = sum(costs)
        self.near = _zero_ints(n + 1, hold)
        self.by = _zero_ints(z, hold)
        for o, row in enumerate(neighbours):
            for other in row:
                self.by[at] = other
                at += 1
            self.near[o + 1] = at
        self.first = _zero_ints(n + 2, hold)
        self.size = _zero_ints(n + 2, hold)
        self.pool = _zero_ints((n + 1) * (n + 2) // 2, hold)
        self.rank = _zero_ints((n + 1) * (n + 2) // 2, hold)
        self.opened = _zero_ints(n + 2, hold)
        self.turn = _zero_ints(n + 2, hold)
        self.open_at = _zero_ints(n + 2, hold)
        self.opens = _zero_ints((n + 1) * (n + 2) // 2, hold)
        self.got = _zero_longs(n + 2, hold)
        self.lefts = _zero_ints(n + 2, hold)
        self.left = _zero_ints(n + 1, hold)
        self.here = _zero_longs(n, hold)
        self.inside = _zero_longs(n, hold)
        self.rest = _zero_longs(n, hold)
        self.mark = _zero_longs(n, hold)
        self.most_claims = 8 * n + 16
        self.most_entries = entries * n
        self.most_literals = n + self.most_entries
        self.weight = _zero_longs(self.most_claims, hold)
        self.count = _zero_ints(self.most_claims, hold)
        self.head = _zero_ints(self.most_claims, hold)
        self.live = _zero_ints(self.most_claims, hold)
        self.tried = _zero_longs(self.most_claims, hold)
        self.queue = _zero_ints(self.most_claims, hold)
        self.seen = _zero_longs(self.most_claims, hold)
        self.part = _zero_ints(self.most_claims, hold)
        self.of = _zero_ints(self.most_entries, hold)
        self.after = _zero_ints(self.most_entries, hold)
        self.held = _zero_ints(self.most_entries, hold)
        self.past = _zero_ints(self.most_entries, hold)
        self.tail = _zero_ints(self.most_literals, hold)
        self.low = _zero_ints(self.most_literals, hold)
        self.high = _zero_ints(self.most_literals, hold)
        self.gone = _zero_longs(self.most_literals, hold)
        self.why = _zero_ints(self.most_literals, hold)
        self.claims = self.entries = self.literals = self.parts = self.steps = 0
        self.work = self.began = self.before = self.visited = self.trial = self.now = self.stamp = 0
        self.best = []
        self.step = 1
        self.slack = 0
        self.proved = bound if bound > 0 else 0
        self.cutoff = cutoff
        self.target = self.proved
        self.solved = False
        self.depth = -1
        self.entering = False

    @property
    def nodes(self):
        """How many nodes were visited so far, in all rounds."""
        return self.visited

    def spent(self):
        """How many array entries were read so far."""
        return self.work

    def bound(self):
        """No cover costs less than this; at most the cost of the best cover found, or the cutoff."""
        return self.proved if self.proved < self.cutoff else self.cutoff

    def limit(self):
        """Only covers that cost less than this are looked for."""
        return self.cutoff

    def answer(self):
        """The options of the last cover found."""
        return self.best

    def lower(self, cutoff: cython.longlong):
        """From now on, look only for covers that cost less than this."""
        if cutoff < self.cutoff:
            self.cutoff = cutoff
            if self.target >= cutoff:
                self.target = cutoff - 1

    def run(self, work: cython.longlong, nodes: cython.longlong):
        """Search until about `work` more array entries have been read, and at most so many more nodes visited.

        Returns SLICE; FOUND, if a cover that costs less than the cutoff was found, to which the cutoff is lowered then;
        or DONE, if there is none.

        Raises the exception by which `looks` stopped it; the next call goes on from there.
        """
        code: cython.int
        with cython.nogil:
            code = self._run(self.work + work, self.visited + nodes)
        if code == FOUND:
            self._record()
        self.looks.settle()
        return code

    def _record(self):
        """Note the cover of all options that are not left out now."""
        out = {self.left[k] for k in range(self.lefts[self.depth])}
        self.best = [o for o in range(self.n) if o not in out]
        self.lower(self.total - self.got[self.depth])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        before: cython.longlong
        while not self.solved:
            if self.work >= end or self.visited >= until:
                return SLICE
            before = self.work
            if self.depth < 0:
                self._begin()
                continue
            if self.entering:
                self._leave_out()
                if self.got[self.depth] >= self.total - self.target:
                    return FOUND
                self.entering = False
                self.visited += 1
                self._bound()
                if self.step > 1 and self.work - self.began > HASTY * self.before:
                    self.depth = -1
                    self.step = self.step // 4 if self.step > 4 else 1
                    self._aim()
            elif not self._descend():
                self.depth -= 1
                if self.depth < 0:
                    self._end_round()
            if self.looks.tick(self.work - before):
                return SLICE
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self) -> cython.void:
        """Begin a round with `target`, or end the search."""
        o: cython.int
        if self.proved >= self.cutoff:
            self.solved = True
            return
        self.began = self.work
        self.slack = NEVER
        self.depth = 0
        self.entering = True
        self.first[0] = self.open_at[0] = self.lefts[0] = 0
        self.got[0] = 0
        self.size[0] = self.n
        for o in range(self.n):
            self.pool[o] = o
        self.work += self.n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _end_round(self) -> cython.void:
        """No cover costs `target` or less: raise the bound, and choose the next target."""
        took: cython.longlong = self.work - self.began
        if took < BRIEF:
            took = BRIEF
        self.proved = self.target + 1
        self.proved = self.proved + self.slack if self.slack < self.cutoff - self.proved else self.cutoff
        if self.before > 0 and took < QUICK * self.before:
            self.step *= 2
        self.before = took
        self._aim()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _aim(self) -> cython.void:
        """Choose the target of the next round."""
        self.target = self.proved + self.step - 1
        if self.target >= self.cutoff:
            self.target = self.cutoff - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _leave_out(self) -> cython.void:
        """Leave out each option that costs as much as all its neighbours at the node together."""
        d: cython.int = self.depth
        at: cython.int = self.first[d]
        end: cython.int = at + self.size[d]
        k: cython.int
        q: cython.int
        p: cython.int
        o: cython.int
        other: cython.int
        shared: cython.longlong
        now: cython.longlong
        waiting: cython.int = 0
        self.now += 1
        now = self.now
        for k in range(at, end):
            self.here[self.pool[k]] = now
        for k in range(at, end):
            o = self.pool[k]
            shared = 0
            for q in range(self.near[o], self.near[o + 1]):
                if self.here[self.by[q]] == now:
                    shared += self.cost[self.by[q]]
            self.work += self.near[o + 1] - self.near[o]
            self.rest[o] = shared  # until claims are made: what the neighbours cost
            if shared <= self.cost[o]:
                self.queue[waiting] = o
                waiting += 1
        if waiting == 0:
            return
        while waiting > 0:
            waiting -= 1
            o = self.queue[waiting]
            if self.here[o] != now:
                continue
            self.here[o] = 0
            self.got[d] += self.cost[o]
            self.left[self.lefts[d]] = o
            self.lefts[d] += 1
            for q in range(self.near[o], self.near[o + 1]):
                other = self.by[q]
                if self.here[other] != now:
                    continue
                self.here[other] = 0
                for p in range(self.near[other], self.near[other + 1]):
                    k = self.by[p]
                    if self.here[k] == now:
                        shared = self.rest[k]
                        self.rest[k] -= self.cost[other]
                        # Each option is put in line once, when the sum of its neighbours becomes small enough.
                        if shared > self.cost[k] and self.rest[k] <= self.cost[k]:
                            self.queue[waiting] = k
                            waiting += 1
                self.work += self.near[other + 1] - self.near[other]
            self.work += self.near[o + 1] - self.near[o]
        q = at
        for k in range(at, end):
            if self.here[self.pool[k]] == now:
                self.pool[q] = self.pool[k]
                q += 1
        self.size[d] = q - at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bound(self) -> cython.void:
        """Make claims, and find out which options stay open. Sets `opened`, `opens` and `rank` of the node."""
        d: cython.int = self.depth
        at: cython.int = self.first[d]
        end: cython.int = at + self.size[d]
        k: cython.int
        o: cython.int
        room: cython.longlong = self.total - self.target - self.got[d] - 1  # the claims may weigh so much
        self.claims = self.entries = 0
        self.literals = self.n
        self.opened[d] = self.turn[d] = 0
        for k in range(at, end):
            o = self.pool[k]
            self.rest[o] = self.cost[o]
            self.tail[o] = -1
            self.gone[o] = 0
        self.work += end - at
        for k in range(at, end):
            o = self.pool[k]
            while room > 0 and self.rest[o] > 0 and self._has_room(self.near[o + 1] - self.near[o] + 1, 1):
                room -= self._claim(o, room)
        for k in range(at, end):
            o = self.pool[k]
            self.rank[k] = 0
            if self.rest[o] == 0:
                continue
            while self.rest[o] > 0:
                if room > 0 and self._has_room(1, 1):
                    self._begin_claim(self.rest[o] if self.rest[o] < room else room)
                    self._add(o)
                    self.rest[o] -= self.weight[self.claims - 1]
                    room -= self.weight[self.claims - 1]
                elif not self._joins(o):
                    break
            if self.rest[o] > 0:
                room += self._open(o)
                self.opens[self.open_at[d] + self.opened[d]] = o
                self.opened[d] += 1
                self.rank[k] = self.opened[d]
        if room < self.slack:
            self.slack = room

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _has_room(self, entries: cython.int, claims: cython.int) -> cython.bint:
        """Whether there is room for so many more entries, each of which may be a new literal's, and claims."""
        return self.entries + entries <= self.most_entries and self.claims + claims <= self.most_claims

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin_claim(self, weight: cython.longlong) -> cython.void:
        """Begin a claim without literals."""
        self.weight[self.claims] = weight
        self.count[self.claims] = 0
        self.head[self.claims] = -1
        self.tried[self.claims] = 0
        self.claims += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _put(self, claim: cython.int, literal: cython.int) -> cython.void:
        """Add a literal to a claim."""
        e: cython.int = self.entries
        self.of[e] = literal
        self.held[e] = claim
        self.after[e] = self.head[claim]
        self.head[claim] = e
        self.past[e] = self.tail[literal]
        self.tail[literal] = e
        self.count[claim] += 1
        self.entries += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(self, o: cython.int) -> cython.void:
        """Add an option to the claim that was begun last."""
        self._put(self.claims - 1, o)
        self.inside[o] = self.now

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _claim(self, o: cython.int, room: cython.longlong) -> cython.longlong:
        """Make a claim of an option and later ones that share items with it and each other, the first that fit; it
        covers as much of their costs as it can, but at most `room`. Returns its weight."""
        q: cython.int
        p: cython.int
        e: cython.int
        other: cython.int
        now: cython.longlong = self.now
        base: cython.longlong = self.stamp
        weight: cython.longlong = self.rest[o] if self.rest[o] < room else room
        self._begin_claim(weight)
        self._add(o)
        for q in range(self.near[o], self.near[o + 1]):
            self.mark[self.by[q]] = base + 1
        base += 1  # an option with this mark shares items with all of the claim
        for q in range(self.near[o], self.near[o + 1]):
            other = self.by[q]
            if self.mark[other] != base or self.here[other] != now or self.rest[other] == 0:
                continue
            self._add(other)
            if self.rest[other] < weight:
                weight = self.rest[other]
            for p in range(self.near[other], self.near[other + 1]):
                if self.mark[self.by[p]] == base:
                    self.mark[self.by[p]] = base + 1
            self.work += self.near[other + 1] - self.near[other]
            base += 1
        self.stamp = base + 1
        self.work += 2 * (self.near[o + 1] - self.near[o])
        self.weight[self.claims - 1] = weight
        e = self.head[self.claims - 1]
        while e >= 0:
            self.rest[self.of[e]] -= weight
            e = self.after[e]
        return weight

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _open(self, o: cython.int) -> cython.longlong:
        """Remove an option that stays open from all claims. Returns what claims weigh that have nothing left."""
        found: cython.longlong = 0
        e: cython.int = self.tail[o]
        c: cython.int
        self.inside[o] = 0
        self.gone[o] = NEVER
        while e >= 0:
            c = self.held[e]
            self.count[c] -= 1
            if self.count[c] == 0:
                found += self.weight[c]
                self.weight[c] = 0
            e = self.past[e]
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _joins(self, o: cython.int) -> cython.bint:
        """Let an option join the claims, with some of the rest of its cost, and without raising the bound. Returns
        whether that is possible; if not, nothing is changed."""
        c: cython.int
        k: cython.int
        e: cython.int
        own: cython.int
        parts: cython.int
        more: cython.int = 0
        least: cython.longlong
        if not self._has_room(1, 1):
            return False
        own = self.claims
        self._begin_claim(self.rest[o])
        self._put(own, o)
        if not self._refuted(own):
            self.claims -= 1
            self.entries -= 1
            self.tail[o] = self.past[self.entries]
            return False
        least = self.rest[o]
        parts = self.parts
        for k in range(parts):
            if self.weight[self.part[k]] < least:
                least = self.weight[self.part[k]]
        for k in range(parts):
            c = self.part[k]
            if self.weight[c] > least:
                more += self.count[c]
        if not self._has_room(more + parts, parts):
            self.claims -= 1
            self.entries -= 1
            self.tail[o] = self.past[self.entries]
            return False
        self.inside[o] = self.now
        for k in range(parts):
            c = self.part[k]
            if self.weight[c] > least and c != own:
                self._begin_claim(self.weight[c] - least)
                e = self.head[c]
                while e >= 0:
                    if self.gone[self.of[e]] != NEVER:
                        self._put(self.claims - 1, self.of[e])
                    e = self.after[e]
            self.weight[c] = least
        e = self.literals
        for k in range(parts):
            self.tail[self.literals] = -1
            self.gone[self.literals] = 0
            self.low[self.literals] = e
            self.high[self.literals] = e + parts
            self._put(self.part[k], self.literals)
            self.literals += 1
        self.rest[o] -= least
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _refuted(self, own: cython.int) -> cython.bint:
        """Whether a claim with one literal contradicts the others; then `part` lists the claims involved, `own` too."""
        c: cython.int
        e: cython.int
        k: cython.int
        q: cython.int
        bad: cython.int = -1
        literal: cython.int
        done: cython.int = 0
        self.trial += 1
        self.steps = 1
        self.queue[0] = own
        while done < self.steps and bad < 0:
            c = self.queue[done]
            done += 1
            e = self.head[c]
            while self.gone[self.of[e]] >= self.trial:
                e = self.after[e]
                self.work += 1
            literal = self.of[e]
            if literal < self.n:
                q = self.near[literal]
                while q < self.near[literal + 1] and bad < 0:
                    if self.inside[self.by[q]] == self.now:
                        bad = self._falsify(self.by[q], c)
                    q += 1
                self.work += q - self.near[literal]
            else:
                k = self.low[literal]
                while k < self.high[literal] and bad < 0:
                    if k != literal:
                        bad = self._falsify(k, c)
                    k += 1
                self.work += k - self.low[literal]
        if bad < 0:
            return False
        self.seen[bad] = self.trial
        self.part[0] = bad
        self.parts = 1
        k = 0
        while k < self.parts:
            e = self.head[self.part[k]]
            while e >= 0:
                if self.gone[self.of[e]] == self.trial:
                    c = self.why[self.of[e]]
                    if self.seen[c] != self.trial:
                        self.seen[c] = self.trial
                        self.part[self.parts] = c
                        self.parts += 1
                e = self.after[e]
                self.work += 1
            k += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _falsify(self, literal: cython.int, by: cython.int) -> cython.int:
        """Note that a literal is false because a claim must hold. Returns a claim that has no literal left, or -1."""
        e: cython.int
        c: cython.int
        if self.gone[literal] >= self.trial:
            return -1
        self.gone[literal] = self.trial
        self.why[literal] = by
        e = self.tail[literal]
        while e >= 0:
            c = self.held[e]
            if self.tried[c] != self.trial:
                self.tried[c] = self.trial
                self.live[c] = self.count[c]
            self.live[c] -= 1
            if self.live[c] == 0 and self.weight[c] > 0:
                return c
            if self.live[c] == 1:
                self.queue[self.steps] = c
                self.steps += 1
            self.work += 1
            e = self.past[e]
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _descend(self) -> cython.bint:
        """Go to the next node below. Returns whether there is one."""
        d: cython.int = self.depth
        at: cython.int = self.first[d]
        to: cython.int = at + self.size[d]
        k: cython.int
        q: cython.int
        o: cython.int
        other: cython.int
        if self.turn[d] >= self.opened[d]:
            return False
        o = self.opens[self.open_at[d] + self.turn[d]]
        self.turn[d] += 1
        self.stamp += 1
        for q in range(self.near[o], self.near[o + 1]):
            self.mark[self.by[q]] = self.stamp
        q = to
        for k in range(at, to):
            other = self.pool[k]
            if self.rank[k] < self.turn[d] and self.mark[other] != self.stamp:
                self.pool[q] = other
                q += 1
        self.work += to - at + self.near[o + 1] - self.near[o]
        self.depth = d + 1
        self.first[d + 1] = to
        self.size[d + 1] = q - to
        self.open_at[d + 1] = self.open_at[d] + self.opened[d]
        self.got[d + 1] = self.got[d] + self.cost[o]
        self.lefts[d + 1] = self.lefts[d] + 1
        self.left[self.lefts[d]] = o
        self.entering = True
        return True
