"""A problem as rows of a 0/1 program: what HiGHS and CP-SAT are given.

Every option becomes a 0/1 variable, every item two bounds on the sum of its options. A coloured item has a 0/1 variable
for each colour; at most one of these is 1, and each option of the item implies the variable of its colour. A total is a
row with its coefficients.
"""

from __future__ import annotations

from collections.abc import Sequence

from covr.engine.base.extras import Unsuited
from covr.engine.base.heed import heeded
from covr.engine.problem import Problem
from covr.engine.sides import Total
from covr.frozen import frozen

FEW = 16  # items between two looks at the limits; an item may be in all options


@frozen
class SolverRow:
    """A row: low <= sum of weight · variable <= high. None means no bound."""

    low: int | None
    high: int | None
    terms: tuple[tuple[int, int], ...]  # variable, weight


def rows(problem: Problem) -> tuple[int, list[SolverRow]]:
    """The number of variables, of which the options come first, and the rows."""
    found: list[SolverRow] = []
    variables = problem.options
    # A pair takes 64 bytes: of options that are in many items, all entries are the same one.
    once: Sequence[tuple[int, int]] = [(o, 1) for o in heeded(range(variables))]
    for i in heeded(range(problem.items), FEW):
        held = list(problem.column(i))
        low, high = min(problem.low[i], len(held) + 1), problem.high[i]
        if not any(colour for _, colour in held):
            if low > 0 or high < len(held):
                terms = tuple([once[o] for o, _ in held])
                found.append(SolverRow(low if low > 0 else None, high if high < len(held) else None, terms))
            continue
        shown = {colour: variables + k for k, colour in enumerate(sorted({c for _, c in held if c}))}
        variables += len(shown)
        plain = [once[o] for o, colour in held if not colour]
        found.append(SolverRow(None, 1, (*plain, *((v, 1) for v in shown.values()))))
        found += [SolverRow(0, None, ((shown[colour], 1), (o, -1))) for o, colour in held if colour]
    found += [SolverRow(1, None, (once[o],)) for o in problem.given]
    for side in heeded(problem.sides, FEW):
        if not isinstance(side, Total):
            raise Unsuited("the engines `highs` and `cpsat` take totals, but no connections and no loops; use `sides`")
        variables = _total_rows(side, variables, found)
    return variables, found


def _total_rows(total: Total, variables: int, found: list[SolverRow]) -> int:
    """Add the rows of a total; returns how many variables there are with its own: where the sums are several ranges,
    one for each of these, of which one is 1."""
    least, most = (sum(c for _, c in total.terms if c * sign > 0) for sign in (-1, 1))
    ranges = [(max(low, least), min(high, most)) for low, high in total.sums if low <= most and high >= least]
    if not ranges:
        found.append(SolverRow(1, None, ()))
    elif len(ranges) == 1:
        found.append(SolverRow(*ranges[0], total.terms))
    else:
        chosen = range(variables, variables + len(ranges))
        found.append(SolverRow(1, 1, tuple((v, 1) for v in chosen)))
        lows, highs = (tuple((v, -ends[k]) for v, ends in zip(chosen, ranges, strict=True) if ends[k]) for k in (0, 1))
        found += [SolverRow(0, None, (*total.terms, *lows)), SolverRow(None, 0, (*total.terms, *highs))]
        variables += len(ranges)
    return variables
