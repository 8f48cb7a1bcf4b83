"""A partition of a coloured graph's vertices that is refined until neighbours no longer tell vertices of a cell apart.

An *ordered partition* of the vertices is refined until it is equitable: any two vertices of the same cell have equally
many neighbours in every cell. If cells of more than one vertex remain, a vertex of one of them is *individualised*,
that is, made a cell of its own, and the partition is refined again. The *first path* repeats this until every cell is a
single vertex (_automorphisms.py); later partitions are compared with those of the first path as they are refined.

    elem, spot          the vertices, cell by cell; per vertex, its position in `elem`
    cell, length        per vertex, the position where its cell begins; per such position, how long that cell is
    made, parent        the cells that were split off, in that order, and the cells that they were split from
    splits              how many cells are split off
    queue, waits        the cells whose neighbours are still to be counted; per cell, whether it is in the queue
    head, tail, queued  the queue is a ring: where it begins and ends, and how many cells are in it
    count, hit          per vertex, how many neighbours it has in the splitting cell; per cell, how many of its vertices
                        have any
    touched             the cells that have neighbours in the splitting cell
    trace               running hashes of the splits on the first path; a node whose hashes differ is given up at once
    hash, read          the running hash of the current refinement, and the next place in `trace`
    following           whether `trace` is compared rather than written
    leaf, stood         the last partition of the first path: the vertex at each position, the position of each vertex
    apart, strangers    per vertex, 1 if its cell has several vertices, but its position in the first path's last
                        partition is outside that cell; and the number of such vertices. When it is 0, all cells of
                        several vertices agree, and the mapping can be the identity there
    work                edges and vertices visited so far

A partition is undone by joining cells again, so a node costs no more than what it changes. Cells are split from their
right end, so that vertices without neighbours in the splitting cell need not be visited.

No two vertices of the same colour may be neighbours. _automorphisms.py names the sources.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _zero_ints, _zero_longs
    from cython.cimports.covr.engine.kernels.shared.sorting import sort, sort_by
else:
    from covr.engine.kernels.shared.arrays import _ints, _zero_ints, _zero_longs
    from covr.engine.kernels.shared.sorting import sort, sort_by

COMPILED = cython.compiled

PRIME = cython.declare(cython.longlong, 2147483647)  # the modulus of the hashes: 2³¹ - 1
FACTOR = cython.declare(cython.longlong, 1000003)  # multiplies a hash before the next number is added


@cython.cclass
class Partition:
    """An ordered partition of the vertices. The module describes its arrays."""

    def __init__(self, colours, start, near):
        """colours: per vertex, a number from 0.  start, near: the neighbours of v are near[start[v]:start[v + 1]], each
        once.  The partition by colours is refined at once, in time O(edges · log vertices)."""
        n: cython.int = len(colours)
        v: cython.int
        c: cython.int
        k: cython.int
        hold: list = []
        self.hold = hold
        self.n = n
        self.colour = _ints(colours, hold)
        self.start = _ints(start, hold)
        self.near = _ints(near, hold)
        self.spot = _zero_ints(n + 1, hold)
        self.cell = _zero_ints(n + 1, hold)
        self.length = _zero_ints(n + 1, hold)
        self.made = _zero_ints(n + 1, hold)
        self.parent = _zero_ints(n + 1, hold)
        self.queue = _zero_ints(n + 1, hold)
        self.waits = _zero_ints(n + 1, hold)
        self.count = _zero_ints(n + 1, hold)
        self.hit = _zero_ints(n + 1, hold)
        self.touched = _zero_ints(n + 1, hold)
        self.trace = _zero_longs(2 * n + 4, hold)
        self.leaf = _zero_ints(n + 1, hold)
        self.stood = _zero_ints(n + 1, hold)
        self.apart = _zero_ints(n + 1, hold)
        self.splits = self.head = self.tail = self.queued = self.strangers = 0
        self.work = self.hash = self.read = 0
        self.following = False
        self.elem = _ints(sorted(range(n), key=colours.__getitem__), hold)
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

    def spent(self):
        """How many edges and vertices were visited so far."""
        return self.work

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
    @cython.inline
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
    @cython.inline
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
            sort(self.touched, 0, cells)
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
    def _by_count(self, first: cython.int, end: cython.int) -> cython.void:
        """Sort the vertices at positions first … end - 1 by count, unless all counts are equal."""
        p: cython.int = first + 1
        x: cython.int = self.count[self.elem[first]]
        while p < end and self.count[self.elem[p]] == x:
            p += 1
        if p >= end:
            return
        sort_by(self.elem, self.count, first, end)
        for p in range(first, end):
            self.spot[self.elem[p]] = p

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
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _look(self, p: cython.int) -> cython.void:
        """Update `apart` for the vertex at a position, now and in the first path's last partition."""
        self._mind(self.elem[p])
        self._mind(self.leaf[p])

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _mind(self, v: cython.int) -> cython.void:
        c: cython.int = self.cell[v]
        now: cython.int = 1 if self.length[c] > 1 and self.cell[self.elem[self.stood[v]]] != c else 0
        self.strangers += now - self.apart[v]
        self.apart[v] = now
