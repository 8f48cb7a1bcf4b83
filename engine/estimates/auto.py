"""What is used when nobody says: the engine's own choice.

For covering problems the kernel runs `price`, `dual` and `lagrange` as a cascade and drops what does not pay (see
engine/cover.py). Elsewhere `classic` runs in compiled form at every node. In Python it is this function: `dual`,
which costs as little as anything in Python can.
"""

from __future__ import annotations

from covr.engine.estimates.dual import dual
from covr.engine.estimates.view import View


def auto(view: View, cutoff: int | None) -> float:
    """As `dual`."""
    return dual(view, cutoff)
