"""Circuits in the search with sides: the taken lines of a circuit must form one closed loop.

An option of a circuit is a *line* between two *corners*. Three checks are made in this order, each only if the one
before it decides nothing:

- A corner has two taken lines or none. Once two are taken, its other lines are left out; if one is taken, it needs
  another; and if none is taken and only one line is open, that line is a dead end and is left out.
- Taken lines form paths. A line that would join the two ends of a path while other paths exist is left out. Once a
  loop is closed, all other lines are left out.
- A loop lies within one *block* (biconnected component) of the graph of all lines that are not out: two lines lie on a
  common loop exactly if they are in the same block. So lines outside the block of the taken ones are left out, and so
  are blocks of a single line, which contain no loop.

    circuits        how many circuits there are
    corner_begin    circuit c has the corners corner_begin[c] … corner_begin[c + 1] - 1
    meet_begin, meet   corner v is met by the lines meet[meet_begin[v]] … meet[meet_begin[v + 1] - 1]
    end_begin       circuit c has the lines end_begin[c] … end_begin[c + 1] - 1
    line            per line, its option
    one, other      per line, its two corners, which may be the same
    degree          per corner, how many ends of taken lines meet there
    choices         per corner, how many open lines join it to another corner
    mate            per corner where a path of taken lines ends, the other end of the path; else -1
    walked          how many lines the last walk along a path passed
    reached         per corner, when the depth-first search reached it, counted from 1 by `clock`; 0 if not yet
    lowest          per corner, the least `reached` of the corners next to it or to those reached through it
    from_end        per corner, the line by which it was reached; -1 at the root
    onward          per corner, the place in `meet` where the search goes on
    stack, height   the lines whose block is not known yet, and how many
    block           per line, the number of its block, from 0; -1 if it has none
    size, blocks    per block, how many lines it has; how many blocks there are

Source: blocks are found as in Hopcroft and Tarjan, "Algorithm 447: efficient algorithms for graph manipulation", 1973.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _zero_ints
    from cython.cimports.covr.engine.kernels.sides._sides_connections import ConnectionSides
    from cython.cimports.covr.engine.kernels.sides._sides_trail import OPEN, OUT, TAKEN
else:
    from covr.engine.kernels.header import SIDES_OPEN as OPEN
    from covr.engine.kernels.header import SIDES_OUT as OUT
    from covr.engine.kernels.header import SIDES_TAKEN as TAKEN
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _zero_ints

    ConnectionSides = load("_sides_connections", interpreted=True).ConnectionSides

COMPILED = cython.compiled


@cython.cclass
class CircuitSides(ConnectionSides):
    """Options, items, totals and connections, with the circuits whose taken lines must form a loop."""

    def __init__(self, problem, arrays):
        """The arguments are those of `Trail`."""
        super().__init__(problem, arrays)
        graphs = arrays.circuits
        hold: list = self.hold
        corners: cython.int = len(graphs.place_begin)
        lines: cython.int = len(graphs.option) + 1
        c: cython.int
        ones: list = []
        others: list = []
        self.circuits = len(graphs.vertex_begin) - 1
        for c in range(self.circuits):
            first = graphs.vertex_begin[c]
            for e in range(graphs.end_begin[c], graphs.end_begin[c + 1]):
                ones.append(first + graphs.u[e])
                others.append(first + graphs.v[e])
        self.corner_begin = _ints(graphs.vertex_begin, hold)
        self.meet_begin = _ints(graphs.place_begin, hold)
        self.meet = _ints(graphs.place, hold)
        self.end_begin = _ints(graphs.end_begin, hold)
        self.line = _ints(graphs.option, hold)
        self.one = _ints(ones, hold)
        self.other = _ints(others, hold)
        self.degree = _zero_ints(corners, hold)
        self.choices = _zero_ints(corners, hold)
        self.mate = _zero_ints(corners, hold)
        self.reached = _zero_ints(corners, hold)
        self.lowest = _zero_ints(corners, hold)
        self.from_end = _zero_ints(corners, hold)
        self.onward = _zero_ints(corners, hold)
        self.stack = _zero_ints(lines, hold)
        self.block = _zero_ints(lines, hold)
        self.size = _zero_ints(lines, hold)
        self.height = self.clock = self.blocks = self.walked = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _far(self, e: cython.int, v: cython.int) -> cython.int:
        """The corner of line e that is not v; v itself if both are."""
        return self.other[e] if self.one[e] == v else self.one[e]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _count_degrees(self, c: cython.int) -> cython.void:
        """Set `degree` and `choices` for the corners of circuit c."""
        v: cython.int
        e: cython.int
        for v in range(self.corner_begin[c], self.corner_begin[c + 1]):
            self.degree[v] = 0
            self.choices[v] = 0
        for e in range(self.end_begin[c], self.end_begin[c + 1]):
            if self.mark[self.line[e]] == TAKEN:
                self.degree[self.one[e]] += 1
                self.degree[self.other[e]] += 1
            elif self.mark[self.line[e]] == OPEN and self.one[e] != self.other[e]:
                self.choices[self.one[e]] += 1
                self.choices[self.other[e]] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look_at_degrees(self, c: cython.int) -> cython.bint:
        """Decide what the corners' degrees force. Returns False if a corner can have neither two lines nor none."""
        v: cython.int
        self._count_degrees(c)
        for v in range(self.corner_begin[c], self.corner_begin[c + 1]):
            if self.degree[v] > 2 or (self.degree[v] == 1 and self.choices[v] == 0):
                return False
            if not self._settle_corner(v):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _settle_corner(self, v: cython.int) -> cython.bint:
        """Take or leave out the lines of a corner as its degree forces. Returns False on a contradiction."""
        q: cython.int
        e: cython.int
        o: cython.int
        degree: cython.int = self.degree[v]
        lone: cython.bint = self.choices[v] == 1
        if degree == 0 and not lone:
            return True
        for q in range(self.meet_begin[v], self.meet_begin[v + 1]):
            e = self.meet[q]
            o = self.line[e]
            if self.mark[o] != OPEN:
                continue
            if self.one[e] == self.other[e]:
                if degree > 0:
                    self._set(o, OUT)
            elif degree == 2 or (degree == 0 and lone):
                self._set(o, OUT)
            elif lone:
                self._set(o, TAKEN)
        return not self.failed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _walk(self, v: cython.int, e: cython.int) -> cython.int:
        """Walk from corner v along the taken line e and the taken lines after it, to the end of the path or, on a loop,
        back to line e.

        Returns the last corner; `walked` is then the number of lines passed.
        """
        q: cython.int
        begun: cython.int = e
        following: cython.int
        self.walked = 0
        while True:
            self.walked += 1
            v = self._far(e, v)
            following = -1
            for q in range(self.meet_begin[v], self.meet_begin[v + 1]):
                if self.meet[q] != e and self.mark[self.line[self.meet[q]]] == TAKEN:
                    following = self.meet[q]
                    break
            if following < 0 or following == begun:
                return v
            e = following

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _close_nothing_early(self, c: cython.int) -> cython.bint:
        """Leave out lines that would close a path while other paths exist; once a loop is closed, leave out the rest.

        Every corner must have a degree of at most 2. Returns False if a loop is closed and a line outside it is taken.
        """
        v: cython.int
        e: cython.int
        q: cython.int
        taken: cython.int = 0
        along: cython.int = 0
        paths: cython.int = 0
        some: cython.int = -1
        for e in range(self.end_begin[c], self.end_begin[c + 1]):
            if self.mark[self.line[e]] == TAKEN:
                taken += 1
                some = e
        for v in range(self.corner_begin[c], self.corner_begin[c + 1]):
            self.mate[v] = -1
        for v in range(self.corner_begin[c], self.corner_begin[c + 1]):
            if self.degree[v] != 1 or self.mate[v] >= 0:
                continue
            for q in range(self.meet_begin[v], self.meet_begin[v + 1]):
                if self.mark[self.line[self.meet[q]]] == TAKEN:
                    self.mate[v] = self._walk(v, self.meet[q])
                    self.mate[self.mate[v]] = v
                    break
            along += self.walked
            paths += 1
        if along < taken:
            if paths > 0:
                return False
            self._walk(self.one[some], some)
            if self.walked < taken:
                return False
            for e in range(self.end_begin[c], self.end_begin[c + 1]):
                if self.mark[self.line[e]] == OPEN:
                    self._set(self.line[e], OUT)
        elif paths > 1:
            for e in range(self.end_begin[c], self.end_begin[c + 1]):
                if self.mark[self.line[e]] == OPEN and self.mate[self.one[e]] == self.other[e]:
                    self._set(self.line[e], OUT)
        return not self.failed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _search_blocks(self, root: cython.int) -> cython.void:
        """Find and number the blocks of everything that can be reached from a corner along lines that are not out."""
        v: cython.int = root
        w: cython.int
        e: cython.int
        self.clock += 1
        self.reached[v] = self.lowest[v] = self.clock
        self.from_end[v] = -1
        self.onward[v] = self.meet_begin[v]
        while True:
            if self.onward[v] < self.meet_begin[v + 1]:
                e = self.meet[self.onward[v]]
                self.onward[v] += 1
                w = self._far(e, v)
                if self.mark[self.line[e]] == OUT or e == self.from_end[v] or w == v:
                    continue
                if self.reached[w] == 0:
                    self.stack[self.height] = e
                    self.height += 1
                    self.clock += 1
                    self.reached[w] = self.lowest[w] = self.clock
                    self.from_end[w] = e
                    self.onward[w] = self.meet_begin[w]
                    v = w
                elif self.reached[w] < self.reached[v]:
                    self.stack[self.height] = e
                    self.height += 1
                    if self.reached[w] < self.lowest[v]:
                        self.lowest[v] = self.reached[w]
                continue
            e = self.from_end[v]
            if e < 0:
                return
            w = self._far(e, v)
            if self.lowest[v] < self.lowest[w]:
                self.lowest[w] = self.lowest[v]
            if self.lowest[v] >= self.reached[w]:
                self.size[self.blocks] = 0
                while True:
                    self.height -= 1
                    self.block[self.stack[self.height]] = self.blocks
                    self.size[self.blocks] += 1
                    if self.stack[self.height] == e:
                        break
                self.blocks += 1
            v = w

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _keep_one_block(self, c: cython.int) -> cython.bint:
        """Leave out lines outside a taken line's block and blocks without a loop. Returns False if no line is left."""
        v: cython.int
        e: cython.int
        o: cython.int
        own: cython.int = -1
        some: cython.int = -1
        left: cython.int = 0
        self.clock = self.blocks = self.height = 0
        for v in range(self.corner_begin[c], self.corner_begin[c + 1]):
            self.reached[v] = 0
        for e in range(self.end_begin[c], self.end_begin[c + 1]):
            self.block[e] = -1
            if self.mark[self.line[e]] == TAKEN:
                some = e
        if some >= 0:
            self._search_blocks(self.one[some])
            own = self.block[some]
            if own >= 0 and self.size[own] == 1:
                return False
        else:
            for v in range(self.corner_begin[c], self.corner_begin[c + 1]):
                if self.reached[v] == 0:
                    self._search_blocks(v)
        for e in range(self.end_begin[c], self.end_begin[c + 1]):
            o = self.line[e]
            if self.mark[o] == OUT:
                continue
            if some >= 0:
                if e != some and (self.block[e] != own or self.one[e] == self.other[e]):
                    self._set(o, OUT)
            elif self.block[e] >= 0 and self.size[self.block[e]] == 1:
                self._set(o, OUT)
            if self.mark[o] != OUT:
                left += 1
        return left > 0 and not self.failed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hold_circuit(self, c: cython.int) -> cython.bint:
        """Make the checks of a circuit. Returns False if no loop is possible.

        As soon as a check decides an option, the circuit is queued again and the later checks wait until then.
        """
        length: cython.int = self.length
        if not self._look_at_degrees(c) or self.failed:
            return False
        if self.length > length:
            return True
        if not self._close_nothing_early(c):
            return False
        return self.length > length or self._keep_one_block(c)
