"""`covr make` and `Model.make`: every puzzle has its one answer, reads back, and is as asked for."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Timer

import pytest
from attrs import evolve
from click.testing import CliRunner, Result

import covr
from covr.cli.group import cli
from covr.dsl import ModelErrors
from covr.engine import reference
from covr.questions.making import MadePuzzle, MakeRun, Wish
from covr.questions.options import Options
from covr.questions.patterns import SYMMETRIES


def run(*words: str, input: str | None = None) -> Result:
    return CliRunner().invoke(cli, [*words], input=input, catch_exceptions=False)


def answers_of(puzzle: MadePuzzle, without: int | None = None) -> list[tuple[int, ...]]:
    """All answers of a puzzle by the oracle, with one of its clues left out where asked."""
    given = tuple(o for o in puzzle.compiled.problem.given if o != without)
    return [tuple(sorted(a)) for a in reference.answers(evolve(puzzle.compiled.problem, given=given))]


def verify(puzzle: MadePuzzle, minimal: bool = True) -> None:
    assert answers_of(puzzle) == [puzzle.answer.options]
    if minimal:
        for clue in puzzle.clues:
            assert len(answers_of(puzzle, clue.number)) > 1, clue


SMALL = {
    "sudoku": (covr.load("sudoku", box=2, clue="." * 16), None),
    "latin square": (covr.load("latin_square", n=4, clue="...."), None),
    "queens": (covr.load("queens", n=6), None),
    "dominoes": (
        covr.loads(
            "cells x in box(3, 4) let ds = {{a, b} for a in box(3, 4), b in neighbours(a) where b in box(3, 4)}"
            " choose put(d) for d in ds exactly one put per x in box(3, 4) where x in d"
        ),
        None,
    ),
    "crossword": (covr.load("crossword"), "across"),
    "totals": (
        covr.loads("choose a(i) for i in 1..5 choose b(i) for i in 1..5 exactly 8 total i of a exactly one b"),
        "a",
    ),
    "connected": (covr.loads("cells r, c in 1..3 choose sea(r, c) exactly 4 sea connected sea at r, c"), None),
}


@pytest.mark.parametrize("name", [name for name in SMALL if name != "totals"])
def test_puzzles_have_one_answer_and_no_clue_too_many(name: str) -> None:
    model, clues = SMALL[name]
    puzzles = model.make(3, clues=clues, seed=4)
    assert puzzles
    for puzzle in puzzles:
        assert puzzle.minimal and puzzle.bound is None
        verify(puzzle)
    for puzzle in model.make(2, clues=clues, fewest=True, seed=4):
        assert puzzle.proved and puzzle.bound == len(puzzle)
        verify(puzzle)


def test_clues_that_leave_a_choice_open_are_refused() -> None:
    model, clues = SMALL["totals"]
    with pytest.raises(ModelErrors) as errors:
        model.make(1, clues=clues, seed=1)
    (fault,) = errors.value.diagnostics
    assert fault.code == "E515" and "more than one answer" in fault.message and "b(" in fault.help


def test_the_same_seed_makes_the_same_puzzles_and_more_of_them() -> None:
    model = covr.load("sudoku", clue="." * 81)
    five = [p.record for p in model.make(5, seed=11)]
    assert [p.record for p in model.make(3, seed=11)] == five[:3]
    assert len(set(five)) == 5 and [p.record for p in model.make(1, seed=12)] != five[:1]


def test_the_models_own_clues_are_dropped_and_its_rules_stay() -> None:
    """The digits of the sudoku are data; the first day of the schoolgirls is a rule."""
    assert covr.load("sudoku").make(1, seed=1)[0].answer != covr.load("sudoku").solve()
    text = "param n = 3 param clue = [0, 2, 0] let all = 1..n choose put(i, v) for i in all, v in all"
    text += " exactly one put per i exactly one put per v given put(1, n)"
    text += " given put(i, clue[i]) for i in all where clue[i] != 0"
    for seed in range(4):
        (puzzle,) = covr.loads(text).make(1, seed=seed)
        assert puzzle.answer.choices[0].args == (1, 3) and len(puzzle) == 1 and len(puzzle.compiled.problem.given) == 2
        verify(puzzle)


def test_records_read_back(tmp_path: Path) -> None:
    for name, words in (("sudoku", ()), ("latin_square", ()), ("futoshiki", ())):
        for ending in ("txt", "csv"):
            file = tmp_path / f"{name}.{ending}"
            made = run("make", name, *words, "-n", "3", "--seed", "5", "-o", str(file))
            assert made.exit_code == 0, made.stderr
            if ending == "csv" and name == "latin_square":
                continue  # blocks of lines are no field that --each reads
            solved = run("solve", name, "--each", f"clue={file}", "--unique")
            assert solved.exit_code == 0 and "3 records: 3 unique" in solved.stderr


@pytest.mark.parametrize("name", SYMMETRIES)
def test_patterns_are_symmetric(name: str) -> None:
    (puzzle,) = covr.load("sudoku", clue="." * 81).make(1, symmetry=name, seed=3)
    places = {(r - 1, c - 1) for r, c, _ in (clue.args for clue in puzzle.clues)}
    for image in SYMMETRIES[name]:
        assert {image(r, c, 8, 8) for r, c in places} == places
    assert covr.load("sudoku", clue=puzzle.record).unique()


def test_a_symmetric_puzzle_can_be_minimal_clue_by_clue() -> None:
    (puzzle,) = covr.load("sudoku", box=2, clue="." * 16).make(1, symmetry="rotate", minimal=True, seed=1)
    verify(puzzle)


def test_wishes() -> None:
    model = covr.load("sudoku", clue="." * 81)
    assert all(len(p) <= 23 for p in model.make(3, at_most=23, seed=1))
    assert all(p.clues[0].args[2] == 7 for p in model.make(2, seed=1, fits=lambda p: p.clues[0].args[2] == 7))
    assert all(p.proved and len(p) == 4 for p in covr.load("sudoku", box=2, clue="." * 16).make(5, fewest=True, seed=2))


def test_puzzles_that_cannot_be_had_end_the_run() -> None:
    made = MakeRun(covr.load("sudoku", box=2, clue="." * 16).compiled, Options(seed=1), Wish(at_most=3))
    assert list(made.puzzles()) == [] and made.in_vain and made.status == "limit" and made.thrown == 2000
    few = MakeRun(covr.load("queens", n=4).compiled, Options(seed=1), Wish(), 1000)
    puzzles = list(few.puzzles())
    assert few.in_vain and len({p.clues for p in puzzles}) == len(puzzles) == 8  # each queen of both answers


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
    made = MakeRun(model, Options(seed=1, limit_time=0.6), Wish(fewest=True))
    (puzzle,) = made.puzzles()
    assert (
        puzzle.bound is not None
        and 0 < puzzle.bound <= len(puzzle)
        and covr.load("sudoku", clue=puzzle.record).unique()
    )


def test_a_pattern_needs_squares() -> None:
    model = covr.loads(
        'cells x in {hex(1, 1), hex(1, 3), hex(2, 2)} choose bee(x) exactly one bee show "B" of bee at x'
    )
    assert [p.lattice is not None for p in model.compiled.pictures(())] == [True]
    assert len(model.make(1, seed=1)[0]) == 1
    with pytest.raises(ModelErrors, match="boards of squares"):
        model.make(1, symmetry="rotate")


def test_no_answer_no_puzzle() -> None:
    result = run("make", "queens", "-D", "n=3")
    assert result.exit_code == 1 and result.stdout == "no solution\n"
    assert covr.load("queens", n=3).make(2) == []


@pytest.mark.parametrize(
    ("words", "code", "says"),
    (
        (("pentominoes",), "E510", "up to"),
        (("experts",), "E510", "minimize"),
        (("holes",), "E510", "answers by"),
        (("crossword",), "E515", "--clues: `across`, `down`"),
        (("queens", "--clues", "quen"), "E515", "did you mean `queen`?"),
        (("sudoku", "--symmetry", "miror"), "E515", "did you mean `mirror`?"),
        (("langford", "--symmetry", "mirror"), "E510", "up to"),
        (("dominosa", "--symmetry", "quarter"), "E515", "does not have the symmetry"),
        (("zebra", "--symmetry", "rotate"), "E515", "no single board"),
        (("sudoku", "-o", "a.pic"), "E520", "a picture ends in"),
        (("sudoku", "-o", "nowhere/a.txt"), "E605", "can't be made"),
    ),
)
def test_faults(words: tuple[str, ...], code: str, says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("make", *words)
    assert result.exit_code == 2 and f"error[{code}]" in result.stderr and says in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_is_printed(tmp_path: Path) -> None:
    result = run("make", "queens", "-D", "n=6", "--seed", "1", "--fewest")
    assert result.exit_code == 0 and "1 clue; fewer are not enough" in result.stdout
    assert "uniformly at random (seed 1)" in result.stderr
    result = run("make", "sudoku", "-n", "3", "--seed", "1")
    lines = result.stdout.splitlines()
    assert len(lines) == 3 and all(len(line) == 81 for line in lines)
    result = run("make", "sudoku", "--fewest", "--limit-time", "0.5", "--seed", "1")
    assert result.exit_code == 3 and "are needed" in result.stdout
    sheet = tmp_path / "sheet.svg"
    assert run("make", "sudoku", "-n", "2", "--seed", "1", "-o", str(sheet)).exit_code == 0
    assert "solution 2" in sheet.read_text()


def test_json_objects() -> None:
    result = run("make", "sudoku", "-n", "2", "--seed", "1", "--json")
    start, one, two, end = map(json.loads, result.stdout.splitlines())
    assert start["type"] == "start" and (one["type"], one["number"], two["number"]) == ("puzzle", 1, 2)
    assert one["size"] == len(one["clues"]) and one["param"] == "clue" and len(one["text"]) == 81
    assert (end["puzzles"], end["asked"], end["exit"], end["seed"], end["uniform"]) == (2, 2, 0, 1, False)
