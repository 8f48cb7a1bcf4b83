"""Borders that were drawn are read as regions, and the same borders are written again."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from covr.links.board import BoardDraft
from covr.links.file_parts import FileLines, Regions, borders_as
from covr.links.places import border_rows, cell_rows


@st.composite
def drawn(draw: st.DrawFn) -> tuple[BoardDraft, list[str]]:
    """An empty board of a few squares, with the lines of a file that say which borders are drawn."""
    draft = BoardDraft("drawn", draw(st.integers(1, 4)), draw(st.integers(1, 4)))
    rows = [" ".join([draw(st.sampled_from(["0", "1"])) for _ in places]) for places in border_rows(draft) if places]
    return draft, rows


def _connected(draft: BoardDraft, edges: set[Any], first: Any) -> set[Any]:
    """All that can be reached from a cell without crossing a border."""
    found, waiting = {first}, [first]
    while waiting:
        cell = waiting.pop()
        for row in border_rows(draft):
            for pair in row:
                if cell in pair and pair not in edges:
                    new = set(pair) - found
                    found |= new
                    waiting += new
    return found


@given(drawn())
def test_regions_are_what_borders_part(given_: tuple[BoardDraft, list[str]]) -> None:
    draft, rows = given_
    Regions().read(FileLines(rows), draft)
    board = draft.board()
    plain = BoardDraft("plain", draft.height, draft.width)
    borders_as(*Regions().drawn).read(FileLines(rows), plain)
    edges = set(plain.layer("edge"))
    assert [line.split() for line in Regions().write(board)] == [line.split() for line in rows]
    if not edges:
        assert not board.layers
        return
    region = board.layer("region")
    for cell in [cell for row in cell_rows(draft) for cell in row]:
        same = {other for other in region if region[other] == region[cell]}
        assert same == _connected(draft, edges, cell)
    assert set(board.layer("loose")) == {pair for pair in edges if region[pair[0]] == region[pair[1]]}
