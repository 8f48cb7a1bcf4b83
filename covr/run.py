"""A question to a compiled model: one or more searches with one set of limits between them.

The engine knows matrices, costs and ceilings; what "every answer" means for a model is decided here:

- with `up to`, of answers that count as one only the smallest is an answer;
- with `minimize` or `maximize`, the answers are the best ones: a first search finds the best value and proves it, a
  second lists what reaches it.

A run can be asked to stop from a signal handler or another thread, and always knows how far it came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from attrs import evolve, frozen

from covr.compiler import Compiled
from covr.engine import Counters, Search, Status, search
from covr.options import Options

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

    status: `running`; `solved` (enough answers seen), `exhausted` (all seen), `limit` or `interrupted`.
    best: the best answer so far of a model with a goal.
    """

    def __init__(self, compiled: Compiled, options: Options) -> None:
        self.compiled = compiled
        self.options = options
        self.best: Best | None = None
        self.bound: int | None = None
        self._searches: list[Search] = []
        self._stop = False
        options.settings()  # so that wrong names are met before anything is searched

    # --- where it stands ---

    @property
    def status(self) -> Status:
        """The status of the last search, as far as this question goes."""
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
    def engine(self) -> str:
        """Which engine answers, in words."""
        return self._searches[-1].engine if self._searches else ""

    def progress(self) -> Progress:
        """How far it is; may be asked by another thread while it runs."""
        counters = self.counters
        best, bound, last = self.best, self.bound, self._searches[-1] if self._searches else None
        if bound is None and last is not None and last.goal == "minimum" and last.bound is not None:
            bound = self.compiled.value_of(last.bound)
        return Progress(
            fraction=None if last is None or last.goal == "minimum" else last.fraction,
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

    # --- questions ---

    def first(self, improved: Callable[[Best], None] | None = None) -> OptionNumbers | None:
        """The first answer, or the best one where the model has a goal; None where none was found.

        improved: called with every better answer as it is found. Look at `complete` to tell none from unknown.
        """
        if self.compiled.goal is not None:
            best = self._optimise(improved)
            return None if best is None else best.answer
        for answer in self._search("all", answers=1):
            return self._canonical(answer)
        return None

    def answers(
        self, improved: Callable[[Best], None] | None = None, limit: int | None = None
    ) -> Iterator[OptionNumbers]:
        """Every answer, in the order of the search; of a model with a goal, every best one. At most `limit` of them.

        Where a limit leaves the best value unproved, only the best answer found is given, and `complete` is false.
        """
        ceiling = None
        if self.compiled.goal is not None:
            best = self._optimise(improved)
            if best is None:
                return
            if not best.proved:
                yield best.answer
                return
            ceiling = self._cost(best.answer)
        symmetry = self.compiled.symmetry
        if symmetry is None:
            yield from self._search("all", ceiling, limit)
        else:
            canonical = (answer for answer in self._search("all", ceiling) if symmetry.is_canonical(answer))
            yield from islice(canonical, limit)

    def count(self) -> Count:
        """How many answers there are, without listing them where that can be helped."""
        if self.compiled.symmetry is not None:
            value = sum(1 for _ in self.answers())
            return Count(value, self.complete)
        ceiling = None
        if self.compiled.goal is not None:
            best = self._optimise(None)
            if best is None:
                return Count(0, self.complete)
            if not best.proved:
                return Count(0, False)
            ceiling = self._cost(best.answer)
        return Count(self._search("all", ceiling).count(), self.complete)

    def upto(self, limit: int | None) -> Iterator[OptionNumbers]:
        """At most so many answers."""
        return self.answers(limit=limit)

    # --- searching ---

    def _search(self, goal: str, ceiling: int | None = None, answers: int | None = None) -> Search:
        """Start a search with what is left of the limits. answers: so many are enough."""
        nodes = sum(s.counters.nodes for s in self._searches)
        started = search(
            self.compiled.problem,
            goal=goal,
            limits=evolve(self.options.limits(self.seconds, nodes), answers=answers),
            settings=self.options.settings(ceiling),
        )
        self._searches.append(started)
        if self._stop:
            started.interrupt()
        return started

    def _optimise(self, improved: Callable[[Best], None] | None) -> Best | None:
        """Find the best answer. Sets `best` and `bound` as it goes."""
        found = self._search("minimum")
        last: OptionNumbers | None = None
        for answer in found:
            last = answer
            self.best = Best(answer, self.compiled.objective(answer), None, False)
            if improved is not None:
                improved(self.best)
        proved = found.status is Status.EXHAUSTED
        self.bound = None if found.bound is None else self.compiled.value_of(found.bound)
        if last is not None:
            answer = self._canonical(last)
            self.best = Best(answer, self.compiled.objective(answer), self.bound, proved)
        return self.best

    def _canonical(self, answer: OptionNumbers) -> OptionNumbers:
        symmetry = self.compiled.symmetry
        return answer if symmetry is None else symmetry.canonical(answer)

    def _cost(self, answer: OptionNumbers) -> int:
        costs = self.compiled.problem.costs
        return sum(costs[o] for o in answer) if costs else 0
