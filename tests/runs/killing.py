"""Runs that are killed at random instants, and go on."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

# Small pieces, so that few seconds see many transactions; covr's own are a second long.
SMALL = """
import sys
from covr.engine.pieces import piece_search as pieced
pieced.ALONE = dict.fromkeys(pieced.ALONE, 0.05)
pieced.SECONDS = dict.fromkeys(pieced.SECONDS, 0.05)
pieced.BATCH = 0.01
from covr.cli.group import cli
sys.exit(cli.main(sys.argv[1:], standalone_mode=False))
"""


def command(*words: str) -> list[str]:
    return [sys.executable, "-c", SMALL, *words]


def said(*words: str) -> str:
    """What a command prints when nobody disturbs it."""
    done = subprocess.run(command(*words), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def killed(words: Sequence[str], file: Path, kills: int, rng: random.Random, longest: float) -> tuple[str, int]:
    """Begin a run, kill it after a random time, go on with it, kill it again …; returns what the last one prints and
    how often the run was really killed. One that ends before its time is undisturbed from there on."""
    hit = 0
    for n in range(kills + 1):
        # Killed before the file was made, a run begins anew.
        form = words[-2:] if "--format" in words else ()
        now = ["resume", str(file), *form] if file.exists() and n % 2 else [*words, "--run", str(file)]
        process = subprocess.Popen(command(*now), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if n < kills:
            time.sleep(rng.uniform(0.0, longest))
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                hit += 1
                continue
        out, err = process.communicate()
        assert process.returncode == 0, err
        return out, hit
    raise AssertionError("the last one is not killed")
