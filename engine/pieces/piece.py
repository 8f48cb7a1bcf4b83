"""One piece of a long search, and the workers that search it."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Final, Protocol

from attrs import define, evolve

from covr.engine import plan
from covr.engine.base.alone import thread_time, threads
from covr.engine.base.limits import QUICK, LimitReached, Limits, Status, limits_checked_by
from covr.engine.minimum.core import orbit
from covr.engine.pieces.class_pieces import ClassPieces
from covr.engine.pieces.ledger import ASKS, UP_TO, Ask, Improved, Nobody, PieceBudget, PieceResult, Task, Watch
from covr.engine.pieces.parallel import SidedSplitter, splitter_of
from covr.engine.pieces.piece_work import PieceWork
from covr.engine.pieces.split import Prefix, Rest
from covr.engine.prepare.frontier import shuffle
from covr.engine.problem import Problem, refuse_projection
from covr.engine.search import Answer, Search
from covr.engine.single import begin
from covr.engine.symmetries import MOST_EDGES
from covr.frozen import frozen

# --- piece -----------------------------------------------------------------------------------------------------------
# One piece of a long search: everything below a prefix, searched to its end or cut into smaller pieces.
#
# A long search is done in pieces that take seconds each, so that finished pieces can be stored, and workers can share
# them. piece_work.py says when a piece is cut instead.
#
# In a search for a minimum, all pieces share a *ceiling*: the best known cost minus one. A finished piece proves that
# nothing below its prefix is cheaper than its `bound`, which follows from the best cost it has found and its last
# ceiling. Linear programs have turns in a piece, as in a search of the whole problem (plan.py).
#
# Where one answer of each class of a group is wanted, the first piece is cut into the parts of class_pieces.py at once.


NO_LIMITS: Final = Limits()


class Pieces:
    """A problem and a question, prepared so that its pieces can be searched. Threads may share it.

    Preparation takes time linear in the length of the options. It is pickled as the problem and the question.
    """

    def __init__(self, problem: Problem, ask: Ask) -> None:
        """problem: validated. Raises Unsuited where only some options tell answers apart, and ValueError for an unknown
        goal."""
        refuse_projection(problem, "a search in pieces, as runs in files, clusters and several processes are,")
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
        if classes is not None and self._is_whole(prefix):
            return self._cut_by_group(classes, watch)
        return PieceWork(self, prefix, budget, watch, alone).run()

    def _is_whole(self, prefix: Prefix) -> bool:
        """Whether a piece is the whole search for one answer of each class, which only the group can cut."""
        return self.ask.classes is not None and self.feasible and self.ask.classes.part_of(prefix) is None

    def _cut_by_group(self, classes: ClassPieces, watch: Watch) -> PieceResult:
        """The result of the first piece, where one answer of each class is wanted."""
        started, wasted = thread_time(), 0
        counting = None
        if self.ask.goal == "count" and self.ask.keep is None:
            counting = classes.counting(self.problem, self._settings)
        if counting is not None:
            while counting.step(QUICK) and (counting.nodes < QUICK or counting.pays()):
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

    def knows(self, prefix: Prefix) -> bool:
        """Whether a prefix, which may come from a file, names options of the problem only."""
        return max(*prefix.taken, *prefix.excluded, -1, -1) < self.problem.options

    def rest(self, prefix: Prefix) -> Rest:
        """What is left of the problem below a prefix."""
        return self._splitter.rest(prefix)

    def start(self, rest: Rest, ceiling: int | None) -> Search:
        """A search of what is left below a prefix. ceiling: the most that an answer of the whole problem may cost."""
        settings = self._settings
        ceilings = [c for c in (settings.ceiling, ceiling) if c is not None]
        settings = evolve(settings, ceiling=min(ceilings) - rest.cost if ceilings else None)
        goal = "minimum" if self.ask.goal == "minimum" else "all"
        if self.in_order:
            return plan.begin(plan.Query(rest.problem, goal, NO_LIMITS, settings, "a piece"))
        return begin(rest.problem, goal, NO_LIMITS, settings)

    def cut(self, prefix: Prefix, parts: int) -> tuple[tuple[Prefix, ...], tuple[float, ...], int, int]:
        """Smaller prefixes, their weights, and the nodes and updates above them."""
        if self.ask.classes is not None and self._is_whole(prefix):
            own = self.ask.classes.prefixes
            return own, (1 / len(own),) * len(own), 0, 0
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
            same = orbit(problem.low[: problem.primary], held, paid, left.index(row[0]), MOST_EDGES)
            gone = {left[k] for k in same}
            excluded |= {rest.numbers[o] for o in gone}
            left = [o for o in left if o not in gone]


def search_piece(
    problem: Problem, prefix: Prefix, ask: Ask, budget: PieceBudget | None = None, watch: Watch | None = None
) -> PieceResult:
    """Search one piece by itself. To search many pieces of one problem, make a `Pieces` once."""
    return Pieces(problem, ask).search(prefix, budget, watch)


# --- workers ---------------------------------------------------------------------------------------------------------
# The workers that search the pieces of a run: threads of this process, or others with the same methods (`Workers`).
#
# The kernels release the GIL, so that threads search in parallel. All threads report through one queue. A better answer
# is in the queue before anything that was proved with its help, and is therefore put on record before it.


AHEAD = 2  # pieces that a worker has at a time, so that it need not wait for the next one


@frozen
class Finished:
    """The report that a worker is done with a piece. result: None if the worker was lost or told to stop; what it had
    proved of a minimum by then is in `bound`."""

    name: str
    result: PieceResult | None
    fault: BaseException | None = None
    bound: int | None = None


Report = Finished | Improved


@frozen
class Going:
    """A piece that is being searched. fraction: how much of it is done, from 0 to 1, as far as known.  bound: for a
    minimum, a proved lower bound on the cost of its answers; None if none is known."""

    name: str
    nodes: int
    fraction: float
    bound: int | None = None


class Workers(Protocol):
    """The interface of all kinds of workers. All calls come from one thread."""

    @property
    def size(self) -> int:
        """How many pieces are searched at the same time; it may change."""

    @property
    def ahead(self) -> int:
        """How many pieces they should be given in all, including those being searched, so that no worker waits."""

    @property
    def name(self) -> str:
        """The workers in words, such as `2 threads`."""

    def start(self, pieces: Pieces) -> None:
        """Prepare for the pieces of one search."""

    def submit(self, task: Task, budget: PieceBudget | None, alone: float | None) -> None:
        """Have a piece searched: `Pieces.search` with these arguments."""

    def lower(self, ceiling: int) -> None:
        """For a minimum: let all workers look only for answers of at most this cost."""

    def reports(self, seconds: float) -> list[Report]:
        """What was found and finished since the last call; waits at most so many seconds for the first report."""

    def going(self) -> list[Going]:
        """The pieces that are being searched, with their progress."""

    def stop(self) -> None:
        """Stop the workers at once, and wait until they have stopped."""


@define
class _WorkerWatch:
    """The `Watch` (ledger.py) of a thread."""

    crew: Threads
    name: str
    nodes: int = 0
    fraction: float = 0.0
    bound: int | None = None

    def goes_on(self, nodes: int, fraction: float | None) -> bool:
        self.nodes, self.fraction = nodes, fraction or 0.0
        return not self.crew.over.is_set()

    def proved(self, bound: int) -> None:
        self.bound = bound

    def ceiling(self) -> int | None:
        return self.crew.ceiling

    def found(self, best: int, answer: Answer) -> None:
        self.crew.queue.put(Improved(best, answer))
        self.crew.offer(best - 1)


class Threads:
    """Workers that are threads of this process.

    ceiling: the most an answer may cost, shared by the threads. They lower it themselves, so that it takes effect
    before the better answer is on record.
    """

    def __init__(self, jobs: int | None) -> None:
        """jobs: as in alone.py."""
        self.size = size = threads(jobs)
        self.ahead = AHEAD * size
        self.name = f"{size} thread{'' if size == 1 else 's'}"
        self.ceiling: int | None = None
        self.over = Event()
        self.queue: SimpleQueue[Report] = SimpleQueue()
        self._threads: list[Thread] = []
        self._watches: dict[str, _WorkerWatch] = {}

    def start(self, pieces: Pieces) -> None:
        self.over.clear()
        self.ceiling = None
        self._todo: SimpleQueue[tuple[Task, PieceBudget | None, float | None] | None] = SimpleQueue()
        for _ in range(self.size):
            thread = Thread(target=self._work, args=(pieces,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def submit(self, task: Task, budget: PieceBudget | None, alone: float | None) -> None:
        self._todo.put((task, budget, alone))

    def lower(self, ceiling: int) -> None:
        self.offer(ceiling)

    def offer(self, ceiling: int) -> None:
        """Lower the ceiling. A race with another thread may leave it too high for a moment, which only costs time,
        because every result names the ceiling with which it was searched."""
        if self.ceiling is None or ceiling < self.ceiling:
            self.ceiling = ceiling

    def reports(self, seconds: float) -> list[Report]:
        found: list[Report] = []
        try:
            found.append(self.queue.get(timeout=seconds))
            while True:
                found.append(self.queue.get_nowait())
        except Empty:
            return found

    def going(self) -> list[Going]:
        return [Going(w.name, w.nodes, w.fraction, w.bound) for w in tuple(self._watches.values())]

    def stop(self) -> None:
        self.over.set()
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _stopped(self) -> Status | None:
        return Status.INTERRUPTED if self.over.is_set() else None

    def _work(self, pieces: Pieces) -> None:
        """The loop of a thread: search one piece after another."""
        while (next_one := self._todo.get()) is not None and not self.over.is_set():
            task, budget, alone = next_one
            watch = self._watches[task.name] = _WorkerWatch(self, task.name)
            result: PieceResult | None = None
            fault: BaseException | None = None
            try:
                with limits_checked_by(self._stopped):
                    result = pieces.search(task.prefix, budget, watch, alone)
            except LimitReached:
                result = None
            except BaseException as error:  # raised again in the owner's thread
                fault = error
            bound = watch.bound
            if result is not None and not result.done and not result.is_cut:
                bound, result = result.bound, None
            del self._watches[task.name]
            self.queue.put(Finished(task.name, result, fault, bound))
