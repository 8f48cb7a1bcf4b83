"""Cuts a search by a group of permutations of the options that carry the problem to itself; class_pieces.py says how.

    first, item    the items of each option: option o holds item[first[o]:first[o + 1]]; colour is parallel to item
    ends, rows     the options of each item: item i is held by rows[ends[i]:ends[i + 1]], increasing
    single         per item, 1 if every answer has exactly one option there
    high           per item, its upper bound, at most 2
    holders        per item, the set of its options: `words` words of 64 bits
    images         per option, where each member of the group carries it, the identity left out:
                   images[o * members + g]

A part that takes d options, and the group that fixes them, are at depth d; the root is at depth 0. Per depth:

    live           the set of the options that may still be taken
    barred         the set of the options that the part excludes, without those that exclude one taken
    gone           the set of the options excluded by the parts before, one level up
    met            per primary item, 1 if it is covered
    group, sizes   the members of the group that fix the options taken; and how many these are
    heads, counts  the options that begin the parts into which this one is cut; and how many these are
    taken          the option taken last

    seen           per option, the last `stamp` at which it was met
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import LOOK_STEPS
    from cython.cimports.covr.engine.kernels.shared.arrays import (
        _ints,
        _shared_ints,
        _zero_ints,
        _zero_longs,
        _zero_words,
    )
    from cython.cimports.covr.engine.kernels.shared.words import bits, lowest
else:
    from covr.engine.kernels.header import LOOK_STEPS
    from covr.engine.kernels.shared.arrays import _ints, _shared_ints, _zero_ints, _zero_longs, _zero_words
    from covr.engine.kernels.shared.words import bits, lowest

COMPILED = cython.compiled


@cython.final
@cython.cclass
class ClassCut:
    """Finds the parts of a problem. The module describes its arrays."""

    n: cython.int
    items: cython.int
    primary: cython.int
    members: cython.int
    words: cython.Py_ssize_t
    depth: cython.int
    work: cython.longlong
    most: cython.int
    ties: cython.int
    again: cython.bint
    coloured: cython.bint
    stamp: cython.longlong
    done: cython.longlong
    one: cython.ulonglong
    first: cython.p_int
    item: cython.p_int
    colour: cython.p_int
    ends: cython.p_int
    rows: cython.p_int
    single: cython.p_int
    high: cython.p_int
    holders: cython.p_ulonglong
    images: cython.p_int
    live: cython.p_ulonglong
    barred: cython.p_ulonglong
    gone: cython.p_ulonglong
    met: cython.p_int
    group: cython.p_int
    sizes: cython.p_int
    heads: cython.p_int
    counts: cython.p_int
    taken: cython.p_int
    bound: cython.p_int
    fixing: cython.p_int
    left: cython.p_int
    scratch: cython.p_ulonglong
    seen: cython.p_longlong
    parts: list
    hold: list
    stops: list  # `look`, if there is one

    def __init__(self, problem, images, members: cython.int, look=None):
        """problem: a `Problem`.  images: as `flattened` of _classes.py returns them.  members: of the group, without
        the identity.  look: a function that is called every few milliseconds, and may raise an exception to stop."""
        hold: list = []
        i: cython.int
        o: cython.int
        k: cython.int
        at: cython.Py_ssize_t
        self.hold = hold
        self.stops = [] if look is None else [look]
        self.n = problem.options
        self.items = problem.items
        self.primary = problem.primary
        self.members = members
        self.words = max(1, (self.n + 63) // 64)
        self.one = 1
        self.first = _ints(list(problem.starts), hold)
        self.item = _ints(list(problem.members), hold)
        self.coloured = len(problem.colours) > 0
        self.colour = _ints(list(problem.colours), hold)
        low: list = list(problem.low)
        high: list = list(problem.high)
        self.single = _zero_ints(self.items, hold)
        self.high = _zero_ints(self.items, hold)
        self.ends = _zero_ints(self.items + 2, hold)
        self.rows = _zero_ints(self.first[self.n], hold)
        self.holders = _zero_words(self.items * self.words, hold)
        for i in range(self.items):
            self.single[i] = low[i] == 1 and high[i] == 1
            self.high[i] = high[i] if high[i] < 2 else 2
        for k in range(self.first[self.n]):
            self.ends[self.item[k] + 2] += 1
        for i in range(self.items):
            self.ends[i + 2] += self.ends[i + 1]
        for o in range(self.n):
            for k in range(self.first[o], self.first[o + 1]):
                i = self.item[k]
                self.rows[self.ends[i + 1]] = o
                self.ends[i + 1] += 1
                at = i
                self.holders[at * self.words + (o >> 6)] |= self.one << (o & 63)
        if cython.compiled and isinstance(images, list):
            from array import array

            images = array("i", images)
        self.images = _shared_ints(images, hold)
        self.left = _zero_ints(self.items, hold)
        self.stamp = self.done = 0

    def moved(self, item: cython.int, g: cython.int):
        """The item to which member g moves an item that has options; where no option distinguishes several items, the
        item itself if it is one of them, else the first; -1 if there is none, so that the member does not carry the
        problem to itself."""
        return self._moved(item, g)

    def parts_of(self, live, met, limits, again: cython.bint):
        """The parts, in order, each as (options taken, options excluded, number of its first head, whether no image of
        its answers is met in any other part); an empty list where no item is suitable.

        live: per option, whether it may be taken.  met: per primary item, whether it is covered.  limits: the most
        depth, images looked at to choose an item, parts and ties (class_pieces.py).  again: whether parts may be cut
        again.
        """
        hold: list = self.hold
        o: cython.int
        i: cython.int
        k: cython.int
        head: cython.int
        self.depth, self.work, self.most, self.ties = limits
        self.again = again
        deep: cython.int = self.depth + 1
        self.live = _zero_words(deep * self.words, hold)
        self.barred = _zero_words(deep * self.words, hold)
        self.gone = _zero_words((deep + 1) * self.words, hold)
        self.met = _zero_ints(deep * self.primary, hold)
        self.group = _zero_ints(deep * self.members, hold)
        self.sizes = _zero_ints(deep, hold)
        self.heads = _zero_ints(deep * self.n, hold)
        self.counts = _zero_ints(deep, hold)
        self.taken = _zero_ints(deep, hold)
        self.bound = _zero_ints(deep, hold)
        self.fixing = _zero_ints(self.members, hold)
        self.scratch = _zero_words(2 * self.words, hold)
        self.seen = _zero_longs(self.n, hold)
        self.parts = []
        for o in range(self.n):
            if live[o]:
                self.live[o >> 6] |= self.one << (o & 63)
        for i in range(self.primary):
            self.met[i] = 1 if met[i] else 0
        for k in range(self.members):
            self.group[k] = k
        self.sizes[0] = self.members
        if not self._choose(0):
            return []
        for k in range(self.counts[0]):
            head = self.heads[k]
            if self.gone[self.words + (head >> 6)] >> (head & 63) & 1 == 0:
                self._part(1, head, k, True)
            self._add_orbit(head, 0, 1)
            self._look(self.members)
        return self.parts

    @cython.cfunc
    def _look(self, done: cython.longlong):
        """Check the limits now and then. done: images looked at since the last call."""
        self.done += done + 1
        if self.done > LOOK_STEPS:
            self.done = 0
            for look in self.stops:
                look()

    @cython.cfunc
    def _part(self, depth: cython.int, head: cython.int, sort: cython.int, alone: cython.bint):
        """Add the part that takes an option below the one at the depth above, or the parts that it is cut into."""
        words: cython.Py_ssize_t = self.words
        above: cython.Py_ssize_t = (depth - 1) * words
        here: cython.Py_ssize_t = depth * words
        w: cython.Py_ssize_t
        k: cython.int
        other: cython.int
        further: cython.bint
        rivals: cython.p_ulonglong = self.scratch
        self._write_rivals(head)
        for w in range(words):
            self.barred[here + w] = (self.gone[here + w] & self.live[above + w] | self.barred[above + w]) & ~rivals[w]
            self.live[here + w] = self.live[above + w] & ~(rivals[w] | self.barred[here + w])
        self.live[here + (head >> 6)] &= ~(self.one << (head & 63))
        self.taken[depth] = head
        self._fix(depth, head)
        for k in range(self.primary):
            self.met[depth * self.primary + k] = self.met[(depth - 1) * self.primary + k]
        for k in range(self.first[head], self.first[head + 1]):
            if self.item[k] < self.primary:
                self.met[depth * self.primary + self.item[k]] = 1
        alone = alone and self.bound[depth - 1] != 0
        self._look(self.sizes[depth - 1])
        further = (
            self.sizes[depth] > 0
            and depth < self.depth
            and self.again
            and len(self.parts) < self.most
            and self._choose(depth)
        )
        if not further:
            taken = tuple([self.taken[k] for k in range(1, depth + 1)])
            self.parts.append((taken, self._members_of(here), sort, alone and self.sizes[depth] == 0))
            return
        for w in range(words):
            self.gone[here + words + w] = 0
        for k in range(self.counts[depth]):
            other = self.heads[depth * self.n + k]
            if self.gone[here + words + (other >> 6)] >> (other & 63) & 1 == 0:
                self._part(depth + 1, other, sort, alone)
            self._add_orbit(other, depth, depth + 1)

    @cython.cfunc
    def _members_of(self, at: cython.Py_ssize_t):
        """The members of the set in `barred` that begins there, increasing."""
        w: cython.Py_ssize_t
        x: cython.ulonglong
        found: list = []
        for w in range(self.words):
            x = self.barred[at + w]
            while x != 0:
                found.append((w << 6) + lowest(x))
                x &= x - 1
        return tuple(found)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _write_rivals(self, option: cython.int) -> cython.void:
        """Write to `scratch` the set of the options that can't be taken together with one because of an item that has
        room for one."""
        words: cython.Py_ssize_t = self.words
        w: cython.Py_ssize_t
        k: cython.int
        j: cython.int
        i: cython.Py_ssize_t
        o: cython.int
        alike: cython.p_ulonglong = self.scratch
        for w in range(words):
            self.scratch[w] = 0
        for k in range(self.first[option], self.first[option + 1]):
            i = self.item[k]
            if self.high[i] > 1:
                continue
            if not self.coloured or self.colour[k] == 0:
                for w in range(words):
                    self.scratch[w] |= self.holders[i * words + w]
                continue
            for j in range(self.ends[i], self.ends[i + 1]):
                o = self.rows[j]
                if self._colour_in(o, cython.cast(cython.int, i)) != self.colour[k]:
                    alike[o >> 6] |= self.one << (o & 63)
        self.scratch[option >> 6] &= ~(self.one << (option & 63))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _colour_in(self, option: cython.int, i: cython.int) -> cython.int:
        """The colour of an option in an item that it holds."""
        k: cython.int = self.first[option]
        while self.item[k] != i:
            k += 1
        return self.colour[k]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fix(self, depth: cython.int, head: cython.int) -> cython.void:
        """Write the group of a depth: the members of the group above that fix an option."""
        members: cython.Py_ssize_t = self.members
        above: cython.Py_ssize_t = (depth - 1) * members
        here: cython.Py_ssize_t = depth * members
        at: cython.Py_ssize_t = head * members
        size: cython.int = 0
        k: cython.int
        for k in range(self.sizes[depth - 1]):
            if self.images[at + self.group[above + k]] == head:
                self.group[here + size] = self.group[above + k]
                size += 1
        self.sizes[depth] = size

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_orbit(self, option: cython.int, depth: cython.int, to: cython.int) -> cython.void:
        """Add to the set `gone` of depth `to` the options to which the group of a depth carries one, itself
        included."""
        members: cython.Py_ssize_t = self.members
        at: cython.Py_ssize_t = option * members
        own: cython.Py_ssize_t = depth * members
        into: cython.Py_ssize_t = to * self.words
        k: cython.int
        o: cython.int = option
        self.gone[into + (o >> 6)] |= self.one << (o & 63)
        for k in range(self.sizes[depth]):
            o = self.images[at + self.group[own + k]]
            self.gone[into + (o >> 6)] |= self.one << (o & 63)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _moved(self, item: cython.int, g: cython.int) -> cython.int:
        """See `moved`."""
        begin: cython.int = self.ends[item]
        size: cython.int = self.ends[item + 1] - begin
        members: cython.Py_ssize_t = self.members
        at: cython.Py_ssize_t = self.rows[begin]
        o: cython.int = self.images[at * members + g]
        count: cython.int = 0
        kept: cython.int
        best: cython.int = -1
        i: cython.int
        j: cython.int
        k: cython.int
        x: cython.int
        for j in range(self.first[o], self.first[o + 1]):
            self.left[count] = self.item[j]
            count += 1
        for k in range(size + 2):
            if count <= 1 and k > 0:
                break
            # Neighbours have much in common, so the last option and one in the middle are asked first.
            at = self.rows[begin + (size - 1 if k == 0 else size // 2 if k == 1 else k - 2)]
            o = self.images[at * members + g]
            kept = 0
            for i in range(count):
                x = self.left[i]
                for j in range(self.first[o], self.first[o + 1]):
                    if self.item[j] == x:
                        self.left[kept] = x
                        kept += 1
                        break
            count = kept
        for i in range(count):
            x = self.left[i]
            if self.ends[x + 1] - self.ends[x] != size or self.high[x] != self.high[item]:
                continue
            if x == item:
                return item
            if best < 0 or x < best:
                best = x
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _held(self, item: cython.Py_ssize_t, depth: cython.int) -> cython.int:
        """How many options an item has left."""
        words: cython.Py_ssize_t = self.words
        w: cython.Py_ssize_t
        found: cython.int = 0
        for w in range(words):
            found += bits(self.holders[item * words + w] & self.live[depth * words + w])
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fixing(self, item: cython.int, depth: cython.int) -> cython.int:
        """Write to `fixing` the members of the group that leave an item in place; returns how many these are."""
        found: cython.int = 0
        k: cython.int
        at: cython.Py_ssize_t = depth
        at = at * self.members
        for k in range(self.sizes[depth]):
            if self._moved(item, self.group[at + k]) == item:
                self.fixing[found] = self.group[at + k]
                found += 1
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _write_heads(self, item: cython.int, depth: cython.int, fixing: cython.int) -> cython.int:
        """Write the heads of a depth: the first of each set of an item's options that the members in `fixing` carry
        into each other. Returns how many these are."""
        words: cython.Py_ssize_t = self.words
        members: cython.Py_ssize_t = self.members
        at: cython.Py_ssize_t = depth
        row: cython.Py_ssize_t = item
        w: cython.Py_ssize_t
        base: cython.Py_ssize_t
        o: cython.int
        k: cython.int
        count: cython.int = 0
        x: cython.ulonglong
        self.stamp += 1
        for w in range(words):
            x = self.holders[row * words + w] & self.live[at * words + w]
            while x != 0:
                o = cython.cast(cython.int, w << 6) + lowest(x)
                x &= x - 1
                if self.seen[o] == self.stamp:
                    continue
                self.heads[at * self.n + count] = o
                count += 1
                base = o * members
                for k in range(fixing):
                    self.seen[self.images[base + self.fixing[k]]] = self.stamp
        self.counts[depth] = count
        return count

    @cython.cfunc
    def _choose(self, depth: cython.int) -> cython.bint:
        """Write the heads of the best item to cut by. Returns whether there is one."""
        size: cython.int = self.sizes[depth] + 1
        at: cython.Py_ssize_t = depth * self.primary
        i: cython.int
        held: cython.int
        fixing: cython.int
        count: cython.int
        fewest: cython.longlong = self.n
        left: cython.longlong = self.work
        row: list = []
        for i in range(self.primary):
            if self.single[i] != 0 and self.met[at + i] == 0:
                held = self._held(i, depth)
                if held > 0:
                    row.append((held, i))
        row.sort()
        found: list = []
        for held, i in row:
            if held > fewest * size or left <= 0:
                break
            fixing = self._fixing(i, depth)
            left -= 3 * size
            self._look(3 * size)
            if held > fewest * (fixing + 1):
                continue
            count = self._write_heads(i, depth, fixing)
            left -= count * (fixing + 1)
            self._look(count * (fixing + 1))
            found.append((count, -held, i))
            fewest = min(fewest, count)
        if not found:
            return False
        found.sort()
        tied: list = [i for count, _, i in found if count == fewest][: self.ties]
        i = tied[0]
        if len(tied) > 1:
            i = min([(self._weight(i, depth), i) for i in tied])[1]
        fixing = self._fixing(i, depth)
        self._write_heads(i, depth, fixing)
        self.bound[depth] = fixing + 1 == size
        return True

    @cython.cfunc
    def _weight(self, item: cython.int, depth: cython.int):
        """How many options are left in all parts together, if a part is cut by this item."""
        words: cython.Py_ssize_t = self.words
        count: cython.int = self._write_heads(item, depth, self._fixing(item, depth))
        total: cython.longlong = 0
        k: cython.int
        j: cython.int
        o: cython.int
        w: cython.Py_ssize_t
        i: cython.Py_ssize_t
        into: cython.Py_ssize_t = (depth + 1) * words
        base: cython.Py_ssize_t = depth * self.n
        here: cython.Py_ssize_t = depth * words
        for w in range(words):
            self.gone[into + w] = 0
        for k in range(count):
            o = self.heads[base + k]
            if self.gone[into + (o >> 6)] >> (o & 63) & 1 != 0:
                continue
            for w in range(words):
                self.scratch[w] = self.live[here + w] & ~self.gone[into + w]
            for j in range(self.first[o], self.first[o + 1]):
                i = self.item[j]
                if self.high[i] == 1:
                    for w in range(words):
                        self.scratch[w] &= ~self.holders[i * words + w]
            for w in range(words):
                total += bits(self.scratch[w])
            self._add_orbit(o, depth, depth + 1)
            self._look(self.sizes[depth])
        for w in range(words):
            self.gone[into + w] = 0
        return total
