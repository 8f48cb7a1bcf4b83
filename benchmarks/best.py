"""`python -m benchmarks best`: proved minima of problems that are no covers, covr beside HiGHS and CP-SAT.

The column `listing` is what it takes covr to go through every answer of an exact cover, without any bound: what the
search for the cheapest one should never take. Every answer is checked, and all proved minima must agree, with the
published one where there is one.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from benchmarks._best_instances import OPTIMA, BestInstance, generated, published
from benchmarks.measure import ROOT, Runs, installed
from benchmarks.proved import Table, concluded, rounds_of, run_options, section
from covr.compiler.formats.json_text import write_json

PEERS = Path(__file__).with_name("_best_peers.py")
PACKAGES = {"covr": "covr", "highs": "highspy", "cpsat": "ortools", "listing": "covr"}
LISTED = ("costs-",)  # instances whose answers can be listed
QUICK = ("bus-t1", "bus-r1", "packing-", "assignment", "squares")


@click.command("best")
@click.option("--instances", "folder", type=click.Path(path_type=Path), help="Where the published files are.")
@run_options
@click.option("--quick", is_flag=True, help="A few instances, one round; nothing is written.")
def command(folder: Path | None, names: tuple[str, ...], rounds: int, timeout: float, quick: bool) -> int:
    """Compare solvers of mixed problems and write benchmarks/results.md."""
    versions = installed(sys.executable, set(PACKAGES.values()))
    solvers = [s for s in PACKAGES if PACKAGES[s] in versions]
    instances = [*published(folder or ROOT.parent / "shared" / "instances"), *generated()]
    absent = sorted({name.rpartition(".")[0] for name in OPTIMA} - {i.name for i in instances})
    wanted = names or (QUICK if quick else ())
    if wanted:
        instances = [i for i in instances if i.name.startswith(tuple(wanted))]
    table, wrong = measure(instances, solvers, 1 if quick else rounds, timeout)
    left = [f"{s} is not installed" for s in PACKAGES if s not in solvers] + [f"{n} is not at hand" for n in absent]
    text = report(table, {s: versions[PACKAGES[s]] for s in solvers}, left, timeout)
    return concluded("best", text, wrong, whole=not (quick or names))


def measure(
    instances: Sequence[BestInstance], solvers: Sequence[str], rounds: int, timeout: float
) -> tuple[Table, list[str]]:
    """instance → solver → Runs, and what went wrong."""
    table: Table = {
        i.name: {s: Runs() for s in solvers if s != "listing" or i.name.startswith(LISTED)} for i in instances
    }
    with tempfile.TemporaryDirectory() as made:
        paths = {instance.name: Path(made) / f"{k}.json" for k, instance in enumerate(instances)}
        for instance in instances:
            paths[instance.name].write_text("".join(write_json(instance.make())), encoding="utf-8")
        command = [sys.executable, "-P", str(PEERS)]
        optima = {i.name: i.optimum for i in instances if i.optimum is not None}
        return table, rounds_of(
            table, rounds, lambda solver, name: [*command, solver, str(paths[name]), str(timeout)], timeout, optima
        )


def report(table: Table, versions: Mapping[str, str], left: Sequence[str], timeout: float) -> str:
    """The section of benchmarks/results.md."""
    said = (
        "`listing` goes through every answer without a bound. HiGHS and CP-SAT are asked through `--engine`, CP-SAT "
        "with linearization_level=2 and one worker; each is given its time in turns that double."
    )
    return section("The best of anything", said, table, versions, left, timeout)


def main(arguments: list[str]) -> int:
    """Run the benchmark; 1 when solvers disagree or an answer is none."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks best", standalone_mode=False) or 0)
