"""Runs, edges, windows and frames against their definitions, on random areas in the plane and in space."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.compiler.evaluate import CompileLimits
from covr.compiler.evaluate.values import Map, Seq, Set
from covr.dsl.diagnostics import ModelErrors
from tests.compiler.evaluation import scope, value

Cells = frozenset[tuple[int, ...]]

areas = st.one_of(
    st.frozensets(st.tuples(st.integers(-2, 3), st.integers(-2, 3)), max_size=30),
    st.frozensets(st.tuples(*[st.integers(0, 2)] * 3), max_size=20),
)


def written(area: Cells) -> str:
    return "{" + ", ".join(map(str, sorted(area))) + "}"


def sets(found: object) -> set[Cells]:
    assert isinstance(found, Set)
    return {frozenset(s) for s in found}  # type: ignore[arg-type]


def touch(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return sum(abs(x - y) for x, y in zip(a, b, strict=True)) == 1


@given(areas)
def test_edges_are_the_pairs_that_touch(area: Cells) -> None:
    wanted = {frozenset(pair) for pair in combinations(area, 2) if touch(*pair)}
    assert sets(value(f"edges({written(area)})")) == wanted


@given(areas)
def test_runs_are_the_lines_of_the_area(area: Cells) -> None:
    """Each run lies on a line without a gap and can't be made longer; each edge is in exactly one of them."""
    found = sets(value(f"runs({written(area)})"))
    for run in found:
        varying = [axis for axis in zip(*run, strict=True) if len(set(axis)) > 1]
        assert len(varying) == 1 and run <= area
        (along,) = varying
        assert max(along) - min(along) + 1 == len(run) > 1
    for pair in (p for p in combinations(area, 2) if touch(*p)):
        assert sum(set(pair) <= run for run in found) == 1


@given(areas, st.lists(st.integers(-1, 3), min_size=3, max_size=3))
def test_windows_are_the_rectangles_inside(area: Cells, sides: list[int]) -> None:
    dimension = len(next(iter(area), (0, 0)))
    sides = sides[:dimension]
    wanted = set()
    for first in area:
        block = frozenset(product(*(range(x, x + size) for x, size in zip(first, sides, strict=True))))
        if block and block <= area:
            wanted.add(block)
    assert sets(value(f"windows({written(area)}, {', '.join(map(str, sides))})")) == wanted


@given(st.lists(st.lists(st.sampled_from(".12_"), min_size=3, max_size=3), min_size=1, max_size=4))
def test_a_frame_holds_the_places_and_the_blanks(rows: list[list[str]]) -> None:
    text = "\\n".join("".join(row) for row in rows)
    assert value(f'frame(grid("{text}")) = box({len(rows)}, 3)').holds  # type: ignore[union-attr]
    assert value(f'cells(grid("{text}")) <= frame(grid("{text}"))').holds  # type: ignore[union-attr]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8, unique_by=lambda pair: pair[0]))
def test_a_map_holds_every_record(pairs: list[tuple[int, int]]) -> None:
    lines = "\\n".join(f"{k} {v}" for k, v in pairs)
    found = value(f'map(table("k", "v", "{lines}"), "k", "v")')
    assert isinstance(found, Map)
    assert found.entries == dict(pairs)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 1)), max_size=6), st.data())
def test_a_map_that_is_written_holds_its_entries(pairs: list[tuple[int, int]], data: st.DataObject) -> None:
    """Written out, made by `for` and read from a table, a map is the same; a key may come twice only as one entry."""
    listed = ", ".join(f"({k}, {v})" for k, v in pairs)
    made = f"{{k: v for (k, v) in [{listed}]}}"
    if len({k for k, _ in pairs}) < len(set(pairs)):
        with pytest.raises(ModelErrors, match="has two values"):
            value(made)
        return
    found = value(made)
    assert isinstance(found, Map)
    assert found.entries == dict(pairs) and list(found) == sorted(dict(pairs))
    if pairs:
        written_out = ", ".join(f"{k}: {v}" for k, v in data.draw(st.permutations(list(dict(pairs).items()))))
        assert value(f"{{{written_out}}} = {made}").holds  # type: ignore[union-attr]
        assert value(f"size({made})") == len(dict(pairs))
        with pytest.raises(ModelErrors, match="is written twice"):
            value(f"{{{written_out}, {pairs[0][0]}: 0}}")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=5), st.sampled_from([" ", ",", ", "]))
