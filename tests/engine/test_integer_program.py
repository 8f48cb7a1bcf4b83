"""HiGHS in turns: never a wrong bound, whatever it says, and the same minimum with it, without it and beside others."""

from __future__ import annotations

import importlib.util
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, cost, search
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.minimum import integer_program, mixed
from covr.engine.minimum.integer_program import ProgramKernel, refutes, rounded_bound
from covr.engine.outside.highs_turns import Relaxed
from covr.engine.outside.solvers import Report, rows
from covr.engine.problem import only_totals
from tests.engine.problems import brute, least, random_partition
from tests.engine.program_turns import rota
from tests.engine.schedules import mixed_pace
from tests.engine.sided import sided
from tests.engine.strategies import problems

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
COSTLY = ("zero", "one", "negative", "profit")
PRICES = st.one_of(st.integers(-4, 4).map(float), st.floats())
with_highs = pytest.mark.skipif(not importlib.util.find_spec("highspy"), reason="highspy is not installed")


@st.composite
def with_totals(draw: st.DrawFn) -> Problem:
    problem = sided(random.Random(draw(st.integers(0, 10**6))), 7, True)
    return problem if only_totals(problem.sides) else draw(problems(costs=COSTLY))


ANY = st.one_of(problems(costs=COSTLY), with_totals())


@given(ANY, st.data())
def test_a_bound_from_any_prices_is_true(problem: Problem, data: st.DataObject) -> None:
    variables, found = rows(problem)
    prices = data.draw(st.lists(PRICES, min_size=len(found), max_size=len(found)))
    costs = [*problem.costs, *[0] * (variables - problem.options)]
    true = least(problem)
    assert true is None or rounded_bound(costs, found, prices) <= true
    assert true is None or not refutes(variables, found, prices)


def test_good_prices_give_a_good_bound() -> None:
    """The assignment of two: each row and each column pays half."""
    from tests.engine.problems import assignment

    problem = assignment([[2, 4], [4, 2]])
    variables, found = rows(problem)
    assert rounded_bound(list(problem.costs), found, [1.0] * 4) == 4
    none = rows(assignment([[1, 1]] * 2))[1]
    assert refutes(variables, [*none[:2], *none[:1]], [1.0, 1.0, -1.0]) is False


class Scripted:
    """What stands for HiGHS: reports one thing in each turn; some of it may be lies."""

    unit = 1

    def __init__(self, relaxed: Relaxed | None, script: list[tuple[str, Any]]) -> None:
        self.relaxed, self._script, self.report = relaxed, script, Report()
        self.work, self.stopped = 0, False

    def grant(self, work: int) -> None:
        self.work += work

    def wait(self) -> None:
        kind, what = self._script.pop(0) if self._script else ("over", None)
        if kind == "found":
            self.report.better(what)
        elif kind == "bound":
            self.report.at_least(what)
        else:
            self.report.end(what)

    def stop(self) -> None:
        self.stopped = True


@given(problems(costs=COSTLY), st.randoms(use_true_random=False))
def test_no_lie_is_believed_against_a_known_answer(problem: Problem, draw: random.Random) -> None:
    """Whatever is reported, an answer is one, and neither bound nor end contradicts what another method has found."""
    every = brute(problem)
    if not every:
        return
    true, variables = min(cost(problem, a) for a in every), rows(problem)[0]
    script: list[tuple[str, Any]] = []
    for _ in range(draw.randint(0, 5)):
        taken = [draw.random() < 0.5 for _ in range(variables)]
        script.append(draw.choice([("found", taken), ("bound", float(true + draw.randint(-3, 3)))]))
    script.append(("over", draw.choice([None, None, ValueError("rounding errors")])))
    values = [draw.choice([0.0, 1.0, 0.5]) for _ in range(variables)]
    prices = [draw.uniform(-3, 3) for _ in rows(problem)[1]]
    relaxed = draw.choice([None, Relaxed(), Relaxed(values, prices), Relaxed(ray=prices)])
    highs: Any = Scripted(relaxed, script)
    kernel = ProgramKernel(problem, lambda: true, None, lambda costs, rows: highs)
    for _ in range(20):
        code = kernel.run(1, 1)
        assert code != FOUND, "none is cheaper than the cheapest"
        assert kernel.bound is None or kernel.bound <= true
        if code == DONE or not kernel.believed:
            break
    else:
        raise AssertionError("it goes on")
    if code == DONE:
        assert kernel._best == true, "who ends has found the minimum, or has proved that there is none"


def test_who_is_no_longer_believed_has_no_more_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does its turn go on: it would do nothing, again and again, and no limit would be looked at."""
    calls: list[bool] = []
    kernels: list[ProgramKernel] = []

    class Liar(Scripted):
        def wait(self) -> None:
            self.report.at_least(-1e9 if self.known() is None else 1e9)  # type: ignore[attr-defined]

    class Counted(ProgramKernel):
        def run(self, nodes: int, answers: int) -> int:
            calls.append(self.believed)
            return super().run(nodes, answers)

    def made(problem: Problem, known: Any, ceiling: int | None, program: Any = None) -> ProgramKernel:
        liar: Any = Liar(None, [])
        liar.known = known
        kernels.append(Counted(problem, known, ceiling, lambda costs, rows: liar, program))
        return kernels[0]

    monkeypatch.setattr(mixed, "ProgramKernel", made)
    monkeypatch.setattr(integer_program, "GRANT", 1000)  # so that its turn is not over after one node
    early = mixed_pace(turn=20_000, late=0)
    run = search(
        random_partition(40, 1000, 1), goal="minimum", limits=Limits(nodes=3000), settings=Settings(jobs=1, pace=early)
    )
    list(run)
    assert run.counters.nodes == 3000 or run.status is Status.EXHAUSTED
    assert calls and all(calls), "it was called although it was no longer believed"
    assert not kernels[0].believed


def test_where_it_is_missing_the_walk_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integer_program, "find_spec", lambda name: None)
    large = rota(40, 28, (8, 12), (18, 22))
    run = search(large, goal="minimum", limits=Limits(nodes=300), settings=Settings(jobs=1))
    list(run)
    assert run.status is Status.LIMIT and run.counters.nodes == 300
    assert run.bound is not None and run.bound <= 1122


@with_highs
@pytest.mark.parametrize("platform", [sys.platform, "emscripten"])
def test_any_turns_lead_to_the_same_minimum(platform: str) -> None:
    program = [sys.executable, "-m", "tests.engine.program_turns", "30", platform]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(program, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.stdout == "compared 30\n", done.stdout + done.stderr


@with_highs
def test_small_problems_do_not_load_it() -> None:
    text = (
        "import sys; from covr.engine import search, Settings; from tests.engine.problems import assignment;"
        "run = search(assignment([[3, 1], [1, 2]]), goal='minimum', settings=Settings(jobs=1)); list(run);"
        "print(run.best, 'highspy' in sys.modules, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "2 False False\n", done.stdout + done.stderr


def test_a_small_cover_loads_no_method_that_comes_later() -> None:
    """Which took longer than most covers take."""
    text = (
        "import sys; from covr.engine import build, search, Settings;"
        "run = search(build([(1, 9)] * 3, [[0, 1], [1, 2], [2]], costs=[2, 3, 1]), goal='minimum'); list(run);"
        "later = 'sweep', 'annealed', 'priced', 'one_total', 'sided_tree', 'alike', 'core_descent';"
        "print(run.best, [name for name in later if 'covr.engine.minimum.' + name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "3 []\n", done.stdout + done.stderr
