"""Small problems made by short generators, and brute force."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from covr.engine import Problem, build, check, cost


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


def brute(problem: Problem) -> list[tuple[int, ...]]:
    """Every answer by trying every set of options, in lexicographic order of size."""
    sets = (s for k in range(problem.options + 1) for s in combinations(range(problem.options), k))
    return [s for s in sets if check(problem, s) is None]


def least(problem: Problem) -> int | None:
    """The cost of the cheapest answer, by brute force."""
    return min((cost(problem, a) for a in brute(problem)), default=None)
