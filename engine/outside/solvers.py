"""A second opinion: HiGHS and CP-SAT."""

from __future__ import annotations

import atexit
import math
import sys
import weakref
from collections import deque
from collections.abc import Sequence
from math import gcd
from threading import Event, Thread
from time import monotonic
from typing import Any, Protocol

from covr.engine.base.alone import ONE_THREAD, Unsuited, wanted
from covr.engine.base.limits import HEAVY, LOOK, check_limits, seconds_left, with_limit_checks
from covr.engine.kernels.header import DONE, FOUND, SLICE
from covr.engine.prepare.sides import at_most, implied
from covr.engine.problem import Problem, Total, only_totals
from covr.frozen import frozen

# --- solver rows -----------------------------------------------------------------------------------------------------
# A problem as rows of a 0/1 program: what HiGHS and CP-SAT are given.
#
# Every option becomes a 0/1 variable, every item two bounds on the sum of its options. A coloured item has a 0/1
# variable for each colour; at most one of these is 1, and each option of the item implies the variable of its colour. A
# total is a row with its coefficients, which are tighter where it says "at most".


@frozen
class SolverRow:
    """A row: low <= sum of weight · variable <= high. None means no bound."""

    low: int | None
    high: int | None
    terms: tuple[tuple[int, int], ...]  # variable, weight


def rows(problem: Problem) -> tuple[int, list[SolverRow]]:
    """The number of variables, of which the options come first, and the rows."""
    found: list[SolverRow] = []
    variables = problem.options
    # A pair takes 64 bytes: of options that are in many items, all entries are the same one.
    once: Sequence[tuple[int, int]] = [(o, 1) for o in with_limit_checks(range(variables))]
    for i in with_limit_checks(range(problem.items), HEAVY):
        held = list(problem.column(i))
        low, high = min(problem.low[i], len(held) + 1), problem.high[i]
        if not any(colour for _, colour in held):
            if low > 0 or high < len(held):
                terms = tuple([once[o] for o, _ in held])
                found.append(SolverRow(low if low > 0 else None, high if high < len(held) else None, terms))
            continue
        shown = {colour: variables + k for k, colour in enumerate(sorted({c for _, c in held if c}))}
        variables += len(shown)
        plain = [once[o] for o, colour in held if not colour]
        found.append(SolverRow(None, 1, (*plain, *((v, 1) for v in shown.values()))))
        found += [SolverRow(0, None, ((shown[colour], 1), (o, -1))) for o, colour in held if colour]
    found += [SolverRow(1, None, (once[o],)) for o in problem.given]
    if not only_totals(problem.sides):
        raise Unsuited("the engines `highs` and `cpsat` take no connections, loops and areas; use `sides`")
    needed = implied(problem)
    for side in with_limit_checks(problem.sides, HEAVY):
        assert isinstance(side, Total)
        variables = _total_rows(side, variables, found, needed)
    return variables, found


def _total_rows(total: Total, variables: int, found: list[SolverRow], needed: Sequence[int]) -> int:
    """Add the rows of a total; returns how many variables there are with its own: if the sum may lie in several ranges,
    one for each range, exactly one of which is 1. needed: what `implied` tells."""
    least, most = (sum(c for _, c in total.terms if c * sign > 0) for sign in (-1, 1))
    ranges = [(max(low, least), min(high, most)) for low, high in total.sums if low <= most and high >= least]
    if not ranges:
        found.append(SolverRow(1, None, ()))
    elif len(ranges) == 1 and ranges[0][0] == least == 0 and ranges[0][1] < most:
        terms, low, high = at_most([*total.terms], ranges[0][1], needed)
        found.append(SolverRow(low or None, high, tuple(terms)))
    elif len(ranges) == 1:
        found.append(SolverRow(*ranges[0], total.terms))
    else:
        chosen = range(variables, variables + len(ranges))
        found.append(SolverRow(1, 1, tuple((v, 1) for v in chosen)))
        lows, highs = (tuple((v, -ends[k]) for v, ends in zip(chosen, ranges, strict=True) if ends[k]) for k in (0, 1))
        found += [SolverRow(0, None, (*total.terms, *lows)), SolverRow(None, 0, (*total.terms, *highs))]
        variables += len(ranges)
    return variables


# --- cpsat -----------------------------------------------------------------------------------------------------------
# CP-SAT of OR-tools, from the extra `covr[cpsat]`.
#
# CP-SAT computes in whole numbers of 64 bits, with two exceptions: its gaps, which are therefore set to 0, and the
# bound that it reports, which is lowered by as much as a double may be wrong (`Report.at_least`).


