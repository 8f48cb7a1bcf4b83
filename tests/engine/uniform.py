"""Whether draws are uniform: what chance a drawer gives to each answer, and a chi-square test of what was drawn."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

from covr.engine.sampling.sample import Drawer

LIMIT = 3.29  # standard deviations: of uniform samples, one in two thousand is called biased


def looks_uniform(drawn: Mapping[object, int], kinds: int) -> bool:
    """drawn: how often each came up.  kinds: how many there are, also those that never did; a few draws for each.

    The statistic's cube root is normal to a good approximation (Wilson and Hilferty, 1931)."""
    total, freedom = sum(drawn.values()), kinds - 1
    expected = total / kinds
    chi = sum((n - expected) ** 2 for n in drawn.values()) / expected + (kinds - len(drawn)) * expected
    spread = 2 / (9 * freedom)
    return ((chi / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread) < LIMIT


Answer = tuple[int, ...]


def chances(drawer: Drawer) -> dict[Answer, Fraction]:
    """Every answer that may be drawn, and its chance: the product of those of the ways taken."""
    found: dict[Answer, Fraction] = {}
    stack = [(drawer.root, (), Fraction(1))] if drawer.total() else []
    while stack:
        node, taken, chance = stack.pop()
        if not node.active and not node.alive:
            answer = tuple(sorted([*taken, *drawer._given]))
            assert answer not in found
            found[answer] = chance
            continue
        ways = drawer.ways(node)
        below = sum(way.count for way in ways)
        for way in ways:
            if way.count:
                more = () if way.option is None else (way.option,)
                stack.append((way.node, (*taken, *more), chance * Fraction(way.count, below)))
    return found
