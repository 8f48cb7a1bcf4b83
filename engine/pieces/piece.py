"""One piece of a long search: everything below a prefix, searched to its end or cut into smaller pieces.

A long search is done in pieces that take seconds each, so that finished pieces can be stored, and workers can share
them. How long a piece takes can only be found by trying. So the search of a piece begins, and checks from time to time
how much of its tree is done. A piece that seems to need many times its *budget* of nodes is cut at once (split.py), so
that little work is lost; one that seems small enough is continued. If that guess was wrong, the piece is cut after
`PATIENCE` budgets.

When a piece is cut, the answers found in it are dropped, because its parts find them again; only the best answer in a
search for a minimum is kept. A count has a memo. As long as the memo saves at least `PAYS` times as many nodes as are
searched, the piece is not cut at all, because each part would have to compute again what all of them share. Counting
the dominoes on 18 by 18 squares takes 4 seconds as one piece; in parts, it was not finished after 200 seconds.

In a search for a minimum, all pieces share a *ceiling*: the best known cost minus one. A finished piece proves that
nothing below its prefix is cheaper than its `bound`, which follows from the best cost it has found and its last
ceiling. Linear programs and several orders take turns in a piece, as in a search of the whole problem (programs.py,
restarts.py), unless a seed asks for a single order. A linear program takes as long as a thousand nodes of Dancing
Links; such a piece is given seconds instead of nodes.

Where one answer of each class of a group is wanted, the first piece is cut into the parts of class_pieces.py at once.

Tried: cutting pieces that seem to need 6 budgets; with 17 queens one piece in 17 was cut, which cost 6 % of the time.
Handing on the unfinished path of a kernel instead of dropping it; such a path leaves dozens of prefixes, most of which
take less time to search than to start.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import Protocol

from attrs import evolve, field, frozen

from covr.engine import programs, restarts
from covr.engine.check import cost
from covr.engine.kernel_search import KernelSearch
from covr.engine.limits import Limits
from covr.engine.minimum.symmetry import FREE, orbit
from covr.engine.pieces.class_pieces import TRIAL, ClassPieces
from covr.engine.pieces.packing import pack
from covr.engine.pieces.sided_split import SidedSplitter, splitter_of
from covr.engine.pieces.split import Prefix, Rest
from covr.engine.prepare.shuffle import shuffle
from covr.engine.problem import Problem
from covr.engine.search import Answer, Search
from covr.engine.settings import Settings
from covr.engine.sides import refuse_told
from covr.engine.single import begin
from covr.engine.status import Status

ASKS = {"list": "every answer", "count": "how many there are", "minimum": "a cheapest one"}

LOOKS = 16  # a piece is first judged when its budget divided by this is spent
FAR = 12.0  # budgets: a piece that is likely to take more is cut, once a twelfth of a budget is spent on it;
DOUBT = 1.0  # before that it must be likely to take even more, since early estimates say little
PATIENCE = 12.0  # budgets after which a piece is cut in any case
# How many pieces a piece is cut into: at least, where its size is not known, at most, and at most for the first piece.
FEWEST_PARTS, PARTS, MOST_PARTS, MOST_FIRST = 8, 16, 64, 1024
PAYS = 1  # a piece is not cut while its memo saves at least this many times as many nodes as are searched
SLICES = 32  # how often per budget a piece checks what the others have found
LONGEST_SLICE = 1 << 20  # nodes between two such checks, at most
FIRST_STEP = 500  # nodes between two checks of the clock, in the first piece
UNEVEN_STEP = 50  # the same in a piece whose nodes may each take a millisecond
UNEVEN = 4.0  # seconds that such a piece may take before it is cut
NO_LIMITS = Limits()
UP_TO = ", up to symmetry"  # what is added to the name of an engine that searches for one answer of each class


@frozen
class Ask:
    """The question asked of a problem, the same for all its pieces. It can be pickled if `keep` can.

    goal: 'list', 'count' or 'minimum'.  settings: as for a search on one thread, including `ceiling`.
    keep: says whether an answer counts; None if all do.
    classes: for 'list' and 'count' without a seed, the parts of a search for one answer of each class, the smallest,
    for which `keep` is then asked; None if all answers are wanted.
    """

    goal: str
    settings: Settings = field(factory=Settings)
    keep: Callable[[Answer], bool] | None = None
    classes: ClassPieces | None = None


@frozen
class PieceBudget:
    """How much a piece should take, so that it lasts about a second. nodes: nodes of search.  answers: listed answers.

    far: how many budgets the piece may take before it is cut; None for `FAR`.
    """

    nodes: int
    answers: int = 50_000
    far: float | None = None


@frozen
class PieceResult:
    """The result of searching a piece. Frozen, small, and easily pickled.

    done: whether the whole piece was searched. If not, it was either cut into `children` (in documented order, with
    their shares of the piece in `weights`), or stopped from outside; then it has no children, and the result must not
    be kept.
    count: the number of answers, for 'list' and 'count' if the piece is done.  answers: packed (packing.py), for
    'list'.
    best, answer: for 'minimum', the cheapest answer found and its cost, if any, whether or not the piece is done.
    bound: for 'minimum', a lower bound on the cost of the answers in the piece; None means that there are no answers if
    the piece is done, and that nothing is known if it is not.
    nodes, updates: the work; for a piece that is cut, only that of the nodes above its children.  wasted: how many
    nodes will be searched again.  seconds: the time spent.  engine: the engine in words.
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
    """Watches a piece while it is searched. Its methods are called every few milliseconds by the searching thread."""

    def goes_on(self, nodes: int, fraction: float | None) -> bool:
        """Called with the nodes searched so far, and the share of the piece that is done; returns False to stop the
        piece."""

    def ceiling(self) -> int | None:
        """For 'minimum': the most that an answer may cost by now to be wanted; None for no limit."""

    def found(self, best: int, answer: Answer) -> None:
        """For 'minimum': called with a better answer as soon as it is found."""


