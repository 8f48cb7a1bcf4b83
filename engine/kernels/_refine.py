# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef"
# ruff: noqa: SIM110 (`all` of a generator needs the GIL)
"""The automorphisms of a coloured graph, by refinement of partitions with individualisation.

An *ordered partition* of the vertices is refined until it is equitable: any two vertices of the same cell have equally
many neighbours in every cell. If cells of more than one vertex remain, a vertex of one of them is *individualised*,
that is, made a cell of its own, and the partition is refined again. The *first path* repeats this until every cell is a
single vertex; the vertices that it individualised are the *base*.

Then, from the deepest level of the first path up, every vertex that might be an image of the level's base vertex under
an automorphism that fixes the base vertices above is individualised in its place. Below it a tree is searched for a
partition that was refined in the same way as on the first path. Such a partition gives an automorphism that moves the
base vertex to this image. Two candidate images that the automorphisms found so far carry into each other are not both
tried. In the end, each base vertex's orbit under the automorphisms that fix the base vertices above it is known, and
the product of the sizes of these orbits is the order of the group.

    elem, spot          the vertices, cell by cell; per vertex, its position in `elem`
    cell, length        per vertex, the position where its cell begins; per such position, how long that cell is
    made, parent        the cells that were split off, in that order, and the cells that they were split from
    queue, waits        the cells whose neighbours are still to be counted; per cell, whether it is in the queue
    count, hit          per vertex, how many neighbours it has in the splitting cell; per cell, how many of its vertices
                        have any
    trace               running hashes of the splits on the first path; a node whose hashes differ is given up at once
    base, target        per level, the vertex that was individualised, and the cell that it was taken from
    broad, height, mark per level, how long that cell was, how many cells had been split off, and where in `trace` the
                        level begins
    leaf, stood         the last partition of the first path: the vertex at each position, the position of each vertex
    apart, strangers    per vertex, 1 if its cell has several vertices, but its position in the first path's last
                        partition is outside that cell; and the number of such vertices. When it is 0, all cells of
                        several vertices agree, and the mapping can be the identity there
    orbit, size, failed a union-find forest of the orbits; per root, the size of the orbit, and the level at which it
                        was last found to hold no image of the base vertex

A partition is undone by joining cells again, so a node costs no more than what it changes. Cells are split from their
right end, so that vertices without neighbours in the splitting cell need not be visited. Every automorphism is checked,
edge by edge, before it counts: even if hashes collide, none is wrong and none is missed.

No two vertices of the same colour may be neighbours. Work is the number of edges and vertices visited, not a time.
Source: McKay, "Practical graph isomorphism" (1981); Darga, Liffiton, Sakallah and Markov (2004), "Exploiting structure
in symmetry detection for CNF", for stopping once cells of several vertices agree, which keeps searches in sparse graphs
shallow. We have neither canonical labelling nor the pruning of the tree by automorphisms of its nodes. Tried: taking
the smallest cell as the target instead of the first one; it scans all cells at each level, and saved no nodes on
matrices, whose items come first.
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

PRIME = cython.declare(cython.longlong, 2147483647)  # the modulus of the hashes: 2³¹ - 1
FACTOR = cython.declare(cython.longlong, 1000003)  # multiplies a hash before the next number is added

# The states of the search between two nodes.
FIRST = cython.declare(cython.int, 0)  # individualise the next vertex of the first path
NEXT = cython.declare(cython.int, 1)  # choose the next image of the level's base vertex
DEEPER = cython.declare(cython.int, 2)  # choose the next vertex at a node in the tree below an image
END = cython.declare(cython.int, 3)  # every level is finished


@cython.final
@cython.cclass
class Refine:
    """A search for automorphisms that pauses between calls of `run`. The module describes its arrays."""

    n: cython.int
    state: cython.int
    levels: cython.int  # levels of the first path
    level: cython.int  # the level whose base vertex is to be moved
    depth: cython.int  # the level of the current node
    splits: cython.int  # how many cells are split off
    scan: cython.int  # on the first path, no cell of several vertices begins before this position
    nodes: cython.longlong  # nodes searched for the current image
    most: cython.longlong  # the most nodes that are searched for one image
    work: cython.longlong  # edges and vertices visited so far
    hash: cython.longlong  # the running hash of the current refinement
    read: cython.longlong  # the next place in `trace`
    head: cython.int
    tail: cython.int
    queued: cython.int
    strangers: cython.int
    stamp: cython.longlong
    shifted: cython.int  # how many vertices the last automorphism moves; 0 once it has been stored
    whole: cython.bint  # whether no image had to be given up
    following: cython.bint  # whether `trace` is compared rather than written
    image_now: cython.int  # the image that is being tried
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
        """colours: per vertex, a number from 0.  start, near: the neighbours of v are near[start[v]:start[v + 1]], each
        once.  most: how many nodes are searched for one image of one vertex before that image is given up."""
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
        """Search until `work` more edges and vertices have been visited. Returns whether the search is finished."""
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
        """The automorphisms found, each as two lists: the vertices that it moves, and the image of each of them."""
        return list(self.found)

    def orbits(self):
        """For each finished level, from the deepest up: its base vertex and the size of that vertex's orbit."""
        return list(self.factors)

    def complete(self):
        """Whether the search is finished and the automorphisms found generate the whole group."""
        return self.state == END and self.whole

    def spent(self):
        """How many edges and vertices were visited so far."""
        return self.work

    def root(self, v: cython.int):
        """A vertex that stands for the orbit of v: the same one for every vertex of the orbit."""
        return self._root(v)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _search(self, end: cython.longlong) -> cython.void:
        """Go on until `work` reaches `end`, an automorphism was found, or the last level is finished."""
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
        """Add a level to the first path; at its end, remember the last partition."""
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
        """Try the next possible image of the level's base vertex; if there is none, go up."""
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
        """Try the next vertex at level `depth` of the tree below the image; if there is none, go up."""
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
            if self.last[j] == -2:  # the base vertex itself comes first, so that automorphisms move few vertices
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
        """Note that no automorphism was found that moves the base vertex into the orbit of this image."""
        self.failed[self._root(self.image_now)] = self.level
        self.state = NEXT

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _visit(self, v: cython.int) -> cython.void:
        """Individualise a vertex at level `depth` and refine; then record an automorphism, go deeper, or give up."""
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
        """Swap a vertex with the one at position e of its cell."""
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
        """Make the partition equitable. When `following`, returns False as soon as it differs from the first path."""
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
        """Split the cell at positions c … e - 1 by counts, 0 before a. Returns whether the first path did the same."""
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
        """Write a number to the trace, or return whether it equals the one already written there."""
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
        """Sort the first `size` cells of `touched` by position, with Shell's sort."""
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
        """Sort the vertices at positions first … end - 1 by count, with Shell's sort, unless all counts are equal."""
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
        """Join cells again until only `height` of the splits are left."""
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
        """Update `apart` for the vertex at a position, now and in the first path's last partition."""
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
        """Whether mapping the first path's vertices to the single vertices at the same positions is an automorphism."""
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
        """Map the first path's vertex at position p to the one there now, if that is a cell by itself."""
        u: cython.int = self.leaf[p]
        if self.length[p] == 1 and self.elem[p] != u and self.image[u] == u:
            self.image[u] = self.elem[p]
            self.moved[self.shifted] = u
            self.shifted += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _keeps(self, u: cython.int) -> cython.bint:
        """Whether u's image has the same colour, is moved too, and has as neighbours the images of u's neighbours."""
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
        """Reset `image` to the identity."""
        k: cython.int
        for k in range(self.shifted):
            self.image[self.moved[k]] = self.moved[k]
        self.shifted = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _join(self) -> cython.void:
        """Join the orbits that the last automorphism maps into each other."""
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
