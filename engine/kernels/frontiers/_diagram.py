"""Builds the decision diagram of all answers: a search in a fixed order of the options, with a memo of every state.

Options are decided in the order of their numbers here (prepare/diagram.py chooses it): taken or left. A *state* is what
the decisions so far mean for the options still to come: a bit for each item that may be covered once, and a small
number for each other item (how many options hold it, or which colour it shows). Once the last option of an item is
decided, the item must have enough, and its bits are set to 0, so that equal futures are equal states.

    take        per option: bits that must be 0 and are set, and fields that are counted or coloured
    expiry      per option: what must hold, and is cleared, after it is decided
    cut         per option: 1 if what remains after it is left gets a state of its own in the memo. Between the options
                of an item that must be covered once, nothing else can lead to such a state, so none is stored
    block       per option: a bit of the state and an end. If the bit is set, no option before the end may be taken
    ending      per option: the next one, itself included, after which something expires; `options` if there is none
    keys, when, value, table    the memo: per state its words, the next option, its node; a hash table of their numbers
    var, low, high, unique      per node its option, the nodes if it is left and if it is taken; a hash table of nodes

Node 0 stands for no answer, node 1 for one that takes nothing more. No node has 0 as `high`, and no two are equal, so
the diagram is the reduced one for its order. Every node has a greater number than those below it.

Sources: Knuth, TAOCP 7.1.4, for the diagrams; Nishino, Yasuda, Minato, Nagata, "Dancing with decision diagrams", AAAI
2017, for the memo on the items still to be covered. There the search branches on the item with the fewest options;
here the order is fixed, so that the result is ordered, as other programs expect, and bounds other than 1 fit in.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.frontiers.states import FIRST_ROOM, MIX, WORD
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _new_words, _zero_ints, _zero_words
else:
    from covr.engine.kernels.frontiers.states import FIRST_ROOM, MIX, WORD
    from covr.engine.kernels.shared.arrays import _ints, _new_words, _zero_ints, _zero_words

COMPILED = cython.compiled

PAUSE, READY, FULL = 0, 1, 2  # what `run` returns
PAUSED = cython.declare(cython.int, 0)  # what `_run` returns: PAUSE, READY, or which array has to grow
FINISHED = cython.declare(cython.int, 1)
MORE_STATES = cython.declare(cython.int, 3)
MORE_NODES = cython.declare(cython.int, 4)
MORE_FRAMES = cython.declare(cython.int, 5)
TRY = cython.declare(cython.int, 0)  # what a frame does next: take its option,
TAKEN = cython.declare(cython.int, 1)  # go on with the node that this gave,
LEFT = cython.declare(cython.int, 2)  # with the one that leaving the option gave,
CLOSE = cython.declare(cython.int, 3)  # or make the nodes of all its options
MOST_NUMBERS = cython.declare(
    cython.longlong, 1 << 30
)  # states or nodes that 32 bits can number, with room for a table twice as long


@cython.final
@cython.cclass
class Builder:
    """A diagram that is being built. `run` until it returns READY; then `root` and `nodes` are the result."""

    hold: list
    states_hold: list
    nodes_hold: list
    frames_hold: list
    options: cython.int
    width: cython.Py_ssize_t
    most: cython.longlong
    begin: cython.p_int  # take: bits of option v are begin[v]:begin[v+1] of `word` and `mask`
    word: cython.p_int
    mask: cython.p_ulonglong
    field_begin: cython.p_int
    field: cython.p_int
    code: cython.p_int  # 0: the field counts; otherwise the colour
    end_begin: cython.p_int  # expiry: of `end_word`, `need`, `clear`
    end_word: cython.p_int
    need: cython.p_ulonglong
    clear: cython.p_ulonglong
    end_field_begin: cython.p_int
    end_field: cython.p_int
    f_word: cython.p_int
    f_shift: cython.p_int
    f_mask: cython.p_int
    f_high: cython.p_int  # counts: the limit, 0 for none; colours: the code that excludes all others
    f_cap: cython.p_int
    f_low: cython.p_int
    cut: cython.p_int
    block_word: cython.p_int
    block_mask: cython.p_ulonglong
    block_end: cython.p_int
    ending: cython.p_int
    cur: cython.p_ulonglong
    keys: cython.p_ulonglong
    when: cython.p_int
    value: cython.p_int
    table: cython.p_int
    states: cython.longlong
    states_room: cython.longlong
    var: cython.p_int
    low: cython.p_int
    high: cython.p_int
    unique: cython.p_int
    nodes_made: cython.longlong
    nodes_room: cython.longlong
    frame: cython.p_ulonglong
    at: cython.p_int
    key: cython.p_int
    phase: cython.p_int
    base: cython.p_int
    frames_room: cython.longlong
    depth: cython.longlong
    pending_at: cython.p_int
    pending_node: cython.p_int
    pending: cython.int
    result: cython.int
    tail: cython.int
    steps: cython.longlong
    asked: cython.longlong

    def __init__(
        self, options: cython.int, width: cython.Py_ssize_t, tests, fields, ends, blocks, most, first=FIRST_ROOM
    ):
        """options: how many.  width: the words of a state.  blocks: (cut, word, mask, end, ending).
        tests: (begin, word, mask, field_begin, field, code).  fields: (word, shift, mask, high, cap, low).
        ends: (begin, word, need, clear, field_begin, field).
        most: bytes that all arrays together may take.  first: what there is room for at first, a power of 2."""
        self.hold = []
        self.options, self.width, self.most = options, width, most
        self.begin, self.word = _ints(tests[0], self.hold), _ints(tests[1], self.hold)
        self.mask = _new_words(tests[2], self.hold)
        self.field_begin = _ints(tests[3], self.hold)
        self.field, self.code = _ints(tests[4], self.hold), _ints(tests[5], self.hold)
        self.f_word, self.f_shift = _ints(fields[0], self.hold), _ints(fields[1], self.hold)
        self.f_mask, self.f_high = _ints(fields[2], self.hold), _ints(fields[3], self.hold)
        self.f_cap, self.f_low = _ints(fields[4], self.hold), _ints(fields[5], self.hold)
        self.end_begin, self.end_word = _ints(ends[0], self.hold), _ints(ends[1], self.hold)
        self.need, self.clear = _new_words(ends[2], self.hold), _new_words(ends[3], self.hold)
        self.end_field_begin, self.end_field = _ints(ends[4], self.hold), _ints(ends[5], self.hold)
        self.cut, self.block_word = _ints(blocks[0], self.hold), _ints(blocks[1], self.hold)
        self.block_mask, self.block_end = _new_words(blocks[2], self.hold), _ints(blocks[3], self.hold)
        self.ending = _ints(blocks[4], self.hold)
        self.cur = _zero_words(width, self.hold)
        self.pending_at = _zero_ints(options + 1, self.hold)
        self.pending_node = _zero_ints(options + 1, self.hold)
        self.pending = self.result = self.tail = 0
        self.depth = self.states = self.steps = self.asked = 0
        self.nodes_made = 2
        self.states_room = self.nodes_room = self.frames_room = 0
        self._more_states(first)
        self._more_nodes(first)
        self._more_frames(first)
        self.var[0] = self.var[1] = options
        self._enter(0)

    @property
    def root(self):
        """The node of all answers; valid once `run` has returned READY."""
        return self.result

    @property
    def size(self):
        """How many nodes there are so far, the two ends included."""
        return self.nodes_made

    @property
    def work(self):
        """How many options were taken so far: a measure of work that is the same on every machine."""
        return self.steps

    @property
    def wanted(self):
        """How many bytes were wanted when `run` returned FULL; until then, how many there are."""
        return self.asked

    def nodes(self):
        """Per node its option, the node below if it is left, and if it is taken: three arrays of `i`."""
        k: cython.Py_ssize_t
        n: cython.Py_ssize_t = self.nodes_made
        var, low, high = array("i", bytes(4 * n)), array("i", bytes(4 * n)), array("i", bytes(4 * n))
        for k in range(n):
            var[k] = self.var[k]
            low[k] = self.low[k]
            high[k] = self.high[k]
        return var, low, high

    def run(self, steps: cython.longlong):
        """Take at most `steps` more options; returns PAUSE, READY, or FULL if there is no room within `most`."""
        code: cython.int
        end: cython.longlong = self.steps + steps
        while True:
            with cython.nogil:
                code = self._run(end)
            if code <= FINISHED:
                return code
            if code == MORE_STATES:
                fits = self._more_states(2 * self.states_room)
            elif code == MORE_NODES:
                fits = self._more_nodes(2 * self.nodes_room)
            else:
                fits = self._more_frames(2 * self.frames_room)
            if not fits:
                return FULL

    # --- room ---

    @cython.cfunc
    def _fits(self, states: cython.longlong, nodes: cython.longlong, frames: cython.longlong, old: cython.longlong):
        """Whether arrays of these sizes fit, next to `old` bytes that are freed only after copying."""
        wide: cython.longlong = 8 * self.width
        self.asked = states * (wide + 16) + nodes * 20 + frames * (wide + 16) + old
        return self.asked <= self.most and states <= MOST_NUMBERS and nodes <= MOST_NUMBERS

    @cython.cfunc
    def _more_states(self, room: cython.longlong):
        k: cython.Py_ssize_t
        wide: cython.longlong = 8 * self.width
        if self.states_room and not self._fits(room, self.nodes_room, self.frames_room, self.states_room * (wide + 8)):
            return False
        hold: list = []
        keys: cython.p_ulonglong = _zero_words(room * self.width, hold)
        when: cython.p_int = _zero_ints(room, hold)
        value: cython.p_int = _zero_ints(room, hold)
        for k in range(self.states * self.width):
            keys[k] = self.keys[k]
        for k in range(self.states):
            when[k] = self.when[k]
            value[k] = self.value[k]
        self.keys, self.when, self.value = keys, when, value
        self.table = _zero_ints(2 * room, hold)
        self.states_hold, self.states_room = hold, room
        for k in range(self.states):
            self.table[self._slot_of_state(self.when[k], self.keys, k * self.width)] = cython.cast(cython.int, k + 1)
        return True

    @cython.cfunc
    def _more_nodes(self, room: cython.longlong):
        k: cython.Py_ssize_t
        if self.nodes_room and not self._fits(self.states_room, room, self.frames_room, self.nodes_room * 12):
            return False
        hold: list = []
        var: cython.p_int = _zero_ints(room, hold)
        low: cython.p_int = _zero_ints(room, hold)
        high: cython.p_int = _zero_ints(room, hold)
        if self.nodes_room:
            for k in range(self.nodes_made):
                var[k] = self.var[k]
                low[k] = self.low[k]
                high[k] = self.high[k]
        self.var, self.low, self.high = var, low, high
        self.unique = _zero_ints(2 * room, hold)
        self.nodes_hold, self.nodes_room = hold, room
        for k in range(2, self.nodes_made):
            self.unique[self._slot_of_node(var[k], low[k], high[k])] = cython.cast(cython.int, k)
        return True

    @cython.cfunc
    def _more_frames(self, room: cython.longlong):
        k: cython.Py_ssize_t
        wide: cython.longlong = 8 * self.width
        if self.frames_room and not self._fits(self.states_room, self.nodes_room, room, self.frames_room * (wide + 16)):
            return False
        hold: list = []
        frame: cython.p_ulonglong = _zero_words(room * self.width, hold)
        at: cython.p_int = _zero_ints(room, hold)
        key: cython.p_int = _zero_ints(room, hold)
        phase: cython.p_int = _zero_ints(room, hold)
        base: cython.p_int = _zero_ints(room, hold)
        for k in range(self.depth * self.width):
            frame[k] = self.frame[k]
        for k in range(self.depth):
            at[k] = self.at[k]
            key[k] = self.key[k]
            phase[k] = self.phase[k]
            base[k] = self.base[k]
        self.frame, self.at, self.key, self.phase, self.base = frame, at, key, phase, base
        self.frames_hold, self.frames_room = hold, room
        return True

    # --- tables ---

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _slot_of_state(self, v: cython.int, words: cython.p_ulonglong, start: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the table has the state, or has room for it."""
        k: cython.Py_ssize_t
        same: cython.bint
        number: cython.Py_ssize_t
        width: cython.Py_ssize_t = self.width
        h: cython.ulonglong = v + 1
        for k in range(width):
            h = ((h ^ words[start + k]) * MIX) & WORD
            h ^= h >> 29
        last: cython.Py_ssize_t = 2 * self.states_room - 1
        slot: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, (((h * MIX) & WORD) >> 32) & last)
        while self.table[slot] != 0:
            number = self.table[slot] - 1
            if self.when[number] == v:
                same = True
                for k in range(width):
                    if self.keys[number * width + k] != words[start + k]:
                        same = False
                        break
                if same:
                    break
            slot = (slot + 1) & last
        return slot

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _slot_of_node(self, v: cython.int, low: cython.int, high: cython.int) -> cython.Py_ssize_t:
        h: cython.ulonglong = v + 1
        h = ((h * MIX) & WORD) ^ cython.cast(cython.ulonglong, low)
        h = ((h * MIX) & WORD) ^ cython.cast(cython.ulonglong, high)
        h ^= h >> 29
        last: cython.Py_ssize_t = 2 * self.nodes_room - 1
        slot: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, (((h * MIX) & WORD) >> 32) & last)
        k: cython.int = self.unique[slot]
        while k != 0 and not (self.var[k] == v and self.low[k] == low and self.high[k] == high):
            slot = (slot + 1) & last
            k = self.unique[slot]
        return slot

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _node(self, v: cython.int, low: cython.int, high: cython.int) -> cython.int:
        """The node with these three, which there is room for."""
        if high == 0:
            return low
        slot: cython.Py_ssize_t = self._slot_of_node(v, low, high)
        k: cython.int = self.unique[slot]
        if k == 0:
            k = cython.cast(cython.int, self.nodes_made)
            self.var[k] = v
            self.low[k] = low
            self.high[k] = high
            self.unique[slot] = k
            self.nodes_made += 1
        return k

    # --- states ---

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _allows(self, words: cython.p_ulonglong, start: cython.Py_ssize_t, v: cython.int) -> cython.bint:
        """Whether option v may be taken in a state."""
        k: cython.int
        f: cython.int
        c: cython.int
        for k in range(self.begin[v], self.begin[v + 1]):
            if words[start + self.word[k]] & self.mask[k] != 0:
                return False
        for k in range(self.field_begin[v], self.field_begin[v + 1]):
            f = self.field[k]
            c = cython.cast(cython.int, words[start + self.f_word[f]] >> self.f_shift[f]) & self.f_mask[f]
            if self.code[k] == 0:
                if self.f_high[f] != 0 and c >= self.f_high[f]:
                    return False
            elif c != 0 and (c != self.code[k] or c == self.f_high[f]):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, v: cython.int) -> cython.void:
        """Take option v in the state `cur`, which allows it."""
        k: cython.int
        f: cython.int
        c: cython.ulonglong
        old: cython.ulonglong
        for k in range(self.begin[v], self.begin[v + 1]):
            self.cur[self.word[k]] |= self.mask[k]
        for k in range(self.field_begin[v], self.field_begin[v + 1]):
            f = self.field[k]
            old = (self.cur[self.f_word[f]] >> self.f_shift[f]) & self.f_mask[f]
            if self.code[k] != 0:
                c = self.code[k]
            elif old < cython.cast(cython.ulonglong, self.f_cap[f]):
                c = old + 1
            else:
                c = old
            self.cur[self.f_word[f]] ^= (old ^ c) << self.f_shift[f]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _expire(self, words: cython.p_ulonglong, start: cython.Py_ssize_t, v: cython.int) -> cython.bint:
        """Clear the items of which v was the last option. False if one of them does not have enough."""
        k: cython.int
        f: cython.int
        c: cython.ulonglong
        for k in range(self.end_begin[v], self.end_begin[v + 1]):
            if self.need[k] & ~words[start + self.end_word[k]] != 0:
                return False
            words[start + self.end_word[k]] &= self.clear[k]
        for k in range(self.end_field_begin[v], self.end_field_begin[v + 1]):
            f = self.end_field[k]
            c = (words[start + self.f_word[f]] >> self.f_shift[f]) & self.f_mask[f]
            if c < cython.cast(cython.ulonglong, self.f_low[f]):
                return False
            words[start + self.f_word[f]] ^= c << self.f_shift[f]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _seek(self, words: cython.p_ulonglong, start: cython.Py_ssize_t, v: cython.int) -> cython.int:
        """The first option from v on that may be taken, once those before are left: `options` if there is none, and one
        more if an item does not get enough."""
        stop: cython.int
        while v < self.options:
            stop = self.block_end[v]
            if words[start + self.block_word[v]] & self.block_mask[v] == 0:
                if self._allows(words, start, v):
                    return v
                stop = v + 1
            # Leave all options before `stop`; only those in `ending` change the state.
            v = self.ending[v]
            while v < stop:
                if not self._expire(words, start, v):
                    return self.options + 1
                v = self.ending[v + 1]
            v = stop
        return v

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enter(self, v: cython.int) -> cython.void:
        """Go on with the state `cur` before option v: either its node is known, and `result`, or there is a new
        frame."""
        k: cython.Py_ssize_t
        top: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        number: cython.int
        v = self._seek(self.cur, 0, v)
        if v >= self.options:
            self.result = 1 if v == self.options else 0
            return
        slot = self._slot_of_state(v, self.cur, 0)
        if self.table[slot] != 0:
            self.result = self.value[self.table[slot] - 1]
            return
        number = cython.cast(cython.int, self.states)
        self.states += 1
        self.table[slot] = number + 1
        self.when[number] = v
        top = self.depth
        for k in range(self.width):
            self.keys[number * self.width + k] = self.cur[k]
            self.frame[top * self.width + k] = self.cur[k]
        self.at[top] = v
        self.key[top] = number
        self.phase[top] = TRY
        self.base[top] = self.pending
        self.depth += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong) -> cython.int:
        top: cython.Py_ssize_t
        start: cython.Py_ssize_t
        k: cython.Py_ssize_t
        v: cython.int
        node: cython.int
        while self.depth > 0:
            if self.states >= self.states_room:
                return MORE_STATES
            if self.nodes_made + self.pending >= self.nodes_room:
                return MORE_NODES
            if self.depth >= self.frames_room:
                return MORE_FRAMES
            top = self.depth - 1
            start = top * self.width
            v = self.at[top]
            if self.phase[top] == TRY:
                if self.steps >= end:
                    return PAUSED
                self.steps += 1
                for k in range(self.width):
                    self.cur[k] = self.frame[start + k]
                self._take(v)
                self.phase[top] = TAKEN
                self.result = 0
                if self._expire(self.cur, 0, v):
                    self._enter(v + 1)
            elif self.phase[top] == TAKEN:
                if self.result != 0:
                    self.pending_at[self.pending] = v
                    self.pending_node[self.pending] = self.result
                    self.pending += 1
                self.phase[top] = CLOSE
                self.tail = 0
                if not self._expire(self.frame, start, v):
                    continue
                if self.cut[v] != 0:
                    for k in range(self.width):
                        self.cur[k] = self.frame[start + k]
                    self.phase[top] = LEFT
                    self._enter(v + 1)
                    continue
                v = self._seek(self.frame, start, v + 1)
                if v < self.options:
                    self.at[top] = v
                    self.phase[top] = TRY
                else:
                    self.tail = 1 if v == self.options else 0
            elif self.phase[top] == LEFT:
                self.tail = self.result
                self.phase[top] = CLOSE
            else:
                node = self.tail
                while self.pending > self.base[top]:
                    self.pending -= 1
                    node = self._node(self.pending_at[self.pending], node, self.pending_node[self.pending])
                self.value[self.key[top]] = node
                self.result = node
                self.depth -= 1
        return FINISHED
