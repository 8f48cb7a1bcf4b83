"""HiGHS that stands still between its turns, so that it can take turns with our own searches on one thread.

It runs in a thread of its own and counts its work in its callbacks. Once it has done as much as was granted, the
callback waits for the next turn. So nothing is computed twice, as restarts would, and where a turn ends depends on the
problem alone: work is counted in callbacks, never in seconds. While HiGHS computes, nothing else runs, except that
whoever granted the turn looks at the limits and at Ctrl-C (`wait`).

First it solves the linear program alone (`relaxed`), and stands still when that is done: many programs end there
(minimum/integer_program.py). Then it searches.

In the linear program a callback is an iteration. In the search, HiGHS 1.15 does not say how many iterations it has
done; a callback comes between linear programs, after some tens of iterations (29 on set partitioning of 100 rows), but
none while it searches a smaller problem to find an answer. So a turn may be longer than granted, by seconds.
"""

from __future__ import annotations

from threading import Condition
from typing import TYPE_CHECKING, Any

from covr.engine.base.heed import look
from covr.engine.outside.highs import Highs
from covr.engine.outside.solver_rows import SolverRow
from covr.engine.outside.solvers import TURN, Running, allowed
from covr.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covr.engine.outside.solvers import Report

PER_LINE = 8  # work of an iteration of the simplex method, in nanoseconds, per row and column
BETWEEN = 50  # iterations that a callback of the search counts as


@frozen(eq=False)
class Relaxed:
    """What the linear program has come to. values: of the variables; empty if it was not solved.  prices: per row.
    ray: per row, the prices that prove that there is no answer; empty if there may be one."""

    values: Sequence[float] = ()
    prices: Sequence[float] = ()
    ray: Sequence[float] = ()


class PausedHighs(Highs):
    """HiGHS, standing still until it is granted work. work: what it has done, in nanoseconds (engine/method.py)."""

    def __init__(self, costs: list[int], found: list[SolverRow]) -> None:
        super().__init__(costs, found)
        self.work = 0
        self.relaxed: Relaxed | None = None
        self._iteration = PER_LINE * (len(costs) + len(found))
        self._granted = 0
        self._stands = self._ended = False
        self._turn = Condition()
        self._running: Running | None = None

    @property
    def report(self) -> Report | None:
        """What it has reported; None before its first turn."""
        return None if self._running is None else self._running.report

    def grant(self, work: int) -> None:
        """Let it do so much more work."""
        with self._turn:
            self._granted = self.work + work
            self._stands = False
            self._turn.notify_all()
        if self._running is None:
            self.end_within(allowed())
            self._running = Running(self)

    def wait(self) -> None:
        """Wait until its turn is over. Raises Stopped at a limit; HiGHS then goes on until it notices that it is to
        stop."""
        assert self._running is not None
        with self._turn:
            while not (self._stands or self._ended):
                self._turn.wait(TURN)
                look()
        while self._ended and not self._running.report.over:
            self._running.report.wait(TURN)

    def stop(self) -> None:
        """Ask it to stop, without waiting until it has stopped."""
        if self._running is not None:
            self._running.stop()

    def cancel(self) -> None:
        """Wake it, so that it notices `report.stopped`."""
        with self._turn:
            self._turn.notify_all()

    def solve(self, report: Report) -> None:
        """Both programs, in the thread."""
        try:
            if not self._empty:
                self._listen(report)
                self._relax(report)
            if not report.stopped:
                super().solve(report)
        finally:
            with self._turn:
                self._ended = True
                self._turn.notify_all()

    def _listen(self, report: Report) -> None:
        solver = self._solver

        def step(event: Any) -> None:
            self.work += self._iteration
            self._pause(report)
            if report.stopped:
                event.interrupt()

        def count(event: Any) -> None:
            self.work += BETWEEN * self._iteration
            self._pause(report)
            if report.stopped:
                event.interrupt()

        solver.cbSimplexInterrupt += step
        solver.cbMipInterrupt += count

    def _relax(self, report: Report) -> None:
        """Solve the linear program, and stand still."""
        solver, kinds = self._solver, self._highspy.HighsModelStatus
        solver.setOptionValue("solve_relaxation", True)
        solver.run()
        status = solver.getModelStatus()
        found = Relaxed()
        if status == kinds.kOptimal:
            solution = solver.getSolution()
            found = Relaxed([*solution.col_value], [*solution.row_dual])
        elif status == kinds.kInfeasible and not report.stopped:
            found = Relaxed(ray=self._ray())
        self.relaxed = found
        solver.setOptionValue("solve_relaxation", False)
        # With these values in hand HiGHS would begin with a smaller program, in which those that are whole are fixed,
        # and report the bounds of that one in the same callbacks.
        solver.clearSolver()
        self._granted = 0
        self._pause(report)

    def _ray(self) -> list[float]:
        """Prices of the rows that prove that there is no answer; empty if HiGHS has none. Presolve may have shown that
        there is none, so it is solved again without that."""
        solver = self._solver
        _, has = solver.getDualRayExist()
        if not has:
            solver.setOptionValue("presolve", "off")
            solver.run()
            solver.setOptionValue("presolve", "choose")
        _, has, ray = solver.getDualRay()
        return [*ray] if has else []

    def _pause(self, report: Report) -> None:
        """Stand still if the turn is over."""
        if self.work < self._granted or report.stopped:
            return
        with self._turn:
            self._stands = True
            self._turn.notify_all()
            self._turn.wait_for(lambda: not self._stands or report.stopped)
