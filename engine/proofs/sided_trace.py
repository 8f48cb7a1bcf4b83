"""The steps of a search with side conditions: what is decided, what follows from it, and what can't be kept.

The steps are those of the kernel (kernels/sides/_sides.py), which is asked for one decision after another: the same
nodes, the same answers in the same order. At each node an option is taken or left out, and then the other way is tried.
What follows is worked out by items, totals, connections and circuits together; a step names all of it, but not by which
of them it was found.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from covr.engine.base.heed import look
from covr.engine.kernels.loading import load
from covr.engine.prepare.shift import shift
from covr.engine.prepare.sides import side_arrays
from covr.engine.prepare.totals import TotalSums
from covr.engine.problem import MAX_COST, Problem
from covr.engine.proofs.steps import ANSWER, BACK, BROKEN, DEAR, FOLLOWS, GIVEN, LEAVE, TAKE, TraceStep
from covr.engine.search import check_goal
from covr.engine.sides import Circuit, Connection, Total


def sided_steps(problem: Problem, goal: str) -> Iterator[TraceStep]:
    """Yields every step of the search; see `trace` (trace.py). Raises ValueError for an unknown goal."""
    check_goal(goal)
    return _SidedTrace(problem, goal == "minimum").steps()


class _SidedTrace:
    def __init__(self, problem: Problem, minimum: bool) -> None:
        self.problem, self.minimum = problem, minimum
        shifted, self.base = shift(problem)
        self.kernel = load("_sides").Sides(shifted, side_arrays(problem), minimum, minimum, MAX_COST)
        sides, sums = list(enumerate(problem.sides)), TotalSums(problem)
        self.sides = [k for k, side in sides if isinstance(side, Total) for _ in sums.of(side)]
        self.sides += [k for k, side in sides if isinstance(side, Connection)]
        self.sides += [k for k, side in sides if isinstance(side, Circuit)]
        self.level = 0  # how many options are decided

    def steps(self) -> Iterator[TraceStep]:
        look()
        for o in self.problem.given:
            yield TraceStep(GIVEN, 0, option=o)
        alive = self.kernel.restart()
        takes, removes = self._followed(set(self.problem.given))
        if takes or removes:
            yield TraceStep(FOLLOWS, 0, takes=takes, removes=removes)
        if not alive:
            yield self._fault(0)
            return
        # Per decision: the option, the way that is being tried, which of the two that is, what was decided before.
        path: list[tuple[int, bool, int, int]] = []
        option, taken = yield from self._look_ahead(0)
        at, before = 1, self.level
        while True:
            if option >= 0:
                look()
                path.append((option, taken, at, before))
                alive = self.kernel.go(option, taken)
                takes, removes = self._followed({option})
                depth = len(path) - 1
                kind = TAKE if taken else LEAVE
                yield TraceStep(kind, depth, option=option, at=at, of=2, takes=takes, removes=removes)
                if alive:
                    option, taken = yield from self._look_ahead(len(path))
                    at, before = 1, self.level
                    if option >= 0:
                        continue
                else:
                    yield self._fault(len(path))
            if not path:
                return
            option, taken, at, before = path.pop()
            self.kernel.reopen(before)
            self.level = before
            yield TraceStep(BACK, len(path), option=option, at=at, of=2)
            option, taken, at = (option, not taken, 2) if at == 1 else (-1, False, 0)

    def _look_ahead(self, depth: int) -> Generator[TraceStep, None, tuple[int, bool]]:
        """The option to decide next and the way that is tried first; yields the answer and returns -1 if there is
        none."""
        option, _, taken = self.kernel.next_option()
        if option >= 0:
            return option, taken
        given = set(self.problem.given)
        answer = tuple(sorted({o for o, is_taken in self.kernel.decided(0) if is_taken} | given))
        cost = sum(self.problem.costs[o] for o in answer) if self.problem.costs else None
        yield TraceStep(ANSWER, depth, answer=answer, cost=cost)
        if self.minimum:
            self.kernel.lower((cost or 0) - self.base - 1)
        return -1, False

    def _followed(self, named: set[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The options that were found to be taken, and those found to be left out, since it was asked last, apart from
        those that a step names."""
        decided = self.kernel.decided(self.level)
        self.level += len(decided)
        found = [(o, taken) for o, taken in decided if o not in named]
        return tuple(o for o, taken in found if taken), tuple(sorted(o for o, taken in found if not taken))

    def _fault(self, depth: int) -> TraceStep:
        item, side = self.kernel.fault()
        if side == -2:
            return TraceStep(DEAR, depth)
        return TraceStep(BROKEN, depth, item=None if item < 0 else item, side=None if side < 0 else self.sides[side])
