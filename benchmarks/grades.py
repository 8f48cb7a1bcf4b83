"""`python -m benchmarks grades FILE`: how well grades agree with the ratings of a published scale.

FILE is a table (CSV) with a header and the columns `puzzle` and `rating`: a sudoku of 81 characters, and a number that
is the greater, the harder the puzzle is. Every puzzle is graded as `covr grade sudoku` does. What is reported is
Spearman's rank correlation: 1 if both order the puzzles alike, 0 if they have nothing to do with each other, and -1 if
one order is the reverse of the other. Only orders are compared, because the two scales count different things.
"""

from __future__ import annotations

import csv
import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

PROGRESS = 20  # puzzles from one line of progress to the next


def ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value, from 1; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=lambda k: values[k])
    found = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for k in order[first : last + 1]:
            found[k] = (first + last) / 2 + 1
        first = last + 1
    return found


def spearman(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Spearman's rank correlation of two lists of the same length, with ties: Pearson's of the ranks. None if all
    values of a list are equal, or there are fewer than two."""
    a, b = ranks(one), ranks(other)
    mean = (len(a) + 1) / 2
    spread = math.sqrt(sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b))
    if not spread:
        return None
    return sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True)) / spread


def read(file: Path) -> list[tuple[str, float]]:
    """The puzzles of a table and their ratings. Raises click.UsageError, with the line, for anything else."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise click.UsageError(f"{file} can't be read: {fault}") from fault
    rows = csv.DictReader(text.splitlines())
    if not {"puzzle", "rating"} <= set(rows.fieldnames or ()):
        raise click.UsageError(f"{file} needs a header with the columns `puzzle` and `rating`")
    found = []
    for row in rows:
        puzzle, rating = row["puzzle"] or "", row["rating"] or ""
        if len(puzzle) != 81:
            raise click.UsageError(f"{file}, line {rows.line_num}: a puzzle has 81 characters, not {len(puzzle)}")
        try:
            found.append((puzzle, float(rating)))
        except ValueError as fault:
            raise click.UsageError(f"{file}, line {rows.line_num}: `{rating}` is no number") from fault
        if not math.isfinite(found[-1][1]):
            raise click.UsageError(f"{file}, line {rows.line_num}: `{rating}` is no rating")
    return found


def graded(puzzle: str) -> float | None:
    """The grade of a sudoku; None if it does not have exactly one answer."""
    import covr

    path = covr.load("sudoku", clue=puzzle).hints()
    return None if path.solvable is False or path.open else path.grade.figure


@click.command("grades")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--most", default=200, show_default=True, help="Grade the first so many puzzles only.")
@click.option("-o", "output", type=click.Path(path_type=Path), help="Also write a table of puzzle, rating and grade.")
def command(file: Path, most: int, output: Path | None) -> int:
    """Compare grades with the ratings in FILE (columns `puzzle` and `rating`)."""
    found: list[tuple[str, float, float]] = []
    left_out = 0
    begin = time.process_time()
    for number, (puzzle, rating) in enumerate(read(file)[:most], 1):
        grade = graded(puzzle)
        if grade is None:
            left_out += 1
        else:
            found.append((puzzle, rating, grade))
        if number % PROGRESS == 0:
            print(f"{number} puzzles, {time.process_time() - begin:.0f} s", file=sys.stderr)
    if output is not None:
        with output.open("w", newline="", encoding="utf-8") as table:
            csv.writer(table).writerows([("puzzle", "rating", "grade"), *found])
    agreement = spearman([rating for _, rating, _ in found], [grade for *_, grade in found])
    if left_out:
        print(f"{left_out} puzzles have no answer, or several, and are left out")
    if agreement is None:
        print(f"{len(found)} puzzles: there is no rank correlation, because all ratings or all grades are equal")
        return 1
    print(f"{len(found)} puzzles: rank correlation {agreement:.3f} (Spearman)")
    return 0


def main(words: list[str]) -> int:
    """Run the benchmark with these words of the command line."""
    try:
        return int(command.main(words, standalone_mode=False) or 0)
    except click.ClickException as fault:
        fault.show()
        return 2
