"""Finds a minimum by searching in several orders that take turns, so that one unlucky order can't hold up the search.

How long a proof takes depends far more on the order of the search than on the problem. One rota of 168 choices stayed
at three times its minimum for ten minutes in the documented order, while six of eight seeds prove the minimum within
700 nodes. Which seeds are good can't be known beforehand. Therefore

1. the documented order searches `PATIENCE` nodes; many questions end here;
2. then further orders are tried: first one that takes cheaper options first, then restarts with options and items in
   random order, by the seeds 1, 2, 3, …, which give the same orders as `--seed`. Each begins with a hundred nodes;
3. a round consists of `NEW` new orders, each followed by a turn of the leader, which is the order that seems nearest to
   its end; then a turn of the documented order, and `AFTER` turns of the leader. Turns grow from round to round. Orders
   that fall behind are dropped, though not the leader, so that at most `KEPT` are in memory besides the documented one.
   After `SEARCHING` rounds there is only one new order in a round: fifteen have been tried by then, and where none was
   lucky, the orders hardly differ and each new one is lost time.

How near an order is to its end is estimated from the share f of its tree that is done (`fraction`): nodes · (1 - f) / f
nodes are left. This is often far off; but for an order whose share does not grow, the estimate rises with every node
that it spends, until another order becomes the leader. At the beginning of a tree the estimate is too low, so a new
order would often take the lead from one that is just as good; the leader therefore stays until another seems `STAYING`
times nearer.

All orders share the best answer. Each looks only for cheaper ones, so no answer is returned twice, and the first order
to finish its tree proves that nothing is better. A lower bound from the root of one order holds for all of them. All
budgets count nodes, never seconds, so that the same question has the same answers after the same number of nodes on
every machine. A limit of nodes is kept exactly.

If the best answer costs as much as a bound from some root, it is proved the best, and the search ends.

Measured by `python -m benchmarks seeds` on 240 such problems: 94 % of them need at most twice as much as with their
median seed. Alternatives did no better: turns of the leader only at the end of a round (93 %); three turns of the
leader after each new order (89 %); 60 first nodes for a new order (91 %); some turns for the order that found the last
answer (93 %).

The later rounds were chosen on largest independent sets of random graphs, where every order has about the same tree.
Geometric means over 24 of them, as multiples of the median seed's nodes, and how many were within twice: 1.48 and 20
with three new orders in every round, five turns of the leader at its end and no `STAYING`; 1.14 and 23 now. On 240 of
the problems of `seeds` the mean stays the same, on 49 that take more than 20 000 nodes it falls by 7 %.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, evolve

from covr.engine.base.limits import Limits
from covr.engine.base.status import Counters, Status
from covr.engine.check import cost
from covr.engine.minimum.core import is_suited
from covr.engine.prepare.shuffle import cheapest_first
from covr.engine.problem import Problem
from covr.engine.search import LOOK, NO_LIMITS, Answer, Search
from covr.engine.settings import Settings
from covr.engine.single import begin

PATIENCE = 50  # nodes that the documented order searches before anything else is tried
BEGIN = 100  # nodes of a new order's first turn
NEW = 3  # new orders in each of the first rounds;
SEARCHING = 5  # after this many rounds, only one in a round
LEADS, AFTER = 1, 8  # how many turns the leader has after each new order, and at the end of a round
GROWTH = 1.5  # the length of a round's turns, as a multiple of those of the round before
STAYING = 1.5  # how many times nearer to its end than the leader an order must seem to become the leader
KEPT = 3  # orders that stay in memory besides the documented one
PER_MEMBER = 1 / 20  # nodes per member of an option: preparing an order takes as long, so no turn is shorter
LEAST_SHARE = 1e-300  # the smallest share of a tree to divide by, because the share that is done may be 0


@define(eq=False)
class _Restart:
    """One order of the search. numbers: for each of its options, the number in the problem; None if all are the
    same."""

    search: Search
    name: str = ""
    numbers: Sequence[int] | None = None

    @property
    def left(self) -> float:
        """An estimate of how many more nodes this order needs, from the share of its tree that is done."""
        done = max(self.search.measure() or 0.0, LEAST_SHARE)
        return self.search.counters.nodes * (1 - done) / done

    def __attrs_post_init__(self) -> None:
        self.search.leave_unchecked()

    def own(self, answer: Answer) -> Answer:
        """An answer in the problem's numbers."""
        return answer if self.numbers is None else tuple(sorted(self.numbers[o] for o in answer))


