"""Symmetries of any matrix: against brute force, known orders, planted groups and, where it is installed, nauty."""

from __future__ import annotations

import importlib
from itertools import permutations
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.compiler.lower.symmetry import preserves
from covr.engine import Problem, build
from covr.engine.kernels.loading import load
from covr.engine.symmetries import PermutationGroup, automorphisms, graph_of, inverted, multiplied
from tests.engine.problems import covering_design, latin, queens, sudoku, tripled_steiner
from tests.engine.symmetric import listed, symmetric_problems
from tests.shared import examples

try:
    pynauty = importlib.import_module("pynauty")
except ImportError:
    pynauty = None


def by_hand(problem: Problem) -> int:
    """How many permutations of the options carry the problem to itself, each looked at."""
    return sum(preserves(problem, image) for image in permutations(range(problem.options)))


def raw(problem: Problem) -> Problem:
    """The same with upper bounds that no option reaches made alike, as the graph has them."""
    reached = [sum(i in problem.option(o) for o in range(problem.options)) for i in range(problem.items)]
    high = [max(min(h, r), lo) for h, r, lo in zip(problem.high, reached, problem.low, strict=True)]
    bounds = list(zip(problem.low, high, strict=True))
    options = [list(zip(problem.option(o), problem.option_colours(o), strict=True)) for o in range(problem.options)]
    return build(bounds, options, costs=problem.costs, given=problem.given)


@settings(max_examples=examples(150), deadline=None)
@given(symmetric_problems())
def test_all_of_them_are_found_and_none_is_wrong(problem: Problem) -> None:
    found = automorphisms(problem)
    assert found.complete
    group = PermutationGroup(problem.options, found.generators)
    assert group.order == found.order == by_hand(raw(problem))
    for image in found.generators:
        assert preserves(raw(problem), image)


@settings(max_examples=examples(100), deadline=None)
@given(symmetric_problems(9))
def test_it_runs_interpreted_as_it_does_compiled(problem: Problem) -> None:
    one, other = automorphisms(problem), automorphisms(problem, interpreted=True)
    assert one == other


@settings(max_examples=examples(60), deadline=None)
@given(symmetric_problems(9), st.integers(1, 400))
def test_a_limit_leaves_a_subgroup(problem: Problem, work: int) -> None:
    whole, part = automorphisms(problem), automorphisms(problem, work)
    assert part.order <= whole.order
    assert part.complete <= whole.complete
    group = PermutationGroup(problem.options, whole.generators)
    assert all(image in group for image in part.generators)
    assert part.order <= PermutationGroup(problem.options, part.generators).order
    if part.complete:
        assert part.order == whole.order


@pytest.mark.skipif(pynauty is None, reason="pynauty is not installed")
@settings(max_examples=examples(150), deadline=None)
@given(symmetric_problems(12))
def test_nauty_finds_as_many(problem: Problem) -> None:
    assert _search(problem) == _nauty(problem)


def _search(problem: Problem) -> int:
    """The order of the graph's group."""
    graph = graph_of(problem)
    search = load("_automorphisms").AutomorphismKernel(graph.colours, graph.starts, graph.near)
    assert search.run(1 << 40) and search.complete()
    order = 1
    for _, size in search.orbits():
        order *= size
    return order


def _nauty(problem: Problem) -> int:
    graph = graph_of(problem)
    kinds: dict[int, set[int]] = {}
    for v, colour in enumerate(graph.colours):
        kinds.setdefault(colour, set()).add(v)
    n = len(graph.colours)
    near = {v: list(graph.near[graph.starts[v] : graph.starts[v + 1]]) for v in range(n)}
    found = pynauty.autgrp(pynauty.Graph(n, adjacency_dict=near, vertex_coloring=[kinds[c] for c in sorted(kinds)]))
    return round(found[1] * 10 ** found[2])


@pytest.mark.parametrize(
    ("problem", "order"),
    [
        (covering_design(10, 3, 2), factorial(10)),
        (covering_design(8, 4, 3), factorial(8)),
        (tripled_steiner(9), 432),
        (tripled_steiner(27), 27 * 11232),  # the affine group of three dimensions over three elements
        (latin(4), 6 * 24**3),  # rows, columns and values by themselves, and these three among each other
        (latin(5), 6 * 120**3),
        (sudoku(2), 3072),
        (sudoku(3), 3359232 * factorial(9)),
        (queens(4), 8),
        (queens(8), 8),
        (build([], [[], [], []]), 6),
        (build([(1, 1)], []), 1),
        (build([(1, 1), (1, 1)], [[0, 1], [0, 1]]), 2),
    ],
)
def test_groups_have_the_known_orders(problem: Problem, order: int) -> None:
    found = automorphisms(problem)
    assert found.complete
    assert found.order == order
    assert all(preserves(problem, image) for image in found.generators)
    if pynauty is not None and order < 10**9:
        assert _search(problem) == _nauty(problem)


@settings(max_examples=examples(50), deadline=None)
@given(st.integers(2, 12), st.integers(1, 4), st.data())
def test_planted_groups_are_found(size: int, lengths: int, data: st.DataObject) -> None:
    """Options in rings, turned by one: whatever is drawn, the turn is among what is found."""
    steps = [data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=3)) for _ in range(lengths)]
    options = [[(k + step) % size for step in ring] for ring in steps for k in range(size)]
    number = data.draw(st.permutations(range(len(options))))
    shuffled: list[list[int]] = [[] for _ in options]
    for o, held in enumerate(options):
        shuffled[number[o]] = held
    turn = [0] * len(options)
    for o in range(len(options)):
        turn[number[o]] = number[o // size * size + (o + 1) % size]
    found = automorphisms(build([(1, 1)] * size, shuffled))
    assert found.complete and found.order % size == 0
    assert tuple(turn) in PermutationGroup(len(options), found.generators)


def test_thousands_of_options_that_are_all_alike() -> None:
    """Deep paths: each level moves two of them."""
    found = automorphisms(build([(1, 1)], [[0]] * 2000))
    assert found.complete
    assert found.order == factorial(2000)
    assert len(found.moves) == 1999


def test_work_is_pinned() -> None:
    """The counters of some searches: a change that makes them grow is one for the worse."""
    assert automorphisms(covering_design(10, 3, 2)).work == 28147
    assert automorphisms(sudoku(3)).work == 344365


@settings(max_examples=examples(80), deadline=None)
@given(st.integers(1, 6), st.data())
def test_groups_of_permutations_are_the_closures_of_their_generators(degree: int, data: st.DataObject) -> None:
    """Schreier and Sims against a closure."""
    generators = [tuple(g) for g in data.draw(st.lists(st.permutations(range(degree)), max_size=3))]
    members = listed(generators, degree)
    assert members is not None
    group = PermutationGroup(degree, generators)
    assert group.order == len(members)
    for image in permutations(range(degree)):
        assert (image in group) == (image in members)
    point = data.draw(st.integers(0, degree - 1))
    assert group.orbit(point) == sorted({one[point] for one in members})
    assert group.stabiliser(point).order == sum(one[point] == point for one in members)
    assert all(multiplied(one, inverted(one)) == tuple(range(degree)) for one in members)
