"""The cheapest answer item by item: for each state of the frontier, the least that leads to it.

minimum/sweep.py makes the plan. A *state* says how much of each item of the frontier is covered; a *layer* holds
all states before a step, each with the least price that leads to it. At a step at most one of some options is taken;
then some items are complete: what they lack ends the state, and their bits are freed. Prices are set up such that none
is ever negative, and the price of a whole answer is its cost in units; so a state whose price reaches the cutoff is
dropped, and two ways to the same state differ in their prices as they do in their costs.

An item has as many bits as it needs to count, one for each option that holds it: the lowest first. To take an option
moves the bits of its items up by one and sets the lowest, for all items at once; a count that is full stays full.

    keys, paid, node, count   per layer (`one`, and `other`, which is being made): its states; their prices; the node
                              that tells which options were taken; how many states there are
    choice                    per state of the layer that is being made: the option taken last, or -1; nodes for them
                              are made when the layer is complete, so that there is one for a state, not for a way to it
    table, mask               of the layer that is being made: 1 + the number of a state, by hash; open addressing,
                              linear; how much of the table is in use, less 1
    parent, option, nodes_    the nodes: the options taken on the way to a state form a path from its node to node 0.
                              When no room is left, those on no path to a state are dropped, and the others move down

`nodes` counts states that were treated, `updates` options that were taken. All tables grow as they must; if the memory
is not enough, `is_full` is true, and the sweep ends without a result.

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
    from cython.cimports.covr.engine.kernels.frontiers.states import enter_all, slot_of
    from cython.cimports.covr.engine.kernels.shared._kernel import DONE, GROW, SLICE
    from cython.cimports.covr.engine.kernels.shared.arrays import (
        _ints,
        _longs,
        _new_words,
        _zero_ints,
        _zero_longs,
        _zero_words,
    )
else:
    from covr.engine.kernels.frontiers.states import enter_all, slot_of
    from covr.engine.kernels.header import DONE, GROW, SLICE
    from covr.engine.kernels.shared.arrays import _ints, _longs, _new_words, _zero_ints, _zero_longs, _zero_words

COMPILED = cython.compiled

FIRST_ROOM = cython.declare(cython.longlong, 1 << 10)  # states of a layer with room at first; a power of 2
MOST_ROOM = cython.declare(cython.longlong, 1 << 29)  # states of a layer, at most: twice as many have 32 bits
FIRST_NODES = 1 << 12  # nodes for which there is room at first
LAYERS = 2 * (8 + 8 + 4)  # bytes for a state in two layers
STATE = LAYERS + 4 + 2 * 4  # and its choice, and two places in the table
NODE = 3 * 4  # bytes for a node: its parent, its option, and where it moves


@cython.final
@cython.cclass
class SweepKernel:
    """A sweep. `run` until it returns DONE; then `value` is the least price, and `answer` the options."""

    steps: cython.int
    step: cython.int
    at: cython.longlong
    count: cython.longlong
    made: cython.longlong
    room: cython.longlong
    mask: cython.ulonglong
    memory: cython.longlong
    cutoff: cython.longlong
    _nodes: cython.longlong
    _updates: cython.longlong
    full: cython.bint
    one_keys: cython.p_ulonglong
    one_paid: cython.p_longlong
    one_node: cython.p_int
    other_keys: cython.p_ulonglong
    other_paid: cython.p_longlong
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
    must: cython.p_ulonglong
    clear: cython.p_ulonglong
    lack_begin: cython.p_int
    lack_bit: cython.p_ulonglong
    lack_price: cython.p_longlong
    parent: cython.p_int
    option: cython.p_int
    node_count: cython.longlong
    node_room: cython.longlong
    hold: list
    hold_one: list
    hold_other: list
    hold_table: list
    hold_nodes: list

    def __init__(self, plan, cutoff: cython.longlong, memory: cython.longlong):
        """plan: a SweepPlan.  cutoff: only answers whose price is less are looked for.  memory: bytes that the states
        and nodes may take. Time linear in the plan."""
        self.hold = []
        self.steps = len(plan.leave)
        self.memory = memory
        self.cutoff = cutoff
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
        self.must = _new_words(plan.must, self.hold)
        self.clear = _new_words(plan.clear, self.hold)
        self.lack_begin = _ints(list(plan.lack_begin), self.hold)
        self.lack_bit = _new_words(plan.lack_bit, self.hold)
        self.lack_price = _longs(list(plan.lack_price), self.hold)
        self.step = 0
        self.at = 0
        self.made = 0
        self._nodes = 0
        self._updates = 0
        self.full = False
        self.room = FIRST_ROOM
        self.hold_one = []
        self.hold_other = []
        self.hold_table = []
        self.hold_nodes = []
        self.one_keys = _zero_words(self.room, self.hold_one)
        self.one_paid = _zero_longs(self.room, self.hold_one)
        self.one_node = _zero_ints(self.room, self.hold_one)
        self.other_keys = _zero_words(self.room, self.hold_other)
        self.other_paid = _zero_longs(self.room, self.hold_other)
        self.other_node = _zero_ints(self.room, self.hold_other)
        self.choice = _zero_ints(self.room, self.hold_table)
        self.table = _zero_ints(2 * self.room, self.hold_table)
        self.mask = 2 * self.room - 1
        self.node_room = FIRST_NODES
        self.parent = _zero_ints(self.node_room, self.hold_nodes)
        self.option = _zero_ints(self.node_room, self.hold_nodes)
        self.node_count = 1
        self.one_paid[0] = plan.first
        self.count = 1 if plan.first < cutoff else 0

    @property
    def nodes(self):
        """How many states were treated."""
        return self._nodes

    @property
    def updates(self):
        """How many options were taken."""
        return self._updates

    @property
    def is_full(self):
        """Whether the memory was not enough: there will be no result."""
        return self.full

    @property
    def value(self):
        """The least price of an answer; None unless all steps are done, and where there is none below the cutoff."""
        if self.step < self.steps or not self.count:
            return None
        return int(self.one_paid[0])

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

    def run(self, nodes: cython.longlong):
        """Treat at most `nodes` more states; returns DONE or SLICE."""
        code: cython.int
        end: cython.longlong = self._nodes + nodes
        while not self.full:
            with cython.nogil:
                code = self._run(end)
            if code != GROW:
                return code
            if self.at < self.count:
                self._grow()
            else:
                self._more_nodes()
        return SLICE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong) -> cython.int:
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
            while self.at < self.count:
                if self._nodes >= end:
                    return SLICE
                if self.made + (last - first) + 1 > self.room:
                    return GROW
                key = self.one_keys[self.at]
                paid = self.one_paid[self.at]
                self._nodes += 1
                self._add(key, paid + self.leave[self.step], -1)
                for k in range(first, last):
                    if self.block[k] & key != 0:
                        continue
                    price = paid + self.price[k]
                    if price >= self.cutoff:
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
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(self, key: cython.ulonglong, price: cython.longlong, choice: cython.int) -> cython.void:
        """Complete the items that this step completes, and note the state in the next layer, unless it has been
        reached for less."""
        step: cython.int = self.step
        slot: cython.ulonglong
        there: cython.int
        q: cython.int
        if key & self.must[step] != self.must[step]:
            return
        for q in range(self.lack_begin[step], self.lack_begin[step + 1]):
            if self.lack_bit[q] & key == 0:
                price += self.lack_price[q]
        if price >= self.cutoff:
            return
        key &= ~self.clear[step]
        slot = slot_of(self.table, self.other_keys, self.mask, key)
        there = self.table[slot] - 1
        if there < 0:
            there = cython.cast(cython.int, self.made)
            self.made += 1
            self.table[slot] = there + 1
            self.other_keys[there] = key
        elif price >= self.other_paid[there]:
            return
        self.other_paid[there] = price
        self.other_node[there] = self.one_node[self.at]
        self.choice[there] = choice
        if 2 * self.made > cython.cast(cython.longlong, self.mask):
            self._spread(2 * self.mask + 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _spread(self, mask: cython.ulonglong) -> cython.void:
        """Fill the table anew, of which this much is in use from now on."""
        if mask > cython.cast(cython.ulonglong, 2 * self.room - 1):
            mask = 2 * self.room - 1
        self.mask = mask
        enter_all(self.table, self.other_keys, mask, self.made)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take_over(self) -> cython.bint:
        """Make nodes for the layer that is complete, and go on with it. Returns False if there is no room for them."""
        k: cython.longlong
        mask: cython.ulonglong
        if self.node_count + self.made > self.node_room:
            return False
        for k in range(self.made):
            if self.choice[k] >= 0:
                self.parent[self.node_count] = self.other_node[k]
                self.option[self.node_count] = self.choice[k]
                self.other_node[k] = cython.cast(cython.int, self.node_count)
                self.node_count += 1
        self.one_keys, self.other_keys = self.other_keys, self.one_keys
        self.one_paid, self.other_paid = self.other_paid, self.one_paid
        self.one_node, self.other_node = self.other_node, self.one_node
        self.count = self.made
        self.made = 0
        self.at = 0
        self.step += 1
        mask = cython.cast(cython.ulonglong, 2 * FIRST_ROOM - 1)
        while cython.cast(cython.longlong, mask) < 4 * self.count and mask < cython.cast(
            cython.ulonglong, 2 * self.room - 1
        ):
            mask = 2 * mask + 1
        self._spread(mask)
        return True

    def _weight(self, room: cython.longlong, nodes: cython.longlong):
        """How many bytes tables of these sizes take, and the present ones beside them while they are being copied."""
        old: cython.longlong = LAYERS * self.room if room > self.room else NODE * self.node_room
        return STATE * room + NODE * nodes + old

    def _grow(self):
        """Make room for twice as many states."""
        old: cython.longlong = self.room
        new: cython.longlong = 2 * old
        k: cython.longlong
        if new > MOST_ROOM or self._weight(new, self.node_room) > self.memory:
            self.full = True
            return
        # Both layers are copied before the old tables are let go: they change places with each step, their holds don't.
        hold_one: list = []
        keys: cython.p_ulonglong = _zero_words(new, hold_one)
        paid: cython.p_longlong = _zero_longs(new, hold_one)
        node: cython.p_int = _zero_ints(new, hold_one)
        for k in range(self.count):
            keys[k] = self.one_keys[k]
            paid[k] = self.one_paid[k]
            node[k] = self.one_node[k]
        hold_other: list = []
        next_keys: cython.p_ulonglong = _zero_words(new, hold_other)
        next_paid: cython.p_longlong = _zero_longs(new, hold_other)
        next_node: cython.p_int = _zero_ints(new, hold_other)
        for k in range(self.made):
            next_keys[k] = self.other_keys[k]
            next_paid[k] = self.other_paid[k]
            next_node[k] = self.other_node[k]
        self.one_keys, self.one_paid, self.one_node, self.hold_one = keys, paid, node, hold_one
        self.other_keys, self.other_paid, self.other_node = next_keys, next_paid, next_node
        self.hold_other = hold_other
        hold: list = []
        choice: cython.p_int = _zero_ints(new, hold)
        for k in range(self.made):
            choice[k] = self.choice[k]
        self.choice = choice
        self.table = _zero_ints(2 * new, hold)
        self.hold_table = hold
        self.room = new
        self._spread(2 * new - 1)

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
        if new > MOST_ROOM or self._weight(self.room, new) > self.memory:
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
