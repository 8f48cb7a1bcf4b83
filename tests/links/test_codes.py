"""What a code writes it reads again, and no damage to an address is more than a fault that is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.links.address_parts import TRIPLACE_ADDRESS
from covr.links.codes import (
    ARROWED,
    BITS,
    COMPASSES,
    DECIMALS,
    DOTS,
    DOUBLES,
    FULL,
    GAPS,
    NUMBERS,
    SPARSE,
    TREES,
    TRIPLES,
    Letters,
    RowCode,
)
from covr.links.file import read_address, write_address
from covr.links.places import Board, BoardDraft, LinkFault
from covr.links.table import kinds
from tests.shared import IN_GATE

LARGE = st.one_of(st.integers(0, 20), st.integers(0, 100_000), st.just("?"))
ARROW = st.tuples(st.sampled_from(["", "^", "v", "<", ">"]), st.one_of(st.integers(0, 4095), st.just("?")))
COMPASS = st.one_of(st.tuples(LARGE, LARGE, LARGE, LARGE), st.just("#"))
BLACK = st.one_of(
    st.tuples(st.integers(0, 255), st.integers(0, 255)),
    st.tuples(st.just(-1), st.integers(-1, 34)),
    st.tuples(st.integers(0, 34), st.just(-1)),
)
CODES: dict[str, tuple[RowCode, Any]] = {
    "numbers": (NUMBERS, LARGE),
    "decimals": (DECIMALS, st.one_of(st.integers(0, 9), st.just("?"))),
    "sparse": (SPARSE, st.one_of(st.integers(0, 4), st.just("?"))),
    "arrowed": (ARROWED, ARROW),
    "triples": (TRIPLES, st.integers(1, 2)),
    "bits": (BITS, st.just(1)),
    "gaps": (GAPS, st.just(1)),
    "trees": (TREES, st.just(1)),
    "dots": (DOTS, st.integers(1, 2)),
    "compasses": (COMPASSES, COMPASS),
    "triplace": (TRIPLACE_ADDRESS.pairs, BLACK),
    "full": (FULL, st.one_of(st.integers(0, 1295), st.just("?"))),
}


def _rows(value: Any) -> Any:
    """Rows that are mostly blank, so that runs of blanks are long."""
    spans = st.tuples(st.integers(0, 60), st.lists(value, max_size=4))
    return st.lists(spans, max_size=5).map(lambda found: [x for blanks, row in found for x in [*[None] * blanks, *row]])


@pytest.mark.parametrize("name", CODES)
@given(data=st.data())
def test_a_code_reads_what_it_writes(name: str, data: st.DataObject) -> None:
    code, value = CODES[name]
    row: Sequence[Any] = data.draw(_rows(value))
    letters = Letters(code.write(row) + "!")
    assert code.read(letters, len(row)) == row
    assert letters.peek() == "!"


@given(row=st.lists(st.integers(0, 1023), max_size=20))
def test_a_row_of_numbers_without_blanks_comes_back(row: list[int]) -> None:
    letters = Letters(DOUBLES.write(row) + "!")
    assert DOUBLES.read(letters, len(row)) == row
    assert letters.peek() == "!"


@pytest.mark.parametrize("name", CODES)
@given(text=st.text("0123456789abcdefghijklmnopqrstuvwxyz.-+=%@*$/", max_size=30), count=st.integers(0, 40))
def test_a_damaged_text_is_a_fault_or_a_row(name: str, text: str, count: int) -> None:
    try:
        row = CODES[name][0].read(Letters(text), count)
    except LinkFault:
        return
    assert len(row) == count


@pytest.mark.parametrize("name", kinds())
@settings(max_examples=2 if IN_GATE else 100)  # most codes are shared by many kinds
@given(body=st.text("0123456789abcdefghijklmnopqrstuvwxyz.-+=%@*$/", max_size=40), size=st.integers(1, 6))
def test_a_damaged_address_is_a_fault_or_a_board_that_is_written_again(name: str, body: str, size: int) -> None:
    kind = kinds()[name]
    try:
        board = read_address(f"{size}/4/{body}", kind)
        again = write_address(board, kind)
    except LinkFault:
        return
    assert isinstance(board, Board)
    assert read_address(again.partition("?")[2].partition("/")[2], kind) == board


@pytest.mark.parametrize("size", ["1000000000/1000000000", "0/5", "101/100", "99999999999/1"])
def test_a_board_of_no_size_or_of_a_huge_one_is_refused(size: str) -> None:
    with pytest.raises(LinkFault):
        read_address(f"{size}/g", kinds()["slither"])
    with pytest.raises(LinkFault):
        BoardDraft("slither", 101, 100)
