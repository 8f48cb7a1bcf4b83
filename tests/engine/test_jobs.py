"""`jobs` means the same wherever it is said."""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import Thread

import pytest

from covr.engine import Limits, Settings, batch
from covr.engine.base import alone as jobs
from covr.engine.base.alone import MOST, threads, threads_for_minimum
from covr.engine.pieces.parallel import ParallelSearch
from covr.engine.pieces.piece import Threads
from covr.engine.puzzles.candidates import CandidateSearch
from covr.engine.puzzles.clues import Uniqueness
from covr.questions.options import Options
from tests.engine.problems import queens


@pytest.fixture(params=[1, 3, 200])
def cores(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """A machine with so many cores."""
    number: int = request.param
    monkeypatch.setattr(jobs, "cpu_count", lambda: number)
    return number


def test_none_is_one_each_core_and_a_number_is_that_many(cores: int) -> None:
    assert [threads(n) for n in (None, 1, 2, MOST)] == [cores, 1, 2, MOST]
    assert threads(100_000) == max(cores, MOST)
    assert [threads_for_minimum(n) for n in (None, 1, 2, 100_000)] == [1, 1, 2, max(cores, MOST)]


@pytest.mark.parametrize("system", ["emscripten", "wasi"])
def test_where_no_thread_can_be_started_there_is_one(system: str, cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert {threads(n) for n in (None, 1, 2, 100_000)} == {1}


@pytest.mark.parametrize("system", ["emscripten", "wasi"])
def test_a_limit_of_time_needs_no_thread(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(Thread, "start", refuse)
    problem = queens(5)
    with Uniqueness(problem, Limits(seconds=60)) as asked:
        assert len(asked.answers(())) == 2
    assert CandidateSearch(problem, limits=Limits(seconds=60)).run().complete


def test_all_who_take_jobs_mean_the_same(cores: int) -> None:
    for n in (None, 1, 2, 100_000):
        assert Threads(n).size == threads(n)
        assert ParallelSearch(queens(4), settings=Settings(jobs=n))._jobs == threads(n)
    assert Options().jobs is None
    assert Settings().jobs == 1


ASKED: dict[str, Callable[[object], object]] = {
    "options": lambda n: Options(jobs=n),  # type: ignore[arg-type]
    "settings": lambda n: Settings(jobs=n),  # type: ignore[arg-type]
    "a batch": lambda n: batch(queens(4), [[0]], jobs=n),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("who", ASKED)
@pytest.mark.parametrize("wrong", [0, -1, 1.0, "2", True])
def test_what_is_no_number_of_threads_is_told(who: str, wrong: object) -> None:
    with pytest.raises(ValueError, match="jobs must be"):
        ASKED[who](wrong)


def test_a_batch_is_the_same_on_any_number() -> None:
    givens = [[n] for n in range(36)]
    results = [list(batch(queens(6), givens, jobs=n)) for n in (1, 2, None)]
    assert results[0] == results[1] == results[2]
    assert any(results[0])
