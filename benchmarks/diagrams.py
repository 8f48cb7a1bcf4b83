"""`python -m benchmarks diagrams`: all tilings of boards by dominoes as one decision diagram, beside Graphillion.

This is Graphillion's own ground: the tilings of a board are the perfect matchings of its grid graph, the sets of edges
that meet every vertex once. Each program builds its diagram from the list of edges and counts, in a process of its own.
"""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from benchmarks import document
from benchmarks.measure import geometric_mean, installed, processor

ROOT = Path(__file__).parents[1]
Edge = tuple[tuple[int, int], tuple[int, int]]
Counted = tuple[int, Callable[[], int]]


def edges_of(n: int) -> list[Edge]:
    """The edges of the grid graph with n times n vertices, row by row."""
    places = [(r, c) for r in range(n) for c in range(n)]
    return [((r, c), to) for r, c in places for to in ((r, c + 1), (r + 1, c)) if max(to) < n]


def covr_diagram(n: int) -> Counted:
    """How many perfect matchings there are; and a function that counts the nodes of their diagram."""
    from covr.engine import build
    from covr.engine.diagrams.diagram import build_diagram

    problem = build([(1, 1)] * (n * n), [[n * a[0] + a[1], n * b[0] + b[1]] for a, b in edges_of(n)])
    diagram = build_diagram(problem, 4 << 30)
    return diagram.count, diagram.__len__


def graphillion(n: int) -> Counted:
    """The same by Graphillion, with its own order of the edges (breadth-first)."""
    from graphillion import GraphSet  # type: ignore[import-not-found]

    edges = edges_of(n)
    GraphSet.set_universe(edges)
    found = GraphSet.graphs(degree_constraints={place: 1 for edge in edges for place in edge})
    count = int(found.len())
    return count, lambda: sum(line[0].isdigit() for line in found.dumps().splitlines())


SOLVERS: dict[str, Callable[[int], Counted]] = {"covr": covr_diagram, "graphillion": graphillion}


def run_alone(solver: str, n: int) -> None:
    """In a process of its own: write what a solver finds, its CPU seconds and its memory, as an object."""
    import resource

    solve = SOLVERS[solver]
    solve(2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    count, nodes = solve(n)
    seconds = time.process_time() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(json.dumps({"count": str(count), "nodes": nodes(), "seconds": seconds, "memory": memory / 1000}))


def measured(solver: str, n: int, timeout: float) -> dict[str, Any] | None:
    """One run; None after the timeout, or if it fails."""
    command = [sys.executable, "-m", "benchmarks.diagrams", "--alone", solver, str(n)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, cwd=ROOT, env={**os.environ}, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    return dict(json.loads(done.stdout.splitlines()[-1])) if not done.returncode else None


@click.command("diagrams")
@click.option("--sides", default="6,8,10,12,14", show_default=True, help="Of the boards.")
@click.option("--rounds", default=3, show_default=True, help="Runs of each; the least time counts.")
@click.option("--timeout", default=300.0, show_default=True, help="Seconds for a run.")
def command(sides: str, rounds: int, timeout: float) -> int:
    """Measure diagrams and write benchmarks/results.md."""
    versions = installed(sys.executable, ["graphillion"])
    solvers = ["covr", *versions]
    rows: list[list[str]] = []
    ratios: list[float] = []
    for n in map(int, sides.split(",")):
        best: dict[str, dict[str, Any]] = {}
        for _ in range(rounds):
            for solver in solvers:
                found = measured(solver, n, timeout)
                if found and (solver not in best or found["seconds"] < best[solver]["seconds"]):
                    best[solver] = found
        if len({found["count"] for found in best.values()}) > 1:
            raise click.ClickException(f"the counts for {n} × {n} differ: {best}")
        ratio = ""
        if len(best) == 2:
            ratios.append(best["graphillion"]["seconds"] / max(best["covr"]["seconds"], 1e-4))
            ratio = f"×{ratios[-1]:.2f}"
        row = [f"{n} × {n}", best["covr"]["count"] if "covr" in best else ">"]
        for key, form in (("seconds", ".3f"), ("memory", ".0f"), ("nodes", "d")):
            row += [format(best[solver][key], form) if solver in best else ">" for solver in ("covr", "graphillion")]
        rows.append([*row, ratio])
    heads = ["board", "tilings", "covr, s", "Graphillion, s", "covr, MB", "Graphillion, MB", "covr, nodes"]
    heads += ["Graphillion, nodes", "ratio of the times"]
    mean = geometric_mean(ratios)
    text = "\n\n".join([
        "## Diagrams of all answers",
        f"{datetime.date.today()}, {processor()}, CPU time from the list of edges to the count, the best of {rounds} "
        "runs, each in a process of its own. The memory is what a run adds to the process before it. `>`: not done, or "
        "not installed.",
        document.table(heads, rows),
        f"Geometric mean of the ratios: {mean:.2f}. " if mean else "",
        f"Graphillion {versions['graphillion']}." if versions else "Left out: Graphillion is not installed.",
    ])  # fmt: skip
    print(text)
    document.replace("diagrams", text)
    return 0


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks diagrams", standalone_mode=False) or 0)


if __name__ == "__main__":
    run_alone(sys.argv[2], int(sys.argv[3]))
