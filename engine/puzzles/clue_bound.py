"""A proof that at least so many clues are needed, which grows.

No set of fewer clues will do than the fewest that hit all differences known. So if no set of as many clues as the bound
hits them, the bound is one higher. That is shown by the search for a minimum cover (dispatch.py). It takes the longer,
the more differences there are, and a few hundred of thousands mostly suffice. So it begins with the smallest, and where
it finds a set of so few clues, some of those that this set does not hit are added. A set that hits all of them is
returned, to be tried: either it leaves the answer the only one, or there are new differences.

Before each search a walk looks for such a set, which mostly takes milliseconds as long as there are many.
"""

from __future__ import annotations

from collections.abc import Sequence

from covr.engine.dispatch import search
from covr.engine.prepare.bitsets import few_members_of
from covr.engine.problem import Problem
from covr.engine.puzzles.clues import Uniqueness
from covr.engine.puzzles.fewer_clues import Differences
from covr.engine.search import Search

STEPS = 20_000  # steps of a walk
FIRST = 200  # differences that are covered at first
ADDED = 30  # differences that are added for each set that does not hit them, at most
NODES = 500  # nodes of a turn of the search


class ClueBound:
    """Raises a bound. bound: no fewer clues hit all differences known."""

    def __init__(self, asked: Uniqueness, differences: Differences, sizes: Sequence[int]) -> None:
        """asked: its limits hold, and its nodes are counted.  sizes: how many clues each unit has."""
        self._asked, self._differences, self._sizes = asked, differences, sizes
        self._walk = differences.walk()
        self._core: set[int] = set()
        self._search: Search | None = None
        self._begun = False
        self.bound = 0

    def turn(self) -> set[int] | None:
        """Go on for a while. Returns units of no more clues than the bound that hit all differences known, if any were
        found. Raises Stopped."""
        asked = self._asked
        asked.heed()
        if self._search is None:
            found = self._walk.find(self.bound, STEPS) if self._begun else None
            if found is not None:
                return found
            self._search = self._covering()
        run = self._search
        before = run.counters.nodes
        with asked.watching(run):
            run.step(asked.at_most(NODES))
        asked.nodes -= before
        if run.bound is not None and run.bound > self.bound:
            self.bound, self._search = run.bound, None
        asked.heed()
        found_here = [answer for answer in run.waiting() if self._cost(answer) <= self.bound]
        if not found_here:
            return None
        self._search = None
        held = set(found_here[-1])
        missed = self._differences.missed_by(held)
        self._core.update(missed[:ADDED])
        if missed:
            return None
        return held

    def _cost(self, units: Sequence[int]) -> int:
        return sum(self._sizes[k] for k in units)

    def _covering(self) -> Search:
        """A search for units of no more clues than the bound that hit the core. The first one has the cheapest units
        whatever they cost, so that what its root proves is the first bound."""
        if not self._core:
            self._core.update(self._differences.missed_by(())[:FIRST])
        run = search(covering(least(self._core), self._sizes), goal="minimum")
        if self._begun:
            run.lower_ceiling(self.bound)
        self._begun = True
        return run


def covering(rows: Sequence[int], sizes: Sequence[int]) -> Problem:
    """The problem of hitting sets of units. rows: the sets, as bits.  sizes: what each unit costs."""
    members: list[list[int]] = [[] for _ in sizes]
    for i, bits in enumerate(rows):
        for k in few_members_of(bits):
            members[k].append(i)
    starts = [0]
    for run in members:
        starts.append(starts[-1] + len(run))
    return Problem(
        low=(1,) * len(rows),
        high=(len(sizes),) * len(rows),
        primary=len(rows),
        starts=starts,
        members=[i for run in members for i in run],
        costs=tuple(sizes),
    )


def least(sets: set[int]) -> list[int]:
    """Those sets that hold no other one of them, in a fixed order."""
    found: list[int] = []
    for bits in sorted(sets, key=lambda bits: (bits.bit_count(), bits)):
        if not any(less & bits == less for less in found):
            found.append(bits)
    return found
