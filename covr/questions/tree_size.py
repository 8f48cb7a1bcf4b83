"""How long a question would take: the size of its search tree by random probes, and a rate measured by searching.

    effort = covr.load("pentominoes").size()
    effort.nodes.mean, effort.nodes.error     # of the whole search tree
    effort.seconds                            # of listing every answer on one thread, about

The search is run for a second at most. Where that is enough, the tree is known exactly, and said to be. Of a model with
a goal the tree is the one that no bound prunes: an upper limit, for which no time is told. A count may take far less
than the time told here, where it keeps a memo.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import frozen

from covr.engine import Counters, Limits, Status, search
from covr.engine.deadline import Deadline
from covr.engine.heed import heeding
from covr.engine.probe import Probing, Spread, TreeSize
from covr.questions.options import Options

if TYPE_CHECKING:
    from covr.compiler import Compiled

PROBING = 10.0  # seconds of probing, where no limit is given
MEASURING = 1.0  # seconds of search, at most, to measure nodes per second,
SHARE = 0.25  # or this share of the limit of time, if that is less
SHORTEST = 0.001  # seconds of search that are enough to work out a rate


@frozen
class Effort:
    """size: what the probes say.  goal: `all`, or `minimum` where costs would prune the tree.
    engine: what was measured, in words, with `rate` nodes a second; None for a minimum.
    exact: the work of the whole search, where it was over within the measurement."""

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
        """How many answers there are, before any count as one; None where no probe met one, or there is a goal."""
        return self.size.answers

    @property
    def seconds(self) -> Spread | None:
        """How long one thread would take to list every answer, with the spread of the nodes."""
        if not self.rate:
            return None
        nodes, rate = self.size.nodes, self.rate
        return Spread(nodes.mean / rate, nodes.error / rate, nodes.low / rate, nodes.high / rate)


class Sizing:
    """The size of a search tree being found out; may be interrupted from a signal handler or another thread."""

    def __init__(self, compiled: Compiled, options: Options) -> None:
        self._clock = Deadline(options.limit_time).start()  # the limit is for all there is to do
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
        """Ask to stop; may be called from any thread. What is known by then is the result."""
        self.stopped = True
        for stop in self._stop:
            stop()

    def run(self, probes: int | None = None) -> Effort:
        """Probe, then measure, both within the limit of time where there is one. probes: how many, instead of until the
        spread is small or the time is over."""
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
        for _ in run:  # what becomes of answers takes time, too
            if clock.over:
                break
        spent = clock.spent
        rate = run.counters.nodes / spent if spent >= SHORTEST else None
        exact = run.counters if run.status == "exhausted" else None
        return Effort(size, self._goal, run.engine, rate, exact)


def tree_size(compiled: Compiled, options: Options, probes: int | None = None) -> Effort:
    """See `Sizing.run`."""
    return Sizing(compiled, options).run(probes)
