# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# mypy: disable-error-code="untyped-decorator, no-untyped-def, no-untyped-call, type-arg, no-redef, has-type"
# ruff: noqa: RET505 (the branch that is not compiled must be an else)
"""Exact cover on sets of options: there are no links, and levels are copied, so nothing needs to be undone.

**Data.** A *level* is a node with more than one way, together with the ways not yet tried. It has

    alive   the set of the options that exclude none of those taken, in `words` words of 64 bits. Only the first
            `nonzero_count` words listed in `nonzero_words` are valid; read the others as 0
    active  the set of the items still to be covered, in `across` words of 64 bits
    plane   how many alive options hold each active item, in bit planes: plane p holds bit p of every count, so a few
            operations lower, compare or test 64 counts at once. `high` is the number of planes in use
    dead_items
            the items that have no option left other than the ways of the level
    left    how many items are still to be covered
    row     the ways: the options still to be tried, which are rows[next:end]
    mark    the length of `path`, that is, how many options had been taken when the node was reached
    weight  the part of the whole tree that lies below the node, if the ways of every node are taken to be equally
            large; share: the part below each of its ways. Both serve only to report progress

To take an option, a level is copied to the next one, and `alive` is intersected with the option's compatible set. The
options that this removes are listed in `gone` and then subtracted from the counts: seven at a time by full adders, or
one by one if there are many items. As soon as a count is 0, the node is given up. If sets are long, the two items
that most recently ran out of options are checked first (`suspects`).
The ways of a node exclude each other, so they are removed from the level once, before the first is tried. A
node with a single way gets no level of its own: the way is taken in place. So is the last way of any node.

When every item is covered, each free option that is alive (see masks.py) may be taken or left: the
first one is removed from the level and taken, and the search then goes on without it.

**Counting** may keep a memo of how many answers there are below a node. Once it is known that every item still has an
option, the set of alive options determines everything below the node. So this set is the key; it is stored and compared
in full. The number of answers fits in `limbs` words; see `_limbs`. When a node is not found in the memo it is
*framed*: the answers below it are added to an account of its own, which is stored when the node is done.

    frame[l]    1 if level l is framed
    account     where answers are added now: 0, or 1 + the innermost framed level; owner[l]: the account outside level l
    sums        per account its number of answers: `limbs` words, lowest first
    hash[l], keys, since[l]   a framed level's hash, its key, and the value of `nodes` when it was framed
    table       buckets of WAYS entries: hash, worth, number, key. An entry of worth 0 is empty. The worth is the number
                of nodes below; when a bucket is full, the entry of least worth is dropped and its worth is subtracted
                from the others (GreedyDual), so that entries which are not found again eventually lose their place
    tried, saved, skip, pause   per number of items left: the look-ups since the last check, and the nodes they
                saved; how many more nodes are searched without the memo; how many that will be the next time

A look-up takes as long as several nodes. So after every WINDOW look-ups with the same number of items left, the kernel
checks what they saved. If that was less than PAY nodes each, the memo is switched off for nodes with this many items
left: the first time for 128 windows, the next time for 256, and so on.

`nodes` counts the root and every option taken, as in every kernel, including nodes that are given up while their
counts are lowered. `updates` counts the options removed from the alive sets of nodes that go on: the ways of a level
are counted once per level, and what is removed in nodes given up, or below the last way but one, is not counted.

If a way leaves no more items than the smallest option holds, every option that holds one of these items holds all of
them. Such last ways are counted by an intersection (`_last`), and listed only if the answers themselves are wanted.

**The twin.** If the processor has AVX-512, AVX2, SSE 4.2 or NEON, the search is done by _wide.h, which works in the
same way with one byte per count: with the first two 2 to 4 times as fast on tilings, 1.1 times on queens. Levels, ways
and memo are as described here.

Sources: Knuth, TAOCP 7.2.2.1, for the search. Bit sets instead of links are common in constraint solvers
(Demeulenaere et al., "Compact-Table", 2016); `nonzero_words` are its sparse set. Planes, copying and giving up early
are measured choices of ours.

Tried, and not worth it: 16-bit counts lowered one at a time (1.2 to 1.9 times slower up to 128 items, as fast on
16×16 sudoku); compiling for a newer processor (5 % to 15 % faster with either kind of count); numbering the options so
that neighbours are removed together (up to 15 % faster, but the order of answers must then be restored); recounting
items by population counts, except in the twin; checking suspects where sets are short; reading more than two bits of a
word without a branch; for the memo, branching on the first item instead of the one with the fewest options (it visits
more states).
"""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from covr.engine.kernels import _shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels._kernel import CLOSE, DONE, FOUND, GROW, RECALL, SLICE, KernelBase  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from cython.cimports.covr.engine.kernels._memory import (  # type: ignore[import-untyped, import-not-found, unused-ignore]
        _ints,
        _longs,
        _reals,
        _words,
        _zero_ints,
        _zero_longs,
        _zero_words,
    )
    from cython.cimports.covr.engine.kernels._wide import (  # type: ignore[import-untyped, import-not-found, unused-ignore]
        BACK,
        END,
        ENTER,
        FREE,
        HIDE,
        NEXT,
        OPEN,
        START,
        lanes_widest,
        wide_alive,
        wide_begin,
        wide_close,
        wide_lanes,
        wide_open,
        wide_run,
    )
    from cython.cimports.covr.engine.kernels._words import bits, lowest  # type: ignore[import-untyped, import-not-found, unused-ignore]
