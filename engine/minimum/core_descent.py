"""Local search in large covering problems, on cores of options and on what parts of a cover leave open.

Where there are many more options than items, nearly all options are in no good cover, and a step of local search
(_descent.py) mostly compares options that it will never take. So prices are found (_core_prices.py), and local search
gets a *core*: some options of least reduced cost, a few for every item, and those of the cover at hand. A *round* goes
like this:

    begin    the prices are stirred, and a spell of local search on the core gives a cover
    refine   again and again, a part of this cover is kept, and the items that it leaves open are covered anew by a
             spell on a core of stirred prices; what comes out replaces the cover unless it costs more

and ends when the cover has not become cheaper for some time. In a problem of thousands of items the cover to begin with
is the best one, since a spell for the whole is too short there. What is kept covers from a tenth to seven tenths of the
items, but leaves at most 3000 open and, at the end of that range, 500: the options that best earn their cost at the
present prices, with some luck. The cost of an option that covers an item together with others, beyond what the item
needs, is shared out among them. A cover that costs the same replaces the old one, so that the search moves on. All of
this only proposes covers; nothing is concluded from it.

Measured, CPU seconds of this search alone: rail507 (63 009 options, of which the first reductions leave 20 333) has a
cover of 174 after 0.3, 2.6 and 3.1 s with three seeds. Local search on all options has 179 after ten seconds, and local
search on cores alone, without refining, 175 after one second and 174 in two of 22 spells of three seconds; for these,
cores of 600 options were too small, and those of 2700 too slow. scpnrh1 (10 000 options) has 63 after 3.5 s with one
seed and after more than 8 s with another, where 64 is what it has after forty seconds on all options; it needs cores of
150 to 300 options, and parts that cover less than half of the items. So both sizes change all the time.

The whole search for covers (cover.py) without it, and with it, after 14 s: rail507 180 and 174, scpnrh1 64 and 63,
scpnre1 29 and 29; rail516 184 without, while with it the minimum, 182, is proved after 3.5 s. scpa1, scpd1 and scp61
end before it begins. Where its cover is no better, the time is missing elsewhere: after 14 s, with half a machine, the
bound of scpnre1 is 25 without it and 23 with it, that of scpnrh1 50 and 49, that of rail507 172 either way. It is kept
for its covers, which nothing else here finds.

With 10⁵ random options of 6 items on 10⁴ items, costs from 1 to 100, the best cover after 10 s of CPU costs 9151, 2.2 %
above the bound; it was 9482 when seven tenths of the items could stay open, and rounds began with a new cover; with 10⁶
options on 10⁵ items, after 55 s, 88 218 and 90 528. What did not pay: parts of 100 to 4000 items that lie near each
other, one by one (9201 after 15 s) or many at a time (9252); to go on after a part has become cheaper (9230 after 10
s); to remove the best of 100 options instead of the best of all (9224 after 23 s).

Source: Caprara, Fischetti and Toth (1999), "A heuristic method for the set covering problem", for the core and for what
to keep when a cover is refined. In place of their greedy covers and of fixing by prices we use local search.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from covr.engine.kernels.loading import load

# Work is counted in entries, as local search counts it.
FIRST_SPELL, SPELL = 100_000_000, 20_000_000  # work of the spell that begins a round, and of one that refines
LISTED = 50  # entries read in the time that one of a Python list takes, where a core is made
TRIES = 100  # refinements without a cheaper cover after which a round ends
SIZES = (16, 8, 12, 6)  # options in a core, per option of the cover, in turn
STEPS, STIRRED = 5000, 60  # steps of the first climb, at most, and steps after prices were stirred
ABOVE = 1.05  # times the bound of the prices that steps aim at
SHARE = 0.1  # by how much of itself is changed at random a price, and what an option to be kept is judged by
KEPT = (0.1, 0.7)  # share of the items that such a part covers, least and most
OPEN = (3000, 500)  # items that it does not cover, at most
BROAD = 4000  # items from which on a round begins with the best cover instead of a new one
PRICED = 2  # options per item in a core on which prices are found
EACH, FEW = 5, 3  # options of each item in such a core, and in a core for local search


class CoreDescent:
    """A local search that pauses between calls of `run`; it offers what `Descent` offers."""

    def __init__(
        self,
        needs: Sequence[int],
        options: Sequence[Sequence[int]],
        costs: Sequence[int],
        cover: Sequence[int],
        interpreted: bool = False,
        looks: Any = None,
        seed: int = 1,
    ) -> None:
        """needs, options, costs: as for `Descent`.  cover: the options of a cover.  looks: of _looks.py."""
        self._descents = load("_descent", interpreted)
        self._prices = load("_core_prices", interpreted).CorePrices(needs, options, costs, EACH, seed, looks)
        self._needs, self._options, self._costs = needs, options, costs
        self._looks = looks
        self._random = Random(seed)
        self._best = list(cover)  # the cheapest cover, and what it costs
        self._value = self._cost(cover)
        self._cover = self._best  # the one that is being refined, and what it costs
        self._now = self._value
        self._descent: Any = None  # the spell that is going on, or None
        self._core: list[int] = []  # the options it may take
        self._kept: list[int] = []  # those that are kept, and what they cost
        self._paid = 0
        self._goal = 0  # what ends the spell
        self._left = 0  # work that it may still do
        self._past = 0  # work of the spells before
        self._share = tuple([max(1 - most / max(len(needs), 1), least) for most, least in zip(OPEN, KEPT, strict=True)])
        self._tries = TRIES  # spells since the cover became cheaper
        self.spells = 0

    def run(self, work: int, goal: int) -> bool:
        """Search for about so much more work, or until a cover costs no more than `goal`. Returns whether a better
        cover was found. Raises what stopped `looks`; a better cover is kept even then."""
        before, end = self._value, self.spent() + work
        while self.spent() < end and self._value > goal:
            if self._descent is None:
                if self._tries < TRIES:
                    self._refine()
                else:
                    self._begin()
            self._search(end - self.spent())
        return self._value < before

    def value(self) -> int:
        """The cost of the best cover found."""
        return self._value

    def answer(self) -> list[int]:
        """The option numbers of the best cover found."""
        return list(self._best)

    def spent(self) -> int:
        """How many array entries were read so far, and an estimate in the same units of what is done in Python."""
        own = self._descent.spent() if self._descent is not None else 0
        return int(self._past + own + self._prices.spent())

    def _cost(self, options: Sequence[int]) -> int:
        return sum(self._costs[o] for o in options)

    def _search(self, work: int) -> None:
        """Go on with this spell for at most so much work."""
        descent = self._descent
        if descent is None:
            return
        before = descent.spent()
        try:
            descent.run(min(work, self._left), self._goal)
        finally:
            self._left -= max(descent.spent() - before, 1)
            if self._paid + descent.value() < self._value:
                self._best = self._whole()
                self._value = self._cost(self._best)
        if self._left <= 0 or descent.value() <= self._goal:
            self._judge()

    def _whole(self) -> list[int]:
        """The best cover of this spell, with the part that was kept, and without options it can do without."""
        cover = [*self._kept, *(self._core[k] for k in self._descent.answer())]
        over = [-need for need in self._needs]
        for o in cover:
            for i in self._options[o]:
                over[i] += 1
        left = []
        for o in sorted(cover, key=lambda o: -self._costs[o]):
            if all(over[i] > 0 for i in self._options[o]):
                for i in self._options[o]:
                    over[i] -= 1
            else:
                left.append(o)
        return left

    def _judge(self) -> None:
        """End the spell, and go on from its cover unless that costs more."""
        cover = self._whole()
        cost = self._cost(cover)
        self._tries += 1
        if cost < self._now:
            self._tries = 0
        if cost <= self._now:
            self._cover, self._now = cover, cost
        if cost < self._value:
            self._best, self._value = cover, cost
        self._past += self._descent.spent()
        self._descent = None

    def _hope(self) -> float:
        """What the steps of prices aim at: a little more than the bound they give, but no more than the cover costs."""
        bound = float(self._prices.value())
        return min(float(self._value), ABOVE * bound) if bound > 0.0 else float(self._value)

    def _stir(self) -> list[int]:
        """A core for stirred prices, with the cover."""
        size = PRICED * len(self._needs)
        self._prices.stir(self._hope(), SHARE if self.spells else 0.0, STIRRED, size)
        more = self._prices.pick(SIZES[self.spells % len(SIZES)] * len(self._cover), FEW)
        self.spells += 1
        return sorted({*more, *self._cover})

    def _begin(self) -> None:
        """Begin a round with a spell for the whole problem."""
        self._prices.climb(self._hope(), STEPS, PRICED * len(self._needs))
        self._tries = 0
        if len(self._needs) >= BROAD:
            self._cover, self._now = self._best, self._value
            return
        core = self._stir()
        self._now = self._cost(range(len(self._costs))) + 1
        self._spell(self._needs, core, [self._options[o] for o in core], FIRST_SPELL)

    def _refine(self) -> None:
        """Keep a part of the cover, and begin a spell for what it leaves open."""
        core = self._stir()
        kept, left = self._part()
        place = {i: k for k, i in enumerate(i for i, need in enumerate(left) if need > 0)}
        if not place:
            self._tries += 1
            return
        gone, mine, options = set(kept), [], []
        for o in core:
            held = tuple([place[i] for i in self._options[o] if i in place])
            if held and o not in gone:
                mine.append(o)
                options.append(held)
        self._spell([left[i] for i in place], mine, options, SPELL, kept)

    def _spell(
        self,
        needs: Sequence[int],
        core: list[int],
        options: Sequence[Sequence[int]],
        work: int,
        kept: Sequence[int] = (),
    ) -> None:
        """Begin a spell. needs, options: of what is to be covered.  core: per option, its number in the problem."""
        self._past += LISTED * sum(map(len, options))
        seed = self._random.randrange(1 << 30)
        made = self._descents.Descent(needs, options, [self._costs[o] for o in core], seed, self._looks)
        made.greedy()
        self._core, self._kept, self._paid = core, list(kept), self._cost(kept)
        self._goal, self._left = self._now - self._paid - 1 if kept else 0, work
        self._descent = made

    def _part(self) -> tuple[list[int], list[int]]:
        """A part of the cover to keep, and what each item needs beyond it."""
        y, left = self._prices.prices(), list(self._needs)
        times = [0] * len(left)
        for o in self._cover:
            for i in self._options[o]:
                times[i] += 1
        spare = [price * max(k - need, 0) / max(k, 1) for price, k, need in zip(y, times, left, strict=True)]
        judged = []
        for o in self._cover:
            held = self._options[o]
            loss = max(self._costs[o] - sum(y[i] for i in held), 0.0) + sum(spare[i] for i in held)
            judged.append(((loss + 0.02) * self._random.uniform(1 - SHARE, 1 + SHARE), o))
        judged.sort()
        most = self._random.uniform(*self._share) * len(left)
        kept: list[int] = []
        met = 0
        for _, o in judged:
            if met >= most:
                break
            kept.append(o)
            for i in self._options[o]:
                met += left[i] == 1
                left[i] -= 1
        return kept, left
