"""The connections, forests, loops and areas of one clingo, which it calls while it searches (_graphs.h)."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.graphs._graphs import (
        covr_graphs_add,
        covr_graphs_demand,
        covr_graphs_free,
        covr_graphs_new,
        covr_graphs_record,
        covr_graphs_register,
        covr_graphs_terms,
    )
    from cython.cimports.covr.engine.kernels.shared.arrays import _longs, _new_words, _shared_ints

COMPILED = cython.compiled


@cython.cclass
class GraphSides:
    """Graphs on their way to clingo. It must live as long as the clingo that it is registered with."""

    def __cinit__(self):
        self.all = covr_graphs_new()
        if not self.all:
            raise MemoryError

    def __dealloc__(self):
        covr_graphs_free(self.all)

    def connection(self, literals, ends) -> None:
        """What is true hangs together. literals: an array of `i`: of each vertex, and of a condition, or 0.
        ends: an array of `i`: two different vertices for each edge."""
        self._add(0, len(literals) - 1, literals, ends, ends)

    def forest(self, literals, ends) -> None:
        """What is true has no ring. literals, ends: as of `connection`."""
        self._add(3, len(literals) - 1, literals, ends, ends)

    def circuit(self, vertices: cython.int, literals, ends) -> None:
        """What is true lies on one closed loop if it meets each vertex twice or not at all, which is to be said
        elsewhere. literals: an array of `i`: of each edge, and of a condition, or 0.  ends: two vertices of each edge.
        """
        self._add(1, vertices, literals, ends, ends)

    def areas(self, vertices: cython.int, literals, ends, doors) -> None:
        """What is true falls into areas. literals: an array of `i`: of each vertex, of what closes edges, of what
        weighs something, and of a condition, or 0.  ends: two vertices of each edge.  doors: an array of `i`: per edge,
        the place in `literals` of what closes it, or -1."""
        self._add(2, vertices, literals, ends, doors)

    def terms(self, begin, terms, weights) -> None:
        """What counts in the demands that come next on the areas that were added last. begin: per vertex and at the
        end, where its terms begin.  terms: places in `literals`; the term of the vertex itself has its place.
        begin, terms: arrays of `i`."""
        hold: list = []
        weighed: list = [*weights]
        if not covr_graphs_terms(self.all, _shared_ints(begin, hold), _shared_ints(terms, hold), _longs(weighed, hold)):
            raise MemoryError

    def demand(self, asks: cython.int, anchors, sums) -> None:
        """What sums of the last terms areas may have. asks: 0: each area; 1: those of the anchors together; 2: the
        same, if one of these is met.  anchors: an array of `i`.  sums: ranges."""
        hold: list = []
        numbers: list = [number for pair in sums for number in pair]
        count: cython.int = len(anchors)
        ranges: cython.int = len(sums)
        if not covr_graphs_demand(self.all, asks, count, _shared_ints(anchors, hold), ranges, _longs(numbers, hold)):
            raise MemoryError

    @cython.cfunc
    def _add(self, kind: cython.int, vertices: cython.int, literals, ends, doors):
        hold: list = []
        items: cython.int = len(literals) - 1
        edges: cython.int = len(ends) // 2
        if not covr_graphs_add(
            self.all,
            kind,
            vertices,
            items,
            _shared_ints(literals, hold),
            edges,
            _shared_ints(ends, hold),
            _shared_ints(doors, hold),
        ):
            raise MemoryError

    def register(self, addresses, control: cython.size_t) -> bool:
        """Have a clingo call the graphs, those too that are added before its next search. addresses: of its functions,
        in the order of `covr_clingo`.  control: its address. Returns whether clingo took it."""
        hold: list = []
        return bool(covr_graphs_register(self.all, _new_words(addresses, hold), control))

    def clauses(self, values) -> list:
        """The clauses that follow where items of the last graph, and its condition, are in (1), out (-1), or open (0).
        values: an array of `i`. Items were decided in the order of their numbers."""
        hold: list = []
        size: cython.int = covr_graphs_record(self.all, _shared_ints(values, hold))
        if size < 0:
            raise MemoryError
        found: list = []
        at: cython.int = 0
        while at < size:
            found.append(tuple([self.all.record[at + 1 + k] for k in range(self.all.record[at])]))
            at += 1 + self.all.record[at]
        return found
