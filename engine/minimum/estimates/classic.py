"""The strike-out count known from the literature.

Take an uncovered item, count the least that it must cost by itself, strike every item that any of its live options
holds, and repeat with the items that are not struck. Counted items share no live option, so no option is counted twice.

What keeps it admissible beyond unit costs and a need of one:
- an item that needs k more options takes at least k of its live ones, and counts k times the cheapest of
  them;
- a negative cost counts as 0 there, and the sum of all negative live costs is added once at the end: the positive costs
  of a completion are at least what was counted, and its negative costs are at best all there are;
- upper bounds and colours only exclude completions, so they need no special care.

Source: the "h function" of published repeat-cover solvers (DLX with IDA*); items are taken in increasing
number. The kernel has the same loop in compiled form; this is its twin and oracle.
"""

from __future__ import annotations

from covr.engine.minimum.estimates.view import View


def classic(view: View, cutoff: int | None) -> float:
    """The count described above. Time O(length of the live options of the counted items)."""
    total: float = view.credit
    struck: set[int] = set()
    for i in view.uncovered():
        if i in struck:
            continue
        options = view.options(i)
        if not options:
            return float("inf")
        total += view.need(i) * min(max(view.cost(o), 0) for o in options)
        for o in options:
            struck.update(view.reach(o))
    return total