def test_the_first_line_of_a_table_names_its_columns(rows: list[tuple[int, int]], between: str) -> None:
    lines = "\\n".join(f"{a}{between}{b}" for a, b in [("k", "v"), *rows])
    found = value(f'[(e.k, e.v) for e in table("{lines}\\n")]')
    assert list(found) == rows  # type: ignore[arg-type]


small = st.one_of(
    st.frozensets(st.tuples(st.integers(-1, 2), st.integers(-1, 2)), max_size=9),
    st.frozensets(st.tuples(*[st.integers(0, 1)] * 3), max_size=7),
)


def hang_together(cells: Cells) -> bool:
    left, todo = set(cells), [min(cells)]
    while todo:
        here = todo.pop()
        left.discard(here)
        todo += [other for other in left if touch(here, other)]
    return not left


@given(small, st.integers(-1, 10))
def test_regions_are_the_sets_that_hang_together(area: Cells, most: int) -> None:
    wanted = {
        frozenset(some) for k in range(1, most + 1) for some in combinations(area, k) if hang_together(frozenset(some))
    }
    assert sets(value(f"regions({written(area)}, {most})")) == wanted


def test_regions_of_other_lattices_are_counted_right() -> None:
    """How many there are of one, two and three cells."""
    for area, sizes in (
        ("hexagon(2)", [7, 12, 21]),
        ("hexagon(1, triangle)", [6, 6, 6]),
        ('area(sticks) """\n+-+-+\n"""', [2, 1, 0]),
    ):
        found = [value(f"size(regions({area}, {k}))") for k in range(4)]
        assert [b - a for a, b in pairwise(found)] == sizes, area  # type: ignore[operator]


def test_too_many_regions_are_counted_and_not_built() -> None:
    with pytest.raises(ModelErrors) as caught:
        value("regions(box(9, 9), 20)", CompileLimits(values=5_000))
    (fault,) = caught.value.diagnostics
    assert (fault.code, fault.span and fault.span.text) == ("E210", "regions(box(9, 9), 20)")
    assert fault.message.endswith("regions of up to 20 cells here, and the limit `values` (5,000) has no room for more")


@given(st.frozensets(st.tuples(st.integers(-2, 3), st.integers(-2, 3)), max_size=14), st.integers(-1, 9))
def test_rectangles_are_the_sets_that_fill_their_box(area: Cells, k: int) -> None:
    wanted = set()
    for (a, b), (c, d) in product(area, repeat=2):
        cells = frozenset(product(range(a, c + 1), range(b, d + 1)))
        if cells and cells <= area:
            wanted.add(cells)
    assert sets(value(f"rectangles({written(area)})")) == wanted
    assert sets(value(f"rectangles({written(area)}, {k})")) == {s for s in wanted if len(s) == k}


@given(areas)
def test_a_border_is_crossed_by_each_step_out(area: Cells) -> None:
    steps = [s for n in (2, 3) for s in product((-1, 0, 1), repeat=n) if sum(map(abs, s)) == 1]
    near = {(x, tuple(a + b for a, b in zip(x, s, strict=True))) for x in area for s in steps if len(s) == len(x)}
    assert sets(value(f"border({written(area)})")) == {frozenset(pair) for pair in near if pair[1] not in area}