else:
    from covr.engine.kernels._memory import _ints, _longs, _reals, _words, _zero_ints, _zero_longs, _zero_words
    from covr.engine.kernels.codes import BITS_BACK as BACK
    from covr.engine.kernels.codes import BITS_END as END
    from covr.engine.kernels.codes import BITS_ENTER as ENTER
    from covr.engine.kernels.codes import BITS_FREE as FREE
    from covr.engine.kernels.codes import BITS_HIDE as HIDE
    from covr.engine.kernels.codes import BITS_NEXT as NEXT
    from covr.engine.kernels.codes import BITS_OPEN as OPEN
    from covr.engine.kernels.codes import BITS_START as START
    from covr.engine.kernels.codes import CLOSE, DONE, FOUND, GROW, RECALL, SLICE
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.words import bits, lowest

    KernelBase = load("_kernel", interpreted=True).KernelBase

COMPILED = cython.compiled

WAYS = cython.declare(cython.int, 4)  # entries in a bucket of the memo's table
WINDOW = cython.declare(cython.longlong, 2048)  # look-ups between two checks of whether the memo pays
PAY = cython.declare(cython.longlong, 3)  # nodes that a look-up must save on average: about what it costs in time
FIRST_PAUSE = cython.declare(cython.longlong, 128 * 2048)  # nodes without the memo, the first time it does not pay
FEWEST_BUCKETS = cython.declare(cython.longlong, 64)  # buckets of the first table; a power of 2
DENSE = cython.declare(cython.int, 2)  # words of items: up to this, counts are lowered seven options at a time
LONG = cython.declare(cython.int, 20)  # words in a set of options: from this on it pays to check the suspects first
MOST = cython.declare(cython.longlong, 1 << 62)  # answers: more than any search finds, so no limit
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)  # a word of 64 ones
MIX = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)  # the hash's odd multiplier: 2**64 over the golden ratio


def widest():
    """How many bits the widest registers of this processor have that the twin can use; 0 if interpreted."""
    if cython.compiled:
        return lanes_widest(512)
    return 0


def _limbs(masks):
    """How many 64-bit words are enough to hold the number of answers.

    If the lowest uncovered item is always covered next, an answer is the result of at most `picks` choices, after which
    each free option is taken or left. So there are at most as many answers as the product of the `picks` largest
    numbers of holders, times a power of 2.
    """
    lengths = [masks.begin[b + 1] - masks.begin[b] for b in range(masks.free)]
    picks = masks.items // min(lengths, default=1)
    bits = masks.options - masks.free
    for size in sorted(masks.sizes, reverse=True)[:picks]:
        bits += size.bit_length()
    return bits // 64 + 1


