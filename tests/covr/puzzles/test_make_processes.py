"""`covr make` by several processes: the same puzzles, and none is lost with a process."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Timer
from typing import Any

import pytest

import covr
from covr.engine.base.limits import Status
from covr.engine.puzzles import puzzle_attempts
from covr.engine.puzzles.puzzle_attempts import Attempt, AttemptNumbers, PuzzleMaker
from covr.puzzles import making
from covr.puzzles.made_puzzle import Wish
from covr.puzzles.making import MakeRun
from covr.questions.options import Options
from tests.constants import Constants


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
    monkeypatch.setattr(puzzle_attempts, "PuzzleProcesses", AtOnce)
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
    timer = Timer(6, made.interrupt)
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
