"""What estimates with prices share: the rows of a node, and the value of prices.

**Lagrange's bound.** Drop the condition that needs must be met, and charge a price y[i] >= 0 instead for every unit of
need that is not met. A completion then costs at least

    L(y) = sum of need[i] y[i]  +  sum of min(0, rc[o]),    rc[o] = cost[o] - sum of y[i] over the items of o,

because for a completion x: cost x >= cost x + sum of y[i] (need[i] - how many of x hold i) >= L(y), term by term. Upper
bounds and colours only exclude completions, so this holds for any problem; negative costs are part of min(0, rc). If an
item takes exactly as many options as it needs, its price is multiplied by 0, so that price may be negative.

**In whole numbers.** Any prices give a bound, so it does no harm that they are found in floats, which lose digits. But
their value must be exact: prices are rounded down to multiples of 2**-SCALE, and L is computed from these in whole
numbers of any size and rounded up once. So the bound is proved for all allowed costs, without any allowance for
rounding errors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from covr.engine.minimum.estimates.view import View
from covr.frozen import frozen

SCALE = 30  # binary places that are kept of a price


@frozen
class RelaxedRows:
    """A node in plain lists. items: the uncovered items.  needs: the need of each.  options: the live options that hold
    any of them.  costs: the cost of each.  reach: per option, its items, as positions in `items`.  rest: the sum of the
    negative costs of live options that hold none of the items."""

    items: list[int]
    needs: list[int]
    options: list[int]
    costs: list[int]
    reach: list[list[int]]
    rest: int

    @classmethod
    def of(cls, view: View) -> RelaxedRows:
        """The rows of the node that a view shows. Time O(length of the live options)."""
        items = list(view.uncovered())
        place = {i: k for k, i in enumerate(items)}
        options = sorted({o for i in items for o in view.options(i)})
        costs = [view.cost(o) for o in options]
        return cls(
            items,
            [view.need(i) for i in items],
            options,
            costs,
            [[place[i] for i in view.reach(o)] for o in options],
            view.credit - sum(min(c, 0) for c in costs),
        )

    @property
    def starved(self) -> bool:
        """Whether an item has fewer options than it needs, so that there is no completion."""
        count = [0] * len(self.items)
        for reach in self.reach:
            for k in reach:
                count[k] += 1
        return any(c < need for c, need in zip(count, self.needs, strict=True))

    def reduced(self, prices: Sequence[float]) -> list[float]:
        """The reduced costs: each option's cost minus the prices of its items."""
        return [cost - sum(prices[k] for k in reach) for cost, reach in zip(self.costs, self.reach, strict=True)]

    def value(self, prices: Sequence[float]) -> int:
        """L(y) rounded up, exact for the rounded prices. A price may be negative only if its item takes exactly as many
        options as it needs. Time O(length of the live options)."""
        most = (sum(map(abs, self.costs)) + 1) << SCALE
        units = [max(min(_units(y, most), most), -most) for y in prices]
        total = self.rest << SCALE
        total += sum([need * y for need, y in zip(self.needs, units, strict=True)])
        for cost, reach in zip(self.costs, self.reach, strict=True):
            rc = (cost << SCALE) - sum([units[k] for k in reach])
            if rc < 0:
                total += rc
        return -(-total >> SCALE)


def _units(price: float, most: int) -> int:
    """A price in units of 2**-SCALE, rounded down; `most` if it is infinite, 0 if it is nan."""
    if price != price:
        return 0
    if math.isinf(price):
        return most if price > 0 else -most
    top, bottom = price.as_integer_ratio()
    return (top << SCALE) // bottom


def is_exact(view: View, item: int) -> bool:
    """Whether an uncovered item takes exactly as many options as it needs."""
    return view.problem.low[item] == view.problem.high[item]


def value(view: View, prices: Mapping[int, float]) -> int:
    """L(y) at a node, exact and rounded up. prices: by item number, 0 for items not named; negative prices count as 0
    unless the item is exact (`is_exact`)."""
    rows = RelaxedRows.of(view)
    return rows.value([y if is_exact(view, i) else max(y, 0) for i in rows.items for y in (prices.get(i, 0),)])
