"""What `jobs` means, wherever it may be set: in `covr.Options`, `Settings`, batches and on the command line.

    n       that many threads (or processes, with `--cluster local`), at least 1
    None    one for each core

More threads than `MOST`, or than there are cores on a machine with more cores than that, would only cost memory, and
are not started. The number of threads never changes which answers there are, how many, or their order. But if a problem
has several best answers, it may decide which of them is found. Therefore a search for a minimum uses one thread unless
more are asked for: there None means 1.

The default is None in `covr.Options` and on the command line, and 1 in `Settings` and batches, which are meant for code
that builds on the engine.
"""

from __future__ import annotations

from os import cpu_count

MOST = 64  # threads


def threads(jobs: int | None) -> int:
    """How many threads `jobs` stands for in a search whose result does not depend on their number."""
    if jobs and jobs <= MOST:
        return jobs  # without asking the system, which takes as long as a short search
    cores = cpu_count() or 1
    return min(jobs or cores, max(MOST, cores))


def threads_for_minimum(jobs: int | None) -> int:
    """The same in a search for a minimum, where several threads may find a different best answer."""
    return threads(jobs or 1)
