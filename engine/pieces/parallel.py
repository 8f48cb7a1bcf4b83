"""One search on several threads: the same answers in the same order."""

from __future__ import annotations

import heapq
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from threading import Condition, Thread
from typing import Any

from attrs import define, evolve, field

from covr.engine.base.alone import threads
from covr.engine.base.limits import LOOK, Counters, LimitReached, Limits, Status, check_limits, limits_checked_by
from covr.engine.pieces.split import Path, Prefix, Rest, Split, Splitter, subproblem
from covr.engine.prepare.frontier import shuffle
from covr.engine.prepare.masks import ExactCover, Masks
from covr.engine.problem import Problem, restricted_sides
from covr.engine.search import NO_LIMITS, Answer, KernelSearch, Search
from covr.engine.settings import Settings, ThreadPace
from covr.engine.single import begin, prepare
from covr.engine.turns import Method
from covr.engine.witness import below as witness_of
from covr.engine.witness import carried
from covr.frozen import frozen

# --- prefix search ---------------------------------------------------------------------------------------------------
# Searches many prefixes of one exact cover problem with masks that are built once.
#
# To make a problem of a prefix (split.py) and build its masks takes some milliseconds, in which tens of thousands of
# nodes could be searched. So one kernel is kept, and reused for one prefix after another.


class Below:
    """Searches below prefixes of a problem, one after another. Every thread needs one of its own."""

    def __init__(
        self, problem: Problem, settings: Settings, exact: ExactCover, masks: Masks, kernel: Any = None
    ) -> None:
        """See `below`, which checks that the problem has masks. kernel: one of this problem that nobody else uses;
        None to make one."""
        self._problem, self._settings = problem, settings
        lister = exact.lister() if kernel is None else exact.named(kernel)
        self._kernel: Any = lister.kernel
        self._name = lister.name

    def search(self, prefix: Prefix, ordered: bool = True) -> Search:
        """A search for every answer of the problem below a prefix. Its counters begin at 0. It ends the search that was
        begun before.

        ordered: whether the options of each answer are to increase."""
        self._kernel.descend(prefix.taken, prefix.excluded)
        before = [*self._problem.given, *prefix.taken]

        def whole(options: Sequence[int]) -> tuple[int, ...]:
            return tuple(sorted([*before, *options])) if ordered else (*before, *options)

        kernel = self._kernel

        def answer() -> tuple[int, ...]:
            return whole(kernel.answer())

        method = Method(self._name, kernel, kernel.run, answer, gatherer=kernel, whole=whole, fraction=kernel.fraction)
        return KernelSearch(method, self._problem, settings=self._settings)


def below(problem: Problem, settings: Settings, exact: ExactCover | None = None) -> Callable[[], Below] | None:
    """A function that makes a `Below` for each thread; None if the problem has no masks. Time and space: see
    prepare/masks.py.

    exact: the problem as prepared for exact cover, if that is done already.
    """
    if not problem.is_exact:
        return None
    exact = exact or ExactCover(problem, settings)
    if exact.masks is None or not exact.residual.feasible:
        return None
    return partial(Below, problem, settings, exact, exact.masks)


# --- sided split -----------------------------------------------------------------------------------------------------
# Cuts a search with side conditions into subproblems.
#
# The search itself (kernels/sides/_sides.py) decides options in an order that depends on what failed before, so its
# tree can't be cut. The parts are those of another tree: at each node the next option that is still live, in a fixed
# *sequence*, is taken in one branch and left out in the other. Only items are looked at here; the sides hold in every
# part, because the options taken before are its given options, which count in totals, stand at their places and are
# lines of the loop.
#
# So the parts are in lexicographic order of the sequence. Once the answers of each part are sorted like this (`key`),
# the answers of all parts, one after another, have an order that depends only on the problem, however it was cut.
#
# The sequence: the options of the item that has the fewest ways at the root, then those of the next item, and so on;
# then all others. Within an item it is that of the numbers.


STEPS = 50  # nodes that a cut may split for each part it is to make: on long chains of forced options it ends early


