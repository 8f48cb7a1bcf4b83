"""Borders that were drawn between regions are read, and the same borders are written again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from covr.links.file_parts import Edges, FileLines
from covr.links.places import BoardDraft, border_rows, cell_rows


@st.composite
def drawn(draw: st.DrawFn) -> tuple[BoardDraft, list[list[str]]]:
    """An empty board of a few squares, with the words of a file that say which borders are drawn."""
    draft = BoardDraft("drawn", draw(st.integers(1, 4)), draw(st.integers(1, 4)))
    word = st.sampled_from(["0", "1"])
    return draft, [[draw(word) for _ in places] for places in border_rows(draft)]


@given(drawn(), st.sets(st.tuples(st.integers(1, 4), st.integers(1, 4))))
def test_borders_that_are_not_beside_holes_are_kept(
    found: tuple[BoardDraft, list[list[str]]], holes: set[object]
) -> None:
    draft, rows = found
    part = Edges(holes=lambda _: holes)  # type: ignore[arg-type,return-value]
    part.read(FileLines([" ".join(row) for row in rows]), draft)
    places = [list(row) for row in border_rows(draft)]
    kept = [
        ["0" if holes & set(place) else word for place, word in zip(*both, strict=True)]
        for both in zip(places, rows, strict=True)
    ]
    assert [line.split() for line in part.write(draft.board())] == kept


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_numbers_in_all_squares_tell_the_borders(high: int, wide: int, data: st.DataObject) -> None:
    draft = BoardDraft("drawn", high, wide)
    squares = [cell for row in cell_rows(draft) for cell in row]
    number = {cell: data.draw(st.integers(1, 3)) for cell in squares}
    some = data.draw(st.sets(st.sampled_from(squares)))
    draft.layer("clue").update({cell: number[cell] for cell in some})
    draft.layer("number").update({cell: number[cell] for cell in squares if cell not in some})
    nothing = [" ".join("0" for _ in row) for row in border_rows(draft)]
    Edges(filled=True).read(FileLines(nothing), draft)
    unlike = {pair for row in border_rows(draft) for pair in row if number[pair[0]] != number[pair[1]]}
    assert set(draft.layer("edge")) == unlike
