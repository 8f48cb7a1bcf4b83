"""What estimates exclude and force, on every kernel: minima stay, nodes go, and what is wrong is reported."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.engine import Bound, Problem, Settings, Status, build, check, cost, search
from covr.engine.check_estimate import check_estimate
from tests.engine.problems import brute, least
from tests.engine.strategies import problems
from tests.shared import examples

pytestmark = pytest.mark.long

_last: list[tuple[Problem, list[tuple[int, ...]]]] = []


def answers_of(problem: Problem) -> list[tuple[int, ...]]:
    """The answers that `brute` finds, worked out once for the problem that was asked for last."""
    if not _last or _last[0][0] is not problem:
        _last[:] = [(problem, brute(problem))]
    return _last[0][1]


def better(view: Any, cutoff: int) -> list[set[int]]:
    """What every better answer takes beside what is taken, by brute force; too many sets at most."""
    problem = view.problem
    taken = {*view.answer(), *problem.given}
    uncovered = view.uncovered()
    live = {o for i in uncovered for o in view.options(i)}
    wanted = {o for i in uncovered for o in range(problem.options) if i in problem.option(o)}
    found = []
    for answer in answers_of(problem):
        more = set(answer) - taken
        if taken <= set(answer) and more & wanted <= live and cost(problem, answer) - view.paid < cutoff:
            found.append(more)
    return found


def knowing(view: Any, cutoff: int | None) -> Bound:
    """Nothing is known of the bound, and everything of the options."""
    least_cost = sum(min(c, 0) for c in view.problem.costs)
    if cutoff is None:
        return Bound(least_cost)
    found = better(view, cutoff)
    if not found:
        return Bound(cutoff)
    every = set(range(view.problem.options))
    return Bound(least_cost, exclude=every - set().union(*found), force=set.intersection(*found))


@pytest.mark.parametrize("interpreted", [True, False])
@settings(max_examples=examples(60))
@given(problems(costs=("zero", "one", "negative", "profit")), st.booleans())
def test_the_general_kernel_hears_them(interpreted: bool, problem: Problem, seeded: bool) -> None:
    chosen = Settings(engine="links", estimate=knowing, interpreted=interpreted, seed=5 if seeded else None)
    run = search(problem, goal="minimum", settings=chosen)
    found = list(run)
    true = least(problem)
    assert run.status is Status.EXHAUSTED and run.best == run.bound == true
    assert all(check(problem, a) is None for a in found)
    assert true is None or cost(problem, found[-1]) == true
    assert run.fraction == 1


@given(problems(kinds=("ranges", "mixed", "cover"), costs=("zero", "negative")), st.integers(-3, 9))
def test_a_list_keeps_its_order(problem: Problem, ceiling: int) -> None:
    """Where every answer up to a ceiling is listed, only the bound of an estimate is used."""
    plain, told = (
        list(search(problem, settings=Settings(engine="links", ceiling=ceiling, estimate=e))) for e in ("none", knowing)
    )
    assert plain == told


def test_exclusions_and_forced_options_save_nodes() -> None:
    """Six pairs, of each of which exactly one is wanted: excluding and forcing leaves no choice."""
    problem = build([(1, 1)] * 6, [[i] for i in range(6) for _ in range(2)], costs=[1, 2] * 6)

    def one_each(view: Any, cutoff: int | None) -> Bound:
        if cutoff is None:
            return Bound(0)
        left = [view.options(i) for i in view.uncovered()]
        return Bound(0, exclude=[max(o) for o in left if len(o) > 1], force=[min(o) for o in left])

    none, told = (
        search(problem, goal="minimum", settings=Settings(engine="links", estimate=e, ceiling=9))
        for e in ("none", one_each)
    )
    assert list(none)[-1] == list(told)[-1] and none.best == told.best == 6
    assert told.counters.nodes < none.counters.nodes


def test_two_forced_options_that_conflict_leave_nothing() -> None:
    problem = build([(1, 1), (1, 1)], [[0], [0, 1], [1]], costs=[1, 3, 1])
    both = Settings(engine="links", ceiling=5, estimate=lambda view, cutoff: Bound(0, force=(0, 1)))
    assert not list(search(problem, goal="minimum", settings=both))


@pytest.mark.parametrize(
    ("estimate", "word"),
    [
        (lambda view, cutoff: Bound(view.credit, exclude=range(view.problem.options)), "excludes"),
        (lambda view, cutoff: Bound(view.credit, force=range(view.problem.options)), "forces"),
    ],
)
def test_wrong_ones_are_reported(estimate: Any, word: str) -> None:
    fault = check_estimate(estimate)
    assert fault is not None and word in fault.what
    assert check_estimate(lambda view, cutoff: knowing(view, cutoff)) is None
