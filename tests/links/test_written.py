"""A model with a board is written as the link or file that it came from."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import covr
from covr.cli.group import cli
from covr.dsl.diagnostics import ModelErrors
from covr.inputs.as_link import PUZZ_LINK, PZPRV3, linked_from, written
from covr.inputs.library import find_linked, linked_in
from covr.links.file import kind_name, read_address, read_linked, write_address
from covr.links.fpuzzles import board_of_json, write_fpuzzles
from covr.links.inverse import board_of
from covr.links.table import kinds
from tests.each import each
from tests.links.published import published
from tests.shared import examples

LINK = "https://puzz.link/p?slither/5/5/cbcbcddad"


@cache
def _back(name: str) -> bool:
    """Whether the board of the published puzzle of a kind comes back from its params."""
    kind = kinds()[name]
    address = f"https://puzz.link/p?{kind.name}/{published()[kind.name]['url']}"
    board = read_address(kind_name(address)[1], kind)
    found = board_of(kind, kind.params(board))
    return write_address(found, kind) == write_address(board, kind)


@each("name", kinds())
def test_params_are_the_board_again(name: str) -> None:
    assert _back(name)


# A kind for each way in which params say where something stands: grids, flags, rooms with numbers, margins, deep ones,
# numbers beside black squares, a count, a fleet, borders, corners, several numbers in a square.
SORTS = (
    "slither", "mashu", "heyawake", "tents", "nonogram", "kakuro", "starbattle", "battleship", "kropki", "creek",
    "skyscrapers", "yajilin", "tapa",
)  # fmt: skip


@pytest.mark.parametrize("name", SORTS)
def test_a_model_is_written_as_the_link_that_it_was(name: str, tmp_path: Path) -> None:
    address = f"https://puzz.link/p?{name}/{published()[name]['url']}"
    out = tmp_path / "my.cover"
    assert CliRunner().invoke(cli, ["convert", address, str(out)]).exit_code == 0
    result = CliRunner().invoke(cli, ["convert", str(out), "--to", "puzz.link"])
    assert result.exit_code == 0, result.stderr
    assert result.stdout.strip().rstrip("/") == address.rstrip("/")
    result = CliRunner().invoke(cli, ["convert", str(out), "--to", "pzprv3"])
    assert write_address(read_linked(result.stdout).board, kinds()[name]).rstrip("/") == address.rstrip("/")


@settings(max_examples=examples(15))
@given(rows=st.lists(st.text(".0123", min_size=3, max_size=3), min_size=2, max_size=4), full=st.booleans())
def test_any_board_of_a_model_is_read_again_as_it_was_drawn(rows: list[str], full: bool) -> None:
    model = covr.load("slitherlink", clue="\n".join(rows), full=int(full))
    again = covr.load(written(linked_from(model.compiled), PUZZ_LINK).strip())
    assert (again.params["clue"], again.params["full"]) == (model.params["clue"], model.params["full"])
    assert again.problem == model.problem


def test_a_link_is_written_as_another_with_what_is_drawn() -> None:
    file = "pzprv3/sudoku/4/. 1 . . /. . . 2 /3 . . . /. . 3 . /2 . 4 3 /. . . . /. . . . /. . . . /"
    result = CliRunner().invoke(cli, ["convert", file, "-", "--to", "pzprv3"])
    assert read_linked(result.stdout) == read_linked(file)
    result = CliRunner().invoke(cli, ["convert", file, "--to", "puzz.link"])
    assert result.stdout == "https://puzz.link/p?sudoku/4/4/g1k23k3g\n"


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("queens", "its rules are not those of any kind"),
        ("changed", "its rules are not those of any kind"),
        ("large", "is not one of the numbers from 0 to 4"),
        ("dlx", "it is a matrix"),
    ],
)
def test_what_no_link_can_hold_is_refused(model: str, told: str, tmp_path: Path) -> None:
    text = (covr.gallery()["slitherlink"]).read_text()
    files = {
        "changed": text.replace("exactly times draw per x in e", "at most 2 draw per x in e"),
        "large": text.replace("3", "7", 1).replace("expect", "# expect"),
    }
    name = model
    if model in files:
        name = str(tmp_path / "slitherlink.cover")
        Path(name).write_text(files[model])
    if model == "dlx":
        name = str(tmp_path / "m.dlx")
        Path(name).write_text("a b\na\nb\n")
    result = CliRunner().invoke(cli, ["convert", name, "--to", "puzz.link"])
    assert result.exit_code == 2
    assert result.stderr.startswith("error[E603]") and told in result.stderr


def test_another_title_and_another_picture_do_not_matter(tmp_path: Path) -> None:
    out = tmp_path / "my.cover"
    CliRunner().invoke(cli, ["convert", LINK, str(out)])
    out.write_text(out.read_text().replace('title "', 'title "My ', 1) + "\nprint 1 at 1, 1\n# mine\n")
    assert CliRunner().invoke(cli, ["convert", str(out), "--to", "puzz.link"]).stdout.strip() == LINK


def test_a_matrix_and_a_model_are_no_links() -> None:
    assert find_linked("queens") is None and find_linked("README.md") is None
    with pytest.raises(ModelErrors):
        linked_in("https://puzz.link/p?slither/5/5/cb!")


def test_a_file_form_ends_with_a_newline() -> None:
    linked = linked_in(LINK)
    assert written(linked, PZPRV3).endswith("\n") and written(linked, PUZZ_LINK).endswith("\n")


def test_puzzles_that_are_made_are_links() -> None:
    asked = ["make", "sudoku", "-n", "2", "--seed", "1", "-D", "box=2", "-D", "clue=" + "." * 16]
    result = CliRunner().invoke(cli, [*asked, "--links"])
    lines = CliRunner().invoke(cli, asked).stdout
    links = result.stdout.splitlines()
    assert len(links) == len(lines.splitlines()) == 2
    for link, line in zip(links, lines.splitlines(), strict=True):
        clue = {place for place, value in enumerate(line) if value != "."}
        assert {4 * (r - 1) + c - 1 for r, c in read_linked(link).board.layer("clue")} == clue
        assert covr.load(link).unique()
    assert CliRunner().invoke(cli, ["make", "queens", "--links"]).exit_code == 2
    assert CliRunner().invoke(cli, ["make", "sudoku", "--links", "--json"]).exit_code == 2


def test_sudokus_are_written_for_f_puzzles(tmp_path: Path) -> None:
    """A plain sudoku, a link of one, and a model with all that setters add, which is also what `covr.link` gives."""
    plain = _converted("sudoku", "--to", "f-puzzles")
    assert str(covr.load(plain).solve()).splitlines()[1:] == str(covr.load("sudoku").solve()).splitlines()[1:]
    assert _converted("https://puzz.link/p?sudoku/4/4/g1k23k3g", "--to", "fpuzzles") != plain
    puzzle = {"size": 6, "grid": [[{} for _ in range(6)] for _ in range(6)], "antiknight": True}
    puzzle["thermometer"] = [{"lines": [["R2C5", "R1C5", "R2C6"]]}]
    address = write_fpuzzles(board_of_json(puzzle))
    model = tmp_path / "my.cover"
    assert CliRunner().invoke(cli, ["convert", address, str(model)]).exit_code == 0
    assert _converted(str(model), "--to", "f-puzzles") == address == covr.link(address).address
    assert _converted(address, "--to", "f-puzzles") == address


def _converted(*words: str) -> str:
    result = CliRunner().invoke(cli, ["convert", *words])
    assert result.exit_code == 0, result.stderr
    return result.stdout.strip()


@pytest.mark.parametrize(
    ("model", "told"),
    [("slitherlink", "it holds sudokus, and this is `slither`"), ("queens", "its rules are not those")],
)
def test_what_is_no_sudoku_is_no_link_of_f_puzzles(model: str, told: str) -> None:
    result = CliRunner().invoke(cli, ["convert", model, "--to", "f-puzzles"])
    assert result.exit_code == 2 and "E603" in result.stderr and told in result.stderr


def test_what_comes_by_a_pipe_is_checked_and_converted_like_a_file() -> None:
    file = "pzprv3/sudoku/4/. 1 . . /. . . 2 /3 . . . /. . 3 . /2 . 4 3 /4 3 1 . /. . . . /. . . . /"
    for text in (file, LINK, "choose a(i) for i in 1..3\nexactly one a\nexpect 3 solutions\n"):
        piped = CliRunner().invoke(cli, ["check", "-"], input=text)
        named = CliRunner().invoke(cli, ["check", text]) if text != LINK and "choose" not in text else None
        assert piped.exit_code == (3 if text == file else 0), piped.stderr
        assert named is None or piped.stdout.partition(": ")[2] == named.stdout
    piped = CliRunner().invoke(cli, ["convert", "-", "--to", "pzprv3"], input=LINK)
    assert piped.stdout.strip() == _converted(LINK, "--to", "pzprv3")
    piped = CliRunner().invoke(cli, ["convert", "-", "--to", "puzz.link"], input=covr.gallery()["sudoku"].read_text())
    assert piped.stdout.strip() == _converted("sudoku", "--to", "puzz.link")


def test_of_a_link_it_is_not_said_what_the_puzzle_has_not() -> None:
    result = CliRunner().invoke(cli, ["check", _converted("sudoku", "--to", "f-puzzles")])
    assert result.exit_code == 0 and "W20" not in result.stderr and "no errors" in result.stdout