@given(areas)
def test_parts_are_apart_and_each_hangs_together(area: Cells) -> None:
    found = sets(value(f"parts({written(area)})"))
    assert sum(map(len, found)) == len(area) and frozenset().union(*found) == area
    assert not any(touch(x, y) for one, other in combinations(found, 2) for x in one for y in other)
    for part in found:
        reached = {min(part)}
        for _ in part:
            reached |= {x for x in part if any(touch(x, y) for y in reached)}
        assert reached == part


@given(*[st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3))] * 2, st.integers(2, 3))
def test_between_is_what_lies_on_a_straight_line(a: tuple[int, ...], b: tuple[int, ...], axes: int) -> None:
    a, b = a[:axes], b[:axes]
    far = max(abs(x - y) for x, y in zip(a, b, strict=True))
    apart = [y - x for x, y in zip(a, b, strict=True)]
    straight = all(d in (0, far, -far) for d in apart)
    wanted = (
        {tuple(x + k * d // far for x, d in zip(a, apart, strict=True)) for k in range(1, far)} if straight else set()
    )
    found = value(f"between({a}, {b})")
    assert isinstance(found, Set) and set(found) == wanted


@pytest.mark.parametrize("area", ["hexagon(3)", "hexagon(2, triangle)", "box(3, 4)", "box(2, 3, 3)"])
def test_between_follows_the_runs_of_every_lattice(area: str) -> None:
    text = f"{{b for s in runs({area}), a, b in s where size(between(a, b)) + 2 > size(s) and a != b}}"
    assert value(text) == Set()
    assert (
        value(f"{{s for s in runs({area}) where max([size(between(a, b)) for a in s, b in s]) + 2 != size(s)}}")
        == Set()
    )


@given(areas, areas)
def test_touches_and_meets_are_what_sets_say(one: Cells, other: Cells) -> None:
    if one and other and len(next(iter(one))) != len(next(iter(other))):
        return
    a, b = written(one), written(other)
    assert bool(value(f"touches({a}, {b})")) == any(touch(x, y) for x in one for y in other)
    assert bool(value(f"meets({a}, {b})")) == bool(one & other) == bool(value(f"meets(sorted({a}), {b})"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("between({(1, 1), (1, 2)}, (1, 4))", "two cells"),
        ("between((1, 1), hex(1, 1))", "two lattices"),
        ("touches((1, 1), hex(1, 1))", "two lattices"),
        ("rectangles(box(2, 2, 2))", "squares"),
        ('rectangles(box(2, 2), "a")', "whole number"),
        ("meets(1..3, 4)", "a set or list"),
    ],
)
def test_what_these_functions_refuse(text: str, wanted: str) -> None:
    with pytest.raises(ModelErrors) as found:
        value(text)
    assert wanted in str(found.value)


@pytest.mark.parametrize(
    "text", ["rectangles(box(99, 99))", "between((1, 1), (1, 10^9))", "border(box(99, 99))", "parts(box(99, 99))"]
)
def test_large_sets_of_these_functions_stop_at_the_limit(text: str) -> None:
    with pytest.raises(ModelErrors, match="more than"):
        value(text, CompileLimits(values=500))


ASKED = {"one": "x in s and y != 2", "two": "y != 2 and x in s"}  # the second is not looked up


@given(st.frozensets(st.frozensets(st.integers(0, 4), max_size=3), max_size=8))
def test_members_that_are_looked_up_are_those_of_a_walk(all_sets: frozenset[frozenset[int]]) -> None:
    listed = ", ".join("{" + ", ".join(map(str, each)) + "}" for each in all_sets)
    for made in ("{(s, y) for s in sets, y in s where %s}", "[y for s in sets, y in s where %s]"):
        functions = "\n".join(f"let {name}(x) = {made % where}" for name, where in ASKED.items())
        known = scope(f"let sets = {{{listed}}}\n{functions}\nlet it = [[one(x), two(x)] for x in 0..4]").value("it")
        assert isinstance(known, Seq) and all(one == two for one, two in known)
