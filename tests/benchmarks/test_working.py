"""The benchmark of models of working size: solvers agree, and what is wrong with a row is said."""

from __future__ import annotations

import pytest

from benchmarks.working import asked_apart, cells, faults, no_worse, standing

pytestmark = pytest.mark.long


def test_a_model_is_proved_and_measured() -> None:
    found = asked_apart("covr", "tours", 1, 20.0)
    assert found["proved"] and found["sound"] and found["value"] == found["bound"]
    assert found["lines"] > 2 and found["memory"] > 10 and cells(found)[0] == str(found["value"])


def test_what_is_wrong_is_said() -> None:
    good = {"value": 5, "bound": 5, "proved": True, "sound": True, "seconds": 1.0}
    assert faults({"covr": good, "highs": {"unfit": "loops"}}) == []
    assert len(faults({"covr": {**good, "bound": 6}, "highs": good})) == 1
    assert len(faults({"covr": {**good, "sound": False}, "highs": {"trouble": "did not end"}})) == 2


def test_standing_counts_proofs_and_what_is_open() -> None:
    good = {"value": 5, "bound": 5, "proved": True, "seconds": 1.0}
    there = {**good, "bound": 3, "proved": False}
    told = standing({"a": {"covr": {**good, "seconds": 3.0}, "highs": good}, "b": {"covr": there, "highs": there}})
    assert "0 of 1" in told[0] and "1 of 1" in told[1]
    assert not no_worse(there, [4], [None]) and not no_worse(there, [None], [4])
