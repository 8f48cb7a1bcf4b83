"""Draws answers at random, and says whether every answer had the same chance.

- If all bounds are 1, 1 or 0, 1 and nothing is optimised, an answer is drawn with the memo of a count
  (engine/sampling/sample.py), without listing any other. Such answers are uniform.
- With other bounds, all answers are listed if that takes little work; else they are kept as a decision diagram, if it
  fits in memory and is built within a third of the limit of time.
- With `up to`, an answer that is drawn is kept with the probability 1 / (answers in its class), so that all classes
  have the same chance; the smallest answer of its class is returned. That takes (answers / classes) draws on average.
- Else all (best) answers, or classes, are listed and numbers among them drawn. Up to `HELD` answers are kept; if there
  are more, they are counted, and listed again up to the last one drawn.
- If a limit is reached before, each answer is the first one of a search in a shuffled order: random but not uniform,
  which the result says, and `exact` refuses. With a goal nothing is returned, because the best answers are not known.

A limit of time holds twice: for counting, and for drawing. Answers are drawn with replacement, unless they are to be
`distinct`; then every set of that many answers has the same chance.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from time import perf_counter
from typing import overload

from attrs import evolve

from covr.engine import Counters, Status, search
from covr.engine.base.limits import Deadline, LimitReached, Limits, Met, check_limits, limits_checked_by
from covr.engine.diagrams.diagram import DiagramDrawer, TooLarge
from covr.engine.sampling.sample import Drawer, suits
from covr.questions.answer import Answer
from covr.questions.options import Options
from covr.questions.run import OptionNumbers, Run, Subject

COUNTING = 60.0  # seconds within which all answers must be counted or listed, if no limit of time is given
HELD = 100_000  # the most answers that are kept in a list
NUMBERS = 2_000_000  # the most choices that all answers in that list may have together
FEW = 4  # distinct answers are drawn one by one if there are at least this many times more; else from a list
TRIES = 50  # after this many searches in a row without a new answer, no more distinct answers are looked for

QUICK = 50_000  # search nodes within which answers are listed before a diagram is tried
SHARE = 3  # a diagram may take one in so many of the seconds for counting
MEMO, DIAGRAM, LISTED, RESTARTS = "memo", "diagram", "listed", "restarts"


class Sampling(Run):
    """A question for some random answers of a model. `draw` may be called once.
    seed: of the random numbers.  uniform, method, total: as in `Sample`, known from the first answer on."""

    def __init__(self, subject: Subject, options: Options, exact: bool = False) -> None:
        """exact: return no answers at all rather than answers that are not uniform."""
        self.seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
        self._asked = options
        self._drawing = Deadline(options.limits().seconds)  # what `limit_time` covers: counting, then drawing
        self._relisted: Run | None = None
        super().__init__(subject, evolve(options.alone(), seed=None, limit_time=COUNTING))
        if options.limit_time is not None:
            # Where answers may be drawn without being counted, there must be time left to do that.
            most = options.limit_time if exact or subject.goal is not None else options.limit_time / 2
            self.options = evolve(options, seed=None, limit_time=most)
        self.exact = exact
        self.uniform: bool | None = None
        self.method: str | None = None
        self.total: int | None = None
        self._rng = random.Random(self.seed)
        self._drawer: Drawer | DiagramDrawer | None = None
        self._status = Status.RUNNING
        self._began = 0.0  # when the counting began, on the clock `perf_counter`
        self._counts = True  # whether the answers are still to be counted

    # --- where it stands ---

    @property
    def status(self) -> Status:
        return self._status

    @property
    def complete(self) -> bool:
        """Whether it is proved that there is no answer, or no further distinct one."""
        return self._status is Status.EXHAUSTED

    @property
    def counters(self) -> Counters:
        own, drawn = super().counters, self._drawer.counters if self._drawer else Counters()
        return Counters(own.nodes + drawn.nodes, own.updates + drawn.updates, own.answers)

    @property
    def seconds(self) -> float:
        return super().seconds + (self._drawer.clock.spent if self._drawer else 0.0)

    @property
    def engine(self) -> str:
        return self._drawer.name if self._drawer and not self._searches else super().engine

    def interrupt(self) -> None:
        super().interrupt()
        if self._relisted:
            self._relisted.interrupt()
        if self._drawer:
            self._drawer.interrupt()

    # --- drawing ---

    def draw(self, number: int, distinct: bool = False) -> Iterator[OptionNumbers]:
        """Yields the answers: fewer than asked for if there are not enough distinct ones, or if a limit is reached."""
        try:
            yield from islice(self._draw(number, distinct), number)
        except LimitReached as stopped:
            self._status = stopped.status
        else:
            if self._status is Status.RUNNING:
                self._status = Status.SOLVED

    def spend(self, seconds: float) -> None:
        self._drawing.spend(seconds)

    def _counting_ends(self) -> None:
        """From now on, the limit of time is the one that was asked for, of which counting took a part."""
        if self._counts:
            self._counts = False
            self._drawing.spend(perf_counter() - self._began)
            if self._asked.limit_time is not None:
                self.options = evolve(self._asked, seed=None)

    def _draw(self, number: int, distinct: bool) -> Iterator[OptionNumbers]:
        self._began = perf_counter()
        try:
            limits = self.options.limits()
            met = Met(limits)
            with limits_checked_by(self._asked_to_stop), limits_checked_by(met):
                if self.subject.goal is None and self._is_listed and suits(self.subject.problem):
                    self._drawer = drawer = Drawer(self.subject.problem, self.options.settings())
                    if self._stop:
                        drawer.interrupt()
                    drawer.clock.spend(met.clock.spent)
                    self.total = drawer.total(limits)
            if self._drawer is None and self.subject.goal is None and self._is_listed and self.subject.problem.is_pure:
                self._try_diagram()
            source, total = self._drawer, self.total
            if source and total is not None and (not distinct or number * FEW * self._members() <= total):
                self._say(MEMO if isinstance(source, Drawer) else DIAGRAM)
                yield from self._from_memo(source, distinct)
                return
            yield from self._from_list(number, distinct)
            return
        except LimitReached as stopped:
            self._counting_ends()
            if stopped.status is not Status.LIMIT or self.uniform or self.exact or self.subject.goal is not None:
                raise
        self._say(RESTARTS)
        yield from self._from_restarts(distinct)

    @property
    def _is_listed(self) -> bool:
        """Whether the group of `up to` is listed, if there is one; otherwise few draws of very many would be kept."""
        symmetry = self.subject.symmetry
        return symmetry is None or symmetry.large is None

    def _try_diagram(self) -> None:
        """Set `_drawer` and `total` if listing takes long and the diagram is small. Raises LimitReached."""
        if self.options.engine != "auto" or self.options.limit_nodes is not None:
            return
        quick = Met(evolve(self.options.limits(), seconds=(self.options.limit_time or COUNTING) / SHARE))
        try:
            with limits_checked_by(self._asked_to_stop), limits_checked_by(quick):
                found = search(self.subject.problem, limits=Limits(nodes=QUICK))
                if not all(not self._stop for _ in found) or found.status is Status.EXHAUSTED:
                    return
                drawer = DiagramDrawer(self.subject.problem, self.options.settings())
                self.total = drawer.total()
                self._drawer = drawer
        except TooLarge:
            return
        except LimitReached as stopped:
            if stopped.status is not Status.LIMIT:
                raise

    def _members(self) -> int:
        symmetry = self.subject.symmetry
        return 1 if symmetry is None else symmetry.size

    def _say(self, method: str) -> None:
        self.method, self.uniform = method, method != RESTARTS

    def _from_memo(self, drawer: Drawer | DiagramDrawer, distinct: bool) -> Iterator[OptionNumbers]:
        """Random answers without end. With `distinct`, used only if there are many times as many as are asked for."""
        symmetry = self.subject.symmetry
        if not self.total:
            self._status = Status.EXHAUSTED
            return
        given: set[OptionNumbers] = set()
        self._counting_ends()
        met = Met(self.options.limits(), self._drawing)
        while True:
            if self._stop:
                raise LimitReached(Status.INTERRUPTED)
            with self._drawing, limits_checked_by(self._asked_to_stop), limits_checked_by(met):
                check_limits()
                answer = drawer.draw(self._rng)
            if symmetry is not None:
                alike = symmetry.orbit(answer)
                if self._rng.randrange(len(alike)):
                    continue
                answer = min(alike)
                self._checks([answer])
            if distinct:
                if answer in given:
                    continue
                given.add(answer)
            yield answer

    def _from_list(self, number: int, distinct: bool) -> Iterator[OptionNumbers]:
        held: list[OptionNumbers] = []
        total = numbers = 0
        for answer in self.answers():
            total += 1
            numbers += len(answer)
            if total <= HELD and numbers <= NUMBERS:
                held.append(answer)
        self._counting_ends()
        last = self._searches[-1].status
        if last is not Status.EXHAUSTED:
            raise LimitReached(last)
        if self.subject.symmetry is None:
            self.total = total
        self._say(LISTED)
        if not total or (distinct and total < number):
            self._status = Status.EXHAUSTED
        if not total:
            return
        if distinct:
            drawn = self._rng.sample(range(total), min(number, total))
        else:
            drawn = [self._rng.randrange(total) for _ in range(number)]
        if total > len(held):
            wanted = dict.fromkeys(sorted(drawn))
            again = evolve(self.options.alone(), limit_time=self._drawing.left, limit_nodes=None)
            self._relisted = Run(self.subject, again)
            if self._stop:
                self._relisted.interrupt()
            numbered = enumerate(self._relisted.answers(limit=max(wanted) + 1))
            chosen = {at: answer for at, answer in numbered if at in wanted}
            if len(chosen) < len(wanted):
                raise LimitReached(self._relisted.status)
        else:
            chosen = dict(enumerate(held))
        for at in drawn:
            yield chosen[at]

    def _from_restarts(self, distinct: bool) -> Iterator[OptionNumbers]:
        """The first answers of shuffled searches; the limit of time holds for all together, other limits for each."""
        given: set[OptionNumbers] = set()
        vain = 0
        while True:
            shuffled = evolve(self.options, seed=self._rng.getrandbits(32)).settings()
            limits = evolve(self.options.limits(), answers=1)
            if self._drawing.most is not None:
                limits = evolve(limits, seconds=self._drawing.left)
            with limits_checked_by(self._asked_to_stop), self._drawing:
                started = search(self.subject.problem, limits=limits, settings=shuffled)
            self._searches.append(started)
            if self._stop:
                started.interrupt()
            with self._drawing:
                found = next(started, None)
            if found is None:
                raise LimitReached(started.status)
            answer = self._canonical(found)
            shown = self.subject.problem.projected(answer)
            if distinct and shown in given:
                vain += 1
                if vain == TRIES:
                    raise LimitReached(Status.LIMIT)
                continue
            vain = 0
            given.add(shown)
            yield answer


class Sample(Sequence[Answer]):
    """Answers, in the order in which they were drawn at random.
    uniform: whether every answer (with `up to`, every class) had exactly the same chance; None if nothing was drawn.
    method: `memo`, `diagram`, `listed` or `restarts`, see covr/questions/sampling.py.
    seed: draws the same answers again.
    total: how many answers there are, not yet counting any as one; None if that is not known."""

    def __init__(self, answers: Sequence[Answer], sampling: Sampling) -> None:
        self._answers = tuple(answers)
        self.uniform, self.method = sampling.uniform, sampling.method
        self.seed, self.total = sampling.seed, sampling.total

    @overload
    def __getitem__(self, at: int) -> Answer: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Answer]: ...
    def __getitem__(self, at: int | slice) -> Answer | Sequence[Answer]:
        return self._answers[at]

    def __len__(self) -> int:
        return len(self._answers)

    def __repr__(self) -> str:
        how = "uniform" if self.uniform else "not uniform"
        return f"<Sample: {len(self)} answers, {how}>"
