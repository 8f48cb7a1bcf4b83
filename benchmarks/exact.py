"""`python -m benchmarks exact`: every solution of classic exact cover problems, covr beside what PyPI has.

The peers need not be where covr is: `--python PATH` names a Python that has them. A peer that is not installed, an
instance that is not at hand and a run that took too long are told, in the table too.
"""

from __future__ import annotations

import datetime
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import click

from benchmarks import document, published
from benchmarks.instances import MAKERS
from benchmarks.measure import Runs, allowed, disagreements, geometric_mean, installed, interleave, processor, told
from benchmarks.peers import SOLVERS

ALL = (
    "pent-8x8c", "pent-6x10", "soma", "queens-13", "langford-12", "latin-5", "domino-8x8", "rand-60-350", "sudoku-16b",
    "macmahon-4x6", "ypent-10x10",
)  # fmt: skip
LIMITS = {"exact-cover": 15, "dlx-cython": 15, "clingo": 15, "ortools": 15}  # slow by far; seconds
QUICK = ("soma", "pent-8x8c", "queens-12", "latin-5")
TITLES = {"all": "Every solution", "one": "First solution", "count": "How many"}


@click.command("exact")
@click.option("--python", "python", default=sys.executable, metavar="PATH", help="A Python that has the peers.")
@click.option("--instances", "folder", type=click.Path(path_type=Path), help="Where .dlx files that can't be made are.")
@click.option("--question", type=click.Choice(list(TITLES)), default="all", show_default=True)
@click.option("--only", "names", multiple=True, help="This instance; may be repeated.")
@click.option("--solver", "chosen", multiple=True, help="This solver beside covr; may be repeated.")
@click.option("--rounds", default=3, show_default=True, help="Runs of each; the least time counts.")
@click.option("--timeout", default=60.0, show_default=True, help="Seconds a run may take.")
@click.option("--limit", "limits", multiple=True, metavar="SOLVER=SECONDS", help="The same for one; may be repeated.")
@click.option("--write", is_flag=True, help="Write benchmarks/results.md although some were left out.")
@click.option("--quick", is_flag=True, help="A few small instances, one round; nothing is written.")
def command(
    python: str,
    folder: Path | None,
    question: str,
    names: tuple[str, ...],
    chosen: tuple[str, ...],
    rounds: int,
    timeout: float,
    limits: tuple[str, ...],
    write: bool,
    quick: bool,
) -> int:
    """Compare exact cover solvers and write benchmarks/results.md."""
    asked = [s for s in SOLVERS if s == "covr" or (not chosen and not s.startswith("covr")) or s in chosen]
    here = installed(sys.executable, {SOLVERS[s][0] for s in asked if s.startswith("covr")})
    there = installed(python, {SOLVERS[s][0] for s in asked})
    solvers = {s: sys.executable if s.startswith("covr") else python for s in asked if SOLVERS[s][0] in here | there}
    missing = [f"{s} is not installed" for s in asked if s not in solvers]
    missing += [f"{s} was not asked" for s in SOLVERS if s not in asked and not s.startswith("covr")]
    with tempfile.TemporaryDirectory() as made:
        paths, absent = _paths(names or (QUICK if quick else ALL), folder, Path(made))
        most = allowed(solvers, timeout, LIMITS, limits, SOLVERS)
        table = interleave(solvers, paths, question, 1 if quick else rounds, most)
    wrong = list(disagreements(table))
    text = _report(question, table, {s: (here | there)[SOLVERS[s][0]] for s in solvers}, missing, absent, told(most))
    print(text)
    for line in wrong:
        print(f"the results differ: {line}", file=sys.stderr)
    if not wrong and (write or not (quick or names or chosen)):
        document.replace(f"exact {question}", text)
    return bool(wrong)


def _paths(names: tuple[str, ...], folder: Path | None, made: Path) -> tuple[dict[str, Path], list[str]]:
    """The files of the instances, made or found, and the names of those that are not at hand."""
    paths: dict[str, Path] = {}
    for name in names:
        if name in MAKERS:
            paths[name] = made / f"{name}.dlx"
            paths[name].write_text(MAKERS[name]().dlx, encoding="utf-8")
        elif (found := published.find(name, folder)) is not None:
            paths[name] = found
    return paths, [name for name in names if name not in paths]


def _report(
    question: str,
    table: Mapping[str, Mapping[str, Runs]],
    versions: Mapping[str, str],
    missing: list[str],
    absent: list[str],
    limits: str,
) -> str:
    solvers = list(versions)
    rows = []
    ratios: dict[str, list[float]] = {s: [] for s in solvers}
    fastest: list[float] = []
    for name, runs in table.items():
        mine = runs["covr"].best
        found = next((r.found for r in runs.values() if r.found is not None), None)
        row = [name, "" if found is None else f"{found}"]
        peers: list[float] = []
        for solver in solvers:
            best = runs[solver].best
            row.append(_cell(runs[solver], best, mine, solver))
            if best is not None and mine:
                ratios[solver].append(best / mine)
                if not solver.startswith("covr"):
                    peers.append(best / mine)
        fastest += [min(peers)] if peers else []
        rows.append([*row, f"{min(peers):.1f}" if peers else ""])
    means = {s: geometric_mean(ratios[s]) for s in solvers}
    rows.append(
        ["geometric mean of ratios", ""]
        + ["" if s == "covr" or means[s] is None else f"×{means[s]:.2f} ({len(ratios[s])})" for s in solvers]
        + [f"{mean:.1f}" if (mean := geometric_mean(fastest)) is not None else ""]
    )
    missing = missing + [f"{name} was not run" for name in ALL if name not in table and name not in absent]
    left_out = missing + [f"{name} is not at hand" for name in absent]
    heads = ["", "found", *(f"{s} {versions[s]}" for s in solvers), "fastest peer ÷ covr"]
    return "\n\n".join([
        f"## Exact cover: {TITLES[question].lower()}",
        f"{datetime.date.today()}, {processor()}, one thread. CPU seconds from a list of options to the result, the "
        f"least of the rounds, and in brackets how many times covr's. `>`: not within {limits}; `–`: can't be "
        "asked; `!`: failed. exact-cover and passagemath get an option of its own for each secondary item.",
        document.table(heads, rows),
        "Left out: " + ("; ".join(left_out) if left_out else "nothing") + ".",
    ])  # fmt: skip


def _cell(runs: Runs, best: float | None, mine: float | None, solver: str) -> str:
    if best is None:
        return {"timeout": ">", "unfit": "–"}.get(runs.trouble.partition(":")[0], "!")
    return f"{best:.3f}" if solver == "covr" or not mine else f"{best:.3f} (×{best / mine:.1f})"


def main(arguments: list[str]) -> int:
    """Run the benchmark; 1 when solvers disagree."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks exact", standalone_mode=False) or 0)
