"""Finds a minimum by searching in several orders that take turns, so that one unlucky order can't hold up the search.

How long a proof takes depends far more on the order of the search than on the problem, and which orders are good can't
be known beforehand. Where linear programs bound a problem well, little depends on the order; where its costs are too
large for them, an order alone may take twenty times as long as the orders together. Therefore

1. the documented order searches `PATIENCE` nodes; many questions end here;
2. then further orders are tried: first one that takes cheaper options first, then restarts with options and items in
   random order, by the seeds 1, 2, 3, …, which give the same orders as `--seed`. Each begins with a hundred nodes;
3. a round consists of `NEW` new orders, each followed by a turn of the leader, which is the order that seems nearest to
   its end; then a turn of the documented order, and `AFTER` turns of the leader. Turns grow from round to round. Orders
   that fall behind are dropped, though not the leader, so that at most `KEPT` are in memory besides the documented one.
   After `SEARCHING` rounds there is only one new order in a round: where none was lucky so far, orders differ little.

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
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from attrs import evolve

from covr.engine import witness
from covr.engine.base.limits import Limits
from covr.engine.check import cost
from covr.engine.prepare.frontier import cheapest_first
from covr.engine.problem import Problem
from covr.engine.search import Answer
from covr.engine.settings import Settings
from covr.engine.single import Prepared, prepare
from covr.engine.turns import CheapestTurns, Entrant, Method, Timetable

NEW = 3  # new orders in each of the first rounds;
SEARCHING = 5  # after this many rounds, only one in a round
AFTER = 8  # how many turns the leader has at the end of a round; it has one after each new order
GROWTH = 1.5  # the length of a round's turns, as a multiple of those of the round before
STAYING = 1.5  # how many times nearer to its end than the leader an order must seem to become the leader
KEPT = 3  # orders that stay in memory besides the documented one
NODE = 20_000  # work of a node, with its bound
LEAST_SHARE = 1e-300  # the smallest share of a tree to divide by, because the share that is done may be 0


def orders(problem: Problem, settings: Settings, brief: bool = False) -> Method:
    """The orders by turns, as one method, named by the one that found the last answer, or that proved it the best. Only
    the documented order is prepared; the others are when their turn comes. brief: whether to spend little time on the
    bound at their roots, because another search provides a better one."""
    turns = OrderTurns(problem, settings, brief)
    return Method(
        turns.naming(), turns, turns.run, turns.whole, turns.bound,
        lower=turns.lower, fraction=turns.fraction, looks=True, naming=turns.naming,
    )  # fmt: skip


class OrderTurns(CheapestTurns):
    """The orders."""

    def __init__(self, problem: Problem, settings: Settings, brief: bool) -> None:
        self.problem, self._settings, self._brief = problem, settings, brief
        pace = settings.pace.orders
        self._first = self._begin(problem, None, settings.ceiling)
        self._leading = self._first  # the order that last had a leader's turn
        self._dropped = 0.0  # the largest share of its tree that an order had done that was dropped
        self._new = self._orders()
        worth = int(pace.per_member * len(problem.members))
        turn = max(pace.begin, worth) * NODE

        def alone() -> Entrant:
            nodes = max(pace.patience, worth)
            return Entrant("documented order", lambda: self._first, nodes * NODE, "many end here")

        def new(may: Callable[[], bool] = lambda: True) -> tuple[Entrant, Entrant]:
            another = Entrant(
                "a new order", lambda: next(self._new), turn, "it may be a lucky one", may, after=self._fall_behind
            )
            return another, evolve(leader, times=1, may=may)

        leader = Entrant("the leader", self._leader, turn, "seems nearest to its end", times=AFTER)
        first = Entrant("documented order", lambda: self._first, turn, "may be nearly done")
        later = [one for _ in range(NEW - 1) for one in new(lambda: self.round <= SEARCHING)]
        rounds = (*new(), *later, first, leader)
        table = Timetable((alone(),), rounds, GROWTH)
        super().__init__(table, lambda answer: cost(problem, answer), settings.ceiling, settings.pace)
        self.worth = witness.worth(problem)

    def naming(self) -> str:
        """Which order found the last answer, or proved it the best."""
        return (self.hero or self._first).title

    def fraction(self) -> float:
        """The largest share of its tree that any order has done so far; it never decreases."""
        return max([self._dropped, *(method.fraction() or 0.0 for method in self.methods)])

    def _leader(self) -> Method:
        """The order that seems nearest to its end; the last leader, unless another seems `STAYING` times nearer."""
        nearest = min(self.methods, key=_left)
        if self._leading not in self.methods or STAYING * _left(nearest) < _left(self._leading):
            self._leading = nearest
        return self._leading

    def _orders(self) -> Iterator[Method]:
        """New orders: if costs differ, the one that takes cheaper options first; then one seed after another."""
        if self.problem.costs and len(set(self.problem.costs)) > 1:
            arranged, numbers = cheapest_first(self.problem)
            method = self._begin(arranged, None, self.ceiling)
            own, name = method.answer, f"{method.name}, cheaper options first"
            yield evolve(method, name=name, answer=lambda: _renumbered(own(), numbers))
        seed = 0
        while True:
            seed += 1
            method = self._begin(self.problem, seed, self.ceiling)
            yield evolve(method, name=f"{method.name}, restarted with seed {seed}")

    def _begin(self, problem: Problem, seed: int | None, ceiling: int | None) -> Method:
        """One order: the problem as it is given here, or shuffled by a seed."""
        engine = "links" if self._settings.engine == "auto" else self._settings.engine
        settings = evolve(self._settings, engine=engine, jobs=1, seed=seed, ceiling=ceiling)
        return evolve(prepare(problem, "minimum", settings, self._brief), node=NODE)

    def _fall_behind(self) -> None:
        """Keep the documented order and those that seem nearest to their end."""
        self.methods.sort(key=lambda one: (one is not self._first, one is not self._leading, _left(one)))
        for method in self.methods[1 + KEPT :]:
            self._dropped = max(self._dropped, method.fraction() or 0.0)
            self.drop(method)


def _left(order: Method) -> float:
    """An estimate of how many more nodes an order needs, from the share of its tree that is done."""
    done = max(order.fraction() or 0.0, LEAST_SHARE)
    return order.kernel.nodes * (1 - done) / done


def _renumbered(answer: Answer, numbers: Sequence[int]) -> Answer:
    """An answer of a problem with its options in another order. numbers: each option's number in the problem."""
    return tuple(sorted(numbers[o] for o in answer))


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> Method:
    """The orders, as an `Approach` (plan.py)."""
    return orders(problem, settings)


def with_tree(problem: Problem, goal: str, limits: Limits, settings: Settings) -> Method:
    """The orders, with linear programs beside them, as an `Approach`. So a bad order does no harm where bounds are
    tight, and a weak bound does none where an order is good."""
    return Prepared(problem, problem, goal, settings).with_tree(orders(problem, settings, brief=True))
