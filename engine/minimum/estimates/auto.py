"""The estimate that is used by default: the engine's own choice.

For covering problems the kernel runs `price`, `dual` and `lagrange` as a cascade, but climbs only if, judging by what
recent climbs gained, this one is likely to end the node; every 16th climb is made in any case, to keep that judgement
up to date. So it is decided at each node, and without clocks, which estimate pays: near the root nothing ends a
node, deep down `price` is enough, and between them `lagrange` is worth its time. The alternative is a probe of a few
thousand nodes that keeps the best of the three (docs/estimates.md): if it always chose right it would gain 7% on
average, and most problems end before it could. Choosing by the mean work below nodes with and without a climb was an
eighth slower.

After about a second a tree of linear programs has a small part of the time, for a bound that rises (programs.py).

Elsewhere that tree comes first (mixed.py). Beside it, at every node of Dancing Links, the prices of the root are
carried along (relaxation.py), and `classic` runs in compiled form. In Python this estimate is this function: `dual`,
which costs as little as anything in Python can.
"""

from __future__ import annotations

from covr.engine.minimum.estimates.dual import dual
from covr.engine.minimum.estimates.view import View


def auto(view: View, cutoff: int | None) -> float:
    """The bound of `dual`."""
    return dual(view, cutoff)
