"""`covr make` and `Model.make`: every puzzle has its one answer, reads back, and is as asked for."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from attrs import evolve

import covr
from covr.cli.progress import sentence
from covr.draw.text import one_line
from covr.dsl import ModelErrors
from covr.engine import reference
from covr.engine.puzzles.puzzle_attempts import grade_within
from covr.puzzles import making
from covr.puzzles.made_puzzle import SYMMETRIES, MadePuzzle, Wish, rows_of
from covr.puzzles.making import MakeRun
from covr.questions.options import Options
from covr.questions.run import Progress
from tests.covr.command import run


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
    "stars": (
        covr.loads(
            "cells r, c in 1..5 choose star(r, c) exactly one star per r exactly one star per c"
            " at most one star per i in 1..4, j in 1..4 where i <= r <= i + 1 and j <= c <= j + 1"
        ),
        None,
    ),
    "dominosa": (
        covr.load("dominosa", face=[[int(c) for c in row] for row in ["03222", "33021", "20013", "31110"]]),
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


def test_puzzles_are_as_asked_for() -> None:
    model = covr.load("sudoku", clue="." * 81)
    assert all(len(p) <= 23 for p in model.make(3, at_most=23, seed=1))
    assert all(p.clues[0].args[2] == 7 for p in model.make(2, seed=1, fits=lambda p: p.clues[0].args[2] == 7))
    assert all(p.proved and len(p) == 4 for p in covr.load("sudoku", box=2, clue="." * 16).make(5, fewest=True, seed=2))


def test_puzzles_that_cannot_be_had_end_the_run() -> None:
    made = MakeRun(covr.load("sudoku", box=2, clue="." * 16).compiled, Options(seed=1), Wish(at_most=3))
    assert list(made.puzzles()) == [] and made.gave_up and made.status == "limit" and made.rejected == 2000
    few = MakeRun(covr.load("queens", n=4).compiled, Options(seed=1), Wish(), 1000)
    puzzles = list(few.puzzles())
    assert few.gave_up and len({p.clues for p in puzzles}) == len(puzzles) == 8  # each queen of both answers


def test_a_pattern_needs_squares() -> None:
    model = covr.loads(
        'cells x in {hex(1, 1), hex(1, 3), hex(2, 2)} choose bee(x) exactly one bee show "B" of bee at x'
    )
    assert [p.lattice is not None for p in model.compiled.pictures(())] == [True]
    assert len(model.make(1, seed=1)[0]) == 1
    with pytest.raises(ModelErrors, match="boards of squares"):
        model.make(1, symmetry="rotate")


def test_no_puzzle_is_made_without_an_answer() -> None:
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
def test_wrong_usage_makes_no_puzzle(
    words: tuple[str, ...], code: str, says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
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


def test_puzzles_are_written_as_json() -> None:
    result = run("make", "sudoku", "-n", "2", "--seed", "1", "--json")
    start, one, two, end = map(json.loads, result.stdout.splitlines())
    assert start["type"] == "start" and (one["type"], one["number"], two["number"]) == ("puzzle", 1, 2)
    assert one["size"] == len(one["clues"]) and one["param"] == "clue" and len(one["text"]) == 81
    assert (end["puzzles"], end["asked"], end["exit"], end["seed"], end["uniform"]) == (2, 2, 0, 1, False)


BLANK = covr.load("sudoku", clue="." * 81)


@pytest.mark.parametrize(
    ("model", "low", "high"),
    [(BLANK, 1.0, 1.0), (BLANK, 2.0, 2.99), (covr.load("queens", n=5), 3.0, float("inf"))],
    ids=["easy", "pairs", "queens"],
)
def test_grades_are_those_of_the_command(model: covr.Model, low: float, high: float) -> None:
    made = model.make(2, grade=(low, high), seed=2)
    assert len(made) == 2
    for puzzle in made:
        assert puzzle.grade is not None and low <= puzzle.grade <= high
        again = covr.load("sudoku", clue=puzzle.record) if model is BLANK else covr.Model(puzzle.compiled)
        assert again.hints().grade.figure == puzzle.grade


def test_a_path_that_is_too_hard_is_left_early() -> None:
    """The last steps of a puzzle need not be found to know that its grade is too high."""
    (hard,) = covr.load("queens", n=5).make(1, grade=(2.0, float("inf")), seed=1)
    problem, answer = hard.compiled.problem, hard.answer.options
    asked: list[int] = []

    def stopped() -> bool:
        asked.append(1)
        return False

    figure = hard.grade
    assert grade_within(problem, answer, 0, 1.0, stopped) is None
    few = len(asked)
    assert grade_within(problem, answer, 0, 1000, stopped) == figure and len(asked) - few > few
    assert grade_within(problem, answer, 0, 1000, lambda: True) is None


@pytest.mark.parametrize("said", ["2..x", "5..3", "-1..2", "..", "nan..3"])
def test_ranges_of_grades_that_are_none(said: str) -> None:
    result = run("make", "sudoku", "-D", "box=2", "-D", f"clue={'.' * 16}", "--grade", said)
    if said == "..":
        assert result.exit_code == 0
    else:
        assert result.exit_code == 2 and "grade" in result.stderr


def test_tables_and_remarks_tell_the_grade(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    result = run("make", "sudoku", "-n", "3", "--seed", "1", "--grade", "2..2.9", "-o", str(file))
    assert result.exit_code == 0 and " tried; answers drawn" in result.stderr
    rows = list(csv.DictReader(file.open()))
    graded = run("grade", "sudoku", "--each", f"clue={file}").stdout.splitlines()
    assert [f"grade {row['grade']}" for row in rows] == [line.partition(":")[0] for line in graded]
    assert run("make", "sudoku", "--seed", "1", "--grade", "1").stdout.rstrip().endswith("grade 1.00")
    said = run("make", "sudoku", "--seed", "1", "--grade", "2..2.9", "--json").stdout.splitlines()
    assert json.loads(said[1])["grade"] == float(rows[0]["grade"])
    assert json.loads(said[-1])["tried"] >= json.loads(said[-1])["puzzles"] == 1


def test_puzzles_with_connections_have_grades(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "sea.cover"
    file.write_text("cells r, c in 1..3\nchoose sea(r, c)\nexactly 4 sea\nconnected sea at r, c\n")
    (puzzle,) = covr.load(file).make(1, seed=1, grade=(1, 9))
    assert puzzle.grade is not None and 1 <= puzzle.grade <= 9
    monkeypatch.setattr(making, "TRIES", 5)
    assert run("make", str(file), "--grade", "9..").exit_code == 3


def test_the_line_of_progress_says_how_many_were_tried() -> None:
    assert "3 puzzles, 40 tried" in sentence(Progress(0.3, 10, 3, None, None, 40), 1.0, 1.0, None)


@pytest.mark.parametrize("name", SMALL)
def test_lines_are_spelled_as_they_are_drawn(name: str) -> None:
    if name == "totals":
        return
    model, clues = SMALL[name]
    for puzzle in model.make(4, clues=clues, seed=2):
        assert puzzle.line == one_line(puzzle.compiled.puzzle())
        assert puzzle.record in (puzzle.line, rows_of(puzzle.compiled.puzzle()))


@pytest.mark.parametrize("more", [[], ["--fewest"], ["-n", "2"]])
def test_a_model_with_one_answer_makes_no_puzzle(tmp_path: Path, more: list[str]) -> None:
    model, output = tmp_path / "one.cover", tmp_path / "o.svg"
    model.write_text("choose q(i) for i in 2..2\nexactly one q\n")
    result = run("make", str(model), "-o", str(output), *more)
    assert result.exit_code == 2
    assert result.stderr.startswith(
        "error[E515]: no puzzle can be made: the model has only one answer without any clue"
    )
    assert "help:" in result.stderr
    with pytest.raises(ModelErrors, match="only one answer without any clue of `q`"):
        list(covr.load(str(model)).make(1))
    assert not output.exists()


@pytest.mark.parametrize("ending", [".txt", ".csv", ".svg"])
@pytest.mark.parametrize("model", ["norinori", "star_battle"])
def test_a_refusal_leaves_files_as_they_were(tmp_path: Path, ending: str, model: str) -> None:
    old, new = tmp_path / f"old{ending}", tmp_path / f"new{ending}"
    old.write_text("mine")
    for output in (old, new):
        result = run("make", model, "-n", "2", "-o", str(output), "--jobs", "1")
        assert (result.exit_code, result.stdout) == (2, "") and result.stderr.startswith("error[E515]")
        assert "no puzzle can be made: its regions" in result.stderr
    assert old.read_text() == "mine" and [p.name for p in tmp_path.iterdir()] == [old.name]


def test_a_file_that_cannot_be_made_is_told_before_any_work(tmp_path: Path) -> None:
    result = run("make", "sudoku", "-o", str(tmp_path / "none" / "o.csv"))
    assert result.exit_code == 2 and "E605" in result.stderr


def test_one_answer_is_refused_before_any_clue_is_left_out() -> None:
    made = MakeRun(covr.load("norinori").compiled, Options(seed=1, jobs=1), Wish("shade"), 3)
    with pytest.raises(ModelErrors, match="only one answer"):
        list(made.puzzles())
    assert made.tried == 1 and made.questions <= 2


@pytest.mark.parametrize("more", [["--clues-at-most", "0"], ["--grade", "9.."], ["--symmetry", "rotate"]])
def test_one_answer_is_refused_at_the_first_attempt_whatever_is_wished(more: list[str]) -> None:
    result = run("make", "latin_square", "-D", "n=1", "-D", "clue=.", *more)
    assert result.exit_code == 2 and "only one answer" in result.stderr