class CpSat:
    """OR-tools' CP-SAT, with one worker and all rows in its linear program (its default is slower on covers)."""

    unit = 1

    def __init__(self, costs: list[int], found: list[SolverRow]):
        self._cp = cp = wanted("ortools.sat.python.cp_model", "cpsat", "the engine `cpsat`")
        self._solver = cp.CpSolver()
        self._model = model = cp.CpModel()
        self._variables = [model.new_bool_var(str(k)) for k in with_limit_checks(range(len(costs)))]
        for row in with_limit_checks(found, HEAVY):
            total = cp.LinearExpr.weighted_sum([self._variables[v] for v, _ in row.terms], [w for _, w in row.terms])
            low = cp.INT_MIN if row.low is None else row.low
            high = cp.INT_MAX if row.high is None else row.high
            model.add_linear_constraint(total, low, high)
        check_limits()
        model.minimize(cp.LinearExpr.weighted_sum(self._variables, costs))

    def solve(self, report: Report) -> None:
        cp, solver, variables = self._cp, self._solver, self._variables
        solver.parameters.num_workers = 1
        solver.parameters.linearization_level = 2
        solver.parameters.absolute_gap_limit = solver.parameters.relative_gap_limit = 0.0

        def hear(bound: float) -> None:
            report.at_least(bound)
            if report.stopped:
                solver.stop_search()

        class Improve(cp.CpSolverSolutionCallback):  # type: ignore[misc, name-defined, unused-ignore]
            def on_solution_callback(self) -> None:
                report.better([self.boolean_value(v) for v in variables])
                hear(self.best_objective_bound)

        solver.best_bound_callback = hear
        if report.stopped:
            raise Unsuited("CP-SAT was stopped before it began")
        status = solver.solve(self._model, Improve())
        if status == cp.MODEL_INVALID:
            raise Unsuited("CP-SAT can't take this model: " + self._model.validate())
        if status in (cp.OPTIMAL, cp.FEASIBLE):
            report.better([solver.boolean_value(v) for v in variables])
        if status in (cp.FEASIBLE, cp.UNKNOWN):
            raise Unsuited("CP-SAT was stopped before its end")

    def end_within(self, seconds: float | None) -> None:
        """Stop after so many seconds from the beginning; None for no limit."""
        if seconds is not None:
            self._solver.parameters.max_time_in_seconds = seconds

    def cancel(self) -> None:
        """Ask CP-SAT to stop. Has no effect if it has not begun."""
        self._solver.stop_search()


# --- highs -----------------------------------------------------------------------------------------------------------
# The mixed-integer solver HiGHS, which is installed with covr where there is a wheel of it.
#
# HiGHS computes in doubles, and accepts values as whole, and rows as satisfied, if they are within its tolerances. A
# solution that is off by 10**-TOLERANCE everywhere can seem cheaper than any true solution by that fraction of the sum
# of all costs. Therefore the sum of the costs, divided by their greatest common divisor, must stay below LARGEST; then
# the error is at most a tenth of the least difference between two costs. Larger costs are refused, so that no claim of
# a proof depends on digits that a double does not have. The answer that HiGHS calls the best is added up again in whole
# numbers, and refused if the sum differs from HiGHS's value.


TOLERANCE = 10  # decimal places of the tolerances: the finest that HiGHS accepts
LARGEST = 10**9  # the sum of costs, divided by their greatest common divisor, must be less than this for HiGHS
FINE = 10**5  # up to this sum of costs, HiGHS's default tolerances of up to 10**-6 are fine enough


def countable(problem: Problem) -> bool:
    """Whether HiGHS can count the costs of a problem. Linear time."""
    return sum(map(abs, problem.costs)) < LARGEST * (gcd(*problem.costs) or 1)


def _weight(row: SolverRow) -> int:
    """What the numbers of a total add up to, signs left out; 0 for a row of ones."""
    if max([abs(w) for _, w in row.terms], default=0) <= 1:
        return 0
    return sum([abs(w) for _, w in row.terms])


