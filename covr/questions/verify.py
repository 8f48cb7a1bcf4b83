"""How a question ended, and `--verify`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from attrs import evolve

from covr.engine import Counters, Limits, Mistake, Problem, Search, Settings, Status, search
from covr.engine.minimum.core import is_suited
from covr.engine.pieces.ledger import Ask
from covr.engine.pieces.piece import Pieces
from covr.engine.pieces.split import Prefix
from covr.engine.prepare.frontier import shuffle
from covr.engine.single import begin
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler.lower.symmetry import Symmetry
    from covr.questions.options import Options
    from covr.questions.run import Best

# --- verify ----------------------------------------------------------------------------------------------------------
# A question is answered again by another engine, in another order, and the two results must agree. Checking each answer
# does not show whether there are others, or a cheaper one; so these results are verified:
#
# - A number of answers is counted again: by Dancing Links in a shuffled order if bit sets counted it, and the other way
#   round. If a memo saved more work than can be done without it, the tree is cut into parts with a memo each.
# - That nothing is better than a best value is proved again by Dancing Links in a shuffled order, with a bound in whole
#   numbers (`classic`); if that takes far more nodes, by the engine and bounds of the first proof, in another order.
#
# A difference is a mistake in covr. If a limit or Ctrl-C stops the second search, the result is reported as not
# verified.


PARTS = 16  # into how many parts a tree that is counted with a memo is split
WITHOUT = 20_000_000  # nodes: if the memo saved no more than this, the tree is counted again without it
PATIENCE, TIMES = 100_000, 20  # a proof in whole numbers may take PATIENCE nodes + TIMES those of the first proof
LOOKED_AT = "each answer by itself"


@frozen
class Verified:
    """Whether a second search confirmed the result.
    done: whether it finished; if so, it agreed.  engine: it, in words.  reason: why it did not: `limit` or
    `interrupted`."""

    done: bool
    engine: str
    reason: str | None = None

    @property
    def words(self) -> str:
        """The result in a sentence."""
        if self.done:
            return f"verified: {self.engine}"
        why = "interrupted" if self.reason == "interrupted" else "a limit came first"
        return f"not verified: {why} ({self.engine})"


class _Unproved(Exception):
    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status


class Verification:
    """Answers one question a second time. May be interrupted from any thread."""

    def __init__(self, problem: Problem, options: Options, limits: Callable[[float, int], Limits]) -> None:
        """limits: returns what is left of the limits after this second search took these seconds and nodes."""
        self._problem, self._options, self._left = problem, options, limits
        self._searches: list[Search] = []
        self._stop = False
        self._how = ""

    def interrupt(self) -> None:
        self._stop = True
        for one in self._searches:
            one.interrupt()

    def number(self, first: Search, value: int, ceiling: int | None, symmetry: Symmetry | None) -> Verified:
        """Check that there are `value` answers of at most that cost, counting one of each class. first: the first
        search."""
        return self._outcome(lambda: self._number(first, value, ceiling, symmetry))

    def best(self, first: Search, cost: int | None) -> Verified:
        """Check that no answer costs less than this; None: that there are no answers at all."""
        self._problem = self._problem.by_all()
        return self._outcome(lambda: self._best(first, cost))

    # --- how ---

    def _outcome(self, work: Callable[[], None]) -> Verified:
        try:
            work()
        except _Unproved as stopped:
            reason = "interrupted" if stopped.status is Status.INTERRUPTED else "limit"
            return Verified(False, self._how, reason)
        return Verified(True, self._how)

    def _number(self, first: Search, value: int, ceiling: int | None, symmetry: Symmetry | None) -> None:
        if first.spared > WITHOUT and ceiling is None and symmetry is None:
            again = self._in_parts(value, first)
        elif ceiling is None:
            again = self._counted(self._settings(first), symmetry, value, first)
        else:
            again = self._by_stages(
                first,
                lambda settings, nodes: self._counted(evolve(settings, ceiling=ceiling), symmetry, value, first, nodes),
            )
        if again != value:
            raise _difference(f"{value} answers", first.engine, f"{again}", self._how)

    def _best(self, first: Search, cost: int | None) -> None:
        self._by_stages(first, lambda settings, nodes: self._proved(settings, cost, first, nodes))

    def _by_stages(self, first: Search, work: Callable[[Settings, int | None], int]) -> int:
        """Do the work in whole numbers only, if that is not far more work; else with the bounds of the first search.
        With side conditions, do it in another order."""
        if not self._problem.is_pure:
            return work(evolve(self._options.settings(), engine="sides", jobs=1, seed=self._seed), None)
        most = PATIENCE + TIMES * first.counters.nodes
        try:
            return work(Settings(engine="links", estimate="classic", seed=self._seed), most)
        except _Unproved:
            if self._stop or self._remaining(most).nodes == 0 or self._is_late():
                raise
        engine = "cover" if is_suited(self._problem) else "links"
        return work(evolve(self._options.settings(), engine=engine, jobs=1, seed=self._seed), None)

    @property
    def _seed(self) -> int:
        return 1 if self._options.seed != 1 else 2

    def _settings(self, first: Search) -> Settings:
        engine = "bits" if first.engine.startswith("dancing links") else "links"
        if not self._problem.is_pure:
            engine = "sides"
        return evolve(self._options.settings(), engine=engine, jobs=1, seed=self._seed)

    def _counted(
        self, settings: Settings, symmetry: Symmetry | None, value: int, first: Search, nodes: int | None = None
    ) -> int:
        run = self._started(search(self._problem, limits=self._remaining(nodes), settings=settings))
        again = run.count() if symmetry is None else sum(1 for _ in filter(symmetry.is_canonical, run))
        if run.status is not Status.EXHAUSTED and again > value:
            raise _difference(f"{value} answers", first.engine, f"at least {again}", self._how)
        self._end(run)
        return again

    def _in_parts(self, value: int, first: Search) -> int:
        settings = evolve(self._options.settings(), jobs=1, seed=self._options.seed, engine="auto")
        pieces = Pieces(self._problem, Ask("count", settings))
        prefixes = pieces.cut(Prefix(), PARTS)[0] or (Prefix(),)
        again = 0
        for prefix in prefixes:
            run = pieces.start(pieces.rest(prefix), None)
            run.limit(self._remaining(None))
            self._started(run)
            again += run.count()
            self._how = f"{run.engine}, in {len(prefixes)} parts"
            if again > value:
                raise _difference(f"{value} answers", first.engine, f"at least {again}", self._how)
            self._end(run)
        return again

    def _proved(self, settings: Settings, cost: int | None, first: Search, nodes: int | None) -> int:
        """Prove that nothing is cheaper, in an order that the first proof did not use."""
        shuffled, _ = shuffle(self._problem, self._seed)
        ceiling = None if cost is None else cost - 1
        settings = evolve(settings, seed=None, ceiling=ceiling, symmetries=())
        limits = self._remaining(nodes)
        run = begin(shuffled, "minimum", limits, settings)
        self._started(run)
        for _ in run:
            said = "no answer" if cost is None else f"the best cost {cost}"
            raise _difference(said, first.engine, f"{run.best}", self._how)
        self._end(run)
        return 0

    # --- limits ---

    def _remaining(self, nodes: int | None) -> Limits:
        left = self._left(sum(s.seconds for s in self._searches), sum(s.counters.nodes for s in self._searches))
        if nodes is None:
            return left
        return evolve(left, nodes=nodes if left.nodes is None else min(nodes, left.nodes))

    def _is_late(self) -> bool:
        left = self._remaining(None)
        return left.nodes == 0 or left.seconds == 0 or any(s.out_of_memory for s in self._searches)

    def _started(self, run: Search) -> Search:
        self._searches.append(run)
        self._how = f"{run.engine}, in an order shuffled by seed {self._seed}"
        if self._stop:
            run.interrupt()
        return run

    def _end(self, run: Search) -> None:
        if run.status is not Status.EXHAUSTED:
            raise _Unproved(run.status)


def _difference(said: str, first: str, other: str, second: str) -> Mistake:
    return Mistake(f"two ways to answer this differ: {said} by {first}, {other} by {second}")


# --- ending ----------------------------------------------------------------------------------------------------------


class Ending(Protocol):
    """How a question ended, as writers report it: a `Run`, or a finished run that is read from its file
    (runs/state.py).
    options: with which it was asked.  status, lacks_sat: as of `Run`.
    complete: whether all answers were found.  reached: which limit ended it: `time`, `nodes`, `memory` or `answers`, or
    None.
    fraction: how much of the tree was searched, from 0 to 1; None if that is not known.
    best: the best answer found; None without a goal, or if none was found.
    bound: a value of the goal that no answer can beat, as far as is proved.
    verified: how the answer was verified; None unless the option `verify` was set.
    counters: the work of all its searches.  session_nodes: that count against `limit_nodes`.
    seconds: spent inside its searches.  engine: that answered, in words.  methods: as of `Run`."""

    @property
    def options(self) -> Options: ...
    @property
    def status(self) -> Status: ...
    @property
    def complete(self) -> bool: ...
    @property
    def reached(self) -> str | None: ...
    @property
    def fraction(self) -> float | None: ...
    @property
    def best(self) -> Best | None: ...
    @property
    def bound(self) -> int | None: ...
    @property
    def verified(self) -> Verified | None: ...
    @property
    def lacks_clingo(self) -> bool:
        """See `Run.lacks_clingo`."""

    @property
    def counters(self) -> Counters: ...
    @property
    def session_nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def engine(self) -> str: ...
    @property
    def methods(self) -> Sequence[tuple[str, int, int]]: ...
