"""Files that covr writes are run by the programs that they are written for, which must find as many answers and the
same optimum."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from covr.compiler.formats import FORMATS
from covr.engine import Problem, build, count, search
from tests.engine.problems import (
    assignment,
    brute,
    coloured_path,
    covering_design,
    domination,
    langford,
    queens,
    rooks,
    toy,
)
from tests.engine.strategies import problems
from tests.models import model_of

pytestmark = pytest.mark.long

MIXED = build(
    [(2, 3), (1, 9), (0, 1), (0, 2), (0, 1)],
    [[0, 1, (4, 1)], [0, (4, 2)], [0, 2], [0, 1, 2, 3], [1, 3], [3, (4, 1)], [(4, 2)], [], [0, 3, 4]],
    costs=[3, 1, 4, 1, 5, -2, 2, -1, 3],
    given=[4],
)
NONE = build([(1, 1), (1, 1), (3, 2)], [[0], [0, 2]])
EMPTY = build([(0, 1)], [])
STUCK = build([(1, 1), (1, 5)], [[0]])
PROBLEMS = {
    "toy": toy(),
    "queens 6": queens(6),
    "langford 7": langford(7),
    "rooks 3": rooks(3),
    "coloured path": coloured_path(4, 3),
    "mixed": MIXED,
    "none": NONE,
    "no options": EMPTY,
    "an item without options": STUCK,
}
PRICED = {
    "mixed": MIXED,
    "assignment": assignment([[4, 2, 8], [4, 3, 7], [3, 1, 6]]),
    "domination 5": domination(5),
    "covering design": covering_design(6, 3, 2),
}
every_problem = pytest.mark.parametrize("name", PROBLEMS)
every_priced = pytest.mark.parametrize("name", PRICED)


def module(name: str) -> Any:
    """A module that need not be here."""
    try:
        return importlib.import_module(name)
    except ImportError:
        pytest.skip(f"{name} is not installed")


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def written(folder: Path, name: str, problem: Problem) -> str:
    path = folder / f"problem{FORMATS[name].suffixes[0]}"
    path.write_text("".join(FORMATS[name].writer(problem)))
    return str(path)


def answers(problem: Problem) -> int:
    return count(problem).value


def optimum(problem: Problem) -> int | None:
    found = search(problem, goal="minimum")
    list(found)
    return found.best


@every_priced
@pytest.mark.parametrize("form", ["lp", "mps"])
def test_highs_finds_the_optimum(form: str, name: str, tmp_path: Path) -> None:
    solver = module("highspy").Highs()
    solver.setOptionValue("output_flag", False)
    solver.readModel(written(tmp_path, form, PRICED[name]))
    solver.run()
    assert round(solver.getInfo().objective_function_value) == optimum(PRICED[name])


@pytest.mark.parametrize("name", ["none", "an item without options"])
@pytest.mark.parametrize("form", ["lp", "mps"])
def test_highs_finds_that_there_is_none(form: str, name: str, tmp_path: Path) -> None:
    solver = module("highspy").Highs()
    solver.setOptionValue("output_flag", False)
    solver.readModel(written(tmp_path, form, PROBLEMS[name]))
    solver.run()
    assert "nfeasible" in solver.modelStatusToString(solver.getModelStatus())


def scip(path: str) -> Any:
    model = module("pyscipopt").Model()
    model.hideOutput()
    model.readProblem(path)
    return model


@every_problem
@pytest.mark.parametrize("form", ["lp", "mps", "opb"])
def test_scip_counts_as_many(form: str, name: str, tmp_path: Path) -> None:
    problem = PROBLEMS[name]
    model = scip(written(tmp_path, form, problem))
    found = 0
    variables = model.getVars()
    model.setObjective(0)
    model.setPresolve(0)
    while found <= answers(problem):
        model.optimize()
        if model.getStatus() != "optimal":
            break
        found += 1
        values = {v.name: round(model.getVal(v)) for v in variables}
        model.freeTransform()
        model.addCons(sum((1 - v) if values[v.name] else v for v in variables) >= 1)
    assert found == answers(problem)


@every_priced
@pytest.mark.parametrize("form", ["lp", "mps", "opb"])
def test_scip_finds_the_optimum(form: str, name: str, tmp_path: Path) -> None:
    model = scip(written(tmp_path, form, PRICED[name]))
    model.optimize()
    assert round(model.getObjVal()) == optimum(PRICED[name])


@every_problem
def test_a_sat_solver_counts_as_many(name: str, tmp_path: Path) -> None:
    module("pysat")
    formula = module("pysat.formula").CNF(from_file=written(tmp_path, "cnf", PROBLEMS[name]))
    expected = answers(PROBLEMS[name])
    with module("pysat.solvers").Cadical153(bootstrap_with=formula.clauses) as solver:
        models = {tuple(m) for m in islice(solver.enum_models(), expected + 1)}
    assert len(models) == expected
    assert {max(map(abs, m), default=0) for m in models} <= {formula.nv, 0}


@given(problem=problems())
def test_a_sat_solver_finds_the_very_answers(problem: Problem) -> None:
    """The SAT solver finds not only as many answers: its true options are exactly covr's answers, each found once."""
    module("pysat")
    formula = module("pysat.formula").CNF(from_string="".join(FORMATS["cnf"].writer(problem)))
    expected = brute(problem)
    with module("pysat.solvers").Minisat22(bootstrap_with=formula.clauses) as solver:
        models = list(islice(solver.enum_models(), len(expected) + 1))
    # A variable that no clause names is free; the solver does not know it.
    named = {abs(x) for clause in formula.clauses for x in clause}
    loose = [o for o in range(problem.options) if o + 1 not in named]
    found = [tuple(x - 1 for x in m if 0 < x <= problem.options) for m in models]
    every = [tuple(sorted({*f, *more} - (set(loose) - set(more)))) for f in found for k in range(len(loose) + 1)
             for more in combinations(loose, k)]  # fmt: skip
    assert sorted(set(every)) == sorted(expected)
    assert len(found) == len(set(found))


