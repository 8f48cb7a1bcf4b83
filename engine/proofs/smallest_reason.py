"""A smallest set of conditions that forces one of several choices: implicit hitting sets with a common bound.

A counterexample to a choice (decide.py) fails some conditions: its *row*. A set of conditions forces the choice exactly
if it hits every row of the choice: a set that misses one is met by that counterexample. So a minimum cover of the rows
known so far is a lower bound. If the cover forces the choice, it is a smallest such set; if not, there is a new row.

Choices are compared, and only the best is wanted: a choice is put aside as soon as its rows need as many conditions as
the smallest set found so far for any choice. Mostly disjoint rows show that, without a search. Counterexamples differ
little from the truth, and each of them serves many choices: every option that it flips. They stay valid while more
becomes known, as long as it does not concern these options.

Source: implicit hitting sets, as in Chandrasekaran, Karp, Moreno-Centeno and Vempala (SODA 2011), and for smallest
unsatisfiable sets Ignatiev, Previti, Liffiton and Marques-Silva (CP 2015), who cover the rows of one formula. The bound
that all choices share is from Gamba, Bogaerts and Guns (JAIR 2023). The minimum covers are found by our own search.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence, Set
from contextlib import suppress

from covr.engine.base.limits import BRIEF, ENDLESS, Limits, Status
from covr.engine.dispatch import search
from covr.engine.problem import build
from covr.engine.proofs.decide import Counterexample, Decider, Forced, Spent

DEEPER = (1, 3, 8, 30, 200)  # assumptions per choice when all conditions together are tried, turn by turn
NEAR = 60  # assumptions per choice when a total and the items near it are tried
FEW = 5  # conditions: a reason with fewer is not looked for near totals
ENOUGH = 12  # reasons that are enough, from the third turn on
COVERING = 100, 10  # units of work that such a search costs, and each of its nodes
ROW = 4  # conditions in rows that are looked at for a unit of work
PROVABLE = 12  # conditions: that there is no smaller reason than a larger one is not tried to prove
MOST_ROWS = 60  # rows of one choice that are covered, at most: the shortest
SHARE = 0.5  # how much of the work may go into finding small sets, before it is tried to prove the best one smallest


class RowStore:
    """The counterexamples seen so far, of which each serves every option that it flips."""

    def __init__(self) -> None:
        self._of: dict[int, list[tuple[frozenset[int], frozenset[int]]]] = {}

    def add(self, flips: frozenset[int], violated: frozenset[int]) -> None:
        """Keep a counterexample. violated: the conditions that it does not meet."""
        for o in flips:
            self._of.setdefault(o, []).append((flips, violated))

    def of(self, option: int) -> list[frozenset[int]]:
        """The rows of an option, none of which contains another, the shortest first."""
        found: list[frozenset[int]] = []
        for row in sorted({row for _, row in self._of.get(option, ())}, key=lambda r: (len(r), sorted(r))):
            if not any(shorter <= row for shorter in found):
                found.append(row)
        return found[:MOST_ROWS]

    def refutes(self, option: int, conditions: Set[int]) -> bool:
        """Whether a counterexample is known that meets these conditions."""
        return any(row.isdisjoint(conditions) for _, row in self._of.get(option, ()))

    def forget(self, known: Set[int]) -> None:
        """Drop the counterexamples that flip one of these options, whose values are known now."""
        self._of = {
            o: [kept for kept in here if known.isdisjoint(kept[0])] for o, here in self._of.items() if o not in known
        }


class SmallestReason:
    """The smallest reason for any of several choices.

    option, reason: the choice and the conditions that force it, or None as long as none were found.
    proved: whether no choice has a smaller reason.  reasons: per option, the smallest reason found for it.
    """

    def __init__(
        self,
        decider: Decider,
        rows: RowStore,
        reasons: dict[int, frozenset[int]],
        options: Sequence[int],
        least: int,
    ) -> None:
        """reasons: reasons that are known already; added to.  options: the choices, all forced by all conditions
        together.  least: no reason has fewer conditions than this."""
        self.decider, self.rows, self.reasons = decider, rows, reasons
        self.options, self.least = options, least
        self.option: int | None = None
        self.reason: frozenset[int] = frozenset()
        self.proved = False
        self._small: set[int] = set()  # options whose reasons can't be made smaller by leaving out one condition

    def find(self, work: int) -> None:
        """Search. work: in units of the decider, about. One reason is found all the same, whatever it takes. Raises
        Spent only if the decider is stopped before."""
        begin = self.decider.work
        self.decider.most = begin + int(work * SHARE)
        with suppress(Spent):
            self._all()
        if self.option is None:
            self._any(work)
            self.proved = self._size <= self.least
            return
        self.decider.most = max(begin + work, self.decider.work)
        with suppress(Spent):
            if self._size > PROVABLE:
                self._shrink_best()
            self.proved = self._size <= PROVABLE and self._prove()
        self.proved = self.proved or self._size <= self.least

    @property
    def _size(self) -> int:
        return len(self.reason) if self.option is not None else 1 << 30

    def _note(self, option: int, reason: frozenset[int]) -> None:
        known = self.reasons.get(option)
        if known is None or len(reason) < len(known):
            self.reasons[option] = reason
            self._small.discard(option)
        if len(reason) < self._size:
            self.option, self.reason = option, reason

    # --- small sets ---

    def _all(self) -> None:
        """A reason for every choice for which a short argument gives one, or for some that need longer arguments; then
        smaller ones for the most promising."""
        for number, cases in enumerate(DEEPER):
            found = self._argue(cases, len(self.options) if number < 2 else ENOUGH)
            if not number:
                found = self._argue_near_totals() or found
            if found:
                break
        self._shrink_best()

    def _argue_near_totals(self) -> bool:
        """Look for reasons among each total and the items that share options with it, for the options in it: that is
        how people add up. Smaller than what all conditions together give, and sooner found. Returns whether there is
        any reason."""
        ground, decider = self.decider.ground, self.decider
        wanted = set(self.options)
        end = decider.work + (decider.most - decider.work) // 2
        enough = ENOUGH
        for c in sorted(ground.terms, key=lambda c: (len(ground.members[c]), c)):
            near = {c}.union(d for o in ground.members[c] for d in ground.of[o] if d not in ground.terms)
            for o in ground.members[c]:
                if not enough or decider.work > end:
                    break
                known = self.reasons.get(o)
                if o not in wanted or (known and len(known) < FEW) or self.rows.refutes(o, near):
                    continue
                found = self._ask(near, o, NEAR)
                if isinstance(found, Forced) and (known is None or len(found.conditions) < len(known)):
                    self.reasons[o] = found.conditions
                    self._small.discard(o)
                    enough = 0 if len(found.conditions) <= self.least else enough - 1
        return not wanted.isdisjoint(self.reasons)

    def _argue(self, cases: int, enough: int) -> bool:
        """Look for reasons among all conditions, for at most so many choices. Returns whether there is any.

        Options that no answer takes come first: more follows from taking them than from leaving out others."""
        found = len(self.reasons.keys() & set(self.options))
        for o in sorted(self.options, key=lambda o: o in self.decider.truth):
            if found >= enough:
                break
            if o not in self.reasons:
                forced = self.decider.decide(None, o, cases)
                if isinstance(forced, Forced):
                    self.reasons[o] = forced.conditions
                    found += 1
        return found > 0

    def _any(self, work: int) -> None:
        """A reason for some choice, whatever work that takes, where `find` found none; then a smaller one, with so much
        work. Raises Spent only if the decider is stopped."""
        self.decider.most = ENDLESS
        if not any(o in self.reasons for o in self.options):
            for cases in (*DEEPER[-1:], ENDLESS):
                if self._argue(cases, 1):
                    break
        for o in self.options:
            if o in self.reasons:
                self._note(o, self.reasons[o])
        self.decider.most = self.decider.work + work
        with suppress(Spent):
            self._shrink_best()

    def _shrink_best(self) -> None:
        waiting = sorted((o for o in self.options if o in self.reasons), key=lambda o: (len(self.reasons[o]), o))
        for o in waiting:
            self._note(o, self.reasons[o])
        for o in waiting:
            if len(self.reasons[o]) > 2 * self._size + 2 or self._size <= self.least:
                break
            self._shrink(o)

    def _shrink(self, option: int) -> None:
        """Leave out conditions of a reason one by one, as long as the others suffice."""
        if option in self._small:
            return
        reason = self.reasons[option]
        for c in sorted(reason):
            if c in reason:
                found = self._ask(reason - {c}, option)
                if isinstance(found, Forced):
                    reason = found.conditions
                    self._note(option, reason)
        self._small.add(option)

    def _ask(self, conditions: Set[int], option: int, cases: int = BRIEF) -> Forced | frozenset[int] | None:
        """Whether conditions force a choice; if not, the row of a counterexample, which is kept."""
        found = self.decider.decide(conditions, option, cases)
        if not isinstance(found, Counterexample):
            return found
        row = self.decider.violated(found.flips)
        self.rows.add(found.flips, row)
        return row

    # --- proofs ---

    def _prove(self) -> bool:
        """Find a smaller reason for some choice, or prove that there is none. False if a question stayed open."""
        sure = True
        for o in sorted(self.options, key=lambda o: (len(self.reasons.get(o, ())) or 1 << 30, o)):
            if self._size <= self.least:
                return True
            sure = self._rule_out(o) and sure
        return sure

    def _rule_out(self, option: int) -> bool:
        """Find the smallest reason for a choice, unless it is no smaller than the best one so far. False if that stayed
        open."""
        rows = self.rows.of(option)
        way: Callable[[Sequence[frozenset[int]]], list[frozenset[int]] | None] = _apart
        while True:
            self.decider.work += sum(map(len, rows)) // ROW
            tried = way(rows)
            if tried is None:
                return False
            if len(tried) >= self._size and way is _greedy:
                way = self._least_cover
                continue
            if len(tried) >= self._size:
                return True
            found = self._ask(frozenset().union(*tried), option)
            if found is None:
                return False
            if not isinstance(found, Forced):
                _insert(rows, found)
                continue
            self._note(option, found.conditions)
            if way == self._least_cover:
                return True
            if len(found.conditions) <= 2 * self._size:
                self._shrink(option)
            way = _greedy if way is _apart else self._least_cover

    def _least_cover(self, rows: Sequence[frozenset[int]]) -> list[frozenset[int]] | None:
        """As few conditions as possible that hit every row, each as a set; None if `BRIEF` did not suffice."""
        if not rows:
            return []
        at: dict[int, list[int]] = {}
        for n, row in enumerate(rows):
            for c in sorted(row):
                at.setdefault(c, []).append(n)
        names = sorted(at)
        problem = build([(1, len(names))] * len(rows), [at[c] for c in names], costs=[1] * len(names))
        run = search(problem, goal="minimum", limits=Limits(nodes=BRIEF))
        best = next(iter(deque(run, maxlen=1)), None)
        self.decider.work += COVERING[0] + COVERING[1] * run.counters.nodes
        if best is None or run.status is not Status.EXHAUSTED:
            return None
        return [frozenset((names[o],)) for o in best]


def _insert(rows: list[frozenset[int]], row: frozenset[int]) -> None:
    """Add a row, in the order of `RowStore.of`; rows that contain it are dropped."""
    rows[:] = [other for other in rows if not row <= other]
    rows.insert(next((n for n, other in enumerate(rows) if len(other) >= len(row)), len(rows)), row)


def _apart(rows: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Rows that have no condition in common, chosen greedily, the first first: each needs a condition of its own."""
    found: list[frozenset[int]] = []
    used: set[int] = set()
    for row in rows:
        if used.isdisjoint(row):
            found.append(row)
            used |= row
    return found


def _greedy(rows: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Conditions that hit every row, each as a set: again and again the one in most rows not hit yet."""
    left = list(rows)
    found = []
    while left:
        counts: dict[int, int] = {}
        for row in left:
            for c in row:
                counts[c] = counts.get(c, 0) + 1
        best = min(counts, key=lambda c: (-counts[c], c))
        found.append(frozenset((best,)))
        left = [row for row in left if best not in row]
    return found
