# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef"
"""Classes of answers that count as one: which answer represents its class, and whether one found in a part is first.

Two answers are in one class if a member of a group of permutations of the options maps one to the other. Answers are
compared as increasing tuples. A search may be cut into *parts*: each takes certain options, leaves others out, and
finds exactly the answers that agree with this.

    images      per member of the group except the identity, the image of each option
    taken, ends the options that the parts take, one part after another; part p has taken[ends[p]:ends[p + 1]]
    barred      per part and option, 1 if the part leaves that option out
    kind        per part, a number: an answer's images are found only in parts with the same number, all of which take
                the same option first
    own         the current answer, increasing
    now, least  the image being compared, and the smallest one so far
    held        per option, the last `stamp` at which it was in an image

The time per answer is proportional to the size of the group times the length of the answer.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels._memory import _ints, _zero_ints, _zero_longs  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._sort import sort  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels._memory import _ints, _zero_ints, _zero_longs
    from covr.engine.kernels._sort import sort

COMPILED = cython.compiled


@cython.final
@cython.cclass
class Classes:
    """Compares answers with their images. The module describes its arrays."""

    n: cython.int
    members: cython.int
    parts: cython.int
    stamp: cython.longlong
    images: cython.p_int
    taken: cython.p_int
    ends: cython.p_int
    barred: cython.p_int
    kind: cython.p_int
    own: cython.p_int
    now: cython.p_int
    least: cython.p_int
    held: cython.p_longlong
    hold: list

    def __init__(self, options: cython.int, images, parts):
        """images: permutations of the options, as lists; together with the identity, which is left out, they form a
        group.  parts: for each part, the options it takes, those it leaves out, and its number (see `kind`)."""
        p: cython.int
        o: cython.int
        self.hold = []
        self.n = options
        self.members = len(images)
        self.parts = len(parts)
        self.images = _ints([o for image in images for o in image], self.hold)
        self.taken = _ints([o for part in parts for o in part[0]], self.hold)
        self.ends = _zero_ints(self.parts + 1, self.hold)
        for p in range(self.parts):
            self.ends[p + 1] = self.ends[p] + len(parts[p][0])
        self.barred = _zero_ints(self.parts * options, self.hold)
        for p in range(self.parts):
            for o in parts[p][1]:
                self.barred[p * options + o] = 1
        self.kind = _ints([part[2] for part in parts], self.hold)
        self.own = _zero_ints(options, self.hold)
        self.now = _zero_ints(options, self.hold)
        self.least = _zero_ints(options, self.hold)
        self.held = _zero_longs(options, self.hold)
        self.stamp = 0

    def smallest(self, answer):
        """The smallest of an answer and its images, as an increasing tuple."""
        size: cython.int = self._begin(answer)
        g: cython.int
        k: cython.int
        for k in range(size):
            self.least[k] = self.own[k]
        for g in range(self.members):
            if not self._begins(g, size):
                continue
            sort(self.now, 0, size)
            if self._less(self.least, size):
                for k in range(size):
                    self.least[k] = self.now[k]
        return tuple([self.least[k] for k in range(size)])

    def is_first(self, answer, part: cython.int):
        """Whether an answer found in a part is the smallest of those of its images that any part finds."""
        size: cython.int = self._begin(answer)
        g: cython.int
        head: cython.int = self.taken[self.ends[part]]
        for g in range(self.members):
            if not self._shows(g, size, head):
                continue
            sort(self.now, 0, size)
            if self._less(self.own, size) and self._is_met(size, self.kind[part]):
                return False
        return True

    def firsts(self, answers, part: cython.int):
        """Those of a part's answers for which `is_first` is true, in the order given."""
        return [answer for answer in answers if self.is_first(answer, part)]

    def chosen(self, answers, part: cython.int, alone: cython.bint):
        """`smallest` of each of a part's answers for which `is_first` is true, in the order given; each image is worked
        out once for both.

        alone: whether `is_first` is known to be true for all answers of the part."""
        size: cython.int
        g: cython.int
        k: cython.int
        head: cython.int = -1 if alone else self.taken[self.ends[part]]
        first: cython.bint
        shows: cython.bint
        begins: cython.bint
        found = []
        for answer in answers:
            size = self._begin(answer)
            for k in range(size):
                self.least[k] = self.own[k]
            first = True
            for g in range(self.members):
                begins = self._begins(g, size)
                shows = False
                for k in range(size):
                    if self.now[k] == head:
                        shows = True
                if not begins and not shows:
                    continue
                sort(self.now, 0, size)
                if shows and self._less(self.own, size) and self._is_met(size, self.kind[part]):
                    first = False
                    break
                if begins and self._less(self.least, size):
                    for k in range(size):
                        self.least[k] = self.now[k]
            if first:
                found.append(tuple([self.least[k] for k in range(size)]))
        return found

    def all_smallest(self, answers):
        """`smallest` of each answer, in the order given."""
        return [self.smallest(answer) for answer in answers]

    @cython.cfunc
    def _begin(self, answer) -> cython.int:
        """Sort an answer into `own`. Returns its length."""
        size: cython.int = 0
        o: cython.int
        k: cython.int
        for o in answer:
            self.now[size] = o
            size += 1
        sort(self.now, 0, size)
        for k in range(size):
            self.own[k] = self.now[k]
        return size

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begins(self, g: cython.int, size: cython.int) -> cython.bint:
        """Write image g of the answer to `now`, unsorted. Returns whether it may be smaller than `least`."""
        k: cython.int
        most: cython.int = self.least[0] if size > 0 else 0
        base: cython.longlong = g
        found: cython.bint = False
        base = base * self.n
        for k in range(size):
            self.now[k] = self.images[base + self.own[k]]
            if self.now[k] <= most:
                found = True
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _shows(self, g: cython.int, size: cython.int, head: cython.int) -> cython.bint:
        """Write image g of the answer to `now`, unsorted. Returns whether the option `head` is in it."""
        k: cython.int
        base: cython.longlong = g
        found: cython.bint = False
        base = base * self.n
        for k in range(size):
            self.now[k] = self.images[base + self.own[k]]
            if self.now[k] == head:
                found = True
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _less(self, other: cython.p_int, size: cython.int) -> cython.bint:
        """Whether `now` is smaller than another sorted answer of the same length."""
        k: cython.int
        for k in range(size):
            if self.now[k] != other[k]:
                return self.now[k] < other[k]
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_met(self, size: cython.int, kind: cython.int) -> cython.bint:
        """Whether a part whose number is `kind` finds the answer in `now`."""
        p: cython.int
        k: cython.int
        base: cython.longlong
        met: cython.bint
        self.stamp += 1
        for k in range(size):
            self.held[self.now[k]] = self.stamp
        for p in range(self.parts):
            if self.kind[p] != kind:
                continue
            met = True
            for k in range(self.ends[p], self.ends[p + 1]):
                if self.held[self.taken[k]] != self.stamp:
                    met = False
                    break
            if not met:
                continue
            base = p
            base = base * self.n
            for k in range(size):
                if self.barred[base + self.now[k]] != 0:
                    met = False
                    break
            if met:
                return True
        return False


