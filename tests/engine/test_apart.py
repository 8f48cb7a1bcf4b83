"""Processes that Ctrl-C does not reach."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from covr.engine.base.alone import apart


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups that can be asked for")
def test_the_process_is_in_no_group_of_ours() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, **apart()) as child:
        assert os.getpgid(child.pid) != os.getpgid(0)
        child.communicate(b"\n")
    assert child.returncode == 0


def test_windows_is_asked_for_a_group_and_for_less_priority() -> None:
    """`subprocess` refuses `creationflags` elsewhere, and ignores `start_new_session` on Windows."""
    asked = apart(system="win32")
    assert asked == {"creationflags": 0x200}
    assert apart(humble=True, system="win32") == {"creationflags": 0x200 | 0x4000}
    assert apart(humble=True, system="linux") == apart(system="darwin") == {"start_new_session": True}
    if sys.platform == "win32":
        assert asked["creationflags"] == subprocess.CREATE_NEW_PROCESS_GROUP
