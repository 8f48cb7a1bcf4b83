"""What estimates with prices share: the rows of a node, and the value of prices.

**Lagrange's bound.** Charge a price y[i] >= 0 for every unit of need that is not met, and forget that it must be. A
completion then costs at least

    L(y) = sum of need[i] y[i]  +  sum of min(0, rc[o]),    rc[o] = cost[o] - sum of y[i] over the items of o,

since for a completion x: cost x >= cost x + sum of y[i] (need[i] - how many of x hold i) >= L(y), term by term. Upper
bounds and colours only forbid completions, so this holds for any problem; negative costs are part of min(0, rc).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from covr.engine.estimates.view import View


@frozen
class Rows:
    """A node in plain lists. items: the uncovered ones.  needs: of these.  options: the live ones that reach any.
    costs, reach: of these; reach in places of `items`.  rest: the negative costs of live options that reach none."""

    items: list[int]
    needs: list[int]
    options: list[int]
    costs: list[int]
    reach: list[list[int]]
    rest: int

    @classmethod
    def of(cls, view: View) -> Rows:
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

    def value(self, prices: Sequence[float]) -> float:
        """L(y). Time O(length of the live options)."""
        paid = sum(need * y for need, y in zip(self.needs, prices, strict=True))
        return self.rest + paid + sum(rc for rc in self.reduced(prices) if rc < 0)


def value(view: View, prices: Mapping[int, float]) -> float:
    """L(y) at a node for prices by item number; negative ones count as 0. With mercy for rounding errors."""
    rows = Rows.of(view)
    total = rows.value([max(prices.get(i, 0), 0) for i in rows.items])
    return total - 1e-6 - 1e-12 * sum(map(abs, rows.costs))
