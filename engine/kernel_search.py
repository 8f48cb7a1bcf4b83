"""A search by one kernel on one thread, or whatever thread asks for the next answer.

The kernel is called for a slice of nodes at a time. A slice is as long as some 20 ms allow, so Ctrl-C acts at once
although compiled code can't be interrupted. Answers are gathered in the kernel, up to `MOST_GATHERED` in one go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from time import perf_counter

from attrs import evolve

from covr.engine.kernels.codes import DONE, FOUND, SLICE
from covr.engine.limits import Limits
from covr.engine.problem import Problem
from covr.engine.search import DEFAULTS, LOOK, MANY, NO_LIMITS, Answer, Search
from covr.engine.settings import Settings
from covr.engine.setup import Setup
from covr.engine.status import Counters, Status

FIRST_SLICE = 100  # nodes
LONGEST_SLICE = 1 << 24  # nodes
SHORT, LONG = 0.01, 0.03  # seconds between which a slice is left as it is
MOST_GATHERED = 256  # answers that are found before the first of them is given,
GATHERED = 1 << 18  # and numbers in all of them, of some 40 bytes each


class KernelSearch(Search):
    """A `Search` on a kernel that is ready."""

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
        self._listed = 0  # answers that were found up to the last one listed
        self._batch = 1  # answers that are gathered in one go, at most
        self._slice = FIRST_SLICE

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
        """Give answers in other numbers: `whole` makes one of the options taken, in any order. For problems without
        costs or given options, before the search has begun. Whoever reads them checks them."""
        self.leave_unchecked()
        self._setup = evolve(self._setup, answer=lambda: whole(self._kernel.answer()), whole=whole)

    def measure(self) -> float | None:
        return self._setup.fraction()

    @property
    def even(self) -> bool:
        return not self._setup.heeds

    @property
    def spared(self) -> int:
        return self._setup.spared()

    def _advance(self, nodes: int, listing: bool = True) -> None:
        """One slice, and what follows from it."""
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
                    self._take()  # long answers take longer to be put together than to be found
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
        """Around a slice: the clock, and where the kernel looks at limits by itself, what it is to look at."""
        return self._heeding() if self._setup.heeds else self.clock

    def _take(self) -> None:
        """Keep what the last slice found."""
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
