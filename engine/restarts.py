"""Finds a minimum where the order of the search decides: several orders take turns, so that none can get stuck.

How long a proof takes depends on the order far more than on the problem: a rota of 168 choices sat at three times its
minimum for ten minutes in the documented order, where six seeds of eight prove it in 700 nodes. Which seeds are good
can't be known beforehand. So

1. the documented order has `PATIENCE` nodes: many questions end here;
2. then come the second order, which takes cheaper options first, and restarts: options and items in random order, by
   seeds 1, 2, 3, …, the very orders of `--seed`. Each begins with a hundred nodes;
3. a round is `NEW` new orders, each followed by a turn of the order that seems nearest to its end, then a turn of the
   documented order and `AFTER` turns of the leader. Turns grow from round to round. Orders that fell behind are
   dropped, so that no more than `KEPT` lie in memory besides the documented one.

How near an order is to its end is told by the share f of its tree that is done (`fraction`): nodes · (1 - f) / f are
left. That is often wrong by much, but where the share does not grow it says more the more is spent, and others follow.

All orders share the best answer: each looks only for cheaper ones, so every answer is given once, and
whichever finishes its tree proves that there is nothing better. A lower bound from the root of any order holds
for all. All budgets count nodes, never seconds, so the same question has the same answers after the same nodes on every
machine. A limit of nodes is met exactly.

Where the best answer costs as much as a bound from a root, there is nothing to prove.

Measured by `python -m benchmarks seeds`. Tried, on 240 such problems, where this way 94 % are within twice the median
seed: the leader only at the end of a round (93 %), or three turns of it after each new order (89 %); first nodes of a
new order of 60 (91 %); to follow for some turns the order that found the last answer (93 %).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, evolve

from covr.engine.check import cost
from covr.engine.limits import Limits
from covr.engine.minimum.core import is_suited
from covr.engine.prepare.shuffle import cheapest_first
from covr.engine.problem import Problem
from covr.engine.search import LOOK, NO_LIMITS, Answer, Search
from covr.engine.settings import Settings
from covr.engine.single import begin
from covr.engine.status import Counters, Status

PATIENCE = 50  # nodes of the documented order, before anything else is tried
BEGIN = 100  # first nodes of a new order
NEW = 3  # new orders in a round
LEADS, AFTER = 1, 5  # turns of the leader: after each new order, and at the end of a round
GROWTH = 1.5  # how many times longer the turns of a round are than those of the round before
KEPT = 3  # orders in memory, besides the documented one
PER_MEMBER = 1 / 20  # nodes per member of the options: preparing an order takes as long, so budgets are at least this
LEAST_SHARE = 1e-300  # the least share of a tree to divide by, since the share that is done may be 0


@define(eq=False)
class _Restart:
    """One order of the search. numbers: per option its number in the problem; None where the numbers are the same."""

    search: Search
    name: str = ""
    numbers: Sequence[int] | None = None

    @property
    def left(self) -> float:
        """About how many more nodes it needs, judging by its share of the tree."""
        done = max(self.search.measure() or 0.0, LEAST_SHARE)
        return self.search.counters.nodes * (1 - done) / done

    def __attrs_post_init__(self) -> None:
        self.search.leave_unchecked()

    def own(self, answer: Answer) -> Answer:
        """An answer in the problem's numbers."""
        return answer if self.numbers is None else tuple(sorted(self.numbers[o] for o in answer))


