"""A job array of a real Slurm, whose tasks are killed by hand, requeued, and ended by their walltime."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.runs.slurm import asked, cluster, jobs, missing

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=f"without {', '.join(missing())}")]

SCRIPT = """#!/bin/sh
#SBATCH --array={array}
#SBATCH --cpus-per-task=1
#SBATCH --time=00:01:00
#SBATCH --requeue
#SBATCH --output={place}/%A_%a.out
#SBATCH --chdir={place}
exec {covr} piece q.pieces
"""
# The model is counted in pieces of some tenths of a second, and one piece takes longer than the walltime of a minute.
SMALL = """
import sys
from covr.engine.pieces import piece_search, piece_work
piece_search.ALONE = dict.fromkeys(piece_search.ALONE, 0.05)
from covr.cli.group import cli
sys.exit(cli.main(sys.argv[1:], standalone_mode=False))
"""


def covr(place: Path, *words: str, code: int = 0) -> str:
    done = subprocess.run([sys.executable, "-c", SMALL, *words], cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout


def submit(environment: dict[str, str], place: Path, array: str) -> None:
    program = f"{sys.executable} -m covr"
    (place / "q.sh").write_text(SCRIPT.format(array=array, place=place, covr=program))
    asked(environment, "sbatch", str(place / "q.sh"))


def ours(place: Path) -> list[int]:
    """The processes at work on the pieces, by what is written in their claims."""
    found = []
    for claim in (place / "q.pieces" / "claims").iterdir():
        try:
            found.append(int(json.loads(claim.read_text())["process"]))
        except (OSError, ValueError):
            continue
    return found


def test_a_job_array_survives_kills(tmp_path: Path) -> None:
    place, rng = tmp_path / "work", random.Random(1)
    place.mkdir()
    covr(place, "count", "queens", "-D", "n=15", "--run", "q.run", "--limit-time", "0", code=3)
    covr(place, "split", "q.run", "-n", "60", "--cut-after", "0.3")
    many = json.loads(covr(place, "status", "q.pieces", "--json"))["pieces"]["number"]
    with cluster(tmp_path / "slurm") as environment:
        array, rounds, kills = f"1-{many}", 0, 0
        while True:
            submit(environment, place, array)
            rounds += 1
            until = time.monotonic() + 200
            while (queue := jobs(environment)) and time.monotonic() < until:
                time.sleep(0.3)
                running = [number for number, state in queue if state == "RUNNING"]
                if kills < 12 and running and rng.random() < 0.6:
                    kills += 1
                    if rng.random() < 0.5:
                        subprocess.run(["scancel", "--signal=KILL", rng.choice(running)], env=environment, check=False)
                    else:
                        for number in ours(place)[:1]:
                            try:
                                os.kill(number, signal.SIGKILL)
                            except ProcessLookupError:
                                kills -= 1
            assert not jobs(environment), "the array is over"
            merged = subprocess.run(
                [sys.executable, "-c", SMALL, "merge", "q.pieces", "q.run", "--json"],
                cwd=place, capture_output=True, text=True, check=False,
            )  # fmt: skip
            missing_ones = json.loads(merged.stdout)["merged"]["missing"]
            if not missing_ones:
                break
            assert rounds < 6
            array = ",".join(map(str, missing_ones))
    assert kills > 3
    assert covr(place, "resume", "q.run") == "2279184\n"


def test_a_walltime_ends_a_task_and_nothing_is_lost(tmp_path: Path) -> None:
    place = tmp_path / "work"
    place.mkdir()
    covr(place, "count", "queens", "-D", "n=17", "--run", "q.run", "--limit-time", "0", code=3)
    covr(place, "split", "q.run", "-n", "2", "--cut-after", "2")
    with cluster(tmp_path / "slurm") as environment:
        script = SCRIPT.format(array="1-2", place=place, covr=f"{sys.executable} -m covr")
        (place / "q.sh").write_text(script.replace("piece q.pieces", "piece q.pieces --all"))
        asked(environment, "sbatch", str(place / "q.sh"))
        rounds = 0
        while True:
            until = time.monotonic() + 150
            while jobs(environment) and time.monotonic() < until:
                time.sleep(1)
            assert not jobs(environment), "Slurm ends the tasks at their walltime"
            rounds += 1
            standing = json.loads(covr(place, "status", "q.pieces", "--json"))
            if not standing["missing"]:
                break
            assert not standing["working"], "a task that is ended leaves no claim behind"
            assert rounds < 6
            asked(environment, "sbatch", str(place / "q.sh"))
    assert rounds > 1, "two minutes of work do not fit into one"
    covr(place, "merge", "q.pieces", "q.run")
    assert covr(place, "resume", "q.run") == "95815104\n"
