"""Several orders search for one minimum: it is the same whichever order finds it, and none of them gets stuck."""

from __future__ import annotations

import random
from statistics import median

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Counters, Limits, Problem, Settings, Status, build, check, cost, search
from covr.engine.kernels.loading import load
from covr.engine.pieces.ledger import Ask
from covr.engine.pieces.piece import search_piece
from covr.engine.pieces.split import Prefix
from covr.engine.search import KernelSearch
from tests.engine import rota as rotas
from tests.engine.problems import least
from tests.engine.schedules import by_orders, soon
from tests.engine.strategies import problems

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def rota() -> Problem:
    return rotas.rota()


compiled_only = pytest.mark.skipif(not load("_general").COMPILED, reason="too slow without the compiled kernel")


def test_a_rota_is_not_stuck(rota: Problem) -> None:
    """A search in the documented order stays at 44 for ten minutes."""
    run = by_orders(rota, Limits(nodes=100_000))
    found = list(run)
    assert run.status is Status.EXHAUSTED
    assert run.best == run.bound == 14
    assert run.counters == Counters(958, 15556, 9)
    assert run.engine.endswith("restarted with seed 2")
    assert [cost(rota, a) for a in found] == sorted({cost(rota, a) for a in found}, reverse=True)
    assert all(check(rota, a) is None for a in found)


@compiled_only
@pytest.mark.parametrize(("vertices", "degree", "number"), [(42, 8, 7), (60, 10, 1)])
def test_trying_orders_that_hardly_differ_costs_little(vertices: int, degree: int, number: int) -> None:
    """A largest independent set of a random graph: no order is lucky, so few are tried beside the one that leads."""
    draw = random.Random(number)
    edges = [draw.sample(range(vertices), 2) for _ in range(vertices * degree // 2)]
    rows = [[k for k, edge in enumerate(edges) if v in edge] for v in range(vertices)]
    problem = build([(0, 1)] * len(edges), rows, costs=[-1] * vertices)
    links = Settings(engine="links")
    seeded = [search(problem, goal="minimum", settings=evolve(links, seed=seed)) for seed in range(1, 6)]
    least_ones = {[cost(problem, answer) for answer in one][-1] for one in seeded}
    run = by_orders(problem, settings=links)
    assert {[cost(problem, answer) for answer in run][-1]} == least_ones
    assert run.counters.nodes <= 1.25 * median(one.counters.nodes for one in seeded)


def test_a_piece_of_it_is_not_stuck(rota: Problem) -> None:
    done = search_piece(rota, Prefix(), Ask("minimum"))
    assert done.done
    assert done.best == done.bound == 14
    assert done.nodes == 1


def test_a_seed_is_one_order(rota: Problem) -> None:
    run = search(rota, goal="minimum", settings=Settings(seed=2, engine="links"))
    assert type(run) is KernelSearch
    assert [cost(rota, a) for a in run][-1] == 14
    assert run.counters == Counters(514, 9231, 7)


@pytest.mark.parametrize("nodes", [0, 1, 49, 50, 51, 149, 150, 500, 700])
def test_a_limit_of_nodes_is_met_exactly(rota: Problem, nodes: int) -> None:
    run = by_orders(rota, Limits(nodes=nodes))
    found = list(run)
    assert run.status is Status.LIMIT
    assert run.counters.nodes == nodes
    assert run.counters.answers == len(found)
    assert run.bound is None or run.bound <= 14


def test_steps_and_limits_change_nothing(rota: Problem) -> None:
    whole, steps = by_orders(rota), by_orders(rota)
    found = list(whole)
    shares = []
    parts = []
    while steps.step(7):
        parts += steps.waiting()
        shares.append(steps.measure() or 0.0)
        assert steps.fraction is None or 0 <= steps.fraction <= 1
    assert parts + steps.waiting() == found
    assert steps.counters == whole.counters
    assert steps.fraction == 1.0
    once = by_orders(rota, Limits(answers=2))
    assert list(once) == found[:2]
    assert once.status is Status.SOLVED


@given(problems(), st.integers(1, 4), st.integers(1, 3))
def test_the_minimum_whoever_finds_it(problem: Problem, patience: int, begin: int) -> None:
    """Beside brute force: the value, a bound that never says too much, answers that get cheaper."""
    true = least(problem)
    run = by_orders(problem, settings=Settings(pace=soon(patience, begin)))
    costs = []
    while run.step(1):
        assert run.bound is None or true is None or run.bound <= true
    for answer in run.waiting():
        assert check(problem, answer) is None
        costs.append(cost(problem, answer))
    assert costs == sorted(set(costs), reverse=True)
    assert run.status is Status.EXHAUSTED
    assert run.best == (costs[-1] if costs else None) == true
    assert run.bound == true
    assert run.counters.answers == len(costs)


@given(problems(), st.integers(-5, 20), st.integers(0, 10))
def test_a_ceiling_from_outside_is_heeded_by_every_order(problem: Problem, ceiling: int, after: int) -> None:
    """What is told in the middle is heeded by every order; the end proves what `lower_ceiling` promises."""
    true = least(problem)
    run = by_orders(problem, settings=Settings(pace=soon(1, 2)))
    run.step(after)
    before = run.waiting()
    run.lower_ceiling(ceiling)
    later = list(run)
    assert all(cost(problem, answer) <= ceiling for answer in later)
    assert run.status is Status.EXHAUSTED
    if true is not None and true <= ceiling:
        assert cost(problem, (before + later)[-1]) == true == run.bound
    elif run.bound is not None:
        assert true is None or run.bound <= true
        assert run.bound <= ceiling + 1


@given(problems(costs=("zero", "negative")), st.integers(0, 30))
def test_a_limit_of_nodes_is_met_on_small_ones(problem: Problem, nodes: int) -> None:
    quick = Settings(pace=soon(2, 1))
    run, again = (by_orders(problem, Limits(nodes=nodes), quick) for _ in range(2))
    assert list(run) == list(again)
    assert run.counters == again.counters
    assert run.status in (Status.LIMIT, Status.EXHAUSTED)
    assert run.counters.nodes <= nodes
    assert run.status is Status.EXHAUSTED or run.counters.nodes == nodes


def test_functions_know_the_problem_as_it_is(rota: Problem) -> None:
    """An estimate given as a function may know option numbers: it meets no other order."""
    run = search(rota, goal="minimum", settings=Settings(estimate=lambda view, cutoff: 0))
    assert type(run) is KernelSearch
