"""`covr make` and its limits: all work counts, what was made is kept, and what is missing is told."""

from __future__ import annotations

import random
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

import covr
from covr.cli import make as puzzle_sheet
from covr.cli.progress import sentence
from covr.engine.base import limits as deadline
from covr.engine.puzzles.puzzle_attempts import Attempt
from covr.puzzles import making
from covr.puzzles.clue_maker import ClueMaker
from covr.puzzles.made_puzzle import MadePuzzle, Wish
from covr.puzzles.making import MakeRun
from covr.questions.options import CommandOptions, Options
from tests.covr.command import run


def test_limits_and_interrupts_keep_what_was_made() -> None:
    model = covr.load("sudoku", clue="." * 81).compiled
    made = MakeRun(model, Options(seed=1, limit_nodes=100_000), Wish(), 10_000)
    puzzles = list(made.puzzles())
    assert puzzles and made.status == "limit" and made.made == len(puzzles) < 10_000
    assert [p.record for p in puzzles[:2]] == [p.record for p in covr.Model(model).make(2, seed=1)]
    made = MakeRun(model, Options(seed=1), Wish(), 1_000_000)
    timer = Timer(0.5, made.interrupt)
    timer.start()
    kept = list(made.puzzles())
    timer.cancel()
    assert made.status == "interrupted" and 0 < len(kept) < 1_000_000
    made = MakeRun(model, Options(seed=1, limit_nodes=300_000), Wish(fewest=True))
    (puzzle,) = made.puzzles()
    assert (
        puzzle.bound is not None
        and 0 < puzzle.bound <= len(puzzle)
        and covr.load("sudoku", clue=puzzle.record).unique()
    )


def test_a_limit_before_the_first_puzzle_leaves_a_file_as_it_was(tmp_path: Path) -> None:
    output = tmp_path / "old.txt"
    output.write_text("mine")
    result = run("make", "sudoku", "-o", str(output), "--limit-nodes", "1", "--clues-at-most", "3", "--jobs", "1")
    assert (result.exit_code, output.read_text()) == (3, "mine")


def test_all_its_work_counts_against_the_limit_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    # By the clock of this test, only the naming of a puzzle takes time, or only what is done with it.
    now = [0.0]
    monkeypatch.setattr(deadline, "perf_counter", lambda: now[0])
    monkeypatch.setattr(making, "perf_counter", lambda: now[0])
    model = covr.load("sudoku").compiled
    written = MakeRun(model, Options(seed=1, limit_time=1000, jobs=1), Wish(), 10_000)
    for _ in written.puzzles():
        written.spend(400)
    assert (written.made, written.status, written.seconds) == (3, "limit", 1200)

    describe = MakeRun._described

    def slow(self: MakeRun, attempt: Attempt) -> MadePuzzle:
        now[0] += 400
        return describe(self, attempt)

    monkeypatch.setattr(MakeRun, "_described", slow)
    named = MakeRun(model, Options(seed=1, limit_time=1000, jobs=1), Wish(), 10_000)
    assert len(list(named.puzzles())) == 3 and (named.status, named.seconds) == ("limit", 1200)


def test_what_the_command_does_between_puzzles_counts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it is, and not only what was thought of. By the clock of this test nothing else takes time."""
    now = [0.0]

    def known(code: int) -> int:
        now[0] += 400
        return code

    for module in (deadline, making):
        monkeypatch.setattr(module, "perf_counter", lambda: now[0])
    monkeypatch.setattr(CommandOptions, "elapsed", lambda self, seconds: now[0])
    monkeypatch.setattr("covr.cli.make.known", known)
    output = tmp_path / "o.csv"
    words = ("--jobs", "1", "--limit-time", "1000", "-o", str(output))
    result = run("make", "sudoku", "-n", "10000", "--seed", "1", *words)
    assert result.exit_code == 3 and "a limit was hit after 1200.0 s" in result.stderr
    assert len(output.read_text(encoding="utf-8").splitlines()) == 4  # the head of the table and three puzzles


LIGHTS = """
    param told = grid \"""
      ??
      ??
    \"""
    cells x in cells(told)
    choose lit(x)
    exactly told[x] lit per x in told where told[x] in 0..1 and x[1] = 1 and x[2] = 1
    at least one lit
    show "o" of lit at x
    clue told[x] = count of lit where x = (1, 1) for x in {(1, 1)} else "?"
"""


