"""The benchmark of growth: its problems have the answer that is planted, its slopes are slopes, and a run that exceeds
a limit says so."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("resource")  # it limits processes as only POSIX can

from benchmarks.growth import METHODS, READING, WIDTH, Grown, exponent, once, planted, report
from covr.engine import Limits, search, validate


def test_a_cover_is_planted() -> None:
    for kind in ("exact", "cover", "packing"):
        problem = planted(240, kind)
        validate(problem)
        assert {problem.starts[o + 1] - problem.starts[o] for o in range(240)} == {WIDTH}
    assert [*search(planted(240, "exact"), limits=Limits(answers=1))]


def test_exponents_are_slopes() -> None:
    sizes = (10_000, 100_000, 1_000_000)
    assert exponent({n: 3.0 * n**1.5 for n in sizes}) == pytest.approx(1.5)
    assert exponent(dict.fromkeys(sizes, 7.0)) == pytest.approx(0)
    assert exponent({10_000: 7.0}) is None and exponent({1000: 1.0, 10_000: 2.0}) is None  # the small one is left out


def test_a_run_says_what_it_took_or_what_stopped_it() -> None:
    got = once(READING, 1000, 20, 4_000_000_000)
    assert got.ready is not None and got.memory is not None and not got.trouble
    assert math.isfinite(got.ready) and got.memory < 100_000_000
    assert once("cover", 1000, 20, 5_000_000).trouble == "> 0.005 GB"  # Python alone takes more


def test_a_table_shows_each_run() -> None:
    runs = {10_000: Grown(1.0, 6_000_000), 100_000: Grown(10.0, 60_000_000), 1_000_000: Grown(trouble="> 25 s")}
    text = report(dict.fromkeys([READING, *METHODS], runs), "at most 25 s and 4 GB for a run")
    assert "| cover | 1.00 | 10.00 | > 25 s | n^1.00 |" in text
    assert "| cover | 100 | 100 |  | n^1.00 |" in text
