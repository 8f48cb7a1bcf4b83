"""One run of one solver: `PYTHON _cover_peers.py NAME FILE.scp SECONDS` writes a JSON object; any Python will do.

It needs nothing of covr but for `covr…`, and of the others only the one it runs. What is timed is CPU time, of all
threads, from lists of rows and columns to the proved minimum; reading the file and importing are not: every solver has
solved a problem of three rows before, so that nothing is loaded while it is timed. Every solver has one thread and no
gap to spare, and is told nothing else.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from typing import Any

Found = tuple[int | None, bool, list[int]]  # the least cost found, whether it is proved, the columns


def read(path: str) -> tuple[int, list[int], list[list[int]]]:
    """Rows, costs, and the rows of each column, of a file of the OR-Library's kind."""
    with open(path, encoding="utf-8") as file:
        numbers = map(int, file.read().split())
    rows, columns = next(numbers), next(numbers)
    costs = [next(numbers) for _ in range(columns)]
    held: list[list[int]] = [[] for _ in range(columns)]
    for row in range(rows):
        for _ in range(next(numbers)):
            held[next(numbers) - 1].append(row)
    return rows, costs, held


def _covr(estimate: str) -> Callable[[int, list[int], list[list[int]], float], Found]:
    def solve(rows: int, costs: list[int], held: list[list[int]], seconds: float) -> Found:
        from covr.engine import Limits, Settings, Status, build, search

        problem = build([(1, len(costs))] * rows, held, costs=costs)
        run = search(problem, goal="minimum", limits=Limits(seconds=seconds), settings=Settings(estimate=estimate))
        best: tuple[int, ...] = ()
        for answer in run:
            best = answer
        return run.best, run.status is Status.EXHAUSTED, list(best)

    return solve


def highs(rows: int, costs: list[int], held: list[list[int]], seconds: float) -> Found:
    import highspy

    solver = highspy.Highs()
    for option, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0), ("time_limit", seconds)):
        solver.setOptionValue(option, value)
    solver.setOptionValue("mip_abs_gap", 0.99)
    n = len(costs)
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = n, rows
    program.col_cost_ = [float(c) for c in costs]
    program.col_lower_, program.col_upper_ = [0.0] * n, [1.0] * n
    program.integrality_ = [highspy.HighsVarType.kInteger] * n
    program.row_lower_, program.row_upper_ = [1.0] * rows, [highspy.kHighsInf] * rows
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = [0, *_ends(held)]
    program.a_matrix_.index_ = list(chain.from_iterable(held))
    program.a_matrix_.value_ = [1.0] * len(program.a_matrix_.index_)
    solver.passModel(program)
    solver.run()
    taken = [o for o, value in enumerate(solver.getSolution().col_value) if value > 0.5]
    return sum(costs[o] for o in taken), solver.getModelStatus() == highspy.HighsModelStatus.kOptimal, taken


def cpsat(rows: int, costs: list[int], held: list[list[int]], seconds: float) -> Found:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables = [model.new_bool_var("") for _ in costs]
    for by in _by_rows(rows, held):
        model.add_bool_or([variables[o] for o in by])
    model.minimize(cp_model.LinearExpr.weighted_sum(variables, costs))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, False, []
    taken = [o for o, variable in enumerate(variables) if solver.boolean_value(variable)]
    return sum(costs[o] for o in taken), status == cp_model.OPTIMAL, taken


def scip(rows: int, costs: list[int], held: list[list[int]], seconds: float) -> Found:
    from pyscipopt import Model, quicksum

    model = Model()
    model.hideOutput()
    model.setParam("limits/time", seconds)
    variables = [model.addVar(vtype="B", obj=c) for c in costs]
    for by in _by_rows(rows, held):
        model.addCons(quicksum(variables[o] for o in by) >= 1)
    model.optimize()
    taken = [o for o, v in enumerate(variables) if model.getVal(v) > 0.5] if model.getNSols() else []
    return sum(costs[o] for o in taken), model.getStatus() == "optimal", taken


def milp(rows: int, costs: list[int], held: list[list[int]], seconds: float) -> Found:
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint
    from scipy.optimize import milp as solve
    from scipy.sparse import csc_array

    places = list(chain.from_iterable(held))
    matrix = csc_array((np.ones(len(places)), places, [0, *_ends(held)]), shape=(rows, len(costs)))
    result = solve(
        costs,
        integrality=np.ones(len(costs)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, lb=1),
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    taken = [] if result.x is None else [o for o, value in enumerate(result.x) if value > 0.5]
    return sum(costs[o] for o in taken), result.status == 0, taken


def _ends(held: list[list[int]]) -> list[int]:
    ends, at = [], 0
    for column in held:
        at += len(column)
        ends.append(at)
    return ends


def _by_rows(rows: int, held: list[list[int]]) -> list[list[int]]:
    by: list[list[int]] = [[] for _ in range(rows)]
    for o, column in enumerate(held):
        for i in column:
            by[i].append(o)
    return by


WARM = (3, [1, 1, 1], [[0, 1], [1, 2], [0, 2]])  # rows, costs, columns
OURS = "covr.engine.kernels.cover._cover covr.engine.kernels.cover._descent covr.engine.pieces.parallel pynauty"
# name → package, solver, modules to import beforehand
SOLVERS: dict[str, tuple[str, Callable[[int, list[int], list[list[int]], float], Found], str]] = {
    "covr": ("covr", _covr("auto"), OURS),
    "highs": ("highspy", highs, "highspy"),
    "cpsat": ("ortools", cpsat, "ortools.sat.python.cp_model"),
    "scip": ("pyscipopt", scip, "pyscipopt"),
    "scipy milp": ("scipy", milp, "scipy.optimize"),
    **{f"covr {e}": ("covr", _covr(e), OURS) for e in ("none", "classic", "price", "dual", "lagrange")},
}


def main(name: str, path: str, seconds: float) -> dict[str, Any]:
    rows, costs, held = read(path)
    _, solve, modules = SOLVERS[name]
    for module in modules.split():
        with suppress(ImportError):
            importlib.import_module(module)
    solve(*WARM, seconds)
    start = time.process_time()
    found, proved, taken = solve(rows, costs, held, seconds)
    spent = time.process_time() - start
    met = {i for o in taken for i in held[o]}
    nothing = not proved and not taken  # so there is nothing to check
    sound = nothing or (len(met) == rows and sum(costs[o] for o in taken) == found)
    return {"found": found, "proved": proved, "sound": sound, "seconds": spent}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], float(sys.argv[3]))))
