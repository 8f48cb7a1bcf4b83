"""The fewest clues that leave an answer the only one, with proof.

A set of clues excludes another answer exactly if it holds a clue that the other answer does not take. So clues leave an
answer the only one exactly if they hit its *difference* to every other answer: the units that the other one lacks. The
fewest clues are a minimum cover of all differences. There may be very many of these, but few are needed:

1. Find a cheapest set of clues that hits all differences known so far. No fewer clues suffice, whatever the rest are.
2. Ask whether the answer is the only one that takes them. If it is, they are the fewest. If not, add the difference to
   the other answer found, and repeat.

What makes this fast is that each difference is shrunk first: as many further clues as possible are given while another
answer remains, until the difference holds no smaller one (sudoku players call that an unavoidable set). Then a clue of
it is given, too, and the next difference is looked for, until the answer is the only one. So each round adds many
differences, which hardly overlap, and ends with a set of clues that is made minimal and may be the best so far.

In turns with all this, the best set is made smaller by exchanging clues (fewer_clues.py), which finds good sets sooner.

A set in step 1 need not be cheapest to be of use, as long as it is smaller than the best set of clues known. A random
walk finds such sets in milliseconds: it exchanges units until every difference is hit. When the walk fails, differences
are covered at minimum cost (the search of dispatch.py). That ends the search if no smaller set exists; and each time
twice as many differences are known, a turn of it raises the bound. So at any time the best set found and the bound
enclose the truth: at most 19, at least 17.

Source: implicit hitting sets, Moreno-Centeno and Karp, 2013; unavoidable sets, McGuire, Tugemann, Civario, There is no
16-clue sudoku, 2012.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from attrs import frozen

from covr.engine.clues import Uniqueness, Unit, flat, thin
from covr.engine.dispatch import search
from covr.engine.fewer_clues import Differences, Exchange, members_of
from covr.engine.heed import Stopped
from covr.engine.problem import Problem
from covr.engine.search import Answer, Search
from covr.engine.status import Status

STEPS = 3000  # exchanges that the random walk tries, at most
STEPS_EACH = 4  # exchanges for each difference known: covering few of them takes no time
ROUNDS = 4  # times that differences are collected from one set of clues
EXCHANGES = 400  # steps of exchanging clues in each turn, at most; the first turns have fewer
VAIN, LESS = 25, 10  # after so many turns in vain, there are so many times fewer steps in each
TURN = 20_000  # nodes of a turn of the search for a minimum


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
    ) -> None:
        """units: clues that leave the answer the only one.  tell: is told the size of the best set and the bound
        whenever one of them changes."""
        self._asked, self._answer, self._units, self._rng, self._tell = asked, answer, list(units), rng, tell
        self._sizes = [len(unit) for unit in units]
        self._number = {o: k for k, unit in enumerate(units) for o in unit}
        self._differences = Differences(len(units))
        self._cuts, self._hits = self._differences.cuts, self._differences.hits
        self._exchange = Exchange(self._differences, self._sizes, rng, self._excluded, self._minimal)
        self.best = set(range(len(units)))
        self.bound = 0
        self._thinned = False
        self._vain = 0  # turns of exchanging clues since the last one that found a smaller set

    @property
    def differences(self) -> int:
        return len(self._differences.known)

    @property
    def size(self) -> int:
        """How many clues the best set has so far."""
        return self._cost(self.best)

    def _cost(self, units: set[int]) -> int:
        return sum(self._sizes[k] for k in units)

    def run(self) -> FewestClues:
        """Do the whole search. If a limit or an interrupt ends it, what is known by then is returned."""
        try:
            self._run()
        except Stopped as stopped:
            return self._found(stopped.status)
        return self._found(Status.EXHAUSTED)

    def _found(self, status: Status) -> FewestClues:
        units = tuple(sorted(self._units[k] for k in self.best))
        return FewestClues(units, self.bound, Status.EXHAUSTED if self.size == self.bound else status, self._thinned)

    def _run(self) -> None:
        self._improve(set(range(len(self._units))))
        turns = 0
        weighed = 1  # how many differences were known when the bound was last raised
        while self.bound < self.size:
            self._asked.heed()
            if len(self._cuts) >= 2 * weighed:
                weighed = len(self._cuts)
                self._cover(self._covering(), TURN)
                continue
            tried = self._walk(self._steps) or self._smaller()
            if tried is None:
                return
            for _ in range(ROUNDS):
                if not self._round(tried):
                    break
            turns += 1
            if self.bound < self.size and (fewer := self._exchange.turn(self.best, self._share(turns))) is not None:
                self._vain = 0
                self._keep(fewer)

    def _share(self, turns: int) -> int:
        """How many steps of exchanging clues are due in the turn of this number."""
        self._vain += 1
        return min((turns - 1) ** 2, EXCHANGES if self._vain <= VAIN else EXCHANGES // LESS)

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

    def _excluded(self, units: set[int]) -> int | None:
        """A difference that these units do not hit, which is kept, too; None if there is none."""
        other = self._other(units)
        if other is None:
            return None
        bits = self._shrink(units, other)
        self._differences.learn(bits)
        return bits

    # --- differences ---

    def _round(self, tried: set[int]) -> bool:
        """Learn differences that these units do not hit; if there are none, they are the best set. Returns whether
        there are any."""
        given = set(tried)
        while (other := self._other(given)) is not None:
            bits = self._shrink(given, other)
            self._differences.learn(bits)
            given.add(self._rng.choice(members_of(bits)))
        if len(given) > len(tried):
            self._improve(given)
            return True
        self._keep(given)
        return False

    def _other(self, given: set[int]) -> Answer | None:
        return self._asked.other(self._answer, flat(self._units[k] for k in given))

    def _lacks(self, other: Answer) -> set[int]:
        """The units that another answer does not take whole."""
        has = set(other)
        return {k for k, unit in enumerate(self._units) if not has.issuperset(unit)}

    def _shrink(self, given: set[int], other: Answer) -> int:
        """A difference within the one to this other answer that holds no smaller one, as a set of bits."""
        lacks = self._lacks(other)
        order = sorted(lacks)
        self._rng.shuffle(order)
        everything = set(range(len(self._units)))
        for k in order:
            if k not in lacks or len(lacks) == 1:
                continue
            nearer = self._other((everything - lacks) | {k})
            if nearer is not None:
                lacks = self._lacks(nearer)
        assert lacks and not lacks & given, "another answer differs in a clue that is not given"
        return sum(1 << k for k in lacks)

    # --- sets that hit all differences ---

    def _walk(self, steps: int) -> set[int] | None:
        """Units that hit all differences known and are fewer than those of the best set; None if a random walk of so
        many steps finds none. It starts from the best set."""
        hits, sizes, rng = self._hits, self._sizes, self._rng
        whole = (1 << len(self._cuts)) - 1
        held = sorted(self.best)
        left_at = [0] * len(sizes)  # the step in which a unit was left out
        cost, most = self.size, self.size - 1
        for step in range(1, steps + 1):
            while cost > most and held:
                k = self._least_needed(held, left_at)
                held.remove(k)
                left_at[k] = step
                cost -= sizes[k]
            missed = whole & ~_union(hits, held)
            if not missed:
                return set(held)
            ways = [k for k in members_of(self._cuts[_pick(missed, rng)]) if sizes[k] <= most]
            if not ways:
                return None
            fresh = [k for k in ways if left_at[k] < step - 1 or step == 1] or ways
            k = max(fresh, key=lambda k: ((hits[k] & missed).bit_count() / sizes[k], -left_at[k], rng.random()))
            # The unit is kept now, and those that are least needed beside it make room.
            rest = held
            while cost + sizes[k] > most:
                out = self._least_needed(rest, left_at, hits[k])
                rest.remove(out)
                left_at[out] = step
                cost -= sizes[out]
            held = [*rest, k]
            cost += sizes[k]
        return None

    def _least_needed(self, held: list[int], left_at: list[int], beside: int = 0) -> int:
        """The unit that hits fewest differences which the others, and `beside`, do not hit; the oldest of several."""
        once = beside
        twice = 0
        for k in held:
            twice |= once & self._hits[k]
            once |= self._hits[k]
        alone = ~(twice | beside)
        return min(held, key=lambda k: ((self._hits[k] & alone).bit_count() / self._sizes[k], left_at[k]))

    @property
    def _steps(self) -> int:
        return min(STEPS, STEPS_EACH * len(self._cuts))

    def _covering(self) -> Search:
        """A search for a cheapest set of units that hits all differences known."""
        return search(covering(_least(self._differences.known), self._sizes), goal="minimum")

    def _smaller(self) -> set[int] | None:
        """Units that hit all differences known and are fewer than those of the best set; None if there are none, so
        that the best set is proved to be smallest."""
        run = self._covering()
        run.lower_ceiling(self.size - 1)
        while True:
            found = self._cover(run, TURN)
            if found is not None or self.bound == self.size:
                return found
            found = self._walk(self._steps)
            if found is not None:
                return found

    def _cover(self, run: Search, nodes: int) -> set[int] | None:
        """Search for a minimum for so many nodes, and raise the bound as far as it is proved. Returns the units of an
        answer that are fewer than those of the best set, if one was found. Raises Stopped."""
        asked = self._asked
        before = run.counters.nodes
        with asked.watching(run):
            run.step(asked.at_most(nodes))
        asked.nodes -= before
        if run.bound is not None:
            self._raise_bound(run.bound)
        asked.heed()
        found = [answer for answer in run.waiting() if self._cost(set(answer)) < self.size]
        return set(found[-1]) if found else None


def covering(rows: Sequence[int], sizes: Sequence[int]) -> Problem:
    """The problem of hitting sets of units. rows: the sets, as bits.  sizes: what each unit costs."""
    members: list[list[int]] = [[] for _ in sizes]
    for i, bits in enumerate(rows):
        for k in members_of(bits):
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


def _least(sets: set[int]) -> list[int]:
    """Those sets that hold no other one of them, in a fixed order."""
    found: list[int] = []
    for bits in sorted(sets, key=lambda bits: (bits.bit_count(), bits)):
        if not any(less & bits == less for less in found):
            found.append(bits)
    return found


def _union(sets: Sequence[int], which: Sequence[int]) -> int:
    found = 0
    for k in which:
        found |= sets[k]
    return found


def _pick(bits: int, rng: Random) -> int:
    """A random bit that is set."""
    at = rng.randrange(bits.bit_length())
    rest = bits >> at
    if not rest:
        return bits.bit_length() - 1
    return at + (rest & -rest).bit_length() - 1
