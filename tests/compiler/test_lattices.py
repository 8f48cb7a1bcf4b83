"""Laws that hold for every lattice: its motions, its pieces and its areas."""

from __future__ import annotations

import pickle
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.compiler import lattices as hexagons
from covr.compiler import lattices as triangles
from covr.compiler.evaluate.values import Motion, Set, measure, order_key, show_value
from covr.compiler.lattices import LATTICES, Cell, Lattice, LatticeCell, lattice_of, shifted
from tests.compiler.evaluation import scope, shown, told, value
from tests.each import each

pytestmark = pytest.mark.long

EVERY = pytest.mark.parametrize("lattice", LATTICES.values(), ids=list(LATTICES))
ORDERS = {"square": (8, 4), "cubes": (48, 24), "hex": (12, 6), "triangle": (12, 6), "sticks": (8, 4), "balls": (48, 24)}
TOUCHING = {"square": 4, "cubes": 6, "hex": 6, "triangle": 3, "sticks": 6, "balls": 12}


def cells_of(lattice: Lattice, size: int = 4) -> list[Cell]:
    """The cells of one board whose coordinates are at most `size`."""
    box = product(range(-size, size + 1), repeat=lattice.axes)
    return [at for at in box if lattice.holds(at) and lattice.separate(at) == 0]


def shapes(lattice: Lattice, most: int = 6) -> st.SearchStrategy[list[Cell]]:
    """Sets of cells, which need not touch, sorted."""
    return st.sets(st.sampled_from(cells_of(lattice, 3)), min_size=1, max_size=most).map(sorted)


def steps(lattice: Lattice) -> st.SearchStrategy[Cell]:
    return st.tuples(*[st.integers(-6, 6)] * lattice.axes).filter(lattice.steps)


def connected_shapes(lattice: Lattice) -> st.SearchStrategy[list[Cell]]:
    """Shapes that are grown cell by cell."""

    def grown(choices: list[int]) -> list[Cell]:
        cells = [cells_of(lattice, 1)[0]]
        for choice in choices:
            near = sorted({n for at in cells for n in lattice.near(at)} - set(cells))
            cells.append(near[choice % len(near)])
        return sorted(cells)

    return st.lists(st.integers(0, 100), max_size=5).map(grown)


def written(lattice: Lattice, cells: list[Cell]) -> str:
    """A set of cells in the language."""
    return "{" + ", ".join(show_value(lattice.cell(at)) for at in cells) + "}"


# --- the point group ------------------------------------------------------------------------------------------


@EVERY
def test_the_group_has_its_known_order(lattice: Lattice) -> None:
    assert (len(lattice.motions), len(lattice.rotations)) == ORDERS[lattice.name]
    assert lattice.motions[: len(lattice.rotations)] == lattice.rotations


@EVERY
def test_the_group_is_closed_and_has_inverses(lattice: Lattice) -> None:
    group = set(lattice.motions)
    still = lattice.motions[0]
    for one in lattice.motions:
        products = {lattice.product(one, other) for other in lattice.motions}
        assert products == group
        assert still in products
    turns = set(lattice.rotations)
    assert {lattice.product(a, b) for a in turns for b in turns} == turns


@EVERY
def test_motions_carry_cells_to_cells_and_keep_what_touches(lattice: Lattice) -> None:
    cells = cells_of(lattice)
    for motion in lattice.motions:
        image = dict(zip(cells, lattice.moved(cells, motion), strict=True))
        assert len(set(image.values())) == len(cells)
        assert all(lattice.holds(at) and lattice.separate(at) == 0 for at in image.values())
        for at in cells_of(lattice, 2):
            assert {image[n] for n in lattice.near(at)} == set(lattice.near(image[at]))


@EVERY
def test_touching_is_mutual_and_the_same_everywhere(lattice: Lattice) -> None:
    for at in cells_of(lattice):
        near = lattice.near(at)
        assert len(set(near)) == len(near) == TOUCHING[lattice.name]
        assert at not in near
        assert all(lattice.holds(n) and at in lattice.near(n) for n in near)


@EVERY
def test_the_product_does_one_after_the_other(lattice: Lattice) -> None:
    cells = cells_of(lattice, 2)
    for one, other in product(lattice.motions[:7], lattice.motions[-7:]):
        assert lattice.moved(cells, lattice.product(one, other)) == lattice.moved(lattice.moved(cells, other), one)


