"""Limits, Ctrl-C, SIGTERM and limits of memory on large problems, for every command and engine: a table, each cell a
process.

A cell is one way of asking about one problem, and what stops it: a limit of time, Ctrl-C, SIGTERM or a limit of memory.
The ordinary suite runs a few cells and lets them take `PATIENT` seconds; `pytest --slow` runs a sample in which every
two of problem, command, engine and stop meet, and holds it to the second. Measured, and with a part of it chosen:

    python -m tests.covr.cli.test_limits_table --pairs    # the sample: some hundred cells
    python -m tests.covr.cli.test_limits_table            # all of it: a day
    python -m tests.covr.cli.test_limits_table --every 7  # every seventh cell
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from attrs import astuple, frozen

pytestmark = pytest.mark.long

LIMIT = 2.0  # seconds, of search
QUICKLY = 0.5  # and in the ordinary suite, which measures nothing
SLACK = 1.0  # seconds that a cell may take beyond it, when it is measured
SHARE = 1.2  # of the limit of memory
MEMORY = 250 << 20  # bytes, beyond what the model takes
PATIENT = 60.0  # seconds after which a cell of the ordinary suite has failed
ADDRESSES = 12 << 30  # bytes of addresses that a cell may have at all

PROBLEMS = {
    "row": "choose f(i) for i in 1..31000\nexactly one f\n",
    "pairs": "choose f(i) for i in 1..22000\nexactly one f per i div 2\n",
    "many pairs": "choose f(i) for i in 1..60000\nexactly one f per i div 2\n",
    "forced": "choose f(i) for i in 1..70000\nexactly one f per i\n",
    "free": "choose f(i) for i in 1..30000\nat most one f per i div 3\n",
    "wholly free": "choose f(i) for i in 1..20000\n",
    "bounded": "choose f(i) for i in 1..30000\nexactly 3 f\n",
    "half": "choose f(i) for i in 1..30000\nexactly 15000 f\n",
    "blocks": "choose f(i) for i in 1..40000\nexactly 2..3 f per i div 7\n",
    "queens": "param n = 60\nchoose q(r, c) for r in 1..n, c in 1..n\nexactly one q per r\nexactly one q per c\n"
    "at most one q per r + c\nat most one q per r - c\n",
    "many queens": "param n = 120\nchoose q(r, c) for r in 1..n, c in 1..n\nexactly one q per r\n"
    "exactly one q per c\nat most one q per r + c\nat most one q per r - c\n",
    "none": "choose f(i, j) for i in 1..150, j in 1..149\nexactly one f per i\nat most one f per j\n",
    "latin": "choose p(r, c, k) for r in 1..36, c in 1..36, k in 1..36\nexactly one p per r, c\n"
    "exactly one p per r, k\nexactly one p per c, k\n",
    "cheapest row": "choose f(i) for i in 1..31000\nexactly one f\nminimize i of f\n",
    "cheapest pairs": "choose f(i) for i in 1..22000\nexactly one f per i div 2\nminimize i mod 17 of f\n",
    "cheapest blocks": "choose f(i) for i in 1..30000\nexactly 2..3 f per i div 7\nminimize i mod 13 of f\n",
    "dearest": "choose f(i, j) for i in 1..120, j in 1..120\nexactly one f per i\nexactly one f per j\n"
    "maximize (i * j) mod 101 of f\n",
    "cover": "choose f(i) for i in 1..20000\nat least one f per i div 5\nat least one f per i mod 4001\n"
    "minimize 1 + i mod 7 of f\n",
    "given": "choose f(i) for i in 1..40000\nexactly one f per i div 4\n"
    "given f(i) for i in 1..20000 where i mod 4 = 0\n",
    "knapsack": "choose f(i) for i in 1..25000\nat most 40 f\nmaximize 1 + (i * 7919) mod 1009 of f\n",
}
ENGINES = ("auto", "bits", "memo", "links", "cover", "highs", "cpsat")
ASKS: dict[str, tuple[str, ...]] = {
    "count": ("count",),
    "count, one thread": ("count", "--jobs", "1"),
    "count, kept": ("count", "--run", "FILE.run"),
    "solve": ("solve", "--format", "line"),
    "solve all": ("solve", "--all", "--format", "line"),
    "solve all, kept": ("solve", "--all", "--format", "line", "--run", "FILE.run"),
    "solve seeded": ("solve", "--seed", "7", "--format", "line"),
    "unique": ("solve", "--unique", "--format", "line"),
    "sample": ("sample", "--format", "line"),
    "test": ("test",),
    "size": ("size",),
    "why": ("why",),
    "spare": ("spare",),
    "trace": ("trace",),
    "check": ("check",),
    "show": ("show",),
    "convert": ("convert",),
}
SEARCHING = {"count", "solve", "sample", "test"}  # take --engine and every limit
OUTSIDE = {"highs", "cpsat"}  # are for a minimum
TIMED = SEARCHING | {"size", "why", "spare"}  # take --limit-time
DOUBLED = {"sample"}  # counts within the limit, and draws within it once more
FORMATS = {"convert": ("-", "--to", "json"), "show": ("--options",)}

STOPS = ("time", "interrupt", "terminate", "memory")
SIGNALS = {"interrupt": signal.SIGINT, "terminate": signal.SIGTERM}

FOUND, NONE, FAULT, UNKNOWN, INTERRUPTED = 0, 1, 2, 3, 130
CODES = {FOUND, NONE, FAULT, UNKNOWN}  # FAULT: an engine that is not for the question says so


@frozen
class Cell:
    """What is asked about which problem, by which engine, and what is to stop it: one of STOPS."""

    problem: str
    ask: str
    engine: str
    stop: str

    @property
    def words(self) -> tuple[str, ...]:
        return ASKS[self.ask]

    @property
    def applies(self) -> bool:
        command = self.words[0]
        if self.engine in OUTSIDE and (self.ask != "solve" or "imize" not in PROBLEMS[self.problem]):
            return False
        if self.engine != "auto" and command not in SEARCHING | {"size"}:
            return False
        if self.stop == "time":
            return command in TIMED
        return self.stop in SIGNALS or command in SEARCHING

    @property
    def pairs(self) -> set[tuple[int, int, str, str]]:
        """Every two of its four features, with their places."""
        return {(i, j, a, b) for (i, a), (j, b) in combinations(enumerate(astuple(self)), 2)}

    def __str__(self) -> str:
        return " · ".join(astuple(self))


@frozen
class Outcome:
    """code: of the process.  seconds: from its start, or from the signal; cpu: seconds of the processor in that time.
    peak: bytes at most."""

    code: int
    seconds: float
    cpu: float
    peak: int
    said: str


def cells() -> Iterator[Cell]:
    for problem in PROBLEMS:
        for ask in ASKS:
            for engine in ENGINES:
                for stop in STOPS:
                    cell = Cell(problem, ask, engine, stop)
                    if cell.applies:
                        yield cell


def pairwise(seed: int = 0) -> list[Cell]:
    """Cells in which every two features meet that meet in the table at all; greedily, what adds most pairs first."""
    left = list(cells())
    random.Random(seed).shuffle(left)
    pairs = [(cell, cell.pairs) for cell in left]
    chosen: list[Cell] = []
    met: set[tuple[int, int, str, str]] = set()
    for gain in range(6, 0, -1):
        for cell, held in pairs:
            if len(held - met) >= gain:
                chosen.append(cell)
                met |= held
    return chosen


def run(cell: Cell, folder: Path, base: Outcome | None, limit: float = LIMIT) -> Outcome:
    """Run a cell. base: what the model alone takes.  limit: seconds."""
    model = folder / "model.cover"
    model.write_text(PROBLEMS[cell.problem] + ("expect 5 solutions\n" if cell.ask == "test" else ""))
    words = [w.replace("FILE", str(folder / "kept")) for w in cell.words]
    command = [*words[:1], str(model), *words[1:], *FORMATS.get(cell.ask, ())]
    if cell.engine != "auto":
        command += ["--engine", cell.engine]
    if cell.stop == "time":
        command += ["--limit-time", str(limit)]
    if cell.stop == "memory":
        command += ["--limit-memory", str(MEMORY + (0 if base is None else base.peak)), "--limit-time", str(3 * limit)]
    wait = (0.0 if base is None else base.seconds) + limit
    return process(command, SIGNALS.get(cell.stop), wait, PATIENT)


def process(command: Sequence[str], sent: signal.Signals | None, after: float, patience: float) -> Outcome:
    """Run covr, send it a signal after so many seconds, kill it after `patience` more, and say how it went."""

    def confine() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background commands ignore it

    with TemporaryDirectory() as folder, open(Path(folder) / "said", "w+") as said:
        began = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-m", "covr", *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=said, preexec_fn=confine,
        )  # fmt: skip
        signalled, done, before = False, 0, 0.0
        while not done:
            done, status, used = os.wait4(child.pid, os.WNOHANG)
            spent = time.perf_counter() - began
            if not done and sent is not None and not signalled and spent >= after:
                before = processor(child.pid)
                child.send_signal(sent)
                signalled, began, spent = True, time.perf_counter(), 0.0
            if not done and spent >= patience:
                child.kill()
            time.sleep(0.01)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        seconds = spent if signalled or sent is None else 0.0
        cpu = used.ru_utime + used.ru_stime - before
        return Outcome(child.returncode, seconds, cpu, 1024 * used.ru_maxrss, said.read())


def processor(pid: int) -> float:
    """Seconds of the processor that a process has had; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def verdict(cell: Cell, base: Outcome, got: Outcome, slack: float = SLACK) -> str | None:
    """What is wrong with an outcome; None if nothing is."""
    # Python lets go of Ctrl-C in its last moments, when all has been said; the shell sees 130 then as well.
    ended = {"interrupt": {INTERRUPTED, -signal.SIGINT}, "terminate": {INTERRUPTED, -signal.SIGTERM}}.get(
        cell.stop, set()
    )
    refused = cell.engine != "auto" and "the engine `" in got.said
    if got.code not in CODES | ended or (got.code == FAULT and not refused):
        return f"exit code {got.code}: {got.said[-200:].strip()}"
    if any(words in got.said for words in ("mistake in covr", "Traceback", "can't start")):
        return got.said[-300:].strip()
    limit = LIMIT * (2 if cell.words[0] in DOUBLED else 1)
    # On a busy machine the clock says little: what covr has had of the processor must be too much, too.
    if cell.stop == "time" and min(got.seconds - base.seconds, got.cpu - base.cpu) > limit + slack:
        return f"{got.seconds - base.seconds:.1f} s, {got.cpu - base.cpu:.1f} s of the processor, for {limit} s"
    if cell.stop in SIGNALS and min(got.seconds, got.cpu) > slack:
        return f"{got.seconds:.1f} s, {got.cpu:.1f} s of the processor, after the signal"
    if cell.stop == "memory" and got.peak > SHARE * (MEMORY + base.peak):
        return f"{got.peak >> 20} MB where {(MEMORY + base.peak) >> 20} MB are the limit"
    return None


