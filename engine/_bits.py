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

**Counting** may keep a memo of how many answers there are below a node. The set of the options alive says all
about a node, as soon as it is known that no item has run out of them; so it is the key, stored and compared
whole. The number of answers fits `limbs` words, see `_limbs`. A node that is looked up in vain is *framed*: what
is found below it goes to an account of its own, until the node is done and the account is stored.

    frame[l]    1 if level l is framed
    account     where answers go now: 0, or 1 + the innermost framed level; owner[l]: what it was outside of l
    sums        per account its number, `limbs` words, lowest first
    hash[l], keys, since[l]   a framed level's hash, its key, and how many nodes there were before it
    table       buckets of WAYS entries: hash, worth, number, key. An entry of worth 0 is empty. The worth is the
                nodes below; where a bucket is full the entry of least worth goes, and its worth is taken off
                the others (GreedyDual), so that what is not met again grows old
    tried, saved, skip, pause   per number of items left: look-ups and the worth found since the last
                judgement; so many nodes go on without memo; how many it will be the next time

A look-up costs several nodes' time, so after every WINDOW of them with as many items left there is a judgement:
where they did not save PAY nodes each, the memo is switched off there for 64 windows, then for 128 …

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

GROW = cython.declare(cython.int, 4)  # the table is too small; no other kernel says so, and none but `run` hears it

START = cython.declare(cython.int, 0)  # nothing was looked at
ENTER = cython.declare(cython.int, 1)  # a node is at hand, counted, its counts right
NEXT = cython.declare(cython.int, 2)  # the next way of the level is to be taken
OPEN = cython.declare(cython.int, 3)  # every item is covered; the free options that are alive come next
FREE = cython.declare(cython.int, 4)  # the first of them is to be taken
BACK = cython.declare(cython.int, 5)  # the level is done
END = cython.declare(cython.int, 6)

DONE_ITEM = cython.declare(cython.short, 32767)  # less MOST_HELD, it is more than any count

WAYS = cython.declare(cython.int, 4)
WINDOW = cython.declare(cython.longlong, 4096)
PAY = cython.declare(cython.longlong, 3)
FIRST_PAUSE = cython.declare(cython.longlong, 64 * 4096)
FEWEST_BUCKETS = cython.declare(cython.longlong, 64)
MOST = cython.declare(cython.longlong, 1 << 62)
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MIX = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)


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


@cython.cfunc
def _longs(values: list, hold: list) -> cython.p_longlong:
    """Numbers of 63 bits as a C array."""
    if cython.compiled:
        numbers = array("q", [*values, 0])
        hold.append(numbers)
        view: cython.longlong[::1] = numbers
        return cython.address(view[0])
    else:
        return [*values, 0]


def _zeros(size):
    return array("Q", [0]) * size if cython.compiled else [0] * size


