"""Local search in large covering problems: one core of options after another.

Where there are many more options than items, nearly all of them are in no good cover, and a step of local search
(_descent.py) mostly compares options that it will never take. So prices are found (_core_prices.py), and local search
gets a *core* only: some options of least reduced cost, a few for every item, and those of the best cover. A *round* is a
local search of one core for a given amount of work. For the next round the prices are stirred, which gives another
core, of another size. A cover of the core is a cover of the whole.

How large a core should be depends on how many options a cover takes. Measured on the options that the first reductions
leave, CPU seconds of local search until the best cover known: rail507 (20 333 options, a cover takes 107 of them) has
one of 175 within a second on cores of 1000 to 2500 options, of 174 within three seconds in one of five rounds on cores
of 1400 and 1800, and none on 600; on all options it reaches 179 after ten seconds. scpnrh1 (10 000, 24) has 63 after
nine seconds on 300 options, and 64 after forty on all.

Source: Caprara, Fischetti and Toth (1999) for cores; Umetani and Yagiura (2007), "Relaxation heuristics for the set
covering problem", survey what follows from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from covr.engine.kernels.loading import load

WIDE = 8  # options per item from which on cores are worth while
# Work is counted in entries, as local search counts it.
ROUND = 400_000_000  # work of the first rounds, about a second; those after `SIZES` have run are longer by half of this
SIZES = (16, 8, 12, 24)  # options in a core, per option of the best cover, in turn
STEPS, STIRRED = 5000, 60  # steps of the first climb, at most, and steps after prices were stirred
SHARE = 0.1  # by how much of itself a price is changed at random
PRICED = 2  # options per item in a core on which prices are found
EACH, FEW = 5, 2  # options of each item in such a core, and in a core for local search


def is_wide(items: int, options: int) -> bool:
    """Whether cores are worth while in a problem of that size."""
    return options >= WIDE * items


class Rounds:
    """A local search that pauses between calls of `run`; it offers what `Descent` offers."""

    def __init__(
        self,
        needs: Sequence[int],
        options: Sequence[Sequence[int]],
        costs: Sequence[int],
        cover: Sequence[int],
        interpreted: bool = False,
        looks: Any = None,
    ) -> None:
        """needs, options, costs: as for `Descent`.  cover: the options of a cover.  looks: of _looks.py."""
        self._descents = load("_descent", interpreted)
        self._prices = load("_core_prices", interpreted).CorePrices(needs, options, costs, EACH, looks=looks)
        self._needs, self._options, self._costs = needs, options, costs
        self._looks = looks
        self._best = list(cover)
        self._value = sum(costs[o] for o in cover)
        self._climbed = False
        self._descent: Any = None
        self._core: list[int] = []
        self._left = 0  # work that this round may still do
        self._past = 0  # work of the rounds before
        self.rounds = 0

    def run(self, work: int, goal: int) -> bool:
        """Search for about so much more work, or until a cover costs no more than `goal`. Returns whether a better
        cover was found. Raises what stopped `looks`; a better cover is kept even then."""
        before, end = self._value, self.spent() + work
        while self.spent() < end and self._value > goal:
            if self._left <= 0:
                self._renew()
            self._search(min(self._left, end - self.spent()), goal)
        return self._value < before

    def value(self) -> int:
        """The cost of the best cover found."""
        return self._value

    def answer(self) -> list[int]:
        """The option numbers of the best cover found."""
        return list(self._best)

    def spent(self) -> int:
        """How many array entries were read so far."""
        own = self._descent.spent() if self._descent is not None else 0
        return int(self._past + own + self._prices.spent())

    def _search(self, work: int, goal: int) -> None:
        """Go on with this round for so much work."""
        descent = self._descent
        before = descent.spent()
        try:
            descent.run(work, goal)
        finally:
            self._left -= max(descent.spent() - before, 1)
            if descent.value() < self._value:
                self._value = descent.value()
                self._best = [self._core[k] for k in descent.answer()]

    def _renew(self) -> None:
        """Begin the next round."""
        if not self._climbed:
            self._prices.climb(float(self._value), STEPS, PRICED * len(self._needs))
            self._climbed = True
        self._prices.stir(float(self._value), SHARE if self.rounds else 0.0, STIRRED, PRICED * len(self._needs))
        turn, place = divmod(self.rounds, len(SIZES))
        core = sorted({*self._prices.pick(SIZES[place] * len(self._best), FEW), *self._best})
        if self._descent is not None:
            self._past += self._descent.spent()
            self._descent = None
        options, costs = [self._options[o] for o in core], [self._costs[o] for o in core]
        made = self._descents.Descent(self._needs, options, costs, self.rounds + 1, self._looks)
        made.greedy()
        self._core, self._descent = core, made
        self._left = ROUND + ROUND * turn // 2
        self.rounds += 1
