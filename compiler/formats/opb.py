"""OPB, the format of pseudo-Boolean solvers. Costs are minimised.

Source: O. Roussel and V. Manquinho, "Input/output format and solver requirements for the competitions of
pseudo-Boolean solvers" (2012).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from covr.compiler.formats.linear import Linear, Term
from covr.engine import Problem


def write_opb(problem: Problem) -> Iterator[str]:
    """The lines of an OPB file. The first one says how many follow, so the constraints are generated twice."""
    linear = Linear(problem)
    yield f"* #variable= {linear.variables} #constraint= {sum(1 for _ in _constraints(linear))}\n"
    for line in linear.legend():
        yield f"* {line}\n"
    if linear.costs:
        yield f"min: {_sum([(c, o) for o, c in enumerate(linear.costs) if c] or [(0, 0)])} ;\n"
    yield from _constraints(linear)


def _constraints(linear: Linear) -> Iterator[str]:
    for row in linear.rows():
        if row.low == row.high:
            yield f"{_sum(row.terms)} = {row.low} ;\n"
            continue
        if row.low is not None:
            yield f"{_sum(row.terms)} >= {row.low} ;\n"
        if row.high is not None:
            yield f"{_sum([(-f, v) for f, v in row.terms])} >= {-row.high} ;\n"


def _sum(terms: Sequence[Term]) -> str:
    return " ".join(f"{f:+d} x{v + 1}" for f, v in terms)
