"""A path to the answer in steps that a person could take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from math import inf as INFINITY

from covr.engine.base.limits import BRIEF
from covr.engine.prepare.bitsets import few_members_of
from covr.engine.problem import Circuit, Problem, Total
from covr.engine.proofs.decide import Decider, Forced, Ground, Spent, struck
from covr.engine.proofs.smallest_reason import RowStore, SmallestReason
from covr.frozen import frozen

# --- implied ---------------------------------------------------------------------------------------------------------
# Conditions that a circuit implies: a total says of a vertex that none or two of its options are taken.
#
# A model may say so of each vertex beside the loop itself, so that searches see more. A person who argues with the loop
# has said it already, so where both would be in a reason, the loop is enough.


def implied_by_circuits(problem: Problem) -> dict[int, int]:
    """Totals (as `items + k`) that a circuit implies, and that circuit. Time linear in the sides."""
    found: dict[int, int] = {}
    at: dict[frozenset[int], int] = {}  # the options at a vertex → the circuit
    for k, side in enumerate(problem.sides):
        if isinstance(side, Circuit):
            here: dict[int, set[int]] = {}
            for o, u, v in side.ends:
                for w in (u, v):
                    here.setdefault(w, set()).add(o)
            rounds = {u for _, u, v in side.ends if u == v}
            at.update((frozenset(options), problem.items + k) for w, options in here.items() if w not in rounds)
    for k, side in enumerate(problem.sides if at else ()):
        if isinstance(side, Total) and all(n == 1 for _, n in side.terms):
            circuit = at.get(frozenset(o for o, _ in side.terms))
            if circuit is not None and all(any(low <= n <= high for low, high in side.sums) for n in (0, 2)):
                found[problem.items + k] = circuit
    return found


# --- total pairs -----------------------------------------------------------------------------------------------------
# What a total forces together with one item, or with another total: every sum that can occur is tried.
#
# Sets of sums are whole numbers in which bit s stands for the sum s, shifted so that the least sum is bit 0. Going
# through the members forwards gives the sums that those before a member can reach, and going backwards those that those
# after it may still use. A member can have a value if the two meet. So a pair takes time linear in its members, for the
# width of its sums in words.
#
# Items in which at most one option may still be taken are looked at, and totals that count every option they share
# alike. With these, whether any two conditions force something is known for sure.


BITS = 1 << 28  # bits that all pairs together may shift; about a tenth of a second

Values = list[tuple[int, bool]]
Terms = list[tuple[int, int]]


class TotalPairs:
    """What each pair of a total and another condition forces. Iterate to get the pairs that force anything.

    sure: whether nothing is missed: after iterating, false if there were conditions that are not looked at."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self.sure = not ground.shades and not ground.shapes
        self._spent = 0

    def __iter__(self) -> Iterator[tuple[int, int, Values]]:
        """Pairs of conditions, increasing, with the values that they force. Conditions must force nothing alone."""
        ground = self._ground
        for c in sorted(ground.terms):
            near = {d for o in ground.members[c] for d in ground.of[o] if d != c}
            for d in sorted(near):
                if d in ground.shades or d in ground.shapes or (d in ground.terms and d < c):
                    continue
                if not self._pays(c, d) or (d in ground.low and ground.high[d] > 1):
                    self.sure = False
                    continue
                found = self._with_total(c, d) if d in ground.terms else self._with_item(c, d)
                if found:
                    yield min(c, d), max(c, d), found

    def _pays(self, c: int, d: int) -> bool:
        """Whether there is work left for a pair."""
        ground = self._ground
        for k in (c, d):
            if k in ground.terms:
                least, most = ground.spans[k]
                self._spent += (most - least + 1) * 4 * len(ground.terms[k])
        return self._spent <= BITS

    def _with_item(self, c: int, i: int) -> Values:
        ground = self._ground
        here, low = ground.members[i], ground.low[i]
        terms, wanted = ground.terms[c], _wanted(ground, c)
        least, most = ground.spans[c]
        shared = [o for o in here if o in terms]
        beside = [o for o in here if o not in terms]
        rest = [(o, n) for o, n in terms.items() if o not in shared]
        sums = _reached(rest, least, most)
        none = wanted if beside or not low else 0  # sums of the rest, if no shared option is taken
        ways = {o: _moved(wanted, -terms[o], least, most) for o in shared}
        able = [o for o in shared if sums & ways[o]]
        found = [(o, False) for o in shared if o not in able]
        if not sums & none:
            found += [(o, False) for o in beside]
            if len(able) == 1:
                found.append((able[0], True))
        elif not able and low and len(beside) == 1:
            found.append((beside[0], True))
        target = none
        for o in shared:
            target |= ways[o]
        return found + _forced(rest, target, least, most)

    def _with_total(self, c: int, d: int) -> Values:
        ground = self._ground
        one, other = ground.terms[c], ground.terms[d]
        shared = [(o, n) for o, n in one.items() if o in other]
        if any(other[o] != n for o, n in shared):
            self.sure = False
            return []
        least, most = _span(shared)
        allowed = (1 << (most - least + 1)) - 1
        for k in (c, d):
            allowed &= self._left_for(k, dict(shared), least)
        found = _forced(shared, allowed, least, most)
        sums = [s + least for s in few_members_of(_reached(shared, least, most) & allowed)]
        for k in (c, d):
            span, wanted = ground.spans[k], _wanted(ground, k)
            target = 0
            for s in sums:
                target |= _moved(wanted, -s, *span)
            found += _forced([(o, n) for o, n in ground.terms[k].items() if o not in dict(shared)], target, *span)
        return found

    def _left_for(self, c: int, shared: dict[int, int], least: int) -> int:
        """The sums of some members of a total with which the others can meet it; bit 0 is the sum `least`."""
        ground = self._ground
        span = ground.spans[c]
        able = _wanted(ground, c)
        for o, n in ground.terms[c].items():
            if o not in shared:
                able |= _moved(able, -n, *span)
        return able >> (least - span[0])


