"""`python -m benchmarks batch`: thousands of sudokus, one a line, uniqueness proved: engine and whole process.

The files are others' work and not here: they are read from beside the project, or from `--data`.
"""

from __future__ import annotations

import datetime
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from benchmarks import document
from benchmarks.measure import processor
from benchmarks.published import BESIDE

FILES = ("sudoku17_1000.txt", "hard11_1000.txt")
REPEAT = 10  # times over, for the whole process


@click.command("batch")
@click.option("--data", "folder", type=click.Path(path_type=Path), default=BESIDE / "data", help="Where the files are.")
@click.option("--rounds", default=5, show_default=True, help="Runs of each; the least time counts.")
def command(folder: Path, rounds: int) -> int:
    """Measure batches and write benchmarks/results.md."""
    rows, absent = [], []
    for name in FILES:
        if not (folder / name).exists():
            absent.append(f"{name} is not at hand")
            continue
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        engine = min(_engine(lines) for _ in range(rounds)) / len(lines)
        start = min(_process(lines[:1]) for _ in range(rounds))
        whole = min(_process(lines * REPEAT) for _ in range(rounds))
        each = (whole - start) / (len(lines) * REPEAT)
        times = [f"{1e6 * engine:.1f}", f"{1e6 * each:.1f}", f"{each / engine:.2f}", f"{start:.2f}"]
        rows.append([name, f"{len(lines)}", *times])
    heads = ["", "puzzles", "engine, µs each", "`covr solve --each`, µs each", "ratio", "start-up, s"]
    text = "\n\n".join([
        "## Thousands of sudokus",
        f"{datetime.date.today()}, {processor()}, one thread, CPU time, uniqueness proved. The process is given each "
        f"file {REPEAT} times over, and its start-up is that of one puzzle.",
        document.table(heads, rows),
        "Left out: " + ("; ".join(absent) or "nothing") + ".",
    ])  # fmt: skip
    print(text)
    if rows:
        document.replace("batch", text)
    return 0


def _engine(lines: list[str]) -> float:
    """CPU seconds to solve puzzles that are option numbers already."""
    import covr
    from covr.engine import BatchTemplate

    template = BatchTemplate(covr.load("sudoku", clue="." * 81).problem, limit=2)
    givens = [[9 * k + int(c) - 1 for k, c in enumerate(line[:81]) if c in "123456789"] for line in lines]
    template.solve(givens[:1])
    begin = time.process_time()
    for _ in template.stream(givens):
        pass
    return time.process_time() - begin


def _process(lines: list[str]) -> float:
    """CPU seconds of the command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "covr", "solve", "sudoku", "--jobs", "1", "--unique", "--each"]
    text = "\n".join(line[:81] for line in lines)
    folder = Path(__file__).parents[1]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(text + "\n")
        file.flush()
        subprocess.run([*command, f"clue={file.name}"], check=True, capture_output=True, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks batch", standalone_mode=False) or 0)
