"""`python -m benchmarks make`: minimal sudokus by `Model.make`, against filling a grid row by row and removing clues.

The row-by-row way is that of the programs on which covr was modelled: each row is filled from left to right with random
digits that fit, begun anew if none does, and after `ROW_TRIES` times the whole grid is begun anew. Then clues are
removed in random order while the answer stays the only one; that is asked in the same way as covr asks it, so that the
two differ only in where answers come from. Nothing else of covr runs in it: no names, no text.
"""

from __future__ import annotations

import datetime
import random
import time
from typing import TYPE_CHECKING

import click

from benchmarks import document
from benchmarks.measure import processor

if TYPE_CHECKING:
    from covr.engine.clues import Uniqueness

ROW_TRIES = 50  # times that a row is begun before the whole grid is


def row_by_row(rng: random.Random) -> list[int]:
    """A filled grid: 81 digits. Every grid can come out, but not all with the same chance."""
    while True:
        grid: list[int] = []
        for r in range(9):
            row = next((row for row in (_row(grid, r, rng) for _ in range(ROW_TRIES)) if row), None)
            if row is None:
                break
            grid += row
        else:
            return grid


def _row(grid: list[int], r: int, rng: random.Random) -> list[int] | None:
    """A row of random digits that fit; None where it comes to a place where none does."""
    row: list[int] = []
    for c in range(9):
        out = {*row, *grid[c::9]}
        for above in range(r - r % 3, r):
            begin = 9 * above + c - c % 3
            out.update(grid[begin : begin + 3])
        fitting = [v for v in range(1, 10) if v not in out]
        if not fitting:
            return None
        row.append(rng.choice(fitting))
    return row


def one_by_one(asked: Uniqueness, answer: tuple[int, ...], rng: random.Random) -> list[int]:
    """The clues that are left if each is removed, in random order, wherever the answer stays the only one."""
    left = list(answer)
    for o in rng.sample(answer, len(answer)):
        fewer = [other for other in left if other != o]
        if asked.other(answer, fewer) is None:
            left = fewer
    return left


def seeds_way(number: int, seed: int) -> tuple[float, float, float]:
    """CPU seconds for filling so many grids, and for removing clues; and the mean number of clues left."""
    import covr
    from covr.engine.clues import Uniqueness

    rng = random.Random(seed)
    asked = Uniqueness(covr.load("sudoku", clue="." * 81).problem)
    begin = time.process_time()
    grids = [row_by_row(rng) for _ in range(number)]
    middle = time.process_time()
    left = 0
    for grid in grids:
        answer = tuple(9 * k + v - 1 for k, v in enumerate(grid))
        left += len(one_by_one(asked, answer, rng))
    return middle - begin, time.process_time() - middle, left / number


def covr_way(number: int, seed: int) -> tuple[float, float]:
    """CPU seconds for so many puzzles, from the model to lines of text; and the mean number of clues."""
    import covr

    model = covr.load("sudoku", clue="." * 81)
    begin = time.process_time()
    puzzles = model.make(number, seed=seed, jobs=1)
    return time.process_time() - begin, sum(map(len, puzzles)) / number


def answers_alone(number: int, seed: int) -> float:
    """CPU seconds for so many random answers, as `make` draws them."""
    import covr
    from covr.engine.clues import Uniqueness
    from covr.engine.random_answers import RandomAnswers

    source = RandomAnswers(Uniqueness(covr.load("sudoku", clue="." * 81).problem))
    rng = random.Random(seed)
    source.draw(rng)
    begin = time.process_time()
    for _ in range(number):
        source.draw(rng)
    return time.process_time() - begin


@click.command("make")
@click.option("--puzzles", "number", default=200, show_default=True, help="How many are made each time.")
@click.option("--rounds", default=3, show_default=True, help="Runs of each; the least time counts.")
def command(number: int, rounds: int) -> int:
    """Measure making sudokus and write docs/benchmarks.md."""
    covr_way(1, 0)
    made, drawn, filled, removed = ([] for _ in range(4))
    clues = {"covr": 0.0, "rows": 0.0}
    for seed in range(rounds):
        seconds, clues["covr"] = covr_way(number, seed)
        made.append(seconds)
        drawn.append(answers_alone(number, seed))
        fill, remove, clues["rows"] = seeds_way(number, seed)
        filled.append(fill)
        removed.append(remove)
    each = {name: 1000 * min(times) / number for name, times in _named(made, drawn, filled, removed)}
    rows = [
        ["covr make", f"{each['drawn']:.2f}", "", f"{each['made']:.2f}", f"{clues['covr']:.1f}"],
        [
            "row by row", f"{each['filled']:.2f}", f"{each['removed']:.2f}", f"{each['filled'] + each['removed']:.2f}",
            f"{clues['rows']:.1f}",
        ],
        [
            "ratio", f"{each['filled'] / each['drawn']:.2f}", "",
            f"{(each['filled'] + each['removed']) / each['made']:.2f}", "",
        ],
    ]  # fmt: skip
    heads = ["", "a filled grid, ms", "removing clues, ms", "a minimal sudoku, ms", "clues on average"]
    text = "\n\n".join([
        "## Making sudokus",
        f"{datetime.date.today()}, {processor()}, one process, CPU time, the best of {rounds} runs of {number} "
        "puzzles, in a running process. Both ways ask in the same way whether a puzzle has one answer. covr's figure "
        "for the whole includes names, the line of text, and reading it back, which the other way does not do.",
        document.table(heads, rows),
    ])  # fmt: skip
    print(text)
    document.replace("make", text)
    return 0


def _named(*lists: list[float]) -> list[tuple[str, list[float]]]:
    return list(zip(("made", "drawn", "filled", "removed"), lists, strict=True))


def main(words: list[str]) -> int:
    """Run the benchmark with these words of the command line."""
    return int(command.main(words, standalone_mode=False) or 0)
