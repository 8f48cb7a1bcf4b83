"""A question to a compiled model, or a matrix (`Subject`): one or more searches with one set of limits between them.

The engine knows matrices, costs and ceilings; what "every answer" means for a model is decided here:

- with `up to`, of answers that count as one only the smallest is an answer;
- with `minimize` or `maximize`, the answers are the best ones: a first search finds the best value and proves it, a
  second lists what reaches it.

A run can be asked to stop from a signal handler or another thread, and always knows how far it came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from covr.engine import Counters, Search, Settings, Status, search
from covr.engine.checks import Checks
from covr.engine.heed import heeding
from covr.engine.jobs import threads_for_minimum
from covr.engine.minimum.symmetry import can_detect
from covr.questions.options import NEEDS, Options
from covr.questions.subject import Subject

if TYPE_CHECKING:
    from covr.compiler.lower.symmetry import Symmetry
    from covr.engine import Limits
    from covr.questions.verify import Verification, Verified

OptionNumbers = tuple[int, ...]


@frozen
class Best:
    """The best answer found.  value: the goal's value, None where the model has no goal.
    bound: what no answer beats, as far as proved.  proved: whether the value is the best there is."""

    answer: OptionNumbers
    value: int | None
    bound: int | None
    proved: bool


@frozen
class Count:
    """value: how many answers were counted, all there are when `complete`, else at least so many exist."""

    value: int
    complete: bool


@frozen
class Progress:
    """How far a run is. fraction: of the tree of the search that is going on, None where its engine doesn't know.
    nodes, answers: of all its searches.  best, bound: of a model with a goal, as far as known."""

    fraction: float | None
    nodes: int
    answers: int
    best: int | None
    bound: int | None


class Run:
    """One question being answered. Ask one of `first`, `answers`, `count`, once.

    subject: what it is about.
    status: `running`; `solved` (enough answers seen), `exhausted` (all seen), `limit` or `interrupted`.
    best: the best answer so far of a model with a goal.  file: where the run is kept, if it is (covr/runs).
    verified: with the option `verify`, how what was answered was verified; None while it is not answered.
    """

    file: str | None = None

    def __init__(self, subject: Subject, options: Options) -> None:
        self.subject = subject
        self.options = options
        self.best: Best | None = None
        self.bound: int | None = None
        self.verified: Verified | None = None
        self._verification: Verification | None = None
        self._searches: list[Search] = []
        self._checks = Checks(subject.problem)  # of what is made of answers here
        self._stop = False
        self._enough = False  # of the answers that stand for their classes
        self._limits_answers = False  # whether `limit_answers` is what limits them
        options.settings()  # so that wrong names are met before anything is searched
        options.ask(subject.goal is not None)

    # --- where it stands ---

    @property
    def status(self) -> Status:
        """The status of the last search, as far as this question goes."""
        if self._enough:
            return Status.SOLVED
        return self._searches[-1].status if self._searches else Status.RUNNING

    @property
    def complete(self) -> bool:
        """Whether every answer was seen, so that what was not seen does not exist."""
        return self.status is Status.EXHAUSTED

    @property
    def counters(self) -> Counters:
        """The work of all searches of this question."""
        every = [s.counters for s in self._searches]
        return Counters(
            nodes=sum(c.nodes for c in every),
            updates=sum(c.updates for c in every),
            answers=sum(c.answers for c in every),
        )

    @property
    def seconds(self) -> float:
        """Time spent inside the searches."""
        return sum(s.seconds for s in self._searches)

    @property
    def session_nodes(self) -> int:
        """The nodes that limits are held against."""
        return self.counters.nodes

    @property
    def reached(self) -> str | None:
        """Which limit ended the run: `time`, `nodes`, `memory` or `answers`; None where none did."""
        last, options = self._searches[-1] if self._searches else None, self.options
        if last is None or self.status not in (Status.LIMIT, Status.SOLVED):
            return None
        if self.status is Status.SOLVED:
            return "answers" if self._limits_answers else None
        if last.out_of_memory:
            return "memory"
        return "nodes" if options.limit_nodes is not None and self.session_nodes >= options.limit_nodes else "time"

    @property
    def fraction(self) -> float | None:
        """How much of the tree is done, where the search for the answers has begun and its engine can tell."""
        last = self._searches[-1] if self._searches else None
        return None if last is None or last.goal == "minimum" else last.fraction

    @property
    def engine(self) -> str:
        """Which engine answers, in words."""
        return self._searches[-1].engine if self._searches else ""

    def progress(self) -> Progress:
        """How far it is; may be asked by another thread while it runs."""
        counters = self.counters
        best, bound, last = self.best, self.bound, self._searches[-1] if self._searches else None
        if bound is None and last is not None and last.goal == "minimum" and last.bound is not None:
            bound = self.subject.value_of(last.bound)
        return Progress(
            fraction=self.fraction,
            nodes=counters.nodes,
            answers=counters.answers,
            best=None if best is None else best.value,
            bound=bound,
        )

    def interrupt(self) -> None:
        """Ask to stop; from any thread."""
        self._stop = True
        for one in self._searches:
            one.interrupt()
        if self._verification is not None:
            self._verification.interrupt()

    def spend(self, seconds: float) -> None:
        """Count what was done with an answer as time of the search, for whom limits are about both together."""
        if self._searches:
            self._searches[-1].clock.spend(seconds)

    # --- questions ---

    def first(self, improved: Callable[[Best], None] | None = None) -> OptionNumbers | None:
        """The first answer, or the best one where the model has a goal; None where none was found.

        improved: called with every better answer as it is found. Look at `complete` to tell none from unknown.
        """
        if self.subject.goal is not None:
            best = self._optimise(improved)
            self._verify_best()
            return None if best is None else best.answer
        for answer in self._search("all", answers=1):
            self._verify_number(1)
            return self._canonical(answer)
        self._verify_number(0)
        return None

    def answers(
        self, improved: Callable[[Best], None] | None = None, limit: int | None = None
    ) -> Iterator[OptionNumbers]:
        """Every answer, in the order of the search; of a model with a goal, every best one. At most `limit` of them.

        Where a limit leaves the best value unproved, only the best answer found is given, and `complete` is false.
        """
        ceiling = None
        if self.subject.goal is not None:
            best = self._optimise(improved)
            self._verify_best()
            if best is None:
                return
            if not best.proved:
                yield best.answer
                return
            ceiling = self._cost(best.answer)
        symmetry = self.subject.symmetry
        number = 0
        if symmetry is None:
            found: Iterator[OptionNumbers] = self._search("all", ceiling, self._at_most(limit))
        else:
            found = self._canonical_ones(symmetry, ceiling, self._at_most(limit))
        for answer in found:
            number += 1
            yield answer
        self._verify_number(number, ceiling)

    def count(self) -> Count:
        """How many answers there are, without listing them where that can be helped."""
        self.options.ask(self.subject.goal is not None, counting=True)
        if self.subject.symmetry is not None:
            value = sum(1 for _ in self.answers())
            return Count(value, self.complete)
        ceiling = None
        if self.subject.goal is not None:
            best = self._optimise(None)
            self._verify_best()
            if best is None:
                return Count(0, self.complete)
            if not best.proved:
                return Count(0, False)
            ceiling = self._cost(best.answer)
        value = self._search("all", ceiling, self._at_most()).count()
        self._verify_number(value, ceiling, listed=False)
        return Count(value, self.complete)

    def upto(self, limit: int | None) -> Iterator[OptionNumbers]:
        """At most so many answers."""
        return self.answers(limit=limit)

    # --- searching ---

    def _search(self, goal: str, ceiling: int | None = None, answers: int | None = None) -> Search:
        """Start a search with what is left of the limits. answers: so many are enough."""
        nodes = sum(s.counters.nodes for s in self._searches)
        limits = evolve(self.options.limits(self.seconds, nodes), answers=answers)
        started = self._shared(goal, limits)
        if started is None:
            with heeding(self._asked_to_stop):  # while it is made ready, nobody else can stop it
                settings = self._settings(goal, ceiling)
                started = search(self.subject.problem, goal=goal, limits=limits, settings=settings)
        self._searches.append(started)
        if self._stop:
            started.interrupt()
        return started

    def _asked_to_stop(self) -> Status | None:
        return Status.INTERRUPTED if self._stop else None

    def _settings(self, goal: str, ceiling: int | None) -> Settings:
        """With the group that the model declares, where the engine has nothing better."""
        settings = self.options.settings(ceiling)
        if goal == "all" and self.subject.goal is not None and self.options.engine in NEEDS:
            return evolve(settings, engine="auto")  # these know no ceiling, or no answers but the first
        if goal != "minimum" or can_detect() or self.subject.symmetry is None:
            return settings
        return evolve(settings, symmetries=self.subject.symmetry.images)

    def _shared(self, goal: str, limits: Limits) -> Search | None:
        """The search for a minimum on several threads, where more than one was asked for: which of several best answers
        is found then depends on who is first. None where one thread is to search."""
        jobs = threads_for_minimum(self.options.jobs)
        if goal != "minimum" or jobs < 2 or limits.nodes is not None or not self.subject.problem.is_pure:
            return None
        if self.options.engine not in ("auto", "cover", "mixed", "links"):
            return None
        from covr.engine.pieces.ledger import Ledger
        from covr.engine.pieces.piece import Ask
        from covr.engine.pieces.piece_search import PiecedSearch
        from covr.engine.pieces.workers import Threads

        ask = Ask("minimum", evolve(self.options.settings(), jobs=1))
        return PiecedSearch(self.subject.problem, ask, Ledger(minimum=True), Threads(jobs), limits)

    def _at_most(self, limit: int | None = None) -> int | None:
        """The lesser of the limit of a question and that of the options."""
        most = self.options.limit_answers
        self._limits_answers = most is not None and (limit is None or most < limit)
        return most if self._limits_answers else limit

    def _canonical_ones(self, symmetry: Symmetry, ceiling: int | None, limit: int | None) -> Iterator[OptionNumbers]:
        """The answers that stand for their classes."""
        if limit == 0:
            return
        for number, answer in enumerate(filter(symmetry.is_canonical, self._search("all", ceiling)), 1):
            self._enough = number == limit
            yield answer
            if self._enough:
                return

    def _optimise(self, improved: Callable[[Best], None] | None) -> Best | None:
        """Find the best answer. Sets `best` and `bound` as it goes."""
        found = self._search("minimum")
        last: OptionNumbers | None = None
        try:
            for answer in found:
                last = answer
                self.best = Best(answer, self.subject.objective(answer), None, False)
                if improved is not None:
                    improved(self.best)
        finally:
            found.halt()
        proved = found.status is Status.EXHAUSTED
        self.bound = None if found.bound is None else self.subject.value_of(found.bound)
        if last is not None:
            answer = self._canonical(last)
            self.best = Best(answer, self.subject.objective(answer), self.bound, proved)
        return self.best

    # --- verifying ---

    def _verify_number(self, value: int, ceiling: int | None = None, listed: bool = True) -> None:
        """After a search for answers: if all were seen, whether there are so many. Of one that ended before, what was
        listed was checked, and nothing is said of the rest."""
        if not self.options.verify or (self.verified is not None and not self.verified.done):
            return
        from covr.questions.verify import looked_at

        first = self._searches[-1]
        if first.status is not Status.EXHAUSTED:
            self.verified = looked_at() if value and listed else None
            return
        self.verified = self._again().number(first, value, ceiling, self.subject.symmetry)

    def _verify_best(self) -> None:
        """After a search for the best answer: if it is proved, whether that holds."""
        first = self._searches[-1]
        if not self.options.verify or first.status is not Status.EXHAUSTED:
            return
        self.verified = self._again().best(first, None if self.best is None else self._cost(self.best.answer))

    def _again(self) -> Verification:
        from covr.questions.verify import Verification

        nodes = self.session_nodes

        def left(seconds: float, more: int) -> Limits:
            return self.options.limits(self.seconds + seconds, nodes + more)

        self._verification = Verification(self.subject.problem, self.options, left)
        if self._stop:
            self._verification.interrupt()
        return self._verification

    def _canonical(self, answer: OptionNumbers) -> OptionNumbers:
        """The member of its class that stands for it, which nobody has searched for: it is checked, too."""
        symmetry = self.subject.symmetry
        if symmetry is None:
            return answer
        canonical: OptionNumbers = symmetry.canonical(answer)
        self._checks([canonical])
        return canonical

    def _cost(self, answer: OptionNumbers) -> int:
        costs = self.subject.problem.costs
        return sum(costs[o] for o in answer) if costs else 0