@cython.final
@cython.cclass
class Moves:
    """Finds where permutations of the options that carry a problem to itself move its items.

    begin, members  the items of each option: option o holds members[begin[o]:begin[o + 1]]
    ends, rows      the options of each item: item i is held by rows[ends[i]:ends[i + 1]], increasing
    high            per item, its upper bound
    left            the items that are still possible
    """

    begin: cython.p_int
    members: cython.p_int
    ends: cython.p_int
    rows: cython.p_int
    high: cython.p_int
    left: cython.p_int
    hold: list

    def __init__(self, starts, members, holders, high):
        """starts, members: of the problem.  holders: per item, its options.  high: per item; more than 1 counts as
        2."""
        self.hold = []
        self.begin = _ints(list(starts), self.hold)
        self.members = _ints(list(members), self.hold)
        ends = [0]
        for row in holders:
            ends.append(ends[len(ends) - 1] + len(row))
        self.ends = _ints(ends, self.hold)
        self.rows = _ints([o for row in holders for o in row], self.hold)
        self.high = _ints(list(high), self.hold)
        self.left = _zero_ints(len(holders), self.hold)

    def moved(self, item: cython.int, image):
        """The item to which a permutation moves an item that has options; where no option distinguishes several items,
        the item itself if it is one of them, else the first; -1 if there is none, so that the permutation does not
        carry the problem to itself."""
        first: cython.int = self.ends[item]
        size: cython.int = self.ends[item + 1] - first
        o: cython.int = image[self.rows[first]]
        count: cython.int = 0
        kept: cython.int
        best: cython.int = -1
        i: cython.int
        j: cython.int
        k: cython.int
        x: cython.int
        for j in range(self.begin[o], self.begin[o + 1]):
            self.left[count] = self.members[j]
            count += 1
        for k in range(size + 2):
            if count <= 1 and k > 0:
                break
            # Neighbours have much in common, so the last option and one in the middle are asked first.
            o = image[self.rows[first + (size - 1 if k == 0 else size // 2 if k == 1 else k - 2)]]
            kept = 0
            for i in range(count):
                x = self.left[i]
                for j in range(self.begin[o], self.begin[o + 1]):
                    if self.members[j] == x:
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
