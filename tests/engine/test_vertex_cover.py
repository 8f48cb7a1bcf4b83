"""The search for covers in which two options hold each item: its kernel, and the code that prepares problems for it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, build, check, cost, search
from covr.engine.base.limits import LimitReached
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.kernels.loading import load
from covr.engine.minimum.core import VertexCoverSearch, core, graph, ordered
from covr.engine.minimum.cover import Covering
from covr.engine.minimum.estimates import ESTIMATES
from tests.engine.problems import edges_at, least, vertex_cover

pytestmark = pytest.mark.long

Edges = list[tuple[int, int]]
MUCH = 1 << 60
compiled_only = pytest.mark.skipif(not load("_vertex_cover").COMPILED, reason="too slow without the compiled kernel")


def drawn(n: int, many: float, dearest: int, seed: int) -> Problem:
    """A random graph in which each edge exists with probability `many`."""
    draw = random.Random(seed)
    edges = [(a, b) for b in range(n) for a in range(b) if draw.random() < many]
    return vertex_cover(n, edges, [draw.randint(1, dearest) for _ in range(n)])


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges, list[int]]:
    """Up to 9 options, of which no two hold the same item twice over, with costs that may be equal."""
    n = draw(st.integers(2, 9))
    every = [(a, b) for b in range(n) for a in range(b)]
    edges = draw(st.lists(st.sampled_from(every), min_size=1, unique=True))
    dearest = draw(st.sampled_from([1, 2, 5, 1000]))
    return n, edges, draw(st.lists(st.integers(1, dearest), min_size=n, max_size=n))


@pytest.mark.parametrize("interpreted", [True, False])
@given(drawing=graphs(), above=st.integers(0, 4), below=st.integers(0, 5), data=st.data())
def test_the_kernel_finds_and_proves_the_minimum(
    interpreted: bool, drawing: tuple[int, Edges, list[int]], above: int, below: int, data: st.DataObject
) -> None:
    """Whatever bound it begins with, wherever it pauses, and however little room it has for claims."""
    n, edges, costs = drawing
    true = least(vertex_cover(n, edges, costs))
    assert true is not None
    cutoff = true + above
    found = graph([1] * len(edges), edges_at(n, edges), costs)
    assert found is not None
    entries = data.draw(st.sampled_from([0, 1, 2, 3, 32]))
    kernel = load("_vertex_cover", interpreted).VertexCover(
        found.costs, found.neighbours, max(true - below, 0), cutoff, None, entries
    )
    best: list[int] | None = None
    known = 0
    while (
        code := kernel.run(data.draw(st.sampled_from([1, 40, MUCH])), data.draw(st.sampled_from([1, MUCH])))
    ) != DONE:
        assert known <= kernel.bound() <= true
        known = kernel.bound()
        if code == FOUND:
            best = [found.numbers[o] for o in kernel.answer()]
            assert all(a in best or b in best for a, b in edges)
            assert kernel.limit() == sum(costs[o] for o in best) < cutoff
    assert kernel.bound() == kernel.limit() == true
    assert (best is None) == (true == cutoff)


@compiled_only
@pytest.mark.parametrize("dearest", [1, 3, 200])
@pytest.mark.parametrize("many", [0.05, 0.2, 0.6])
@pytest.mark.parametrize("n", [33, 64])
def test_larger_ones_have_the_minimum_of_the_search_for_covers(n: int, many: float, dearest: int) -> None:
    """A named estimate is for the search for covers alone."""
    if n == 64 and many < 0.1:
        many = 0.03  # the search for covers alone takes long otherwise
    problem = drawn(n, many, dearest, n)
    other = search(problem, goal="minimum", settings=Settings(engine="cover", estimate="lagrange"))
    list(other)
    assert other.status is Status.EXHAUSTED
    alone = whole(problem)
    while alone.run(MUCH, MUCH) != DONE:
        assert check(problem, sorted(alone.answer())) is None
        assert cost(problem, alone.answer()) == alone.value()
    assert alone.bound() == alone.value() == other.best
    run = search(problem, goal="minimum", settings=Settings(engine="cover"))
    answers = list(run)
    assert run.status is Status.EXHAUSTED and run.best == run.bound == other.best
    assert all(check(problem, answer) is None for answer in answers)


def whole(problem: Problem, bound: int = 0) -> VertexCoverSearch:
    """The search for vertex covers of all that a core has."""
    rest = core(problem)
    found = graph(rest.needs, rest.options, rest.costs)
    assert found is not None
    return VertexCoverSearch(found, rest, [], load("_vertex_cover"), bound, None)


@given(graphs(), st.integers(-3, 3), st.data())
def test_what_is_taken_and_what_costs_are_measured_in(
    drawing: tuple[int, Edges, list[int]], given_cost: int, data: st.DataObject
) -> None:
    """A given option, one that pays, a common divisor: bounds and covers are told in the problem's costs."""
    n, edges, costs = drawing
    extra = len(edges)
    options = [*edges_at(n, edges), [extra], [extra]]
    costs = [7 * c for c in costs]
    problem = build(
        [(1, n + 2)] * (extra + 1), options, given=[n], costs=[*costs, given_cost, data.draw(st.sampled_from([-5, 3]))]
    )
    rest = core(problem)
    if not rest.options:
        return
    search_for = whole(problem, data.draw(st.integers(-20, 0)))
    true = least(problem)
    assert true is not None
    while search_for.run(MUCH, MUCH) != DONE:
        assert search_for.bound() <= true
        assert check(problem, sorted({*search_for.answer(), *problem.given})) is None
    assert search_for.bound() == search_for.value() == true


