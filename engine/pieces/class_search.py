"""One answer of each class under a group of symmetries, with little time spent on the others.

The search is cut into parts (class_pieces.py) that together meet at least one answer of every class. An answer is
passed on if it is the smallest of those of its images that are met in any part. So each class is passed on once,
without a list of the classes seen. In most parts no class can be met twice, and nothing needs to be compared. What is
given is the smallest of all images, whether it was met or not. The order is that of the parts and, within each, the
documented one.

A count also tries another way, with a memo, and goes on with it where that pays (class_pieces.py), unless the group is
too large to be listed. The parts are then those of class_pieces.py, and an answer is passed on if it is the smallest of
all its images; everything else is the same.

The search begins on one thread, part after part. After `ThreadPace.alone` nodes, what is left is cut further and shared
out among threads (parallel.py), if there are to be several; the answers and their order are the same. A count goes on
to try the memo meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from attrs import evolve

from covr.engine.base.limits import ENDLESS, Counters, Limits, Status
from covr.engine.kernels.header import DONE
from covr.engine.pieces.class_pieces import MOST, ClassCount, ClassPieces, Permutation, pieces_of
from covr.engine.pieces.parallel import ParallelSearch
from covr.engine.pieces.split import Prefix, Rest, Split, Splitter
from covr.engine.problem import Problem
from covr.engine.search import MOST_GATHERED, MOST_WAITING, Answer, KernelSearch, Search
from covr.engine.settings import Settings
from covr.engine.single import begin
from covr.engine.symmetries import ChainGroup

TRIAL = 16  # a count tries the other way for 1/TRIAL of the nodes it has searched,
AGAIN = 4  # and tries again whenever it has searched this many times as many


class _PartRun:
    """The search of a part on a kernel for all parts, which makes it ready in microseconds: a `KernelSearch` for each
    took ten times as long, as much as thousands of nodes. It gives its answers with unsorted options."""

    def __init__(self, kernel: Any, prefix: Prefix, given: Sequence[int], batch: int) -> None:
        """kernel: of _bits.py; this ends what it was searching before.  given: of the problem.  batch: the most answers
        that the first slice gathers."""
        self._kernel = kernel
        self._before = (*given, *prefix.taken)
        self.batch = batch  # the most answers that the next slice gathers
        kernel.descend(prefix.taken, prefix.excluded)

    @property
    def counters(self) -> Counters:
        """The work in this part."""
        return Counters(self._kernel.nodes, self._kernel.updates, self._kernel.answers)

    def measure(self) -> float | None:
        """How much of the part is done."""
        fraction: float | None = self._kernel.fraction()
        return fraction

    def step(self, nodes: int, listing: bool) -> bool:
        """Search a slice. Returns whether there is more to search."""
        code = self._kernel.gather(nodes, self.batch) if listing else self._kernel.run(nodes, ENDLESS)
        return bool(code != DONE)

    def waiting(self) -> list[Answer]:
        """The answers of the last slice."""
        found = self._kernel.gathered()
        if len(found) == self.batch:
            most = MOST_WAITING // max(len(found[-1]), 1)
            self.batch = max(min(2 * self.batch, MOST_GATHERED, most), 1)
        return [(*self._before, *options) for options in found]


class ClassSearch(ParallelSearch):
    """A `Search` for one answer of each class, the smallest. Its counters cover the nodes and updates of all parts, and
    the answers given or counted."""

    def __init__(
        self,
        problem: Problem,
        pieces: ClassPieces,
        limits: Limits,
        settings: Settings,
    ) -> None:
        """pieces: what `pieces_of` made of the problem and a group; nobody else uses it meanwhile."""
        super().__init__(problem, limits, settings)
        self._images = pieces.images
        self._class_parts = pieces.parts
        self._classes = pieces.kernel
        self._counting: ClassCount | None = None
        self._trial = self.settings.pace.threads.alone  # nodes after which the other way to count is tried
        self._decided = False  # whether it is the better one
        self._own = self._exact_kernel()
        self._splitter: Splitter | None = None
        self._rest: Rest | None = None  # what the current part leaves, if that is a problem of its own
        self._at = 0  # the current part
        self._run: Search | _PartRun | None = None
        self._nodes = self._updates = 0  # of the parts that are done
        self._origin: list[int] = []  # for each piece the threads search, the part from which it was cut
        self._classes_done = 0  # classes of the parts that were done before there were several threads

    @property
    def engine(self) -> str:
        return super().engine + ", up to symmetry"

    @property
    def nodes(self) -> int:
        return self.counters.nodes

    @property
    def counters(self) -> Counters:
        others = 0 if self._counting is None else self._counting.nodes
        if self._crew is not None:
            crew = super().counters
            answers = (
                self._passed
                if self._crew.listing
                else self._classes_done + sum(part.counters.answers for part in self._crew.parts)
            )
            return Counters(self._nodes + crew.nodes + others, self._updates + crew.updates, answers)
        now = Counters() if self._run is None else self._run.counters
        return Counters(self._nodes + now.nodes + others, self._updates + now.updates, self._passed)

    @property
    def spared(self) -> int:
        return 0

    def measure(self) -> float | None:
        within = None if self._run is None else self._run.measure()
        return (self._at + (within or 0.0)) / max(len(self._class_parts), 1)

    def _only_count(self) -> None:
        """Prepare to count with a memo as well, where only the number is asked for and no setting forbids it."""
        limits = self.limits
        plain = limits.nodes is None and limits.answers is None and self.settings.engine in ("auto", "memo")
        if plain and self.problem.is_exact and self.settings.ceiling is None and 0 < len(self._images) < MOST:
            self._counting = ClassCount(self.problem, self._images, self.settings, self._memo_of_the_whole)

    def _advance(self, nodes: int, listing: bool = True) -> None:
        if self._counting is not None and (self._decided or self.counters.nodes >= self._trial):
            if not self._ended():
                self._count_on(self._counting)
            if self.status is not Status.RUNNING:
                self._end(self.status)
        elif self._crew is not None:
            super()._advance(nodes, listing)
        elif self._ended():
            return
        elif self._jobs > 1 and self.limits.nodes is None and self.settings.ceiling is None and self._is_long():
            with self._heeding():
                self._share_out(listing)
        else:
            self._step(nodes, listing)

    def _is_long(self) -> bool:
        """Whether one thread has searched for long enough, and something is left to share out."""
        return self._at < len(self._class_parts) and self.counters.nodes >= self.settings.pace.threads.alone

    def _count_on(self, counting: ClassCount) -> None:
        """Do a slice of the other way to count; at the end of a trial, see whether it pays."""
        start = perf_counter()
        before = counting.nodes
        with self._heeding():
            more = counting.step(self._slice if self._decided else min(self._slice, self._trial // TRIAL + 1))
            self._adapt(counting.nodes - before, perf_counter() - start)
            if not more:
                assert counting.value is not None and counting.value >= self._passed
                searched = self.counters
                self._crew = self._run = self._counting = None
                self._nodes, self._updates, self._passed = searched.nodes, searched.updates, counting.value
                self._at = len(self._class_parts)
                self.status = Status.EXHAUSTED
                return
        if self.status is not Status.RUNNING or self._decided or counting.nodes < self._trial // TRIAL:
            return
        self._decided = counting.pays()
        self._trial *= AGAIN
        if self._decided and self._crew is not None:
            self._crew.stop()

    def _step(self, nodes: int, listing: bool) -> None:
        """Do a slice of the current part, and of those after it if they are on the same kernel and it ends early."""
        start, used = perf_counter(), 0
        most = min(nodes, self._slice)
        while True:
            if self._run is None and not self._next_part():
                break
            used += self._slice_of_part(most - used, listing)
            if self._run is not None or self._own is None or used >= most or self.status is not Status.RUNNING:
                break
        self._adapt(used, perf_counter() - start)
        self._fraction = self.measure()

    def _next_part(self) -> bool:
        """Begin the next part. Returns whether there is one, and no limit was met meanwhile."""
        if self._at == len(self._class_parts):
            self.status = Status.EXHAUSTED
        elif self._own is not None:
            self._run = _PartRun(self._own, self._class_parts[self._at].prefix, self.problem.given, self._batch)
        else:
            with self._heeding():
                self._run = self._start(self._class_parts[self._at].prefix)
        return self._run is not None

    def _slice_of_part(self, nodes: int, listing: bool) -> int:
        """Search at most so many nodes of the current part; returns how many it were."""
        run, part = self._run, self._class_parts[self._at]
        assert run is not None
        if self.limits.nodes is not None:
            nodes = min(nodes, self.limits.nodes - self.counters.nodes)
            if nodes <= 0:
                self.status = Status.LIMIT
                return 0
        earlier = run.counters
        with self.clock:
            try:
                listed = listing or not part.alone
                more = run.step(nodes, listed)
                if listed:
                    self._take_over(run.waiting(), listing)
                else:
                    met = run.counters.answers - earlier.answers
                    self._passed += met
                    self._skip += met
            except BaseException:
                self.status = Status.INTERRUPTED
                raise
        now = run.counters
        if self.status is Status.RUNNING and self.limits.answers is not None and self._passed >= self.limits.answers:
            self.status = Status.SOLVED
        if isinstance(run, _PartRun):
            self._batch = run.batch
        if not more:
            self._nodes += now.nodes
            self._updates += now.updates
            self._classes_done = self._passed
            self._run, self._at, self._skip = None, self._at + 1, 0
        return now.nodes - earlier.nodes

    def _memo_of_the_whole(self) -> Search | None:
        """A count of all answers with a memo, on the sets of options that are already built; None if there are none."""
        counting = self._method.counting()
        return None if counting is None else KernelSearch(counting, self.problem, settings=self.settings)

    def _exact_kernel(self) -> Any:
        """The kernel of the whole search, if it works on sets of options and so can begin anywhere; else None."""
        exact = self._method.exact
        return None if exact is None or exact.masks is None or not exact.residual.feasible else self._kernel

    def _start(self, prefix: Prefix) -> Search:
        """The search of a part as a problem of its own; it has not begun."""
        if self._splitter is None:
            self._splitter = Splitter(self.problem)
        rest = self._rest = self._splitter.rest(prefix)
        settings = evolve(self.settings, jobs=1, seed=None)
        if settings.ceiling is not None:
            settings = evolve(settings, ceiling=settings.ceiling - rest.cost)
        run = begin(rest.problem, settings=settings)
        run.leave_unchecked()
        return run

    def _take_over(self, answers: Sequence[Answer], listing: bool) -> None:
        """Give those answers of the current part that represent their classes."""
        rest = self._rest
        own = answers if rest is None else [rest.whole(answer) for answer in answers]
        self._skip += len(own)
        alone = self._class_parts[self._at].alone
        if listing:
            first = self._classes.chosen(own, self._at, alone)
        else:
            first = own if alone else self._classes.firsts(own, self._at)
        if self.limits.answers is not None:
            first = first[: max(self.limits.answers - self._passed, 0)]
        self._passed += len(first)
        if listing:
            self._keep_all(first)

    # --- several threads ---

    def _share_out(self, listing: bool) -> None:
        """Cut what is left further, and start the threads. The current part begins anew; the first `_skip` of its
        answers were already met."""
        listing = listing or not all(part.alone for part in self._class_parts)
        splitter = self._splitter or Splitter(self.problem)
        left = self._class_parts[self._at :]
        each = -(-self._least_parts() // len(left))
        share = 1 / len(self._class_parts)
        prefixes: list[Prefix] = []
        weights: list[float] = []
        nodes = updates = 0
        for number, part in enumerate(left, self._at):
            cut = splitter.cut(part.prefix, each)
            prefixes += cut.prefixes
            weights += [w * share for w in cut.weights]
            self._origin += [number] * len(cut.prefixes)
            nodes += cut.nodes
            updates += cut.updates
        if not listing:
            self._passed = self._classes_done
        self._start_crew(Split(tuple(prefixes), nodes, updates, tuple(weights)), listing)
        self._run = None

    def _read_one(self, number: int, answer: Answer) -> None:
        part = self._origin[number]
        if self._class_parts[part].alone or self._classes.is_first(answer, part):
            self._passed += 1
            self._keep(self._classes.smallest(answer))


def begin_classes(
    problem: Problem, group: Sequence[Permutation] | ChainGroup, limits: Limits, settings: Settings
) -> ClassSearch | None:
    """The search for one answer of each class, as an `Approach` (plan.py); None where `pieces_of` knows no parts.
    Raises LimitReached where a limit of the calling search is met."""
    pieces = pieces_of(problem, group, settings)
    return None if pieces is None else ClassSearch(problem, pieces, limits, settings)
