"""One run of one solver: `PYTHON _side_peers.py NAME INSTANCE SECONDS` writes a JSON object.

NAME: `covr`, `alone` (the engine `sides`), `highs` or `cpsat`. INSTANCE: a name of _side_instances.py. Time is measured
as in _best_peers.py, by one thread.
"""

from __future__ import annotations

import sys
import time

from benchmarks._best_peers import BUSY, SLICE, tell
from benchmarks._side_instances import instances
from covr.engine import Limits, Problem, Settings, Status, Total, build, cost, search

ENGINES = {"covr": "auto", "alone": "sides", "highs": "highs", "cpsat": "cpsat"}


def solve(name: str, problem: Problem, seconds: float) -> tuple[int | None, bool, tuple[int, ...] | None]:
    """The least cost found, whether it is proved, and the answer."""
    limits = Limits(seconds=seconds * BUSY)
    run = search(problem, goal="minimum", limits=limits, settings=Settings(engine=ENGINES[name], jobs=1))
    end = time.process_time() + seconds
    found = None
    more = True
    while more and time.process_time() < end:
        run.step_once(SLICE)
        more = run.status is Status.RUNNING
        found = min([*run.waiting(), *([] if found is None else [found])], key=lambda a: cost(problem, a), default=None)
    run.halt()
    return None if found is None else cost(problem, found), run.status is Status.EXHAUSTED, found


def main() -> None:
    name, instance, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    small = build([(1, 1), (1, 1)], [[0], [1], [0, 1]], costs=[1, 2, 4], sides=[Total(((0, 1), (2, 2)), ((1, 2),))])
    solve(name, small, 1.0)
    problem = next(i for i in instances() if i.name == instance).make()
    tell(solve, name, problem, seconds)


if __name__ == "__main__":
    main()
