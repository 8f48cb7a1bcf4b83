"""The engine for covers finds the minima of brute force and the known ones, without its helpers too, within limits
and in slices."""

from __future__ import annotations

import os
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.engine import Bound, Limits, Problem, Settings, Status, View, build, check, cost, search
from covr.engine.check import check as verify
from covr.engine.kernels.header import DONE
from covr.engine.kernels.loading import load
from covr.engine.minimum.core import core, is_suited, orbit
from tests.engine.problems import brute, covering, covering_code, covering_design, domination, least, queens, steiner
from tests.engine.stops import stopped_anywhere
from tests.engine.strategies import covers, problems
from tests.shared import examples

pytestmark = pytest.mark.long

PLAIN, CLASSIC, PRICE, DUAL, LAGRANGE = 0, 1, 2, 6, 14


def tree(problem: Problem, estimates: int, cutoff: int | None = None, interpreted: bool = True) -> tuple[Any, Any]:
    """The tree alone, without local search, run to its end; and the core it searched."""
    rest = core(problem)
    above = sum(rest.costs) + 1 if cutoff is None else cutoff
    kernel = load("_cover", interpreted).Cover(rest.needs, rest.options, rest.costs, above, estimates)
    while kernel.run(1000, 1000) != DONE:
        pass
    return kernel, rest


@pytest.mark.parametrize("interpreted", [True, False])
@given(problem=covers())
def test_every_minimum_is_found(interpreted: bool, problem: Problem) -> None:
    true = least(problem)
    for estimate in ("auto", "none", "classic", "price", "dual", "classic, lagrange"):
        run = search(problem, goal="minimum", settings=Settings(estimate=estimate, interpreted=interpreted))
        answers = list(run)
        assert all(check(problem, a) is None for a in answers)
        paid = [cost(problem, a) for a in answers]
        assert all(b < a for a, b in pairwise(paid))
        assert run.best == run.bound == true == (paid[-1] if paid else None)
        assert run.status is Status.EXHAUSTED


@given(problems(kinds=("cover",)), st.integers(-6, 8))
def test_a_ceiling_and_given_options_are_heeded(problem: Problem, ceiling: int) -> None:
    true = least(problem)
    run = search(problem, goal="minimum", settings=Settings(ceiling=ceiling))
    answers = list(run)
    assert all(check(problem, a) is None and cost(problem, a) <= ceiling for a in answers)
    assert bool(answers) == (true is not None and true <= ceiling)
    assert not answers or cost(problem, answers[-1]) == true


