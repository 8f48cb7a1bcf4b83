"""Few clues that hit all differences known between an answer and others, and the differences themselves.

A difference is a set of units as bits, where bit k stands for unit k. The walk is that of _hitting_walk.py: what it
fails to hit becomes heavy. It finds sets that hit thousands of differences in milliseconds, so nearly all the time goes
into the question whether a set it found leaves the answer the only one.

On the answers of ten sudokus with 17 clues this finds 17 in about ten seconds, where exchanging two clues for one, as
collectors do, ended with 19.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from covr.engine.kernels.loading import load
from covr.engine.prepare.bitsets import bits_of, few_members_of

ROOM = 1 << 10  # differences for which a walk has room at first; doubled when they are more
MOST_ROOM = 1 << 15  # differences that are kept at most; then the larger half is forgotten
MOST_NUMBERS = 1 << 27  # numbers of 4 bytes that the walk's arrays may have: memory for problems with very many units


class Differences:
    """The differences known between an answer and others.

    known: as bits.  They may be forgotten, which makes the search longer but no result wrong.
    """

    def __init__(self, sizes: Sequence[int], rng: Random, interpreted: bool = False) -> None:
        """sizes: how many clues each unit has.  interpreted: run the kernel's source; for tests."""
        self.known: set[int] = set()
        self._walks: list[DifferenceWalk] = []
        self._sizes, self._rng, self._interpreted = sizes, rng, interpreted
        self._most = max(min(MOST_ROOM, MOST_NUMBERS // max(len(sizes), 1)), 2)

    def walk(self) -> DifferenceWalk:
        """A walk that learns all differences, those known and those to come."""
        walk = DifferenceWalk(self._sizes, self._rng.getrandbits(63) + 1, self._interpreted)
        walk.learn(self._in_order())
        self._walks.append(walk)
        return walk

    def learn(self, bits: int) -> None:
        """Add a difference, if it is new."""
        if bits in self.known:
            return
        if len(self.known) >= self._most:
            self.known = set(self._in_order()[: self._most // 2])
            for walk in self._walks:
                walk.forget_all()
                walk.learn(self._in_order())
        self.known.add(bits)
        for walk in self._walks:
            walk.learn([bits])

    def missed_by(self, units: Iterable[int]) -> list[int]:
        """The differences that these units do not hit, the smallest first."""
        held = bits_of(units)
        return [bits for bits in self._in_order() if not bits & held]

    def _in_order(self) -> list[int]:
        return sorted(self.known, key=lambda bits: (bits.bit_count(), bits))


class DifferenceWalk:
    """A walk among sets of units, in search of one that hits all differences learnt."""

    def __init__(self, sizes: Sequence[int], seed: int, interpreted: bool = False) -> None:
        self._sizes, self._seed = sizes, seed
        self._module = load("_hitting_walk", interpreted)
        self.forget_all()

    def forget_all(self) -> None:
        """Forget all differences, and begin anew."""
        self._learnt = 0
        self._room = ROOM
        self._kernel: Any = self._module.CutWalk(self._sizes, self._room, self._seed)

    def learn(self, differences: Iterable[int]) -> None:
        """Add differences; they must be new."""
        for bits in differences:
            if self._learnt == self._room:
                self._grow()
            self._kernel.learn(few_members_of(bits))
            self._learnt += 1

    def _grow(self) -> None:
        old = self._kernel
        self._room *= 2
        self._kernel = self._module.CutWalk(self._sizes, self._room, self._seed)
        for members in old.known():
            self._kernel.learn(members)
        self._kernel.hold_only(old.current())

    def start(self, units: Iterable[int]) -> None:
        """Go on from this set of units."""
        self._kernel.hold_only(units)

    def find(self, most: int, steps: int) -> set[int] | None:
        """Units of at most so many clues that hit all differences; None if this many steps did not find any."""
        return set(self._kernel.current()) if self._kernel.run(most, steps) else None
