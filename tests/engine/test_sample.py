"""Draws through the memo: the chance of every answer is 1 / (how many there are), computed, not tried; and tried."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, build, check, search
from covr.engine.base.limits import LimitReached, limits_checked_by
from covr.engine.sampling.sample import Drawer, suits
from tests.engine.problems import coloured_path, domination, langford, queens
from tests.engine.strategies import problems
from tests.engine.uniform import chances, looks_uniform

pytestmark = pytest.mark.long

Answer = tuple[int, ...]


@given(problems(kinds=("exact", "secondary", "colours"), costs=("none",)), st.booleans())
def test_every_answer_has_the_same_chance(problem: Problem, interpreted: bool) -> None:
    answers = set(search(problem, settings=Settings(engine="reference")))
    drawer = Drawer(problem, Settings(interpreted=interpreted))
    assert drawer.total() == len(answers)
    found = chances(drawer)
    assert set(found) == answers
    assert set(found.values()) <= {Fraction(1, max(len(answers), 1))}


@pytest.mark.parametrize("memory", [0, 1 << 12, 512 << 20])
@pytest.mark.parametrize("problem", [queens(6), langford(7), coloured_path(4, 2)], ids=["queens", "langford", "path"])
def test_whatever_the_memo_holds(problem: Problem, memory: int) -> None:
    answers = list(search(problem))
    found = chances(Drawer(problem, Settings(memory=memory)))
    assert sorted(found) == sorted(answers)
    assert set(found.values()) == {Fraction(1, len(answers))}


def test_free_options_are_taken_or_left() -> None:
    free = build([(0, 1)] * 5, [[i] for i in range(5)])
    found = chances(Drawer(free))
    assert len(found) == 32
    assert set(found.values()) == {Fraction(1, 32)}


def test_draws_are_answers_and_look_uniform() -> None:
    problem = queens(7)
    drawer = Drawer(problem)
    rng = random.Random(1)
    drawn = Counter(drawer.draw(rng) for _ in range(40 * 20))
    assert all(check(problem, answer) is None for answer in drawn)
    assert looks_uniform(drawn, 40)


def test_answers_are_drawn_from_more_than_a_word_counts() -> None:
    """70 free pairs: 3^70 answers, more than 2^64."""
    many = build([(0, 1)] * 70, [[i // 2] for i in range(140)])
    drawer = Drawer(many)
    assert drawer.total() == 3**70
    rng = random.Random(1)
    sizes = [len(drawer.draw(rng)) for _ in range(60)]
    assert abs(sum(sizes) / 60 - 70 * 2 / 3) < 3
    assert check(many, drawer.draw(rng)) is None


def test_no_answer_and_limits_are_told() -> None:
    drawer = Drawer(queens(3))
    assert drawer.total() == 0
    with pytest.raises(ValueError, match="no answer"):
        drawer.draw(random.Random(1))
    drawer = Drawer(queens(12), Settings(interpreted=True))
    with pytest.raises(LimitReached) as stopped:
        drawer.total(Limits(nodes=10))
    assert stopped.value.status is Status.LIMIT
    drawer.interrupt()
    with pytest.raises(LimitReached) as stopped:
        drawer.total()
    assert stopped.value.status is Status.INTERRUPTED


def test_what_it_suits() -> None:
    assert suits(queens(8))
    assert not suits(domination(4))


def test_a_draw_whose_counts_are_short_is_interrupted() -> None:
    """A draw from 2^24 answers counts on 48 ways, each of them in less than a slice."""
    drawer = Drawer(build([(1, 1)] * 24, [[o // 2] for o in range(48)]))
    assert drawer.total() == 2**24
    drawer.interrupt()
    with pytest.raises(LimitReached) as stopped:
        drawer.draw(random.Random(1))
    assert stopped.value.status is Status.INTERRUPTED


def test_a_draw_looks_at_the_limits() -> None:
    drawer = Drawer(build([(1, 1)] * 24, [[o // 2] for o in range(48)]))
    assert drawer.total() == 2**24
    looks = 0

    def stop() -> Status | None:
        nonlocal looks
        looks += 1
        return Status.LIMIT if looks == 20 else None

    with pytest.raises(LimitReached) as stopped, limits_checked_by(stop):
        drawer.draw(random.Random(1))
    assert stopped.value.status is Status.LIMIT
