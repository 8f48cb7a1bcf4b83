"""`python -m benchmarks working`: best values of models of working size, covr beside HiGHS and CP-SAT.

The models are those of the families that tests draw (tests/fuzz/families.py), three of each. Every solver is given the
same matrix, one thread and the same CPU time, in a process of its own, by turns. covr checks the answers, and no bound
may be above another's answer.
"""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from benchmarks import document
from benchmarks._best_peers import BUSY
from benchmarks.measure import ROOT, installed, processor
from benchmarks.proved import SLACK, concluded
from tests.fuzz.families import FAMILIES

PEERS = Path(__file__).with_name("_working_peers.py")
PACKAGES = {"covr": "covr", "highs": "highspy", "cpsat": "ortools"}
SEEDS = (1, 2, 3)  # of each family
FAR = 0.1  # seconds of CPU; less is no difference
TWICE = 2  # how many times the better peer's CPU covr may take to a proof

Told = dict[str, Any]  # what _working_peers.py prints; `trouble` where it failed


@click.command("working")
@click.option("--timeout", default=30.0, show_default=True, help="CPU seconds a run may take.")
@click.option("--only", "names", multiple=True, help="Families that begin so; may be repeated.")
@click.option("--seeds", default=len(SEEDS), show_default=True, help="Models of each family.")
def command(timeout: float, names: tuple[str, ...], seeds: int) -> int:
    """Compare solvers on models of working size and write benchmarks/results.md."""
    versions = installed(sys.executable, set(PACKAGES.values()))
    solvers = [s for s in PACKAGES if PACKAGES[s] in versions]
    asked = [(family, seed) for family in FAMILIES for seed in range(1, seeds + 1) if family.startswith(names or "")]
    table: dict[str, dict[str, Told]] = {}
    for family, seed in asked:
        table[f"{family} {seed}"] = {solver: asked_apart(solver, family, seed, timeout) for solver in solvers}
    wrong = [f"{name}: {fault}" for name, row in table.items() for fault in faults(row)]
    text = report(table, {s: versions[PACKAGES[s]] for s in solvers}, timeout)
    return concluded("working", text, wrong, whole=not names and seeds >= len(SEEDS))


def asked_apart(solver: str, family: str, seed: int, timeout: float) -> Told:
    """One run in a process of its own."""
    command = [sys.executable, "-P", str(PEERS), solver, family, str(seed), str(timeout)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=timeout * BUSY + SLACK
        )
    except subprocess.TimeoutExpired:
        return {"trouble": "did not end"}
    if not done.stdout.strip():
        return {"trouble": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    return dict(json.loads(done.stdout.splitlines()[-1]))


def faults(row: Mapping[str, Told]) -> list[str]:
    """What is wrong with the answers to a model: none that are none, and no bound above a value that another has."""
    found = [f"{solver}: {told['trouble']}" for solver, told in row.items() if "trouble" in told]
    found += [f"{solver}: an answer that is none" for solver, told in row.items() if not told.get("sound", True)]
    values = [told["value"] for told in row.values() if told.get("value") is not None]
    for solver, told in row.items():
        if told.get("bound") is not None and values and told["bound"] > min(values):
            found.append(f"{solver}: at least {told['bound']}, and there is an answer of {min(values)}")
    return found


def report(table: Mapping[str, Mapping[str, Told]], versions: Mapping[str, str], timeout: float) -> str:
    """The section of benchmarks/results.md."""
    head = ["", "lines", "options"]
    head += [f"{s} {v}: {what}" for s, v in versions.items() for what in ("value", "CPU", "MB")]
    rows = []
    for name, row in table.items():
        some = next((told for told in row.values() if "lines" in told), {"lines": "?", "options": "?"})
        rows.append(
            [name, str(some["lines"]), str(some["options"]), *(cell for s in versions for cell in cells(row[s]))]
        )
    parts = [
        "## Models of working size",
        f"{datetime.date.today()}, {processor()}, one thread, {timeout:g} CPU seconds from the matrix to the end. `≥`: "
        "what is proved where the value is not; `-`: no answer, or not for this solver.",
        document.table(head, rows),
        "\n".join(f"- {line}" for line in standing(table)),
    ]
    return "\n\n".join(parts)


def cells(told: Told) -> list[str]:
    """Value with bound, CPU seconds and memory of a run."""
    if "memory" not in told or "unfit" in told:
        return ["-", "-", "-"]
    value = "-" if told["value"] is None else str(told["value"])
    value += "" if told["proved"] else f" ≥ {told['bound']}"
    return [value, f"{told['seconds']:.2f}", str(told["memory"])]


def standing(table: Mapping[str, Mapping[str, Told]]) -> list[str]:
    """How covr stands beside the better of the others: to the proof where one of them has it, and else at the limit."""
    proofs, ends = [], []
    for row in table.values():
        mine = row["covr"]
        others = [told for solver, told in row.items() if solver != "covr" and "value" in told]
        proved = [told["seconds"] for told in others if told["proved"]]
        if proved:
            proofs.append(mine.get("proved", False) and mine["seconds"] <= TWICE * min(proved) + FAR)
        elif others and "value" in mine:
            ends.append(no_worse(mine, [t["value"] for t in others], [t["bound"] for t in others]))
    return [
        f"To a proof that another has, covr takes at most {TWICE} times the CPU in {sum(proofs)} of {len(proofs)}.",
        f"Elsewhere covr's value and bound are no worse than the best of the others in {sum(ends)} of {len(ends)}.",
    ]


def no_worse(mine: Told, values: Sequence[int | None], bounds: Sequence[int | None]) -> bool:
    """Whether a run has a value and a bound that are no worse than those."""
    value, bound = mine["value"], mine["bound"]
    better = [v for v in values if v is not None and (value is None or v < value)]
    higher = [b for b in bounds if b is not None and (bound is None or b > bound)]
    return not better and not higher


def main(arguments: list[str]) -> int:
    """Run the benchmark; 1 where something is wrong."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks working", standalone_mode=False) or 0)
