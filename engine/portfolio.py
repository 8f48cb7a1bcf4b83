"""Finds the first answer, or the first few: several ways of searching take turns, with growing budgets.

1. The documented order, for `patience` nodes (`FirstPace`): most questions end here, with the documented first answer.
   It begins on links, which are prepared ten times sooner than sets. Where many items ask for options, an answer is too
   deep to be met early, and the engine `sides`, which prefers items at which it has failed, has some nodes, too.
2. A walk among packings (_packing_walk.py) where there are many options and nothing but exact covers: once quickly, and
   from then on annealing.
3. clingo (clingo.py), which learns from bounds and totals. It comes first where totals have so many terms that nothing
   else is prepared as soon, and has most of the time where places or lines are to hang together.
4. Restarts: options and items in random order, by the seeds 1, 2, 3, …, some hundred nodes each. Where clingo is
   missing, they are what finds Langford's problem for 40 numbers.

Under a ceiling for the costs, as where best answers are listed, only links, clingo and restarts have turns. All but the
documented order search only what the given options leave. The first to finish proves that there is no other answer; an
answer that is found twice is returned once. Budgets count nodes and conflicts, never seconds, so that the same question
has the same answers on every machine, provided that clingo is installed on both or on neither.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import Limits, with_limit_checks
from covr.engine.kernels.loading import load
from covr.engine.prepare.masks import speed
from covr.engine.problem import Problem, Total, only_totals
from covr.engine.search import Answer, SearchKernel
from covr.engine.settings import Settings
from covr.engine.single import prepare
from covr.engine.turns import Entrant, Method, Timetable, Turns
from covr.frozen import evolve

if TYPE_CHECKING:
    from covr.engine.outside.clingo import ClingoSearch
    from covr.engine.pieces.split import Rest

WALK = "walk among packings"  # the name of its row
ANNEALED = "annealed packings"  # the name of its row
CLINGO = "clingo"  # the name of its row
EARLY = 500  # nodes on links before sets are prepared, which takes ten times as long as to prepare links
QUICK = 3  # times as many nodes of exact covers on sets: these are the quickest there are
NODE = 5000  # work of a node; with sides, SLOW times as much
SLOW = 10  # a conflict of clingo is as much work as a node with sides
HEAVY = 15_000  # terms in all totals: from so many on, clingo has its first turn before the documented order
DEALT = 1000  # the same where most of them are in totals of options that share an item, and something hangs together
SAMPLED = 8  # one in so many sides is asked whether it deals out the options of an item
WALKED = 4  # steps of the walk for each item to be covered, in its first turn
ENTRY = 5  # work of an entry that the walk looks at
COOLED = 128  # options for each of the steps at a temperature, at first
LEVELS = 2660  # temperatures of a cooling (_packing_walk.py)
OFTEN = 16  # coolings in a turn, which is then about as long as that of clingo
LARGE = 2500  # options: from this many on, short searches use links, which are prepared much sooner than sets


def first_answers(problem: Problem, goal: str, limits: Limits, settings: Settings) -> Method:
    """The ways by turns, as an `Approach` (plan.py). Its name is that of the way that found the last answer, or that
    proved that there is no other. Only the documented order is prepared; the other ways are when their turn comes."""
    turns = FirstAnswerPortfolio(problem, settings)
    return Method("", turns, turns.run, turns.whole, looks=True, naming=turns.naming, works=lambda: turns.work)


class FirstAnswerPortfolio(Turns):
    """The ways of searching, and the answers that they found."""

    def __init__(self, problem: Problem, settings: Settings) -> None:
        self.problem = problem
        self._times = settings.pace.first
        self._capped = settings.ceiling is not None  # sets, clauses and the walk know nothing of costs
        quick = "links" if problem.is_pure and (problem.options > LARGE or self._capped) else "auto"
        self._settings = evolve(settings, engine=quick, jobs=1)
        self._slow, self._deep = (1, 0) if problem.is_pure else (SLOW, _depth(problem))
        self._node = NODE * self._slow
        # Long totals take so long to prepare for the documented order that clingo has the first turn.
        self._heavy = self._is_heavy()
        self._first = None if self._heavy else self._begin(problem, "links" if problem.is_pure else quick)
        # Each of these is made once, when it is needed.
        self._anew, self._left = cache(self._on_sets), cache(self._rest)
        self._rules = cache(self._by_clingo)
        self._packed, self._cooled = cache(self._walk), cache(self._heated)
        self._answer: Answer = ()
        self._seen: dict[Answer, None] = {}  # what tells the answers found so far apart
        self._learners: dict[Method, ClingoSearch] = {}
        self._seeds = iter(range(1, 1 << 62))
        super().__init__(Timetable((*self._early(), *self._patient()), self._late(), 2), settings.pace)

    def whole(self) -> Answer:
        """The last answer."""
        return self._answer

    def answer(self) -> list[int]:
        """The last answer; see `whole`."""
        return list(self._answer)

    def naming(self) -> str:
        """Which way found the last answer, or has the turn."""
        method = self.now or self._first
        return CLINGO if method is None else method.title

    def take(self, method: Method) -> bool:
        answer = method.answer()
        projected = self.problem.projected(answer)
        if projected in self._seen:
            return False
        self._seen[projected] = None
        self._answer = answer
        self._answers += 1
        self._bar(answer, method)
        return True

    # --- the table ---

    def _early(self) -> Iterator[Entrant]:
        """The first turns for a pure problem."""
        problem = self.problem
        if problem.is_pure:
            yield Entrant("documented order, on links", self._documented, EARLY * NODE, "ends most questions")
            if 2 * problem.primary > EARLY and problem.options <= LARGE:
                nodes = problem.primary + 1
                yield Entrant("items weighed by dead ends", self._weighed, nodes * NODE, "solves most nonograms")

    def _patient(self) -> Iterator[Entrant]:
        """The documented order, before anything else is tried."""
        problem = self.problem
        if self._heavy:
            yield self._ruled()
            return
        times = self._times
        nodes = max(times.patience // self._slow, 2 * self._deep)
        if self._hangs:
            nodes = min(times.patience // self._slow, max(times.before // max(problem.options, 1), times.fewest))
        sets = problem.is_pure and self._settings.engine != "links"

        def work() -> int:
            return nodes * self._node * (QUICK if sets and problem.is_exact else 1)

        order = self._anew if sets else self._documented
        yield Entrant("documented order", order, work, "its first answer is the documented one")
        if self._may_walk:
            yield Entrant(WALK, self._packed, self._walked, "1000 queens: a step for each row and column")
        yield self._ruled()
        if self._may_walk:
            yield self._annealing()

    def _late(self) -> tuple[Entrant, ...]:
        """The rounds."""
        depth, node, times = self._deep, self._node, self._times
        again = Entrant(
            "restarts in random order", self._restarted, max(times.restart, depth) * node,
            "every second one may be a million times quicker: 100 queens, Langford 40", times=times.restarts,
            after=lambda: self.drop(self.now) if self.now is not None else None,
        )  # fmt: skip
        order = Entrant(
            "documented order", self._documented, max(times.turn // self._slow, depth) * node, "it may be nearly done"
        )
        if self._hangs:
            return (self._ruled(), order)
        annealing = (self._annealing(),) if self._may_walk else ()
        return again, self._ruled(), *annealing, order

    def _is_heavy(self) -> bool:
        """Whether clingo comes first."""
        terms = _terms(self.problem)
        return terms > DEALT and (terms > HEAVY or (self._hangs and _is_dealt(self.problem))) and _may_learn()

    @property
    def _may_walk(self) -> bool:
        """Whether the walk is for such a problem: large, and with nothing to meet but items."""
        problem = self.problem
        if self._capped:
            return False
        return problem.options > LARGE and problem.primary > 0 and problem.is_exact and not problem.colours

    def _walked(self) -> int:
        """The work of the first turn of the walk."""
        method = self._packed()
        return 0 if method is None else WALKED * self.problem.primary * method.node

    def _length(self) -> int:
        """The steps of the heated walk at a temperature, at first."""
        rest = self._left()
        problem = self.problem if rest is None else rest.problem
        return problem.options // COOLED or 1

    def _annealing(self) -> Entrant:
        """A turn of the heated walk, from hot to cold."""

        def work() -> int:
            method = self._cooled()
            return 0 if method is None else OFTEN * LEVELS * self._length() * method.node

        return Entrant(ANNEALED, self._cooled, work, "sudokus of 49 × 49, Latin squares of side 60 with holes")

    @cached_property
    def _hangs(self) -> bool:
        """Whether clingo has most of the time, as places or lines are to hang together, and it is installed."""
        return not only_totals(self.problem.sides) and _may_learn()

    def _ruled(self) -> Entrant:
        """A turn of clingo."""
        why = "learns from counts: battleships, nonograms"
        if self._hangs:
            why = "learns under connections, loops and areas: boards of published size"
        return Entrant(CLINGO, self._rules, self._times.called * SLOW * NODE, why)

    # --- its methods ---

    def _begin(self, problem: Problem, engine: str, seed: int | None = None) -> Method:
        settings = evolve(self._settings, engine=engine, seed=seed)
        return evolve(prepare(problem, "all", settings), node=self._node)

    def _documented(self) -> Method:
        if self._first is None:
            self._first = self._begin(self.problem, self._settings.engine)
        return self._first

    def _on_sets(self) -> Method:
        """The documented order, begun anew on sets."""
        self.drop(self._documented())
        self._first = self._begin(self.problem, self._settings.engine)
        return self._first

    def _weighed(self) -> Method:
        """The search that weighs items by dead ends."""
        return self._begin(self.problem, "sides")

    def _below(self, rest: Rest | None, seed: int | None = None) -> Method:
        """A search of what is left, or of the whole; its answers are those of the problem."""
        method = self._begin(self.problem if rest is None else rest.problem, self._settings.engine, seed)
        if rest is None:
            return method
        own = method.answer
        return evolve(method, answer=lambda: rest.whole(own()))

    def _rest(self) -> Rest | None:
        """What the given options leave; None for the whole."""
        from covr.engine.pieces.split import Prefix, Splitter

        apart = self.problem.given and self.problem.is_pure and not self._capped
        splitter = Splitter(self.problem) if apart else None
        return splitter.rest(Prefix()) if splitter is not None and splitter.feasible else None

    def _walk(self, heated: bool = False) -> Method | None:
        """The walk among packings of what the given options leave; None where an item has no options."""
        rest = self._left()
        problem = self.problem if rest is None else rest.problem
        if not problem.primary or problem.colours:
            return None
        seen = bytearray(problem.items)
        for i in with_limit_checks(problem.members):
            seen[i] = 1
        if not all(seen[: problem.primary]):
            return None
        module = load("_packing_walk")
        starts, members = array("i", problem.starts), array("i", problem.members)
        kernel = module.PackingWalk(problem.items, problem.primary, starts, members, 1)
        looked = len(members) ** 2 // (problem.items * problem.options)  # entries in a step, on average

        def whole() -> Answer:
            found = tuple(kernel.answer())
            return found if rest is None else rest.whole(found)

        if heated:
            kernel.heat(self._length())
            looked //= len(problem.members) // problem.items or 1  # only one option of an item
        name = f"{'annealing' if heated else 'a walk'} among packings ({speed(module)})"
        return Method(name, kernel, kernel.run, whole, node=max(ENTRY * looked, 1))

    def _heated(self) -> Method | None:
        """The same walk, heated."""
        return self._walk(heated=True)

    def _restarted(self) -> Method:
        """A search in the next random order."""
        seed = next(self._seeds)
        method = self._below(self._left(), seed)
        return evolve(method, name=f"{method.name}, restarted with seed {seed}")

    def _by_clingo(self) -> Method | None:
        """clingo; None if it is not installed, or can't hold a total."""
        from covr.engine.outside import clingo

        if not clingo.INSTALLED:
            return None
        rest = self._left()
        try:
            capped = Settings(ceiling=self._settings.ceiling)
            search = clingo.ClingoSearch(self.problem if rest is None else rest.problem, settings=capped)
        except Unsuited:
            return None
        search.called = self._times.called
        rest = self._left()
        search.leave_unchecked()
        kernel = SearchKernel(search)
        whole: Callable[[], Answer] = kernel.whole if rest is None else lambda: rest.whole(kernel.whole())
        method = Method(
            search.engine, kernel, kernel.run, whole, node=SLOW * NODE, slice=lambda: self._times.called
        )  # fmt: skip
        for answer in self._seen:
            search.bar(answer if rest is None else rest.part(answer))
        self._learners[method] = search
        return method

    def _bar(self, answer: Answer, finder: Method) -> None:
        """Keep the solvers that learn from finding this answer again."""
        for method, search in self._learners.items():
            if method is not finder:
                rest = self._left()
                search.bar(answer if rest is None else rest.part(answer))


def _may_learn() -> bool:
    """Whether clingo is installed."""
    from covr.engine.outside import clingo

    return clingo.INSTALLED


def _terms(problem: Problem) -> int:
    """How many terms the totals have."""
    return sum([len(side.terms) for side in with_limit_checks(problem.sides) if isinstance(side, Total)])


def _is_dealt(problem: Problem) -> bool:
    """Whether most terms are in totals whose options all hold the same primary item. Asks some of the totals only."""
    terms = dealt = 0
    for side in with_limit_checks(problem.sides[::SAMPLED]):
        if isinstance(side, Total) and side.terms:
            shared = set(problem.option(side.terms[0][0])).intersection(*[problem.option(o) for o, _ in side.terms])
            terms += len(side.terms)
            dealt += len(side.terms) if min(shared, default=problem.primary) < problem.primary else 0
    return 2 * dealt > terms


def _depth(problem: Problem) -> int:
    """Roughly how many nodes deep an answer lies where every open option is decided one by one. Linear time."""
    primary, members = problem.primary, problem.members
    loose = sum(
        [first == end or members[first] >= primary for first, end in with_limit_checks(pairwise(problem.starts))]
    )
    return primary + loose
