"""Checks that answers are answers: the rules of check.py, compiled, with one step for each item of each option.

The checker is made from the problem itself and shares nothing with any search: no lists, no masks, no order of options.
When it rejects an answer, check.py says why.

    starts, members, colours, low, high   the problem's own arrays, with bounds capped at MOST
    given    the given options, which every answer must take; `gifts` is how many there are
    met      per item, how often the current answer meets it; all 0 between two answers
    shown    per item, the colour it shows in the current answer, or 0
    touched  the items that were met, so that only these need clearing afterwards
    wanted   how many items must be met at least once; an answer must meet all of them
    row      the current answer, if it came as a tuple

If no item may be met more than once and there are no colours, an option is just a set of items: no item may be in two
taken options, and every item that must be met has to be in one. This is checked in one of two ways. In general, the
items of each option are read one after another:

    stamped  per item, the number of the last answer that met it;  stamp: the number of the current answer
    chosen   per option, the number of the last answer of a batch that took it

In problems of at most 128 items and 2²⁰ options, each option is instead two words of 64 bits in `sets`; `must` and
`more` are the sets of the items that must be met: items 0 to 63, and items 64 to 127.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _longs, _shared_ints, _zero_ints, _zero_words
else:
    from covr.engine.kernels.shared.arrays import _ints, _longs, _shared_ints, _zero_ints, _zero_words

COMPILED = cython.compiled

PAIR = cython.declare(cython.int, 128)  # the most items that fit in two words
MOST_OPTIONS = cython.declare(cython.int, 1 << 20)  # the most options for which `sets` is made: 16 MB
MOST = cython.declare(cython.int, 2000000000)  # options: larger bounds are lowered to this; also the last `stamp`


@cython.final
@cython.cclass
class Checker:
    """Checks answers of one problem. The module describes its arrays."""

    starts: cython.p_int
    members: cython.p_int
    colours: cython.p_int
    low: cython.p_int
    high: cython.p_int
    met: cython.p_int
    shown: cython.p_int
    touched: cython.p_int
    given: cython.p_int
    tinted: cython.bint
    items: cython.int
    options: cython.int
    wanted: cython.int
    gifts: cython.int
    exact: cython.bint
    paired: cython.bint
    stamp: cython.int
    stamped: cython.p_int
    chosen: cython.p_int
    row: cython.p_int
    sets: cython.p_ulonglong
    must: cython.ulonglong
    more: cython.ulonglong
    hold: list

    def __init__(self, problem):
        """problem: a validated problem. Takes time and space linear in the total length of its options."""
        self.hold = []
        self.starts = _ints(problem.starts, self.hold)
        self.members = _ints(problem.members, self.hold)
        self.tinted = len(problem.colours) > 0
        self.colours = _ints(problem.colours, self.hold)
        self.low = _ints([min(lo, MOST) for lo in problem.low], self.hold)
        self.high = _ints([min(h, MOST) for h in problem.high], self.hold)
        self.met = _zero_ints(problem.items, self.hold)
        self.shown = _zero_ints(problem.items, self.hold)
        self.touched = _zero_ints(problem.items, self.hold)
        self.given = _ints(problem.given, self.hold)
        self.gifts = len(problem.given)
        self.items = problem.items
        self.options = problem.options
        self.wanted = sum([lo > 0 for lo in problem.low])
        self.row = _zero_ints(problem.options, self.hold)
        self.stamp = 0
        self.stamped = _zero_ints(problem.items, self.hold)
        self.chosen = _zero_ints(problem.options, self.hold)
        self.exact = not problem.colours and set(problem.high) <= {1} and set(problem.low) <= {0, 1}
        self.paired = self.exact and problem.items <= PAIR and problem.options <= MOST_OPTIONS
        self.must = self.more = 0
        if self.paired:
            self._make_sets(problem)

    def first_wrong_of(self, options, ends, counts, gifts, begin):
        """The number of the first instance of a batch (see batch.py) with a wrong answer; -1 if all are right.

        An answer is wrong if it breaks a rule, lacks an option given to its instance, or repeats the answer before it.

        options, ends, counts: as in `BatchResult`.  gifts, begin: the options given to instance k are
        gifts[begin[k]:begin[k + 1]]; numbers below 0 are blanks. All but `ends` are arrays of `i`.
        """
        hold: list = []
        flat: cython.p_int = _shared_ints(options, hold)
        stops: cython.p_longlong = _longs(ends, hold)
        found: cython.p_int = _shared_ints(counts, hold)
        handed: cython.p_int = _shared_ints(gifts, hold)
        where: cython.p_int = _shared_ints(begin, hold)
        at: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t
        before: cython.Py_ssize_t = 0
        size: cython.Py_ssize_t = len(options)
        answers: cython.Py_ssize_t = len(ends)
        instances: cython.Py_ssize_t = len(counts)
        k: cython.Py_ssize_t
        a: cython.Py_ssize_t
        g: cython.Py_ssize_t
        x: cython.Py_ssize_t
        right: cython.bint
        chosen: cython.p_int = self.chosen
        stamp: cython.int
        for k in range(instances):
            for a in range(max(found[k], 0)):
                if at >= answers or not first <= stops[at] <= size:
                    return k
                last = stops[at]
                at += 1
                if not self._is_right(flat + first if cython.compiled else flat[first:last], last - first):
                    return k
                stamp = self.stamp
                for x in range(first, last):
                    chosen[flat[x]] = stamp
                for g in range(where[k], where[k + 1]):
                    if handed[g] >= 0 and (handed[g] >= self.options or chosen[handed[g]] != stamp):
                        return k
                if a > 0 and last - first == first - before:
                    right = False
                    for x in range(last - first):
                        if flat[first + x] != flat[before + x]:
                            right = True
                            break
                    if not right:
                        return k
                before = first
                first = last
        return -1

    def _make_sets(self, problem):
        p: cython.int
        o: cython.int
        one: cython.ulonglong = 1
        self.sets = _zero_words(2 * cython.cast(cython.Py_ssize_t, self.options) + 1, self.hold)
        for o in range(self.options):
            for p in range(self.starts[o], self.starts[o + 1]):
                self.sets[2 * o + (self.members[p] >> 6)] |= one << (self.members[p] & 63)
        for p in range(problem.items):
            if self.low[p] > 0 and p < 64:
                self.must |= one << p
            elif self.low[p] > 0:
                self.more |= one << (p & 63)

    def first_wrong(self, answers: list) -> cython.Py_ssize_t:
        """The index of the first tuple of option numbers that is not an answer; -1 if all are answers."""
        at: cython.Py_ssize_t
        k: cython.Py_ssize_t
        size: cython.Py_ssize_t
        answer: tuple
        for at in range(len(answers)):
            answer = answers[at]
            size = len(answer)
            if size > self.options:
                return at
            for k in range(size):
                self.row[k] = answer[k]
            if not self._is_right(self.row, size):
                return at
        return -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_right(self, answer: cython.p_int, size: cython.Py_ssize_t) -> cython.bint:
        """Whether `size` option numbers are an answer, checked in the way that is best for the problem."""
        if self.stamp == MOST:
            self.stamp = 0
            for k in range(self.options):
                self.chosen[k] = 0
            for k in range(self.items):
                self.stamped[k] = 0
        self.stamp += 1
        if self.paired:
            return self._is_paired(answer, size)
        if self.exact:
            return self._is_exact(answer, size)
        return self._holds(answer, size)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_paired(self, answer: cython.p_int, size: cython.Py_ssize_t) -> cython.bint:
        """The same as `_holds`, on sets of two words, if no item may be met twice."""
        k: cython.Py_ssize_t
        o: cython.int
        last: cython.int = -1
        gift: cython.int = 0
        wrong: cython.ulonglong = 0
        seen: cython.ulonglong = 0
        rest: cython.ulonglong = 0
        options: cython.int = self.options
        sets: cython.p_ulonglong = self.sets
        given: cython.p_int = self.given
        gifts: cython.int = self.gifts
        for k in range(size):
            o = answer[k]
            if o <= last or o >= options:
                return False
            last = o
            if gift < gifts and given[gift] == o:
                gift += 1
            wrong |= (seen & sets[2 * o]) | (rest & sets[2 * o + 1])
            seen |= sets[2 * o]
            rest |= sets[2 * o + 1]
        wrong |= (self.must & ~seen) | (self.more & ~rest)
        return wrong == 0 and gift == gifts

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_exact(self, answer: cython.p_int, size: cython.Py_ssize_t) -> cython.bint:
        """The same as `_holds`, item by item, if no item may be met twice."""
        k: cython.Py_ssize_t
        o: cython.int
        p: cython.int
        i: cython.int
        last: cython.int = -1
        gift: cython.int = 0
        met: cython.int = 0
        twice: cython.int = 0
        stamp: cython.int = self.stamp
        options: cython.int = self.options
        starts: cython.p_int = self.starts
        members: cython.p_int = self.members
        given: cython.p_int = self.given
        gifts: cython.int = self.gifts
        wanted: cython.int = self.wanted  # items: the first ones, since those that must be met come first
        stamped: cython.p_int = self.stamped  # local names: C must assume that any store changes the fields
        for k in range(size):
            o = answer[k]
            if o <= last or o >= options:
                return False
            last = o
            if gift < gifts and given[gift] == o:
                gift += 1
            for p in range(starts[o], starts[o + 1]):
                i = members[p]
                twice |= stamped[i] == stamp
                stamped[i] = stamp
                met += i < wanted
        return twice == 0 and met == wanted and gift == gifts

    @cython.cfunc
    @cython.exceptval(check=False)
    def _holds(self, answer: cython.p_int, size: cython.Py_ssize_t) -> cython.bint:
        """Whether `size` option numbers are an answer, for any problem."""
        k: cython.Py_ssize_t
        o: cython.int
        p: cython.int
        i: cython.int
        c: cython.int
        t: cython.int
        last: cython.int = -1
        gift: cython.int = 0
        touched: cython.int = 0
        reached: cython.int = 0
        right: cython.bint = True
        for k in range(size):
            o = answer[k]
            if o <= last or o >= self.options:
                right = False
                break
            last = o
            if gift < self.gifts and self.given[gift] == o:
                gift += 1
            for p in range(self.starts[o], self.starts[o + 1]):
                i = self.members[p]
                c = self.colours[p] if self.tinted else 0
                if self.met[i] == 0:
                    self.touched[touched] = i
                    touched += 1
                    self.met[i] = 1
                    self.shown[i] = c
                    if self.low[i] > 0:
                        reached += 1
                elif c == 0 or self.shown[i] != c:
                    # The colours differ, or one option has none: the item is met once more. Two colours are wrong.
                    if c != 0 and self.shown[i] != 0:
                        right = False
                    self.met[i] += 1
        right = right and gift == self.gifts and reached == self.wanted
        for t in range(touched):
            i = self.touched[t]
            if not self.low[i] <= self.met[i] <= self.high[i]:
                right = False
            self.met[i] = 0
        return right