def _limbs(masks):
    """How many words hold the number of answers, whatever it is.

    The lowest item an answer has not covered yet is covered next, at most `picks` times, and the free options are
    taken or left: there are no more answers than the product of the `picks` largest sizes, times a power of 2.
    """
    lengths = [masks.begin[b + 1] - masks.begin[b] for b in range(masks.free)]
    picks = masks.items // min(lengths, default=1)
    bits = masks.options - masks.free
    for size in sorted(masks.sizes, reverse=True)[:picks]:
        bits += size.bit_length()
    return bits // 64 + 1


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
    counting: cython.bint
    limbs: cython.Py_ssize_t
    width: cython.Py_ssize_t  # of an entry
    buckets: cython.longlong  # a power of 2, or 0
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
    numbers: list
    hold: list
    hold_table: list

    def __init__(self, masks, feasible, memory=None):
        """memory: None to give answers one by one; else to count them, with a memo of so many bytes at most.

        Time and space linear in the size of the masks.
        """
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
        self.counting = memory is not None
        self.limbs = _limbs(masks) if self.counting else 0
        self.width = 2 + self.limbs + words
        self.buckets = self.most_buckets = self.stored = self.account = 0
        room: int = levels if self.counting else 0
        self.frame = _ints([0] * levels, hold)
        self.owner = _ints([0] * room, hold)
        self.sums = _words(_zeros((room + 1) * self.limbs + 1), hold)
        self.hash = _words(_zeros(room + 1), hold)
        self.keys = _words(_zeros(room * words + 1), hold)
        self.since = _longs([0] * room, hold)
        self.tried = _longs([0] * (items + 1), hold)
        self.saved = _longs([0] * (items + 1), hold)
        self.skip = _longs([0] * (items + 1), hold)
        self.pause = _longs([FIRST_PAUSE] * (items + 1), hold)
        self.hold_table = []
        self.table = _words(_zeros(1), self.hold_table)
        if self.counting:
            self._fit(memory)
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
        """When counting: those known of; there may be more below the levels at hand."""
        if not self.counting:
            return self._answers
        total = self._answers
        for k in range((self.level + 2) * self.limbs):
            total += int(self.sums[k]) << 64 * (k % self.limbs)
        return total

    @property
    def code(self):
        return self._code

    def run(self, nodes: cython.longlong, answers: cython.longlong):
        """Search on for at most so many nodes and answers; when counting, answers do not stop it."""
        code: cython.int
        end: cython.longlong = self._nodes + nodes
        until: cython.longlong = MOST if self.counting else self._answers + answers
        self._code = -1
        while True:
            with cython.nogil:
                code = self._run(end, until)
            if code != GROW:
                break
            self._grow()
        self._code = code
        return code

    def answer(self):
        """The options taken, in the order they were taken."""
        return [self.numbers[self.path[k]] for k in range(self.depth)]

    # The memo.

    def _fit(self, memory):
        """The first table, and how far it may grow: while it does, the old one is there, too."""
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
        self.table = _words(_zeros(max(self.buckets * WAYS * self.width, 1)), self.hold_table)

    @cython.cfunc
    def _grow(self) -> cython.void:
        """Twice as many buckets. The entries of one bucket go to two, so none is lost."""
        old: list = self.hold_table
        source: cython.p_ulonglong = self.table
        entries: cython.longlong = self.buckets * WAYS
        width: cython.Py_ssize_t = self.width
        e: cython.longlong
        at: cython.longlong
        k: cython.Py_ssize_t
        self.buckets *= 2
        self.hold_table = []
        self.table = _words(_zeros(self.buckets * WAYS * width), self.hold_table)
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
        """Where the entry of least worth is, an empty one if there is, in the bucket of that hash."""
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
        """Look the level's alive set up; its hash stays in `hash`. Returns where the entry is, or -1."""
        words: cython.Py_ssize_t = self.words
        width: cython.Py_ssize_t = self.width
        alive: cython.p_ulonglong = self.alive
        table: cython.p_ulonglong = self.table
        base: cython.Py_ssize_t = level * words
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
        """Put a number on an account."""
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
        """Put answers that were counted one by one on an account."""
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
        """Whether the memo knew the node, and its answers are on the account now. Else the node is framed, or the
        memo is switched off here."""
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
        at = self._find(level)
        if at >= 0:
            self.saved[left] += self.table[at + 1]
            self._add(self.account, self.table, at + 2)
            return True
        self.frame[level] = 1
        for w in range(words):
            self.keys[level * words + w] = self.alive[level * words + w]
        self.since[level] = nodes
        self.owner[level] = self.account
        self.account = level + 1
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _close(self, level: cython.int, nodes: cython.longlong) -> cython.void:
        """The framed level is done: store its account and put it on the one outside."""
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

    # The search.

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
        frame: cython.p_int = self.frame
        counting: cython.bint = self.counting
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
                        state = OPEN
                    continue
                if left[level] == 1 and not any_free:
                    # Every way is an answer.
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
                    if frame[level] != 0:
                        self._settle(self.account, answers)
                        answers = 0
                        self._close(level, nodes)
                        if 2 * self.stored > WAYS * self.buckets and self.buckets < self.most_buckets:
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
                to = at
                there = here
                if r < self.end[level] or frame[level] != 0:
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
                state = ENTER if after else OPEN
            elif state == OPEN:
                state = FREE
                if counting:
                    if self._recall(level, nodes):
                        state = BACK
                    elif frame[level] != 0 and answers != 0:
                        self._settle(self.owner[level], answers)
                        answers = 0
            elif state == FREE:
                w = self.free >> 6
                while w < words and alive[at + w] == 0:
                    w += 1
                if w == words:
                    state = BACK
                    answers += 1
                    if frame[level] != 0:
                        self._settle(self.account, answers)
                        answers = 0
                        self._close(level, nodes)
                        if 2 * self.stored > WAYS * self.buckets and self.buckets < self.most_buckets:
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
                state = OPEN
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
                state = ENTER if left[0] else OPEN
        self._nodes = nodes
        self._updates = updates
        self._answers = answers
        self.level = level
        self.depth = depth
        self.state = state
        return code
