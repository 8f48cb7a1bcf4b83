# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef"
"""Check that answers are answers: the same rules as check.py, compiled, in one step for each member of an option.

The checker is made from the problem itself and shares nothing with any search: no lists, no masks, no order of options.
When it rejects an answer, check.py says why.

    starts, members, colours, low, high   the problem
    given    the options that every answer takes
    met      per item, how often the current answer meets it; all 0 between two answers
    shown    per item, the colour it shows in the current answer, or 0
    touched  the items that were met, so that only these need clearing afterwards
    wanted   how many items must be met at least once; an answer must meet exactly as many of them

Where every item may be met at most once and there are no colours, an option is a set of items: `words` words of 64 bits
in `sets`. No item may be in two of them, and every item that must be met (`must`) is in one. `seen` is the set of
the items that the current answer meets. This takes a third of the time.
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels._memory import _ints, _zero_ints, _zero_words  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels._memory import _ints, _zero_ints, _zero_words

COMPILED = cython.compiled

MOST_WORDS = cython.declare(cython.Py_ssize_t, 1 << 21)  # words of 64 bits that `sets` may take: 16 MB
MOST = cython.declare(cython.int, 2000000000)  # options: larger bounds are read as this, so that they fit 32 bits


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
    options: cython.int
    wanted: cython.int
    gifts: cython.int
    words: cython.int
    sets: cython.p_ulonglong
    must: cython.p_ulonglong
    seen: cython.p_ulonglong
    hold: list

    def __init__(self, problem):
        """Time and space linear in the length of the options."""
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
        self.options = problem.options
        self.wanted = sum([lo > 0 for lo in problem.low])
        words: cython.Py_ssize_t = (problem.items + 63) // 64
        exact = not problem.colours and set(problem.high) <= {1} and set(problem.low) <= {0, 1}
        self.words = words if exact and 0 < words * problem.options <= MOST_WORDS else 0
        if self.words:
            self._make_sets(problem)

    def first_wrong_of(self, options, ends, counts, gifts, begin):
        """The number of the first instance of a batch (see batch.py) with a wrong answer; -1 if all are right.

        An answer is wrong if it breaks a rule, lacks an option given to its instance, or repeats the answer before it.

        options, ends, counts: as in `BatchResult`.  gifts, begin: the options given to instance k are
        gifts[begin[k]:begin[k + 1]]; numbers below 0 are blanks.
        """
        at: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t = 0
        for k in range(len(counts)):
            given = {o for o in gifts[begin[k] : begin[k + 1]] if o >= 0}
            before: tuple = ()
            for a in range(max(counts[k], 0)):
                answer: tuple = tuple(options[first : ends[at]])
                first = ends[at]
                at += 1
                right: cython.bint = self._is_exact(answer) if self.words else self._holds(answer)
                if not right or not given.issubset(answer) or (a > 0 and answer == before):
                    return k
                before = answer
        return -1

    def _make_sets(self, problem):
        p: cython.int
        o: cython.int
        one: cython.ulonglong = 1
        self.sets = _zero_words(cython.cast(cython.Py_ssize_t, self.words) * self.options, self.hold)
        for o in range(self.options):
            for p in range(self.starts[o], self.starts[o + 1]):
                self.sets[self.words * o + (self.members[p] >> 6)] |= one << (self.members[p] & 63)
        self.must = _zero_words(self.words, self.hold)
        for p in range(problem.items):
            if self.low[p] > 0:
                self.must[p >> 6] |= one << (p & 63)
        self.seen = _zero_words(self.words, self.hold)

    def first_wrong(self, answers: list) -> cython.Py_ssize_t:
        """The index of the first tuple of option numbers that is not an answer; -1 if all are answers."""
        at: cython.Py_ssize_t
        answer: tuple
        for at in range(len(answers)):
            answer = answers[at]
            if not (self._is_exact(answer) if self.words else self._holds(answer)):
                return at
        return -1

    @cython.cfunc
    def _is_exact(self, answer: tuple) -> cython.bint:
        """The same as `_holds`, on sets of words."""
        size: cython.Py_ssize_t = len(answer)
        words: cython.int = self.words
        k: cython.Py_ssize_t
        w: cython.int
        o: cython.int
        last: cython.int = -1
        gift: cython.int = 0
        wrong: cython.ulonglong = 0
        for w in range(words):
            self.seen[w] = 0
        for k in range(size):
            o = answer[k]
            if o <= last or o >= self.options:
                return False
            last = o
            if gift < self.gifts and self.given[gift] == o:
                gift += 1
            for w in range(words):
                wrong |= self.seen[w] & self.sets[words * o + w]
                self.seen[w] |= self.sets[words * o + w]
        for w in range(words):
            wrong |= self.must[w] & ~self.seen[w]
        return wrong == 0 and gift == self.gifts

    @cython.cfunc
    def _holds(self, answer: tuple) -> cython.bint:
        size: cython.Py_ssize_t = len(answer)
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
                    # An item shows one colour at most: here two differ, or an option with a colour meets one without.
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
