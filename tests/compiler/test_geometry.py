"""The orientations, placements and symmetries of pieces are compared with known numbers."""

from __future__ import annotations

import time
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.compiler.evaluate.values import Isometry, Piece, Set, Value, show_value
from tests.compiler.evaluation import scope, shown, value

PENTOMINOES = '''
let pentominoes = pieces """
  .FF  IIIII  L...  NNN.  PPP  TTT
  FF.         LLLL  ..NN  PP.  .T.
  .F.                          .T.

  U.U  V..  W..  .X.  ..Y.  ZZ.
  UUU  V..  WW.  XXX  YYYY  .Z.
       VVV  .WW  .X.        .ZZ
"""
'''
SOMA = '''
let soma = solids """
  VV
  V.

  LLL
  L..

  TTT
  .T.

  ZZ.
  .ZZ

  AA/.A
  A./..

  BB/..
  B./B.

  PP/P.
  P./..
"""
'''


@pytest.mark.parametrize(("how", "total"), [("", 63), (', "fixed"', 12), (", onesided", 41), (", free", 63)])
def test_pentominoes_have_as_many_orientations_as_is_known(how: str, total: int) -> None:
    text = f"{PENTOMINOES}\nlet it = sum([size(orientations(p{how})) for p in pentominoes])"
    assert scope(text).value("it") == total


@pytest.mark.parametrize("room", ["box(6, 10)", "box(8, 8) - box(3, 5)", "{(r, c) for r, c in 1..9 where r != c}"])
def test_pentominoes_have_as_many_placements_as_brute_force_finds(room: str) -> None:
    text = f"{PENTOMINOES}\nlet it = sum([size(placements(p, {room})) for p in pentominoes])"
    assert scope(text).value("it") == _brute(room)


def _brute(room: str) -> int:
    """Placements counted by moving every orientation everywhere."""
    bound = scope(f"{PENTOMINOES}\nlet room = {room}\nlet ways = [orientations(p) for p in pentominoes]")
    area = set(bound.value("room"))  # type: ignore[arg-type]
    count = 0
    for ways in bound.value("ways"):  # type: ignore[union-attr]
        for way in ways:
            count += sum(
                all((r + dr, c + dc) in area for r, c in way) for dr in range(-12, 13) for dc in range(-12, 13)
            )
    return count


def test_scotts_problem_has_1568_options() -> None:
    room = "box(8, 8) - {(r, c) for r, c in 4..5}"
    text = f"{PENTOMINOES}\nlet it = sum([size(placements(p, {room})) for p in pentominoes])"
    assert scope(text).value("it") == 1568


def test_soma_pieces_have_688_placements() -> None:
    text = f"{SOMA}\nlet it = sum([size(placements(p, box(3, 3, 3))) for p in soma])"
    assert scope(text).value("it") == 688
    handed = f"{SOMA}\nlet it = {{(p, size(orientations(p, free)) > size(orientations(p))) for p in soma}}"
    found = show_value(scope(handed).value("it"))
    assert found == "{(A, true), (B, true), (L, false), (P, false), (T, false), (V, false), (Z, false)}"


def test_placements_are_fast() -> None:
    begin = time.process_time()
    bound = scope(PENTOMINOES + "\nlet it = {(p, s) for p in pentominoes, s in placements(p, box(6, 10))}")
    assert len(bound.value("it")) == 2056  # type: ignore[arg-type]
    assert time.process_time() - begin < 1.0


@pytest.mark.parametrize(
    ("area", "all_", "turns"),
    [
        ("box(6, 10)", 4, 2),
        ("box(4, 4)", 8, 4),
        ("box(3, 3, 3)", 48, 24),
        ("box(2, 3, 4)", 8, 4),
        ("{(1, 1)}", 8, 4),
        ("{(5, 7), (5, 8), (6, 7)}", 2, 1),
        ("{(1, 2), (1, 3), (2, 1), (2, 2)}", 2, 2),
    ],
)
def test_symmetries_map_an_area_to_itself(area: str, all_: int, turns: int) -> None:
    bound = scope(f"let area = {area}\nlet s = symmetries(area)\nlet t = rotations(area)")
    motions, rotations, cells = bound.value("s"), bound.value("t"), bound.value("area")
    assert isinstance(motions, Set) and isinstance(rotations, Set) and isinstance(cells, Set)
    assert (len(motions), len(rotations)) == (all_, turns)
    assert rotations.members <= motions.members
    for motion in motions:
        assert isinstance(motion, Isometry)
        assert Set(motion.apply(cell) for cell in cells) == cells  # type: ignore[arg-type]


shapes = st.sets(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=6)


@given(shapes)
def test_motions_of_a_shape_undo_each_other(cells: set[tuple[int, int]]) -> None:
    text = "{" + ", ".join(map(str, sorted(cells))) + "}"
    found: tuple[Value, ...] = scope(
        f"let s = {text}\nlet it = (rotate(s, 4), translate(rotate(s), (0, 0)), reflect(reflect(s)), "
        "rotate(rotate(s)), rotate(s, 2), orientations(s), reflect(rotate(reflect(s))), rotate(s, 3))"
    ).value("it")  # type: ignore[assignment]
    around, once, back, twice, half, ways, mirrored, three = found
    assert around == back
    assert isinstance(ways, Set) and {around, once, twice, three} <= ways.members
    assert twice == half and mirrored == three
    assert len(ways) in (1, 2, 4, 8)


