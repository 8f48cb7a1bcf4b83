"""Runs in processes of their own, one at a time, interleaved, with a limit of time; least CPU times and ratios."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import field, mutable

ROOT = Path(__file__).parents[1]
PEERS = Path(__file__).with_name("peers.py")


@mutable
class Runs:
    """What a solver did with an instance.

    seconds: CPU times of its runs.  searches: those of the searches alone, where a benchmark tells them apart.  found:
    its result, None where it gave none.  trouble: why it gave none: `timeout`, `unfit: …`, or the last line of what it
    said.
    """

    seconds: list[float] = field(factory=list)
    found: int | None = None
    trouble: str = ""
    searches: list[float] = field(factory=list)

    @property
    def best(self) -> float | None:
        return min(self.seconds, default=None)


def run(python: str, solver: str, path: Path, question: str, timeout: float, *, own: bool = False) -> dict[str, Any]:
    """One run; the result of peers.py, or an object with `trouble`. own: the covr that this Python has is meant."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = {**kept, "PYTHONSAFEPATH": "1"}  # the modules beside peers.py are not meant
    if solver.startswith("covr") and not own:
        environment["PYTHONPATH"] = str(ROOT)
    command = [python, str(PEERS), solver, str(path), question]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=environment)
    except subprocess.TimeoutExpired:
        return {"trouble": "timeout"}
    if done.returncode:
        return {"trouble": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {"trouble": f"unfit: {result['unfit']}"} if "unfit" in result else result


def installed(python: str, packages: Iterable[str]) -> dict[str, str]:
    """The versions of those packages that a Python has, whatever lies in the folder from which it is asked."""
    program = (
        "import importlib.metadata as m, json, sys\n"
        "found = {}\n"
        "for name in sys.argv[1:]:\n"
        "    try: found[name] = m.version(name)\n"
        "    except m.PackageNotFoundError: pass\n"
        "print(json.dumps(found))"
    )
    done = subprocess.run([python, "-P", "-c", program, *packages], capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def allowed(
    solvers: Iterable[str], timeout: float, usual: Mapping[str, float], said: Sequence[str], known: Iterable[str]
) -> dict[str, float]:
    """How many seconds a run of each solver may take.

    usual: solvers that get less than others.  said: what the user says, SOLVER=SECONDS each.  known: names of solvers.
    Raises click.BadParameter for what is not of that form.
    """
    most = {solver: min(timeout, usual.get(solver, timeout)) for solver in solvers}
    for limit in said:
        solver, _, seconds = limit.partition("=")
        if solver not in known or not seconds.replace(".", "", 1).isdigit():
            raise click.BadParameter(f"`{limit}`: say SOLVER=SECONDS, where SOLVER is one of {', '.join(known)}")
        if solver in most:
            most[solver] = float(seconds)
    return most


def told(most: Mapping[str, float]) -> str:
    """Such limits in words: 20 s (scip: 10 s)."""
    usual = most["covr"]
    others = [f"{s}: {limit:.0f} s" for s, limit in most.items() if limit != usual]
    return f"{usual:.0f} s" + (f" ({', '.join(others)})" if others else "")


def interleave(
    solvers: Mapping[str, str], paths: Mapping[str, Path], question: str, rounds: int, most: Mapping[str, float]
) -> dict[str, dict[str, Runs]]:
    """instance → solver → Runs. solvers: name → the Python that has it; most: how many seconds a run of it may take. A
    solver that fails once is not asked again.

    Rounds go over all solvers before a solver runs again, so that a slow minute of the machine meets them all.
    """
    table = {name: {solver: Runs() for solver in solvers} for name in paths}
    for _ in range(rounds):
        for name, path in paths.items():
            for solver, python in solvers.items():
                runs = table[name][solver]
                if runs.trouble:
                    continue
                result = run(python, solver, path, question, most[solver])
                if "trouble" in result:
                    runs.trouble = result["trouble"]
                    continue
                runs.found = result["found"]
                runs.seconds.append(result["seconds"])
                print(f"{name:14} {solver:12} {result['found']:>12} {result['seconds']:9.3f} s", file=sys.stderr)
    return table


def disagreements(table: Mapping[str, Mapping[str, Runs]]) -> Iterator[str]:
    """Instances of which solvers gave different results."""
    for name, runs in table.items():
        found = {r.found for r in runs.values() if r.found is not None}
        if len(found) > 1:
            told = ", ".join(f"{solver} {r.found}" for solver, r in runs.items() if r.found is not None)
            yield f"{name}: {told}"


def geometric_mean(values: Sequence[float]) -> float | None:
    """None of no values."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def processor() -> str:
    """The processor's name, as far as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        import platform

        return platform.processor() or platform.machine()
