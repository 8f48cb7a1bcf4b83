"""HiGHS in a process of its own, while our own search goes on.

In a thread (solvers.py) it would wait for Python's lock at every step of its simplex method, and so would the search.
The process is sent the problem, and writes what it finds as lines of JSON:

    {"found": [3, 7]}    an answer: options, the given ones included
    {"bound": 12}        no answer costs less
    {"over": true}       the search has ended: the last answer is a cheapest, or there is none

A process that ends without the last line, or writes anything else, has failed. It is killed when it is no longer
needed. If the process that started it ends, for whatever reason, its standard input is closed, and it ends by itself.
It runs at a low priority: where no processor is free, it would otherwise take its share of the time from a search that
is often quicker.

`ProgramKernel` (minimum/integer_program.py) reads what it finds, as a method that has a turn whenever there is news.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from threading import Thread
from typing import Any

from attrs import evolve

from covr.engine.base.alone import ONE_THREAD, Unsuited, apart
from covr.engine.outside.solvers import Highs, Report, countable, rows
from covr.engine.problem import Problem

GIVE_WAY = 10  # how much lower the priority of the process is, as for the command `nice`


def available(problem: Problem) -> bool:
    """Whether HiGHS is installed, the costs are small enough for it, and there is a processor to spare."""
    if sys.platform in ONE_THREAD or _processors() == 1 or not sys.executable:
        return False
    return find_spec("highspy") is not None and countable(problem)


def _processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class SolverProcess:
    """A running HiGHS, with what `ProgramKernel` asks of one.

    report: its answers and bounds, and the fault if the process has ended as it should not.
    news: whether the report says something that was not read.  work: none, as another processor does it.
    """

    unit, work, relaxed = 1, 0, None

    def __init__(self, problem: Problem) -> None:
        """problem: one for which `available` holds. Returns at once; if anything goes wrong later, the report says
        so."""
        self.report = Report()
        self.news = False
        self._options = problem.options
        self._child: subprocess.Popen[bytes] | None = None
        self._problem: Problem | None = evolve(problem, item_names=(), option_names=())
        self._stopped = False
        Thread(target=self._work, name="covr-highs", daemon=True).start()

    def grant(self, work: int) -> None:
        """It has all the time of its processor."""

    def wait(self) -> None:
        """What it has reported is about to be read."""
        self.news = False

    def stop(self) -> None:
        """Kill the process, without waiting for its end."""
        self._stopped = True
        child = self._child
        if child is not None and child.poll() is None:
            child.kill()

    def _work(self) -> None:
        try:
            child = self._child = subprocess.Popen(
                [sys.executable, "-m", "covr.engine.outside.process"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, **apart(humble=True),
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            )  # fmt: skip
        except (OSError, ValueError) as fault:
            self._end(fault)
            return
        try:
            if not self._stopped:
                self._listen(child)
        except Exception:  # killed, or wrote something unreadable: in any case our search goes on without it
            pass
        finally:
            child.kill()
            for pipe in (child.stdin, child.stdout):
                with suppress(OSError):  # whatever could not be sent is no longer needed
                    assert pipe is not None
                    pipe.close()
            child.wait()
            if not self.report.over:
                self._end(Unsuited("the process of HiGHS has failed"))

    def _listen(self, child: subprocess.Popen[bytes]) -> None:
        """Send the problem, and read the lines of the process until its end."""
        assert child.stdin is not None and child.stdout is not None
        pickle.dump(self._problem, child.stdin)
        child.stdin.flush()
        self._problem = None
        for line in child.stdout:
            self._receive(json.loads(line))

    def _receive(self, said: dict[str, Any]) -> None:
        if "found" in said:
            taken = {*said["found"]}
            self.report.better([o in taken for o in range(self._options)])
        elif "bound" in said:
            self.report.bound = said["bound"]
        elif "over" in said:
            self.report.end()
        self.news = True

    def _end(self, fault: Exception) -> None:
        self.report.end(fault)
        self.news = True


class _Voice(Report):
    """Writes to standard output what HiGHS finds. unit: what a cost of 1 in HiGHS is worth in the problem."""

    def __init__(self, options: int) -> None:
        super().__init__()
        self._options = options
        self.unit = 1

    def better(self, values: list[bool]) -> None:
        """Write the answer."""
        _say(found=[o for o in range(self._options) if values[o]])

    def at_least(self, bound: float) -> None:
        """Write the bound where it has risen."""
        before = self.bound
        super().at_least(bound)
        if self.bound is not None and self.bound != before:
            _say(bound=self.bound * self.unit)


def _say(**what: Any) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def _end_when_left() -> None:
    """Wait until the process that started this one has ended, then end as well."""
    while sys.stdin.buffer.read(1):
        pass
    os._exit(0)


def _give_way() -> None:
    """Lower the priority, so that only processors that are free are used. Where that is not possible, nothing changes.

    Linux may share time out among sessions first, and this process leads a session of its own: so that of the session
    is lowered as well."""
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(GIVE_WAY)
    with suppress(OSError), open("/proc/self/autogroup", "w", encoding="ascii") as group:
        group.write(str(GIVE_WAY))


def main() -> None:
    """Read a problem from standard input, pickled, and solve it."""
    _give_way()
    problem: Problem = pickle.load(sys.stdin.buffer)
    Thread(target=_end_when_left, daemon=True).start()
    variables, found = rows(problem)
    solver = Highs([*problem.costs, *[0] * (variables - problem.options)], found)
    voice = _Voice(problem.options)
    voice.unit = solver.unit
    solver.solve(voice)
    _say(over=True)
    os._exit(0)


if __name__ == "__main__":
    main()
