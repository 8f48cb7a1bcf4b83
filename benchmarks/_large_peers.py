"""One run of one solver that is stopped: `PYTHON _large_peers.py NAME FILE SECONDS` writes a JSON object. In place of a
file it takes the name of a problem of _large_instances.py.

It holds the cheapest cover found and the best bound proved within SECONDS of CPU time, of all threads, beginning with
the problem in memory; reading the file and importing are not counted: each solver has solved a problem of three items
before. A thread looks at the CPU time and tells the solver to stop.
"""

from __future__ import annotations

import json
import math
import sys
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks._large_instances import MADE
from covr.compiler.formats import format_of
from covr.engine import Limits, Problem, Settings, build, check, cost, search

BUSY = 5  # times the seconds given that may pass on the clock, where other processes are at work
LOOK = 0.02  # seconds between two looks at the CPU time
EDGE = 1e-6  # by how much a bound in floating point may be too high

Ended = tuple[tuple[int, ...] | None, int | None]  # the options of the best cover, and the bound
Solve = Callable[[Problem, float], Ended]


@contextmanager
def stopped(stop: Callable[[], Any], seconds: float) -> Any:
    """Call `stop` once so many more seconds of CPU time are spent, unless the block has ended by then."""
    end, over = time.process_time() + seconds, threading.Event()

    def watch() -> None:
        while not over.wait(LOOK):
            if time.process_time() >= end:
                stop()
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def covr(problem: Problem, seconds: float) -> Ended:
    """Our own engine, alone."""
    run = search(problem, goal="minimum", limits=Limits(seconds=seconds * BUSY), settings=Settings(jobs=1))
    best: tuple[int, ...] | None = None
    with stopped(run.interrupt, seconds):
        for answer in run:
            best = answer
    return best, run.bound


def highs(problem: Problem, seconds: float) -> Ended:
    """HiGHS, with one thread and no gap to spare."""
    import highspy

    solver = highspy.Highs()
    options = (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0), ("mip_abs_gap", 1 - 1e-3))
    for option, value in (*options, ("time_limit", seconds * BUSY)):
        solver.setOptionValue(option, value)
    solver.HandleUserInterrupt = True
    n, held = problem.options, [problem.option(o) for o in range(problem.options)]
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = n, problem.items
    program.col_cost_ = [float(c) for c in problem.costs]
    program.col_lower_, program.col_upper_ = [0.0] * n, [1.0] * n
    program.integrality_ = [highspy.HighsVarType.kInteger] * n
    program.row_lower_ = [float(low) for low in problem.low]
    program.row_upper_ = [float(min(high, n)) for high in problem.high]
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    ends = [0]
    for members in held:
        ends.append(ends[-1] + len(members))
    program.a_matrix_.start_ = ends
    program.a_matrix_.index_ = list(chain.from_iterable(held))
    program.a_matrix_.value_ = [1.0] * ends[-1]
    solver.passModel(program)
    with stopped(solver.cancelSolve, seconds):
        solver.run()
    info = solver.getInfo()
    best = None
    if info.primal_solution_status == 2:  # feasible
        best = tuple(o for o, value in enumerate(solver.getSolution().col_value) if value > 0.5)
    return best, _raised(info.mip_dual_bound)


def cpsat(problem: Problem, seconds: float) -> Ended:
    """CP-SAT, with one worker and linearization_level=2."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables = [model.new_bool_var("") for _ in range(problem.options)]
    by: list[list[Any]] = [[] for _ in range(problem.items)]
    for o, variable in enumerate(variables):
        for i in problem.option(o):
            by[i].append(variable)
    for low, high, row in zip(problem.low, problem.high, by, strict=True):
        if low == 1:
            model.add_bool_or(row)
        elif low > 1:
            model.add(sum(row) >= low)
        if high == 1 < len(row):
            model.add_at_most_one(row)
        elif high < len(row):
            model.add(sum(row) <= high)
    model.minimize(cp_model.LinearExpr.weighted_sum(variables, list(problem.costs)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    solver.parameters.max_time_in_seconds = seconds * BUSY
    with stopped(solver.stop_search, seconds):
        status = solver.solve(model)
    best = None
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        best = tuple(o for o, variable in enumerate(variables) if solver.boolean_value(variable))
    return best, _raised(solver.best_objective_bound)


def _raised(bound: float) -> int | None:
    """A bound in floating point as the whole number above it: all costs are whole."""
    return math.ceil(bound - EDGE * max(abs(bound), 1.0)) if math.isfinite(bound) else None


SOLVERS: dict[str, tuple[str, Solve]] = {
    "covr": ("covr", covr),
    "highs": ("highspy", highs),
    "cpsat": ("ortools", cpsat),
}


def main(name: str, path: Path, seconds: float) -> dict[str, Any]:
    """found, bound, seconds: of the run.  proved: whether the two meet.  sound: whether the cover is one."""
    if path.name in MADE:
        problem = MADE[path.name]()
    else:
        kind = format_of(path.name)
        assert kind is not None
        problem = kind.reader(path.read_text(encoding="utf-8"))
    solve = SOLVERS[name][1]
    solve(build([(1, 3)] * 3, [[0, 1], [1, 2], [0, 2]], costs=[1, 1, 1]), seconds)
    begin = time.process_time()
    best, bound = solve(problem, seconds)
    spent = time.process_time() - begin
    found = None if best is None else cost(problem, best)
    sound = best is None or check(problem, best) is None
    return {"found": found, "bound": bound, "proved": found == bound, "sound": sound, "seconds": spent}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]))))
