"""A search as a value: limits, slices, interrupts, status."""

from __future__ import annotations

import signal
import sys
import threading
import time
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Counters, Limits, Problem, Settings, Status, build, check, count, search
from covr.engine.kernels.loading import is_compiled
from tests.engine.engines import by
from tests.engine.problems import domination, langford, queens, rooks, toy
from tests.engine.strategies import problems

KERNELS = ["interpreted", "links", "bits"]


@given(problems(), st.sampled_from(["all", "minimum"]), st.sampled_from(KERNELS))
def test_slices_of_one_node_are_one_go(problem: Problem, goal: str, engine: str) -> None:
    whole = search(problem, goal=goal, settings=by(engine))
    answers = list(whole)
    sliced = search(problem, goal=goal, settings=by(engine))
    while sliced.step(1):
        pass
    assert list(sliced) == answers
    assert (sliced.status, sliced.counters) == (whole.status, whole.counters)


@given(problems(), st.integers(0, 12), st.sampled_from(["all", "minimum"]))
def test_a_node_limit_is_met_exactly_and_gives_a_prefix(problem: Problem, nodes: int, goal: str) -> None:
    whole = search(problem, goal=goal)
    answers = list(whole)
    cut = search(problem, goal=goal, limits=Limits(nodes=nodes))
    found = list(cut)
    assert found == answers[: len(found)]
    assert cut.counters.nodes == min(nodes, whole.counters.nodes)
    assert cut.status is (Status.EXHAUSTED if nodes >= whole.counters.nodes else Status.LIMIT)


@pytest.mark.parametrize("engine", ["reference", *KERNELS])
def test_a_limit_of_answers_is_heeded(engine: str) -> None:
    settings = by(engine)
    run = search(queens(6), limits=Limits(answers=3), settings=settings)
    assert len(list(run)) == 3
    assert run.status is Status.SOLVED
    run = search(queens(6), limits=Limits(answers=5), settings=settings)
    assert len(list(run)) == 4
    assert run.status is Status.EXHAUSTED
    counted = count(queens(6), Limits(answers=3), settings)
    assert (counted.value, counted.status) == (3, Status.SOLVED)


def test_a_limit_of_time_is_heeded() -> None:
    start = time.perf_counter()
    run = search(langford(17), limits=Limits(seconds=0.1))
    assert list(run) == []  # there are none, but that takes much longer
    assert run.status is Status.LIMIT
    assert time.perf_counter() - start < 5
    assert list(search(toy(), limits=Limits(seconds=0))) == []


def test_another_thread_may_interrupt() -> None:
    run = search(langford(17))
    threading.Timer(0.05, run.interrupt).start()
    assert list(run) == []
    assert run.status is Status.INTERRUPTED
    assert run.counters.nodes > 0


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no interval timer here")
def test_control_c_acts_at_once() -> None:
    """The signal arrives inside a slice: the search has no answers and never leaves its loop by itself."""
    pressed = []

    def press(*_: object) -> None:
        pressed.append(time.perf_counter())
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGALRM, press)
    run = search(langford(17))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            next(run)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert time.perf_counter() - pressed[0] < 0.2
    assert run.status is Status.INTERRUPTED
    assert run.counters.nodes > 0
    assert list(run) == []


