"""A search by one kernel, which runs in the thread that asks for the next answer.

The kernel is called for a slice of nodes at a time. A slice takes about 20 ms, so that Ctrl-C acts at once although
compiled code can't be interrupted. The kernel gathers answers, at most `MOST_GATHERED` in one slice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from time import perf_counter

from attrs import evolve

from covr.engine.base.limits import Limits
from covr.engine.base.status import Counters, Status
from covr.engine.kernels.codes import DONE, FOUND, SLICE
from covr.engine.problem import Problem
from covr.engine.search import DEFAULTS, LOOK, MANY, NO_LIMITS, Answer, Search
from covr.engine.settings import Settings
from covr.engine.setup import Setup

FIRST_SLICE = 100  # nodes of the first slice, at most
FIRST_WORK = 1 << 21  # nodes times members of the options in the first slice: some nodes pass all members
LONGEST_SLICE = 1 << 24  # nodes of any slice, at most
SHORT, LONG = 0.01, 0.03  # seconds: after a shorter slice the next is made longer, after a longer one shorter
MOST_GATHERED = 256  # answers that one slice may gather before they are returned
GATHERED = 1 << 18  # option numbers in all answers of one slice, at most; about 40 bytes each


class KernelSearch(Search):
    """A `Search` that runs a kernel prepared as a `Setup`."""

    def __init__(
        self,
        setup: Setup,
        problem: Problem,
        goal: str = "all",
        limits: Limits = NO_LIMITS,
        settings: Settings = DEFAULTS,
    ) -> None:
        """setup: the problem's kernel, made for the goal and the settings."""
        super().__init__(problem, goal, limits, settings)
        self._setup = setup
        self._kernel = setup.kernel
        self._listed = 0  # how many answers had been found when the last one was listed
        self._batch = 1  # the most answers that the next slice gathers
        self._slice = max(min(FIRST_SLICE, FIRST_WORK // max(len(problem.members), 1)), 1)

    @property
    def engine(self) -> str:
        return self._setup.name if self._setup.told is None else self._setup.told()

    @property
    def counters(self) -> Counters:
        return Counters(self._kernel.nodes, self._kernel.updates, self._kernel.answers)

    def _root_bound(self) -> int | None:
        return self._setup.root_bound()

    def halt(self) -> None:
        self._setup.stop()

    def _lower(self, cost: int) -> None:
        self._setup.lower(cost)

    def _only_count(self) -> None:
        with self._heeding():
            counting = self._setup.counting() if self._kernel.nodes == 0 and not self._ended() else None
            if counting is not None:
                self._setup, self._kernel = counting, counting.kernel

    def renumber(self, whole: Callable[[Sequence[int]], Answer]) -> None:
        """Return answers in other numbers: `whole` turns the options taken, in any order, into an answer. Only for
        problems without costs and given options, and before the search has begun. The caller must check the answers."""
        self.leave_unchecked()
        self._setup = evolve(self._setup, answer=lambda: whole(self._kernel.answer()), whole=whole)

    def measure(self) -> float | None:
        return self._setup.fraction()

    @property
    def even(self) -> bool:
        return self._setup.even

    @property
    def spared(self) -> int:
        return self._setup.spared()

    def _advance(self, nodes: int, listing: bool = True) -> None:
        """Search one slice, keep its answers and set the status."""
        limits = self.limits
        if self._ended():
            return
        nodes = min(nodes, self._slice)
        if limits.nodes is not None:
            nodes = min(nodes, limits.nodes - self._kernel.nodes)
        wanted = MANY if limits.answers is None else min(limits.answers - self._kernel.answers, MANY)
        before, start = self._kernel.nodes, perf_counter()
        with self._slicing():
            try:
                if listing and self._setup.gatherer is not None:
                    self._setup.gatherer.gather(nodes, min(wanted, self._batch))
                else:
                    self._setup.run(nodes, 1 if listing else wanted)
            except KeyboardInterrupt:
                self.status = Status.INTERRUPTED
                raise
            finally:
                spent = perf_counter() - start
                if listing:
                    self._take()  # long answers take longer to assemble than to find
        if self._kernel.code == DONE:
            self.status = Status.EXHAUSTED
        elif limits.answers is not None and self._kernel.answers >= limits.answers:
            self.status = Status.SOLVED
        elif self._kernel.code == SLICE and self._kernel.nodes == limits.nodes:
            self.status = Status.LIMIT
        if self.seconds >= self._look:
            self._look = self.seconds + LOOK
            self._fraction = self.measure()
        self._adapt(self._kernel.nodes - before, spent)

    def _slicing(self) -> AbstractContextManager[object]:
        """The context of a slice: the clock, and the limits if the kernel checks them by itself."""
        return self._heeding() if self._setup.looks else self.clock

    def _take(self) -> None:
        """Keep the answers of the last slice."""
        kernel, gatherer, whole = self._kernel, self._setup.gatherer, self._setup.whole
        if gatherer is not None:
            found = gatherer.gathered()
            self._keep_all([whole(options) for options in found])
            if len(found) == self._batch:
                most = GATHERED // max(len(found[-1]), 1)
                self._batch = max(min(2 * self._batch, MOST_GATHERED, most), 1)
        elif kernel.code == FOUND and kernel.answers > self._listed:
            self._listed = kernel.answers
            self._keep(self._setup.answer())

    def _adapt(self, nodes: int, spent: float) -> None:
        if spent > LONG:
            self._slice = max(self._slice // 2, 1)
        elif spent < SHORT and nodes >= self._slice:
            self._slice = min(self._slice * 2, LONGEST_SLICE)
