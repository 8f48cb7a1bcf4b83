"""Things that take time and exclude each other, such as the steps of jobs on machines: which one comes first.

Each thing begins at exactly one of the options of its group, in the order of their numbers. Nothing else is read off
the problem than that for each option of one group an interval of those of another is excluded, which moves on as time
does (`KeptApart`): so it is for two steps on one machine, and for a step before which another must have ended. What
comes first is then one question for each two groups, and no more one for each instant. One group has costs, the later
the higher: the end of all. What is not of this kind is left to others (`intervals`).

A lower bound comes first: things on one machine that can be interrupted are done in time by taking the most urgent one,
or else not at all. From there on clingo is told when each thing may begin (that it begins at an option or later is one
atom), which makes few clauses where the end is near; a later end is allowed where none is so near. It halves what is
left between bound and best answer, and what it has learned stays. In each answer everything is moved to the front.

Sources: the bound is that of Jackson's preemptive schedule, see Carlier, "The one-machine sequencing problem", 1982;
the clauses are those of Crawford and Baker, "Experimental results on the application of satisfiability algorithms to
scheduling problems", 1994, with the atoms of Tamura and others, "Compiling finite linear CSP into SAT", 2009.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import reduce
from heapq import heappop, heappush
from itertools import accumulate, combinations, pairwise
from operator import or_, sub

from covr.engine.base.limits import BRIEF, LOOK, check_limits, due, with_limit_checks
from covr.engine.outside.clingo import INSTALLED, PASSED, SolveCall, control_of, spent
from covr.engine.outside.clingo_shares import RuleWriter, new_atoms, true_atoms
from covr.engine.problem import Problem, Total
from covr.engine.turns import StepKernel
from covr.frozen import frozen

NAME = "what comes first"
NEAR = 16  # the first end that is allowed is one part of so many above the bound
WRITTEN = 4000  # work of a clause that is written, in nanoseconds
LEAST, MOST = 3, 200_000  # groups, and options: fewer are searched at once, and more have too many clauses


@frozen
class KeptApart:
    """Two groups of which options exclude each other: option k of `a` those of `b` from low[k] to high[k]. Both
    increase with k, so `b` is later than high[k], or earlier than low[k]."""

    a: int
    b: int
    low: tuple[int, ...]
    high: tuple[int, ...]


@frozen
class User:
    """Who uses a machine. begin, end: the instants of each option of the group, from the one up to before the other.
    first, last: the options that use it; those before and after have no instants."""

    group: int
    begin: tuple[int, ...]
    end: tuple[int, ...]
    first: int
    last: int


@frozen
class Intervals:
    """groups: options in the order of time.  last: the group with costs.  costs: of its options, with those of all
    others.  apart: what must not be together.  machines: who uses each of them."""

    groups: tuple[tuple[int, ...], ...]
    last: int
    costs: tuple[int, ...]
    apart: tuple[KeptApart, ...]
    machines: tuple[tuple[User, ...], ...]


def intervals(problem: Problem) -> Intervals | None:
    """The intervals, where a problem is about nothing else. Time: the entries of the matrix and of totals, and for each
    two things on a machine their options."""
    if problem.colours or not any(problem.costs) or problem.options > MOST or not INSTALLED:
        return None
    group_of = _exactly_one(problem)
    if group_of is None:
        return None
    totals: list[tuple[list[int], Total]] = []
    dead = {o for i, high in enumerate(problem.high) if high == 0 for o in problem.holders[i]}
    fixed = {group_of[o]: o for o in problem.given}
    if len(fixed) < len(problem.given):
        return None
    dead |= {o for o, g in enumerate(group_of) if fixed.get(g, o) != o}
    for side in with_limit_checks(problem.sides):
        if not isinstance(side, Total):
            return None
        own = sorted({group_of[o] for o, _ in side.terms})
        if not 0 < len(own) <= 2:
            return None
        if len(own) == 2:
            totals.append((own, side))
            continue
        weight = dict(side.terms)
        dead.update([o for o, g in enumerate(group_of) if g == own[0] and not _allows(side, weight.get(o, 0))])
    groups: list[list[int]] = [[] for _ in range(max(group_of, default=-1) + 1)]
    for o, g in enumerate(group_of):
        if o not in dead:
            groups[g].append(o)
    place = {o: (g, k) for g, own in enumerate(groups) for k, o in enumerate(own)}
    goal = _goal(problem, groups)
    sizes = [len(own) for own in groups]
    machines = _machines(problem, place, sizes)
    if goal is None or machines is None or len(groups) < LEAST:
        return None
    between = _excluded(totals, place, sizes)
    if between is None:
        return None
    apart = [*between, *(_turns(*pair) for users in machines for pair in with_limit_checks(combinations(users, 2), 1))]
    return Intervals(tuple(map(tuple, groups)), *goal, tuple(apart), tuple(map(tuple, machines)))


def _exactly_one(problem: Problem) -> list[int] | None:
    """Per option, which of the items that are met exactly once it holds, by number; None where an option holds none or
    several, or where other items need options."""
    group_of = [-1] * problem.options
    for i in with_limit_checks(range(problem.primary)):
        if not problem.low[i] == problem.high[i] == 1:
            return None
        for o in problem.holders[i]:
            if group_of[o] >= 0:
                return None
            group_of[o] = i
    return None if -1 in group_of else group_of


def _goal(problem: Problem, groups: Sequence[Sequence[int]]) -> tuple[int, tuple[int, ...]] | None:
    """The group with costs that differ, and what its options cost with those of all others; None where they do not
    increase, or if there are several."""
    costs, base, found = problem.costs, 0, -1
    for g, own in enumerate(groups):
        if not own:
            return None
        if len({costs[o] for o in own}) == 1:
            base += costs[own[0]]
        elif found < 0:
            found = g
        else:
            return None
    if found < 0 or any(costs[o] > costs[p] for o, p in pairwise(groups[found])):
        return None
    return found, tuple([base + costs[o] for o in groups[found]])


def _allows(total: Total, value: int) -> bool:
    return any(low <= value <= high for low, high in total.sums)


# --- totals of two groups --------------------------------------------------------------------------------------------


def _excluded(
    totals: Sequence[tuple[list[int], Total]], place: dict[int, tuple[int, int]], sizes: Sequence[int]
) -> list[KeptApart] | None:
    """What totals exclude; None where that is no interval that moves on. place: per option, its group and its number
    there."""
    barred: dict[tuple[int, int], list[int]] = {}  # for each option of the first group, a bit for each of the second
    for (a, b), total in with_limit_checks(totals):
        rows = barred.setdefault((a, b), [0] * sizes[a])
        whole = (1 << sizes[b]) - 1
        mine: dict[int, int] = {}
        weights: dict[int, int] = {}
        for o, weight in total.terms:
            g, k = place.get(o, (-1, 0))
            if g == a:
                mine[k] = weight
            elif g == b:
                weights[weight] = weights.get(weight, 0) | 1 << k
        weights[0] = whole & ~reduce(or_, [own for weight, own in weights.items() if weight], 0)
        values = sorted(weights)
        upto = [0, *accumulate([weights[value] for value in values], or_)]
        known: dict[int, int] = {}
        if len(mine) < sizes[a] and _barred(0, total, values, upto, whole):
            mine = {**dict.fromkeys(range(sizes[a]), 0), **mine}
        for k, weight in mine.items():
            if weight not in known:
                known[weight] = _barred(weight, total, values, upto, whole)
            rows[k] |= known[weight]
    found: list[KeptApart] = []
    for (a, b), rows in with_limit_checks(barred.items()):
        own = _moving(rows, sizes[b])
        if own is None:
            return None
        found += [KeptApart(a, b, low, high) for low, high in own]
    return found


def _barred(weight: int, total: Total, values: Sequence[int], upto: Sequence[int], whole: int) -> int:
    """Which options of the second group make a sum that the total forbids, with so much from the first one. upto: those
    whose weights are the first of `values`."""
    allowed = 0
    for low, high in total.sums:
        allowed |= upto[bisect_right(values, high - weight)] & ~upto[bisect_left(values, low - weight)]
    return whole & ~allowed


Moving = tuple[tuple[int, ...], tuple[int, ...]]


def _moving(rows: Sequence[int], size: int) -> list[Moving] | None:
    """What is too early for each option of the first group, and what is too late; None where that has gaps or does not
    move on."""
    whole = (1 << size) - 1
    first = next((k for k, row in enumerate(rows) if row != whole), len(rows))
    early, late = [-1] * first, [0] * first  # nothing goes with these, and with those that follow nothing later
    for row in rows[first:]:
        allowed = whole & ~row
        low = (allowed & -allowed).bit_length() - 1 if allowed else size
        end = allowed.bit_length() if allowed else size
        if allowed != (1 << end) - (1 << low):
            return None
        early.append(low - 1)
        late.append(end)
    if early != sorted(early) or late != sorted(late):
        return None
    found = [((0,) * len(rows), tuple(early))] if max(early, default=-1) >= 0 else []
    if min(late, default=size) < size:
        found.append((tuple(late), (size - 1,) * len(rows)))
    return found


# --- machines --------------------------------------------------------------------------------------------------------


Instant = dict[int, tuple[int, int]]
"""Per group, the first and the last of its options that use a machine then."""


def _machines(problem: Problem, place: dict[int, tuple[int, int]], sizes: Sequence[int]) -> list[list[User]] | None:
    """The items of which at most one option is taken, as the instants of machines; None where an item is none.

    An instant follows another one where each thing that may use both may begin as late or later in it."""
    machines: list[list[Instant]] = []
    gone: list[set[int]] = []  # things that no later instant of the machine may have
    newest: dict[int, list[int]] = {}  # per group, the machines whose last instant has it
    for i in with_limit_checks(range(problem.primary, problem.items)):
        met: dict[int, list[int]] = {}
        for o in problem.holders[i]:
            if o in place:
                g, k = place[o]
                met.setdefault(g, []).append(k)
        many = sum(map(len, met.values()))
        if many <= problem.high[i]:
            continue
        if problem.high[i] != 1 or any(own[-1] - own[0] != len(own) - 1 for own in met.values()):
            return None
        here = {g: (own[0], own[-1]) for g, own in met.items()}
        shared: dict[int, int] = {}
        for g in here:
            for m in newest.get(g, ()):
                shared[m] = shared.get(m, 0) + 1
        m = max(shared, key=lambda m: (shared[m], m), default=-1)
        if m < 0 or not gone[m].isdisjoint(here) or not _follows(machines[m][-1], here):
            m = len(machines)
            machines.append([])
            gone.append(set())
        elif machines[m]:
            gone[m].update(machines[m][-1].keys() - here.keys())
            for g in machines[m][-1]:
                newest[g].remove(m)
        machines[m].append(here)
        for g in here:
            newest.setdefault(g, []).append(m)
    return [_users(instants, sizes) for instants in with_limit_checks(machines)]


def _follows(before: Instant, here: Instant) -> bool:
    both = before.keys() & here.keys()
    return all(before[g][0] <= here[g][0] <= before[g][1] + 1 and before[g][1] <= here[g][1] for g in both)


def _users(instants: Sequence[Instant], sizes: Sequence[int]) -> list[User]:
    """Who uses a machine."""
    of: dict[int, list[tuple[int, int, int]]] = {}
    for at, here in enumerate(instants):
        for g, (low, high) in here.items():
            of.setdefault(g, []).append((at, low, high))
    found = []
    for g, own in of.items():
        lows, highs, first = [low for _, low, _ in own], [high for _, _, high in own], own[0][0]
        begin = tuple([first + bisect_left(highs, k) for k in range(sizes[g])])
        end = tuple([first + bisect_right(lows, k) for k in range(sizes[g])])
        found.append(User(g, begin, end, lows[0], highs[-1]))
    return found


def _turns(one: User, other: User) -> KeptApart:
    """Two users of a machine must not use it at once. Linear time, but for a logarithm."""
    low, high = [], []
    for k, (begin, end) in enumerate(zip(one.begin, one.end, strict=True)):
        used = one.first <= k <= one.last
        low.append(max(bisect_right(other.end, begin), other.first) if used else 0 if k < one.first else len(other.end))
        high.append(min(bisect_left(other.begin, end) - 1, other.last) if used else low[-1] - 1)
    return KeptApart(one.group, other.group, tuple(low), tuple(high))


# --- the search ------------------------------------------------------------------------------------------------------


class IntervalsKernel(StepKernel):
    """A kernel that finds ever earlier ends. A node is a call of clingo, or clauses for a later end."""

    def __init__(self, found: Intervals, given: Sequence[int], ceiling: int | None) -> None:
        """found: see `intervals`.  given: options that answers leave out.  ceiling: the most that one may cost."""
        super().__init__(ceiling)
        self._found, self._given = found, frozenset(given)
        self._least = 0  # the first end that is not ruled out, by number
        self._best = len(found.costs)  # the end of the best answer
        self._clauses = 0

    def _most(self) -> int:
        """The last end that is wanted."""
        costs = self._found.costs
        ceiling = costs[-1] if self._ceiling is None else self._ceiling
        return min(bisect_right(costs, ceiling), self._best) - 1

    def _rise(self, least: int) -> None:
        """No answer ends before this."""
        self._least = max(self._least, least)
        costs = self._found.costs
        self.bound = costs[min(self._least, len(costs) - 1)]

    def _take(self, at: Sequence[int]) -> None:
        """Keep an answer. at: per group, which of its options is taken."""
        found = self._found
        self._best = bisect_left(found.costs, found.costs[at[found.last]])
        self._answer = sorted({own[k] for own, k in zip(found.groups, at, strict=True)} - self._given)
        self.answers += 1

    def _search(self) -> Iterator[bool]:
        """The whole search; it goes on after each call of clingo."""
        ends = range(len(self._found.costs))
        self._rise(bisect_left(ends, True, key=lambda end: _windows(self._found, end) is not None))
        yield True
        more = max(self._least // NEAR, 1)
        while self._least <= self._most():
            yield from self._until(min(self._least + more, self._most()))
            more *= 2
        self._ended = True

    def _until(self, until: int) -> Iterator[bool]:
        """Look for the first end up to this one; it goes on after each call."""
        windows = _windows(self._found, until)
        assert windows is not None
        low, high = windows
        program = _Program(self._found, low, high)
        self.work += WRITTEN * program.clauses
        conflicts, target = BRIEF, until
        while (most := min(until, self._most())) >= self._least:
            target = min(max(target, self._least), most)
            ended, starts = program.call(target, conflicts)
            self.updates += program.conflicts
            self.work += PASSED * program.clauses * program.conflicts
            if starts:
                self._take(_earliest(self._found, low, starts))
            elif ended:
                self._rise(target + 1)
            yield True
            if ended or target == most:
                target = (self._least + min(until, self._most())) // 2
            else:
                target = (target + most + 1) // 2
            conflicts = conflicts if ended else 2 * conflicts


def _windows(found: Intervals, end: int) -> tuple[list[int], list[int]] | None:
    """The first and the last option that each group may take, if all ends up to `end`; None if that cannot be. Larger
    ends have larger windows."""
    low, high = [0] * len(found.groups), [len(own) - 1 for own in found.groups]
    high[found.last] = end
    changed = True
    while changed:
        check_limits()
        changed = False
        for one in found.apart:
            a, b = one.a, one.b
            later, earlier = high[b] > one.high[low[a]], low[b] < one.low[high[a]]
            if later and earlier:
                continue
            before = low[a], high[a], low[b], high[b]
            if later:
                low[b], high[a] = max(low[b], one.high[low[a]] + 1), min(high[a], bisect_left(one.high, high[b]) - 1)
            else:
                low[a], high[b] = max(low[a], bisect_right(one.low, low[b])), min(high[b], one.low[high[a]] - 1)
            if low[a] > high[a] or low[b] > high[b]:
                return None
            changed |= before != (low[a], high[a], low[b], high[b])
    return (low, high) if all(_in_time(users, low, high) for users in found.machines) else None


def _in_time(users: Sequence[User], low: Sequence[int], high: Sequence[int]) -> bool:
    """Whether a machine could serve its users within their windows, if it could leave one for another at any time: the
    one that must end first is served first."""
    asked = []
    for user in users:
        g = user.group
        takes = min(map(sub, user.end[low[g] : high[g] + 1], user.begin[low[g] : high[g] + 1]))
        if takes:
            asked.append((user.begin[low[g]], user.end[high[g]], takes))
    asked.sort()
    now, waiting = 0, list[tuple[int, int]]()
    after = [begin for begin, _, _ in asked[1:]] + [sum([sum(one) for one in asked])]
    for (begin, end, takes), then in zip(asked, after, strict=False):
        now = max(now, begin)
        heappush(waiting, (end, takes))
        while waiting and now < then:
            end, takes = heappop(waiting)
            served = min(takes, then - now)
            now += served
            if now > end:
                return False
            if served < takes:
                heappush(waiting, (end, takes - served))
    return True


def _earliest(found: Intervals, low: Sequence[int], starts: Sequence[int]) -> list[int]:
    """The same order with everything as early as can be. low, starts: per group, the first option that it may take, and
    that it does."""
    at, before = [*low], list[int]()
    while at != before:
        before = [*at]
        for one in found.apart:
            if starts[one.b] > one.high[starts[one.a]]:
                at[one.b] = max(at[one.b], one.high[at[one.a]] + 1)
            else:
                at[one.a] = max(at[one.a], bisect_right(one.low, at[one.b]))
    return at


class _Program:
    """What clingo is told, for ends up to one. clauses: how many there are.  conflicts: of the last call."""

    def __init__(self, found: Intervals, low: list[int], high: list[int]) -> None:
        """low, high: per group, the first and the last option that it may take."""
        self._low, self._last = low, found.last
        self.clauses = self.conflicts = 0
        self._control = control_of(["1"])
        new = new_atoms()
        self._later = [[new() for _ in range(first, end)] for first, end in zip(low, high, strict=True)]
        self._read = array("i", [atom for own in self._later for atom in own])
        self._group = [g for g, own in enumerate(self._later) for _ in own]
        with self._control.backend() as backend:
            writer = RuleWriter(backend, new)
            with writer.together():
                writer.choose(self._read)
                for own in self._later:
                    for atom, then in pairwise(own):
                        writer.forbid([then, -atom])
                for one in with_limit_checks(found.apart, 1):
                    self._keep_apart(one, high, writer)

    def _from(self, g: int, k: int, negated: bool = False) -> list[int] | None:
        """That a group takes option k or a later one, or that it does not, as literals of which all hold; None if that
        cannot be."""
        own, at = self._later[g], k - self._low[g] - 1
        if 0 <= at < len(own):
            return [-own[at] if negated else own[at]]
        return [] if (at < 0) != negated else None

    def _keep_apart(self, one: KeptApart, high: Sequence[int], writer: RuleWriter) -> None:
        """Write what keeps two groups apart: which one is later is an atom, if either may be."""
        a, b, low = one.a, one.b, self._low
        ways: list[list[int]] = [[], []]
        later, earlier = high[b] > one.high[low[a]], low[b] < one.low[high[a]]
        if later and earlier:
            atom = writer.new()
            writer.choose([atom])
            ways = [[atom], [-atom]]
        for k in range(low[a], high[a] + 1):
            if later and (k == low[a] or one.high[k - 1] < one.high[k]):
                self._forbid(writer, ways[0], self._from(a, k), self._from(b, one.high[k] + 1, True))
            if earlier and (k == high[a] or one.low[k] < one.low[k + 1]):
                self._forbid(writer, ways[1], self._from(a, k + 1, True), self._from(b, one.low[k]))

    def _forbid(self, writer: RuleWriter, *bodies: list[int] | None) -> None:
        """Not all of these hold."""
        if None not in bodies:
            self.clauses += 1
            writer.forbid([literal for body in bodies if body for literal in body])

    def call(self, end: int, conflicts: int) -> tuple[bool, list[int]]:
        """Look for an answer that ends up to then. Returns whether the call came to its end, and the option that each
        group takes, if there is an answer."""
        self._control.configuration.solve.solve_limit = f"{conflicts},umax"
        call = SolveCall(
            self._control.solve(assumptions=self._from(self._last, end + 1, True), yield_=True, async_=True)
        )
        starts: list[int] = []
        try:
            call.call.resume()
            while not call.call.wait(LOOK):
                if due():
                    return False, starts
            model = call.call.model()
            if model is not None:
                starts = [*self._low]
                for k in true_atoms(model, self._read):
                    starts[self._group[k]] += 1
            return model is not None or bool(call.call.get().exhausted), starts
        finally:
            call.close()
            self.conflicts = spent(self._control, "conflicts")