class Highs:
    """The mixed-integer solver HiGHS. unit: the common divisor by which its costs are divided."""

    def __init__(self, costs: list[int], found: list[SolverRow]):
        """Raises Unsuited if the costs are too large to be added exactly in doubles."""
        highspy = wanted("highspy", "lp", "the engine `highs`")
        self.unit = unit = gcd(*costs) or 1
        self._costs = costs = [c // unit for c in with_limit_checks(costs)]
        total = sum(map(abs, costs))
        if total >= LARGEST:
            divided = f" when divided by {unit}" if unit > 1 else ""
            raise Unsuited(
                f"the engine `highs` counts in floats: the costs add up to {total}{divided}, signs left out, and must "
                f"stay below {LARGEST}; the engine `auto` counts in whole numbers"
            )
        weight = max([_weight(row) for row in with_limit_checks(found, HEAVY)], default=0)
        if weight >= LARGEST:
            raise Unsuited(
                f"the engine `highs` counts in floats: the numbers of a total add up to {weight}, signs left out, and "
                f"must stay below {LARGEST}; the engine `auto` counts in whole numbers"
            )
        self._highspy = highspy
        self._solver = solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("threads", 1)
        solver.setOptionValue("mip_rel_gap", 0.0)
        solver.setOptionValue("mip_abs_gap", 0.5)
        if max(total, weight) > FINE:
            for name in ("mip_feasibility_tolerance", "primal_feasibility_tolerance", "dual_feasibility_tolerance"):
                solver.setOptionValue(name, 10.0**-TOLERANCE)
        program = highspy.HighsLp()
        n = len(costs)
        program.num_col_, program.num_row_ = n, len(found)
        program.col_cost_ = [float(c) for c in with_limit_checks(costs)]
        program.col_lower_, program.col_upper_ = [0.0] * n, [1.0] * n
        program.integrality_ = [highspy.HighsVarType.kInteger] * n
        endless = highspy.kHighsInf
        program.row_lower_ = [-endless if row.low is None else float(row.low) for row in with_limit_checks(found)]
        program.row_upper_ = [endless if row.high is None else float(row.high) for row in with_limit_checks(found)]
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        starts, places, factors = [0], [], []
        for row in with_limit_checks(found, HEAVY):
            places += [v for v, _ in row.terms]
            factors += [1.0 if w == 1 else float(w) for _, w in row.terms]  # most are 1: all the same object
            starts.append(len(places))
        program.a_matrix_.start_, program.a_matrix_.index_, program.a_matrix_.value_ = starts, places, factors
        check_limits()
        self._empty = n == 0
        self._found = [] if n else found
        if not self._empty:
            solver.passModel(program)

    def end_within(self, seconds: float | None) -> None:
        """Stop after so many seconds from the beginning; None for no limit. It does not look at `report.stopped` while
        it searches a smaller problem to find an answer, which may take minutes."""
        if seconds is not None:
            self._solver.setOptionValue("time_limit", seconds)

    def solve(self, report: Report) -> None:
        if self._empty:
            if all((row.low or 0) <= 0 and (row.high is None or row.high >= 0) for row in self._found):
                report.better([])
            return
        solver, kinds = self._solver, self._highspy.HighsModelStatus

        def listen(event: Any) -> None:
            if report.stopped:
                event.interrupt()

        def hear(event: Any) -> None:
            report.at_least(event.data_out.mip_dual_bound)
            listen(event)

        def improve(event: Any) -> None:
            report.better([value > 0.5 for value in event.data_out.mip_solution])

        solver.cbMipInterrupt += hear
        solver.cbSimplexInterrupt += listen
        solver.cbIpmInterrupt += listen
        solver.cbMipImprovingSolution += improve
        solver.run()
        status = solver.getModelStatus()
        self._highspy.Highs.resetGlobalScheduler(False)
        if status == kinds.kOptimal:
            values = [value > 0.5 for value in solver.getSolution().col_value]
            said = solver.getInfo().objective_function_value
            true = sum([c for c, taken in zip(self._costs, values, strict=True) if taken])
            if not abs(said - true) < 0.5:
                raise Unsuited(f"HiGHS's best answer costs {true}, and not {said}, as HiGHS has it: it is no proof")
            report.better(values)
        elif status not in (kinds.kInfeasible, kinds.kUnboundedOrInfeasible):
            raise Unsuited(f"HiGHS gave up: {solver.modelStatusToString(status)}")

    def cancel(self) -> None:
        """Nothing to do: HiGHS checks `report.stopped` in its callbacks."""


# --- solvers ---------------------------------------------------------------------------------------------------------
# A second opinion from outside: solves a problem with HiGHS (solvers.py) or with CP-SAT of OR-tools (solvers.py).
#
# The solvers report ever cheaper answers as they find them. They serve to check our engines, and for problems where
# they are faster.
#
# Neither solver can be paused, and both have phases in which they do not react. So a solver runs in a thread of its own
# (`Running`) and reports what it finds. A slice waits at most `LOOK` seconds for a report, and counts as a node. Limits
# and Ctrl-C are checked between slices, whatever the solver is doing. A solver that is no longer needed is asked to
# stop, but not waited for.


OUTSIDE = {"highs": "HiGHS, as a mixed-integer program", "cpsat": "CP-SAT of OR-tools"}
ROUNDING = 1e-6  # the fraction of its value by which a solver's bound may be too high
GRACE = 0.2  # seconds, as long as it takes a solver that notices; less than the half second that limits may be over
LONG_PATIENCE = 10.0  # seconds that any other process waits: HiGHS may not react for three seconds


def allowed() -> float | None:
    """The seconds after which a solver ends by itself, if it has not noticed a stop before: a little more than the time
    limits leave. None for no limit."""
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
        report.wait(LOOK)
        over = report.over  # read before the answers, because the last ones are reported before this
        while report.found:
            if self._is_cheaper(report.found.popleft()):
                self.answers += 1
                return FOUND
        if report.fault is not None:
            raise report.fault
        return DONE if over else SLICE

    def _is_cheaper(self, values: list[bool]) -> bool:
        """Keep the answer of these values if it is cheap enough. Returns whether it is."""
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
        if sys.platform in ONE_THREAD:
            self._work()
        else:
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
            self._thread.join(LOOK)
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


def all_end(seconds: float = GRACE) -> bool:
    """Ask every solver to stop. Returns whether all did within so many seconds.

    While a solver does not react, the process must end by `os._exit`, as the command does: an ordinary exit would
    destroy objects of Python and C++ that the solver is still using.
    """
    until = monotonic() + seconds
    deaf = [running for running in tuple(_AT_WORK) if not running.ends(until)]
    return not deaf


atexit.register(all_end, LONG_PATIENCE)
