# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef, has-type"
"""Circuits in the search with sides: one closed loop of what is taken.

An option of a circuit is a *line* between two *corners*. In turn, each only when the one before finds nothing:

- a corner has two taken lines or none: two leave out the rest, one needs another, and the last line without a taken one
  leads nowhere;
- taken lines make paths; a line that would close a path while there is another one is left out; once a loop is closed,
  all else is out;
- a loop lies in one *block* of the graph of all lines that are not out: lines of one block, and no others, lie on a
  common loop. Lines in other blocks than the taken ones are out, and a block of one line holds no loop.

    circuits        how many there are
    corner_begin    the corners of each, in all of them
    meet_begin, meet   per corner, the lines that meet there
    end_begin       the lines of each circuit
    line            per line, its option
    one, other      per line, its corners; they may be the same
    degree, choices per corner, how often taken lines meet it, and how many open lines do that join it to another
    mate            per corner where a path ends, its other end; else -1
    walked          how many lines the last walk along a path went along
    reached, lowest, from_end, onward   per corner, for the search in depth: when it was reached, from 1 (0: not yet),
                    the earliest corner that it or what came after it meets, the line it was reached by, the place in
                    `meet` where the search goes on; `clock` counts corners reached
    stack, height   lines whose block is not known yet
    block, size     per line, its block from 0 (-1: none); per block, its lines; `blocks` is how many there are

Source: Hopcroft and Tarjan, Algorithm 447, 1973, for blocks.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels._memory import _ints, _zero_ints  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._sides_connections import ConnectionSides  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels._memory import _ints, _zero_ints
    from covr.engine.kernels.loading import load

    ConnectionSides = load("_sides_connections", interpreted=True).ConnectionSides

COMPILED = cython.compiled

OPEN = cython.declare(cython.int, 0)
TAKEN = cython.declare(cython.int, 1)
OUT = cython.declare(cython.int, 2)


@cython.cclass
class CircuitSides(ConnectionSides):  # type: ignore[misc, unused-ignore]
    """Options, items, totals and connections, and what must form a loop."""

    def __init__(self, problem, arrays):
        """As of `Trail`."""
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
        """The other corner of a line."""
        return self.other[e] if self.one[e] == v else self.one[e]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _count_degrees(self, c: cython.int) -> cython.void:
        """Set `degree` and `choices`."""
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
        """Settle every corner. Returns False where one can be met neither twice nor never."""
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
        """Take or leave out what the degree of a corner forces."""
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
        """Go from a corner along a taken line and those that follow, to the end of the path or back to the line.

        Returns the last corner; `walked` is then the number of lines.
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
        """Leave out lines that would close a path while there is another; once a loop is closed, all else.

        Every corner has a degree of at most 2. Returns False where a loop is closed and something else is taken.
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
        """Number the blocks of what can be reached from a corner along lines that are not out."""
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
        """Leave out lines that lie on no loop with all that are taken. Returns False where the taken lie on none."""
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
        """Look at a circuit. Returns False where there can be no loop. Where something was decided, the circuit waits
        to be looked at again, and the rest is left for then."""
        length: cython.int = self.length
        if not self._look_at_degrees(c) or self.failed:
            return False
        if self.length > length:
            return True
        if not self._close_nothing_early(c):
            return False
        return self.length > length or self._keep_one_block(c)
