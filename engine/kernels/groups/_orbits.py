# ruff: noqa: SIM110 (`all` of a generator needs the GIL)
"""The automorphisms that a partition gives, and the orbits of the vertices under those found so far.

A partition that was refined in the same way as on the first path (_partition.py) maps the vertex at each position of
the first path's last partition to the vertex that is there now. This mapping is checked, edge by edge, before it
counts: even if hashes collide, no automorphism is wrong.

    image               per vertex, what the current mapping maps it to
    moved, shifted      the vertices that the mapping moves, and how many they are; 0 once it has been stored
    seen, stamp         per vertex, the last `stamp` at which it was a neighbour of an image
    orbit, size, failed a union-find forest of the orbits; per root, the size of the orbit, and the level at which it
                        was last found to hold no image of the base vertex
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.groups._partition import Partition
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _zero_ints, _zero_longs
else:
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _zero_ints, _zero_longs

    Partition = load("_partition", interpreted=True).Partition

COMPILED = cython.compiled


@cython.cclass
class VertexOrbits(Partition):
    """A partition, the mapping that it gives, and the orbits of the vertices."""

    def __init__(self, colours, start, near):
        """The arguments are those of `Partition`."""
        super().__init__(colours, start, near)
        n: cython.int = self.n
        self.orbit = _ints(range(n), self.hold)
        self.size = _ints([1] * n, self.hold)
        self.failed = _ints([-1] * n, self.hold)
        self.image = _ints(range(n), self.hold)
        self.moved = _zero_ints(n + 1, self.hold)
        self.seen = _zero_longs(n + 1, self.hold)
        self.stamp = self.shifted = 0

    def root(self, v: cython.int):
        """A vertex that stands for the orbit of v: the same one for every vertex of the orbit."""
        return self._root(v)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _maps(self, since: cython.int) -> cython.bint:
        """Whether mapping the first path's vertices to the single vertices at the same positions is an automorphism.

        since: only cells split off since there were this many splits can differ from the first path.
        """
        k: cython.int
        for k in range(since, self.splits):
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
    def _join(self, level: cython.int) -> cython.void:
        """Join the orbits that the automorphism just found maps into each other. level: where it was found."""
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
            if self.failed[b] == level:
                self.failed[a] = level

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _root(self, v: cython.int) -> cython.int:
        while self.orbit[v] != v:
            self.orbit[v] = self.orbit[self.orbit[v]]
            v = self.orbit[v]
        return v