def _wanted(ground: Ground, c: int) -> int:
    """The sums that a total allows."""
    least, most = ground.spans[c]
    found = 0
    for low, high in ground.sums[c]:
        low, high = max(low - least, 0), min(high, most) - least
        found |= (1 << max(high + 1, low)) - (1 << low)
    return found


def _span(terms: Terms) -> tuple[int, int]:
    return sum(min(n, 0) for _, n in terms), sum(max(n, 0) for _, n in terms)


def _moved(sums: int, by: int, least: int, most: int) -> int:
    """Sums with a number added; those that leave the range are dropped."""
    return (sums << by) & ((1 << (most - least + 1)) - 1) if by > 0 else sums >> -by


def _reached(terms: Iterable[tuple[int, int]], least: int, most: int) -> int:
    """The sums of all sets of these members."""
    sums = 1 << -least
    for _, n in terms:
        sums |= _moved(sums, n, least, most)
    return sums


def _forced(terms: Sequence[tuple[int, int]], target: int, least: int, most: int) -> Values:
    """The values of members that follow if their sum must be in the target, which some sum is."""
    after = [target]  # per member, from the last: the sums of those up to it, with it, that those after it complete
    for _, n in reversed(terms):
        after.append(after[-1] | _moved(after[-1], -n, least, most))
    after.pop()
    before = 1 << -least
    found = []
    for o, n in terms:
        complete = after.pop()
        with_it = _moved(before, n, least, most)
        if not with_it & complete:
            found.append((o, False))
        elif not before & complete:
            found.append((o, True))
        before |= with_it
    return found


# --- way -------------------------------------------------------------------------------------------------------------
# A path to the answer in steps that a person could take: what follows next, and from how few conditions.
#
# What all answers agree on is worked out first (engine/puzzles/candidates.py). The steps lead there from what is given,
# each from what is known before it:
#
# - *Striking* is free. Whenever a taken option leaves no room in an item, the other options of that item are out. This
#   is what people do with pencil marks, and no step is counted for it.
# - A *step* takes options, or rules them out, and names its *reason*: the conditions (items and sides) that force this,
#   together with what is known. Its size is the number of conditions. What is known is free: a person sees it.
# - All conclusions of size 1 are one step. If there are none, the next step is a smallest reason for any option whose
#   value can be known, with everything else that the same conditions force.
#
# Sizes 1 and 2 of items without colours, and of totals (way.py), and size 1 of connections and circuits
# (shapes.py), are found by looking at every condition and every two that meet. Beyond that, smallest_reason.py
# searches; if its work is not enough to prove a reason smallest, the step says so.


