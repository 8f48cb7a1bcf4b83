"""Sets of options: every width of set and count against dancing links, interpreted and compiled; pinned work."""

from __future__ import annotations

from typing import Any

import pytest

from covr.engine import Counters, Limits, Problem, Settings, count, search
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.kernels.loading import load
from covr.engine.prepare.masks import ExactCover
from tests.constants import Constants
from tests.each import each
from tests.engine.back_ends import ALL, WIDE
from tests.engine.problems import coloured_path, langford, queens, random_exact, rooks, toy


@each("seed", range(3))
@pytest.mark.parametrize(
    ("items", "options"),
    [(8, 40), (20, 120), (64, 300), (65, 300), (128, 500), (129, 500), (200, 700), (24, 1400)],
    ids=str,
)
def test_every_width_finds_the_same(seed: int, items: int, options: int) -> None:
    problem = random_exact(seed, items, options, seed)
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


def counted(kernel: Any) -> tuple[int, int, int, int]:
    while kernel.run(777, 1) != DONE:
        pass
    return kernel.nodes, kernel.updates, kernel.answers, kernel.spared


@pytest.mark.parametrize("memory", [0, 1 << 10, 1 << 14, 1 << 25])
@pytest.mark.parametrize(
    "problem",
    [
        queens(7),
        langford(8),
        *(random_exact(s, i, o, 0) for s in (1, 2) for i, o in [(8, 40), (20, 60), (64, 90), (70, 300), (150, 600)]),
    ],
    ids=lambda p: str(p.options),
)
def test_back_ends_count_alike(problem: Problem, memory: int) -> None:
    masks = ExactCover(problem, Settings(engine="bits")).masks
    assert masks is not None
    kernels = load("_bits", False)
    for width in WIDE:
        wide, narrow = (kernels.Bits(masks, True, memory, most) for most in (width, 64))
        assert wide.lanes == width or (width == 128 and masks.words <= 2)
        wide.run(20_000, 1)
        narrow.run(20_000, 1)
        assert (wide.nodes, wide.updates, wide.answers) == (narrow.nodes, narrow.updates, narrow.answers)
        assert wide.fraction() == narrow.fraction()
        if problem.options < 100:
            assert counted(wide) == counted(narrow)
    narrow, plain = (load("_bits", slow).Bits(masks, True, memory, 64) for slow in (False, True))
    narrow.run(1000, 1)
    plain.run(1000, 1)
    assert (narrow.nodes, narrow.updates, narrow.answers) == (plain.nodes, plain.updates, plain.answers)
    assert (narrow.spared, narrow.fraction()) == (plain.spared, plain.fraction())


@pytest.mark.parametrize("width", [*ALL, 0])
@pytest.mark.parametrize("slice_", [1, 2, 3, 50, 10_000])
def test_back_ends_list_alike_whatever_the_slices(slice_: int, width: int) -> None:
    """Width 0 is interpreted."""
    masks = ExactCover(random_exact(5, 20, 160, 0), Settings(engine="bits")).masks
    some = load("_bits", width == 0).Bits(masks, True, None, width)
    plain = load("_bits", False).Bits(masks, True, None, 64)
    if load("_bits").COMPILED:
        assert (some.lanes, plain.lanes) == (width, 64)
    for at_once in (1, 2, 5):
        for _ in range(300):
            code = some.run(slice_, at_once)
            assert code == plain.run(slice_, at_once)
            assert some.fraction() == plain.fraction()
            assert some.nodes == plain.nodes
            if code == FOUND:
                assert some.answer() == plain.answer()
    assert some.updates == plain.updates


PINNED = [
    ("toy", toy(), Counters(6, 2, 1)),
    ("queens 8", queens(8), Counters(1199, 2494, 92)),
    ("langford 7", langford(7), Counters(607, 1501, 52)),
    ("rooks 3", rooks(3), Counters(34, 0, 34)),
    ("coloured path", coloured_path(4, 3), Counters(361, 333, 243)),
]


@pytest.mark.parametrize("interpreted", [True, False])
@pytest.mark.parametrize(("name", "problem", "counters"), PINNED, ids=[p[0] for p in PINNED])
def test_work_is_pinned(name: str, problem: Problem, counters: Counters, interpreted: bool) -> None:
    run = search(problem, settings=Settings(engine="bits", interpreted=interpreted))
    assert sum(1 for _ in run) == counters.answers
    assert run.counters == counters


def test_masks_that_are_too_large_are_not_built(constants: Constants) -> None:
    constants("covr.engine.prepare.masks", MASKS_MEMORY=100)
    problem = queens(6)
    assert ExactCover(problem, Settings(engine="bits")).masks is None
    run = search(problem, settings=Settings(engine="bits"))
    assert len(list(run)) == count(problem).value == 4
    assert run.engine.startswith("dancing links")
