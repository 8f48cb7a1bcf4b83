"""`python -m benchmarks queueing`: what 10, 1000 and 100 000 cores would do with a run in pieces.

Three things are measured: how the subproblems of a real run file fall out (how long each piece took, and how the work
below a piece that was cut is shared among its children), what a piece costs the asker and the scheduler of a Dask
cluster, and how long an empty one takes there and back. With them a queue is simulated: a job of so much work is cut
down by shares drawn from those measured, pieces go to whoever is free, the largest first, and the asker handles one
piece at a time.
"""

from __future__ import annotations

import datetime
import heapq
import json
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import click
from attrs import frozen

from benchmarks import document
from benchmarks.measure import processor
from covr.engine.pieces.piece_search import CROWD, farthest
from covr.engine.pieces.piece_work import FAR, FEWEST_PARTS, LOOKS, MOST_PARTS

CORES = (10, 1000, 100_000)
BUDGETS = (1.0, 10.0, 100.0, 1000.0)  # seconds that a piece should take
EACH = 3600.0  # seconds of work for every core
EMPTY = 2000  # tasks that measure what one costs
MOST_PIECES = 8_000_000  # that are simulated
DONE, CUT = 1, 2  # as in covr/runs/contents.py
DIGITS = 4


@frozen
class MeasuredTask:
    """title: of what.  seconds: of the pieces that were done.  spent: on those that were cut.  shares: per cut, what
    part of the work below it each child has."""

    title: str
    seconds: Sequence[float]
    spent: Sequence[float]
    shares: Sequence[Sequence[float]]


@frozen
class QueueTask:
    """each: CPU seconds of the asker and the scheduler for a piece.  trip: seconds for an empty one, there and back."""

    each: float
    trip: float


@frozen
class TaskOutcome:
    """pieces: how many were done or cut.  seconds: until the last was."""

    pieces: int
    seconds: float


def read(file: Path) -> MeasuredTask:
    """The pieces of a run file that is through."""
    base = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    rows = base.execute("SELECT name, state, seconds FROM pieces WHERE stage = 0").fetchall()
    about = dict(base.execute("SELECT key, value FROM about").fetchall())
    base.close()
    params = "".join(f" -D {name}={text}" for name, text, *_ in json.loads(about["params"]))
    title = f"covr {json.loads(about['question'])['command']} {json.loads(about['model'])[0]}{params}"
    work = {name: seconds for name, state, seconds in rows if state == DONE}
    below: dict[str, list[float]] = {}
    for name in sorted((name for name, state, _ in rows if name), key=len, reverse=True):
        total = work.get(name, 0.0) + sum(below.get(name, ()))
        below.setdefault(name[:-DIGITS], []).append(total)
    shares = [[one / sum(found) for one in found] for found in below.values() if sum(found) > 0]
    return MeasuredTask(title, list(work.values()), [s for _, state, s in rows if state == CUT], shares)


