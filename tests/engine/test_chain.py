"""Groups of any size are compared with the list of all their members where there can be one, and with known orders
elsewhere."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import combinations
from math import factorial

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from covr.engine import symmetries as chain
from covr.engine.kernels.loading import load
from covr.engine.symmetries import (
    ChainGroup,
    GroupTooLarge,
    PermutationGroup,
    automorphisms,
    base_of,
    group_of,
    inverted,
    multiplied,
)
from tests.constants import constants_of
from tests.engine.problems import latin, queens
from tests.engine.symmetric import Image, listed, symmetric_problems
from tests.shared import examples


def cycles(n: int, *moved: Sequence[int]) -> Image:
    """A permutation written in cycles."""
    image = list(range(n))
    for cycle in moved:
        for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            image[a] = b
    return tuple(image)


def on_pairs(image: Sequence[int]) -> Image:
    """What a permutation does to pairs of points."""
    pairs = list(combinations(range(len(image)), 2))
    at = {pair: number for number, pair in enumerate(pairs)}
    return tuple(at[min(image[a], image[b]), max(image[a], image[b])] for a, b in pairs)


@st.composite
def groups(draw: st.DrawFn) -> tuple[int, list[Image]]:
    """Some generators on up to nine points; each is the product of a few exchanges."""
    n = draw(st.integers(1, 9))
    generators = []
    for swaps in draw(
        st.lists(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=5), max_size=3)
    ):
        image = list(range(n))
        for a, b in swaps:
            image[a], image[b] = image[b], image[a]
        generators.append(tuple(image))
    return n, generators


@settings(max_examples=examples(150), deadline=None)
@given(groups(), st.data(), st.booleans())
def test_a_group_has_the_members_of_its_closure(made: tuple[int, list[Image]], data: st.DataObject, slow: bool) -> None:
    n, generators = made
    members = listed(generators, n)
    assume(members)
    assert members is not None
    group = ChainGroup(n, generators, interpreted=slow)
    assert group.order == len(members)
    assert all(tuple(g) in members for g in group.generators())
    assert listed([tuple(g) for g in group.generators()], n) == members
    other = tuple(data.draw(st.permutations(range(n))))
    assert (other in group) == (other in members)
    for _ in range(4):
        points = sorted(data.draw(st.sets(st.integers(0, n - 1))))
        images = [tuple(sorted(member[p] for p in points)) for member in members]
        fixing = [member for member in members if all(member[p] == p for p in points)]
        assert group.is_smallest(points) == (min(images) == tuple(points))
        assert group.smallest(points) == min(images)
        assert group.kept(points) == images.count(tuple(points))
        assert group.order_fixing(points) == len(fixing)
        assert group.lows(points) == [min(member[p] for member in fixing) for p in range(n)]
        assert group.orbit(0, points) == sorted({member[0] for member in fixing})
        if min(images) == tuple(points):
            assert all(group.is_smallest(points, most) for most in (0, 1, 3))


@settings(max_examples=examples(60), deadline=None)
@given(symmetric_problems(), st.booleans())
def test_only_the_identity_fixes_the_base_of_a_problem(problem: object, slow: bool) -> None:
    """Only the identity fixes it, and the order is that of the group that was found in another way."""
    found = automorphisms(problem)  # type: ignore[arg-type]
    base = base_of(problem, slow)  # type: ignore[arg-type]
    group = group_of(problem, found.generators, slow)  # type: ignore[arg-type]
    assert group.order == found.order == PermutationGroup(group.degree, found.generators).order
    assert group.order_fixing(base) == 1


@pytest.mark.parametrize(
    ("degree", "generators", "order"),
    [
        (52, [cycles(52, range(52)), cycles(52, (0, 1))], factorial(52)),
        # The Mathieu groups, from the generators in Conway and Sloane (1988).
        (11, [cycles(11, range(11)), cycles(11, (2, 6, 10, 7), (3, 9, 4, 5))], 7920),
        (12, [cycles(12, range(11)), cycles(12, (2, 6, 10, 7), (3, 9, 4, 5)),
              cycles(12, (0, 11), (1, 10), (2, 5), (3, 7), (4, 8), (6, 9))], 95040),
        (24, [cycles(24, range(23)),
              cycles(24, (2, 16, 9, 6, 8), (3, 12, 13, 18, 4), (7, 17, 10, 11, 22), (14, 19, 21, 20, 15)),
              cycles(24, (0, 23), (1, 22), (2, 11), (3, 15), (4, 17), (5, 9), (6, 19), (7, 13), (8, 20), (10, 16),
                     (12, 21), (14, 18))], 244_823_040),
        (45, [on_pairs(cycles(10, range(10))), on_pairs(cycles(10, (0, 1)))], factorial(10)),
    ],
)  # fmt: skip
def test_groups_have_the_known_orders(degree: int, generators: list[Image], order: int) -> None:
    group = ChainGroup(degree, generators)
    assert group.order == order
    assert ChainGroup(degree, group.generators()).order == order
    assert multiplied(generators[0], generators[1]) in group
    assert group.order_fixing([0]) * len(group.orbit(0)) == order


def test_a_large_group_knows_its_members_and_its_sets() -> None:
    """All even permutations of 30 points: half of them are not members."""
    group = ChainGroup(30, [cycles(30, (0, 1, k)) for k in range(2, 30)])
    assert group.order == factorial(30) // 2
    assert cycles(30, (3, 8)) not in group
    assert cycles(30, (3, 8), (4, 29)) in group
    assert inverted(cycles(30, (3, 8, 7))) in group
    assert group.smallest([4, 9, 29]) == (0, 1, 2)
    assert group.kept([4, 9, 29]) == factorial(27) * factorial(3) // 2


def test_sets_of_edges_are_graphs() -> None:
    """Graphs on six points: those that are the smallest of their images are one of each of the 156 classes."""
    group = ChainGroup(15, [on_pairs(cycles(6, range(6))), on_pairs(cycles(6, (0, 1)))])
    graphs = [[e for e in range(15) if bits >> e & 1] for bits in range(1 << 15)]
    smallest = [graph for graph in graphs if group.is_smallest(graph)]
    assert len(smallest) == 156
    assert sum(720 // group.kept(graph) for graph in smallest) == 1 << 15


def test_compiled_and_interpreted_chains_are_the_same() -> None:
    problem = latin(4)
    found = automorphisms(problem)
    quick, slow = (group_of(problem, found.generators, interpreted) for interpreted in (False, True))
    assert quick.order == slow.order == found.order == 576 * 6 * 24
    assert quick.generators() == slow.generators()
    assert quick.lows([0, 5]) == slow.lows([0, 5])


def test_a_group_can_be_pickled() -> None:
    problem = queens(6)
    group = group_of(problem, automorphisms(problem).generators)
    again = pickle.loads(pickle.dumps(group))
    assert again.order == group.order == 8 and again.base == group.base


def test_what_takes_too_long_or_too_much_is_refused() -> None:
    images = [cycles(40, range(40)), cycles(40, (0, 1))]
    with constants_of(chain, MOST_ENTRIES=1000), pytest.raises(GroupTooLarge):
        ChainGroup(40, images)
    with constants_of(chain, MOST_WORK=1, COMPILED_STEPS=1), pytest.raises(GroupTooLarge) as caught:
        ChainGroup(40, images)
    assert 1 <= caught.value.least <= factorial(40)


def test_a_chain_needs_no_generators() -> None:
    assert ChainGroup(5, []).order == 1
    assert ChainGroup(0, []).order == 1
    assert ChainGroup(3, [(0, 1, 2)]).smallest([2, 0]) == (0, 2)
    assert load("_chain").Chain(3, []).order() == 1
