"""The problems that tests speak of, each made by a short generator that is nowhere else; and brute force.

Counters are pinned for many of them: the order of the items and of the options is a part of what a generator promises.
Random problems of all kinds are made by strategies.py (for hypothesis), features.py and sided.py; puzzles with sides by
side_puzzles.py, and problems together with their symmetries by symmetric.py.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations, product

from covr.engine import Problem, Side, build, check, cost

# --- puzzles ---


def toy() -> Problem:
    """The 6×7 matrix of the dancing-links papers; its one answer is rows 1, 4, 5, here 0, 3, 4."""
    return build([(1, 1)] * 7, [[2, 4, 5], [0, 3, 6], [1, 2, 5], [0, 3], [1, 6], [3, 4, 6]])


def queens(n: int) -> Problem:
    """n queens: rows and columns are primary, diagonals secondary."""
    diagonals = 2 * n - 1
    return build(
        [(1, 1)] * (2 * n) + [(0, 1)] * (2 * diagonals),
        [[r, n + c, 2 * n + r + c, 2 * n + diagonals + r - c + n - 1] for r in range(n) for c in range(n)],
    )


def langford(n: int) -> Problem:
    """Two copies of 1 … n in 2n places, the copies of k with k others between; each counted with its mirror."""
    return build(
        [(1, 1)] * (3 * n),
        [[k - 1, n + s, n + s + k + 1] for k in range(1, n + 1) for s in range(2 * n - k - 1)],
    )


def latin(n: int) -> Problem:
    """Squares of side n in which every row and every column has each value once; option (r * n + c) * n + v."""
    cells = product(range(n), repeat=3)
    return build([(1, 1)] * (3 * n * n), [[r * n + c, n * n + r * n + v, 2 * n * n + c * n + v] for r, c, v in cells])


def sudoku(box: int) -> Problem:
    """The empty sudoku with boxes of this side; its options are in the order of a Latin square's."""
    n = box * box
    options = [
        [r * n + c, n * n + r * n + v, 2 * n * n + c * n + v, 3 * n * n + (r // box * box + c // box) * n + v]
        for r, c, v in product(range(n), repeat=3)
    ]
    return build([(1, 1)] * (4 * n * n), options)


def dominoes(rows: int, columns: int) -> Problem:
    """Tilings of a board by dominoes: first those that lie, row by row, then those that stand."""
    flat = [[r * columns + c, r * columns + c + 1] for r in range(rows) for c in range(columns - 1)]
    upright = [[r * columns + c, (r + 1) * columns + c] for r in range(rows - 1) for c in range(columns)]
    return build([(1, 1)] * (rows * columns), flat + upright)


def dominoes_on(cells: Sequence[tuple[int, int]], holes: int = 0) -> Problem:
    """Dominoes on these squares, of which the last `holes` need not be covered; square by square."""
    at = {cell: i for i, cell in enumerate(cells)}
    pairs = [((r, c), (r + a, c + b)) for r, c in cells for a, b in ((0, 1), (1, 0))]
    bounds = [(1, 1)] * (len(cells) - holes) + [(0, 1)] * holes
    return build(bounds, [[at[x], at[y]] for x, y in pairs if y in at])


def dominoes_by_square(rows: int, columns: int) -> Problem:
    """The same tilings as `dominoes`, in another order: square by square, first the one that lies."""
    return dominoes_on([*product(range(rows), range(columns))])


def trominoes(rows: int, columns: int, seed: int) -> Problem:
    """Straight and bent trominoes on a board, with random costs."""
    draw = random.Random(seed)
    number = {cell: k for k, cell in enumerate(product(range(rows), range(columns)))}
    shapes = [[(0, 0), (0, 1), (0, 2)], [(0, 0), (1, 0), (2, 0)]]
    shapes += [[cell for cell in product((0, 1), repeat=2) if cell != gone] for gone in product((0, 1), repeat=2)]
    options = [
        sorted(number[r + a, c + b] for a, b in shape)
        for shape in shapes
        for r, c in number
        if all((r + a, c + b) in number for a, b in shape)
    ]
    return build([(1, 1)] * len(number), options, costs=[draw.randint(0, 99) for _ in options])


def pairings(n: int) -> Problem:
    """n people in pairs."""
    return build([(1, 1)] * n, [[a, b] for a in range(n) for b in range(a + 1, n)])


def rooks(n: int) -> Problem:
    """Rooks, at most one per row and column, so that every option is free."""
    return build([(0, 1)] * (2 * n), [[r, n + c] for r in range(n) for c in range(n)])


def coloured_path(n: int, colours: int) -> Problem:
    """n edges in a row, each with two colours at its ends, that agree where they meet: colours^(n+1) answers."""
    options: list[list[int | tuple[int, int]]] = [
        [e, (n + e, a + 1), (n + e + 1, b + 1)] for e in range(n) for a in range(colours) for b in range(colours)
    ]
    return build([(1, 1)] * n + [(0, 1)] * (n + 1), options)


def assignment(costs: list[list[int]]) -> Problem:
    """One per row and column, at the least cost."""
    n = len(costs)
    return build(
        [(1, 1)] * (2 * n),
        [[r, n + c] for r in range(n) for c in range(n)],
        costs=[costs[r][c] for r in range(n) for c in range(n)],
    )


# --- covers: every item at least once ---


def domination(n: int) -> Problem:
    """Fewest queens that guard every square."""
    squares = list(product(range(n), repeat=2))
    guards = [
        [k for k, (r, c) in enumerate(squares) if r == a or c == b or abs(r - a) == abs(c - b)] for a, b in squares
    ]
    return build([(1, n * n)] * (n * n), guards, costs=[1] * (n * n))


def covering(items: int, options: Sequence[Sequence[int]]) -> Problem:
    """Every item at least once, every option costs 1."""
    return build([(1, len(options))] * items, options, costs=[1] * len(options))


def covering_design(v: int, k: int, t: int) -> Problem:
    """Fewest k-subsets of v points that hold every t-subset."""
    number = {s: i for i, s in enumerate(combinations(range(v), t))}
    blocks = combinations(range(v), k)
    return covering(len(number), [[number[s] for s in combinations(block, t)] for block in blocks])


def covering_code(q: int, n: int) -> Problem:
    """Fewest words of length n over q letters such that every word differs from one of them in at most one place."""
    words: list[tuple[int, ...]] = list(product(range(q), repeat=n))
    near: list[list[int]] = [
        [i for i, w in enumerate(words) if sum(a != b for a, b in zip(w, c, strict=True)) <= 1] for c in words
    ]
    return covering(len(words), near)


def steiner(order: int) -> Problem:
    """Fewest points that meet every triple of the Steiner system A9, A15 or A27."""
    if order == 27:
        nine = _triples(9)
        triples = [(p, p + 9, p + 18) for p in range(9)]
        for a, b, c in nine:
            triples += [(a + 9 * s, b + 9 * t, c + 9 * (-s - t) % 27) for s in range(3) for t in range(3)]
    else:
        triples = _triples(order)
    return covering(len(triples), [[k for k, triple in enumerate(triples) if p in triple] for p in range(order)])


def _triples(order: int) -> list[tuple[int, int, int]]:
    """Bose's construction for 3n points, n odd."""
    n = order // 3
    triples = [(x, x + n, x + 2 * n) for x in range(n)]
    for level, (x, y) in product(range(3), combinations(range(n), 2)):
        middle = (x + y) * (n + 1) // 2 % n
        triples.append((x + level * n, y + level * n, middle + (level + 1) % 3 * n))
    return triples


def tripled_steiner(order: int) -> Problem:
    """The same as `steiner` for 9, 27, 81 …, in the order that comes of making three of one system again and again."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (1, 5, 6), (2, 3, 7)]
    lines += [(0, 5, 7), (1, 3, 8), (2, 4, 6)]
    n = 9
    while n < order:
        moved = [(a + i * n, b + j * n, c + (-i - j) % 3 * n) for a, b, c in lines for i in range(3) for j in range(3)]
        lines = moved + [(x, x + n, x + 2 * n) for x in range(n)]
        n *= 3
    return covering(len(lines), [[i for i, line in enumerate(lines) if x in line] for x in range(n)])


def grid_domination(rows: int, columns: int) -> Problem:
    """Fewest squares of a board such that each is one of them or beside one."""
    cells = list(product(range(rows), range(columns)))
    near = [[k for k, (r, c) in enumerate(cells) if abs(r - a) + abs(c - b) <= 1] for a, b in cells]
    return covering(len(cells), near)


def affine_lines(d: int) -> Problem:
    """Fewest points of the affine space of d dimensions over three elements that meet every line."""
    points = list(product(range(3), repeat=d))
    number = {p: k for k, p in enumerate(points)}
    met: list[list[int]] = [[] for _ in points]
    count = 0
    for a, b in combinations(range(len(points)), 2):
        c = number[tuple((-x - y) % 3 for x, y in zip(points[a], points[b], strict=True))]
        if c > b:
            for p in (a, b, c):
                met[p].append(count)
            count += 1
    return covering(count, met)


def edges_at(n: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """For each of n vertices, the numbers of the edges that end there."""
    return [[k for k, edge in enumerate(edges) if v in edge] for v in range(n)]


def vertex_cover(n: int, edges: Sequence[tuple[int, int]], costs: Sequence[int], needs: Sequence[int] = ()) -> Problem:
    """The cheapest of n vertices such that each edge has as many of them as it needs at its ends, one or both."""
    return build([(need, n) for need in needs or [1] * len(edges)], edges_at(n, edges), costs=costs)


def random_cover(
    items: int, options: int, members: int | tuple[int, int], dearest: int = 100, seed: int = 1
) -> Problem:
    """Random options of so many members (or from the first number to the second), with random costs from 1."""
    draw = random.Random(seed)
    sizes = members if isinstance(members, tuple) else None
    held = [draw.sample(range(items), draw.randint(*sizes) if sizes else members) for _ in range(options)]
    return build([(1, options)] * items, held, costs=[draw.randint(1, dearest) for _ in held])


# --- random problems of one kind ---


def random_exact(seed: int, items: int, options: int, colours: int) -> Problem:
    """Parts of hidden answers and chance: blocks of the items, some with a secondary item or two."""
    rng = random.Random(seed)
    secondary = 8
    rows: list[list[int | tuple[int, int]]] = []
    while len(rows) < options:
        order = list(range(items))
        rng.shuffle(order)
        while order:
            size = rng.randint(1, 4)
            rows.append([*order[:size]])
            order = order[size:]
    for row in rows:
        if rng.random() < 0.3:
            row += [(items + rng.randrange(secondary), rng.randint(0, colours))]
    return build([(1, 1)] * items + [(0, 1)] * secondary, [*rows, [(items, 1)], [(items, 2)]] if colours else rows)


def random_partition(items: int, options: int, seed: int) -> Problem:
    """Random options of 2 to 5 items, each of which is wanted exactly once; some of them fit for sure."""
    draw = random.Random(seed)
    order = list(range(items))
    sets = []
    for _ in range(2):
        draw.shuffle(order)
        sets += [sorted(order[k : k + 4]) for k in range(0, items, 4)]
    while len(sets) < options:
        sets.append(sorted(draw.sample(range(items), draw.randint(2, 5))))
    return build([(1, 1)] * items, sets, costs=[draw.randint(20, 60) * len(s) for s in sets])


def random_packing(items: int, options: int, seed: int) -> Problem:
    """The dearest set of random options no two of which share an item."""
    draw = random.Random(seed)
    sets = [draw.sample(range(items), draw.randint(1, 4)) for _ in range(options)]
    return build([(0, 1)] * items, sets, costs=[-draw.randint(1, 1000) for _ in sets])


# --- the plainest of all ---


def alike(bounds: tuple[int, int], per: int, options: int) -> Problem:
    """Items of the same bounds, each held by `per` options that hold nothing else."""
    items = -(-options // per)
    return build([bounds] * items, [[o // per] for o in range(options)])


def blocks(sizes: Sequence[int], free: int = 0) -> Problem:
    """Exactly one option of each block, and options that exclude nothing: the product of sizes, by 2^free."""
    rows = [[b] for b, size in enumerate(sizes) for _ in range(size)]
    return build([(1, 1)] * len(sizes), rows + [[] for _ in range(free)])


def only_sides(options: int, *sides: Side) -> Problem:
    """So many options under these sides alone: there are no items."""
    return build([], [[]] * options, sides=sides)


# --- brute force ---


def brute(problem: Problem) -> list[tuple[int, ...]]:
    """Every answer by trying every set of options, in lexicographic order of size."""
    sets = (s for k in range(problem.options + 1) for s in combinations(range(problem.options), k))
    return [s for s in sets if check(problem, s) is None]


def least(problem: Problem) -> int | None:
    """The cost of the cheapest answer, by brute force."""
    return min((cost(problem, a) for a in brute(problem)), default=None)
