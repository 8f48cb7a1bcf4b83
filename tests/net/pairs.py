"""Which kinds of statements were drawn together, and which the language refuses together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations

Pair = tuple[str, str]

# Pairs that no model may hold, with the code of the refusal; the names of each in their order.
REFUSED: dict[Pair, str] = {
    ("maximize", "minimize"): "E111",
    ("answers by", "up to map"): "E427",
    ("answers by", "up to area"): "E427",
    ("prefer", "up to map"): "E428",
    ("prefer", "up to area"): "E428",
}


def pairs_of(kinds: Iterable[str]) -> set[Pair]:
    return set(combinations(sorted(set(kinds)), 2))


@cache
def chances() -> list[tuple[int, Pair]]:
    """Seeds, each with a pair to draw, so that every pair is drawn: the first pair that the draws before left out.

    It takes a second, so nothing calls it while tests are collected.
    """
    from tests.net.drawn import draw
    from tests.net.kinds import KINDS

    left, found = pairs_of(KINDS), []
    while left:
        seed, pair = len(found), min(left, key=lambda p: (p in REFUSED, p))
        drawn = draw(seed, pair)
        assert pair in drawn.pairs
        left -= drawn.pairs
        found.append((seed, pair))
    return found