def base_of(problem: str, folder: Path) -> Outcome:
    """What it takes to compile a problem, and to say how large it is."""
    return run(Cell(problem, "check", "auto", ""), folder, None)


QUICK = (
    Cell("row", "count", "auto", "time"),
    Cell("row", "count", "auto", "interrupt"),
    Cell("pairs", "solve", "auto", "memory"),
    Cell("pairs", "solve all", "links", "memory"),
    Cell("pairs", "size", "auto", "time"),
    Cell("pairs", "count", "auto", "terminate"),
    Cell("cheapest blocks", "solve", "auto", "interrupt"),
)


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs the system's account of a process")
@pytest.mark.parametrize("cell", QUICK, ids=lambda c: f"{c.problem}, {c.ask}, {c.engine}, {c.stop}")
def test_limits_hold(cell: Cell) -> None:
    base, got = measured(cell, QUICKLY)
    assert verdict(cell, base, got, slack=PATIENT) is None


def test_the_table_has_every_command_and_engine() -> None:
    every = list(cells())
    assert len(PROBLEMS) == 20
    assert {c.engine for c in every} == set(ENGINES)
    assert {c.ask for c in every} == set(ASKS)
    assert {c.problem for c in every} == set(PROBLEMS)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs the system's account of a process")
@pytest.mark.parametrize("cell", pairwise(), ids=str)
def test_limits_hold_to_the_second(cell: Cell) -> None:
    base, got = measured(cell)
    assert verdict(cell, base, got) is None


