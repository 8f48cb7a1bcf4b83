"""Boards of a million squares: drawing them takes no call for each square, and what is skipped is never missed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.compiler import compile_model
from covr.compiler.display import prints as regions
from covr.compiler.display.prints import Picture
from covr.draw.canvas import Canvas, Cell, plain
from covr.draw.text import draw
from covr.dsl import load_model
from covr.dsl.diagnostics import Source
from covr.inputs.library import open_model
from tests.shared import calls_of

CALLS = 47  # a row: 42 for drawing it, and for the names and texts of its queen; others watch Python's collector


def test_a_large_board_is_drawn_row_by_row() -> None:
    def calls(n: int) -> int:
        made = compile_model(open_model("queens"), {"n": n})
        return calls_of(lambda: draw(made.pictures([n * r + r for r in range(n)])))

    calls(4)  # what is made only once
    assert calls(120) - calls(60) <= 60 * CALLS


@given(
    st.dictionaries(st.tuples(st.integers(1, 4), st.integers(1, 5)), st.sampled_from(["..", " Q", "10"])),
    st.sets(st.tuples(st.integers(1, 4), st.integers(1, 5))),
)
def test_styles_change_no_text(text: Mapping[Cell, str], styled: set[Cell]) -> None:
    def lines(style: Mapping[Cell, str]) -> str:
        return plain(Canvas(range(1, 5), range(1, 6), text, style, None, lambda _a, _b: False, "  ").draw(False))

    assert lines({}) == lines(dict.fromkeys(styled, "given"))


KEYS = st.sampled_from(
    ["r + c", "r - c", "r mod 2", "band(r)", "band(r), band(c)", "(r + 2 * c) mod 5", "r * c", "max(r, c)"]
)
BOARDS = st.sampled_from(
    ["box(n, n)", "{(r, c) for r, c in 1..n where (r * c) mod 3 != 1}", "{(r, 2 * c) for r, c in 1..n}"]
)


def outlined(keys: str, board: str, n: int) -> Picture:
    text = f"""
param n = {n}
let band(k) = (k + 1) div 2
cells (r, c) in {board}
choose put(r, c)
at most one put per {keys}
"""
    made = compile_model(load_model(Source("model", text), lambda _path, _source: None))
    return made.puzzle()[0]


@given(KEYS, BOARDS, st.integers(2, 9))
def test_no_region_is_missed_by_a_look_at_some_places(keys: str, board: str, n: int) -> None:
    found = outlined(keys, board, n).regions
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(regions, "_falls_apart", lambda *_: False)
        assert outlined(keys, board, n).regions == found
