"""Problems whose minimum is asked for, none of them a cover: published ones, and random ones from short generators."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from pathlib import Path

from attrs import frozen

from covr.engine import Problem, build

OPTIMA = {
    "bus-t1.dlx": 7, "bus-t2.dlx": 19, "bus-r1.dlx": 11, "bus-r2.dlx": 14, "bus-r4.dlx": 25, "bus-c1.dlx": 26,
    "bus-c2.dlx": 29, "packing-64-129.json": -20856, "packing-100-400.json": -37464, "costs-pent4x15.dlx": 216,
    "costs-pent6x10.dlx": 298, "costs-queens13.dlx": 122,
}  # fmt: skip


@frozen
class BestInstance:
    """optimum: where it is published.  make: the problem."""

    name: str
    make: Callable[[], Problem]
    optimum: int | None = None


def published(folder: Path) -> list[BestInstance]:
    """Those of the published ones that are in the folder."""
    return [
        BestInstance(name.rpartition(".")[0], _reader(folder / name), best)
        for name, best in OPTIMA.items()
        if (folder / name).exists()
    ]


def _reader(path: Path) -> Callable[[], Problem]:
    def read() -> Problem:
        from covr.compiler.formats import format_of

        found = format_of(path.name)
        assert found is not None
        return found.reader(path.read_text(encoding="utf-8"))

    return read


def generated() -> list[BestInstance]:
    """Random ones, the same every time."""
    return [
        BestInstance("packing 60/1000", lambda: packing(60, 1000, 8)),
        BestInstance("packing 200/2000", lambda: packing(200, 2000, 5)),
        BestInstance("ranges 40/300", lambda: ranges(40, 300)),
        BestInstance("ranges 80/800", lambda: ranges(80, 800)),
        BestInstance("assignment 40", lambda: assignment(40)),
        BestInstance("triples 20/600", lambda: triples(20, 600)),
        BestInstance("crews 50/1000", lambda: crews(50, 1000)),
        BestInstance("independent 40/6", lambda: independent(40, 6)),
        BestInstance("independent 60/10", lambda: independent(60, 10)),
        BestInstance("nurses 16", lambda: nurses(16)),
        BestInstance("squares 4", lambda: squares(4)),
    ]


def packing(items: int, options: int, longest: int) -> Problem:
    """The dearest set of options no two of which share an item."""
    draw = random.Random(1)
    sets = [draw.sample(range(items), draw.randint(1, longest)) for _ in range(options)]
    return build([(0, 1)] * items, sets, costs=[-draw.randint(1, 1000) for _ in sets])


def ranges(items: int, options: int) -> Problem:
    """Every kind of bounds; costs of both signs."""
    draw = random.Random(1)
    bounds = [draw.choice([(2, 4), (1, 3), (3, 3), (0, 2), (2, options)]) for _ in range(items)]
    bounds.sort(key=lambda b: b[0] == 0)
    sets = [draw.sample(range(items), draw.randint(2, 5)) for _ in range(options)]
    return build(bounds, sets, costs=[draw.randint(-20, 100) for _ in sets])


def assignment(size: int) -> Problem:
    """One in each row and column."""
    draw = random.Random(1)
    sets = [[r, size + c] for r, c in product(range(size), repeat=2)]
    return build([(1, 1)] * (2 * size), sets, costs=[draw.randint(1, 100) for _ in sets])


def triples(size: int, options: int) -> Problem:
    """A cheapest perfect matching in three parts."""
    draw = random.Random(1)
    sets = [[i, size + i, 2 * size + i] for i in range(size)]
    sets += [[k * size + draw.randrange(size) for k in range(3)] for _ in range(options)]
    return build([(1, 1)] * (3 * size), sets, costs=[draw.randint(1, 100) for _ in sets])


def crews(items: int, options: int) -> Problem:
    """Set partitioning: tours that cost about as much as they are long."""
    draw = random.Random(1)
    order = list(range(items))
    sets = []
    for _ in range(3):
        draw.shuffle(order)
        sets += [sorted(order[k : k + 5]) for k in range(0, items, 5)]
    while len(sets) < options:
        sets.append(sorted(draw.sample(range(items), draw.randint(2, 7))))
    return build([(1, 1)] * items, sets, costs=[draw.randint(5, 20) * len(s) + draw.randint(0, 30) for s in sets])


def independent(vertices: int, degree: int) -> Problem:
    """A largest set of vertices of a random graph no two of which are neighbours."""
    draw = random.Random(1)
    edges = [draw.sample(range(vertices), 2) for _ in range(vertices * degree // 2)]
    sets = [[k for k, edge in enumerate(edges) if v in edge] for v in range(vertices)]
    return build([(0, 1)] * len(edges), sets, costs=[-1] * vertices)


def nurses(count: int) -> Problem:
    """A week's rota: so many in every shift, three or four days each, two nights at most, rest after a night."""
    draw = random.Random(1)
    bounds: list[tuple[int, int]] = []
    number: dict[tuple[object, ...], int] = {}

    def item(low: int, high: int, *key: object) -> None:
        number[key] = len(bounds)
        bounds.append((low, high))

    for day, shift in product(range(7), range(3)):
        need = count // (4, 8, 8)[shift]
        item(need, need, "need", day, shift)
    for nurse in range(count):
        item(3, 4, "days", nurse)
    for nurse in range(count):
        item(0, 2, "nights", nurse)
        for day in range(7):
            item(0, 1, "day", nurse, day)
            item(0, 1, "rest", nurse, day)
    sets, costs = [], []
    for nurse, day, shift in product(range(count), range(7), range(3)):
        held = [number["need", day, shift], number["days", nurse], number["day", nurse, day]]
        if shift == 2:
            held += [number["nights", nurse], number["rest", nurse, day]]
        elif day > 0:
            held.append(number["rest", nurse, day - 1])
        sets.append(held)
        costs.append((10 if draw.random() < 0.2 else 0) + 2 * (shift == 2) + draw.randint(0, 1))
    return build(bounds, sets, costs=costs)


def squares(size: int) -> Problem:
    """Edge-matching squares: a cheapest filling of a board with 24 kinds of square, edges of three colours."""
    draw = random.Random(1)
    tiles = [[draw.randint(1, 3) for _ in range(4)] for _ in range(24)]
    cells = size * size
    across, down = size * (size + 1), (size + 1) * size
    sets: list[list[int | tuple[int, int]]] = []
    for (r, c), tile in product(product(range(size), repeat=2), tiles):
        left, top = cells + r * (size + 1) + c, cells + across + r * size + c
        sides = zip((left, left + 1, top, top + size), tile, strict=True)
        sets.append([r * size + c, *sides])
    bounds = [(1, 1)] * cells + [(0, 1)] * (across + down)
    return build(bounds, sets, costs=[draw.randint(1, 50) for _ in sets])