def test_every_two_features_meet_in_the_sample() -> None:
    table = set().union(*(c.pairs for c in cells()))
    assert set().union(*(c.pairs for c in pairwise())) == table
    assert {p for p in table if p[:2] == (0, 1)} == {(0, 1, p, a) for p in PROBLEMS for a in ASKS}


@cache
def bases(problem: str) -> Outcome:
    """What it takes to compile a problem; measured once."""
    with TemporaryDirectory() as name:
        return base_of(problem, Path(name))


def measured(cell: Cell, limit: float = LIMIT) -> tuple[Outcome, Outcome]:
    """What the problem takes, and what the cell took."""
    base = bases(cell.problem)
    with TemporaryDirectory() as name:
        return base, run(cell, Path(name), base, limit)


def main() -> None:
    """Run the table, or a part of it, and say what failed."""
    words = ArgumentParser()
    words.add_argument("--pairs", action="store_true", help="the sample in which every two features meet")
    words.add_argument("--every", type=int, default=1)
    words.add_argument("--first", type=int, default=0)
    words.add_argument("--jobs", type=int, default=1, help="so many cells at a time")
    words.add_argument("--problem")
    words.add_argument("--ask")
    words.add_argument("--engine")
    words.add_argument("--stop")
    words.add_argument("--slack", type=float, default=SLACK)
    asked = words.parse_args()
    chosen = [
        c for c in (pairwise() if asked.pairs else cells())
        if asked.problem in (None, c.problem) and asked.ask in (None, c.ask)
        and asked.engine in (None, c.engine) and asked.stop in (None, c.stop)
    ][asked.first :: asked.every]  # fmt: skip
    failed = 0
    with ThreadPoolExecutor(asked.jobs) as pool:
        for number, (cell, (base, got)) in enumerate(zip(chosen, pool.map(measured, chosen), strict=True), 1):
            wrong = verdict(cell, base, got, asked.slack)
            failed += wrong is not None
            if wrong:
                print(f"{cell}: {wrong}", flush=True)
            took = f"exit code {got.code}, {got.seconds:.1f} s, {got.cpu:.1f} s of the processor, {got.peak >> 20} MB"
            print(f"{number} of {len(chosen)}, {failed} failed; {cell}: {took}", file=sys.stderr, flush=True)
    print(f"{len(chosen)} cells, {failed} failed", flush=True)


if __name__ == "__main__":
    main()
