"""Clues that leave one answer of a problem as the only one: is it the only one, and which clues can be left out.

Clues are some of an answer's options. They come in *units*, sets of options that are given or left out together: mostly
single options; a symmetric pattern of clues has larger ones. All clues left, the answer is the only one that takes
them, or no set of these clues will do.

There is one kind of question: is there an answer other than this one that takes these options? One batch kernel
(batch.py) answers all of them, so that masks are built only once: on sudokus a question takes some 20 µs. What the
kernel can't answer, or not within `BUDGET` nodes, is searched in the ordinary way.

Clues are left out one by one, in random order. A unit that can't be left out then
can't be left out later either, because fewer clues never exclude more answers. So what remains is minimal.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from threading import Event, Timer

from attrs import evolve

from covr.engine.base.deadline import Deadline
from covr.engine.base.heed import Met, Stopped
from covr.engine.base.jobs import begin_timer
from covr.engine.base.limits import Limits
from covr.engine.base.status import Status
from covr.engine.batch import UNKNOWN, BatchTemplate
from covr.engine.dispatch import search
from covr.engine.problem import Problem
from covr.engine.search import DEFAULTS, NO_LIMITS, Answer, Search
from covr.engine.settings import Settings
from covr.engine.sides import refuse_projection

TOGETHER = 8  # clues that are left out at once, at most
BUDGET = 50_000  # nodes that the batch kernel may spend on a question
DRAWS = 20  # searches for a random answer
DRAW_NODES = 2000  # nodes of each

Unit = tuple[int, ...]


class Uniqueness:
    """Asks many times whether an answer is the only one that takes some options.

    problem: without costs, which do not matter here.  questions, nodes: how many were asked, and the nodes they took.
    clock: the time that may be spent, and was.

    A context manager: limits of time hold while it is entered. At a limit or an interrupt every question raises
    Stopped.
    """

    def __init__(self, problem: Problem, limits: Limits = NO_LIMITS, settings: Settings = DEFAULTS) -> None:
        """problem: validated.  limits: for all questions together; a limit on answers is ignored.

        Raises Unsuited if only some options tell answers apart. Builds the masks of the batch kernel once."""
        refuse_projection(problem, "making puzzles")
        self.problem = evolve(problem, costs=())
        self.limits, self.settings = limits, settings
        self.questions = self.nodes = 0
        self.clock = Deadline(limits.seconds)
        self._met = Met(limits, self.clock)
        self._stop = Event()
        self._interrupted = False
        self._search: Search | None = None
        self._timer: Timer | None = None
        self._template: BatchTemplate | None = None
        if settings.engine in ("auto", "bits"):
            template = BatchTemplate(self.problem, limit=2, budget=BUDGET, interpreted=settings.interpreted)
            self._template = template if template.native else None

    @property
    def native(self) -> bool:
        """Whether the batch kernel answers questions, in microseconds instead of milliseconds."""
        return self._template is not None

    def __enter__(self) -> Uniqueness:
        left = self.clock.left
        if left is not None:
            self._timer = begin_timer(left, self._halt)
        self.clock.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.clock.__exit__(None, None, None)
        if self._timer is not None:
            self._timer.cancel()

    def interrupt(self) -> None:
        """Ask to stop; may be called from any thread."""
        self._interrupted = True
        self._halt()

    def _halt(self) -> None:
        self._stop.set()
        running = self._search
        if running is not None:
            running.interrupt()

    def heed(self) -> None:
        """Raise Stopped if a limit is reached or an interrupt was asked for."""
        status = self.stop()
        if status is not None:
            raise Stopped(status)

    def stop(self) -> Status | None:
        """The status with which to stop now, or None to go on; for `heeding`."""
        if self._interrupted:
            return Status.INTERRUPTED
        return Status.LIMIT if self.stopping else None

    @property
    def stopping(self) -> bool:
        """Whether `heed` would raise."""
        return self._interrupted or self._stop.is_set() or self._met() is not None or self.nodes_left == 0

    @property
    def nodes_left(self) -> int | None:
        """How many nodes may still be spent; None for no limit."""
        return None if self.limits.nodes is None else max(self.limits.nodes - self.nodes, 0)

    @contextmanager
    def watching(self, run: Search) -> Iterator[None]:
        """Within this context, limits of time and interrupts stop this search, too. Its nodes are counted."""
        self._search = run
        try:
            if self._stop.is_set():
                run.interrupt()
            yield
        finally:
            self._search = None
            self.nodes += run.counters.nodes

    def at_most(self, nodes: int) -> int:
        """So many nodes, or as many as may still be spent."""
        left = self.nodes_left
        return nodes if left is None else min(nodes, left)

    # --- questions ---

    def answers(self, taken: Iterable[int], quick: bool = False) -> list[Answer] | None:
        """Two answers that take these options, or all there are.

        quick: give up after `BUDGET` nodes, and return None. Otherwise the question is answered, whatever it takes.
        Raises Stopped.
        """
        self.heed()
        self.questions += 1
        given = list(taken)
        if self._template is not None:
            result = self._template.solve_flat(array("i", given), array("i", [0, len(given)]), self._stop)
            self.nodes += result.nodes
            if not len(result):
                self.heed()
            if len(result) and result.counts[0] != UNKNOWN:
                return next(iter(result))
        return self._searched(given, quick)

    def random(self, rng: Random) -> Answer | None:
        """A random answer of the problem, from one search in random order after the other, each with few nodes, in the
        batch kernel; None if there is none, or none was found so soon. Only if `native`. Raises Stopped."""
        assert self._template is not None, "the batch kernel answers questions"
        for _ in range(DRAWS):
            self.heed()
            self.questions += 1
            result = self._template.draw(rng.getrandbits(63) + 1, self.at_most(DRAW_NODES))
            self.nodes += result.nodes
            if result.counts[0] != UNKNOWN:
                return next((found[0] for found in result if found), None)
        return None

    def thinned(self, units: Sequence[Unit]) -> list[Unit] | None:
        """What is left of some units if they are left out in this order, as `thin` does, in the batch kernel at once.
        None if the kernel does not suit, or did not suffice, and where nodes are limited. Raises Stopped."""
        if self._template is None or self.limits.nodes is not None:
            return None
        self.heed()
        kept, asked, nodes = self._template.thin(units, TOGETHER, self._stop)
        self.questions += asked
        self.nodes += nodes
        self.heed()
        return None if kept is None else [units[u] for u in kept]

    def nearest(self, units: Sequence[Unit], order: Sequence[int]) -> list[int] | None:
        """The units that an answer lacks which lacks no more of an answer's units than it must, as `nearest` of
        batch.py finds it. None if the kernel does not suit, or did not suffice, and where nodes are limited. Raises
        Stopped."""
        if self._template is None or self.limits.nodes is not None:
            return None
        self.heed()
        left, asked, nodes = self._template.nearest(units, order, self._stop)
        self.questions += asked
        self.nodes += nodes
        self.heed()
        return left

    def _searched(self, taken: Sequence[int], quick: bool) -> list[Answer] | None:
        if quick and self._template is not None:
            return None
        problem = evolve(self.problem, given=tuple(sorted({*self.problem.given, *taken})))
        return self._within(problem, self.at_most(BUDGET)) if quick else self.two(problem)

    def two(self, problem: Problem) -> list[Answer]:
        """Two answers of a problem like this one, or all there are, by one search. Raises Stopped."""
        found = self._within(problem, self.nodes_left)
        if found is None:
            raise Stopped(Status.LIMIT)
        return found

    def _within(self, problem: Problem, nodes: int | None) -> list[Answer] | None:
        """The same; None if these nodes did not suffice."""
        limits = Limits(answers=2, nodes=nodes, seconds=self.clock.left, memory=self.limits.memory)
        run = search(problem, limits=limits, settings=evolve(self.settings, seed=None))
        with self.watching(run):
            found = list(run)
        if run.status in (Status.EXHAUSTED, Status.SOLVED):
            return found
        self.heed()
        return None

    def other(self, answer: Answer, taken: Iterable[int]) -> Answer | None:
        """An answer other than this one that takes these of its options; None: it is the only one. Raises Stopped."""
        found = self.answers(taken)
        assert found, "an answer takes these options"
        return next((a for a in found if a != answer), None)


def flat(units: Iterable[Unit]) -> list[int]:
    """The options of some units."""
    return [o for unit in units for o in unit]


def thin(asked: Uniqueness, answer: Answer, units: Sequence[Unit], rng: Random) -> list[Unit]:
    """Leave out units in random order while the answer stays the only one. What is returned is minimal: none of its
    units can be left out. Asks fewer questions than there are units: several are left out at once where that goes well,
    and where it does not, each half by itself. What is kept is the same as if they were left out one by one.

    units: clues that leave the answer the only one.  Raises Stopped.
    """
    order = list(units)
    rng.shuffle(order)
    quick = asked.thinned(order[::-1])
    if quick is not None:
        return sorted(quick)
    return leave_out(order, lambda rest: asked.other(answer, rest) is None)


def leave_out(order: list[Unit], enough: Callable[[list[int]], bool]) -> list[Unit]:
    """Leave out units, the last first, while what is left is enough. What is returned is minimal, and sorted.

    order: units that are enough together.  enough: whether these members of units are enough; never true of fewer
    where it is false of more."""
    kept: list[Unit] = []
    waiting: list[list[Unit]] = []  # units to leave out next, the first ones last
    together = TOGETHER
    while order or waiting:
        if waiting:
            tried = waiting.pop()
        else:
            tried = order[-together:]
            del order[-together:]
        rest = flat(kept) + flat(order) + [o for group in waiting for o in flat(group)]
        if enough(rest):
            together = together if waiting else min(2 * together, TOGETHER)
        elif len(tried) == 1:
            kept += tried
        else:
            half = len(tried) // 2
            waiting += [tried[:half], tried[half:]]
            together = max(together // 2, 1)
    return sorted(kept)
