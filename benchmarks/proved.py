"""What best.py, boards.py, cover.py and sides.py share: runs up to a proved minimum, and the table of them."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import click

from benchmarks import document
from benchmarks._best_peers import BUSY
from benchmarks.measure import ROOT, Runs, geometric_mean, processor

SLACK = 20.0  # seconds for importing, reading and stopping

Table = dict[str, dict[str, Runs]]  # instance → solver → Runs; a solver need not have run every instance


def run_options(command: Callable[..., int]) -> Callable[..., int]:
    """`--only`, `--rounds` and `--timeout` of best.py and sides.py: the arguments `names`, `rounds` and `timeout`."""
    for option in (
        click.option("--timeout", default=20.0, show_default=True, help="CPU seconds a run may take."),
        click.option("--rounds", default=2, show_default=True, help="Runs of each; the least time counts."),
        click.option("--only", "names", multiple=True, help="Instances that begin so; may be repeated."),
    ):
        command = option(command)
    return command


def concluded(name: str, text: str, wrong: Sequence[str], whole: bool) -> bool:
    """Print a section and what went wrong, and write it to the document if nothing did. Returns whether it did.

    whole: whether the section is about the whole benchmark; otherwise it is only printed.
    """
    print(text)
    for line in wrong:
        print(line, file=sys.stderr)
    if whole and not wrong:
        document.replace(name, text)
    return bool(wrong)


def section(
    title: str, said: str, table: Table, versions: Mapping[str, str], left: Sequence[str], timeout: float
) -> str:
    """A section of benchmarks/results.md about proved minima, of best.py and sides.py.

    said: about these solvers.  left: what was left out, and why.  timeout: CPU seconds of a run.
    """
    parts = [
        f"## {title}",
        f"{datetime.date.today()}, {processor()}, one thread. CPU seconds from options to the proved minimum, the "
        "least of the rounds, after each solver has solved a problem of three items, and in brackets how many times "
        f"covr's. `>`: not within {timeout:.0f} s, which is what counts in the mean; `!`: failed. {said}",
        written(table, versions, dict.fromkeys(versions, timeout), (3, 1)),
        "Left out: " + ("; ".join(left) if left else "nothing") + ".",
    ]
    return "\n\n".join(parts)


def once(command: Sequence[str], timeout: float, runs: Runs, unsound: str, *, own: bool = False) -> None:
    """One run of a script of peers, into `runs`.

    command: prints an object with `found`, `proved`, `sound` and `seconds` in its last line.  timeout: seconds after
    which it is ended.  unsound: the trouble of an answer that is none.  own: the covr that this Python has is meant.
    """
    unwanted = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")  # what Python keeps of a source is read, not made each time
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    if not own:
        environment["PYTHONPATH"] = str(ROOT)
    folder = None if own else ROOT
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, cwd=folder, env=environment)
    except subprocess.TimeoutExpired:
        runs.trouble = "timeout"
        return
    if done.returncode:
        runs.trouble = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if result["proved"] or runs.best is None:  # what a later round did not prove says nothing against an earlier one
        runs.found = result["found"]
    if not result["sound"]:
        runs.trouble = unsound
    elif not result["proved"]:
        runs.trouble = "timeout"
    else:
        runs.seconds.append(result["seconds"])
        if "search" in result:
            runs.searches.append(result["search"])


def rounds_of(
    table: Table, rounds: int, command: Callable[[str, str], Sequence[str]], timeout: float, optima: Mapping[str, int]
) -> list[str]:
    """Run every solver on every instance, into the table; returns what went wrong.

    Rounds go over all instances before a solver runs one again; one that did not finish once is not asked again.
    command: of a solver and an instance.  timeout: CPU seconds of a run.  optima: the published minima.
    """
    for _ in range(rounds):
        for name, row in table.items():
            for solver, runs in row.items():
                if not runs.trouble:
                    once(command(solver, name), 2 * BUSY * timeout + SLACK, runs, "not an answer")
                    print(f"{name:20} {solver:8} {runs.found} {runs.best} {runs.trouble}", file=sys.stderr)
    wrong = [*contradictions(table, [(name, optima.get(name)) for name in table])]
    for name, row in table.items():
        wrong += [f"{name}: {s}: {r.trouble}" for s, r in row.items() if r.trouble not in ("", "timeout")]
    return wrong


def contradictions(table: Table, optima: Iterable[tuple[str, int | None]]) -> Iterator[str]:
    """Instances of which the proved minima differ, from each other or from the published one. optima: of each instance,
    None where nobody has published it."""
    for name, optimum in optima:
        proved = {s: r.found for s, r in table[name].items() if r.best is not None}
        if len({*proved.values(), *([] if optimum is None else [optimum])}) > 1:
            yield f"{name}: proved {proved}, published {optimum}"


def written(table: Table, versions: Mapping[str, str], most: Mapping[str, float], digits: tuple[int, int]) -> str:
    """The table in Markdown: seconds, in brackets how many times covr's, and the geometric means of these ratios.

    versions: of each solver.  most: the seconds a run of each was given, which count where it did not finish.
    digits: after the point, of covr's seconds and of a ratio.
    """
    lines: list[list[str]] = []
    ratios: dict[str, list[float]] = {s: [] for s in versions}
    for name, row in table.items():
        mine = row["covr"].best
        found = next((r.found for r in row.values() if r.best is not None), None)
        cells = (_cell(row.get(s), None if s == "covr" else mine, digits) for s in versions)
        lines.append([name, "?" if found is None else str(found), *cells])
        for s in versions:
            if mine is not None and s in row:
                best = row[s].best
                ratios[s].append((most[s] if best is None else best) / max(mine, 1e-4))
    means = [geometric_mean(ratios[s]) for s in versions]
    lines.append(["geometric mean", "", *("" if m is None else f"×{m:.1f}" for m in means)])
    return document.table(["", "minimum", *(f"{s} {versions[s]}" for s in versions)], lines)


def _cell(runs: Runs | None, mine: float | None, digits: tuple[int, int]) -> str:
    if runs is None:
        return ""
    best = runs.best
    if best is None:
        return ">" if runs.trouble == "timeout" else "!"
    return f"{best:.{digits[0]}f}" if not mine else f"{best:.3f} (×{best / max(mine, 1e-4):.{digits[1]}f})"
