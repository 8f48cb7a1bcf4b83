"""Symmetries that are found by looking: two items, or two options, that can change places. Nothing here is shared with
the engine, which finds symmetries by partitions (symmetries.py)."""

from __future__ import annotations

from itertools import combinations, pairwise

from covr.engine import Problem

Image = tuple[int, ...]  # of a permutation: where each option goes
Held = tuple[tuple[tuple[int, int], ...], int, bool]  # an option: items with colours, its cost, whether it is given


def swaps(problem: Problem) -> list[Image]:
    """For every two items that can change places, where the options go then; and the exchanges of two equal options.
    Each carries the problem to itself."""
    p = problem
    given, costs = set(p.given), p.costs or (0,) * p.options
    held: list[Held] = [
        (tuple(zip(p.option(o), p.option_colours(o), strict=True)), costs[o], o in given) for o in range(p.options)
    ]
    alike: dict[Held, list[int]] = {}
    for o, option in enumerate(held):
        alike.setdefault(option, []).append(o)
    images = [_exchanged(p.options, a, b) for same in alike.values() for a, b in pairwise(same)]
    for i, j in combinations(range(p.items), 2):
        if (p.low[i], p.high[i]) == (p.low[j], p.high[j]):
            image = _moved(held, alike, {i: j, j: i})
            if image is not None and image not in images:
                images.append(image)
    return [image for image in images if image != tuple(range(p.options))]


def _exchanged(options: int, a: int, b: int) -> Image:
    return tuple(b if o == a else a if o == b else o for o in range(options))


def _moved(held: list[Held], alike: dict[Held, list[int]], place: dict[int, int]) -> Image | None:
    """Where the options go with their items, equal ones in their order; None where one has nowhere to go."""
    image = [-1] * len(held)
    for (pairs, cost, is_given), own in alike.items():
        moved = tuple(sorted((place.get(i, i), colour) for i, colour in pairs))
        there = alike.get((moved, cost, is_given), ())
        if len(there) != len(own):
            return None
        for o, to in zip(own, there, strict=True):
            image[o] = to
    return tuple(image)
