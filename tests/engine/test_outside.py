"""HiGHS and CP-SAT, where they are installed, must agree on the same problems."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from itertools import product, repeat
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Limits, Settings, Status, Total, build, check, search
from covr.engine.base.alone import wanted
from covr.engine.base.limits import LimitReached, limits_checked_by
from covr.engine.outside.highs_turns import iterations
from covr.engine.outside.solvers import CpSat, Highs, Report, SolverRow, all_end, rows
from tests.engine.problems import queens

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
PACKAGES = {"highs": "highspy", "cpsat": "ortools"}
every_engine = pytest.mark.parametrize(
    "engine",
    [
        pytest.param(n, marks=pytest.mark.skipif(not importlib.util.find_spec(p), reason=f"{p} is not installed"))
        for n, p in PACKAGES.items()
    ],
)


@every_engine
def test_random_mixed_problems_have_the_same_minima(engine: str) -> None:
    program = [sys.executable, "-m", "tests.engine.outside_opinion", engine, "150"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(program, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.stdout == "compared 153\n", done.stdout + done.stderr


def test_rows_say_what_the_problem_says() -> None:
    problem = build([(2, 3), (1, 9), (0, 1), (0, 5)], [[0, 1], [0, (2, 1)], [0, (2, 2)], [0, 2, 3]], given=[3])
    variables, found = rows(problem)
    assert variables == 6
    assert found == [
        SolverRow(2, 3, ((0, 1), (1, 1), (2, 1), (3, 1))),
        SolverRow(1, None, ((0, 1),)),
        SolverRow(None, 1, ((3, 1), (4, 1), (5, 1))),
        SolverRow(0, None, ((4, 1), (1, -1))),
        SolverRow(0, None, ((5, 1), (2, -1))),
        SolverRow(1, None, ((3, 1),)),
    ]


@given(st.lists(st.integers(1, 6), min_size=2, max_size=5), st.integers(0, 16), st.booleans())
def test_a_tighter_row_allows_the_same_answers(weights: list[int], high: int, needy: bool) -> None:
    """A total of goods, all of which need the last option, or none does; and what is served by half a depot."""
    n = len(weights)
    needs = [Total(((o, 1), (n, -1)), ((-1, 0),)) for o in range(n) if needy]
    total = Total(tuple(enumerate(weights)), ((0, high),))
    problem = build([], [[]] * (n + 1), costs=[1] * (n + 1), sides=[*needs, total])
    _, found = rows(problem)
    for taken in product((0, 1), repeat=n + 1):
        sums = [(row, sum(c * taken[o] for o, c in row.terms)) for row in found]
        fits = all((r.low is None or r.low <= s) and (r.high is None or s <= r.high) for r, s in sums)
        assert fits == (check(problem, [o for o in range(n + 1) if taken[o]]) is None)
    if needy and high < sum(weights):
        assert any(len(row.terms) == n + 1 for row in found)


@pytest.mark.parametrize("engine", PACKAGES)
def test_they_refuse_what_is_no_minimum(engine: str) -> None:
    with pytest.raises(ValueError, match="only for a minimum"):
        search(queens(4), settings=Settings(engine=engine))


def test_a_missing_package_is_named() -> None:
    with pytest.raises(ValueError, match=r"the engine `x` needs the package nowhere: pip install 'covr\[y\]'"):
        wanted("nowhere.at.all", "y", "the engine `x`")


class Deaf:
    """A solver that finds two answers and a bound and then hears nothing."""

    unit = 1

    def __init__(self, *_: object) -> None:
        self.release = Event()

    def solve(self, report: Report) -> None:
        for values in ([True, True], [True, False], [True, True]):
            report.better(values)
        report.at_least(2.2)
        self.release.wait(60)

    def end_within(self, seconds: float | None) -> None:
        self.within = seconds

    def cancel(self) -> None:
        """This solver does not react to the request to stop."""


def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covr.engine.outside.solvers.Highs", Deaf)


TWO = build([(1, 2)], [[0], [0]], costs=[4, 5])


def test_a_limit_of_time_is_met_while_the_solver_is_deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    deaf(monkeypatch)
    run = search(TWO, goal="minimum", limits=Limits(seconds=0.2), settings=Settings(engine="highs"))
    assert list(run) == [(0, 1), (0,)]
    assert (run.status, run.best, run.bound) == (Status.LIMIT, 4, 3)
    assert 0.2 <= run.seconds < 5
    solver = run._kernel._solver  # type: ignore[attr-defined]
    assert not all_end(0.05)
    solver.release.set()
    assert all_end(5)


def test_an_interrupt_is_heard_while_the_solver_is_deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    deaf(monkeypatch)
    run = search(TWO, goal="minimum", settings=Settings(engine="highs"))
    assert next(run) == (0, 1)
    run.interrupt()
    assert list(run) == []
    assert run.status is Status.INTERRUPTED
    run._kernel._solver.release.set()  # type: ignore[attr-defined]
    assert all_end(5)


def test_a_limit_of_nodes_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    deaf(monkeypatch)
    run = search(TWO, goal="minimum", limits=Limits(nodes=3), settings=Settings(engine="highs"))
    assert list(run)
    assert (run.status, run.counters.nodes) == (Status.LIMIT, 3)
    run._kernel._solver.release.set()  # type: ignore[attr-defined]


def test_what_a_solver_dies_of_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(self: Deaf, report: Report) -> None:
        report.better([True, True])
        raise ValueError("it gave up")

    monkeypatch.setattr(Deaf, "solve", solve)
    deaf(monkeypatch)
    run = search(TWO, goal="minimum", settings=Settings(engine="highs"))
    assert next(run) == (0, 1)
    with pytest.raises(ValueError, match="it gave up"):
        next(run)


@every_engine
def test_what_was_found_by_the_limit_is_kept(engine: str) -> None:
    """Of a problem that takes minutes: answers, ever cheaper, and a bound. In a process of its own, which must end.

    On a busy machine two seconds may be too few for a first answer: then it is given more."""
    program = (
        "from covr.engine import Limits, Settings, check, search\n"
        "from tests.engine.problems import random_cover\n"
        "hard = random_cover(400, 1500, (3, 12))  # no engine ends it within minutes\n"
        "for seconds in (2, 8, 32):\n"
        f"    settings = Settings(engine={engine!r})\n"
        "    run = search(hard, goal='minimum', limits=Limits(seconds=seconds), settings=settings)\n"
        "    costs = []\n"
        "    for answer in run:\n"
        "        assert check(hard, answer) is None\n"
        "        costs.append(sum(hard.costs[o] for o in answer))\n"
        "    if costs and run.bound:\n"
        "        break\n"
        "assert costs and costs == sorted(set(costs), reverse=True), costs\n"
        "assert run.seconds < seconds + 28, run.seconds\n"
        "assert run.best == costs[-1] and 0 < run.bound <= run.best\n"
        "print(run.status)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, env=environment, check=False
    )
    # A fast machine may see the end of it before the limit.
    assert (done.returncode, done.stdout in ("limit\n", "exhausted\n")) == (0, True), done.stderr


@every_engine
def test_a_solver_that_does_not_listen_ends_by_itself(engine: str) -> None:
    """What it is told beforehand is enough, and its end is no proof."""
    program = (
        "from covr.engine.base.limits import Met, limits_checked_by\n"
        "from covr.engine import Limits\n"
        "from covr.engine.outside.solvers import Outside, Running, allowed\n"
        "from tests.engine.problems import random_cover\n"
        "with limits_checked_by(Met(Limits(seconds=1000))):\n"
        f"    outside = Outside({engine!r}, random_cover(400, 1500, (3, 12)), None)\n"
        "    assert 900 < allowed() < 1001\n"
        "outside._solver.end_within(0.3)\n"
        "running = Running(outside._solver)\n"
        "running._thread.join(40)\n"
        "print(running.report.over, type(running.report.fault).__name__)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.stdout == "True Unsuited\n", done.stderr


def test_rows_heed_limits_and_interrupts_while_they_are_built() -> None:
    problem = queens(40)
    for after in range(problem.items // 16):
        looks = repeat(None, after)
        with pytest.raises(LimitReached), limits_checked_by(lambda looks=looks: next(looks, Status.INTERRUPTED)):
            rows(problem)


@every_engine
def test_a_solver_can_be_stopped_while_its_model_is_built(engine: str) -> None:
    # Rows are given, so that the looks are those of the model that is made of them.
    make = {"highs": Highs, "cpsat": CpSat}[engine]
    variables, found = rows(queens(40))
    looks = repeat(None, 4)
    with pytest.raises(LimitReached), limits_checked_by(lambda: next(looks, Status.INTERRUPTED)):
        make([1] * variables, found)


def test_iterations_are_read_from_the_log_of_highs() -> None:
    """Lines of the table end with iterations and seconds; no other line counts."""
    row = "{} 1       1         1   0.00%   0          26               100.00%       56      8     34  {}     6.1s\n"
    assert [iterations(row.format(" ", n)) for n in ("9693", "17k", "2m")] == [9693, 17_000, 2_000_000]
    assert iterations(row.format(" L      ", "12")) == 12
    assert iterations("  LP iterations     17061\n") is None and iterations("") is None
    assert iterations("1195 rows, 980 cols, 5430 nonzeros 0s\n") is None