@EVERY
def test_a_flip_reverses_its_axis(lattice: Lattice) -> None:
    cells = cells_of(lattice)
    for axis, flip in enumerate(lattice.flips):
        image = lattice.moved(cells, flip)
        assert lattice.moved(image, flip) == cells
        for at, other in zip(cells, image, strict=True):
            assert all(a == b for i, (a, b) in enumerate(zip(at, other, strict=True)) if i != axis)
            # In a line of triangles the row -r - 1 is the mirror image of row r.
            assert other[axis] == -at[axis] - (lattice.name == "triangle" and axis == 0)


@EVERY
def test_cells_that_touch_share_corners(lattice: Lattice) -> None:
    if lattice.name in ("cubes", "balls"):
        return
    shared = 1 if lattice.name == "sticks" else 2
    for at in cells_of(lattice, 2):
        corners = set(lattice.polygon(at))
        for other in cells_of(lattice, 3):
            touching = len(corners & set(lattice.polygon(other))) == shared
            assert touching == (other in lattice.near(at)), (at, other)


# --- cells as values ------------------------------------------------------------------------------------------


@EVERY
def test_a_cell_is_of_its_own_kind(lattice: Lattice) -> None:
    if lattice.plain:
        return
    for at in cells_of(lattice, 1):
        cell = lattice.cell(at)
        assert isinstance(cell, LatticeCell)
        assert cell != at and at != cell and {cell} != {at} and {cell, at, cell} == {at, cell}
        assert tuple(cell) == cell.at == at and len(cell) == len(at) and cell[0] == at[0]
        assert lattice_of(cell) is lattice
        again = pickle.loads(pickle.dumps(cell))
        assert again == cell and again.lattice is lattice and hash(again) == hash(cell)


def test_cells_are_ordered_by_lattice_and_then_by_coordinates() -> None:
    text = "{triangle(1, 1), hex(2, 1), hex(1, 3), (9, 9), [1], balls(1, 1, 1), sticks(1, 2), 3}"
    ordered = "3, (9, 9), hex(1, 3), hex(2, 1), triangle(1, 1), sticks(1, 2), balls(1, 1, 1), [1]"
    assert shown(text) == f"{{{ordered}}}"
    found = value("{hex(r, c) for r in 1..3, c in 1..3}")
    assert isinstance(found, Set)
    assert list(found) == sorted(found.members, key=order_key)


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("hex(1, 3) = (1, 3)", "false"),
        ("hex(1, 3) = triangle(1, 3)", "false"),
        ("hex(1, 3) in {(1, 3)}", "false"),
        ("hex(1, 3) in {hex(1, 3)}", "true"),
        ("{r + c for (r, c) in {hex(1, 3), hex(2, 2)}}", "{4}"),
        ("{z for (z, r, c) in {balls(1, 3, 1)}}", "{1}"),
        ("hex(1, 3)[2]", "3"),
        ("size(hex(1, 3))", "2"),
        ("hex(1, 2) < hex(1, 3)", "true"),
        ("[hex(1, 1), triangle(1, 1)]", "[hex(1, 1), triangle(1, 1)]"),
        ("neighbours(hex(2, 4))", "{hex(1, 3), hex(1, 5), hex(2, 2), hex(2, 6), hex(3, 3), hex(3, 5)}"),
        ("neighbours(triangle(1, 1))", "{triangle(1, 0), triangle(1, 2), triangle(2, 1)}"),
        ("size(neighbours(sticks(1, 2)))", "6"),
        ("size(neighbours(balls(1, 1, 1)))", "12"),
        ("rotate(hex(0, 2))", "hex(1, 1)"),
        ("rotate(hex(1, 2), 6)", "hex(1, 2)"),
        ("reflect(triangle(1, 2))", "triangle(1, -2)"),
        ("translate(triangle(1, 2), (1, 1))", "triangle(2, 3)"),
        ("size(hexagon(5))", "61"),
        ("size(edges(hexagon(2))) + size(edges(hexagon(1, triangle)))", "18"),
        ("[sum([size(r) for r in runs(hexagon(2))]), size(runs(hexagon(2)))]", "[21, 9]"),
        ("[sum([size(r) for r in runs(hexagon(1, triangle))]), size(runs(hexagon(1, triangle)))]", "[18, 6]"),
        ('runs(area(sticks, "+-+-+\\n  |\\n  +"))', "{{sticks(1, 2), sticks(1, 4)}}"),
        (
            "runs({balls(1, 1, 1), balls(2, 2, 2), balls(3, 3, 3), balls(1, 3, 3)}) = "
            "{{balls(1, 1, 1), balls(2, 2, 2), balls(3, 3, 3)}, {balls(1, 3, 3), balls(2, 2, 2)}}",
            "true",
        ),
        ('frame(grid(hex, "1 . x\\n . _")) = {hex(1, c) for c in {1, 3, 5}} | {hex(2, 2), hex(2, 4)}', "true"),
        ('size(frame(grid(balls, "1 ./\\n   / .")))', "3"),
        ("size(hexagon(3, triangle))", "54"),
        ("{size(symmetries(hexagon(3, l))) for l in {hex, triangle}}", "{12}"),
        ("size(placements({(1, 1), (1, 2)}, box(2, 2, 2)))", "12"),
        ("size(placements({(1, 1), (1, 2), (2, 1)}, box(2, 2, 2), fixed))", "2"),
    ],
)
def test_functions_of_lattices_have_their_meaning(expression: str, result: str) -> None:
    assert shown(expression) == result


