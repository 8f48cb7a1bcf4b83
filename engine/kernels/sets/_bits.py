# ruff: noqa: SIM108 (the branch that is not compiled must be an else)
"""Exact cover on sets of options: there are no links, and levels are copied, so nothing needs to be undone.

**Data.** A *level* is a node with more than one way, together with the ways not yet tried. It has

    alive   the set of the options that exclude none of those taken, in `words` words of 64 bits; from one level to the
            next there are `stride` words
    active  the set of the items still to be covered, in `across` words of 64 bits
    counts  how many alive options hold each active item
    dead_items
            the items that have no option left other than the ways of the level
    left    how many items are still to be covered
    row     the ways: the options still to be tried, which are rows[next:end]
    mark    the length of `path`, that is, how many options had been taken when the node was reached
    weight  the part of the whole tree that lies below the node, if the ways of every node are taken to be equally
            large; share: the part below each of its ways. Both serve only to report progress

To take an option, a level is copied to the next one, and `alive` is intersected with the option's compatible set. The
options that this removes are subtracted from the counts. As soon as a count is known to be 0, the node is given up. If
sets are long, the two items that most recently ran out of options are checked first (`suspect`).
The ways of a node exclude each other, so they are removed from the level once, before the first is tried. A
node with a single way gets no level of its own: the way is taken in place. So is the last way of any node.

When every item is covered, each free option that is alive (see masks.py) may be taken or left: the
first one is removed from the level and taken, and the search then goes on without it.

**Counting** may keep a memo of how many answers there are below a node (_memo.py). Where a node has several ways, and
the memo is not switched off, the search pauses with the code RECALL; where a framed level is done, with CLOSE.

`nodes` counts the root and every option taken, as in every kernel, including nodes that are given up while their
counts are lowered. `updates` counts the options removed on the way from one node with several ways to the next one
below it, the ways themselves included. What is removed on the way to an answer, in nodes given up, or below the last
way but one, is not counted.

Forced options are taken several at a time where that pays (_wide_rounds.h), with the same nodes and answers.

If a way leaves no more items than the smallest option holds, every option that holds one of these items holds all of
them. Such last ways are counted by an intersection, and listed only if the answers themselves are wanted.

**The search** is in _wide.h, for registers of every width and for words of 64 bits; plain_bits.py is the same without a
compiler. What is written here is how it is begun, paused and asked.

Sources: Knuth, TAOCP 7.2.2.1, for the search. Bit sets instead of links are common in constraint solvers
(Demeulenaere et al., "Compact-Table", 2016). Counts, copying and giving up early are measured choices of ours.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.sets._memo import AnswerMemo
    from cython.cimports.covr.engine.kernels.sets._wide import (
        BACK,
        END,
        ENTER,
        HIDE,
        OPEN,
        START,
        lanes_widest,
        wide_alive,
        wide_begin,
        wide_close,
        wide_lanes,
        wide_open,
        wide_run,
        wide_stride,
    )
    from cython.cimports.covr.engine.kernels.shared._kernel import CLOSE, GROW, RECALL, KernelBase
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _longs, _reals, _words, _zero_ints, _zero_words
else:
    from covr.engine.kernels.header import BITS_BACK as BACK
    from covr.engine.kernels.header import BITS_END as END
    from covr.engine.kernels.header import BITS_ENTER as ENTER
    from covr.engine.kernels.header import BITS_HIDE as HIDE
    from covr.engine.kernels.header import BITS_OPEN as OPEN
    from covr.engine.kernels.header import BITS_START as START
    from covr.engine.kernels.header import CLOSE, GROW, RECALL
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.sets.plain_bits import PlainBits
    from covr.engine.kernels.shared.arrays import _ints, _longs, _reals, _words, _zero_ints, _zero_words

    KernelBase = load("_kernel", interpreted=True).KernelBase
    AnswerMemo = load("_memo", interpreted=True).AnswerMemo

COMPILED = cython.compiled

MOST = cython.declare(cython.longlong, 1 << 62)  # answers: more than any search finds, so no limit
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)  # a word of 64 ones


def widest():
    """How many bits the widest registers of this processor have that the search can use; 0 if interpreted."""
    if cython.compiled:
        return max(lanes_widest(512), 64)
    return 0


@cython.final
@cython.cclass
class Bits(KernelBase):
    """A kernel (see loading.py) that searches the masks of a problem. The module describes its arrays."""

    depth: cython.int
    items: cython.int
    across: cython.Py_ssize_t  # words in a set of items
    one: cython.ulonglong  # 1, as a word
    options: cython.int
    free: cython.int
    words: cython.int
    stride: cython.Py_ssize_t  # words from one level's alive set to the next
    begin: cython.p_int
    members: cython.p_int
    holders: cython.p_ulonglong
    compatible: cython.p_ulonglong
    alive: cython.p_ulonglong
    active: cython.p_ulonglong
    held: cython.p_ulonglong
    left: cython.p_int
    rows: cython.p_int
    next: cython.p_int
    end: cython.p_int
    weight: cython.p_double
    share: cython.p_double
    mark: cython.p_int
    path: cython.p_int
    counting: cython.bint
    memo: AnswerMemo
    native: cython.p_void  # the state of _wide.h's search
    plain: object  # the same search, interpreted
    where: cython.p_longlong  # where the search stands: nodes, updates, answers, level, depth, state
    numbers: list
    places: cython.Py_ssize_t  # one more than the largest of `numbers`; -1 while `place` is not filled in
    place: cython.p_int

    def __init__(self, masks, feasible, memory=None, widest=512):
        """masks: a `Masks` of prepare/masks.py.  feasible: False if it is known that there are no answers.  memory:
        None to list answers one by one; a number to count them, with a memo of at most so many bytes.  widest: how
        many bits the registers may have, at least 64.

        Takes time and space linear in the size of the masks. Raises MemoryError.
        """
        super().__init__()
        items: int = masks.items
        options: int = masks.options
        words: int = masks.words
        levels: int = items + (options - masks.free) + 2
        hold: list = self.hold
        across: int = max(1, (items + 63) // 64)
        self.items = items
        self.across = across
        self.one = 1
        self.options = options
        self.free = masks.free
        self.words = words
        self.begin = _ints(list(masks.begin), hold)
        self.members = _ints(list(masks.members), hold)
        self.holders = _words(masks.holders, hold)
        self.compatible = _words(masks.compatible, hold)
        self.active = _zero_words(levels * across + 1, hold)
        self.held = _zero_words((options + 1) * across + 1, hold)
        self.left = _zero_ints(levels + 1, hold)
        self.rows = _zero_ints(options + 7, hold)
        self.next = _zero_ints(levels + 1, hold)
        self.end = _zero_ints(levels + 1, hold)
        self.weight = _reals([1.0] + [0.0] * levels, hold)
        self.share = _reals([0.0] * levels, hold)
        self.mark = _zero_ints(levels + 1, hold)
        self.path = _zero_ints(levels + 9, hold)
        self._write_items()
        self.left[0] = items
        self.counting = memory is not None
        self.memo = AnswerMemo(masks, levels, memory)
        self.numbers = list(masks.numbers)
        self.places = -1
        self.place = _zero_ints(1, hold)
        self.depth = 0
        self.state = START if feasible else END
        self.where = _longs([0] * 6, hold)
        self._open(_ints(masks.sizes, hold), widest, levels)
        for k in range(words):
            self.alive[k] = WORD
        self.alive[words - 1] = WORD >> (64 * words - options) if options > 0 else 0
        if feasible:
            self._begin()

    @cython.cfunc
    def _write_items(self):
        """Fill in `held`, and the root's `active`."""
        across: cython.Py_ssize_t = self.across
        b: cython.Py_ssize_t
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for b in range(self.options):
            for k in range(self.begin[b], self.begin[b + 1]):
                i = self.members[k]
                self.held[b * across + (i >> 6)] |= self.one << (i & 63)
        for i in range(self.items):
            self.active[i >> 6] |= self.one << (i & 63)

    @cython.cfunc
    def _open(self, sizes: cython.p_int, widest: cython.int, levels: cython.int):
        """Make the search. sizes: per item, how many options hold it."""
        self.stride = self.words
        if cython.compiled:
            self.native = wide_open(
                widest,
                self.options,
                self.free,
                self.words,
                self.items,
                levels,
                self.counting and self.memo.buckets > 0,
                self.begin,
                self.members,
                sizes,
                self.holders,
                self.compatible,
                self.held,
                self.active,
                self.left,
                self.rows,
                self.next,
                self.end,
                self.mark,
                self.path,
                self.memo.frame,
                self.memo.skip,
                self.weight,
                self.share,
            )
            if self.native == cython.NULL:
                raise MemoryError
            self.alive = wide_alive(self.native)
            self.stride = wide_stride(self.native)
        else:
            self.alive = _zero_words(levels * self.words, self.hold)
            self.plain = PlainBits(self)

    @cython.cfunc
    def _begin(self):
        """Count the options of each item at the root, whose sets are made."""
        if cython.compiled:
            wide_begin(self.native)
        else:
            self.plain.begin()  # type: ignore[attr-defined]

    def __dealloc__(self):
        if cython.compiled:
            wide_close(self.native)

    @property
    def lanes(self):
        """How many bits the registers have on which it searches; 0 if interpreted."""
        if cython.compiled:
            return wide_lanes(self.native)
        return 0

    @property
    def answers(self):
        """How many answers were found so far; when counting, those in the accounts of open levels are included."""
        if not self.counting:
            return self._answers
        return self._answers + self.memo.counted(self.level + 2)

    def fraction(self):
        """How much of the tree is done, from 0 to 1, if the ways of every node share equally."""
        if self.state == START:
            return 0.0
        rest = 0.0
        for k in range(self.level + (0 if self.state in (BACK, END) else 1)):
            if (k == self.level and self.state in (ENTER, HIDE, OPEN)) or self.left[k] == 0:
                rest += self.weight[k]
            else:
                rest += self.share[k] * (self.end[k] - self.next[k])
        return min(max(1.0 - rest, 0.0), 1.0)

    @property
    def spared(self):
        """How many nodes the memo has saved: the sum of the worths of the entries found."""
        return self.memo.spared

    def run(self, nodes: cython.longlong, answers: cython.longlong):
        """Search for at most `nodes` more nodes and `answers` more answers; when counting, answers do not stop it."""
        code: cython.int
        end: cython.longlong = self._nodes + nodes
        until: cython.longlong = MOST if self.counting else self._answers + answers
        self._code = -1
        while True:
            with cython.nogil:
                code = self._run(end, until)
            if code != GROW:
                break
            self.memo.grow()
        self._code = code
        return code

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        code: cython.int
        level: cython.int
        base: cython.Py_ssize_t
        grow: cython.bint
        where: cython.p_longlong = self.where
        where[0] = self._nodes
        where[1] = self._updates
        where[2] = self._answers
        where[3] = self.level
        where[4] = self.depth
        where[5] = self.state
        while True:
            if cython.compiled:
                code = wide_run(self.native, end, until, where)
            else:
                code = self.plain.run(end, until, where)  # type: ignore[attr-defined]
            level = cython.cast(cython.int, where[3])
            if code == RECALL:
                base = level * self.stride
                where[5] = HIDE
                if self.memo.recall(level, self.left[level], self.alive, base, where[0], where[2]):
                    where[5] = BACK
                else:
                    where[2] = 0
            elif code == CLOSE:
                grow = self.memo.close(level, where[0], where[2])
                where[2] = 0
                where[5] = BACK
                if grow:
                    code = GROW
                    break
            else:
                break
        self._nodes = where[0]
        self._updates = where[1]
        self._answers = where[2]
        self.level = cython.cast(cython.int, where[3])
        self.depth = cython.cast(cython.int, where[4])
        self.state = cython.cast(cython.int, where[5])
        return code

    def answer(self):
        """The options taken, increasing."""
        return sorted([self.numbers[self.path[k]] for k in range(self.depth)])

    def restart(self, alive: list, active: list, left: cython.int, anew: cython.bint = False):
        """Start again at another node. The memo is kept, and so are `nodes` and `updates`, unless `anew` resets them.

        alive: the set of the options alive there.  active: the set of the items still to be covered.  left: how many
        these are. Both sets are lists of words of 64 bits. Time linear in the length of the options alive.
        """
        words: cython.Py_ssize_t = self.words
        k: cython.Py_ssize_t
        for k in range(words):
            self.alive[k] = alive[k]
        for k in range(self.across):
            self.active[k] = active[k]
        self._restart(left, anew)

    def descend(self, taken, excluded):
        """Start again at the node where some options are taken and others excluded. All counters are set to 0.

        taken, excluded: numbers of the problem. Those taken must be alive at the root and compatible with each other;
        those excluded may be any. Time linear in the size of the holders' sets.
        """
        words: cython.Py_ssize_t = self.words
        across: cython.Py_ssize_t = self.across
        k: cython.Py_ssize_t
        o: cython.Py_ssize_t
        b: cython.Py_ssize_t
        left: cython.int = self.items
        x: cython.ulonglong
        if self.places < 0:
            self._find_places()
        for k in range(words):
            self.alive[k] = WORD
        self.alive[words - 1] = WORD >> (64 * words - self.options) if self.options > 0 else 0
        for k in range(across):
            self.active[k] = 0
        for k in range(self.items):
            self.active[k >> 6] |= self.one << (k & 63)
        for o in taken:
            b = self.place[o]
            left -= self.begin[b + 1] - self.begin[b]
            for k in range(words):
                self.alive[k] &= self.compatible[b * words + k]
            for k in range(across):
                self.active[k] &= ~self.held[b * across + k]
        for o in excluded:
            b = self.place[o] if o < self.places else -1
            if b >= 0:
                x = self.one << (b & 63)
                self.alive[b >> 6] &= ~x
        self._restart(left, True)

    @cython.cfunc
    def _find_places(self):
        """Fill in `place`: the option of that number, or -1."""
        k: cython.Py_ssize_t
        o: cython.Py_ssize_t
        self.places = max(self.numbers, default=-1) + 1
        self.place = _zero_ints(self.places, self.hold)
        for k in range(self.places):
            self.place[k] = -1
        for k in range(self.options):
            o = self.numbers[k]
            self.place[o] = cython.cast(cython.int, k)

    @cython.cfunc
    def _restart(self, left: cython.int, anew: cython.bint):
        """Start at the root that `alive` and `active` describe. left: how many items are active."""
        self.memo.restart()
        self.left[0] = left
        self.weight[0] = 1.0
        self.level = self.depth = 0
        self._answers = 0
        if anew:
            self._nodes = self._updates = 0
        self._code = -1
        self.state = START
        self._begin()
