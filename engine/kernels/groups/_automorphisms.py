"""The automorphisms of a coloured graph, by refinement of partitions with individualisation.

The *first path* individualises one vertex after another (_partition.py) until every cell is a single vertex; these
vertices are the *base*. Then, from the deepest level of the first path up, every vertex that might be an image of the
level's base vertex under an automorphism that fixes the base vertices above is individualised in its place. Below it a
tree is searched for a partition that was refined in the same way as on the first path. Such a partition gives an
automorphism that moves the base vertex to this image (_orbits.py). Two candidate images that the automorphisms found so
far carry into each other are not both tried. In the end, each base vertex's orbit under the automorphisms that fix the
base vertices above it is known, and the product of the sizes of these orbits is the order of the group.

    base, target        per level, the vertex that was individualised, and the cell that it was taken from
    broad, height, mark per level, how long that cell was, how many cells had been split off, and where in `trace` the
                        level begins
    last, below         per level, the vertex tried last, and how many cells had been split off before it was

Every automorphism is checked before it counts: even if hashes collide, none is wrong and none is missed. Work is the
number of edges and vertices visited, not a time.

Source: McKay, "Practical graph isomorphism" (1981); Darga, Liffiton, Sakallah and Markov (2004), "Exploiting structure
in symmetry detection for CNF", for stopping once cells of several vertices agree, which keeps searches in sparse graphs
shallow. We have neither canonical labelling nor the pruning of the tree by automorphisms of its nodes.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.groups._orbits import VertexOrbits
    from cython.cimports.covr.engine.kernels.shared.arrays import _zero_ints, _zero_longs
else:
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _zero_ints, _zero_longs

    VertexOrbits = load("_orbits", interpreted=True).VertexOrbits

COMPILED = cython.compiled

# The states of the search between two nodes.
FIRST = cython.declare(cython.int, 0)  # individualise the next vertex of the first path
NEXT = cython.declare(cython.int, 1)  # choose the next image of the level's base vertex
DEEPER = cython.declare(cython.int, 2)  # choose the next vertex at a node in the tree below an image
END = cython.declare(cython.int, 3)  # every level is finished


@cython.final
@cython.cclass
class AutomorphismKernel(VertexOrbits):
    """A search for automorphisms that pauses between calls of `run`. The module describes its arrays."""

    state: cython.int
    levels: cython.int  # levels of the first path
    level: cython.int  # the level whose base vertex is to be moved
    depth: cython.int  # the level of the current node
    scan: cython.int  # on the first path, no cell of several vertices begins before this position
    nodes: cython.longlong  # nodes searched for the current image
    most: cython.longlong  # the most nodes that are searched for one image
    whole: cython.bint  # whether no image had to be given up
    image_now: cython.int  # the image that is being tried
    mark: cython.p_longlong
    base: cython.p_int
    target: cython.p_int
    broad: cython.p_int
    height: cython.p_int
    last: cython.p_int
    below: cython.p_int
    factors: list
    found: list

    def __init__(self, colours, start, near, most: cython.longlong = 1 << 62):
        """colours, start, near: as for `Partition`.  most: how many nodes are searched for one image of one vertex
        before that image is given up."""
        super().__init__(colours, start, near)
        n: cython.int = self.n
        self.mark = _zero_longs(n + 2, self.hold)
        self.base = _zero_ints(n + 2, self.hold)
        self.target = _zero_ints(n + 2, self.hold)
        self.broad = _zero_ints(n + 2, self.hold)
        self.height = _zero_ints(n + 2, self.hold)
        self.last = _zero_ints(n + 2, self.hold)
        self.below = _zero_ints(n + 2, self.hold)
        self.most = most
        self.state = FIRST
        self.levels = self.level = self.depth = self.scan = 0
        self.nodes = 0
        self.whole = True
        self.image_now = -1
        self.factors = []
        self.found = []

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
            if self.strangers == 0 and self._maps(self.below[self.level]):
                self._join(self.level)
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
