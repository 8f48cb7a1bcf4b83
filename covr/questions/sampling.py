"""Answers drawn at random, and whether every answer had the same chance.

- Where bounds are 1, 1 or 0, 1 and nothing is optimised, an answer is drawn through the memo of a count
  (engine/sample.py), without listing any other: uniform.
- With `up to`, classes are to have the same chance. An answer drawn is kept with the chance 1 / (answers of its class),
  else another one is drawn; what is given is the smallest of its class, the one that `covr solve` lists. On the average
  (answers / classes) are drawn for one, at most as many as the group has members.
- Everywhere else, and for most of the best answers of a model with a goal, all answers are listed, and numbers are
  drawn: uniform too. Up to `HELD` answers are held; of more they are counted, and listed again up to the last drawn.
- A limit of time that was asked for holds twice: for counting, and once more for drawing; what was drawn by then is
  given.
- Where a limit comes before all answers are counted or listed, a search in an order shuffled anew by the seed gives
  its first answer, one for each. These are random, but not uniform: an answer in a small branch of the tree, or with
  few dead ends around it, comes up more often. It is said, and `exact` refuses instead. Of a model with a goal
  nothing is given then, since the best answers are not known.

Answers are drawn with replacement, or `distinct`: every set of so many answers has the same chance then.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, overload

from attrs import evolve

from covr.engine import Counters, Status, check, search
from covr.engine.deadline import Deadline
from covr.engine.heed import Met, Stopped, heeding, look
from covr.engine.sample import Drawer, suits
from covr.questions.answer import Answer
from covr.questions.options import Options
from covr.questions.run import OptionNumbers, Run
from covr.questions.subject import Subject

if TYPE_CHECKING:
    from covr.compiler.lower.symmetry import Symmetry

COUNTING = 60.0  # seconds until all answers are counted or listed, where no limit is given
HELD = 100_000  # answers that are kept in a list, at most,
NUMBERS = 2_000_000  # and choices in all of them together, at most
FEW = 4  # distinct answers are drawn one by one if there are at least so many times as many, else from a list
TRIES = 50  # searches in a row that find no new answer, after which distinct answers are no longer looked for

MEMO, LISTED, RESTARTS = "memo", "listed", "restarts"


def orbit(symmetry: Symmetry, answer: Sequence[int]) -> set[OptionNumbers]:
    """The class of an answer: the answers that the group carries it to, itself included."""
    found = {tuple(sorted(answer))}
    for image in symmetry.images:
        other = tuple(sorted([image[o] for o in answer]))
        if other not in found and (symmetry.faithful or _is_answer(symmetry, other)):
            found.add(other)
    return found


def _is_answer(symmetry: Symmetry, options: OptionNumbers) -> bool:
    return not options or (options[0] >= 0 and check(symmetry.problem, options) is None)


class Sampling(Run):
    """A question to a model: some of its answers at random. `draw` them, once.

    seed: of the random numbers.  uniform, method, total: how they are drawn, from how many, once the first is there;
    `total` counts before `up to`, None where it is not known.
    """

    def __init__(self, subject: Subject, options: Options, exact: bool = False) -> None:
        """exact: give no answers at all rather than answers that are not uniform."""
        self.seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
        limit = COUNTING if options.limit_time is None else options.limit_time
        self._drawing = Deadline(options.limit_time)  # runs while an answer is drawn
        self._relisted: Run | None = None
        super().__init__(subject, evolve(options, seed=None, limit_time=limit))
        self.exact = exact
        self.uniform: bool | None = None
        self.method: str | None = None
        self.total: int | None = None
        self._rng = random.Random(self.seed)
        self._drawer: Drawer | None = None
        self._status = Status.RUNNING

    # --- where it stands ---

    @property
    def status(self) -> Status:
        return self._status

    @property
    def complete(self) -> bool:
        """Whether it is proved that there is no answer, or that no further one is distinct."""
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
        """The answers, one after another; fewer than asked for if there are not enough distinct ones, or at a limit."""
        try:
            yield from islice(self._draw(number, distinct), number)
        except Stopped as stopped:
            self._status = stopped.status
        else:
            if self._status is Status.RUNNING:
                self._status = Status.SOLVED

    def _draw(self, number: int, distinct: bool) -> Iterator[OptionNumbers]:
        try:
            limits = self.options.limits()
            met = Met(limits)
            with heeding(self._asked_to_stop), heeding(met):
                if self.subject.goal is None and suits(self.subject.problem):
                    self._drawer = Drawer(self.subject.problem, self.options.settings())
                    if self._stop:
                        self._drawer.interrupt()
                    self._drawer.clock.spend(met.clock.spent)
                    self.total = self._drawer.total(limits)
            drawer, total = self._drawer, self.total
            if drawer and total is not None and (not distinct or number * FEW * self._members() <= total):
                self._say(MEMO)
                yield from self._from_memo(drawer, distinct)
                return
            yield from self._from_list(number, distinct)
            return
        except Stopped as stopped:
            if stopped.status is not Status.LIMIT or self.uniform or self.exact or self.subject.goal is not None:
                raise
        self._say(RESTARTS)
        yield from self._from_restarts(distinct)

    def _members(self) -> int:
        symmetry = self.subject.symmetry
        return 1 if symmetry is None else symmetry.size

    def _say(self, method: str) -> None:
        self.method, self.uniform = method, method != RESTARTS

    def _from_memo(self, drawer: Drawer, distinct: bool) -> Iterator[OptionNumbers]:
        """Random answers without end; with `distinct` only where there are many times more than are asked for."""
        symmetry = self.subject.symmetry
        if not self.total:
            self._status = Status.EXHAUSTED
            return
        given: set[OptionNumbers] = set()
        met = Met(self.options.limits(), self._drawing)
        while True:
            if self._stop:
                raise Stopped(Status.INTERRUPTED)
            with self._drawing, heeding(self._asked_to_stop), heeding(met):
                look()
                answer = drawer.draw(self._rng)
            if symmetry is not None:
                alike = orbit(symmetry, answer)
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
        last = self._searches[-1].status
        if last is not Status.EXHAUSTED:
            raise Stopped(last)
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
            self._relisted = Run(self.subject, evolve(self.options, limit_time=self._drawing.most, limit_nodes=None))
            if self._stop:
                self._relisted.interrupt()
            numbered = enumerate(self._relisted.answers(limit=max(wanted) + 1))
            chosen = {at: answer for at, answer in numbered if at in wanted}
            if len(chosen) < len(wanted):
                raise Stopped(self._relisted.status)
        else:
            chosen = dict(enumerate(held))
        for at in drawn:
            yield chosen[at]

    def _from_restarts(self, distinct: bool) -> Iterator[OptionNumbers]:
        """The first answer of one shuffled search after another; a limit of time holds for all of them, others for
        each."""
        given: set[OptionNumbers] = set()
        vain = 0
        while True:
            shuffled = evolve(self.options, seed=self._rng.getrandbits(32)).settings()
            limits = evolve(self.options.limits(), answers=1)
            if self._drawing.most is not None:
                limits = evolve(limits, seconds=self._drawing.left)
            with heeding(self._asked_to_stop), self._drawing:
                started = search(self.subject.problem, limits=limits, settings=shuffled)
            self._searches.append(started)
            if self._stop:
                started.interrupt()
            with self._drawing:
                found = next(started, None)
            if found is None:
                raise Stopped(started.status)
            answer = self._canonical(found)
            if distinct and answer in given:
                vain += 1
                if vain == TRIES:
                    raise Stopped(Status.LIMIT)
                continue
            vain = 0
            given.add(answer)
            yield answer


class Sample(Sequence[Answer]):
    """Answers drawn at random. A sequence of them, in the order they were drawn.

    uniform: whether every answer (class, where the model says `up to`) had exactly the same chance; None where nothing
    was drawn.  method: `memo`, `listed` or `restarts`, see covr/sampling.py.  seed: draws the same again.
    total: how many answers there are, before any count as one; None where that is not known.
    """

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
