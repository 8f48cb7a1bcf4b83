"""`python -m benchmarks loops`: all loops, and all paths from corner to corner, on n times n squares.

Loops are OEIS A140517, paths A007764. covr and Graphillion begin with the list of edges and build
the diagram of all sets of edges; covr also counts without one. Each run is a process of its own.
"""

from __future__ import annotations

import datetime
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click

from benchmarks import document
from benchmarks.diagrams import Counted, edges_of
from benchmarks.measure import installed, processor

ROOT = Path(__file__).parents[1]
KINDS = ("loops", "paths")


def covr(kind: str, n: int, keep: bool) -> Counted:
    """How many loops or paths there are; and a function that counts the nodes of their diagram, or the states if there
    is none."""
    from covr.engine import Circuit, build
    from covr.engine.counting.side_sweep import PackedSweep
    from covr.engine.diagrams.diagram import build_diagram

    wide = n + 1
    edges = [(wide * a[0] + a[1], wide * b[0] + b[1]) for a, b in edges_of(wide)]
    given: tuple[int, ...] = ()
    if kind == "paths":  # a path is a loop through a line that joins its ends
        edges.append((0, wide * wide - 1))
        given = (len(edges) - 1,)
    circuit = Circuit(tuple((o, u, v) for o, (u, v) in enumerate(edges)))
    problem = build([], [[] for _ in edges], given=given, sides=[circuit])
    if keep:
        diagram = build_diagram(problem, 8 << 30)
        return diagram.count, diagram.__len__
    sweep = PackedSweep(problem, False, 8 << 30)
    while not sweep.run(1 << 20):
        pass
    assert sweep.count is not None
    return sweep.count, lambda: sweep.states


def graphillion(kind: str, n: int) -> Counted:
    """The same by Graphillion."""
    from graphillion import GraphSet  # type: ignore[import-not-found, unused-ignore]

    GraphSet.set_universe(edges_of(n + 1))
    found = GraphSet.cycles() if kind == "loops" else GraphSet.paths((0, 0), (n, n))
    count = int(found.len())
    return count, lambda: sum(line[0].isdigit() for line in found.dumps().splitlines())


def run_alone(solver: str, kind: str, n: int) -> None:
    """In a process of its own: write what is found, the CPU seconds and the memory, as an object."""
    begin = time.process_time()
    count, nodes = graphillion(kind, n) if solver == "graphillion" else covr(kind, n, solver == "diagram")
    seconds = time.process_time() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps({"count": str(count), "nodes": nodes(), "seconds": seconds, "memory": memory}))


def measured(solver: str, kind: str, n: int, timeout: float) -> dict[str, Any] | None:
    """One run; None after the timeout, or if it fails."""
    command = [sys.executable, "-m", "benchmarks.loops", solver, kind, str(n)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, cwd=ROOT, check=False)
    except subprocess.TimeoutExpired:
        return None
    return dict(json.loads(done.stdout.splitlines()[-1])) if not done.returncode else None


@click.command("loops")
@click.option("--sides", default="3,5,7,8,10,12", show_default=True, help="Of the boards.")
@click.option("--rounds", default=2, show_default=True, help="Runs of each; the least time counts.")
@click.option("--timeout", default=300.0, show_default=True, help="Seconds for a run.")
def command(sides: str, rounds: int, timeout: float) -> int:
    """Measure loops and paths, and write benchmarks/results.md."""
    versions = installed(sys.executable, ["graphillion"])
    solvers = ["count", "diagram", *versions]
    rows: list[list[str]] = []
    for kind in KINDS:
        for n in map(int, sides.split(",")):
            found: dict[str, dict[str, Any]] = {}
            for solver in solvers * rounds:
                one = measured(solver, kind, n, timeout)
                if one and (solver not in found or one["seconds"] < found[solver]["seconds"]):
                    found[solver] = one
            if len({one["count"] for one in found.values()}) > 1:
                raise click.ClickException(f"the counts of {kind} on {n} × {n} differ: {found}")
            row = [f"{kind}, {n} × {n}", next((one["count"] for one in found.values()), ">")]
            for key, form in (("seconds", ".2f"), ("memory", ".0f")):
                row += [format(found[s][key], form) if s in found else ">" for s in ("count", "diagram", "graphillion")]
            row += [str(found[s]["nodes"]) if s in found else ">" for s in ("diagram", "graphillion")]
            rows.append(row)
    heads = ["board", "number", "covr counts, s", "covr's diagram, s", "Graphillion, s", "covr counts, MB"]
    heads += ["covr's diagram, MB", "Graphillion, MB", "covr, nodes", "Graphillion, nodes"]
    text = "\n\n".join([
        "## Loops and paths",
        f"{datetime.date.today()}, {processor()}, CPU time from the list of edges to the number, the best of {rounds} "
        "runs, and the memory of the whole process. `>`: not done, or not installed. covr's sweep holds items and "
        "totals, too.",
        document.table(heads, rows),
        f"Graphillion {versions['graphillion']}." if versions else "Left out: Graphillion is not installed.",
    ])  # fmt: skip
    print(text)
    document.replace("loops", text)
    return 0


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks loops", standalone_mode=False) or 0)


if __name__ == "__main__":
    run_alone(sys.argv[1], sys.argv[2], int(sys.argv[3]))
