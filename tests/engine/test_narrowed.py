"""What is left between a bound and a known answer has the same minimum as the whole: never a cheaper one is lost."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, build, check, cost, search
from covr.engine.kernels.loading import load
from covr.engine.minimum import narrowed
from covr.engine.minimum.mixed_core import COARSEST, MixedCore, core
from covr.engine.minimum.mixed_tree import BoundTree, Root
from covr.engine.minimum.narrowed import narrow
from tests.constants import constants_of
from tests.engine.problems import brute, least
from tests.engine.strategies import problems


def rooted(problem: Problem, ceiling: int | None) -> tuple[MixedCore, Root] | None:
    """The core, and what is proved at its root for answers up to a ceiling; None where the root ends the search."""
    own = core(problem)
    if own.unit < COARSEST:
        return None
    tree = BoundTree(own, load("_mixed", False), own.dearest if ceiling is None else own.ceiling(ceiling))
    while not tree.done and tree.root is None and tree.found is None:
        tree.step()
    return None if tree.root is None else (own, tree.root)


@given(problems(costs=("zero", "one", "negative", "profit")), st.booleans(), st.data())
def test_the_minimum_is_that_of_the_whole(problem: Problem, early: bool, data: st.DataObject) -> None:
    answers = brute(problem)
    assume(answers)
    best = data.draw(st.sampled_from(answers))
    paid = cost(problem, best)
    known = data.draw(st.integers(paid - 1, paid + 5)) if early else None
    found = rooted(problem, known)
    assume(found is not None)
    assert found is not None
    own, root = found
    with constants_of(narrowed, FEWEST=0, SHARE=0):
        less, numbers = narrow(problem, own, root, own.ceiling(paid - 1), best) or (None, [])
    assert less is not None
    assert least(less) == least(problem)
    assert [numbers[o] for o in less.given] == list(problem.given)
    inner = brute(less)
    assert set(best) <= set(numbers) and tuple(map(numbers.index, best)) in inner
    assert all(check(problem, tuple(numbers[o] for o in answer)) is None for answer in inner)


@pytest.mark.parametrize("ranges", [False, True])
def test_a_dear_answer_loses_no_cheaper_one(ranges: bool) -> None:
    """Random partitions, and items that are met once or twice; the options in the cheapest answer cost little less than
    the prices of their items, or more."""
    draw, dropped, gained = random.Random(4), 0, 0
    for options in (62, 63, 64, 65, 66) * 4:
        problem = _tours(draw, options, ranges)
        answers = [*search(problem, limits=Limits(answers=40))]
        if not answers:
            continue
        true = min(cost(problem, a) for a in answers) if len(answers) < 40 else _minimum(problem)
        for best in draw.sample(answers, min(len(answers), 5)):
            found = rooted(problem, None)
            if found is None:
                break
            own, root = found
            with constants_of(narrowed, FEWEST=0, SHARE=0):
                less, _ = narrow(problem, own, root, own.ceiling(cost(problem, best) - 1), best) or (problem, [])
            assert _minimum(less) == true, problem
            dropped += problem.options - less.options
            gained += cost(problem, best) > (true or 0)
    assert dropped > 100 and gained > 10


def _minimum(problem: Problem) -> int | None:
    run = search(problem, goal="minimum", settings=Settings(engine="links"))
    assert list(run) and run.status is Status.EXHAUSTED
    return run.best


def _tours(draw: random.Random, options: int, ranges: bool) -> Problem:
    order = list(range(12))
    sets = []
    for _ in range(3):
        draw.shuffle(order)
        sets += [sorted(order[k : k + 3]) for k in range(0, 12, 3)]
    sets += [sorted(draw.sample(range(12), draw.randint(1, 5))) for _ in range(options - 14)]
    sets += [[], sets[0]]
    costs = [draw.randint(-2, 60) for _ in sets]
    return build([(1, 2 if ranges and i % 3 == 0 else 1) for i in range(12)], sets, costs=costs)
