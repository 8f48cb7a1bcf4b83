"""Runs, edges, windows and frames against their definitions, on random areas in the plane and in space."""

from __future__ import annotations

from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from covr.compiler.evaluate.values import Map, Set
from tests.compiler.evaluation import value

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