@pytest.mark.parametrize("engine", ["bits", "links"])
def test_an_answer_found_when_interrupted_is_not_lost(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = search(queens(6), settings=by(engine))
    kernel = run._kernel

    class Torn:
        """A kernel that is interrupted when it has done what it was asked for."""

        gathered = staticmethod(getattr(kernel, "gathered", list))

        def gather(self, nodes: int, answers: int) -> int:
            kernel.gather(nodes, answers)  # type: ignore[attr-defined]
            raise KeyboardInterrupt

        def run(self, nodes: int, answers: int) -> int:
            kernel.run(nodes, answers)
            raise KeyboardInterrupt

    torn: Any = Torn()
    gatherer = torn if run._method.gatherer is not None else None
    monkeypatch.setattr(run, "_method", evolve(run._method, run=torn.run, gatherer=gatherer))
    with pytest.raises(KeyboardInterrupt):
        next(run)
    assert (gatherer is None) == (engine == "links")
    assert run.status is Status.INTERRUPTED
    assert len(list(run)) == run.counters.answers == 1


def test_an_interrupted_search_stops() -> None:
    run = search(queens(6))
    answers = [next(run)]
    run.interrupt()
    answers += run
    assert (run.status, len(answers)) == (Status.INTERRUPTED, 1)


def test_best_and_bound_meet_at_the_end() -> None:
    run = search(domination(5), goal="minimum")
    assert (run.best, run.bound) == (None, None)
    first = next(run)
    assert run.best == len(first)
    assert run.bound is not None and run.bound <= 3
    list(run)
    assert (run.best, run.bound) == (3, 3)
    impossible = search(build([(1, 1)], []), goal="minimum")
    assert list(impossible) == []
    assert (impossible.best, impossible.bound, impossible.status) == (None, None, Status.EXHAUSTED)
    assert search(toy()).bound is None


def test_a_problem_without_costs_has_minimum_zero() -> None:
    run = search(queens(5), goal="minimum")
    assert len(list(run)) == 1
    assert (run.best, run.status) == (0, Status.EXHAUSTED)


def test_counting_after_some_answers_were_read() -> None:
    run = search(rooks(3))
    next(run)
    assert run.count() == 34
    assert run.counters.answers == 34


def test_a_search_says_which_engine_answers() -> None:
    links, bits = Settings(engine="links"), Settings(engine="bits")
    assert search(toy(), settings=links).engine.startswith("dancing links, exact cover")
    assert search(toy(), settings=bits).engine.startswith("bit sets, exact cover")
    assert "with bounds" in search(domination(2), settings=bits).engine
    assert search(toy(), settings=by("interpreted")).engine.endswith("(interpreted)")
    assert "estimate auto" in search(domination(3), goal="minimum").engine
    links = search(domination(3), goal="minimum", settings=Settings(engine="links", estimate="price, classic"))
    assert "estimate classic, price" in links.engine
    assert search(toy(), settings=Settings(engine="reference")).engine == "reference"


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="no goal `most`"):
        search(toy(), goal="most")
    with pytest.raises(ValueError, match="no engine `warp`"):
        Settings(engine="warp")
    with pytest.raises(ValueError, match="no estimate `guess`"):
        Settings(estimate="guess")
    with pytest.raises(ValueError):
        Limits(answers=0)
    with pytest.raises(ValueError):
        Limits(seconds=-1)


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        ((0, 3, 4), None),
        ((3, 0, 4), "increasing"),
        ((0, 3, 9), "no option"),
        ((0, 3), "item 1 is met 0 times, not 1 to 1"),
        ((0, 1, 3, 4), "item 0 is met 2 times"),
    ],
)
def test_the_checker_refuses_wrong_answers(answer: tuple[int, ...], what: str | None) -> None:
    said = check(toy(), answer)
    assert said is None if what is None else said is not None and what in said


def test_the_checker_heeds_colours_and_given_options() -> None:
    problem = build([(0, 1)], [[(0, 1)], [(0, 1)], [(0, 2)], [0]], given=[0])
    assert check(problem, (0, 1)) is None
    assert check(problem, (0, 2)) == "item 0 shows two colours"
    assert check(problem, (0, 3)) == "item 0 is met 2 times, not 0 to 1"
    assert check(problem, (1,)) == "option 0 is given, but not taken"


def test_counters_are_values() -> None:
    assert Counters() == Counters(0, 0, 0)


@pytest.mark.skipif(not is_compiled("_bits"), reason="counts the calls outside the kernels")
def test_a_step_of_one_node_is_a_few_calls() -> None:
    """A step asks how many nodes there are so far, and not for all counters: where methods take turns, each of these is
    a sum over them."""
    run = search(queens(9), settings=Settings(jobs=1))
    run.only_count()
    run.step(1, listing=False)
    calls = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(note)
    try:
        for _ in range(50):
            run.step(1, listing=False)
    finally:
        sys.setprofile(None)
    assert run.timetable and run.nodes == run.counters.nodes == 51
    assert calls <= 60 * 50  # it was 76 a step when each look asked for all counters, and is 50 now
