"""Any number of threads: the same answers, in the same order, from the same nodes."""

from __future__ import annotations

import gc
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, build, count, search
from covr.engine.pieces.parallel import ParallelSearch
from covr.engine.settings import Pace, ThreadPace
from tests.engine.problems import coloured_path, langford, pairings, queens, random_exact, rooks
from tests.engine.strategies import problems

pytestmark = pytest.mark.long

SMALL = [queens(8), langford(8), coloured_path(6, 2), rooks(4)]
NAMES = ["queens", "langford", "path", "rooks"]


AT_ONCE = Pace(threads=ThreadPace(alone=3, slice=7, ahead=2))  # threads are started after a few nodes


@pytest.mark.parametrize("problem", SMALL, ids=NAMES)
@pytest.mark.parametrize("engine", ["auto", "links"])
def test_answers_order_and_nodes_are_those_of_one_thread(problem: Problem, engine: str) -> None:
    alone = search(problem, settings=Settings(engine=engine))
    answers = list(alone)
    for jobs in (2, 3, 5):
        run = search(problem, settings=Settings(engine=engine, jobs=jobs, pace=AT_ONCE))
        assert isinstance(run, ParallelSearch)
        assert list(run) == answers
        assert run.status is Status.EXHAUSTED
        assert f"on {jobs} threads" in run.engine
        assert (run.counters.nodes, run.counters.answers) == (alone.counters.nodes, len(answers))
        counted = count(problem, settings=Settings(engine=engine, jobs=jobs, memory=0, pace=AT_ONCE))
        assert (counted.value, counted.status) == (len(answers), Status.EXHAUSTED)
        assert counted.counters.nodes == alone.counters.nodes


@given(problems(), st.sampled_from([None, 5]), st.integers(1, 4))
def test_random_problems_keep_their_answers_and_order(problem: Problem, seed: int | None, limit: int) -> None:
    answers = list(search(problem, settings=Settings(seed=seed)))
    for jobs in (2, 3):
        settings = Settings(seed=seed, jobs=jobs, pace=Pace(threads=ThreadPace(alone=1)))
        assert list(search(problem, settings=settings)) == answers
        assert count(problem, settings=settings).value == len(answers)
        run = search(problem, limits=Limits(answers=limit), settings=settings)
        assert list(run) == answers[:limit]
        assert run.counters.answers == min(limit, len(answers))
        if len(answers) > limit:
            assert run.status is Status.SOLVED
        limited = count(problem, Limits(answers=limit), settings)
        assert limited.value == min(limit, len(answers))


@pytest.mark.parametrize("jobs", [2, 3])
@pytest.mark.parametrize(
    "problem",
    [queens(8), langford(8), rooks(4), coloured_path(5, 3)]
    + [
        # That one has more than a million nodes; the next smaller one 217 420.
        pytest.param(random_exact(seed, i, o, seed % 3), marks=[pytest.mark.slow] if (seed, i) == (2, 30) else [])
        for seed in range(4)
        for i, o in [(8, 40), (20, 60), (64, 90), (30, 80)]
    ],
    ids=lambda p: str(p.options),
)
def test_counters_add_up_exactly(problem: Problem, jobs: int) -> None:
    runs = [search(problem, settings=Settings(engine="bits", jobs=n, memory=0, pace=AT_ONCE)) for n in (1, jobs)]
    assert runs[0].count() == runs[1].count()
    alone, shared = runs[0].counters, runs[1].counters
    assert (alone.nodes, alone.answers) == (shared.nodes, shared.answers)
    assert alone.updates <= shared.updates  # splitting counts what each way removes, whatever follows


def test_a_memo_that_pays_keeps_one_thread() -> None:
    pace = Pace(threads=ThreadPace(alone=1000))
    board = [(r, c) for r in range(8) for c in range(8)]
    number = {cell: k for k, cell in enumerate(board)}
    steps = ((0, 1), (1, 0))
    pairs = [[number[r, c], number[r + x, c + y]] for r, c in board for x, y in steps if (r + x, c + y) in number]
    run = search(build([(1, 1)] * 64, pairs), settings=Settings(jobs=2, pace=pace))
    if "compiled" not in run.engine:
        pytest.skip("there is no memo without the compiled kernel")
    assert run.count() == 12988816
    assert "threads" not in run.engine


def test_limits_and_interrupts_stop_all_threads() -> None:
    before = threading.active_count()
    run = search(pairings(40), limits=Limits(seconds=0.2), settings=Settings(jobs=2, pace=AT_ONCE))
    next(run)
    assert run.count() > 0
    assert run.status is Status.LIMIT
    run = search(pairings(40), settings=Settings(jobs=2, pace=AT_ONCE))
    next(run)
    run.interrupt()
    assert all(True for _ in run)
    assert run.status is Status.INTERRUPTED
    run = search(pairings(40), settings=Settings(jobs=2, pace=AT_ONCE))
    for _ in range(9):
        next(run)
    del run
    gc.collect()
    for _ in range(100):
        if threading.active_count() <= before:
            return
        time.sleep(0.05)
    raise AssertionError("threads go on although nobody reads")


@pytest.mark.parametrize(
    ("engine", "where"), [("links", "subproblem"), ("bits", "Below.search"), ("bits", "Below.__init__")]
)
def test_a_fault_in_a_thread_is_raised_where_it_is_read(
    engine: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Problem:
        raise MemoryError

    run = search(queens(8), settings=Settings(engine=engine, jobs=2, pace=AT_ONCE))
    monkeypatch.setattr(f"covr.engine.pieces.parallel.{where}", broken)
    with pytest.raises(MemoryError):
        list(run)
    assert run.status is Status.INTERRUPTED


def test_a_limit_of_nodes_is_met_by_one_thread() -> None:
    run = search(pairings(40), limits=Limits(nodes=1234), settings=Settings(jobs=4))
    list(run)
    assert (run.status, run.counters.nodes) == (Status.LIMIT, 1234)


def test_the_nodes_on_threads_are_those_of_all_threads() -> None:
    run = search(queens(8), settings=Settings(jobs=2, pace=Pace(threads=ThreadPace(alone=50))))
    while run.step(200):
        assert run.nodes <= run.counters.nodes  # the threads go on meanwhile
    assert isinstance(run, ParallelSearch) and run.nodes == run.counters.nodes > 1000
