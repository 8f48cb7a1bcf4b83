"""Minimal sets of constraints that contradict each other.

A *constraint* is an item's bounds, numbered as the item, or "this option is taken" for a given option o, numbered
`items + o`, or the side k, numbered `items + options + k`. A constraint is relaxed by leaving it out: any number of
options, in any colours, may then hold the item, or the option is no longer given. With fewer constraints there are
never fewer answers. So a contradictory set can be shrunk one constraint at a time, and a constraint that can't be left
out at one point can't be left out later.

All that matters is whether a relaxed problem has an answer. So it is made small before it is searched: options that no
remaining item needs are left out, and of equal options that exclude each other only one is kept.

Source: deletion in chunks that are halved, as in Junker's QuickXplain (AAAI 2004), which needs as few searches but
restarts from the full set. In addition, after every refutation the set is replaced by the part on which the refutation
rests (refutation.py). Tried and not kept: QuickXplain itself, which takes twice the searches once refutations are used.

Where there are sides, clingo, if it is installed, is asked which constraints it needed to see that there is no answer
(cores.py), as long as it sees that within its conflicts. Searches make their arrays anew for each question. CPU time of
the whole reason without cores and with them: a kuromasu with a wrong clue 13.6 and 0.8 s, skyscrapers 13 s, not
minimal, and 0.9 s, a kakuro with two wrong clues whose sums agree 15 and 3 s. A single search that is not done after
`SOON` nodes is handed to it where places or lines are to hang together: of a contradictory slitherlink of 12 × 12, 52
constraints were left when a limit of 40 s ended it; with clingo 4 are left, which is proved minimal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING

from attrs import evolve

from covr.engine.base.deadline import Deadline
from covr.engine.base.extras import Unsuited
from covr.engine.base.heed import Stopped, heeded
from covr.engine.base.limits import Limits
from covr.engine.base.status import Status
from covr.engine.dispatch import search
from covr.engine.problem import Problem
from covr.engine.proofs.refutation import Refuting
from covr.engine.search import Search
from covr.engine.settings import Settings
from covr.engine.sides import Side, only_totals, options_of, restricted_sides
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine.proofs.cores import Cores

Answer = tuple[int, ...]
Unit = tuple[int, ...]  # constraints that are kept or relaxed together

ORDERS = 4  # orders of deletion that are tried; the smallest set is kept
REFUTED = 400  # nodes that one search for a reason may visit
SEARCH = 40  # units of work for each search
READ = 40  # members of a problem that are read in a unit of work
SECOND = 50_000  # units of work: about a second of one core of a small machine
SOON = 500  # nodes of a search before clingo is asked, which is quicker where it takes longer than this
PROOFS = 12  # proofs that are tried at the start; the smallest reason is kept


@frozen
class Conflict:
    """A set of units that contradict each other.

    units: the set.  minimal: whether it is proved that the others have an answer if any one of them is left out.
    """

    units: tuple[Unit, ...]
    minimal: bool

    @property
    def constraints(self) -> tuple[int, ...]:
        """All constraints of the units, increasing."""
        return tuple(sorted({c for unit in self.units for c in unit}))


class ConflictBudget:
    """The budget of all searches for one explanation.

    seconds, nodes: for all searches together; None for no limit.  each: the nodes of a single search, so that a hard
    one leaves some for the others.  work: of all searches so far, in units of a node (see `SECOND`).
    """

    def __init__(self, seconds: float | None = None, nodes: int | None = None, each: int = 200_000) -> None:
        self.each = each
        self.nodes = 0
        self.searches = 0
        self.work = 0
        self.interrupted = False
        self.hard = False  # whether clingo is asked for cores
        self._most = nodes
        self.clock = Deadline(seconds).start()  # runs until the explanation is finished
        self._running: Search | None = None

    @property
    def seconds(self) -> float:
        """The seconds since the budget was made."""
        return self.clock.spent

    @property
    def spent(self) -> bool:
        """Whether nothing is left of the budget."""
        return self.interrupted or self.clock.over or (self._most is not None and self.nodes >= self._most)

    def stop(self) -> Status | None:
        """For `heeding`: the status with which to stop now, or None. A limit of nodes does not stop a search."""
        if self.interrupted:
            return Status.INTERRUPTED
        return Status.LIMIT if self.clock.over else None

    def limits(self) -> Limits:
        """The limits of the next search."""
        each = self.each if self._most is None else min(self.each, max(self._most - self.nodes, 0))
        return Limits(answers=1, nodes=each, seconds=self.clock.left)

    def interrupt(self) -> None:
        """Ask to stop; may be called from any thread."""
        self.interrupted = True
        if self._running is not None:
            self._running.interrupt()

    def ask(self, problem: Problem) -> tuple[Status, Answer | None]:
        """Search for one answer."""
        self.searches += 1
        self.work += SEARCH + len(problem.members) // READ
        learns = _learns(problem)
        limits = self.limits()
        if learns and limits.nodes is not None:
            limits = evolve(limits, nodes=min(limits.nodes, SOON))
        status, found = self._ask(problem, limits, "auto")
        if learns and status is Status.LIMIT and not self.spent:
            self.hard = True
            with suppress(Unsuited):
                return self._ask(problem, self.limits(), "clingo")
        return status, found

    def _ask(self, problem: Problem, limits: Limits, engine: str) -> tuple[Status, Answer | None]:
        if self.spent:
            return Status.LIMIT, None
        self._running = run = search(problem, limits=limits, settings=Settings(engine=engine))
        found = next(run, None)
        self._running = None
        self.nodes += run.counters.nodes
        self.work += run.counters.nodes
        return run.status, found


def _learns(problem: Problem) -> bool:
    """Whether clingo goes on with a search that takes long: places or lines are to hang together, and it is
    installed."""
    if only_totals(problem.sides):
        return False
    from covr.engine.outside import clingo

    return clingo.INSTALLED


@frozen
class ConflictVerdict:
    """What is known about whether there is an answer. answer: one, or None if none was found.  none: whether it is
    proved that there is none."""

    answer: Answer | None
    none: bool

    @property
    def open(self) -> bool:
        """Whether it was not decided."""
        return self.answer is None and not self.none


class Relaxing:
    """A problem with only some of its constraints.

    taken: options that every answer takes, whatever is relaxed (in addition to the problem's given ones, which are
    constraints).  left_out: options that no answer takes.
    bounds, sides: what is asked for besides, whatever is relaxed: bounds of items, which are relaxed themselves, and
    sides.
    heard: is called while a set is shrunk, with each smaller set that is still contradictory.
    """

    def __init__(
        self,
        problem: Problem,
        budget: ConflictBudget,
        *,
        taken: Iterable[int] = (),
        left_out: Iterable[int] = (),
        bounds: Mapping[int, tuple[int, int]] = MappingProxyType({}),
        sides: Sequence[Side] = (),
    ) -> None:
        self.problem, self.budget = problem.by_all(), budget
        self.taken = frozenset(taken)
        self.left_out = frozenset(left_out)
        self.bounds = bounds
        self.sides = tuple(sides)
        self.heard: Callable[[Sequence[Unit]], None] = lambda units: None
        self._beside: tuple[int, ...] = ()
        self._cores: Cores | None = None
        budget.hard = budget.hard or bool(self.problem.sides)

    @property
    def everything(self) -> tuple[int, ...]:
        """Every constraint: the items, then the given options, then the sides."""
        items, first = self.problem.items, self.problem.items + self.problem.options
        given = (items + o for o in self.problem.given)
        return (*range(items), *given, *range(first, first + len(self.problem.sides)))

    def solve(self, constraints: Iterable[int]) -> ConflictVerdict:
        """Whether there is an answer under these constraints alone. Its options have the problem's numbers."""
        if self.budget.spent:
            return ConflictVerdict(None, False)
        try:
            relaxed = self._relax(constraints)
        except Stopped:
            return ConflictVerdict(None, False)
        if relaxed is None:
            return ConflictVerdict(None, True)
        problem, options, _ = relaxed
        status, found = self.budget.ask(problem)
        if found is not None:
            return ConflictVerdict(tuple(sorted(options[o] for o in found)), False)
        return ConflictVerdict(None, status is Status.EXHAUSTED)

    def reason(self, constraints: Iterable[int], proofs: int = 1, seed: int = 0) -> frozenset[int] | None:
        """Those of contradictory constraints that a short proof rests on; None if no such proof was found.

        proofs: how many proofs are tried, with ties broken in different ways; the smallest reason is returned.
        """
        best: frozenset[int] | None = None
        try:
            for found in self._reasons(constraints, proofs, seed):
                if best is None or len(found) < len(best):
                    best = found
                if self.budget.spent:
                    break
        except Stopped:  # the smallest reason so far is valid, too
            pass
        return best

    def _reasons(self, constraints: Iterable[int], proofs: int, seed: int) -> Iterator[frozenset[int]]:
        """Yields reasons from one proof after another."""
        first_side = self.problem.items + self.problem.options
        relaxed = self._relax((c for c in constraints if c < first_side), alike=True)
        if relaxed is None:
            return
        problem, options, items = relaxed
        refuting = Refuting(problem)
        for number in range(seed, seed + proofs):
            rank = list(range(problem.items))
            if number:
                Random(number).shuffle(rank)
            found = refuting.refute(REFUTED, rank)
            if found is None:
                return
            given = {options[o] for o in found.given} - self.taken
            yield frozenset({items[i] for i in found.items} | {self.problem.items + o for o in given})

    def shrink(
        self, units: Sequence[Unit], orders: int = ORDERS, *, beside: Sequence[int] = (), first: int = 0
    ) -> Conflict:
        """A minimal subset of contradictory units: the smallest one of those that several orders of deletion lead to.

        units: known to have no answer together. The first order tries to leave out the first units first.
        beside: constraints that are kept throughout, and are no part of the result.  first: the number of the first
        order: those from 1 on are random.
        """
        self._beside = tuple(beside)
        best: Conflict | None = None
        for seed in range(first, first + orders):
            if best is not None and (self.budget.spent or len(best.units) <= 3):
                break
            order = list(units)
            if seed:
                Random(seed).shuffle(order)
            found = self._shrink(order, seed)
            if best is None or (not found.minimal, len(found.units)) < (not best.minimal, len(best.units)):
                best = found
        assert best is not None
        place = {unit: at for at, unit in enumerate(units)}
        return Conflict(tuple(sorted(best.units, key=lambda u: place[u])), best.minimal)

    def _shrink(self, units: list[Unit], seed: int) -> Conflict:
        kept = self._rest_on(units, PROOFS, seed * PROOFS)
        size = max(len(kept) // 2, 1)
        while True:
            at, minimal = 0, True
            while at < len(kept):
                if self.budget.spent:
                    return Conflict(tuple(kept), False)
                if self.budget.hard and (found := self._by_cores(kept)) is not None:
                    return found
                less = kept[:at] + kept[at + size :]
                verdict = self.solve(chain(self._beside, *less))
                if verdict.none:
                    kept = self._rest_on(less)
                    self.heard(kept)
                    if len(kept) < len(less):
                        at, minimal = 0, True
                else:
                    minimal = minimal and not verdict.open
                    at += size
            if size == 1:
                return Conflict(tuple(kept), minimal)
            size = max(min(size, len(kept)) // 2, 1)

    def _by_cores(self, units: Sequence[Unit]) -> Conflict | None:
        """A minimal subset of contradictory units by clingo; None if it is not installed, or can't hold the problem, or
        does not see the contradiction within its nodes."""
        from covr.engine.outside import clingo

        if not clingo.INSTALLED:
            return None
        if self._cores is None:
            from covr.engine.proofs.cores import Cores

            try:
                self._cores = Cores(self)
            except (Unsuited, Stopped):
                self.budget.hard = False
                return None
        found = self._cores.shrink(units, self._beside, self.heard)
        if found is None:
            self.budget.hard = False
            return None
        return Conflict(*found)

    def _rest_on(self, units: list[Unit], proofs: int = 2, seed: int = 0) -> list[Unit]:
        """The units that a proof rests on, in their order; all of them if no proof was found."""
        if self.budget.spent or len(units) < 2:
            return units
        reason = self.reason(chain(self._beside, *units), proofs, seed)
        return units if reason is None else [u for u in units if not reason.isdisjoint(u)]

    def _relax(self, constraints: Iterable[int], alike: bool = False) -> tuple[Problem, list[int], list[int]] | None:
        """The problem under these constraints, with the numbers that its options and items have in the whole problem.
        None if a taken option is left out.

        alike: whether to keep equal options, because the item that makes them exclude each other is a reason, too.
        """
        whole = self.problem
        kept = set(constraints)
        first_side = whole.items + whole.options
        sides = [whole.sides[c - first_side] for c in sorted(kept) if c >= first_side]
        sides += self.sides
        spoken = {o for side in sides for o in options_of(side)} - self.left_out
        given = self.taken | {c - whole.items for c in kept if whole.items <= c < first_side}
        if given & self.left_out:
            return None
        bounds = {i: (whole.low[i], whole.high[i]) for i in sorted(kept) if i < whole.items} | dict(self.bounds)
        items = sorted(bounds, key=lambda i: (bounds[i][0] == 0, i))  # those with low > 0 come first
        rows: dict[int, list[tuple[int, int]]] = {o: [] for o in sorted(given | spoken)}
        for at, i in enumerate(heeded(items, 64)):
            asks = bounds[i][0] > 0
            for o, c in self.problem.column(i):
                if o in rows:
                    rows[o].append((at, c))
                elif asks and o not in self.left_out:
                    rows[o] = [(at, c)]
        alone = {at for at, i in enumerate(items) if bounds[i][1] == 1}
        options: list[int] = []
        starts, members, colours = [0], [], []
        seen: set[tuple[tuple[int, int], ...]] = set()
        for o in heeded([*sorted(given), *sorted(rows.keys() - given)]):
            pairs = tuple(rows[o])
            if o not in given and o not in spoken and not alike:
                if pairs in seen:
                    continue
                if any(i in alone and not c for i, c in pairs):
                    seen.add(pairs)
            options.append(o)
            members += [i for i, _ in pairs]
            colours += [c for _, c in pairs]
            starts.append(len(members))
        low = tuple(bounds[i][0] for i in items)
        problem = Problem(
            low=low,
            high=tuple(bounds[i][1] for i in items),
            primary=sum(lo > 0 for lo in low),
            starts=starts,
            members=members,
            colours=colours if any(colours) else (),
            given=tuple(range(len(given))),
            sides=restricted_sides(sides, {o: at for at, o in enumerate(options)}),
        )
        return problem, options, items
