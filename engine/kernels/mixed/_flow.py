"""Least cuts between two vertices of a graph with capacities, by augmenting along shortest paths.

Compiled because the cuts of connections and loops (minimum/sided_tree.py) ask for thousands of them: in Python they
were a sixth of the time of the cheapest roads that join seven corners of a grid, and are a twentieth of it now.

Source: Dinitz, "Algorithm for solution of a problem of maximum flow in networks with power estimation", 1970.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _reals, _zero_ints, _zero_reals
else:
    from covr.engine.kernels.shared.arrays import _ints, _reals, _zero_ints, _zero_reals

COMPILED = cython.compiled

TINY = cython.declare(cython.double, 1e-9)  # a capacity below this is none


@cython.final
@cython.cclass
class Flow:
    """A graph of arcs with capacities there and back. Vertices are numbered from 0; the arcs of line k are 2k and
    2k + 1, its way back."""

    hold: list
    vertices: cython.int
    arcs: cython.int
    first: cython.p_int  # per vertex, where its arcs begin in `out`
    out: cython.p_int  # the arcs that leave each vertex, in the order of the lines
    head: cython.p_int
    room: cython.p_double
    left: cython.p_double  # the capacities that the flow leaves
    level: cython.p_int  # per vertex, how many arcs it is from the source; -1 if it can't be reached
    at: cython.p_int  # per vertex, the next of its arcs to try
    path: cython.p_int
    queue: cython.p_int
    source: cython.int
    sink: cython.int

    def __init__(self, vertices, tails, heads, there, back):
        """tails, heads, there, back: of each line, its ends and its capacities. Linear time."""
        k: cython.int
        v: cython.int
        lines: cython.int = len(tails)
        self.hold = []
        self.vertices = vertices
        self.arcs = 2 * lines
        ends = [v for line in zip(heads, tails, strict=True) for v in line]
        self.head = _ints(ends, self.hold)
        self.room = _reals([room for line in zip(there, back, strict=True) for room in line], self.hold)
        self.left = _zero_reals(self.arcs, self.hold)
        self.first = _zero_ints(self.vertices + 1, self.hold)
        self.out = _zero_ints(self.arcs, self.hold)
        self.level = _zero_ints(self.vertices, self.hold)
        self.at = _zero_ints(self.vertices, self.hold)
        self.path = _zero_ints(self.vertices + 1, self.hold)
        self.queue = _zero_ints(self.vertices + 1, self.hold)
        self.source = self.sink = 0
        for k in range(self.arcs):
            self.first[self.head[k ^ 1] + 1] += 1
        for v in range(self.vertices):
            self.first[v + 1] += self.first[v]
            self.at[v] = self.first[v]
        for k in range(self.arcs):
            v = self.head[k ^ 1]
            self.out[self.at[v]] = k
            self.at[v] += 1

    def cut(self, source: cython.int, sink: cython.int, enough: cython.double):
        """The greatest flow, or any that is `enough`, and whether each vertex is on the source's side of the least
        cut. The capacities stay as they are. Time O(vertices² · arcs), and far less as a rule."""
        flow: cython.double = 0.0
        k: cython.int
        self.source = source
        self.sink = sink
        with cython.nogil:
            for k in range(self.arcs):
                self.left[k] = self.room[k]
            while True:
                self._find_levels()
                if self.level[sink] < 0 or flow >= enough:
                    break
                flow += self._push()
        return flow, [self.level[k] >= 0 for k in range(self.vertices)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _find_levels(self) -> cython.void:
        u: cython.int
        v: cython.int
        k: cython.int
        e: cython.int
        done: cython.int = 0
        met: cython.int = 1
        for v in range(self.vertices):
            self.level[v] = -1
        self.level[self.source] = 0
        self.queue[0] = self.source
        while done < met:
            u = self.queue[done]
            done += 1
            for e in range(self.first[u], self.first[u + 1]):
                k = self.out[e]
                v = self.head[k]
                if self.level[v] < 0 and self.left[k] > TINY:
                    self.level[v] = self.level[u] + 1
                    self.queue[met] = v
                    met += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _push(self) -> cython.double:
        """Push along shortest paths until there is none of this length; returns how much."""
        pushed: cython.double = 0.0
        least: cython.double
        u: cython.int = self.source
        v: cython.int
        k: cython.int = 0
        e: cython.int
        length: cython.int = 0
        for v in range(self.vertices):
            self.at[v] = self.first[v]
        while True:
            if u == self.sink:
                least = self.left[self.path[0]]
                for e in range(1, length):
                    if self.left[self.path[e]] < least:
                        least = self.left[self.path[e]]
                pushed += least
                for e in range(length):
                    k = self.path[e]
                    self.left[k] -= least
                    self.left[k ^ 1] += least
                length = 0
                u = self.source
                continue
            while self.at[u] < self.first[u + 1]:
                k = self.out[self.at[u]]
                if self.left[k] > TINY and self.level[self.head[k]] == self.level[u] + 1:
                    break
                self.at[u] += 1
            if self.at[u] < self.first[u + 1]:
                self.path[length] = k
                length += 1
                u = self.head[k]
            elif length == 0:
                return pushed
            else:
                length -= 1
                u = self.head[self.path[length] ^ 1]
                self.at[u] += 1