@pytest.mark.parametrize(
    ("expression", "fault"),
    [
        ("sticks(1, 1)", "sticks lie where line + column is odd; at (1, 1) there is none"),
        ("balls(1, 2, 1)",
         "of layer, line and column of a ball, all are even or all are odd; at (1, 2, 1) there is none"),
        ("size({hex(1, 1), triangle(1, 1)}) + size(neighbours({hex(1, 1), triangle(1, 1)}))",
         "these cells are of two lattices: `hex` and `triangle`, which do not mix"),
        ("placements({hex(1, 1)}, {triangle(1, 1)})",
         "the piece consists of `hex` cells and the area of `triangle` cells"),
        ("placements({hex(1, 1)}, {(1, 1)})", "the piece consists of `hex` cells and the area of `square` cells"),
        ("rotate({hex(1, 1), hex(1, 2)})",
         "hexagons stand two columns apart, each line shifted by one: these cells do not lie on one board"),
        ("translate(triangle(1, 1), (1, 0))", "a step of (1, 0) carries no `triangle` to one of its kind"),
        ("hexagon(2, sticks)", "a hexagon consists of cells of `hex` or `triangle`, not of `sticks`"),
        ("windows(hexagon(2), 2, 2)", "a window consists of squares or cubes, and these cells are of `hex`"),
        ("hexagon(0)", "the side of a hexagon is a whole number from 1, not 0"),
    ],
)  # fmt: skip
def test_misuse_of_lattices_is_explained(expression: str, fault: str) -> None:
    (found,) = told(lambda: value(expression))
    assert found.startswith("E206") and found.endswith(f": {fault}")


def test_cells_of_two_lattices_have_no_order() -> None:
    (found,) = told(lambda: value("hex(1, 1) < triangle(1, 1)"))
    assert found.startswith("E201") and "cells of one lattice" in found


# --- shapes ---------------------------------------------------------------------------------------------------


@EVERY
@given(data=st.data())
def test_all_turns_are_none(lattice: Lattice, data: st.DataObject) -> None:
    cells = data.draw(shapes(lattice))
    text = written(lattice, cells)
    full = lattice.turns
    found = scope(
        f"let s = {text}\nlet it = (rotate(s, {full}), reflect(reflect(s)), rotate(rotate(s, {full - 1})), "
        f"rotate(s, 0), reflect(rotate(reflect(s))), rotate(s, {full - 1}), orientations(s, free))"
    ).value("it")
    around, back, once, none, mirrored, less, ways = found  # type: ignore[misc]
    assert around == back == once == none
    assert mirrored == less
    assert {around, less, mirrored} <= ways.members
    assert len(lattice.motions) % len(ways) == 0


@EVERY
@given(data=st.data())
def test_orientations_do_not_depend_on_where_a_piece_is_drawn(lattice: Lattice, data: st.DataObject) -> None:
    cells = data.draw(shapes(lattice))
    step = data.draw(steps(lattice))
    motion = data.draw(st.sampled_from(lattice.motions))
    other = shifted(lattice.moved(cells, motion), step)
    assert lattice.ways(cells, "free") == lattice.ways(other, "free")
    assert lattice.ways(cells, "fixed") == lattice.ways(shifted(cells, step), "fixed")


