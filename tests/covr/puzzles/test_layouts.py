"""Puzzles on layouts that another model draws: the layout keeps its rules, and each puzzle has exactly one answer and
loses that when any clue goes, by CP-SAT, which took no part in making it."""

from __future__ import annotations

from pathlib import Path

import pytest

import covr
from covr.compiler import Compiled, FromText
from covr.compiler.clues import clue_spots, standing_clues, with_clues
from covr.dsl.diagnostics import ModelErrors
from covr.puzzles import layouts
from covr.puzzles.made_puzzle import MadePuzzle, given_as
from covr.questions.options import Options
from tests.covr.command import Covr
from tests.covr.command import covr as command  # a fixture
from tests.covr.puzzles.by_cpsat import answers_by_cpsat

__all__ = ["command"]

LETTERS = """
param board = grid(1, 4, "....")
choose mark(x) for x in frame(board)
exactly 1 mark
clue board[k] = "x" for k in frame(board) where k in mark
"""
EVERYWHERE = """
param board = grid(1, 4, "....")
choose mark(x) for x in frame(board)
exactly one mark per y in frame(board) where x = y
clue board[k] = "#" for k in frame(board) where k in mark
"""
ELSEWHERE = """
param wood = grid(1, 4, "....")
choose mark(x) for x in frame(wood)
clue wood[k] = "#" for k in frame(wood) where k in mark
"""
NOWHERE = """
param board = grid(1, 4, "....")
choose mark(x) for x in frame(board)
at least 5 mark
clue board[k] = "#" for k in frame(board) where k in mark
"""

# The model, its layout with its params, how many puzzles in the slow tests.
LAID: dict[str, tuple[str, dict[str, object], str, dict[str, object]]] = {
    "akari": ("akari", {}, "black_squares", {"high": 4, "wide": 5}),
    "tents": ("tents", {}, "tent_trees", {"high": 6, "wide": 6, "trees": 6}),
    "jigsaw": ("sudoku_jigsaw", {}, "regions", {"high": 4, "wide": 4, "many": 4, "least": 4, "most": 4}),
    "heyawake": ("heyawake", {}, "regions", {"high": 5, "wide": 5, "many": 6, "most": 6}),
    "stars": ("star_battle", {"k": 1}, "regions", {"high": 5, "wide": 5, "many": 5, "most": 9}),
    "shikaku": ("shikaku", {}, "rectangles", {"high": 5, "wide": 6}),
    "hitori": ("hitori", {}, "repeats", {"high": 5, "wide": 5}),
    "kakuro": ("kakuro", {}, "kakuro_squares", {"high": 5, "wide": 5, "longest": 3}),
}
QUICK = ("akari", "jigsaw", "stars", "shikaku", "hitori")
WHOLE = ("shikaku", "hitori")  # the layout says all that there is of a puzzle
SEEDS = 20


def made(name: str, seed: int, number: int = 1) -> list[MadePuzzle]:
    model, params, layout, own = LAID[name]
    return covr.load(model, **params).make(number, seed=seed, layout=covr.load(layout, **own), limit_time=60)


def hold(name: str, puzzle: MadePuzzle) -> None:
    """The law for one puzzle, which is read back from its text first."""
    model, params, _, _ = LAID[name]
    read = {key: FromText(text, key, plain=True) for key, text in puzzle.data.items()}
    again = covr.load(model, **params).compiled.with_data(read)
    assert again.problem == puzzle.compiled.problem and puzzle.readable
    assert answers_by_cpsat(again.problem) == 1
    spots = clue_spots(again)
    if name in WHOLE:
        assert not puzzle.clues
        return
    if not spots:
        fewer = [[o for o in again.problem.given if o != left] for left in again.problem.given]
        assert len(fewer) == len(puzzle)
        assert all(answers_by_cpsat(given_as(again, given).problem) != 1 for given in fewer)
        return
    told = standing_clues(again, spots)
    assert len(puzzle) == sum(value is not None for value in told) > 0
    for at, value in enumerate(told):
        if value is not None:
            left = [None if k == at else other for k, other in enumerate(told)]
            assert answers_by_cpsat(again.with_data(with_clues(again, spots, left)).problem) != 1, spots[at]


@pytest.mark.parametrize("name", QUICK)
def test_a_puzzle_on_a_layout_has_one_answer_and_no_clue_too_many(name: str) -> None:
    pytest.importorskip("ortools", reason="the law is held by CP-SAT")
    (puzzle,) = made(name, 3)
    hold(name, puzzle)
    assert [p.record for p in made(name, 3)] == [puzzle.record]


@pytest.mark.slow
@pytest.mark.parametrize("name", LAID)
def test_so_does_every_one(name: str) -> None:
    pytest.importorskip("ortools", reason="the law is held by CP-SAT")
    for seed in range(SEEDS):
        for puzzle in made(name, seed):
            hold(name, puzzle)


def together(places: set[tuple[int, int]]) -> bool:
    """Whether these squares hang together."""
    found = {min(places)}
    while (
        more := {
            (r + i, c + j) for r, c in found for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0)) if (r + i, c + j) in places
        }
        - found
    ):
        found |= more
    return found == places


