"""The options that some answer takes under switched conditions, as trying all sets of options tells; and answers near a
known one."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from covr.engine.check import check
from covr.engine.outside.clingo_answers import NearAnswers, Switched, SwitchedItem, TakenOptions, Untaken
from covr.engine.problem import Problem, Total, build
from tests.each import each
from tests.engine.switched import holds, random_switched

pytest.importorskip("clingo", reason="the questions are clingo's")

OPTIONS, SWITCHES = 7, 4


def random_problem(rng: Random) -> Problem:
    lows = sorted((rng.randint(0, 1) for _ in range(3)), reverse=True)
    bounds = [(low, 1 + rng.randint(0, 1)) for low in lows]
    options = [sorted(rng.sample(range(3), rng.randint(0, 2))) for _ in range(OPTIONS)]
    sides = [Total(tuple((o, rng.choice((-1, 1, 2))) for o in range(4)), ((0, 3),))] if rng.random() < 0.5 else []
    return build(bounds, options, sides=sides)


def answers(problem: Problem, conditions: list[Switched]) -> list[tuple[int, ...]]:
    sets = (taken for size in range(OPTIONS + 1) for taken in combinations(range(OPTIONS), size))
    own = [taken for taken in sets if check(problem, taken) is None]
    return [taken for taken in own if all(holds(one.what, taken) for one in conditions)]


@each("seed", range(60))
def test_the_options_that_some_answer_takes(seed: int) -> None:
    rng = Random(seed)
    problem = random_problem(rng)
    conditions = random_switched(rng, OPTIONS, SWITCHES)
    asked = TakenOptions(problem, OPTIONS, lambda: False)
    half = len(conditions) // 2
    switches = [*asked.switches([one.what for one in conditions[:half]])]
    switches += asked.switches([one.what for one in conditions[half:]])
    for _ in range(6):
        on = [k for k in range(len(conditions)) if rng.random() < 0.5]
        expected = answers(problem, [conditions[k] for k in on])
        union = frozenset(o for taken in expected for o in taken)
        if not expected:
            assert asked.ask([switches[k] for k in on], (), None, None) is None
            continue
        known = rng.choice(expected)
        found = asked.ask([switches[k] for k in on], known, None, None)
        assert found == union and asked.settled
        assert asked.ask([switches[k] for k in on], known, len(union) - 1, None) is None or not union


def test_few_nodes_find_some_of_them_and_say_so() -> None:
    columns = [tuple((9 * k + v, 0) for v in range(9)) for k in range(9)]
    problem = build([(1, 1)] * 9, [[o // 9] for o in range(81)])
    asked = TakenOptions(problem, 81, lambda: False)
    on = asked.switches([SwitchedItem(1, 1, tuple((9 * k + v, 0) for k in range(9))) for v in range(9)])
    known = tuple(10 * k for k in range(9))
    whole = asked.ask(on, known, None, None)
    assert whole == frozenset(range(81)) and asked.settled
    out = asked.switches([Untaken(o) for column in columns for o, _ in column if o not in known])
    assert asked.ask([*on, *out], known, None, None) == frozenset(known)
    assert asked.ask([*on, *out], known, len(known), None) == frozenset(known)
    stopped = TakenOptions(problem, 81, lambda: True)
    stopped.ask((), known, None, 1)
    assert not stopped.settled or stopped.ask((), known, None, None) is not None


@each("seed", range(40))
def test_answers_near_another_one(seed: int) -> None:
    rng = Random(seed)
    problem = random_problem(rng)
    whole = answers(problem, [])
    near = NearAnswers(problem, lambda: False)
    if not whole:
        assert near.draw((), (), rng, 1000) is None
        return
    for _ in range(6):
        known = rng.choice(whole)
        kept = [o for o in known if rng.random() < 0.5]
        fitting = [taken for taken in whole if set(kept) <= set(taken) and not (known and set(known) <= set(taken))]
        found = near.draw(kept, known, rng, 1000)
        if not known:
            assert found in whole
        elif found is None:
            assert not fitting
        else:
            assert found in fitting
