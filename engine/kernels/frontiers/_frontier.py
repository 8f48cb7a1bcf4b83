"""Counts the exact covers of a problem item by item: for each set of the frontier, in how many ways it comes about.

prepare/frontier.py makes the plan: the order of the items, their bits, and at which step an option is decided. A
*state* is a set of the frontier: which of the items that are still to be decided are covered already. A *layer* has all
states before a step, each with the number of ways that lead to it. At a step, a state whose item is covered goes on as
it is, without the item's bit. Any other takes each of the step's options whose items are not covered yet, and goes on
without one if the item need not be covered. The last layer has one state, and its number is the result. Only two layers
are kept, so that the memory does not grow with the number of steps.

    keys, sums, count   per layer (`one`, and `other`, which is being made): its states; their numbers, `limbs` words
                        each, lowest first; how many there are
    table               of the layer that is being made: 1 + the number of a state, by hash; open addressing, linear
    at                  the next state of the layer to be treated

`nodes` counts states that were treated, `updates` options that were taken. Both layers have room for the same number of
states; `room` is doubled when one is full.

The memo of _bits.py branches on the item with the fewest options, which is best for searching; but then what is left
has no straight edge, and there are many more sets of it.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.frontiers.states import enter_all, slot_of
    from cython.cimports.covr.engine.kernels.shared._kernel import DONE, GROW, SLICE, KernelBase
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _new_words, _zero_ints, _zero_words
else:
    from covr.engine.kernels.frontiers.states import enter_all, slot_of
    from covr.engine.kernels.header import DONE, GROW, SLICE
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _new_words, _zero_ints, _zero_words

    KernelBase = load("_kernel", interpreted=True).KernelBase

COMPILED = cython.compiled

FIRST_ROOM = cython.declare(cython.longlong, 1 << 10)  # states of a layer with room at first; a power of 2
MOST_ROOM = cython.declare(cython.longlong, 1 << 29)  # states of a layer, at most: twice as many have 32 bits
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)  # a word of 64 ones


@cython.final
@cython.cclass
class Sweep(KernelBase):
    """A count. `run` until it returns DONE, then `value` is the number; `is_full` if the memory was not enough.

    `nodes` counts the states that were treated, `updates` the options that were taken.
    """

    steps: cython.int
    limbs: cython.Py_ssize_t
    step: cython.int
    at: cython.longlong
    count: cython.longlong
    made: cython.longlong
    room: cython.longlong
    memory: cython.longlong
    full: cython.bint
    free: cython.longlong
    one_keys: cython.p_ulonglong
    one_sums: cython.p_ulonglong
    other_keys: cython.p_ulonglong
    other_sums: cython.p_ulonglong
    table: cython.p_int
    bit: cython.p_ulonglong
    required: cython.p_int
    begin: cython.p_int
    sets: cython.p_ulonglong
    hold_one: list
    hold_other: list
    hold_table: list

    def __init__(self, plan, memory):
        """plan: a Frontier of prepare/frontier.py.  memory: bytes that the layers may take. Time linear in the plan."""
        super().__init__()
        self.steps = len(plan.bit)
        self.limbs = plan.limbs
        self.free = plan.free
        self.memory = memory
        self.bit = _new_words([1 << b for b in plan.bit], self.hold)
        self.sets = _new_words(plan.sets, self.hold)
        self.required = _ints([int(r) for r in plan.required], self.hold)
        self.begin = _ints(list(plan.begin), self.hold)
        self.step = 0
        self.at = 0
        self.made = 0
        self.full = False
        self.room = FIRST_ROOM
        self.hold_one = []
        self.hold_other = []
        self.hold_table = []
        self.one_keys = _zero_words(self.room, self.hold_one)
        self.one_sums = _zero_words(self.room * self.limbs, self.hold_one)
        self.other_keys = _zero_words(self.room, self.hold_other)
        self.other_sums = _zero_words(self.room * self.limbs, self.hold_other)
        self.table = _zero_ints(2 * self.room, self.hold_table)
        self.one_sums[0] = 1
        self.count = 1

    @property
    def is_full(self):
        """Whether a layer does not fit into the memory: there will be no result."""
        return self.full

    @property
    def value(self):
        """The number of answers; None unless all steps are done."""
        if self.step < self.steps:
            return None
        total = 0
        for k in range(self.limbs if self.count else 0):
            total += int(self.one_sums[k]) << 64 * k
        return total << int(self.free)

    def fraction(self):
        """Which part of the steps is done, from 0 to 1."""
        return cython.cast(cython.double, self.step) / self.steps if self.steps else 1.0

    def run(self, nodes: cython.longlong):
        """Treat at most `nodes` more states; returns DONE or SLICE."""
        code: cython.int
        end: cython.longlong = self._nodes + nodes
        while not self.full:
            with cython.nogil:
                code = self._run(end, 0)
            if code != GROW:
                return code
            self._grow()
        return SLICE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        bit: cython.ulonglong
        key: cython.ulonglong
        k: cython.Py_ssize_t
        first: cython.Py_ssize_t
        last: cython.Py_ssize_t
        while self.step < self.steps:
            bit = self.bit[self.step]
            first = self.begin[self.step]
            last = self.begin[self.step + 1]
            while self.at < self.count:
                if self._nodes >= end:
                    return SLICE
                if self.made + (last - first) + 1 > self.room:
                    return GROW
                key = self.one_keys[self.at]
                self._nodes += 1
                if key & bit != 0:
                    self._add(key ^ bit)
                else:
                    if self.required[self.step] == 0:
                        self._add(key)
                    for k in range(first, last):
                        if self.sets[k] & key == 0:
                            self._updates += 1
                            self._add(key | self.sets[k])
                self.at += 1
            enter_all(self.table, self.one_keys, 2 * self.room - 1, 0)
            self.one_keys, self.other_keys = self.other_keys, self.one_keys
            self.one_sums, self.other_sums = self.other_sums, self.one_sums
            self.count = self.made
            self.made = 0
            self.at = 0
            self.step += 1
        return DONE

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(self, key: cython.ulonglong) -> cython.void:
        """Add the ways of the state that is treated to those of another in the next layer."""
        mask: cython.ulonglong = 2 * self.room - 1
        slot: cython.ulonglong = slot_of(self.table, self.other_keys, mask, key)
        limbs: cython.Py_ssize_t = self.limbs
        source: cython.Py_ssize_t = self.at * limbs
        there: cython.Py_ssize_t
        k: cython.Py_ssize_t
        carry: cython.ulonglong = 0
        more: cython.ulonglong
        total: cython.ulonglong
        if self.table[slot] == 0:
            self.other_keys[self.made] = key
            there = self.made * limbs
            for k in range(limbs):
                self.other_sums[there + k] = self.one_sums[source + k]
            self.made += 1
            self.table[slot] = cython.cast(cython.int, self.made)
            return
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

    def _grow(self):
        """Make room for twice as many states."""
        old: cython.longlong = self.room
        new: cython.longlong = 2 * old
        k: cython.longlong
        if new > MOST_ROOM or 16 * new * (1 + self.limbs) + 8 * new > self.memory:
            self.full = True
            return
        hold_one: list = []
        hold_other: list = []
        keys: cython.p_ulonglong = _zero_words(new, hold_one)
        sums: cython.p_ulonglong = _zero_words(new * self.limbs, hold_one)
        for k in range(self.count):
            keys[k] = self.one_keys[k]
        for k in range(self.count * self.limbs):
            sums[k] = self.one_sums[k]
        next_keys: cython.p_ulonglong = _zero_words(new, hold_other)
        next_sums: cython.p_ulonglong = _zero_words(new * self.limbs, hold_other)
        for k in range(self.made):
            next_keys[k] = self.other_keys[k]
        for k in range(self.made * self.limbs):
            next_sums[k] = self.other_sums[k]
        self.one_keys, self.one_sums, self.hold_one = keys, sums, hold_one
        self.other_keys, self.other_sums, self.hold_other = next_keys, next_sums, hold_other
        self.hold_table = []
        self.table = _zero_ints(2 * new, self.hold_table)
        enter_all(self.table, self.other_keys, 2 * new - 1, self.made)
        self.room = new
