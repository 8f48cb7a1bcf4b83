"""Clues that leave one answer as the only one."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random
from threading import Event, Timer

from attrs import evolve

from covr.engine.base.alone import Unsuited, begin_timer
from covr.engine.base.limits import MOST_STEPS, QUICK, Deadline, LimitReached, Limits, Met, Status
from covr.engine.batch import UNKNOWN, BatchTemplate
from covr.engine.dispatch import search
from covr.engine.outside import clingo
from covr.engine.outside.clingo_answers import OtherAnswers, Switched, taken
from covr.engine.problem import Problem, Side, options_of, refuse_projection
from covr.engine.sampling.sample import Drawer, suits
from covr.engine.search import DEFAULTS, NO_LIMITS, Answer, Search
from covr.engine.settings import Settings

# --- clues -----------------------------------------------------------------------------------------------------------
# Clues that leave one answer of a problem as the only one: is it the only one, and which clues can be left out.
#
# Clues are some of an answer's options. They come in *units*, sets of options that are given or left out together:
# mostly single options; a symmetric pattern of clues has larger ones. All clues left, the answer is the only one that
# takes them, or no set of these clues will do.
#
# There is one kind of question: is there an answer other than this one that takes these options? One batch kernel
# (batch.py) answers all of them, so that masks are built only once: on sudokus a question takes some 20 µs. What the
# kernel can't answer, or not within `BUDGET` nodes, is searched in the ordinary way.
#
# Clues are left out one by one, in random order. A unit that can't be left out then
# can't be left out later either, because fewer clues never exclude more answers. So what remains is minimal.


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
    LimitReached.
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
        self._interrupted = True
        self._halt()

    def _halt(self) -> None:
        self._stop.set()
        running = self._search
        if running is not None:
            running.interrupt()

    def check_limits(self) -> None:
        """Raise LimitReached if a limit is reached or an interrupt was asked for."""
        status = self.stop()
        if status is not None:
            raise LimitReached(status)

    def stop(self) -> Status | None:
        """The status with which to stop now, or None to go on; for `limits_checked_by`."""
        if self._interrupted:
            return Status.INTERRUPTED
        return Status.LIMIT if self.stopping else None

    @property
    def stopping(self) -> bool:
        """Whether `check_limits` would raise."""
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

    def first_at_random(self, problem: Problem, rng: Random, nodes: int | None, learning: bool) -> Answer | None:
        """The first answer of a search in random order of a problem like the one that this is about; None if there is
        none, or none within these nodes. learning: whether clingo searches. Raises LimitReached."""
        limits = Limits(
            answers=1,
            nodes=self.nodes_left if nodes is None else self.at_most(nodes),
            seconds=self.clock.left,
            memory=self.limits.memory,
        )
        settings = evolve(self.settings, seed=rng.getrandbits(31))
        run = search(problem, limits=limits, settings=evolve(settings, engine="clingo") if learning else settings)
        with self.watching(run):
            found = next(run, None)
        self.check_limits()
        if found is None and nodes is None and run.status is not Status.EXHAUSTED:
            raise LimitReached(Status.LIMIT)
        return found

    def answers(self, taken: Iterable[int], quick: bool = False) -> list[Answer] | None:
        """Two answers that take these options, or all there are.

        quick: give up after `BUDGET` nodes, and return None. Otherwise the question is answered, whatever it takes.
        Raises LimitReached.
        """
        self.check_limits()
        self.questions += 1
        given = list(taken)
        if self._template is not None:
            result = self._template.solve_flat(array("i", given), array("i", [0, len(given)]), self._stop)
            self.nodes += result.nodes
            if not len(result):
                self.check_limits()
            if len(result) and result.counts[0] != UNKNOWN:
                return next(iter(result))
        return self._searched(given, quick)

    def random(self, rng: Random) -> Answer | None:
        """A random answer of the problem, from one search in random order after the other, each with few nodes, in the
        batch kernel; None if there is none, or none was found so soon. Only if `native`. Raises LimitReached."""
        assert self._template is not None, "the batch kernel answers questions"
        for _ in range(DRAWS):
            self.check_limits()
            self.questions += 1
            result = self._template.draw(rng.getrandbits(63) + 1, self.at_most(DRAW_NODES))
            self.nodes += result.nodes
            if result.counts[0] != UNKNOWN:
                return next((found[0] for found in result if found), None)
        return None

    def thinned(self, units: Sequence[Unit]) -> list[Unit] | None:
        """What is left of some units if they are left out in this order, as `thin` does, in the batch kernel at once.
        None if the kernel does not suit, or did not suffice, and where nodes are limited. Raises LimitReached."""
        if self._template is None or self.limits.nodes is not None:
            return None
        self.check_limits()
        kept, asked, nodes = self._template.thin(units, TOGETHER, self._stop)
        self.questions += asked
        self.nodes += nodes
        self.check_limits()
        return None if kept is None else [units[u] for u in kept]

    def nearest(self, units: Sequence[Unit], order: Sequence[int]) -> list[int] | None:
        """The units that an answer lacks which lacks no more of an answer's units than it must, as `nearest` of
        batch.py finds it. None if the kernel does not suit, or did not suffice, and where nodes are limited. Raises
        LimitReached."""
        if self._template is None or self.limits.nodes is not None:
            return None
        self.check_limits()
        left, asked, nodes = self._template.nearest(units, order, self._stop)
        self.questions += asked
        self.nodes += nodes
        self.check_limits()
        return left

    def _searched(self, taken: Sequence[int], quick: bool) -> list[Answer] | None:
        if quick and self._template is not None:
            return None
        problem = evolve(self.problem, given=tuple(sorted({*self.problem.given, *taken})))
        return self._within(problem, self.at_most(BUDGET)) if quick else self.two(problem)

    def two(self, problem: Problem) -> list[Answer]:
        """Two answers of a problem like this one, or all there are, by one search. Raises LimitReached."""
        return self.several(problem, 2)

    def several(self, problem: Problem, many: int) -> list[Answer]:
        """So many answers of a problem like this one, or all there are, by one search. Raises LimitReached."""
        found = self._within(problem, self.nodes_left, many)
        if found is None:
            raise LimitReached(Status.LIMIT)
        return found

    def _within(self, problem: Problem, nodes: int | None, many: int = 2) -> list[Answer] | None:
        """The same; None if these nodes did not suffice."""
        limits = Limits(answers=many, nodes=nodes, seconds=self.clock.left, memory=self.limits.memory)
        run = search(problem, limits=limits, settings=evolve(self.settings, seed=None))
        with self.watching(run):
            found = list(run)
        if run.status in (Status.EXHAUSTED, Status.SOLVED):
            return found
        self.check_limits()
        return None

    def other(self, answer: Answer, taken: Iterable[int]) -> Answer | None:
        """An answer other than this one that takes these of its options; None: it is the only one. Raises
        LimitReached."""
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

    units: clues that leave the answer the only one.  Raises LimitReached.
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


# --- learned clues ---------------------------------------------------------------------------------------------------
# Leaves out clues by clingo, which learns from one question to the next, and tells which clues a proof needed: what it
# did not need goes at once. For problems that the batch kernel does not take, such as those with side conditions.
#


def learns(asked: Uniqueness) -> bool:
    """Whether questions about these clues are for clingo."""
    settings = asked.settings
    return clingo.INSTALLED and not asked.native and settings.engine == "auto" and not settings.interpreted


def thin_learned(asked: Uniqueness, answer: Answer, order: Sequence[Unit]) -> list[Unit] | None:
    """What is left of some units if they are left out, the last first; minimal, and sorted. None if clingo can't hold
    the problem, or where another engine finds that what is left is not enough.

    order: units that leave the answer the only one.  Raises LimitReached."""
    switched = [Switched((k,), taken(o)) for k, unit in enumerate(order, 1) for o in unit]
    try:
        others = OtherAnswers(asked.problem, switched, answer, range(asked.problem.options), lambda: asked.stopping)
    except Unsuited:
        return None
    waiting, kept = list(range(len(order))), list[int]()
    while waiting:
        tried = waiting.pop()
        if _only(asked, others, [k + 1 for k in kept + waiting]):
            needed = {switch - 1 for switch in others.core}
            waiting = [k for k in waiting if k in needed]
        else:
            kept.append(tried)
    left = sorted(order[k] for k in kept)
    return left if asked.other(answer, flat(left)) is None else None


def _only(asked: Uniqueness, others: OtherAnswers, on: Sequence[int]) -> bool:
    """Whether there is no other answer with these switches on. Raises LimitReached."""
    asked.check_limits()
    asked.questions += 1
    before = others.nodes
    found = others.ask(on, asked.nodes_left)
    asked.nodes += others.nodes - before
    if not others.settled:
        asked.check_limits()
        raise LimitReached(Status.LIMIT)
    return found is None


# --- random answers --------------------------------------------------------------------------------------------------
# Draws random answers of a problem again and again, uniformly where that takes little work.
#
# - If the answers can be counted with a memo within `QUICK` nodes, each has exactly the same chance (sample.py).
# - If they can be listed within `QUICK` nodes, and there are at most `LISTED`, so, too.
# - Otherwise it is the first answer of a search whose ways are shuffled, in the batch kernel where that suits, begun
#   anew if it takes long. If none comes soon, an answer is built up: options in random order are taken where an answer
#   with them remains, until only one does; several are tried at once, and fewer where no answer has them all. All such
#   answers are random but not uniform.
#
# All limits are numbers of nodes, so the same random numbers draw the same answers on every machine. (sampling.py in
# covr/questions draws a sample for its own sake, and spends up to a minute to make it uniform.)


LISTED = 10_000  # answers that are kept in a list, at most
MEMO = 64 << 20  # bytes for the memo of the count
VAIN = 40  # options in a row that no answer has beside those taken; then the first answer of a search is as good

MEMO_WAY, LIST_WAY, BUILT_WAY = "memo", "listed", "built"


class RandomAnswers:
    """Random answers of the problem that `asked` is about. For one thread at a time.

    way: `memo`, `listed` or `built`; None until the first answer is drawn.
    """

    def __init__(self, asked: Uniqueness, counting: int | None = None, listed: int | None = None) -> None:
        """counting, listed: what is tried for answers that are drawn uniformly; None: `QUICK`, and `LISTED`."""
        self._asked = asked
        self._counting = QUICK if counting is None else counting
        self._most = LISTED if listed is None else listed
        self._problem = asked.problem
        self._drawer: Drawer | None = None
        self._list: list[Answer] = []
        self.way: str | None = None
        self._barred: dict[int, frozenset[int]] = {}

    @property
    def uniform(self) -> bool:
        """Whether every answer has exactly the same chance."""
        return self.way in (MEMO_WAY, LIST_WAY)

    def draw(self, rng: Random) -> Answer | None:
        """A random answer; None if there is none. Raises LimitReached."""
        self.choose_way()
        if self._drawer is not None:
            return self._drawer.draw(rng) if self._drawer.total() else None
        if self.way == LIST_WAY:
            return self._list[rng.randrange(len(self._list))] if self._list else None
        return self._built(rng) if self._asked.native else self._shuffled(rng)

    def choose_way(self) -> None:
        """Find out in which way answers are drawn, if that is not known yet. Raises LimitReached."""
        if self.way is not None:
            return
        asked = self._asked
        if suits(self._problem):
            drawer = Drawer(self._problem, evolve(asked.settings, memory=min(asked.settings.memory, MEMO)))
            before = drawer.counters.nodes
            try:
                drawer.total(Limits(nodes=asked.at_most(self._counting), seconds=asked.clock.left))
                self._drawer, self.way = drawer, MEMO_WAY
                return
            except LimitReached:
                asked.check_limits()
            finally:
                asked.nodes += drawer.counters.nodes - before
        most = min(self._most, MOST_STEPS // (1 + sum(_length(side) for side in self._problem.sides)))
        limits = Limits(answers=most + 1, nodes=asked.at_most(self._counting), seconds=asked.clock.left)
        run = search(self._problem, limits=limits, settings=evolve(asked.settings, seed=None))
        with asked.watching(run):
            found = list(run)
        if run.status is Status.EXHAUSTED:
            self._list, self.way = found, LIST_WAY
        else:
            asked.check_limits()
            self.way = BUILT_WAY

    def _built(self, rng: Random) -> Answer | None:
        drawn = self._asked.random(rng)
        if drawn is not None:
            return drawn
        found = self._asked.answers(())
        order = _Shuffled(self._problem.options, rng)
        taken: list[int] = []
        out: set[int] = set()  # options that can't be taken beside those taken, because they share an item with one
        together, vain = TOGETHER, 0
        waiting: list[list[int]] = []  # options to try at once, the next ones last
        while found is not None and len(found) > 1 and vain < VAIN:
            tried = waiting.pop() if waiting else self._compatible(order, out, together)
            if not tried:
                break
            left = self._asked.answers([*taken, *tried], quick=True)
            if left:
                found = left
                taken += tried
                vain = 0
                for o in tried:
                    out |= self._rivals(o)
                if not waiting:
                    together = min(2 * together, TOGETHER)
            elif len(tried) > 1:
                half = len(tried) // 2
                waiting += [tried[half:], tried[:half]]
                together = max(together // 2, 1)
            else:
                vain += 1
        return found[rng.randrange(len(found))] if found else None

    def _compatible(self, order: _Shuffled, out: set[int], most: int) -> list[int]:
        """The next options of the order, at most so many, that can be taken beside each other and those taken."""
        found: list[int] = []
        barred: set[int] = set()
        while len(found) < most and (o := order.next()) is not None:
            if o not in out and o not in barred:
                found.append(o)
                barred |= self._rivals(o)
        return found

    def _rivals(self, option: int) -> frozenset[int]:
        """The options that share an item that holds one option at most, the option itself included; with colours, they
        may show the same one, so none are ruled out there."""
        problem = self._problem
        found = self._barred.get(option)
        if found is None:
            shared = () if problem.colours else problem.option(option)
            items = [i for i in shared if problem.high[i] == 1]
            found = frozenset([option]).union(*(problem.holders[i] for i in items))
            self._barred[option] = found
        return found

    def _shuffled(self, rng: Random) -> Answer | None:
        asked = self._asked
        seed = rng.getrandbits(32)
        limits = Limits(answers=1, nodes=asked.nodes_left, seconds=asked.clock.left, memory=asked.limits.memory)
        run = None
        if learns(asked):
            with suppress(Unsuited):
                run = search(self._problem, limits=limits, settings=evolve(asked.settings, seed=seed, engine="clingo"))
        if run is None:
            run = search(self._problem, limits=limits, settings=evolve(asked.settings, seed=seed))
        with asked.watching(run):
            found = next(run, None)
        if found is None and run.status is not Status.EXHAUSTED:
            asked.check_limits()
            raise LimitReached(Status.LIMIT)
        return found


def _length(side: Side) -> int:
    """How many terms, or places, are looked at to check a side."""
    return len(options_of(side))


class _Shuffled:
    """The numbers from 0 to n - 1 in random order. Only those that are asked for cost anything."""

    def __init__(self, n: int, rng: Random) -> None:
        self._numbers, self._rng, self._at = list(range(n)), rng, 0

    def next(self) -> int | None:
        """The next number; None after the last."""
        numbers, at = self._numbers, self._at
        if at == len(numbers):
            return None
        other = self._rng.randrange(at, len(numbers))
        numbers[at], numbers[other] = numbers[other], numbers[at]
        self._at += 1
        return numbers[at]
