"""`covr make` and `Model.make`: every puzzle has its one answer, reads back, and is as asked for."""

from __future__ import annotations

import csv
import json
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Timer
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner, Result

import covr
from covr.cli.common import puzzle_sheet
from covr.cli.common.group import cli
from covr.cli.common.progress import sentence
from covr.cli.make import byline
from covr.draw.booklet import booklet
from covr.draw.compact import one_line
from covr.draw.elements import DrawnBlock
from covr.draw.svg import Shown
from covr.dsl import ModelErrors
from covr.dsl.comments import rule_sheet
from covr.dsl.source import Source
from covr.engine import reference
from covr.engine.base import deadline
from covr.engine.base.status import Status
from covr.engine.puzzles.hint_grade import grade_within
from covr.engine.puzzles.puzzle_attempts import Attempt, PuzzleMaker
from covr.engine.puzzles.puzzle_processes import AttemptNumbers
from covr.questions import making
from covr.questions.clue_maker import ClueMaker
from covr.questions.found import Progress
from covr.questions.made_puzzle import MadePuzzle, rows_of
from covr.questions.making import MakeRun
from covr.questions.options import Options
from covr.questions.patterns import SYMMETRIES
from covr.questions.puzzle_run import Wish
from tests.constants import Constants
from tests.each import each


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
    assert list(made.puzzles()) == [] and made.in_vain and made.status == "limit" and made.thrown == 2000
    few = MakeRun(covr.load("queens", n=4).compiled, Options(seed=1), Wish(), 1000)
    puzzles = list(few.puzzles())
    assert few.in_vain and len({p.clues for p in puzzles}) == len(puzzles) == 8  # each queen of both answers


class AtOnce:
    """Takes the place of PuzzleProcesses: makes every attempt it is allowed while it is started."""

    def __init__(self, order: Any, limits: Any, settings: Any, numbers: AttemptNumbers, many: int) -> None:
        self.found: SimpleQueue[Attempt | Status | None] = SimpleQueue()
        self.alive = 1
        maker = PuzzleMaker(order, limits, settings)
        while (number := AttemptNumbers.take_now(numbers)) is not None:
            self.found.put(maker.attempt(number))
        self.found.put(None)

    def stop(self, patience: float = 0.0) -> None:
        pass

    kill = stop


def test_processes_may_take_the_number_that_is_just_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "PuzzleProcesses", AtOnce)
    made = MakeRun(covr.load("sudoku", box=2, clue="." * 16).compiled, Options(seed=1, jobs=2), Wish(), 5)
    waited = [False]

    def take_now(numbers: AttemptNumbers) -> int | None:
        if not waited[0]:
            waited[0] = True
            made._start()
        return AttemptNumbers._first(numbers)

    monkeypatch.setattr(made._numbers, "take_now", lambda: take_now(made._numbers))
    alone = MakeRun(made.compiled, Options(seed=1, jobs=1), Wish(), 5)
    assert [p.line for p in made.puzzles()] == [p.line for p in alone.puzzles()]
    assert waited[0]


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


# --- several processes, grades, booklets ---


def made_with(jobs: int, number: int, wish: Wish = Wish(), seed: int = 5) -> tuple[list[str], MakeRun]:  # noqa: B008
    model = covr.load("sudoku", clue="." * 81).compiled
    made = MakeRun(model, Options(seed=seed, jobs=jobs), wish, number)
    return [p.record for p in made.puzzles()], made


def test_the_number_of_processes_does_not_change_the_puzzles(constants: Constants) -> None:
    constants(making, ALONE=0.0)
    wishes = [Wish(), Wish(symmetry="rotate", minimal=True), Wish(at_most=23, fits=lambda p: p.clues[0].args[2] < 7)]
    for wish in wishes:
        number = 12 if wish == Wish() else 3
        alone, run = made_with(1, number, wish)
        assert run._processes is None
        for jobs in (2, 3) if wish == Wish() else (3,):
            several, run = made_with(jobs, number, wish)
            assert several == alone and run.made == number and run.status == "solved"


