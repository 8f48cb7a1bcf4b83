"""`python -m benchmarks work`: the best plan, covr beside CP-SAT and HiGHS: rotas, exams, lessons, tournaments, rolls.

CP-SAT has a program of its own for each plan, written from the tables, one goal after the other; HiGHS is given covr's
matrix. Every answer is checked by covr, and all proved values must agree.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from benchmarks import document
from benchmarks._work_instances import INSTANCES
from benchmarks.measure import Runs, geometric_mean, installed, processor
from benchmarks.proved import Table, concluded, rounds_of, run_options

PEERS = Path(__file__).with_name("_work_peers.py")
PACKAGES = {"covr": "covr", "cpsat": "ortools", "highs": "highspy"}
PARTS = ("seconds", "searches")
LEAST = 1e-3  # seconds; less can't be told apart


@click.command("work")
@run_options
@click.option("--quick", is_flag=True, help="One round; nothing is written.")
def command(names: tuple[str, ...], rounds: int, timeout: float, quick: bool) -> int:
    """Compare solvers on plans and write benchmarks/results.md."""
    versions = installed(sys.executable, set(PACKAGES.values()))
    solvers = [s for s in PACKAGES if PACKAGES[s] in versions]
    asked = [name for name in INSTANCES if not names or name.startswith(names)]
    table, wrong = measure(asked, solvers, 1 if quick else rounds, timeout)
    left = [f"{s} is not installed" for s in PACKAGES if s not in solvers]
    text = report(table, {s: versions[PACKAGES[s]] for s in solvers}, left, timeout)
    return concluded("work", text, wrong, whole=not (quick or names))


def measure(asked: Sequence[str], solvers: Sequence[str], rounds: int, timeout: float) -> tuple[Table, list[str]]:
    """Plan → solver → Runs, and what went wrong."""
    table: Table = {name: {s: Runs() for s in solvers} for name in asked}
    command = [sys.executable, "-P", str(PEERS)]
    return table, rounds_of(table, rounds, lambda solver, name: [*command, solver, name, str(timeout)], timeout, {})


def ratio(row: Mapping[str, Runs], other: str, timeout: float, of: str) -> float | None:
    """covr's time divided by that of another solver, which has `timeout` where it did not finish; None where covr did
    not, or the other was not asked. of: `seconds` or `searches`."""
    mine = min(getattr(row["covr"], of), default=None)
    if mine is None or other not in row:
        return None
    return max(mine, LEAST) / max(min(getattr(row[other], of), default=timeout), LEAST)


def report(table: Table, versions: Mapping[str, str], left: Sequence[str], timeout: float) -> str:
    """The section of benchmarks/results.md."""
    others = [s for s in versions if s != "covr"]
    ratios: dict[tuple[str, str], list[float]] = {(of, s): [] for of in PARTS for s in others}
    lines = []
    for name, row in table.items():
        cells = []
        for of in PARTS:
            best = [min(getattr(row[s], of), default=None) for s in versions]
            cells += [">" if x is None else f"{x:.3f}" for x in best]
            for s in others:
                times = ratio(row, s, timeout, of)
                cells.append("" if times is None else f"×{times:.2f}")
                ratios[of, s] += [] if times is None else [times]
        lines.append([f"{name}: {INSTANCES[name].said}", best_of(name, row), *cells])
    means: list[str] = []
    for of in PARTS:
        found = [geometric_mean(ratios[of, s]) for s in others]
        means += [*([""] * len(versions)), *("" if mean is None else f"×{mean:.2f}" for mean in found)]
    lines.append(["geometric mean", "", *means])
    head = ["", "best", *(f"{s} {v}" for s, v in versions.items()), *(f"÷ {s}" for s in others)]
    head += [*(f"{s}, search" for s in versions), *(f"÷ {s}" for s in others)]
    parts = [
        "## Plans",
        f"{datetime.date.today()}, {processor()}, one thread. The gallery's plans, a tournament, rolls that are cut "
        "and rotas. CPU seconds, the least of the rounds, after each solver has solved three smaller plans, so that "
        "loading HiGHS, a tenth of a second, counts for nobody: first from the tables to the proved best plan, then of "
        "the search alone, without compiling or building. CP-SAT is told each plan by a program of its own, with "
        "linearization_level=2, one goal after the other; HiGHS is given covr's matrix, in turns that double. `÷`: "
        "covr's time divided by theirs. "
        f"`>`: not within {timeout:.0f} s, which is what counts then.",
        document.table(head, lines),
        "\n".join(f"- {line}" for line in told(ratios)),
        "Left out: " + ("; ".join(left) if left else "nothing") + ".",
    ]
    return "\n\n".join(parts)


def best_of(name: str, row: Mapping[str, Runs]) -> str:
    """The proved best value; of goals in order, each; `?` where nobody has proved one."""
    found = next((r.found for r in row.values() if r.best is not None), None)
    if found is None:
        return "?"
    compiled = INSTANCES[name].load().compiled
    stages = compiled.stages(found)
    return ", then ".join(str(stage.value) for stage in stages) or str(compiled.value_of(found))


def told(ratios: Mapping[tuple[str, str], Sequence[float]]) -> list[str]:
    """How often covr is ahead, and how often within twice the other's time."""
    words = {"seconds": "From the tables to the end", "searches": "In the search alone"}
    return [
        f"{words[of]}, covr is ahead of {s} in {sum(x <= 1 for x in found)} of {len(found)} rows, and takes at most "
        f"twice as long in {sum(x <= 2 for x in found)}."
        for (of, s), found in ratios.items()
    ]


def main(arguments: list[str]) -> int:
    """Run the benchmark; 1 when solvers disagree or an answer is none."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks work", standalone_mode=False) or 0)
