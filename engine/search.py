"""A search as an object: it yields answers one at a time, counts its work, and can be stopped.

`Search` is the interface that all kinds of search share; code that uses a search may rely on nothing else. It proceeds
in slices; limits, interrupts and the clock are checked between them. Each kind defines how a slice is searched
(`_advance`): by one method, or several that take turns (kernel_search.py, turns.py), with HiGHS beside it (beside.py),
on several threads (pieces/), or by a SAT solver (outside/sat.py).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from covr.engine.base.alone import Alone
from covr.engine.base.deadline import Deadline
from covr.engine.base.heed import Met, Stopped, due, heeding
from covr.engine.base.limits import Limits
from covr.engine.base.status import Counters, Status
from covr.engine.base.whole import whole
from covr.engine.check import cost
from covr.engine.checks import Checks
from covr.engine.problem import Problem
from covr.engine.settings import Settings
from covr.engine.turns import Timetable
from covr.engine.witness import hold_end

Answer = tuple[int, ...]

GOALS = {"all": "every answer", "minimum": "ever cheaper answers, down to the cheapest"}

LOOK = 0.1  # seconds of search between two updates of its progress, and between two checks of the memory
MOST_WAITING = 1 << 20  # option numbers in the answers that wait to be read; a step that found more ends early
MANY = 1 << 62  # nodes or answers: no limit
NO_LIMITS, DEFAULTS = Limits(), Settings()


def check_goal(goal: str) -> None:
    """Raises ValueError for an unknown goal."""
    if goal not in GOALS:
        raise ValueError(f"there is no goal `{goal}`; there are {', '.join(GOALS)}")


class Search(Iterator[Answer]):
    """The answers of a problem, each an increasing tuple of option numbers, the given ones included.

    goal 'all': every answer.  goal 'minimum': ever cheaper answers; once the status is `exhausted`, the last one is a
    cheapest.  `status`, `counters`, `best` and `bound` may be read at any time.
    A KeyboardInterrupt during `next` ends the search with the status `interrupted` and is passed on to the caller;
    further calls still return the answers already found.
    Only one thread at a time may use a search: meanwhile `next`, `step`, `count` and everything else that changes the
    search raise RuntimeError in any other thread, and in an estimate that calls its own search.
    """

    def __init__(
        self, problem: Problem, goal: str = "all", limits: Limits = NO_LIMITS, settings: Settings = DEFAULTS
    ) -> None:
        """The search does not begin yet. Raises ValueError for an unknown goal."""
        check_goal(goal)
        self.problem, self.goal, self.limits, self.settings = problem, goal, limits, settings
        self.clock = Deadline(limits.seconds)  # runs while a call is inside the search
        self._alone = Alone("search")
        self.status = Status.RUNNING
        self._found: deque[Answer] = deque()
        self._checks: Checks | None = Checks(problem, settings.ceiling)
        self._waiting = 0  # option numbers in these answers
        self._best: int | None = None
        self._lowered: int | None = None
        self._fraction: float | None = None
        self._look = 0.0  # seconds of search after which the progress is to be updated again
        self._stop = False
        self._met = Met(limits, self.clock)
        self.out_of_memory = False  # whether the limit of memory ended the search

    @property
    def engine(self) -> str:
        """The engine that answers, in words."""
        raise NotImplementedError

    @property
    def counters(self) -> Counters:
        """The work so far."""
        raise NotImplementedError

    @property
    def nodes(self) -> int:
        """The nodes so far, as in `counters`."""
        return self.counters.nodes

    @property
    def seconds(self) -> float:
        """Seconds spent inside the search so far."""
        return self.clock.spent

    def limit(self, limits: Limits) -> None:
        """Set other limits; only before the search has begun."""
        self.limits, self._met.limits, self.clock.most = limits, limits, limits.seconds

    @property
    def best(self) -> int | None:
        """The least cost among the answers so far; None if there are no answers yet, or no costs."""
        return self._best

    @property
    def bound(self) -> int | None:
        """A proved lower bound on the cost of every answer, or None. With the goal 'minimum' it equals `best` once the
        search is exhausted."""
        if self.goal != "minimum":
            return None
        if self.status is Status.EXHAUSTED:
            above = None if self._lowered is None else self._lowered + 1
            return self._best if above is None or (self._best is not None and self._best < above) else above
        return self._root_bound()

    def _root_bound(self) -> int | None:
        """The value of `bound` while the search is not exhausted."""
        return None

    @property
    def fraction(self) -> float | None:
        """How much of the tree is done, where all branches of a node count as equally large. It never decreases, and is
        1 at the end. Updated every tenth of a second of search; None if the engine can't tell. May be called from any
        thread."""
        return 1.0 if self.status is Status.EXHAUSTED else self._fraction

    def interrupt(self) -> None:
        """Ask the search to stop; it stops after the current slice. May be called from any thread."""
        self._stop = True

    def halt(self) -> None:
        """Stop the worker threads, if the search has any: nothing more will be asked of it."""

    def lower_ceiling(self, cost: int) -> None:
        """Find only answers of at most this cost from now on, because a dearer one is known from elsewhere. Only for
        the goal 'minimum', and between calls. Once the status is `exhausted`, `bound` is at most one more than the
        lowest ceiling.

        Raises ValueError for another goal.
        """
        if self.goal != "minimum":
            raise ValueError("only a search for a minimum has a ceiling that can be lowered")
        cost = whole(cost, "cost")
        with self._alone:
            self._lowered = cost if self._lowered is None else min(self._lowered, cost)
            self._lower(cost)

    def _lower(self, cost: int) -> None:
        """Look for answers of at most this cost from now on."""

    def step(self, nodes: int, listing: bool = True) -> bool:
        """Search for at most this many more nodes. Answers that are found wait for `next`; without `listing` they are
        only counted. Returns whether there is more to search. Several threads may search somewhat more nodes. The step
        ends earlier if more than `MOST_WAITING` option numbers wait to be read, or if a stop is due (heed.py)."""
        nodes = whole(nodes, "nodes")
        with self._alone:
            done = self.nodes
            end = done + nodes
            while self.status is Status.RUNNING and done < end:
                self._advance(end - done, listing)
                done = self.nodes
                if self._waiting > MOST_WAITING or due():
                    break
            return self.status is Status.RUNNING

    def step_once(self, nodes: int) -> None:
        """Search one slice of at most this many nodes; for a search that takes turns with others."""
        with self._alone:
            self._advance(nodes)
            if self.problem.witness is not None:
                self._hold_witness()

    def waiting(self) -> list[Answer]:
        """Take out all answers that wait for `next`; returns them."""
        found = list(self._found)
        self._found.clear()
        self._waiting = 0
        return found

    def __iter__(self) -> Search:
        return self

    def __next__(self) -> Answer:
        while True:
            try:  # no test first: another thread may take the last answer between the test and this line
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
                    if self.problem.witness is not None:
                        self._hold_witness()

    def count(self) -> int:
        """Run to the end without listing answers, and return how many there were: at most as many as the limit asks
        for. Answers that wait to be read are dropped.

        A search that has not begun yet counts with a memo if its engine has one: equal subproblems below different
        nodes are then counted only once.
        """
        if self.goal == "minimum":
            return sum(1 for _ in self)  # each makes the search for the next one shorter
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
        """Switch to the engine that is best at counting, for `step` without `listing`; only before the search has
        begun."""
        with self._alone:
            self._only_count()

    def _only_count(self) -> None:
        """Nothing to do here; overridden by searches that count in another way than they list."""

    def leave_unchecked(self) -> None:
        """Do not check the answers here, because the search that this one is a part of checks its own answers."""
        self._checks = None

    def measure(self) -> float | None:
        """The present value of `fraction`; may be called only between slices, by the thread that runs the search."""
        return None

    @property
    def outside(self) -> tuple[str, ...]:
        """The names of the external solvers that are searching beside this search."""
        return ()

    @property
    def even(self) -> bool:
        """Whether its nodes take about as long as one another, so that they measure time."""
        return True

    @property
    def spared(self) -> int:
        """How many nodes the memo has saved, according to its own records."""
        return 0

    @property
    def timetable(self) -> Timetable | None:
        """Who takes turns in it; None where nobody does, or without a table."""
        return None

    def _advance(self, nodes: int, listing: bool = True) -> None:
        """Search one more slice, of at most this many nodes, and keep the answers found."""
        raise NotImplementedError

    def _ended(self) -> bool:
        """Whether the search has ended; before that, check for an interrupt and the limits of time and memory, and set
        the status accordingly."""
        if self._stop:
            self.status = Status.INTERRUPTED
        elif self._limited():
            self.status = Status.LIMIT
        if self.status is not Status.RUNNING:
            self.halt()
        return self.status is not Status.RUNNING

    @contextmanager
    def _heeding(self) -> Iterator[None]:
        """For work that prepares the search: a limit or an interrupt stops it and sets the status; the time it takes
        counts as time spent inside the search."""
        try:
            with self.clock, heeding(lambda: Status.INTERRUPTED if self._stop else None), heeding(self._met):
                yield
        except Stopped as stopped:
            self.status, self.out_of_memory = stopped.status, self._met.out_of_memory
        except BaseException:
            self.status = Status.INTERRUPTED
            raise

    def _limited(self) -> bool:
        """Whether the limit of time or of memory is reached."""
        met = self._met() is not None
        self.out_of_memory = self._met.out_of_memory
        return met

    def _hold_witness(self) -> None:
        """See that what was proved leaves the witness in. Raises Lost."""
        if self.goal == "minimum":
            known = None if self._best is None else self._best - 1
            ended = self.status is Status.EXHAUSTED
            bound = None if ended else self._root_bound()
            least = cost(self.problem, self.problem.witness or ())
            hold_end(self.engine, ended, bound, least, known, self._lowered, self.settings.ceiling)

    def _keep(self, answer: Answer) -> None:
        self._keep_all([answer])

    def _keep_all(self, answers: list[Answer]) -> None:
        """Check these answers and let them wait for `next`. Raises Mistake if one of them is not an answer."""
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
