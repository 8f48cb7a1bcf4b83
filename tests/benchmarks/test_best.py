"""The benchmark of minima: its problems are the same every time, and its table says what was found."""

from __future__ import annotations

import json
import subprocess
from types import SimpleNamespace

import pytest

from benchmarks._best_instances import OPTIMA, generated
from benchmarks.best import report
from benchmarks.measure import Runs
from benchmarks.proved import once
from covr.engine import Status, check, search

pytestmark = pytest.mark.long

SMALL = ("ranges 40", "assignment", "triples", "independent 40", "nurses", "packing 60")


@pytest.mark.parametrize("name", [i.name for i in generated() if i.name.startswith(SMALL)])
def test_small_ones_are_proved(name: str) -> None:
    made, again = (next(i.make() for i in generated() if i.name == name) for _ in range(2))
    assert made == again
    run = search(made, goal="minimum")
    if "interpreted" in run.engine:
        pytest.skip("too slow without the compiled kernel")
    assert all(check(made, answer) is None for answer in run)
    assert (run.status, run.bound) == (Status.EXHAUSTED, run.best)


def test_a_round_that_proves_nothing_takes_nothing_back(monkeypatch: pytest.MonkeyPatch) -> None:
    told = iter([(179, True), (264, False)])

    def run(*_: object, **__: object) -> SimpleNamespace:
        found, proved = next(told)
        said = {"found": found, "proved": proved, "sound": True, "seconds": 0.5}
        return SimpleNamespace(returncode=0, stdout=json.dumps(said))

    monkeypatch.setattr(subprocess, "run", run)
    runs = Runs()
    once(["covr"], 1.0, runs, "not an answer")
    once(["covr"], 1.0, runs, "not an answer")
    assert (runs.found, runs.best) == (179, 0.5)


def test_the_table_says_what_was_found() -> None:
    late = Runs(found=12, trouble="timeout")
    table = {"bus-t1": {"covr": Runs([0.5, 0.25], 7), "highs": Runs([1.0], 7)}, "x": {"covr": late, "highs": late}}
    text = report(table, {"covr": "1", "highs": "2"}, ["bus-t2 is not at hand"], 20.0)
    assert "| bus-t1 | 7 | 0.250 | 1.000 (×4.0) |" in text
    assert "| x | ? | > | > |" in text
    assert "bus-t2 is not at hand" in text
    assert OPTIMA["bus-t1.dlx"] == 7
