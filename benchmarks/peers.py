"""One run of one solver: `PYTHON peers.py NAME FILE.dlx QUESTION` writes a JSON object; any Python will do.

It needs nothing of covr but for the solvers named covr…, and of the others only the one it runs. QUESTION is `all`
(every answer, counted one by one where the solver allows it) or `one` (the first answer) or `count` (how many, by
whatever means). What is timed is CPU time, of all threads, from a list of options to the result; reading the file and
importing are not. xcover compiles itself when it is first called: it solves a tiny problem beforehand.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

Options = list[list[str]]
Asked = Callable[[list[str], list[str], Options, str], int]


class Unfit(Exception):
    """The solver can't be asked this."""


def read(path: str) -> tuple[list[str], list[str], Options]:
    """Primary items, secondary items and options of a .dlx file without bounds and costs."""
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("|")]
    head = lines[0]
    bar = head.index("|") if "|" in head else len(head)
    return head[:bar], head[bar + 1 :], lines[1:]


def _plain(secondary: list[str], options: Options, *, no_secondary: bool = False) -> None:
    if any(":" in item for option in options for item in option):
        raise Unfit("no colours")
    if no_secondary and secondary:
        raise Unfit("no secondary items")


def _numbered(primary: list[str], secondary: list[str], options: Options) -> list[list[int]]:
    """Options as item numbers; secondary items get an option of their own, so that they may stay uncovered."""
    number = {name: k for k, name in enumerate([*primary, *secondary])}
    return [[number[i] for i in option] for option in options] + [[number[i]] for i in secondary]


def _length(found: Iterable[Any], question: str) -> int:
    if question == "one":
        return sum(1 for _ in zip(found, range(1), strict=False))
    return sum(1 for _ in found)


def miniexact(primary: list[str], secondary: list[str], options: Options, question: str) -> int:
    from miniexact import miniexacts_c  # type: ignore[import-not-found]

    solver = miniexacts_c()
    numbers = {name: solver.primary(name) for name in primary} | {name: solver.secondary(name) for name in secondary}
    colours: dict[str, int] = {}
    for option in options:
        for item in option:
            name, mark, colour = item.partition(":")
            if mark:
                if colour not in colours:
                    colours[colour] = solver.color(colour)
                solver.add(numbers[name], colours[colour])
            else:
                solver.add(numbers[name])
        solver.add(0)
    solve, found = solver.solve, 0
    while solve() == 10:
        found += 1
        if question == "one":
            break
    return found


def xcover(primary: list[str], secondary: list[str], options: Options, question: str) -> int:
    from xcover import covers  # type: ignore[import-not-found]

    coloured = any(":" in item for option in options for item in option)
    return _length(covers(options, primary=primary, secondary=secondary, colored=coloured), question)


def pyxcc(primary: list[str], secondary: list[str], options: Options, question: str) -> int:
    import pyxcc as module  # type: ignore[import-not-found]

    main = set(primary)
    rows = [
        module.Option(
            str(k), [i for i in option if i in main], [tuple(i.partition(":")[::2]) for i in option if i not in main]
        )
        for k, option in enumerate(options)
    ]
    solver = module.Solver() if hasattr(module, "Solver") else module
    return int(solver.solve(module.Problem(primary, secondary, rows), question != "one").count())


def exact_cover(primary: list[str], secondary: list[str], options: Options, question: str) -> int:
    import exact_cover as module  # type: ignore[import-not-found]
    import numpy as np

    _plain(secondary, options)
    rows = _numbered(primary, secondary, options)
    matrix = np.zeros((len(rows), len(primary) + len(secondary)), dtype=np.int32)
    for k, row in enumerate(rows):
        matrix[k, row] = 1
    if question == "one":
        module.get_exact_cover(matrix)
        return 1
    return int(module.get_solution_count(matrix))


def dlx_cython(primary: list[str], secondary: list[str], options: Options, question: str) -> int:
    import numpy as np
    from dlxsolver import DLXSolver  # type: ignore[import-not-found]

    _plain(secondary, options, no_secondary=True)
    rows = _numbered(primary, secondary, options)
    matrix = np.zeros((len(rows), len(primary)), dtype=np.int32)
    for k, row in enumerate(rows):
        matrix[k, row] = 1
    solver = DLXSolver(matrix)
    return int(solver.solve_one() is not None) if question == "one" else len(solver.solve(find_all=True))


def passagemath(primary: list[str], secondary: list[str], options: Options, question: str) -> int:
    from sage.combinat.matrices.dancing_links import dlx_solver  # type: ignore[import-not-found]

    _plain(secondary, options)
    solver, found = dlx_solver(_numbered(primary, secondary, options)), 0
    while solver.search() == 1:
        found += 1
        if question == "one":
            break
    return found


