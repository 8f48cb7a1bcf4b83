"""One search on several threads: the same answers in the same order, whatever their number.

A search begins on one thread, as most are short. One that is not done after `ALONE` nodes begins anew: it is split into
prefixes (split.py), and each is a search of its own; the kernels release the GIL. The reader gets the answers of the
first prefix while it runs, then those of the second, and so on, less those it has got already. Threads run ahead by
`AHEAD` numbers in all the answers that wait, whatever their length.

Where sets of options are searched, every thread has one kernel, which begins again below its next prefix
(prefix_search.py): measured with two threads on pentominoes 6 by 10, 5 % more work than one thread does, shared out
evenly to 5 %; 64 prefixes share out no better. Elsewhere a prefix is made a problem. Where answers are dense, threads
wait for the GIL, under which every answer becomes a tuple: a list of 200 000 answers in half a second gains 1.2 times,
a count of them does not wait. Of an exhausted search nodes and answers are those of one thread, exactly, and on sets
of options updates are, too; links drop options in another way than splitting does. A count keeps to one thread as long
as its memo pays: what prefixes have in common, each would count for itself.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Sequence
from threading import Condition, Thread

from attrs import define, evolve, field

from covr.engine.heed import Stopped, heeding
from covr.engine.jobs import threads
from covr.engine.kernel_search import KernelSearch
from covr.engine.limits import Limits
from covr.engine.pieces.prefix_search import Below, below
from covr.engine.pieces.split import Split, split, subproblem
from covr.engine.prepare.shuffle import shuffle
from covr.engine.problem import Problem
from covr.engine.search import NO_LIMITS, Answer, Search
from covr.engine.settings import Settings
from covr.engine.single import begin, prepare
from covr.engine.status import Counters, Status

ALONE = 30_000  # nodes that one thread searches before the search is split
PARTS = 32  # prefixes that a search is split into, at least
PARTS_A_THREAD = 16  # prefixes per thread, at least
AHEAD = 1 << 21  # option numbers, of some 40 bytes each, in all the answers that wait to be read,
OWN = 1 << 19  # and in those of the prefix that is being read
SLICE = 100_000  # nodes of a prefix between two checks of the other threads
LOOK = 0.02  # seconds that the reader waits for answers before it checks the limits


@define
class _Part:
    """A prefix's search: what it found and was not read yet, its work so far, and what went wrong."""

    found: deque[Answer] = field(factory=deque)
    held: int = 0  # numbers in what was found
    counters: Counters = field(factory=Counters)
    finished: bool = False
    fraction: float = 0.0
    fault: BaseException | None = None

    @property
    def passed(self) -> float:
        """How much of the part is searched and read."""
        return self.fraction * (1 - min(len(self.found) / max(self.counters.answers, 1), 1.0))


@define
class _Crew:
    """What the threads share; it knows nothing of the reader, so that they end when the reader is gone.

    change: guards everything here.  next: the part that the next free thread takes.  over: whether the threads should
    stop.  reading: the part that is being read.  held: option numbers in the answers that wait, in all parts.
    """

    problem: Problem
    cut: Split
    settings: Settings
    listing: bool
    parts: list[_Part]
    ground: Callable[[], Below] | None
    change: Condition = field(factory=Condition)
    next: int = 0
    reading: int = 0
    held: int = 0
    over: bool = False

    def stop(self) -> None:
        with self.change:
            self.over = True
            self.change.notify_all()

    def work(self) -> None:
        """What a thread does: take the next part, search it to its end, and so on."""
        own: Below | None = None
        while True:
            with self.change:
                while not self.over and self.next > self.reading and self.held > AHEAD:
                    self.change.wait()
                number = self.next
                self.next += 1
                if self.over or number >= len(self.parts):
                    return
            part = self.parts[number]
            try:
                with heeding(self._stopped):
                    if own is None and self.ground is not None:
                        own = self.ground()
                    self._search(number, self._begin(number, own))
            except Stopped:
                return
            except BaseException as fault:  # the reader raises it
                with self.change:
                    part.fault = fault
                    part.finished = True
                    self.change.notify_all()

    def _begin(self, number: int, own: Below | None) -> Search:
        prefix = self.cut.prefixes[number]
        if own is not None:
            return own.search(prefix)
        return begin(subproblem(self.problem, prefix), settings=self.settings)

    def _stopped(self) -> Status | None:
        return Status.INTERRUPTED if self.over else None

    def _search(self, number: int, run: Search) -> None:
        run.leave_unchecked()
        part, more = self.parts[number], True
        while more:
            more = run.step(SLICE, self.listing)
            with self.change:
                part.counters = run.counters
                part.fraction = run.fraction or part.fraction
                found = run.waiting()
                numbers = sum(map(len, found))
                part.found.extend(found)
                part.held += numbers
                self.held += numbers
                part.finished = not more
                self.change.notify_all()
                while not self.over and self._is_ahead(number):
                    self.change.wait()
                if self.over:
                    return

    def _is_ahead(self, number: int) -> bool:
        """Whether a part has found enough for now. The one that is read never waits for the others."""
        if number == self.reading:
            return self.parts[number].held > OWN
        return self.held > AHEAD


