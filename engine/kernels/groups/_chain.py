"""A group of permutations as a base and strong generating set, for groups far too large to be listed.

A *base* is a sequence of points such that only the identity fixes all of them. Each base point is a level, which
stands for the group that fixes the base points before it. The level's *Schreier tree* tells for every point of the base
point's orbit by which generator it was reached. The order of the group is the product of the sizes of these orbits.

The base is known from the start. So a product of generators is never written out as a permutation in order to see
whether it is the identity: the images of the base points tell that, and there are few of them. Only what becomes a
generator is written out.

    base                the base points; b of them
    forward, back       per generator, the image and the preimage of each point; `count` generators, `room` for more;
                        the first `seeds` are those that were given
    fixes               per generator, how many base points it fixes before the first that it moves
    label               per level and point, the generator by which the point was reached; ROOT for the base point, -1
                        for points outside the orbit
    reached, size       per level, the orbit in the order in which it was reached, and its size
    img                 the images of the base points under the permutation that is being divided; at b one more point
    word, length        the generators whose inverses it was multiplied by since
    low                 per point, the least point of its orbit under the whole group; once `minima` was called
    step, target        the Schreier tree of another point, `target`, under the whole group, and in `spread` the size of
                        its orbit; once `aim` was called
    at_level, at_point, at_one  how far the verification has come

A chain is made in one of two ways. From generators, by products of random generators, until many in a row bring nothing
new; after that every Schreier generator is divided by the chain, so that the result is certain (Schreier's lemma). As
the stabiliser of a point, from the generators of the group that fix the point, and from random members of the group: as
these are uniform, a few are enough, and the order, which is known beforehand, tells when it is complete. Random numbers
change the time and the generators, never the group.

Source: Sims (1970); Seress, "Permutation Group Algorithms" (2003), chapters 4 and 5; the random products are those of
Celler, Leedham-Green, Murray, Niemeyer and O'Brien (1995).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _zero_ints
    from cython.cimports.covr.engine.kernels.shared.words import next_random
else:
    from covr.engine.kernels.shared.arrays import _ints, _zero_ints
    from covr.engine.kernels.shared.words import next_random

COMPILED = cython.compiled

ROOT = cython.declare(cython.int, -2)
STILL = cython.declare(cython.int, 12)  # random products in a row that bring nothing new, before all is verified
POOL = cython.declare(cython.int, 10)  # permutations that are multiplied by each other at random, at least
MIXED = cython.declare(cython.int, 60)  # multiplications before the first product counts as random


@cython.cclass
class Chain:
    """A group of permutations. The module describes its arrays."""

    def __init__(self, n: cython.int, base):
        """The trivial group. n: how many points there are.  base: points such that no member that is ever added, nor a
        product of such members, fixes all of them, except for the identity."""
        level: cython.int
        hold: list = []
        moves: list = []
        word: list = []
        self.hold = hold
        self.hold_moves = moves
        self.hold_word = word
        self.n = n
        self.b = len(base)
        self.base = _ints(base, self.hold)
        self.count = 0
        self.room = 0
        self.length = 0
        self.reach = 64
        self.word = _zero_ints(self.reach, self.hold_word)
        self.fixes = _zero_ints(1, self.hold)
        self.label = _ints([-1] * (self.b * n), self.hold)
        self.reached = _zero_ints(self.b * n, self.hold)
        self.size = _ints([1] * self.b, self.hold)
        for level in range(self.b):
            self.label[level * n + self.base[level]] = ROOT
            self.reached[level * n] = self.base[level]
        self.img = _zero_ints(self.b + 1, self.hold)
        self.fresh = _zero_ints(n, self.hold)
        self.low = _ints(range(n), self.hold)
        self.step = _zero_ints(n, self.hold)
        self.queue = _zero_ints(n, self.hold)
        self.target = -1
        self.spread = 1
        self.seeds = 0
        self.at_level = -1
        self.at_point = self.at_one = 0
        self.verified = True
        self.spent = 0
        self.dice = 0x9E3779B97F4A7C15

    # --- what is known ---

    def order(self):
        """How many members the group has: exact once `complete` has returned True, and for every stabiliser."""
        order = 1
        level: cython.int
        for level in range(self.b):
            order *= self.size[level]
        return order

    def work(self):
        """How many images of points were looked up so far."""
        return self.spent

    def generators(self):
        """The strong generators, each as the list of the images of all points."""
        return [[self.forward[g * self.n + p] for p in range(self.n)] for g in range(self.count)]

    def points(self):
        """The base points that matter: each is moved by members that fix those before it."""
        return [self.base[level] for level in range(self.b) if self.size[level] > 1]

    def holds(self, image):
        """Whether a permutation is a member of the group. image: of each point."""
        p: cython.int
        level: cython.int
        for level in range(self.b):
            self.img[level] = image[self.base[level]]
        self.length = 0
        if self._divide(0) < self.b:
            return False
        for p in range(self.n):
            self.fresh[p] = image[p]
        self._write(self)
        return [self.fresh[p] for p in range(self.n)] == list(range(self.n))

    # --- from generators ---

    def add(self, image):
        """Add a generator, before `mix`; the group is complete only once `complete` has said so. image: of each
        point."""
        p: cython.int
        level: cython.int = 0
        for p in range(self.n):
            self.fresh[p] = image[p]
        while level < self.b and self.fresh[self.base[level]] == self.base[level]:
            level += 1
        if level < self.b:
            self._keep(level)

    def mix(self, work: cython.longlong, look):
        """Add products of the generators at random, until many in a row bring nothing new. look: called after each
        `work` look-ups; it may raise an exception to stop, and then the chain is of no use."""
        pause: cython.longlong = self.spent + work
        still: cython.int = 0
        time: cython.int = 0
        x: cython.int
        y: cython.int
        p: cython.int
        level: cython.int
        n: cython.int = self.n
        first: cython.int = self.count
        self.seeds = first
        if first == 0:
            return
        size: cython.int = first if first > POOL else POOL
        hold: list = []
        pool: cython.p_int = _zero_ints(size * n, hold)
        for x in range(size):
            for p in range(n):
                pool[x * n + p] = self.forward[(x % first) * n + p]
        while still < STILL:
            x = self._random(size)
            y = self._random(size - 1)
            if y >= x:
                y += 1
            if self._random(2) == 0:
                for p in range(n):
                    pool[x * n + p] = pool[y * n + pool[x * n + p]]
            else:
                for p in range(n):
                    self.fresh[p] = pool[x * n + pool[y * n + p]]
                for p in range(n):
                    pool[x * n + p] = self.fresh[p]
            self.spent += 2 * n
            time += 1
            if self.spent >= pause:
                pause = self.spent + work
                look()
            if time < MIXED:
                continue
            for level in range(self.b):
                self.img[level] = pool[x * n + self.base[level]]
            self.length = 0
            level = self._divide(0)
            if level == self.b:
                still += 1
                continue
            still = 0
            for p in range(n):
                self.fresh[p] = pool[x * n + p]
            self._write(self)
            self._keep(level)

    def complete(self, work: cython.longlong):
        """Go on verifying, and adding what is missing, for about this many look-ups. Returns whether it is done."""
        end: cython.longlong = self.spent + work
        level: cython.int
        q: cython.int
        g: cython.int
        while not self.verified and self.spent < end:
            level = self.at_level
            if level < 0:
                self.verified = True
                break
            # The first level's group is generated by the generators that were given, so that these are enough there.
            if self.at_one == (self.count if level > 0 else self.seeds):
                self.at_one = 0
                self.at_point += 1
            if self.at_point >= self.size[level]:
                self.at_level -= 1
                self.at_point = self.at_one = 0
                continue
            q = self.reached[level * self.n + self.at_point]
            g = self.at_one
            self.at_one += 1
            if self.fixes[g] < level or self.label[level * self.n + self.forward[g * self.n + q]] == g:
                continue
            self._schreier(level, q, g)
        return self.verified

    # --- stabilisers ---

    def minima(self):
        """Work out `low`."""
        n: cython.int = self.n
        p: cython.int
        q: cython.int
        r: cython.int
        g: cython.int
        head: cython.int
        tail: cython.int
        for p in range(n):
            self.low[p] = -1
        for p in range(n):
            if self.low[p] >= 0:
                continue
            self.low[p] = p
            self.queue[0] = p
            head = 0
            tail = 1
            while head < tail:
                q = self.queue[head]
                head += 1
                for g in range(self.count):
                    r = self.forward[g * n + q]
                    if self.low[r] < 0:
                        self.low[r] = p
                        self.queue[tail] = r
                        tail += 1
        self.spent += n * (self.count + 1)

    def lows(self):
        """Per point, the least point of its orbit; `minima` was called."""
        return [self.low[p] for p in range(self.n)]

    def aim(self, point: cython.int):
        """Work out `step` for a point, so that `carried` carries points of its orbit there."""
        n: cython.int = self.n
        q: cython.int
        r: cython.int
        g: cython.int
        head: cython.int = 0
        tail: cython.int = 1
        if self.target == point:
            return
        for q in range(n):
            self.step[q] = -1
        self.step[point] = ROOT
        self.queue[0] = point
        while head < tail:
            q = self.queue[head]
            head += 1
            for g in range(self.count):
                r = self.forward[g * n + q]
                if self.step[r] == -1:
                    self.step[r] = g
                    self.queue[tail] = r
                    tail += 1
        self.target = point
        self.spread = tail
        self.spent += n + tail * self.count

    def carried(self, points, point: cython.int):
        """The images of some points under a member that carries `point` to the point aimed at."""
        hold: list = []
        size: cython.int = len(points)
        moved: cython.p_int = _ints(points, hold)
        self._carry(moved, 0, size, point)
        return [moved[k] for k in range(size)]

    def stabiliser(self, point: cython.int):
        """The chain of the members that fix a point, itself complete. This chain has to be complete, and is aimed at
        the point afterwards."""
        level: cython.int
        g: cython.int
        base = self.points()
        child: Chain
        self.aim(point)
        wanted = self.order() // self.spread
        if wanted == 1:
            return Chain(self.n, [])
        child = Chain(self.n, base)
        for g in range(self.count):
            if self.forward[g * self.n + point] == point:
                child._inherit(self, g)
        while child.order() != wanted:
            for level in range(child.b):
                child.img[level] = child.base[level]
            child.img[child.b] = point
            child.length = 0
            self._shuffle(child)
            self._toward(child)
            level = child._divided_after(self)
            if level < child.b:
                child._keep(level)
        return child

    # --- steps ---

    @cython.cfunc
    def _carry(self, points: cython.p_int, first: cython.int, end: cython.int, point: cython.int) -> cython.void:
        """Carry points by a member that carries `point` to the point aimed at."""
        g: cython.int
        k: cython.int
        base: cython.longlong
        while point != self.target:
            g = self.step[point]
            base = g
            base = base * self.n
            for k in range(first, end):
                points[k] = self.back[base + points[k]]
            point = self.back[base + point]
            self.spent += end - first

    @cython.cfunc
    @cython.exceptval(check=False)
    def _random(self, below: cython.int) -> cython.int:
        """A random number below another; it need not be a good one."""
        self.dice = next_random(self.dice)
        return cython.cast(cython.int, (self.dice >> 33) % below)

    @cython.cfunc
    def _push(self, g: cython.int) -> cython.void:
        """Add a generator to the word."""
        k: cython.int
        hold: list
        longer: cython.p_int
        if self.length == self.reach:
            hold = []
            longer = _zero_ints(2 * self.reach, hold)
            for k in range(self.length):
                longer[k] = self.word[k]
            self.word = longer
            self.hold_word = hold
            self.reach *= 2
        self.word[self.length] = g
        self.length += 1

    @cython.cfunc
    def _divide(self, level: cython.int) -> cython.int:
        """Divide the permutation in `img` by the chain from level on. Returns the level at which that ends, with what
        is left in `img`; b if nothing is left."""
        n: cython.int = self.n
        k: cython.int
        g: cython.int
        base: cython.longlong
        while level < self.b:
            while self.img[level] != self.base[level]:
                g = self.label[level * n + self.img[level]]
                if g < 0:
                    return level
                self._push(g)
                base = g
                base = base * n
                for k in range(level, self.b):
                    self.img[k] = self.back[base + self.img[k]]
                self.spent += self.b - level
            level += 1
        return level

    @cython.cfunc
    def _write(self, source: Chain) -> cython.void:
        """Multiply `fresh` by the inverses of the generators of `source` in the word."""
        k: cython.int
        p: cython.int
        base: cython.longlong
        for k in range(self.length):
            base = self.word[k]
            base = base * self.n
            for p in range(self.n):
                self.fresh[p] = source.back[base + self.fresh[p]]
        self.spent += self.length * self.n

    @cython.cfunc
    def _keep(self, level: cython.int) -> cython.void:
        """Make the permutation in `fresh` a generator. level: that of the first base point it moves."""
        n: cython.int = self.n
        p: cython.int
        g: cython.int
        room: cython.int
        hold: list
        forward: cython.p_int
        back: cython.p_int
        fixes: cython.p_int
        if self.count == self.room:
            room = 2 * self.room + 4
            hold = []
            forward = _zero_ints(room * n, hold)
            back = _zero_ints(room * n, hold)
            fixes = _zero_ints(room, hold)
            for p in range(self.count * n):
                forward[p] = self.forward[p]
                back[p] = self.back[p]
            for g in range(self.count):
                fixes[g] = self.fixes[g]
            self.forward = forward
            self.back = back
            self.fixes = fixes
            self.hold_moves = hold
            self.room = room
        g = self.count
        for p in range(n):
            self.forward[g * n + p] = self.fresh[p]
            self.back[g * n + self.fresh[p]] = p
        self.fixes[g] = level
        self.count += 1
        self.target = -1
        for p in range(level + 1):
            self._grow(p)
        if self.verified or self.at_level < level:
            self.at_level = level
        if self.at_level <= level:
            self.at_level = level
            self.at_point = self.at_one = 0
        self.verified = False

    @cython.cfunc
    def _grow(self, level: cython.int) -> cython.void:
        """Work out the Schreier tree of a level anew, so that it stays shallow."""
        n: cython.int = self.n
        here: cython.int = level * n
        head: cython.int = 0
        tail: cython.int = 1
        p: cython.int
        g: cython.int
        r: cython.int
        for p in range(n):
            self.label[here + p] = -1
        self.label[here + self.base[level]] = ROOT
        self.reached[here] = self.base[level]
        while head < tail:
            p = self.reached[here + head]
            head += 1
            for g in range(self.count):
                if self.fixes[g] < level:
                    continue
                r = self.forward[g * n + p]
                if self.label[here + r] == -1:
                    self.label[here + r] = g
                    self.reached[here + tail] = r
                    tail += 1
        self.size[level] = tail
        self.spent += n + tail * self.count

    @cython.cfunc
    def _schreier(self, level: cython.int, q: cython.int, g: cython.int) -> cython.void:
        """Divide the Schreier generator of a point and a generator by the chain below level, and keep what is left:
        to the point, on by the generator, and back to the base point."""
        n: cython.int = self.n
        r: cython.int
        k: cython.int
        p: cython.int
        x: cython.int
        there: cython.int
        self.length = 0
        r = q
        while r != self.base[level]:
            x = self.label[level * n + r]
            self._push(x)
            r = self.back[x * n + r]
        there = self.length
        for k in range(level, self.b):
            p = self.base[k]
            for x in range(there - 1, -1, -1):
                p = self.forward[self.word[x] * n + p]
            self.img[k] = self.forward[g * n + p]
        self.spent += (self.b - level) * (there + 1)
        if self._divide(level) == self.b:
            return
        for p in range(n):
            r = p
            for x in range(there - 1, -1, -1):
                r = self.forward[self.word[x] * n + r]
            r = self.forward[g * n + r]
            for x in range(there, self.length):
                r = self.back[self.word[x] * n + r]
            self.fresh[p] = r
        self.spent += n * self.length
        k = level
        while self.fresh[self.base[k]] == self.base[k]:
            k += 1
        self._keep(k)

    @cython.cfunc
    def _shuffle(self, child: Chain) -> cython.void:
        """Apply a random member, uniformly chosen, to the images in `child`, whose word gets generators of this
        chain."""
        n: cython.int = self.n
        level: cython.int
        q: cython.int
        g: cython.int
        k: cython.int
        for level in range(self.b):
            if self.size[level] == 1:
                continue
            q = self.reached[level * n + child._random(self.size[level])]
            while q != self.base[level]:
                g = self.label[level * n + q]
                child._push(g)
                for k in range(child.b + 1):
                    child.img[k] = self.back[g * n + child.img[k]]
                q = self.back[g * n + q]
                self.spent += child.b

    @cython.cfunc
    def _inherit(self, source: Chain, g: cython.int) -> cython.void:
        """Add a generator of another chain, divided by this one, unless nothing is left of it."""
        p: cython.int
        level: cython.int
        for level in range(self.b):
            self.img[level] = source.forward[g * self.n + self.base[level]]
        self.length = 0
        level = self._divide(0)
        if level < self.b:
            for p in range(self.n):
                self.fresh[p] = source.forward[g * self.n + p]
            self._write(self)
            self._keep(level)

    @cython.cfunc
    def _toward(self, child: Chain) -> cython.void:
        """Multiply the permutation in `child` by a member, so that it fixes the point aimed at."""
        n: cython.int = self.n
        g: cython.int
        k: cython.int
        while child.img[child.b] != self.target:
            g = self.step[child.img[child.b]]
            child._push(g)
            for k in range(child.b + 1):
                child.img[k] = self.back[g * n + child.img[k]]
            self.spent += child.b

    @cython.cfunc
    def _divided_after(self, source: Chain) -> cython.int:
        """Divide the permutation in `img`, whose word has generators of `source`. Returns the level at which that ends;
        then what is left is in `fresh`, unless nothing is left."""
        p: cython.int
        x: cython.int
        level: cython.int
        r: cython.int
        n: cython.int = self.n
        before: cython.int = self.length
        level = self._divide(0)
        if level == self.b:
            return level
        for p in range(n):
            r = p
            for x in range(before):
                r = source.back[self.word[x] * n + r]
            for x in range(before, self.length):
                r = self.back[self.word[x] * n + r]
            self.fresh[p] = r
        self.spent += n * self.length
        return level
