"""The LP format of CPLEX, which HiGHS, SCIP, Gurobi and GLPK read: `covr convert MODEL out.lp`.

Costs are minimised; for a model with `maximize` they are the values with the opposite sign.
"""

from __future__ import annotations

from collections.abc import Iterator

from covr.compiler.formats.linear import Linear, total
from covr.engine import Problem


def write_lp(problem: Problem) -> Iterator[str]:
    """The lines of an LP file."""
    linear = Linear(problem)
    for line in linear.legend():
        yield f"\\ {line}\n"
    costs = [(c, o) for o, c in enumerate(linear.costs) if c]
    yield f"Minimize\n obj: {total(costs)}\nSubject To\n"
    number = 0
    for row in linear.rows():
        text = total(row.terms)
        sides = [("=", row.low)] if row.low == row.high else [(">=", row.low), ("<=", row.high)]
        for sign, side in sides:
            if side is not None:
                number += 1
                yield f" c{number}: {text} {sign} {side}\n"
    if not number:
        yield " c1: x1 >= 0\n"
    yield "Binary\n"
    for v in range(linear.variables):
        yield f" x{v + 1}\n"
    yield "End\n"
