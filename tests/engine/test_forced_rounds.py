"""Forced options taken in rounds: the same answers, nodes and order as on links, on sets of every width.

The problems are such that much is forced: a hidden answer, and few options besides.
"""

from __future__ import annotations

import random

import pytest

from covr.engine import Problem, Settings, build, search
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.kernels.loading import load
from covr.engine.prepare.masks import ExactCover
from tests.each import each
from tests.engine.back_ends import ALL
from tests.shared import IN_GATE

pytestmark = pytest.mark.long

MOST = 100 if IN_GATE else 400  # answers of one problem that are compared


def forced_problem(items: int, seed: int, kind: str) -> Problem:
    """A hidden answer, some options that mix its parts, and what the kind says besides.

    kind: plain; colours: options meet in secondary items, too; doubled: some options twice; free: some options hold no
    primary item; given: some options are given."""
    draw = random.Random(f"{items} {seed} {kind}")
    order = draw.sample(range(items), items)
    rows: list[list[int | tuple[int, int]]] = []
    while order:
        size = draw.randint(1, 4)
        rows.append([*order[:size]])
        order = order[size:]
    hidden = len(rows)
    for _ in range(hidden // 3 + 6):
        pool = sorted({i for row in draw.sample(rows[:hidden], min(3, hidden)) for i in row if isinstance(i, int)})
        rest = draw.sample(pool, len(pool))
        while rest:
            size = draw.randint(1, 4)
            rows.append([*rest[:size]])
            rest = rest[size:]
    secondary = 6
    if kind == "colours":
        shades = [draw.randint(1, 2) for _ in range(secondary)]
        for o, row in enumerate(rows):
            if draw.random() < 0.4:
                k = draw.randrange(secondary)
                row.append((items + k, shades[k] if o < hidden else draw.randint(0, 2)))
    if kind == "doubled":
        rows += [list(rows[draw.randrange(hidden)]) for _ in range(4)]
    if kind == "free":
        rows += [[(items + draw.randrange(secondary), draw.randint(0, 2))] for _ in range(2)]
    given = draw.sample(range(hidden), min(hidden, 3)) if kind == "given" else []
    return build([(1, 1)] * items + [(0, 1)] * secondary, rows, given=sorted(given))


def latin(n: int) -> Problem:
    """Latin squares: each symbol once a row and once a column."""
    span = range(n)
    rows = [[r * n + c, n * n + r * n + s, 2 * n * n + c * n + s] for r in span for c in span for s in span]
    return build([(1, 1)] * (3 * n * n), rows)


@each("kind", ["plain", "colours", "doubled", "free", "given"])
@each("items", [1, 2, 63, 64, 65, 127, 128, 129, 511, 512, 513, 1025])
def test_rounds_change_nothing(items: int, kind: str) -> None:
    alike(items, kind, range(6))


def test_rounds_that_end_in_answers() -> None:
    alike(1, "latin", range(1, 5))


def alike(items: int, kind: str, seeds: range) -> None:
    for seed in seeds:
        problem = forced_problem(items, seed, kind) if kind != "latin" else latin(seed)
        runs = [search(problem, settings=Settings(engine=engine)) for engine in ("links", "bits")]
        answers = [[answer for answer, _ in zip(run, range(MOST), strict=False)] for run in runs]
        assert answers[0] == answers[1]
        if len(answers[0]) < MOST:
            assert runs[0].counters.nodes == runs[1].counters.nodes
        masks = ExactCover(problem, Settings(engine="bits")).masks
        slow = items < 130 and seed < 2
        found = []
        for width in (*ALL, 0) if slow else ALL:
            for slice_ in (1, 3, 10**9):
                kernel = load("_bits", width == 0).Bits(masks, True, None, width)
                own = []
                while len(own) < MOST and kernel.run(slice_, 1) != DONE:
                    if kernel.code == FOUND:
                        own.append(tuple(sorted([*kernel.answer(), *problem.given])))
                found.append((own, kernel.nodes, kernel.updates, kernel.fraction()))
        assert found == [found[0]] * len(found)
        assert found[0][0] == answers[0]


@each("items", [2, 64, 65, 129, 513])
def test_rounds_count_alike(items: int) -> None:
    for kind in ("plain", "colours", "doubled"):
        for seed in range(4):
            problem = forced_problem(items, seed, kind)
            masks = ExactCover(problem, Settings(engine="bits")).masks
            counted = []
            for width in ALL:
                for slice_ in (2, 10**9):
                    for memory in (0, 1 << 14):
                        kernel = load("_bits", False).Bits(masks, True, memory, width)
                        for _ in range(2000 if slice_ == 2 else 1):
                            if kernel.run(slice_ if slice_ == 2 else 4000, 1) == DONE:
                                break
                        counted.append((memory, kernel.nodes, kernel.updates, kernel.answers))
            for memory in (0, 1 << 14):
                assert len({c for c in counted if c[0] == memory}) == 1
