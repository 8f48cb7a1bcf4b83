"""What `jobs` means, wherever somebody may say it: in `covr.Options`, `Settings`, batches and on the command line.

    n       that many threads (or processes of `--cluster local`), at least 1
    None    one each core

More than `MOST` threads, or than there are cores if those are more, only cost memory, and are not made. How many there
are never changes which answers there are, how many, or in which order; but of several best answers it may decide which
is found. So a search for a minimum is one thread's unless more were asked for: there None is 1.

`covr.Options` and the command leave it at None; `Settings` and batches, for who builds on the engine, at 1.
"""

from __future__ import annotations

from os import cpu_count

MOST = 64  # threads


def threads(jobs: int | None) -> int:
    """How many threads `jobs` means for a search whose result does not depend on it."""
    cores = cpu_count() or 1
    return min(jobs or cores, max(MOST, cores))


def threads_for_minimum(jobs: int | None) -> int:
    """The same for a minimum, where several threads may find another of the best answers."""
    return threads(jobs or 1)
