"""The large problems of `python -m benchmarks large` that are made, by name; the others are published files."""

from __future__ import annotations

import random
from collections.abc import Callable

from covr.engine import Problem, build


def packing(options: int, items: int, size: int, seed: int) -> Problem:
    """Random options of so many items, worth 1 to 100 each, no two of which may meet: the most they are worth, as the
    least cost."""
    rng = random.Random(seed)
    rows = [sorted(rng.sample(range(items), size)) for _ in range(options)]
    return build([(0, 1)] * items, rows, costs=[-rng.randint(1, 100) for _ in rows])


MADE: dict[str, Callable[[], Problem]] = {
    "packing 50 000 × 5000": lambda: packing(50_000, 5000, 5, 1),
}
