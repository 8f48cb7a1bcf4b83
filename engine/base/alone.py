"""Threads, processes and optional packages."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from os import cpu_count
from threading import Lock, Timer
from typing import Any

# --- alone -----------------------------------------------------------------------------------------------------------
# One thread at a time: a kernel has one state, and compiled code does not check whether another thread is using it.


class Alone:
    """`with alone:` lets only one thread in. Raises RuntimeError at once if another, or the same, thread is inside.

    It does not wait, because an estimate that asks its own search would wait for ever.
    """

    def __init__(self, what: str) -> None:
        """what: what is searched or drawn, for the message."""
        self._lock, self._what = Lock(), what

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(f"this {self._what} is running already: every thread needs one of its own")

    def __exit__(self, *_: object) -> None:
        self._lock.release()


# --- apart -----------------------------------------------------------------------------------------------------------
# How a process is started that Ctrl-C does not reach: it is for the process that started it alone.


# Flags of Windows' CreateProcess; `subprocess` has their names on Windows only.
NEW_PROCESS_GROUP = 0x00000200
BELOW_NORMAL_PRIORITY = 0x00004000


def apart(*, humble: bool = False, system: str = sys.platform) -> dict[str, Any]:
    """Arguments of `subprocess.Popen`. humble: on Windows, also lower the priority, so that only processors that are
    free are used; elsewhere a process can do that by itself.  system: as sys.platform names it."""
    if system == "win32":
        return {"creationflags": NEW_PROCESS_GROUP | (BELOW_NORMAL_PRIORITY if humble else 0)}
    return {"start_new_session": True}


# --- jobs ------------------------------------------------------------------------------------------------------------
# What `jobs` means, wherever it may be set: in `covr.Options`, `Settings`, batches and on the command line.
#
#     n       that many threads (or processes, with `--cluster local`), at least 1
#     None    one for each core
#
# More threads than `MOST`, or than there are cores on a machine with more cores than that, would only cost memory, and
# are not started; in a browser (Pyodide), there is only one. The number of threads never changes which answers there
# are, how many, or their order. But if a problem has several best answers, it may decide which of them is found.
# Therefore a search for a minimum uses one thread unless more are asked for: there None means 1.
#
# The default is None in `covr.Options` and on the command line, and 1 in `Settings` and batches, which are meant for
# code that builds on the engine.


try:
    from time import thread_time
except ImportError:  # in Pyodide, where the process has one thread
    from time import process_time as thread_time

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


# --- extras ----------------------------------------------------------------------------------------------------------
# Optional packages: imported when they are needed, with a clear message if they are missing.


class Unsuited(ValueError):
    """Raised when an engine or estimate can't do what it was asked to do; the message is a sentence for the user."""


def wanted(module: str, extra: str, what: str) -> Any:
    """Import an optional module. Raises Unsuited, which says how to install it or why it can't be loaded.

    extra: the name of covr's extra that brings it.  what: what needs it, in words.

    highspy 1.15 and ortools 9.15 each bring a library of HiGHS by the same name, so that a process can load only one
    of them.
    """
    package = module.partition(".")[0]
    if not importlib.util.find_spec(package):
        raise Unsuited(f"{what} needs the package {package}: pip install 'covr[{extra}]'")
    try:
        return importlib.import_module(module)
    except ImportError as fault:
        raise Unsuited(
            f"{what} can't load {package} ({fault}); highspy and ortools can't be used in one process"
        ) from fault


__all__ = ["MOST", "ONE_THREAD", "begin_timer", "thread_time", "threads", "threads_for_minimum"]
