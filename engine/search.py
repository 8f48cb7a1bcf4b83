"""A search as an object: it yields answers one at a time, counts its work, and can be stopped."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter

from covr.engine.base.alone import Alone
from covr.engine.base.limits import (
    COMPILED_STEPS,
    ENDLESS,
    LOOK,
    Counters,
    Deadline,
    LimitReached,
    Limits,
    Met,
    Status,
    due,
    limits_checked_by,
    whole,
)
from covr.engine.check import cost
from covr.engine.checks import Checks
from covr.engine.kernels.header import DONE, FOUND, SLICE
from covr.engine.problem import Problem
from covr.engine.settings import Settings
from covr.engine.turns import Entrant, Method, Turns
from covr.engine.witness import hold_end
from covr.frozen import evolve

# --- search ----------------------------------------------------------------------------------------------------------
# A search as an object: it yields answers one at a time, counts its work, and can be stopped.
#
# `Search` is the interface that all kinds of search share; code that uses a search may rely on nothing else. It
# proceeds in slices; limits, interrupts and the clock are checked between them. Each kind defines how a slice is
# searched (`_advance`): by one method, or several that take turns (search.py, turns.py), on several threads (pieces/),
# or by clingo (outside/clingo.py).


Answer = tuple[int, ...]

GOALS = {"all": "every answer", "minimum": "ever cheaper answers, down to the cheapest"}

MOST_WAITING = 1 << 20  # option numbers in the answers that wait to be read, and in those of one slice; a step that
# found more ends early. About 40 bytes each
NO_LIMITS, DEFAULTS = Limits(), Settings()


def check_goal(goal: str) -> None:
    """Raises ValueError for an unknown goal."""
    if goal not in GOALS:
        raise ValueError(f"there is no goal `{goal}`; there are {', '.join(GOALS)}")


class Search(Iterator[Answer]):
    """The answers of a problem, each an increasing tuple of option numbers, the given ones included.

    goal 'all': every answer.  goal 'minimum': ever cheaper answers; once the status is `exhausted`, the last one is a
    cheapest.  `status`, `counters`, `best` and `bound` may be read at any time. A KeyboardInterrupt during `next` ends
    the search with the status `interrupted` and is passed on to the caller; further calls still return the answers
    already found. Only one thread at a time may use a search: meanwhile `next`, `step`, `count` and everything else
    that changes the search raise RuntimeError in any other thread, and in an estimate that calls its own search.
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
        ends earlier if more than `MOST_WAITING` option numbers wait to be read, or if a stop is due (limits.py)."""
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
                    self._advance(ENDLESS)
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
                self._advance(ENDLESS, listing=False)
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
    def timetable(self) -> Sequence[Entrant]:
        """The methods that take turns in it; empty if there is only one."""
        return ()

    @property
    def account(self) -> Sequence[tuple[str, int, int]]:
        """The methods that have had turns in it: their names, their work, and how many answers they found."""
        return ()

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
            with (
                self.clock,
                limits_checked_by(lambda: Status.INTERRUPTED if self._stop else None),
                limits_checked_by(self._met),
            ):
                yield
        except LimitReached as stopped:
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


# --- kernel search ---------------------------------------------------------------------------------------------------
# A search by one kernel, which runs in the thread that asks for the next answer.
#
# The kernel is called for a slice of nodes at a time. A slice takes about 20 ms, so that Ctrl-C acts at once although
# compiled code can't be interrupted. The kernel gathers answers, at most `MOST_GATHERED` in one slice.


FIRST_SLICE = 100  # nodes of the first slice, at most
FIRST_WORK = 1 << 21  # nodes times members of the options in the first slice: some nodes pass all members
SHORT, LONG = 0.01, 0.03  # seconds: after a shorter slice the next is made longer, after a longer one shorter
MOST_GATHERED = 256  # answers that one slice may gather before they are returned


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

    @property
    def work(self) -> int:
        """The work so far (turns.py)."""
        return self._method.work

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
    def timetable(self) -> Sequence[Entrant]:
        return self._kernel.timetable if isinstance(self._kernel, Turns) else ()

    @property
    def account(self) -> Sequence[tuple[str, int, int]]:
        return self._kernel.account() if isinstance(self._kernel, Turns) else ()

    @property
    def outside(self) -> tuple[str, ...]:
        return self._kernel.outside if isinstance(self._kernel, Turns) else ()

    def _advance(self, nodes: int, listing: bool = True) -> None:
        limits = self.limits
        if self._ended():
            return
        nodes = min(nodes, self._slice)
        if limits.nodes is not None:
            nodes = min(nodes, limits.nodes - self._kernel.nodes)
        wanted = ENDLESS if limits.answers is None else min(limits.answers - self._kernel.answers, ENDLESS)
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
        elif self._kernel.code == SLICE and limits.nodes is not None and self._kernel.nodes >= limits.nodes:
            self.status = Status.LIMIT
        if self.status is not Status.RUNNING:
            self.halt()
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
                most = MOST_WAITING // max(len(found[-1]), 1)
                self._batch = max(min(2 * self._batch, MOST_GATHERED, most), 1)
        elif kernel.code == FOUND and kernel.answers > self._listed:
            self._listed = kernel.answers
            self._keep(self._method.answer())

    def _adapt(self, nodes: int, spent: float) -> None:
        if spent > LONG:
            self._slice = max(self._slice // 2, 1)
        elif spent < SHORT and nodes >= self._slice:
            self._slice = min(self._slice * 2, COMPILED_STEPS)


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
        return self.search.nodes

    @property
    def updates(self) -> int:
        return self.search.counters.updates

    @property
    def answers(self) -> int:
        return self.search.counters.answers

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most this many nodes, up to the next answer. Raises LimitReached where the search was
        interrupted."""
        search, end = self.search, self.nodes + nodes
        self.code = -1
        while not search._found:
            if search.status is Status.EXHAUSTED:
                self.code = DONE
                return DONE
            if search.status is not Status.RUNNING:
                raise LimitReached(search.status)
            if self.nodes >= end:
                self.code = SLICE
                return SLICE
            search.step_once(end - self.nodes)
        self._answer = next(search)
        self.code = FOUND
        return FOUND

    def answer(self) -> list[int]:
        return list(self._answer)

    def whole(self) -> Answer:
        """The last answer as a tuple; see `answer`."""
        return self._answer
