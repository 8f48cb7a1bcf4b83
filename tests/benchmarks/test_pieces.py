"""The simulated sharing of pieces: statements that hold whatever was measured."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.pieces import WAYS, simulate

ROOTS = st.lists(st.lists(st.floats(0.1, 100), min_size=1, max_size=5), min_size=1, max_size=12)


@given(roots=ROOTS, workers=st.integers(1, 30), way=st.sampled_from(WAYS))
def test_no_way_is_faster_than_its_work(roots: list[list[float]], workers: int, way: str) -> None:
    found, work = simulate(roots, workers, way), sum(map(sum, roots))
    assert found.seconds * workers >= (work + found.again) * (1 - 1e-9)
    alone = simulate(roots, 1, way)
    assert alone.seconds == pytest.approx(work)
    assert alone.again == 0
    assert found.seconds <= (work + found.again) * (1 + 1e-9) + 15.0 * 100


@given(roots=ROOTS, workers=st.integers(1, 30))
def test_pieces_that_are_kept_whole_end_with_the_longest(roots: list[list[float]], workers: int) -> None:
    """Greedy sharing is at most the mean and one whole piece behind (Graham 1966)."""
    for way, longest in (("apart", max(map(sum, roots))), ("shared", max(map(max, roots)))):
        assert simulate(roots, workers, way).seconds <= sum(map(sum, roots)) / workers + longest + 1e-6


def test_what_is_long_is_cut_for_those_that_wait() -> None:
    """One piece of an hour and two workers: at the first beat it is cut into sixteen."""
    apart, cut = simulate([[3600.0]], 2, "apart"), simulate([[3600.0]], 2, "cut", beat=15.0)
    assert apart.seconds == 3600
    assert cut.seconds == pytest.approx(15 + 1800)
    assert cut.again == pytest.approx(15)
