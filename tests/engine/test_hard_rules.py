"""Answers first: the hard rules alone have an answer just when the problem has one, and what is made of it is one."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, Total, build, check, cost, search
from covr.engine.minimum.hard_rules import hard, improved
from covr.engine.outside.clingo import INSTALLED, Improver
from tests.engine.problems import brute, least
from tests.engine.sided import sided
from tests.engine.strategies import problems


@st.composite
def costly(draw: st.DrawFn) -> Problem:
    """Problems with costs, with and without sides."""
    if draw(st.booleans()):
        return draw(problems(costs=("one", "negative", "profit")))
    return sided(random.Random(draw(st.integers(0, 10**6))), 7, True)


@given(costly())
def test_the_hard_rules_have_an_answer_just_when_the_problem_has_one(problem: Problem) -> None:
    answers = {tuple(sorted(answer)) for answer in brute(problem.by_all())}
    rules = hard(problem)
    found = [tuple(sorted(answer)) for answer in brute(rules)]
    assert bool(found) == bool(answers)
    assert set(found) <= answers
    for answer in found[:20]:
        better = tuple(improved(problem, answer))
        assert check(problem, better) is None
        assert cost(problem, better) <= cost(problem, answer)


def timetable(exams: int, slots: int) -> Problem:
    """Exams in a ring, neighbours apart; it costs 1 if they are one slot apart, which an option of its own says."""
    at = {(e, s): e * slots + s for e in range(exams) for s in range(slots)}
    close = [len(at) + e for e in range(exams)]
    sides = [
        Total(tuple(sorted([(at[e, s], 1), (at[(e + 1) % exams, t], 1), (close[e], -1)])), ((-1, 1),))
        for e in range(exams)
        for s in range(slots)
        for t in (s - 1, s + 1)
        if 0 <= t < slots
    ]
    items = [(1, 1)] * exams + [(0, 1)] * (exams * slots)
    options = []
    for e, s in at:
        options.append(sorted([e, exams + e * slots + s, exams + (e - 1) % exams * slots + s]))
    return build(items, [*options, *([] for _ in close)], costs=[0] * len(at) + [1] * exams, sides=tuple(sides))


def test_what_only_helps_is_given_and_what_it_meets_is_left_out() -> None:
    rules = hard(timetable(6, 3))
    assert rules.given == tuple(range(18, 24)) and not rules.sides and not rules.costs


@pytest.mark.skipif(not INSTALLED, reason="needs clingo")
def test_an_answer_comes_before_anything_that_takes_long() -> None:
    """The search that looks at costs meets none for minutes: forty exams in seven slots, of which three suffice."""
    run = search(timetable(41, 7), goal="minimum", limits=Limits(answers=1), settings=Settings(jobs=1))
    assert len(list(run)) == 1
    assert run.counters.nodes < 20_000


@pytest.mark.skipif(not INSTALLED, reason="needs clingo")
@given(st.integers(0, 10**6))
def test_parts_of_an_answer_lead_to_cheaper_answers_only(seed: int) -> None:
    problem = sided(random.Random(seed), 7, True).by_all()
    answers = sorted((cost(problem, answer), answer) for answer in brute(problem))
    if not answers or not any(problem.costs):
        return
    best = [answers[-1][1]]
    improver = Improver(problem, lambda: best[-1], tuple)
    method = improver.method()
    if method is None:
        assert not improver.able or not best[-1]
        return
    method.lower(answers[-1][0] - 1)
    for _ in range(6):
        method.run(1, 1)
        if improver.answers:
            found = tuple(improver.answer())
            assert check(problem, found) is None
            assert answers[0][0] <= cost(problem, found) <= answers[-1][0]


@given(costly())
def test_the_minimum_is_the_same(problem: Problem) -> None:
    run = search(problem, goal="minimum", settings=Settings(jobs=1))
    list(run)
    assert run.best == least(problem) and run.status is Status.EXHAUSTED


@pytest.mark.skipif(not INSTALLED, reason="clingo is not installed")
def test_parts_of_an_answer_hold_all_of_which_one_is_taken() -> None:
    """Thirty exams in eight slots, with a price for two in a row: all of an exam may be set anew, so a few calls do."""
    rng, slots = random.Random(1), 8
    pairs = [(a, b, rng.randint(1, 9)) for a, b in combinations(range(30), 2) if rng.random() < 0.35]
    items = [[e] for e in range(30) for _ in range(slots)] + [[] for _ in pairs]
    sides: list[Total] = []
    for k, (a, b, _) in enumerate(pairs):
        close = 30 * slots + k
        for s in range(slots):
            for e in (a, b):
                items[e * slots + s].append(30 + k * slots + s)
            for t in {s - 1, s + 1} & {*range(slots)}:
                sides.append(Total(((a * slots + s, 1), (b * slots + t, 1), (close, -1)), ((-1, 1),)))
    bounds = [(1, 1)] * 30 + [(0, 1)] * (slots * len(pairs))
    problem = build(bounds, items, costs=[0] * 30 * slots + [n for _, _, n in pairs], sides=sides)
    first = tuple(improved(problem, next(iter(search(hard(problem), limits=Limits(answers=1))))))
    best = [first]
    improver = Improver(problem, lambda: best[-1], tuple)
    improver.method()
    for _ in range(40):
        improver.run(1, 1)
        best.append(tuple(improver.answer() or best[-1]))
    assert check(problem, best[-1]) is None
    assert cost(problem, best[-1]) < 30  # 11; parts of single options lead to 40
