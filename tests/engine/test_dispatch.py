"""Who answers which question: every engine in turn is the one for some question, and one answers all of them."""

from __future__ import annotations

import pytest

from covr.engine import ENGINES, Limits, Problem, Settings, build, restarts, search, single
from covr.engine.dispatch import IN_TURN, Engine
from covr.engine.kernel_search import KernelSearch
from covr.engine.outside import sat
from covr.engine.pieces.parallel import ParallelSearch
from covr.engine.portfolio import Portfolio
from tests.engine.problems import queens

PRICED = build([(1, 1)] * 3 + [(0, 1)], [[0, 1, 3], [1, 2], [2, 0], [0], [1], [2, 3]], costs=[3, 3, 2, 1, 1, 1])
QUESTIONS: dict[str, tuple[Problem, str, Limits, Settings, type]] = {
    "every answer": (queens(5), "all", Limits(), Settings(), KernelSearch),
    "a first answer": (queens(5), "all", Limits(answers=1), Settings(), Portfolio),
    "on threads": (queens(5), "all", Limits(), Settings(jobs=2), ParallelSearch),
    "on threads, so many nodes": (queens(5), "all", Limits(nodes=9), Settings(jobs=2), KernelSearch),
    "a minimum": (PRICED, "minimum", Limits(), Settings(), KernelSearch),
    "a minimum by an estimate": (PRICED, "minimum", Limits(), Settings(estimate="dual"), restarts.Restarts),
    "a minimum in an order": (PRICED, "minimum", Limits(), Settings(seed=1), KernelSearch),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_first_that_suits_answers(name: str) -> None:
    problem, goal, limits, settings, kind = QUESTIONS[name]
    assert type(search(problem, goal=goal, limits=limits, settings=settings)) is kind


@pytest.mark.parametrize("engine", ["auto", "sat", "bits", "links", "sides", "highs", "reference"])
@pytest.mark.parametrize("goal", ["all", "minimum"])
@pytest.mark.parametrize("jobs", [1, 2, None])
@pytest.mark.parametrize("answers", [None, 1, 9])
def test_no_engine_that_suits_is_passed_over(engine: str, goal: str, jobs: int | None, answers: int | None) -> None:
    """What is asked before an engine is imported only leaves out engines that do not suit."""
    settings, limits = Settings(engine=engine, jobs=jobs), Limits(answers=answers)
    for problem in (queens(5), PRICED):
        for waiting in IN_TURN:
            if not waiting.may(goal, settings):
                assert not waiting.engine.suits(problem, goal, limits, settings), waiting.module


@pytest.mark.skipif(not sat.INSTALLED, reason="python-sat is not installed")
def test_clauses_answer_where_they_are_asked_for() -> None:
    assert type(search(queens(5), settings=Settings(engine="sat"))) is sat.SatSearch
    assert type(search(queens(5), settings=Settings(engine="sat"), goal="minimum")) is KernelSearch


@pytest.mark.parametrize(
    "engine",
    [name for name in ENGINES if name not in ("highs", "cpsat", "clingo") and (name != "sat" or sat.INSTALLED)],
)
def test_one_kernel_answers_every_question(engine: str) -> None:
    last: Engine = IN_TURN[-1].engine
    assert last is single
    for problem, goal, limits, settings, _ in QUESTIONS.values():
        assert last.suits(problem, goal, limits, settings)
        named = Settings(engine=engine, seed=settings.seed)
        assert last.suits(problem, goal, limits, named)
        found = last.start(problem, goal, limits, named)
        assert sorted(map(len, found)) or limits.nodes is not None
