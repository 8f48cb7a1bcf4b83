"""The minimum-cover problems of the benchmark, made by short generators; the OR-Library's are read from files.

An instance is its name, what makes it, and its optimum where that is known beyond our own proof. Random ones
come from fixed seeds, so that they are the same everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import combinations, product
from pathlib import Path

from attrs import frozen

from covr.compiler.formats import read_scp
from covr.engine import Problem, build


@frozen
class CoverInstance:
    """name: in the table.  make: builds it.  optimum: as published, or None."""

    name: str
    make: Callable[[], Problem]
    optimum: int | None = None


def cover(items: int, options: Iterable[Sequence[int]], costs: Sequence[int] = (), need: int = 1) -> Problem:
    """Every item at least `need` times, at the least cost (of 1 per option by default)."""
    rows = [sorted(set(o)) for o in options]
    return build([(need, max(len(rows), need))] * items, rows, costs=costs or [1] * len(rows))


def queens(n: int) -> Problem:
    """Fewest queens that guard every square of an n×n board."""
    return _moves(n, lambda r, c: r == 0 or c == 0 or abs(r) == abs(c))


def knights(n: int) -> Problem:
    """Fewest knights that guard or stand on every square."""
    return _moves(n, lambda r, c: {abs(r), abs(c)} == {1, 2} or r == c == 0)


def grid(n: int) -> Problem:
    """A dominating set of the n×n grid graph."""
    return _moves(n, lambda r, c: abs(r) + abs(c) <= 1)


def torus(n: int) -> Problem:
    """Fewest queens that guard every square of an n×n torus."""
    return _moves(n, lambda r, c: r % n == 0 or c % n == 0 or (r - c) % n == 0 or (r + c) % n == 0)


def _moves(n: int, guards: Callable[[int, int], bool]) -> Problem:
    squares = list(product(range(n), repeat=2))
    return cover(n * n, [[k for k, (r, c) in enumerate(squares) if guards(r - a, c - b)] for a, b in squares])


def steiner(triples: Sequence[Sequence[int]], points: int) -> Problem:
    """Fewest points that meet every triple."""
    return cover(len(triples), [[k for k, triple in enumerate(triples) if p in triple] for p in range(points)])


def steiner_9() -> list[tuple[int, ...]]:
    """The affine plane of order 3."""
    points = list(product(range(3), repeat=2))
    lines = (s for s in combinations(range(9), 3) if all(sum(points[p][k] for p in s) % 3 == 0 for k in (0, 1)))
    return list(lines)


def steiner_15() -> list[tuple[int, ...]]:
    """Steiner triples on 15 points that give the published A15: Bose's construction over the integers modulo 5."""
    n = 5
    half = (n + 1) // 2
    triples = [(x, x + n, x + 2 * n) for x in range(n)]
    for level in range(3):
        for x, y in combinations(range(n), 2):
            middle = (x + y) * half % n
            triples.append((x + level * n, y + level * n, middle + (level + 1) % 3 * n))
    return [tuple(sorted(t)) for t in triples]


def tripled(triples: Sequence[Sequence[int]], points: int) -> list[tuple[int, ...]]:
    """Hall's tripling: a Steiner system on 3v points from one on v (9 → A27, 15 → A45)."""
    made = [tuple(p + k * points for k in range(3)) for p in range(points)]
    for triple in triples:
        for shift in product(range(3), repeat=2):
            last = (-sum(shift)) % 3
            made.append(tuple(p + k * points for p, k in zip(triple, (*shift, last), strict=True)))
    return [tuple(sorted(t)) for t in made]


def design(v: int, k: int, t: int) -> Problem:
    """A covering design C(v, k, t): fewest k-subsets of v points that hold every t-subset."""
    number = {s: i for i, s in enumerate(combinations(range(v), t))}
    return cover(len(number), [[number[s] for s in combinations(block, t)] for block in combinations(range(v), k)])


def lotto(v: int, k: int, p: int, t: int) -> Problem:
    """Fewest k-subsets of v points such that every p-subset shares t points with one of them."""
    draws = list(combinations(range(v), p))
    return cover(
        len(draws),
        [[i for i, d in enumerate(draws) if len(set(d) & set(ticket)) >= t] for ticket in combinations(range(v), k)],
    )


def code(q: int, n: int, radius: int) -> Problem:
    """A covering code K_q(n, radius)."""
    words = list(product(range(q), repeat=n))
    return cover(
        len(words),
        [[i for i, w in enumerate(words) if sum(a != b for a, b in zip(w, c, strict=True)) <= radius] for c in words],
    )


def experts(items: int, people: int, seed: int) -> Problem:
    """Fewest experts who have every skill between them, each a few."""
    draw = random.Random(seed)
    options = [draw.sample(range(items), draw.randint(3, 8)) for _ in range(people)]
    _patch(options, items, draw)
    return cover(items, options)


