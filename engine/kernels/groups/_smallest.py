"""Whether a set of points is the smallest of its images under a group that is far too large to be listed.

Sets are compared as increasing lists. Let x[0] < x[1] < … be the set's points, and G(j) the group that fixes the first
j of them; each G(j) is a chain of its own (_chain.py), kept on a stack, so that the next set, which mostly begins with
the same points, needs only a few new ones. An image that contains the first j points can be made smaller if one of its
other points lies in an orbit of G(j) whose least point is less than x[j]. If that least point is x[j], a member of G(j)
carries it there, and the image now contains j + 1 points. So a tree of images is searched, whose branches at depth j
are the points of the image that G(j) can carry to x[j].

The set itself is an image in this tree; the path to it is searched from its end up. An image that turns out to be the
set again is an automorphism of the set. It ends the search of its branch, and of two points that automorphisms carry
into each other only one is tried. So where there are many equal images, few are looked at; and in the end the product
of the sizes of these orbits is the number of members that carry the set to itself.

    own                 the set's points x[0 … size - 1]; `place` per point, its position in the set
    now, came           per depth, an image of the set: its points from this depth on, and where each came from
    root, count, failed a union-find forest of the positions; per root, how many it has, and the last depth at which no
                        automorphism was found that carries them to the depth's position; from `size` on, the sizes
                        of the orbits
    level               the depth from which a branch is searched
    branches, end       how many branches were searched so far, and how many may be
    at, which           where an image was found to be smaller: its depth, and the point that can be carried too low

Source: Linton, "Finding the smallest image of a set" (2004); the use of automorphisms as in McKay (1981) and in the
orbits of _automorphisms.py. Without it, a set of 4 weeks of nine golfers in threes took 1296 times as many branches.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.groups._chain import Chain
    from cython.cimports.covr.engine.kernels.shared.arrays import _zero_ints
    from cython.cimports.covr.engine.kernels.shared.sorting import sort
else:
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _zero_ints
    from covr.engine.kernels.shared.sorting import sort

    Chain = load("_chain", interpreted=True).Chain

COMPILED = cython.compiled

LARGER = cython.declare(cython.int, 0)  # every image in a branch is larger than the set
EQUAL = cython.declare(cython.int, 1)  # an image is the set: an automorphism
SMALLER = cython.declare(cython.int, 2)  # an image is smaller


@cython.final
@cython.cclass
class Smallest:
    """Compares sets of points with their images. The module describes its arrays."""

    n: cython.int
    most: cython.int
    size: cython.int
    depth: cython.int
    branches: cython.longlong
    end: cython.longlong
    own: cython.p_int
    place: cython.p_int
    now: cython.p_int
    came: cython.p_int
    root: cython.p_int
    count: cython.p_int
    failed: cython.p_int
    at: cython.int
    which: cython.int
    level: cython.int
    chains: list
    path: list
    hold: list
    hold_size: list

    def __init__(self, n: cython.int, chain):
        """chain: a complete one (`Chain`), whose `minima` are worked out."""
        self.n = n
        self.chains = [chain]
        self.path = []
        self.hold = []
        self.hold_size = []
        self.most = -1
        self.size = self.depth = 0
        self.branches = 0
        self.end = 1 << 62
        self.at = self.which = self.level = -1
        self.place = _zero_ints(n, self.hold)

    def work(self):
        """How many branches were searched so far."""
        return self.branches

    def follow(self, points):
        """Fill the stack with the chains that fix the first points, each besides those before, until one is trivial.
        Returns how many were made."""
        self._begin(points)
        made: cython.int = 0
        while self.depth < self.size and self._order(self.depth) > 1:
            made += 1 if self._deepen() else 0
        return made

    def top(self):
        """The last chain of the stack."""
        return self.chains[self.depth]

    def is_smallest(self, points, most: cython.longlong = 1 << 62):
        """Whether no image of a set is smaller than the set. points: increasing.  most: after this many branches True
        is returned in any case."""
        self.end = self.branches + most
        found: cython.bint = self._search(points) != SMALLER
        self.end = 1 << 62
        return found

    def smaller(self, points):
        """An image of a set that is smaller, increasing; None if there is none. points: increasing."""
        m: cython.int
        chain: Chain
        if self._search(points) != SMALLER:
            return None
        image = [self.own[k] for k in range(self.at)]
        left = [self.now[self.at * self.size + k] for k in range(self.at, self.size)]
        if self.which >= 0:
            chain = self.chains[self.at]
            m = chain.low[self.which]
            chain.aim(m)
            left = chain.carried(left, self.which)
        return sorted(image + left)

    def kept(self, points):
        """How many members of the group carry a set to itself; 0 if the set is not the smallest of its images. points:
        increasing."""
        j: cython.int
        if self._search(points) == SMALLER:
            return 0
        order = self._order(self.depth)
        for j in range(self.depth):
            order *= self.failed[self.size + j]
        return order

    # --- steps ---

    def _order(self, depth: cython.int):
        chain: Chain = self.chains[depth]
        return chain.order() if chain.count > 0 else 1

    @cython.cfunc
    def _begin(self, points) -> cython.void:
        """Take over a set, and drop the chains that fix other points."""
        k: cython.int = 0
        size: cython.int = len(points)
        if size > self.most:
            self.hold_size = []
            self.own = _zero_ints(size, self.hold_size)
            self.now = _zero_ints((size + 1) * (size + 1), self.hold_size)
            self.came = _zero_ints((size + 1) * (size + 1), self.hold_size)
            self.root = _zero_ints(size, self.hold_size)
            self.count = _zero_ints(size, self.hold_size)
            self.failed = _zero_ints(2 * size, self.hold_size)
            self.most = size
        self.size = size
        for k in range(size):
            self.own[k] = points[k]
            self.place[self.own[k]] = k
        k = 0
        while k < len(self.path) and k < size and self.path[k] == self.own[k]:
            k += 1
        del self.path[k:]
        del self.chains[k + 1 :]
        self.depth = k

    @cython.cfunc
    def _deepen(self) -> cython.bint:
        """Add to the stack the chain that fixes the next point as well. Returns True."""
        chain: Chain = self.chains[self.depth]
        point: cython.int = self.own[self.depth]
        child: Chain = chain.stabiliser(point)
        child.minima()
        self.chains.append(child)
        self.path.append(point)
        self.depth += 1
        return True

    @cython.cfunc
    def _search(self, points) -> cython.int:
        """Compare a set with its images: LARGER if there is none other, EQUAL likewise, or SMALLER; then `at` and
        `which` tell where that was found."""
        j: cython.int
        k: cython.int
        r: cython.int
        found: cython.int
        chain: Chain
        self._begin(points)
        # Whether the set itself can be made smaller at once, at any depth. The stack grows only as far as needed.
        depth: cython.int = self.depth
        self.depth = 0
        while True:
            j = self.depth
            chain = self.chains[j]
            for k in range(j, self.size):
                if chain.low[self.own[k]] < self.own[j]:
                    self._rest(j)
                    self.which = self.own[k]
                    return SMALLER
            if j == self.size or chain.count == 0:
                break
            if j < depth:
                self.depth += 1
            else:
                self._deepen()
        for k in range(self.size):
            self.root[k] = k
            self.count[k] = 1
            self.failed[k] = -1
        for j in range(self.depth - 1, -1, -1):
            self.level = j
            chain = self.chains[j]
            chain.aim(self.own[j])
            for k in range(j + 1, self.size):
                if chain.low[self.own[k]] != self.own[j]:
                    continue
                r = self._find(k)
                if r == self._find(j) or self.failed[r] == j:
                    continue
                self._rest(j)
                found = self._branch(j, k)
                if found == SMALLER:
                    return SMALLER
                if found == LARGER:
                    self.failed[self._find(k)] = j
            self.failed[self.size + j] = self.count[self._find(j)]
        return EQUAL

    @cython.cfunc
    def _rest(self, j: cython.int) -> cython.void:
        """Write the set itself as the image at a depth."""
        k: cython.int
        here: cython.int = j * self.size
        for k in range(self.size):
            self.now[here + k] = self.own[k]
            self.came[here + k] = k
        self.at = j
        self.which = -1

    @cython.cfunc
    def _branch(self, j: cython.int, k: cython.int) -> cython.int:
        """Search the images that come from that at depth j when its k-th point is carried to the set's j-th."""
        chain: Chain = self.chains[j]
        here: cython.int = j * self.size
        there: cython.int = here + self.size
        i: cython.int
        point: cython.int = self.now[here + k]
        if self.branches >= self.end:
            return LARGER
        self.branches += 1
        for i in range(self.size):
            self.now[there + i] = self.now[here + i]
            self.came[there + i] = self.came[here + i]
        i = self.came[there + k]
        self.now[there + k] = self.now[there + j]
        self.came[there + k] = self.came[there + j]
        self.came[there + j] = i
        chain._carry(self.now, there + j + 1, there + self.size, point)
        self.now[there + j] = self.own[j]
        j += 1
        if j == self.depth:
            return self._end(j)
        chain = self.chains[j]
        for i in range(j, self.size):
            point = self.now[there + i]
            if chain.low[point] < self.own[j]:
                self.at = j
                self.which = point
                return SMALLER
        for i in range(j, self.size):
            if chain.low[self.now[there + i]] == self.own[j]:
                k = self._branch(j, i)
                if k != LARGER:
                    return k
        return LARGER

    @cython.cfunc
    def _end(self, j: cython.int) -> cython.int:
        """Compare an image that no member can change any more with the set."""
        here: cython.int = j * self.size
        i: cython.int
        a: cython.int
        b: cython.int
        c: cython.int
        same: cython.bint = True
        for i in range(j, self.size):
            c = self.now[here + i]
            if self.place[c] >= self.size or self.own[self.place[c]] != c:
                same = False
                break
        if same:
            for i in range(self.size):
                a = self._find(self.came[here + i])
                b = self._find(self.place[self.now[here + i]])
                if a == b:
                    continue
                if self.count[a] < self.count[b]:
                    c = a
                    a = b
                    b = c
                self.root[b] = a
                self.count[a] += self.count[b]
                if self.failed[b] == self.level:
                    self.failed[a] = self.level
            return EQUAL
        sort(self.now, here + j, here + self.size)
        for i in range(j, self.size):
            if self.now[here + i] != self.own[i]:
                if self.now[here + i] < self.own[i]:
                    self.at = j
                    self.which = -1
                    return SMALLER
                return LARGER
        return LARGER

    @cython.cfunc
    def _find(self, k: cython.int) -> cython.int:
        while self.root[k] != k:
            self.root[k] = self.root[self.root[k]]
            k = self.root[k]
        return k
