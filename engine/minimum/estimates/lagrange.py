"""Lagrange's bound at prices that follow subgradients.

Begins with the prices of `dual`. Each step changes every price in proportion to what its item lacks when all options of
negative reduced cost are taken; the length of the step would reach the cutoff if the bound were linear. After 8 steps
in a row without progress, the length is halved, and the search continues from the best prices; it ends after 40 steps,
or when steps become tiny. The bound is that of the linear program to within a few thousandths, at a small part of the
time.

The kernel has the same loop in compiled form, keeps the prices from parent to child, and excludes and forces options
by their reduced costs; this is its plain twin.

Source: Held, Wolfe and Crowder (1974) for the steps; Beasley (1987) for set covering. Tried and not worth it: 12
steps (50 times the nodes on Steiner 27), deflected subgradients, stopping early when the bound looks out of reach.
"""

from __future__ import annotations

from covr.engine.minimum.estimates.dual import ascend
from covr.engine.minimum.estimates.relaxed import RelaxedRows
from covr.engine.minimum.estimates.view import View

STEPS = 40  # subgradient steps at most
PATIENCE = 8  # steps without progress, after which the length of a step is halved


def lagrange(view: View, cutoff: int | None) -> float:
    """The bound described above. Time O(STEPS · length of the live options)."""
    rows = RelaxedRows.of(view)
    if rows.starved:
        return float("inf")
    target = cutoff if cutoff is not None else sum(max(c, 0) for c in rows.costs) + 1
    return rows.value(climb(rows, ascend(rows), target)[1])


def climb(rows: RelaxedRows, prices: list[float], target: float, steps: int = STEPS) -> tuple[float, list[float]]:
    """The best value found in a climb from these prices, and the prices that give it."""
    best, kept, bad, pace = -float("inf"), prices, 0, 1.0
    for _ in range(steps):
        reduced = rows.reduced(prices)
        lack = list(rows.needs)
        total = float(rows.rest) + sum(need * y for need, y in zip(lack, prices, strict=True))
        for rc, reach in zip(reduced, rows.reach, strict=True):
            if rc < 0:
                total += rc
                for k in reach:
                    lack[k] -= 1
        bad = 0 if total > best + abs(best) * 1e-4 or best == -float("inf") else bad + 1
        if total > best:
            best, kept = total, prices
        norm = sum(g * g for g, y in zip(lack, prices, strict=True) if g > 0 or y > 0)
        if best >= target or norm == 0:
            break
        if bad >= PATIENCE:
            pace, bad, prices = pace / 2, 0, kept
            if pace < 0.004:
                break
        step = pace * max(1.02 * target - total, 0.5) / norm
        prices = [max(y + step * g, 0.0) for y, g in zip(prices, lack, strict=True)]
    return best, kept
