"""One run of one solver: `PYTHON _best_peers.py NAME FILE.json SECONDS` writes a JSON object.

NAME: `covr`, `highs` or `cpsat` for a proved minimum, `listing` for going through every answer without a bound. What is
timed, and limited to SECONDS, is CPU time of all threads, from a Problem to the end; reading the file and importing are
not: each has solved a problem of three items before.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from covr.compiler.formats.json_text import read_json
from covr.engine import Limits, Problem, Settings, Status, build, check, cost, search

BUSY = 5  # times the seconds given that may pass on the clock, where other processes are at work
SLICE = 5000  # nodes between two looks at the time
Solve = Callable[[str, Problem, float], tuple[int | None, bool, tuple[int, ...] | None]]
ENGINES = {"covr": "auto", "highs": "highs", "cpsat": "cpsat", "listing": "auto"}


def solve(name: str, problem: Problem, seconds: float) -> tuple[int | None, bool, tuple[int, ...] | None]:
    """The least cost found, whether it is proved, and the answer."""
    goal = "all" if name == "listing" else "minimum"
    limits = Limits(seconds=seconds * BUSY)
    run = search(problem, goal=goal, limits=limits, settings=Settings(engine=ENGINES[name]))
    step = getattr(run, "step_once", None) or run.step  # as 0.1.0 calls it, which releases.py asks, too
    end = time.process_time() + seconds
    best, found = None, None
    more = True
    while more and time.process_time() < end:
        step(SLICE)
        more = run.status is Status.RUNNING
        for answer in run.waiting():
            if run.best is not None and (best is None or cost(problem, answer) < best):
                best, found = cost(problem, answer), answer
    run.halt()
    return best, run.status is Status.EXHAUSTED, found


def tell(solve: Solve, name: str, problem: Problem, seconds: float) -> None:
    """Time one solver on one problem, check its answer, and write the object."""
    begin = time.process_time()
    best, proved, answer = solve(name, problem, seconds)
    spent = time.process_time() - begin
    sound = answer is None or check(problem, answer) is None
    print(json.dumps({"found": best, "proved": proved, "sound": sound, "seconds": spent}))


def main() -> None:
    name, path, seconds = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])
    solve(name, build([(1, 1), (1, 1), (0, 1)], [[0, 2], [1], [0], [1, 2]], costs=[1, 2, 3, 4]), 1.0)
    problem = read_json(path.read_text(encoding="utf-8"))
    tell(solve, name, problem, seconds)


if __name__ == "__main__":
    main()