def test_layouts_are_answers_of_their_models_and_differ() -> None:
    boards = set()
    for puzzle in made("akari", 1, 2):
        entries = puzzle.compiled.scope.value("board").entries
        assert len(entries) in (3, 4)
        assert {(5 - r, 6 - c) for r, c in entries} == set(entries)
        assert together({(r, c) for r in range(1, 5) for c in range(1, 6)} - set(entries))
        boards.add(frozenset(entries))
    assert len(boards) == 2
    (puzzle,) = made("stars", 1)
    region = puzzle.compiled.scope.value("region").entries
    assert len(region) == 25 and set(region.values()) == set(range(1, 6))
    assert all(together({x for x, k in region.items() if k == own}) for own in range(1, 6))


def test_a_test_of_ones_own_and_a_limit() -> None:
    akari, squares = covr.load("akari"), covr.load("black_squares", high=4, wide=4)
    puzzles = akari.make(2, seed=1, layout=squares, fits=lambda puzzle: len(puzzle) > 1)
    assert len(puzzles) == 2 and all(len(puzzle) > 1 for puzzle in puzzles)
    assert akari.make(100, seed=1, layout=squares, limit_nodes=20) != akari.make(2, seed=1, layout=squares)
    assert akari.make(1, layout=squares, limit_time=0) == []
    assert akari.make(1, layout=covr.loads(NOWHERE)) == []


@pytest.mark.parametrize(
    ("layout", "code", "said"),
    [
        (ELSEWHERE, "E515", "the layout tells nothing of the model's params"),
        (LETTERS, "", ""),
        (EVERYWHERE, "E515", "no puzzle came of 3 layouts in a row"),
    ],
)
def test_a_layout_that_does_not_suit_is_refused_with_a_place(
    layout: str, code: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layouts, "FRUITLESS", 3)
    with pytest.raises(ModelErrors) as caught:
        covr.load("akari").make(1, seed=1, layout=covr.loads(layout))
    first = caught.value.diagnostics[0]
    assert said in first.message and (not code or first.code == code)
    if layout is ELSEWHERE:
        assert first.span is not None and first.span.text == "wood" and "`board`" in first.help
    if layout is LETTERS:  # why the model refuses such data, where it says so
        assert first.span is not None and "board[k]" in first.span.source.text


def test_the_command_divides_params_between_both(command: Covr) -> None:
    words = ("-D", "high=5", "-D", "wide=5", "-D", "many=5", "-D", "most=9", "-D", "k=1", "--seed", "4")
    ran = command("make", "star_battle", "--layout", "regions", *words, "-n", "2", "-o", "stars.txt")
    assert ran.exit_code == 0, ran.output
    assert Path("stars.txt").read_text().count("\n\n") == 1
    assert command("solve", "star_battle", "-D", "k=1", "--each", "region=stars.txt", "--unique").exit_code == 0
    assert "its layout leaves one answer" in command("make", "star_battle", "--layout", "regions", *words).output


@pytest.mark.parametrize("name", WHOLE)
def test_a_model_names_its_usual_layout(name: str, command: Covr) -> None:
    """It is taken unless what it says is set; its params may be."""
    ran = command("make", name, "-D", "high=4", "-D", "wide=5", "--seed", "1", "-o", "one.txt")
    assert ran.exit_code == 0 and "1 puzzle in" in ran.output
    param = {"shikaku": "clue", "hitori": "number"}[name]
    named = Path("one.txt").read_text().startswith(f"{param}:")
    each = "one.txt" if named else f"{param}=one.txt"
    assert command("solve", name, "--each", each, "--unique").exit_code == 0
    blank = command("make", name, "-D", f"{param}=....", "-D", "high=4")
    assert blank.exit_code == 2 and "`high`" in blank.stderr


def test_layouts_near_the_best_leave_fewer_and_fewer_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the one that leaves one answer is reached by them: without them none comes in as many."""
    kept: list[int] = []
    bare = layouts.LayoutRun._bare

    def watched(run: layouts.LayoutRun, laid: Compiled, layout: tuple[int, ...]) -> MadePuzzle | None:
        puzzle = bare(run, laid, layout)
        if run._best is not None:
            kept.append(len(run._best[1]))
        return puzzle

    monkeypatch.setattr(layouts.LayoutRun, "_bare", watched)
    hitori, repeats = covr.load("hitori").compiled, covr.load("repeats", high=6, wide=6).compiled
    run = layouts.LayoutRun(hitori, repeats, Options(seed=2, jobs=1))
    assert next(run.puzzles()) is not None
    assert kept == sorted(kept, reverse=True) and len(kept) > 1
    monkeypatch.setattr(layouts.Layouts, "near", lambda *_: None)
    blind = layouts.LayoutRun(hitori, repeats, Options(seed=2, jobs=1))
    puzzles = blind.puzzles()
    monkeypatch.setattr(layouts, "TRIES", 3 * run.tried)
    assert next(puzzles, None) is None


def test_a_board_of_ten_by_ten_takes_few_layouts() -> None:
    """One question for each layout, some of milliseconds: most of the work is to compile the model with the layout."""
    star_battle, hitori = covr.load("star_battle", k=1).compiled, covr.load("hitori").compiled
    regions = covr.load("regions", high=10, wide=10, many=10, most=20).compiled
    repeats = covr.load("repeats", high=10, wide=10).compiled
    for model, layout in ((star_battle, regions), (hitori, repeats)):
        run = layouts.LayoutRun(model, layout, Options(seed=1, jobs=1))
        assert next(run.puzzles(), None) is not None
        assert run.questions <= run.tried <= 60
