"""Sets of options: every width of set and plane against dancing links, interpreted and compiled; pinned work."""

from __future__ import annotations

import random

import pytest

from covr.engine import Counters, Limits, Problem, Settings, build, count, search
from covr.engine.exact import ExactCover
from tests.engine.problems import coloured_path, langford, queens, rooks, toy


def random_problem(seed: int, items: int, options: int, colours: int) -> Problem:
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


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("items", "options"),
    [(8, 40), (20, 120), (64, 300), (65, 300), (128, 500), (129, 500), (200, 700), (24, 1400)],
    ids=str,
)
def test_every_width(seed: int, items: int, options: int) -> None:
    problem = random_problem(seed, items, options, seed)
    limits = Limits(nodes=1500)
    runs = [
        search(problem, limits=limits, settings=Settings(engine=engine, interpreted=interpreted))
        for engine, interpreted in [("links", False), ("bits", False), ("bits", True)]
    ]
    answers = [list(run) for run in runs]
    assert answers[0] == answers[1] == answers[2]
    assert runs[0].counters.nodes == runs[1].counters.nodes
    assert runs[1].counters == runs[2].counters
    listed, with_memo = (count(problem, Limits(nodes=20_000), Settings(engine=engine)) for engine in ("links", "memo"))
    if listed.status == "exhausted":
        assert with_memo.value == listed.value


PINNED = [
    ("toy", toy(), Counters(6, 9, 1)),
    ("queens 8", queens(8), Counters(1199, 5466, 92)),
    ("langford 7", langford(7), Counters(607, 3234, 52)),
    ("rooks 3", rooks(3), Counters(34, 0, 34)),
    ("coloured path", coloured_path(4, 3), Counters(361, 819, 243)),
]


@pytest.mark.parametrize("interpreted", [True, False])
@pytest.mark.parametrize(("name", "problem", "counters"), PINNED, ids=[p[0] for p in PINNED])
def test_pinned(name: str, problem: Problem, counters: Counters, interpreted: bool) -> None:
    run = search(problem, settings=Settings(engine="bits", interpreted=interpreted))
    assert sum(1 for _ in run) == counters.answers
    assert run.counters == counters


def test_masks_that_are_too_large_are_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covr.engine.exact.MASKS_MEMORY", 100)
    problem = queens(6)
    assert ExactCover(problem, Settings(engine="bits")).masks is None
    run = search(problem, settings=Settings(engine="bits"))
    assert len(list(run)) == count(problem).value == 4
    assert run.engine.startswith("dancing links")
