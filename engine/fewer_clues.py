"""Fewer clues by exchange: walks from one set of clues that leaves an answer the only one to another.

From a set that does, two clues are left out and one is put in wherever that does, too; then the set is smaller. If no
two clues can be exchanged for one, some clue is exchanged for one that was not moved lately, and it goes on from there.
If there is no such clue, some are added, and others left out until none can be.

What makes this fast are the differences known to other answers (fewest_clues.py): a clue can only take the place of
others if it is in every difference that those hit alone. Mostly no clue is, which takes microseconds to see. If one is,
it is asked whether it will do, and the other answer gives a new difference.

On the answers of sudokus with 17 clues this finds 17 or 18 where covering the differences ends with 20.

Source: exchanging clues (`{-2+1}`) is how collectors of sudokus with few clues look for more of them; looking up the
differences instead of searching for each exchange is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

LATELY = 5  # steps in which a clue that was moved is not moved again
ADDED = 2  # clues that are added where no exchange is left


class Differences:
    """The differences known between an answer and others: sets of units as bits, where bit k stands for unit k.

    cuts: in the order in which they were found.  hits: per unit, which of these it is in, as bits."""

    def __init__(self, units: int) -> None:
        self.known: set[int] = set()
        self.cuts: list[int] = []
        self.hits = [0] * units

    def learn(self, bits: int) -> None:
        """Add a difference, if it is new."""
        if bits not in self.known:
            self.known.add(bits)
            for k in members_of(bits):
                self.hits[k] |= 1 << len(self.cuts)
            self.cuts.append(bits)

    def missed(self, held: Sequence[int]) -> int:
        """Which differences none of these units is in, as bits."""
        found = 0
        for k in held:
            found |= self.hits[k]
        return ((1 << len(self.cuts)) - 1) & ~found

    def in_all(self, missed: int) -> int:
        """The units that are in all of these differences, as bits; all units of none."""
        common = (1 << len(self.hits)) - 1
        while missed and common:
            last = missed.bit_length() - 1
            common &= self.cuts[last]
            missed ^= 1 << last
        return common


class Exchange:
    """A walk among sets of units that leave an answer the only one. `turn` goes on with it."""

    def __init__(
        self,
        differences: Differences,
        sizes: Sequence[int],
        rng: Random,
        excluded: Callable[[set[int]], int | None],
        thinned: Callable[[set[int]], set[int]],
    ) -> None:
        """sizes: how many clues each unit has.  excluded: a difference that these units do not hit, as small as it can
        be made; None if they leave the answer the only one.  thinned: such a set made minimal. Both may raise
        Stopped."""
        self._differences, self._sizes, self._rng = differences, sizes, rng
        self._excluded, self._thinned = excluded, thinned
        self._here: set[int] = set()
        self._moved = [-LATELY] * len(sizes)  # the step in which a unit was last moved
        self._step = 0

    def turn(self, best: set[int], steps: int) -> set[int] | None:
        """Go on for so many steps: a set of fewer clues than `best` has, if one was found."""
        most = self._cost(best)
        if not self._here or self._cost(self._here) > most + ADDED:
            self._here = set(best)
        for _ in range(steps):
            self._step += 1
            here = self._fewer() or self._exchanged()
            self._here = self._restarted() if here is None else here
            if self._cost(self._here) < most:
                return set(self._here)
        return None

    def _cost(self, units: set[int]) -> int:
        return sum(self._sizes[k] for k in units)

    def _fewer(self) -> set[int] | None:
        """Two units exchanged for a cheaper one; None if there are no such units."""
        pairs = list(combinations(sorted(self._here), 2))
        self._rng.shuffle(pairs)
        for one, other in pairs:
            rest = self._here - {one, other}
            found = self._instead(rest, {one, other}, self._sizes[one] + self._sizes[other] - 1)
            if found:
                self._moved[found[0]] = self._step
                return rest | {found[0]}
        return None

    def _exchanged(self) -> set[int] | None:
        """One unit exchanged for another of at most the same cost that was not moved lately."""
        order = sorted(self._here)
        self._rng.shuffle(order)
        for out in order:
            rest = self._here - {out}
            found = self._instead(rest, {out}, self._sizes[out])
            fresh = [k for k in found if self._fresh(k)]
            if fresh:
                put = self._rng.choice(fresh)
                self._moved[out] = self._moved[put] = self._step
                return rest | {put}
        return None

    def _fresh(self, unit: int) -> bool:
        return self._moved[unit] <= self._step - LATELY

    def _instead(self, rest: set[int], out: set[int], most: int) -> list[int]:
        """The units of at most this cost that leave the answer the only one together with the rest."""
        possible = self._differences.in_all(self._differences.missed(sorted(rest)))
        for k in (*rest, *out):
            possible &= ~(1 << k)
        found = []
        while possible:
            k = self._rng.choice(members_of(possible))
            if self._sizes[k] > most:
                possible &= ~(1 << k)
                continue
            difference = self._excluded(rest | {k})
            if difference is None:
                found.append(k)
                possible &= ~(1 << k)
            else:
                possible &= difference
        return found

    def _restarted(self) -> set[int]:
        """A set from which to go on where there is nothing to exchange."""
        others = [k for k in range(len(self._sizes)) if k not in self._here]
        return self._thinned(self._here.union(self._rng.sample(others, min(ADDED, len(others)))))


def members_of(bits: int) -> list[int]:
    """The numbers of the bits that are set, increasing."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
