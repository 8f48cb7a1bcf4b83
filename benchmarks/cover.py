"""`python -m benchmarks cover`: proved minima of covering problems, covr beside mixed-integer and CP solvers.

A peer that is not installed, an instance that is not at hand and a run that took too long are told, in the table
too. Every cover is checked, and all proved minima of an instance must agree, with the published one where there is
one.
"""

from __future__ import annotations

import datetime
import math
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from benchmarks._cover_instances import PUBLISHED, CoverInstance, generated, published
from benchmarks._cover_peers import SOLVERS
from benchmarks.measure import ROOT, Runs, allowed, installed, processor, told
from benchmarks.proved import SLACK, Table, concluded, contradictions, once, written
from covr.engine import Problem

PEERS = Path(__file__).with_name("_cover_peers.py")
LIMITS = {"scip": 10.0, "scipy milp": 10.0}  # seconds a run may take, where not as long as the others
LONG = 3.0  # seconds; what takes longer is timed once
QUICK = ("stn27", "queens 8", "C(8,4,3)", "exclude I3")


@click.command("cover")
@click.option("--instances", "folder", type=click.Path(path_type=Path), help="Where OR-Library files (*.scp) are.")
@click.option("--only", "names", multiple=True, help="Instances that begin so; may be repeated.")
@click.option("--solver", "chosen", multiple=True, type=click.Choice(list(SOLVERS)), help="These beside covr.")
@click.option("--rounds", default=3, show_default=True, help="Runs of each; the least time counts.")
@click.option("--timeout", default=20.0, show_default=True, help="Seconds a run may take.")
@click.option("--limit", "limits", multiple=True, metavar="SOLVER=SECONDS", help="The same for one; may be repeated.")
@click.option("--quick", is_flag=True, help="A few small instances, one round; nothing is written.")
@click.option("--estimates", is_flag=True, help="covr with each of its estimates instead of peers.")
def command(
    folder: Path | None, names: tuple[str, ...], chosen: tuple[str, ...], rounds: int, timeout: float,
    limits: tuple[str, ...], quick: bool, estimates: bool,
) -> int:  # fmt: skip
    """Compare solvers of covering problems and write benchmarks/results.md."""
    plain = [s for s in SOLVERS if not s.startswith("covr")]
    asked = ["covr", *(chosen or ([s for s in SOLVERS if s.startswith("covr ")] if estimates else plain))]
    versions = installed(sys.executable, {SOLVERS[s][0] for s in asked})
    solvers = [s for s in asked if SOLVERS[s][0] in versions]
    instances = [*published(folder or ROOT.parent / "shared" / "instances"), *generated()]
    absent = sorted(set(PUBLISHED) - {i.name for i in instances})
    wanted = names or (QUICK if quick else ())
    if wanted:
        instances = [i for i in instances if i.name.startswith(tuple(wanted))]
    most = seconds(solvers, timeout, limits)
    table, wrong = measure(instances, solvers, 1 if quick else rounds, most)
    left = [f"{s} is not installed" for s in asked if s not in solvers] + [f"{name} is not at hand" for name in absent]
    text = report(table, {s: versions[SOLVERS[s][0]] for s in solvers}, left, most)
    return concluded("cover", text, wrong, whole=not (quick or names or chosen or estimates))


def seconds(solvers: Sequence[str], timeout: float, limits: Sequence[str]) -> dict[str, float]:
    """How long a run of each solver may take."""
    return allowed(solvers, timeout, LIMITS, limits, SOLVERS)


def measure(
    instances: Sequence[CoverInstance], solvers: Sequence[str], rounds: int, most: Mapping[str, float]
) -> tuple[Table, list[str]]:
    """instance → solver → Runs, and what went wrong. Rounds go over all before a solver runs an instance again.

    A solver that did not finish once, or took long, is not asked again.
    """
    table: Table = {instance.name: {s: Runs() for s in solvers} for instance in instances}
    with tempfile.TemporaryDirectory() as made:
        paths = {instance.name: Path(made) / f"{k}.scp" for k, instance in enumerate(instances)}
        for instance in instances:
            paths[instance.name].write_text(text(instance.make()), encoding="utf-8")
        for _ in range(rounds):
            for instance in instances:
                for solver in solvers:
                    runs = table[instance.name][solver]
                    if not runs.trouble and (runs.best or 0) < LONG:
                        # -P: no module beside it is meant
                        command = [
                            sys.executable,
                            "-P",
                            str(PEERS),
                            solver,
                            str(paths[instance.name]),
                            str(most[solver]),
                        ]
                        once(command, most[solver] + SLACK, runs, "not a cover")
                        told = f"{instance.name:20} {solver:12} {runs.found} {runs.best} {runs.trouble}"
                        print(told, file=sys.stderr)
    wrong = [*contradictions(table, [(i.name, i.optimum) for i in instances])]
    for name, row in table.items():
        wrong += [f"{name}: {s}: {r.trouble}" for s, r in row.items() if "cover" in r.trouble]
    return table, wrong


def text(problem: Problem) -> str:
    """The problem as the OR-Library writes it; every item is needed once."""
    rows: list[list[int]] = [[] for _ in range(problem.items)]
    for o in range(problem.options):
        for i in problem.option(o):
            rows[i].append(o + 1)
    lines = [[problem.items, problem.options], list(problem.costs), *([len(row), *row] for row in rows)]
    return "\n".join(" ".join(map(str, line)) for line in lines) + "\n"


def report(table: Table, versions: Mapping[str, str], left: list[str], most: Mapping[str, float]) -> str:
    """The section of benchmarks/results.md."""
    solvers = list(versions)
    won, slow = _standing(table, [s for s in solvers if s in ("highs", "cpsat")], most["covr"])
    parts = [
        "## Minimum cover",
        f"{datetime.date.today()}, {processor()}, one thread. CPU seconds from rows and columns to the proved "
        "minimum, the least of the rounds (one, where it takes longer than "
        f"{LONG:.0f} s), after each solver has solved a problem of three rows, and in brackets how many times covr's. "
        f"`>`: not within {told(most)}, which is what counts in the mean; `!`: failed. CP-SAT runs with "
        "linearization_level=2, without which it is far slower here.",
        written(table, versions, most, (4, 0)),
    ]
    if {"highs", "cpsat"} & set(solvers):
        parts.append(
            f"covr is faster than the better of HiGHS and CP-SAT on {won} of {len(table)}"
            + (f"; more than three times slower on {', '.join(slow)}." if slow else ", and nowhere three times slower.")
        )
    parts.append("Left out: " + ("; ".join(left) if left else "nothing") + ".")
    return "\n\n".join(parts)


def _standing(table: Table, peers: list[str], timeout: float) -> tuple[int, list[str]]:
    """On how many instances covr is faster than all of the peers, and those where it is three times slower."""
    won, slow = 0, []
    for name, runs in table.items():
        mine = runs["covr"].best
        theirs = min((b for s in peers if (b := runs[s].best) is not None), default=math.inf)
        won += mine is not None and mine < theirs
        if theirs < math.inf and (timeout if mine is None else mine) > 3 * theirs:
            slow.append(name)
    return won, slow


def main(arguments: list[str]) -> int:
    """Run the benchmark; 1 when solvers disagree or a cover is none."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks cover", standalone_mode=False) or 0)
