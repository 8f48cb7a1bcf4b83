"""The pinned work of the guard's pairs, and what is said where it has changed.

pins.toml has a line for each pair. Calls may differ by a little, because a change of no importance changes them;
slices, nodes and updates are those of one search, and the same on every machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from benchmarks._guard_pairs import PAIRS

FILE = Path(__file__).with_name("pins.toml")
ROOT = Path(__file__).parents[2]
MORE = 1.2  # times the pinned calls: with more the guard fails
LESS = 1.5  # times fewer than the pinned calls: the pins should be renewed
LOOSE = 2.0  # times the calls, where they depend on how threads happen to meet
EXACT = ("slices", "nodes", "updates")
RENEW = "`python -m tests.guard.renew`"
HEAD = f"""\
# How much work covr does for each question of benchmarks/_guard_pairs.py: tests/README.md, "The guard".
# Written by {RENEW}, when a change is meant; say in the commit which figures changed, and why.
"""

Work = Mapping[str, int | str]


def measure(*names: str) -> dict[str, Work]:
    """The work of these pairs, or of all, now. With one seed for hashes, in whose order a few functions are called."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COVR_", "PYTEST_"))}
    environment |= {"PYTHONHASHSEED": "0", "COLUMNS": "100"}
    command = [sys.executable, "-m", "tests.guard.observe", *names]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def pinned() -> dict[str, Work]:
    """What pins.toml says."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def text_of(works: Mapping[str, Work]) -> str:
    """The text of pins.toml for these figures."""
    lines = []
    for name, work in works.items():
        inner = ", ".join(f"{field} = {value}" for field, value in work.items())
        lines.append(f"{json.dumps(name)} = {{ {inner} }}\n")
    return HEAD + "".join(lines)


def changes(name: str, before: Work | None, now: Work | None, is_loose: bool = False) -> list[str]:
    """What to say about a pair, in sentences; nothing if all is as pinned.

    is_loose: its calls depend on how threads meet.
    """
    if now is None:
        return [f"{name}: pinned, but no pair any more; {RENEW} drops it"]
    if "fault" in now:
        return [f"{name}: {now['fault']}"]
    if before is None:
        return [f"{name}: not pinned yet; {RENEW} pins it"]
    said = []
    calls, pin = int(now["calls"]), int(before["calls"])
    more, less = (LOOSE, LOOSE) if is_loose else (MORE, LESS)
    if calls > more * pin:
        said.append(f"{name}: {calls} calls, {pin} before: {calls / max(pin, 1):.2f} times as many")
    elif calls * less < pin:
        said.append(f"{name}: only {calls} calls, {pin} before; keep that with {RENEW}")
    for field in EXACT:
        value, pin = int(now[field]), int(before[field])
        if value > pin:
            said.append(f"{name}: {value} {field}, {pin} before: {value / max(pin, 1):.2f} times as many")
        elif value < pin:
            said.append(f"{name}: only {value} {field}, {pin} before; keep that with {RENEW}")
    return said


def all_changes(before: Mapping[str, Work], now: Mapping[str, Work]) -> list[str]:
    """What to say about all pairs."""
    loose = {pair.name for pair in PAIRS if pair.loose}
    names = {**now, **before}
    return [line for name in names for line in changes(name, before.get(name), now.get(name), name in loose)]
