"""Random problems with sides: items with any bounds, colours, given options, costs; totals, connections, circuits,
areas."""

from __future__ import annotations

import random
from collections.abc import Sequence

from covr.engine import AreaDemand, Areas, Circuit, Connection, Problem, Side, Total, build
from covr.engine.problem import options_of

SMALL = 9  # options, at most, where every set of them is tried
BOUNDS = ((1, 1), (1, 1), (1, 1), (0, 1), (0, 1), (1, 2), (2, 2), (0, 2), (2, 3), (1, 99), (0, 99), (0, 0), (3, 1))
LIKELY = (9, 9, 9, 9, 9, 3, 3, 3, 2, 3, 1, 0.3, 0.2)


def sided(rng: random.Random, most: int = SMALL, costs: bool | None = None) -> Problem:
    """A random problem with one to three sides and at most so many options."""
    options = rng.randint(1, most)
    items = rng.randint(0, max(options, 3))
    bounds = sorted(rng.choices(BOUNDS, LIKELY, k=items), key=lambda b: b[0] == 0)
    dense = rng.choice((0.15, 0.3, 0.5))
    tinted = rng.random() < 0.3
    rows = [
        [(i, rng.randint(0, 2) if tinted and bounds[i] == (0, 1) else 0) for i in range(items) if rng.random() < dense]
        for _ in range(options)
    ]
    for i in range(items):  # some items exclude: a run of options for each
        if bounds[i] == (1, 1) and rng.random() < 0.5:
            first, last = sorted(rng.choices(range(options + 1), k=2))
            for o, row in enumerate(rows):
                row[:] = sorted({*(pair for pair in row if pair[0] != i), *([(i, 0)] if first <= o < last else [])})
    scale = rng.choice((0, 0, 1, 5, 10**6)) if costs is None else 5 if costs else 0
    return build(
        bounds,
        rows,
        costs=[rng.randint(-scale // 2, scale) for _ in range(options)] if scale else (),
        given=rng.sample(range(options), 1) if rng.random() < 0.15 else (),
        sides=[side(rng, options) for _ in range(rng.choice((1, 1, 1, 2, 3, 5)))],
    )


def side(rng: random.Random, options: int) -> Side:
    """A random side over so many options."""
    return rng.choice((total, total, connection, circuit, areas))(rng, options)


def total(rng: random.Random, options: int) -> Total:
    """Some coefficients, small or large, and some sums that may be reached."""
    scale = rng.choice((1, 2, 5, 9, 40, 200, 10**5, 2**57))
    low = rng.choice((0, 0, -scale))
    named = [o for o in range(options) if rng.random() < 0.8]
    if rng.random() < 0.25 and len(named) > 1:  # one option needs another of some, or several need one
        last = rng.randrange(len(named))
        many = rng.random() < 0.5
        terms = tuple((o, len(named) if many else 1) if k == last else (o, -1) for k, o in enumerate(named))
        if not many:
            terms = tuple((o, -c) for o, c in terms)
        return Total(terms, ((0, options * options),), "needs")
    terms = tuple((o, c) for o in named if (c := rng.randint(low, scale)))
    values = [c for _, c in terms]
    sums: list[tuple[int, int]] = []
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3)) if rng.random() < 0.1 else rng.choice((1, 1, 2, 3))):
        first = sum(rng.sample(values, rng.randint(0, len(values)))) + rng.choice((0, 0, 0, 1, -1))
        last = first + rng.choice((0, 0, 1, scale, 3 * scale))
        if all(last + 1 < a or b + 1 < first for a, b in sums):
            sums.append((first, last))
    return Total(terms, tuple(sorted(sums)), rng.choice(("", "total")))


def connection(rng: random.Random, options: int) -> Connection:
    """A random graph, or a small grid, with options standing at one or two vertices."""
    vertices = rng.randint(1, options + 2)
    if rng.random() < 0.5:
        wide = rng.randint(1, 3)
        edges = [(v, v + 1) for v in range(vertices - 1) if (v + 1) % wide]
        edges += [(v, v + wide) for v in range(vertices - wide)]
    else:
        edges = [(u, v) for v in range(vertices) for u in range(v) if rng.random() < 0.3]
    every = [v + 3 for v in range(vertices)]
    places = [(o, rng.choice(every)) for o in range(options) for _ in range(rng.choice((0, 1, 1, 1, 2)))]
    if rng.random() < 0.3:
        places = [(o, every[o % vertices]) for o in range(options)]
    return Connection(tuple(places), tuple(sorted({(u + 3, v + 3) for u, v in edges})), rng.choice(("", "sea")))


