"""`python -m benchmarks airlines`: crew pairings as airlines have them (_airline_instances.py), covr beside HiGHS and
CP-SAT, each in a process of its own, on one thread.

Every answer is checked, and all proved minima must agree.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from benchmarks._airline_instances import SIZES
from benchmarks.measure import Runs, installed
from benchmarks.proved import Table, concluded, rounds_of, section

PEERS = Path(__file__).with_name("_airline_peers.py")
PACKAGES = {"covr": "covr", "highs": "highspy", "cpsat": "ortools"}
SEEDS = (1, 2)  # of each size


@click.command("airlines")
@click.option("--timeout", default=60.0, show_default=True, help="CPU seconds a run may take.")
@click.option("--rounds", default=1, show_default=True, help="Runs of each; the least time counts.")
@click.option("--only", "names", multiple=True, help="Instances that begin so; may be repeated.")
@click.option("--quick", is_flag=True, help="The smallest ones; nothing is written.")
def command(timeout: float, rounds: int, names: tuple[str, ...], quick: bool) -> int:
    """Compare solvers of crew pairings and write benchmarks/results.md."""
    versions = installed(sys.executable, set(PACKAGES.values()))
    solvers = [s for s in PACKAGES if PACKAGES[s] in versions]
    sizes = SIZES[:1] if quick else SIZES
    asked = {f"{f} × {p}, seed {seed}": (f, p, seed) for f, p in sizes for seed in SEEDS}
    asked = {name: one for name, one in asked.items() if not names or name.startswith(names)}
    table, wrong = measure(asked, solvers, rounds, timeout)
    left = [f"{s} is not installed" for s in PACKAGES if s not in solvers]
    text = report(table, {s: versions[PACKAGES[s]] for s in solvers}, left, timeout)
    return concluded("airlines", text, wrong, whole=not (quick or names))


def measure(
    asked: Mapping[str, tuple[int, int, int]], solvers: Sequence[str], rounds: int, timeout: float
) -> tuple[Table, list[str]]:
    """instance → solver → Runs, and what went wrong. asked: flights, pairings and seed of each instance."""
    table: Table = {name: {s: Runs() for s in solvers} for name in asked}

    def run(solver: str, name: str) -> list[str]:
        return [sys.executable, "-P", str(PEERS), solver, *map(str, asked[name]), str(timeout)]

    return table, rounds_of(table, rounds, run, timeout, {})


def report(table: Table, versions: Mapping[str, str], left: Sequence[str], timeout: float) -> str:
    """The section of benchmarks/results.md."""
    said = (
        "The names say how many flights there are and how many pairings, of 3 to 20 flights, from a generator. HiGHS "
        "and CP-SAT are asked by themselves, CP-SAT with linearization_level=2."
    )
    return section("Crew pairings", said, table, versions, left, timeout)


def main(arguments: list[str]) -> int:
    """Run the benchmark; 1 when solvers disagree or an answer is none."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks airlines", standalone_mode=False) or 0)