@EVERY
@given(data=st.data())
def test_placements_are_the_orientations_moved_by_every_step(lattice: Lattice, data: st.DataObject) -> None:
    """Against brute force; and a piece drawn elsewhere has the same placements."""
    piece = data.draw(connected_shapes(lattice))
    area = data.draw(st.sets(st.sampled_from(cells_of(lattice, 2)), min_size=1).map(sorted))
    step = data.draw(steps(lattice))
    text = f"let area = {written(lattice, area)}\n"
    for cells in (piece, shifted(piece, step)):
        text += f"let it{len(text)} = placements({written(lattice, cells)}, area, free)\n"
    bound = scope(text)
    one, other = (bound.value(line.split()[1]) for line in text.splitlines()[1:])
    assert one == other
    room = set(area)
    brute = {
        Set(map(lattice.cell, image))
        for way in lattice.ways(piece, "free")
        for at in area
        if lattice.steps(by := tuple(a - b for a, b in zip(at, way[-1], strict=True)))
        and room.issuperset(image := shifted(way, by))
    }
    assert Set(brute) == one
    assert isinstance(one, Set)
    assert one.ordered == Set(one.members).ordered, "in documented order"
    for found in (one, *one):
        assert measure(found) == measure(Set(Set(part) if isinstance(part, Set) else part for part in found.members))


@EVERY
@given(data=st.data())
def test_symmetries_carry_an_area_into_itself(lattice: Lattice, data: st.DataObject) -> None:
    cells = data.draw(shapes(lattice, 4))
    motion = data.draw(st.sampled_from(lattice.motions))
    area = sorted({*cells, *lattice.moved(cells, motion)})  # more likely to have symmetries
    bound = scope(f"let area = {written(lattice, area)}\nlet s = symmetries(area)\nlet t = rotations(area)")
    found, turns, room = bound.value("s"), bound.value("t"), bound.value("area")
    assert isinstance(found, Set) and isinstance(turns, Set) and isinstance(room, Set)
    assert turns.members <= found.members
    assert len(lattice.motions) % len(found) == 0
    for symmetry in found:
        assert Set(symmetry.apply(cell) for cell in room) == room  # type: ignore[union-attr, arg-type]
    ways = lattice.ways(area, "free")
    assert len(ways) * len(found) == len(lattice.motions), "orbit and stabiliser"


@EVERY
@given(data=st.data())
def test_runs_are_straight_and_as_long_as_they_can_be(lattice: Lattice, data: st.DataObject) -> None:
    """A run follows one direction, which every motion carries to another; and it ends where the area does."""
    area = data.draw(st.sets(st.sampled_from(cells_of(lattice, 2)), min_size=1).map(sorted))
    motion = data.draw(st.sampled_from(lattice.motions))

    def runs(cells: list[Cell]) -> set[frozenset[Cell]]:
        found = value(f"runs({written(lattice, cells)})")
        assert isinstance(found, Set)
        return {frozenset(cell if lattice.plain else cell.at for cell in run) for run in found}  # type: ignore

    found = runs(area)
    assert runs(lattice.moved(area, motion)) == {frozenset(lattice.moved(run, motion)) for run in found}
    for one in found:
        assert len(one) > 1 and one <= set(area)
        # Two triangles that touch lie in two strips, so that a short run in one may be part of a long one in the other.
        assert lattice.name == "triangle" or not any(one < other for other in found)
        touching = [sum(n in one for n in lattice.near(at)) for at in one]
        assert sorted(touching) == [1, 1] + [2] * (len(one) - 2)
    if lattice.name != "sticks":
        pairs = {frozenset((at, n)) for at in area for n in lattice.near(at) if n in area}
        assert pairs == {pair for pair in pairs if any(pair <= run for run in found)}


@pytest.mark.parametrize("far", [(0, 3), (3, 0), (10**6, -(10**6)), (2, 10**9)])
def test_placements_are_found_in_parts_far_apart(far: tuple[int, int]) -> None:
    """No copy of a piece reaches from one part to the other, and none is missed in either."""
    one = [(r, c) for r in (1, 2) for c in (1, 2)]
    other = [(r + far[0], c + far[1]) for r, c in one]
    area = ", ".join(map(str, sorted({*one, *other})))
    assert shown(f"size(placements({{(1, 1), (1, 2)}}, {{{area}}}, fixed))") == "4"
    assert shown(f"size(placements({{(1, 1), (2, 2)}}, {{{area}}}))") == "4"


def test_symmetries_of_a_lattice_are_printed() -> None:
    assert "rotation 1 of hex and step (0, 1)" in shown("rotations({hex(1, 2)})")
    found = value("symmetries(hexagon(2))")
    assert isinstance(found, Set) and all(isinstance(m, Motion) for m in found)