class Nobody:
    """A watch for pieces that run by themselves: it never stops them, and only keeps the best cost."""

    def __init__(self, ceiling: int | None = None) -> None:
        self._ceiling = ceiling

    def goes_on(self, nodes: int, fraction: float | None) -> bool:
        return True

    def ceiling(self) -> int | None:
        return self._ceiling

    def found(self, best: int, answer: Answer) -> None:
        self._ceiling = best - 1


class Pieces:
    """A problem and a question, prepared so that its pieces can be searched. Threads may share it.

    Preparation takes time linear in the length of the options. It is pickled as the problem and the question.
    """

    def __init__(self, problem: Problem, ask: Ask) -> None:
        """problem: validated. Raises Unsuited where only some options tell answers apart, and ValueError for an unknown
        goal."""
        refuse_told(problem, "a search in pieces, as runs in files, clusters and several processes are,")
        if ask.goal not in ASKS:
            raise ValueError(f"there is no goal `{ask.goal}`; there are {', '.join(ASKS)}")
        self.problem, self.ask = problem, ask
        self._numbers: list[int] | None = None
        searched, seed = problem, ask.settings.seed
        if seed is not None:
            searched, self._numbers = shuffle(problem, seed)
        assert ask.classes is None or (seed is None and ask.goal != "minimum"), "the parts are those of one order"
        self._settings = evolve(ask.settings, seed=None, jobs=1)
        self._splitter = splitter_of(searched)

    def __reduce__(self) -> tuple[type[Pieces], tuple[Problem, Ask]]:
        return Pieces, (evolve(self.problem, item_names=(), option_names=()), self.ask)

    @property
    def feasible(self) -> bool:
        """Whether the given options contradict nothing, so that there is something to search."""
        return self._splitter.feasible

    @property
    def in_order(self) -> bool:
        """Whether the problem is searched as it is, and not shuffled."""
        return self._numbers is None

    def search(
        self, prefix: Prefix, budget: PieceBudget | None = None, watch: Watch | None = None, alone: float | None = None
    ) -> PieceResult:
        """Search a piece.

        budget: how much it should take; None to search it to its end.  watch: watches the search.
        alone: instead of a budget, the seconds after which it is cut; for the first piece, when no budget is known yet.
        With `Ask.classes`, the first piece is cut or counted, whatever the budget.
        """
        watch = watch or Nobody()
        classes = self.ask.classes
        if classes is not None and self.feasible and classes.part_of(prefix) is None:
            return self._cut_by_group(classes, watch)
        return _Work(self, prefix, budget, watch, alone).run()

    def _cut_by_group(self, classes: ClassPieces, watch: Watch) -> PieceResult:
        """The result of the first piece, where one answer of each class is wanted."""
        started, wasted = thread_time(), 0
        counting = None
        if self.ask.goal == "count" and self.ask.keep is None:
            counting = classes.counting(self.problem, self._settings)
        if counting is not None:
            while counting.step(TRIAL) and (counting.nodes < TRIAL or counting.pays()):
                if not watch.goes_on(counting.nodes, None):
                    return PieceResult(False)
            if counting.value is not None:
                return PieceResult(
                    True,
                    count=counting.value,
                    nodes=counting.nodes,
                    seconds=thread_time() - started,
                    engine="memo" + UP_TO,
                )
            wasted = counting.nodes
        parts = classes.prefixes
        return PieceResult(
            False,
            wasted=wasted,
            seconds=thread_time() - started,
            children=parts,
            weights=(1 / len(parts),) * len(parts),
        )

    def own(self, answer: Answer) -> Answer:
        """An answer of the shuffled problem, in the numbers of the problem."""
        return answer if self._numbers is None else tuple(sorted(self._numbers[o] for o in answer))

    def arranged(self, answers: list[Answer]) -> list[Answer]:
        """The answers of a piece in the order in which they are read, given in the order in which they were found."""
        splitter, numbers = self._splitter, self._numbers
        if not isinstance(splitter, SidedSplitter):
            return answers
        if numbers is None:
            return sorted(answers, key=splitter.key)
        searched = {own: o for o, own in enumerate(numbers)}
        return sorted(answers, key=lambda answer: splitter.key(map(searched.__getitem__, answer)))

    def rest(self, prefix: Prefix) -> Rest:
        """What is left of the problem below a prefix."""
        return self._splitter.rest(prefix)

    def start(self, rest: Rest, ceiling: int | None) -> Search:
        """A search of what is left below a prefix. ceiling: the most that an answer of the whole problem may cost."""
        settings = self._settings
        ceilings = [c for c in (settings.ceiling, ceiling) if c is not None]
        settings = evolve(settings, ceiling=min(ceilings) - rest.cost if ceilings else None)
        goal = "minimum" if self.ask.goal == "minimum" else "all"
        if self.in_order and restarts.suits(rest.problem, goal, NO_LIMITS, settings):
            if programs.suits(rest.problem, goal, NO_LIMITS, settings):
                return programs.start(rest.problem, goal, NO_LIMITS, settings)
            return restarts.start(rest.problem, goal, NO_LIMITS, settings)
        return begin(rest.problem, goal, NO_LIMITS, settings)

    def cut(self, prefix: Prefix, parts: int) -> tuple[tuple[Prefix, ...], tuple[float, ...], int, int]:
        """Smaller prefixes, their weights, and the nodes and updates above them."""
        if self.ask.goal == "minimum" and self.problem.is_cover:
            found = self._cut_symmetric(prefix)
            if len(found) > 1:
                return found, (1 / len(found),) * len(found), 1, 0
        cut = self._splitter.cut(prefix, parts)
        if cut.prefixes == (prefix,):
            return (), (), 0, 0
        return cut.prefixes, cut.weights, cut.nodes, cut.updates

    def _cut_symmetric(self, prefix: Prefix) -> tuple[Prefix, ...]:
        """The ways of one item, except those that a symmetry of what is left maps to an earlier one.

        Once an option was tried, its whole orbit may be left out: a cover with another option of the orbit has an image
        with this one, at the same cost.
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
            same = orbit(problem.low[: problem.primary], held, paid, left.index(row[0]), FREE)
            gone = {left[k] for k in same}
            excluded |= {rest.numbers[o] for o in gone}
            left = [o for o in left if o not in gone]


class _Work:
    """The search of one piece."""

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
        self.classes = pieces.ask.classes
        self.part = None if self.classes is None else self.classes.part_of(prefix)
        compared = self.classes is not None and self.part is not None and not self.classes.parts[self.part].alone
        self.listing = self.goal != "count" or self.keep is not None or compared
        # The answers of a plain list may be millions, so they are renumbered only once, as they leave the kernel.
        self.renumbered = (
            ((self.goal == "list" and self.keep is None) or compared)
            and pieces.in_order and not pieces.problem.costs
            and pieces.ask.settings.engine != "reference" and pieces.problem.is_pure
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
        if not search.even:
            step = UNEVEN_STEP
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
        # Not done if the watch stopped it while another order was being prepared.
        return self._result(search.status is Status.EXHAUSTED)

    def _take(self) -> None:
        """Take over the answers of the last slice."""
        answers = self.search.waiting()
        if not self.renumbered:
            answers = [self.pieces.own(self.rest.whole(answer)) for answer in answers]
        if self.goal == "minimum":
            for answer in answers:
                self._better(answer)
            return
        if self.classes is not None and self.part is not None:
            smallest = self.goal == "list" or self.keep is not None
            answers = self.classes.representatives(answers, self.part, smallest)
        if self.keep is not None:
            answers = [answer for answer in answers if self.keep(answer)]
        self.count += len(answers)
        if self.goal == "list":
            self.found += answers

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
        """How many budgets this many nodes amount to."""
        if self.search.spared >= PAYS * nodes > 0:
            return 0.0
        if self.alone is not None:
            return (thread_time() - self.started) / max(self.alone, 1e-9)
        if self.budget is None:
            return 0.0
        if not self.search.even:
            return (thread_time() - self.started) / UNEVEN
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
            answers=pack(self.pieces.arranged(self.found)) if done and self.goal == "list" else None,
            best=self.best,
            answer=self.answer,
            bound=self._bound(done),
            nodes=counters.nodes,
            updates=counters.updates,
            seconds=thread_time() - self.started,
            engine=search.engine + ("" if self.classes is None else UP_TO),
        )

    def _bound(self, done: bool) -> int | None:
        """The lower bound that is proved for the piece. done: whether it was searched to its end."""
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
    """Search one piece by itself. To search many pieces of one problem, make a `Pieces` once."""
    return Pieces(problem, ask).search(prefix, budget, watch)
