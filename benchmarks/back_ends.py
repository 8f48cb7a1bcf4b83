"""`python -m benchmarks back_ends`: the searches on sets of options, with every width of registers this processor has.

All widths search the same tree, so their counters must agree, and their times are compared by ratios. The kernels of
all widths run by turns in one process on masks that are made once. Bounds other than 0 and 1 have sets of their own,
which are compared in the same way.
"""

from __future__ import annotations

import datetime
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import click
from attrs import frozen

from benchmarks import document
from benchmarks.instances import MAKERS
from benchmarks.measure import geometric_mean, processor
from covr.compiler.formats import read_dlx
from covr.engine import Settings, build
from covr.engine.kernels.header import DONE
from covr.engine.kernels.loading import load
from covr.engine.prepare.masks import ExactCover, build_sets, take_given

ENDLESS = 1 << 62  # nodes and answers: no limit
NAMES = {512: "AVX-512", 256: "AVX2", 128: "SSE or NEON", 64: "64 bits"}
EXACT = (
    "pent-8x8c", "pent-6x10", "soma", "queens-13", "langford-12", "latin-5", "domino-8x8", "macmahon-4x6",
    "ypent-10x10",
)  # fmt: skip
GUARDS = {"four queens 7×7": (7, 4), "five queens 8×8": (8, 5)}
QUICK = 0.1  # seconds: what takes less is measured in more rounds

Kernel = Callable[[int], Any]  # a kernel that has not begun, with registers of so many bits


@frozen
class Row:
    """name: of the problem.  nodes, answers: what every width counted.  seconds: per width, the least CPU time."""

    name: str
    nodes: int
    answers: int
    seconds: Mapping[int, float]

    def ratio(self, width: int) -> float:
        """How many times as long as the widest registers these take."""
        return self.seconds[width] / self.seconds[max(self.seconds)]


def exact(name: str) -> Kernel:
    """Every answer of an exact cover problem, counted one by one."""
    prepared = ExactCover(read_dlx(MAKERS[name]().dlx), Settings(engine="bits"))
    module = load("_bits", False)
    return lambda width: module.Bits(prepared.masks, prepared.residual.feasible, 0, width if width > 64 else 0)


def guarded(size: int, queens: int) -> Kernel:
    """All ways in which so many queens guard every square of a board."""
    squares = [(r, c) for r in range(size) for c in range(size)]
    rows = [
        [k for k, (r, c) in enumerate(squares) if r == a or c == b or abs(r - a) == abs(c - b)] + [len(squares)]
        for a, b in squares
    ]
    problem = build([*[(1, len(squares))] * len(squares), (queens, queens)], rows)
    residual = take_given(problem)
    sets = build_sets(problem, residual)
    assert sets is not None, "the sets of this problem are small"
    return lambda width: load("_multiplicity", False).Multiplicity(sets, residual.feasible, width)


def timed(kernel: Any) -> float:
    """CPU seconds of a search to its end."""
    start = time.process_time()
    while kernel.run(ENDLESS, ENDLESS) != DONE:
        pass
    return time.process_time() - start


def measure(name: str, make: Kernel, widths: Sequence[int], rounds: int) -> Row:
    """A row of the table. Raises AssertionError if the widths do not count the same."""
    times: dict[int, list[float]] = {width: [] for width in widths}
    told = set()
    first = times[widths[0]]
    while len(first) < rounds * (5 if first and first[0] < QUICK else 1):
        for width in widths:
            kernel = make(width)
            times[width].append(timed(kernel))
            told.add((kernel.nodes, kernel.answers))
    assert len(told) == 1, f"{name}: not every width counts the same: {told}"
    ((nodes, answers),) = told
    return Row(name, nodes, answers, {width: min(seconds) for width, seconds in times.items()})


def report(rows: Sequence[Row], widths: Sequence[int]) -> str:
    """The part of benchmarks/results.md."""
    lines = [
        [row.name, f"{row.answers}", f"{row.nodes}", *(
            f"{row.seconds[w]:.4f}" + (f" (×{row.ratio(w):.2f})" if w != widths[0] else "") for w in widths
        )]
        for row in rows
    ]  # fmt: skip
    means = [geometric_mean([row.ratio(width) for row in rows]) for width in widths]
    lines.append(["geometric mean", "", "", *("" if mean is None else f"×{mean:.2f}" for mean in means)])
    return "\n\n".join([
        "## Narrower registers",
        f"{datetime.date.today()}, {processor()}, one thread. CPU seconds for counting every answer one by one, "
        "without preparation, the least of the rounds, and in brackets how many times that of the widest registers.",
        document.table(["", "answers", "nodes", *(NAMES[width] for width in widths)], lines),
    ])  # fmt: skip


@click.command("back_ends")
@click.option("--only", "names", multiple=True, help="Problems that begin so; may be repeated.")
@click.option("--rounds", default=5, show_default=True, help="Runs of each; five times as many where they are short.")
def command(names: tuple[str, ...], rounds: int) -> int:
    """Compare the widths of registers, and write benchmarks/results.md."""
    widest = load("_bits", False).widest()
    widths = [width for width in NAMES if width <= max(widest, 64)]
    asked: dict[str, Callable[[], Kernel]] = {name: partial(exact, name) for name in EXACT}
    asked |= {name: partial(guarded, *board) for name, board in GUARDS.items()}
    rows = []
    for name, prepare in asked.items():
        if not names or name.startswith(names):
            rows.append(measure(name, prepare(), widths, rounds))
            print(name, *(f"{rows[-1].ratio(width):.2f}" for width in widths), file=sys.stderr, flush=True)
    text = report(rows, widths)
    print(text)
    if not names:
        document.replace("back ends", text)
    return 0


def main(arguments: list[str]) -> int:
    """Run the benchmark with these arguments."""
    return int(command.main(arguments, standalone_mode=False) or 0)
