"""One run of one solver: `PYTHON _board_peers.py SOLVER BOARD QUESTION SECONDS` writes a JSON object.

SOLVER: `covr`, `clingo` or `cpsat`.  BOARD: a name of _boards.py, in either table.
QUESTION: `first` for an answer, `proof` for whether there is another one or, where a board has a goal, for the best.
Timed is the CPU time of all threads and processes: `seconds` from the board as text or numbers to the end, `search`
without reading, compiling and grounding; importing is part of neither, as each solver has solved a small problem
before, covr by itself and by clingo. Every answer is checked against the covr model.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from attrs import evolve

from benchmarks._board_clingo import atoms, program
from benchmarks._board_drawn_cpsat import DrawnModel
from benchmarks._board_puzzles import Board
from benchmarks._boards import BOARDS, LARGE, choices
from covr.api.model import Model, load
from covr.engine import Limits, Settings, Status, check, cost, search
from covr.engine.outside.clingo import INSTALLED

Told = tuple[int | None, bool, list[Any], float]  # found, whether proved, answers, CPU seconds of the search


def cpu() -> float:
    """CPU seconds of this process, its threads and its children that have ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def covr(board: Board, proof: bool, seconds: float) -> Told:
    """Compile the model with the board's params, and search."""
    problem = load(board.model, **board.params()).compiled.problem
    best = proof and board.best
    begin = cpu()
    if board.best and not best:
        problem = evolve(problem, costs=())
    limits = Limits(seconds=seconds, answers=None if best else 2 if proof else 1)
    run = search(problem, goal="minimum" if best else "all", limits=limits)
    answers: list[Any] = list(run)
    done = run.status in (Status.EXHAUSTED, Status.SOLVED)
    return (run.best if best else len(answers)), done, answers, cpu() - begin


def clingo(board: Board, proof: bool, seconds: float) -> Told:
    """Ground the program, and solve."""
    from clingo import Control

    best = proof and board.best
    control = Control(["--warn=none", "0" if best else "2" if proof else "1"])
    control.add("base", [], program(board, best))
    control.ground([("base", [])])
    begin = cpu()
    shown: list[Any] = []
    costs: list[int] = []

    def keep(model: Any) -> None:
        shown.append([str(atom) for atom in model.symbols(shown=True)])
        costs.extend(model.cost)

    with control.solve(on_model=keep, async_=True) as handle:
        done = handle.wait(seconds)
        if not done:
            handle.cancel()
        result = handle.get()
    spent = cpu() - begin
    answers = [atoms(one) for one in (shown[-1:] if best else shown)]
    proved = done and (bool(shown) or result.unsatisfiable)
    return (costs[-1] if best and costs else len(answers)), proved, answers, spent


def cpsat(board: Board, proof: bool, seconds: float) -> Told:
    """Make the model, and solve it; then once more without the answer."""
    best = proof and board.best
    model = DrawnModel(board, best)
    begin = cpu()
    status, answer, goal = model.solve(seconds)
    answers: list[Any] = [answer] if answer else []
    if proof and not best and status == "found":
        model.differ(answer)
        status, answer, _ = model.solve(max(seconds - (cpu() - begin), 0.1))
        answers += [answer] if status == "found" else []
    return (goal if best else len(answers)), status != "late", answers, cpu() - begin


SOLVERS: dict[str, Callable[[Board, bool, float], Told]] = {"covr": covr, "clingo": clingo, "cpsat": cpsat}


def taken(board: Board, model: Model, answer: Any) -> tuple[int, ...]:
    """An answer as options of covr's problem; one that is no choice of the model becomes -1."""
    if isinstance(answer, tuple):
        return answer
    number = {str(model.compiled.choice(o)): o for o in range(model.compiled.problem.options)}
    return tuple(sorted(number.get(name, -1) for name in choices(board, answer)))


def sound(board: Board, answers: list[Any], found: int | None, best: bool) -> bool:
    """Whether all answers are answers of covr's model, all different, and of the value that was told."""
    model = load(board.model, **board.params())
    problem = model.compiled.problem
    options = [taken(board, model, answer) for answer in answers]
    if any(min(o, default=0) < 0 or check(problem, o) is not None for o in options) or len(set(options)) < len(options):
        return False
    return not best or not options or min(cost(problem, o) for o in options) == found


def main() -> None:
    solver, name, question, seconds = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
    small = Board("hitori", "hitori", {"number": {(1, 1): 1, (1, 2): 1, (2, 1): 1, (2, 2): 2}})
    SOLVERS[solver](small, True, 5.0)
    if solver == "covr" and INSTALLED:
        list(search(load(small.model, **small.params()).compiled.problem, settings=Settings(engine="clingo")))
    board, proof = {**BOARDS, **LARGE}[name](), question == "proof"
    begin = cpu()
    found, proved, answers, searched = SOLVERS[solver](board, proof, seconds)
    spent = cpu() - begin
    right = sound(board, answers, found, proof and board.best)
    print(json.dumps({"found": found, "proved": proved, "sound": right, "seconds": spent, "search": searched}))


if __name__ == "__main__":
    main()
