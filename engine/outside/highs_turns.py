"""HiGHS that pauses between its turns, so that it can take turns with our own searches on one thread.

It runs in a thread of its own and counts its work in its callbacks. Once it has done as much as was granted, the
callback waits for the next turn. So nothing is computed twice, as restarts would, and where a turn ends depends on
the problem alone: work is counted in callbacks, never in seconds. While HiGHS computes, nothing else runs, except
that whoever granted the turn looks at the limits and at Ctrl-C (`wait`).

First it solves the linear program alone (`relaxed`), and stands still when that is done: many programs end there
(minimum/integer_program.py). Then it searches.

In the linear program a callback is an iteration. In the search, a callback comes between linear programs, but none
while it presolves, or searches a smaller problem to find an answer, as it mostly does at its root. So a turn may be
longer than granted, by seconds. What it took is read from the lines of its log, which tell the iterations of all
these searches; callbacks count where a log can't be read.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from threading import Condition
from typing import Any

from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import LOOK, check_limits
from covr.engine.outside.solvers import Highs, Report, Running, SolverRow, allowed
from covr.frozen import frozen

PER_LINE = 8  # work of an iteration of the simplex method, in nanoseconds, per row and column
ITERATION, SEARCH_LINE = 300_000, 75  # the same in the search, with all that comes between, and per row and column
CALLBACK = 2000  # work of a callback of the search, in nanoseconds, per row and column


def iterations(line: str) -> int | None:
    """The iterations of the simplex method so far, from a line of HiGHS's log; None if the line has none."""
    # … nodes, waiting, leaves, explored, bound, best, gap, cuts, in use, conflicts, iterations, time
    words = line.split()
    if len(words) not in (12, 13) or not (words[-9].endswith("%") and words[-1].endswith("s")):
        return None
    number, unit = words[-2].rstrip("km"), words[-2][-1]
    return int(number) * {"k": 1000, "m": 10**6}.get(unit, 1) if number.isdigit() else None


@frozen(eq=False)
class Relaxed:
    """The result of the linear program. values: of the variables; empty if it was not solved.  prices: per row.
    ray: per row, the prices that prove that there is no answer; empty if there may be one."""

    values: Sequence[float] = ()
    prices: Sequence[float] = ()
    ray: Sequence[float] = ()


class PausedHighs(Highs):
    """HiGHS, paused until it is granted work. work: what it has done, in nanoseconds (engine/turns.py).  news: never
    any, as it reports only when it is asked."""

    news = False

    def __init__(self, costs: list[int], found: list[SolverRow]) -> None:
        super().__init__(costs, found)
        self.work = 0
        self.relaxed: Relaxed | None = None
        self._size = len(costs) + len(found)
        self._relaxing = 0  # the work of the linear program alone
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
        """Wait until its turn is over. Raises LimitReached at a limit; HiGHS then goes on until it notices that it is
        to stop."""
        assert self._running is not None
        with self._turn:
            while not (self._stands or self._ended):
                self._turn.wait(LOOK)
                check_limits()
        while self._ended and not self._running.report.over:
            self._running.report.wait(LOOK)

    def stop(self) -> None:
        """Ask it to stop, without waiting until it has stopped."""
        if self._running is not None:
            self._running.stop()

    def cancel(self) -> None:
        """Wake it, so that it notices `report.stopped`."""
        with self._turn:
            self._turn.notify_all()

    def solve(self, report: Report) -> None:
        """Solve the linear and then the integer program, in the thread."""
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
        solver, size = self._solver, self._size

        def step(event: Any) -> None:
            self.work += PER_LINE * size
            self._relaxing = self.work
            self._pause(report)
            if report.stopped:
                event.interrupt()

        def count(event: Any) -> None:
            self.work += CALLBACK * size
            self._pause(report)
            if report.stopped:
                event.interrupt()

        def read(event: Any) -> None:
            done = iterations(event.message)
            if done is not None:
                self.work = max(self.work, self._relaxing + done * (ITERATION + SEARCH_LINE * size))

        solver.cbSimplexInterrupt += step
        solver.cbMipInterrupt += count
        solver.setOptionValue("log_to_console", False)
        solver.setOptionValue("output_flag", True)
        solver.setOptionValue("mip_min_logging_interval", 0.0)  # else it depends on the clock which lines there are
        solver.cbLogging += read

    def _relax(self, report: Report) -> None:
        """Solve the linear program, and pause."""
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
        """Pause if the turn is over."""
        if self.work < self._granted or report.stopped:
            return
        with self._turn:
            self._stands = True
            self._turn.notify_all()
            self._turn.wait_for(lambda: not self._stands or report.stopped)


class RestartedHighs(PausedHighs):
    """HiGHS where it can't have a thread, as in a browser. It can't stand still: it is stopped when its turn is over,
    and starts again once it is granted twice the work of its last run. So all runs cost no more than twice the last."""

    def __init__(self, costs: list[int], found: list[SolverRow]) -> None:
        super().__init__(costs, found)
        self._program = costs, found
        self._report = Report()
        self._paid = self._saved = self._last = 0  # work: in all, since the last run, of the last run

    @property
    def report(self) -> Report:
        return self._report

    def grant(self, work: int) -> None:
        self._paid += work
        self._saved += work

    def wait(self) -> None:
        """Run for as much work as is saved, if that is enough."""
        report = self._report
        check_limits()
        if not report.over and self._saved >= 2 * self._last:
            self.work, self._granted, self._last, self._saved = 0, self._saved, self._saved, 0
            try:
                self._run(report)
            except Exception as fault:
                if not (report.stopped and isinstance(fault, Unsuited)):
                    report.end(fault)
            report.stopped = False
            self._last = max(self._last, self.work)
            check_limits()
        self.work = self._paid = max(self.work, self._paid)

    def stop(self) -> None:
        """Nothing to do: it runs within `wait` alone."""

    def _run(self, report: Report) -> None:
        """The linear program, whole, or the search from its beginning."""
        relaxes = self.relaxed is None and not self._empty
        if relaxes:
            self._granted = sys.maxsize
        else:
            Highs.__init__(self, *self._program)
        self.end_within(allowed())
        if not self._empty:
            self._listen(report)
        if relaxes:
            self._relax(report)
        else:
            Highs.solve(self, report)
            report.end()

    def _pause(self, report: Report) -> None:
        report.stopped = report.stopped or self.work >= self._granted
