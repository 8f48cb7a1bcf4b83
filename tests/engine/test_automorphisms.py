"""Symmetries of any matrix: against brute force, known orders, planted groups and, where it is installed, nauty."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from itertools import combinations, permutations
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.compiler.lower.symmetry import preserves
from covr.engine import Problem, build
from covr.engine.kernels.loading import load
from covr.engine.symmetries.automorphisms import automorphisms, graph_of
from covr.engine.symmetries.group import PermutationGroup, inverted, multiplied
from tests.shared import examples

Image = tuple[int, ...]  # of a permutation: where each point goes

try:
    pynauty = importlib.import_module("pynauty")
except ImportError:
    pynauty = None


@st.composite
def problems(draw: st.DrawFn, most: int = 6) -> Problem:
    """Small problems with bounds, colours, costs and given options, often with some symmetry."""
    m, n = draw(st.integers(1, 6)), draw(st.integers(0, most))
    primary = draw(st.integers(0, m))
    bounds = [draw(st.sampled_from([(1, 1), (1, 2), (2, 3), (1, 99)])) for _ in range(primary)]
    bounds += [draw(st.sampled_from([(0, 1), (0, 2)])) for _ in range(m - primary)]
    options = []
    for _ in range(n):
        held = draw(st.sets(st.integers(0, m - 1), max_size=3))
        options.append([(i, draw(st.integers(0, 2)) if bounds[i] == (0, 1) else 0) for i in sorted(held)])
    costs = draw(st.just([]) | st.lists(st.integers(0, 1), min_size=n, max_size=n))
    taken = draw(st.sets(st.integers(0, n - 1), max_size=1)) if n else set()
    return build(bounds, options, costs=costs, given=sorted(taken))


def design(v: int, k: int, t: int) -> Problem:
    """Every set of t points is to be in a block of k."""
    sets = {held: i for i, held in enumerate(combinations(range(v), t))}
    blocks = [[sets[held] for held in combinations(block, t)] for block in combinations(range(v), k)]
    return build([(1, len(blocks))] * len(sets), blocks, costs=[1] * len(blocks))


def steiner(v: int) -> Problem:
    """The triples of the affine plane of order 3, tripled up to v points; a point covers its triples."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (1, 5, 6), (2, 3, 7)]
    lines += [(0, 5, 7), (1, 3, 8), (2, 4, 6)]
    n = 9
    while n < v:
        moved = [(a + i * n, b + j * n, c + (-i - j) % 3 * n) for a, b, c in lines for i in range(3) for j in range(3)]
        lines = moved + [(x, x + n, x + 2 * n) for x in range(n)]
        n *= 3
    holders = [[i for i, line in enumerate(lines) if x in line] for x in range(n)]
    return build([(1, n)] * len(lines), holders, costs=[1] * n)


def latin(n: int) -> Problem:
    """Squares of side n in which every row and column has every value."""
    cells = [
        (r * n + c, n * n + r * n + d, 2 * n * n + c * n + d) for r in range(n) for c in range(n) for d in range(n)
    ]
    return build([(1, 1)] * (3 * n * n), cells)


def sudoku(box: int) -> Problem:
    """The empty sudoku."""
    n = box * box
    options = [
        (r * n + c, n * n + r * n + d, 2 * n * n + c * n + d, 3 * n * n + (r // box * box + c // box) * n + d)
        for r in range(n)
        for c in range(n)
        for d in range(n)
    ]
    return build([(1, 1)] * (4 * n * n), options)


def queens(n: int) -> Problem:
    """Rows and columns exactly once, diagonals at most once."""
    low = [(1, 1)] * (2 * n) + [(0, 1)] * (4 * n - 2)
    return build(low, [(r, n + c, 2 * n + r + c, 4 * n - 1 + r - c + n - 1) for r in range(n) for c in range(n)])


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
@given(problems())
def test_all_of_them_are_found_and_none_is_wrong(problem: Problem) -> None:
    found = automorphisms(problem)
    assert found.complete
    group = PermutationGroup(problem.options, found.generators)
    assert group.order == found.order == by_hand(raw(problem))
    for image in found.generators:
        assert preserves(raw(problem), image)


@settings(max_examples=examples(100), deadline=None)
@given(problems(9))
def test_it_runs_interpreted_as_it_does_compiled(problem: Problem) -> None:
    one, other = automorphisms(problem), automorphisms(problem, interpreted=True)
    assert one == other


@settings(max_examples=examples(60), deadline=None)
@given(problems(9), st.integers(1, 400))
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
@given(problems(12))
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
        (design(10, 3, 2), factorial(10)),
        (design(8, 4, 3), factorial(8)),
        (steiner(9), 432),
        (steiner(27), 27 * 11232),  # the affine group of three dimensions over three elements
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
def test_known_orders(problem: Problem, order: int) -> None:
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
    assert automorphisms(design(10, 3, 2)).work == 28147
    assert automorphisms(sudoku(3)).work == 344365


def listed(generators: Sequence[Image], n: int, most: int = 2000) -> set[Image] | None:
    """All members; None where there are many."""
    found = {tuple(range(n))}
    frontier = list(found)
    while frontier:
        one = frontier.pop()
        for g in generators:
            product = multiplied(one, g)
            if product not in found:
                found.add(product)
                frontier.append(product)
        if len(found) > most:
            return None
    return found


@settings(max_examples=examples(80), deadline=None)
@given(st.integers(1, 6), st.data())
def test_groups_of_permutations(degree: int, data: st.DataObject) -> None:
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
