"""Puzzles whose clues rules read, made by several processes: an attempt comes out the same whatever was made before it,
and in a process whose hashes are others, which compiles the model from what it is sent."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

import pytest

import covr
from covr.compiler import Compiled
from covr.engine.base.limits import Limits
from covr.engine.puzzles.puzzle_attempts import PATIENCE, Attempt, PuzzleProcesses
from covr.puzzles import making
from covr.puzzles.clue_maker import ClueOrder, clue_order
from covr.puzzles.made_puzzle import Wish
from covr.puzzles.making import MakeRun
from covr.questions.options import Options
from tests.constants import Constants
from tests.covr.puzzles.clue_kinds import blank

pytest.importorskip("clingo", reason="answers are drawn by clingo")

# Kinds whose clues are switched, or each looked at alone, and one whose answers are listed.
MADE: dict[str, dict[str, Any]] = {
    "slitherlink": {"clue": blank(4, 4)},
    "akari": {},
    "nonogram": {"rows": ["?"] * 5, "columns": ["?"] * 5},
    "kuromasu": {"clue": blank(4, 4)},
    "hashi": {},
    "minesweeper": {"clue": blank(3, 3)},
}
WORK = """
import pickle, sys
order, settings, numbers = pickle.load(sys.stdin.buffer)
from covr.engine.base.limits import Limits
maker = order.maker(Limits(), settings)
sys.stdout.buffer.write(pickle.dumps([maker.attempt(number) for number in numbers]))
"""


def told(attempts: Iterable[Attempt]) -> dict[int, tuple[object, ...]]:
    return {made.number: (made.outcome, made.answer, made.clues, made.uniform) for made in attempts}


def elsewhere(order: ClueOrder, numbers: list[int], hashes: str) -> dict[int, tuple[object, ...]]:
    """What attempts come to in a process of its own."""
    env = {**os.environ, "PYTHONHASHSEED": hashes}
    job = pickle.dumps((order, Options(jobs=1).settings(), numbers))
    made = subprocess.run([sys.executable, "-c", WORK], input=job, stdout=subprocess.PIPE, env=env, check=True)
    return told(pickle.loads(made.stdout))


@pytest.mark.parametrize("name", MADE)
def test_an_attempt_depends_on_its_number_alone(name: str) -> None:
    order = clue_order(covr.load(name, **MADE[name]).compiled, 3, Wish())
    maker = order.maker(Limits(), Options(jobs=1).settings())
    expected = told(maker.attempt(number) for number in range(4))
    other = order.maker(Limits(), Options(jobs=1).settings())
    assert told(other.attempt(number) for number in (3, 1, 2, 0)) == expected
    assert elsewhere(order, [3, 0], "7") == {number: expected[number] for number in (3, 0)}


def made_with(compiled: Compiled, jobs: int, number: int, wish: Wish) -> tuple[list[str], MakeRun]:
    run = MakeRun(compiled, Options(seed=5, jobs=jobs), wish, number)
    return [puzzle.record for puzzle in run.puzzles()], run


@pytest.mark.parametrize("wish", [Wish(), Wish(at_most=9, fits=lambda puzzle: len(puzzle) > 6)])
def test_the_number_of_processes_does_not_change_such_puzzles(wish: Wish, constants: Constants) -> None:
    constants(making, ALONE=0.0)
    compiled = covr.load("slitherlink", clue=blank(4, 4)).compiled
    alone, run = made_with(compiled, 1, 6, wish)
    assert run._processes is None and len(alone) == 6
    several, run = made_with(compiled, 2, 6, wish)
    assert several == alone and run.made == 6 and run.status == "solved"


def test_other_processes_make_such_puzzles(constants: Constants) -> None:
    constants(making, ALONE=0.0)
    compiled = covr.load("minesweeper", clue=blank(3, 3)).compiled
    several, run = made_with(compiled, 2, 30, Wish())
    assert run._processes is not None and run._nodes and len(several) == 30


@pytest.mark.parametrize("fewest", [False, True])
def test_an_interrupt_ends_other_processes_soon(
    fewest: bool, constants: Constants, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are waited for only where something of what they are about to make is kept."""
    constants(making, ALONE=0.0)
    waited, stop = [], PuzzleProcesses.stop

    def noted(processes: PuzzleProcesses, patience: float) -> None:
        waited.append(patience)
        stop(processes, patience)

    monkeypatch.setattr(PuzzleProcesses, "stop", noted)
    compiled = covr.load("slitherlink", clue=blank(4, 4)).compiled
    run = MakeRun(compiled, Options(seed=5, jobs=2), Wish(fewest=fewest), 10_000)
    puzzles = run.puzzles()
    next(puzzles)
    while run._processes is None:
        next(puzzles)
    run.interrupt()
    assert sum(1 for _ in puzzles) < 9_000 and run.status == "interrupted"
    assert waited == [PATIENCE if fewest else making.OVERTIME]
    for child in tuple(run._processes._children):
        child.wait()
