"""A search as a value: it gives answers one at a time, counts its work, and can be stopped.

The kernel is called for a slice of nodes at a time. Between slices limits, interrupts and the clock are
looked at; a slice is as long as ~20 ms allow, so Ctrl-C acts at once although compiled code can't be
interrupted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

from attrs import evolve, frozen

from covr.engine.alone import Alone
from covr.engine.check import cost
from covr.engine.checks import Checks
from covr.engine.heed import Met, Stopped, due, heeding
from covr.engine.kernels.codes import DONE, FOUND, SLICE
from covr.engine.limits import Limits
from covr.engine.memory import resident
from covr.engine.problem import Problem
from covr.engine.settings import Settings
from covr.engine.single import GOALS, Setup, prepare
from covr.engine.status import Counters, Status
from covr.engine.whole import whole

Answer = tuple[int, ...]

FIRST_SLICE = 100
LONGEST_SLICE = 1 << 24
SHORT, LONG = 0.01, 0.03  # seconds between which a slice is left as it is
LOOK = 0.1  # seconds of search between two looks at how far it is
MOST_GATHERED = 256  # answers that are found before the first of them is given,
GATHERED = 1 << 18  # and numbers in all of them, of some 40 bytes each
MOST_WAITING = 1 << 20  # numbers of the answers that a step leaves to be read, before it ends early
MANY = 1 << 62
NO_LIMITS, DEFAULTS = Limits(), Settings()


class Search(Iterator[Answer]):
    """The answers of a problem, each an increasing tuple of option numbers, the given ones included.

    goal 'all': every answer.  goal 'minimum': ever cheaper answers; once the status is `exhausted`, the last
    one is a cheapest.  `status`, `counters`, `best` and `bound` may be read at any time.
    A KeyboardInterrupt during `next` ends the search with the status `interrupted` and goes on to the caller;
    answers already found are still given by further calls.
    One thread at a time searches: while one does, `next`, `step`, `count` and whatever else changes the search raise
    RuntimeError for any other, and for an estimate that calls its own search.
    """

    def __init__(self, problem: Problem, goal: str = "all", limits: Limits = NO_LIMITS, settings: Settings = DEFAULTS):
        """Raises ValueError for an unknown goal. Preparing takes time linear in the length of the options."""
        if goal not in GOALS:
            raise ValueError(f"there is no goal `{goal}`; there are {', '.join(GOALS)}")
        self._start(problem, limits, settings, goal)
        self._run_on(prepare(problem, goal, settings))

    @classmethod
    def on(cls, setup: Setup, problem: Problem, limits: Limits = NO_LIMITS, settings: Settings = DEFAULTS) -> Search:
        """A search for every answer on a kernel that is ready."""
        search = cls.__new__(cls)
        search._start(problem, limits, settings)
        search._run_on(setup)
        return search

    def _run_on(self, setup: Setup) -> None:
        self._setup = setup
        self._kernel = setup.kernel
        self._listed = 0  # answers that were found up to the last one listed
        self._batch = 1  # answers that are gathered in one go, at most
        self._slice = FIRST_SLICE

    def _start(self, problem: Problem, limits: Limits, settings: Settings, goal: str = "all") -> None:
        """What every kind of search has."""
        self.problem, self.goal, self.limits, self.settings = problem, goal, limits, settings
        self._alone = Alone("search")
        self.status = Status.RUNNING
        self.seconds = 0.0  # spent inside the search
        self._found: deque[Answer] = deque()
        self._checks: Checks | None = Checks(problem, settings.ceiling)
        self._waiting = 0  # numbers in them
        self._best: int | None = None
        self._lowered: int | None = None
        self._fraction: float | None = None
        self._look = 0.0  # seconds of search, from which on the next look at how far it is is due
        self._stop = False
        self._weigh = 0.0  # when the next look at the memory is due
        self.out_of_memory = False  # whether the limit of memory ended it

    @property
    def engine(self) -> str:
        """Which engine answers, in words."""
        return self._setup.name

    @property
    def counters(self) -> Counters:
        """The work so far."""
        return Counters(self._kernel.nodes, self._kernel.updates, self._kernel.answers)

    @property
    def best(self) -> int | None:
        """The least cost among the answers so far; None where there is none, or no costs."""
        return self._best

    @property
    def bound(self) -> int | None:
        """A proved lower bound on the cost of every answer, or None. With goal 'minimum' it ends as
        `best`."""
        if self.goal != "minimum":
            return None
        if self.status is Status.EXHAUSTED:
            above = None if self._lowered is None else self._lowered + 1
            return self._best if above is None or (self._best is not None and self._best < above) else above
        return self._setup.root_bound()

    @property
    def fraction(self) -> float | None:
        """How much of the tree is done, each branch of a node weighing as much as its siblings: it never goes back, and
        is 1 at the end. As of some moment within the last tenth of a second of search; None where the engine can't
        tell. May be asked from any thread."""
        return 1.0 if self.status is Status.EXHAUSTED else self._fraction

    def interrupt(self) -> None:
        """Ask the search to stop; it does within a slice. May be called from any thread."""
        self._stop = True

    def halt(self) -> None:
        """Nobody reads on: stop the threads of one that searches in threads of its own. Else nothing is to be done."""
        stop = getattr(getattr(self, "_kernel", None), "stop", None)
        if stop is not None:
            stop()

    def lower_ceiling(self, cost: int) -> None:
        """From now on, only answers of at most this cost: somebody else has one that costs a little more. For the goal
        'minimum', between calls; once the status is `exhausted`, `bound` is at most one more than the lowest ceiling.

        Raises ValueError for another goal.
        """
        if self.goal != "minimum":
            raise ValueError("only a search for a minimum can be told of a better answer")
        cost = whole(cost, "cost")
        with self._alone:
            self._lowered = cost if self._lowered is None else min(self._lowered, cost)
            self._setup.lower(cost)

    def step(self, nodes: int, listing: bool = True) -> bool:
        """Search on for at most so many nodes. Answers found wait for `next`, or are only counted. Returns whether
        there is more to do. On several threads it may be more nodes; fewer where `MOST_WAITING` numbers wait, or
        whoever looks on wants to stop."""
        nodes = whole(nodes, "nodes")
        with self._alone:
            end = self.counters.nodes + nodes
            while self.status is Status.RUNNING and self.counters.nodes < end:
                self._advance(end - self.counters.nodes, listing)
                if self._waiting > MOST_WAITING or due():
                    break
            return self.status is Status.RUNNING

    def waiting(self) -> list[Answer]:
        """The answers that were found and wait for `next`; they wait no more."""
        found = list(self._found)
        self._found.clear()
        self._waiting = 0
        return found

    def __iter__(self) -> Search:
        return self

    def __next__(self) -> Answer:
        while True:
            try:  # another thread may be sooner between a look and a grasp
                answer = self._found.popleft()
            except IndexError:
                if self.status is not Status.RUNNING:
                    raise StopIteration from None
            else:
                self._waiting -= len(answer)
                return answer
            with self._alone:
                if not self._found:
                    self._advance(MANY)

    def count(self) -> int:
        """Run to the end without building answers, and return how many were found; as many as the limit asks for,
        if that ends it. Answers waiting are dropped.

        A search that has not begun counts with a memo where its engine has one: what is the same below
        different nodes is counted once.
        """
        with self._alone:
            self._only_count()
            self.waiting()
            while self.status is Status.RUNNING:
                self._advance(MANY, listing=False)
        found = self.counters.answers
        if self.status is Status.SOLVED and self.limits.answers is not None:
            return min(found, self.limits.answers)
        return found

    def only_count(self) -> None:
        """Use the engine that is best at counting, for `step` without listing; before the search has begun."""
        with self._alone:
            self._only_count()

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

    def leave_unchecked(self) -> None:
        """Somebody else checks the answers: those of the whole, of which this is a part."""
        self._checks = None

    def measure(self) -> float | None:
        """`fraction` as of now; to be asked by whoever runs the search, between its slices."""
        told = getattr(self._kernel, "fraction", None)
        return None if told is None else told()

    @property
    def spared(self) -> int:
        """How many nodes a memo has saved, by its own account."""
        return getattr(getattr(self, "_kernel", None), "spared", 0)

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
                self._take()
            self.seconds += perf_counter() - start  # long answers take longer to be put together than to be found
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

    def _ended(self) -> bool:
        """Meet an interrupt, the limit of time or that of memory, and say so in the status."""
        if self._stop:
            self.status = Status.INTERRUPTED
        elif self._limited():
            self.status = Status.LIMIT
        if self.status is not Status.RUNNING:
            self.halt()
        return self.status is not Status.RUNNING

    @contextmanager
    def _heeding(self) -> Iterator[None]:
        """While something is made ready inside: it stops, with the status that is due, at a limit or an interrupt; the
        time it takes is spent inside the search."""
        met = Met(self.limits, self.seconds)

        def stop() -> Status | None:
            return Status.INTERRUPTED if self._stop else met()

        try:
            with heeding(stop):
                yield
        except Stopped as stopped:
            self.status, self.out_of_memory = stopped.status, met.out_of_memory
        except BaseException:
            self.status = Status.INTERRUPTED
            raise
        finally:
            self.seconds = met.seconds

    def _limited(self) -> bool:
        """Whether the limit of time or of memory is met."""
        limits = self.limits
        if limits.seconds is not None and self.seconds >= limits.seconds:
            return True
        if limits.memory is not None and perf_counter() >= self._weigh:
            self._weigh = perf_counter() + LOOK
            self.out_of_memory = resident() >= limits.memory
        return self.out_of_memory

    def _keep(self, answer: Answer) -> None:
        self._keep_all([answer])

    def _keep_all(self, answers: list[Answer]) -> None:
        """They wait to be given, once they are checked. Raises Mistake for what is no answer."""
        if self._checks is not None:
            self._checks(answers)
        if self.problem.costs:
            for answer in answers:
                paid = cost(self.problem, answer) if self._checks is None else self._checks.paid(answer)
                self._best = paid if self._best is None else min(paid, self._best)
        elif self.goal == "minimum" and answers:
            self._best = 0
        self._found.extend(answers)
        self._waiting += sum(map(len, answers))

    def _adapt(self, nodes: int, spent: float) -> None:
        if spent > LONG:
            self._slice = max(self._slice // 2, 1)
        elif spent < SHORT and nodes >= self._slice:
            self._slice = min(self._slice * 2, LONGEST_SLICE)


def search(problem: Problem, *, goal: str = "all", limits: Limits = NO_LIMITS, settings: Settings = DEFAULTS) -> Search:
    """Start a search; nothing but preparation is done before its first answer is asked for. That counts as time spent
    inside the search, and a limit met by then ends it.

    problem: validated.  goal: 'all' or 'minimum'.
    Without a seed every engine gives the answers in the same order: depth first; at a node, the unmet item
    with the fewest ways (live options - need + 1), the lowest number on ties; its options in increasing
    number, each first taken and then, for what follows, excluded; when no item is unmet, the live options
    likewise, and then the answer that takes none of them. With goal 'minimum' an option that no unmet item
    asks for is left out unless its cost is negative, and what can't be cheaper than the best answer is
    skipped: admissible estimates only save work.
    The order is another with the engine `sat`, and may be another where `limits` ask for one or two answers, the engine
    is `auto` and the documented order takes long: see portfolio.py. Several threads keep it.
    """
    met = Met(limits)
    try:
        with heeding(met):
            begun = _begin(problem, goal, limits, settings)
    except Stopped as stopped:
        begun = Unbegun(problem, goal, limits, settings, stopped.status)
        begun.out_of_memory = met.out_of_memory
    begun.seconds += met.seconds
    return begun


def _begin(problem: Problem, goal: str, limits: Limits, settings: Settings) -> Search:
    """The search that suits, made ready. Raises Stopped."""
    from covr.engine import portfolio, restarts
    from covr.engine.outside import sat
    from covr.engine.pieces import parallel

    if settings.engine == "sat" and goal == "all":
        return sat.SatSearch(problem, limits, settings)
    if portfolio.suits(goal, limits, settings):
        return portfolio.Portfolio(problem, limits, settings)
    if restarts.suits(problem, goal, settings):
        return restarts.Restarts(problem, limits, settings)
    if parallel.suits(goal, limits, settings):
        return parallel.ParallelSearch(problem, limits, settings)
    return Search(problem, goal, limits, settings)


class Unbegun(Search):
    """A search that was stopped before it was ready."""

    def __init__(self, problem: Problem, goal: str, limits: Limits, settings: Settings, status: Status) -> None:
        self._start(problem, limits, settings, goal)
        self.status = status

    @property
    def engine(self) -> str:
        return self.settings.engine

    @property
    def counters(self) -> Counters:
        return Counters()

    @property
    def bound(self) -> int | None:
        return None

    def only_count(self) -> None:
        """There is nothing to count with."""

    def measure(self) -> float | None:
        return None

    @property
    def spared(self) -> int:
        return 0


@frozen
class Counted:
    """value: answers counted; exact when the status is `exhausted`, else a number there are at least."""

    value: int
    status: Status
    counters: Counters


def count(problem: Problem, limits: Limits = NO_LIMITS, settings: Settings = DEFAULTS) -> Counted:
    """How many answers there are, without building them. A KeyboardInterrupt goes on to the caller."""
    run = search(problem, limits=limits, settings=settings)
    return Counted(run.count(), run.status, run.counters)
