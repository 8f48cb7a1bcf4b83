"""Annealing of packings: what it tells are answers and ever cheaper, it is the same compiled and interpreted, it finds
the best of small packings, and beside bounds and searches it changes no minimum."""

from __future__ import annotations

import random
from array import array
from itertools import pairwise
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, Total, build, check, cost, search
from covr.engine.kernels.header import FOUND, SLICE
from covr.engine.kernels.loading import load
from covr.engine.minimum import annealed, integer_program, mixed
from covr.engine.minimum import integer_program as row_prices
from covr.engine.minimum.annealed import AnnealingKernel, available, noise
from covr.engine.minimum.integer_program import RowPriceKernel
from tests.engine.problems import least
from tests.engine.schedules import mixed_pace

compiled_only = pytest.mark.skipif(not load("_packing_walk").COMPILED, reason="too slow without the compiled kernel")


@st.composite
def packings(draw: st.DrawFn) -> Problem:
    """Items that need nothing and have room for one, or for none; options without items, doubled ones, given ones, and
    costs of either sign."""
    items = draw(st.sampled_from([1, 2, 5, 7]))
    held = draw(st.lists(st.sets(st.integers(0, items - 1), max_size=4), min_size=1, max_size=9))
    held += held[: draw(st.integers(0, 2))]
    costs = draw(st.lists(st.integers(-9, 3), min_size=len(held), max_size=len(held)))
    room = draw(st.lists(st.sampled_from([1, 1, 1, 0]), min_size=items, max_size=items))
    taken: list[int] = []
    for o in draw(st.lists(st.integers(0, len(held) - 1), max_size=2, unique=True)):
        if all(room[i] and not any(i in held[t] for t in taken) for i in held[o]):
            taken.append(o)
    return build([(0, r) for r in room], [sorted(s) for s in held], costs=costs, given=tuple(sorted(taken)))


def random_packing(options: int, items: int, size: int, seed: int = 1) -> Problem:
    draw = random.Random(seed)
    held = [sorted(draw.sample(range(items), size)) for _ in range(options)]
    return build([(0, 1)] * items, held, costs=[-draw.randint(1, 100) for _ in held])


def walked(problem: Problem, interpreted: bool) -> Any:
    starts, members = array("i", problem.starts), array("i", problem.members)
    worth = [max(1, -c) for c in problem.costs]
    return load("_packing_walk", interpreted).PackingWalk(
        problem.items, problem.items, starts, members, 7, worth, noise()
    )


@given(packings(), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 1 << 20)), max_size=6))
def test_it_is_one_walk_compiled_and_interpreted(problem: Problem, blocks: list[tuple[int, int]]) -> None:
    compiled, interpreted = walked(problem, False), walked(problem, True)
    for steps, temperature in blocks:
        compiled.anneal(steps, temperature)
        interpreted.anneal(steps, temperature)
        taken = compiled.answer()
        assert taken == interpreted.answer()
        assert (compiled.value, compiled.updates) == (interpreted.value, interpreted.updates)
        assert compiled.value == sum(max(1, -problem.costs[o]) for o in taken)
        held = [i for o in taken for i in problem.option(o)]
        assert len(held) == len(set(held)), "two options share an item"


@given(packings(), st.none() | st.integers(-20, 2))
def test_what_it_tells_are_answers_each_cheaper_and_none_below_the_best(problem: Problem, ceiling: int | None) -> None:
    patch: Any = pytest.MonkeyPatch()
    with patch.context() as changed:
        changed.setattr(annealed, "FIRST", 300)
        changed.setattr(annealed, "BLOCK", 10)
        if not annealed._is_packing(problem):
            return
        kernel = AnnealingKernel(problem, (), ceiling, interpreted=not load("_packing_walk").COMPILED)
        told: list[int] = []
        while kernel.nodes < 100:
            code = kernel.run(10, 1)
            assert code in (FOUND, SLICE)
            if code == FOUND:
                answer = tuple(sorted([*problem.given, *kernel.answer()]))
                assert check(problem, answer) is None
                told.append(cost(problem, answer))
        assert kernel.answers == len(told)
        assert all(a > b for a, b in pairwise(told))
        true = least(problem)
        assert true is not None
        if ceiling is None:
            assert told and told[-1] >= true  # it proves nothing, and may stay above the best
        assert not told or told[-1] >= true
        assert not told or ceiling is None or told[0] <= ceiling


@pytest.mark.parametrize(
    "problem",
    [
        build([(1, 1), (0, 1)], [[0, 1], [0]], costs=[-1, -2]),
        build([(0, 2), (0, 1)], [[0, 1], [0], [0]], costs=[-1, -2, -3]),
        build([(0, 1)], [[(0, 1)], [(0, 2)]], costs=[-1, -2]),
        build([(0, 1)], [[0], [0]], costs=[-1, -2], sides=[Total(((0, 1), (1, 1)), ((0, 1),))]),
        build([(0, 1)], [[0], [0]]),
        build([(0, 1)], [[0], [0]], costs=[-1, -2], given=(0, 1)),
    ],
)
def test_it_is_not_for_what_is_no_packing(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annealed, "MANY", 1)
    assert not available(problem, False)