WORK = 100_000  # units of work (see Decider) for one step, about: half a second
EXTENT = 20_000  # units of work in which further conclusions of a reason are looked for


@frozen
class Reason:
    """Conditions, and the options that they force together with what is known.

    conditions: items, and sides as `items + k`, increasing.  taken, out: the options, increasing."""

    conditions: tuple[int, ...]
    taken: tuple[int, ...]
    out: tuple[int, ...]


@frozen
class WayStep:
    """A step. reasons: one; at size 1, one or more.  size: the conditions of each reason.
    proved: whether it is proved that no reason for anything new has fewer conditions.
    before_taken, before_out: what was known before.  struck: options that are out for free after it.
    """

    reasons: tuple[Reason, ...]
    size: int
    proved: bool
    before_taken: frozenset[int]
    before_out: frozenset[int]
    struck: tuple[int, ...]


class Steps:
    """The steps from what is given to all that follows. Iterate to get them.

    taken, out: what is known so far.  finished: whether everything that follows is known.  work: so far.
    """

    def __init__(
        self,
        problem: Problem,
        answer: Sequence[int],
        forced: Set[int],
        excluded: Set[int],
        work: int = WORK,
        stopped: Callable[[], bool] = lambda: False,
        most: float = INFINITY,
    ) -> None:
        """problem: validated.  answer: any answer.  forced, excluded: the options that all
        answers hold, and those that none holds.  work: units of work (see Decider) for each step, about.
        stopped: says whether to stop early.  most: end as soon as it is clear that the next step is larger than
        this; it is not always found out."""
        self.problem = problem
        self.answer = frozenset(answer)
        self.targets = frozenset(forced) | frozenset(excluded)
        self.taken = set(problem.given)
        self.out: set[int] = set()
        self.work = 0
        self._each = work
        self._stopped = stopped
        self._most = most
        self._implied = implied_by_circuits(problem)
        self._rows = RowStore()
        self._reasons: dict[int, frozenset[int]] = {}
        self.struck = self._strike()

    @property
    def finished(self) -> bool:
        """Whether everything that follows is known."""
        return self.targets <= self.taken | self.out

    def __iter__(self) -> Iterator[WayStep]:
        """The steps. Ends early if `stopped` says so, or `most` was exceeded: then `finished` is false."""
        while not self.finished and not self._stopped():
            ground = Ground(self.problem, self.taken, self.out)
            found, sure = _ones(ground)
            proved, size, least = True, 1, 1
            if not found:
                found, known = _best_pair(ground)
                size, proved = 2, sure
                # A reason has at least so many conditions.
                least = 3 if sure and known else 1
            if not found and self._most < least:
                return
            if not found:
                reason, proved = self._smallest(ground, least)
                if reason is None:
                    return
                found, size = [reason], len(reason.conditions)
            yield self._take(tuple(found), size, proved)

    def _take(self, reasons: tuple[Reason, ...], size: int, proved: bool) -> WayStep:
        before = frozenset(self.taken), frozenset(self.out)
        for reason in reasons:
            assert self.answer.issuperset(reason.taken) and self.answer.isdisjoint(reason.out), "a wrong step"
            self.taken.update(reason.taken)
            self.out.update(reason.out)
        gone = self._strike()
        new = (self.taken - before[0]) | (self.out - before[1])
        self._rows.forget(new)
        for o in new:
            self._reasons.pop(o, None)
        return WayStep(reasons, size, proved, *before, gone)

    def _strike(self) -> tuple[int, ...]:
        gone = struck(self.problem, self.taken) - self.out
        self.out |= gone
        return tuple(sorted(gone))

    def _smallest(self, ground: Ground, least: int) -> tuple[Reason | None, bool]:
        """A smallest reason, and whether that is proved; None if none was found within the work."""
        decider = Decider(ground, self.answer, self._stopped, self._implied)
        alive = ground.members.keys()
        self._reasons = {o: reason & alive for o, reason in self._reasons.items()}
        options = [o for o in ground.open if o in self.targets]
        finding = SmallestReason(decider, self._rows, self._reasons, options, least)
        with suppress(Spent):
            finding.find(self._each)
        self.work += decider.work
        if finding.option is None:
            return None, False
        return self._extent(decider, finding.reason, finding.option), finding.proved

    def _extent(self, decider: Decider, conditions: frozenset[int], option: int) -> Reason:
        """A reason with everything that it forces."""
        ground = decider.ground
        near = sorted({o for c in conditions for o in ground.members[c] if o in self.targets and o != option})
        forced = [option]
        decider.most = decider.work + EXTENT
        try:
            for o in near:
                if isinstance(decider.decide(conditions, o, BRIEF), Forced):
                    forced.append(o)
        except Spent:
            pass
        return self._reason(conditions, forced)

    def _reason(self, conditions: frozenset[int], forced: Sequence[int]) -> Reason:
        taken = tuple(sorted(o for o in forced if o in self.answer))
        out = tuple(sorted(o for o in forced if o not in self.answer))
        return Reason(tuple(sorted(conditions)), taken, out)


