"""The ten boards are the same every time, have the answers that they should have, and are described alike to all
programs."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest
from attrs import evolve

from benchmarks import _board_drawn as drawn
from benchmarks._board_puzzles import Board, box
from benchmarks._boards import BOARDS, LARGE
from benchmarks.boards import UNWRITTEN, ratio, report
from benchmarks.measure import Runs
from covr.api.model import Model, load
from covr.engine import Limits, Settings, Status, check, search
from tests.shared import IN_GATE

pytestmark = pytest.mark.long

# One question of each: an answer, and whether there is another one. The nonogram takes long without CaDiCaL.
PUZZLES = sorted(BOARDS.keys() - {"nonogram", "rota"})


def model_of(board: Board) -> Model:
    return load(board.model, **board.params())


def of_board(name: str) -> object:
    """A parameter set of a board, marked slow if it takes every program seconds."""
    return pytest.param(name, marks=pytest.mark.slow) if name == "nurikabe" else name


@pytest.mark.parametrize("name", [of_board(name) for name in PUZZLES])
def test_a_board_is_the_same_every_time_and_has_one_answer(name: str) -> None:
    board = BOARDS[name]()
    assert board == BOARDS[name]()
    problem = model_of(board).compiled.problem
    run = search(problem, limits=Limits(nodes=5000))
    found = list(run)
    assert run.status is Status.EXHAUSTED
    assert len(found) == 1 and check(problem, found[0]) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_a_large_board_is_the_same_every_time_and_has_the_answers_that_it_should(name: str) -> None:
    board = LARGE[name]()
    assert board == LARGE[name]()
    problem = model_of(board).compiled.problem
    found = list(search(problem, limits=Limits(answers=2, seconds=60)))
    assert len(found) == (2 if name == "skyscrapers-8" else 1) and check(problem, found[0]) is None


def test_a_rota_is_found_without_a_lucky_seed() -> None:
    """The first person's hours are not used up first: 2.7 million nodes were not enough, with no order by pressure."""
    problem = evolve(model_of(BOARDS["rota"]()).compiled.problem, costs=())
    run = search(problem, limits=Limits(answers=1, nodes=1000))
    found = list(run)
    assert len(found) == 1 and check(problem, found[0]) is None
    assert run.counters.nodes == 152


def clingo() -> Callable[..., Any]:
    pytest.importorskip("clingo", reason="a board as a program is clingo's")
    from benchmarks._board_peers import clingo

    return clingo


def cpsat() -> Callable[..., Any]:
    pytest.importorskip("ortools", reason="a board as a model is OR-Tools'")
    from benchmarks._board_peers import cpsat

    return cpsat


@pytest.mark.parametrize("other", [clingo, cpsat], ids=["clingo", "cpsat"])
@pytest.mark.parametrize("name", [of_board(name) for name in sorted(BOARDS.keys() - {"rota"})])
def test_another_program_finds_one_answer_that_covr_accepts(name: str, other: Callable[..., Any]) -> None:
    from benchmarks._board_peers import sound

    board = BOARDS[name]()
    found, proved, answers, _ = other()(board, True, 30.0)
    assert (found, proved, len(answers)) == (1, True, 1)
    assert sound(board, answers, found, False)
    assert not sound(board, [set(list(answers[0])[1:])], found, False)


# Small boards of each kind that is drawn; most have more than one answer.
SMALL = {
    "masyu": lambda seed: drawn.masyu(6, seed, ()),
    "numberlink": lambda seed: drawn.numberlink(5, seed, ()),
    "battleships": lambda seed: drawn.battleships(5, seed, (2, 1), ((1, 1),) if seed == 1 else ()),
    "skyscrapers": lambda seed: drawn.skyscrapers(4, seed),
    "kakuro": lambda seed: drawn.kakuro(5, seed, ()),
    "tents": lambda seed: drawn.tents(6, seed, 0.8),
    "dominosa": lambda seed: drawn.dominosa(4, seed, ()),
    "star battle": lambda seed: drawn.star_battle(8, 1, seed, ()),
    "jigsaw": lambda seed: drawn.jigsaw(9, seed, box(3)),
    "fillomino": lambda seed: drawn.fillomino(5, seed, 0.6),
}


@pytest.mark.parametrize("other", [clingo, cpsat], ids=["clingo", "cpsat"])
@pytest.mark.parametrize("name", SMALL)
def test_other_programs_say_the_same_of_small_boards_that_are_drawn(name: str, other: Callable[..., Any]) -> None:
    from benchmarks._board_peers import sound

    if other is cpsat and name in UNWRITTEN["cpsat"]:
        pytest.skip("no model of this kind was written for CP-SAT")
    for seed in (1,) if IN_GATE else (1, 2):
        board = SMALL[name](seed)
        assert board == SMALL[name](seed)
        problem = model_of(board).compiled.problem
        known = len(list(search(problem, limits=Limits(answers=2))))
        found, proved, answers, _ = other()(board, True, 30.0)
        assert known > 0 and (found, proved, len(answers)) == (known, True, known)
        assert sound(board, answers, found, False)


@pytest.mark.parametrize("other", [clingo, cpsat], ids=["clingo", "cpsat"])
def test_another_program_finds_a_rota(other: Callable[..., Any]) -> None:
    from benchmarks._board_peers import sound

    board = BOARDS["rota"]()
    found, proved, answers, _ = other()(board, False, 30.0)
    assert (found, proved) == (1, True)
    assert sound(board, answers, found, False)


def test_the_table_says_who_is_ahead() -> None:
    late = Runs(trouble="timeout")
    row = {"covr": Runs([0.5, 0.2], 1, "", [0.1]), "clingo": Runs([0.1], 1, "", [0.2]), "cpsat": late}
    assert ratio(row, 20.0, "seconds") == 2 and ratio(row, 20.0, "searches") == 0.5
    assert ratio({**row, "covr": late}, 20.0, "seconds") is None
    text = report({"masyu first": row}, {"covr": "1", "clingo": "2", "cpsat": "3"}, [], 20.0)
    assert "| masyu first | 1 | 0.20 | 0.10 | > | ×2.00 | 0.100 | 0.200 | > | ×0.50 |" in text
    assert "In the search alone, covr is ahead in 1 of 1 rows" in text


@pytest.mark.skipif(find_spec("clingo") is None, reason="clingo is not installed")
def test_half_of_the_numbers_of_a_large_fillomino_take_few_conflicts() -> None:
    """1632 conflicts where clauses of areas count as conflicts when clingo chooses what to decide; 16 where not."""
    problem = model_of(drawn.fillomino(20, 1, 0.5)).compiled.problem
    run = search(problem, limits=Limits(answers=2, nodes=400), settings=Settings(engine="clingo"))
    assert len(list(run)) == 2 and run.status is Status.SOLVED
