"""Models of the gallery are read and copied; names that are nearly right are understood."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from covr.inputs.library import gallery_files, gallery_names, shipped, std_names
from tests.covr.command import Covr, covr, write
from tests.shared import slowly

pytestmark = pytest.mark.long

__all__ = ["covr"]

# A copy of these is checked in every run, the others' with `--slow`: it has the text of the model, in which
# tests/compiler/test_review.py finds nothing to remark.
CHECKED = {"queens", "soma", "sudoku", "toy"}


@pytest.mark.parametrize("name", [slowly(name, name) for name in gallery_names()])
def test_a_model_of_the_gallery_is_printed_and_copied_as_it_is(covr: Covr, name: str, slow: bool) -> None:
    text = gallery_files()[name].read_text(encoding="utf-8")
    assert covr("show", name, "--source").stdout.rstrip("\n") == text.rstrip("\n")
    result = covr("new", "mine", "--like", name)
    first, *tables = result.stdout.splitlines()
    assert first == f"wrote mine.cover, a copy of {name}: try `covr solve mine.cover`"
    assert Path("mine.cover").read_text(encoding="utf-8") == text
    copied = {line.removeprefix("wrote ").removesuffix(", a table that it reads") for line in tables}
    assert copied == {file.name for file in Path().glob("*.csv")} == set(re.findall(r'table\("(\w+\.csv)"', text))
    for table in copied:
        assert Path(table).read_bytes() == gallery_files()[name].with_name(table).read_bytes()
    if slow or name in CHECKED:
        assert covr("check", "mine.cover").stdout == "mine.cover: no errors\n"


def test_a_file_is_never_overwritten(covr: Covr) -> None:
    write("mine.cover", 'title "mine"')
    assert "exists already" in covr("new", "mine", "--like", "toy").stderr
    assert Path("mine.cover").read_text() == 'title "mine"'


def test_a_model_that_is_not_there_is_not_copied(covr: Covr) -> None:
    result = covr("new", "mine", "--like", "sudoko")
    assert result.exit_code == 2 and "did you mean `sudoku`?" in result.stderr
    assert not Path("mine.cover").exists()


def test_source_goes_alone(covr: Covr) -> None:
    for option in (["--items"], ["--options"], ["-D", "n=3"]):
        assert covr("show", "queens", "--source", *option).exit_code == 2
    write("m.dlx", "a\na\n")
    assert "E604" in covr("show", "m.dlx", "--source").stderr
    assert covr("show", "-", "--source", input='title "x"').stdout == 'title "x"\n'


@pytest.mark.parametrize("name", std_names())
def test_a_library_is_printed(covr: Covr, name: str) -> None:
    library = shipped(name)
    assert library is not None
    text = library.read_text(encoding="utf-8")
    assert covr("show", name, "--source").stdout.rstrip("\n") == text.rstrip("\n")


@pytest.mark.parametrize(
    ("used", "help"),
    [
        ("std/somma", "did you mean `std/soma`?"),
        ("std/pentomino", "did you mean `std/pentominoes`?"),
        ("sdt/soma", "did you mean `std/soma`?"),
        ("std/nothing_like_it", "there are " + ", ".join(f"`{name}`" for name in std_names())),
        ("peices", "did you mean `pieces`?"),
        ("peices.cover", "did you mean `pieces.cover`?"),
        ("sub/mor", "did you mean `sub/more`?"),
        ("elsewhere/nothing", "a path is relative to the file that names it"),
    ],
)
def test_a_wrong_use_is_met_with_what_was_meant(covr: Covr, used: str, help: str) -> None:
    write("pieces.cover", "let a = 1")
    Path("sub").mkdir()
    write("sub/more.cover", "let b = 1")
    result = covr("check", write("m.cover", f'use "{used}"\n'))
    assert f"error[E009]: there is no library `{used}`" in result.stderr
    assert help in result.stderr


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("sudoko", "did you mean `sudoku`?"),
        ("sudoku.covr", "did you mean `sudoku`?"),
        ("std/sma", "did you mean `std/soma`?"),
        ("sub/mnie", "did you mean `sub/mine.cover`?"),
        ("sub/zzz", "there are `sub/mine.cover`, `sub/other.cover`"),
        ("nothing_like_it", "a model of the gallery: `covr gallery` lists them"),
    ],
)
def test_a_wrong_name_of_a_model_is_met_with_what_was_meant(covr: Covr, name: str, help: str) -> None:
    Path("sub").mkdir()
    write("sub/mine.cover", "let b = 1")
    write("sub/other.cover", "let b = 1")
    result = covr("solve", name)
    assert f"error[E501]: there is no model `{name}`" in result.stderr
    assert help in result.stderr