def areas(rng: random.Random, options: int) -> Areas:
    """A random connection with vertices that are always met, walls, and demands for each area or around anchors."""
    base = connection(rng, options)
    vertices = sorted({v for _, v in base.places} | {v for edge in base.edges for v in edge} | {99})
    places = [pair for pair in base.places if rng.random() < 0.9]
    always = [v for v in vertices if rng.random() < rng.choice((0, 0, 0.3))]
    walls = rng.choice((0, 0, 1, 3)) if base.edges else 0
    cuts = [(rng.randrange(options), *rng.choice(base.edges)) for _ in range(walls)]
    if base.edges and rng.random() < 0.2:  # a division: all is met, and each line may be a wall
        always, cuts = vertices, [(k % options, u, v) for k, (u, v) in enumerate(base.edges)]
    demands = [_demand(rng, options, vertices, sorted(set(places))) for _ in range(rng.choice((0, 1, 1, 1, 2)))]
    return Areas(tuple(places), base.edges, tuple(demands), tuple(always), tuple(cuts), rng.choice(("", "land")))


def _demand(rng: random.Random, options: int, vertices: Sequence[int], places: Sequence[tuple[int, int]]) -> AreaDemand:
    terms = [(o, v, 1) for o, v in places]
    if rng.random() < 0.4:
        low = rng.choice((1, 1, -2))
        some = {(rng.randrange(options), rng.choice(vertices)) for _ in range(rng.randint(0, options + 2))}
        terms = [(o, v, weight) for o, v in sorted(some) if (weight := rng.randint(low, 3))]
    first = rng.choice((0, 0, 1, 1, 2, 2, 3, 4))
    sums = [(first, first + rng.choice((0, 0, 0, 1, 2, 9)))]
    if rng.random() < 0.2:
        sums.append((sums[0][1] + 2, sums[0][1] + rng.choice((2, 3))))
    anchors = tuple(v for v in vertices if rng.random() < 0.3) if rng.random() < 0.5 else None
    return AreaDemand(tuple(terms), tuple(sums[: rng.choice((1, 1, 1, 1, 2, 2, 0))]), anchors, rng.random() < 0.5)


def circuit(rng: random.Random, options: int) -> Circuit:
    """Lines of a random graph with few corners, loops by themselves and double lines among them."""
    corners = rng.randint(1, max(2, options // 2 + 1))
    ends = [(o, rng.randrange(corners), rng.randrange(corners)) for o in range(options) if rng.random() < 0.9]
    if rng.random() < 0.7:
        ends = [(o, u, v) for o, u, v in ends if u != v]
    return Circuit(tuple(ends), rng.choice(("", "loop")))


def moved(one: Side, by: int) -> Side:
    """The same side, over options of numbers that are higher by so much."""
    if isinstance(one, Total):
        return Total(tuple((o + by, c) for o, c in one.terms), one.sums, one.name)
    if isinstance(one, Connection):
        return Connection(tuple((o + by, v) for o, v in one.places), one.edges, one.name)
    if isinstance(one, Areas):
        return one.with_options({o: o + by for o in options_of(one)})
    return Circuit(tuple((o + by, u, v) for o, u, v in one.ends), one.name)


def side_by_side(problems: Sequence[Problem]) -> Problem:
    """Problems that have nothing to do with each other, as one; costs are left out."""
    items = [(low > 0, k, i) for k, p in enumerate(problems) for i, low in enumerate(p.low)]
    order = sorted(items, key=lambda item: (not item[0], item[1:]))
    place = {(k, i): n for n, (_, k, i) in enumerate(order)}
    rows: list[list[tuple[int, int]]] = []
    sides: list[Side] = []
    given: list[int] = []
    for k, p in enumerate(problems):
        given += [o + len(rows) for o in p.given]
        sides += [moved(one, len(rows)) for one in p.sides]
        rows += [
            [(place[k, i], c) for i, c in zip(p.option(o), p.option_colours(o), strict=True)] for o in range(p.options)
        ]
    bounds = [(problems[k].low[i], problems[k].high[i]) for _, k, i in order]
    return build(bounds, rows, given=given, sides=sides)
