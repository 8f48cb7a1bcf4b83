"""Minimal sets of constraints that contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from random import Random
from types import MappingProxyType

from attrs import evolve

from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import (
    BRIEF,
    MOST_STEPS,
    QUICK,
    Deadline,
    LimitReached,
    Limits,
    Status,
    check_limits,
    with_limit_checks,
)
from covr.engine.dispatch import search
from covr.engine.outside import clingo
from covr.engine.outside.clingo_answers import OtherAnswers, Switched, SwitchedItem, Untaken, taken
from covr.engine.problem import Problem, Side, build, only_totals, options_of, restricted_sides
from covr.engine.search import Search
from covr.engine.settings import Settings
from covr.frozen import frozen

# --- refutation ------------------------------------------------------------------------------------------------------
# Which items and given options a proof that there is no answer rests on.
#
# The search is like the oracle's, but records, for every option that is not live, the item that removed it. If a node
# has no answer, this rests on the item that the node branches on (or that has no ways left), on the items that removed
# options from it, and on what its children rest on. If the reason of the first child includes no item of the option
# taken there, it is also the reason of the node. The given options among the reasons are those that hold an item that
# removed options.
#
# The result is a reason, but hardly ever a smallest one: conflict.py shrinks it.
#
# Source: the idea of conflict analysis in SAT solvers (Marques-Silva and Sakallah, GRASP, 1996), without learning.


LIVE, OUT = -1, -2  # in place of an item in `killer`; see _State


@frozen
class Refutation:
    """Items and given options of a problem that no set of options can satisfy together."""

    items: frozenset[int]
    given: frozenset[int]


def refute(problem: Problem, nodes: int = 400) -> Refutation | None:
    """A reason why there is no answer. None if there is one, or if so many nodes were not enough to tell."""
    return Refuting(problem).refute(nodes, range(problem.items))


class _Open(Exception):
    """Raised when an answer is found or the budget is spent."""


class _State:
    """The state of a node. need, room: per item, how many more options must, and may, hold it.  shown: per item, the
    colour shown there, 0 for none.  live: per item, how many live options hold it.
    killer: per option, the item that removed it; or LIVE; or OUT if it is taken or was tried before."""

    def __init__(self, need: list[int], room: list[int], shown: list[int], live: list[int], killer: list[int]) -> None:
        self.need, self.room, self.shown, self.live, self.killer = need, room, shown, live, killer

    def copy(self) -> _State:
        return _State(self.need[:], self.room[:], self.shown[:], self.live[:], self.killer[:])


class Refuting:
    """Looks for reasons why a problem has no answer; each ranking of its items may give another one."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.left = 0
        self.order: Sequence[int] = ()
        self.pairs: list[Mapping[int, int]] = [
            dict(zip(problem.option(o), problem.option_colours(o), strict=True))
            for o in with_limit_checks(range(problem.options))
        ]
        self.holders = problem.holders

    def refute(self, nodes: int, rank: Sequence[int]) -> Refutation | None:
        """A reason why there is no answer; None as in the function `refute`.

        nodes: how many nodes to visit at most, fewer in large problems; also limits the depth of recursion.
        rank: per item; of the items with the fewest ways, the one of lowest rank is branched on. Different ranks give
        different proofs, of which some rest on less.
        """
        self.left = min(nodes, MOST_STEPS // (len(self.problem.members) + 1))
        self.order = sorted(range(self.problem.primary), key=lambda i: rank[i])
        try:
            items = self._start()
        except _Open:
            return None
        given = frozenset(o for o in self.problem.given if not items.isdisjoint(self.pairs[o]))
        return Refutation(frozenset(items), given)

    def _start(self) -> set[int]:
        """Prepare the root; returns what it rests on."""
        p = self.problem
        for i in range(p.items):
            if p.low[i] > p.high[i]:
                return {i}
        state = _State(list(p.low), list(p.high), [0] * p.items, list(map(len, self.holders)), [LIVE] * p.options)
        for i in range(p.items):
            if p.high[i] == 0:
                self._empty(state, i, 0)
        for o in p.given:
            if state.killer[o] >= 0:
                return {state.killer[o]}
            self._take(state, o)
        return self._node(state)

    def _take(self, state: _State, option: int) -> None:
        self._remove(state, option, OUT)
        for i, colour in self.pairs[option].items():
            state.need[i] -= 1
            if colour:
                state.shown[i] = colour
                self._empty(state, i, colour)
                continue
            state.room[i] -= 1
            if state.room[i] <= 0:
                self._empty(state, i, 0)

    def _empty(self, state: _State, item: int, colour: int) -> None:
        """Remove the options of an item that is full, or shows another colour."""
        for o in self.holders[item]:
            if state.killer[o] == LIVE and not (colour and self.pairs[o][item] == colour):
                self._remove(state, o, item)

    def _remove(self, state: _State, option: int, killer: int) -> None:
        state.killer[option] = killer
        for i in self.pairs[option]:
            state.live[i] -= 1

    def _node(self, state: _State) -> set[int]:
        check_limits()
        self.left -= 1
        if self.left < 0:
            raise _Open
        item, row = self._branch(state)
        reason = {item, *(k for o in self.holders[item] if (k := state.killer[o]) >= 0)}
        for at, o in enumerate(row):
            child = state.copy()
            self._take(child, o)
            below = self._node(child)
            if at == 0 and below.isdisjoint(self.pairs[o]):
                return below
            reason |= below
            self._remove(state, o, OUT)
        return reason

    def _branch(self, state: _State) -> tuple[int, Sequence[int]]:
        """The unmet item with the fewest ways, and the options to try there."""
        best, found = -1, 0
        for i in self.order:
            need = state.need[i]
            if need > 0:
                ways = state.live[i] - need + 1
                if best < 0 or ways < found:
                    best, found = i, ways
                    if ways < 1:
                        break
        if best < 0:
            raise _Open
        live = [o for o in self.holders[best] if state.killer[o] == LIVE]
        return best, live[: max(found, 0)]


# --- cores -----------------------------------------------------------------------------------------------------------
# Minimal sets of contradictory constraints by one clingo, which is asked again and again.
#
# Each constraint hangs on a switch (outside/clingo_answers.py). Where some are contradictory, clingo tells which of
# them it needed to see that; the others are left out at once. Then each of the rest is left out by itself: if there is
# no answer then, it was not needed, nor was whatever that proof did not need; if there is one, it stays. What was
# learned is kept from one question to the next.
#
# Source: deletion with cores, as in Belov and Marques-Silva, "MUSer2", JSAT 8 (2012).


CONFLICT = 10  # units of work of a conflict


class Cores:
    """The constraints of a problem, each with a switch."""

    def __init__(self, relaxing: Relaxing) -> None:
        """Raises Unsuited and LimitReached as `OtherAnswers` does."""
        self._budget = relaxing.budget
        problem = relaxing.problem
        always = [Switched((), taken(o)) for o in sorted(relaxing.taken)]
        always += [Switched((), Untaken(o)) for o in sorted(relaxing.left_out)]
        for i, bounds in sorted(relaxing.bounds.items()):
            always.append(Switched((), SwitchedItem(*bounds, tuple(problem.column(i)))))
        always += [Switched((), side) for side in relaxing.sides]
        first = problem.items + problem.options
        switched = [
            Switched((i + 1,), SwitchedItem(problem.low[i], problem.high[i], tuple(problem.column(i))))
            for i in range(problem.items)
            if i not in relaxing.bounds
        ]
        switched += [Switched((problem.items + o + 1,), taken(o)) for o in problem.given]
        switched += [Switched((first + k + 1,), side) for k, side in enumerate(problem.sides)]
        free = build([], [[] for _ in range(problem.options)])
        self._size = len(problem.members) + sum(len(options_of(side)) for side in problem.sides)
        self._asked = OtherAnswers(free, [*always, *switched], None, (), lambda: self._budget.spent)

    def shrink(
        self, units: Sequence[Unit], beside: Iterable[int], heard: Callable[[Sequence[Unit]], None]
    ) -> tuple[tuple[Unit, ...], bool] | None:
        """A subset of contradictory units, and whether it is proved minimal; None if it is not seen that they are.

        The first units are left out first, if they can be. heard: is called with each smaller set."""
        rest = tuple(beside)
        kept = self._core(units, rest)
        if kept is None:
            return None
        needed: set[Unit] = set()
        unsure: set[Unit] = set()
        while (one := next((unit for unit in kept if unit not in needed and unit not in unsure), None)) is not None:
            heard(kept)
            less = self._core([unit for unit in kept if unit != one], rest)
            if less is not None:
                kept = less
            else:
                (needed if self._asked.settled else unsure).add(one)
            if self._budget.spent:
                return tuple(kept), False
        return tuple(kept), unsure.isdisjoint(kept)

    def _core(self, units: Sequence[Unit], rest: Sequence[int]) -> list[Unit] | None:
        """Those of some units that a proof needs; None if there is an answer, or if that is not settled."""
        before = self._asked.nodes
        found = self._asked.has([c + 1 for unit in units for c in unit] + [c + 1 for c in rest], QUICK)
        spent = self._asked.nodes - before
        self._budget.searches += 1
        self._budget.nodes += spent
        self._budget.work += CONFLICT * spent + self._size // READ
        if found or not self._asked.settled:
            return None
        needed = set(self._asked.core)
        return [unit for unit in units if any(c + 1 in needed for c in unit)]


# --- conflict --------------------------------------------------------------------------------------------------------
# Minimal sets of constraints that contradict each other.
#
# A *constraint* is an item's bounds, numbered as the item, or "this option is taken" for a given option o, numbered
# `items + o`, or the side k, numbered `items + options + k`. A constraint is relaxed by leaving it out: any number of
# options, in any colours, may then hold the item, or the option is no longer given. With fewer constraints there are
# never fewer answers. So a contradictory set can be shrunk one constraint at a time, and a constraint that can't be
# left out at one point can't be left out later.
#
# All that matters is whether a relaxed problem has an answer. So it is made small before it is searched: options that
# no remaining item needs are left out, and of equal options that exclude each other only one is kept.
#
# Source: deletion in chunks that are halved, as in Junker's QuickXplain (AAAI 2004), which needs as few searches but
# restarts from the full set. In addition, after every refutation the set is replaced by the part on which the
# refutation rests (conflict.py).
#
# Where there are sides, clingo, if it is installed, is asked which constraints it needed to see that there is no answer
# (conflict.py), as long as it sees that within its conflicts. Searches make their arrays anew for each question. CPU
# time of the whole reason without cores and with them: a kuromasu with a wrong clue 13.6 and 0.8 s, skyscrapers 13 s,
# not minimal, and 0.9 s, a kakuro with two wrong clues whose sums agree 15 and 3 s. A single search that is not done
# after `BRIEF` nodes is handed to it where places or lines are to hang together: of a contradictory slitherlink of 12 ×
# 12, 52 constraints were left when a limit of 40 s ended it; with clingo 4 are left, which is proved minimal.


Answer = tuple[int, ...]
Unit = tuple[int, ...]  # constraints that are kept or relaxed together

ORDERS = 4  # orders of deletion that are tried; the smallest set is kept
SEARCH = 40  # units of work for each search
READ = 20  # members of a problem that are read in a unit of work, by a search or by clingo
SECOND = 50_000  # units of work: about a second of one core of a small machine
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
        """For `limits_checked_by`: the status with which to stop now, or None. A limit of nodes does not stop a
        search."""
        if self.interrupted:
            return Status.INTERRUPTED
        return Status.LIMIT if self.clock.over else None

    def limits(self) -> Limits:
        """The limits of the next search."""
        each = self.each if self._most is None else min(self.each, max(self._most - self.nodes, 0))
        return Limits(answers=1, nodes=each, seconds=self.clock.left)

    def interrupt(self) -> None:
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
            limits = evolve(limits, nodes=min(limits.nodes, BRIEF))
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
        self.on_smaller: Callable[[Sequence[Unit]], None] = lambda units: None
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
        except LimitReached:
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
        except LimitReached:  # the smallest reason so far is valid, too
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
            found = refuting.refute(BRIEF, rank)
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
                    self.on_smaller(kept)
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
        if not clingo.INSTALLED:
            return None
        if self._cores is None:
            try:
                self._cores = Cores(self)
            except (Unsuited, LimitReached):
                self.budget.hard = False
                return None
        found = self._cores.shrink(units, self._beside, self.on_smaller)
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
        for at, i in enumerate(with_limit_checks(items, 64)):
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
        for o in with_limit_checks([*sorted(given), *sorted(rows.keys() - given)]):
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
