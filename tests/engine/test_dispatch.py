"""Which engine answers which question: each is the right one for some question, and one of them answers all."""

from __future__ import annotations

import pytest
from attrs import evolve

from covr.engine import ENGINES, Limits, Problem, Settings, build, plan, single
from covr.engine.problem import Total
from tests.engine.problems import queens

PRICED = build([(1, 1)] * 3 + [(0, 1)], [[0, 1, 3], [1, 2], [2, 0], [0], [1], [2, 3]], costs=[3, 3, 2, 1, 1, 1])
QUESTIONS: dict[str, tuple[Problem, str, Limits, Settings, str]] = {
    "every answer": (queens(5), "all", Limits(), Settings(), "single:start"),
    "a first answer": (queens(5), "all", Limits(answers=1), Settings(), "portfolio:first_answers"),
    "on threads": (queens(5), "all", Limits(), Settings(jobs=2), "pieces.parallel:start"),
    "on threads, so many nodes": (queens(5), "all", Limits(nodes=9), Settings(jobs=2), "single:start"),
    "a minimum": (PRICED, "minimum", Limits(), Settings(), "single:start"),
    "a minimum by an estimate": (PRICED, "minimum", Limits(), Settings(estimate="dual"), "single:start"),
    "a minimum in an order": (PRICED, "minimum", Limits(), Settings(seed=1), "single:start"),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_first_that_suits_answers(name: str) -> None:
    problem, goal, limits, settings, place = QUESTIONS[name]
    assert plan.way_of(plan.Query(problem, goal, limits, settings)).place == place


@pytest.mark.parametrize(
    "engine",
    [name for name in ENGINES if name not in ("highs", "cpsat", "clingo")],
)
def test_one_kernel_answers_every_question(engine: str) -> None:
    for problem, goal, limits, settings, _ in QUESTIONS.values():
        named = Settings(engine=engine, seed=settings.seed)
        assert plan.WAYS[-1].against(plan.Query(problem, goal, limits, named)) is None
        found = single.begin(problem, goal, limits, named)
        assert sorted(map(len, found)) or limits.nodes is not None


@pytest.mark.parametrize("name", QUESTIONS)
def test_whoever_is_passed_over_says_why(name: str) -> None:
    """The way that is taken is the first that nothing speaks against, and every other one before it says a sentence."""
    problem, goal, limits, settings, _ = QUESTIONS[name]
    asked = plan.Query(problem, goal, limits, settings)
    taken = plan.WAYS.index(plan.way_of(asked))
    assert all(way.against(asked) for way in plan.WAYS[:taken])
    assert plan.WAYS[taken].against(asked) is None
    assert [*plan.kernels_of(asked)][-1] is plan.KERNELS[-1]


def test_a_piece_and_what_highs_runs_beside_start_nothing_else() -> None:
    for within in ("a piece", "HiGHS"):
        asked = plan.Query(PRICED, "minimum", Limits(), Settings(jobs=None), within)
        assert plan.way_of(asked).place == "single:start"
    several = plan.Query(PRICED, "minimum", Limits(), Settings(jobs=2))
    assert plan.way_of(several).place == "pieces.piece_search:start"
    totals = evolve(PRICED, sides=(Total(((0, 1), (1, 2)), ((0, 2),)),))
    assert plan.way_of(evolve(several, problem=totals)).place != "pieces.piece_search:start"


def test_whatever_is_planned_can_be_begun() -> None:
    for approach in (*plan.WAYS, *plan.KERNELS, plan.TREE, plan.CLASSES):
        assert callable(approach.function)