class Restarts(Search):
    """A `Search` for a minimum. `engine` names the order that found the last answer, or that proved it the best."""

    def __init__(
        self, problem: Problem, limits: Limits = NO_LIMITS, settings: Settings | None = None, brief: bool = False
    ) -> None:
        """Prepares only the documented order; the others are prepared when their turn comes. brief: whether to spend
        little time on the bound at their roots, because another search provides a better one."""
        settings = settings or Settings()
        super().__init__(problem, "minimum", limits, settings)
        self._brief = brief
        self._ceiling = settings.ceiling
        self._first = _Restart(self._begin(problem))
        self._ways = [self._first]  # in memory
        self._leading = self._first  # the order that last had a leader's turn
        self._hero = self._way = self._first  # the order that last found or proved something; the one whose turn it is
        self._left = 0  # nodes left in that turn
        self._past = Counters()  # the work of the orders that were dropped
        self._dropped = 0.0  # the largest share of its tree that one of them had done
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
        # An order that looked only for answers below the best one may have proved a bound that is above the best.
        return self._root if self._root is None or self._best is None else min(self._root, self._best)

    def count(self) -> int:
        return sum(1 for _ in self)

    def measure(self) -> float | None:
        """The largest share of its tree that any order has done so far; it never decreases."""
        return max(self._dropped, *(way.search.measure() or 0.0 for way in self._ways))

    def _lower(self, ceiling: int) -> None:
        """Let all orders look only for answers of at most this cost from now on."""
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
        scale, rounds = 1.0, 0
        while True:
            budget = int(least * scale)
            rounds += 1
            for _ in range(NEW if rounds <= SEARCHING else 1):
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
        """The order that seems nearest to its end; the last leader, unless another seems `STAYING` times nearer."""
        nearest = min(self._ways, key=lambda way: way.left)
        if self._leading not in self._ways or STAYING * nearest.left < self._leading.left:
            self._leading = nearest
        return self._leading

    def _new(self) -> Iterator[_Restart]:
        """New orders: if costs differ, the one that takes cheaper options first; then one seed after another."""
        if self.problem.costs and len(set(self.problem.costs)) > 1:
            arranged, numbers = cheapest_first(self.problem)
            yield _Restart(self._begin(arranged), ", cheaper options first", numbers)
        seed = 0
        while True:
            seed += 1
            yield _Restart(self._begin(self.problem, seed), f", restarted with seed {seed}")

    def _begin(self, problem: Problem, seed: int | None = None) -> Search:
        """One order: the problem as it is given here, or shuffled by a seed."""
        engine = "links" if self.settings.engine == "auto" else self.settings.engine
        settings = evolve(self.settings, engine=engine, jobs=1, seed=seed, ceiling=self._ceiling)
        return begin(problem, "minimum", NO_LIMITS, settings, self._brief)

    def _drop(self) -> None:
        """Keep the documented order and those that seem nearest to their end."""
        others = sorted(self._ways[1:], key=lambda way: (way is not self._leading, way.left))
        for way in others[KEPT:]:
            self._dropped = max(self._dropped, way.search.measure() or 0.0)
            done = way.search.counters
            self._past = Counters(self._past.nodes + done.nodes, self._past.updates + done.updates)
        self._ways = [self._first, *others[:KEPT]]

    # --- searching ---

    def _advance(self, nodes: int, listing: bool = True) -> None:
        """Search one slice in the order whose turn it is, at most up to a better answer, and set the status."""
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
        """Search at most this many nodes in this order."""
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
        """Keep the answers that an order found, and lower the ceiling of the others."""
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
    """Whether a question is searched in several orders: a minimum for which no order was asked. Pure covers are left
    out, because local search finds a good cover before the tree begins, and so are estimates given as functions,
    because they are written for the numbers of the original problem."""
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
    """Starts the search, in the form that an `Engine` (dispatch.py) needs."""
    return Restarts(problem, limits, settings)
