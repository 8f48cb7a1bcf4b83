"""The benchmark of plans: all programs are told the same plans, wrong answers are noticed, and its table says who is
ahead."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from benchmarks._work_instances import INSTANCES, SMALL, WorkInstance
from benchmarks._work_peers import sound, whole
from benchmarks.measure import ROOT, Runs
from benchmarks.work import PEERS, best_of, ratio, report

pytestmark = pytest.mark.long

QUICK = ("stand_ins", "duties", "rolls-7")  # one of each kind of program: goals in order, texts, numbers


def told(solver: str, name: str) -> dict[str, object]:
    """What a solver says in a process of its own, as CP-SAT and HiGHS can't be in one."""
    command = [sys.executable, "-P", str(PEERS), solver, name, "60"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)}, check=True)
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("small", SMALL, ids=lambda small: small.said)
def test_a_small_plan_is_proved_by_covr(small: WorkInstance) -> None:
    found = told("covr", small.said)
    assert found["proved"] and found["sound"] and found["found"] is not None


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in INSTANCES]
)
def test_all_programs_find_the_same_best_plan(name: str) -> None:
    pytest.importorskip("ortools", reason="the second opinion is OR-Tools'")
    ours, theirs = (told(solver, name) for solver in ("covr", "cpsat"))
    assert ours["proved"] and theirs["proved"] and ours["sound"] and theirs["sound"]
    assert ours["found"] == theirs["found"] is not None


def test_an_answer_that_is_none_is_noticed() -> None:
    compiled = INSTANCES["rolls-7"].load().compiled
    kinds = range(1, 6)
    cut = {(r, k): 0 for r in range(1, 8) for k in kinds}
    cut |= {
        (1, 5): 2,
        (2, 5): 2,
        (3, 5): 1,
        (3, 4): 1,
        (4, 4): 3,
        (5, 4): 2,
        (5, 3): 1,
        (6, 2): 4,
        (7, 1): 1,
        (7, 3): 1,
    }
    plan = [("cut", r, k, n) for (r, k), n in cut.items()] + [("used", r) for r in range(1, 8)]
    answer = whole(compiled, plan)
    assert answer and sound(compiled.problem, answer) and compiled.objective(answer) == 7
    assert not sound(compiled.problem, whole(compiled, plan[1:]))  # roll 1 is cut in no way for kind 1
    assert not sound(compiled.problem, whole(compiled, plan[:-1]))  # roll 7 is cut, and not used
    assert whole(compiled, [*plan, ("used", 8)]) == ()


def test_the_table_says_who_is_ahead() -> None:
    late = Runs(trouble="timeout")
    row = {"covr": Runs([0.5, 0.2], 9, "", [0.1]), "cpsat": Runs([0.1], 9, "", [0.2]), "highs": late}
    assert ratio(row, "cpsat", 20.0, "seconds") == 2 and ratio(row, "cpsat", 20.0, "searches") == 0.5
    assert ratio(row, "highs", 20.0, "seconds") == 0.01
    assert ratio({**row, "covr": late}, "cpsat", 20.0, "seconds") is None
    text = report({"duties": row}, {"covr": "1", "cpsat": "2", "highs": "3"}, [], 20.0)
    assert "| duties: 9 drivers, 14 days | 9 | 0.200 | 0.100 | > | ×2.00 | ×0.01 | 0.100 | 0.200 | > | ×0.50 |" in text
    assert "covr is ahead of cpsat in 0 of 1 rows, and takes at most twice as long in 1" in text
    assert best_of("duties", {"covr": late}) == "?"
    assert best_of("stand_ins", {"covr": Runs([0.1], 3577)}) == "8, then 17"
