"""`python -m benchmarks growth`: how time and memory grow with the size of a problem, method by method.

Problems of 1000 to a million random options of 6 items each, ten times as many options as items, among which an exact
cover is planted; costs, where they matter, are random. Each run is a process of its own, which makes the problem and
then asks one question. A question has some seconds of search; `ready` is the CPU time until its first nodes were
searched, and the memory is the most that the process ever held, less what it held when the problem was made. A method
that ran out of time or memory at one size is not asked at larger ones.

Some figures at 10 000 and 100 000 options are above the aim of 300 bytes an entry, and none of them grows with the
entries alone: the 25 MB of all answers are sets of options as bits, which are made at this size and not at 100 000
options; a first answer has clingo beside them; most of the 85 MB of a count are its memo, which grows with the search
up to a limit of its own; and of the 216 MB of a packing of 100 000 options, 84 are what HiGHS takes for its linear
program and about 40 the libraries that it loads.
"""

from __future__ import annotations

import datetime
import json
import math
import random
import resource
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress

import click
from attrs import frozen

from benchmarks import document
from benchmarks.measure import ROOT, processor
from covr.compiler.formats import FORMATS
from covr.engine import Limits, Problem, Settings, count, search
from covr.engine.base.limits import Status

WIDTH = 6  # items of an option
SIZES = (1000, 10_000, 100_000, 1_000_000)  # options
NODES = 100  # of a search, until it counts as ready
SECONDS = 3.0  # of search, after it is ready
FEW = 10_000  # options: fits of exponents leave out what is smaller, where time is that of starting
AIM = 300  # bytes for each entry of the matrix
ALONE = Settings(jobs=1)


@frozen
class Grown:
    """What a run took. ready: CPU seconds; None where it did not come to an end.  memory: bytes beside the problem.
    trouble: why there is nothing."""

    ready: float | None = None
    memory: int | None = None
    trouble: str = ""


