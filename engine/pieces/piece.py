"""One piece of a long search: everything below a prefix, searched to its end or cut into smaller pieces.

A search whose end is not in sight is done in pieces, each of which takes seconds, so that what is finished can be
written down, and pieces can be shared out. How long a piece takes is not known before it was tried: a piece begins, and
looks from time to time at how much of its tree is done. One that looks like many times its *budget* of nodes is cut
there and then (split.py), so that little is spent on it; one that looks small enough goes on. Where the guess was
wrong, it is cut after `PATIENCE` budgets.

What was found in a piece that is cut is dropped, since its parts find it again; but for a minimum the best answer
stays. A count keeps a memo as long as it lives, and while the memo saves `PAYS` times the nodes that are searched, or
more, the piece is not cut at all: each part would have to find anew what all share. A count of the dominoes on 18 by
18 squares takes 4 seconds as one piece, and was not finished after 200 seconds in parts.

For a minimum everyone shares a *ceiling*: the best known cost less one. A piece that is done proves that below its
prefix nothing is cheaper than its `bound`: the best it has found or what its ceiling was in the end. Its orders take
turns as in a search of the whole (restarts.py), unless a seed asks for one of them.

Tried: to cut what looks like 6 budgets: with 17 queens one piece in 17 was cut, which cost 6 % of the time. To hand on
the unfinished path of a kernel instead of dropping it: an unfinished path leaves dozens of prefixes, most of which
take less time to search than to begin.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import Protocol

from attrs import evolve, field, frozen

from covr.engine import restarts
from covr.engine.check import cost
from covr.engine.kernel_search import KernelSearch
from covr.engine.limits import Limits
from covr.engine.minimum.symmetry import can_detect, orbit
from covr.engine.pieces.packing import pack
from covr.engine.pieces.split import Prefix, Rest, Splitter
from covr.engine.prepare.shuffle import shuffle
from covr.engine.problem import Problem
from covr.engine.search import Answer, Search
from covr.engine.settings import Settings
from covr.engine.sides import refuse_sides
from covr.engine.single import begin
from covr.engine.status import Status

ASKS = {"list": "every answer", "count": "how many there are", "minimum": "a cheapest one"}

LOOKS = 16  # a piece is first judged when its budget divided by this is spent
FAR = 12.0  # budgets: a piece that is likely to take more is cut, once a twelfth of a budget is spent on it;
DOUBT = 1.0  # before that it must be likely to take even more, since early estimates say little
PATIENCE = 12.0  # budgets after which a piece is cut in any case
# How many pieces a piece is cut into: at least, where its size is not known, at most, and at most for the first piece.
FEWEST_PARTS, PARTS, MOST_PARTS, MOST_FIRST = 8, 16, 64, 1024
PAYS = 1  # a piece is not cut while its memo saves at least so many times the nodes that are searched
SLICES = 32  # how often per budget a piece checks what the others have found
LONGEST_SLICE = 1 << 20  # nodes between two such checks, at most
FIRST_STEP = 500  # nodes between two checks of the clock, in the first piece
NO_LIMITS = Limits()


@frozen
class Ask:
    """The question asked of a problem, the same for all its pieces. It can be pickled if `keep` can.

    goal: 'list', 'count' or 'minimum'.  settings: as of a search (`ceiling` too), for one thread.
    keep: which answers count; None for all.
    """

    goal: str
    settings: Settings = field(factory=Settings)
    keep: Callable[[Answer], bool] | None = None


@frozen
class PieceBudget:
    """What a piece should take, so that it lasts about a second: nodes of search, and answers that are listed.

    far: budgets that it may take, if not `FAR`.
    """

    nodes: int
    answers: int = 50_000
    far: float | None = None


@frozen
class PieceResult:
    """The result of searching a piece. Frozen, small, and easily pickled.

    done: whether all of it was searched. Else it was cut into `children` (in documented order, with `weights`, their
    shares of it), or stopped from outside, when there are none and nothing of this is to be kept.
    count: answers, for 'list' and 'count' of a piece that is done.  answers: packed (packing.py), for 'list'.
    best, answer: for 'minimum', the cheapest that was found, if one was, whether or not the piece is done.
    bound: for 'minimum', no answer of the piece costs less; None where there is none, if it is done, or nothing is
    known, if it is not.
    nodes, updates: the work. For a piece that is cut, of the nodes that are above its children alone; `wasted` is the
    number of nodes that will be searched again.  seconds: spent on it.  engine: in words.
    """

    done: bool
    count: int = 0
    answers: bytes | None = field(default=None, repr=False)
    best: int | None = None
    answer: Answer | None = None
    bound: int | None = None
    nodes: int = 0
    updates: int = 0
    wasted: int = 0
    seconds: float = 0.0
    engine: str = ""
    children: tuple[Prefix, ...] = field(default=(), repr=False)
    weights: tuple[float, ...] = field(default=(), repr=False)

    @property
    def is_cut(self) -> bool:
        """Whether the piece was cut into smaller ones."""
        return bool(self.children)


class Watch(Protocol):
    """Watches a piece while it is searched: called every few milliseconds, in the thread that searches."""

    def goes_on(self, nodes: int, fraction: float | None) -> bool:
        """Nodes and share of the piece done so far; false stops the piece."""

    def ceiling(self) -> int | None:
        """For 'minimum': only answers of at most this cost are wanted by now."""

    def found(self, best: int, answer: Answer) -> None:
        """For 'minimum': a better answer, at once."""


class Nobody:
    """A watch that sees nothing; it keeps the best cost. For pieces that run by themselves."""

    def __init__(self, ceiling: int | None = None) -> None:
        self._ceiling = ceiling

    def goes_on(self, nodes: int, fraction: float | None) -> bool:
        return True

    def ceiling(self) -> int | None:
        return self._ceiling

    def found(self, best: int, answer: Answer) -> None:
        self._ceiling = best - 1


class Pieces:
    """A problem and a question, ready for its pieces to be searched. Threads may share it.

    Making one takes time linear in the length of the options. It pickles as the problem and the question.
    """

    def __init__(self, problem: Problem, ask: Ask) -> None:
        """problem: validated. Raises Unsuited where it has sides."""
        refuse_sides(problem, "a search in pieces, as runs in files, clusters and several processes are,")
        if ask.goal not in ASKS:
            raise ValueError(f"there is no goal `{ask.goal}`; there are {', '.join(ASKS)}")
        self.problem, self.ask = problem, ask
        self._numbers: list[int] | None = None
        searched, seed = problem, ask.settings.seed
        if seed is not None:
            searched, self._numbers = shuffle(problem, seed)
        self._settings = evolve(ask.settings, seed=None, jobs=1)
        self._splitter = Splitter(searched)

    def __reduce__(self) -> tuple[type[Pieces], tuple[Problem, Ask]]:
        return Pieces, (evolve(self.problem, item_names=(), option_names=()), self.ask)

    @property
    def feasible(self) -> bool:
        """Whether the given options leave anything to search."""
        return self._splitter.feasible

    @property
    def in_order(self) -> bool:
        """Whether the problem is searched as it is, and not shuffled."""
        return self._numbers is None

    def search(
        self, prefix: Prefix, budget: PieceBudget | None = None, watch: Watch | None = None, alone: float | None = None
    ) -> PieceResult:
        """Search a piece.

        budget: what it should take; None: it is searched to its end.  watch: who looks on.
        alone: seconds instead of a budget, after which it is cut; for the first piece, when no budget is known.
        """
        return _Work(self, prefix, budget, watch or Nobody(), alone).run()

    def own(self, answer: Answer) -> Answer:
        """An answer of the shuffled problem as one of the problem."""
        return answer if self._numbers is None else tuple(sorted(self._numbers[o] for o in answer))

    def rest(self, prefix: Prefix) -> Rest:
        """What is left of the problem below a prefix."""
        return self._splitter.rest(prefix)

    def start(self, rest: Rest, ceiling: int | None) -> Search:
        """A search of what is left below a prefix. ceiling: of the problem's costs."""
        settings = self._settings
        ceilings = [c for c in (settings.ceiling, ceiling) if c is not None]
        settings = evolve(settings, ceiling=min(ceilings) - rest.cost if ceilings else None)
        goal = "minimum" if self.ask.goal == "minimum" else "all"
        if self.in_order and restarts.suits(rest.problem, goal, NO_LIMITS, settings):
            return restarts.Restarts(rest.problem, NO_LIMITS, settings)
        return begin(rest.problem, goal, NO_LIMITS, settings)

    def cut(self, prefix: Prefix, parts: int) -> tuple[tuple[Prefix, ...], tuple[float, ...], int, int]:
        """Smaller prefixes, their weights, and the nodes and updates above them."""
        if self.ask.goal == "minimum" and self.problem.is_cover and can_detect():
            found = self._cut_symmetric(prefix)
            if len(found) > 1:
                return found, (1 / len(found),) * len(found), 1, 0
        cut = self._splitter.cut(prefix, parts)
        if cut.prefixes == (prefix,):
            return (), (), 0, 0
        return cut.prefixes, cut.weights, cut.nodes, cut.updates

    def _cut_symmetric(self, prefix: Prefix) -> tuple[Prefix, ...]:
        """The ways of one item, without those that a symmetry of what is left makes equal to one before.

        With an option goes its orbit: a cover with another one of it has an image with this one, at the same cost.
        """
        children: list[Prefix] = []
        rest = self.rest(prefix)
        problem = rest.problem
        if not problem.primary:
            return ()
        costs = problem.costs or [0] * problem.options
        options = [[i for i in problem.option(o) if i < problem.primary] for o in range(problem.options)]
        sizes = [sum(i in held for held in options) - problem.low[i] for i in range(problem.primary)]
        item = sizes.index(min(sizes))
        left = list(range(problem.options))
        excluded = set(prefix.excluded)
        while True:
            row = [o for o in left if item in options[o]]
            if len(row) < problem.low[item]:
                return tuple(children)
            children.append(Prefix((*prefix.taken, rest.numbers[row[0]]), tuple(sorted(excluded))))
            held, paid = [options[o] for o in left], [costs[o] for o in left]
            same = orbit(problem.low[: problem.primary], held, paid, left.index(row[0]))
            gone = {left[k] for k in same}
            excluded |= {rest.numbers[o] for o in gone}
            left = [o for o in left if o not in gone]