@each("side", range(1, 6))
def test_hexagons_have_the_known_number_of_cells(side: int) -> None:
    assert len(set(hexagons.hexagon(side))) == 3 * side * (side - 1) + 1
    assert len(set(triangles.hexagon_of_triangles(side))) == 6 * side * side
    assert sorted(hexagons.hexagon(side)) == hexagons.hexagon(side)
    assert sorted(triangles.hexagon_of_triangles(side)) == triangles.hexagon_of_triangles(side)


# --- pictures -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("area(hex) \"\"\"\n . .\n. # .\n\"\"\"", "{hex(1, 2), hex(1, 4), hex(2, 1), hex(2, 5)}"),
        ("area(triangle) \"\"\"\n.#.\n...\n\"\"\"",
         "{triangle(1, 1), triangle(1, 3), triangle(2, 1), triangle(2, 2), triangle(2, 3)}"),
        ("area(sticks) \"\"\"\n+-+ +\n|   |\n+ + +\n\"\"\"", "{sticks(1, 2), sticks(2, 1), sticks(2, 5)}"),
        ("area(balls) \"\"\"\n. ./\n   / .\n. ./\n\"\"\"",
         "{balls(1, 1, 1), balls(1, 1, 3), balls(1, 3, 1), balls(1, 3, 3), balls(2, 2, 2)}"),
        ("area(cubes) \"\"\"\n.. / #.\n#. / ..\n\"\"\" = box(2, 2, 2) - {(1, 2, 1), (2, 1, 1)}", "true"),
        ("area(square) \"\"\"\n..\n\"\"\" = box(1, 2)", "true"),
        ("grid(hex) \"\"\"\n1 .\n x 2\n\"\"\"", "{hex(1, 1): 1, hex(2, 2): x, hex(2, 4): 2}"),
        ("{(p, cells(p)) for p in pieces(hex) \"\"\"\nA A B\n B B\n\"\"\"}",
         "{(A, {hex(1, 1), hex(1, 3)}), (B, {hex(1, 4), hex(2, 1), hex(2, 3)})}"),
        ("[cells(p) for p in pieces(triangle) \"\"\"\n.B\nBB\n\"\"\"]",
         "[{triangle(1, 2), triangle(2, 1), triangle(2, 2)}]"),
        ("[cells(p) for p in pieces(sticks) \"\"\"\n+ +\n  A\n+A+\n\"\"\"]",
         "[{sticks(2, 3), sticks(3, 2)}]"),
        ("[cells(p) for p in pieces(balls) \"\"\"\nA /\n  / A\n\"\"\"]", "[{balls(1, 1, 1), balls(2, 2, 2)}]"),
        ("pieces(cubes) \"\"\"\nAA/.A\n\"\"\" = solids \"\"\"\nAA/.A\n\"\"\"", "true"),
        ("area(hex, \". .\")", "{hex(1, 1), hex(1, 3)}"),
    ],
)  # fmt: skip
def test_pictures_of_lattices_are_read(text: str, result: str) -> None:
    assert shown(text) == result


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('area(hex) """\n. .\n. .\n"""', "E308"),
        ('area(sticks) """\n+-+\n|x|\n"""', "E308"),
        ('area(sticks) """\n| |\n+-+\n"""', "E308"),
        ('pieces(hex) """\nAA\n"""', "E308"),
        ('area(balls) """\n. / .\n. / .\n"""', "E308"),
        ('area(hex) """\n# #\n"""', "E304"),
        ('grid(hex) """\n..\n"""', "E304"),
        ('pieces(balls) """\n.\n"""', "E304"),
        ('area(hex) """\n.\t.\n"""', "E303"),
        ('area("round") """\n.\n"""', "E206"),
        ('area(7) """\n.\n"""', "E206"),
    ],
)
def test_faults_in_pictures_of_lattices_are_told(text: str, fault: str) -> None:
    assert any(f.startswith(fault) for f in told(lambda: value(text)))


def test_a_model_may_give_the_names_of_lattices_another_meaning() -> None:
    bound = scope("let hex = 3\nlet balls(a) = a + 1\nlet it = (hex, balls(2), [square + 1 for square in 1..2])")
    assert show_value(bound.value("it")) == "(3, 3, [2, 3])"


def test_every_lattice_has_a_name_in_the_language() -> None:
    for lattice in LATTICES.values():
        assert value(lattice.name) == lattice.name
