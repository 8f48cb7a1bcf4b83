"""`python -m benchmarks links`: a thousand links to puzzles in one process, uniqueness proved.

The links are the published puzzles of every kind by turns. They are others' work and not here: they are read from
beside the project, or from `--data`.
"""

from __future__ import annotations

import datetime
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from benchmarks import document
from benchmarks.measure import processor
from benchmarks.published import BESIDE

LINKS = 1000
SITE = "https://puzz.link/p?"


@click.command("links")
@click.option("--data", "file", type=click.Path(path_type=Path), default=BESIDE / "data" / "pzpr.json")
@click.option("--only", default="", help="Links of this kind alone; the page is then left as it is.")
def command(file: Path, only: str) -> int:
    """Measure `covr solve --each links.txt --unique` and write benchmarks/results.md."""
    from covr.links.table import kinds

    published = json.loads(file.read_text(encoding="utf-8"))
    names = [name for name in kinds() if name in published and only in ("", name)]
    lines = [f"{SITE}{name}/{published[name]['url']}" for name in names]
    start = _process(lines[:1])
    whole = _process((lines * (LINKS // len(lines) + 1))[:LINKS])
    rate = LINKS / (whole - start)
    text = "\n\n".join([
        "## A thousand links",
        f"{datetime.date.today()}, {processor()}, one thread, CPU time, uniqueness proved: the published puzzles of "
        f"{len(names)} kinds by turns, each read, compiled and solved anew.",
        document.table(
            ["kinds", "links", "seconds", "links per second"],
            [[only or "all", f"{LINKS}", f"{whole:.1f}", f"{rate:.1f}"]],
        ),
    ])  # fmt: skip
    print(text)
    if not only:
        document.replace("links", text)
    return 0


def _process(lines: list[str]) -> float:
    """CPU seconds of the whole command for these links."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{line}\n" for line in lines))
        file.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        asked = [sys.executable, "-m", "covr", "solve", "--each", file.name, "--unique"]
        subprocess.run(asked, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks links", standalone_mode=False) or 0)