@cython.final
@cython.cclass
class Bits(KernelBase):  # type: ignore[misc, unused-ignore]
    """A kernel (see loading.py) that searches the masks of a problem. The module describes its arrays."""

    _spared: cython.longlong
    depth: cython.int
    items: cython.int
    across: cython.Py_ssize_t  # words in a plane
    deep: cython.Py_ssize_t  # words in all planes of a level
    least: cython.int  # how many alive options the item found by `_choose` has
    one: cython.ulonglong  # 1, as a word
    options: cython.int
    free: cython.int
    words: cython.int
    stride: cython.Py_ssize_t  # words from one level's alive set to the next
    wide: cython.bint  # whether the twin (_wide.h) does the search
    begin: cython.p_int
    members: cython.p_int
    holders: cython.p_ulonglong
    compatible: cython.p_ulonglong
    alive: cython.p_ulonglong
    nonzero_words: cython.p_int
    nonzero_count: cython.p_int
    gone: cython.p_int
    suspects: cython.p_int
    plane: cython.p_ulonglong
    high: cython.p_int
    active: cython.p_ulonglong
    dead_items: cython.p_ulonglong
    pick: cython.p_ulonglong
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
    limbs: cython.Py_ssize_t
    width: cython.Py_ssize_t  # words in an entry of the memo's table
    buckets: cython.longlong  # in the table: a power of 2, or 0 without a memo
    most_buckets: cython.longlong
    stored: cython.longlong
    account: cython.int
    frame: cython.p_int
    owner: cython.p_int
    sums: cython.p_ulonglong
    hash: cython.p_ulonglong
    keys: cython.p_ulonglong
    table: cython.p_ulonglong
    since: cython.p_longlong
    tried: cython.p_longlong
    saved: cython.p_longlong
    skip: cython.p_longlong
    pause: cython.p_longlong
    smallest: cython.int
    twin: cython.p_void  # the state of _wide.h's search, or NULL
    where: cython.p_longlong  # where the twin stands: nodes, updates, answers, level, depth, state
    numbers: list
    places: cython.Py_ssize_t  # one more than the largest of `numbers`; -1 while `place` is not filled in
    place: cython.p_int
    hold_table: list  # keeps the memory of the memo's table

    def __init__(self, masks, feasible, memory=None, widest=512):
        """masks: a `Masks` of prepare/masks.py.  feasible: False if it is known that there are no answers.  memory:
        None to list answers one by one; a number to count them, with a memo of at most so many bytes.  widest: how
        many bits the registers of the twin may have; 0 for no twin.

        Takes time and space linear in the size of the masks.
        """
        super().__init__()
        items: int = masks.items
        options: int = masks.options
        words: int = masks.words
        levels: int = items + (options - masks.free) + 2
        hold: list = self.hold
        across: int = max(1, (items + 63) // 64)
        planes_used: int = max(3, max(masks.sizes, default=0).bit_length())
        self.items = items
        self.across = across
        self.deep = planes_used * across
        self.least = 0
        self.one = 1
        self.options = options
        self.free = masks.free
        self.words = words
        self.begin = _ints(list(masks.begin), hold)
        self.members = _ints(list(masks.members), hold)
        self.holders = _words(masks.holders, hold)
        self.compatible = _words(masks.compatible, hold)
        self.alive = _zero_words(levels * words, hold)
        self.nonzero_words = _zero_ints(levels * words + 1, hold)
        for k in range(words):  # at the root all words may have options left
            self.nonzero_words[k] = k
        self.suspects = _ints([0, 0], hold)
        self.gone = _zero_ints(options + 7, hold)
        self.nonzero_count = _ints([words] * levels, hold)
        self.plane = _zero_words(levels * self.deep, hold)
        self.high = _ints([planes_used] * levels, hold)
        self.active = _zero_words(levels * across + 1, hold)
        self.pick = _zero_words(2 * across, hold)
        self.dead_items = _zero_words(levels * across + 1, hold)
        self.held = _zero_words((options + 1) * across + 1, hold)
        self.left = _zero_ints(levels + 1, hold)
        self.rows = _zero_ints(options + 7, hold)
        self.next = _zero_ints(levels + 1, hold)
        self.end = _zero_ints(levels + 1, hold)
        self.weight = _reals([1.0] + [0.0] * levels, hold)
        self.share = _reals([0.0] * levels, hold)
        self.mark = _zero_ints(levels + 1, hold)
        self.path = _zero_ints(levels + 1, hold)
        self._write_items(masks.sizes)
        self.left[0] = items
        self.counting = memory is not None
        self.limbs = _limbs(masks) if self.counting else 0
        self.width = 2 + self.limbs + words
        self.buckets = self.most_buckets = self.stored = self.account = 0
        room: int = levels if self.counting else 0
        self.frame = _zero_ints(levels + 1, hold)
        self.owner = _zero_ints(room + 1, hold)
        self.sums = _zero_words((room + 1) * self.limbs + 1, hold)
        self.hash = _zero_words(room + 1, hold)
        self.keys = _zero_words(room * words + 1, hold)
        self.since = _zero_longs(room + 1, hold)
        self.tried = _zero_longs(items + 2, hold)
        self.saved = _zero_longs(items + 2, hold)
        self.skip = _zero_longs(items + 2, hold)
        self.pause = _longs([FIRST_PAUSE] * (items + 1), hold)
        self.hold_table = []
        self.table = _zero_words(1, self.hold_table)
        if self.counting:
            self._fit(memory)
        self.numbers = list(masks.numbers)
        self.places = -1
        self.place = _zero_ints(1, hold)
        self.depth = 0
        self._spared = 0
        self.state = START if feasible else END
        self.smallest = 0
        if self.free == options:
            self.smallest = min((masks.begin[b + 1] - masks.begin[b] for b in range(options)), default=0)
        self.where = _longs([0] * 6, hold)
        self.stride = words
        self.wide = False
        if cython.compiled:
            self.twin = cython.NULL
            if widest and feasible and self.free == options:
                self._widen(widest, levels)
        for k in range(words):
            self.alive[k] = WORD
        self.alive[words - 1] = WORD >> (64 * words - options) if options > 0 else 0
        if cython.compiled and self.twin != cython.NULL:
            wide_begin(self.twin)

    @cython.cfunc
    def _write_items(self, sizes):
        """Fill in `held`, and the root's `active` and `plane`. sizes: per item, how many options hold it."""
        across: cython.Py_ssize_t = self.across
        planes: cython.Py_ssize_t = self.deep // across
        b: cython.Py_ssize_t
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        size: cython.int
        for b in range(self.options):
            for k in range(self.begin[b], self.begin[b + 1]):
                i = self.members[k]
                self.held[b * across + (i >> 6)] |= self.one << (i & 63)
        for i in range(self.items):
            self.active[i >> 6] |= self.one << (i & 63)
            size = sizes[i]
            for k in range(planes):
                if size >> k & 1:
                    self.plane[k * across + (i >> 6)] |= self.one << (i & 63)

    @cython.cfunc
    def _widen(self, widest: cython.int, levels: cython.int) -> cython.void:
        """Leave the search to the twin, if the processor can run it."""
        if cython.compiled:
            self.twin = wide_open(
                widest,
                self.options,
                self.words,
                self.items,
                levels,
                self.counting and self.buckets > 0,
                self.begin,
                self.members,
                self.holders,
                self.compatible,
                self.held,
                self.active,
                self.dead_items,
                self.left,
                self.rows,
                self.next,
                self.end,
                self.mark,
                self.path,
                self.frame,
                self.skip,
                self.weight,
                self.share,
            )
            if self.twin != cython.NULL:
                self.alive = wide_alive(self.twin)
                self.stride = (self.words + 7) // 8 * 8
                self.wide = True

    def __dealloc__(self):
        if cython.compiled:
            wide_close(self.twin)

    @property
    def lanes(self):
        """How many bits the registers have on which the twin searches; 0 if it does not."""
        if cython.compiled:
            return wide_lanes(self.twin)
        return 0

    @property
    def answers(self):
        """How many answers were found so far; when counting, those in the accounts of open levels are included."""
        if not self.counting:
            return self._answers
        total = self._answers
        for k in range((self.level + 2) * self.limbs):
            total += int(self.sums[k]) << 64 * (k % self.limbs)
        return total

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
        return self._spared

    def run(self, nodes: cython.longlong, answers: cython.longlong):
        """Search for at most `nodes` more nodes and `answers` more answers; when counting, answers do not stop it."""
        code: cython.int
        end: cython.longlong = self._nodes + nodes
        until: cython.longlong = MOST if self.counting else self._answers + answers
        self._code = -1
        while True:
            with cython.nogil:
                code = self._dance(end, until)
            if code != GROW:
                break
            self._grow()
        self._code = code
        return code

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _dance(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        """Search as `_run` does, but on the twin if there is one."""
        if cython.compiled:
            code: cython.int
            where: cython.p_longlong = self.where
            if self.twin == cython.NULL:
                return self._run(end, until)
            where[0] = self._nodes
            where[1] = self._updates
            where[2] = self._answers
            where[3] = self.level
            where[4] = self.depth
            where[5] = self.state
            while True:
                code = wide_run(self.twin, end, until, where)
                if code == RECALL:
                    where[5] = self._recall_for_twin(cython.cast(cython.int, where[3]), where)
                elif code == CLOSE:
                    where[5] = BACK
                    self._settle(self.account, where[2])
                    where[2] = 0
                    if self._close(cython.cast(cython.int, where[3]), where[0]):
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
        else:
            return self._run(end, until)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _recall_for_twin(self, level: cython.int, where: cython.p_longlong) -> cython.int:
        """Look up in the memo the node that the twin is at. Returns the state in which the twin continues."""
        if self._recall(level, where[0]):
            return BACK
        if self.frame[level] != 0 and where[2] != 0:
            self._settle(self.owner[level], where[2])
            where[2] = 0
        return HIDE

    def answer(self):
        """The options taken, in the order they were taken."""
        return [self.numbers[self.path[k]] for k in range(self.depth)]

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
        """Build the root from `alive` and `active`, and start there. left: how many items are active."""
        words: cython.Py_ssize_t = self.words
        across: cython.Py_ssize_t = self.across
        levels: cython.Py_ssize_t = self.items + (self.options - self.free) + 2
        k: cython.Py_ssize_t
        i: cython.Py_ssize_t
        at: cython.Py_ssize_t
        x: cython.ulonglong
        size: cython.int
        for k in range(words):
            self.nonzero_words[k] = cython.cast(cython.int, k)
        for k in range(self.deep):
            self.plane[k] = 0
        for i in range(self.items):
            x = self.one << (i & 63)
            if self.active[i >> 6] & x == 0:
                continue
            size = 0
            at = i * words
            for k in range(words):
                size += bits(self.holders[at + k] & self.alive[k])
            at = i >> 6
            while size != 0:
                if size & 1 != 0:
                    self.plane[at] |= x
                size >>= 1
                at += across
        for k in range(levels):
            self.frame[k] = 0
        for k in range((levels + 1) * self.limbs):
            self.sums[k] = 0
        self.nonzero_count[0] = cython.cast(cython.int, words)
        self.high[0] = cython.cast(cython.int, self.deep // across)
        self.left[0] = left
        self.weight[0] = 1.0
        self.level = self.depth = self.account = 0
        self._answers = 0
        if anew:
            self._nodes = self._updates = 0
        self._code = -1
        self.state = START
        if cython.compiled and self.twin != cython.NULL:
            wide_begin(self.twin)

    # The memo.

    def _fit(self, memory):
        """Make the first table, and work out how far it may grow in `memory` bytes.

        While it grows, the old table takes memory as well.
        """
        bucket = 8 * WAYS * self.width
        most = 0
        buckets = FEWEST_BUCKETS
        while memory >= bucket and buckets > 1 and buckets * bucket > memory:
            buckets //= 2
        if memory >= bucket:
            most = buckets
            while 3 * most * bucket <= memory:
                most *= 2
        self.most_buckets = most
        self.buckets = min(most, buckets)
        self.hold_table = []
        self.table = _zero_words(max(self.buckets * WAYS * self.width, 1), self.hold_table)

    @cython.cfunc
    def _grow(self) -> cython.void:
        """Double the number of buckets. The entries of one bucket are shared by two, so none is lost."""
        old: list = self.hold_table
        source: cython.p_ulonglong = self.table
        entries: cython.longlong = self.buckets * WAYS
        width: cython.Py_ssize_t = self.width
        e: cython.longlong
        at: cython.longlong
        k: cython.Py_ssize_t
        self.buckets *= 2
        self.hold_table = []
        self.table = _zero_words(self.buckets * WAYS * width, self.hold_table)
        for e in range(entries):
            if source[e * width + 1] != 0:
                at = self._place(source[e * width])
                for k in range(width):
                    self.table[at + k] = source[e * width + k]
        old.clear()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _place(self, hash: cython.ulonglong) -> cython.longlong:
        """The position in the table of the least worthy entry in this hash's bucket: an empty one if there is one."""
        width: cython.Py_ssize_t = self.width
        bucket: cython.longlong = hash & (self.buckets - 1)
        at: cython.longlong = bucket * WAYS * width
        best: cython.longlong = at
        _k: cython.int
        for _k in range(1, WAYS):
            at += width
            if self.table[at + 1] < self.table[best + 1]:
                best = at
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _find(self, level: cython.int) -> cython.longlong:
        """Look up the level's alive set, and keep its hash in `hash`. Returns the entry's position, or -1."""
        words: cython.Py_ssize_t = self.words
        width: cython.Py_ssize_t = self.width
        alive: cython.p_ulonglong = self.alive
        table: cython.p_ulonglong = self.table
        base: cython.Py_ssize_t = level * self.stride
        hash: cython.ulonglong = MIX
        bucket: cython.longlong
        at: cython.longlong
        key: cython.longlong
        _k: cython.int
        w: cython.Py_ssize_t
        for w in range(words):
            hash = ((hash ^ alive[base + w]) * MIX) & WORD
            hash ^= hash >> 29
        hash = (hash * MIX) & WORD
        hash ^= hash >> 32
        self.hash[level] = hash
        bucket = hash & (self.buckets - 1)
        at = bucket * WAYS * width
        for _k in range(WAYS):
            if table[at] == hash and table[at + 1] != 0:
                key = at + 2 + self.limbs
                w = 0
                while w < words and table[key + w] == alive[base + w]:
                    w += 1
                if w == words:
                    return at
            at += width
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(self, account: cython.int, source: cython.p_ulonglong, at: cython.longlong) -> cython.void:
        """Add the number of `limbs` words at source[at] to an account."""
        to: cython.Py_ssize_t = account * self.limbs
        carry: cython.ulonglong = 0
        x: cython.ulonglong
        y: cython.ulonglong
        k: cython.Py_ssize_t
        for k in range(self.limbs):
            x = self.sums[to + k]
            y = (x + source[at + k]) & WORD
            x = (y + carry) & WORD
            carry = 1 if (y < source[at + k]) or (x < y) else 0
            self.sums[to + k] = x

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _settle(self, account: cython.int, answers: cython.longlong) -> cython.void:
        """Add to an account the answers that were counted one by one."""
        to: cython.Py_ssize_t = account * self.limbs
        x: cython.ulonglong = answers
        y: cython.ulonglong
        while x != 0:
            y = (self.sums[to] + x) & WORD
            x = 1 if y < x else 0
            self.sums[to] = y
            to += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _recall(self, level: cython.int, nodes: cython.longlong) -> cython.bint:
        """Look the node up in the memo. Returns True if it was found; its answers are then in the current account.

        Otherwise the node is framed, unless the memo is switched off for this number of items.
        """
        left: cython.int = self.left[level]
        words: cython.Py_ssize_t = self.words
        at: cython.longlong
        w: cython.Py_ssize_t
        self.frame[level] = 0
        if self.skip[left] > 0:
            self.skip[left] -= 1
            return False
        if self.buckets == 0:
            return False
        if self.tried[left] >= WINDOW:
            if self.saved[left] < PAY * self.tried[left]:
                self.skip[left] = self.pause[left]
                self.pause[left] *= 2
            self.tried[left] = 0
            self.saved[left] = 0
        self.tried[left] += 1
        if not self.wide:
            self._fill(level)
        at = self._find(level)
        if at >= 0:
            self.saved[left] += self.table[at + 1]
            self._spared += self.table[at + 1]
            self._add(self.account, self.table, at + 2)
            return True
        self.frame[level] = 1
        for w in range(words):
            self.keys[level * words + w] = self.alive[level * self.stride + w]
        self.since[level] = nodes
        self.owner[level] = self.account
        self.account = level + 1
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _close(self, level: cython.int, nodes: cython.longlong) -> cython.bint:
        """Finish a framed level: store its account in the memo and add it to the account outside.

        Returns whether the table should grow.
        """
        words: cython.Py_ssize_t = self.words
        width: cython.Py_ssize_t = self.width
        limbs: cython.Py_ssize_t = self.limbs
        account: cython.Py_ssize_t = self.account
        at: cython.longlong = self._place(self.hash[level])
        other: cython.longlong = self.hash[level] & (self.buckets - 1)
        worth: cython.ulonglong = self.table[at + 1]
        w: cython.Py_ssize_t
        _k: cython.int
        if worth == 0:
            self.stored += 1
        else:
            other *= WAYS * width
            for _k in range(WAYS):
                if self.table[other + 1] > worth:
                    self.table[other + 1] -= worth
                else:
                    self.table[other + 1] = 1
                other += width
        self.table[at] = self.hash[level]
        self.table[at + 1] = nodes - self.since[level] + 1
        for w in range(limbs):
            self.table[at + 2 + w] = self.sums[account * limbs + w]
        for w in range(words):
            self.table[at + 2 + limbs + w] = self.keys[level * words + w]
        self._add(self.owner[level], self.sums, account * limbs)
        for w in range(limbs):
            self.sums[account * limbs + w] = 0
        self.account = self.owner[level]
        self.frame[level] = 0
        return 2 * self.stored > WAYS * self.buckets and self.buckets < self.most_buckets

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose(self, level: cython.int) -> cython.int:
        """The item with the fewest options alive, the lowest on ties. Their number is left in `least`."""
        plane: cython.p_ulonglong = self.plane
        across: cython.Py_ssize_t = self.across
        at: cython.Py_ssize_t
        pick: cython.p_ulonglong = self.pick
        total: cython.int = 0
        q: cython.Py_ssize_t
        p: cython.int = self.high[level]
        c: cython.ulonglong
        d: cython.ulonglong
        x: cython.ulonglong
        y: cython.ulonglong
        if across == 1:
            c = self.active[level]
            at = level * self.deep
            while p > 3 and plane[at + p - 1] & c == 0:
                p -= 1
            self.high[level] = p
            while p > 0:
                p -= 1
                x = c & ~plane[at + p]
                total += total + (x == 0)
                c = x if x != 0 else c
            self.least = total
            return lowest(c)
        if across == 2:
            c = self.active[2 * level]
            d = self.active[2 * level + 1]
            at = level * self.deep
            while p > 3 and (plane[at + 2 * p - 2] & c) | (plane[at + 2 * p - 1] & d) == 0:
                p -= 1
            self.high[level] = p
            while p > 0:
                p -= 1
                x = c & ~plane[at + 2 * p]
                y = d & ~plane[at + 2 * p + 1]
                total += total + (x | y == 0)
                c = x if x | y != 0 else c
                d = y if x | y != 0 else d
            self.least = total
            return lowest(c) if c != 0 else 64 + lowest(d)
        at = level * self.deep
        while p > 3:
            x = 0
            for q in range(across):
                x |= plane[at + (p - 1) * across + q] & self.active[level * across + q]
            if x != 0:
                break
            p -= 1
        self.high[level] = p
        for q in range(across):
            pick[q] = self.active[level * across + q]
        while p > 0:
            p -= 1
            x = 0
            for q in range(across):
                y = pick[q] & ~plane[at + p * across + q]
                pick[across + q] = y
                x |= y
            total += total + (x == 0)
            if x != 0:
                for q in range(across):
                    pick[q] = pick[across + q]
        self.least = total
        q = 0
        while pick[q] == 0:
            q += 1
        return cython.cast(cython.int, q << 6) + lowest(pick[q])

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _list(self, level: cython.int, item: cython.int, first: cython.int, hide: cython.bint) -> cython.int:
        """Write the item's alive options into `rows` from position `first` on. Returns the position after the last.

        hide: also remove the options and the item from the level.
        """
        alive: cython.p_ulonglong = self.alive
        nonzero_words: cython.p_int = self.nonzero_words
        rows: cython.p_int = self.rows
        holders: cython.p_ulonglong = self.holders
        at: cython.Py_ssize_t = level * self.words
        keep: cython.Py_ssize_t = item * self.words
        across: cython.Py_ssize_t = self.across
        r: cython.int = first
        k: cython.int
        w: cython.int
        x: cython.ulonglong
        for k in range(self.nonzero_count[level]):
            w = nonzero_words[at + k]
            x = alive[at + w] & holders[keep + w]
            if hide:
                alive[at + w] ^= x
            w <<= 6
            while x != 0:
                rows[r] = w + lowest(x)
                r += 1
                x &= x - 1
        if hide:
            self._updates += r - first
            self.active[level * across + (item >> 6)] &= ~(self.one << (item & 63))
            self._lower(rows, first, r, level, True)
        return r

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _last(self, level: cython.int, b: cython.int, first: cython.int) -> cython.int:
        """Write the options that cover everything b leaves into `rows` from position `first`. Returns how many.

        To be called only where no option covers just a part of what b leaves.
        """
        across: cython.Py_ssize_t = self.across
        at: cython.Py_ssize_t = level * self.words
        keep: cython.Py_ssize_t = b * self.words
        has: cython.Py_ssize_t
        r: cython.int = first
        k: cython.int
        w: cython.int
        q: cython.Py_ssize_t = 0
        x: cython.ulonglong = self.active[level * across] & ~self.held[b * across]
        while x == 0:
            q += 1
            x = self.active[level * across + q] & ~self.held[b * across + q]
        has = (cython.cast(cython.int, q << 6) + lowest(x)) * self.words
        for k in range(self.nonzero_count[level]):
            w = self.nonzero_words[at + k]
            x = self.alive[at + w] & self.compatible[keep + w] & self.holders[has + w]
            w <<= 6
            while x != 0:
                self.rows[r] = w + lowest(x)
                r += 1
                x &= x - 1
        return r - first

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lower(
        self, list_: cython.p_int, first: cython.int, end: cython.int, level: cython.int, hide: cython.bint
    ) -> cython.bint:
        """Subtract the options list_[first:end] from the counts. Returns False as soon as an item has no option left.

        hide: the options are the level's own ways. All are subtracted in any case, and the items that have no option
        left are recorded in `dead_items`. The list must have room for 6 more numbers after the end.
        """
        begin: cython.p_int = self.begin
        members: cython.p_int = self.members
        held: cython.p_ulonglong = self.held
        plane: cython.p_ulonglong = self.plane
        across: cython.Py_ssize_t = self.across
        here: cython.Py_ssize_t = level * self.deep
        high: cython.int = self.high[level]
        none: cython.int = self.options
        k: cython.int = first
        i: cython.int
        p: cython.int
        _p: cython.int
        q: cython.Py_ssize_t
        at: cython.Py_ssize_t
        v: cython.ulonglong
        x: cython.ulonglong
        y: cython.ulonglong
        s: cython.ulonglong
        t: cython.ulonglong
        u: cython.ulonglong
        a: cython.ulonglong
        b: cython.ulonglong
        c: cython.ulonglong
        borrow: cython.ulonglong
        some: cython.ulonglong
        if across > DENSE:
            # The members of an option lie in few of many words: subtract them one by one.
            while k < end:
                for i in range(begin[list_[k]], begin[list_[k] + 1]):
                    at = here + (members[i] >> 6)
                    v = self.one << (members[i] & 63)
                    if self.active[level * across + (members[i] >> 6)] & v == 0:
                        continue
                    x = plane[at]
                    plane[at] = x ^ v
                    if x & v == 0:
                        while x & v == 0:
                            at += across
                            x = plane[at]
                            plane[at] = x ^ v
                    elif not hide:
                        some = 0
                        for _p in range(1, high):
                            at += across
                            some |= plane[at]
                        if some & v == 0:
                            self._suspect(members[i])
                            return False
                k += 1
            if hide:
                for q in range(across):
                    some = 0
                    for p in range(high):
                        some |= plane[here + p * across + q]
                    self.dead_items[level * across + q] = ~some & self.active[level * across + q]
            return True
        for i in range(6):
            list_[end + i] = none
        while k < end:
            for q in range(across):
                # Add up seven options: their sum is s + 2 t + 4 u, bit by bit.
                s = held[list_[k] * across + q]
                x = held[list_[k + 1] * across + q]
                y = held[list_[k + 2] * across + q]
                v = s ^ x
                t = (s & x) | (v & y)
                s = v ^ y
                u = 0
                if k + 3 < end:
                    x = held[list_[k + 3] * across + q]
                    y = held[list_[k + 4] * across + q]
                    v = s ^ x
                    a = (s & x) | (v & y)
                    s = v ^ y
                    x = held[list_[k + 5] * across + q]
                    y = held[list_[k + 6] * across + q]
                    v = s ^ x
                    b = (s & x) | (v & y)
                    s = v ^ y
                    v = t ^ a
                    u = (t & a) | (v & b)
                    t = v ^ b
                # Subtract the sum from the counts.
                at = here + q
                x = plane[at]
                borrow = ~x & s
                x ^= s
                plane[at] = x
                some = x
                at += across
                x = plane[at]
                y = x ^ t
                c = y ^ borrow
                plane[at] = c
                some |= c
                borrow = (~x & t) | (~y & borrow)
                at += across
                x = plane[at]
                y = x ^ u
                c = y ^ borrow
                plane[at] = c
                some |= c
                borrow = (~x & u) | (~y & borrow)
                for _p in range(3, high):
                    at += across
                    x = plane[at]
                    y = x ^ borrow
                    plane[at] = y
                    some |= y
                    borrow &= ~x
                x = ~some & self.active[level * across + q]
                if hide:
                    self.dead_items[level * across + q] = x
                elif x != 0:
                    self._suspect(cython.cast(cython.int, q << 6) + lowest(x))
                    return False
            k += 7
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, level: cython.int, target: cython.int, b: cython.int) -> cython.bint:
        """Take option b and write what remains to level `target`, which may be `level` itself.

        Returns False as soon as an item has no option left; the target level is then only half made.
        """
        alive: cython.p_ulonglong = self.alive
        compatible: cython.p_ulonglong = self.compatible
        nonzero_words: cython.p_int = self.nonzero_words
        gone: cython.p_int = self.gone
        across: cython.Py_ssize_t = self.across
        deep: cython.Py_ssize_t = self.deep
        at: cython.Py_ssize_t = level * self.words
        to: cython.Py_ssize_t = target * self.words
        keep: cython.Py_ssize_t = b * self.words
        here: cython.Py_ssize_t = level * deep
        there: cython.Py_ssize_t = target * deep
        n: cython.int = self.nonzero_count[level]
        m: cython.int = 0
        r: cython.int = 0
        j: cython.int
        w: cython.int
        k: cython.Py_ssize_t
        x: cython.ulonglong
        y: cython.ulonglong
        top: cython.ulonglong = self.one << 63
        for j in range(n):
            w = nonzero_words[at + j]
            x = alive[at + w]
            y = x & compatible[keep + w]
            alive[to + w] = y
            nonzero_words[to + m] = w
            m += y != 0
            x ^= y
            w <<= 6
            gone[r] = w + lowest(x | top)
            r += x != 0
            x &= x - 1
            gone[r] = w + lowest(x | top)
            r += x != 0
            x &= x - 1
            while x != 0:
                gone[r] = w + lowest(x)
                r += 1
                x &= x - 1
        self.nonzero_count[target] = m
        for k in range(across):
            self.active[target * across + k] = self.active[level * across + k] & ~self.held[b * across + k]
        if target != level:
            self.high[target] = self.high[level]
            for k in range(across * self.high[level]):
                self.plane[there + k] = self.plane[here + k]
        if not self._lower(gone, 0, r, target, False):
            return False
        self._updates += r
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _misses(self, level: cython.int, b: cython.int) -> cython.bint:
        """Whether hiding the level's ways took the last options of an item that b does not cover."""
        across: cython.Py_ssize_t = self.across
        q: cython.Py_ssize_t
        missed: cython.ulonglong = 0
        for q in range(across):
            missed |= self.dead_items[level * across + q] & ~self.held[b * across + q]
        return missed != 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _suspect(self, item: cython.int) -> cython.void:
        """Remember that the item ran out of options: it is likely to run out again."""
        self.suspects[1] = self.suspects[0]
        self.suspects[0] = item

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _starves(self, level: cython.int, b: cython.int, which: cython.int) -> cython.bint:
        """Whether taking option b leaves the `which`-th suspect without options. Checked before anything is copied."""
        alive: cython.p_ulonglong = self.alive
        nonzero_words: cython.p_int = self.nonzero_words
        compatible: cython.p_ulonglong = self.compatible
        holders: cython.p_ulonglong = self.holders
        item: cython.int = self.suspects[which]
        at: cython.Py_ssize_t = level * self.words
        keep: cython.Py_ssize_t = b * self.words
        has: cython.Py_ssize_t = item * self.words
        k: cython.int
        w: cython.int
        if self.active[level * self.across + (item >> 6)] >> (item & 63) & 1 == 0:
            return False
        if holders[has + (b >> 6)] >> (b & 63) & 1 != 0:
            return False
        for k in range(self.nonzero_count[level]):
            w = nonzero_words[at + k]
            if alive[at + w] & compatible[keep + w] & holders[has + w] != 0:
                return False
        if which != 0:
            self.suspects[1] = self.suspects[0]
            self.suspects[0] = item
        return True

    # The search.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        words: cython.Py_ssize_t = self.words
        begin: cython.p_int = self.begin
        alive: cython.p_ulonglong = self.alive
        left: cython.p_int = self.left
        rows: cython.p_int = self.rows
        path: cython.p_int = self.path
        frame: cython.p_int = self.frame
        weight: cython.p_double = self.weight
        share: cython.p_double = self.share
        counting: cython.bint = self.counting
        any_free: cython.bint = self.free < self.options
        suspicious: cython.bint = words >= LONG
        smallest: cython.int = self.smallest
        nodes: cython.longlong = self._nodes
        answers: cython.longlong = self._answers
        level: cython.int = self.level
        depth: cython.int = self.depth
        state: cython.int = self.state
        code: cython.int = DONE
        target: cython.int
        least: cython.int
        i: cython.int
        b: cython.int
        r: cython.int
        k: cython.int
        after: cython.int
        at: cython.Py_ssize_t
        keep: cython.Py_ssize_t
        w: cython.Py_ssize_t
        while state != END:
            if state == ENTER:
                i = self._choose(level)
                least = self.least
                if least == 0:
                    state = BACK
                    continue
                if least > 1:
                    if left[level] <= smallest:
                        # Every way completes an answer.
                        if nodes + least <= end and answers + least < until:
                            nodes += least
                            answers += least
                            state = BACK
                            continue
                        frame[level] = 0
                    elif counting:
                        if self._recall(level, nodes):
                            state = BACK
                            continue
                        if frame[level] != 0 and answers != 0:
                            self._settle(self.owner[level], answers)
                            answers = 0
                    r = self.end[level - 1] if level > 0 else 0
                    self.next[level] = r
                    self.end[level] = self._list(level, i, r, left[level] > smallest)
                    share[level] = weight[level] / least
                    self.mark[level] = depth
                    state = NEXT
                    continue
                if nodes >= end:
                    code = SLICE
                    break
                nodes += 1
                at = level * words
                keep = i * words
                k = 0
                w = self.nonzero_words[at]
                while alive[at + w] & self.holders[keep + w] == 0:
                    k += 1
                    w = self.nonzero_words[at + k]
                b = cython.cast(cython.int, w << 6) + lowest(alive[at + w] & self.holders[keep + w])
                path[depth] = b
                depth += 1
                target = level
                after = left[level] - (begin[b + 1] - begin[b])
                state = BACK
                if after == 0 and not any_free:
                    answers += 1
                    if answers >= until:
                        code = FOUND
                        break
                    continue
            elif state == NEXT:
                r = self.next[level]
                if r == self.end[level]:
                    state = BACK
                    if frame[level] != 0:
                        self._settle(self.account, answers)
                        answers = 0
                        if self._close(level, nodes):
                            code = GROW
                            break
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
                if self._misses(level, b):
                    continue
                if suspicious and (self._starves(level, b, 0) or self._starves(level, b, 1)):
                    continue
                target = level
                if r < self.end[level] or frame[level] != 0:
                    target = level + 1
                weight[target] = share[level]
            elif state == BACK:
                if level == 0:
                    state = END
                    break
                level -= 1
                state = NEXT
                if left[level] == 0:
                    depth = self.mark[level]
                    state = FREE
                continue
            elif state == OPEN:
                self._fill(level)
                state = FREE
                if counting:
                    if self._recall(level, nodes):
                        state = BACK
                    elif frame[level] != 0 and answers != 0:
                        self._settle(self.owner[level], answers)
                        answers = 0
                continue
            elif state == FREE:
                at = level * words
                w = self.free >> 6
                while w < words and alive[at + w] == 0:
                    w += 1
                if w == words:
                    state = BACK
                    answers += 1
                    if frame[level] != 0:
                        self._settle(self.account, answers)
                        answers = 0
                        if self._close(level, nodes):
                            code = GROW
                            break
                    if answers >= until:
                        code = FOUND
                        break
                    continue
                if nodes >= end:
                    code = SLICE
                    break
                nodes += 1
                b = cython.cast(cython.int, w << 6) + lowest(alive[at + w])
                alive[at + w] &= alive[at + w] - 1
                self.next[level] = self.end[level] = self.end[level - 1] if level > 0 else 0
                self.mark[level] = depth
                path[depth] = b
                depth += 1
                keep = b * words
                for w in range(words):
                    alive[at + words + w] = alive[at + w] & self.compatible[keep + w]
                weight[level] *= 0.5
                weight[level + 1] = weight[level]
                level += 1
                self.nonzero_count[level] = cython.cast(cython.int, words)
                for w in range(words):
                    self.nonzero_words[at + words + w] = w
                left[level] = 0
                state = OPEN
                continue
            else:
                if nodes >= end:
                    code = SLICE
                    break
                nodes += 1
                state = ENTER if left[0] else OPEN
                continue
            if 0 < after <= smallest:
                # Every option that holds one of the remaining items holds all of them.
                r = self.end[target - 1] if target > 0 else 0
                k = self._last(level, b, r)
                if nodes + k <= end and answers + k < until:
                    nodes += k
                    answers += k
                    continue
                self.next[target] = r
                self.end[target] = r + k
                left[target] = after
                frame[target] = 0
                self.mark[target] = depth
                share[target] = weight[target] / k
                level = target
                state = NEXT
                continue
            # Take option b, from `level` to `target`.
            if self._take(level, target, b):
                level = target
                left[level] = after
                state = ENTER if after else OPEN
        self._nodes = nodes
        self._answers = answers
        self.level = level
        self.depth = depth
        self.state = state
        return code

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fill(self, level: cython.int) -> cython.void:
        """Write 0 into the words of the level's alive set that `nonzero_words` does not list, so that all are valid."""
        words: cython.Py_ssize_t = self.words
        at: cython.Py_ssize_t = level * words
        k: cython.int = self.nonzero_count[level] - 1
        w: cython.Py_ssize_t = words - 1
        while w >= 0:
            if k >= 0 and self.nonzero_words[at + k] == w:
                k -= 1
            else:
                self.alive[at + w] = 0
            w -= 1
