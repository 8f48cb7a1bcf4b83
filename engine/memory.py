"""How much memory this process has, as the system counts it: what a limit of memory is held against.

Linux tells in /proc. Elsewhere psutil is asked, where it is installed; without it a limit of memory is refused, for the
most that a process ever had (`getrusage`) never falls, and would end searches for what compiling took.
"""

from __future__ import annotations

import importlib
import os
from importlib.util import find_spec
from pathlib import Path

STATM = Path("/proc/self/statm")


def measurable() -> bool:
    """Whether `resident` can tell on this system."""
    return _from_proc() is not None or find_spec("psutil") is not None


def resident() -> int:
    """Bytes of this process that lie in memory. Raises ImportError where that is not `measurable`.

    A few microseconds from /proc, some tens with psutil.
    """
    found = _from_proc()
    if found is None:
        found = int(importlib.import_module("psutil").Process().memory_info().rss)
    return found


def _from_proc() -> int | None:
    try:
        return int(STATM.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):  # AttributeError: Windows has no sysconf
        return None