def _ones(ground: Ground) -> tuple[list[Reason], bool]:
    """All reasons of one condition, and whether they are sure to be all: for very large totals, only their smallest and
    largest sums are compared, and of connections and circuits less may be found than follows (shapes.py). An option
    that several conditions force is a conclusion of the first of them."""
    found = []
    sure = True
    seen: set[int] = set()
    for c, here in sorted(ground.members.items()):
        if c in ground.terms:
            every = ground.forced_by_total(c)
            sure = sure and every is not None
            values = ground.narrowed(c, ground.spans[c], {}) or [] if every is None else every
        elif c in ground.shapes:
            sure = sure and ground.shapes[c].complete
            values = ground.shapes[c].forces({}) or []
        elif c in ground.shades:
            continue
        elif ground.high[c] == 0:
            values = [(o, False) for o in here]
        elif ground.low[c] == len(here):
            values = [(o, True) for o in here]
        else:
            continue
        new = [(o, v) for o, v in values if o not in seen]
        if new:
            seen.update(o for o, _ in new)
            taken, out = (tuple(sorted(o for o, v in new if v == wanted)) for wanted in (True, False))
            found.append(Reason((c,), taken, out))
    return found, sure


def _best_pair(ground: Ground) -> tuple[list[Reason], bool]:
    """The two conditions without colours that force most together: options taken count first; the lowest on ties. At
    most one reason; and whether it is known that no other two conditions force more, or anything: connections and
    circuits are not looked at here."""
    best: tuple[tuple[int, int, int, int], Reason] | None = None

    def weigh(c: int, d: int, taken: Set[int], out: Set[int]) -> None:
        nonlocal best
        rank = (-len(taken), -len(out), c, d)
        if (taken or out) and (best is None or rank < best[0]):
            best = rank, Reason((c, d), tuple(sorted(taken)), tuple(sorted(out)))

    sets = {c: frozenset(here) for c, here in ground.members.items() if c in ground.low and c not in ground.shades}
    for c, here in sets.items():
        for d in sorted({d for o in here for d in ground.of[o] if d > c and d in sets}):
            weigh(c, d, *_forced_by_two(ground, c, d, here, sets[d]))
    pairs = TotalPairs(ground)
    for c, d, values in pairs:
        weigh(c, d, {o for o, v in values if v}, {o for o, v in values if not v})
    return [] if best is None else [best[1]], pairs.sure


def _forced_by_two(
    ground: Ground, c: int, d: int, one: frozenset[int], other: frozenset[int]
) -> tuple[frozenset[int], frozenset[int]]:
    """What two items force, by how many may be taken of the options in both, in the first only, in the second only."""
    both = one & other
    parts = both, one - both, other - both
    able: tuple[list[int], list[int], list[int]] = [], [], []
    for n in range(len(both) + 1):
        ranges = []
        for i, part in ((c, parts[1]), (d, parts[2])):
            ranges.append((max(ground.low[i] - n, 0), min(ground.high[i] - n, len(part))))
        if all(low <= high for low, high in ranges):
            able[0].append(n)
            able[1].extend(ranges[0])
            able[2].extend(ranges[1])
    taken = [part for part, counts in zip(parts, able, strict=True) if part and min(counts) == len(part)]
    out = [part for part, counts in zip(parts, able, strict=True) if part and max(counts) == 0]
    return frozenset().union(*taken), frozenset().union(*out)
