"""The mixed-integer solver HiGHS, which is installed with covr where there is a wheel of it.

HiGHS computes in doubles, and accepts values as whole, and rows as satisfied, if they are within its tolerances. A
solution that is off by 10**-TOLERANCE everywhere can seem cheaper than any true solution by that fraction of the sum of
all costs. Therefore the sum of the costs, divided by their greatest common divisor, must stay below LARGEST; then the
error is at most a tenth of the least difference between two costs. Larger costs are refused, so that no claim of a
proof depends on digits that a double does not have. The answer that HiGHS calls the best is added up again in whole
numbers, and refused if the sum differs from HiGHS's value.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Any

from covr.engine.base.extras import Unsuited, wanted
from covr.engine.base.heed import heeded, look
from covr.engine.outside.solver_rows import SolverRow
from covr.engine.problem import Problem

if TYPE_CHECKING:
    from covr.engine.outside.solvers import Report

TOLERANCE = 10  # decimal places of the tolerances: the finest that HiGHS accepts
LARGEST = 10**9  # the sum of costs, divided by their greatest common divisor, must be less than this for HiGHS
FEW = 16  # rows between two looks at the limits; a row may have as many terms as there are options
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
        self._costs = costs = [c // unit for c in heeded(costs)]
        total = sum(map(abs, costs))
        if total >= LARGEST:
            divided = f" when divided by {unit}" if unit > 1 else ""
            raise Unsuited(
                f"the engine `highs` counts in floats: the costs add up to {total}{divided}, signs left out, and must "
                f"stay below {LARGEST}; the engine `auto` counts in whole numbers"
            )
        weight = max([_weight(row) for row in heeded(found, FEW)], default=0)
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
        program.col_cost_ = [float(c) for c in heeded(costs)]
        program.col_lower_, program.col_upper_ = [0.0] * n, [1.0] * n
        program.integrality_ = [highspy.HighsVarType.kInteger] * n
        endless = highspy.kHighsInf
        program.row_lower_ = [-endless if row.low is None else float(row.low) for row in heeded(found)]
        program.row_upper_ = [endless if row.high is None else float(row.high) for row in heeded(found)]
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        starts, places, factors = [0], [], []
        for row in heeded(found, FEW):
            places += [v for v, _ in row.terms]
            factors += [1.0 if w == 1 else float(w) for _, w in row.terms]  # most are 1: all the same object
            starts.append(len(places))
        program.a_matrix_.start_, program.a_matrix_.index_, program.a_matrix_.value_ = starts, places, factors
        look()
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
