"""Bounds and proofs from a linear program's duals, rounded to whole numbers: no rounding error can make them wrong.

For any price y of each row, an answer costs at least

    sum of y[r] · (the low bound of r if y[r] > 0, else its high bound)  +  sum of min(0, reduced cost of v),

where the reduced cost of a variable is its cost minus the prices of the rows that it is in, each times its factor there
(Lagrange's bound; see estimates/relaxed.py, which has the same for items that need options). That holds for any prices
whatever, so they may come from a solver that computes in floats: they are rounded to multiples of 2**-SCALE, and the
sum is exact. With all costs 0, a bound above 0 proves that there is no answer at all (Farkas).
"""

from __future__ import annotations

from collections.abc import Sequence

from covr.engine.base.heed import heeded
from covr.engine.outside.solver_rows import SolverRow

SCALE = 30  # binary places that are kept of a price
MOST = 2.0**200  # prices that are not smaller, or no numbers at all, count as 0
FEW = 16  # rows between two looks at the limits


def rounded_bound(costs: Sequence[int], rows: Sequence[SolverRow], prices: Sequence[float]) -> int:
    """The bound, rounded up. costs: of the variables, each of which is 0 or 1.  prices: per row; one with the wrong
    sign for a row without a low or a high bound counts as 0. Time linear in the length of the rows."""
    total = 0
    reduced = [cost << SCALE for cost in heeded(costs)]
    for row, price in heeded(list(zip(rows, prices, strict=True)), FEW):
        y = int(price * (1 << SCALE)) if abs(price) < MOST else 0
        side = row.low if y > 0 else row.high
        if y == 0 or side is None:
            continue
        total += y * side
        for v, factor in row.terms:
            reduced[v] -= y * factor
    total += sum([rc for rc in heeded(reduced) if rc < 0])
    return -(-total >> SCALE)


def refutes(variables: int, rows: Sequence[SolverRow], ray: Sequence[float]) -> bool:
    """Whether prices prove that no values of 0 and 1 meet all rows. ray: of either sign, as solvers differ in it."""
    size = max([abs(y) for y in ray if abs(y) < MOST], default=0.0)
    if size == 0:
        return False
    free = [0] * variables
    return any(rounded_bound(free, rows, [sign * y / size for y in ray]) > 0 for sign in (1, -1))
