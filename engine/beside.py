"""Finds a minimum that takes long: HiGHS searches beside our own engine, and whichever is first gives the answer.

After `Pace.highs` seconds the question also goes to HiGHS, in a process of its own (outside/process.py), provided that
HiGHS is installed, there is a second processor, and the costs are small enough for HiGHS (plan.py). It takes
totals, but no connections and no loops. From then on

- an answer of HiGHS that is cheaper than ours is checked and given, and our own engine looks only for cheaper ones;
- the reported bound is the higher of the two;
- whichever ends first proves the minimum. The proof may also be shared: the best answer of one, the bound of the other.

HiGHS computes in floating point, within the margins of solvers.py. If it ever contradicts what is certain — if it gives
an answer that is none, or a bound or an end above the cost of a known answer — nothing it says is believed any more.

It is no method that has turns (turns.py): it runs while our own search does, on another processor, and its time is
seconds and not work. What a method has proved stays proved there, whereas what HiGHS says may be taken back.

The minimum is the same whichever finds it. Which of several cheapest answers is given depends on which is first, and so
may differ from run to run. It never differs where HiGHS is not used: before `Pace.highs` seconds; with a seed; with a
limit on nodes or memory; where a number of threads is asked for (`--jobs 1`); where an engine or an estimate is named.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence

from covr.engine import plan
from covr.engine.base.limits import Counters, LimitReached, Limits, Status
from covr.engine.check import check, cost
from covr.engine.outside.process import SolverProcess
from covr.engine.problem import Problem
from covr.engine.search import NO_LIMITS, Answer, Search
from covr.engine.settings import Settings
from covr.engine.turns import Entrant
from covr.engine.witness import hold_end


class HighsBeside(Search):
    """A `Search` for a minimum. `engine` names the one that found the last answer, or proved it the best."""

    def __init__(self, own: Search, limits: Limits) -> None:
        """own: a search for a minimum without limits, not yet begun."""
        super().__init__(own.problem, "minimum", limits, own.settings)
        own.leave_unchecked()
        self._own = own
        self._other: SolverProcess | None = None
        self._asked = False
        self._theirs: int | None = None  # what the cheapest answer of HiGHS costs
        self._bound: int | None = None  # what HiGHS has proved
        self._answers = 0
        self._by_other = False

    @property
    def engine(self) -> str:
        return "HiGHS, as a mixed-integer program, in a process" if self._by_other else self._own.engine

    @property
    def counters(self) -> Counters:
        """Our own work; that of HiGHS is not counted."""
        own = self._own.counters
        return Counters(own.nodes, own.updates, self._answers)

    @property
    def even(self) -> bool:
        return self._own.even

    @property
    def outside(self) -> tuple[str, ...]:
        return ("highs",) if self._other is not None else ()

    def _root_bound(self) -> int | None:
        known = [b for b in (self._own.bound, self._bound) if b is not None]
        if not known:
            return None
        # A search only for answers cheaper than the best may have proved no more than that there is none.
        return max(known) if self._best is None else min(max(known), self._best)

    @property
    def timetable(self) -> Sequence[Entrant]:
        return self._own.timetable

    @property
    def account(self) -> Sequence[tuple[str, int, int]]:
        return self._own.account

    def measure(self) -> float | None:
        return self._own.measure()

    def halt(self) -> None:
        self._own.halt()
        self._dismiss()

    def _lower(self, ceiling: int) -> None:
        self._own.lower_ceiling(ceiling)

    def _dismiss(self) -> None:
        """Stop HiGHS, which is no longer needed."""
        if self._other is not None:
            self._other.stop()
            self._other = None

    def _disbelieve(self) -> None:
        """Stop HiGHS and forget its bound: it contradicts a known answer, or has given one that is none."""
        self._dismiss()
        self._bound = None

    def _advance(self, nodes: int, listing: bool = True) -> None:
        """Do a slice of our own search, then look at what HiGHS has found."""
        if self._ended():
            return
        with self._heeding():
            self._own.step_once(nodes)
            for answer in self._own.waiting():
                self._take(answer, listing, False)
            if self._own.status is Status.EXHAUSTED:
                self._finish(False)
            elif self._own.status is not Status.RUNNING:
                raise LimitReached(self._own.status)
            else:
                self._ask()
                self._receive(listing)
        if self.status is Status.RUNNING and self._answers == self.limits.answers:
            self.status = Status.SOLVED
        if self.status is not Status.RUNNING:
            self._dismiss()

    def _ask(self) -> None:
        """Start HiGHS once it is time."""
        if not self._asked and self.clock.spent >= self.settings.pace.highs:
            self._asked = True
            self._other = SolverProcess(self.problem)
            weakref.finalize(self, self._other.stop)

    def _receive(self, listing: bool) -> None:
        """Take over what HiGHS has found and proved in the meantime."""
        other = self._other
        if other is None:
            return
        over = other.over  # read before the answers: HiGHS reports all of them before it reports its end
        while other.found and self.limits.answers != self._answers:
            answer = tuple(sorted(other.found.popleft()))
            if check(self.problem, answer) is not None:
                self._disbelieve()
                return
            paid = cost(self.problem, answer)
            self._theirs = paid if self._theirs is None else min(paid, self._theirs)
            if self._is_wanted(paid):
                self._take(answer, listing, True)
        proved = self._theirs if over else other.bound
        if self._best is not None and ((over and proved is None) or (proved is not None and proved > self._best)):
            self._disbelieve()
            return
        self._bound = proved
        if self.problem.witness is not None:
            known = None if self._best is None else self._best - 1
            hold_end("HiGHS beside", over, proved, cost(self.problem, self.problem.witness), known, self._lowered,
                     self.settings.ceiling)  # fmt: skip
        if (over and not other.found) or (proved is not None and not self._is_wanted(proved)):
            self._finish(True)
        elif other.failed and not other.found:
            self._dismiss()

    def _is_wanted(self, paid: int) -> bool:
        """Whether an answer of this cost is cheaper than the best so far and no dearer than the ceiling."""
        ceilings = (self.settings.ceiling, self._lowered, None if self._best is None else self._best - 1)
        return all(ceiling is None or paid <= ceiling for ceiling in ceilings)

    def _take(self, answer: Answer, listing: bool, by_other: bool) -> None:
        """Take over a better answer, and note whether HiGHS found it."""
        self._by_other = by_other
        self._answers += 1
        self._keep(answer)
        if by_other:
            self._own.lower_ceiling(cost(self.problem, answer) - 1)
        if not listing:
            self._waiting -= len(self._found.pop())

    def _finish(self, by_other: bool) -> None:
        """End the search: it is proved that nothing is cheaper. by_other: whether HiGHS proved it."""
        self._by_other = by_other
        self.status = Status.EXHAUSTED


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> HighsBeside:
    """Starts the search, as an `Approach` (plan.py)."""
    return HighsBeside(plan.begin(plan.Query(problem, goal, NO_LIMITS, settings, "HiGHS")), limits)