class _Work:
    """A piece being searched."""

    def __init__(
        self, pieces: Pieces, prefix: Prefix, budget: PieceBudget | None, watch: Watch, alone: float | None
    ) -> None:
        self.pieces, self.prefix, self.budget, self.watch, self.alone = pieces, prefix, budget, watch, alone
        self.started = thread_time()
        self.goal, self.keep = pieces.ask.goal, pieces.ask.keep
        self.found: list[Answer] = []
        self.count = 0
        self.best: int | None = None
        self.answer: Answer | None = None
        self.listing = self.goal != "count" or self.keep is not None
        # Answers of a plain list are renumbered once, where they come from: they may be millions.
        self.renumbered = (
            self.goal == "list" and self.keep is None and pieces.in_order and not pieces.problem.costs
            and pieces.ask.settings.engine != "reference"
        )  # fmt: skip

    def run(self) -> PieceResult:
        if not self.pieces.feasible:
            return PieceResult(True, answers=pack(()) if self.goal == "list" else None)
        self.rest = rest = self.pieces.rest(self.prefix)
        self.ceiling = self.watch.ceiling() if self.goal == "minimum" else None
        self.search = search = self.pieces.start(rest, self.ceiling)
        search.leave_unchecked()
        if not self.listing:
            search.only_count()
        elif self.renumbered:
            assert isinstance(search, KernelSearch), "a list without a goal is searched by one kernel"
            search.renumber(rest.whole)
        step = LONGEST_SLICE if self.budget is None else max(min(self.budget.nodes // SLICES, LONGEST_SLICE), 1)
        if self.alone is not None:
            step = FIRST_STEP
        more = True
        while more:
            more = search.step(step, self.listing)
            self._take()
            if not more:
                break
            nodes, fraction = search.counters.nodes, search.measure()
            if not self.watch.goes_on(nodes, fraction):
                return self._result(False)
            self._lower()
            if self._is_long(nodes, fraction):
                cut = self.pieces.cut(self.prefix, self._parts(nodes, fraction))
                if cut[0]:
                    return self._cut(*cut)
                self.budget = self.alone = None
        # Not done where whoever looks on wanted it to stop while another order was made ready.
        return self._result(search.status is Status.EXHAUSTED)

    def _take(self) -> None:
        """Take over the answers of a slice."""
        waiting = self.search.waiting()
        if self.renumbered:
            self.count += len(waiting)
            self.found += waiting
            return
        for answer in waiting:
            own = self.pieces.own(self.rest.whole(answer))
            if self.goal == "minimum":
                self._better(own)
            elif self.keep is None or self.keep(own):
                self.count += 1
                if self.goal == "list":
                    self.found.append(own)

    def _better(self, answer: Answer) -> None:
        value = cost(self.pieces.problem, answer)
        if self.best is None or value < self.best:
            self.best, self.answer = value, answer
            self.watch.found(value, answer)

    def _lower(self) -> None:
        if self.goal != "minimum":
            return
        ceiling = self.watch.ceiling()
        if ceiling is not None and (self.ceiling is None or ceiling < self.ceiling):
            self.ceiling = ceiling
            self.search.lower_ceiling(ceiling - self.rest.cost)

    def _work(self, nodes: int) -> float:
        """How many budgets are spent."""
        if self.search.spared >= PAYS * nodes > 0:
            return 0.0
        if self.alone is not None:
            return (thread_time() - self.started) / max(self.alone, 1e-9)
        if self.budget is None:
            return 0.0
        return max(nodes / self.budget.nodes, self.count / self.budget.answers if self.goal == "list" else 0)

    def _is_long(self, nodes: int, fraction: float | None) -> bool:
        work = self._work(nodes)
        if self.alone is not None or fraction is None:
            return work >= 1
        if work < 1 / LOOKS:
            return False
        whole = work / max(fraction, 1e-9)
        far = None if self.budget is None else self.budget.far
        return work >= (far or PATIENCE) or whole >= max(DOUBT / work, far or FAR)

    def _parts(self, nodes: int, fraction: float | None) -> int:
        if self.alone is not None:
            whole = self._work(nodes) / max(fraction, 1e-6) if fraction else 0.0
            return int(min(max(whole / 2, MOST_PARTS), MOST_FIRST))  # half a second each, alone being a quarter
        if fraction is None:
            return PARTS
        return int(min(max(self._work(nodes) / max(fraction, 1e-3), FEWEST_PARTS), MOST_PARTS))

    def _cut(self, children: tuple[Prefix, ...], weights: tuple[float, ...], nodes: int, updates: int) -> PieceResult:
        result = self._result(False)
        return evolve(
            result, children=children, weights=weights, nodes=nodes, updates=updates, wasted=self.search.counters.nodes
        )

    def _result(self, done: bool) -> PieceResult:
        search = self.search
        assert not done or search.status is Status.EXHAUSTED
        counters = search.counters
        count = self.count if self.listing else counters.answers
        return PieceResult(
            done,
            count=count if done and self.goal != "minimum" else 0,
            answers=pack(self.found) if done and self.goal == "list" else None,
            best=self.best,
            answer=self.answer,
            bound=self._bound(done),
            nodes=counters.nodes,
            updates=counters.updates,
            seconds=thread_time() - self.started,
            engine=search.engine,
        )

    def _bound(self, done: bool) -> int | None:
        """What is proved of the piece."""
        if self.goal != "minimum":
            return None
        known = [b for b in (self.best, None if self.ceiling is None else self.ceiling + 1) if b is not None]
        if done:
            return min(known, default=None)
        root = self.search.bound
        return None if root is None else min([root + self.rest.cost, *known])


def search_piece(
    problem: Problem, prefix: Prefix, ask: Ask, budget: PieceBudget | None = None, watch: Watch | None = None
) -> PieceResult:
    """One piece by itself. Whoever has many of one problem makes a `Pieces` once."""
    return Pieces(problem, ask).search(prefix, budget, watch)