@given(covers(), st.sampled_from([PLAIN, CLASSIC, PRICE, DUAL, LAGRANGE]))
def test_the_tree_finds_the_minimum_alone(problem: Problem, estimates: int) -> None:
    """Greedy covers and local search find nearly all optima by themselves, and would hide a tree that cuts too much.

    Both mistakes of an earlier program show here: an option forced by a bound to which others forced by the same
    bound had been added, and what was paid counted twice.
    """
    true = least(problem)
    kernel, rest = tree(problem, estimates)
    if true is None:
        assert not rest.feasible
        return
    assert rest.base + rest.unit * kernel.limit() == true
    assert kernel.bound() == kernel.limit()
    answer = sorted([*rest.taken, *(rest.numbers[o] for o in kernel.answer())])
    assert verify(problem, answer) is None
    # One better than the optimum can't be had, whatever the bounds force on the way.
    kernel, _ = tree(problem, estimates, (true - rest.base) // rest.unit)
    assert kernel.answers == 0


@given(covers(), st.integers(0, 30), st.data())
def test_forcing_tests_use_what_was_paid_before(problem: Problem, above: int, data: st.DataObject) -> None:
    """`tell` with any prices at any node keeps the optimum: prices can be weak, never wrong."""
    rest = core(problem)
    if not rest.feasible or not rest.options:
        return
    kernel = load("_cover", True).Cover(rest.needs, rest.options, rest.costs, sum(rest.costs) + 1, 16)
    prices = data.draw(st.lists(st.floats(-1, 8), min_size=len(rest.needs), max_size=len(rest.needs)))
    while (code := kernel.run(1000, 1000)) != DONE:
        assert code == 3 and not kernel.wants_orbit()
        kernel.tell(0, [prices[i] for i in kernel.local()[0]], [], [])
    assert rest.base + rest.unit * kernel.limit() == least(problem)


@given(covers())
def test_reductions_keep_the_optimum(problem: Problem) -> None:
    rest = core(problem)
    if not rest.feasible or not rest.options:
        return
    kernel = load("_cover", True).Cover(rest.needs, rest.options, rest.costs, sum(rest.costs) + 1, 0)
    kernel.reduce()
    taken, paid = kernel.taken()
    assert paid == sum(rest.costs[o] for o in taken)
    _, needs, _, costs, options = kernel.local()
    left = build([(need, 99) for need in needs], options, costs=costs)
    true, reduced = least(problem), least(left)
    assert reduced is not None and rest.base + rest.unit * (paid + reduced) == true
    assert kernel.least_bound() <= paid + reduced


@settings(max_examples=examples(25))
@given(st.integers(0, 10**6))
def test_larger_ones_have_the_minimum_that_links_find(seed: int) -> None:
    """Deep enough for prices to be handed down, too large for brute force."""
    import random

    draw = random.Random(seed)
    m, n = draw.randint(12, 22), draw.randint(14, 26)
    options = [draw.sample(range(m), draw.randint(2, 5)) for _ in range(n)]
    costs = [draw.randint(1, draw.choice((1, 3, 9))) for _ in range(n)]
    problem = build([(draw.choice((1, 1, 2)), 99) for _ in range(m)], options, costs=costs)
    plain = search(problem, goal="minimum", settings=Settings(engine="links"))
    list(plain)
    if plain.best is None:
        assert not core(problem).feasible
        return
    for estimates in (PRICE, LAGRANGE):
        kernel, rest = tree(problem, estimates, interpreted=False)
        assert rest.base + rest.unit * kernel.limit() == plain.best
    run = search(problem, goal="minimum")
    assert list(run) and run.best == run.bound == plain.best


KNOWN = [
    ("A9", steiner(9), 5),
    ("A15", steiner(15), 9),
    ("A27", steiner(27), 18),
    ("C(7,3,2)", covering_design(7, 3, 2), 7),
    ("C(8,4,3)", covering_design(8, 4, 3), 14),
    ("C(9,3,2)", covering_design(9, 3, 2), 12),
    ("K2(5,1)", covering_code(2, 5), 7),
    ("K2(6,1)", covering_code(2, 6), 12),
    *((f"{n} queens", domination(n), k) for n, k in enumerate([1, 1, 1, 2, 3, 3, 4, 5, 5, 5], 1)),
]


@pytest.mark.parametrize(("problem", "true"), [k[1:] for k in KNOWN], ids=[k[0] for k in KNOWN])
def test_known_minima_are_found(problem: Problem, true: int) -> None:
    if problem.options >= 49 and os.environ.get("COVR_INTERPRETED"):
        pytest.skip("takes seconds interpreted")
    run = search(problem, goal="minimum")
    answers = list(run)
    assert (len(answers[-1]), run.best, run.bound, run.status) == (true, true, true, Status.EXHAUSTED)
    assert check(problem, answers[-1]) is None


@pytest.mark.parametrize("estimate", ["none", "classic", "price", "dual", "lagrange"])
def test_every_estimate_solves(estimate: str) -> None:
    run = search(domination(6), goal="minimum", settings=Settings(estimate=estimate))
    assert list(run) and run.best == 3
    assert run.engine.startswith("branch and bound for covers") and run.engine.endswith(f"estimate {estimate}")


def test_the_compiled_tree_is_the_interpreted_one() -> None:
    problem = covering_design(7, 3, 2)
    for estimates in (CLASSIC, DUAL, LAGRANGE):
        one, two = (tree(problem, estimates, interpreted=i)[0] for i in (True, False))
        assert (one.nodes, one.updates, one.ends(), one.answer()) == (two.nodes, two.updates, two.ends(), two.answer())


def test_a_limit_leaves_best_and_bound() -> None:
    problem = covering_design(10, 5, 3)
    run = search(problem, goal="minimum", limits=Limits(nodes=40))
    assert list(run)
    assert run.status is Status.LIMIT
    assert run.counters.nodes == 40
    assert run.bound is not None and run.best is not None
    assert 12 <= run.bound <= 17 <= run.best


def test_an_implied_rule_raises_the_bound() -> None:
    """C(10,5,3): every point is in at least 9 blocks, since its blocks make a C(9,4,2), of which the least has 8."""
    from itertools import combinations

    plain = covering_design(10, 5, 3)
    blocks = list(combinations(range(10), 5))
    n = len(blocks)
    options = [[*plain.option(o), *(120 + p for p in blocks[o])] for o in range(n)]
    richer = build([(1, n)] * 120 + [(8, n)] * 10, options, costs=[1] * n)
    bounds = []
    for problem in (plain, richer):
        run = search(problem, goal="minimum", limits=Limits(nodes=60))
        list(run)
        bounds.append(run.bound)
    assert bounds == [12, 16]


def test_estimates_may_be_written_in_python() -> None:
    """A number, prices, exclusions and forced options, alone and behind a built-in one."""
    problem = domination(6)
    asked = []

    def count(view: View, cutoff: int | None) -> float:
        asked.append(view.depth)
        assert cutoff is not None and cutoff > 0 and view.credit == 0 and view.problem is problem
        assert all(set(view.options(i)) <= set(range(36)) and view.need(i) == 1 for i in view.uncovered())
        assert all(i in view.reach(o) for i in view.uncovered() for o in view.options(i))
        return len(view.uncovered()) / 20

    def shares(view: View, cutoff: int | None) -> Bound:
        return Bound(0, dict.fromkeys(view.uncovered(), 1 / 20))

    for estimate in (count, shares):
        run = search(problem, goal="minimum", settings=Settings(estimate=estimate))
        assert list(run) and run.best == run.bound == 3
        assert run.engine.endswith(f"estimate {estimate.__name__}")
    assert asked


@given(covers(), st.data())
def test_exclusions_and_forced_options_are_heard(problem: Problem, data: st.DataObject) -> None:
    """An estimate that knows one best cover and excludes all else, or forces it, leaves that one to be found."""
    true = least(problem)
    if true is None:
        return
    answer = set(data.draw(st.sampled_from([a for a in brute(problem) if cost(problem, a) == true])))

    def knows(view: View, cutoff: int | None) -> Bound:
        live = {o for i in view.uncovered() for o in view.options(i)}
        useful = {o for o in live & answer if view.reach(o)}
        if not live - answer:
            return Bound(0)
        return Bound(0, exclude=live - answer) if len(useful) % 2 else Bound(0, exclude=live - answer, force=useful)

    rest = core(problem)
    run = search(problem, goal="minimum", settings=Settings(estimate=knows))
    answers = list(run)
    assert answers and cost(problem, answers[-1]) >= true
    if all(o in answer for o in rest.taken):
        assert all(check(problem, a) is None for a in answers)


def test_which_problems_are_suited() -> None:
    assert is_suited(domination(3))
    assert not is_suited(queens(4))
    assert not is_suited(build([(1, 9)], [[0]]))  # nothing costs anything
    assert not is_suited(build([(1, 9)], [[0], [0]], costs=[2**40, 1]))
    assert is_suited(build([(1, 9)], [[0], [0]], costs=[2**40, 2**41]))  # 1 and 2 of a common measure
    big = build([(1, 9)], [[0], [0]], costs=[2**40, 1])
    run = search(big, goal="minimum")
    assert list(run)[-1] == (1,) and run.engine.startswith("dancing links")


def test_orbits_leave_one_of_each_kind() -> None:
    ring = [[k, (k + 1) % 5] for k in range(5)]
    assert orbit([1] * 5, ring, [1] * 5, 2) == [0, 1, 2, 3, 4]
    assert orbit([1] * 5, ring, [1, 1, 2, 1, 1], 2) == [2]
    assert orbit([1] * 5, ring, [1, 1, 2, 1, 1], 1) == [1, 3]
    assert orbit([1, 1, 1, 2, 1], ring, [1] * 5, 2) == [2, 3]


@given(covers())
def test_orbits_lose_no_optimum(problem: Problem) -> None:
    """The orbit is asked for after every option."""
    rest = core(problem)
    if not rest.feasible or not rest.options:
        return
    for estimates in (PLAIN, DUAL):
        kernel = load("_cover", True).Cover(rest.needs, rest.options, rest.costs, sum(rest.costs) + 1, estimates)
        kernel.set_symmetric(1)
        while (code := kernel.run(1000, 1000)) != DONE:
            if code == 3:
                _, needs, _, costs, options = kernel.local()
                kernel.exclude(orbit(needs, options, costs, kernel.branched()))
        assert rest.base + rest.unit * kernel.limit() == least(problem)


def test_a_descent_finds_covers() -> None:
    rest = core(steiner(27))
    for interpreted in (True, False):
        descent = load("_descent", interpreted).Descent(rest.needs, rest.options, rest.costs)
        descent.greedy()
        first = descent.value()
        assert descent.run(300_000, 18)
        assert 18 == descent.value() == len(descent.answer()) < first
        assert verify(steiner(27), sorted(descent.answer())) is None


def test_nothing_to_cover_costs_nothing() -> None:
    for problem in (covering(0, []), build([(0, 1)], [[0]], costs=[3]), build([(1, 1)], [[0]], costs=[0])):
        run = search(problem, goal="minimum", settings=Settings(engine="cover"))
        assert len(list(run)) == 1
        assert (run.best, run.bound) == (0, 0)


@pytest.mark.parametrize("interpreted", [True, False])
@given(problem=covers(), seed=st.integers(0, 99))
def test_what_is_stopped_anywhere_goes_on_to_the_same_minimum(interpreted: bool, problem: Problem, seed: int) -> None:
    """Whatever is stopped in the middle of a stage has drawn no false conclusion, and lost no cover."""
    true = least(problem)
    assert stopped_anywhere(problem, Random(seed), interpreted, true) == true
