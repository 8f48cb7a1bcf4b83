"""`python -m benchmarks guard --beside v0.2.0`: the CPU time of the guard's pairs, beside that of another release.

Each pair (_guard_pairs.py) is a process of its own, asked by this covr and by the other one in turns, so that both meet
the same machine. What counts is the time in user and system mode of the whole process, with its start and its threads;
of several runs, the median. The table goes to standard output, those that have become slowest first.

tests/guard pins how much work the same pairs are, without a clock; here is what that work takes.
"""

from __future__ import annotations

import math
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from benchmarks import document
from benchmarks._guard_pairs import PAIRS, Pair, source

ROOT = Path(__file__).parents[1]
Times = tuple[list[float], list[float]]  # CPU seconds of the other release, and of this one


def _build(revision: str, folder: Path) -> Path:
    """Install a revision of this repository in a folder, in a virtual environment of its own; its Python."""
    archive = subprocess.run(["git", "archive", revision], cwd=ROOT, capture_output=True)
    if archive.returncode:
        raise click.BadParameter(f"`{revision}` is neither a folder with .venv nor a revision", param_hint="--beside")
    code = folder / "covr"
    code.mkdir()
    subprocess.run(["tar", "-x", "-C", str(code)], input=archive.stdout, check=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder / ".venv")], check=True)
    python = folder / ".venv" / "bin" / "python"
    click.echo(f"building {revision}, which takes some minutes", err=True)
    subprocess.run([str(python), "-m", "pip", "install", "-q", str(code)], check=True)
    return python


@contextmanager
def python_of(beside: str) -> Iterator[Path]:
    """The Python of another release: of a folder with .venv, or of a revision, which is built for the time being.

    Raises click.BadParameter if it is neither.
    """
    python = Path(beside).absolute() / ".venv" / "bin" / "python"
    if python.exists():
        yield python
        return
    with tempfile.TemporaryDirectory() as folder:
        yield _build(beside, Path(folder))


def seconds_of(python: Path, pair: Pair, timeout: float) -> float | None:
    """CPU seconds of one run in an empty folder; None if it fails, or is not done after `timeout` seconds."""
    unwanted = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "COVR_INTERPRETED")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment["PYTHONHASHSEED"] = "0"
    with tempfile.TemporaryDirectory() as folder:
        child = subprocess.Popen(
            [str(python), "-c", source(pair)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        late = threading.Timer(timeout, lambda: os.kill(child.pid, signal.SIGKILL))
        late.start()
        _, status, used = os.wait4(child.pid, 0)
        late.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
    return None if child.returncode else used.ru_utime + used.ru_stime


def measure(pairs: Sequence[Pair], pythons: Sequence[Path], runs: int, timeout: float) -> dict[str, Times]:
    """The times of each pair; a list is shorter than `runs` where a run failed."""
    found: dict[str, Times] = {}
    for pair in pairs:
        times: Times = ([], [])
        for turn in range(runs):
            for side in (0, 1) if turn % 2 == 0 else (1, 0):
                spent = seconds_of(pythons[side], pair, timeout)
                if spent is not None:
                    times[side].append(spent)
            if len(times[0]) <= turn or len(times[1]) <= turn:
                break  # what fails once does so again
        found[pair.name] = times
        click.echo(".", nl=False, err=True)
    click.echo("", err=True)
    return found


def report(found: Mapping[str, Times], before: str, runs: int, most: int) -> str:
    """The table in Markdown: the geometric mean of the ratios, and the `most` pairs that have become slowest."""
    whole = {name: times for name, times in found.items() if min(map(len, times)) == runs}
    medians = {name: (statistics.median(old), statistics.median(new)) for name, (old, new) in whole.items()}
    ratios = {name: new / max(old, 1e-6) for name, (old, new) in medians.items()}
    rows = []
    if ratios:
        mean = math.exp(statistics.fmean(map(math.log, ratios.values())))
        rows.append([f"geometric mean of {len(ratios)}", "", "", f"×{mean:.2f}"])
    for name in sorted(ratios, key=ratios.__getitem__, reverse=True)[:most]:
        old, new = medians[name]
        rows.append([f"`{name}`", f"{old:.3f}", f"{new:.3f}", f"×{ratios[name]:.2f}"])
    for name in (name for name in found if name not in whole):
        told = [f"{statistics.median(times):.3f}" if len(times) == runs else "failed" for times in found[name]]
        rows.append([f"`{name}`", *told, ""])
    return document.table(["question", f"{before}, CPU s", "now, CPU s", "ratio"], rows)


@click.command("guard")
@click.option("--beside", required=True, help="A tag or another revision, which is built; or a folder with its .venv.")
@click.option("--runs", default=5, show_default=True, type=click.IntRange(1), help="How often each pair is asked.")
@click.option("--only", default="", help="Only pairs whose name has this regular expression in it.")
@click.option("--rows", default=20, show_default=True, help="How many pairs the table has: the slowest.")
@click.option("--timeout", default=60.0, show_default=True, help="Seconds after which a run has failed.")
def command(beside: str, runs: int, only: str, rows: int, timeout: float) -> int:
    """Compare the CPU time of the guard's pairs with that of another release."""
    pairs = [pair for pair in PAIRS if re.search(only, pair.name)]
    if not pairs:
        raise click.BadParameter(f"no pair has `{only}` in its name", param_hint="--only")
    with python_of(beside) as python:
        pythons = [python, Path(sys.executable)]
        for each in pythons:
            seconds_of(each, pairs[0], timeout)  # which compiles Python files, and reads all from the disk
        found = measure(pairs, pythons, runs, timeout)
    click.echo(report(found, Path(beside).name, runs, rows))
    return 0


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    try:
        return int(command.main(args=arguments, prog_name="python -m benchmarks guard", standalone_mode=False) or 0)
    except click.ClickException as fault:
        fault.show()
        return fault.exit_code
