"""`python -m benchmarks pieces`: how busy processes are that answer the pieces of a folder (runs/folder_results.py).

Two tables go into results.md. The first is measured: 1, 2, 4 and 8 processes answer one folder on this machine.
The second is simulated from the times of the pieces of that folder, for a job that keeps each of 10 to 10 000 workers
busy for an hour; the times are stretched as `--cut-after` would make them. It compares three ways to share:

    apart     a task has one of the first pieces and all of its parts, as `covr piece FOLDER N` does
    shared    whoever is done takes parts of any piece, as with `--all`
    cut       also, once somebody waits, pieces are cut of which less than half is done: what covr does with `--all`

The simulation knows no cost of a piece but that which was measured with one process.
"""

from __future__ import annotations

import datetime
import heapq
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click
from attrs import frozen

from benchmarks import document
from benchmarks.measure import processor
from covr.runs import folder_results as results
from covr.runs.folder_claims import BEAT
from covr.runs.folder_results import read_head
from covr.runs.folder_work import DONE_ENOUGH, PARTS

MODEL = ("queens", "-D", "n=16")
PIECES, CUT_AFTER = 60, 0.2  # of the folder that is measured; seconds
HOUR = 3600.0  # seconds of work for each worker that is simulated
PROCESSES, WORKERS = (1, 2, 4, 8), (10, 100, 1000, 10_000)
WAYS = ("apart", "shared", "cut")


@frozen
class Measured:
    """A folder that was answered. roots: per first piece, the seconds of its parts.  seconds: by the clock.  spent: of
    CPU time, by all processes together."""

    roots: Sequence[Sequence[float]]
    seconds: float
    spent: float

    @property
    def work(self) -> float:
        """Seconds inside the searches."""
        return sum(map(sum, self.roots))


@frozen
class Shared:
    """What became of a simulation. seconds: until the last piece is done.  again: seconds that were spent on pieces
    before they were cut."""

    seconds: float
    again: float


def simulate(roots: Sequence[Sequence[float]], workers: int, way: str, beat: float = BEAT) -> Shared:
    """Let workers answer pieces. Time grows with the number of parts and its logarithm.

    roots: per piece, the seconds of its parts, which are answered in this order.
    """
    waiting = [[sum(parts)] for parts in roots] if way == "apart" else [list(parts) for parts in roots]
    queue = [seconds for parts in reversed(waiting) for seconds in reversed(parts)]
    running: list[tuple[float, float]] = []  # when each is done, and how long it takes
    now = again = 0.0
    while queue or running:
        while queue and len(running) < workers:
            seconds = queue.pop()
            heapq.heappush(running, (now + seconds, seconds))
        if way == "cut" and len(running) < workers:
            now, lost = _cut(running, queue, now + beat)
            again += lost
            if lost or not running:
                continue
        now = heapq.heappop(running)[0]
        while running and running[0][0] <= now:
            heapq.heappop(running)
    return Shared(now, again)


def _cut(running: list[tuple[float, float]], queue: list[float], then: float) -> tuple[float, float]:
    """Cut what is to be cut at the next beat, if anything runs so long; returns the time, and the seconds lost."""
    long = [one for one in running if one[0] - then > DONE_ENOUGH * one[1]]
    if not long:
        return running[0][0], 0.0
    gone = set(map(id, long))
    running[:] = [one for one in running if id(one) not in gone and one[0] > then]
    heapq.heapify(running)
    for _, seconds in long:
        queue += [seconds / PARTS] * PARTS
    return then, sum(seconds - (end - then) for end, seconds in long)


def stretched(measured: Measured, workers: int, cut_after: float, rng: random.Random) -> list[list[float]]:
    """Pieces like those that were measured, drawn at random: an hour of work for each worker."""
    times = cut_after / CUT_AFTER
    pieces: list[list[float]] = []
    left = workers * HOUR
    while left > 0:
        piece = [seconds * times for seconds in rng.choice(measured.roots)]
        pieces.append(piece)
        left -= sum(piece)
    return pieces


