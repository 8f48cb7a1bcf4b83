"""Classes of answers that count as one: which answer represents its class, and whether one found in a part is first.

Two answers are in one class if a member of a group of permutations of the options maps one to the other. Answers are
compared as increasing tuples. A search may be cut into *parts*: each takes certain options, leaves others out, and
finds exactly the answers that agree with this.

    images      per option, where each member of the group except the identity carries it: images[o * members + g]
    lowest      per option, the smallest to which any member carries it, itself included. Two options have the same if,
                and only if, a member carries one to the other
    taken, ends the options that the parts take, one part after another; part p has taken[ends[p]:ends[p + 1]]
    barred      per part and option, 1 if the part leaves that option out
    kind        per part, a number, never less than that of the part before: an answer's images are found only in parts
                with the same number, all of which take the same option first
    common      options that are in every answer, and are carried to each other; they are left out of what is compared
    own         the current answer, increasing, without the common options
    now, least  the image being compared, and the smallest one so far, unsorted
    held        per option, the last `stamp` at which it was in an image
    kept        per option, the last `stamp` at which it was in `least`
    begun       per part, the first part with the same number

The smallest image of an answer begins with the smallest option to which any of its own is carried. So only the members
that carry one there need be looked at: one look at each member's image of those options that can be carried there, and
then the whole image under few members. The time per answer is at most proportional to the size of the group times the
length of the answer. Before, all images of the answer were worked out: with the group of 48 of the Soma cube that took
three times as long. Options that are given are in every answer, so nothing is compared there: all members may carry
them to the smallest.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import LOOK_STEPS
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _shared_ints, _zero_ints, _zero_longs
    from cython.cimports.covr.engine.kernels.shared.sorting import sort
else:
    from covr.engine.kernels.header import LOOK_STEPS
    from covr.engine.kernels.shared.arrays import _ints, _shared_ints, _zero_ints, _zero_longs
    from covr.engine.kernels.shared.sorting import sort

COMPILED = cython.compiled


def flattened(images, options: cython.int, look=None):
    """The images of every option under each permutation, option after option: an array where this is compiled, else a
    list.

    images: permutations of so many options, as sequences.  look: a function that is called every few milliseconds, and
    may raise an exception to stop. Time and space are linear.
    """
    members: cython.Py_ssize_t = len(images)
    hold: list = []  # what the C pointer points to; needed until this returns
    g: cython.Py_ssize_t
    o: cython.Py_ssize_t
    done: cython.Py_ssize_t = 0
    image: tuple
    if cython.compiled:
        from array import array

        result = array("i", [0]) * max(members * options, 1)
    else:
        result = [0] * max(members * options, 1)
    flat: cython.p_int = _shared_ints(result, hold)
    for g in range(members):
        image = tuple(images[g])
        for o in range(options):
            flat[o * members + g] = image[o]
        done += options
        if done > LOOK_STEPS:
            done = 0
            if look is not None:
                look()
    return result


@cython.final
@cython.cclass
class Classes:
    """Compares answers with their images. The module describes its arrays."""

    n: cython.int
    members: cython.int
    parts: cython.int
    stamp: cython.longlong
    images: cython.p_int
    lowest: cython.p_int
    taken: cython.p_int
    ends: cython.p_int
    barred: cython.p_int
    kind: cython.p_int
    is_common: cython.p_int
    common: list
    own: cython.p_int
    now: cython.p_int
    least: cython.p_int
    held: cython.p_longlong
    kept: cython.p_longlong
    begun: cython.p_int
    hold: list

    def __init__(self, options: cython.int, images, parts, flat=None, given=()):
        """images: permutations of the options, as sequences; together with the identity, which is left out, they form a
        group.  parts: for each part, the options it takes, those it leaves out, and its number (see `kind`).
        flat: `flattened` of the images, if that was worked out already.  given: options that are in every answer, and
        that members carry to each other; images of answers need not be compared there."""
        p: cython.int
        o: cython.int
        k: cython.int
        g: cython.int
        at: cython.longlong
        base: cython.longlong
        row: tuple
        self.hold = []
        self.n = options
        self.members = len(images)
        self.parts = len(parts)
        if flat is None:
            flat = flattened(images, options)
        elif cython.compiled and isinstance(flat, list):
            from array import array

            flat = array("i", flat)
        self.images = _shared_ints(flat, self.hold)
        self.lowest = _zero_ints(options, self.hold)
        for o in range(options):
            self.lowest[o] = o
            at = o
            at = at * self.members
            for g in range(self.members):
                if self.images[at + g] < self.lowest[o]:
                    self.lowest[o] = self.images[at + g]
        self.taken = _ints([o for part in parts for o in part[0]], self.hold)
        self.ends = _zero_ints(self.parts + 1, self.hold)
        base = options
        self.barred = _zero_ints(self.parts * base, self.hold)
        for p in range(self.parts):
            self.ends[p + 1] = self.ends[p] + len(parts[p][0])
            row = tuple(parts[p][1])
            base = p
            base = base * options
            for k in range(len(row)):
                o = row[k]
                self.barred[base + o] = 1
        self.kind = _ints([part[2] for part in parts], self.hold)
        self.common = list(given)
        self.is_common = _zero_ints(options, self.hold)
        for o in self.common:
            self.is_common[o] = 1
        self.own = _zero_ints(options, self.hold)
        self.now = _zero_ints(options, self.hold)
        self.least = _zero_ints(options, self.hold)
        self.held = _zero_longs(options, self.hold)
        self.kept = _zero_longs(options, self.hold)
        self.begun = _zero_ints(self.parts, self.hold)
        for p in range(1, self.parts):
            self.begun[p] = self.begun[p - 1] if self.kind[p] == self.kind[p - 1] else p
        self.stamp = 0

    def smallest(self, answer):
        """The smallest of an answer and its images, as an increasing tuple."""
        size: cython.int = self._begin(answer)
        self._find_least(size)
        return self._as_tuple(size)

    def is_first(self, answer, part: cython.int):
        """Whether an answer found in a part is the smallest of those of its images that any part finds."""
        return self._is_first(self._begin(answer), part)

    def firsts(self, answers, part: cython.int):
        """Those of a part's answers for which `is_first` is true, in the order given."""
        return [answer for answer in answers if self._is_first(self._begin(answer), part)]

    def chosen(self, answers, part: cython.int, alone: cython.bint):
        """`smallest` of each of a part's answers for which `is_first` is true, in the order given.

        alone: whether `is_first` is known to be true for all answers of the part."""
        size: cython.int
        found: list = []
        for answer in answers:
            size = self._begin(answer)
            if alone or self._is_first(size, part):
                self._find_least(size)
                found.append(self._as_tuple(size))
        return found

    @cython.cfunc
    def _begin(self, answer) -> cython.int:
        """Sort an answer into `own`. Returns its length there."""
        size: cython.int = 0
        o: cython.int
        for o in answer:
            if self.is_common[o] == 0:
                self.own[size] = o
                size += 1
        sort(self.own, 0, size)
        return size

    @cython.cfunc
    def _as_tuple(self, size: cython.int):
        """The answer in `least`, increasing, with the common options."""
        o: cython.int
        for o in self.common:
            self.least[size] = o
            size += 1
        sort(self.least, 0, size)
        return tuple([self.least[k] for k in range(size)])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _find_least(self, size: cython.int) -> cython.void:
        """Write the smallest of the answer and its images to `least`, unsorted."""
        k: cython.int
        g: cython.int
        at: cython.longlong
        members: cython.int = self.members
        low: cython.int = self.n
        self.stamp += 1
        for k in range(size):
            self.least[k] = self.own[k]
            self.kept[self.own[k]] = self.stamp
            if self.lowest[self.own[k]] < low:
                low = self.lowest[self.own[k]]
        last: cython.longlong = self.stamp
        for k in range(size):
            if self.lowest[self.own[k]] != low:
                continue
            at = self.own[k]
            at = at * members
            for g in range(members):
                if self.images[at + g] == low:
                    self._write_image(g, size)
                    if self._less(self.least, self.kept, last, size):
                        last = self.stamp
                        self._keep(size)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _keep(self, size: cython.int) -> cython.void:
        """Copy `now` to `least`."""
        k: cython.int
        for k in range(size):
            self.least[k] = self.now[k]
            self.kept[self.now[k]] = self.stamp

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_first(self, size: cython.int, part: cython.int) -> cython.bint:
        """`is_first` of the answer in `own`. Only images that have the part's first option are met in other parts."""
        head: cython.int = self.taken[self.ends[part]]
        k: cython.int
        g: cython.int
        at: cython.longlong
        members: cython.int = self.members
        last: cython.longlong
        self.stamp += 1
        last = self.stamp
        for k in range(size):
            self.kept[self.own[k]] = last
        for k in range(size):
            if self.lowest[self.own[k]] != self.lowest[head]:
                continue
            at = self.own[k]
            at = at * members
            for g in range(members):
                if self.images[at + g] != head:
                    continue
                self._write_image(g, size)
                if self._less(self.own, self.kept, last, size) and self._is_met(size, part):
                    return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _write_image(self, g: cython.int, size: cython.int) -> cython.void:
        """Write image g of the answer to `now`, and mark its options with a new stamp."""
        k: cython.int
        o: cython.int
        at: cython.longlong
        self.stamp += 1
        for k in range(size):
            at = self.own[k]
            o = self.images[at * self.members + g]
            self.now[k] = o
            self.held[o] = self.stamp

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _less(
        self, other: cython.p_int, marks: cython.p_longlong, mark: cython.longlong, size: cython.int
    ) -> cython.bint:
        """Whether `now` is smaller than another answer of the same length: whether the smallest option that only one of
        them has is in `now`. marks: per option, `mark` if it is in the other answer."""
        k: cython.int
        here: cython.int = self.n
        there: cython.int = self.n
        for k in range(size):
            if marks[self.now[k]] != mark and self.now[k] < here:
                here = self.now[k]
            if self.held[other[k]] != self.stamp and other[k] < there:
                there = other[k]
        return here < there

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_met(self, size: cython.int, part: cython.int) -> cython.bint:
        """Whether a part with the same number as this one finds the answer in `now`, whose options are marked."""
        p: cython.int
        k: cython.int
        base: cython.longlong
        met: cython.bint
        for p in range(self.begun[part], self.parts):
            if self.kind[p] != self.kind[part]:
                return False
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
