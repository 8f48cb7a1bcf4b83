"""First answers are right, and as many as there are, whichever method finds them; clauses are compared with the
oracle."""

from __future__ import annotations

from itertools import islice

import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, build, check, portfolio, search, turns
from covr.engine.outside import sat
from covr.engine.portfolio import FirstTurns
from tests.constants import Constants
from tests.engine.problems import coloured_path, langford, queens, rooks, toy
from tests.engine.strategies import problems

solver = pytest.mark.skipif(not sat.INSTALLED, reason="python-sat is not installed")
SAT = Settings(engine="sat")


@solver
@given(problems())
def test_clauses_have_the_answers_of_the_reference(problem: Problem) -> None:
    run = search(problem, settings=SAT)
    found = list(run)
    assert sorted(found) == sorted(search(problem, settings=Settings(engine="reference")))
    assert run.status is Status.EXHAUSTED
    assert "SAT" in run.engine
    assert list(search(problem, settings=SAT)) == found


@solver
@pytest.mark.parametrize(
    "problem",
    [toy(), queens(6), langford(7), coloured_path(3, 3), rooks(3), build([(3, 5), (0, 2)], [[0], [0, 1]] * 5)],
)
def test_clauses_for_larger_problems(problem: Problem) -> None:
    assert sorted(search(problem, settings=SAT)) == sorted(search(problem))


@solver
def test_limits_of_the_solver() -> None:
    pigeons = build([(1, 1)] * 11 + [(0, 1)] * 10, [[p, 11 + h] for p in range(11) for h in range(10)])
    run = search(pigeons, limits=Limits(nodes=100), settings=SAT)
    assert list(run) == []
    assert run.status is Status.LIMIT
    run = search(queens(8), limits=Limits(answers=3), settings=SAT)
    assert len(list(run)) == 3
    assert run.status is Status.SOLVED
    run = search(queens(8), settings=SAT)
    run.interrupt()
    assert list(run) == []
    assert run.status is Status.INTERRUPTED
    assert list(search(pigeons, limits=Limits(seconds=0.0), settings=SAT)) == []
    with pytest.raises(ValueError, match="no costs"):
        search(toy(), settings=evolve(SAT, ceiling=3))


def test_without_python_sat(constants: Constants) -> None:
    constants(sat, INSTALLED=False)
    with pytest.raises(ValueError, match="python-sat"):
        search(toy(), settings=SAT)


@given(problems(costs=("none", "one")), st.integers(1, 2), st.integers(0, 6), st.booleans())
@example(build([(1, 1)], [[0], [0]], given=(0, 1)), 1, 0, False)
def test_the_ways_together_find_what_there_is(problem: Problem, limit: int, patience: int, with_sat: bool) -> None:
    answers = set(search(problem))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"PATIENCE": patience, "RESTART": 2, "RESTARTS": 2, "TURN": 10}.items():
            patch.setattr(portfolio, name, value)
        patch.setattr(turns, "LEAST", 1)
        patch.setattr(sat, "INSTALLED", sat.INSTALLED and with_sat)
        run = search(problem, limits=Limits(answers=limit))
        found = list(run)
    assert isinstance(run._kernel, FirstTurns)
    assert len(found) == len(set(found)) == min(limit, len(answers))
    assert set(found) <= answers
    assert run.counters.answers == len(found)
    assert run.status is (Status.SOLVED if len(found) == limit else Status.EXHAUSTED)


def test_a_short_search_has_the_documented_first_answers() -> None:
    for problem in (queens(8), langford(8)):
        assert list(search(problem, limits=Limits(answers=2))) == list(islice(search(problem), 2))


def test_restarts_find_what_the_documented_order_does_not() -> None:
    problem = langford(40)
    run = search(problem, limits=Limits(answers=1))
    (answer,) = run
    assert check(problem, answer) is None
    assert "restarted with seed" in run.engine or "SAT" in run.engine
    assert run.counters.nodes < 200_000
    again = search(problem, limits=Limits(answers=1))
    assert (list(again), again.counters) == ([answer], run.counters)


def test_time_and_interrupts() -> None:
    problem = build([(1, 1)] * 31, [[a, b] for a in range(31) for b in range(a)])  # odd: none, and not soon
    run = search(problem, limits=Limits(answers=1, seconds=0.2))
    assert list(run) == []
    assert run.status is Status.LIMIT
    run = search(problem, limits=Limits(answers=1))
    run.step(100)
    run.interrupt()
    assert list(run) == []
    assert run.status is Status.INTERRUPTED
