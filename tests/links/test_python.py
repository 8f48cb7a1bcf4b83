"""`covr.link`: a link, a file or a model as a puzzle."""

from __future__ import annotations

from pathlib import Path

import pytest

import covr

LINK = "https://puzz.link/p?slither/5/5/cbcbcddad"
FILE = "pzprv3/sudoku/4/. 1 . . /. . . 2 /3 . . . /. . 3 . /{} . . . /. . . . /. . . . /. . . . /"


def test_a_link_is_its_model_and_a_model_its_link(tmp_path: Path) -> None:
    puzzle = covr.link(LINK)
    assert (puzzle.kind, puzzle.size, str(puzzle), puzzle.address) == ("slither", (5, 5), LINK, LINK)
    assert covr.link(puzzle.load()) == puzzle == covr.link(puzzle.file)
    assert puzzle.load().problem == covr.load(LINK).problem
    assert not puzzle.is_drawn and puzzle.check().verdict == "unfinished"
    path = tmp_path / "a.txt"
    path.write_text(puzzle.file)
    assert covr.link(path) == puzzle != covr.link(FILE.format("."))


@pytest.mark.parametrize(("digit", "verdict"), [("2", "unfinished"), ("1", "wrong"), ("7", "wrong")])
def test_what_is_drawn_is_checked(digit: str, verdict: str) -> None:
    puzzle = covr.link(FILE.format(digit))
    assert puzzle.is_drawn and puzzle.check().verdict == verdict
    assert (puzzle.check().places == ("r1c1",)) == (verdict == "wrong")
    assert puzzle.check(limit_nodes=0).verdict in ("unknown", "wrong")


def test_what_is_no_link_is_refused() -> None:
    for source in ("sudoku", "README.md", "https://puzz.link/p?slither/5/5/cb!", covr.load("queens")):
        with pytest.raises(covr.ModelErrors):
            covr.link(source)
    with pytest.raises(covr.ModelErrors):
        covr.link("https://puzz.link/p?sudoku/6/6/zp").load()