def radar(points: int, sites: int, seed: int) -> Problem:
    """Fewest radars of one range that see every point of the unit square."""
    draw = random.Random(seed)
    places = [(draw.random(), draw.random()) for _ in range(points)]
    stations = [(draw.random(), draw.random()) for _ in range(sites)]
    options = [[i for i, (x, y) in enumerate(places) if (x - a) ** 2 + (y - b) ** 2 <= 0.04] for a, b in stations]
    _patch(options, points, draw)
    return cover(points, options)


def scattered(items: int, options: int, share: int, seed: int, weights: int = 1) -> Problem:
    """Every option holds 1 to 2·share - 1 random items; costs from 1 to `weights`."""
    draw = random.Random(seed)
    held = [draw.sample(range(items), draw.randint(1, 2 * share - 1)) for _ in range(options)]
    _patch(held, items, draw)
    return cover(items, held, [draw.randint(1, weights) for _ in range(options)])


def vertex_cover(n: int, percent: int, seed: int) -> Problem:
    """Fewest vertices that meet every edge of a random graph."""
    draw = random.Random(seed)
    edges = [e for e in combinations(range(n), 2) if draw.randrange(100) < percent]
    return cover(len(edges), [[k for k, e in enumerate(edges) if v in e] for v in range(n)])


def dominating(n: int, degree: int, seed: int) -> Problem:
    """A dominating set of a random graph with that mean degree."""
    draw = random.Random(seed)
    near: list[set[int]] = [{v} for v in range(n)]
    for a, b in combinations(range(n), 2):
        if draw.random() < degree / (n - 1):
            near[a].add(b)
            near[b].add(a)
    return cover(n, [sorted(s) for s in near])


def exclusion(shapes: Sequence[Sequence[tuple[int, int]]], n: int) -> Problem:
    """Fewest cells of an n×n board that every copy of the shapes meets, turned and turned over."""
    copies: set[frozenset[int]] = set()
    for shape in shapes:
        for turned in _turns(shape):
            for r, c in product(range(n), repeat=2):
                cells = [(r + a, c + b) for a, b in turned]
                if all(a < n and b < n for a, b in cells):
                    copies.add(frozenset(a * n + b for a, b in cells))
    pieces = sorted(sorted(s) for s in copies)
    return cover(len(pieces), [[k for k, s in enumerate(pieces) if cell in s] for cell in range(n * n)])


def _turns(shape: Sequence[tuple[int, int]]) -> set[tuple[tuple[int, int], ...]]:
    turned = set()
    cells = list(shape)
    for _ in range(2):
        for _ in range(4):
            cells = [(c, -r) for r, c in cells]
            top, left = min(r for r, _ in cells), min(c for _, c in cells)
            turned.add(tuple(sorted((r - top, c - left) for r, c in cells)))
        cells = [(r, -c) for r, c in cells]
    return turned


PENTOMINOES = {
    "I3": [(0, 0), (0, 1), (0, 2)],
    "L4": [(0, 0), (1, 0), (2, 0), (2, 1)],
    "P": [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)],
    "X": [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)],
    "V": [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)],
}


def logic(variables: int, terms: int, seed: int) -> Problem:
    """Fewest prime implicants of a random function: two-level logic minimisation (Quine and McCluskey)."""
    draw = random.Random(seed)
    on = {p for p in range(2**variables) if draw.random() < terms / 100}
    level = {(p, 0) for p in on}
    primes: set[tuple[int, int]] = set()
    while level:
        merged: set[tuple[int, int]] = set()
        used: set[tuple[int, int]] = set()
        for value, free in level:
            for bit in (1 << k for k in range(variables)):
                if not (value | free) & bit and (value | bit, free) in level:
                    merged.add((value, free | bit))
                    used |= {(value, free), (value | bit, free)}
        primes |= level - used
        level = merged
    number = {p: k for k, p in enumerate(sorted(on))}
    return cover(len(on), [[number[p] for p in on if p & ~free == value] for value, free in sorted(primes)])


