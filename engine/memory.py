"""How much memory this process has, as the system counts it: what a limit of memory is held against."""

from __future__ import annotations

import os
import sys
from pathlib import Path

STATM = Path("/proc/self/statm")


def resident() -> int:
    """Bytes of this process that lie in memory; where the system does not tell, the most there ever were, or 0.

    A few microseconds.
    """
    try:
        return int(STATM.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        pass
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most
