"""Random covers that a group of permutations carries to themselves, or nearly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations, product
from random import Random

from covr.engine import Problem, build

Map = Sequence[int]


def ring(n: int) -> list[Map]:
    """Generators of the turns and mirrors of n points."""
    return [[(k + 1) % n for k in range(n)], [-k % n for k in range(n)]]


def affine(p: int) -> list[Map]:
    """Generators of the maps x → a x + b modulo a prime of which 2 or 3 is a generator."""
    factor = 3 if p == 7 else 2
    return [[(k + 1) % p for k in range(p)], [k * factor % p for k in range(p)]]


def cube(d: int) -> list[Map]:
    """Generators of the symmetries of the corners of a cube."""
    corners = list(product(range(2), repeat=d))
    flip = [corners.index((1 - c[0], *c[1:])) for c in corners]
    return [flip, *([corners.index(tuple(c[k] for k in order)) for c in corners] for order in permutations(range(d)))]


def grid(r: int, c: int) -> list[Map]:
    """Generators of all permutations of rows and of columns."""
    places = list(product(range(r), range(c)))
    rows = [[places.index((p[x], y)) for x, y in places] for p in permutations(range(r))]
    return rows + [[places.index((x, p[y])) for x, y in places] for p in permutations(range(c))]


def pairs(n: int) -> list[Map]:
    """Generators of what all permutations of n points do to their pairs."""
    both = list(combinations(range(n), 2))
    ways = [[*range(1, n), 0], [1, 0, *range(2, n)]]
    return [[both.index((min(w[a], w[b]), max(w[a], w[b]))) for a, b in both] for w in ways]


SMALL: list[list[Map]] = [
    *(ring(n) for n in range(3, 10)), affine(5), affine(7), cube(2), cube(3), grid(2, 3), grid(3, 3), pairs(4), []
]  # fmt: skip


LARGE: list[list[Map]] = [*(ring(n) for n in (20, 31, 32, 33, 63, 64, 65)), affine(11), affine(13), cube(4), pairs(6)]


def spread(block: frozenset[int], maps: Sequence[Map]) -> list[frozenset[int]]:
    """A block and all its images."""
    found = {block}
    frontier = [block]
    while frontier:
        one = frontier.pop()
        for move in maps:
            image = frozenset(move[p] for p in one)
            if image not in found:
                found.add(image)
                frontier.append(image)
    return sorted(found, key=sorted)


def made(rng: Random, groups: Sequence[list[Map]], most: int, dearest: int) -> Problem:
    """A cover that a group carries to itself, with costs and needs constant on its orbits; or nearly such a cover.

    The points are the items, and the images of some blocks the options; or the other way round.
    """
    maps = rng.choice(groups)
    points = len(maps[0]) if maps else rng.randint(2, 6)
    blocks: list[tuple[frozenset[int], int]] = []
    for _ in range(rng.randint(1, 3)):
        size = min(points, rng.choice((1, 2, 2, 3, 3, 4)))
        price = rng.randint(1, dearest)
        fresh = [(b, price) for b in spread(frozenset(rng.sample(range(points), size)), maps)]
        if len(blocks) + len(fresh) <= most:
            blocks += fresh
    if rng.random() < 0.5 and blocks and points <= most:
        prices = rng.choice([1, rng.randint(1, dearest)])
        options = [[k for k, (b, _) in enumerate(blocks) if p in b] for p in range(points)]
        needs = [min(max(1, rng.choice((0, 0, price - 1))), len(b)) for b, price in blocks]
        costs = [prices] * points
    else:
        options = [sorted(b) for b, _ in blocks]
        needs = [rng.choice((1, 1, 2))] * points
        costs = [price for _, price in blocks]
    if options and rng.random() < 0.3:
        k = rng.randrange(len(options))
        twist = rng.randrange(4)
        if twist == 0:
            costs[k] += 1
        elif twist == 1:
            options[k] = options[k][1:]
        elif twist == 2 and needs:
            needs[rng.randrange(len(needs))] += 1
        else:
            options.append(options[k])
            costs.append(costs[k])
    return build([(need, 99) for need in needs], options, costs=costs)
