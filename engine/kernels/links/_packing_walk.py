"""A walk among packings, sets of options of which no two share an item: to an exact cover, or to what is worth most.

Each step takes an option for a random primary item that is not covered, and puts away the options that share an item
with it. Of the item's options, the one is taken that leaves the fewest primary items uncovered; of several, that which
was put away longest ago; and one option in `NOISE` steps is a random one, so that no cycle is for ever. An option that
was put away is not taken again for a few steps, unless there is no other. When every primary item is covered, the
packing is an answer. The walk proves nothing: where there is no answer it goes on for ever.

A walk that is *heated* anneals instead. A step proposes a random option of the item, and takes it if that leaves no
more primary items uncovered; if it leaves k more, with the probability chance^k. The chance begins at e^-1.4 and is
lowered by 1 part in 512 again and again until it is e^-6.6; then it begins anew, and stays twice as long at each value.

Where options are *worth* something, `anneal` looks for packings that are worth much, and all items are primary. A step
takes the option of an item, or none, that gains most. To each gain, and to that of taking none, which is 0, noise is
added in proportion to the temperature. With noise that is distributed as Gumbel's this chooses by Boltzmann's weights.

    starts, members   option o holds the items members[starts[o]:starts[o + 1]]
    begins, holders   item i is held by the options holders[begins[i]:begins[i + 1]]
    owner             per item, the option taken that holds it, plus 1; 0 if there is none
    worth             per option, what it is worth; or how many primary items it holds
    sum               what the options taken are worth
    away              per option, the step in which it was put away last; 0 if never
    open, place       the primary items that are not covered, the first `many` of them; and where an item stands there
    length, left      of a heated walk, the steps at each chance (0: not heated), and those that are left at this one
    chance            in units of 2**-32
    seen              per option, the last look in which it was met, so that none is counted twice in one

A step looks at every option of an item, so it takes time linear in the lengths of these. Memory is 8 bytes for an entry
of the matrix, 24 for an option and 12 for an item.

Sources: Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing" (1983); Glauber's dynamics (1963) for the
choice among all options of an item; min-conflicts, Minton, Johnston,
Philips, Laird, "Minimizing conflicts" (1992), with what conflicts put away instead of kept, as in ejection chains.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import FOUND, SLICE, WALK_LEVELS, WALK_ONE
    from cython.cimports.covr.engine.kernels.shared.arrays import _longs, _shared_ints, _zero_ints, _zero_longs
    from cython.cimports.covr.engine.kernels.shared.words import next_random
else:
    from covr.engine.kernels.header import FOUND, SLICE, WALK_LEVELS, WALK_ONE
    from covr.engine.kernels.shared.arrays import _longs, _shared_ints, _zero_ints, _zero_longs
    from covr.engine.kernels.shared.words import next_random

COMPILED = cython.compiled

NOISE = cython.declare(cython.int, 64)  # steps: in one of so many, a random option is taken
REST = cython.declare(cython.longlong, 10)  # steps for which an option that was put away stays away
RESTING = cython.declare(cython.longlong, 1 << 40)  # what an option that stays away seems to lose
HOT = cython.declare(cython.longlong, 1059121920)  # the first chance of a heated walk, in units of 2**-32,
COLD = cython.declare(cython.longlong, 5842750)  # and the last
COOLING = cython.declare(cython.int, 9)  # a chance is lowered by itself, shifted by so many bits
BAD = cython.declare(cython.longlong, 1 << 60)  # worse than any option
ANY = cython.declare(cython.int, 16)  # steps: one of so many looks at any item, as all those of an option may be held


@cython.final
@cython.cclass
class PackingWalk:
    """The walk, at first with no option taken. The module describes the arrays."""

    primary: cython.int
    options: cython.int
    many: cython.int
    steps: cython.longlong
    looked: cython.longlong
    looks: cython.longlong
    found: cython.longlong
    sum: cython.longlong
    last: cython.int
    length: cython.longlong
    left: cython.longlong
    chance: cython.longlong
    random: cython.ulonglong
    starts: cython.p_int
    members: cython.p_int
    begins: cython.p_int
    holders: cython.p_int
    owner: cython.p_int
    worth: cython.p_longlong
    noise: cython.p_longlong
    open: cython.p_int
    place: cython.p_int
    away: cython.p_longlong
    seen: cython.p_longlong
    hold: list

    def __init__(
        self, items: cython.int, primary: cython.int, starts, members, seed: cython.ulonglong, worth=(), noise=()
    ):
        """starts, members: as in Problem, arrays of `i`, which are kept.  seed: of the random numbers, from 1.
        worth, noise: to anneal; per option, from 1 to 2^30, and `WALK_LEVELS` numbers, each 256 times what the
        temperature is multiplied by. Linear time."""
        hold: list = []
        i: cython.int
        o: cython.int
        p: cython.int
        self.primary = primary
        self.options = len(starts) - 1
        self.starts = _shared_ints(starts, hold)
        self.members = _shared_ints(members, hold)
        self.begins = _zero_ints(items + 2, hold)
        self.holders = _zero_ints(len(members) + 1, hold)
        self.owner = _zero_ints(items, hold)
        self.worth = _longs(worth, hold) if worth else _zero_longs(self.options, hold)
        self.noise = _longs(noise, hold)
        self.open = _zero_ints(primary, hold)
        self.place = _zero_ints(primary, hold)
        self.away = _zero_longs(self.options, hold)
        self.seen = _zero_longs(self.options, hold)
        self.hold = hold
        self.steps = self.looked = self.looks = self.found = self.sum = 0
        self.last = -1
        self.length = self.left = 0
        self.chance = HOT
        self.random = seed
        self.many = primary
        for i in range(primary):
            self.open[i] = self.place[i] = i
        for o in range(self.options):
            for p in range(self.starts[o], self.starts[o + 1]):
                i = self.members[p]
                self.begins[i + 2] += 1
                if i < primary and not worth:
                    self.worth[o] += 1
        for i in range(items):
            self.begins[i + 2] += self.begins[i + 1]
        for o in range(self.options):
            for p in range(self.starts[o], self.starts[o + 1]):
                i = self.members[p]
                self.holders[self.begins[i + 1]] = o
                self.begins[i + 1] += 1

    def heat(self, length: cython.longlong):
        """Anneal from now on. length: steps at each chance, at first, from 1."""
        self.length = self.left = length
        self.chance = HOT

    @property
    def nodes(self):
        """Steps so far."""
        return self.steps

    @property
    def updates(self):
        """Entries of options that were looked at so far."""
        return self.looked

    @property
    def answers(self):
        """Answers found so far."""
        return self.found

    @property
    def code(self):
        """What the last `run` returned."""
        return self.last

    def run(self, nodes: cython.longlong, answers: cython.longlong):
        """Go on for at most so many steps, or to the next answer; returns FOUND or SLICE. After an answer, the next
        call goes on from it without one of its options. An item without options ends the slice: nothing covers it."""
        left: cython.longlong = nodes
        self.last = -1
        if self.many == 0 and self.found > 0 and self.primary > 0:
            self._put_away(self.owner[self._below(self.primary)] - 1)
        with cython.nogil:
            while self.many > 0 and left > 0:
                left -= 1
                if not (self._step() if self.length == 0 else self._propose()):
                    break
        if self.many == 0 and (left > 0 or nodes > 0):
            self.found += 1
            self.last = FOUND
        else:
            self.last = SLICE
        return self.last

    def answer(self):
        """The options of the packing, increasing."""
        return sorted({self.owner[i] - 1 for i in range(self.primary) if self.owner[i]})

    @property
    def value(self):
        """What the options taken are worth together."""
        return self.sum

    def anneal(self, steps: cython.longlong, temperature: cython.longlong):
        """Go on for so many steps. temperature: times `WALK_ONE`, up to 2^46; with 0 only gains are taken."""
        left: cython.longlong = steps if self.primary > 0 else 0
        with cython.nogil:
            while left > 0:
                left -= 1
                self._gain(temperature)

    def uncovered(self):
        """How many primary items are not covered."""
        return self.many

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _below(self, end: cython.int) -> cython.int:
        """A random number from 0 to end - 1."""
        wide: cython.ulonglong = end
        self.random = next_random(self.random)
        return cython.cast(cython.int, (self.random >> 33) % wide)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self) -> cython.bint:
        """Take an option for a random item that is not covered. Returns False if it has none."""
        i: cython.int = self.open[self._below(self.many)]
        begin: cython.int = self.begins[i]
        count: cython.int = self.begins[i + 1] - begin
        k: cython.int
        o: cython.int
        pick: cython.int = -1
        loss: cython.longlong
        least: cython.longlong = BAD
        self.steps += 1
        if count == 0:
            return False
        if self._below(NOISE) == 0:
            pick = self.holders[begin + self._below(count)]
        else:
            for k in range(count):
                o = self.holders[begin + k]
                loss = self._loss(o)
                if self.away[o] != 0 and self.steps - self.away[o] <= REST:
                    loss += RESTING
                if loss < least or (loss == least and self.away[o] < self.away[pick]):
                    least = loss
                    pick = o
        self._take(pick)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _propose(self) -> cython.bint:
        """A step of a heated walk. Returns False if the item has no option."""
        i: cython.int = self.open[self._below(self.many)]
        begin: cython.int = self.begins[i]
        count: cython.int = self.begins[i + 1] - begin
        o: cython.int
        loss: cython.longlong
        self.steps += 1
        if count == 0:
            return False
        o = self.holders[begin + self._below(count)]
        loss = self._loss(o)
        self.left -= 1
        if self.left == 0:
            self.chance -= self.chance >> COOLING
            if self.chance < COLD:
                self.chance = HOT
                self.length *= 2
            self.left = self.length
        while loss > 0:
            self.random = next_random(self.random)
            if cython.cast(cython.longlong, self.random >> 32) >= self.chance:
                return True
            loss -= 1
        self._take(o)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _noise(self, temperature: cython.longlong) -> cython.longlong:
        """Noise of that temperature, times `WALK_ONE`."""
        self.random = next_random(self.random)
        return temperature * self.noise[(self.random >> 40) % WALK_LEVELS] >> 8

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _gain(self, temperature: cython.longlong) -> cython.void:
        """Take an option for a random item, or none."""
        i: cython.int
        k: cython.int
        pick: cython.int = -1
        gain: cython.longlong
        best: cython.longlong = self._noise(temperature)
        wide: cython.ulonglong
        self.random = next_random(self.random)
        if self.many == 0 or (self.random & 0xFFFF) % ANY == 0:
            wide = self.primary
            i = cython.cast(cython.int, (self.random >> 33) % wide)
        else:
            wide = self.many
            i = self.open[cython.cast(cython.int, (self.random >> 33) % wide)]
        self.steps += 1
        for k in range(self.begins[i], self.begins[i + 1]):
            gain = self._noise(temperature) - self._loss(self.holders[k]) * WALK_ONE
            if gain > best:
                best = gain
                pick = self.holders[k]
        if pick >= 0:
            self._take(pick)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _loss(self, o: cython.int) -> cython.longlong:
        """What is lost when this option is taken: how many more primary items are uncovered, or what is worth less."""
        p: cython.int
        by: cython.int
        loss: cython.longlong = -self.worth[o]
        self.looks += 1
        for p in range(self.starts[o], self.starts[o + 1]):
            by = self.owner[self.members[p]]
            if by != 0 and self.seen[by - 1] != self.looks:
                self.seen[by - 1] = self.looks
                loss += self.worth[by - 1]
        self.looked += self.starts[o + 1] - self.starts[o]
        return loss

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, o: cython.int) -> cython.void:
        """Take an option, and put away those that share an item with it."""
        p: cython.int
        by: cython.int
        for p in range(self.starts[o], self.starts[o + 1]):
            by = self.owner[self.members[p]]
            if by != 0:
                self._put_away(by - 1)
        self.sum += self.worth[o]
        for p in range(self.starts[o], self.starts[o + 1]):
            self._own(self.members[p], o + 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _put_away(self, o: cython.int) -> cython.void:
        """Take no more an option that is taken."""
        p: cython.int
        self.away[o] = self.steps
        self.sum -= self.worth[o]
        for p in range(self.starts[o], self.starts[o + 1]):
            self._own(self.members[p], 0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _own(self, i: cython.int, by: cython.int) -> cython.void:
        """Give an item to an option, or to none, and keep the list of those that are not covered."""
        other: cython.int
        self.owner[i] = by
        if i >= self.primary:
            return
        if by != 0:
            self.many -= 1
            other = self.open[self.many]
            self.open[self.place[i]] = other
            self.place[other] = self.place[i]
        else:
            self.open[self.many] = i
            self.place[i] = self.many
            self.many += 1
