# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef"
# ruff: noqa: RET505 (the branch that is not compiled must be an else)
"""Exact cover on sets of options: nothing is linked, nothing is undone.

**Data.** A *level* is a node with more than one way, and what is left of its ways. It has

    alive   the set of the options that exclude none of those taken: `words` words
    count   per item that is still to be covered, how many alive options hold it: 16 bits; DONE_ITEM or a little
            less for an item that is covered
    left    how many items are still to be covered
    row     the ways: the options to be tried, a run of `rows` from next to end
    mark    how many options were taken when the node was met: the length of `path`

To take an option is to copy a level to the next one, and-ing `alive` with the option's compatible set; every
option that this removes lowers the counts of its items, and as soon as one of them is 0 the node is given up.
The ways of a node exclude each other, so they are removed from the level once, before the first is tried. A
node with one way is no level, it is taken in place; so is the last way of any node.

When every item is covered, the free options that are alive (see masks.py) may each be taken or left: the
first one is removed from the level and taken, and what follows goes without it.

`nodes` counts the root and every option taken, like every kernel; a node that is given up while its counts
are lowered is one, too. `updates` counts the counts lowered.

Sources: Knuth, TAOCP 7.2.2.1, for the search. Bit sets instead of links are folklore of constraint solvers
(Demeulenaere et al., "Compact-Table", 2016); copying and giving up early are measured choices of ours.
"""

from __future__ import annotations

from array import array

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine import _shim as cython

if cython.compiled:
    from cython.cimports.engine._words import lowest  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.words import lowest

COMPILED = cython.compiled

SLICE = cython.declare(cython.int, 0)
FOUND = cython.declare(cython.int, 1)
DONE = cython.declare(cython.int, 2)

START = cython.declare(cython.int, 0)  # nothing was looked at
ENTER = cython.declare(cython.int, 1)  # a node is at hand, counted, its counts right
NEXT = cython.declare(cython.int, 2)  # the next way of the level is to be taken
FREE = cython.declare(cython.int, 3)  # every item is covered
BACK = cython.declare(cython.int, 4)  # the level is done
END = cython.declare(cython.int, 5)

DONE_ITEM = cython.declare(cython.short, 32767)  # less MOST_HELD, it is more than any count


@cython.cfunc
def _ints(values: list, hold: list) -> cython.p_int:
    """The numbers as a C array that lives as long as `hold`; interpreted: the list itself."""
    if cython.compiled:
        numbers = array("i", [*values, 0])
        hold.append(numbers)
        view: cython.int[::1] = numbers
        return cython.address(view[0])
    else:
        return [*values, 0]


@cython.cfunc
def _shorts(size: cython.Py_ssize_t, hold: list) -> cython.p_short:
    """Room for so many counts, all 0."""
    if cython.compiled:
        numbers = array("h", bytes(2 * size))
        hold.append(numbers)
        view: cython.short[::1] = numbers
        return cython.address(view[0])
    else:
        return [0] * size


@cython.cfunc
def _words(words, hold: list) -> cython.p_ulonglong:
    """The words as a C array."""
    if cython.compiled:
        hold.append(words)
        view: cython.ulonglong[::1] = words
        return cython.address(view[0])
    else:
        return words


def _zeros(size):
    return array("Q", bytes(8 * size)) if cython.compiled else [0] * size


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _strike(
    source: cython.p_ulonglong,
    from_: cython.Py_ssize_t,
    target: cython.p_ulonglong,
    to: cython.Py_ssize_t,
    mask: cython.p_ulonglong,
    keep: cython.Py_ssize_t,
    words: cython.int,
    count: cython.p_short,
    at: cython.Py_ssize_t,
    begin: cython.p_int,
    members: cython.p_int,
) -> cython.longlong:
    """Let target be source & mask and lower the counts of what goes. Returns how many were lowered; less 1 and
    negated if one of them is 0 now, which is as far as it goes."""
    updates: cython.longlong = 0
    w: cython.int
    k: cython.int
    b: cython.int
    first: cython.int
    last: cython.int
    x: cython.ulonglong
    y: cython.ulonglong
    for w in range(words):
        x = source[from_ + w]
        y = x & mask[keep + w]
        target[to + w] = y
        x ^= y
        while x != 0:
            b = (w << 6) + lowest(x)
            x &= x - 1
            first = begin[b]
            last = begin[b + 1]
            for k in range(first, last):
                count[at + members[k]] -= 1
                if count[at + members[k]] == 0:
                    return -1 - (updates + (k - first + 1))
            updates += last - first
    return updates


