"""`python -m benchmarks make`: minimal sudokus by `Model.make`, against filling a grid row by row and removing clues;
and puzzles of kinds whose clues rules read.

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
    from covr.engine.puzzles.clues import Uniqueness

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
    from covr.engine.puzzles.clues import Uniqueness

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


def engine_alone(number: int, seed: int) -> tuple[float, float]:
    """CPU seconds for so many random answers, as `make` draws them, and for leaving out clues of them: what the
    row-by-row way is compared with, without names and text."""
    import covr
    from covr.engine.puzzles.clues import RandomAnswers, Uniqueness, thin

    asked = Uniqueness(covr.load("sudoku", clue="." * 81).problem)
    source = RandomAnswers(asked)
    rng = random.Random(seed)
    source.draw(rng)
    begin = time.process_time()
    answers = [source.draw(rng) for _ in range(number)]
    middle = time.process_time()
    for answer in answers:
        assert answer is not None
        thin(asked, answer, [(o,) for o in answer], rng)
    return middle - begin, time.process_time() - middle


def blank(rows: int, columns: int) -> str:
    return "\n".join(["." * columns] * rows)


def blacks(side: int, seed: int) -> str:
    """A board with a fifth of its squares black, the same after half a turn."""
    rng = random.Random(seed)
    black = set(rng.sample(range(side * side), side * side // 10))
    black |= {side * side - 1 - k for k in black}
    return "\n".join("".join("#" if side * r + c in black else "." for c in range(side)) for r in range(side))


HIDATO = '''
param clue = grid """
BOARD
"""
let board = frame(clue)
let n = size(board)
let near(r, c) = {(i, j) for i in r - 1..r + 1, j in c - 1..c + 1 where (i, j) in board and (i, j) != (r, c)}
cells (r, c) in board
choose at(r, c, k) for k in 1..n
exactly one at per r, c
exactly one at per k
if at(r, c, k) then some at(i, j, k + 1) for (i, j) in near(r, c) where k < n
if at(r, c, k) then some at(i, j, k - 1) for (i, j) in near(r, c) where k > 1
given at(x[1], x[2], clue[x]) for x in clue
show k of at at r, c
'''.replace("BOARD", blank(8, 8))


def runs(side: int, seed: int) -> dict[str, object]:
    """A kakuro without clues: black squares in the first row and column, and others that are the same after half a turn
    of the rest, so that every run has two to five squares."""
    rng = random.Random(seed)
    inner = range(1, side)
    while True:
        black = {(r, c) for r in inner for c in inner if rng.random() < 0.25}
        black |= {(side - r, side - c) for r, c in black}
        rows = ["".join("#" if not r or not c or (r, c) in black else "." for c in range(side)) for r in range(side)]
        lines = [*rows[1:], *("".join(row[c] for row in rows) for c in inner)]
        if all(2 <= len(run) <= 5 for line in lines for run in line.split("#") if run):
            return {"across": "\n".join(rows), "down": blank(side, side)}


# Kind, what is made, the seconds that are wanted, and the data that are not those of the gallery.
KINDS: tuple[tuple[str, str, int, dict[str, object]], ...] = (
    ("slitherlink", "10 × 10", 5, {"clue": blank(10, 10)}),
    ("akari", "10 × 10", 1, {"board": blacks(10, 1)}),
    ("nonogram", "15 × 15", 1, {"rows": ["?"] * 15, "columns": ["?"] * 15}),
    ("kakuro", "8 × 8", 10, runs(8, 5)),
    ("minesweeper", "10 × 10", 5, {"clue": blank(10, 10)}),
    ("kuromasu", "9 × 9", 5, {"clue": blank(9, 9)}),
    ("masyu", "8 × 8", 5, {"pearl": blank(8, 8)}),
    ("tapa", "7 × 7", 10, {"clue": blank(7, 7)}),
    ("hidato", "8 × 8", 10, {}),
    ("sudoku", "9 × 9, of grade 5 to 6", 30, {"clue": "." * 81}),
)
GRADES = {"sudoku": (5.0, 6.0)}
PATIENCE = 60.0  # seconds for a puzzle


def kinds(seeds: int) -> list[list[str]]:
    """For each kind: CPU seconds for a puzzle, in the middle and at most, and its clues on average."""
    import covr

    rows = []
    for name, size, wanted, data in KINDS:
        model = covr.loads(HIDATO) if name == "hidato" else covr.load(name, **data)
        seconds, clues = [], []
        for seed in range(seeds):
            begin = time.process_time()
            puzzles = model.make(1, seed=seed, jobs=1, limit_time=PATIENCE, grade=GRADES.get(name))
            if puzzles:
                seconds.append(time.process_time() - begin)
                clues.append(len(puzzles[0]))
        made = f"{len(seconds)} of {seeds}"
        if seconds:
            middle, most = sorted(seconds)[len(seconds) // 2], max(seconds)
            rows.append(
                [name, size, str(wanted), made, f"{middle:.1f}", f"{most:.1f}", f"{sum(clues) / len(clues):.0f}"]
            )
        else:
            rows.append([name, size, str(wanted), made, "", "", ""])
        print(*rows[-1], flush=True)
    return rows


KIND_HEADS = ["kind", "board", "wanted, s", "made", "s, in the middle", "s, at most", "clues"]


@click.command("make")
@click.option("--kinds", "seeds", default=5, show_default=True, help="How many puzzles of each other kind.")
@click.option("--only-kinds", is_flag=True, help="Only the other kinds; nothing is written.")
@click.option("--puzzles", "number", default=200, show_default=True, help="How many are made each time.")
@click.option("--rounds", default=3, show_default=True, help="Runs of each; the least time counts.")
def command(number: int, rounds: int, seeds: int, only_kinds: bool) -> int:
    """Measure making sudokus and puzzles of other kinds, and write benchmarks/results.md."""
    others = kinds(seeds)
    if only_kinds:
        return 0
    covr_way(1, 0)
    made, drawn, thinned, filled, removed = ([] for _ in range(5))
    clues = {"covr": 0.0, "rows": 0.0}
    for seed in range(rounds):
        seconds, clues["covr"] = covr_way(number, seed)
        made.append(seconds)
        draw, leave = engine_alone(number, seed)
        drawn.append(draw)
        thinned.append(leave)
        fill, remove, clues["rows"] = seeds_way(number, seed)
        filled.append(fill)
        removed.append(remove)
    lists = {"made": made, "drawn": drawn, "thinned": thinned, "filled": filled, "removed": removed}
    each = {name: 1000 * min(times) / number for name, times in lists.items()}
    ours, theirs = each["drawn"] + each["thinned"], each["filled"] + each["removed"]
    rows = [
        [
            "covr, the engine alone", f"{each['drawn']:.2f}", f"{each['thinned']:.2f}", f"{ours:.2f}",
            f"{clues['covr']:.1f}",
        ],
        ["row by row", f"{each['filled']:.2f}", f"{each['removed']:.2f}", f"{theirs:.2f}", f"{clues['rows']:.1f}"],
        [
            "ratio", f"{each['filled'] / each['drawn']:.1f}", f"{each['removed'] / each['thinned']:.1f}",
            f"{theirs / ours:.1f}", "",
        ],
        ["`Model.make`, with names and text", "", "", f"{each['made']:.2f}", f"{clues['covr']:.1f}"],
        ["ratio", "", "", f"{theirs / each['made']:.2f}", ""],
    ]  # fmt: skip
    heads = ["", "a filled grid, ms", "removing clues, ms", "a minimal sudoku, ms", "clues on average"]
    text = "\n\n".join([
        "## Making puzzles",
        f"{datetime.date.today()}, {processor()}, one process, CPU time, the best of {rounds} runs of {number} "
        "puzzles, in a running process. Both ways ask the same kernel whether a puzzle has one answer: row by row, one "
        "question after the other. `Model.make` also names the clues, writes the line of text and reads it back, and "
        "loads the model and its engine; the other way does none of this.",
        document.table(heads, rows),
        f"Other kinds, mostly such whose clues rules read, {seeds} puzzles of each, one process, CPU time. The black "
        "squares of the kakuro are one of twelve layouts that were drawn: on eight of the others a puzzle was found in "
        "0.3 to 5 s, and on three none in 8 to 13 s. Nine nonograms took 0.6 to 2.9 s, 1.0 in the middle.",
        document.table(KIND_HEADS, others),
    ])  # fmt: skip
    print(text)
    document.replace("make", text)
    return 0


def main(words: list[str]) -> int:
    """Run the benchmark with these words of the command line."""
    return int(command.main(words, standalone_mode=False) or 0)
