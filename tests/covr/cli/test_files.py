"""`covr solve -o`, `--theme`, `--puzzle`: which file is written, and what is said where it can't be."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import covr
from covr.draw import book as files
from covr.draw.book import Shown
from tests.constants import Constants
from tests.covr.command import run


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_sheet_shows_all_answers() -> None:
    result = run("solve", "scott", "--all", "-o", "sheet.svg")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "wrote sheet.svg (65 answers)" in result.stderr and "65 solutions" in result.stderr
    assert Path("sheet.svg").read_text(encoding="utf-8").count('class="answer"') == 65
    assert os.listdir() == ["sheet.svg"], "nothing else is left behind"


def test_the_verdict_stays_on_standard_output() -> None:
    assert run("solve", "sudoku", "--unique", "-o", "s.html").stdout == "unique\n"
    assert run("solve", "crew", "-o", "c.svg").stdout == "minimum 18, proved\n"


def test_no_picture_is_written_without_an_answer() -> None:
    result = run("solve", "queens", "-D", "n=3", "-o", "q.svg")
    assert (result.exit_code, result.stdout) == (1, "no solution\n")
    assert not Path("q.svg").exists()


def test_json_is_printed_while_a_picture_is_written() -> None:
    result = run("solve", "queens", "-n", "2", "--json", "-o", "q.svg")
    assert result.stdout.count('"type": "solution"') == 2
    assert Path("q.svg").exists()


LISTED = 'choose a(x) for x in 1..3\nexactly 2 a\n{given}choose b(y) for y in {{"u"}}\nshow y of b\n'


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "none of the 4 choices is given"),
        ("given a(2)\ngiven a(1)\n", "a(1)\na(2)"),
        ('given b("u")\n', "u"),
    ],
)
def test_the_puzzle_of_a_model_that_shows_lists_says_what_is_given(given: str, said: str) -> None:
    Path("listed.cover").write_text(LISTED.format(given=given), encoding="utf-8")
    assert run("solve", "listed.cover", "--puzzle").stdout == said + "\n"
    assert run("solve", "listed.cover", "--puzzle", "-o", "p.svg").exit_code == 0
    assert all(f">{line}<" in Path("p.svg").read_text(encoding="utf-8") for line in said.split("\n"))


def test_a_puzzle_without_givens_is_told_in_words() -> None:
    Path("listed.cover").write_text("choose a(x) for x in 1..1\n", encoding="utf-8")
    assert run("solve", "listed.cover", "--puzzle").stdout == "the only choice is not given\n"


def test_the_puzzle_is_shown_alone() -> None:
    result = run("solve", "sudoku", "--puzzle")
    assert result.exit_code == 0 and "| 5 3 . | . 7 . | . . . |" in result.stdout
    assert run("solve", "sudoku", "--puzzle", "-o", "p.svg", "--theme", "print").exit_code == 0
    ElementTree.parse("p.svg")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["-o", "out.gif"], "E520"),
        (["-o", "out"], "E520"),
        (["-o", "nowhere/out.svg"], "there is no such folder"),
        (["-o", "out.svg", "--theme", "dusk"], "there is no theme `dusk`"),
        (["-o", "out.svg", "--theme", "drak"], "did you mean `dark`?"),
        (["--puzzle", "--json"], "exclude each other"),
        (["--each", "n=x", "-o", "out.svg"], "goes with neither"),
    ],
)
def test_wrong_usage_writes_no_file(args: list[str], said: str) -> None:
    result = run("solve", "queens", *args)
    assert result.exit_code == 2 and said in result.stderr
    assert not os.listdir()


def test_png_files_need_the_extra_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    result = run("solve", "queens", "-o", "q.png")
    assert result.exit_code == 2
    assert "a .png needs CairoSVG" in result.stderr and "pip install 'covr[pictures]'" in result.stderr


def test_png_and_pdf_files_are_written() -> None:
    try:
        import cairosvg  # noqa: F401
    except (ImportError, OSError):
        pytest.skip("CairoSVG is not installed: pip install 'covr[pictures]'")
    assert run("solve", "queens", "-o", "q.png").exit_code == 0
    assert run("solve", "queens", "-o", "q.PDF").exit_code == 0
    assert Path("q.png").read_bytes().startswith(b"\x89PNG") and Path("q.PDF").read_bytes().startswith(b"%PDF")


def test_a_picture_that_fails_leaves_the_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = covr.load("queens").solve()
    assert answer is not None
    Path("q.svg").write_text("old")
    Path("q.svg").chmod(0o640)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", lambda a, b: full(0))
        with pytest.raises(covr.ModelErrors, match="no space left"):
            answer.save("q.svg")
    assert Path("q.svg").read_text() == "old" and os.listdir() == ["q.svg"]
    answer.save("q.svg")
    assert Path("q.svg").read_text() == answer.svg()
    assert Path("q.svg").stat().st_mode & 0o777 == 0o640


def test_many_answers_are_capped(constants: Constants) -> None:
    constants("covr.output.writers", MOST_ANSWERS=3)
    result = run("solve", "queens", "--all", "-o", "q.svg")
    assert "the picture holds the first 3 of 92 answers" in result.stderr


def test_formats_are_the_table() -> None:
    made = files.FORMATS[".html"]([Shown(())], "x", "light")
    assert made.startswith(b"<!DOCTYPE html>")
