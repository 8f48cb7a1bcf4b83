"""The fewest clues that leave an answer the only one, with proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from covr.engine.base.limits import BRIEF, LimitReached, Status
from covr.engine.dispatch import search
from covr.engine.kernels.loading import load
from covr.engine.prepare.bitsets import bits_of, few_members_of
from covr.engine.problem import Problem
from covr.engine.puzzles.clues import Uniqueness, Unit, flat, thin
from covr.engine.search import Answer, Search
from covr.frozen import frozen

# --- fewer clues -----------------------------------------------------------------------------------------------------
# Few clues that hit all differences known between an answer and others, and the differences themselves.
#
# A difference is a set of units as bits, where bit k stands for unit k. The walk is that of _hitting_walk.py: what it
# fails to hit becomes heavy. It finds sets that hit thousands of differences in milliseconds, so nearly all the time
# goes into the question whether a set it found leaves the answer the only one.
#
# On the answers of ten sudokus with 17 clues this finds 17 in about ten seconds, where exchanging two clues for one, as
# collectors do, ended with 19.


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


# --- clue bound ------------------------------------------------------------------------------------------------------
# A proof that at least so many clues are needed, which grows.
#
# No set of fewer clues will do than the fewest that hit all differences known. So if no set of as many clues as the
# bound hits them, the bound is one higher. That is shown by the search for a minimum cover (dispatch.py). It takes the
# longer, the more differences there are, and a few hundred of thousands mostly suffice. So it begins with the smallest,
# and where it finds a set of so few clues, some of those that this set does not hit are added. A set that hits all of
# them is returned, to be tried: either it leaves the answer the only one, or there are new differences.
#
# Before each search a walk looks for such a set, which mostly takes milliseconds as long as there are many.


STEPS = 20_000  # steps of a walk
FIRST = 200  # differences that are covered at first
ADDED = 30  # differences that are added for each set that does not hit them, at most


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
        found. Raises LimitReached."""
        asked = self._asked
        asked.check_limits()
        if self._search is None:
            found = self._walk.find(self.bound, STEPS) if self._begun else None
            if found is not None:
                return found
            self._search = self._covering()
        run = self._search
        before = run.counters.nodes
        with asked.watching(run):
            run.step(asked.at_most(BRIEF))
        asked.nodes -= before
        if run.bound is not None and run.bound > self.bound:
            self.bound, self._search = run.bound, None
        asked.check_limits()
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


# --- fewest clues ----------------------------------------------------------------------------------------------------
# The fewest clues that leave an answer the only one, with proof.
#
# A set of clues excludes another answer exactly if it holds a clue that the other answer does not take. So clues leave
# an answer the only one exactly if they hit its *difference* to every other answer: the units that the other one lacks.
# The fewest clues are a minimum cover of all differences. There may be very many of these, but few are needed:
#
# 1. Find a cheapest set of clues that hits all differences known so far. No fewer clues suffice, whatever the rest are.
# 2. Ask whether the answer is the only one that takes them. If it is, they are the fewest. If not, add the difference
#    to the other answer found, and repeat.
#
# What makes this fast is that each difference is shrunk first: other answers are looked for that differ in only some of
# the units, until the difference holds no smaller one (sudoku players call that an unavoidable set). The batch kernel
# does so in one call. Then a clue of it is given, too, and the next difference is looked for, so that each set tried
# teaches a few differences which hardly overlap.
#
# Two searches take turns, and share what they learn:
#
# - **Fewer clues.** A walk (fewest_clues.py) looks for sets that are smaller than the best one known and hit all
#   differences. One that leaves the answer the only one is the new best set.
# - **A higher bound** (fewest_clues.py). Differences are covered at minimum cost, by walks as long as they find sets of
#   no more clues than the bound, and then by the search of dispatch.py, which proves that there are none.
#
# They meet when the bound is the size of the best set. So at any time both enclose the truth: at most 19, at least 17.
#
# They are no methods with turns of some work (turns.py): each set that one of them finds is put to the batch kernel
# before either goes on, and most of the time is spent there, in questions and not in nodes. The loop in `_run` is a
# dozen lines; two kernels would take more.
#
# Source: implicit hitting sets, Moreno-Centeno and Karp, 2013; unavoidable sets, McGuire, Tugemann, Civario, There is
# no 16-clue sudoku, 2012.


WALKS = 2  # so many times `STEPS` in a turn of the walk, at most
TRIED = 30  # sets that are tried in a turn, at most
LEARNT = 4  # differences that are collected from one set


@frozen
class FewestClues:
    """The best set of clues found. bound: no fewer clues suffice, counted in options.  status: `exhausted` if the set
    is proved to be smallest, else `limit` or `interrupted`.  minimal: whether it is known that no unit can be left out;
    false only if the search was stopped at its very beginning."""

    units: tuple[Unit, ...]
    bound: int
    status: Status
    minimal: bool

    @property
    def size(self) -> int:
        """How many clues the set has."""
        return sum(map(len, self.units))

    @property
    def proved(self) -> bool:
        """Whether no fewer clues leave the answer the only one."""
        return self.size == self.bound


