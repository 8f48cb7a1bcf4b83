"""Looks which totals share out the options of items (outside/clingo_shares.py), in a few steps for each option.

In Python this took longer than all else before the search of a numberlink.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _zero_bytes, _zero_ints
else:
    from covr.engine.kernels.shared.arrays import _ints, _zero_bytes, _zero_ints

COMPILED = cython.compiled


def all_or_none(totals: list) -> list:
    """The totals that have so many of their options, or none: (the number of these, from 0, how many options, the
    total, its options)."""
    found: list = []
    terms: tuple
    options: list
    for total in totals:
        sums = total.sums
        if len(sums) != 2 or sums[0] != (0, 0):
            continue
        low, high = sums[1]
        terms = total.terms
        if low != high or not terms:
            continue
        options = [o for o, c in terms if c == 1]
        if len(options) == len(terms):
            found.append((len(found), low, total, tuple(options)))
    return found


@cython.cclass
class Sharing:
    """The options of a problem, and the shares that were found among them."""

    hold: list
    shares: list
    starts: cython.p_int
    members: cython.p_int
    first: cython.p_int
    held: cython.p_int
    dead: cython.p_schar
    seen: cython.p_int
    own: cython.p_int
    standing: cython.p_int
    met: cython.p_int
    vertices: cython.int
    options: cython.int
    stamp: cython.int
    round: cython.int

    def __init__(self, starts, members, shares: list, dead, options: cython.int) -> None:
        """starts, members: of the problem.  shares: as of `all_or_none`.  dead: options that no answer takes."""
        k: cython.Py_ssize_t
        self.hold = []
        self.shares = shares
        self.options = options
        self.starts = _ints(starts, self.hold)
        self.members = _ints(members, self.hold)
        size: cython.Py_ssize_t = 0
        for share in shares:
            size += len(share[3])
        self.first = _zero_ints(len(shares) + 1, self.hold)
        self.held = _zero_ints(size, self.hold)
        self.dead = _zero_bytes(options, self.hold)
        self.seen = _zero_ints(options, self.hold)
        self.own = _zero_ints(options, self.hold)
        self.vertices = 0
        self.stamp = self.round = 0
        size = 0
        for k in range(len(shares)):
            for o in shares[k][3]:
                self.held[size] = o
                size += 1
            self.first[k + 1] = size
        for o in dead:
            self.dead[o] = 1

    def within(self, fewest: cython.int, length) -> dict:
        """Per item, the numbers of the shares all of whose options hold it, if it has more options than each of them.
        fewest: items with fewer options are left out.  length: per item, how many options it has."""
        found: dict = {}
        k: cython.Py_ssize_t
        p: cython.int
        i: cython.int
        o: cython.int
        lengths: cython.p_int = _ints(length, self.hold)
        for k in range(len(self.shares)):
            o = self.held[self.first[k]]
            for p in range(self.starts[o], self.starts[o + 1]):
                i = self.members[p]
                if lengths[i] >= fewest and lengths[i] > self.first[k + 1] - self.first[k] and self._all_hold(k, i):
                    found.setdefault(i, []).append(k)
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def _all_hold(self, k: cython.Py_ssize_t, i: cython.int) -> cython.bint:
        """Whether all options of a share hold an item."""
        at: cython.int
        p: cython.int
        o: cython.int
        for at in range(self.first[k] + 1, self.first[k + 1]):
            o = self.held[at]
            for p in range(self.starts[o], self.starts[o + 1]):
                if self.members[p] == i:
                    break
            else:
                return False
        return True

    def part(self, shares: list, live: list) -> bool:
        """Whether these shares are disjoint, and hold all these options and no others but dead ones. live: without
        dead ones, each once."""
        at: cython.int
        o: cython.int
        count: cython.Py_ssize_t = 0
        self.stamp += 2
        for o in live:
            self.seen[o] = self.stamp - 1
        for k in shares:
            for at in range(self.first[k], self.first[k + 1]):
                o = self.held[at]
                if self.dead[o]:
                    continue
                if self.seen[o] != self.stamp - 1:
                    return False
                self.seen[o] = self.stamp
                count += 1
        return bool(count == len(live))

    def stand(self, places, vertices: cython.int) -> None:
        """Look at a connection. places: (option, vertex) for each option that stands at a vertex.  vertices: more than
        the number of each."""
        o: cython.int
        v: cython.int
        if vertices > self.vertices:
            self.vertices = 2 * vertices
            self.standing = _zero_ints(self.vertices, self.hold)
            self.met = _zero_ints(self.vertices, self.hold)
        for o, v in places:
            if self.own[o] == v + 1:
                continue
            self.own[o] = v + 1 if self.own[o] == 0 else -1
            if not self.dead[o]:
                self.standing[v] += 1

    def leave(self, places) -> None:
        """Look at that connection no more."""
        for o, v in places:
            self.own[o] = 0
            self.standing[v] = 0

    def places(self, shares: list, live: list) -> list | None:
        """The vertices of the connection at which these options stand, one option at one vertex and no others, and of
        each share no two at the same; increasing. None if it is not so."""
        at: cython.int
        o: cython.int
        v: cython.int
        found: list = []
        count: cython.Py_ssize_t = 0
        self.round += 1
        for o in live:
            if self.own[o] <= 0:
                return None
            v = self.own[o] - 1
            if self.met[v] != self.round:
                self.met[v] = self.round
                found.append(v)
                count += self.standing[v]
        if count != len(live):
            return None
        for k in shares:
            self.round += 1
            for at in range(self.first[k], self.first[k + 1]):
                o = self.held[at]
                if self.dead[o]:
                    continue
                v = self.own[o] - 1
                if self.met[v] == self.round:
                    return None
                self.met[v] = self.round
        found.sort()
        return found