MEANINGS = [
    ("box(2, 2)", "{(1, 1), (1, 2), (2, 1), (2, 2)}"),
    ("box(1, 1, 2)", "{(1, 1, 1), (1, 1, 2)}"),
    ("box(0, 5)", "{}"),
    ("neighbours((2, 2))", "{(1, 2), (2, 1), (2, 3), (3, 2)}"),
    ("size(neighbours((1, 1, 1)))", "6"),
    ("neighbours({(1, 1), (1, 2)})", "{(0, 1), (0, 2), (1, 0), (1, 3), (2, 1), (2, 2)}"),
    ("rotate({(1, 1), (1, 2), (2, 2)})", "{(1, 2), (2, 1), (2, 2)}"),
    ("rotate((1, 2))", "(2, -1)"),
    ("reflect({(1, 1), (2, 1), (2, 2)})", "{(1, 2), (2, 1), (2, 2)}"),
    ("reflect({(1, 1), (2, 1), (2, 2)}, 1)", "{(1, 1), (1, 2), (2, 1)}"),
    ("translate({(1, 1)}, (2, 3))", "{(3, 4)}"),
    ("translate((1, 1), (-1, 0))", "(0, 1)"),
    ("placements({(1, 1), (1, 2)}, {(1, 1), (1, 2), (2, 2)})", "{{(1, 1), (1, 2)}, {(1, 2), (2, 2)}}"),
    ("placements({(1, 1), (1, 2)}, box(2, 2), fixed)", "{{(1, 1), (1, 2)}, {(2, 1), (2, 2)}}"),
    ("subsets(1..3, 2)", "{{1, 2}, {1, 3}, {2, 3}}"),
    ("subsets(1..3, 4)", "{}"),
    ("tuples(1..2, 2)", "{[1, 1], [1, 2], [2, 1], [2, 2]}"),
    ("permutations({1, 2})", "{[1, 2], [2, 1]}"),
    ('sorted(["b", 2, "a", 1])', "[1, 2, a, b]"),
    ("min({3, 1, 2}) + max(4, 5)", "6"),
    ("min({[2, 1], [1, 2]})", "[1, 2]"),
    ("max({{1}, {2}})", "{2}"),
    ("sum(1..100)", "5050"),
    ("sum({})", "0"),
    ("abs(-3)", "3"),
    ('size("abc") + size([1]) + size((1, 2)) + size(1..10 ^ 20)', "100000000000000000006"),
]


@pytest.mark.parametrize(("expression", "meaning"), MEANINGS)
def test_functions_of_shapes_have_their_meaning(expression: str, meaning: str) -> None:
    assert shown(expression) == meaning


def test_macmahon_has_24_tiles() -> None:
    bound = scope("""
let turn(t, k) = [t[(i + k - 1) mod 4 + 1] for i in 1..4]
let turns(t) = { turn(t, k) for k in 0..3 }
let it = { t for t in tuples(["a","b","c"],4) where t = min(turns(t)) }
""")
    found = bound.value("it")
    assert isinstance(found, Set) and len(found) == 24


def test_a_letter_stands_for_a_piece_and_knows_its_cells() -> None:
    bound = scope(SOMA + '\nlet mate(p) = if p = "A" then "B" else p\nlet it = [(mate(p), size(p)) for p in soma]')
    found = bound.value("it")
    assert show_value(found) == "[(B, 4), (B, 4), (L, 4), (P, 4), (T, 4), (V, 3), (Z, 4)]"
    assert "A" in bound.value("soma")  # type: ignore[operator]
    assert all(isinstance(p, Piece) for p in bound.value("soma"))  # type: ignore[union-attr]
    assert value('"A"') == "A"


@pytest.mark.parametrize("how", ["fixed", "onesided", "free"])
def test_congruent_sets_have_one_shape(how: str) -> None:
    """All sets of three squares of a board of 3 x 3 against their images by every motion, which are worked out here."""
    motions = [lambda r, c, s=s, t=t: (s * r, t * c) for s in (1, -1) for t in (1, -1)]
    motions += [lambda r, c, s=s, t=t: (s * c, t * r) for s in (1, -1) for t in (1, -1)]
    turns = {"fixed": [0], "onesided": [0, 3, 5, 6], "free": [*range(8)]}[how]

    def moved(cells: frozenset[tuple[int, int]], motion: int) -> frozenset[tuple[int, int]]:
        found = [motions[motion](r, c) for r, c in cells]
        top, left = min(r for r, _ in found), min(c for _, c in found)
        return frozenset((r - top, c - left) for r, c in found)

    trios = [frozenset(trio) for trio in combinations(product(range(3), repeat=2), 3)]
    said = ", ".join("{" + ", ".join(map(str, sorted(trio))) + "}" for trio in trios)
    shapes = list(value(f"[shape(s, {how}) for s in [{said}]]"))  # type: ignore[call-overload]
    for one, its in zip(trios, shapes, strict=True):
        images = {moved(one, motion) for motion in turns}
        assert [its == other for other in shapes] == [moved(other, 0) in images for other in trios]
