"""No answer takes an option that is dropped because it conflicts with every way of an item."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from covr.engine import Problem, build, reference
from covr.engine.prepare.bitsets import decides, excluded
from tests.engine.problems import queens
from tests.engine.strategies import problems
from tests.shared import examples

pytestmark = pytest.mark.long


def assert_in_no_answer(problem: Problem) -> None:
    """What is excluded is in no answer, by trying everything."""
    found = list(reference.answers(problem))
    dead = excluded(problem)
    if dead is None:
        assert not found
    else:
        assert not set(dead) & {o for answer in found for o in answer}
        assert list(dead) == sorted(set(dead))
        assert not decides(problem, dead) or len(found) <= 1


@settings(max_examples=examples(200))
@given(problems())
def test_what_is_excluded_is_in_no_answer(problem: Problem) -> None:
    assert_in_no_answer(problem)


@pytest.mark.slow
@settings(max_examples=2000)
@given(problems())
def test_what_is_excluded_is_in_no_answer_of_many_problems(problem: Problem) -> None:
    assert_in_no_answer(problem)


def test_what_follows_is_excluded_too() -> None:
    """Item 0 leaves item 1 one option, and that leaves item 2 one."""
    bounds = [(1, 1)] * 3 + [(0, 1)] * 2
    problem = build(bounds, [[0, 3], [1, 3], [1, 4], [2, 4], [2]])
    assert excluded(problem) == (1, 3)
    assert decides(problem, (1, 3))
    assert not decides(problem, (1,))


def test_equal_colours_do_not_conflict() -> None:
    bounds = [(1, 1)] * 2 + [(0, 1)]
    assert excluded(build(bounds, [[0, (2, 1)], [1, (2, 1)], [1, (2, 2)]])) == (2,)
    assert excluded(build(bounds, [[0, (2, 1)], [1, (2, 2)]])) is None


def test_too_many_options_are_left_alone() -> None:
    assert excluded(build([(1, 1)] * 2, [[0], [0], *[[1]] * 9000])) == ()
    assert excluded(queens(8)) == ()
