"""clingo beside other methods that look for the cheapest answer (minimum/mixed.py).

It proves bounds by unsatisfiable cores, which are lost at the end of a call; only what it has learned is kept. So each
call is twice as long as all before, and begins only once the others have worked for as long as it may take: no question
takes much more than twice as long because of it. Calls count conflicts, never seconds.

Measured, CPU: the fewest squares of 6 by 6 that hang together and are beside all others, 14, are proved in 0.2 s of
calls; the linear programs alone took 11 s. Linear programs are ahead where costs differ: round trips of 15 and 25
towns, which they prove in 0.1 s, clingo does not prove in 12. A conflict takes 6 to 35 µs, and 40 to 880 where many
costs differ that are not spread so far that cores begin with the large ones (clingo.py); its bounds are far off either
way. With conflicts counted as longer there, 40 shops of 15 depots are proved in 1.1 s instead of 1.5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from covr.engine.base.extras import Unsuited
from covr.engine.kernel_search import SearchKernel
from covr.engine.method import Method
from covr.engine.problem import Problem

if TYPE_CHECKING:
    from covr.engine.outside.clingo import ClingoSearch

CALLED = 2000  # conflicts of the first call
CONFLICT = 20_000  # work of a conflict, in nanoseconds
FEW = 24  # different costs that add nothing to that
PER_COST = 2000  # what each further one adds, in nanoseconds, as cores split the costs again and again


class Learner:
    """clingo as a method that is made when its first turn comes. able: whether it can hold the problem; true until that
    is tried.  problem: what it will be given; another one that has the same minimum may take its place before."""

    def __init__(self, problem: Problem, whole: Callable[[Sequence[int]], tuple[int, ...]]) -> None:
        """whole: turns options of the problem, apart from those given, into an answer in the caller's numbers."""
        self.able = True
        self.problem, self._whole = problem, whole
        self._conflict = CONFLICT + PER_COST * max(len(set(problem.costs)) - FEW, 0)
        self._search: ClingoSearch | None = None
        self._method: Method | None = None

    def due(self, work: int) -> bool:
        """Whether it is time for a turn. work: of the others, in nanoseconds."""
        return self.able and self._conflict * self._called() <= work

    def method(self) -> Method | None:
        """The method; None if clingo is not installed, or can't hold the costs or a total."""
        if self._method is None and self.able:
            from covr.engine.outside.clingo import ClingoSearch  # most searches end before its first turn

            try:
                search = self._search = ClingoSearch(self.problem, "minimum")
            except Unsuited:
                self.able = False
                return None
            kernel, given = SearchKernel(search), frozenset(self.problem.given)

            def calls() -> int:
                search.called = self._called()
                return search.called

            self._method = Method(
                "clingo", kernel, kernel.run, lambda: self._whole([o for o in kernel.whole() if o not in given]),
                lambda: search.bound, lower=search.lower_ceiling, node=self._conflict, slice=calls,
            )  # fmt: skip
        return self._method

    def stop(self) -> None:
        """End the call, if there is one."""
        if self._search is not None:
            self._search.halt()

    def _called(self) -> int:
        """The conflicts of the next call."""
        return CALLED if self._search is None else max(CALLED, self._search.counters.nodes)
