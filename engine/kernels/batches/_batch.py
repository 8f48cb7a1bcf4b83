# distutils: extra_compile_args = -O3 (sudokus by the thousand take 15 % longer without)
"""Many instances of one exact cover problem, solved in one call. An instance is the problem with some options given.

**Data.** Sets of options and of items are as in _bits.py, except that a template has no free options. In addition

    renumber      per option of the problem, its number in the masks; -1 if no answer takes it, -2 if every one does
    given_from    instance k takes the options givens[given_from[k]:given_from[k+1]]; negative numbers are blanks
    found         per instance how many answers it has, up to `limit`; -1 if `budget` nodes were not enough to tell
    answer_end    per kept answer, where it ends in `answers`; each answer is a run of increasing option numbers
    where         where the search stands: nodes, instance, level and so on, as _kernel.h says

Every instance begins with the template's options, intersected with the compatible sets of its given ones. The search
is that of _bits.py, but takes forced options in rounds: the options of all items that have just one are taken, and only
then is counted again. Each of them is a node, but a round after which some item has no option is one node in all. An
item with several ways opens a level, and the last way reuses its parent's level. The order in which forced items are
covered does not change what is left when there are no more of them, so the answers come in the documented order.

**The search** is in _batch.h, for registers of every width and for words of 64 bits; plain_batch.py is the same without
a compiler, and visits the same nodes. Counts are bit planes, in which one register lowers 512 counts by seven options
at a time; whichever are fewer, the options that a round removes or those that stay, are counted.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.batches._batch import (
        END,
        FILLED,
        INSTANCE,
        KEPT,
        LOAD,
        NODES,
        STATE,
        WHERE,
        batch_close,
        batch_lanes,
        batch_load,
        batch_open,
        batch_run,
    )
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _longs, _shared_ints, _words
else:
    from covr.engine.kernels.batches.plain_batch import PlainBatch
    from covr.engine.kernels.header import BATCH_END as END
    from covr.engine.kernels.header import BATCH_FILLED as FILLED
    from covr.engine.kernels.header import BATCH_INSTANCE as INSTANCE
    from covr.engine.kernels.header import BATCH_KEPT as KEPT
    from covr.engine.kernels.header import BATCH_LOAD as LOAD
    from covr.engine.kernels.header import BATCH_NODES as NODES
    from covr.engine.kernels.header import BATCH_STATE as STATE
    from covr.engine.kernels.header import BATCH_WHERE as WHERE
    from covr.engine.kernels.shared.arrays import _ints, _longs, _shared_ints, _words

COMPILED = cython.compiled


@cython.final
@cython.cclass
class Batch:
    """The template, and the instances being solved; at first there are none. See the module for the arrays."""

    budget: cython.longlong  # nodes per instance
    random: cython.ulonglong  # the state of the random numbers that shuffle the ways of each level; 0: no shuffling
    limit: cython.int
    items: cython.int
    native: cython.p_void  # the state of _batch.h's search
    plain: object  # the same search, interpreted
    where: cython.p_longlong
    begin: cython.p_int
    members: cython.p_int
    holders: cython.p_ulonglong
    compatible: cython.p_ulonglong
    numbers: cython.p_int
    renumber: cython.p_int
    sizes: cython.p_int
    found: cython.p_int
    answer_end: cython.p_int
    hold: list
    load_hold: list
    out: tuple

    def __init__(self, masks, renumber, limit, budget, widest=512):
        """masks: of a problem without free options.  limit: the most answers to find and keep per instance.
        budget: as for `set_budget`.  widest: how many bits the registers may have, at least 64. Time linear in the
        masks. Raises MemoryError."""
        hold: list = []
        self.items = masks.items
        self.limit = limit
        self.budget = budget
        self.random = 0
        self.begin = _ints(list(masks.begin), hold)
        self.members = _ints(list(masks.members), hold)
        self.sizes = _ints(list(masks.sizes), hold)
        self.holders = _words(masks.holders, hold)
        self.compatible = _words(masks.compatible, hold)
        self.numbers = _ints(list(masks.numbers), hold)
        self.renumber = _ints(list(renumber), hold)
        self.where = _longs([0] * WHERE, hold)
        self.where[STATE] = END
        self.hold = hold
        self.load_hold = []
        self.out = ()
        if cython.compiled:
            self.native = batch_open(
                widest,
                masks.options,
                masks.words,
                masks.items,
                self.begin,
                self.members,
                self.sizes,
                self.holders,
                self.compatible,
                self.numbers,
                self.renumber,
            )
            if self.native == cython.NULL:
                raise MemoryError
        else:
            self.plain = PlainBatch(masks, renumber)

    def __dealloc__(self):
        if cython.compiled:
            batch_close(self.native)

    @property
    def lanes(self):
        """How many bits the registers have on which it searches; 0 if interpreted."""
        if cython.compiled:
            return batch_lanes(self.native)
        return 0

    def set_budget(self, nodes: cython.longlong):
        """The most nodes for each instance from now on; beyond them the instance is given up. Call it before `load`."""
        self.budget = nodes

    def load(self, givens, given_from):
        """Set the instances that `run` solves next. Both arguments are arrays of `i`; the module describes them."""
        instances = len(given_from) - 1
        hold: list = []
        self.out = (
            array("i", bytes(4 * (instances + 1))),
            array("i", bytes(4 * (instances * self.limit + 1))),
            array("i", bytes(4 * (instances * self.limit * self.items + 1))),
        )
        self.found = _shared_ints(self.out[0], hold)
        self.answer_end = _shared_ints(self.out[1], hold)
        self.where[INSTANCE] = self.where[KEPT] = self.where[FILLED] = 0
        self.where[STATE] = LOAD
        if cython.compiled:
            batch_load(
                self.native,
                _shared_ints(givens if len(givens) else array("i", [-1]), hold),
                _shared_ints(given_from, hold),
                self.found,
                self.answer_end,
                _shared_ints(self.out[2], hold),
                instances,
                self.limit,
                self.budget,
                self.random,
            )
        else:
            self.plain.load(  # type: ignore[attr-defined]
                givens, given_from, *self.out, self.limit, self.budget, self.random
            )
        self.load_hold = hold

    def largest(self, givens):
        """The largest number of an array of `i`; -1 if it has none from 0 on. `max` takes ten times as long."""
        hold: list = []
        numbers: cython.p_int = _shared_ints(givens, hold)
        most: cython.int = -1
        k: cython.Py_ssize_t
        for k in range(len(givens)):
            if numbers[k] > most:
                most = numbers[k]
        return most

    def run(self, nodes: cython.longlong):
        """Search for about `nodes` more nodes. Returns whether any instance is unfinished."""
        end: cython.longlong = self.where[NODES] + nodes
        if cython.compiled:
            with cython.nogil:
                batch_run(self.native, end, self.where)
        else:
            self.plain.run(end, self.where)  # type: ignore[attr-defined]
        return self.where[STATE] != END

    def draw(self, seed: cython.ulonglong, nodes: cython.longlong):
        """Search for one answer of the template, with the ways of each level in random order, for about so many nodes.

        seed: from 1; the same one gives the same answer.  Returns as `results` does. Set the limit of nodes for each
        instance anew afterwards."""
        limit: cython.int = self.limit
        self.random = seed
        self.limit = 1
        self.budget = nodes
        self.load(array("i"), array("i", [0, 0]))
        left: bool = self.run(nodes + 1)
        self.random = 0
        self.limit = limit
        if left:
            return array("i", [-1]), array("i"), array("i")
        return self.results()

    def thin(self, options, begin, together: cython.int, slice: cython.longlong, stop):
        """Leave out units of clues, in their order, wherever the rest has one answer only.

        options, begin: arrays of `i`; unit u is options[begin[u]:begin[u+1]]. All units together must have exactly one
        answer.  together: so many units are left out at once, at most.  slice: nodes between two looks at `stop`, an
        event or None.

        Returns the units that are kept, increasing; how many questions were asked; and two answers for each unit kept
        that take all other units kept, in the form of `results`. None instead if it was stopped or a question took
        more nodes than the budget."""
        units: cython.int = len(begin) - 1
        size: cython.int = together
        at: cython.int = 0
        first: cython.int
        last: cython.int
        u: cython.int
        asked: cython.int = 0
        left: list = [True] * units
        waiting: list = []
        kept: list = []
        ends = array("i")
        answers = array("i")
        while at < units or waiting:
            if stop is not None and stop.is_set():
                return None
            if waiting:
                first, last = waiting.pop()
            else:
                first, last = at, min(at + size, units)
                at = last
            given = array("i")
            for u in range(units):
                if left[u] and (u < first or u >= last):
                    given.extend(options[begin[u] : begin[u + 1]])
            self.load(given, array("i", [0, len(given)]))
            asked += 1
            while self.run(slice):
                if stop is not None and stop.is_set():
                    return None
            if self.found[0] < 1:
                return None
            if self.found[0] == 1:
                for u in range(first, last):
                    left[u] = False
                if not waiting:
                    size = min(2 * size, together)
            elif last - first == 1:
                kept.append(first)
                _, its_ends, its_options = self.results()
                ends.extend([end + len(answers) for end in its_ends])
                answers.extend(its_options)
            else:
                u = last - (last - first) // 2
                waiting.append((u, last))
                waiting.append((first, u))
                size = max(size // 2, 1)
        return kept, asked, ends, answers

    def nearest(self, options, begin, order, slice: cython.longlong, stop):
        """Go from one answer to others that differ from a certain answer in ever fewer of its units, until no answer
        differs in only some of those units.

        options, begin: arrays of `i`; unit u of the certain answer is options[begin[u]:begin[u+1]], and no other
        answer holds all units.  order: the units that some answer lacks, in the order in which they are tried.
        slice, stop: as for `thin`.

        Returns the units that the last answer lacks, in that order; how many questions were asked; and the last answer,
        an array of `i`, or None if there is no nearer one. None instead if it was stopped or a question took more nodes
        than the budget."""
        units: cython.int = len(begin) - 1
        hold: list = []
        at: cython.p_int = _shared_ints(begin, hold)
        own: cython.p_int = _shared_ints(options, hold)
        lacks: list = [False] * units
        u: cython.int
        v: cython.int
        k: cython.int
        first: cython.int
        asked: cython.int = 0
        last = None
        for u in order:
            lacks[u] = True
        left: list = list(order)
        for u in order:
            if not lacks[u] or len(left) == 1:
                continue
            if stop is not None and stop.is_set():
                return None
            given = array("i")
            for v in range(units):
                if v == u or not lacks[v]:
                    for k in range(at[v], at[v + 1]):
                        given.append(own[k])
            self.load(given, array("i", [0, len(given)]))
            asked += 1
            while self.run(slice):
                if stop is not None and stop.is_set():
                    return None
            if self.found[0] < 1:
                return None
            first = 0
            for k in range(self.where[KEPT]):
                answer = self.out[2][first : self.answer_end[k]]
                first = self.answer_end[k]
                has = set(answer)
                missing = [v for v in left if not has.issuperset(options[at[v] : at[v + 1]])]
                if missing:
                    last, left = answer, missing
                    lacks = [False] * units
                    for v in left:
                        lacks[v] = True
                    break
        return left, asked, last

    @property
    def visited(self):
        """How many nodes were visited so far: one for each instance and one for each option taken."""
        return self.where[NODES]

    def results(self):
        """Three new arrays of `i`: per finished instance its number of answers; per kept answer its end; the answers.

        Some answers of the unfinished current instance may follow those of the finished ones.
        """
        return self.out[0][: self.where[INSTANCE]], self.out[1][: self.where[KEPT]], self.out[2][: self.where[FILLED]]