@frozen
class _Branch:
    """A node that is not split yet. at: how far the sequence was searched for live options.  live: one bit each.
    need, room: per item, as in `Splitter`."""

    prefix: Prefix
    weight: float
    at: int
    live: int = field(repr=False)
    need: tuple[int, ...] = field(repr=False)
    room: tuple[int, ...] = field(repr=False)


class SidedSplitter(Splitter):
    """A `Splitter` for a problem with sides. Threads may share it.

    sequence: the options in the order in which they are decided.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(evolve(problem, sides=()))
        self.problem = problem
        need, live = self._root.need, self._root.live
        ways = {i: (live & self.holders(i)).bit_count() - need[i] for i in range(len(need)) if need[i] > 0}
        first = (o for i in sorted(ways, key=lambda i: (ways[i], i)) for o in problem.holders[i])
        self.sequence = tuple(dict.fromkeys((*first, *range(problem.options))))
        self._place = [0] * problem.options
        for place, o in enumerate(self.sequence):
            self._place[o] = place

    def key(self, answer: Iterable[int]) -> tuple[int, ...]:
        """Answers sorted by this are in the order of the parts."""
        return (*sorted(self._place[o] for o in answer), len(self.sequence))

    def cut(self, prefix: Prefix, parts: int) -> Split:
        """Like `Splitter.cut`. Nodes are those of the tree described above, not those of the search."""
        if not self.feasible:
            return Split((), 0, 0)
        node = self._node(prefix)
        first = _Branch(prefix, 1.0, 0, node.live, node.need, node.room)
        heap: list[tuple[int, Path, _Branch]] = [(-node.live.bit_count(), (), first)]
        final: list[tuple[Path, _Branch]] = []
        nodes = updates = 0
        while heap and len(heap) + len(final) < parts and nodes < STEPS * parts:
            check_limits()
            _, name, branch = heapq.heappop(heap)
            if not branch.live:
                final.append((name, branch))
                continue
            nodes += 1
            for way, child in self._ways(branch):
                updates += (branch.live & ~child.live).bit_count()
                heapq.heappush(heap, (-child.live.bit_count(), (*name, way), child))
        final += [(name, branch) for _, name, branch in heap]
        if len(final) == 1:
            return Split((prefix,), 0, 0, (1.0,))
        ordered = [branch for _, branch in sorted(final, key=lambda f: f[0])]
        return Split(tuple(b.prefix for b in ordered), nodes, updates, tuple(b.weight for b in ordered))

    def rest(self, prefix: Prefix) -> Rest:
        """Like `Splitter.rest`, but the options taken stay, as given options, and so do all items. The search of the
        rest has an order of its own. Time linear in the length of the problem."""
        problem, live = self.problem, self._node(prefix).live
        taken = {*problem.given, *prefix.taken}
        numbers = [o for o in range(problem.options) if live >> o & 1 or o in taken]
        new = {o: k for k, o in enumerate(numbers)}
        starts: list[int] = [0]
        members: list[int] = []
        colours: list[int] = []
        for o in numbers:
            members += self.options[o]
            colours += self.colours[o]
            starts.append(len(members))
        left = Problem(
            low=problem.low,
            high=problem.high,
            primary=problem.primary,
            starts=starts,
            members=members,
            colours=colours if problem.colours else (),
            costs=[problem.costs[o] for o in numbers] if problem.costs else (),
            given=tuple(sorted(new[o] for o in taken)),
            sides=restricted_sides(problem.sides, new),
            witness=carried(problem, numbers)
            if witness_of(problem, prefix.taken, prefix.excluded) is not None
            else None,
        )
        return Rest(left, tuple(numbers), (), 0)

    def _ways(self, branch: _Branch) -> list[tuple[int, _Branch]]:
        """The branches at a node that items allow: 0 takes the next live option, 1 leaves it out."""
        at = branch.at
        while not branch.live >> self.sequence[at] & 1:
            at += 1
        o = self.sequence[at]
        left = branch.live & ~(1 << o)
        unmet = [i for i in self.options[o] if i < len(branch.need) and branch.need[i] > 0]
        ways = min(((branch.live & self.holders(i)).bit_count() - branch.need[i] + 1 for i in unmet), default=2)
        need, room = list(branch.need), list(branch.room)
        live = self._take(left, need, room, o)
        taken, excluded = branch.prefix.taken, branch.prefix.excluded
        share = branch.weight / max(ways, 1)
        found: list[tuple[int, _Branch]] = []
        if self._can_be_met(live, need):
            prefix = Prefix((*taken, o), excluded)
            found.append((0, _Branch(prefix, share, at, live, tuple(need), tuple(room))))
        if ways > 1:
            prefix = Prefix(taken, tuple(sorted((*excluded, o))))
            found.append((1, _Branch(prefix, branch.weight - share, at, left, branch.need, branch.room)))
        return found

    def _can_be_met(self, live: int, need: Sequence[int]) -> bool:
        """Whether every item still has as many live options as it needs."""
        return all((live & self.holders(i)).bit_count() >= n for i, n in enumerate(need) if n > 0)


def splitter_of(problem: Problem) -> Splitter:
    """What cuts the search of a problem."""
    return SidedSplitter(problem) if problem.sides else Splitter(problem)


# --- parallel --------------------------------------------------------------------------------------------------------
# One search on several threads: the same answers in the same order, whatever the number of threads.
#
# A search begins on one thread, because most searches are short. If it is not done after `ThreadPace.alone` nodes, it
# begins anew: it is split into prefixes (split.py), and each prefix is a search of its own; the kernels release the
# GIL. The reader gets the answers of the first prefix while it is being searched, then those of the second, and so on,
# except those it already has. Threads may run ahead of the reader until the waiting answers have `ahead` option numbers
# in all.
#
# With sets of options, every thread has one kernel, which is reused for each of its prefixes (parallel.py). Without
# sets of options, each prefix is made a problem of its own. If answers are dense, threads wait for the GIL, which they
# hold while they make tuples of the answers: listing 200 000 answers, which takes half a second, becomes only 1.2 times
# as fast, while counting them need not wait. For a search that is exhausted, nodes and answers are exactly those of one
# thread. Updates are not: splitting counts what each way removes, sets of options only what leads to a further choice,
# and links drop options in another way. A count stays on one thread as long as its memo pays, because subproblems that
# several prefixes share would be counted once in each.
#
# With side conditions (sides.py), parts are cut by parallel.py. Only counts are divided among threads: the order of
# answers is that of one search, which parts do not have. Nodes then add up to those of the parts, not of one thread.


@define
class _Part:
    """The search of one prefix: the answers that were found but not read yet, its work so far, and its fault, if
    any."""

    found: deque[Answer] = field(factory=deque)
    held: int = 0  # option numbers in the answers found
    counters: Counters = field(factory=Counters)
    finished: bool = False
    fraction: float = 0.0
    fault: BaseException | None = None

    @property
    def passed(self) -> float:
        """How much of the part is searched and read, from 0 to 1."""
        return self.fraction * (1 - min(len(self.found) / max(self.counters.answers, 1), 1.0))


@define
class _Crew:
    """The state that the threads share. It has no reference to the reader, so that the threads end when the reader is
    gone.

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

    @property
    def pace(self) -> ThreadPace:
        return self.settings.pace.threads

    def stop(self) -> None:
        with self.change:
            self.over = True
            self.change.notify_all()

    def work(self) -> None:
        """The loop of a thread: take the next part, search it to its end, and so on."""
        own: Below | None = None
        while True:
            with self.change:
                while not self.over and self.next > self.reading and self.held > self.pace.ahead:
                    self.change.wait()
                number = self.next
                self.next += 1
                if self.over or number >= len(self.parts):
                    return
            part = self.parts[number]
            try:
                with limits_checked_by(self._stopped):
                    if own is None and self.ground is not None:
                        own = self.ground()
                    self._search(number, self._begin(number, own))
            except LimitReached:
                return
            except BaseException as fault:  # raised again in the reader's thread
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
            more = run.step(self.pace.slice, self.listing)
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
        """Whether a part must wait because it has found enough for now. The part being read never waits for others."""
        if number == self.reading:
            return self.parts[number].held > self.pace.own
        return self.held > self.pace.ahead


