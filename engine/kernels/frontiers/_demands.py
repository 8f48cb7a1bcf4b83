"""Counts the answers of a problem with side conditions option by option, or keeps what each state leads to.

counting/side_states.py says what a state is, and writes the *code* that is run here. A state is a row of *cells*, whole
numbers from 0 to 255, which are kept eight to a word; every demand on the answer has cells of its own, all 0 before its
first option and after its last. Options are decided one after another. A *layer* has all states before an option.

    words, limbs        words of a state; words of its number of ways, lowest first
    code, begin         the operations, one for each demand that an option changes; where those of each option begin
    forced              whether the option is given, so that it is not left
    keys, sums, count   per layer (`one`, and `other`, which is being made): its states, their numbers, how many
    table               of the layer that is being made: 1 + the number of a state, by hash; open addressing, linear
    at                  the next state of the layer to be treated
    before, cells       the cells of the state that is treated, and of the one that is made of it
    low, high, arcs     with `keep`, per state so far, where leaving and taking the option leads: the number of a
                        state in the next layer, or -1; how many states came before this layer

An operation begins with its kind, its length, and its first cell. What follows, by kind (the same words as in
side_states.py):

    ITEM        cells of the count, cells of the colour, the colour, the cap, high, low, the options left
    TOTAL       cells, the coefficient, the least and the most that later options add, what sums are raised by so that
                none is below 0, whether it ends here, how many ranges, and each range
    CIRCUIT     slots, the slots of the two vertices, whether it ends here, how many slots are over, and which
    CONNECTION  slots, 1 if it ends here, and 2 more for a forest, how many vertices the option stands at, how many
                slots are over, and which; for each vertex its slot, how many slots are beside it, and which

The kinds, and what stands in a slot, are named in _kernel.h. The first cell of a circuit and of a connection is 1 once
it may take no more. A slot of a circuit is FRESH, INSIDE, or MATE more than the slot of the other end.

`nodes` counts states that were treated. Numbers of ways have one word, and more where a layer's come near 2⁶⁴ together.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.frontiers.states import FIRST_ROOM, MIX, MOST_ROOM, WORD
    from cython.cimports.covr.engine.kernels.shared._kernel import DONE, GROW, SLICE, KernelBase
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _longs, _zero_ints, _zero_words
else:
    from covr.engine.kernels.frontiers.states import FIRST_ROOM, MIX, MOST_ROOM, WORD
    from covr.engine.kernels.header import DEMAND_CIRCUIT as CIRCUIT
    from covr.engine.kernels.header import DEMAND_CONNECTION as CONNECTION
    from covr.engine.kernels.header import DEMAND_FRESH as FRESH
    from covr.engine.kernels.header import DEMAND_INSIDE as INSIDE
    from covr.engine.kernels.header import DEMAND_ITEM as ITEM
    from covr.engine.kernels.header import DEMAND_MATE as MATE
    from covr.engine.kernels.header import DONE, GROW, SLICE
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _longs, _zero_ints, _zero_words

    KernelBase = load("_kernel", interpreted=True).KernelBase

COMPILED = cython.compiled

MOST_ARCS = (1 << 31) - 1  # states of a diagram, at most
NEAR = cython.declare(cython.double, 2.0**61)  # a layer's ways in highest words from which on there is one more


@cython.final
@cython.cclass
class Demands(KernelBase):
    """A count, or a diagram's states. `run` until it returns DONE; `is_full` if the memory was not enough."""

    levels: cython.int
    step: cython.int
    words: cython.Py_ssize_t
    limbs: cython.Py_ssize_t
    keep: cython.bint
    full: cython.bint
    at: cython.longlong
    count: cython.longlong
    made: cython.longlong
    room: cython.longlong
    memory: cython.longlong
    arcs: cython.longlong
    arc_room: cython.longlong
    code_at: cython.p_longlong
    begin: cython.p_int
    forced: cython.p_int
    before: cython.p_int
    cells: cython.p_int
    number: cython.p_int
    one_keys: cython.p_ulonglong
    one_sums: cython.p_ulonglong
    other_keys: cython.p_ulonglong
    other_sums: cython.p_ulonglong
    table: cython.p_int
    low: cython.p_int
    high: cython.p_int
    layers: list
    hold_one: list
    hold_other: list
    hold_table: list
    hold_arcs: list

    def __init__(self, code, begin, forced, words, memory, keep):
        """code, begin, forced: as above.  words: at least 1.  memory: bytes that layers and arcs may take.  keep: keep
        where each state leads, and count no ways."""
        super().__init__()
        self.levels = len(forced)
        self.words = words
        self.limbs = 0 if keep else 1
        self.keep = keep
        self.memory = memory
        self.code_at = _longs(code, self.hold)
        self.begin = _ints(begin, self.hold)
        self.forced = _ints(forced, self.hold)
        self.before = _zero_ints(8 * words, self.hold)
        self.cells = _zero_ints(8 * words, self.hold)
        self.number = _zero_ints(256, self.hold)
        self.step = 0
        self.at = 0
        self.made = 0
        self.full = False
        self.room = FIRST_ROOM
        self.arcs = 0
        self.arc_room = FIRST_ROOM if keep else 0
        self.layers = [0]
        self.hold_one = []
        self.hold_other = []
        self.hold_table = []
        self.hold_arcs = []
        self.one_keys = _zero_words(self.room * words, self.hold_one)
        self.one_sums = _zero_words(self.room * self.limbs, self.hold_one)
        self.other_keys = _zero_words(self.room * words, self.hold_other)
        self.other_sums = _zero_words(self.room * self.limbs, self.hold_other)
        self.table = _zero_ints(2 * self.room, self.hold_table)
        self.low = _zero_ints(self.arc_room, self.hold_arcs)
        self.high = _zero_ints(self.arc_room, self.hold_arcs)
        if not keep:
            self.one_sums[0] = 1
        self.count = 1

    @property
    def is_full(self):
        """Whether a layer or the arcs do not fit into the memory: there will be no result."""
        return self.full

    @property
    def states(self):
        """How many states there were in the layers that are complete."""
        return self._nodes - self.at + self.count

    @property
    def wanted(self):
        """Bytes that are in use."""
        return self._bytes(self.room, self.arc_room)

    @property
    def value(self):
        """The number of answers; None unless all options are decided and ways were counted."""
        if self.step < self.levels or self.keep:
            return None
        total = 0
        for k in range(self.limbs if self.count else 0):
            total += int(self.one_sums[k]) << 64 * k
        return total

    def fraction(self):
        """Which part of the options is decided, from 0 to 1."""
        return cython.cast(cython.double, self.step) / self.levels if self.levels else 1.0

    def layer(self, level):
        """For each state before the option of that number where leaving and taking it leads: two lists."""
        first, last = self.layers[level], self.layers[level + 1]
        return [self.low[k] for k in range(first, last)], [self.high[k] for k in range(first, last)]

    def run(self, nodes: cython.longlong, answers: cython.longlong):
        """Treat at most `nodes` more states; returns DONE or SLICE."""
        code: cython.int
        end: cython.longlong = self._nodes + nodes
        while not self.full:
            with cython.nogil:
                code = self._run(end, 0)
            if code != GROW:
                self._code = code
                return code
            if self.at < self.count:
                self._grow()
            else:
                self._turn()
        self._code = SLICE
        return SLICE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        """GROW where a layer is done (`at` is `count`), or where there is no room for two more states."""
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        word: cython.ulonglong
        source: cython.Py_ssize_t
        taken: cython.int
        there: cython.int
        while self.step < self.levels:
            while self.at < self.count:
                if self._nodes >= end:
                    return SLICE
                if self.made + 2 > self.room or (self.keep and self.arcs + self.at >= self.arc_room):
                    return GROW
                self._nodes += 1
                source = self.at * self.words
                for k in range(self.words):
                    word = self.one_keys[source + k]
                    for j in range(8):
                        self.before[8 * k + j] = cython.cast(cython.int, (word >> (8 * j)) & 255)
                for taken in range(2):
                    there = -1
                    if taken or not self.forced[self.step]:
                        for k in range(8 * self.words):
                            self.cells[k] = self.before[k]
                        if self._moved(taken):
                            there = self._add()
                    if self.keep:
                        if taken:
                            self.high[self.arcs + self.at] = there
                        else:
                            self.low[self.arcs + self.at] = there
                self.at += 1
            return GROW
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _moved(self, taken: cython.bint) -> cython.bint:
        """Change the cells as the option's being taken or left does. False if no answer is left."""
        at: cython.longlong = self.begin[self.step]
        end: cython.longlong = self.begin[self.step + 1]
        kind: cython.longlong
        good: cython.bint
        while at < end:
            kind = self.code_at[at]
            if kind == CIRCUIT:
                good = self._circuit(at, taken)
            elif kind == ITEM:
                good = self._item(at, taken)
            elif kind == CONNECTION:
                good = self._connection(at, taken)
            else:
                good = self._total(at, taken)
            if not good:
                return False
            at += self.code_at[at + 1]
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _get(self, cell: cython.longlong, cells: cython.longlong) -> cython.longlong:
        """The number in some cells, lowest first."""
        value: cython.longlong = 0
        k: cython.longlong
        for k in range(cells):
            value += cython.cast(cython.longlong, self.cells[cell + k]) << (8 * k)
        return value

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _put(self, cell: cython.longlong, cells: cython.longlong, value: cython.longlong) -> cython.void:
        """Write a number that is not below 0 into some cells."""
        k: cython.longlong
        for k in range(cells):
            self.cells[cell + k] = cython.cast(cython.int, (value >> (8 * k)) & 255)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _item(self, at: cython.longlong, taken: cython.bint) -> cython.bint:
        code: cython.p_longlong = self.code_at
        cell: cython.longlong = code[at + 2]
        counts: cython.longlong = code[at + 3]
        tints: cython.longlong = code[at + 4]
        colour: cython.longlong = code[at + 5]
        left: cython.longlong = code[at + 9]
        plain: cython.longlong = self._get(cell, counts)
        shown: cython.longlong = self._get(cell + counts, tints)
        times: cython.longlong
        if taken:
            if colour == 0:
                if plain < code[at + 6]:
                    plain += 1
            elif shown != 0 and shown != colour:
                return False
            else:
                shown = colour
        times = plain + (1 if shown != 0 else 0)
        if times > code[at + 7] or times + left < code[at + 8]:
            return False
        if left == 0:
            plain = 0
            shown = 0
        self._put(cell, counts, plain)
        self._put(cell + counts, tints, shown)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _total(self, at: cython.longlong, taken: cython.bint) -> cython.bint:
        code: cython.p_longlong = self.code_at
        cell: cython.longlong = code[at + 2]
        cells: cython.longlong = code[at + 3]
        end: cython.bint = code[at + 8] != 0
        ranges: cython.longlong = code[at + 9]
        value: cython.longlong = self._get(cell, cells)
        total: cython.longlong = value - 2 - code[at + 7] if value > 1 else 0
        low: cython.longlong
        high: cython.longlong
        k: cython.longlong
        some: cython.bint = False
        if value != 1:  # or every end is allowed
            if taken:
                total += code[at + 4]
            low = total + code[at + 5]
            high = total + code[at + 6]
            value = total + 2 + code[at + 7]
            for k in range(ranges):
                if code[at + 10 + 2 * k] <= high and low <= code[at + 11 + 2 * k]:
                    some = True
                    if code[at + 10 + 2 * k] <= low and high <= code[at + 11 + 2 * k]:
                        value = 1
            if not some:
                return False
        self._put(cell, cells, 0 if end else value)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _circuit(self, at: cython.longlong, taken: cython.bint) -> cython.bint:
        code: cython.p_longlong = self.code_at
        cells: cython.p_int = self.cells
        first: cython.longlong = code[at + 2]  # of the cells: whether the loop is closed
        slots: cython.longlong = code[at + 3]
        slot: cython.longlong = first + 1
        u: cython.longlong = code[at + 4]
        v: cython.longlong = code[at + 5]
        last: cython.bint = code[at + 6] != 0
        one: cython.longlong
        other: cython.longlong
        a: cython.int
        b: cython.int
        k: cython.longlong
        if cells[first] != 0:
            if taken:
                return False
            if last:
                cells[first] = 0
            return True
        if taken:
            a = cells[slot + u]
            b = cells[slot + v]
            if a == INSIDE or b == INSIDE:
                return False
            if u == v or a == MATE + v:
                if u == v and a != FRESH:
                    return False
                for k in range(slots):
                    if cells[slot + k] >= MATE and k != u and k != v:
                        return False
                for k in range(slots):
                    cells[slot + k] = FRESH
                cells[first] = 0 if last else 1
                return True
            one = u if a == FRESH else a - MATE
            other = v if b == FRESH else b - MATE
            if a != FRESH:
                cells[slot + u] = INSIDE
            if b != FRESH:
                cells[slot + v] = INSIDE
            cells[slot + one] = cython.cast(cython.int, MATE + other)
            cells[slot + other] = cython.cast(cython.int, MATE + one)
        for k in range(code[at + 7]):
            one = slot + code[at + 8 + k]
            if cells[one] >= MATE:
                return False
            cells[one] = FRESH
        return not last

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _connection(self, at: cython.longlong, taken: cython.bint) -> cython.bint:
        code: cython.p_longlong = self.code_at
        cells: cython.p_int = self.cells
        first: cython.longlong = code[at + 2]  # of the cells: whether no other vertex may be taken
        slots: cython.longlong = code[at + 3]
        slot: cython.longlong = first + 1
        last: cython.bint = code[at + 4] & 1
        forest: cython.bint = code[at + 4] > 1
        overs: cython.longlong = at + 7
        stands: cython.longlong = overs + code[at + 6]
        here: cython.longlong
        near: cython.longlong
        k: cython.longlong
        j: cython.longlong
        n: cython.longlong
        part: cython.int
        old: cython.int
        most: cython.int
        others: cython.int
        closed: cython.bint = False
        if cells[first] != 0:
            if taken:
                return False
            if last:
                cells[first] = 0
            return True
        if taken:
            for _ in range(code[at + 5]):
                here = slot + code[stands]
                n = code[stands + 1]
                if cells[here] == 0:
                    most = 0
                    for j in range(slots):
                        if cells[slot + j] > most:
                            most = cells[slot + j]
                    cells[here] = most + 1
                elif forest:
                    n = 0  # its edges are known
                for near in range(n):
                    old = cells[slot + code[stands + 2 + near]]
                    part = cells[here]
                    if forest and old == part:
                        return False
                    if old != 0 and old != part:
                        for j in range(slots):
                            if cells[slot + j] == old:
                                cells[slot + j] = part
                stands += 2 + code[stands + 1]
        for k in range(code[at + 6]):
            here = slot + code[overs + k]
            part = cells[here]
            cells[here] = 0
            if part != 0 and not forest:
                most = 0
                others = 0
                for j in range(slots):
                    if cells[slot + j] != 0:
                        others += 1
                        if cells[slot + j] == part:
                            most = 1
                if most == 0:
                    if others != 0:
                        return False
                    closed = True
        if last or closed:  # every slot is over, or no other may be filled
            cells[first] = not last
            return True
        # Parts are numbered in the order in which they come.
        for k in range(slots + 1):
            self.number[k] = 0
        most = 0
        for k in range(slots):
            part = cells[slot + k]
            if part != 0:
                if self.number[part] == 0:
                    most += 1
                    self.number[part] = most
                cells[slot + k] = self.number[part]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(self) -> cython.int:
        """Enter the state in `cells` into the next layer, with the ways of the state that is treated; its number."""
        words: cython.Py_ssize_t = self.words
        limbs: cython.Py_ssize_t = self.limbs
        mask: cython.ulonglong = 2 * self.room - 1
        target: cython.Py_ssize_t = self.made * words
        source: cython.Py_ssize_t = self.at * limbs
        slot: cython.ulonglong
        word: cython.ulonglong
        more: cython.ulonglong
        total: cython.ulonglong
        carry: cython.ulonglong = 0
        mixed: cython.ulonglong = 0
        there: cython.Py_ssize_t
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        # The state is written where it would stand if it is new.
        for k in range(words):
            word = 0
            for j in range(8):
                word |= cython.cast(cython.ulonglong, self.cells[8 * k + j]) << (8 * j)
            self.other_keys[target + k] = word
            mixed = ((mixed ^ word) * MIX) & WORD
            mixed ^= mixed >> 32
        slot = mixed & mask
        while self.table[slot] != 0:
            there = self.table[slot] - 1
            there = there * words
            k = 0
            while k < words and self.other_keys[there + k] == self.other_keys[target + k]:
                k += 1
            if k == words:
                break
            slot = (slot + 1) & mask
        if self.table[slot] == 0:
            there = self.made * limbs
            for k in range(limbs):
                self.other_sums[there + k] = self.one_sums[source + k]
            self.made += 1
            self.table[slot] = cython.cast(cython.int, self.made)
            return cython.cast(cython.int, self.made - 1)
        there = self.table[slot] - 1
        there = there * limbs
        for k in range(limbs):
            more = self.one_sums[source + k]
            total = (self.other_sums[there + k] + carry) & WORD
            carry = total < carry
            total = (total + more) & WORD
            if total < more:
                carry = 1
            self.other_sums[there + k] = total
        return self.table[slot] - 1

    def _turn(self):
        """Go on to the next layer."""
        k: cython.longlong
        top: cython.double = 0.0
        if self.keep:
            self.arcs += self.count
            self.layers.append(self.arcs)
        self.one_keys, self.other_keys = self.other_keys, self.one_keys
        self.one_sums, self.other_sums = self.other_sums, self.one_sums
        self.hold_one, self.hold_other = self.hold_other, self.hold_one
        self.count = self.made
        self.made = 0
        self.at = 0
        self.step += 1
        for k in range(2 * self.room):
            self.table[k] = 0
        if self.keep or self.step == self.levels:
            return
        # The ways of the next layer are at most twice as many as those of this one.
        for k in range(self.count):
            top += cython.cast(cython.double, self.one_sums[(k + 1) * self.limbs - 1]) + 1.0
        if top > NEAR:
            self._widen()

    def _widen(self):
        """Give the numbers of ways another word. The layer that is to be made is empty."""
        old: cython.Py_ssize_t = self.limbs
        new: cython.Py_ssize_t = old + 1
        k: cython.longlong
        j: cython.Py_ssize_t
        self.limbs = new
        if self._bytes(self.room, self.arc_room) > self.memory:
            self.full = True
            self.limbs = old
            return
        hold_one: list = []
        keys: cython.p_ulonglong = _zero_words(self.room * self.words, hold_one)
        sums: cython.p_ulonglong = _zero_words(self.room * new, hold_one)
        for k in range(self.count * self.words):
            keys[k] = self.one_keys[k]
        for k in range(self.count):
            for j in range(old):
                sums[k * new + j] = self.one_sums[k * old + j]
        self.one_keys, self.one_sums, self.hold_one = keys, sums, hold_one
        self.hold_other = []
        self.other_keys = _zero_words(self.room * self.words, self.hold_other)
        self.other_sums = _zero_words(self.room * new, self.hold_other)

    def _grow(self):
        """Make room for twice as many states, or for twice as many arcs."""
        old: cython.longlong = self.room
        new: cython.longlong = 2 * old
        words: cython.Py_ssize_t = self.words
        k: cython.longlong
        if self.keep and self.arcs + self.at >= self.arc_room:
            self._grow_arcs()
            return
        if new > MOST_ROOM or self._bytes(new, self.arc_room) > self.memory:
            self.full = True
            return
        hold_one: list = []
        hold_other: list = []
        keys: cython.p_ulonglong = _zero_words(new * words, hold_one)
        sums: cython.p_ulonglong = _zero_words(new * self.limbs, hold_one)
        for k in range(self.count * words):
            keys[k] = self.one_keys[k]
        for k in range(self.count * self.limbs):
            sums[k] = self.one_sums[k]
        next_keys: cython.p_ulonglong = _zero_words(new * words, hold_other)
        next_sums: cython.p_ulonglong = _zero_words(new * self.limbs, hold_other)
        for k in range(self.made * words):
            next_keys[k] = self.other_keys[k]
        for k in range(self.made * self.limbs):
            next_sums[k] = self.other_sums[k]
        self.one_keys, self.one_sums, self.hold_one = keys, sums, hold_one
        self.other_keys, self.other_sums, self.hold_other = next_keys, next_sums, hold_other
        self.hold_table = []
        self.table = _zero_ints(2 * new, self.hold_table)
        self.room = new
        self._enter()

    def _grow_arcs(self):
        old: cython.longlong = self.arc_room
        new: cython.longlong = 2 * old
        k: cython.longlong
        if new > MOST_ARCS or self._bytes(self.room, new) > self.memory:
            self.full = True
            return
        hold: list = []
        low: cython.p_int = _zero_ints(new, hold)
        high: cython.p_int = _zero_ints(new, hold)
        for k in range(old):
            low[k] = self.low[k]
            high[k] = self.high[k]
        self.low, self.high, self.hold_arcs = low, high, hold
        self.arc_room = new

    @cython.cfunc
    def _enter(self):
        """Enter the states of the layer that is being made into an empty table."""
        words: cython.Py_ssize_t = self.words
        mask: cython.ulonglong = 2 * self.room - 1
        slot: cython.ulonglong
        mixed: cython.ulonglong
        k: cython.longlong
        j: cython.Py_ssize_t
        for k in range(self.made):
            mixed = 0
            for j in range(words):
                mixed = ((mixed ^ self.other_keys[k * words + j]) * MIX) & WORD
                mixed ^= mixed >> 32
            slot = mixed & mask
            while self.table[slot] != 0:
                slot = (slot + 1) & mask
            self.table[slot] = cython.cast(cython.int, k + 1)

    def _bytes(self, room, arc_room):
        """What the two layers, their table and the arcs take."""
        return 16 * room * (self.words + self.limbs) + 8 * room + 8 * arc_room
