"""`python -m benchmarks first`: one answer of ten sudokus of 25 by 25, with clingo and without it.

The puzzles are made here: rows, columns and digits of the plain pattern in random order within what keeps a sudoku one,
of which 281 of 625 cells are given. They may have more answers than one.
"""

from __future__ import annotations

import datetime
import random
import time

import click

import covr
from benchmarks import document
from benchmarks.measure import processor
from covr.engine import Limits, Problem, Settings, check, search
from covr.engine.base.limits import Status
from covr.engine.outside import clingo

BOX, SIZE = 5, 25
GIVEN = 281  # 45 % of the cells
STEP = 1000  # nodes between two looks at the clock; a call takes as long as ten nodes


def puzzle(seed: int) -> str:
    """A line of digits for each row, `.` where there is none."""
    rng = random.Random(seed)

    def lines() -> list[int]:
        return [BOX * band + line for band in rng.sample(range(BOX), BOX) for line in rng.sample(range(BOX), BOX)]

    rows, columns, digits = lines(), lines(), rng.sample(range(1, SIZE + 1), SIZE)
    full = [[digits[(BOX * (r % BOX) + r // BOX + c) % SIZE] for c in columns] for r in rows]
    kept = set(rng.sample(range(SIZE * SIZE), GIVEN))
    return "\n".join(
        " ".join(str(full[r][c]) if SIZE * r + c in kept else "." for c in range(SIZE)) for r in range(SIZE)
    )


def first(problem: Problem, learning: bool, longest: float) -> tuple[float, str]:
    """CPU seconds until the first answer, and which way found it; stops after so many seconds."""
    installed, clingo.INSTALLED = clingo.INSTALLED, clingo.INSTALLED and learning
    try:
        begin = time.process_time()
        run = search(problem, limits=Limits(answers=1), settings=Settings(jobs=1))
        while run.status is Status.RUNNING and time.process_time() - begin < longest:
            run.step(STEP)
        used = time.process_time() - begin
    finally:
        clingo.INSTALLED = installed
    for answer in run.waiting():
        wrong = check(problem, answer)
        if wrong:
            raise AssertionError(wrong)
    return used, run.engine if run.status is Status.SOLVED else ""


@click.command("first")
@click.option("--puzzles", default=10, show_default=True)
@click.option("--timeout", default=20.0, show_default=True, help="CPU seconds a run may take.")
def command(puzzles: int, timeout: float) -> int:
    """Measure first answers and write benchmarks/results.md."""
    rows = []
    for seed in range(puzzles):
        problem = covr.load("sudoku", box=BOX, clue=puzzle(seed)).problem
        row = [f"{seed}"]
        for learning in (True, False):
            if learning and not clingo.INSTALLED:
                row += ["not installed", ""]
                continue
            used, engine = first(problem, learning, timeout)
            row += [f"{used:.2f}" if engine else f"more than {timeout:g}", engine]
        rows.append(row)
        print(*row, flush=True)
    heads = ["puzzle", "with clingo, s", "found by", "without, s", "found by"]
    text = "\n\n".join([
        "## The first answer of 25×25 sudokus",
        f"{datetime.date.today()}, {processor()}, one thread, CPU time. {GIVEN} of {SIZE * SIZE} cells are given.",
        document.table(heads, rows),
    ])  # fmt: skip
    document.replace("first", text)
    return 0


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks first", standalone_mode=False) or 0)
