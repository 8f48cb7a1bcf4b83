"""Connections in the search with sides: a flood over the vertices where an option is taken or still open.

Each option of a connection belongs to vertices of its graph, and the vertices where an option is taken must hang
together. A vertex is *occupied* if an option there is taken. The flood begins at an occupied vertex. Open options at
vertices that it does not reach are left out; if one of those vertices is occupied, nothing can join it to the start,
and the node fails. A cut vertex without which the flood would miss an occupied vertex must itself be occupied: if only
one open option is left there, it is taken. All of this is found by one depth-first search, without recursion.

    connections     how many connections there are
    vertex_begin    connection c has the vertices vertex_begin[c] … vertex_begin[c + 1] - 1
    place_begin, place   vertex v has the options place[place_begin[v]] … place[place_begin[v + 1] - 1]
    near_begin, near     per vertex, its neighbours, numbered from the first vertex of the connection
    stands          per vertex, 0: all its options are out, 1: some are open and none is taken, 2: one is taken
    seen            per vertex, when the flood reached it, counted from 1; 0 if it did not
    early           per vertex, the least `seen` of the vertices next to it or to those reached through it
    above           per vertex, the one from which it was reached; -1 at the root
    under           per vertex, how many occupied vertices were reached through it, itself included
    next            per vertex, the place in `near` where the search goes on

A *forest* is held among the connections, at the end: its occupied vertices and the edges between them form no ring.
Then `above` leads, perhaps in several steps, to the vertex that stands for all that hang together with one, and `seen`
says beside which open vertex that was met last. An open vertex that touches two occupied ones of one piece stays empty.

    plain           how many of the connections are no forests; forests follow them

Source: cut vertices are found as in Hopcroft and Tarjan, "Algorithm 447: efficient algorithms for graph manipulation",
1973.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _zero_bytes, _zero_ints
    from cython.cimports.covr.engine.kernels.sides._sides_totals import TotalSides
    from cython.cimports.covr.engine.kernels.sides._sides_trail import OPEN, OUT, TAKEN
else:
    from covr.engine.kernels.header import SIDES_OPEN as OPEN
    from covr.engine.kernels.header import SIDES_OUT as OUT
    from covr.engine.kernels.header import SIDES_TAKEN as TAKEN
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _zero_bytes, _zero_ints

    TotalSides = load("_sides_totals", interpreted=True).TotalSides

COMPILED = cython.compiled


@cython.cclass
class ConnectionSides(TotalSides):
    """Options, items and totals, with the connections whose occupied vertices must hang together."""

    def __init__(self, problem, arrays):
        """The arguments are those of `Trail`."""
        super().__init__(problem, arrays)
        graphs = arrays.connections
        hold: list = self.hold
        vertices: cython.int = len(graphs.place_begin)
        self.connections = len(graphs.vertex_begin) - 1
        self.plain = self.connections - arrays.forests
        self.vertex_begin = _ints(graphs.vertex_begin, hold)
        self.place_begin = _ints(graphs.place_begin, hold)
        self.place = _ints(graphs.place, hold)
        self.near_begin = _ints(graphs.near_begin, hold)
        self.near = _ints(graphs.near, hold)
        self.stands = _zero_bytes(vertices, hold)
        self.seen = _zero_ints(vertices, hold)
        self.early = _zero_ints(vertices, hold)
        self.above = _zero_ints(vertices, hold)
        self.under = _zero_ints(vertices, hold)
        self.next = _zero_ints(vertices, hold)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look_at_vertices(self, c: cython.int) -> cython.int:
        """Set `stands` and clear `seen` for connection c. Returns its last occupied vertex; -1 if there is none."""
        v: cython.int
        q: cython.int
        root: cython.int = -1
        for v in range(self.vertex_begin[c], self.vertex_begin[c + 1]):
            self.stands[v] = 0
            self.seen[v] = 0
            for q in range(self.place_begin[v], self.place_begin[v + 1]):
                if self.mark[self.place[q]] == TAKEN:
                    self.stands[v] = 2
                    root = v
                    break
                if self.mark[self.place[q]] == OPEN:
                    self.stands[v] = 1
        return root

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _need_vertex(self, v: cython.int) -> cython.void:
        """A vertex must be occupied: if only one option is left there, take it; if none is left, the node fails."""
        q: cython.int
        last: cython.int = -1
        for q in range(self.place_begin[v], self.place_begin[v + 1]):
            if self.mark[self.place[q]] == TAKEN:
                return
            if self.mark[self.place[q]] == OPEN:
                if last >= 0:
                    return
                last = self.place[q]
        if last >= 0:
            self._set(last, TAKEN)
        else:
            self.failed = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _flood(self, c: cython.int, root: cython.int) -> cython.void:
        """Search in depth from the vertex `root`, and occupy the cut vertices on the way to occupied vertices."""
        base: cython.int = self.vertex_begin[c]
        v: cython.int = root
        w: cython.int
        time: cython.int = 1
        self.seen[v] = self.early[v] = time
        self.above[v] = -1
        self.under[v] = 1
        self.next[v] = self.near_begin[v]
        while v >= 0:
            if self.next[v] < self.near_begin[v + 1]:
                w = base + self.near[self.next[v]]
                self.next[v] += 1
                if self.stands[w] == 0:
                    continue
                if self.seen[w] != 0:
                    if self.seen[w] < self.early[v]:
                        self.early[v] = self.seen[w]
                    continue
                time += 1
                self.seen[w] = self.early[w] = time
                self.above[w] = v
                self.under[w] = 1 if self.stands[w] == 2 else 0
                self.next[w] = self.near_begin[w]
                v = w
                continue
            w = v
            v = self.above[w]
            if v < 0:
                return
            self.under[v] += self.under[w]
            if self.early[w] < self.early[v]:
                self.early[v] = self.early[w]
            if self.early[w] >= self.seen[v] and self.under[w] > 0 and self.stands[v] == 1:
                self._need_vertex(v)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _piece(self, v: cython.int) -> cython.int:
        """The vertex that stands for all occupied ones that hang together with this one."""
        while self.above[v] != v:
            self.above[v] = self.above[self.above[v]]
            v = self.above[v]
        return v

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hold_forest(self, c: cython.int) -> cython.bint:
        """Leave out what would close a ring. Returns False if a ring is closed. `stands` and `seen` are those of
        `_look_at_vertices`."""
        base: cython.int = self.vertex_begin[c]
        v: cython.int
        w: cython.int
        q: cython.int
        for v in range(base, self.vertex_begin[c + 1]):
            self.above[v] = v
        for v in range(base, self.vertex_begin[c + 1]):
            if self.stands[v] != 2:
                continue
            for q in range(self.near_begin[v], self.near_begin[v + 1]):
                w = base + self.near[q]
                if w < v and self.stands[w] == 2:
                    w = self._piece(w)
                    if w == self._piece(v):
                        return False
                    self.above[w] = self._piece(v)
        for v in range(base, self.vertex_begin[c + 1]):
            if self.stands[v] == 1 and self._closes(base, v):
                for q in range(self.place_begin[v], self.place_begin[v + 1]):
                    if self.mark[self.place[q]] == OPEN:
                        self._set(self.place[q], OUT)
        return not self.failed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _closes(self, base: cython.int, v: cython.int) -> cython.bint:
        """Whether a vertex touches two occupied ones that hang together."""
        w: cython.int
        q: cython.int
        for q in range(self.near_begin[v], self.near_begin[v + 1]):
            w = base + self.near[q]
            if self.stands[w] == 2:
                w = self._piece(w)
                if self.seen[w] == v + 1:
                    return True
                self.seen[w] = v + 1
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hold_connection(self, c: cython.int) -> cython.bint:
        """Work out what a connection forces. Returns False if its occupied vertices can no longer hang together."""
        v: cython.int
        q: cython.int
        root: cython.int = self._look_at_vertices(c)
        if root < 0:
            return True
        if c >= self.plain:
            return self._hold_forest(c)
        self._flood(c, root)
        for v in range(self.vertex_begin[c], self.vertex_begin[c + 1]):
            if self.stands[v] == 0 or self.seen[v] != 0:
                continue
            if self.stands[v] == 2:
                return False
            for q in range(self.place_begin[v], self.place_begin[v + 1]):
                if self.mark[self.place[q]] == OPEN:
                    self._set(self.place[q], OUT)
        return not self.failed