@compiled_only
def test_it_is_for_large_packings_only() -> None:
    assert available(random_packing(2000, 400, 3), False)
    assert not available(random_packing(1999, 400, 3), False)
    assert not available(random_packing(2000, 400, 3), True)


@compiled_only
@pytest.mark.parametrize("scale", [1, 1 << 40])
def test_costs_may_be_large(scale: int) -> None:
    """What an option is worth is rounded for the walk, and not in the answer."""
    plain = random_packing(300, 60, 3)
    problem = build([(0, 1)] * 60, [list(plain.option(o)) for o in range(300)], costs=[scale * c for c in plain.costs])
    exact = search(plain, goal="minimum", settings=Settings(jobs=1))
    list(exact)
    kernel = AnnealingKernel(problem)
    while kernel._run == annealed.FIRST:
        kernel.run(50, 1)
    answer = tuple(sorted(kernel.answer()))
    assert check(problem, answer) is None and exact.best is not None
    assert cost(problem, answer) == kernel._told == exact.best * scale


@compiled_only
def test_a_packing_with_a_known_best_answer_is_nearly_found() -> None:
    """A partition is planted whose options are worth 100 each, among options worth at most 60."""
    draw = random.Random(3)
    order = draw.sample(range(1500), 1500)
    held = [sorted(order[k : k + 5]) for k in range(0, 1500, 5)]
    held += [sorted(draw.sample(range(1500), 5)) for _ in range(5000)]
    costs = [-100] * 300 + [-draw.randint(1, 60) for _ in range(5000)]
    problem = build([(0, 1)] * 1500, held, costs=costs)
    prices = RowPriceKernel(problem, None)
    prices.run(20, 1)
    kernel = AnnealingKernel(problem, prices.per_item())
    kernel.run(250, 1)
    while kernel._run == annealed.FIRST:
        kernel.run(50, 1)
    assert kernel._told == -30_000


@compiled_only
def test_each_item_has_a_price() -> None:
    """Items that limit nothing have no row and no price."""
    problem = build([(0, 1), (0, 5), (0, 1), (0, 1)], [[0, 1], [0], [1, 2], [2]], costs=[-3, -2, -4, -1])
    kernel = RowPriceKernel(problem, None)
    kernel.run(5, 1)
    prices = kernel.per_item()
    assert len(prices) == 4 and prices[1] == prices[3] == 0 and prices[0] < 0 and prices[2] < 0


@compiled_only
@given(packings())
def test_the_minimum_is_the_same_beside_the_others(problem: Problem) -> None:
    """Without the tree, which small problems have otherwise."""
    patch: Any = pytest.MonkeyPatch()
    with patch.context() as changed:
        changed.setattr(mixed, "MOST_ITEMS", 0)
        changed.setattr(annealed, "MANY", 1)
        changed.setattr(annealed, "FIRST", 300)
        changed.setattr(annealed, "BLOCK", 10)
        changed.setattr(integer_program, "available", lambda problem: False)
        changed.setattr(row_prices, "FIRST", 4)
        run = search(problem, goal="minimum", settings=Settings(jobs=1, pace=mixed_pace(10**6, turn=20_000)))
        list(run)
    assert run.best == least(problem) and run.status is Status.EXHAUSTED


@compiled_only
def test_a_tree_without_a_bound_keeps_neither_prices_nor_annealing_away() -> None:
    """Its first linear program may take minutes, and till then the bound would be the sum of all costs."""
    problem = random_packing(2500, 400, 5)
    pace = mixed_pace(10**6, late=0, turn=5000)
    run = search(problem, goal="minimum", limits=Limits(nodes=100), settings=Settings(jobs=1, pace=pace))
    found_by = {run.engine.split(" beside ")[0] for _ in run}
    assert "annealing of packings" in found_by
    assert run.best is not None and run.bound is not None and 2 * run.best < run.bound


def test_a_packing_may_hold_its_options_in_arrays_of_any_kind() -> None:
    problem = build([(0, 1)] * 4, [[0, 1], [1, 2], [2, 3], [3]], costs=[-3, -4, -3, -2])
    for kind in "iqHL":
        same = evolve(problem, starts=array(kind, problem.starts), members=array(kind, problem.members))
        kernel = AnnealingKernel(same, interpreted=not load("_packing_walk").COMPILED)
        assert kernel.run(50, 1) == FOUND
        assert check(same, kernel.answer()) is None


@compiled_only
def test_a_large_packing_has_a_good_answer_soon() -> None:
    """Which is the same each time, although limits fall elsewhere."""
    problem = random_packing(6000, 4500, 5)
    runs = []
    for slices in (1, 7):
        run = search(problem, goal="minimum", limits=Limits(nodes=400), settings=Settings(jobs=1))
        while run.status is Status.RUNNING:
            run.step_once(slices)
        assert "annealing of packings" in run.engine
        runs.append(run.best)
    assert runs[0] == runs[1] and runs[0] is not None and runs[0] < -45_000
