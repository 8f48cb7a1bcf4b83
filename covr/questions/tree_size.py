"""How long a question would take: estimates the size of its search tree by random probes, and measures a rate.

    effort = covr.load("pentominoes").size()
    effort.nodes.mean, effort.nodes.error     # of the whole search tree
    effort.seconds                            # roughly, to list every answer on one thread

To measure the rate, the search is run for at most a second. If it finishes, the size of the tree is known exactly, and
the result says so. For a model with a goal, the tree is the one that no bound prunes, which is only an upper limit, and
no time is estimated. A count with a memo may take far less than the estimated time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from covr.engine import Counters, Limits, Status, search
from covr.engine.base.deadline import Deadline
from covr.engine.base.heed import heeding
from covr.engine.sampling.probing import Probing, Spread, TreeSize
from covr.frozen import frozen
from covr.questions.options import Options

if TYPE_CHECKING:
    from covr.compiler import Compiled

PROBING = 10.0  # seconds of probing if no limit is given
MEASURING = 1.0  # seconds of search, at most, that measure the nodes per second
SHARE = 0.25  # share of the limit of time that measuring may take, if that is less than MEASURING
SHORTEST = 0.001  # seconds: a rate is computed only if the search took at least as long


@frozen
class Effort:
    """The estimated effort. size: the result of the probes.  goal: `all`, or `minimum` if costs would prune the tree.
    engine: the engine that was measured, in words.  rate: its nodes per second; None for a minimum.
    exact: the work of the whole search, if the search finished while it was measured; else None."""

    size: TreeSize
    goal: str
    engine: str | None
    rate: float | None
    exact: Counters | None

    @property
    def nodes(self) -> Spread:
        """How many nodes the whole search tree has."""
        return self.size.nodes

    @property
    def answers(self) -> Spread | None:
        """How many answers there are, not yet counting any as one; None if no probe found any, or if there is a
        goal."""
        return self.size.answers

    @property
    def seconds(self) -> Spread | None:
        """The seconds that one thread would take to list every answer, with the same spread as the nodes."""
        if not self.rate:
            return None
        nodes, rate = self.size.nodes, self.rate
        return Spread(nodes.mean / rate, nodes.error / rate, nodes.low / rate, nodes.high / rate)


class Sizing:
    """Estimates the size of a search tree; may be interrupted from a signal handler or another thread."""

    def __init__(self, compiled: Compiled, options: Options) -> None:
        self._clock = Deadline(options.limits().seconds).start()  # the limit covers probing and measuring
        self._goal = "all" if compiled.goal is None else "minimum"
        self._problem, self._options = compiled.problem, options
        self._probing = Probing(compiled.problem, self._goal, options.seed or 0)
        self.stopped = False  # whether it was asked to stop
        self._stop: list[Callable[[], None]] = [self._probing.interrupt]

    @property
    def interrupted(self) -> bool:
        """Whether it was asked to stop."""
        return self._probing.interrupted

    def interrupt(self) -> None:
        """Ask to stop; the result is then what is known so far. May be called from any thread."""
        self.stopped = True
        for stop in self._stop:
            stop()

    def run(self, probes: int | None = None) -> Effort:
        """Probe, then measure, both within the limit of time if there is one. probes: how many to make; None to go on
        until the spread is small or time runs out."""
        limit = self._options.limit_time
        measuring = MEASURING if limit is None else min(MEASURING, SHARE * limit)
        until = PROBING if probes is None else None
        left = self._clock.left
        if left is not None:
            until = max(left - (measuring if self._goal == "all" else 0.0), 0.0)
        size = self._probing.run(until, probes)
        if self._goal == "minimum":
            return Effort(size, self._goal, None, None, None)
        settings = Options(engine=self._options.engine, jobs=1).settings()
        with heeding(lambda: Status.INTERRUPTED if self.stopped else None):
            run = search(self._problem, limits=Limits(seconds=measuring), settings=settings)
        self._stop.append(run.interrupt)
        clock = Deadline(measuring).start()
        for _ in run:  # listing answers takes time, too
            if clock.over:
                break
        spent = clock.spent
        rate = run.counters.nodes / spent if spent >= SHORTEST else None
        exact = run.counters if run.status == "exhausted" else None
        return Effort(size, self._goal, run.engine, rate, exact)


def tree_size(compiled: Compiled, options: Options, probes: int | None = None) -> Effort:
    """See `Sizing.run`."""
    return Sizing(compiled, options).run(probes)
