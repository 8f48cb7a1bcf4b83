"""Finds the first answer, or the first few: several ways of searching take turns (turns.py).

- The documented order ends most questions. It begins on links, which are prepared ten times sooner than sets. Where
  many items ask for options, an answer is too deep to be met early, and the engine `sides`, which prefers items at
  which it has failed, has some nodes, too.
- A walk among packings (_packing_walk.py) is for many options and nothing but exact covers: once quickly, and from then
  on annealing.
- clingo (clingo.py) learns from bounds and totals. It comes first where totals have so many terms that nothing else is
  prepared as soon, and has most of the time where places or lines are to hang together.
- Restarts: options and items in random order, by the seeds 1, 2, 3, …, some hundred nodes each. Where clingo is
  missing, they are what finds Langford's problem for 40 numbers.

Under a ceiling for the costs, as where best answers are listed, only links, clingo and restarts have turns. All but the
documented order search only what the given options leave. The first to finish proves that there is no other answer; an
answer that is found twice is returned once. The same question has the same answers on every machine, provided that
clingo is installed on both or on neither.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from functools import cache, cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING

from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import Limits, with_limit_checks
from covr.engine.kernels.header import SLICE
from covr.engine.kernels.loading import load
from covr.engine.prepare.masks import speed
from covr.engine.problem import Problem, Total, only_totals
from covr.engine.search import Answer, SearchKernel
from covr.engine.settings import Settings
from covr.engine.single import prepare
from covr.engine.turns import ENTRY, NODE, Entrant, Method, Successive, Turns, entrant
from covr.frozen import evolve

if TYPE_CHECKING:
    from covr.engine.outside.clingo import ClingoSearch
    from covr.engine.pieces.split import Rest

LINKS, WEIGHED, ORDER = "documented order, on links", "items weighed by dead ends", "documented order"  # rows
WALK, ANNEALED, CLINGO, RESTARTS = "walk among packings", "annealed packings", "clingo", "restarts in random order"
REASONS = {
    LINKS: "ends most questions",
    WEIGHED: "solves most nonograms",
    ORDER: "its first answer is the documented one",
    WALK: "1000 queens: a step for each row and column",
    CLINGO: "learns from counts, connections, loops and areas: battleships, boards of published size",
    ANNEALED: "sudokus of 49 × 49, Latin squares of side 60 with holes",
    RESTARTS: "every second one may be a million times quicker: 100 queens, Langford 40",
}
# Times the work of a node on sets: on links or with bounds; with sides, and of a conflict of clingo.
LINKED, SLOW = 3, 30
OPEN, MOST = 100, 600_000  # work of a node where something hangs together: for each option, and at most
HEAVY = 15_000  # terms in all totals: from so many on, clingo has its first turn before the documented order
DEALT = 1000  # the same where most of them are in totals of options that share an item, and something hangs together
WALKED = 4  # steps of the walk for each item to be covered, in its first turn
EARLY = 20  # the first turn on links is this part of that on sets, which takes ten times as long to prepare
COOLED = 128  # options for each of the steps at a temperature, at first
LARGE = 2500  # options: from this many on, short searches use links, which are prepared much sooner than sets
SEEDS = 8  # restarts of a length; the next ones are twice as long


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
        links = problem.is_pure and (problem.options > LARGE or self._capped)
        self._settings = evolve(settings, engine="links" if links else "auto", jobs=1)
        self._depth = 0 if problem.is_pure else _depth(problem)
        self._answer: Answer = ()
        self._seen: dict[Answer, None] = {}  # what tells the answers found so far apart
        self._learners: dict[Method, ClingoSearch] = {}
        # Each of these is made once, when it is needed.
        self._links = cache(partial(self._begin, problem, "links"))
        self._order = self._links if links else cache(partial(self._begin, problem, "auto"))
        self._weighed = cache(partial(self._begin, problem, "sides"))
        self._left, self._rules, self._again = cache(self._rest), cache(self._by_clingo), cache(self._restarts)
        self._packed, self._cooled = cache(self._walk), cache(partial(self._walk, heated=True))
        super().__init__(tuple(self._rows()), settings.pace)
        # Long totals take so long to prepare for the documented order that clingo has the first turn.
        self._first = None if self.table[0].name == CLINGO else self.table[0].method()

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

    def _rows(self) -> Iterator[Entrant]:
        problem, turn = self.problem, self._times.turn
        row = partial(entrant, "first answers", REASONS, turn)
        clingo = row(CLINGO, self._rules)
        heavy = self._is_heavy()
        if heavy:
            yield clingo
        if problem.is_pure:
            early, through = turn // EARLY, (problem.primary + 1) * LINKED * NODE
            yield row(LINKS, self._links, first=early)
            if 2 * through > early and problem.options <= LARGE:
                yield row(WEIGHED, self._weighed, first=through)
        deep = 0 if self._hangs else 2 * self._depth * SLOW * NODE
        yield row(ORDER, self._order, first=max(turn, deep))
        if self._may_walk:
            yield row(WALK, self._packed, first=self._walked)
        if not heavy:
            yield clingo
        if self._may_walk:
            yield row(ANNEALED, self._cooled)
        if not self._hangs:
            again = row(RESTARTS, self._again)
            # With sides, a share of the time would be a few nodes, as each takes long: a turn is a round of seeds.
            least = 0 if problem.is_pure else SEEDS * self._restart * SLOW * NODE
            yield evolve(again, work=max(again.work, least))

    def _is_heavy(self) -> bool:
        """Whether clingo comes first."""
        terms = _terms(self.problem)
        return terms > DEALT and (terms > HEAVY or (self._hangs and _is_dealt(self.problem))) and _may_learn()

    @cached_property
    def _may_walk(self) -> bool:
        """Whether the walk is for such a problem: large, and with nothing to meet but items."""
        problem = self.problem
        if self._capped:
            return False
        return problem.options > LARGE and problem.primary > 0 and problem.is_exact and not problem.colours

    @property
    def _restart(self) -> int:
        """The nodes of each of the first restarts."""
        return max(self._times.restart, self._depth)

    def _walked(self) -> int:
        """The work of the first turn of the walk."""
        method = self._packed()
        return 0 if method is None else WALKED * self.problem.primary * method.node

    @cached_property
    def _hangs(self) -> bool:
        """Whether clingo has most of the time, as places or lines are to hang together, and it is installed."""
        return not only_totals(self.problem.sides) and _may_learn()

    # --- its methods ---

    def _begin(self, problem: Problem, engine: str, seed: int | None = None) -> Method:
        method = prepare(problem, "all", evolve(self._settings, engine=engine, seed=seed))
        return evolve(method, node=self._node(engine))

    def _node(self, engine: str) -> int:
        """The work of a node."""
        if self.problem.is_pure:
            return NODE if engine == "auto" and self.problem.is_exact else LINKED * NODE
        slow = SLOW * NODE
        return max(slow, min(OPEN * self.problem.options, MOST)) if self._hangs else slow

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
        if not set(problem.members).issuperset(range(problem.primary)):
            return None
        module = load("_packing_walk")
        starts, members = array("i", problem.starts), array("i", problem.members)
        kernel = module.PackingWalk(problem.items, problem.primary, starts, members, 1)
        looked = len(members) ** 2 // (problem.items * problem.options)  # entries in a step, on average

        def whole() -> Answer:
            found = tuple(kernel.answer())
            return found if rest is None else rest.whole(found)

        if heated:
            kernel.heat(problem.options // COOLED or 1)
            looked //= len(problem.members) // problem.items or 1  # only one option of an item
        name = f"{'annealing' if heated else 'a walk'} among packings ({speed(module)})"
        return Method(name, kernel, kernel.run, whole, node=max(ENTRY * looked, 1))

    def _restarts(self) -> Method:
        """Searches of what is left, or of the whole, in random orders; their answers are those of the problem."""
        rest, engine = self._left(), self._settings.engine
        problem = self.problem if rest is None else rest.problem
        restarts = Restarts(lambda seed: self._begin(problem, engine, seed), self._restart)
        whole = restarts.whole if rest is None else lambda: rest.whole(restarts.whole())
        return Method(
            "restarts", restarts, restarts.run, whole, node=self._node(engine),
            naming=lambda: f"{restarts.now.title}, restarted with seed {restarts.seed}",
        )  # fmt: skip

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


class Restarts(Successive):
    """A kernel (see loading.py) that searches in ever new random orders, by the seeds 1, 2, 3, …"""

    def __init__(self, begin: Callable[[int], Method], nodes: int) -> None:
        """begin: a search in the order of a seed.  nodes: of each of the first `SEEDS` searches."""
        super().__init__(begin(1))
        self._begin, self._nodes = begin, nodes
        self.seed = 1
        self._found = 0  # answers of the orders before

    @property
    def answers(self) -> int:
        """The answers of all orders."""
        return self._found + self.now.kernel.answers

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most so many nodes, up to an answer; ends where one of the searches does."""
        end, self.code = self.nodes + nodes, SLICE
        while self.code == SLICE and self.nodes < end:
            left = (self._nodes << (self.seed - 1) // SEEDS) - self.now.kernel.nodes
            if left <= 0:
                self._found = self.answers
                self.seed += 1
                self._follow(self._begin(self.seed))
                continue
            self.code = self.now.run(min(left, end - self.nodes), 1)
        return self.code


def _may_learn() -> bool:
    """Whether clingo is installed."""
    from covr.engine.outside import clingo

    return clingo.INSTALLED


def _terms(problem: Problem) -> int:
    """How many terms the totals have."""
    return sum([len(side.terms) for side in with_limit_checks(problem.sides) if isinstance(side, Total)])


def _is_dealt(problem: Problem) -> bool:
    """Whether most terms are in totals whose options all hold the same primary item."""
    terms = dealt = 0
    for side in with_limit_checks(problem.sides):
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
