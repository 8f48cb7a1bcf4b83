"""Placements are found by shifting whole numbers where an area is dense, and cell by cell where it is sparse."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covr
from tests.shared import examples

NEAR = st.sets(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=25)
PIECES = st.sets(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=4)
FAR = 10**9


def placed(lattice: str, piece: set[tuple[int, int]], area: set[tuple[int, int]]) -> list[str]:
    """Every placement of a piece in an area, in order, as text."""

    def cells(found: set[tuple[int, int]]) -> str:
        return "{" + ", ".join(f"{lattice}({r}, {c})" for r, c in sorted(found)) + "}"

    text = f"choose put(s) for s in placements({cells(piece)}, {cells(area)})\nat most one put\n"
    model = covr.loads(text)
    return [str(model.compiled.choice(option)) for option in range(model.problem.options)]


@pytest.mark.parametrize("lattice", ["triangle", ""])
@settings(max_examples=examples(40), deadline=None)
@given(piece=PIECES, area=NEAR)
def test_a_cell_far_away_changes_nothing(lattice: str, piece: set[tuple[int, int]], area: set[tuple[int, int]]) -> None:
    if len(piece) == 1:
        piece = {*piece, (1, 4)}
    near = placed(lattice, piece, area)
    assert placed(lattice, piece, area | {(FAR, FAR)}) == near
    assert placed(lattice, piece, area | {(-FAR, FAR)}) == near
    assert len(set(near)) == len(near)
