"""A second opinion from outside: solves a problem with HiGHS (highs.py) or with CP-SAT of OR-tools (cpsat.py).

The solvers report ever cheaper answers as they find them. They serve to check our engines, and for problems where they
are faster.

Neither solver can be paused, and both have phases in which they do not react. So a solver runs in a thread of its own
(`Running`) and reports what it finds. A slice waits at most `TURN` seconds for a report, and counts as a node. Limits
and Ctrl-C are checked between slices, whatever the solver is doing. A solver that is no longer needed is asked to stop,
but not waited for.
"""

from __future__ import annotations

import atexit
import math
import weakref
from collections import deque
from threading import Event, Thread
from time import monotonic
from typing import Protocol

from covr.engine.base.heed import seconds_left
from covr.engine.kernels.header import DONE, FOUND, SLICE
from covr.engine.outside.cpsat import CpSat
from covr.engine.outside.highs import Highs
from covr.engine.outside.solver_rows import rows
from covr.engine.problem import Problem

OUTSIDE = {"highs": "HiGHS, as a mixed-integer program", "cpsat": "CP-SAT of OR-tools"}
TURN = 0.02  # seconds that a slice waits for a report of the solver
ROUNDING = 1e-6  # the fraction of its value by which a solver's bound may be too high
PATIENCE = 0.5  # seconds that the command waits, when it ends, for solvers to stop
GRACE = 0.2  # seconds, as long as it takes a solver that notices; less than the half second that limits may be over
LONG_PATIENCE = 10.0  # seconds that any other process waits: HiGHS may not react for three seconds


def allowed() -> float | None:
    """The seconds after which a solver is to end by itself, if it does not notice before that it is to stop: those that
    the limits of time leave, and some more. None for no limit."""
    left = seconds_left()
    return None if left is None else left + GRACE


class Outside:
    """A kernel (see loading.py) that asks HiGHS or CP-SAT for a cheapest answer."""

    def __init__(self, solver: str, problem: Problem, ceiling: int | None):
        """solver: 'highs' or 'cpsat'. Raises Unsuited if its package is not installed, if costs are too large, and for
        connections and loops."""
        costs = list(problem.costs) or [0] * problem.options
        variables, found = rows(problem)
        make = Highs if solver == "highs" else CpSat
        self._costs, self._ceiling = costs, ceiling
        self._solver: Highs | CpSat = make(costs + [0] * (variables - len(costs)), found)
        self._solver.end_within(allowed())
        self._running: Running | None = None
        self._size = problem.options
        self._given = set(problem.given)
        self._answer: list[int] = []
        self._cost: int | None = None  # the cost of the cheapest answer so far
        self.nodes = self.updates = self.answers = 0
        self.code = -1

    def run(self, nodes: int, answers: int) -> int:
        """Wait once for a report; returns SLICE, FOUND or DONE. Raises ValueError if the solver gives up."""
        self.code = -1
        self.code = self._run(nodes)
        return self.code

    def _run(self, nodes: int) -> int:
        if nodes <= 0:
            return SLICE
        if self._running is None:
            self._running = Running(self._solver)
            weakref.finalize(self, self._running.stop)
        self.nodes += 1
        report = self._running.report
        report.wait(TURN)
        over = report.over  # read before the answers, because the last ones are reported before this
        while report.found:
            if self._is_cheaper(report.found.popleft()):
                self.answers += 1
                return FOUND
        if report.fault is not None:
            raise report.fault
        return DONE if over else SLICE

    def _is_cheaper(self, values: list[bool]) -> bool:
        """Keep the answer that these values stand for if it is cheap enough. Returns whether it is."""
        taken = [o for o in range(self._size) if values[o]]
        paid = sum(self._costs[o] for o in taken)
        if (self._ceiling is not None and paid > self._ceiling) or (self._cost is not None and paid >= self._cost):
            return False
        self._answer, self._cost = [o for o in taken if o not in self._given], paid
        return True

    def stop(self) -> None:
        """Ask the solver to stop, because its answers are no longer wanted."""
        if self._running is not None:
            self._running.stop()

    def answer(self) -> list[int]:
        """The options of the answer, without given ones."""
        return self._answer

    def lower(self, ceiling: int) -> None:
        """From now on, accept only answers of at most this cost."""
        self._ceiling = ceiling if self._ceiling is None else min(self._ceiling, ceiling)

    def bound(self) -> int | None:
        """The proved lower bound, as far as the solver has reported one."""
        report = None if self._running is None else self._running.report.bound
        return None if report is None else report * self._solver.unit


class Report:
    """The reports of a solver from its thread.

    found: ever cheaper answers, each as the values of the variables.  bound: no answer costs less than this.
    over: whether the solver has ended.  fault: the exception that ended it.  stopped: whether it should end.
    """

    def __init__(self) -> None:
        self.found: deque[list[bool]] = deque()
        self.bound: int | None = None
        self.over = self.stopped = False
        self.fault: Exception | None = None
        self._news = Event()

    def better(self, values: list[bool]) -> None:
        """Called when the solver has found a cheaper answer. values: the values of the variables."""
        self.found.append(values)
        self._news.set()

    def at_least(self, bound: float) -> None:
        """Called with the solver's lower bound, which is lowered to allow for rounding."""
        if math.isfinite(bound):
            whole = math.ceil(bound - ROUNDING * max(1.0, abs(bound)))
            self.bound = whole if self.bound is None else max(self.bound, whole)

    def end(self, fault: Exception | None = None) -> None:
        """Called when the solver has ended. fault: the exception that ended it, if any."""
        self.fault, self.over = fault, True
        self._news.set()

    def wait(self, seconds: float) -> None:
        """Wait until there is something new, or for at most so many seconds."""
        if not self.found and not self.over:
            self._news.wait(seconds)
            self._news.clear()


class Solver(Protocol):
    """A solver that `Running` can run."""

    def solve(self, report: Report) -> None:
        """Search to the end, or until the solver notices `report.stopped`."""

    def cancel(self) -> None:
        """Ask to stop, from another thread. Has no effect if the search has not begun yet."""


class Running:
    """A solver that runs in a thread of its own."""

    def __init__(self, solver: Solver) -> None:
        self.report = Report()
        self._solver = solver
        self._thread = Thread(target=self._work, name="covr-outside", daemon=True)
        _AT_WORK.add(self)
        self._thread.start()

    def stop(self) -> None:
        """Ask the solver to stop, without waiting until it has stopped."""
        self.report.stopped = True
        if self._thread.is_alive():
            self._solver.cancel()

    def ends(self, moment: float) -> bool:
        """Wait for it to end until `moment`, on the clock `monotonic`, in seconds. Returns whether it has ended."""
        while self._thread.is_alive() and monotonic() < moment:
            self.stop()
            self._thread.join(TURN)
        return not self._thread.is_alive()

    def _work(self) -> None:
        try:
            self._solver.solve(self.report)
            self.report.end()
        except Exception as fault:  # raised again where the reports are read
            self.report.end(fault)
        finally:
            _AT_WORK.discard(self)


# The solvers that are running, whether or not anything waits for them.
_AT_WORK: set[Running] = set()


def all_end(seconds: float = PATIENCE) -> bool:
    """Ask every solver to stop. Returns whether all did within so many seconds.

    While a solver does not react, the process must end by `os._exit`, as the command does: an ordinary exit would
    destroy objects of Python and C++ that the solver is still using.
    """
    until = monotonic() + seconds
    deaf = [running for running in tuple(_AT_WORK) if not running.ends(until)]
    return not deaf


atexit.register(all_end, LONG_PATIENCE)
