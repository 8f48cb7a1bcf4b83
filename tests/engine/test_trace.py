"""The trace: the same walk as the oracle's, told step by step."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Problem, Settings, search
from covr.engine.proofs.trace import ANSWER, BACK, CHOOSE, CLASH, FAIL, TAKE, trace
from tests.engine.problems import toy
from tests.engine.strategies import problems


def test_the_walk_of_the_literature() -> None:
    """The first item has two options: 2 (here 1) fails, 4 (here 3) leads to 4, 1, 5."""
    steps = [(s.kind, s.depth, s.item if s.item is not None else s.option) for s in trace(toy()) if s.kind != ANSWER]
    assert steps == [
        (CHOOSE, 0, 0),
        (TAKE, 0, 1), (CHOOSE, 1, 1), (TAKE, 1, 2), (FAIL, 2, 4), (BACK, 1, 2), (BACK, 0, 1),
        (TAKE, 0, 3), (CHOOSE, 1, 4), (TAKE, 1, 0), (CHOOSE, 2, 1), (TAKE, 2, 4),
        (BACK, 2, 4), (BACK, 1, 0), (BACK, 0, 3),
    ]  # fmt: skip
    answers = [s.answer for s in trace(toy()) if s.kind == ANSWER]
    assert answers == [(0, 3, 4)]


def test_what_an_option_covers_and_removes() -> None:
    first, *_ = (s for s in trace(toy()) if s.kind == TAKE)
    assert (first.option, first.covers, first.removes) == (1, (0, 3, 6), (3, 4, 5))
    assert (first.at, first.of) == (1, 2)


@given(problems(), st.sampled_from(["all", "minimum"]))
def test_the_same_answers_and_nodes_as_the_oracle(problem: Problem, goal: str) -> None:
    run = search(problem, goal=goal, settings=Settings(engine="reference"))
    expected = list(run)
    steps = list(trace(problem, goal))
    assert [s.answer for s in steps if s.kind == ANSWER] == expected
    nodes = sum(s.kind == TAKE for s in steps) + 1
    assert nodes == run.counters.nodes or (steps and steps[-1].kind == CLASH)


@given(problems())
def test_every_option_taken_is_given_back(problem: Problem) -> None:
    taken: list[int | None] = []
    for step in trace(problem):
        if step.kind == TAKE:
            assert step.depth == len(taken)
            taken.append(step.option)
        elif step.kind == BACK:
            assert taken.pop() == step.option
    assert not taken
