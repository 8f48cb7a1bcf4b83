"""What `jobs` means, wherever it may be set: in `covr.Options`, `Settings`, batches and on the command line.

    n       that many threads (or processes, with `--cluster local`), at least 1
    None    one for each core

More threads than `MOST`, or than there are cores on a machine with more cores than that, would only cost memory, and
are not started; in a browser (Pyodide), there is only one. The number of threads never changes which answers there are,
how many, or their order. But if a problem has several best answers, it may decide which of them is found. Therefore a
search for a minimum uses one thread unless more are asked for: there None means 1.

The default is None in `covr.Options` and on the command line, and 1 in `Settings` and batches, which are meant for code
that builds on the engine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from os import cpu_count
from threading import Timer

try:
    from time import thread_time
except ImportError:  # in Pyodide, where the process has one thread
    from time import process_time as thread_time

__all__ = ["MOST", "ONE_THREAD", "begin_timer", "thread_time", "threads", "threads_for_minimum"]

MOST = 64  # threads
ONE_THREAD = ("emscripten", "wasi")  # systems, as sys.platform names them, where no thread can be started


def begin_timer(seconds: float, act: Callable[[], None]) -> Timer | None:
    """Call `act` after so many seconds, in a thread of its own, unless the timer is cancelled before. None where no
    thread can be started: there a limit of time is only heeded between one step of the work and the next."""
    if sys.platform in ONE_THREAD:
        return None
    timer = Timer(seconds, act)
    timer.daemon = True
    timer.start()
    return timer


def threads(jobs: int | None) -> int:
    """How many threads `jobs` stands for in a search whose result does not depend on their number."""
    if sys.platform in ONE_THREAD:
        return 1
    if jobs and jobs <= MOST:
        return jobs  # without asking the system, which takes as long as a short search
    cores = cpu_count() or 1
    return min(jobs or cores, max(MOST, cores))


def threads_for_minimum(jobs: int | None) -> int:
    """The same in a search for a minimum, where several threads may find a different best answer."""
    return threads(jobs or 1)
