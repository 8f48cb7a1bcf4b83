"""What is used when nobody says: the engine's own choice.

For covering problems the kernel runs `price`, `dual` and `lagrange` as a cascade, but climbs only where what climbs
gained of late gives hope that this one ends the node; every 16th time it climbs all the same, so that the hope is
kept up with. So it is decided node by node, and without clocks, which estimate pays: near the root nothing ends a
node, deep down `price` is enough, and between them `lagrange` is worth its price. Measured against a probe of a few
thousand nodes that keeps the best of the three (docs/estimates.md): one that always chose right would gain 7% in the
mean, and most problems end sooner. Choosing by the mean work below climbed and below unclimbed nodes was an eighth
slower.

Elsewhere the prices of the root are carried along (engine/relaxation.py), and `classic` runs in compiled form at every
node of Dancing Links; linear programs (mixed.py) are an engine of their own. In Python it is this
function: `dual`, which costs as little as anything in Python can.
"""

from __future__ import annotations

from covr.engine.minimum.estimates.dual import dual
from covr.engine.minimum.estimates.view import View


def auto(view: View, cutoff: int | None) -> float:
    """As `dual`."""
    return dual(view, cutoff)
