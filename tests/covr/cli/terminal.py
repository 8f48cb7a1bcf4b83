"""A command on a terminal, for tests of what it shows there."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from collections.abc import Sequence

import pytest

UNSET = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LC_ALL")  # what would change how a terminal is written to


def environment(**more: str) -> dict[str, str]:
    """The environment of a command on a usual terminal."""
    kept = {k: v for k, v in os.environ.items() if k not in UNSET}
    return {**kept, "TERM": "xterm-256color", "PYTHONUTF8": "1", **more}


def on_terminal(
    command: Sequence[str], whole: bool = True, interrupt: bytes | None = None, **more: str
) -> tuple[str, int]:
    """What a command writes to a terminal, and its exit code.

    whole: whether standard output is the terminal, too, and not only standard error; otherwise it is a pipe.
    interrupt: press Ctrl-C as soon as this is shown.  more: of the environment.
    A test is skipped where the system has no terminals to give, as in a container without /dev/pts.
    """
    try:
        leader, follower = pty.openpty()
    except OSError as why:
        pytest.skip(f"no terminal can be opened here: {why}")
    out = follower if whole else subprocess.PIPE
    process = subprocess.Popen(command, stdout=out, stderr=follower, env=environment(**more))
    os.close(follower)
    shown = b""
    try:
        while chunk := os.read(leader, 4096):
            shown += chunk
            if interrupt is not None and interrupt in shown:
                process.send_signal(signal.SIGINT)
                interrupt = None
    except OSError:  # Linux reports the end of a terminal as an error
        pass
    os.close(leader)
    process.communicate(timeout=60)
    return shown.decode(), process.returncode
