"""A chi-square test: do draws look as if everything had the same chance?"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

LIMIT = 3.29  # standard deviations: of uniform samples, one in two thousand is called biased


def looks_uniform(drawn: Mapping[object, int], kinds: int) -> bool:
    """drawn: how often each came up.  kinds: how many there are, also those that never did; a few draws for each.

    The statistic's cube root is normal to a good approximation (Wilson and Hilferty, 1931)."""
    total, freedom = sum(drawn.values()), kinds - 1
    expected = total / kinds
    chi = sum((n - expected) ** 2 for n in drawn.values()) / expected + (kinds - len(drawn)) * expected
    spread = 2 / (9 * freedom)
    return ((chi / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread) < LIMIT
