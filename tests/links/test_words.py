"""The title, the author and the rules of a sudoku come back from the comments above its model."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import covr
from covr.cli.group import cli
from covr.links.file import MOST_WORDS, WIDTH, read_linked, words_in, words_of
from covr.links.fpuzzles import compress
from covr.links.places import Board, Place, Value
from tests.links.sudoku_links import OWN, PAD, packed, puzzle

RULES = (
    "Normal sudoku rules apply. " + "Digits along a thermometer increase from the bulb. " * 5 + "\n\n"
    "# Not a heading: a line\ntitle: not the title\n- one\n- two"
)
SAID = {"title": "It's mine: #1", "author": "me, and you", "ruleset": RULES.replace("bulb. \n", "bulb.\n")}


def _board(said: dict[str, str]) -> Board:
    layer: dict[Place, Value] = {(name,): text for name, text in said.items() if text}
    return Board("sudoku_variants", 4, 4, "", {"said": layer})


def _usual(said: dict[str, str]) -> dict[Place, Value]:
    """Words as comments can hold them: no space round a line, and a title and an author in one line."""
    found = {name: "\n".join(map(str.strip, text.split("\n"))).strip("\n") for name, text in said.items()}
    found = {name: text if name == "ruleset" else " ".join(text.split("\n")) for name, text in found.items()}
    return {(name,): text for name, text in found.items() if text}


words = st.text(st.sampled_from("ab #:'\"\\\n-{}é\N{IDEOGRAPHIC SPACE}x"), max_size=40) | st.just("title: a\nrules: b")
long = st.lists(st.sampled_from(["word", "a", "#", "  ", "title:", "x" * 200, "\n"]), max_size=80).map(" ".join)


@given(st.fixed_dictionaries({"title": words, "author": words, "ruleset": words | long}))
def test_what_is_written_above_a_model_is_read_again(said: dict[str, str]) -> None:
    written = words_of(_board(said))
    once = words_in(written)
    assert words_in(words_of(Board("", 4, 4, "", {"said": once}))) == once
    assert all(line.startswith("#") for line in written.split("\n")[:-1])
    joined = {place: " ".join(str(text).split()) for place, text in once.items()}
    assert joined == {place: " ".join(str(text).split()) for place, text in _usual(said).items()}


def test_a_text_that_any_page_can_show_comes_back_to_the_letter() -> None:
    said = {name: text.strip() for name, text in SAID.items()}
    written = words_of(_board(said))
    assert words_in(written) == _usual(said) == {(name,): text for name, text in said.items()}
    assert max(map(len, written.split("\n"))) <= WIDTH + 2
    assert words_in(words_of(_board({"title": "a" * (MOST_WORDS + 9)})))["title",] == "a" * MOST_WORDS
    assert words_in("# mine\n# title: a\n\n# author: b\n") == {("title",): "a"}, "a comment further down is none"
    assert words_of(_board({"title": "a\x1b[2Jb\u202ec"})) == "# title: a [2Jb c\n"


@pytest.mark.parametrize("site", ["f-puzzles", "sudokupad", "sudokupad's own"])
def test_words_are_kept_from_a_link_to_a_model_and_back(site: str, tmp_path: Path) -> None:
    said = {name: text.strip() for name, text in SAID.items()}
    link = packed(puzzle(**said, antiknight=True))
    if site == "sudokupad":
        link = f"{PAD}fpuz{link.partition('?load=')[2]}"
    elif site == "sudokupad's own":
        rules, title = (said[name].replace("'", "\\'").replace("\n", "\\n") for name in ("ruleset", "title"))
        metadata = f"metadata:{{t:'{title}',author:'me, and you',rules:'{rules}'}}"
        own = OWN.replace("{cs:50", "{" + metadata + ",cs:50").replace(_TITLE, "")
        link = f"{PAD}scl{compress(own)}"
    model = tmp_path / "my.cover"
    assert CliRunner().invoke(cli, ["convert", link, str(model)]).exit_code == 0
    back = CliRunner().invoke(cli, ["convert", str(model), "--to", "f-puzzles"]).stdout.strip()
    assert read_linked(back).board == read_linked(link).board
    assert read_linked(back).board.layer("said") == {(name,): text for name, text in said.items()}
    assert covr.load(model).problem == covr.load(link).problem


_TITLE = ",{v:'title: It\\'s mine'}"


def test_words_that_stand_elsewhere_in_sudokupads_own_form_are_read() -> None:
    for text in (
        OWN.replace(_TITLE, "").replace("{cs:50", "{t:'Mine',author:'me',cs:50"),
        OWN.replace(_TITLE, ",{v:'title: Mine'},{v:'author: me'}"),
        '{"cells":[[{},{}],[{},{}]],"metadata":{"title":"Mine","author":"me","rules":""}}',
    ):
        said = read_linked(f"{PAD}scl{compress(text)}").board.layer("said")
        assert said == {("title",): "Mine", ("author",): "me"}
    own = OWN.replace("{cs:50", "{metadata:{t:2024},cs:50").replace(_TITLE, "")
    year = read_linked(f"{PAD}scl{compress(own)}")
    assert year.board.layer("said") == {("title",): "2024"}


def test_a_usual_sudoku_keeps_what_its_writer_said_of_it(tmp_path: Path) -> None:
    model = tmp_path / "mine.cover"
    model.write_text(
        "# title: Mine\n# rules: the usual ones,\n#   and no more\n" + covr.gallery()["sudoku"].read_text()
    )
    link = CliRunner().invoke(cli, ["convert", str(model), "--to", "f-puzzles"]).stdout.strip()
    found = read_linked(link).board.layer("said")
    assert found == {("title",): "Mine", ("ruleset",): "the usual ones, and no more"}
    for form in ("puzz.link", "penpa", "pzprv3"):
        assert CliRunner().invoke(cli, ["convert", str(model), "--to", form]).exit_code == 0
