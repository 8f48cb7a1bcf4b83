"""How much memory this process uses, as the system counts it; limits of memory are compared with this."""

from __future__ import annotations

import os
import sys
from pathlib import Path

STATM = Path("/proc/self/statm")


def resident() -> int:
    """How many bytes of memory this process uses now; where the system can't tell, the most it ever used, or 0.

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
