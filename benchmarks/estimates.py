"""`python -m benchmarks estimates`: how many nodes each estimate needs, as the table of docs/engines.md.

Queen domination on n × n boards: a minimum cover whose every square wants a queen that attacks or occupies it. Nodes
are counted, not seconds; the counts are the same on every machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from covr.compiler import compile_model
from covr.engine import ESTIMATES, Limits, Problem, Settings, search
from covr.inputs.library import open_model

SIZES = (5, 6, 7, 8)


def nodes(problem: Problem, estimate: str) -> tuple[int | None, int]:
    """The proved minimum, or None where the limit was hit first, and how many nodes were searched."""
    found = search(problem, goal="minimum", limits=Limits(nodes=5_000_000), settings=Settings(estimate=estimate))
    for _ in found:
        pass
    return found.best if found.status == "exhausted" else None, found.counters.nodes


def main(arguments: Sequence[str]) -> int:
    """Print the table in Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks estimates", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    sizes = parser.parse_args(arguments).sizes
    problems = {n: compile_model(open_model("queen_domination"), {"n": n}).problem for n in sizes}
    print("| estimate | " + " | ".join(f"n = {n}" for n in sizes) + " |")
    print("|---|" + "---:|" * len(sizes))
    for name in ESTIMATES:
        counts = [nodes(problem, name) for problem in problems.values()]
        row = " | ".join(f"{count:,}" if best is not None else f"> {count:,}" for best, count in counts)
        print(f"| `{name}` | {row} |")
    print("| *minimum* | " + " | ".join(str(nodes(p, "auto")[0]) for p in problems.values()) + " |")
    return 0
