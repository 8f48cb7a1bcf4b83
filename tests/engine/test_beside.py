"""HiGHS beside our own search: the same minimum whoever is first, and no lie of HiGHS is believed."""

from __future__ import annotations

import os
import random
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import pairwise

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Circuit, Connection, Limits, Problem, Settings, Status, build, check, cost, plan, search
from covr.engine.kernels.header import DONE, FOUND, SLICE
from covr.engine.minimum.integer_program import ProgramKernel, method
from covr.engine.minimum.mixed import PROCESS
from covr.engine.outside import process
from covr.engine.outside.process import SolverProcess
from covr.engine.outside.solvers import Report
from covr.engine.problem import Total
from covr.engine.search import Search
from covr.engine.settings import Pace
from covr.engine.turns import CheapestTurns, Entrant, StepKernel
from tests.each import each
from tests.engine.problems import brute, least
from tests.engine.side_puzzles import knapsack
from tests.engine.sided import sided
from tests.engine.strategies import problems
from tests.shared import seeds

FREE = Settings(jobs=None, pace=Pace(highs=0))  # HiGHS is asked as soon as the search has begun


def suits(problem: Problem, goal: str, limits: Limits, settings: Settings) -> bool:
    return plan.HIGHS.against(plan.Query(problem, goal, limits, settings)) is None


def has_process(run: Search) -> bool:
    """Whether HiGHS in a process may have turns in a search."""
    return any(row.name == PROCESS for row in run.timetable)


class OneAnswer(StepKernel):
    """A search that has one answer and never an end."""

    def __init__(self, answer: tuple[int, ...]) -> None:
        super().__init__(None)
        self._answer = list(answer)

    def _search(self) -> Iterator[object]:
        for _ in range(20):
            self.work += 10**6
            yield None
        self.answers += 1
        while True:
            self.work += 10**6
            yield None


COSTLY = ("zero", "one", "negative", "profit")


class Scripted:
    """What stands for HiGHS in its process: reports one thing after another, each time it is looked at."""

    unit, work, relaxed = 1, 0, None

    def __init__(self, script: list[tuple[str, object]], slow: int, options: int) -> None:
        self._script, self._slow, self._looks = deque(script), slow, 0
        self._options = options
        self.report = Report()
        self.news = self.stopped = False

    def grant(self, work: int) -> None:
        """The script goes on."""
        self._looks += 1
        if self._looks % self._slow == 0 and self._script:
            kind, what = self._script.popleft()
            if kind == "found":
                assert isinstance(what, (list, tuple))
                self.report.better([o in what for o in range(self._options)])
            elif kind == "bound":
                assert isinstance(what, int)
                self.report.bound = what
            else:
                self.report.end(ValueError("it has failed") if kind == "failed" else None)

    def wait(self) -> None:
        self.news = bool(self._script)

    def stop(self) -> None:
        self.stopped = True


def scripted(problem: Problem, draw: random.Random, lies: bool) -> list[tuple[str, object]]:
    """What a solver could say of a problem; what it could not, where it lies."""
    every = sorted(brute(problem), key=lambda answer: -cost(problem, answer))
    script: list[tuple[str, object]] = [("found", a) for a in every if draw.random() < 0.5]
    true = least(problem)
    if true is not None:
        script.insert(draw.randrange(len(script) + 1), ("bound", true - draw.randint(0, 3)))
    if every and draw.random() < 0.7:
        script += [("found", every[-1]), ("over", True)]
    elif not every:
        script.append(("over", True))
    else:
        script.append(("failed", True))
    if lies and true is not None:
        lie = draw.choice([("found", [*range(problem.options)]), ("found", []), ("failed", True)])
        script.insert(draw.randrange(len(script) + 1), lie)
    return script


@given(problems(costs=COSTLY), st.randoms(use_true_random=False), st.booleans(), st.integers(1, 3))
def test_the_same_minimum_whoever_is_first(problem: Problem, draw: random.Random, lies: bool, slow: int) -> None:
    """Answers, bounds and an end, in any order, with answers that are none."""
    true = least(problem)
    other = Scripted(scripted(problem, draw, lies), slow, problem.options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "available", lambda _: True)
        patch.setattr(process, "SolverProcess", lambda _: other)
        run = search(problem, goal="minimum", settings=FREE)
        if not has_process(run):
            assert not any(problem.costs)
            return
        paid, bounds = [], []
        while run.step(1):
            bounds.append(run.bound)
            for answer in run.waiting():
                assert check(problem, answer) is None
                paid.append(cost(problem, answer))
        paid += [cost(problem, answer) for answer in run.waiting()]
    assert run.status is Status.EXHAUSTED
    assert all(b < a for a, b in pairwise(paid))
    assert run.best == (paid[-1] if paid else None) == true == run.bound
    assert all(bound is None or true is None or bound <= true for bound in bounds)
    assert run.counters.answers == len(paid)
    assert other.stopped or "highs" not in run.outside


