"""Small problems made by short generators, and brute force."""

from __future__ import annotations

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


def rooks(n: int) -> Problem:
    """At most one rook per row and column: every option is free."""
    return build([(0, 1)] * (2 * n), [[r, n + c] for r in range(n) for c in range(n)])


def coloured_path(n: int, colours: int) -> Problem:
    """n edges in a row, each with two colours at its ends, that agree where they meet: colours^(n+1) answers."""
    options = [
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