class ParallelSearch(KernelSearch):
    """A `Search` for every answer on `settings.jobs` threads. It does not support a limit of nodes: see plan.py."""

    def __init__(self, problem: Problem, limits: Limits = NO_LIMITS, settings: Settings | None = None) -> None:
        settings = settings or Settings()
        super().__init__(prepare(problem, "all", settings), problem, "all", limits, settings)
        self._jobs = threads(settings.jobs)
        self._whole = False  # whether the search can't be split and continues on one thread
        self._crew: _Crew | None = None
        self._numbers: Sequence[int] | None = None
        self._skip = 0  # answers to skip, because the reader got them before the search began anew
        self._passed = 0  # answers handed to the reader so far

    @property
    def fraction(self) -> float | None:
        """The sum over the parts, each as far as its answers were read. It never decreases, even when the search begins
        anew."""
        if self._crew is not None and self.status is Status.RUNNING:
            crew = self._crew
            rest = sum(w * (1 - p.passed) for w, p in zip(crew.cut.weights, crew.parts, strict=True))
            self._fraction = max(self._fraction or 0.0, 1 - rest)
        return super().fraction

    @property
    def engine(self) -> str:
        return super().engine + (f" on {self._jobs} threads" if self._crew is not None else "")

    @property
    def nodes(self) -> int:
        return super().nodes if self._crew is None else self.counters.nodes  # of all parts, and not of the one kernel

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
        pace = self.settings.pace.threads
        alone = pace.alone if self.problem.is_pure else pace.alone_sided
        if self._crew is None and self._kernel.nodes < alone:
            super()._advance(min(nodes, alone - self._kernel.nodes), listing)
            return
        if self._crew is None and not listing and self._memo_pays():
            super()._advance(min(nodes, pace.alone), listing)
            return
        if self._whole or (listing and not self.problem.is_pure):
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
        """Whether one thread with its memo is faster than all threads without it."""
        return self.spared >= (self._jobs - 1) * self._kernel.nodes

    def _begin(self, listing: bool) -> None:
        """Split the search, and start the threads if there is more than one part. listing: whether answers are listed,
        or only counted."""
        problem = self.problem
        if self.settings.seed is not None:
            problem, self._numbers = shuffle(problem, self.settings.seed)
        cut = splitter_of(problem).cut(Prefix(), self._least_parts())
        if len(cut.prefixes) == 1:
            self._whole = True
            return
        self._skip = self._passed = self._kernel.answers if listing else 0
        self._start_crew(cut, listing, problem)

    def _least_parts(self) -> int:
        """How many prefixes the search is split into, at least."""
        pace = self.settings.pace.threads
        return max(pace.parts, pace.parts_a_thread * self._jobs)

    def _start_crew(self, cut: Split, listing: bool, problem: Problem | None = None) -> None:
        """Start the threads. problem: the one that is cut, if it is not `problem`."""
        problem = problem or self.problem
        self._jobs = min(self._jobs, max(len(cut.prefixes), 1))
        alone = evolve(self.settings, jobs=1, seed=None)
        ground = below(problem, alone, self._method.exact)
        self._crew = crew = _Crew(problem, cut, alone, listing, [_Part() for _ in cut.prefixes], ground)
        weakref.finalize(self, crew.stop)
        for _ in range(self._jobs):
            Thread(target=crew.work, daemon=True).start()

    def _read(self, crew: _Crew) -> None:
        """Take over the answers of the part that is being read, or wait a moment for some."""
        if crew.reading == len(crew.parts):
            self._end(Status.EXHAUSTED)
            return
        number = crew.reading
        part = crew.parts[number]
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
            self._read_one(number, answer)
            if self._passed == self.limits.answers:
                self._end(Status.SOLVED)
                return
        self._skip = max(self._skip - len(found), 0)
        if not crew.listing and self.limits.answers is not None and self.counters.answers >= self.limits.answers:
            self._end(Status.SOLVED)

    def _read_one(self, number: int, answer: Answer) -> None:
        """Give an answer of a part of the crew."""
        own = answer if self._numbers is None else tuple(sorted(self._numbers[o] for o in answer))
        self._passed += 1
        self._keep(own)

    def _end(self, status: Status) -> None:
        self.status = status
        if self._crew is not None:
            self._crew.stop()


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> ParallelSearch:
    """As an `Approach` (plan.py)."""
    return ParallelSearch(problem, limits, settings)
