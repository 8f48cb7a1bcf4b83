"""`up to`: classes of answers, their smallest members, and maps that are none."""

from __future__ import annotations

from itertools import permutations
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.compiler import Compiled
from covr.dsl.diagnostics import ModelErrors
from covr.engine import search
from covr.engine import symmetries as chain
from tests.constants import Constants
from tests.models import compiled
from tests.shared import examples

QUEENS = """
cells x in box({n}, {n})
choose queen(x)
let row(x) = x[1]
let column(x) = x[2]
exactly one queen per row(x)
exactly one queen per column(x)
at most one queen per x[1] + x[2]
at most one queen per x[1] - x[2]
up to {group}(box({n}, {n}))
{more}
"""


def classes(c: Compiled) -> tuple[int, int]:
    """How many answers are canonical, and how many there are."""
    symmetry = c.symmetry
    assert symmetry is not None
    found = list(search(c.problem))
    return sum(symmetry.is_canonical(a) for a in found), len(found)


@pytest.mark.parametrize(
    ("n", "group", "expected"),
    [
        (4, "symmetries", (1, 2)),
        (5, "symmetries", (2, 10)),
        (6, "symmetries", (1, 4)),
        (8, "symmetries", (12, 92)),
        (8, "rotations", (24, 92)),
    ],
)
def test_queens_have_as_many_classes_as_published(n: int, group: str, expected: tuple[int, int]) -> None:
    """The counts of OEIS A002562 (all symmetries); of the 92 boards of side 8, 4 have a half turn."""
    c = compiled(QUEENS.format(n=n, group=group, more=""))
    if group == "rotations":
        assert classes(c) == (len({min_rotation(b) for b in boards(n)}), 92)
    assert classes(c) == expected


def boards(n: int) -> list[frozenset[tuple[int, int]]]:
    return [
        frozenset(enumerate(p))
        for p in permutations(range(n))
        if len({r + c for r, c in enumerate(p)}) == len({r - c for r, c in enumerate(p)}) == n
    ]


def min_rotation(board: frozenset[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    n, best = len(board), tuple(sorted(board))
    for _ in range(3):
        board = frozenset((c, n - 1 - r) for r, c in board)
        best = min(best, tuple(sorted(board)))
    return best


def test_a_given_on_one_side_makes_classes_of_answers_only() -> None:
    """One of the two boards of side 4 has a queen at (1, 2). The other one is not an answer, so it is not in its
    class."""
    c = compiled(QUEENS.format(n=4, group="symmetries", more="given queen((1, 2))"))
    assert c.symmetry is not None and not c.symmetry.faithful
    assert classes(c) == (1, 1)


def test_canonical_is_the_smallest_of_the_class_and_every_class_has_one() -> None:
    c = compiled(QUEENS.format(n=6, group="symmetries", more=""))
    assert c.symmetry is not None
    found = list(search(c.problem))
    smallest = {c.symmetry.canonical(a) for a in found}
    assert smallest <= set(found)
    assert smallest == {a for a in found if c.symmetry.is_canonical(a)}


def test_a_map_acts_on_its_family_alone() -> None:
    families = "choose a(i) for i in 1..3 choose b(i) for i in 1..3 exactly one a exactly one b "
    c = compiled(families + "up to a(i) -> a(4 - i)")
    assert classes(c) == (6, 9)


def test_maps_generate_a_group_together() -> None:
    c = compiled(
        "choose a(i, j) for i in 0..2, j in 0..2 exactly one a "
        "up to a(i, j) -> a((i + 1) mod 3, j), a(i, j) -> a(i, (j + 1) mod 3)"
    )
    assert c.symmetry is not None
    assert (c.symmetry.size, classes(c)) == (9, (1, 9))


def test_sets_of_cells_are_moved_and_all_else_is_left_alone() -> None:
    c = compiled(
        'choose put(p, s) for p in ["x", "y"], s in subsets(box(2, 2), 2) exactly one put per p '
        "up to rotations(box(2, 2))"
    )
    # Burnside: 36 pairs; a quarter turn fixes none, a half turn those of two diagonals each: (36 + 0 + 4 + 0) / 4.
    assert classes(c) == (10, 36)


@pytest.mark.parametrize(
    ("symmetry", "code", "message"),
    [
        ("a(i) -> a(i + 1)", "E431", "this symmetry sends a(3) to a(4), which is not a choice"),
        ("a(i) -> a(1)", "E432", "this symmetry sends both a(1) and a(2) to one choice"),
        ("{1, 2}", "E430", "{1, 2} is no symmetry"),
    ],
)
def test_what_is_no_symmetry(symmetry: str, code: str, message: str) -> None:
    with pytest.raises(ModelErrors) as caught:
        _ = compiled(f"choose a(i) for i in 1..3 exactly one a up to {symmetry}").symmetry
    (d,) = caught.value.diagnostics
    assert (d.code, d.message) == (code, message)


def shuffled(points: int) -> str:
    """A choice of one of some points, all of which may be exchanged."""
    return (
        f"choose a(i) for i in 1..{points} exactly one a up to a(i) -> a(i mod {points} + 1), "
        "a(i) -> a(if i = 1 then 2 else if i = 2 then 1 else i) "
    )


def test_a_large_group_that_carries_answers_to_answers() -> None:
    """Too large to be listed: 52!, exactly."""
    c = compiled(shuffled(52))
    assert c.symmetry is not None and c.symmetry.faithful
    assert c.symmetry.size == factorial(52)
    assert classes(c) == (1, 52)


def test_too_large_a_group_that_does_not_is_refused_with_advice() -> None:
    for broken in ("given a(3)", "forbid a(1)"):
        with pytest.raises(ModelErrors) as caught:
            _ = compiled(shuffled(10) + broken).symmetry
        (d,) = caught.value.diagnostics
        assert d.code == "E433"
        assert "3,628,800 members" in d.message
        assert "given" in d.help


def test_a_group_too_large_to_be_worked_out_is_refused_with_advice(constants: Constants) -> None:
    constants(chain, MOST_WORK=1, COMPILED_STEPS=1)
    with pytest.raises(ModelErrors) as caught:
        _ = compiled(shuffled(12)).symmetry
    (d,) = caught.value.diagnostics
    assert d.code == "E433" and "at least" in d.message and "given" in d.help


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(range(5)), min_size=1, max_size=3, unique=True), min_size=1, max_size=4),
    st.integers(1, 4),
)
def test_classes_partition_the_answers(rules: list[list[int]], shift: int) -> None:
    """Whatever the problem, and whether or not the map preserves it: the orbits' smallest answers are listed."""
    lines = "\n".join(f"at most one a where i in {{{', '.join(map(str, rule))}}}" for rule in rules)
    c = compiled(f"choose a(i) for i in 0..4 {lines} up to a(i) -> a((i + {shift}) mod 5)")
    assert c.symmetry is not None
    found = {frozenset(a) for a in search(c.problem)}
    orbits = {frozenset(frozenset((o + k * shift) % 5 for o in a) for k in range(5)) & found for a in found}
    smallest = {min(tuple(sorted(a)) for a in orbit) for orbit in orbits}
    assert {tuple(sorted(a)) for a in found if c.symmetry.is_canonical(sorted(a))} == smallest
