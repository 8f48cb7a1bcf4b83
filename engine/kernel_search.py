"""A search by one kernel, which runs in the thread that asks for the next answer.

The kernel is called for a slice of nodes at a time. A slice takes about 20 ms, so that Ctrl-C acts at once although
compiled code can't be interrupted. The kernel gathers answers, at most `MOST_GATHERED` in one slice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from time import perf_counter

from covr.engine.base.heed import Stopped
from covr.engine.base.limits import Limits
from covr.engine.base.status import Counters, Status
from covr.engine.kernels.header import DONE, FOUND, SLICE
from covr.engine.method import Method
from covr.engine.problem import Problem
from covr.engine.search import DEFAULTS, LOOK, MANY, NO_LIMITS, Answer, Search
from covr.engine.settings import Settings
from covr.engine.turns import Timetable, Turns
from covr.frozen import evolve

FIRST_SLICE = 100  # nodes of the first slice, at most
FIRST_WORK = 1 << 21  # nodes times members of the options in the first slice: some nodes pass all members
LONGEST_SLICE = 1 << 24  # nodes of any slice, at most
SHORT, LONG = 0.01, 0.03  # seconds: after a shorter slice the next is made longer, after a longer one shorter
MOST_GATHERED = 256  # answers that one slice may gather before they are returned
GATHERED = 1 << 18  # option numbers in all answers of one slice, at most; about 40 bytes each


class KernelSearch(Search):
    """A `Search` that runs a kernel prepared as a `Method`."""

    def __init__(
        self,
        method: Method,
        problem: Problem,
        goal: str = "all",
        limits: Limits = NO_LIMITS,
        settings: Settings = DEFAULTS,
    ) -> None:
        """method: the problem's kernel, made for the goal and the settings."""
        super().__init__(problem, goal, limits, settings)
        self._method = method
        self._kernel = method.kernel
        self._listed = 0  # how many answers had been found when the last one was listed
        self._batch = 1  # the most answers that the next slice gathers
        self._slice = max(min(FIRST_SLICE, FIRST_WORK // max(len(problem.members), 1)), 1)

    @property
    def engine(self) -> str:
        return self._method.title

    @property
    def counters(self) -> Counters:
        return Counters(self._kernel.nodes, self._kernel.updates, self._kernel.answers)

    @property
    def nodes(self) -> int:
        return self._kernel.nodes

    def _root_bound(self) -> int | None:
        return self._method.bound()

    def halt(self) -> None:
        self._method.stop()

    def _lower(self, cost: int) -> None:
        self._method.lower(cost)

    def _only_count(self) -> None:
        with self._heeding():
            counting = self._method.counting() if self._kernel.nodes == 0 and not self._ended() else None
            if counting is not None:
                self._method, self._kernel = counting, counting.kernel

    def renumber(self, whole: Callable[[Sequence[int]], Answer]) -> None:
        """Return answers in other numbers: `whole` turns the options taken, in any order, into an answer. Only for
        problems without costs and given options, and before the search has begun. The caller must check the answers."""
        self.leave_unchecked()
        self._method = evolve(self._method, answer=lambda: whole(self._kernel.answer()), whole=whole)

    def measure(self) -> float | None:
        return self._method.fraction()

    @property
    def even(self) -> bool:
        return self._method.even

    @property
    def spared(self) -> int:
        return self._method.spared()

    @property
    def timetable(self) -> Timetable | None:
        return self._kernel.table if isinstance(self._kernel, Turns) else None

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
                if listing and self._method.gatherer is not None:
                    self._method.gatherer.gather(nodes, min(wanted, self._batch))
                else:
                    self._method.run(nodes, 1 if listing else wanted)
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
        return self._heeding() if self._method.looks else self.clock

    def _take(self) -> None:
        """Keep the answers of the last slice."""
        kernel, gatherer, whole = self._kernel, self._method.gatherer, self._method.whole
        if gatherer is not None:
            found = gatherer.gathered()
            self._keep_all([whole(options) for options in found])
            if len(found) == self._batch:
                most = GATHERED // max(len(found[-1]), 1)
                self._batch = max(min(2 * self._batch, MOST_GATHERED, most), 1)
        elif kernel.code == FOUND and kernel.answers > self._listed:
            self._listed = kernel.answers
            self._keep(self._method.answer())

    def _adapt(self, nodes: int, spent: float) -> None:
        if spent > LONG:
            self._slice = max(self._slice // 2, 1)
        elif spent < SHORT and nodes >= self._slice:
            self._slice = min(self._slice * 2, LONGEST_SLICE)


class SearchKernel:
    """A `Search` as a kernel (see loading.py), so that it can take turns with others."""

    def __init__(self, search: Search) -> None:
        """search: without limits."""
        self.search = search
        search.leave_unchecked()
        self.code = -1
        self._answer: Answer = ()

    @property
    def nodes(self) -> int:
        """The nodes of the search."""
        return self.search.nodes

    @property
    def updates(self) -> int:
        """The updates of the search."""
        return self.search.counters.updates

    @property
    def answers(self) -> int:
        """How many answers were found."""
        return self.search.counters.answers

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most this many nodes, up to the next answer. Raises Stopped where the search was interrupted."""
        search, end = self.search, self.nodes + nodes
        self.code = -1
        while not search._found:
            if search.status is Status.EXHAUSTED:
                self.code = DONE
                return DONE
            if search.status is not Status.RUNNING:
                raise Stopped(search.status)
            if self.nodes >= end:
                self.code = SLICE
                return SLICE
            search.step_once(end - self.nodes)
        self._answer = next(search)
        self.code = FOUND
        return FOUND

    def answer(self) -> list[int]:
        """The last answer, given options included."""
        return list(self._answer)

    def whole(self) -> Answer:
        """The last answer as a tuple; see `answer`."""
        return self._answer
