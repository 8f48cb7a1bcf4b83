"""A MiniZinc model: `covr convert MODEL out.mzn && minizinc -a out.mzn`. Costs are minimised.

The model prints the numbers of the options taken, counted from 1, as a set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from covr.compiler.formats.linear import Linear, Term
from covr.engine import Problem


def write_minizinc(problem: Problem) -> Iterator[str]:
    """The lines of a MiniZinc model."""
    linear = Linear(problem)
    for line in linear.legend():
        yield f"% {line}\n"
    yield f"array [1..{linear.variables}] of var 0..1: x;\n"
    for row in linear.rows():
        text = _sum(row.terms)
        sides = [("=", row.low)] if row.low == row.high else [(">=", row.low), ("<=", row.high)]
        for sign, side in sides:
            if side is not None:
                yield f"constraint {text} {sign} {side};\n"
    costs = [(c, o) for o, c in enumerate(linear.costs) if c]
    if linear.costs:
        yield f"var int: cost = {_sum(costs) if costs else '0'};\nsolve minimize cost;\n"
    else:
        yield "solve satisfy;\n"
    chosen = f"\\({{i | i in 1..{problem.options} where fix(x[i]) = 1}})"
    yield f'output ["{chosen}' + ('", " cost ", show(cost)];\n' if linear.costs else '"];\n')


def _sum(terms: Sequence[Term]) -> str:
    return "sum([" + ", ".join(f"x[{v + 1}]" if f == 1 else f"{f} * x[{v + 1}]" for f, v in terms) + "])"
