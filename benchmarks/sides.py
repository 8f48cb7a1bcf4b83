"""`python -m benchmarks sides`: proved minima of problems with totals, connections and loops.

covr is compared with HiGHS and CP-SAT, which take problems whose side conditions are all totals, and with `alone`: the
engine `sides` by itself, without linear programs. Every answer is checked, and all proved minima must agree.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from benchmarks._side_instances import SideInstance, instances
from benchmarks.measure import Runs, installed
from benchmarks.proved import Table, concluded, rounds_of, run_options, section
from covr.engine.problem import only_totals

PEERS = Path(__file__).with_name("_side_peers.py")
PACKAGES = {"covr": "covr", "alone": "covr", "highs": "highspy", "cpsat": "ortools"}
OWN = ("covr", "alone")


@click.command("sides")
@run_options
@click.option("--quick", is_flag=True, help="One round; nothing is written.")
def command(names: tuple[str, ...], rounds: int, timeout: float, quick: bool) -> int:
    """Compare solvers of problems with side conditions and write benchmarks/results.md."""
    versions = installed(sys.executable, set(PACKAGES.values()))
    solvers = [s for s in PACKAGES if PACKAGES[s] in versions]
    found = [i for i in instances() if not names or i.name.startswith(tuple(names))]
    table, wrong = measure(found, solvers, 1 if quick else rounds, timeout)
    left = [f"{s} is not installed" for s in PACKAGES if s not in solvers]
    text = report(table, {s: versions[PACKAGES[s]] for s in solvers}, left, timeout)
    return concluded("sides", text, wrong, whole=not (quick or names))


def measure(
    found: Sequence[SideInstance], solvers: Sequence[str], rounds: int, timeout: float
) -> tuple[Table, list[str]]:
    """instance → solver → Runs, and what went wrong."""
    table: Table = {}
    for instance in found:
        summed = only_totals(instance.make().sides)
        table[instance.name] = {s: Runs() for s in solvers if s in OWN or summed}
    command = [sys.executable, "-P", str(PEERS)]
    return table, rounds_of(table, rounds, lambda solver, name: [*command, solver, name, str(timeout)], timeout, {})


def report(table: Table, versions: Mapping[str, str], left: Sequence[str], timeout: float) -> str:
    """The section of benchmarks/results.md."""
    said = (
        "`alone` is the engine `sides` without linear programs. HiGHS and CP-SAT take totals only, and are asked "
        "through `--engine`, CP-SAT with linearization_level=2 and one worker."
    )
    return section("The best with totals, connections and loops", said, table, versions, left, timeout)


def main(arguments: list[str]) -> int:
    """Run the benchmark; 1 when solvers disagree or an answer is none."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks sides", standalone_mode=False) or 0)
