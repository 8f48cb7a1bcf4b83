"""Files as the site saves them today, and what opens there: small ones made by hand, and boards of all kinds."""

from __future__ import annotations

from random import Random

import pytest

from covr.explain.drawn_answer import is_answer
from covr.links.file import read_address, read_linked, write_address, write_file
from covr.links.places import LinkFault
from covr.links.table import Kind, kinds
from tests.each import each
from tests.links.forms import boards_of
from tests.links.published import compiled_for

# A file as the site saves it, and the address of the same puzzle there.
SAVED = {
    "pzprv3.1/lits/2/3/1 0 /0 1 /0 1 0 /. . . /. . . /": "lits/3/2/i8",
    "pzprv3.1/norinori/1/2/1 /# # /": "norinori/2/1/g",
    "pzprv3.1/hinge/2/2/1 /0 /1 0 /2 . /. . /. . /. . /": "hinge/2/2/gg2g",
    "pzprv3.1/chocona/2/2/1 /1 /0 0 /0 - /. . /. . /. . /": "chocona/2/2/o00.",
    "pzprv3.2/country/2/2//1 /0 /1 0 /. 3 /. . /0 /0 /0 0 /0 0 /0 0 /": "country/2/2/ggg3",
    "pzprv3.1/country/2/2//2/0 0 /1 1 /2 . /. . /0 /0 /0 0 /0 0 /0 0 /": "country/2/2/0o2g",
    "pzprv3/country/2/2/2/0 0 /1 1 /2 . /. . /0 /0 /0 0 /0 0 /0 0 /": "country/2/2/0o2g",
    "pzprv3/castle/1/3/0,-1,0 3,0,2 0,-,0 /0 0 /": "castle/3/1/a23000./",
    "pzprv3/suguru/3/1////1 /0 /. /. /1 /. /. /. /": "suguru/1/3/gh1",
    "pzprv3.1/slither/2/1/2 /. /0 /0 /0 0 /0 0 /0 /0 /0 /": "slither/1/2/c",
    "pzprv3/kakuro/1/2/0 -1 5 /-1 -1,-1 . /. . /": "kakuro/2/1/.k5",
    "pzprv3/nonogram/2/2/. . 2 /-2 . . /1 . . /": "nonogram/2/2/g2.1",
    "pzprv3/kropki/2/2/1 /0 /0 2 /. . /. . /": "kropki/2/2/9i",
}  # fmt: skip


@pytest.mark.parametrize("file", SAVED)
def test_a_file_as_the_site_saves_it_is_read(file: str) -> None:
    saved, linked = read_linked(file), read_linked("https://puzz.link/p?" + SAVED[file])
    assert write_address(saved.board, saved.kind) == write_address(linked.board, linked.kind)
    assert saved.kind.params(saved.board).keys() == linked.kind.params(linked.board).keys()
    assert read_linked(write_file(linked.board, linked.kind)).board == linked.board


def _written(link: str) -> list[str]:
    linked = read_linked("https://puzz.link/p?" + link)
    return write_file(linked.board, linked.kind).split("\n")


def test_what_is_written_has_the_lines_that_the_site_reads() -> None:
    assert _written("country/2/2/ggg3")[:6] == ["pzprv3.2", "country", "2", "2", "", "1"]
    assert _written("lits/3/2/i8")[0] == "pzprv3.1"
    assert _written("suguru/1/3/o1h")[4:9] == ["", "", "", "1", "1"]  # a row of no borders for each square
    assert _written("castle/2/1/b")[4] == "0,-1,0 0,-1,0"
    assert _written("kakuro/2/1/.k5")[4:6] == ["0 -1 5", "-1 -1,-1 ."]


@pytest.mark.parametrize("link", ["familyphoto/2/2/00h0", "arukone/2/2/0h0", "minarism/2/2/0k"])
def test_a_puzzle_that_no_file_can_say_is_not_written(link: str) -> None:
    linked = read_linked("https://puzz.link/p?" + link)
    with pytest.raises(LinkFault):
        write_file(linked.board, linked.kind)


@each("kind", [kind for kind in kinds().values() if kind.file])
def test_every_form_comes_back_from_its_address_and_its_file(kind: Kind) -> None:
    """From the address as it was; from the file, what the params are told, or the file is refused."""
    random = Random(kind.name)
    for board in boards_of(kind, random, 12):
        address = write_address(board, kind)
        again = read_address(address.partition("?")[2].partition("/")[2], kind)
        assert write_address(read_linked(address).board, kind) == write_address(again, kind)
        try:
            file = read_linked(write_file(again, kind)).board
            params = kind.params(again)
        except LinkFault:
            continue
        assert kind.params(file) == params
    assert board.kind == kind.name


KEYWEST = "pzprv3/keywest/1/3/1 . . /1 1 /. {} 1 /"


@pytest.mark.parametrize(("number", "right"), [(".", True), ("2", True), ("1", False)])
def test_numbers_that_follow_from_bridges_may_be_left_out(number: str, right: bool) -> None:
    linked = read_linked(KEYWEST.format(number))
    assert is_answer(compiled_for(linked.kind, linked.board), linked.board, linked.kind) == right
