"""Finds the first answer, or the first few: several ways of searching take turns, with growing budgets.

1. The documented order, for `PATIENCE` nodes. Most questions end here, with the documented first answer. The first
   `SOON` nodes are searched on links, which are prepared up to ten times sooner than sets. After `EARLY` nodes, the
   options that conflict with every way of meeting some item are dropped (excluded.py). If that decides all items, what
   is left is at most one answer, and the question ends. Where an answer is so deep that the documented order can hardly
   have met one by then, as in nonograms, all of this is done on links, and the engine `sides`, which prefers items at
   which it has failed, first gets one node for each item that asks for something. For most nonograms that is enough.
2. Restarts: options and items in random order, by the seeds 1, 2, 3, …, some hundred nodes each. For some problems the
   order of the items decides everything: 100 queens and Langford's problem for 40 numbers take a million times longer
   in one order than in another, and every second random order is a good one.
3. A solver that learns clauses (sat.py), if python-sat is installed. It is good at problems that are solved by
   propagation, such as 25×25 sudoku.

If there are side conditions (sides.py), or if only some options tell answers apart, the turns are shorter. The solver
is left out where a total would take too many clauses. Measured: magic squares of side 6 and 8 are found by most seeds
within 5000 nodes, but not within 50 000 in the documented order.

2 and 3 search only what the given options leave. That is often much smaller than the whole, and so quickly prepared.
From then on, 2, 3 and the documented order take turns. The first to finish its search proves that there is no other
answer. An answer that is found twice is returned once. All budgets count nodes and conflicts, never seconds, so that
the same question has the same answers on every machine, provided that python-sat is installed on both or on neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import evolve

from covr.engine.base.extras import Unsuited
from covr.engine.base.heed import heeded, look
from covr.engine.base.limits import Limits
from covr.engine.base.status import Counters, Status
from covr.engine.problem import Problem
from covr.engine.search import Answer, Search
from covr.engine.settings import Settings
from covr.engine.single import begin

if TYPE_CHECKING:
    from covr.engine.outside.sat import SatSearch
    from covr.engine.pieces.split import Rest

FEW = 2  # answers: a question for more than this many does not use a portfolio
SOON = 200  # nodes that are searched on links before sets are prepared
DEEP = 2  # an answer is deep if so many times as many items ask for options as there are nodes in EARLY
EARLY = 500  # nodes that the documented order searches before it is looked whether dropping options decides all
PATIENCE = 10_000  # nodes that the documented order searches before anything else is tried
RESTART = 500  # nodes of the first restart
RESTARTS = 8  # restarts before the solver is first tried, and in each round after that
TURN = 20_000  # nodes of the first turn in the rounds; for the solver a tenth as many conflicts
SLOW = 10  # how many times longer a node takes if there are sides; budgets are divided by it
LARGE = 2500  # options: from this many on, short searches use links, which are prepared much sooner than sets


class Portfolio(Search):
    """A `Search` for few answers. `engine` names the way of searching that found the last one, or that proved that
    there is no other."""

    def __init__(self, problem: Problem, limits: Limits, settings: Settings) -> None:
        """Prepares only the documented order; the other ways are prepared when their turn comes."""
        super().__init__(problem, "all", limits, settings)
        quick = "links" if problem.options > LARGE and problem.is_pure else "auto"
        self._settings = evolve(settings, engine=quick, jobs=1)
        # The answers that one way finds all differ, so no way needs to find more than the question asks for.
        self._enough = Limits(answers=limits.answers)
        soon = evolve(self._settings, engine="links") if problem.is_pure else self._settings
        self._first = begin(problem, "all", self._enough, soon)
        self._last: Search = self._first
        self._rest: Rest | None = None
        self._sat: SatSearch | None = None
        self._past = Counters()
        self._seen: dict[Answer, None] = {}  # what tells the answers found so far apart
        self._turns = self._plan()

    @property
    def engine(self) -> str:
        seed = self._last.settings.seed
        return self._last.engine + ("" if seed is None else f", restarted with seed {seed}")

    @property
    def counters(self) -> Counters:
        """The work of all ways together."""
        own = {id(s): s.counters for s in (self._first, self._last, self._sat) if s is not None}
        every = [self._past, *own.values()]
        return Counters(sum(c.nodes for c in every), sum(c.updates for c in every), len(self._seen))

    def count(self) -> int:
        return sum(1 for _ in self)

    def _plan(self) -> Iterator[tuple[Search, int]]:
        """Whose turn it is, and for how many nodes."""
        pure = self.problem.is_pure
        slow = 1 if pure else SLOW
        depth = 0 if pure else _depth(self.problem)
        if pure:
            yield from self._early()
        yield self._first, max(PATIENCE // slow, 2 * depth) - (EARLY if pure else 0)
        from covr.engine.outside import sat
        from covr.engine.pieces.split import Prefix, Splitter

        splitter = Splitter(self.problem) if self.problem.given and pure else None
        if splitter is not None and splitter.feasible:
            self._rest = splitter.rest(Prefix())
        problem = self.problem if self._rest is None else self._rest.problem
        able = sat.INSTALLED and sat.can_encode(problem)
        seed, scale = 0, 1
        while True:
            for _ in range(RESTARTS):
                seed += 1
                settings = evolve(self._settings, seed=seed)
                yield begin(problem, "all", self._enough, settings), max(RESTART, depth) * scale
            if able and self._sat is None:
                able = self._encode(problem)
            if self._sat is not None:
                yield self._sat, TURN // 10 * scale
            yield self._first, max(TURN // slow, depth) * scale
            scale *= 2

    def _early(self) -> Iterator[tuple[Search, int]]:
        """The first turns for a pure problem, at the end of which `_first` is the search that goes on."""
        changes = self._settings.engine != "links"
        deep = DEEP * self.problem.primary > EARLY
        yield self._first, EARLY if deep or not changes else SOON
        if deep:
            yield from self._weighed()
            yield from self._decided()
        if changes:
            for done in dict.fromkeys((self._first, self._last)):
                self._past = _sum(self._past, done.counters)
            self._last = self._first = begin(self.problem, "all", self._enough, self._settings)
        if not deep:
            if changes:
                yield self._first, EARLY
            yield from self._decided()

    def _weighed(self) -> Iterator[tuple[Search, int]]:
        """The search that weighs items by dead ends, for as many nodes as an answer is deep."""
        if self.problem.options <= LARGE:
            settings = evolve(self._settings, engine="sides")
            yield begin(self.problem, "all", self._enough, settings), self.problem.primary + 1

    def _decided(self) -> Iterator[tuple[Search, int]]:
        """The search of what is left without options that no answer takes, if that is one answer at most."""
        from covr.engine.pieces.split import Prefix, Splitter
        from covr.engine.prepare.excluded import decides, excluded

        problem = self.problem
        dead = excluded(problem)
        if dead is None:
            dead = tuple(sorted(set(range(problem.options)).difference(problem.given)))
        elif not dead or not decides(problem, dead):
            return
        splitter = Splitter(problem)
        if splitter.feasible:
            self._rest = splitter.rest(Prefix((), dead))
            left = self._rest.problem
            yield begin(left, "all", self._enough, self._settings), left.options + left.primary + 1
            self._rest = None

    def _encode(self, problem: Problem) -> bool:
        """Prepare the solver; returns False if a total would take too many clauses."""
        from covr.engine.outside import sat

        try:
            self._sat = sat.SatSearch(problem, self._enough)
        except Unsuited:
            return False
        for answer in self._seen:
            self._bar(answer)
        return True

    def _bar(self, answer: Answer) -> None:
        """Keep the solver from finding this answer again."""
        if self._sat is not None:
            self._sat.bar(answer if self._rest is None else self._rest.part(answer))

    def _advance(self, nodes: int, listing: bool = True) -> None:
        if self._ended():
            return
        with self._heeding():
            self._turn()

    def _turn(self) -> None:
        """Give one way of searching its turn, in slices so short that the clock can be checked between them."""
        way, nodes = next(self._turns)
        way.leave_unchecked()
        if self._last not in (self._first, self._sat, way):
            self._past = _sum(self._past, self._last.counters)
        self._last = way
        end = way.counters.nodes + nodes
        while way.counters.nodes < end and way.status is Status.RUNNING:
            look()
            way.step(min(end - way.counters.nodes, TURN))
            for found in way.waiting():
                answer = found if way is self._first or self._rest is None else self._rest.whole(found)
                told = self.problem.part_told(answer)
                if told not in self._seen:
                    self._seen[told] = None
                    if way is not self._sat:
                        self._bar(answer)
                    self._keep(answer)
                    if len(self._seen) == self.limits.answers:
                        self.status = Status.SOLVED
                        return
        if way.status is Status.EXHAUSTED:
            self.status = Status.EXHAUSTED


def _sum(past: Counters, done: Counters) -> Counters:
    """Work done so far, and that of a way that is left."""
    return Counters(past.nodes + done.nodes, past.updates + done.updates)


def _depth(problem: Problem) -> int:
    """Roughly how many nodes deep an answer lies where every open option is decided one by one. Linear time."""
    primary = problem.primary
    loose = sum(not run or run[0] >= primary for run in map(problem.option, heeded(range(problem.options))))
    return primary + loose


def suits(problem: Problem, goal: str, limits: Limits, settings: Settings) -> bool:
    """Whether a portfolio may answer the question: only a few answers are wanted, and the settings fix nothing else."""
    return (
        goal == "all"
        and limits.answers is not None
        and limits.answers <= FEW
        and limits.nodes is None
        and settings.engine == "auto"
        and settings.seed is None
        and settings.ceiling is None
        and not settings.interpreted
    )


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> Portfolio:
    """Starts the search, in the form that an `Engine` (dispatch.py) needs."""
    return Portfolio(problem, limits, settings)