@each("seed", seeds(60))
def test_totals_have_the_same_minimum_with_highs_beside(seed: int) -> None:
    """HiGHS takes totals; connections and loops are searched alone."""
    rng = random.Random(seed)
    problem = sided(rng, 10)
    if not any(problem.costs):
        problem = evolve(problem, costs=tuple(rng.randint(-3, 9) for _ in range(problem.options)))
    true = least(problem)
    other = Scripted(scripted(problem, rng, lies=bool(seed % 2)), 1, problem.options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "available", lambda _: True)
        patch.setattr(process, "SolverProcess", lambda _: other)
        run = search(problem, goal="minimum", settings=FREE)
        assert has_process(run) == all(isinstance(side, Total) for side in problem.sides)
        answers = list(run)
    assert all(check(problem, answer) is None for answer in answers)
    assert run.status is Status.EXHAUSTED
    assert run.best == true == run.bound


HARD = build([(1, 1)] * 2, [[0, 1], [0], [1]], costs=[9, 2, 3])


@pytest.mark.parametrize(
    "script",
    [
        [("bound", 7)],
        [("over", True)],
        [("found", [0]), ("over", True)],
        [("found", [1]), ("over", True)],
        [("found", [0, 1])],
        [("failed", True)],
    ],
)
def test_what_contradicts_an_answer_is_not_believed(
    script: list[tuple[str, object]],
) -> None:
    """The least is 5; each of these says otherwise, or nothing."""
    other = Scripted(script, 1, HARD.options)
    kernel = ProgramKernel(HARD, lambda: 5, 4, lambda *_: other, (HARD.options, []))
    for _ in range(3):
        assert kernel.run(1, 1) == SLICE
    assert not kernel.believed and other.stopped and kernel.answers == 0
    assert kernel.proved() is None


def test_a_bound_is_taken_back_when_a_cheaper_answer_is_found() -> None:
    """HiGHS has said 7 before anything was known; then our own search finds 5, and that proves nothing."""
    known: list[int] = []
    other = Scripted([("bound", 7)], 1, HARD.options)
    kernel = ProgramKernel(HARD, lambda: min(known, default=None), None, lambda *_: other, (HARD.options, []))
    reader = method(kernel, tuple)
    row = Entrant(PROCESS, lambda: reader, 1, "", may=lambda: kernel.nodes == 0 or kernel.has_news)
    own = OneAnswer((1, 2))
    turns = CheapestTurns([row, Entrant("own", lambda: own.method("own", tuple, 1), 1, "")], partial(cost, HARD), None)
    bounds = []
    while turns.code not in (FOUND, DONE):
        turns.run(1, 1)
        bounds.append(turns.bound())
        known[:] = [turns._cost] if turns._cost is not None else []
    assert 7 in bounds
    assert turns.run(1, 1) == SLICE, "no method has proved that 5 is the least"
    assert turns.bound() is None


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(jobs=None, seed=1),
        Settings(jobs=None, engine="mixed"),
        Settings(jobs=None, estimate="dual"),
        Settings(jobs=None, estimate=lambda view, cutoff: 0),
    ],
)
def test_who_did_not_want_it_has_none(settings: Settings) -> None:
    assert not suits(HARD, "minimum", Limits(), settings)


def test_it_is_left_out_where_limits_forbid_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "available", lambda _: True)
    assert suits(HARD, "minimum", Limits(), FREE)
    assert not suits(HARD, "all", Limits(), FREE)
    assert not suits(HARD, "minimum", Limits(nodes=9), FREE)
    assert not suits(HARD, "minimum", Limits(memory=1 << 40), FREE)
    assert not suits(HARD, "minimum", Limits(seconds=2), Settings(jobs=None))
    monkeypatch.undo()
    monkeypatch.setattr(process, "_processors", lambda: 1)
    assert not suits(HARD, "minimum", Limits(), FREE)


def test_costs_beyond_what_highs_counts() -> None:
    assert not process.available(build([(1, 1)], [[0], [0]], costs=[10**9, 1]))


def slow_one() -> Problem:
    """A partition that our own search takes seconds for."""
    draw = random.Random(1)
    order = list(range(50))
    sets = []
    for _ in range(3):
        draw.shuffle(order)
        sets += [sorted(order[k : k + 5]) for k in range(0, 50, 5)]
    while len(sets) < 1000:
        sets.append(sorted(draw.sample(range(50), draw.randint(2, 7))))
    return build([(1, 1)] * 50, sets, costs=[draw.randint(5, 20) * len(s) + draw.randint(0, 30) for s in sets])


def wait_for(what: SolverProcess, ready: str = "over") -> None:
    """Until it reports so, at most a minute."""
    until = time.monotonic() + 60
    while getattr(what.report, ready) in (None, False) and not what.report.over and time.monotonic() < until:
        time.sleep(0.02)