@cython.final
@cython.cclass
class Bits:
    """A kernel (see kernels.py) on the masks of a problem."""

    _nodes: cython.longlong
    _updates: cython.longlong
    _answers: cython.longlong
    _code: cython.int
    state: cython.int
    level: cython.int
    depth: cython.int
    items: cython.int
    stride: cython.int  # of `count`: items, and some more that are never covered
    options: cython.int
    free: cython.int
    words: cython.int
    begin: cython.p_int
    members: cython.p_int
    holders: cython.p_ulonglong
    compatible: cython.p_ulonglong
    alive: cython.p_ulonglong
    count: cython.p_short
    left: cython.p_int
    rows: cython.p_int
    next: cython.p_int
    end: cython.p_int
    mark: cython.p_int
    path: cython.p_int
    numbers: list
    hold: list

    def __init__(self, masks, feasible):
        """Time and space linear in the size of the masks."""
        items: int = masks.items
        options: int = masks.options
        words: int = masks.words
        levels: int = items + (options - masks.free) + 2
        hold: list = []
        one: cython.ulonglong = 1
        self.items = items
        self.stride = (items + 15) // 16 * 16
        self.options = options
        self.free = masks.free
        self.words = words
        self.begin = _ints(list(masks.begin), hold)
        self.members = _ints(list(masks.members), hold)
        self.holders = _words(masks.holders, hold)
        self.compatible = _words(masks.compatible, hold)
        self.alive = _words(_zeros(levels * words), hold)
        self.count = _shorts(levels * self.stride + 1, hold)
        self.left = _ints([0] * levels, hold)
        self.rows = _ints([0] * options, hold)
        self.next = _ints([0] * levels, hold)
        self.end = _ints([0] * levels, hold)
        self.mark = _ints([0] * levels, hold)
        self.path = _ints([0] * levels, hold)
        for b in range(options):
            self.alive[b >> 6] |= one << (b & 63)
        for i in range(self.stride):
            self.count[i] = masks.sizes[i] if i < items else DONE_ITEM
        self.left[0] = items
        self.numbers = list(masks.numbers)
        self.hold = hold
        self.level = self.depth = 0
        self._nodes = self._updates = self._answers = 0
        self._code = -1
        self.state = START if feasible else END

    @property
    def nodes(self):
        return self._nodes

    @property
    def updates(self):
        return self._updates

    @property
    def answers(self):
        return self._answers

    @property
    def code(self):
        return self._code

    def run(self, nodes: cython.longlong, answers: cython.longlong):
        """Search on for at most so many nodes and answers."""
        code: cython.int
        self._code = -1
        with cython.nogil:
            code = self._run(self._nodes + nodes, self._answers + answers)
        self._code = code
        return code

    def answer(self):
        """The options taken, in the order they were taken."""
        return [self.numbers[self.path[k]] for k in range(self.depth)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        words: cython.Py_ssize_t = self.words
        stride: cython.Py_ssize_t = self.stride
        begin: cython.p_int = self.begin
        members: cython.p_int = self.members
        holders: cython.p_ulonglong = self.holders
        compatible: cython.p_ulonglong = self.compatible
        alive: cython.p_ulonglong = self.alive
        count: cython.p_short = self.count
        left: cython.p_int = self.left
        rows: cython.p_int = self.rows
        path: cython.p_int = self.path
        any_free: cython.bint = self.free < self.options
        nodes: cython.longlong = self._nodes
        updates: cython.longlong = self._updates
        answers: cython.longlong = self._answers
        level: cython.int = self.level
        depth: cython.int = self.depth
        state: cython.int = self.state
        code: cython.int = DONE
        at: cython.Py_ssize_t = level * words
        to: cython.Py_ssize_t
        keep: cython.Py_ssize_t
        here: cython.Py_ssize_t = level * stride
        there: cython.Py_ssize_t
        lowered: cython.longlong
        least: cython.short
        i: cython.int
        k: cython.int
        b: cython.int
        w: cython.int
        r: cython.int
        after: cython.int
        x: cython.ulonglong
        one: cython.ulonglong = 1
        while state != END:
            if state == ENTER:
                # The item with the fewest ways.
                least = DONE_ITEM
                for k in range(stride):
                    least = count[here + k] if count[here + k] < least else least
                if least == 0:
                    state = BACK
                    continue
                i = 0
                while count[here + i] != least:
                    i += 1
                keep = i * words
                if least == 1:
                    # Forced: taken in place.
                    if nodes >= end:
                        code = SLICE
                        break
                    nodes += 1
                    w = 0
                    while alive[at + w] & holders[keep + w] == 0:
                        w += 1
                    b = (w << 6) + lowest(alive[at + w] & holders[keep + w])
                    path[depth] = b
                    depth += 1
                    left[level] -= begin[b + 1] - begin[b]
                    if left[level] == 0 and not any_free:
                        state = BACK
                        answers += 1
                        if answers >= until:
                            code = FOUND
                            break
                        continue
                    for k in range(begin[b], begin[b + 1]):
                        count[here + members[k]] = DONE_ITEM
                    keep = b * words
                    lowered = _strike(alive, at, alive, at, compatible, keep, words, count, here, begin, members)
                    if lowered < 0:
                        updates -= lowered + 1
                        state = BACK
                        continue
                    updates += lowered
                    if left[level] == 0:
                        state = FREE
                    continue
                # A level: list the ways and strike them.
                r = self.end[level - 1] if level > 0 else 0
                self.next[level] = r
                self.mark[level] = depth
                if left[level] == 1 and not any_free:
                    for w in range(words):
                        x = alive[at + w] & holders[keep + w]
                        while x != 0:
                            rows[r] = (w << 6) + lowest(x)
                            r += 1
                            x &= x - 1
                else:
                    for w in range(words):
                        x = alive[at + w] & holders[keep + w]
                        alive[at + w] ^= x
                        while x != 0:
                            b = (w << 6) + lowest(x)
                            rows[r] = b
                            r += 1
                            x &= x - 1
                            for k in range(begin[b], begin[b + 1]):
                                count[here + members[k]] -= 1
                            updates += begin[b + 1] - begin[b]
                self.end[level] = r
                state = NEXT
            elif state == NEXT:
                r = self.next[level]
                if r == self.end[level]:
                    state = BACK
                    continue
                if nodes >= end:
                    code = SLICE
                    break
                nodes += 1
                b = rows[r]
                r += 1
                self.next[level] = r
                depth = self.mark[level]
                path[depth] = b
                depth += 1
                after = left[level] - (begin[b + 1] - begin[b])
                if after == 0 and not any_free:
                    answers += 1
                    if answers >= until:
                        code = FOUND
                        break
                    continue
                to = at
                there = here
                if r < self.end[level]:
                    to += words
                    there += stride
                    for k in range(stride):
                        count[there + k] = count[here + k]
                for k in range(begin[b], begin[b + 1]):
                    count[there + members[k]] = DONE_ITEM
                keep = b * words
                lowered = _strike(alive, at, alive, to, compatible, keep, words, count, there, begin, members)
                if lowered < 0:
                    updates -= lowered + 1
                    continue
                updates += lowered
                if to != at:
                    level += 1
                    at = to
                    here = there
                left[level] = after
                state = ENTER if after else FREE
            elif state == FREE:
                w = self.free >> 6
                while w < words and alive[at + w] == 0:
                    w += 1
                if w == words:
                    state = BACK
                    answers += 1
                    if answers >= until:
                        code = FOUND
                        break
                    continue
                if nodes >= end:
                    code = SLICE
                    break
                nodes += 1
                b = (w << 6) + lowest(alive[at + w])
                alive[at + w] ^= one << (b & 63)
                self.next[level] = self.end[level] = self.end[level - 1] if level > 0 else 0
                self.mark[level] = depth
                path[depth] = b
                depth += 1
                keep = b * words
                for w in range(words):
                    alive[at + words + w] = alive[at + w] & compatible[keep + w]
                level += 1
                at += words
                here += stride
                left[level] = 0
            elif state == BACK:
                if level == 0:
                    state = END
                    break
                level -= 1
                at -= words
                here -= stride
                state = NEXT
                if left[level] == 0:
                    depth = self.mark[level]
                    state = FREE
            else:
                if nodes >= end:
                    code = SLICE
                    break
                nodes += 1
                state = ENTER if left[0] else FREE
        self._nodes = nodes
        self._updates = updates
        self._answers = answers
        self.level = level
        self.depth = depth
        self.state = state
        return code