def run_file(folder: Path, words: Sequence[str], jobs: int) -> Path:
    """The file of a run that is made here."""
    file = folder / "queue.run"
    command = [sys.executable, "-m", "covr", "count", *words, "--run", str(file), "--jobs", str(jobs), "-q"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return file


def measure_task() -> QueueTask:
    """By pieces with nothing in them, through a cluster of two processes on this machine."""
    from covr.engine import build
    from covr.engine.pieces.ledger import Ask
    from covr.engine.pieces.ledger import Task as Piece
    from covr.engine.pieces.piece import Pieces
    from covr.engine.pieces.split import Prefix
    from covr.runs.cluster import Cluster

    crew = Cluster("local", 2)
    try:
        crew.start(Pieces(build([(1, 1)] * 12, [[i] for i in range(12)]), Ask("count")))
        with patch("covr.runs.cluster.MOST", 1):  # one a task, as those are that take a second
            _empty(crew, [Piece(f"w{k}", Prefix()) for k in range(20)])
            trips = []
            for k in range(50):
                begin = time.perf_counter()
                _empty(crew, [Piece(f"t{k}", Prefix())])
                trips.append(time.perf_counter() - begin)
            begin = time.process_time()  # the scheduler of a local cluster lives in this process, its workers don't
            _empty(crew, [Piece(f"{k}", Prefix()) for k in range(EMPTY)])
            return QueueTask((time.process_time() - begin) / EMPTY, statistics.median(trips))
    finally:
        crew.stop()
        crew.close()


def _empty(crew: object, tasks: Sequence[object]) -> None:
    for task in tasks:
        crew.submit(task, None, None)  # type: ignore[attr-defined]
    left = len(tasks)
    while left:
        left -= len(crew.reports(1.0))  # type: ignore[attr-defined]


def simulate(
    work: float, cores: int, budget: float, measured: MeasuredTask, task: QueueTask, seed: int = 1
) -> TaskOutcome:
    """List scheduling with one asker: a piece that is done or cut occupies it for `task.each`, and then the heaviest
    open one goes to the core that is free first."""
    rng, far = random.Random(seed), farthest(cores) or FAR
    free = [0.0] * cores
    open_pieces = [-work]
    going: list[tuple[float, float]] = []  # when it is over, its size; negative: it is cut then
    asker = now = 0.0
    pieces = 0
    while open_pieces or going:
        while open_pieces and (len(going) < 2 * cores or not going):
            size = -heapq.heappop(open_pieces)
            start = max(heapq.heappop(free), asker + task.trip)
            long = size > far * budget
            over = start + (_looked(size / budget) * budget if long else size)
            heapq.heappush(free, over)
            heapq.heappush(going, (over, -size if long else size))
        now, size = heapq.heappop(going)
        asker = max(asker, now) + task.each
        pieces += 1
        if size < 0:
            for share in _parts(rng.choice(measured.shares), -size / budget):
                if share > 0:
                    heapq.heappush(open_pieces, size * share)
    return TaskOutcome(pieces, max(now, asker))


def _looked(budgets: float) -> float:
    """How many budgets are spent on a piece of so many until it is cut (engine/pieces/piece_work.py)."""
    return max(1 / budgets, 1 / LOOKS)


def _parts(shares: Sequence[float], budgets: float) -> Sequence[float]:
    """Shares as a piece of so many budgets is cut: fewer where it is small. Neighbours are put together."""
    wanted = int(min(max(budgets, FEWEST_PARTS), MOST_PARTS))
    if len(shares) <= wanted:
        return shares
    step = len(shares) / wanted
    return [sum(shares[int(k * step) : int((k + 1) * step)]) for k in range(wanted)]


def _cell(cores: int, budget: float, measured: MeasuredTask, task: QueueTask) -> str:
    """How busy the cores are."""
    work = EACH * cores
    if 2 * work / budget > MOST_PIECES:  # then by what the asker can handle
        return f"< {100 * budget / task.each / cores:.1f} %"
    outcome = simulate(work, cores, budget, measured, task)
    return f"{100 * work / cores / outcome.seconds:.0f} %"


def _quantiles(values: Sequence[float]) -> str:
    ordered = sorted(values)
    at = [ordered[min(int(q * len(ordered)), len(ordered) - 1)] for q in (0.5, 0.9, 0.99, 1.0)]
    return " / ".join(f"{v:.3g}" for v in at)


@click.command("queue")
@click.option("--file", type=click.Path(path_type=Path), help="A run file that is through, instead of a run made here.")
@click.option("--jobs", default=2, show_default=True, help="Threads of the run.")
@click.argument("words", nargs=-1)
def command(file: Path | None, jobs: int, words: Sequence[str]) -> int:
    """Measure, simulate and write results.md. WORDS: the model and its params, `queens -D n=17` without any."""
    words = words or ("queens", "-D", "n=17")
    with tempfile.TemporaryDirectory() as folder:
        measured = read(file or run_file(Path(folder), words, jobs))
    task = measure_task()
    rows = []
    for cores in CORES:
        budgets = (*BUDGETS, max(cores / CROWD, 1.0))
        rows.append([f"{cores:,}".replace(",", " "), *(_cell(cores, b, measured, task) for b in budgets)])
    spent = sum(measured.spent) / max(sum(measured.seconds) + sum(measured.spent), 1e-9)
    text = "\n\n".join([
        f"{datetime.date.today()}, {processor()}, CPU time. `{measured.title}` took "
        f"{len(measured.seconds)} pieces and {sum(measured.seconds):.0f} s; half of them / 90 % / 99 % / all took no "
        f"longer than {_quantiles(measured.seconds)} s each; {len(measured.spent)} were cut, after "
        f"{100 * spent:.1f} % of the whole time. A piece costs the asker and the scheduler {1e3 * task.each:.2f} ms, "
        f"so that {1 / task.each:.0f} a second is all they handle; an empty one is back after "
        f"{1e3 * task.trip:.1f} ms.",
        "How busy the cores are in a job of an hour for each, simulated:",
        document.table(["cores", *(f"pieces of {b:.0f} s" for b in BUDGETS), "as covr makes them"], rows),
    ])  # fmt: skip
    print(text)
    document.replace("queue", f"## How busy the cores of a cluster are\n\n{text}")
    return 0


def main(args: list[str]) -> int:
    return int(command.main(args, standalone_mode=False) or 0)
