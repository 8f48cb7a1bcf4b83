"""What estimates with prices share: the rows of a node, and the value of prices.

**Lagrange's bound.** Charge a price y[i] >= 0 for every unit of need that is not met, and forget that it must be. A
completion then costs at least

    L(y) = sum of need[i] y[i]  +  sum of min(0, rc[o]),    rc[o] = cost[o] - sum of y[i] over the items of o,

since for a completion x: cost x >= cost x + sum of y[i] (need[i] - how many of x hold i) >= L(y), term by term. Upper
bounds and colours only forbid completions, so this holds for any problem; negative costs are part of min(0, rc). Where
an item takes exactly as many as it needs, what the price is multiplied with is 0, and the price may be negative.

**In whole numbers.** Any prices give a bound, so it does no harm that ours are found in floats, where digits are lost.
What they are worth must lose none: prices are cut to multiples of 2**-SCALE, and L is worked out of those in whole
numbers of any size and rounded up once. So the bound is proved for every cost that is allowed, and nothing is added
or taken off "for rounding errors".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from attrs import frozen

from covr.engine.minimum.estimates.view import View

SCALE = 30  # binary places that a price is cut to


@frozen
class RelaxedRows:
    """A node in plain lists. items: the uncovered ones.  needs: of these.  options: the live ones that reach any.
    costs, reach: of these; reach in places of `items`.  rest: the negative costs of live options that reach none."""

    items: list[int]
    needs: list[int]
    options: list[int]
    costs: list[int]
    reach: list[list[int]]
    rest: int

    @classmethod
    def of(cls, view: View) -> RelaxedRows:
        """What is left at the node that a view shows. Time O(length of the live options)."""
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
        """Whether an item has fewer options than it needs: there is no completion."""
        count = [0] * len(self.items)
        for reach in self.reach:
            for k in reach:
                count[k] += 1
        return any(c < need for c, need in zip(count, self.needs, strict=True))

    def reduced(self, prices: Sequence[float]) -> list[float]:
        """The options' costs less the prices of their items."""
        return [cost - sum(prices[k] for k in reach) for cost, reach in zip(self.costs, self.reach, strict=True)]

    def value(self, prices: Sequence[float]) -> int:
        """L(y) rounded up, exact for the prices as they are cut. Prices may be negative where an item takes exactly as
        many options as it needs, and nowhere else. Time O(length of the live options)."""
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
    """A price in units of 2**-SCALE, rounded down; `most` for what is endless, 0 for what is no number."""
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
    """L(y) at a node for prices by item number, those not named being 0; exact, rounded up. Negative prices of items
    that are not exact count as 0."""
    rows = RelaxedRows.of(view)
    return rows.value([y if is_exact(view, i) else max(y, 0) for i in rows.items for y in (prices.get(i, 0),)])
