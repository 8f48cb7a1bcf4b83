# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef"
# ruff: noqa: SIM110 (`all` of a generator needs the GIL)
"""The automorphisms of a coloured graph, by refinement of partitions with individualisation.

An *ordered partition* of the vertices is refined until it is equitable: vertices of one cell have equally many
neighbours in every cell. Where cells of more than one vertex remain, one of their vertices is *individualised*, that
is, made a cell of its own, and the partition is refined again. The *first path* does so until every cell is a single
vertex; its choices are the *base*. Then, from its deepest level up, each vertex that might be an image of the level's
base vertex, while those above stay, is individualised in its place, and a tree is searched below it for a partition
that is refined in the same way as the first path was. What is found is an automorphism that moves the base vertex
there. Images that what was found already carries to each other are not tried twice. So the sizes of the base vertices'
orbits, each under what fixes the base vertices above it, are known in the end, and their product is the order.

    elem, spot          the vertices cell by cell, and where each stands
    cell, length        per vertex, the position where its cell begins; per such position, how many vertices it has
    made, parent        the cells that were split off, one after another, and the cells they were split from
    queue, waits        cells whose neighbours are to be counted; whether a cell is among them
    count, hit          per vertex, its neighbours in the cell that splits; per cell, how many of its vertices have any
    trace               a running hash of the splits of the first path, level by level; who differs is given up at once
    base, target        per level, the vertex that was individualised, and the cell that it was taken from,
    broad, height, mark how long that cell was, how many cells had been split off, and where in `trace` the level begins
    leaf, stood         the first path's last partition: the vertex at each position, the position of each vertex
    apart, strangers    per vertex, whether it is in a cell of several that has other vertices than the first path's
                        cell there; and how many are. At 0, all cells of several agree: the rest is the identity
    orbit, size, failed a union-find forest of the orbits; per root, how many it has, and the level at which it failed

A partition is undone by joining cells again, so a node costs no more than what it changes. Splits are made at the
right end of a cell, so that vertices without neighbours in the splitting cell are not looked at. Every automorphism is
checked, edge by edge, before it counts: whatever hashes collide, none is wrong, and all of them are found.

No two vertices of one colour may be neighbours. Work is counted in edges and vertices looked at, not timed.
Source: McKay, "Practical graph isomorphism" (1981); Darga, Liffiton, Sakallah and Markov (2004), "Exploiting structure
in symmetry detection for CNF", for cells of several that agree, which keeps sparse graphs from deep searches. We have
neither canonical labelling nor the pruning of the tree by automorphisms of its nodes. Tried: the smallest cell as the
target instead of the first, which scans all cells at each level and saved no nodes on matrices, whose items come first.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels._memory import _ints, _zero_ints, _zero_longs  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels._memory import _ints, _zero_ints, _zero_longs

COMPILED = cython.compiled

PRIME = cython.declare(cython.longlong, 2147483647)  # what hashes are taken modulo,
FACTOR = cython.declare(cython.longlong, 1000003)  # and what they are multiplied by

# The states of the search, between two nodes.
FIRST = cython.declare(cython.int, 0)  # go on with the first path
NEXT = cython.declare(cython.int, 1)  # choose the next image of the level's base vertex
DEEPER = cython.declare(cython.int, 2)  # choose the next vertex at a node below an image
END = cython.declare(cython.int, 3)  # every level is done


@cython.final
@cython.cclass
class Refine:
    """A search for automorphisms that pauses between calls of `run`. The module describes its arrays."""

    n: cython.int
    state: cython.int
    levels: cython.int  # of the first path
    level: cython.int  # whose base vertex is moved
    depth: cython.int  # levels of the node that is looked at
    splits: cython.int  # cells that were split off
    scan: cython.int  # no cell of several begins before this position, on the first path
    nodes: cython.longlong  # below this image
    most: cython.longlong  # nodes below one image, at most
    work: cython.longlong
    hash: cython.longlong
    read: cython.longlong  # the place in the trace
    head: cython.int
    tail: cython.int
    queued: cython.int
    strangers: cython.int
    stamp: cython.longlong
    shifted: cython.int  # vertices that the last automorphism moves
    whole: cython.bint  # whether no image was given up
    following: cython.bint  # whether the trace is compared, not written
    image_now: cython.int  # the image that is tried
    colour: cython.p_int
    start: cython.p_int
    near: cython.p_int
    elem: cython.p_int
    spot: cython.p_int
    cell: cython.p_int
    length: cython.p_int
    made: cython.p_int
    parent: cython.p_int
    queue: cython.p_int
    waits: cython.p_int
    count: cython.p_int
    hit: cython.p_int
    touched: cython.p_int
    trace: cython.p_longlong
    mark: cython.p_longlong
    base: cython.p_int
    target: cython.p_int
    broad: cython.p_int
    height: cython.p_int
    last: cython.p_int
    below: cython.p_int
    leaf: cython.p_int
    stood: cython.p_int
    apart: cython.p_int
    orbit: cython.p_int
    size: cython.p_int
    failed: cython.p_int
    image: cython.p_int
    moved: cython.p_int
    seen: cython.p_longlong
    factors: list
    found: list
    hold: list

    def __init__(self, colours, start, near, most: cython.longlong = 1 << 62):
        """colours: per vertex, a number from 0.  start, near: the neighbours of v are near[start[v]:start[v + 1]], no
        one twice.  most: nodes that are searched for one image of one vertex before it is given up."""
        n: cython.int = len(colours)
        v: cython.int
        c: cython.int
        k: cython.int
        self.hold = []
        self.n = n
        self.colour = _ints(colours, self.hold)
        self.start = _ints(start, self.hold)
        self.near = _ints(near, self.hold)
        self.spot = _zero_ints(n + 1, self.hold)
        self.cell = _zero_ints(n + 1, self.hold)
        self.length = _zero_ints(n + 1, self.hold)
        self.made = _zero_ints(n + 1, self.hold)
        self.parent = _zero_ints(n + 1, self.hold)
        self.queue = _zero_ints(n + 1, self.hold)
        self.waits = _zero_ints(n + 1, self.hold)
        self.count = _zero_ints(n + 1, self.hold)
        self.hit = _zero_ints(n + 1, self.hold)
        self.touched = _zero_ints(n + 1, self.hold)
        self.trace = _zero_longs(2 * n + 4, self.hold)
        self.mark = _zero_longs(n + 2, self.hold)
        self.base = _zero_ints(n + 2, self.hold)
        self.target = _zero_ints(n + 2, self.hold)
        self.broad = _zero_ints(n + 2, self.hold)
        self.height = _zero_ints(n + 2, self.hold)
        self.last = _zero_ints(n + 2, self.hold)
        self.below = _zero_ints(n + 2, self.hold)
        self.leaf = _zero_ints(n + 1, self.hold)
        self.stood = _zero_ints(n + 1, self.hold)
        self.apart = _zero_ints(n + 1, self.hold)
        self.orbit = _ints(range(n), self.hold)
        self.size = _ints([1] * n, self.hold)
        self.failed = _ints([-1] * n, self.hold)
        self.image = _ints(range(n), self.hold)
        self.moved = _zero_ints(n + 1, self.hold)
        self.seen = _zero_longs(n + 1, self.hold)
        self.most = most
        self.state = FIRST
        self.levels = self.level = self.depth = self.splits = self.scan = 0
        self.nodes = self.work = self.hash = self.read = 0
        self.head = self.tail = self.queued = self.strangers = self.stamp = self.shifted = 0
        self.whole = True
        self.following = False
        self.image_now = -1
        self.factors = []
        self.found = []
        self.elem = _ints(sorted(range(n), key=colours.__getitem__), self.hold)
        k = 0
        for v in range(n):
            c = self.elem[v]
            if v > 0 and self.colour[c] != self.colour[self.elem[k]]:
                k = v
            self.spot[c] = v
            self.cell[c] = k
            self.length[k] += 1
            if k == v:
                self._enqueue(k)
        if n > 0:
            self._refine()
        self.splits = 0

    def run(self, work: cython.longlong):
        """Search until so much more work is done; returns whether all of it is."""
        end: cython.longlong = self.work + work
        while self.state != END and self.work < end:
            with cython.nogil:
                self._search(end)
            if self.shifted > 0:
                self.found.append(
                    (
                        [self.moved[k] for k in range(self.shifted)],
                        [self.image[self.moved[k]] for k in range(self.shifted)],
                    )
                )
                self._forget()
            if self.state == NEXT and self.level == 0:
                self.state = END
        return self.state == END

    def generators(self):
        """The automorphisms found, each as the vertices that it moves and, beside them, where it moves them."""
        return list(self.found)

    def orbits(self):
        """Per level that is done, from the deepest: the vertex that is moved, and the size of its orbit."""
        return list(self.factors)

    def complete(self):
        """Whether the automorphisms found generate all there are."""
        return self.state == END and self.whole

    def spent(self):
        """The work done so far."""
        return self.work

    def root(self, v: cython.int):
        """One vertex of the orbit of v, the same for all of it."""
        return self._root(v)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _search(self, end: cython.longlong) -> cython.void:
        """Go on until the work is done, an automorphism was found, or a level is over that is the last."""
        while self.work < end:
            if self.state == FIRST:
                self._descend()
            elif self.state == NEXT:
                if self.level == 0:
                    return
                self._try()
            else:
                self._deepen()
            if self.shifted > 0:
                return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _descend(self) -> cython.void:
        """One more level of the first path; at its end, remember its last partition."""
        p: cython.int = self.scan
        v: cython.int
        self.work += 1
        while p < self.n and self.length[p] == 1:
            p += 1
            self.work += 1
        self.scan = p
        if p < self.n:
            self.levels += 1
            v = self.elem[p + self.length[p] - 1]
            self.base[self.levels] = v
            self.target[self.levels] = p
            self.broad[self.levels] = self.length[p]
            self.height[self.levels] = self.splits
            self.mark[self.levels] = self.read
            self._single(v)
            self._refine()
            return
        for p in range(self.n):
            self.leaf[p] = self.elem[p]
            self.stood[self.elem[p]] = p
        self.following = True
        self.level = self.levels
        self.state = NEXT
        if self.level > 0:
            self._undo(self.height[self.level])
            self.last[self.level] = -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _try(self) -> cython.void:
        """Individualise the next image of the level's base vertex; where there is none, go up a level."""
        k: cython.int = self.level
        p: cython.int
        v: cython.int
        r: cython.int
        own: cython.int = self._root(self.base[k])
        best: cython.int = -1
        for p in range(self.target[k], self.target[k] + self.length[self.target[k]]):
            v = self.elem[p]
            if v > self.last[k] and (best < 0 or v < best):
                r = self._root(v)
                if r != own and self.failed[r] != k:
                    best = v
        self.work += self.length[self.target[k]]
        if best < 0:
            with cython.gil:
                self.factors.append((self.base[k], self.size[own]))
            self.level -= 1
            if self.level > 0:
                self._undo(self.height[self.level])
                self.last[self.level] = -1
            return
        self.last[k] = best
        self.image_now = best
        self.nodes = 0
        self.depth = k
        self.below[k] = self.splits
        self._visit(best)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _deepen(self) -> cython.void:
        """The next vertex at the node above `depth`; where there is none, go up."""
        j: cython.int = self.depth
        t: cython.int = self.target[j]
        p: cython.int
        v: cython.int
        best: cython.int = -1
        if self.nodes > self.most:
            self.whole = False
            self._undo(self.below[self.level])
            self._fail()
            return
        if self.length[t] == self.broad[j] and self.cell[self.elem[t]] == t:
            if self.last[j] == -2:  # the base vertex itself first: so an automorphism moves little
                self.last[j] = -1
                if self.cell[self.base[j]] == t:
                    self._visit(self.base[j])
                    return
            for p in range(t, t + self.length[t]):
                v = self.elem[p]
                if v > self.last[j] and v != self.base[j] and (best < 0 or v < best):
                    best = v
            self.work += self.length[t]
        if best >= 0:
            self.last[j] = best
            self._visit(best)
            return
        if j - 1 <= self.level:
            self._undo(self.below[self.level])
            self._fail()
        else:
            self.depth = j - 1
            self._undo(self.below[j - 1])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fail(self) -> cython.void:
        """No automorphism moves the base vertex to this image, nor to any of its orbit."""
        self.failed[self._root(self.image_now)] = self.level
        self.state = NEXT

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _visit(self, v: cython.int) -> cython.void:
        """Individualise a vertex at level `depth`, and see what comes of it."""
        j: cython.int = self.depth
        self.nodes += 1
        self.read = self.mark[j]
        self._single(v)
        if self._refine():
            if self.strangers == 0 and self._maps():
                self._join()
                self._undo(self.below[self.level])
                self.state = NEXT
                return
            if j < self.levels:
                self.depth = j + 1
                self.below[j + 1] = self.splits
                self.last[j + 1] = -2
                self.state = DEEPER
                return
        self._undo(self.below[j])
        if j == self.level:
            self._fail()
        else:
            self.state = DEEPER

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _single(self, v: cython.int) -> cython.void:
        """Make a vertex a cell of its own, at the end of the cell it was in."""
        c: cython.int = self.cell[v]
        e: cython.int = c + self.length[c] - 1
        self._move(v, e)
        self.length[c] -= 1
        self.length[e] = 1
        self.cell[v] = e
        self.made[self.splits] = e
        self.parent[self.splits] = c
        self.splits += 1
        self.hash = c + 1
        if self.following:
            self._look(e)
            if self.length[c] == 1:
                self._look(c)
        self._enqueue(e)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _move(self, v: cython.int, e: cython.int) -> cython.void:
        """Exchange a vertex with the one that stands at a position of its cell."""
        other: cython.int = self.elem[e]
        self.elem[self.spot[v]] = other
        self.spot[other] = self.spot[v]
        self.elem[e] = v
        self.spot[v] = e

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enqueue(self, c: cython.int) -> cython.void:
        if self.waits[c] == 0:
            self.waits[c] = 1
            self.queue[self.tail] = c
            self.tail = self.tail + 1 if self.tail < self.n else 0
            self.queued += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _refine(self) -> cython.bint:
        """Make the partition equitable. Where it follows the first path: False as soon as it differs."""
        s: cython.int
        c: cython.int
        k: cython.int
        p: cython.int
        q: cython.int
        u: cython.int
        cells: cython.int
        same: cython.bint = True
        while self.queued > 0:
            s = self.queue[self.head]
            self.head = self.head + 1 if self.head < self.n else 0
            self.queued -= 1
            self.waits[s] = 0
            if not same:
                continue
            cells = 0
            self.hash = (self.hash * FACTOR + s) % PRIME
            for p in range(s, s + self.length[s]):
                u = self.elem[p]
                self.work += self.start[u + 1] - self.start[u] + 1
                for q in range(self.start[u], self.start[u + 1]):
                    k = self.near[q]
                    c = self.cell[k]
                    if self.count[k] == 0:
                        if self.hit[c] == 0:
                            self.touched[cells] = c
                            cells += 1
                        self._move(k, c + self.length[c] - 1 - self.hit[c])
                        self.hit[c] += 1
                    self.count[k] += 1
            self._sort(cells)
            for k in range(cells):
                c = self.touched[k]
                q = c + self.length[c]
                u = q - self.hit[c]
                self.hit[c] = 0
                if same:
                    same = self._split(c, u, q)
                for p in range(u, q):
                    self.count[self.elem[p]] = 0
        if same:
            same = self._record(-1 - self.hash)
        return same

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _split(self, c: cython.int, a: cython.int, e: cython.int) -> cython.bint:
        """Split the cell from c to before e by counts, which are 0 before a. Whether the first path did the same."""
        p: cython.int
        f: cython.int
        x: cython.int
        most: cython.int = c
        first: cython.int = self.splits
        self._by_count(a, e)
        self.hash = (self.hash * FACTOR + c) % PRIME
        if a > c:
            self.length[c] = a - c
        p = a
        while p < e:
            f = p
            x = self.count[self.elem[f]]
            while p < e and self.count[self.elem[p]] == x:
                p += 1
            self.hash = ((self.hash * FACTOR + x) % PRIME * FACTOR + (p - f)) % PRIME
            self.length[f] = p - f
            if f == c:
                continue
            if p - f > self.length[most]:
                most = f
            self.made[self.splits] = f
            self.parent[self.splits] = c
            self.splits += 1
            for x in range(f, p):
                self.cell[self.elem[x]] = f
        if self.splits == first:
            return True
        self.work += e - a
        if self.waits[c] != 0:
            most = -1
        if c != most:
            self._enqueue(c)
        for p in range(first, self.splits):
            if self.made[p] != most:
                self._enqueue(self.made[p])
        if self.following:
            for p in range(a, e):
                self._look(p)
            if a - c == 1:
                self._look(c)
        return self._record(self.hash)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _record(self, value: cython.longlong) -> cython.bint:
        """Write a number to the trace, or see whether it is what is written there."""
        if not self.following:
            self.trace[self.read] = value
        elif self.trace[self.read] != value:
            return False
        self.read += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sort(self, size: cython.int) -> cython.void:
        """The cells that were hit, in order: Shell's sort."""
        gap: cython.int = 1
        a: cython.int
        b: cython.int
        x: cython.int
        while gap < size // 3:
            gap = 3 * gap + 1
        while gap > 0:
            for a in range(gap, size):
                x = self.touched[a]
                b = a
                while b >= gap and self.touched[b - gap] > x:
                    self.touched[b] = self.touched[b - gap]
                    b -= gap
                self.touched[b] = x
            gap //= 3

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _by_count(self, first: cython.int, end: cython.int) -> cython.void:
        """The vertices at these positions in the order of their counts: Shell's sort, where they are not all alike."""
        gap: cython.int = 1
        a: cython.int
        b: cython.int
        v: cython.int
        x: cython.int = self.count[self.elem[first]]
        a = first + 1
        while a < end and self.count[self.elem[a]] == x:
            a += 1
        if a >= end:
            return
        while gap < (end - first) // 3:
            gap = 3 * gap + 1
        while gap > 0:
            for a in range(first + gap, end):
                v = self.elem[a]
                x = self.count[v]
                b = a
                while b >= first + gap and self.count[self.elem[b - gap]] > x:
                    self.elem[b] = self.elem[b - gap]
                    self.spot[self.elem[b]] = b
                    b -= gap
                self.elem[b] = v
                self.spot[v] = b
            gap //= 3

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _undo(self, height: cython.int) -> cython.void:
        """Join cells again, down to so many splits."""
        top: cython.int = self.splits
        s: cython.int
        c: cython.int
        k: cython.int
        p: cython.int
        while self.splits > height:
            self.splits -= 1
            s = self.made[self.splits]
            c = self.parent[self.splits]
            for p in range(s, s + self.length[s]):
                self.cell[self.elem[p]] = c
            self.length[c] += self.length[s]
            self.work += self.length[s]
        for k in range(height, top):
            s = self.made[k]
            for p in range(s, s + self.length[s]):
                self._look(p)
            self._look(self.parent[k])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look(self, p: cython.int) -> cython.void:
        """See whether the vertices that stand, or stood, at a position are strangers to their cells."""
        self._mind(self.elem[p])
        self._mind(self.leaf[p])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mind(self, v: cython.int) -> cython.void:
        c: cython.int = self.cell[v]
        now: cython.int = 1 if self.length[c] > 1 and self.cell[self.elem[self.stood[v]]] != c else 0
        self.strangers += now - self.apart[v]
        self.apart[v] = now

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _maps(self) -> cython.bint:
        """Whether to move the first path's single vertices to those at the same positions is an automorphism."""
        k: cython.int
        for k in range(self.below[self.level], self.splits):
            self._carry(self.made[k])
            self._carry(self.parent[k])
        for k in range(self.shifted):
            if not self._keeps(self.moved[k]):
                self._forget()
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _carry(self, p: cython.int) -> cython.void:
        """Move the vertex of a position, if it has one of its own."""
        u: cython.int = self.leaf[p]
        if self.length[p] == 1 and self.elem[p] != u and self.image[u] == u:
            self.image[u] = self.elem[p]
            self.moved[self.shifted] = u
            self.shifted += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _keeps(self, u: cython.int) -> cython.bint:
        """Whether a vertex goes to one of its colour, its neighbours to that one's, and to its image another goes."""
        v: cython.int = self.image[u]
        q: cython.int
        self.work += 2 * (self.start[u + 1] - self.start[u])
        if (
            self.colour[u] != self.colour[v]
            or self.start[u + 1] - self.start[u] != self.start[v + 1] - self.start[v]
            or self.image[v] == v
        ):
            return False
        self.stamp += 1
        for q in range(self.start[v], self.start[v + 1]):
            self.seen[self.near[q]] = self.stamp
        for q in range(self.start[u], self.start[u + 1]):
            if self.seen[self.image[self.near[q]]] != self.stamp:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _forget(self) -> cython.void:
        """No vertex is moved."""
        k: cython.int
        for k in range(self.shifted):
            self.image[self.moved[k]] = self.moved[k]
        self.shifted = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _join(self) -> cython.void:
        """Join the orbits that the automorphism carries into each other."""
        k: cython.int
        a: cython.int
        b: cython.int
        for k in range(self.shifted):
            a = self._root(self.moved[k])
            b = self._root(self.image[self.moved[k]])
            if a == b:
                continue
            if self.size[a] < self.size[b]:
                a, b = b, a
            self.orbit[b] = a
            self.size[a] += self.size[b]
            if self.failed[b] == self.level:
                self.failed[a] = self.level

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _root(self, v: cython.int) -> cython.int:
        while self.orbit[v] != v:
            self.orbit[v] = self.orbit[self.orbit[v]]
            v = self.orbit[v]
        return v
