"""Every kind of the table is held to the boards of the site where it is published."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.dsl.diagnostics import ModelErrors
from covr.explain.drawn_answer import drawn_by, drawn_on, is_answer
from covr.links import kinds as package
from covr.links.file import file_kind, kind_name, read_address, read_file, read_linked, write_address, write_file
from covr.links.places import LinkFault
from covr.links.table import Kind, kinds
from tests.each import each
from tests.links.published import NOT_JUDGED, answers, boards, compiled_for, each_kind, published, some_boards
from tests.shared import IN_GATE

pytestmark = pytest.mark.long

SIGNS = "0123456789abcdgz./-+ ,?#"
EVERY = each_kind()
# In the gate, boards of every other kind are solved, and those of the others judged.
OF_A_KIND = 2 if IN_GATE else 100  # damaged links of each kind: most codes are shared by many kinds
SOME, OTHERS = (each_kind(2), each_kind(2, 1)) if IN_GATE else (EVERY, EVERY)


def _address(kind: Kind) -> str:
    return f"https://puzz.link/p?{kind.name}/{published()[kind.name]['url']}"


@each("kind", kinds().values())
def test_what_is_read_is_written_again(kind: Kind) -> None:
    address = _address(kind)
    board = read_address(kind_name(address)[1], kind)
    assert write_address(board, kind).rstrip("/") == address.rstrip("/")
    for _, drawn in boards(kind):
        name, version, after = file_kind(write_file(drawn, kind))
        assert (name, read_file(version, after, kind)) == (kind.name, drawn)


@SOME
def test_the_puzzle_has_the_answers_that_right_boards_show(kind: Kind) -> None:
    board = read_address(kind_name(_address(kind))[1], kind)
    compiled = compiled_for(kind, board)
    found = {drawn_by(compiled, answer, board, kind) for answer in answers(compiled)}
    asked = kind.params(board)
    right = {drawn_on(drawn, kind) for code, drawn in boards(kind) if code is None and kind.params(drawn) == asked}
    assert right
    assert found == right


@OTHERS
def test_right_boards_are_answers_and_wrong_ones_are_none(kind: Kind, slow: bool) -> None:
    for code, drawn in some_boards(kind, slow):
        if code in NOT_JUDGED.get(kind.name, ()) or (code is not None and not drawn_on(drawn, kind)):
            continue
        try:
            compiled = compiled_for(kind, drawn)
        except (LinkFault, ModelErrors):
            assert code is not None, "a board with a right answer is refused"
            continue
        assert is_answer(compiled, drawn, kind) == (code is None), code


@EVERY
@settings(max_examples=OF_A_KIND)
@given(st.integers(0, 20), st.lists(st.integers(0, 400), min_size=1, max_size=3), st.text(SIGNS, max_size=3))
def test_a_damaged_puzzle_is_one_fault_or_another_puzzle(kind: Kind, number: int, places: list[int], new: str) -> None:
    texts = [_address(kind), *(text for _, text in published()[kind.name]["boards"])]
    text = texts[number % len(texts)]
    for place in places:
        at = place % len(text)
        text = text[:at] + new + text[at + 1 :]
    try:
        linked = read_linked(text)
        params = linked.kind.params(linked.board)
    except LinkFault:
        return
    assert params


def test_a_part_that_no_straight_ship_has_is_refused() -> None:
    linked = read_linked("https://puzz.link/p?battleship/2/2/j7i//c")
    with pytest.raises(LinkFault, match="shows a part of a ship 7"):
        linked.kind.params(linked.board)


def test_every_kind_has_one_row_and_names_of_its_own() -> None:
    genres = [import_module(f"{package.__name__}.{module.name}") for module in iter_modules(package.__path__)]
    rows = {id(one): one for genre in genres for one in vars(genre).values() if isinstance(one, Kind)}.values()
    assert sorted(row.name for row in rows) == sorted(kinds())
    names = [name for row in rows for name in (row.name, *row.aliases)]
    assert sorted(names) == sorted({*names})
