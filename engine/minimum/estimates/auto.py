"""The estimate that is used by default: the engine's own choice.

For covering problems the kernel runs `price`, `dual` and `lagrange` as a cascade. The climb of `lagrange` is made only
if, judging by the gains of recent climbs, it is likely to end the node; every 16th climb is made in any case, to keep
that judgement up to date. So each node decides, without a clock, which estimate pays: near the root none of them ends a
node, deep in the tree `price` is enough, and in between `lagrange` is worth its time. The alternative would be to try
the three on a few thousand nodes and keep the best (docs/estimates.md); if it always chose right it would gain 7 % on
average, but most problems end before that. Choosing by the mean work below nodes with and without a climb was slower by
an eighth.

After about a second, a tree of linear programs gets a small part of the time, for a bound that rises (mixed.py).

For other problems that tree comes first (mixed.py). Beside it, the prices of the root are used at all nodes of Dancing
Links (relaxation.py), and `classic` runs in compiled form. In Python, `auto` is this function, which is `dual`, because
that takes as little time as an estimate in Python can.
"""

from __future__ import annotations

from covr.engine.minimum.estimates.dual import dual
from covr.engine.minimum.estimates.view import View


def auto(view: View, cutoff: int | None) -> float:
    """The bound of `dual`."""
    return dual(view, cutoff)