def made(place: Path) -> Path:
    """A folder of pieces, with nothing answered."""
    _covr(place, "count", *MODEL, "--run", "a.run", "--limit-time", "0")
    _covr(place, "split", "a.run", "-n", str(PIECES), "--cut-after", str(CUT_AFTER))
    return place / "a.pieces"


def answered(folder: Path, processes: int) -> Measured:
    """Let some processes answer a folder."""
    used, began = os.times(), time.perf_counter()
    words = [sys.executable, "-m", "covr", "piece", str(folder), "--all"]
    crew = [subprocess.Popen(words, stdout=subprocess.DEVNULL) for _ in range(processes)]
    for process in crew:
        if process.wait():
            raise RuntimeError("a process failed")
    seconds, now = time.perf_counter() - began, os.times()
    spent = now.children_user + now.children_system - used.children_user - used.children_system
    return Measured(times(folder), seconds, spent)


def times(folder: Path) -> list[list[float]]:
    """Per first piece of a folder, the seconds of its parts."""
    head, found = read_head(folder), []
    for root in head.tasks:
        pending, parts = [root], []
        while pending:
            outcome = results.read(head, pending.pop())
            assert outcome is not None, "the folder is answered"
            parts.append(outcome.result.seconds)
            pending += reversed(outcome.children)
        found.append(parts)
    return found


def _covr(place: Path, *words: str) -> None:
    subprocess.run([sys.executable, "-m", "covr", *words], cwd=place, capture_output=True, check=False)


@click.command()
@click.option("--write", is_flag=True, help="Put the tables into benchmarks/results.md.")
def command(write: bool) -> int:
    """Measure and simulate."""
    measured: dict[int, Measured] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = made(Path(place))
        for processes in PROCESSES:
            copy = Path(place) / f"{processes}.pieces"
            shutil.copytree(folder, copy)
            measured[processes] = answered(copy, processes)
    cores = len(os.sched_getaffinity(0))
    one = measured[1]
    rows = [
        [str(n), f"{m.seconds:.1f} s", f"{m.spent:.1f} s", f"{100 * m.work / m.spent:.0f} %",
         f"{100 * one.work / (m.seconds * min(n, cores)):.0f} %"]
        for n, m in measured.items()
    ]  # fmt: skip
    head = ["processes", "by the clock", "CPU time", "of it in searches", f"of the {cores} cores at work"]
    parts = sorted(seconds for piece in one.roots for seconds in piece)
    text = (
        f"{datetime.date.today()}, {processor()}. `covr count {' '.join(MODEL)}` in {len(one.roots)} pieces with "
        f"`--cut-after {CUT_AFTER:g}`, which became {len(parts)}: half of them took no longer than "
        f"{parts[len(parts) // 2]:.2f} s, the longest {parts[-1]:.2f} s; of the first pieces the longest took "
        f"{max(map(sum, one.roots)):.2f} s with all its parts. `covr piece --all`, other work beside it:\n\n"
        + document.table(head, rows)
        + "\n\nHow busy workers are in a job of an hour for each, simulated from these times:\n\n"
    )
    table = []
    for workers in WORKERS:
        row = [f"{workers:,}".replace(",", " ")]
        for way in WAYS:
            pieces = stretched(one, workers, 60.0, random.Random(1))
            work = sum(map(sum, pieces))
            row.append(f"{100 * work / (workers * simulate(pieces, workers, way).seconds):.0f} %")
        table.append(row)
    text += document.table(["workers", "each its own pieces", "parts shared", "cut for those that wait"], table)
    if write:
        document.replace("pieces", f"## How busy the processes are\n\n{text}")
    print(text)
    return 0


def main(args: list[str]) -> int:
    """Run the benchmark."""
    return int(command.main(args, standalone_mode=False) or 0)
