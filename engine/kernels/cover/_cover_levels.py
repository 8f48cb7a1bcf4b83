"""The levels in branch and bound for minimum covers: what is left of the problem, and how it is changed.

The levels lie one after another in two arenas, `ints` and `reals`. Level d has room for as much as its parent had left,
and is always compact. Its parts begin at

    at_item, at_need   its items: their numbers in the caller's problem, and how many more options each needs
    at_option, at_cost its options: their numbers in the caller's problem, and their costs
    at_start, at_in    option o holds the items in[start[o]] … (local numbers)
    at_row, at_by      item i is held by the options by[row[i]] … (local numbers), increasing
    at_price, at_rc    (in `reals`) the prices of items, and the reduced costs that they leave to the options

    paid[d], length[d] the cost of all options taken up to level d, and how many options of `path` these are
    live, left, count  scratch while a level changes: whether an option stays; the need of an item (0: it goes);
                       how many live options hold an item
    shrunk_option, shrunk_item  which options and items shrank since the top level was last searched for dominance, by
                       local number: only such options can have become dominated, only such items dominating
    fewer_items, fewer_options  whether any item or option was removed since then
    cutoff             covers must cost less than this
    looks              tells whether to stop in the middle of a node; see _looks.py
    tracks             with a witness only: per level, whether it lies below it; there an option that another one
                       dominates is exchanged for that one, `swap_from` for `swap_to`, at the level `swap_level`, which
                       makes it cheaper by `swap_gain`; `swaps` is how often
    missed             the option at fault once the witness is `lost`, by the caller's number

The top level is changed by `_open`, then any number of `_drop` and `_take`, then `_keep`, which writes what is left to
the same level or to the next one.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import LISTED, KernelBase
    from cython.cimports.covr.engine.kernels.shared._looks import Looks
    from cython.cimports.covr.engine.kernels.shared.arrays import _zero_ints, _zero_longs, _zero_reals
else:
    from covr.engine.kernels.header import LISTED
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _zero_ints, _zero_longs, _zero_reals

    KernelBase = load("_kernel", interpreted=True).KernelBase
    Looks = load("_looks", interpreted=True).Looks

COMPILED = cython.compiled


@cython.cclass
class Levels(KernelBase):
    """A problem, and what is left of it level by level."""

    def __init__(self, needs, options, costs, cutoff: cython.longlong, looks=None):
        """needs: per item, how many options it needs, at least 1.  options: per option, its items, increasing, without
        items that need not be met.  costs: per option, at least 1, with a sum below 2**31.  cutoff: covers must cost
        less than this.  looks: as for `heed`; here they may raise the exception that stops."""
        super().__init__()
        self.looks = Looks() if looks is None else looks
        m: cython.int = len(needs)
        n: cython.int = len(options)
        i: cython.int
        o: cython.int
        depth: cython.int
        z: cython.longlong = sum([len(option) for option in options])
        self.depth = depth = min(sum([min(need, n + 1) for need in needs]), n) + 2
        self.at_item = _zero_longs(depth, self.hold)
        self.at_need = _zero_longs(depth, self.hold)
        self.at_option = _zero_longs(depth, self.hold)
        self.at_cost = _zero_longs(depth, self.hold)
        self.at_start = _zero_longs(depth, self.hold)
        self.at_in = _zero_longs(depth, self.hold)
        self.at_row = _zero_longs(depth, self.hold)
        self.at_by = _zero_longs(depth, self.hold)
        self.at_price = _zero_longs(depth, self.hold)
        self.at_rc = _zero_longs(depth, self.hold)
        self.int_end = _zero_longs(depth, self.hold)
        self.real_end = _zero_longs(depth, self.hold)
        self.paid = _zero_longs(depth, self.hold)
        self.items = _zero_ints(depth, self.hold)
        self.options = _zero_ints(depth, self.hold)
        self.length = _zero_ints(depth, self.hold)
        self.path = _zero_ints(n + 1, self.hold)
        self.live = _zero_ints(n + 1, self.hold)
        self.left = _zero_ints(m + 1, self.hold)
        self.count = _zero_ints(m + 1, self.hold)
        self.new = _zero_ints(m + 1, self.hold)
        self.next = _zero_ints(m + n + 2, self.hold)
        self.shrunk_option = _zero_ints(n + 1, self.hold)
        self.shrunk_item = _zero_ints(m + 1, self.hold)
        self.int_room = self.real_room = 0
        self._room(0, m, n, z)
        ints = self.ints
        self.items[0] = m
        self.options[0] = n
        for i in range(m):
            ints[self.at_item[0] + i] = i
            ints[self.at_need[0] + i] = needs[i]
        at: cython.longlong = 0
        for o in range(n):
            if self.looks.tick(LISTED * (len(options[o]) + 1)):
                self.looks.settle()
            ints[self.at_option[0] + o] = o
            ints[self.at_cost[0] + o] = costs[o]
            ints[self.at_start[0] + o] = at
            for i in options[o]:
                ints[self.at_in[0] + at] = i
                at += 1
        ints[self.at_start[0] + n] = at
        self._rows(0)
        self.cutoff = cutoff
        self.swaps = 0
        self.missed = -1
        self.fewer_items = self.fewer_options = True
        for o in range(n):
            self.shrunk_option[o] = 1
        for i in range(m):
            self.shrunk_item[i] = 1

    def watch(self, witness, worth: cython.longlong, describe):
        """Hold every level to a witness; see KernelBase."""
        KernelBase.watch(self, witness, worth, describe)
        self.tracks = _zero_ints(self.depth, self.hold)
        self.swap_level = _zero_ints(self.options[0] + 1, self.hold)
        self.swap_from = _zero_ints(self.options[0] + 1, self.hold)
        self.swap_to = _zero_ints(self.options[0] + 1, self.hold)
        self.swap_gain = _zero_ints(self.options[0] + 1, self.hold)
        self.tracks[0] = 1

    def told(self):
        """What excluded the witness, and the option at fault; -1 for none."""
        steps = ("what is forced or dominated", "the bound or reduced costs", "all below an option", "an orbit")
        return (*steps, "an estimate")[self.lost - 1], self.missed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _exchange(self, o: cython.int, p: cython.int) -> cython.void:
        """Option p dominates option o of the top level: if the witness takes o, it takes p instead. Once a cover as
        cheap is known, the witness may be excluded, and nothing is exchanged: what is left of it can seem cheaper."""
        d: cython.int = self.level
        one: cython.int = self.ints[self.at_option[d] + o]
        other: cython.int = self.ints[self.at_option[d] + p]
        if self.tracks[d] == 0 or self.cutoff <= self.worth or self.witness[one] == 0:
            return
        self.swap_gain[self.swaps] = self.ints[self.at_cost[d] + o]
        self.witness[one] = 0
        self.swap_level[self.swaps] = d
        self.swap_from[self.swaps] = one
        self.swap_to[self.swaps] = -1
        if self.witness[other] == 0:
            self.swap_gain[self.swaps] -= self.ints[self.at_cost[d] + p]
            self.witness[other] = 1
            self.swap_to[self.swaps] = other
        self.worth -= self.swap_gain[self.swaps]
        self.swaps += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _swap_back(self, d: cython.int) -> cython.void:
        """Undo the exchanges of levels below d."""
        while self.swaps > 0 and self.swap_level[self.swaps - 1] > d:
            self.swaps -= 1
            self.witness[self.swap_from[self.swaps]] = 1
            self.worth += self.swap_gain[self.swaps]
            if self.swap_to[self.swaps] >= 0:
                self.witness[self.swap_to[self.swaps]] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lose(self, what: cython.int, option: cython.int) -> cython.bint:
        """Note what excludes the witness, if the top level is above it and covers as cheap are looked for. Returns
        whether it was noted."""
        if self.lost != 0:
            return True
        if self.tracks[self.level] == 0 or self.cutoff <= self.worth:
            return False
        self.lost = what
        self.missed = option
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hold(self, what: cython.int, gone: cython.bint) -> cython.bint:
        """See that the top level leaves the witness in. gone: whether it is closed. Returns whether it does not."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        i: cython.int
        k: cython.int
        q: cython.int
        need: cython.int
        if gone:
            return self._lose(what, -1)
        for k in range(self.length[d]):
            if self.witness[self.path[k]] == 0:
                return self._lose(what, self.path[k])
        for i in range(self.items[d]):
            need = ints[self.at_need[d] + i]
            for q in range(ints[self.at_row[d] + i], ints[self.at_row[d] + i + 1]):
                need -= self.witness[ints[self.at_option[d] + ints[self.at_by[d] + q]]]
            if need > 0:
                return self._lose(what, -1)
        return False

    def heed(self, looks):
        """From now on, let `looks` say whether to stop. looks: a `Looks` of _looks.py, compiled if this kernel is."""
        self.looks = looks

    def run(self, nodes: cython.longlong, answers: cython.longlong):
        """Search as every kernel does. Raises the exception by which `looks` stopped it; even then everything found so
        far is kept, and the next call goes on from there."""
        code = KernelBase.run(self, nodes, answers)
        self._code = -1
        self.looks.settle()
        self._code = code
        return code

    def height(self):
        """The number of the top level, counted from 0."""
        return self.level

    def local(self, level: cython.int = -1):
        """The items, needs, options and costs of a level, and per option its items by local numbers.

        level: from 0; -1 for the top level. Raises the exception if `looks` stops it meanwhile.
        """
        o: cython.int
        d: cython.int = self.level if level < 0 else level
        m: cython.int = self.items[d]
        n: cython.int = self.options[d]
        ints = self.ints
        start = self.at_start[d]
        held = self.at_in[d]
        rows: list = []
        for o in range(n):
            # Tuples, because the garbage collector forgets them, and would go through as many lists again and again.
            rows.append(tuple([ints[held + q] for q in range(ints[start + o], ints[start + o + 1])]))
            if self.looks.tick(LISTED * (ints[start + o + 1] - ints[start + o] + 1)):
                self.looks.settle()
        items = [ints[self.at_item[d] + i] for i in range(m)]
        needs = [ints[self.at_need[d] + i] for i in range(m)]
        if self.looks.tick(LISTED * 2 * (m + n)):
            self.looks.settle()
        numbers = [ints[self.at_option[d] + o] for o in range(n)]
        costs = [ints[self.at_cost[d] + o] for o in range(n)]
        return items, needs, numbers, costs, rows

    def taken(self, level: cython.int = -1):
        """The options taken up to a level, forced ones included, and their cost. level: as in `local`."""
        d: cython.int = self.level if level < 0 else level
        return [self.path[k] for k in range(self.length[d])], self.paid[d]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _room(self, d: cython.int, m: cython.longlong, n: cython.longlong, z: cython.longlong) -> cython.void:
        """Make room for level d with m items, and n options that hold z items in all."""
        at: cython.longlong = self.int_end[d - 1] if d > 0 else 0
        real: cython.longlong = self.real_end[d - 1] if d > 0 else 0
        self.at_item[d] = at
        self.at_need[d] = at + m
        self.at_option[d] = at + 2 * m
        self.at_cost[d] = at + 2 * m + n
        self.at_start[d] = at + 2 * m + 2 * n
        self.at_row[d] = at + 2 * m + 3 * n + 1
        self.at_in[d] = at + 3 * m + 3 * n + 2
        self.at_by[d] = at + 3 * m + 3 * n + 2 + z
        self.at_price[d] = real
        self.at_rc[d] = real + m
        self.int_end[d] = at + 3 * m + 3 * n + 2 + 2 * z
        self.real_end[d] = real + m + n
        if self.int_end[d] > self.int_room or self.real_end[d] > self.real_room:
            with cython.gil:
                self._grow(self.int_end[d], self.real_end[d])

    @cython.cfunc
    def _grow(self, ints: cython.longlong, reals: cython.longlong):
        """Move the arenas to larger ones. ints, reals: how many numbers each must hold."""
        k: cython.longlong
        hold: list = []
        self.int_room, ints = max(2 * ints, 1024), self.int_room
        self.real_room, reals = max(2 * reals, 1024), self.real_room
        new_ints: cython.p_int = _zero_ints(self.int_room, hold)
        new_reals: cython.p_double = _zero_reals(self.real_room, hold)
        for k in range(ints):
            new_ints[k] = self.ints[k]
        for k in range(reals):
            new_reals[k] = self.reals[k]
        self.ints = new_ints
        self.reals = new_reals
        self.arenas = hold

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rows(self, d: cython.int) -> cython.void:
        """Work out which options hold each item of level d, from which items each option holds."""
        ints: cython.p_int = self.ints
        m: cython.int = self.items[d]
        n: cython.int = self.options[d]
        start: cython.longlong = self.at_start[d]
        held: cython.longlong = self.at_in[d]
        row: cython.longlong = self.at_row[d]
        by: cython.longlong = self.at_by[d]
        next: cython.p_int = self.next
        i: cython.int
        o: cython.int
        q: cython.int
        for i in range(m + 1):
            ints[row + i] = 0
        for q in range(ints[start + n]):
            ints[row + ints[held + q] + 1] += 1
        for i in range(m):
            next[i] = ints[row + i]
            ints[row + i + 1] += ints[row + i]
        for o in range(n):
            for q in range(ints[start + o], ints[start + o + 1]):
                i = ints[held + q]
                ints[by + next[i]] = o
                next[i] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _open(self) -> cython.void:
        """Begin to change the top level: fill `live`, `left` and `count`."""
        d: cython.int = self.level
        i: cython.int
        o: cython.int
        row: cython.longlong = self.at_row[d]
        for o in range(self.options[d]):
            self.live[o] = 1
        for i in range(self.items[d]):
            self.left[i] = self.ints[self.at_need[d] + i]
            self.count[i] = self.ints[row + i + 1] - self.ints[row + i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _drop(self, o: cython.int) -> cython.void:
        """Exclude option o from the top level."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        held: cython.longlong = self.at_in[d]
        start: cython.longlong = self.at_start[d]
        q: cython.int
        self.live[o] = 0
        for q in range(ints[start + o], ints[start + o + 1]):
            self.count[ints[held + q]] -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, o: cython.int, t: cython.int) -> cython.void:
        """Take the live option o, and pay for it at level t."""
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        held: cython.longlong = self.at_in[d]
        start: cython.longlong = self.at_start[d]
        q: cython.int
        i: cython.int
        self.live[o] = 0
        self.paid[t] += ints[self.at_cost[d] + o]
        self.path[self.length[t]] = ints[self.at_option[d] + o]
        self.length[t] += 1
        for q in range(ints[start + o], ints[start + o + 1]):
            i = ints[held + q]
            self.count[i] -= 1
            if self.left[i] > 0:
                self.left[i] -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _settled(self) -> cython.void:
        """Note that the top level is fully reduced: nothing in it is dominated."""
        k: cython.int
        self.fewer_items = self.fewer_options = False
        for k in range(self.options[self.level]):
            self.shrunk_option[k] = 0
        for k in range(self.items[self.level]):
            self.shrunk_item[k] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _keep(self, t: cython.int) -> cython.void:
        """Write what `live` and `left` keep of the top level to level t, which is the same level or the next.

        Every place is read before it is written, because nothing moves to a higher address.
        """
        d: cython.int = self.level
        ints: cython.p_int = self.ints
        reals: cython.p_double = self.reals
        new: cython.p_int = self.new
        m: cython.int = 0
        n: cython.int = 0
        z: cython.int = 0
        i: cython.int
        o: cython.int
        q: cython.int
        first: cython.int
        begin: cython.int
        end: cython.int
        eased: cython.bint = False  # an item needs fewer, but not 0: all must be compared again
        for i in range(self.items[d]):
            if self.left[i] != ints[self.at_need[d] + i]:
                self.fewer_items = True
                if self.left[i] > 0:
                    self.fewer_options = eased = True
            if self.left[i] > 0:
                self.shrunk_item[m] = self.shrunk_item[i]
                ints[self.at_item[t] + m] = ints[self.at_item[d] + i]
                ints[self.at_need[t] + m] = self.left[i]
                reals[self.at_price[t] + m] = reals[self.at_price[d] + i]
                new[i] = m
                m += 1
            else:
                new[i] = -1
        end = 0
        for o in range(self.options[d]):
            begin = end
            end = ints[self.at_start[d] + o + 1]
            if self.live[o] == 0:
                for q in range(begin, end):
                    i = new[ints[self.at_in[d] + q]]
                    if i >= 0:
                        self.fewer_options = True
                        self.shrunk_item[i] = 1
                continue
            first = z
            for q in range(begin, end):
                i = new[ints[self.at_in[d] + q]]
                if i >= 0:
                    ints[self.at_in[t] + z] = i
                    z += 1
            if z > first:
                ints[self.at_option[t] + n] = ints[self.at_option[d] + o]
                ints[self.at_cost[t] + n] = ints[self.at_cost[d] + o]
                reals[self.at_rc[t] + n] = reals[self.at_rc[d] + o]
                self.shrunk_option[n] = 1 if z - first < end - begin else self.shrunk_option[o]
                n += 1
                ints[self.at_start[t] + n] = z
        ints[self.at_start[t]] = 0
        self.items[t] = m
        self.options[t] = n
        if eased:
            for o in range(n):
                self.shrunk_option[o] = 1
            for i in range(m):
                self.shrunk_item[i] = 1
        self._rows(t)
        self._updates += z