def test_highs_says_the_same_in_a_process_of_its_own() -> None:
    """Its answers, its end, and its bounds are what it would say in this process."""
    pytest.importorskip("highspy")
    draw = random.Random(3)
    sets = [draw.sample(range(12), draw.randint(1, 4)) for _ in range(30)]
    problem = build([(0, 1)] * 12, sets, costs=[-7 * draw.randint(1, 90) for _ in sets], given=[4])
    solver = SolverProcess(problem)
    wait_for(solver)
    assert solver.report.over and solver.report.fault is None
    answers = [tuple([o for o, taken in enumerate(values) if taken]) for values in solver.report.found]
    assert all(check(problem, answer) is None for answer in answers)
    assert min(cost(problem, answer) for answer in answers) == least_by_links(problem)
    nothing = SolverProcess(build([(1, 1), (1, 1)], [[0], [0]], costs=[1, 2]))
    wait_for(nothing)
    assert nothing.report.over and nothing.report.fault is None and not nothing.report.found


def least_by_links(problem: Problem) -> int | None:
    run = search(problem, goal="minimum", settings=Settings(engine="links"))
    list(run)
    return run.best


def test_a_process_that_is_stopped_ends() -> None:
    pytest.importorskip("highspy")
    solver = SolverProcess(slow_one())
    wait_for(solver, "bound")
    assert solver.report.bound is not None
    solver.stop()
    wait_for(solver)
    assert solver.report.fault is not None
    assert solver._child is not None and solver._child.poll() is not None


def test_a_process_that_can_not_begin_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process.sys, "executable", "/nowhere/python")
    solver = SolverProcess(HARD)
    wait_for(solver)
    assert solver.report.fault is not None and solver.news


def test_a_process_without_highs_is_a_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """Whatever it says instead."""
    monkeypatch.setattr(process.sys, "path", [str(tmp_path)])
    monkeypatch.chdir(str(tmp_path))
    monkeypatch.setattr(process.sys, "executable", "/bin/echo")
    solver = SolverProcess(HARD)
    wait_for(solver)
    assert solver.report.fault is not None


def test_both_are_stopped_together_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told at a limit joins both bounds; nobody is left at work."""
    pytest.importorskip("highspy")
    if process._processors() < 2:
        pytest.skip("one processor")
    problem = slow_one()
    run = search(problem, goal="minimum", limits=Limits(seconds=2), settings=FREE)
    begun: list[SolverProcess] = []
    monkeypatch.setattr(process, "SolverProcess", lambda problem: begun.append(SolverProcess(problem)) or begun[-1])
    bounds = []
    while run.step(1):
        bounds.append(run.bound)
    answers = list(run)
    assert all(check(problem, answer) is None for answer in answers)
    told = [bound for bound in bounds if bound is not None]
    assert told == sorted(told)
    assert run.bound is not None and run.best is not None
    assert 360 <= run.bound <= 442 <= run.best
    (solver,) = begun
    wait_for(solver)
    assert solver._child is None or solver._child.poll() is not None


def test_totals_are_for_it_but_no_connections_and_no_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "available", lambda _: True)
    things = knapsack([3, 4, 5], [4, 5, 6], 8)
    assert suits(things, "minimum", Limits(), FREE)
    for side in (Connection(((0, 0),), ()), Circuit(((0, 0, 0),))):
        assert not suits(evolve(things, sides=(*things.sides, side)), "minimum", Limits(), FREE)


def test_a_knapsack_that_takes_long_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("highspy")
    monkeypatch.setattr(process, "available", lambda _: True)
    rng = random.Random(7)
    weights = [rng.randint(5000, 60000) for _ in range(26)]
    things = knapsack(weights, [w + rng.randint(0, 9000) for w in weights], sum(weights) // 2)
    run = search(things, goal="minimum", settings=FREE)
    assert has_process(run)
    *_, best = run
    alone = search(things, goal="minimum", settings=Settings(jobs=1))
    list(alone)
    assert run.status == "exhausted" and check(things, best) is None
    assert cost(things, best) == run.best == run.bound == alone.best


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="priorities are those of POSIX")
def test_the_process_gives_way() -> None:
    """It has a lower priority than the search beside it."""
    pytest.importorskip("highspy")
    draw = random.Random(1)
    sets = [sorted(draw.sample(range(40), draw.randint(2, 6))) for _ in range(600)]
    problem = build([(1, 1)] * 40, sets, costs=[10 * len(s) + draw.randint(0, 30) for s in sets])
    other = SolverProcess(problem)
    try:
        until = time.monotonic() + 60
        lower = False
        while not (lower or other.report.over) and time.monotonic() < until:
            child = other._child
            if child is not None:
                with suppress(ProcessLookupError):
                    lower = os.getpriority(os.PRIO_PROCESS, child.pid) > os.getpriority(os.PRIO_PROCESS, 0)
            time.sleep(0.002)
        assert lower or os.getpriority(os.PRIO_PROCESS, 0) > 9
    finally:
        other.stop()
