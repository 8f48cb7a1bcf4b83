"""Laws that hold whatever the problem is."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.engine import Problem, Settings, build, check, cost, count, search
from tests.engine.problems import least
from tests.engine.strategies import problems
from tests.shared import of_oracle

pytestmark = pytest.mark.long


def without(problem: Problem, option: int) -> Problem:
    """The problem without one option, the later ones numbered down."""
    keep = [o for o in range(problem.options) if o != option]
    return build(
        list(zip(problem.low, problem.high, strict=True)),
        [list(zip(problem.option(o), problem.option_colours(o), strict=True)) for o in keep],
        costs=[problem.costs[o] for o in keep] if problem.costs else (),
    )


@settings(max_examples=of_oracle(100))
@given(problems())
def test_the_same_run_twice(problem: Problem) -> None:
    first, second = search(problem), search(problem)
    assert list(first) == list(second)
    assert first.counters == second.counters


@settings(max_examples=of_oracle(100))
@given(problems(), st.integers(0, 2**64))
def test_a_seed_changes_the_order_only(problem: Problem, seed: int) -> None:
    settings = Settings(seed=seed)
    first = list(search(problem, settings=settings))
    assert first == list(search(problem, settings=settings))
    assert sorted(first) == sorted(search(problem))
    assert count(problem, settings=settings).value == len(first)
    run = search(problem, goal="minimum", settings=settings)
    cheapest = list(run)[-1:]
    assert [cost(problem, a) for a in cheapest] == [c for c in [least(problem)] if c is not None]


@settings(max_examples=of_oracle(100))
@given(problems())
def test_every_answer_passes_the_checker(problem: Problem) -> None:
    assert all(check(problem, a) is None for a in search(problem))
    assert all(check(problem, a) is None for a in search(problem, goal="minimum"))


@settings(max_examples=of_oracle(100))
@given(problems(given=False), st.data())
def test_removing_an_option_keeps_exactly_the_answers_without_it(problem: Problem, data: st.DataObject) -> None:
    if not problem.options:
        return
    gone = data.draw(st.integers(0, problem.options - 1))
    smaller = {tuple(o + (o >= gone) for o in a) for a in search(without(problem, gone))}
    assert smaller == {a for a in search(problem) if gone not in a}


@settings(max_examples=of_oracle(100))
@given(problems(given=False), st.data())
def test_a_minimum_never_grows_when_an_option_is_added(problem: Problem, data: st.DataObject) -> None:
    if not problem.options:
        return
    gone = data.draw(st.integers(0, problem.options - 1))
    before = search(without(problem, gone), goal="minimum")
    after = search(problem, goal="minimum")
    list(before), list(after)
    assert before.best is None or (after.best is not None and after.best <= before.best)


@settings(max_examples=of_oracle(100))
@given(problems())
def test_given_is_a_filter(problem: Problem) -> None:
    free = evolve(problem, given=())
    assert sorted(search(problem)) == sorted(a for a in search(free) if set(problem.given) <= set(a))


@settings(max_examples=of_oracle(100))
@given(problems(given=False), st.integers(-3, 3))
def test_a_constant_on_an_exact_item_shifts_the_minimum(problem: Problem, constant: int) -> None:
    items = [i for i in range(problem.primary) if problem.low[i] == problem.high[i]]
    if not items:
        return
    i = items[0]
    costs = list(problem.costs) or [0] * problem.options
    moved = [c + constant * (i in problem.option(o)) for o, c in enumerate(costs)]
    if not problem.options:
        return
    old, new = (
        search(evolve(problem, costs=costs), goal="minimum"),
        search(evolve(problem, costs=moved), goal="minimum"),
    )
    list(old), list(new)
    assert (old.best is None) == (new.best is None)
    if old.best is not None and new.best is not None:
        assert new.best == old.best + constant * problem.low[i]
