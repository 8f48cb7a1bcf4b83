"""The clock of limits: what it counts, whoever runs it, and that every limit of time is held against it."""

from __future__ import annotations

from threading import Thread
from types import SimpleNamespace

import pytest

from covr.engine import Limits, Settings, search
from covr.engine.base import limits as module
from covr.engine.base.limits import Deadline, Met, Status
from tests.engine.problems import queens


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock on the wall that goes when it is told to."""
    wall = SimpleNamespace(time=100.0)
    monkeypatch.setattr(module, "perf_counter", lambda: wall.time)
    return wall


def test_it_runs_inside_with_and_stands_still_outside(now: SimpleNamespace) -> None:
    clock = Deadline(3.0)
    now.time += 50
    assert (clock.spent, clock.left, clock.over) == (0.0, 3.0, False)
    with clock:
        now.time += 2
        assert (clock.spent, clock.left, clock.over) == (2.0, 1.0, False)
    now.time += 50
    assert clock.spent == 2.0
    with clock:
        now.time += 1
    assert (clock.spent, clock.left, clock.over) == (3.0, 0.0, True)
    with clock:
        now.time += 1
    assert (clock.left, clock.over) == (0.0, True)


def test_time_inside_itself_is_spent_once(now: SimpleNamespace) -> None:
    clock = Deadline()
    with clock:
        now.time += 1
        with clock:
            now.time += 1
        now.time += 1
        clock.spend(7.0)  # elsewhere, in these same seconds
    assert clock.spent == 3.0
    clock.spend(4.0)
    assert (clock.spent, clock.left, clock.over) == (7.0, None, False)
    with pytest.raises(AssertionError):
        clock.stop()


def test_an_exception_stops_it(now: SimpleNamespace) -> None:
    clock = Deadline(5.0)
    with pytest.raises(ValueError), clock:
        now.time += 1
        raise ValueError
    now.time += 10
    assert clock.left == 4.0


def test_a_limit_of_nothing_is_over_at_once(now: SimpleNamespace) -> None:
    assert Deadline(0.0).over
    assert not Deadline(None).over
    assert Deadline(2.0, spent=2.0).over
    clock = Deadline(2.0, spent=2.0)
    clock.most = 3.0
    assert not clock.over


def test_met_looks_at_the_clock(now: SimpleNamespace) -> None:
    met = Met(Limits(seconds=2.0))
    assert met() is None
    now.time += 2
    assert met() is Status.LIMIT
    assert not met.out_of_memory


def test_time_counted_by_many_threads_is_counted_whole() -> None:
    clock = Deadline()

    def work() -> None:
        for _ in range(1000):
            clock.spend(1.0)

    workers = [Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert clock.spent == 4000.0


@pytest.mark.parametrize("engine", ["auto", "links", "memo", "reference"])
@pytest.mark.parametrize("goal", ["all", "minimum"])
def test_a_search_stands_still_between_answers(engine: str, goal: str) -> None:
    run = search(queens(5), goal=goal, settings=Settings(engine=engine))
    next(run)
    spent = run.seconds
    assert spent > 0
    assert run.seconds == spent
    list(run)
    assert run.seconds >= spent


@pytest.mark.parametrize("engine", ["auto", "links", "memo", "reference"])
def test_no_time_is_a_limit_before_the_first_node(engine: str) -> None:
    run = search(queens(8), limits=Limits(seconds=0.0), settings=Settings(engine=engine))
    assert list(run) == []
    assert (run.status, run.counters.nodes) == (Status.LIMIT, 0)


def test_other_limits_are_the_clock_s_too() -> None:
    run = search(queens(8))
    run.limit(Limits(seconds=0.0))
    assert list(run) == []
    assert run.status is Status.LIMIT
