"""The memo of a search on sets of options: how many answers there are below the nodes that were visited.

Once it is known that every item still has an option, the set of alive options determines everything below a node. So
this set is the key; it is stored and compared in full. The number of answers fits in `limbs` words; see `_limbs`.
When a node is not found it is *framed*: the answers below it are added to an account of its own, which is stored when
the node is done.

    frame[l]    1 if level l is framed
    account     where answers are added now: 0, or 1 + the innermost framed level; owner[l]: the account outside level l
    sums        per account its number of answers: `limbs` words, lowest first
    hash[l], keys, since[l]   a framed level's hash, its key, and the value of `nodes` when it was framed
    table       buckets of WAYS entries: hash, worth, number, key. An entry of worth 0 is empty. The worth is the number
                of nodes below; when a bucket is full, the entry of least worth is dropped and its worth is subtracted
                from the others (GreedyDual), so that entries which are not found again eventually lose their place
    tried, saved, skip, pause   per number of items left: the look-ups since the last check, and the nodes they
                saved; how many more nodes are searched without the memo; how many that will be the next time
    spared      how many nodes the memo has saved: the sum of the worths of the entries found

A look-up takes as long as several nodes. So after every WINDOW look-ups with the same number of items left, the memo
checks what they saved. If that was less than PAY nodes each, it is switched off for nodes with this many items left:
the first time for 128 windows, the next time for 256, and so on. The search itself counts `skip` down, and then does
not ask.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _longs, _zero_ints, _zero_longs, _zero_words
else:
    from covr.engine.kernels.shared.arrays import _longs, _zero_ints, _zero_longs, _zero_words

COMPILED = cython.compiled

WAYS = cython.declare(cython.int, 4)  # entries in a bucket of the memo's table
WINDOW = cython.declare(cython.longlong, 2048)  # look-ups between two checks of whether the memo pays
PAY = cython.declare(cython.longlong, 3)  # nodes that a look-up must save on average: about what it costs in time
FIRST_PAUSE = cython.declare(cython.longlong, 128 * 2048)  # nodes without the memo, the first time it does not pay
FEWEST_BUCKETS = cython.declare(cython.longlong, 64)  # buckets of the first table; a power of 2
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)  # a word of 64 ones
MIX = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)  # the hash's odd multiplier: 2**64 over the golden ratio


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
class AnswerMemo:
    """The memo of one search. The module describes its arrays."""

    def __init__(self, masks, levels: cython.int, memory=None):
        """masks: a `Masks` of prepare/masks.py.  levels: how many the search may have.  memory: how many bytes the
        table may take; None if answers are not counted: then there is only what the search reads, `frame` and `skip`.
        """
        hold: list = []
        items: int = masks.items
        words: int = masks.words
        limbs: int = _limbs(masks) if memory is not None else 0
        room: int = levels if memory is not None else 0
        self.hold = hold
        self.words = words
        self.limbs = limbs
        self.levels = room
        self.width = 2 + limbs + words
        self.buckets = self.most_buckets = self.stored = self.spared = self.account = 0
        self.frame = _zero_ints(levels + 1, hold)
        self.owner = _zero_ints(room + 1, hold)
        self.sums = _zero_words((room + 1) * limbs + 1, hold)
        self.hash = _zero_words(room + 1, hold)
        self.keys = _zero_words(room * words + 1, hold)
        self.since = _zero_longs(room + 1, hold)
        self.tried = _zero_longs(items + 2, hold)
        self.saved = _zero_longs(items + 2, hold)
        self.skip = _zero_longs(items + 2, hold)
        self.pause = _longs([FIRST_PAUSE] * (items + 1), hold)
        table: list = []
        self.hold_table = table
        self.table = _zero_words(1, table)
        if memory is not None:
            self._fit(memory)

    @cython.cfunc
    def restart(self):
        """Forget which levels are framed, and the answers counted so far. What was stored stays."""
        k: cython.Py_ssize_t
        for k in range(self.levels):
            self.frame[k] = 0
        for k in range((self.levels + 1) * self.limbs):
            self.sums[k] = 0
        self.account = 0

    @cython.cfunc
    def counted(self, accounts: cython.int):
        """How many answers the first accounts have in all."""
        total = 0
        for k in range(accounts * self.limbs):
            total += int(self.sums[k]) << 64 * (k % self.limbs)
        return total

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
    def grow(self) -> cython.void:
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
    def _find(self, level: cython.int, alive: cython.p_ulonglong, base: cython.Py_ssize_t) -> cython.longlong:
        """Look up the set that begins at alive[base], and keep its hash. Returns the entry's position, or -1."""
        words: cython.Py_ssize_t = self.words
        width: cython.Py_ssize_t = self.width
        table: cython.p_ulonglong = self.table
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
    def recall(
        self,
        level: cython.int,
        left: cython.int,
        alive: cython.p_ulonglong,
        base: cython.Py_ssize_t,
        nodes: cython.longlong,
        answers: cython.longlong,
    ) -> cython.bint:
        """Look a node up. Returns True if it was found; its answers are then in the current account.

        Otherwise it is framed. left: how many items are left.  alive, base: the set of alive options begins at
        alive[base].  nodes: how many were visited.  answers: how many were counted that are in no account yet; once the
        node is framed, they are.
        """
        words: cython.Py_ssize_t = self.words
        at: cython.longlong
        w: cython.Py_ssize_t
        self.frame[level] = 0
        if self.tried[left] >= WINDOW:
            if self.saved[left] < PAY * self.tried[left]:
                self.skip[left] = self.pause[left]
                self.pause[left] *= 2
            self.tried[left] = 0
            self.saved[left] = 0
        self.tried[left] += 1
        at = self._find(level, alive, base)
        if at >= 0:
            self.saved[left] += self.table[at + 1]
            self.spared += self.table[at + 1]
            self._add(self.account, self.table, at + 2)
            return True
        self.frame[level] = 1
        for w in range(words):
            self.keys[level * words + w] = alive[base + w]
        self.since[level] = nodes
        self.owner[level] = self.account
        self._settle(self.account, answers)
        self.account = level + 1
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def close(self, level: cython.int, nodes: cython.longlong, answers: cython.longlong) -> cython.bint:
        """Finish a framed level: store its account in the memo and add it to the account outside.

        nodes, answers: as in `recall`. Returns whether the table should grow.
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
        self._settle(self.account, answers)
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
