"""A walk among packings, sets of options of which no two share an item, towards those that are worth most.

Each step looks at a random item, as a rule one that no option taken holds, and at the options that hold it. Taking one
gains what it is worth, less what the options are worth that share an item with it, and are put away. To each gain, and
to that of doing nothing, which is 0, noise is added, in proportion to the temperature; the step with the most of both
is done. With noise that is distributed as Gumbel's this chooses an option by Boltzmann's weights, and the walk is
simulated annealing whose steps are never refused in vain: it begins hot, when anything is done, and is cooled until
only what pays is done.

    starts, members   option o holds the items members[starts[o]:starts[o + 1]]
    begins, holders   item i is held by the options holders[begins[i]:begins[i + 1]]
    owner             per item, the option taken that holds it, plus 1; 0 if there is none
    worth             per option, what it is worth
    open, place       the items that no option taken holds, the first `many` of them; and where an item stands there
    seen              per option, the last look in which it was met, so that none is counted twice in one

A step looks at every option of an item, so it takes time linear in the lengths of these. Memory is 8 bytes for an entry
of the matrix, 16 for an option and 16 for an item. All numbers are whole, so the walk is the same everywhere.

Sources: Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing" (1983); Glauber's dynamics (1963) for the
choice among all options of an item.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared.arrays import _longs, _shared_ints, _zero_ints, _zero_longs
    from cython.cimports.covr.engine.kernels.shared.words import next_random
else:
    from covr.engine.kernels.shared.arrays import _longs, _shared_ints, _zero_ints, _zero_longs
    from covr.engine.kernels.shared.words import next_random

COMPILED = cython.compiled

ONE = cython.declare(cython.longlong, 1 << 16)  # a temperature of 1, and what a gain of 1 is multiplied by
ANY = cython.declare(cython.int, 16)  # steps: one of so many looks at any item, as all those of an option may be held
LEVELS = cython.declare(cython.int, 4096)  # how many levels of noise there are, all equally likely


@cython.final
@cython.cclass
class HeatedWalk:
    """The walk, at first with no option taken. The module describes the arrays."""

    items: cython.int
    many: cython.int
    steps: cython.longlong
    looked: cython.longlong
    looks: cython.longlong
    sum: cython.longlong
    random: cython.ulonglong
    starts: cython.p_int
    members: cython.p_int
    begins: cython.p_int
    holders: cython.p_int
    owner: cython.p_int
    open: cython.p_int
    place: cython.p_int
    worth: cython.p_longlong
    seen: cython.p_longlong
    noise: cython.p_longlong
    hold: list

    def __init__(self, items: cython.int, starts, members, worth, noise, seed: cython.ulonglong):
        """starts, members: arrays of `i`, which are kept.  worth: per option, from 1 to 2^30.  noise: `LEVELS` numbers,
        each 256 times what is multiplied by the temperature.  seed: of the random numbers, from 1. Linear time."""
        hold: list = []
        i: cython.int
        o: cython.int
        p: cython.int
        options: cython.int = len(starts) - 1
        self.items = items
        self.starts = _shared_ints(starts, hold)
        self.members = _shared_ints(members, hold)
        self.worth = _longs(worth, hold)
        self.noise = _longs(noise, hold)
        self.begins = _zero_ints(items + 2, hold)
        self.holders = _zero_ints(len(members) + 1, hold)
        self.owner = _zero_ints(items, hold)
        self.open = _zero_ints(items, hold)
        self.place = _zero_ints(items, hold)
        self.seen = _zero_longs(options, hold)
        self.hold = hold
        self.steps = self.looked = self.looks = self.sum = 0
        self.random = seed
        self.many = items
        for i in range(items):
            self.open[i] = self.place[i] = i
        for p in range(self.starts[options]):
            self.begins[self.members[p] + 2] += 1
        for i in range(items):
            self.begins[i + 2] += self.begins[i + 1]
        for o in range(options):
            for p in range(self.starts[o], self.starts[o + 1]):
                i = self.members[p]
                self.holders[self.begins[i + 1]] = o
                self.begins[i + 1] += 1

    @property
    def taken_steps(self):
        """Steps so far."""
        return self.steps

    @property
    def updates(self):
        """Entries of options that were looked at so far."""
        return self.looked

    @property
    def value(self):
        """What the options taken are worth together."""
        return self.sum

    def packing(self):
        """The options taken, increasing."""
        return sorted({self.owner[i] - 1 for i in range(self.items) if self.owner[i]})

    def run(self, steps: cython.longlong, temperature: cython.longlong):
        """Go on for so many steps. temperature: times `ONE`, up to 2^46; with 0 only what gains something
        is done."""
        left: cython.longlong = steps if self.items > 0 else 0
        with cython.nogil:
            while left > 0:
                left -= 1
                self._step(temperature)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _noise(self, temperature: cython.longlong) -> cython.longlong:
        """Noise of that temperature, times `ONE`."""
        self.random = next_random(self.random)
        return temperature * self.noise[(self.random >> 40) % LEVELS] >> 8

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self, temperature: cython.longlong) -> cython.void:
        """Take an option for a random item, or none."""
        i: cython.int
        k: cython.int
        o: cython.int
        p: cython.int
        by: cython.int
        pick: cython.int = -1
        gain: cython.longlong
        best: cython.longlong = self._noise(temperature)
        wide: cython.ulonglong
        self.random = next_random(self.random)
        if self.many == 0 or (self.random & 0xFFFF) % ANY == 0:
            wide = self.items
            i = cython.cast(cython.int, (self.random >> 33) % wide)
        else:
            wide = self.many
            i = self.open[cython.cast(cython.int, (self.random >> 33) % wide)]
        self.steps += 1
        for k in range(self.begins[i], self.begins[i + 1]):
            o = self.holders[k]
            self.looks += 1
            gain = self.worth[o]
            for p in range(self.starts[o], self.starts[o + 1]):
                by = self.owner[self.members[p]]
                if by != 0 and self.seen[by - 1] != self.looks:
                    self.seen[by - 1] = self.looks
                    gain -= self.worth[by - 1]
            self.looked += self.starts[o + 1] - self.starts[o]
            gain = gain * ONE + self._noise(temperature)
            if gain > best:
                best = gain
                pick = o
        if pick < 0:
            return
        for p in range(self.starts[pick], self.starts[pick + 1]):
            by = self.owner[self.members[p]]
            if by != 0:
                self._put_away(by - 1)
        self.sum += self.worth[pick]
        for p in range(self.starts[pick], self.starts[pick + 1]):
            self._own(self.members[p], pick + 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _put_away(self, o: cython.int) -> cython.void:
        """Take no more an option that is taken."""
        p: cython.int
        self.sum -= self.worth[o]
        for p in range(self.starts[o], self.starts[o + 1]):
            self._own(self.members[p], 0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _own(self, i: cython.int, by: cython.int) -> cython.void:
        """Give an item to an option, or to none, and keep the list of those that no option holds."""
        other: cython.int
        self.owner[i] = by
        if by != 0:
            self.many -= 1
            other = self.open[self.many]
            self.open[self.place[i]] = other
            self.place[other] = self.place[i]
        else:
            self.open[self.many] = i
            self.place[i] = self.many
            self.many += 1
