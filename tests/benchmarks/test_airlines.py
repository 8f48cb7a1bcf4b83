"""Crew pairings, made: of the size and shape that are asked for, the same for each seed, with an answer."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks._airline_instances import LEGS, crew_pairings
from benchmarks.airlines import report
from benchmarks.measure import Runs
from covr.engine import Status, check, search


@pytest.mark.parametrize(("flights", "pairings", "seed"), [(64, 80, 1), (66, 65, 2), (80, 100, 7)])
def test_they_are_a_partition_of_flights(flights: int, pairings: int, seed: int) -> None:
    made = crew_pairings(flights, pairings, seed)
    assert made == crew_pairings(flights, pairings, seed) != crew_pairings(flights, pairings, seed + 1)
    assert (made.items, made.options) == (flights, pairings)
    assert set(made.low) == set(made.high) == {1} and min(made.costs) > 0
    lengths = Counter(len(made.option(o)) for o in range(made.options))
    assert LEGS[0] <= min(lengths) <= max(lengths) <= LEGS[1]
    assert len({tuple(made.option(o)) for o in range(made.options)}) == pairings
    run = search(made, goal="minimum")
    assert all(check(made, answer) is None for answer in run)
    assert run.status is Status.EXHAUSTED and run.bound == run.best is not None


def test_more_pairings_than_there_are() -> None:
    with pytest.raises(ValueError, match="pairings only"):
        crew_pairings(12, 1000)
    with pytest.raises(ValueError, match="no even number"):
        crew_pairings(13, 10)


def test_the_table_sets_times_side_by_side() -> None:
    table = {"200 × 2000": {"covr": Runs([0.5], 7), "highs": Runs([0.25], 7)}}
    text = report(table, {"covr": "1", "highs": "2"}, ["cpsat is not installed"], 60.0)
    assert "| 200 × 2000 | 7 | 0.500 | 0.250 (×0.5) |" in text
    assert "cpsat is not installed" in text
