"""A reader that has closed the pipe is no fault, whatever the system calls it."""

from __future__ import annotations

import errno
import sys

import pytest

from covr.output.streams import UnwritableStream


@pytest.mark.parametrize(
    ("system", "error", "gone"),
    [
        ("linux", BrokenPipeError(errno.EPIPE, "Broken pipe"), True),
        ("linux", OSError(errno.EINVAL, "Invalid argument"), False),
        ("linux", OSError(errno.ENOSPC, "No space left on device"), False),
        ("win32", BrokenPipeError(errno.EPIPE, "Broken pipe"), True),
        ("win32", OSError(errno.EINVAL, "Invalid argument"), True),
        ("win32", OSError(errno.ENOSPC, "No space left on device"), False),
    ],
)
def test_a_closed_pipe_is_known_on_every_system(
    system: str, error: OSError, gone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert UnwritableStream(error).gone is gone
