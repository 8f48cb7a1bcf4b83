"""One file read by a program that is a package of Python: `PYTHON _formats_peers.py NAME FILE` writes `found` and the
least cost, `none` if there is no solution, or `refused`; `PYTHON _formats_peers.py NAME` writes its version, or nothing
if it is not installed. `PYTHON _formats_peers.py NAME FILE OUT` writes the file anew. Nothing of covr is
needed: any Python will do.
"""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path
from typing import Any

PACKAGES = {"HiGHS": "highspy", "SCIP": "pyscipopt", "PuLP": "pulp", "OR-Tools": "ortools", "RC2": "python-sat"}


def highs(file: str) -> Any:
    import highspy

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    if solver.readModel(file) == highspy.HighsStatus.kError:
        return "refused"
    solver.run()
    found = "Optimal" in solver.modelStatusToString(solver.getModelStatus())
    return solver.getObjectiveValue() if found else "none"


def scip(file: str) -> Any:
    import pyscipopt

    model = pyscipopt.Model()
    model.hideOutput()
    model.readProblem(file)
    model.optimize()
    return model.getObjVal() if model.getStatus() == "optimal" else "none"


def pulp(file: str) -> Any:
    import pulp

    _, problem = pulp.LpProblem.fromMPS(file)
    problem.solve(pulp.PULP_CBC_CMD(msg=False))
    if pulp.LpStatus[problem.status] != "Optimal":
        return "none"
    return 0 if problem.objective is None else pulp.value(problem.objective) or 0


def or_tools(file: str) -> Any:
    from ortools.linear_solver.python import model_builder

    model = model_builder.Model()
    if not (model.import_from_mps_file if file.endswith(".mps") else model.import_from_lp_file)(file):
        return "refused"
    solver = model_builder.Solver("sat")
    return solver.objective_value if solver.solve(model) == model_builder.SolveStatus.OPTIMAL else "none"


def rc2(file: str) -> Any:
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    with RC2(WCNF(from_file=file)) as solver:
        return "none" if solver.compute() is None else solver.cost


def highs_writes(file: str, out: str) -> None:
    import highspy

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.readModel(file)
    solver.writeModel(out)


def scip_writes(file: str, out: str) -> None:
    import pyscipopt

    model = pyscipopt.Model()
    model.hideOutput()
    model.readProblem(file)
    model.writeProblem(out, verbose=False)


def pulp_writes(file: str, out: str) -> None:
    import pulp

    _, problem = pulp.LpProblem.fromMPS(file)
    problem.writeMPS(out)


def or_tools_writes(file: str, out: str) -> None:
    from ortools.linear_solver.python import model_builder

    model = model_builder.Model()
    model.import_from_mps_file(file)
    Path(out).write_text(model.export_to_mps_string(False))


WRITERS = {"HiGHS": highs_writes, "SCIP": scip_writes, "PuLP": pulp_writes, "OR-Tools": or_tools_writes}
SOLVERS = {"HiGHS": highs, "SCIP": scip, "PuLP": pulp, "OR-Tools": or_tools, "RC2": rc2}


def main() -> None:
    name, *files = sys.argv[1:]
    try:
        version = metadata.version(PACKAGES[name])
    except metadata.PackageNotFoundError:
        return
    if not files:
        print(version)
        return
    try:
        if len(files) > 1:
            WRITERS[name](*files)
        else:
            print("found", SOLVERS[name](files[0]))
    except Exception as fault:  # a reader's fault is what is asked for
        print("found refused", repr(fault)[:200])


if __name__ == "__main__":
    main()
