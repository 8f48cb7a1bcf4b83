"""One run of one solver: `PYTHON _working_peers.py SOLVER FAMILY SEED SECONDS` writes a JSON object.

SOLVER: `covr`, `highs` or `cpsat`, the last two by covr's engines of these names on the same matrix. What is timed,
and limited to SECONDS, is CPU time of all threads from the matrix to the end, without reading the model.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time

from benchmarks._best_peers import BUSY, SLICE
from covr.api.model import loads
from covr.engine import Limits, Settings, Status, build, check, cost, search
from covr.engine.base.alone import Unsuited
from tests.fuzz.families import text_of

ENGINES = {"covr": "auto", "highs": "highs", "cpsat": "cpsat"}


def main() -> None:
    """Run the solver, and say what it found."""
    solver, family, seed, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    settings = Settings(engine=ENGINES[solver], jobs=1)
    list(search(build([(1, 1)], [[0], [0]], costs=[1, 2]), goal="minimum", settings=settings))  # loads the solver
    text = text_of(family, seed)
    compiled = loads(text).compiled
    problem, sound = compiled.problem, True
    begin = time.process_time()
    try:
        run = search(problem, goal="minimum", limits=Limits(seconds=seconds * BUSY), settings=settings)
        while run.status is Status.RUNNING and time.process_time() < begin + seconds:
            run.step_once(SLICE)
            sound = sound and all(
                check(problem, a) is None and cost(problem, a) >= (run.best or 0) for a in run.waiting()
            )
        run.halt()
        told = {"value": run.best, "bound": run.bound, "proved": run.status is Status.EXHAUSTED}
    except Unsuited as unfit:
        told = {"unfit": str(unfit)}
    spent = time.process_time() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024  # MB, on Linux
    lines = len(text.strip().splitlines()) - 1  # without the title
    size = {"options": problem.options, "lines": lines}
    print(json.dumps({**told, **size, "sound": sound, "seconds": spent, "memory": memory}), flush=True)
    os._exit(0)  # a solver in a thread of its own may not notice for long that it is to stop


if __name__ == "__main__":
    main()
