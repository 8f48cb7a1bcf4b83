"""A bound as a row of a proof: rows times whole prices, added to the row that says what an answer may cost.

Let y[r] >= 0 be a price for each row `sum of a[r][v] · x[v] >= d[r]`, and let answers be wanted with `costs <= most`.
Then `scale` times the second, less each row times its price, is a row that every such answer meets:

    sum of (scale · c[v] - sum of y[r] · a[r][v]) · x[v]  <=  scale · most - sum of y[r] · d[r]

Its coefficients are reduced costs. If it can't be met at all, nothing is as cheap; else unit propagation over it
excludes every variable whose reduced cost is too high, and closes every node in which what is taken leaves too little
room. The prices come from steps along subgradients (kernels/mixed/_row_prices.py), which approach the duals of the
linear program, and are rounded: the row is right whatever they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from covr.engine.kernels.loading import load
from covr.frozen import frozen

STEPS = 4000  # of the search for prices, where rows are few
WORK = 100_000_000  # entries that all steps may read: half a second
INTERPRETED = 1_000_000  # the same without a compiler
SCALE = 2**12  # prices are multiples of a cost's 4096th
ROOM = 2**60  # what the numbers of the row add up to is below this
ENDLESS = 1e30  # what stands for a bound that a row does not have

Terms = Sequence[tuple[int, int]]


@frozen
class PricedRow:
    """scale: what the row of the costs is multiplied by.  prices: (row, price), prices above 0.  terms, degree: the row
    `sum of coefficient · variable >= degree` that this makes, with `costs <= most` as `-costs >= -most`."""

    scale: int
    prices: tuple[tuple[int, int], ...]
    terms: tuple[tuple[int, int], ...]
    degree: int


def priced_row(variables: int, rows: Sequence[tuple[Terms, int]], costs: Sequence[int], most: int) -> PricedRow | None:
    """The row, or None if no price is above 0 or numbers would be too large. rows: (terms, degree).  costs: per option;
    the options are the first variables."""
    prices = _prices(variables, rows, costs)
    if prices is None:
        return None
    total = sum(map(abs, costs)) + abs(most) + 1
    sizes = [sum(abs(c) for c, _ in terms) + abs(degree) for terms, degree in rows]
    weight = sum(y * size for y, size in zip(prices, sizes, strict=True))
    scale = min(SCALE, int(ROOM / (total + weight)))
    whole = [(r, y) for r, price in enumerate(prices) if (y := round(price * scale)) > 0]
    if scale < 1 or not whole:
        return None
    sums = [-scale * c for c in costs] + [0] * (variables - len(costs))
    degree = -scale * most
    for r, y in whole:
        terms, least = rows[r]
        degree += y * least
        for c, v in terms:
            sums[v] += y * c
    return PricedRow(scale, tuple(whole), tuple([(c, v) for v, c in enumerate(sums) if c]), degree)


def _prices(variables: int, rows: Sequence[tuple[Terms, int]], costs: Sequence[int]) -> list[float] | None:
    """A price per row, in units of cost and at least 0; None if there is nothing to find."""
    size = max(map(abs, costs), default=0)
    if not size or not rows:
        return None
    starts, members, factors = [0], list[int](), list[float]()
    for terms, _ in rows:
        members += [v for _, v in terms]
        factors += [float(c) for c, _ in terms]
        starts.append(len(members))
    module = load("_row_prices")
    kernel = module.RowPrices(
        [*[c / size for c in costs], *[0.0] * (variables - len(costs))], starts, members, factors,
        [float(degree) for _, degree in rows], [ENDLESS] * len(rows),
    )  # fmt: skip
    most = WORK if module.COMPILED else INTERPRETED
    kernel.run(min(STEPS, most // (len(members) + variables + len(rows)) + 1))
    return [max(size * y, 0.0) for y in kernel.prices()]
