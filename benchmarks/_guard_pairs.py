"""The pairs of question and instance that the guard measures: tests/guard pins their work, `guard` their CPU time.

A pair is a command line or a short program that uses the package. Each takes some tenths of a second, or less. Both use
only what the releases before have too, so that a release can be measured beside another.
"""

from __future__ import annotations

from attrs import frozen

HEAD = """
from covr.engine import Limits, Settings, batch, build, count, search
def queens(n):
    lines = [(r, n + c, 2 * n + r + c, 5 * n - 2 + r - c) for r in range(n) for c in range(n)]
    return build([(1, 1)] * (2 * n) + [(0, 1)] * (4 * n - 2), [list(line) for line in lines])
def board(r, c):
    across = [[i * c + j, i * c + j + 1] for i in range(r) for j in range(c - 1)]
    down = [[i * c + j, i * c + c + j] for i in range(r - 1) for j in range(c)]
    return build([(1, 1)] * (r * c), across + down)
def blocks(v, k):
    from itertools import combinations
    pairs = {p: i for i, p in enumerate(combinations(range(v), 2))}
    rows = [[pairs[p] for p in combinations(b, 2)] for b in combinations(range(v), k)]
    return build([(1, len(rows))] * len(pairs), rows, costs=[1] * len(rows))
def weights(n):
    rows = [[r, n + c] for r in range(n) for c in range(n)]
    costs = [(7 * r * r + 13 * r * c + 5 * c) % 89 for r in range(n) for c in range(n)]
    return build([(1, 1)] * (2 * n), rows, costs=costs)
def bounds(n, low, high):
    return build([(low, high)] * (2 * n), [[r, n + c] for r in range(n) for c in range(n)])
def listed(problem, **words):
    return sum(1 for _ in search(problem, settings=Settings(**words)))
def cheapest(problem, **words):
    *_, last = search(problem, goal="minimum", settings=Settings(**words))
    return sum(problem.costs[o] for o in last)
"""


@frozen
class Pair:
    """A question about an instance: a command line of covr, or a program, of which HEAD is the beginning.

    loose: why its work is not the same every time; empty where it is.
    """

    name: str
    command: tuple[str, ...] = ()
    program: str = ""
    loose: str = ""


def _command(line: str, loose: str = "") -> Pair:
    return Pair(line, command=tuple(line.split()), loose=loose)


def _program(line: str, loose: str = "") -> Pair:
    return Pair(line, program=line, loose=loose)


THREADS = "two threads divide the search as they happen to be free"

PAIRS = (
    # counts: memo, frontier, sets, links, and a search alone after the patience
    _command("count queens -D n=10 --jobs 1"),
    _command("count queens -D n=10 --jobs 2", THREADS),
    _command("count queens -D n=9 --engine links --jobs 1"),
    _command("count queens -D n=9 --engine bits --jobs 1"),
    _command("count langford -D n=12 --jobs 1"),
    _command("count dominoes --jobs 1"),
    _command("count pentominoes_8x8 --jobs 1"),
    _program("count(board(14, 14), settings=Settings(jobs=1))"),
    _program("count(queens(9), settings=Settings(jobs=1))"),
    _program("count(queens(13), settings=Settings(jobs=1))"),
    _program("count(board(6, 6), settings=Settings(jobs=1, memory=0))"),
    _program("count(bounds(6, 1, 2), settings=Settings(jobs=1))"),
    _program("count(bounds(4, 2, 3), settings=Settings(engine='links', jobs=1))"),
    # lists
    _program("listed(queens(9), jobs=1)"),
    _program("listed(queens(9), jobs=2)", THREADS),
    _program("listed(queens(8), engine='links', jobs=1)"),
    _program("listed(queens(8), engine='bits', jobs=1)"),
    _program("listed(queens(8), engine='sides', jobs=1)"),
    _program("listed(board(6, 6), jobs=1)"),
    _program("listed(bounds(4, 1, 2), jobs=1)"),
    _command("solve queens -D n=8 --all --jobs 1"),
    _command("solve soma --limit-answers 200 --jobs 1"),
    _command("solve sudoku"),
    _command("solve zebra"),
    _command("solve kirkman"),
    # classes
    _command("count queens -D n=8 --jobs 1 --limit-time 60"),
    _command("count soma --jobs 1"),
    _command("count social_golfers --jobs 1"),
    _command("count latin_square --jobs 1"),
    # sides: totals, connections, loops; parts
    _command("solve magic_square"),
    _command("solve nurikabe"),
    _command("solve slitherlink"),
    _command("solve masyu"),
    _command("solve killer_sudoku"),
    _command("count numberlink --jobs 1"),
    _command("solve hitori"),
    _command("solve nonogram"),
    # minimum covers and best values
    _program("cheapest(blocks(7, 3), jobs=1)"),
    _program("cheapest(blocks(8, 4), jobs=1)"),
    _program("cheapest(weights(8), jobs=1)"),
    _program("cheapest(weights(6), engine='links', jobs=1)"),
    _program("cheapest(weights(8), engine='mixed', jobs=1)"),
    _command("solve queen_domination --jobs 1"),
    _command("solve knight_domination --jobs 1"),
    _command("solve steiner_cover --jobs 1"),
    _command("solve bin_packing --jobs 1"),
    _command("solve set_partition --jobs 1"),
    _command("solve knapsack --jobs 1"),
    _command("solve rota --jobs 1"),
    _command("solve facility_location --jobs 1"),
    # runs in files, candidates, samples, hints, clues, batches
    _command("count queens -D n=9 --jobs 1 --run r.run"),
    _command("count langford -D n=8 --jobs 1 --run r.run"),
    _command("candidates sudoku --jobs 1"),
    _command("sample queens -D n=8 -n 5 --seed 1"),
    _command("hint sudoku"),
    _command("grade sudoku"),
    _command("compile queens -D n=8 -o q.zdd"),
    _command("trace queens -D n=6 --limit-nodes 50"),
    _command("size queens -D n=8"),
    _program("batch(queens(8), [(k,) for k in range(64)])"),
    _program("import covr; covr.load('sudoku').first()"),
)


def source(pair: Pair) -> str:
    """The program of a pair, as a whole."""
    if not pair.command:
        return HEAD + pair.program + "\n"
    return f"import sys\nfrom covr.cli import main\nsys.argv = ['covr', *{list(pair.command)!r}]\nsys.exit(main())\n"
