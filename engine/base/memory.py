"""How much memory this process uses according to the system; limits of memory are compared with this.

On Linux the figure is read from /proc, elsewhere from psutil if that is installed. Without either, a limit of memory is
refused. `getrusage` would not do: it gives the most memory that the process ever used, which never falls, so that a
search would be stopped because of memory that compiling the model took.
"""

from __future__ import annotations

import importlib
import os
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

STATM = Path("/proc/self/statm")
# Where Linux says how much memory a container may use, in bytes; a word where it may use all.
CONTAINER = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes")
ROUND = 100_000_000  # bytes, to whole multiples of which `usual` is rounded down


def measurable() -> bool:
    """Whether `resident` works on this system."""
    return _from_proc() is not None or find_spec("psutil") is not None


def resident() -> int:
    """How many bytes of this process are in memory. Raises ImportError if that is not `measurable`.

    Takes a few microseconds with /proc, some tens of microseconds with psutil.
    """
    found = _from_proc()
    if found is None:
        found = int(importlib.import_module("psutil").Process().memory_info().rss)
    return found


def resident_of(pid: int) -> int | None:
    """How many bytes of another process are in memory; None if that can't be found out, or if it has ended."""
    found = _from_proc(Path(f"/proc/{pid}/statm"))
    if found is None and find_spec("psutil") is not None:
        psutil = importlib.import_module("psutil")
        with suppress(psutil.Error):
            found = int(psutil.Process(pid).memory_info().rss)
    return found


def usual() -> int | None:
    """How many bytes a command may use where no limit is asked for: half of what the machine or the container has, and
    at least `ROUND`. None where that, or the memory in use, can't be found out."""
    if not measurable():
        return None
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):  # AttributeError: Windows has no sysconf
        if find_spec("psutil") is None:
            return None
        whole = int(importlib.import_module("psutil").virtual_memory().total)
    for path in CONTAINER:
        with suppress(OSError, ValueError):
            whole = min(whole, int(path.read_text("ascii")))
    return max(whole // 2 // ROUND, 1) * ROUND


def _from_proc(statm: Path | None = None) -> int | None:
    """The figure of a file of /proc, by default of this process; None if there is none."""
    try:
        return int((statm or STATM).read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):  # AttributeError: Windows has no sysconf
        return None