class Restarts(Search):
    """A `Search` for a minimum. `engine` says which order found the last answer, or proved it the best."""

    def __init__(self, problem: Problem, limits: Limits = NO_LIMITS, settings: Settings | None = None) -> None:
        """Prepares only the documented order; the others are prepared when their turn comes."""
        settings = settings or Settings()
        super().__init__(problem, "minimum", limits, settings)
        self._ceiling = settings.ceiling
        self._first = _Restart(begin(problem, "minimum", NO_LIMITS, evolve(settings, jobs=1)))
        self._ways = [self._first]  # in memory
        self._hero = self._way = self._first  # who found or proved last; whose turn it is
        self._left = 0  # nodes of that turn that are left
        self._past = Counters()  # the work of those that were dropped
        self._answers = 0
        self._root: int | None = None  # the best bound from a root
        self._turns = self._plan()

    @property
    def engine(self) -> str:
        return self._hero.search.engine + self._hero.name

    @property
    def counters(self) -> Counters:
        """The work of all orders together."""
        every = [self._past, *(way.search.counters for way in self._ways)]
        return Counters(sum(c.nodes for c in every), sum(c.updates for c in every), self._answers)

    @property
    def bound(self) -> int | None:
        if self.status is Status.EXHAUSTED:
            return super().bound
        # An order that looked only below the best answer may have proved just that nothing is below it, and no more.
        return self._root if self._root is None or self._best is None else min(self._root, self._best)

    def count(self) -> int:
        return sum(1 for _ in self)

    def measure(self) -> float | None:
        """The largest share that an order has done of its tree; it never goes back."""
        told = max((way.search.measure() or 0.0 for way in self._ways), default=0.0)
        return max(self._fraction or 0.0, told)

    def _lower(self, ceiling: int) -> None:
        """Let all orders look only for answers of at most this cost."""
        if self._ceiling is None or ceiling < self._ceiling:
            self._ceiling = ceiling
            for way in self._ways:
                way.search.lower_ceiling(ceiling)

    # --- whose turn it is ---

    def _plan(self) -> Iterator[tuple[_Restart, int]]:
        """Whose turn it is, and for how many nodes."""
        worth = int(PER_MEMBER * len(self.problem.members))
        yield self._first, max(PATIENCE, worth)
        new = self._new()
        least = max(BEGIN, worth)
        scale = 1.0
        while True:
            budget = int(least * scale)
            for _ in range(NEW):
                way = next(new)
                self._ways.append(way)
                yield way, budget
                self._drop()
                for _ in range(LEADS):
                    yield self._leader(), budget
            yield self._first, budget
            for _ in range(AFTER):
                yield self._leader(), budget
            scale *= GROWTH

    def _leader(self) -> _Restart:
        """The order that seems nearest to its end."""
        return min(self._ways, key=lambda way: way.left)

    def _new(self) -> Iterator[_Restart]:
        """The second order, where costs differ, and then one seed after another."""
        settings = evolve(self.settings, jobs=1)
        if self.problem.costs and len(set(self.problem.costs)) > 1:
            arranged, numbers = cheapest_first(self.problem)
            begun = begin(arranged, "minimum", NO_LIMITS, evolve(settings, ceiling=self._ceiling))
            yield _Restart(begun, ", cheaper options first", numbers)
        seed = 0
        while True:
            seed += 1
            own = evolve(settings, seed=seed, ceiling=self._ceiling)
            yield _Restart(begin(self.problem, "minimum", NO_LIMITS, own), f", restarted with seed {seed}")

    def _drop(self) -> None:
        """Keep the documented order and those that seem nearest to their end."""
        others = sorted(self._ways[1:], key=lambda way: way.left)
        for way in others[KEPT:]:
            done = way.search.counters
            self._past = Counters(self._past.nodes + done.nodes, self._past.updates + done.updates)
        self._ways = [self._first, *others[:KEPT]]

    # --- searching ---

    def _advance(self, nodes: int, listing: bool = True) -> None:
        """One slice of whose turn it is, up to a better answer, and what follows from it."""
        if self._ended():
            return
        with self._heeding():
            if self.limits.nodes is not None:
                nodes = min(nodes, self.limits.nodes - self.counters.nodes)
            if self._left <= 0:
                self._way, self._left = next(self._turns)
            self._run_way(self._way, min(nodes, self._left), listing)
        if self.status is Status.RUNNING and self.counters.nodes == self.limits.nodes:
            self.status = Status.LIMIT
        if self.seconds >= self._look:
            self._look = self.seconds + LOOK
            self._fraction = self.measure()

    def _run_way(self, way: _Restart, nodes: int, listing: bool) -> None:
        """At most so many nodes of an order."""
        before = way.search.counters.nodes
        try:
            way.search._advance(nodes)
        finally:
            self._left -= way.search.counters.nodes - before
            self._take_from(way, listing)
        if way.search.status is Status.EXHAUSTED or (self._best is not None and self._best == self.bound):
            self._hero = way
            self.status = Status.EXHAUSTED
        elif self._answers == self.limits.answers:
            self.status = Status.SOLVED

    def _take_from(self, way: _Restart, listing: bool) -> None:
        """Keep what an order found, and tell the others."""
        root = way.search.bound
        if root is not None and way.search.status is not Status.EXHAUSTED:
            self._root = root if self._root is None else max(self._root, root)
        for found in way.search.waiting():
            answer = way.own(found)
            self._hero = way
            self._answers += 1
            self._keep(answer)
            self._lower(cost(self.problem, answer) - 1)
            if not listing:
                self._waiting -= len(self._found.pop())


def suits(problem: Problem, goal: str, limits: Limits, settings: Settings) -> bool:
    """Whether a question is one for several orders: a minimum that no order was asked for, outside pure covers, where
    local search has a good cover before the tree begins. Estimates given as functions know the problem as it is."""
    return (
        goal == "minimum"
        and problem.is_pure
        and settings.engine == "auto"
        and settings.seed is None
        and isinstance(settings.estimate, str)
        and not settings.interpreted
        and not is_suited(problem)
    )


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> Restarts:
    """As an `Engine` (dispatch.py)."""
    return Restarts(problem, limits, settings)
