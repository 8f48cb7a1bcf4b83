"""A search as a value: it gives answers one at a time, counts its work, and can be stopped.

`Search` is what all kinds of search have in common, and what their readers may rely on. It goes on slice by slice:
limits, interrupts and the clock are looked at in between. Each kind says how a slice is searched (`_advance`):
kernel_search.py by a kernel, portfolio.py and restarts.py by several searches in turn, beside.py with HiGHS, pieces/ on
several threads, and outside/sat.py by a solver for clauses.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from covr.engine.alone import Alone
from covr.engine.check import cost
from covr.engine.checks import Checks
from covr.engine.deadline import Deadline
from covr.engine.heed import Met, Stopped, due, heeding
from covr.engine.limits import Limits
from covr.engine.memory import resident
from covr.engine.problem import Problem
from covr.engine.settings import Settings
from covr.engine.status import Counters, Status
from covr.engine.whole import whole

Answer = tuple[int, ...]

GOALS = {"all": "every answer", "minimum": "ever cheaper answers, down to the cheapest"}

LOOK = 0.1  # seconds of search between two looks at how far it is
MOST_WAITING = 1 << 20  # numbers of the answers that a step leaves to be read, before it ends early
MANY = 1 << 62
NO_LIMITS, DEFAULTS = Limits(), Settings()


def check_goal(goal: str) -> None:
    """Raises ValueError for an unknown goal."""
    if goal not in GOALS:
        raise ValueError(f"there is no goal `{goal}`; there are {', '.join(GOALS)}")


class Search(Iterator[Answer]):
    """The answers of a problem, each an increasing tuple of option numbers, the given ones included.

    goal 'all': every answer.  goal 'minimum': ever cheaper answers; once the status is `exhausted`, the last
    one is a cheapest.  `status`, `counters`, `best` and `bound` may be read at any time.
    A KeyboardInterrupt during `next` ends the search with the status `interrupted` and goes on to the caller;
    answers already found are still given by further calls.
    One thread at a time searches: while one does, `next`, `step`, `count` and whatever else changes the search raise
    RuntimeError for any other, and for an estimate that calls its own search.
    """

    def __init__(
        self, problem: Problem, goal: str = "all", limits: Limits = NO_LIMITS, settings: Settings = DEFAULTS
    ) -> None:
        """Nothing is begun. Raises ValueError for an unknown goal."""
        check_goal(goal)
        self.problem, self.goal, self.limits, self.settings = problem, goal, limits, settings
        self.clock = Deadline(limits.seconds)  # runs while somebody is inside the search
        self._alone = Alone("search")
        self.status = Status.RUNNING
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
        raise NotImplementedError

    @property
    def counters(self) -> Counters:
        """The work so far."""
        raise NotImplementedError

    @property
    def seconds(self) -> float:
        """Time spent inside the search, as of now."""
        return self.clock.spent

    def limit(self, limits: Limits) -> None:
        """Other limits, before the search has begun."""
        self.limits, self.clock.most = limits, limits.seconds

    @property
    def best(self) -> int | None:
        """The least cost among the answers so far; None where there is none, or no costs."""
        return self._best

    @property
    def bound(self) -> int | None:
        """A proved lower bound on the cost of every answer, or None. With goal 'minimum' it ends as `best`."""
        if self.goal != "minimum":
            return None
        if self.status is Status.EXHAUSTED:
            above = None if self._lowered is None else self._lowered + 1
            return self._best if above is None or (self._best is not None and self._best < above) else above
        return self._root_bound()

    def _root_bound(self) -> int | None:
        """`bound` while there is more to search."""
        return None

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
        """Stop the threads of a search that has threads of its own: nobody wants more of it."""

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
            self._lower(cost)

    def _lower(self, cost: int) -> None:
        """Look for answers of at most this cost from now on."""

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

    def step_once(self, nodes: int) -> None:
        """One slice of at most so many nodes, for whoever searches in turn with others."""
        with self._alone:
            self._advance(nodes)

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
        """A search that lists and counts alike has nothing to change."""

    def leave_unchecked(self) -> None:
        """Somebody else checks the answers: those of the whole, of which this is a part."""
        self._checks = None

    def measure(self) -> float | None:
        """`fraction` as of now; to be asked by whoever runs the search, between its slices."""
        return None

    @property
    def outside(self) -> tuple[str, ...]:
        """Other people's solvers that search beside it."""
        return ()

    @property
    def even(self) -> bool:
        """Whether its nodes take about as long as one another, so that they measure time."""
        return True

    @property
    def spared(self) -> int:
        """How many nodes a memo has saved, by its own account."""
        return 0

    def _advance(self, nodes: int, listing: bool = True) -> None:
        """Search on for a slice, at most so many nodes, and keep what it found."""
        raise NotImplementedError

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
        met = Met(self.limits, self.clock)

        def stop() -> Status | None:
            return Status.INTERRUPTED if self._stop else met()

        try:
            with self.clock, heeding(stop):
                yield
        except Stopped as stopped:
            self.status, self.out_of_memory = stopped.status, met.out_of_memory
        except BaseException:
            self.status = Status.INTERRUPTED
            raise

    def _limited(self) -> bool:
        """Whether the limit of time or of memory is met."""
        limits = self.limits
        if self.clock.over:
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
