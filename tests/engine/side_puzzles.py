"""Puzzles with totals, connections and loops, made by short generators. Cells are numbered row by row."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product

from covr.engine import Circuit, Connection, Problem, Total, build
from covr.engine.check import check_sides

Cell = tuple[int, int]


def magic(n: int) -> Problem:
    """Magic squares: the numbers 1 to n² once each, with the same sum in every row, column and diagonal."""
    size = n * n
    wanted = n * (size + 1) // 2
    lines = [[r * n + c for c in range(n)] for r in range(n)] + [[r * n + c for r in range(n)] for c in range(n)]
    lines += [[k * n + k for k in range(n)], [k * n + n - 1 - k for k in range(n)]]
    sides = [
        Total(tuple((cell * size + v, v + 1) for cell in sorted(line) for v in range(size)), ((wanted, wanted),))
        for line in lines
    ]
    return build([(1, 1)] * (2 * size), [[c, size + v] for c in range(size) for v in range(size)], sides=sides)


def board(n: int) -> list[Cell]:
    return [(r, c) for r in range(n) for c in range(n)]


def near(cell: Cell) -> Iterator[Cell]:
    r, c = cell
    yield from ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))


def grid_edges(n: int) -> tuple[tuple[int, int], ...]:
    """The pairs of neighbours on a board of n by n cells."""
    return tuple(
        sorted((r * n + c, a * n + b) for r, c in product(range(n), repeat=2) for a, b in ((r, c + 1), (r + 1, c))
               if a < n and b < n)
    )  # fmt: skip


def killer(n: int, high: int, wide: int, seed: int, size: Sequence[int] = (2, 3, 3, 4)) -> Problem:
    """A killer sudoku of n digits in boxes of high by wide, with cages of these sizes about a hidden answer."""
    rng = random.Random(seed)
    digits = rng.sample(range(n), n)
    rows = [g + r for g in rng.sample(range(0, n, high), n // high) for r in rng.sample(range(high), high)]
    columns = [g + c for g in rng.sample(range(0, n, wide), n // wide) for c in rng.sample(range(wide), wide)]
    hidden = {(i, j): digits[(wide * (r % high) + r // high + c) % n] for i, r in enumerate(rows)
              for j, c in enumerate(columns)}  # fmt: skip
    free, cages = set(hidden), []
    while free:
        cage = [min(free)]
        free.discard(cage[0])
        for _ in range(rng.choice(size) - 1):
            shown = {hidden[cell] for cell in cage}
            more = sorted({x for cell in cage for x in near(cell) if x in free and hidden[x] not in shown})
            if more:
                cage.append(rng.choice(more))
                free.discard(cage[-1])
        cages.append(cage)
    square = n * n
    bounds = [(1, 1)] * (4 * square)
    options = [
        [r * n + c, square + r * n + d, 2 * square + c * n + d,
         3 * square + (r // high * (n // wide) + c // wide) * n + d]
        for r in range(n) for c in range(n) for d in range(n)
    ]  # fmt: skip
    sides = []
    for cage in cages:
        for d in range(n):
            for r, c in cage:
                options[(r * n + c) * n + d].append(len(bounds))
            bounds.append((0, 1))
        wanted = sum(hidden[cell] + 1 for cell in cage)
        terms = sorted(((r * n + c) * n + d, d + 1) for r, c in cage for d in range(n))
        sides.append(Total(tuple(terms), ((wanted, wanted),)))
    return build(bounds, options, sides=sides)


def slitherlink(n: int, seed: int, keep: float) -> Problem:
    """One loop along the borders of n by n cells; of a hidden loop, some cells say how many borders are on it."""
    rng = random.Random(seed)
    names = [("-", r, c) for r in range(n + 1) for c in range(n)] + [
        ("|", r, c) for r in range(n) for c in range(n + 1)
    ]
    number = {name: k for k, name in enumerate(names)}

    def corner(r: int, c: int) -> int:
        return r * (n + 1) + c

    ends = [(corner(r, c), corner(r, c + 1) if way == "-" else corner(r + 1, c)) for way, r, c in names]
    loop = Circuit(tuple((k, u, v) for k, (u, v) in enumerate(ends)), "loop")
    alone = build([], [[]] * len(names), sides=[loop])

    def borders(cell: Cell) -> list[int]:
        r, c = cell
        return [number[name] for name in (("-", r, c), ("-", r + 1, c), ("|", r, c), ("|", r, c + 1))]

    cells = board(n)
    inside: set[Cell] = set()
    hidden: set[int] = set()
    for _ in range(20 * n * n):
        grown = inside ^ {rng.choice(cells)}
        around: set[int] = set()
        for cell in grown:
            around ^= set(borders(cell))
        if len(grown) > len(inside) and check_sides(alone, sorted(around)) is None:
            inside, hidden = grown, around
    bounds: list[tuple[int, int]] = []
    options: list[list[int]] = [[] for _ in names]
    clues = [(len(hidden.intersection(borders(cell))), cell) for cell in cells if rng.random() < keep]
    for clue, cell in sorted(clues, reverse=True):
        for k in borders(cell):
            options[k].append(len(bounds))
        bounds.append((clue, clue))
    return build(bounds, options, sides=[loop])


def nurikabe(n: int, seed: int, most: int = 4) -> Problem:
    """Islands of given sizes that do not touch, each about its number; the sea hangs together and fills no 2 by 2."""
    rng = random.Random(seed)
    cells = board(n)
    clues = _islands(n, most, rng)
    pairs = [(a, b) for a in cells for b in near(a) if a < b and b in set(cells)]
    pools = [(r, c) for r, c in cells if r < n - 1 and c < n - 1]
    item = {name: k for k, name in enumerate([*cells, *(("clue", k) for k in range(len(clues))), *pairs])}
    bounds = [(1, 1)] * (len(cells) + len(clues)) + [(0, 1)] * len(pairs) + [(0, 3)] * len(pools)
    first = len(item)
    options: list[list[int]] = []
    for r, c in cells:
        held = [first + k for k, (a, b) in enumerate(pools) if a in (r - 1, r) and b in (c - 1, c)]
        options.append([item[r, c], *held])
    others = {cell for cell, _ in clues}
    for k, (clue, size) in enumerate(clues):
        for shape in _shapes(clue, size, set(cells) - (others - {clue})):
            touched = [pair for pair in pairs if pair[0] in shape or pair[1] in shape]
            options.append([item["clue", k], *(item[cell] for cell in shape), *(item[pair] for pair in touched)])
    sea = Connection(tuple((k, k) for k in range(len(cells))), grid_edges(n), "sea")
    return build(bounds, options, sides=[sea])


def _islands(n: int, most: int, rng: random.Random) -> list[tuple[Cell, int]]:
    """Numbers of a hidden answer, with the cells they stand at: islands are put while the sea hangs together."""
    cells = set(board(n))
    sea, clues = set(cells), list[tuple[Cell, int]]()
    graph = build([], [[]] * (n * n), sides=[Connection(tuple((k, k) for k in range(n * n)), grid_edges(n))])
    while True:
        pools = [(r, c) for r, c in sorted(cells) if {(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} <= sea]
        free = [x for x in (pools or sorted(sea)) if x in sea and all(y in sea or y not in cells for y in near(x))]
        if not pools:
            return clues
        if not free or len(clues) > n * n:
            sea, clues = set(cells), []  # again
            continue
        clue = rng.choice(free)
        shape = rng.choice(sorted(map(sorted, _shapes(clue, rng.randint(1, most), set(free) | {clue}))) or [[clue]])
        rest = sea.difference(shape)
        if check_sides(graph, sorted(r * n + c for r, c in rest)) is None:
            sea = rest
            clues.append((rng.choice(shape), len(shape)))
        elif rng.random() < 0.05:
            sea, clues = set(cells), []


def _shapes(start: Cell, size: int, allowed: set[Cell]) -> set[frozenset[Cell]]:
    """The connected sets of so many allowed cells that hold one of them."""
    shapes = {frozenset({start})}
    for _ in range(size - 1):
        shapes = {s | {x} for s in shapes for cell in s for x in near(cell) if x in allowed and x not in s}
    return shapes


def tours(edges: Sequence[tuple[int, int]], corners: int) -> Problem:
    """Closed tours of all corners of a graph, each in both directions at once."""
    loop = Circuit(tuple((k, u, v) for k, (u, v) in enumerate(edges)), "tour")
    return build([(2, 2)] * corners, edges, sides=[loop])


def knight(n: int) -> Problem:
    """Closed tours of a knight on n by n squares."""
    jumps = ((1, 2), (2, 1), (1, -2), (2, -1))
    squares = product(range(n), repeat=2)
    return tours(
        [(r * n + c, (r + a) * n + c + b) for r, c in squares for a, b in jumps if r + a < n and 0 <= c + b < n], n * n
    )


def knapsack(weights: Sequence[int], values: Sequence[int], room: int) -> Problem:
    """Things of the greatest value that fit."""
    fits = Total(tuple(enumerate(weights)), ((0, room),), "room")
    return build([], [[]] * len(weights), costs=[-v for v in values], sides=[fits])