def test_a_limit_tells_of_answers_whose_clues_are_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the clock of this test only the answers that are drawn take time."""
    now = [0.0]
    fit = ClueMaker._fit

    def slow(self: ClueMaker, answer: tuple[int, ...], rng: random.Random) -> Any:
        now[0] += 400
        return fit(self, answer, rng)

    monkeypatch.setattr(deadline, "perf_counter", lambda: now[0])
    monkeypatch.setattr(ClueMaker, "_fit", slow)
    words = ("--jobs", "1", "--limit-time", "1000", "--seed", "1")
    told = "clues together leave more than one answer, for each of"
    result = run("make", "-", *words, input=LIGHTS)
    assert result.exit_code == 3 and f"all {told}" in result.stderr
    symmetric = ("make", "-", "--symmetry", "rotate", *words)
    three = LIGHTS.replace("for x in {(1, 1)}", "for x in {(1, 1), (1, 2), (2, 2)}")
    result = run(*symmetric, input=three)
    assert result.exit_code == 3 and f"all symmetric {told}" in result.stderr
    assert "; 1 place of a clue has no partner under `rotate`" in result.stderr
    result = run(*symmetric, input=LIGHTS)
    assert result.exit_code == 2 and "no place where a clue may stand has a partner under `rotate`" in result.stderr


def test_without_a_limit_it_ends_after_a_minute_without_a_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    """And says so; each puzzle has its own minute, and it is said what is tried."""
    now = [0.0]
    doing: list[str] = []
    fit = ClueMaker._fit

    def slow(self: ClueMaker, answer: tuple[int, ...], rng: random.Random) -> Any:
        now[0] += 25
        found = fit(self, answer, rng)
        doing.append(self.doing)
        return found

    monkeypatch.setattr(deadline, "perf_counter", lambda: now[0])
    monkeypatch.setattr(ClueMaker, "_fit", slow)
    result = run("make", "-", "--jobs", "1", "--seed", "1", input=LIGHTS)
    assert result.exit_code == 3 and 60 <= now[0] < 100
    assert "without --limit-time it ends after 60 seconds" in result.stderr
    assert "changing an answer whose clues are not enough (60 of at most 60 times)" in doing
    now[0] = 0.0
    assert run("make", "kakurasu", "-n", "6", "--jobs", "1", "--seed", "1").exit_code == 0 and now[0] > 60
    asked = MakeRun(covr.load("kakurasu").compiled, Options(seed=1, jobs=1))
    next(asked.puzzles())
    assert asked.progress().doing == "leaving out clues"
    assert "leaving out clues" in sentence(asked.progress(), 1.0, 1.0, None)
    limited = run("make", "-", "--jobs", "1", "--seed", "1", "--limit-nodes", "20", input=LIGHTS)
    assert limited.exit_code == 3 and "without --limit-time" not in limited.stderr


def test_what_waits_at_the_limit_of_time_is_named_only_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(deadline, "perf_counter", lambda: now[0])
    monkeypatch.setattr(making, "perf_counter", lambda: now[0])
    made = MakeRun(covr.load("sudoku").compiled, Options(seed=1, limit_time=1000, jobs=1), Wish(), 10_000)
    made._waiting = {number: made._maker.attempt(number) for number in range(1, 20)}
    describe = MakeRun._described

    def slow(self: MakeRun, attempt: Attempt) -> MadePuzzle:
        now[0] += making.OVERTIME / 4
        return describe(self, attempt)

    monkeypatch.setattr(MakeRun, "_described", slow)
    made.spend(1000)
    assert len(list(made.puzzles())) == 4 and made.status == "limit"


def test_a_sheet_is_written_within_the_limit_of_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(puzzle_sheet, "monotonic", lambda: now[0])
    [puzzle] = covr.load("sudoku").make(seed=1)
    sheet = puzzle_sheet.Sheet(str(tmp_path / "sheet.svg"), "light", 4, "a4")
    saved: list[int] = []

    def save() -> None:
        saved.append(len(sheet._puzzles))
        now[0] += saved[-1]

    monkeypatch.setattr(sheet, "save", save)
    for number in range(40):
        sheet.add(puzzle, left=30.0 if number < 20 else 3.0)
    assert saved == [1, 2, 4, 8] and sheet.needs >= 41