class FewestSearch:
    """Looks for the fewest clues of one answer. `run` may be called once.

    best: the smallest set so far.  bound: no fewer clues suffice.  differences: how many are known.
    """

    def __init__(
        self,
        asked: Uniqueness,
        answer: Answer,
        units: Sequence[Unit],
        rng: Random,
        tell: Callable[[int, int], None] | None = None,
        least: int | None = None,
    ) -> None:
        """units: clues that leave the answer the only one.  tell: is told the size of the best set and the bound
        whenever one of them changes.  least: sets of at least so many clues are of no interest: the search ends once it
        is proved that fewer do not suffice, which is much sooner."""
        self._asked, self._answer, self._units, self._rng, self._tell = asked, answer, list(units), rng, tell
        self._least = least
        self._sizes = [len(unit) for unit in units]
        self._number = {o: k for k, unit in enumerate(units) for o in unit}
        self._differences = Differences(self._sizes, rng, asked.settings.interpreted)
        self._walk = self._differences.walk()
        self._proof = ClueBound(asked, self._differences, self._sizes)
        self.best = set(range(len(units)))
        self.bound = 0
        self._thinned = False

    @property
    def differences(self) -> int:
        return len(self._differences.known)

    @property
    def size(self) -> int:
        """How many clues the best set has so far."""
        return self._cost(self.best)

    @property
    def _most(self) -> int:
        """A set of more clues than this is of no interest."""
        return (self.size if self._least is None else min(self.size, self._least)) - 1

    def _cost(self, units: set[int]) -> int:
        return sum(self._sizes[k] for k in units)

    def run(self) -> FewestClues:
        """Do the whole search. If a limit or an interrupt ends it, what is known by then is returned."""
        try:
            self._run()
        except LimitReached as stopped:
            return self._found(stopped.status)
        return self._found(Status.EXHAUSTED)

    def _found(self, status: Status) -> FewestClues:
        units = tuple(sorted(self._units[k] for k in self.best))
        return FewestClues(units, self.bound, Status.EXHAUSTED if self.size == self.bound else status, self._thinned)

    def _run(self) -> None:
        self._improve(set(range(len(self._units))))
        self._walk.start(self.best)
        while self.bound <= self._most:
            if self.bound < self._most:  # otherwise the proof looks for the same sets
                self._fewer()
            if self.bound <= self._most:
                tried = self._proof.turn()
                self._raise_bound(self._proof.bound)
                if tried is not None:
                    self._try(tried)

    def _fewer(self) -> None:
        """A turn of the walk."""
        walked = tried = 0
        while walked < WALKS and tried < TRIED and self.bound <= self._most:
            self._asked.check_limits()
            found = self._walk.find(self._most, STEPS)
            if found is None:
                walked += 1
            else:
                tried += 1
                self._try(found)

    def _raise_bound(self, bound: int) -> None:
        if bound > self.bound:
            self.bound = min(bound, self.size)
            if self._tell:
                self._tell(self.size, self.bound)

    def _improve(self, units: set[int]) -> None:
        """Make a set of units that leaves the answer the only one minimal, and keep it if it is the best so far."""
        found = self._minimal(units)
        self._thinned = True
        if self._cost(found) < self.size:
            self._keep(found)

    def _keep(self, units: set[int]) -> None:
        self.best = units
        if self._tell:
            self._tell(self.size, self.bound)

    def _minimal(self, units: set[int]) -> set[int]:
        kept = thin(self._asked, self._answer, [self._units[k] for k in sorted(units)], self._rng)
        return {self._number[unit[0]] for unit in kept}

    # --- differences ---

    def _try(self, units: set[int]) -> None:
        """Learn a few differences that these units do not hit; if there are none, they are the best set."""
        given = set(units)
        for _ in range(LEARNT):
            lacks = self._surely_lacking(given) if given == units else self._lacking(given)
            if lacks is None:
                break
            bits = bits_of(self._shrink(given, lacks))
            if not bits:
                break
            self._differences.learn(bits)
            given.add(self._rng.choice(few_members_of(bits)))
        if self._cost(given) < self.size and self._surely_lacking(given) is None:
            self._keep(given)

    def _lacking(self, given: set[int]) -> set[int] | None:
        """The units that another answer with these units does not take whole; None: there is no other one."""
        other = self._asked.other(self._answer, flat(self._units[k] for k in given))
        if other is None:
            return None
        has = set(other)
        return {k for k, unit in enumerate(self._units) if not has.issuperset(unit)}

    def _surely_lacking(self, given: set[int]) -> set[int] | None:
        """The same where it must be certain that there is no other one."""
        return self._lacking(given)

    def _shrink(self, given: set[int], lacks: set[int]) -> set[int]:
        """A difference within this one that holds no smaller one; empty if there is none after all. given: units that
        the other answer has."""
        order = sorted(lacks)
        self._rng.shuffle(order)
        found = self._near(order)
        lacks = self._nearest(order) if found is None else set(found)
        assert lacks and not lacks & given, "another answer differs in a clue that is not given"
        return lacks

    def _near(self, order: Sequence[int]) -> Sequence[int] | None:
        """The same as `_nearest` at once; None where that can't be done."""
        return self._asked.nearest(self._units, order)

    def _nearest(self, order: Sequence[int]) -> set[int]:
        """The same as `Uniqueness.nearest`, question by question."""
        lacks = set(order)
        everything = set(range(len(self._units)))
        for k in order:
            if k not in lacks or len(lacks) == 1:
                continue
            nearer = self._lacking((everything - lacks) | {k})
            if nearer is not None:
                lacks = nearer
        return lacks
