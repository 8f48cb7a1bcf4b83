"""Booklets and sheets of `covr make`: pages, rules, links and codes, and solutions."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import covr
from covr.cli import make as puzzle_sheet
from covr.cli.make import PAPERS, byline
from covr.draw.book import Shown
from covr.draw.booklet import booklet
from covr.draw.elements import DrawnBlock
from covr.dsl.diagnostics import Source
from covr.dsl.format import rule_sheet
from tests.constants import Constants
from tests.covr.command import run
from tests.each import each


def test_the_clues_of_a_puzzle_are_marked_in_its_solution() -> None:
    """Only the clues are marked, and not the digits that the model itself gives."""
    (puzzle,) = covr.load("sudoku").make(1, seed=1)
    (board,) = puzzle.answer.pictures
    assert {m.option for m in board.marks if m.given} == {clue.number for clue in puzzle.clues}


def pages_of(file: Path) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", file.read_bytes()))


def test_a_booklet_has_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cairosvg")
    monkeypatch.chdir(tmp_path)
    made = run("make", "sudoku", "-D", "box=2", "-D", f"clue={'.' * 16}", "-n", "9", "--seed", "1", "-o", "a.pdf")
    assert made.exit_code == 0 and "wrote a.pdf (9 puzzles, then the solutions)" in made.stderr
    assert pages_of(tmp_path / "a.pdf") == 3 + 1
    words = ("--per-page", "2", "--paper", "letter", "--grade", "1")
    assert run("make", "sudoku", "-n", "3", "--seed", "1", *words, "-o", "b.pdf").exit_code == 0
    assert pages_of(tmp_path / "b.pdf") == 2 + 1
    refused = run("make", "sudoku", "--per-page", "2", "-o", "b.svg")
    assert refused.exit_code == 2 and "--per-page goes with" in refused.stderr


def test_pages_hold_every_puzzle_with_its_number_and_grade() -> None:
    puzzles = covr.load("sudoku", box=2, clue="." * 16).make(5, seed=1)
    shown = [Shown(p.pictures, f"{n} · {len(p)} clues") for n, p in enumerate(puzzles, 1)]
    solved = [Shown(p.answer.pictures, f"{n}") for n, p in enumerate(puzzles, 1)]
    pages = list(booklet(shown, solved, "Small < sudokus", "print", 2, PAPERS["a4"]))
    assert len(pages) == 3 + 1
    for n, page in enumerate(pages, 1):
        assert f">{n} / 4<" in page and ET.fromstring(page).get("viewBox") == "0 0 793.7 1122.5"
    assert "Small &lt; sudokus" in pages[0] and "Solutions" in pages[3] and "Solutions" not in pages[2]
    for n, puzzle in enumerate(puzzles):
        assert f"{n + 1} · {len(puzzle)} clues" in pages[n // 2]


def test_the_rules_stand_over_the_puzzles_and_the_page_is_filled() -> None:
    puzzles = list(covr.load("sudoku", box=2, clue="." * 16).make(4, seed=1))
    shown = [Shown(p.pictures, str(n)) for n, p in enumerate(puzzles, 1)]
    rules = "Every row, every column and every box holds each digit once. " * 4
    first, last = booklet(shown, shown, "Sudoku", "print", 4, PAPERS["a4"], rules=rules)
    said = [e.text or "" for e in ET.fromstring(first).iter() if e.get("class") == "rules"]
    assert len(said) > 1 and " ".join(said) == rules.strip() and "rules" not in last
    captions = [e for e in ET.fromstring(first).iter() if e.get("font-size") == "12" and e.text in ("3", "4")]
    below = [float(e.get("y", 0)) for e in captions]
    assert min(below) > 0.75 * (1122.5 - 2 * 57 - 52), "the lower row of puzzles stands in the lower part of the page"


def test_a_booklet_says_who_made_it_and_when(monkeypatch: pytest.MonkeyPatch) -> None:
    assert byline("Ann", "") == "Ann" and byline(None, "May 2026") == "May 2026" and byline(None, None) == ""
    assert re.fullmatch(r"Ann · \d{4}-\d\d-\d\d", byline("Ann", None))
    shown = [Shown(p.pictures, "1") for p in covr.load("sudoku", box=2, clue="." * 16).make(1, seed=1)]
    for page in booklet(shown, shown, "Sudoku", "print", 4, PAPERS["a4"], byline="Ann & Bob · 2026"):
        assert "Ann &amp; Bob · 2026" in page
    refused = run("make", "sudoku", "--author", "Ann", "-o", "b.svg")
    assert refused.exit_code == 2 and "--author goes with -o FILE.pdf" in refused.stderr


@each("size", [(300.0, 100.0), (100.0, 300.0)])
def test_codes_for_cameras_stand_beside_puzzles_or_below(size: tuple[float, float]) -> None:
    """Where the puzzles are larger; with the squares that the pattern has, dark on white, and inside the page."""
    segno = pytest.importorskip("segno")
    (puzzle,) = covr.load("sudoku", box=2, clue="." * 16).make(1, seed=1)
    link = "https://puzz.link/p?sudoku/4/4/1g2"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("covr.draw.booklet.draw_answer", lambda *_: DrawnBlock(*size, ()))
        first, last = booklet(
            [Shown(puzzle.pictures, "1", link=link)] * 2, [Shown(puzzle.pictures)], "", "dark", 2, PAPERS["a4"]
        )
    codes = [e for e in ET.fromstring(first).iter() if e.get("class") == "link"]
    assert len(codes) == 2 and 'class="link"' not in last
    paper, path = codes[0]
    assert (paper.get("fill"), path.get("fill")) == ("#ffffff", "#000000")
    dark = set()
    for x, y, wide in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path.get("d") or ""):
        dark |= {(int(x) + k, int(y)) for k in range(int(wide))}
    matrix = segno.make(link, error="m", micro=False).matrix
    assert dark == {(x, y) for y, row in enumerate(matrix) for x, cell in enumerate(row) if cell}


def test_links_of_a_booklet_open_the_puzzles_beside_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cairosvg")
    pytest.importorskip("segno")
    monkeypatch.chdir(tmp_path)
    shown: list[Shown] = []
    monkeypatch.setattr("covr.draw.book.save_pages", lambda file, pages: list(pages))
    real = booklet

    def kept(puzzles: Sequence[Shown], *rest: Any) -> Iterator[str]:
        shown[:] = puzzles
        return real(puzzles, *rest)

    monkeypatch.setattr("covr.draw.booklet.booklet", kept)
    made = run("make", "sudoku", "-n", "2", "--seed", "1", "--links", "-o", "a.pdf")
    assert made.exit_code == 0
    assert [one.link for one in shown] == made.stdout.split()
    for one in shown:
        assert covr.link(one.link).load().count() == 1


def test_a_rule_sheet_is_the_first_comment_alone_on_its_lines() -> None:
    said = 'title "x"\n# One line\n# and another.\n\n# Later\ncells c in 1..2 # beside\n'
    assert rule_sheet(Source("m", said)) == "One line and another."
    assert rule_sheet(Source("m", "cells c in 1..2  # beside\n# alone")) == ""
    assert rule_sheet(Source("m", "# covr: allow W103\n# The rules.")) == "The rules."
    behind = 'title "x"  # One line\n# and another.\nparam n = 1  # beside'
    assert rule_sheet(Source("m", behind)) == "One line and another."
    assert rule_sheet(Source("m", 'cells c in 1..2\ntitle "x"  # beside')) == ""
    assert rule_sheet(Source("m", "")) == ""


def test_a_sheet_is_written_while_puzzles_are_made(tmp_path: Path, constants: Constants) -> None:
    constants(puzzle_sheet, LEAST=0.0, SHARE=0)
    file = tmp_path / "a.svg"
    sheet = puzzle_sheet.Sheet(str(file), "light", 4, "a4")
    for n, puzzle in enumerate(covr.load("sudoku", box=2, clue="." * 16).make(2, seed=1), 1):
        sheet.add(puzzle)
        assert file.read_text().count('class="answer"') == 2 * n