def unavoidable(sets: int, cells: int, seed: int) -> Problem:
    """Fewest clues that meet every unavoidable set of a sudoku: two rows or columns of a band, two digits, the cells
    of a cycle of the permutation between them. The grid is the canonical one, shuffled."""
    draw = random.Random(seed)
    rows = [b * 3 + r for b in draw.sample(range(3), 3) for r in draw.sample(range(3), 3)]
    columns = [b * 3 + c for b in draw.sample(range(3), 3) for c in draw.sample(range(3), 3)]
    value = [[(r % 3 * 3 + r // 3 + c) % 9 for c in columns] for r in rows]
    found: set[frozenset[int]] = set()
    for a, b in combinations(range(9), 2):
        held = [[(r, c) for r in range(9) for c in range(9) if value[r][c] == d] for d in (a, b)]
        found |= _cycles(held[0], held[1])
    for k, m in combinations(range(9), 2):
        if k // 3 == m // 3:
            for one, two in (
                ([(k, c) for c in range(9)], [(m, c) for c in range(9)]),
                ([(r, k) for r in range(9)], [(r, m) for r in range(9)]),
            ):
                found |= _swaps(one, two, value)
    groups = sorted(sorted(s) for s in found if len(s) <= cells)[:sets]
    return cover(len(groups), [[k for k, s in enumerate(groups) if cell in s] for cell in range(81)])


def _cycles(one: list[tuple[int, int]], two: list[tuple[int, int]]) -> set[frozenset[int]]:
    """The cells of two digits that hang together by rows, columns and boxes: swapping the digits there is allowed."""
    rest = set(one) | set(two)
    parts = set()
    while rest:
        part, todo = set(), [rest.pop()]
        while todo:
            cell = todo.pop()
            part.add(cell)
            near = {
                (r, c)
                for r, c in rest
                if r == cell[0] or c == cell[1] or (r // 3, c // 3) == (cell[0] // 3, cell[1] // 3)
            }
            rest -= near
            todo += near
        parts.add(frozenset(r * 9 + c for r, c in part))
    return parts


def _swaps(one: list[tuple[int, int]], two: list[tuple[int, int]], value: list[list[int]]) -> set[frozenset[int]]:
    """The cycles of digits between two lines of a band: swapping the lines there is allowed."""
    where = {value[r][c]: k for k, (r, c) in enumerate(one)}
    rest, parts = set(range(9)), set()
    while rest:
        first = k = min(rest)
        part = set()
        while k in rest:
            rest.discard(k)
            part |= {one[k], two[k]}
            k = where[value[two[k][0]][two[k][1]]]
        assert k == first
        parts.add(frozenset(r * 9 + c for r, c in part))
    return parts


def _patch(options: list[list[int]], items: int, draw: random.Random) -> None:
    """Give items that nothing holds to a random option."""
    for i in set(range(items)) - {i for o in options for i in o}:
        draw.choice(options).append(i)


def generated() -> list[CoverInstance]:
    """The instances that need no file."""
    nine, fifteen = steiner_9(), steiner_15()
    shapes = PENTOMINOES
    return [
        CoverInstance("stn27", lambda: steiner(tripled(nine, 9), 27), 18),
        CoverInstance("stn45", lambda: steiner(tripled(fifteen, 15), 45), 30),
        CoverInstance("queens 8", lambda: queens(8), 5),
        CoverInstance("queens 10", lambda: queens(10), 5),
        CoverInstance("queens 12", lambda: queens(12), 6),
        CoverInstance("knights 10", lambda: knights(10), 16),
        CoverInstance("knights 12", lambda: knights(12), 24),
        CoverInstance("grid 10", lambda: grid(10), 24),
        CoverInstance("experts 60×60", lambda: experts(60, 60, 1)),
        CoverInstance("radar 100×60", lambda: radar(100, 60, 1)),
        CoverInstance("unavoidable sets", lambda: unavoidable(400, 18, 1)),
        CoverInstance("torus queens 8", lambda: torus(8)),
        CoverInstance("C(8,4,3)", lambda: design(8, 4, 3), 14),
        CoverInstance("C(9,4,3)", lambda: design(9, 4, 3), 25),
        CoverInstance("C(9,5,4)", lambda: design(9, 5, 4), 30),
        CoverInstance("lotto(10,5,4,3)", lambda: lotto(10, 5, 4, 3)),
        CoverInstance("K2(7,1)", lambda: code(2, 7, 1), 16),
        CoverInstance("K4(3,1)", lambda: code(4, 3, 1), 8),
        CoverInstance("exclude I3", lambda: exclusion([shapes["I3"]], 8)),
        CoverInstance("exclude L4", lambda: exclusion([shapes["L4"]], 8)),
        CoverInstance("exclude P", lambda: exclusion([shapes["P"]], 7)),
        CoverInstance("exclude five", lambda: exclusion(list(shapes.values()), 7)),
        CoverInstance("vertex cover 60/15", lambda: vertex_cover(60, 15, 1)),
        CoverInstance("vertex cover 120/10", lambda: vertex_cover(120, 10, 1)),
        CoverInstance("random 100×200/4", lambda: scattered(100, 200, 4, 1)),
        CoverInstance("random 100×300/6", lambda: scattered(100, 300, 6, 1)),
        CoverInstance("random 100×1000/10w", lambda: scattered(100, 1000, 10, 1, 100)),
        CoverInstance("random 500×1000/8w", lambda: scattered(500, 1000, 8, 1, 100)),
        CoverInstance("dominate 150/6", lambda: dominating(150, 6, 1)),
        CoverInstance("dominate 200/4", lambda: dominating(200, 4, 1)),
        CoverInstance("logic 7/40", lambda: logic(7, 40, 1)),
    ]


PUBLISHED = {
    "scp41": 429, "scp42": 512, "scp49": 641, "scp51": 253, "scp61": 138, "scpa1": 253, "scpd1": 60, "scpclr10": 25,
}  # fmt: skip


def _read(path: Path) -> Problem:
    return read_scp(path.read_text())


def published(folder: Path) -> list[CoverInstance]:
    """The OR-Library's instances among the files of a folder (*.scp, or *.txt as they are published)."""
    found = []
    for name, optimum in PUBLISHED.items():
        for path in (folder / f"{name}.scp", folder / f"{name}.txt"):
            if path.exists():
                found.append(CoverInstance(name, partial(_read, path), optimum))
                break
    return found
