"""Dual ascent: prices are raised one by one, as far as no option is overpaid.

Begins with the prices of `price`. Then the price of each item, those with the fewest options first, is raised by the
least amount by which one of its options is still underpaid. One pass is enough: a second one could not raise any price.

Source: the dual ascent of Bilde and Krarup (1977) and Erlenkotter (1978) for plant location, for set covering in
Fisher and Kedia (1990), "Optimal solution of set covering/partitioning problems using dual heuristics".
"""

from __future__ import annotations

from covr.engine.minimum.estimates.price import least_shares
from covr.engine.minimum.estimates.relaxed import RelaxedRows
from covr.engine.minimum.estimates.view import View


def dual(view: View, cutoff: int | None) -> float:
    """The bound described above. Time O(length of the live options)."""
    rows = RelaxedRows.of(view)
    if rows.starved:
        return float("inf")
    return rows.value(ascend(rows))


def ascend(rows: RelaxedRows) -> list[float]:
    """The prices, in the order of `rows.items`."""
    prices = least_shares(rows)
    left = [max(rc, 0.0) if cost >= 0 else 0.0 for rc, cost in zip(rows.reduced(prices), rows.costs, strict=True)]
    holders: list[list[int]] = [[] for _ in rows.items]
    for o, reach in enumerate(rows.reach):
        for k in reach:
            holders[k].append(o)
    for k in sorted(range(len(prices)), key=lambda k: len(holders[k])):
        rise = min(left[o] for o in holders[k])
        prices[k] += rise
        for o in holders[k]:
            left[o] -= rise
    return prices