@every_priced
def test_a_maxsat_solver_finds_the_optimum(name: str, tmp_path: Path) -> None:
    module("pysat")
    path = written(tmp_path, "wcnf", PRICED[name])
    offset = next(int(line.split()[2]) for line in Path(path).read_text().splitlines() if line.startswith("c offset"))
    formula = module("pysat.formula").WCNF()
    for line in Path(path).read_text().splitlines():
        weight, *clause = line.split()
        if weight != "c":
            formula.append([int(x) for x in clause[:-1]], weight=None if weight == "h" else int(weight))
    with module("pysat.examples.rc2").RC2(formula) as solver:
        assert solver.compute() is not None
        assert solver.cost + offset == optimum(PRICED[name])


@every_problem
def test_minizinc_counts_as_many(name: str, tmp_path: Path) -> None:
    problem = PROBLEMS[name]
    text = "".join(FORMATS["minizinc"].writer(problem)).replace("solve minimize cost;", "solve satisfy;")
    (tmp_path / "m.mzn").write_text(text)
    found = subprocess.run(
        [program("minizinc"), "-a", str(tmp_path / "m.mzn")], capture_output=True, text=True, timeout=60, check=True
    )
    assert found.stdout.count("----------") == answers(problem)


@every_priced
def test_minizinc_finds_the_optimum(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, "minizinc", PRICED[name])
    found = subprocess.run([program("minizinc"), path], capture_output=True, text=True, timeout=60, check=True)
    assert "==========" in found.stdout
    assert found.stdout.split(" cost ")[-1].split()[0] == str(optimum(PRICED[name]))


@pytest.mark.parametrize("name", ["toy", "queens 6", "langford 7", "coloured path"])
def test_miniexact_reads_dlx(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, "dlx", PROBLEMS[name])
    found = subprocess.run(
        [program("miniexact"), "-c", "-e", path], capture_output=True, text=True, timeout=60, check=False
    )
    assert f"Found {answers(PROBLEMS[name])} solution" in found.stdout + found.stderr


@every_problem
@pytest.mark.parametrize("name_of", ["DLX1", "DLX2", "DLX3", "DLX6", "SSXCC", "XCCDC"])
def test_knuths_programs_count_as_many(name_of: str, name: str) -> None:
    """Those that the first comment names; benchmarks/formats.py asks them more."""
    text = "".join(FORMATS["dlx"].writer(PROBLEMS[name]))
    if name_of not in text.splitlines()[0].replace(",", "").split():
        return
    found = subprocess.run(
        [program(name_of.lower()), "m0"], input=text, capture_output=True, text=True, timeout=60, check=True
    )
    assert f"Altogether {answers(PROBLEMS[name])} solution" in found.stderr


@every_priced
@pytest.mark.parametrize(
    "command",
    [("cbc", "FILE", "solve", "quit"), ("glpsol", "--mps", "FILE", "-o", "/dev/stdout"), ("lp_solve", "-mps", "FILE")],
)
def test_programs_that_ask_for_fixed_columns_find_the_optimum(
    command: tuple[str, ...], name: str, tmp_path: Path
) -> None:
    path = written(tmp_path, "mps", PRICED[name])
    words = [program(command[0]), *(path if word == "FILE" else word for word in command[1:])]
    found = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
    value = re.search(r"Objective(?: value)?:\s+(?:\S+ = )?(-?[\d.]+)|objective function: (-?[\d.]+)", found.stdout)
    assert value is not None and round(float(value[1] or value[2])) == optimum(PRICED[name]), found.stdout


MINIEXACT = [
    "< a b > [x]\na x; b x:1; b; a b;",
    "p xcc 2 1\n1 3 -1 0 2 3 -1 0 2 3 -2 0 1 0\n",
    "<a b:2 c:1;2>\nb; a b c; b c; c;",
]


@pytest.mark.parametrize("text", MINIEXACT)
def test_miniexact_reads_its_own_notation_as_we_do(text: str, tmp_path: Path) -> None:
    (tmp_path / "problem.xcc").write_text(text)
    found = subprocess.run(
        [program("miniexact"), "-m" if ":2" in text else "-c", "-e", str(tmp_path / "problem.xcc")],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert f"Found {answers(FORMATS['xcc'].reader(text))} solution" in found.stdout + found.stderr


def test_a_model_goes_through_every_format(tmp_path: Path) -> None:
    """A model with labels that no format has room for, up to the optimum in two programs."""
    from covr.compiler import compile_model

    text = 'cells r, c in 1..4\nchoose q(r, c)\nexactly one q per r "row: {r} | é"\nat most one q per c\n'
    text += "minimize r * c of q"
    problem = compile_model(model_of(text)).problem
    model = scip(written(tmp_path, "lp", problem))
    model.optimize()
    assert round(model.getObjVal()) == optimum(problem)
    assert "x1 = q(1, 1)" in (tmp_path / "problem.lp").read_text()