def planted(options: int, kind: str, seed: int = 1) -> Problem:
    """Random options among which an exact cover is planted. kind: `exact`, `cover` or `packing`, with costs but for
    the first."""
    draw = random.Random(seed)
    items = max(options // 10 // WIDTH, 1) * WIDTH
    order = [*range(items)]
    draw.shuffle(order)
    place = draw.randrange(options - items // WIDTH + 1)
    starts, members = array("q", [0]), array("q")
    for o in range(options):
        k = o - place
        chosen = order[k * WIDTH : (k + 1) * WIDTH] if 0 <= k < items // WIDTH else draw.sample(range(items), WIDTH)
        members.extend(sorted(chosen))
        starts.append(len(members))
    low, high = {"exact": (1, 1), "cover": (1, options), "packing": (0, 1)}[kind]
    costs = () if kind == "exact" else tuple([draw.randint(1, 100) for _ in range(options)])
    costs = tuple([-c for c in costs]) if kind == "packing" else costs
    return Problem((low,) * items, (high,) * items, items if low else 0, starts, members, costs=costs)


def as_dlx(problem: Problem) -> str:
    """Knuth's format, with numbers for names."""
    lines = [" ".join(map(str, range(problem.items)))]
    lines += [" ".join(map(str, problem.option(o))) for o in range(problem.options)]
    return "\n".join(lines)


def searched(problem: Problem, goal: str, answers: int | None) -> float:
    """Search for some seconds. Returns the CPU seconds until it was ready: after so many nodes, or some seconds after
    the first of them, where a node is a search in a core of thousands of options."""
    start = time.process_time()
    run = search(problem, goal=goal, limits=Limits(answers=answers), settings=ALONE)
    run.step_once(1)
    soon = time.process_time() + SECONDS
    while run.status is Status.RUNNING and run.counters.nodes < NODES and time.process_time() < soon:
        run.step_once(1)
    ready = time.process_time() - start
    nodes = NODES if ready < SECONDS else 1  # a node may take seconds where there are a million options
    while run.status is Status.RUNNING and time.process_time() - start < ready + SECONDS:
        run.step(nodes)
    return ready


def counted(problem: Problem) -> float:
    start = time.process_time()
    count(problem, Limits(nodes=NODES), ALONE)
    ready = time.process_time() - start
    count(problem, Limits(seconds=SECONDS), ALONE)
    return ready


def narrowed(problem: Problem) -> float:
    from covr.engine.puzzles.candidates import CandidateSearch

    start = time.process_time()
    run = CandidateSearch(problem, limits=Limits(seconds=SECONDS), settings=ALONE)
    ready = time.process_time() - start
    run.run()
    return ready


METHODS: dict[str, tuple[str, Callable[[Problem], float]]] = {
    "every answer": ("exact", lambda p: searched(p, "all", None)),
    "first answer": ("exact", lambda p: searched(p, "all", 1)),
    "count": ("exact", counted),
    "candidates": ("exact", narrowed),
    "cover": ("cover", lambda p: searched(p, "minimum", None)),
    "packing": ("packing", lambda p: searched(p, "minimum", None)),
}
READING = "reading dlx"


def one_run(method: str, options: int) -> dict[str, float]:
    """One run, in this process."""
    problem = planted(options, METHODS[method][0] if method != READING else "exact")
    if method == READING:
        text = as_dlx(problem)
        del problem
        before = _held()
        start = time.process_time()
        FORMATS["dlx"].reader(text)
        ready = time.process_time() - start
    else:
        before = _held()
        ready = METHODS[method][1](problem)
    return {"ready": ready, "memory": _peak() - before}


def _held(process: int | str = "self") -> int:
    """The memory that a process holds now, in bytes; 0 if it has just ended."""
    try:
        with open(f"/proc/{process}/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def _peak() -> int:
    """The most memory that this process has held, in bytes. Where the system tells it of the program alone, that is
    taken: `ru_maxrss` begins with what the process held from which this one was forked."""
    with suppress(OSError), open("/proc/self/status", encoding="ascii") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def once(method: str, options: int, seconds: float, memory: int) -> Grown:
    """A run in a process of its own, within limits of CPU time and of memory that it holds, which is looked at ten
    times a second: not every system keeps limits of address space."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))

    command = [sys.executable, "-m", "benchmarks", "growth", "--child", method, str(options)]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen(command, stdout=out, stderr=told, cwd=ROOT, preexec_fn=limited)
        while True:
            try:
                process.wait(0.1)
                break
            except subprocess.TimeoutExpired:
                pass
            if _held(process.pid) > memory:
                process.kill()
                process.wait()
                return Grown(trouble=f"> {memory / 1e9:g} GB")
        out.seek(0)
        told.seek(0)
        said, complaint = out.read(), told.read()
    if process.returncode == 0:
        return Grown(**json.loads(said.splitlines()[-1]))
    if process.returncode < 0:
        return Grown(trouble=f"> {seconds:g} s")
    last = (complaint.strip().splitlines() or ["nothing said"])[-1]
    return Grown(trouble=last[:60])


def exponent(values: dict[int, float]) -> float | None:
    """The slope between the logarithms of sizes and values, by least squares; None for fewer than two."""
    points = [(math.log(size), math.log(value)) for size, value in values.items() if size >= FEW and value > 0]
    if len(points) < 2:
        return None
    x, y = (sum(axis) / len(points) for axis in zip(*points, strict=True))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def report(table: dict[str, dict[int, Grown]], limits: str) -> str:
    """The part of benchmarks/results.md."""
    sizes = sorted({size for runs in table.values() for size in runs})
    head = ["", *(f"{size:,}" for size in sizes), "grows as"]

    def row(name: str, shown: Callable[[int, Grown], str], value: Callable[[Grown], float | None]) -> list[str]:
        runs = table[name]
        slope = exponent({size: v for size, run in runs.items() if (v := value(run)) is not None})
        cells = [shown(size, runs[size]) if size in runs else "–" for size in sizes]
        return [name, *cells, "" if slope is None else f"n^{slope:.2f}"]

    times = [row(m, lambda _, g: g.trouble or f"{g.ready:.2f}", lambda g: g.ready) for m in table]
    bytes_ = [
        row(m, lambda n, g: "" if g.memory is None else f"{g.memory / (WIDTH * n):.0f}", lambda g: g.memory)
        for m in table
    ]
    first = (
        f"{datetime.date.today()}, {processor()}, one thread, {limits}. Random options of {WIDTH} items, a tenth as "
        f"many items, with a planted exact cover. CPU seconds until {NODES} nodes were searched (for reading and "
        "candidates: until that was done, or prepared), by the number of options:"
    )
    second = (
        f"Bytes for each of the {WIDTH} entries of an option, beside the problem, after {SECONDS:g} s of search; the "
        f"aim is {AIM}. Small problems are measured with what every process holds:"
    )
    return "\n\n".join(["## Growth", first, document.table(head, times), second, document.table(head, bytes_)])


def measured(methods: list[str], sizes: list[int], seconds: float, memory: int) -> Iterator[tuple[str, int, Grown]]:
    """The runs, method by method, up to the first size at which one fails."""
    for method in methods:
        for size in sizes:
            got = once(method, size, seconds, memory)
            yield method, size, got
            if got.trouble:
                break


@click.command("growth")
@click.option("--only", "names", multiple=True, type=click.Choice([READING, *METHODS]), help="These; may be repeated.")
@click.option("--most", default=SIZES[-1], show_default=True, help="Options at most.")
@click.option(
    "--seconds", default=90.0, show_default=True, help="CPU seconds of each run, making the problem included."
)
@click.option("--memory", default=4.0, show_default=True, help="Gigabytes that a run may hold.")
@click.option("--child", nargs=2, type=(str, int), hidden=True)
def command(names: tuple[str, ...], most: int, seconds: float, memory: float, child: tuple[str, int] | None) -> int:
    """Measure time and memory against size and write benchmarks/results.md."""
    if child is not None:
        print(json.dumps(one_run(*child)))
        return 0
    methods, sizes = list(names or (READING, *METHODS)), [size for size in SIZES if size <= most]
    table: dict[str, dict[int, Grown]] = {method: {} for method in methods}
    for method, size, got in measured(methods, sizes, seconds, int(memory * 1e9)):
        table[method][size] = got
        print(f"{method:14} {size:9,} {got}", file=sys.stderr)
    text = report(table, f"at most {seconds:g} s and {memory:g} GB for a run")
    print(text)
    if not names and most == SIZES[-1]:
        document.replace("growth", text)
    return 0


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks growth", standalone_mode=False) or 0)
