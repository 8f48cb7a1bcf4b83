"""Sweeps item by item: for each state of the frontier, the least that leads to it, or in how many ways it comes about.

prepare/frontier.py makes the plan. A *state* says how much of each item of the frontier is covered; a *layer* holds
all states before a step, each with its value. At a step at most one of some options is taken; then some items are
complete: what they lack ends the state, and their bits are freed. The last layer has at most one state.

The value of a state is what leads to it at least, or the number of ways to it. Prices are set up such that none is
ever negative, and the price of a whole answer is its cost in units; so a state whose price reaches the cutoff is
dropped, and two ways to the same state differ in their prices as they do in their costs. A count has no prices. Its
numbers have as many limbs of `LIMB` bits as they need, lowest first: one more once a sum in the next layer might not
fit.

An item has as many bits as it needs to count, one for each option that holds it: the lowest first. To take an option
moves the bits of its items up by one and sets the lowest, for all items at once; a count that is full stays full.

    keys, values, node, count  per layer (`one`, and `other`, which is being made): its states; their values; the node
                              that tells which options were taken; how many states there are
    choice                    per state of the layer that is being made: the option taken last, or -1; nodes for them
                              are made when the layer is complete, so that there is one for a state, not for a way to it
    table, mask               of the layer that is being made: 1 + the number of a state, by hash; open addressing,
                              linear; how much of the table is in use, less 1
    parent, option, nodes_    the nodes: the options taken on the way to a state form a path from its node to node 0.
                              When no room is left, those on no path to a state are dropped, and the others move down
    highest                   the highest limb of the numbers of the layer that is being made

Counts have no nodes. `nodes` counts states that were treated, `updates` options that were taken. All tables grow as
they must; if the memory is not enough, `is_full` is true, and the sweep ends without a result.

A state takes 40 ns while a layer fits into the cache, 170 ns where it has a million states. What was not done: to drop
a state of a cover if another covers more for no more. On the 12×12 board that would be seven of ten states; but to find
the other one takes a look into the table for each of some twenty bits.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.frontiers.states import FIRST_ROOM, MOST_ROOM, enter_all, slot_of
    from cython.cimports.covr.engine.kernels.shared._kernel import DONE, GROW, SLICE, KernelBase
    from cython.cimports.covr.engine.kernels.shared.arrays import (
        _ints,
        _longs,
        _new_words,
        _zero_ints,
        _zero_longs,
        _zero_words,
    )
else:
    from covr.engine.kernels.frontiers.states import FIRST_ROOM, MOST_ROOM, enter_all, slot_of
    from covr.engine.kernels.header import DONE, GROW, SLICE
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _longs, _new_words, _zero_ints, _zero_longs, _zero_words

    KernelBase = load("_kernel", interpreted=True).KernelBase

COMPILED = cython.compiled

LIMB = cython.declare(cython.int, 62)  # bits: two limbs and what they carry have 63, which a signed word holds


@cython.final
@cython.cclass
class SweepKernel(KernelBase):
    """A sweep. `run` until it returns DONE; then `value` is the least price or the number of answers."""

    steps: cython.int
    step: cython.int
    limbs: cython.int
    counting: cython.bint
    full: cython.bint
    at: cython.longlong
    count: cython.longlong
    made: cython.longlong
    room: cython.longlong
    highest: cython.longlong
    memory: cython.longlong
    cutoff: cython.longlong
    free: cython.int
    mask: cython.ulonglong
    one_keys: cython.p_ulonglong
    one_values: cython.p_longlong
    one_node: cython.p_int
    other_keys: cython.p_ulonglong
    other_values: cython.p_longlong
    other_node: cython.p_int
    choice: cython.p_int
    table: cython.p_int
    begin: cython.p_int
    number: cython.p_int
    block: cython.p_ulonglong
    upper: cython.p_ulonglong
    lowest: cython.p_ulonglong
    price: cython.p_longlong
    leave: cython.p_longlong
    over_begin: cython.p_int
    over_bit: cython.p_ulonglong
    over_price: cython.p_longlong
    shut: cython.p_ulonglong
    must: cython.p_ulonglong
    clear: cython.p_ulonglong
    lack_begin: cython.p_int
    lack_bit: cython.p_ulonglong
    lack_price: cython.p_longlong
    parent: cython.p_int
    option: cython.p_int
    node_count: cython.longlong
    node_room: cython.longlong
    hold_states: list
    hold_nodes: list

    def __init__(self, plan, cutoff, memory: cython.longlong):
        """plan: a SweepPlan.  cutoff: only answers whose price is less are looked for; None to count answers.  memory:
        bytes that the states and nodes may take. Time linear in the plan."""
        super().__init__()
        self.steps = len(plan.leave)
        self.memory = memory
        self.counting = cutoff is None
        self.cutoff = 1 if cutoff is None else cutoff
        self.free = plan.free
        self.begin = _ints(list(plan.begin), self.hold)
        self.number = _ints(list(plan.number), self.hold)
        self.block = _new_words(plan.block, self.hold)
        self.upper = _new_words(plan.upper, self.hold)
        self.lowest = _new_words(plan.lowest, self.hold)
        self.price = _longs(list(plan.price), self.hold)
        self.leave = _longs(list(plan.leave), self.hold)
        self.over_begin = _ints(list(plan.over_begin), self.hold)
        self.over_bit = _new_words(plan.over_bit, self.hold)
        self.over_price = _longs(list(plan.over_price), self.hold)
        self.shut = _new_words(plan.shut, self.hold)
        self.must = _new_words(plan.must, self.hold)
        self.clear = _new_words(plan.clear, self.hold)
        self.lack_begin = _ints(list(plan.lack_begin), self.hold)
        self.lack_bit = _new_words(plan.lack_bit, self.hold)
        self.lack_price = _longs(list(plan.lack_price), self.hold)
        self.step = 0
        self.at = self.count = self.made = self.room = self.highest = 0
        self.full = False
        self.limbs = 1
        self.hold_states = self.hold_nodes = []
        self.one_keys = self.other_keys = _zero_words(0, self.hold)
        self.one_values = self.other_values = _zero_longs(0, self.hold)
        self.one_node = self.other_node = self.choice = _zero_ints(0, self.hold)
        self.node_count = 1
        self.node_room = 0 if self.counting else FIRST_ROOM
        self.parent = _zero_ints(self.node_room, self.hold_nodes)
        self.option = _zero_ints(self.node_room, self.hold_nodes)
        self._grow(FIRST_ROOM, 1)
        if self.counting or plan.first < cutoff:
            self.count = 1
            self.one_values[0] = 1 if self.counting else plan.first

    @property
    def is_full(self):
        """Whether the memory was not enough: there will be no result."""
        return self.full

    @property
    def value(self):
        """The number of answers, or the least price of one; None unless all steps are done, and where there is no
        answer below the cutoff."""
        if self.step < self.steps or self.full:
            return None
        if not self.counting:
            return int(self.one_values[0]) if self.count else None
        total = sum([int(self.one_values[k]) << int(LIMB) * k for k in range(self.limbs if self.count else 0)])
        return total << int(self.free)

    def answer(self):
        """The options of an answer with that price, in the order in which they were decided. Time linear in their
        number."""
        found = []
        node: cython.int = self.one_node[0]
        while node != 0:
            found.append(int(self.option[node]))
            node = self.parent[node]
        return found[::-1]

    def lower(self, cutoff: cython.longlong):
        """Look only for answers whose price is less from now on."""
        self.cutoff = min(cutoff, self.cutoff)

    def fraction(self):
        """Which part of the steps is done, from 0 to 1."""
        return cython.cast(cython.double, self.step) / self.steps if self.steps else 1.0

    def run(self, nodes: cython.longlong, answers: cython.longlong = 0):
        """Treat at most `nodes` more states; returns DONE or SLICE."""
        code: cython.int
        end: cython.longlong = self._nodes + nodes
        while not self.full:
            with cython.nogil:
                code = self._run(end, 0)
            if code != GROW:
                return code
            if self.at == self.count:
                self._more_nodes()
            elif self.counting and self._is_tight():
                self._grow(self.room, self.limbs + 1)
            else:
                self._grow(2 * self.room, self.limbs)
        return SLICE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        key: cython.ulonglong
        paid: cython.longlong
        price: cython.longlong
        k: cython.int
        q: cython.int
        first: cython.int
        last: cython.int
        while self.step < self.steps:
            first = self.begin[self.step]
            last = self.begin[self.step + 1]
            if self.counting and self.at + self.made == 0 and self.count > 0:
                if self._is_tight():
                    return GROW
                self.highest = 0
            while self.at < self.count:
                if self._nodes >= end:
                    return SLICE
                if self.made + (last - first) + 1 > self.room:
                    return GROW
                key = self.one_keys[self.at]
                paid = self.one_values[self.at]
                self._nodes += 1
                self._add(key, paid + self.leave[self.step], -1)
                if key & self.shut[self.step] == 0:
                    for k in range(first, last):
                        if self.block[k] & key != 0:
                            continue
                        price = paid + self.price[k]
                        if price >= self.cutoff and not self.counting:
                            continue
                        for q in range(self.over_begin[k], self.over_begin[k + 1]):
                            if self.over_bit[q] & key != 0:
                                price += self.over_price[q]
                        self._updates += 1
                        self._add(key | ((key << 1) & self.upper[k]) | self.lowest[k], price, self.number[k])
                self.at += 1
            if not self._take_over():
                return GROW
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_tight(self) -> cython.bint:
        """Whether a number of the next layer may not fit into the limbs: all states lead there by all options."""
        ways: cython.longlong = self.count * (self.begin[self.step + 1] - self.begin[self.step] + 1)
        return self.highest >= (cython.cast(cython.longlong, 1) << LIMB) // ways

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(self, key: cython.ulonglong, price: cython.longlong, choice: cython.int) -> cython.void:
        """Complete the items that this step completes, and note the state in the next layer: count it, or keep it
        unless it has been reached for less."""
        step: cython.int = self.step
        slot: cython.ulonglong
        there: cython.int
        fresh: cython.bint
        q: cython.int
        if key & self.must[step] != self.must[step]:
            return
        if not self.counting:
            for q in range(self.lack_begin[step], self.lack_begin[step + 1]):
                if self.lack_bit[q] & key == 0:
                    price += self.lack_price[q]
            if price >= self.cutoff:
                return
        key &= ~self.clear[step]
        slot = slot_of(self.table, self.other_keys, self.mask, key)
        there = self.table[slot] - 1
        fresh = there < 0
        if fresh:
            there = cython.cast(cython.int, self.made)
            self.made += 1
            self.table[slot] = there + 1
            self.other_keys[there] = key
        if self.counting:
            self._sum(there, fresh)
        elif fresh or price < self.other_values[there]:
            self.other_values[there] = price
            self.other_node[there] = self.one_node[self.at]
            self.choice[there] = choice
        if 2 * self.made > cython.cast(cython.longlong, self.mask):
            self._spread(2 * self.mask + 1)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _sum(self, there: cython.longlong, fresh: cython.bint) -> cython.void:
        """Add the number of ways of the state that is treated to that of another in the next layer, unless that one is
        fresh."""
        total: cython.longlong = 0
        source: cython.longlong = self.at * self.limbs
        q: cython.int
        there *= self.limbs
        for q in range(self.limbs):
            total += self.one_values[source + q]
            if not fresh:
                total += self.other_values[there + q]
            self.other_values[there + q] = total & ((cython.cast(cython.longlong, 1) << LIMB) - 1)
            total >>= LIMB
        if self.other_values[there + self.limbs - 1] > self.highest:
            self.highest = self.other_values[there + self.limbs - 1]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _spread(self, mask: cython.ulonglong) -> cython.void:
        """Fill the table anew, of which this much is in use from now on."""
        self.mask = min(mask, cython.cast(cython.ulonglong, 2 * self.room - 1))
        enter_all(self.table, self.other_keys, self.mask, self.made)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take_over(self) -> cython.bint:
        """Make nodes for the layer that is complete, and go on with it. Returns False if there is no room for them."""
        k: cython.longlong
        mask: cython.ulonglong
        if not self.counting:
            if self.node_count + self.made > self.node_room:
                return False
            for k in range(self.made):
                if self.choice[k] >= 0:
                    self.parent[self.node_count] = self.other_node[k]
                    self.option[self.node_count] = self.choice[k]
                    self.other_node[k] = cython.cast(cython.int, self.node_count)
                    self.node_count += 1
        self.one_keys, self.other_keys = self.other_keys, self.one_keys
        self.one_values, self.other_values = self.other_values, self.one_values
        self.one_node, self.other_node = self.other_node, self.one_node
        self.count = self.made
        self.made = 0
        self.at = 0
        self.step += 1
        mask = cython.cast(cython.ulonglong, 2 * FIRST_ROOM - 1)
        while cython.cast(cython.longlong, mask) < 4 * self.count:
            mask = 2 * mask + 1
        self._spread(mask)
        return True

    def _fits(self, room: cython.longlong, limbs: cython.longlong, nodes: cython.longlong):
        """Whether there is memory for tables of these sizes, and for the present ones beside them while they are
        copied: 8 bytes for a state, 8 for a limb, in two layers, and 8 for its two places in the table; 12 more in all
        for how it came about, and 12 for a node: its parent, its option, and where it moves."""
        layers: cython.longlong = 16 * (1 + limbs) + (0 if self.counting else 8)
        old: cython.longlong = layers * self.room if room * limbs > self.room * self.limbs else 12 * self.node_room
        return room <= MOST_ROOM and room * (layers + (8 if self.counting else 12)) + 12 * nodes + old <= self.memory

    def _grow(self, room: cython.longlong, limbs: cython.int):
        """Make room for so many states with numbers of so many limbs."""
        marks: cython.longlong = 0 if self.counting else room
        k: cython.longlong
        if self.room > 0 and not self._fits(room, limbs, self.node_room):
            self.full = True
            return
        # Both layers are copied before the old tables are let go: they change places with each step, their holds don't.
        hold: list = []
        keys: cython.p_ulonglong = _zero_words(room, hold)
        values: cython.p_longlong = _zero_longs(room * limbs, hold)
        node: cython.p_int = _zero_ints(marks, hold)
        next_keys: cython.p_ulonglong = _zero_words(room, hold)
        next_values: cython.p_longlong = _zero_longs(room * limbs, hold)
        next_node: cython.p_int = _zero_ints(marks, hold)
        choice: cython.p_int = _zero_ints(marks, hold)
        self._copy(self.count, limbs, self.one_keys, keys, self.one_values, values, self.one_node, node)
        self._copy(
            self.made, limbs, self.other_keys, next_keys, self.other_values, next_values, self.other_node, next_node
        )
        for k in range(0 if self.counting else self.made):
            choice[k] = self.choice[k]
        self.one_keys, self.one_values, self.one_node = keys, values, node
        self.other_keys, self.other_values, self.other_node = next_keys, next_values, next_node
        self.choice = choice
        self.table = _zero_ints(2 * room, hold)
        self.hold_states = hold
        self.highest = self.highest if limbs == self.limbs else 0
        self.room, self.limbs = room, limbs
        self._spread(2 * room - 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _copy(
        self,
        count: cython.longlong,
        limbs: cython.int,
        keys: cython.p_ulonglong,
        new_keys: cython.p_ulonglong,
        values: cython.p_longlong,
        new_values: cython.p_longlong,
        node: cython.p_int,
        new_node: cython.p_int,
    ) -> cython.void:
        """Copy a layer's states, to numbers of so many limbs."""
        k: cython.longlong
        q: cython.int
        for k in range(count):
            new_keys[k] = keys[k]
            for q in range(self.limbs):
                new_values[k * limbs + q] = values[k * self.limbs + q]
            if not self.counting:
                new_node[k] = node[k]

    def _more_nodes(self):
        """Drop the nodes that no state needs; if few are dropped, make room for twice as many."""
        hold: list = []
        moved: cython.p_int = _zero_ints(self.node_count, hold)
        k: cython.longlong
        new: cython.longlong
        kept: cython.longlong = 0
        for k in range(self.made):
            moved[self.other_node[k]] = 1
        moved[0] = 1
        for k in range(self.node_count - 1, 0, -1):
            if moved[k]:
                moved[self.parent[k]] = 1
        for k in range(self.node_count):
            if moved[k]:
                moved[k] = cython.cast(cython.int, kept)
                self.parent[kept] = moved[self.parent[k]]
                self.option[kept] = self.option[k]
                kept += 1
        self.node_count = kept
        for k in range(self.made):
            self.other_node[k] = moved[self.other_node[k]]
        new = self.node_room
        while 2 * (kept + self.made) > new:
            new *= 2
        if new == self.node_room:
            return
        if new > MOST_ROOM or not self._fits(self.room, 1, new):
            if kept + self.made > self.node_room:
                self.full = True
            return
        hold = []
        parent: cython.p_int = _zero_ints(new, hold)
        option: cython.p_int = _zero_ints(new, hold)
        for k in range(kept):
            parent[k] = self.parent[k]
            option[k] = self.option[k]
        self.parent, self.option, self.hold_nodes = parent, option, hold
        self.node_room = new
