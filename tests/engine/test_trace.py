"""The trace: the same walk as the oracle's, told step by step."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Circuit, Connection, Problem, Settings, Total, build, check, search
from covr.engine.proofs.trace import ANSWER, BACK, BROKEN, CHOOSE, CLASH, FAIL, FOLLOWS, LEAVE, TAKE, trace
from tests.engine.problems import brute, toy
from tests.engine.sided import sided
from tests.engine.strategies import problems


def test_the_steps_are_those_of_the_literature() -> None:
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
def test_answers_and_nodes_are_those_of_the_oracle(problem: Problem, goal: str) -> None:
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


@pytest.mark.parametrize("goal", ["all", "minimum"])
@pytest.mark.parametrize("first", range(0, 100, 25))
def test_steps_with_sides_are_those_of_the_kernel(goal: str, first: int) -> None:
    """The same nodes and answers in the same order; and what follows from a decision holds for every answer below."""
    for k in range(first, first + 25):
        problem = sided(random.Random(f"trace/{k}"))
        run = search(problem, goal=goal, settings=Settings(engine="sides"))
        answers = list(run)
        steps = list(trace(problem, goal))
        assert [step.answer for step in steps if step.kind == ANSWER] == answers
        assert 1 + sum(step.kind in (TAKE, LEAVE) for step in steps) == run.counters.nodes
        taken: list[set[int]] = [set(problem.given)]
        for step in steps:
            if step.kind in (TAKE, LEAVE):
                assert step.option is not None and step.depth == len(taken) - 1
                taken.append({*step.takes, *([step.option] if step.kind == TAKE else [])})
                assert not set(step.takes) & set(step.removes)
            elif step.kind == FOLLOWS:
                taken[0] |= set(step.takes)
            elif step.kind == BACK:
                taken.pop()
            elif step.kind == ANSWER:
                assert set(step.answer) == set().union(*taken)
                assert check(problem, step.answer) is None
            elif step.kind == BROKEN and step.side is not None:
                assert problem.sides[step.side]
        if goal == "all":
            assert sorted(answers) == sorted(brute(problem))


def test_the_side_that_is_broken_is_named() -> None:
    sides = (
        Total(((0, 1), (1, 1)), ((0, 2),)),
        Total(((0, 1), (2, 2)), ((3, 3),)),
        Connection(((0, 0), (1, 1)), ()),
        Circuit(((2, 0, 1), (3, 0, 1))),
    )
    for wrong, taken, left in ((1, (0,), (2,)), (2, (0, 1), ()), (3, (2,), (3,))):
        rows: list[list[int]] = [[0] if o in taken else [1] if o in left else [] for o in range(4)]
        bounds = [(len(taken), 4), (0, 0)]
        one = [s if k == wrong else Total((), ((0, 0),)) for k, s in enumerate(sides)]
        broken = [s for s in trace(build(bounds, rows, sides=one)) if s.kind == BROKEN]
        assert [step.side for step in broken] == [wrong]