def test_which_problems_are_graphs() -> None:
    ones = [1, 1]
    assert graph([1, 1], [[0], [0, 1], [1]], [1, 1, 1]) is not None
    assert graph([1, 2], [[0], [0, 1], [1]], [1, 1, 1]) is None
    assert graph([1, 1], [[0, 1], [0], [1], [1]], [1] * 4) is None
    assert graph([1, 1], [[0, 1], [0], [0]], [1] * 3) is None
    assert graph([1], [[0], [0]], ones) is not None


def test_those_with_most_neighbours_come_last() -> None:
    """A star with a tail: its centre has the most neighbours, and then the end of the tail next to it has as many as
    each other."""
    near: list[set[int]] = [{1, 2, 3, 4}, {0}, {0}, {0}, {0, 5}, {4}]
    order = ordered(near)
    assert order[-1] == 0 and sorted(order) == list(range(6))
    assert order.index(4) > order.index(1)


def trace(interpreted: bool, problem: Problem, pulse: int | None = None, seed: int = 1) -> list[Any]:
    """What the kernel tells from pause to pause; with a pulse, it is stopped at random looks."""
    rest = core(problem)
    found = graph(rest.needs, rest.options, rest.costs)
    assert found is not None
    draw = random.Random(seed)

    def ask() -> None:
        if draw.random() < 0.3:
            raise LimitReached("time")

    looks = None
    if pulse is not None:
        looks = load("_looks", interpreted).Looks(ask)
        looks.set_pulse(pulse)
    kernel = load("_vertex_cover", interpreted).VertexCover(
        found.costs, found.neighbours, 0, sum(found.costs) + 1, looks
    )
    told: list[Any] = []
    code = 0
    while code != DONE:
        try:
            code = kernel.run(MUCH if pulse is not None else 3000, MUCH)
        except LimitReached:
            continue
        told.append((code, kernel.bound(), kernel.nodes, kernel.spent(), list(kernel.answer())))
    return told


@pytest.mark.parametrize("dearest", [1, 9])
def test_the_compiled_kernel_is_the_interpreted_one(dearest: int) -> None:
    problem = drawn(24, 0.25, dearest, 5)
    assert trace(True, problem) == trace(False, problem)


@pytest.mark.parametrize("interpreted", [True, False])
@pytest.mark.parametrize("dearest", [1, 9])
def test_what_is_stopped_anywhere_goes_on(interpreted: bool, dearest: int) -> None:
    problem = drawn(22, 0.3, dearest, 7)
    free = trace(interpreted, problem)[-1]
    for seed in range(5):
        stopped = trace(interpreted, problem, 200, seed)[-1]
        assert (stopped[1:3], stopped[4]) == (free[1:3], free[4])


def test_limits_of_nodes_are_kept() -> None:
    problem = drawn(60, 0.15, 1, 3)
    search_for = whole(problem)
    nodes = 0
    while search_for.run(5, 1) != DONE:
        assert search_for.nodes <= nodes + 5
        nodes = search_for.nodes
    assert nodes > 5


@compiled_only
def test_both_bounds_count_and_so_does_the_ceiling() -> None:
    """The bound never falls, never passes the minimum, and rises while the search for vertex covers runs."""
    problem = drawn(150, 0.07, 1, 2)
    covering = Covering(problem, None, [ESTIMATES["auto"]])
    seen: list[int] = []
    while covering.run(20, 1) != DONE:
        bound = covering.bound()
        if bound is not None:
            seen.append(bound)
    true = covering.bound()
    assert true is not None and seen == sorted(seen) and seen[-1] <= true
    assert len(set(seen)) > 2
    assert cost(problem, covering.answer()) == true
    below = search(problem, goal="minimum", settings=Settings(engine="cover", ceiling=true - 1))
    assert list(below) == [] and below.status is Status.EXHAUSTED


@compiled_only
@pytest.mark.parametrize(
    ("n", "many", "dearest", "nodes"),
    [(60, 0.1, 1, 16), (100, 0.1, 1, 408), (100, 0.1, 100, 413), (60, 0.5, 1, 20)],
)
def test_work_is_pinned(n: int, many: float, dearest: int, nodes: int) -> None:
    search_for = whole(drawn(n, many, dearest, 1))
    while search_for.run(MUCH, MUCH) != DONE:
        pass
    assert search_for.nodes == nodes


@compiled_only
def test_a_limit_leaves_a_bound_that_has_risen() -> None:
    problem = drawn(200, 0.06, 1, 1)
    run = search(problem, goal="minimum", limits=Limits(nodes=3000), settings=Settings(engine="cover"))
    list(run)
    assert run.status is Status.LIMIT and run.best is not None and run.bound is not None
    few = search(problem, goal="minimum", limits=Limits(nodes=600), settings=Settings(engine="cover"))
    list(few)
    assert few.bound is not None and few.bound < run.bound <= run.best