def test_other_processes_do_the_work_once_they_are_there(constants: Constants) -> None:
    constants(making, ALONE=0.0)
    several, run = made_with(2, 300)
    assert run._processes is not None and run._nodes and len(several) == 300


def test_a_process_that_is_killed_loses_nothing(constants: Constants) -> None:
    constants(making, ALONE=0.0)
    alone, _ = made_with(1, 150)
    made = MakeRun(covr.load("sudoku", clue="." * 81).compiled, Options(seed=5, jobs=2), Wish(), 150)
    records = []
    for puzzle in made.puzzles():
        records.append(puzzle.record)
        processes = made._processes
        if processes is not None and len(processes._children) == 2 and made._nodes:
            for child in tuple(processes._children):
                child.kill()
    assert records == alone


def test_an_interrupt_keeps_what_other_processes_have(constants: Constants) -> None:
    constants(making, ALONE=0.0)
    made = MakeRun(covr.load("sudoku", clue="." * 81).compiled, Options(seed=1, jobs=2), Wish(fewest=True), 50)
    timer = Timer(2, made.interrupt)
    timer.start()
    puzzles = list(made.puzzles())
    assert made.status == "interrupted" and made.made == len(puzzles) > 1
    for puzzle in puzzles:
        assert puzzle.bound is not None and puzzle.bound <= len(puzzle)
        assert covr.load("sudoku", clue=puzzle.record).unique()
    processes = made._processes
    assert processes is not None and all(child.poll() is not None for child in processes._children)


def test_numbers_are_handed_out_once_and_in_order() -> None:
    numbers = AttemptNumbers()
    assert numbers.take_now() is None
    numbers.allow(3)
    assert [numbers.take(), numbers.take()] == [0, 1]
    numbers.hand_back(1)
    numbers.hand_back(0)
    assert [numbers.take_now(), numbers.take(), numbers.take(), numbers.take_now()] == [0, 1, 2, None]
    numbers.allow(2)
    assert numbers.take_now() is None
    numbers.close()
    assert numbers.take() is None


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
    pages = list(booklet(shown, solved, "Small < sudokus", "print", 2, "a4"))
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
    first, last = booklet(shown, shown, "Sudoku", "print", 4, "a4", rules=rules)
    said = [e.text or "" for e in ET.fromstring(first).iter() if e.get("class") == "rules"]
    assert len(said) > 1 and " ".join(said) == rules.strip() and "rules" not in last
    captions = [e for e in ET.fromstring(first).iter() if e.get("font-size") == "12" and e.text in ("3", "4")]
    below = [float(e.get("y", 0)) for e in captions]
    assert min(below) > 0.75 * (1122.5 - 2 * 57 - 52), "the lower row of puzzles stands in the lower part of the page"


def test_a_booklet_says_who_made_it_and_when(monkeypatch: pytest.MonkeyPatch) -> None:
    assert byline("Ann", "") == "Ann" and byline(None, "May 2026") == "May 2026" and byline(None, None) == ""
    assert re.fullmatch(r"Ann · \d{4}-\d\d-\d\d", byline("Ann", None))
    shown = [Shown(p.pictures, "1") for p in covr.load("sudoku", box=2, clue="." * 16).make(1, seed=1)]
    for page in booklet(shown, shown, "Sudoku", "print", 4, "a4", byline="Ann & Bob · 2026"):
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
            [Shown(puzzle.pictures, "1", link=link)] * 2, [Shown(puzzle.pictures)], "", "dark", 2, "a4"
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
    monkeypatch.setattr("covr.draw.files.save_pages", lambda file, pages: list(pages))
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


def test_a_limit_before_the_first_puzzle_leaves_a_file_as_it_was(tmp_path: Path) -> None:
    output = tmp_path / "old.txt"
    output.write_text("mine")
    result = run("make", "sudoku", "-o", str(output), "--limit-nodes", "1", "--clues-at-most", "3", "--jobs", "1")
    assert (result.exit_code, output.read_text()) == (3, "mine")


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

    monkeypatch.setattr(deadline, "perf_counter", lambda: now[0])
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