class ParallelSearch(KernelSearch):
    """A `Search` for every answer on `settings.jobs` threads. A limit of nodes is not for it: see `suits`."""

    def __init__(self, problem: Problem, limits: Limits = NO_LIMITS, settings: Settings | None = None) -> None:
        """As `Search`; no thread is started yet."""
        settings = settings or Settings()
        super().__init__(prepare(problem, "all", settings), problem, "all", limits, settings)
        self._jobs = threads(settings.jobs)
        self._whole = False  # whether it can't be split, and goes on by one thread
        self._crew: _Crew | None = None
        self._numbers: Sequence[int] | None = None
        self._skip = 0  # answers that were given already
        self._passed = 0  # answers given out, by whatever number of threads

    @property
    def fraction(self) -> float | None:
        """As of the parts together, each as far as what it found was read; it begins anew when they do, but never says
        less than it did."""
        if self._crew is not None and self.status is Status.RUNNING:
            crew = self._crew
            rest = sum(w * (1 - p.passed) for w, p in zip(crew.cut.weights, crew.parts, strict=True))
            self._fraction = max(self._fraction or 0.0, 1 - rest)
        return super().fraction

    @property
    def engine(self) -> str:
        return super().engine + (f" on {self._jobs} threads" if self._crew is not None else "")

    @property
    def counters(self) -> Counters:
        if self._crew is None:
            return super().counters
        every = [part.counters for part in self._crew.parts]
        answers = sum(c.answers for c in every)
        return Counters(
            nodes=self._crew.cut.nodes + sum(c.nodes for c in every),
            updates=self._crew.cut.updates + sum(c.updates for c in every),
            answers=self._passed if self._crew.listing else answers,
        )

    def _advance(self, nodes: int, listing: bool = True) -> None:
        if self._crew is None and self._kernel.nodes < ALONE:
            super()._advance(min(nodes, ALONE - self._kernel.nodes), listing)
            return
        if self._crew is None and not listing and self._memo_pays():
            super()._advance(min(nodes, ALONE), listing)
            return
        if self._whole:
            super()._advance(nodes, listing)
            return
        if self._stop:
            self._end(Status.INTERRUPTED)
        elif self._limited():
            self._end(Status.LIMIT)
        else:
            if self._crew is None:
                with self._heeding():
                    self._begin(listing)
                return
            try:
                with self.clock:
                    self._read(self._crew)
            except BaseException:
                self._end(Status.INTERRUPTED)
                raise

    def _memo_pays(self) -> bool:
        """Whether one thread with the memo it has beats all of them without."""
        return self.spared >= (self._jobs - 1) * self._kernel.nodes

    def _begin(self, listing: bool) -> None:
        """Split, and start the threads, where there is more than one part. Answers are listed, or only counted."""
        problem = self.problem
        if self.settings.seed is not None:
            problem, self._numbers = shuffle(problem, self.settings.seed)
        cut = split(problem, max(PARTS, PARTS_A_THREAD * self._jobs))
        if len(cut.prefixes) == 1:
            self._whole = True
            return
        self._jobs = min(self._jobs, max(len(cut.prefixes), 1))
        alone = evolve(self.settings, jobs=1, seed=None)
        ground = below(problem, alone, self._setup.exact)
        self._crew = crew = _Crew(problem, cut, alone, listing, [_Part() for _ in cut.prefixes], ground)
        self._skip = self._passed = self._kernel.answers if listing else 0
        weakref.finalize(self, crew.stop)
        for _ in range(self._jobs):
            Thread(target=crew.work, daemon=True).start()

    def _read(self, crew: _Crew) -> None:
        """Take over what the part that is read has found, or wait a moment for it."""
        if crew.reading == len(crew.parts):
            self._end(Status.EXHAUSTED)
            return
        part = crew.parts[crew.reading]
        with crew.change:
            if not part.found and not part.finished:
                crew.change.wait(LOOK)
            found = list(part.found)
            part.found.clear()
            crew.held -= part.held
            part.held = 0
            crew.reading += part.finished and part.fault is None
            crew.change.notify_all()
        if part.fault is not None:
            raise part.fault
        for answer in found[self._skip :]:
            own = answer if self._numbers is None else tuple(sorted(self._numbers[o] for o in answer))
            self._passed += 1
            self._keep(own)
            if self._passed == self.limits.answers:
                self._end(Status.SOLVED)
                return
        self._skip = max(self._skip - len(found), 0)
        if not crew.listing and self.limits.answers is not None and self.counters.answers >= self.limits.answers:
            self._end(Status.SOLVED)

    def _end(self, status: Status) -> None:
        self.status = status
        if self._crew is not None:
            self._crew.stop()


def suits(problem: Problem, goal: str, limits: Limits, settings: Settings) -> bool:
    """Whether several threads may do a search: for every answer, by a kernel, and without a limit of nodes, which one
    thread meets exactly."""
    return (
        threads(settings.jobs) > 1
        and goal == "all"
        and problem.is_pure
        and settings.ceiling is None
        and limits.nodes is None
        and settings.engine in ("auto", "bits", "memo", "links")
        and not settings.interpreted
    )


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> ParallelSearch:
    """As an `Engine` (dispatch.py)."""
    return ParallelSearch(problem, limits, settings)
