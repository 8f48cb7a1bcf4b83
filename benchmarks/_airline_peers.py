"""One run of one solver: `PYTHON _airline_peers.py NAME FLIGHTS PAIRINGS SEED SECONDS` writes a JSON object.

NAME: `covr` (as `--jobs 1`), `highs` or `cpsat`, which are asked by themselves. What is timed, and limited
to SECONDS, is CPU time of all threads, from a Problem to the end, as in _best_peers.py.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from benchmarks import _side_peers
from benchmarks._airline_instances import crew_pairings
from benchmarks._best_peers import BUSY, tell
from covr.engine import Problem, build

Found = tuple[int | None, bool, tuple[int, ...] | None]


def solve(name: str, problem: Problem, seconds: float) -> Found:
    """The least cost found, whether it is proved, and the answer."""
    return {"covr": _covr, "highs": _highs, "cpsat": _cpsat}[name](problem, seconds)


def _covr(problem: Problem, seconds: float) -> Found:
    return _side_peers.solve("covr", problem, seconds)


def _highs(problem: Problem, seconds: float) -> Found:
    import highspy

    solver = highspy.Highs()
    for option, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.5)):
        solver.setOptionValue(option, value)
    program = highspy.HighsLp()
    rows, columns = problem.items, problem.options
    program.num_col_, program.num_row_ = columns, rows
    program.col_cost_ = [float(cost) for cost in problem.costs]
    program.col_lower_, program.col_upper_ = [0.0] * columns, [1.0] * columns
    program.integrality_ = [highspy.HighsVarType.kInteger] * columns
    program.row_lower_ = program.row_upper_ = [1.0] * rows
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_, program.a_matrix_.index_ = [*problem.starts], [*problem.members]
    program.a_matrix_.value_ = [1.0] * len(problem.members)
    solver.passModel(program)
    end = time.process_time() + seconds

    def hear(event: Any) -> None:
        if time.process_time() > end:
            event.interrupt()

    solver.cbMipInterrupt += hear
    solver.cbSimplexInterrupt += hear
    solver.setOptionValue("time_limit", seconds * BUSY)
    solver.run()
    values = solver.getSolution().col_value
    if solver.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return None, False, None
    return _found(problem, [x > 0.5 for x in values], solver.getModelStatus() == highspy.HighsModelStatus.kOptimal)


def _cpsat(problem: Problem, seconds: float) -> Found:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    taken = [model.new_bool_var("") for _ in range(problem.options)]
    for i in range(problem.items):
        model.add_exactly_one(taken[o] for o, _ in problem.column(i))
    model.minimize(cp_model.LinearExpr.weighted_sum(taken, [*problem.costs]))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.linearization_level = 1, 2
    solver.parameters.max_time_in_seconds = seconds * BUSY
    solver.parameters.max_deterministic_time = seconds * BUSY
    end = time.process_time() + seconds

    def hear(_: float) -> None:
        if time.process_time() > end:
            solver.stop_search()

    solver.best_bound_callback = hear
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, False, None
    return _found(problem, [solver.boolean_value(x) for x in taken], status == cp_model.OPTIMAL)


def _found(problem: Problem, values: list[bool], proved: bool) -> Found:
    answer = tuple(o for o, taken in enumerate(values) if taken)
    return sum(problem.costs[o] for o in answer), proved, answer


def main() -> None:
    name, flights, pairings, seed, seconds = sys.argv[1], *map(int, sys.argv[2:5]), float(sys.argv[5])
    solve(name, build([(1, 1), (1, 1)], [[0], [1], [0, 1]], costs=[1, 2, 4]), 1.0)
    tell(solve, name, crew_pairings(flights, pairings, seed), seconds)


if __name__ == "__main__":
    main()
