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
def langford(n):
    rows = [[k - 1, n + i, n + i + k + 1] for k in range(1, n + 1) for i in range(2 * n - k - 1)]
    return build([(1, 1)] * (3 * n), rows)
def weights(n):
    rows = [[r, n + c] for r in range(n) for c in range(n)]
    costs = [(7 * r * r + 13 * r * c + 5 * c) % 89 for r in range(n) for c in range(n)]
    return build([(1, 1)] * (2 * n), rows, costs=costs)
def bounds(n, low, high):
    return build([(low, high)] * (2 * n), [[r, n + c] for r in range(n) for c in range(n)])
def classes(problem, images, **words):
    from covr.engine.dispatch import search_classes
    return sum(1 for _ in search_classes(problem, images, settings=Settings(**words)))
def turns(n):
    quarter = [c * n + n - 1 - r for r in range(n) for c in range(n)]
    mirror = [r * n + n - 1 - c for r in range(n) for c in range(n)]
    half = [quarter[o] for o in quarter]
    some = [quarter, half, [half[o] for o in quarter], mirror]
    return some + [[mirror[o] for o in image] for image in some[:3]]
def listed(problem, **words):
    return sum(1 for _ in search(problem, settings=Settings(**words)))
def cheapest(problem, **words):
    *_, last = search(problem, goal="minimum", settings=Settings(**words))
    return sum(problem.costs[o] for o in last)
"""


@frozen
class Pair:
    """A question about an instance: a command line of covr, or a program, of which HEAD is the beginning.

    loose: why its calls are not the same every time; empty where they are. Slices, nodes and updates always are.
    """

    name: str
    command: tuple[str, ...] = ()
    program: str = ""
    loose: str = ""


def _command(line: str, loose: str = "") -> Pair:
    return Pair(line, command=tuple(line.split()), loose=loose)


def _program(line: str, loose: str = "") -> Pair:
    return Pair(line, program=line, loose=loose)


THREADS = "the reader waits for the other threads, and looks more often if it waits longer"

PAIRS = (
    # counts: memo, frontier, sets, links, and a search alone after the patience
    _command("count queens -D n=10 --jobs 1"),
    _command("count queens -D n=10 --jobs 2", THREADS),
    _command("count queens -D n=9 --engine links --jobs 1"),
    _command("count queens -D n=9 --engine bits --jobs 1"),
    _command("count langford -D n=12 --jobs 1"),
    _command("count dominoes --jobs 1"),
    _program("count(board(14, 14), settings=Settings(jobs=1))"),
    _program("count(queens(9), settings=Settings(jobs=1))"),
    _program("count(queens(13), settings=Settings(jobs=1))"),
    _program("count(langford(12), settings=Settings(jobs=1))"),
    _program("count(board(6, 6), settings=Settings(jobs=1, memory=0))"),
    _program("count(bounds(6, 1, 2), settings=Settings(jobs=1))"),
    _program("count(bounds(4, 2, 3), settings=Settings(engine='links', jobs=1))"),
    # lists
    _program("listed(queens(9), jobs=1)"),
    _program("listed(queens(9), jobs=2)", THREADS),
    _program("listed(queens(11), jobs=1)"),
    _program("listed(queens(11), jobs=2)", THREADS),
    _program("count(queens(11), settings=Settings(jobs=2, memory=0))", THREADS),
    _program("listed(queens(8), engine='links', jobs=1)"),
    _program("listed(queens(8), engine='bits', jobs=1)"),
    _program("listed(queens(8), engine='sides', jobs=1)"),
    _program("listed(board(6, 6), jobs=1)"),
    _program("listed(bounds(4, 1, 2), jobs=1)"),
    _command("solve queens -D n=6 --all --jobs 1"),
    _command("solve sudoku --jobs 1"),
    _command("solve zebra --jobs 1"),
    _command("solve kirkman --jobs 1"),
    # classes
    _command("count queens -D n=8 --jobs 1 --limit-time 60"),
    _command("count latin_square --jobs 1"),
    _command("count slothouber_graatsma --jobs 1"),
    _command("count instant_insanity --jobs 1"),
    _command("count ball_pyramid --jobs 1"),
    _program("classes(queens(8), turns(8), jobs=1)"),
    _program("classes(queens(12), turns(12), jobs=2)", THREADS),
    # sides: totals, connections, loops; parts
    _command("solve magic_square --jobs 1"),
    _command("solve nurikabe --jobs 1"),
    _command("solve slitherlink --jobs 1"),
    _command("solve masyu --jobs 1"),
    _command("solve killer_sudoku --jobs 1"),
    _command("solve hitori --jobs 1"),
    _command("solve nonogram --jobs 1"),
    _command("solve tents --jobs 1"),
    _command("solve yajilin --jobs 1"),
    _command("solve round_trip --jobs 1"),
    _command("count star_battle --jobs 1"),
    _command("count dissections --jobs 1"),
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
    _command("solve queens -D n=6 --all --jobs 1 --run r.run"),
    _command("solve bin_packing --jobs 1 --run r.run"),
    _command("candidates sudoku --jobs 1"),
    _command("sample queens -D n=8 -n 5 --seed 1"),
    _command("hint sudoku"),
    _command("grade sudoku"),
    _command("compile queens -D n=8 -o q.zdd"),
    _command("trace queens -D n=6 --limit-nodes 50"),
    _command("size queens -D n=6 --probes 20"),
    _command("make sudoku --seed 1 --jobs 1 -o o.csv"),
    _command("check sudoku"),
    _command("test toy"),
    _command("why queens -D n=3"),
    _command("convert sudoku o.dlx"),
    _command("show toy"),
    # Python
    _program("import covr; assert covr.load('sudoku').unique(jobs=1)"),
    _program("import covr; assert covr.load('queens', n=7).count(jobs=1) == 40"),
    _program("import covr; assert len(list(covr.load('queens', n=7).solutions(jobs=1))) == 40"),
    _program("import covr; covr.load('bin_packing').minimum(jobs=1)"),
    _program("batch(queens(8), [(k,) for k in range(64)])"),
)


def source(pair: Pair) -> str:
    """The program of a pair, as a whole."""
    if not pair.command:
        return HEAD + pair.program + "\n"
    return f"import sys\nfrom covr.cli import main\nsys.argv = ['covr', *{list(pair.command)!r}]\nsys.exit(main())\n"
