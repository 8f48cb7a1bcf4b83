"""Each uncovered item pays the least share of an option's cost.

An option shares its cost evenly among the uncovered items it reaches; an item pays, for every unit of its need, the
least share among its live options. No option is overpaid, so the prices are feasible for the dual of the linear
program, and on regular problems (every option reaches as many items, every item is in as many options) they are its
optimum. As cheap as `classic` and nearly always better.

Source: the bound for unicost problems is well known ("every option covers at most k items"); with shares per item it
is the first step of the dual greedy of Caprara, Fischetti and Toth (1999). Negative costs count as 0 here, and their
sum is added at the end.
"""

from __future__ import annotations

from covr.engine.minimum.estimates.relaxed import RelaxedRows
from covr.engine.minimum.estimates.view import View


def price(view: View, cutoff: int | None) -> float:
    """The bound described above. Time O(length of the live options)."""
    rows = RelaxedRows.of(view)
    if rows.starved:
        return float("inf")
    return rows.value(least_shares(rows))


def least_shares(rows: RelaxedRows) -> list[float]:
    """The prices, in the order of `rows.items`."""
    prices = [float("inf")] * len(rows.items)
    for cost, reach in zip(rows.costs, rows.reach, strict=True):
        for k in reach:
            prices[k] = min(prices[k], max(cost, 0) / len(reach))
    return prices