def clingo(primary: list[str], secondary: list[str], options: Options, question: str) -> int:
    from clingo import Control  # type: ignore[import-not-found]

    holders: dict[str, list[int]] = {}
    shown: dict[str, dict[str, list[int]]] = {}
    for k, option in enumerate(options):
        for item in option:
            name, mark, colour = item.partition(":")
            if mark:
                shown.setdefault(name, {}).setdefault(colour, []).append(k)
            else:
                holders.setdefault(name, []).append(k)
    program = ["{" + ";".join(f"x({k})" for k in range(len(options))) + "}."]
    for name in primary:
        program.append(":- not 1 {" + ";".join(f"x({k})" for k in holders.get(name, [])) + "} 1.")
    for at, name in enumerate(secondary):
        kinds = [f"x({k})" for k in holders.get(name, [])]
        for number, users in enumerate(shown.get(name, {}).values()):
            program += [f"c({at},{number}) :- x({k})." for k in users]
            kinds.append(f"c({at},{number})")
        program.append(":- 2 {" + ";".join(kinds) + "}.")
    control = Control(["1" if question == "one" else "0", "--project", "--warn=none"])
    control.add("base", [], "\n".join([*program, "#show x/1."]))
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        return sum(1 for _ in models)


def ortools(primary: list[str], secondary: list[str], options: Options, question: str) -> int:
    from ortools.sat.python import cp_model  # type: ignore[import-not-found, unused-ignore]

    _plain(secondary, options)
    model = cp_model.CpModel()
    chosen = [model.new_bool_var(str(k)) for k in range(len(options))]
    holders: dict[str, list[Any]] = {name: [] for name in [*primary, *secondary]}
    for k, option in enumerate(options):
        for item in option:
            holders[item].append(chosen[k])
    for name in primary:
        model.add_exactly_one(holders[name])
    for name in secondary:
        model.add_at_most_one(holders[name])

    class Counter(cp_model.CpSolverSolutionCallback):  # type: ignore[misc, unused-ignore]
        found = 0

        def on_solution_callback(self) -> None:
            self.found += 1

    solver, counter = cp_model.CpSolver(), Counter()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = question != "one"
    solver.solve(model, counter)
    return counter.found


def _covr(engine: str, jobs: int = 1) -> Asked:
    def ask(primary: list[str], secondary: list[str], options: Options, question: str) -> int:
        import covr.engine as module

        number = {name: k for k, name in enumerate([*primary, *secondary])}
        colours: dict[str, int] = {}
        rows: list[list[int | tuple[int, int]]] = [
            [
                (number[name], colours.setdefault(colour, len(colours) + 1)) if mark else number[name]
                for name, mark, colour in (item.partition(":") for item in option)
            ]
            for option in options
        ]
        problem = module.build([(1, 1)] * len(primary) + [(0, 1)] * len(secondary), rows)
        words: dict[str, Any] = {"engine": engine}
        if "jobs" in {field.name for field in module.Settings.__attrs_attrs__}:
            words["jobs"] = jobs
        limits = module.Limits(answers=1) if question == "one" else module.Limits()
        settings = module.Settings(**words)
        if question == "all":
            # Every answer is met, none is known from a memo; it is counted, as by peers that only count.
            alone = module.Settings(**words, memory=0)
            return int(module.search(problem, limits=limits, settings=alone).count())
        if question == "count":
            return int(module.count(problem, limits, settings).value)
        return sum(1 for _ in module.search(problem, limits=limits, settings=settings))

    return ask


SOLVERS: dict[str, tuple[str, Asked]] = {
    "covr": ("covr", _covr("auto")),
    "covr links": ("covr", _covr("links")),
    "covr sat": ("covr", _covr("sat")),
    "miniexact": ("miniexact", miniexact),
    "xcover": ("xcover", xcover),
    "pyxcc": ("pyxcc", pyxcc),
    "exact-cover": ("exact-cover", exact_cover),
    "dlx-cython": ("dlx-cython", dlx_cython),
    "passagemath": ("passagemath-combinat", passagemath),
    "clingo": ("clingo", clingo),
    "ortools": ("ortools", ortools),
}


def main() -> None:
    name, path, question = sys.argv[1:]
    package, solve = SOLVERS[name]
    result: dict[str, Any] = {"solver": name, "version": importlib.metadata.version(package)}
    try:
        solve(["a", "b"], [], [["a"], ["b"], ["a", "b"]], question)
        primary, secondary, options = read(path)
        start = time.process_time()
        result["found"] = solve(primary, secondary, options, question)
        result["seconds"] = time.process_time() - start
    except Unfit as why:
        result["unfit"] = str(why)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
