"""`python -m benchmarks boards`: boards of the size of examples, and of published size, covr beside clingo and CP-SAT.

Each board is asked for an answer, and for the proof that there is no other one; the rota for its best answer. Every
answer is checked against covr's model, and all solvers must find the same number of answers, or the same value.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from benchmarks import document
from benchmarks._boards import BOARDS, LARGE
from benchmarks.measure import Runs, geometric_mean, installed, processor
from benchmarks.proved import SLACK, Table, concluded, contradictions, once

PEERS = Path(__file__).with_name("_board_peers.py")
PACKAGES = {"covr": "covr", "clingo": "clingo", "cpsat": "ortools"}
QUESTIONS = ("first", "proof")
PEERS_OF_COVR = ("clingo", "cpsat")
UNWRITTEN = {"cpsat": ("fillomino",)}  # boards for which a solver has no model here
LEAST = 1e-4  # seconds; less can't be told apart


@click.command("boards")
@click.option("--only", "names", multiple=True, help="Boards that begin so; may be repeated.")
@click.option("--rounds", default=2, show_default=True, help="Runs of each; the least time counts.")
@click.option("--timeout", default=20.0, show_default=True, help="Seconds a run may take.")
def command(names: tuple[str, ...], rounds: int, timeout: float) -> int:
    """Compare solvers on boards and write benchmarks/results.md."""
    versions = installed(sys.executable, set(PACKAGES.values()))
    solvers = [s for s in PACKAGES if PACKAGES[s] in versions]
    asked = [f"{b} {q}" for b in BOARDS for q in QUESTIONS] + [f"{b} proof" for b in LARGE]
    asked = [name for name in asked if not names or name.startswith(tuple(names))]
    table, wrong = measure(asked, solvers, rounds, timeout)
    left = [f"{s} is not installed" for s in PACKAGES if s not in solvers]
    text = report(table, {s: versions[PACKAGES[s]] for s in solvers}, left, timeout)
    return concluded("boards", text, wrong, whole=not names)


def measure(asked: Sequence[str], solvers: Sequence[str], rounds: int, timeout: float) -> tuple[Table, list[str]]:
    """Board and question → solver → Runs, and what went wrong. Rounds go over all before a solver runs again; one that
    did not finish once is not asked again."""
    table: Table = {name: {s: Runs() for s in solvers} for name in asked}
    for _ in range(rounds):
        for name, row in table.items():
            for solver, runs in row.items():
                if name.startswith(UNWRITTEN.get(solver, ())):
                    runs.trouble = "no model"
                if not runs.trouble:
                    command = [sys.executable, "-P", str(PEERS), solver, *name.split(), str(timeout)]
                    once(command, 4 * timeout + SLACK, runs, "not an answer")
                    print(f"{name:20} {solver:8} {runs.found} {runs.best} {runs.trouble}", file=sys.stderr)
    wrong = [*contradictions(table, [(name, None) for name in table])]
    for name, row in table.items():
        wrong += [f"{name}: {s}: {r.trouble}" for s, r in row.items() if r.trouble not in ("", "timeout", "no model")]
    return table, wrong


def ratio(row: Mapping[str, Runs], timeout: float, of: str, beside: Sequence[str] = PEERS_OF_COVR) -> float | None:
    """covr's time divided by that of the better of the others, which has `timeout` where it did not finish; None where
    covr did not finish. of: `seconds` or `searches`. beside: the others."""
    mine = min(getattr(row["covr"], of), default=None)
    others = [min(getattr(runs, of), default=timeout) for s, runs in row.items() if s in beside]
    return None if mine is None or not others else max(mine, LEAST) / max(min(others), LEAST)


def report(table: Table, versions: Mapping[str, str], left: Sequence[str], timeout: float) -> str:
    """The section of benchmarks/results.md."""
    lines = []
    ratios: dict[str, list[float]] = {"seconds": [], "searches": []}
    clingo = [r for row in table.values() if (r := ratio(row, timeout, "seconds", ["clingo"])) is not None]
    for name, row in table.items():
        cells = []
        for of, digits in (("seconds", 2), ("searches", 3)):
            best = [min(getattr(row[s], of), default=None) for s in versions]
            none = ["–" if row[s].trouble == "no model" else ">" for s in versions]
            cells += [sign if x is None else f"{x:.{digits}f}" for x, sign in zip(best, none, strict=True)]
            times = ratio(row, timeout, of)
            cells.append("" if times is None else f"×{times:.2f}")
            ratios[of] += [] if times is None else [times]
        lines.append([name, str(next((r.found for r in row.values() if r.best is not None), "?")), *cells])
    means = {of: geometric_mean(found) for of, found in ratios.items()}
    gap = [""] * len(versions)
    lines.append(["geometric mean", "", *gap, _times(means["seconds"]), *gap, _times(means["searches"])])
    head = ["", "found", *(f"{s} {v}" for s, v in versions.items()), "", *(f"{s}, search" for s in versions), ""]
    parts = [
        "## Boards",
        f"{datetime.date.today()}, {processor()}, one thread. Boards of 10 × 10, or as large as the name says, a "
        "nonogram of 20 × 20 and a rota of 20 people for 14 days. `first` asks for an answer; `proof` asks whether "
        "there is another one (1 found: none), and for the best rota. CPU seconds, the least of the rounds, after "
        "each solver has solved a board of 2 × 2, covr also by clingo: first from the board to the end, with covr "
        "compiling its model, clingo grounding its program and CP-SAT being handed numbers; then of the search alone. "
        f"`×`: covr's time divided by that of the better of the others. `>`: not within {timeout:.0f} s; `–`: "
        "no model of that kind was written for it.",
        document.table(head, lines),
        "\n".join(f"- {line}" for line in (*told(ratios), beside_clingo(clingo))),
        "Left out: " + ("; ".join(left) if left else "nothing") + ".",
    ]
    return "\n\n".join(parts)


def _times(mean: float | None) -> str:
    return "" if mean is None else f"×{mean:.2f}"


def told(ratios: Mapping[str, Sequence[float]]) -> list[str]:
    """How often covr is ahead, and how often within twice the better of the others."""
    words = {"seconds": "From the board to the end", "searches": "In the search alone"}
    return [
        f"{words[of]}, covr is ahead in {sum(x <= 1 for x in found)} of {len(found)} rows, and takes at most twice as "
        f"long as the better of the others in {sum(x <= 2 for x in found)}."
        for of, found in ratios.items()
    ]


def beside_clingo(found: Sequence[float]) -> str:
    """How often covr is ahead of clingo from the board to the end, and how often it takes little longer."""
    mean = geometric_mean(found)
    return (
        f"Beside clingo alone, from the board to the end: ahead in {sum(x <= 1 for x in found)} of {len(found)} rows, "
        f"at most 1.5 times as long in {sum(x <= 1.5 for x in found)}"
        + ("." if mean is None else f"; geometric mean ×{mean:.2f}.")
    )


def main(arguments: list[str]) -> int:
    """Run the benchmark; 1 when solvers disagree or an answer is none."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks boards", standalone_mode=False) or 0)
