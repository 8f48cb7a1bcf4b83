"""`python -m benchmarks large`: large covers and packings that need not be proved: best answer and bound in a time.

covr, with its own engine alone, beside HiGHS and CP-SAT, one after the other. Every answer is checked, none may cost
less than another solver's bound, and neither may contradict what is published. The packing is not published, but made
(_large_instances.py); what is known of it is the best that annealing has found here.
"""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
from attrs import frozen

from benchmarks import document
from benchmarks._large_instances import MADE
from benchmarks._large_peers import BUSY, SOLVERS
from benchmarks.measure import ROOT, installed, processor
from benchmarks.proved import SLACK

PEERS = Path(__file__).with_name("_large_peers.py")
# The least cost of a cover that is known, None where nobody has published one.
KNOWN: dict[str, int | None] = {
    "pace25_exact_003.hgr": None, "pace25_exact_029.hgr": None, "pace25_exact_050.hgr": None,
    "pace25_exact_069.hgr": None, "pace25_exact_081.hgr": None, "pace25_exact_093.hgr": None, "rail507.rail": 174,
    "rail516.rail": 182, "scp41u.scp": 38, "scpclr10.scp": 25, "scpcyc06.scp": 60, "scpnre1.scp": 29,
    "scpnrh1.scp": 63, "stn81.scp": 61, "packing 50 000 × 5000": -77_143,
}  # fmt: skip
BEST_KNOWN = {"scp41u.scp", "packing 50 000 × 5000"}  # where it is not proved that there is nothing cheaper


@frozen
class Reached:
    """What a solver reached. found: the cost of its best answer.  seconds: CPU time.  trouble: why there is nothing."""

    found: int | None = None
    bound: int | None = None
    seconds: float = 0.0
    trouble: str = ""

    @property
    def proved(self) -> bool:
        return self.found is not None and self.found == self.bound


Table = dict[str, dict[str, Reached]]  # instance → solver → what it reached


@click.command("large")
@click.option("--instances", "folder", type=click.Path(path_type=Path), help="Where the published files are.")
@click.option("--only", "names", multiple=True, help="Instances that begin so; may be repeated.")
@click.option("--solver", "chosen", multiple=True, type=click.Choice(list(SOLVERS)), help="These; may be repeated.")
@click.option("--seconds", default=20.0, show_default=True, help="CPU seconds of each run.")
def command(folder: Path | None, names: tuple[str, ...], chosen: tuple[str, ...], seconds: float) -> int:
    """Compare covers and bounds after some seconds and write benchmarks/results.md."""
    folder = folder or ROOT.parent / "shared" / "instances"
    asked = chosen or tuple(SOLVERS)
    versions = installed(sys.executable, {SOLVERS[s][0] for s in asked})
    solvers = [s for s in asked if SOLVERS[s][0] in versions]
    wanted = [name for name in KNOWN if not names or name.startswith(names)]
    paths = {name: folder / name for name in wanted if name in MADE or (folder / name).exists()}
    table: Table = {name: {} for name in paths}
    for name, path in paths.items():
        for solver in solvers:
            table[name][solver] = got = once(solver, path, seconds)
            print(f"{name:20} {solver:6} {got.found} {got.bound} {got.seconds:.1f} s {got.trouble}", file=sys.stderr)
    left = [f"{s} is not installed" for s in asked if s not in solvers]
    left += [f"{name} is not at hand" for name in wanted if name not in paths]
    text = report(table, {s: versions[SOLVERS[s][0]] for s in solvers}, left, seconds)
    print(text)
    wrong = [*contradictions(table)]
    for line in wrong:
        print(line, file=sys.stderr)
    if not (wrong or names or chosen):
        document.replace("large", text)
    return bool(wrong)


def once(solver: str, path: Path, seconds: float) -> Reached:
    """One run, in a process of its own."""
    command = [sys.executable, "-P", str(PEERS), solver, str(path), str(seconds)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    most = 2 * BUSY * seconds + SLACK
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=most, cwd=ROOT, env=environment)
    except subprocess.TimeoutExpired:
        return Reached(trouble="did not stop")
    if done.returncode:
        return Reached(trouble=(done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1])
    said = json.loads(done.stdout.splitlines()[-1])
    trouble = "" if said["sound"] else "no answer"
    return Reached(said["found"], said["bound"], said["seconds"], trouble)


def contradictions(table: Table) -> Iterator[str]:
    """What went wrong: no covers, covers below a bound, and what contradicts the published optima."""
    for name, row in table.items():
        for solver, got in row.items():
            if got.trouble:
                yield f"{name}: {solver}: {got.trouble}"
        known = KNOWN.get(name)
        found = [g.found for g in row.values() if g.found is not None] + ([] if known is None else [known])
        bounds = [g.bound for g in row.values() if g.bound is not None]
        bounds += [] if known is None or name in BEST_KNOWN else [known]
        if found and bounds and min(found) < max(bounds):
            yield f"{name}: an answer of {min(found)}, and a bound of {max(bounds)}"


def report(table: Table, versions: Mapping[str, str], left: Sequence[str], seconds: float) -> str:
    """The section of benchmarks/results.md."""
    lines = []
    for name, row in table.items():
        known = KNOWN.get(name)
        best = "?" if known is None else f"≤ {known}" if name in BEST_KNOWN else str(known)
        lines.append([name if name in MADE else name.rpartition(".")[0], best, *(_cell(row[s]) for s in versions)])
    parts = [
        "## Large covers and packings",
        f"{datetime.date.today()}, {processor()}, one thread. The cheapest answer and the best lower bound after "
        f"{seconds:.0f} CPU seconds, counted from the problem in memory, or the seconds until both were the same. "
        "covr is its own engine alone, without HiGHS beside it; CP-SAT runs with linearization_level=2.",
        document.table(["", "known", *(f"{s} {versions[s]}" for s in versions)], lines),
    ]
    if "covr" in versions and len(versions) > 1:
        covers, bounds = _standing(table)
        whole = len(table)
        parts.append(
            f"No other has a cheaper answer than covr on {covers} of {whole}, and none a better bound on {bounds} "
            f"of {whole}."
        )
    parts.append("Left out: " + ("; ".join(left) if left else "nothing") + ".")
    return "\n\n".join(parts)


def _cell(got: Reached) -> str:
    if got.trouble:
        return "!"
    if got.proved:
        return f"{got.found} in {got.seconds:.1f} s"
    return " / ".join("?" if number is None else str(number) for number in (got.found, got.bound))


def _standing(table: Table) -> tuple[int, int]:
    """On how many instances no other solver has a cheaper cover than covr, and on how many none has a better bound."""
    covers = bounds = 0
    for row in table.values():
        mine, others = row["covr"], [got for s, got in row.items() if s != "covr"]
        theirs = [got.found for got in others if got.found is not None]
        covers += mine.found is not None and mine.found <= min(theirs, default=mine.found)
        proved = [got.bound for got in others if got.bound is not None]
        bounds += mine.bound is not None and mine.bound >= max(proved, default=mine.bound)
    return covers, bounds


def main(arguments: list[str]) -> int:
    """Run the benchmark; 1 when something contradicts something."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks large", standalone_mode=False) or 0)
