"""What HiGHS alone says about a problem, in a process of its own: nothing of covr's searches or writers is shared.

`ask` hands a problem over as plain numbers, and this file, run as a program, makes its own rows of them: items and
totals as sums, several allowed sums by a 0/1 variable for each range, colours by one for each, and a loop by cuts that
are added while the answer has more than one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from covr.engine import Problem

SURE = 0.5 - 1e-6  # what HiGHS may leave open between its bound and the best, as costs are whole numbers
ROOM = 60.0  # seconds beyond the limit, after which the process is ended

Row = tuple[float, float, list[tuple[int, int]]]


class Known:
    """What HiGHS says. best: the cost of its answer, or None.  bound: no answer costs less; None while there is none.
    proved: whether `best` is the minimum, or there is no answer.  answer: option numbers, increasing."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.best: int | None = told["best"]
        self.bound: int | None = told["bound"]
        self.proved: bool = told["proved"]
        self.answer: tuple[int, ...] = tuple(told["answer"])


def ask(problem: Problem, seconds: float) -> Known | None:
    """HiGHS's minimum; None where it can't be asked (connections), or did not answer in time."""
    told = plain(problem)
    if told is None:
        return None
    asked = json.dumps({**told, "seconds": seconds})
    words = [sys.executable, str(Path(__file__).resolve())]
    try:
        run = subprocess.run(words, input=asked, capture_output=True, text=True, timeout=seconds + ROOM, check=True)
    except subprocess.TimeoutExpired:
        return None
    return Known(json.loads(run.stdout.splitlines()[-1]))


def plain(problem: Problem) -> dict[str, Any] | None:
    """The problem as numbers and lists; None if it has connections."""
    totals, circuits = [], []
    for side in problem.sides:
        kind = type(side).__name__
        if kind == "Total":
            totals.append([side.terms, side.sums])
        elif kind == "Circuit":
            circuits.append(side.ends)
        else:
            return None
    return {
        "low": problem.low, "high": problem.high, "starts": [*problem.starts], "members": [*problem.members],
        "colours": [*problem.colours], "costs": [*problem.costs] or [0] * problem.options, "given": problem.given,
        "totals": totals, "circuits": circuits,
    }  # fmt: skip


def rows_of(told: dict[str, Any]) -> tuple[int, list[Row]]:
    """How many variables, options first, and their rows."""
    options = len(told["starts"]) - 1
    held: list[list[tuple[int, int]]] = [[] for _ in told["low"]]
    for o in range(options):
        for at in range(told["starts"][o], told["starts"][o + 1]):
            held[told["members"][at]].append((o, told["colours"][at] if told["colours"] else 0))
    rows: list[Row] = []
    variables = options
    for low, high, pairs in zip(told["low"], told["high"], held, strict=True):
        terms = [(o, 1) for o, colour in pairs if not colour]
        for colour in sorted({c for _, c in pairs if c}):
            rows += [(0.0, 1.0, [(variables, 1), (o, -1)]) for o, c in pairs if c == colour]
            terms.append((variables, 1))
            variables += 1
        rows.append((float(low), float(min(high, len(terms))), terms))
    for terms, sums in told["totals"]:
        pairs = [(o, c) for o, c in terms]
        reach = sum(abs(c) for _, c in terms) + 1
        ends = [(max(low, -reach), min(high, reach)) for low, high in sums]
        if len(ends) == 1:
            rows.append((float(ends[0][0]), float(ends[0][1]), pairs))
            continue
        picks = range(variables, variables + len(ends))
        variables += len(ends)
        rows.append((1.0, 1.0, [(v, 1) for v in picks]))
        rows.append((0.0, 9.0 * reach, [*pairs, *((v, -low) for v, (low, _) in zip(picks, ends, strict=True))]))
        rows.append((-9.0 * reach, 0.0, [*pairs, *((v, -high) for v, (_, high) in zip(picks, ends, strict=True))]))
    for ends in told["circuits"]:
        meets: dict[int, list[int]] = {}
        for o, u, v in ends:
            meets.setdefault(u, []).append(o)
            meets.setdefault(v, []).append(o)
        for lines in meets.values():
            rows.append((0.0, 0.0, [(variables, -2), *((o, lines.count(o)) for o in sorted(set(lines)))]))
            variables += 1
        rows.append((1.0, float(len(ends)), [(o, 1) for o, _, _ in ends]))
    return variables, rows


def loops(ends: Sequence[Sequence[int]], taken: set[int]) -> list[list[int]]:
    """The taken lines, by what hangs together."""
    group: dict[int, int] = {}

    def root(v: int) -> int:
        while group.setdefault(v, v) != v:
            v = group[v]
        return v

    for o, u, v in ends:
        if o in taken:
            group[root(u)] = root(v)
    found: dict[int, list[int]] = {}
    for o, u, _ in ends:
        if o in taken:
            found.setdefault(root(u), []).append(o)
    return list(found.values())


def cuts(ends: Sequence[Sequence[int]], taken: set[int]) -> list[Row]:
    """Rows that a loop obeys and several loops break: if all lines of one were taken, a line of another is not."""
    parts = loops(ends, taken)
    rows: list[Row] = []
    for part, other in zip(parts, [*parts[1:], parts[0]], strict=True) if len(parts) > 1 else ():
        places = {v for o, *pair in ends if o in part for v in pair}
        inner = [o for o, u, v in ends if u in places and v in places]
        rows.append((0.0, float(len(places)), [*((o, 1) for o in inner), (other[0], 1)]))
    return rows


def main() -> None:
    import highspy
    import numpy

    told = json.load(sys.stdin)
    variables, rows = rows_of(told)
    costs = told["costs"]
    solver = highspy.Highs()
    for name, value in (
        ("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0), ("mip_abs_gap", SURE),
        ("time_limit", told["seconds"]), ("mip_feasibility_tolerance", 1e-9),
    ):  # fmt: skip
        solver.setOptionValue(name, value)
    given = set(told["given"])
    for v in range(variables):
        solver.addVar(1.0 if v in given else 0.0, 1.0)
    every = numpy.arange(variables)
    solver.changeColsIntegrality(variables, every, numpy.full(variables, highspy.HighsVarType.kInteger))
    solver.changeColsCost(len(costs), numpy.arange(len(costs)), numpy.array(costs, float))

    def add(more: Sequence[Row]) -> None:
        for low, high, terms in more:
            solver.addRow(low, high, len(terms), [v for v, _ in terms], [float(c) for _, c in terms])

    add(rows)
    said: dict[str, Any] = {"best": None, "bound": None, "proved": False, "answer": []}
    while True:
        solver.run()
        status, info = solver.getModelStatus(), solver.getInfo()
        if status == highspy.HighsModelStatus.kInfeasible:
            said["proved"] = True
            break
        if abs(info.mip_dual_bound) < 1e15:
            said["bound"] = ceil(info.mip_dual_bound - 0.5)
        if info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
            break
        values = solver.getSolution().col_value
        taken = {o for o in range(len(costs)) if values[o] > 0.5}
        more = [row for ends in told["circuits"] for row in cuts(ends, taken)]
        optimal = status == highspy.HighsModelStatus.kOptimal
        if not more:
            said["best"], said["answer"] = sum(costs[o] for o in taken), sorted(taken)
            said["proved"] = optimal
            if optimal:
                said["bound"] = said["best"]
            break
        if not optimal:
            break
        add(more)
    print(json.dumps(said))


if __name__ == "__main__":
    main()
