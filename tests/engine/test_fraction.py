"""How far a search says it is never goes back, grows in proportion to the tree, and is the same on every kernel."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings

from covr.engine import Problem, Settings, build
from covr.engine.pieces.parallel import ParallelSearch, below
from covr.engine.pieces.split import split
from covr.engine.settings import Pace, ThreadPace
from covr.engine.single import begin
from tests.engine.problems import coloured_path, langford, queens, rooks
from tests.engine.strategies import problems
from tests.shared import examples

ENGINES = [
    Settings(engine=engine, interpreted=interpreted, jobs=1)
    for engine in ("bits", "links")
    for interpreted in (False, True)
]
every_engine = pytest.mark.parametrize("settings", ENGINES, ids=lambda s: f"{s.engine} {s.interpreted}")


def told(problem: Problem, settings: Settings, listing: bool = True) -> list[float]:
    """What a kernel says after every node, and at the end."""
    search = begin(problem, settings=settings)
    kernel: Any = search._kernel
    found = [kernel.fraction()]
    while search.step(1, listing):
        found.append(kernel.fraction())
    return [*found, kernel.fraction()]


@every_engine
@pytest.mark.parametrize("problem", [queens(6), langford(7), rooks(3), coloured_path(4, 2)])
def test_it_goes_from_nothing_to_all_and_never_back(problem: Problem, settings: Settings) -> None:
    found = told(problem, settings)
    assert found[0] == 0
    assert found[-1] == 1
    assert all(a <= b + 1e-12 for a, b in pairwise(found))
    assert len(set(found)) > len(found) / 4


@every_engine
@given(problem=problems())
@hypothesis_settings(max_examples=examples(60))
def test_so_it_does_for_every_problem(problem: Problem, settings: Settings) -> None:
    """General problems run on the general kernel, whatever engine is asked for."""
    found = told(problem, settings)
    assert 0 <= found[0] <= found[-1] == 1
    assert all(a <= b + 1e-12 for a, b in pairwise(found))


@every_engine
@pytest.mark.parametrize("problem", [coloured_path(5, 2), rooks(1)])
def test_where_branches_are_equal_it_is_the_share_of_answers(problem: Problem, settings: Settings) -> None:
    search = begin(problem, settings=settings)
    total = sum(1 for _ in begin(problem, settings=settings))
    kernel: Any = search._kernel
    for _ in search:
        number = kernel.answers  # some were found beside the one that is given
        assert number / total - 1 / total - 1e-9 <= kernel.fraction() <= number / total + 1e-9


@pytest.mark.parametrize("interpreted", [False, True])
def test_the_general_kernel_tells_the_share_of_answers(interpreted: bool) -> None:
    """Three items, two of four options each: as a tree 1/3, 1/3 … are not the shares of answers, but never far off."""
    problem = build([(2, 2)] * 3, [[i] for i in range(3) for _ in range(4)])
    found = told(problem, Settings(interpreted=interpreted, jobs=1))
    assert found[0] == 0 and found[-1] == 1
    assert all(a <= b + 1e-12 for a, b in pairwise(found))


@pytest.mark.parametrize("interpreted", [False, True])
def test_a_count_with_a_memo_tells_it_too(interpreted: bool) -> None:
    search = begin(langford(7), settings=Settings(engine="memo", interpreted=interpreted, jobs=1))
    assert search.count() == 52
    assert search.fraction == 1


def test_a_search_looks_now_and_then() -> None:
    search = begin(queens(12), settings=Settings(jobs=1))
    seen = set()
    for _ in search:
        seen.add(search.fraction)
    assert search.fraction == 1
    assert all(f is None or 0 <= f <= 1 for f in seen)


@pytest.mark.parametrize("counted", [False, True])
def test_several_threads_tell_it_together(counted: bool) -> None:
    pace = Pace(threads=ThreadPace(alone=100, slice=50))
    search = ParallelSearch(queens(9), settings=Settings(jobs=2, pace=pace))
    found = [search.fraction or 0.0]
    while search.step(20, listing=not counted):
        search.waiting()
        found.append(search.fraction or 0.0)
    assert all(a <= b for a, b in pairwise(found))
    assert all(0 <= f <= 1 for f in found)
    assert search.fraction == 1


def test_a_search_below_a_prefix_tells_it() -> None:
    """Every kernel of sets of options tells how far it is below a prefix."""
    problem = queens(9)
    ground = below(problem, Settings(engine="bits"))
    assert ground is not None
    run = ground().search(split(problem, 6).prefixes[0])
    told = []
    while run.step(20):
        told.append(run.measure())
    assert len(told) > 3
    assert None not in told
    assert told == sorted(told) and 0 < told[0] < told[-1] <= 1


@given(problem=problems())
def test_prefixes_share_the_tree(problem: Problem) -> None:
    """What no prefix has fell away while splitting."""
    cut = split(problem, 6)
    assert len(cut.weights) == len(cut.prefixes)
    assert all(0 < w <= 1 for w in cut.weights)
    assert sum(cut.weights) <= 1 + 1e-9
