"""CP-SAT of OR-tools, from the extra `covr[cpsat]`.

CP-SAT computes in whole numbers of 64 bits, with two exceptions: its gaps, which are therefore set to 0, and the bound
that it reports, which is lowered by as much as a double may be wrong (`Report.at_least`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covr.engine.base.extras import Unsuited, wanted
from covr.engine.base.heed import heeded, look
from covr.engine.outside.solver_rows import SolverRow

if TYPE_CHECKING:
    from covr.engine.outside.solvers import Report

FEW = 16  # rows between two looks at the limits; a row may have as many terms as there are options


class CpSat:
    """OR-tools' CP-SAT, with one worker and all rows in its linear program (its default is slower on covers)."""

    unit = 1

    def __init__(self, costs: list[int], found: list[SolverRow]):
        self._cp = cp = wanted("ortools.sat.python.cp_model", "cpsat", "the engine `cpsat`")
        self._solver = cp.CpSolver()
        self._model = model = cp.CpModel()
        self._variables = [model.new_bool_var(str(k)) for k in heeded(range(len(costs)))]
        for row in heeded(found, FEW):
            total = cp.LinearExpr.weighted_sum([self._variables[v] for v, _ in row.terms], [w for _, w in row.terms])
            low = cp.INT_MIN if row.low is None else row.low
            high = cp.INT_MAX if row.high is None else row.high
            model.add_linear_constraint(total, low, high)
        look()
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
